/* [7.3] Calls with one-sided contacts that are refused in their midst: contacts without a contact
   point, numbers that overflow, motions that fail, too little room. They leave all that can be
   asked. */
#include "contacts.h"

/* Powers of two: places within a step are exact. */
#define STEP (1 / 64.)

/* ---------------------------------------------------------------------- no contact point ---- */

static void put_at(spc_world *w, spc_body body, double x, double v)
{
    const spc_transform X = spc_transform_make(spc_quat_identity(), vec(x, 0, 2));
    CHECK_STATUS(spc_body_set_pose(w, body, X), SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(w, body, spc_spatial_make(zero, vec(v, 0, 0))), SPC_OK);
}

/* Balls of 0.5 m at x, moving with v along it, each on the one before. */
static spc_world *put_row(int balls, const double *x, const double *v)
{
    spc_world *w = contact_world(balls, balls, zero);
    spc_body ball[3];
    int i;
    for (i = 0; i < balls; i++) {
        ball[i] = put_ball(w, 1, 0.5, vec(i, 0, 2));
        if (i > 0)
            (void)put_pair(w, ball[i - 1], ball[i], 0.5, 0.5, law_of(0.5, 0.5));
    }
    for (i = 0; i < balls; i++)
        put_at(w, ball[i], x[i], v[i]);
    return w;
}

/* Two balls, or three, with one centre, and others in islands before and behind. */
static void balls_with_one_centre_are_refused(void)
{
    const double x[3] = { 1, 1, 1 }, v[3] = { 0, 0, 0 };
    int balls, i;
    for (balls = 2; balls <= 3; balls++)
        for (i = 0; i < CALLS; i++) {
            spc_world *w = put_row(balls, x, v);
            REFUSED_WITHIN(w, try_call(w, i, STEP), SPC_ERROR_NO_CONTACT_POINT);
            free(w);
        }
}

/* Islands that are refused do not keep others from being refused, or from nothing. */
static void the_first_island_that_is_refused_ends_the_call(void)
{
    int bad, i;
    for (bad = 0; bad < 3; bad++)
        for (i = 0; i < CALLS; i++) {
            spc_world *w = contact_world(8, 8, zero);
            int k;
            for (k = 0; k < 3; k++) {
                const spc_body a = put_ball(w, 1, 0.5, vec(5 * k, 0, 2));
                const spc_body b = put_ball(w, 1, 0.5, vec(5 * k + 2, 0, 2));
                (void)put_pair(w, a, b, 0.5, 0.5, law_of(0.5, 0));
                if (k == bad || k == 2 - bad)
                    put_at(w, b, 5 * k, 0);
            }
            REFUSED_WITHIN(w, try_call(w, i, STEP), SPC_ERROR_NO_CONTACT_POINT);
            free(w);
        }
}

/* Balls whose centres pass through each other in the middle of a step. */
static void centres_that_meet_within_a_step_are_refused(void)
{
    const double x[3] = { 0, 1, 9 }, v[3] = { 0, -2 / STEP, 0 };
    int balls, i;
    for (balls = 2; balls <= 3; balls++)
        for (i = 0; i < 3; i++) {
            spc_world *w = put_row(balls, x, v);
            if (i == 0)
                REFUSED_WITHIN(w, try_call(w, i, STEP), SPC_ERROR_NO_CONTACT_POINT);
            else /* it stops at the event before */
                CHECK_STATUS(try_call(w, i, STEP), SPC_OK);
            CHECK_STATUS(spc_step(w, SPC_R(STEP / 4)), SPC_OK);
            free(w);
        }
}

/* ---------------------------------------------------------------------- overflows ----------- */

/* A ball under a force, or a box on four feet under a torque, that no number holds the
   accelerations of. */
static void forces_that_overflow_are_refused(void)
{
    int box, along, i;
    for (box = 0; box < 2; box++)
        for (along = 0; along < 2; along++)
            for (i = 0; i < 4; i++) {
                spc_world *w = contact_world(4, 8, vec(0, 0, -GRAVITY));
                const spc_vec3 F = along ? vec(LARGEST, 0, 0) : vec(0, 0, -LARGEST);
                spc_body body;
                spc_status status;
                if (box) {
                    body = put_box(w, vec(0, 0, 0.1), 4, 0.5);
                } else {
                    body = put_body(w, spc_mass_solid_sphere(SPC_R(0.25), SPC_R(0.1)),
                                    vec(0, 0, 0.1), zero, zero);
                    (void)put_on_plane(w, ground, level(0), body, 0.1, law_of(0.5, 0));
                }
                take_steps(w, STEP, 2);
                status = box ? spc_body_add_torque(w, body, F, SPC_LASTING)
                             : spc_body_add_force(w, body, F, zero, SPC_LASTING);
                CHECK_STATUS(status, SPC_OK);
                REFUSED_WITHIN(w, try_call(w, i, 1), SPC_ERROR_STATE_NOT_FINITE);
                CHECK_STATUS(spc_body_clear_forces(w, body), SPC_OK);
                CHECK_STATUS(try_call(w, i, STEP), SPC_OK);
                free(w);
            }
}

