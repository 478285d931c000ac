/* Friction stops what slides or spins, and does not send it back: boxes that spin on their feet,
   coins that slide on their side, in both steps, on level ground and on planes that are turned with
   gravity; and what is turned takes as many parts of a step. What slides on more feet than bear it
   has the loads that a law of its own gives them. */
#include "contacts.h"

#include <math.h>

#define MU 0.223

/* A world on a plane whose axes are q, with gravity along its normal. */
static spc_world *turned_world(int bodies, int constraints, spc_quat q)
{
    return contact_world(bodies, constraints, spc_rotate(q, vec(0, 0, -GRAVITY)));
}

static spc_quat random_axes(double most)
{
    const double x = test_random(0, most), y = test_random(0, most), z = test_random(0, most);
    return spc_quat_from_rotation_vector(vec(x, y, z));
}

/* A box on four feet that spins with w about the normal. */
static spc_world *put_spinning_box(spc_quat q, double w, spc_body *box)
{
    spc_world *world = turned_world(1, 4, q);
    spc_body_desc d = spc_body_desc_default();
    spc_attachment_desc foot = spc_attachment_desc_default();
    spc_constraint c;
    int i;
    d.mass = spc_mass_box(1, vec(0.2, 0.2, 0.05));
    d.state.X_GB = spc_transform_make(q, spc_rotate(q, vec(0, 0, 0.05)));
    d.state.V_GB.angular = spc_rotate(q, vec(0, 0, w));
    CHECK_STATUS(spc_body_add(world, &d, box), SPC_OK);
    foot.b = *box;
    foot.one_sided = true;
    foot.law = law_of(MU, 0);
    foot.shape.locked = SPC_POINT_ON_PLANE;
    foot.shape.X_AF.q = q;
    for (i = 0; i < 4; i++) {
        foot.shape.X_BM.p = vec(i & 1 ? 0.2 : -0.2, i & 2 ? 0.2 : -0.2, -0.05);
        CHECK_STATUS(spc_attachment_add(world, &foot, &c), SPC_OK);
    }
    return world;
}

/* Friction takes MU g r / k^2 h = 0.387 rad/s in a step. Where the spin ends within one, spc_step
   is of second order there: it may turn back by a fifth of that, once or twice; in float by a half,
   and some times. No energy is gained: to rounding, and what that of normal forces does. */
static void a_box_that_spins_on_its_feet_comes_to_rest(void)
{
    int run, i, fourth;
    test_seed = 11;
    for (run = 0; run < LONG_OR_SHORT(3000, 30); run++)
        for (fourth = 0; fourth < 2; fourth++) {
            const spc_quat q = run % 2 ? random_axes(0.5) : spc_quat_identity();
            const spc_drift drift = run % 3 ? SPC_DRIFT_PROJECT : SPC_DRIFT_STABILIZE;
            double last = test_random(0.2, 3), energy, gain = 0, back = 0;
            spc_body box;
            spc_world *w = put_spinning_box(q, last, &box);
            int turns = 0;
            energy = energy_of(w);
            for (i = 0; i < 60; i++) {
                double spin;
                CHECK_STATUS(fourth ? spc_step_rk4(w, real(1 / 60.), drift)
                                    : spc_step(w, real(1 / 60.)),
                             SPC_OK);
                spin = (double)spc_unrotate(q, state_of(w, box).V_GB.angular).z;
                turns += spin * last < 0 && fabs(spin) > 1e-4;
                back = fmax(back, -spin);
                last = fabs(spin) > 1e-4 ? spin : last;
                gain = fmax(gain, energy_of(w) - energy);
                energy = energy_of(w);
            }
            CHECK_NEAR(gain, 0, IN_DOUBLE_OR_FLOAT(1e-6, 1e-4));
            CHECK_NEAR(spc_norm(state_of(w, box).V_GB.angular), 0, IN_DOUBLE_OR_FLOAT(1e-9, 1e-4));
            CHECK(turns <= IN_DOUBLE_OR_FLOAT(2, 30));
            CHECK_NEAR(back, 0, fourth ? 1e-3 : IN_DOUBLE_OR_FLOAT(0.08, 0.2));
            free(w);
        }
}

