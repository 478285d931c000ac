/* [7.3] One-sided discs that come to lie on their sides: rest, sliding, landing, tipping and how a
   spun coin ends, against closed forms; in double and float. A thin disc of mass m and radius r has
   I = m r^2 / 2 about its axis and half of it across. -DTEST_LONG: a million steps of rest. */
#include "contacts.h"

#define R 0.0375 /* [m] */
#define M 0.05   /* [kg] */

/* Sines below this are flat: roundings of a quaternion. */
#define IS_FLAT (16 * TEST_EPSILON)

/* Steps of fourth order leave a tilt that moves nothing further than touching contacts may be. */
#define TOUCHES IN_DOUBLE_OR_FLOAT(1e-9, 1e-4)

/* Rounding of a thousand steps, beside numbers of the size of 1. */
#define EXACT IN_DOUBLE_OR_FLOAT(1e-10, 5e-4)

typedef struct lone {
    spc_world *world;
    spc_body coin;
    spc_constraint contact;
} lone;

/* A coin above the plane z = 0 of a floor with its axis along the body's z: the centre is there,
   and the axis is turned by a rotation vector. */
static lone put_coin_on(spc_world *world, spc_body floor, spc_vec3 p, spc_vec3 turned,
                        spc_contact_law law)
{
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    spc_body_desc body = spc_body_desc_default();
    lone s;
    s.world = world;
    body.mass = spc_mass_disc(real(M), real(R));
    body.state.X_GB.p = p;
    body.state.X_GB.q = spc_quat_from_rotation_vector(turned);
    CHECK_STATUS(spc_body_add(world, &body, &s.coin), SPC_OK);
    d.floor = floor;
    d.disc = s.coin;
    d.shape.axis_B = vec(0, 0, 1);
    d.shape.radius = real(R);
    d.one_sided = true;
    d.law = law;
    CHECK_STATUS(spc_rolling_disc_add(world, &d, &s.contact), SPC_OK);
    return s;
}

static lone put_coin(spc_vec3 gravity, double height, spc_vec3 turned, spc_contact_law law)
{
    return put_coin_on(contact_world(4, 4, gravity), ground, vec(0, 0, height), turned, law);
}

static void set_velocity(const lone *s, spc_vec3 angular, spc_vec3 linear)
{
    CHECK_STATUS(spc_body_set_velocity(s->world, s->coin, spc_spatial_make(angular, linear)),
                 SPC_OK);
}

/* Gravity on a slope that goes down along x. */
static spc_vec3 down(double slope)
{
    return vec(GRAVITY * sin(slope), 0, -GRAVITY * cos(slope));
}

/* The sine between axis and vertical. */
static double sine_of(const lone *s)
{
    const spc_vec3 axis = spc_rotate(state_of(s->world, s->coin).X_GB.q, vec(0, 0, 1));
    return hypot((double)axis.x, (double)axis.y);
}

static spc_status take_step(spc_world *w, double h, bool fourth)
{
    return fourth ? spc_step_rk4(w, real(h), SPC_DRIFT_PROJECT) : spc_step(w, real(h));
}

/* The steps of the longest rest. */
#ifdef TEST_LONG
#define STEPS 1000000
#else
#define STEPS 100000
#endif

/* So many steps that change no bit of the coin. Gives how many factorizations and substitutions
   there were. */
static int work_of_rest(const lone *s, double h, int count, bool fourth)
{
    const spc_state before = state_of(s->world, s->coin);
    spc_state after;
    int i, work = 0;
    for (i = 0; i < count; i++) {
        CHECK_STATUS(take_step(s->world, h, fourth), SPC_OK);
        work += report_of(s->world).substitutions + report_of(s->world).factorizations;
    }
    after = state_of(s->world, s->coin);
    CHECK(SAME_BITS(before, after));
    CHECK(sine_of(s) <= (fourth ? TOUCHES : IS_FLAT));
    return work;
}

static void check_rests(const lone *s, double h, int count, bool fourth)
{
    (void)work_of_rest(s, h, count, fourth);
}

/* --------------------------------------------------------------------- rest and slopes ------ */

