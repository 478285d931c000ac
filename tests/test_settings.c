/* [7] What is set is kept: setters and getters, names, forces, slots that are used again, and rows
   that are switched on and off. */
#include "refusals.h"

#include <limits.h>

/* ---------------------------------------------------------------------- what is kept -------- */

static void setters_and_getters_agree(void)
{
    spc_state state, before;
    spc_mass mass, kept_mass;
    spc_spatial V = spc_spatial_make(vec(1, 2, 3), vec(4, 5, 6)), A;
    spc_stabilization stabilization = spc_stabilization_default(), kept;
    spc_sphere_on_plane shape = spc_sphere_on_plane_default(), kept_shape;
    spc_constraint_info info;
    const spc_vec3 g = vec(1, 2, 3), p = vec(7, 8, 9);
    spc_vec3 got;
    open_scene();
    CHECK_STATUS(spc_world_set_gravity(s.world, g), SPC_OK);
    got = spc_world_gravity(s.world);
    CHECK(SAME_BITS(got, g));
    CHECK_STATUS(spc_world_set_time(s.world, -2), SPC_OK);
    CHECK_NEAR(spc_world_time(s.world), -2, 0);
    /* the quaternion is made unit; the velocity stays */
    CHECK_STATUS(spc_body_get_state(s.world, s.body[BALL], &before), SPC_OK);
    CHECK_STATUS(
        spc_body_set_pose(s.world, s.body[BALL], spc_transform_make(spc_quat_make(0, 3, 0, 4), p)),
        SPC_OK);
    CHECK_STATUS(spc_body_get_state(s.world, s.body[BALL], &state), SPC_OK);
    CHECK(SAME_BITS(state.X_GB.p, p));
    CHECK(SAME_BITS(state.V_GB, before.V_GB));
    CHECK_NEAR(state.X_GB.q.x, 0.6, 2 * TEST_EPSILON); /* a division and a root */
    CHECK_NEAR(state.X_GB.q.z, 0.8, 2 * TEST_EPSILON);
    CHECK_STATUS(spc_body_set_velocity(s.world, s.body[BALL], V), SPC_OK);
    before = state;
    CHECK_STATUS(spc_body_get_state(s.world, s.body[BALL], &state), SPC_OK);
    CHECK(SAME_BITS(state.V_GB, V));
    CHECK(SAME_BITS(state.X_GB, before.X_GB));
    CHECK_STATUS(spc_body_set_acceleration(s.world, s.body[TRAY], V), SPC_OK);
    CHECK_STATUS(spc_body_get_acceleration(s.world, s.body[TRAY], &A), SPC_OK);
    CHECK(SAME_BITS(A, V));
    mass = test_random_mass();
    CHECK_STATUS(spc_body_set_mass(s.world, s.body[BALL], &mass), SPC_OK);
    CHECK_STATUS(spc_body_get_mass(s.world, s.body[BALL], &kept_mass), SPC_OK);
    CHECK(SAME_BITS(mass, kept_mass));
    stabilization.enabled = false;
    stabilization.time_constant = SPC_R(0.75);
    stabilization.ignore_position = 4;
    stabilization.ignore_velocity = 2;
    CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.constraint[ON_TRAY], &stabilization),
                 SPC_OK);
    CHECK_STATUS(spc_constraint_get_stabilization(s.world, s.constraint[ON_TRAY], &kept), SPC_OK);
    CHECK(!kept.enabled && kept.ignore_position == 4 && kept.ignore_velocity == 2);
    CHECK_NEAR(kept.time_constant, 0.75, 0);
    shape.radius = 2;
    shape.rolling = false;
    shape.half_width = 0;
    shape.p_BS = p;
    shape.X_FP = spc_transform_make(spc_quat_make(0, 0, -5, 0), g);
    CHECK_STATUS(spc_sphere_on_plane_set(s.world, s.constraint[ON_TRAY], &shape), SPC_OK);
    CHECK_STATUS(spc_sphere_on_plane_get(s.world, s.constraint[ON_TRAY], &kept_shape), SPC_OK);
    CHECK_NEAR(kept_shape.radius, 2, 0);
    CHECK_NEAR(kept_shape.half_width, 0, 0);
    CHECK(!kept_shape.rolling && SAME_BITS(kept_shape.p_BS, p) && SAME_BITS(kept_shape.X_FP.p, g));
    CHECK_NEAR(kept_shape.X_FP.q.y, -1, 0);
    CHECK_STATUS(spc_constraint_set_conditional(s.world, s.constraint[ON_TRAY], true), SPC_OK);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[ON_TRAY], &info), SPC_OK);
    CHECK(info.kind == SPC_SPHERE_ON_PLANE && info.enabled && info.conditional);
    CHECK(SAME_BITS(info.a, s.body[TRAY]) && SAME_BITS(info.b, s.body[RIDER]));
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[ON_TRAY], false), SPC_OK);
    CHECK_STATUS(spc_constraint_set_conditional(s.world, s.constraint[ON_TRAY], false), SPC_OK);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[ON_TRAY], &info), SPC_OK);
    CHECK(!info.enabled && !info.conditional && info.row_index == -1);
    CHECK(info.position_rows + info.velocity_rows + info.acceleration_rows == 0);
    CHECK(spc_world_row_count(s.world) == 6);
    close_scene();
}

