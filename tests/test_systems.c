/* Systems of equations that a caller sees: the dense solver, rows as rows of a system, the step by
   hand, coupling that is asked for, contradictions. Against RBDL's numbers, tests/oracle/rbdl_*.txt
   (run from the root of the repository), and against linear algebra of this file's own. */
#include "test.h"

#include <limits.h>

/* A number of each precision: steps and tolerances. */
#ifdef SPC_USE_FLOAT
#define IN_DOUBLE_OR_FLOAT(in_double, in_float) (in_float)
#define LARGEST 3.4028234663852886e+38
#define SMALLEST 1.401298464324817e-45
#else
#define IN_DOUBLE_OR_FLOAT(in_double, in_float) (in_double)
#define LARGEST 1.7976931348623157e+308
#define SMALLEST 4.9406564584124654e-324
#endif

/* What outputs hold before a call that must leave them alone. */
#define PATTERN 0xA5

#define MOST 96 /* rows or columns of a system */

static double bad_number(int i)
{
    return i == 0 ? (double)NAN : i == 1 ? (double)INFINITY : -(double)INFINITY;
}

static const spc_vec3 zero = { 0, 0, 0 };

static spc_real real(double x)
{
    return (spc_real)x;
}

static spc_vec3 vec(double x, double y, double z)
{
    return spc_vec3_make(real(x), real(y), real(z));
}

static void to_real(const double *in, int n, spc_real *out)
{
    int i;
    for (i = 0; i < n; i++)
        out[i] = real(in[i]);
}

static void to_double(const spc_real *in, int n, double *out)
{
    int i;
    for (i = 0; i < n; i++)
        out[i] = (double)in[i];
}

static void clear(double *v, int n)
{
    int i;
    for (i = 0; i < n; i++)
        v[i] = 0;
}

static void put_vec3(spc_vec3 v, double *out)
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static void put_spatial(spc_spatial s, double *out)
{
    put_vec3(s.angular, out);
    put_vec3(s.linear, out + 3);
}

static bool untouched(const void *bytes, size_t count)
{
    const unsigned char *b = (const unsigned char *)bytes;
    size_t i;
    for (i = 0; i < count; i++)
        if (b[i] != PATTERN)
            return false;
    return true;
}

static bool is_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static int random_int(int low, int high) /* both included */
{
    return low + (int)(test_random(0, 1) * (high - low + 1));
}

/* ---------------------------------------------------------------------------- matrices -------- */
/* All by rows, and in double whatever the library computes in. */

/* Largest entry; infinite if one is NaN. */
static double largest(const double *v, int n)
{
    double most = 0;
    int i;
    for (i = 0; i < n; i++)
        if (!(fabs(v[i]) <= most))
            most = v[i] - v[i] >= 0 ? fabs(v[i]) : (double)INFINITY;
    return most;
}

/* Largest difference, against a size. */
static double off(const double *got, const double *want, int n, double size)
{
    double d[MOST * MOST];
    int i;
    for (i = 0; i < n; i++)
        d[i] = got[i] - want[i];
    return size > 0 ? largest(d, n) / size : largest(d, n);
}

/* Largest difference against the largest entry wanted. */
static double relative(const double *got, const double *want, int n)
{
    return off(got, want, n, largest(want, n));
}

/* out = A b, A m x n */
static void times(const double *A, int m, int n, const double *b, double *out)
{
    int i, j;
    for (i = 0; i < m; i++) {
        out[i] = 0;
        for (j = 0; j < n; j++)
            out[i] += A[i * n + j] * b[j];
    }
}

/* out = A^T b, A m x n */
static void transpose_times(const double *A, int m, int n, const double *b, double *out)
{
    int i, j;
    clear(out, n);
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++)
            out[j] += A[i * n + j] * b[i];
}

/* x with A x = b by Gauss's elimination with partial pivoting; b and x may be the same. */
static void eliminate(const double *A, int n, const double *b, double *x)
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
static void turn(double *A, int n, int p, int q, int step, double c, double s)
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
static void eigen(const double *A, int n, double *V, double *w)
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
static void pseudo_solve(const double *A, int n, const double *b, double *x)
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
static double condition(const double *A, int n)
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

#define MOST_FIELDS 80

typedef struct reader {
    FILE *file;
    char line[4096];
    char *field[MOST_FIELDS];
    int count;
} reader;

static reader open_oracle(const char *name)
{
    char path[100];
    reader r;
    memset(&r, 0, sizeof r);
    snprintf(path, sizeof path, "tests/oracle/%s", name);
    r.file = fopen(path, "r");
    CHECK(r.file != NULL);
    return r;
}

static void close_oracle(reader *r)
{
    if (r->file)
        fclose(r->file);
}

/* The next line with something in it, split at its spaces; false at the end of the file. */
static bool next_line(reader *r)
{
    while (r->file && fgets(r->line, (int)sizeof r->line, r->file)) {
        char *at;
        CHECK(strchr(r->line, '\n') != NULL);
        r->count = 0;
        for (at = strtok(r->line, " \n"); at && r->count < MOST_FIELDS; at = strtok(NULL, " \n"))
            r->field[r->count++] = at;
        CHECK(!at);
        if (r->count > 0 && r->field[0][0] != '#')
            return true;
    }
    return false;
}

static bool line_is(const reader *r, const char *key)
{
    return !strcmp(r->field[0], key);
}

/* A field's number; NaN, which no check lets pass, if it is none. */
static double number(const reader *r, int i)
{
    char *end = NULL;
    const double x = i < r->count ? strtod(r->field[i], &end) : 0;
    return end && !*end ? x : (double)NAN;
}

static int whole(const reader *r, int i)
{
    const double x = number(r, i);
    CHECK(x >= 0 && x <= MOST);
    return x >= 0 && x <= MOST ? (int)x : 0;
}

static void numbers(const reader *r, int from, int count, double *out)
{
    int i;
    for (i = 0; i < count; i++)
        out[i] = number(r, from + i);
}

static spc_vec3 vec_at(const reader *r, int i)
{
    return vec(number(r, i), number(r, i + 1), number(r, i + 2));
}

static spc_transform transform_at(const reader *r, int i)
{
    const spc_vec3 v = vec_at(r, i + 1);
    return spc_transform_make(spc_quat_make(real(number(r, i)), v.x, v.y, v.z), vec_at(r, i + 4));
}

static spc_spatial spatial_at(const reader *r, int i)
{
    return spc_spatial_make(vec_at(r, i), vec_at(r, i + 3));
}

/* A name that does not fit is cut, and found by nobody. */
static void keep_name(const reader *r, int i, char *name, size_t size)
{
    snprintf(name, size, "%s", i < r->count ? r->field[i] : "?");
}

/* Says which case a check failed in. */
static void name_failures(const char *name, int before)
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

static spc_real *reals(const double *v, int n)
{
    spc_real *out = (spc_real *)malloc(sizeof(spc_real) * (size_t)(n + 1));
    to_real(v, n, out);
    return out;
}

/* Both calls, with memory of the exact sizes. */
static answer ask(const dense *d)
{
    const int n = d->n, m = d->m;
    const size_t size = spc_dense_size(n, m);
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

/* The array of a name, and its size; NULL if there is none. */
static double *dense_array(dense *d, const char *name, int *rows, int *columns)
{
    *rows = !strcmp(name, "G") || !strcmp(name, "H") ? d->n : 1;
    *columns = d->n;
    if (!strcmp(name, "H"))
        return d->H;
    if (!strcmp(name, "C"))
        return d->C;
    if (!strcmp(name, "tau"))
        return d->tau;
    if (!strcmp(name, "qddot"))
        return d->qddot;
    if (!strcmp(name, "qdot_minus"))
        return d->qdot_minus;
    if (!strcmp(name, "qdot_plus"))
        return d->qdot_plus;
    *rows = !strcmp(name, "G") ? d->m : 1;
    *columns = !strcmp(name, "G") ? d->n : d->m;
    if (!strcmp(name, "G"))
        return d->G;
    if (!strcmp(name, "gamma"))
        return d->gamma;
    if (!strcmp(name, "lambda"))
        return d->lambda;
    if (!strcmp(name, "v_plus"))
        return d->v_plus;
    return !strcmp(name, "impulse") ? d->impulse : NULL;
}

/* A matrix or a vector behind its head; its sizes must be those of the case. */
static void read_array(reader *r, dense *d)
{
    const bool matrix = line_is(r, "matrix");
    int rows, columns, i;
    double *out = dense_array(d, r->field[1], &rows, &columns);
    CHECK(out != NULL);
    CHECK(whole(r, matrix ? 3 : 2) == columns && (!matrix || whole(r, 2) == rows));
    for (i = 0; out && i < rows && next_line(r); i++) {
        CHECK(r->count == columns);
        numbers(r, 0, columns, out + i * columns);
    }
}

/* The next case of rbdl_dense.txt; false if there is none. */
static bool read_dense(reader *r, dense *d)
{
    memset(d, 0, sizeof *d);
    while (next_line(r)) {
        if (line_is(r, "end"))
            return true;
        if (line_is(r, "case"))
            keep_name(r, 1, d->name, sizeof d->name);
        else if (line_is(r, "rank"))
            d->rank = whole(r, 1);
        else if (line_is(r, "matrix") || line_is(r, "vector"))
            read_array(r, d);
        else if (line_is(r, "size")) {
            d->n = whole(r, 1);
            d->m = whole(r, 2);
        } else
            CHECK(line_is(r, "one that is known"));
    }
    return false;
}

/* G G^T, or G H^-1 G^T with a mass matrix. */
static void gram(const dense *d, bool mass, double *A)
{
    int i, j, k;
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
static double rounding_of(const dense *d)
{
    double A[MOST * MOST];
    gram(d, true, A);
    return 4 * (d->n + d->m) * TEST_EPSILON * (condition(d->H, d->n) + condition(A, d->m));
}

/* RBDL's own methods agree among each other to 1e-9 or so; redundant multipliers come from another
   decomposition, cut at 1e-10. In single precision rounding the data is more than that. */
static double dense_tolerance(const dense *d)
{
    const double of_file = d->rank < d->m ? 1e-8 : 1e-10;
    return IN_DOUBLE_OR_FLOAT(of_file, fmax(of_file, rounding_of(d)));
}

static void check_dense(const dense *d)
{
    const answer a = ask(d);
    const double tolerance = dense_tolerance(d);
    CHECK_STATUS(a.forces, SPC_OK);
    CHECK_STATUS(a.impact, SPC_OK);
    CHECK_NEAR(relative(a.qddot, d->qddot, d->n), 0, tolerance);
    CHECK_NEAR(relative(a.lambda, d->lambda, d->m), 0, tolerance);
    CHECK_NEAR(relative(a.qdot_plus, d->qdot_plus, d->n), 0, tolerance);
    CHECK_NEAR(relative(a.impulse, d->impulse, d->m), 0, tolerance);
}

/* Applies a check to all cases of the file. */
static void each_dense_case(void (*check)(const dense *d))
{
    reader r = open_oracle("rbdl_dense.txt");
    dense *d = (dense *)malloc(sizeof *d);
    int cases = 0, redundant = 0;
    while (read_dense(&r, d)) {
        const int before = test_failures;
        check(d);
        name_failures(d->name, before);
        cases++;
        redundant += d->rank < d->m;
    }
    CHECK(cases == 17 && redundant == 5);
    close_oracle(&r);
    free(d);
}

static void dense_dynamics_are_those_of_rbdl(void)
{
    each_dense_case(check_dense);
}

/* The same constraints in another order, each times a factor. */
static void rearrange(const dense *d, bool scaled, dense *out)
{
    int order[MOST], i, j;
    *out = *d;
    for (i = 0; i < d->m; i++)
        order[i] = i;
    for (i = d->m - 1; i > 0; i--) {
        const int other = random_int(0, i), swap = order[i];
        order[i] = order[other];
        order[other] = swap;
    }
    for (i = 0; i < d->m; i++) {
        const double sign = test_random(-1, 1) < 0 ? -1 : 1;
        const double scale = scaled ? sign * test_random(0.1, 10) : 1;
        for (j = 0; j < d->n; j++)
            out->G[i * d->n + j] = scale * d->G[order[i] * d->n + j];
        out->gamma[i] = scale * d->gamma[order[i]];
        out->v_plus[i] = scale * d->v_plus[order[i]];
        out->lambda[i] = d->lambda[order[i]] / scale;
        out->impulse[i] = d->impulse[order[i]] / scale;
    }
}

static void check_permuted(const dense *d)
{
    dense *p = (dense *)malloc(sizeof *p);
    rearrange(d, false, p);
    check_dense(p);
    free(p);
}

static void the_order_of_dense_rows_does_not_matter(void)
{
    each_dense_case(check_permuted);
}

/* Multipliers of redundant rows are of least norm in other units: their forces are the same. */
static void check_scaled(const dense *d)
{
    dense *p = (dense *)malloc(sizeof *p);
    double force[MOST], want[MOST];
    answer a;
    rearrange(d, true, p);
    a = ask(p);
    CHECK(a.forces == SPC_OK && a.impact == SPC_OK);
    CHECK_NEAR(relative(a.qddot, d->qddot, d->n), 0, dense_tolerance(d));
    CHECK_NEAR(relative(a.qdot_plus, d->qdot_plus, d->n), 0, dense_tolerance(d));
    transpose_times(p->G, p->m, p->n, a.lambda, force);
    transpose_times(d->G, d->m, d->n, d->lambda, want);
    CHECK_NEAR(relative(force, want, d->n), 0, dense_tolerance(d));
    if (d->rank == d->m) {
        CHECK_NEAR(relative(a.lambda, p->lambda, d->m), 0, dense_tolerance(d));
        CHECK_NEAR(relative(a.impulse, p->impulse, d->m), 0, dense_tolerance(d));
    }
    free(p);
}

static void the_units_of_dense_rows_do_not_matter(void)
{
    each_dense_case(check_scaled);
}

/* With what is NULL in the place of zeros, bit for bit. */
static void check_nulls(const dense *d)
{
    const int n = d->n, m = d->m;
    const size_t N = sizeof(spc_real) * (size_t)n, M = sizeof(spc_real) * (size_t)m;
    spc_real *H = reals(d->H, n * n), *G = reals(d->G, m * n), *tau = reals(d->tau, n);
    spc_real *work = (spc_real *)malloc(spc_dense_size(n, m) * sizeof(spc_real));
    spc_real none[MOST], q[MOST], l[MOST], q0[MOST], l0[MOST];
    memset(none, 0, sizeof none);
    CHECK(!spc_dense_forward_dynamics(n, m, H, none, tau, G, none, work, q, l));
    CHECK(!spc_dense_forward_dynamics(n, m, H, NULL, tau, G, NULL, work, q0, l0));
    CHECK(is_bits(q, q0, N) && is_bits(l, l0, M));
    CHECK(!spc_dense_forward_dynamics(n, m, H, tau, none, G, none, work, q, l));
    CHECK(!spc_dense_forward_dynamics(n, m, H, tau, NULL, G, NULL, work, q0, l0));
    CHECK(is_bits(q, q0, N) && is_bits(l, l0, M));
    CHECK(!spc_dense_impulse(n, m, H, tau, G, none, work, q, l));
    CHECK(!spc_dense_impulse(n, m, H, tau, G, NULL, work, q0, l0));
    CHECK(is_bits(q, q0, N) && is_bits(l, l0, M));
    CHECK(!spc_dense_impulse(n, m, H, none, G, none, work, q, l));
    CHECK(!spc_dense_impulse(n, m, H, NULL, G, NULL, work, q0, l0));
    CHECK(is_bits(q, q0, N) && is_bits(l, l0, M));
    free(H);
    free(G);
    free(tau);
    free(work);
}

static void a_dense_null_stands_for_zeros(void)
{
    each_dense_case(check_nulls);
}

static void check_in_place(const dense *d)
{
    const int n = d->n, m = d->m;
    spc_real *H = reals(d->H, n * n), *G = reals(d->G, m * n), *v = reals(d->v_plus, m);
    spc_real *q = reals(d->qdot_minus, n), *minus = reals(d->qdot_minus, n);
    spc_real *work = (spc_real *)malloc(spc_dense_size(n, m) * sizeof(spc_real));
    spc_real apart[MOST], l[MOST], l0[MOST];
    CHECK_STATUS(spc_dense_impulse(n, m, H, minus, G, v, work, apart, l), SPC_OK);
    CHECK_STATUS(spc_dense_impulse(n, m, H, q, G, v, work, q, l0), SPC_OK);
    CHECK(is_bits(q, apart, sizeof(spc_real) * (size_t)n));
    CHECK(is_bits(l, l0, sizeof(spc_real) * (size_t)m));
    free(H);
    free(G);
    free(v);
    free(q);
    free(minus);
    free(work);
}

static void velocities_after_an_impact_may_replace_those_before(void)
{
    each_dense_case(check_in_place);
}

/* H above its diagonal is not looked at, whatever there is. */
static void check_lower(const dense *d)
{
    const int n = d->n, m = d->m;
    spc_real *H = reals(d->H, n * n), *G = reals(d->G, m * n), *tau = reals(d->tau, n);
    spc_real *work = (spc_real *)malloc(spc_dense_size(n, m) * sizeof(spc_real));
    spc_real q[MOST], l[MOST], q0[MOST], l0[MOST];
    int i, j;
    CHECK(!spc_dense_forward_dynamics(n, m, H, NULL, tau, G, NULL, work, q, l));
    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++)
            H[i * n + j] = real(1e10 * (i + 2 * j));
    CHECK(!spc_dense_forward_dynamics(n, m, H, NULL, tau, G, NULL, work, q0, l0));
    CHECK(is_bits(q, q0, sizeof(spc_real) * (size_t)n));
    CHECK(is_bits(l, l0, sizeof(spc_real) * (size_t)m));
    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++)
            H[i * n + j] = real((double)NAN);
    CHECK(!spc_dense_forward_dynamics(n, m, H, NULL, tau, G, NULL, work, q0, l0));
    CHECK(!spc_dense_impulse(n, m, H, NULL, G, NULL, work, q0, l0));
    free(H);
    free(G);
    free(tau);
    free(work);
}

static void the_lower_triangle_of_the_mass_matrix_is_read(void)
{
    each_dense_case(check_lower);
}

/* One coordinate of mass 4 under the force tau - C = 5, and rows 2 q'' = 3, once or thrice: q'' =
   3/2, G^T lambda = 4 3/2 - 5 = 1 = 2 lambda, or the third of it each. All are exact in binary but
   the third. */
static void one_coordinate(void)
{
    const spc_real H = 4, C = 1, tau = 6, G[3] = { 2, 2, 2 }, gamma[3] = { 3, 3, 3 };
    spc_real work[64], q, l[3];
    int m, i;
    CHECK(spc_dense_size(1, 3) <= 64);
    CHECK_STATUS(spc_dense_forward_dynamics(1, 0, &H, &C, &tau, NULL, NULL, work, &q, NULL),
                 SPC_OK);
    CHECK_NEAR(q, 1.25, 0);
    for (m = 1; m <= 3; m += 2) {
        CHECK_STATUS(spc_dense_forward_dynamics(1, m, &H, &C, &tau, G, gamma, work, &q, l), SPC_OK);
        CHECK_NEAR(q, 1.5, 4 * TEST_EPSILON);
        for (i = 0; i < m; i++)
            CHECK_NEAR(l[i], 0.5 / m, 16 * TEST_EPSILON); /* 4 q'' - 5 cancels to a fifth */
        CHECK_STATUS(spc_dense_impulse(1, m, &H, &tau, G, gamma, work, &q, l), SPC_OK);
        CHECK_NEAR(q, 1.5, 4 * 6 * TEST_EPSILON); /* from 6 down to 3/2 */
        for (i = 0; i < m; i++)
            CHECK_NEAR(l[i], 4 * (1.5 - 6) / 2 / m, 16 * TEST_EPSILON * 9);
    }
    CHECK_STATUS(spc_dense_impulse(1, 0, &H, &tau, NULL, NULL, work, &q, NULL), SPC_OK);
    CHECK_NEAR(q, 6, 0);
}

/* The memory that is asked for is that of H, G and G G^T and some vectors. */
static void dense_memory_grows_as_the_matrices(void)
{
    CHECK(spc_dense_size(0, 0) == 0 && spc_dense_size(-1, 3) == 0);
    CHECK(spc_dense_size(3, -1) == 0 && spc_dense_size(INT_MIN, INT_MIN) == 0);
    CHECK(spc_dense_size(1, 0) >= 1 && spc_dense_size(100, 0) < 10000 + 20 * 100);
    CHECK(spc_dense_size(100, 50) < 10000 + 5000 + 2500 + 20 * 150);
    CHECK(spc_dense_size(INT_MAX, INT_MAX) ==
          (sizeof(size_t) > 4 ? (size_t)(3ull * INT_MAX * INT_MAX + 8ull * INT_MAX) : (size_t)-1));
}

/* --------------------------------------------------------------- random dense systems --------- */

/* Multiples of 1/8: sums and products of a few are exact in single precision, too. */
static double eighths(double size)
{
    return floor(test_random(-8 * size, 8 * size) + 0.5) / 8;
}

/* A row that depends on the first ones: a copy, a multiple, a sum, or nothing. */
static void dependent_row(dense *d, int i, int rank)
{
    const int u = random_int(0, rank - 1), v = random_int(0, rank - 1), kind = random_int(0, 4);
    const double a = kind == 0 ? 0 : kind == 1 ? -2 : 1, b = kind < 3 ? 0 : kind == 3 ? 1 : -1;
    int j;
    for (j = 0; j < d->n; j++)
        d->G[i * d->n + j] = a * d->G[u * d->n + j] + b * d->G[v * d->n + j];
}