/* On either side, and turned about the normal; from the 16th step on, as what rests on slopes. */
static void a_coin_that_lies_rests_bit_for_bit(void)
{
    const double half = PI, turns[3] = { 0, half, 0.3 };
    int i, k;
    for (i = 0; i < RATES; i++)
        for (k = 0; k < 3; k++) {
            const spc_vec3 turned = k == 2 ? vec(0, 0, turns[k]) : vec(turns[k], 0, 0);
            lone s = put_coin(down(0.25), 0, turned, law_of(0.3, 0.5));
            take_steps(s.world, 1 / rates[i], 16);
            CHECK(work_of_rest(&s, 1 / rates[i], i == 1 && k == 0 ? STEPS : 1000, false) == 0);
            CHECK(contact_of_world(s.world, s.contact).state == SPC_CONTACT_ROLLING);
            CHECK_NEAR(contact_of_world(s.world, s.contact).force[2], M * GRAVITY * cos(0.25),
                       1e-5 * M);
            CHECK(length(state_of(s.world, s.coin).X_GB.p) <= 4 * TEST_EPSILON);
            CHECK_STATUS(take_step(s.world, 1 / rates[i], true), SPC_OK);
            check_rests(&s, 1 / rates[i], 100, true);
            free(s.world);
        }
}

static void a_coin_slides_above_the_angle_of_friction(void)
{
    const double slope = 0.5, mu = 0.3, a = GRAVITY * (sin(slope) - mu * cos(slope));
    int i, fourth;
    for (i = 0; i < RATES; i++)
        for (fourth = 0; fourth < 2; fourth++) {
            lone s = put_coin(down(slope), 0, vec(0, 0, 0.4), law_of(mu, 0));
            spc_state x;
            int n;
            for (n = 0; n < (int)rates[i]; n++)
                CHECK_STATUS(take_step(s.world, 1 / rates[i], fourth), SPC_OK);
            x = state_of(s.world, s.coin);
            /* mean slip: second order, and exact for what slides along a line */
            CHECK_NEAR(x.V_GB.linear.x, a, 1e-4 * a);
            CHECK_NEAR(x.X_GB.p.x, a / 2, 1e-4 * a);
            CHECK_NEAR(x.X_GB.p.z, 0, EXACT * R);
            CHECK(length(x.V_GB.angular) <= EXACT);
            CHECK(contact_of_world(s.world, s.contact).state == SPC_CONTACT_SLIDING);
            free(s.world);
        }
}

/* Without friction nothing is told of it, from the next step on, and nothing is felt. */
static void a_coin_that_slides_onto_ice_has_no_friction(void)
{
    const spc_contact_law ice = law_of(0, 0);
    lone s = put_coin(down(0), 0, zero, law_of(0.3, 0));
    int i;
    set_velocity(&s, vec(0, 0, 5), vec(2, 0, 0));
    for (i = 0; i < 8; i++) {
        spc_vec3 v = state_of(s.world, s.coin).V_GB.linear;
        spc_contact_info info;
        if (i == 4)
            CHECK_STATUS(spc_constraint_set_law(s.world, s.contact, true, &ice), SPC_OK);
        CHECK_STATUS(spc_step(s.world, real(1 / 240.)), SPC_OK);
        info = contact_of_world(s.world, s.contact);
        v = spc_sub(state_of(s.world, s.coin).V_GB.linear, v);
        CHECK_NEAR(info.force[0], M * 240 * (double)v.x, IN_DOUBLE_OR_FLOAT(1e-12, 1e-4));
        CHECK(i < 4 ? info.force[0] < 0 && info.moment[2] < 0
                    : length(spc_vec3_make(info.force[0], info.force[1], info.moment[2])) <= 0);
    }
    free(s.world);
}

/* Its rim resists with friction m g r: w ends at r w / (2 friction g). */
static void a_coin_that_turns_on_its_side_stops(void)
{
    const double mu = 0.3, w = 20, stop = R * w / (2 * mu * GRAVITY);
    int i, fourth;
    for (i = 1; i < RATES; i++)
        for (fourth = 0; fourth < 2; fourth++) {
            lone s = put_coin(down(0), 0, zero, law_of(mu, 0));
            const double h = 1 / rates[i];
            int n = 0;
            set_velocity(&s, vec(0, 0, w), zero);
            while (state_of(s.world, s.coin).V_GB.angular.z > 0 && n++ < 2000)
                CHECK_STATUS(take_step(s.world, h, fourth), SPC_OK);
            CHECK_NEAR(n * h, stop, h + 1e-3 * stop); /* the step in which it stops */
            check_rests(&s, h, 1000, fourth);
            free(s.world);
        }
}

