/* [7.3] One-sided contacts of many bodies, in worlds: what rests does so bit for bit; free systems
   keep their momenta through impacts; residuals of the law; snapshots. -DTEST_LONG: a million steps
   of rest. */
#include "piles.h"

#define R 0.1
#define EXACT IN_DOUBLE_OR_FLOAT(1e-10, 5e-4)

/* A number of balls that touch each other in a groove of two planes at 45 degrees. */
static pile make_groove(int balls)
{
    pile p = make_pile(balls, 3 * balls, *down());
    int i;
    for (i = 0; i < balls; i++) {
        const spc_body b = add_ball(&p, 1, R, 2 * R * i, 0, R * sqrt(2.));
        (void)put_on_plane(p.world, ground, plane_at(vec(0, 1, 1), zero), b, R, law_of(0.5, 0));
        (void)put_on_plane(p.world, ground, plane_at(vec(0, -1, 1), zero), b, R, law_of(0.5, 0));
        if (i)
            (void)put_pair(p.world, p.body[i - 1], b, R, R, law_of(0.3, 0));
    }
    return p;
}

/* Layers of balls between two walls without friction, one fewer in each. */
static pile make_pyramid(int layers, double mu)
{
    const int n = layers * (layers + 1) / 2;
    pile p = make_pile(n, 5 * n, *down());
    int i, k, below = 0;
    for (k = 0; k < layers; k++) {
        const int first = p.bodies;
        for (i = 0; i < layers - k; i++) {
            const spc_body b = add_ball(&p, 1, R, 2 * R * i + R * k, 0, R + k * sqrt(3.) * R);
            if (k == 0)
                (void)put_on_plane(p.world, ground, level(0), b, R, law_of(mu, 0));
            (void)put_on_plane(p.world, ground, plane_at(vec(0, 1, 0), vec(0, -R, 0)), b, R,
                               law_of(0, 0));
            (void)put_on_plane(p.world, ground, plane_at(vec(0, -1, 0), vec(0, R, 0)), b, R,
                               law_of(0, 0));
            if (k) {
                (void)put_pair(p.world, p.body[below + i], b, R, R, law_of(mu, 0));
                (void)put_pair(p.world, p.body[below + i + 1], b, R, R, law_of(mu, 0));
            }
        }
        below = first;
    }
    return p;
}

/* Layers of k x k balls, each in the hollow of four. */
static pile make_square(int layers, double mu)
{
    const int n = layers * (layers + 1) * (2 * layers + 1) / 6;
    pile p = make_pile(n, 5 * n, *down());
    int i, j, k, q, below = 0;
    for (k = 0; k < layers; k++) {
        const int first = p.bodies, side = layers - k;
        for (i = 0; i < side * side; i++) {
            const spc_body b = add_ball(&p, 1, R, 2 * R * (i % side) + R * k,
                                        2 * R * (i / side) + R * k, R + k * sqrt(2.) * R);
            if (k == 0)
                (void)put_on_plane(p.world, ground, level(0), b, R, law_of(mu, 0));
            for (q = 0; q < 4 && k; q++) {
                j = below + (i / side + q / 2) * (side + 1) + i % side + q % 2;
                (void)put_pair(p.world, p.body[j], b, R, R, law_of(mu, 0));
            }
        }
        below = first;
    }
    return p;
}

static pile make_box(int feet)
{
    const double slope = 0.3;
    pile p = make_pile(1, feet, vec(GRAVITY * sin(slope), 0, -GRAVITY * cos(slope)));
    p.body[p.bodies++] = put_box(p.world, vec(0, 0, 0.1), feet, 0.5);
    return p;
}

/* Boxes on four feet each, on ground and on each other, each so many times as heavy as that below
   it. */
static pile make_stack(int boxes, double ratio)
{
    pile p = make_pile(boxes + 1, 4 * boxes + 1, *down());
    double mass = 2;
    int i, foot;
    for (i = 0; i < boxes; i++, mass *= ratio) {
        const spc_body box = put_body(p.world, spc_mass_box(real(mass), vec(0.1, 0.1, 0.1)),
                                      vec(0, 0, 0.1 + 0.2 * i), zero, zero);
        for (foot = 0; foot < 4; foot++) {
            spc_attachment_desc d = spc_attachment_desc_default();
            spc_constraint c;
            d.a = i ? p.body[i - 1] : ground;
            d.b = box;
            d.shape.locked = SPC_LOCK_TZ;
            d.shape.X_AF.p = vec(0, 0, i ? 0.1 : 0);
            d.shape.X_BM.p = vec(foot & 1 ? 0.1 : -0.1, foot & 2 ? 0.1 : -0.1, -0.1);
            d.one_sided = true;
            d.law = law_of(0.5, 0);
            CHECK_STATUS(spc_attachment_add(p.world, &d, &c), SPC_OK);
        }
        p.body[p.bodies++] = box;
    }
    return p;
}

/* ---------------------------------------------------------------------- rest ---------------- */

/* Gravity, as it is, is new: no step relies on that before, be all at rest. */
static void begin_anew(spc_world *w)
{
    CHECK_STATUS(spc_world_set_gravity(w, spc_world_gravity(w)), SPC_OK);
}

/* So many steps that are computed; those behind these rely on what has been at rest before. */
#define ANEW 1000

/* So many steps at a rate, or no longer ones of any length: after the first second no step needs a
   substitution, and each body has the same bits ever after. In all it has moved by no more than
   rounding of the place. */
static void check_rests(pile p, double rate, int steps, bool uneven)
{
    spc_state first[PILE_MOST], made[PILE_MOST];
    int i, n, late = 0;
    for (i = 0; i < p.bodies; i++)
        made[i] = state_of(p.world, p.body[i]);
    for (n = 0; n < steps; n++) {
        if (n < ANEW || n < 2 * (int)rate)
            begin_anew(p.world);
        take_steps(p.world, (uneven ? test_random(0.4, 1) : 1) / rate, 1);
        if (n >= (int)rate)
            late += report_of(p.world).substitutions + report_of(p.world).factorizations;
        for (i = 0; n == (int)rate && i < p.bodies; i++)
            first[i] = state_of(p.world, p.body[i]);
    }
    CHECK(late == 0);
    for (i = 0; i < p.bodies; i++) {
        const spc_state x = state_of(p.world, p.body[i]);
        CHECK(SAME_BITS(x, first[i]));
        CHECK_NEAR(length(x.V_GB.linear), 0, 0);
        CHECK_NEAR(distance(x.X_GB.p, made[i].X_GB.p), 0, 64 * TEST_EPSILON);
    }
    free(p.world);
}

/* Boxes and grooves 2,000 steps, or a million; in float and of the largest pile fewer. */
#define FEW_STEPS LONG_OR_SHORT(IN_DOUBLE_OR_FLOAT(10000, 2000), IN_DOUBLE_OR_FLOAT(2000, 1000))
#ifdef TEST_LONG
#define STEPS 1000000
#define PYRAMID_STEPS 10000
#else
#define STEPS FEW_STEPS
#define PYRAMID_STEPS (FEW_STEPS / 2)
#endif

static void boxes_rest_bit_for_bit(void)
{
    check_rests(make_box(4), 60, STEPS, false);
    check_rests(make_box(4), 240, STEPS, false);
    check_rests(make_box(8), 240, STEPS, false);
}

static void grooves_rest_bit_for_bit(void)
{
    check_rests(make_groove(1), 240, STEPS, false);
    check_rests(make_groove(10), 60, STEPS, false);
    check_rests(make_groove(10), 240, STEPS, false);
}

static void pyramids_rest_bit_for_bit(void)
{
    check_rests(make_pyramid(4, 0.6), 240, FEW_STEPS, false);
    check_rests(make_square(3, 0.8), 240, FEW_STEPS, false);
    check_rests(make_square(5, 0.8), 60, PYRAMID_STEPS, false);
}

static void stacks_rest_bit_for_bit(void)
{
    check_rests(make_stack(2, 1), 60, FEW_STEPS, false);
    check_rests(make_stack(5, 1), 240, STEPS, false);
}

/* Impulses of a load cancel in a light body below it, and are rounded anew where steps differ. */
static void light_boxes_rest_below_loads(void)
{
    static const double ratio[] = { 5, 70, 1000 };
    int i;
    for (i = 0; i < 3; i++) {
        check_rests(make_stack(2, ratio[i]), 240, 2000, false);
        check_rests(make_stack(2, ratio[i]), 240, 2000, true);
        check_rests(make_stack(4, cbrt(ratio[i])), 60, 2000, true);
    }
}

/* What may be done to a box at rest, and to one of its feet. */
static void lift(spc_world *w, spc_body box, spc_constraint foot)
{
    spc_transform X = state_of(w, box).X_GB;
    (void)foot;
    X.p.z += SPC_R(0.01);
    CHECK_STATUS(spc_body_set_pose(w, box, X), SPC_OK);
}

static void kick(spc_world *w, spc_body box, spc_constraint foot)
{
    (void)foot;
    CHECK_STATUS(spc_body_set_velocity(w, box, spc_spatial_make(zero, vec(0.3, 0, 0))), SPC_OK);
}