/* Disabled and conditional, in a world with defaults of its own. */
static void check_starts_as_described(int k)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_stabilization kept;
    spc_constraint_info info;
    spc_sphere_on_plane_desc sphere;
    spc_rolling_disc_desc disc;
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_sphere_on_sphere_desc spheres;
    spc_body none = ground;
    spc_status status;
    desc.stabilization.time_constant = SPC_R(0.25);
    desc.stabilization.ignore_position = 1;
    open_empty(&desc);
    (void)add_ball(0, 0);
    sphere = contact_of(ground, s.body[0]);
    disc = disc_of(ground, s.body[0]);
    sphere.enabled = disc.enabled = joint.enabled = false;
    sphere.conditional = disc.conditional = joint.conditional = true;
    joint.b = s.body[0];
    spheres = spheres_of(ground, s.body[0]);
    spheres.enabled = false;
    spheres.conditional = true;
    sphere.name = disc.name = joint.name = spheres.name = "first";
    if (kinds[k] == SPC_ATTACHMENT)
        status = spc_attachment_add(s.world, &joint, &s.constraint[0]);
    else if (kinds[k] == SPC_ROLLING_DISC)
        status = spc_rolling_disc_add(s.world, &disc, &s.constraint[0]);
    else if (kinds[k] == SPC_SPHERE_ON_SPHERE)
        status = spc_sphere_on_sphere_add(s.world, &spheres, &s.constraint[0]);
    else
        status = spc_sphere_on_plane_add(s.world, &sphere, &s.constraint[0]);
    CHECK_STATUS(status, SPC_OK);
    CHECK_STATUS(spc_constraint_get_stabilization(s.world, s.constraint[0], &kept), SPC_OK);
    CHECK_NEAR(kept.time_constant, 0.25, 0);
    CHECK(kept.enabled && kept.ignore_position == 1 && kept.ignore_velocity == 0);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[0], &info), SPC_OK);
    CHECK(!info.enabled && info.conditional && info.kind == kinds[k]);
    CHECK(SAME_BITS(info.a, none) && SAME_BITS(info.b, s.body[0]));
    CHECK(strcmp(info.name, "first") == 0);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[0], true), SPC_OK);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[0], &info), SPC_OK);
    /* of a ball joint all rows have a position level, but the default ignores that of the first */
    CHECK(info.enabled && info.row_index == 0);
    CHECK(info.position_rows == (kinds[k] == SPC_ATTACHMENT ? 2 : 1));
    CHECK(info.position_rows + info.velocity_rows == 3);
    close_scene();
}

static void new_constraints_start_as_they_are_described(void)
{
    int k;
    for (k = 0; k < KINDS; k++)
        check_starts_as_described(k);
}

static bool has_name(spc_constraint c, const char *name)
{
    char wanted[SPC_MAX_NAME + 1];
    spc_constraint_info info;
    memset(wanted, 0, sizeof wanted); /* zeros behind its end, too */
    memcpy(wanted, name, strlen(name));
    memset(&info, PATTERN, sizeof info);
    CHECK_STATUS(spc_constraint_get_info(s.world, c, &info), SPC_OK);
    return SAME_BITS(info.name, wanted);
}

static void names_are_kept_replaced_and_taken_away(void)
{
    const char longest[] = "thirty-one letters, digits, ...";
    unsigned long long hash;
    int i;
    CHECK(strlen(longest) == SPC_MAX_NAME);
    open_scene();
    hash = spc_world_hash(s.world);
    for (i = ON_GROUND; i <= WHEELING; i++) {
        const spc_constraint c = s.constraint[i];
        CHECK(has_name(c, ""));
        CHECK_STATUS(spc_constraint_set_name(s.world, c, longest), SPC_OK);
        CHECK(has_name(c, longest));
        CHECK_STATUS(spc_constraint_set_name(s.world, c, "short"), SPC_OK);
        CHECK(has_name(c, "short"));
        CHECK_STATUS(spc_constraint_set_name(s.world, c, longest), SPC_OK);
        CHECK(!unchanged());
        CHECK_STATUS(spc_constraint_set_name(s.world, c, ""), SPC_OK);
        CHECK(has_name(c, "") && unchanged()); /* no byte tells of the names before */
        CHECK_STATUS(spc_constraint_set_name(s.world, c, longest), SPC_OK);
        CHECK_STATUS(spc_constraint_set_name(s.world, c, NULL), SPC_OK);
        CHECK(has_name(c, "") && unchanged());
    }
    CHECK_STATUS(spc_constraint_set_name(s.world, s.constraint[ON_TRAY], "one"), SPC_OK);
    CHECK_STATUS(spc_constraint_set_name(s.world, s.constraint[WHEELING], "one"), SPC_OK);
    CHECK(has_name(s.constraint[ON_TRAY], "one") && has_name(s.constraint[WHEELING], "one"));
    CHECK(spc_world_hash(s.world) == hash);
    close_scene();
}

