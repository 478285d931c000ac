/* [7] The world: closed forms, stabilization, steps and their convergence, prescribed motion.
   Numbers such as 5/7 and 2/7 are k/(1+k) and its relatives for a uniform ball, I = k m r^2 with
   k = 2/5. */
#include "balls.h"

/* ----------------------------------------------------------------------- closed forms --------- */

/* a = g sin / (1 + k), friction k/(1+k) m g sin, N = m g cos: pointwise, so to a few roundings. */
static void a_ball_on_an_incline(void)
{
    const double g = 9.81, m = 1.7, r = 0.3, angle = 0.3;
    int hollow;
    for (hollow = 0; hollow < 2; hollow++) {
        const double k = hollow ? 2.0 / 3 : 0.4;
        const spc_mass mass = hollow ? spc_mass_hollow_sphere((spc_real)m, (spc_real)r)
                                     : spc_mass_solid_sphere((spc_real)m, (spc_real)r);
        const spc_quat q = spc_quat_from_rotation_vector(spc_vec3_make(0, (spc_real)angle, 0));
        ball_scene s = make_ball(&mass, zero, (spc_real)r, spc_transform_make(q, zero), zero);
        spc_real lambda[SPC_MAX_ROWS];
        spc_spatial A;
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        A = acceleration_of(s.world, s.ball);
        CHECK_STATUS(spc_constraint_get_multipliers(s.world, s.contact, lambda), SPC_OK);
        CHECK_NEAR(spc_dot(A.linear, spc_rotate(q, spc_vec3_make(1, 0, 0))),
                   g * sin(angle) / (1 + k), 8 * TEST_EPSILON * g);
        CHECK_NEAR(A.angular.y, g * sin(angle) / (1 + k) / r, 8 * TEST_EPSILON * g / r);
        CHECK_NEAR(lambda[0], k / (1 + k) * m * g * sin(angle), 16 * TEST_EPSILON * m * g);
        CHECK_NEAR(lambda[1], 0, 8 * TEST_EPSILON * m * g);
        CHECK_NEAR(lambda[2], -m * g * cos(angle), 8 * TEST_EPSILON * m * g);
        free(s.world);
    }
}

/* Down an incline, from rest, a ball turns by its way over its radius: spc_step is exact there but
   for the rounding of each step, by free turns and by a turn about one axis whose rate grows. */
static void a_rolling_ball_turns_by_its_way(void)
{
    const double g = 9.81, r = 0.3, angle = 0.3, rate = 240;
    const int steps = 480;
    const spc_mass mass = spc_mass_solid_sphere(2, (spc_real)r);
    const spc_quat q = spc_quat_from_rotation_vector(spc_vec3_make(0, (spc_real)angle, 0));
    ball_scene s = make_ball(&mass, zero, (spc_real)r, spc_transform_make(q, zero), zero);
    const double way = 0.5 * g * sin(angle) / 1.4 * (steps / rate) * (steps / rate);
    const spc_quat first = state_of(s.world, s.ball).X_GB.q;
    spc_quat turned;
    spc_vec3 wanted, got;
    int i;
    for (i = 0; i < steps; i++)
        CHECK_STATUS(spc_step(s.world, (spc_real)(1 / rate)), SPC_OK);
    turned = spc_quat_mul(
        spc_quat_from_rotation_vector(spc_vec3_make(0, (spc_real)(way / r), 0)), first);
    for (i = 0; i < 3; i++) {
        const spc_vec3 axis = spc_vec3_make(i == 0, i == 1, i == 2);
        wanted = spc_rotate(turned, axis);
        got = spc_rotate(state_of(s.world, s.ball).X_GB.q, axis);
        CHECK_NEAR(spc_norm(spc_sub(got, wanted)), 0, steps * TEST_EPSILON * way / r);
    }
    CHECK(way / r > 1); /* it has turned by radians */
    free(s.world);
}

/* On a turntable the centre goes round at 2/7 of its rate (2/5 for a shell), wherever it starts.
   The RK4 error of one turn in n steps is about n (2 pi 7/2 / n)^5 / 120. */
static void a_ball_on_a_turntable_returns(void)
{
    int hollow;
    for (hollow = 0; hollow < 2; hollow++) {
        const double k = hollow ? 2.0 / 3 : 0.4, rate = 3, period = 2 * PI * (1 + k) / (k * rate);
        const int steps = 20000;
        const spc_mass mass =
            hollow ? spc_mass_hollow_sphere(2, SPC_R(0.2)) : spc_mass_solid_sphere(2, SPC_R(0.2));
        ball_scene s =
            make_ball(&mass, zero, SPC_R(0.2), level(), spc_vec3_make(1, SPC_R(-2), SPC_R(0.7)));
        spc_state floor = spc_state_identity(), start, end;
        int i;
        floor.V_GB.angular.z = (spc_real)rate;
        put_on_floor(&s, &floor, spc_spatial_make(zero, zero));
        /* the table's own velocity at the place of contact is zero: it turns about that point */
        start = state_of(s.world, s.ball);
        for (i = 0; i < steps; i++)
            CHECK_STATUS(spc_step_rk4(s.world, (spc_real)(period / steps), SPC_DRIFT_STABILIZE),
                         SPC_OK);
        end = state_of(s.world, s.ball);
        CHECK_NEAR(distance(start.X_GB.p, end.X_GB.p), 0, 1e-12 + 3000 * TEST_EPSILON);
        CHECK_NEAR(distance(start.V_GB.linear, end.V_GB.linear), 0, 1e-12 + 3000 * TEST_EPSILON);
        free(s.world);
    }
}

/* Tilted by 5 degrees the circle drifts along the contour line with 5 g sin / (2 rate):
   0.712498196962 m/s. */
static void a_ball_on_a_tilted_turntable_drifts(void)
{
    const double angle = 5 * PI / 180, rate = 3, period = 2 * PI * 3.5 / rate;
    const int steps = 20000;
    const spc_mass mass = spc_mass_solid_sphere(1, SPC_R(0.1));
    const spc_quat q = spc_quat_from_rotation_vector(spc_vec3_make(0, (spc_real)angle, 0));
    ball_scene s = make_ball(&mass, zero, SPC_R(0.1), spc_transform_make(q, zero), zero);
    spc_state floor = spc_state_identity(), start, end;
    spc_vec3 drift;
    int i;
    floor.V_GB.angular = spc_scale((spc_real)rate, spc_rotate(q, spc_vec3_make(0, 0, 1)));
    put_on_floor(&s, &floor, spc_spatial_make(zero, zero));
    start = state_of(s.world, s.ball);
    for (i = 0; i < steps; i++)
        CHECK_STATUS(spc_step_rk4(s.world, (spc_real)(period / steps), SPC_DRIFT_STABILIZE),
                     SPC_OK);
    end = state_of(s.world, s.ball);
    drift = spc_unrotate(q, spc_scale((spc_real)(1 / period), spc_sub(end.X_GB.p, start.X_GB.p)));
    CHECK_NEAR(drift.x, 0, 1e-12 + 2000 * TEST_EPSILON);
    CHECK_NEAR(fabs((double)drift.y), 0.712498196962, 1e-12 + 2000 * TEST_EPSILON);
    free(s.world);
}

