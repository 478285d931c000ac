/* [7] Calls that are refused late, when numbers overflow or room is missing: they may use scratch
   memory, and leave everything that can be asked. */
#include "refusals.h"

#include <limits.h>

/* ---------------------------------------------------------------------- refused late -------- */

static void states_that_would_overflow_are_refused(void)
{
    spc_body last;
    spc_spatial V;
    int i;
    for (i = 0; i < 3; i++) {
        open_scene();
        last = add_uneven();
        V = spc_spatial_make(vec(LARGEST / 4, LARGEST / 4, -LARGEST / 4), zero);
        CHECK_STATUS(spc_body_set_velocity(s.world, last, V), SPC_OK);
        REFUSED_LATE(try_step(i), SPC_ERROR_STATE_NOT_FINITE);
        REFUSED_LATE(spc_world_forward_dynamics(s.world), SPC_ERROR_STATE_NOT_FINITE);
        CHECK_STATUS(spc_body_set_velocity(s.world, last, spc_spatial_make(zero, zero)), SPC_OK);
        CHECK_STATUS(try_step(i), SPC_OK);
        close_scene();
    }
}

static void a_first_body_that_overflows_stops_the_rest(void)
{
    int i;
    for (i = 0; i < 3; i++) {
        const spc_world_desc desc = spc_world_desc_default(4, 4);
        open_empty(&desc);
        (void)add_uneven();
        (void)add_ball(0, 0);
        (void)add_contact(ground, s.body[1]);
        CHECK_STATUS(spc_world_set_gravity(s.world, vec(3, 0, -10)), SPC_OK);
        CHECK_STATUS(try_step(i), SPC_OK);
        /* the velocity is fine, the position after the step is not */
        CHECK_STATUS(spc_body_set_pose(s.world, s.body[0],
                                       spc_transform_make(spc_quat_identity(), vec(LARGEST, 0, 0))),
                     SPC_OK);
        CHECK_STATUS(
            spc_body_set_velocity(s.world, s.body[0], spc_spatial_make(zero, vec(LARGEST, 0, 0))),
            SPC_OK);
        REFUSED_LATE(try_step(i), SPC_ERROR_STATE_NOT_FINITE);
        close_scene();
    }
}

static void kinematic_bodies_that_would_overflow_are_refused(void)
{
    const spc_vec3 far = vec(LARGEST, 0, 0);
    int i;
    for (i = 0; i < 3; i++) {
        spc_body last;
        open_scene();
        last = add_kinematic(NULL, NULL);
        CHECK_STATUS(spc_body_set_pose(s.world, last, spc_transform_make(spc_quat_identity(), far)),
                     SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(s.world, last, spc_spatial_make(zero, far)), SPC_OK);
        REFUSED_LATE(try_step(i), SPC_ERROR_STATE_NOT_FINITE);
        close_scene();
    }
}

static void bad_motions_are_refused_at_any_stage(void)
{
    int kind, i, part;
    for (kind = FAULT_NONE + 1; kind < FAULT_KINDS; kind++)
        for (i = 0; i < 3; i++)
            for (part = 1; part <= 2; part++) { /* from half the step on, or at its end */
                open_scene();
                s.wrong.from = STEP + STEP * (spc_real)part / 2;
                s.wrong.kind = FAULT_NONE;
                (void)add_kinematic(swing, &s.wrong);
                CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
                s.wrong.kind = kind;
                REFUSED_LATE(try_step(i), SPC_ERROR_BAD_MOTION);
                REFUSED_LATE(try_step(i), SPC_ERROR_BAD_MOTION);
                s.wrong.kind = FAULT_NONE;
                CHECK_STATUS(try_step(i), SPC_OK);
                close_scene();
            }
}

static void a_time_that_a_motion_does_not_have_is_refused(void)
{
    spc_state state;
    int kind;
    for (kind = FAULT_NONE + 1; kind < FAULT_KINDS; kind++) {
        open_scene();
        s.wrong.kind = kind;
        s.wrong.from = 10;
        (void)add_kinematic(swing, &s.wrong);
        REFUSED_LATE(spc_world_set_time(s.world, 10),
                     SPC_ERROR_BAD_MOTION); /* the others have moved then */
        CHECK_STATUS(spc_world_set_time(s.world, 4), SPC_OK);
        CHECK_NEAR(spc_world_time(s.world), 4, 0);
        CHECK_STATUS(spc_body_get_state(s.world, s.body[SWING], &state), SPC_OK);
        CHECK_NEAR(state.X_GB.p.x, 8, 0);
        CHECK_NEAR(state.V_GB.linear.x, 4, 0);
        close_scene();
    }
}

