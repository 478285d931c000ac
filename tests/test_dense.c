/* [6] The dense solver: RBDL's numbers, tests/oracle/rbdl_dense.txt, random systems against linear
   algebra of the tests' own, redundant and contradictory rows, and what its calls refuse. */
#include "dense.h"
#include "oracle.h"

#include <limits.h>

/* -------------------------------------------------------------------------- dense systems ----- */

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

/* A matrix or a vector behind its head; its sizes must be those of the case. RBDL's lambda and
   impulse are forces on the coordinates, G^T lambda: multipliers are the opposite. */
static void read_array(reader *r, dense *d)
{
    const bool matrix = line_is(r, "matrix");
    int rows, columns, i, j;
    double *out = dense_array(d, r->field[1], &rows, &columns);
    CHECK(out != NULL);
    CHECK(whole(r, matrix ? 3 : 2) == columns && (!matrix || whole(r, 2) == rows));
    for (i = 0; out && i < rows && next_line(r); i++) {
        CHECK(r->count == columns);
        numbers(r, 0, columns, out + i * columns);
        for (j = 0; j < columns && (out == d->lambda || out == d->impulse); j++)
            out[j] = -out[j];
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
    spc_real *work = (spc_real *)malloc(spc_dense_work_count(n, m) * sizeof(spc_real));
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
    spc_real *work = (spc_real *)malloc(spc_dense_work_count(n, m) * sizeof(spc_real));
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
    spc_real *work = (spc_real *)malloc(spc_dense_work_count(n, m) * sizeof(spc_real));
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
   3/2, -G^T lambda = 4 3/2 - 5 = 1 = -2 lambda, or the third of it each. All are exact in binary
   but the third. */
static void one_coordinate(void)
{
    const spc_real H = 4, C = 1, tau = 6, G[3] = { 2, 2, 2 }, gamma[3] = { 3, 3, 3 };
    spc_real work[64], q, l[3];
    int m, i;
    CHECK(spc_dense_work_count(1, 3) <= 64);
    CHECK_STATUS(spc_dense_forward_dynamics(1, 0, &H, &C, &tau, NULL, NULL, work, &q, NULL),
                 SPC_OK);
    CHECK_NEAR(q, 1.25, 0);
    for (m = 1; m <= 3; m += 2) {
        CHECK_STATUS(spc_dense_forward_dynamics(1, m, &H, &C, &tau, G, gamma, work, &q, l), SPC_OK);
        CHECK_NEAR(q, 1.5, 4 * TEST_EPSILON);
        for (i = 0; i < m; i++)
            CHECK_NEAR(l[i], -0.5 / m, 16 * TEST_EPSILON); /* 4 q'' - 5 cancels to a fifth */
        CHECK_STATUS(spc_dense_impulse(1, m, &H, &tau, G, gamma, work, &q, l), SPC_OK);
        CHECK_NEAR(q, 1.5, 4 * 6 * TEST_EPSILON); /* from 6 down to 3/2 */
        for (i = 0; i < m; i++)
            CHECK_NEAR(l[i], 4 * (6 - 1.5) / 2 / m, 16 * TEST_EPSILON * 9);
    }
    CHECK_STATUS(spc_dense_impulse(1, 0, &H, &tau, NULL, NULL, work, &q, NULL), SPC_OK);
    CHECK_NEAR(q, 6, 0);
}

/* The memory that is asked for is that of H, G and G G^T and some vectors. */
static void dense_memory_grows_as_the_matrices(void)
{
    int m, step;
    CHECK(spc_dense_work_count(0, 0) == 0 && spc_dense_work_count(-1, 3) == 0);
    CHECK(spc_dense_work_count(3, -1) == 0 && spc_dense_work_count(INT_MIN, INT_MIN) == 0);
    CHECK(spc_dense_work_count(1, 0) >= 1 && spc_dense_work_count(100, 0) < 10000 + 20 * 100);
    CHECK(spc_dense_work_count(100, 50) < 10000 + 5000 + 2500 + 20 * 150);
    CHECK(spc_dense_work_count(INT_MAX, INT_MAX) == (size_t)-1);
    /* none whose bytes a size_t does not hold: m^2 numbers and some */
    for (m = 1; spc_dense_work_count(1, m) < (size_t)-1 && m < INT_MAX / 2; m *= 2)
        CHECK(spc_dense_work_count(1, m) >= (size_t)m * (size_t)m);
    for (step = m /= 2; step > 0; step /= 2)
        if (spc_dense_work_count(1, m + step) < (size_t)-1)
            m += step;
    CHECK(spc_dense_work_count(1, m) <= (size_t)-1 / sizeof(spc_real));
    CHECK(spc_dense_work_count(1, m + 1) < (size_t)-1 ||
          spc_dense_work_count(1, m) + 3 * (size_t)m > (size_t)-1 / sizeof(spc_real));
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

/* lambda = (G H^-1 G^T)^+ (G q0 - gamma), q = q0 - H^-1 G^T lambda: (6.9) by other means. */
static void reference(const dense *d, const double *q0, const double *gamma, double *q,
                      double *lambda)
{
    double A[MOST * MOST], rho[MOST], force[MOST];
    int i;
    gram(d, true, A);
    times(d->G, d->m, d->n, q0, rho);
    for (i = 0; i < d->m; i++)
        rho[i] -= gamma[i];
    pseudo_solve(A, d->m, rho, lambda);
    transpose_times(d->G, d->m, d->n, lambda, force);
    eliminate(d->H, d->n, force, q);
    for (i = 0; i < d->n; i++)
        q[i] = q0[i] - q[i];
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
        left[i] = d->tau[i] - d->C[i] - left[i];
        change[i] = d->qdot_minus[i] - a->qdot_plus[i];
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
    CHECK(spc_dense_work_count(2, 2) <= 64);
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
    CHECK(spc_dense_work_count(2, 3) <= 64);
    CHECK_STATUS(spc_dense_forward_dynamics(2, 3, H, NULL, NULL, G, gamma, work, q, l), SPC_OK);
    CHECK_NEAR(q[0], 1.5, 32 * TEST_EPSILON);
    CHECK_NEAR(q[1], 0, 0);
    CHECK_NEAR(l[0], -1.5, 32 * TEST_EPSILON);
    CHECK_NEAR(l[1], -1.5, 32 * TEST_EPSILON);
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
    CHECK(spc_dense_work_count(2, 2) <= sizeof c.room / sizeof *c.room);
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
    c.tau[0] = real(LARGEST / 4); /* lambda of the row that stops it is 3 (tau - gamma) */
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
};

TEST_MAIN
