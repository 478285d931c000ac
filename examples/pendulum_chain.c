/* pendulum_chain.c - links on ball joints: forces in closed form, energy kept, time linear

   n thin rods of mass m and length l, each hung on the one before, are let go from the horizontal.
   Joint k = 1 ... n then pushes up with R_k. Newton and Euler for rods k and k + 1 give their ends'
   acceleration where they meet, a + l/2 b of one and a - l/2 b of the other. They agree if

       R_k + 4 R_k+1 + R_k+2 = 0,    4 R_1 + 2 R_2 = m g,    R_n+1 = 0
       R_1 = m g / (4 - 2 s_n),    R_k+1 = -s_n+1-k R_k,    s_1 = 0,    s_j+1 = 1 / (4 - s_j)

   and the free end falls with g + 2 R_n / m, 3/2 g for one rod. (In long chains s_j = 2 - sqrt(3)
   and R_1 = m g / (2 sqrt(3)).) In a chain that hangs at rest a joint carries the weight below it.

   build: cc -O2 examples/pendulum_chain.c -lm -o pendulum_chain
   last line: pendulum_chain: ok, energy to 2.2e-08, forces to 2.9e-14
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
/* Runge-Kutta takes (w h)^6 / 72 of a mode's energy in a step. The fastest mode of 10 links that
   hang has w = 84 rad/s, and would lose (w h)^5 w / 72 of its energy in a second. The energy is in
   slower ones, too; but half of h must divide the error by 2^4 at least, the method's order. */
#define ENERGY 5e-5 /* relative, in 10 s */
#define ORDER 16

static void check(spc_status status)
{
    if (status == SPC_OK)
        return;
    fprintf(stderr, "pendulum_chain: %s\n", spc_status_text(status));
    exit(1);
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

/* Largest error of the joints' forces at rest, each relative to the weight below. */
static double rest(int n, chain *c)
{
    double error = 0;
    int k;
    make_chain(n, spc_vec3_make(0, 0, -1), c);
    check(spc_world_forward_dynamics(c->world));
    for (k = 1; k <= n; k++)
        error = fmax(error, fabs(lift(c, k) / (n + 1 - k) - 1));
    free(c->world);
    return error;
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

/* Largest relative change of the energy of 10 links in 10 s, let go 30 deg below the horizontal. */
static double swing(int steps_per_second, chain *c)
{
    spc_energy_momentum e0, e;
    double change = 0, most = 0;
    int i;
    make_chain(10, spc_vec3_make(sqrt(0.75), 0, -0.5), c);
    check(spc_world_get_energy_momentum(c->world, &e0));
    for (i = 0; i < 10 * steps_per_second; i++) {
        check(spc_step_rk4(c->world, 1.0 / steps_per_second, SPC_DRIFT_PROJECT));
        check(spc_world_get_energy_momentum(c->world, &e));
        change = fmax(change, fabs(e.kinetic + e.potential - e0.potential));
        most = fmax(most, e.kinetic);
    }
    free(c->world);
    return change / most;
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
    const double coarse = swing(500, &c), fine = swing(1000, &c);
    double force = 0;
    int n, ok;
    for (n = 1; n <= MOST; n *= 10) {
        const double hanging = rest(n, &c), falling = let_go(n, &c);
        printf("%4d links: forces at rest to %.1e, let go to %.1e; %.1f us a link and step\n", n,
               hanging, falling, measure(n, &c));
        force = fmax(force, fmax(hanging, falling));
    }
    printf("energy: to %.1e with steps of 2 ms, to %.1e with 1 ms\n", coarse, fine);
    ok = force < FORCE && fine < ENERGY && fine * ORDER < coarse;
    printf("pendulum_chain: %s, energy to %.1e, ", ok ? "ok" : "WRONG", fine);
    printf("forces to %.1e\n", force);
    return ok ? 0 : 1;
}
