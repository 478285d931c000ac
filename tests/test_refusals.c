/* [7] What is refused at its arguments: each error code of each function, and that a refused call
   leaves every byte of the world. */
#include "refusals.h"

#include <limits.h>

/* Enumerators that do not exist; through an int, since no constant of the type has the value. */
static spc_duration bad_duration(int i)
{
    return (spc_duration)i;
}

static spc_drift bad_drift(int i)
{
    return (spc_drift)i;
}

static spc_body_kind bad_kind(int i)
{
    return (spc_body_kind)i;
}

/* ---------------------------------------------------------------------- status texts -------- */

static void every_status_has_a_text_of_its_own(void)
{
    int i, k;
    for (i = (int)SPC_OK; i < (int)SPC_STATUS_COUNT; i++) {
        const char *text = spc_status_text((spc_status)i);
        CHECK(text != NULL && strlen(text) > 1);
        CHECK(strcmp(text, "unknown status") != 0);
        for (k = (int)SPC_OK; k < i; k++)
            CHECK(strcmp(text, spc_status_text((spc_status)k)) != 0);
    }
    CHECK(SPC_OK == 0);
    CHECK(strcmp(spc_status_text(SPC_OK), "ok") == 0);
}

static void codes_out_of_range_are_unknown(void)
{
    const int codes[4] = { (int)SPC_OK - 1, (int)SPC_STATUS_COUNT, (int)SPC_STATUS_COUNT + 1,
                           1 << 20 };
    int i;
    for (i = 0; i < 4; i++)
        CHECK(strcmp(spc_status_text((spc_status)codes[i]), "unknown status") == 0);
}

/* ------------------------------------------------------------------------- arguments -------- */

static spc_real *number_of_pose(spc_transform *X, int i)
{
    spc_real *all[7];
    all[0] = &X->q.w, all[1] = &X->q.x, all[2] = &X->q.y, all[3] = &X->q.z;
    all[4] = &X->p.x, all[5] = &X->p.y, all[6] = &X->p.z;
    return all[i];
}

static spc_real *number_of_spatial(spc_spatial *V, int i)
{
    spc_vec3 *v = i < 3 ? &V->angular : &V->linear;
    return i % 3 == 0 ? &v->x : i % 3 == 1 ? &v->y : &v->z;
}

static void bad_bodies_are_not_added(void)
{
    spc_body_desc d;
    int i, k;
    open_scene();
    for (i = -1; i <= 2; i += 3) {
        d = good_body(), d.kind = bad_kind(i);
        check_bad_body(__LINE__, &d, SPC_ERROR_BAD_OPTION);
    }
    for (i = 0; i < 3; i++) {
        const spc_real b = real(bad_number(i));
        for (k = 0; k < 7; k++) {
            d = good_body(), *number_of_pose(&d.state.X_GB, k) = b;
            check_bad_body(__LINE__, &d, SPC_ERROR_NOT_FINITE);
            d.kind = SPC_KINEMATIC;
            check_bad_body(__LINE__, &d, SPC_ERROR_NOT_FINITE);
        }
        for (k = 0; k < 6; k++) {
            d = good_body(), *number_of_spatial(&d.state.V_GB, k) = b;
            check_bad_body(__LINE__, &d, SPC_ERROR_NOT_FINITE);
            d.kind = SPC_KINEMATIC;
            check_bad_body(__LINE__, &d, SPC_ERROR_NOT_FINITE);
        }
        d = good_body(), d.mass.mass = b, check_bad_body(__LINE__, &d, SPC_ERROR_NOT_FINITE);
        d = good_body(), d.mass.p_BBc.y = b, check_bad_body(__LINE__, &d, SPC_ERROR_NOT_FINITE);
        d = good_body(), d.mass.inertia.xz = b, check_bad_body(__LINE__, &d, SPC_ERROR_NOT_FINITE);
    }
    d = spc_body_desc_default(), check_bad_body(__LINE__, &d, SPC_ERROR_BAD_MASS);
    d = good_body(), d.mass.mass = -1, check_bad_body(__LINE__, &d, SPC_ERROR_BAD_MASS);
    d = good_body(), d.mass.inertia.zz = 0, check_bad_body(__LINE__, &d, SPC_ERROR_BAD_INERTIA);
    d = good_body(), d.mass.inertia.zz *= 3, check_bad_body(__LINE__, &d, SPC_ERROR_BAD_INERTIA);
    d = good_body(), d.state.X_GB.q.w = 0, check_bad_body(__LINE__, &d, SPC_ERROR_ZERO_QUATERNION);
    d.kind = SPC_KINEMATIC, check_bad_body(__LINE__, &d, SPC_ERROR_ZERO_QUATERNION);
    d = good_body(), d.motion = swing, check_bad_body(__LINE__, &d, SPC_ERROR_WRONG_BODY_KIND);
    for (i = FAULT_NONE + 1; i < FAULT_KINDS; i++) {
        fault f;
        f.kind = i;
        f.from = 0;
        d = spc_body_desc_default();
        d.kind = SPC_KINEMATIC;
        d.motion = swing;
        d.user = &f;
        check_bad_body(__LINE__, &d, SPC_ERROR_BAD_MOTION);
    }
    close_scene();
}

