/* [7.3] Joints that are assembled from far away, contradictions among them, and axes that are
   opposed: refused, without a trace. */
#include "linkages.h"

/* -------------------------------------------------------------------------------- assembly ---- */

/* What assembly is asked for, and gives. */
#define ASSEMBLED (100 * TEST_EPSILON)

static void check_assembles(scene *s)
{
    spc_real residual = -1;
    CHECK_STATUS(spc_world_assemble(s->world, SPC_R(ASSEMBLED), &residual), SPC_OK);
    CHECK(residual >= 0 && (double)residual <= ASSEMBLED);
    CHECK_NEAR(worst_error(s), 0, 2 * ASSEMBLED); /* the same, but for the rounding of both */
}

static void joints_are_assembled_from_almost_half_a_turn_away(void)
{
    static const unsigned masks[6] = {
        SPC_HINGE, SPC_SLIDER, SPC_WELD, SPC_CYLINDRICAL, SPC_LOCK_RX | SPC_LOCK_RY, SPC_UNIVERSAL
    };
    static const double degrees[5] = { 30, 120, 170, 179, 179.9 };
    int mask, which, k;
    for (mask = 0; mask < 6; mask++)
        for (which = GROUND_FIRST; which <= BOTH_FREE; which++)
            for (k = 0; k < 5; k++) {
                scene s = apart((ends)which, masks[mask], degrees[k] * PI / 180);
                check_assembles(&s);
                scene_free(&s);
            }
}

/* Of the two quaternions of a pose either will do, whatever the errors are. */
static void the_sign_of_a_quaternion_means_nothing(void)
{
    static const unsigned masks[3] = { SPC_WELD, SPC_HINGE, SPC_UNIVERSAL };
    int mask, which, k;
    for (mask = 0; mask < 3; mask++)
        for (which = GROUND_FIRST; which <= BOTH_FREE; which++) {
            scene s = apart((ends)which, masks[mask], 2);
            const spc_rows before = rows_of(&s, 0);
            spc_transform X = pose_of(&s, 0);
            spc_rows after;
            X.q = spc_quat_make(-X.q.w, -X.q.x, -X.q.y, -X.q.z);
            set_pose(&s, 0, X);
            after = rows_of(&s, 0);
            for (k = 0; k < 6; k++)
                CHECK_NEAR(after.position_errors[k], before.position_errors[k], ROUNDED);
            scene_free(&s);
        }
}

/* Every body goes somewhere else. */
static void tear_apart(scene *s, double angle, double reach)
{
    int i;
    for (i = 0; i < s->bodies; i++) {
        const spc_transform X = pose_of(s, i);
        const spc_quat q = spc_quat_from_rotation_vector(test_random_vec3(angle));
        set_pose(s, i,
                 spc_transform_make(spc_quat_mul(q, X.q), spc_add(X.p, test_random_vec3(reach))));
    }
}

/* By a radian and half a metre about and along each axis; open ones by twice as much, and more, but
   for universal joints, whose axes must not be opposed on the way. (A ring of orientations may be
   wound up once around, and then nothing unwinds it.) Single precision cannot tell the rows of a
   rigid chain of 20 from dependent ones: like a beam's its stiffness grows as the fourth power of
   its length. */
static void chains_and_rings_of_20_links_are_assembled(void)
{
    static const unsigned masks[6] = { SPC_BALL_JOINT,  SPC_HINGE, SPC_UNIVERSAL,
                                       SPC_CYLINDRICAL, SPC_WELD,  SPC_SLIDER };
    int mask, kind, trial;
    for (mask = 0; mask < IN_DOUBLE_OR_FLOAT(6, 4); mask++)
        for (kind = 0; kind < 4; kind++)
            for (trial = 0; trial < 3; trial++) {
                const bool closed = kind >= 2;
                const bool loose = !closed && masks[mask] != SPC_UNIVERSAL;
                scene s = random_chain(masks[mask], kind % 2 == 0, closed);
                tear_apart(&s, loose ? 2 : 1, loose ? 2 : 0.5);
                check_assembles(&s);
                scene_free(&s);
            }
}

/* Chains and rings of 20 links, torn apart by 0.5 m: to ten roundings of the largest coordinate. */
static void what_can_be_assembled_is_assembled_to_ten_roundings(void)
{
    static const unsigned masks[3] = { SPC_BALL_JOINT, SPC_HINGE, SPC_WELD };
    int k, trial, i;
    for (k = 0; k < 3; k++)
        for (trial = 0; trial < 10; trial++) {
            scene s = random_chain(masks[k], true, trial % 2 != 0);
            double most = 0;
            spc_real residual = -1;
            tear_apart(&s, 0.5, 0.25);
            for (i = 0; i < s.bodies; i++)
                most = fmax(most, (double)spc_norm(pose_of(&s, i).p));
            most *= 10 * TEST_EPSILON;
            CHECK_STATUS(spc_world_assemble(s.world, (spc_real)most, &residual), SPC_OK);
            CHECK(residual >= 0 && residual <= (spc_real)most);
            scene_free(&s);
        }
}