/* A plane that accelerates takes a uniform ball along with 2/7 of it. */
static void a_ball_on_an_accelerating_belt(void)
{
    const spc_mass mass = spc_mass_solid_sphere(3, SPC_R(0.5));
    ball_scene s = make_ball(&mass, zero, SPC_R(0.5), level(), zero);
    const spc_state floor = spc_state_identity();
    spc_spatial A;
    put_on_floor(&s, &floor, spc_spatial_make(zero, spc_vec3_make(SPC_R(1.4), SPC_R(-0.7), 0)));
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    A = acceleration_of(s.world, s.ball);
    CHECK_NEAR(A.linear.x, 0.4, 4 * TEST_EPSILON);
    CHECK_NEAR(A.linear.y, -0.2, 4 * TEST_EPSILON);
    CHECK_NEAR(A.linear.z, 0, 4 * TEST_EPSILON * 9.81); /* gravity against the floor */
    free(s.world);
}

/* A free plate of mass M on frictionless feet, a ball on it, a push F: a = F / (M + 2 m / 7). */
static void a_ball_on_a_free_plate(void)
{
    const double M = 3, m = 0.7, F = 2;
    spc_world_desc desc = spc_world_desc_default(2, 4);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_world *w;
    spc_body plate, ball;
    spc_constraint contact;
    spc_contact_force force;
    spc_spatial A;
    int i;
    desc.gravity = spc_vec3_make(0, 0, SPC_R(-9.81));
    w = test_world(&desc);
    body.mass = spc_mass_box((spc_real)M, spc_vec3_make(1, 1, SPC_R(0.05)));
    body.state.X_GB.p.z = SPC_R(0.1);
    CHECK_STATUS(spc_body_add(w, &body, &plate), SPC_OK);
    body.mass = spc_mass_solid_sphere((spc_real)m, SPC_R(0.25));
    body.state.X_GB.p.z = SPC_R(0.35);
    CHECK_STATUS(spc_body_add(w, &body, &ball), SPC_OK);
    d.ball = plate;
    d.shape.radius = SPC_R(0.1);
    d.shape.rolling = false;
    for (i = 0; i < 3; i++) {
        d.shape.p_BS = spc_vec3_make((spc_real)(i - 1), (spc_real)(i % 2), 0);
        CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &contact), SPC_OK);
    }
    d.floor = plate;
    d.ball = ball;
    d.shape.p_BS = zero;
    d.shape.radius = SPC_R(0.25);
    d.shape.rolling = true;
    CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &contact), SPC_OK);
    CHECK_STATUS(spc_body_add_force(w, plate, spc_vec3_make((spc_real)F, 0, 0), zero, SPC_LASTING),
                 SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
    A = acceleration_of(w, plate);
    CHECK_NEAR(A.linear.x, F / (M + 2 * m / 7), 20 * TEST_EPSILON);
    CHECK_NEAR(A.linear.z, 0, 100 * TEST_EPSILON);
    CHECK_NEAR(acceleration_of(w, ball).linear.x, 2.0 / 7 * F / (M + 2 * m / 7), 20 * TEST_EPSILON);
    CHECK_STATUS(spc_constraint_get_forces(w, contact, &force), SPC_OK);
    CHECK_NEAR(force.force_G.x, m * 2.0 / 7 * F / (M + 2 * m / 7), 20 * TEST_EPSILON);
    CHECK_NEAR(force.on_a.linear.x + force.on_b.linear.x, 0, 0);
    CHECK_NEAR(force.power, 0, 100 * TEST_EPSILON);
    free(w);
}

/* Touching down with slip: v+ = (v- + k r w-) / (1 + k) along the plane, and energy 1/2 m k/(1+k)
   slip^2 goes. */
/* The sign of the normal multiplier tells: gravity away from the plane is held by a pull of m g on
   the ball, towards the plane; gravity onto it by a push. */
static void a_contact_pulls_where_its_normal_multiplier_is_positive(void)
{
    const spc_mass mass = spc_mass_solid_sphere(2, SPC_R(0.5));
    int up, by_step;
    for (up = 0; up < 2; up++) {
        const double weight = up ? 2 * 9.81 : -2 * 9.81;
        ball_scene s = make_ball(&mass, zero, SPC_R(0.5), level(), zero);
        CHECK_STATUS(spc_world_set_gravity(s.world, spc_vec3_make(0, 0, (spc_real)(weight / 2))),
                     SPC_OK);
        for (by_step = 0; by_step < 2; by_step++) {
            spc_real lambda[SPC_MAX_ROWS];
            spc_contact_force f;
            CHECK_STATUS(by_step ? spc_step(s.world, SPC_R(0.01))
                                 : spc_world_forward_dynamics(s.world),
                         SPC_OK);
            CHECK_STATUS(spc_constraint_get_multipliers(s.world, s.contact, lambda), SPC_OK);
            CHECK_NEAR(lambda[2], weight, 64 * TEST_EPSILON * 20);
            CHECK_STATUS(spc_constraint_get_forces(s.world, s.contact, &f), SPC_OK);
            CHECK_NEAR(f.force_G.z, -weight, 64 * TEST_EPSILON * 20);
        }
        free(s.world);
    }
}

static void an_impulse_on_touching_down(void)
{
    const double k = 0.4, m = 2, r = 0.5, v = 3, w = -1, drop = -4;
    const spc_mass mass = spc_mass_solid_sphere((spc_real)m, (spc_real)r);
    ball_scene s = make_ball(&mass, zero, (spc_real)r, level(), zero);
    spc_real impulses[3];
    spc_state after;
    double before;
    CHECK_STATUS(
        spc_body_set_velocity(s.world, s.ball,
                              spc_spatial_make(spc_vec3_make(0, (spc_real)w, 0),
                                               spc_vec3_make((spc_real)v, 0, (spc_real)drop))),
        SPC_OK);
    before = energy_of(s.world);
    CHECK_STATUS(spc_world_apply_impulses(s.world, NULL, impulses, 3), SPC_OK);
    after = state_of(s.world, s.ball);
    CHECK_NEAR(after.V_GB.linear.x, (v + k * r * w) / (1 + k), 8 * TEST_EPSILON);
    CHECK_NEAR(after.V_GB.angular.y, (v + k * r * w) / (1 + k) / r, 20 * TEST_EPSILON);
    CHECK_NEAR(after.V_GB.linear.z, 0, 0);
    CHECK_NEAR(before - energy_of(s.world),
               0.5 * m * k / (1 + k) * (v - r * w) * (v - r * w) + 0.5 * m * drop * drop,
               100 * TEST_EPSILON);
    CHECK_NEAR(impulses[2], m * drop, 20 * TEST_EPSILON); /* minus the impulse on the ball */
    CHECK_NEAR(impulses[0], -m * ((v + k * r * w) / (1 + k) - v), 20 * TEST_EPSILON);
    free(s.world);
}

/* Four rolling feet on a chassis whose centre of mass is off by (e_x, e_y): loads of least norm are
   m g / 4 (1 + x_i e_x / a^2 + y_i e_y / b^2). */
