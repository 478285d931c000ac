/* [4], [5] Properties of constraint kernels, for every kind in a table and hundreds of random
   states: errors are each other's time derivatives, Jacobians are their coefficients, forces are
   the Jacobian's transpose, action equals reaction, power balances, and nothing depends on where
   the scene stands. */
#include "test.h"

/* Differences over five points at distances of H: the rule's error is H^4 w^5 / 30 with rates w up
   to 5 rad/s, times those of the kind, and rounding enters as epsilon / H times sums of some ten
   terms of size 10. */
#ifdef SPC_USE_FLOAT
#define H 2e-2
#else
#define H 2e-4
#endif
#define DIFFERENCE_TOLERANCE(w) \
    (H * H * H * H * 3125 * (w) * (w) * (w) * (w) * (w) / 30 + 1000 * TEST_EPSILON / H)
#define ROUNDING (500 * TEST_EPSILON) /* sums of ten terms of size up to 20 */

#define STATES 256 /* a multiple of the 64 masks of attachments */

/* A constraint of any kind, for the properties. */
typedef struct any_constraint {
    const struct any_kind *kind;
    spc_sphere_on_plane sphere_on_plane;
    spc_rolling_disc rolling_disc;
    spc_attachment attachment;
    spc_sphere_on_sphere sphere_on_sphere;
    double rates; /* of the contact frame against 5 rad/s, in this pose */
} any_constraint;

typedef struct any_kind {
    const char *name;
    void (*random)(any_constraint *c, int turn, const spc_state *a, const spc_state *b);
    spc_status (*rows)(const any_constraint *c, const spc_state *a, const spc_state *b,
                       spc_rows *rows);
} any_kind;

static void random_sphere(any_constraint *c, int turn, const spc_state *a, const spc_state *b)
{
    (void)a;
    (void)b;
    c->rates = 1;
    c->sphere_on_plane = spc_sphere_on_plane_default();
    c->sphere_on_plane.X_FP = test_random_transform(1);
    c->sphere_on_plane.p_BS = turn % 4 ? test_random_vec3(0.5) : spc_vec3_make(0, 0, 0);
    c->sphere_on_plane.radius = (spc_real)test_random(0.05, 1);
    c->sphere_on_plane.rolling = turn % 3 != 0;
}

static spc_status sphere_rows(const any_constraint *c, const spc_state *a, const spc_state *b,
                              spc_rows *rows)
{
    return spc_sphere_on_plane_rows(&c->sphere_on_plane, a, b, rows);
}

/* J1 turns with w / sine of the angle between axis and normal, which is kept within reach of the
   differences. Poses beyond are the business of test_disc.c. */
static bool disc_is_flat(const any_constraint *c, const spc_state *a, const spc_state *b)
{
    const spc_quat q_GP = spc_quat_mul(a->X_GB.q, c->rolling_disc.X_FP.q);
    const spc_vec3 n = spc_rotate(q_GP, spc_vec3_make(0, 0, 1));
    return spc_norm(spc_cross(spc_rotate(b->X_GB.q, c->rolling_disc.axis_B), n)) < SPC_R(0.5);
}

static void random_disc(any_constraint *c, int turn, const spc_state *a, const spc_state *b)
{
    c->rates = 4; /* a sine of 1/2 doubles 10 rad/s */
    c->rolling_disc = spc_rolling_disc_default();
    c->rolling_disc.X_FP = test_random_transform(1);
    c->rolling_disc.p_BS = turn % 4 ? test_random_vec3(0.5) : spc_vec3_make(0, 0, 0);
    c->rolling_disc.radius = (spc_real)test_random(0.05, 1);
    c->rolling_disc.lateral = turn & 1;
    c->rolling_disc.longitudinal = turn & 2;
    c->rolling_disc.normal = turn & 4;
    while (spc_normalize(test_random_vec3(1), &c->rolling_disc.axis_B) || disc_is_flat(c, a, b))
        ;
}

static spc_status disc_rows(const any_constraint *c, const spc_state *a, const spc_state *b,
                            spc_rows *rows)
{
    return spc_rolling_disc_rows(&c->rolling_disc, a, b, rows);
}

/* By how much joints are off. Errors of one and two locked rotations are singular at 180 degrees:
   with the cosine c of half the angle, which is left at 10 rad/s / 2, that is c / 5 s away. By
   Cauchy's inequality their fifth derivatives are below 5! 2 (5 / c)^5, those of sines of 3/c times
   5 rad/s. Steps of the differences must not reach beyond 172.8 degrees. */
#ifdef SPC_USE_FLOAT
#define FARTHEST (110 * PI / 180)
#else
#define FARTHEST (170 * PI / 180)
#endif

static spc_quat about(spc_vec3 axis, double angle)
{
    const double size = sqrt((double)spc_dot(axis, axis));
    return spc_quat_from_rotation_vector(spc_scale((spc_real)(angle / size), axis));
}

/* The only axis that is locked, or the only one that is not; -1 if there is none. */
static int only_axis(unsigned mask)
{
    return mask == 1u ? 0 : mask == 2u ? 1 : mask == 4u ? 2 : -1;
}

static spc_vec3 axis_vector(int k)
{
    return spc_vec3_make(k == 0, k == 1, k == 2);
}

/* A turn of F to M by which the locked rotations are off; gives the rates of the rows. With one
   axis locked or free, a turn about it and then one about an axis across it. What is locked alone
   is left aligned: the rows of a twist are derivatives there. */
static spc_quat random_turn(unsigned locked, double *rates)
{
    const unsigned turns = locked >> 3;
    const int twist = only_axis(turns), swing = only_axis(7u & ~turns);
    const double off = test_random(-FARTHEST, FARTHEST), along = test_random(-3, 3);
    const spc_vec3 v = test_random_vec3(1), k = axis_vector(twist < 0 ? swing : twist);
    const spc_vec3 across = spc_cross(k, spc_vec3_make(v.x + 2, v.y + 3, v.z - 2));
    *rates = 3;
    if (turns == 0)
        return test_random_quat();
    if (turns == 7)
        return about(v, off);
    if (twist >= 0) {
        const double bend = test_random(-1.9, 1.9);
        *rates = 3 / cos(bend / 2);
        return about(across, bend);
    }
    *rates = 3 / cos(off / 2);
    return spc_quat_mul(about(across, off), about(k, along));
}

