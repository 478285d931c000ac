/* [4.2] Discs that lie flat have no contact point: what is refused until they are gone, whether
   they are put there, are tipped over or tumble within a step. */
#include "refusals.h"

#include <limits.h>

/* --------------------------------------------------------------------------- motions -------- */

/* About x, by which y comes to be vertical. */
static spc_quat quarter_turn(void)
{
    const spc_real half = real(sqrt(0.5));
    return spc_quat_make(half, half, 0, 0);
}

static void tip(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    const tipping *t = (const tipping *)user;
    *state = spc_state_identity();
    *acceleration = spc_spatial_make(zero, zero);
    if (time >= t->from && time < t->to)
        state->X_GB.q = quarter_turn();
}

/* ------------------------------------------------------------------------ flat discs -------- */

/* Where the axis of a disc is parallel to the normal there is no contact point. */
enum { BY_POSE, BY_AXIS, BY_PLANE, WAYS };

/* Lays the wheel of the scene flat, or stands it up again, in one of the ways. */
static void turn_wheel(spc_world *w, int way, bool flat)
{
    spc_rolling_disc shape = disc_of(ground, ground).shape;
    spc_state state;
    CHECK_STATUS(spc_body_get_state(w, s.body[WHEEL], &state), SPC_OK);
    state.X_GB.q = way == BY_POSE && flat ? quarter_turn() : spc_quat_identity();
    if (way == BY_AXIS && flat)
        shape.axis_B = vec(0, 0, -3);
    if (way == BY_PLANE && flat)
        shape.X_FP.q = quarter_turn();
    CHECK_STATUS(spc_body_set_pose(w, s.body[WHEEL], state.X_GB), SPC_OK);
    CHECK_STATUS(spc_rolling_disc_set(w, s.constraint[WHEELING], &shape), SPC_OK);
}

static void flat_discs_are_not_added(void)
{
    spc_rolling_disc_desc d;
    spc_constraint constraint;
    int i;
    open_scene();
    turn_wheel(s.world, BY_POSE, false); /* it has begun to roll */
    mark();
    for (i = 0; i < 2; i++) { /* not even disabled */
        d = disc_of(s.body[TRAY], s.body[WHEEL]);
        d.enabled = i == 0;
        d.shape.axis_B = vec(0, 0, 1); /* on one side */
        REFUSED_OUT(spc_rolling_disc_add(s.world, &d, &constraint), SPC_ERROR_NO_CONTACT_POINT,
                    constraint);
        d.shape.axis_B = vec(0, 0, -3); /* and on the other */
        REFUSED_OUT(spc_rolling_disc_add(s.world, &d, &constraint), SPC_ERROR_NO_CONTACT_POINT,
                    constraint);
        d.shape = disc_of(ground, ground).shape;
        d.shape.X_FP.q = quarter_turn();
        REFUSED_OUT(spc_rolling_disc_add(s.world, &d, &constraint), SPC_ERROR_NO_CONTACT_POINT,
                    constraint);
    }
    d.shape.X_FP.q = spc_quat_identity();
    turn_wheel(s.world, BY_POSE, true);
    mark();
    REFUSED_OUT(spc_rolling_disc_add(s.world, &d, &constraint), SPC_ERROR_NO_CONTACT_POINT,
                constraint);
    d.shape.axis_B = vec(0, 1, 0.001); /* a little tilt is enough */
    CHECK_STATUS(spc_rolling_disc_add(s.world, &d, &constraint), SPC_OK);
    close_scene();
}

/* Queries of the wheel that need its contact point, while there is none. */
static void check_no_contact(void)
{
    const spc_constraint c = s.constraint[WHEELING];
    const spc_status wanted = SPC_ERROR_NO_CONTACT_POINT;
    spc_real errors[SPC_MAX_ROWS];
    spc_contact_force forces;
    spc_disc_contact contact;
    spc_rows rows;
    mark();
    REFUSED_OUT(spc_constraint_get_rows(s.world, c, &rows), wanted, rows);
    REFUSED_OUT(spc_constraint_get_acceleration_errors(s.world, c, errors), wanted, errors);
    REFUSED_OUT(spc_constraint_get_forces(s.world, c, &forces), wanted, forces);
    REFUSED_OUT(spc_rolling_disc_get_contact(s.world, c, &contact), wanted, contact);
}