static void four_feet_share_the_load(void)
{
    const double a = 0.8, b = 0.5, ex = 0.2, ey = -0.1, m = 12, g = 9.81;
    spc_world_desc desc = spc_world_desc_default(1, 4);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_world *w;
    spc_constraint foot[4];
    int i;
    desc.gravity = spc_vec3_make(0, 0, (spc_real)-g);
    w = test_world(&desc);
    body.mass = spc_mass_box((spc_real)m, spc_vec3_make(1, SPC_R(0.6), SPC_R(0.2)));
    body.mass.p_BBc = spc_vec3_make((spc_real)ex, (spc_real)ey, SPC_R(0.3));
    body.state.X_GB.p.z = SPC_R(0.1);
    CHECK_STATUS(spc_body_add(w, &body, &d.ball), SPC_OK);
    d.shape.radius = SPC_R(0.1);
    for (i = 0; i < 4; i++) {
        d.shape.p_BS = spc_vec3_make((spc_real)(i & 1 ? a : -a), (spc_real)(i & 2 ? b : -b), 0);
        CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &foot[i]), SPC_OK);
    }
    CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
    CHECK_NEAR(spc_norm(acceleration_of(w, d.ball).linear), 0, 1e3 * TEST_EPSILON);
    for (i = 0; i < 4; i++) {
        spc_real lambda[SPC_MAX_ROWS];
        const double x = i & 1 ? a : -a, y = i & 2 ? b : -b;
        CHECK_STATUS(spc_constraint_get_multipliers(w, foot[i], lambda), SPC_OK);
        CHECK_NEAR((double)-lambda[2] / (m * g), (1 + x * ex / (a * a) + y * ey / (b * b)) / 4,
                   4000 * TEST_EPSILON);
        CHECK_NEAR(lambda[0], 0, 1e4 * TEST_EPSILON * m * g);
    }
    free(w);
}

/* -------------------------------------------------------------------------- stabilization ----- */

/* Ball lifted by e0, with stabilization T: e = e0 (1 + t/T) exp(-t/T), slip s0 exp(-2t/T). */
static void stabilization_decays_as_it_should(void)
{
    const double T = 0.1, e0 = 0.01, s0 = 0.2, h = 5e-4;
    const spc_mass mass = spc_mass_solid_sphere(1, SPC_R(0.3));
    ball_scene s = make_ball(&mass, zero, SPC_R(0.3), level(), spc_vec3_make(0, 0, 2));
    spc_stabilization on = spc_stabilization_default();
    spc_state x = state_of(s.world, s.ball);
    int i;
    CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.contact, &on), SPC_OK);
    x.X_GB.p.z += (spc_real)e0;
    CHECK_STATUS(spc_body_set_pose(s.world, s.ball, x.X_GB), SPC_OK);
    x.V_GB.linear.x = (spc_real)s0;
    CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, x.V_GB), SPC_OK);
    for (i = 0; i <= 1000; i++) {
        const double t = i * h;
        const spc_rows rows = rows_of(s.world, s.contact);
        CHECK_NEAR(rows.position_errors[2], e0 * (1 + t / T) * exp(-t / T),
                   1e-11 + 20 * TEST_EPSILON);
        CHECK_NEAR(rows.velocity_errors[0], s0 * exp(-2 * t / T),
                   1e-11 * s0 / e0 + 200 * TEST_EPSILON);
        CHECK_STATUS(spc_step_rk4(s.world, (spc_real)h, SPC_DRIFT_STABILIZE), SPC_OK);
    }
    free(s.world);
}

/* spc_step takes velocity errors out at once, and of a position error e the part h/T if the contact
   came apart, more the less it is of the arms, and all of it where it is drift:

       part = h/T + (1 - h/T) / (1 + (e / 0.01 arm)^4)

   exactly for the rows of a centred ball, which do not curve, with the arm r; what a
   velocity error would have moved within the step goes, too. A T below 2 h counts as 2 h.
   Displacements of up to 16 roundings of the ball's place and r are left out: e stands still where
   the part of e is less. */
static void steps_take_errors_out_as_they_should(void)
{
    static const double constants[4] = { 0.1, 0.02, 0.0001, 1 };
    int k, i;
    for (k = 0; k < 4; k++) {
        const double h = 1.0 / 60, T = fmax(constants[k], 2 * h), r = 0.3;
        const spc_mass mass = spc_mass_solid_sphere(1, (spc_real)r);
        ball_scene s = make_ball(&mass, zero, (spc_real)r, level(), zero);
        spc_stabilization on = spc_stabilization_default();
        spc_state x = state_of(s.world, s.ball);
        double e = 0.1;
        on.time_constant = (spc_real)constants[k];
        CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.contact, &on), SPC_OK);
        x.X_GB.p.z += (spc_real)e;
        CHECK_STATUS(spc_body_set_pose(s.world, s.ball, x.X_GB), SPC_OK);
        x.V_GB.linear = spc_vec3_make(SPC_R(0.2), SPC_R(-0.1), SPC_R(0.3));
        CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, x.V_GB), SPC_OK);
        for (i = 0; i < 400; i++) {
            spc_rows rows;
            double still;
            CHECK_STATUS(spc_step(s.world, (spc_real)h), SPC_OK);
            rows = rows_of(s.world, s.contact);
            still = (double)spc_norm(state_of(s.world, s.ball).X_GB.p) + r;
            still *= 16 * TEST_EPSILON * T / h;
            e *= (1 - h / T) * (1 - 1 / (1 + pow(e / (0.01 * r), 4)));
            CHECK_NEAR(rows.position_errors[2], e, 20 * TEST_EPSILON + still);
            CHECK_NEAR(rows.velocity_errors[0], 0, 20 * TEST_EPSILON);
            CHECK_NEAR(rows.velocity_errors[1], 0, 20 * TEST_EPSILON);
            CHECK_NEAR(rows.velocity_errors[2], 0, 20 * TEST_EPSILON);
        }
        CHECK(fabs(e) < 1e-9); /* drift by now */
        free(s.world);
    }
}

/* Without stabilization a step removes velocity errors at once and leaves position errors alone; a
   row whose velocity errors are ignored keeps its velocity error. Of an uneven or off-centre ball
   the second half of the drift changes them by up to h/2 F, F as above with W^2 + W^2 of its two
   terms: in the first half, before the jump, nothing turned that it could have mirrored. */
/* Switched off, it leaves a height of 1/8 m over the plane as it is, and takes velocities out. */
static void without_stabilization_position_errors_stay(void)
{
    const spc_mass mass = spc_mass_solid_sphere(1, SPC_R(0.5));
    ball_scene s = make_ball(&mass, zero, SPC_R(0.5), level(), zero);
    spc_state x = state_of(s.world, s.ball);
    spc_rows rows;
    int i;
    x.X_GB.p.z += SPC_R(0.125);
    x.V_GB.linear = spc_vec3_make(SPC_R(0.2), SPC_R(-0.3), SPC_R(0.1));
    CHECK_STATUS(spc_body_set_pose(s.world, s.ball, x.X_GB), SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, x.V_GB), SPC_OK);
    for (i = 0; i < 100; i++) {
        CHECK_STATUS(spc_step(s.world, SPC_R(0.015625)), SPC_OK);
        rows = rows_of(s.world, s.contact);
        CHECK_NEAR(rows.velocity_errors[0], 0, 20 * TEST_EPSILON);
        CHECK_NEAR(rows.velocity_errors[1], 0, 20 * TEST_EPSILON);
        CHECK_NEAR(rows.velocity_errors[2], 0, 20 * TEST_EPSILON);
        if (i == 0) /* half a step of 0.1 m/s went before */
            x.X_GB.p.z = (spc_real)rows.separation;
        CHECK_NEAR(rows.separation, x.X_GB.p.z, 0);
    }
    CHECK_NEAR(rows.separation, 0.125, 0.1 * 0.015625);
    free(s.world);
}

