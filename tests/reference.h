/* Scenes of bodies and constraints, and what they must do, in wider numbers: the model of a world
   (masses, forces and rows at the centres of mass), its accelerations by recursion from leaves to
   root where it is a tree, and by dense elimination with a choice of independent rows where it is
   not. Rows come from the kernels; nothing comes from the solver. */
#ifndef SPC_REFERENCE_H
#define SPC_REFERENCE_H

#include "jointed.h"

#include <float.h>

/* Not with WebAssembly, whose 113 bits by software let a cantilever move in the recursion below,
   and nowhere else: double is right there, and no reference. */
#ifdef __wasm__
typedef double wide;
#define WIDE_DIGITS DBL_MANT_DIG
#define WIDE_EPSILON DBL_EPSILON
#else
typedef long double wide;
#define WIDE_DIGITS LDBL_MANT_DIG
#define WIDE_EPSILON LDBL_EPSILON
#endif

#ifdef SPC_USE_FLOAT
#define REAL_DIGITS FLT_MANT_DIG
#else
#define REAL_DIGITS DBL_MANT_DIG
#endif

/* Are these wider than spc_real? Where it is not, it is no reference. */
static inline bool reference_is_wider(void)
{
    return WIDE_DIGITS > REAL_DIGITS;
}

/* ------------------------------------------------------------------------------ scenes ------- */

/* An empty world with gravity along -z and room for loops. */
static inline scene scene_make(int bodies, int joints)
{
    spc_world_desc d = spc_world_desc_default(bodies, joints);
    d.rows = 6 * joints;
    d.solver_bytes += 8000 * (size_t)joints + 200000;
    d.gravity = vec(0, 0, -GRAVITY);
    return scene_of(&d);
}

/* The size of a joint's force [N]. */
static inline double load_of(const scene *s, int joint)
{
    return length(force_of(s, joint).force_G);
}

static inline spc_world_report report_of(const scene *s)
{
    spc_world_report report;
    memset(&report, 0, sizeof report);
    CHECK_STATUS(spc_world_get_report(s->world, &report), SPC_OK);
    return report;
}

static inline int add_body(scene *s, spc_mass mass, spc_state state)
{
    spc_body_desc b = spc_body_desc_default();
    b.mass = mass;
    b.state = state;
    CHECK_STATUS(spc_body_add(s->world, &b, &s->body[s->bodies]), SPC_OK);
    CHECK(s->body[s->bodies].index == (unsigned)s->bodies + 1);
    return s->bodies++;
}

/* A body at rest at p, with the axes of ground. */
static inline int add_at(scene *s, spc_mass mass, spc_vec3 p)
{
    spc_state state = spc_state_identity();
    state.X_GB.p = p;
    return add_body(s, mass, state);
}

/* A disc of a body's z axis that rolls on ground's plane z = 0. */
static inline int add_tread(scene *s, int body, double radius)
{
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    d.disc = handle_of(s, body);
    d.shape.radius = (spc_real)radius;
    d.shape.axis_B = vec(0, 0, 1);
    CHECK_STATUS(spc_rolling_disc_add(s->world, &d, &s->joint[s->joints]), SPC_OK);
    return s->joints++;
}

static inline void set_stabilization(const scene *s, bool enabled)
{
    spc_stabilization on = spc_stabilization_default();
    int i;
    on.enabled = enabled;
    for (i = 0; i < s->joints; i++)
        CHECK_STATUS(spc_constraint_set_stabilization(s->world, s->joint[i], &on), SPC_OK);
}

/* Moves every body by numbers of the size of a drift: pulls joints apart without building them so.
   The same seed gives the same directions for every size. */
static inline void drift(const scene *s, double size)
{
    int i;
    for (i = 0; i < s->bodies; i++) {
        spc_transform X = state_of(s, i).X_GB;
        const spc_vec3 turn = test_random_vec3(size);
        X.q = spc_quat_mul(spc_quat_from_rotation_vector(turn), X.q);
        X.p = spc_add(X.p, test_random_vec3(size));
        CHECK_STATUS(spc_body_set_pose(s->world, s->body[i], X), SPC_OK);
    }
}

/* ---------------------------------------------------------------- scenes with redundancy ----- */

#define WHEEL 0.2   /* mass of each wheel [kg] */
#define RADIUS 0.05 /* of each wheel [m] */
#define TRACK 0.12  /* from the middle to each wheel [m] */
#define BEHIND 0.03 /* the chassis' centre of mass behind the axle [m] */
#define KNOB 0.12   /* the knob behind the axle [m] */

#define RIGHT_TREAD 3 /* constraints in the order in which they are added */

/* Two wheels on hinges under a chassis of `ratio` times the mass of one, with a knob that slides
   without friction, turning on the spot; one wheel is turned away from its hinge by a tilt. */