/* Friction takes MU g h = 0.0365 m/s in a step of 1/60 s. */
static void a_coin_that_slides_does_not_come_back(void)
{
    int run, i;
    test_seed = 12;
    for (run = 0; run < LONG_OR_SHORT(20000, 500); run++) {
        const spc_quat q = run % 2 ? random_axes(1) : spc_quat_identity();
        const double angle = test_random(0, 2 * PI), v = test_random(0.02, 0.3);
        const spc_vec3 along = spc_rotate(q, vec(cos(angle), sin(angle), 0));
        spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
        spc_body_desc coin = spc_body_desc_default();
        spc_world *w = turned_world(1, 1, q);
        spc_constraint c;
        double back = 0;
        coin.mass = spc_mass_disc(1, SPC_R(0.3));
        coin.state.X_GB.q = q;
        coin.state.V_GB.linear = spc_scale(real(v), along);
        CHECK_STATUS(spc_body_add(w, &coin, &d.disc), SPC_OK);
        d.shape.X_FP.q = q;
        d.shape.axis_B = vec(0, 0, 1);
        d.shape.radius = SPC_R(0.3);
        d.one_sided = true;
        d.law = law_of(MU, 0);
        CHECK_STATUS(spc_rolling_disc_add(w, &d, &c), SPC_OK);
        for (i = 0; i < 20; i++) {
            CHECK_STATUS(spc_step(w, real(1 / 60.)), SPC_OK);
            back = fmax(back, -(double)spc_dot(state_of(w, d.disc).V_GB.linear, along));
        }
        CHECK_NEAR(back, 0, IN_DOUBLE_OR_FLOAT(1e-12, 1e-5));
        free(w);
    }
}

/* A box on a ball joint for 0.2 s, whose steps are divided: its place in q's axes, and the work. */
static spc_vec3 swing_box(spc_quat q, double spin, int *work)
{
    spc_world *w = turned_world(1, 1, q);
    spc_body_desc d = spc_body_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_constraint c;
    spc_vec3 place;
    int i;
    d.mass = spc_mass_box(1, vec(0.05, 0.1, 0.3));
    d.state.X_GB.q = q;
    d.state.V_GB.angular = spc_rotate(q, vec(spin, spin / 2, 1));
    joint.shape.X_BM.p = vec(0, 0, 0.3);
    joint.shape.X_AF.q = q;
    d.state.X_GB.p = spc_scale(-1, spc_rotate(q, joint.shape.X_BM.p));
    d.state.V_GB.linear = spc_cross(d.state.V_GB.angular, d.state.X_GB.p);
    CHECK_STATUS(spc_body_add(w, &d, &joint.b), SPC_OK);
    CHECK_STATUS(spc_attachment_add(w, &joint, &c), SPC_OK);
    for (i = *work = 0; i < 12; i++) {
        CHECK_STATUS(spc_step(w, real(1 / 60.)), SPC_OK);
        *work += report_of(w).factorizations;
    }
    place = spc_unrotate(q, spc_body_position(w, joint.b));
    free(w);
    return place;
}

static void a_turned_world_takes_the_same_parts(void)
{
    int run, others = 0;
    test_seed = 13;
    for (run = 0; run < 300; run++) {
        const double spin = test_random(1, 21);
        int work, turned;
        const spc_vec3 place = swing_box(spc_quat_identity(), spin, &work);
        const spc_vec3 there = swing_box(random_axes(3), spin, &turned);
        others += work != turned; /* rounding may decide */
        if (work == turned)
            CHECK_NEAR(distance(place, there), 0, IN_DOUBLE_OR_FLOAT(1e-12, 1e-3));
    }
    CHECK(others <= IN_DOUBLE_OR_FLOAT(0, 3));
}

/* ---------------------------------------------------------------------- shared loads -------- */

/* A box that slides on feet, 8 at most, under a slope; where they are, and what they yield. */
typedef struct slider {
    double m, mu, size[3], down[2], x[8], y[8], yields[8], v[2], spin;
    int feet;
} slider;

/* Feet are in the corners, then between them and the middle; 6 are on an ellipse. The box is so
   high that some foot loses its load at times, and that none tips. */
