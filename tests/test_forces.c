/* Forces of one-sided contacts by forward dynamics, beside what they are by hand: what grips, what
   slides, and where there are none (Painleve). */
#include "contacts.h"

#define GRAVITY 9.81

/* ------------------------------------------------------------------------------- grip -------- */

/* A ball of 1 kg and 0.3 m that rolls with 1 m/s, but for a slip. */
#define BALL_RADIUS 0.3

static spc_world *slipping_ball(bool one_sided, double slip, spc_body *ball,
                                spc_constraint *contact)
{
    spc_world *w = contact_world(1, 1, vec(0, 0, -GRAVITY));
    spc_ball_desc d = spc_ball_desc_default();
    spc_spatial V = { { 0, 0, 0 }, { 0, 0, 0 } };
    d.mass = spc_mass_solid_sphere(1, SPC_R(BALL_RADIUS));
    d.radius = SPC_R(BALL_RADIUS);
    d.one_sided = one_sided;
    CHECK_STATUS(spc_ball_add(w, &d, ball, contact), SPC_OK);
    V.angular.y = real(1 / BALL_RADIUS);
    V.linear.x = real(1 + slip);
    CHECK_STATUS(spc_body_set_velocity(w, *ball, V), SPC_OK);
    return w;
}

/* What grips has the forces of a two-sided contact, at any slip: finite ones. */
static void grip_holds_its_rows_as_a_two_sided_contact_does(void)
{
    double slip;
    for (slip = 1e-15; slip < 20; slip *= 10) {
        spc_body ball = { 0, 0 };
        spc_constraint c = { 0, 0 };
        spc_world *one = slipping_ball(true, slip, &ball, &c);
        spc_world *both = slipping_ball(false, slip, &ball, &c);
        CHECK_STATUS(spc_world_forward_dynamics(one), SPC_OK);
        CHECK_STATUS(spc_world_forward_dynamics(both), SPC_OK);
        CHECK_NEAR(distance(acceleration_of(one, ball).linear, acceleration_of(both, ball).linear),
                   0, 100 * TEST_EPSILON * fmax(1, 40 * slip)); /* 2 / T of the slip */
        CHECK_NEAR(length(force_of(one, c).on_b.linear), length(force_of(both, c).on_b.linear),
                   100 * TEST_EPSILON * fmax(GRAVITY, 40 * slip));
        CHECK(report_of(one).unsolved == 0);
        free(one);
        free(both);
    }
}

/* A step of fourth order ends a slip by an impulse, however little it is: what is left of it is
   2/7 in the spin, and the rest of the velocity. */
static void grip_ends_a_slip_in_a_step_of_fourth_order(void)
{
    const spc_drift drifts[2] = { SPC_DRIFT_STABILIZE, SPC_DRIFT_PROJECT };
    double slip;
    int k;
    for (slip = 1e-15; slip < 20; slip *= 10)
        for (k = 0; k < 2; k++) {
            spc_body ball = { 0, 0 };
            spc_constraint c = { 0, 0 };
            spc_world *w = slipping_ball(true, slip, &ball, &c);
            int i;
            for (i = 0; i < 10; i++)
                CHECK_STATUS(spc_step_rk4(w, SPC_R(0.004), drifts[k]), SPC_OK);
            CHECK_NEAR(state_of(w, ball).V_GB.linear.x, 1 + 5 * slip / 7,
                       200 * TEST_EPSILON * fmax(1, slip));
            CHECK_NEAR(rows_of(w, c).velocity_errors[0], 0, 400 * TEST_EPSILON * fmax(1, slip));
            free(w);
        }
}

/* The same while another ball of the same island lands in the step: its impulse is known to a part
   of all that moves, which the slip may be less than. The ball that rolls has its weight. */
