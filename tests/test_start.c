/* [7] What everybody starts with: balls and wheels that roll from the start, the first refusal, a
   description that fits, steps in a row. */
#include "refusals.h"

#include "world.h"

/* A floor with a pose and a motion of its own, in a world with room for it and one thing on it. */
static spc_world *world_with_floor(spc_body *floor)
{
    spc_world_desc desc = spc_world_desc_default(2, 1);
    spc_body_desc d = spc_body_desc_default();
    spc_world *w;
    desc.gravity = vec(0, 0, -GRAVITY);
    w = test_world(&desc);
    d.kind = SPC_KINEMATIC;
    d.state = test_random_state();
    CHECK_STATUS(spc_body_add(w, &d, floor), SPC_OK);
    return w;
}

/* Pose and velocity of a body in a plane of a floor, over the floor: by differences of what both
   have in G. */
static spc_state over_floor(const spc_world *w, spc_body floor, spc_transform X_FP, spc_body body)
{
    const spc_state f = state_of(w, floor), b = state_of(w, body);
    const spc_transform X_GP = spc_transform_mul(f.X_GB, X_FP);
    const spc_vec3 p = spc_sub(b.X_GB.p, f.X_GB.p);
    spc_state over;
    over.X_GB = spc_transform_mul(spc_transform_inverse(X_GP), b.X_GB);
    over.V_GB.angular = spc_unrotate(X_GP.q, spc_sub(b.V_GB.angular, f.V_GB.angular));
    over.V_GB.linear = spc_sub(spc_sub(b.V_GB.linear, f.V_GB.linear), spc_cross(f.V_GB.angular, p));
    over.V_GB.linear = spc_unrotate(X_GP.q, over.V_GB.linear);
    return over;
}

/* Poses and velocities are of order 10 and go through some five rotations: their roundings stay
   below 200 of 1. */
#define ROUNDING (200 * TEST_EPSILON)

static void check_rolls(const spc_world *w, spc_constraint contact)
{
    const spc_rows rows = rows_of(w, contact);
    int i;
    for (i = 0; i < 3; i++) {
        CHECK_NEAR(rows.position_errors[i], 0, ROUNDING);
        CHECK_NEAR(rows.velocity_errors[i], 0, ROUNDING);
    }
    CHECK(rows.enforced == 7);
}

static void a_ball_rolls_from_the_start_on_any_floor(void)
{
    int k;
    for (k = 0; k < 100; k++) {
        spc_ball_desc d = spc_ball_desc_default();
        spc_constraint contact;
        spc_body ball;
        spc_state over;
        spc_world *w = world_with_floor(&d.floor);
        if (k == 0)
            d.floor = ground;
        d.X_FP = test_random_transform(1);
        d.radius = real(test_random(0.1, 1));
        d.mass = k % 2 ? test_random_mass() : spc_mass_solid_sphere(2, d.radius);
        d.x = real(test_random(-2, 2));
        d.y = real(test_random(-2, 2));
        d.v_x = real(test_random(-2, 2));
        d.v_y = real(test_random(-2, 2));
        d.spin = real(test_random(-3, 3));
        CHECK_STATUS(spc_ball_add(w, &d, &ball, &contact), SPC_OK);
        check_rolls(w, contact);
        over = over_floor(w, d.floor, d.X_FP, ball);
        CHECK_NEAR(distance(over.X_GB.p, spc_vec3_make(d.x, d.y, d.radius)), 0, ROUNDING);
        CHECK_NEAR(distance(over.V_GB.linear, spc_vec3_make(d.v_x, d.v_y, 0)), 0, ROUNDING);
        CHECK_NEAR(over.V_GB.angular.z, d.spin, ROUNDING);
        CHECK_NEAR(fabs((double)over.X_GB.q.w), 1, ROUNDING);
        CHECK(spc_step(w, STEP) == SPC_OK);
        free(w);
    }
}