static void names_that_are_too_long_are_refused(void)
{
    char name[SPC_MAX_NAME + 1];
    int k;
    for (k = 0; k < KINDS; k++) {
        spc_constraint c, again;
        open_scene();
        memset(name, 'x', sizeof name); /* has no end: nothing is read behind it */
        REFUSED_OUT(try_add(kinds[k], ground, s.body[SPARE], name, &c), SPC_ERROR_BAD_NAME, c);
        REFUSED(spc_constraint_set_name(s.world, s.constraint[WHEELING], name), SPC_ERROR_BAD_NAME);
        name[SPC_MAX_NAME] = 0;
        CHECK_STATUS(try_add(kinds[k], ground, s.body[SPARE], name, &c), SPC_OK);
        CHECK(has_name(c, name));
        memset(name, 'y', SPC_MAX_NAME); /* a copy is kept */
        CHECK(!has_name(c, name));
        CHECK_STATUS(spc_constraint_remove(s.world, c), SPC_OK);
        CHECK_STATUS(try_add(kinds[k], ground, s.body[SPARE], NULL, &again), SPC_OK);
        CHECK(again.index == c.index && has_name(again, ""));
        close_scene();
    }
}

static void default_discs_are_as_described(void)
{
    const spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    const spc_transform identity = spc_transform_identity();
    const spc_vec3 x = vec(1, 0, 0);
    const spc_body none = ground;
    CHECK(SAME_BITS(d.floor, none) && SAME_BITS(d.disc, none));
    CHECK(d.enabled && !d.conditional && !d.name);
    CHECK(SAME_BITS(d.shape.X_FP, identity) && SAME_BITS(d.shape.p_BS, zero));
    CHECK(SAME_BITS(d.shape.axis_B, x));
    CHECK(d.shape.lateral && d.shape.longitudinal && d.shape.normal && d.shape.show);
    CHECK_NEAR(d.shape.radius, 0, 0);
    CHECK_NEAR(d.shape.width, SPC_R(0.1), 0);
    CHECK_NEAR(d.shape.color.r, -1, 0);
    CHECK_NEAR(d.shape.half_width, 1, 0);
}

/* Nothing as by default, and one of four flags set. */
static spc_rolling_disc odd_disc(int flag)
{
    spc_rolling_disc d = spc_rolling_disc_default();
    d.X_FP = spc_transform_make(spc_quat_make(0, 0, -5, 0), vec(1, 2, 3));
    d.p_BS = vec(4, 5, 6);
    d.axis_B = vec(0, 3, -4);
    d.radius = 7;
    d.lateral = flag == 0;
    d.longitudinal = flag == 1;
    d.normal = flag == 2;
    d.show = flag == 3;
    d.width = SPC_R(0.75);
    d.color.r = SPC_R(0.125);
    d.color.g = SPC_R(0.25);
    d.color.b = SPC_R(0.5);
    d.color.a = 1;
    d.half_width = 8;
    return d;
}

/* As given, but for the quaternion and the axis, which are unit. */
static void check_odd_disc(spc_constraint c, const spc_rolling_disc *given)
{
    spc_rolling_disc d;
    memset(&d, PATTERN, sizeof d);
    CHECK_STATUS(spc_rolling_disc_get(s.world, c, &d), SPC_OK);
    CHECK(SAME_BITS(d.X_FP.p, given->X_FP.p) && SAME_BITS(d.p_BS, given->p_BS));
    CHECK(SAME_BITS(d.radius, given->radius) && SAME_BITS(d.width, given->width));
    CHECK(SAME_BITS(d.color, given->color) && d.show == given->show);
    CHECK(SAME_BITS(d.half_width, given->half_width));
    CHECK(d.lateral == given->lateral && d.longitudinal == given->longitudinal);
    CHECK(d.normal == given->normal);
    CHECK_NEAR(d.X_FP.q.y, -1, 0);
    CHECK_NEAR(fabs((double)d.X_FP.q.w) + fabs((double)d.X_FP.q.x) + fabs((double)d.X_FP.q.z), 0,
               0);
    CHECK_NEAR(d.axis_B.x, 0, 0);
    CHECK_NEAR(d.axis_B.y, 0.6, 2 * TEST_EPSILON); /* a division and a root */
    CHECK_NEAR(d.axis_B.z, -0.8, 2 * TEST_EPSILON);
}

static void discs_are_kept_as_they_are_given(void)
{
    int flag;
    open_scene();
    for (flag = 0; flag <= 4; flag++) { /* the last time none */
        spc_rolling_disc_desc d = disc_of(ground, s.body[SPARE]);
        spc_constraint added;
        d.shape = odd_disc(flag);
        CHECK_STATUS(spc_rolling_disc_set(s.world, s.constraint[WHEELING], &d.shape), SPC_OK);
        check_odd_disc(s.constraint[WHEELING], &d.shape);
        CHECK_STATUS(spc_rolling_disc_add(s.world, &d, &added), SPC_OK);
        check_odd_disc(added, &d.shape);
        CHECK_STATUS(spc_constraint_remove(s.world, added), SPC_OK);
    }
    close_scene();
}

static spc_spatial acceleration_of(spc_body body)
{
    spc_spatial A;
    memset(&A, PATTERN, sizeof A);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_STATUS(spc_body_get_acceleration(s.world, body, &A), SPC_OK);
    return A;
}

/* A ball of 2 kg and 0.5 kg m^2 in space. */
static void open_space(void)
{
    const spc_world_desc desc = spc_world_desc_default(2, 1);
    spc_body_desc d = spc_body_desc_default();
    open_empty(&desc);
    d.mass = spc_mass_solid_sphere(2, 1);
    d.mass.inertia.xx = d.mass.inertia.yy = d.mass.inertia.zz = SPC_R(0.5);
    (void)add_body(&d);
}