static void random_attachment(any_constraint *c, int turn, const spc_state *a, const spc_state *b)
{
    spc_attachment *shape = &c->attachment;
    spc_transform X_FM, X_GF;
    *shape = spc_attachment_default();
    shape->locked = (unsigned)(turn % 64);
    shape->X_AF = test_random_transform(1);
    shape->rest = turn % 3 ? test_random_vec3(1) : spc_vec3_make(0, 0, 0);
    X_FM.q = random_turn(shape->locked, &c->rates);
    X_FM.p = test_random_vec3(1);
    X_GF = spc_transform_mul(a->X_GB, shape->X_AF);
    shape->X_BM = spc_transform_mul(spc_transform_inverse(b->X_GB), spc_transform_mul(X_GF, X_FM));
    CHECK_STATUS(spc_quat_normalize(shape->X_BM.q, &shape->X_BM.q), SPC_OK);
}

static spc_status attachment_rows(const any_constraint *c, const spc_state *a, const spc_state *b,
                                  spc_rows *rows)
{
    return spc_attachment_rows(&c->attachment, a, b, rows);
}

/* The normal turns with the velocity of the centres over their distance: some 12 m/s over at least
   1 m. Balls on balls and, every third time, in bowls; far off the constraint all of them. */
static void random_spheres(any_constraint *c, int turn, const spc_state *a, const spc_state *b)
{
    spc_sphere_on_sphere *shape = &c->sphere_on_sphere;
    spc_vec3 Sa, Sb;
    c->rates = 3;
    *shape = spc_sphere_on_sphere_default();
    do {
        shape->p_ASa = turn % 4 ? test_random_vec3(0.5) : spc_vec3_make(0, 0, 0);
        shape->p_BSb = test_random_vec3(2);
        Sa = spc_transform_point(a->X_GB, shape->p_ASa);
        Sb = spc_transform_point(b->X_GB, shape->p_BSb);
    } while (spc_norm(spc_sub(Sb, Sa)) < 1);
    shape->radius_a = (spc_real)test_random(0.05, 2);
    shape->radius_b = (spc_real)test_random(0.05, 2);
    shape->hollow = turn % 3 == 1;
    if (shape->hollow)
        shape->radius_a += shape->radius_b;
    shape->rolling = turn % 5 != 0;
}

static spc_status spheres_rows(const any_constraint *c, const spc_state *a, const spc_state *b,
                               spc_rows *rows)
{
    return spc_sphere_on_sphere_rows(&c->sphere_on_sphere, a, b, rows);
}

static const any_kind kinds[] = { { "sphere on plane", random_sphere, sphere_rows },
                                  { "rolling disc", random_disc, disc_rows },
                                  { "attachment", random_attachment, attachment_rows },
                                  { "sphere on sphere", random_spheres, spheres_rows } };

/* A pair of bodies under a constraint, with accelerations. */
typedef struct pair {
    any_constraint c;
    spc_state a, b;
    spc_spatial A_a, A_b;
    spc_rows rows;
} pair;

static void pair_rows(const pair *p, const spc_state *a, const spc_state *b, spc_rows *rows)
{
    memset(rows, 0xff, sizeof *rows); /* what the kernel does not write shows as NaN */
    CHECK_STATUS(p->c.kind->rows(&p->c, a, b, rows), SPC_OK);
}