static void a_flat_disc_answers_what_needs_no_contact_point(void)
{
    spc_real before[SPC_MAX_ROWS], lambda[SPC_MAX_ROWS];
    spc_constraint_info info;
    spc_energy_momentum momentum;
    spc_rolling_disc shape;
    spc_constraint c;
    int i, k;
    open_scene();
    c = s.constraint[WHEELING];
    CHECK_STATUS(spc_constraint_get_multipliers(s.world, c, before), SPC_OK);
    turn_wheel(s.world, BY_POSE, true);
    for (i = 0; i < 3; i++) { /* on, off, on again */
        const bool on = i != 1;
        CHECK_STATUS(spc_constraint_set_enabled(s.world, c, on), SPC_OK);
        check_no_contact();
        CHECK_STATUS(spc_constraint_get_info(s.world, c, &info), SPC_OK);
        CHECK(info.kind == SPC_ROLLING_DISC && info.enabled == on);
        CHECK(info.row_index == (on ? 6 : -1) && info.position_rows == (on ? 1 : 0));
        CHECK_STATUS(spc_constraint_get_multipliers(s.world, c, lambda), SPC_OK);
        for (k = 0; k < SPC_MAX_ROWS; k++)
            CHECK_NEAR(lambda[k], i == 0 ? before[k] : 0, 0);
        CHECK_STATUS(spc_rolling_disc_get(s.world, c, &shape), SPC_OK);
        shape.radius += 1;
        CHECK_STATUS(spc_rolling_disc_set(s.world, c, &shape), SPC_OK);
        CHECK_STATUS(spc_constraint_set_name(s.world, c, "flat"), SPC_OK);
        CHECK_STATUS(spc_world_get_energy_momentum(s.world, &momentum), SPC_OK);
    }
    CHECK_STATUS(spc_rolling_disc_get(s.world, c, &shape), SPC_OK);
    CHECK_NEAR(shape.radius, 3.5, 0);
    close_scene();
}

/* Out of a flat pose: by the way back, or without the constraint. */
static void leave_flat_pose(spc_world *w, int way, int out)
{
    if (out == 0)
        turn_wheel(w, way, false);
    else if (out == 1)
        CHECK_STATUS(spc_constraint_set_enabled(w, s.constraint[WHEELING], false), SPC_OK);
    else
        CHECK_STATUS(spc_constraint_remove(w, s.constraint[WHEELING]), SPC_OK);
}

static void a_flat_disc_stops_everything_until_it_is_gone(void)
{
    int way, out;
    for (way = 0; way < WAYS; way++)
        for (out = 0; out < 3; out++) {
            spc_world *twin;
            open_scene();
            turn_wheel(s.world, way, true);
            mark();
            twin = marked_world(); /* sees nothing of the calls that are refused */
            check_nothing_is_solved(SPC_ERROR_NO_CONTACT_POINT);
            leave_flat_pose(s.world, way, out);
            leave_flat_pose(twin, way, out);
            check_go_on_alike(twin);
            close_scene();
        }
}

static void a_flat_disc_that_is_off_disturbs_nothing(void)
{
    spc_world *twin;
    open_scene();
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[WHEELING], false), SPC_OK);
    turn_wheel(s.world, BY_POSE, true);
    mark();
    twin = marked_world();
    CHECK_STATUS(spc_constraint_remove(twin, s.constraint[WHEELING]), SPC_OK);
    s.constraints = WHEELING; /* which is not looked at: there it is gone */
    check_go_on_alike(twin);
    close_scene();
}

enum { AS_FLOOR, AS_DISC, IN_A_STACK, ROLES };

/* The spare body and one that tips over, in balance: a wheel on a floor that tips; a wheel that
   tips on a loose floor; or the first with a ball in the wheel. */
static void add_tipping(int role)
{
    const spc_body loose = s.body[SPARE], tips = add_kinematic(tip, &s.tips);
    const spc_vec3 at = vec(0, 0, role == AS_DISC ? -0.5 : 0.5);
    spc_sphere_on_plane_desc d;
    CHECK_STATUS(spc_body_set_pose(s.world, loose, spc_transform_make(spc_quat_identity(), at)),
                 SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(s.world, loose, spc_spatial_make(zero, zero)), SPC_OK);
    if (role == AS_DISC)
        (void)add_disc(loose, tips);
    else
        (void)add_disc(tips, loose);
    if (role != IN_A_STACK)
        return;
    d = contact_of(loose, add_ball(0, 0));
    d.shape.X_FP.p = vec(0, 0, -0.5);
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.constraint[s.constraints++]), SPC_OK);
}

/* Flat at the start of the step alone, at its middle or at its end: the islands before it have
   moved by then. */
