/* Time of a step: rolling balls in the world against a loop written for nothing but rolling balls,
   and a rolling disc against a ball.
   build/bench [SECONDS]   one line per scene, `scene n ns_per_body ratio error`: medians of
   interleaved runs; the error is that of the position against the closed form of the incline. */
#include "../../spherecontact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PI 3.14159265358979323846
#define RUNS 15
#define STEP SPC_R(1.0 / 240.0)

/* The limit: a uniform ball rolling without slip on a fixed plane with normal n, in closed form. It
   keeps what a ball needs, takes any normal and gravity, and nothing else. */
typedef struct loop_ball {
    spc_real p[3], v[3], w[3], q[4];
} loop_ball;

typedef struct loop_plane {
    spc_real n[3], push[3]; /* normal; 5/7 of gravity along the plane */
    spc_real radius;
} loop_plane;

static void loop_step(loop_ball *b, const loop_plane *plane, spc_real h)
{
    const spc_real *n = plane->n;
    spc_real k = SPC_R(0.5) * h, norm, s, spin;
    spc_real q[4], *w = b->w, *v = b->v;
    int i;
    for (i = 0; i < 3; i++)
        b->p[i] += h * v[i];
    q[0] = b->q[0] - k * (w[0] * b->q[1] + w[1] * b->q[2] + w[2] * b->q[3]);
    q[1] = b->q[1] + k * (w[0] * b->q[0] + w[1] * b->q[3] - w[2] * b->q[2]);
    q[2] = b->q[2] + k * (w[1] * b->q[0] + w[2] * b->q[1] - w[0] * b->q[3]);
    q[3] = b->q[3] + k * (w[2] * b->q[0] + w[0] * b->q[2] - w[1] * b->q[1]);
    norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    s = 1 / (spc_real)sqrt((double)norm);
    for (i = 0; i < 4; i++)
        b->q[i] = q[i] * s;
    for (i = 0; i < 3; i++)
        v[i] += h * plane->push[i];
    /* rolling: w = n x v / r + (w . n) n */
    spin = w[0] * n[0] + w[1] * n[1] + w[2] * n[2];
    s = 1 / plane->radius;
    w[0] = (n[1] * v[2] - n[2] * v[1]) * s + spin * n[0];
    w[1] = (n[2] * v[0] - n[0] * v[2]) * s + spin * n[1];
    w[2] = (n[0] * v[1] - n[1] * v[0]) * s + spin * n[2];
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v)
{
    qsort(v, RUNS, sizeof *v, by_value);
    return v[RUNS / 2];
}

static const double angle = 0.1, radius = 0.1;

static spc_world *empty_world(int n)
{
    spc_world_desc desc = spc_world_desc_default(n, n);
    spc_world *world;
    desc.gravity = spc_vec3_make(0, 0, SPC_R(-9.81));
    desc.coupling = 0;
    if (spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world))
        exit(1);
    return world;
}

static spc_quat incline(void)
{
    return spc_quat_from_rotation_vector(spc_vec3_make(0, (spc_real)angle, 0));
}

/* A disc that rolls upright down the incline. */
static spc_world *make_disc(spc_body *disc)
{
    spc_world *world = empty_world(1);
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    spc_constraint contact;
    body.mass = spc_mass_disc(1, (spc_real)radius);
    body.state.X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(SPC_R(PI / 2), 0, 0));
    body.state.X_GB.p = spc_rotate(incline(), spc_vec3_make(0, 0, (spc_real)radius));
    roll.shape.radius = (spc_real)radius;
    roll.shape.axis_B = spc_vec3_make(0, 0, 1);
    roll.shape.X_FP.q = incline();
    if (spc_body_add(world, &body, &roll.disc) || spc_rolling_disc_add(world, &roll, &contact))
        exit(1);
    *disc = roll.disc;
    return world;
}

/* n balls on an incline; each on its own. */
static spc_world *make_world(int n, spc_body *first)
{
    spc_world *world = empty_world(n);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_constraint contact;
    int i;
    body.mass = spc_mass_solid_sphere(1, (spc_real)radius);
    roll.shape.radius = (spc_real)radius;
    roll.shape.X_FP.q = incline();
    for (i = 0; i < n; i++) {
        const spc_vec3 normal = spc_rotate(roll.shape.X_FP.q, spc_vec3_make(0, 0, 1));
        body.state.X_GB.p =
            spc_add(spc_scale((spc_real)radius, normal), spc_vec3_make(0, (spc_real)i, 0));
        if (spc_body_add(world, &body, &roll.ball) ||
            spc_sphere_on_plane_add(world, &roll, &contact))
            exit(1);
        if (i == 0)
            *first = roll.ball;
    }
    return world;
}