static void kinematic_bodies_need_no_mass_and_callbacks_no_state(void)
{
    spc_body_desc d = spc_body_desc_default();
    spc_body body;
    open_scene();
    d.kind = SPC_KINEMATIC;
    d.mass.mass = real(bad_number(0));
    CHECK_STATUS(spc_body_add(s.world, &d, &body), SPC_OK);
    d.motion = swing;
    d.state.X_GB.p.x = real(bad_number(0));
    d.state.X_GB.q.w = 0;
    CHECK_STATUS(spc_body_add(s.world, &d, &body), SPC_OK);
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    close_scene();
}

/* No constraint of any kind can be added. */
static void check_no_room(spc_status wanted)
{
    spc_constraint constraint;
    int k;
    for (k = 0; k < KINDS; k++)
        REFUSED_OUT(try_add(kinds[k], s.body[0], s.body[1], NULL, &constraint), wanted, constraint);
}

static void a_full_world_takes_nothing_more(void)
{
    spc_world_desc desc = spc_world_desc_default(2, 2);
    spc_body_desc d = good_body();
    spc_body body;
    spc_constraint constraint;
    int round;
    open_empty(&desc);
    (void)add_ball(0, 0);
    (void)add_ball(2, 0);
    (void)add_contact(ground, s.body[0]);
    (void)add_contact(ground, s.body[1]);
    for (round = 0; round < 4; round++) { /* but for the first time with slots that were free */
        const int i = round % 2, kind = round / 2;
        mark();
        check_bad_body(__LINE__, &d, SPC_ERROR_BODIES_FULL);
        check_no_room(SPC_ERROR_CONSTRAINTS_FULL);
        CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[i]), SPC_OK);
        CHECK_STATUS(spc_body_remove(s.world, s.body[i]), SPC_OK);
        CHECK_STATUS(spc_body_add(s.world, &d, &s.body[i]), SPC_OK);
        CHECK_STATUS(try_add(kinds[kind], s.body[0], s.body[1], NULL, &constraint), SPC_OK);
        CHECK_STATUS(spc_constraint_remove(s.world, constraint), SPC_OK);
        CHECK_STATUS(try_add(kinds[kind], ground, s.body[i], NULL, &s.constraint[i]), SPC_OK);
    }
    close_scene();
    desc.rows = 5; /* two constraints have six */
    open_empty(&desc);
    (void)add_ball(0, 0);
    (void)add_ball(2, 0);
    for (round = 0; round < 4; round++) { /* either kind beside either kind */
        CHECK_STATUS(try_add(kinds[round / 2], ground, s.body[0], NULL, &constraint), SPC_OK);
        mark();
        check_no_room(SPC_ERROR_ROWS_FULL);
        CHECK_STATUS(spc_constraint_remove(s.world, constraint), SPC_OK);
        CHECK_STATUS(try_add(kinds[round % 2], ground, s.body[1], NULL, &constraint), SPC_OK);
        CHECK_STATUS(spc_constraint_remove(s.world, constraint), SPC_OK);
    }
    close_scene();
    desc = spc_world_desc_default(0, 0);
    open_empty(&desc);
    memset(&body, PATTERN, sizeof body);
    CHECK_STATUS(spc_body_add(s.world, &d, &body), SPC_ERROR_BODIES_FULL);
    CHECK(untouched(&body, sizeof body));
    close_scene();
}

static void bad_poses_and_velocities_are_not_set(void)
{
    int i, k, n;
    open_scene();
    for (n = 0; n < 2; n++) {
        const spc_body body = s.body[n ? TRAY : BALL];
        spc_transform X;
        spc_spatial V;
        for (i = 0; i < 3; i++) {
            for (k = 0; k < 7; k++) {
                X = spc_transform_identity(), *number_of_pose(&X, k) = real(bad_number(i));
                REFUSED(spc_body_set_pose(s.world, body, X), SPC_ERROR_NOT_FINITE);
            }
            for (k = 0; k < 6; k++) {
                V = spc_spatial_make(zero, zero),
                *number_of_spatial(&V, k) = real(bad_number(i));
                REFUSED(spc_body_set_velocity(s.world, body, V), SPC_ERROR_NOT_FINITE);
                REFUSED(spc_body_set_acceleration(s.world, s.body[TRAY], V), SPC_ERROR_NOT_FINITE);
            }
        }
        X = spc_transform_identity(), X.q.w = 0;
        REFUSED(spc_body_set_pose(s.world, body, X), SPC_ERROR_ZERO_QUATERNION);
    }
    close_scene();
}