static void push_once(spc_world *w, spc_body box, spc_constraint foot)
{
    (void)foot;
    CHECK_STATUS(spc_body_add_force(w, box, vec(3, 0, 0), zero, SPC_ONE_STEP), SPC_OK);
}

static void push_on(spc_world *w, spc_body box, spc_constraint foot)
{
    (void)foot;
    CHECK_STATUS(spc_body_add_force(w, box, vec(90, 0, 0), zero, SPC_LASTING), SPC_OK);
}

static void wrench(spc_world *w, spc_body box, spc_constraint foot)
{
    (void)foot;
    CHECK_STATUS(spc_body_add_torque(w, box, vec(0, 0, 9), SPC_LASTING), SPC_OK);
}

static void load_more(spc_world *w, spc_body box, spc_constraint foot)
{
    const spc_mass mass = spc_mass_box(9, vec(0.1, 0.1, 0.1));
    (void)foot;
    CHECK_STATUS(spc_body_set_mass(w, box, &mass), SPC_OK);
}

static void grease(spc_world *w, spc_body box, spc_constraint foot)
{
    const spc_contact_law law = law_of(0.1, 0);
    (void)box;
    CHECK_STATUS(spc_constraint_set_law(w, foot, true, &law), SPC_OK);
}

static void drive(spc_world *w, spc_body box, spc_constraint foot)
{
    spc_contact_law law = law_of(0.5, 0);
    (void)box;
    law.surface_velocity[0] = SPC_R(0.2);
    CHECK_STATUS(spc_constraint_set_law(w, foot, true, &law), SPC_OK);
}

static void saw_off(spc_world *w, spc_body box, spc_constraint foot)
{
    (void)box;
    CHECK_STATUS(spc_constraint_set_enabled(w, foot, false), SPC_OK);
}

static void take_off(spc_world *w, spc_body box, spc_constraint foot)
{
    (void)box;
    CHECK_STATUS(spc_constraint_remove(w, foot), SPC_OK);
}

static void raise_foot(spc_world *w, spc_body box, spc_constraint foot)
{
    spc_attachment shape;
    (void)box;
    CHECK_STATUS(spc_attachment_get(w, foot, &shape), SPC_OK);
    shape.X_BM.p.z += SPC_R(0.01);
    CHECK_STATUS(spc_attachment_set(w, foot, &shape), SPC_OK);
}

static void stabilize_less(spc_world *w, spc_body box, spc_constraint foot)
{
    spc_stabilization stabilization = spc_stabilization_default();
    (void)box;
    stabilization.enabled = false;
    CHECK_STATUS(spc_constraint_set_stabilization(w, foot, &stabilization), SPC_OK);
    lift(w, box, foot);
}

static void tilt(spc_world *w, spc_body box, spc_constraint foot)
{
    (void)box;
    (void)foot;
    CHECK_STATUS(spc_world_set_gravity(w, vec(6, 0, -GRAVITY)), SPC_OK);
}

static void take_a_long_step(spc_world *w, spc_body box, spc_constraint foot)
{
    (void)box;
    (void)foot;
    take_steps(w, 0.05, 1);
}

static void take_another_step(spc_world *w, spc_body box, spc_constraint foot)
{
    push_on(w, box, foot);
    CHECK_STATUS(spc_step_rk4(w, SPC_R(0.01), SPC_DRIFT_PROJECT), SPC_OK);
}

static void find_forces(spc_world *w, spc_body box, spc_constraint foot)
{
    push_once(w, box, foot);
    CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
}

static void strike(spc_world *w, spc_body box, spc_constraint foot)
{
    kick(w, box, foot);
    CHECK_STATUS(spc_world_impact(w), SPC_OK);
}

static void come_back(spc_world *w, spc_body box, spc_constraint foot)
{
    const size_t bytes = spc_world_state_size(w);
    void *memory = malloc(bytes);
    kick(w, box, foot);
    CHECK_STATUS(spc_world_save_state(w, memory, bytes), SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(w, box, spc_spatial_make(zero, zero)), SPC_OK);
    take_steps(w, 1. / 240, 3);
    CHECK_STATUS(spc_world_load_state(w, memory, bytes), SPC_OK);
    free(memory);
}

static void put_another(spc_world *w, spc_body box, spc_constraint foot)
{
    const spc_body ball = put_ball(w, 1, R, vec(0, 0, 3));
    (void)foot;
    CHECK_STATUS(spc_body_set_velocity(w, ball, spc_spatial_make(zero, vec(0, 0, -9))), SPC_OK);
    (void)put_pair(w, box, ball, 0.1, R, law_of(0.5, 0.5));
}

/* Multipliers of all constraints, as their sum with weights: what is the same is all the same. */
static double weigh_multipliers(const spc_world *w)
{
    spc_real lambda[SPC_MAX_ROWS];
    double sum = 0, weight = 1;
    for (spc_constraint c = { 0, 0 }; spc_constraint_next(w, &c); weight *= 1.1) {
        CHECK_STATUS(spc_constraint_get_multipliers(w, c, lambda), SPC_OK);
        for (int i = 0; i < SPC_MAX_ROWS; i++)
            sum += (1 + 0.1 * i) * weight * (double)lambda[i];
    }
    return sum;
}

/* What is at rest is not computed anew till something is done to it: whatever that is, the next
   steps are those of a world that computes all, bit by bit. */
static void rest_ends_by_all_that_is_done(void)
{
    static void (*const does[])(spc_world *, spc_body, spc_constraint) = {
        lift, kick, push_once, push_on, wrench, load_more, grease, drive, saw_off, take_off,
        raise_foot, stabilize_less, tilt, take_a_long_step, take_another_step, find_forces, strike,
        come_back, put_another,
    };
    const int count = (int)(sizeof does / sizeof does[0]);
    for (int i = 0; i < 3 * count; i++) {
        pile still = make_stack(3, 1), anew = make_stack(3, 1);
        spc_constraint foot = { 0, 0 };
        for (int n = 0; n <= 5 * (i % 3); n++) /* one of the box that it is done to */
            CHECK(spc_constraint_next(still.world, &foot));
        take_steps(still.world, 1. / 240, 20);
        take_steps(anew.world, 1. / 240, 20);
        does[i / 3](still.world, still.body[i % 3], foot);
        does[i / 3](anew.world, anew.body[i % 3], foot);
        for (int n = 0; n < 12; n++) {
            begin_anew(anew.world);
            take_steps(still.world, 1. / 240, 1);
            take_steps(anew.world, 1. / 240, 1);
            CHECK(spc_world_hash(still.world) == spc_world_hash(anew.world));
            CHECK_NEAR(weigh_multipliers(still.world), weigh_multipliers(anew.world), 0);
        }
        free(still.world);
        free(anew.world);
    }
}

/* What may be done to a platform at rest that a box rests on. */
static void set_going(spc_world *w, spc_body platform)
{
    CHECK_STATUS(spc_body_set_velocity(w, platform, spc_spatial_make(zero, vec(0.2, 0, 0))),
                 SPC_OK);
}

static void speed_up(spc_world *w, spc_body platform)
{
    CHECK_STATUS(spc_body_set_acceleration(w, platform, spc_spatial_make(zero, vec(0, 1, 1))),
                 SPC_OK);
}

static void drop(spc_world *w, spc_body platform)
{
    CHECK_STATUS(spc_body_set_pose(w, platform, level(-0.02)), SPC_OK);
}

static void raise(spc_world *w, spc_body platform)
{
    CHECK_STATUS(spc_body_move_to(w, platform, level(0.01), real(0.05)), SPC_OK);
}

static void rest_on_a_platform_ends_as_that_is_moved(void)
{
    static void (*const does[])(spc_world *, spc_body) = { set_going, speed_up, drop, raise };
    for (int i = 0; i < 8; i++) {
        spc_world *w[2];
        spc_body platform[2], box[2];
        for (int k = 0; k < 2; k++) {
            w[k] = contact_world(2, 4, *down());
            platform[k] = put_moved(w[k], zero, zero);
            box[k] = put_body(w[k], spc_mass_box(2, vec(0.1, 0.1, 0.1)), vec(0, 0, 0.1), zero,
                              zero);
            for (int foot = 0; foot < 4; foot++) {
                spc_attachment_desc d = spc_attachment_desc_default();
                spc_constraint c;
                d.a = platform[k];
                d.b = box[k];
                d.shape.locked = SPC_LOCK_TZ;
                d.shape.X_BM.p = vec(foot & 1 ? 0.1 : -0.1, foot & 2 ? 0.1 : -0.1, -0.1);
                d.one_sided = true;
                d.law = law_of(i < 4 ? 0.5 : 0, 0); /* without friction it stays where it is */
                CHECK_STATUS(spc_attachment_add(w[k], &d, &c), SPC_OK);
            }
            take_steps(w[k], 1. / 240, 20);
            does[i % 4](w[k], platform[k]);
        }
        for (int n = 0; n < 12; n++) {
            begin_anew(w[1]);
            take_steps(w[0], 1. / 240, 1);
            take_steps(w[1], 1. / 240, 1);
            CHECK(spc_world_hash(w[0]) == spc_world_hash(w[1]));
            CHECK_NEAR(weigh_multipliers(w[0]), weigh_multipliers(w[1]), 0);
        }
        free(w[0]);
        free(w[1]);
    }
}

