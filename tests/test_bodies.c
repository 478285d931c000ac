/* Section [3]: mass properties of uniform bodies against closed forms and against integrals over
   their volume, and what spc_mass_check takes and refuses. */
#include "test.h"

#define MANY 1000

#ifdef SPC_USE_FLOAT
#define SMALLEST_NORMAL 1.1754943508222875e-38
#else
#define SMALLEST_NORMAL 2.2250738585072014e-308
#endif

static spc_mass mass_of(double mass, double xx, double yy, double zz)
{
    spc_mass m;
    m.mass = real(mass);
    m.p_BBc = spc_vec3_make(0, 0, 0);
    m.inertia.xx = real(xx);
    m.inertia.yy = real(yy);
    m.inertia.zz = real(zz);
    m.inertia.xy = m.inertia.xz = m.inertia.yz = 0;
    return m;
}

static spc_mass turned(spc_mass m, spc_quat q)
{
    m.inertia = spc_inertia_rotate(spc_mat3_from_quat(q), m.inertia);
    return m;
}

/* ------------------------------------------------------------------- mass properties -------- */

/* A point of a body and its share of the volume, from three parameters in 0..1. */
typedef void (*body_map)(const double *size, const double *u, double *p, double *share);

static const double two_pi = 6.283185307179586;

static void map_sphere(const double *size, const double *u, double *p, double *share)
{
    const double r = size[0] * u[0], c = 2 * u[1] - 1, s = sqrt(1 - c * c);
    p[0] = r * s * cos(two_pi * u[2]);
    p[1] = r * s * sin(two_pi * u[2]);
    p[2] = r * c;
    *share = r * r;
}

static void map_shell(const double *size, const double *u, double *p, double *share)
{
    const double c = 2 * u[1] - 1, s = sqrt(1 - c * c);
    p[0] = size[0] * s * cos(two_pi * u[2]);
    p[1] = size[0] * s * sin(two_pi * u[2]);
    p[2] = size[0] * c;
    *share = 1;
}

/* Radius and half length; a disc for no length. */
static void map_cylinder(const double *size, const double *u, double *p, double *share)
{
    const double r = size[0] * u[0];
    p[0] = r * cos(two_pi * u[2]);
    p[1] = r * sin(two_pi * u[2]);
    p[2] = size[1] * (2 * u[1] - 1);
    *share = r;
}

static void map_ring(const double *size, const double *u, double *p, double *share)
{
    p[0] = size[0] * cos(two_pi * u[2]);
    p[1] = size[0] * sin(two_pi * u[2]);
    p[2] = 0;
    *share = 1;
}

static void map_box(const double *size, const double *u, double *p, double *share)
{
    int i;
    for (i = 0; i < 3; i++)
        p[i] = size[i] * (2 * u[i] - 1);
    *share = 1;
}

/* Inertia about the origin of mass 1 by quadrature. Gauss's rule with five points is exact for
   polynomials up to degree 9, and the integrands are of degree 4 in radius, height and sides; five
   points do for the angle's second harmonics too, if they are equally spaced. */
static void integrate(body_map map, const double *size, bool round, double *xx, double *yy,
                      double *zz)
{
    static const double at[5] = { 0.046910077030668, 0.23076534494715845, 0.5, 0.76923465505284155,
                                  0.953089922969332 };
    static const double weight[5] = { 0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                      0.23931433524968324, 0.11846344252809454 };
    double whole = 0, p[3], u[3], share;
    int i, j, k;
    *xx = *yy = *zz = 0;
    for (i = 0; i < 5; i++)
        for (j = 0; j < 5; j++)
            for (k = 0; k < 5; k++) {
                u[0] = at[i];
                u[1] = at[j];
                u[2] = round ? 0.2 * k : at[k];
                map(size, u, p, &share);
                share *= weight[i] * weight[j] * (round ? 0.2 : weight[k]);
                whole += share;
                *xx += share * (p[1] * p[1] + p[2] * p[2]);
                *yy += share * (p[0] * p[0] + p[2] * p[2]);
                *zz += share * (p[0] * p[0] + p[1] * p[1]);
            }
    *xx /= whole;
    *yy /= whole;
    *zz /= whole;
}

