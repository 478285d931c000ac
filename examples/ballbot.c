/* ballbot.c - a body balances on a rolling ball: falls by itself, stands and drives under control

   The ball rolls on the ground, the body is jointed to its centre. Motors between them turn the
   ball with the torque tau and the body with -tau. With the masses m_b and m, the ball's radius r,
   the body's centre of mass at l above the ball's, the moments of inertia I of the ball and J of
   the body, small tilts theta and the way x obey, in each of two vertical planes,

       M x'' + P theta'' = tau / r,    P x'' + K theta'' = P g theta - tau
       M = m_b + m + I / r^2,    P = m l,    K = J + m l^2,    D = M K - P^2

   hence theta'' = a theta - b tau and x'' = d tau - P^2 g theta / D with a = M P g / D,
   b = (M + P / r) / D, d = (K / r + P) / D. Without control tilt grows as exp(t sqrt(a)), here
   6.5 / s. tau = k0 theta + k1 theta' + k2 (x - x_wanted) + k3 x' places the poles at -p, -2 p,
   -3 p, -4 p by the characteristic polynomial, c = P g / (r D),

       s^4 + (b k1 - d k3) s^3 + (b k0 - d k2 - a) s^2 + c k3 s + c k2

   A step of x_wanted then leaves 4 (1 - p^2 d / c) exp(-p t) of itself after a while.

   build: cc -O2 examples/ballbot.c -lm -o ballbot
   last line: ballbot: ok, in place to 6.0e-10 m after 30 s
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DEG (3.14159265358979323846 / 180) /* [rad] */
#define GRAVITY 9.81                       /* [m/s^2] */
#define RADIUS 0.12                        /* of the ball [m] */
#define BALL 3.0                           /* its mass [kg]: a shell */
#define BODY 12.0                          /* the body's mass [kg]: a cylinder */
#define HEIGHT 0.5  /* of the body's centre of mass above the ball's centre [m] */
#define POLE 1.5    /* p [1/s] */
#define RATE 1000   /* steps and decisions in a second, for 30 s */
#define PLACE 8e-10 /* [m]: 3.4 exp(-p 15 s) of 1.1 m by the formula, a quarter more by sampling */

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

/* Ball and body have their origins in the ball's centre. */
static spc_world *make_ballbot(spc_body *ball, spc_body *body)
{
    spc_world_desc desc = spc_world_desc_default(2, 2);
    spc_body_desc shell = spc_body_desc_default(), tower = shell;
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default(); /* a ball joint, at the origins */
    spc_constraint constraint;
    spc_world *world;
    desc.gravity = spc_vec3_make(0, 0, -GRAVITY);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    shell.mass = spc_mass_hollow_sphere(BALL, RADIUS);
    shell.state.X_GB.p = tower.state.X_GB.p = spc_vec3_make(0, 0, RADIUS);
    check(spc_body_add(world, &shell, ball));
    tower.mass = spc_mass_cylinder(BODY, 0.1, 0.35);
    tower.mass.p_BBc = spc_vec3_make(0, 0, HEIGHT);
    tower.state.X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(-3 * DEG, 4 * DEG, 0));
    check(spc_body_add(world, &tower, body));
    roll.ball = joint.a = *ball;
    roll.shape.radius = RADIUS;
    check(spc_sphere_on_plane_add(world, &roll, &constraint));
    joint.b = *body;
    check(spc_attachment_add(world, &joint, &constraint));
    return world;
}

/* The torque on the ball for the next step; off: from the wanted place [m]. */
static spc_vec3 control(const spc_state *ball, const spc_state *body, spc_vec3 off)
{
    const double p = POLE, P = BODY * HEIGHT, r = RADIUS, M = BALL * 5 / 3 + BODY;
    const double K = spc_mass_cylinder(BODY, 0.1, 0.35).inertia.xx + P * HEIGHT;
    const double D = M * K - P * P, b = (M + P / r) / D, d = (K / r + P) / D;
    const double c = P * GRAVITY / (r * D), k2 = 24 * p * p * p * p / c, k3 = 50 * p * p * p / c;
    const double k0 = (35 * p * p + M * P * GRAVITY / D + d * k2) / b, k1 = (10 * p + d * k3) / b;
    const spc_vec3 up =
        spc_rotate(body->X_GB.q, spc_vec3_make(0, 0, 1)); /* theta along the ground */
    spc_vec3 f = spc_add(spc_scale(k0, up), spc_scale(k1, spc_cross(body->V_GB.angular, up)));
    f = spc_add(f, spc_add(spc_scale(k2, off), spc_scale(k3, ball->V_GB.linear)));
    return spc_cross(spc_vec3_make(0, 0, 1), f); /* rolls the ball along f */
}

/* From a tilt of 5 deg to the end or until it has fallen: that time [s], and how far off it is. */
static double run(bool controlled, double *distance)
{
    spc_body ball, body;
    spc_world *world = make_ballbot(&ball, &body);
    spc_vec3 wanted = spc_vec3_make(0, 0, RADIUS), torque = { 0, 0, 0 };
    spc_state a, b;
    double tilt = 0;
    int i;
    for (i = 0; i <= 30 * RATE && tilt < 45; i++) {
        wanted = i < 15 * RATE ? wanted : spc_vec3_make(1, 0.5, RADIUS);
        check(spc_body_get_state(world, ball, &a));
        check(spc_body_get_state(world, body, &b));
        tilt = acos(spc_rotate(b.X_GB.q, spc_vec3_make(0, 0, 1)).z) / DEG;
        *distance = spc_norm(spc_sub(a.X_GB.p, wanted));
        if (i % (controlled ? 2 * RATE : RATE / 10) == 0)
            printf("%9.3f s: tilt %11.6f deg, at %11.8f, %11.8f m\n", (double)i / RATE, tilt,
                   a.X_GB.p.x, a.X_GB.p.y);
        torque = controlled ? control(&a, &b, spc_sub(a.X_GB.p, wanted)) : torque;
        check(spc_body_add_torque(world, ball, torque, SPC_ONE_STEP));
        check(spc_body_add_torque(world, body, spc_scale(-1, torque), SPC_ONE_STEP));
        check(spc_step(world, 1.0 / RATE));
    }
    free(world);
    return (i - 1.0) / RATE;
}

int main(void)
{
    double off;
    const bool falls = run(false, &off) < 1, ok = run(true, &off) >= 30 && falls && off < PLACE;
    printf("ballbot: %s, in place to %.1e m after 30 s\n", ok ? "ok" : "WRONG", off);
    return ok ? 0 : 1;
}