/* ---------------------------------------------------------------------- balls apart --------- */

/* Balls on ground, all pairs of which may touch: one that is fast, two before it, the second of
   which is reached in the step in which the first is struck, and some that roll or slide about.
   One of these falls from a little above, one has a plane of its own that ends.
   loaded: with forces, that are none, so that all are solved for in one. */
static pile make_spread(double gap, double resistance, double restitution, bool loaded)
{
    const int count = 16;
    pile p = make_pile(count, count * (count + 1) / 2, *down());
    for (int i = 0; i < count; i++) {
        const double x = i < 3 ? 0.4 * (i > 0) + (2 * R + gap) * (i == 2) : 0.8 * (i % 4) - 1;
        const spc_body b = add_ball(&p, 0.5, R, x, i < 3 ? 0 : i / 4 + 1, i == 3 ? 1.1 * R : R);
        spc_contact_law law = law_of(0.3, 0);
        law.rolling_resistance = real(resistance);
        law.spinning_resistance = real(resistance);
        law.bounded = i == 5;
        law.half_length[0] = law.half_length[1] = 20;
        (void)put_on_plane(p.world, ground, level(0), b, R, law);
        if (i == 0 || i > 4)
            CHECK_STATUS(spc_body_set_velocity(p.world, b,
                                               spc_spatial_make(vec(0, i % 3 * 5, i % 2),
                                                                vec(i ? 0.1 * i : 2, 0.02 * i, 0))),
                         SPC_OK);
        for (int k = 0; k < i; k++)
            (void)put_pair(p.world, p.body[k], p.body[i], R, R,
                           law_of(0.05, restitution));
        if (loaded)
            CHECK_STATUS(spc_body_add_force(p.world, p.body[i], zero, zero, SPC_LASTING), SPC_OK);
    }
    return p;
}

/* A ball whose other contacts are far from closing moves as if it had none, and as it does where
   all are solved for together; what comes near to it in a step is not missed. */
static void balls_apart_move_as_those_solved_for_together(void)
{
    for (int i = 0; i < 24; i++) {
        const double gap = 0.002 + 0.002 * (i % 6), resistance = i / 6 % 2 ? 0.002 : 0;
        const double rate = i < 12 ? 240 : 60, e = i % 2 ? 0.9 : 0;
        pile p = make_spread(gap, resistance, e, false);
        pile q = make_spread(gap, resistance, e, true);
        double most = 0;
        for (int n = 0; n < 40; n++) {
            take_steps(p.world, 1 / rate, 1);
            take_steps(q.world, 1 / rate, 1);
            for (int k = 0; k < p.bodies; k++) {
                const spc_state a = state_of(p.world, p.body[k]), b = state_of(q.world, q.body[k]);
                most = fmax(most, distance(a.X_GB.p, b.X_GB.p));
                most = fmax(most, distance(a.V_GB.linear, b.V_GB.linear));
                most = fmax(most, R * distance(a.V_GB.angular, b.V_GB.angular));
            }
        }
        CHECK_NEAR(most, 0, EXACT); /* beside 2 m/s: rounding, that blows spread */
        free(p.world);
        free(q.world);
    }
}

/* ---------------------------------------------------------------------- momentum ------------ */

/* A ball hits another one off its centre, without friction: the impulse is along the line of
   centres where they meet, not where a step has them, and both go on from there. At 60 m/s and
   60 Hz it would be behind the other one after a step. */
static void check_hit(double rate, double v)
{
    const double ra = 0.1, rb = 0.08, ma = 1, mb = 0.5, e = 0.9, off = 0.1, from = 0.5;
    const double reach = sqrt((ra + rb) * (ra + rb) - off * off), t = (from - reach) / v;
    const double nx = -reach / (ra + rb), ny = off / (ra + rb), time = 0.4;
    const double p = (1 + e) * -v * nx / (1 / ma + 1 / mb), ax = -p / ma * nx, ay = -p / ma * ny;
    const double bx = v + p / mb * nx, by = p / mb * ny, near = EXACT * (1 + v);
    spc_world *w = contact_world(2, 1, zero);
    const spc_body a = put_ball(w, ma, ra, zero), b = put_ball(w, mb, rb, vec(-from, off, 0));
    const spc_constraint c = put_pair(w, a, b, ra, rb, law_of(0, e));
    CHECK_STATUS(spc_body_set_velocity(w, b, spc_spatial_make(zero, vec(v, 0, 0))), SPC_OK);
    take_steps(w, 1 / rate, (int)(time * rate + 0.5));
    CHECK_NEAR(distance(state_of(w, a).V_GB.linear, vec(ax, ay, 0)), 0, near);
    CHECK_NEAR(distance(state_of(w, b).V_GB.linear, vec(bx, by, 0)), 0, near);
    CHECK_NEAR(distance(state_of(w, a).X_GB.p, vec(ax * (time - t), ay * (time - t), 0)), 0, near);
    CHECK_NEAR(distance(state_of(w, b).X_GB.p,
                        vec(-from + v * t + bx * (time - t), off + by * (time - t), 0)),
               0, near);
    CHECK(contact_of_world(w, c).state == SPC_CONTACT_OPEN);
    free(w);
}

static void two_balls_part_as_they_met(void)
{
    int i;
    for (i = 0; i < RATES; i++) {
        check_hit(rates[i], 3);
        check_hit(rates[i], 60);
    }
}

/* Balls within a hollow one that is free as well, no gravity: they hit it and each other. */
#define INSIDE 4
static pile make_rattle(double mu, double e)
{
    pile p = make_pile(INSIDE + 1, INSIDE * (INSIDE + 1), zero);
    int i, k;
    const spc_body shell = add_ball(&p, 3, 0.5, 0, 0, 0);
    for (i = 0; i < INSIDE; i++) {
        const spc_body b = add_ball(&p, 0.3 + 0.4 * i, R, i & 1 ? 0.2 : -0.2, i & 2 ? 0.2 : -0.2,
                                    0.05 * i);
        spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
        spc_constraint c;
        d.a = shell;
        d.b = b;
        d.shape.hollow = true;
        d.shape.radius_a = SPC_R(0.5);
        d.shape.radius_b = real(R);
        d.one_sided = true;
        d.law = law_of(mu, e);
        CHECK_STATUS(spc_sphere_on_sphere_add(p.world, &d, &c), SPC_OK);
        for (k = 1; k <= i; k++)
            (void)put_pair(p.world, p.body[k], b, R, R, law_of(mu, e));
        CHECK_STATUS(spc_body_set_velocity(p.world, b, test_random_spatial(5, 2)), SPC_OK);
    }
    return p;
}

static int hits_of(const spc_world *w)
{
    spc_constraint c = { 0, 0 };
    int hits = 0;
    while (spc_contact_event_next(w, &c))
        hits += contact_of_world(w, c).hit_speed > 0;
    return hits;
}

/* Momenta stay to rounding through hundreds of impacts; where one pair meets in a step, energy does
   not rise, and stays with e = 1 and no friction, whatever the direction and the instant. A ball
   whose bounces along the shell have come to an end, in the step or before, has no restitution
   there, and takes of a blow at another. Where
   several do, each is as if alone until the middle of the step, which is of first order, and may
   leave an overlap to the next step. Where spheres meet is found to 16 roundings of a coordinate,
   in float 1e-6 m of the radius of 0.1 m: the normal turns by 1e-5, and energy by up to 2 v_t / v_n
   times that. A pair beside others that meet in vain is solved for with them, to some 1e-10 of its
   velocities. Some steps have more bounces along the shell than a step may, and tell it. */
static int check_rattle(double mu, double e, int steps, int least_hits)
{
    pile p = make_rattle(mu, e);
    const spc_energy_momentum before = momentum_of(p.world);
    double energy = (double)before.kinetic, rise = 0, fall = 0;
    spc_energy_momentum after;
    int n, hits = 0, pressing = 0, unsolved = 0;
    for (n = 0; n < steps; n++) {
        spc_constraint c = { 0, 0 };
        const int last = pressing;
        pressing = 0;
        take_steps(p.world, 1 / 240., 1);
        while (spc_constraint_next(p.world, &c)) {
            const spc_contact_info contact = contact_of_world(p.world, c);
            pressing += (contact.force[2] > 0) + 2 * (contact.state != SPC_CONTACT_OPEN);
        }
        after = momentum_of(p.world);
        if (pressing < 2 && last < 2) {
            rise = fmax(rise, (double)after.kinetic / energy - 1);
            fall = fmax(fall, 1 - (double)after.kinetic / energy);
        }
        energy = (double)after.kinetic;
        hits += hits_of(p.world);
        unsolved += report_of(p.world).unsolved > 0;
        CHECK((double)report_of(p.world).residual <= IN_DOUBLE_OR_FLOAT(1e-9, 1e-4));
    }
    after = momentum_of(p.world);
    CHECK(hits >= least_hits);
    CHECK_NEAR(distance(before.linear, after.linear), 0, EXACT);
    CHECK_NEAR(distance(before.angular, after.angular), 0, IN_DOUBLE_OR_FLOAT(1e-10, 1e-2));
    CHECK(rise <= IN_DOUBLE_OR_FLOAT(1e-10, 4e-5));
    CHECK(mu > 0 || fall <= IN_DOUBLE_OR_FLOAT(1e-12, 1e-5));
    free(p.world);
    return unsolved;
}

