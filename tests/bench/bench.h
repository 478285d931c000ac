/* The scenes of the benchmark and its clock, for C and C++: each engine's program describes itself
   by an `engine` and ends with

       int main(int argc, char **argv) { return bench_main(&me, argc, argv); }

   PROGRAM [-e] [SCENE...] prints a line `scene engine bodies ns_per_body_step error` for each scene
   that the engine can express; the error with -e only, else 0. run.sh collects the lines. */
#ifndef BENCH_H
#define BENCH_H

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define BENCH_GRAVITY 9.81

/* Balls and discs roll from rest down a plane that falls towards x by this angle. */
#define BENCH_SLOPE 0.1
#define BENCH_RADIUS 0.1 /* of solid spheres of 1 kg, and of a thin disc */

/* A chain of links of 0.1 m and 0.1 kg on ball joints, with equal moments of inertia m l^2 / 12 (so
   that all engines have the same bodies, without axes). It hangs from the origin, straight along
   (1, 0, -1), and is let go while it turns about the vertical by 1 rad/s as a whole. */
#define BENCH_LINK 0.1
#define BENCH_SPIN 1.0

/* 25 x 40 balls on a free plate, 0.3 m apart. A force at the plate's centre carries all the weight
   and pushes to the side. */
#define BENCH_PLATE_MASS 1000.0
#define BENCH_PLATE_X 8.0
#define BENCH_PLATE_Y 13.0
#define BENCH_PLATE_Z 0.1
#define BENCH_PLATE_COLUMNS 25
#define BENCH_PLATE_SPACING 0.3
#define BENCH_PLATE_PUSH 2000.0

typedef enum scene_kind { BALLS, ACCELERATIONS, DISC, CHAIN, PLATE, BICYCLE } scene_kind;

typedef struct scene {
    const char *name;
    scene_kind kind;
    int n;          /* bodies among which the time is shared */
    double step;    /* length of a step [s] */
    int steps;      /* so many from the start, to where the error is taken */
    double want[3]; /* where the watched point then is, or its acceleration */
} scene;

typedef struct engine {
    const char *name;
    void *(*make)(const scene *s); /* NULL: it cannot */
    void (*run)(void *world, const scene *s, int steps);
    void (*watch)(void *world, const scene *s, double *out); /* first ball, last link, plate */
    void (*drop)(void *world);
    int most_links; /* of a chain; 0: any number */
} engine;

/* Converged numbers are from Runge-Kutta's method of this library with projection, whose halved
   step changes them by less than 1e-9; `build/bench/spherecontact -c` prints them anew. */
static const scene bench_scenes[] = {
    { "ball_1", BALLS, 1, 1.0 / 240, 240, { 0, 0, 0 } },
    { "balls_1000", BALLS, 1000, 1.0 / 240, 240, { 0, 0, 0 } },
    { "balls_100000", BALLS, 100000, 1.0 / 240, 24, { 0, 0, 0 } },
    { "disc_1", DISC, 1, 1.0 / 240, 240, { 0, 0, 0 } },
    { "chain_100", CHAIN, 100, 1e-3, 500, { 5.93888789879, 3.33031755261, -7.16533679101 } },
    { "bicycle", BICYCLE, 4, 1e-3, 1000, { 4.88653198705, -0.349690487328, 0.898521484375 } },
    { "plate_1000", PLATE, 1001, 1.0 / 240, 48, { 0.0311121244794, 0, 5.00073736265e-07 } },
    { "accel_ball_1", ACCELERATIONS, 1, 0, 1, { 0, 0, 0 } },
    { "accel_balls_100", ACCELERATIONS, 100, 0, 1, { 0, 0, 0 } },
};

/* The chain for an engine that cannot have a hundred links. */
static const scene bench_chain_90 = {
    "chain_100", CHAIN, 90, 1e-3, 500, { 5.2706310823, 2.98282845798, -6.49708443286 }
};

#define BENCH_SCENES ((int)(sizeof bench_scenes / sizeof *bench_scenes))

