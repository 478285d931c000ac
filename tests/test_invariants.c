/* [7.3] What motion keeps: the integrals of rolling balls, energy and momenta of free bodies. */
#include "balls.h"

/* -------------------------------------------------------------------------- invariants -------- */

/* Of the RK4 runs below, whose h w of 1e-3 leaves less than rounding: 8000 steps' rounding as it
   was seen, a few units, with room; single precision has fewer steps and larger h w. */
#ifdef SPC_USE_FLOAT
#define RUN_STEP 1e-3
#define RUN_STEPS 1000
#define INVARIANT (3e3 * TEST_EPSILON)
#else
#define RUN_STEP 2.5e-4
#define RUN_STEPS 8000
#define INVARIANT (100 * TEST_EPSILON)
#endif

/* Runs RK4 and hands each hundredth state to a check. */
static void run_rk4(ball_scene *s, void (*check)(const ball_scene *s, void *data), void *data)
{
    int i;
    for (i = 0; i < RUN_STEPS; i++) {
        CHECK_STATUS(spc_step_rk4(s->world, SPC_R(RUN_STEP), SPC_DRIFT_PROJECT), SPC_OK);
        if (i % 100 == 99)
            check(s, data);
    }
}

/* Angular momentum about Bc and its velocity, of the one ball. */
static spc_vec3 spin_of(const ball_scene *s, spc_vec3 *v_c, spc_vec3 *c)
{
    spc_mass m;
    const spc_state x = state_of(s->world, s->ball);
    CHECK_STATUS(spc_body_get_mass(s->world, s->ball, &m), SPC_OK);
    *c = spc_rotate(x.X_GB.q, m.p_BBc);
    *v_c = spc_add(x.V_GB.linear, spc_cross(x.V_GB.angular, *c));
    return spc_rotate(x.X_GB.q, spc_inertia_mul(m.inertia, spc_unrotate(x.X_GB.q, x.V_GB.angular)));
}

/* L + r n x m v: angular momentum about the contact point of a ball with its centre of mass in S.
   */
static spc_vec3 about_contact(const ball_scene *s)
{
    spc_vec3 v, c;
    const spc_vec3 L = spin_of(s, &v, &c);
    spc_mass m;
    CHECK_STATUS(spc_body_get_mass(s->world, s->ball, &m), SPC_OK);
    return spc_add(L, spc_scale(m.mass * s->radius, spc_cross(spc_vec3_make(0, 0, 1), v)));
}

typedef struct invariants {
    spc_vec3 K;
    double energy, jellett, rate;
    double worst, worst_energy; /* deviations seen */
} invariants;

/* For an inhomogeneous ball with Bc in S that rolls on level ground K is constant, and E. */
static void check_chaplygin(const ball_scene *s, void *data)
{
    invariants *want = (invariants *)data;
    note(&want->worst, distance(about_contact(s), want->K));
    note(&want->worst_energy, energy_of(s->world) - want->energy);
    CHECK_NEAR(distance(about_contact(s), want->K), 0, INVARIANT);
    CHECK_NEAR(energy_of(s->world), want->energy, INVARIANT);
}

static void chaplygins_ball_keeps_its_momentum_about_the_contact(void)
{
    const spc_mass m = uneven_mass();
    ball_scene s =
        make_ball(&m, zero, SPC_R(0.4), level(), spc_vec3_make(2, SPC_R(-1), SPC_R(1.5)));
    invariants want = { { 0, 0, 0 }, 0, 0, 0, 0, 0 };
    want.K = about_contact(&s);
    want.energy = energy_of(s.world);
    run_rk4(&s, check_chaplygin, &want);
    print_seen("Chaplygin's ball, momentum about the contact", want.worst);
    print_seen("Chaplygin's ball, energy", want.worst_energy);
    free(s.world);
}

/* On a plane that turns about the vertical through ground's origin: L about the contact, and
   Jacobi's E - rate L_z with L_z about that axis. */
static double jacobi(const ball_scene *s, double rate)
{
    return energy_of(s->world) - rate * (double)momentum_of(s->world).angular.z;
}

static void check_rotating_plane(const ball_scene *s, void *data)
{
    invariants *want = (invariants *)data;
    note(&want->worst, jacobi(s, want->rate) - want->jellett);
    CHECK_NEAR(distance(about_contact(s), want->K), 0, INVARIANT);
    CHECK_NEAR(jacobi(s, want->rate), want->jellett, INVARIANT);
}

