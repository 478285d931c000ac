/* ball_on_free_plate.c - action and reaction: a ball rolls on a plate that is free to slide

   A plate of mass M stands on the ground on three frictionless feet; a ball of mass m rolls on it.
   A force F pushes the plate. The ball follows with 2/7 of the plate's acceleration, so the plate
   feels 2/7 of the ball's mass, and both together gain the momentum F t:

       a_plate = F / (M + 2/7 m),    a_ball = 2/7 a_plate

   The feet are spheres of the plate on the plane of the ground. A contact here holds in both
   directions, so the program also looks whether a foot pulls.

   build: cc -O2 examples/ball_on_free_plate.c -lm -o ball_on_free_plate
   last line: ball_on_free_plate: ok, momentum is F t to 8.9e-16 kg m/s
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

/* One instant: numbers of about 1, from a linear solve whose condition is some hundreds. A run adds
   up 240 of them, times the step. */
#define TOLERANCE 1e-13

typedef struct scene {
    spc_world *world;
    spc_body plate, ball;
    spc_constraint feet[3], contact;
} scene;

static void check(spc_status status)
{
    if (status == SPC_OK)
        return;
    fprintf(stderr, "ball_on_free_plate: %s\n", spc_status_text(status));
    exit(1);
}

static void build(scene *s)
{
    const spc_vec3 p_BS[3] = { { -0.5, -0.3, -HALF }, { -0.5, 0.3, -HALF }, { 0.5, 0, -HALF } };
    spc_world_desc desc = spc_world_desc_default(2, 4);
    spc_body_desc plate = spc_body_desc_default(), ball = spc_body_desc_default();
    spc_sphere_on_plane_desc foot = spc_sphere_on_plane_desc_default(), roll = foot;
    int k;

    desc.gravity = spc_vec3_make(0, 0, -GRAVITY);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &s->world));
    plate.mass = spc_mass_box(PLATE_MASS, spc_vec3_make(0.6, 0.4, HALF));
    plate.state.X_GB.p = spc_vec3_make(0, 0, FOOT + HALF);
    check(spc_body_add(s->world, &plate, &s->plate));
    ball.mass = spc_mass_solid_sphere(BALL_MASS, RADIUS);
    ball.state.X_GB.p = spc_vec3_make(0.2, 0, FOOT + 2 * HALF + RADIUS);
    check(spc_body_add(s->world, &ball, &s->ball));
    foot.ball = s->plate; /* its floor stays the ground */
    foot.shape.radius = FOOT;
    foot.shape.rolling = false;
    for (k = 0; k < 3; k++) {
        foot.shape.p_BS = p_BS[k];
        check(spc_sphere_on_plane_add(s->world, &foot, &s->feet[k]));
    }
    roll.floor = s->plate;
    roll.ball = s->ball;
    roll.shape.X_FP.p = spc_vec3_make(0, 0, HALF); /* the plate's upper face */
    roll.shape.radius = RADIUS;
    check(spc_sphere_on_plane_add(s->world, &roll, &s->contact));
    check(spc_body_add_force(s->world, s->plate, spc_vec3_make(PUSH, 0, 0), spc_vec3_make(0, 0, 0),
                             SPC_LASTING));
}

/* Accelerations and forces of one instant, nothing moves. Returns the largest deviation. */
static double check_instant(const scene *s)
{
    const double a = PUSH / (PLATE_MASS + 2.0 / 7 * BALL_MASS);
    const spc_vec3 on_ball = spc_vec3_make(BALL_MASS * 2 * a / 7, 0, BALL_MASS * GRAVITY);
    spc_spatial A_plate, A_ball;
    spc_contact_force c;
    double error;

    check(spc_world_forward_dynamics(s->world));
    check(spc_body_get_acceleration(s->world, s->plate, &A_plate));
    check(spc_body_get_acceleration(s->world, s->ball, &A_ball));
    check(spc_constraint_get_forces(s->world, s->contact, &c));
    printf("acceleration of the plate %.15f, of the ball %.15f m/s^2\n", A_plate.linear.x, A_ball.linear.x);
    printf("force on the ball  (%9.6f, %9.6f, %9.6f) N\n", c.on_b.linear.x, c.on_b.linear.y, c.on_b.linear.z);
    printf("force on the plate (%9.6f, %9.6f, %9.6f) N\n", c.on_a.linear.x, c.on_a.linear.y, c.on_a.linear.z);
    error = spc_norm(spc_sub(A_plate.linear, spc_vec3_make(a, 0, 0)));
    error = fmax(error, spc_norm(spc_sub(A_ball.linear, spc_vec3_make(2 * a / 7, 0, 0))));
    error = fmax(error, spc_norm(spc_sub(c.on_b.linear, on_ball)));
    return fmax(error, spc_norm(spc_add(c.on_a.linear, on_ball)));
}

/* One second. Returns the largest deviation of the momentum from F t; the least load of a foot. */
static double run(const scene *s, double *least)
{
    const double h = 1.0 / 240;
    double error = 0, load[3];
    spc_state plate, ball;
    spc_contact_force c;
    spc_momentum momentum;
    int i, k;

    printf("time [s]  plate [m]   ball [m]    loads of the feet [N]      momentum [kg m/s]\n");
    for (i = 1; i <= 240; i++) {
        check(spc_step(s->world, h));
        for (k = 0; k < 3; k++) {
            check(spc_constraint_get_forces(s->world, s->feet[k], &c));
            load[k] = c.force_G.z;
            *least = fmin(*least, load[k]);
        }
        check(spc_world_get_momentum(s->world, &momentum));
        error = fmax(error, fabs(momentum.linear.x - PUSH * i * h));
        check(spc_body_get_state(s->world, s->plate, &plate));
        check(spc_body_get_state(s->world, s->ball, &ball));
        if (i % 48 == 0)
            printf("%8.3f %10.6f %10.6f %8.4f %8.4f %8.4f %16.12f\n", i * h, plate.X_GB.p.x,
                   ball.X_GB.p.x, load[0], load[1], load[2], momentum.linear.x);
    }
    return error;
}

int main(void)
{
    double instant, momentum, least = GRAVITY;
    scene s;
    int ok;
    build(&s);
    instant = check_instant(&s);
    momentum = run(&s, &least);
    free(s.world);
    ok = instant < TOLERANCE && momentum < TOLERANCE && least > 0;
    printf("ball_on_free_plate: %s, momentum is F t to %.1e kg m/s\n", ok ? "ok" : "WRONG", momentum);
    return ok ? 0 : 1;
}
