/* disc_on_turntable.c - a disc that leans rolls on a turntable, which it almost keeps pace with;
   its trail is drawn on the table */
#include "svg.h"

#define OMEGA 2.0   /* of the table [rad/s] */
#define RADIUS 0.15 /* of the disc [m] */
#define SPIN -9.0   /* of the disc about its axis [rad/s] */
#define TIP 0.01    /* [rad] */

int main(void)
{
    svg *s = svg_begin("A disc on a turntable, with its trail", 400, 240, 165, 2 * PI / OMEGA);
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    s->world = svg_world(2, 1, 9.81);
    body.kind = SPC_KINEMATIC;
    body.state.V_GB.angular.z = OMEGA;
    check(spc_body_add(s->world, &body, &roll.floor));
    body.kind = SPC_DYNAMIC;
    body.mass = spc_mass_disc(0.2, RADIUS);
    body.state.X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(0, PI / 2 - TIP, 0));
    body.state.X_GB.p = spc_vec3_make(RADIUS * SPIN / OMEGA, 0, RADIUS);
    body.state.V_GB.angular = spc_rotate(body.state.X_GB.q, spc_vec3_make(0, 0, SPIN));
    check(spc_body_add(s->world, &body, &roll.disc));
    roll.shape.axis_B = spc_vec3_make(0, 0, 1);
    roll.shape.radius = RADIUS;
    roll.shape.width = 0.02;
    check(spc_rolling_disc_add(s->world, &roll, &s->trail));
    check(spc_world_assemble(s->world, 1e-12, NULL));
    check(spc_world_project_velocities(s->world));
    s->q_CG = svg_view(-20, 32);
    s->p_GC.z = 0.05;
    s->round = s->on_floor = s->back = true;
    s->still = 40;
    svg_play(s, SPC_PART_PLANE | SPC_PART_DISC, 20);
    return 0;
}