/* 5/7 of gravity along a slope: on one that the plane makes as on one that gravity makes. */
static void a_ball_on_a_slope_comes_five_fourteenths_far(void)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_ball_desc d = spc_ball_desc_default();
    spc_world *w;
    spc_body ball;
    desc.gravity = vec(0.6, 0, -0.8);
    w = test_world(&desc);
    d.mass = spc_mass_solid_sphere(1, real(0.1));
    d.radius = real(0.1);
    CHECK_STATUS(spc_ball_add(w, &d, &ball, NULL), SPC_OK);
    CHECK(spc_world_run(w, STEP, 128, NULL) == 128);
    /* 128 sums below 1 m, each rounded once */
    CHECK_NEAR(spc_body_position(w, ball).x, 0.6 * 5 / 14, 128 * TEST_EPSILON);
    CHECK_NEAR(spc_body_position(w, ball).z, 0.1, TEST_EPSILON);
    free(w);
}

/* The formulas of the documentation, with sines. */
static spc_state wheel_of(const spc_wheel_desc *d)
{
    const double ch = cos((double)d->heading), sh = sin((double)d->heading);
    const double up = cos((double)d->lean), out = sin((double)d->lean), r = (double)d->radius;
    const spc_vec3 h = vec(ch, sh, 0), n = vec(0, 0, 1);
    const spc_vec3 a = vec(-sh * up, ch * up, out), u = vec(sh * out, -ch * out, up);
    spc_state state = spc_state_identity();
    state.X_GB.p = spc_add(spc_vec3_make(d->x, d->y, 0), spc_scale(d->radius, u));
    state.V_GB.angular = spc_add(spc_scale(d->turn_rate, n), spc_scale(d->lean_rate, h));
    state.V_GB.angular = spc_add(state.V_GB.angular, spc_scale(real((double)d->speed / r), a));
    state.V_GB.linear = spc_cross(state.V_GB.angular, spc_scale(d->radius, u));
    return state;
}

static spc_wheel_desc random_wheel(void)
{
    spc_wheel_desc d = spc_wheel_desc_default();
    d.X_FP = test_random_transform(1);
    d.radius = real(test_random(0.3, 1));
    d.mass = spc_mass_disc(2, d.radius);
    d.x = real(test_random(-2, 2));
    d.y = real(test_random(-2, 2));
    d.heading = real(test_random(-7, 7));
    d.lean = real(test_random(-1.2, 1.2));
    d.speed = real(test_random(-2, 2));
    d.lean_rate = real(test_random(-1, 1));
    d.turn_rate = real(test_random(-2, 2));
    return d;
}

static void a_wheel_rolls_from_the_start_on_any_floor(void)
{
    int k;
    for (k = 0; k < 100; k++) {
        spc_wheel_desc d = random_wheel();
        spc_constraint contact;
        spc_disc_contact touch;
        spc_transform X_GP;
        spc_body wheel;
        spc_state over, wanted;
        spc_world *w = world_with_floor(&d.floor);
        if (k == 0)
            d.floor = ground;
        CHECK_STATUS(spc_wheel_add(w, &d, &wheel, &contact), SPC_OK);
        check_rolls(w, contact);
        over = over_floor(w, d.floor, d.X_FP, wheel);
        wanted = wheel_of(&d);
        CHECK_NEAR(distance(over.X_GB.p, wanted.X_GB.p), 0, ROUNDING);
        CHECK_NEAR(distance(over.V_GB.angular, wanted.V_GB.angular), 0, ROUNDING);
        CHECK_NEAR(distance(over.V_GB.linear, wanted.V_GB.linear), 0, ROUNDING);
        X_GP = spc_transform_mul(state_of(w, d.floor).X_GB, d.X_FP);
        CHECK_STATUS(spc_rolling_disc_get_contact(w, contact, &touch), SPC_OK);
        CHECK_NEAR(
            distance(spc_unrotate(X_GP.q, spc_sub(touch.p_GC, X_GP.p)), spc_vec3_make(d.x, d.y, 0)),
            0, ROUNDING);
        /* the trail is drawn ahead, with the speed */
        CHECK_NEAR(distance(spc_unrotate(X_GP.q, touch.trail_velocity),
                            vec((double)d.speed * cos((double)d.heading),
                                (double)d.speed * sin((double)d.heading), 0)),
                   0, ROUNDING);
        CHECK(spc_step(w, STEP) == SPC_OK);
        free(w);
    }
}

