/* Section [2]: vectors, quaternions, matrices, transforms, inertias, against closed forms and
   against the same thing written out with plain matrices of doubles. */
#include "test.h"

#include <fenv.h>
#if defined(__SSE2__) && defined(__GNUC__)
#include <xmmintrin.h>
#endif

/* Random cases of each property. */
#define MANY 1000

/* What no number may be; the casts are for precision's sake. */
#define NOT_NUMBERS \
    { \
        (double)NAN, (double)INFINITY, -(double)INFINITY \
    }

#ifdef SPC_USE_FLOAT
#define HUGE_EXPONENT 120 /* 16 * 2^120 is still finite */
#define TINY_EXPONENT (-135) /* 2^14 units of the smallest number */
#define SMALLEST_EXPONENT (-149)
#else
#define HUGE_EXPONENT 1000
#define TINY_EXPONENT (-1060)
#define SMALLEST_EXPONENT (-1074)
#endif

static const spc_vec3 ex = { 1, 0, 0 }, ey = { 0, 1, 0 }, ez = { 0, 0, 1 };

typedef struct matrix {
    double at[3][3];
} matrix;

/* a 2^exponent: exact, unless digits fall off the end of the smallest numbers */
static spc_vec3 shifted(spc_vec3 a, int exponent)
{
    return vec(ldexp((double)a.x, exponent), ldexp((double)a.y, exponent),
                ldexp((double)a.z, exponent));
}

static void near_vec3(int line, spc_vec3 got, spc_vec3 want, double tolerance)
{
    test_near(__FILE__, line, "x", (double)got.x, (double)want.x, tolerance);
    test_near(__FILE__, line, "y", (double)got.y, (double)want.y, tolerance);
    test_near(__FILE__, line, "z", (double)got.z, (double)want.z, tolerance);
}

static void near_quat(int line, spc_quat got, spc_quat want, double tolerance)
{
    test_near(__FILE__, line, "w", (double)got.w, (double)want.w, tolerance);
    near_vec3(line, spc_vec3_make(got.x, got.y, got.z), spc_vec3_make(want.x, want.y, want.z),
              tolerance);
}

static void near_inertia(int line, spc_inertia got, matrix want, double tolerance)
{
    test_near(__FILE__, line, "xx", (double)got.xx, want.at[0][0], tolerance);
    test_near(__FILE__, line, "yy", (double)got.yy, want.at[1][1], tolerance);
    test_near(__FILE__, line, "zz", (double)got.zz, want.at[2][2], tolerance);
    test_near(__FILE__, line, "xy", (double)got.xy, want.at[0][1], tolerance);
    test_near(__FILE__, line, "xz", (double)got.xz, want.at[0][2], tolerance);
    test_near(__FILE__, line, "yz", (double)got.yz, want.at[1][2], tolerance);
}

#define NEAR_VEC3(got, want, tolerance) near_vec3(__LINE__, (got), (want), (tolerance))
#define NEAR_QUAT(got, want, tolerance) near_quat(__LINE__, (got), (want), (tolerance))
#define NEAR_INERTIA(got, want, tolerance) near_inertia(__LINE__, (got), (want), (tolerance))

static double dot4(spc_quat a, spc_quat b)
{
    return (double)a.w * (double)b.w + (double)a.x * (double)b.x + (double)a.y * (double)b.y +
           (double)a.z * (double)b.z;
}

static spc_quat negated(spc_quat q)
{
    return spc_quat_make(-q.w, -q.x, -q.y, -q.z);
}

/* The textbook matrix of a rotation. */
static matrix matrix_of(spc_quat q)
{
    const double w = (double)q.w, x = (double)q.x, y = (double)q.y, z = (double)q.z;
    matrix R;
    R.at[0][0] = w * w + x * x - y * y - z * z;
    R.at[1][1] = w * w - x * x + y * y - z * z;
    R.at[2][2] = w * w - x * x - y * y + z * z;
    R.at[0][1] = 2 * (x * y - w * z);
    R.at[1][0] = 2 * (x * y + w * z);
    R.at[0][2] = 2 * (x * z + w * y);
    R.at[2][0] = 2 * (x * z - w * y);
    R.at[1][2] = 2 * (y * z - w * x);
    R.at[2][1] = 2 * (y * z + w * x);
    return R;
}

static matrix product(matrix A, matrix B)
{
    matrix C;
    int i, j, k;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            for (k = 0, C.at[i][j] = 0; k < 3; k++)
                C.at[i][j] += A.at[i][k] * B.at[k][j];
    return C;
}

static matrix transposed(matrix A)
{
    matrix T;
    int i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            T.at[i][j] = A.at[j][i];
    return T;
}

static matrix matrix_of_inertia(spc_inertia I)
{
    matrix M;
    M.at[0][0] = (double)I.xx;
    M.at[1][1] = (double)I.yy;
    M.at[2][2] = (double)I.zz;
    M.at[0][1] = M.at[1][0] = (double)I.xy;
    M.at[0][2] = M.at[2][0] = (double)I.xz;
    M.at[1][2] = M.at[2][1] = (double)I.yz;
    return M;
}

static spc_vec3 times(matrix A, spc_vec3 v)
{
    const double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return vec(A.at[0][0] * x + A.at[0][1] * y + A.at[0][2] * z,
                A.at[1][0] * x + A.at[1][1] * y + A.at[1][2] * z,
                A.at[2][0] * x + A.at[2][1] * y + A.at[2][2] * z);
}

static spc_vec3 column(matrix A, int j)
{
    return vec(A.at[0][j], A.at[1][j], A.at[2][j]);
}

static spc_vec3 random_direction(void)
{
    spc_vec3 v, unit = ex;
    do
        v = test_random_vec3(1);
    while (spc_dot(v, v) < SPC_R(0.01) || spc_normalize(v, &unit));
    return unit;
}

/* --------------------------------------------------------------------------- vectors -------- */

static void vectors_add_subtract_and_scale_by_components(void)
{
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_vec3 a = test_random_vec3(4), b = test_random_vec3(4);
        const double s = (double)real(test_random(-4, 4));
        const double ax = (double)a.x, ay = (double)a.y, az = (double)a.z;
        const double bx = (double)b.x, by = (double)b.y, bz = (double)b.z;
        /* one rounding of a number below 16 */
        NEAR_VEC3(spc_add(a, b), vec(ax + bx, ay + by, az + bz), 16 * TEST_EPSILON);
        NEAR_VEC3(spc_sub(a, b), vec(ax - bx, ay - by, az - bz), 16 * TEST_EPSILON);
        NEAR_VEC3(spc_scale(real(s), a), vec(s * ax, s * ay, s * az), 16 * TEST_EPSILON);
    }
}

