/* ballbot.c - a body balances on a rolling ball: falls by itself, stands and drives under control

   The ball rolls on the ground, the body is jointed to its centre. Motors between them turn the
   ball with the torque tau and the body with -tau. With the masses m_b and m, the ball's radius r,
   the body's centre of mass at l above the ball's, the moments of inertia I of the ball and J of
   the body, small tilts theta and the way x obey, in each of two vertical planes,

       M x'' + P theta'' = tau / r,    P x'' + K theta'' = P g theta - tau
       M = m_b + m + I / r^2,    P = m l,    K = J + m l^2,    D = M K - P^2

   hence theta'' = a theta - b tau with a = M P g / D, b = (M + P / r) / D, and
   x'' = d tau - P^2 g theta / D with d = (K / r + P) / D. Without control tilt grows as
   exp(t sqrt(a)), here 6.5 / s. The gains of

       tau = k[0] theta + k[1] theta' + k[2] (x - x_wanted) + k[3] x'

   place the poles at -p, -2 p, -3 p, -4 p by the characteristic polynomial, c = P g / (r D),

       s^4 + (b k[1] - d k[3]) s^3 + (b k[0] - d k[2] - a) s^2 + c k[3] s + c k[2]

   A step of x_wanted then leaves 4 (1 - p^2 d / c) exp(-p t) of itself after a while, and a tilt of
   (P + M r) p^2 / (P g - (K + P r) p^2) times as much.

   build: cc -O2 examples/ballbot.c -lm -o ballbot
   last line: ballbot: ok, in place to 6.0e-10 m after 30 s
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define DEG (PI / 180) /* [rad] */
#define GRAVITY 9.81   /* [m/s^2] */
#define RADIUS 0.12    /* of the ball [m] */
#define BALL 3.0       /* its mass [kg]: a shell */
#define BODY 12.0      /* the body's mass [kg]: a cylinder */
#define HEIGHT 0.5     /* of the body's centre of mass above the ball's centre [m] */
#define POLE 1.5       /* p [1/s] */
#define RATE 1000      /* steps and decisions in a second */
#define SECONDS 30     /* a new place is wanted in the second half */

/* By the formulas above: 3.4 exp(-p 15 s) of 1.1 m, 6.3e-10 m, and 0.37 rad/m of that. Sampling
   changes the poles by a hundredth, and exp(-p 15 s) by a quarter. */
#define PLACE 8e-10  /* [m] */
#define UPRIGHT 2e-8 /* [deg] */
/* In a step h = 1 / RATE a point l from the centre of mass, which turns about it with w, comes off
   its constraint by l (w h)^2 / 2; stabilization lets T h w^2 l of that stay: T = 0.1 s, l = 0.5 m,
   w < 0.85 rad/s. */
#define GAP 3.7e-5 /* [m] */

static void check(spc_status status)
{
    if (status == SPC_OK)
        return;
    fprintf(stderr, "ballbot: %s\n", spc_status_text(status));
    exit(1);
}

typedef struct ballbot {
    spc_world *world;
    spc_body ball, body; /* both have their origin in the ball's centre */
    spc_constraint joint;
    double k[4]; /* [N m], [N m s], [N], [N s] */
} ballbot;

static ballbot make_ballbot(void)
{
    const double p = POLE, P = BODY * HEIGHT, r = RADIUS;
    spc_world_desc desc = spc_world_desc_default(2, 2);
    spc_body_desc ball = spc_body_desc_default(), body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default(); /* a ball joint, at the origins */
    spc_constraint rolling;
    double M, K, D, b, d, c;
    size_t bytes;
    ballbot bot;
    desc.gravity = spc_vec3_make(0, 0, -GRAVITY);
    bytes = spc_world_size(&desc);
    check(spc_world_create(malloc(bytes), bytes, &desc, &bot.world));
    ball.mass = spc_mass_hollow_sphere(BALL, r);
    ball.state.X_GB.p = body.state.X_GB.p = spc_vec3_make(0, 0, r);
    check(spc_body_add(bot.world, &ball, &bot.ball));
    body.mass = spc_mass_cylinder(BODY, 0.1, 0.35);
    body.mass.p_BBc = spc_vec3_make(0, 0, HEIGHT);
    body.state.X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(-3 * DEG, 4 * DEG, 0));
    check(spc_body_add(bot.world, &body, &bot.body));
    roll.ball = joint.a = bot.ball;
    roll.shape.radius = r;
    check(spc_sphere_on_plane_add(bot.world, &roll, &rolling));
    joint.b = bot.body;
    check(spc_attachment_add(bot.world, &joint, &bot.joint));

    M = BALL + BODY + ball.mass.inertia.xx / (r * r);
    K = body.mass.inertia.xx + P * HEIGHT;
    D = M * K - P * P;
    b = (M + P / r) / D;
    d = (K / r + P) / D;
    c = P * GRAVITY / (r * D);
    bot.k[2] = 24 * p * p * p * p / c;
    bot.k[3] = 50 * p * p * p / c;
    bot.k[0] = (35 * p * p + M * P * GRAVITY / D + d * bot.k[2]) / b;
    bot.k[1] = (10 * p + d * bot.k[3]) / b;
    return bot;
}

