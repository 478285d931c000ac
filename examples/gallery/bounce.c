/* bounce.c - a ball with back spin bounces: friction at the floor turns it, and it comes back, ever
   lower, until it rolls */
#include "svg.h"

#define RADIUS 0.12 /* of the ball [m] */

int main(void)
{
    svg *s = svg_begin("A ball with back spin bounces", 420, 220, 170, 2.8);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc floor = spc_sphere_on_plane_desc_default();
    spc_constraint contact;
    s->world = svg_world(1, 1, 9.81);
    body.mass = spc_mass_solid_sphere(1, RADIUS);
    body.state.X_GB.p = spc_vec3_make(-0.3, 0, 0.8);
    body.state.V_GB = spc_spatial_make(spc_vec3_make(0, -40, 0), spc_vec3_make(1.2, 0, 0));
    check(spc_body_add(s->world, &body, &floor.ball));
    floor.shape.radius = RADIUS;
    floor.one_sided = true;
    floor.law.grip = false;
    floor.law.friction = 0.3;
    floor.law.restitution = 0.75;
    check(spc_sphere_on_plane_add(s->world, &floor, &contact));
    s->q_CG = svg_view(-12, 18);
    s->p_GC.z = 0.25;
    s->still = 20;
    s->game = true;
    svg_play(s, SPC_PART_PLANE | SPC_PART_BALL, 10);
    return 0;
}