/* A body that is moved stands half a metre too low, and a ball a tenth too high: it stays there. */
static void what_cannot_be_assembled_stays(void)
{
    const spc_transform high = spc_transform_make(spc_quat_identity(), vec(0, 0, 0.6));
    spc_sphere_on_plane_desc d;
    spc_real residual = -1;
    open_scene();
    CHECK_STATUS(spc_body_set_pose(s.world, s.body[BALL], high), SPC_OK);
    d = contact_of(ground, s.body[TRAY]);
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.constraint[s.constraints++]), SPC_OK);
    REFUSED_LATE(spc_world_assemble(s.world, SPC_R(0.01), &residual), SPC_ERROR_NOT_ASSEMBLED);
    CHECK_NEAR(residual, 0.5, 0);
    REFUSED_LATE(spc_world_assemble(s.world, SPC_R(0.01), NULL), SPC_ERROR_NOT_ASSEMBLED);
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[--s.constraints]), SPC_OK);
    CHECK_STATUS(spc_world_assemble(s.world, SPC_R(0.01), &residual), SPC_OK);
    CHECK_NEAR(residual, 0, 0.01);
    close_scene();
}

/* A second plane one metre above the ground's, whose normal is the same: half a metre from either
   is the best that there is, to the step that counts as none. */
static void contradictions_are_assembled_in_the_middle(void)
{
    spc_sphere_on_plane_desc d;
    spc_constraint_info info;
    spc_world_report report;
    spc_real residual = -1;
    spc_state state;
    open_scene();
    d = contact_of(ground, s.body[BALL]);
    d.shape.X_FP.p = vec(0, 0, 1);
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.constraint[s.constraints++]), SPC_OK);
    CHECK_STATUS(spc_world_assemble(s.world, SPC_R(0.01), &residual), SPC_OK);
    CHECK_NEAR(residual, 0.5, sizeof(spc_real) == sizeof(double) ? 1e-8 : 1e-3);
    CHECK_STATUS(spc_body_get_state(s.world, s.body[BALL], &state), SPC_OK);
    CHECK_NEAR(state.X_GB.p.z, 1, sizeof(spc_real) == sizeof(double) ? 1e-8 : 1e-3);
    CHECK_STATUS(spc_world_get_report(s.world, &report), SPC_OK);
    CHECK(report.contradictory == 2);
    CHECK_NEAR(report.contradiction, 0.5, sizeof(spc_real) == sizeof(double) ? 1e-8 : 1e-3);
    CHECK(report.worst.index == s.constraint[ON_GROUND].index ||
          report.worst.index == s.constraint[s.constraints - 1].index);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[ON_TRAY], &info), SPC_OK);
    CHECK_NEAR(info.contradiction, 0, 0);
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[--s.constraints]), SPC_OK);
    CHECK_STATUS(spc_world_assemble(s.world, SPC_R(0.01), &residual), SPC_OK);
    CHECK_STATUS(spc_world_get_report(s.world, &report), SPC_OK);
    CHECK(report.contradictory == 0 && report.worst.index == 0);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[ON_GROUND], &info), SPC_OK);
    CHECK(info.redundant == 0 && info.contradiction <= 0);
    close_scene();
}

static void prescribed_bodies_are_not_assembled(void)
{
    const spc_world_desc desc = spc_world_desc_default(2, 2);
    spc_sphere_on_plane_desc d;
    spc_real residual = -1;
    open_empty(&desc);
    (void)add_kinematic(NULL, NULL);
    d = contact_of(ground, s.body[0]);
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.constraint[s.constraints++]), SPC_OK);
    REFUSED_LATE(spc_world_assemble(s.world, SPC_R(0.01), &residual), SPC_ERROR_NOT_ASSEMBLED);
    CHECK_NEAR(residual, 0.5, 0); /* half a metre too low */
    close_scene();
}