static void the_cross_product_of_the_axes_is_right_handed(void)
{
    const spc_vec3 x = spc_cross(ey, ez), y = spc_cross(ez, ex), z = spc_cross(ex, ey);
    const spc_vec3 back = spc_cross(ey, ex);
    NEAR_VEC3(x, ex, 0);
    NEAR_VEC3(y, ey, 0);
    NEAR_VEC3(z, ez, 0);
    NEAR_VEC3(back, spc_scale(-1, ez), 0);
}

static void dot_and_cross_products_match_their_components(void)
{
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_vec3 a = test_random_vec3(1), b = test_random_vec3(1);
        const double ax = (double)a.x, ay = (double)a.y, az = (double)a.z;
        const double bx = (double)b.x, by = (double)b.y, bz = (double)b.z;
        /* at most five roundings of numbers below 3 */
        CHECK_NEAR(spc_dot(a, b), ax * bx + ay * by + az * bz, 8 * TEST_EPSILON);
        NEAR_VEC3(spc_cross(a, b), vec(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx),
                  4 * TEST_EPSILON);
    }
}

static void cross_products_obey_their_identities(void)
{
    /* sums of at most nine products of three numbers below 1, each with a few roundings */
    const double tolerance = 32 * TEST_EPSILON;
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_vec3 a = test_random_vec3(1), b = test_random_vec3(1), c = test_random_vec3(1);
        const spc_vec3 ab = spc_cross(a, b);
        const spc_vec3 jacobi =
            spc_add(spc_add(spc_cross(a, spc_cross(b, c)), spc_cross(b, spc_cross(c, a))),
                    spc_cross(c, ab));
        const double lagrange = (double)spc_dot(a, a) * (double)spc_dot(b, b) -
                                (double)spc_dot(a, b) * (double)spc_dot(a, b);
        NEAR_VEC3(ab, spc_scale(-1, spc_cross(b, a)), 0); /* exact: the same products */
        CHECK_NEAR(spc_dot(a, ab), 0, tolerance);
        CHECK_NEAR(spc_dot(b, ab), 0, tolerance);
        CHECK_NEAR(spc_dot(ab, c), spc_dot(a, spc_cross(b, c)), tolerance);
        CHECK_NEAR(spc_dot(ab, ab), lagrange, 4 * tolerance);
        NEAR_VEC3(spc_cross(a, spc_cross(b, c)),
                  spc_sub(spc_scale(spc_dot(a, c), b), spc_scale(spc_dot(a, b), c)), tolerance);
        NEAR_VEC3(jacobi, spc_vec3_make(0, 0, 0), tolerance);
    }
}

static void the_norm_is_the_length_at_any_scale(void)
{
    const spc_vec3 a = vec(3, -4, 12);
    int i;
    CHECK_NEAR(spc_norm(vec(0, 0, 0)), 0, 0);
    CHECK_NEAR(spc_norm(vec(-2, 0, 0)), 2, 0);
    CHECK_NEAR(spc_norm(vec(0, 2, 0)), 2, 0);
    CHECK_NEAR(spc_norm(vec(0, 0, -2)), 2, 0);
    CHECK_NEAR(spc_norm(a), 13, 13 * 4 * TEST_EPSILON);
    CHECK_NEAR(ldexp((double)spc_norm(shifted(a, HUGE_EXPONENT)), -HUGE_EXPONENT), 13,
               13 * 4 * TEST_EPSILON);
    /* the smallest numbers are 2^-14 apart on this scale: one rounding to them */
    CHECK_NEAR(ldexp((double)spc_norm(shifted(a, TINY_EXPONENT)), -TINY_EXPONENT), 13,
               ldexp(1, -14));
    for (i = 0; i < MANY; i++) {
        const spc_vec3 v = test_random_vec3(1);
        /* three divisions, a dot product, a root and a product; length <= sqrt(3) */
        CHECK_NEAR(spc_norm(v), length(v), 8 * TEST_EPSILON);
    }
}

static void the_norm_of_what_is_no_vector_is_no_number(void)
{
    const double bad[3] = NOT_NUMBERS;
    int i, k;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 2; k++) {
            const double rest = k; /* beside zeros and beside ones */
            CHECK(!isfinite(spc_norm(vec(bad[i], rest, rest))));
            CHECK(!isfinite(spc_norm(vec(rest, bad[i], rest))));
            CHECK(!isfinite(spc_norm(vec(rest, rest, bad[i]))));
        }
}

static void normalized_vectors_are_unit_and_keep_their_direction(void)
{
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_vec3 a = test_random_vec3(1);
        spc_vec3 unit;
        CHECK_STATUS(spc_normalize(a, &unit), SPC_OK);
        /* each entry: two divisions and the root of a sum, at most 4 roundings, and twice in the
         * square */
        CHECK_NEAR(spc_dot(unit, unit), 1, 8 * TEST_EPSILON);
        NEAR_VEC3(unit,
                  vec((double)a.x / length(a), (double)a.y / length(a), (double)a.z / length(a)),
                  4 * TEST_EPSILON);
    }
}

static void vectors_of_any_size_are_normalized_to_the_same_bits(void)
{
    const double third = sqrt(1.0 / 3), half = sqrt(0.5), tiny = ldexp(1, SMALLEST_EXPONENT);
    spc_vec3 want, unit;
    int i;
    for (i = 0; i < 20; i++) {
        /* eight digits of two: exact even among the smallest numbers */
        const double x = floor(test_random(-200, 200)), y = floor(test_random(1, 200));
        const spc_vec3 a = vec(x, y, floor(test_random(-200, 200)));
        CHECK_STATUS(spc_normalize(a, &want), SPC_OK);
        CHECK_STATUS(spc_normalize(shifted(a, HUGE_EXPONENT - 8), &unit), SPC_OK);
        CHECK(SAME_BITS(unit, want));
        CHECK_STATUS(spc_normalize(shifted(a, TINY_EXPONENT), &unit), SPC_OK);
        CHECK(SAME_BITS(unit, want));
    }
    CHECK_STATUS(spc_normalize(vec(LARGEST, -LARGEST, LARGEST), &unit), SPC_OK);
    NEAR_VEC3(unit, vec(third, -third, third), 4 * TEST_EPSILON);
    CHECK_STATUS(spc_normalize(vec(tiny, 0, -tiny), &unit), SPC_OK);
    NEAR_VEC3(unit, vec(half, 0, -half), 4 * TEST_EPSILON);
    CHECK_STATUS(spc_normalize(vec(0, -tiny, LARGEST), &unit), SPC_OK);
    NEAR_VEC3(unit, ez, 0);
}