/* Its axis is the body's z, to the left of the body's x, which is ahead. */
static void an_upright_wheel_has_its_axis_to_the_left(void)
{
    spc_wheel_desc d = spc_wheel_desc_default();
    spc_body floor, wheel;
    spc_world *w = world_with_floor(&floor);
    spc_quat q;
    d.radius = 1;
    d.mass = spc_mass_ring(1, 1);
    CHECK_STATUS(spc_wheel_add(w, &d, &wheel, NULL), SPC_OK);
    q = state_of(w, wheel).X_GB.q;
    CHECK_NEAR(distance(spc_rotate(q, vec(0, 0, 1)), vec(0, 1, 0)), 0, 4 * TEST_EPSILON);
    CHECK_NEAR(distance(spc_rotate(q, vec(1, 0, 0)), vec(1, 0, 0)), 0, 4 * TEST_EPSILON);
    free(w);
}

/* A coin whose lean balances its turning goes round: after one turn it is where it began. Of a thin
   disc, with W the turn rate, x the lean and r w the speed of C,
   dL/dt about its centre and the moment of the force in C give
   3/2 W w cos(x) - 5/4 W^2 sin(x) cos(x) = g sin(x) / r. */
static void a_coin_that_leans_as_it_turns_comes_round(void)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_wheel_desc d = spc_wheel_desc_default();
    const double lean = 0.3, W = 2, r = 0.5, up = cos(lean), out = sin(lean);
    const double spin = (GRAVITY * out / r + 1.25 * W * W * out * up) / (1.5 * W * up);
    const int steps = 20000;
    spc_world *w;
    spc_body coin;
    int i;
    desc.gravity = vec(0, 0, -GRAVITY);
    w = test_world(&desc);
    d.radius = real(r);
    d.mass = spc_mass_disc(1, d.radius);
    d.lean = real(lean);
    d.turn_rate = real(-W); /* it leans to the right, and turns there */
    d.speed = real(r * spin);
    CHECK_STATUS(spc_wheel_add(w, &d, &coin, NULL), SPC_OK);
    for (i = 0; i < steps; i++)
        CHECK(!spc_step_rk4(w, real(2 * PI / W / steps), SPC_DRIFT_PROJECT));
    /* fourth order leaves nothing of 1e-10 at this step; in float 20,000 roundings of 1 m */
    CHECK_NEAR(distance(spc_body_position(w, coin), wheel_of(&d).X_GB.p), 0,
               IN_DOUBLE_OR_FLOAT(1e-9, 20000 * TEST_EPSILON));
    free(w);
}

/* What a one-sided ball does on a slope of 1 m/s^2: with grip it rolls, 5/14 m far in a second;
   without friction it slides, 1/2 m; thrown off the floor by gravity it falls freely. */
static double way_of_a_one_sided_ball(bool grip, double down)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_ball_desc d = spc_ball_desc_default();
    spc_world *w;
    spc_body ball;
    double way;
    desc.gravity = vec(1, 0, -down);
    w = test_world(&desc);
    d.mass = spc_mass_solid_sphere(1, 1);
    d.radius = 1;
    d.one_sided = true;
    d.law.grip = grip;
    CHECK_STATUS(spc_ball_add(w, &d, &ball, NULL), SPC_OK);
    CHECK(spc_world_run(w, STEP, 128, NULL) == 128);
    way = (double)spc_body_position(w, ball).x;
    CHECK_NEAR(spc_body_position(w, ball).z, down > 0 ? 1 : 1 - down / 2, 128 * TEST_EPSILON);
    free(w);
    return way;
}