static void what_is_assembled_is_left_bit_for_bit(void)
{
    scene s = random_chain(SPC_HINGE, true, false);
    const unsigned long long before = hash_of(&s);
    spc_real residual = -1;
    CHECK_STATUS(spc_world_assemble(s.world, SPC_R(PROJECTED), &residual), SPC_OK);
    CHECK(hash_of(&s) == before);
    CHECK_NEAR(residual, 0, PROJECTED);
    scene_free(&s);
}

/* A rod of 2 m between two points of ground that are 2.5 m apart stands in the middle, where the
   sum of the squares of the errors is least, and the world tells. */
static void contradictions_are_assembled_by_least_squares(void)
{
    scene s = scene_make(1, 2);
    spc_real residual = -1;
    spc_world_report report;
    spc_attachment shape;
    int j;
    add_rod(&s, vec(-1, 0, 0), vec(1, 0, 0), 1, 0.1);
    join(&s, GROUND, 0, vec(-1, 0, 0), vec(0, 0, 1), SPC_BALL_JOINT);
    join(&s, GROUND, 0, vec(1, 0, 0), vec(0, 0, 1), SPC_BALL_JOINT);
    shape = shape_of(&s, 1);
    shape.X_AF.p = vec(1.5, 0, 0);
    CHECK_STATUS(spc_attachment_set(s.world, s.joint[1], &shape), SPC_OK);
    CHECK_STATUS(spc_world_assemble(s.world, SPC_R(1e-3), &residual), SPC_OK);
    CHECK_NEAR(residual, 0.25, ROUNDED); /* half of it at either end */
    CHECK_NEAR(distance(pose_of(&s, 0).p, vec(0.25, 0, 0)), 0, ROUNDED);
    for (j = 0; j < 2; j++) {
        CHECK_NEAR(rows_of(&s, j).position_errors[0], j ? -0.25 : 0.25, ROUNDED);
        CHECK_NEAR(info_of(&s, j).contradiction, 0.25, ROUNDED);
    }
    CHECK_STATUS(spc_world_get_report(s.world, &report), SPC_OK);
    CHECK(report.contradictory == 2 && report.redundant_rows == 1);
    CHECK(report.worst.index == s.joint[0].index || report.worst.index == s.joint[1].index);
    CHECK_NEAR(report.contradiction, 0.25, ROUNDED);
    scene_free(&s);
}

/* Nothing can turn or move a kinematic body: a joint of two of them that is open by 0.5 m. */
static void what_cannot_be_assembled_is_left_as_it_was(void)
{
    scene s = scene_make(2, 2);
    spc_state place = spc_state_identity();
    spc_real residual = -1;
    unsigned long long before;
    add_rod(&s, vec(-1, 0, 0), vec(1, 0, 0), 1, 0.1);
    join(&s, GROUND, 0, vec(-1, 0, 0), vec(0, 0, 1), SPC_BALL_JOINT);
    join(&s, GROUND, add_kinematic(&s, place), zero, vec(0, 0, 1), SPC_BALL_JOINT);
    place.X_GB.p = vec(0.3, 0, 0.4);
    set_pose(&s, 0, at(vec(0, 0.2, 0)));
    set_pose(&s, 1, place.X_GB);
    before = hash_of(&s);
    CHECK_STATUS(spc_world_assemble(s.world, SPC_R(1e-3), &residual), SPC_ERROR_NOT_ASSEMBLED);
    CHECK(hash_of(&s) == before);
    CHECK_NEAR(residual, 0.4, ROUNDED); /* along z; what could be closed was, on the way */
    scene_free(&s);
}

/* --------------------------------------------------------------------- opposed axes ----------- */

/* A body whose z axis points against ground's: a locked twist about z has no meaning there. */
static spc_attachment_desc opposed_desc(const scene *s)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    d.b = s->body[0];
    d.shape.locked = SPC_UNIVERSAL;
    return d;
}

