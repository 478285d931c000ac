/* Scenes of contact.h over time, in the place of its rows: what a program of an engine prints when
   it is built with -DPLOT. Lines `plot,engine,rate,time,value`, which plots.sh collects; `nan` from
   where a step was refused, nothing where the engine has no such scene. */
#ifndef PLOT_H
#define PLOT_H

/* From 1 m, e = 0.8: height of the lowest point [m]. */
static inline contact_scene plot_falls(double e)
{
    contact_scene s = contact_body(CONTACT_BALL, 0.1, e < 1 ? 0.3 : 0);
    s.p[2] += 1;
    s.e = e;
    return s;
}

static inline contact_scene plot_bounce_start(void)
{
    return plot_falls(0.8);
}

static inline double plot_height(const contact_motion *m, double t)
{
    (void)t;
    return m->p[2] - 0.1;
}

/* e = 1: energy over that of the start [-]. */
static inline contact_scene plot_elastic_start(void)
{
    return plot_falls(1);
}

static inline double plot_energy(const contact_motion *m, double t)
{
    (void)t;
    return m->v[2] * m->v[2] / (2 * CONTACT_GRAVITY) + m->p[2] - 0.1;
}

#define PLOT_TURN 2.0   /* of the table [rad/s] */
#define PLOT_RADIUS 0.5 /* of the ball's circle [m] */

/* It rolls on a table that turns, and circles with 2/7 of its angular velocity: how far it is from
   where it should be [m]. */
static inline contact_scene plot_turntable_start(void)
{
    const double rate = 2.0 / 7 * PLOT_TURN;
    contact_scene s = contact_body(CONTACT_BALL, 0.1, 1);
    s.floor = CONTACT_TABLE;
    s.spin = PLOT_TURN;
    s.p[0] = PLOT_RADIUS;
    s.v[1] = rate * PLOT_RADIUS;
    s.w[0] = (PLOT_TURN - rate) * PLOT_RADIUS / s.radius;
    return s;
}

static inline double plot_turntable_off(const contact_motion *m, double t)
{
    const double angle = 2.0 / 7 * PLOT_TURN * t;
    return hypot(m->p[0] - PLOT_RADIUS * cos(angle), m->p[1] - PLOT_RADIUS * sin(angle));
}

/* A cube on a slope that its friction holds: how far it has come [m]. */
static inline contact_scene plot_cube_start(void)
{
    return contact_on_slope(CONTACT_CUBE, 0.5, atan(0.49));
}

static inline double plot_cube_off(const contact_motion *m, double t)
{
    (void)t;
    return hypot(m->p[0], m->p[1]);
}

typedef struct plot_row {
    const char *name;
    int hz, every;  /* steps in a second, steps from one line to the next; 0: only at apexes */
    double seconds; /* of the whole */
    contact_scene (*start)(void);
    double (*value)(const contact_motion *m, double t);
} plot_row;

static const plot_row plot_rows[] = {
    { "bounce", 60, 1, 4.5, plot_bounce_start, plot_height },
    { "elastic", 60, 0, 20, plot_elastic_start, plot_energy },
    { "turntable", 240, 24, 22, plot_turntable_start, plot_turntable_off },
    { "cube", 240, 12, 10, plot_cube_start, plot_cube_off },
};

static inline void plot_line(const contact_engine *e, const plot_row *row, int i, bool went,
                             const contact_motion *m)
{
    const double t = (double)i / row->hz;
    printf("%s,%s,%d,%.12g,%.12g\n", row->name, e->name, row->hz, t,
           went ? row->value(m, t) : (double)NAN);
}

static inline void plot_run(const contact_engine *e, const plot_row *row)
{
    const contact_scene s = row->start();
    const int steps = (int)(row->seconds * row->hz + 0.5);
    void *setup = e->make(&s, 1.0 / row->hz);
    bool went = setup != NULL;
    double before = 0;
    contact_motion m;
    int i;
    for (i = 0; setup && i <= steps; i++) {
        if (i > 0 && went)
            went = e->step(setup);
        e->get(setup, &m);
        if (i == 0 || (row->every ? i % row->every == 0 : before > 0 && m.v[2] <= 0))
            plot_line(e, row, i, went, &m);
        before = m.v[2];
    }
    if (setup)
        e->drop(setup);
}

static inline int plot_main(const contact_engine *engines, int count)
{
    const int rows = (int)(sizeof plot_rows / sizeof *plot_rows);
    int i, row;
    for (i = 0; i < count; i++)
        for (row = 0; row < rows; row++)
            plot_run(&engines[i], &plot_rows[row]);
    return 0;
}

#endif