static void vectors_without_a_direction_are_refused(void)
{
    const double bad[3] = NOT_NUMBERS;
    const spc_vec3 before = vec(7, 8, 9);
    spc_vec3 unit = before;
    int i, k;
    CHECK_STATUS(spc_normalize(ex, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_normalize(vec(0, 0, 0), &unit), SPC_ERROR_ZERO_VECTOR);
    CHECK_STATUS(spc_normalize(vec(-0.0, 0, -0.0), &unit), SPC_ERROR_ZERO_VECTOR);
    for (i = 0; i < 3; i++)
        for (k = 0; k < 2; k++) {
            const double rest = k; /* zeros must not hide it */
            CHECK_STATUS(spc_normalize(vec(bad[i], rest, rest), &unit), SPC_ERROR_NOT_FINITE);
            CHECK_STATUS(spc_normalize(vec(rest, bad[i], rest), &unit), SPC_ERROR_NOT_FINITE);
            CHECK_STATUS(spc_normalize(vec(rest, rest, bad[i]), &unit), SPC_ERROR_NOT_FINITE);
        }
    CHECK(SAME_BITS(unit, before));
}

/* ----------------------------------------------------------------------- quaternions -------- */

static void hamiltons_units_multiply_as_he_wrote(void)
{
    const spc_quat one = spc_quat_identity(), i = spc_quat_make(0, 1, 0, 0);
    const spc_quat j = spc_quat_make(0, 0, 1, 0), k = spc_quat_make(0, 0, 0, 1);
    NEAR_QUAT(one, spc_quat_make(1, 0, 0, 0), 0);
    NEAR_QUAT(spc_quat_mul(one, i), i, 0);
    NEAR_QUAT(spc_quat_mul(j, one), j, 0);
    NEAR_QUAT(spc_quat_mul(i, j), k, 0);
    NEAR_QUAT(spc_quat_mul(j, k), i, 0);
    NEAR_QUAT(spc_quat_mul(k, i), j, 0);
    NEAR_QUAT(spc_quat_mul(j, i), negated(k), 0);
    NEAR_QUAT(spc_quat_mul(spc_quat_mul(i, j), k), negated(one), 0);
    NEAR_QUAT(spc_quat_conjugate(spc_quat_make(1, 2, 3, 4)), spc_quat_make(1, -2, -3, -4), 0);
}

static void the_quaternion_product_is_the_product_of_matrices(void)
{
    /* sums of products of numbers up to 1: ten roundings or so on each side */
    const double tolerance = 16 * TEST_EPSILON;
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_quat a = test_random_quat(), b = test_random_quat(), c = test_random_quat();
        const spc_quat ab = spc_quat_mul(a, b);
        const matrix want = product(matrix_of(a), matrix_of(b));
        const spc_mat3 got = spc_mat3_from_quat(ab);
        NEAR_VEC3(got.x, column(want, 0), tolerance);
        NEAR_VEC3(got.y, column(want, 1), tolerance);
        NEAR_VEC3(got.z, column(want, 2), tolerance);
        CHECK_NEAR(dot4(ab, ab), 1, tolerance);
        NEAR_QUAT(spc_quat_mul(ab, c), spc_quat_mul(a, spc_quat_mul(b, c)), tolerance);
        NEAR_QUAT(spc_quat_mul(a, spc_quat_conjugate(a)), spc_quat_identity(), tolerance);
        NEAR_QUAT(spc_quat_conjugate(ab),
                  spc_quat_mul(spc_quat_conjugate(b), spc_quat_conjugate(a)), tolerance);
    }
}

static void rotating_is_multiplying_by_the_matrix(void)
{
    const double h = sqrt(0.5),
                 tolerance = 24 * TEST_EPSILON; /* two cross products of |v| <= sqrt(3) */
    int i;
    NEAR_VEC3(spc_rotate(spc_quat_make(real(h), 0, 0, real(h)), ex), ey, 4 * TEST_EPSILON);
    NEAR_VEC3(spc_unrotate(spc_quat_make(real(h), 0, 0, real(h)), ey), ex, 4 * TEST_EPSILON);
    for (i = 0; i < MANY; i++) {
        const spc_quat q = test_random_quat();
        const spc_vec3 a = test_random_vec3(1), b = test_random_vec3(1);
        const matrix R = matrix_of(q);
        NEAR_VEC3(spc_rotate(q, a), times(R, a), tolerance);
        NEAR_VEC3(spc_unrotate(q, a), times(transposed(R), a), tolerance);
        NEAR_VEC3(spc_unrotate(q, spc_rotate(q, a)), a, tolerance);
        NEAR_VEC3(spc_rotate(negated(q), a), spc_rotate(q, a), 0); /* signs cancel exactly */
        CHECK_NEAR(spc_dot(spc_rotate(q, a), spc_rotate(q, b)), spc_dot(a, b), 4 * tolerance);
        NEAR_VEC3(spc_cross(spc_rotate(q, a), spc_rotate(q, b)), spc_rotate(q, spc_cross(a, b)),
                  4 * tolerance);
    }
}

static void normalized_quaternions_are_unit_at_any_scale(void)
{
    const double half = sqrt(0.5), tiny = ldexp(1, SMALLEST_EXPONENT);
    spc_quat q;
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_vec3 v = test_random_vec3(1);
        const spc_quat a = spc_quat_make(real(test_random(-1, 1)), v.x, v.y, v.z);
        const double n = sqrt(dot4(a, a));
        CHECK_STATUS(spc_quat_normalize(a, &q), SPC_OK);
        CHECK_NEAR(dot4(q, q), 1, 8 * TEST_EPSILON);
        NEAR_QUAT(q,
                  spc_quat_make(real((double)a.w / n), real((double)a.x / n), real((double)a.y / n),
                                real((double)a.z / n)),
                  4 * TEST_EPSILON);
    }
    CHECK_STATUS(spc_quat_normalize(spc_quat_make(real(LARGEST), 0, real(-LARGEST), 0), &q),
                 SPC_OK);
    NEAR_QUAT(q, spc_quat_make(real(half), 0, real(-half), 0), 4 * TEST_EPSILON);
    CHECK_STATUS(spc_quat_normalize(spc_quat_make(0, real(tiny), 0, real(tiny)), &q), SPC_OK);
    NEAR_QUAT(q, spc_quat_make(0, real(half), 0, real(half)), 4 * TEST_EPSILON);
    CHECK_STATUS(spc_quat_normalize(spc_quat_make(real(tiny), 0, 0, real(LARGEST)), &q), SPC_OK);
    NEAR_QUAT(q, spc_quat_make(0, 0, 0, 1), 0);
    CHECK_STATUS(spc_quat_normalize(spc_quat_make(-2, 0, 0, 0), &q), SPC_OK);
    NEAR_QUAT(q, spc_quat_make(-1, 0, 0, 0), 0);
}

static void a_quaternion_that_is_unit_keeps_its_bits(void)
{
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_quat q = test_random_quat();
        spc_quat again;
        CHECK_STATUS(spc_quat_normalize(q, &again), SPC_OK);
        CHECK(SAME_BITS(q, again));
    }
    for (i = 0; i < 16; i++) {
        const spc_real s = real(i & 1 ? -1 : 1), h = real(0.5);
        const spc_quat q = spc_quat_make(s * h, i & 2 ? -h : h, i & 4 ? -h : h, i & 8 ? -h : h);
        const spc_quat r = spc_quat_make(s * real(0.6), 0, i & 2 ? real(0.8) : -real(0.8), 0);
        spc_quat again;
        CHECK_STATUS(spc_quat_normalize(q, &again), SPC_OK);
        CHECK(SAME_BITS(q, again));
        CHECK_STATUS(spc_quat_normalize(r, &again), SPC_OK);
        CHECK(SAME_BITS(r, again));
    }
}

