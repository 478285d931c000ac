/* [7.3] Joints through time: energy, momentum and power, what stays open, and how errors decay. */
#include "linkages.h"

/* ---------------------------------------------------------------- energy, momentum, power ----- */

static double power_of(spc_spatial F, spc_spatial V)
{
    return dot(F.angular, V.angular) + dot(F.linear, V.linear);
}

/* What a joint gives to one body it takes from the other. Projection leaves velocities with
   errors of their rounding, and multipliers times these are left. */
static void check_work(const scene *s, int j, double speed)
{
    const spc_contact_force f = force_of(s, j);
    const spc_spatial a = state_of(s, s->end_a[j]).V_GB, b = state_of(s, s->end_b[j]).V_GB;
    spc_real lambda[SPC_MAX_ROWS];
    double error = 0;
    int k;
    CHECK_STATUS(spc_constraint_get_multipliers(s->world, s->joint[j], lambda), SPC_OK);
    for (k = 0; k < SPC_MAX_ROWS; k++)
        error += ROUNDED * speed * fabs((double)lambda[k]);
    CHECK_NEAR(f.power, 0, error);
    CHECK_NEAR(power_of(f.on_a, a) + power_of(f.on_b, b), 0, error);
}

static void joints_do_no_work(void)
{
    int i, j;
    for (i = 0; i < 10; i++) {
        scene s = random_structure(10, i / 2, 0, i % 2);
        double speed = 0;
        /* the first projection has left errors of the rounding of what it took away */
        CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
        for (j = 0; j < s.bodies; j++) {
            const spc_spatial V = state_of(&s, j).V_GB;
            speed = fmax(speed, length(V.linear) + 3 * length(V.angular)); /* arms up to 3 m */
        }
        forward_dynamics(&s);
        for (j = 0; j < s.joints; j++)
            check_work(&s, j, speed);
        scene_free(&s);
    }
}

/* Nothing from outside acts: RK4 keeps the momenta to its order, with rates of up to 10 rad/s in
   the structure, spc_step to rounding, stabilized or not. */
static void check_momentum(bool rk4, bool stabilized)
{
    const int steps = IN_DOUBLE_OR_FLOAT(500, 100);
    const double h = rk4 ? 1e-3 : 1.0 / 240;
    const double error = rk4 ? rk4_error(10, h, steps) : steps * 4 * TEST_EPSILON;
    scene s = random_structure(10, 2, 0, false);
    spc_stabilization on = spc_stabilization_default();
    spc_energy_momentum before, after;
    spc_status status = SPC_OK;
    int i;
    on.enabled = stabilized;
    CHECK_STATUS(spc_world_set_gravity(s.world, zero), SPC_OK);
    for (i = 0; i < s.joints; i++)
        CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.joint[i], &on), SPC_OK);
    before = momenta_of(&s);
    for (i = 0; i < steps && !status; i++)
        status = rk4 ? spc_step_rk4(s.world, (spc_real)h, SPC_DRIFT_PROJECT)
                     : spc_step(s.world, (spc_real)h);
    CHECK_STATUS(status, SPC_OK);
    after = momenta_of(&s);
    CHECK_NEAR(distance(before.linear, after.linear), 0, error * length(before.linear));
    CHECK_NEAR(distance(before.angular, after.angular), 0, error * length(before.angular));
    scene_free(&s);
}

static void a_free_structure_keeps_its_momenta(void)
{
    check_momentum(true, false);
    check_momentum(false, false);
    check_momentum(false, true);
}

/* What a joint may open by. In half a drift velocity errors change by h/2 F; of the two bodies F is
   the sum of w x (w x p) + dw/dt x p with p from Bo, which is Bc, to the joint, and the free dw/dt
   is no more than w^2. With A the dw/dt that there really is, F itself changes by no more than J =
   sum of (4 A w + 3 w^3) |p| (rotations: without p). A displacement in the middle leaves position
   errors of h/4 times the first half's change there, so that (h^3/16) J is left at the end, and no
   more than as much again of higher order; what a step leaves, which is drift, the next takes out.
   */
typedef struct long_run {
    double distance, angle, energy; /* largest seen */
    double linear, angular;         /* J */
} long_run;

