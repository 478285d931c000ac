/* What no loop makes redundant: open chains and trees of joints with masses that differ by twelve
   decades, beams, joints far away from their bodies, and scenes in other units. Accelerations are
   held against a recursion over articulated bodies in long double. */
#include "reference.h"

/* Largest ratio of masses: of 1e-6 to 1e6, in single precision of 1e-4 to 1e4. */
#define RATIO IN_DOUBLE_OR_FLOAT(1e6, 1e4)

/* What the accelerations of an open tree may be off by [m/s^2]: in double 1e-12 of gravity, some
   five thousand roundings for a thousand links; in float what a game does not see. */
#define TREE_ERROR IN_DOUBLE_OR_FLOAT(1e-12 * GRAVITY, 1e-3)

/* ------------------------------------------------------------------------------ chains ------- */

typedef enum masses { EQUAL, END, ALTERNATING, GROWING } masses;

static double mass_of_link(masses kind, int i, int n, double ratio)
{
    if (kind == END)
        return i == n - 1 ? ratio : 1;
    if (kind == ALTERNATING)
        return i % 2 ? ratio : 1;
    return kind == GROWING ? pow(ratio, i / (n - 1.0)) : 1;
}

/* Links of 1 m along x from ground, one behind the other, with joints between their ends. */
static scene level_chain(int n, unsigned locked, masses kind, double ratio)
{
    scene s = scene_make(n, n);
    int i;
    CHECK_STATUS(spc_world_set_gravity(s.world, vec(1, 0, -GRAVITY)), SPC_OK);
    for (i = 0; i < n; i++) {
        const double mass = mass_of_link(kind, i, n, ratio);
        add_at(&s, spc_mass_box((spc_real)mass, vec(0.5, 0.02, 0.02)), vec(i, 0, 0));
        join(&s, i - 1, i, vec(i - 0.5, 0, 0), vec(0, 1, 0), locked);
    }
    set_stabilization(&s, false); /* which would ask for the rounding of places times 1/T^2 */
    return s;
}

/* Accelerations of a world against the recursion; gives the largest difference. */
static double error_of_tree(const scene *s, double size)
{
    model m = model_make(s);
    wide *x = (wide *)calloc((size_t)(6 * m.bodies), sizeof *x);
    wide *lambda = (wide *)calloc((size_t)(6 * m.joints + 1), sizeof *lambda);
    double error;
    CHECK_STATUS(spc_world_forward_dynamics(s->world), SPC_OK);
    tree_solve(&m, x, lambda);
    model_to_origins(&m, x);
    error = acceleration_error(s, &m, x, size);
    free(x);
    free(lambda);
    model_free(&m);
    return error;
}

static void check_level_chains(unsigned locked)
{
    int n, kind, e;
    for (n = 10; n <= 1000; n *= 10)
        for (kind = EQUAL; kind <= GROWING; kind++)
            for (e = 0; e < (kind == EQUAL ? 1 : 2); e++) {
                scene s = level_chain(n, locked, (masses)kind, e ? 1 / RATIO : RATIO);
                CHECK_NEAR(error_of_tree(&s, 1), 0, TREE_ERROR);
                CHECK(report_of(&s).redundant_rows == 0);
                CHECK(report_of(&s).contradictory == 0);
                scene_free(&s);
            }
}

static void chains_of_hinges_with_any_masses_move_as_articulated_bodies(void)
{
    check_level_chains(SPC_HINGE);
}

static void chains_of_ball_joints_with_any_masses_move_as_articulated_bodies(void)
{
    check_level_chains(SPC_BALL_JOINT);
}

static void cantilevers_of_welds_with_any_masses_do_not_move(void)
{
    check_level_chains(SPC_WELD);
}

/* The recursion itself: a chain of hinges that stay parallel, in one plane, moves like one of ball
   joints, but for the rounding of their axes, and a cantilever not at all. */
