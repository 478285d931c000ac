/* What robots do on one-sided contacts, against closed forms, by both steps: a wheel of spokes that
   walks down a slope, fingers that hold a ball and a box, a plank that is drawn over balls. */
#include "contacts.h"

#define GRAVITY 9.81

/* Through a time, by spc_step or by spc_step_rk4: no step is refused or unsolved. */
static void go(spc_world *w, double rate, double time, bool fourth)
{
    const int steps = (int)(time * rate + 0.5);
    int i;
    for (i = 0; i < steps; i++) {
        const spc_real h = real(1 / rate);
        CHECK_STATUS(fourth ? spc_step_rk4(w, h, SPC_DRIFT_PROJECT) : spc_step(w, h), SPC_OK);
        CHECK(report_of(w).unsolved == 0);
    }
}

/* A hinge about y, a slider along x, or a weld, where the bodies are. */
static void join_at(spc_world *w, spc_body a, spc_body b, spc_vec3 p, spc_vec3 axis,
                    unsigned locked)
{
    const spc_transform A = state_of(w, a).X_GB, B = state_of(w, b).X_GB;
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_constraint c = { 0, 0 };
    d.a = a;
    d.b = b;
    CHECK_STATUS(spc_attachment_at(&A, &B, p, axis, locked, &d.shape), SPC_OK);
    CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
}

/* ------------------------------------------------------------------------------ walker -------- */

#define SPOKES 8
#define SPOKE 0.3  /* [m] */
#define SLOPE 0.1  /* [rad] */
#define ABOUT 0.02 /* moment of inertia about the axle [kg m^2] */

/* The rimless wheel (McGeer 1990) of 1 kg: each spoke's tip sticks as it meets the slope, and
   leaves as the next one does. About a tip with I = ABOUT + SPOKE^2, from spoke to spoke the energy
   grows by 2 m g l sin(a) sin(SLOPE), with a half the angle between spokes, and a blow takes w to
   k w, with k = (ABOUT + SPOKE^2 cos 2a) / I. So behind each blow, if it begins so,

       w^2 = k^2 (w^2 + 4 m g l sin(a) sin(SLOPE) / I)

   From any state energy tells it as that where a spoke stands upright. In single
   precision a blow meets the law to 1e-4 of the velocities, and the last few of them add up. */
static void a_wheel_of_spokes_walks(void)
{
    const double a = 4 * atan(1) / SPOKES, tip = ABOUT + SPOKE * SPOKE;
    const double k = (ABOUT + SPOKE * SPOKE * cos(2 * a)) / tip;
    const double gain = 4 * GRAVITY * SPOKE * sin(a) * sin(SLOPE) / tip;
    const double pull = 2 * GRAVITY * SPOKE / tip;
    const double start = sqrt(k * k * gain / (1 - k * k));
    const double upright = sqrt(start * start - pull * (1 - cos(a - SLOPE)));
    int rate, fourth, i;
    for (rate = 0; rate < RATES; rate++)
        for (fourth = 0; fourth < 2; fourth++) {
            spc_world *w =
                contact_world(1, SPOKES + 1, vec(GRAVITY * sin(SLOPE), 0, -GRAVITY * cos(SLOPE)));
            spc_mass mass = spc_mass_solid_sphere(1, SPC_R(0.1));
            spc_body wheel;
            spc_state s;
            double lean, seen;
            mass.inertia.xx = mass.inertia.zz = real(ABOUT / 2);
            mass.inertia.yy = real(ABOUT);
            wheel = put_body(w, mass, vec(0, 0, SPOKE * cos(a)), vec(0, start, 0),
                             vec(start * SPOKE * cos(a), 0, start * SPOKE * sin(a)));
            join_at(w, ground, wheel, zero, vec(0, 1, 0), SPC_LOCK_TZ | SPC_LOCK_RX | SPC_LOCK_RY);
            for (i = 0; i < SPOKES; i++)
                (void)put_foot(w, wheel,
                               vec(SPOKE * sin((2 * i + 1) * a), 0, -SPOKE * cos((2 * i + 1) * a)),
                               law_of(2, 0));
            go(w, rates[rate], 4, fourth);
            s = state_of(w, wheel);
            lean = acos(fmin((double)s.X_GB.p.z / SPOKE, 1)) * (s.V_GB.linear.z > 0 ? -1 : 1);
            seen = sqrt((double)(s.V_GB.angular.y * s.V_GB.angular.y) -
                        pull * (1 - cos(lean + SLOPE)));
            CHECK_NEAR(seen, upright,
                       IN_DOUBLE_OR_FLOAT(1e-11, 1e-3) +
                           (fourth ? 20 * pow(rates[rate], -4) : 20 * pow(rates[rate], -2)));
            CHECK(s.X_GB.p.x > 2); /* it has walked */
            free(w);
        }
}

/* ----------------------------------------------------------------------------- gripper -------- */

#define FINGER 10.0 /* what each presses with [N] */
#define HELD 0.05   /* radius of the ball, half the box's edge [m] */