/* ------------------------------------------------------------------- landing ---------------- */

/* Flat, it bounces as a ball does: the apex is e^2 high. */
static void a_coin_that_is_dropped_flat_bounces_and_lies(void)
{
    int i;
    for (i = 0; i < RATES; i++) {
        const double h = 1 / rates[i], e = 0.5, t0 = sqrt(2 * 0.2 / GRAVITY);
        lone s = put_coin(down(0), 0.2, vec(PI, 0, 0), law_of(0.3, e));
        const int n = (int)((t0 * (1 + e)) / h);
        const double t = n * h - t0, v = e * GRAVITY * t0;
        take_steps(s.world, h, n);
        CHECK_NEAR(state_of(s.world, s.coin).X_GB.p.z, v * t - GRAVITY * t * t / 2, EXACT);
        CHECK_NEAR(state_of(s.world, s.coin).V_GB.linear.z, v - GRAVITY * t, EXACT);
        take_steps(s.world, h, (int)rates[i] - n);
        check_rests(&s, h, 1000, false);
        CHECK_NEAR(state_of(s.world, s.coin).X_GB.p.z, 0, EXACT * R);
        free(s.world);
    }
}

/* Steps until it lies, in which energy only falls; how long it took, or -1. A step of fourth order
   errs by (w h)^5 / 120, of a coin that falls over with w = 20 rad/s. */
static double time_to_lie(const lone *s, double h, double most, bool fourth)
{
    double energy = energy_of(s->world);
    const double size = energy;
    int n;
    for (n = 0; n * h < most; n++) {
        const double before = energy;
        const spc_status status = take_step(s->world, h, fourth);
        CHECK_STATUS(status, SPC_OK);
        energy = energy_of(s->world);
        CHECK(energy <= before + (16 * TEST_EPSILON + (fourth ? pow(20 * h, 5) / 120 : 0)) * size);
        if (status || sine_of(s) <= (fourth ? TOUCHES : IS_FLAT))
            return status ? -1 : (n + 1) * h;
    }
    return -1;
}

/* The resistances of the coins that are spun. */
static spc_contact_law law_of_table(double rolling)
{
    spc_contact_law law = law_of(0.3, 0);
    law.rolling_resistance = real(rolling * R);
    law.spinning_resistance = real(0.001 * R);
    return law;
}

static lone put_spun(double rolling)
{
    lone s = put_coin(down(0), R * cos(0.1), vec(PI / 2 - 0.1, 0, 0), law_of_table(rolling));
    set_velocity(&s, vec(0, 0, 40), zero);
    return s;
}

/* What precesses faster than a step can follow is laid flat: early by the root of the tilt that is
   left then, 4 g h^2 / r / (32 rad)^2 at most with 128 parts of a quarter, a few percent. */
static void a_spun_coin_ends_flat_and_stays(void)
{
    const double h = IN_DOUBLE_OR_FLOAT(1.0 / 2000, 1.0 / 1000);
    lone s = put_spun(0.1);
    const double exact = time_to_lie(&s, h, 4, true);
    int i;
    print_seen("a spun coin lies flat in RK4 after [s]", exact);
    CHECK(exact > 0.5);
    free(s.world);
    for (i = 0; i < RATES; i++) {
        double found;
        s = put_spun(0.1);
        found = time_to_lie(&s, 1 / rates[i], 4, false);
        print_seen("and in spc_step, early by a part of", 1 - found / exact);
        CHECK_NEAR(found, exact, (i == 0 ? 0.15 : 0.05) * exact);
        take_steps(s.world, 1 / rates[i], (int)rates[i]);
        check_rests(&s, 1 / rates[i], 1000, false);
        CHECK_NEAR(state_of(s.world, s.coin).X_GB.p.z, 0, EXACT * R);
        free(s.world);
    }
}