static void near_spatial(int line, spc_spatial got, spc_vec3 angular, spc_vec3 linear)
{
    /* small integers divided by powers of two: exact */
    test_near(__FILE__, line, "angular", (double)spc_norm(spc_sub(got.angular, angular)), 0, 0);
    test_near(__FILE__, line, "linear", (double)spc_norm(spc_sub(got.linear, linear)), 0, 0);
}

static void forces_of_one_step_end_with_it_and_lasting_ones_last(void)
{
    const double quarter = sqrt(0.5);
    spc_state state;
    spc_body ball;
    int i;
    for (i = 0; i < 3; i++) {
        open_space();
        ball = s.body[0];
        CHECK_STATUS(spc_body_add_force(s.world, ball, vec(4, 0, 0), zero, SPC_ONE_STEP),
                     SPC_OK);
        CHECK_STATUS(spc_body_add_force(s.world, ball, vec(2, 0, 0), zero, SPC_ONE_STEP),
                     SPC_OK);
        CHECK_STATUS(spc_body_add_force(s.world, ball, vec(0, 8, 0), zero, SPC_LASTING),
                     SPC_OK);
        CHECK_STATUS(spc_body_add_torque(s.world, ball, vec(0, 0, 1), SPC_ONE_STEP), SPC_OK);
        CHECK_STATUS(spc_body_add_torque(s.world, ball, vec(0, 0, 2), SPC_LASTING), SPC_OK);
        near_spatial(__LINE__, acceleration_of(ball), vec(0, 0, 6), vec(3, 4, 0));
        near_spatial(__LINE__, acceleration_of(ball), vec(0, 0, 6),
                     vec(3, 4, 0));                            /* asking ends nothing */
        CHECK_STATUS(spc_step(s.world, 0), SPC_ERROR_BAD_STEP); /* nor do refused steps */
        near_spatial(__LINE__, acceleration_of(ball), vec(0, 0, 6), vec(3, 4, 0));
        CHECK_STATUS(try_step(i), SPC_OK);
        CHECK_STATUS(spc_body_get_state(s.world, ball, &state), SPC_OK);
        /* h times the above; the Runge-Kutta sum of four rounds a little */
        CHECK_NEAR(state.V_GB.linear.x, 3 * (double)STEP, 8 * TEST_EPSILON * (double)STEP * 3);
        CHECK_NEAR(state.V_GB.linear.y, 4 * (double)STEP, 8 * TEST_EPSILON * (double)STEP * 4);
        CHECK_NEAR(state.V_GB.angular.z, 6 * (double)STEP, 8 * TEST_EPSILON * (double)STEP * 6);
        near_spatial(__LINE__, acceleration_of(ball), vec(0, 0, 4), vec(0, 4, 0));
        CHECK_STATUS(try_step(i), SPC_OK);
        near_spatial(__LINE__, acceleration_of(ball), vec(0, 0, 4), vec(0, 4, 0));
        CHECK_STATUS(spc_body_add_force(s.world, ball, vec(4, 0, 0), zero, SPC_ONE_STEP),
                     SPC_OK);
        CHECK_STATUS(spc_body_clear_forces(s.world, ball), SPC_OK);
        near_spatial(__LINE__, acceleration_of(ball), zero, zero);
        close_scene();
    }
    open_space(); /* a force at a point of the turned body: x of the body is y of the ground */
    CHECK_STATUS(spc_body_set_pose(s.world, s.body[0],
                                   spc_transform_make(
                                       spc_quat_make(real(quarter), 0, 0, real(quarter)), zero)),
                 SPC_OK);
    CHECK_STATUS(spc_body_add_force(s.world, s.body[0], vec(2, 0, 0), vec(3, 0, 0), SPC_LASTING),
                 SPC_OK);
    {
        const spc_spatial A = acceleration_of(s.body[0]);
        CHECK_NEAR(A.linear.x, 1, 0);
        CHECK_NEAR(A.angular.z, -12,
                   12 * 8 * TEST_EPSILON); /* the turn's and the product's roundings */
        CHECK_NEAR(A.angular.x, 0, 0);
    }
    close_scene();
}

static void a_refused_step_keeps_the_forces_of_one_step(void)
{
    spc_body last;
    int i;
    for (i = 0; i < 3; i++) {
        open_space();
        last = add_uneven();
        CHECK_STATUS(spc_body_add_force(s.world, s.body[0], vec(4, 0, 0), zero, SPC_ONE_STEP),
                     SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(s.world, last,
                                           spc_spatial_make(vec(LARGEST, -LARGEST, 0), zero)),
                     SPC_OK);
        REFUSED_LATE(try_step(i), SPC_ERROR_STATE_NOT_FINITE);
        CHECK_STATUS(spc_body_remove(s.world, last), SPC_OK);
        near_spatial(__LINE__, acceleration_of(s.body[0]), zero, vec(2, 0, 0));
        close_scene();
    }
}

static void a_constraint_that_is_gone_no_longer_acts(void)
{
    const spc_vec3 g = vec(1, 0, -10);
    spc_spatial A;
    open_scene();
    CHECK_STATUS(spc_body_clear_forces(s.world, s.body[BALL]), SPC_OK);
    A = acceleration_of(s.body[BALL]);
    CHECK(!SAME_BITS(A.linear, g));
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[ON_GROUND]), SPC_OK);
    near_spatial(__LINE__, acceleration_of(s.body[BALL]), zero, g);
    close_scene();
}