/* 128 sums of numbers below 10, each rounded; and steps are exact for constant forces. */
static void a_one_sided_ball_obeys_its_law(void)
{
    CHECK_NEAR(way_of_a_one_sided_ball(true, 10), 5.0 / 14, 1000 * TEST_EPSILON);
    CHECK_NEAR(way_of_a_one_sided_ball(false, 10), 0.5, 1000 * TEST_EPSILON);
    CHECK_NEAR(way_of_a_one_sided_ball(true, -10), 0.5, 1000 * TEST_EPSILON);
}

/* ------------------------------------------------------------------------------- refusals ----- */

static spc_ball_desc good_ball(void)
{
    spc_ball_desc d = spc_ball_desc_default();
    d.mass = spc_mass_solid_sphere(1, 1);
    d.radius = 1;
    return d;
}

static spc_wheel_desc good_wheel(void)
{
    spc_wheel_desc d = spc_wheel_desc_default();
    d.mass = spc_mass_disc(1, 1);
    d.radius = 1;
    return d;
}

/* Both handles and the world keep their bytes. */
static void check_bad_ball(int line, const spc_ball_desc *d, spc_status wanted)
{
    struct {
        spc_body body;
        spc_constraint contact;
    } out;
    memset(&out, PATTERN, sizeof out);
    test_status(__FILE__, line, "spc_ball_add", spc_ball_add(s.world, d, &out.body, &out.contact),
                wanted);
    CHECK(untouched(&out, sizeof out));
    CHECK(unchanged());
}

static void check_bad_wheel(int line, const spc_wheel_desc *d, spc_status wanted)
{
    struct {
        spc_body body;
        spc_constraint contact;
    } out;
    memset(&out, PATTERN, sizeof out);
    test_status(__FILE__, line, "spc_wheel_add", spc_wheel_add(s.world, d, &out.body, &out.contact),
                wanted);
    CHECK(untouched(&out, sizeof out));
    CHECK(unchanged());
}

#define BAD_BALL(change, wanted)              \
    do {                                      \
        spc_ball_desc d = good_ball();        \
        change;                               \
        check_bad_ball(__LINE__, &d, wanted); \
    } while (0)

#define BAD_WHEEL(change, wanted)              \
    do {                                       \
        spc_wheel_desc d = good_wheel();       \
        change;                                \
        check_bad_wheel(__LINE__, &d, wanted); \
    } while (0)

static void a_refused_ball_leaves_nothing(void)
{
    int i;
    open_scene();
    check_bad_ball(__LINE__, NULL, SPC_ERROR_NULL);
    BAD_BALL(d.radius = 0, SPC_ERROR_BAD_RADIUS);
    BAD_BALL(d.X_FP.q = spc_quat_make(0, 0, 0, 0), SPC_ERROR_ZERO_QUATERNION);
    BAD_BALL(d.floor = s.body[BALL]; d.floor.generation += 2, SPC_ERROR_STALE_BODY);
    BAD_BALL(d.mass.mass = 0, SPC_ERROR_BAD_MASS);
    BAD_BALL(d.mass.inertia.xx = -1, SPC_ERROR_BAD_INERTIA);
    for (i = 0; i < 3; i++) {
        BAD_BALL(d.radius = real(bad_number(i)), SPC_ERROR_NOT_FINITE);
        BAD_BALL(d.X_FP.p.y = real(bad_number(i)), SPC_ERROR_NOT_FINITE);
        BAD_BALL(d.x = real(bad_number(i)), SPC_ERROR_NOT_FINITE);
        BAD_BALL(d.y = real(bad_number(i)), SPC_ERROR_NOT_FINITE);
        BAD_BALL(d.v_x = real(bad_number(i)), SPC_ERROR_NOT_FINITE);
        BAD_BALL(d.v_y = real(bad_number(i)), SPC_ERROR_NOT_FINITE);
        BAD_BALL(d.spin = real(bad_number(i)), SPC_ERROR_NOT_FINITE);
    }
    BAD_BALL(d.law.friction = -1, SPC_ERROR_BAD_FRICTION);
    BAD_BALL(d.law.restitution = 2, SPC_ERROR_BAD_RESTITUTION);
    BAD_BALL(d.v_x = real(LARGEST); d.radius = real(0.1), SPC_ERROR_NOT_FINITE);
    close_scene();
}

