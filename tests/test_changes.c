/* [7] What may change while a world runs: constraints, forces, clocks, snapshots, bodies. */
#include "balls.h"

/* ----------------------------------------------------------------------------- the rest ------- */

/* Enabled, disabled, other parameters: at any time, and seen by the next call. */
static void constraints_change_at_any_time(void)
{
    const spc_mass mass = spc_mass_solid_sphere(1, SPC_R(0.5));
    ball_scene s = make_ball(&mass, zero, SPC_R(0.5), level(), zero);
    spc_sphere_on_plane shape;
    spc_contact_force force;
    spc_constraint_info info;
    spc_real lambda[SPC_MAX_ROWS];
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_STATUS(spc_constraint_get_forces(s.world, s.contact, &force), SPC_OK);
    CHECK_NEAR(force.force_G.z, 9.81, 10 * TEST_EPSILON * 9.81);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.contact, &info), SPC_OK);
    CHECK(info.position_rows == 1 && info.velocity_rows == 2 && info.acceleration_rows == 0);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.contact, false), SPC_OK);
    CHECK_STATUS(spc_constraint_get_forces(s.world, s.contact, &force), SPC_OK);
    CHECK_NEAR(force.force_G.z, 0, 0);
    CHECK(spc_world_row_count(s.world) == 0);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.contact, &info), SPC_OK);
    CHECK(!info.enabled && info.row_index == -1 && info.position_rows + info.velocity_rows == 0);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_NEAR(acceleration_of(s.world, s.ball).linear.z, -9.81, 9.81 * TEST_EPSILON);
    CHECK_NEAR(rows_of(s.world, s.contact).separation, 0, TEST_EPSILON); /* valid when disabled */
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.contact, true), SPC_OK);
    CHECK_STATUS(spc_sphere_on_plane_get(s.world, s.contact, &shape), SPC_OK);
    shape.rolling = false;
    shape.radius = SPC_R(0.25);
    shape.half_width = 4;
    CHECK_STATUS(spc_sphere_on_plane_set(s.world, s.contact, &shape), SPC_OK);
    CHECK_NEAR(rows_of(s.world, s.contact).separation, 0.25, TEST_EPSILON);
    CHECK_STATUS(spc_body_add_force(s.world, s.ball, spc_vec3_make(3, 0, 0), zero, SPC_ONE_STEP),
                 SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_NEAR(acceleration_of(s.world, s.ball).linear.x, 3, 4 * TEST_EPSILON); /* frictionless */
    CHECK_STATUS(spc_constraint_get_multipliers(s.world, s.contact, lambda), SPC_OK);
    CHECK_NEAR(lambda[0], 0, 0);
    CHECK(spc_world_row_count(s.world) == 1);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.contact, &info), SPC_OK);
    CHECK(info.position_rows == 1 && info.velocity_rows == 0 && info.acceleration_rows == 0);
    CHECK_STATUS(spc_constraint_set_conditional(s.world, s.contact, true), SPC_OK);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.contact, &info), SPC_OK);
    CHECK(info.conditional && info.b.index == s.ball.index && info.a.index == 0);
    free(s.world);
}

/* The step's multipliers are forces: what holds a ball on an incline, from either method. */
static void steps_report_forces(void)
{
    const spc_mass mass = spc_mass_solid_sphere(2, SPC_R(0.1));
    int method;
    for (method = 0; method < 2; method++) {
        const spc_quat q = spc_quat_from_rotation_vector(spc_vec3_make(0, SPC_R(0.3), 0));
        ball_scene s = make_ball(&mass, zero, SPC_R(0.1), spc_transform_make(q, zero), zero);
        spc_real lambda[SPC_MAX_ROWS];
        CHECK_STATUS(method ? spc_step(s.world, SPC_R(0.01))
                            : spc_step_rk4(s.world, SPC_R(0.01), SPC_DRIFT_STABILIZE),
                     SPC_OK);
        CHECK_STATUS(spc_constraint_get_multipliers(s.world, s.contact, lambda), SPC_OK);
        CHECK_NEAR(lambda[0], 2.0 / 7 * 2 * 9.81 * sin(0.3), 1e3 * TEST_EPSILON);
        CHECK_NEAR(lambda[2], -2 * 9.81 * cos(0.3), 1e3 * TEST_EPSILON);
        free(s.world);
    }
}

/* A floor that is the dynamic body, a ball that is fixed: the same contact, seen from the other
   side. */