static void momenta_stay_through_impacts(void)
{
    int draw, unsolved = 0;
    CHECK(check_rattle(0, 1, IN_DOUBLE_OR_FLOAT(10000, 2000), IN_DOUBLE_OR_FLOAT(600, 100)) <= 2);
    CHECK(check_rattle(0.3, 1, 5000, 80) <= 2);
    for (draw = 0; draw < 8; draw++)
        unsolved += check_rattle(0.3, 0.5, 2000, 20);
    CHECK(unsolved <= 8 * 25); /* 12 of 2,000 of a draw, from 1 to 50 */
}

/* Bodies that hit the floor with one corner or two, jointed to each other or not, with friction and
   e = 1: Newton's law brings energy into some. What is passive does not, in an impact and in a step
   without gravity, and bounces less only where it has to. (A step's joints give energy at second
   order.) */
static spc_world *make_throw(bool passive, int kind)
{
    spc_world *w = contact_world(2, 5, zero);
    spc_contact_law law = law_of(0.8, 1);
    const spc_spatial V = test_random_spatial(4, 2);
    spc_body body[2];
    int i;
    law.passive = passive;
    for (i = 0; i < 1 + (kind >= 2); i++) { /* as one rigid body: joints hold before, but kind 3 */
        const spc_mass m = spc_mass_solid_sphere(1, SPC_R(0.2)); /* displacing turns it: alike */
        const spc_vec3 off = kind == 3 ? test_random_vec3(0.3) : zero;
        const double y = i * 0.3;
        int foot;
        body[i] = put_body(w, m, vec(0, y, 0.2), V.angular,
                           spc_add(spc_add(V.linear, off), spc_cross(V.angular, vec(0, y, 0))));
        CHECK_STATUS(spc_body_set_pose(w, body[i], spc_transform_make(test_random_quat(),
                                                                      vec(0, y, 0.2))),
                     SPC_OK);
        for (foot = 0; foot < 1 + (kind == 1); foot++) {
            const spc_vec3 at = foot ? vec(-0.3, 0.1, -0.05) : vec(0.3, 0.1, 0.05);
            (void)put_foot(w, body[i], at, law);
        }
    }
    if (kind >= 2) {
        spc_attachment_desc d = spc_attachment_desc_default();
        spc_constraint c;
        d.a = body[0];
        d.b = body[1];
        d.keep_pose = true;
        d.shape.locked = SPC_BALL_JOINT;
        d.shape.X_AF.p = vec(0, 0.15, 0);
        CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
    }
    return w;
}

static void passive_impacts_bring_no_energy_in(void)
{
    int kind, i, rose = 0, rest = 0;
    for (kind = 0; kind < 3; kind++)
        for (i = 0; i < 200; i++) {
            const bool step = i >= 100; /* with a foot below the floor */
            spc_real left[2];
            int passive;
            for (passive = 0; passive < 2; passive++) {
                spc_world *w;
                double before;
                test_seed = (unsigned long long)(100 * kind + i + 1);
                w = make_throw(passive, kind);
                before = energy_of(w);
                if (step)
                    take_steps(w, 1 / 240., 1);
                else
                    CHECK_STATUS(spc_world_impact(w), SPC_OK);
                left[passive] = (spc_real)(energy_of(w) / before);
                CHECK(report_of(w).unsolved == 0);
                free(w);
            }
            rose += left[0] > 1 + SPC_R(1e-5);
            CHECK_NEAR(fmax((double)left[1] - 1, 0), 0,
                       step && kind == 2 ? 1e-3 : 4096 * TEST_EPSILON);
            rest += left[0] > 1 + SPC_R(1e-5) && left[1] < SPC_R(0.9);
            if (!(left[0] > 1))
                CHECK_NEAR(left[1], left[0], IN_DOUBLE_OR_FLOAT(1e-9, 1e-3));
        }
    CHECK(rose >= 10);    /* some */
    CHECK(rest <= rose / 2); /* e goes down as far as it must: energy is kept where it would rise */
}

/* The same impacts where the joint has a velocity error of some 0.3 m/s, which they take out. With
   the work of the joint, too, the energy does not rise: without it, it did where Newton's law has
   it so, and e went down elsewhere where nothing would have risen. */
static void passive_impacts_take_errors_of_joints_out(void)
{
    int i, rose = 0;
    for (i = 0; i < 400; i++) {
        double left[2];
        int passive;
        for (passive = 0; passive < 2; passive++) {
            spc_world *w;
            double before;
            test_seed = (unsigned long long)(i + 1);
            w = make_throw(passive, 3);
            before = energy_of(w);
            CHECK_STATUS(spc_world_impact(w), SPC_OK);
            left[passive] = energy_of(w) / before;
            CHECK(report_of(w).unsolved == 0);
            free(w);
        }
        rose += left[0] > 1 + 1e-5;
        CHECK(left[1] <= 1 + 4096 * TEST_EPSILON);
        if (left[0] <= 1)
            CHECK_NEAR(left[1], left[0], IN_DOUBLE_OR_FLOAT(1e-9, 1e-3));
    }
    CHECK(rose >= 5); /* some would */
}

/* ---------------------------------------------------------------------- many bodies --------- */

/* Steps of a world whose residuals are small, and whose numbers stay finite: a bound of speed. */
static void run(spc_world *w, double rate, double time, double worst, int most_unsolved)
{
    const int steps = (int)(rate * time + 0.5);
    double residual = 0;
    int n, unsolved = 0;
    for (n = 0; n < steps; n++) {
        spc_world_report r;
        take_steps(w, 1 / rate, 1);
        r = report_of(w);
        unsolved += r.unsolved;
        note(&residual, (double)r.residual);
    }
    CHECK(residual <= worst);
    CHECK(unsolved <= most_unsolved);
    CHECK(energy_of(w) < LARGEST);
}

/* Five balls on strings that touch: the first comes with 1 m/s. Newton's law at once for all of
   them keeps the momentum, and no ball goes through its neighbour. */
static void a_cradle_keeps_its_momentum(void)
{
    pile p = make_pile(5, 9, *down());
    double momentum = 0;
    int i;
    for (i = 0; i < 5; i++) {
        spc_attachment_desc d = spc_attachment_desc_default();
        spc_constraint c;
        d.b = add_ball(&p, 1, 0.05, 0.1 * i, 0, 0);
        d.shape.X_AF.p = vec(0.1 * i, 0, 1);
        d.shape.X_BM.p = vec(0, 0, 1);
        d.shape.locked = SPC_BALL_JOINT;
        CHECK_STATUS(spc_attachment_add(p.world, &d, &c), SPC_OK);
        if (i)
            (void)put_pair(p.world, p.body[i - 1], p.body[i], 0.05, 0.05, law_of(0, 1));
    }
    CHECK_STATUS(spc_body_set_velocity(p.world, p.body[0],
                                       spc_spatial_make(vec(0, -1, 0), vec(1, 0, 0))),
                 SPC_OK);
    CHECK_STATUS(spc_world_impact(p.world), SPC_OK);
    for (i = 0; i < 5; i++)
        momentum += (double)state_of(p.world, p.body[i]).V_GB.linear.x;
    CHECK_NEAR(momentum, 1, EXACT);
    CHECK_NEAR(energy_of(p.world), 0.5 * (1 + 0.4 * 0.05 * 0.05), EXACT);
    run(p.world, 240, 1, IN_DOUBLE_OR_FLOAT(1e-9, 1e-3), 0);
    free(p.world);
}

/* Speeds along x of so many balls in a row; all others are rounding. */
static void check_speeds(spc_world *w, const spc_body *ball, int n, const double *v)
{
    int i;
    for (i = 0; i < n; i++) {
        const spc_spatial V = state_of(w, ball[i]).V_GB;
        CHECK_NEAR((double)V.linear.x, v[i], EXACT);
        CHECK_NEAR(length(V.linear) + length(V.angular), fabs(v[i]), EXACT);
    }
}

/* Five balls of 1 kg in a row, without gravity, so far apart; the first ones come with 1 m/s, and
   have 5 cm to go. */
static pile make_row(int first, double gap, double restitution)
{
    pile p = make_pile(5, 9, zero);
    spc_contact_law law = law_of(0, restitution);
    int i;
    law.propagates = true;
    for (i = 0; i < 5; i++) {
        p.body[p.bodies++] =
            put_body(p.world, spc_mass_solid_sphere(1, SPC_R(0.05)),
                     vec(i * (0.1 + gap) - (i < first ? 0.05 : 0), 0, 0), zero,
                     vec(i < first, 0, 0));
        if (i)
            (void)put_pair(p.world, p.body[i - 1], p.body[i], 0.05, 0.05, law);
    }
    return p;
}

/* As many balls leave a row as come, with their speed, whether they touch or have gaps that are
   passed within one step; and each is where it is: ball i is struck when what comes has gone 5 cm
   and the gaps that are left, and all in front of it stand then. */