/* Mass, centre, inertia with zero products, and that a body can have them. */
static void check_mass(int line, spc_mass got, double m, double xx, double yy, double zz)
{
    /* few roundings of each moment: three products and a sum or two */
    const double tolerance = 8 * TEST_EPSILON * (xx + yy + zz);
    test_near(__FILE__, line, "mass", (double)got.mass, m, 0);
    test_near(__FILE__, line, "centre", (double)spc_norm(got.p_BBc), 0, 0);
    test_near(__FILE__, line, "xx", (double)got.inertia.xx, xx, tolerance);
    test_near(__FILE__, line, "yy", (double)got.inertia.yy, yy, tolerance);
    test_near(__FILE__, line, "zz", (double)got.inertia.zz, zz, tolerance);
    test_near(__FILE__, line, "xy", (double)got.inertia.xy, 0, 0);
    test_near(__FILE__, line, "xz", (double)got.inertia.xz, 0, 0);
    test_near(__FILE__, line, "yz", (double)got.inertia.yz, 0, 0);
    test_status(__FILE__, line, "spc_mass_check", spc_mass_check(&got), SPC_OK);
}

static void check_integral(int line, spc_mass got, body_map map, const double *size, bool round)
{
    double xx, yy, zz;
    const double m = (double)got.mass;
    integrate(map, size, round, &xx, &yy, &zz);
    check_mass(line, got, m, m * xx, m * yy, m * zz);
}

static void uniform_bodies_have_the_moments_of_the_tables(void)
{
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_real m = real(test_random(0.1, 10)), r = real(test_random(0.01, 2)),
                       l = real(test_random(0.01, 2));
        const spc_vec3 half = spc_vec3_make(r, l, real(test_random(0.01, 2)));
        const double M = (double)m, rr = (double)r * (double)r, ll = (double)l * (double)l;
        const double hh = (double)half.z * (double)half.z;
        check_mass(__LINE__, spc_mass_solid_sphere(m, r), M, 0.4 * M * rr, 0.4 * M * rr,
                   0.4 * M * rr);
        check_mass(__LINE__, spc_mass_hollow_sphere(m, r), M, 2 * M * rr / 3, 2 * M * rr / 3,
                   2 * M * rr / 3);
        check_mass(__LINE__, spc_mass_disc(m, r), M, M * rr / 4, M * rr / 4, M * rr / 2);
        check_mass(__LINE__, spc_mass_ring(m, r), M, M * rr / 2, M * rr / 2, M * rr);
        check_mass(__LINE__, spc_mass_box(m, half), M, M * (ll + hh) / 3, M * (rr + hh) / 3,
                   M * (rr + ll) / 3);
        /* whole length L = 2 l: m (3 r^2 + L^2) / 12 */
        check_mass(__LINE__, spc_mass_cylinder(m, r, l), M, M * (3 * rr + 4 * ll) / 12,
                   M * (3 * rr + 4 * ll) / 12, M * rr / 2);
    }
}

static void uniform_bodies_have_the_moments_of_their_volume(void)
{
    int i;
    for (i = 0; i < 50; i++) {
        const spc_real m = real(test_random(0.1, 10)), a = real(test_random(0.1, 2)),
                       b = real(test_random(0.1, 2));
        const spc_real c = real(test_random(0.1, 2));
        double size[3];
        size[0] = (double)a;
        size[1] = (double)b;
        size[2] = (double)c;
        check_integral(__LINE__, spc_mass_solid_sphere(m, a), map_sphere, size, true);
        check_integral(__LINE__, spc_mass_hollow_sphere(m, a), map_shell, size, true);
        check_integral(__LINE__, spc_mass_ring(m, a), map_ring, size, true);
        check_integral(__LINE__, spc_mass_cylinder(m, a, b), map_cylinder, size, true);
        check_integral(__LINE__, spc_mass_box(m, spc_vec3_make(a, b, c)), map_box, size, false);
        size[1] = 0;
        check_integral(__LINE__, spc_mass_disc(m, a), map_cylinder, size, true);
    }
}