/* The ball's plane so far below it that the distance is no number. */
static void move_plane_out_of_reach(void)
{
    spc_sphere_on_plane_desc d = contact_of(ground, s.body[SPARE]);
    d.shape.X_FP.p = vec(0, 0, -0.9 * LARGEST);
    d.shape.rolling = false;
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.constraint[s.constraints++]), SPC_OK);
    CHECK_STATUS(
        spc_body_set_pose(s.world, s.body[SPARE],
                          spc_transform_make(spc_quat_identity(), vec(0, 0, 0.9 * LARGEST))),
        SPC_OK);
}

static void assembling_what_is_out_of_reach_is_refused(void)
{
    open_scene();
    move_plane_out_of_reach();
    REFUSED_LATE(spc_world_assemble(s.world, SPC_R(0.01), NULL), SPC_ERROR_STATE_NOT_FINITE);
    close_scene();
}

static void projecting_what_is_out_of_reach_leaves_all_results(void)
{
    open_scene();
    move_plane_out_of_reach();
    /* other accelerations and multipliers than the last ones: those of the stages must not show */
    CHECK_STATUS(spc_world_set_gravity(s.world, vec(-4, 2, -7)), SPC_OK);
    REFUSED_LATE(spc_step_rk4(s.world, STEP, SPC_DRIFT_PROJECT), SPC_ERROR_STATE_NOT_FINITE);
    close_scene();
}

static void impulses_that_would_overflow_are_refused(void)
{
    spc_real v[9] = { 0, 0, 0, 0, 0, 0, 0, 0, 0 }, impulses[9];
    open_scene();
    v[5] = real(LARGEST); /* of the rider: the ball on the ground has been served before */
    v[2] = 1;
    CHECK_STATUS(
        spc_body_set_velocity(s.world, s.body[RIDER], spc_spatial_make(zero, vec(0, 0, -LARGEST))),
        SPC_OK);
    memset(impulses, PATTERN, sizeof impulses);
    REFUSED_LATE(spc_world_apply_impulses(s.world, v, impulses, 9), SPC_ERROR_STATE_NOT_FINITE);
    CHECK(untouched(impulses, sizeof impulses));
    CHECK_STATUS(spc_body_set_velocity(s.world, s.body[RIDER],
                                       spc_spatial_make(vec(0, LARGEST, 0), vec(LARGEST, 0, 0))),
                 SPC_OK);
    CHECK_STATUS(
        spc_body_set_velocity(s.world, s.body[TRAY], spc_spatial_make(zero, vec(-LARGEST, 0, 0))),
        SPC_OK);
    REFUSED_LATE(spc_world_project_velocities(s.world), SPC_ERROR_STATE_NOT_FINITE);
    close_scene();
}

/* Joints of one row each between the first two bodies: more loops than the room of bodies and rows
   takes in. */
static void add_bundle(int count)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    int i;
    d.a = s.body[0];
    d.b = s.body[1];
    d.shape.locked = SPC_POINT_ON_PLANE;
    for (i = 0; i < count; i++) {
        d.shape.X_BM.p = vec(0.1 * i, 0.1 * (i * i % 5), 0);
        CHECK_STATUS(spc_attachment_add(s.world, &d, &s.constraint[s.constraints++]), SPC_OK);
    }
}

static void too_little_room_for_coupling_is_refused(void)
{
    spc_world_desc desc = spc_world_desc_default(3, 41);
    desc.solver_bytes = 0;
    desc.rows = 43; /* forty rows between two bodies are more than the rows' own room is for */
    desc.gravity = vec(1, 0, -10);
    open_empty(&desc);
    (void)add_ball(0, 0);
    (void)add_ball(0, 0);
    (void)add_kinematic(swing, NULL);
    (void)add_contact(ground, s.body[0]);
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    add_bundle(40);
    CHECK(spc_world_row_count(s.world) == 43);
    CHECK(spc_world_solver_bytes(s.world) > 0);
    check_nothing_is_solved(SPC_ERROR_SOLVER_FULL);
    REFUSED_LATE(spc_world_end_motion(s.world, STEP), SPC_ERROR_SOLVER_FULL);
    while (s.constraints > 1)
        CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[--s.constraints]), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_STATUS(try_step(0), SPC_OK);
    close_scene();
}