static void levels_of_rows_are_respected(void)
{
    int turn;
    for (turn = 0; turn < 6; turn++) {
        const spc_mass mass = turn < 4 ? uneven_mass() : spc_mass_solid_sphere(1, SPC_R(0.3));
        const double h = 0.01, off = turn < 4 ? turn % 2 * 0.05 : 0;
        ball_scene s =
            make_ball(&mass, spc_vec3_make(0, 0, (spc_real)off), SPC_R(0.3), level(), zero);
        const bool kept = turn == 2 || turn == 3 || turn == 5;
        spc_stabilization st = no_stabilization();
        spc_state x = state_of(s.world, s.ball);
        spc_constraint_info info;
        spc_rows rows;
        double W, error;
        x.V_GB.linear = spc_vec3_make(SPC_R(0.2), SPC_R(-0.3), SPC_R(0.1));
        x.X_GB.p.z += SPC_R(0.125);
        CHECK_STATUS(spc_body_set_pose(s.world, s.ball, x.X_GB), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, x.V_GB), SPC_OK);
        st.ignore_velocity = kept ? 2u : 0u; /* row y at acceleration level */
        st.ignore_position = 4u;             /* row z at velocity level */
        CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.contact, &st), SPC_OK);
        CHECK_STATUS(spc_constraint_get_info(s.world, s.contact, &info), SPC_OK);
        CHECK(info.position_rows == 0 && info.velocity_rows == (kept ? 2 : 3));
        CHECK(info.acceleration_rows == (kept ? 1 : 0) && info.row_index == 0);
        CHECK_STATUS(spc_step(s.world, (spc_real)h), SPC_OK);
        rows = rows_of(s.world, s.contact);
        W = (double)spc_norm(state_of(s.world, s.ball).V_GB.angular);
        error = 20 * TEST_EPSILON + (turn < 4 ? h / 2 * 2 * W * W * (0.3 + off) : 0);
        CHECK_NEAR(rows.velocity_errors[0], 0, error);
        CHECK_NEAR(rows.velocity_errors[1], kept ? -0.3 : 0, error);
        CHECK_NEAR(rows.velocity_errors[2], 0, error);
        CHECK(rows.separation > SPC_R(0.12));
        CHECK_STATUS(spc_world_assemble(s.world, SPC_R(1e-6), NULL),
                     SPC_OK); /* no position row: nothing to do */
        CHECK_NEAR(rows_of(s.world, s.contact).separation, rows.separation, 0);
        /* projection has no second half of a drift */
        CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
        rows = rows_of(s.world, s.contact);
        CHECK_NEAR(rows.velocity_errors[0], 0, 20 * TEST_EPSILON);
        CHECK_NEAR(rows.velocity_errors[1], kept ? -0.3 : 0, error);
        CHECK_NEAR(rows.velocity_errors[2], 0, 20 * TEST_EPSILON);
        free(s.world);
    }
}

/* ------------------------------------------------------------------------------ steps --------- */

static void a_resting_ball_stays_put_bit_for_bit(void)
{
    static const double masses[3] = { 1, 3, 0.17 };
    int k, i;
    for (k = 0; k < 3; k++) {
        const spc_mass mass = spc_mass_solid_sphere((spc_real)masses[k], SPC_R(0.3));
        const spc_quat q = spc_quat_from_rotation_vector(spc_vec3_make(0, 0, SPC_R(0.7)));
        ball_scene s =
            make_ball(&mass, zero, SPC_R(0.3), spc_transform_make(q, spc_vec3_make(1, 2, 0)), zero);
        spc_stabilization on = spc_stabilization_default();
        spc_state before, after;
        CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.contact, &on), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, spc_spatial_make(zero, zero)),
                     SPC_OK); /* no -0 */
        before = state_of(s.world, s.ball);
        for (i = 0; i < 1000000; i++)
            if (spc_step(s.world, SPC_R(1.0 / 60)))
                CHECK(false);
        after = state_of(s.world, s.ball);
        CHECK(!memcmp(&before, &after, sizeof before));
        free(s.world);
    }
}

/* 1000 s at 240 Hz with T = 0.1 s: separation within 1e-9 r, energy within 1e-9, no slip. */
static void a_ball_rolls_for_a_thousand_seconds(void)
{
    const double r = 0.1, limit = sizeof(spc_real) == sizeof(double) ? 1e-9 : 1e-4;
    const spc_mass mass = spc_mass_solid_sphere(1, (spc_real)r);
    ball_scene s = make_ball(&mass, zero, (spc_real)r, level(), spc_vec3_make(3, 10, 1));
    spc_stabilization on = spc_stabilization_default();
    const double energy = energy_of(s.world);
    double separation = 0, slip = 0;
    int i, k;
    CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.contact, &on), SPC_OK);
    for (i = 0; i < 240000; i++) {
        spc_rows rows;
        if (spc_step(s.world, SPC_R(1.0 / 240)))
            CHECK(false);
        if (i % 10)
            continue;
        spc_constraint_get_rows(s.world, s.contact, &rows);
        separation = fmax(separation, fabs((double)rows.separation));
        for (k = 0; k < 3; k++)
            slip = fmax(slip, fabs((double)rows.velocity_errors[k]));
    }
    print_seen("1000 s of rolling, separation", separation);
    print_seen("1000 s of rolling, slip", slip);
    /* in double forces, slip and separation are zero, and so is what each step adds */
    CHECK_NEAR(separation, 0, sizeof(spc_real) == sizeof(double) ? 0 : limit * r);
    CHECK_NEAR(energy_of(s.world) / energy, 1, limit);
    CHECK_NEAR(slip, 0, sizeof(spc_real) == sizeof(double) ? 0 : 20 * TEST_EPSILON);
    free(s.world);
}

/* Of balls of every kind on fixed ground, after each step. Velocities were turned in the middle
   such that what the second half of the drift changes is gone if it is what the first half has
   changed; these two are h/2 F a quarter of a step before and behind the middle, so that h^2/4
   dF/dt is left, with the w and dw/dt of the step. Of balls with equal moments about their middle F
   is 0, and some roundings of the speeds (w r, about 5) are left, as after a projection. */