static void a_plate_slides_over_a_fixed_ball(void)
{
    int fast;
    spc_state end[2];
    for (fast = 0; fast < 2; fast++) {
        spc_world_desc desc = spc_world_desc_default(2, 1);
        spc_body_desc body = spc_body_desc_default();
        spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
        spc_world *w;
        spc_constraint c;
        spc_rows rows;
        spc_real lambda[SPC_MAX_ROWS];
        const double h = 0.005;
        int i, k;
        desc.gravity = spc_vec3_make(SPC_R(0.3), 0, SPC_R(-9.81));
        desc.stabilization.enabled = false;
        /* masks that ignore nothing that exists send the same island through the general solver */
        desc.stabilization.ignore_position = fast ? 0u : 32u;
        w = test_world(&desc);
        body.mass = spc_mass_box(2, spc_vec3_make(1, 1, SPC_R(0.1)));
        body.mass.p_BBc = spc_vec3_make(SPC_R(0.1), SPC_R(0.2), 0);
        body.state.X_GB.p.z = SPC_R(0.5);
        body.state.V_GB = spc_spatial_make(spc_vec3_make(0, 0, SPC_R(0.5)), zero);
        CHECK_STATUS(spc_body_add(w, &body, &d.floor), SPC_OK);
        body.kind = SPC_KINEMATIC;
        body.state.X_GB.p.z = 0;
        body.state.V_GB.angular = spc_vec3_make(0, 2, 0);
        CHECK_STATUS(spc_body_add(w, &body, &d.ball), SPC_OK);
        d.shape.X_FP.q = spc_quat_make(0, 1, 0, 0); /* the plane looks down on the ball */
        d.shape.radius = SPC_R(0.5);
        CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
        CHECK_STATUS(spc_world_project_velocities(w), SPC_OK);
        for (i = 0; i < 20; i++) {
            const spc_vec3 before = state_of(w, d.floor).V_GB.angular;
            double W, A, left;
            CHECK_STATUS(spc_step(w, (spc_real)h), SPC_OK);
            /* both turn; the ball's surface is 0.5 from its middle, the contact 0.7 from Bc */
            W = 2 +
                fmax((double)spc_norm(before), (double)spc_norm(state_of(w, d.floor).V_GB.angular));
            A = distance(before, state_of(w, d.floor).V_GB.angular) / h;
            left = h * h / 4 * change_of_drift(W, A, 0.7);
            rows = rows_of(w, c);
            for (k = 0; k < 3; k++)
                CHECK_NEAR(rows.velocity_errors[k], 0, left + 50 * TEST_EPSILON);
            CHECK_STATUS(spc_world_project_velocities(w), SPC_OK);
            rows = rows_of(w, c);
            for (k = 0; k < 3; k++)
                CHECK_NEAR(rows.velocity_errors[k], 0, 50 * TEST_EPSILON);
        }
        CHECK_STATUS(spc_step(w, (spc_real)h), SPC_OK);
        CHECK_STATUS(spc_constraint_get_multipliers(w, c, lambda), SPC_OK);
        CHECK(lambda[2] <
              0); /* the ball is pushed down, along the plane's normal: minus the multiplier */
        end[fast] = state_of(w, d.floor);
        free(w);
    }
    CHECK_NEAR(distance(end[0].X_GB.p, end[1].X_GB.p), 0, 100 * TEST_EPSILON);
    CHECK_NEAR(distance(end[0].V_GB.angular, end[1].V_GB.angular), 0, 1e4 * TEST_EPSILON);
}

/* Short paths and general paths of a step agree for balls of all kinds on all floors. */
static void all_paths_of_a_step_agree(void)
{
    int turn;
    for (turn = 0; turn < 60; turn++) {
        spc_mass mass = turn % 3 ? test_random_mass() : spc_mass_solid_sphere(2, SPC_R(0.4));
        const spc_vec3 p_BS = turn % 2 ? test_random_vec3(0.1) : zero, w = test_random_vec3(3);
        const spc_state floor = test_random_state();
        spc_state end[2];
        int general, i;
        for (general = 0; general < 2; general++) {
            ball_scene s = make_ball(&mass, p_BS, SPC_R(0.4), level(), w);
            spc_stabilization st = spc_stabilization_default();
            st.enabled = turn % 5 != 0;
            st.ignore_position = general ? 1u : 0u; /* a row without a position level */
            if (turn % 4 == 0)
                put_on_floor(&s, &floor, floor.V_GB);
            CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.contact, &st), SPC_OK);
            for (i = 0; i < 5; i++)
                CHECK_STATUS(spc_step(s.world, SPC_R(0.002)), SPC_OK);
            end[general] = state_of(s.world, s.ball);
            free(s.world);
        }
        CHECK_NEAR(distance(end[0].X_GB.p, end[1].X_GB.p), 0, 100 * TEST_EPSILON);
        CHECK_NEAR(distance(end[0].V_GB.angular, end[1].V_GB.angular), 0, 4e3 * TEST_EPSILON);
    }
}

