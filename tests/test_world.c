/* [7] The world: closed forms, invariants, convergence, and what each call promises. Numbers such
   as 5/7 and 2/7 are k/(1+k) and its relatives for a uniform ball, I = k m r^2 with k = 2/5. */
#include "test.h"

#define PI 3.14159265358979323846

/* One ball on one plane and what names them. */
typedef struct ball_scene {
    spc_world *world;
    spc_body ball, floor;
    spc_constraint contact;
    spc_real radius;
} ball_scene;

static spc_stabilization no_stabilization(void)
{
    spc_stabilization s = spc_stabilization_default();
    s.enabled = false;
    return s;
}

/* A ball of a given mass that touches the plane z = 0 of frame X_GP at its origin, rolling with w
   and the velocity that goes with it. floor_kind: -1 for ground. */
static ball_scene make_ball(const spc_mass *mass, spc_vec3 p_BS, spc_real radius,
                            spc_transform X_GP, spc_vec3 w)
{
    ball_scene s;
    spc_world_desc desc = spc_world_desc_default(2, 1);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    const spc_vec3 n = spc_rotate(X_GP.q, spc_vec3_make(0, 0, 1));
    desc.gravity = spc_vec3_make(0, 0, SPC_R(-9.81));
    desc.stabilization = no_stabilization();
    memset(&s, 0, sizeof s);
    s.world = test_world(&desc);
    s.radius = radius;
    body.mass = *mass;
    body.state.X_GB.p = spc_sub(spc_add(X_GP.p, spc_scale(radius, n)), p_BS);
    body.state.V_GB.angular = w;
    /* the material point at C is at rest: v = -w x (C - Bo) */
    body.state.V_GB.linear = spc_cross(spc_sub(p_BS, spc_scale(radius, n)), w);
    CHECK_STATUS(spc_body_add(s.world, &body, &s.ball), SPC_OK);
    d.ball = s.ball;
    d.shape.X_FP = X_GP;
    d.shape.p_BS = p_BS;
    d.shape.radius = radius;
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.contact), SPC_OK);
    return s;
}

static spc_transform level(void)
{
    return spc_transform_identity();
}

static spc_state state_of(const spc_world *w, spc_body b)
{
    spc_state s;
    memset(&s, 0, sizeof s);
    CHECK_STATUS(spc_body_get_state(w, b, &s), SPC_OK);
    return s;
}

static spc_spatial acceleration_of(const spc_world *w, spc_body b)
{
    spc_spatial a;
    memset(&a, 0, sizeof a);
    CHECK_STATUS(spc_body_get_acceleration(w, b, &a), SPC_OK);
    return a;
}

static spc_rows rows_of(const spc_world *w, spc_constraint c)
{
    spc_rows rows;
    memset(&rows, 0, sizeof rows);
    CHECK_STATUS(spc_constraint_get_rows(w, c, &rows), SPC_OK);
    return rows;
}

static spc_energy_momentum momentum_of(const spc_world *w)
{
    spc_energy_momentum m;
    memset(&m, 0, sizeof m);
    CHECK_STATUS(spc_world_get_energy_momentum(w, &m), SPC_OK);
    return m;
}

static double energy_of(const spc_world *w)
{
    const spc_energy_momentum m = momentum_of(w);
    return (double)m.kinetic + (double)m.potential;
}

static double distance(spc_vec3 a, spc_vec3 b)
{
    return (double)spc_norm(spc_sub(a, b));
}

/* A kinematic floor under the ball of a scene, in the place of ground. */
static void put_on_floor(ball_scene *s, const spc_state *floor, spc_spatial A)
{
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    CHECK_STATUS(spc_sphere_on_plane_get(s->world, s->contact, &d.shape), SPC_OK);
    CHECK_STATUS(spc_constraint_remove(s->world, s->contact), SPC_OK);
    body.kind = SPC_KINEMATIC;
    body.state = *floor;
    CHECK_STATUS(spc_body_add(s->world, &body, &s->floor), SPC_OK);
    CHECK_STATUS(spc_body_set_acceleration(s->world, s->floor, A), SPC_OK);
    d.floor = s->floor;
    d.ball = s->ball;
    CHECK_STATUS(spc_sphere_on_plane_add(s->world, &d, &s->contact), SPC_OK);
}