/* What flies, or hits, so fast that a step ends nowhere, or that an impulse is no number. */
static void speeds_that_overflow_are_refused(void)
{
    int down, i;
    for (down = 0; down < 2; down++)
        for (i = 0; i < 5; i++) {
            spc_world *w = contact_world(4, 4, vec(0, 0, -GRAVITY));
            const spc_body ball = put_body(w, spc_mass_solid_sphere(4, 1), vec(0, 0, 1), zero,
                                           vec(0, 0, (down ? -0.9 : 0.9) * LARGEST));
            (void)put_on_plane(w, ground, level(0), ball, 1, law_of(0.5, 1));
            if (i == 3 || (i == 4 && !down))
                CHECK_STATUS(try_call(w, i, 4), SPC_OK); /* nothing moves, or is pressed */
            else
                REFUSED_WITHIN(w, try_call(w, i, 4), SPC_ERROR_STATE_NOT_FINITE);
            free(w);
        }
}

/* Boxes on four feet, and balls, that hit so fast that the impulse is no number, though speeds are.
   Of several contacts impacts may go on without it: then they tell that the law is missed. */
static void impulses_that_overflow_are_refused(void)
{
    int box, part, i;
    for (box = 0; box < 2; box++)
        for (part = 1; part <= 5; part += 4)
            for (i = 1; i < 5; i++) {
                spc_world *w = contact_world(4, 8, vec(0, 0, -GRAVITY));
                const spc_body body =
                    put_body(w, spc_mass_box(1000, vec(0.1, 0.1, 0.1)), vec(0, 0, 0.1), zero, zero);
                int k;
                for (k = 0; k < 4 && box; k++)
                    (void)put_foot(w, body, vec(k & 1 ? 0.1 : -0.1, k & 2 ? 0.1 : -0.1, -0.1),
                                   law_of(0.5, 0.5));
                if (!box)
                    (void)put_on_plane(w, ground, level(0), body, 0.1, law_of(0.5, 0.5));
                CHECK_STATUS(
                    spc_body_set_velocity(w, body,
                                          spc_spatial_make(zero, vec(0.1 * part * LARGEST, 0,
                                                                     -0.1 * part * LARGEST))),
                    SPC_OK);
                if (i != 3 && (!box || i == 2))
                    REFUSED_WITHIN(w, try_call(w, i, STEP), SPC_ERROR_STATE_NOT_FINITE);
                else if (i == 4)
                    CHECK(try_call(w, i, STEP) || report_of(w).unsolved == 1);
                free(w);
            }
}

/* Velocities of a contact, and the length of its force, that are no numbers. */
static void contacts_do_not_tell_what_is_no_number(void)
{
    const spc_vec3 along[3] = { vec(0, 0.9 * LARGEST, 0), vec(0.9 * LARGEST, 0, 0),
                                vec(0, 0, 0.9 * LARGEST) };
    spc_contact_info info;
    int i;
    for (i = 0; i < 3; i++) {
        spc_world *w = contact_world(4, 4, vec(0, 0, -GRAVITY));
        const spc_body ball = put_ball(w, 1, 4, vec(0, 0, 4));
        const spc_constraint c = put_on_plane(w, ground, level(0), ball, 4, law_of(0.5, 0));
        CHECK_STATUS(spc_body_set_velocity(w, ball, spc_spatial_make(along[i], along[(i + 1) % 3])),
                     SPC_OK);
        memset(&info, PATTERN, sizeof info);
        if (i < 2) /* the third one turns about the normal */
            CHECK_STATUS(spc_constraint_get_contact(w, c, &info), SPC_ERROR_NOT_FINITE);
        CHECK(untouched(&info, sizeof info));
        free(w);
    }
}

/* The same of a ball and a floor that turn against each other about the normal, without slip. */
static void turns_against_each_other_may_be_no_number(void)
{
    spc_world *w = contact_world(4, 4, vec(0, 0, -GRAVITY));
    spc_body_desc floor = spc_body_desc_default();
    spc_contact_info info;
    spc_body body;
    spc_constraint c;
    int i;
    floor.kind = SPC_KINEMATIC;
    CHECK_STATUS(spc_body_add(w, &floor, &body), SPC_OK);
    c = put_on_plane(w, body, level(0), put_ball(w, 1, 1, vec(0, 0, 1)), 1, law_of(0.5, 0));
    for (i = 0; i < 2; i++) {
        const spc_body turns = { (unsigned)i + 1, 1 };
        const spc_vec3 fast = vec(0, 0, (i ? 0.9 : -0.9) * LARGEST);
        CHECK_STATUS(spc_constraint_get_contact(w, c, &info), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(w, turns, spc_spatial_make(fast, zero)), SPC_OK);
    }
    memset(&info, PATTERN, sizeof info);
    CHECK_STATUS(spc_constraint_get_contact(w, c, &info), SPC_ERROR_NOT_FINITE);
    CHECK(untouched(&info, sizeof info));
    free(w);
}

