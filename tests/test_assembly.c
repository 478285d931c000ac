/* [7.3] Assembly, impulses and the projection of velocities. */
#include "balls.h"

/* --------------------------------------------------------------------------- assembly --------- */

static void assembly_leaves_a_good_state_alone(void)
{
    const spc_mass mass = uneven_mass();
    ball_scene s = make_ball(&mass, zero, SPC_R(0.3), level(), zero);
    spc_state before = state_of(s.world, s.ball), after;
    spc_real residual = 7;
    before.X_GB.p.z += SPC_R(1e-5);
    CHECK_STATUS(spc_body_set_pose(s.world, s.ball, before.X_GB), SPC_OK);
    CHECK_STATUS(spc_world_assemble(s.world, SPC_R(1e-4), &residual), SPC_OK);
    after = state_of(s.world, s.ball);
    CHECK(!memcmp(&before, &after, sizeof before));
    CHECK_NEAR(residual, 1e-5, 10 * TEST_EPSILON);
    free(s.world);
}

/* Random pairs far apart; the result meets the plane and a turned scene is assembled alike. */
static void assembly_brings_bodies_into_contact(void)
{
    int turn;
    for (turn = 0; turn < 60; turn++) {
        spc_world_desc desc = spc_world_desc_default(3, 3);
        spc_body_desc body = spc_body_desc_default();
        spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
        spc_body b[3];
        spc_constraint c[3];
        spc_world *w = test_world(&desc);
        spc_real residual;
        int i;
        for (i = 0; i < 3; i++) {
            body.mass = test_random_mass();
            body.state = test_random_state();
            CHECK_STATUS(spc_body_add(w, &body, &b[i]), SPC_OK);
        }
        for (i = 0; i < 3; i++) {
            if (i < 2)
                d.floor = b[i + 1];
            else
                d.floor.index = d.floor.generation = 0;
            d.ball = b[i];
            d.shape.p_BS = test_random_vec3(0.3);
            d.shape.X_FP = test_random_transform(0.5);
            d.shape.radius = SPC_R(0.4);
            CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c[i]), SPC_OK);
        }
        CHECK_STATUS(spc_world_assemble(w, (spc_real)(100 * TEST_EPSILON), &residual), SPC_OK);
        CHECK_NEAR(residual, 0, 100 * TEST_EPSILON);
        for (i = 0; i < 3; i++)
            CHECK_NEAR(rows_of(w, c[i]).separation, 0, 100 * TEST_EPSILON);
        free(w);
    }
}

/* One ball and one plane far below: the centre moves straight down, and a heavy floor hardly moves.
   */
/* A ball of 1 kg over a floor of 3 kg, 4 m apart. */
static spc_world *two_apart(spc_sphere_on_plane_desc *d)
{
    spc_world_desc desc = spc_world_desc_default(2, 1);
    spc_body_desc body = spc_body_desc_default();
    spc_world *w = test_world(&desc);
    spc_constraint c;
    *d = spc_sphere_on_plane_desc_default();
    body.mass = spc_mass_solid_sphere(3, 1);
    CHECK_STATUS(spc_body_add(w, &body, &d->floor), SPC_OK);
    body.mass = spc_mass_solid_sphere(1, 1);
    body.state.X_GB.p.z = 5;
    CHECK_STATUS(spc_body_add(w, &body, &d->ball), SPC_OK);
    d->shape.radius = 1;
    CHECK_STATUS(spc_sphere_on_plane_add(w, d, &c), SPC_OK);
    return w;
}

