/* [7.3] Contacts of one body that press and do not pull, in worlds: motion against closed forms at
   60, 240 and 1,000 Hz; what contacts tell; events; what is refused. A uniform ball has
   I = k m r^2 with k = 2/5. Where an instant lies inside a step, the place is wrong by K h^2. */
#include "contacts.h"

#define R 0.1

/* Rounding of a thousand steps, beside numbers of the size of 1. */
#define EXACT IN_DOUBLE_OR_FLOAT(1e-10, 5e-4)

/* One ball of 1 kg and R above ground's plane z = 0. */
typedef struct lone {
    spc_world *world;
    spc_body ball;
    spc_constraint contact;
} lone;

static lone put_lone(spc_vec3 gravity, double gap, spc_vec3 angular, spc_vec3 linear,
                     spc_contact_law law)
{
    lone s;
    s.world = contact_world(4, 8, gravity);
    s.ball = put_body(s.world, spc_mass_solid_sphere(1, real(R)), vec(0, 0, R + gap), angular,
                      linear);
    s.contact = put_on_plane(s.world, ground, level(0), s.ball, R, law);
    return s;
}

/* Gravity on a slope that goes down along x. */
static spc_vec3 down(double slope)
{
    return vec(GRAVITY * sin(slope), 0, -GRAVITY * cos(slope));
}

static void check_vec3(int line, spc_vec3 got, double x, double y, double z, double tolerance)
{
    test_near(__FILE__, line, "x", (double)got.x, x, tolerance);
    test_near(__FILE__, line, "y", (double)got.y, y, tolerance);
    test_near(__FILE__, line, "z", (double)got.z, z, tolerance);
}

/* ---------------------------------------------------------------------- bounces ------------- */

/* A ball falls from 1 m: apex k is e^2k high, at t0 (1 + 2 e + ... + 2 e^(k-1) + e^k). */
static void bounces_are_where_they_should_be(void)
{
    int i;
    for (i = 0; i < RATES; i++) {
        const double h = 1 / rates[i], e = 0.8, t0 = sqrt(2 / GRAVITY);
        lone s = put_lone(down(0), 1, zero, zero, law_of(0.3, e));
        double before = 0, until = t0 * (1 + e), high = e * e;
        int n, apex = 0;
        for (n = 1; apex < 10 && n < 6 * rates[i]; n++) {
            spc_state x;
            double v, z;
            take_steps(s.world, h, 1);
            x = state_of(s.world, s.ball);
            v = (double)x.V_GB.linear.z;
            z = (double)x.X_GB.p.z - R;
            if (before > 0 && v <= 0) {
                CHECK_NEAR((z + v * v / (2 * GRAVITY)) / high, 1, EXACT);
                CHECK_NEAR(n * h + v / GRAVITY, until, EXACT);
                until += t0 * pow(e, apex + 1) * (1 + e);
                high *= e * e;
                apex++;
            }
            before = v;
        }
        CHECK(apex == 10);
        free(s.world);
    }
}

/* Without gravity a ball comes 4 m in 4 steps, all numbers powers of two, and meets the plane as
   the last one ends: it is there, and goes back. With resistance, too, which takes another way. */
static void a_hit_at_the_end_of_a_step_bounces(void)
{
    const double h = 1. / 64, v = 64;
    int i;
    for (i = 0; i < 2; i++) {
        spc_contact_law law = law_of(0, 1);
        spc_world *w = contact_world(1, 1, zero);
        const spc_body ball =
            put_body(w, spc_mass_solid_sphere(1, SPC_R(0.5)), vec(0, 0, 4.5), zero, vec(0, 0, -v));
        law.rolling_resistance = real(i * 0.01);
        (void)put_on_plane(w, ground, level(0), ball, 0.5, law);
        take_steps(w, h, 4);
        CHECK_NEAR(state_of(w, ball).X_GB.p.z, 0.5, EXACT);
        CHECK_NEAR(state_of(w, ball).V_GB.linear.z, v, v * EXACT);
        take_steps(w, h, 1);
        CHECK_NEAR(state_of(w, ball).X_GB.p.z, 1.5, EXACT);
        free(w);
    }
}

/* e = 1: the energy of m g (1 m + R) stays, through 22 bounces. */
static void what_bounces_back_whole_keeps_its_energy(void)
{
    int i;
    for (i = 0; i < RATES; i++) {
        lone s = put_lone(down(0), 1, zero, zero, law_of(0.3, 1));
        take_steps(s.world, 1 / rates[i], (int)(20 * rates[i]));
        CHECK_NEAR(energy_of(s.world), GRAVITY * (1 + R), GRAVITY * EXACT);
        free(s.world);
    }
}

/* Bounces of e = 1/2 end after t0 (1 + 2 (e + e^2 + ...)) = 3 t0: a step or two at 60 Hz before,
   where the last ones would all lie within a step. After that nothing moves. */
static void a_bounce_comes_to_rest_by_itself(void)
{
    const double end = 3 * sqrt(2 / GRAVITY);
    int i, n;
    for (i = 0; i < RATES; i++) {
        lone s = put_lone(down(0), 1, zero, zero, law_of(0.3, 0.5));
        double last = 0;
        spc_state rests;
        for (n = 1; n <= 2 * rates[i]; n++) {
            take_steps(s.world, 1 / rates[i], 1);
            if (contact_of_world(s.world, s.contact).hit_speed > 0)
                last = n / rates[i];
        }
        CHECK(last <= end + 1 / rates[i] && last >= end - 3 / rates[i]);
        rests = state_of(s.world, s.ball);
        check_vec3(__LINE__, rests.V_GB.linear, 0, 0, 0, 0);
        check_vec3(__LINE__, rests.X_GB.p, 0, 0, R, TEST_EPSILON * R);
        take_steps(s.world, 1 / rates[i], 1000);
        {
            const spc_state later = state_of(s.world, s.ball);
            CHECK(SAME_BITS(rests, later));
        }
        free(s.world);
    }
}

/* Speeds at or below restitution_speed do not bounce: from 1 m the hits are at 4.43, 3.54, 2.83,
   2.27 m/s, of which the last is below 2.5. */
static void slow_hits_do_not_bounce(void)
{
    spc_contact_law law = law_of(0.3, 0.8);
    lone s;
    int n, hits = 0;
    law.restitution_speed = SPC_R(2.5);
    s = put_lone(down(0), 1, zero, zero, law);
    for (n = 0; n < 600; n++) {
        spc_contact_info info;
        take_steps(s.world, 1 / 240., 1);
        info = contact_of_world(s.world, s.contact);
        hits += info.hit_speed > 0;
        if (info.hit_speed > 0)
            CHECK_NEAR(info.hit_speed, pow(0.8, hits - 1) * sqrt(2 * GRAVITY), EXACT);
        CHECK(info.began == (info.hit_speed > 0));
        CHECK(info.ended == (info.began && hits < 4));
        CHECK((info.state == SPC_CONTACT_ROLLING) == (hits == 4));
    }
    CHECK(hits == 4);
    free(s.world);
}

/* Back spin at the bounce. It slides: friction takes mu (1 + e) v_n of the speed, and mu (1 + e)
   v_n / (k r) of the spin. It grips: the angular momentum about the point of contact, v + k r w,
   is kept, and it rolls off: v = (v0 + k r w0) / (1 + k). Between, it flies: exact. */
static void back_spin_slides_or_grips_at_the_bounce(void)
{
    const double e = 0.6, v0 = 1, w0 = -20, v_n = sqrt(2 * GRAVITY * 0.5), k = 0.4;
    const double hit = sqrt(1 / GRAVITY), time = 0.6;
    int i, grips;
    for (i = 0; i < RATES; i++)
        for (grips = 0; grips < 2; grips++) {
            const double mu = grips ? 1 : 0.1, change = mu * (1 + e) * v_n;
            const double v = grips ? (v0 + k * R * w0) / (1 + k) : v0 - change;
            const double w = grips ? v / R : w0 + change / (k * R);
            const int n = (int)(time * rates[i] + 0.5);
            lone s = put_lone(down(0), 0.5, vec(0, w0, 0), vec(v0, 0, 0), law_of(mu, e));
            spc_state x;
            take_steps(s.world, 1 / rates[i], n);
            x = state_of(s.world, s.ball);
            CHECK_NEAR(x.V_GB.linear.x, v, EXACT);
            CHECK_NEAR(x.V_GB.angular.y, w, EXACT / R);
            CHECK_NEAR(x.X_GB.p.x, v0 * hit + v * (time - hit), EXACT);
            free(s.world);
        }
}

/* ---------------------------------------------------------------------- floors -------------- */

/* g sin / (1 + k) where it rolls, g (sin - mu cos) where it slides: constant accelerations, which
   steps follow to rounding. */
static void slopes_roll_or_slide(void)
{
    const double slope = 0.3;
    int i, slides;
    for (i = 0; i < RATES; i++)
        for (slides = 0; slides < 2; slides++) {
            const double mu = slides ? 0.05 : 0.5;
            const double a = slides ? GRAVITY * (sin(slope) - mu * cos(slope))
                                    : GRAVITY * sin(slope) / 1.4;
            lone s = put_lone(down(slope), 0, zero, zero, law_of(mu, 0));
            const int n = (int)(2 * rates[i]);
            spc_state x;
            spc_contact_info info;
            take_steps(s.world, 1 / rates[i], n);
            x = state_of(s.world, s.ball);
            info = contact_of_world(s.world, s.contact);
            CHECK_NEAR((double)x.V_GB.linear.x / (2 * a), 1, IN_DOUBLE_OR_FLOAT(1e-12, 5e-4));
            CHECK_NEAR((double)x.X_GB.p.x / (2 * a), 1, IN_DOUBLE_OR_FLOAT(1e-12, 5e-4));
            CHECK(info.state == (slides ? SPC_CONTACT_SLIDING : SPC_CONTACT_ROLLING));
            CHECK_NEAR(info.grip_used, slides ? 1 : 2. / 7 * tan(slope) / mu,
                       IN_DOUBLE_OR_FLOAT(1e-9, 1e-3));
            CHECK_NEAR(info.force[2], GRAVITY * cos(slope), IN_DOUBLE_OR_FLOAT(1e-9, 1e-2));
            CHECK_NEAR(info.slip[0], slides ? 2 * a - R * (double)x.V_GB.angular.y : 0, EXACT * 10);
            free(s.world);
        }
}

