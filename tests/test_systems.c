/* [7] Constraints as rows of a system in the coordinates of a caller: random worlds against dense
   systems made of them, kinds of a caller's own, the rows of a whole world, names
   and numbers of constraints, forces in other axes. */
#include "random_worlds.h"

#include <limits.h>

/* --------------------------------------------------------- rows in coordinates of a caller ---- */

/* The body Jacobian of a dynamic body's own coordinates, ones in six columns; NULL for others. */
static const spc_real *selection(const scene *s, int body, int n, spc_real *S)
{
    int i, column = 0;
    if (!s->dynamic[body])
        return NULL;
    for (i = 1; i < body; i++)
        column += s->dynamic[i] ? 6 : 0;
    for (i = 0; i < 6 * n; i++)
        S[i] = i % n - column == i / n;
    return S;
}

/* Appends the rows of a constraint to a system in all dynamic bodies' coordinates. */
static void put_rows(const scene *s, int constraint, dense *d)
{
    const spc_constraint_info info = info_of(s, constraint);
    const int a = place_of(s, info.a), b = place_of(s, info.b);
    const spc_spatial A_a = acceleration_of(s->world, s->body[a]);
    const spc_spatial A_b = acceleration_of(s->world, s->body[b]);
    const spc_rows rows = rows_of(s->world, s->constraint[constraint]);
    const spc_stabilization stab = stab_of(s, constraint);
    spc_real S_a[6 * MOST], S_b[6 * MOST], G[6 * MOST], gamma[6], terms[6];
    int count;
    spc_stabilization_terms(&stab, &rows, 0, terms);
    count = spc_rows_to_generalized(&rows, selection(s, a, d->n, S_a), s->dynamic[a] ? NULL : &A_a,
                                    selection(s, b, d->n, S_b), s->dynamic[b] ? NULL : &A_b, terms,
                                    d->n, G, gamma);
    CHECK(count == count_bits(rows.enforced));
    to_double(gamma, count, d->gamma + d->m);
    to_double(G, count * d->n, d->G + d->m * d->n);
    d->m += count;
}

/* The equations of a whole scene. */
static void system_of_scene(const scene *s, dense *d)
{
    int i, at = 0;
    memset(d, 0, sizeof *d);
    for (i = 1; i < s->bodies; i++)
        d->n += s->dynamic[i] ? 6 : 0;
    for (i = 1; i < s->bodies; i++) {
        const spc_state state = state_of(s->world, s->body[i]);
        if (!s->dynamic[i])
            continue;
        put_body(d, at, &s->mass[i], &state, spc_world_gravity(s->world), s->force[i]);
        at += 6;
    }
    for (i = 0; i < s->constraints; i++)
        if (acts(s, i))
            put_rows(s, i, d);
}

/* The multipliers of rows in use of the constraints that act; gives how many. */
static int multipliers_of(const scene *s, double *lambda)
{
    int k, i, count = 0;
    for (k = 0; k < s->constraints; k++) {
        const spc_rows rows = rows_of(s->world, s->constraint[k]);
        spc_real l[SPC_MAX_ROWS];
        CHECK_STATUS(spc_constraint_get_multipliers(s->world, s->constraint[k], l), SPC_OK);
        for (i = 0; i < rows.count && acts(s, k); i++)
            if (rows.enforced >> i & 1u)
                lambda[count++] = (double)l[i];
    }
    return count;
}

/* Which rows of the constraints that act the last call left to the others; gives how many there are
   of both. */
static int left_to_others(const scene *s, bool *out)
{
    int k, i, count = 0;
    for (k = 0; k < s->constraints; k++) {
        const spc_rows rows = rows_of(s->world, s->constraint[k]);
        for (i = 0; i < rows.count && acts(s, k); i++)
            if (rows.enforced >> i & 1u)
                out[count++] = (info_of(s, k).redundant >> i & 1u) != 0;
    }
    return count;
}

/* Rounding of what the world finds: of its own choice of rows. */
static double rounding_of_world(const scene *s, const dense *d)
{
    double A[MOST * MOST];
    bool dropped[MOST];
    CHECK(left_to_others(s, dropped) == d->m);
    gram(d, true, A);
    return rounding_of(d) + 4 * (d->n + d->m) * TEST_EPSILON * kept_condition(A, d->m, dropped);
}

/* Accelerations and multipliers of a scene against those of its dense system. */
static void check_dynamics(const scene *s, const dense *d, const answer *a, double tolerance)
{
    const double size = fmax(largest(a->lambda, d->m), largest(a->qddot, d->n));
    double lambda[MOST], A[MOST];
    int i, at = 0;
    for (i = 1; i < s->bodies; i++)
        if (s->dynamic[i]) {
            put_spatial(acceleration_of(s->world, s->body[i]), A + at);
            at += 6;
        }
    CHECK(multipliers_of(s, lambda) == d->m);
    CHECK_NEAR(off(A, a->qddot, d->n, size), 0, tolerance);
    CHECK_NEAR(off(lambda, a->lambda, d->m, size), 0, tolerance);
}

/* Are the rows of a system well conditioned, but for those that depend on others, and exactly so?
   What stands between a precision cannot tell from singular. */
static bool is_clear(const dense *d)
{
    double A[MOST * MOST], V[MOST * MOST], w[MOST], most;
    int i;
    gram(d, true, A);
    eigen(A, d->m, V, w);
    most = largest(w, d->m);
    for (i = 0; i < d->m; i++)
        if (w[i] > SINGULAR * most && w[i] < IN_DOUBLE_OR_FLOAT(1e-8, 1e-3) * most)
            return false;
    return true;
}

static bool is_regular(const dense *d)
{
    double A[MOST * MOST];
    gram(d, true, A);
    return smallest_part(A, d->m) > SINGULAR;
}

/* How many rows depend on others. */
static int redundant_rows(const dense *d)
{
    double A[MOST * MOST], V[MOST * MOST], w[MOST];
    int i, redundant = 0;
    gram(d, true, A);
    eigen(A, d->m, V, w);
    for (i = 0; i < d->m; i++)
        redundant += !(w[i] > SINGULAR * largest(w, d->m));
    return redundant;
}

/* Each constraint tells what no motion meets of what its rows ask for, unless that is little beside
   the worst: no less than the largest of lengths, and no more where they are all. */
static void check_contradictions(const scene *s, const double *left, double tolerance)
{
    int k, i;
    for (k = 0; k < s->constraints; k++) {
        const spc_rows rows = rows_of(s->world, s->constraint[k]);
        const double told = (double)info_of(s, k).contradiction;
        double most = 0;
        for (i = 0; i < rows.count && acts(s, k); i++) {
            if (!(rows.enforced >> i & 1u))
                continue;
            if (i < 3)
                most = fmax(most, fabs(*left));
            left++;
        }
        CHECK(told <= 0 || told > tolerance || fabs(told - most) < 0.01 * told); /* no rounding */
        if (told <= 0 && most < 0.01 * (double)report_of(s).contradiction)
            continue;
        CHECK(told >= most - tolerance);
        if (acts(s, k) && !(rows.enforced >> 3))
            CHECK_NEAR(told, most, tolerance);
    }
}

