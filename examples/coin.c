/* coin.c - a coin rolls in a circle and comes back; tipped, it wobbles and keeps its energy

   A coin of mass m and radius r rolls, theta between its axis w1 and the vertical. It spins along
   w1 with w3 while everything turns about the vertical with psi'. With its moments of inertia C
   about w1 and A across, v_S = r w3 w2 (rolling) and the moments about its centre S leave one
   condition for a steady circle:

       (C + m r^2) w3 psi' sin(theta) - A psi'^2 sin(theta) cos(theta) + m g r cos(theta) = 0

   S circles with the radius r |w3 / psi'|, the contact point with r |w3 / psi' - cos(theta)|; the
   ground pushes with (m psi' r w3, 0, m g) along lateral, longitudinal, normal. (McDonald &
   McDonald, "The rolling motion of a disk on a horizontal plane", arXiv:physics/0008227)

   build: cc -O2 examples/coin.c -lm -o coin
   last line: coin: ok, returns to 2.4e-12 m
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define MASS 0.005   /* [kg] */
#define RADIUS 0.012 /* [m] */
#define GRAVITY 9.81 /* [m/s^2] */
#define THETA 1.3    /* of the steady circle [rad]: 15.5 deg from upright */
#define TURN 4.0     /* psi' [rad/s] */
#define STEPS 8000   /* in one circle */

/* Relative, of everything. Runge-Kutta turns the coin, |w| = 38 rad/s, by x = |w| h = 0.0074 in a
   step with the error x^5 / 120: 1.5e-12 rad in the circle. So much tilt changes the turn psi', by
   the condition above, by 1 / (sin cos) = 3.9 times that, of 2 pi: 3.7e-11 rad along the circle. */
#define TOLERANCE 4e-11

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

/* A coin that rolls with TURN and w3 at the angle theta; the circle's centre is the origin. */
static spc_world *make_world(double theta, double w3, spc_constraint *contact)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    const spc_vec3 w1 = spc_vec3_make(sin(theta), 0, cos(theta));
    spc_world *world;
    desc.gravity = spc_vec3_make(0, 0, -GRAVITY);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    body.mass = spc_mass_disc(MASS, RADIUS); /* its axis is the body's z, turned to w1: */
    body.state.X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(0, theta, 0));
    body.state.X_GB.p = spc_vec3_make(-RADIUS * w3 / TURN, 0, RADIUS * sin(theta));
    body.state.V_GB.angular = spc_scale(w3 - TURN * cos(theta), w1); /* less the turn's part */
    body.state.V_GB.angular.z += TURN;
    body.state.V_GB.linear = spc_vec3_make(0, -RADIUS * w3, 0);
    check(spc_body_add(world, &body, &roll.disc)); /* the floor stays the ground */
    roll.shape.axis_B = spc_vec3_make(0, 0, 1);
    roll.shape.radius = RADIUS;
    check(spc_rolling_disc_add(world, &roll, contact));
    return world;
}

typedef struct results {
    double steady, energy; /* largest relative errors, of trail and force and of energy */
    double wobble, back;   /* how far theta and, in the end, C go from where they were [rad, m] */
} results;

/* From the angle theta, for as long as one steady circle takes. */
static results run(double theta, double w3)
{
    const double h = 2 * PI / TURN / STEPS, weight = MASS * GRAVITY;
    const double circle = RADIUS * fabs(w3 / TURN - cos(THETA)); /* of the contact point */
    const spc_vec3 force = spc_vec3_make(MASS * TURN * RADIUS * w3, 0, weight);
    results r = { 0, 0, 0, 0 };
    spc_constraint contact;
    spc_world *world = make_world(theta, w3, &contact);
    spc_energy_momentum e;
    spc_disc_contact start, c;
    spc_contact_force f;
    double distance, tilt, energy;
    int i;
    check(spc_world_get_energy_momentum(world, &e));
    energy = e.kinetic + e.potential;
    check(spc_rolling_disc_get_contact(world, contact, &start));
    check(spc_world_forward_dynamics(world)); /* for the force before the first step */
    for (i = 0; i <= STEPS; i++) {
        check(spc_rolling_disc_get_contact(world, contact, &c));
        check(spc_constraint_get_forces(world, contact, &f));
        check(spc_world_get_energy_momentum(world, &e));
        distance = hypot(c.p_GC.x, c.p_GC.y);
        tilt = acos(c.R_GD1.x.z);
        r.steady = fmax(r.steady, fabs(distance / circle - 1));
        r.steady = fmax(r.steady, fabs(spc_norm(c.trail_velocity) / (TURN * circle) - 1));
        r.steady = fmax(r.steady, spc_norm(spc_sub(f.force_P, force)) / weight);
        r.energy = fmax(r.energy, fabs((e.kinetic + e.potential) / energy - 1));
        r.wobble = fmax(r.wobble, fabs(tilt - theta));
        if (i % (STEPS / 8) == 0)
            printf("%.4f s: C at %9.6f, %9.6f m, theta %.6f\n", i * h, c.p_GC.x, c.p_GC.y, tilt);
        check(spc_step_rk4(world, h, SPC_DRIFT_PROJECT));
    }
    free(world);
    r.back = spc_norm(spc_sub(c.p_GC, start.p_GC));
    return r;
}

int main(void)
{
    const spc_mass mass = spc_mass_disc(MASS, RADIUS);
    const double A = mass.inertia.xx, C = mass.inertia.zz, s = sin(THETA), c = cos(THETA);
    const double w3 = (A * TURN * TURN * s - MASS * GRAVITY * RADIUS) * c /
                      ((C + MASS * RADIUS * RADIUS) * TURN * s);
    const results steady = run(THETA, w3), tipped = run(THETA - 0.05, w3);
    bool ok = fmax(steady.steady, fmax(steady.energy, steady.wobble)) < TOLERANCE;
    ok = ok && steady.back < TOLERANCE * RADIUS * fabs(w3 / TURN - c);
    ok = ok && tipped.energy < TOLERANCE && tipped.wobble > 0.02;
    printf("coin: %s, returns to %.1e m\n", ok ? "ok" : "WRONG", steady.back);
    return ok ? 0 : 1;
}
