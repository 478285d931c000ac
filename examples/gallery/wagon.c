/* wagon.c - a wagon with four wheels rolls up a slope and down again */
#include "svg.h"

#define RADIUS 0.18 /* of the wheels [m] */
#define SLOPE 0.2   /* [rad] */
#define SPEED 2.6   /* at the bottom [m/s] */

static const spc_vec3 corners[4] = {
    { 0.45, 0.3, 0 }, { 0.45, -0.3, 0 }, { -0.45, 0.3, 0 }, { -0.45, -0.3, 0 }
};

static void add_wheel(svg *s, spc_body chassis, spc_vec3 at)
{
    const spc_vec3 axle = spc_vec3_make(0, 1, 0);
    spc_body_desc wheel = spc_body_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_constraint c;
    spc_state state;
    check(spc_body_get_state(s->world, chassis, &state));
    wheel.mass = spc_mass_solid_sphere(0.5, RADIUS);
    wheel.state.X_GB.p = spc_add(state.X_GB.p, at);
    wheel.state.V_GB.linear.x = SPEED;
    wheel.state.V_GB.angular.y = SPEED / RADIUS;
    check(spc_body_add(s->world, &wheel, &roll.disc));
    roll.shape.axis_B = axle;
    roll.shape.radius = RADIUS;
    roll.shape.width = 0;
    roll.shape.half_width = 1.6;
    check(spc_rolling_disc_add(s->world, &roll, &c));
    hinge.a = chassis;
    hinge.b = roll.disc;
    check(spc_attachment_at(&state.X_GB, &wheel.state.X_GB, wheel.state.X_GB.p, axle, SPC_HINGE,
                            &hinge.shape));
    check(spc_attachment_add(s->world, &hinge, &c));
}

int main(void)
{
    svg *s = svg_begin("A wagon on a slope", 400, 240, 100, 3);
    const spc_quat tilt = spc_quat_from_rotation_vector(spc_vec3_make(0, 0, SLOPE));
    const spc_quat slope = spc_quat_from_rotation_vector(spc_vec3_make(0, -SLOPE, 0));
    spc_body_desc body = spc_body_desc_default();
    spc_body chassis;
    int i;
    s->world = svg_world(5, 8, 0);
    check(spc_world_set_gravity(s->world, spc_unrotate(slope, spc_vec3_make(0, 0, -9.81))));
    body.mass = spc_mass_box(5, spc_vec3_make(0.6, 0.25, 0.05));
    body.state.X_GB.p = spc_vec3_make(-0.9, 0, RADIUS);
    body.state.V_GB.linear.x = SPEED;
    check(spc_body_add(s->world, &body, &chassis));
    for (i = 0; i < 4; i++)
        add_wheel(s, chassis, corners[i]);
    s->q_CG = spc_quat_mul(tilt, svg_view(-15, 18)); /* the slope's x goes up */
    s->p_GC = spc_vec3_make(0.2, 0, RADIUS);
    s->still = 15;
    svg_play(s, SPC_PART_PLANE | SPC_PART_DISC | SPC_PART_JOINT, 20);
    return 0;
}