static void bad_masses_are_not_set(void)
{
    spc_mass m;
    open_scene();
    m = spc_mass_solid_sphere(1, 1), m.inertia.yz = real(bad_number(0));
    REFUSED(spc_body_set_mass(s.world, s.body[BALL], &m), SPC_ERROR_NOT_FINITE);
    m = spc_mass_solid_sphere(0, 1);
    REFUSED(spc_body_set_mass(s.world, s.body[BALL], &m), SPC_ERROR_BAD_MASS);
    m = spc_mass_solid_sphere(1, 1), m.inertia.xx *= 3;
    REFUSED(spc_body_set_mass(s.world, s.body[BALL], &m), SPC_ERROR_BAD_INERTIA);
    close_scene();
}

static void bad_forces_are_not_added(void)
{
    spc_body body;
    int i, k;
    open_scene();
    body = s.body[BALL];
    for (k = 0; k < 2; k++) {
        const spc_duration duration = k ? SPC_LASTING : SPC_ONE_STEP;
        for (i = 0; i < 3; i++) {
            const double b = bad_number(i);
            REFUSED(spc_body_add_force(s.world, body, vec(b, 0, 0), zero, duration),
                    SPC_ERROR_NOT_FINITE);
            REFUSED(spc_body_add_force(s.world, body, vec(0, b, 0), zero, duration),
                    SPC_ERROR_NOT_FINITE);
            REFUSED(spc_body_add_force(s.world, body, vec(0, 0, b), zero, duration),
                    SPC_ERROR_NOT_FINITE);
            REFUSED(spc_body_add_force(s.world, body, zero, vec(b, 0, 0), duration),
                    SPC_ERROR_NOT_FINITE);
            REFUSED(spc_body_add_force(s.world, body, vec(1, 0, 0), vec(0, 0, b), duration),
                    SPC_ERROR_NOT_FINITE);
            REFUSED(spc_body_add_torque(s.world, body, vec(b, 0, 0), duration),
                    SPC_ERROR_NOT_FINITE);
            REFUSED(spc_body_add_torque(s.world, body, vec(0, b, 0), duration),
                    SPC_ERROR_NOT_FINITE);
            REFUSED(spc_body_add_torque(s.world, body, vec(0, 0, b), duration),
                    SPC_ERROR_NOT_FINITE);
        }
        /* a torque, and a sum, that is too large */
        REFUSED(spc_body_add_force(s.world, body, vec(LARGEST, 0, 0), vec(0, 0, 4), duration),
                SPC_ERROR_NOT_FINITE);
        CHECK_STATUS(spc_body_add_torque(s.world, body, vec(LARGEST, 0, 0), duration), SPC_OK);
        mark();
        REFUSED(spc_body_add_torque(s.world, body, vec(LARGEST, 0, 0), duration),
                SPC_ERROR_NOT_FINITE);
    }
    for (i = -1; i <= 2; i += 3) {
        REFUSED(spc_body_add_force(s.world, body, zero, zero, bad_duration(i)),
                SPC_ERROR_BAD_OPTION);
        REFUSED(spc_body_add_torque(s.world, body, zero, bad_duration(i)), SPC_ERROR_BAD_OPTION);
    }
    close_scene();
}

/* Refused by add and by set. */
static void check_bad_shape(int line, const spc_sphere_on_plane *shape, spc_status wanted)
{
    spc_sphere_on_plane_desc d = contact_of(ground, s.body[SPARE]);
    spc_constraint constraint;
    d.shape = *shape;
    memset(&constraint, PATTERN, sizeof constraint);
    test_status(__FILE__, line, "add", spc_sphere_on_plane_add(s.world, &d, &constraint), wanted);
    test_status(__FILE__, line, "set",
                spc_sphere_on_plane_set(s.world, s.constraint[ON_GROUND], shape), wanted);
    CHECK(untouched(&constraint, sizeof constraint));
    CHECK(unchanged());
}

