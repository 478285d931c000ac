/* How the cost of calls that are not steps grows with a world of balls that roll, each for itself:
   nanoseconds for each constraint, and the power of n between one line and the one before. Reading
   all infos is n log n, a compliance matrix has n^2 blocks. A step with a contact switched, or with
   one removed and added, takes longer than a step by a constant; with a body that comes and goes,
   by finding the order of elimination anew for all. */
#define SPHERECONTACT_IMPLEMENTATION
#include "../../spherecontact.h"

#include "bench.h"

#include <stdlib.h>

typedef struct balls {
    spc_world *world;
    spc_body *ball;
    spc_constraint *contact;
    spc_real *W;
    int n;
} balls;

static void must(spc_status status)
{
    if (status) {
        fprintf(stderr, "growth: %s\n", spc_status_text(status));
        exit(1);
    }
}

static spc_sphere_on_plane_desc rolling(const balls *s, int i)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    d.ball = s->ball[i];
    d.shape.radius = (spc_real)BENCH_RADIUS;
    return d;
}

static balls make(int n)
{
    spc_world_desc desc = spc_world_desc_default(n + 1, n);
    spc_body_desc body = spc_body_desc_default();
    const size_t bytes = spc_world_size(&desc), count = (size_t)n;
    balls s;
    int i;
    desc.gravity.z = -(spc_real)BENCH_GRAVITY;
    s.n = n;
    s.ball = (spc_body *)malloc(count * sizeof *s.ball);
    s.contact = (spc_constraint *)malloc(count * sizeof *s.contact);
    s.W = NULL;
    must(spc_world_create(malloc(bytes), bytes, &desc, &s.world));
    body.mass = spc_mass_solid_sphere(1, (spc_real)BENCH_RADIUS);
    body.state.X_GB.p.z = (spc_real)BENCH_RADIUS;
    for (i = 0; i < n; i++) {
        spc_sphere_on_plane_desc d;
        must(spc_body_add(s.world, &body, &s.ball[i]));
        d = rolling(&s, i);
        must(spc_sphere_on_plane_add(s.world, &d, &s.contact[i]));
    }
    return s;
}

static void drop(balls *s)
{
    free(s->world);
    free(s->ball);
    free(s->contact);
    free(s->W);
}

static void read_all(balls *s)
{
    spc_constraint_info info;
    int i;
    for (i = 0; i < s->n; i++)
        must(spc_constraint_get_info(s->world, s->contact[i], &info));
}

static void ask_for_compliance(balls *s)
{
    const size_t rows = 3 * (size_t)s->n;
    if (!s->W)
        s->W = (spc_real *)malloc(rows * rows * sizeof *s->W);
    must(spc_world_get_compliance(s->world, 1, NULL, 0, s->W, (int)rows));
}

static void step(balls *s)
{
    must(spc_step(s->world, SPC_R(1e-3)));
}

static void switch_and_step(balls *s)
{
    spc_constraint_info info;
    must(spc_constraint_get_info(s->world, s->contact[0], &info));
    must(spc_constraint_set_enabled(s->world, s->contact[0], !info.enabled));
    step(s);
}

static void renew_and_step(balls *s)
{
    const int i = s->n / 2;
    const spc_sphere_on_plane_desc d = rolling(s, i);
    must(spc_constraint_remove(s->world, s->contact[i]));
    must(spc_sphere_on_plane_add(s->world, &d, &s->contact[i]));
    step(s);
}

static void find_anew_and_step(balls *s)
{
    spc_body_desc d = spc_body_desc_default();
    spc_body body;
    d.kind = SPC_KINEMATIC;
    must(spc_body_add(s->world, &d, &body));
    must(spc_body_remove(s->world, body));
    step(s);
}

/* Nanoseconds of a call: the least of so many runs of 5 ms, since what disturbs them only adds. */
static double least_time(void (*call)(balls *), balls *s)
{
    double least = 1e30;
    int run, k, calls = 1;
    call(s);
    for (run = 0; run < 8;) {
        const double begin = bench_now();
        double seconds;
        for (k = 0; k < calls; k++)
            call(s);
        seconds = bench_now() - begin;
        if (seconds < 0.005) {
            calls *= 2;
            continue;
        }
        least = fmin(least, 1e9 * seconds / calls);
        run++;
    }
    return least;
}

static void show(const char *name, void (*call)(balls *), int least, int most)
{
    double before = 0;
    int n;
    for (n = least; n <= most; n *= 4) {
        balls s = make(n);
        const double ns = least_time(call, &s);
        printf("%-12s %6d %10.1f ns a constraint", name, n, ns / n);
        if (n > least)
            printf(", growth n^%.2f", log(ns / before) / log(4.0));
        printf("\n");
        before = ns;
        drop(&s);
    }
}

int main(void)
{
    show("infos", read_all, 100, 25600);
    show("compliance", ask_for_compliance, 25, 400); /* beyond, the matrix leaves the cache */
    show("step", step, 100, 25600);
    show("switch+step", switch_and_step, 100, 25600);
    show("renew+step", renew_and_step, 100, 25600);
    show("anew+step", find_anew_and_step, 100, 25600);
    return 0;
}
