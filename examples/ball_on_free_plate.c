/* ball_on_free_plate.c - action and reaction: a ball rolls on a plate that is free to slide

   A plate of mass M stands on the ground on three frictionless feet; a ball of mass m rolls on it.
   A force F pushes the plate. The ball follows with 2/7 of the plate's acceleration, so the plate
   feels 2/7 of the ball's mass, and both together gain the momentum F t:

       a_plate = F / (M + 2/7 m),    a_ball = 2/7 a_plate

   The feet are spheres of the plate on the plane of the ground. A contact here holds in both
   directions, so the program also looks whether a foot pulls.

   build: cc -O2 examples/ball_on_free_plate.c -lm -o ball_on_free_plate
   last line: ball_on_free_plate: ok, momentum is F t to 6.2e-15 kg m/s
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PLATE_MASS 2.0 /* [kg] */
#define BALL_MASS 0.7  /* [kg] */
#define RADIUS 0.1     /* of the ball [m] */
#define HALF 0.02      /* half the plate's thickness [m] */
#define FOOT 0.03      /* radius of a foot [m]; its centre is in the plate's lower face */
#define PUSH 2.2       /* [N]: accelerations 1 and 2/7 m/s^2 */
#define GRAVITY 9.81   /* [m/s^2] */

/* At one instant: numbers below 20 from a solve whose condition is some tens, 20 x 40 x 1.1e-16.
   The momentum: 240 sums below 4, rounded by at most 2.2e-16 each, 5.3e-14. */
#define TOLERANCE 1e-13

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

int main(void)
{
    const spc_vec3 p_BS[3] = { { -0.5, -0.3, -HALF }, { -0.5, 0.3, -HALF }, { 0.5, 0, -HALF } };
    const spc_vec3 zero = spc_vec3_make(0, 0, 0), push = spc_vec3_make(PUSH, 0, 0);
    const double a = PUSH / (PLATE_MASS + 2.0 / 7 * BALL_MASS), h = 1.0 / 240;
    spc_world_desc desc = spc_world_desc_default(2, 4);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc foot = spc_sphere_on_plane_desc_default(), roll = foot;
    spc_constraint feet[3], contact;
    spc_body plate, ball;
    spc_spatial A_plate, A_ball;
    spc_state plate_state, ball_state;
    spc_world *world;
    spc_energy_momentum momentum;
    spc_contact_force c;
    spc_vec3 moment;
    double load[3], least = GRAVITY, error, drift = 0;
    int i, k, ok;

    desc.gravity = spc_vec3_make(0, 0, -GRAVITY);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    body.mass = spc_mass_box(PLATE_MASS, spc_vec3_make(0.6, 0.4, HALF));
    body.state.X_GB.p = spc_vec3_make(0, 0, FOOT + HALF);
    check(spc_body_add(world, &body, &plate));
    body.mass = spc_mass_solid_sphere(BALL_MASS, RADIUS);
    body.state.X_GB.p = spc_vec3_make(0.2, 0, FOOT + 2 * HALF + RADIUS);
    check(spc_body_add(world, &body, &ball));
    foot.ball = plate; /* its floor stays the ground */
    foot.shape.radius = FOOT;
    foot.shape.rolling = false;
    for (k = 0; k < 3; k++) {
        foot.shape.p_BS = p_BS[k];
        check(spc_sphere_on_plane_add(world, &foot, &feet[k]));
    }
    roll.floor = plate;
    roll.ball = ball;
    roll.shape.X_FP.p = spc_vec3_make(0, 0, HALF); /* the plate's upper face */
    roll.shape.radius = RADIUS;
    check(spc_sphere_on_plane_add(world, &roll, &contact));
    check(spc_body_add_force(world, plate, push, zero, SPC_LASTING));

    /* One instant: accelerations and forces; nothing moves. */
    check(spc_world_forward_dynamics(world));
    check(spc_body_get_acceleration(world, plate, &A_plate));
    check(spc_body_get_acceleration(world, ball, &A_ball));
    check(spc_constraint_get_forces(world, contact, &c));
    printf("acceleration of plate %.15f, of ball %.15f m/s^2\n", A_plate.linear.x, A_ball.linear.x);
    printf("force on plate %.6f N, on ball %.6f N\n", c.on_a.linear.x, c.on_b.linear.x);
    error = fabs(A_plate.linear.x - a) + fabs(A_ball.linear.x - 2 * a / 7);
    error += fabs(c.on_b.linear.x - BALL_MASS * 2 * a / 7);
    error += spc_norm(spc_add(c.on_a.linear, c.on_b.linear));
    check(spc_body_get_state(world, plate, &plate_state));
    moment = spc_cross(spc_sub(plate_state.X_GB.p, c.p_GC), c.force_G); /* of the ball */
    for (k = 0; k < 3; k++) {
        check(spc_constraint_get_forces(world, feet[k], &c));
        moment = spc_add(moment, spc_cross(spc_sub(c.p_GC, plate_state.X_GB.p), c.force_G));
    }
    error += spc_norm(moment); /* the feet keep the plate level */

    /* One second in the steps of a game. */
    printf("time [s]  plate [m]   ball [m]    loads of the feet [N]      momentum [kg m/s]\n");
    for (i = 1; i <= 240; i++) {
        check(spc_step(world, h));
        for (k = 0; k < 3; k++) {
            check(spc_constraint_get_forces(world, feet[k], &c));
            least = fmin(least, load[k] = c.force_G.z);
        }
        check(spc_world_get_energy_momentum(world, &momentum));
        check(spc_body_get_state(world, plate, &plate_state));
        check(spc_body_get_state(world, ball, &ball_state));
        drift = fmax(drift, fabs(momentum.linear.x - PUSH * i * h));
        if (i % 48 == 0)
            printf("%8.3f %10.6f %10.6f %8.4f %8.4f %8.4f %16.12f\n", i * h, plate_state.X_GB.p.x,
                   ball_state.X_GB.p.x, load[0], load[1], load[2], momentum.linear.x);
    }
    free(world);
    ok = error < TOLERANCE && drift < TOLERANCE && least > 0;
    printf("ball_on_free_plate: %s, momentum is F t to %.1e kg m/s\n", ok ? "ok" : "WRONG", drift);
    return ok ? 0 : 1;
}