/* A ball is thrown without spin, at 0 and at 30 degrees to the plane's axes: it slides by -mu g
   until it rolls with 5/7 of its speed, at t = 2/7 v0 / (mu g), inside a step: K = 0.4 m/s^2. */
static void a_thrown_ball_slides_and_rolls(void)
{
    const double v0 = 2, mu = 0.2, t = 2. / 7 * v0 / (mu * GRAVITY);
    const double way = v0 * t - mu * GRAVITY * t * t / 2 + 5. / 7 * v0 * (2 - t);
    int i, turned;
    for (i = 0; i < RATES; i++)
        for (turned = 0; turned < 2; turned++) {
            const double h = 1 / rates[i], angle = turned ? PI / 6 : 0;
            lone s = put_lone(down(0), 0, zero, vec(v0 * cos(angle), v0 * sin(angle), 0),
                              law_of(mu, 0));
            spc_state x;
            take_steps(s.world, h, (int)(2 * rates[i]));
            x = state_of(s.world, s.ball);
            check_vec3(__LINE__, x.V_GB.linear, 5. / 7 * v0 * cos(angle), 5. / 7 * v0 * sin(angle),
                       0, EXACT);
            check_vec3(__LINE__, x.X_GB.p, way * cos(angle), way * sin(angle), R,
                       0.4 * h * h + EXACT);
            CHECK(contact_of_world(s.world, s.contact).state == SPC_CONTACT_ROLLING);
            free(s.world);
        }
}

/* A cube of 0.2 m on four feet with mu 0.5: it stays to the bit on a slope with a tangent of 0.49,
   from the first step on that finds its feet on the plane; at 0.51 it slides. */
static void a_cube_holds_below_the_angle_of_friction(void)
{
    int i, slides;
    for (i = 0; i < RATES; i++)
        for (slides = 0; slides < 2; slides++) {
            const double slope = atan(slides ? 0.51 : 0.49);
            spc_world *w = contact_world(1, 4, down(slope));
            const spc_body box = put_box(w, vec(0, 0, 0.1), 4, 0.5);
            const double a = GRAVITY * (sin(slope) - 0.5 * cos(slope));
            spc_vec3 p;
            take_steps(w, 1 / rates[i], (int)(2 * rates[i]));
            p = state_of(w, box).X_GB.p;
            check_vec3(__LINE__, p, slides ? 2 * a : 0, 0, 0.1,
                       slides ? 1e-4 : IN_DOUBLE_OR_FLOAT(0, 0.1 * TEST_EPSILON));
            free(w);
        }
}

/* Rolling resistance rho takes g rho / ((1 + k) r) of the speed, until the ball rests, inside a
   step: K = 0.1. Spinning resistance takes g sigma / (k r^2) of the spin. */
static void resistances_stop_what_turns(void)
{
    const double rho = 0.01, sigma = 0.002, v0 = 1, w0 = 6;
    const double a = GRAVITY * rho / (1.4 * R), b = GRAVITY * sigma / (0.4 * R * R);
    int i;
    for (i = 0; i < RATES; i++) {
        const double h = 1 / rates[i];
        spc_contact_law law = law_of(0.5, 0);
        spc_state x;
        lone s;
        law.rolling_resistance = real(rho);
        law.spinning_resistance = real(sigma);
        s = put_lone(down(0), 0, vec(0, v0 / R, w0), vec(v0, 0, 0), law);
        take_steps(s.world, h, (int)(0.5 * rates[i]));
        x = state_of(s.world, s.ball);
        CHECK_NEAR(x.V_GB.linear.x, v0 - a / 2, EXACT);
        CHECK_NEAR(x.V_GB.angular.z, w0 - b / 2, 10 * EXACT);
        take_steps(s.world, h, (int)(2.5 * rates[i]));
        x = state_of(s.world, s.ball);
        check_vec3(__LINE__, x.X_GB.p, v0 * v0 / (2 * a), 0, R, 0.1 * h * h + EXACT);
        check_vec3(__LINE__, x.V_GB.linear, 0, 0, 0, TEST_EPSILON);
        check_vec3(__LINE__, x.V_GB.angular, 0, 0, 0, TEST_EPSILON / R);
        free(s.world);
    }
}

/* A belt along the plane's own axes, of which x points to ground's y: a ball put down on it without
   speed slides with mu g along it until it rolls with k / (1 + k) = 2/7 of its speed: K = 0.2. */
static void a_belt_takes_a_ball_along(void)
{
    const double u = 1.4, mu = 0.1, t = 2. / 7 * u / (mu * GRAVITY);
    const double way = mu * GRAVITY * t * t / 2 + 2. / 7 * u * (1 - t), q = sqrt(0.5);
    int i;
    for (i = 0; i < RATES; i++) {
        const double h = 1 / rates[i];
        spc_contact_law law = law_of(mu, 0);
        spc_world *w = contact_world(1, 1, down(0));
        const spc_body ball = put_ball(w, 1, R, vec(0, 0, R));
        spc_transform X = spc_transform_make(spc_quat_make(real(q), 0, 0, real(q)), zero);
        spc_state x;
        law.surface_velocity[0] = real(0.6 * u);
        law.surface_velocity[1] = real(0.8 * u);
        (void)put_on_plane(w, ground, X, ball, R, law);
        take_steps(w, h, (int)rates[i]);
        x = state_of(w, ball);
        check_vec3(__LINE__, x.X_GB.p, -0.8 * way, 0.6 * way, R, 0.2 * h * h + EXACT);
        check_vec3(__LINE__, x.V_GB.linear, -0.8 * 2. / 7 * u, 0.6 * 2. / 7 * u, 0, EXACT);
        free(w);
    }
}

/* An upright disc with k = 1/2, its heading at an angle to the plane's axes, and a belt along the
   heading: u k / (1 + k) = u / 3 when it rolls. The belt is in the plane's axes, not in those of
   the contact. */
static void a_belt_takes_a_disc_along(void)
{
    const double u = 0.9, mu = 0.2, heading = 0.7, t = u / 3 / (mu * GRAVITY);
    const double way = mu * GRAVITY * t * t / 2 + u / 3 * (1 - t);
    int i;
    for (i = 0; i < RATES; i++) {
        const double h = 1 / rates[i];
        spc_world *w = contact_world(1, 1, down(0));
        spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
        spc_constraint c;
        spc_state x;
        d.disc = put_body(w, spc_mass_solid_sphere(1, real(R)), vec(0, 0, R), zero, zero);
        {
            spc_mass m = spc_mass_solid_sphere(1, real(R));
            m.inertia.xx = m.inertia.yy = m.inertia.zz = real(0.5 * R * R);
            CHECK_STATUS(spc_body_set_mass(w, d.disc, &m), SPC_OK);
        }
        d.shape.axis_B = vec(-sin(heading), cos(heading), 0);
        d.shape.radius = real(R);
        d.one_sided = true;
        d.law = law_of(mu, 0);
        d.law.surface_velocity[0] = real(u * cos(heading));
        d.law.surface_velocity[1] = real(u * sin(heading));
        CHECK_STATUS(spc_rolling_disc_add(w, &d, &c), SPC_OK);
        take_steps(w, h, (int)rates[i]);
        x = state_of(w, d.disc);
        check_vec3(__LINE__, x.X_GB.p, way * cos(heading), way * sin(heading), R,
                   0.4 * h * h + EXACT);
        check_vec3(__LINE__, x.V_GB.linear, u / 3 * cos(heading), u / 3 * sin(heading), 0, EXACT);
        free(w);
    }
}

/* ---------------------------------------------------------------------- moving floors ------- */

static spc_body put_floor(spc_world *w, spc_motion motion, void *user)
{
    spc_body_desc d = spc_body_desc_default();
    spc_body floor = { 0, 0 };
    d.kind = SPC_KINEMATIC;
    d.motion = motion;
    d.user = user;
    CHECK_STATUS(spc_body_add(w, &d, &floor), SPC_OK);
    return floor;
}

/* A turntable of 2 rad/s: the ball goes round its circle with 2/7 of that. In ten orbits the radius
   stays to 0.1, 0.01, 0.001 %. */