/* Weights that a body can have as mass and inertia are put in by masses, and taken out again. */
static void other_weights_of_assembly_are_put_in_by_masses(void)
{
    const spc_mass weight = spc_mass_solid_sphere(1, 1), heavier = spc_mass_solid_sphere(7, 1);
    spc_sphere_on_plane_desc d;
    spc_world *w = two_apart(&d);
    spc_mass floor, ball, back;
    memset(&back, 0, sizeof back);
    CHECK_STATUS(spc_body_get_mass(w, d.floor, &floor), SPC_OK);
    CHECK_STATUS(spc_body_get_mass(w, d.ball, &ball), SPC_OK);
    CHECK_STATUS(spc_body_set_mass(w, d.floor, &weight), SPC_OK);
    CHECK_STATUS(spc_body_set_mass(w, d.ball, &heavier), SPC_OK);
    CHECK_STATUS(spc_world_assemble(w, (spc_real)(100 * TEST_EPSILON), NULL), SPC_OK);
    CHECK_STATUS(spc_body_set_mass(w, d.floor, &floor), SPC_OK);
    CHECK_STATUS(spc_body_set_mass(w, d.ball, &ball), SPC_OK);
    CHECK_NEAR(state_of(w, d.floor).X_GB.p.z, 3.5, 100 * TEST_EPSILON); /* 7 : 1 of 4 m */
    CHECK_NEAR(state_of(w, d.ball).X_GB.p.z, 4.5, 100 * TEST_EPSILON);
    CHECK_STATUS(spc_body_get_mass(w, d.floor, &back), SPC_OK);
    CHECK(!memcmp(&back, &floor, sizeof back));
    CHECK_STATUS(spc_body_get_mass(w, d.ball, &back), SPC_OK);
    CHECK(!memcmp(&back, &ball, sizeof back));
    free(w);
}

static void assembly_is_weighted_by_mass(void)
{
    spc_sphere_on_plane_desc d;
    spc_world *w = two_apart(&d);
    CHECK_STATUS(spc_world_assemble(w, (spc_real)(100 * TEST_EPSILON), NULL), SPC_OK);
    CHECK_NEAR(state_of(w, d.floor).X_GB.p.z, 1, 100 * TEST_EPSILON); /* 4 apart: 1 : 3 by mass */
    CHECK_NEAR(state_of(w, d.ball).X_GB.p.z, 2, 100 * TEST_EPSILON);
    free(w);
}

/* One contact whose error overflows, another that could be met: refused, and nothing has moved. */
static void assembly_does_not_lose_what_is_not_finite(void)
{
    const spc_real huge = sizeof(spc_real) == sizeof(double) ? SPC_R(1.7e308) : SPC_R(3.4e38);
    spc_world_desc desc = spc_world_desc_default(2, 2);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_world *w = test_world(&desc);
    spc_body first;
    spc_constraint c;
    body.mass = spc_mass_solid_sphere(1, SPC_R(0.1));
    body.state.X_GB.p.z = huge;
    CHECK_STATUS(spc_body_add(w, &body, &first), SPC_OK);
    d.ball = first;
    d.shape.radius = SPC_R(0.1);
    d.shape.X_FP.p.z = -huge;
    CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
    body.state.X_GB.p.z = SPC_R(0.15);
    CHECK_STATUS(spc_body_add(w, &body, &d.ball), SPC_OK);
    d.shape.X_FP.p.z = 0;
    CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
    CHECK_STATUS(spc_world_assemble(w, SPC_R(1e-3), NULL), SPC_ERROR_STATE_NOT_FINITE);
    CHECK_NEAR(state_of(w, first).X_GB.p.z / huge, 1, 0);
    CHECK_NEAR(state_of(w, d.ball).X_GB.p.z, (double)SPC_R(0.15), 0);
    free(w);
}

/* Forces that overflow although the motion does not are refused, too. */
static void multipliers_stay_finite(void)
{
    const bool wide = sizeof(spc_real) == sizeof(double);
    const spc_mass mass = spc_mass_solid_sphere(wide ? SPC_R(1e300) : SPC_R(1e36), 1);
    ball_scene s = make_ball(&mass, zero, 1, level(), zero);
    CHECK_STATUS(spc_world_set_gravity(s.world, spc_vec3_make(0, 0, SPC_R(-1e10))), SPC_OK);
    CHECK_STATUS(spc_step(s.world, SPC_R(1e-3)), SPC_ERROR_STATE_NOT_FINITE);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_ERROR_STATE_NOT_FINITE);
    CHECK_STATUS(spc_world_set_gravity(s.world, spc_vec3_make(0, 0, -10)), SPC_OK);
    CHECK_STATUS(spc_step(s.world, SPC_R(1e-3)), SPC_OK);
    free(s.world);
}

