/* pendulum_chain.c - links on ball joints: forces in closed form, time in proportion to length

   n thin rods of mass m and length l, each hung on the one before, are let go from the horizontal.
   Joint k = 1 ... n then pushes up with R_k. Newton and Euler for rods k and k + 1 give their ends'
   acceleration where they meet, a + l/2 b of one and a - l/2 b of the other. They agree if

       R_k + 4 R_k+1 + R_k+2 = 0,    4 R_1 + 2 R_2 = m g,    R_n+1 = 0
       R_1 = m g / (4 - 2 s_n),    R_k+1 = -s_n+1-k R_k,    s_1 = 0,    s_j+1 = 1 / (4 - s_j)

   and the free end falls with g + 2 R_n / m, 3/2 g for one rod.

   build: cc -O2 examples/pendulum_chain.c -lm -o pendulum_chain
   last line: pendulum_chain: ok, forces to 1.1e-16
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define GRAVITY 9.81 /* [m/s^2] */
#define MASS 0.1     /* of a link [kg] */
#define LENGTH 0.1   /* [m] */
#define MOST 1000    /* links */
#define FORCE 2.2e-13 /* relative: a sum of MOST weights, 2 roundings of 1.1e-16 each */

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

typedef struct chain {
    spc_world *world;
    spc_body last;
    spc_constraint joint[MOST];
} chain;

/* n links in a straight line from the origin along a unit vector, at rest. */
static void make_chain(int n, spc_vec3 along, chain *c)
{
    spc_world_desc desc = spc_world_desc_default(n, n);
    spc_body_desc body = spc_body_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default();
    int i;
    desc.gravity = spc_vec3_make(0, 0, -GRAVITY);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &c->world));
    body.mass.mass = MASS; /* a thin rod along z, its origin in the middle */
    body.mass.inertia.xx = body.mass.inertia.yy = MASS * LENGTH * LENGTH / 12;
    body.mass.inertia.zz = body.mass.inertia.xx / 100;
    check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), along, &body.state.X_GB.q));
    joint.shape.X_BM.p = spc_vec3_make(0, 0, -LENGTH / 2);
    for (i = 0; i < n; i++) {
        body.state.X_GB.p = spc_scale((i + 0.5) * LENGTH, along);
        check(spc_body_add(c->world, &body, &joint.b));
        check(spc_attachment_add(c->world, &joint, &c->joint[i])); /* the first one to ground */
        joint.a = joint.b;
        joint.shape.X_AF.p = spc_vec3_make(0, 0, LENGTH / 2);
    }
    c->last = joint.b;
}

/* Force of joint k = 1 ... n upwards, over the weight of a link. */
static double lift(const chain *c, int k)
{
    spc_contact_force f;
    check(spc_constraint_get_forces(c->world, c->joint[k - 1], &f));
    return f.force_G.z / (MASS * GRAVITY);
}

/* Let go from the horizontal: largest error of forces, over a link's weight, and of the free end's
   acceleration, over g. */
static double let_go(int n, chain *c)
{
    double s[MOST + 1] = { 0 }, R = 0, error = 0;
    spc_spatial a;
    int k;
    make_chain(n, spc_vec3_make(1, 0, 0), c);
    check(spc_world_forward_dynamics(c->world));
    for (k = 1; k < n; k++)
        s[k + 1] = 1 / (4 - s[k]);
    for (k = 1; k <= n; k++) {
        R = k == 1 ? 1 / (4 - 2 * s[n]) : -s[n + 2 - k] * R;
        error = fmax(error, fabs(lift(c, k) - R));
    }
    check(spc_body_get_acceleration(c->world, c->last, &a));
    error = fmax(error, fabs((a.linear.z - a.angular.y * LENGTH / 2) / GRAVITY + 1 + 2 * R));
    free(c->world);
    return error;
}

/* Time of a step for each link [us]. */
static double measure(int n, chain *c)
{
    const int steps = 10000 / n;
    clock_t start;
    int i;
    make_chain(n, spc_vec3_make(1, 0, 0), c);
    start = clock();
    for (i = 0; i < steps; i++)
        check(spc_step_rk4(c->world, 1e-4, SPC_DRIFT_PROJECT));
    start = clock() - start;
    free(c->world);
    return 1e6 * (double)start / CLOCKS_PER_SEC / steps / n;
}

int main(void)
{
    static chain c;
    double most = 0;
    int n;
    for (n = 1; n <= MOST; n *= 10) {
        const double error = let_go(n, &c);
        printf("%4d links: forces to %.1e; %.1f us a link and step\n", n, error, measure(n, &c));
        most = fmax(most, error);
    }
    printf("pendulum_chain: %s, forces to %.1e\n", most < FORCE ? "ok" : "WRONG", most);
    return most < FORCE ? 0 : 1;
}