static void a_turntable_keeps_the_circle(void)
{
    const double turn = 2, rate = 2. / 7 * turn, radius = 0.5;
    const double bars[RATES] = { 1e-3, 1e-4, 1e-5 };
    int i;
    for (i = 0; i < RATES - IN_DOUBLE_OR_FLOAT(0, 1); i++) {
        const double h = 1 / rates[i];
        const int n = (int)(10 * 2 * PI / rate / h);
        spc_world *w = contact_world(2, 1, down(0));
        const spc_body floor = put_floor(w, NULL, NULL);
        const spc_body ball =
            put_body(w, spc_mass_solid_sphere(1, real(R)), vec(radius, 0, R),
                     /* v - w x r n = turn x x: w_x = (turn radius - v) / r */
                     vec((turn - rate) * radius / R, 0, 0), vec(0, rate * radius, 0));
        CHECK_STATUS(spc_body_set_velocity(w, floor, spc_spatial_make(vec(0, 0, turn), zero)),
                     SPC_OK);
        (void)put_on_plane(w, floor, level(0), ball, R, law_of(1, 0));
        take_steps(w, h, n);
        {
            const spc_vec3 p = state_of(w, ball).X_GB.p;
            CHECK_NEAR(sqrt((double)p.x * (double)p.x + (double)p.y * (double)p.y) / radius, 1,
                       IN_DOUBLE_OR_FLOAT(1, 1000) * bars[i]);
            CHECK_NEAR(p.z, R, EXACT * R);
        }
        free(w);
    }
}

/* z = -A cos(w t): the floor throws the ball up, which leaves it where the floor brakes faster than
   gravity: cos(w t) = -g / (A w^2) there, and flies. */
#define SHAKE 0.1
#define SHAKE_RATE 15.
static void shake(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    const double t = SHAKE_RATE * (double)time;
    (void)user;
    *state = spc_state_identity();
    state->X_GB.p = vec(0, 0, -SHAKE * cos(t));
    state->V_GB.linear = vec(0, 0, SHAKE * SHAKE_RATE * sin(t));
    *acceleration = spc_spatial_make(zero, vec(0, 0, SHAKE * SHAKE_RATE * SHAKE_RATE * cos(t)));
}

/* Height of what lies on that floor, and its speed. */
static double shaken(double t, double *v)
{
    *v = SHAKE * SHAKE_RATE * sin(SHAKE_RATE * t);
    return -SHAKE * cos(SHAKE_RATE * t);
}

/* A step sees the floor's speed at both ends and in the middle; a parabola through them is off by
   no more than this of the third derivative, A w^4, times h^3. */
#define PARABOLA (1 / 124.7)

/* A floor in lanes, and one with an end, which is not. */
static spc_constraint put_shaken(spc_world *w, spc_body ball, double restitution, bool in_lanes)
{
    spc_contact_law law = law_of(0.5, restitution);
    law.bounded = !in_lanes;
    law.half_length[0] = law.half_length[1] = 1000;
    return put_on_plane(w, put_floor(w, shake, NULL), level(0), ball, R, law);
}

static void a_floor_that_falls_away_lets_go(void)
{
    const double w0 = SHAKE_RATE, t = acos(-GRAVITY / (SHAKE * w0 * w0)) / w0, end = 0.2 - t;
    double v0;
    const double z0 = shaken(t, &v0);
    int i;
    for (i = 0; i < 2 * RATES; i++) {
        const double h = 1 / rates[i / 2];
        const int n = (int)(0.2 * rates[i / 2] + 0.5);
        spc_world *w = contact_world(2, 1, down(0));
        const spc_body ball = put_ball(w, 1, R, vec(0, 0, R - SHAKE));
        const spc_constraint k = put_shaken(w, ball, 0, i % 2);
        int j, ended = 0;
        for (j = 0; j < n; j++) {
            take_steps(w, h, 1);
            ended += contact_of_world(w, k).ended;
        }
        CHECK(ended == 1);
        CHECK_NEAR((double)state_of(w, ball).X_GB.p.z - R, z0 + v0 * end - GRAVITY * end * end / 2,
                   PARABOLA * SHAKE * pow(w0, 4) * pow(h, 3) * end + EXACT);
        CHECK(contact_of_world(w, k).separation > 0);
        free(w);
    }
}

/* From 0.4 m above its mean it falls onto the floor, and bounces; its height 0.1 s later. When
   it meets the floor is found by halving. */
static void a_floor_that_is_shaken_throws(void)
{
    const double top = 0.4, e = 0.8, w0 = SHAKE_RATE, flight = 0.1;
    double early = 0.2, late = 0.3, v, z, t = 0;
    int i;
    for (i = 0; i < 60; i++) {
        t = (early + late) / 2;
        if (top - GRAVITY / 2 * t * t > shaken(t, &v))
            early = t;
        else
            late = t;
    }
    z = shaken(t, &v);
    v = v + e * (v + GRAVITY * t);
    for (i = 0; i < 2 * RATES; i++) {
        const double h = 1 / rates[i / 2], rest = flight + (h - fmod(t, h)); /* whole steps */
        const int n = (int)((t + rest) / h + 0.5);
        spc_world *w = contact_world(2, 1, down(0));
        const spc_body ball = put_ball(w, 1, R, vec(0, 0, R + top));
        const spc_constraint k = put_shaken(w, ball, e, i % 2);
        double hit = 0;
        int j;
        for (j = 0; j < n; j++) {
            take_steps(w, h, 1);
            hit = fmax(hit, (double)contact_of_world(w, k).hit_speed);
        }
        CHECK_NEAR((double)state_of(w, ball).X_GB.p.z - R,
                   z + v * (n * h - t) - GRAVITY / 2 * (n * h - t) * (n * h - t),
                   (1 + e) * PARABOLA * SHAKE * pow(w0, 4) * pow(h, 3) * flight + EXACT);
        CHECK(hit > 1);
        free(w);
    }
}

/* What presses and grips all the time moves as a bilateral contact does: floors that move and tilt,
   discs, bowls. One-sided rows press by another way through the solver, so to rounding. */
static void tilt(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    const double t = (double)time, a = 0.3 * sin(2 * t), da = 0.6 * cos(2 * t);
    (void)user;
    *state = spc_state_identity();
    state->X_GB.q = spc_quat_make(real(cos(a / 2)), 0, real(sin(a / 2)), 0);
    state->X_GB.p = vec(0.1 * t * t, 0, 0.05 * sin(3 * t));
    state->V_GB = spc_spatial_make(vec(0, da, 0), vec(0.2 * t, 0, 0.15 * cos(3 * t)));
    *acceleration = spc_spatial_make(vec(0, -1.2 * sin(2 * t), 0), vec(0.2, 0, -0.45 * sin(3 * t)));
}

/* Scene 0: a ball on a floor that tilts, 1: a rolling coin, 2: a ball in a bowl, 3: on a sphere. */
#define ALIKE 4
static spc_body put_alike(spc_world *w, int scene, bool one_sided)
{
    const spc_body floor = scene == 0 ? put_floor(w, tilt, NULL) : ground;
    const spc_contact_law law = spc_contact_law_default();
    spc_constraint c = { 0, 0 };
    spc_body body;
    if (scene == 0) {
        body = put_body(w, spc_mass_solid_sphere(1, real(R)), vec(0.2, 0.1, R), zero, zero);
        c = put_on_plane(w, floor, level(0), body, R, law);
    } else if (scene == 1) {
        spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
        const spc_mass m = spc_mass_cylinder(1, real(R), real(R / 20));
        body = put_body(w, m, vec(0, 0, R), zero, zero);
        d.disc = body;
        d.shape.radius = real(R);
        d.shape.axis_B = vec(0, 0, 1);
        /* leaning by 0.3 about x: the lowest point is on the ground */
        CHECK_STATUS(spc_body_set_pose(
                         w, body,
                         spc_transform_make(spc_quat_make(real(cos(0.15 - PI / 4)),
                                                          real(sin(0.15 - PI / 4)), 0, 0),
                                            vec(0, 0, R * cos(0.3)))),
                     SPC_OK);
        d.one_sided = true;
        d.law = law;
        CHECK_STATUS(spc_rolling_disc_add(w, &d, &c), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(w, body, spc_spatial_make(vec(0, 15, 2), zero)), SPC_OK);
    } else {
        spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
        const double angle = scene == 2 ? 0.6 : 0.1, arm = scene == 2 ? R - 0.5 : R + 0.5;
        body = put_ball(w, 1, R, vec(arm * sin(angle), 0, arm * cos(angle)));
        d.b = body;
        d.shape.radius_a = SPC_R(0.5);
        d.shape.radius_b = real(R);
        d.shape.hollow = scene == 2;
        d.one_sided = true;
        d.law = law;
        CHECK_STATUS(spc_sphere_on_sphere_add(w, &d, &c), SPC_OK);
    }
    CHECK_STATUS(spc_constraint_set_law(w, c, false, &law), SPC_OK);
    CHECK_STATUS(spc_world_project_velocities(w), SPC_OK); /* without normal impulses none grips */
    CHECK_STATUS(spc_constraint_set_law(w, c, one_sided, &law), SPC_OK);
    return body;
}

static void what_presses_and_grips_is_as_if_bilateral(void)
{
    int scene, i;
    for (scene = 0; scene < ALIKE; scene++) {
        spc_world *one = contact_world(2, 1, down(0)), *two = contact_world(2, 1, down(0));
        const spc_body a = put_alike(one, scene, true), b = put_alike(two, scene, false);
        double worst = 0;
        for (i = 0; i < 120; i++) {
            take_steps(one, 1 / 240., 1);
            take_steps(two, 1 / 240., 1);
            note(&worst, distance(state_of(one, a).X_GB.p, state_of(two, b).X_GB.p));
        }
        CHECK(worst < EXACT);
        free(one);
        free(two);
    }
}

/* A ball on a sphere that rolls off leaves it where its centripetal force is gone: with friction
   enough at cos = 10/17, without at 2/3; it has fallen freely from there on. The angle is that of
   the step in which it ended, to what the ball does in it. */