static void the_recursion_knows_what_chains_do(void)
{
    const double axes = 64 * TEST_EPSILON * GRAVITY, exact = 1e4 * (double)WIDE_EPSILON * GRAVITY;
    int kind, i;
    for (kind = EQUAL; kind <= GROWING; kind++) {
        scene s = level_chain(100, SPC_HINGE, (masses)kind, 1e6);
        scene t = level_chain(100, SPC_BALL_JOINT, (masses)kind, 1e6);
        scene u = level_chain(100, SPC_WELD, (masses)kind, 1e6);
        model m = model_make(&s), l = model_make(&t), k = model_make(&u);
        static wide x[600], y[600], z[600], lambda[600];
        tree_solve(&m, x, lambda);
        tree_solve(&l, y, lambda);
        tree_solve(&k, z, lambda);
        for (i = 0; i < 600; i++) {
            CHECK_NEAR(x[i], y[i], axes);
            CHECK_NEAR(z[i], 0, exact);
        }
        model_free(&m);
        model_free(&l);
        model_free(&k);
        scene_free(&s);
        scene_free(&t);
        scene_free(&u);
    }
}

/* -------------------------------------------------------------------------------- trees ------ */

static spc_mass random_box(double ratio)
{
    const double mass = pow(ratio, test_random(-1, 1));
    const double x = test_random(0.1, 0.5), y = test_random(0.1, 0.5);
    return spc_mass_box((spc_real)mass, vec(x, y, test_random(0.1, 0.5)));
}

/* Each body on ground or on one that was there before, by a random joint near both. */
static scene random_tree(int n, double ratio)
{
    static const unsigned joints[] = { SPC_HINGE,      SPC_BALL_JOINT,    SPC_WELD,
                                       SPC_UNIVERSAL,  SPC_POINT_ON_LINE, SPC_SLIDER,
                                       SPC_CYLINDRICAL };
    scene s = scene_make(n, n);
    int i;
    for (i = 0; i < n; i++) {
        const int parent = i == 0 ? GROUND : (int)test_random(i > 10 ? i - 10 : 0, i - 1e-9);
        const spc_vec3 before = state_of(&s, parent).X_GB.p;
        spc_state state = spc_state_identity();
        const spc_mass mass = random_box(ratio);
        spc_vec3 p;
        state.X_GB.q = test_random_quat();
        state.X_GB.p = spc_add(before, test_random_vec3(1));
        add_body(&s, mass, state);
        p = spc_add(spc_scale(SPC_R(0.5), spc_add(before, state.X_GB.p)), test_random_vec3(0.3));
        join(&s, parent, i, p, test_random_vec3(1), joints[(int)test_random(0, 6.999999)]);
    }
    set_stabilization(&s, false);
    return s;
}

/* How far the accelerations of a tree may move by the rounding of its rows alone: the largest
   change under three random roundings. A force that holds a ton rounds by the weight of a
   milligram. */
static double rounding_of_tree(const scene *s)
{
    model m = model_make(s);
    const size_t n = (size_t)(6 * m.bodies);
    wide *x = (wide *)calloc(n, sizeof *x), *y = (wide *)calloc(n, sizeof *y);
    wide *lambda = (wide *)calloc((size_t)(6 * m.joints), sizeof *lambda);
    double most = 0;
    size_t i;
    int k;
    tree_solve(&m, x, lambda);
    for (k = 0; k < 3; k++) {
        model r = model_make(s);
        model_round(&r);
        tree_solve(&r, y, lambda);
        for (i = 0; i < n; i++)
            most = fmax(most, fabs((double)(x[i] - y[i])));
        model_free(&r);
    }
    free(x);
    free(y);
    free(lambda);
    model_free(&m);
    return most;
}

/* Beside the bar 16 times what rounding does to the rows: the solver rounds each number some
   times, the frames of the rows among them. */
static void check_random_trees(int n, double ratio, int count)
{
    int i, wide_open = 0;
    double worst = 0, largest = 0;
    for (i = 0; i < count; i++) {
        scene s = random_tree(n, ratio);
        const double rounding = 16 * rounding_of_tree(&s), error = error_of_tree(&s, 1);
        CHECK_NEAR(error, 0, TREE_ERROR + rounding);
        CHECK(report_of(&s).redundant_rows == 0);
        CHECK(report_of(&s).contradictory == 0);
        worst = fmax(worst, error / (TREE_ERROR + rounding));
        largest = fmax(largest, rounding);
        wide_open += rounding > TREE_ERROR;
        scene_free(&s);
    }
    printf(
        "%d trees of %d bodies, masses 1e%+.0f to 1e%+.0f: error at most %.2g of what is allowed;"
        " in %d rounding counts for more than the bar, at most %.2g m/s^2\n",
        count, n, -log10(ratio), log10(ratio), worst, wide_open, largest);
}