static void each_pair(void (*check)(pair *p))
{
    size_t k;
    int turn;
    for (k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (turn = 0; turn < STATES; turn++) {
            pair p;
            p.c.kind = &kinds[k];
            p.a = turn % 5 ? test_random_state() : spc_state_identity(); /* ground too */
            p.b = turn % 7 ? test_random_state() : spc_state_identity();
            kinds[k].random(&p.c, turn, &p.a, &p.b);
            p.A_a = test_random_spatial(4, 4);
            p.A_b = test_random_spatial(4, 4);
            pair_rows(&p, &p.a, &p.b, &p.rows);
            CHECK(p.rows.count > 0 && p.rows.count <= SPC_MAX_ROWS);
            check(&p);
        }
}

/* A body at time t from a state with a constant acceleration: rotation to third order in t, which
   is enough for first derivatives of errors and of their rates at t = 0. */
static spc_state later(const spc_state *s, const spc_spatial *A, double t)
{
    const spc_real h = (spc_real)t;
    spc_state out;
    const spc_vec3 mean = spc_add(s->V_GB.angular, spc_scale(h / 2, A->angular));
    out.X_GB.q = spc_quat_integrate(s->X_GB.q, mean, h);
    out.X_GB.p =
        spc_add(s->X_GB.p, spc_scale(h, spc_add(s->V_GB.linear, spc_scale(h / 2, A->linear))));
    out.V_GB.angular = spc_add(s->V_GB.angular, spc_scale(h, A->angular));
    out.V_GB.linear = spc_add(s->V_GB.linear, spc_scale(h, A->linear));
    return out;
}

/* The first three velocity errors along their axes, in G. */
static spc_vec3 sum_of(const spc_rows *rows)
{
    const spc_real *s = rows->velocity_errors;
    return spc_mat3_mul(rows->R_GP, spc_vec3_make(s[0], s[1], s[2]));
}

/* Derivatives at t = 0 of position errors and velocity errors along that motion, from five points;
   of the sum of the first three velocity errors along their axes, and of the last of these. */
static void differentiate(const pair *p, double *de, double *ds, spc_vec3 *du, spc_vec3 *dn)
{
    static const double weight[4] = { 1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12 };
    static const double place[4] = { -2, -1, 1, 2 };
    int i, k;
    for (i = 0; i < p->rows.count; i++)
        de[i] = ds[i] = 0;
    *du = *dn = spc_vec3_make(0, 0, 0);
    for (k = 0; k < 4; k++) {
        const spc_state a = later(&p->a, &p->A_a, place[k] * H),
                        b = later(&p->b, &p->A_b, place[k] * H);
        spc_rows rows;
        pair_rows(p, &a, &b, &rows);
        *du = spc_add(*du, spc_scale((spc_real)(weight[k] / H), sum_of(&rows)));
        *dn = spc_add(*dn, spc_scale((spc_real)(weight[k] / H), rows.R_GP.z));
        for (i = 0; i < rows.count; i++) {
            de[i] += weight[k] / H * (double)rows.position_errors[i];
            ds[i] += weight[k] / H * (double)rows.velocity_errors[i];
        }
    }
}

/* Takes from ds/dt what acceleration errors of two locked rotations leave out: p k x s, with the
   free axis k and the rate p = w . (k + m) / (1 + k . m) of the turn about it. */
static void leave_turning_out(const pair *p, double *ds)
{
    const int free_axis = only_axis(7u & ~(p->c.attachment.locked >> 3));
    const spc_quat q_GF = spc_quat_mul(p->a.X_GB.q, p->c.attachment.X_AF.q);
    const spc_quat q_GM = spc_quat_mul(p->b.X_GB.q, p->c.attachment.X_BM.q);
    const spc_vec3 w = spc_sub(p->b.V_GB.angular, p->a.V_GB.angular);
    const spc_real *s = p->rows.velocity_errors;
    spc_vec3 k, m, ks;
    double rate;
    if (p->c.kind->rows != attachment_rows || free_axis < 0)
        return;
    k = spc_rotate(q_GF, axis_vector(free_axis));
    m = spc_rotate(q_GM, axis_vector(free_axis));
    rate = (double)spc_dot(w, spc_add(k, m)) / (double)(1 + spc_dot(k, m));
    ks = spc_cross(axis_vector(free_axis), spc_vec3_make(s[3], s[4], s[5]));
    ds[3] -= rate * (double)ks.x;
    ds[4] -= rate * (double)ks.y;
    ds[5] -= rate * (double)ks.z;
}

/* Of two spheres they are derivatives in axes that turn with w_C = (w_A . n) n + n x n': those of
   u, the sum of the rows along their axes, less w_C x u. */
static void in_following_axes(const pair *p, double *ds, spc_vec3 du, spc_vec3 dn)
{
    const spc_mat3 R = p->rows.R_GP;
    const spc_vec3 w_C =
        spc_add(spc_scale(spc_dot(p->a.V_GB.angular, R.z), R.z), spc_cross(R.z, dn));
    const spc_vec3 s = spc_mat3_transpose_mul(R, spc_sub(du, spc_cross(w_C, sum_of(&p->rows))));
    if (p->c.kind->rows != spheres_rows)
        return;
    ds[0] = (double)s.x;
    ds[1] = (double)s.y;
    ds[2] = (double)s.z;
}

/* The normal row of a contact, translations of a joint, and its rotations that are locked. */
static bool has_position_level(const pair *p, int i)
{
    if (p->c.kind->rows != attachment_rows)
        return i == 2;
    return i < 3 || p->rows.holonomic >> i & 1u;
}

static void check_derivatives(pair *p)
{
    double de[SPC_MAX_ROWS], ds[SPC_MAX_ROWS];
    spc_real from_accelerations[SPC_MAX_ROWS];
    spc_vec3 du, dn;
    const double tolerance = DIFFERENCE_TOLERANCE(p->c.rates);
    int i;
    differentiate(p, de, ds, &du, &dn);
    leave_turning_out(p, ds);
    in_following_axes(p, ds, du, dn);
    spc_rows_mul(&p->rows, &p->A_a, &p->A_b, from_accelerations);
    for (i = 0; i < p->rows.count; i++) {
        const bool on = p->rows.enforced >> i & 1u;
        if (has_position_level(p, i)) /* on or off */
            CHECK_NEAR(p->rows.velocity_errors[i], de[i], tolerance);
        else
            CHECK_NEAR(p->rows.position_errors[i], 0, 0);
        CHECK_NEAR(from_accelerations[i] + p->rows.jdot_v[i], on ? ds[i] : 0,
                   10 * fmax(1, p->c.rates / 3) * tolerance);
    }
}

static void errors_are_time_derivatives_of_each_other(void)
{
    each_pair(check_derivatives);
}

/* A spatial vector with a 1 at place k. */
static spc_spatial unit(int k)
{
    spc_real v[6] = { 0, 0, 0, 0, 0, 0 };
    v[k] = 1;
    return spc_spatial_make(spc_vec3_make(v[0], v[1], v[2]), spc_vec3_make(v[3], v[4], v[5]));
}

static spc_real entry(spc_spatial s, int k)
{
    const spc_real v[6] = { s.angular.x, s.angular.y, s.angular.z,
                            s.linear.x,  s.linear.y,  s.linear.z };
    return v[k];
}

/* The velocity error of a row as the Jacobian has it: 0 while the row is off. */
static spc_real error_while_on(const spc_rows *rows, int i)
{
    return rows->enforced >> i & 1u ? rows->velocity_errors[i] : 0;
}

static void check_jacobian(pair *p)
{
    spc_state a = p->a, b = p->b;
    const spc_spatial still = spc_spatial_make(zero, zero);
    spc_real product[SPC_MAX_ROWS];
    spc_rows rows;
    int i, k;
    for (k = 0; k < 6; k++) {
        a.V_GB = unit(k);
        b.V_GB = still;
        pair_rows(p, &a, &b, &rows);
        for (i = 0; i < rows.count; i++)
            CHECK_NEAR(error_while_on(&rows, i), entry(p->rows.jacobian_a[i], k), ROUNDING);
        a.V_GB = still;
        b.V_GB = unit(k);
        pair_rows(p, &a, &b, &rows);
        for (i = 0; i < rows.count; i++)
            CHECK_NEAR(error_while_on(&rows, i), entry(p->rows.jacobian_b[i], k), ROUNDING);
    }
    spc_rows_mul(&p->rows, &p->a.V_GB, &p->b.V_GB, product);
    for (i = 0; i < p->rows.count; i++)
        CHECK_NEAR(product[i], error_while_on(&p->rows, i), ROUNDING);
}

static void jacobians_are_the_errors_of_unit_velocities(void)
{
    each_pair(check_jacobian);
}

static spc_real pairing(spc_spatial x, spc_spatial y)
{
    return spc_dot(x.angular, y.angular) + spc_dot(x.linear, y.linear);
}

static void check_forces(pair *p)
{
    spc_real lambda[SPC_MAX_ROWS], s[SPC_MAX_ROWS], virtual_power = 0;
    spc_spatial F_a, F_b, again[2];
    spc_vec3 torque;
    int i;
    for (i = 0; i < SPC_MAX_ROWS; i++)
        lambda[i] = (spc_real)test_random(-5, 5);
    spc_rows_forces(&p->rows, lambda, &F_a, &F_b);
    /* -J^T lambda: for any velocities, F . V = -lambda . (J V) */
    spc_rows_mul(&p->rows, &p->A_a, &p->A_b, s);
    for (i = 0; i < p->rows.count; i++)
        virtual_power -= lambda[i] * s[i];
    CHECK_NEAR(pairing(F_a, p->A_a) + pairing(F_b, p->A_b), virtual_power, 20 * ROUNDING);
    CHECK_NEAR(spc_rows_power(&p->rows, lambda), pairing(F_a, p->a.V_GB) + pairing(F_b, p->b.V_GB),
               20 * ROUNDING);
    /* action and reaction: no force and no torque about any fixed point on both together */
    CHECK_NEAR(spc_norm(spc_add(F_a.linear, F_b.linear)), 0, ROUNDING);
    torque = spc_add(spc_add(F_a.angular, spc_cross(p->a.X_GB.p, F_a.linear)),
                     spc_add(F_b.angular, spc_cross(p->b.X_GB.p, F_b.linear)));
    CHECK_NEAR(spc_norm(torque), 0, 5 * ROUNDING);
    CHECK_NEAR(spc_norm(spc_sub(spc_add(p->a.X_GB.p, p->rows.arm_a), p->rows.p_GC)), 0, ROUNDING);
    CHECK_NEAR(spc_norm(spc_sub(spc_add(p->b.X_GB.p, p->rows.arm_b), p->rows.p_GC)), 0, ROUNDING);
    /* whoever solves for rows in use alone leaves the others as they are */
    for (i = 0; i < p->rows.count; i++)
        lambda[i] = p->rows.enforced >> i & 1u ? lambda[i] : (spc_real)NAN;
    spc_rows_forces(&p->rows, lambda, &again[0], &again[1]);
    CHECK(memcmp(&again[0], &F_a, sizeof F_a) == 0 && memcmp(&again[1], &F_b, sizeof F_b) == 0);
}

static void forces_are_the_transpose_and_balance(void)
{
    each_pair(check_forces);
}

static spc_state moved(spc_transform X, const spc_state *s)
{
    spc_state out;
    out.X_GB = spc_transform_mul(X, s->X_GB);
    out.V_GB.angular = spc_rotate(X.q, s->V_GB.angular);
    out.V_GB.linear = spc_rotate(X.q, s->V_GB.linear);
    return out;
}

static void check_moved_scene(pair *p)
{
    const spc_transform X = test_random_transform(1);
    const spc_state a = moved(X, &p->a), b = moved(X, &p->b);
    spc_rows rows;
    int i;
    pair_rows(p, &a, &b, &rows);
    CHECK(rows.enforced == p->rows.enforced && rows.holonomic == p->rows.holonomic);
    CHECK_NEAR(rows.separation, p->rows.separation, ROUNDING);
    CHECK_NEAR(spc_norm(spc_sub(rows.p_GC, spc_transform_point(X, p->rows.p_GC))), 0, ROUNDING);
    CHECK_NEAR(spc_norm(spc_sub(rows.R_GP.z, spc_rotate(X.q, p->rows.R_GP.z))), 0, ROUNDING);
    for (i = 0; i < rows.count; i++) {
        CHECK_NEAR(rows.position_errors[i], p->rows.position_errors[i], ROUNDING);
        CHECK_NEAR(rows.velocity_errors[i], p->rows.velocity_errors[i], 5 * ROUNDING);
        CHECK_NEAR(rows.jdot_v[i], p->rows.jdot_v[i], 20 * ROUNDING);
        CHECK_NEAR(spc_norm(spc_sub(rows.jacobian_b[i].angular,
                                    spc_rotate(X.q, p->rows.jacobian_b[i].angular))),
                   0, ROUNDING);
        CHECK_NEAR(spc_norm(spc_sub(rows.jacobian_a[i].linear,
                                    spc_rotate(X.q, p->rows.jacobian_a[i].linear))),
                   0, ROUNDING);
    }
}

static void moving_the_whole_scene_changes_nothing(void)
{
    each_pair(check_moved_scene);
}

/* The same constraint with all rows of a contact on, or all translations of a joint. */
static any_constraint with_rows_on(any_constraint c)
{
    c.sphere_on_plane.rolling = true;
    c.sphere_on_sphere.rolling = true;
    c.rolling_disc.lateral = c.rolling_disc.longitudinal = c.rolling_disc.normal = true;
    c.attachment.locked |= 7u;
    return c;
}

static void check_rows_off(pair *p)
{
    const any_constraint on = with_rows_on(p->c);
    spc_real lambda[SPC_MAX_ROWS];
    double power = 0;
    spc_rows all;
    int i, k;
    CHECK_STATUS(on.kind->rows(&on, &p->a, &p->b, &all), SPC_OK);
    CHECK(!(p->rows.holonomic & ~p->rows.enforced));
    for (i = 0; i < p->rows.count; i++) {
        lambda[i] = (spc_real)test_random(-1, 1);
        if (p->rows.enforced >> i & 1u) {
            power -= (double)lambda[i] * (double)p->rows.velocity_errors[i];
            continue;
        }
        CHECK_NEAR(p->rows.position_errors[i], i < 3 ? all.position_errors[i] : 0, 0);
        CHECK_NEAR(p->rows.velocity_errors[i], i < 3 ? all.velocity_errors[i] : 0, 0);
        CHECK_NEAR(p->rows.jdot_v[i], 0, 0);
        for (k = 0; k < 6; k++) {
            CHECK_NEAR(entry(p->rows.jacobian_a[i], k), 0, 0);
            CHECK_NEAR(entry(p->rows.jacobian_b[i], k), 0, 0);
        }
    }
    CHECK_NEAR(spc_rows_power(&p->rows, lambda), power, ROUNDING);
}

/* What is off asks for nothing, and still tells how far it is off and how fast it slips. */
static void rows_that_are_off_tell_their_errors_alone(void)
{
    each_pair(check_rows_off);
}

static void check_stabilization(pair *p)
{
    spc_stabilization s = spc_stabilization_default();
    spc_real terms[SPC_MAX_ROWS];
    const spc_real T = s.time_constant = (spc_real)test_random(0.05, 1);
    int i;
    s.ignore_position = (unsigned)test_random(0, 63.9);
    s.ignore_position &= (unsigned)test_random(0, 63.9);
    s.ignore_velocity = (unsigned)test_random(0, 63.9);
    s.ignore_velocity &= (unsigned)test_random(0, 63.9);
    spc_stabilization_terms(&s, &p->rows, 0, terms);
    for (i = 0; i < p->rows.count; i++) {
        const bool on = p->rows.enforced >> i & 1u, velocity = on && !(s.ignore_velocity >> i & 1u),
                   position = velocity && !(s.ignore_position >> i & 1u);
        const double want = (velocity ? -2 / (double)T * (double)p->rows.velocity_errors[i] : 0) -
                            (position ? (double)p->rows.position_errors[i] / (double)(T * T) : 0);
        CHECK_NEAR(terms[i], want, 8 * TEST_EPSILON * (1 + fabs(want) + 4 / (double)(T * T)));
    }
    /* a step of h raises T to 2 h */
    s.ignore_position = s.ignore_velocity = 0;
    spc_stabilization_terms(&s, &p->rows, T, terms);
    for (i = 0; i < p->rows.count; i++)
        CHECK_NEAR(terms[i],
                   p->rows.enforced >> i & 1u
                       ? -p->rows.velocity_errors[i] / T - p->rows.position_errors[i] / (4 * T * T)
                       : 0,
                   2000 * TEST_EPSILON);
    s.enabled = false;
    spc_stabilization_terms(&s, &p->rows, 0, terms);
    for (i = 0; i < p->rows.count; i++)
        CHECK_NEAR(terms[i], 0, 0);
}

/* The terms of one row, made by hand, that has a position level. */
static double term_of(double T, double told, double e, double s)
{
    spc_stabilization on = spc_stabilization_default();
    spc_real out[SPC_MAX_ROWS];
    spc_rows rows;
    memset(&rows, 0, sizeof rows);
    rows.count = 1;
    rows.enforced = rows.holonomic = 1u;
    rows.position_errors[0] = (spc_real)e;
    rows.velocity_errors[0] = (spc_real)s;
    on.time_constant = (spc_real)T;
    spc_stabilization_terms(&on, &rows, (spc_real)told, out);
    return (double)out[0];
}

/* What 5000 steps of length 1 leave of e = 1: of semi-implicit Euler, or of Runge-Kutta. */
static double error_after_steps(double T, double told, bool euler)
{
    static const double part[4] = { 0, 0.5, 0.5, 1 }, weight[4] = { 1, 2, 2, 1 };
    double e = 1, s = 0;
    int i, k;
    for (i = 0; i < 5000; i++) {
        double e1 = 0, s1 = 0, de = 0, ds = 0;
        for (k = 0; k < 4 && !euler; k++) {
            const double x = e + part[k] * e1, y = s + part[k] * s1;
            e1 = y;
            s1 = term_of(T, told, x, y);
            de += weight[k] / 6 * e1;
            ds += weight[k] / 6 * s1;
        }
        s += euler ? term_of(T, told, e, s) : ds;
        e += euler ? s : de;
        if (!(fabs(e) < 1e6))
            return 1e6;
    }
    return fabs(e);
}

/* Near a limit of h/T an error shrinks or grows by half a percent of a step, exp(25) in all. */
static void limits_of_stabilization_are_as_told(void)
{
    double T;
    CHECK_NEAR(error_after_steps(1 / 2.78, 0, false), 0, 1e-6);
    CHECK(error_after_steps(1 / 2.79, 0, false) > 1e5);
    CHECK_NEAR(error_after_steps(1 / 0.823, 0, true), 0, 1e-6);
    CHECK(error_after_steps(1 / 0.833, 0, true) > 1e5);
    for (T = 2; T > 1e-6; T /= 3) { /* told of the step, it counts as two of it */
        CHECK_NEAR(term_of(T, 1, 1, 3), -(3 + 0.25), 0);
        CHECK_NEAR(error_after_steps(T, 1, false), 0, 1e-6);
        CHECK_NEAR(error_after_steps(T, 1, true), 0, 1e-6);
    }
}

static void stabilization_adds_its_terms_by_row_and_level(void)
{
    each_pair(check_stabilization);
}

/* The definitions in words, on one case by hand: a ball of radius 2 at height 5 over a floor at
   height 1 that moves up with 0.5 and turns about z with 3. */
static void the_sphere_by_hand(void)
{
    spc_sphere_on_plane shape = spc_sphere_on_plane_default();
    spc_state F = spc_state_identity(), B = spc_state_identity();
    spc_rows rows;
    shape.radius = 2;
    F.X_GB.p = spc_vec3_make(0, 0, 1);
    F.V_GB = spc_spatial_make(spc_vec3_make(0, 0, 3), spc_vec3_make(0, 0, 0.5));
    B.X_GB.p = spc_vec3_make(4, 0, 5);
    B.V_GB = spc_spatial_make(spc_vec3_make(0, 7, 0), spc_vec3_make(1, 0, 0));
    spc_sphere_on_plane_rows(&shape, &F, &B, &rows);
    CHECK(rows.count == 3 && rows.enforced == 7u && rows.holonomic == 4u);
    CHECK_NEAR(rows.separation, 2, 0);
    CHECK_NEAR(rows.position_errors[2], 2, 0);
    CHECK_NEAR(rows.p_GC.x, 4, 0);
    CHECK_NEAR(rows.p_GC.z, 3, 0);                  /* on the sphere, above the plane */
    CHECK_NEAR(rows.velocity_errors[0], 1 - 14, 0); /* v + w x (-r z) = 1 - 7 * 2 */
    CHECK_NEAR(rows.velocity_errors[1], -3 * 4,
               0); /* the floor's point at C runs away with w x p */
    CHECK_NEAR(rows.velocity_errors[2], -0.5, 0);
}

static void near_vec3(int line, spc_vec3 got, double x, double y, double z, double tolerance)
{
    test_near(__FILE__, line, "x", (double)got.x, x, tolerance);
    test_near(__FILE__, line, "y", (double)got.y, y, tolerance);
    test_near(__FILE__, line, "z", (double)got.z, z, tolerance);
}

/* A wheel of radius 2 upright over the same floor, with its axis along x: it rolls with 7, tilts
   with 1 and turns with 5. */
static spc_rolling_disc upright_wheel(spc_state *F, spc_state *B)
{
    spc_rolling_disc shape = spc_rolling_disc_default();
    shape.radius = 2;
    *F = *B = spc_state_identity();
    F->X_GB.p = spc_vec3_make(0, 0, 1);
    F->V_GB = spc_spatial_make(spc_vec3_make(0, 0, 3), spc_vec3_make(0, 0, SPC_R(0.5)));
    B->X_GB.p = spc_vec3_make(4, 0, 5);
    B->V_GB = spc_spatial_make(spc_vec3_make(7, 1, 5), spc_vec3_make(1, 2, 0));
    return shape;
}

/* All of it small integers: exact. w2 = x x z = -y, w3 = x x -y = -z, w_lat = z x -y = x. */
static void the_disc_by_hand(void)
{
    spc_state F, B;
    const spc_rolling_disc shape = upright_wheel(&F, &B);
    spc_rows rows;
    CHECK_STATUS(spc_rolling_disc_rows(&shape, &F, &B, &rows), SPC_OK);
    CHECK(rows.count == 3 && rows.enforced == 7u && rows.holonomic == 4u);
    near_vec3(__LINE__, rows.R_GP.x, 1, 0, 0, 0);
    near_vec3(__LINE__, rows.R_GP.y, 0, -1, 0, 0);
    near_vec3(__LINE__, rows.R_GP.z, 0, 0, 1, 0);
    near_vec3(__LINE__, rows.p_GC, 4, 0, 3, 0); /* on the rim, above the plane */
    near_vec3(__LINE__, rows.arm_a, 4, 0, 2, 0);
    near_vec3(__LINE__, rows.arm_b, 0, 0, -2, 0);
    CHECK_NEAR(rows.separation, 2, 0);
    CHECK_NEAR(rows.position_errors[2], 2, 0);
    /* disc's point: (1 2 0) + (7 1 5) x (0 0 -2) = (-1 16 0); floor's: (0 12 0.5) */
    CHECK_NEAR(rows.velocity_errors[0], -1, 0);
    CHECK_NEAR(rows.velocity_errors[1], -(16 - 12), 0); /* along -y */
    CHECK_NEAR(rows.velocity_errors[2], -0.5, 0);
    near_vec3(__LINE__, rows.jacobian_b[0].angular, 0, -2, 0, 0); /* (0 0 -2) x (1 0 0) */
    near_vec3(__LINE__, rows.jacobian_b[0].linear, 1, 0, 0, 0);
    near_vec3(__LINE__, rows.jacobian_a[1].angular, -2, 0, 4, 0); /* -(4 0 2) x (0 -1 0) */
    near_vec3(__LINE__, rows.jacobian_a[1].linear, 0, 1, 0, 0);
}

/* Its acceleration errors at constant velocities: the height of C is that of S less 2 |w1 x n|, and
   |w1 x n|^2 = x^2 + y^2 for the axis (x y z). With w1 = (1 0 0), w1' = w x w1 = (0 5 -1) and
   w1'' = w x w1' = (-26 7 35) its second derivative is 2 (0 + 25 + 1 (-26)) = -2, that of the root
   half of it, and e'' = -2 (-1). The others are (4.7) and (4.15) on paper. */
static void the_bias_of_the_disc_by_hand(void)
{
    spc_state F, B;
    const spc_rolling_disc shape = upright_wheel(&F, &B);
    spc_rows rows;
    CHECK_STATUS(spc_rolling_disc_rows(&shape, &F, &B, &rows), SPC_OK);
    CHECK_NEAR(rows.jdot_v[0], 18 + 8, 0);
    CHECK_NEAR(rows.jdot_v[1], 4 - 2, 0);
    CHECK_NEAR(rows.jdot_v[2], 2, 0);
}

static void the_contact_of_the_disc_by_hand(void)
{
    spc_state F, B;
    const spc_rolling_disc shape = upright_wheel(&F, &B);
    spc_disc_contact c;
    CHECK_STATUS(spc_rolling_disc_contact(&shape, &F, &B, &c), SPC_OK);
    near_vec3(__LINE__, c.p_GC, 4, 0, 3, 0);
    /* C stays below S, whose velocity is (1 2 0), but for the tilt: w3 turns with (0 1 0) x -z = -x
     */
    near_vec3(__LINE__, c.v_GC, 1 - 2, 2, 0, 0);
    near_vec3(__LINE__, c.trail_velocity, -1, 2 - 12, -0.5, 0); /* less the floor's (0 12 0.5) */
    near_vec3(__LINE__, c.R_GJ1.x, 1, 0, 0, 0);
    near_vec3(__LINE__, c.R_GJ1.y, 0, -1, 0, 0);
    near_vec3(__LINE__, c.R_GJ1.z, 0, 0, 1, 0);
    near_vec3(__LINE__, c.R_GD1.x, 1, 0, 0, 0);
    near_vec3(__LINE__, c.R_GD1.y, 0, -1, 0, 0);
    near_vec3(__LINE__, c.R_GD1.z, 0, 0, -1, 0);
}

/* A wheel of radius 5 whose axis (4 0 3) / 5 rises: its centre is at height 4 and its lowest point
   3 in front of it. It spins with 5, which moves its points and not C, and turns about the vertical
   with 1, which takes C round with (0 0 1) x (3 0 0). */
static void the_tilted_disc_by_hand(void)
{
    spc_rolling_disc shape = spc_rolling_disc_default();
    const spc_state F = spc_state_identity();
    const double tolerance = 100 * TEST_EPSILON; /* some roundings of numbers up to 30 */
    spc_state B = F;
    spc_rows rows;
    spc_disc_contact c;
    shape.radius = 5;
    shape.axis_B = spc_vec3_make(SPC_R(0.8), 0, SPC_R(0.6));
    B.X_GB.p = spc_vec3_make(0, 0, 4);
    B.V_GB.angular = spc_vec3_make(4, 0, 3 + 1);
    CHECK_STATUS(spc_rolling_disc_rows(&shape, &F, &B, &rows), SPC_OK);
    near_vec3(__LINE__, rows.p_GC, 3, 0, 0, tolerance);
    CHECK_NEAR(rows.separation, 0, tolerance);
    CHECK_NEAR(rows.velocity_errors[0], 0, tolerance);
    CHECK_NEAR(rows.velocity_errors[1], -(25 + 3), tolerance); /* along -y */
    CHECK_NEAR(rows.velocity_errors[2], 0, tolerance);
    CHECK_STATUS(spc_rolling_disc_contact(&shape, &F, &B, &c), SPC_OK);
    near_vec3(__LINE__, c.v_GC, 0, 3, 0, tolerance);
    near_vec3(__LINE__, c.trail_velocity, 0, 3, 0, tolerance); /* the floor rests */
    near_vec3(__LINE__, c.R_GD1.x, 0.8, 0, 0.6, tolerance);
    near_vec3(__LINE__, c.R_GD1.z, 0.6, 0, -0.8, tolerance);
}

/* Rows of an attachment of two bodies in the origin, of which B is turned, at rest. */
static spc_rows turned_joint(unsigned locked, spc_quat q_GB, spc_vec3 w)
{
    spc_attachment shape = spc_attachment_default();
    const spc_state A = spc_state_identity();
    spc_state B = A;
    spc_rows rows;
    shape.locked = locked;
    B.X_GB.q = q_GB;
    B.V_GB.angular = w;
    CHECK_STATUS(spc_attachment_rows(&shape, &A, &B, &rows), SPC_OK);
    return rows;
}

/* A weld that is off by 120 degrees about z: 2 sin of the half is sqrt(3), and turning further
   about z adds to it with the cosine, 1/2. Turning about x with 2 rad/s is c w + w x v, which is (1
   -2 sin(60) 0). A hinge that is off as much about x, with its axis m = (0 -sqrt(3)/2 -1/2):
   turning about x further is as with the weld. Turning about y moves m by (-1/2 0 0), across k at a
   distance of sqrt(3)/2: by -1/sqrt(3) rad/s around it, and with it the error of size sqrt(3) by
   -1. Turning about m does nothing, which gives the third number. */
static void joints_off_by_120_degrees_by_hand(void)
{
    const spc_real c = SPC_R(0.5), s = (spc_real)sqrt(0.75);
    const spc_vec3 none = spc_vec3_make(0, 0, 0), w = spc_vec3_make(2, 0, 0);
    const double rounding = 20 * TEST_EPSILON; /* some roundings of numbers up to 4 */
    spc_rows rows = turned_joint(SPC_WELD, spc_quat_make(c, 0, 0, s), w);
    near_vec3(
        __LINE__,
        spc_vec3_make(rows.position_errors[3], rows.position_errors[4], rows.position_errors[5]), 0,
        0, 2 * (double)s, rounding);
    near_vec3(
        __LINE__,
        spc_vec3_make(rows.velocity_errors[3], rows.velocity_errors[4], rows.velocity_errors[5]), 1,
        -2 * (double)s, 0, rounding);
    near_vec3(__LINE__, rows.jacobian_b[5].angular, 0, 0, 0.5, rounding);
    near_vec3(__LINE__, rows.jacobian_a[3].angular, -0.5, -(double)s, 0, rounding);
    rows = turned_joint(SPC_HINGE, spc_quat_make(c, s, 0, 0), none);
    CHECK_NEAR(rows.position_errors[3], 2 * (double)s, rounding);
    CHECK_NEAR(rows.position_errors[4], 0, rounding);
    near_vec3(__LINE__, rows.jacobian_b[3].angular, 0.5, 0, 0, rounding);
    near_vec3(__LINE__, rows.jacobian_b[4].angular, 0, -1, 2 * (double)s, rounding);
    near_vec3(__LINE__, rows.jacobian_b[5].angular, 0, 0, 0, 0);
}

/* At half a turn errors are 2, and rows are those with a cosine of 1/16: a hinge's (4.20) with u =
   x, n = y, r = 2 z - 16 y. */
static void joints_off_by_half_a_turn_by_hand(void)
{
    const spc_vec3 none = spc_vec3_make(0, 0, 0), w = spc_vec3_make(1, 2, 3);
    const spc_quat half_turn = spc_quat_make(0, 1, 0, 0);
    spc_rows rows = turned_joint(SPC_HINGE, half_turn, none);
    int i;
    CHECK_NEAR(rows.position_errors[3], 2, 0);
    CHECK_NEAR(rows.position_errors[4], 0, 0);
    near_vec3(__LINE__, rows.jacobian_b[3].angular, 0.0625, 0, 0, 0);
    near_vec3(__LINE__, rows.jacobian_b[4].angular, 0, 0.0625 - 16, 2, 0);
    rows = turned_joint(SPC_WELD, half_turn, none);
    CHECK_NEAR(rows.position_errors[3], 2, 0);
    near_vec3(__LINE__, rows.jacobian_b[3].angular, 0.0625, 0, 0, 0);
    near_vec3(__LINE__, rows.jacobian_b[4].angular, 0, 0.0625, 1, 0);
    near_vec3(__LINE__, rows.jacobian_b[5].angular, 0, -1, 0.0625, 0);
    rows = turned_joint(SPC_HINGE, half_turn, w);
    for (i = 0; i < 6; i++) /* c' = 0, s = 1/16 and y . r, and so on: up to 16 squared times 14 */
        CHECK(fabs((double)rows.jdot_v[i]) < 256 * 14);
    rows = turned_joint(SPC_WELD, half_turn, w); /* v' = w x v / 2, and w x v' */
    near_vec3(__LINE__, spc_vec3_make(rows.jdot_v[3], rows.jdot_v[4], rows.jdot_v[5]),
              (1 - 14) / 2.0, 2 / 2.0, 3 / 2.0, 0);
}

/* Errors of locked rotations along a turn from -170 to 170 degrees, about any axis and for a hinge
   with any angle: they grow by no more than the largest entry of the rows, 1/c = 11.5. */
static void errors_do_not_jump_within_170_degrees(void)
{
    static const unsigned masks[3] = { SPC_WELD, SPC_HINGE, SPC_SLIDER };
    const double step = PI / 180;
    const spc_vec3 none = spc_vec3_make(0, 0, 0), z = axis_vector(2);
    int k, i, turn;
    for (turn = 0; turn < 30; turn++)
        for (k = 0; k < 3; k++) {
            const spc_vec3 axis = spc_vec3_make((spc_real)test_random(-1, 1), 1, 0);
            const double angle = test_random(-10, 10);
            spc_rows before;
            for (i = -170; i <= 170; i++) {
                const spc_quat swing = about(axis, i * step);
                const spc_quat twist = about(z, angle + 2 * i * step);
                const spc_quat q = k == 1 ? spc_quat_mul(swing, twist) : swing;
                const spc_rows now = turned_joint(masks[k], q, none);
                int row;
                for (row = 3; row < 6 && i > -170; row++)
                    CHECK(fabs((double)(now.position_errors[row] - before.position_errors[row])) <
                          12 * step);
                before = now;
            }
        }
}

static bool is_untouched(const void *bytes, size_t count)
{
    const unsigned char *b = (const unsigned char *)bytes;
    size_t i;
    for (i = 0; i < count; i++)
        if (b[i] != 0xA5)
            return false;
    return true;
}

/* With an axis (sine, 0, +-1), flat but for rounding; rows and contact are not written. */
static void check_flat_disc(double sine, spc_status wanted)
{
    spc_rolling_disc shape = spc_rolling_disc_default();
    const spc_state still = spc_state_identity();
    spc_disc_contact contact;
    spc_rows rows;
    int side;
    shape.radius = 1;
    for (side = -1; side <= 1; side += 2) {
        shape.axis_B = spc_vec3_make((spc_real)sine, 0, (spc_real)side);
        memset(&rows, 0xA5, sizeof rows);
        memset(&contact, 0xA5, sizeof contact);
        CHECK_STATUS(spc_rolling_disc_rows(&shape, &still, &still, &rows), wanted);
        CHECK_STATUS(spc_rolling_disc_contact(&shape, &still, &still, &contact), wanted);
        CHECK(is_untouched(&rows, sizeof rows) == (wanted != SPC_OK));
        CHECK(is_untouched(&contact, sizeof contact) == (wanted != SPC_OK));
    }
}

static void a_flat_disc_has_no_rows(void)
{
    check_flat_disc(0, SPC_ERROR_NO_CONTACT_POINT);
    check_flat_disc(TEST_EPSILON, SPC_ERROR_NO_CONTACT_POINT);
    check_flat_disc(-TEST_EPSILON, SPC_ERROR_NO_CONTACT_POINT);
    check_flat_disc(100 * TEST_EPSILON, SPC_OK);
    check_flat_disc(-100 * TEST_EPSILON, SPC_OK);
}

static void parameters_are_checked(void)
{
    spc_sphere_on_plane shape = spc_sphere_on_plane_default();
    const spc_real nan = (spc_real)NAN, inf = (spc_real)INFINITY;
    CHECK_STATUS(spc_sphere_on_plane_check(&shape), SPC_ERROR_BAD_RADIUS);
    shape.radius = -1;
    CHECK_STATUS(spc_sphere_on_plane_check(&shape), SPC_ERROR_BAD_RADIUS);
    shape.radius = nan;
    CHECK_STATUS(spc_sphere_on_plane_check(&shape), SPC_ERROR_NOT_FINITE);
    shape.radius = 1;
    CHECK_STATUS(spc_sphere_on_plane_check(&shape), SPC_OK);
    shape.half_width = -1;
    CHECK_STATUS(spc_sphere_on_plane_check(&shape), SPC_ERROR_BAD_WIDTH);
    shape.half_width = inf;
    CHECK_STATUS(spc_sphere_on_plane_check(&shape), SPC_ERROR_NOT_FINITE);
    shape.half_width = 0;
    CHECK_STATUS(spc_sphere_on_plane_check(&shape), SPC_OK);
    shape.p_BS.y = inf;
    CHECK_STATUS(spc_sphere_on_plane_check(&shape), SPC_ERROR_NOT_FINITE);
    shape.p_BS.y = 0;
    shape.X_FP.p.z = nan;
    CHECK_STATUS(spc_sphere_on_plane_check(&shape), SPC_ERROR_NOT_FINITE);
    shape.X_FP.p.z = 0;
    shape.X_FP.q = spc_quat_make(0, 0, 0, 0);
    CHECK_STATUS(spc_sphere_on_plane_check(&shape), SPC_ERROR_ZERO_QUATERNION);
    shape.X_FP.q.x = nan;
    CHECK_STATUS(spc_sphere_on_plane_check(&shape), SPC_ERROR_NOT_FINITE);
    CHECK_STATUS(spc_sphere_on_plane_check(NULL), SPC_ERROR_NULL);
}

/* One number of a good disc is another; and nothing else is wrong with it. */
static void check_disc(int line, spc_rolling_disc *shape, spc_real *number, double other,
                       spc_status wanted)
{
    const spc_real good = *number;
    *number = (spc_real)other;
    test_status(__FILE__, line, "spc_rolling_disc_check", spc_rolling_disc_check(shape), wanted);
    *number = good;
    test_status(__FILE__, line, "and back", spc_rolling_disc_check(shape), SPC_OK);
}

static void parameters_of_the_disc_are_checked(void)
{
    const double bad[3] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    const spc_status not_finite = SPC_ERROR_NOT_FINITE;
    spc_rolling_disc d = spc_rolling_disc_default();
    int i;
    CHECK_STATUS(spc_rolling_disc_check(NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_rolling_disc_check(&d), SPC_ERROR_BAD_RADIUS);
    d.radius = 1;
    check_disc(__LINE__, &d, &d.radius, -1, SPC_ERROR_BAD_RADIUS);
    check_disc(__LINE__, &d, &d.width, -1, SPC_ERROR_BAD_WIDTH);
    check_disc(__LINE__, &d, &d.width, 0, SPC_OK);
    check_disc(__LINE__, &d, &d.half_width, -1, SPC_ERROR_BAD_WIDTH);
    check_disc(__LINE__, &d, &d.half_width, 0, SPC_OK);
    check_disc(__LINE__, &d, &d.axis_B.x, 0, SPC_ERROR_ZERO_VECTOR);
    check_disc(__LINE__, &d, &d.axis_B.x, -3, SPC_OK); /* need not be unit to be one */
    check_disc(__LINE__, &d, &d.X_FP.q.w, 0, SPC_ERROR_ZERO_QUATERNION);
    check_disc(__LINE__, &d, &d.X_FP.q.y, 5, SPC_OK);
    for (i = 0; i < 3; i++) {
        check_disc(__LINE__, &d, &d.X_FP.q.x, bad[i], not_finite);
        check_disc(__LINE__, &d, &d.X_FP.p.z, bad[i], not_finite);
        check_disc(__LINE__, &d, &d.p_BS.y, bad[i], not_finite);
        check_disc(__LINE__, &d, &d.axis_B.z, bad[i], not_finite);
        check_disc(__LINE__, &d, &d.radius, bad[i], not_finite);
        check_disc(__LINE__, &d, &d.width, bad[i], not_finite);
        check_disc(__LINE__, &d, &d.color.r, bad[i], not_finite);
        check_disc(__LINE__, &d, &d.color.a, bad[i], not_finite);
        check_disc(__LINE__, &d, &d.half_width, bad[i], not_finite);
    }
    d.lateral = d.longitudinal = d.normal = d.show = false; /* and with no row on */
    CHECK_STATUS(spc_rolling_disc_check(&d), SPC_OK);
}

static const test_entry tests[] = { TEST(errors_are_time_derivatives_of_each_other),
                                    TEST(jacobians_are_the_errors_of_unit_velocities),
                                    TEST(forces_are_the_transpose_and_balance),
                                    TEST(moving_the_whole_scene_changes_nothing),
                                    TEST(rows_that_are_off_tell_their_errors_alone),
                                    TEST(stabilization_adds_its_terms_by_row_and_level),
                                    TEST(limits_of_stabilization_are_as_told),
                                    TEST(the_sphere_by_hand),
                                    TEST(the_disc_by_hand),
                                    TEST(the_bias_of_the_disc_by_hand),
                                    TEST(the_contact_of_the_disc_by_hand),
                                    TEST(the_tilted_disc_by_hand),
                                    TEST(joints_off_by_120_degrees_by_hand),
                                    TEST(joints_off_by_half_a_turn_by_hand),
                                    TEST(errors_do_not_jump_within_170_degrees),
                                    TEST(a_flat_disc_has_no_rows),
                                    TEST(parameters_are_checked),
                                    TEST(parameters_of_the_disc_are_checked) };

TEST_MAIN