static void a_ball_rolls_off_a_sphere(void)
{
    int i, rolls;
    for (i = 0; i < RATES; i++)
        for (rolls = 0; rolls < 2; rolls++) {
            const double h = 1 / rates[i], arm = 0.6, first = 0.1;
            const double leave = rolls ? (10 * cos(first)) / 17 : 2. / 3 * cos(first);
            spc_world *w = contact_world(1, 1, down(0));
            const spc_body ball = put_ball(w, 1, R, vec(arm * sin(first), 0, arm * cos(first)));
            spc_contact_law law = law_of(0, 0);
            spc_constraint c;
            int n = 0;
            law.grip = rolls;
            c = put_pair(w, ground, ball, 0.5, R, law);
            while (n < 3 * rates[i] && !contact_of_world(w, c).ended) {
                take_steps(w, h, 1);
                n++;
            }
            /* falls with 2 to 3 m/s there */
            CHECK_NEAR((double)state_of(w, ball).X_GB.p.z / arm, leave, 3 * h / arm);
            take_steps(w, h, (int)(0.2 * rates[i]));
            CHECK_NEAR(energy_of(w), GRAVITY * arm * cos(first), 40 * h * h + 10 * EXACT);
            CHECK(contact_of_world(w, c).state == SPC_CONTACT_OPEN);
            free(w);
        }
}

/* An upright coin rolls straight for 10 s, to rounding. */
static void an_upright_coin_rolls_straight(void)
{
    int i;
    for (i = 0; i < RATES; i++) {
        spc_world *w = contact_world(1, 1, down(0));
        spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
        spc_constraint c;
        spc_vec3 p;
        d.disc = put_body(w, spc_mass_solid_sphere(1, real(R)), vec(0, 0, R), vec(0, 20, 0),
                          vec(2, 0, 0));
        d.shape.radius = real(R);
        d.shape.axis_B = vec(0, 1, 0);
        d.one_sided = true;
        d.law = law_of(0.5, 0);
        CHECK_STATUS(spc_rolling_disc_add(w, &d, &c), SPC_OK);
        take_steps(w, 1 / rates[i], (int)(IN_DOUBLE_OR_FLOAT(10, 1) * rates[i]));
        p = state_of(w, d.disc).X_GB.p;
        check_vec3(__LINE__, p, IN_DOUBLE_OR_FLOAT(20, 2), 0, R, EXACT);
        free(w);
    }
}

/* Without gravity nothing presses: the law is met, though nothing is left that a miss could be
   measured by. */
static void what_nothing_presses_is_solved(void)
{
    int balls, i;
    for (balls = 1; balls <= 2; balls++) {
        spc_world *w = contact_world(2, 2, down(0));
        for (i = 0; i < balls; i++) /* the second one on the first */
            (void)put_ball(w, 1, R, vec(0, 0, R + 2 * R * i));
        for (i = 0; i < balls; i++) {
            const spc_body body = { (unsigned)i + 1, 1 }, under = { (unsigned)i, 1 };
            if (i == 0)
                (void)put_on_plane(w, ground, level(0), body, R, law_of(0.5, 0));
            else
                (void)put_pair(w, under, body, R, R, law_of(0.5, 0));
        }
        take_steps(w, 1 / 60., 10);
        CHECK_STATUS(spc_world_set_gravity(w, zero), SPC_OK);
        take_steps(w, 1 / 60., 1);
        CHECK(report_of(w).unsolved == 0);
        CHECK_NEAR(report_of(w).residual, 0, 0);
        free(w);
    }
}

/* Without stabilization a bounce is as it was, and what rests stays. */
static void without_stabilization_it_bounces_and_rests_as_well(void)
{
    spc_stabilization off = spc_stabilization_default();
    lone s = put_lone(down(0), 1, zero, zero, law_of(0.3, 0.5));
    double before = 0;
    int n, apexes = 0;
    off.enabled = false;
    CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.contact, &off), SPC_OK);
    for (n = 0; n < 720; n++) {
        spc_state x;
        double v;
        take_steps(s.world, 1 / 240., 1);
        x = state_of(s.world, s.ball);
        v = (double)x.V_GB.linear.z;
        if (before > 0 && v <= 0 && apexes++ == 0)
            CHECK_NEAR((double)x.X_GB.p.z - R + v * v / (2 * GRAVITY), 0.25, EXACT);
        before = v;
    }
    CHECK(apexes > 3);
    check_vec3(__LINE__, state_of(s.world, s.ball).X_GB.p, 0, 0, R, TEST_EPSILON * R);
    check_vec3(__LINE__, state_of(s.world, s.ball).V_GB.linear, 0, 0, 0, 0);
    free(s.world);
}

/* ---------------------------------------------------------------------- what contacts tell -- */

/* Over a step, momenta change by what the contacts' forces and gravity say, and the forces on the
   floor are the opposite, about ground's origin. For bodies with Bo = Bc whose arms the step does
   not turn: balls. */
static void check_balance(lone *s, double h)
{
    const spc_state before = state_of(s->world, s->ball);
    spc_spatial after;
    spc_contact_force f;
    spc_vec3 torque;
    take_steps(s->world, h, 1);
    after = state_of(s->world, s->ball).V_GB;
    f = force_of(s->world, s->contact);
    CHECK_NEAR(distance(spc_scale(real(1 / h), spc_sub(after.linear, before.V_GB.linear)),
                        spc_add(f.on_b.linear, spc_world_gravity(s->world))),
               0, EXACT);
    CHECK_NEAR(distance(spc_scale(real(0.4 * R * R / h),
                                  spc_sub(after.angular, before.V_GB.angular)),
                        f.on_b.angular),
               0, EXACT);
    CHECK_NEAR(distance(f.on_a.linear, f.on_b.linear), 2 * length(f.on_b.linear), EXACT);
    torque = spc_add(f.on_a.angular, f.on_b.angular);
    torque = spc_add(torque, spc_cross(state_of(s->world, s->ball).X_GB.p, f.on_b.linear));
    /* C is where the ball is now, which the floor's arm follows */
    CHECK_NEAR(length(torque), 0, EXACT * 10);
}

/* A ball slides on a belt, and rolling and spinning are resisted: f = -mu N, the moments rho N and
   sigma N against what turns. The power is that into both bodies: against the floor itself, not
   against its belt. */
static void forces_have_friction_and_moments(void)
{
    const double mu = 0.1, rho = 0.02, sigma = 0.01, N = GRAVITY;
    spc_contact_law law = law_of(mu, 0);
    spc_contact_force f;
    spc_contact_info info;
    spc_spatial V;
    lone s;
    law.rolling_resistance = real(rho);
    law.spinning_resistance = real(sigma);
    law.surface_velocity[0] = SPC_R(0.5);
    s = put_lone(down(0), 0, vec(0, 5, 7), vec(3, 0, 0), law);
    take_steps(s.world, 1 / 240., 1);
    check_balance(&s, 1 / 240.);
    f = force_of(s.world, s.contact);
    info = contact_of_world(s.world, s.contact);
    V = state_of(s.world, s.ball).V_GB;
    check_vec3(__LINE__, f.force_P, -mu * N, 0, N, EXACT);
    check_vec3(__LINE__, f.force_G, -mu * N, 0, N, EXACT);
    check_vec3(__LINE__, f.on_b.angular, 0, mu * N * R - rho * N, -sigma * N, EXACT);
    check_vec3(__LINE__, f.on_b_B.linear, (double)f.on_b_B.linear.x, (double)f.on_b_B.linear.y,
               (double)f.on_b_B.linear.z, 0);
    CHECK_NEAR(f.power,
               -mu * N * ((double)V.linear.x - R * (double)V.angular.y) -
                   rho * N * (double)V.angular.y - sigma * N * (double)V.angular.z,
               10 * EXACT);
    CHECK_NEAR(info.force[0], -mu * N, EXACT);
    CHECK_NEAR(info.moment[1], -rho * N, EXACT);
    CHECK_NEAR(info.moment[2], -sigma * N, EXACT);
    CHECK_NEAR(info.slip[0], (double)V.linear.x - R * (double)V.angular.y - 0.5, 10 * EXACT);
    CHECK_NEAR(info.grip_used, 1, 1e-9 + EXACT);
    CHECK(info.state == SPC_CONTACT_SLIDING);
    free(s.world);
}

/* A box slides on four feet: their forces are its weight's reaction and mu of it; the line that is
   drawn of each foot's friction is as long. */
typedef struct drawn {
    int crosses, joints;
    double normal, across;
} drawn;

static void draw_line(void *user, const spc_drawn *what, spc_vec3 a, spc_vec3 b)
{
    drawn *d = (drawn *)user;
    d->crosses += what->part == SPC_PART_CONTACT;
    d->joints += what->part == SPC_PART_JOINT && what->color.r > SPC_R(0.8) &&
                 what->color.g < SPC_R(0.5) &&
                 distance(a, b) > 1e-3;
    if (what->part != SPC_PART_FORCE)
        return;
    if (fabs((double)b.z - (double)a.z) > fabs((double)b.x - (double)a.x))
        d->normal += distance(a, b);
    else
        d->across += distance(a, b);
}