static inline scene robot(double turning, double ratio, double tilt)
{
    spc_sphere_on_plane_desc knob = spc_sphere_on_plane_desc_default();
    scene s = scene_make(3, 5);
    spc_mass mass = spc_mass_box((spc_real)(WHEEL * ratio), vec(0.15, 0.1, 0.03));
    spc_state state = spc_state_identity();
    int i;
    mass.p_BBc = vec(-BEHIND, 0, 0);
    state.X_GB.p = vec(0, 0, RADIUS);
    state.V_GB.angular = vec(0, 0, turning);
    add_body(&s, mass, state);
    for (i = 0; i < 2; i++) {
        const double y = i ? -TRACK : TRACK;
        state = spc_state_identity();
        CHECK_STATUS(spc_quat_from_two_vectors(vec(0, 0, 1), vec(0, 1, 0), &state.X_GB.q), SPC_OK);
        state.X_GB.p = vec(0, y, RADIUS);
        state.V_GB.angular = vec(0, -turning * y / RADIUS, turning);
        state.V_GB.linear = vec(-turning * y, 0, 0);
        add_body(&s, spc_mass_cylinder((spc_real)WHEEL, (spc_real)RADIUS, SPC_R(0.01)), state);
        join(&s, 0, i + 1, state.X_GB.p, vec(0, 1, 0), SPC_HINGE);
        add_tread(&s, i + 1, RADIUS);
    }
    state.X_GB.p = vec(0, TRACK, RADIUS);
    CHECK_STATUS(spc_quat_from_two_vectors(vec(0, 0, 1), vec(0, 1, 0), &state.X_GB.q), SPC_OK);
    state.X_GB.q =
        spc_quat_mul(spc_quat_from_rotation_vector(vec(tilt, 0, 0.7 * tilt)), state.X_GB.q);
    CHECK_STATUS(spc_body_set_pose(s.world, s.body[1], state.X_GB), SPC_OK);
    knob.ball = s.body[0];
    knob.shape.p_BS = vec(-KNOB, 0, 0.02 - RADIUS);
    knob.shape.rolling = false;
    knob.shape.radius = SPC_R(0.02);
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &knob, &s.joint[s.joints]), SPC_OK);
    s.joints++;
    return s;
}

/* A door between two free boxes, on up to three hinges of one axis. */
static inline scene door(int hinges)
{
    static const double height[3] = { -0.5, 0.5, 0 };
    scene s = scene_make(2, hinges);
    spc_state state = spc_state_identity();
    int i;
    CHECK_STATUS(spc_world_set_gravity(s.world, vec(0, 0, 0)), SPC_OK);
    add_body(&s, spc_mass_box(5, vec(0.1, 0.2, 1)), state);
    state.X_GB.p = vec(0.4, 0, 0);
    state.V_GB = spc_spatial_make(vec(0.3, 0, 4), vec(0, 1.6, 0));
    add_body(&s, spc_mass_box(2, vec(0.4, 0.02, 1)), state);
    for (i = 0; i < hinges; i++)
        join(&s, 0, 1, vec(0, 0, height[i]), vec(0, 0, 1), SPC_HINGE);
    return s;
}

/* A chassis of 10 kg on four wheels on a floor that falls towards +x. */
static inline scene wagon(double L, double wheel)
{
    scene s = scene_make(5, 8);
    int i;
    CHECK_STATUS(spc_world_set_gravity(s.world, vec(1.7, 0, -9.66)), SPC_OK);
    add_at(&s, spc_mass_box(10, vec(L / 2, 0.3 * L, L / 10)), vec(0, 0, 0.3 * L));
    for (i = 0; i < 4; i++) {
        spc_state state = spc_state_identity();
        state.X_GB.p = vec(i / 2 ? -0.4 * L : 0.4 * L, i % 2 ? 0.35 * L : -0.35 * L, L / 10);
        state.X_GB.q = spc_quat_from_rotation_vector(vec(-1.5707963267948966, 0, 0));
        add_body(&s, spc_mass_disc((spc_real)wheel, (spc_real)(L / 10)), state);
        add_tread(&s, i + 1, L / 10);
        join(&s, 0, i + 1, state.X_GB.p, vec(0, 1, 0), SPC_HINGE);
    }
    return s;
}

/* Cranks of 1 m upright on ground, a coupler from the top of each to the next, hinges about z. */
static inline scene four_bars(int windows, double coupler)
{
    scene s = scene_make(2 * windows + 1, 3 * windows + 1);
    const spc_vec3 z = vec(0, 0, 1);
    int i;
    CHECK_STATUS(spc_world_set_gravity(s.world, vec(1, -GRAVITY, 0.5)), SPC_OK);
    for (i = 0; i <= windows; i++) {
        add_at(&s, spc_mass_box(1, vec(0.05, 0.5, 0.05)), vec(i, 0.5, 0));
        join(&s, GROUND, i, vec(i, 0, 0), z, SPC_HINGE);
    }
    for (i = 0; i < windows; i++) {
        const int rod =
            add_at(&s, spc_mass_box((spc_real)coupler, vec(0.5, 0.05, 0.05)), vec(i + 0.5, 1, 0));
        join(&s, i, rod, vec(i, 1, 0), z, SPC_HINGE);
        join(&s, i + 1, rod, vec(i + 1, 1, 0), z, SPC_HINGE);
    }
    return s;
}

