/* wagon.c - four wheels on one chassis go round in a circle, with redundant rows

   Each wheel is a rolling disc on a hinge: 30 coordinates under 4 (3 + 5) = 32 rows, and yet the
   wagon goes, for 3 rows are redundant. Four legs stand where three would do, and of two wheels on
   an axle one would keep it from sliding sideways. Multipliers of least norm share the load. To
   steer, the front hinges get axes that meet the line of the rear axle in one point (Ackermann), at
   R from its middle; all wheels roll about it. (Jazar, Vehicle Dynamics)

   build: cc -O2 examples/wagon.c -lm -o wagon
   last line: wagon: ok, circle of 5.5 m to 1.2e-08 m
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define RADIUS 0.3 /* of the wheels [m] */
#define SPEED 2.0  /* [m/s] */
#define R 5.5      /* of the circle [m] */
#define STEPS 2000 /* in it */
#define BASE 1.0   /* from the chassis' middle to the axles [m] */
#define TRACK 0.6  /* and to the wheels [m] */

/* [m] Runge-Kutta turns a wheel by x = v h / r = 0.06 in a step with the error x^5 / 120; the
   part psi' r / v of that tilts its axle: 2 pi x^4 / 120 = 7e-7 rad in the circle. Projection sets
   it right and turns the wagon as much as the wheels' part in the moment of inertia about the
   vertical, 4 x 0.18 of 90 kg m^2: 6e-9, of the diameter. */
#define CIRCLE (6e-9 * 2 * R)

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

static spc_body chassis; /* its origin: between the wheels' centres */
static spc_constraint hinges[4];

static spc_world *make_wagon(void)
{
    const spc_vec3 left = spc_vec3_make(0, 1, 0);
    spc_world_desc desc = spc_world_desc_default(5, 8);
    spc_body_desc body = spc_body_desc_default();
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    spc_constraint contact;
    spc_world *world;
    int i;
    desc.gravity = spc_vec3_make(0, 0, -9.81);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    body.state.X_GB.p = spc_vec3_make(0, 0, RADIUS);
    body.state.V_GB.linear = spc_vec3_make(SPEED, 0, 0);
    body.mass = spc_mass_box(100, spc_vec3_make(BASE, TRACK, 0.2));
    body.mass.p_BBc = spc_vec3_make(-0.3, 0.1, 0.4);
    check(spc_body_add(world, &body, &chassis));
    body.mass = spc_mass_disc(8, RADIUS); /* its axis is the body's z, turned to the left */
    check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), left, &body.state.X_GB.q));
    body.state.V_GB.angular = spc_scale(SPEED / RADIUS, left);
    roll.shape.axis_B = spc_vec3_make(0, 0, 1);
    roll.shape.radius = RADIUS;
    hinge.a = chassis;
    hinge.keep_pose = true; /* the frame M on the wheel follows from the one on the chassis, F */
    hinge.shape.locked = SPC_HINGE;
    hinge.shape.X_AF.q = body.state.X_GB.q;
    for (i = 0; i < 4; i++) {
        hinge.shape.X_AF.p = spc_vec3_make(i < 2 ? BASE : -BASE, i % 2 ? -TRACK : TRACK, 0);
        body.state.X_GB.p = spc_add(hinge.shape.X_AF.p, spc_vec3_make(0, 0, RADIUS));
        check(spc_body_add(world, &body, &hinge.b));
        check(spc_attachment_add(world, &hinge, &hinges[i]));
        roll.disc = hinge.b;
        check(spc_rolling_disc_add(world, &roll, &contact));
    }
    return world;
}

/* Turns the front hinges in the chassis, so that the wheels follow, then everything's velocity. */
static void steer(spc_world *world)
{
    spc_attachment shape;
    int i;
    for (i = 0; i < 2; i++) {
        const spc_vec3 to_centre = spc_vec3_make(-2 * BASE, R - (i ? -TRACK : TRACK), 0);
        check(spc_attachment_get(world, hinges[i], &shape));
        check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), to_centre, &shape.X_AF.q));
        check(spc_attachment_set(world, hinges[i], &shape));
    }
    check(spc_world_assemble(world, 1e-13, NULL));
    check(spc_world_project_velocities(world));
}

/* Drives for a time: where the middle of the rear axle is then. */
static spc_vec3 drive(spc_world *world, double time, int steps)
{
    spc_state s;
    int i;
    for (i = 0; i < steps; i++)
        check(spc_step_rk4(world, time / steps, SPC_DRIFT_PROJECT));
    check(spc_body_get_state(world, chassis, &s));
    printf("chassis at %9.6f, %9.6f m\n", s.X_GB.p.x, s.X_GB.p.y);
    return spc_transform_point(s.X_GB, spc_vec3_make(-BASE, 0, 0));
}

int main(void)
{
    spc_world *world = make_wagon();
    spc_vec3 start, half, end;
    double error;
    spc_state s;
    steer(world);
    check(spc_body_get_state(world, chassis, &s));
    start = drive(world, 0, 0);
    half = drive(world, PI / s.V_GB.angular.z, STEPS / 2);
    end = drive(world, PI / s.V_GB.angular.z, STEPS / 2);
    error = fmax(fabs(spc_norm(spc_sub(half, start)) - 2 * R), spc_norm(spc_sub(end, start)));
    free(world);
    printf("wagon: %s, circle of %.1f m to %.1e m\n", error < CIRCLE ? "ok" : "WRONG", R, error);
    return error < CIRCLE ? 0 : 1;
}