/* Euler's disc with its centre at rest: with the sine s0 = 0.2 between axis and normal, s' is
   -4/3 (rho / r) sqrt(g s / r) cos(theta), and s ends after T = 3/2 (r / rho) sqrt(r s0 / g)
   (1 + s0^2 / 10 + ...), as (T - t)^2. It is laid down when it precesses by 32 rad in a step, a
   quarter in each of 128 parts: s is 4 g h^2 / r / 32^2 then, and T - t so early. The next order of
   the series, and what the step errs by before, are far less than half of that at 240 Hz. */
static void a_spun_coin_is_laid_no_earlier_than_128_parts_do(void)
{
    const double rho = 0.005 * R, s0 = 0.2, turn = sqrt(4 * GRAVITY / (R * s0));
    const double T = 1.5 * R / rho * sqrt(R * s0 / GRAVITY) * (1 + s0 * s0 / 10), h = 1.0 / 240;
    const double early = 2 * h * sqrt(GRAVITY / (R * s0)) / 32;
    spc_contact_law law = law_of(0.4, 0);
    lone s;
    double found;
    law.rolling_resistance = real(rho);
    s = put_coin(down(0), R * s0, vec(asin(s0), 0, 0), law);
    /* the axis is (0, -s0, cos), C lies along (0, -cos, -s0): what turns about it leaves C at rest,
       and the axis goes about the vertical with psi' = turn if it is turn s0 */
    set_velocity(&s, vec(0, turn * s0 * sqrt(1 - s0 * s0), turn * s0 * s0), zero);
    found = time_to_lie(&s, h, 2 * T, false);
    print_seen("a coin with its centre at rest lies early by a part of", 1 - found / T);
    CHECK_NEAR(found, T, 1.1 * early * T);
    free(s.world);
}

static void a_wheel_that_falls_over_lies_on_its_side(void)
{
    int i, fourth;
    for (i = 0; i < RATES; i++)
        for (fourth = 0; fourth < 2; fourth++) {
            lone s = put_coin(down(0), R * cos(0.01), vec(PI / 2 - 0.01, 0, 0), law_of(0.8, 0));
            const double h = 1 / rates[i];
            CHECK(time_to_lie(&s, h, 2, fourth) > 0.1);
            for (int n = 0; n < 16; n++)
                CHECK_STATUS(take_step(s.world, h, fourth), SPC_OK);
            check_rests(&s, h, 1000, fourth);
            CHECK_NEAR(state_of(s.world, s.coin).X_GB.p.z, 0, EXACT * R);
            free(s.world);
        }
}

/* Tossed at all angles, with and without restitution, coins come to lie; no step gains energy but
   by Kane's paradox, which passive contacts leave out. */
static void tossed_coins_come_to_lie(void)
{
    int i, k;
    for (i = 1; i < RATES; i++)
        for (k = 0; k < LONG_OR_SHORT(20, IN_DOUBLE_OR_FLOAT(6, 3)); k++) {
            const double h = 1 / rates[i];
            spc_contact_law law = law_of_table(0.05);
            double energy, size;
            spc_vec3 linear;
            lone s;
            int n, rises = 0;
            law.restitution = real(k % 2 ? 0.3 : 0);
            law.passive = true;
            s = put_coin(down(0), 2 * R + 0.01 * k, test_random_vec3(3), law);
            linear = test_random_vec3(0.5);
            set_velocity(&s, test_random_vec3(20), linear);
            size = energy = energy_of(s.world);
            for (n = 0; n < 5 * (int)rates[i]; n++) {
                const double before = energy;
                CHECK_STATUS(spc_step(s.world, real(h)), SPC_OK);
                energy = energy_of(s.world);
                rises += energy > before + IN_DOUBLE_OR_FLOAT(1e-9, 1e-4) * size;
            }
            CHECK(rises == 0);
            CHECK(sine_of(&s) <= IS_FLAT || sine_of(&s) > 0.99);
            if (sine_of(&s) < 0.99) /* else it stands: rolling resistance bears so much lean */
                check_rests(&s, h, 100, false);
            free(s.world);
        }
}

/* ------------------------------------------------------------ below the plane -------------- */

