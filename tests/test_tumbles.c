/* Boxes that are thrown onto feet which grip, the default law, and tumble until they rest: feet
   that land while others stick. */
#include "contacts.h"

#define GRAVITY 9.81

/* A box of 1 kg on so many feet in its corners, the lowest of them 5 cm above ground. */
static spc_world *thrown_box(int feet, const spc_contact_law *law, spc_body *box, double *size)
{
    spc_world *w = contact_world(1, feet, vec(0, 0, -GRAVITY));
    const double r = test_random(0.1, 0.3);
    const spc_vec3 half =
        vec(r * test_random(0.4, 1), r * test_random(0.4, 1), r * test_random(0.3, 1));
    spc_body_desc d = spc_body_desc_default();
    spc_vec3 foot[8];
    double low = 0;
    int i;
    d.mass = spc_mass_box(1, half);
    d.state.X_GB.q = test_random_quat();
    d.state.V_GB = test_random_spatial(3, 1);
    for (i = 0; i < feet; i++) {
        foot[i] = vec(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
        low = fmin(low, spc_rotate(d.state.X_GB.q, foot[i]).z);
    }
    d.state.X_GB.p = vec(0, 0, 0.05 - low);
    CHECK_STATUS(spc_body_add(w, &d, box), SPC_OK);
    for (i = 0; i < feet; i++)
        (void)put_foot(w, *box, foot[i], *law);
    *size = r;
    return w;
}

/* What a box has done in a second. */
typedef struct tumble {
    double leap;  /* farther than its velocities go, most of all steps, in parts of its size */
    double gain;  /* of energy in a step, most [J] */
    double force; /* along the plane, most [N] */
    int steps, unsolved;
} tumble;

/* spc_step, or that of fourth order. Each moves by the mean of the velocities before and after, but
   for impacts, which are somewhere within it, and follow each other as it comes to rest: between
   two of them it falls by less than g h^2 / 8. */
static void run_tumble(int feet, const spc_contact_law *law, double rate, bool fine, tumble *t)
{
    const double h = 1 / rate;
    double size, energy;
    spc_body box = { 0, 0 };
    spc_world *w = thrown_box(feet, law, &box, &size);
    spc_state before = state_of(w, box);
    int i;
    energy = energy_of(w);
    for (i = 0; i < rate; i++) {
        spc_constraint c = { 0, 0 };
        spc_state after;
        double way;
        CHECK_STATUS(fine ? spc_step_rk4(w, real(h), SPC_DRIFT_PROJECT) : spc_step(w, real(h)),
                     SPC_OK);
        after = state_of(w, box);
        way = distance(spc_sub(after.X_GB.p, before.X_GB.p),
                       spc_scale(real(h / 2), spc_add(after.V_GB.linear, before.V_GB.linear)));
        way -= 2 * h * distance(after.V_GB.linear, before.V_GB.linear) + GRAVITY * h * h / 8;
        note(&t->leap, fmax(way, 0) / size);
        note(&t->gain, fmax(energy_of(w) - energy, 0));
        while (spc_constraint_next(w, &c)) {
            const spc_contact_info info = contact_of_world(w, c);
            note(&t->force, hypot((double)info.force[0], (double)info.force[1]));
        }
        t->unsolved += report_of(w).unsolved > 0;
        t->steps++;
        energy = energy_of(w);
        before = after;
    }
    free(w);
}

/* No step leaps, nor gains energy, but for what a turn about a foot errs by, which is of second
   order (seen: 7.6 mJ at 60 Hz, of other boxes 0.5 to 9, and 0.1 mJ in the mean of all boxes' worst
   steps). Forces are blows: what 1 kg at 1 to 2 m/s has is taken in h. spc_step solves all but one
   in 2,000: where contacts of a body one of which meets mirrored velocities, nine of 9,600 at 60 Hz
   had no solution. */
static void boxes_on_feet_that_grip_do_not_leap(void)
{
    static const double coefficients[4] = { -1, 1.5, 20, 1000 };
    static const int numbers[4] = { 2, 3, 4, 8 };
    int i, k, l, seed;
    for (k = 0; k < LONG_OR_SHORT(RATES, 2); k++)
        for (l = 0; l < 2; l++) { /* spc_step, and fourth order */
            const int least = k > 0 ? 1 : l ? 4 : 40;
            tumble t = { 0, 0, 0, 0, 0 };
            for (i = 0; i < 4; i++)
                for (seed = 0; seed < LONG_OR_SHORT(40, least); seed++) {
                    const int law_at = l ? 0 : seed % 4;
                    spc_contact_law law = law_of(coefficients[law_at], 0);
                    if (coefficients[law_at] < 0)
                        law = spc_contact_law_default();
                    test_seed = 7000u + 100u * (unsigned)i + (unsigned)seed;
                    run_tumble(numbers[i], &law, rates[k], l == 1, &t);
                }
            printf("seen: %g Hz, %s: leaps %.1e, gains %.1e J, forces %.0f N, %d of %d steps "
                   "unsolved\n",
                   rates[k], l ? "rk4" : "step", t.leap, t.gain, t.force, t.unsolved, t.steps);
            CHECK_OPEN(t.leap, 1e-3, 2e-3);
            CHECK_NEAR(t.gain, 0, 1.5 * 7.6e-3 * 3600 / (rates[k] * rates[k]) + 1e-4);
            CHECK_OPEN(t.force, 2 * rates[k] + 1000, 3e4);
            CHECK(t.unsolved * (l ? 200 : 2000) <= t.steps);
        }
}

static const test_entry tests[] = {
    TEST(boxes_on_feet_that_grip_do_not_leap),
};

TEST_MAIN