/* ------------------------------------------------------------------------------- models ------- */

/* A body about its centre of mass: M (angular, acceleration of the centre) = f without constraints.
   The origin's acceleration is that of the centre - alpha x arm - centripetal. */
typedef struct model_body {
    wide I[9], mass, f[6], arm[3], centripetal[3], size;
} model_body;

/* Rows between bodies a and b (or ground): Ja x_a + Jb x_b = rho. */
typedef struct model_rows {
    int a, b, count, row[6];
    wide Ja[6][6], Jb[6][6], rho[6];
} model_rows;

typedef struct model {
    int bodies, joints;
    model_body *body;
    model_rows *rows;
} model;

static inline void wide_cross(const wide *a, const wide *b, wide *out)
{
    const wide x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
}

static inline void wide_vec3(spc_vec3 v, wide *out)
{
    out[0] = (wide)v.x;
    out[1] = (wide)v.y;
    out[2] = (wide)v.z;
}

/* R of a quaternion whose length is 1 but for rounding, by rows. */
static inline void wide_rotation(spc_quat q, wide *R)
{
    const wide w = (wide)q.w, x = (wide)q.x, y = (wide)q.y, z = (wide)q.z;
    const wide two = 2 / (w * w + x * x + y * y + z * z);
    R[0] = 1 - two * (y * y + z * z);
    R[1] = two * (x * y - w * z);
    R[2] = two * (x * z + w * y);
    R[3] = two * (x * y + w * z);
    R[4] = 1 - two * (x * x + z * z);
    R[5] = two * (y * z - w * x);
    R[6] = two * (x * z - w * y);
    R[7] = two * (y * z + w * x);
    R[8] = 1 - two * (x * x + y * y);
}

/* out = R I R^T */
static inline void wide_turn_inertia(const wide *R, spc_inertia I, wide *out)
{
    wide B[9];
    int i, j, k, l;
    B[0] = (wide)I.xx;
    B[4] = (wide)I.yy;
    B[8] = (wide)I.zz;
    B[1] = B[3] = (wide)I.xy;
    B[2] = B[6] = (wide)I.xz;
    B[5] = B[7] = (wide)I.yz;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            for (out[3 * i + j] = 0, k = 0; k < 3; k++)
                for (l = 0; l < 3; l++)
                    out[3 * i + j] += R[3 * i + k] * B[3 * k + l] * R[3 * j + l];
}