/* H = 1 + B^T B. */
static void random_mass_matrix(dense *d)
{
    double B[MOST * MOST];
    const int n = d->n;
    int i, j, k;
    for (i = 0; i < n * n; i++)
        B[i] = eighths(1);
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            d->H[i * n + j] = i == j;
            for (k = 0; k < n; k++)
                d->H[i * n + j] += B[k * n + i] * B[k * n + j];
        }
}

static void random_vector(double *v, int n)
{
    int i;
    for (i = 0; i < n; i++)
        v[i] = eighths(4);
}

/* The smallest eigenvalue against the largest. */
static double smallest_part(const double *A, int n)
{
    double V[MOST * MOST], w[MOST], least = (double)INFINITY;
    int i;
    eigen(A, n, V, w);
    for (i = 0; i < n; i++)
        least = fmin(least, w[i]);
    return least / largest(w, n);
}

static void shuffle_rows(dense *d)
{
    dense *copy = (dense *)malloc(sizeof *copy);
    *copy = *d;
    rearrange(copy, false, d);
    free(copy);
}

/* A system of known rank whose rows in use are well conditioned; right-hand sides that the
   velocities and accelerations q meet. */
static void random_dense(dense *d, int n, int m, int rank)
{
    double A[MOST * MOST], q[MOST];
    int i;
    memset(d, 0, sizeof *d);
    d->n = n;
    d->m = m;
    d->rank = rank;
    do {
        for (i = 0; i < rank * n; i++)
            d->G[i] = eighths(2);
        for (i = rank; i < m; i++)
            dependent_row(d, i, rank);
        d->m = rank;
        gram(d, false, A);
        d->m = m;
    } while (!(largest(A, rank * rank) > 0) || smallest_part(A, rank) < 1e-3);
    shuffle_rows(d);
    random_mass_matrix(d);
    random_vector(d->C, n);
    random_vector(d->tau, n);
    random_vector(d->qdot_minus, n);
    random_vector(q, n);
    times(d->G, m, n, q, d->gamma);
    random_vector(q, n);
    times(d->G, m, n, q, d->v_plus);
}

/* lambda = (G H^-1 G^T)^+ (gamma - G q0), q = q0 + H^-1 G^T lambda: (6.6) by other means. */
static void reference(const dense *d, const double *q0, const double *gamma, double *q,
                      double *lambda)
{
    double A[MOST * MOST], rho[MOST], force[MOST];
    int i;
    gram(d, true, A);
    times(d->G, d->m, d->n, q0, rho);
    for (i = 0; i < d->m; i++)
        rho[i] = gamma[i] - rho[i];
    pseudo_solve(A, d->m, rho, lambda);
    transpose_times(d->G, d->m, d->n, lambda, force);
    eliminate(d->H, d->n, force, q);
    for (i = 0; i < d->n; i++)
        q[i] += q0[i];
}

/* What should come out, for any right-hand side. */
static void solve_dense(dense *d)
{
    double q0[MOST];
    int i;
    for (i = 0; i < d->n; i++)
        q0[i] = d->tau[i] - d->C[i];
    eliminate(d->H, d->n, q0, q0);
    reference(d, q0, d->gamma, d->qddot, d->lambda);
    reference(d, d->qdot_minus, d->v_plus, d->qdot_plus, d->impulse);
}

/* Shapes of all kinds: m below, at and above n, any rank. */
static void random_shape(dense *d)
{
    const int n = random_int(1, 12), m = random_int(1, 16);
    random_dense(d, n, m, random_int(1, m < n ? m : n));
}

/* The largest number that goes in or comes out. */
static double size_of(const dense *d)
{
    const double in = fmax(largest(d->C, d->n), largest(d->tau, d->n));
    const double asked = fmax(largest(d->gamma, d->m), largest(d->v_plus, d->m));
    const double forces = fmax(largest(d->lambda, d->m), largest(d->impulse, d->m));
    const double before = fmax(largest(d->qdot_minus, d->n), fmax(in, asked));
    return fmax(fmax(before, forces), fmax(largest(d->qddot, d->n), largest(d->qdot_plus, d->n)));
}

static void check_answer(const dense *d, const answer *a)
{
    const double tolerance = rounding_of(d), size = size_of(d);
    CHECK_NEAR(off(a->qddot, d->qddot, d->n, size), 0, tolerance);
    CHECK_NEAR(off(a->lambda, d->lambda, d->m, size), 0, tolerance);
    CHECK_NEAR(off(a->qdot_plus, d->qdot_plus, d->n, size), 0, tolerance);
    CHECK_NEAR(off(a->impulse, d->impulse, d->m, size), 0, tolerance);
}

static void check_equations(const dense *d, const answer *a)
{
    const double tolerance = rounding_of(d), size = size_of(d) * largest(d->H, d->n * d->n);
    double change[MOST], left[MOST], right[MOST], rows[MOST];
    int i;
    times(d->H, d->n, d->n, a->qddot, left);
    transpose_times(d->G, d->m, d->n, a->lambda, right);
    for (i = 0; i < d->n; i++) {
        left[i] += d->C[i] - d->tau[i];
        change[i] = a->qdot_plus[i] - d->qdot_minus[i];
    }
    CHECK_NEAR(off(left, right, d->n, size), 0, tolerance);
    times(d->H, d->n, d->n, change, left);
    transpose_times(d->G, d->m, d->n, a->impulse, right);
    CHECK_NEAR(off(left, right, d->n, size), 0, tolerance);
    times(d->G, d->m, d->n, a->qddot, rows);
    CHECK_NEAR(off(rows, d->gamma, d->m, size), 0, tolerance);
    times(d->G, d->m, d->n, a->qdot_plus, rows);
    CHECK_NEAR(off(rows, d->v_plus, d->m, size), 0, tolerance);
}

/* Largest part of lambda along the null space of G^T. */
static double idle_part(const dense *d, const double *lambda)
{
    double A[MOST * MOST], V[MOST * MOST], w[MOST], along[MOST];
    int i;
    gram(d, false, A);
    eigen(A, d->m, V, w);
    transpose_times(V, d->m, d->m, lambda, along);
    for (i = 0; i < d->m; i++)
        if (w[i] > SINGULAR * largest(w, d->m))
            along[i] = 0;
    return largest(along, d->m) / size_of(d);
}

static void random_dense_systems_are_solved(void)
{
    dense *d = (dense *)malloc(sizeof *d);
    int i;
    for (i = 0; i < 300; i++) {
        answer a;
        random_shape(d);
        solve_dense(d);
        a = ask(d);
        CHECK(a.forces == SPC_OK && a.impact == SPC_OK);
        check_equations(d, &a);
        check_answer(d, &a);
    }
    free(d);
}

static void random_dense_multipliers_are_of_least_norm(void)
{
    dense *d = (dense *)malloc(sizeof *d);
    int i, redundant = 0;
    for (i = 0; i < 300; i++) {
        answer a;
        random_shape(d);
        solve_dense(d);
        a = ask(d);
        CHECK_NEAR(idle_part(d, a.lambda), 0, rounding_of(d));
        CHECK_NEAR(idle_part(d, a.impulse), 0, rounding_of(d));
        redundant += d->rank < d->m;
    }
    CHECK(redundant > 100);
    free(d);
}

/* The part of a right-hand side that no motion meets; gives how large it is against the most that
   is asked for. */
static double contradiction(const dense *d, const double *gamma, double *out)
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

/* gamma - G q'' is what no motion meets, and that alone, to the roundings of both. */
static void check_left(const dense *d, const double *gamma, const double *x, const double *wanted)
{
    double left[MOST];
    int i;
    times(d->G, d->m, d->n, x, left);
    for (i = 0; i < d->m; i++)
        left[i] = gamma[i] - left[i];
    CHECK_NEAR(off(left, wanted, d->m, size_of(d)), 0, rounding_of(d));
}

/* The calls do their work, and a contradiction shows in what is left of what was asked for. */
static void check_contradiction(const dense *d, int *contradictory)
{
    const answer a = ask(d);
    double of_forces[MOST], of_impact[MOST];
    *contradictory += contradiction(d, d->gamma, of_forces) > 0.01;
    contradiction(d, d->v_plus, of_impact);
    CHECK_STATUS(a.forces, SPC_OK);
    CHECK_STATUS(a.impact, SPC_OK);
    check_left(d, d->gamma, a.qddot, of_forces);
    check_left(d, d->v_plus, a.qdot_plus, of_impact);
    check_answer(d, &a);
}

static void contradictory_dense_rows_are_met_by_least_squares(void)
{
    dense *d = (dense *)malloc(sizeof *d);
    int i, contradictory = 0;
    for (i = 0; i < 300; i++) {
        random_shape(d);
        random_vector(d->gamma, d->m);
        random_vector(d->v_plus, d->m);
        solve_dense(d);
        check_contradiction(d, &contradictory);
    }
    CHECK(contradictory > 100);
    free(d);
}

/* The same row asks for 1 and for 2: it gets 3/2, by a multiplier of both, to the roundings of two
   decompositions. And a row of zeros that asks for something. */
/* With H = diag(4, 1/4) the row (1, 0) has the norm 1/2 in its metric, and (0, d) has 2 d: it
   counts from 32 roundings of 1/2 on, d = 8 epsilon. */
static void dense_rows_below_32_roundings_of_the_largest_count_as_zero(void)
{
    const spc_real H[4] = { 4, 0, 0, SPC_R(0.25) };
    spc_real work[64], q[2], l[2], G[4] = { 1, 0, 0, 0 }, gamma[2] = { 0, 0 };
    int twice;
    CHECK(spc_dense_size(2, 2) <= 64);
    for (twice = 0; twice < 2; twice++) {
        gamma[1] = G[3] = real((twice ? 16 : 4) * TEST_EPSILON);
        CHECK_STATUS(spc_dense_forward_dynamics(2, 2, H, NULL, NULL, G, gamma, work, q, l), SPC_OK);
        CHECK_NEAR(q[0], 0, 0);
        CHECK_NEAR(q[1], twice, 4 * TEST_EPSILON);
    }
}

static void one_row_that_asks_for_two_things(void)
{
    const spc_real H[4] = { 2, 0, 0, 8 }, G[6] = { 1, 0, 1, 0, 0, 0 }, gamma[3] = { 1, 2, 0 };
    const spc_real nothing[2] = { 0, 0 }, something = SPC_R(0.01);
    spc_real work[64], q[2], l[3];
    CHECK(spc_dense_size(2, 3) <= 64);
    CHECK_STATUS(spc_dense_forward_dynamics(2, 3, H, NULL, NULL, G, gamma, work, q, l), SPC_OK);
    CHECK_NEAR(q[0], 1.5, 32 * TEST_EPSILON);
    CHECK_NEAR(q[1], 0, 0);
    CHECK_NEAR(l[0], 1.5, 32 * TEST_EPSILON);
    CHECK_NEAR(l[1], 1.5, 32 * TEST_EPSILON);
    CHECK_NEAR(l[2], 0, 0);
    CHECK_STATUS(spc_dense_forward_dynamics(2, 1, H, NULL, NULL, nothing, NULL, work, q, l),
                 SPC_OK);
    CHECK_STATUS(spc_dense_impulse(2, 1, H, NULL, nothing, &something, work, q, l), SPC_OK);
    CHECK_NEAR(l[0], 0, 0);
    CHECK_NEAR(q[0], 0, 0);
}

/* ------------------------------------------------------------- what the dense calls refuse ---- */

/* A call of either function with everything in place; pointers are to the arrays behind them. */
typedef struct dense_call {
    int n, m;
    spc_real *H, *C, *tau, *G, *gamma, *work, *out, *lambda;
    spc_real numbers[4 + 2 + 2 + 4 + 2], room[28], outputs[4];
} dense_call;

static void good_call(dense_call *c)
{
    static const double numbers_of[14] = { 3, 1, 1, 2, 1, 2, 3, 4, 1, 0, 1, 1, 5, 6 };
    to_real(numbers_of, 14, c->numbers);
    c->n = c->m = 2;
    c->H = c->numbers;
    c->C = c->numbers + 4;
    c->tau = c->numbers + 6;
    c->G = c->numbers + 8;
    c->gamma = c->numbers + 12;
    c->work = c->room;
    c->out = c->outputs;
    c->lambda = c->outputs + 2;
    memset(c->outputs, PATTERN, sizeof c->outputs);
}

static spc_status call_forces(const dense_call *c)
{
    return spc_dense_forward_dynamics(c->n, c->m, c->H, c->C, c->tau, c->G, c->gamma, c->work,
                                      c->out, c->lambda);
}

static spc_status call_impact(const dense_call *c)
{
    return spc_dense_impulse(c->n, c->m, c->H, c->tau, c->G, c->gamma, c->work, c->out, c->lambda);
}

static void check_refused(dense_call *c, spc_status status)
{
    CHECK_STATUS(call_forces(c), status);
    CHECK_STATUS(call_impact(c), status);
    CHECK(untouched(c->outputs, sizeof c->outputs));
    good_call(c);
}

static void dense_calls_refuse_counts_and_nulls(void)
{
    dense_call c;
    good_call(&c);
    CHECK(spc_dense_size(2, 2) <= sizeof c.room / sizeof *c.room);
    CHECK_STATUS(call_forces(&c), SPC_OK);
    good_call(&c);
    CHECK_STATUS(call_impact(&c), SPC_OK);
    good_call(&c);
    c.n = 0;
    check_refused(&c, SPC_ERROR_BAD_COUNT);
    c.n = -2;
    check_refused(&c, SPC_ERROR_BAD_COUNT);
    c.m = -1;
    check_refused(&c, SPC_ERROR_BAD_COUNT);
    c.H = NULL;
    check_refused(&c, SPC_ERROR_NULL);
    c.G = NULL;
    check_refused(&c, SPC_ERROR_NULL);
    c.work = NULL;
    check_refused(&c, SPC_ERROR_NULL);
    c.out = NULL;
    check_refused(&c, SPC_ERROR_NULL);
    c.lambda = NULL;
    check_refused(&c, SPC_ERROR_NULL);
}

/* In H, its lower triangle counts. */
static void dense_calls_refuse_what_is_not_finite(void)
{
    dense_call c;
    int i, kind;
    good_call(&c);
    for (kind = 0; kind < 3; kind++)
        for (i = 0; i < 14; i++) {
            const bool forces_alone = i == 4 || i == 5;
            if (i == 1)
                continue;
            c.numbers[i] = real(bad_number(kind));
            CHECK_STATUS(call_forces(&c), SPC_ERROR_NOT_FINITE);
            CHECK(untouched(c.outputs, sizeof c.outputs));
            CHECK_STATUS(call_impact(&c), forces_alone ? SPC_OK : SPC_ERROR_NOT_FINITE);
            CHECK(forces_alone || untouched(c.outputs, sizeof c.outputs));
            good_call(&c);
        }
}

/* What comes out is too large for a number. */
static void dense_calls_refuse_to_overflow(void)
{
    dense_call c;
    good_call(&c);
    c.m = 0;
    c.H[0] = c.H[3] = real(1e-30);
    c.H[2] = 0;
    c.tau[0] = real(LARGEST / 2);
    CHECK_STATUS(call_forces(&c), SPC_ERROR_NOT_FINITE);
    CHECK(untouched(c.outputs, sizeof c.outputs));
    good_call(&c);
    c.tau[0] = real(LARGEST / 4); /* lambda of the row that stops it is 3 (gamma - tau) */
    c.H[0] = 16;
    c.G[2] = 0;
    CHECK_STATUS(call_impact(&c), SPC_ERROR_NOT_FINITE);
    CHECK(untouched(c.outputs, sizeof c.outputs));
}

static void dense_calls_refuse_what_is_not_definite(void)
{
    static const double bad[6][4] = { { 0, 0, 0, 0 }, { -1, 0, 0, 1 }, { 1, 0, 0, 0 },
                                      { 1, 1, 1, 1 }, { 1, 2, 2, 1 },  { 4, -6, -6, 9 } };
    dense_call c;
    int i;
    good_call(&c);
    for (i = 0; i < 6; i++) {
        to_real(bad[i], 4, c.H);
        check_refused(&c, SPC_ERROR_NOT_DEFINITE);
    }
}

/* v v^T is semi-definite: its second pivot is v_2^2 less itself, which may end on either side of 0
   by a rounding or two. Whatever such a pivot divides is noise. */
static void dense_calls_refuse_what_is_definite_by_rounding(void)
{
    dense_call c;
    int turn;
    for (turn = 0; turn < 200; turn++) {
        const spc_real x = real(test_random(-1, 1)), y = real(test_random(-1, 1));
        good_call(&c);
        c.H[0] = x * x;
        c.H[1] = c.H[2] = x * y;
        c.H[3] = y * y;
        check_refused(&c, SPC_ERROR_NOT_DEFINITE);
    }
}

/* ----------------------------------------------------------- stabilization against RBDL ------- */

/* A line `gamma`: a constraint of n rows from `row` on in a system of m. */
typedef struct gamma_line {
    int n, m, row;
    double T, e[MOST], s[MOST], before[MOST], after[MOST];
} gamma_line;

static spc_stabilization stabilization_of(double T)
{
    spc_stabilization s = spc_stabilization_default();
    s.time_constant = real(T);
    return s;
}

/* Rows with these errors and nothing else. */
static spc_rows rows_with_errors(int count, const double *e, const double *s)
{
    spc_rows rows;
    memset(&rows, 0, sizeof rows);
    rows.count = count;
    rows.enforced = rows.holonomic = (1u << count) - 1;
    to_real(e, count, rows.position_errors);
    to_real(s, count, rows.velocity_errors);
    return rows;
}

/* 1 / T of either error alone: of s it is half the term of s = 1, and of e its square. */
static void check_parameters(const reader *r)
{
    const spc_stabilization stab = stabilization_of(number(r, 1));
    const double e[2] = { 1, 0 }, s[2] = { 0, 1 }, p[2] = { number(r, 2), number(r, 3) };
    const spc_rows rows = rows_with_errors(2, e, s);
    spc_real terms[2];
    CHECK(r->count == 4);
    spc_stabilization_terms(&stab, &rows, 0, terms);
    CHECK_NEAR(terms[0], -p[1] * p[1], 4 * TEST_EPSILON * p[1] * p[1]);
    CHECK_NEAR(terms[1], -2 * p[0], 4 * TEST_EPSILON * p[0]);
}

/* What the roundings of -2/T s - 1/T^2 e can come to. */
static double term_size(double T, double e, double s)
{
    return 2 / T * fabs(s) + fabs(e) / (T * T);
}

static void check_terms(const reader *r)
{
    const int n = whole(r, 1);
    const spc_stabilization stab = stabilization_of(number(r, 2));
    double e[MOST], s[MOST];
    spc_real terms[SPC_MAX_ROWS];
    spc_rows rows;
    int i;
    CHECK(r->count == 6 + 3 * n && n <= SPC_MAX_ROWS);
    numbers(r, 4, n, e);
    numbers(r, 5 + n, n, s);
    rows = rows_with_errors(n, e, s);
    spc_stabilization_terms(&stab, &rows, 0, terms);
    for (i = 0; i < n; i++)
        CHECK_NEAR(terms[i], number(r, 6 + 2 * n + i),
                   8 * TEST_EPSILON * term_size(number(r, 2), e[i], s[i]));
}

static void read_gamma(const reader *r, gamma_line *g)
{
    memset(g, 0, sizeof *g);
    g->n = whole(r, 1);
    g->m = whole(r, 2);
    g->row = whole(r, 3);
    g->T = number(r, 4);
    CHECK(r->count == 9 + 4 * g->m && g->row + g->n <= g->m && g->n <= SPC_MAX_ROWS);
    numbers(r, 6, g->m, g->e);
    numbers(r, 7 + g->m, g->m, g->s);
    numbers(r, 8 + 2 * g->m, g->m, g->before);
    numbers(r, 9 + 3 * g->m, g->m, g->after);
}

/* After: to rounding in the constraint's rows, bit for bit in all others. */
static void check_gamma(const gamma_line *g, const spc_real *gamma)
{
    int i;
    for (i = 0; i < g->m; i++) {
        const bool own = i >= g->row && i < g->row + g->n;
        const double size = fabs(g->before[i]) + term_size(g->T, g->e[i], g->s[i]);
        CHECK_NEAR(gamma[i], own ? g->after[i] : (double)real(g->after[i]),
                   own ? 16 * TEST_EPSILON * size : 0);
    }
}

static void check_gamma_by_hand(const reader *r)
{
    spc_real gamma[MOST], terms[SPC_MAX_ROWS];
    spc_stabilization stab;
    spc_rows rows;
    gamma_line g;
    int i;
    read_gamma(r, &g);
    stab = stabilization_of(g.T);
    rows = rows_with_errors(g.n, g.e + g.row, g.s + g.row);
    to_real(g.before, g.m, gamma);
    spc_stabilization_terms(&stab, &rows, 0, terms);
    for (i = 0; i < g.n; i++)
        gamma[g.row + i] += terms[i];
    check_gamma(&g, gamma);
}

/* A body on ground whose first n motions are locked, where these are the errors: a rotation error e
   is 2 sin(angle / 2) along the axis, which makes the quaternion (c, v) = (sqrt(1 - e.e/4), e/2).
   Its derivative is s = c w + w x v of three locked; by w = c s + v x s + v (v . s) / c there is no
   twist about an axis that is free, so that this is the derivative of fewer, too. */