static void feet_tell_their_friction(void)
{
    const double slope = 0.5, mu = 0.2, N = 2 * GRAVITY * cos(slope);
    spc_world *w = contact_world(1, 4, down(slope));
    const spc_body box = put_box(w, vec(0, 0, 0.1), 4, mu);
    spc_drawing drawing = spc_drawing_default();
    spc_constraint c = { 0, 0 };
    spc_vec3 sum = zero;
    double power = 0;
    drawn d = { 0, 0, 0, 0 };
    take_steps(w, 1 / 240., 60);
    while (spc_constraint_next(w, &c)) {
        const spc_contact_force f = force_of(w, c);
        sum = spc_add(sum, f.force_G);
        power += (double)f.power;
        CHECK_NEAR(distance(f.on_a.linear, f.on_b.linear), 2 * length(f.force_G), EXACT);
    }
    check_vec3(__LINE__, sum, -mu * N, 0, N, 100 * EXACT);
    CHECK_NEAR(power, -mu * N * (double)state_of(w, box).V_GB.linear.x, 100 * EXACT);
    drawing.parts = SPC_PART_ALL & ~SPC_PART_NAME;
    drawing.newton = 1;
    drawing.frame = SPC_R(0.0005); /* so that frames are not taken for errors */
    drawing.user = &d;
    drawing.line = draw_line;
    CHECK_STATUS(spc_world_draw(w, &drawing), SPC_OK);
    CHECK(d.crosses == 4 * 3);
    CHECK(d.joints == 0);
    CHECK_NEAR(d.normal, N, 100 * EXACT);
    CHECK_NEAR(d.across, mu * N, 100 * EXACT);
    free(w);
}

/* Accelerations at an instant, by the same law: sliding, rolling, off the floor, and none for what
   goes up. */
static void forward_dynamics_slides_rolls_and_lets_go(void)
{
    const double slope = 0.3;
    int i;
    for (i = 0; i < 4; i++) {
        const double mu = i == 0 ? 0.05 : 1;
        lone s = put_lone(down(slope), 0, zero, vec(0, 0, i == 2 ? 1 : 0), law_of(mu, 0.5));
        const double a = i == 0   ? GRAVITY * (sin(slope) - mu * cos(slope))
                         : i == 1 ? GRAVITY * sin(slope) / 1.4
                                  : GRAVITY * sin(slope);
        const double up = i < 2 ? 0 : i == 2 ? -GRAVITY * cos(slope) : 3 - GRAVITY * cos(slope);
        spc_real e[SPC_MAX_ROWS];
        if (i == 3)
            CHECK_STATUS(spc_body_add_force(s.world, s.ball, vec(0, 0, 20), zero, SPC_LASTING),
                         SPC_OK);
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        check_vec3(__LINE__, acceleration_of(s.world, s.ball).linear, a, 0,
                   i == 3 ? 20 - GRAVITY * cos(slope) : up, EXACT);
        CHECK_STATUS(spc_constraint_get_acceleration_errors(s.world, s.contact, e), SPC_OK);
        CHECK_NEAR(e[2], i == 3 ? 20 - GRAVITY * cos(slope) : up, EXACT);
        CHECK_NEAR(force_of(s.world, s.contact).force_P.z, i < 2 ? GRAVITY * cos(slope) : 0, EXACT);
        free(s.world);
    }
}

/* ---------------------------------------------------------------------- refusals ------------ */

/* A call that must be refused and leave each byte of the world. */
static unsigned char *kept;
static void keep(const spc_world *w)
{
    kept = (unsigned char *)realloc(kept, spc_world_snapshot_size(w));
    CHECK(kept != NULL);
    memcpy(kept, w, spc_world_snapshot_size(w));
}

#define REFUSED(w, call, wanted)                                  \
    do {                                                          \
        keep(w);                                                  \
        CHECK_STATUS(call, wanted);                               \
        CHECK(is_bits(kept, (w), spc_world_snapshot_size(w)));    \
    } while (0)

/* Law i that is none, and the status; false beyond the last. */
static bool bad_law(int i, spc_contact_law *law, spc_status *wanted)
{
    spc_real *number[7];
    *law = law_of(0.5, 0.5);
    number[0] = &law->friction;
    number[1] = &law->rolling_resistance;
    number[2] = &law->spinning_resistance;
    number[3] = &law->restitution;
    number[4] = &law->restitution_speed;
    number[5] = &law->surface_velocity[0];
    number[6] = &law->surface_velocity[1];
    if (i < 21) {
        *number[i / 3] = real(bad_number(i % 3));
        *wanted = SPC_ERROR_NOT_FINITE;
    } else if (i < 26) {
        *number[i - 21] = SPC_R(-0.1);
        *wanted = i < 24 ? SPC_ERROR_BAD_FRICTION : SPC_ERROR_BAD_RESTITUTION;
    } else {
        law->restitution = SPC_R(1.1);
        *wanted = SPC_ERROR_BAD_RESTITUTION;
    }
    return i <= 26;
}

static void bad_laws_are_refused(void)
{
    lone s = put_lone(down(0), 0, zero, zero, law_of(0.5, 0));
    spc_sphere_on_plane_desc sphere = spc_sphere_on_plane_desc_default();
    spc_rolling_disc_desc disc = spc_rolling_disc_desc_default();
    spc_attachment_desc point = spc_attachment_desc_default();
    spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
    spc_constraint c;
    spc_status wanted;
    spc_contact_law law;
    int i;
    take_steps(s.world, 1 / 60., 3);
    sphere.ball = disc.disc = point.b = pair.b = s.ball;
    sphere.shape.radius = disc.shape.radius = pair.shape.radius_a = pair.shape.radius_b = real(R);
    point.shape.locked = SPC_LOCK_TZ;
    for (i = 0; bad_law(i, &law, &wanted); i++) {
        int one_sided;
        for (one_sided = 0; one_sided < 2; one_sided++) {
            REFUSED(s.world, spc_constraint_set_law(s.world, s.contact, one_sided, &law), wanted);
            sphere.one_sided = disc.one_sided = point.one_sided = pair.one_sided = one_sided;
            sphere.law = disc.law = point.law = pair.law = law;
            memset(&c, PATTERN, sizeof c);
            REFUSED(s.world, spc_sphere_on_plane_add(s.world, &sphere, &c), wanted);
            REFUSED(s.world, spc_rolling_disc_add(s.world, &disc, &c), wanted);
            REFUSED(s.world, spc_attachment_add(s.world, &point, &c), wanted);
            REFUSED(s.world, spc_sphere_on_sphere_add(s.world, &pair, &c), wanted);
            CHECK(untouched(&c, sizeof c));
        }
    }
    CHECK(i == 27);
    free(s.world);
}

/* A normal row is what is one-sided; of attachments z alone. Points take three rows. */
static void what_has_no_normal_row_is_not_one_sided(void)
{
    static const unsigned locked[5] = { 0, SPC_LOCK_TX, SPC_BALL_JOINT, SPC_LOCK_TZ | SPC_LOCK_RX,
                                        63 };
    const spc_contact_law law = law_of(0.5, 0);
    spc_world_desc desc = spc_world_desc_default(2, 8);
    spc_rolling_disc_desc disc = spc_rolling_disc_desc_default();
    spc_attachment_desc point = spc_attachment_desc_default();
    spc_constraint c = { 0, 0 }, on;
    spc_contact_info info;
    spc_world *w;
    int i;
    desc.rows = 12;
    w = test_world(&desc);
    disc.disc = point.b = put_ball(w, 1, R, vec(0, 0, R));
    disc.shape.radius = real(R);
    disc.shape.normal = false;
    CHECK_STATUS(spc_rolling_disc_add(w, &disc, &on), SPC_OK);
    REFUSED(w, spc_constraint_set_law(w, on, true, &law), SPC_ERROR_BAD_OPTION);
    disc.one_sided = true;
    REFUSED(w, spc_rolling_disc_add(w, &disc, &c), SPC_ERROR_BAD_OPTION);
    disc.shape.normal = true;
    CHECK_STATUS(spc_rolling_disc_set(w, on, &disc.shape), SPC_OK);
    CHECK_STATUS(spc_constraint_set_law(w, on, true, &law), SPC_OK);
    disc.shape.normal = false;
    REFUSED(w, spc_rolling_disc_set(w, on, &disc.shape), SPC_ERROR_BAD_OPTION);
    CHECK_STATUS(spc_constraint_remove(w, on), SPC_OK);
    for (i = 0; i < 5; i++) {
        point.shape.locked = locked[i];
        point.one_sided = true;
        REFUSED(w, spc_attachment_add(w, &point, &c), SPC_ERROR_BAD_OPTION);
        point.one_sided = false;
        CHECK_STATUS(spc_attachment_add(w, &point, &on), SPC_OK);
        REFUSED(w, spc_constraint_set_law(w, on, true, &law), SPC_ERROR_BAD_OPTION);
        memset(&info, PATTERN, sizeof info);
        REFUSED(w, spc_constraint_get_contact(w, on, &info), SPC_ERROR_WRONG_CONSTRAINT_KIND);
        CHECK(untouched(&info, sizeof info));
        CHECK_STATUS(spc_constraint_remove(w, on), SPC_OK);
    }
    point.shape.locked = SPC_LOCK_TZ;
    point.one_sided = true;
    for (i = 0; i < 4; i++) /* 12 rows */
        CHECK_STATUS(spc_attachment_add(w, &point, &on), SPC_OK);
    REFUSED(w, spc_attachment_add(w, &point, &c), SPC_ERROR_ROWS_FULL);
    CHECK_STATUS(spc_constraint_set_law(w, on, false, &law), SPC_OK); /* 10 */
    point.one_sided = false;
    CHECK_STATUS(spc_attachment_add(w, &point, &c), SPC_OK);
    REFUSED(w, spc_constraint_set_law(w, on, true, &law), SPC_ERROR_ROWS_FULL);
    CHECK_STATUS(spc_constraint_remove(w, c), SPC_OK);
    CHECK_STATUS(spc_constraint_set_law(w, on, true, &law), SPC_OK);
    point.shape.locked = SPC_BALL_JOINT;
    REFUSED(w, spc_attachment_set(w, on, &point.shape), SPC_ERROR_BAD_OPTION);
    free(w);
}