static void assembly_tells_when_it_cannot(void)
{
    const spc_mass mass = spc_mass_solid_sphere(1, 1);
    ball_scene s = make_ball(&mass, zero, 1, level(), zero);
    spc_state before, after;
    spc_real residual = 0;
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    /* a kinematic ball on ground that hangs 0.5 too high: nothing can be moved */
    CHECK_STATUS(spc_constraint_remove(s.world, s.contact), SPC_OK);
    body.kind = SPC_KINEMATIC;
    body.state.X_GB.p.z = SPC_R(1.5);
    CHECK_STATUS(spc_body_add(s.world, &body, &d.ball), SPC_OK);
    d.shape.radius = 1;
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.contact), SPC_OK);
    before = state_of(s.world, s.ball);
    CHECK_STATUS(spc_world_assemble(s.world, SPC_R(1e-6), &residual), SPC_ERROR_NOT_ASSEMBLED);
    after = state_of(s.world, s.ball);
    CHECK_NEAR(residual, 0.5, 4 * TEST_EPSILON);
    CHECK(!memcmp(&before, &after, sizeof before));
    /* forward dynamics and steps do not care: no body can be pushed by it */
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK(spc_world_row_count(s.world) == 3);
    free(s.world);
}

/* What no dynamic body has a part in is not met by moving any: assembly tells so, whether others
   are redundant or not, and changes nothing; projection, like a step, does not care. */
static void what_nothing_moves_is_told_and_in_no_ones_way(void)
{
    for (int redundant = 0; redundant < 2; redundant++) {
        spc_world_desc desc = spc_world_desc_default(2, 4);
        spc_body_desc d = spc_body_desc_default();
        spc_attachment_desc joint = spc_attachment_desc_default();
        spc_constraint c;
        spc_body rod, arm;
        spc_real residual = 0;
        desc.gravity = vec(0, 0, -GRAVITY);
        spc_world *w = test_world(&desc);
        d.mass = spc_mass_box(1, vec(0.1, 0.1, 0.5));
        CHECK_STATUS(spc_body_add(w, &d, &rod), SPC_OK);
        d.kind = SPC_KINEMATIC;
        d.state.X_GB.p = vec(2, 0, 0);
        CHECK_STATUS(spc_body_add(w, &d, &arm), SPC_OK);
        joint.b = rod;
        joint.shape.X_BM.p = vec(0, 0.1, 0.5);
        joint.shape.locked = SPC_HINGE;
        for (int i = 0; i <= redundant; i++)
            CHECK_STATUS(spc_attachment_add(w, &joint, &c), SPC_OK);
        CHECK_STATUS(spc_world_assemble(w, real(1e-5), &residual), SPC_OK);
        joint.b = arm; /* 2 m off */
        joint.shape.X_BM.p = zero;
        CHECK_STATUS(spc_attachment_add(w, &joint, &c), SPC_OK);
        const unsigned long long before = spc_world_hash(w);
        CHECK_STATUS(spc_world_assemble(w, real(1e-5), &residual), SPC_ERROR_NOT_ASSEMBLED);
        CHECK_NEAR(residual, 2, 1e-5);
        CHECK_STATUS(spc_world_assemble(w, 3, &residual), SPC_OK); /* it may be so far off */
        CHECK_NEAR(residual, 2, 1e-5);
        CHECK(spc_world_hash(w) == before);
        for (int i = 0; i < 30; i++)
            CHECK_STATUS(spc_step_rk4(w, real(1 / 240.), SPC_DRIFT_PROJECT), SPC_OK);
        free(w);
    }
}

/* --------------------------------------------------------------------------- impulses --------- */