static spc_world *world_with_errors(int n, const double *e, const double *s, double T,
                                    spc_constraint *c)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_body_desc body = spc_body_desc_default();
    spc_attachment_desc d = spc_attachment_desc_default();
    double at[6], v[6];
    spc_vec3 half, rate;
    spc_real c_half;
    spc_world *w;
    int i;
    desc.rows = 6;
    desc.stabilization = stabilization_of(T);
    w = test_world(&desc);
    for (i = 0; i < 6; i++) {
        at[i] = i < n ? e[i] : 0;
        v[i] = i < n ? s[i] : 0;
    }
    body.mass = spc_mass_solid_sphere(1, 1);
    body.state.X_GB.p = vec(at[0], at[1], at[2]);
    half = vec(at[3] / 2, at[4] / 2, at[5] / 2);
    rate = vec(v[3], v[4], v[5]);
    c_half = real(sqrt(1 - (at[3] * at[3] + at[4] * at[4] + at[5] * at[5]) / 4));
    body.state.X_GB.q = spc_quat_make(c_half, half.x, half.y, half.z);
    body.state.V_GB.angular =
        spc_add(spc_scale(c_half, rate),
                spc_add(spc_cross(half, rate), spc_scale(spc_dot(half, rate) / c_half, half)));
    if (n == 4) /* the rate of a twist alone */
        body.state.V_GB.angular = rate;
    body.state.V_GB.linear = vec(v[0], v[1], v[2]);
    CHECK_STATUS(spc_body_add(w, &body, &d.b), SPC_OK);
    d.shape.locked = (1u << n) - 1;
    CHECK_STATUS(spc_attachment_add(w, &d, c), SPC_OK);
    return w;
}

static void check_gamma_in_a_world(const reader *r)
{
    spc_real gamma[MOST];
    spc_constraint c;
    spc_world *w;
    gamma_line g;
    read_gamma(r, &g);
    w = world_with_errors(g.n, g.e + g.row, g.s + g.row, g.T, &c);
    to_real(g.before, g.m, gamma);
    CHECK_STATUS(spc_constraint_add_stabilization(w, c, g.row, g.m, gamma), SPC_OK);
    check_gamma(&g, gamma);
    free(w);
}

/* Applies a check to all lines of a kind. */
static void each_baumgarte_line(const char *key, void (*check)(const reader *r), int lines)
{
    reader r = open_oracle("rbdl_baumgarte.txt");
    int found = 0, others = 0;
    while (next_line(&r)) {
        if (line_is(&r, key)) {
            check(&r);
            found++;
        } else
            others++;
    }
    CHECK(found == lines && found + others == 56);
    close_oracle(&r);
}

static void time_constants_are_those_of_rbdl(void)
{
    each_baumgarte_line("parameters", check_parameters, 16);
}

static void stabilization_terms_are_those_of_rbdl(void)
{
    each_baumgarte_line("forces", check_terms, 24);
}

static void stabilization_terms_change_their_own_rows(void)
{
    each_baumgarte_line("gamma", check_gamma_by_hand, 16);
}

static void a_world_adds_stabilization_where_it_is_told(void)
{
    each_baumgarte_line("gamma", check_gamma_in_a_world, 16);
}

/* ------------------------------------------------------------- attachments against RBDL ------- */

enum { OWN_POINTS, EXACT, CONVENTIONS };

typedef struct file_body {
    char name[16];
    spc_body_desc desc;
    spc_body handle;
    spc_spatial force;
    double w_rot, w_trans; /* weights of assembly */
    double step[6];        /* first step of assembly: about axes of the body, along those of G */
    bool has_step;
    spc_transform assembled;
    double assembled_V[6];
    double acceleration[CONVENTIONS][6];
} file_body;

typedef struct file_joint {
    char name[16];
    int a, b; /* bodies; -1 is ground */
    spc_attachment shape;
    spc_constraint handle;
    double T; /* 0: no stabilization */
    double e[CONVENTIONS][6], s[CONVENTIONS][6];
} file_joint;

typedef struct file_scene {
    char name[64];
    spc_vec3 gravity;
    int bodies, joints;
    file_body body[3];
    file_joint joint[3];
    double tolerance, initial_error;
    int answers; /* lines of results */
} file_scene;

static int find_body(const file_scene *f, const reader *r, int field)
{
    int i;
    for (i = 0; i < f->bodies && field < r->count; i++)
        if (!strcmp(f->body[i].name, r->field[field]))
            return i;
    CHECK(field < r->count && !strcmp(r->field[field], "ground"));
    return -1;
}

static file_body *body_of(file_scene *f, const reader *r, int field)
{
    const int i = find_body(f, r, field);
    CHECK(i >= 0);
    return f->body + (i >= 0 ? i : 0);
}

static void begin_body(file_scene *f, const reader *r)
{
    file_body *b = f->body + f->bodies++;
    CHECK(f->bodies <= 3 && r->count == 3 && !strcmp(r->field[2], "dynamic"));
    keep_name(r, 1, b->name, sizeof b->name);
    b->desc = spc_body_desc_default();
}

static void begin_joint(file_scene *f, const reader *r)
{
    file_joint *j = f->joint + f->joints++;
    CHECK(f->joints <= 3 && r->count == 5 && !strcmp(r->field[2], "attachment"));
    keep_name(r, 1, j->name, sizeof j->name);
    j->a = find_body(f, r, 3);
    j->b = find_body(f, r, 4);
    j->shape = spc_attachment_default();
}

/* A line of a body's description; false if it is something else. */
static bool read_body_line(file_body *b, const reader *r)
{
    if (line_is(r, "mass"))
        b->desc.mass.mass = real(number(r, 1));
    else if (line_is(r, "com"))
        b->desc.mass.p_BBc = vec_at(r, 1);
    else if (line_is(r, "pose"))
        b->desc.state.X_GB = transform_at(r, 1);
    else if (line_is(r, "velocity"))
        b->desc.state.V_GB = spatial_at(r, 1);
    else if (line_is(r, "force"))
        b->force = spatial_at(r, 1);
    else if (line_is(r, "inertia")) {
        const spc_vec3 diagonal = vec_at(r, 1), rest = vec_at(r, 4); /* xy xz yz */
        spc_inertia *I = &b->desc.mass.inertia;
        I->xx = diagonal.x;
        I->yy = diagonal.y;
        I->zz = diagonal.z;
        I->xy = rest.x;
        I->xz = rest.y;
        I->yz = rest.z;
    } else
        return false;
    return true;
}

static bool read_joint_line(file_joint *j, const reader *r)
{
    int i;
    if (line_is(r, "frame_a"))
        j->shape.X_AF = transform_at(r, 1);
    else if (line_is(r, "frame_b"))
        j->shape.X_BM = transform_at(r, 1);
    else if (line_is(r, "baumgarte"))
        j->T = number(r, 1);
    else if (line_is(r, "locked"))
        for (j->shape.locked = 0, i = 0; i < 6; i++)
            j->shape.locked |= whole(r, 1 + i) ? 1u << i : 0u;
    else
        return false;
    return true;
}

/* Results of assembly. */
static bool read_assembly_line(file_scene *f, const reader *r)
{
    if (line_is(r, "tolerance"))
        f->tolerance = number(r, 1);
    else if (line_is(r, "initial_error"))
        f->initial_error = number(r, 1);
    else if (line_is(r, "weights")) {
        body_of(f, r, 1)->w_rot = number(r, 2);
        body_of(f, r, 1)->w_trans = number(r, 3);
    } else if (line_is(r, "step")) {
        body_of(f, r, 1)->has_step = true;
        numbers(r, 2, 6, body_of(f, r, 1)->step);
    } else if (line_is(r, "rbdl_pose"))
        body_of(f, r, 1)->assembled = transform_at(r, 2);
    else if (line_is(r, "assembled_velocity"))
        numbers(r, 2, 6, body_of(f, r, 1)->assembled_V);
    else if (!line_is(r, "assembled_error"))
        return false;
    f->answers++;
    return true;
}

/* Results in one of two conventions. */
static bool read_convention_line(file_scene *f, const reader *r)
{
    const int k = line_is(r, "exact") ? EXACT : OWN_POINTS;
    file_joint *j = f->joint;
    if ((k == OWN_POINTS && !line_is(r, "own_points")) || r->count != 9)
        return false;
    f->answers++;
    if (!strcmp(r->field[1], "acceleration"))
        numbers(r, 3, 6, body_of(f, r, 2)->acceleration[k]);
    else if (!strcmp(r->field[1], "position_error") && !strcmp(r->field[2], j->name))
        numbers(r, 3, 6, j->e[k]);
    else if (!strcmp(r->field[1], "velocity_errors") && !strcmp(r->field[2], j->name))
        numbers(r, 3, 6, j->s[k]);
    else
        return false;
    return true;
}

/* The next case; false if there is none. */
static bool read_scene(reader *r, file_scene *f)
{
    memset(f, 0, sizeof *f);
    while (next_line(r)) {
        if (line_is(r, "end"))
            return true;
        if (line_is(r, "case"))
            keep_name(r, 1, f->name, sizeof f->name);
        else if (line_is(r, "gravity"))
            f->gravity = vec_at(r, 1);
        else if (line_is(r, "body"))
            begin_body(f, r);
        else if (line_is(r, "constraint"))
            begin_joint(f, r);
        else
            CHECK((f->joints == 0 && f->bodies > 0 && read_body_line(&f->body[f->bodies - 1], r)) ||
                  (f->joints > 0 && read_joint_line(&f->joint[f->joints - 1], r)) ||
                  read_assembly_line(f, r) || read_convention_line(f, r));
    }
    return false;
}

static spc_body handle_of(const file_scene *f, int body)
{
    spc_body ground;
    ground.index = ground.generation = 0;
    return body < 0 ? ground : f->body[body].handle;
}

/* Mass properties for which the mass-weighted norm is that of the weights. */
static spc_mass mass_of_weights(const file_body *b)
{
    spc_mass m = spc_mass_solid_sphere(real(b->w_trans), 1);
    m.inertia.xx = m.inertia.yy = m.inertia.zz = real(b->w_rot);
    return m;
}

static void add_joint(spc_world *w, const file_scene *f, file_joint *j)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_stabilization stab = spc_stabilization_default();
    d.a = handle_of(f, j->a);
    d.b = handle_of(f, j->b);
    d.shape = j->shape;
    CHECK_STATUS(spc_attachment_add(w, &d, &j->handle), SPC_OK);
    stab.enabled = j->T > 0;
    stab.time_constant = real(j->T);
    CHECK_STATUS(spc_constraint_set_stabilization(w, j->handle, &stab), SPC_OK);
}

static spc_world *make_scene(file_scene *f, bool weighted)
{
    spc_world_desc desc = spc_world_desc_default(f->bodies, f->joints);
    spc_world *w;
    int i;
    desc.rows = 6 * f->joints;
    desc.coupling = 10000;
    desc.gravity = f->gravity;
    w = test_world(&desc);
    for (i = 0; i < f->bodies; i++) {
        file_body *b = f->body + i;
        spc_body_desc body = b->desc;
        if (weighted)
            body.mass = mass_of_weights(b);
        CHECK_STATUS(spc_body_add(w, &body, &b->handle), SPC_OK);
        CHECK(!spc_body_add_force(w, b->handle, b->force.linear, zero, SPC_LASTING));
        CHECK(!spc_body_add_torque(w, b->handle, b->force.angular, SPC_LASTING));
    }
    for (i = 0; i < f->joints; i++)
        add_joint(w, f, f->joint + i);
    return w;
}

static spc_state state_of(const spc_world *w, spc_body body)
{
    spc_state s = spc_state_identity();
    CHECK_STATUS(spc_body_get_state(w, body, &s), SPC_OK);
    return s;
}

static spc_rows rows_of(const spc_world *w, spc_constraint c)
{
    spc_rows rows;
    memset(&rows, 0, sizeof rows);
    CHECK_STATUS(spc_constraint_get_rows(w, c, &rows), SPC_OK);
    return rows;
}

/* Applies a check to all cases of a file. */
static void each_scene(const char *file, void (*check)(file_scene *f), int cases, int answers)
{
    reader r = open_oracle(file);
    file_scene *f = (file_scene *)malloc(sizeof *f);
    while (read_scene(&r, f)) {
        const int before = test_failures;
        check(f);
        name_failures(f->name, before);
        answers -= f->answers;
        cases--;
    }
    CHECK(cases == 0 && answers == 0);
    close_oracle(&r);
    free(f);
}

/* ------------------------------------------------------------------------------ assembly ------ */

/* Frames F and M of a joint in G. */
static void joint_frames(const spc_world *w, const file_scene *f, const file_joint *j,
                         spc_transform *X_GF, spc_transform *X_GM)
{
    *X_GF = spc_transform_mul(state_of(w, handle_of(f, j->a)).X_GB, j->shape.X_AF);
    *X_GM = spc_transform_mul(state_of(w, handle_of(f, j->b)).X_GB, j->shape.X_BM);
}

/* RBDL's position errors: F^T (p_M - p_F), and u sin(angle) of R_FM, which is half its skew part.
   Those that are not locked are 0. */
static void rbdl_errors(const spc_world *w, const file_scene *f, const file_joint *j, double *e)
{
    spc_transform X_GF, X_GM, X_FM;
    spc_mat3 R;
    int i;
    joint_frames(w, f, j, &X_GF, &X_GM);
    X_FM = spc_transform_mul(spc_transform_inverse(X_GF), X_GM);
    R = spc_mat3_from_quat(X_FM.q);
    put_vec3(X_FM.p, e);
    e[3] = (double)(R.y.z - R.z.y) / 2;
    e[4] = (double)(R.z.x - R.x.z) / 2;
    e[5] = (double)(R.x.y - R.y.x) / 2;
    for (i = 0; i < 6; i++)
        if (!(j->shape.locked >> i & 1u))
            e[i] = 0;
}

/* Their norm over all joints. */
static double rbdl_error(const spc_world *w, const file_scene *f)
{
    double sum = 0, e[6];
    int i, k;
    for (i = 0; i < f->joints; i++) {
        rbdl_errors(w, f, f->joint + i, e);
        for (k = 0; k < 6; k++)
            sum += e[k] * e[k];
    }
    return sqrt(sum);
}

/* The file's 1e-10 [m]; in single precision what the rounding of coordinates up to 3 leaves. */
static spc_real assembly_tolerance(const file_scene *f)
{
    return real(fmax(f->tolerance, 32 * TEST_EPSILON));
}

/* RBDL starts from the same errors. The largest of ours, which is within the tolerance, bounds the
   norm of up to 11 of RBDL's, which are not larger: sin(angle) < 2 sin(angle / 2). */
static void check_assembly(file_scene *f)
{
    spc_world *w = make_scene(f, true);
    spc_real residual = -1;
    const spc_real tolerance = assembly_tolerance(f);
    CHECK_NEAR(rbdl_error(w, f), f->initial_error, 16 * TEST_EPSILON);
    CHECK_STATUS(spc_world_assemble(w, tolerance, &residual), SPC_OK);
    CHECK(residual >= 0 && residual <= tolerance);
    CHECK_NEAR(rbdl_error(w, f), 0, sqrt(11.0) * (double)tolerance + 16 * TEST_EPSILON);
    free(w);
}

static void what_rbdl_assembles_is_assembled(void)
{
    each_scene("rbdl_assembly.txt", check_assembly, 5, 54);
}

/* Where RBDL ended, with its initial velocities: angular ones that the bodies took along. */
static void put_where_rbdl_ended(spc_world *w, const file_scene *f)
{
    int i;
    for (i = 0; i < f->bodies; i++) {
        const file_body *b = f->body + i;
        const spc_state *start = &b->desc.state;
        const spc_vec3 w_B = spc_unrotate(start->X_GB.q, start->V_GB.angular);
        const spc_vec3 turned = spc_rotate(b->assembled.q, w_B);
        CHECK_STATUS(spc_body_set_pose(w, b->handle, b->assembled), SPC_OK);
        CHECK_STATUS(
            spc_body_set_velocity(w, b->handle, spc_spatial_make(turned, start->V_GB.linear)),
            SPC_OK);
    }
}

/* RBDL's poses have errors of 1e-10 times the condition of its Newton steps, which the velocities
   feel; in single precision, those of rounding. */
static void check_assembled_velocities(file_scene *f)
{
    spc_world *w = make_scene(f, true);
    int i;
    put_where_rbdl_ended(w, f);
    CHECK_STATUS(spc_world_project_velocities(w), SPC_OK);
    for (i = 0; i < f->bodies; i++) {
        double V[6];
        put_spatial(state_of(w, f->body[i].handle).V_GB, V);
        CHECK_NEAR(off(V, f->body[i].assembled_V, 6, 1), 0, IN_DOUBLE_OR_FLOAT(1e-9, 1e-5));
    }
    free(w);
}

static void assembled_velocities_are_those_of_rbdl(void)
{
    each_scene("rbdl_assembly.txt", check_assembled_velocities, 5, 54);
}

/* Puts the columns of a body's row into a system of all bodies' velocities. */
static void put_columns(const spc_world *w, const file_scene *f, int body, spc_vec3 e, spc_vec3 p_G,
                        double sign, double *row)
{
    spc_spatial J;
    if (body < 0)
        return;
    J.linear = spc_scale(real(sign), e);
    J.angular = spc_cross(spc_sub(p_G, state_of(w, f->body[body].handle).X_GB.p), J.linear);
    put_spatial(J, row + 6 * body);
}

/* RBDL's linearized translations of ball joints: e_i . (v_M - v_F), each at its own point, and what
   they ask for, -e; with the weights for masses. */
static void system_of_step(const spc_world *w, const file_scene *f, dense *d)
{
    int k, i;
    memset(d, 0, sizeof *d);
    d->n = 6 * f->bodies;
    for (i = 0; i < d->n; i++)
        d->H[i * d->n + i] = i % 6 < 3 ? f->body[i / 6].w_rot : f->body[i / 6].w_trans;
    for (k = 0; k < f->joints; k++) {
        const file_joint *j = f->joint + k;
        spc_transform X_GF, X_GM;
        double e[6];
        CHECK(j->shape.locked == SPC_BALL_JOINT);
        joint_frames(w, f, j, &X_GF, &X_GM);
        rbdl_errors(w, f, j, e);
        for (i = 0; i < 3; i++, d->m++) {
            const spc_vec3 axis = spc_rotate(X_GF.q, vec(i == 0, i == 1, i == 2));
            put_columns(w, f, j->a, axis, X_GF.p, -1, d->G + d->m * d->n);
            put_columns(w, f, j->b, axis, X_GM.p, 1, d->G + d->m * d->n);
            d->v_plus[d->m] = -e[i];
        }
    }
}

/* A step in RBDL's coordinates: rotations about the axes of the bodies. */
static void check_step(const spc_world *w, const file_scene *f, const double *V)
{
    int i;
    for (i = 0; i < f->bodies; i++) {
        const file_body *b = f->body + i;
        const spc_vec3 turn = vec(V[6 * i], V[6 * i + 1], V[6 * i + 2]);
        double step[6];
        memcpy(step, V + 6 * i, sizeof step);
        put_vec3(spc_unrotate(state_of(w, b->handle).X_GB.q, turn), step);
        CHECK_NEAR(off(step, b->step, 6, 1), 0, IN_DOUBLE_OR_FLOAT(1e-12, 3e-6));
    }
}

/* On ground RBDL's rows are ours: impulses from rest that ask for -e are our first Newton step. */
static void check_step_of_world(spc_world *w, const file_scene *f)
{
    const spc_rows rows = rows_of(w, f->joint[0].handle);
    spc_real wanted[3];
    double V[6];
    int i;
    for (i = 0; i < 3; i++)
        wanted[i] = -rows.position_errors[i];
    CHECK_STATUS(spc_body_set_velocity(w, f->body[0].handle, spc_spatial_make(zero, zero)), SPC_OK);
    CHECK_STATUS(spc_world_apply_impulses(w, wanted, NULL, 3), SPC_OK);
    put_spatial(state_of(w, f->body[0].handle).V_GB, V);
    check_step(w, f, V);
}

static int scenes_with_steps;

/* Between two bodies RBDL's rows are not ours, but the dense solver takes any rows. */
static void check_first_step(file_scene *f)
{
    spc_world *w = make_scene(f, true);
    dense *d = (dense *)malloc(sizeof *d);
    if (f->body[0].has_step) {
        answer a;
        system_of_step(w, f, d);
        a = ask(d);
        CHECK_STATUS(a.impact, SPC_OK);
        check_step(w, f, a.qdot_plus);
        if (f->joints == 1 && f->joint[0].a < 0)
            check_step_of_world(w, f);
        scenes_with_steps++;
    }
    free(d);
    free(w);
}

static void the_first_step_of_assembly_is_that_of_rbdl(void)
{
    scenes_with_steps = 0;
    each_scene("rbdl_assembly.txt", check_first_step, 5, 54);
    CHECK(scenes_with_steps == 3);
}

/* --------------------------------------------------------------- equations of a body ---------- */

/* Matrix of p x. */
static void put_cross(spc_vec3 p, double sign, double *H, int row, int column)
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
static void body_equations(const spc_mass *mass, const spc_state *s, double *H, double *C)
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
static void body_forces(const spc_mass *mass, const spc_state *s, spc_vec3 gravity,
                        spc_spatial force, double *tau)
{
    const spc_vec3 weight = spc_scale(mass->mass, gravity);
    const spc_vec3 torque = spc_cross(spc_rotate(s->X_GB.q, mass->p_BBc), weight);
    put_spatial(spc_spatial_make(spc_add(force.angular, torque), spc_add(force.linear, weight)),
                tau);
}