static slider random_slider(int feet)
{
    const double slope = test_random(0, 0.4), to = test_random(0, 2 * PI);
    const double speed = test_random(0.5, 3), along = test_random(0, 2 * PI);
    slider s;
    int i;
    s.feet = feet;
    s.m = exp(test_random(-1.6, 3));
    s.mu = test_random(0.1, 0.8);
    s.size[0] = test_random(0.05, 0.5);
    s.size[1] = test_random(0.05, 0.5);
    s.size[2] = test_random(0.5, feet == 6 ? 0.8 : 0.97) * fmin(s.size[0], s.size[1]) / s.mu;
    s.down[0] = sin(slope) * cos(to);
    s.down[1] = sin(slope) * sin(to);
    s.v[0] = speed * cos(along);
    s.v[1] = speed * sin(along);
    s.spin = test_random(-8, 8);
    for (i = 0; i < feet; i++) {
        const double in = i < 4 ? 1 : 0.5, angle = PI / 3 * i + 0.3;
        const double a = s.size[1] * s.size[1] + s.size[2] * s.size[2];
        const double b = s.size[0] * s.size[0] + s.size[2] * s.size[2];
        s.x[i] = s.size[0] * (feet == 6 ? cos(angle) : i & 1 ? in : -in);
        s.y[i] = s.size[1] * (feet == 6 ? sin(angle) : i & 2 ? in : -in);
        s.yields[i] = (1 + 3 * (s.y[i] * s.y[i] / a + s.x[i] * s.x[i] / b)) / s.m;
    }
    return s;
}

static double across_of(const slider *s) /* g's part along the normal */
{
    return GRAVITY * sqrt(1 - s->down[0] * s->down[0] - s->down[1] * s->down[1]);
}

static spc_world *put_slider(const slider *s, spc_body *box, spc_constraint *feet)
{
    const spc_vec3 g = vec(GRAVITY * s->down[0], GRAVITY * s->down[1], -across_of(s));
    spc_world *w = contact_world(1, s->feet, g);
    int i;
    *box = put_body(w, spc_mass_box(real(s->m), vec(s->size[0], s->size[1], s->size[2])),
                    vec(0, 0, s->size[2]), vec(0, 0, s->spin), vec(s->v[0], s->v[1], 0));
    for (i = 0; i < s->feet; i++)
        feet[i] = put_foot(w, *box, vec(s->x[i], s->y[i], -s->size[2]), law_of(s->mu, 0));
    return w;
}

/* Eliminates three equations; the last column becomes their solution. */
static void solve_three(double A[3][4])
{
    int i, j, k;
    for (i = 0; i < 3; i++) {
        int pivot = i;
        for (k = i + 1; k < 3; k++)
            pivot = fabs(A[k][i]) > fabs(A[pivot][i]) ? k : pivot;
        for (j = 0; j < 4; j++) {
            const double x = A[i][j];
            A[i][j] = A[pivot][j];
            A[pivot][j] = x;
        }
        for (k = 0; k < 3; k++) {
            const double part = k == i ? 0 : A[k][i] / A[i][i];
            for (j = 0; j < 4; j++)
                A[k][j] -= part * A[i][j];
        }
    }
    for (i = 0; i < 3; i++)
        A[i][3] /= A[i][i];
}

/* Loads of least norm that press, N = max(0, a + b x + c y) / yields, as if the floor gave way:
   they and mu of them against the slip bear the weight without a moment across the normal. Returns
   the least slip of a foot, or 0 where there are none. */
static double loads_of(const slider *s, double turned, const double *v, double spin, double *N)
{
    const double c = cos(turned), t = sin(turned);
    double x[8], y[8], along[8], aside[8], least = 1e9;
    unsigned press = (1u << s->feet) - 1;
    int i, j, k, turn;
    for (i = 0; i < s->feet; i++) {
        x[i] = c * s->x[i] - t * s->y[i];
        y[i] = t * s->x[i] + c * s->y[i];
        along[i] = v[0] - spin * y[i];
        aside[i] = v[1] + spin * x[i];
        least = fmin(least, hypot(along[i], aside[i]));
    }
    for (turn = 0; turn < 50; turn++) {
        double A[3][4] = { { 0 } };
        unsigned next = 0;
        A[0][3] = s->m * across_of(s);
        for (i = 0; i < s->feet; i++) {
            const double arm = s->mu * s->size[2] / hypot(along[i], aside[i]);
            const double bears[3] = { 1, y[i] - arm * aside[i], x[i] - arm * along[i] };
            const double plane[3] = { 1, x[i], y[i] };
            for (k = 0; k < 3 && press >> i & 1u; k++)
                for (j = 0; j < 3; j++)
                    A[k][j] += bears[k] * plane[j] / s->yields[i];
        }
        solve_three(A);
        for (i = 0; i < s->feet; i++) {
            N[i] = fmax((A[0][3] + A[1][3] * x[i] + A[2][3] * y[i]) / s->yields[i], 0);
            next |= (unsigned)(N[i] > 0) << i;
        }
        if (next == press)
            return least;
        press = next;
    }
    return 0;
}