static void bodies_of_one_kind_become_others_at_their_limits(void)
{
    const spc_mass flat = spc_mass_cylinder(2, 3, 0), disc = spc_mass_disc(2, 3);
    spc_mass rod = spc_mass_box(3, spc_vec3_make(0, 0, 2));
    CHECK(memcmp(&flat, &disc, sizeof flat) == 0);
    check_mass(__LINE__, spc_mass_box(3, spc_vec3_make(1, 2, 0)), 3, 4, 1,
               5); /* a plate is a body */
    CHECK_NEAR(rod.inertia.xx, 4, 4 * TEST_EPSILON * 4);
    CHECK_NEAR(rod.inertia.zz, 0, 0);
    CHECK_STATUS(spc_mass_check(&rod), SPC_ERROR_BAD_INERTIA); /* a line is none */
}

static void sizes_that_are_no_sizes_are_refused(void)
{
    const double zero_or_less[2] = { 0, -0.1 };
    const double bad[2] = { (double)NAN, (double)INFINITY };
    int i;
    for (i = 0; i < 2; i++) {
        const spc_real r = real(zero_or_less[i]);
        const spc_mass solid = spc_mass_solid_sphere(1, r), hollow = spc_mass_hollow_sphere(1, r);
        const spc_mass disc = spc_mass_disc(1, r), ring = spc_mass_ring(1, r),
                       line = spc_mass_cylinder(1, r, 1);
        CHECK_STATUS(spc_mass_check(&solid), SPC_ERROR_BAD_INERTIA);
        CHECK_STATUS(spc_mass_check(&hollow), SPC_ERROR_BAD_INERTIA);
        CHECK_STATUS(spc_mass_check(&disc), SPC_ERROR_BAD_INERTIA);
        CHECK_STATUS(spc_mass_check(&ring), SPC_ERROR_BAD_INERTIA);
        CHECK_STATUS(spc_mass_check(&line), SPC_ERROR_BAD_INERTIA);
    }
    for (i = 0; i < 2; i++) {
        const spc_real r = real(bad[i]);
        const spc_mass solid = spc_mass_solid_sphere(1, r), hollow = spc_mass_hollow_sphere(1, r);
        const spc_mass disc = spc_mass_disc(1, r), ring = spc_mass_ring(1, r),
                       rod = spc_mass_cylinder(1, 1, r);
        const spc_mass box = spc_mass_box(1, spc_vec3_make(1, 1, r));
        CHECK_STATUS(spc_mass_check(&solid), SPC_ERROR_NOT_FINITE);
        CHECK_STATUS(spc_mass_check(&hollow), SPC_ERROR_NOT_FINITE);
        CHECK_STATUS(spc_mass_check(&disc), SPC_ERROR_NOT_FINITE);
        CHECK_STATUS(spc_mass_check(&ring), SPC_ERROR_NOT_FINITE);
        CHECK_STATUS(spc_mass_check(&rod), SPC_ERROR_NOT_FINITE);
        CHECK_STATUS(spc_mass_check(&box), SPC_ERROR_NOT_FINITE);
    }
}

static void a_state_starts_at_the_origin_at_rest(void)
{
    const spc_state s = spc_state_identity();
    const spc_spatial V = spc_spatial_make(spc_vec3_make(1, 2, 3), spc_vec3_make(4, 5, 6));
    CHECK_NEAR(s.X_GB.q.w, 1, 0);
    CHECK_NEAR(spc_norm(spc_vec3_make(s.X_GB.q.x, s.X_GB.q.y, s.X_GB.q.z)), 0, 0);
    CHECK_NEAR(spc_norm(s.X_GB.p), 0, 0);
    CHECK_NEAR(spc_norm(s.V_GB.angular), 0, 0);
    CHECK_NEAR(spc_norm(s.V_GB.linear), 0, 0);
    CHECK_NEAR(V.angular.y, 2, 0);
    CHECK_NEAR(V.linear.z, 6, 0);
}