/* Puts a body's equations into those of a system, at its own six coordinates. */
static void put_body(dense *d, int at, const spc_mass *mass, const spc_state *s, spc_vec3 gravity,
                     spc_spatial force)
{
    double H[36];
    int i;
    body_equations(mass, s, H, d->C + at);
    body_forces(mass, s, gravity, force, d->tau + at);
    for (i = 0; i < 36; i++)
        d->H[(at + i / 6) * d->n + at + i % 6] = H[i];
}

/* --------------------------------------------------------------- conventions of RBDL ---------- */

static bool has_rotations(const file_joint *j)
{
    return (j->shape.locked & 56u) != 0;
}

/* Ours of rotations from RBDL's, which are w along the axes of F: all locked, c w + w x v with the
   quaternion (c, v) of R_FM; z free, the derivative of g k x m with k = z, M's z axis m, and g =
   sqrt(2 / (1 + k . m)), by m' = w x m. The third of w is not among RBDL's numbers then. */
static void turn_rates(const file_joint *j, spc_quat q_FM, spc_vec3 w, double *s)
{
    const spc_real sign = real(q_FM.w < 0 ? -1 : 1);
    const spc_vec3 v = vec((double)q_FM.x, (double)q_FM.y, (double)q_FM.z), k = vec(0, 0, 1);
    const spc_vec3 m = spc_rotate(q_FM, k), rate = spc_cross(w, m);
    const double d = 1 + (double)m.z, g = sqrt(2 / d);
    spc_vec3 ours = spc_scale(sign, spc_add(spc_scale(q_FM.w, w), spc_cross(w, v)));
    if (!(j->shape.locked & SPC_LOCK_RZ))
        ours = spc_add(spc_scale(real(g), spc_cross(k, rate)),
                       spc_scale(real(-g / (2 * d) * (double)rate.z), spc_cross(k, m)));
    put_vec3(ours, s);
}

/* Errors of translations, and velocity errors of all rows, to rounding. Where a body turns, RBDL's
   own points differ by w_A x (p_M - p_F), along the axes of F. Where locked rotations are off, its
   rates of turning are not derivatives of errors; ours come of them. */
static void check_errors(file_scene *f)
{
    spc_world *w = make_scene(f, false);
    const file_joint *j = f->joint;
    const spc_rows rows = rows_of(w, j->handle);
    spc_transform X_GF, X_GM;
    spc_vec3 arm, turn;
    double s[6], e[3], turned[3], wanted[6];
    int i;
    joint_frames(w, f, j, &X_GF, &X_GM);
    turn = spc_unrotate(X_GF.q, spc_sub(state_of(w, handle_of(f, j->b)).V_GB.angular,
                                        state_of(w, handle_of(f, j->a)).V_GB.angular));
    CHECK(rows.enforced == j->shape.locked && rows.holonomic == j->shape.locked);
    to_double(rows.position_errors, 3, e);
    CHECK_NEAR(off(e, j->e[EXACT], 3, 1), 0, 16 * TEST_EPSILON);
    CHECK_NEAR(off(e, j->e[OWN_POINTS], 3, 1), 0, 16 * TEST_EPSILON);
    to_double(rows.velocity_errors, 6, s);
    for (i = 0; i < 6; i++)
        wanted[i] = j->s[EXACT][i];
    if (has_rotations(j)) {
        put_vec3(turn, turned);
        for (i = 0; i < 3 && j->shape.locked >> (3 + i) & 1u; i++)
            CHECK_NEAR(turned[i], wanted[3 + i], 64 * TEST_EPSILON);
        turn_rates(j, spc_quat_mul(spc_quat_conjugate(X_GF.q), X_GM.q), turn, wanted + 3);
    }
    CHECK_NEAR(off(s, wanted, 6, 1), 0, 64 * TEST_EPSILON); /* of velocities up to 8 */
    arm = spc_sub(X_GM.p, X_GF.p);
    put_vec3(spc_unrotate(X_GF.q, spc_cross(state_of(w, handle_of(f, j->a)).V_GB.angular, arm)),
             turned);
    for (i = 0; i < 3; i++)
        s[i] += turned[i];
    CHECK_NEAR(off(s, j->s[OWN_POINTS], has_rotations(j) ? 3 : 6, 1), 0, 64 * TEST_EPSILON);
    free(w);
}

static void attachment_errors_are_the_exact_ones_of_rbdl(void)
{
    each_scene("rbdl_attachment_conventions.txt", check_errors, 10, 80);
}

/* Our rotation error from the rotation matrix R_FM: three locked, 2 sin of half its angle along its
   axis u, which is along the skew part u sin(angle) and has the trace 1 + 2 cos(angle); z free, 2
   sin of half the angle between both z axes along z_F x z_M. */
static spc_vec3 rotation_error(spc_mat3 R, unsigned locked)
{
    const bool all = (locked & 56u) == 56u;
    const spc_vec3 skew =
        vec((double)(R.y.z - R.z.y) / 2, (double)(R.z.x - R.x.z) / 2, (double)(R.x.y - R.y.x) / 2);
    const spc_vec3 along = all ? skew : vec(-(double)R.z.y, (double)R.z.x, 0);
    const double cosine = all ? ((double)(R.x.x + R.y.y + R.z.z) - 1) / 2 : (double)R.z.z;
    const double sine = sqrt((double)spc_dot(along, along));
    return spc_scale(real(2 * sin(atan2(sine, cosine) / 2) / sine), along);
}

/* It is not RBDL's, but at alignment and along the same axis for three locked. */
static void check_rotation_error(file_scene *f)
{
    spc_world *w = make_scene(f, false);
    const file_joint *j = f->joint;
    const spc_rows rows = rows_of(w, j->handle);
    double got[3], want[3], of_rbdl[6], size;
    spc_transform X_GF, X_GM;
    spc_quat q;
    int i;
    joint_frames(w, f, j, &X_GF, &X_GM);
    q = spc_quat_mul(spc_quat_conjugate(X_GF.q), X_GM.q);
    if (j->shape.locked & 56u) {
        rbdl_errors(w, f, j, of_rbdl);
        CHECK_NEAR(off(of_rbdl, j->e[EXACT], 6, 1), 0, 16 * TEST_EPSILON);
        put_vec3(rotation_error(spc_mat3_from_quat(q), j->shape.locked), want);
        to_double(rows.position_errors + 3, 3, got);
        CHECK_NEAR(off(got, want, 3, 1), 0, 16 * TEST_EPSILON);
    }
    if (j->shape.locked == SPC_WELD) { /* from RBDL's number: 2 sin(asin(size) / 2) */
        size = sqrt(j->e[EXACT][3] * j->e[EXACT][3] + j->e[EXACT][4] * j->e[EXACT][4] +
                    j->e[EXACT][5] * j->e[EXACT][5]);
        for (i = 0; i < 3; i++)
            want[i] = 2 * sin(asin(size) / 2) / size * j->e[EXACT][3 + i];
        CHECK_NEAR(off(got, want, 3, 1), 0, 16 * TEST_EPSILON);
    }
    free(w);
}

static void rotation_errors_are_those_of_the_documentation(void)
{
    each_scene("rbdl_attachment_conventions.txt", check_rotation_error, 10, 80);
}

/* Against the largest acceleration, about 50; the condition of the equations is some 100. */
static double acceleration_tolerance(void)
{
    return IN_DOUBLE_OR_FLOAT(1e-11, 1e-4);
}

/* Accelerations where the position errors are RBDL's: translations. */
static void check_accelerations(file_scene *f)
{
    spc_world *w = make_scene(f, false);
    int i;
    CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
    for (i = 0; i < f->bodies && !(f->joint[0].shape.locked & 56u); i++) {
        spc_spatial A;
        double got[6];
        CHECK_STATUS(spc_body_get_acceleration(w, f->body[i].handle, &A), SPC_OK);
        put_spatial(A, got);
        CHECK_NEAR(relative(got, f->body[i].acceleration[EXACT], 6), 0, acceleration_tolerance());
    }
    free(w);
}

static void accelerations_under_attachments_are_those_of_rbdl(void)
{
    each_scene("rbdl_attachment_conventions.txt", check_accelerations, 10, 80);
}

/* The joint's rows as rows of a system, with RBDL's position errors in the terms. */
static void put_joint(const spc_world *w, const file_joint *j, dense *d)
{
    const double rate = j->T > 0 ? 1 / j->T : 0;
    spc_real G[6 * MOST], gamma[6], s[6];
    int i;
    d->m = 0;
    while (j->shape.locked >> d->m & 1u)
        d->m++;
    CHECK(j->shape.locked >> d->m == 0); /* what is locked comes first */
    CHECK_STATUS(spc_constraint_get_system(w, j->handle, 0, d->m, G, gamma, NULL, s), SPC_OK);
    to_double(G, d->m * d->n, d->G);
    to_double(gamma, d->m, d->gamma);
    for (i = 0; i < d->m; i++)
        d->gamma[i] -= 2 * rate * (double)s[i] + rate * rate * j->e[EXACT][i];
}

/* Where locked rotations are off, RBDL's rows take the place of ours: along the axes of F, with
   their bias f . (w x w_A) and the same terms. */
static void put_turns_of_rbdl(const spc_world *w, const file_scene *f, dense *d)
{
    const file_joint *j = f->joint;
    const double rate = j->T > 0 ? 1 / j->T : 0;
    const spc_vec3 w_A = state_of(w, handle_of(f, j->a)).V_GB.angular;
    const spc_vec3 turn = spc_sub(state_of(w, handle_of(f, j->b)).V_GB.angular, w_A);
    spc_transform X_GF, X_GM;
    int i, k, end;
    joint_frames(w, f, j, &X_GF, &X_GM);
    for (i = 3; i < d->m; i++) {
        const spc_vec3 axis = spc_rotate(X_GF.q, vec(i == 3, i == 4, i == 5));
        double *row = d->G + i * d->n, a[3];
        put_vec3(axis, a);
        for (k = 0; k < d->n; k++)
            row[k] = 0;
        for (end = 0; end < 2; end++) {
            const int body = end ? j->b : j->a;
            for (k = 0; k < 3 && body >= 0; k++)
                row[6 * body + k] = end ? a[k] : -a[k];
        }
        d->gamma[i] = -(double)spc_dot(axis, spc_cross(turn, w_A)) -
                      2 * rate * (double)spc_dot(axis, turn) - rate * rate * j->e[EXACT][i];
    }
}

/* All accelerations, by a caller's own equations. */
static void check_accelerations_by_hand(file_scene *f)
{
    spc_world *w = make_scene(f, false);
    dense *d = (dense *)malloc(sizeof *d);
    answer a;
    int i;
    memset(d, 0, sizeof *d);
    d->n = spc_world_column_count(w);
    CHECK(d->n == 6 * f->bodies);
    for (i = 0; i < f->bodies; i++) {
        const spc_state s = state_of(w, f->body[i].handle);
        put_body(d, 6 * i, &f->body[i].desc.mass, &s, f->gravity, f->body[i].force);
    }
    put_joint(w, f->joint, d);
    if (has_rotations(f->joint))
        put_turns_of_rbdl(w, f, d);
    a = ask(d);
    CHECK_STATUS(a.forces, SPC_OK);
    for (i = 0; i < f->bodies; i++)
        CHECK_NEAR(relative(a.qddot + 6 * i, f->body[i].acceleration[EXACT], 6), 0,
                   acceleration_tolerance());
    free(d);
    free(w);
}

static void rows_of_a_system_give_the_accelerations_of_rbdl(void)
{
    each_scene("rbdl_attachment_conventions.txt", check_accelerations_by_hand, 10, 80);
}

/* ------------------------------------------------------------------------ random worlds ------- */

#define MOST_BODIES 14
#define MOST_CONSTRAINTS 20
#define STEP SPC_R(0.0078125) /* a power of two: sums of steps are exact */

/* A world, and what it was made of. The first body is ground. */
typedef struct scene {
    spc_world *world;
    int bodies, constraints;
    spc_body body[MOST_BODIES];
    bool dynamic[MOST_BODIES];
    spc_mass mass[MOST_BODIES];
    spc_spatial force[MOST_BODIES]; /* at Bo, in G, lasting */
    spc_constraint constraint[MOST_CONSTRAINTS];
} scene;

static void begin_scene(scene *s, size_t coupling)
{
    spc_world_desc desc = spc_world_desc_default(MOST_BODIES, MOST_CONSTRAINTS);
    memset(s, 0, sizeof *s);
    desc.rows = 6 * MOST_CONSTRAINTS;
    desc.coupling = coupling;
    desc.gravity = vec(1, 2, -9);
    s->world = test_world(&desc);
    s->bodies = 1;
}

/* Moves on a parabola, turning at a constant rate. */
static void ride(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    const spc_vec3 w = vec(0.3, -0.2, 0.5), v = vec(0.4, 0.1, -0.3), a = vec(-1, 2, 0.5);
    (void)user;
    state->X_GB.q = spc_quat_from_rotation_vector(spc_scale(time, w));
    state->X_GB.p = spc_add(spc_scale(time, v), spc_scale(time * time / 2, a));
    state->V_GB = spc_spatial_make(w, spc_add(v, spc_scale(time, a)));
    *acceleration = spc_spatial_make(zero, a);
}

/* A ball, a top or a body without symmetry, half of them off centre. */
static spc_mass random_mass(void)
{
    spc_mass m = test_random_mass();
    const int kind = random_int(0, 2);
    const bool off_centre = random_int(0, 1) == 1;
    const spc_vec3 p = m.p_BBc;
    if (kind == 0)
        m = spc_mass_solid_sphere(m.mass, real(0.4));
    if (kind == 1)
        m = spc_mass_cylinder(m.mass, real(0.3), real(0.2));
    m.p_BBc = off_centre ? p : zero;
    return m;
}

/* A dynamic body under a force, or a kinematic one that a callback moves or not. */
static void add_body(scene *s, bool dynamic)
{
    spc_body_desc d = spc_body_desc_default();
    const bool called = !dynamic && random_int(0, 1) == 1;
    const int i = s->bodies++;
    d.kind = dynamic ? SPC_DYNAMIC : SPC_KINEMATIC;
    d.mass = random_mass();
    d.state = test_random_state();
    d.motion = called ? ride : NULL;
    CHECK_STATUS(spc_body_add(s->world, &d, &s->body[i]), SPC_OK);
    s->dynamic[i] = dynamic;
    s->mass[i] = d.mass;
    if (dynamic) {
        s->force[i] = test_random_spatial(2, 5);
        CHECK(!spc_body_add_force(s->world, s->body[i], s->force[i].linear, zero, SPC_LASTING));
        CHECK(!spc_body_add_torque(s->world, s->body[i], s->force[i].angular, SPC_LASTING));
    } else if (!called)
        CHECK(!spc_body_set_acceleration(s->world, s->body[i], test_random_spatial(1, 2)));
}

static spc_status add_sphere(scene *s, int a, int b, spc_constraint *c)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    d.floor = s->body[a];
    d.ball = s->body[b];
    d.shape.X_FP = test_random_transform(0.5);
    d.shape.p_BS = test_random_vec3(0.3);
    d.shape.radius = real(test_random(0.1, 0.5));
    d.shape.rolling = random_int(0, 1) == 1;
    return spc_sphere_on_plane_add(s->world, &d, c);
}

static spc_status add_disc(scene *s, int a, int b, spc_constraint *c)
{
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    const int rows = random_int(1, 7);
    d.floor = s->body[a];
    d.disc = s->body[b];
    d.shape.X_FP = test_random_transform(0.5);
    d.shape.p_BS = test_random_vec3(0.3);
    d.shape.axis_B = spc_rotate(test_random_quat(), vec(1, 0, 0));
    d.shape.radius = real(test_random(0.1, 0.5));
    d.shape.lateral = (rows & 1) != 0;
    d.shape.longitudinal = (rows & 2) != 0;
    d.shape.normal = (rows & 4) != 0;
    return spc_rolling_disc_add(s->world, &d, c);
}

static spc_status add_attachment(scene *s, int a, int b, unsigned locked, spc_constraint *c)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    d.a = s->body[a];
    d.b = s->body[b];
    d.shape.X_AF = test_random_transform(0.5);
    d.shape.X_BM = test_random_transform(0.5);
    d.shape.rest = test_random_vec3(0.2);
    d.shape.locked = locked;
    return spc_attachment_add(s->world, &d, c);
}

/* Off, on, faster than steps can follow (T < 2 h), or with some of the rows that do not count. */
static spc_stabilization random_stabilization(unsigned rows)
{
    spc_stabilization stab = stabilization_of(0.1);
    const int kind = random_int(0, 3);
    stab.enabled = kind != 0;
    if (kind == 2)
        stab.time_constant = STEP / 2;
    if (kind == 3) {
        stab.ignore_position = (unsigned)random_int(0, 63) & rows;
        stab.ignore_velocity = (unsigned)random_int(0, 63) & rows;
    }
    return stab;
}

/* A constraint of any kind; its largest number of rows is 5. */
static void add_constraint(scene *s, int a, int b)
{
    spc_constraint *c = s->constraint + s->constraints++;
    spc_stabilization stab = random_stabilization(63u);
    const int kind = random_int(0, 2);
    unsigned locked = (unsigned)random_int(1, 62);
    CHECK_STATUS(kind == 0   ? add_sphere(s, a, b, c)
                 : kind == 1 ? add_disc(s, a, b, c)
                             : add_attachment(s, a, b, locked, c),
                 SPC_OK);
    if (kind < 2) { /* three rows */
        stab.ignore_position &= 7u;
        stab.ignore_velocity &= 7u;
    }
    CHECK_STATUS(spc_constraint_set_stabilization(s->world, *c, &stab), SPC_OK);
}

/* Which way round a constraint is does not matter to it. */
static void join(scene *s, int a, int b)
{
    if (random_int(0, 1))
        add_constraint(s, a, b);
    else
        add_constraint(s, b, a);
}

/* Trees on ground, on two moving floors and in the air, a loop or two, a constraint that is
   disabled and one that has no dynamic body. */
static void random_scene(scene *s, int dynamic)
{
    int i, first;
    begin_scene(s, 60000);
    add_body(s, false);
    add_body(s, false);
    first = s->bodies;
    for (i = 0; i < dynamic; i++)
        add_body(s, true);
    join(s, 0, 1);
    for (i = first; i < s->bodies; i++) {
        const int other = random_int(0, i); /* i: none */
        if (other < i)
            join(s, other, i);
    }
    for (i = 0; i < 3; i++) {
        const int other = random_int(0, first - 1);
        join(s, other, random_int(first, s->bodies - 1));
    }
    CHECK(!spc_constraint_set_enabled(s->world, s->constraint[s->constraints - 1], false));
}

/* Accelerations that forward dynamics found, and velocities. */
static spc_spatial acceleration_of(const scene *s, int body)
{
    spc_spatial A = spc_spatial_make(zero, zero);
    CHECK_STATUS(spc_body_get_acceleration(s->world, s->body[body], &A), SPC_OK);
    return A;
}

static spc_constraint_info info_of(const scene *s, int constraint)
{
    spc_constraint_info info;
    memset(&info, 0, sizeof info);
    CHECK_STATUS(spc_constraint_get_info(s->world, s->constraint[constraint], &info), SPC_OK);
    return info;
}

static spc_stabilization stab_of(const scene *s, int constraint)
{
    spc_stabilization stab = spc_stabilization_default();
    CHECK(!spc_constraint_get_stabilization(s->world, s->constraint[constraint], &stab));
    return stab;
}

static int count_bits(unsigned bits)
{
    return bits ? (int)(bits & 1u) + count_bits(bits >> 1) : 0;
}

/* The place of a body in a scene. */
static int place_of(const scene *s, spc_body body)
{
    int i;
    for (i = 1; i < s->bodies; i++)
        if (is_bits(&s->body[i], &body, sizeof body))
            return i;
    CHECK(body.index == 0 && body.generation == 0);
    return 0;
}

static spc_world_report report_of(const scene *s)
{
    spc_world_report r;
    memset(&r, PATTERN, sizeof r);
    CHECK_STATUS(spc_world_get_report(s->world, &r), SPC_OK);
    return r;
}

/* The report is the sum of what the constraints tell, and names the worst of them. */
static void check_report(const scene *s)
{
    const spc_world_report r = report_of(s);
    spc_real most = 0;
    int k, redundant = 0, contradictory = 0;
    for (k = 0; k < s->constraints; k++) {
        const spc_constraint_info info = info_of(s, k);
        redundant += count_bits(info.redundant);
        contradictory += info.contradiction > 0;
        if (info.contradiction > most)
            most = info.contradiction;
        if (r.worst.index == s->constraint[k].index)
            CHECK_NEAR(info.contradiction, r.contradiction, 0);
    }
    CHECK(r.redundant_rows == redundant);
    CHECK(r.contradictory == contradictory);
    CHECK_NEAR(r.contradiction, most, 0);
    CHECK((r.contradictory > 0) == spc_constraint_exists(s->world, r.worst));
    CHECK(r.contradictory > 0 || (r.worst.index == 0 && r.worst.generation == 0));
}

/* The last call that solved found no contradiction. */
static void check_no_contradiction(const scene *s)
{
    check_report(s);
    CHECK(report_of(s).contradictory == 0);
    CHECK_NEAR(report_of(s).contradiction, 0, 0);
}

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

/* Is a constraint enabled, and does it act on a dynamic body? */
static bool acts(const scene *s, int constraint)
{
    const spc_constraint_info info = info_of(s, constraint);
    return info.enabled && (s->dynamic[place_of(s, info.a)] || s->dynamic[place_of(s, info.b)]);
}