/* The same of a force along both axes, whose length is none: a ball that grips takes
   2/7 F + 5/7 M/r. */
static void the_length_of_a_force_may_be_no_number(void)
{
    spc_world *w = contact_world(4, 4, vec(0, 0, -GRAVITY));
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    const spc_real much = real(0.8 * LARGEST);
    spc_contact_info info;
    spc_constraint c;
    d.ball = put_ball(w, 4, 1, vec(0, 0, 1));
    d.shape.radius = 1;
    CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
    CHECK_STATUS(spc_body_add_force(w, d.ball, spc_vec3_make(much, much, 0), zero, SPC_LASTING),
                 SPC_OK);
    CHECK_STATUS(spc_body_add_torque(w, d.ball, spc_vec3_make(-much, much, 0), SPC_LASTING),
                 SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
    memset(&info, PATTERN, sizeof info);
    CHECK_STATUS(spc_constraint_get_contact(w, c, &info), SPC_ERROR_NOT_FINITE);
    CHECK(untouched(&info, sizeof info));
    free(w);
}

/* Balls that hold side by side: those in front overflow, and the others are not stepped. */
static void a_group_that_overflows_ends_the_step(void)
{
    enum { BALLS = 40 };
    spc_world *w = contact_world(BALLS, BALLS, vec(0, 0, -GRAVITY));
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    const spc_body first = { 1, 1 };
    spc_constraint c;
    int i;
    d.shape.radius = SPC_R(0.1);
    for (i = 0; i < BALLS; i++) {
        d.ball = put_ball(w, 1, 0.1, vec(i, 0, 0.1));
        CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
    }
    take_steps(w, STEP, 1);
    CHECK_STATUS(spc_body_set_velocity(w, first, spc_spatial_make(zero, vec(0.9 * LARGEST, 0, 0))),
                 SPC_OK);
    REFUSED_WITHIN(w, spc_step(w, 4), SPC_ERROR_STATE_NOT_FINITE);
    CHECK_STATUS(spc_body_set_velocity(w, first, spc_spatial_make(zero, zero)), SPC_OK);
    CHECK_STATUS(spc_step(w, 4), SPC_OK);
    free(w);
}

/* ---------------------------------------------------------------------- motions and room ---- */

typedef struct fault {
    bool now;
} fault;

static void fail_when_told(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    (void)time;
    *state = spc_state_identity();
    *acceleration = spc_spatial_make(zero, zero);
    if (((const fault *)user)->now)
        state->X_GB.p.z = real(bad_number(0));
}

/* Two bodies are moved: whichever fails, a step with events is refused as it begins. */
static void motions_that_fail_at_once_are_refused(void)
{
    int which, i;
    for (which = 0; which < 2; which++)
        for (i = 0; i < 3; i++) {
            fault faults[2] = { { false }, { false } };
            spc_world *w = contact_world(4, 4, vec(0, 0, -GRAVITY));
            const spc_body ball = put_ball(w, 1, 0.1, vec(0, 0, 0.1));
            int k;
            (void)put_on_plane(w, ground, level(0), ball, 0.1, law_of(0.5, 0));
            for (k = 0; k < 2; k++) {
                spc_body_desc d = spc_body_desc_default();
                spc_body floor;
                d.kind = SPC_KINEMATIC;
                d.motion = fail_when_told;
                d.user = &faults[k];
                CHECK_STATUS(spc_body_add(w, &d, &floor), SPC_OK);
            }
            CHECK_STATUS(try_call(w, i, STEP), SPC_OK);
            faults[which].now = true;
            REFUSED_WITHIN(w, try_call(w, i, STEP), SPC_ERROR_BAD_MOTION);
            faults[which].now = false;
            CHECK_STATUS(try_call(w, i, STEP), SPC_OK);
            free(w);
        }
}

/* Pairs of all balls with all others need more room than there is. */
static void too_little_room_is_refused(void)
{
    spc_world_desc desc = spc_world_desc_default(8, 28);
    spc_world *w;
    spc_body ball[8];
    int i, k;
    desc.rows = 3 * 28;
    desc.solver_bytes = 0;
    w = test_world(&desc);
    for (i = 0; i < 8; i++)
        ball[i] = put_ball(w, 1, 0.1, vec(0.2 * (i & 1), 0.2 * (i >> 1 & 1), 0.2 * (i >> 2)));
    for (i = 0; i < 8; i++)
        for (k = 0; k < i; k++)
            (void)put_pair(w, ball[k], ball[i], 0.1, 0.1, law_of(0.5, 0));
    CHECK(spc_world_solver_bytes(w) > 0);
    for (i = 0; i < CALLS; i++)
        REFUSED_WITHIN(w, try_call(w, i, STEP), SPC_ERROR_SOLVER_FULL);
    free(w);
}

/* A ball that bounces in a step, so that it has a second part, and joints that cannot be closed:
   the projection behind a part is refused. */
static void parts_that_cannot_be_projected_are_refused(void)
{
    spc_world *w = contact_world(4, 4, vec(0, 0, -GRAVITY));
    const spc_body ball = put_ball(w, 1, 0.5, vec(0, 0, 0.5 + 1e-3));
    const spc_body far_off =
        put_body(w, spc_mass_solid_sphere(1, SPC_R(0.5)), vec(0, 0, 0.9 * LARGEST), zero, zero);
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_constraint c;
    (void)put_on_plane(w, ground, level(0), ball, 0.5, law_of(0.5, 0.5));
    d.ball = far_off; /* so far below it that the distance is no number */
    d.shape.X_FP.p = vec(0, 0, -0.9 * LARGEST);
    d.shape.radius = SPC_R(0.5);
    d.shape.rolling = false;
    CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
    REFUSED_WITHIN(w, spc_step_rk4(w, SPC_R(STEP), SPC_DRIFT_PROJECT), SPC_ERROR_STATE_NOT_FINITE);
    CHECK_STATUS(spc_constraint_remove(w, c), SPC_OK);
    CHECK_STATUS(spc_step_rk4(w, SPC_R(STEP), SPC_DRIFT_PROJECT), SPC_OK);
    free(w);
}

/* A table on four feet, one of them shorter by a rounding or a bit more, is set down or slides, at
   mu 0.3. The foot meets the floor within the first step at c = sqrt(2 g gap), less than a
   hundredth of g h, and bears on from then on: as much as it would with no gap, but for the blow,
   of the step's load c / (W_nn g h) at most, and the height in the middle of that step, g h^2 / 8
   of 0.5 m, at which friction tilts. */
static double load_of_short_foot(double gap, double speed, double h)
{
    spc_world *w = contact_world(1, 4, vec(0, 0, -GRAVITY));
    const spc_body table = put_body(w, spc_mass_box(real(4), vec(0.5, 0.5, 0.1)), vec(0, 0, 0.5),
                                    zero, vec(speed, 0, 0));
    spc_constraint foot = { 0, 0 };
    spc_real p[SPC_MAX_ROWS];
    int i;
    for (i = 0; i < 4; i++) {
        spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
        d.ball = table;
        d.shape.radius = real(0.05);
        d.shape.p_BS = vec(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, (i == 3 ? gap : 0) - 0.45);
        d.one_sided = true;
        d.law = law_of(0.3, 0);
        CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &foot), SPC_OK);
    }
    take_steps(w, h, 10);
    CHECK_STATUS(spc_constraint_get_multipliers(w, foot, p), SPC_OK);
    free(w);
    return -(double)p[2] / GRAVITY;
}

