/* robot.c - a robot on two wheels balances, drives, and stops where it began */
#include "svg.h"

#define RADIUS 0.12 /* of the wheels [m] */
#define TRACK 0.22  /* from the middle to a wheel [m] */
#define HEIGHT 0.35 /* of the body's centre of mass above the axle [m] */

static spc_body body, wheels[2];

/* A torque on both wheels of tilt, place, and their rates. */
static void control(svg *s, double time)
{
    const double wanted = time < 0.4 ? 0 : time < 3 ? 0.6 : 0;
    const spc_vec3 y = spc_vec3_make(0, 1, 0);
    spc_state state;
    spc_vec3 up;
    double torque;
    int i;
    check(spc_body_get_state(s->world, body, &state));
    up = spc_rotate(state.X_GB.q, spc_vec3_make(0, 0, 1));
    torque = 26 * up.x + 5 * state.V_GB.angular.y + 3 * (state.X_GB.p.x - wanted) +
             4.2 * state.V_GB.linear.x;
    for (i = 0; i < 2; i++)
        check(spc_body_add_torque(s->world, wheels[i], spc_scale(torque / 2, y), SPC_ONE_STEP));
    check(spc_body_add_torque(s->world, body, spc_scale(-torque, y), SPC_ONE_STEP));
}

int main(void)
{
    svg *s = svg_begin("A robot on two wheels", 400, 240, 190, 6);
    spc_body_desc d = spc_body_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    spc_attachment_desc hinge = spc_attachment_desc_default();
    const spc_vec3 y = spc_vec3_make(0, 1, 0);
    spc_constraint c;
    spc_state state;
    int i;
    s->world = svg_world(3, 4, 9.81);
    d.mass = spc_mass_box(4, spc_vec3_make(0.05, 0.17, 0.3));
    d.mass.p_BBc = spc_vec3_make(0, 0, HEIGHT);
    d.state.X_GB.p.z = RADIUS;
    check(spc_body_add(s->world, &d, &body));
    check(spc_body_get_state(s->world, body, &state));
    d.mass = spc_mass_solid_sphere(0.5, RADIUS);
    roll.shape.axis_B = y;
    roll.shape.radius = RADIUS;
    roll.shape.width = 0;
    for (i = 0; i < 2; i++) {
        d.state.X_GB.p.y = i ? TRACK : -TRACK;
        check(spc_body_add(s->world, &d, &wheels[i]));
        roll.disc = wheels[i];
        check(spc_rolling_disc_add(s->world, &roll, &c));
        hinge.a = body;
        hinge.b = wheels[i];
        check(spc_attachment_at(&state.X_GB, &d.state.X_GB, d.state.X_GB.p, y, SPC_HINGE,
                                &hinge.shape));
        check(spc_attachment_add(s->world, &hinge, &c));
    }
    s->q_CG = svg_view(-25, 20);
    s->p_GC = spc_vec3_make(0.25, 0, 0.32);
    s->control = control;
    s->least = 0.2;
    s->still = 10;
    svg_play(s, SPC_PART_PLANE | SPC_PART_DISC | SPC_PART_JOINT | SPC_PART_MASS, 60);
    return 0;
}
