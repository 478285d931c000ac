/* [4.4] The sphere on a sphere and the ball in a bowl: the definitions by hand, closed forms,
   invariants, motion through time, what is refused. Numbers such as 5/7 are 1/(1+k) and its
   relatives for a uniform ball, I = k m r^2 with k = 2/5. */
#include "world.h"

#define G 9.81

static void near_vec3(int line, spc_vec3 got, double x, double y, double z, double tolerance)
{
    test_near(__FILE__, line, "x", (double)got.x, x, tolerance);
    test_near(__FILE__, line, "y", (double)got.y, y, tolerance);
    test_near(__FILE__, line, "z", (double)got.z, z, tolerance);
}

static double normal_multiplier(const spc_world *w, spc_constraint c)
{
    spc_real lambda[SPC_MAX_ROWS] = { 0 };
    CHECK_STATUS(spc_constraint_get_multipliers(w, c, lambda), SPC_OK);
    return (double)lambda[2];
}

/* A uniform ball of mass 1.5 on a sphere that is fixed in ground's origin, or in a bowl there, at
   an angle to the vertical about -y: on top, or at the bottom of the bowl, at 0. */
#define MASS 1.5
typedef struct fixed_scene {
    spc_world *world;
    spc_body ball;
    spc_constraint contact;
    double arm;    /* distance of the centres: positive on the sphere, negative in the bowl */
    double radius; /* of the ball */
} fixed_scene;

static fixed_scene make_fixed(double radius_a, double radius_b, bool hollow, double angle)
{
    fixed_scene s;
    spc_world_desc desc = spc_world_desc_default(3, 3);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    desc.gravity = vec(0, 0, -G);
    memset(&s, 0, sizeof s);
    s.world = test_world(&desc);
    s.arm = hollow ? radius_b - radius_a : radius_a + radius_b;
    s.radius = radius_b;
    body.mass = spc_mass_solid_sphere(SPC_R(MASS), (spc_real)radius_b);
    body.state.X_GB.p = vec(s.arm * sin(angle), 0, s.arm * cos(angle));
    CHECK_STATUS(spc_body_add(s.world, &body, &s.ball), SPC_OK);
    d.b = s.ball;
    d.shape.radius_a = (spc_real)radius_a;
    d.shape.radius_b = (spc_real)radius_b;
    d.shape.hollow = hollow;
    CHECK_STATUS(spc_sphere_on_sphere_add(s.world, &d, &s.contact), SPC_OK);
    return s;
}

/* Rolls it: the velocity of the centre across n, and a spin about n. */
static void roll(const fixed_scene *s, spc_vec3 v, double spin)
{
    const spc_vec3 n = rows_of(s->world, s->contact).R_GP.z;
    const spc_vec3 w = spc_add(spc_scale((spc_real)(1 / s->radius), spc_cross(n, v)),
                               spc_scale((spc_real)spin, n));
    CHECK_STATUS(spc_body_set_velocity(s->world, s->ball, spc_spatial_make(w, v)), SPC_OK);
}

/* --------------------------------------------------------------------- by hand --------- */

/* Centres 4 apart, radii 3/2 and 1/2: a gap of 2, of which A's side takes 3/4: C at 3. A moves up
   with 1/2 and turns about n with 3, B moves along x and turns about y with 7. All of it exact. */
static void two_spheres_by_hand(void)
{
    spc_sphere_on_sphere shape = spc_sphere_on_sphere_default();
    spc_state A = spc_state_identity(), B = A;
    spc_rows rows;
    shape.radius_a = SPC_R(1.5);
    shape.radius_b = SPC_R(0.5);
    shape.p_ASa = vec(1, 0, 0);
    A.X_GB.p = vec(-1, 0, 0);
    A.V_GB = spc_spatial_make(vec(0, 0, 3), vec(0, -3, 0.5)); /* (0 0 1/2) at Sa */
    B.X_GB.p = vec(0, 0, 4);
    B.V_GB = spc_spatial_make(vec(0, 7, 0), vec(1, 0, 0));
    CHECK_STATUS(spc_sphere_on_sphere_rows(&shape, &A, &B, &rows), SPC_OK);
    CHECK(rows.count == 3 && rows.enforced == 7u && rows.holonomic == 4u);
    CHECK_NEAR(rows.separation, 2, 0);
    CHECK_NEAR(rows.position_errors[2], 2, 0);
    near_vec3(__LINE__, rows.p_GC, 0, 0, 3, 0);
    near_vec3(__LINE__, rows.arm_a, 1, 0, 3, 0);
    near_vec3(__LINE__, rows.arm_b, 0, 0, -1, 0);
    near_vec3(__LINE__, rows.R_GP.x, 1, 0, 0, 0);
    near_vec3(__LINE__, rows.R_GP.y, 0, 1, 0, 0);
    near_vec3(__LINE__, rows.R_GP.z, 0, 0, 1, 0);
    /* u = (1 0 0) + (0 7 0) x (0 0 -1) - (0 0 1/2) */
    near_vec3(
        __LINE__,
        spc_vec3_make(rows.velocity_errors[0], rows.velocity_errors[1], rows.velocity_errors[2]),
        -6, 0, -0.5, 0);
    /* d' = (1 0 -1/2), n' = (1/4 0 0), C' = (3/4 0 1/8); u' = (0 7 0) x (-1/4 0 1/8) - (0 0 3) x
       (3/4 3 -3/8), with v_A = (0 -3 1/2); w_C x u = (0 1/4 3) x (-6 0 -1/2) */
    near_vec3(__LINE__, spc_vec3_make(rows.jdot_v[0], rows.jdot_v[1], rows.jdot_v[2]),
              0.875 + 9 + 0.125, -2.25 + 18, 1.75 - 1.5, 0);
    near_vec3(__LINE__, rows.jacobian_b[1].angular, 1, 0, 0, 0);  /* (0 0 -1) x (0 1 0) */
    near_vec3(__LINE__, rows.jacobian_a[0].angular, 0, -3, 0, 0); /* -(1 0 3) x (1 0 0) */
}

/* A bowl of radius 4 and a ball of radius 1, whose centre is 2 below: a gap of 1, with C at the
   bottom of the ball, 3 below. The distance shrinks by 1/2: the gap grows; it bends by -v^2/2. */
static void the_bowl_by_hand(void)
{
    spc_sphere_on_sphere shape = spc_sphere_on_sphere_default();
    spc_state A = spc_state_identity(), B = A;
    spc_rows rows;
    shape.radius_a = 4;
    shape.radius_b = 1;
    shape.hollow = true;
    A.V_GB.angular = vec(0, 0, 3);
    B.X_GB.p = vec(0, 0, -2);
    B.V_GB = spc_spatial_make(vec(0, 7, 0), vec(1, 0, 0.5));
    CHECK_STATUS(spc_sphere_on_sphere_rows(&shape, &A, &B, &rows), SPC_OK);
    CHECK_NEAR(rows.separation, 1, 0);
    near_vec3(__LINE__, rows.p_GC, 0, 0, -3, 0);
    near_vec3(__LINE__, rows.R_GP.x, 1, 0, 0, 0);
    near_vec3(__LINE__, rows.R_GP.z, 0, 0, 1, 0);
    near_vec3(
        __LINE__,
        spc_vec3_make(rows.velocity_errors[0], rows.velocity_errors[1], rows.velocity_errors[2]),
        1 - 7, 0, 0.5, 0);
    /* n' = (-1/2 0 0), C' = (3/2 0 1/2); u' = (0 7 0) x (1/2 0 0) - (0 0 3) x (3/2 0 1/2), and
       w_C x u = (0 -1/2 3) x (-6 0 1/2) */
    near_vec3(__LINE__, spc_vec3_make(rows.jdot_v[0], rows.jdot_v[1], rows.jdot_v[2]), 0.25,
              -4.5 + 18, -3.5 + 3, 0);
}

