/* One body in contact through time, for C and C++: scenes with closed forms and the errors against
   them. Each engine's program moves the body by itself, and ends with

       int main(void) { return contact_main(&me, 1); }

   It prints a line `row rate engine error` for each row and rate: row is a number, error `inf`
   where what is looked for does not happen, and `nan` where the engine refuses a step or has no
   such scene. contact.sh collects the lines. */
#ifndef CONTACT_H
#define CONTACT_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define CONTACT_GRAVITY 9.81
#define CONTACT_PI 3.14159265358979323846

typedef enum contact_shape { CONTACT_BALL, CONTACT_CUBE, CONTACT_DISC } contact_shape;
typedef enum contact_floor {
    CONTACT_FIXED,
    CONTACT_BELT,  /* its surface moves with `belt`; an endless floor may as well move as a whole */
    CONTACT_TABLE, /* turns about z with `spin` */
    CONTACT_SHAKEN /* moves along z, see contact_floor_at */
} contact_floor;

/* A body of 1 kg on the floor z = 0; all vectors are in ground. */
typedef struct contact_scene {
    contact_shape shape;
    contact_floor floor;
    double radius;                 /* of ball or disc; half the edge of a cube [m] */
    double half_width;             /* of a disc, a cylinder about its own z [m] */
    double gravity[3];             /* [m/s^2] */
    double mu, e;                  /* friction and restitution [-] */
    double rho;                    /* rolling resistance, the arm of the normal force [m] */
    double belt[2], spin;          /* [m/s], [rad/s] */
    double p[3], q[4], v[3], w[3]; /* centre of mass, q = w x y z, velocities at the start */
} contact_scene;

typedef struct contact_motion {
    double p[3], v[3]; /* of the centre of mass [m], [m/s] */
} contact_motion;

typedef struct contact_engine {
    const char *name;
    void *(*make)(const contact_scene *s, double h); /* NULL: it cannot */
    bool (*step)(void *setup);                       /* of length h; false: refused */
    void (*get)(void *setup, contact_motion *motion);
    void (*drop)(void *setup);
} contact_engine;

/* ------------------------------------------------------------------------ for the engines ----- */

/* Principal moments of 1 kg [m^2]. */
static inline void contact_moments(const contact_scene *s, double I[3])
{
    const double r2 = s->radius * s->radius, b2 = s->half_width * s->half_width;
    I[0] = s->shape == CONTACT_BALL   ? 0.4 * r2
           : s->shape == CONTACT_CUBE ? 2.0 / 3 * r2
                                      : r2 / 4 + b2 / 3;
    I[1] = I[0];
    I[2] = s->shape == CONTACT_DISC ? r2 / 2 : I[0];
}

#define CONTACT_SHAKE 0.1
#define CONTACT_SHAKE_RATE 15.0

/* Height, speed and acceleration of a floor that is shaken. */
static inline void contact_floor_at(double t, double *z, double *v, double *a)
{
    const double w = CONTACT_SHAKE_RATE;
    *z = -CONTACT_SHAKE * cos(w * t);
    *v = CONTACT_SHAKE * w * sin(w * t);
    *a = CONTACT_SHAKE * w * w * cos(w * t);
}

/* ------------------------------------------------------------------------- the scenes --------- */

