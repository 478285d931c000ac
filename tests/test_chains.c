/* [6] Chains: a plane one against its equations of motion, long ones with any masses against the
   laws of motion and their rows, a heavy end, energy. */
#include "linkages.h"

/* ------------------------------------------------------------------ a chain in a plane -------- */

/* Mass that hangs below link i. */
static wide planar_below(const planar *p, int i)
{
    wide sum = 0;
    for (i++; i < p->n; i++)
        sum += p->mass[i];
    return sum;
}

static wide planar_coupling(const planar *p, int i, int j)
{
    const int low = i > j ? i : j;
    const wide own = p->mass[low] / (i == j ? 3 : 2);
    return p->length[i] * p->length[j] * (own + planar_below(p, low));
}

/* Solves A x = b by elimination with pivots; b is the column behind A. */
static wide system_of[MOST_LINKS][MOST_LINKS + 1];

static void solve_system(int n)
{
    int i, j, k;
    for (k = 0; k < n; k++) {
        int best = k;
        for (i = k + 1; i < n; i++)
            if (fabsl(system_of[i][k]) > fabsl(system_of[best][k]))
                best = i;
        for (j = k; j <= n; j++) {
            const wide x = system_of[k][j];
            system_of[k][j] = system_of[best][j];
            system_of[best][j] = x;
        }
        for (i = 0; i < n; i++) {
            const wide f = system_of[i][k] / system_of[k][k];
            for (j = k; i != k && j <= n; j++)
                system_of[i][j] -= f * system_of[k][j];
        }
    }
    for (k = 0; k < n; k++)
        system_of[k][n] /= system_of[k][k];
}

/* Lagrange's equations: sum_j c_ij (cos(i - j) angle_j'' + sin(i - j) rate_j^2) = weight. */
static void planar_accelerations(const planar *p, wide *out)
{
    const int n = p->n;
    int i, j;
    for (i = 0; i < n; i++) {
        const wide weight = (p->mass[i] / 2 + planar_below(p, i)) * (wide)GRAVITY;
        system_of[i][n] = -p->length[i] * weight * sinl(p->angle[i]);
        for (j = 0; j < n; j++) {
            const wide c = planar_coupling(p, i, j), between = p->angle[i] - p->angle[j];
            system_of[i][j] = c * cosl(between);
            system_of[i][n] -= c * sinl(between) * p->rate[j] * p->rate[j];
        }
    }
    solve_system(n);
    for (i = 0; i < n; i++)
        out[i] = system_of[i][n];
}

static void planar_rk4(planar *p, double step)
{
    static const int halves[4] = { 1, 1, 2, 0 }, sixths[4] = { 1, 2, 2, 1 };
    const wide h = (wide)step;
    const planar start = *p;
    planar sum = *p;
    wide a[MOST_LINKS];
    int stage, i;
    for (stage = 0; stage < 4; stage++) {
        planar_accelerations(p, a);
        for (i = 0; i < p->n; i++) {
            const wide rate = p->rate[i];
            sum.angle[i] += sixths[stage] * h / 6 * rate;
            sum.rate[i] += sixths[stage] * h / 6 * a[i];
            p->angle[i] = start.angle[i] + halves[stage] * h / 2 * rate;
            p->rate[i] = start.rate[i] + halves[stage] * h / 2 * a[i];
        }
    }
    *p = sum;
}

/* Every link stands and moves as the equations have it. */
static void check_planar(const scene *s, const planar *p, double tolerance)
{
    spc_vec3 top = zero;
    int i;
    for (i = 0; i < p->n; i++) {
        const spc_vec3 link = times((double)p->length[i], planar_along(p, i));
        const spc_state x = state_of(s, i);
        CHECK_NEAR(distance(x.X_GB.p, spc_add(top, times(0.5, link))), 0, tolerance);
        CHECK_NEAR(x.V_GB.angular.y, -p->rate[i], 10 * tolerance); /* some 10 rad/s */
        top = spc_add(top, link);
    }
}