static void a_quaternion_that_is_off_by_a_hundred_roundings_is_corrected(void)
{
    const double factor = 1 + 100 * TEST_EPSILON;
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_quat q = test_random_quat();
        spc_quat unit;
        CHECK_STATUS(spc_quat_normalize(
                         spc_quat_make(real((double)q.w * factor), real((double)q.x * factor),
                                       real((double)q.y * factor), real((double)q.z * factor)),
                         &unit),
                     SPC_OK);
        CHECK_NEAR(dot4(unit, unit), 1, 8 * TEST_EPSILON);
    }
}

static void quaternions_without_a_rotation_are_refused(void)
{
    const double bad[3] = NOT_NUMBERS;
    const spc_quat before = spc_quat_make(6, 7, 8, 9);
    spc_quat q = before;
    int i, k;
    CHECK_STATUS(spc_quat_normalize(spc_quat_identity(), NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_quat_normalize(spc_quat_make(0, 0, 0, 0), &q), SPC_ERROR_ZERO_QUATERNION);
    for (i = 0; i < 3; i++)
        for (k = 0; k < 2; k++) {
            const spc_real b = real(bad[i]), rest = (spc_real)k;
            CHECK_STATUS(spc_quat_normalize(spc_quat_make(b, rest, rest, rest), &q),
                         SPC_ERROR_NOT_FINITE);
            CHECK_STATUS(spc_quat_normalize(spc_quat_make(rest, b, rest, rest), &q),
                         SPC_ERROR_NOT_FINITE);
            CHECK_STATUS(spc_quat_normalize(spc_quat_make(rest, rest, b, rest), &q),
                         SPC_ERROR_NOT_FINITE);
            CHECK_STATUS(spc_quat_normalize(spc_quat_make(rest, rest, rest, b), &q),
                         SPC_ERROR_NOT_FINITE);
        }
    CHECK(SAME_BITS(q, before));
}

/* Half the angle's cosine and sine along the axis, with the C library. */
static spc_quat exponential(spc_vec3 v)
{
    const double angle = length(v), s = angle > 0 ? sin(angle / 2) / angle : 0.5;
    return spc_quat_make(real(cos(angle / 2)), real(s * (double)v.x), real(s * (double)v.y),
                         real(s * (double)v.z));
}

static void rotation_vectors_give_cosine_and_sine_of_half_the_angle(void)
{
    int i;
    for (i = 0; i <= 50 * 64; i++) {
        const spc_vec3 v = spc_scale(real(i / 64.0), random_direction());
        /* Up to 4 angle times the angle of the series is reached by doubling, which doubles what
           was lost before (about 2 roundings) and adds as much: 2 x 2 x 4 angle; 4 for the series
           alone. */
        const double tolerance = (4 + 16 * length(v)) * TEST_EPSILON;
        const spc_quat q = spc_quat_from_rotation_vector(v);
        NEAR_QUAT(q, exponential(v), tolerance);
        CHECK_NEAR(dot4(q, q), 1, 2 * tolerance);
    }
}

static void small_and_special_rotation_vectors_are_exact(void)
{
    const double pi = 3.14159265358979323846, tiny = ldexp(1, TINY_EXPONENT);
    int i;
    NEAR_QUAT(spc_quat_from_rotation_vector(vec(0, 0, 0)), spc_quat_identity(), 0);
    NEAR_QUAT(spc_quat_from_rotation_vector(vec(0, 2 * tiny, 0)),
              spc_quat_make(1, 0, real(tiny), 0), 0);
    /* few roundings: 16 angle as above */
    NEAR_QUAT(spc_quat_from_rotation_vector(vec(0, 0, pi)), spc_quat_make(0, 0, 0, 1),
              (4 + 16 * pi) * TEST_EPSILON);
    NEAR_QUAT(spc_quat_from_rotation_vector(vec(2 * pi, 0, 0)), spc_quat_make(-1, 0, 0, 0),
              (4 + 32 * pi) * TEST_EPSILON);
    for (i = 0; i < MANY; i++) {
        const spc_vec3 v = test_random_vec3(10);
        const spc_quat a = spc_quat_conjugate(spc_quat_from_rotation_vector(v));
        NEAR_QUAT(spc_quat_from_rotation_vector(spc_scale(-1, v)), a,
                  0); /* odd in v, bit for bit */
    }
}

static void half_angles_give_the_same_as_rotation_vectors(void)
{
    spc_quat q;
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_vec3 axis = random_direction();
        const double angle = test_random(-3, 3), size = test_random(0.01, 100);
        const double c = cos(angle / 2), s = sin(angle / 2);
        CHECK_STATUS(spc_quat_from_half_angle(spc_scale(real(size), axis), real(c), real(s), &q),
                     SPC_OK);
        /* roundings of the entries and of the norm; |axis| = 1 to some more */
        NEAR_QUAT(q,
                  spc_quat_make(real(c), real(s * (double)axis.x), real(s * (double)axis.y),
                                real(s * (double)axis.z)),
                  8 * TEST_EPSILON);
        NEAR_QUAT(q, spc_quat_from_rotation_vector(spc_scale(real(angle), axis)),
                  (12 + 16 * fabs(angle)) * TEST_EPSILON);
        CHECK_STATUS(spc_quat_from_half_angle(axis, real(size * c), real(size * s), &q), SPC_OK);
        CHECK_NEAR(dot4(q, q), 1, 8 * TEST_EPSILON);
        NEAR_QUAT(q, exponential(spc_scale(real(angle), axis)),
                  (12 + 16 * fabs(angle)) * TEST_EPSILON);
    }
    CHECK_STATUS(spc_quat_from_half_angle(vec(0, 0, LARGEST), real(LARGEST), real(-LARGEST), &q),
                 SPC_OK);
    NEAR_QUAT(q, spc_quat_make(real(sqrt(0.5)), 0, 0, real(-sqrt(0.5))), 4 * TEST_EPSILON);
    CHECK_STATUS(spc_quat_from_half_angle(vec(0, 2, 0), 0, real(ldexp(1, SMALLEST_EXPONENT)), &q),
                 SPC_OK);
    NEAR_QUAT(q, spc_quat_make(0, 0, 1, 0), 0);
    CHECK_STATUS(spc_quat_from_half_angle(ex, -1, 0, &q), SPC_OK);
    NEAR_QUAT(q, spc_quat_make(-1, 0, 0, 0), 0);
}