/* Off the constraint, outside: C is on neither sphere, at the same part of the distance from both;
   inside it is on the ball. */
static void the_contact_point_shares_a_gap_outside_and_is_on_the_ball_inside(void)
{
    const double rounding = 50 * TEST_EPSILON; /* some roundings of numbers up to 10 */
    int turn;
    for (turn = 0; turn < 100; turn++) {
        spc_sphere_on_sphere shape = spc_sphere_on_sphere_default();
        const spc_state a = test_random_state(), b = test_random_state();
        const spc_vec3 Sa = spc_transform_point(a.X_GB, zero);
        const spc_vec3 Sb = spc_transform_point(b.X_GB, zero);
        const double r = distance(Sa, Sb);
        double ra, rb;
        spc_rows rows;
        if (r < 0.1)
            continue;
        shape.radius_b = (spc_real)test_random(0.1, 2);
        shape.hollow = turn % 2;
        shape.radius_a = (spc_real)test_random(0.1, 2) + (shape.hollow ? shape.radius_b : 0);
        ra = (double)shape.radius_a;
        rb = (double)shape.radius_b;
        CHECK_STATUS(spc_sphere_on_sphere_rows(&shape, &a, &b, &rows), SPC_OK);
        CHECK_NEAR(distance(rows.p_GC, Sb), shape.hollow ? rb : rb / (ra + rb) * r, rounding);
        CHECK_NEAR(distance(rows.p_GC, Sa), shape.hollow ? r + rb : ra / (ra + rb) * r, rounding);
        CHECK_NEAR(rows.separation, shape.hollow ? ra - rb - r : r - ra - rb, rounding);
        CHECK_NEAR(spc_dot(rows.R_GP.z, spc_sub(Sb, Sa)), shape.hollow ? -r : r, rounding);
    }
}

/* Multipliers are negative where the spheres press on each other, on top of a sphere and at the
   bottom of a bowl, and positive where a ball hangs below a sphere, or from the bowl's top. */
static void multipliers_are_negative_where_spheres_press(void)
{
    int turn;
    for (turn = 0; turn < 4; turn++) {
        const bool hollow = turn & 1, below = turn & 2;
        const fixed_scene s = make_fixed(2, 0.5, hollow, below ? PI : 0);
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        CHECK_NEAR(normal_multiplier(s.world, s.contact), below ? MASS * G : -MASS * G,
                   100 * TEST_EPSILON);
        near_vec3(__LINE__, force_of(s.world, s.contact).force_G, 0, 0, MASS * G,
                  100 * TEST_EPSILON);
        free(s.world);
    }
}

/* The axes turn by no more than n does, times 2 / (1 + cosine of n and A's z axis) with which the
   shortest turn changes; and are a right handed frame there and at the very place of the leap. */
static void axes_are_continuous_but_where_the_normal_is_against_z(void)
{
    const double step = 1e-2, rounding = 20 * TEST_EPSILON;
    spc_sphere_on_sphere shape = spc_sphere_on_sphere_default();
    int turn, i;
    shape.radius_a = shape.radius_b = 1;
    for (turn = 0; turn < 40; turn++) {
        spc_state a = spc_state_identity(), b = a;
        spc_vec3 u = test_random_vec3(1), v, before = zero;
        a.X_GB.q = turn ? test_random_quat() : spc_quat_identity();
        if (turn == 0)
            u = vec(1, 0, 0); /* through the leap */
        v = turn ? spc_cross(u, test_random_vec3(1)) : vec(0, 0, -1);
        if (spc_normalize(u, &u) || spc_normalize(v, &v))
            continue;
        for (i = 0; i < 629; i++) {
            const spc_vec3 z = spc_rotate(a.X_GB.q, vec(0, 0, 1));
            const double slope =
                1 + (double)spc_dot(z, v) * sin(i * step) + (double)spc_dot(z, u) * cos(i * step);
            spc_rows rows;
            b.X_GB.p = spc_add(spc_scale((spc_real)(2 * cos(i * step)), u),
                               spc_scale((spc_real)(2 * sin(i * step)), v));
            CHECK_STATUS(spc_sphere_on_sphere_rows(&shape, &a, &b, &rows), SPC_OK);
            CHECK_NEAR(distance(spc_cross(rows.R_GP.x, rows.R_GP.y), rows.R_GP.z), 0, rounding);
            CHECK_NEAR(spc_norm(rows.R_GP.x), 1, rounding);
            if (i > 0 && slope > 0.05) /* a turn of 0.3 from the leap: a few steps */
                CHECK(distance(rows.R_GP.x, before) < 2.5 * step / (slope - 0.02));
            before = rows.R_GP.x;
        }
        b.X_GB.p = spc_rotate(a.X_GB.q, vec(0, 0, -2));
        {
            spc_rows rows;
            CHECK_STATUS(spc_sphere_on_sphere_rows(&shape, &a, &b, &rows), SPC_OK);
            CHECK_NEAR(distance(spc_cross(rows.R_GP.x, rows.R_GP.y), rows.R_GP.z), 0, rounding);
        }
    }
}

/* ---------------------------------------------------------------- closed forms --------- */

/* A ball that has rolled from rest on top has v^2 = 10/7 g L (1 - cos), with the distance L of the
   centres: it accelerates with 5/7 g sin, presses with m g (17 cos - 10) / 7, and pulls from cos =
   10/17 on. */
static void a_ball_on_a_fixed_ball_begins_to_pull_at_ten_seventeenths(void)
{
    const double leaves = acos(10.0 / 17), L = 2.25;
    const double tolerance = 1000 * TEST_EPSILON; /* 1.5 kg, 1/T^2 of some roundings of L */
    int i;
    for (i = 1; i <= 20; i++) {
        const double angle = leaves * i / 10;
        const fixed_scene s = make_fixed(1.75, 0.5, false, angle);
        const double v = sqrt(10.0 / 7 * G * L * (1 - cos(angle)));
        spc_spatial A;
        double lambda;
        roll(&s, vec(v * cos(angle), 0, -v * sin(angle)), 0);
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        A = acceleration_of(s.world, s.ball);
        lambda = normal_multiplier(s.world, s.contact);
        CHECK_NEAR(lambda, -MASS * G * (17 * cos(angle) - 10) / 7, tolerance);
        CHECK(i == 10 || (lambda > 0) == (i > 10));
        CHECK_NEAR((double)A.linear.x * cos(angle) - (double)A.linear.z * sin(angle),
                   5.0 / 7 * G * sin(angle), tolerance);
        free(s.world);
    }
}