/* Do rows contradict each other, and some are about axes? Then the world's least squares count
   angles times the longest arm, and the dense solver's as they are. Contradictions of less than a
   thousandth the world leaves to the rows that it does not keep. */
static bool is_weighed(const scene *s, const dense *d)
{
    double left[MOST];
    double part;
    int k;
    part = is_regular(d) ? 0 : contradiction(d, d->gamma, left);
    if (part < 256 * TEST_EPSILON)
        return false;
    if (part < 0.01)
        return true;
    for (k = 0; k < s->constraints; k++)
        if (acts(s, k) && rows_of(s->world, s->constraint[k]).enforced >> 3)
            return true;
    return false;
}

/* Many scenes have more rows than motions: they contradict each other, and the world and the dense
   solver find the same least squares, of the same least norm. The world tells how many rows are too
   many, and which ask in vain. */
static void random_worlds_have_the_dynamics_of_their_dense_systems(void)
{
    dense *d = (dense *)malloc(sizeof *d);
    int i, regular = 0, contradictory = 0;
    for (i = 0; i < 300; i++) {
        scene s;
        random_scene(&s, random_int(1, 5));
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        system_of_scene(&s, d);
        check_report(&s);
        if (is_clear(d) && !is_weighed(&s, d)) {
            const answer a = ask(d);
            double left[MOST];
            check_dynamics(&s, d, &a, rounding_of_world(&s, d));
            CHECK(report_of(&s).redundant_rows == redundant_rows(d));
            if (is_regular(d)) {
                check_no_contradiction(&s);
                regular++;
            } else if (contradiction(d, d->gamma, left) > 0.01) {
                const double size = fmax(largest(a.lambda, d->m), largest(a.qddot, d->n));
                check_contradictions(&s, left, rounding_of_world(&s, d) * size);
                contradictory++;
            }
        }
        free(s.world);
    }
    CHECK(regular > 60 && contradictory > 5);
    free(d);
}

/* One element of J S: a row times a column of a body Jacobian. */
static double row_times(spc_spatial J, const spc_real *S, int n, int column)
{
    double row[6], sum = 0;
    int i;
    put_spatial(J, row);
    for (i = 0; i < 6; i++)
        sum += row[i] * (double)S[i * n + column];
    return sum;
}

/* Products of six numbers up to 3. */
static void check_projection(const spc_rows *rows, const spc_real *S_a, const spc_real *S_b, int n)
{
    const spc_spatial A_a = test_random_spatial(2, 2), A_b = test_random_spatial(2, 2);
    const double rounding = 6 * 3 * 3 * 2 * TEST_EPSILON;
    spc_real G[6 * MOST], gamma[6], drift[6], terms[6];
    int i, k, used = 0;
    memset(G, PATTERN, sizeof G);
    memset(gamma, PATTERN, sizeof gamma);
    spc_rows_mul(rows, &A_a, &A_b, drift);
    for (i = 0; i < 6; i++)
        terms[i] = real(test_random(-2, 2));
    CHECK(spc_rows_to_generalized(rows, S_a, &A_a, S_b, &A_b, terms, n, G, gamma) ==
          count_bits(rows->enforced));
    for (i = 0; i < rows->count; i++) {
        if (!(rows->enforced >> i & 1u))
            continue;
        for (k = 0; k < n; k++)
            CHECK_NEAR(G[used * n + k],
                       (S_a ? row_times(rows->jacobian_a[i], S_a, n, k) : 0) +
                           (S_b ? row_times(rows->jacobian_b[i], S_b, n, k) : 0),
                       rounding);
        CHECK_NEAR(gamma[used], (double)terms[i] - ((double)drift[i] + (double)rows->jdot_v[i]),
                   rounding + 4 * TEST_EPSILON * fabs((double)rows->jdot_v[i]));
        used++;
    }
    CHECK(untouched(G + used * n, sizeof G - sizeof *G * (size_t)(used * n)));
    CHECK(untouched(gamma + used, sizeof gamma - sizeof *gamma * (size_t)used));
}

/* Any coordinates, shared by both bodies; also none of them, and no coordinates at all. */
static void rows_are_projected_onto_any_coordinates(void)
{
    spc_real S_a[6 * 9], S_b[6 * 9];
    scene s;
    int i, k;
    random_scene(&s, 8);
    for (i = 0; i < s.constraints; i++) {
        const spc_rows rows = rows_of(s.world, s.constraint[i]);
        for (k = 0; k < 6 * 9; k++) {
            S_a[k] = real(test_random(-1, 1));
            S_b[k] = real(test_random(-1, 1));
        }
        check_projection(&rows, S_a, S_b, 9);
        check_projection(&rows, S_a, NULL, 4);
        check_projection(&rows, NULL, S_b, 1);
        check_projection(&rows, NULL, NULL, 2);
        check_projection(&rows, S_a, S_b, 0);
    }
    free(s.world);
}

/* Without accelerations and terms it is the kernel's bias, with the opposite sign. */
/* A kind of the caller's own: a rod of length L from ground's origin to the origin of a body, which
   is its centre of mass. With u = p / L the row is e = |p| - L, s = u . v, and its bias is the
   centripetal (v . v - s s) / L. */
static spc_rows rod_rows(spc_vec3 p, spc_vec3 v, double L)
{
    const spc_vec3 u = spc_scale(1 / spc_norm(p), p);
    spc_rows rows;
    memset(&rows, 0, sizeof rows);
    rows.count = 1;
    rows.enforced = rows.holonomic = 1u;
    rows.p_GC = p;
    rows.position_errors[0] = spc_norm(p) - real(L);
    rows.velocity_errors[0] = spc_dot(u, v);
    rows.jdot_v[0] = (spc_dot(v, v) - spc_dot(u, v) * spc_dot(u, v)) / spc_norm(p);
    rows.jacobian_b[0].linear = u;
    return rows;
}

/* A pendulum by such rows: the tension m (v^2 / L + g cos), the acceleration g sin across, and the
   torque-free turning. The rod does no work. Rounding: numbers below 100, a few operations each. */
static void rows_of_a_kind_of_ones_own_hold_a_pendulum(void)
{
    const double m = 2, L = 0.5, g = 9.81, angle = 0.7, speed = 3, rounding = 64 * TEST_EPSILON;
    const spc_vec3 p = vec(L * sin(angle), 0, -L * cos(angle));
    const spc_vec3 along = vec(cos(angle), 0, sin(angle));
    const spc_rows rows = rod_rows(p, spc_scale(real(speed), along), L);
    const double tension = m * (speed * speed / L + g * cos(angle));
    spc_real S_b[36], H[36], tau[6] = { 0, 0, 0, 0, 0, 0 }, G[6], gamma[1], qddot[6], lambda[1];
    spc_real *work = (spc_real *)malloc(spc_dense_work_count(6, 1) * sizeof *work);
    spc_stabilization on = spc_stabilization_default();
    spc_real terms[SPC_MAX_ROWS];
    spc_spatial F;
    int i;
    for (i = 0; i < 36; i++) {
        S_b[i] = i % 7 ? 0 : 1;
        H[i] = i % 7 ? 0 : real(i < 21 ? 0.1 : m);
    }
    tau[5] = real(-m * g);
    spc_stabilization_terms(&on, &rows, 0, terms);
    CHECK(spc_rows_to_generalized(&rows, NULL, NULL, S_b, NULL, terms, 6, G, gamma) == 1);
    CHECK_STATUS(spc_dense_forward_dynamics(6, 1, H, NULL, tau, G, gamma, work, qddot, lambda),
                 SPC_OK);
    CHECK_NEAR(lambda[0], tension, rounding * tension);
    CHECK_NEAR(spc_dot(along, spc_vec3_make(qddot[3], qddot[4], qddot[5])), -g * sin(angle),
               rounding * 50);
    CHECK_NEAR(qddot[1], 0, 0);
    spc_rows_forces(&rows, lambda, NULL, &F);
    CHECK_NEAR(spc_norm(spc_add(F.linear, spc_scale(real(tension / L), p))), 0, rounding * tension);
    CHECK_NEAR(spc_rows_power(&rows, lambda), 0, rounding * tension * speed);
    free(work);
}

