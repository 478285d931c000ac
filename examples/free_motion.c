/* free_motion.c - the step in its parts, for an engine with a solver of its own, against spc_step

   An engine that has other bodies, contacts or a finite-element mesh in the same equations does not
   want the world's solver but its parts: bodies move as if free to the middle of the step,
   violations say what velocities and poses then lack, the compliance W = h G M^-1 G^T what
   multipliers do to both, and those of

       W lambda = violation,    W mu = position violation

   correct the velocities and displace the poses, before bodies move freely to the end. The engine's
   own terms go into W and the violations, or its own method into the solve: friction cones,
   Gauss-Seidel. Here nothing is added: a chain must swing as its twin does by spc_step.

   build: cc -O2 examples/free_motion.c -lm -o free_motion
   last line: free_motion: ok, as spc_step to 1.0e-12
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LINKS 4
#define LENGTH 0.25 /* of a link [m] */
#define STEP 2e-3   /* [s] */
#define STEPS 1000
#define ROWS (3 * LINKS) /* of the joints */
/* [m, m/s]: violations are below 0.31 m/s. The condition of W, below 100, makes 5e-15 m/s of the
   rounding in them, 5e-17; all one way, that is 5e-12 m/s in 1000 steps, and in 2 s as many m. */
#define TOLERANCE 5e-12

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

/* A chain from the ground's origin along x, pushed sideways. */
static spc_world *make_world(spc_body *links)
{
    spc_world_desc desc = spc_world_desc_default(LINKS, LINKS);
    spc_body_desc link = spc_body_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default(); /* a ball joint */
    spc_constraint constraint;
    spc_world *world;
    int i;
    desc.gravity = spc_vec3_make(0, 0, -9.81);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    link.mass = spc_mass_box(0.3, spc_vec3_make(LENGTH / 2, 0.02, 0.01));
    link.state.V_GB.linear = spc_vec3_make(0, 0.5, 0); /* sideways */
    joint.shape.X_BM.p = spc_vec3_make(-LENGTH / 2, 0, 0);
    for (i = 0; i < LINKS; i++) {
        link.state.X_GB.p = spc_vec3_make((i + 0.5) * LENGTH, 0, 0);
        check(spc_body_add(world, &link, &links[i]));
        joint.b = links[i];
        check(spc_attachment_add(world, &joint, &constraint));
        joint.a = links[i];
        joint.shape.X_AF.p = spc_vec3_make(LENGTH / 2, 0, 0);
    }
    check(spc_world_project_velocities(world)); /* the links turn about their joints */
    return world;
}

/* Solves W x = x, W y = y in their places; W is positive definite and needs no pivots. */
static void solve(double W[ROWS][ROWS], double *x, double *y)
{
    int i, j, k;
    for (k = 0; k < ROWS; k++)
        for (i = 0; i < ROWS; i++) {
            const double f = i == k ? 0 : W[i][k] / W[k][k];
            for (j = k; j < ROWS; j++)
                W[i][j] -= f * W[k][j];
            x[i] -= f * x[k];
            y[i] -= f * y[k];
        }
    for (k = 0; k < ROWS; k++) {
        x[k] /= W[k][k];
        y[k] /= W[k][k];
    }
}

/* The same as spc_step. */
static void step(spc_world *world)
{
    double target[ROWS], place[ROWS], lambda[ROWS], mu[ROWS], W[ROWS][ROWS];
    check(spc_world_free_motion(world, STEP, target, place, ROWS));
    check(spc_world_get_violation(world, STEP, target, lambda, ROWS));
    check(spc_world_get_position_violation(world, place, mu, ROWS));
    check(spc_world_get_compliance(world, STEP, NULL, 0, &W[0][0], ROWS));
    solve(W, lambda, mu);
    check(spc_world_correct(world, STEP, lambda, ROWS));
    check(spc_world_displace(world, STEP, mu, ROWS));
    check(spc_world_end_motion(world, STEP));
}

int main(void)
{
    spc_body links[LINKS], others[LINKS];
    spc_world *world = make_world(links), *twin = make_world(others);
    double error = 0;
    spc_state s, t;
    int i, k;
    for (i = 1; i <= STEPS; i++) {
        step(world);
        check(spc_step(twin, STEP));
        for (k = 0; k < LINKS; k++) {
            check(spc_body_get_state(world, links[k], &s));
            check(spc_body_get_state(twin, others[k], &t));
            error = fmax(error, spc_norm(spc_sub(s.X_GB.p, t.X_GB.p)));
            error = fmax(error, spc_norm(spc_sub(s.V_GB.linear, t.V_GB.linear)));
        }
        if (i % (STEPS / 10) == 0)
            printf("%.1f s: x %9.6f, z %9.6f m, by %.1e\n", i * STEP, s.X_GB.p.x, s.X_GB.p.z,
                   error);
    }
    free(world);
    free(twin);
    printf("free_motion: %s, as spc_step to %.1e\n", error < TOLERANCE ? "ok" : "WRONG", error);
    return error < TOLERANCE ? 0 : 1;
}