static inline void contact_set(double *to, double x, double y, double z)
{
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

/* At rest on a level floor. */
static inline contact_scene contact_body(contact_shape shape, double radius, double mu)
{
    contact_scene s;
    memset(&s, 0, sizeof s);
    s.shape = shape;
    s.radius = radius;
    s.mu = mu;
    s.gravity[2] = -CONTACT_GRAVITY;
    s.p[2] = radius;
    s.q[0] = 1;
    return s;
}

/* The floor's normal is z: it is gravity that is tilted, down along x. */
static inline contact_scene contact_on_slope(contact_shape shape, double mu, double tilt)
{
    contact_scene s = contact_body(shape, 0.1, mu);
    contact_set(s.gravity, CONTACT_GRAVITY * sin(tilt), 0, -CONTACT_GRAVITY * cos(tilt));
    return s;
}

/* On its lower edge, its axis turned from z by an angle about x. */
static inline contact_scene contact_disc(double radius, double half_width, double angle)
{
    contact_scene s = contact_body(CONTACT_DISC, radius, 1);
    s.half_width = half_width;
    s.q[0] = cos(angle / 2);
    s.q[1] = sin(angle / 2);
    s.p[2] = radius * sin(angle) + half_width * fabs(cos(angle));
    return s;
}

/* Runs it; false: it cannot, or a step was refused. */
static inline bool contact_run(const contact_engine *e, const contact_scene *s, double hz,
                               int steps, contact_motion *end)
{
    void *setup = e->make(s, 1 / hz);
    bool went = setup != NULL;
    int i;
    for (i = 0; went && i < steps; i++)
        went = e->step(setup);
    if (went)
        e->get(setup, end);
    if (setup)
        e->drop(setup);
    return went;
}

/* How far its place is from where it should be after so many steps [m]. */
static inline double contact_off(const contact_engine *e, const contact_scene *s, double hz,
                                 int steps, double x, double y, double z)
{
    contact_motion m;
    if (!contact_run(e, s, hz, steps, &m))
        return (double)NAN;
    return sqrt((m.p[0] - x) * (m.p[0] - x) + (m.p[1] - y) * (m.p[1] - y) +
                (m.p[2] - z) * (m.p[2] - z));
}

/* The same along the floor alone. */
static inline double contact_off_flat(const contact_engine *e, const contact_scene *s, double hz,
                                      double seconds, double x, double y)
{
    contact_motion m;
    if (!contact_run(e, s, hz, (int)(hz * seconds + 0.5), &m))
        return (double)NAN;
    return hypot(m.p[0] - x, m.p[1] - y);
}

/* ------------------------------------------------------------------------- the rows ----------- */

/* Thrown without spin: slides until 2/7 v / (mu g), then rolls with 5/7 v. */
static inline double contact_thrown(const contact_engine *e, double hz, double turn)
{
    const double v = 2, mu = 0.2, g = CONTACT_GRAVITY, t = 2.0 / 7 * v / (mu * g);
    const double way = v * t - mu * g * t * t / 2 + (2 - t) * 5.0 / 7 * v;
    contact_scene s = contact_body(CONTACT_BALL, 0.1, mu);
    contact_set(s.v, v * cos(turn), v * sin(turn), 0);
    return contact_off_flat(e, &s, hz, 2, way * cos(turn), way * sin(turn));
}

static inline double contact_thrown_along(const contact_engine *e, double hz)
{
    return contact_thrown(e, hz, 0);
}

static inline double contact_thrown_across(const contact_engine *e, double hz)
{
    return contact_thrown(e, hz, CONTACT_PI / 6);
}

/* From rest down a slope of 0.3 rad for 2 s: it rolls with 5/7 g sin, or slides with
   g (sin - mu cos), where mu is below 2/7 tan. */
static inline double contact_slope(const contact_engine *e, double hz, double mu)
{
    const double tilt = 0.3, g = CONTACT_GRAVITY;
    const double a =
        mu < 2.0 / 7 * tan(tilt) ? g * (sin(tilt) - mu * cos(tilt)) : 5.0 / 7 * g * sin(tilt);
    const contact_scene s = contact_on_slope(CONTACT_BALL, mu, tilt);
    return contact_off_flat(e, &s, hz, 2, 2 * a, 0) / (2 * a);
}

static inline double contact_slope_slides(const contact_engine *e, double hz)
{
    return contact_slope(e, hz, 0.05);
}

static inline double contact_slope_rolls(const contact_engine *e, double hz)
{
    return contact_slope(e, hz, 0.5);
}

/* Apexes 1 to 10 of a ball that falls 1 m, e = 0.8: the largest relative error of their heights, or
   the largest error of their times [s]. Between a speed upward and one downward the apex is that of
   the parabola. */
static inline double contact_bounce(const contact_engine *e, double hz, bool times)
{
    const double g = CONTACT_GRAVITY, fall = sqrt(2 / g);
    contact_scene s = contact_body(CONTACT_BALL, 0.1, 0.3);
    double before = 0, worst = 0, due = fall;
    int apex = 0, i;
    void *setup;
    bool went;
    s.p[2] += 1;
    s.e = 0.8;
    setup = e->make(&s, 1 / hz);
    went = setup != NULL;
    for (i = 1; went && apex < 10 && i <= 10 * hz; i++) {
        contact_motion m;
        went = e->step(setup);
        e->get(setup, &m);
        if (before > 0 && m.v[2] <= 0) {
            const double top = m.p[2] - s.radius + m.v[2] * m.v[2] / (2 * g);
            const double up = pow(0.8, ++apex) * fall;
            due += apex == 1 ? up : pow(0.8, apex - 1) * fall + up;
            worst = fmax(worst, times ? fabs(i / hz + m.v[2] / g - due)
                                      : fabs(top / pow(0.8, 2 * apex) - 1));
        }
        before = m.v[2];
    }
    if (setup)
        e->drop(setup);
    return !went ? (double)NAN : apex < 10 ? (double)INFINITY : worst;
}

static inline double contact_bounce_heights(const contact_engine *e, double hz)
{
    return contact_bounce(e, hz, false);
}

static inline double contact_bounce_times(const contact_engine *e, double hz)
{
    return contact_bounce(e, hz, true);
}

/* Energy after 20 s of e = 1 from 1 m, relative. */
static inline double contact_elastic(const contact_engine *e, double hz)
{
    contact_scene s = contact_body(CONTACT_BALL, 0.1, 0);
    contact_motion m;
    s.p[2] += 1;
    s.e = 1;
    if (!contact_run(e, &s, hz, (int)(20 * hz + 0.5), &m))
        return (double)NAN;
    return fabs(m.v[2] * m.v[2] / (2 * CONTACT_GRAVITY) + m.p[2] - s.radius - 1);
}

/* Falls 0.5 m and spins, e = 0.5. At the bounce it grips and goes on with 2/7 of the speed of
   its rim, or slides and gets mu (1 + e) of that of its fall, if that is less [m/s]. */
static inline double contact_back_spin(const contact_engine *e, double hz, double radius)
{
    const double spin = 50, mu = 0.3, fall = sqrt(2 * CONTACT_GRAVITY * 0.5);
    contact_scene s = contact_body(CONTACT_BALL, radius, mu);
    contact_motion m;
    s.p[2] += 0.5;
    s.e = 0.5;
    s.w[1] = spin;
    if (!contact_run(e, &s, hz, (int)(0.5 * hz + 0.5), &m))
        return (double)NAN;
    return hypot(m.v[0] - fmin(2.0 / 7 * radius * spin, mu * 1.5 * fall), m.v[1]);
}

static inline double contact_back_spin_grips(const contact_engine *e, double hz)
{
    return contact_back_spin(e, hz, 0.0286);
}

static inline double contact_back_spin_slides(const contact_engine *e, double hz)
{
    return contact_back_spin(e, hz, 0.2);
}

/* Back spin on a level floor: slips all the way through; ends with 5/7 (v + 2/5 r w) [m/s]. */
static inline double contact_screws_back(const contact_engine *e, double hz)
{
    const double v = 2, w = -30;
    contact_scene s = contact_body(CONTACT_BALL, 0.1, 0.3);
    contact_motion m;
    s.v[0] = v;
    s.w[1] = w;
    if (!contact_run(e, &s, hz, (int)(3 * hz + 0.5), &m))
        return (double)NAN;
    return hypot(m.v[0] - 5.0 / 7 * (v + 0.4 * s.radius * w), m.v[1]);
}

/* A cube on a slope, mu 0.5, for 2 s. */
static inline double contact_cube(const contact_engine *e, double hz, double slope)
{
    const double tilt = atan(slope);
    const double a = fmax(0, CONTACT_GRAVITY * (sin(tilt) - 0.5 * cos(tilt)));
    const contact_scene s = contact_on_slope(CONTACT_CUBE, 0.5, tilt);
    return contact_off_flat(e, &s, hz, 2, 2 * a, 0);
}

static inline double contact_cube_rests(const contact_engine *e, double hz)
{
    return contact_cube(e, hz, 0.49);
}

static inline double contact_cube_slides(const contact_engine *e, double hz)
{
    return contact_cube(e, hz, 0.51);
}

/* Rolls with 2 m/s until rolling resistance stops it: v^2 / (2 a), a = 5/7 g rho / r. */
static inline double contact_resisted(const contact_engine *e, double hz)
{
    const double v = 2;
    contact_scene s = contact_body(CONTACT_BALL, 0.1, 0.5);
    s.rho = 0.01;
    s.v[0] = v;
    s.w[1] = v / s.radius;
    return contact_off_flat(e, &s, hz, 5,
                            v * v / (2 * 5.0 / 7 * CONTACT_GRAVITY * s.rho / s.radius), 0);
}

/* Put down on a belt that runs across x and y, it slides along until it has 2/7 of its speed. */
static inline double contact_belt(const contact_engine *e, double hz)
{
    const double u = 1.4, mu = 0.1, g = CONTACT_GRAVITY, t = 2.0 / 7 * u / (mu * g);
    const double way = mu * g * t * t / 2 + 2.0 / 7 * u * (1 - t);
    contact_scene s = contact_body(CONTACT_BALL, 0.1, mu);
    s.floor = CONTACT_BELT;
    s.belt[0] = -0.8 * u;
    s.belt[1] = 0.6 * u;
    return contact_off_flat(e, &s, hz, 1, -0.8 * way, 0.6 * way);
}

/* Shaken, the floor leaves it behind where it brakes with g; height above the floor's mean 0.2 s
   after the start, in flight [m]. */
static inline double contact_lift_off(const contact_engine *e, double hz)
{
    const double g = CONTACT_GRAVITY, w = CONTACT_SHAKE_RATE;
    const double t = acos(-g / (CONTACT_SHAKE * w * w)) / w, flight = 0.2 - t;
    contact_scene s = contact_body(CONTACT_BALL, 0.1, 0.5);
    double z, v, a;
    s.floor = CONTACT_SHAKEN;
    contact_floor_at(0, &z, &v, &a);
    s.p[2] = s.radius + z;
    contact_floor_at(t, &z, &v, &a);
    return contact_off(e, &s, hz, (int)(0.2 * hz + 0.5), 0, 0,
                       s.radius + z + v * flight - g * flight * flight / 2);
}

/* On a table of 2 rad/s it circles with 2/7 of that, on a radius of 0.5 m: how far off that is
   after ten orbits, relative. */
static inline double contact_turntable(const contact_engine *e, double hz)
{
    const double turn = 2, rate = 2.0 / 7 * turn, radius = 0.5;
    contact_scene s = contact_body(CONTACT_BALL, 0.1, 1);
    contact_motion m;
    s.floor = CONTACT_TABLE;
    s.spin = turn;
    s.p[0] = radius;
    s.v[1] = rate * radius;
    s.w[0] = (turn - rate) * radius / s.radius;
    if (!contact_run(e, &s, hz, (int)(20 * CONTACT_PI / rate * hz), &m))
        return (double)NAN;
    return fabs(hypot(m.p[0], m.p[1]) / radius - 1);
}

#define CONTACT_COIN 0.0375, 0.0015 /* radius and half of the width [m] */
#define CONTACT_WHEEL 0.3, 0.012

/* Upright, straight on with 2 m/s for 10 s. */
static inline double contact_upright(const contact_engine *e, double hz, double radius, double half)
{
    contact_scene s = contact_disc(radius, half, -CONTACT_PI / 2);
    s.p[2] = radius;
    s.v[0] = 2;
    s.w[1] = 2 / radius;
    return contact_off(e, &s, hz, (int)(10 * hz + 0.5), 20, 0, radius);
}

static inline double contact_upright_coin(const contact_engine *e, double hz)
{
    return contact_upright(e, hz, CONTACT_COIN);
}

static inline double contact_upright_wheel(const contact_engine *e, double hz)
{
    return contact_upright(e, hz, CONTACT_WHEEL);
}

/* Leans inward by 20 degrees and rolls on its lower edge, its centre on a circle of 8 radii, for a
   turn. With the axis a = cos e + sin z, where e points outward, and u = cos z - sin e up along the
   disc, w = W z + s a rolls with s = -W c / r, c the circle of the contact point; the moment of the
   floor's force about the centre is that of L = A W cos u + C (W sin + s) a, which turns with W. */
static inline double contact_circle(const contact_engine *e, double hz, double r, double b)
{
    const double lean = CONTACT_PI / 9, sine = sin(lean), cosine = cos(lean), rho = 8 * r;
    const double c = rho + r * sine - b * cosine, height = r * cosine + b * sine;
    contact_scene s = contact_disc(r, b, 0);
    double I[3], turn, spin, end;
    int steps;
    contact_moments(&s, I);
    turn = sqrt(CONTACT_GRAVITY * (r * sine - b * cosine) /
                (I[0] * sine * cosine + I[2] * cosine * (c / r - sine) + rho * height));
    spin = -turn * c / r;
    steps = (int)(2 * CONTACT_PI / turn * hz + 0.5);
    end = turn * steps / hz;
    /* starts at x = rho: its axis is z turned about y by a quarter less the lean */
    s.q[0] = cos((CONTACT_PI / 2 - lean) / 2);
    s.q[1] = 0;
    s.q[2] = sin((CONTACT_PI / 2 - lean) / 2);
    contact_set(s.p, rho, 0, height);
    contact_set(s.v, 0, turn * rho, 0);
    contact_set(s.w, spin * cosine, 0, turn + spin * sine);
    return contact_off(e, &s, hz, steps, rho * cos(end), rho * sin(end), height);
}

static inline double contact_coin_circles(const contact_engine *e, double hz)
{
    return contact_circle(e, hz, CONTACT_COIN);
}

static inline double contact_wheel_circles(const contact_engine *e, double hz)
{
    return contact_circle(e, hz, CONTACT_WHEEL);
}

/* A coin of 0.2 m, its axis 1.2 rad from z, turns and rolls, and slips besides with 0.3 m/s; mu is
   0.15. */
static inline contact_scene contact_slipping_coin(void)
{
    const double angle = 1.2, r = 0.1, b = 0.005;
    const double a[3] = { 0, -sin(angle), cos(angle) }; /* axis */
    const double d[3] = { 0, -r * cos(angle) - b * a[1], -r * sin(angle) - b * cos(angle) };
    contact_scene s = contact_disc(r, b, angle);
    s.mu = 0.15;
    contact_set(s.w, 0.5, 15 * a[1], 3 + 15 * a[2]);
    contact_set(s.v, 0.3 - (s.w[1] * d[2] - s.w[2] * d[1]), -(s.w[2] * d[0] - s.w[0] * d[2]),
                -(s.w[0] * d[1] - s.w[1] * d[0]));
    return s;
}

/* Where it is after 0.5 s: spc_step_rk4 at 16 kHz, which contact.c does again [m]. */
static const double contact_slipped[3] = { -0.598606902838319, 0.098920123319134,
                                           0.054851530895281 };

static inline double contact_coin_slips(const contact_engine *e, double hz)
{
    const contact_scene s = contact_slipping_coin();
    return contact_off(e, &s, hz, (int)(0.5 * hz + 0.5), contact_slipped[0], contact_slipped[1],
                       contact_slipped[2]);
}

/* Bars of spc_step at the rates below, in the row's unit, and of spc_step_rk4 at 240 Hz. */
typedef struct contact_row {
    const char *name;
    double (*error)(const contact_engine *e, double hz);
    double bar[3], bar_rk4;
} contact_row;

#define CONTACT_ORDER_2(K) (K) / 3600.0, (K) / 57600.0, (K) / 1e6 /* K h^2, K in m/s^2 */
#define CONTACT_ALWAYS(bar) (bar), (bar), (bar)

/* Where it is exact rounding is left: some 1e-16 in each of up to 20,000 steps, of places up to
   20 m where a disc rolls upright. What lifts off errs by the floor's third derivative, A w^3 h^2
   in its speed, for 0.065 s. Circles of discs of any size err alike: with times in units of
   sqrt(r / g), r (h^2 g / r) is left. */
static const contact_row contact_rows[] = {
    { "ball slides, rolls, along x [m]", contact_thrown_along, { CONTACT_ORDER_2(0.4) }, 1e-9 },
    { "ball slides, rolls, at 30 deg [m]", contact_thrown_across, { CONTACT_ORDER_2(0.4) }, 1e-9 },
    { "slope that rolls, relative", contact_slope_rolls, { CONTACT_ALWAYS(1e-12) }, 1e-9 },
    { "slope that slides, relative", contact_slope_slides, { CONTACT_ALWAYS(1e-12) }, 1e-9 },
    { "e = 0.8, apexes 1 to 10, relative",
      contact_bounce_heights,
      { CONTACT_ALWAYS(1e-10) },
      1e-9 },
    { "e = 0.8, their times [s]", contact_bounce_times, { CONTACT_ALWAYS(1e-10) }, 1e-9 },
    { "e = 1, energy after 20 s, relative", contact_elastic, { CONTACT_ALWAYS(1e-10) }, 1e-9 },
    { "back spin, bounce grips [m/s]", contact_back_spin_grips, { CONTACT_ALWAYS(1e-12) }, 1e-9 },
    { "back spin, bounce slides [m/s]", contact_back_spin_slides, { CONTACT_ALWAYS(1e-12) }, 1e-9 },
    { "back spin on the floor [m/s]", contact_screws_back, { CONTACT_ALWAYS(1e-12) }, 1e-9 },
    { "cube, slope 0.49, mu 0.5 [m]", contact_cube_rests, { CONTACT_ALWAYS(0) }, 1e-9 },
    { "cube, slope 0.51, mu 0.5 [m]", contact_cube_slides, { CONTACT_ALWAYS(1e-4) }, 1e-9 },
    { "rolling resistance stops it [m]", contact_resisted, { CONTACT_ORDER_2(0.1) }, 1e-9 },
    { "put down on a belt [m]", contact_belt, { CONTACT_ORDER_2(0.2) }, 1e-9 },
    { "lifts off a shaken floor [m]", contact_lift_off, { CONTACT_ORDER_2(22) }, 1e-9 },
    { "turntable, 10 orbits, relative", contact_turntable, { 1e-3, 1e-4, 1e-5 }, 1e-9 },
    { "coin upright, 10 s [m]", contact_upright_coin, { CONTACT_ALWAYS(1e-10) }, 1e-9 },
    { "wheel upright, 10 s [m]", contact_upright_wheel, { CONTACT_ALWAYS(1e-10) }, 1e-9 },
    { "coin in a circle, a turn [m]", contact_coin_circles, { 2e-2, 1e-3, 1e-4 }, 1e-6 },
    { "wheel in a circle, a turn [m]", contact_wheel_circles, { 2e-2, 1e-3, 1e-4 }, 1e-6 },
    { "coin that slips, 0.5 s [m]", contact_coin_slips, { CONTACT_ORDER_2(10) }, 1e-9 },
};
#define CONTACT_ROWS ((int)(sizeof contact_rows / sizeof *contact_rows))

static const int contact_rates[] = { 60, 240, 1000 };

#ifdef PLOT /* scenes over time, for plots.sh */
#include "plot.h"
#endif

static inline int contact_main(const contact_engine *engines, int count)
{
    int i, k, row;
#ifdef PLOT
    return plot_main(engines, count);
#endif
    for (i = 0; i < count; i++)
        for (row = 0; row < CONTACT_ROWS; row++)
            for (k = 0; k < 3; k++) {
                const int hz = contact_rates[k];
                printf("%d %d %s %.4e\n", row, hz, engines[i].name,
                       contact_rows[row].error(&engines[i], hz));
                fflush(stdout);
            }
    return 0;
}

#endif /* CONTACT_H */
