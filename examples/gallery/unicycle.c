/* unicycle.c - a wheel with a rider above it, who stands up, rides, and stops; the camera rides
   along */
#include "svg.h"

#define RADIUS 0.25 /* of the wheel [m] */
#define HEIGHT 0.6  /* of the rider's centre of mass above the axle [m] */
#define WHEEL 4.0   /* [kg] */
#define RIDER 20.0  /* [kg] */
#define GRAVITY 9.81
#define POLE 2.5 /* [1/s] */

static spc_body wheel, rider;

/* A motor between wheel and rider for pitch, and a gyro for roll: see examples/unicycle.c. */
static void control(svg *s, double time)
{
    const double wanted = time > 1.5 && time < 4.5 ? 1.2 : 0, p = POLE, q = 2 * POLE;
    const double inertia = 0.4 * RIDER * 0.0625, P = RIDER * HEIGHT;
    const double M = 1.5 * WHEEL + RIDER, K = inertia + P * HEIGHT, D = M * K - P * P;
    const double b = (M + P / RADIUS) / D, d = (K / RADIUS + P) / D;
    const double k2 = 6 * p * p * p * RADIUS * D / (P * GRAVITY), k1 = (6 * p + d * k2) / b;
    const double k0 = (11 * p * p + M * P * GRAVITY / D) / b, top = RADIUS + HEIGHT;
    const double G = (WHEEL * RADIUS + RIDER * top) * GRAVITY;
    const double I_x = inertia + WHEEL * RADIUS * RADIUS * 1.25 + RIDER * top * top;
    spc_state of_wheel, of_rider;
    spc_vec3 axle, forward, up, w, side;
    double motor;
    check(spc_body_get_state(s->world, wheel, &of_wheel));
    check(spc_body_get_state(s->world, rider, &of_rider));
    axle = spc_rotate(of_wheel.X_GB.q, spc_vec3_make(0, 0, 1));
    check(spc_normalize(spc_vec3_make(axle.y, -axle.x, 0), &forward));
    up = spc_rotate(of_rider.X_GB.q, spc_vec3_make(0, 0, 1));
    w = of_rider.V_GB.angular;
    motor = k0 * spc_dot(up, forward) + k1 * spc_dot(w, axle) +
            k2 * (spc_dot(of_rider.V_GB.linear, forward) - wanted);
    side = spc_scale(-(G + I_x * q * q) * axle.z - 2 * I_x * q * spc_dot(w, forward), forward);
    side.z -= inertia * q * w.z;
    check(spc_body_add_torque(s->world, wheel, spc_scale(motor, axle), SPC_ONE_STEP));
    check(spc_body_add_torque(s->world, rider, spc_scale(-motor, axle), SPC_ONE_STEP));
    check(spc_body_add_torque(s->world, rider, side, SPC_ONE_STEP));
}

int main(void)
{
    svg *s = svg_begin("A unicycle", 400, 280, 175, 7);
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    spc_attachment_desc hinge = spc_attachment_desc_default();
    const spc_quat lean = spc_quat_from_rotation_vector(spc_vec3_make(0.1, 0, 0));
    const spc_quat bow = spc_quat_from_rotation_vector(spc_vec3_make(0, 0.15, 0));
    const spc_quat z_to_y = spc_quat_from_rotation_vector(spc_vec3_make(-PI / 2, 0, 0));
    spc_transform X_GW;
    spc_constraint c;
    s->world = svg_world(2, 2, GRAVITY);
    body.state.X_GB.p = spc_rotate(lean, spc_vec3_make(0, 0, RADIUS));
    body.state.X_GB.q = spc_quat_mul(lean, z_to_y);
    body.mass = spc_mass_disc(WHEEL, RADIUS);
    X_GW = body.state.X_GB;
    check(spc_body_add(s->world, &body, &wheel));
    body.state.X_GB.q = spc_quat_mul(lean, bow);
    body.mass = spc_mass_box(RIDER, spc_vec3_make(0.08, 0.18, 0.35));
    body.mass.p_BBc = spc_vec3_make(0, 0, HEIGHT);
    check(spc_body_add(s->world, &body, &rider));
    roll.disc = hinge.b = wheel;
    roll.shape.axis_B = spc_vec3_make(0, 0, 1);
    roll.shape.radius = RADIUS;
    roll.shape.width = 0;
    roll.shape.half_width = 5;
    check(spc_rolling_disc_add(s->world, &roll, &c));
    hinge.a = rider;
    check(spc_attachment_at(&body.state.X_GB, &X_GW, X_GW.p,
                            spc_rotate(X_GW.q, spc_vec3_make(0, 0, 1)), SPC_HINGE, &hinge.shape));
    check(spc_attachment_add(s->world, &hinge, &c));
    s->q_CG = svg_view(-35, 20);
    s->p_GC.z = 0.5;
    s->follow = wheel;
    s->control = control;
    s->least = 0.33;
    s->still = 4;
    svg_play(s, SPC_PART_PLANE | SPC_PART_DISC | SPC_PART_MASS, 60);
    return 0;
}
