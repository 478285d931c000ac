/* turntable.c - a ball on a spinning turntable circles, with 2/7 of the table's angular velocity:
   the table turns seven times while the ball goes around twice */
#include "svg.h"

#define OMEGA 3.5   /* of the table [rad/s]: the ball circles at 1 rad/s */
#define RADIUS 0.12 /* of the ball [m] */

int main(void)
{
    svg *s = svg_begin("A ball on a turntable circles", 400, 240, 165, 2 * PI);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    const spc_vec3 z = spc_vec3_make(0, 0, 1);
    spc_vec3 slip;
    s->world = svg_world(2, 1, 9.81);
    body.kind = SPC_KINEMATIC;
    body.state.V_GB.angular.z = OMEGA;
    check(spc_body_add(s->world, &body, &roll.floor));
    body.kind = SPC_DYNAMIC;
    body.mass = spc_mass_solid_sphere(1, RADIUS);
    body.state.X_GB.p = spc_vec3_make(0.75, 0, RADIUS);
    body.state.V_GB.linear = spc_vec3_make(0, 0.45, 0);
    slip = spc_sub(body.state.V_GB.linear, spc_scale(OMEGA, spc_cross(z, body.state.X_GB.p)));
    body.state.V_GB.angular = spc_scale(1 / RADIUS, spc_cross(z, slip));
    check(spc_body_add(s->world, &body, &roll.ball));
    roll.shape.radius = RADIUS;
    check(spc_sphere_on_plane_add(s->world, &roll, &s->trail));
    s->q_CG = svg_view(-20, 32);
    s->p_GC.z = 0.05;
    s->round = true;
    s->still = 15;
    svg_play(s, SPC_PART_PLANE | SPC_PART_BALL, 20);
    return 0;
}