/* ---------------------------------------------------------------------------- checks -------- */

/* The numbers of a mass, to spoil one after the other. */
static spc_real *number_of(spc_mass *m, int i)
{
    spc_real *all[10];
    all[0] = &m->mass;
    all[1] = &m->p_BBc.x;
    all[2] = &m->p_BBc.y;
    all[3] = &m->p_BBc.z;
    all[4] = &m->inertia.xx;
    all[5] = &m->inertia.yy;
    all[6] = &m->inertia.zz;
    all[7] = &m->inertia.xy;
    all[8] = &m->inertia.xz;
    all[9] = &m->inertia.yz;
    return all[i];
}

static void masses_that_are_no_numbers_are_refused(void)
{
    const double bad[3] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    int i, k;
    CHECK_STATUS(spc_mass_check(NULL), SPC_ERROR_NULL);
    for (i = 0; i < 10; i++)
        for (k = 0; k < 3; k++) {
            spc_mass m = mass_of(1, 2, 3, 4);
            CHECK_STATUS(spc_mass_check(&m), SPC_OK);
            *number_of(&m, i) = real(bad[k]);
            CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_NOT_FINITE);
        }
}

static void masses_that_are_not_positive_are_refused(void)
{
    spc_mass m = mass_of(0, 2, 3, 4);
    CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_BAD_MASS);
    m.mass = -1;
    CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_BAD_MASS);
    m.mass = real(SMALLEST); /* its inverse overflows */
    CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_BAD_MASS);
    m.mass = real(SMALLEST_NORMAL);
    CHECK_STATUS(spc_mass_check(&m), SPC_OK);
    m.mass = real(LARGEST);
    CHECK_STATUS(spc_mass_check(&m), SPC_OK);
}

static void inertias_that_are_not_positive_are_refused(void)
{
    int i;
    for (i = 4; i < 7; i++) {
        spc_mass m = mass_of(1, 3, 3, 3);
        *number_of(&m, i) = 0;
        CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_BAD_INERTIA);
        *number_of(&m, i) = -3;
        CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_BAD_INERTIA);
    }
    for (i = 7; i < 10; i++) {
        spc_mass m = mass_of(1, 3, 3, 3);
        *number_of(&m, i) = 3; /* the 2 x 2 minor vanishes */
        CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_BAD_INERTIA);
        *number_of(&m, i) = -4;
        CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_BAD_INERTIA);
        *number_of(&m, i) = real(0.5); /* moments 2.5, 3, 3.5 */
        CHECK_STATUS(spc_mass_check(&m), SPC_OK);
    }
    {
        spc_mass none = mass_of(1, 0, 0, 0), negative = mass_of(1, -2, -3, -4),
                 m = mass_of(1, 3, 3, 3);
        CHECK_STATUS(spc_mass_check(&none), SPC_ERROR_BAD_INERTIA);
        CHECK_STATUS(spc_mass_check(&negative), SPC_ERROR_BAD_INERTIA);
        /* every 2 x 2 minor is positive, the determinant is not: 1 + 2 c with c = -0.6 */
        m.inertia.xy = m.inertia.xz = m.inertia.yz = real(-0.6 * 3);
        CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_BAD_INERTIA);
    }
}

static void inertias_beyond_the_range_of_numbers_are_refused(void)
{
    spc_mass huge = mass_of(1, LARGEST / 2, LARGEST / 2, LARGEST / 2),
             tiny = mass_of(1, SMALLEST, SMALLEST, SMALLEST);
    CHECK_STATUS(spc_mass_check(&huge), SPC_ERROR_BAD_INERTIA);
    CHECK_STATUS(spc_mass_check(&tiny), SPC_ERROR_BAD_INERTIA);
    /* slender and tiny: a moment's inverse overflows though the trace's does not */
    tiny = mass_of(1, 16 * SMALLEST_NORMAL, 16 * SMALLEST_NORMAL, 16 * 2e-4 * SMALLEST_NORMAL);
    CHECK_STATUS(spc_mass_check(&tiny), SPC_ERROR_BAD_INERTIA);
}