static void stale_handles_and_null_are_refused(void)
{
    lone s = put_lone(down(0), 0, zero, zero, law_of(0.5, 0));
    const spc_constraint gone = put_on_plane(s.world, ground, level(-1), s.ball, R, law_of(0, 0));
    const spc_contact_law law = law_of(0.3, 0);
    spc_contact_law told;
    spc_contact_info info;
    spc_constraint none = { 99, 1 };
    bool one_sided;
    CHECK_STATUS(spc_constraint_remove(s.world, gone), SPC_OK);
    REFUSED(s.world, spc_constraint_set_law(s.world, gone, true, &law), SPC_ERROR_STALE_CONSTRAINT);
    REFUSED(s.world, spc_constraint_get_law(s.world, gone, &one_sided, &told),
            SPC_ERROR_STALE_CONSTRAINT);
    REFUSED(s.world, spc_constraint_get_contact(s.world, gone, &info), SPC_ERROR_STALE_CONSTRAINT);
    REFUSED(s.world, spc_constraint_set_law(s.world, s.contact, true, NULL), SPC_ERROR_NULL);
    REFUSED(s.world, spc_constraint_get_law(s.world, s.contact, NULL, &told), SPC_ERROR_NULL);
    REFUSED(s.world, spc_constraint_get_law(s.world, s.contact, &one_sided, NULL), SPC_ERROR_NULL);
    REFUSED(s.world, spc_constraint_get_contact(s.world, s.contact, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_set_law(NULL, s.contact, true, &law), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_impact(NULL), SPC_ERROR_NULL);
    CHECK(!spc_contact_event_next(NULL, &none));
    CHECK(!spc_contact_event_next(s.world, NULL));
    CHECK(!spc_contact_event_next(s.world, &none));
    free(s.world);
}

/* Calls that know bilateral constraints alone refuse a world with others, and Painleve's rod jams:
   it slides at 60 degrees to the floor, towards which it leans, with more friction than lets its
   foot have an acceleration; m 1 kg, 2 m long: cos (mu sin - cos) > 1/3. */
static void calls_that_know_no_one_sided_contacts_refuse_them(void)
{
    const double angle = PI / 3, mu = 3;
    lone s = put_lone(down(0), 0, zero, zero, law_of(0.5, 0));
    spc_real lambda[3] = { 0, 0, 0 };
    spc_world *w = contact_world(1, 1, down(0));
    const spc_quat q = spc_quat_make(real(cos(angle / 2)), 0, real(sin(angle / 2)), 0);
    const spc_body rod = put_body(w, spc_mass_box(1, vec(1, 0.001, 0.001)),
                                  vec(-cos(angle), 0, sin(angle)), zero, vec(1, 0, 0));
    const unsigned long long before = spc_world_hash(s.world);
    CHECK_STATUS(spc_world_free_motion(s.world, SPC_R(0.01), NULL, NULL, 3), SPC_ERROR_ONE_SIDED);
    CHECK_STATUS(spc_world_correct(s.world, SPC_R(0.01), lambda, 3), SPC_ERROR_ONE_SIDED);
    CHECK(spc_world_hash(s.world) == before);
    CHECK_STATUS(spc_body_set_pose(w, rod, spc_transform_make(q, vec(-cos(angle), 0, sin(angle)))),
                 SPC_OK);
    (void)put_foot(w, rod, vec(1, 0, 0), law_of(mu, 0));
    CHECK_STATUS(spc_world_forward_dynamics(w), SPC_ERROR_JAMMED);
    CHECK_STATUS(spc_step(w, real(1 / 240.)), SPC_OK);
    CHECK(report_of(w).unsolved == 0);
    CHECK(energy_of(w) <= 0.5 + GRAVITY * sin(angle));
    free(w);
    free(s.world);
}

/* States that a step would make not finite: what can be asked is as before. */
static void steps_into_numbers_too_large_are_refused(void)
{
    lone s = put_lone(down(0), 0.2, zero, zero, law_of(0.5, 0.5));
    spc_contact_info before, after;
    spc_state x, y;
    int i;
    take_steps(s.world, 1 / 60., 20);
    for (i = 0; i < 3; i++) {
        const spc_vec3 big = vec(i == 0 ? 0.9 * LARGEST : 0, 0, i == 1 ? -0.9 * LARGEST : 0);
        const spc_vec3 spin = vec(0, i == 2 ? 0.9 * LARGEST : 0, 0);
        CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, spc_spatial_make(spin, big)), SPC_OK);
        x = state_of(s.world, s.ball);
        memset(&before, 0, sizeof before); /* where it is refused, too */
        memset(&after, 0, sizeof after);
        (void)spc_constraint_get_contact(s.world, s.contact, &before);
        CHECK(spc_step(s.world, 3) > 0);
        y = state_of(s.world, s.ball);
        (void)spc_constraint_get_contact(s.world, s.contact, &after);
        CHECK(SAME_BITS(x, y));
        CHECK(before.state == after.state && before.began == after.began &&
              before.ended == after.ended && SAME_BITS(before.hit_speed, after.hit_speed) &&
              SAME_BITS(before.force, after.force));
    }
    CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, spc_spatial_make(zero, zero)), SPC_OK);
    take_steps(s.world, 1 / 60., 60);
    CHECK_NEAR(state_of(s.world, s.ball).X_GB.p.z, R, EXACT);
    free(s.world);
}

/* ---------------------------------------------------------------------- changes ------------- */

/* A law counts from the next step on, and so does whether it is one-sided. */
static void laws_change_while_a_world_runs(void)
{
    lone s = put_lone(down(0), 0, zero, vec(1, 0, 0), law_of(0, 0));
    spc_contact_law law = law_of(1, 0), told;
    bool one_sided;
    take_steps(s.world, 1 / 60., 10);
    CHECK_NEAR(state_of(s.world, s.ball).V_GB.linear.x, 1, EXACT);
    CHECK_STATUS(spc_constraint_set_law(s.world, s.contact, true, &law), SPC_OK);
    CHECK_STATUS(spc_constraint_get_law(s.world, s.contact, &one_sided, &told), SPC_OK);
    CHECK(one_sided && SAME_BITS(told.friction, law.friction) && !told.grip);
    take_steps(s.world, 1 / 60., 30);
    CHECK_NEAR(state_of(s.world, s.ball).V_GB.linear.x, 5. / 7, EXACT);
    law.rolling_resistance = SPC_R(0.05);
    CHECK_STATUS(spc_constraint_set_law(s.world, s.contact, true, &law), SPC_OK);
    take_steps(s.world, 1 / 60., 60);
    CHECK_NEAR(state_of(s.world, s.ball).V_GB.linear.x, 0, EXACT);
    law.surface_velocity[0] = 1;
    law.rolling_resistance = 0;
    CHECK_STATUS(spc_constraint_set_law(s.world, s.contact, true, &law), SPC_OK);
    take_steps(s.world, 1 / 60., 60);
    CHECK_NEAR(state_of(s.world, s.ball).V_GB.linear.x, 2. / 7, EXACT);
    law.restitution = 1;
    CHECK_STATUS(spc_constraint_set_law(s.world, s.contact, true, &law), SPC_OK);
    take_steps(s.world, 1 / 60., 60); /* what rests does not bounce */
    CHECK_NEAR(state_of(s.world, s.ball).X_GB.p.z, R, EXACT);
    free(s.world);
}

static void one_sided_is_switched_on_and_off(void)
{
    lone s = put_lone(vec(0, 0, 2), 0, zero, zero, spc_contact_law_default());
    spc_contact_law law = law_of(0.5, 0);
    int i;
    law.surface_velocity[0] = 3; /* waits where it is held: no belt, and no limit to friction */
    for (i = 0; i < 3; i++) { /* gravity goes up: it is held, then not, from a height i */
        spc_transform X = state_of(s.world, s.ball).X_GB;
        X.p.z = real(R);
        CHECK_STATUS(spc_body_set_pose(s.world, s.ball, X), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, spc_spatial_make(zero, zero)), SPC_OK);
        CHECK_STATUS(spc_constraint_set_law(s.world, s.contact, false, &law), SPC_OK);
        take_steps(s.world, 1 / 60., 10);
        CHECK_NEAR(state_of(s.world, s.ball).X_GB.p.z, R, EXACT);
        CHECK_NEAR(force_of(s.world, s.contact).force_P.z, -2, EXACT);
        CHECK(contact_of_world(s.world, s.contact).state == SPC_CONTACT_ROLLING);
        CHECK_NEAR(contact_of_world(s.world, s.contact).slip[0], 0, 0);
        CHECK_NEAR(contact_of_world(s.world, s.contact).grip_used, 0, 0);
        CHECK_STATUS(spc_constraint_set_law(s.world, s.contact, true, &law), SPC_OK);
        CHECK_NEAR(contact_of_world(s.world, s.contact).slip[0], -3, 0);
        take_steps(s.world, 1 / 60., 60);
        CHECK_NEAR(state_of(s.world, s.ball).X_GB.p.z, R + 1, EXACT);
        CHECK(contact_of_world(s.world, s.contact).state == SPC_CONTACT_OPEN);
    }
    free(s.world);
}

/* A ball slides over another one, which hangs on a ball joint: along a way that bends steps end a
   little apart, and meet again. It closes once. */
