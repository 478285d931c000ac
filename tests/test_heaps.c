/* [7.3] Heaps of balls that are poured into boxes: what is left of the law, no energy comes from
   nothing, rest, and a blow at four rates. */
#include "piles.h"

/* Balls of a radius r above a box, so many on a side and layer; they and its sides have a law. */
static pile make_heap_of(int balls, int side, double r, spc_contact_law law)
{
    const spc_vec3 n[5] = { { 0, 0, 1 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } };
    const double wide = side == 3 ? 3.5 * r : 1.25 * side * r, middle = (side - 1) / 2.;
    pile p = make_pile(balls, balls * 5 + balls * (balls - 1) / 2, *down());
    for (int i = 0; i < balls; i++) {
        const double x = (2.25 * (i % side - middle) + test_random(-0.1, 0.1)) * r;
        const double y = (2.25 * (i / side % side - middle) + test_random(-0.1, 0.1)) * r;
        const spc_body b = add_ball(&p, 1, r, x, y, (1.5 + i / (side * side) * 2.5) * r);
        for (int k = 0; k < 5; k++)
            (void)put_on_plane(p.world, ground,
                               plane_at(n[k], spc_scale(k ? real(-wide) : 0, n[k])), b, r, law);
        for (int k = 0; k < i; k++)
            (void)put_pair(p.world, p.body[k], b, r, r, law);
    }
    return p;
}

static pile make_heap(int balls, double r, spc_contact_law law)
{
    return make_heap_of(balls, 3, r, law);
}

/* 27 balls fall into a box, hit each other and come to lie in it with friction. Impulses that
   balance each other in such a heap make many steps hard, but nine of ten are solved, and the worst
   by what is small beside gravity's g h. As they fall a step takes some 20 factorizations; it took
   133, in float 234, as bounces of what rubs divided it. */
static void a_heap_in_a_box_is_solved(void)
{
    const double r = 0.2, wide = 3.5 * r, h = 1 / 60.;
    const int steps = LONG_OR_SHORT(90, 30);
    int i, unsolved = 0;
    double factors = 0;
    test_seed = 27;
    pile p = make_heap(27, r, law_of(0.4, 0.3));
    for (i = 0; i < steps; i++) {
        take_steps(p.world, h, 1);
        unsolved += report_of(p.world).unsolved > 0;
        factors += report_of(p.world).factorizations;
        CHECK((double)report_of(p.world).residual <= 0.1);
    }
    for (i = 0; i < 27; i++) {
        const spc_vec3 at = state_of(p.world, p.body[i]).X_GB.p;
        const double x = (double)at.x, y = (double)at.y, z = (double)at.z;
        CHECK(z > 0.9 * r && z < 3 && x > -wide && x < wide && y > -wide && y < wide);
    }
    CHECK(unsolved * 10 <= steps);
    CHECK(factors <= LONG_OR_SHORT(250, 60) * steps); /* 155 and 22, in float 82 and 19 */
    free(p.world);
}

/* Without friction a heap bears itself by as many contacts as it has motions: what the step asks of
   all of them asks some of them for a hundred times as much. Impulses and displacements that gave
   it burst the box, with up to a hundred times all energy in one step of which most were told as
   solved. */
static void a_heap_without_friction_gains_nothing(void)
{
    const double r = 0.05;
    for (int i = 0; i < LONG_OR_SHORT(12, 4); i++) {
        test_seed = (unsigned long long)(i + 1);
        pile p = make_heap(27, r, law_of(0, i % 2 * 0.5));
        const double begun = energy_of(p.world);
        double last = begun, gained = 0;
        for (int k = 0; k < LONG_OR_SHORT(300, 120); k++) {
            take_steps(p.world, 1 / 60., 1);
            const double now = energy_of(p.world);
            gained = fmax(gained, now - last);
            last = now;
            CHECK(now <= begun);
        }
        CHECK(gained <= 0.03 * begun); /* 0.021, in the short form 0.0014 */
        free(p.world);
    }
}