static void check_tipping(int role, int part, int step)
{
    spc_world *twin;
    open_scene();
    add_tipping(role);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    /* other accelerations than the last ones: those of the stages must not show */
    CHECK_STATUS(spc_world_set_gravity(s.world, vec(2, 0, -9)), SPC_OK);
    mark();
    twin = marked_world();
    s.tips.from = STEP + STEP * (spc_real)part / 2;
    s.tips.to = s.tips.from + STEP / 4;
    CHECK_STATUS(spc_world_set_time(s.world, STEP), SPC_OK);
    REFUSED_LATE(try_step(step), SPC_ERROR_NO_CONTACT_POINT);
    REFUSED_LATE(try_step(step), SPC_ERROR_NO_CONTACT_POINT);
    s.tips.to = 0; /* never */
    CHECK_STATUS(spc_world_set_time(s.world, STEP), SPC_OK);
    check_go_on_alike(twin);
    close_scene();
}

static void a_disc_that_is_tipped_over_within_a_step_stops_it(void)
{
    int role, part, i;
    for (role = 0; role < ROLES; role++)
        for (part = 0; part <= 2; part++)
            for (i = 0; i < 3; i++)
                if (part != 2 || i != 0) /* spc_step asks at its beginning and in its middle */
                    check_tipping(role, part, i);
}

static void the_clock_is_set_whatever_lies_flat(void)
{
    open_scene();
    add_tipping(AS_FLOOR);
    s.tips.from = 10;
    s.tips.to = 20;
    CHECK_STATUS(spc_world_set_time(s.world, 10), SPC_OK);
    check_nothing_is_solved(SPC_ERROR_NO_CONTACT_POINT);
    CHECK_STATUS(spc_world_set_time(s.world, 20), SPC_OK);
    CHECK_STATUS(try_step(0), SPC_OK);
    close_scene();
}

/* The wheel tumbles about x, along which its only row holds what stays at rest: it turns freely. */
static void tumble(spc_real spin)
{
    spc_rolling_disc shape = disc_of(ground, ground).shape;
    shape.lateral = shape.normal = false;
    CHECK_STATUS(spc_rolling_disc_set(s.world, s.constraint[WHEELING], &shape), SPC_OK);
    CHECK_STATUS(spc_world_set_gravity(s.world, vec(0, 0, -10)), SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(s.world, s.body[WHEEL],
                                       spc_spatial_make(spc_vec3_make(spin, 0, 0), zero)),
                 SPC_OK);
}

/* The spin about x with which a step ends flat, or spc_step is flat in its middle, to the last bit:
   by bisection without the constraint. Spins next to each other differ in their angles by less than
   two units of rounding, and the angles carry a few: within the eight that count as parallel. */
static spc_real flat_spin(int step)
{
    spc_real low = 0, high = 2 / STEP;
    int i;
    for (i = 0; i < 64; i++) {
        const spc_real spin = (low + high) / 2;
        spc_state state;
        open_scene();
        tumble(spin);
        CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[WHEELING], false), SPC_OK);
        CHECK_STATUS(step == 0 ? spc_world_free_motion(s.world, STEP, NULL, NULL, 0)
                               : try_step(step),
                     SPC_OK);
        CHECK_STATUS(spc_body_get_state(s.world, s.body[WHEEL], &state), SPC_OK);
        if (spc_rotate(state.X_GB.q, vec(0, 1, 0)).y > 0)
            low = spin;
        else
            high = spin;
        close_scene();
    }
    return low;
}

static void check_tumbling(spc_real spin, int step)
{
    open_scene();
    tumble(spin);
    REFUSED_LATE(try_step(step), SPC_ERROR_NO_CONTACT_POINT);
    REFUSED_LATE(try_step(step), SPC_ERROR_NO_CONTACT_POINT);
    tumble(spin / 4); /* which does not turn it over by the end either */
    CHECK_STATUS(try_step(step), SPC_OK);
    close_scene();
}

static void a_disc_that_tumbles_flat_within_a_step_stops_it(void)
{
    check_tumbling(flat_spin(0), 0);
    check_tumbling(flat_spin(2), 2);
    check_tumbling(4 / STEP, 1); /* at the second stage: q0 + h/2 q' = (1, 1, 0, 0) */
    check_tumbling(4 / STEP, 2);
}

static const test_entry tests[] = {
    TEST(flat_discs_are_not_added),
    TEST(a_flat_disc_answers_what_needs_no_contact_point),
    TEST(a_flat_disc_stops_everything_until_it_is_gone),
    TEST(a_flat_disc_that_is_off_disturbs_nothing),
    TEST(a_disc_that_is_tipped_over_within_a_step_stops_it),
    TEST(the_clock_is_set_whatever_lies_flat),
    TEST(a_disc_that_tumbles_flat_within_a_step_stops_it),
};

TEST_MAIN