/* Two fingers on sliders along x press a ball, or a box of four feet on either side, of 1 kg. */
static spc_world *put_gripper(bool box, double friction, spc_body *held)
{
    spc_world *w = contact_world(3, 10, vec(0, 0, -GRAVITY));
    const spc_contact_law law = law_of(friction, 0);
    int side, i;
    *held = put_body(
        w, box ? spc_mass_box(1, vec(HELD, HELD, HELD)) : spc_mass_solid_sphere(1, real(HELD)),
        zero, zero, zero);
    for (side = -1; side <= 1; side += 2) {
        const spc_body finger = put_body(w, spc_mass_box(SPC_R(0.3), vec(0.01, 0.05, 0.05)),
                                         vec(side * HELD, 0, 0), zero, zero);
        const spc_transform X = plane_at(vec(-side, 0, 0), zero);
        join_at(w, ground, finger, vec(side * HELD, 0, 0), vec(1, 0, 0), SPC_SLIDER);
        CHECK_STATUS(spc_body_add_force(w, finger, vec(-side * FINGER, 0, 0), zero, SPC_LASTING),
                     SPC_OK);
        if (!box)
            (void)put_on_plane(w, finger, X, *held, HELD, law);
        for (i = 0; i < 4 && box; i++) {
            spc_attachment_desc d = spc_attachment_desc_default();
            spc_constraint c = { 0, 0 };
            d.a = finger;
            d.b = *held;
            d.shape.locked = SPC_POINT_ON_PLANE;
            d.shape.X_AF = X;
            d.shape.X_BM.p = vec(side * HELD, i & 1 ? HELD : -HELD, i & 2 ? HELD : -HELD);
            d.one_sided = true;
            d.law = law;
            CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
        }
    }
    return w;
}

/* Friction on either side carries up to 2 friction FINGER: what is lighter does not move, bit for
   bit in spc_step, what is heavier falls with what is left of g. What eight feet that slide press
   with is shared evenly to what their rows yield by, 1e-8, in single precision 1e-4: the rest turns
   the box a little. */
static void fingers_hold_what_they_can(void)
{
    int rate, fourth, box, slips;
    for (rate = 0; rate < RATES; rate++)
        for (fourth = 0; fourth < 2; fourth++)
            for (box = 0; box < 2; box++)
                for (slips = 0; slips < 2; slips++) {
                    const double friction = slips ? 0.4 : 0.6;
                    const double falls = slips ? GRAVITY - 2 * friction * FINGER : 0;
                    spc_body held = { 0, 0 };
                    spc_world *w = put_gripper(box, friction, &held);
                    const spc_vec3 want = vec(0, 0, -falls * 0.125);
                    go(w, rates[rate], 0.5, fourth);
                    CHECK(distance(spc_body_position(w, held), want) <=
                          (slips    ? IN_DOUBLE_OR_FLOAT(1e-8, 3e-3)
                           : fourth ? IN_DOUBLE_OR_FLOAT(1e-14, 1e-6)
                                    : 0));
                    free(w);
                }
}

/* ------------------------------------------------------------------------------- plank -------- */

/* A plank of 2 kg on balls of 0.5 kg that roll on the floor, drawn by 3 N: balls move half as fast,
   so that a = F / (M + n (m + I / r^2) / 4). Redundant contacts of 4 and 7 balls change nothing. */
static void a_plank_is_drawn_over_balls(void)
{
    const double r = 0.05, m = 0.5, time = 0.2;
    int rate, fourth, i, n;
    for (rate = 0; rate < RATES; rate++)
        for (fourth = 0; fourth < 2; fourth++)
            for (n = 3; n <= 7; n += n) {
                spc_world *w = contact_world(8, 14, vec(0, 0, -GRAVITY));
                const spc_body plank =
                    put_body(w, spc_mass_box(2, vec(0.5, 0.3, 0.02)), vec(0, 0, 2 * r), zero, zero);
                const double want = 3 / (2 + n * 1.4 * m / 4) * time;
                spc_state s;
                for (i = 0; i < n; i++) {
                    const double turn = 0.2 + 8 * atan(1) * i / n;
                    const spc_body ball =
                        put_ball(w, m, r, vec(0.3 * cos(turn), 0.2 * sin(turn), r));
                    (void)put_on_plane(w, ground, level(0), ball, r, law_of(0.8, 0));
                    (void)put_on_plane(w, plank, plane_at(vec(0, 0, -1), zero), ball, r,
                                       law_of(0.8, 0));
                }
                CHECK_STATUS(spc_body_add_force(w, plank, vec(3, 0, 0), zero, SPC_LASTING), SPC_OK);
                go(w, rates[rate], time, fourth);
                s = state_of(w, plank);
                CHECK(distance(s.V_GB.linear, vec(want, 0, 0)) <= IN_DOUBLE_OR_FLOAT(1e-14, 1e-5));
                CHECK(length(s.V_GB.angular) <= IN_DOUBLE_OR_FLOAT(1e-14, 1e-5));
                free(w);
            }
}

static const test_entry tests[] = {
    TEST(a_wheel_of_spokes_walks),
    TEST(fingers_hold_what_they_can),
    TEST(a_plank_is_drawn_over_balls),
};

TEST_MAIN
