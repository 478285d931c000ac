/* chain.c - a chain of five links that whips, on ball joints; then back, since nothing is lost */
#include "svg.h"

#define LINKS 5
#define LENGTH 0.3 /* of a link [m] */

int main(void)
{
    svg *s = svg_begin("A chain of five links", 400, 240, 118, 5);
    spc_body_desc link = spc_body_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_constraint c;
    int i;
    s->world = svg_world(LINKS, LINKS, 9.81);
    link.mass = spc_mass_box(0.2, spc_vec3_make(LENGTH / 2, 0.02, 0.02));
    joint.shape.X_BM.p = spc_vec3_make(-LENGTH / 2, 0, 0);
    for (i = 0; i < LINKS; i++) {
        link.state.X_GB.p = spc_vec3_make(LENGTH * (i + 0.5), 0, 0);
        check(spc_body_add(s->world, &link, &joint.b));
        check(spc_attachment_add(s->world, &joint, &c));
        joint.a = joint.b;
        joint.shape.X_AF.p = spc_vec3_make(LENGTH / 2, 0, 0);
    }
    s->q_CG = svg_view(0, 0);
    s->p_GC.z = -0.62;
    s->least = LENGTH / 2;
    s->back = true;
    s->still = 46;
    svg_play(s, SPC_PART_MASS, 20);
    return 0;
}
