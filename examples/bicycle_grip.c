/* bicycle_grip.c - a bicycle leans into a turn until its tyres run out of grip

   The benchmark bicycle of bicycle.c with one-sided wheels, whose friction has a limit. It rides
   with 5.5 m/s, where it rights itself; a torque about its steer axis, which grows, turns the
   handlebar, and the bicycle leans and turns ever more. In a steady turn the ground pushes along
   the line from the contacts to the centre of mass: the wheels use tan(lean) of their loads, but
   for gyroscopes. Where that is the friction they slip, and it falls.

   build: cc -O2 examples/bicycle_grip.c -lm -o bicycle_grip
   last line: bicycle_grip: ok, slips at 0.1972 rad, atan(0.2) = 0.1974
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define H (1.0 / 480) /* [s] */
#define SPEED 5.5     /* [m/s] */

enum { REAR_WHEEL, REAR_FRAME, FRONT_FRAME, FRONT_WHEEL, BODIES };
static const struct part {
    spc_mass mass;
    double x, z, radius;
} parts[BODIES] = {
    { { 2, { 0, 0, 0 }, { 0.0603, 0.12, 0.0603, 0, 0, 0 } }, 0, 0.3, 0.3 },
    { { 85, { 0, 0, 0 }, { 9.2, 11, 2.8, 0, -2.4, 0 } }, 0.3, 0.9, 0 },
    { { 4, { 0, 0, 0 }, { 0.05892, 0.06, 0.00708, 0, 0.00756, 0 } }, 0.9, 0.7, 0 },
    { { 3, { 0, 0, 0 }, { 0.1405, 0.28, 0.1405, 0, 0, 0 } }, 1.02, 0.35, 0.35 },
};
static const spc_vec3 left = { 0, 1, 0 }, steer = { 0.30901699437, 0, -0.95105651630 };

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}
static void add_hinge(spc_world *world, spc_body a, spc_body b, spc_vec3 p_G, spc_vec3 axis_G)
{
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_constraint constraint;
    spc_state A, B;
    check(spc_body_get_state(world, hinge.a = a, &A));
    check(spc_body_get_state(world, hinge.b = b, &B));
    check(spc_attachment_at(&A.X_GB, &B.X_GB, p_G, axis_G, SPC_HINGE, &hinge.shape));
    check(spc_attachment_add(world, &hinge, &constraint));
}

static spc_world *make_bicycle(double friction, spc_body *b, spc_constraint *contact)
{
    spc_world_desc desc = spc_world_desc_default(BODIES, 5);
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    spc_world *world;
    int i;
    desc.gravity = spc_vec3_make(0, 0, -9.81);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    roll.shape.axis_B = left;
    roll.one_sided = true;
    roll.law.grip = false;
    roll.law.friction = friction;
    for (i = 0; i < BODIES; i++) {
        spc_body_desc body = spc_body_desc_default();
        body.mass = parts[i].mass;
        body.state.X_GB.p = spc_vec3_make(parts[i].x, 0, parts[i].z);
        body.state.V_GB.linear.x = SPEED;
        body.state.V_GB.angular.y = parts[i].radius > 0 ? SPEED / parts[i].radius : 0;
        check(spc_body_add(world, &body, &b[i]));
        roll.disc = b[i];
        roll.shape.radius = parts[i].radius;
        if (parts[i].radius > 0)
            check(spc_rolling_disc_add(world, &roll, contact++));
    }
    add_hinge(world, b[REAR_FRAME], b[REAR_WHEEL], spc_vec3_make(0, 0, 0.3), left);
    add_hinge(world, b[FRONT_FRAME], b[FRONT_WHEEL], spc_vec3_make(1.02, 0, 0.35), left);
    add_hinge(world, b[REAR_FRAME], b[FRONT_FRAME], spc_vec3_make(1.1, 0, 0), steer);
    return world;
}

/* Rides for 10 s, or till a wheel slips, and 1.25 s on: the lean [rad] then, and in the end. */
static double ride(double friction, double *used, double *late)
{
    spc_body b[BODIES];
    spc_constraint contact[2];
    spc_world *world = make_bicycle(friction, b, contact);
    double slips = 0;
    int i, k, end = (int)(10 / H);
    for (i = 0, *used = 0; i < end; i++) {
        spc_contact_info info;
        spc_state frame;
        spc_vec3 torque;
        check(spc_body_get_state(world, b[REAR_FRAME], &frame));
        torque = spc_scale(0.02 * i * H, spc_rotate(frame.X_GB.q, steer));
        check(spc_body_add_torque(world, b[FRONT_FRAME], torque, SPC_ONE_STEP));
        check(spc_body_add_torque(world, b[REAR_FRAME], spc_scale(-1, torque), SPC_ONE_STEP));
        check(spc_step(world, H));
        *late = fabs(asin(spc_rotate(frame.X_GB.q, left).z));
        for (k = 0; k < 2 && !(slips > 0); k++) {
            check(spc_constraint_get_contact(world, contact[k], &info));
            *used = fmax(*used, hypot(info.force[0], info.force[1]) / info.force[2]);
            if (info.grip_used > 0.999)
                slips = *late, end = i + (int)(1.25 / H);
        }
        if (i % 480 == 0)
            printf("friction %4.1f, %4.1f s: leans by %.4f rad, %s\n", friction, i * H, *late,
                   slips > 0 ? "slips" : "rolls");
    }
    free(world);
    return slips > 0 ? slips : *late;
}

int main(void)
{
    double used, late, fell;
    const double asked = tan(ride(10, &used, &late)) / used, slips = ride(0.2, &used, &fell);
    /* a turn that tightens in 10 s is steady to some percent; what lies on its side has fallen */
    const int ok = fabs(asked - 1) < 0.03 && fabs(slips / atan(0.2) - 1) < 0.01 && fell > 1;
    printf("bicycle_grip: %s, slips at %.4f rad, atan(0.2) = %.4f\n", ok ? "ok" : "WRONG", slips,
           atan(0.2));
    return ok ? 0 : 1;
}