/* Setting the clock needs no solver: constraints that do not fit must not stop it. */
static void the_clock_is_set_whatever_the_coupling(void)
{
    spc_world_desc desc = spc_world_desc_default(2, 40);
    desc.solver_bytes = 0;
    desc.rows = 40;
    open_empty(&desc);
    (void)add_ball(0, 0);
    (void)add_ball(0, 0);
    add_bundle(40);
    CHECK(spc_world_solver_bytes(s.world) > 0);
    CHECK_STATUS(spc_world_set_time(s.world, 3), SPC_OK);
    CHECK_NEAR(spc_world_time(s.world), 3, 0);
    close_scene();
}

/* ------------------------------------------------------------------ rows on and off --------- */

/* Ten bodies, each with each by a constraint without rows: they meet each other all the same. */
static void open_pairs_without_rows(size_t coupling)
{
    spc_world_desc desc = spc_world_desc_default(10, 45);
    int i, j;
    desc.rows = 0;
    desc.solver_bytes = coupling;
    open_empty(&desc);
    for (i = 0; i < 10; i++)
        add_ball(i, 0);
    for (i = 0; i < 10; i++)
        for (j = 0; j < i; j++) {
            spc_attachment_desc d = spc_attachment_desc_default();
            spc_constraint constraint;
            d.a = s.body[i];
            d.b = s.body[j];
            d.shape.locked = 0;
            CHECK_STATUS(spc_attachment_add(s.world, &d, &constraint), SPC_OK);
        }
}

/* Wherever the room for edges ends, the call is refused, and what it says it needs is enough. */
static void edges_without_room_are_refused(void)
{
    size_t coupling, needed = 1;
    for (coupling = 0; coupling < needed; coupling += 80) {
        open_pairs_without_rows(coupling);
        needed = spc_world_solver_bytes(s.world);
        if (coupling < needed) {
            REFUSED_LATE(spc_world_forward_dynamics(s.world), SPC_ERROR_SOLVER_FULL);
            REFUSED_LATE(spc_step(s.world, SPC_R(0.01)), SPC_ERROR_SOLVER_FULL);
        }
        close_scene();
    }
    CHECK(needed > 100);
    open_pairs_without_rows(needed);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_STATUS(spc_step(s.world, SPC_R(0.01)), SPC_OK);
    close_scene();
}

/* A free body that only one of its numbers carries off. */
static void one_number_that_overflows_is_enough(void)
{
    int k;
    for (k = 0; k < 6; k++) {
        spc_body_desc d = spc_body_desc_default();
        const spc_real along = (spc_real)LARGEST;
        const spc_vec3 push =
            vec(k % 3 == 0 ? along : 0, k % 3 == 1 ? along : 0, k % 3 == 2 ? along : 0);
        open_scene();
        d.mass = spc_mass_solid_sphere(SPC_R(0.25), SPC_R(0.5));
        if (k < 3)
            CHECK_STATUS(spc_body_add_force(s.world, add_body(&d), push, vec(0, 0, 0), SPC_LASTING),
                         SPC_OK);
        else
            CHECK_STATUS(spc_body_add_torque(s.world, add_body(&d), push, SPC_LASTING), SPC_OK);
        REFUSED_LATE(spc_step(s.world, 1), SPC_ERROR_STATE_NOT_FINITE);
        REFUSED_LATE(spc_world_forward_dynamics(s.world), SPC_ERROR_STATE_NOT_FINITE);
        close_scene();
    }
}

static const test_entry tests[] = {
    TEST(states_that_would_overflow_are_refused),
    TEST(a_first_body_that_overflows_stops_the_rest),
    TEST(kinematic_bodies_that_would_overflow_are_refused),
    TEST(bad_motions_are_refused_at_any_stage),
    TEST(a_time_that_a_motion_does_not_have_is_refused),
    TEST(what_cannot_be_assembled_stays),
    TEST(contradictions_are_assembled_in_the_middle),
    TEST(prescribed_bodies_are_not_assembled),
    TEST(assembling_what_is_out_of_reach_is_refused),
    TEST(projecting_what_is_out_of_reach_leaves_all_results),
    TEST(impulses_that_would_overflow_are_refused),
    TEST(too_little_room_for_coupling_is_refused),
    TEST(the_clock_is_set_whatever_the_coupling),
    TEST(edges_without_room_are_refused),
    TEST(one_number_that_overflows_is_enough),
};

TEST_MAIN