static void impacts_that_propagate_go_through_a_row(void)
{
    const double wide[2] = { 0, 1e-3 }, time = 0.125;
    int first, k, i, r;
    for (first = 1; first < 5; first++) {
        const double leave[5] = { first > 4, first > 3, first > 2, first > 1, 1 };
        pile p = make_row(first, 0, 1);
        for (i = 0; i < first; i++)
            CHECK_STATUS(spc_body_set_pose(p.world, p.body[i], spc_transform_make(
                                                                   spc_quat_identity(),
                                                                   vec(0.1 * i, 0, 0))),
                         SPC_OK);
        CHECK_STATUS(spc_world_impact(p.world), SPC_OK);
        check_speeds(p.world, p.body, 5, leave);
        free(p.world);
        for (k = 0; k < 2; k++) {
            for (r = 0; r < RATES; r++) {
                const double gone = time - 0.05 - (5 - first) * wide[k];
                p = make_row(first, wide[k], 1);
                take_steps(p.world, 1 / rates[r], (int)(time * rates[r] + 0.5));
                check_speeds(p.world, p.body, 5, leave);
                CHECK_NEAR((double)state_of(p.world, p.body[4]).X_GB.p.x,
                           4 * (0.1 + wide[k]) + gone +
                               ((int)(time * rates[r] + 0.5) / rates[r] - time),
                           EXACT);
                CHECK(report_of(p.world).unsolved == 0);
                free(p.world);
            }
            p = make_row(first, wide[k], 1);
            for (i = 0; i < 30; i++)
                CHECK_STATUS(spc_step_rk4(p.world, 1 / SPC_R(240.), SPC_DRIFT_PROJECT), SPC_OK);
            check_speeds(p.world, p.body, 5, leave);
            free(p.world);
        }
    }
}

/* e = 1/2 loses energy at each impact, and 0 ends with one speed for all; momentum stays. */
static void impacts_that_propagate_lose_what_the_law_says(void)
{
    int e, i;
    for (e = 0; e < 2; e++) {
        pile p = make_row(1, 0, 0.5 * e);
        double momentum = 0, last = -1;
        take_steps(p.world, 1. / 240, 60);
        for (i = 0; i < 5; i++) {
            const double v = (double)state_of(p.world, p.body[i]).V_GB.linear.x;
            CHECK(v >= last - EXACT); /* no ball is behind its neighbour and faster */
            momentum += v;
            last = v;
            if (e == 0)
                CHECK_NEAR(v, 0.2, EXACT);
        }
        CHECK_NEAR(momentum, 1, EXACT);
        CHECK(energy_of(p.world) < 0.5 && energy_of(p.world) >= 0.1 - EXACT);
        free(p.world);
    }
}

/* Balls without friction in a box without gravity, e = 1: where impacts propagate each is one of
   two bodies at its time, and keeps the energy, through some 300 of them in 20 s. At 60 Hz a ball
   that meets several others in a step meets the later ones along the line in the middle of the
   step, which is off by what they turn about each other: 0.04 at most in 16 runs; at 240 Hz that
   happens once in this one. */
static void check_gas(double rate, double most)
{
    const double r = 0.15;
    pile p = make_pile(8, 8 * 6 + 28, zero);
    double before;
    int i, k;
    for (i = 0; i < 8; i++) {
        spc_contact_law law = law_of(0, 1);
        law.propagates = true;
        p.body[p.bodies++] = put_body(
            p.world, spc_mass_solid_sphere(1, real(r)),
            vec(0.5 + (i & 1), 0.5 + (i >> 1 & 1), 0.5 + (i >> 2 & 1)), zero,
            vec(test_random(-2, 2), test_random(-2, 2), test_random(-2, 2)));
        for (k = 0; k < 6; k++) {
            const double s = k & 1 ? -1 : 1, at = k & 1 ? 2 : 0;
            (void)put_on_plane(p.world, ground,
                               plane_at(vec(k / 2 == 0 ? s : 0, k / 2 == 1 ? s : 0,
                                            k / 2 == 2 ? s : 0),
                                        vec(k / 2 == 0 ? at : 0, k / 2 == 1 ? at : 0,
                                            k / 2 == 2 ? at : 0)),
                               p.body[i], r, law);
        }
        for (k = 0; k < i; k++)
            (void)put_pair(p.world, p.body[k], p.body[i], r, r, law);
    }
    before = energy_of(p.world);
    take_steps(p.world, 1 / rate, (int)(rate * 20));
    CHECK_NEAR(energy_of(p.world) / before, 1, most);
    free(p.world);
}

static void a_gas_keeps_its_energy(void)
{
    check_gas(60, 0.05);
    check_gas(240, 1e-3);
}

/* A row of balls on a floor or on rails, with gaps that are passed within a step: the first comes
   with 1 m/s, without spin. The floor's contacts are struck like those of balls, or all at once:
   they rest, and nothing strikes them. One ball has a plane that ends elsewhere. */
static void check_row_on_floor(bool rails, bool floor, double friction)
{
    const spc_spatial still = spc_spatial_make(zero, zero);
    pile p = make_pile(5, 20, *down());
    double momentum = 0, before;
    int i;
    for (i = 0; i < 5; i++) {
        const double x = i * 0.1001;
        spc_contact_law law = law_of(friction, 1);
        spc_body b = add_ball(&p, 1, 0.05, x, 0, 0.05);
        law.propagates = true;
        if (i)
            (void)put_pair(p.world, p.body[i - 1], b, 0.05, 0.05, law);
        if (rails) {
            spc_attachment_desc d = spc_attachment_desc_default();
            spc_constraint c;
            d.b = b;
            d.shape.X_AF.p = vec(x, 0, 0.05);
            d.shape.locked = 0x3e; /* a rail along x, without turns */
            CHECK_STATUS(spc_attachment_add(p.world, &d, &c), SPC_OK);
        } else {
            law = law_of(friction, 0);
            law.propagates = floor;
            (void)put_on_plane(p.world, ground, level(0), b, 0.05, law);
        }
        if (i == 0) {
            law.bounded = true;
            (void)put_on_plane(p.world, ground, plane_at(vec(0, 0, 1), vec(0, 9, 0)), b, 0.05, law);
        }
    }
    CHECK_STATUS(spc_body_set_velocity(p.world, p.body[0], spc_spatial_make(zero, vec(1, 0, 0))),
                 SPC_OK);
    before = energy_of(p.world);
    CHECK_STATUS(spc_world_impact(p.world), SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(p.world, p.body[0], spc_spatial_make(zero, vec(1, 0, 0))),
                 SPC_OK);
    for (i = 1; i < 5; i++)
        CHECK_STATUS(spc_body_set_velocity(p.world, p.body[i], still), SPC_OK);
    take_steps(p.world, 1. / 60, 15);
    for (i = 0; i < 5; i++) {
        const spc_state x = state_of(p.world, p.body[i]);
        momentum += (double)x.V_GB.linear.x;
        CHECK_NEAR((double)x.X_GB.p.z, 0.05, EXACT);
        if (!(friction > 0))
            CHECK_NEAR((double)x.V_GB.linear.x, i == 4, IN_DOUBLE_OR_FLOAT(1e-9, 1e-4));
    }
    CHECK(momentum <= 1 + EXACT);
    CHECK(energy_of(p.world) <= before + EXACT);
    CHECK(report_of(p.world).unsolved == 0);
    free(p.world);
}

static void what_propagates_has_joints_floors_and_friction(void)
{
    check_row_on_floor(true, false, 0);
    check_row_on_floor(false, false, 0);
    check_row_on_floor(false, true, 0);
    check_row_on_floor(false, false, 0.2);
    check_row_on_floor(false, true, 0.2);
}

/* A ball of 1 kg between a wall and one of M, all touching, e = 1: they meet as often as pi sqrt(M)
   says (Galperin 2003), 31 times for M = 100, and keep the energy. For 1e4 that is 314 times, and
   what is left after 256 of them is solved for at once: nothing approaches any more. */
static void a_ball_in_between_is_struck_many_times(void)
{
    int k;
    for (k = 0; k < 2; k++) {
        const double mass = k ? 1e4 : 100, r = 0.1;
        pile p = make_pile(2, 2, zero);
        spc_contact_law law = law_of(0, 1);
        double v[2], energy;
        int i;
        law.propagates = true;
        (void)add_ball(&p, 1, r, r, 0, 0);
        (void)add_ball(&p, mass, r, 3 * r, 0, 0);
        (void)put_on_plane(p.world, ground, plane_at(vec(1, 0, 0), zero), p.body[0], r, law);
        (void)put_pair(p.world, p.body[0], p.body[1], r, r, law);
        CHECK_STATUS(spc_body_set_velocity(p.world, p.body[1],
                                           spc_spatial_make(zero, vec(-1, 0, 0))),
                     SPC_OK);
        CHECK_STATUS(spc_world_impact(p.world), SPC_OK);
        for (i = 0; i < 2; i++)
            v[i] = (double)state_of(p.world, p.body[i]).V_GB.linear.x;
        energy = (v[0] * v[0] + mass * v[1] * v[1]) / mass;
        CHECK(v[0] >= -EXACT && v[1] >= v[0] - EXACT && energy <= 1 + EXACT);
        if (k == 0)
            CHECK_NEAR(energy, 1, EXACT);
        free(p.world);
    }
}