/* Loads of a step, of the middle of it, against the law: by how much more one is off than loads
   have changed since the step before, whose N are last, in weights. Friction is opposite to the
   mean of slip, which turns in a step by no more than a tenth where all feet are faster than 10 mu
   g h. */
static double loads_off(const slider *s, const spc_world *w, const spc_constraint *feet,
                        const spc_state *before, const spc_state *after, double h, double *last)
{
    const double q = 2 * atan2((double)before->X_GB.q.z, (double)before->X_GB.q.w);
    const double spin = ((double)before->V_GB.angular.z + (double)after->V_GB.angular.z) / 2;
    const double v[2] = {
        ((double)before->V_GB.linear.x + (double)after->V_GB.linear.x) / 2,
        ((double)before->V_GB.linear.y + (double)after->V_GB.linear.y) / 2,
    };
    double N[8], most = 0, change = 0;
    int i;
    if (!(loads_of(s, q + spin * h / 2, v, spin, N) > 10 * s->mu * GRAVITY * h))
        return 0;
    for (i = 0; i < s->feet; i++) {
        most = fmax(most, fabs((double)contact_of_world(w, feet[i]).force[2] - N[i]));
        change = fmax(change, fabs(N[i] - last[i]));
        last[i] = N[i];
    }
    return (most - change) / (s->m * GRAVITY);
}

/* A foot without a load is as good as open: whether it presses is not rounding's to say, and loads
   go through 0 without a leap. Where they do within a step, the next may be the first to tell; but
   for that they are those of the law to second order in how far slip turns, and in float to what
   tells shares apart, a part of 1e-3 of all that rows are asked. Both steps go the same way: places
   are of second order where slip ends or turns, some mu g h^2, which is 1.4e-4 m here. */
#define OFF IN_DOUBLE_OR_FLOAT(0.01, 0.03)
#define ASTRAY 1e-3

static void loads_of_many_feet_are_those_of_least_norm(void)
{
    const double h = 1 / 240.;
    double most = 0, apart = 0;
    int run, i;
    test_seed = 14;
    for (run = 0; run < LONG_OR_SHORT(300, 45); run++) {
        const slider s = random_slider(4 + 2 * (run % 3));
        spc_constraint feet[8];
        double last[8] = { 0 }; /* far from all loads: the first step counts for nothing */
        spc_body box, other;
        spc_world *w = put_slider(&s, &box, feet);
        spc_world *fourth = put_slider(&s, &other, feet);
        for (i = 0; i < 120; i++) {
            const spc_state before = state_of(w, box);
            spc_state after;
            CHECK_STATUS(spc_step(w, real(h)), SPC_OK);
            CHECK_STATUS(spc_step_rk4(fourth, real(h), SPC_DRIFT_PROJECT), SPC_OK);
            CHECK(report_of(w).unsolved == 0);
            after = state_of(w, box);
            most = fmax(most, loads_off(&s, w, feet, &before, &after, h, last));
        }
        apart = fmax(apart, distance(spc_body_position(w, box), spc_body_position(fourth, other)));
        free(w);
        free(fourth);
    }
    print_seen("loads", most);
    print_seen("apart", apart);
    CHECK_NEAR(most, 0, OFF);
    CHECK_NEAR(apart, 0, ASTRAY);
}

/* A ball joint half way between two boxes. */
static void join_boxes(spc_world *w, const spc_body *box)
{
    const spc_transform A = state_of(w, box[0]).X_GB, B = state_of(w, box[1]).X_GB;
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_constraint c = { 0, 0 };
    d.a = box[0];
    d.b = box[1];
    CHECK_STATUS(spc_attachment_at(&A, &B, spc_scale(SPC_R(0.5), spc_add(A.p, B.p)), vec(0, 0, 1),
                                   SPC_BALL_JOINT, &d.shape),
                 SPC_OK);
    CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
}