static inline void wide_rotate(const wide *R, const wide *v, wide *out)
{
    int i;
    for (i = 0; i < 3; i++)
        out[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
}

static inline void model_body_find(const scene *s, int i, model_body *b)
{
    const spc_state state = state_of(s, i);
    wide R[9], p[3], w[3], g[3], L[3];
    spc_mass mass;
    int k;
    memset(&mass, 0, sizeof mass);
    CHECK_STATUS(spc_body_get_mass(s->world, s->body[i], &mass), SPC_OK);
    wide_rotation(state.X_GB.q, R);
    wide_turn_inertia(R, mass.inertia, b->I);
    b->mass = (wide)mass.mass;
    wide_vec3(mass.p_BBc, p);
    wide_rotate(R, p, b->arm);
    wide_vec3(state.V_GB.angular, w);
    wide_vec3(spc_world_gravity(s->world), g);
    wide_rotate(b->I, w, L);
    wide_cross(L, w, b->f); /* - w x I w */
    for (k = 0; k < 3; k++)
        b->f[3 + k] = b->mass * g[k];
    wide_cross(w, b->arm, L);
    wide_cross(w, L, b->centripetal);
    b->size = sqrtl((b->I[0] + b->I[4] + b->I[8]) / (3 * b->mass));
}

/* A row's Jacobian to a body, from its origin to its centre of mass; gives what J does with the
   centripetal part of the origin's acceleration. */
static inline wide model_jacobian(const model_body *b, spc_spatial J, wide *out)
{
    wide moment[3], sum = 0;
    int k;
    wide_vec3(J.angular, out);
    wide_vec3(J.linear, out + 3);
    wide_cross(b->arm, out + 3, moment);
    for (k = 0; k < 3; k++) {
        out[k] -= moment[k];
        sum += out[3 + k] * b->centripetal[k];
    }
    return sum;
}

static inline void model_rows_find(const scene *s, const model *m, int i, model_rows *r)
{
    spc_real terms[SPC_MAX_ROWS];
    spc_stabilization stabilization = spc_stabilization_default();
    spc_constraint_info info;
    spc_rows rows;
    int k;
    memset(&info, 0, sizeof info);
    memset(&rows, 0, sizeof rows);
    memset(r, 0, sizeof *r);
    CHECK_STATUS(spc_constraint_get_info(s->world, s->joint[i], &info), SPC_OK);
    CHECK_STATUS(spc_constraint_get_rows(s->world, s->joint[i], &rows), SPC_OK);
    CHECK_STATUS(spc_constraint_get_stabilization(s->world, s->joint[i], &stabilization), SPC_OK);
    spc_stabilization_terms(&stabilization, &rows, 0, terms);
    r->a = (int)info.a.index - 1;
    r->b = (int)info.b.index - 1;
    for (k = 0; k < rows.count; k++) {
        const int n = r->count;
        if (!(rows.enforced >> k & 1u))
            continue;
        r->rho[n] = (wide)terms[k] - (wide)rows.jdot_v[k];
        if (r->a != GROUND)
            r->rho[n] += model_jacobian(&m->body[r->a], rows.jacobian_a[k], r->Ja[n]);
        if (r->b != GROUND)
            r->rho[n] += model_jacobian(&m->body[r->b], rows.jacobian_b[k], r->Jb[n]);
        r->row[n] = k;
        r->count++;
    }
}

static inline model model_make(const scene *s)
{
    model m;
    int i;
    m.bodies = s->bodies;
    m.joints = s->joints;
    m.body = (model_body *)malloc((size_t)(s->bodies + 1) * sizeof *m.body);
    m.rows = (model_rows *)malloc((size_t)(s->joints + 1) * sizeof *m.rows);
    for (i = 0; i < s->bodies; i++)
        model_body_find(s, i, &m.body[i]);
    for (i = 0; i < s->joints; i++)
        model_rows_find(s, &m, i, &m.rows[i]);
    return m;
}

static inline void model_free(model *m)
{
    free(m->body);
    free(m->rows);
}

/* One rounding of spc_real in every number of the rows, in random directions: how far a result may
   be off though nothing was done wrong. */
static inline void model_round(model *m)
{
    int i, k, l;
    for (i = 0; i < m->joints; i++)
        for (k = 0; k < m->rows[i].count; k++)
            for (l = 0; l < 6; l++) {
                m->rows[i].Ja[k][l] *= 1 + (wide)test_random(-TEST_EPSILON, TEST_EPSILON);
                m->rows[i].Jb[k][l] *= 1 + (wide)test_random(-TEST_EPSILON, TEST_EPSILON);
            }
}

/* ---------------------------------------------------------------------------- recursion ------- */

/* A = L L^T of n x n by rows with stride 6, in place; the upper triangle is not read. */
static inline void wide_cholesky(wide *A, int n)
{
    int i, j, k;
    for (j = 0; j < n; j++) {
        for (k = 0; k < j; k++)
            A[6 * j + j] -= A[6 * j + k] * A[6 * j + k];
        A[6 * j + j] = sqrtl(A[6 * j + j]);
        for (i = j + 1; i < n; i++) {
            for (k = 0; k < j; k++)
                A[6 * i + j] -= A[6 * i + k] * A[6 * j + k];
            A[6 * i + j] /= A[6 * j + j];
        }
    }
}

static inline void wide_forward(const wide *L, int n, wide *x)
{
    int i, k;
    for (i = 0; i < n; i++) {
        for (k = 0; k < i; k++)
            x[i] -= L[6 * i + k] * x[k];
        x[i] /= L[6 * i + i];
    }
}

static inline void wide_backward(const wide *L, int n, wide *x)
{
    int i, k;
    for (i = n - 1; i >= 0; i--) {
        for (k = i + 1; k < n; k++)
            x[i] -= L[6 * k + i] * x[k];
        x[i] /= L[6 * i + i];
    }
}

static inline wide wide_dot(const wide *a, const wide *b, int n)
{
    wide sum = 0;
    int i;
    for (i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Body and joint of the recursion: L of H, then L of S = J H^-1 J^T, with what is left for h and
   for the joint when what hangs below is eliminated. */
typedef struct branch {
    wide H[36], h[6], S[36], t[6];
    int joint;
} branch;

static inline void branch_start(const model_body *b, branch *q)
{
    int i, j;
    memset(q, 0, sizeof *q);
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 3; j++)
            q->H[6 * i + j] = b->I[3 * i + j];
        q->H[7 * (3 + i)] = b->mass;
    }
    memcpy(q->h, b->f, sizeof q->h);
    q->joint = -1;
}

/* Eliminates a body and its joint to the parent (NULL: ground):
   H_p += J_p^T S^-1 J_p,  h_p -= J_p^T S^-1 (J_c H^-1 h - rho). */
static inline void branch_eliminate(branch *q, const model_rows *r, branch *parent)
{
    wide W[6][6], U[6][6], y[6];
    int i, j, k;
    wide_cholesky(q->H, 6);
    if (!r)
        return;
    memcpy(y, q->h, sizeof y);
    wide_forward(q->H, 6, y);
    for (i = 0; i < r->count; i++) {
        memcpy(W[i], r->Jb[i], sizeof W[i]);
        wide_forward(q->H, 6, W[i]);
        q->t[i] = wide_dot(W[i], y, 6) - r->rho[i];
        for (j = 0; j <= i; j++)
            q->S[6 * i + j] = wide_dot(W[i], W[j], 6);
    }
    wide_cholesky(q->S, r->count);
    if (!parent)
        return;
    memcpy(y, q->t, sizeof y);
    wide_forward(q->S, r->count, y);
    for (k = 0; k < 6; k++) {
        for (i = 0; i < r->count; i++)
            U[k][i] = r->Ja[i][k];
        wide_forward(q->S, r->count, U[k]);
        parent->h[k] -= wide_dot(U[k], y, r->count);
        for (j = 0; j <= k; j++)
            parent->H[6 * k + j] += wide_dot(U[k], U[j], r->count);
    }
}

/* lambda = S^-1 (t + J_p x_p),  x = H^-1 (h - J_c^T lambda) */
static inline void branch_solve(branch *q, const model_rows *r, const wide *x_parent, wide *x,
                                wide *lambda)
{
    int i, k;
    memcpy(x, q->h, sizeof q->h);
    for (i = 0; r && i < r->count; i++)
        lambda[i] = q->t[i] + (x_parent ? wide_dot(r->Ja[i], x_parent, 6) : 0);
    if (r) {
        wide_forward(q->S, r->count, lambda);
        wide_backward(q->S, r->count, lambda);
    }
    for (i = 0; r && i < r->count; i++)
        for (k = 0; k < 6; k++)
            x[k] -= r->Jb[i][k] * lambda[i];
    wide_forward(q->H, 6, x);
    wide_backward(q->H, 6, x);
}

static inline void tree_pass(const model *m, wide *x, wide *lambda)
{
    branch *q = (branch *)malloc((size_t)m->bodies * sizeof *q);
    int i;
    for (i = 0; i < m->bodies; i++)
        branch_start(&m->body[i], &q[i]);
    for (i = 0; i < m->joints; i++)
        q[m->rows[i].b].joint = i;
    for (i = m->bodies - 1; i >= 0; i--) {
        const model_rows *r = q[i].joint < 0 ? NULL : &m->rows[q[i].joint];
        branch_eliminate(&q[i], r, r && r->a != GROUND ? &q[r->a] : NULL);
    }
    for (i = 0; i < m->bodies; i++) {
        const model_rows *r = q[i].joint < 0 ? NULL : &m->rows[q[i].joint];
        branch_solve(&q[i], r, r && r->a != GROUND ? x + 6 * r->a : NULL, x + 6 * i,
                     r ? lambda + 6 * q[i].joint : NULL);
    }
    free(q);
}

/* f - M x - J^T lambda in place of f, rho - J x in place of rho. */
static inline void model_subtract(model *m, const wide *x, const wide *lambda)
{
    int i, k, l;
    for (i = 0; i < m->bodies; i++)
        for (k = 0; k < 3; k++) {
            m->body[i].f[k] -= wide_dot(m->body[i].I + 3 * k, x + 6 * i, 3);
            m->body[i].f[3 + k] -= m->body[i].mass * x[6 * i + 3 + k];
        }
    for (i = 0; i < m->joints; i++) {
        model_rows *r = &m->rows[i];
        for (k = 0; k < r->count; k++)
            for (l = 0; l < 6; l++) {
                if (r->a != GROUND) {
                    m->body[r->a].f[l] -= r->Ja[k][l] * lambda[6 * i + k];
                    r->rho[k] -= r->Ja[k][l] * x[6 * r->a + l];
                }
                if (r->b != GROUND) {
                    m->body[r->b].f[l] -= r->Jb[k][l] * lambda[6 * i + k];
                    r->rho[k] -= r->Jb[k][l] * x[6 * r->b + l];
                }
            }
    }
}

static inline model model_copy(const model *m)
{
    model c = *m;
    c.body = (model_body *)malloc((size_t)(m->bodies + 1) * sizeof *c.body);
    c.rows = (model_rows *)malloc((size_t)(m->joints + 1) * sizeof *c.rows);
    memcpy(c.body, m->body, (size_t)m->bodies * sizeof *c.body);
    memcpy(c.rows, m->rows, (size_t)m->joints * sizeof *c.rows);
    return c;
}

/* Accelerations x (6 for each body: angular, of the centre of mass) and multipliers (6 places for
   each joint) of a tree whose joints go from a parent, or ground, to a body that was added later
   and has no other joint to a parent. Articulated bodies as Featherstone has them, in maximal
   coordinates: linear in the number of bodies, sums only between bodies; twice refined. */
static inline void tree_solve(const model *m, wide *x, wide *lambda)
{
    const size_t n = (size_t)(6 * m->bodies), rows = (size_t)(6 * m->joints);
    wide *dx = (wide *)calloc(n, sizeof *dx), *dl = (wide *)calloc(rows + 1, sizeof *dl);
    size_t i;
    int turn;
    memset(lambda, 0, rows * sizeof *lambda);
    tree_pass(m, x, lambda);
    for (turn = 0; turn < 2; turn++) {
        model r = model_copy(m);
        model_subtract(&r, x, lambda);
        tree_pass(&r, dx, dl);
        for (i = 0; i < n; i++)
            x[i] += dx[i];
        for (i = 0; i < rows; i++)
            lambda[i] += dl[i];
        model_free(&r);
    }
    free(dx);
    free(dl);
}

/* Acceleration of a body's origin from that of its centre, in place: a_c - alpha x arm - ... */
static inline void model_to_origins(const model *m, wide *x)
{
    wide swing[3];
    int i, k;
    for (i = 0; i < m->bodies; i++) {
        wide_cross(x + 6 * i, m->body[i].arm, swing);
        for (k = 0; k < 3; k++)
            x[6 * i + 3 + k] -= swing[k] + m->body[i].centripetal[k];
    }
}

/* Largest difference between the world's accelerations and these of the origins: of a point, and of
   an angle times a length (0: the body's own size). */
static inline double acceleration_error(const scene *s, const model *m, const wide *x, double size)
{
    double most = 0;
    int i, k;
    for (i = 0; i < m->bodies; i++) {
        const spc_spatial A = acceleration_of(s, i);
        const double arm = size > 0 ? size : (double)m->body[i].size;
        wide a[6];
        wide_vec3(A.angular, a);
        wide_vec3(A.linear, a + 3);
        for (k = 0; k < 6; k++) {
            const double error = fabs((double)(a[k] - x[6 * i + k])) * (k < 3 ? arm : 1);
            most = fmax(most, error >= 0 ? error : HUGE_VAL); /* a NaN counts */
        }
    }
    return most;
}

/* -------------------------------------------------------------------------------- dense ------ */

#define MOST_COLUMNS 72
#define MOST_ROWS 156

/* All rows of a model at once. Which of them are independent is asked of lengths alone: masses,
   which have no say in it, are left out, and every body is measured by its own radius of gyration.
   */
typedef struct dense {
    int columns, rows, rank;
    int place[MOST_ROWS]; /* 6 joint + row, in multipliers */
    int order[MOST_ROWS]; /* the chosen ones first */
    wide G[MOST_ROWS][MOST_COLUMNS], rho[MOST_ROWS];
    wide Q[MOST_ROWS][MOST_COLUMNS]; /* what the chosen ones leave of each */
    wide T[MOST_ROWS][MOST_ROWS];    /* Q = T G, with G in those lengths */
    wide Z[MOST_ROWS][MOST_ROWS];    /* orthonormal null vectors of G^T, by rows */
    double accepted, dropped;        /* what was left of the last one chosen, of the next one */
    double pivot;                    /* smallest pivot of the chosen ones over its gross */
    double contradiction;            /* largest number that least squares take off rho */
} dense;

static inline void dense_load(const model *m, dense *d)
{
    int i, k, l;
    memset(d, 0, sizeof *d);
    d->columns = 6 * m->bodies;
    for (i = 0; i < m->joints; i++)
        for (k = 0; k < m->rows[i].count; k++, d->rows++) {
            const model_rows *r = &m->rows[i];
            for (l = 0; l < 6; l++) {
                if (r->a != GROUND)
                    d->G[d->rows][6 * r->a + l] = r->Ja[k][l];
                if (r->b != GROUND)
                    d->G[d->rows][6 * r->b + l] = r->Jb[k][l];
            }
            d->rho[d->rows] = r->rho[k];
            d->place[d->rows] = 6 * i + k;
            d->order[d->rows] = d->rows;
        }
}

/* x -= (x . q) q of n numbers, and the same in the combinations that they are. */
static inline void take_away(const wide *q, wide *x, int n, const wide *q_T, wide *x_T, int rows)
{
    const wide part = wide_dot(q, x, n);
    int i;
    for (i = 0; i < n; i++)
        x[i] -= part * q[i];
    for (i = 0; x_T && i < rows; i++)
        x_T[i] -= part * q_T[i];
}

static inline void scale_numbers(wide factor, wide *x, int n)
{
    int i;
    for (i = 0; i < n; i++)
        x[i] *= factor;
}

/* Puts the row of which most is left at place k of the order; gives how much that is. */
static inline double dense_pivot(dense *d, int k)
{
    wide most = -1;
    int i, best = k, row;
    for (i = k; i < d->rows; i++) {
        const wide size = wide_dot(d->Q[d->order[i]], d->Q[d->order[i]], d->columns);
        if (size > most) {
            most = size;
            best = i;
        }
    }
    row = d->order[best];
    d->order[best] = d->order[k];
    d->order[k] = row;
    return sqrt((double)most);
}

/* Chooses independent rows, each time the one of which the others leave most, down to `noise`. */
static inline void dense_choose(const model *m, dense *d, double noise)
{
    int i, k;
    for (i = 0; i < d->rows; i++) {
        for (k = 0; k < d->columns; k++)
            d->Q[i][k] = d->G[i][k] / (k % 6 < 3 ? m->body[k / 6].size : 1);
        d->T[i][i] = 1 / sqrtl(wide_dot(d->Q[i], d->Q[i], d->columns));
        scale_numbers(d->T[i][i], d->Q[i], d->columns);
    }
    d->accepted = 1;
    for (d->rank = 0; d->rank < d->rows; d->rank++) {
        const double left = dense_pivot(d, d->rank);
        wide *q = d->Q[d->order[d->rank]], *t = d->T[d->order[d->rank]], one;
        d->dropped = left;
        if (!(left > noise))
            return;
        d->accepted = left;
        for (k = 0; k < d->rank; k++)
            take_away(d->Q[d->order[k]], q, d->columns, d->T[d->order[k]], t, d->rows);
        one = 1 / sqrtl(wide_dot(q, q, d->columns));
        scale_numbers(one, q, d->columns);
        scale_numbers(one, t, d->rows);
        for (i = d->rank + 1; i < d->rows; i++)
            take_away(q, d->Q[d->order[i]], d->columns, t, d->T[d->order[i]], d->rows);
    }
    d->dropped = 0;
}

/* Null vectors of G^T from the combinations of which nothing is left, made orthonormal twice. */
static inline void dense_null_vectors(dense *d)
{
    const int count = d->rows - d->rank;
    int i, k, turn;
    for (i = 0; i < count; i++) {
        memcpy(d->Z[i], d->T[d->order[d->rank + i]], sizeof d->Z[i]);
        for (turn = 0; turn < 2; turn++) {
            for (k = 0; k < i; k++)
                take_away(d->Z[k], d->Z[i], d->rows, NULL, NULL, 0);
            scale_numbers(1 / sqrtl(wide_dot(d->Z[i], d->Z[i], d->rows)), d->Z[i], d->rows);
        }
    }
}

/* Takes the part of v along the null vectors away; gives the largest change. */
static inline double dense_project(const dense *d, wide *v)
{
    wide before[MOST_ROWS];
    double most = 0;
    int i;
    memcpy(before, v, sizeof before);
    for (i = 0; i < d->rows - d->rank; i++)
        take_away(d->Z[i], v, d->rows, NULL, NULL, 0);
    for (i = 0; i < d->rows; i++)
        most = fmax(most, fabs((double)(v[i] - before[i])));
    return most;
}

#define MOST_UNKNOWNS (2 * MOST_COLUMNS)

/* [ M G^T; G 0 ] of the chosen rows; unknowns times `scale` are of like sizes. */
typedef struct kkt {
    int n;
    int pivot[MOST_UNKNOWNS];
    wide A[MOST_UNKNOWNS][MOST_UNKNOWNS], LU[MOST_UNKNOWNS][MOST_UNKNOWNS];
    wide scale[MOST_UNKNOWNS];
} kkt;

static inline void kkt_load(const model *m, const dense *d, kkt *K)
{
    int i, j, k;
    memset(K, 0, sizeof *K);
    K->n = d->columns + d->rank;
    for (i = 0; i < m->bodies; i++)
        for (k = 0; k < 3; k++) {
            for (j = 0; j < 3; j++)
                K->A[6 * i + k][6 * i + j] = m->body[i].I[3 * k + j];
            K->A[6 * i + 3 + k][6 * i + 3 + k] = m->body[i].mass;
        }
    for (i = 0; i < d->columns; i++)
        K->scale[i] = 1 / sqrtl(K->A[i][i]);
    for (i = 0; i < d->rank; i++) {
        wide sum = 0;
        for (j = 0; j < d->columns; j++) {
            const wide g = d->G[d->order[i]][j];
            K->A[d->columns + i][j] = K->A[j][d->columns + i] = g;
            sum += (g * K->scale[j]) * (g * K->scale[j]);
        }
        K->scale[d->columns + i] = 1 / sqrtl(sum);
    }
    for (i = 0; i < K->n; i++)
        for (j = 0; j < K->n; j++)
            K->A[i][j] *= K->scale[i] * K->scale[j];
}

/* Gauss with the largest entry of each column. */
static inline void kkt_factor(kkt *K)
{
    int i, j, k;
    memcpy(K->LU, K->A, sizeof K->LU);
    for (k = 0; k < K->n; k++) {
        int best = k;
        for (i = k + 1; i < K->n; i++)
            best = fabsl(K->LU[i][k]) > fabsl(K->LU[best][k]) ? i : best;
        K->pivot[k] = best;
        for (j = 0; best != k && j < K->n; j++) {
            const wide x = K->LU[k][j];
            K->LU[k][j] = K->LU[best][j];
            K->LU[best][j] = x;
        }
        for (i = k + 1; i < K->n; i++) {
            const wide l = K->LU[i][k] /= K->LU[k][k];
            for (j = k + 1; !(l <= 0 && l >= 0) && j < K->n; j++)
                K->LU[i][j] -= l * K->LU[k][j];
        }
    }
}

static inline void kkt_substitute(const kkt *K, wide *x)
{
    int i, j;
    for (i = 0; i < K->n; i++) {
        const wide swap = x[K->pivot[i]];
        x[K->pivot[i]] = x[i];
        x[i] = swap;
    }
    for (i = 0; i < K->n; i++)
        x[i] -= wide_dot(K->LU[i], x, i);
    for (i = K->n - 1; i >= 0; i--) {
        for (j = i + 1; j < K->n; j++)
            x[i] -= K->LU[i][j] * x[j];
        x[i] /= K->LU[i][i];
    }
}

/* Solved, and refined until rows of every size are met to rounding. */
static inline void kkt_solve(kkt *K, const wide *b, wide *x)
{
    wide r[MOST_UNKNOWNS];
    int i, turn;
    kkt_factor(K);
    memset(x, 0, sizeof r);
    for (turn = 0; turn < 4; turn++) {
        for (i = 0; i < K->n; i++)
            r[i] = b[i] * K->scale[i] - wide_dot(K->A[i], x, K->n);
        kkt_substitute(K, r);
        for (i = 0; i < K->n; i++)
            x[i] += r[i];
    }
    for (i = 0; i < K->n; i++)
        x[i] *= K->scale[i];
}

/* The smallest of the pivots of G M^-1 G^T over their first values, each time the largest chosen:
   what the solver's own order leaves is of that size. */
static inline double kkt_pivot(const kkt *K, const dense *d)
{
    static wide Q[MOST_COLUMNS][MOST_COLUMNS];
    double least = 1;
    int i, k, used[MOST_COLUMNS] = { 0 };
    for (i = 0; i < d->rank; i++)
        memcpy(Q[i], K->A[d->columns + i], sizeof Q[i]);
    for (k = 0; k < d->rank; k++) {
        int best = -1;
        wide most = -1;
        for (i = 0; i < d->rank; i++)
            if (!used[i] && wide_dot(Q[i], Q[i], d->columns) > most) {
                most = wide_dot(Q[i], Q[i], d->columns);
                best = i;
            }
        used[best] = 1;
        least = fmin(least, (double)most);
        scale_numbers(1 / sqrtl(most), Q[best], d->columns);
        for (i = 0; i < d->rank; i++)
            if (!used[i])
                take_away(Q[best], Q[i], d->columns, NULL, NULL, 0);
    }
    return least;
}

/* Accelerations (of the centres) and multipliers of least norm with the rows that were chosen;
   contradictions by least squares, in the units of the rows. */
static inline void dense_answer(const model *m, dense *d, wide *x, wide *lambda)
{
    kkt *K = (kkt *)malloc(sizeof *K);
    wide b[MOST_UNKNOWNS] = { 0 }, y[MOST_UNKNOWNS], rho[MOST_ROWS], l[MOST_ROWS] = { 0 };
    int i;
    memcpy(rho, d->rho, sizeof rho);
    d->contradiction = dense_project(d, rho);
    kkt_load(m, d, K);
    for (i = 0; i < d->columns; i++)
        b[i] = m->body[i / 6].f[i % 6];
    for (i = 0; i < d->rank; i++)
        b[d->columns + i] = rho[d->order[i]];
    kkt_solve(K, b, y);
    d->pivot = kkt_pivot(K, d);
    memcpy(x, y, (size_t)d->columns * sizeof *x);
    for (i = 0; i < d->rank; i++)
        l[d->order[i]] = y[d->columns + i];
    (void)dense_project(d, l);
    for (i = 0; i < 6 * m->joints; i++)
        lambda[i] = 0;
    for (i = 0; i < d->rows; i++)
        lambda[d->place[i]] = l[i];
    free(K);
}

/* The same from the start; rows of which less than `noise` is left count as dependent. */
static inline void dense_solve(const model *m, dense *d, double noise, wide *x, wide *lambda)
{
    dense_load(m, d);
    dense_choose(m, d, noise);
    dense_null_vectors(d);
    dense_answer(m, d, x, lambda);
}

#endif