/* Appends the rows of a constraint to a system in all dynamic bodies' coordinates. */
static void put_rows(const scene *s, int constraint, dense *d)
{
    const spc_constraint_info info = info_of(s, constraint);
    const int a = place_of(s, info.a), b = place_of(s, info.b);
    const spc_spatial A_a = acceleration_of(s, a), A_b = acceleration_of(s, b);
    const spc_rows rows = rows_of(s->world, s->constraint[constraint]);
    const spc_stabilization stab = stab_of(s, constraint);
    spc_real S_a[6 * MOST], S_b[6 * MOST], G[6 * MOST], gamma[6], terms[6];
    int count;
    spc_stabilization_terms(&stab, &rows, 0, terms);
    count = spc_rows_project(&rows, selection(s, a, d->n, S_a), s->dynamic[a] ? NULL : &A_a,
                             selection(s, b, d->n, S_b), s->dynamic[b] ? NULL : &A_b, terms, d->n,
                             G, gamma);
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

/* The condition of the rows that are kept, of a symmetric matrix of all. They are those that came
   first, not those that stand apart most, so that it may be larger than that of the whole. */
static double kept_condition(const double *A, int n, const bool *dropped)
{
    double kept[MOST * MOST];
    int i, j, at = 0, count = 0;
    for (i = 0; i < n; i++)
        count += !dropped[i];
    for (i = 0; i < n * n; i++) {
        j = i % n;
        if (!dropped[i / n] && !dropped[j])
            kept[at++] = A[i];
    }
    return condition(kept, count);
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
            put_spatial(acceleration_of(s, i), A + at);
            at += 6;
        }
    CHECK(multipliers_of(s, lambda) == d->m);
    for (i = 0; i < d->m; i++)
        lambda[i] = -lambda[i];
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
    CHECK(spc_rows_project(rows, S_a, &A_a, S_b, &A_b, terms, n, G, gamma) ==
          count_bits(rows->enforced));
    for (i = 0; i < rows->count; i++) {
        if (!(rows->enforced >> i & 1u))
            continue;
        for (k = 0; k < n; k++)
            CHECK_NEAR(G[used * n + k],
                       (S_a ? row_times(rows->jacobian_a[i], S_a, n, k) : 0) +
                           (S_b ? row_times(rows->jacobian_b[i], S_b, n, k) : 0),
                       rounding);
        CHECK_NEAR(gamma[used], (double)terms[i] - ((double)drift[i] + (double)rows->bias[i]),
                   rounding + 4 * TEST_EPSILON * fabs((double)rows->bias[i]));
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
    rows.bias[0] = (spc_dot(v, v) - spc_dot(u, v) * spc_dot(u, v)) / spc_norm(p);
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
    spc_real *work = (spc_real *)malloc(spc_dense_size(6, 1) * sizeof *work);
    spc_stabilization on = spc_stabilization_default();
    spc_real terms[SPC_MAX_ROWS], multiplier;
    spc_spatial F;
    int i;
    for (i = 0; i < 36; i++) {
        S_b[i] = i % 7 ? 0 : 1;
        H[i] = i % 7 ? 0 : real(i < 21 ? 0.1 : m);
    }
    tau[5] = real(-m * g);
    spc_stabilization_terms(&on, &rows, 0, terms);
    CHECK(spc_rows_project(&rows, NULL, NULL, S_b, NULL, terms, 6, G, gamma) == 1);
    CHECK_STATUS(spc_dense_forward_dynamics(6, 1, H, NULL, tau, G, gamma, work, qddot, lambda),
                 SPC_OK);
    CHECK_NEAR(lambda[0], -tension, rounding * tension);
    CHECK_NEAR(spc_dot(along, spc_vec3_make(qddot[3], qddot[4], qddot[5])), -g * sin(angle),
               rounding * 50);
    CHECK_NEAR(qddot[1], 0, 0);
    multiplier = -lambda[0];
    spc_rows_forces(&rows, &multiplier, NULL, &F);
    CHECK_NEAR(spc_norm(spc_add(F.linear, spc_scale(real(tension / L), p))), 0, rounding * tension);
    CHECK_NEAR(spc_rows_power(&rows, &multiplier), 0, rounding * tension * speed);
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
        CHECK(spc_rows_project(&rows, NULL, NULL, NULL, NULL, NULL, 1, G, gamma) ==
              count_bits(rows.enforced));
        for (k = used = 0; k < rows.count; k++)
            if (rows.enforced >> k & 1u)
                CHECK_NEAR(gamma[used++], -rows.bias[k], 0);
    }
    free(s.world);
}

/* ---------------------------------------------------------------- rows of a whole system ------ */

/* The velocities or accelerations of all bodies that a world has had, 6 for each handle index. */
static void columns_of(const scene *s, bool accelerations, double *out)
{
    int i;
    clear(out, spc_world_column_count(s->world));
    for (i = 1; i < s->bodies; i++)
        put_spatial(accelerations ? acceleration_of(s, i) : state_of(s->world, s->body[i]).V_GB,
                    out + 6 * (s->body[i].index - 1));
}

/* What a constraint writes at `row` of a system of `rows`; everything else keeps a pattern. */
typedef struct system_part {
    spc_real G[MOST * MOST], gamma[MOST], e[MOST], s[MOST];
} system_part;

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
    CHECK_NEAR(p->gamma[at], -rows->bias[i], 0);
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
        CHECK_STATUS(spc_constraint_add_stabilization(s.world, s.constraint[k], 2, 12, gamma),
                     SPC_OK);
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

/* The rows of all enabled constraints at their row_index, with stabilization. */
static void put_system(const scene *s, int m, int n, double *G, double *gamma)
{
    system_part *p = (system_part *)malloc(sizeof *p);
    int k;
    memset(p, PATTERN, sizeof *p);
    for (k = 0; k < s->constraints; k++) {
        const int row = info_of(s, k).row_index;
        if (row < 0)
            continue;
        CHECK(!spc_constraint_get_system(s->world, s->constraint[k], row, m, p->G, p->gamma, NULL,
                                         NULL));
        CHECK(!spc_constraint_add_stabilization(s->world, s->constraint[k], row, m, p->gamma));
    }
    to_double(p->G, m * n, G);
    to_double(p->gamma, m, gamma);
    free(p);
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

/* The disc of a scene whose axis a pose makes parallel to the normal, which leaves no contact. */
static void lay_flat(scene *s)
{
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    spc_transform X = spc_transform_identity();
    d.disc = s->body[1];
    d.shape.axis_B = vec(0, 0, 1);
    d.shape.radius = 1;
    CHECK_STATUS(spc_rolling_disc_add(s->world, &d, &s->constraint[s->constraints++]), SPC_OK);
    CHECK_STATUS(spc_body_set_pose(s->world, s->body[1], X), SPC_OK);
}

static void check_system_refused(const scene *s, int constraint, int row, int rows,
                                 spc_status status)
{
    system_part *p = (system_part *)malloc(sizeof *p);
    CHECK_STATUS(ask_system(s, constraint, row, rows, p), status);
    CHECK_STATUS(
        spc_constraint_add_stabilization(s->world, s->constraint[constraint], row, rows, p->gamma),
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
    CHECK_STATUS(spc_constraint_add_stabilization(s.world, s.constraint[0], 0, 5, NULL),
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
    CHECK_STATUS(spc_constraint_add_stabilization(s.world, s.constraint[0], 0, 0, p->gamma),
                 SPC_OK);
    CHECK(untouched(p, sizeof *p));
    free(p);
    free(s.world);
}

/* ---------------------------------------------------------------------- names and numbers ----- */

static spc_world *world_of_names(spc_constraint *c, int count)
{
    spc_world_desc desc = spc_world_desc_default(1, count);
    spc_body_desc body = spc_body_desc_default();
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_world *w = test_world(&desc);
    int i;
    body.mass = spc_mass_solid_sphere(1, 1);
    CHECK_STATUS(spc_body_add(w, &body, &d.b), SPC_OK);
    for (i = 0; i < count; i++)
        CHECK_STATUS(spc_attachment_add(w, &d, &c[i]), SPC_OK);
    return w;
}

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

/* --------------------------------------------------------------------- coupling asked for ----- */

typedef spc_world *(*builder)(size_t coupling, int size);

static spc_world *tight_world(int bodies, int constraints, int rows, size_t coupling)
{
    spc_world_desc desc = spc_world_desc_default(bodies, constraints);
    desc.rows = rows;
    desc.coupling = coupling;
    desc.gravity = vec(0, 0, -9.81);
    return test_world(&desc);
}

static spc_body ball_at(spc_world *w, double x, double y, double z)
{
    spc_body_desc d = spc_body_desc_default();
    spc_body b;
    memset(&b, 0, sizeof b);
    d.mass = spc_mass_solid_sphere(1, real(0.1));
    d.state.X_GB.p = vec(x, y, z);
    d.state.V_GB = test_random_spatial(1, 1);
    CHECK_STATUS(spc_body_add(w, &d, &b), SPC_OK);
    return b;
}

/* A joint half way between two bodies, about or across an axis. */
static void join_at(spc_world *w, spc_body a, spc_body b, spc_vec3 axis, unsigned locked)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    const spc_transform X_a = state_of(w, a).X_GB, X_b = state_of(w, b).X_GB;
    const spc_vec3 middle = spc_scale(real(0.5), spc_add(X_a.p, X_b.p));
    spc_constraint c;
    d.a = a;
    d.b = b;
    CHECK_STATUS(spc_attachment_at(&X_a, &X_b, middle, axis, locked, &d.shape), SPC_OK);
    CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
}

static spc_world *ring(size_t coupling, int size)
{
    spc_world *w = tight_world(size, size, 3 * size, coupling);
    spc_body b[64];
    int i;
    for (i = 0; i < size; i++)
        b[i] = ball_at(w, cos(6.28 * i / size), sin(6.28 * i / size), 0.1 * (i % 3));
    for (i = 0; i < size; i++)
        join_at(w, b[i], b[(i + 1) % size], vec(0, 0, 1), SPC_BALL_JOINT);
    return w;
}

/* Balls that roll on a plate and hold each other. */
static spc_world *hub(size_t coupling, int size)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_world *w = tight_world(size + 1, 2 * size, 4 * size, coupling);
    spc_constraint c;
    spc_body b[64];
    int i;
    d.floor = ball_at(w, 0, 0, 0);
    d.shape.radius = real(0.1);
    for (i = 0; i < size; i++) {
        d.ball = b[i] = ball_at(w, i, i % 2, 0.1);
        CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
    }
    for (i = 0; i < size; i++)
        join_at(w, b[i], b[(i + 1) % size], vec(1, i, 0), SPC_POINT_ON_PLANE);
    return w;
}

/* Each body to each other. */
static spc_world *cluster(size_t coupling, int size)
{
    const int pairs = size * (size - 1) / 2;
    spc_world *w = tight_world(size, pairs, pairs, coupling);
    spc_body b[64];
    int i, j;
    for (i = 0; i < size; i++)
        b[i] = ball_at(w, i % 3, i / 3, i * i % 5);
    for (i = 0; i < size; i++)
        for (j = 0; j < i; j++)
            join_at(w, b[i], b[j], vec(1 + i, j, i - j), SPC_POINT_ON_PLANE);
    return w;
}

/* A square net. */
static spc_world *net(size_t coupling, int size)
{
    const int joints = 2 * size * (size - 1);
    spc_world *w = tight_world(size * size, joints, joints, coupling);
    spc_body b[256];
    int i;
    for (i = 0; i < size * size; i++)
        b[i] = ball_at(w, i % size, i / size, i % 3);
    for (i = 0; i < size * size; i++) {
        if (i % size)
            join_at(w, b[i], b[i - 1], vec(1, i % 5, i % 3), SPC_POINT_ON_PLANE);
        if (i >= size)
            join_at(w, b[i], b[i - size], vec(i % 4, 1, i % 3), SPC_POINT_ON_PLANE);
    }
    return w;
}

/* Bodies between two hubs. */
static spc_world *ladder(size_t coupling, int size)
{
    spc_world *w = tight_world(size + 2, 2 * size, 5 * size, coupling);
    spc_body b[64];
    int i;
    for (i = 0; i < size + 2; i++)
        b[i] = ball_at(w, i, i % 3, i * i % 7);
    for (i = 2; i < size + 2; i++) {
        join_at(w, b[0], b[i], vec(0, 0, 1), SPC_BALL_JOINT);
        join_at(w, b[1], b[i], vec(1, i, 0), SPC_POINT_ON_LINE);
    }
    return w;
}

/* Many joints between the same two bodies. */
static spc_world *bundle(size_t coupling, int size)
{
    spc_world *w = tight_world(2, size, size, coupling);
    const spc_body a = ball_at(w, 0, 0, 0), b = ball_at(w, 1, 0, 0);
    int i;
    for (i = 0; i < size; i++)
        join_at(w, a, b, vec(1, i, i * i % 3), SPC_POINT_ON_PLANE);
    return w;
}

/* Asks a world without room, makes one with what it says, and so on until it works. Gives what that
   one needs, and how often it was asked. */
static size_t ask_for_coupling(builder build, int size, int *turns)
{
    size_t coupling = 0, needed = 0;
    bool full = true;
    for (*turns = 0; full && *turns < 64; ++*turns) {
        spc_world *w = build(coupling, size);
        needed = spc_world_coupling_needed(w);
        full = spc_world_forward_dynamics(w) == SPC_ERROR_COUPLING_FULL;
        CHECK(full ? needed > coupling : needed <= coupling);
        coupling = needed;
        free(w);
    }
    CHECK(!full);
    return needed;
}

/* The state after some steps; a world that is refused does not move. */
static unsigned long long run(spc_world *w, bool full)
{
    int i;
    for (i = 0; i < 5; i++) {
        const spc_status status = spc_step(w, STEP);
        CHECK_STATUS(status, full ? SPC_ERROR_COUPLING_FULL : SPC_OK);
    }
    return spc_world_hash(w);
}

/* What is asked for suffices to the byte, and eight less do not; more changes nothing. Gives how
   much that is: few loops need none. */
static size_t check_coupling(builder build, int size)
{
    int turns;
    const size_t needed = ask_for_coupling(build, size, &turns);
    spc_world *exact, *less, *more;
    unsigned long long before;
    test_seed = 1;
    exact = build(needed, size);
    test_seed = 1;
    more = build(3 * needed, size);
    test_seed = 1;
    less = build(needed > 8 ? needed - 8 : 0, size);
    before = spc_world_hash(less);
    CHECK(spc_world_coupling_needed(more) == needed);
    CHECK(run(exact, false) == run(more, false));
    if (needed > 0)
        CHECK(run(less, true) == before);
    CHECK(spc_world_coupling_needed(exact) == needed);
    CHECK(spc_world_coupling_needed(more) == needed);
    CHECK(spc_world_coupling_needed(less) >= needed);
    free(exact);
    free(more);
    free(less);
    return needed;
}

static void coupling_that_is_asked_for_suffices(void)
{
    static const int sizes[4] = { 9, 16, 30, 60 };
    int i, some = 0;
    for (i = 0; i < 4; i++) {
        CHECK(check_coupling(ring, sizes[i]) == 0);
        some += check_coupling(hub, sizes[i]) > 0;
        some += check_coupling(ladder, sizes[i]) > 0;
        some += check_coupling(bundle, sizes[i]) > 0;
    }
    for (i = 6; i <= 14; i += 2)
        some += check_coupling(cluster, i) > 0;
    for (i = 5; i <= 11; i++)
        some += check_coupling(net, i) > 0;
    CHECK(some > 12); /* of 24 */
}

/* Where there is not even room to find out, guesses double until there is. */
static void guesses_of_coupling_come_to_an_end(void)
{
    int turns;
    (void)ask_for_coupling(cluster, 20, &turns);
    CHECK(turns >= 3 && turns < 16);
    (void)ask_for_coupling(cluster, 16, &turns);
    CHECK(turns >= 3 && turns < 16);
    CHECK(check_coupling(cluster, 13) > 0);
}

/* It follows what is there: constraints that are disabled or removed need nothing. */
static void coupling_follows_the_constraints(void)
{
    spc_constraint c[40];
    spc_world *w = world_of_names(c, 40);
    const size_t needed = spc_world_coupling_needed(w);
    int i;
    CHECK(needed > 0 && spc_world_coupling_needed(NULL) == 0);
    for (i = 0; i < 40; i++)
        CHECK_STATUS(spc_constraint_set_enabled(w, c[i], false), SPC_OK);
    CHECK(spc_world_coupling_needed(w) == 0);
    for (i = 0; i < 40; i++)
        CHECK_STATUS(spc_constraint_set_enabled(w, c[i], true), SPC_OK);
    CHECK(spc_world_coupling_needed(w) == needed);
    for (i = 0; i < 39; i++)
        CHECK_STATUS(spc_constraint_remove(w, c[i]), SPC_OK);
    CHECK(spc_world_coupling_needed(w) == 0);
    free(w);
}

/* -------------------------------------------------------------------------- step by hand ------ */

/* A scene of its own memory in the same state. */
static scene copy_of(const scene *s)
{
    const size_t bytes = spc_world_bytes(s->world);
    void *memory = malloc(bytes);
    scene copy = *s;
    memcpy(memory, s->world, bytes);
    CHECK_STATUS(spc_world_open(memory, bytes, &copy.world), SPC_OK);
    return copy;
}

/* What a step changes and tells. */
typedef struct motion {
    double X[7 * MOST_BODIES], V[6 * MOST_BODIES], lambda[6 * MOST_CONSTRAINTS];
    spc_real time;
} motion;

static void motion_of(const scene *s, motion *m)
{
    int i;
    memset(m, 0, sizeof *m);
    m->time = spc_world_time(s->world);
    for (i = 1; i < s->bodies; i++) {
        const spc_state state = state_of(s->world, s->body[i]);
        put_vec3(state.X_GB.p, m->X + 7 * i);
        put_vec3(spc_vec3_make(state.X_GB.q.x, state.X_GB.q.y, state.X_GB.q.z), m->X + 7 * i + 3);
        m->X[7 * i + 6] = (double)state.X_GB.q.w;
        put_spatial(state.V_GB, m->V + 6 * i);
    }
    for (i = 0; i < s->constraints; i++) {
        spc_real l[SPC_MAX_ROWS];
        CHECK(!spc_constraint_get_multipliers(s->world, s->constraint[i], l));
        to_double(l, SPC_MAX_ROWS, m->lambda + SPC_MAX_ROWS * i);
    }
}

/* Rows and columns of zeros, of constraints that act on no dynamic body, become those of one of the
   largest entry: a solve gives them what has no effect. */
static void fill_diagonal(double *W, int n)
{
    const double most = largest(W, n * n);
    int i;
    for (i = 0; i < n; i++)
        if (!(W[i * n + i] > 0))
            W[i * n + i] = most > 0 ? most : 1;
}

/* A step by hand: its matrix, whether rows depend on others, and whether the demands contradict
   each other by less than the world cares about. */
typedef struct by_hand {
    int rows;
    double W[MOST * MOST];
    bool regular, little;
    bool turns; /* some rows are about axes: contradictions are weighed by arms */
    bool gains; /* velocity errors before may bring in energy: the world mirrors them, (7.7) */
} by_hand;

/* The caller's solver: Gauss's elimination or, where rows depend on others, least squares of least
   norm. The world takes contradictions of less than a thousandth of what is asked for drift, and
   leaves the rows that it does not keep to the others: a hundredth here, since it weighs rotations
   by arms, of which some are a tenth of a metre. Below some hundred roundings there is none. */
static void solve_by_hand(by_hand *hand, spc_real *v)
{
    const int n = hand->rows;
    double b[MOST], x[MOST], left[MOST], part;
    clear(b, MOST);
    to_double(v, n, b);
    if (hand->regular) {
        eliminate(hand->W, n, b, x);
    } else {
        pseudo_solve(hand->W, n, b, x);
        times(hand->W, n, n, x, left);
        part = relative(left, b, n);
        hand->little = hand->little || (part > 256 * TEST_EPSILON && (hand->turns || part < 0.01));
    }
    to_real(x, n, v);
}

/* Velocity errors of the rows in use, as a constraint-space vector. */
static void velocity_errors_of(const scene *s, double *out)
{
    int k, i;
    for (k = 0; k < s->constraints; k++) {
        const spc_rows rows = rows_of(s->world, s->constraint[k]);
        for (i = 0; i < rows.count && info_of(s, k).enabled; i++)
            if (rows.enforced >> i & 1u)
                *out++ = (double)rows.velocity_errors[i];
    }
}

/* Is a constraint a contact, the only one of its only dynamic body? */
static bool is_alone(const scene *s, int k)
{
    const spc_constraint_info info = info_of(s, k);
    int i, ends = 0, body = 0;
    for (i = 1; i < s->bodies; i++) {
        const bool is_a = s->body[i].index == info.a.index;
        if (s->dynamic[i] && (is_a || s->body[i].index == info.b.index)) {
            body = i;
            ends++;
        }
    }
    for (i = 0; i < s->constraints && ends == 1; i++) {
        const spc_constraint_info other = info_of(s, i);
        ends += i != k && other.enabled && (other.a.index == s->body[body].index ||
                                            other.b.index == s->body[body].index);
    }
    return ends == 1 && info.kind != SPC_ATTACHMENT;
}

/* Is -lambda . s of some constraint positive, of those before the step? */
static bool brings_energy(const scene *s, const double *before, const spc_real *lambda)
{
    int k, i;
    for (k = 0; k < s->constraints; k++) {
        const spc_rows rows = rows_of(s->world, s->constraint[k]);
        double gain = 0;
        for (i = 0; i < rows.count && info_of(s, k).enabled; i++)
            if (rows.enforced >> i & 1u)
                gain -= (double)*lambda++ * *before++;
        if (acts(s, k) && !is_alone(s, k) && gain > 0)
            return true;
    }
    return false;
}

/* The parts of a step, in their order. */
static void step_by_hand(scene *s, spc_real h, by_hand *hand)
{
    const int n = hand->rows = spc_world_row_count(s->world);
    spc_real *W = (spc_real *)malloc(sizeof *W * (size_t)(n * n + 1));
    spc_real target[MOST], place[MOST], lambda[MOST], mu[MOST];
    double before[MOST];
    int k;
    velocity_errors_of(s, before);
    CHECK_STATUS(spc_world_free_motion(s->world, h, target, place, n), SPC_OK);
    CHECK_STATUS(spc_world_get_violation(s->world, h, target, lambda, n), SPC_OK);
    CHECK_STATUS(spc_world_get_position_violation(s->world, place, mu, n), SPC_OK);
    CHECK_STATUS(spc_world_get_compliance(s->world, h, NULL, 0, W, n), SPC_OK);
    to_double(W, n * n, hand->W);
    fill_diagonal(hand->W, n);
    hand->regular = smallest_part(hand->W, n) > IN_DOUBLE_OR_FLOAT(1e-8, 1e-3);
    hand->little = hand->turns = false;
    for (k = 0; k < s->constraints; k++)
        hand->turns = hand->turns || rows_of(s->world, s->constraint[k]).enforced >> 3;
    solve_by_hand(hand, lambda);
    solve_by_hand(hand, mu);
    hand->gains = brings_energy(s, before, lambda);
    CHECK_STATUS(spc_world_correct(s->world, h, lambda, n), SPC_OK);
    CHECK_STATUS(spc_world_displace(s->world, h, mu, n), SPC_OK);
    CHECK_STATUS(spc_world_end_motion(s->world, h), SPC_OK);
    free(W);
}

/* Which rows of W the world has left to others; constraints that act on no dynamic body have some,
   too. */
static void dropped_of(const scene *s, bool *out)
{
    int k, i;
    for (k = 0; k < s->constraints; k++) {
        const spc_constraint_info info = info_of(s, k);
        const spc_rows rows = rows_of(s->world, s->constraint[k]);
        for (i = 0; i < rows.count && info.enabled; i++)
            if (rows.enforced >> i & 1u)
                *out++ = (info.redundant >> i & 1u) != 0;
    }
}

/* Multipliers of constraints that act on no dynamic body are nobody's. */
static void forget_idle_multipliers(const scene *s, motion *m)
{
    int i;
    for (i = 0; i < s->constraints; i++)
        if (!acts(s, i))
            clear(m->lambda + SPC_MAX_ROWS * i, SPC_MAX_ROWS);
}

/* Poses, velocities and multipliers differ by the rounding of two solves, which is that of the
   multipliers times the condition. */
static void check_same_motion(const scene *a, const scene *b, double rounding)
{
    motion m, n;
    motion_of(a, &m);
    motion_of(b, &n);
    forget_idle_multipliers(a, &m);
    forget_idle_multipliers(b, &n);
    CHECK(is_bits(&m.time, &n.time, sizeof m.time));
    CHECK_NEAR(relative(m.X, n.X, 7 * MOST_BODIES), 0, rounding);
    CHECK_NEAR(relative(m.V, n.V, 6 * MOST_BODIES), 0, rounding);
    CHECK_NEAR(relative(m.lambda, n.lambda, 6 * MOST_CONSTRAINTS), 0, rounding);
}

/* Is a step refused, since a disc is flat or a body turns too fast, or are islands divided? Then
   they are factorized more than once. */
static bool is_left_out(const scene *s, spc_real h)
{
    scene other = copy_of(s);
    spc_world_report whole, step;
    spc_status status = spc_world_forward_dynamics(other.world);
    CHECK_STATUS(spc_world_get_report(other.world, &whole), SPC_OK);
    if (!status)
        status = spc_step(other.world, h);
    CHECK_STATUS(spc_world_get_report(other.world, &step), SPC_OK);
    free(other.world);
    return status == SPC_ERROR_NO_CONTACT_POINT || status == SPC_ERROR_BAD_STEP ||
           step.factorizations > whole.factorizations;
}

/* One step of the world and one by hand from the same state; false if the rows are neither
   independent nor clearly dependent, or the precision does not tell, or the step is left out. Where
   rows are dependent the world's conjugate gradients end at 64 roundings of their beginning; in
   their own directions, which are conditioned to some ten. */
static bool check_step_by_hand(scene *s, spc_real h)
{
    by_hand *hand;
    scene other;
    bool dropped[MOST], clear_rows;
    double kappa;
    if (is_left_out(s, h))
        return false;
    hand = (by_hand *)malloc(sizeof *hand);
    other = copy_of(s);
    step_by_hand(&other, h, hand);
    CHECK_STATUS(spc_step(s->world, h), SPC_OK);
    check_report(s);
    if (hand->regular)
        check_no_contradiction(s);
    dropped_of(s, dropped);
    kappa = kept_condition(hand->W, hand->rows, dropped);
    clear_rows = !hand->little && !hand->gains && kappa < IN_DOUBLE_OR_FLOAT(1e8, 1e3) &&
                 condition(hand->W, hand->rows) < IN_DOUBLE_OR_FLOAT(1e8, 1e3);
    if (clear_rows)
        check_same_motion(&other, s, (hand->regular ? 64 : 1024) * TEST_EPSILON * kappa);
    free(other.world);
    free(hand);
    return clear_rows;
}

static void a_step_by_hand_is_a_step_of_random_worlds(void)
{
    int turn, i, clear_ones = 0;
    for (turn = 0; turn < 200; turn++) {
        scene s;
        random_scene(&s, random_int(2, 10));
        for (i = 0; i < 3; i++)
            clear_ones += check_step_by_hand(&s, STEP);
        free(s.world);
    }
    CHECK(clear_ones > 80); /* others gain energy, or contradict themselves about axes */
}

/* Balls and discs each on its own, which the world steps in closed form. */
static void a_step_by_hand_is_a_step_of_single_contacts(void)
{
    spc_sphere_on_plane shape;
    int turn, i;
    for (turn = 0; turn < 20; turn++) {
        scene s;
        begin_scene(&s, 0);
        add_body(&s, false);
        for (i = 0; i < 6; i++) {
            spc_constraint *c = &s.constraint[s.constraints++];
            const spc_stabilization stab = random_stabilization(7u);
            add_body(&s, true);
            CHECK_STATUS(add_sphere(&s, i % 2, s.bodies - 1, c), SPC_OK);
            CHECK_STATUS(spc_sphere_on_plane_get(s.world, *c, &shape), SPC_OK);
            shape.rolling = true;
            CHECK_STATUS(spc_sphere_on_plane_set(s.world, *c, &shape), SPC_OK);
            CHECK_STATUS(spc_constraint_set_stabilization(s.world, *c, &stab), SPC_OK);
        }
        CHECK(check_step_by_hand(&s, STEP));
        CHECK(check_step_by_hand(&s, 2 * STEP));
        free(s.world);
    }
}

/* Bodies that hang on one joint each, of any motions that it locks, a ball joint first. */
static void a_step_by_hand_is_a_step_of_lone_joints(void)
{
    int turn, locked, clear_ones = 0;
    for (turn = 0; turn < 3; turn++)
        for (locked = 1; locked <= 63; locked++) {
            spc_stabilization stab = random_stabilization(63u);
            scene s;
            begin_scene(&s, 0);
            add_body(&s, turn == 2);
            add_body(&s, true);
            if (turn == 0)
                stab = spc_stabilization_default();
            CHECK_STATUS(add_attachment(&s, turn > 0, 2, (unsigned)locked ^ 6u, s.constraint),
                         SPC_OK);
            s.constraints = 1;
            CHECK(!spc_constraint_set_stabilization(s.world, s.constraint[0], &stab));
            clear_ones += check_step_by_hand(&s, STEP);
            clear_ones += check_step_by_hand(&s, 4 * STEP);
            free(s.world);
        }
    CHECK(clear_ones > 250); /* of 378; others gain energy */
}

/* Many on one body, which the world keeps in its equations. Joints are off by any angle, and the
   further the worse is the condition of their rows. */
static void a_step_by_hand_is_a_step_of_a_hub(void)
{
    int turn, i, regular = 0;
    for (turn = 0; turn < 80; turn++) {
        scene s;
        begin_scene(&s, 60000);
        add_body(&s, true);
        CHECK_STATUS(add_attachment(&s, 0, 1, SPC_HINGE, &s.constraint[s.constraints++]), SPC_OK);
        for (i = 0; i < 9; i++) {
            add_body(&s, true);
            join(&s, 1, s.bodies - 1);
        }
        regular += check_step_by_hand(&s, STEP);
        free(s.world);
    }
    CHECK(regular > IN_DOUBLE_OR_FLOAT(4, 1));
}

/* A world without constraints: vectors have no numbers, and free motion is all there is. */
static void a_step_by_hand_without_constraints_is_free_motion(void)
{
    spc_real nothing;
    scene s, other;
    begin_scene(&s, 0);
    add_body(&s, true);
    add_body(&s, false);
    other = copy_of(&s);
    CHECK_STATUS(spc_world_free_motion(s.world, STEP, &nothing, &nothing, 0), SPC_OK);
    CHECK_STATUS(spc_world_get_violation(s.world, STEP, NULL, &nothing, 0), SPC_OK);
    CHECK_STATUS(spc_world_get_position_violation(s.world, NULL, &nothing, 0), SPC_OK);
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, NULL, 0, &nothing, 0), SPC_OK);
    CHECK_STATUS(spc_world_correct(s.world, STEP, &nothing, 0), SPC_OK);
    CHECK_STATUS(spc_world_displace(s.world, STEP, &nothing, 0), SPC_OK);
    CHECK_STATUS(spc_world_end_motion(s.world, STEP), SPC_OK);
    CHECK_STATUS(spc_step(other.world, STEP), SPC_OK);
    CHECK(spc_world_hash(s.world) == spc_world_hash(other.world));
    free(s.world);
    free(other.world);
}