static void rows_of_bodies_without_accelerations_keep_their_bias(void)
{
    spc_real G[6], gamma[6];
    scene s;
    int i, k, used;
    random_scene(&s, 6);
    for (i = 0; i < s.constraints; i++) {
        const spc_rows rows = rows_of(s.world, s.constraint[i]);
        CHECK(spc_rows_to_generalized(&rows, NULL, NULL, NULL, NULL, NULL, 1, G, gamma) ==
              count_bits(rows.enforced));
        for (k = used = 0; k < rows.count; k++)
            if (rows.enforced >> k & 1u)
                CHECK_NEAR(gamma[used++], -rows.jdot_v[k], 0);
    }
    free(s.world);
}

/* ------------------------------------------------------------------ a robot's own equations --- */

/* Two links in the x-y plane and a wheel at their end turn by q1, q2, q3, each against the body
   before. With masses m_i, lengths l_i, centres of mass at c_i from the joints, moments of inertia
   I_i, c = cos q2, s = sin q2, the equations M q'' + h = tau + contact have

           [ A + B + 2 C c + I3   .        .  ]        [ -C s (2 q1' + q2') q2' + G1 + G2 ]
       M = [ B + C c + I3         B + I3   .  ],   h = [ C s q1'^2              + G2      ]
           [ I3                   I3       I3 ]        [ 0                                ]
       A = I1 + m1 c1^2 + (m2 + m3) l1^2,    G1 = (m1 c1 + (m2 + m3) l1) g cos q1
       B = I2 + m2 c2^2 + m3 l2^2,           G2 = (m2 c2 + m3 l2) g cos(q1 + q2)
       C = (m2 c2 + m3 l2) l1

   (Siciliano et al., Robotics, 7.3). The wheel rolls on a plane whose body speeds up along x while
   it turns about z. */
static const double arm_mass[3] = { 4, 2.5, 1.2 }, arm_inertia[3] = { 0.09, 0.04, 0.002 };
static const double arm_length[3] = { 0.5, 0.4, 0 }, arm_centre[3] = { 0.22, 0.18, 0 };
static const double arm_torque[3] = { 12, -2, -0.5 }; /* of the motors in the joints [N m] */
static const spc_spatial arm_floor = { { 0, 0, SPC_R(0.4) }, { SPC_R(0.3), 0, 0 } };

static spc_state floor_at(double t)
{
    spc_state s = spc_state_identity();
    s.X_GB.q = spc_quat_from_rotation_vector(spc_scale(real(t * t / 2), arm_floor.angular));
    s.X_GB.p = spc_scale(real(t * t / 2), arm_floor.linear);
    s.V_GB.angular = spc_scale(real(t), arm_floor.angular);
    s.V_GB.linear = spc_scale(real(t), arm_floor.linear);
    return s;
}

typedef struct arm {
    double q[3], v[3], a[3]; /* angles [rad] and derivatives */
    double lambda[2];        /* multipliers of contact, longitudinal and normal [N] */
} arm;

/* A body in its centre of mass: V = S q' with S by rows, and A = S' q'. */
typedef struct arm_body {
    spc_state state;
    spc_real S[18];
    spc_spatial A;
} arm_body;

static arm_body arm_body_of(const arm *r, int body)
{
    double angle = 0, w = 0, x = 0, y = 0, v[2] = { 0, 0 }, a[2] = { 0, 0 }, S[18];
    arm_body k;
    int i, j;
    clear(S, 18);
    for (i = 0; i <= body; i++) {
        const double reach = i < body ? arm_length[i] : arm_centre[i];
        double dx, dy;
        angle += r->q[i];
        w += r->v[i];
        dx = reach * cos(angle);
        dy = reach * sin(angle);
        x += dx;
        y += dy;
        a[0] -= w * w * dx;
        a[1] -= w * w * dy;
        for (j = 0; j <= i; j++) {
            S[6 + j] = 1;   /* angular velocity about z */
            S[9 + j] -= dy; /* velocity along x */
            S[12 + j] += dx;
        }
    }
    for (j = 0; j < 3; j++) {
        v[0] += S[9 + j] * r->v[j];
        v[1] += S[12 + j] * r->v[j];
    }
    to_real(S, 18, k.S);
    k.state.X_GB.q = spc_quat_from_rotation_vector(vec(0, 0, angle));
    k.state.X_GB.p = vec(x, y, 0);
    k.state.V_GB = spc_spatial_make(vec(0, 0, w), vec(v[0], v[1], 0));
    k.A = spc_spatial_make(zero, vec(a[0], a[1], 0));
    return k;
}

/* Fills a and lambda. The lateral row is off: the arm cannot move across its plane anyway. */
static void solve_arm(arm *r, double time, const spc_rolling_disc *shape)
{
    const double *m = arm_mass, *I = arm_inertia, *l = arm_length, *c = arm_centre;
    const double *q = r->q, *v = r->v, k = m[1] * c[1] + m[2] * l[1];
    const double A = I[0] + m[0] * c[0] * c[0] + (m[1] + m[2]) * l[0] * l[0];
    const double B = I[1] + m[1] * c[1] * c[1] + m[2] * l[1] * l[1];
    const double Cc = k * l[0] * cos(q[1]), Cs = k * l[0] * sin(q[1]), M21 = B + Cc + I[2];
    const double M[9] = { A + Cc + M21, M21, I[2], M21, B + I[2], I[2], I[2], I[2], I[2] };
    const double G1 = (m[0] * c[0] + (m[1] + m[2]) * l[0]) * GRAVITY * cos(q[0]);
    const double G2 = k * GRAVITY * cos(q[0] + q[1]);
    const double h[3] = { G1 + G2 - Cs * (2 * v[0] + v[1]) * v[1], G2 + Cs * v[0] * v[0], 0 };
    const spc_stabilization baumgarte = spc_stabilization_default();
    const arm_body wheel = arm_body_of(r, 2);
    const spc_state floor = floor_at(time);
    spc_real M_[9], h_[3], tau[3], G[6], gamma[2], terms[SPC_MAX_ROWS], a[3], lambda[2];
    spc_real work[40]; /* spc_dense_work_count(3, 2) is 37 */
    spc_rows rows;
    to_real(M, 9, M_);
    to_real(h, 3, h_);
    to_real(arm_torque, 3, tau);
    CHECK_STATUS(spc_rolling_disc_rows(shape, &floor, &wheel.state, &rows), SPC_OK);
    spc_stabilization_terms(&baumgarte, &rows, 0, terms);
    spc_rows_to_generalized(&rows, NULL, &arm_floor, wheel.S, &wheel.A, terms, 3, G, gamma);
    CHECK_STATUS(spc_dense_forward_dynamics(3, 2, M_, h_, tau, G, gamma, work, a, lambda), SPC_OK);
    to_double(a, 3, r->a);
    to_double(lambda, 2, r->lambda);
}

