/* car_lock.c - a car brakes so hard that its wheels slip, lock, and slide to a stop

   Four rolling discs on hinges, with friction in their one-sided contacts. Brakes turn the wheels
   back and the chassis on. If they are stronger than the ground all wheels slip, and soon lock: the
   hinges become welds. How four legs share the load is not determined, but what presses slides: the
   car stops after v^2 / (2 mu g), heavy or light. With weak brakes the wheels roll: 4 T / r slows
   the mass and the wheels' inertia, 4 J / r^2.

   build: cc -O2 examples/car_lock.c -lm -o car_lock
   last line: car_lock: ok, to 9.7e-06 m locked, 5.1e-14 m rolling
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RADIUS 0.3    /* of the wheels [m] */
#define SPEED 10.0    /* [m/s] */
#define BASE 1.2      /* from the chassis' middle to the axles [m] */
#define TRACK 0.7     /* and to the wheels [m] */
#define MU_G 5.886    /* 0.6 x 9.81, of friction [m/s^2] */
#define H (1.0 / 240) /* [s] */

static spc_world *world;
static spc_body chassis, wheels[4]; /* the chassis' origin: between the wheels' centres */
static spc_constraint hinges[4];
static const spc_vec3 left = { 0, 1, 0 };

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

static void make_car(void)
{
    spc_world_desc desc = spc_world_desc_default(5, 8);
    spc_body_desc body = spc_body_desc_default();
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    spc_constraint contact;
    int i;
    desc.gravity = spc_vec3_make(0, 0, -9.81);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    body.state.X_GB.p = spc_vec3_make(0, 0, RADIUS);
    body.state.V_GB.linear = spc_vec3_make(SPEED, 0, 0);
    body.mass = spc_mass_box(800, spc_vec3_make(BASE, TRACK, 0.3));
    body.mass.p_BBc = spc_vec3_make(0, 0, 0.2);
    check(spc_body_add(world, &body, &chassis));
    body.mass = spc_mass_disc(20, RADIUS); /* its axis is the body's z, turned to the left */
    check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), left, &body.state.X_GB.q));
    body.state.V_GB.angular = spc_scale(SPEED / RADIUS, left);
    roll.shape.axis_B = spc_vec3_make(0, 0, 1);
    roll.shape.radius = RADIUS;
    roll.one_sided = true;
    roll.law.grip = false;
    roll.law.friction = 0.6;
    hinge.a = chassis;
    hinge.keep_pose = true;
    hinge.shape.locked = SPC_HINGE;
    hinge.shape.X_AF.q = body.state.X_GB.q;
    for (i = 0; i < 4; i++) {
        hinge.shape.X_AF.p = spc_vec3_make(i < 2 ? BASE : -BASE, i % 2 ? -TRACK : TRACK, 0);
        body.state.X_GB.p = spc_add(hinge.shape.X_AF.p, spc_vec3_make(0, 0, RADIUS));
        check(spc_body_add(world, &body, &wheels[i]));
        hinge.b = roll.disc = wheels[i];
        check(spc_attachment_add(world, &hinge, &hinges[i]));
        check(spc_rolling_disc_add(world, &roll, &contact));
    }
}

/* One wheel brakes; the hinge of one that would turn backwards becomes a weld where it is. */
static void brake(int i, double torque)
{
    spc_attachment shape;
    spc_state car, wheel;
    check(spc_attachment_get(world, hinges[i], &shape));
    if (shape.locked == SPC_WELD)
        return;
    check(spc_body_get_state(world, chassis, &car));
    check(spc_body_get_state(world, wheels[i], &wheel));
    if (wheel.V_GB.angular.y <= 1e-9) { /* rounding of a wheel that stands */
        check(spc_attachment_at(&car.X_GB, &wheel.X_GB, wheel.X_GB.p, left, SPC_WELD, &shape));
        check(spc_attachment_set(world, hinges[i], &shape));
        return;
    }
    check(spc_body_add_torque(world, chassis, spc_vec3_make(0, torque, 0), SPC_ONE_STEP));
    check(spc_body_add_torque(world, wheels[i], spc_vec3_make(0, -torque, 0), SPC_ONE_STEP));
}

/* Brakes to a stop; returns the largest difference of the place from theory [m]. */
static double stop(double torque, double slows)
{
    spc_state car;
    double worst = 0;
    int i, k;
    make_car();
    for (i = 1; i <= 720; i++) {
        const double t = fmin(i * H, SPEED / slows), x = (SPEED - slows * t / 2) * t;
        for (k = 0; k < 4; k++)
            brake(k, torque);
        check(spc_step(world, H));
        check(spc_body_get_state(world, chassis, &car));
        worst = fmax(worst, spc_norm(spc_sub(car.X_GB.p, spc_vec3_make(x, 0, RADIUS))));
    }
    printf("stops after %.6f m\n", car.X_GB.p.x);
    free(world);
    return worst;
}

int main(void)
{
    const double slows = 4 * 300 / RADIUS / (800 + 4 * 20 + 2 * 20); /* J = 1/2 m r^2 */
    const double locked = stop(1500, MU_G), rolled = stop(300, slows);
    /* Velocities are exact; the time of the stop is known to h, which makes a h^2 / 2 of place. */
    const int ok = locked < MU_G * H * H && rolled < slows * H * H;
    printf("car_lock: %s, to %.1e m locked, %.1e m rolling\n", ok ? "ok" : "WRONG", locked, rolled);
    return ok ? 0 : 1;
}
