/* billiards.c - draw, follow, a cushion, throw, and a break of sixteen balls

   All contacts are one-sided: of a ball with the cloth, with the cushions, which are vertical
   planes, and with all other balls. Friction of the cloth does not change 5/7 v + 2/7 r w, a ball's
   speed when it rolls; a hit changes v alone, of which the cue ball keeps (1 - e)/2. So one that
   rolls comes on (follow), and one with back spin comes back (draw). From a cushion a ball comes
   back with (5 e - 2)/7 v. Side spin throws both balls by atan(mu), of their friction.

   build: cc -O2 examples/billiards.c -lm -o billiards
   last line: billiards: ok, energy only falls
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define R 0.0286      /* of a ball [m] */
#define E 0.9         /* restitution of balls and cushions */
#define SLOWS 1.962   /* mu g of the cloth, 0.2 x 9.81 [m/s^2] */
#define H (1.0 / 240) /* [s] */

static double memory[400000];
static spc_world *world;
static spc_body balls[16];
static spc_constraint contact; /* the last one */
static double cloth = 0.2, mu; /* friction of the cloth, and between balls */
static double rise, residual;  /* the largest: of energy in a step [J]; of the law */

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

static void add_plane(spc_body ball, double distance, spc_vec3 normal, double friction, double e)
{
    spc_sphere_on_plane_desc plane = spc_sphere_on_plane_desc_default();
    plane.ball = ball;
    plane.shape.radius = R;
    plane.shape.X_FP.p = spc_scale(-distance, normal);
    check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), normal, &plane.shape.X_FP.q));
    plane.one_sided = true;
    plane.law.grip = false;
    plane.law.friction = friction;
    plane.law.restitution = e;
    check(spc_sphere_on_plane_add(world, &plane, &contact));
}

static void add_ball(int i, double x, double y)
{
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
    body.mass = spc_mass_solid_sphere(0.17, R);
    body.state.X_GB.p = spc_vec3_make(x, y, R);
    check(spc_body_add(world, &body, &balls[i]));
    add_plane(balls[i], 0, spc_vec3_make(0, 0, 1), cloth, 0);
    for (int side = -1; side <= 1; side += 2) {
        add_plane(balls[i], 1.27, spc_vec3_make(side, 0, 0), 0, E);
        add_plane(balls[i], 0.635, spc_vec3_make(0, side, 0), 0, E);
    }
    pair.shape.radius_a = pair.shape.radius_b = R;
    pair.one_sided = true;
    pair.law.grip = false;
    pair.law.friction = mu;
    pair.law.restitution = E;
    for (pair.b = balls[i]; i-- > 0;) {
        pair.a = balls[i];
        check(spc_sphere_on_sphere_add(world, &pair, &contact));
    }
}

/* Shoots the cue ball from x with v along the table and spin w; returns its velocity later. */
static spc_vec3 shoot(int count, double x, double v, spc_vec3 w, double seconds)
{
    spc_world_desc desc = spc_world_desc_default(16, 200);
    spc_energy_momentum now;
    spc_world_report report;
    spc_state cue;
    double kinetic = 1e9;
    desc.gravity.z = -9.81;
    desc.solver_bytes = 2000000; /* as spc_world_solver_bytes tells */
    check(spc_world_create(memory, sizeof memory, &desc, &world));
    add_ball(0, x, 0);
    for (int row = 0, n = 1; n < count; row++)
        for (int i = 0; i <= row && n < count; i++)
            add_ball(n++, 0.6 + row * sqrt(3) * R, (2 * i - row) * R);
    check(spc_body_set_velocity(world, balls[0], spc_spatial_make(w, spc_vec3_make(v, 0, 0))));
    while (spc_world_time(world) < seconds) {
        check(spc_step(world, H));
        check(spc_world_get_energy_momentum(world, &now));
        check(spc_world_get_report(world, &report));
        rise = fmax(rise, now.kinetic - kinetic);
        kinetic = now.kinetic;
        residual = fmax(residual, report.residual);
    }
    check(spc_body_get_state(world, balls[0], &cue));
    return cue.V_GB.linear;
}

int main(void)
{
    /* Back spin r w = -1 m/s and v = 1 m/s are less after 0.1 m: at the hit v and 1.5 - 2.5 v. */
    const double v = sqrt(1 - 2 * SLOWS * 0.1), kept = (1 - E) / 2 * 5 / 7, x = 0.5 - 2 * R;
    const spc_vec3 top = spc_vec3_make(0, 1 / R, 0), side = spc_vec3_make(0, 0, 1 / R);
    const double follow = shoot(2, x, 1, top, 1).x - (kept + 2.0 / 7);
    const double draw = shoot(2, x, 1, spc_scale(-1, top), 1).x - (kept * v + (3 - 5 * v) / 7);
    const double cushion = shoot(1, x, 1, top, 1.2).x + (5 * E - 2) / 7;
    cloth = 0, mu = 0.06;
    const spc_vec3 recoil = spc_sub(spc_vec3_make(1, 0, 0), shoot(2, x, 1, side, 0.2));
    const double thrown = recoil.y / recoil.x - mu;
    cloth = 0.2;
    shoot(16, 0, 8, spc_vec3_make(0, 0, 0), 3);
    printf("follow %.1e, draw %.1e, cushion %.1e m/s, throw %.1e, residual %.1e, energy %+.1e J\n",
           follow, draw, cushion, thrown, residual, rise);
    /* In the step of a hit the cloth acts from its beginning to its end: v is wrong by mu g h. */
    const int ok = fabs(follow) < SLOWS * H && fabs(draw) < SLOWS * H && rise < 1e-14 &&
                   fabs(cushion) < SLOWS * H && fabs(thrown) < 1e-12 && residual < 1e-9;
    return printf("billiards: %s, energy only falls\n", ok ? "ok" : "WRONG") < 0 || !ok;
}