/* What a step may leave of the rim below the plane, in radii: a thousandth for a part of a step, of
   which several in a row may before they are all lifted out. */
#define DEPTH (4e-3 + EXACT)

/* How far the lowest point is below the plane z = 0, in radii. */
static double depth_of(const lone *s)
{
    return sine_of(s) - (double)state_of(s->world, s->coin).X_GB.p.z / R;
}

/* A coin whose lowest point touches the plane at rest: tilted about x, with an angular velocity. */
static lone put_tilted(double tilt, spc_vec3 w, spc_contact_law law)
{
    const double side = tilt < 0 ? R : -R;
    lone s = put_coin(down(0), R * fabs(sin(tilt)), vec(tilt, 0, 0), law);
    set_velocity(&s, w, spc_cross(vec(0, side * cos(tilt), side * sin(tilt)), w));
    return s;
}

/* Nearly flat, and turning about any axis at up to 50 rad/s, coins go over their flat position,
   whirl on their rim, meet the plane with another part of it, or are thrown off, much of it between
   two steps. */
static void coins_that_whirl_stay_above_the_plane(void)
{
    int i, k, n;
    for (i = 0; i < RATES; i++)
        for (k = 0; k < LONG_OR_SHORT(60, 12); k++) {
            const double tilt = 0.3 * pow(10, -test_random(0, 3)) * (k & 1 ? 1 : -1);
            spc_contact_law law = law_of(k % 3 == 1 ? 0.5 : 0, k % 4 == 3 ? 0.5 : 0);
            lone s;
            law.grip = k % 3 == 2;
            law.passive = true;
            s = put_tilted(tilt, test_random_vec3(30), law);
            for (n = 0; n < (int)rates[i]; n++) {
                CHECK_STATUS(spc_step(s.world, real(1 / rates[i])), SPC_OK);
                CHECK(depth_of(&s) <= DEPTH);
            }
            free(s.world);
        }
}

/* Its rim opens about one point, with the axis a ten-thousandth from the normal, but comes down 40
   degrees further: no step follows where it touches in between. Laid on its side it rises, and no
   impulse would stop its rim. Nothing but gravity does work then, and the impact takes energy. */
static void a_rim_comes_down_where_its_side_rises(void)
{
    int i;
    for (i = 0; i < RATES; i++) {
        lone s = put_tilted(-1e-4, vec(-8, -6, -6), law_of(0, 0));
        const double first = energy_of(s.world);
        CHECK_STATUS(spc_step(s.world, real(1 / rates[i])), SPC_OK);
        CHECK(depth_of(&s) <= DEPTH);
        CHECK(energy_of(s.world) <= first + 1e-2 * M * GRAVITY * R); /* at second order */
        free(s.world);
    }
}

/* Grip that lays a coin on its side stops its spin, too: it is turned by both within the step, and
   lies flat in the end. */
static void a_coin_that_is_laid_flat_while_it_spins_is_flat(void)
{
    int i;
    for (i = 0; i < RATES; i++) {
        spc_contact_law law = law_of(0, 0);
        lone s;
        law.grip = true;
        s = put_tilted(-1e-3, vec(12, 24, -40), law);
        CHECK_STATUS(spc_step(s.world, real(1 / rates[i])), SPC_OK);
        CHECK(depth_of(&s) <= DEPTH);
        free(s.world);
    }
}

/* Leaning by 0.1 to 1.1 rad from upright, and turning by up to 0.2 rad in a step at 60 Hz, a coin
   that grips rolls, wobbles and whirls on its rim for 100 s, and nothing takes energy. Each step
   errs by less than a part of (w h)^2 that swings. Errors of velocity that would be removed took up
   to all of the energy in that time; of these a step mirrors all but a tenth. */
