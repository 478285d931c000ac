/* free_motion.c - the step in its parts, for an engine with a solver of its own, against spc_step

   An engine that has other bodies, contacts or a finite-element mesh in the same equations does not
   want the world's solver but its parts: bodies move as if free to the middle of the step, the
   violations say what their velocities and their poses then lack, the compliance
   W = h G M^-1 G^T what multipliers do to both, and those of

       W lambda = violation,    W mu = position violation

   correct the velocities and displace the poses, before bodies move freely to the end. The engine's
   own terms go into W and the violations, or its own method into the solve: friction cones,
   Gauss-Seidel. Here Cholesky's factorization stands there, and nothing is added, so that the world
   must go as its twin does by spc_step. A ball rolls on the ground on a chain of four links that
   hangs down to it.

   build: cc -O2 examples/free_motion.c -lm -o free_motion
   last line: free_motion: ok, as spc_step to 1.3e-13 after 1000 steps
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINKS 4
#define LENGTH 0.25 /* of a link [m] */
#define RADIUS 0.1  /* of the ball [m] */
#define STEP 2e-3   /* [s] */
#define STEPS 1000
#define ROWS (3 * (LINKS + 2)) /* of the joints at the links' ends and of the contact */

/* [m, m/s]: violations are below 0.07 m/s. The condition of W, below 600, makes 5e-15 m/s of the
   rounding in them, 1.1e-16; all one way, that is 5e-12 m/s in 1000 steps, and in 2 s as many m.
   What poses lack is below 3e-6 m, and adds nothing to that. */
#define TOLERANCE 5e-12

static void check(spc_status status)
{
    if (status == SPC_OK)
        return;
    fprintf(stderr, "free_motion: %s\n", spc_status_text(status));
    exit(1);
}

/* Links from the ground's post down, then the ball. */
static spc_world *make_world(spc_body *bodies)
{
    const spc_vec3 along = spc_vec3_make(0.8, 0, -0.6);
    spc_world_desc desc = spc_world_desc_default(LINKS + 1, LINKS + 2);
    spc_body_desc link = spc_body_desc_default(), ball = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_vec3 end = spc_vec3_make(0, 0, RADIUS + 0.6 * LINKS * LENGTH);
    spc_constraint constraint;
    spc_world *world;
    int i;
    desc.gravity = spc_vec3_make(0, 0, -9.81);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    link.mass = spc_mass_cylinder(0.3, 0.01, LENGTH / 2);
    check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), along, &link.state.X_GB.q));
    joint.shape.X_AF.p = end; /* of ground */
    joint.shape.X_BM.p = spc_vec3_make(0, 0, -LENGTH / 2);
    for (i = 0; i < LINKS; i++) {
        link.state.X_GB.p = spc_add(end, spc_scale(LENGTH / 2, along));
        end = spc_add(end, spc_scale(LENGTH, along));
        check(spc_body_add(world, &link, &bodies[i]));
        joint.b = bodies[i];
        check(spc_attachment_add(world, &joint, &constraint));
        joint.a = bodies[i];
        joint.shape.X_AF.p = spc_vec3_make(0, 0, LENGTH / 2);
    }
    ball.mass = spc_mass_solid_sphere(1, RADIUS);
    ball.state.X_GB.p = end;
    ball.state.V_GB.linear = spc_vec3_make(0, 0.5, 0);
    check(spc_body_add(world, &ball, &bodies[LINKS]));
    roll.ball = joint.b = bodies[LINKS];
    roll.shape.radius = RADIUS;
    check(spc_sphere_on_plane_add(world, &roll, &constraint));
    joint.shape.X_BM.p = spc_vec3_make(0, 0, 0);
    check(spc_attachment_add(world, &joint, &constraint));
    check(spc_world_project_velocities(world)); /* the ball rolls, the links follow */
    return world;
}

/* A = L L^T in the place of A's lower triangle. */
static void factorize(double A[ROWS][ROWS])
{
    int i, j, k;
    for (j = 0; j < ROWS; j++)
        for (i = j; i < ROWS; i++) {
            for (k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= i == j ? sqrt(A[j][j]) : A[j][j];
        }
}

/* L L^T x = b: b becomes x. */
static void solve(double L[ROWS][ROWS], double *b)
{
    int j, k;
    for (j = 0; j < ROWS; b[j] /= L[j][j], j++)
        for (k = 0; k < j; k++)
            b[j] -= L[j][k] * b[k];
    for (j = ROWS - 1; j >= 0; b[j] /= L[j][j], j--)
        for (k = j + 1; k < ROWS; k++)
            b[j] -= L[k][j] * b[k];
}

/* The same as spc_step. */
static void step(spc_world *world)
{
    double target[ROWS], place[ROWS], lambda[ROWS], mu[ROWS], W[ROWS][ROWS];
    check(spc_world_free_motion(world, STEP, target, place, ROWS));
    check(spc_world_get_violation(world, STEP, target, lambda, ROWS));
    check(spc_world_get_position_violation(world, place, mu, ROWS));
    check(spc_world_get_compliance(world, STEP, NULL, 0, &W[0][0], ROWS));
    factorize(W);
    solve(W, lambda);
    solve(W, mu);
    check(spc_world_correct(world, STEP, lambda, ROWS));
    check(spc_world_displace(world, STEP, mu, ROWS));
    check(spc_world_end_motion(world, STEP));
}

int main(void)
{
    spc_body bodies[LINKS + 1];
    spc_world *world = make_world(bodies), *twin;
    const size_t bytes = spc_world_bytes(world);
    void *copy = malloc(bytes);
    double error = 0;
    spc_state s, t;
    int i, k, ok;

    if (!copy)
        return 1;
    memcpy(copy, world, bytes); /* a snapshot */
    check(spc_world_open(copy, bytes, &twin));
    printf("time [s]   ball at x, y [m]        apart by [m, m/s]\n");
    for (i = 1; i <= STEPS && error < TOLERANCE; i++) {
        step(world);
        check(spc_step(twin, STEP));
        for (k = 0; k <= LINKS; k++) {
            check(spc_body_get_state(world, bodies[k], &s));
            check(spc_body_get_state(twin, bodies[k], &t));
            error = fmax(error, spc_norm(spc_sub(s.X_GB.p, t.X_GB.p)));
            error = fmax(error, spc_norm(spc_sub(s.V_GB.linear, t.V_GB.linear)));
        }
        if (i % (STEPS / 10) == 0)
            printf("%8.3f %10.6f %10.6f %15.1e\n", spc_world_time(world), s.X_GB.p.x, s.X_GB.p.y,
                   error);
    }
    free(world);
    free(copy);
    ok = error < TOLERANCE;
    printf("free_motion: %s, as spc_step to %.1e after %d steps\n", ok ? "ok" : "WRONG", error,
           i - 1);
    return ok ? 0 : 1;
}
