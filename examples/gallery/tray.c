/* tray.c - three marbles in a tray whose tilt goes around: its motion is a callback */
#include "svg.h"

#define PERIOD 3.2   /* [s] */
#define TILT 0.12    /* [rad] */
#define RADIUS 0.12  /* of a marble [m] */
#define GRAVITY 9.81 /* [m/s^2] */

/* R = Rz(turn t) Rx(TILT) Rz(-turn t), whose angular velocity is turn (z - n) with its normal n. */
static void tilt(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    const spc_vec3 turn = spc_vec3_make(0, 0, 2 * PI / PERIOD);
    const spc_quat around = spc_quat_from_rotation_vector(spc_scale(time, turn));
    const spc_quat q = spc_quat_from_rotation_vector(spc_rotate(around, spc_vec3_make(TILT, 0, 0)));
    const spc_vec3 w = spc_sub(turn, spc_rotate(q, turn));
    (void)user;
    state->X_GB = spc_transform_make(q, spc_vec3_make(0, 0, 0));
    state->V_GB = spc_spatial_make(w, spc_vec3_make(0, 0, 0));
    acceleration->angular = spc_cross(spc_rotate(q, turn), w); /* n' = w x n */
}

int main(void)
{
    svg *s = svg_begin("Marbles in a tray", 400, 240, 118, PERIOD);
    const double turn = 2 * PI / PERIOD;
    const double way = 5 * GRAVITY * TILT / (7 * turn * turn); /* radius of a small circle [m] */
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_constraint c;
    int i;
    s->world = svg_world(4, 3, GRAVITY);
    body.kind = SPC_KINEMATIC;
    body.motion = tilt;
    check(spc_body_add(s->world, &body, &roll.floor));
    body = spc_body_desc_default();
    body.mass = spc_mass_solid_sphere(1, RADIUS);
    for (i = 0; i < 3; i++) {
        body.state.X_GB.p = spc_vec3_make(0.52 * (i - 1), (i == 1 ? -0.3 : 0.3) + way, RADIUS);
        body.state.V_GB.linear = spc_vec3_make(-way * turn, 0, 0);
        check(spc_body_add(s->world, &body, &roll.ball));
        roll.shape.radius = RADIUS;
        roll.shape.half_width = 1.15;
        check(spc_sphere_on_plane_add(s->world, &roll, &c));
    }
    check(spc_world_assemble(s->world, 1e-12, NULL));
    check(spc_world_project_velocities(s->world));
    s->q_CG = svg_view(-25, 35);
    s->still = 6;
    svg_play(s, SPC_PART_PLANE | SPC_PART_BALL, 20);
    return 0;
}