#define LOST 0.1
static void coins_that_wobble_keep_their_energy(void)
{
    int i, k, n;
    for (i = 0; i < 2; i++)
        for (k = 0; k < 6; k++) {
            const double h = 1 / rates[i], tilt = PI / 2 - 0.1 - 0.2 * k;
            spc_contact_law law = law_of(0, 0);
            double first, least = 0, most = 0;
            lone s;
            law.grip = true;
            s = put_tilted(tilt, vec(0.5 * k, 13 - 1.6 * k, 3.3 + 1.6 * k), law);
            first = energy_of(s.world);
            for (n = 0; n < LONG_OR_SHORT(100, 8) * (int)rates[i]; n++) {
                double gain;
                CHECK_STATUS(spc_step(s.world, real(h)), SPC_OK);
                gain = energy_of(s.world) / first - 1;
                least = fmin(least, gain);
                most = fmax(most, gain);
            }
            CHECK(least >= -LOST);
            CHECK(most <= 0.3 * 16 * 16 * h * h);
            free(s.world);
        }
}

/* Coins with grip and resistances, nearly flat: where the plane would have to pull for grip to
   hold, it slips without a normal force, which obeys the law, and counts as solved. */
static void grip_that_would_have_to_pull_slips(void)
{
    int i, n, unsolved = 0;
    for (i = 0; i < 4 * RATES; i++) {
        const double h = 1 / rates[i % RATES], tilt = 0.002 * pow(4, i / RATES);
        spc_contact_law law = spc_contact_law_default();
        lone s;
        law.rolling_resistance = real(0.002 * R);
        law.spinning_resistance = real(0.01 * R);
        s = put_coin(down(0), R * sin(tilt), vec(tilt, 0, 0), law);
        set_velocity(&s, vec(-1.5, 1, 12), vec(-0.3, 0.4, 0));
        for (n = 0; n < LONG_OR_SHORT(1, IN_DOUBLE_OR_FLOAT(1, 0.4)) * rates[i % RATES]; n++) {
            CHECK_STATUS(spc_step(s.world, real(h)), SPC_OK);
            unsolved += report_of(s.world).unsolved;
        }
        free(s.world);
    }
    CHECK(unsolved == 0);
}

/* --------------------------------------------------------------------- tipping -------------- */

/* A pull up at its rim, f, is half the weight when it tips: about the other end of the diameter
   f 2 r = m g r. */
static void a_pull_at_the_rim_of_half_the_weight_tips_it(void)
{
    int i, k, fourth;
    for (i = 0; i < RATES; i++)
        for (k = 0; k < 4; k++)
            for (fourth = 0; fourth < 2; fourth++) {
                const double f = (k % 2 ? 0.51 : 0.49) * M * GRAVITY, h = 1 / rates[i];
                const spc_vec3 at = k < 2 ? vec(0, R, 0) : vec(-R * 0.6, R * 0.8, 0);
                const spc_vec3 F = vec(0, 0, f);
                lone s = put_coin(down(0), 0, zero, law_of(0.5, 0));
                double tilt;
                int n;
                for (n = 0; n < 12; n++) {
                    CHECK_STATUS(spc_body_add_force(s.world, s.coin, F, at, SPC_ONE_STEP), SPC_OK);
                    CHECK_STATUS(take_step(s.world, h, fourth), SPC_OK);
                }
                /* about that rim I = 5/4 m r^2; to second order in the tilt, and a rounding of the
                   rim's direction, which is good to 5 epsilon / sine */
                tilt = k % 2 ? (2 * f / (M * GRAVITY) - 1) * GRAVITY / (1.25 * R) : 0;
                tilt *= 144 * h * h / 2;
                CHECK_NEAR(sine_of(&s), tilt, tilt * tilt + IN_DOUBLE_OR_FLOAT(1e-9, 6e-4));
                free(s.world);
            }
}

/* An impulse at the rim tilts it, and it comes back to lie; energy only falls. */
static void a_coin_is_tipped_by_an_impulse_and_lies_again(void)
{
    int i, fourth;
    for (i = 1; i < RATES; i++)
        for (fourth = 0; fourth < 2; fourth++) {
            const double h = 1 / rates[i], p = 0.2 * M; /* upward at (0, r) [N s] */
            lone s = put_coin(down(0), 0, zero, law_of(0.5, 0));
            double most = 0, energy, before;
            int n;
            set_velocity(&s, vec(4 * p / (M * R), 0, 0), vec(0, 0, p / M));
            before = energy_of(s.world);
            for (n = 0; n < 2 * (int)rates[i]; n++) {
                CHECK_STATUS(take_step(s.world, h, fourth), SPC_OK);
                energy = energy_of(s.world);
                CHECK(energy <= before + IN_DOUBLE_OR_FLOAT(1e-4, 1e-3) * M * GRAVITY * R);
                before = energy;
                note(&most, sine_of(&s));
            }
            CHECK(most > 0.1);
            check_rests(&s, h, 100, fourth);
            free(s.world);
        }
}