static void look_at_long_run(const scene *s, const spc_vec3 *before, double h, long_run *run_seen)
{
    int i, j;
    for (j = 0; j < s->joints; j++) {
        const joint_error e = error_of(s, j);
        const spc_rows rows = rows_of(s, j);
        double linear = 0, angular = 0;
        for (i = 0; i < 2; i++) {
            const int body = i ? s->end_b[j] : s->end_a[j];
            const spc_vec3 w = state_of(s, body).V_GB.angular;
            const double A = body == GROUND ? 0 : distance(w, before[body]) / h;
            const double J = 4 * A * length(w) + 3 * length(w) * dot(w, w);
            linear += J * length(i ? rows.arm_b : rows.arm_a);
            angular += J;
        }
        note(&run_seen->distance, e.distance);
        note(&run_seen->angle, e.angle);
        note(&run_seen->linear, linear);
        note(&run_seen->angular, angular);
    }
    run_seen->energy = fmax(run_seen->energy, energy_of(s));
}

#define MOST_WATCHED 2

/* With T = 0.1 s; looked at every so many steps. */
static long_run run_for_long(scene *s, double h, int steps, int every)
{
    const spc_stabilization on = spc_stabilization_default();
    long_run seen = { 0, 0, -1e9, 0, 0 };
    spc_vec3 before[MOST_WATCHED];
    spc_status status = SPC_OK;
    int i, k;
    for (i = 0; i < s->joints; i++)
        CHECK_STATUS(spc_constraint_set_stabilization(s->world, s->joint[i], &on), SPC_OK);
    for (i = 0; i < steps && !status; i++) {
        for (k = 0; i % every == 0 && k < s->bodies; k++)
            before[k] = state_of(s, k).V_GB.angular;
        status = spc_step(s->world, (spc_real)h);
        if (i % every == 0)
            look_at_long_run(s, before, h, &seen);
    }
    CHECK_STATUS(status, SPC_OK);
    return seen;
}

/* Displacements of up to 16 roundings of the place and both arms, (1.5 + 1.5 + 1) m here, are left
   out. */
static double left_open(double h, double J)
{
    return h * h * h / 8 * J + 64 * TEST_EPSILON + PROJECTED;
}

/* 1000 seconds. Arms are from Bo to the joint: Bo is Bc. */
static void check_long_run(scene *s)
{
    const double h = 1.0 / 240;
    const double start = energy_of(s);
    const int steps = LONG_OR_SHORT(IN_DOUBLE_OR_FLOAT(240000, 24000), 24000);
    const long_run seen = run_for_long(s, h, steps, 24);
    double weight = 0;
    int i;
    for (i = 0; i < s->bodies; i++)
        weight += GRAVITY * (double)mass_of(s, i).mass;
    CHECK(seen.distance < left_open(h, seen.linear));
    CHECK(seen.angle < left_open(h, seen.angular));
    CHECK(seen.energy - start < 1e-3 * weight); /* of the weights at a metre; see test_step.c */
    print_seen("largest opening of a joint in a long run [m]", seen.distance);
    scene_free(s);
}

/* A box on a hinge with a tilted axis, which carries it around. */
static scene swing_make(void)
{
    const spc_vec3 axis = vec(0.2, 1, 0.4);
    scene s = scene_make(1, 1);
    test_seed = 7;
    add_body(&s, spc_mass_box(2, vec(0.3, 0.1, 0.2)), test_random_transform(0.5));
    join(&s, GROUND, 0, vec(0, 0, 1), axis, SPC_HINGE);
    set_turning(&s, 0, times(4, unit(axis)), vec(0, 0, 1));
    return s;
}

static void stabilized_joints_stay_closed_for_a_quarter_of_an_hour(void)
{
    planar p;
    scene chain, swing;
    for (p.n = 0; p.n < 2;)
        planar_add(&p, 1, 1, 1.5 - 0.7 * p.n, 0);
    chain = planar_scene(&p, SPC_BALL_JOINT);
    swing = swing_make();
    check_long_run(&chain);
    check_long_run(&swing);
}