/* A ball of 2 kg at rest, that nothing holds or pulls. */
static spc_world *world_of_one_ball(spc_body *ball)
{
    spc_body_desc d = spc_body_desc_default();
    const spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_world *w = test_world(&desc);
    d.mass = spc_mass_solid_sphere(2, 1);
    CHECK_STATUS(spc_body_add(w, &d, ball), SPC_OK);
    return w;
}

/* Forces that are added between the parts wait for the next step: the end only moves. */
static void forces_after_free_motion_are_for_the_next_step(void)
{
    spc_body b;
    spc_world *w = world_of_one_ball(&b);
    CHECK_STATUS(spc_world_free_motion(w, real(0.5), NULL, NULL, 0), SPC_OK);
    CHECK_STATUS(spc_body_add_force(w, b, vec(4, 0, 0), zero, SPC_ONE_STEP), SPC_OK);
    CHECK_STATUS(spc_world_end_motion(w, real(0.5)), SPC_OK);
    CHECK_NEAR(state_of(w, b).V_GB.linear.x, 0, 0);
    CHECK_STATUS(spc_step(w, real(0.5)), SPC_OK);
    CHECK_NEAR(state_of(w, b).V_GB.linear.x, 1, 0);
    free(w);
}

/* Forces of one step act once, in the middle: F h / m, and then no more. Half a drift goes before
   them, half a drift behind. */
static void free_motion_uses_up_forces_of_one_step(void)
{
    spc_body b;
    spc_world *w = world_of_one_ball(&b);
    CHECK_STATUS(spc_body_add_force(w, b, vec(4, 0, 0), zero, SPC_ONE_STEP), SPC_OK);
    CHECK_STATUS(spc_world_free_motion(w, real(0.5), NULL, NULL, 0), SPC_OK);
    CHECK_NEAR(state_of(w, b).V_GB.linear.x, 1, 0);
    CHECK_NEAR(state_of(w, b).X_GB.p.x, 0, 0);
    CHECK_NEAR(spc_world_time(w), 0.25, 0);
    CHECK_STATUS(spc_world_end_motion(w, real(0.5)), SPC_OK);
    CHECK_NEAR(state_of(w, b).V_GB.linear.x, 1, 0);
    CHECK_NEAR(state_of(w, b).X_GB.p.x, 0.25, 0);
    CHECK_NEAR(spc_world_time(w), 0.5, 0);
    CHECK_STATUS(spc_world_free_motion(w, real(0.5), NULL, NULL, 0), SPC_OK);
    CHECK_NEAR(state_of(w, b).V_GB.linear.x, 1, 0);
    CHECK_NEAR(state_of(w, b).X_GB.p.x, 0.5, 0);
    CHECK_NEAR(spc_world_time(w), 0.75, 0);
    free(w);
}

/* Rows of a constraint before a step and in its middle, before forces act; its stabilization. */
typedef struct passage {
    spc_rows before, middle;
    spc_stabilization stab;
    double reach;
    spc_vec3 w_AB; /* angular velocity of B relative to A */
} passage;

/* What a vector of one constraint should be. */
typedef double (*row_of)(const passage *p, int i);

/* h / T with T at least 2 h; 0 while off. */
static double step_ratio(const spc_stabilization *stab)
{
    const double h = (double)STEP;
    return stab->enabled ? h / fmax((double)stab->time_constant, 2 * h) : 0;
}

static bool ignores_velocity(const passage *p, int i)
{
    return (p->stab.ignore_velocity >> i & 1u) != 0;
}

static bool has_position(const passage *p, int i)
{
    return (p->before.holonomic >> i & 1u) && !(p->stab.ignore_position >> i & 1u) &&
           !ignores_velocity(p, i);
}

/* What free motion changes a velocity error by in half a step. */
static double curve(const passage *p, int i)
{
    return (double)p->middle.velocity_errors[i] - (double)p->before.velocity_errors[i];
}

/* (7.8) for a row of a joint that may turn about one axis, k of its frame. */
static double spin_row(const passage *p, int i)
{
    const unsigned locked = p->middle.enforced >> 3;
    const int k = locked == 6u ? 0 : locked == 5u ? 1 : locked == 3u ? 2 : -1;
    const spc_mat3 *R = &p->middle.R_GP;
    double e[3];
    int j;
    if (k < 0 || i < 3)
        return 0;
    for (j = 0; j < 3; j++)
        e[j] = (double)p->middle.position_errors[3 + j] - (double)p->before.position_errors[3 + j];
    return 2 * (double)spc_dot(k == 0 ? R->x : k == 1 ? R->y : R->z, p->w_AB) *
           (i - 3 == (k + 1) % 3 ? -e[(k + 2) % 3] : i - 3 == (k + 2) % 3 ? e[(k + 1) % 3] : 0);
}

/* (7.3): minus the change, which the other half of the step takes off again; rows at acceleration
   level keep what they had. */
static double target_row(const passage *p, int i)
{
    return (ignores_velocity(p, i) ? (double)p->before.velocity_errors[i] : 0) - curve(p, i) +
           spin_row(p, i);
}

/* (7.4): h/T e and, as far as it is drift, the rest of e go; h/4 of the change by which a curve is
   off in its middle. */
static double place_row(const passage *p, int i)
{
    const double e0 = (double)p->before.position_errors[i], least = step_ratio(&p->stab);
    double shift = 0, far = 0, part;
    int k;
    if (!has_position(p, i) || !p->stab.enabled)
        return (double)p->middle.position_errors[i];
    for (k = 0; k < p->before.count; k++) {
        double *most = k < 3 ? &shift : &far;
        if (p->before.enforced >> k & 1u)
            *most = fmax(*most, fabs((double)p->before.position_errors[k]));
    }
    far = fmax(far, shift > 0 ? shift / p->reach : 0);
    part = least + (1 - least) / (1 + pow(far / 0.01, 4));
    return e0 - part * e0 + (double)STEP / 4 * curve(p, i);
}

static double velocity_row(const passage *p, int i)
{
    return (double)p->middle.velocity_errors[i];
}

static double position_row(const passage *p, int i)
{
    return has_position(p, i) ? (double)p->middle.position_errors[i] : 0;
}

static double counts_row(const passage *p, int i)
{
    return has_position(p, i) ? 1 : 0;
}

/* s + e/h; rows at acceleration level have no s. */
static double deadbeat_row(const passage *p, int i)
{
    return (ignores_velocity(p, i) ? 0 : velocity_row(p, i)) + position_row(p, i) / (double)STEP;
}

/* The longest arm of a constraint, from the centres of mass of its dynamic bodies. */
static double reach_of(const scene *s, int k)
{
    const spc_rows rows = rows_of(s->world, s->constraint[k]);
    const spc_constraint_info info = info_of(s, k);
    double most = 0;
    int i;
    for (i = 1; i < s->bodies; i++) {
        const bool is_a = s->body[i].index == info.a.index;
        spc_vec3 c;
        if (!s->dynamic[i] || (!is_a && s->body[i].index != info.b.index))
            continue;
        c = spc_rotate(state_of(s->world, s->body[i]).X_GB.q, s->mass[i].p_BBc);
        most = fmax(most, (double)spc_norm(spc_sub(is_a ? rows.arm_a : rows.arm_b, c)));
    }
    return most;
}

/* The rows in use of all enabled constraints as a constraint-space vector. */
static int put_vector(const scene *before, const scene *middle, row_of row, double *out)
{
    int k, i, count = 0;
    for (k = 0; k < before->constraints; k++) {
        passage p;
        p.before = rows_of(before->world, before->constraint[k]);
        p.middle = rows_of(middle->world, middle->constraint[k]);
        p.stab = stab_of(before, k);
        p.reach = reach_of(middle, k);
        p.w_AB = spc_sub(state_of(middle->world, info_of(middle, k).b).V_GB.angular,
                         state_of(middle->world, info_of(middle, k).a).V_GB.angular);
        for (i = 0; i < p.before.count && info_of(before, k).enabled; i++)
            if (p.before.enforced >> i & 1u)
                out[count++] = row(&p, i);
    }
    return count;
}

/* Some roundings of the largest numbers that a difference is taken of, times rates in (7.8). */
static void check_vector(const spc_real *got, const double *want, int n)
{
    double v[MOST];
    to_double(got, n, v);
    CHECK_NEAR(relative(v, want, n), 0, 64 * TEST_EPSILON);
}

/* The same scene in the middle of the step, before forces have acted: nothing pushes. */
static scene drifted(const scene *s)
{
    scene free_scene = copy_of(s);
    int i;
    CHECK_STATUS(spc_world_set_gravity(free_scene.world, zero), SPC_OK);
    for (i = 1; i < s->bodies; i++)
        if (s->dynamic[i])
            CHECK_STATUS(spc_body_clear_forces(free_scene.world, s->body[i]), SPC_OK);
    CHECK_STATUS(spc_world_free_motion(free_scene.world, STEP, NULL, NULL, 0), SPC_OK);
    return free_scene;
}

/* Targets come from before the step and from its middle; they are not there for constraints that
   act on nothing that can be moved. */
static void targets_are_those_of_the_derivation(void)
{
    int turn, i;
    for (turn = 0; turn < 20; turn++) {
        spc_real target[MOST], place[MOST];
        double want[MOST];
        scene s, before, middle;
        int n, idle;
        random_scene(&s, random_int(2, 8));
        n = spc_world_row_count(s.world);
        CHECK_STATUS(spc_world_free_motion(s.world, STEP, NULL, NULL, -n), SPC_OK);
        idle = count_bits(rows_of(s.world, s.constraint[0]).enforced);
        CHECK_STATUS(spc_world_free_motion(s.world, STEP, target, place, n), SPC_OK);
        for (i = 0; i < idle; i++)
            CHECK(is_bits(&target[i], &place[i], sizeof *place) && target[i] + place[i] <= 0);
        CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[0], false), SPC_OK);
        before = copy_of(&s);
        middle = drifted(&s);
        n -= idle;
        CHECK(n == put_vector(&before, &middle, target_row, want));
        CHECK_STATUS(spc_world_free_motion(s.world, STEP, target, place, n), SPC_OK);
        check_vector(target, want, n);
        put_vector(&before, &middle, place_row, want);
        check_vector(place, want, n);
        CHECK_STATUS(spc_world_free_motion(before.world, STEP, NULL, target, n), SPC_OK);
        CHECK(is_bits(place, target, (size_t)n * sizeof *place));
        CHECK_STATUS(spc_world_free_motion(middle.world, STEP, target, NULL, n), SPC_OK);
        free(s.world);
        free(before.world);
        free(middle.world);
    }
}

/* s - target, e - target, and without a target s + e/h and e: to a few roundings of the largest
   terms. */
static void violations_are_what_states_lack(void)
{
    int turn, i;
    for (turn = 0; turn < 20; turn++) {
        double want[MOST], counts[MOST];
        spc_real target[MOST], violation[MOST];
        scene s;
        int n;
        random_scene(&s, random_int(2, 8));
        n = put_vector(&s, &s, velocity_row, want);
        CHECK(n == spc_world_row_count(s.world));
        for (i = 0; i < n; i++) {
            target[i] = real(test_random(-2, 2));
            want[i] -= (double)target[i];
        }
        CHECK_STATUS(spc_world_get_violation(s.world, STEP, target, violation, n), SPC_OK);
        check_vector(violation, want, n);
        CHECK_STATUS(spc_world_get_violation(s.world, STEP, NULL, violation, n), SPC_OK);
        put_vector(&s, &s, deadbeat_row, want);
        check_vector(violation, want, n);
        CHECK_STATUS(spc_world_get_position_violation(s.world, NULL, violation, n), SPC_OK);
        put_vector(&s, &s, position_row, want);
        check_vector(violation, want, n);
        CHECK_STATUS(spc_world_get_position_violation(s.world, target, violation, n), SPC_OK);
        put_vector(&s, &s, counts_row, counts);
        for (i = 0; i < n; i++)
            want[i] -= counts[i] * (double)target[i];
        check_vector(violation, want, n);
        free(s.world);
    }
}