/* The largest energy that a step gives a heap, beside all that it falls with. */
static double gain_of_heap(pile p, double h, int steps)
{
    double last = energy_of(p.world), gain = 0;
    for (int i = 0; i < steps; i++) {
        take_steps(p.world, h, 1);
        const double now = energy_of(p.world);
        gain = fmax(gain, now - last);
        last = now;
    }
    return gain;
}

/* Most heaps that bounce and rub come to rest. Each step left them a little apart: displaced to
   where their contacts touch, they fell, bounced, and were displaced again, without an end, at 1e-4
   of their energy and some 200 factorizations a step. */
static void a_heap_comes_to_rest(void)
{
    const double h = 1 / 240., r = 0.05;
    const int starts = LONG_OR_SHORT(6, 2);
    int resting = 0;
    for (int i = 0; i < starts; i++) {
        test_seed = (unsigned long long)(i + 1);
        pile p = make_heap(18, r, law_of(0.5, 0.2));
        const double begun = energy_of(p.world);
        CHECK(gain_of_heap(p, h, 720) <= 1e-3 * begun);
        const double before = energy_of(p.world);
        double moved = 0, factors = 0;
        for (int k = 0; k < 60; k++) {
            take_steps(p.world, h, 1);
            moved = fmax(moved, fabs(energy_of(p.world) - before) / begun);
            factors += report_of(p.world).factorizations / 60.;
        }
        resting += moved < 1e-8 && factors < 10;
        free(p.world);
    }
    CHECK(resting * 2 >= starts);
}

/* Balls that lie between others and the sides of a narrow box, and resist rolling: what parts by
   rounding meets again as slowly. All the friction that bears it was taken for the blow's, so that
   steps lifted balls that lay: by 0.58 J of 27 J in 4 s. And as they settle, friction of what blows
   had sent off in a step, but stayed after all, did not feel what forces push by: a step gained
   38 mJ. All of them were OK. */
static void a_heap_that_lies_rises_no_more(void)
{
    const double h = 1 / 60.;
    const int settle = 60, steps = LONG_OR_SHORT(420, 120);
    spc_contact_law law = law_of(0.4, 0);
    double worst = 0;
    law.rolling_resistance = real(0.001);
    for (int i = 0; i < 6; i++) {
        test_seed = (unsigned long long)(i + 1);
        pile p = make_heap_of(11, 2, 0.1, law);
        take_steps(p.world, h, settle);
        const double begun = energy_of(p.world);
        for (int k = 0; k < steps; k++) {
            take_steps(p.world, h, 1);
            worst = fmax(worst, energy_of(p.world) / begun - 1);
        }
        free(p.world);
    }
    printf("heaps that lie: at most %g of the energy comes in within %d steps\n", worst, steps);
    CHECK(worst <= 1e-4); /* 1e-5; was 8e-4, and 2e-2 when they lay */
}

/* In a box that is wider most balls of a heap bear others that lean on its sides. What met a side
   slowly was lifted by all the friction that bears it there, as if a blow did that, and fell from
   there: in a step of three a heap gained energy, and none came to rest. A ball by itself in a
   corner was sent to the opposite side, by what another contact asked for. */
static void a_wide_heap_gains_nothing(void)
{
    const double h = 1 / 240., r = 0.05;
    for (int i = 0; i < LONG_OR_SHORT(6, 1); i++) {
        test_seed = (unsigned long long)(i + 1);
        pile p = make_heap_of(27, 4, r, law_of(0.5, 0.2));
        const double begun = energy_of(p.world);
        double last = begun, gained = 0, way = 0;
        for (int k = 0; k < LONG_OR_SHORT(960, 600); k++) {
            spc_state before[27];
            for (int n = 0; n < 27; n++)
                before[n] = state_of(p.world, p.body[n]);
            take_steps(p.world, h, 1);
            for (int n = 0; n < 27; n++)
                way = fmax(way, distance(before[n].X_GB.p, state_of(p.world, p.body[n]).X_GB.p));
            gained += fmax(energy_of(p.world) - last, 0);
            last = energy_of(p.world);
        }
        /* falls are chaotic: of 24, with the solver in four forms, 3e-5 in the median, 2e-4 at
           most; was 1.2e-3 */
        CHECK(gained <= 3e-4 * begun);
        CHECK(way <= 0.2 * r);         /* 0.09 */
        free(p.world);
    }
}