static long_run swing_at(int rate)
{
    scene s = swing_make();
    const long_run seen = run_for_long(&s, 1.0 / rate, 20 * rate, 1);
    scene_free(&s);
    return seen;
}

/* Openings are of third order. */
static void half_the_step_opens_joints_by_an_eighth(void)
{
    long_run whole, half;
    if (IN_DOUBLE_OR_FLOAT(false, true))
        return; /* displacements of 16 roundings, which are left out, are as large */
    whole = swing_at(480);
    half = swing_at(960);
    CHECK_NEAR(whole.distance / half.distance, 8, 0.3);
    CHECK_NEAR(whole.angle / half.angle, 8, 0.3);
}

/* What stabilization makes of a row with the position error e, whose derivative is s: s' = -2/T s
   - e/T^2. For a translation e goes as (e + (s + e/T) t) exp(-t/T); for a twist it is 2 sin(twist
   / 2) and s the twist's derivative. */
static double twist_after(double twist, double s, double T, double time)
{
    const int steps = 10000;
    const double h = time / steps;
    int i;
    for (i = 0; i < steps; i++) { /* Heun's method: errors of (h / T)^2 / 6, 1e-8 */
        const double a = -2 / T * s - 2 * sin(twist / 2) / (T * T);
        const double t1 = twist + h * s, s1 = s + h * a;
        twist += h * (s + s1) / 2;
        s += h * (a - 2 / T * s1 - 2 * sin(t1 / 2) / (T * T)) / 2;
    }
    return twist;
}

/* Two free bodies that tumble with a joint whose four rows all have such errors, of position and of
   velocity: what the bodies do does not matter to them. */
static void errors_decay_as_stabilization_has_it(void)
{
    const double T = 0.1, h = 5e-4;
    const int steps = IN_DOUBLE_OR_FLOAT(400, 200);
    int trial, k;
    for (trial = 0; trial < 5; trial++) {
        const double time = h * steps, error = rk4_error(30, h, steps) + 1e-8;
        const spc_stabilization on = spc_stabilization_default();
        scene s = apart(BOTH_FREE, SPC_UNIVERSAL, 0.5 + 0.3 * trial);
        spc_rows before, after;
        for (k = 0; k < 2; k++) {
            const spc_spatial V = test_random_spatial(2, 1);
            set_velocity(&s, k, V.angular, V.linear);
        }
        CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.joint[0], &on), SPC_OK);
        before = rows_of(&s, 0);
        for (k = 0; k < steps; k++)
            CHECK_STATUS(spc_step_rk4(s.world, (spc_real)h, SPC_DRIFT_STABILIZE), SPC_OK);
        after = rows_of(&s, 0);
        for (k = 0; k < 3; k++) {
            const double e = (double)before.position_errors[k],
                         v = (double)before.velocity_errors[k];
            CHECK_NEAR(after.position_errors[k], (e + (v + e / T) * time) * exp(-time / T), error);
        }
        CHECK_NEAR(2 * asin((double)after.position_errors[5] / 2),
                   twist_after(2 * asin((double)before.position_errors[5] / 2),
                               (double)before.velocity_errors[5], T, time),
                   error);
        scene_free(&s);
    }
}

/* What a game does instead of assembly: stabilization closes a joint that is far off, without a
   jump and without a velocity left behind: the bodies were at rest, and displacements move them.
   Position errors go as (1 - h/T)^n at least, with T = 24 h from 3 (rad, or less in m) to 1.1e-4 in
   240 steps, and faster where they are drift by then. So far off a displacement turns by half a
   radian at most, and its rows curve; another T is granted for that: 3 (1 - 1/24)^216 = 3.1e-4. */
static void a_joint_that_is_off_by_170_degrees_closes_by_stabilization(void)
{
    static const unsigned masks[4] = { SPC_HINGE, SPC_SLIDER, SPC_WELD, SPC_UNIVERSAL };
    int mask, which;
    for (mask = 0; mask < 4; mask++)
        for (which = GROUND_FIRST; which <= BOTH_FREE; which++) {
            scene s = apart((ends)which, masks[mask], 170 * PI / 180);
            CHECK_STATUS(spc_world_set_gravity(s.world, zero), SPC_OK);
            (void)run_for_long(&s, 1.0 / 240, 240, 1);
            CHECK(worst_error(&s) < 3.1e-4 + left_open(1.0 / 240, 0));
            CHECK_NEAR(momenta_of(&s).kinetic, 0, 0);
            scene_free(&s);
        }
}