/* Applies the torques for the next step. */
static void control(const ballbot *bot, spc_vec3 wanted)
{
    const spc_vec3 Pz = spc_vec3_make(0, 0, 1);
    spc_vec3 up, f, torque;
    spc_state ball, body;
    check(spc_body_get_state(bot->world, bot->ball, &ball));
    check(spc_body_get_state(bot->world, bot->body, &body));
    up = spc_rotate(body.X_GB.q, Pz); /* along the ground: theta, and its derivative theta' */
    f = spc_add(spc_scale(bot->k[0], up), spc_scale(bot->k[1], spc_cross(body.V_GB.angular, up)));
    f = spc_add(f, spc_scale(bot->k[2], spc_sub(ball.X_GB.p, wanted)));
    f = spc_add(f, spc_scale(bot->k[3], ball.V_GB.linear));
    torque = spc_cross(Pz, f); /* which rolls the ball along f */
    check(spc_body_add_torque(bot->world, bot->ball, torque, SPC_ONE_STEP));
    check(spc_body_add_torque(bot->world, bot->body, spc_scale(-1, torque), SPC_ONE_STEP));
}

typedef struct results {
    double time, tilt; /* when it had fallen, or the end [s]; its tilt then [deg] */
    double off;        /* from the place wanted, then [m] */
    double gap;        /* largest, of the joint [m] */
} results;

/* From a tilt of 5 deg; stops where it has fallen. */
static results run(bool controlled)
{
    const int every = controlled ? 2 * RATE : RATE / 10, steps = SECONDS * RATE;
    const ballbot bot = make_ballbot();
    spc_vec3 wanted = spc_vec3_make(0, 0, RADIUS), up, gap;
    results r = { 0, 0, 0, 0 };
    spc_state ball, body;
    spc_rows rows;
    const double *e = rows.position_errors;
    int i;
    printf("%s\n time [s]    tilt [deg]         x [m]         y [m]\n",
           controlled ? "controlled" : "free");
    for (i = 0;; i++) {
        if (2 * i == steps)
            wanted = spc_vec3_make(1, 0.5, RADIUS);
        if (controlled)
            control(&bot, wanted);
        check(spc_body_get_state(bot.world, bot.ball, &ball));
        check(spc_body_get_state(bot.world, bot.body, &body));
        check(spc_constraint_get_rows(bot.world, bot.joint, &rows));
        up = spc_rotate(body.X_GB.q, spc_vec3_make(0, 0, 1));
        r.time = (double)i / RATE;
        r.tilt = atan2(hypot(up.x, up.y), up.z) / DEG;
        r.off = spc_norm(spc_sub(ball.X_GB.p, wanted));
        gap = spc_vec3_make(e[0], e[1], e[2]); /* of the joint, in axes of the ball */
        r.gap = fmax(r.gap, spc_norm(gap));
        if (i % every == 0)
            printf("%9.3f %13.8f %13.8f %13.8f\n", r.time, r.tilt, ball.X_GB.p.x, ball.X_GB.p.y);
        if (i == steps || r.tilt > 45)
            break;
        check(spc_step(bot.world, 1.0 / RATE));
    }
    free(bot.world);
    return r;
}

int main(void)
{
    const results loose = run(false), r = run(true);
    const int falls = loose.tilt > 45 && loose.time < 1, ends = r.time >= SECONDS;
    const int ok = falls && ends && r.tilt < UPRIGHT && r.off < PLACE && r.gap < GAP;
    printf("free: 45 deg after %.3f s\n", loose.time);
    printf("controlled: joint to %.1e m, upright to %.1e deg\n", r.gap, r.tilt);
    printf("ballbot: %s, in place to %.1e m after %d s\n", ok ? "ok" : "WRONG", r.off, SECONDS);
    return ok ? 0 : 1;
}