/* The same as it rolls, from rest at 0.2 rad: the force changes its sign at 10/17 of that cosine.
   The angle of the step before and after bracket it, beside the method's error of second order. */
static void a_ball_that_rolls_down_a_ball_pulls_from_there_on(void)
{
    const double h = 1e-3, from = 0.2, want = acos(10.0 / 17 * cos(from));
    const fixed_scene s = make_fixed(1.75, 0.5, false, from);
    double angle = from, before = from;
    int i;
    for (i = 0; i < 3000; i++) {
        const spc_state state = state_of(s.world, s.ball);
        before = angle;
        angle = atan2((double)state.X_GB.p.x, (double)state.X_GB.p.z);
        CHECK_STATUS(spc_step(s.world, (spc_real)h), SPC_OK);
        if (normal_multiplier(s.world, s.contact) > 0)
            break;
    }
    CHECK(i < 3000);
    CHECK_NEAR(angle, want, angle - before + 1e-4);
    free(s.world);
}

/* A ball of radius r in a bowl of radius R swings with omega^2 = 5 g / (7 (R - r)), slower by
   angle^2 / 16: after one period it is back at rest. The steps' errors are of order h^2 and h^4. */
static void a_ball_in_a_bowl_swings_like_a_longer_pendulum(void)
{
    static const int steps[3] = { 60, 240, 1000 };
    const double angle = 0.02, period = 2 * PI * sqrt(7 * (2 - 0.25) / (5 * G));
    const double exact = period * (1 + angle * angle / 16);
    int i, k;
    for (i = 0; i < 6; i++) {
        const fixed_scene s = make_fixed(2, 0.25, true, angle);
        const spc_vec3 start = state_of(s.world, s.ball).X_GB.p;
        const int n = steps[i % 3];
        const double h = exact / n, per_step = 2 * PI / n;
        /* of the phase: (omega h)^2 / 24 of it of second order; of rk4 (omega h)^5 / 120 a step */
        const double off = i < 3 ? 2 * PI * per_step * per_step / 8
                                 : 2 * PI * per_step * per_step * per_step * per_step / 60;
        for (k = 0; k < n; k++)
            CHECK_STATUS(i < 3 ? spc_step(s.world, (spc_real)h)
                               : spc_step_rk4(s.world, (spc_real)h, SPC_DRIFT_PROJECT),
                         SPC_OK);
        /* at the turn a shift of the phase counts by its square, and damping by itself */
        CHECK_NEAR(distance(state_of(s.world, s.ball).X_GB.p, start), 0,
                   1.75 * angle * (off + 1e-6) + 2000 * TEST_EPSILON);
        /* spc_step leaves an error of third order: of the angle that it goes in a step */
        CHECK_NEAR(rows_of(s.world, s.contact).separation, 0,
                   100 * TEST_EPSILON + (i < 3 ? 3.5 * pow(angle * per_step, 3) : 0));
        /* a quarter of a period later it is at the bottom, where the phase counts by itself */
        for (k = 0; k < n / 4; k++)
            CHECK_STATUS(i < 3 ? spc_step(s.world, (spc_real)h)
                               : spc_step_rk4(s.world, (spc_real)h, SPC_DRIFT_PROJECT),
                         SPC_OK);
        CHECK_NEAR((double)state_of(s.world, s.ball).X_GB.p.x / (1.75 * angle), 0,
                   1.25 * off + 1e-4 * angle + 1e5 * TEST_EPSILON);
        free(s.world);
    }
}

/* A hollow sphere (2/3 m R^2) that hangs over a fixed ball swings with omega^2 = g / (5/3 (R - r)):
   A moves, and B is ground. */
static void a_bowl_that_hangs_on_a_ball_swings(void)
{
    const double L = 2 - 0.25, angle = 0.02, omega = sqrt(G / (L * 5 / 3));
    const double h = 2 * PI / omega * (1 + angle * angle / 16) / 240;
    spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    spc_constraint c;
    spc_world *w;
    int i;
    desc.gravity = vec(0, 0, -G);
    w = test_world(&desc);
    body.mass = spc_mass_hollow_sphere(1, 2);
    body.state.X_GB.p = vec(L * sin(angle), 0, -L * cos(angle));
    CHECK_STATUS(spc_body_add(w, &body, &d.a), SPC_OK);
    d.shape.radius_a = 2;
    d.shape.radius_b = SPC_R(0.25);
    d.shape.hollow = true;
    CHECK_STATUS(spc_sphere_on_sphere_add(w, &d, &c), SPC_OK);
    for (i = 0; i < 300;
         i++) /* a period, and a quarter of one: the phase is off by (omega h)^2 / 8 */
        CHECK_STATUS(spc_step(w, (spc_real)h), SPC_OK);
    CHECK_NEAR((double)state_of(w, d.a).X_GB.p.x / (L * angle), 0, 1e-3 + 1e5 * TEST_EPSILON);
    CHECK_NEAR(state_of(w, d.a).V_GB.linear.x, -L * angle * omega,
               1e-3 * L * angle * omega + 1e4 * TEST_EPSILON);
    CHECK(normal_multiplier(w, c) < 0); /* it presses */
    free(w);
}

/* A ball that rolls on or in a sphere keeps its spin about the normal (no torque about it at C) and
   its energy, on a path that is no plane, and across the leap of the axes below. */
static void a_rolling_ball_keeps_its_spin_about_the_normal(void)
{
    const double h = 1.0 / 500; /* (5 rad/s / 500)^4 / 120 in each of 500 rad: below 1e-8 */
    int turn, i;
    for (turn = 0; turn < 4; turn++) {
        const bool hollow = turn & 1, across = turn & 2;
        const fixed_scene s = make_fixed(1, 0.25, hollow, across ? 0.5 : 1.2);
        const double spin = across ? 0 : 8, tolerance = 1e-6 + 1e4 * TEST_EPSILON;
        double energy, most = 0;
        roll(&s, across ? vec(3 * cos(0.5), 0, -3 * sin(0.5)) : vec(0, 2.5, 0), spin);
        energy = energy_of(s.world);
        for (i = 0; i < 1000; i++) {
            const spc_state state = state_of(s.world, s.ball);
            const spc_vec3 n = rows_of(s.world, s.contact).R_GP.z;
            CHECK_NEAR(spc_dot(state.V_GB.angular, n), spin, tolerance);
            CHECK_NEAR(energy_of(s.world), energy, 20 * tolerance);
            most = fmax(most, fabs((double)state.X_GB.p.y));
            CHECK_STATUS(spc_step_rk4(s.world, (spc_real)h, SPC_DRIFT_PROJECT), SPC_OK);
        }
        CHECK(across ? most < tolerance : most > 0.3);
        free(s.world);
    }
}

/* Rolling round without gravity, by up to half a radian in a step, and slanting, so that the axes
   turn about the normal: no energy comes in, and little goes. */
