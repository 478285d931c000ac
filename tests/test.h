/* Checks for the test programs: a failed one prints what it saw, where, and the run goes on. Each
   test is a function with a sentence for a name; a program runs all, or those whose name contains
   an argument. */
#ifndef SPC_TEST_H
#define SPC_TEST_H

#include "../spherecontact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What takes over a second runs at full length with TEST_LONG alone. */
#ifdef TEST_LONG
#define LONG_OR_SHORT(a, b) (a)
#else
#define LONG_OR_SHORT(a, b) (b)
#endif

static int test_failures, test_checks;
static const char *test_now = "";

static void test_report(const char *file, int line, const char *what)
{
    printf("%s:%d: %s: %s\n", file, line, test_now, what);
    test_failures++;
}

/* A condition that must hold. */
#define CHECK(condition)                                 \
    do {                                                 \
        test_checks++;                                   \
        if (!(condition))                                \
            test_report(__FILE__, __LINE__, #condition); \
    } while (0)

/* A number that should be at most a bar and is known to miss it: it fails only above `most`, and is
   named in the program's last line as long as it is above the bar. */
#define CHECK_OPEN(got, bar, most) \
    test_open(__FILE__, __LINE__, #got, (double)(got), (double)(bar), (double)(most))

/* Two numbers that must agree to an absolute tolerance; NaN never does. */
#define CHECK_NEAR(got, want, tolerance) \
    test_near(__FILE__, __LINE__, #got, (double)(got), (double)(want), (double)(tolerance))

/* A call that must return a status. */
#define CHECK_STATUS(call, wanted) test_status(__FILE__, __LINE__, #call, (call), (wanted))

/* Bars that are missed, one for each test: by which number, the worst. */
#define TEST_MOST_OPEN 8
static struct {
    const char *test;
    double got, bar;
} test_opens[TEST_MOST_OPEN];
static int test_open_count;

static inline void test_open(const char *file, int line, const char *what, double got, double bar,
                             double most)
{
    char text[400];
    int i = 0;
    test_checks++;
    if (!(got <= most)) {
        snprintf(text, sizeof text, "%.200s = %.6g, allowed %.3g", what, got, most);
        test_report(file, line, text);
    }
    if (got <= bar)
        return;
    while (i < test_open_count && test_opens[i].test != test_now)
        i++;
    if (i == TEST_MOST_OPEN || (i < test_open_count && test_opens[i].got >= got))
        return;
    test_open_count += i == test_open_count;
    test_opens[i].test = test_now;
    test_opens[i].got = got;
    test_opens[i].bar = bar;
}

static inline void test_near(const char *file, int line, const char *what, double got, double want,
                             double tolerance)
{
    char text[400];
    test_checks++;
    if (fabs(got - want) <= tolerance)
        return;
    snprintf(text, sizeof text, "%.200s = %.17g, not %.17g: off by %.3g, allowed %.3g", what, got,
             want, fabs(got - want), tolerance);
    test_report(file, line, text);
}

static inline void test_status(const char *file, int line, const char *what, spc_status got,
                               spc_status want)
{
    char text[400];
    test_checks++;
    if (got == want)
        return;
    snprintf(text, sizeof text, "%.200s gave `%.60s`, not `%.60s`", what, spc_status_text(got),
             spc_status_text(want));
    test_report(file, line, text);
}

/* Rounding unit of spc_real: tolerances are multiples of it. Its largest and smallest numbers, and
   a number for each precision: steps and tolerances. */
#ifdef SPC_USE_FLOAT
#define TEST_EPSILON 1.1920929e-07
#define LARGEST 3.4028234663852886e+38
#define SMALLEST 1.401298464324817e-45
#define IN_DOUBLE_OR_FLOAT(in_double, in_float) (in_float)
#else
#define TEST_EPSILON 2.2204460492503131e-16
#define LARGEST 1.7976931348623157e+308
#define SMALLEST 4.9406564584124654e-324
#define IN_DOUBLE_OR_FLOAT(in_double, in_float) (in_double)
#endif

#define PI 3.14159265358979323846
#define GRAVITY 9.81 /* [m/s^2] */

static const spc_vec3 zero = { 0, 0, 0 };
static const spc_body ground = { 0, 0 };

static inline spc_real real(double x)
{
    return (spc_real)x;
}

static inline spc_vec3 vec(double x, double y, double z)
{
    return spc_vec3_make(real(x), real(y), real(z));
}

/* In double whatever the library computes in. */
static inline double dot(spc_vec3 a, spc_vec3 b)
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

static inline double length(spc_vec3 v)
{
    return sqrt(dot(v, v));
}

static inline double distance(spc_vec3 a, spc_vec3 b)
{
    return length(spc_sub(a, b));
}

/* What no number may be: i is 0, 1, 2. */
static inline double bad_number(int i)
{
    return i == 0 ? (double)NAN : i == 1 ? (double)INFINITY : -(double)INFINITY;
}

/* What outputs hold before a call that must leave them alone. */
#define PATTERN 0xA5

static inline bool untouched(const void *bytes, size_t count)
{
    const unsigned char *b = (const unsigned char *)bytes;
    size_t i;
    for (i = 0; i < count; i++)
        if (b[i] != PATTERN)
            return false;
    return true;
}

static inline bool is_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* Bits of two values of one type. */
#define SAME_BITS(a, b) is_bits(&(a), &(b), sizeof(a))

/* The worst of what was seen; NaN is worse than any number. */
static inline void note(double *worst, double deviation)
{
    if (!(fabs(deviation) <= *worst || isnan(*worst)))
        *worst = fabs(deviation);
}

/* What README quotes, and whoever changes the solver looks at. */
static inline void print_seen(const char *what, double worst)
{
    printf("seen: %s %.2g\n", what, worst);
}

/* Random numbers of a fixed seed, the same on every machine: a 64-bit linear congruence. */
static unsigned long long test_seed = 1;

static inline double test_random(double low, double high)
{
    test_seed = test_seed * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * ((double)(test_seed >> 11) / 9007199254740992.0);
}

static inline spc_vec3 test_random_vec3(double size)
{
    const double x = test_random(-size, size), y = test_random(-size, size);
    return spc_vec3_make((spc_real)x, (spc_real)y, (spc_real)test_random(-size, size));
}

static inline spc_quat test_random_quat(void)
{
    spc_quat q;
    do {
        const spc_vec3 v = test_random_vec3(1);
        q = spc_quat_make((spc_real)test_random(-1, 1), v.x, v.y, v.z);
    } while (q.w * q.w + spc_dot(spc_vec3_make(q.x, q.y, q.z), spc_vec3_make(q.x, q.y, q.z)) <
                 SPC_R(0.01) ||
             spc_quat_normalize(q, &q));
    return q;
}

static inline spc_vec3 random_unit(void)
{
    return spc_rotate(test_random_quat(), vec(0, 0, 1));
}

/* Draws stand in statements of their own: the order of arguments is the compiler's. */
static inline spc_transform test_random_transform(double size)
{
    const spc_quat q = test_random_quat();
    return spc_transform_make(q, test_random_vec3(size));
}

static inline spc_spatial test_random_spatial(double angular, double linear)
{
    const spc_vec3 w = test_random_vec3(angular);
    return spc_spatial_make(w, test_random_vec3(linear));
}

static inline spc_state test_random_state(void)
{
    spc_state s;
    s.X_GB = test_random_transform(1);
    s.V_GB = test_random_spatial(3, 2);
    return s;
}

/* A mass whose inertia a body can have: that of a box in turned axes. */
static inline spc_mass test_random_mass(void)
{
    const double mass = test_random(0.5, 3), x = test_random(0.1, 0.5), y = test_random(0.1, 0.5);
    const double z = test_random(0.1, 0.5);
    spc_mass m = spc_mass_box((spc_real)mass, spc_vec3_make((spc_real)x, (spc_real)y, (spc_real)z));
    m.inertia = spc_inertia_rotate(spc_mat3_from_quat(test_random_quat()), m.inertia);
    m.p_BBc = test_random_vec3(0.2);
    return m;
}

/* An empty world on the heap; free() it. */
static inline spc_world *test_world(const spc_world_desc *desc)
{
    const size_t size = spc_world_size(desc);
    spc_world *world = NULL;
    CHECK_STATUS(spc_world_create(malloc(size), size, desc, &world), SPC_OK);
    return world;
}

typedef struct test_entry {
    const char *name;
    void (*run)(void);
} test_entry;

#define TEST(name)  \
    {               \
#name, name \
    }

/* Runs the tests of a table. */
static int test_run(const test_entry *tests, size_t count, int argc, char **argv)
{
    int ran = 0;
    size_t i;
    for (i = 0; i < count; i++) {
        if (argc > 1 && !strstr(tests[i].name, argv[1]))
            continue;
        test_now = tests[i].name;
        test_seed = 1;
        tests[i].run();
        ran++;
    }
    printf("%s: %d tests, %d checks, %d failed", argv[0], ran, test_checks, test_failures);
    for (i = 0; i < (size_t)test_open_count; i++)
        printf("%s %s %.3g for %.3g", i ? "," : "; known to miss its bar:", test_opens[i].test,
               test_opens[i].got, test_opens[i].bar);
    printf("\n");
    return test_failures > 0 || ran == 0 || test_checks == 0;
}

/* The program: runs the table `tests`, which stands above. */
#define TEST_MAIN                                                         \
    int main(int argc, char **argv)                                       \
    {                                                                     \
        return test_run(tests, sizeof tests / sizeof *tests, argc, argv); \
    }

#endif