static void a_refused_wheel_leaves_nothing(void)
{
    int i;
    open_scene();
    check_bad_wheel(__LINE__, NULL, SPC_ERROR_NULL);
    BAD_WHEEL(d.radius = -1, SPC_ERROR_BAD_RADIUS);
    BAD_WHEEL(d.X_FP.q = spc_quat_make(0, 0, 0, 0), SPC_ERROR_ZERO_QUATERNION);
    BAD_WHEEL(d.floor = s.body[BALL]; d.floor.generation += 2, SPC_ERROR_STALE_BODY);
    BAD_WHEEL(d.mass.mass = 0, SPC_ERROR_BAD_MASS);
    BAD_WHEEL(d.mass.inertia.zz = 9, SPC_ERROR_BAD_INERTIA);
    BAD_WHEEL(d.law.friction = -1, SPC_ERROR_BAD_FRICTION);
    BAD_WHEEL(d.law.restitution = 2, SPC_ERROR_BAD_RESTITUTION);
    BAD_WHEEL(d.lean = real(PI / 2), SPC_ERROR_NO_CONTACT_POINT);
    BAD_WHEEL(d.lean = real(-PI / 2), SPC_ERROR_NO_CONTACT_POINT);
    BAD_WHEEL(d.lean = real(2), SPC_ERROR_NO_CONTACT_POINT);
    for (i = 0; i < 3; i++) {
        BAD_WHEEL(d.radius = real(bad_number(i)), SPC_ERROR_NOT_FINITE);
        BAD_WHEEL(d.x = real(bad_number(i)), SPC_ERROR_NOT_FINITE);
        BAD_WHEEL(d.y = real(bad_number(i)), SPC_ERROR_NOT_FINITE);
        BAD_WHEEL(d.heading = real(bad_number(i)), SPC_ERROR_NOT_FINITE);
        BAD_WHEEL(d.lean = real(bad_number(i)), SPC_ERROR_NOT_FINITE);
        BAD_WHEEL(d.speed = real(bad_number(i)), SPC_ERROR_NOT_FINITE);
        BAD_WHEEL(d.lean_rate = real(bad_number(i)), SPC_ERROR_NOT_FINITE);
        BAD_WHEEL(d.turn_rate = real(bad_number(i)), SPC_ERROR_NOT_FINITE);
    }
    close_scene();
}

static void balls_and_wheels_need_all_pointers_but_the_contacts(void)
{
    const spc_ball_desc ball = good_ball();
    const spc_wheel_desc wheel = good_wheel();
    spc_body body;
    open_scene();
    REFUSED(spc_ball_add(s.world, &ball, NULL, NULL), SPC_ERROR_NULL);
    REFUSED(spc_wheel_add(s.world, &wheel, NULL, NULL), SPC_ERROR_NULL);
    REFUSED_OUT(spc_ball_add(NULL, &ball, &body, NULL), SPC_ERROR_NULL, body);
    REFUSED_OUT(spc_wheel_add(NULL, &wheel, &body, NULL), SPC_ERROR_NULL, body);
    CHECK_STATUS(spc_ball_add(s.world, &ball, &body, NULL), SPC_OK);
    CHECK_STATUS(spc_wheel_add(s.world, &wheel, &body, NULL), SPC_OK);
    CHECK(spc_world_row_count(s.world) == 5 * 3);
    close_scene();
}