static void a_moment_above_the_sum_of_the_others_is_refused(void)
{
    int i, k;
    for (i = 4; i < 7; i++) {
        spc_mass m = mass_of(1, 1, 1, 1);
        *number_of(&m, i) = real(2.02);
        CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_BAD_INERTIA);
        for (k = 0; k < 100; k++) {
            const spc_mass t = turned(m, test_random_quat());
            CHECK_STATUS(spc_mass_check(&t), SPC_ERROR_BAD_INERTIA);
        }
        *number_of(&m, i) = real(1.98);
        CHECK_STATUS(spc_mass_check(&m), SPC_OK);
        for (k = 0; k < 100; k++) {
            const spc_mass t = turned(m, test_random_quat());
            CHECK_STATUS(spc_mass_check(&t), SPC_OK);
        }
    }
}

static void the_verdict_on_a_slender_body_does_not_depend_on_its_axes(void)
{
    /* one moment is 5e-4 of the trace above the sum of the others; in single precision, 5e-3 */
    const spc_mass m = mass_of(1, sizeof(spc_real) == sizeof(double) ? 1.002 : 1.011, 1, 0.001);
    int k;
    CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_BAD_INERTIA);
    for (k = 0; k < 100; k++) {
        const spc_mass t = turned(m, test_random_quat());
        CHECK_STATUS(spc_mass_check(&t), SPC_ERROR_BAD_INERTIA);
    }
}

static void a_thin_disc_stands_on_the_limit_and_is_accepted(void)
{
    int i;
    for (i = 0; i < MANY; i++) {
        const spc_real m = real(test_random(0.01, 100)), r = real(test_random(0.001, 10));
        const spc_mass disc = spc_mass_disc(m, r), ring = spc_mass_ring(m, r);
        const spc_mass disc_turned = turned(disc, test_random_quat()),
                       ring_turned = turned(ring, test_random_quat());
        CHECK_STATUS(spc_mass_check(&disc), SPC_OK);
        CHECK_STATUS(spc_mass_check(&ring), SPC_OK);
        CHECK_STATUS(spc_mass_check(&disc_turned), SPC_OK);
        CHECK_STATUS(spc_mass_check(&ring_turned), SPC_OK);
    }
}

/* As someone would type it from a table. */
static spc_real six_digits(spc_real x)
{
    char text[40];
    snprintf(text, sizeof text, "%.5e", (double)x);
    return real(strtod(text, NULL));
}

static void a_thin_disc_typed_with_six_digits_is_accepted(void)
{
    int i, k;
    for (i = 0; i < MANY; i++) {
        const spc_real mass = real(test_random(0.01, 100));
        spc_mass m = spc_mass_disc(mass, real(test_random(0.001, 10)));
        if (i % 2)
            m = turned(m, test_random_quat());
        for (k = 4; k < 10; k++)
            *number_of(&m, k) = six_digits(*number_of(&m, k));
        CHECK_STATUS(spc_mass_check(&m), SPC_OK);
    }
}

static void whatever_consists_of_points_is_accepted(void)
{
    int i, n;
    for (i = 0; i < MANY; i++) {
        spc_mass m = mass_of(1, 0, 0, 0);
        const bool flat = i % 2 == 1;
        for (n = 0; n < 6; n++) { /* three pairs: the centre stays at the origin */
            const spc_real share = real(test_random(0.5, 1));
            spc_vec3 p = test_random_vec3(1);
            if (flat)
                p.z = 0;
            m.inertia = spc_inertia_shift(m.inertia, share, p);
        }
        if (flat)
            m = turned(m, test_random_quat());
        CHECK_STATUS(spc_mass_check(&m), SPC_OK);
    }
}