/* Where ball i of a scene starts: side by side across the slope, or in rows on the plate. */
static inline void bench_ball(const scene *s, int i, double *p)
{
    if (s->kind == PLATE) {
        p[0] = BENCH_PLATE_SPACING * (i % BENCH_PLATE_COLUMNS - (BENCH_PLATE_COLUMNS - 1) / 2.0);
        p[1] = BENCH_PLATE_SPACING *
               (i / BENCH_PLATE_COLUMNS - ((s->n - 1) / BENCH_PLATE_COLUMNS - 1) / 2.0);
        p[2] = BENCH_PLATE_Z / 2 + BENCH_RADIUS;
    } else {
        p[0] = BENCH_RADIUS * sin(BENCH_SLOPE);
        p[1] = i;
        p[2] = BENCH_RADIUS * cos(BENCH_SLOPE);
    }
}

/* The force on the plate. */
static inline void bench_push(const scene *s, double *f)
{
    f[0] = BENCH_PLATE_PUSH;
    f[1] = 0;
    f[2] = (BENCH_PLATE_MASS + (s->n - 1)) * BENCH_GRAVITY;
}

/* Centre and velocity of link i of the chain at the start. */
static inline void bench_link(int i, double *p, double *v)
{
    const double along = BENCH_LINK * (i + 0.5) * sqrt(0.5);
    p[0] = along;
    p[1] = 0;
    p[2] = -along;
    v[0] = v[2] = 0;
    v[1] = BENCH_SPIN * along;
}

/* The exact place or acceleration of what is watched: a body that rolls down the slope from rest
   has the part 1 / (1 + I / m r^2) of a sliding one's acceleration. */
static inline void bench_want(const scene *s, double *want)
{
    const double part = s->kind == DISC ? 2.0 / 3 : 5.0 / 7, t = s->steps * s->step;
    const double a = part * BENCH_GRAVITY * sin(BENCH_SLOPE);
    const double length = s->kind == ACCELERATIONS ? a : a * t * t / 2;
    memcpy(want, s->want, 3 * sizeof *want);
    if (s->kind != BALLS && s->kind != ACCELERATIONS && s->kind != DISC)
        return;
    memset(want, 0, 3 * sizeof *want);
    if (s->kind != ACCELERATIONS)
        bench_ball(s, 0, want);
    want[0] += length * cos(BENCH_SLOPE);
    want[2] -= length * sin(BENCH_SLOPE);
}

static inline double bench_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Distance from what is wanted, over 1 or the size of that. */
static inline double bench_error(const engine *e, void *world, const scene *s)
{
    double got[3], want[3], off = 0, size = 0;
    int k;
    e->run(world, s, s->steps);
    e->watch(world, s, got);
    bench_want(s, want);
    for (k = 0; k < 3; k++) {
        off += (got[k] - want[k]) * (got[k] - want[k]);
        size += want[k] * want[k];
    }
    return sqrt(off) / fmax(1, sqrt(size));
}

/* Nanoseconds of a step, from so many steps that they take 50 ms at least. */
static inline double bench_time(const engine *e, void *world, const scene *s)
{
    double begin, seconds = 0;
    int steps = 1;
    e->run(world, s, 12); /* what is made only once, and contacts that are not there at first */
    for (;;) {
        begin = bench_now();
        e->run(world, s, steps);
        seconds = bench_now() - begin;
        if (seconds > 0.05)
            return 1e9 * seconds / steps;
        steps *= 2;
    }
}

static inline int bench_main(const engine *e, int argc, char **argv)
{
    const int with_error = argc > 1 && !strcmp(argv[1], "-e");
    int i, k, chosen;
    for (i = 0; i < BENCH_SCENES; i++) {
        const scene *s = &bench_scenes[i];
        double error = 0;
        void *world;
        if (s->kind == CHAIN && e->most_links && e->most_links < s->n)
            s = &bench_chain_90;
        for (chosen = argc <= 1 + with_error, k = 1 + with_error; k < argc; k++)
            chosen |= !strcmp(argv[k], s->name);
        world = chosen ? e->make(s) : NULL;
        if (!world)
            continue;
        if (with_error)
            error = bench_error(e, world, s);
        printf("%s %s %d %.1f %.1e\n", s->name, e->name, s->n, bench_time(e, world, s) / s->n,
               error);
        fflush(stdout);
        e->drop(world);
    }
    return 0;
}

#endif
