/* What there is to gain: loops written for nothing but one kind of scene. `by_hand` steps balls
   that roll on one fixed plane, in closed form; with the orientation, and the contact's force as a
   user of a world gets it. `memory` only reads and writes as many numbers as such a ball has. */
#include "bench.h"

#include <stdbool.h>
#include <stdlib.h>

typedef struct ball {
    double q[4], p[3], w[3], v[3], force[3];
} ball;

typedef struct balls {
    bool memory;
    double n[3], push[3], hold[3]; /* normal; acceleration down the slope; force that it takes */
    ball at[1];
} balls;

static balls *make_balls(const scene *s, bool memory)
{
    const double g = BENCH_GRAVITY;
    balls *b;
    int i, k;
    if (s->kind != BALLS)
        return NULL;
    b = (balls *)calloc(1, sizeof *b + (size_t)s->n * sizeof *b->at);
    b->memory = memory;
    b->n[0] = sin(BENCH_SLOPE);
    b->n[2] = cos(BENCH_SLOPE);
    for (k = 0; k < 3; k++) {
        b->push[k] = 5.0 / 7 * (g * cos(BENCH_SLOPE) * b->n[k] - (k == 2 ? g : 0));
        b->hold[k] = b->push[k] + (k == 2 ? g : 0);
    }
    for (i = 0; i < s->n; i++) {
        b->at[i].q[0] = 1;
        bench_ball(s, i, b->at[i].p);
    }
    return b;
}

static void *make_by_hand(const scene *s)
{
    return make_balls(s, false);
}

static void *make_memory(const scene *s)
{
    return make_balls(s, true);
}

/* As spc_step does it: places and orientations by the mean of the velocities before and after. */
static void roll(ball *b, const balls *all, double h)
{
    const double *n = all->n, *v = b->v, r = 1 / BENCH_RADIUS, k = 0.25 * h;
    const double spin = b->w[0] * n[0] + b->w[1] * n[1] + b->w[2] * n[2];
    double w[3], q[4], s;
    int i;
    for (i = 0; i < 3; i++) {
        b->p[i] += h * v[i] + 0.5 * h * h * all->push[i];
        b->v[i] += h * all->push[i];
        b->force[i] = all->hold[i];
        w[i] = b->w[i];
    }
    b->w[0] = (n[1] * v[2] - n[2] * v[1]) * r + spin * n[0];
    b->w[1] = (n[2] * v[0] - n[0] * v[2]) * r + spin * n[1];
    b->w[2] = (n[0] * v[1] - n[1] * v[0]) * r + spin * n[2];
    for (i = 0; i < 3; i++)
        w[i] += b->w[i];
    q[0] = b->q[0] - k * (w[0] * b->q[1] + w[1] * b->q[2] + w[2] * b->q[3]);
    q[1] = b->q[1] + k * (w[0] * b->q[0] + w[1] * b->q[3] - w[2] * b->q[2]);
    q[2] = b->q[2] + k * (w[1] * b->q[0] + w[2] * b->q[1] - w[0] * b->q[3]);
    q[3] = b->q[3] + k * (w[2] * b->q[0] + w[0] * b->q[2] - w[1] * b->q[1]);
    s = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (i = 0; i < 4; i++)
        b->q[i] = q[i] * s;
}

static void touch(ball *b, double h)
{
    int i;
    for (i = 0; i < 4; i++)
        b->q[i] += h;
    for (i = 0; i < 3; i++) {
        b->p[i] += h;
        b->v[i] += h;
        b->w[i] += h;
        b->force[i] += h;
    }
}

static void run(void *world, const scene *s, int steps)
{
    balls *b = (balls *)world;
    int i, k;
    for (i = 0; i < steps; i++)
        for (k = 0; k < s->n; k++) {
            if (b->memory)
                touch(&b->at[k], s->step);
            else
                roll(&b->at[k], b, s->step);
        }
}

static void watch(void *world, const scene *s, double *out)
{
    const balls *b = (const balls *)world;
    if (b->memory)
        bench_want(s, out);
    else
        memcpy(out, b->at[0].p, sizeof b->at[0].p);
}

int main(int argc, char **argv)
{
    static const engine by_hand = { "by_hand", make_by_hand, run, watch, free, 0 };
    static const engine memory = { "memory", make_memory, run, watch, free, 0 };
    return bench_main(&by_hand, argc, argv) + bench_main(&memory, argc, argv);
}
