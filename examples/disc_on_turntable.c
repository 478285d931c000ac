/* disc_on_turntable.c - a disc rolls on a spinning table: what it keeps is not its energy

   A motor turns a table at Omega about the vertical through the origin. Below the disc the table
   moves with Omega Pz x C, so the contact force F brings the power (not zero) and the moment

       F . (Omega Pz x C) = Omega Pz . (C x F)    and    Pz . (C x F)

   about the same vertical, where gravity has none. Hence d(E - Omega L_z)/dt = 0, with energy E and
   angular momentum L about the origin: Jacobi's integral, whatever the disc does (Bizyaev, Borisov,
   Mamaev, arXiv:1807.08438, for a ball).
   One motion is simple: an upright disc that spins with w3 about an axis that points away from the
   table's stays where it is, if that is at the distance r w3 / Omega: the table moves below it like
   a treadmill, and the disc draws a circle on it. Tipped, it leaves, and the motor brings energy.

   build: cc -O2 examples/disc_on_turntable.c -lm -o disc_on_turntable
   last line: disc_on_turntable: ok, keeps E - Omega L_z to 9.3e-13 J
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define OMEGA 2.0    /* of the table [rad/s] */
#define HEIGHT 0.7   /* of its top [m] */
#define MASS 0.2     /* of the disc [kg] */
#define RADIUS 0.1   /* of the disc [m] */
#define SPIN -16.0   /* w3 [rad/s] */
#define GRAVITY 9.81 /* [m/s^2] */
#define STEPS 8000   /* in one turn of the table */

/* A Runge-Kutta step of h takes x^6 / 72 of the energy of an oscillation that turns by x in it. The
   disc's wobble, sqrt(12/5) |w3|, ends at 97 rad/s, x = 0.038, with some 6e-4 J; as w3 grows, the
   8000 steps count as 1/7 of so many at the end: 3e-11 J. */
#define TOLERANCE 3e-11

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

/* The disc at the place of the treadmill, leaning by tip [rad]. */
static spc_world *make_world(double tip, spc_constraint *contact)
{
    spc_world_desc desc = spc_world_desc_default(2, 1);
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    const spc_vec3 w1 = spc_vec3_make(cos(tip), 0, sin(tip));
    spc_world *world;
    desc.gravity = spc_vec3_make(0, 0, -GRAVITY);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    body.kind = SPC_KINEMATIC;
    body.state.V_GB.angular = spc_vec3_make(0, 0, OMEGA);
    check(spc_body_add(world, &body, &roll.floor));
    body.kind = SPC_DYNAMIC;
    body.mass = spc_mass_disc(MASS, RADIUS); /* its axis is the body's z, turned to w1: */
    body.state.X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(0, PI / 2 - tip, 0));
    body.state.X_GB.p = spc_vec3_make(RADIUS * SPIN / OMEGA, 0, HEIGHT + RADIUS * cos(tip));
    body.state.V_GB.angular = spc_scale(SPIN, w1);
    check(spc_body_add(world, &body, &roll.disc));
    roll.shape.X_FP.p = spc_vec3_make(0, 0, HEIGHT);
    roll.shape.axis_B = spc_vec3_make(0, 0, 1);
    roll.shape.radius = RADIUS;
    check(spc_rolling_disc_add(world, &roll, contact));
    check(spc_world_project_velocities(world)); /* tipped, it did not roll exactly */
    return world;
}

typedef struct results {
    double energy; /* change of E [J] */
    double jacobi; /* largest change of E - Omega L_z [J] */
    double moved;  /* largest distance of C from where it began [m] */
    double trail;  /* largest error of the trail's velocity on the table [m/s] */
} results;

/* One turn of the table. */
static results run(double tip)
{
    const double h = 2 * PI / OMEGA / STEPS;
    results r = { 0, 0, 0, 0 };
    spc_constraint contact;
    spc_world *world = make_world(tip, &contact);
    spc_energy_momentum start, now;
    spc_disc_contact first, c;
    spc_vec3 table; /* velocity below C [m/s] */
    int i;
    check(spc_world_get_energy_momentum(world, &start));
    check(spc_rolling_disc_get_contact(world, contact, &first));
    printf("leaning by %.1f rad\n", tip);
    for (i = 0;; i++) {
        check(spc_rolling_disc_get_contact(world, contact, &c));
        check(spc_world_get_energy_momentum(world, &now));
        table = spc_vec3_make(-OMEGA * c.p_GC.y, OMEGA * c.p_GC.x, 0);
        r.energy = (now.kinetic + now.potential) - (start.kinetic + start.potential);
        r.jacobi = fmax(r.jacobi, fabs(r.energy - OMEGA * (now.angular.z - start.angular.z)));
        r.moved = fmax(r.moved, spc_norm(spc_sub(c.p_GC, first.p_GC)));
        r.trail = fmax(r.trail, spc_norm(spc_sub(spc_sub(c.v_GC, table), c.trail_velocity)));
        if (i % (STEPS / 8) == 0)
            printf("%9.6f s: C at %8.5f, %8.5f m, E %9.6f J more, Omega L_z %9.6f J\n", i * h,
                   c.p_GC.x, c.p_GC.y, r.energy, OMEGA * (now.angular.z - start.angular.z));
        if (i == STEPS)
            break;
        check(spc_step_rk4(world, h, SPC_DRIFT_PROJECT));
    }
    free(world);
    return r;
}

int main(void)
{
    const results treadmill = run(0), tipped = run(0.1);
    int ok = treadmill.moved < TOLERANCE && treadmill.trail < TOLERANCE;
    ok = ok && tipped.jacobi < TOLERANCE && tipped.trail < TOLERANCE && tipped.energy > 1;
    printf("tipped: the motor brought %.3f J\n", tipped.energy);
    printf("disc_on_turntable: %s, keeps E - Omega L_z to %.1e J\n", ok ? "ok" : "WRONG",
           tipped.jacobi);
    return ok ? 0 : 1;
}