static void random_trees_of_like_masses_move_as_articulated_bodies(void)
{
    check_random_trees(10, 1, 20);
    check_random_trees(100, 1, 4);
}

/* Two neighbours differ by 1e12 at most: a rounding of the heavy one's forces is 1e-4 of the weight
   of the light one. In float 1e4, which makes it 1e-3. */
static void random_trees_of_any_masses_move_as_articulated_bodies(void)
{
    const double ratio = IN_DOUBLE_OR_FLOAT(1e6, 100);
    check_random_trees(10, ratio, LONG_OR_SHORT(1000, 40));
    check_random_trees(100, ratio, LONG_OR_SHORT(100, 6));
    check_random_trees(1000, ratio, LONG_OR_SHORT(10, 1));
}

/* ----------------------------------------------------------------------- hanging chains ------ */

/* The rotation that takes x to y, y to z and z to x: four halves, and a matrix of zeros and ones.
   */
static spc_quat cyclic_axes(void)
{
    return spc_quat_make(SPC_R(0.5), SPC_R(0.5), SPC_R(0.5), SPC_R(0.5));
}

/* Links of 1 m straight down from ground. All numbers of the rows are 0, 1 or arms of 0.5: what
   pulls sideways is an exact zero, and only that keeps light links under a heavy end still, whose
   string of 1e7 N would tremble at 1e5 Hz. */
static scene hung_chain(int n, unsigned locked, masses kind, double ratio)
{
    scene s = scene_make(n, n);
    spc_attachment shape = spc_attachment_default();
    int i;
    shape.locked = locked;
    shape.X_AF.q = shape.X_BM.q = cyclic_axes();
    for (i = 0; i < n; i++) {
        const double mass = mass_of_link(kind, i, n, ratio);
        add_at(&s, spc_mass_box((spc_real)mass, vec(0.03125, 0.03125, 0.5)), vec(0, 0, -i));
        shape.X_AF.p = vec(0, 0, i ? -0.5 : 0.5);
        shape.X_BM.p = vec(0, 0, 0.5);
        add_joint(&s, i - 1, i, &shape);
    }
    return s;
}

/* A wrong acceleration a would give an offset of a T^2 and a speed of a T, T = 0.1 s; a hundred
   times that for what adds up over the links, and the rounding of the lowest height. A step that
   leaves numbers that are no numbers is refused. */
static void check_that_it_hangs(scene *s, int steps)
{
    const double place = TREE_ERROR + 4 * TEST_EPSILON * s->bodies, speed = 10 * TREE_ERROR;
    double moved = 0, turned = 0, moving = 0;
    int i, refused = 0;
    for (i = 0; i < steps; i++)
        refused += spc_step(s->world, SPC_R(1.0 / 240)) != SPC_OK;
    for (i = 0; i < s->bodies; i++) {
        const spc_state state = state_of(s, i);
        const spc_quat q = state.X_GB.q;
        moved = fmax(moved, length(spc_sub(state.X_GB.p, vec(0, 0, -i))));
        turned = fmax(turned, length(spc_vec3_make(q.x, q.y, q.z)));
        moving = fmax(moving, length(state.V_GB.linear));
    }
    CHECK(refused == 0);
    CHECK_NEAR(moved, 0, place);
    CHECK_NEAR(turned, 0, place);
    CHECK_NEAR(moving, 0, speed);
}

static void check_hung_chains(unsigned locked)
{
    static const int steps[3] = { LONG_OR_SHORT(100000, 100), LONG_OR_SHORT(10000, 10),
                                  LONG_OR_SHORT(1000, 1) };
    int n, kind, e, k;
    for (n = 10, k = 0; k < 3; k++, n *= 10)
        for (kind = EQUAL; kind <= GROWING; kind++)
            for (e = 0; e < (kind == EQUAL ? 1 : 2); e++) {
                scene s = hung_chain(n, locked, (masses)kind, e ? 1 / RATIO : RATIO);
                check_that_it_hangs(&s, steps[k]);
                scene_free(&s);
            }
}