/* Without a target the step is deadbeat: rows that are enforced from the position on have v = -e/h
   in its middle, and e goes to 0 in the middle of the next step as far as it is linear. Here it is:
   a ball that falls through a level floor. */
static void a_step_without_a_target_is_deadbeat(void)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    const spc_spatial rest = spc_spatial_make(zero, zero);
    spc_real violation[3], W[9], lambda[3] = { 0, 0, 0 };
    spc_constraint c;
    scene s;
    int i;
    begin_scene(&s, 0);
    s.body[1] = ball_at(s.world, 1, 2, 3.25);
    CHECK_STATUS(spc_body_set_velocity(s.world, s.body[1], rest), SPC_OK);
    d.ball = s.body[1];
    d.shape.radius = 3;
    d.shape.rolling = false;
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &c), SPC_OK);
    for (i = 0; i < 3; i++) {
        CHECK_STATUS(spc_world_free_motion(s.world, STEP, NULL, NULL, 0), SPC_OK);
        CHECK_NEAR(rows_of(s.world, c).position_errors[2], i == 0 ? 0.25 : 0, 32 * TEST_EPSILON);
        CHECK_STATUS(spc_world_get_violation(s.world, STEP, NULL, violation, 1), SPC_OK);
        CHECK_STATUS(spc_world_get_compliance(s.world, STEP, &c, 1, W, 1), SPC_OK);
        CHECK_NEAR(W[0], STEP, 4 * TEST_EPSILON); /* the ball has 1 kg */
        lambda[0] = violation[0] / W[0];
        CHECK_STATUS(spc_world_correct(s.world, STEP, lambda, 1), SPC_OK);
        CHECK_STATUS(spc_world_end_motion(s.world, STEP), SPC_OK);
    }
    CHECK_NEAR(rows_of(s.world, c).position_errors[2], 0, 32 * TEST_EPSILON);
    CHECK_NEAR(rows_of(s.world, c).velocity_errors[2], 0, 32 * TEST_EPSILON / (double)STEP);
    free(s.world);
}

/* h G M^-1 G^T from rows of the system and mass matrices of this file's own. */
static void compliance_by_hand(const scene *s, double *W)
{
    dense *d = (dense *)malloc(sizeof *d);
    double gamma[MOST];
    int i, k;
    memset(d, 0, sizeof *d);
    d->n = spc_world_column_count(s->world);
    d->m = spc_world_row_count(s->world);
    put_system(s, d->m, d->n, d->G, gamma);
    for (i = 1; i < s->bodies; i++) {
        const int at = 6 * ((int)s->body[i].index - 1);
        const spc_state state = state_of(s->world, s->body[i]);
        put_body(d, at, &s->mass[i], &state, zero, spc_spatial_make(zero, zero));
        for (k = 0; k < d->m * 6 && !s->dynamic[i]; k++) /* of infinite mass */
            d->G[k / 6 * d->n + at + k % 6] = 0;
    }
    gram(d, true, W);
    for (i = 0; i < d->m * d->m; i++)
        W[i] *= (double)STEP;
    free(d);
}

/* The rounding of a solve with each body's inertia: a mass matrix at Bo may have a condition of
   some hundred where Bc is far. */
static void compliances_are_those_of_the_rows(void)
{
    double want[MOST * MOST], got[MOST * MOST], turned[MOST * MOST];
    spc_real *W = (spc_real *)malloc(MOST * MOST * sizeof *W);
    int turn, i;
    for (turn = 0; turn < 20; turn++) {
        scene s;
        int n;
        random_scene(&s, random_int(2, 8));
        n = spc_world_row_count(s.world);
        CHECK_STATUS(spc_world_get_compliance(s.world, STEP, NULL, -7, W, n), SPC_OK);
        to_double(W, n * n, got);
        for (i = 0; i < n * n; i++)
            turned[i] = got[i % n * n + i / n];
        CHECK_NEAR(relative(got, turned, n * n), 0, 8 * TEST_EPSILON);
        compliance_by_hand(&s, want);
        CHECK_NEAR(relative(got, want, n * n), 0, 1000 * TEST_EPSILON);
        free(s.world);
    }
    free(W);
}

/* The rows in use of a constraint in constraint-space vectors; those of disabled ones are none. */
static int rows_in_use(const scene *s, int constraint, int *first)
{
    const spc_constraint_info info = info_of(s, constraint);
    *first = info.row_index;
    return info.position_rows + info.velocity_rows + info.acceleration_rows;
}

/* Any constraints in any order, some twice or not enabled. */
static void compliances_of_chosen_constraints_are_parts_of_the_whole(void)
{
    spc_real *W = (spc_real *)malloc(MOST * MOST * sizeof *W);
    spc_real *part = (spc_real *)malloc(MOST * MOST * sizeof *part);
    int turn, k, i, j;
    for (turn = 0; turn < 30; turn++) {
        const int n = random_int(0, 8);
        spc_constraint chosen[8];
        int at[MOST], count = 0, all, first;
        scene s;
        random_scene(&s, random_int(2, 6));
        all = spc_world_row_count(s.world);
        for (k = 0; k < n; k++) {
            const int c = random_int(0, s.constraints - 1), used = rows_in_use(&s, c, &first);
            chosen[k] = s.constraint[c];
            for (i = 0; i < used; i++)
                at[count++] = first + i;
        }
        CHECK_STATUS(spc_world_get_compliance(s.world, STEP, NULL, 0, W, all), SPC_OK);
        CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, n, part, count), SPC_OK);
        for (i = 0; i < count; i++)
            for (j = 0; j < count; j++)
                CHECK_NEAR(part[i * count + j], W[at[i] * all + at[j]],
                           8 * TEST_EPSILON * (double)W[at[i] * all + at[i]]);
        free(s.world);
    }
    free(W);
    free(part);
}

/* ---------------------------------------------------------- what the parts of a step refuse --- */

typedef enum part {
    FREE_MOTION,
    VIOLATION,
    POSITION_VIOLATION,
    COMPLIANCE,
    CORRECTION,
    DISPLACEMENT,
    END_MOTION,
    PARTS
} part;

typedef struct outputs {
    spc_real target[MOST], place[MOST], violation[MOST], W[MOST];
} outputs;

static spc_status call_part(const scene *s, part p, spc_real h, int count, outputs *o)
{
    spc_real lambda[MOST];
    memset(lambda, 0, sizeof lambda);
    switch (p) {
    case FREE_MOTION:
        return spc_world_free_motion(s->world, h, o->target, o->place, count);
    case VIOLATION:
        return spc_world_get_violation(s->world, h, NULL, o->violation, count);
    case POSITION_VIOLATION:
        return spc_world_get_position_violation(s->world, NULL, o->violation, count);
    case COMPLIANCE:
        return spc_world_get_compliance(s->world, h, NULL, 0, o->W, count);
    case CORRECTION:
        return spc_world_correct(s->world, h, lambda, count);
    case DISPLACEMENT:
        return spc_world_displace(s->world, h, lambda, count);
    default:
        return spc_world_end_motion(s->world, h);
    }
}

/* It tells why, and changes neither its outputs nor anything that can be asked. */
static void check_part_refused(const scene *s, part p, spc_real h, int count, spc_status status)
{
    motion before, after;
    outputs o;
    memset(&o, PATTERN, sizeof o);
    motion_of(s, &before);
    CHECK_STATUS(call_part(s, p, h, count, &o), status);
    motion_of(s, &after);
    CHECK(is_bits(&before, &after, sizeof after));
    CHECK(untouched(&o, sizeof o));
}

/* The same of all parts that take a step, a count, or look at rows. */
static void check_parts_refused(const scene *s, spc_real h, int count, spc_status status)
{
    int p;
    for (p = 0; p < PARTS; p++) {
        if (p == POSITION_VIOLATION && status == SPC_ERROR_BAD_STEP)
            continue;
        if (p == END_MOTION && status != SPC_ERROR_BAD_STEP)
            continue;
        check_part_refused(s, (part)p, h, count, status);
    }
}

/* Rides as `ride` does, unless told to lose its way. */
static void stray(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    ride(time, NULL, state, acceleration);
    if (*(const bool *)user)
        state->X_GB.p.x = real(bad_number(0));
}

/* A body on a hinge and a ball on a floor that may lose its way, with multipliers in store; 8
   rows. */
static void small_scene(scene *s, bool *lost)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_body_desc floor = spc_body_desc_default();
    begin_scene(s, 60000);
    add_body(s, true);
    add_body(s, true);
    floor.kind = SPC_KINEMATIC;
    floor.motion = stray;
    floor.user = lost;
    *lost = false;
    CHECK_STATUS(spc_body_add(s->world, &floor, &s->body[s->bodies++]), SPC_OK);
    CHECK_STATUS(add_attachment(s, 0, 1, SPC_HINGE, &s->constraint[0]), SPC_OK);
    d.floor = s->body[3];
    d.ball = s->body[2];
    d.shape.radius = real(0.5);
    CHECK_STATUS(spc_sphere_on_plane_add(s->world, &d, &s->constraint[1]), SPC_OK);
    s->constraints = 2;
    CHECK_STATUS(spc_step(s->world, STEP), SPC_OK);
}

/* A sphere with I = 0.4 on a ball joint to ground, 0.5 m from its centre along y. A multiplier
   along x displaces it by -h mu / m along x, and turns it by 0.5 h mu / I about z: by 5 rad, and so
   a tenth of both is taken; by 0.25 rad, and so all. */
static void displacements_turn_nobody_by_more_than_half_a_radian(void)
{
    static const double hmu[2] = { 4, 0.2 }, taken[2] = { 0.1, 1 };
    int k;
    for (k = 0; k < 2; k++) {
        spc_world_desc desc = spc_world_desc_default(1, 1);
        spc_body_desc body = spc_body_desc_default();
        spc_attachment_desc joint = spc_attachment_desc_default();
        spc_world *w = test_world(&desc);
        spc_real mu[3] = { 0, 0, 0 };
        spc_constraint c;
        spc_state x;
        body.mass = spc_mass_solid_sphere(1, 1);
        CHECK_STATUS(spc_body_add(w, &body, &joint.b), SPC_OK);
        joint.shape.X_AF.p = joint.shape.X_BM.p = vec(0, 0.5, 0);
        CHECK_STATUS(spc_attachment_add(w, &joint, &c), SPC_OK);
        mu[0] = real(hmu[k] / 0.125);
        CHECK_STATUS(spc_world_displace(w, real(0.125), mu, 3), SPC_OK);
        x = state_of(w, joint.b);
        CHECK_NEAR(x.X_GB.p.x, -hmu[k] * taken[k], 8 * TEST_EPSILON);
        CHECK_NEAR(x.X_GB.q.z, sin(0.5 * 1.25 * hmu[k] * taken[k]), 8 * TEST_EPSILON);
        free(w);
    }
}

static void parts_of_a_step_refuse_steps_and_counts(void)
{
    spc_real lambda[8];
    scene s;
    bool lost;
    int k;
    small_scene(&s, &lost);
    for (k = 0; k < 3; k++)
        check_parts_refused(&s, real(bad_number(k)), 8, SPC_ERROR_BAD_STEP);
    check_parts_refused(&s, 0, 8, SPC_ERROR_BAD_STEP);
    check_parts_refused(&s, -STEP, 8, SPC_ERROR_BAD_STEP);
    check_part_refused(&s, FREE_MOTION, real(SMALLEST), 8, SPC_ERROR_BAD_STEP);
    check_part_refused(&s, VIOLATION, real(SMALLEST), 8, SPC_ERROR_BAD_STEP);
    check_part_refused(&s, DISPLACEMENT, real(SMALLEST), 8, SPC_ERROR_BAD_STEP);
    check_part_refused(&s, END_MOTION, real(SMALLEST), 8, SPC_ERROR_BAD_STEP);
    check_parts_refused(&s, STEP, 7, SPC_ERROR_BAD_COUNT);
    check_parts_refused(&s, STEP, 9, SPC_ERROR_BAD_COUNT);
    check_parts_refused(&s, STEP, 0, SPC_ERROR_BAD_COUNT);
    check_parts_refused(&s, STEP, -8, SPC_ERROR_BAD_COUNT);
    CHECK_STATUS(spc_world_free_motion(NULL, STEP, NULL, NULL, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_violation(NULL, STEP, NULL, NULL, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_violation(s.world, STEP, NULL, NULL, 8), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_position_violation(NULL, NULL, NULL, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_position_violation(s.world, NULL, NULL, 8), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_compliance(NULL, STEP, NULL, 0, NULL, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, NULL, 0, NULL, 8), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_correct(NULL, STEP, NULL, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_correct(s.world, STEP, NULL, 8), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_displace(NULL, STEP, NULL, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_displace(s.world, STEP, NULL, 8), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_end_motion(NULL, STEP), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_report(NULL, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_report(s.world, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_free_motion(s.world, STEP, NULL, NULL, -8), SPC_OK); /* no vectors */
    CHECK_STATUS(spc_world_free_motion(s.world, STEP, NULL, lambda, 7), SPC_ERROR_BAD_COUNT);
    CHECK_STATUS(spc_world_free_motion(s.world, STEP, lambda, NULL, 7), SPC_ERROR_BAD_COUNT);
    free(s.world);
}

static void parts_of_a_step_refuse_a_time_that_overflows(void)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);
    scene s;
    memset(&s, 0, sizeof s);
    s.world = test_world(&desc);
    s.bodies = 1;
    CHECK_STATUS(spc_world_set_time(s.world, real(LARGEST)), SPC_OK);
    check_part_refused(&s, FREE_MOTION, real(LARGEST / 2), 0, SPC_ERROR_BAD_STEP);
    check_part_refused(&s, END_MOTION, real(LARGEST / 2), 0, SPC_ERROR_BAD_STEP);
    free(s.world);
}

/* A disc that lies flat when the step begins, behind a hinge that is in order: nothing of that is
   told either. The end of a step looks at no rows. */
static void parts_of_a_step_refuse_a_disc_without_contact(void)
{
    scene s;
    begin_scene(&s, 60000);
    add_body(&s, true);
    CHECK_STATUS(add_attachment(&s, 0, 1, SPC_HINGE, &s.constraint[s.constraints++]), SPC_OK);
    lay_flat(&s);
    check_parts_refused(&s, STEP, 8, SPC_ERROR_NO_CONTACT_POINT);
    CHECK_STATUS(spc_world_end_motion(s.world, STEP), SPC_OK);
    free(s.world);
}

/* Violations alone need no room. */
static void parts_of_a_step_refuse_too_little_coupling(void)
{
    spc_real violation[MOST];
    scene s;
    int n;
    memset(&s, 0, sizeof s);
    s.world = cluster(0, 8);
    s.bodies = 1;
    n = spc_world_row_count(s.world);
    check_part_refused(&s, FREE_MOTION, STEP, n, SPC_ERROR_COUPLING_FULL);
    check_part_refused(&s, COMPLIANCE, STEP, n, SPC_ERROR_COUPLING_FULL);
    check_part_refused(&s, CORRECTION, STEP, n, SPC_ERROR_COUPLING_FULL);
    check_part_refused(&s, DISPLACEMENT, STEP, n, SPC_ERROR_COUPLING_FULL);
    check_part_refused(&s, END_MOTION, STEP, n, SPC_ERROR_COUPLING_FULL);
    CHECK_STATUS(spc_world_get_position_violation(s.world, NULL, violation, n), SPC_OK);
    CHECK_STATUS(spc_world_get_violation(s.world, STEP, NULL, violation, n), SPC_OK);
    free(s.world);
}

/* And forces of one step are still there for the next. */
static void parts_of_a_step_refuse_a_motion_that_is_none(void)
{
    scene s, other;
    bool lost;
    small_scene(&s, &lost);
    CHECK_STATUS(spc_body_add_force(s.world, s.body[1], vec(1, 2, 3), zero, SPC_ONE_STEP), SPC_OK);
    other = copy_of(&s);
    lost = true;
    check_part_refused(&s, FREE_MOTION, STEP, 8, SPC_ERROR_BAD_MOTION);
    check_part_refused(&s, END_MOTION, STEP, 8, SPC_ERROR_BAD_MOTION);
    lost = false;
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    CHECK_STATUS(spc_step(other.world, STEP), SPC_OK);
    CHECK(spc_world_hash(s.world) == spc_world_hash(other.world));
    free(s.world);
    free(other.world);
}

/* The last body is the one that does it: all others are put back. */
static void parts_of_a_step_refuse_states_that_overflow(void)
{
    const spc_real h = 64; /* more than the mass: impulses over it overflow */
    spc_real lambda[8] = { 0, 0, 0, 0, 0, 0, 0, 0 };
    motion before, after;
    scene s;
    bool lost;
    small_scene(&s, &lost);
    motion_of(&s, &before);
    lambda[7] = real(LARGEST);
    CHECK_STATUS(spc_world_correct(s.world, h, lambda, 8), SPC_ERROR_STATE_NOT_FINITE);
    CHECK_STATUS(spc_world_displace(s.world, h, lambda, 8), SPC_ERROR_STATE_NOT_FINITE);
    motion_of(&s, &after);
    CHECK(is_bits(&before, &after, sizeof after));
    CHECK_STATUS(
        spc_body_set_velocity(s.world, s.body[2], spc_spatial_make(zero, vec(0, 0, LARGEST / 2))),
        SPC_OK);
    check_part_refused(&s, FREE_MOTION, h, 8, SPC_ERROR_STATE_NOT_FINITE);
    check_part_refused(&s, END_MOTION, h, 8, SPC_ERROR_STATE_NOT_FINITE);
    free(s.world);
}

static void corrections_refuse_multipliers_that_are_not_finite(void)
{
    motion before, after;
    scene s;
    bool lost;
    int i, k;
    small_scene(&s, &lost);
    motion_of(&s, &before);
    for (i = 0; i < 8; i++)
        for (k = 0; k < 3; k++) {
            spc_real lambda[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
            lambda[i] = real(bad_number(k));
            CHECK_STATUS(spc_world_correct(s.world, STEP, lambda, 8), SPC_ERROR_NOT_FINITE);
            CHECK_STATUS(spc_world_displace(s.world, STEP, lambda, 8), SPC_ERROR_NOT_FINITE);
            motion_of(&s, &after);
            CHECK(is_bits(&before, &after, sizeof after));
        }
    free(s.world);
}

/* Handles of nothing, of what was removed, and counts that are not those of what is chosen. */
static void compliances_refuse_stale_handles_and_counts(void)
{
    spc_constraint chosen[3];
    spc_real W[81];
    scene s;
    bool lost;
    small_scene(&s, &lost);
    memset(W, PATTERN, sizeof W);
    memset(chosen, 0, sizeof chosen);
    chosen[0] = s.constraint[0];
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, 2, W, 5),
                 SPC_ERROR_STALE_CONSTRAINT);
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, 1, W, 4), SPC_ERROR_BAD_COUNT);
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, 1, W, 8), SPC_ERROR_BAD_COUNT);
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, 0, W, 5), SPC_ERROR_BAD_COUNT);
    chosen[1] = s.constraint[1];
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[1]), SPC_OK);
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, 2, W, 8),
                 SPC_ERROR_STALE_CONSTRAINT);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[0], false), SPC_OK);
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, 1, W, 5), SPC_ERROR_BAD_COUNT);
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, 1, W, 0), SPC_OK);
    CHECK(untouched(W, sizeof W));
    free(s.world);
}

/* -------------------------------------------------------------------------- contradictions ---- */

/* A body of any mass, welded where it is to ground and to `carriers` bodies that are moved. */
static void torn_scene(scene *s, int carriers, const spc_spatial *V, spc_spatial A)
{
    spc_body_desc d = spc_body_desc_default();
    spc_stabilization off_stab = spc_stabilization_default();
    int i;
    begin_scene(s, 60000);
    d.mass = random_mass();
    s->mass[s->bodies] = d.mass;
    s->dynamic[s->bodies] = true;
    CHECK_STATUS(spc_body_add(s->world, &d, &s->body[s->bodies++]), SPC_OK);
    d.kind = SPC_KINEMATIC;
    for (i = 0; i < carriers; i++) {
        d.state.V_GB = V[i];
        CHECK_STATUS(spc_body_add(s->world, &d, &s->body[s->bodies]), SPC_OK);
        CHECK_STATUS(spc_body_set_acceleration(s->world, s->body[s->bodies++], A), SPC_OK);
    }
    off_stab.enabled = false;
    for (i = 0; i <= carriers; i++) {
        spc_attachment_desc weld = spc_attachment_desc_default();
        weld.a = s->body[i == 0 ? 0 : i + 1];
        weld.b = s->body[1];
        weld.shape.locked = SPC_WELD;
        CHECK_STATUS(spc_attachment_add(s->world, &weld, &s->constraint[i]), SPC_OK);
        CHECK(!spc_constraint_set_stabilization(s->world, s->constraint[i], &off_stab));
    }
    s->constraints = carriers + 1;
}

/* Least squares of equal rows is the mean of what they ask for. The part that no motion meets is
   found by iteration with a nearly singular factor, to some thousand roundings. */
static void check_mean(spc_spatial got, spc_spatial sum, int count)
{
    double x[6], y[6];
    int i;
    put_spatial(got, x);
    put_spatial(sum, y);
    for (i = 0; i < 6; i++)
        y[i] /= count;
    CHECK_NEAR(off(x, y, 6, 1), 0, 8192 * TEST_EPSILON);
}

/* What is left of demands that met in the middle: the largest difference of a velocity or of an
   acceleration from it; of rotations times the longest arm where there is one. */
