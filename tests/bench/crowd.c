/* crowd.c - what a step of 1,000 balls takes, each alone on its floor: by the clock, the least of
   several runs. The last part of `make bench-contact`. */
#define SPHERECONTACT_IMPLEMENTATION
#include "../../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define G 9.81
#define RADIUS 0.1
#define BALLS 1000
#define STEPS 50

static void must(spc_status status)
{
    if (!status)
        return;
    fprintf(stderr, "%s\n", spc_status_text(status));
    exit(1);
}

/* What 1,000 balls do: a row of its own for each, or one after the other. */
enum { HOLDS, ROLLS, SLIDES, BOUNCES, OPEN, MIXED, DEEDS };

static spc_world *make_crowd(int deed)
{
    spc_world_desc desc = spc_world_desc_default(BALLS, BALLS);
    spc_world *world;
    int i;
    desc.gravity.z = SPC_R(-G);
    must(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    for (i = 0; i < BALLS; i++) {
        spc_body_desc ball = spc_body_desc_default();
        spc_sphere_on_plane_desc on = spc_sphere_on_plane_desc_default();
        const int does = deed == MIXED ? ROLLS + i % 4 : deed;
        spc_vec3 *p = &ball.state.X_GB.p;
        spc_constraint contact;
        *p = spc_vec3_make((spc_real)(i % 32), (spc_real)(i / 32), RADIUS);
        if (does == BOUNCES)
            p->z += SPC_R(0.02) + SPC_R(1e-4) * (spc_real)i;
        if (does == OPEN)
            p->z += 50;
        ball.mass = spc_mass_solid_sphere(1, RADIUS);
        ball.state.V_GB.linear.x = does == SLIDES ? 30 : 1;
        ball.state.V_GB.angular.y = does == HOLDS || does == ROLLS ? SPC_R(1 / RADIUS) : 0;
        must(spc_body_add(world, &ball, &on.ball));
        on.shape.radius = RADIUS;
        on.one_sided = does != HOLDS;
        on.law.grip = false;
        on.law.friction = does == SLIDES ? SPC_R(0.01) : SPC_R(0.3);
        on.law.restitution = does == BOUNCES ? 1 : 0;
        must(spc_sphere_on_plane_add(world, &on, &contact));
    }
    return world;
}

/* Nanoseconds a ball and step. */
static double time_crowd(int deed)
{
    spc_world *world = make_crowd(deed);
    double least = 1e9;
    int run_of, i;
    for (run_of = 0; run_of < 10; run_of++) {
        const clock_t start = clock();
        for (i = 0; i < STEPS; i++)
            must(spc_step(world, SPC_R(1.0 / 240)));
        least = fmin(least, (double)(clock() - start) / CLOCKS_PER_SEC * 1e9 / STEPS / BALLS);
    }
    free(world);
    return least;
}

int main(void)
{
    static const char *const names[DEEDS] = { "two-sided, roll", "roll",
                                              "slide",           "bounce",
                                              "are above it",    "one of each of the four" };
    int i;
    printf("%-50s %10s\n", "1,000 balls that", "ns a ball");
    for (i = 0; i < DEEDS; i++)
        printf("%-50s %10.0f\n", names[i], time_crowd(i));
    return 0;
}