static void a_ball_that_goes_round_fast_gains_no_energy(void)
{
    int hollow, turn, i;
    for (hollow = 0; hollow < 2; hollow++)
        for (turn = 1; turn <= 5; turn++) {
            const fixed_scene s = make_fixed(1, 0.25, hollow, PI / 2);
            const double v = 0.1 * turn * 60 * fabs(s.arm);
            double energy;
            CHECK_STATUS(spc_world_set_gravity(s.world, zero), SPC_OK);
            roll(&s, vec(0, v, 0.1 * v), 0);
            energy = energy_of(s.world);
            for (i = 0; i < 600; i++)
                CHECK_STATUS(spc_step(s.world, SPC_R(1.0 / 60)), SPC_OK);
            CHECK(energy_of(s.world) <= energy * (1 + 1000 * TEST_EPSILON));
            CHECK(energy_of(s.world) >= energy * 0.99); /* 0.998 was seen */
            free(s.world);
        }
}

/* By more than a radian in a step, alone on ground, on a floor that moves along, and as one of two
   that fly about each other: steps are divided, so that they stay on each other. */
static void check_circling(bool hollow, bool rolling, int on, double turn)
{
    fixed_scene s = make_fixed(1, 0.25, hollow, PI / 2);
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    const double v = turn * 60 * s.arm;
    spc_body_desc body = spc_body_desc_default();
    double energy, most = 0, least;
    int i;
    CHECK_STATUS(spc_world_set_gravity(s.world, zero), SPC_OK);
    if (rolling)
        roll(&s, vec(0, v, 0), 0);
    else
        CHECK(!spc_body_set_velocity(s.world, s.ball, spc_spatial_make(zero, vec(0, v, 0))));
    CHECK_STATUS(spc_sphere_on_sphere_get(s.world, s.contact, &d.shape), SPC_OK);
    d.shape.rolling = rolling;
    if (on > 0) {
        body.kind = on == 1 ? SPC_KINEMATIC : SPC_DYNAMIC;
        body.mass = spc_mass_solid_sphere(real(MASS), real(1));
        CHECK_STATUS(spc_constraint_remove(s.world, s.contact), SPC_OK);
        CHECK_STATUS(spc_body_add(s.world, &body, &d.a), SPC_OK);
        d.b = s.ball;
        CHECK_STATUS(spc_sphere_on_sphere_add(s.world, &d, &s.contact), SPC_OK);
    }
    CHECK_STATUS(spc_sphere_on_sphere_set(s.world, s.contact, &d.shape), SPC_OK);
    CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
    energy = least = energy_of(s.world);
    for (i = 0; i < 60; i++) {
        CHECK_STATUS(spc_step(s.world, SPC_R(1.0 / 60)), SPC_OK);
        most = fmax(most, fabs((double)rows_of(s.world, s.contact).separation));
        least = fmin(least, energy_of(s.world));
    }
    CHECK(most < 1e-3 * fabs(s.arm)); /* 2e-4 was seen */
    /* in turning about each other freely, 1e-4 came in and went no further */
    CHECK(energy_of(s.world) <= energy * (1 + (on == 2 ? 1e-3 : 1000 * TEST_EPSILON)));
    CHECK(least > 0.98 * energy);
    free(s.world);
}

static void what_goes_round_by_radians_in_a_step_stays_on_its_sphere(void)
{
    int i, on;
    for (i = 0; i < 4; i++)
        for (on = 0; on < 3; on++) {
            check_circling(i & 1, i & 2, on, 0.8);
            check_circling(i & 1, i & 2, on, 1.3);
            check_circling(i & 1, i & 2, on, 3.1);
        }
    for (on = 0; on < 3; on++)
        check_circling(on & 1, false, on, on < 2 ? 10 : 5);
}

/* Beyond 32 parts, as they are for joints, a step is refused, and changes nothing. */
static void what_goes_round_too_fast_is_refused(void)
{
    const fixed_scene s = make_fixed(1, 0.25, true, PI / 2);
    unsigned long long before;
    CHECK(!spc_body_set_velocity(s.world, s.ball, spc_spatial_make(zero, vec(0, 14 * 60, 0))));
    before = spc_world_hash(s.world);
    CHECK_STATUS(spc_step(s.world, SPC_R(1.0 / 60)), SPC_ERROR_BAD_STEP);
    CHECK(spc_world_hash(s.world) == before);
    CHECK_STATUS(spc_step(s.world, SPC_R(1.0 / 240)), SPC_OK);
    free(s.world);
}

/* A shaft of radius 1 turns with 3 rad/s in a fixed ring of radius 2, with a ball between them: it
   comes round with ra / (2 (ra + rb)) of that, and turns about itself the other way, with v = w_a
   ra at the shaft and 0 at the ring. Two contacts, one of them hollow, which must agree. */
static void a_ball_between_a_shaft_and_a_ring_goes_round_like_a_planet(void)
{
    const double w = 3, orbit = w * 1 / (2 * 1.5), tolerance = 2e-5; /* (h w)^2 in an orbit */
    fixed_scene s = make_fixed(2, 0.5, true, PI / 2);
    spc_body_desc shaft = spc_body_desc_default();
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    spc_state ball;
    int i;
    CHECK_STATUS(spc_world_set_gravity(s.world, zero), SPC_OK);
    shaft.kind = SPC_KINEMATIC;
    shaft.state.V_GB.angular = vec(0, 0, w);
    CHECK_STATUS(spc_body_add(s.world, &shaft, &d.a), SPC_OK);
    d.b = s.ball;
    d.shape.radius_a = 1;
    d.shape.radius_b = SPC_R(0.5);
    CHECK_STATUS(spc_sphere_on_sphere_add(s.world, &d, &s.contact), SPC_OK);
    CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
    for (i = 0; i < 1000; i++)
        CHECK_STATUS(spc_step(s.world, SPC_R(1e-3)), SPC_OK);
    ball = state_of(s.world, s.ball); /* from (-3/2 0 0), after 1 s */
    near_vec3(__LINE__, ball.X_GB.p, -1.5 * cos(orbit), -1.5 * sin(orbit), 0,
              tolerance + 1e4 * TEST_EPSILON);
    near_vec3(__LINE__, ball.V_GB.angular, 0, 0, -w, tolerance + 1e4 * TEST_EPSILON);
    free(s.world);
}

/* ------------------------------------------------------- two spheres that move --------- */

/* Two bodies off centre, thrown at random: on the constraint in place and velocity, or off both. */
typedef struct pair_scene {
    spc_world *world;
    spc_body body[2];
    spc_constraint contact;
} pair_scene;

typedef struct thrown {
    spc_body_desc body[2];
    spc_sphere_on_sphere shape;
} thrown;

static thrown random_throw(bool hollow, bool rolling)
{
    thrown t;
    int i;
    t.shape = spc_sphere_on_sphere_default();
    t.shape.rolling = rolling;
    t.shape.hollow = hollow;
    t.shape.p_ASa = test_random_vec3(0.3);
    t.shape.p_BSb = test_random_vec3(0.3);
    t.shape.radius_b = (spc_real)test_random(0.2, 0.5);
    t.shape.radius_a = (spc_real)test_random(0.5, 1) + (hollow ? t.shape.radius_b : 0);
    for (i = 0; i < 2; i++) {
        t.body[i] = spc_body_desc_default();
        t.body[i].mass = test_random_mass();
        t.body[i].state = test_random_state();
    }
    return t;
}