static const spc_vec3 zero = { 0, 0, 0 };

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

/* -------------------------------------------------------------------------- invariants -------- */

/* Of the RK4 runs below, whose h w of 1e-3 leaves less than rounding: 8000 steps' rounding as it
   was seen, a few units, with room; single precision has fewer steps and larger h w. */
#ifdef SPC_USE_FLOAT
#define RUN_STEP 1e-3
#define RUN_STEPS 1000
#define INVARIANT (3e3 * TEST_EPSILON)
#else
#define RUN_STEP 2.5e-4
#define RUN_STEPS 8000
#define INVARIANT (100 * TEST_EPSILON)
#endif

/* Runs RK4 and hands each hundredth state to a check. */
static void run_rk4(ball_scene *s, void (*check)(const ball_scene *s, void *data), void *data)
{
    int i;
    for (i = 0; i < RUN_STEPS; i++) {
        CHECK_STATUS(spc_step_rk4(s->world, SPC_R(RUN_STEP), SPC_DRIFT_PROJECT), SPC_OK);
        if (i % 100 == 99)
            check(s, data);
    }
}

/* Angular momentum about Bc and its velocity, of the one ball. */
static spc_vec3 spin_of(const ball_scene *s, spc_vec3 *v_c, spc_vec3 *c)
{
    spc_mass m;
    const spc_state x = state_of(s->world, s->ball);
    CHECK_STATUS(spc_body_get_mass(s->world, s->ball, &m), SPC_OK);
    *c = spc_rotate(x.X_GB.q, m.p_BBc);
    *v_c = spc_add(x.V_GB.linear, spc_cross(x.V_GB.angular, *c));
    return spc_rotate(x.X_GB.q, spc_inertia_mul(m.inertia, spc_unrotate(x.X_GB.q, x.V_GB.angular)));
}

/* L + r n x m v: angular momentum about the contact point of a ball with its centre of mass in S.
   */
static spc_vec3 about_contact(const ball_scene *s)
{
    spc_vec3 v, c;
    const spc_vec3 L = spin_of(s, &v, &c);
    spc_mass m;
    CHECK_STATUS(spc_body_get_mass(s->world, s->ball, &m), SPC_OK);
    return spc_add(L, spc_scale(m.mass * s->radius, spc_cross(spc_vec3_make(0, 0, 1), v)));
}

typedef struct invariants {
    spc_vec3 K;
    double energy, jellett, rate;
    double worst, worst_energy; /* deviations seen */
} invariants;

static void note(double *worst, double deviation)
{
    *worst = fmax(*worst, fabs(deviation));
}

/* What the README quotes. */
static void print_seen(const char *what, double worst)
{
    printf("seen: %s %.2g\n", what, worst);
}

/* For an inhomogeneous ball with Bc in S that rolls on level ground K is constant, and E. */
static void check_chaplygin(const ball_scene *s, void *data)
{
    invariants *want = (invariants *)data;
    note(&want->worst, distance(about_contact(s), want->K));
    note(&want->worst_energy, energy_of(s->world) - want->energy);
    CHECK_NEAR(distance(about_contact(s), want->K), 0, INVARIANT);
    CHECK_NEAR(energy_of(s->world), want->energy, INVARIANT);
}

static spc_mass uneven_mass(void)
{
    spc_mass m = spc_mass_box(1, spc_vec3_make(SPC_R(0.3), SPC_R(0.2), SPC_R(0.1)));
    m.inertia = spc_inertia_rotate(spc_mat3_from_quat(spc_quat_from_rotation_vector(
                                       spc_vec3_make(SPC_R(0.3), 1, SPC_R(-0.5)))),
                                   m.inertia);
    return m;
}

static void chaplygins_ball_keeps_its_momentum_about_the_contact(void)
{
    const spc_mass m = uneven_mass();
    ball_scene s =
        make_ball(&m, zero, SPC_R(0.4), level(), spc_vec3_make(2, SPC_R(-1), SPC_R(1.5)));
    invariants want = { { 0, 0, 0 }, 0, 0, 0, 0, 0 };
    want.K = about_contact(&s);
    want.energy = energy_of(s.world);
    run_rk4(&s, check_chaplygin, &want);
    print_seen("Chaplygin's ball, momentum about the contact", want.worst);
    print_seen("Chaplygin's ball, energy", want.worst_energy);
    free(s.world);
}