/* Bodies, constraints and rows: what is full is told, and neither half is added. */
static void a_full_world_takes_neither_body_nor_contact(void)
{
    static const spc_status full[3] = { SPC_ERROR_BODIES_FULL, SPC_ERROR_CONSTRAINTS_FULL,
                                        SPC_ERROR_ROWS_FULL };
    int k;
    for (k = 0; k < 3; k++) {
        spc_world_desc desc = spc_world_desc_default(k == 0 ? 1 : 2, k == 1 ? 1 : 2);
        const spc_ball_desc ball = good_ball();
        desc.rows = k == 2 ? 5 : 6;
        open_empty(&desc);
        CHECK_STATUS(spc_ball_add(s.world, &ball, &s.body[0], NULL), SPC_OK);
        mark();
        BAD_BALL((void)0, full[k]);
        BAD_WHEEL((void)0, full[k]);
        close_scene();
    }
}

/* ------------------------------------------------------------------ where, and what failed ---- */

static void a_position_is_that_of_the_state(void)
{
    spc_body stale;
    spc_vec3 p, got;
    open_scene();
    p = state_of(s.world, s.body[RIDER]).X_GB.p;
    got = spc_body_position(s.world, s.body[RIDER]);
    CHECK(SAME_BITS(p, got) && p.x > 2);
    stale = s.body[RIDER];
    stale.generation += 2;
    got = spc_body_position(s.world, stale);
    CHECK(SAME_BITS(got, zero));
    got = spc_body_position(NULL, s.body[RIDER]);
    CHECK(SAME_BITS(got, zero));
    got = spc_body_position(s.world, ground);
    CHECK(SAME_BITS(got, zero));
    close_scene();
}

static void the_first_refusal_is_kept(void)
{
    spc_status status = SPC_OK;
    CHECK(spc_status_keep(&status, SPC_OK) == SPC_OK && status == SPC_OK);
    CHECK(spc_status_keep(&status, SPC_ERROR_BAD_STEP) == SPC_ERROR_BAD_STEP);
    CHECK(status == SPC_ERROR_BAD_STEP);
    CHECK(spc_status_keep(&status, SPC_ERROR_GROUND) == SPC_ERROR_GROUND);
    CHECK(spc_status_keep(&status, SPC_OK) == SPC_OK && status == SPC_ERROR_BAD_STEP);
}

/* A program that looks at no status but the last: whatever is refused first is told, and nothing
   after it does harm. */
static spc_status run_unchecked(size_t bytes, int constraints, double radius, double h)
{
    static double memory[1024];
    spc_status status = SPC_OK;
    spc_world_desc desc = spc_world_desc_default(1, constraints);
    spc_ball_desc d = good_ball();
    spc_world *world = NULL;
    spc_constraint contact = { 0, 0 };
    spc_body ball = ground;
    spc_state state;
    d.radius = real(radius);
    spc_status_keep(&status, spc_world_create(memory, bytes, &desc, &world));
    spc_status_keep(&status, spc_ball_add(world, &d, &ball, &contact));
    spc_status_keep(&status, spc_body_add_force(world, ball, vec(1, 0, 0), zero, SPC_LASTING));
    spc_status_keep(&status, spc_step(world, real(h)));
    spc_status_keep(&status, spc_body_get_state(world, ball, &state));
    spc_status_keep(&status, spc_constraint_set_enabled(world, contact, false));
    return status;
}

static void a_program_that_checks_once_hears_of_the_first_refusal(void)
{
    CHECK_STATUS(run_unchecked(8192, 1, 1, 0.01), SPC_OK);
    CHECK_STATUS(run_unchecked(512, 1, 1, 0.01), SPC_ERROR_MEMORY_TOO_SMALL);
    CHECK_STATUS(run_unchecked(8192, 0, 1, 0.01), SPC_ERROR_CONSTRAINTS_FULL);
    CHECK_STATUS(run_unchecked(8192, 1, 0, 0.01), SPC_ERROR_BAD_RADIUS);
    CHECK_STATUS(run_unchecked(8192, 1, 1, -1), SPC_ERROR_BAD_STEP);
}