static void slots_are_used_again_and_come_clean(void)
{
    const spc_spatial rest = spc_spatial_make(zero, zero);
    spc_world_desc desc = spc_world_desc_default(3, 3);
    spc_stabilization changed = spc_stabilization_default();
    spc_constraint_info info;
    char no_name[SPC_MAX_NAME + 1];
    spc_real lambda[SPC_MAX_ROWS];
    spc_spatial A;
    spc_state state, identity = spc_state_identity();
    const spc_body_desc d = good_body();
    int round, i, k;
    desc.gravity = vec(1, 0, -10);
    changed.time_constant = 7;
    memset(no_name, 0, sizeof no_name);
    open_empty(&desc);
    for (i = 0; i < 3; i++)
        (void)add_ball(2 * i, 0);
    for (i = 0; i < 3; i++)
        (void)add_contact(ground, s.body[i]);
    for (round = 0; round < 50; round++) {
        const int first = round % 3, second = (round / 3 + 1 + first) % 3; /* in many orders */
        const int which[2] = { first, second };
        const int count = first == second ? 1 : 2;
        for (k = 0; k < count; k++) {
            i = which[k];
            CHECK_STATUS(
                spc_body_add_force(s.world, s.body[i], vec(1, 0, 0), zero, SPC_LASTING),
                SPC_OK);
            CHECK_STATUS(
                spc_body_add_force(s.world, s.body[i], vec(1, 0, 0), zero, SPC_ONE_STEP),
                SPC_OK);
            CHECK_STATUS(spc_constraint_set_conditional(s.world, s.constraint[i], true), SPC_OK);
            CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.constraint[i], &changed),
                         SPC_OK);
            CHECK_STATUS(spc_constraint_set_name(s.world, s.constraint[i], "gone soon"), SPC_OK);
        }
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        for (k = 0; k < count; k++) {
            CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[which[k]]), SPC_OK);
            CHECK_STATUS(spc_body_remove(s.world, s.body[which[k]]), SPC_OK);
        }
        for (k = 0; k < count; k++) {
            spc_stabilization kept;
            const spc_body old = s.body[which[k]];
            const spc_constraint_kind kind = kinds[(round + k) % 2]; /* those that roll */
            i = which[k];
            CHECK_STATUS(spc_body_add(s.world, &d, &s.body[i]), SPC_OK);
            CHECK(!SAME_BITS(old, s.body[i]));
            CHECK(s.body[i].index >= 1 && s.body[i].index <= 3);
            CHECK_STATUS(spc_body_get_state(s.world, s.body[i], &state), SPC_OK);
            CHECK(SAME_BITS(state, identity));
            CHECK_STATUS(spc_body_get_acceleration(s.world, s.body[i], &A), SPC_OK);
            CHECK(SAME_BITS(A, rest));
            CHECK_STATUS(try_add(kind, ground, s.body[i], NULL, &s.constraint[i]), SPC_OK);
            CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[i], &info), SPC_OK);
            CHECK(info.enabled && !info.conditional && SAME_BITS(info.b, s.body[i]));
            CHECK(info.kind == kind && SAME_BITS(info.name, no_name));
            CHECK_STATUS(spc_constraint_get_multipliers(s.world, s.constraint[i], lambda), SPC_OK);
            CHECK_NEAR(fabs((double)lambda[0]) + fabs((double)lambda[1]) + fabs((double)lambda[2]),
                       0, 0);
            CHECK_STATUS(spc_constraint_get_stabilization(s.world, s.constraint[i], &kept), SPC_OK);
            CHECK_NEAR(kept.time_constant, desc.stabilization.time_constant, 0);
        }
        for (i = 0; i < 3; i++)
            for (k = 0; k < i; k++) {
                CHECK(s.body[i].index != s.body[k].index);
                CHECK(s.constraint[i].index != s.constraint[k].index);
            }
        CHECK(spc_world_row_count(s.world) == 9);
        mark();
        check_bad_body(__LINE__, &d, SPC_ERROR_BODIES_FULL);
    }
    /* no force of a body that is gone pushes the one in its place: balls and wheels roll down the
       tilted gravity */
    for (i = 0; i < 3; i++) {
        const spc_spatial free_ball = acceleration_of(s.body[i]);
        if (i == 0)
            CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[i], false), SPC_OK);
        A = acceleration_of(s.body[i]);
        CHECK_NEAR(A.linear.y, 0, 0);
        /* rolling at 1 / (1 + I / m r^2) of gravity, with I = 0.4 and r = 0.5; the roundings of the
           solve are relative to the 50 m/s^2 that lift the ball, which is half a metre too low */
        CHECK_NEAR(A.linear.x, i == 0 ? 1 : 1 / 2.6, i == 0 ? 0 : 50 * 16 * TEST_EPSILON);
        CHECK(spc_norm(free_ball.linear) > 0);
    }
    close_scene();
}

