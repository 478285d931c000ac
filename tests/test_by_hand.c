/* [7.3] The step taken apart: free motion, the impulses of a solver of the test's own, and the end
   of the motion make spc_step. */
#include "random_worlds.h"

/* -------------------------------------------------------------------------- step by hand ------ */

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

/* Velocity errors of the rows in use as a step has them, as a constraint-space vector. */
static void velocity_errors_of(const scene *s, double *out)
{
    int k, i;
    for (k = 0; k < s->constraints; k++) {
        const spc_rows rows = rows_in_step(s, k);
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
        const unsigned kept = stab_of(s, k).ignore_velocity; /* these are no errors */
        double gain = 0;
        for (i = 0; i < rows.count && info_of(s, k).enabled; i++) {
            if (!(rows.enforced >> i & 1u))
                continue;
            gain -= kept >> i & 1u ? 0 : (double)*lambda * *before;
            lambda++;
            before++;
        }
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

/* Is there a disc alone? The world kicks it at an arm that the kick leads on. */
static bool leads(const scene *s)
{
    int k;
    for (k = 0; k < s->constraints; k++) {
        const spc_constraint_info info = info_of(s, k);
        if (info.kind == SPC_ROLLING_DISC && info.enabled && is_alone(s, k))
            return true;
    }
    return false;
}

/* Is a step refused, since a disc is flat or a body turns too fast, or are islands divided, which
   are factorized more than once then? Or does a kick lead its arm on? */
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
    return status == SPC_ERROR_NO_CONTACT_POINT || status == SPC_ERROR_BAD_STEP || leads(s) ||
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
    for (turn = 0; turn < 480; turn++) {
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

/* Many on one body, which the world keeps in its equations: fewer in single precision, which else
   tells the rows of none. Joints are off by any angle, and the
   further the worse is the condition of their rows. */
static void a_step_by_hand_is_a_step_of_a_hub(void)
{
    int turn, i, regular = 0;
    for (turn = 0; turn < 200; turn++) {
        scene s;
        begin_scene(&s, 60000);
        add_body(&s, true);
        CHECK_STATUS(add_attachment(&s, 0, 1, SPC_HINGE, &s.constraint[s.constraints++]), SPC_OK);
        for (i = 0; i < IN_DOUBLE_OR_FLOAT(9, 6); i++) {
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

static const test_entry tests[] = {
    TEST(a_step_by_hand_is_a_step_of_random_worlds),
    TEST(a_step_by_hand_is_a_step_of_single_contacts),
    TEST(a_step_by_hand_is_a_step_of_lone_joints),
    TEST(a_step_by_hand_is_a_step_of_a_hub),
    TEST(a_step_by_hand_without_constraints_is_free_motion),
    TEST(free_motion_uses_up_forces_of_one_step),
    TEST(forces_after_free_motion_are_for_the_next_step),
};

TEST_MAIN