/* The faster mode of two rods has sqrt(7.2 g / l) = 11 rad/s; a second is too short for chaos. */
static void a_double_pendulum_follows_its_equations_of_motion(void)
{
    static const unsigned joints[2] = { SPC_HINGE, SPC_BALL_JOINT };
    const double h = 1e-3;
    const int steps = 500;
    int k, part, i;
    for (k = 0; k < 2; k++) {
        planar p;
        scene s;
        p.n = 0;
        planar_add(&p, 1.5, 0.9, 1.2, 0.5);
        planar_add(&p, 0.8, 1.2, -0.7, -1);
        s = planar_scene(&p, joints[k]);
        for (part = 1; part <= 4; part++) {
            run(&s, h, steps);
            for (i = 0; i < 2 * steps; i++)
                planar_rk4(&p, h / 2);
            check_planar(&s, &p, rk4_error(11, h, part * steps));
        }
        scene_free(&s);
    }
}

/* --------------------------------------------------------- long chains, and their residuals --- */

/* Masses along a chain of n. */
#define RATIO IN_DOUBLE_OR_FLOAT(1e6, 10.0)

static double equal_masses(int i, int n)
{
    (void)i;
    (void)n;
    return 1.5;
}

static double heavy_end(int i, int n)
{
    return i == n - 1 ? RATIO : 1;
}

static double alternating_masses(int i, int n)
{
    (void)n;
    return i % 2 ? RATIO : 1;
}

static double growing_masses(int i, int n)
{
    return pow(RATIO, (double)i / n);
}

static double falling_masses(int i, int n)
{
    return pow(RATIO, 1 - (double)i / n);
}

typedef double (*masses)(int i, int n);

/* Rods of a metre, each hung from the one before: straight down on parallel axes, or in a zigzag on
   axes of any direction. */
static scene long_chain(int n, unsigned locked, bool zigzag, masses mass)
{
    scene s = scene_make(n, n);
    spc_vec3 top = zero;
    int i;
    for (i = 0; i < n; i++) {
        const spc_vec3 aside = test_random_vec3(1), axis = random_unit();
        const spc_vec3 along = zigzag ? unit(spc_add(vec(0, 0, -0.5), aside)) : vec(0, 0, -1);
        const spc_vec3 end = spc_add(top, along);
        const double m = mass(i, n);
        add_rod(&s, top, end, m, m / 50);
        join(&s, i - 1, i, top, zigzag ? axis : vec(0, 1, 0), locked); /* the first on GROUND */
        top = end;
    }
    return s;
}

/* Hanging, or let go, then moving. */
static void check_long_chain(int n, unsigned locked, bool zigzag, masses mass)
{
    scene s = long_chain(n, locked, zigzag, mass);
    forward_dynamics(&s);
    check_kkt(&s);
    set_moving(&s, 1, 1);
    forward_dynamics(&s);
    check_kkt(&s);
    scene_free(&s);
}

#define LONG IN_DOUBLE_OR_FLOAT(100, 15)
#define VERY_LONG IN_DOUBLE_OR_FLOAT(10000, 200)

static void long_chains_of_ball_joints_meet_their_equations(void)
{
    static const masses all[5] = { equal_masses, growing_masses, falling_masses, heavy_end,
                                   alternating_masses };
    int k, zigzag;
    for (zigzag = 0; zigzag < 2; zigzag++)
        for (k = 0; k < 5; k++)
            check_long_chain(LONG, SPC_BALL_JOINT, zigzag, all[k]);
    check_long_chain(VERY_LONG, SPC_BALL_JOINT, false, equal_masses);
    check_long_chain(VERY_LONG, SPC_BALL_JOINT, true, growing_masses);
}

/* A chain of parallel hinges is a beam across them: its compliance there falls as the third power
   of its length and with what hangs on its end, until rows seem to depend on each other. */
static void long_chains_of_hinges_meet_their_equations(void)
{
    static const masses all[4] = { equal_masses, falling_masses, growing_masses, heavy_end };
    int k;
    for (k = 0; k < 4; k++)
        check_long_chain(LONG, SPC_HINGE, true, all[k]);
    for (k = 0; k < IN_DOUBLE_OR_FLOAT(3, 1); k++)
        check_long_chain(LONG, SPC_HINGE, false, all[k]);
    check_long_chain(VERY_LONG, SPC_HINGE, true, equal_masses);
    print_seen("residual of chains of up to 10,000 links", worst_kkt);
}

/* What a decision about rank by sizes alone takes for dependent rows: it may call them
   contradictory, and lets go of a link. */