static void half_angles_without_a_rotation_are_refused(void)
{
    const double bad[3] = NOT_NUMBERS;
    const spc_quat before = spc_quat_make(6, 7, 8, 9);
    spc_quat q = before;
    int i;
    CHECK_STATUS(spc_quat_from_half_angle(ex, 1, 0, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_quat_from_half_angle(vec(0, 0, 0), 1, 0, &q), SPC_ERROR_ZERO_VECTOR);
    CHECK_STATUS(spc_quat_from_half_angle(ex, 0, 0, &q), SPC_ERROR_ZERO_QUATERNION);
    for (i = 0; i < 3; i++) {
        CHECK_STATUS(spc_quat_from_half_angle(ex, real(bad[i]), 0, &q), SPC_ERROR_NOT_FINITE);
        CHECK_STATUS(spc_quat_from_half_angle(ex, 0, real(bad[i]), &q), SPC_ERROR_NOT_FINITE);
        CHECK_STATUS(spc_quat_from_half_angle(vec(bad[i], 0, 0), 1, 0, &q), SPC_ERROR_NOT_FINITE);
        CHECK_STATUS(spc_quat_from_half_angle(vec(1, bad[i], 0), 1, 0, &q), SPC_ERROR_NOT_FINITE);
        CHECK_STATUS(spc_quat_from_half_angle(vec(0, 0, bad[i]), 1, 0, &q), SPC_ERROR_NOT_FINITE);
    }
    CHECK(SAME_BITS(q, before));
}

/* Unit, turns a's direction into b's, and is the shortest such rotation: its axis lies across both
   and its half angle is at most a quarter turn. */
static void check_from_to(int line, spc_vec3 a, spc_vec3 b, double tolerance)
{
    spc_quat q = spc_quat_make(9, 9, 9, 9);
    spc_vec3 u = ex, v = ex;
    test_status(__FILE__, line, "spc_quat_from_two_vectors", spc_quat_from_two_vectors(a, b, &q),
                SPC_OK);
    CHECK_STATUS(spc_normalize(a, &u), SPC_OK);
    CHECK_STATUS(spc_normalize(b, &v), SPC_OK);
    near_vec3(line, spc_rotate(q, u), v, tolerance);
    test_near(__FILE__, line, "|q|^2", dot4(q, q), 1, 8 * TEST_EPSILON);
    test_near(__FILE__, line, "axis . a", (double)spc_dot(spc_vec3_make(q.x, q.y, q.z), u), 0,
              tolerance);
    test_near(__FILE__, line, "axis . b", (double)spc_dot(spc_vec3_make(q.x, q.y, q.z), v), 0,
              tolerance);
    CHECK((double)q.w >= -tolerance);
}

static void the_rotation_between_two_vectors_takes_one_to_the_other(void)
{
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_vec3 a = random_direction();
        const double longer = test_random(0.1, 10);
        spc_vec3 b = random_direction();
        if (spc_dot(a, b) < 0)
            b = spc_scale(-1, b); /* the other half: nearly opposite vectors, below */
        /* normalizations of three vectors (4 each), a product, a rotation */
        check_from_to(__LINE__, spc_scale(real(longer), a),
                      spc_scale(real(test_random(0.1, 10)), b), 24 * TEST_EPSILON);
    }
    check_from_to(__LINE__, ex, ey, 8 * TEST_EPSILON);
    check_from_to(__LINE__, vec(LARGEST, 0, 0), vec(0, ldexp(1, SMALLEST_EXPONENT), 0),
                  8 * TEST_EPSILON);
}

static void equal_directions_need_no_rotation(void)
{
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_vec3 a = test_random_vec3(1);
        spc_quat q;
        CHECK_STATUS(spc_quat_from_two_vectors(a, spc_scale(4, a), &q), SPC_OK);
        NEAR_QUAT(q, spc_quat_identity(), 4 * TEST_EPSILON);
    }
}

static void opposite_directions_take_a_half_turn(void)
{
    static const double along[6][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 },
                                        { 3, 3, 1 }, { 3, 1, 3 }, { 1, 3, 3 } };
    int i;
    for (i = 0; i < 6; i++) {
        const spc_vec3 a = vec(along[i][0], along[i][1], along[i][2]);
        check_from_to(__LINE__, a, spc_scale(-2, a), 16 * TEST_EPSILON);
        check_from_to(__LINE__, spc_scale(-2, a), a, 16 * TEST_EPSILON);
    }
    for (i = 0; i < MANY; i++) {
        const spc_vec3 a = test_random_vec3(1);
        spc_quat q;
        check_from_to(__LINE__, a, spc_scale(-1, a), 16 * TEST_EPSILON);
        CHECK_STATUS(spc_quat_from_two_vectors(a, spc_scale(-1, a), &q), SPC_OK);
        CHECK_NEAR(q.w, 0, 4 * TEST_EPSILON);
    }
}

static void nearly_opposite_directions_are_met_as_well(void)
{
    int i, k;
    for (k = 1; k <= 54; k++)
        for (i = 0; i < 20; i++) {
            const spc_vec3 a = random_direction();
            const spc_vec3 off = spc_scale(real(ldexp(1, -k)), random_direction());
            /* The half turn's axis is as good as any, so the end need not be worse than elsewhere.
             */
            check_from_to(__LINE__, a, spc_sub(off, a), 24 * TEST_EPSILON);
        }
}

static void two_vectors_without_directions_are_refused(void)
{
    const double bad[3] = NOT_NUMBERS;
    const spc_quat before = spc_quat_make(6, 7, 8, 9);
    spc_quat q = before;
    int i;
    CHECK_STATUS(spc_quat_from_two_vectors(ex, ey, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_quat_from_two_vectors(vec(0, 0, 0), ey, &q), SPC_ERROR_ZERO_VECTOR);
    CHECK_STATUS(spc_quat_from_two_vectors(ex, vec(0, 0, 0), &q), SPC_ERROR_ZERO_VECTOR);
    for (i = 0; i < 3; i++) {
        CHECK_STATUS(spc_quat_from_two_vectors(vec(0, bad[i], 0), ey, &q), SPC_ERROR_NOT_FINITE);
        CHECK_STATUS(spc_quat_from_two_vectors(ex, vec(bad[i], 1, 1), &q), SPC_ERROR_NOT_FINITE);
        CHECK_STATUS(spc_quat_from_two_vectors(ex, vec(0, 0, bad[i]), &q), SPC_ERROR_NOT_FINITE);
    }
    CHECK(SAME_BITS(q, before));
}

static void integrating_is_turning_by_the_rotation_vector(void)
{
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_quat q = test_random_quat();
        const spc_vec3 w = test_random_vec3(5);
        const spc_real h = real(test_random(-0.1, 0.1));
        const spc_quat turned = spc_quat_integrate(q, w, h);
        /* as from_rotation_vector for angles below 1, and a product */
        NEAR_QUAT(turned, spc_quat_mul(exponential(spc_scale(h, w)), q), 28 * TEST_EPSILON);
        CHECK_NEAR(dot4(turned, turned), 1, 8 * TEST_EPSILON);
        NEAR_QUAT(spc_quat_integrate(turned, w, -h), q, 56 * TEST_EPSILON);
        NEAR_QUAT(spc_quat_integrate(q, vec(0, 0, 0), h), q, 4 * TEST_EPSILON);
    }
}