static void chains_that_hang_straight_hold_still(void)
{
    check_hung_chains(SPC_HINGE);
    check_hung_chains(SPC_BALL_JOINT);
    check_hung_chains(SPC_WELD);
}

/* -------------------------------------------------------------------------------- beams ------ */

/* n boxes of 1 m and 1 kg, welded to each other and to ground at both ends: six rows too many. */
static scene beam(int n)
{
    scene s = scene_make(n, n + 1);
    int i;
    for (i = 0; i < n; i++) {
        add_at(&s, spc_mass_box(1, vec(0.5, 0.1, 0.1)), vec(i, 0, 0));
        join(&s, i - 1, i, vec(i - 0.5, 0, 0), vec(0, 0, 1), SPC_WELD);
    }
    join(&s, n - 1, GROUND, vec(n - 0.5, 0, 0), vec(0, 0, 1), SPC_WELD);
    return s;
}

/* Both ends carry alike, since the least norm shares what the mirror image shares. */
static void beams_held_at_both_ends_stand(void)
{
    static const int boxes[] = { 2, 10, 40, 100, 320, 1000 };
    const double still = IN_DOUBLE_OR_FLOAT(1e-10, 1e-3), share = IN_DOUBLE_OR_FLOAT(1e-6, 1e-3);
    int k, i;
    for (k = 0; k < (int)(sizeof boxes / sizeof *boxes); k++) {
        const int n = boxes[k];
        const double half = n * GRAVITY / 2;
        scene s = beam(n);
        double most = 0;
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        for (i = 0; i < n; i++)
            most = fmax(most, length(acceleration_of(&s, i).linear) +
                                  length(acceleration_of(&s, i).angular));
        CHECK_NEAR(most, 0, still);
        CHECK_NEAR(load_of(&s, 0), half, share * half);
        CHECK_NEAR(load_of(&s, n), half, share * half);
        CHECK(report_of(&s).redundant_rows == 6);
        CHECK(report_of(&s).contradictory == 0);
        scene_free(&s);
    }
}

/* -------------------------------------------------------------------------------- units ------ */

/* Units of length, mass and time. */
typedef struct units {
    double L, M, T;
} units;

static scene scene_in_units(int bodies, int joints, const units *u)
{
    scene s = scene_make(bodies, joints);
    const double g = u->L / (u->T * u->T);
    CHECK_STATUS(spc_world_set_gravity(s.world, vec(1 * g, 0.5 * g, -GRAVITY * g)), SPC_OK);
    return s;
}

static int add_box_in_units(scene *s, double mass, spc_vec3 half, spc_vec3 p, const units *u)
{
    const spc_real L = (spc_real)u->L;
    spc_state state = spc_state_identity();
    state.X_GB.p = spc_scale(L, p);
    state.V_GB.angular = vec(0, 0, (double)SPC_R(0.3) / u->T);
    return add_body(s, spc_mass_box((spc_real)((double)(spc_real)mass * u->M), spc_scale(L, half)),
                    state);
}

static void join_in_units(scene *s, int a, int b, spc_vec3 p, spc_vec3 axis, unsigned locked,
                          const units *u)
{
    join(s, a, b, spc_scale((spc_real)u->L, p), axis, locked);
}

static scene ball_in_units(const units *u)
{
    scene s = scene_in_units(1, 1, u);
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    const spc_real r = SPC_R(0.1) * (spc_real)u->L;
    add_at(&s, spc_mass_solid_sphere((spc_real)u->M, r), spc_vec3_make(0, 0, r));
    d.ball = s.body[0];
    d.shape.radius = r;
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.joint[s.joints]), SPC_OK);
    s.joints++;
    return s;
}

static scene door_in_units(const units *u)
{
    scene s = scene_in_units(1, 3, u);
    int i;
    add_box_in_units(&s, 10, vec(0.5, 0.02, 1), vec(0.5, 0, 1), u);
    for (i = 0; i < 3; i++)
        join_in_units(&s, GROUND, 0, vec(0, 0, 0.2 + 0.8 * i), vec(0, 0, 1), SPC_HINGE, u);
    return s;
}