/* ------------------------------------------------------------------------------- tops --------- */

#define TOP_ARM 0.15
#define TOP_WEIGHT (GRAVITY * TOP_ARM) /* of 1 kg; also m g l */

/* A disc of 1 kg and 0.1 m on a ball joint 0.15 m below its centre, its axis off the vertical by an
   angle, that precesses steadily with w . e = spin, at the slower rate p of
   A p^2 cos(angle) - C spin p + m g l = 0, with A across its axis at the joint. */
static scene steady_top(double tilt, double spin, double *rate)
{
    const double about = 0.005, across = 0.0025, pivot = across + TOP_ARM * TOP_ARM;
    const double b = about * spin, a = pivot * cos(tilt);
    const spc_vec3 e = vec(sin(tilt), 0, cos(tilt));
    spc_spatial V;
    spc_mass mass = spc_mass_box(1, vec(1, 1, 1));
    scene s = scene_make(1, 2);
    mass.inertia.xx = mass.inertia.yy = (spc_real)across;
    mass.inertia.zz = (spc_real)about;
    (void)add_body(&s, mass, spc_transform_make(turn(vec(0, 1, 0), tilt), times(TOP_ARM, e)));
    (void)join(&s, GROUND, 0, zero, vec(0, 0, 1), SPC_BALL_JOINT);
    *rate = 2 * TOP_WEIGHT / (b + sqrt(b * b - 4 * a * TOP_WEIGHT));
    V.angular = spc_add(vec(0, 0, *rate), times(spin - *rate * cos(tilt), e));
    V.linear = spc_cross(V.angular, times(TOP_ARM, e));
    set_velocity(&s, 0, V.angular, V.linear);
    return s;
}

/* A one-sided contact 5 m below the top, which it never reaches. */
static void put_floor_below(scene *s)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_constraint c;
    d.floor = ground;
    d.ball = s->body[0];
    d.shape.radius = (spc_real)0.02;
    d.shape.X_FP.p.z = -5;
    d.one_sided = true;
    CHECK_STATUS(spc_sphere_on_plane_add(s->world, &d, &c), SPC_OK);
}

/* The mean rate of precession over so many seconds, in parts of what it should be, less 1; energy:
   the most that it is off, in m g l. */
static double rate_error(double tilt, double spin, double hz, int seconds, bool floor,
                         double *energy)
{
    const spc_stabilization on = spc_stabilization_default();
    double rate, start, angle = 0, old = 0;
    scene s = steady_top(tilt, spin, &rate);
    int i;
    CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.joint[0], &on), SPC_OK);
    if (floor)
        put_floor_below(&s);
    start = energy_of(&s);
    *energy = 0;
    for (i = 0; i < seconds * (int)hz; i++) {
        spc_vec3 p;
        double now;
        CHECK_STATUS(spc_step(s.world, (spc_real)(1 / hz)), SPC_OK);
        p = state_of(&s, 0).X_GB.p;
        now = atan2((double)p.y, (double)p.x);
        angle += now - old < -PI ? now - old + 2 * PI : now - old;
        old = now;
        *energy = fmax(*energy, fabs(energy_of(&s) - start) / TOP_WEIGHT);
    }
    scene_free(&s);
    return angle / (rate * seconds) - 1;
}

/* Of second order in h; with 300 rad/s the step turns by up to 5 rad, and in parts by one. Rates
   are off by up to 8e-5 in 20 s (before (7.28): 0.7 to 2 %), energies by 5 % of m g l (28 %); with
   1,000 rad/s at 240 Hz by 10 % (the top was thrown about with 1,000 m g l). In float a spin of 150
   m g l is rounded thousands of times, which adds up to 1e-3 of it and of the rate. */