static void grip_ends_a_slip_where_others_land(void)
{
    double slip;
    for (slip = 1e-15; slip < 2; slip *= 10) {
        spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
        spc_world *w = contact_world(2, 3, vec(0, 0, -GRAVITY));
        spc_constraint c[3];
        spc_body ball[2];
        int i;
        for (i = 0; i < 2; i++) {
            spc_ball_desc d = spc_ball_desc_default();
            d.radius = real(BALL_RADIUS);
            d.mass = spc_mass_solid_sphere(1, d.radius);
            d.x = real(i);
            d.v_x = SPC_R(0.25);
            d.one_sided = true;
            d.law.restitution = SPC_R(0.5);
            CHECK_STATUS(spc_ball_add(w, &d, &ball[i], &c[i]), SPC_OK);
        }
        pair.a = ball[0];
        pair.b = ball[1];
        pair.shape.radius_a = pair.shape.radius_b = real(BALL_RADIUS);
        pair.one_sided = true;
        CHECK_STATUS(spc_sphere_on_sphere_add(w, &pair, &c[2]), SPC_OK);
        CHECK_STATUS(spc_step_rk4(w, SPC_R(0.015625), SPC_DRIFT_STABILIZE), SPC_OK);
        for (i = 0; i < 2; i++) {
            spc_state s = state_of(w, ball[i]);
            s.V_GB.linear.x += real(i == 0 ? slip : 0);
            s.V_GB.linear.z -= real(i == 1 ? 0.5 : 0);
            s.X_GB.p.z += real(i == 1 ? 0.003 : 0);
            CHECK_STATUS(spc_body_set_pose(w, ball[i], s.X_GB), SPC_OK);
            CHECK_STATUS(spc_body_set_velocity(w, ball[i], s.V_GB), SPC_OK);
        }
        CHECK_STATUS(spc_step_rk4(w, SPC_R(0.015625), SPC_DRIFT_STABILIZE), SPC_OK);
        /* that part is 1e-9, in float 1e-4, of 1.25 m/s and the slip, and little more; what is left
           of it along n stabilization takes back, by forces of 2 / T of it */
        CHECK_NEAR(state_of(w, ball[0]).V_GB.linear.x, 0.25 + 5 * slip / 7,
                   IN_DOUBLE_OR_FLOAT(3e-9, 3e-4) * fmax(1, slip));
        CHECK_NEAR(contact_of_world(w, c[0]).force[2], GRAVITY,
                   IN_DOUBLE_OR_FLOAT(3e-7, 3e-2) * fmax(1, slip) * GRAVITY);
        CHECK_NEAR(state_of(w, ball[1]).V_GB.linear.z, 0.25, 0.16); /* it bounces in the step */
        free(w);
    }
}

/* A wheel that leans and turns, and a box on feet, with the default law and a slip: each step is
   taken. (The box trips over two of its feet.) */
static void wheels_and_feet_that_slip_are_stepped(void)
{
    double slip;
    int i;
    for (slip = 1e-15; slip < 1; slip *= 10) {
        spc_world *w = contact_world(2, 5, vec(0, 0, -GRAVITY));
        spc_wheel_desc d = spc_wheel_desc_default();
        spc_body wheel = { 0, 0 }, box;
        spc_constraint c = { 0, 0 };
        spc_spatial V;
        double energy;
        d.mass = spc_mass_disc(1, SPC_R(0.3));
        d.radius = SPC_R(0.3);
        d.one_sided = true;
        d.lean = SPC_R(0.3);
        d.speed = 2;
        d.turn_rate = -1;
        CHECK_STATUS(spc_wheel_add(w, &d, &wheel, &c), SPC_OK);
        V = state_of(w, wheel).V_GB;
        V.linear = spc_add(V.linear, vec(slip, -slip, 0));
        CHECK_STATUS(spc_body_set_velocity(w, wheel, V), SPC_OK);
        box = put_body(w, spc_mass_box(2, vec(0.1, 0.1, 0.1)), vec(5, 0, 0.1), zero,
                       vec(slip, slip, 0));
        for (i = 0; i < 4; i++)
            (void)put_foot(w, box, vec(i & 1 ? 0.1 : -0.1, i & 2 ? 0.1 : -0.1, -0.1),
                           spc_contact_law_default());
        energy = energy_of(w);
        for (i = 0; i < 10; i++)
            CHECK_STATUS(spc_step_rk4(w, SPC_R(0.004), SPC_DRIFT_STABILIZE), SPC_OK);
        /* where friction would lift what it stops, steps are of second order */
        CHECK_NEAR(fmax(energy_of(w) - energy, 0), 0, 1e-7 * energy + 100 * TEST_EPSILON * energy);
        free(w);
    }
}

/* The box alone: grip ends its slip, by which it trips over two feet. The others part by less than
   a touch, and are closed: what they part with is not to lift the box. */