/* swapped: B in the place of A. */
static pair_scene make_pair(const thrown *t, bool swapped)
{
    pair_scene s;
    spc_world_desc desc = spc_world_desc_default(2, 2);
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    int i;
    desc.gravity = vec(0, 0, -G);
    memset(&s, 0, sizeof s);
    s.world = test_world(&desc);
    for (i = 0; i < 2; i++)
        CHECK_STATUS(spc_body_add(s.world, &t->body[i], &s.body[i]), SPC_OK);
    d.shape = t->shape;
    d.a = s.body[swapped ? 1 : 0];
    d.b = s.body[swapped ? 0 : 1];
    if (swapped) {
        d.shape.p_ASa = t->shape.p_BSb;
        d.shape.p_BSb = t->shape.p_ASa;
        d.shape.radius_a = t->shape.radius_b;
        d.shape.radius_b = t->shape.radius_a;
    }
    CHECK_STATUS(spc_sphere_on_sphere_add(s.world, &d, &s.contact), SPC_OK);
    return s;
}

/* Puts it onto the constraint; what it was thrown with is that from now on. */
static void settle(const pair_scene *s, thrown *t)
{
    int i;
    CHECK_STATUS(spc_world_assemble(s->world, (spc_real)(1000 * TEST_EPSILON), NULL), SPC_OK);
    CHECK_STATUS(spc_world_project_velocities(s->world), SPC_OK);
    for (i = 0; i < 2; i++)
        t->body[i].state = state_of(s->world, s->body[i]);
}

/* A and B in each other's places: the same point, the same forces, the same accelerations; off the
   constraint in velocity with a frictionless contact, whose axes do not matter. */
static void swapped_spheres_give_the_same_numbers(void)
{
    const double tolerance = 2e5 * TEST_EPSILON; /* of accelerations up to 100, cond. some 20 */
    int turn, i;
    for (turn = 0; turn < 40; turn++) {
        const bool rolling = turn % 2;
        thrown t = random_throw(false, rolling);
        pair_scene one, two;
        spc_rows rows;
        one = make_pair(&t, false);
        if (rolling)
            settle(&one, &t);
        two = make_pair(&t, true);
        rows = rows_of(two.world, two.contact);
        CHECK_STATUS(spc_world_forward_dynamics(one.world), SPC_OK);
        CHECK_STATUS(spc_world_forward_dynamics(two.world), SPC_OK);
        CHECK_NEAR(distance(rows_of(one.world, one.contact).p_GC, rows.p_GC), 0, 50 * TEST_EPSILON);
        CHECK_NEAR(distance(rows_of(one.world, one.contact).R_GP.z, spc_scale(-1, rows.R_GP.z)), 0,
                   50 * TEST_EPSILON);
        CHECK_NEAR(normal_multiplier(one.world, one.contact),
                   normal_multiplier(two.world, two.contact), tolerance);
        CHECK_NEAR(distance(force_of(one.world, one.contact).force_G,
                            spc_scale(-1, force_of(two.world, two.contact).force_G)),
                   0, tolerance);
        for (i = 0; i < 2; i++) {
            const spc_spatial A = acceleration_of(one.world, one.body[i]);
            const spc_spatial B = acceleration_of(two.world, two.body[i]);
            CHECK_NEAR(distance(A.linear, B.linear), 0, tolerance);
            CHECK_NEAR(distance(A.angular, B.angular), 0, 10 * tolerance);
        }
        free(one.world);
        free(two.world);
    }
}

/* The axes across n come from A's own. With those turned, and all else the same, steps go the same
   way but for rounding: alone, and with a joint on the ball; past the leap of one's axes, too. */
static void run_turned(spc_quat q, int way, spc_vec3 *p)
{
    spc_world_desc desc = spc_world_desc_default(3, 3);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_constraint c;
    int i;
    spc_world *w;
    desc.gravity = vec(0, 1, -G);
    w = test_world(&desc);
    body.kind = SPC_KINEMATIC;
    body.state.X_GB.q = q;
    body.state.V_GB.angular = vec(0.5, 1, 2);
    CHECK_STATUS(spc_body_add(w, &body, &d.a), SPC_OK);
    body = spc_body_desc_default();
    body.mass = spc_mass_solid_sphere(1, SPC_R(0.25));
    body.state.X_GB.p = vec(0.3, 0, -1.25);
    body.state.V_GB = spc_spatial_make(vec(3, 2, 1), vec(2, 4, 0)); /* it slips at first */
    CHECK_STATUS(spc_body_add(w, &body, &d.b), SPC_OK);
    d.shape.radius_a = 1;
    d.shape.radius_b = SPC_R(0.25);
    CHECK_STATUS(spc_sphere_on_sphere_add(w, &d, &c), SPC_OK);
    body.state.X_GB.p.x += 1;
    joint.a = d.b;
    joint.keep_pose = true;
    if (way == 1) {
        CHECK_STATUS(spc_body_add(w, &body, &joint.b), SPC_OK);
        CHECK_STATUS(spc_attachment_add(w, &joint, &c), SPC_OK);
    }
    for (i = 0; i < 60; i++)
        CHECK_STATUS(way == 2 ? spc_step_rk4(w, SPC_R(1.0 / 120), SPC_DRIFT_STABILIZE)
                              : spc_step(w, SPC_R(1.0 / 120)),
                     SPC_OK);
    *p = state_of(w, d.b).X_GB.p;
    free(w);
}

static void steps_do_not_see_which_axes_a_has(void)
{
    int way, turn;
    for (way = 0; way < 3; way++) {
        spc_vec3 want, got;
        run_turned(spc_quat_identity(), way, &want);
        for (turn = 0; turn < 10; turn++) {
            run_turned(test_random_quat(), way, &got);
            CHECK_NEAR(distance(got, want), 0, 2e4 * TEST_EPSILON); /* 60 steps of some roundings */
        }
    }
}

/* After 1/2 s: steps of 1/n s. */
static void run_pair(const thrown *t, int n, bool fine, spc_vec3 *p)
{
    const pair_scene s = make_pair(t, false);
    int i;
    for (i = 0; i < n / 2; i++)
        CHECK_STATUS(fine ? spc_step_rk4(s.world, 1 / (spc_real)n, SPC_DRIFT_PROJECT)
                          : spc_step(s.world, 1 / (spc_real)n),
                     SPC_OK);
    for (i = 0; i < 2; i++)
        p[i] = state_of(s.world, s.body[i]).X_GB.p;
    free(s.world);
}

static double way_off(const spc_vec3 *p, const spc_vec3 *q)
{
    return fmax(distance(p[0], q[0]), distance(p[1], q[1]));
}

/* Halving the step divides the error by 4, and that of Runge-Kutta by 16, on balls and in bowls:
   measured against steps of 1/3840 s, for a geometric mean of many throws. */