/* ----------------------------------------------------------------------------------- room ---- */

/* Balls in a row on ground, each held to the next few by rods of one row: a band of loops. */
static spc_status fill(spc_world *w, int balls, int links)
{
    spc_status status = SPC_OK;
    spc_body body[16];
    int i, k;
    memset(body, 0, sizeof body);
    for (i = 0; i < balls; i++) {
        spc_ball_desc d = good_ball();
        d.x = real(3 * i);
        spc_status_keep(&status, spc_ball_add(w, &d, &body[i], NULL));
    }
    for (i = 0; i < balls; i++)
        for (k = 1; k <= links && k <= i; k++) {
            spc_attachment_desc d = spc_attachment_desc_default();
            spc_constraint c;
            d.a = body[i - k];
            d.b = body[i];
            d.keep_pose = true;
            d.shape.locked = SPC_POINT_ON_PLANE;
            d.shape.X_AF.p = vec(0, 0.1 * k, 0.2 * i);
            spc_status_keep(&status, spc_attachment_add(w, &d, &c));
        }
    if (!status)
        spc_status_keep(&status, spc_step(w, STEP));
    return status;
}

/* What is asked for is just enough: one less of each is refused. */
static void check_fit(int balls, int links, bool nets)
{
    spc_world_desc room = spc_world_desc_default(20, 200), fits, less;
    spc_world *w, *tight;
    room.gravity = vec(1, 0, -2);
    room.solver_bytes *= 200;
    w = test_world(&room);
    CHECK_STATUS(fill(w, balls, links), SPC_OK);
    memset(&fits, PATTERN, sizeof fits);
    CHECK_STATUS(spc_world_fitting_desc(w, &fits), SPC_OK);
    CHECK(fits.bodies == balls && fits.rows == spc_world_row_count(w));
    CHECK((fits.solver_bytes > 0) == nets);
    CHECK(SAME_BITS(fits.gravity, room.gravity));
    CHECK(SAME_BITS(fits.stabilization.time_constant, room.stabilization.time_constant));
    CHECK(spc_world_size(&fits) < spc_world_size(&room));
    tight = test_world(&fits);
    CHECK_STATUS(fill(tight, balls, links), SPC_OK);
    CHECK(spc_world_hash(tight) == spc_world_hash(w));
    free(tight);
    less = fits, less.bodies--;
    CHECK_STATUS(fill(tight = test_world(&less), balls, links), SPC_ERROR_BODIES_FULL);
    free(tight);
    less = fits, less.constraints--;
    CHECK_STATUS(fill(tight = test_world(&less), balls, links), SPC_ERROR_CONSTRAINTS_FULL);
    free(tight);
    less = fits, less.rows--;
    CHECK_STATUS(fill(tight = test_world(&less), balls, links), SPC_ERROR_ROWS_FULL);
    free(tight);
    less = fits, less.solver_bytes -= nets ? sizeof(spc_real) : 0;
    CHECK_STATUS(fill(tight = test_world(&less), balls, links),
                 nets ? SPC_ERROR_SOLVER_FULL : SPC_OK);
    free(tight);
    free(w);
}

static void a_fitting_description_is_just_enough(void)
{
    check_fit(1, 0, false);
    check_fit(16, 0, false);
    check_fit(9, 1, false);
    check_fit(14, 9, true);
    check_fit(16, 15, true);
}

static void a_fitting_description_follows_what_is_there(void)
{
    spc_world_desc d, before;
    open_scene();
    CHECK_STATUS(spc_world_fitting_desc(s.world, &before), SPC_OK);
    CHECK(before.bodies == 6 && before.constraints == 4 && before.rows == 12);
    CHECK_STATUS(spc_body_remove(s.world, s.body[SPARE]), SPC_OK);
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[SWITCHED_OFF]), SPC_OK);
    CHECK_STATUS(spc_world_fitting_desc(s.world, &d), SPC_OK);
    CHECK(d.bodies == 5 && d.constraints == 3 && d.rows == 9);
    CHECK(spc_world_fitting_desc(s.world, NULL) == SPC_ERROR_NULL);
    CHECK(spc_world_fitting_desc(NULL, &d) == SPC_ERROR_NULL && d.bodies == 5);
    close_scene();
}