static scene wagon_in_units(const units *u)
{
    scene s = scene_in_units(5, 8, u);
    const spc_real L = (spc_real)u->L;
    int i;
    add_box_in_units(&s, 10, vec(0.5, 0.3, 0.1), vec(0, 0, 0.4), u);
    CHECK_STATUS(spc_body_set_velocity(s.world, s.body[0],
                                       spc_spatial_make(vec(0, 0, 0), vec(u->L / u->T, 0, 0))),
                 SPC_OK);
    for (i = 0; i < 4; i++) {
        const spc_vec3 p = vec(i & 1 ? 0.4 : -0.4, i & 2 ? 0.4 : -0.4, 0.3);
        spc_state state = spc_state_identity();
        state.X_GB.p = spc_scale(L, p);
        state.X_GB.q = spc_quat_from_rotation_vector(vec(1.5707963267948966, 0, 0));
        add_body(&s, spc_mass_disc((spc_real)u->M, SPC_R(0.3) * L), state);
        join_in_units(&s, 0, i + 1, p, vec(0, 1, 0), SPC_HINGE, u);
        add_tread(&s, i + 1, (double)(SPC_R(0.3) * L));
    }
    CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
    return s;
}

/* A chain from ground of n boxes; held at its end, too, by a joint of the same kind where asked. */
static scene row_in_units(int n, unsigned locked, spc_vec3 even, spc_vec3 odd, const units *u)
{
    scene s = scene_in_units(n, n + 1, u);
    int i;
    for (i = 0; i < n; i++) {
        add_box_in_units(&s, 1 + i, vec(0.1, 0.05, 0.04), vec(0.2 * i + 0.1, 0, 0), u);
        join_in_units(&s, i - 1, i, vec(0.2 * i, 0, 0), i % 2 ? odd : even, locked, u);
    }
    return s;
}

#define SCENES_IN_UNITS 6

static scene scene_number(int k, const units *u)
{
    const spc_vec3 x = vec(1, 0, 0), y = vec(0, 1, 0);
    scene s;
    if (k == 0)
        return ball_in_units(u);
    if (k == 1)
        return door_in_units(u);
    if (k == 2)
        return wagon_in_units(u);
    if (k == 3)
        return row_in_units(6, SPC_HINGE, x, y, u);
    s = k == 4 ? row_in_units(6, SPC_WELD, x, x, u) : row_in_units(3, SPC_HINGE, y, y, u);
    if (k == 4)
        join_in_units(&s, 5, GROUND, vec(1.2, 0, 0), x, SPC_WELD, u);
    else
        join_in_units(&s, 2, GROUND, vec(0.6, 0, 0.05), y, SPC_HINGE, u);
    return s;
}

/* All bodies' accelerations, and poses and velocities after 100 steps of 5 ms, in metres, seconds;
   19 numbers for each. */
static void results_in_units(int k, const units *u, double *out, int *worst)
{
    const double speed = u->L / u->T;
    spc_stabilization on = spc_stabilization_default();
    scene s = scene_number(k, u);
    int i;
    on.time_constant *= (spc_real)u->T;
    for (i = 0; i < s.joints; i++)
        CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.joint[i], &on), SPC_OK);
    *worst = spc_world_forward_dynamics(s.world);
    for (i = 0; i < s.bodies; i++) {
        const spc_spatial A = acceleration_of(&s, i);
        double *a = out + 19 * i;
        a[0] = (double)A.angular.x * u->T * u->T;
        a[1] = (double)A.angular.y * u->T * u->T;
        a[2] = (double)A.angular.z * u->T * u->T;
        a[3] = (double)A.linear.x * u->T / speed;
        a[4] = (double)A.linear.y * u->T / speed;
        a[5] = (double)A.linear.z * u->T / speed;
    }
    for (i = 0; i < 100; i++) {
        const spc_status status = spc_step(s.world, SPC_R(0.005) * (spc_real)u->T);
        *worst = status ? (int)status : *worst;
    }
    for (i = 0; i < s.bodies; i++) {
        const spc_state X = state_of(&s, i);
        double *a = out + 19 * i + 6;
        a[0] = (double)X.X_GB.p.x / u->L;
        a[1] = (double)X.X_GB.p.y / u->L;
        a[2] = (double)X.X_GB.p.z / u->L;
        a[3] = (double)X.X_GB.q.w;
        a[4] = (double)X.X_GB.q.x;
        a[5] = (double)X.X_GB.q.y;
        a[6] = (double)X.X_GB.q.z;
        a[7] = (double)X.V_GB.angular.x * u->T;
        a[8] = (double)X.V_GB.angular.y * u->T;
        a[9] = (double)X.V_GB.angular.z * u->T;
        a[10] = (double)X.V_GB.linear.x / speed;
        a[11] = (double)X.V_GB.linear.y / speed;
        a[12] = (double)X.V_GB.linear.z / speed;
    }
    scene_free(&s);
}

