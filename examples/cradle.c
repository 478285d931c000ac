/* cradle.c - Newton's cradle: as many balls leave as come

   Five equal balls hang in a row on rods without mass, and touch. Some are pulled aside and let go.
   Balls that are struck one after the other, each by its neighbour, with e = 1, hand their speed
   on: as many as came swing up, to the same height, and back. Struck all at once, as by
   law.propagates = false, they keep the momentum, but move together.

   A swing of a ball on a rod of length l to the angle a, with the inertia I = m l^2 + 2/5 m r^2
   about the pivot, takes 2 pi sqrt(I / (m g l)) (1 + a^2 / 16 + 11 a^4 / 3072 + ...).

   build: cc -O2 examples/cradle.c -lm -o cradle
   last line: cradle: ok, 1 to 4 balls come back to 20 degrees within 3e-05
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BALLS 5
#define RADIUS 0.05 /* [m] */
#define LENGTH 1.0  /* of rods, to the centres [m] */
#define GRAVITY 9.81 /* [m/s^2] */
#define ANGLE 20.0  /* [degrees] */
#define NEAR 1e-3   /* of the angle: a swing of 480 steps is right to their square, some 1e-5 */
#define DEGREE 0.017453292519943295

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

/* The cradle with the first balls pulled aside. */
static spc_world *make_cradle(int aside, spc_body *ball)
{
    spc_world_desc desc = spc_world_desc_default(BALLS, 2 * BALLS);
    spc_body_desc body = spc_body_desc_default();
    spc_attachment_desc rod = spc_attachment_desc_default();
    spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
    spc_constraint any;
    spc_world *world;
    int i;
    desc.gravity = spc_vec3_make(0, 0, -GRAVITY);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    body.mass = spc_mass_solid_sphere(1, RADIUS);
    rod.shape.locked = SPC_BALL_JOINT;
    rod.shape.X_BM.p = spc_vec3_make(0, 0, LENGTH);
    pair.shape.radius_a = pair.shape.radius_b = RADIUS;
    pair.one_sided = true;
    pair.law.grip = false; /* and no friction */
    pair.law.restitution = 1;
    pair.law.propagates = true;
    for (i = 0; i < BALLS; i++) {
        const double a = i < aside ? ANGLE * DEGREE : 0;
        rod.shape.X_AF.p = spc_vec3_make(2 * RADIUS * i, 0, LENGTH);
        body.state.X_GB.q = spc_quat_make(cos(a / 2), 0, sin(a / 2), 0);
        body.state.X_GB.p = spc_sub(rod.shape.X_AF.p,
                                    spc_rotate(body.state.X_GB.q, spc_vec3_make(0, 0, LENGTH)));
        check(spc_body_add(world, &body, &ball[i]));
        rod.b = pair.b = ball[i];
        check(spc_attachment_add(world, &rod, &any));
        if (i)
            check(spc_sphere_on_sphere_add(world, &pair, &any));
        pair.a = ball[i];
    }
    return world;
}

/* How far a ball hangs to the right [degrees]. */
static double angle_of(spc_world *world, spc_body ball, int i)
{
    return asin((spc_body_position(world, ball).x - 2 * RADIUS * i) / LENGTH) / DEGREE;
}

int main(void)
{
    const double a = ANGLE * DEGREE, inertia = LENGTH * LENGTH + 0.4 * RADIUS * RADIUS;
    const double swing = 2 * 3.141592653589793 * sqrt(inertia / (GRAVITY * LENGTH)) *
                         (1 + a * a / 16 + 11 * a * a * a * a / 3072);
    const double h = 1. / 240;
    double worst = 0;
    int aside, i, k;
    puts("balls  after half a swing [degrees]     after three swings");
    for (aside = 1; aside < BALLS; aside++) {
        spc_body ball[BALLS];
        spc_world *world = make_cradle(aside, ball);
        printf("%5d ", aside);
        for (k = 0; k < 2; k++) {
            const double until = (k ? 3 : 0.5) * swing;
            while (spc_world_time(world) + h / 2 < until)
                check(spc_step(world, h));
            for (i = 0; i < BALLS; i++) {
                const double want = k ? (i < aside ? -ANGLE : 0) : i < BALLS - aside ? 0 : ANGLE;
                const double is = angle_of(world, ball[i], i);
                printf("%7.2f", is);
                worst = fmax(worst, fabs(is - want) / ANGLE);
            }
            printf(k ? "\n" : "   ");
        }
        free(world);
    }
    if (!(worst <= NEAR))
        return printf("cradle: off by %.2g of the angle\n", worst), 1;
    printf("cradle: ok, 1 to %d balls come back to %g degrees within %.1g\n", BALLS - 1, ANGLE,
           worst);
    return 0;
}