/* On a plane that turns about the vertical through ground's origin: L about the contact, and
   Jacobi's E - rate L_z with L_z about that axis. */
static double jacobi(const ball_scene *s, double rate)
{
    return energy_of(s->world) - rate * (double)momentum_of(s->world).angular.z;
}

static void check_rotating_plane(const ball_scene *s, void *data)
{
    invariants *want = (invariants *)data;
    note(&want->worst, jacobi(s, want->rate) - want->jellett);
    CHECK_NEAR(distance(about_contact(s), want->K), 0, INVARIANT);
    CHECK_NEAR(jacobi(s, want->rate), want->jellett, INVARIANT);
}

static void chaplygins_ball_on_a_turning_plane_keeps_jacobis_integral(void)
{
    const spc_mass m = uneven_mass();
    ball_scene s =
        make_ball(&m, zero, SPC_R(0.4), level(), spc_vec3_make(2, SPC_R(-1), SPC_R(1.5)));
    spc_state floor = spc_state_identity();
    invariants want = { { 0, 0, 0 }, 0, 0, 0, 0, 0 };
    want.rate = 1.3;
    floor.V_GB.angular.z = (spc_real)want.rate;
    put_on_floor(&s, &floor, spc_spatial_make(zero, zero));
    want.K = about_contact(&s);
    want.jellett = jacobi(&s, want.rate);
    want.energy = energy_of(s.world);
    run_rk4(&s, check_rotating_plane, &want);
    print_seen("Chaplygin's ball on a turning plane, Jacobi's integral", want.worst);
    CHECK(fabs(energy_of(s.world) - want.energy) >
          1e-3); /* the plane does work: the test is not empty */
    free(s.world);
}

/* An off-centre ball that is symmetric about its axis: L . r_C is constant, r_C from Bc to the
   contact. */
static double jellett(const ball_scene *s)
{
    spc_vec3 v, c;
    const spc_vec3 L = spin_of(s, &v, &c);
    const spc_vec3 r_C =
        spc_sub(rows_of(s->world, s->contact).p_GC, spc_add(state_of(s->world, s->ball).X_GB.p, c));
    return (double)spc_dot(L, r_C);
}

static void check_jellett(const ball_scene *s, void *data)
{
    invariants *want = (invariants *)data;
    note(&want->worst, jellett(s) - want->jellett);
    note(&want->worst_energy, energy_of(s->world) - want->energy);
    CHECK_NEAR(jellett(s), want->jellett, INVARIANT);
    CHECK_NEAR(energy_of(s->world), want->energy, 10 * INVARIANT); /* w r is larger here */
}

static void a_tippe_top_keeps_jelletts_constant(void)
{
    spc_mass m = spc_mass_solid_sphere(1, SPC_R(0.2));
    ball_scene s;
    invariants want = { { 0, 0, 0 }, 0, 0, 0, 0, 0 };
    int rolling;
    m.inertia.zz *= SPC_R(0.8);
    m.p_BBc = spc_vec3_make(0, 0, SPC_R(0.02));
    for (rolling = 0; rolling < 2; rolling++) {
        const spc_vec3 p_BS = spc_vec3_make(0, 0, SPC_R(-0.03));
        spc_sphere_on_plane shape;
        s = make_ball(&m, p_BS, SPC_R(0.2), level(), spc_vec3_make(1, SPC_R(0.5), 6));
        CHECK_STATUS(spc_sphere_on_plane_get(s.world, s.contact, &shape), SPC_OK);
        shape.rolling = rolling != 0;
        CHECK_STATUS(spc_sphere_on_plane_set(s.world, s.contact, &shape), SPC_OK);
        want.jellett = jellett(&s);
        want.energy = energy_of(s.world);
        run_rk4(&s, check_jellett, &want);
        free(s.world);
    }
    print_seen("tippe top, Jellett's constant", want.worst);
    print_seen("tippe top, energy", want.worst_energy);
}