static void stiff_chains_of_hinges_meet_their_equations(void)
{
    check_long_chain(LONG, SPC_HINGE, false, heavy_end);
    check_long_chain(LONG, SPC_HINGE, false, alternating_masses);
    check_long_chain(LONG, SPC_HINGE, true, alternating_masses);
    check_long_chain(VERY_LONG, SPC_HINGE, false, equal_masses);
}

static double wrecking_ball(int i, int n)
{
    return i == n - 1 ? IN_DOUBLE_OR_FLOAT(1e6, 100) : 1;
}

/* A chain at rest stays at rest; if rows are let go of, its first link falls, and comes off by
   metres. */
static void a_heavy_end_hangs_on_a_chain_of_hinges(void)
{
    const spc_stabilization on = spc_stabilization_default();
    const int n = IN_DOUBLE_OR_FLOAT(10, 5);
    scene s = long_chain(n, SPC_HINGE, false, wrecking_ball);
    int i;
    forward_dynamics(&s);
    for (i = 0; i < n; i++)
        CHECK_NEAR(length(acceleration_of(&s, i).linear), 0, IN_DOUBLE_OR_FLOAT(1e-6, 1e-2));
    for (i = 0; i < n; i++)
        CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.joint[i], &on), SPC_OK);
    for (i = 0; i < 240; i++)
        CHECK_STATUS(spc_step(s.world, SPC_R(1.0 / 240)), SPC_OK);
    CHECK(worst_error(&s) < 0.01);
    scene_free(&s);
}

/* Accelerations against Lagrange's equations of this file; the error of any joint may reach every
   link. */
static void check_planar_accelerations(unsigned locked, masses mass)
{
    const int n = IN_DOUBLE_OR_FLOAT(MOST_LINKS, 15);
    effort e[MOST_LINKS];
    wide wanted[MOST_LINKS];
    double error = 0;
    planar p;
    scene s;
    int i;
    for (p.n = 0; p.n < n;) {
        const double l = test_random(0.5, 1.5), angle = test_random(-1, 1);
        planar_add(&p, mass(p.n, n), l, angle, test_random(-1, 1));
    }
    s = planar_scene(&p, locked);
    forward_dynamics(&s);
    find_efforts(&s, e);
    planar_accelerations(&p, wanted);
    for (i = 0; i < n; i++)
        error += ROUNDED * e[i].angular;
    for (i = 0; i < n; i++)
        CHECK_NEAR(acceleration_of(&s, i).angular.y, -wanted[i], error);
    scene_free(&s);
}

/* Where a long double is no more than a double (as in valgrind, whatever LDBL_EPSILON says), the
   equations of heavy masses on light ones are worse than what they are to check. */
static void a_chain_of_50_links_accelerates_as_lagrange_has_it(void)
{
    static const masses all[5] = { equal_masses, falling_masses, alternating_masses, growing_masses,
                                   heavy_end };
    const volatile wide tiny = LDBL_EPSILON;
    const int count = tiny < (wide)1e-18 && 1 + tiny > 1 ? 5 : 3;
    int k, trial;
    for (trial = 0; trial < 3; trial++) {
        for (k = 0; k < count; k++)
            check_planar_accelerations(SPC_BALL_JOINT, all[k]);
        for (k = 0; k < 2; k++)
            check_planar_accelerations(SPC_HINGE, all[k]);
    }
}

/* -------------------------------------------------------------- straight, in closed form ------ */

/* Thin rods of 0.1 m and 0.1 kg on ball joints, in a line from the origin, at rest. */
#define ROD 0.1

static scene straight_chain(int n, spc_vec3 along)
{
    scene s = scene_make(n, n);
    int i;
    for (i = 0; i < n; i++) {
        add_rod(&s, times(i * ROD, along), times((i + 1) * ROD, along), ROD,
                ROD * ROD * ROD / 1200);
        join(&s, i - 1, i, times(i * ROD, along), vec(0, 0, 1), SPC_BALL_JOINT);
    }
    return s;
}

/* Force of joint i upwards, over the weight of a rod; to two roundings of each weight. */
static void check_lift(const scene *s, int i, double lift)
{
    CHECK_NEAR((double)force_of(s, i).force_G.z / (ROD * GRAVITY), lift,
               2 * s->bodies * TEST_EPSILON * fmax(1, lift));
}