static void opposed_axes_are_refused_where_a_joint_is_made(void)
{
    static const unsigned masks[3] = { SPC_LOCK_RZ, SPC_UNIVERSAL, SPC_LOCK_RZ | SPC_LOCK_TY };
    int k;
    for (k = 0; k < 3; k++) {
        scene s = scene_make(1, 1);
        spc_attachment_desc d;
        spc_constraint c;
        c.index = c.generation = 77;
        add_random_body(&s, 1);
        set_pose(&s, 0, spc_transform_make(turn(random_across(vec(0, 0, 1)), PI), zero));
        d = opposed_desc(&s);
        d.shape.locked = masks[k];
        CHECK_STATUS(spc_attachment_add(s.world, &d, &c), SPC_ERROR_OPPOSED_AXES);
        CHECK(c.index == 77 && c.generation == 77);
        CHECK(spc_world_row_count(s.world) == 0);
        d.enabled = false;
        CHECK_STATUS(spc_attachment_add(s.world, &d, &c), SPC_ERROR_OPPOSED_AXES);
        d.enabled = true;
        d.shape.locked = SPC_HINGE; /* the room is still there, and no other mask minds */
        CHECK_STATUS(spc_attachment_add(s.world, &d, &c), SPC_OK);
        CHECK(spc_world_row_count(s.world) == 5);
        scene_free(&s);
    }
}

/* Two bodies on ground; then the first is turned so that its axes are opposed. */
static scene opposed_make(void)
{
    scene s = scene_make(2, 2);
    add_random_body(&s, 1);
    add_random_body(&s, 1);
    join(&s, GROUND, 0, zero, vec(0, 0, 1), SPC_UNIVERSAL);
    join(&s, 0, 1, zero, vec(0, 0, 1), SPC_BALL_JOINT);
    set_moving(&s, 1, 1);
    forward_dynamics(&s);
    set_pose(&s, 0,
             spc_transform_mul(spc_transform_make(turn(vec(1, 0, 0), PI), zero), pose_of(&s, 0)));
    return s;
}

/* Are all bytes still what they were filled with? */
static bool is_filled(const void *memory, size_t bytes)
{
    const unsigned char *byte = (const unsigned char *)memory;
    size_t i;
    for (i = 0; i < bytes && byte[i] == 0x5a; i++)
        ;
    return i == bytes;
}

#define FILL(object) memset(&(object), 0x5a, sizeof(object))
#define CHECK_UNTOUCHED(object) CHECK(is_filled(&(object), sizeof(object)))

static void opposed_axes_are_refused_by_queries(void)
{
    scene s = opposed_make();
    spc_real errors[SPC_MAX_ROWS], numbers[7 * 12], W[49], gamma[7];
    spc_contact_force force;
    spc_rows rows;
    FILL(errors);
    FILL(numbers);
    FILL(gamma);
    FILL(W);
    FILL(force);
    FILL(rows);
    CHECK_STATUS(spc_constraint_get_rows(s.world, s.joint[0], &rows), SPC_ERROR_OPPOSED_AXES);
    CHECK_STATUS(spc_constraint_get_forces(s.world, s.joint[0], &force), SPC_ERROR_OPPOSED_AXES);
    CHECK_STATUS(spc_constraint_get_acceleration_errors(s.world, s.joint[0], errors),
                 SPC_ERROR_OPPOSED_AXES);
    CHECK_STATUS(spc_constraint_get_system(s.world, s.joint[0], 0, 7, numbers, gamma, gamma, gamma),
                 SPC_ERROR_OPPOSED_AXES);
    CHECK_STATUS(spc_constraint_add_baumgarte(s.world, s.joint[0], 0, 7, gamma),
                 SPC_ERROR_OPPOSED_AXES);
    CHECK_STATUS(spc_world_get_violation(s.world, SPC_R(0.01), NULL, gamma, 7),
                 SPC_ERROR_OPPOSED_AXES);
    CHECK_STATUS(spc_world_get_compliance(s.world, SPC_R(0.01), NULL, 0, W, 7),
                 SPC_ERROR_OPPOSED_AXES);
    CHECK_UNTOUCHED(errors);
    CHECK_UNTOUCHED(numbers);
    CHECK_UNTOUCHED(gamma);
    CHECK_UNTOUCHED(W);
    CHECK_UNTOUCHED(force);
    CHECK_UNTOUCHED(rows);
    scene_free(&s);
}

static spc_status call_dynamics(scene *s)
{
    return spc_world_forward_dynamics(s->world);
}

static spc_status call_step(scene *s)
{
    return spc_step(s->world, SPC_R(0.01));
}

static spc_status call_rk4(scene *s)
{
    return spc_step_rk4(s->world, SPC_R(0.01), SPC_DRIFT_STABILIZE);
}

static spc_status call_rk4_project(scene *s)
{
    return spc_step_rk4(s->world, SPC_R(0.01), SPC_DRIFT_PROJECT);
}

static spc_status call_assemble(scene *s)
{
    spc_real residual;
    spc_status status;
    FILL(residual);
    status = spc_world_assemble(s->world, SPC_R(0.01), &residual);
    CHECK_UNTOUCHED(residual);
    return status;
}