static void a_foot_that_is_a_rounding_short_bears_its_part(void)
{
    const double gaps[3] = { 1e-15, 1e-13, 1e-11 };
    int i, k, n;
    for (i = 0; i < RATES; i++)
        for (k = 0; k < 3; k++)
            for (n = 0; n < 2; n++) {
                const double h = 1 / rates[i], even = load_of_short_foot(0, n, h);
                const double blow = 2 * sqrt(2 * gaps[k] / GRAVITY) / h;
                const double bar = blow + GRAVITY * h * h / 4 + TEST_EPSILON / h;
                CHECK_NEAR(load_of_short_foot(gaps[k], n, h), even, bar);
            }
}

static const test_entry tests[] = {
    TEST(a_foot_that_is_a_rounding_short_bears_its_part),
    TEST(balls_with_one_centre_are_refused),
    TEST(the_first_island_that_is_refused_ends_the_call),
    TEST(centres_that_meet_within_a_step_are_refused),
    TEST(forces_that_overflow_are_refused),
    TEST(speeds_that_overflow_are_refused),
    TEST(impulses_that_overflow_are_refused),
    TEST(contacts_do_not_tell_what_is_no_number),
    TEST(turns_against_each_other_may_be_no_number),
    TEST(the_length_of_a_force_may_be_no_number),
    TEST(a_group_that_overflows_ends_the_step),
    TEST(motions_that_fail_at_once_are_refused),
    TEST(too_little_room_is_refused),
    TEST(parts_that_cannot_be_projected_are_refused),
};

TEST_MAIN