/* The same robot of a world's bodies, and the wheel's contact. */
static spc_world *arm_world(const arm *r, double time, const spc_rolling_disc *shape,
                            spc_body *part, spc_constraint *contact)
{
    spc_world_desc desc = spc_world_desc_default(4, 4);
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    spc_attachment_desc hinge = spc_attachment_desc_default(); /* about z, the first to ground */
    spc_world *w;
    int i;
    desc.gravity = vec(0, -GRAVITY, 0);
    w = test_world(&desc);
    body.kind = SPC_KINEMATIC;
    body.state = floor_at(time);
    CHECK_STATUS(spc_body_add(w, &body, &roll.floor), SPC_OK);
    CHECK_STATUS(spc_body_set_acceleration(w, roll.floor, arm_floor), SPC_OK);
    body.kind = SPC_DYNAMIC;
    hinge.shape.locked = SPC_HINGE;
    for (i = 0; i < 3; i++) {
        const double motors = arm_torque[i] - (i < 2 ? arm_torque[i + 1] : 0);
        body.mass = spc_mass_solid_sphere(real(arm_mass[i]), 1);
        body.mass.inertia.xx = body.mass.inertia.yy = body.mass.inertia.zz = real(arm_inertia[i]);
        body.state = arm_body_of(r, i).state;
        CHECK_STATUS(spc_body_add(w, &body, &part[i]), SPC_OK);
        CHECK_STATUS(spc_body_add_torque(w, part[i], vec(0, 0, motors), SPC_LASTING), SPC_OK);
        hinge.b = part[i];
        hinge.shape.X_BM.p.x = real(-arm_centre[i]);
        CHECK_STATUS(spc_attachment_add(w, &hinge, contact), SPC_OK);
        hinge.a = part[i];
        hinge.shape.X_AF.p.x = real(arm_length[i] - arm_centre[i]);
    }
    roll.disc = part[2];
    roll.shape = *shape;
    CHECK_STATUS(spc_rolling_disc_add(w, &roll, contact), SPC_OK);
    return w;
}

/* Accelerations [rad/s^2] and multipliers [N] are below 64: half a rounding of that, times a
   condition of M and of the world's matrix below 1e3. */
static void check_arm(const arm *r, double time, const spc_rolling_disc *shape)
{
    const double tolerance = 32e3 * TEST_EPSILON;
    spc_real lambda[SPC_MAX_ROWS];
    spc_constraint contact;
    spc_body part[3];
    spc_world *w = arm_world(r, time, shape, part, &contact);
    double sum = 0;
    int i;
    CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
    CHECK_STATUS(spc_constraint_get_multipliers(w, contact, lambda), SPC_OK);
    CHECK_NEAR(lambda[1], r->lambda[0], tolerance);
    CHECK_NEAR(lambda[2], r->lambda[1], tolerance);
    for (i = 0; i < 3; i++) {
        sum += r->a[i];
        CHECK_NEAR(acceleration_of(w, part[i]).angular.z, sum, tolerance);
    }
    free(w);
}

/* At each of 1000 steps. */
static void an_arm_in_its_own_coordinates_accelerates_as_bodies_on_hinges(void)
{
    arm own = { { 0.4, -1.5, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0 } };
    spc_rolling_disc shape = spc_rolling_disc_default();
    const spc_vec3 hub = arm_body_of(&own, 2).state.X_GB.p;
    int i, j;
    shape.axis_B = vec(0, 0, 1);
    shape.radius = real(0.06);
    shape.lateral = false;
    shape.X_FP.p = vec(0, (double)hub.y - 0.06, 0);
    CHECK_STATUS(spc_quat_from_two_vectors(shape.axis_B, vec(0, 1, 0), &shape.X_FP.q), SPC_OK);
    for (i = 0; i < 1000; i++) {
        solve_arm(&own, i * 1e-3, &shape);
        check_arm(&own, i * 1e-3, &shape);
        for (j = 0; j < 3; j++) {
            own.v[j] += 1e-3 * own.a[j];
            own.q[j] += 1e-3 * own.v[j];
        }
    }
}

/* ---------------------------------------------------------------- rows of a whole system ------ */

/* The velocities or accelerations of all bodies that a world has had, 6 for each handle index. */
static void columns_of(const scene *s, bool accelerations, double *out)
{
    int i;
    clear(out, spc_world_column_count(s->world));
    for (i = 1; i < s->bodies; i++)
        put_spatial(accelerations ? acceleration_of(s->world, s->body[i])
                                  : state_of(s->world, s->body[i]).V_GB,
                    out + 6 * (s->body[i].index - 1));
}

static spc_status ask_system(const scene *s, int constraint, int row, int rows, system_part *out)
{
    memset(out, PATTERN, sizeof *out);
    return spc_constraint_get_system(s->world, s->constraint[constraint], row, rows, out->G,
                                     out->gamma, out->e, out->s);
}

/* Nothing is written but the elements of these rows. */
static void check_others_untouched(const system_part *p, int row, int count, int columns)
{
    const size_t one = sizeof(spc_real), first = (size_t)row, behind = (size_t)(row + count);
    CHECK(untouched(p->G, one * first * (size_t)columns));
    CHECK(untouched(p->G + behind * (size_t)columns, sizeof p->G - one * behind * (size_t)columns));
    CHECK(untouched(p->gamma, one * first));
    CHECK(untouched(p->gamma + behind, sizeof p->gamma - one * behind));
    CHECK(untouched(p->e, one * first));
    CHECK(untouched(p->e + behind, sizeof p->e - one * behind));
    CHECK(untouched(p->s, one * first));
    CHECK(untouched(p->s + behind, sizeof p->s - one * behind));
}

/* A row of the system against row i of the kernel; errors that masks leave out are 0. Velocities up
   to 3 make errors up to 20, of some 12 products. */
static void check_row(const system_part *p, int at, const double *V, int columns,
                      const spc_rows *rows, int i, const spc_stabilization *stab)
{
    const bool no_velocity = (stab->ignore_velocity >> i & 1u) != 0;
    const bool no_position =
        no_velocity || (stab->ignore_position >> i & 1u) || !(rows->holonomic >> i & 1u);
    double row[MOST], speed;
    to_double(p->G + at * columns, columns, row);
    times(row, 1, columns, V, &speed);
    CHECK_NEAR(speed, rows->velocity_errors[i], 12 * 20 * TEST_EPSILON);
    CHECK_NEAR(p->gamma[at], -rows->jdot_v[i], 0);
    CHECK_NEAR(p->e[at], no_position ? 0 : rows->position_errors[i], 0);
    CHECK_NEAR(p->s[at], no_velocity ? 0 : rows->velocity_errors[i], 0);
}