static spc_status call_impulses(scene *s)
{
    spc_real impulses[7];
    spc_status status;
    FILL(impulses);
    status = spc_world_apply_impulses(s->world, NULL, impulses, 7);
    CHECK_UNTOUCHED(impulses);
    return status;
}

static spc_status call_project(scene *s)
{
    return spc_world_project_velocities(s->world);
}

static spc_status call_correct(scene *s)
{
    const spc_real lambda[7] = { 1, 2, 3, 4, 5, 6, 7 };
    return spc_world_correct(s->world, SPC_R(0.01), lambda, 7);
}

static spc_status call_free_motion(scene *s)
{
    spc_real velocity[7], position[7];
    spc_status status;
    FILL(velocity);
    FILL(position);
    status = spc_world_free_motion(s->world, SPC_R(0.01), velocity, position, 7);
    CHECK_UNTOUCHED(velocity);
    CHECK_UNTOUCHED(position);
    return status;
}

/* States, clock, accelerations and multipliers stay; with the joint off everything goes on. */
static void opposed_axes_are_refused_by_what_moves_a_world(void)
{
    static spc_status (*const calls[9])(
        scene *) = { call_dynamics, call_step,    call_rk4,     call_rk4_project, call_assemble,
                     call_impulses, call_project, call_correct, call_free_motion };
    scene s = opposed_make();
    const unsigned long long before = hash_of(&s);
    const spc_spatial A = acceleration_of(&s, 1);
    spc_real lambda[2][SPC_MAX_ROWS];
    int k;
    spc_constraint_get_multipliers(s.world, s.joint[0], lambda[0]);
    for (k = 0; k < 9; k++) {
        const spc_spatial now = acceleration_of(&s, 1);
        CHECK_STATUS(calls[k](&s), SPC_ERROR_OPPOSED_AXES);
        CHECK(hash_of(&s) == before);
        CHECK(memcmp(&A, &now, sizeof A) == 0);
        spc_constraint_get_multipliers(s.world, s.joint[0], lambda[1]);
        CHECK(memcmp(lambda[0], lambda[1], sizeof lambda[0]) == 0);
    }
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.joint[0], false), SPC_OK);
    CHECK_STATUS(call_step(&s), SPC_OK);
    CHECK(hash_of(&s) != before);
    scene_free(&s);
}

/* At rest as it is, and upside down from 0.022 s on. */
static void turns_over(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    (void)user;
    *state = spc_state_identity();
    if (time > SPC_R(0.022))
        state->X_GB.q = spc_quat_make(0, 1, 0, 0);
    *acceleration = spc_spatial_make(zero, zero);
}

/* A step that meets opposed axes, spc_step in its middle and spc_step_rk4 from there on, is taken
   back, and may be tried again. */
static void a_step_to_opposed_axes_is_taken_back(void)
{
    scene s = scene_make(2, 1);
    spc_body_desc d = spc_body_desc_default();
    unsigned long long before;
    int step;
    d.kind = SPC_KINEMATIC;
    d.motion = turns_over;
    CHECK_STATUS(spc_body_add(s.world, &d, &s.body[s.bodies++]), SPC_OK);
    add_body(&s, top_mass(1, 0.2, 0.1), at(vec(0, 0, -1)));
    join(&s, 0, 1, zero, vec(0, 0, 1), SPC_UNIVERSAL);
    for (step = 0; step < 2; step++)
        CHECK_STATUS(call_step(&s), SPC_OK);
    before = hash_of(&s);
    for (step = 0; step < 2; step++) {
        CHECK_STATUS(call_step(&s), SPC_ERROR_OPPOSED_AXES);
        CHECK_STATUS(call_rk4(&s), SPC_ERROR_OPPOSED_AXES);
        CHECK_STATUS(call_rk4_project(&s), SPC_ERROR_OPPOSED_AXES);
        CHECK(hash_of(&s) == before);
    }
    scene_free(&s);
}

static const test_entry tests[] = {
    TEST(joints_are_assembled_from_almost_half_a_turn_away),
    TEST(the_sign_of_a_quaternion_means_nothing),
    TEST(chains_and_rings_of_20_links_are_assembled),
    TEST(what_can_be_assembled_is_assembled_to_ten_roundings),
    TEST(what_is_assembled_is_left_bit_for_bit),
    TEST(contradictions_are_assembled_by_least_squares),
    TEST(what_cannot_be_assembled_is_left_as_it_was),
    TEST(opposed_axes_are_refused_where_a_joint_is_made),
    TEST(opposed_axes_are_refused_by_queries),
    TEST(opposed_axes_are_refused_by_what_moves_a_world),
    TEST(a_step_to_opposed_axes_is_taken_back),
};

TEST_MAIN