static void angular_velocity_is_along_the_axes_of_the_parent(void)
{
    const double h = sqrt(0.5), pi = 3.14159265358979323846;
    const spc_quat about_x = spc_quat_make(real(h), real(h), 0, 0);
    const spc_quat q = spc_quat_integrate(about_x, vec(0, 0, pi), SPC_R(0.5));
    /* ez of the body points to -y after the turn about x, then to x after the one about the fixed z
     */
    NEAR_VEC3(spc_rotate(q, ez), ex, 64 * TEST_EPSILON);
}

static void a_million_turns_leave_the_quaternion_unit(void)
{
    const spc_vec3 w = vec(1, -2, 3);
    spc_quat q = test_random_quat();
    int i;
    for (i = 0; i < 1000000; i++)
        q = spc_quat_integrate(q, w, SPC_R(0.01));
    CHECK_NEAR(dot4(q, q), 1, 8 * TEST_EPSILON);
}

static void however_far_it_turns_the_quaternion_stays_unit(void)
{
    const spc_quat start = test_random_quat();
    double angle;
    /* beyond 1 / epsilon the angle itself means nothing any more */
    for (angle = 1; angle < 1 / TEST_EPSILON; angle *= 3) {
        const spc_quat q = spc_quat_integrate(start, random_direction(), real(angle));
        CHECK_NEAR(dot4(q, q), 1, 8 * TEST_EPSILON);
    }
}

static void a_full_turn_comes_back(void)
{
    const int steps = 1000;
    const double pi = 3.14159265358979323846;
    int i, k;
    for (k = 0; k < 20; k++) {
        const spc_vec3 axis = random_direction();
        const spc_quat start = test_random_quat();
        spc_quat q = start;
        for (i = 0; i < steps; i++)
            q = spc_quat_integrate(q, axis, real(2 * pi / steps));
        /* at most 4 roundings in each turn; the sign flips once in a turn */
        NEAR_QUAT(q, negated(start), 4 * steps * TEST_EPSILON);
        for (i = 0; i < steps; i++)
            q = spc_quat_integrate(q, axis, real(2 * pi / steps));
        NEAR_QUAT(q, start, 8 * steps * TEST_EPSILON);
    }
}

/* -------------------------------------------------------------------------- matrices -------- */

static void the_matrix_of_a_quaternion_is_a_rotation(void)
{
    const double tolerance =
        16 * TEST_EPSILON; /* products of entries up to 2, a few roundings each */
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_quat q = test_random_quat();
        const spc_mat3 R = spc_mat3_from_quat(q);
        const matrix want = matrix_of(q);
        NEAR_VEC3(R.x, column(want, 0), tolerance);
        NEAR_VEC3(R.y, column(want, 1), tolerance);
        NEAR_VEC3(R.z, column(want, 2), tolerance);
        NEAR_VEC3(R.x, spc_rotate(q, ex), tolerance);
        NEAR_VEC3(R.y, spc_rotate(q, ey), tolerance);
        NEAR_VEC3(R.z, spc_rotate(q, ez), tolerance);
        NEAR_VEC3(spc_cross(R.x, R.y), R.z, 2 * tolerance);
        CHECK_NEAR(spc_dot(R.x, R.x), 1, 2 * tolerance);
        CHECK_NEAR(spc_dot(R.x, R.y), 0, 2 * tolerance);
    }
}

static void matrices_multiply_vectors_by_columns(void)
{
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_vec3 v = test_random_vec3(1);
        spc_mat3 A;
        matrix want;
        A.x = test_random_vec3(1);
        A.y = test_random_vec3(1);
        A.z = test_random_vec3(1);
        want.at[0][0] = (double)A.x.x, want.at[1][0] = (double)A.x.y, want.at[2][0] = (double)A.x.z;
        want.at[0][1] = (double)A.y.x, want.at[1][1] = (double)A.y.y, want.at[2][1] = (double)A.y.z;
        want.at[0][2] = (double)A.z.x, want.at[1][2] = (double)A.z.y, want.at[2][2] = (double)A.z.z;
        /* five roundings of numbers below 3 */
        NEAR_VEC3(spc_mat3_mul(A, v), times(want, v), 8 * TEST_EPSILON);
        NEAR_VEC3(spc_mat3_transpose_mul(A, v), times(transposed(want), v), 8 * TEST_EPSILON);
    }
}

static void quaternions_come_back_from_their_matrices(void)
{
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_quat q = test_random_quat();
        const spc_quat back = spc_quat_from_mat3(spc_mat3_from_quat(q));
        CHECK(back.w >= 0);
        CHECK_NEAR(dot4(back, back), 1, 8 * TEST_EPSILON);
        /* entries of the matrix are off by 4 roundings; the largest of the four is at least 1/2, so
           that dividing by it doubles them at most */
        NEAR_QUAT(back, q.w < 0 ? negated(q) : q, 16 * TEST_EPSILON);
    }
}

static void each_of_the_four_largest_entries_comes_back(void)
{
    int largest, sign, i;
    for (largest = 0; largest < 4; largest++)
        for (sign = -1; sign <= 1; sign += 2)
            for (i = 0; i < MANY / 4; i++) {
                const spc_vec3 small = test_random_vec3(0.3);
                spc_real e[4];
                spc_quat q, back;
                e[largest] = (spc_real)sign;
                e[(largest + 1) % 4] = small.x;
                e[(largest + 2) % 4] = small.y;
                e[(largest + 3) % 4] = small.z;
                CHECK_STATUS(spc_quat_normalize(spc_quat_make(e[0], e[1], e[2], e[3]), &q), SPC_OK);
                back = spc_quat_from_mat3(spc_mat3_from_quat(q));
                NEAR_QUAT(back, q.w < 0 ? negated(q) : q, 16 * TEST_EPSILON);
            }
}

