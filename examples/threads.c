/* threads.c - a step that several threads share, with the same bits as one alone

   A curtain of 300 chains of rods: bodies that hang together are an island, and islands do not know
   of each other. spc_step_begin, one spc_step_share for each share, in any thread and order, and
   spc_step_end are spc_step. Here OpenMP hands the shares out; without it one thread does them all.

   build: cc -O2 examples/threads.c -lm -o threads      (with threads: -fopenmp)
   last line: threads: ok, the bits of spc_step
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { CHAINS = 300, RODS = 5, STEPS = 100, SHARES = 32 };

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

static double seconds(void)
{
#ifdef _OPENMP
    return omp_get_wtime();
#else
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}

/* Rods of 0.1 m that hang from ground, at an angle to begin with. */
static spc_world *make_curtain(void)
{
    spc_world_desc desc = spc_world_desc_default(CHAINS * RODS, CHAINS * RODS);
    spc_body_desc rod = spc_body_desc_default();
    spc_constraint c;
    spc_world *world;
    desc.gravity = spc_vec3_make(0, 0, -9.81);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    rod.mass = spc_mass_box(0.1, spc_vec3_make(0.1, 0.01, 0.01));
    for (int k = 0; k < CHAINS; k++) {
        spc_attachment_desc joint = spc_attachment_desc_default();
        joint.shape.X_AF.p.y = 0.02 * k;
        joint.shape.X_BM.p.x = -0.05;
        for (int i = 0; i < RODS; i++) {
            rod.state.X_GB.p = spc_vec3_make(0.05 + 0.1 * i, 0.02 * k, 0);
            check(spc_body_add(world, &rod, &joint.b));
            check(spc_attachment_add(world, &joint, &c));
            joint.a = joint.b;
            joint.shape.X_AF.p = spc_vec3_make(0.05, 0, 0);
        }
    }
    return world;
}

static spc_status step_shared(spc_world *world, double h)
{
    const spc_status status = spc_step_begin(world, h, SHARES);
    if (status)
        return status;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
    for (int i = 0; i < SHARES; i++)
        (void)spc_step_share(world, i); /* spc_step_end tells what it could not do */
    return spc_step_end(world);
}

int main(void)
{
    spc_world *alone = make_curtain(), *shared = make_curtain();
    double begin = seconds(), middle;
    int ok;
    for (int i = 0; i < STEPS; i++)
        check(spc_step(alone, 1.0 / 240));
    middle = seconds();
    for (int i = 0; i < STEPS; i++)
        check(step_shared(shared, 1.0 / 240));
    ok = spc_world_hash(alone) == spc_world_hash(shared);
    printf("%d rods: %.2f ms for a step alone, %.2f ms shared\n", CHAINS * RODS,
           1000 * (middle - begin) / STEPS, 1000 * (seconds() - middle) / STEPS);
    printf("threads: %s, the bits of spc_step\n", ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