/* Free rotation with moments 1, 2, 3 close to the middle axis: period 39.1057341972877 (elliptic
   integral). */
static ball_scene free_body(spc_vec3 w)
{
    spc_mass m = spc_mass_solid_sphere(1, 1);
    ball_scene s;
    m.inertia.xx = 1;
    m.inertia.yy = 2;
    m.inertia.zz = 3;
    s = make_ball(&m, zero, 1, level(), w);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.contact, false), SPC_OK);
    CHECK_STATUS(spc_world_set_gravity(s.world, zero), SPC_OK);
    return s;
}

static void a_tumbling_body_has_its_period(void)
{
    const spc_vec3 w = spc_vec3_make(SPC_R(0.01), 1, SPC_R(0.01));
    ball_scene s = free_body(w);
    const double period = 39.1057341972877;
    const bool fine = sizeof(spc_real) == sizeof(double);
    const int steps = fine ? 20000 : 1000;
    spc_state end;
    int i;
    for (i = 0; i < steps; i++)
        CHECK_STATUS(spc_step_rk4(s.world, (spc_real)(period / steps), SPC_DRIFT_STABILIZE),
                     SPC_OK);
    end = state_of(s.world, s.ball);
    /* the body's own angular velocity returns; single precision loses 1000 roundings, and a hundred
       times that near the unstable axis */
    CHECK_NEAR(distance(spc_unrotate(end.X_GB.q, end.V_GB.angular), w), 0, fine ? 2e-12 : 1e-2);
    free(s.world);
}

static void a_million_free_steps_keep_energy_and_momentum(void)
{
    ball_scene s = free_body(spc_vec3_make(SPC_R(0.3), 4, SPC_R(-0.2)));
    const int steps = sizeof(spc_real) == sizeof(double) ? 1000000 : 10000;
    spc_energy_momentum before, after;
    int i;
    CHECK_STATUS(
        spc_body_set_velocity(s.world, s.ball,
                              spc_spatial_make(state_of(s.world, s.ball).V_GB.angular, zero)),
        SPC_OK);
    before = momentum_of(s.world);
    for (i = 0; i < steps; i++)
        if (spc_step(s.world, SPC_R(0.01)))
            CHECK(false);
    after = momentum_of(s.world);
    print_seen("free steps, energy (relative)",
               fabs((double)after.kinetic - (double)before.kinetic) / (double)before.kinetic);
    /* a million roundings add up like a random walk, to a thousand times one; a step has some ten
       */
    CHECK_NEAR(after.kinetic, before.kinetic, 3e4 * TEST_EPSILON * (double)before.kinetic);
    CHECK_NEAR(distance(after.angular, before.angular), 0,
               3e4 * TEST_EPSILON * (double)spc_norm(before.angular));
    free(s.world);
}

/* The midpoint rule's Newton iteration at spins far beyond what a step resolves: nothing may blow
   up. A turn in 512 parts, 200 times, has 1e5 times some roundings, which add up like a random walk
   to a thousand. */
static void a_spin_too_fast_for_the_step_stays_bounded(void)
{
    int turn, i;
    for (turn = 0; turn < 40; turn++) {
        ball_scene s = free_body(spc_scale((spc_real)pow(10, turn % 8), test_random_vec3(1)));
        spc_energy_momentum before, after;
        spc_spatial V = state_of(s.world, s.ball).V_GB;
        V.linear = zero;
        CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, V), SPC_OK);
        before = momentum_of(s.world);
        for (i = 0; i < 200; i++)
            CHECK_STATUS(spc_step(s.world, SPC_R(0.02)), SPC_OK);
        after = momentum_of(s.world);
        CHECK_NEAR((double)after.kinetic / (double)before.kinetic, 1, 1e4 * TEST_EPSILON);
        CHECK_NEAR(distance(after.angular, before.angular) / (double)spc_norm(before.angular), 0,
                   1e4 * TEST_EPSILON);
        free(s.world);
    }
}

/* Largest relative change of angular momentum and energy of a box that turns so far in each of 1000
   steps, or more if its linear velocity changes. */