static void half_turns_and_ties_come_back(void)
{
    const double h = sqrt(0.5);
    int i;
    for (i = 0; i < 3; i++) {
        const spc_vec3 axis = i == 0 ? ex : i == 1 ? ey : ez;
        const spc_quat back =
            spc_quat_from_mat3(spc_mat3_from_quat(spc_quat_make(0, axis.x, axis.y, axis.z)));
        NEAR_QUAT(back, spc_quat_make(0, axis.x, axis.y, axis.z), 0);
    }
    NEAR_QUAT(spc_quat_from_mat3(spc_mat3_from_quat(spc_quat_identity())), spc_quat_identity(), 0);
    for (i = 0; i < 8; i++) {
        const spc_real p = SPC_R(0.5), n = -p;
        const spc_quat q = spc_quat_make(p, i & 1 ? n : p, i & 2 ? n : p, i & 4 ? n : p);
        NEAR_QUAT(spc_quat_from_mat3(spc_mat3_from_quat(q)), q, 4 * TEST_EPSILON);
    }
    /* a half turn between two axes: either sign is right */
    for (i = 0; i < 3; i++) {
        const spc_quat q =
            spc_quat_make(0, real(i == 0 ? 0 : h), real(i == 1 ? 0 : h), real(i == 2 ? 0 : -h));
        const spc_quat back = spc_quat_from_mat3(spc_mat3_from_quat(q));
        CHECK_NEAR(fabs(dot4(q, back)), 1, 8 * TEST_EPSILON);
    }
}

/* ------------------------------------------------------------------------ transforms -------- */

static spc_transform random_transform(void)
{
    const spc_quat q = test_random_quat();
    return spc_transform_make(q, test_random_vec3(2));
}

static void transforms_compose_like_rotation_and_shift(void)
{
    /* rotations of vectors shorter than 6, three in a row, 8 roundings each */
    const double tolerance = 6 * 24 * TEST_EPSILON;
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_transform X_AB = random_transform(), X_BC = random_transform(),
                            X_CD = random_transform();
        const spc_transform X_AC = spc_transform_mul(X_AB, X_BC);
        const spc_transform left = spc_transform_mul(X_AC, X_CD);
        const spc_transform right = spc_transform_mul(X_AB, spc_transform_mul(X_BC, X_CD));
        const spc_vec3 p = test_random_vec3(1);
        NEAR_VEC3(spc_transform_point(X_AB, p), spc_add(times(matrix_of(X_AB.q), p), X_AB.p),
                  tolerance);
        NEAR_VEC3(spc_transform_point(X_AC, p),
                  spc_transform_point(X_AB, spc_transform_point(X_BC, p)), tolerance);
        NEAR_VEC3(left.p, right.p, tolerance);
        NEAR_QUAT(left.q, right.q, 16 * TEST_EPSILON);
    }
}

static void a_transform_and_its_inverse_cancel(void)
{
    const double tolerance = 6 * 24 * TEST_EPSILON; /* as above */
    const spc_transform identity = spc_transform_identity();
    int i;
    NEAR_QUAT(identity.q, spc_quat_identity(), 0);
    NEAR_VEC3(identity.p, vec(0, 0, 0), 0);
    for (i = 0; i < MANY; i++) {
        const spc_transform X = random_transform(), back = spc_transform_inverse(X);
        const spc_transform left = spc_transform_mul(back, X), right = spc_transform_mul(X, back);
        const spc_vec3 p = test_random_vec3(1);
        NEAR_QUAT(left.q, identity.q, 16 * TEST_EPSILON);
        NEAR_QUAT(right.q, identity.q, 16 * TEST_EPSILON);
        NEAR_VEC3(left.p, identity.p, tolerance);
        NEAR_VEC3(right.p, identity.p, tolerance);
        NEAR_VEC3(spc_transform_point(back, spc_transform_point(X, p)), p, tolerance);
        NEAR_VEC3(spc_transform_point(X, vec(0, 0, 0)), X.p, 0);
        NEAR_VEC3(spc_transform_point(spc_transform_mul(X, identity), p), spc_transform_point(X, p),
                  0);
    }
}

/* -------------------------------------------------------------------------- inertias -------- */

static spc_inertia random_symmetric(void)
{
    const spc_vec3 d = test_random_vec3(1), o = test_random_vec3(1);
    spc_inertia I;
    I.xx = d.x;
    I.yy = d.y;
    I.zz = d.z;
    I.xy = o.x;
    I.xz = o.y;
    I.yz = o.z;
    return I;
}

static void inertias_multiply_and_rotate_like_matrices(void)
{
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_inertia I = random_symmetric();
        const spc_quat q = test_random_quat();
        const spc_vec3 v = test_random_vec3(1);
        const matrix R = matrix_of(q), M = matrix_of_inertia(I);
        const spc_inertia turned = spc_inertia_rotate(spc_mat3_from_quat(q), I);
        /* five roundings of numbers below 3 */
        NEAR_VEC3(spc_inertia_mul(I, v), times(M, v), 8 * TEST_EPSILON);
        /* the matrix's own roundings (4), then two products of 3 terms; |I| < 3 */
        NEAR_INERTIA(turned, product(product(R, M), transposed(R)), 3 * 16 * TEST_EPSILON);
        CHECK_NEAR(turned.xx + turned.yy + turned.zz, I.xx + I.yy + I.zz, 3 * 24 * TEST_EPSILON);
        NEAR_VEC3(spc_inertia_mul(turned, spc_rotate(q, v)), spc_rotate(q, spc_inertia_mul(I, v)),
                  3 * 48 * TEST_EPSILON);
    }
}

static void turning_the_long_side_to_x_swaps_the_moments(void)
{
    const double h = sqrt(0.5);
    spc_inertia I, turned;
    I.xx = 1, I.yy = 2, I.zz = 4;
    I.xy = I.xz = I.yz = 0;
    turned = spc_inertia_rotate(spc_mat3_from_quat(spc_quat_make(real(h), 0, 0, real(h))), I);
    CHECK_NEAR(turned.xx, 2, 16 * TEST_EPSILON);
    CHECK_NEAR(turned.yy, 1, 16 * TEST_EPSILON);
    CHECK_NEAR(turned.zz, 4, 16 * TEST_EPSILON);
}

/* Matrix entries of sum m (p.p 1 - p p^T) over points. */
static matrix inertia_of_points(const spc_vec3 *points, const double *masses, int count,
                                spc_vec3 about)
{
    matrix M;
    int n, i, j;
    memset(&M, 0, sizeof M);
    for (n = 0; n < count; n++) {
        double p[3], square;
        p[0] = (double)points[n].x - (double)about.x;
        p[1] = (double)points[n].y - (double)about.y;
        p[2] = (double)points[n].z - (double)about.z;
        square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
        for (i = 0; i < 3; i++)
            for (j = 0; j < 3; j++)
                M.at[i][j] += masses[n] * ((i == j ? square : 0) - p[i] * p[j]);
    }
    return M;
}

static spc_inertia inertia_of_matrix(matrix M)
{
    spc_inertia I;
    I.xx = real(M.at[0][0]);
    I.yy = real(M.at[1][1]);
    I.zz = real(M.at[2][2]);
    I.xy = real(M.at[0][1]);
    I.xz = real(M.at[0][2]);
    I.yz = real(M.at[1][2]);
    return I;
}

