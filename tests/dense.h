/* Dense systems [M G^T; G 0] of a test, the library's answer to them, and linear algebra that
   shares nothing with the library's. */
#ifndef SPC_DENSE_H
#define SPC_DENSE_H

#include "world.h"

#define MOST 96 /* rows or columns of a system */

static inline void to_real(const double *in, int n, spc_real *out)
{
    int i;
    for (i = 0; i < n; i++)
        out[i] = real(in[i]);
}

static inline void to_double(const spc_real *in, int n, double *out)
{
    int i;
    for (i = 0; i < n; i++)
        out[i] = (double)in[i];
}

static inline void clear(double *v, int n)
{
    int i;
    for (i = 0; i < n; i++)
        v[i] = 0;
}

static inline void put_vec3(spc_vec3 v, double *out)
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static inline void put_spatial(spc_spatial s, double *out)
{
    put_vec3(s.angular, out);
    put_vec3(s.linear, out + 3);
}

static inline int random_int(int low, int high) /* both included */
{
    return low + (int)(test_random(0, 1) * (high - low + 1));
}

/* ---------------------------------------------------------------------------- matrices -------- */
/* All by rows, and in double whatever the library computes in. */

/* Largest entry; infinite if one is NaN. */
static inline double largest(const double *v, int n)
{
    double most = 0;
    int i;
    for (i = 0; i < n; i++)
        if (!(fabs(v[i]) <= most))
            most = v[i] - v[i] >= 0 ? fabs(v[i]) : (double)INFINITY;
    return most;
}

/* Largest difference, against a size. */
static inline double off(const double *got, const double *want, int n, double size)
{
    double d[MOST * MOST];
    int i;
    for (i = 0; i < n; i++)
        d[i] = got[i] - want[i];
    return size > 0 ? largest(d, n) / size : largest(d, n);
}

/* Largest difference against the largest entry wanted. */
static inline double relative(const double *got, const double *want, int n)
{
    return off(got, want, n, largest(want, n));
}

/* out = A b, A m x n */
static inline void times(const double *A, int m, int n, const double *b, double *out)
{
    int i, j;
    for (i = 0; i < m; i++) {
        out[i] = 0;
        for (j = 0; j < n; j++)
            out[i] += A[i * n + j] * b[j];
    }
}

/* out = A^T b, A m x n */
static inline void transpose_times(const double *A, int m, int n, const double *b, double *out)
{
    int i, j;
    clear(out, n);
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++)
            out[j] += A[i * n + j] * b[i];
}

/* x with A x = b by Gauss's elimination with partial pivoting; b and x may be the same. */
static inline void eliminate(const double *A, int n, const double *b, double *x)
{
    double M[MOST * MOST], y[MOST];
    int i, j, k;
    memcpy(M, A, (size_t)(n * n) * sizeof *M);
    memcpy(y, b, (size_t)n * sizeof *y);
    for (k = 0; k < n; k++) {
        int best = k;
        for (i = k + 1; i < n; i++)
            if (fabs(M[i * n + k]) > fabs(M[best * n + k]))
                best = i;
        for (j = 0; j <= n; j++) {
            double *to = j < n ? M + k * n + j : y + k, *from = j < n ? M + best * n + j : y + best;
            const double swap = *to;
            *to = *from;
            *from = swap;
        }
        for (i = k + 1; i < n; i++) {
            const double f = M[i * n + k] / M[k * n + k];
            for (j = k; j < n; j++)
                M[i * n + j] -= f * M[k * n + j];
            y[i] -= f * y[k];
        }
    }
    for (i = n - 1; i >= 0; i--) {
        for (j = i + 1; j < n; j++)
            y[i] -= M[i * n + j] * y[j];
        y[i] /= M[i * n + i];
    }
    memcpy(x, y, (size_t)n * sizeof *x);
}

/* Turns columns (step n) or rows (step 1) p and q of A by the angle of cosine c and sine s. */
static inline void turn(double *A, int n, int p, int q, int step, double c, double s)
{
    const int other = step == 1 ? n : 1;
    int i;
    for (i = 0; i < n; i++) {
        double *a = A + p * other + i * step, *b = A + q * other + i * step;
        const double x = *a, y = *b;
        *a = c * x - s * y;
        *b = s * x + c * y;
    }
}