/* A unit that is a power of two changes exponents only, so that all digits must be the same; the
   exponents reach to where products of a few such numbers are still far from overflow. */
static void check_unit(int k, int dimension)
{
    static const int exponents[] = {
#ifdef SPC_USE_FLOAT
        1, 3, 7, 10, 14, -3, -7, -10, -14
#else
        1, 4, 10, 20, 41, 60, -4, -10, -20, -41, -60
#endif
    };
    const units one = { 1, 1, 1 };
    double wanted[19 * 6] = { 0 }, got[19 * 6] = { 0 };
    int e, i, status, as_before, differ;
    results_in_units(k, &one, wanted, &as_before);
    CHECK(as_before == SPC_OK);
    for (e = 0; e < (int)(sizeof exponents / sizeof *exponents); e++) {
        units u = one;
        *(dimension == 0 ? &u.L : dimension == 1 ? &u.M : &u.T) = ldexp(1, exponents[e]);
        results_in_units(k, &u, got, &status);
        CHECK(status == as_before);
        for (differ = 0, i = 0; i < 19 * 6; i++)
            differ += !(got[i] <= wanted[i] && got[i] >= wanted[i]);
        if (differ)
            printf("scene %d, %s x 2^%d: %d numbers differ\n", k,
                   dimension == 0   ? "length"
                   : dimension == 1 ? "mass"
                                    : "time",
                   exponents[e], differ);
        CHECK(differ == 0);
    }
}

static void units_of_length_that_are_powers_of_two_change_no_digit(void)
{
    int k;
    for (k = 0; k < SCENES_IN_UNITS; k++)
        check_unit(k, 0);
}

static void units_of_mass_that_are_powers_of_two_change_no_digit(void)
{
    int k;
    for (k = 0; k < SCENES_IN_UNITS; k++)
        check_unit(k, 1);
}

static void units_of_time_that_are_powers_of_two_change_no_digit(void)
{
    int k;
    for (k = 0; k < SCENES_IN_UNITS; k++)
        check_unit(k, 2);
}

/* --------------------------------------------------------------------------- far joints ------ */

/* Distances [m]: those where version 0.4.0 went wrong, and others between. */
static const double far_away[] = {
#ifdef SPC_USE_FLOAT
    1, 3, 10, 20, 50, 81, 100, 300, 1000, 2200
#else
    1, 20, 81, 2200, 1e4, 1e5, 3e5, 1e6
#endif
};
#define FAR_AWAY ((int)(sizeof far_away / sizeof *far_away))

/* Relative to gravity. */
#define FAR_ERROR IN_DOUBLE_OR_FLOAT(1e-9, 1e-3)

static int attach_in_place(scene *s, int b, unsigned locked, spc_quat q_AF)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    d.b = s->body[b];
    d.keep_pose = true;
    d.shape.locked = locked;
    d.shape.X_AF.q = q_AF;
    CHECK_STATUS(spc_attachment_add(s->world, &d, &s->joint[s->joints]), SPC_OK);
    return s->joints++;
}

/* Its joint's frame is where the bodies' frames are: at ground's origin. In 1 s it may move by what
   an acceleration of the error would do within a time constant, and by the rounding of its place
   and of its orientation at that lever. */