static void what_stays_closed_begins_once(void)
{
    spc_world *w = contact_world(2, 2, down(0));
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_body low, high;
    spc_constraint joint, contact;
    int i, began = 0;
    low = put_ball(w, 33.5, 0.2, vec(0, 0, 0.2));
    high = put_ball(w, 11.5, 0.14, vec(0.34 * sin(0.5), 0, 0.2 + 0.34 * cos(0.5)));
    d.b = low;
    d.shape.X_AF.p = vec(0.05, 0.02, 0.3);
    d.keep_pose = true;
    d.shape.locked = SPC_BALL_JOINT;
    CHECK_STATUS(spc_attachment_add(w, &d, &joint), SPC_OK);
    contact = put_pair(w, low, high, 0.2, 0.14, law_of(0, 0));
    for (i = 0; i < 10; i++) {
        spc_constraint next = { 0, 0 };
        spc_contact_info info;
        take_steps(w, 1 / 60., 1);
        info = contact_of_world(w, contact);
        CHECK(info.state == SPC_CONTACT_SLIDING && !info.ended);
        CHECK(info.began == spc_contact_event_next(w, &next));
        began += info.began;
    }
    CHECK(began == 1);
    free(w);
}

/* A ball that is off its centre and grips, of which the force may be along the floor alone: it is
   told as a contact that acts. */
static void grip_without_pressure_is_no_open_contact(void)
{
    spc_world *w = contact_world(1, 1, down(0));
    spc_mass mass = spc_mass_disc(1, SPC_R(0.2));
    int seen = 0, x, y;
    spc_transform X;
    spc_constraint c;
    spc_body ball;
    mass.p_BBc = vec(0.03, 0, 0);
    X = spc_transform_make(spc_quat_from_rotation_vector(vec(0, 0.8, 0)), vec(0, 0, 0.2));
    ball = put_body(w, mass, X.p, zero, zero);
    c = put_on_plane(w, ground, level(0), ball, 0.2, spc_contact_law_default());
    for (x = -4; x <= 4; x++)
        for (y = -10; y <= 10; y++) {
            spc_contact_info info;
            CHECK_STATUS(spc_body_set_pose(w, ball, X), SPC_OK);
            CHECK_STATUS(spc_body_set_velocity(
                             w, ball, spc_spatial_make(vec(0, y, 0), vec(0.5 * x, 0, -0.01))),
                         SPC_OK);
            take_steps(w, 1 / 240., 1);
            info = contact_of_world(w, c);
            if (fabs((double)info.force[0]) > 1e-6) {
                CHECK(info.state != SPC_CONTACT_OPEN);
                seen += fabs((double)info.force[2]) < 1e-6;
            }
        }
    CHECK(seen > 40);
    free(w);
}

/* Rows that are switched off have no force, also of what is one-sided. */
static void rows_that_are_off_tell_no_force(void)
{
    lone s = put_lone(down(0), 0, zero, vec(2, 0, 0), law_of(0.5, 0));
    spc_contact_law law = law_of(0, 0);
    spc_sphere_on_plane shape;
    spc_real lambda[SPC_MAX_ROWS];
    int way;
    for (way = 0; way < 2; way++) {
        CHECK_STATUS(spc_body_set_velocity(s.world, s.ball, spc_spatial_make(zero, vec(2, 0, 0))),
                     SPC_OK);
        take_steps(s.world, 1 / 60., 3);
        CHECK(force_of(s.world, s.contact).force_P.x < -1);
        CHECK_STATUS(spc_sphere_on_plane_get(s.world, s.contact, &shape), SPC_OK);
        shape.rolling = false;
        if (way)
            CHECK_STATUS(spc_sphere_on_plane_set(s.world, s.contact, &shape), SPC_OK);
        else
            CHECK_STATUS(spc_constraint_set_law(s.world, s.contact, true, &law), SPC_OK);
        CHECK_STATUS(spc_constraint_get_multipliers(s.world, s.contact, lambda), SPC_OK);
        CHECK_NEAR(lambda[0], 0, 0);
        CHECK_NEAR(force_of(s.world, s.contact).force_P.x, 0, 0);
        CHECK(lambda[2] < -1);
        law.friction = SPC_R(0.5);
        CHECK_STATUS(spc_constraint_set_law(s.world, s.contact, true, &law), SPC_OK);
    }
    free(s.world);
}

/* A contact that is taken away and added anew before each step, and another that is switched off
   and on, press as one that stays does: to rounding, since they forget their impulses. Other
   islands keep their bits. */
static void contacts_come_and_go_in_every_step(void)
{
    spc_world *w = contact_world(3, 6, down(0.2)), *still = contact_world(3, 6, down(0.2));
    spc_world *both[2];
    spc_body a[2], b[2], box[2];
    spc_constraint on_a[2], on_b[2];
    double apart = 0;
    int i, k;
    both[0] = w;
    both[1] = still;
    for (k = 0; k < 2; k++) {
        a[k] = put_ball(both[k], 1, R, vec(0, 0, R));
        b[k] = put_ball(both[k], 1, R, vec(0, 1, R));
        box[k] = put_box(both[k], vec(0, 3, 0.11), 4, 0.15);
        on_a[k] = put_on_plane(both[k], ground, level(0), a[k], R, law_of(0.5, 0));
        on_b[k] = put_on_plane(both[k], ground, level(0), b[k], R, law_of(0.02, 0));
    }
    for (i = 0; i < 240; i++) {
        spc_state x, y;
        CHECK_STATUS(spc_constraint_remove(w, on_a[0]), SPC_OK);
        on_a[0] = put_on_plane(w, ground, level(0), a[0], R, law_of(0.5, 0));
        CHECK_STATUS(spc_constraint_set_enabled(w, on_b[0], false), SPC_OK);
        CHECK(contact_of_world(w, on_b[0]).state == SPC_CONTACT_OPEN);
        CHECK_NEAR(force_of(w, on_b[0]).force_P.z, 0, 0);
        CHECK_STATUS(spc_constraint_set_enabled(w, on_b[0], true), SPC_OK);
        take_steps(w, 1 / 240., 1);
        take_steps(still, 1 / 240., 1);
        note(&apart, distance(state_of(w, a[0]).X_GB.p, state_of(still, a[1]).X_GB.p));
        note(&apart, distance(state_of(w, b[0]).X_GB.p, state_of(still, b[1]).X_GB.p));
        x = state_of(w, box[0]);
        y = state_of(still, box[1]);
        CHECK(SAME_BITS(x, y));
    }
    CHECK_NEAR(apart, 0, EXACT);
    free(w);
    free(still);
}

/* ---------------------------------------------------------------------- events -------------- */

/* An impact throws a ball up with 0.1 m/s, less than a step of 1/60 s takes: it flies all the same,
   up to v^2/2g, and has landed after 2 v/g = 0.02 s. */
static void what_an_impact_throws_up_flies(void)
{
    lone s = put_lone(down(0), 0, zero, vec(0, 0, -0.1), law_of(0.5, 1));
    const double h = 1 / 120.;
    CHECK_STATUS(spc_world_impact(s.world), SPC_OK);
    take_steps(s.world, h, 1);
    CHECK_NEAR(state_of(s.world, s.ball).X_GB.p.z - real(R), 0.1 * h - GRAVITY * h * h / 2, EXACT);
    CHECK_NEAR(state_of(s.world, s.ball).V_GB.linear.z, 0.1 - GRAVITY * h, EXACT);
    CHECK(!contact_of_world(s.world, s.contact).began);
    CHECK(!contact_of_world(s.world, s.contact).ended);
    free(s.world);
}

#define FALLING 5

/* Handles of the list of what happened. */
static int list_events(const spc_world *w, spc_constraint *list, int most)
{
    spc_constraint c = { 0, 0 };
    int n = 0;
    while (n < most && spc_contact_event_next(w, &c))
        list[n++] = c;
    CHECK(!spc_contact_event_next(w, &c));
    return n;
}

/* Five balls fall on the floor at different times: each step lists who closed, opened or bounced,
   and those alone. */
static void events_are_those_of_the_step(void)
{
    spc_world *w = contact_world(FALLING, 2 * FALLING, down(0));
    spc_constraint on[FALLING], list[2 * FALLING], gone;
    spc_contact_info info;
    int i, k, n, hits = 0;
    for (i = 0; i < FALLING; i++)
        on[i] = put_on_plane(w, ground, level(0),
                             put_ball(w, 1, R, vec(i, 0, R + 0.1 + 0.1 * (i / 2))), R,
                             law_of(0.5, i == 1 ? 0.5 : 0));
    for (k = 0; k < 60; k++) {
        int told = 0;
        take_steps(w, 1 / 60., 1);
        n = list_events(w, list, 2 * FALLING);
        for (i = 0; i < FALLING; i++) {
            info = contact_of_world(w, on[i]);
            told += info.began || info.ended;
            CHECK(!(info.hit_speed > 0) || info.began);
            if (info.hit_speed > 0 && hits++ == 0)
                CHECK_NEAR(info.hit_speed, sqrt(2 * GRAVITY * 0.1), EXACT);
        }
        CHECK(told == n);
        for (i = 0; i < n; i++) {
            info = contact_of_world(w, list[i]);
            CHECK(info.began || info.ended);
        }
    }
    CHECK(hits >= FALLING);
    CHECK(n == 0);
    /* all bounce at once; one is removed while it is listed, and the place is taken */
    for (i = 0; i < FALLING; i++) {
        const spc_body body = { (unsigned)i + 1, 1 };
        const spc_contact_law law = law_of(0, 1);
        CHECK_STATUS(spc_constraint_set_law(w, on[i], true, &law), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(w, body, spc_spatial_make(zero, vec(0, 0, -3))), SPC_OK);
    }
    CHECK_STATUS(spc_world_impact(w), SPC_OK);
    CHECK(list_events(w, list, 2 * FALLING) == FALLING);
    for (i = 0; i < FALLING; i++) {
        const spc_body body = { (unsigned)i + 1, 1 };
        CHECK_NEAR(state_of(w, body).V_GB.linear.z, 3, 10 * TEST_EPSILON);
        info = contact_of_world(w, on[i]);
        CHECK(info.began && info.ended && info.state == SPC_CONTACT_SLIDING); /* no friction */
        CHECK_NEAR(info.hit_speed, 3, 10 * TEST_EPSILON);
        CHECK_NEAR(info.force[2], 6, 20 * TEST_EPSILON);
    }
    gone = list[1];
    CHECK_STATUS(spc_constraint_remove(w, gone), SPC_OK);
    CHECK(list_events(w, list, 2 * FALLING) == FALLING - 1);
    {
        spc_constraint c = gone; /* a walk goes on behind what has been removed */
        CHECK(spc_contact_event_next(w, &c));
    }
    {
        const spc_body ball = { gone.index, 1 };
        (void)put_on_plane(w, ground, level(0), ball, R, law_of(0, 0));
    }
    CHECK(list_events(w, list, 2 * FALLING) == FALLING - 1);
    for (i = 0; i < 3; i++) {
        take_steps(w, 1 / 60., 1);
        CHECK(list_events(w, list, 2 * FALLING) == 0);
    }
    free(w);
}