static void points_on_a_line_are_no_body(void)
{
    int i;
    for (i = 0; i < 100; i++) {
        spc_mass m = mass_of(1, 0, 0, 0);
        spc_vec3 p = spc_vec3_make(0, 0, 0);
        *(i % 3 == 0 ? &p.x : i % 3 == 1 ? &p.y : &p.z) = real(test_random(0.5, 1));
        m.inertia = spc_inertia_shift(m.inertia, 2, p);
        CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_BAD_INERTIA);
        /* what rounding leaves of the vanishing moment is not taken for one */
        m = turned(m, test_random_quat());
        CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_BAD_INERTIA);
    }
}

static void scales_of_dust_and_of_asteroids_are_accepted(void)
{
    static const double scales[5][2] = {
        { 1e-12, 1e-6 }, { 1e-12, 1 }, { 1, 1 }, { 1e12, 1 }, { 1e12, 1e4 }
    };
    int i;
    for (i = 0; i < 5; i++) {
        const spc_real m = real(scales[i][0]), r = real(scales[i][1]);
        const double M = (double)m, rr = (double)r * (double)r;
        spc_mass bad = spc_mass_solid_sphere(m, r);
        check_mass(__LINE__, spc_mass_solid_sphere(m, r), M, 0.4 * M * rr, 0.4 * M * rr,
                   0.4 * M * rr);
        check_mass(__LINE__, spc_mass_disc(m, r), M, M * rr / 4, M * rr / 4, M * rr / 2);
        check_mass(__LINE__, spc_mass_box(m, spc_vec3_make(r, r, r)), M, 2 * M * rr / 3,
                   2 * M * rr / 3, 2 * M * rr / 3);
        bad.inertia.zz = real(2.1 * (double)bad.inertia.zz); /* the limit is relative */
        CHECK_STATUS(spc_mass_check(&bad), SPC_ERROR_BAD_INERTIA);
    }
}

/* A negative size is refused however small it is beside the others. */
static void one_negative_size_among_good_ones_is_refused(void)
{
    static const double sizes[] = { 0.5, 1e-3, 1e-12, 1e-30 };
    size_t i;
    int k;
    for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const spc_real size = (spc_real)sizes[i];
        spc_mass m = spc_mass_cylinder(1, 1, -size);
        CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_BAD_INERTIA);
        m = spc_mass_cylinder(1, -size, 1);
        CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_BAD_INERTIA);
        for (k = 0; k < 3; k++) {
            const spc_real x = k == 0 ? -size : 1, y = k == 1 ? -size : 1, z = k == 2 ? -size : 1;
            m = spc_mass_box(1, spc_vec3_make(x, y, z));
            CHECK_STATUS(spc_mass_check(&m), SPC_ERROR_BAD_INERTIA);
        }
    }
}

static const test_entry tests[] = { TEST(one_negative_size_among_good_ones_is_refused),
                                    TEST(uniform_bodies_have_the_moments_of_the_tables),
                                    TEST(uniform_bodies_have_the_moments_of_their_volume),
                                    TEST(bodies_of_one_kind_become_others_at_their_limits),
                                    TEST(sizes_that_are_no_sizes_are_refused),
                                    TEST(a_state_starts_at_the_origin_at_rest),
                                    TEST(masses_that_are_no_numbers_are_refused),
                                    TEST(masses_that_are_not_positive_are_refused),
                                    TEST(inertias_that_are_not_positive_are_refused),
                                    TEST(inertias_beyond_the_range_of_numbers_are_refused),
                                    TEST(a_moment_above_the_sum_of_the_others_is_refused),
                                    TEST(the_verdict_on_a_slender_body_does_not_depend_on_its_axes),
                                    TEST(a_thin_disc_stands_on_the_limit_and_is_accepted),
                                    TEST(a_thin_disc_typed_with_six_digits_is_accepted),
                                    TEST(whatever_consists_of_points_is_accepted),
                                    TEST(points_on_a_line_are_no_body),
                                    TEST(scales_of_dust_and_of_asteroids_are_accepted) };

TEST_MAIN