static void a_box_that_trips_over_its_feet_gains_nothing(void)
{
    const spc_drift drifts[] = { SPC_DRIFT_STABILIZE, SPC_DRIFT_PROJECT };
    double slip;
    int i, k;
    for (k = 0; k < 2; k++)
        for (slip = 1e-15; slip < 0.05; slip *= 10) {
            spc_world *w = contact_world(1, 4, vec(0, 0, -GRAVITY));
            const spc_body box = put_body(w, spc_mass_box(2, vec(0.1, 0.1, 0.1)), vec(0, 0, 0.1),
                                          zero, vec(slip, slip, 0));
            const double energy = energy_of(w);
            for (i = 0; i < 4; i++)
                (void)put_foot(w, box, vec(i & 1 ? 0.1 : -0.1, i & 2 ? 0.1 : -0.1, -0.1),
                               spc_contact_law_default());
            for (i = 0; i < 10; i++) {
                CHECK_STATUS(spc_step_rk4(w, SPC_R(0.004), drifts[k]), SPC_OK);
                CHECK(energy_of(w) <= energy + 4 * TEST_EPSILON * energy);
            }
            free(w);
        }
}

/* --------------------------------------------------------------------------- sliding --------- */

/* A box, one or two of whose corners slide with a velocity v and have normals n; and without
   forces a, and with unit forces along the normals W, how its corners accelerate along these. */
typedef struct sliding {
    int count;
    double friction, W[2][2], a[2];
    spc_vec3 half, corner[2], n[2], v, gravity;
    spc_quat q;
} sliding;

/* Some multiple of a tenth. */
static double tenths(int least, int most)
{
    return 0.1 * floor(test_random(least, most + 1 - 1e-9));
}

static spc_vec3 some_corner(spc_vec3 half)
{
    return vec(test_random(-1, 1) < 0 ? -half.x : half.x, test_random(-1, 1) < 0 ? -half.y : half.y,
               test_random(-1, 1) < 0 ? -half.z : half.z);
}

static void load_sliding(sliding *t)
{
    const spc_mass mass = spc_mass_box(1, t->half);
    int i, j;
    for (j = 0; j < t->count; j++) {
        const spc_vec3 arm = spc_rotate(t->q, t->corner[j]);
        const spc_vec3 push = spc_sub(t->n[j], spc_scale(real(t->friction / length(t->v)), t->v));
        spc_vec3 turn = spc_unrotate(t->q, spc_cross(arm, push));
        turn.x /= mass.inertia.xx;
        turn.y /= mass.inertia.yy;
        turn.z /= mass.inertia.zz;
        turn = spc_rotate(t->q, turn);
        t->a[j] = dot(t->n[j], t->gravity);
        for (i = 0; i < t->count; i++)
            t->W[i][j] =
                dot(t->n[i], spc_add(push, spc_cross(turn, spc_rotate(t->q, t->corner[i]))));
    }
}

static spc_world *sliding_world(const sliding *t, spc_body *box, spc_constraint *feet)
{
    spc_world *w = contact_world(1, 2, t->gravity);
    spc_body_desc d = spc_body_desc_default();
    int i;
    d.mass = spc_mass_box(1, t->half);
    d.state.X_GB.q = t->q;
    d.state.V_GB.linear = t->v;
    CHECK_STATUS(spc_body_add(w, &d, box), SPC_OK);
    for (i = 0; i < t->count; i++) {
        spc_attachment_desc foot = spc_attachment_desc_default();
        foot.b = *box;
        foot.shape.locked = SPC_LOCK_TZ;
        foot.shape.X_BM.p = t->corner[i];
        foot.shape.X_AF = plane_at(t->n[i], spc_rotate(t->q, t->corner[i]));
        foot.one_sided = true;
        foot.law = law_of(t->friction, 0);
        CHECK_STATUS(spc_attachment_add(w, &foot, &feet[i]), SPC_OK);
    }
    return w;
}

static double normal_force(const spc_world *w, spc_constraint foot)
{
    spc_real multipliers[SPC_MAX_ROWS];
    CHECK_STATUS(spc_constraint_get_multipliers(w, foot, multipliers), SPC_OK);
    return -multipliers[2];
}

/* One corner slides in one direction: W p = -a, wherever W > 0, also where an impulse that stops
   the corner obeys the law, too; and there is no force where W < 0. */