static void a_box_welded_to_ground_far_from_the_origin_stays(void)
{
    int k, i, refused = 0;
    for (k = 0; k < FAR_AWAY; k++) {
        const double R = far_away[k], still = FAR_ERROR * GRAVITY;
        scene s = scene_make(1, 1);
        add_at(&s, spc_mass_box(1, vec(0.05, 0.05, 0.05)), vec(R, 0, 0));
        attach_in_place(&s, 0, SPC_WELD, spc_quat_identity());
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        CHECK_NEAR(length(acceleration_of(&s, 0).linear), 0, still);
        CHECK_NEAR(length(acceleration_of(&s, 0).angular), 0, still / 0.05);
        for (i = 0; i < LONG_OR_SHORT(2400, 240); i++)
            refused += spc_step(s.world, SPC_R(1.0 / 240)) != SPC_OK;
        CHECK(refused == 0);
        CHECK_NEAR(length(spc_sub(state_of(&s, 0).X_GB.p, vec(R, 0, 0))), 0,
                   0.01 * still + 8 * TEST_EPSILON * R);
        scene_free(&s);
    }
}

/* A bob on a joint R away that is let go: the recursion in long double is exact, because the bob's
   origin is its centre, so that the arms of the kernel's rows are; for a ball and for any joint it
   is 0.6 g R^2 / (R^2 + k^2), with the bob's radius of gyration k. */
static void check_bob(double R, spc_mass mass, unsigned locked)
{
    const spc_quat level = spc_quat_from_rotation_vector(vec(1.5707963267948966, 0, 0));
    const double k2 = (double)(mass.inertia.yy / mass.mass);
    scene s = scene_make(1, 1);
    int i, refused = 0;
    double error, off = 0;
    add_at(&s, mass, vec(0.6 * R, 0, -0.8 * R));
    attach_in_place(&s, 0, locked, level);
    error = error_of_tree(&s, 0);
    if (reference_is_wider())
        CHECK_NEAR(error, 0, FAR_ERROR * GRAVITY);
    CHECK_NEAR(length(acceleration_of(&s, 0).linear), 0.6 * GRAVITY * R * R / (R * R + k2),
               FAR_ERROR * GRAVITY);
    for (i = 0; i < LONG_OR_SHORT(2400, 240); i++) {
        refused += spc_step(s.world, SPC_R(1.0 / 240)) != SPC_OK;
        off = fmax(off, fabs(length(state_of(&s, 0).X_GB.p) / R - 1));
    }
    CHECK(refused == 0);
    CHECK_NEAR(off, 0, 1e-3); /* the step's own drift at R = 1 m: (3 rad/s / 240 Hz)^2 and less */
    scene_free(&s);
}

static void bobs_on_far_joints_fall_as_pendulums(void)
{
    int k;
    for (k = 0; k < FAR_AWAY; k++) {
        const spc_mass ball = spc_mass_solid_sphere(1, SPC_R(0.05));
        check_bob(far_away[k], ball, SPC_HINGE);
        check_bob(far_away[k], ball, SPC_BALL_JOINT);
        check_bob(far_away[k], spc_mass_box(1, vec(0.05, 0.06, 0.04)), SPC_HINGE);
        check_bob(far_away[k], spc_mass_box(1, vec(0.05, 0.06, 0.04)), SPC_BALL_JOINT);
    }
}

static const test_entry tests[] = {
    TEST(the_recursion_knows_what_chains_do),
    TEST(chains_of_hinges_with_any_masses_move_as_articulated_bodies),
    TEST(chains_of_ball_joints_with_any_masses_move_as_articulated_bodies),
    TEST(cantilevers_of_welds_with_any_masses_do_not_move),
    TEST(random_trees_of_like_masses_move_as_articulated_bodies),
    TEST(random_trees_of_any_masses_move_as_articulated_bodies),
    TEST(chains_that_hang_straight_hold_still),
    TEST(beams_held_at_both_ends_stand),
    TEST(units_of_length_that_are_powers_of_two_change_no_digit),
    TEST(units_of_mass_that_are_powers_of_two_change_no_digit),
    TEST(units_of_time_that_are_powers_of_two_change_no_digit),
    TEST(a_box_welded_to_ground_far_from_the_origin_stays),
    TEST(bobs_on_far_joints_fall_as_pendulums),
};

TEST_MAIN