/* As contacts are by default they grip, and wedge each other with forces of any size. A blow whose
   friction was a rounding above its limit displaced by any length, which brought up to four times
   all energy that there is into one step. */
static void a_heap_that_grips_gains_nothing(void)
{
    spc_contact_law law = spc_contact_law_default();
    for (int i = 0; i < LONG_OR_SHORT(6, 2); i++) {
        test_seed = (unsigned long long)(i + 1);
        pile p = make_heap(27, 0.05, law);
        const double begun = energy_of(p.world);
        CHECK(gain_of_heap(p, 1 / 60., LONG_OR_SHORT(120, 60)) <= 2e-3 * begun); /* 7e-4 */
        free(p.world);
    }
}

/* Balls of 1 kg, radius 0.1 m, two on the ground and one on them, whose friction lets them rest; a
   fourth one falls on the upper one. */
static spc_world *struck_heap(spc_vec3 p, double turn, spc_vec3 v, spc_body *ball)
{
    spc_world *w = contact_world(4, 10, vec(0, 0, -GRAVITY));
    const double high = 0.1 + 0.1 * sqrt(3.0);
    const spc_vec3 at[4] = { vec(0, 0, 0.1), vec(0.2, 0, 0.1), vec(0.1, 0, high), p };
    int i, j;
    for (i = 0; i < 4; i++) {
        ball[i] = put_ball(w, 1, 0.1, at[i]);
        (void)put_on_plane(w, ground, level(0), ball[i], 0.1, law_of(0.6, 0));
        for (j = 0; j < i; j++)
            (void)put_pair(w, ball[j], ball[i], 0.1, 0.1, law_of(0.6, 0));
    }
    CHECK_STATUS(spc_body_set_velocity(w, ball[3], spc_spatial_make(vec(0, turn, 0), v)), SPC_OK);
    return w;
}

/* Friction of balls that lean on each other leaves a choice. What they have had of a blow does not
   make it: else it is another one at each rate, and places are off by up to 20 mm after 0.3 s. In
   single precision the lower two, whose gap is rounding, press again and again, and still do so. */
static void a_heap_goes_on_after_a_blow_as_at_other_rates(void)
{
    static const double blows[2][5] = { { 0.1602806, 0.612121, -4.436938, -0.249839, -1.174365 },
                                        { 0.2666357, 0.599155, -0.35747, -0.265405, -0.655558 } };
    for (int k = 0; k < 2; k++)
        for (int per = 1; per <= 8; per *= 2) {
            const double *b = blows[k], h = 1 / (240.0 * per);
            const spc_vec3 p = vec(b[0], 0, b[1]), v = vec(b[3], 0, b[4]);
            spc_body ball[4];
            spc_world *exact = struck_heap(p, b[2], v, ball);
            spc_world *w = struck_heap(p, b[2], v, ball);
            double off = 0;
            take_steps(w, h, 72 * per);
            for (int i = 0; i < 72 * 4; i++)
                CHECK_STATUS(spc_step_rk4(exact, real(1 / 960.0), SPC_DRIFT_PROJECT), SPC_OK);
            for (int i = 0; i < 4; i++)
                note(&off, distance(spc_body_position(w, ball[i]),
                                    spc_body_position(exact, ball[i])));
            CHECK_OPEN(off, 1e-3, IN_DOUBLE_OR_FLOAT(1e-3, 0.025));
            free(w);
            free(exact);
        }
}

static const test_entry tests[] = {
    TEST(a_heap_in_a_box_is_solved),
    TEST(a_heap_without_friction_gains_nothing),
    TEST(a_heap_comes_to_rest),
    TEST(a_heap_that_lies_rises_no_more),
    TEST(a_wide_heap_gains_nothing),
    TEST(a_heap_that_grips_gains_nothing),
    TEST(a_heap_goes_on_after_a_blow_as_at_other_rates),
};

TEST_MAIN