static void check_system_rows(const scene *s, int constraint, int row, int rows)
{
    const int columns = spc_world_column_count(s->world);
    const spc_rows kernel = rows_of(s->world, s->constraint[constraint]);
    const spc_stabilization stab = stab_of(s, constraint);
    system_part *p = (system_part *)malloc(sizeof *p);
    double V[MOST];
    int i, at = row;
    columns_of(s, false, V);
    CHECK_STATUS(ask_system(s, constraint, row, rows, p), SPC_OK);
    for (i = 0; i < kernel.count; i++)
        if (kernel.enforced >> i & 1u)
            check_row(p, at++, V, columns, &kernel, i, &stab);
    check_others_untouched(p, row, at - row, columns);
    free(p);
}

/* Enabled or not, anywhere in a system that is large enough. */
static void a_constraint_writes_its_rows_of_a_system(void)
{
    int turn, k;
    for (turn = 0; turn < 30; turn++) {
        scene s;
        random_scene(&s, random_int(1, 8));
        for (k = 0; k < s.constraints; k++) {
            const int count = count_bits(rows_of(s.world, s.constraint[k]).enforced);
            check_system_rows(&s, k, 0, count);
            check_system_rows(&s, k, 3, count + 3);
            check_system_rows(&s, k, 1, count + 9);
        }
        free(s.world);
    }
}

/* Six columns for each body that was ever there at once; those of a removed body stay 0. */
static void columns_belong_to_handle_indices(void)
{
    scene s;
    system_part *p = (system_part *)malloc(sizeof *p);
    int i;
    begin_scene(&s, 0);
    CHECK(spc_world_column_count(s.world) == 0 && spc_world_column_count(NULL) == 0);
    for (i = 1; i <= 4; i++) {
        add_body(&s, i != 3);
        CHECK(spc_world_column_count(s.world) == 6 * i && s.body[i].index == (unsigned)i);
    }
    CHECK_STATUS(spc_body_remove(s.world, s.body[2]), SPC_OK);
    CHECK(spc_world_column_count(s.world) == 24);
    CHECK_STATUS(add_attachment(&s, 1, 4, SPC_HINGE, &s.constraint[0]), SPC_OK);
    CHECK_STATUS(ask_system(&s, 0, 0, 5, p), SPC_OK);
    for (i = 0; i < 5 * 24; i++)
        if (i % 24 >= 6 && i % 24 < 18)
            CHECK_NEAR(p->G[i], 0, 0);
    free(s.world);
    free(p);
}

/* Each of the four may be left out. */
static void parts_of_a_system_that_are_not_wanted_are_null(void)
{
    scene s;
    system_part *p = (system_part *)malloc(sizeof *p), *q = (system_part *)malloc(sizeof *q);
    int k, mask;
    random_scene(&s, 3);
    for (k = 0; k < s.constraints; k++)
        for (mask = 0; mask < 16; mask++) {
            CHECK_STATUS(ask_system(&s, k, 1, 9, p), SPC_OK);
            memset(q, PATTERN, sizeof *q);
            CHECK_STATUS(spc_constraint_get_system(s.world, s.constraint[k], 1, 9,
                                                   mask & 1 ? q->G : NULL,
                                                   mask & 2 ? q->gamma : NULL,
                                                   mask & 4 ? q->e : NULL, mask & 8 ? q->s : NULL),
                         SPC_OK);
            CHECK(mask & 1 ? is_bits(p->G, q->G, sizeof p->G) : untouched(q->G, sizeof q->G));
            CHECK(mask & 2 ? is_bits(p->gamma, q->gamma, sizeof p->gamma)
                           : untouched(q->gamma, sizeof q->gamma));
            CHECK(mask & 4 ? is_bits(p->e, q->e, sizeof p->e) : untouched(q->e, sizeof q->e));
            CHECK(mask & 8 ? is_bits(p->s, q->s, sizeof p->s) : untouched(q->s, sizeof q->s));
        }
    free(s.world);
    free(p);
    free(q);
}

/* The terms of the constraint's own stabilization, whatever the step, on its own elements. */
static void stabilization_is_added_to_the_constraints_own_rows(void)
{
    scene s;
    int k, i, used;
    random_scene(&s, 8);
    for (k = 0; k < s.constraints; k++) {
        const spc_rows rows = rows_of(s.world, s.constraint[k]);
        const spc_stabilization stab = stab_of(&s, k);
        spc_real gamma[12], before[12], terms[6];
        for (i = 0; i < 12; i++)
            gamma[i] = before[i] = real(test_random(-5, 5));
        CHECK_STATUS(spc_constraint_add_baumgarte(s.world, s.constraint[k], 2, 12, gamma), SPC_OK);
        spc_stabilization_terms(&stab, &rows, 0, terms);
        for (i = used = 0; i < rows.count; i++)
            if (rows.enforced >> i & 1u) {
                CHECK_NEAR(gamma[2 + used], before[2 + used] + terms[i], 0);
                used++;
            }
        CHECK(is_bits(gamma, before, 2 * sizeof *gamma));
        CHECK(is_bits(gamma + 2 + used, before + 2 + used, sizeof *gamma * (size_t)(10 - used)));
        CHECK(stab.enabled || is_bits(gamma, before, sizeof gamma));
    }
    free(s.world);
}

/* They fill the system, and the accelerations of forward dynamics meet it: of all bodies, those
   that are moved too. */
static void a_whole_system_is_met_by_forward_dynamics(void)
{
    double G[MOST * MOST], A[MOST], rows[MOST], gamma[MOST], left[MOST];
    dense *d = (dense *)malloc(sizeof *d);
    int turn, regular = 0;
    for (turn = 0; turn < 30; turn++) {
        scene s;
        int m, n;
        random_scene(&s, random_int(5, 8));
        CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[0], false), SPC_OK);
        m = spc_world_row_count(s.world);
        n = spc_world_column_count(s.world);
        put_system(&s, m, n, G, gamma);
        system_of_scene(&s, d);
        CHECK(d->m == m);
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        if (is_clear(d) && contradiction(d, d->gamma, left) < rounding_of(d)) {
            columns_of(&s, true, A);
            times(G, m, n, A, rows);
            CHECK_NEAR(off(rows, gamma, m, fmax(largest(A, n), largest(gamma, m))), 0,
                       rounding_of(d));
            regular++;
        }
        free(s.world);
    }
    CHECK(regular > 10);
    free(d);
}

static void check_system_refused(const scene *s, int constraint, int row, int rows,
                                 spc_status status)
{
    system_part *p = (system_part *)malloc(sizeof *p);
    CHECK_STATUS(ask_system(s, constraint, row, rows, p), status);
    CHECK_STATUS(
        spc_constraint_add_baumgarte(s->world, s->constraint[constraint], row, rows, p->gamma),
        status);
    CHECK(untouched(p, sizeof *p));
    free(p);
}