static void steps_on_spheres_converge_with_their_orders(void)
{
    double sum[2] = { 0, 0 };
    int turn, fine, count = 0;
    if (sizeof(spc_real) < sizeof(double))
        return; /* rounding is larger than what rk4 leaves */
    for (turn = 0; turn < 12; turn++) {
        thrown t = random_throw(turn % 2, turn % 3 != 0);
        const pair_scene s = make_pair(&t, false);
        spc_vec3 exact[2], coarse[2], half[2];
        settle(&s, &t);
        free(s.world);
        run_pair(&t, 3840, true, exact);
        for (fine = 0; fine < 2; fine++) {
            run_pair(&t, fine ? 120 : 240, fine, coarse);
            run_pair(&t, fine ? 240 : 480, fine, half);
            sum[fine] += log(way_off(coarse, exact) / way_off(half, exact)) / log(2);
        }
        count++;
    }
    CHECK_NEAR(sum[0] / count, 2, 0.2);
    CHECK_NEAR(sum[1] / count, 4, 0.3);
}

/* A pair in free fall keeps its momenta to rounding, and its energy but for the method's error;
   the gap that a step leaves is of third order, and does not grow. */
static void thrown_pairs_keep_momenta_energy_and_contact(void)
{
    static const int rates[4] = { 60, 240, 1000, 240 };
    /* 1.5 times what was seen: of at least second order, of third, the last of spc_step_rk4 */
    static const double energy[4] = { 1.6e-2, 3e-4, 6e-6, 1.8e-7 };
    static const double gap[4] = { 4.4e-4, 6.5e-6, 8.7e-8, 0 };
    double worst[4][2];
    int turn, k, i;
    memset(worst, 0, sizeof worst);
    for (turn = 0; turn < 8; turn++) {
        thrown t = random_throw(turn % 2, turn % 4 < 2);
        pair_scene s = make_pair(&t, false);
        settle(&s, &t);
        free(s.world);
        for (k = 0; k < 4; k++) {
            const spc_real h = 1 / (spc_real)rates[k];
            spc_energy_momentum begin, end;
            double kinetic;
            s = make_pair(&t, false);
            CHECK_STATUS(spc_world_set_gravity(s.world, zero), SPC_OK);
            CHECK_STATUS(spc_world_get_energy_momentum(s.world, &begin), SPC_OK);
            kinetic = (double)begin.kinetic;
            for (i = 0; i < 3 * rates[k]; i++) {
                CHECK_STATUS(k == 3 ? spc_step_rk4(s.world, h, SPC_DRIFT_PROJECT)
                                    : spc_step(s.world, h),
                             SPC_OK);
                worst[k][1] =
                    fmax(worst[k][1], fabs((double)rows_of(s.world, s.contact).separation));
            }
            CHECK_STATUS(spc_world_get_energy_momentum(s.world, &end), SPC_OK);
            worst[k][0] = fmax(worst[k][0], fabs((double)end.kinetic / kinetic - 1));
            if (k < 3) {
                CHECK_NEAR(distance(begin.linear, end.linear), 0, 2e4 * TEST_EPSILON);
                CHECK_NEAR(distance(begin.angular, end.angular), 0, 2e5 * TEST_EPSILON);
            }
            free(s.world);
        }
    }
    for (k = 0; k < 4; k++) {
        CHECK_NEAR(worst[k][0], 0, energy[k] + 1e4 * TEST_EPSILON);
        CHECK_NEAR(worst[k][1], 0, gap[k] + 200 * TEST_EPSILON);
    }
}

/* ------------------------------------------------------------------- the world --------- */

/* A gap closes as (1 + t/T) exp(-t/T), and slip goes as exp(-2 t/T). */
static void gaps_and_slip_decay_as_stabilization_has_it(void)
{
    const double h = 1e-3, T = 0.1, tolerance = 1e-9 + 2000 * TEST_EPSILON;
    int hollow, i;
    for (hollow = 0; hollow < 2; hollow++) {
        const fixed_scene s = make_fixed(2, 0.5, hollow, 0.3);
        const spc_vec3 n = rows_of(s.world, s.contact).R_GP.z;
        const double slip = 2 * (hollow ? 0.5 : 0.5 / 2.5 * 2.75); /* 2 rad/s at C - S */
        spc_state state = state_of(s.world, s.ball);
        CHECK_STATUS(spc_world_set_gravity(s.world, zero), SPC_OK);
        state.X_GB.p = spc_add(state.X_GB.p, spc_scale(SPC_R(0.25), n));
        CHECK_STATUS(spc_body_set_pose(s.world, s.ball, state.X_GB), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, spc_spatial_make(vec(0, 2, 0), zero)),
                     SPC_OK);
        for (i = 1; i <= 400; i++) {
            spc_rows rows;
            CHECK_STATUS(spc_step_rk4(s.world, (spc_real)h, SPC_DRIFT_STABILIZE), SPC_OK);
            rows = rows_of(s.world, s.contact);
            CHECK_NEAR(rows.separation, 0.25 * (1 + i * h / T) * exp(-i * h / T), tolerance);
            CHECK_NEAR(sqrt((double)(rows.velocity_errors[0] * rows.velocity_errors[0] +
                                     rows.velocity_errors[1] * rows.velocity_errors[1])),
                       slip * exp(-2 * i * h / T), 20 * tolerance);
        }
        free(s.world);
    }
}

/* From far off it is put onto the constraint; from drift spc_step puts it there at once. */
static void assembly_and_steps_close_gaps(void)
{
    const double rounding = 40 * TEST_EPSILON; /* some ten roundings of coordinates up to 3 */
    int turn;
    for (turn = 0; turn < 20; turn++) {
        const thrown t = random_throw(turn % 2, turn % 3);
        const pair_scene s = make_pair(&t, false);
        spc_state state;
        spc_real residual = -1;
        CHECK_STATUS(spc_world_assemble(s.world, (spc_real)rounding, &residual), SPC_OK);
        CHECK_NEAR(rows_of(s.world, s.contact).separation, 0, rounding);
        CHECK(residual >= 0 && residual <= (spc_real)rounding);
        CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
        CHECK_NEAR(rows_of(s.world, s.contact).velocity_errors[2], 0, 10 * rounding);
        state = state_of(s.world, s.body[1]);
        state.X_GB.p.x += SPC_R(1e-4);
        CHECK_STATUS(spc_body_set_pose(s.world, s.body[1], state.X_GB), SPC_OK);
        CHECK_STATUS(spc_step(s.world, SPC_R(1e-4)), SPC_OK);
        /* its square over an arm of some 1/4, and that of 5 m/s times the step */
        CHECK_NEAR(rows_of(s.world, s.contact).separation, 0, 1e-6 + rounding);
        free(s.world);
    }
}

