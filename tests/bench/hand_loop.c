/* The yardstick b of bars.c: balls that roll on one fixed plane, stepped by a plain loop that knows
   nothing else; 1,000 of them, the least of 40 rounds. Alone it prints nanoseconds a ball and step
   (gcc -O2, without flags for the machine, is what the bars mean). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct ball {
    double q[4], p[3], w[3], v[3], force[3];
} ball;

static ball *balls;
static int count = 1000;

static void hand(void)
{
    const double n[3] = { 0.0998, 0, 0.995 }, push[3] = { 0.69, 0, -0.07 }, h = 1.0 / 240;
    int i, k;
    for (i = 0; i < count; i++) {
        ball *b = balls + i;
        const double kk = 0.5 * h, *w = b->w;
        double q[4] = { b->q[0] - kk * (w[0] * b->q[1] + w[1] * b->q[2] + w[2] * b->q[3]),
                        b->q[1] + kk * (w[0] * b->q[0] + w[1] * b->q[3] - w[2] * b->q[2]),
                        b->q[2] + kk * (w[1] * b->q[0] + w[2] * b->q[1] - w[0] * b->q[3]),
                        b->q[3] + kk * (w[2] * b->q[0] + w[0] * b->q[2] - w[1] * b->q[1]) };
        const double s = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        const double spin = w[0] * n[0] + w[1] * n[1] + w[2] * n[2];
        for (k = 0; k < 4; k++)
            b->q[k] = q[k] * s;
        for (k = 0; k < 3; k++) {
            b->p[k] += h * b->v[k];
            b->v[k] += h * push[k];
            b->force[k] = push[k] + n[k] * 9.81;
        }
        b->w[0] = (n[1] * b->v[2] - n[2] * b->v[1]) * 10 + spin * n[0];
        b->w[1] = (n[2] * b->v[0] - n[0] * b->v[2]) * 10 + spin * n[1];
        b->w[2] = (n[0] * b->v[1] - n[1] * b->v[0]) * 10 + spin * n[2];
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Nanoseconds a ball and step. */
static double hand_loop(void)
{
    double best = 1e9;
    int round, i;
    balls = (ball *)calloc((size_t)count, sizeof *balls);
    for (i = 0; i < count; i++)
        balls[i].q[0] = 1;
    for (round = 0; round < 40; round++) {
        double t = now();
        for (i = 0; i < 400; i++)
            hand();
        t = (now() - t) / 400 / count * 1e9;
        best = t < best ? t : best;
    }
    free(balls);
    return best;
}

#ifndef HAND_LOOP_ALONE
#define HAND_LOOP_ALONE 1
#endif
#if HAND_LOOP_ALONE
int main(void)
{
    printf("%.1f ns\n", hand_loop());
    return 0;
}
#endif