static void impulses_reach_given_velocity_errors(void)
{
    int turn, i;
    for (turn = 0; turn < 40; turn++) {
        spc_mass mass = test_random_mass();
        const spc_vec3 p_BS = test_random_vec3(0.1);
        ball_scene s = make_ball(&mass, p_BS, SPC_R(0.4), level(), test_random_vec3(3));
        const spc_real wanted[3] = { SPC_R(0.3), SPC_R(-0.2), SPC_R(1.5) };
        spc_real impulses[3];
        spc_energy_momentum before, after;
        spc_state x = state_of(s.world, s.ball);
        spc_rows rows;
        x.V_GB = test_random_spatial(3, 3);
        CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, x.V_GB), SPC_OK);
        before = momentum_of(s.world);
        CHECK_STATUS(spc_world_apply_impulses(s.world, wanted, impulses, 3), SPC_OK);
        after = momentum_of(s.world);
        rows = rows_of(s.world, s.contact);
        for (i = 0; i < 3; i++) {
            const spc_vec3 axis = i == 0 ? rows.R_GP.x : i == 1 ? rows.R_GP.y : rows.R_GP.z;
            CHECK_NEAR(rows.velocity_errors[i], wanted[i], 200 * TEST_EPSILON);
            CHECK_NEAR(spc_dot(spc_sub(after.linear, before.linear), axis), -impulses[i],
                       200 * TEST_EPSILON);
        }
        free(s.world);
    }
}

static void projecting_velocities_moves_them_least(void)
{
    const spc_mass mass = uneven_mass();
    ball_scene s = make_ball(&mass, zero, SPC_R(0.4), level(), zero);
    spc_state x = state_of(s.world, s.ball), y;
    spc_energy_momentum m;
    x.V_GB = spc_spatial_make(spc_vec3_make(1, 2, 3), spc_vec3_make(2, 1, 1));
    CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, x.V_GB), SPC_OK);
    CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
    y = state_of(s.world, s.ball);
    /* the removed velocity is M-orthogonal to the one that is left: energies add */
    m = momentum_of(s.world);
    CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, x.V_GB), SPC_OK);
    {
        const double whole = (double)momentum_of(s.world).kinetic;
        CHECK_STATUS(spc_body_set_velocity(s.world, s.ball,
                                           spc_spatial_make(spc_sub(x.V_GB.angular, y.V_GB.angular),
                                                            spc_sub(x.V_GB.linear, y.V_GB.linear))),
                     SPC_OK);
        CHECK_NEAR((double)m.kinetic + (double)momentum_of(s.world).kinetic, whole,
                   100 * TEST_EPSILON);
    }
    free(s.world);
}

/* Projection after RK4 holds poses and velocities where a bare run drifts. */
static void projection_holds_the_constraints(void)
{
    spc_mass mass = uneven_mass();
    ball_scene s;
    spc_rows rows;
    int i;
    mass.p_BBc = spc_vec3_make(SPC_R(0.05), 0, SPC_R(0.02));
    s = make_ball(&mass, spc_vec3_make(0, SPC_R(0.1), 0), SPC_R(0.4), level(),
                  spc_vec3_make(3, 1, -2));
    for (i = 0; i < 300; i++)
        CHECK_STATUS(spc_step_rk4(s.world, SPC_R(0.02), SPC_DRIFT_PROJECT), SPC_OK);
    rows = rows_of(s.world, s.contact);
    CHECK_NEAR(rows.separation, 0, 100 * TEST_EPSILON);
    CHECK_NEAR(rows.velocity_errors[0], 0, 100 * TEST_EPSILON);
    CHECK_NEAR(rows.velocity_errors[2], 0, 100 * TEST_EPSILON);
    free(s.world);
    s = make_ball(&mass, spc_vec3_make(0, SPC_R(0.1), 0), SPC_R(0.4), level(),
                  spc_vec3_make(3, 1, -2));
    for (i = 0; i < 300; i++)
        CHECK_STATUS(spc_step_rk4(s.world, SPC_R(0.02), SPC_DRIFT_STABILIZE), SPC_OK);
    CHECK(fabs((double)rows_of(s.world, s.contact).separation) >
          1e-7); /* stabilization is off here */
    free(s.world);
}

static const test_entry tests[] = {
    TEST(assembly_leaves_a_good_state_alone),
    TEST(assembly_brings_bodies_into_contact),
    TEST(assembly_is_weighted_by_mass),
    TEST(other_weights_of_assembly_are_put_in_by_masses),
    TEST(assembly_does_not_lose_what_is_not_finite),
    TEST(multipliers_stay_finite),
    TEST(assembly_tells_when_it_cannot),
    TEST(what_nothing_moves_is_told_and_in_no_ones_way),
    TEST(impulses_reach_given_velocity_errors),
    TEST(projecting_velocities_moves_them_least),
    TEST(projection_holds_the_constraints),
};

TEST_MAIN