static void velocity_errors_after_each_step_are_of_second_order(void)
{
    const double h = 1.0 / 240;
    int turn, i, k;
    for (turn = 0; turn < 48; turn++) {
        const bool even = turn >= 40;
        spc_mass mass = even ? spc_mass_solid_sphere(2, SPC_R(0.4)) : test_random_mass();
        const spc_quat q = test_random_quat();
        const spc_vec3 p_BS = turn % 2 && !even ? test_random_vec3(0.1) : zero;
        const spc_vec3 w = test_random_vec3(4);
        ball_scene s;
        double L;
        spc_stabilization st = spc_stabilization_default();
        if (turn % 4 == 0)
            mass.p_BBc = zero;
        L = 0.4 + (double)spc_norm(p_BS) + (double)spc_norm(mass.p_BBc);
        s = make_ball(&mass, p_BS, SPC_R(0.4), spc_transform_make(q, zero), w);
        st.enabled = turn % 3 == 0;
        CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.contact, &st), SPC_OK);
        for (i = 0; i < 100; i++) {
            const spc_vec3 before = state_of(s.world, s.ball).V_GB.angular;
            spc_vec3 after;
            spc_rows rows;
            double W, A, left;
            CHECK_STATUS(spc_step(s.world, (spc_real)h), SPC_OK);
            after = state_of(s.world, s.ball).V_GB.angular;
            W = fmax((double)spc_norm(before), (double)spc_norm(after));
            A = distance(before, after) / h;
            left = even ? 0 : h * h / 4 * change_of_drift(W, A, L);
            rows = rows_of(s.world, s.contact);
            for (k = 0; k < 3; k++)
                CHECK_NEAR(rows.velocity_errors[k], 0, left + 100 * TEST_EPSILON);
            if (i % 10)
                continue;
            CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
            rows = rows_of(s.world, s.contact);
            for (k = 0; k < 3; k++)
                CHECK_NEAR(rows.velocity_errors[k], 0, 100 * TEST_EPSILON);
        }
        free(s.world);
    }
}

/* The largest velocity error in 0.1 s of an uneven ball, off its centre, in so many steps. */
static double largest_velocity_error(int steps)
{
    spc_mass mass = uneven_mass();
    ball_scene s;
    double worst = 0;
    int i, k;
    mass.p_BBc = spc_vec3_make(SPC_R(0.02), SPC_R(-0.03), SPC_R(0.01));
    s = make_ball(&mass, spc_vec3_make(SPC_R(0.05), 0, SPC_R(0.02)), SPC_R(0.3), level(),
                  spc_vec3_make(1, SPC_R(-2), SPC_R(0.5)));
    for (i = 0; i < steps; i++) {
        spc_rows rows;
        CHECK_STATUS(spc_step(s.world, (spc_real)(0.1 / steps)), SPC_OK);
        rows = rows_of(s.world, s.contact);
        for (k = 0; k < 3; k++)
            note(&worst, (double)rows.velocity_errors[k]);
    }
    free(s.world);
    return worst;
}

/* A quarter for half the step. The ratio is off by the next order, h w = 0.02 for h of 10 ms, and
   by roundings of the speeds (some 1 m/s), of which two are 3 % of the 7e-6 that single precision
   has at 2.5 ms. */
static void half_the_step_leaves_a_quarter_of_the_velocity_errors(void)
{
    const int coarsest = sizeof(spc_real) == sizeof(double) ? 40 : 10;
    int steps;
    for (steps = coarsest; steps <= 2 * coarsest; steps *= 2) {
        const double ratio = largest_velocity_error(steps) / largest_velocity_error(2 * steps);
        CHECK_NEAR(ratio, 4, 0.3);
    }
}

/* A ball on a slope and a thrown body are where the closed form has them, at any rate: their
   velocities change evenly, and the mean of the velocities before and after is that of the step.
   A step rounds numbers of some 5 once; 20 roundings besides are those of the closed form. */
static void slopes_and_throws_are_exact(void)
{
    static const int rates[3] = { 10, 60, 240 };
    const double g = 9.81, r = 0.3, angle = 0.3, a = g * sin(angle) / 1.4;
    const spc_mass solid = spc_mass_solid_sphere(2, (spc_real)r);
    const spc_vec3 v0 = spc_vec3_make(1, -2, 3);
    int k, i;
    for (k = 0; k < 3; k++) {
        const double rounding = (20 + rates[k]) * 5 * TEST_EPSILON;
        const spc_real h = (spc_real)(1.0 / rates[k]);
        const double t = rates[k] * (double)h;
        const spc_quat q = spc_quat_from_rotation_vector(spc_vec3_make(0, (spc_real)angle, 0));
        const spc_vec3 down = spc_rotate(q, spc_vec3_make(1, 0, 0));
        ball_scene s = make_ball(&solid, zero, (spc_real)r, spc_transform_make(q, zero), zero);
        const spc_vec3 start = state_of(s.world, s.ball).X_GB.p;
        spc_state x;
        for (i = 0; i < rates[k]; i++)
            CHECK_STATUS(spc_step(s.world, h), SPC_OK);
        x = state_of(s.world, s.ball);
        CHECK_NEAR(distance(x.X_GB.p, spc_add(start, spc_scale((spc_real)(a * t * t / 2), down))),
                   0, rounding);
        CHECK_NEAR(distance(x.V_GB.linear, spc_scale((spc_real)(a * t), down)), 0, rounding);
        CHECK_NEAR(x.V_GB.angular.y, a * t / r, rounding / r);
        CHECK_STATUS(spc_constraint_set_enabled(s.world, s.contact, false), SPC_OK);
        x.X_GB.p = zero;
        x.V_GB = spc_spatial_make(v0, v0);
        CHECK_STATUS(spc_body_set_pose(s.world, s.ball, x.X_GB), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, x.V_GB), SPC_OK);
        for (i = 0; i < rates[k]; i++)
            CHECK_STATUS(spc_step(s.world, h), SPC_OK);
        x = state_of(s.world, s.ball);
        CHECK_NEAR(x.X_GB.p.x, t, rounding);
        CHECK_NEAR(x.X_GB.p.y, -2 * t, rounding);
        CHECK_NEAR(x.X_GB.p.z, 3 * t - g * t * t / 2, rounding);
        CHECK_NEAR(distance(x.V_GB.angular, v0), 0, rounding);
        free(s.world);
    }
}

/* The state after one second, of an off-centre ball on a moving floor. */
static spc_state run_for_order(int steps, int method)
{
    spc_mass mass = uneven_mass();
    ball_scene s;
    spc_state floor = spc_state_identity(), end;
    int i;
    mass.p_BBc = spc_vec3_make(SPC_R(0.02), SPC_R(-0.03), SPC_R(0.01));
    s = make_ball(&mass, spc_vec3_make(SPC_R(0.05), 0, SPC_R(0.02)), SPC_R(0.3), level(),
                  spc_vec3_make(1, SPC_R(-2), SPC_R(0.5)));
    floor.V_GB.angular.z = SPC_R(0.8);
    put_on_floor(
        &s, &floor,
        spc_spatial_make(spc_vec3_make(0, 0, SPC_R(0.5)), spc_vec3_make(SPC_R(0.3), 0, 0)));
    CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
    for (i = 0; i < steps; i++)
        CHECK_STATUS(method == 0
                         ? spc_step(s.world, (spc_real)(1.0 / steps))
                         : spc_step_rk4(s.world, (spc_real)(1.0 / steps),
                                        method == 1 ? SPC_DRIFT_STABILIZE : SPC_DRIFT_PROJECT),
                     SPC_OK);
    end = state_of(s.world, s.ball);
    free(s.world);
    return end;
}