/* A = V diag(w) V^T by Jacobi's rotations; eigenvectors are columns of V. */
static inline void eigen(const double *A, int n, double *V, double *w)
{
    double M[MOST * MOST];
    int sweep, p, q, i;
    bool turned = true;
    memcpy(M, A, (size_t)(n * n) * sizeof *M);
    clear(V, n * n);
    for (i = 0; i < n; i++)
        V[i * n + i] = 1;
    for (sweep = 0; sweep < 60 && turned; sweep++) {
        const double rounding = 1e-18 * largest(M, n * n);
        turned = false;
        for (p = 0; p < n; p++)
            for (q = p + 1; q < n; q++) {
                const double b = M[p * n + q], half = (M[q * n + q] - M[p * n + p]) / 2;
                double t, c;
                if (!(fabs(b) > rounding))
                    continue;
                t = b / (fabs(half) + sqrt(half * half + b * b));
                t = half < 0 ? -t : t;
                c = 1 / sqrt(t * t + 1);
                turn(M, n, p, q, n, c, t * c);
                turn(M, n, p, q, 1, c, t * c);
                turn(V, n, p, q, n, c, t * c);
                turned = true;
            }
    }
    for (i = 0; i < n; i++)
        w[i] = M[i * n + i];
}

/* Eigenvalues below this part of the largest are rounding: of matrices that are either singular
   exactly or well conditioned. */
#define SINGULAR 1e-11

/* x of least norm that makes |A x - b| least, for a symmetric semi-definite A. */
static inline void pseudo_solve(const double *A, int n, const double *b, double *x)
{
    double V[MOST * MOST], w[MOST], y[MOST];
    int i;
    eigen(A, n, V, w);
    transpose_times(V, n, n, b, y);
    for (i = 0; i < n; i++)
        y[i] = w[i] > SINGULAR * largest(w, n) ? y[i] / w[i] : 0;
    times(V, n, n, y, x);
}

/* Largest eigenvalue over the smallest that is not zero. */
static inline double condition(const double *A, int n)
{
    double V[MOST * MOST], w[MOST], most, least;
    int i;
    if (n == 0)
        return 1;
    eigen(A, n, V, w);
    most = least = largest(w, n);
    for (i = 0; i < n; i++)
        if (w[i] > SINGULAR * most && w[i] < least)
            least = w[i];
    return most / least;
}

/* --------------------------------------------------------------------------- oracle files ----- */

/* Says which case a check failed in. */
static inline void name_failures(const char *name, int before)
{
    if (test_failures > before)
        printf("  (in %s)\n", name);
}

/* -------------------------------------------------------------------------- dense systems ----- */

/* What goes into both calls, and what should come out. */
typedef struct dense {
    char name[64];
    int n, m, rank;
    double H[MOST * MOST], C[MOST], tau[MOST], G[MOST * MOST], gamma[MOST];
    double qddot[MOST], lambda[MOST];
    double qdot_minus[MOST], v_plus[MOST], qdot_plus[MOST], impulse[MOST];
} dense;

typedef struct answer {
    spc_status forces, impact;
    double qddot[MOST], lambda[MOST], qdot_plus[MOST], impulse[MOST];
} answer;

static inline spc_real *reals(const double *v, int n)
{
    spc_real *out = (spc_real *)malloc(sizeof(spc_real) * (size_t)(n + 1));
    to_real(v, n, out);
    return out;
}

/* Both calls, with memory of the exact sizes. */
static inline answer ask(const dense *d)
{
    const int n = d->n, m = d->m;
    const size_t size = spc_dense_work_count(n, m);
    spc_real *H = reals(d->H, n * n), *C = reals(d->C, n), *tau = reals(d->tau, n);
    spc_real *G = reals(d->G, m * n), *gamma = reals(d->gamma, m);
    spc_real *minus = reals(d->qdot_minus, n), *plus = reals(d->v_plus, m);
    spc_real *work = (spc_real *)malloc(size * sizeof(spc_real)), q[MOST], l[MOST];
    answer a;
    memset(&a, 0, sizeof a);
    a.forces = spc_dense_forward_dynamics(n, m, H, C, tau, G, gamma, work, q, l);
    if (!a.forces) {
        to_double(q, n, a.qddot);
        to_double(l, m, a.lambda);
    }
    a.impact = spc_dense_impulse(n, m, H, minus, G, plus, work, q, l);
    if (!a.impact) {
        to_double(q, n, a.qdot_plus);
        to_double(l, m, a.impulse);
    }
    free(H);
    free(C);
    free(tau);
    free(G);
    free(gamma);
    free(minus);
    free(plus);
    free(work);
    return a;
}

/* G G^T, or G H^-1 G^T with a mass matrix. */
static inline void gram(const dense *d, bool mass, double *A)
{
    int i, j, k;
    A[0] = 0; /* without rows, too */
    for (i = 0; i < d->m; i++) {
        double row[MOST];
        memcpy(row, d->G + i * d->n, (size_t)d->n * sizeof *row);
        if (mass)
            eliminate(d->H, d->n, row, row);
        for (j = 0; j < d->m; j++) {
            A[j * d->m + i] = 0;
            for (k = 0; k < d->n; k++)
                A[j * d->m + i] += d->G[j * d->n + k] * row[k];
        }
    }
}