static double change_of_spin(spc_vec3 half_lengths, spc_vec3 turn)
{
    spc_world_desc desc = spc_world_desc_default(1, 0);
    spc_body_desc body = spc_body_desc_default();
    spc_energy_momentum before, after;
    double worst = 0;
    spc_world *w = test_world(&desc);
    spc_body box;
    int i;
    body.mass = spc_mass_box(1, half_lengths);
    body.state.V_GB.angular = turn;
    CHECK_STATUS(spc_body_add(w, &body, &box), SPC_OK);
    before = momentum_of(w);
    for (i = 0; i < 1000; i++) {
        CHECK_STATUS(spc_step(w, 1), SPC_OK);
        after = momentum_of(w);
        worst =
            fmax(worst, distance(after.angular, before.angular) / (double)spc_norm(before.angular));
        worst = fmax(worst, fabs((double)after.kinetic / (double)before.kinetic - 1));
    }
    CHECK_NEAR(spc_norm(state_of(w, box).X_GB.p), 0, 0);
    free(w);
    return worst;
}

/* From what a step resolves up to 30 rad, for boxes as slender as 1 : 10 : 50. Rounding is what is
   left: 1000 steps of up to 16 parts of some 10 roundings add up like a random walk to 1e3
   roundings, and as 1000 times one where it has a direction. */
static void boxes_keep_their_angular_momentum_at_any_spin(void)
{
    static const double sizes[5][3] = { { 0.1, 0.2, 0.3 },
                                        { 0.1, 0.11, 0.12 },
                                        { 0.01, 0.1, 0.5 },
                                        { 0.02, 0.3, 0.31 },
                                        { 0.05, 0.06, 0.5 } };
    const double allowed = sizeof(spc_real) == sizeof(double) ? 1e-11 : 1e-4;
    double worst = 0;
    int k, i;
    for (k = 0; k < 5; k++)
        for (i = 0; i <= 12; i++) {
            const spc_vec3 half =
                spc_vec3_make((spc_real)sizes[k][0], (spc_real)sizes[k][1], (spc_real)sizes[k][2]);
            const spc_vec3 w = spc_vec3_make(SPC_R(0.48), SPC_R(0.6), SPC_R(0.64));
            worst = fmax(worst, change_of_spin(half, spc_scale(SPC_R(0.5 + 2.45 * i), w)));
        }
    CHECK_NEAR(worst, 0, allowed);
    print_seen("boxes at up to 30 rad a step, momentum and energy (relative)", worst);
}