static void parallel_axes_agree_with_sums_over_points(void)
{
    /* entries up to 8 points x mass 1 x distance^2 12: some ten roundings of such sums */
    const double tolerance = 8 * 12 * 8 * TEST_EPSILON;
    int i, n;
    for (i = 0; i < MANY / 4; i++) {
        spc_vec3 points[8], about = test_random_vec3(1), arm;
        double masses[8], mass = 0, centre[3] = { 0, 0, 0 };
        spc_inertia I;
        spc_vec3 Bc;
        for (n = 0; n < 8; n++) {
            points[n] = test_random_vec3(1);
            masses[n] = test_random(0.1, 1);
            mass += masses[n];
            centre[0] += masses[n] * (double)points[n].x;
            centre[1] += masses[n] * (double)points[n].y;
            centre[2] += masses[n] * (double)points[n].z;
        }
        Bc = vec(centre[0] / mass, centre[1] / mass, centre[2] / mass);
        arm = spc_sub(Bc, about);
        I = spc_inertia_shift(inertia_of_matrix(inertia_of_points(points, masses, 8, Bc)),
                              real(mass), arm);
        NEAR_INERTIA(I, inertia_of_points(points, masses, 8, about), tolerance);
        I = spc_inertia_shift(I, real(-mass), arm);
        NEAR_INERTIA(I, inertia_of_points(points, masses, 8, Bc), 2 * tolerance);
    }
}

static void a_shift_adds_a_point_of_the_whole_mass(void)
{
    spc_inertia I;
    I.xx = 10, I.yy = 20, I.zz = 25;
    I.xy = 1, I.xz = 2, I.yz = 3;
    I = spc_inertia_shift(I, 2, vec(1, 2, 3));
    CHECK_NEAR(I.xx, 10 + 2 * 13, 0); /* small integers: exact */
    CHECK_NEAR(I.yy, 20 + 2 * 10, 0);
    CHECK_NEAR(I.zz, 25 + 2 * 5, 0);
    CHECK_NEAR(I.xy, 1 - 2 * 2, 0);
    CHECK_NEAR(I.xz, 2 - 2 * 3, 0);
    CHECK_NEAR(I.yz, 3 - 2 * 6, 0);
}

/* The suite is compiled without options that fuse or regroup. */
static void arithmetic_is_that_of_ieee_754(void)
{
    CHECK(spc_arithmetic_is_ieee());
}

/* Each other mode of rounding moves 1 + e/4 or 1 - e/8. Only where the processor has the mode:
   soft floats do not have it. */
static void arithmetic_in_other_modes_of_rounding_is_not(void)
{
    static const int modes[] = {
#ifdef FE_UPWARD
        FE_UPWARD,
#endif
#ifdef FE_DOWNWARD
        FE_DOWNWARD,
#endif
#ifdef FE_TOWARDZERO
        FE_TOWARDZERO,
#endif
#ifdef FE_TONEAREST
        FE_TONEAREST
#else
        0
#endif
    };
    const int count = (int)(sizeof modes / sizeof *modes);
    int i;
    for (i = 0; i < count - 1; i++)
        if (fesetround(modes[i]) == 0) {
            const bool ieee = spc_arithmetic_is_ieee();
            CHECK(fesetround(modes[count - 1]) == 0);
            CHECK(!ieee);
        }
    CHECK(spc_arithmetic_is_ieee());
}

/* Flushing of results (0x8000 in SSE's control register) and of operands (0x40). valgrind computes
   without it: what is seen here counts. */
static void arithmetic_without_denormal_numbers_is_not(void)
{
#if defined(__SSE2__) && defined(__GNUC__)
    static const unsigned flags[] = { 0x8000, 0x40, 0x8040 };
    const unsigned before = _mm_getcsr();
    int i;
    for (i = 0; i < 3; i++) {
        volatile float tiny = 1.17549435e-38f;
        volatile bool flushed; /* else it may be found out after the mode is set back */
        bool ieee;
        _mm_setcsr(before | flags[i]);
        tiny = tiny / 2;
        flushed = !(tiny > 0);
        ieee = spc_arithmetic_is_ieee();
        _mm_setcsr(before);
        CHECK(ieee == !flushed);
    }
#endif
    CHECK(spc_arithmetic_is_ieee());
}

static const test_entry tests[] = {
    TEST(arithmetic_is_that_of_ieee_754),
    TEST(arithmetic_in_other_modes_of_rounding_is_not),
    TEST(arithmetic_without_denormal_numbers_is_not),
    TEST(vectors_add_subtract_and_scale_by_components),
    TEST(the_cross_product_of_the_axes_is_right_handed),
    TEST(dot_and_cross_products_match_their_components),
    TEST(cross_products_obey_their_identities),
    TEST(the_norm_is_the_length_at_any_scale),
    TEST(the_norm_of_what_is_no_vector_is_no_number),
    TEST(normalized_vectors_are_unit_and_keep_their_direction),
    TEST(vectors_of_any_size_are_normalized_to_the_same_bits),
    TEST(vectors_without_a_direction_are_refused),
    TEST(hamiltons_units_multiply_as_he_wrote),
    TEST(the_quaternion_product_is_the_product_of_matrices),
    TEST(rotating_is_multiplying_by_the_matrix),
    TEST(normalized_quaternions_are_unit_at_any_scale),
    TEST(a_quaternion_that_is_unit_keeps_its_bits),
    TEST(a_quaternion_that_is_off_by_a_hundred_roundings_is_corrected),
    TEST(quaternions_without_a_rotation_are_refused),
    TEST(rotation_vectors_give_cosine_and_sine_of_half_the_angle),
    TEST(small_and_special_rotation_vectors_are_exact),
    TEST(half_angles_give_the_same_as_rotation_vectors),
    TEST(half_angles_without_a_rotation_are_refused),
    TEST(the_rotation_between_two_vectors_takes_one_to_the_other),
    TEST(equal_directions_need_no_rotation),
    TEST(opposite_directions_take_a_half_turn),
    TEST(nearly_opposite_directions_are_met_as_well),
    TEST(two_vectors_without_directions_are_refused),
    TEST(integrating_is_turning_by_the_rotation_vector),
    TEST(angular_velocity_is_along_the_axes_of_the_parent),
    TEST(a_million_turns_leave_the_quaternion_unit),
    TEST(however_far_it_turns_the_quaternion_stays_unit),
    TEST(a_full_turn_comes_back),
    TEST(the_matrix_of_a_quaternion_is_a_rotation),
    TEST(matrices_multiply_vectors_by_columns),
    TEST(quaternions_come_back_from_their_matrices),
    TEST(each_of_the_four_largest_entries_comes_back),
    TEST(half_turns_and_ties_come_back),
    TEST(transforms_compose_like_rotation_and_shift),
    TEST(a_transform_and_its_inverse_cancel),
    TEST(inertias_multiply_and_rotate_like_matrices),
    TEST(turning_the_long_side_to_x_swaps_the_moments),
    TEST(parallel_axes_agree_with_sums_over_points),
    TEST(a_shift_adds_a_point_of_the_whole_mass)
};

TEST_MAIN