/* Two boxes, each on six feet, with a ball joint between them, which bears loads, too. Energy
   falls, and both steps agree. As twelve feet come to rest within a step, three of 2,400 at most
   find no impulses, and say so. */
static void joined_boxes_slide_alike(void)
{
    static const double x[6] = { 0.2, 0.1, -0.1, -0.2, -0.1, 0.1 };
    static const double y[6] = { 0, 0.15, 0.15, 0, -0.15, -0.15 };
    const double h = 1 / 240.;
    double apart = 0;
    int run, i, k, unsolved = 0;
    test_seed = 15;
    for (run = 0; run < 10; run++) {
        const double spin = test_random(-3, 3), aside = test_random(-0.5, 0.5);
        spc_world *w[2];
        spc_body box[2][2];
        double low;
        for (i = 0; i < 2; i++) {
            w[i] = contact_world(2, 13, vec(0, 0, -GRAVITY));
            for (k = 0; k < 2; k++) {
                spc_body b = put_body(w[i], spc_mass_box((spc_real)(1 + k), vec(0.2, 0.15, 0.2)),
                                      vec(k, 0, 0.2), vec(0, 0, k ? 0 : spin), vec(1.5, aside, 0));
                int foot;
                for (foot = 0; foot < 6; foot++)
                    (void)put_foot(w[i], b, vec(x[foot], y[foot], -0.2), law_of(0.4, 0));
                box[i][k] = b;
            }
            join_boxes(w[i], box[i]);
        }
        low = energy_of(w[0]);
        for (i = 0; i < 120; i++) {
            CHECK_STATUS(spc_step(w[0], real(h)), SPC_OK);
            CHECK_STATUS(spc_step_rk4(w[1], real(h), SPC_DRIFT_PROJECT), SPC_OK);
            unsolved += report_of(w[0]).unsolved > 0 || report_of(w[1]).unsolved > 0;
            CHECK(energy_of(w[0]) <= low * (1 + IN_DOUBLE_OR_FLOAT(1e-9, 1e-5)));
            low = energy_of(w[0]);
        }
        for (k = 0; k < 2; k++)
            apart = fmax(apart, distance(spc_body_position(w[0], box[0][k]),
                                         spc_body_position(w[1], box[1][k])));
        free(w[0]);
        free(w[1]);
    }
    print_seen("joined boxes, step from rk4 [m]", apart);
    CHECK(unsolved <= 3);
    CHECK(apart <= 1e-3);
}

/* A box that rests on its feet is pushed, and stops within a step: it has not come back, but as far
   as forces come in h, and to where a fresh world has it. */
static void a_box_that_is_pushed_goes_on(void)
{
    int rate, fresh;
    for (rate = 0; rate < RATES; rate++) {
        const double h = 1 / rates[rate], v = GRAVITY * h / 4, friction = 0.5;
        double way[2];
        for (fresh = 0; fresh < 2; fresh++) {
            spc_world *w = contact_world(1, 4, vec(0, 0, -GRAVITY));
            const spc_body box = put_box(w, vec(0, 0, 0.1), 4, friction);
            take_steps(w, h, fresh ? 0 : 10);
            CHECK_STATUS(spc_body_set_velocity(w, box, spc_spatial_make(zero, vec(v, 0, 0))),
                         SPC_OK);
            take_steps(w, h, 10);
            way[fresh] = (double)state_of(w, box).X_GB.p.x;
            CHECK_NEAR(length(state_of(w, box).V_GB.linear), 0, 0);
            free(w);
        }
        CHECK_NEAR(way[0], way[1], 4 * TEST_EPSILON * v * h);
        CHECK(way[0] > 0);
        CHECK_NEAR(way[0], v * v / (2 * friction * GRAVITY), v * h / 4 * (1 + 1e-5));
    }
}

static const test_entry tests[] = {
    TEST(loads_of_many_feet_are_those_of_least_norm), TEST(joined_boxes_slide_alike),
    TEST(a_box_that_spins_on_its_feet_comes_to_rest), TEST(a_coin_that_slides_does_not_come_back),
    TEST(a_turned_world_takes_the_same_parts), TEST(a_box_that_is_pushed_goes_on),
};

TEST_MAIN