/* Two free bodies in contact, no gravity: both momenta are kept by both steps. */
static void momenta_of_a_free_pair_are_kept(void)
{
    int method, i;
    for (method = 0; method < 2; method++) {
        spc_world_desc desc = spc_world_desc_default(2, 1);
        spc_body_desc body = spc_body_desc_default();
        spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
        spc_world *w;
        spc_constraint c;
        spc_energy_momentum before, after;
        w = test_world(&desc);
        for (i = 0; i < 2; i++) {
            body.mass = test_random_mass();
            body.state = test_random_state();
            CHECK_STATUS(spc_body_add(w, &body, i ? &d.ball : &d.floor), SPC_OK);
        }
        d.shape.radius = SPC_R(0.5);
        d.shape.p_BS = test_random_vec3(0.2);
        CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
        CHECK_STATUS(spc_world_assemble(w, (spc_real)(1e4 * TEST_EPSILON), NULL), SPC_OK);
        CHECK_STATUS(spc_world_project_velocities(w), SPC_OK);
        before = momentum_of(w);
        for (i = 0; i < 500; i++)
            CHECK_STATUS(method ? spc_step(w, SPC_R(0.005))
                                : spc_step_rk4(w, SPC_R(0.005), SPC_DRIFT_STABILIZE),
                         SPC_OK);
        after = momentum_of(w);
        /* spc_step keeps them to rounding, RK4 (whose state is Bo's velocity) to its order: (h w)^4
           */
        CHECK_NEAR(distance(after.linear, before.linear), 0,
                   4e3 * TEST_EPSILON + (method ? 0 : 1e-7));
        CHECK_NEAR(distance(after.angular, before.angular), 0,
                   4e4 * TEST_EPSILON + (method ? 0 : 1e-7));
        free(w);
    }
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

/* How fast what a free drift changes the velocity errors by, F = ds/dt, may itself change for a
   body with w up to W and dw/dt up to A, whose centre of mass, sphere and contact are L apart at
   most. With v_S = v_c + w x p_cS, F is w x (w x p) + (free dw/dt) x q with p, q no longer than L,
   and the free dw/dt, I^-1 (I w x w), no more than w^2. Each of dw/dt and of the turn of p and q
   enters each factor once: 2 A W + W^3 for the first term, 2 A W + 2 W^3 for the second. */
static double change_of_drift(double W, double A, double L)
{
    return (4 * A * W + 3 * W * W * W) * L;
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
        const int steps = method ? (fine ? 50 : 10) : (fine ? 200 : 25);
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
    const size_t bytes = spc_world_bytes(w);
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
    } runs[] = { { spc_step, 240, 1000 },
                 { spc_step, 1000, 4000 },
                 { step_by_parts, 240, 1000 },
                 { step_by_rk4, 240, 1000 } };
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
    void *memory = malloc(spc_world_bytes(w));
    int i;
    for (i = 0; i < 1000; i++)
        CHECK_STATUS(spc_step(w, h), SPC_OK);
    memcpy(memory, w, spc_world_bytes(w));
    CHECK_STATUS(spc_world_open(memory, spc_world_bytes(w), &copy), SPC_OK);
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

/* A call on a random constraint of some balls: contacts, joints to ground or now and then between
   neighbours, of one to six rows, one on a ball or several. */
static void change_at_random(spc_world *w, const spc_body *ball, int balls, spc_constraint *c,
                             int count)
{
    static const unsigned locks[4] = { SPC_POINT_ON_PLANE, SPC_BALL_JOINT, SPC_HINGE, SPC_WELD };
    const int i = (int)test_random(0, count), k = (int)test_random(0, balls);
    const unsigned locked = locks[(int)test_random(0, 4)];
    const double choice = test_random(0, 1);
    const spc_body ground = { 0, 0 };
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_constraint_info info;
    memset(&info, 0, sizeof info);
    roll.ball = joint.b = ball[k];
    roll.shape.radius = SPC_R(0.1);
    if (choice > 0.8) { /* held from its other side, or by a neighbour */
        joint.a = ball[k];
        joint.b = choice > 0.97 ? ball[(k + 1) % balls] : ground;
    }
    joint.keep_pose = true;
    roll.disabled = choice < 0.1;
    if (!spc_constraint_exists(w, c[i])) {
        joint.shape.locked = locked;
        CHECK_STATUS(choice < 0.6 ? spc_sphere_on_plane_add(w, &roll, &c[i])
                                  : spc_attachment_add(w, &joint, &c[i]),
                     SPC_OK);
        return;
    }
    CHECK_STATUS(spc_constraint_get_info(w, c[i], &info), SPC_OK);
    if (choice < 0.3) {
        CHECK_STATUS(spc_constraint_remove(w, c[i]), SPC_OK);
    } else if (choice < 0.8 || info.kind != SPC_ATTACHMENT) {
        CHECK_STATUS(spc_constraint_set_enabled(w, c[i], !info.enabled), SPC_OK);
    } else {
        CHECK_STATUS(spc_attachment_get(w, c[i], &joint.shape), SPC_OK);
        joint.shape.locked = locked;
        CHECK_STATUS(spc_attachment_set(w, c[i], &joint.shape), SPC_OK);
    }
}

/* A body that comes and goes: everything that follows from the topology is found anew. */
static void find_all_anew(spc_world *w)
{
    const spc_body_desc d = spc_body_desc_default();
    spc_body_desc kinematic = d;
    spc_body body;
    kinematic.kind = SPC_KINEMATIC;
    memset(&body, 0, sizeof body);
    CHECK_STATUS(spc_body_add(w, &kinematic, &body), SPC_OK);
    CHECK_STATUS(spc_body_remove(w, body), SPC_OK);
}

/* The same step of both ends in the same bits, multipliers included; then all are put back, a
   little off and turning, so that there is drift to take out. */
static void check_twins(spc_world *w, spc_world *twin, const spc_body *ball, int balls,
                        const spc_constraint *c, int count)
{
    spc_real l[SPC_MAX_ROWS], m[SPC_MAX_ROWS];
    int i;
    CHECK_STATUS(spc_step(w, SPC_R(0.01)), SPC_OK);
    CHECK_STATUS(spc_step(twin, SPC_R(0.01)), SPC_OK);
    CHECK(spc_world_hash(w) == spc_world_hash(twin));
    CHECK(spc_world_coupling_needed(w) == spc_world_coupling_needed(twin));
    for (i = 0; i < count; i++) {
        if (!spc_constraint_exists(w, c[i]))
            continue;
        memset(l, 0, sizeof l);
        memset(m, 1, sizeof m);
        CHECK_STATUS(spc_constraint_get_multipliers(w, c[i], l), SPC_OK);
        CHECK_STATUS(spc_constraint_get_multipliers(twin, c[i], m), SPC_OK);
        CHECK(!memcmp(l, m, sizeof l));
    }
    for (i = 0; i < balls; i++) {
        const spc_spatial V = test_random_spatial(1, 0.1);
        spc_transform X = spc_transform_identity();
        X.q = spc_quat_from_rotation_vector(test_random_vec3(0.01));
        X.p = spc_vec3_make((spc_real)i, 0, SPC_R(0.1));
        X.p = spc_add(X.p, test_random_vec3(0.01));
        CHECK_STATUS(spc_body_set_pose(w, ball[i], X), SPC_OK);
        CHECK_STATUS(spc_body_set_pose(twin, ball[i], X), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(w, ball[i], V), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(twin, ball[i], V), SPC_OK);
    }
}

/* Constraints come and go, one for a ball or several. What a lone ball's change in place gives is
   what finding everything anew gives: worlds with little room and more. */
static void changes_in_place_leave_no_trace(void)
{
    static const int sizes[3][2] = { { 8, 10 }, { 6, 2 }, { 4, 1 } };
    spc_body ball[8];
    spc_constraint c[10], d[10];
    int k, i, round;
    for (k = 0; k < 3; k++) {
        const int balls = sizes[k][0], count = sizes[k][1];
        spc_world_desc desc = spc_world_desc_default(balls + 1, count);
        spc_body_desc body = spc_body_desc_default();
        spc_world *w, *twin;
        desc.rows = 6 * count;
        desc.coupling = k == 0 ? 10000 : 0; /* for several on one ball */
        desc.gravity.z = SPC_R(-9.81);
        w = test_world(&desc);
        memset(c, 0, sizeof c);
        for (i = 0; i < balls; i++) {
            body.mass = test_random_mass();
            body.state.X_GB.p = spc_vec3_make((spc_real)i, 0, SPC_R(0.1));
            CHECK_STATUS(spc_body_add(w, &body, &ball[i]), SPC_OK);
        }
        find_all_anew(w);
        twin = (spc_world *)malloc(spc_world_bytes(w));
        memcpy(twin, w, spc_world_bytes(w));
        for (round = 0; round < 1500; round++) {
            const unsigned long long seed = test_seed;
            memcpy(d, c, sizeof c);
            change_at_random(w, ball, balls, c, count);
            test_seed = seed;
            change_at_random(twin, ball, balls, d, count);
            CHECK(!memcmp(c, d, sizeof c));
            find_all_anew(twin);
            if (round % 3 == 0)
                check_twins(w, twin, ball, balls, c, count);
        }
        free(w);
        free(twin);
    }
}

/* Bodies come one by one between steps: free and kinematic ones, with and without contacts. */
static void bodies_added_in_place_leave_no_trace(void)
{
    spc_world_desc desc = spc_world_desc_default(21, 10);
    spc_world *w, *twin;
    int i;
    desc.gravity.z = SPC_R(-9.81);
    w = test_world(&desc);
    find_all_anew(w);
    twin = (spc_world *)malloc(spc_world_bytes(w));
    memcpy(twin, w, spc_world_bytes(w));
    for (i = 0; i < 20; i++) {
        spc_body_desc d = spc_body_desc_default();
        spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
        spc_body body;
        spc_constraint c;
        spc_world *both[2];
        int k;
        both[0] = w;
        both[1] = twin;
        d.kind = i % 3 == 1 ? SPC_KINEMATIC : SPC_DYNAMIC;
        d.mass = test_random_mass();
        d.state = test_random_state();
        roll.shape.radius = SPC_R(0.1);
        for (k = 0; k < 2; k++) {
            CHECK_STATUS(spc_body_add(both[k], &d, &body), SPC_OK);
            roll.ball = body;
            if (i % 3 == 2)
                CHECK_STATUS(spc_sphere_on_plane_add(both[k], &roll, &c), SPC_OK);
        }
        find_all_anew(twin);
        CHECK_STATUS(spc_step(w, SPC_R(0.01)), SPC_OK);
        CHECK_STATUS(spc_step(twin, SPC_R(0.01)), SPC_OK);
        CHECK(spc_world_hash(w) == spc_world_hash(twin));
        CHECK(spc_step(w, SPC_R(1e30)) == spc_step(twin, SPC_R(1e30)));
        CHECK(spc_world_hash(w) == spc_world_hash(twin));
    }
    free(w);
    free(twin);
}

/* The body, its place in the elimination, its rows, and its state before and after a step, which
   stands with those of three others (float: seven), be they there or not. Of 1,000 balls each has
   room for a place in a tree, too: 4,260 bytes in all (float: 2,390). */
static void memory_for_balls_is_small(void)
{
    const spc_world_desc one = spc_world_desc_default(1, 1);
    const spc_world_desc many = spc_world_desc_default(1000, 1000);
    const bool wide = sizeof(spc_real) == sizeof(double);
    CHECK(spc_world_size(&one) > 0 && spc_world_size(&one) <= (wide ? 4736 : 3648));
    CHECK(spc_world_size(&many) > 0 && spc_world_size(&many) <= (wide ? 4270000 : 2400000));
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

static const test_entry tests[] = { TEST(a_ball_on_an_incline),
                                    TEST(a_rolling_ball_turns_by_its_way),
                                    TEST(a_ball_on_a_turntable_returns),
                                    TEST(a_ball_on_a_tilted_turntable_drifts),
                                    TEST(a_ball_on_an_accelerating_belt),
                                    TEST(a_ball_on_a_free_plate),
                                    TEST(an_impulse_on_touching_down),
                                    TEST(a_contact_pulls_where_its_normal_multiplier_is_positive),
                                    TEST(four_feet_share_the_load),
                                    TEST(chaplygins_ball_keeps_its_momentum_about_the_contact),
                                    TEST(chaplygins_ball_on_a_turning_plane_keeps_jacobis_integral),
                                    TEST(a_tippe_top_keeps_jelletts_constant),
                                    TEST(a_tumbling_body_has_its_period),
                                    TEST(a_million_free_steps_keep_energy_and_momentum),
                                    TEST(a_spin_too_fast_for_the_step_stays_bounded),
                                    TEST(boxes_keep_their_angular_momentum_at_any_spin),
                                    TEST(momenta_of_a_free_pair_are_kept),
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
                                    TEST(assembly_leaves_a_good_state_alone),
                                    TEST(assembly_brings_bodies_into_contact),
                                    TEST(assembly_is_weighted_by_mass),
                                    TEST(other_weights_of_assembly_are_put_in_by_masses),
                                    TEST(assembly_does_not_lose_what_is_not_finite),
                                    TEST(multipliers_stay_finite),
                                    TEST(assembly_tells_when_it_cannot),
                                    TEST(impulses_reach_given_velocity_errors),
                                    TEST(projecting_velocities_moves_them_least),
                                    TEST(projection_holds_the_constraints),
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
                                    TEST(changes_in_place_leave_no_trace),
                                    TEST(bodies_added_in_place_leave_no_trace),
                                    TEST(memory_for_balls_is_small),
                                    TEST(defaults_hold_any_kind_and_any_number) };

int main(int argc, char **argv)
{
    return test_run(tests, sizeof tests / sizeof *tests, argc, argv);
}