static void chaplygins_ball_on_a_turning_plane_keeps_jacobis_integral(void)
{
    const spc_mass m = uneven_mass();
    ball_scene s =
        make_ball(&m, zero, SPC_R(0.4), level(), spc_vec3_make(2, SPC_R(-1), SPC_R(1.5)));
    spc_state floor = spc_state_identity();
    invariants want = { { 0, 0, 0 }, 0, 0, 0, 0, 0 };
    want.rate = 1.3;
    floor.V_GB.angular.z = (spc_real)want.rate;
    put_on_floor(&s, &floor, spc_spatial_make(zero, zero));
    want.K = about_contact(&s);
    want.jellett = jacobi(&s, want.rate);
    want.energy = energy_of(s.world);
    run_rk4(&s, check_rotating_plane, &want);
    print_seen("Chaplygin's ball on a turning plane, Jacobi's integral", want.worst);
    CHECK(fabs(energy_of(s.world) - want.energy) >
          1e-3); /* the plane does work: the test is not empty */
    free(s.world);
}

/* An off-centre ball that is symmetric about its axis: L . r_C is constant, r_C from Bc to the
   contact. */
static double jellett(const ball_scene *s)
{
    spc_vec3 v, c;
    const spc_vec3 L = spin_of(s, &v, &c);
    const spc_vec3 r_C =
        spc_sub(rows_of(s->world, s->contact).p_GC, spc_add(state_of(s->world, s->ball).X_GB.p, c));
    return (double)spc_dot(L, r_C);
}

static void check_jellett(const ball_scene *s, void *data)
{
    invariants *want = (invariants *)data;
    note(&want->worst, jellett(s) - want->jellett);
    note(&want->worst_energy, energy_of(s->world) - want->energy);
    CHECK_NEAR(jellett(s), want->jellett, INVARIANT);
    CHECK_NEAR(energy_of(s->world), want->energy, 10 * INVARIANT); /* w r is larger here */
}

static void a_tippe_top_keeps_jelletts_constant(void)
{
    spc_mass m = spc_mass_solid_sphere(1, SPC_R(0.2));
    ball_scene s;
    invariants want = { { 0, 0, 0 }, 0, 0, 0, 0, 0 };
    int rolling;
    m.inertia.zz *= SPC_R(0.8);
    m.p_BBc = spc_vec3_make(0, 0, SPC_R(0.02));
    for (rolling = 0; rolling < 2; rolling++) {
        const spc_vec3 p_BS = spc_vec3_make(0, 0, SPC_R(-0.03));
        spc_sphere_on_plane shape;
        s = make_ball(&m, p_BS, SPC_R(0.2), level(), spc_vec3_make(1, SPC_R(0.5), 6));
        CHECK_STATUS(spc_sphere_on_plane_get(s.world, s.contact, &shape), SPC_OK);
        shape.rolling = rolling != 0;
        CHECK_STATUS(spc_sphere_on_plane_set(s.world, s.contact, &shape), SPC_OK);
        want.jellett = jellett(&s);
        want.energy = energy_of(s.world);
        run_rk4(&s, check_jellett, &want);
        free(s.world);
    }
    print_seen("tippe top, Jellett's constant", want.worst);
    print_seen("tippe top, energy", want.worst_energy);
}

static void a_tumbling_body_has_its_period(void)
{
    const spc_vec3 w = spc_vec3_make(SPC_R(0.01), 1, SPC_R(0.01));
    ball_scene s = free_body(w);
    const double period = 39.1057341972877;
    const bool fine = sizeof(spc_real) == sizeof(double);
    const int steps = fine ? 20000 : 1000;
    spc_state end;
    int i;
    for (i = 0; i < steps; i++)
        CHECK_STATUS(spc_step_rk4(s.world, (spc_real)(period / steps), SPC_DRIFT_STABILIZE),
                     SPC_OK);
    end = state_of(s.world, s.ball);
    /* the body's own angular velocity returns; single precision loses 1000 roundings, and a hundred
       times that near the unstable axis */
    CHECK_NEAR(distance(spc_unrotate(end.X_GB.q, end.V_GB.angular), w), 0, fine ? 2e-12 : 1e-2);
    free(s.world);
}

static void a_million_free_steps_keep_energy_and_momentum(void)
{
    ball_scene s = free_body(spc_vec3_make(SPC_R(0.3), 4, SPC_R(-0.2)));
    const int steps = sizeof(spc_real) == sizeof(double) ? 1000000 : 10000;
    spc_energy_momentum before, after;
    int i;
    CHECK_STATUS(
        spc_body_set_velocity(s.world, s.ball,
                              spc_spatial_make(state_of(s.world, s.ball).V_GB.angular, zero)),
        SPC_OK);
    before = momentum_of(s.world);
    for (i = 0; i < steps; i++)
        if (spc_step(s.world, SPC_R(0.01)))
            CHECK(false);
    after = momentum_of(s.world);
    print_seen("free steps, energy (relative)",
               fabs((double)after.kinetic - (double)before.kinetic) / (double)before.kinetic);
    /* a million roundings add up like a random walk, to a thousand times one; a step has some ten
       */
    CHECK_NEAR(after.kinetic, before.kinetic, 3e4 * TEST_EPSILON * (double)before.kinetic);
    CHECK_NEAR(distance(after.angular, before.angular), 0,
               3e4 * TEST_EPSILON * (double)spc_norm(before.angular));
    free(s.world);
}