/* A second contact of the same two spheres says nothing new: the multipliers are halved. */
static void a_second_contact_of_the_same_spheres_is_redundant(void)
{
    const double tolerance = 1e-9 + 2e4 * TEST_EPSILON;
    thrown t = random_throw(false, true);
    const pair_scene s = make_pair(&t, false);
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    spc_spatial A[2];
    spc_world_report report;
    spc_constraint second;
    double lambda;
    int i;
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    lambda = normal_multiplier(s.world, s.contact);
    for (i = 0; i < 2; i++)
        A[i] = acceleration_of(s.world, s.body[i]);
    d.a = s.body[0];
    d.b = s.body[1];
    d.shape = t.shape;
    CHECK_STATUS(spc_sphere_on_sphere_add(s.world, &d, &second), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_STATUS(spc_world_get_report(s.world, &report), SPC_OK);
    CHECK(report.redundant_rows == 3 && report.contradictory == 0);
    CHECK_NEAR(normal_multiplier(s.world, s.contact), lambda / 2, tolerance * (1 + fabs(lambda)));
    CHECK_NEAR(normal_multiplier(s.world, second), lambda / 2, tolerance * (1 + fabs(lambda)));
    for (i = 0; i < 2; i++)
        CHECK_NEAR(distance(A[i].linear, acceleration_of(s.world, s.body[i]).linear), 0,
                   100 * tolerance);
    free(s.world);
}

/* The shape can be read and changed at any time: a ball inside a bowl becomes one outside of it. */
static void shapes_of_spheres_change_at_any_time(void)
{
    const fixed_scene s = make_fixed(2, 0.5, true, 0.1);
    spc_sphere_on_sphere shape;
    spc_constraint_info info;
    CHECK_STATUS(spc_sphere_on_sphere_get(s.world, s.contact, &shape), SPC_OK);
    CHECK(shape.hollow && shape.rolling);
    CHECK_NEAR(shape.radius_a, 2, 0);
    CHECK_NEAR(shape.radius_b, 0.5, 0);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.contact, &info), SPC_OK);
    CHECK(info.kind == SPC_SPHERE_ON_SPHERE && info.position_rows == 1 && info.velocity_rows == 2);
    shape.hollow = shape.rolling = false;
    shape.p_BSb = vec(0, 0, 1);
    CHECK_STATUS(spc_sphere_on_sphere_set(s.world, s.contact, &shape), SPC_OK);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.contact, &info), SPC_OK);
    CHECK(info.position_rows == 1 && info.velocity_rows == 0);
    CHECK(spc_world_row_count(s.world) == 1);
    CHECK_STATUS(spc_world_assemble(s.world, SPC_R(1e-5), NULL), SPC_OK);
    CHECK_NEAR(distance(spc_transform_point(state_of(s.world, s.ball).X_GB, vec(0, 0, 1)), zero),
               2.5, 2e-5);
    free(s.world);
}

/* Restored at another address, a world of spheres on spheres runs on with the same bits. */
static void a_snapshot_of_spheres_runs_on_alike(void)
{
    const thrown t = random_throw(true, true);
    const pair_scene s = make_pair(&t, false);
    const size_t bytes = spc_world_snapshot_size(s.world);
    void *memory = malloc(bytes);
    spc_world *copy = NULL;
    int i;
    CHECK_STATUS(spc_step(s.world, SPC_R(0.01)), SPC_OK);
    memcpy(memory, s.world, bytes);
    CHECK_STATUS(spc_world_open(memory, bytes, &copy), SPC_OK);
    for (i = 0; i < 50; i++) {
        CHECK_STATUS(spc_step(s.world, SPC_R(0.01)), SPC_OK);
        CHECK_STATUS(spc_step(copy, SPC_R(0.01)), SPC_OK);
    }
    CHECK(spc_world_hash(s.world) == spc_world_hash(copy));
    free(memory);
    free(s.world);
}

/* A contact alone needs no factorization. */
static void a_ball_on_a_sphere_alone_needs_no_factorization(void)
{
    const fixed_scene s = make_fixed(2, 0.5, false, 0.3);
    spc_world_report report;
    CHECK_STATUS(spc_step(s.world, SPC_R(0.01)), SPC_OK);
    CHECK_STATUS(spc_world_get_report(s.world, &report), SPC_OK);
    CHECK(report.factorizations == 0);
    free(s.world);
}

/* -------------------------------------------------------------------- refusals --------- */

/* Rows of centres at a distance; rows that are refused are not touched. */
static void check_centres(double apart, spc_vec3 at, spc_status wanted)
{
    spc_sphere_on_sphere shape = spc_sphere_on_sphere_default();
    spc_state a = spc_state_identity(), b = a;
    unsigned char before[sizeof(spc_rows)];
    spc_rows rows;
    shape.radius_a = 2;
    shape.radius_b = 1;
    shape.p_ASa = at;
    shape.p_BSb = spc_add(at, vec(0, apart, 0));
    a.X_GB.q = b.X_GB.q = test_random_quat();
    memset(&rows, 0xA5, sizeof rows);
    memcpy(before, &rows, sizeof rows);
    CHECK_STATUS(spc_sphere_on_sphere_rows(&shape, &a, &b, &rows), wanted);
    CHECK((memcmp(before, &rows, sizeof rows) == 0) == (wanted != SPC_OK));
    shape.hollow = true;
    CHECK_STATUS(spc_sphere_on_sphere_rows(&shape, &a, &b, &rows), wanted);
}

/* With coordinates c, what is closer than 16 roundings of c (8 in single precision) is no
   direction; without any, only what coincides is none. */
static void coincident_centres_have_no_rows(void)
{
    check_centres(0, zero, SPC_ERROR_NO_CONTACT_POINT);
    check_centres(1e-20, zero, SPC_OK);
    check_centres(0, vec(0.3, 0.5, 0.7), SPC_ERROR_NO_CONTACT_POINT);
    check_centres(TEST_EPSILON, vec(0.3, 0.5, 0.7), SPC_ERROR_NO_CONTACT_POINT);
    check_centres(100 * TEST_EPSILON, vec(0.3, 0.5, 0.7), SPC_OK);
    check_centres(100 * TEST_EPSILON, vec(0.3, 50, 0.7), SPC_ERROR_NO_CONTACT_POINT);
}

/* Numbers whose rows would not be finite. */
static void rows_that_would_not_be_finite_are_refused(void)
{
    const double most = sizeof(spc_real) == sizeof(double) ? 1.5e308 : 3e38;
    spc_sphere_on_sphere shape = spc_sphere_on_sphere_default();
    spc_state a = spc_state_identity(), b = a;
    spc_rows rows;
    shape.radius_a = shape.radius_b = 1;
    b.X_GB.p = vec(0, 0, most);
    CHECK_STATUS(spc_sphere_on_sphere_rows(&shape, &a, &b, &rows), SPC_OK);
    a.X_GB.p = vec(0, 0, -most);
    CHECK_STATUS(spc_sphere_on_sphere_rows(&shape, &a, &b, &rows), SPC_ERROR_NOT_FINITE);
    a.X_GB.p = zero;
    b.V_GB.linear = vec(most, 0, 0);
    b.V_GB.angular = vec(3, 3, 3);
    b.X_GB.p = vec(0, 0, 1e-3);
    CHECK_STATUS(spc_sphere_on_sphere_rows(&shape, &a, &b, &rows), SPC_ERROR_NOT_FINITE);
    b.V_GB.linear = b.V_GB.angular = zero;
    b.X_GB.p.x = (spc_real)NAN;
    CHECK_STATUS(spc_sphere_on_sphere_rows(&shape, &a, &b, &rows), SPC_ERROR_NOT_FINITE);
    b.X_GB.p = vec(0, 0, 2);
    shape.radius_a = shape.radius_b = (spc_real)(2 * most);
    CHECK_STATUS(spc_sphere_on_sphere_rows(&shape, &a, &b, &rows), SPC_ERROR_NOT_FINITE);
}

/* A ball is brought to the bowl's centre: every call that needs its rows is refused, and changes
   nothing. */