static void a_fast_top_precesses_at_its_rate(void)
{
    static const double rates[3] = { 60, 240, 1000 };
    const double error = IN_DOUBLE_OR_FLOAT(2e-4, 1.5e-3);
    double energy;
    int i, k;
    for (i = 0; i < 3; i++)
        for (k = 1; k <= 3; k++) {
            CHECK_NEAR(rate_error(k * PI / 6, 300, rates[i], 20, false, &energy), 0, error);
            CHECK(energy < IN_DOUBLE_OR_FLOAT(0.06, 0.6));
        }
    CHECK_NEAR(rate_error(PI / 3, 1000, 240, 20, false, &energy), 0, error);
    CHECK(energy < IN_DOUBLE_OR_FLOAT(0.12, 1.8));
}

/* A step leaves velocity errors s0 of second order, which (7.31) mirrors with c up to 0.9: 1 - c of
   the energy that impulses bring in against them is left, of 1/(1 + c) of them. That is a 19th, and
   more where s0 is not small beside k, as with 1.7 rad a step. Without it a top gained up to 0.44
   m g l in 100 s, and 1.08 with 100 rad/s at 60 Hz: allowed is a 15th and an 11th of that. In float
   a spin of up to 153 m g l is rounded 1e5 times, which adds up at random. A contact that is open
   says nothing: with one the same comes out but for rounding, of another order of the sums. */
static void a_top_keeps_its_energy_for_long(void)
{
    static const double rates[3] = { 60, 240, 1000 };
    static const double spins[2] = { 100, 300 };
    double energy, with, error;
    int i, k;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 2; k++) {
            const double most = i == 0 && k == 0 ? 0.1 : 0.03;
            error = rate_error(PI / 3, spins[k], rates[i], LONG_OR_SHORT(100, 20), false, &energy);
            CHECK_NEAR(error, 0, IN_DOUBLE_OR_FLOAT(5e-4, 2e-3));
            CHECK(energy < IN_DOUBLE_OR_FLOAT(most, most + 0.8));
            error = rate_error(PI / 3, spins[k], rates[i], 2, false, &energy);
            CHECK_NEAR(rate_error(PI / 3, spins[k], rates[i], 2, true, &with), error,
                       IN_DOUBLE_OR_FLOAT(1e-6, 1e-4));
            CHECK_NEAR(with, energy, IN_DOUBLE_OR_FLOAT(1e-9, 0.02));
        }
}

/* A heavy top of 30 rad/s is let go at 60 degrees and falls by as much again before it rises: free
   of its steady precession, it gained 74 m g l in 100 s, at 60 as at 240 Hz. */
static void a_slow_top_that_is_let_go_does_not_speed_up(void)
{
    int i, k;
    for (k = 0; k < 2; k++) {
        const double tilt = PI / 3, hz = k ? 240 : 60;
        double rate, start, most = 0;
        const spc_stabilization on = spc_stabilization_default();
        scene s = steady_top(tilt, 300, &rate);
        const spc_vec3 e = vec(sin(tilt), 0, cos(tilt)), w = times(30, e);
        set_velocity(&s, 0, w, spc_cross(w, times(TOP_ARM, e)));
        CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.joint[0], &on), SPC_OK);
        start = energy_of(&s);
        for (i = 0; i < 100 * (int)hz; i++) {
            CHECK_STATUS(spc_step(s.world, (spc_real)(1 / hz)), SPC_OK);
            most = fmax(most, fabs(energy_of(&s) - start) / TOP_WEIGHT);
        }
        CHECK(most < 0.5);
        scene_free(&s);
    }
}

/* ---------------------------------------------------------------------- thin bar ------------- */

/* What a thin bar hangs on. */
enum { BAR_ON_GROUND, BAR_ON_MOVER, BAR_ON_BODY, BAR_HOLDS };

/* A bar of 1 m that turns about one of its ends, across itself, in a tilted plane; on a ball joint
   of which it is A or B. Gives the most that its energy grows by, in parts, its fastest spin about
   its length, and how far the angular momentum goes from where it was, in parts. */
