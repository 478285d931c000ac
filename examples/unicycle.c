/* unicycle.c - a wheel and a rider above it: falls by itself, stands and drives under control

   The wheel rolls on the ground, the rider sits on its axle. A motor turns the wheel forward with
   tau and the rider back with -tau. With the masses m_w and m, the rider's centre of mass at l
   above the axle, and the moments of inertia C of the wheel about the axle and J of the rider,
   small pitch and forward speed v obey, in a plane that nothing pushes it out of or holds it in,

       M v' + P pitch'' = tau / r,    P v' + K pitch'' = P g pitch - tau
       M = m_w + m + C / r^2,    P = m l,    K = J + m l^2,    D = M K - P^2

   Without control pitch grows as exp(t sqrt(M P g / D)), here 7.4 / s; the gains of

       tau = k0 pitch + k1 pitch' + k2 (v - v_wanted)

   place the poles at -p, -2 p, -3 p: k follows from the characteristic polynomial.

   build: cc -O2 examples/unicycle.c -lm -o unicycle
   last line: unicycle: ok, upright to 1.7e-07 deg after 20 s
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DEG (3.14159265358979323846 / 180) /* [rad] */
#define GRAVITY 9.81                       /* [m/s^2] */
#define RADIUS 0.25                        /* of the wheel, and of the rider, a ball [m] */
#define WHEEL 4.0                          /* mass [kg] */
#define RIDER 20.0                         /* mass [kg] */
#define HEIGHT 0.6                         /* of the rider's centre of mass above the axle [m] */
#define POLE 2.0                           /* p [1/s] */
#define SPEED 1.5                          /* wanted in the second half [m/s] */
#define RATE 1000                          /* steps and decisions in a second, for 20 s */
/* 10 s after the change of speed the slowest pole has left exp(-p t) = 2.1e-9, sampling 1.5 times
   as much, of a pitch of 3 p SPEED (M r + P) / (P g) = 81 deg, and of 3 times the speed. */
#define UPRIGHT 2.5e-7  /* [deg] */
#define ON_SPEED 1.5e-8 /* [m/s] */

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

/* At rest, heading along x, pitched forward. Both bodies have their origin in the axle's centre. */
static spc_world *make_unicycle(double pitch, spc_body *wheel, spc_body *rider)
{
    spc_world_desc desc = spc_world_desc_default(2, 2);
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc disc = spc_rolling_disc_desc_default();
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_constraint constraint;
    spc_world *world;
    desc.gravity = spc_vec3_make(0, 0, -GRAVITY);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    body.state.X_GB.p = spc_vec3_make(0, 0, RADIUS);
    body.state.X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(-90 * DEG, 0, 0));
    body.mass = spc_mass_disc(WHEEL, RADIUS); /* its axis is the body's z, and G's y */
    check(spc_body_add(world, &body, wheel));
    hinge.shape.X_AF.q = body.state.X_GB.q; /* the same axis in the rider */
    body.state.X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(0, pitch, 0));
    body.mass = spc_mass_solid_sphere(RIDER, RADIUS);
    body.mass.p_BBc = spc_vec3_make(0, 0, HEIGHT);
    check(spc_body_add(world, &body, rider));
    disc.disc = hinge.b = *wheel;
    disc.shape.axis_B = spc_vec3_make(0, 0, 1);
    disc.shape.radius = RADIUS;
    check(spc_rolling_disc_add(world, &disc, &constraint));
    hinge.a = *rider;
    hinge.shape.locked = SPC_HINGE; /* all but the turn about the axle */
    check(spc_attachment_add(world, &hinge, &constraint));
    return world;
}

/* The motor's torque for the next step [N m]. */
static double control(double pitch, double pitch_rate, double off)
{
    const double M = WHEEL + RIDER + WHEEL / 2, P = RIDER * HEIGHT; /* C = m_w r^2 / 2 */
    const double K = 0.4 * RIDER * RADIUS * RADIUS + P * HEIGHT, D = M * K - P * P, p = POLE;
    const double b = (M + P / RADIUS) / D, d = (K / RADIUS + P) / D;
    const double k2 = 6 * p * p * p * RADIUS * D / (P * GRAVITY), k1 = (6 * p + d * k2) / b;
    const double k0 = (11 * p * p + M * P * GRAVITY / D) / b;
    return k0 * pitch + k1 * pitch_rate + k2 * off;
}

/* From 3 deg forward; returns the time at which it has fallen, or the end [s]. */
static double run(bool controlled, double *pitch, double *off)
{
    spc_body wheel, rider;
    spc_world *world = make_unicycle(3 * DEG, &wheel, &rider);
    spc_vec3 torque = { 0, 0, 0 };
    spc_state s;
    int i;
    for (i = 0;; i++) {
        check(spc_body_get_state(world, rider, &s));
        *pitch = 2 * atan2(s.X_GB.q.y, s.X_GB.q.w) / DEG;
        *off = s.V_GB.linear.x - (i < 10 * RATE ? 0 : SPEED);
        if (i % (controlled ? 2 * RATE : RATE / 10) == 0)
            printf("%9.3f s: pitch %13.8f deg, speed %13.8f m/s\n", (double)i / RATE, *pitch,
                   s.V_GB.linear.x);
        if (i == 20 * RATE || fabs(*pitch) > 45)
            break;
        torque.y = controlled ? control(*pitch * DEG, s.V_GB.angular.y, *off) : 0;
        check(spc_body_add_torque(world, wheel, torque, SPC_ONE_STEP));
        check(spc_body_add_torque(world, rider, spc_scale(-1, torque), SPC_ONE_STEP));
        check(spc_step(world, 1.0 / RATE));
    }
    free(world);
    return (double)i / RATE;
}

int main(void)
{
    double pitch, off;
    const bool falls = run(false, &pitch, &off) < 1, stands = run(true, &pitch, &off) >= 20;
    const bool ok = falls && stands && fabs(pitch) < UPRIGHT && fabs(off) < ON_SPEED;
    printf("unicycle: %s, upright to %.1e deg after 20 s\n", ok ? "ok" : "WRONG", fabs(pitch));
    return ok ? 0 : 1;
}