/* What assembly has lifted to its tolerance touches: impulses press against what flies into it. */
static void what_has_been_lifted_presses(void)
{
    const double distance = sqrt(0.1 * 0.1 + 0.2 * 0.2), deep = IN_DOUBLE_OR_FLOAT(2e-5, 2e-3);
    int k;
    for (k = 0; k < 2; k++) {
        spc_world *w = contact_world(1, 1, zero);
        spc_mass mass = spc_mass_solid_sphere(1, real(0.1));
        spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
        spc_real left = 0;
        spc_constraint c;
        spc_contact_info info;
        mass.p_BBc = vec(0.03, 0, 0);
        d.b = put_body(w, mass, vec(0.1, 0, 0.2), zero, zero);
        d.shape.radius_b = real(0.1);
        d.shape.radius_a = real(distance - 0.1 + deep);
        d.one_sided = true;
        CHECK_STATUS(spc_sphere_on_sphere_add(w, &d, &c), SPC_OK);
        CHECK_STATUS(spc_world_assemble(w, real(IN_DOUBLE_OR_FLOAT(1e-9, 1e-5)), &left), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(w, d.b, spc_spatial_make(zero, vec(0, 0, -1))), SPC_OK);
        info = contact_of_world(w, c);
        CHECK(fabs((double)info.separation) < IN_DOUBLE_OR_FLOAT(1e-9, 1e-5));
        CHECK((double)info.normal_speed < -0.5);
        CHECK_STATUS(k ? spc_world_project_velocities(w)
                       : spc_world_apply_impulses(w, NULL, NULL, spc_world_row_count(w)),
                     SPC_OK);
        CHECK_NEAR(contact_of_world(w, c).normal_speed, 0, 100 * TEST_EPSILON);
        free(w);
    }
}

/* Switches a contact, so often, and carries its ball while it is off. */
static void switch_carried(spc_world *w, spc_constraint c, spc_body ball, int times, bool on)
{
    for (int i = times; i-- > 0;)
        CHECK_STATUS(spc_constraint_set_enabled(w, c, on == !(i & 1)), SPC_OK);
    CHECK_STATUS(spc_body_clear_forces(w, ball), SPC_OK);
    if (!on)
        CHECK_STATUS(spc_body_add_force(w, ball, spc_scale(-1, down(0)), zero, SPC_LASTING),
                     SPC_OK);
}

/* What was closed when it was disabled has ended in the next step, once; not if it is enabled again
   before, is removed, or was open. Alone, in an island, and by rk4. */
static void what_is_disabled_has_ended(void)
{
    for (int how = 0; how < 3; how++) {
        spc_world *w = contact_world(3, 4, down(0));
        spc_constraint on[3], list[8];
        spc_body ball[3];
        for (int i = 0; i < 3; i++) {
            ball[i] = put_ball(w, 1, R, vec(2.1 * R * i, 0, i < 2 ? R : 1));
            on[i] = put_on_plane(w, ground, level(0), ball[i], R, law_of(0.5, 0));
        }
        if (how)
            (void)put_pair(w, ball[0], ball[1], R, R, law_of(0.5, 0));
        take_steps(w, 1 / 60., 3);
        CHECK_STATUS(spc_constraint_set_enabled(w, on[2], false), SPC_OK);
        for (int k = 0; k < 6; k++) { /* off; left so; on; off and on; off, on, off; on, removed */
            static const int times[6] = { 1, 0, 1, 2, 3, 1 }, tells[6] = { 2, 0, 1, 0, 2, 1 };
            if (times[k] > 0)
                switch_carried(w, on[0], ball[0], times[k], k == 2 || k == 3 || k == 5);
            if (k == 5) {
                CHECK_STATUS(spc_constraint_remove(w, on[0]), SPC_OK);
                on[0] = put_on_plane(w, ground, level(0), ball[0], R, law_of(0.5, 0));
            }
            CHECK_STATUS(spc_step(w, 0), SPC_ERROR_BAD_STEP);
            CHECK(list_events(w, list, 8) == 0);
            CHECK_STATUS(how < 2 ? spc_step(w, real(1 / 60.))
                                 : spc_step_rk4(w, real(1 / 60.), SPC_DRIFT_PROJECT), SPC_OK);
            CHECK(list_events(w, list, 8) == (tells[k] > 0));
            CHECK(contact_of_world(w, on[0]).began == (tells[k] == 1));
            CHECK(contact_of_world(w, on[0]).ended == (tells[k] == 2));
            take_steps(w, 1 / 60., 1);
            CHECK(list_events(w, list, 8) == 0);
        }
        free(w);
    }
}

/* A box on three stilts, which are a hundred times as long as it is wide, stands in steps of fourth
   order that project positions: rows of feet are mixed there, (6.8), as other joints' of long arms.
   It is put 1 mm too low, is lifted by that, and its feet carry its weight. */
static void what_stands_on_stilts_is_projected(void)
{
    const double tall = 10, low = 0.001;
    spc_world *w = contact_world(1, 3, vec(0, 0, -GRAVITY));
    const spc_body box =
        put_body(w, spc_mass_box(1, vec(0.1, 0.1, 0.1)), vec(0, 0, tall - low), zero, zero);
    spc_constraint foot[3];
    double sum = 0;
    int i, k;
    for (k = 0; k < 3; k++)
        foot[k] = put_foot(w, box, vec(3 * cos(2.1 * k), 3 * sin(2.1 * k), -tall), law_of(0.5, 0));
    for (i = 0; i < 50; i++)
        CHECK_STATUS(spc_step_rk4(w, SPC_R(0.01), SPC_DRIFT_PROJECT), SPC_OK);
    for (k = 0; k < 3; k++)
        sum += (double)contact_of_world(w, foot[k]).force[2];
    CHECK_NEAR(state_of(w, box).X_GB.p.z, tall, 100 * tall * TEST_EPSILON);
    CHECK_NEAR(sum, GRAVITY, 1e4 * GRAVITY * TEST_EPSILON);
    free(w);
}

static const test_entry tests[] = {
    TEST(what_has_been_lifted_presses),
    TEST(bounces_are_where_they_should_be),
    TEST(a_hit_at_the_end_of_a_step_bounces),
    TEST(what_bounces_back_whole_keeps_its_energy),
    TEST(a_bounce_comes_to_rest_by_itself),
    TEST(slow_hits_do_not_bounce),
    TEST(back_spin_slides_or_grips_at_the_bounce),
    TEST(slopes_roll_or_slide),
    TEST(a_thrown_ball_slides_and_rolls),
    TEST(a_cube_holds_below_the_angle_of_friction),
    TEST(resistances_stop_what_turns),
    TEST(a_belt_takes_a_ball_along),
    TEST(a_belt_takes_a_disc_along),
    TEST(a_turntable_keeps_the_circle),
    TEST(a_floor_that_falls_away_lets_go),
    TEST(a_floor_that_is_shaken_throws),
    TEST(what_presses_and_grips_is_as_if_bilateral),
    TEST(a_ball_rolls_off_a_sphere),
    TEST(an_upright_coin_rolls_straight),
    TEST(what_nothing_presses_is_solved),
    TEST(without_stabilization_it_bounces_and_rests_as_well),
    TEST(forces_have_friction_and_moments),
    TEST(feet_tell_their_friction),
    TEST(forward_dynamics_slides_rolls_and_lets_go),
    TEST(bad_laws_are_refused),
    TEST(what_has_no_normal_row_is_not_one_sided),
    TEST(stale_handles_and_null_are_refused),
    TEST(calls_that_know_no_one_sided_contacts_refuse_them),
    TEST(steps_into_numbers_too_large_are_refused),
    TEST(laws_change_while_a_world_runs),
    TEST(one_sided_is_switched_on_and_off),
    TEST(what_stays_closed_begins_once),
    TEST(grip_without_pressure_is_no_open_contact),
    TEST(rows_that_are_off_tell_no_force),
    TEST(contacts_come_and_go_in_every_step),
    TEST(what_an_impact_throws_up_flies),
    TEST(events_are_those_of_the_step),
    TEST(what_is_disabled_has_ended),
    TEST(what_stands_on_stilts_is_projected),
};

TEST_MAIN