static void a_corner_that_slides_has_its_force(void)
{
    int i, none = 0, large = 0;
    for (i = 0; i < LONG_OR_SHORT(200000, 4000); i++) {
        sliding t;
        spc_body box = { 0, 0 };
        spc_constraint foot[2];
        spc_world *w;
        t.count = 1;
        t.half = vec(tenths(1, 10), tenths(1, 10), tenths(1, 10));
        t.corner[0] = some_corner(t.half);
        t.n[0] = vec(0, 0, 1);
        t.gravity = vec(0, 0, -GRAVITY);
        t.q = spc_quat_from_rotation_vector(vec(tenths(-15, 15), tenths(-15, 15), 0));
        t.v = vec(tenths(-20, 20) + 0.05, tenths(-20, 20), 0);
        t.friction = tenths(1, 20);
        load_sliding(&t);
        if (fabs(t.W[0][0]) < 0.05)
            continue;
        w = sliding_world(&t, &box, foot);
        if (t.W[0][0] < 0) {
            none++;
            CHECK_STATUS(spc_world_forward_dynamics(w), SPC_ERROR_JAMMED);
        } else {
            CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
            /* rounding of the corner's arm, which W is a small difference of */
            CHECK_NEAR(normal_force(w, foot[0]) * t.W[0][0] / GRAVITY, 1,
                       1000 * TEST_EPSILON / t.W[0][0]);
            large += t.W[0][0] < 0.2;
        }
        free(w);
    }
    CHECK(none > 10 && large > 10);
}

/* How many sets of forces obey the law; near: how far that is from being decided otherwise. */
static int count_forces(const sliding *t, double *near)
{
    const double det = t->W[0][0] * t->W[1][1] - t->W[0][1] * t->W[1][0];
    int i, count = 0;
    *near = fabs(det);
    if (fabs(det) > 1e-6) {
        const double p = (t->a[1] * t->W[0][1] - t->a[0] * t->W[1][1]) / det;
        const double q = (t->a[0] * t->W[1][0] - t->a[1] * t->W[0][0]) / det;
        count = p >= 0 && q >= 0;
        *near = fmin(*near, fmin(fabs(p), fabs(q)));
    }
    for (i = 0; i < 2; i++) {
        const double p = -t->a[i] / t->W[i][i];
        const double rest = t->a[1 - i] + t->W[1 - i][i] * p;
        count += p > 0 && rest >= 0;
        *near = fmin(*near, fmin(fabs(t->W[i][i]), fabs(rest)));
    }
    return count; /* that none presses is out of the question: both would go down */
}

/* Two corners slide along the edge of a floor and a wall, or on the floor. Where no forces obey the
   law, that is told; where some do, accelerations are those of such, or it is told that they are
   not. */
static void two_corners_that_slide_obey_the_law_or_jam(void)
{
    int i, k, none = 0, some = 0, refused = 0;
    for (i = 0; i < LONG_OR_SHORT(400000, 6000); i++) {
        const bool wall = test_random(-1, 1) < 0;
        sliding t;
        spc_body box = { 0, 0 };
        spc_constraint feet[2];
        spc_world *w;
        spc_status status;
        double near;
        int count;
        t.count = 2;
        t.half = vec(tenths(1, 10), tenths(1, 10), tenths(1, 10));
        t.corner[0] = t.corner[1] = some_corner(t.half);
        t.corner[1].y = -t.corner[1].y;
        t.n[0] = vec(0, 0, 1);
        t.n[1] = wall ? vec(1, 0, 0) : t.n[0];
        t.gravity = vec(wall ? -3 : 0, 0, -GRAVITY);
        t.q = spc_quat_from_rotation_vector(vec(wall ? tenths(-15, 15) : 0, tenths(-15, 15), 0));
        t.v = vec(wall ? 0 : tenths(-20, 20), tenths(-20, 20) + 0.05, 0);
        t.friction = tenths(1, 10);
        load_sliding(&t);
        count = count_forces(&t, &near);
        if (near < IN_DOUBLE_OR_FLOAT(1e-2, 0.5))
            continue;
        w = sliding_world(&t, &box, feet);
        status = spc_world_forward_dynamics(w);
        none += count == 0;
        some += count > 0;
        refused += count > 0 && status;
        CHECK(status == SPC_ERROR_JAMMED || status == SPC_OK);
        CHECK(count > 0 || status == SPC_ERROR_JAMMED);
        for (k = 0; k < 2 && !status && report_of(w).unsolved == 0; k++) {
            const spc_spatial A = acceleration_of(w, box);
            const spc_vec3 arm = spc_rotate(t.q, t.corner[k]);
            const double a = dot(t.n[k], spc_add(A.linear, spc_cross(A.angular, arm)));
            const double p = normal_force(w, feet[k]);
            /* rounding beside forces of up to some kN */
            CHECK(a >= -1e7 * TEST_EPSILON && p >= 0);
            CHECK_NEAR(fmin(a, p), 0, 1e7 * TEST_EPSILON);
        }
        free(w);
    }
    CHECK(none > 0 && some > 1000);
    CHECK(refused * 5000 <= some);
}