/* A beam of 1 m on a hinge touches a plane 3 cm beside it, 0.1 mm deep: it is lifted out, though
   its middle goes 17 times as far as the contact, whose gap of 16 roundings of 1 m is none. */
static void a_short_lever_may_displace_far(void)
{
    pile p = make_pile(1, 2, *down());
    spc_attachment_desc d = spc_attachment_desc_default(), foot = spc_attachment_desc_default();
    spc_constraint c;
    p.body[0] = put_body(p.world, spc_mass_box(1, vec(0.5, 0.025, 0.025)), vec(0.5, 0, 0), zero,
                         zero);
    d.b = foot.b = p.body[0];
    d.shape.X_BM.p = vec(-0.5, 0, 0);
    d.shape.locked = SPC_BALL_JOINT;
    CHECK_STATUS(spc_attachment_add(p.world, &d, &c), SPC_OK);
    foot.shape.X_AF.p = vec(0, 0, 1e-4);
    foot.shape.X_BM.p = vec(-0.47, 0, 0);
    foot.shape.locked = 4;
    foot.one_sided = true;
    foot.law = law_of(0.5, 0);
    CHECK_STATUS(spc_attachment_add(p.world, &foot, &c), SPC_OK);
    take_steps(p.world, 1. / 60, 60);
    CHECK_NEAR((double)state_of(p.world, p.body[0]).X_GB.p.z, 1e-4 * 0.5 / 0.03,
               IN_DOUBLE_OR_FLOAT(1e-5, 17 * 16 * TEST_EPSILON));
    free(p.world);
}

#define PUT 6

/* Balls as they are put, on a floor at rest, over one, or in free space. */
typedef struct put_balls {
    int count;
    bool floor;
    double radius[PUT], mass[PUT];
    spc_vec3 p[PUT];
} put_balls;

/* Each ball overlaps with another by 3 to 20 %. On a floor all stand on it, or up to so high. */
static put_balls balls_that_overlap(int count, bool floor, double high)
{
    put_balls put;
    memset(&put, 0, sizeof put);
    put.floor = floor;
    while (put.count < count) {
        const int n = put.count;
        const double radius = test_random(0.05, 0.15), reach = floor ? 0.2 : 0.3;
        double least = n ? 1 : 0.9;
        put.radius[n] = radius;
        put.mass[n] = test_random(0.3, 3);
        put.p[n] = vec(test_random(-reach, reach), test_random(-reach, reach),
                       floor ? radius + test_random(0, high) : test_random(-reach, reach));
        for (int i = 0; i < n; i++) {
            const double far = distance(put.p[n], put.p[i]) / (radius + put.radius[i]);
            least = far < least ? far : least;
        }
        put.count += least > 0.8 && least < 0.97;
    }
    return put;
}

/* The least displacement in the norm of masses that opens all and closes none, with normals as they
   are: all contacts in turn, some thousand times. */
static void least_opening(const put_balls *put, spc_vec3 *d)
{
    double pair[PUT][PUT] = { { 0 } }, below[PUT] = { 0 };
    memset(d, 0, PUT * sizeof *d);
    for (int turn = 0; turn < 2000; turn++)
        for (int i = 0; i < put->count; i++) {
            for (int j = 0; j < i; j++) {
                const spc_vec3 way = spc_sub(put->p[i], put->p[j]);
                const double far = (double)spc_norm(way);
                const spc_vec3 n = spc_scale(real(1 / far), way);
                const double e = far - put->radius[i] - put->radius[j] +
                                 (double)spc_dot(n, spc_sub(d[i], d[j]));
                const double x = pair[i][j] - e / (1 / put->mass[i] + 1 / put->mass[j]);
                const double change = (x > 0 ? x : 0) - pair[i][j];
                pair[i][j] += change;
                d[i] = spc_add(d[i], spc_scale(real(change / put->mass[i]), n));
                d[j] = spc_sub(d[j], spc_scale(real(change / put->mass[j]), n));
            }
            const double gap = (double)(put->p[i].z + d[i].z) - put->radius[i];
            const double x = below[i] - gap * put->mass[i];
            const double change = (put->floor && x > 0 ? x : 0) - below[i];
            below[i] += change;
            d[i].z += real(change / put->mass[i]);
        }
}

/* What a step displaces them by, each contact told so many times, the last one first or not. */
static void opened_by_a_step(const put_balls *put, spc_vec3 gravity, int times, bool back,
                             spc_vec3 *d)
{
    spc_world *w = contact_world(PUT, 50, gravity);
    spc_body ball[PUT];
    for (int i = 0; i < put->count; i++)
        ball[i] = put_ball(w, put->mass[i], put->radius[i], put->p[i]);
    for (int n = 0; n < put->count * put->count * times; n++) {
        const int m = (back ? put->count * put->count * times - 1 - n : n) / times;
        const int i = m / put->count, j = m % put->count;
        if (j < i)
            (void)put_pair(w, ball[i], ball[j], put->radius[i], put->radius[j], law_of(0.5, 0));
        else if (i == j && put->floor)
            (void)put_on_plane(w, ground, level(0), ball[i], put->radius[i], law_of(0.5, 0));
    }
    take_steps(w, 1. / 60, 1);
    for (int i = 0; i < put->count; i++) {
        const spc_state s = state_of(w, ball[i]);
        d[i] = spc_sub(s.X_GB.p, put->p[i]);
        CHECK_NEAR((double)spc_norm(s.V_GB.linear), 0, EXACT);
        CHECK_NEAR((double)spc_norm(s.V_GB.angular), 0, EXACT);
    }
    free(w);
}

/* Balls with friction that are put so that they overlap, two on a floor, or some over one or in
   free space, come apart by the least that closes none, without a velocity, however often contacts
   are told, and in which order. */
static void what_overlaps_comes_apart_by_the_least(void)
{
    for (int scene = 0; scene < 60; scene++) {
        const bool rests = scene % 3 == 1, floor = rests || scene % 3 == 2;
        const spc_vec3 gravity = rests ? *down() : zero;
        const put_balls put = balls_that_overlap(rests ? 2 : 2 + scene % 5, floor, rests ? 0 : 0.3);
        spc_vec3 least[PUT], d[3][PUT], moved = zero;
        least_opening(&put, least);
        opened_by_a_step(&put, gravity, 1, false, d[0]);
        opened_by_a_step(&put, gravity, 2, false, d[1]);
        opened_by_a_step(&put, gravity, 1, true, d[2]);
        for (int i = 0; i < put.count; i++) {
            moved = spc_add(moved, spc_scale(real(put.mass[i]), d[0][i]));
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(distance(d[k][i], least[i]), 0, IN_DOUBLE_OR_FLOAT(1e-7, 1e-4));
        }
        moved.z = floor ? 0 : moved.z; /* a floor lifts */
        CHECK_NEAR((double)spc_norm(moved), 0, IN_DOUBLE_OR_FLOAT(1e-14, 2e-6));
    }
}

/* A ball bounces on another, of 50 kg, which rests, as on the floor: what supports that counts. */
static void what_rests_is_bounced_on_as_a_floor(void)
{
    const double e = 0.8, top = 0.3, t = sqrt(2 * top / GRAVITY), v = e * GRAVITY * t;
    int i;
    for (i = 0; i < RATES; i++) {
        const int n = (int)(0.6 * rates[i] + 0.5);
        const double flight = n / rates[i] - t, z = v * flight - GRAVITY / 2 * flight * flight;
        pile p = make_pile(2, 2, *down());
        (void)add_ball(&p, 50, 0.5, 0, 0, 0.5);
        (void)add_ball(&p, 1, 0.1, 0, 0, 1.1 + top);
        (void)put_on_plane(p.world, ground, level(0), p.body[0], 0.5, law_of(0.5, e));
        (void)put_pair(p.world, p.body[0], p.body[1], 0.5, 0.1, law_of(0.5, e));
        take_steps(p.world, 1 / rates[i], n);
        CHECK_NEAR((double)state_of(p.world, p.body[1]).X_GB.p.z - 1.1, z, EXACT);
        CHECK_NEAR((double)state_of(p.world, p.body[0]).X_GB.p.z, 0.5, EXACT);
        free(p.world);
    }
}

/* A column of 30 balls that overlap, but for one that is too high by what others close within the
   step: then all are one heap. What the lower ones are supported by was taken for a speed that they
   come with, and all but the lowest were sent up, at g h. */
static void a_column_that_closes_within_a_step_does_not_rise(void)
{
    const double h = 1. / 240, high = IN_DOUBLE_OR_FLOAT(7e-6, 7e-5);
    pile p = make_pile(30, 30, *down());
    for (int i = 0; i < 30; i++)
        (void)add_ball(&p, 1, 0.5, 0, 0, 0.5 + 0.9995 * i + (i > 18 ? 5e-4 + high : 0));
    (void)put_on_plane(p.world, ground, level(0), p.body[0], 0.5, law_of(0.5, 0.5));
    for (int i = 1; i < 30; i++)
        (void)put_pair(p.world, p.body[i - 1], p.body[i], 0.5, 0.5, law_of(0.5, 0.5));
    CHECK_STATUS(spc_step(p.world, real(h)), SPC_OK);
    for (int i = 0; i < 30; i++) {
        const double v = (double)state_of(p.world, p.body[i]).V_GB.linear.z;
        CHECK_NEAR(v, i > 18 ? -high / h : 0, IN_DOUBLE_OR_FLOAT(1e-9, 2e-3)); /* 2 eps 30 m / h */
    }
    free(p.world);
}