static double swing_bar(int hold, bool is_a, double thick, double rate, double hz, double *spin,
                        double *turned)
{
    const spc_world_desc desc = spc_world_desc_default(2, 1);
    const spc_vec3 end = vec(-0.5, 0, 0);
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_body_desc b = spc_body_desc_default();
    spc_world *w = test_world(&desc);
    spc_energy_momentum before, after;
    spc_body bar, hub = { 0, 0 };
    spc_constraint joint;
    double most = 0;
    int i;
    if (hold != BAR_ON_GROUND) {
        b.kind = hold == BAR_ON_MOVER ? SPC_KINEMATIC : SPC_DYNAMIC;
        b.mass = spc_mass_solid_sphere(10, SPC_R(0.2));
        CHECK_STATUS(spc_body_add(w, &b, &hub), SPC_OK);
    }
    b = spc_body_desc_default();
    b.mass = spc_mass_box(3, vec(0.5, thick / 2, thick / 2));
    CHECK_STATUS(spc_quat_normalize(spc_quat_make(SPC_R(0.3), SPC_R(-0.5), SPC_R(0.7), SPC_R(0.4)),
                                    &b.state.X_GB.q),
                 SPC_OK);
    b.state.X_GB.p = spc_rotate(b.state.X_GB.q, times(-1, end));
    b.state.V_GB.angular = spc_rotate(b.state.X_GB.q, vec(0, 0, rate));
    b.state.V_GB.linear = spc_cross(b.state.V_GB.angular, b.state.X_GB.p);
    CHECK_STATUS(spc_body_add(w, &b, &bar), SPC_OK);
    d.a = is_a ? bar : hub;
    d.b = is_a ? hub : bar;
    *(is_a ? &d.shape.X_AF.p : &d.shape.X_BM.p) = end;
    CHECK_STATUS(spc_attachment_add(w, &d, &joint), SPC_OK);
    CHECK_STATUS(spc_world_get_energy_momentum(w, &before), SPC_OK);
    *spin = *turned = 0;
    for (i = 0; i < 5 * (int)hz; i++) {
        spc_state x = spc_state_identity();
        CHECK_STATUS(spc_step(w, (spc_real)(1 / hz)), SPC_OK);
        CHECK_STATUS(spc_world_get_energy_momentum(w, &after), SPC_OK);
        CHECK_STATUS(spc_body_get_state(w, bar, &x), SPC_OK);
        most = fmax(most, (double)(after.kinetic / before.kinetic) - 1);
        *spin = fmax(*spin, fabs((double)spc_unrotate(x.X_GB.q, x.V_GB.angular).x));
        *turned = fmax(*turned, distance(after.angular, before.angular) / length(before.angular));
    }
    free(w);
    return most;
}

/* It does not matter to a thin bar whether it is A or B: with the moment of what it bears about the
   joint's own error in the middle of a step, as A, it spun up about its length to 440 rad/s, and
   its energy by half, (7.35). What it turns on when that is free yields to second order. */
static void a_thin_bar_may_be_either_body(void)
{
    int hold, i;
    for (hold = 0; hold < BAR_HOLDS; hold++)
        for (i = 0; i < 8; i++) {
            const bool free_body = hold == BAR_ON_BODY;
            const double thick = i & 2 ? 0.04 : 0.02, hz = i & 4 ? 240 : 60;
            double spin, turned;
            CHECK(swing_bar(hold, i & 1, thick, hz / 6, hz, &spin, &turned) <
                  (free_body ? 0.1 : IN_DOUBLE_OR_FLOAT(1e-3, 2e-3)));
            CHECK(spin < IN_DOUBLE_OR_FLOAT(1e-6, 4));
            CHECK(!free_body || turned < IN_DOUBLE_OR_FLOAT(1e-12, 1e-3));
        }
}

static const test_entry tests[] = {
    TEST(joints_do_no_work),
    TEST(a_free_structure_keeps_its_momenta),
    TEST(stabilized_joints_stay_closed_for_a_quarter_of_an_hour),
    TEST(half_the_step_opens_joints_by_an_eighth),
    TEST(errors_decay_as_stabilization_has_it),
    TEST(a_joint_that_is_off_by_170_degrees_closes_by_stabilization),
    TEST(a_fast_top_precesses_at_its_rate),
    TEST(a_top_keeps_its_energy_for_long),
    TEST(a_slow_top_that_is_let_go_does_not_speed_up),
    TEST(a_thin_bar_may_be_either_body),
};

TEST_MAIN