static void rows_outside_of_a_system_are_refused(void)
{
    scene s;
    begin_scene(&s, 0);
    add_body(&s, true);
    CHECK_STATUS(add_attachment(&s, 0, 1, SPC_HINGE, &s.constraint[s.constraints++]), SPC_OK);
    check_system_refused(&s, 0, 0, 4, SPC_ERROR_BAD_COUNT);
    check_system_refused(&s, 0, 2, 6, SPC_ERROR_BAD_COUNT);
    check_system_refused(&s, 0, -1, 9, SPC_ERROR_BAD_COUNT);
    check_system_refused(&s, 0, 0, 0, SPC_ERROR_BAD_COUNT);
    check_system_refused(&s, 0, 0, -9, SPC_ERROR_BAD_COUNT);
    check_system_refused(&s, 0, INT_MAX, 5, SPC_ERROR_BAD_COUNT);
    check_system_refused(&s, 0, INT_MIN, INT_MAX, SPC_ERROR_BAD_COUNT);
    check_system_refused(&s, 0, INT_MAX - 4, INT_MAX, SPC_ERROR_BAD_COUNT);
    lay_flat(&s);
    check_system_refused(&s, 1, 0, 3, SPC_ERROR_NO_CONTACT_POINT);
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[1]), SPC_OK);
    check_system_refused(&s, 1, 0, 3, SPC_ERROR_STALE_CONSTRAINT);
    memset(&s.constraint[1], 0, sizeof s.constraint[1]);
    check_system_refused(&s, 1, 0, 3, SPC_ERROR_STALE_CONSTRAINT);
    CHECK_STATUS(spc_constraint_add_baumgarte(s.world, s.constraint[0], 0, 5, NULL),
                 SPC_ERROR_NULL);
    free(s.world);
    s.world = NULL;
    check_system_refused(&s, 0, 0, 5, SPC_ERROR_NULL);
}

/* Rows that are off take no place: a disc without rows fits into a system without any. */
static void a_constraint_without_rows_fits_anywhere(void)
{
    spc_rolling_disc shape = spc_rolling_disc_default();
    system_part *p = (system_part *)malloc(sizeof *p);
    scene s;
    begin_scene(&s, 0);
    add_body(&s, true);
    CHECK_STATUS(add_disc(&s, 0, 1, &s.constraint[0]), SPC_OK);
    CHECK_STATUS(spc_rolling_disc_get(s.world, s.constraint[0], &shape), SPC_OK);
    shape.lateral = shape.longitudinal = shape.normal = false;
    CHECK_STATUS(spc_rolling_disc_set(s.world, s.constraint[0], &shape), SPC_OK);
    CHECK_STATUS(ask_system(&s, 0, 0, 0, p), SPC_OK);
    CHECK_STATUS(spc_constraint_add_baumgarte(s.world, s.constraint[0], 0, 0, p->gamma), SPC_OK);
    CHECK(untouched(p, sizeof *p));
    free(p);
    free(s.world);
}

/* ---------------------------------------------------------------------- names and numbers ----- */

static void check_named(const spc_world *w, const char *name, spc_constraint wanted)
{
    spc_constraint found;
    memset(&found, PATTERN, sizeof found);
    CHECK_STATUS(spc_constraint_find_name(w, name, &found), SPC_OK);
    CHECK(is_bits(&found, &wanted, sizeof found));
}

static void check_numbered(const spc_world *w, unsigned id, spc_constraint wanted)
{
    spc_constraint found;
    memset(&found, PATTERN, sizeof found);
    CHECK_STATUS(spc_constraint_find_id(w, id, &found), SPC_OK);
    CHECK(is_bits(&found, &wanted, sizeof found));
}

static void check_unknown(const spc_world *w, const char *name, unsigned id)
{
    spc_constraint found;
    memset(&found, PATTERN, sizeof found);
    CHECK_STATUS(spc_constraint_find_name(w, name, &found), SPC_ERROR_NOT_FOUND);
    CHECK_STATUS(spc_constraint_find_id(w, id, &found), SPC_ERROR_NOT_FOUND);
    CHECK(untouched(&found, sizeof found));
}

/* Of several the first, in the order of handles; a removed one makes way for the next; a name is
   found whole, not its beginning or more. */
static void constraints_are_found_by_name(void)
{
    spc_constraint c[4];
    spc_world *w = world_of_names(c, 4);
    check_unknown(w, "door", 7);
    CHECK_STATUS(spc_constraint_set_name(w, c[3], "door"), SPC_OK);
    check_named(w, "door", c[3]);
    CHECK_STATUS(spc_constraint_set_name(w, c[1], "door"), SPC_OK);
    CHECK_STATUS(spc_constraint_set_name(w, c[0], "doors"), SPC_OK);
    CHECK_STATUS(spc_constraint_set_name(w, c[2], "doo"), SPC_OK);
    check_named(w, "door", c[1]);
    CHECK_STATUS(spc_constraint_set_enabled(w, c[1], false), SPC_OK);
    check_named(w, "door", c[1]);
    CHECK_STATUS(spc_constraint_remove(w, c[1]), SPC_OK);
    check_named(w, "door", c[3]);
    CHECK_STATUS(spc_constraint_set_name(w, c[3], NULL), SPC_OK);
    check_unknown(w, "door", 0);
    check_unknown(w, "", 0);
    check_unknown(w, "a name that is longer than any name can be", 0);
    CHECK_STATUS(spc_constraint_set_name(w, c[3], "1234567890123456789012345678901"), SPC_OK);
    check_named(w, "1234567890123456789012345678901", c[3]);
    check_unknown(w, "123456789012345678901234567890", 0);
    check_unknown(w, "12345678901234567890123456789012", 0);
    free(w);
}

/* The same for numbers; 0 is none. What takes the place of a removed constraint has none. */
static void constraints_are_found_by_number(void)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_constraint_info info;
    spc_constraint c[3];
    spc_world *w = world_of_names(c, 3);
    CHECK_STATUS(spc_constraint_get_info(w, c[2], &info), SPC_OK);
    CHECK(info.id == 0);
    check_unknown(w, "", 0);
    CHECK_STATUS(spc_constraint_set_id(w, c[2], 7), SPC_OK);
    CHECK_STATUS(spc_constraint_set_id(w, c[1], 7), SPC_OK);
    CHECK_STATUS(spc_constraint_set_id(w, c[0], UINT_MAX), SPC_OK);
    check_numbered(w, 7, c[1]);
    check_numbered(w, UINT_MAX, c[0]);
    CHECK_STATUS(spc_constraint_get_info(w, c[2], &info), SPC_OK);
    CHECK(info.id == 7);
    d.b = info.b;
    CHECK_STATUS(spc_constraint_remove(w, c[1]), SPC_OK);
    check_numbered(w, 7, c[2]);
    CHECK_STATUS(spc_attachment_add(w, &d, &c[1]), SPC_OK);
    check_numbered(w, 7, c[2]);
    CHECK_STATUS(spc_constraint_set_id(w, c[2], 0), SPC_OK);
    check_unknown(w, "", 7);
    check_unknown(w, "none", 0);
    free(w);
}