/* Errors against a fine RK4 run shrink by 4 and by 16 when the step is halved. */
static void steps_converge_with_their_orders(void)
{
    const bool fine = sizeof(spc_real) == sizeof(double);
    const spc_state best = run_for_order(fine ? 4000 : 400, 2);
    int method;
    for (method = 0; method < 3; method++) {
        const int steps = method ? (fine ? 50 : 6) : (fine ? 200 : 25);
        const double coarse = distance(run_for_order(steps, method).X_GB.p, best.X_GB.p);
        const double half = distance(run_for_order(2 * steps, method).X_GB.p, best.X_GB.p);
        const double order = log2(coarse / half);
        CHECK(coarse > 0 && order > (method ? 3.6 : 1.8) && order < (method ? 5.2 : 2.2));
    }
}

/* Turning the whole scene changes nothing beyond rounding: no direction is preferred. */
static void turning_the_scene_changes_nothing(void)
{
    int turn, i, method;
    for (turn = 0; turn < 20; turn++) {
        const spc_quat q = test_random_quat();
        spc_mass mass = test_random_mass();
        const spc_vec3 p_BS = test_random_vec3(0.1), w = test_random_vec3(3);
        spc_state end[2];
        for (method = 0; method < 2; method++) {
            const spc_transform X_GP = spc_transform_make(method ? q : spc_quat_identity(), zero);
            ball_scene s = make_ball(&mass, p_BS, SPC_R(0.4), level(), w);
            spc_sphere_on_plane shape;
            spc_state x = state_of(s.world, s.ball);
            CHECK_STATUS(spc_sphere_on_plane_get(s.world, s.contact, &shape), SPC_OK);
            shape.X_FP = X_GP;
            CHECK_STATUS(spc_sphere_on_plane_set(s.world, s.contact, &shape), SPC_OK);
            x.X_GB = spc_transform_mul(X_GP, x.X_GB);
            x.V_GB.angular = spc_rotate(X_GP.q, x.V_GB.angular);
            x.V_GB.linear = spc_rotate(X_GP.q, x.V_GB.linear);
            CHECK_STATUS(spc_body_set_pose(s.world, s.ball, x.X_GB), SPC_OK);
            CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, x.V_GB), SPC_OK);
            CHECK_STATUS(spc_world_set_gravity(
                             s.world, spc_rotate(X_GP.q, spc_vec3_make(0, 0, SPC_R(-9.81)))),
                         SPC_OK);
            for (i = 0; i < 100; i++)
                CHECK_STATUS(turn % 2 ? spc_step(s.world, SPC_R(0.004))
                                      : spc_step_rk4(s.world, SPC_R(0.004), SPC_DRIFT_PROJECT),
                             SPC_OK);
            end[method] = state_of(s.world, s.ball);
            free(s.world);
        }
        /* 100 steps of rounding, spread at rates up to 10/s over 0.4 s: 50 */
        CHECK_NEAR(distance(spc_rotate(q, end[0].X_GB.p), end[1].X_GB.p), 0, 5e3 * TEST_EPSILON);
        CHECK_NEAR(distance(spc_rotate(q, end[0].V_GB.angular), end[1].V_GB.angular), 0,
                   5e4 * TEST_EPSILON);
    }
}

/* Lengths in other units (x 8), masses (x 4), times (x 2): powers of two scale to the bit. */
static void units_scale_to_the_bit(void)
{
    spc_state end[2];
    int k, i;
    for (k = 0; k < 2; k++) {
        const spc_real L = k ? 8 : 1, M = k ? 4 : 1, t = k ? 2 : 1;
        spc_mass mass = uneven_mass();
        ball_scene s;
        mass.mass *= M;
        mass.inertia.xx *= M * L * L;
        mass.inertia.yy *= M * L * L;
        mass.inertia.zz *= M * L * L;
        mass.inertia.xy *= M * L * L;
        mass.inertia.xz *= M * L * L;
        mass.inertia.yz *= M * L * L;
        s = make_ball(&mass, spc_vec3_make(L * SPC_R(0.0625), 0, 0), L * SPC_R(0.3), level(),
                      spc_vec3_make(1 / t, -2 / t, SPC_R(0.5) / t));
        CHECK_STATUS(
            spc_world_set_gravity(s.world, spc_vec3_make(0, 0, SPC_R(-9.81) * L / (t * t))),
            SPC_OK);
        for (i = 0; i < 200; i++)
            CHECK_STATUS(spc_step(s.world, SPC_R(0.01) * t), SPC_OK);
        end[k] = state_of(s.world, s.ball);
        free(s.world);
    }
    CHECK_NEAR(distance(spc_scale(8, end[0].X_GB.p), end[1].X_GB.p), 0, 0);
    CHECK_NEAR(distance(spc_scale(4, end[0].V_GB.linear), end[1].V_GB.linear), 0, 0);
    CHECK_NEAR(distance(end[0].V_GB.angular, spc_scale(2, end[1].V_GB.angular)), 0, 0);
}

/* A plate with three balls, its bodies and contacts added forwards or backwards: the same motion.
   */
static void the_order_of_bodies_does_not_matter(void)
{
    spc_state plate[2];
    int turn, i;
    for (turn = 0; turn < 2; turn++) {
        spc_world_desc desc = spc_world_desc_default(4, 4);
        spc_world *w;
        spc_body body[4];
        spc_constraint c;
        desc.gravity = spc_vec3_make(0, 0, SPC_R(-9.81));
        w = test_world(&desc);
        for (i = 0; i < 4; i++) {
            const int k = turn ? 3 - i : i;
            spc_body_desc d = spc_body_desc_default();
            d.mass = k ? spc_mass_solid_sphere((spc_real)k, SPC_R(0.2)) : uneven_mass();
            d.state.X_GB.p =
                spc_vec3_make((spc_real)(k % 2), (spc_real)(k / 2), k ? SPC_R(0.2) : 0);
            d.state.V_GB.angular.z = 1;
            CHECK_STATUS(spc_body_add(w, &d, &body[k]), SPC_OK);
        }
        for (i = 0; i < 4; i++) {
            const int k = turn ? 3 - i : i;
            spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
            if (k > 0)
                d.floor = body[0];
            d.ball = body[k];
            d.shape.radius = SPC_R(0.2);
            d.shape.X_FP.p.z = k ? 0 : SPC_R(-0.2);
            CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
        }
        for (i = 0; i < 50; i++)
            CHECK_STATUS(spc_step(w, SPC_R(0.002)), SPC_OK);
        plate[turn] = state_of(w, body[0]);
        free(w);
    }
    CHECK_NEAR(distance(plate[0].X_GB.p, plate[1].X_GB.p), 0, 1e3 * TEST_EPSILON);
    CHECK_NEAR(distance(plate[0].V_GB.angular, plate[1].V_GB.angular), 0, 1e4 * TEST_EPSILON);
}