static double torn_by(const scene *s, spc_spatial middle, const spc_spatial *wanted, int count)
{
    double arm = 0, linear = 0, angular = 0, v[6];
    int i;
    for (i = 0; i < s->constraints; i++)
        arm = fmax(arm, reach_of(s, i));
    for (i = 0; i < count; i++) {
        put_vec3(spc_sub(middle.angular, wanted[i].angular), v);
        put_vec3(spc_sub(middle.linear, wanted[i].linear), v + 3);
        angular = fmax(angular, largest(v, 3));
        linear = fmax(linear, largest(v + 3, 3));
    }
    for (i = 1; i < s->bodies && !(arm > 1e-6); i++) /* without arms the size of the body */
        if (s->dynamic[i]) {
            const spc_inertia I = s->mass[i].inertia;
            arm = sqrt((double)((I.xx + I.yy + I.zz) / s->mass[i].mass));
        }
    return fmax(linear, arm * angular);
}

/* So many constraints contradict each other, the worst by so much: to the rounding of the mean. */
static void check_torn(const scene *s, int count, double most)
{
    check_report(s);
    CHECK(report_of(s).contradictory == count);
    CHECK_NEAR(report_of(s).contradiction, most, 8192 * TEST_EPSILON * fmax(1, most));
}

static void torn_apart_velocities_meet_in_the_middle(void)
{
    const spc_spatial rest = spc_spatial_make(zero, zero);
    spc_real impulses[18];
    spc_spatial V[3];
    scene s;
    int turn;
    for (turn = 0; turn < 10; turn++) {
        V[0] = test_random_spatial(2, 3);
        V[1] = test_random_spatial(2, 3);
        torn_scene(&s, 2, V, rest);
        V[2] = rest;
        CHECK_STATUS(spc_world_apply_impulses(s.world, NULL, impulses, 18), SPC_OK);
        check_torn(&s, 3, torn_by(&s, state_of(s.world, s.body[1]).V_GB, V, 3));
        check_mean(state_of(s.world, s.body[1]).V_GB,
                   spc_spatial_make(spc_add(V[0].angular, V[1].angular),
                                    spc_add(V[0].linear, V[1].linear)),
                   3);
        CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
        check_torn(&s, 3, torn_by(&s, state_of(s.world, s.body[1]).V_GB, V, 3));
        free(s.world);
    }
}

/* The same for errors that are asked for: 1 and 3 of each row. */
static void contradictory_bounces_meet_in_the_middle(void)
{
    const spc_spatial rest = spc_spatial_make(zero, zero);
    const spc_spatial sum = spc_spatial_make(vec(4, 4, 4), vec(4, 4, 4));
    spc_real v_plus[12];
    scene s;
    int i;
    torn_scene(&s, 1, &rest, rest);
    for (i = 0; i < 12; i++)
        v_plus[i] = i < 6 ? 1 : 3;
    CHECK_STATUS(spc_world_apply_impulses(s.world, v_plus, NULL, 12), SPC_OK);
    check_torn(&s, 2, 1); /* 2 of 1 and 3 */
    check_mean(state_of(s.world, s.body[1]).V_GB, sum, 2);
    free(s.world);
}

static void torn_apart_accelerations_meet_in_the_middle(void)
{
    const spc_spatial rest = spc_spatial_make(zero, zero);
    int turn;
    for (turn = 0; turn < 10; turn++) {
        const spc_spatial A = test_random_spatial(2, 3);
        spc_spatial wanted[2];
        scene s;
        torn_scene(&s, 1, &rest, A);
        wanted[0] = A;
        wanted[1] = rest;
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        check_mean(acceleration_of(&s, 1), A, 2);
        check_torn(&s, 2, torn_by(&s, acceleration_of(&s, 1), wanted, 2));
        free(s.world);
    }
}

/* The carrier moves along z and does not turn: rows of locked rotations that are off by different
   angles are different ones, and their mean is not that of what they ask for. The step does its
   work: the body goes on with half of the velocity. */
static void a_step_goes_on_when_rows_contradict_each_other(void)
{
    const spc_spatial V = spc_spatial_make(zero, vec(0, 0, 3));
    const spc_spatial rest = spc_spatial_make(zero, zero);
    const spc_mass ball = spc_mass_solid_sphere(1, 1);
    scene s;
    int i;
    torn_scene(&s, 1, &V, rest);
    CHECK_STATUS(spc_body_set_mass(s.world, s.body[1], &ball), SPC_OK);
    for (i = 1; i <= 10; i++) {
        const spc_real before = state_of(s.world, s.body[1]).X_GB.p.z;
        CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
        CHECK_NEAR(spc_world_time(s.world), i * (double)STEP, 0);
        check_mean(state_of(s.world, s.body[1]).V_GB, V, 2);
        check_torn(&s, 2, 1.5);
        CHECK_NEAR(state_of(s.world, s.body[1]).X_GB.p.z,
                   (double)before + (i == 1 ? 0.75 : 1.5) * (double)STEP,
                   IN_DOUBLE_OR_FLOAT(1e-12, 1e-5));
        CHECK_NEAR(state_of(s.world, s.body[2]).X_GB.p.z, 3 * i * (double)STEP, 0);
    }
    free(s.world);
}

/* From rest and with a constant acceleration, of which the body takes half: a t^2 / 2. With
   projection it is in the middle by its pose, too. */
static void a_step_of_rk4_goes_on_when_rows_contradict_each_other(void)
{
    const spc_spatial A = spc_spatial_make(zero, vec(8, 4, -6));
    const spc_spatial rest = spc_spatial_make(zero, zero);
    int drift, i;
    for (drift = SPC_DRIFT_STABILIZE; drift <= SPC_DRIFT_PROJECT; drift++) {
        scene s;
        torn_scene(&s, 1, &rest, A);
        for (i = 1; i <= 5; i++) {
            const double t = i * (double)STEP, tolerance = IN_DOUBLE_OR_FLOAT(1e-12, 1e-4);
            spc_state state;
            CHECK_STATUS(spc_step_rk4(s.world, STEP, (spc_drift)drift), SPC_OK);
            check_report(&s);
            CHECK(report_of(&s).contradictory == 2);
            CHECK_NEAR(spc_world_time(s.world), t, 0);
            state = state_of(s.world, s.body[1]);
            check_mean(state.V_GB, spc_spatial_make(zero, spc_scale(real(t), A.linear)), 2);
            CHECK_NEAR(spc_norm(spc_sub(state.X_GB.p, spc_scale(real(t * t / 4), A.linear))), 0,
                       tolerance);
        }
        free(s.world);
    }
}

/* T is far below 2 h, and counts as 2 h: against that, 3 m/s at welds a metre from the origin are
   much, however much an error of a metre would be corrected with T itself. */
static void fast_stabilization_does_not_hide_contradictions(void)
{
    const spc_spatial V = spc_spatial_make(zero, vec(0, 0, 3)), rest = spc_spatial_make(zero, zero);
    const spc_stabilization fast = stabilization_of((double)STEP / 100);
    scene s;
    int i;
    torn_scene(&s, 1, &V, rest);
    for (i = 0; i < 2; i++) {
        spc_attachment weld = spc_attachment_default();
        weld.locked = SPC_WELD;
        weld.X_AF.p = weld.X_BM.p = vec(1, 0, 0);
        CHECK_STATUS(spc_attachment_set(s.world, s.constraint[i], &weld), SPC_OK);
        CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.constraint[i], &fast), SPC_OK);
    }
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    check_report(&s);
    CHECK(report_of(&s).contradictory == 2);
    CHECK_STATUS(spc_step_rk4(s.world, STEP, SPC_DRIFT_STABILIZE), SPC_OK);
    check_report(&s);
    CHECK(report_of(&s).contradictory == 2);
    free(s.world);
}

/* Contradictions in one island are remarked upon though another is in order, before it and behind
   it. */
static void one_torn_island_is_enough(void)
{
    const spc_spatial V = spc_spatial_make(zero, vec(1, 0, 0)), rest = spc_spatial_make(zero, zero);
    scene s;
    torn_scene(&s, 1, &V, rest);
    add_body(&s, true);
    CHECK_STATUS(add_attachment(&s, 0, 3, SPC_HINGE, &s.constraint[s.constraints++]), SPC_OK);
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    check_torn(&s, 2, 0.5);
    CHECK(report_of(&s).redundant_rows == 6);
    CHECK_NEAR(info_of(&s, 2).contradiction, 0, 0);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[0], false), SPC_OK);
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    check_no_contradiction(&s);
    CHECK(report_of(&s).redundant_rows == 0);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[0], true), SPC_OK);
    CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
    check_torn(&s, 2, 0.5);
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[0]), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK(report_of(&s).contradictory == 0 && report_of(&s).redundant_rows == 0);
    free(s.world);
}

/* ------------------------------------------------------------- redundant, not contradictory --- */

/* How a redundant mechanism is tried. */
typedef struct trial {
    bool gravity, moving;
    double drift; /* how far bodies are off [m, rad] */
} trial;

static void begin_trial(scene *s, const trial *t)
{
    begin_scene(s, 60000);
    CHECK_STATUS(spc_world_set_gravity(s->world, vec(0, 0, t->gravity ? -9.81 : 0)), SPC_OK);
}

/* A body at a place, turning about an axis through another. */
static int put_at(scene *s, const trial *t, spc_mass mass, spc_vec3 p, spc_spatial V_at_origin)
{
    spc_body_desc d = spc_body_desc_default();
    const int i = s->bodies++;
    d.mass = mass;
    d.state.X_GB.p = p;
    d.state.V_GB = V_at_origin;
    d.state.V_GB.linear = spc_add(V_at_origin.linear, spc_cross(V_at_origin.angular, p));
    if (!t->moving)
        d.state.V_GB = spc_spatial_make(zero, zero);
    CHECK_STATUS(spc_body_add(s->world, &d, &s->body[i]), SPC_OK);
    s->dynamic[i] = true;
    s->mass[i] = mass;
    return i;
}

static void hinge_at(scene *s, int a, int b, spc_vec3 p, spc_vec3 axis)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    const spc_transform X_a = state_of(s->world, s->body[a]).X_GB;
    const spc_transform X_b = state_of(s->world, s->body[b]).X_GB;
    d.a = s->body[a];
    d.b = s->body[b];
    CHECK_STATUS(spc_attachment_at(&X_a, &X_b, p, axis, SPC_HINGE, &d.shape), SPC_OK);
    CHECK_STATUS(spc_attachment_add(s->world, &d, &s->constraint[s->constraints++]), SPC_OK);
}

/* A car on four wheels, 32 rows for 30 motions of which one is free. */
static void car(scene *s, const trial *t)
{
    const spc_spatial drive = spc_spatial_make(zero, vec(2, 0, 0));
    const spc_vec3 half = vec(1.2, 0.5, 0.2);
    int i, body, wheel;
    begin_trial(s, t);
    body = put_at(s, t, spc_mass_box(20, half), vec(0, 0, 0.6), drive);
    for (i = 0; i < 4; i++) {
        spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
        const spc_vec3 p = vec(i % 2 ? 1 : -1, i / 2 ? 0.7 : -0.7, 0.25);
        spc_state state;
        wheel = put_at(s, t, spc_mass_solid_sphere(1, real(0.25)), p, drive);
        state = state_of(s->world, s->body[wheel]);
        if (t->moving)
            state.V_GB.angular = vec(0, 2 / 0.25, 0);
        CHECK(!spc_body_set_velocity(s->world, s->body[wheel], state.V_GB));
        hinge_at(s, body, wheel, p, vec(0, 1, 0));
        d.disc = s->body[wheel];
        d.shape.axis_B = vec(0, 1, 0);
        d.shape.radius = real(0.25);
        CHECK(!spc_rolling_disc_add(s->world, &d, &s->constraint[s->constraints++]));
    }
}

/* A door on ground by three hinges, 15 rows for 5. */
static void door(scene *s, const trial *t)
{
    int i, leaf;
    begin_trial(s, t);
    leaf = put_at(s, t, spc_mass_box(10, vec(0.4, 0.02, 1)), vec(0.4, 0, 1),
                  spc_spatial_make(vec(0, 0, 1.5), zero));
    for (i = 0; i < 3; i++)
        hinge_at(s, 0, leaf, vec(0, 0, 0.2 + 0.8 * i), vec(0, 0, 1));
}

/* A door and its frame in the air: they fall freely, and tumble. */
static void door_in_the_air(scene *s, const trial *t)
{
    const spc_spatial tumble = spc_spatial_make(vec(0.5, -0.3, 0.8), vec(1, 0, 2));
    int i, leaf, frame;
    begin_trial(s, t);
    frame = put_at(s, t, spc_mass_box(30, vec(0.1, 0.1, 1)), vec(-0.1, 0, 1), tumble);
    leaf = put_at(s, t, spc_mass_box(10, vec(0.4, 0.02, 1)), vec(0.4, 0, 1), tumble);
    for (i = 0; i < 3; i++)
        hinge_at(s, frame, leaf, vec(0, 0, 0.2 + 0.8 * i), vec(0, 0, 1));
}

/* A table on four smooth feet, 4 rows for 3; it slides and turns. */
static void table(scene *s, const trial *t)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    int i, top;
    begin_trial(s, t);
    top = put_at(s, t, spc_mass_box(10, vec(1, 0.5, 0.1)), vec(0, 0, 1),
                 spc_spatial_make(vec(0, 0, 0.5), vec(1, 2, 0)));
    d.ball = s->body[top];
    d.shape.radius = real(0.125);
    d.shape.rolling = false;
    for (i = 0; i < 4; i++) {
        d.shape.p_BS = vec(i % 2 ? 0.9 : -0.9, i / 2 ? 0.4 : -0.4, -0.875);
        CHECK(!spc_sphere_on_plane_add(s->world, &d, &s->constraint[s->constraints++]));
    }
}

/* Moves bodies a little off their places. */
static void let_drift(scene *s, double drift)
{
    int i;
    for (i = 1; i < s->bodies && drift > 0; i++) {
        spc_transform X = state_of(s->world, s->body[i]).X_GB;
        const spc_quat q = spc_quat_from_rotation_vector(test_random_vec3(drift));
        X.q = spc_quat_mul(q, X.q);
        X.p = spc_add(X.p, test_random_vec3(drift));
        CHECK_STATUS(spc_body_set_pose(s->world, s->body[i], X), SPC_OK);
    }
}

/* A call has been taken: nothing contradicts, and as many rows as are too many are left out. */
static void check_taken(const scene *s, spc_status status, int redundant)
{
    CHECK_STATUS(status, SPC_OK);
    check_no_contradiction(s);
    CHECK(report_of(s).redundant_rows == redundant);
    CHECK(report_of(s).factorizations > 0 && report_of(s).substitutions > 0);
}

static void check_no_remark(const scene *s, int redundant)
{
    int i;
    check_taken(s, spc_world_forward_dynamics(s->world), redundant);
    for (i = 0; i < 10; i++)
        check_taken(s, spc_step(s->world, STEP), redundant);
    for (i = 0; i < 10; i++)
        check_taken(s,
                    spc_step_rk4(s->world, STEP, i < 5 ? SPC_DRIFT_STABILIZE : SPC_DRIFT_PROJECT),
                    redundant);
    check_taken(s, spc_world_project_velocities(s->world), redundant);
    check_taken(s, spc_world_forward_dynamics(s->world), redundant);
}

static void check_redundant(void (*make)(scene *s, const trial *t), int redundant, double drift)
{
    int k;
    for (k = 0; k < 4; k++) {
        const int before = test_failures;
        char name[40];
        trial t;
        scene s;
        t.gravity = k % 2 == 1;
        t.moving = k / 2 == 1;
        t.drift = drift;
        make(&s, &t);
        let_drift(&s, drift);
        check_no_remark(&s, redundant);
        snprintf(name, sizeof name, "%s, %s, drift %g", t.gravity ? "gravity" : "no gravity",
                 t.moving ? "moving" : "at rest", drift);
        name_failures(name, before);
        free(s.world);
    }
}

static void four_wheels_do_not_contradict_each_other(void)
{
    check_redundant(car, 3, 0);
    check_redundant(car, 3, IN_DOUBLE_OR_FLOAT(1e-8, 1e-6));
    check_redundant(car, 3, IN_DOUBLE_OR_FLOAT(1e-6, 1e-6));
}

static void three_hinges_do_not_contradict_each_other(void)
{
    check_redundant(door, 10, 0);
    check_redundant(door, 10, IN_DOUBLE_OR_FLOAT(1e-8, 1e-6));
    check_redundant(door, 10, IN_DOUBLE_OR_FLOAT(1e-6, 1e-6));
}

static void hinges_in_the_air_do_not_contradict_each_other(void)
{
    check_redundant(door_in_the_air, 10, 0);
    check_redundant(door_in_the_air, 10, IN_DOUBLE_OR_FLOAT(1e-8, 1e-6));
    check_redundant(door_in_the_air, 10, IN_DOUBLE_OR_FLOAT(1e-6, 1e-6));
}

static void four_feet_do_not_contradict_each_other(void)
{
    check_redundant(table, 1, 0);
    check_redundant(table, 1, IN_DOUBLE_OR_FLOAT(1e-8, 1e-6));
    check_redundant(table, 1, IN_DOUBLE_OR_FLOAT(1e-6, 1e-6));
}

static const test_entry tests[] = {
    TEST(dense_dynamics_are_those_of_rbdl),
    TEST(the_order_of_dense_rows_does_not_matter),
    TEST(the_units_of_dense_rows_do_not_matter),
    TEST(a_dense_null_stands_for_zeros),
    TEST(velocities_after_an_impact_may_replace_those_before),
    TEST(the_lower_triangle_of_the_mass_matrix_is_read),
    TEST(one_coordinate),
    TEST(dense_memory_grows_as_the_matrices),
    TEST(random_dense_systems_are_solved),
    TEST(random_dense_multipliers_are_of_least_norm),
    TEST(contradictory_dense_rows_are_met_by_least_squares),
    TEST(dense_rows_below_32_roundings_of_the_largest_count_as_zero),
    TEST(one_row_that_asks_for_two_things),
    TEST(dense_calls_refuse_counts_and_nulls),
    TEST(dense_calls_refuse_what_is_not_finite),
    TEST(dense_calls_refuse_to_overflow),
    TEST(dense_calls_refuse_what_is_not_definite),
    TEST(dense_calls_refuse_what_is_definite_by_rounding),
    TEST(time_constants_are_those_of_rbdl),
    TEST(stabilization_terms_are_those_of_rbdl),
    TEST(stabilization_terms_change_their_own_rows),
    TEST(a_world_adds_stabilization_where_it_is_told),
    TEST(what_rbdl_assembles_is_assembled),
    TEST(assembled_velocities_are_those_of_rbdl),
    TEST(the_first_step_of_assembly_is_that_of_rbdl),
    TEST(attachment_errors_are_the_exact_ones_of_rbdl),
    TEST(rotation_errors_are_those_of_the_documentation),
    TEST(accelerations_under_attachments_are_those_of_rbdl),
    TEST(rows_of_a_system_give_the_accelerations_of_rbdl),
    TEST(random_worlds_have_the_dynamics_of_their_dense_systems),
    TEST(rows_are_projected_onto_any_coordinates),
    TEST(rows_of_a_kind_of_ones_own_hold_a_pendulum),
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
    TEST(forces_are_told_in_the_axes_of_the_bodies_too),
    TEST(coupling_that_is_asked_for_suffices),
    TEST(guesses_of_coupling_come_to_an_end),
    TEST(coupling_follows_the_constraints),
    TEST(a_step_by_hand_is_a_step_of_random_worlds),
    TEST(a_step_by_hand_is_a_step_of_single_contacts),
    TEST(a_step_by_hand_is_a_step_of_lone_joints),
    TEST(a_step_by_hand_is_a_step_of_a_hub),
    TEST(a_step_by_hand_without_constraints_is_free_motion),
    TEST(free_motion_uses_up_forces_of_one_step),
    TEST(forces_after_free_motion_are_for_the_next_step),
    TEST(targets_are_those_of_the_derivation),
    TEST(violations_are_what_states_lack),
    TEST(a_step_without_a_target_is_deadbeat),
    TEST(compliances_are_those_of_the_rows),
    TEST(compliances_of_chosen_constraints_are_parts_of_the_whole),
    TEST(displacements_turn_nobody_by_more_than_half_a_radian),
    TEST(parts_of_a_step_refuse_steps_and_counts),
    TEST(parts_of_a_step_refuse_a_time_that_overflows),
    TEST(parts_of_a_step_refuse_a_disc_without_contact),
    TEST(parts_of_a_step_refuse_too_little_coupling),
    TEST(parts_of_a_step_refuse_a_motion_that_is_none),
    TEST(parts_of_a_step_refuse_states_that_overflow),
    TEST(corrections_refuse_multipliers_that_are_not_finite),
    TEST(compliances_refuse_stale_handles_and_counts),
    TEST(torn_apart_velocities_meet_in_the_middle),
    TEST(contradictory_bounces_meet_in_the_middle),
    TEST(torn_apart_accelerations_meet_in_the_middle),
    TEST(a_step_goes_on_when_rows_contradict_each_other),
    TEST(a_step_of_rk4_goes_on_when_rows_contradict_each_other),
    TEST(fast_stabilization_does_not_hide_contradictions),
    TEST(one_torn_island_is_enough),
    TEST(four_wheels_do_not_contradict_each_other),
    TEST(three_hinges_do_not_contradict_each_other),
    TEST(hinges_in_the_air_do_not_contradict_each_other),
    TEST(four_feet_do_not_contradict_each_other),
};

int main(int argc, char **argv)
{
    return test_run(tests, sizeof tests / sizeof *tests, argc, argv);
}
