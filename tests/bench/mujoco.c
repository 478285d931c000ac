/* The scenes of bench.h in MuJoCo: contacts are soft, unilateral and found by its collision
   detection; the chain is in reduced coordinates. Euler's rule, Newton's solver, its defaults. */
#include "bench.h"

#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct setup {
    mjModel *m;
    mjData *d;
} setup;

/* Bodies inside of bodies; its reader takes no elements that are nested deeper. */
static void write_chain(FILE *f, const scene *s)
{
    const double half = BENCH_LINK / 2 * sqrt(0.5), I = 0.1 * BENCH_LINK * BENCH_LINK / 12;
    int i;
    for (i = 0; i < s->n; i++)
        fprintf(f,
                "<body pos='%.17g 0 %.17g'><joint type='ball' pos='%.17g 0 %.17g'/>"
                "<inertial pos='0 0 0' mass='0.1' diaginertia='%.17g %.17g %.17g'/>\n",
                i ? 2 * half : half, i ? -2 * half : -half, -half, half, I, I, I);
    for (i = 0; i < s->n; i++)
        fprintf(f, "</body>");
}

static void write_balls(FILE *f, const scene *s)
{
    const int balls = s->kind == PLATE ? s->n - 1 : s->n;
    const double I = 0.4 * BENCH_RADIUS * BENCH_RADIUS, m = BENCH_PLATE_MASS / 12;
    const double x = BENCH_PLATE_X * BENCH_PLATE_X, y = BENCH_PLATE_Y * BENCH_PLATE_Y;
    const double z = BENCH_PLATE_Z * BENCH_PLATE_Z;
    /* a contact without depth is none yet */
    const double radius = BENCH_RADIUS * (s->kind == ACCELERATIONS ? 1.0001 : 1);
    double p[3];
    int i;
    if (s->kind == PLATE)
        fprintf(f,
                "<body><freejoint/><inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g "
                "%.17g'/><geom type='box' size='%.17g %.17g %.17g' contype='1' "
                "conaffinity='0'/></body>\n",
                BENCH_PLATE_MASS, m * (y + z), m * (x + z), m * (x + y), BENCH_PLATE_X / 2,
                BENCH_PLATE_Y / 2, BENCH_PLATE_Z / 2);
    else
        fprintf(
            f,
            "<geom type='plane' size='0 0 1' zaxis='%.17g 0 %.17g' contype='1' conaffinity='0'/>\n",
            sin(BENCH_SLOPE), cos(BENCH_SLOPE));
    for (i = 0; i < balls; i++) {
        bench_ball(s, i, p);
        fprintf(f,
                "<body pos='%.17g %.17g %.17g'><freejoint/><inertial pos='0 0 0' mass='1' "
                "diaginertia='%.17g %.17g %.17g'/><geom type='sphere' size='%.17g' contype='0' "
                "conaffinity='1'/></body>\n",
                p[0], p[1], p[2], I, I, I, radius);
    }
}

static void *make(const scene *s)
{
    char name[] = "/tmp/bench-XXXXXX", error[400] = "";
    const int most = s->n + 10;
    const int file = s->kind == BICYCLE || s->kind == DISC || s->n > 2000 ? -1 : mkstemp(name);
    FILE *f = file >= 0 ? fdopen(file, "w") : NULL;
    setup *w;
    if (!f)
        return NULL;
    fprintf(f,
            "<mujoco><compiler boundmass='0'/><size nconmax='%d' njmax='%d' nstack='%d'/>"
            "<option timestep='%.17g' gravity='0 0 %.17g'/><worldbody>\n",
            most, 4 * most, 20000000 + 300000 * s->n, s->step > 0 ? s->step : 1e-3, -BENCH_GRAVITY);
    if (s->kind == CHAIN)
        write_chain(f, s);
    else
        write_balls(f, s);
    fprintf(f, "</worldbody></mujoco>\n");
    fclose(f);
    w = (setup *)malloc(sizeof *w);
    w->m = mj_loadXML(name, NULL, error, sizeof error);
    remove(name);
    if (!w->m) {
        fprintf(stderr, "bench: %s\n", error);
        exit(1);
    }
    w->d = mj_makeData(w->m);
    if (s->kind == CHAIN)
        w->d->qvel[2] = BENCH_SPIN;
    if (s->kind == PLATE)
        bench_push(s, w->d->xfrc_applied + 6);
    return w;
}

static void run(void *world, const scene *s, int steps)
{
    setup *w = (setup *)world;
    int i;
    for (i = 0; i < steps; i++) {
        if (s->kind == ACCELERATIONS)
            mj_forward(w->m, w->d);
        else
            mj_step(w->m, w->d);
    }
}

static void watch(void *world, const scene *s, double *out)
{
    setup *w = (setup *)world;
    if (s->kind == ACCELERATIONS) {
        memcpy(out, w->d->qacc, 3 * sizeof *out);
        return;
    }
    mj_kinematics(w->m, w->d);
    mj_comPos(w->m, w->d);
    memcpy(out, w->d->xipos + 3 * (s->kind == CHAIN ? w->m->nbody - 1 : 1), 3 * sizeof *out);
}

static void drop(void *world)
{
    setup *w = (setup *)world;
    mj_deleteData(w->d);
    mj_deleteModel(w->m);
    free(w);
}

int main(int argc, char **argv)
{
    static const engine me = { "mujoco", make, run, watch, drop, 90 };
    return bench_main(&me, argc, argv);
}