/* Forces of one step act once; lasting ones until they are cleared. */
static void forces_last_as_long_as_they_should(void)
{
    ball_scene s = free_body(zero);
    const spc_vec3 F = spc_vec3_make(2, 0, 0), at = spc_vec3_make(0, SPC_R(0.5), 0);
    CHECK_STATUS(spc_body_add_force(s.world, s.ball, F, at, SPC_ONE_STEP), SPC_OK);
    CHECK_STATUS(spc_body_add_torque(s.world, s.ball, spc_vec3_make(0, 1, 0), SPC_LASTING), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_NEAR(acceleration_of(s.world, s.ball).linear.x, 2, 4 * TEST_EPSILON);
    CHECK_NEAR(acceleration_of(s.world, s.ball).angular.z, -1.0 / 3, 4 * TEST_EPSILON);
    CHECK_STATUS(spc_step(s.world, SPC_R(0.5)), SPC_OK);
    CHECK_NEAR(state_of(s.world, s.ball).V_GB.linear.x, 1, 4 * TEST_EPSILON);
    CHECK_STATUS(spc_step_rk4(s.world, SPC_R(0.5), SPC_DRIFT_STABILIZE), SPC_OK);
    CHECK_NEAR(state_of(s.world, s.ball).V_GB.linear.x, 1, 4 * TEST_EPSILON);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK(fabs((double)acceleration_of(s.world, s.ball).angular.y) > 0.1);
    CHECK_STATUS(spc_body_clear_forces(s.world, s.ball), SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, spc_spatial_make(zero, zero)), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_NEAR(spc_norm(acceleration_of(s.world, s.ball).angular), 0, 0);
    free(s.world);
}

/* A world of many shapes, for snapshots and hashes. */
static spc_world *crowd(spc_body *first)
{
    spc_world_desc desc = spc_world_desc_default(12, 16);
    spc_world *w;
    spc_body b[12];
    spc_constraint c;
    int i;
    desc.gravity = spc_vec3_make(0, 0, SPC_R(-9.81));
    w = test_world(&desc);
    test_seed = 5;
    for (i = 0; i < 12; i++) {
        spc_body_desc body = spc_body_desc_default();
        body.mass = test_random_mass();
        body.state = test_random_state();
        CHECK_STATUS(spc_body_add(w, &body, &b[i]), SPC_OK);
    }
    for (i = 0; i < 12; i++) {
        spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
        d.shape.radius = SPC_R(0.5);
        d.shape.p_BS = test_random_vec3(0.2);
        d.ball = b[i];
        if (i > 0)
            d.floor = b[i < 8 ? 0 : i - 1];
        CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
    }
    *first = b[0];
    return w;
}

static void a_snapshot_runs_on_alike_at_any_address(void)
{
    spc_body first;
    spc_world *w = crowd(&first), *copy;
    const size_t bytes = spc_world_snapshot_size(w);
    char *memory = (char *)malloc(bytes + 64);
    unsigned long long end;
    int i;
    for (i = 0; i < 20; i++)
        CHECK_STATUS(spc_step(w, SPC_R(0.002)), SPC_OK);
    memcpy(memory + 40, w, bytes);
    for (i = 0; i < 20; i++)
        CHECK_STATUS(spc_step(w, SPC_R(0.002)), SPC_OK);
    end = spc_world_hash(w);
    CHECK_STATUS(spc_world_open(memory + 40, bytes, &copy), SPC_OK);
    CHECK(spc_world_hash(copy) != end);
    for (i = 0; i < 20; i++)
        CHECK_STATUS(spc_step(copy, SPC_R(0.002)), SPC_OK);
    CHECK(spc_world_hash(copy) == end);
    CHECK(!memcmp(w, copy, bytes));
    free(memory);
    free(w);
}

/* Forward dynamics, queries and refused calls leave no trace in what follows. */
static void what_ran_before_does_not_matter(void)
{
    spc_body first;
    spc_world *w = crowd(&first), *v = crowd(&first);
    spc_real residual;
    int i;
    for (i = 0; i < 20; i++) {
        CHECK_STATUS(spc_step(w, SPC_R(0.002)), SPC_OK);
        CHECK_STATUS(spc_world_forward_dynamics(v), SPC_OK);
        (void)spc_world_assemble(v, SPC_R(1e30), &residual);
        CHECK_STATUS(spc_step(v, -1), SPC_ERROR_BAD_STEP);
        CHECK_STATUS(spc_step(v, SPC_R(0.002)), SPC_OK);
        CHECK(spc_world_hash(w) == spc_world_hash(v));
    }
    free(w);
    free(v);
}

/* A belt that moves with 1 m/s, by the clock. */
static void run_on(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    (void)user;
    (void)acceleration;
    state->X_GB.p.x = time;
    state->V_GB.linear.x = 1;
}

/* Calls that take one step of the clock. */
static spc_status step_by_parts(spc_world *w, spc_real h)
{
    const spc_status status = spc_world_free_motion(w, h, NULL, NULL, 0);
    return status ? status : spc_world_end_motion(w, h);
}

static spc_status step_by_rk4(spc_world *w, spc_real h)
{
    return spc_step_rk4(w, h, SPC_DRIFT_STABILIZE);
}

static spc_world *belt_world(spc_body *belt)
{
    const spc_world_desc desc = spc_world_desc_default(1, 0);
    spc_body_desc body = spc_body_desc_default();
    spc_world *w = test_world(&desc);
    body.kind = SPC_KINEMATIC;
    body.motion = run_on;
    CHECK_STATUS(spc_body_add(w, &body, belt), SPC_OK);
    return w;
}

/* n steps of h come to n h but for a rounding of the clock itself and one of this product; at rates
   that no binary fraction has, for so long that a plain sum in single precision is off by a second
   to a minute. */
static void the_clock_runs_right_at_any_rate(void)
{
    static const struct {
        spc_status (*step)(spc_world *w, spc_real h);
        int rate, seconds;
    } runs[] = { { spc_step, 240, LONG_OR_SHORT(1000, 200) },
                 { spc_step, 1000, LONG_OR_SHORT(4000, 800) },
                 { step_by_parts, 240, LONG_OR_SHORT(1000, 200) },
                 { step_by_rk4, 240, LONG_OR_SHORT(1000, 200) } };
    size_t k;
    for (k = 0; k < sizeof runs / sizeof *runs; k++) {
        const spc_real h = 1 / (spc_real)runs[k].rate;
        const int steps = runs[k].rate * runs[k].seconds;
        const double end = steps * (double)h;
        spc_body belt;
        spc_world *w = belt_world(&belt);
        spc_state s;
        int i, refused = 0;
        for (i = 0; i < steps; i++)
            refused += runs[k].step(w, h) != SPC_OK;
        CHECK(refused == 0);
        CHECK_NEAR(spc_world_time(w), end, TEST_EPSILON * end);
        CHECK_STATUS(spc_body_get_state(w, belt, &s), SPC_OK);
        CHECK_NEAR(s.X_GB.p.x, end, TEST_EPSILON * end);
        free(w);
    }
}

/* The clock's remainder belongs to the state: a copy goes on with it, the hash sees it, and setting
   the clock forgets it. Steps of 0.001 leave one, as no binary fraction is 0.001. */
static void what_rounding_takes_from_the_clock_is_kept(void)
{
    const spc_real h = SPC_R(0.001);
    spc_body belt;
    spc_world *w = belt_world(&belt), *set = belt_world(&belt), *copy = NULL;
    void *memory = malloc(spc_world_snapshot_size(w));
    int i;
    for (i = 0; i < 1000; i++)
        CHECK_STATUS(spc_step(w, h), SPC_OK);
    memcpy(memory, w, spc_world_snapshot_size(w));
    CHECK_STATUS(spc_world_open(memory, spc_world_snapshot_size(w), &copy), SPC_OK);
    CHECK_STATUS(spc_world_set_time(set, spc_world_time(w)), SPC_OK);
    CHECK(spc_world_hash(copy) == spc_world_hash(w));
    CHECK(spc_world_hash(set) != spc_world_hash(w));
    for (i = 0; i < 9000; i++) {
        CHECK_STATUS(spc_step(w, h), SPC_OK);
        CHECK_STATUS(spc_step(copy, h), SPC_OK);
    }
    CHECK(spc_world_hash(copy) == spc_world_hash(w));
    CHECK_STATUS(spc_world_set_time(w, 2), SPC_OK);
    CHECK_STATUS(spc_world_set_time(set, 2), SPC_OK);
    CHECK(spc_world_hash(set) == spc_world_hash(w));
    free(memory);
    free(set);
    free(w);
}

/* A ball of 0.5 m that slides with 2 m/s and spins with 1 rad/s about y slips by 2 - 0.5 * 1 m/s
   along x; it floats 0.25 m above its plane. Whether it may roll, and whether the contact is
   enabled, its rows tell the same errors. All numbers are binary fractions. */
static void who_slides_sees_by_how_much(void)
{
    const spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_body_desc ball = spc_body_desc_default();
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_world *w = test_world(&desc);
    spc_constraint c;
    spc_rows rows;
    int i;
    ball.mass = spc_mass_solid_sphere(1, SPC_R(0.5));
    ball.state.X_GB.p.z = SPC_R(0.75);
    ball.state.V_GB = spc_spatial_make(spc_vec3_make(0, 1, 0), spc_vec3_make(2, SPC_R(0.25), -1));
    CHECK_STATUS(spc_body_add(w, &ball, &d.ball), SPC_OK);
    d.shape.radius = SPC_R(0.5);
    CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
    for (i = 0; i < 4; i++) {
        d.shape.rolling = i & 1;
        CHECK_STATUS(spc_sphere_on_plane_set(w, c, &d.shape), SPC_OK);
        CHECK_STATUS(spc_constraint_set_enabled(w, c, i & 2), SPC_OK);
        CHECK_STATUS(spc_constraint_get_rows(w, c, &rows), SPC_OK);
        CHECK(rows.enforced == (i & 1 ? 7u : 4u));
        CHECK_NEAR(rows.velocity_errors[0], 1.5, 0);
        CHECK_NEAR(rows.velocity_errors[1], 0.25, 0);
        CHECK_NEAR(rows.velocity_errors[2], -1, 0);
        CHECK_NEAR(rows.position_errors[2], 0.25, 0);
    }
    free(w);
}

/* The body, its place in the elimination, its rows, what a law needs of its contact, and its state
   before and after a step, which stands with those of three others (float: seven), be they there or
   not. Of 1,000 balls each has room for a place in a tree, one for the time that it is found anew,
   and for a lane of contacts alone, too: 5,209 bytes (float: 2,904). */
static void memory_for_balls_is_small(void)
{
    const spc_world_desc one = spc_world_desc_default(1, 1);
    const spc_world_desc many = spc_world_desc_default(1000, 1000);
    const bool wide = sizeof(spc_real) == sizeof(double);
    CHECK(spc_world_size(&one) > 0 && spc_world_size(&one) <= (wide ? 6024 : 4440));
    CHECK(spc_world_size(&many) > 0 && spc_world_size(&many) <= (wide ? 5210000 : 2905000));
}

/* The defaults have rows for 32 constraints of any kind, and are good for millions, as far as
   memory can be addressed. */
static void defaults_hold_any_kind_and_any_number(void)
{
    const spc_world_desc some = spc_world_desc_default(32, 32);
    const spc_world_desc many = spc_world_desc_default(3500000, 3500000);
    const spc_world_desc most = spc_world_desc_default(1, 5592373); /* 3 (n + 32) = 2^24 - 1 */
    const spc_world_desc more = spc_world_desc_default(1, 5592374);
    CHECK(some.rows == 32 * SPC_MAX_ROWS);
    CHECK((spc_world_size(&many) > 0) == (sizeof(size_t) > 4));
    CHECK((spc_world_size(&most) > 0) == (sizeof(size_t) > 4));
    CHECK(spc_world_size(&more) == 0);
}

static const test_entry tests[] = {
    TEST(constraints_change_at_any_time),
    TEST(steps_report_forces),
    TEST(a_plate_slides_over_a_fixed_ball),
    TEST(all_paths_of_a_step_agree),
    TEST(forces_last_as_long_as_they_should),
    TEST(a_snapshot_runs_on_alike_at_any_address),
    TEST(who_slides_sees_by_how_much),
    TEST(the_clock_runs_right_at_any_rate),
    TEST(what_rounding_takes_from_the_clock_is_kept),
    TEST(what_ran_before_does_not_matter),
    TEST(memory_for_balls_is_small),
    TEST(defaults_hold_any_kind_and_any_number),
};

TEST_MAIN