static void chains_that_hang_carry_the_weight_below(void)
{
    int n, i;
    for (n = 1; n <= 1000; n *= 10) {
        scene s = straight_chain(n, vec(0, 0, -1));
        forward_dynamics(&s);
        for (i = 0; i < n; i++)
            check_lift(&s, i, n - i);
        scene_free(&s);
    }
}

/* Let go from the horizontal: examples/pendulum_chain.c has the derivation. */
static void chains_let_go_pull_as_by_hand(void)
{
    static double ratio[1001];
    int n, i;
    for (n = 1; n <= 1000; n *= 10) {
        scene s = straight_chain(n, vec(1, 0, 0));
        double lift = 0, end;
        spc_spatial A;
        forward_dynamics(&s);
        for (i = 1; i < n; i++)
            ratio[i + 1] = 1 / (4 - ratio[i]);
        for (i = 0; i < n; i++) {
            lift = i == 0 ? 1 / (4 - 2 * ratio[n]) : -ratio[n + 1 - i] * lift;
            check_lift(&s, i, lift);
        }
        A = acceleration_of(&s, n - 1);
        end = ((double)A.linear.z - (double)A.angular.y * ROD / 2) / GRAVITY;
        CHECK_NEAR(end, -1 - 2 * lift, 2 * n * TEST_EPSILON + 8 * TEST_EPSILON);
        scene_free(&s);
    }
}

/* ---------------------------------------------------------------- energy, momentum, power ----- */

/* Ten links of a metre let go at an angle swing and whip for ten seconds. */
static void check_swinging_chain(unsigned locked, int steps)
{
    planar p;
    scene s;
    for (p.n = 0; p.n < 10;)
        planar_add(&p, 1, 1, 0.8, 0);
    s = planar_scene(&p, locked);
    CHECK_NEAR(energy_change(&s, 1e-3, steps), 0, IN_DOUBLE_OR_FLOAT(1e-9, 1e-3));
    CHECK_NEAR(worst_error(&s), 0, 2 * PROJECTED); /* ten metres */
    scene_free(&s);
}

static void a_chain_of_10_links_keeps_its_energy(void)
{
    check_swinging_chain(SPC_BALL_JOINT, IN_DOUBLE_OR_FLOAT(10000, 500));
    check_swinging_chain(SPC_HINGE, 500);
}

#ifndef SPC_USE_FLOAT
/* Largest change of energy of 10 rods in 10 s, over their largest kinetic energy, let go 30 degrees
   below the horizontal. */
static double energy_error(int rate)
{
    scene s = straight_chain(10, vec(sqrt(0.75), 0, -0.5));
    const double before = energy_of(&s);
    double change = 0, most = 0;
    int i;
    for (i = 0; i < 10 * rate; i++) {
        CHECK_STATUS(spc_step_rk4(s.world, 1.0 / rate, SPC_DRIFT_PROJECT), SPC_OK);
        note(&change, energy_of(&s) - before);
        note(&most, momenta_of(&s).kinetic);
    }
    scene_free(&s);
    return change / most;
}

/* Runge-Kutta takes (w h)^6 / 72 of a mode's energy in a step. The fastest mode of the chain that
   hangs has w = 84 rad/s, and would lose (w h)^5 w / 72 of its energy in a second. The energy is in
   slower ones, too; but half of h must divide the error by 2^4 at least, the method's order. */
static void half_the_step_leaves_a_sixteenth_of_a_chains_energy_error(void)
{
    const double coarse = energy_error(500), fine = energy_error(1000);
    CHECK_NEAR(fine, 0, 5e-5);
    CHECK(16 * fine < coarse);
}
#endif

static const test_entry tests[] = {
    TEST(chains_that_hang_carry_the_weight_below),
    TEST(chains_let_go_pull_as_by_hand),
#ifndef SPC_USE_FLOAT
    TEST(half_the_step_leaves_a_sixteenth_of_a_chains_energy_error),
#endif
    TEST(a_double_pendulum_follows_its_equations_of_motion),
    TEST(long_chains_of_ball_joints_meet_their_equations),
    TEST(long_chains_of_hinges_meet_their_equations),
    TEST(a_chain_of_50_links_accelerates_as_lagrange_has_it),
    TEST(a_chain_of_10_links_keeps_its_energy),
    TEST(stiff_chains_of_hinges_meet_their_equations),
    TEST(a_heavy_end_hangs_on_a_chain_of_hinges),
};

TEST_MAIN