/* ----------------------------------------------------------------- other worlds ------------- */

/* A coin that meets a plate which floats: momenta stay, it ends at rest on it. */
static void momenta_stay_where_a_coin_lands_on_a_free_plate(void)
{
    int k;
    for (k = 0; k < 4; k++) {
        spc_world *w = contact_world(4, 4, zero);
        const spc_body plate =
            put_body(w, spc_mass_box(1, vec(0.3, 0.3, 0.01)), zero, vec(0, 0, 0.1), zero);
        lone s = put_coin_on(w, plate, vec(0.05, 0, 0.1), vec(k == 0 ? 0 : 0.3 * k, 0.1, 0),
                             law_of_table(0.05));
        spc_energy_momentum before, after;
        int n;
        set_velocity(&s, vec(1, 0.5, 2), vec(0.1, 0, -1));
        before = momentum_of(w);
        for (n = 0; n < 1000; n++)
            CHECK_STATUS(spc_step(w, real(1.0 / 240)), SPC_OK);
        after = momentum_of(w);
        CHECK(distance(before.linear, after.linear) <= 1000 * TEST_EPSILON);
        CHECK(distance(before.angular, after.angular) <= 1000 * TEST_EPSILON);
        free(w);
    }
}

/* What a floor does that turns and tilts. */
static void sway(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    const double t = (double)time, a = 0.2 * sin(3 * t), v = 0.6 * cos(3 * t);
    (void)user;
    *state = spc_state_identity();
    state->X_GB.q = spc_quat_from_rotation_vector(vec(a, 0, 0));
    state->V_GB.angular = vec(v, 0, 0);
    *acceleration = spc_spatial_make(vec(-1.8 * sin(3 * t), 0, 0), zero);
}

/* A coin that lies on a floor which sways goes with it. */
static void a_coin_lies_on_a_floor_that_sways(void)
{
    int i;
    for (i = 1; i < RATES; i++) {
        spc_world *w = contact_world(4, 4, down(0));
        spc_body_desc d = spc_body_desc_default();
        spc_body floor;
        lone s;
        int n;
        d.kind = SPC_KINEMATIC;
        d.motion = sway;
        CHECK_STATUS(spc_body_add(w, &d, &floor), SPC_OK);
        s = put_coin_on(w, floor, vec(0.05, 0.05, 0), zero, law_of(0.8, 0));
        for (n = 0; n < 3 * (int)rates[i]; n++) {
            spc_state x, f;
            CHECK_STATUS(spc_step(w, real(1 / rates[i])), SPC_OK);
            x = state_of(w, s.coin);
            f = state_of(w, floor);
            CHECK(distance(spc_rotate(x.X_GB.q, vec(0, 0, 1)),
                           spc_rotate(f.X_GB.q, vec(0, 0, 1))) <= IN_DOUBLE_OR_FLOAT(1e-6, 1e-3));
        }
        CHECK_NEAR(contact_of_world(w, s.contact).separation, 0,
                   IN_DOUBLE_OR_FLOAT(1e-6, 1e-5) * R);
        free(w);
    }
}

/* Queries, forward dynamics, impact and projection know the flat disc. */
static void a_coin_that_lies_tells_its_contact(void)
{
    lone s = put_coin(down(0), 0, zero, law_of(0.5, 0.5));
    spc_contact_force f;
    spc_rows rows;
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK(length(acceleration_of(s.world, s.coin).linear) <= 64 * TEST_EPSILON * GRAVITY);
    f = force_of(s.world, s.contact);
    CHECK_NEAR(f.force_G.z, M * GRAVITY, 64 * TEST_EPSILON);
    rows = rows_of(s.world, s.contact);
    CHECK(rows.count == 3 && rows.enforced == 7u && length(rows.arm_b) <= 0);
    set_velocity(&s, vec(0, 0, 1), vec(0, 0, -1));
    CHECK_STATUS(spc_world_impact(s.world), SPC_OK);
    CHECK_NEAR(state_of(s.world, s.coin).V_GB.linear.z, 0.5, 64 * TEST_EPSILON);
    set_velocity(&s, vec(5, 0, 0), vec(0, 0, -0.01)); /* too much to lie: about its rim */
    CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
    CHECK_NEAR(state_of(s.world, s.coin).V_GB.linear.z,
               R * (double)state_of(s.world, s.coin).V_GB.angular.x, 64 * TEST_EPSILON);
    CHECK(state_of(s.world, s.coin).V_GB.angular.x > SPC_R(0.5));
    free(s.world);
}

