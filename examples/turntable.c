/* turntable.c - a ball on a spinning turntable does not fly off: it circles

   A solid ball that rolls without slip on a level table, which a motor turns at Omega, moves on a
   circle with the angular velocity 2/7 Omega, wherever and however it starts. If the table is
   tilted by alpha the circle drifts, not downhill but along the contour line, with
   5 g sin(alpha) / (2 Omega): m v' = F + m g and 2/5 m r^2 w' = -r Pz x F, with the slip
   v - r w x Pz - Omega Pz x p kept zero, give v' = 2/7 Omega Pz x v + 5/7 g along the table.
   (Weltner, "Stable circular orbits of freely moving balls on rotating discs", Am. J. Phys.)
   The table is a kinematic body: its motion is prescribed.

   build: cc -O2 examples/turntable.c -lm -o turntable
   last line: turntable: ok, returns to 9.7e-14 m
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define OMEGA 3.5  /* of the table [rad/s]: the ball circles at 1 rad/s */
#define RADIUS 0.1 /* of the ball [m] */
#define STEPS 4000 /* in one period of the ball, 2 pi / (2/7 Omega) */

/* Runge-Kutta turns v by an angle x = 2 pi / STEPS with the error x^5 / 120 in each step: over a
   period 2 pi x^4 / 120 = 3.2e-13 of the circle's radius, which is 0.3 m. Rounding: 4000 sums below
   8 m, at most 4.4e-16 m each, all of them one way. */
#define TOLERANCE 2e-12

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

/* Table and ball in a frame G whose z axis is the table's normal Pz: a tilt tilts gravity. */
static spc_world *make_world(spc_vec3 gravity, const spc_state *start, spc_body *ball)
{
    spc_world_desc desc = spc_world_desc_default(2, 1);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_constraint contact;
    spc_world *world;

    desc.gravity = gravity;
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    body.kind = SPC_KINEMATIC;
    body.state.V_GB.angular = spc_vec3_make(0, 0, OMEGA);
    check(spc_body_add(world, &body, &roll.floor));
    body.kind = SPC_DYNAMIC;
    body.mass = spc_mass_solid_sphere(1, RADIUS);
    body.state = *start;
    check(spc_body_add(world, &body, &roll.ball));
    roll.shape.radius = RADIUS;
    check(spc_sphere_on_plane_add(world, &roll, &contact));
    *ball = roll.ball;
    return world;
}

/* Runs one period; returns how far the ball ends from where it should [m], and velocity likewise
   [m/s], whichever is larger. */
static double run(double alpha)
{
    const double circling = 2 * OMEGA / 7, h = 2 * PI / circling / STEPS;
    const spc_vec3 Pz = spc_vec3_make(0, 0, 1);
    const spc_vec3 gravity = spc_vec3_make(9.81 * sin(alpha), 0, -9.81 * cos(alpha));
    const spc_vec3 drift = spc_scale(5 / (2 * OMEGA), spc_cross(Pz, gravity)); /* [m/s] */
    spc_state start = spc_state_identity(), now;
    spc_vec3 table, centre, p_error, v_error;
    spc_world *world;
    spc_body ball;
    int i;

    start.X_GB.p = spc_vec3_make(0.5, 0, RADIUS);
    start.V_GB.linear = spc_vec3_make(0, 0.3, 0);
    /* Rolling: r w x Pz is the ball's velocity over the table below it. */
    table = spc_scale(OMEGA, spc_cross(Pz, start.X_GB.p));
    start.V_GB.angular = spc_scale(1 / RADIUS, spc_cross(Pz, spc_sub(start.V_GB.linear, table)));
    world = make_world(gravity, &start, &ball);

    /* The circle's centre moves with the drift; the rest of the velocity circles about it. */
    centre = spc_cross(Pz, spc_sub(start.V_GB.linear, drift));
    centre = spc_add(start.X_GB.p, spc_scale(1 / circling, centre));
    printf("tilt %.0f deg\n   time [s]      x [m]      y [m]   from circle's centre [m]\n",
           alpha * 180 / PI);
    for (i = 0;; i++) {
        check(spc_body_get_state(world, ball, &now));
        if (i % (STEPS / 8) == 0) {
            const spc_vec3 moved = spc_add(centre, spc_scale(spc_world_time(world), drift));
            printf("%11.6f %10.6f %10.6f %26.15f\n", spc_world_time(world), now.X_GB.p.x,
                   now.X_GB.p.y, spc_norm(spc_sub(now.X_GB.p, moved)));
        }
        if (i == STEPS)
            break;
        check(spc_step_rk4(world, h, SPC_DRIFT_STABILIZE));
    }
    free(world);
    p_error = spc_sub(spc_sub(now.X_GB.p, start.X_GB.p), spc_scale(STEPS * h, drift));
    v_error = spc_sub(now.V_GB.linear, start.V_GB.linear);
    return fmax(spc_norm(p_error), spc_norm(v_error));
}

int main(void)
{
    const double level = run(0), tilted = run(5 * PI / 180);
    const int ok = level < TOLERANCE && tilted < TOLERANCE;
    printf("turntable: %s, returns to %.1e m\n", ok ? "ok" : "WRONG", fmax(level, tilted));
    return ok ? 0 : 1;
}