/* -------------------------------------------------------------------------- steps in a row ---- */

static void steps_in_a_row_are_steps(void)
{
    enum { STEPS = 7 };
    spc_state states[STEPS][6];
    spc_world *twin;
    int i, k;
    open_scene();
    mark();
    twin = marked_world();
    CHECK(spc_world_run(s.world, STEP, STEPS, &states[0][0]) == STEPS);
    for (i = 0; i < STEPS; i++) {
        CHECK_STATUS(spc_step(twin, STEP), SPC_OK);
        for (k = 0; k < 6; k++) {
            const spc_state state = state_of(twin, s.body[k]);
            CHECK(SAME_BITS(state, states[i][k]));
        }
    }
    CHECK(spc_world_run(s.world, STEP, 2, NULL) == 2);
    CHECK(!spc_step(twin, STEP) && !spc_step(twin, STEP));
    check_go_on_alike(twin);
    close_scene();
}

static void steps_in_a_row_end_before_one_that_is_refused(void)
{
    spc_state states[5][6];
    open_scene();
    s.wrong.kind = FAULT_POSITION;
    s.wrong.from = spc_world_time(s.world) + STEP * SPC_R(3.25);
    {
        spc_body_desc d = spc_body_desc_default();
        d.kind = SPC_KINEMATIC;
        d.motion = swing;
        d.user = &s.wrong;
        CHECK_STATUS(spc_body_remove(s.world, s.body[SPARE]), SPC_OK);
        CHECK_STATUS(spc_body_add(s.world, &d, &s.body[SPARE]), SPC_OK);
    }
    memset(states, PATTERN, sizeof states);
    CHECK(spc_world_run(s.world, STEP, 5, &states[0][0]) == 3);
    CHECK(untouched(states[3], 2 * sizeof states[3]));
    CHECK_STATUS(spc_step(s.world, STEP), SPC_ERROR_BAD_MOTION);
    CHECK(spc_world_run(s.world, STEP, 5, &states[3][0]) == 0);
    CHECK(spc_world_run(s.world, -STEP, 5, &states[3][0]) == 0);
    CHECK(spc_world_run(s.world, STEP, -1, &states[3][0]) == 0);
    CHECK(spc_world_run(NULL, STEP, 5, &states[3][0]) == 0);
    CHECK(untouched(states[3], 2 * sizeof states[3]));
    close_scene();
}

static const test_entry tests[] = {
    TEST(a_ball_rolls_from_the_start_on_any_floor),
    TEST(a_ball_on_a_slope_comes_five_fourteenths_far),
    TEST(a_wheel_rolls_from_the_start_on_any_floor),
    TEST(an_upright_wheel_has_its_axis_to_the_left),
    TEST(a_coin_that_leans_as_it_turns_comes_round),
    TEST(a_one_sided_ball_obeys_its_law),
    TEST(a_refused_ball_leaves_nothing),
    TEST(a_refused_wheel_leaves_nothing),
    TEST(balls_and_wheels_need_all_pointers_but_the_contacts),
    TEST(a_full_world_takes_neither_body_nor_contact),
    TEST(a_position_is_that_of_the_state),
    TEST(the_first_refusal_is_kept),
    TEST(a_program_that_checks_once_hears_of_the_first_refusal),
    TEST(a_fitting_description_is_just_enough),
    TEST(a_fitting_description_follows_what_is_there),
    TEST(steps_in_a_row_are_steps),
    TEST(steps_in_a_row_end_before_one_that_is_refused),
};

TEST_MAIN