/* A mirror turns a right-handed scene into another: x to -x for vectors, y and z for rotations. */
static void mirroring_the_scene_mirrors_the_motion(void)
{
    const spc_mass mass = spc_mass_box(1, spc_vec3_make(SPC_R(0.3), SPC_R(0.2), SPC_R(0.1)));
    spc_state end[2];
    int k, i;
    for (k = 0; k < 2; k++) {
        const spc_real x = k ? -1 : 1;
        ball_scene s = make_ball(&mass, spc_vec3_make(x * SPC_R(0.05), SPC_R(0.02), 0), SPC_R(0.3),
                                 level(), spc_vec3_make(1, x * -2, x * SPC_R(0.5)));
        for (i = 0; i < 200; i++)
            CHECK_STATUS(spc_step(s.world, SPC_R(0.005)), SPC_OK);
        end[k] = state_of(s.world, s.ball);
        free(s.world);
    }
    CHECK_NEAR(end[0].X_GB.p.x, -end[1].X_GB.p.x, 5e3 * TEST_EPSILON);
    CHECK_NEAR(end[0].X_GB.p.y, end[1].X_GB.p.y, 5e3 * TEST_EPSILON);
    CHECK_NEAR(end[0].V_GB.angular.x, end[1].V_GB.angular.x, 5e4 * TEST_EPSILON);
    CHECK_NEAR(end[0].V_GB.angular.z, -end[1].V_GB.angular.z, 5e4 * TEST_EPSILON);
}

/* ----------------------------------------------------------------------------- motion --------- */

/* A table that swings: angle about z sin(t), height sin(2 t) / 10. */
static void swing(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    const double t = (double)time;
    ++*(int *)user;
    state->X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(0, 0, (spc_real)sin(t)));
    state->X_GB.p = spc_vec3_make(0, 0, (spc_real)(sin(2 * t) / 10));
    state->V_GB = spc_spatial_make(spc_vec3_make(0, 0, (spc_real)cos(t)),
                                   spc_vec3_make(0, 0, (spc_real)(cos(2 * t) / 5)));
    *acceleration = spc_spatial_make(spc_vec3_make(0, 0, (spc_real)-sin(t)),
                                     spc_vec3_make(0, 0, (spc_real)(-0.4 * sin(2 * t))));
}

static void a_callback_moves_the_floor(void)
{
    int method, i, calls = 0;
    for (method = 0; method < 3; method++) {
        const spc_mass mass = spc_mass_solid_sphere(1, SPC_R(0.2));
        ball_scene s = make_ball(&mass, zero, SPC_R(0.2), level(), zero);
        spc_body_desc body = spc_body_desc_default();
        spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
        spc_spatial A;
        spc_state floor, x;
        spc_rows rows;
        CHECK_STATUS(spc_constraint_remove(s.world, s.contact), SPC_OK);
        body.kind = SPC_KINEMATIC;
        body.motion = swing;
        body.user = &calls;
        CHECK_STATUS(spc_body_add(s.world, &body, &s.floor), SPC_OK);
        x = state_of(s.world, s.ball);
        x.X_GB.p.x = 1;
        CHECK_STATUS(spc_body_set_pose(s.world, s.ball, x.X_GB), SPC_OK);
        d.floor = s.floor;
        d.ball = s.ball;
        d.shape.radius = SPC_R(0.2);
        CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.contact), SPC_OK);
        CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
        CHECK_NEAR(state_of(s.world, s.ball).V_GB.linear.z, 0.2, 10 * TEST_EPSILON);
        for (i = 0; i < 1000; i++)
            CHECK_STATUS(method
                             ? spc_step_rk4(s.world, SPC_R(0.001),
                                            method == 1 ? SPC_DRIFT_STABILIZE : SPC_DRIFT_PROJECT)
                             : spc_step(s.world, SPC_R(0.001)),
                         SPC_OK);
        floor = state_of(s.world, s.floor);
        CHECK_NEAR(spc_world_time(s.world), 1, 1e3 * TEST_EPSILON);
        CHECK_NEAR(floor.X_GB.p.z, sin(2.0) / 10, 1e3 * TEST_EPSILON);
        A = acceleration_of(s.world, s.floor);
        CHECK_NEAR(A.angular.z, -sin(1.0), 1e3 * TEST_EPSILON);
        rows = rows_of(s.world, s.contact);
        CHECK_NEAR(rows.separation, 0, method ? 1e-9 + 100 * TEST_EPSILON : 1e-3); /* h w: 1e-3 */
        CHECK_NEAR(rows.velocity_errors[2], 0, method ? 1e-9 + 1e3 * TEST_EPSILON : 1e-3);
        CHECK_STATUS(spc_world_set_time(s.world, SPC_R(0.5)), SPC_OK);
        CHECK_NEAR(state_of(s.world, s.floor).X_GB.p.z, sin(1.0) / 10, 10 * TEST_EPSILON);
        free(s.world);
    }
    CHECK(calls > 3000);
}

/* A kinematic body goes on by itself: constant acceleration, exactly, in steps of any size. */
static void a_kinematic_body_moves_as_prescribed(void)
{
    spc_world_desc desc = spc_world_desc_default(1, 0);
    spc_body_desc body = spc_body_desc_default();
    spc_world *w = test_world(&desc);
    spc_body b;
    spc_state x;
    int i;
    body.kind = SPC_KINEMATIC;
    body.state.V_GB = spc_spatial_make(spc_vec3_make(0, 0, 1), spc_vec3_make(1, 0, 0));
    CHECK_STATUS(spc_body_add(w, &body, &b), SPC_OK);
    CHECK_STATUS(spc_body_set_acceleration(
                     w, b, spc_spatial_make(spc_vec3_make(0, 0, 2), spc_vec3_make(0, 4, 0))),
                 SPC_OK);
    for (i = 0; i < 8; i++)
        CHECK_STATUS(i % 2 ? spc_step(w, SPC_R(0.125))
                           : spc_step_rk4(w, SPC_R(0.125), SPC_DRIFT_STABILIZE),
                     SPC_OK);
    x = state_of(w, b);
    CHECK_NEAR(x.X_GB.p.x, 1, 4 * TEST_EPSILON);
    CHECK_NEAR(x.X_GB.p.y, 2, 8 * TEST_EPSILON);
    CHECK_NEAR(x.V_GB.linear.y, 4, 8 * TEST_EPSILON);
    CHECK_NEAR(x.V_GB.angular.z, 3, 8 * TEST_EPSILON);
    /* turned by 1 + 1 rad; RK4 turns with an error of (h w / 2)^5 / 120 a step, under 1e-6 */
    CHECK_NEAR(x.X_GB.q.z, sin(1.0), 2e-6);
    free(w);
}

/* How far a pose is from another: of the two quaternions of the same rotation the nearer one. */
static double pose_error(spc_transform X, spc_transform Y)
{
    const spc_quat p = X.q, q = Y.q;
    const double sign = (double)(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z) < 0 ? -1 : 1;
    const double w = (double)p.w - sign * (double)q.w, x = (double)p.x - sign * (double)q.x;
    const double y = (double)p.y - sign * (double)q.y, z = (double)p.z - sign * (double)q.z;
    return fmax(distance(X.p, Y.p), sqrt(w * w + x * x + y * y + z * z));
}