static void a_world_of_nothing_lives(void)
{
    const spc_world_desc desc = spc_world_desc_default(0, 0);
    spc_energy_momentum m;
    spc_real residual = -1;
    unsigned long long hash;
    open_empty(&desc);
    hash = spc_world_hash(s.world);
    CHECK(spc_world_row_count(s.world) == 0);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_STATUS(try_step(0), SPC_OK);
    CHECK_STATUS(try_step(1), SPC_OK);
    CHECK_STATUS(try_step(2), SPC_OK);
    CHECK_NEAR(spc_world_time(s.world), 3 * (double)STEP, 0);
    CHECK(spc_world_hash(s.world) != hash);
    CHECK_STATUS(spc_world_set_time(s.world, 0), SPC_OK);
    CHECK(spc_world_hash(s.world) == hash);
    CHECK_STATUS(spc_world_assemble(s.world, SPC_R(0.01), &residual), SPC_OK);
    CHECK_NEAR(residual, 0, 0);
    CHECK_STATUS(spc_world_apply_impulses(s.world, &residual, &residual, 0), SPC_OK);
    CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
    CHECK_STATUS(spc_world_get_energy_momentum(s.world, &m), SPC_OK);
    CHECK_NEAR(m.kinetic, 0, 0);
    CHECK_NEAR(m.potential, 0, 0);
    CHECK_NEAR(spc_norm(m.linear), 0, 0);
    CHECK_NEAR(spc_norm(m.angular), 0, 0);
    close_scene();
}

/* ------------------------------------------------------------------ rows on and off --------- */

static void take_rows(unsigned mask, spc_rolling_disc *shape)
{
    shape->lateral = mask & 1u;
    shape->longitudinal = mask & 2u;
    shape->normal = mask & 4u;
}

static int count_rows(unsigned mask)
{
    return (int)((mask & 1u) + (mask >> 1 & 1u) + (mask >> 2 & 1u));
}

static void switch_rows(unsigned mask)
{
    spc_rolling_disc shape;
    CHECK_STATUS(spc_rolling_disc_get(s.world, s.constraint[WHEELING], &shape), SPC_OK);
    take_rows(mask, &shape);
    CHECK_STATUS(spc_rolling_disc_set(s.world, s.constraint[WHEELING], &shape), SPC_OK);
}

/* A wheel between other constraints, tilted and moving so that all its rows have work to do. */
static void open_wheeling(void)
{
    const spc_spatial V = spc_spatial_make(vec(1, 2, 3), vec(1, -1, 0.5));
    const spc_transform X = spc_transform_make(spc_quat_make(1, SPC_R(0.1), 0, 0), vec(9, 0, 0.5));
    open_scene();
    CHECK_STATUS(spc_body_set_pose(s.world, s.body[WHEEL], X), SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(s.world, s.body[WHEEL], V), SPC_OK);
    (void)add_contact(ground, s.body[SPARE]);
    CHECK_STATUS(spc_world_set_gravity(s.world, vec(1, 2, -10)), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
}

/* Multipliers and forces of the wheel are zero where its rows are off, and there only. */
static void check_multipliers(unsigned mask)
{
    const spc_constraint c = s.constraint[WHEELING];
    spc_real lambda[SPC_MAX_ROWS];
    spc_contact_force f;
    int i;
    CHECK_STATUS(spc_constraint_get_multipliers(s.world, c, lambda), SPC_OK);
    CHECK_STATUS(spc_constraint_get_forces(s.world, c, &f), SPC_OK);
    for (i = 0; i < SPC_MAX_ROWS; i++)
        CHECK((fabs((double)lambda[i]) > 0) == (mask >> i & 1u));
    CHECK_NEAR(f.force_P.x, -lambda[0], 0);
    CHECK_NEAR(f.force_P.y, -lambda[1], 0);
    CHECK_NEAR(f.force_P.z, -lambda[2], 0);
    CHECK((spc_norm(f.force_G) > 0) == (mask != 0));
}

static void check_row_counts(unsigned mask)
{
    const int rows = count_rows(mask);
    spc_constraint_info info, after;
    spc_rows kernel;
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[WHEELING], &info), SPC_OK);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[WHEELING + 1], &after), SPC_OK);
    CHECK_STATUS(spc_constraint_get_rows(s.world, s.constraint[WHEELING], &kernel), SPC_OK);
    CHECK(info.position_rows == count_rows(mask & 4u));
    CHECK(info.velocity_rows == count_rows(mask & 3u) && info.acceleration_rows == 0);
    CHECK(info.enabled && info.row_index == 6 && after.row_index == 6 + rows);
    CHECK(spc_world_row_count(s.world) == 9 + rows);
    CHECK(kernel.count == 3 && kernel.enforced == mask && kernel.holonomic == (mask & 4u));
}

/* A step by Newton's law: the wheel of 2 kg is pushed along its rows that are on, as they are in
   the middle of the step, and by gravity, by nothing else. */