/* The midpoint rule's Newton iteration at spins far beyond what a step resolves: nothing may blow
   up. A turn in 512 parts, 200 times, has 1e5 times some roundings, which add up like a random walk
   to a thousand. */
static void a_spin_too_fast_for_the_step_stays_bounded(void)
{
    int turn, i;
    for (turn = 0; turn < 40; turn++) {
        ball_scene s = free_body(spc_scale((spc_real)pow(10, turn % 8), test_random_vec3(1)));
        spc_energy_momentum before, after;
        spc_spatial V = state_of(s.world, s.ball).V_GB;
        V.linear = zero;
        CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, V), SPC_OK);
        before = momentum_of(s.world);
        for (i = 0; i < 200; i++)
            CHECK_STATUS(spc_step(s.world, SPC_R(0.02)), SPC_OK);
        after = momentum_of(s.world);
        CHECK_NEAR((double)after.kinetic / (double)before.kinetic, 1, 1e4 * TEST_EPSILON);
        CHECK_NEAR(distance(after.angular, before.angular) / (double)spc_norm(before.angular), 0,
                   1e4 * TEST_EPSILON);
        free(s.world);
    }
}

/* Largest relative change of angular momentum and energy of a box that turns so far in each of 1000
   steps, or more if its linear velocity changes. */
static double change_of_spin(spc_vec3 half_lengths, spc_vec3 turn)
{
    spc_world_desc desc = spc_world_desc_default(1, 0);
    spc_body_desc body = spc_body_desc_default();
    spc_energy_momentum before, after;
    double worst = 0;
    spc_world *w = test_world(&desc);
    spc_body box;
    int i;
    body.mass = spc_mass_box(1, half_lengths);
    body.state.V_GB.angular = turn;
    CHECK_STATUS(spc_body_add(w, &body, &box), SPC_OK);
    before = momentum_of(w);
    for (i = 0; i < 1000; i++) {
        CHECK_STATUS(spc_step(w, 1), SPC_OK);
        after = momentum_of(w);
        worst =
            fmax(worst, distance(after.angular, before.angular) / (double)spc_norm(before.angular));
        worst = fmax(worst, fabs((double)after.kinetic / (double)before.kinetic - 1));
    }
    CHECK_NEAR(spc_norm(state_of(w, box).X_GB.p), 0, 0);
    free(w);
    return worst;
}

/* From what a step resolves up to 30 rad, for boxes as slender as 1 : 10 : 50. Rounding is what is
   left: 1000 steps of up to 16 parts of some 10 roundings add up like a random walk to 1e3
   roundings, and as 1000 times one where it has a direction. */
static void boxes_keep_their_angular_momentum_at_any_spin(void)
{
    static const double sizes[5][3] = { { 0.1, 0.2, 0.3 },
                                        { 0.1, 0.11, 0.12 },
                                        { 0.01, 0.1, 0.5 },
                                        { 0.02, 0.3, 0.31 },
                                        { 0.05, 0.06, 0.5 } };
    const double allowed = sizeof(spc_real) == sizeof(double) ? 1e-11 : 1e-4;
    double worst = 0;
    int k, i;
    for (k = 0; k < 5; k++)
        for (i = 0; i <= 12; i++) {
            const spc_vec3 half =
                spc_vec3_make((spc_real)sizes[k][0], (spc_real)sizes[k][1], (spc_real)sizes[k][2]);
            const spc_vec3 w = spc_vec3_make(SPC_R(0.48), SPC_R(0.6), SPC_R(0.64));
            worst = fmax(worst, change_of_spin(half, spc_scale(SPC_R(0.5 + 2.45 * i), w)));
        }
    CHECK_NEAR(worst, 0, allowed);
    print_seen("boxes at up to 30 rad a step, momentum and energy (relative)", worst);
}