static void searches_refuse_nulls_and_marks_refuse_stale_handles(void)
{
    spc_constraint c[1], none;
    spc_world *w = world_of_names(c, 1);
    memset(&none, 0, sizeof none);
    CHECK_STATUS(spc_constraint_find_name(NULL, "a", &none), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_find_name(w, NULL, &none), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_find_name(w, "a", NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_find_id(NULL, 1, &none), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_find_id(w, 1, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_set_id(NULL, c[0], 1), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_set_id(w, none, 1), SPC_ERROR_STALE_CONSTRAINT);
    CHECK_STATUS(spc_constraint_set_id(w, c[0], 1), SPC_OK);
    CHECK_STATUS(spc_constraint_remove(w, c[0]), SPC_OK);
    CHECK_STATUS(spc_constraint_set_id(w, c[0], 2), SPC_ERROR_STALE_CONSTRAINT);
    check_unknown(w, "a", 1);
    free(w);
}

/* --------------------------------------------------------------------------- enumeration ------ */

#define MOST_LISTED 5 /* one more than any world here holds of a kind of object */

static bool is_body(spc_body a, spc_body b)
{
    return a.index == b.index && a.generation == b.generation;
}

/* All bodies of a world are those given, in their order, and the search ends as it began. */
static void check_bodies(const spc_world *w, const spc_body *wanted, int count)
{
    spc_body body;
    int n = 0;
    body.index = body.generation = 0;
    while (n < MOST_LISTED && spc_body_next(w, &body)) {
        CHECK(n < count && is_body(body, wanted[n]));
        CHECK(spc_body_exists(w, body));
        n++;
    }
    CHECK(n == count);
    CHECK(count == 0 ? body.index == 0 : is_body(body, wanted[count - 1]));
}

/* The same for constraints. */
static void check_constraints(const spc_world *w, const spc_constraint *wanted, int count)
{
    spc_constraint c;
    int n = 0;
    c.index = c.generation = 0;
    while (n < MOST_LISTED && spc_constraint_next(w, &c)) {
        CHECK(n < count && is_bits(&c, &wanted[n], sizeof c));
        CHECK(spc_constraint_exists(w, c));
        n++;
    }
    CHECK(n == count);
}

/* In the order of slots, not of time; ground is none of them, kinematic bodies are. */
static void bodies_are_listed_in_the_order_of_their_handles(void)
{
    const spc_world_desc desc = spc_world_desc_default(4, 0);
    spc_body_desc d = spc_body_desc_default();
    spc_world *w = test_world(&desc);
    spc_body b[4], rest[2];
    int i;
    check_bodies(w, b, 0);
    d.mass = spc_mass_solid_sphere(1, 1);
    for (i = 0; i < 4; i++) {
        d.kind = i == 1 ? SPC_KINEMATIC : SPC_DYNAMIC;
        CHECK_STATUS(spc_body_add(w, &d, &b[i]), SPC_OK);
    }
    check_bodies(w, b, 4);
    CHECK_STATUS(spc_body_remove(w, b[0]), SPC_OK);
    check_bodies(w, b + 1, 3);
    CHECK_STATUS(spc_body_remove(w, b[2]), SPC_OK);
    CHECK_STATUS(spc_body_add(w, &d, &b[2]), SPC_OK); /* takes a place that became free */
    CHECK_STATUS(spc_body_add(w, &d, &b[0]), SPC_OK);
    check_bodies(w, b, 4);
    CHECK_STATUS(spc_body_remove(w, b[3]), SPC_OK);
    CHECK_STATUS(spc_body_remove(w, b[1]), SPC_OK);
    rest[0] = b[0], rest[1] = b[2];
    check_bodies(w, rest, 2);
    free(w);
}

/* What is removed on the way does not end it: a stale handle goes on with what follows. */
static void all_is_removed_while_it_is_listed(void)
{
    spc_constraint c[4], next;
    spc_world *w = world_of_names(c, 4);
    spc_body body;
    int n = 0;
    check_constraints(w, c, 4);
    CHECK_STATUS(spc_constraint_set_enabled(w, c[1], false), SPC_OK);
    check_constraints(w, c, 4); /* disabled ones, too */
    next.index = next.generation = 0;
    while (n < MOST_LISTED && spc_constraint_next(w, &next)) {
        CHECK_STATUS(spc_constraint_remove(w, next), SPC_OK);
        CHECK(is_bits(&next, &c[n], sizeof next));
        n++;
    }
    CHECK(n == 4);
    check_constraints(w, c, 0);
    body.index = body.generation = 0;
    CHECK(spc_body_next(w, &body));
    CHECK_STATUS(spc_body_remove(w, body), SPC_OK);
    CHECK(!spc_body_next(w, &body));
    check_bodies(w, &body, 0);
    free(w);
}

/* Handles of any numbers end it or go on, and do not reach beyond the world. */
static void lists_end_for_handles_of_nothing(void)
{
    spc_constraint c[1], next;
    spc_world *w = world_of_names(c, 1);
    spc_body body;
    CHECK(!spc_body_next(NULL, &body) && !spc_body_next(w, NULL));
    CHECK(!spc_constraint_next(NULL, &next) && !spc_constraint_next(w, NULL));
    memset(&body, PATTERN, sizeof body);
    memset(&next, PATTERN, sizeof next);
    CHECK(!spc_body_next(w, &body) && untouched(&body, sizeof body));
    CHECK(!spc_constraint_next(w, &next) && untouched(&next, sizeof next));
    body.index = UINT_MAX;
    CHECK(!spc_body_next(w, &body));
    free(w);
}

static void check_body_id(const spc_world *w, spc_body body, unsigned wanted)
{
    unsigned id = wanted + 1;
    CHECK_STATUS(spc_body_get_id(w, body, &id), SPC_OK);
    CHECK(id == wanted);
}

/* Numbers come with the description, change, and go with the body. */
static void bodies_are_found_by_number(void)
{
    const spc_world_desc desc = spc_world_desc_default(3, 0);
    spc_body_desc d = spc_body_desc_default();
    spc_world *w = test_world(&desc);
    spc_body b[3], found;
    int i;
    d.mass = spc_mass_solid_sphere(1, 1);
    for (i = 0; i < 3; i++) {
        d.id = i == 0 ? 0 : 7;
        CHECK_STATUS(spc_body_add(w, &d, &b[i]), SPC_OK);
        check_body_id(w, b[i], d.id);
    }
    CHECK_STATUS(spc_body_find_id(w, 7, &found), SPC_OK);
    CHECK(is_body(found, b[1]));
    CHECK_STATUS(spc_body_set_id(w, b[0], UINT_MAX), SPC_OK);
    CHECK_STATUS(spc_body_find_id(w, UINT_MAX, &found), SPC_OK);
    CHECK(is_body(found, b[0]));
    CHECK_STATUS(spc_body_remove(w, b[1]), SPC_OK);
    CHECK_STATUS(spc_body_find_id(w, 7, &found), SPC_OK);
    CHECK(is_body(found, b[2]));
    d.id = 0;
    CHECK_STATUS(spc_body_add(w, &d, &b[1]), SPC_OK); /* in its place, without its number */
    check_body_id(w, b[1], 0);
    CHECK_STATUS(spc_body_set_id(w, b[2], 0), SPC_OK);
    memset(&found, PATTERN, sizeof found);
    CHECK_STATUS(spc_body_find_id(w, 7, &found), SPC_ERROR_NOT_FOUND);
    CHECK_STATUS(spc_body_find_id(w, 0, &found), SPC_ERROR_NOT_FOUND);
    CHECK(untouched(&found, sizeof found));
    free(w);
}

static void numbers_of_bodies_refuse_what_is_no_body(void)
{
    const spc_world_desc desc = spc_world_desc_default(1, 0);
    spc_body_desc d = spc_body_desc_default();
    spc_world *w = test_world(&desc);
    unsigned id = 5;
    spc_body b;
    CHECK(d.id == 0);
    d.kind = SPC_KINEMATIC;
    CHECK_STATUS(spc_body_add(w, &d, &b), SPC_OK);
    CHECK_STATUS(spc_body_set_id(w, b, 3), SPC_OK);
    check_body_id(w, b, 3);
    check_body_id(w, ground, 0);
    CHECK_STATUS(spc_body_set_id(w, ground, 1), SPC_ERROR_GROUND);
    CHECK_STATUS(spc_body_set_id(NULL, b, 1), SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_get_id(NULL, b, &id), SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_get_id(w, b, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_find_id(NULL, 3, &b), SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_find_id(w, 3, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_remove(w, b), SPC_OK);
    CHECK_STATUS(spc_body_set_id(w, b, 1), SPC_ERROR_STALE_BODY);
    CHECK_STATUS(spc_body_get_id(w, b, &id), SPC_ERROR_STALE_BODY);
    CHECK_STATUS(spc_body_find_id(w, 3, &b), SPC_ERROR_NOT_FOUND);
    CHECK(id == 5);
    free(w);
}

/* A world's stabilization is that of what is added next; what is there keeps its own. */
static void a_worlds_stabilization_is_for_what_comes(void)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_stabilization s = spc_stabilization_default(), kept;
    spc_constraint c[2];
    spc_world *w = world_of_names(c, 1);
    CHECK_STATUS(spc_world_get_stabilization(w, &kept), SPC_OK);
    CHECK(kept.enabled && kept.ignore_position == 0);
    CHECK_NEAR(kept.time_constant, s.time_constant, 0);
    s.enabled = false;
    s.time_constant = 2;
    s.ignore_position = 63;
    s.ignore_velocity = 1;
    CHECK_STATUS(spc_world_set_stabilization(w, &s), SPC_OK);
    CHECK_STATUS(spc_world_get_stabilization(w, &kept), SPC_OK);
    CHECK_NEAR(kept.time_constant, 2, 0);
    CHECK(!kept.enabled && kept.ignore_position == 63 && kept.ignore_velocity == 1);
    CHECK_STATUS(spc_constraint_remove(w, c[0]), SPC_OK);
    d.b.index = d.b.generation = 0;
    CHECK(spc_body_next(w, &d.b));
    CHECK_STATUS(spc_attachment_add(w, &d, &c[1]), SPC_OK);
    CHECK_STATUS(spc_constraint_get_stabilization(w, c[1], &kept), SPC_OK);
    CHECK_NEAR(kept.time_constant, 2, 0);
    CHECK(!kept.enabled && kept.ignore_position == 63);
    s = spc_stabilization_default();
    CHECK_STATUS(spc_world_set_stabilization(w, &s), SPC_OK);
    CHECK_STATUS(spc_constraint_get_stabilization(w, c[1], &kept), SPC_OK);
    CHECK(!kept.enabled && kept.ignore_velocity == 1);
    free(w);
}

static void bad_stabilization_of_a_world_is_not_set(void)
{
    const spc_stabilization good = spc_stabilization_default();
    spc_constraint c[1];
    spc_world *w = world_of_names(c, 1);
    void *before = malloc(spc_world_snapshot_size(w));
    spc_stabilization s = good;
    memcpy(before, w, spc_world_snapshot_size(w));
    CHECK_STATUS(spc_world_get_stabilization(NULL, &s), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_stabilization(w, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_set_stabilization(NULL, &s), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_set_stabilization(w, NULL), SPC_ERROR_NULL);
    s.time_constant = (spc_real)NAN;
    CHECK_STATUS(spc_world_set_stabilization(w, &s), SPC_ERROR_NOT_FINITE);
    s.time_constant = 0;
    CHECK_STATUS(spc_world_set_stabilization(w, &s), SPC_ERROR_BAD_TIME_CONSTANT);
    s = good;
    s.ignore_position = 64; /* there are six rows at most */
    CHECK_STATUS(spc_world_set_stabilization(w, &s), SPC_ERROR_BAD_OPTION);
    CHECK(memcmp(before, w, spc_world_snapshot_size(w)) == 0);
    free(before);
    free(w);
}

/* ------------------------------------------------------------------------------- forces ------- */

/* The same torque and force, in the axes of the body that they act on. */
static void check_turned(const scene *s, spc_body body, spc_spatial in_G, spc_spatial in_body)
{
    const spc_mat3 R = spc_mat3_from_quat(state_of(s->world, body).X_GB.q);
    double got[6], want[6];
    put_spatial(spc_spatial_make(spc_mat3_mul(R, in_body.angular), spc_mat3_mul(R, in_body.linear)),
                got);
    put_spatial(in_G, want);
    CHECK_NEAR(relative(got, want, 6), 0, 16 * TEST_EPSILON);
}

static void forces_are_told_in_the_axes_of_the_bodies_too(void)
{
    int turn, k, pushed = 0;
    for (turn = 0; turn < 10; turn++) {
        scene s;
        random_scene(&s, 4);
        CHECK(spc_world_forward_dynamics(s.world) <= 0);
        for (k = 0; k < s.constraints; k++) {
            const spc_constraint_info info = info_of(&s, k);
            spc_contact_force f;
            memset(&f, PATTERN, sizeof f);
            CHECK_STATUS(spc_constraint_get_forces(s.world, s.constraint[k], &f), SPC_OK);
            check_turned(&s, info.a, f.on_a, f.on_a_A);
            check_turned(&s, info.b, f.on_b, f.on_b_B);
            pushed += spc_norm(f.on_b_B.linear) > 0 || spc_norm(f.on_b_B.angular) > 0;
        }
        free(s.world);
    }
    CHECK(pushed > 20);
}

static const test_entry tests[] = {
    TEST(random_worlds_have_the_dynamics_of_their_dense_systems),
    TEST(rows_are_projected_onto_any_coordinates),
    TEST(rows_of_a_kind_of_ones_own_hold_a_pendulum),
    TEST(an_arm_in_its_own_coordinates_accelerates_as_bodies_on_hinges),
    TEST(rows_of_bodies_without_accelerations_keep_their_bias),
    TEST(a_constraint_writes_its_rows_of_a_system),
    TEST(columns_belong_to_handle_indices),
    TEST(parts_of_a_system_that_are_not_wanted_are_null),
    TEST(stabilization_is_added_to_the_constraints_own_rows),
    TEST(a_whole_system_is_met_by_forward_dynamics),
    TEST(rows_outside_of_a_system_are_refused),
    TEST(a_constraint_without_rows_fits_anywhere),
    TEST(constraints_are_found_by_name),
    TEST(constraints_are_found_by_number),
    TEST(searches_refuse_nulls_and_marks_refuse_stale_handles),
    TEST(bodies_are_listed_in_the_order_of_their_handles),
    TEST(all_is_removed_while_it_is_listed),
    TEST(lists_end_for_handles_of_nothing),
    TEST(bodies_are_found_by_number),
    TEST(numbers_of_bodies_refuse_what_is_no_body),
    TEST(a_worlds_stabilization_is_for_what_comes),
    TEST(bad_stabilization_of_a_world_is_not_set),
    TEST(forces_are_told_in_the_axes_of_the_bodies_too),
};

TEST_MAIN