static void check_step_of_wheel(void)
{
    spc_state before, after;
    spc_contact_force f;
    spc_world *middle;
    spc_rows rows;
    spc_vec3 a, dv;
    mark();
    middle = marked_world();
    CHECK_STATUS(spc_world_free_motion(middle, STEP, NULL, NULL, 0), SPC_OK);
    CHECK_STATUS(spc_constraint_get_rows(middle, s.constraint[WHEELING], &rows), SPC_OK);
    CHECK_STATUS(spc_body_get_state(s.world, s.body[WHEEL], &before), SPC_OK);
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    CHECK_STATUS(spc_body_get_state(s.world, s.body[WHEEL], &after), SPC_OK);
    CHECK_STATUS(spc_constraint_get_forces(s.world, s.constraint[WHEELING], &f), SPC_OK);
    a = spc_mat3_mul(rows.R_GP, spc_scale(SPC_R(0.5), f.force_P));
    a = spc_add(spc_world_gravity(s.world), a);
    dv = spc_sub(after.V_GB.linear, before.V_GB.linear);
    /* some roundings of velocities up to two */
    CHECK_NEAR(spc_norm(spc_sub(dv, spc_scale(STEP, a))), 0, 16 * TEST_EPSILON);
}

static void rows_of_a_disc_are_switched_at_any_time(void)
{
    unsigned mask;
    int i;
    for (mask = 0; mask < 8; mask++) {
        open_wheeling();
        check_multipliers(7);
        switch_rows(mask);
        check_row_counts(mask);
        check_multipliers(mask); /* of the last solution, for rows that are still on */
        check_step_of_wheel();
        check_multipliers(mask);
        for (i = 1; i < 4; i++) {
            CHECK_STATUS(try_solve(s.world, i), SPC_OK);
            check_multipliers(mask);
        }
        switch_rows(7);
        check_row_counts(7);
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        check_multipliers(7);
        close_scene();
    }
}

static void rows_switched_on_count_by_the_level_they_have(void)
{
    spc_stabilization levels = spc_stabilization_default();
    spc_constraint_info info;
    open_scene();
    levels.ignore_position = 4;
    levels.ignore_velocity = 2;
    CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.constraint[WHEELING], &levels),
                 SPC_OK);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[WHEELING], &info), SPC_OK);
    CHECK(info.position_rows == 0 && info.velocity_rows == 2 && info.acceleration_rows == 1);
    switch_rows(5);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[WHEELING], &info), SPC_OK);
    CHECK(info.position_rows == 0 && info.velocity_rows == 2 && info.acceleration_rows == 0);
    switch_rows(2);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[WHEELING], &info), SPC_OK);
    CHECK(info.position_rows == 0 && info.velocity_rows == 0 && info.acceleration_rows == 1);
    close_scene();
}

static void impulses_leave_out_rows_that_are_off(void)
{
    unsigned mask;
    for (mask = 0; mask < 8; mask++) {
        spc_real v[12], impulses[12];
        const int rows = count_rows(mask);
        spc_rows kernel;
        int i, n = 0;
        open_wheeling();
        switch_rows(mask);
        memset(v, 0, sizeof v);
        for (i = 0; i < rows; i++)
            v[6 + i] = (spc_real)(i + 1);
        memset(impulses, PATTERN, sizeof impulses);
        CHECK_STATUS(spc_world_apply_impulses(s.world, v, impulses, 9 + rows), SPC_OK);
        CHECK(untouched(impulses + 9 + rows, (size_t)(3 - rows) * sizeof(spc_real)));
        CHECK_STATUS(spc_constraint_get_rows(s.world, s.constraint[WHEELING], &kernel), SPC_OK);
        for (i = 0; i < 3; i++) /* roundings of a solve of three rows, of numbers up to ten */
            if (mask >> i & 1u)
                CHECK_NEAR(kernel.velocity_errors[i], ++n, 100 * TEST_EPSILON);
        close_scene();
    }
}

/* The wheel's constraint anew, with these rows. */
static void add_wheel_again(spc_world *w, unsigned mask)
{
    spc_rolling_disc_desc d = disc_of(ground, s.body[WHEEL]);
    take_rows(mask, &d.shape);
    CHECK_STATUS(spc_constraint_remove(w, s.constraint[WHEELING]), SPC_OK);
    CHECK_STATUS(spc_rolling_disc_add(w, &d, &s.constraint[WHEELING]), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
}

static void rows_switched_off_are_as_if_they_had_never_been_on(void)
{
    unsigned mask;
    for (mask = 0; mask < 8; mask++) {
        spc_world *twin;
        spc_constraint old;
        open_wheeling();
        mark();
        twin = marked_world();
        old = s.constraint[WHEELING];
        add_wheel_again(twin, mask);
        s.constraint[WHEELING] = old;
        add_wheel_again(s.world, 7);
        switch_rows(mask);
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        check_go_on_alike(twin);
        close_scene();
    }
}

static void a_disc_that_is_off_pushes_nothing(void)
{
    spc_constraint_info info;
    spc_disc_contact contact;
    spc_contact_force f;
    int i;
    open_wheeling();
    for (i = -1; i < SOLVES; i++) {
        if (i < 0)
            CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[WHEELING], false),
                         SPC_OK);
        else
            CHECK_STATUS(try_solve(s.world, i), SPC_OK);
        check_multipliers(0);
        CHECK_STATUS(spc_constraint_get_forces(s.world, s.constraint[WHEELING], &f), SPC_OK);
        CHECK_NEAR(spc_norm(f.on_a.angular) + spc_norm(f.on_a.linear), 0, 0);
        near_spatial(__LINE__, f.on_b, zero, zero);
        CHECK_NEAR(f.power, 0, 0);
        CHECK_STATUS(spc_rolling_disc_get_contact(s.world, s.constraint[WHEELING], &contact),
                     SPC_OK);
        CHECK(SAME_BITS(f.p_GC, contact.p_GC)); /* the rest is told all the same */
        CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[WHEELING], &info), SPC_OK);
        CHECK(info.row_index == -1 && spc_world_row_count(s.world) == 9);
        CHECK(info.position_rows + info.velocity_rows + info.acceleration_rows == 0);
    }
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[WHEELING], true), SPC_OK);
    check_multipliers(0); /* until the next solution */
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    check_row_counts(7);
    check_multipliers(7);
    close_scene();
}