/* Two free bodies in contact, no gravity: both momenta are kept by both steps. */
static void momenta_of_a_free_pair_are_kept(void)
{
    int method, i;
    for (method = 0; method < 2; method++) {
        spc_world_desc desc = spc_world_desc_default(2, 1);
        spc_body_desc body = spc_body_desc_default();
        spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
        spc_world *w;
        spc_constraint c;
        spc_energy_momentum before, after;
        w = test_world(&desc);
        for (i = 0; i < 2; i++) {
            body.mass = test_random_mass();
            body.state = test_random_state();
            CHECK_STATUS(spc_body_add(w, &body, i ? &d.ball : &d.floor), SPC_OK);
        }
        d.shape.radius = SPC_R(0.5);
        d.shape.p_BS = test_random_vec3(0.2);
        CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
        CHECK_STATUS(spc_world_assemble(w, (spc_real)(1e4 * TEST_EPSILON), NULL), SPC_OK);
        CHECK_STATUS(spc_world_project_velocities(w), SPC_OK);
        before = momentum_of(w);
        for (i = 0; i < 500; i++)
            CHECK_STATUS(method ? spc_step(w, SPC_R(0.005))
                                : spc_step_rk4(w, SPC_R(0.005), SPC_DRIFT_STABILIZE),
                         SPC_OK);
        after = momentum_of(w);
        /* spc_step keeps them to rounding, RK4 (whose state is Bo's velocity) to its order: (h w)^4
           */
        CHECK_NEAR(distance(after.linear, before.linear), 0,
                   4e3 * TEST_EPSILON + (method ? 0 : 1e-7));
        CHECK_NEAR(distance(after.angular, before.angular), 0,
                   4e4 * TEST_EPSILON + (method ? 0 : 1e-7));
        free(w);
    }
}

/* A disc that rolls and wobbles, from upright to nearly flat, so fast that it turns by up to 0.2
   rad in a step at 60 Hz. Its energy swings by what a step of second order errs by, and may be lost
   where it wobbles fast, but does not grow in 100 s. A scheme that brings in a part of 1e-5 in each
   step at 60 Hz would be seen, which its place after one second need not show. */
static void discs_that_wobble_gain_no_energy(void)
{
    static const double rates[] = { 60, 240, 1000 };
    const double radius = 0.1, seconds = LONG_OR_SHORT(100, 20);
    int rate, k, i;
    for (rate = 0; rate < 3; rate++)
        for (k = 0; k < 6; k++) {
            const double lean = 0.1 + 0.2 * k, h = 1 / rates[rate];
            spc_world_desc desc = spc_world_desc_default(1, 1);
            spc_body_desc b = spc_body_desc_default();
            spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
            const spc_vec3 foot =
                spc_vec3_make(0, SPC_R(-radius * sin(lean)), SPC_R(-radius * cos(lean)));
            spc_constraint c;
            double first, worst = 0;
            spc_world *w;
            desc.gravity = spc_vec3_make(0, 0, SPC_R(-9.81));
            w = test_world(&desc);
            b.mass = spc_mass_disc(1, SPC_R(radius));
            b.state.X_GB.q = spc_quat_from_rotation_vector(
                spc_vec3_make(SPC_R(1.5707963267948966 - lean), 0, 0));
            b.state.X_GB.p.z = -foot.z;
            b.state.V_GB.angular = spc_vec3_make(SPC_R(0.3 * k), SPC_R(8 - k), SPC_R(2 + k));
            b.state.V_GB.linear = spc_cross(foot, b.state.V_GB.angular);
            CHECK_STATUS(spc_body_add(w, &b, &d.disc), SPC_OK);
            d.shape.radius = SPC_R(radius);
            d.shape.axis_B = spc_vec3_make(0, 0, 1);
            CHECK_STATUS(spc_rolling_disc_add(w, &d, &c), SPC_OK);
            first = energy_of(w);
            for (i = 0; i < seconds * rates[rate]; i++) {
                CHECK_STATUS(spc_step(w, SPC_R(h)), SPC_OK);
                worst = fmax(worst, energy_of(w) / first - 1);
            }
            CHECK(worst <= 12 * h * h + IN_DOUBLE_OR_FLOAT(0, 1e-3));
            free(w);
        }
}

static const test_entry tests[] = {
    TEST(chaplygins_ball_keeps_its_momentum_about_the_contact),
    TEST(chaplygins_ball_on_a_turning_plane_keeps_jacobis_integral),
    TEST(a_tippe_top_keeps_jelletts_constant),
    TEST(a_tumbling_body_has_its_period),
    TEST(a_million_free_steps_keep_energy_and_momentum),
    TEST(a_spin_too_fast_for_the_step_stays_bounded),
    TEST(boxes_keep_their_angular_momentum_at_any_spin),
    TEST(momenta_of_a_free_pair_are_kept),
    TEST(discs_that_wobble_gain_no_energy),
};

TEST_MAIN