static loop_ball *make_loop(int n, loop_plane *plane)
{
    loop_ball *balls = (loop_ball *)calloc((size_t)n, sizeof *balls);
    const double g = 9.81 * 5 / 7 * sin(angle);
    int i;
    plane->n[0] = (spc_real)sin(angle);
    plane->n[1] = 0;
    plane->n[2] = (spc_real)cos(angle);
    plane->push[0] = (spc_real)(g * cos(angle));
    plane->push[1] = 0;
    plane->push[2] = (spc_real)(-g * sin(angle));
    plane->radius = (spc_real)radius;
    for (i = 0; i < n; i++) {
        balls[i].q[0] = 1;
        balls[i].p[0] = (spc_real)(radius * sin(angle));
        balls[i].p[2] = (spc_real)(radius * cos(angle));
    }
    return balls;
}

/* Error of the position after t seconds against s = a t^2 / 2, less the a h t / 2 that a rule of
   first order leaves; a = part g sin(angle). */
static double error_of(spc_vec3 p, double part, double steps)
{
    const double a = 9.81 * part * sin(angle), h = (double)STEP;
    const double s = a * h * h * steps * (steps - 1) / 2;
    const double x = radius * sin(angle) + s * cos(angle), z = radius * cos(angle) - s * sin(angle);
    return hypot((double)p.x - x, (double)p.z - z) / (1 + s);
}

static void scene(const char *name, int n, double seconds)
{
    const int steps = 1 + (int)(seconds * 2e6 / n / RUNS);
    double ours[RUNS], loop[RUNS], t, us, them;
    spc_body first;
    spc_state state;
    spc_world *world = make_world(n, &first);
    loop_plane plane;
    loop_ball *balls = make_loop(n, &plane);
    int run, i, k;
    for (run = 0; run < RUNS; run++) {
        t = now();
        for (i = 0; i < steps; i++)
            if (spc_step(world, STEP))
                exit(1);
        ours[run] = (now() - t) / steps / n * 1e9;
        t = now();
        for (i = 0; i < steps; i++)
            for (k = 0; k < n; k++)
                loop_step(&balls[k], &plane, STEP);
        loop[run] = (now() - t) / steps / n * 1e9;
    }
    spc_body_get_state(world, first, &state);
    us = median(ours);
    them = median(loop);
    printf("%-12s %7d %9.1f ns  loop %7.1f ns  ratio %5.2f  error %.1e\n", name, n, us, them,
           us / them, error_of(state.X_GB.p, 5.0 / 7, (double)steps * RUNS));
    if (balls[0].p[0] > 1e30)
        printf("\n");
    free(balls);
    free(world);
}

static double time_steps(spc_world *world, int steps)
{
    const double t = now();
    int i;
    for (i = 0; i < steps; i++)
        if (spc_step(world, STEP))
            exit(1);
    return (now() - t) / steps * 1e9;
}

static void disc_scene(double seconds)
{
    const int steps = 1 + (int)(seconds * 2e6 / RUNS);
    double discs[RUNS], balls[RUNS];
    spc_body disc, ball;
    spc_world *rolling_disc = make_disc(&disc), *rolling_ball = make_world(1, &ball);
    spc_state state;
    int run;
    for (run = 0; run < RUNS; run++) {
        discs[run] = time_steps(rolling_disc, steps);
        balls[run] = time_steps(rolling_ball, steps);
    }
    spc_body_get_state(rolling_disc, disc, &state);
    printf("%-12s %7d %9.1f ns  ball %7.1f ns  ratio %5.2f  error %.1e\n", "disc_1", 1,
           median(discs), median(balls), median(discs) / median(balls),
           error_of(state.X_GB.p, 2.0 / 3, (double)steps * RUNS));
    free(rolling_disc);
    free(rolling_ball);
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? atof(argv[1]) : 1;
#ifdef __VERSION__
    printf("compiler %s, %u-byte reals\n", __VERSION__, (unsigned)sizeof(spc_real));
#endif
    scene("ball_1", 1, seconds);
    scene("balls_10", 10, seconds);
    scene("balls_100", 100, seconds);
    scene("balls_1000", 1000, seconds);
    scene("balls_10000", 10000, seconds);
    disc_scene(seconds);
    return 0;
}