/* A pull that tips has accelerations about the rim: b = (2 f - m g) r / (5/4 m r^2). */
static void forces_that_tip_accelerate_about_the_rim(void)
{
    const double f = 0.75 * M * GRAVITY;
    lone s = put_coin(down(0), 0, zero, law_of(2, 0));
    CHECK_STATUS(spc_body_add_force(s.world, s.coin, vec(0, 0, f), vec(0, R, 0), SPC_ONE_STEP),
                 SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_NEAR(acceleration_of(s.world, s.coin).angular.x, 0.5 * GRAVITY / (1.25 * R),
               1000 * TEST_EPSILON * GRAVITY / R);
    CHECK_NEAR(acceleration_of(s.world, s.coin).linear.z, 0.5 * GRAVITY / 1.25,
               1000 * TEST_EPSILON * GRAVITY);
    free(s.world);
}

/* States and snapshots taken while it wobbles, or lies, go on with the same bits. */
static void states_and_snapshots_keep_the_bits(void)
{
    const double times[3] = { 0.3, 0.9, 3 };
    int k;
    for (k = 0; k < 3; k++) {
        lone s = put_spun(0.1), twin = put_spun(0.1);
        const size_t bytes = spc_world_state_size(s.world);
        void *state = malloc(bytes);
        spc_state a, b;
        take_steps(s.world, 1.0 / 240, (int)(times[k] * 240));
        CHECK_STATUS(spc_world_save_state(s.world, state, bytes), SPC_OK);
        CHECK_STATUS(spc_world_load_state(twin.world, state, bytes), SPC_OK);
        take_steps(s.world, 1.0 / 240, 300);
        take_steps(twin.world, 1.0 / 240, 300);
        a = state_of(s.world, s.coin);
        b = state_of(twin.world, twin.coin);
        CHECK(SAME_BITS(a, b));
        CHECK(spc_world_hash(s.world) == spc_world_hash(twin.world));
        free(state);
        free(s.world);
        free(twin.world);
    }
}

static const test_entry tests[] = {
    TEST(a_coin_that_lies_rests_bit_for_bit),
    TEST(a_coin_slides_above_the_angle_of_friction),
    TEST(a_coin_that_slides_onto_ice_has_no_friction),
    TEST(a_coin_that_turns_on_its_side_stops),
    TEST(a_coin_that_is_dropped_flat_bounces_and_lies),
    TEST(a_spun_coin_ends_flat_and_stays),
    TEST(a_spun_coin_is_laid_no_earlier_than_128_parts_do),
    TEST(a_wheel_that_falls_over_lies_on_its_side),
    TEST(tossed_coins_come_to_lie),
    TEST(coins_that_whirl_stay_above_the_plane),
    TEST(a_rim_comes_down_where_its_side_rises),
    TEST(a_coin_that_is_laid_flat_while_it_spins_is_flat),
    TEST(coins_that_wobble_keep_their_energy),
    TEST(grip_that_would_have_to_pull_slips),
    TEST(a_pull_at_the_rim_of_half_the_weight_tips_it),
    TEST(a_coin_is_tipped_by_an_impulse_and_lies_again),
    TEST(momenta_stay_where_a_coin_lands_on_a_free_plate),
    TEST(a_coin_lies_on_a_floor_that_sways),
    TEST(a_coin_that_lies_tells_its_contact),
    TEST(forces_that_tip_accelerate_about_the_rim),
    TEST(states_and_snapshots_keep_the_bits),
};

TEST_MAIN