/* Rounding against the largest number of the system; it grows with the condition of what is
   solved, and with the lengths of sums. */
static inline double rounding_of(const dense *d)
{
    double A[MOST * MOST];
    gram(d, true, A);
    return 4 * (d->n + d->m) * TEST_EPSILON * (condition(d->H, d->n) + condition(A, d->m));
}

/* --------------------------------------------------------------- random dense systems --------- */

/* The smallest eigenvalue against the largest. */
static inline double smallest_part(const double *A, int n)
{
    double V[MOST * MOST], w[MOST], least = (double)INFINITY;
    int i;
    eigen(A, n, V, w);
    for (i = 0; i < n; i++)
        least = fmin(least, w[i]);
    return least / largest(w, n);
}

/* The part of a right-hand side that no motion meets; gives how large it is against the most that
   is asked for. */
static inline double contradiction(const dense *d, const double *gamma, double *out)
{
    double A[MOST * MOST], V[MOST * MOST], w[MOST], along[MOST];
    int i;
    gram(d, false, A);
    eigen(A, d->m, V, w);
    transpose_times(V, d->m, d->m, gamma, along);
    for (i = 0; i < d->m; i++)
        if (w[i] > SINGULAR * largest(w, d->m))
            along[i] = 0;
    times(V, d->m, d->m, along, out);
    return largest(out, d->m) / (largest(gamma, d->m) + 1);
}

/* ----------------------------------------------------------- stabilization against RBDL ------- */

static inline spc_stabilization stabilization_of(double T)
{
    spc_stabilization s = spc_stabilization_default();
    s.time_constant = real(T);
    return s;
}

/* ------------------------------------------------------------- attachments against RBDL ------- */

/* --------------------------------------------------------------- equations of a body ---------- */

/* Matrix of p x. */
static inline void put_cross(spc_vec3 p, double sign, double *H, int row, int column)
{
    const double x = sign * (double)p.x, y = sign * (double)p.y, z = sign * (double)p.z;
    const double rows[3][3] = { { 0, -z, y }, { z, 0, -x }, { -y, x, 0 } };
    int i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            H[(row + i) * 6 + column + j] = rows[i][j];
}

/* A body's own six coordinates, angular and then linear of Bo in G: H A + C = force at Bo, from
   Newton's and Euler's equations at Bc, with c from Bo to Bc:
       m (a + b x c + w x (w x c)) = F,    I_c b + w x I_c w + c x F = torque about Bo */
static inline void body_equations(const spc_mass *mass, const spc_state *s, double *H, double *C)
{
    const spc_mat3 R = spc_mat3_from_quat(s->X_GB.q);
    const spc_vec3 c = spc_rotate(s->X_GB.q, mass->p_BBc), w = s->V_GB.angular;
    const spc_inertia I_c = spc_inertia_rotate(R, mass->inertia);
    const spc_inertia I = spc_inertia_shift(I_c, mass->mass, c);
    const spc_vec3 pull = spc_scale(mass->mass, spc_cross(w, spc_cross(w, c)));
    const spc_vec3 gyro = spc_cross(w, spc_inertia_mul(I_c, w));
    int i;
    clear(H, 36);
    for (i = 0; i < 3; i++) {
        put_vec3(spc_inertia_mul(I, vec(i == 0, i == 1, i == 2)), H + 6 * i);
        H[(3 + i) * 6 + 3 + i] = (double)mass->mass;
    }
    put_cross(spc_scale(mass->mass, c), 1, H, 0, 3);
    put_cross(spc_scale(mass->mass, c), -1, H, 3, 0);
    put_spatial(spc_spatial_make(spc_add(gyro, spc_cross(c, pull)), pull), C);
}

/* Gravity at Bo, and what is applied there. */
static inline void body_forces(const spc_mass *mass, const spc_state *s, spc_vec3 gravity,
                               spc_spatial force, double *tau)
{
    const spc_vec3 weight = spc_scale(mass->mass, gravity);
    const spc_vec3 torque = spc_cross(spc_rotate(s->X_GB.q, mass->p_BBc), weight);
    put_spatial(spc_spatial_make(spc_add(force.angular, torque), spc_add(force.linear, weight)),
                tau);
}

/* Puts a body's equations into those of a system, at its own six coordinates. */
static inline void put_body(dense *d, int at, const spc_mass *mass, const spc_state *s,
                            spc_vec3 gravity, spc_spatial force)
{
    double H[36];
    int i;
    body_equations(mass, s, H, d->C + at);
    body_forces(mass, s, gravity, force, d->tau + at);
    for (i = 0; i < 36; i++)
        d->H[(at + i / 6) * d->n + at + i % 6] = H[i];
}

#endif