static void a_ball_in_the_bowls_centre_is_refused(void)
{
    const fixed_scene s = make_fixed(2, 0.5, true, 0.1);
    const size_t bytes = spc_world_snapshot_size(s.world);
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    spc_constraint other;
    spc_state before, after;
    spc_rows rows;
    void *copy = malloc(bytes);
    CHECK_STATUS(spc_body_set_pose(s.world, s.ball, spc_transform_identity()), SPC_OK);
    before = state_of(s.world, s.ball);
    CHECK_STATUS(spc_constraint_get_rows(s.world, s.contact, &rows), SPC_ERROR_NO_CONTACT_POINT);
    CHECK_STATUS(spc_step(s.world, SPC_R(0.01)), SPC_ERROR_NO_CONTACT_POINT);
    CHECK_STATUS(spc_step_rk4(s.world, SPC_R(0.01), SPC_DRIFT_PROJECT), SPC_ERROR_NO_CONTACT_POINT);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_ERROR_NO_CONTACT_POINT);
    CHECK_STATUS(spc_world_assemble(s.world, SPC_R(1e-5), NULL), SPC_ERROR_NO_CONTACT_POINT);
    memcpy(copy, s.world, bytes);
    d.b = s.ball;
    d.shape.radius_a = 2;
    d.shape.radius_b = 1;
    d.enabled = false;
    CHECK_STATUS(spc_sphere_on_sphere_add(s.world, &d, &other), SPC_ERROR_NO_CONTACT_POINT);
    CHECK(memcmp(copy, s.world, bytes) == 0);
    after = state_of(s.world, s.ball);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    free(copy);
    free(s.world);
}

/* One number of a good shape is another; and nothing else is wrong with it. The world refuses it,
   too, and keeps the one that it has, bit for bit. */
static void check_number(int line, spc_sphere_on_sphere *shape, spc_real *number, double other,
                         spc_status wanted)
{
    const fixed_scene s = make_fixed(2, 0.5, true, 0.1);
    const size_t bytes = spc_world_snapshot_size(s.world);
    const spc_real good = *number;
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    spc_constraint other_contact;
    void *copy = malloc(bytes);
    memcpy(copy, s.world, bytes);
    *number = (spc_real)other;
    test_status(__FILE__, line, "check", spc_sphere_on_sphere_check(shape), wanted);
    if (wanted) {
        d.b = s.ball;
        d.shape = *shape;
        test_status(__FILE__, line, "add", spc_sphere_on_sphere_add(s.world, &d, &other_contact),
                    wanted);
        test_status(__FILE__, line, "set", spc_sphere_on_sphere_set(s.world, s.contact, shape),
                    wanted);
        CHECK(memcmp(copy, s.world, bytes) == 0);
    }
    *number = good;
    test_status(__FILE__, line, "and back", spc_sphere_on_sphere_check(shape), SPC_OK);
    free(copy);
    free(s.world);
}

static void parameters_of_spheres_are_checked(void)
{
    const double bad[3] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    spc_sphere_on_sphere d = spc_sphere_on_sphere_default();
    int i;
    CHECK_STATUS(spc_sphere_on_sphere_check(NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_sphere_on_sphere_check(&d), SPC_ERROR_BAD_RADIUS);
    d.radius_a = 2;
    CHECK_STATUS(spc_sphere_on_sphere_check(&d), SPC_ERROR_BAD_RADIUS);
    d.radius_b = 1;
    check_number(__LINE__, &d, &d.radius_a, 0, SPC_ERROR_BAD_RADIUS);
    check_number(__LINE__, &d, &d.radius_a, -2, SPC_ERROR_BAD_RADIUS);
    check_number(__LINE__, &d, &d.radius_b, 0, SPC_ERROR_BAD_RADIUS);
    check_number(__LINE__, &d, &d.radius_b, -1, SPC_ERROR_BAD_RADIUS);
    check_number(__LINE__, &d, &d.radius_a, 1, SPC_OK); /* outside any two will do */
    check_number(__LINE__, &d, &d.radius_a, 0.5, SPC_OK);
    d.hollow = true;
    check_number(__LINE__, &d, &d.radius_a, 1, SPC_ERROR_BAD_RADIUS);
    check_number(__LINE__, &d, &d.radius_a, 0.5, SPC_ERROR_BAD_RADIUS);
    check_number(__LINE__, &d, &d.radius_a, 1 + 2 * TEST_EPSILON, SPC_OK);
    check_number(__LINE__, &d, &d.radius_b, 2, SPC_ERROR_BAD_RADIUS);
    check_number(__LINE__, &d, &d.radius_b, 0, SPC_ERROR_BAD_RADIUS);
    for (i = 0; i < 3; i++) {
        check_number(__LINE__, &d, &d.p_ASa.x, bad[i], SPC_ERROR_NOT_FINITE);
        check_number(__LINE__, &d, &d.p_BSb.z, bad[i], SPC_ERROR_NOT_FINITE);
        check_number(__LINE__, &d, &d.radius_a, bad[i], SPC_ERROR_NOT_FINITE);
        check_number(__LINE__, &d, &d.radius_b, bad[i], SPC_ERROR_NOT_FINITE);
    }
}

static const test_entry tests[] = {
    TEST(two_spheres_by_hand),
    TEST(the_bowl_by_hand),
    TEST(the_contact_point_shares_a_gap_outside_and_is_on_the_ball_inside),
    TEST(multipliers_are_negative_where_spheres_press),
    TEST(axes_are_continuous_but_where_the_normal_is_against_z),
    TEST(a_ball_on_a_fixed_ball_begins_to_pull_at_ten_seventeenths),
    TEST(a_ball_that_rolls_down_a_ball_pulls_from_there_on),
    TEST(a_ball_in_a_bowl_swings_like_a_longer_pendulum),
    TEST(a_bowl_that_hangs_on_a_ball_swings),
    TEST(a_rolling_ball_keeps_its_spin_about_the_normal),
    TEST(a_ball_that_goes_round_fast_gains_no_energy),
    TEST(what_goes_round_by_radians_in_a_step_stays_on_its_sphere),
    TEST(what_goes_round_too_fast_is_refused),
    TEST(a_ball_between_a_shaft_and_a_ring_goes_round_like_a_planet),
    TEST(swapped_spheres_give_the_same_numbers),
    TEST(steps_do_not_see_which_axes_a_has),
    TEST(steps_on_spheres_converge_with_their_orders),
    TEST(thrown_pairs_keep_momenta_energy_and_contact),
    TEST(gaps_and_slip_decay_as_stabilization_has_it),
    TEST(assembly_and_steps_close_gaps),
    TEST(a_second_contact_of_the_same_spheres_is_redundant),
    TEST(shapes_of_spheres_change_at_any_time),
    TEST(a_snapshot_of_spheres_runs_on_alike),
    TEST(a_ball_on_a_sphere_alone_needs_no_factorization),
    TEST(coincident_centres_have_no_rows),
    TEST(rows_that_would_not_be_finite_are_refused),
    TEST(a_ball_in_the_bowls_centre_is_refused),
    TEST(parameters_of_spheres_are_checked)
};

TEST_MAIN