/* Frames of an attachment are not made of nothing, nor of a direction that is none. */
static void attachments_are_not_placed_at_nothing(void)
{
    const spc_transform X = spc_transform_identity();
    const spc_vec3 p = vec(0, 0, 0), z = vec(0, 0, 1);
    spc_attachment made;
    memset(&made, PATTERN, sizeof made);
    CHECK_STATUS(spc_attachment_at(NULL, &X, p, z, SPC_HINGE, &made), SPC_ERROR_NULL);
    CHECK_STATUS(spc_attachment_at(&X, NULL, p, z, SPC_HINGE, &made), SPC_ERROR_NULL);
    CHECK_STATUS(spc_attachment_at(&X, &X, p, z, SPC_HINGE, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_attachment_at(&X, &X, p, p, SPC_HINGE, &made), SPC_ERROR_ZERO_VECTOR);
    CHECK_STATUS(spc_attachment_at(&X, &X, p, vec(NAN, 0, 1), SPC_HINGE, &made),
                 SPC_ERROR_NOT_FINITE);
    CHECK_STATUS(spc_attachment_at(&X, &X, vec(0, NAN, 0), z, SPC_HINGE, &made),
                 SPC_ERROR_NOT_FINITE);
    CHECK_STATUS(spc_attachment_at(&X, &X, p, z, SPC_WELD + 1, &made), SPC_ERROR_BAD_OPTION);
    CHECK(untouched(&made, sizeof made));
}

/* A corner of a thrown box on a plane whose row is enforced at acceleration level alone, with a
   velocity of 0.2 m/s across it: that is no error, and stays, but for what a step leaves, of second
   order, which adds up to 0.0017 m/s at 1,000 Hz and to 4 and 2 times that at 250 and 500. */
static void a_velocity_that_is_to_be_ignored_stays(void)
{
    int k, i;
    for (k = 1; k <= 4; k *= 2) {
        const double h = 1e-3 * k;
        spc_world_desc desc = spc_world_desc_default(1, 1);
        spc_attachment_desc on = spc_attachment_desc_default();
        spc_body_desc box = spc_body_desc_default();
        spc_stabilization loose = spc_stabilization_default();
        spc_constraint c = { 0, 0 };
        spc_world *w;
        spc_rows rows;
        desc.gravity.z = SPC_R(-9.81);
        w = test_world(&desc);
        box.mass = spc_mass_box(1, vec(0.3, 0.2, 0.1));
        box.state.V_GB = spc_spatial_make(vec(1, -0.5, 0.7), vec(0.4, 0.2, -0.05));
        CHECK_STATUS(spc_body_add(w, &box, &on.b), SPC_OK);
        on.shape.locked = SPC_LOCK_TZ;
        on.shape.X_BM.p.x = SPC_R(0.5);
        CHECK_STATUS(spc_attachment_add(w, &on, &c), SPC_OK);
        loose.ignore_velocity = SPC_LOCK_TZ;
        CHECK_STATUS(spc_constraint_set_stabilization(w, c, &loose), SPC_OK);
        CHECK_STATUS(spc_constraint_get_rows(w, c, &rows), SPC_OK);
        CHECK_NEAR(rows.velocity_errors[2], 0.2, 4 * TEST_EPSILON);
        for (i = 0; i < 200 / k; i++)
            CHECK_STATUS(spc_step(w, real(h)), SPC_OK);
        CHECK_STATUS(spc_constraint_get_rows(w, c, &rows), SPC_OK);
        CHECK_NEAR(rows.velocity_errors[2], 0.2,
                   1.1 * 1.71 * h + 200 * 20 * TEST_EPSILON); /* and roundings of 200 steps */
        free(w);
    }
}

static const test_entry tests[] = {
    TEST(setters_and_getters_agree),
    TEST(new_constraints_start_as_they_are_described),
    TEST(names_are_kept_replaced_and_taken_away),
    TEST(names_that_are_too_long_are_refused),
    TEST(default_discs_are_as_described),
    TEST(discs_are_kept_as_they_are_given),
    TEST(forces_of_one_step_end_with_it_and_lasting_ones_last),
    TEST(a_refused_step_keeps_the_forces_of_one_step),
    TEST(a_constraint_that_is_gone_no_longer_acts),
    TEST(slots_are_used_again_and_come_clean),
    TEST(a_world_of_nothing_lives),
    TEST(rows_of_a_disc_are_switched_at_any_time),
    TEST(rows_switched_on_count_by_the_level_they_have),
    TEST(a_velocity_that_is_to_be_ignored_stays),
    TEST(impulses_leave_out_rows_that_are_off),
    TEST(rows_switched_off_are_as_if_they_had_never_been_on),
    TEST(a_disc_that_is_off_pushes_nothing),
    TEST(attachments_are_not_placed_at_nothing),
};

TEST_MAIN