static spc_body add_carried(spc_world *w)
{
    spc_body_desc d = spc_body_desc_default();
    spc_body body;
    d.kind = SPC_KINEMATIC;
    d.state = test_random_state();
    CHECK_STATUS(spc_body_add(w, &d, &body), SPC_OK);
    return body;
}

/* Moves a body by a turn and elsewhere, in so many steps, and gives by how much it misses. */
static double miss(spc_world *w, spc_body body, spc_quat turn, int steps)
{
    const spc_real h = (spc_real)test_random(0.001, 2);
    const spc_transform X = state_of(w, body).X_GB;
    const spc_spatial A = test_random_spatial(1, 1); /* is forgotten */
    const spc_transform Y = spc_transform_make(spc_quat_mul(turn, X.q), test_random_vec3(1));
    spc_transform twice = Y;
    int i;
    twice.q = spc_quat_make(2 * Y.q.w, 2 * Y.q.x, 2 * Y.q.y, 2 * Y.q.z);
    CHECK_STATUS(spc_body_set_acceleration(w, body, A), SPC_OK);
    CHECK_STATUS(spc_body_move_to(w, body, twice, h), SPC_OK);
    CHECK_NEAR(spc_norm(acceleration_of(w, body).angular), 0, 0);
    CHECK_NEAR(spc_norm(acceleration_of(w, body).linear), 0, 0);
    CHECK((double)(spc_norm(state_of(w, body).V_GB.angular) * h) <
          3.1416); /* half a turn at most */
    for (i = 0; i < steps; i++)
        CHECK_STATUS(spc_step(w, h / (spc_real)steps), SPC_OK);
    return pose_error(state_of(w, body).X_GB, Y);
}

/* Turns of all sizes, from 1e-18 to half a turn. Rounding: that of the angle, some four of angles
   up to pi with four halvings back and forth, and as many again in each of the steps. */
static void a_body_that_is_moved_to_a_pose_lands_there(void)
{
    spc_world_desc desc = spc_world_desc_default(1, 0);
    spc_world *w = test_world(&desc);
    const spc_body body = add_carried(w);
    double worst = 0;
    int i;
    for (i = 0; i < 3000; i++) {
        const double small = pow(10, -test_random(0, 18)), pi = 3.14159265358979323846;
        const double angle = i % 3 == 0 ? small : i % 3 == 1 ? pi - small : test_random(-pi, pi);
        const spc_vec3 axis = i % 10 ? test_random_vec3(1) : spc_vec3_make(0, i % 20 ? -1 : 1, 0);
        const double size = (double)spc_norm(axis);
        const spc_quat turn =
            spc_quat_from_rotation_vector(spc_scale((spc_real)(angle / size), axis));
        worst = fmax(worst, miss(w, body, turn, 1));
        CHECK_NEAR(miss(w, body, turn, 8), 0, 64 * TEST_EPSILON);
    }
    CHECK_NEAR(worst, 0, 16 * TEST_EPSILON);
    print_seen("moved to a pose, missed by (roundings)", worst / TEST_EPSILON);
    free(w);
}

/* The velocity by hand: 4 m and a quarter turn about y in half a second, and nothing at the same
   pose; of the two ways half around the one about the positive axis, whichever the signs. */
static void the_velocity_that_moves_a_body_by_hand(void)
{
    spc_world_desc desc = spc_world_desc_default(1, 0);
    spc_world *w = test_world(&desc);
    const spc_body body = add_carried(w);
    const spc_real root = (spc_real)sqrt(0.5);
    spc_transform X = spc_transform_identity();
    spc_spatial V;
    int k, sign;
    CHECK_STATUS(spc_body_set_pose(w, body, X), SPC_OK);
    X.p = spc_vec3_make(0, 0, 4);
    for (sign = -1; sign <= 1; sign += 2) {
        X.q = spc_quat_make((spc_real)sign * root, 0, (spc_real)sign * root, 0);
        CHECK_STATUS(spc_body_move_to(w, body, X, SPC_R(0.5)), SPC_OK);
        V = state_of(w, body).V_GB;
        CHECK_NEAR(distance(V.linear, spc_vec3_make(0, 0, 8)), 0, 0);
        CHECK_NEAR(distance(V.angular, spc_vec3_make(0, SPC_R(3.14159265358979323846), 0)), 0,
                   8 * TEST_EPSILON);
        for (k = 0; k < 3; k++) { /* about x, -y + z turned over, and z */
            const spc_real s = (spc_real)sign;
            X.q = k == 0   ? spc_quat_make(0, s, 0, 0)
                  : k == 1 ? spc_quat_make(0, 0, s * root, -s * root)
                           : spc_quat_make(0, 0, 0, s);
            CHECK_STATUS(spc_body_move_to(w, body, X, SPC_R(0.5)), SPC_OK);
            V = state_of(w, body).V_GB;
            CHECK_NEAR(spc_norm(V.angular), 2 * 3.14159265358979323846, 32 * TEST_EPSILON);
            CHECK((k == 0 ? V.angular.x : k == 1 ? V.angular.y : V.angular.z) > 1);
        }
    }
    CHECK_STATUS(spc_body_move_to(w, body, spc_transform_identity(), SPC_R(0.5)), SPC_OK);
    V = state_of(w, body).V_GB;
    CHECK_NEAR(spc_norm(V.angular) + spc_norm(V.linear), 0, 0);
    free(w);
}

static const test_entry tests[] = {
    TEST(a_ball_on_an_incline),
    TEST(a_rolling_ball_turns_by_its_way),
    TEST(a_ball_on_a_turntable_returns),
    TEST(a_ball_on_a_tilted_turntable_drifts),
    TEST(a_ball_on_an_accelerating_belt),
    TEST(a_ball_on_a_free_plate),
    TEST(an_impulse_on_touching_down),
    TEST(a_contact_pulls_where_its_normal_multiplier_is_positive),
    TEST(four_feet_share_the_load),
    TEST(stabilization_decays_as_it_should),
    TEST(steps_take_errors_out_as_they_should),
    TEST(without_stabilization_position_errors_stay),
    TEST(levels_of_rows_are_respected),
    TEST(a_resting_ball_stays_put_bit_for_bit),
    TEST(a_ball_rolls_for_a_thousand_seconds),
    TEST(velocity_errors_after_each_step_are_of_second_order),
    TEST(half_the_step_leaves_a_quarter_of_the_velocity_errors),
    TEST(slopes_and_throws_are_exact),
    TEST(steps_converge_with_their_orders),
    TEST(turning_the_scene_changes_nothing),
    TEST(units_scale_to_the_bit),
    TEST(the_order_of_bodies_does_not_matter),
    TEST(mirroring_the_scene_mirrors_the_motion),
    TEST(a_callback_moves_the_floor),
    TEST(a_kinematic_body_moves_as_prescribed),
    TEST(a_body_that_is_moved_to_a_pose_lands_there),
    TEST(the_velocity_that_moves_a_body_by_hand),
};

TEST_MAIN