/* --------------------------------------------------------------------------- impulses -------- */

/* A coin that lies on its side and moves has a ball on a joint above it: the impulses that make
   their velocities fit tip the coin, which is found when they have been solved for once. The joint
   holds all the same. */
static void joints_hold_where_a_coin_tips(void)
{
    const unsigned joints[2] = { SPC_HINGE, SPC_WELD };
    int i, k;
    for (i = 0; i < 2; i++)
        for (k = 0; k < 3; k++) {
            spc_world *w = contact_world(2, 2, zero);
            const spc_body coin =
                put_body(w, spc_mass_disc(1, SPC_R(0.2)), zero, zero, vec(1, 0, 0));
            const spc_body ball = put_ball(w, 1, 0.1, vec(0.3, 0.1, 0.5));
            spc_rolling_disc_desc on = spc_rolling_disc_desc_default();
            spc_attachment_desc d = spc_attachment_desc_default();
            spc_constraint joint = { 0, 0 }, contact;
            spc_rows rows;
            int row;
            on.disc = coin;
            on.shape.axis_B = vec(0, 0, 1);
            on.shape.radius = SPC_R(0.2);
            on.one_sided = true;
            on.law = law_of(0.5, 0);
            CHECK_STATUS(spc_rolling_disc_add(w, &on, &contact), SPC_OK);
            d.a = coin;
            d.b = ball;
            d.keep_pose = true;
            d.shape.X_AF.p = vec(0.1, 0, 0.2);
            d.shape.locked = joints[i];
            CHECK_STATUS(spc_attachment_add(w, &d, &joint), SPC_OK);
            CHECK_STATUS(k == 0   ? spc_world_project_velocities(w)
                         : k == 1 ? spc_world_impact(w)
                                  : spc_world_apply_impulses(w, NULL, NULL, 0),
                         SPC_OK);
            rows = rows_of(w, joint);
            for (row = 0; row < rows.count; row++)
                CHECK_NEAR(rows.enforced >> row & 1u ? rows.velocity_errors[row] : 0, 0,
                           50 * TEST_EPSILON);
            CHECK(length(state_of(w, ball).V_GB.linear) > 0.1);
            free(w);
        }
}

/* What a step has left rolling on a plate that tilts presses on it, though the step leaves it off
   by some 1e-7 m: it has its weight, not nothing, as if it fell. And a plate that rises at once
   strikes it. */
static void what_a_step_leaves_closed_presses(void)
{
    int rate, i;
    for (rate = 0; rate < RATES; rate++) {
        const double h = 1 / rates[rate];
        spc_world *w = contact_world(2, 1, vec(0, 0, -GRAVITY));
        spc_body_desc d = spc_body_desc_default();
        spc_spatial V = { { 0, 0, 0 }, { 0, 0, 0 } };
        spc_body plate, ball;
        spc_constraint c;
        d.kind = SPC_KINEMATIC;
        d.state.V_GB.angular = vec(0, 0.5, 0);
        CHECK_STATUS(spc_body_add(w, &d, &plate), SPC_OK);
        ball = put_ball(w, 1, 0.1, vec(0, 0, 0.1));
        c = put_on_plane(w, plate, level(0), ball, 0.1, law_of(0.8, 0));
        for (i = 0; i < 0.3 * rates[rate]; i++) {
            CHECK_STATUS(spc_step(w, real(h)), SPC_OK);
            CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
            CHECK(contact_of_world(w, c).force[2] > SPC_R(0.8 * GRAVITY));
        }
        V.linear.z = 1;
        CHECK_STATUS(spc_body_set_velocity(w, plate, V), SPC_OK);
        CHECK_STATUS(spc_world_project_velocities(w), SPC_OK);
        CHECK((double)state_of(w, ball).V_GB.linear.z > 0.9);
        free(w);
    }
}

static const test_entry tests[] = {
    TEST(what_a_step_leaves_closed_presses),
    TEST(grip_holds_its_rows_as_a_two_sided_contact_does),
    TEST(grip_ends_a_slip_in_a_step_of_fourth_order),
    TEST(grip_ends_a_slip_where_others_land),
    TEST(wheels_and_feet_that_slip_are_stepped),
    TEST(a_box_that_trips_over_its_feet_gains_nothing),
    TEST(a_corner_that_slides_has_its_force),
    TEST(two_corners_that_slide_obey_the_law_or_jam),
    TEST(joints_hold_where_a_coin_tips),
};

TEST_MAIN