/* Three balls fall onto each other and bounce with e = 0.8. They end as a column at rest by
   themselves, though no ball falls against the one below where both fall. Where impacts propagate,
   spc_step feels what supports the lowest level alone, and needs a speed that does not bounce. */
static void columns_of_balls_come_to_rest(void)
{
    int kind, i;
    for (kind = 0; kind < 4; kind++) {
        pile p = make_pile(3, 4, *down());
        spc_contact_law law = law_of(0.3, 0.8);
        law.propagates = kind % 2 == 1;
        law.restitution_speed = kind < 3 ? 0 : SPC_R(0.1);
        for (i = 0; i < 3; i++) {
            (void)add_ball(&p, 1, 0.1, 0, 0, 0.3 + 0.35 * i);
            if (i == 0)
                (void)put_on_plane(p.world, ground, level(0), p.body[0], 0.1, law);
            else
                (void)put_pair(p.world, p.body[i - 1], p.body[i], 0.1, 0.1, law);
        }
        (void)put_pair(p.world, p.body[2], ground, 0.1, 0.1, law); /* at the origin, never near */
        for (i = 0; i < 3 * 240; i++)
            CHECK_STATUS(kind < 2 ? spc_step_rk4(p.world, 1 / SPC_R(240.), SPC_DRIFT_PROJECT)
                                  : spc_step(p.world, 1 / SPC_R(240.)),
                         SPC_OK);
        for (i = 0; i < 3; i++) {
            const spc_state x = state_of(p.world, p.body[i]);
            CHECK_NEAR((double)x.X_GB.p.z, 0.1 + 0.2 * i, IN_DOUBLE_OR_FLOAT(1e-9, 1e-4));
            CHECK_NEAR(length(x.V_GB.linear), 0, IN_DOUBLE_OR_FLOAT(1e-9, 1e-4));
        }
        free(p.world);
    }
}

/* A break at 60 Hz, where some of 39 contacts of a step nearly depend on each other: no ball goes
   farther in a step than the fastest does, and a radius for balls that come out of each other. */
static void a_break_at_60_hz_does_not_leap(void)
{
    const double r = 0.0286, h = 1. / 60;
    pile p = make_pile(16, 16 + 120, *down());
    spc_vec3 at[16];
    int row, i, k;
    (void)add_ball(&p, 0.17, r, -0.5, 0.05, r);
    for (row = 0; row < 5; row++)
        for (i = 0; i <= row; i++)
            (void)add_ball(&p, 0.17, r, 0.42 + row * 1.7322 * r, (2 * i - row) * 1.0002 * r, r);
    for (i = 0; i < 16; i++) {
        (void)put_on_plane(p.world, ground, level(0), p.body[i], r, law_of(0.2, 0));
        for (k = 0; k < i; k++)
            (void)put_pair(p.world, p.body[k], p.body[i], r, r, law_of(0.05, 0.95));
    }
    CHECK_STATUS(spc_body_set_velocity(p.world, p.body[0],
                                       spc_spatial_make(zero, vec(6, -0.3, 0))),
                 SPC_OK);
    for (k = 0; k < 60; k++) {
        for (i = 0; i < 16; i++)
            at[i] = state_of(p.world, p.body[i]).X_GB.p;
        take_steps(p.world, h, 1);
        for (i = 0; i < 16; i++)
            CHECK(length(spc_sub(state_of(p.world, p.body[i]).X_GB.p, at[i])) <= 6.1 * h + r);
    }
    free(p.world);
}

/* The break of 16: a ball of 8 m/s. */
static void a_break_loses_no_momentum_to_residuals(void)
{
    const double r = 0.028;
    pile p = make_pile(16, 16 + 120, *down());
    int row, i, k;
    (void)add_ball(&p, 0.17, r, -0.3, 0.001, r);
    for (row = 0; row < 5; row++)
        for (i = 0; i <= row; i++)
            (void)add_ball(&p, 0.17, r, row * sqrt(3.) * r * 1.0001, (2 * i - row) * r * 1.0001, r);
    for (i = 0; i < 16; i++) {
        (void)put_on_plane(p.world, ground, level(0), p.body[i], r, law_of(0.2, 0.5));
        for (k = 0; k < i; k++)
            (void)put_pair(p.world, p.body[k], p.body[i], r, r, law_of(0.05, 0.95));
    }
    CHECK_STATUS(spc_body_set_velocity(p.world, p.body[0], spc_spatial_make(zero, vec(8, 0, 0))),
                 SPC_OK);
    {
        const double before = energy_of(p.world);
        run(p.world, 240, 0.25, IN_DOUBLE_OR_FLOAT(1e-9, 1e-3), 0);
        CHECK(energy_of(p.world) < before);
    }
    for (i = 0; i < 16; i++) /* balls of 2 m/s go in by no more than some micrometres */
        for (k = 0; k < i; k++)
            CHECK(distance(state_of(p.world, p.body[i]).X_GB.p,
                           state_of(p.world, p.body[k]).X_GB.p) > 2 * r - 1e-4);
    free(p.world);
}

/* A plate of 2 kg on four balls of 1 kg on a slope: rolling, the balls have half the plate's speed,
   a = g sin (M + 4 m / 2) / (M + 4 m (1 + k) / 4), by energy. */
static void a_plate_rolls_on_balls(void)
{
    const double slope = 0.2, a = GRAVITY * sin(slope) * (2 + 4 * 0.5) / (2 + 4 * 1.4 / 4);
    int rate, i;
    for (rate = 0; rate < 2; rate++) {
        pile p = make_pile(5, 8, vec(GRAVITY * sin(slope), 0, -GRAVITY * cos(slope)));
        spc_mass m = spc_mass_box(2, vec(1, 0.6, 0.025));
        const spc_body plate = put_body(p.world, m, vec(0, 0, 2 * R + 0.025), zero, zero);
        for (i = 0; i < 4; i++) {
            const spc_body b =
                add_ball(&p, 1, R, i & 1 ? 0.4 : -0.4, i & 2 ? 0.2 : -0.2, R);
            (void)put_on_plane(p.world, ground, level(0), b, R, law_of(0.5, 0));
            (void)put_on_plane(p.world, plate, plane_at(vec(0, 0, -1), vec(0, 0, -0.025)), b, R,
                               law_of(0.5, 0));
        }
        run(p.world, rates[rate], 0.5, IN_DOUBLE_OR_FLOAT(1e-9, 1e-3), 0);
        CHECK_NEAR(state_of(p.world, plate).V_GB.linear.x, a / 2, EXACT);
        CHECK_NEAR(state_of(p.world, plate).X_GB.p.x, a / 8, EXACT);
        CHECK_NEAR(state_of(p.world, p.body[0]).V_GB.linear.x, a / 4, EXACT);
        free(p.world);
    }
}

/* A wagon of 5 kg on four wheels of 1 kg, hinged, each a disc that presses only: it rolls down a
   slope with g sin (M + 4 m) / (M + 4 m (1 + 1/2)) while all press. */
static void a_wagon_rolls_on_wheels_that_only_press(void)
{
    const double slope = 0.2, a = GRAVITY * sin(slope) * 9 / (5 + 4 * 1.5);
    pile p = make_pile(5, 8, vec(GRAVITY * sin(slope), 0, -GRAVITY * cos(slope)));
    const spc_body chassis =
        put_body(p.world, spc_mass_box(5, vec(0.5, 0.3, 0.05)), vec(0, 0, R), zero, zero);
    int i;
    for (i = 0; i < 4; i++) {
        const spc_vec3 at = vec(i & 1 ? 0.4 : -0.4, i & 2 ? 0.3 : -0.3, 0);
        spc_attachment_desc hinge = spc_attachment_desc_default();
        spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
        spc_constraint c;
        spc_mass m = spc_mass_disc(1, real(R)); /* its axis is z: turned onto y */
        m.inertia = spc_inertia_rotate(
            spc_mat3_from_quat(spc_quat_make(real(sqrt(0.5)), real(sqrt(0.5)), 0, 0)), m.inertia);
        d.disc = put_body(p.world, m, spc_add(at, vec(0, 0, R)), zero, zero);
        hinge.a = chassis;
        hinge.b = d.disc;
        hinge.shape.locked = SPC_HINGE;
        hinge.shape.X_AF.p = at;
        hinge.shape.X_AF.q = hinge.shape.X_BM.q =
            spc_quat_make(real(sqrt(0.5)), real(sqrt(0.5)), 0, 0); /* z onto the axis */
        CHECK_STATUS(spc_attachment_add(p.world, &hinge, &c), SPC_OK);
        d.shape.radius = real(R);
        d.shape.axis_B = vec(0, 1, 0);
        d.one_sided = true;
        d.law = law_of(0.5, 0);
        CHECK_STATUS(spc_rolling_disc_add(p.world, &d, &c), SPC_OK);
    }
    run(p.world, 240, 0.5, IN_DOUBLE_OR_FLOAT(1e-9, 1e-3), 0);
    CHECK_NEAR(state_of(p.world, chassis).V_GB.linear.x, a / 2, EXACT * 10);
    CHECK_NEAR(state_of(p.world, chassis).X_GB.p.z, R, EXACT * 10);
    free(p.world);
}