static void bad_shapes_are_refused(void)
{
    spc_sphere_on_plane good = spc_sphere_on_plane_default(), shape;
    int i, k;
    open_scene();
    good.radius = 1;
    for (i = 0; i < 3; i++) {
        const spc_real b = real(bad_number(i));
        for (k = 0; k < 7; k++) {
            shape = good, *number_of_pose(&shape.X_FP, k) = b;
            check_bad_shape(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
        }
        shape = good, shape.p_BS.x = b, check_bad_shape(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
        shape = good, shape.p_BS.z = b, check_bad_shape(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
        shape = good, shape.radius = b, check_bad_shape(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
        shape = good, shape.half_width = b, check_bad_shape(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
    }
    shape = spc_sphere_on_plane_default(), check_bad_shape(__LINE__, &shape, SPC_ERROR_BAD_RADIUS);
    shape = good, shape.radius = -1, check_bad_shape(__LINE__, &shape, SPC_ERROR_BAD_RADIUS);
    shape = good, shape.half_width = -1, check_bad_shape(__LINE__, &shape, SPC_ERROR_BAD_WIDTH);
    shape = good, shape.X_FP.q.w = 0, check_bad_shape(__LINE__, &shape, SPC_ERROR_ZERO_QUATERNION);
    close_scene();
}

static void check_bad_disc(int line, const spc_rolling_disc *shape, spc_status wanted)
{
    spc_rolling_disc_desc d = disc_of(ground, s.body[SPARE]);
    spc_constraint constraint;
    d.shape = *shape;
    memset(&constraint, PATTERN, sizeof constraint);
    test_status(__FILE__, line, "add", spc_rolling_disc_add(s.world, &d, &constraint), wanted);
    test_status(__FILE__, line, "set", spc_rolling_disc_set(s.world, s.constraint[WHEELING], shape),
                wanted);
    CHECK(untouched(&constraint, sizeof constraint));
    CHECK(unchanged());
}

#define DISC_NUMBERS 20

static spc_real *number_of_disc(spc_rolling_disc *d, int i)
{
    spc_real *all[DISC_NUMBERS - 7];
    all[0] = &d->p_BS.x, all[1] = &d->p_BS.y, all[2] = &d->p_BS.z;
    all[3] = &d->axis_B.x, all[4] = &d->axis_B.y, all[5] = &d->axis_B.z;
    all[6] = &d->radius, all[7] = &d->width;
    all[8] = &d->color.r, all[9] = &d->color.g, all[10] = &d->color.b, all[11] = &d->color.a;
    all[12] = &d->half_width;
    return i < 7 ? number_of_pose(&d->X_FP, i) : all[i - 7];
}

static void bad_discs_are_refused(void)
{
    spc_rolling_disc good, shape;
    int i, k;
    open_scene();
    good = disc_of(ground, ground).shape;
    for (i = 0; i < 3; i++)
        for (k = 0; k < DISC_NUMBERS; k++) {
            shape = good, *number_of_disc(&shape, k) = real(bad_number(i));
            check_bad_disc(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
        }
    shape = spc_rolling_disc_default(), check_bad_disc(__LINE__, &shape, SPC_ERROR_BAD_RADIUS);
    shape = good, shape.radius = -1, check_bad_disc(__LINE__, &shape, SPC_ERROR_BAD_RADIUS);
    shape = good, shape.width = -1, check_bad_disc(__LINE__, &shape, SPC_ERROR_BAD_WIDTH);
    shape = good, shape.half_width = -1, check_bad_disc(__LINE__, &shape, SPC_ERROR_BAD_WIDTH);
    shape = good, shape.axis_B = zero, check_bad_disc(__LINE__, &shape, SPC_ERROR_ZERO_VECTOR);
    shape = good, shape.X_FP.q.w = 0, check_bad_disc(__LINE__, &shape, SPC_ERROR_ZERO_QUATERNION);
    close_scene();
}

static void check_bad_joint(int line, const spc_attachment *shape, spc_status wanted)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_constraint constraint;
    d.b = s.body[SPARE];
    d.shape = *shape;
    memset(&constraint, PATTERN, sizeof constraint);
    test_status(__FILE__, line, "check", spc_attachment_check(shape), wanted);
    test_status(__FILE__, line, "add", spc_attachment_add(s.world, &d, &constraint), wanted);
    test_status(__FILE__, line, "set",
                spc_attachment_set(s.world, s.constraint[s.constraints - 1], shape), wanted);
    CHECK(untouched(&constraint, sizeof constraint));
    CHECK(unchanged());
}

static void bad_joints_are_refused(void)
{
    const spc_attachment good = spc_attachment_default();
    spc_attachment shape;
    int i, k;
    open_scene();
    CHECK_STATUS(
        try_add(SPC_ATTACHMENT, s.body[TRAY], s.body[SPARE], NULL, &s.constraint[s.constraints++]),
        SPC_OK);
    mark();
    for (i = 0; i < 3; i++) {
        const spc_real b = real(bad_number(i));
        for (k = 0; k < 7; k++) {
            shape = good, *number_of_pose(&shape.X_AF, k) = b;
            check_bad_joint(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
            shape = good, *number_of_pose(&shape.X_BM, k) = b;
            check_bad_joint(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
        }
        shape = good, shape.rest.x = b, check_bad_joint(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
        shape = good, shape.rest.z = b, check_bad_joint(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
    }
    shape = good, shape.X_AF.q.w = 0, check_bad_joint(__LINE__, &shape, SPC_ERROR_ZERO_QUATERNION);
    shape = good, shape.X_BM.q.w = 0, check_bad_joint(__LINE__, &shape, SPC_ERROR_ZERO_QUATERNION);
    shape = good, shape.locked = 64, check_bad_joint(__LINE__, &shape, SPC_ERROR_BAD_OPTION);
    CHECK_STATUS(spc_attachment_check(NULL), SPC_ERROR_NULL);
    close_scene();
}

static void a_constraint_needs_two_bodies(void)
{
    spc_constraint constraint;
    int k;
    open_scene();
    for (k = 0; k < KINDS; k++) {
        REFUSED_OUT(try_add(kinds[k], ground, ground, NULL, &constraint), SPC_ERROR_SAME_BODY,
                    constraint);
        REFUSED_OUT(try_add(kinds[k], s.body[SPARE], s.body[SPARE], NULL, &constraint),
                    SPC_ERROR_SAME_BODY, constraint);
    }
    close_scene();
}

static void bad_stabilization_is_not_set(void)
{
    const spc_stabilization good = spc_stabilization_default();
    spc_stabilization b;
    spc_constraint c;
    int i;
    open_scene();
    c = s.constraint[ON_GROUND];
    for (i = 0; i < 3; i++) {
        b = good, b.time_constant = real(bad_number(i));
        REFUSED(spc_constraint_set_stabilization(s.world, c, &b), SPC_ERROR_NOT_FINITE);
    }
    b = good, b.time_constant = 0;
    REFUSED(spc_constraint_set_stabilization(s.world, c, &b), SPC_ERROR_BAD_TIME_CONSTANT);
    b.time_constant = -1;
    REFUSED(spc_constraint_set_stabilization(s.world, c, &b), SPC_ERROR_BAD_TIME_CONSTANT);
    b = good, b.enabled = false, b.time_constant = -1; /* kept for later: checked all the same */
    REFUSED(spc_constraint_set_stabilization(s.world, c, &b), SPC_ERROR_BAD_TIME_CONSTANT);

    b = good, b.ignore_position = 1u << SPC_MAX_ROWS;
    REFUSED(spc_constraint_set_stabilization(s.world, c, &b), SPC_ERROR_BAD_OPTION);
    b = good, b.ignore_velocity = UINT_MAX;
    REFUSED(spc_constraint_set_stabilization(s.world, c, &b), SPC_ERROR_BAD_OPTION);
    b = good, b.enabled = false, b.time_constant = 0; /* a zeroed struct is neutral */
    CHECK_STATUS(spc_constraint_set_stabilization(s.world, c, &b), SPC_OK);
    close_scene();
}

static void bad_gravity_and_times_are_not_set(void)
{
    int i;
    open_scene();
    for (i = 0; i < 3; i++) {
        const double b = bad_number(i);
        REFUSED(spc_world_set_gravity(s.world, vec(b, 0, 0)), SPC_ERROR_NOT_FINITE);
        REFUSED(spc_world_set_gravity(s.world, vec(0, b, 0)), SPC_ERROR_NOT_FINITE);
        REFUSED(spc_world_set_gravity(s.world, vec(0, 0, b)), SPC_ERROR_NOT_FINITE);
        REFUSED(spc_world_set_time(s.world, real(b)), SPC_ERROR_NOT_FINITE);
    }
    close_scene();
}

/* Poses, times, and what of both gives a velocity that overflows: a way of twice the largest
   number, one of 16 in the shortest time that is a step, and half a turn in it. */
static void bad_ways_to_move_to_are_refused(void)
{
    const double no_times[5] = { 0, -0.01, (double)NAN, (double)INFINITY, SMALLEST };
    const spc_real shortest = real(2 / LARGEST);
    spc_transform X;
    int i, k;
    open_scene();
    for (i = 0; i < 3; i++)
        for (k = 0; k < 7; k++) {
            X = spc_transform_identity(), *number_of_pose(&X, k) = real(bad_number(i));
            REFUSED(spc_body_move_to(s.world, s.body[TRAY], X, STEP), SPC_ERROR_NOT_FINITE);
        }
    X = spc_transform_identity();
    for (i = 0; i < 5; i++)
        REFUSED(spc_body_move_to(s.world, s.body[TRAY], X, real(no_times[i])), SPC_ERROR_BAD_STEP);
    X.q.w = 0;
    REFUSED(spc_body_move_to(s.world, s.body[TRAY], X, STEP), SPC_ERROR_ZERO_QUATERNION);
    X = spc_transform_identity();
    X.p.y = -real(LARGEST);
    CHECK_STATUS(spc_body_set_pose(s.world, s.body[TRAY], X), SPC_OK);
    mark();
    X.p.y = real(LARGEST);
    REFUSED(spc_body_move_to(s.world, s.body[TRAY], X, 1), SPC_ERROR_NOT_FINITE);
    X = spc_transform_identity();
    CHECK_STATUS(spc_body_set_pose(s.world, s.body[TRAY], X), SPC_OK);
    mark();
    X.p.z = 16;
    REFUSED(spc_body_move_to(s.world, s.body[TRAY], X, shortest), SPC_ERROR_NOT_FINITE);
    X.p.z = 0;
    X.q = spc_quat_make(0, 0, 1, 0);
    REFUSED(spc_body_move_to(s.world, s.body[TRAY], X, shortest), SPC_ERROR_NOT_FINITE);
    X.q = spc_quat_identity();
    CHECK_STATUS(spc_body_move_to(s.world, s.body[TRAY], X, shortest), SPC_OK);
    close_scene();
}

/* The parts of a step refuse a length, a count or a number at their arguments. */
static void check_part_lengths(spc_real h)
{
    spc_real v[9], out[81];
    memset(v, 0, sizeof v);
    REFUSED_OUT(spc_world_free_motion(s.world, h, out, out + 9, 9), SPC_ERROR_BAD_STEP, out);
    REFUSED_OUT(spc_world_get_violation(s.world, h, NULL, out, 9), SPC_ERROR_BAD_STEP, out);
    REFUSED_OUT(spc_world_get_compliance(s.world, h, NULL, 0, out, 9), SPC_ERROR_BAD_STEP, out);
    REFUSED(spc_world_correct(s.world, h, v, 9), SPC_ERROR_BAD_STEP);
    REFUSED(spc_world_displace(s.world, h, v, 9), SPC_ERROR_BAD_STEP);
    REFUSED(spc_world_end_motion(s.world, h), SPC_ERROR_BAD_STEP);
}

static void check_part_counts(int count)
{
    spc_real v[9], out[81];
    memset(v, 0, sizeof v);
    REFUSED_OUT(spc_world_free_motion(s.world, STEP, out, NULL, count), SPC_ERROR_BAD_COUNT, out);
    REFUSED_OUT(spc_world_free_motion(s.world, STEP, NULL, out, count), SPC_ERROR_BAD_COUNT, out);
    REFUSED_OUT(spc_world_get_violation(s.world, STEP, v, out, count), SPC_ERROR_BAD_COUNT, out);
    REFUSED_OUT(spc_world_get_position_violation(s.world, v, out, count), SPC_ERROR_BAD_COUNT, out);
    REFUSED_OUT(spc_world_get_compliance(s.world, STEP, NULL, 0, out, count), SPC_ERROR_BAD_COUNT,
                out);
    REFUSED(spc_world_correct(s.world, STEP, v, count), SPC_ERROR_BAD_COUNT);
    REFUSED(spc_world_displace(s.world, STEP, v, count), SPC_ERROR_BAD_COUNT);
}

/* The ball, the rider and the wheel have three rows each. */
static void parts_of_a_step_refuse_bad_arguments(void)
{
    static const int counts[5] = { 0, -9, 8, 10, 1 << 30 };
    int i, k;
    open_scene();
    CHECK(spc_world_row_count(s.world) == 9);
    for (i = 0; i < 3; i++)
        check_part_lengths(real(bad_number(i)));
    check_part_lengths(0);
    check_part_lengths(-STEP);
    check_part_lengths(real(SMALLEST)); /* 1 / h overflows */
    for (i = 0; i < 5; i++)
        check_part_counts(counts[i]);
    for (i = 0; i < 9; i++)
        for (k = 0; k < 3; k++) {
            spc_real v[9];
            memset(v, 0, sizeof v);
            v[i] = real(bad_number(k));
            REFUSED(spc_world_correct(s.world, STEP, v, 9), SPC_ERROR_NOT_FINITE);
            REFUSED(spc_world_displace(s.world, STEP, v, 9), SPC_ERROR_NOT_FINITE);
        }
    close_scene();
}

static void bad_steps_are_refused(void)
{
    const double zero_or_less[2] = { 0, -0.01 };
    int i;
    open_scene();
    for (i = 0; i < 5; i++) {
        const spc_real h = real(i < 3 ? bad_number(i) : zero_or_less[i - 3]);
        REFUSED(spc_step(s.world, h), SPC_ERROR_BAD_STEP);
        REFUSED(spc_step_rk4(s.world, h, SPC_DRIFT_STABILIZE), SPC_ERROR_BAD_STEP);
        REFUSED(spc_step_rk4(s.world, h, SPC_DRIFT_PROJECT), SPC_ERROR_BAD_STEP);
    }
    REFUSED(spc_step(s.world, real(SMALLEST)), SPC_ERROR_BAD_STEP); /* 1 / h overflows */
    for (i = -1; i <= 2; i += 3)
        REFUSED(spc_step_rk4(s.world, STEP, bad_drift(i)), SPC_ERROR_BAD_OPTION);
    close_scene();
    {
        const spc_world_desc desc = spc_world_desc_default(1, 0);
        open_empty(&desc); /* a clock that would overflow */
        CHECK_STATUS(spc_world_set_time(s.world, real(LARGEST)), SPC_OK);
        mark();
        REFUSED(spc_step(s.world, real(LARGEST)), SPC_ERROR_BAD_STEP);
        REFUSED(spc_step_rk4(s.world, real(LARGEST), SPC_DRIFT_STABILIZE), SPC_ERROR_BAD_STEP);
        close_scene();
    }
}

static void bad_tolerances_are_refused(void)
{
    const double zero_or_less[2] = { 0, -1e-3 };
    spc_real residual;
    int i;
    open_scene();
    for (i = 0; i < 5; i++) {
        const spc_real t = real(i < 3 ? bad_number(i) : zero_or_less[i - 3]);
        REFUSED_OUT(spc_world_assemble(s.world, t, &residual), SPC_ERROR_BAD_TOLERANCE, residual);
    }
    close_scene();
}

static void impulses_of_a_wrong_length_are_refused(void)
{
    spc_real v[10] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, impulses[10];
    int i;
    open_scene();
    CHECK(spc_world_row_count(s.world) == 9); /* the constraint that is off has none */
    for (i = -2; i <= 10; i += 2) {           /* never nine */
        REFUSED_OUT(spc_world_apply_impulses(s.world, v, NULL, i), SPC_ERROR_BAD_COUNT, impulses);
        REFUSED_OUT(spc_world_apply_impulses(s.world, NULL, impulses, i), SPC_ERROR_BAD_COUNT,
                    impulses);
        REFUSED_OUT(spc_world_apply_impulses(s.world, v, impulses, i), SPC_ERROR_BAD_COUNT,
                    impulses);
    }
    for (i = 0; i < 3; i++) {
        v[5] = real(bad_number(i));
        REFUSED_OUT(spc_world_apply_impulses(s.world, v, impulses, 9), SPC_ERROR_NOT_FINITE,
                    impulses);
        v[5] = 0;
        v[8] = real(bad_number(i)); /* the last */
        REFUSED_OUT(spc_world_apply_impulses(s.world, v, impulses, 9), SPC_ERROR_NOT_FINITE,
                    impulses);
        v[8] = 0;
    }
    CHECK_STATUS(spc_world_apply_impulses(s.world, v, impulses, 9), SPC_OK);
    CHECK_STATUS(spc_world_apply_impulses(s.world, NULL, NULL, -7),
                 SPC_OK); /* no vector, no length */
    close_scene();
}

/* ------------------------------------------------------------------ rows on and off --------- */

/* keep_pose makes X_BM and rest itself: what the description says there is ignored. */
static void what_keep_pose_ignores_is_not_looked_at(void)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_attachment shape, plain;
    spc_constraint c;
    int i;
    open_scene();
    d.b = s.body[SPARE];
    d.keep_pose = true;
    CHECK_STATUS(spc_attachment_add(s.world, &d, &c), SPC_OK);
    CHECK_STATUS(spc_attachment_get(s.world, c, &plain), SPC_OK);
    for (i = 0; i < 4; i++) {
        d.shape.X_BM.q = spc_quat_make(0, 0, 0, 0);
        if (i > 0)
            d.shape.X_BM.q.x = real(bad_number(i - 1));
        if (i > 0)
            d.shape.X_BM.p.y = d.shape.rest.z = real(bad_number(i - 1));
        CHECK_STATUS(spc_attachment_add(s.world, &d, &c), SPC_OK);
        CHECK_STATUS(spc_attachment_get(s.world, c, &shape), SPC_OK);
        CHECK(SAME_BITS(shape.X_BM, plain.X_BM) && SAME_BITS(shape.rest, plain.rest));
        CHECK_STATUS(spc_constraint_remove(s.world, c), SPC_OK);
    }
    mark();
    d.shape.X_AF.q = spc_quat_make(0, 0, 0, 0); /* is not ignored */
    REFUSED_OUT(spc_attachment_add(s.world, &d, &c), SPC_ERROR_ZERO_QUATERNION, c);
    close_scene();
}

/* Masks name rows that a constraint's kind has: three of a contact, six of an attachment. Of those
   that a world gives to its new constraints it takes the bits that it has. */
static void masks_name_rows_that_there_are(void)
{
    spc_world_desc desc = spc_world_desc_default(1, KINDS);
    spc_body_desc ball = spc_body_desc_default();
    spc_stabilization got;
    spc_body body;
    int k, i, bit;
    desc.rows = 12;
    desc.stabilization.ignore_position = 0x2A; /* every other of the six rows */
    desc.stabilization.ignore_velocity = 0x15;
    open_empty(&desc);
    ball.mass = spc_mass_solid_sphere(1, SPC_R(0.5));
    CHECK_STATUS(spc_body_add(s.world, &ball, &body), SPC_OK);
    for (k = 0; k < KINDS; k++) {
        const int rows = kinds[k] == SPC_ATTACHMENT ? 6 : 3;
        const unsigned all = (1u << rows) - 1;
        spc_constraint c;
        CHECK_STATUS(try_add(kinds[k], ground, body, NULL, &c), SPC_OK);
        CHECK_STATUS(spc_constraint_get_stabilization(s.world, c, &got), SPC_OK);
        CHECK(got.ignore_position == (0x2A & all) && got.ignore_velocity == (0x15 & all));
        CHECK_STATUS(spc_constraint_set_stabilization(s.world, c, &got), SPC_OK);
        mark();
        for (i = 0; i < 2; i++)
            for (bit = rows; bit < 32; bit++) {
                spc_stabilization beyond = got;
                *(i ? &beyond.ignore_position : &beyond.ignore_velocity) |= 1u << bit;
                REFUSED(spc_constraint_set_stabilization(s.world, c, &beyond),
                        SPC_ERROR_BAD_OPTION);
            }
    }
    close_scene();
}

/* Poses too far apart for their difference to be a number are not kept. */
static void attachments_do_not_keep_poses_out_of_reach(void)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_body_desc far_away = spc_body_desc_default();
    spc_constraint constraint;
    open_scene();
    far_away.mass = spc_mass_solid_sphere(1, 1);
    far_away.state.X_GB.p.x = -(spc_real)LARGEST;
    d.a = add_body(&far_away);
    far_away.state.X_GB.p.x = (spc_real)LARGEST;
    d.b = add_body(&far_away);
    d.keep_pose = true;
    mark();
    REFUSED_OUT(spc_attachment_add(s.world, &d, &constraint), SPC_ERROR_NOT_FINITE, constraint);
    REFUSED_OUT(spc_attachment_add(NULL, &d, &constraint), SPC_ERROR_NULL, constraint);
    REFUSED_OUT(spc_attachment_add(s.world, NULL, &constraint), SPC_ERROR_NULL, constraint);
    CHECK_STATUS(spc_attachment_add(s.world, &d, NULL), SPC_ERROR_NULL);
    close_scene();
}

/* 1 / T^2 must be a number. */
static void time_constants_must_not_be_too_short(void)
{
    spc_stabilization pull = spc_stabilization_default();
    open_scene();
    pull.time_constant = (spc_real)(sizeof(spc_real) == 8 ? 1e-160 : 1e-25);
    REFUSED(spc_constraint_set_stabilization(s.world, s.constraint[0], &pull),
            SPC_ERROR_BAD_TIME_CONSTANT);
    close_scene();
}

/* A side that is not wanted is left out. */
static void forces_are_given_to_those_who_ask(void)
{
    spc_state floor = spc_state_identity(), ball = spc_state_identity();
    spc_sphere_on_plane shape = spc_sphere_on_plane_default();
    const spc_real lambda[3] = { 1, 2, 3 };
    spc_spatial both[2], one[2];
    spc_rows rows;
    shape.radius = 1;
    CHECK_STATUS(spc_sphere_on_plane_rows(&shape, &floor, &ball, &rows), SPC_OK);
    spc_rows_forces(&rows, lambda, &both[0], &both[1]);
    spc_rows_forces(&rows, lambda, &one[0], NULL);
    spc_rows_forces(&rows, lambda, NULL, &one[1]);
    CHECK(SAME_BITS(both, one));
}

/* A row whose velocity does not count is not projected either. */
static void rows_at_acceleration_level_are_not_projected(void)
{
    spc_stabilization loose = spc_stabilization_default();
    spc_rows rows, after;
    open_scene();
    loose.ignore_velocity = 2;
    CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.constraint[0], &loose), SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(s.world, s.body[BALL],
                                       spc_spatial_make(vec(1, 2, 3), vec(4, 5, 6))),
                 SPC_OK);
    CHECK_STATUS(spc_constraint_get_rows(s.world, s.constraint[0], &rows), SPC_OK);
    CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
    CHECK_STATUS(spc_constraint_get_rows(s.world, s.constraint[0], &after), SPC_OK);
    CHECK_NEAR(after.velocity_errors[0], 0, 100 * TEST_EPSILON);
    CHECK_NEAR(after.velocity_errors[1], rows.velocity_errors[1], 100 * TEST_EPSILON);
    CHECK_NEAR(after.velocity_errors[2], 0, 100 * TEST_EPSILON);
    close_scene();
}

static const test_entry tests[] = {
    TEST(every_status_has_a_text_of_its_own),
    TEST(codes_out_of_range_are_unknown),
    TEST(bad_bodies_are_not_added),
    TEST(kinematic_bodies_need_no_mass_and_callbacks_no_state),
    TEST(a_full_world_takes_nothing_more),
    TEST(bad_poses_and_velocities_are_not_set),
    TEST(bad_masses_are_not_set),
    TEST(bad_forces_are_not_added),
    TEST(bad_shapes_are_refused),
    TEST(bad_discs_are_refused),
    TEST(bad_joints_are_refused),
    TEST(a_constraint_needs_two_bodies),
    TEST(bad_stabilization_is_not_set),
    TEST(bad_gravity_and_times_are_not_set),
    TEST(bad_ways_to_move_to_are_refused),
    TEST(bad_steps_are_refused),
    TEST(parts_of_a_step_refuse_bad_arguments),
    TEST(bad_tolerances_are_refused),
    TEST(impulses_of_a_wrong_length_are_refused),
    TEST(attachments_do_not_keep_poses_out_of_reach),
    TEST(what_keep_pose_ignores_is_not_looked_at),
    TEST(masks_name_rows_that_there_are),
    TEST(time_constants_must_not_be_too_short),
    TEST(forces_are_given_to_those_who_ask),
    TEST(rows_at_acceleration_level_are_not_projected),
};

TEST_MAIN