/* A robot of two boxes on a hinge, on four feet, falls from 5 cm and comes to rest on them. */
static void a_robot_lands_on_its_feet(void)
{
    pile p = make_pile(2, 5, *down());
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_constraint c;
    spc_state x;
    int i;
    for (i = 0; i < 2; i++) {
        int k;
        const spc_body b = p.body[p.bodies++] =
            put_body(p.world, spc_mass_box(1, vec(0.2, 0.1, 0.05)), vec(i ? 0.2 : -0.2, 0, 0.15),
                     zero, zero);
        for (k = 0; k < 2; k++)
            (void)put_foot(p.world, b, vec(i ? 0.2 : -0.2, k ? 0.1 : -0.1, -0.1), law_of(0.8, 0.2));
    }
    hinge.a = p.body[0];
    hinge.b = p.body[1];
    hinge.shape.locked = SPC_HINGE;
    hinge.shape.X_AF.p = vec(0.2, 0, 0);
    hinge.shape.X_BM.p = vec(-0.2, 0, 0);
    hinge.shape.X_AF.q = hinge.shape.X_BM.q =
        spc_quat_make(real(sqrt(0.5)), real(sqrt(0.5)), 0, 0);
    hinge.shape.locked = 63;
    CHECK_STATUS(spc_attachment_add(p.world, &hinge, &c), SPC_OK);
    run(p.world, 240, 2, IN_DOUBLE_OR_FLOAT(1e-9, 1e-3), 0);
    x = state_of(p.world, p.body[0]);
    CHECK_NEAR(x.X_GB.p.z, 0.1, 1e-6);
    CHECK_NEAR(length(x.V_GB.linear), 0, IN_DOUBLE_OR_FLOAT(1e-12, 1e-5));
    free(p.world);
}

/* ---------------------------------------------------------------------- the same bits ------- */

/* A copy of a world in the middle of its motion runs on with the same bits, at another address; a
   world built anew at the same states is as good to rounding of a step, since it does not know the
   impulses and who was closed. */
static void copies_run_on_with_the_same_bits(void)
{
    pile p = make_rattle(0.3, 0.7);
    spc_world *copy = NULL;
    const size_t size = spc_world_snapshot_size(p.world);
    void *memory = malloc(size);
    int n;
    CHECK(memory != NULL);
    take_steps(p.world, 1 / 60., 100);
    memcpy(memory, p.world, size);
    CHECK_STATUS(spc_world_open(memory, size, &copy), SPC_OK);
    for (n = 0; n < 300; n++) {
        const spc_constraint one = { 1, 1 };
        spc_contact_info a, b;
        take_steps(p.world, 1 / 60., 1);
        take_steps(copy, 1 / 60., 1);
        CHECK(spc_world_hash(p.world) == spc_world_hash(copy));
        a = contact_of_world(p.world, one);
        b = contact_of_world(copy, one);
        CHECK(a.state == b.state && a.began == b.began && SAME_BITS(a.force, b.force));
        CHECK(hits_of(p.world) == hits_of(copy));
    }
    free(memory);
    free(p.world);
}

/* Contacts that are open bind nothing: two balls that bounce beside each other with a contact that
   never closes, near or far off, go as each does alone, bit for bit, and so without a factor of
   both. The plane is bounded, far off: alone on one without bounds, balls move in lanes, which are
   rounded in another way. */
static void open_contacts_bind_nothing(void)
{
    const double apart[2] = { 0.21, 4 };
    spc_contact_law law = law_of(0.3, 0.7);
    int k, i, n;
    law.bounded = true;
    law.half_length[0] = law.half_length[1] = 100;
    for (k = 0; k < 2; k++) {
        pile both[2];
        for (i = 0; i < 2; i++) {
            both[i] = make_pile(2, 3, *down());
            (void)add_ball(&both[i], 1, R, 0, 0, 0.5);
            (void)add_ball(&both[i], 2, R, apart[k], 0, 0.8);
            for (n = 0; n < 2; n++)
                (void)put_on_plane(both[i].world, ground, level(0), both[i].body[n], R, law);
            if (i)
                (void)put_pair(both[i].world, both[i].body[0], both[i].body[1], R, R,
                               law_of(0.3, 0.7));
        }
        for (n = 0; n < 500; n++) {
            take_steps(both[0].world, 1 / 240., 1);
            take_steps(both[1].world, 1 / 240., 1);
            for (i = 0; i < 2; i++) {
                const spc_state a = state_of(both[0].world, both[0].body[i]);
                const spc_state b = state_of(both[1].world, both[1].body[i]);
                CHECK(SAME_BITS(a, b));
            }
        }
        for (i = 0; i < 2; i++)
            free(both[i].world);
    }
}

/* ---------------------------------------------------------------------- dominoes ------------ */

#define DOMINOES 20

/* Dominoes of 12 cm in a row, the first of which is pushed: their corners meet faces and the floor,
   several at a time, in islands of up to 130 contacts that bounce, slide and stick. Some answers
   are left with more than 1e-9 of the velocities, none with a thousandth; no step gains energy. */
static void dominoes_fall(void)
{
    const spc_vec3 half = vec(0.01, 0.03, 0.06);
    spc_contact_law law = law_of(0.5, 0.2), face;
    spc_body body[DOMINOES];
    spc_world *w;
    const int steps = LONG_OR_SHORT(180, 90);
    double energy, gain = 0, residual = 0;
    int i, k, unsolved = 0;
    law.restitution_speed = SPC_R(0.1);
    law.passive = true;
    face = law;
    face.bounded = true;
    face.half_length[0] = half.z;
    face.half_length[1] = half.y;
    w = contact_world(DOMINOES, 16 * DOMINOES, vec(0, 0, -GRAVITY));
    for (i = 0; i < DOMINOES; i++) {
        body[i] = put_body(w, spc_mass_box(SPC_R(0.1), half), vec(0.06 * i, 0, half.z),
                           i ? zero : vec(0, 2.5, 0), i ? zero : vec(0.15, 0, 0));
        for (k = 0; k < 8; k++)
            (void)put_foot(w, body[i],
                           vec(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y,
                               k & 4 ? half.z : -half.z),
                           law);
    }
    for (i = 0; i + 1 < DOMINOES; i++)
        for (k = -1; k <= 1; k += 2) {
            (void)put_corner(w, body[i + 1], plane_at(vec(-1, 0, 0), vec(-half.x, 0, 0)), body[i],
                             vec(half.x, (spc_real)k * half.y, half.z), face);
            (void)put_corner(w, body[i], plane_at(vec(1, 0, 0), vec(half.x, 0, 0)), body[i + 1],
                             vec(-half.x, (spc_real)k * half.y, -half.z), face);
        }
    energy = energy_of(w);
    for (i = 0; i < steps; i++) {
        const double before = energy_of(w);
        CHECK_STATUS(spc_step(w, real(1 / 60.)), SPC_OK);
        gain = fmax(gain, energy_of(w) - before);
        residual = fmax(residual, (double)report_of(w).residual);
        unsolved += report_of(w).unsolved;
    }
    CHECK_NEAR(gain, 0, 1e-3 * energy);
    CHECK(residual < 1e-3);
    CHECK(unsolved * 5 <= steps);
    free(w);
}

static const test_entry tests[] = {
    TEST(boxes_rest_bit_for_bit),
    TEST(grooves_rest_bit_for_bit),
    TEST(pyramids_rest_bit_for_bit),
    TEST(stacks_rest_bit_for_bit),
    TEST(rest_ends_by_all_that_is_done),
    TEST(rest_on_a_platform_ends_as_that_is_moved),
    TEST(balls_apart_move_as_those_solved_for_together),
    TEST(light_boxes_rest_below_loads),
    TEST(two_balls_part_as_they_met),
    TEST(momenta_stay_through_impacts),
    TEST(passive_impacts_bring_no_energy_in),
    TEST(passive_impacts_take_errors_of_joints_out),
    TEST(a_cradle_keeps_its_momentum),
    TEST(impacts_that_propagate_go_through_a_row),
    TEST(impacts_that_propagate_lose_what_the_law_says),
    TEST(a_gas_keeps_its_energy),
    TEST(what_propagates_has_joints_floors_and_friction),
    TEST(a_ball_in_between_is_struck_many_times),
    TEST(a_short_lever_may_displace_far),
    TEST(what_overlaps_comes_apart_by_the_least),
    TEST(what_rests_is_bounced_on_as_a_floor),
    TEST(a_column_that_closes_within_a_step_does_not_rise),
    TEST(columns_of_balls_come_to_rest),
    TEST(a_break_at_60_hz_does_not_leap),
    TEST(a_break_loses_no_momentum_to_residuals),
    TEST(a_plate_rolls_on_balls),
    TEST(a_wagon_rolls_on_wheels_that_only_press),
    TEST(a_robot_lands_on_its_feet),
    TEST(open_contacts_bind_nothing),
    TEST(copies_run_on_with_the_same_bits),
    TEST(dominoes_fall),
};

TEST_MAIN
