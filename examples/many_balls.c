/* many_balls.c - 1,000 balls fall into a box: a uniform grid finds which are near each other

   The library has no collision detection; for balls this is what it takes. The floor is cut into
   cells as wide as balls that could meet in the next step are apart. A ball looks at those in the
   nine cells around it. Pairs that come near get a one-sided contact, open until they meet.

   build: cc -O2 examples/many_balls.c -lm -o many_balls
   last line: many_balls: ok, energy +4.5e-05, residual 7.2e-14
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BALLS 1000
#define R 0.05         /* of a ball [m] */
#define BOX 2.4        /* half the box's width [m] */
#define NEAR (2.5 * R) /* balls come nearer by 0.025 m in a step at 6 m/s */
#define CELLS 39       /* along each axis, and one more to either side */
#define MOST 12        /* balls near one that come before it */

static spc_world *world;
static spc_status status; /* the first that is not ok */
static spc_body balls[BALLS];
static spc_vec3 at[BALLS];
static int count[BALLS], others[BALLS][MOST]; /* near a ball, of those before it */
static spc_constraint contacts[BALLS][MOST];
static double overlap; /* the largest [m] */
static spc_sphere_on_plane_desc plane;
static spc_sphere_on_sphere_desc pair;

/* Balls that have come near get a contact. */
static void meet(int i, int j)
{
    int k;
    for (k = 0; k < count[i] && others[i][k] != j;)
        k++;
    if (k < count[i] || k == MOST || spc_norm(spc_sub(at[i], at[j])) > NEAR)
        return;
    pair.a = balls[j];
    pair.b = balls[i];
    spc_status_keep(&status, spc_sphere_on_sphere_add(world, &pair, &contacts[i][k]));
    others[i][count[i]++] = j;
}

/* Those that have gone apart lose it. */
static void find_pairs(void)
{
    int first[CELLS + 2][CELLS + 2] = { { 0 } }, next[BALLS]; /* lists of balls + 1; 0: the end */
    for (int i = 0; i < BALLS; i++) {
        at[i] = spc_body_position(world, balls[i]);
        for (int k = count[i] - 1; k >= 0; k--) {
            const double apart = spc_norm(spc_sub(at[i], at[others[i][k]]));
            overlap = fmax(overlap, 2 * R - apart);
            if (apart <= NEAR)
                continue;
            spc_status_keep(&status, spc_constraint_remove(world, contacts[i][k]));
            contacts[i][k] = contacts[i][--count[i]];
            others[i][k] = others[i][count[i]];
        }
        const int x = (int)((at[i].x + BOX) / NEAR), y = (int)((at[i].y + BOX) / NEAR);
        for (int k = 0; k < 9; k++)
            for (int j = first[x + k / 3][y + k % 3]; j > 0; j = next[j - 1])
                meet(i, j - 1);
        next[i] = first[x + 1][y + 1];
        first[x + 1][y + 1] = i + 1;
    }
}

/* Balls in layers, each with floor and walls. */
static void add_ball(int i)
{
    const spc_vec3 up = spc_vec3_make(0, 0, 1);
    const double x = i % 20 - 9.5 + 0.005 * (i % 7), y = i / 20 % 20 - 9.5 + 0.005 * (i % 3);
    spc_body_desc body = spc_body_desc_default();
    spc_constraint contact;
    body.mass = spc_mass_solid_sphere(1, R);
    body.state.X_GB.p = spc_vec3_make(4.4 * R * x, 4.4 * R * y, (1.5 + 2.2 * (i / 400)) * R);
    spc_status_keep(&status, spc_body_add(world, &body, &balls[i]));
    plane.ball = balls[i];
    for (int k = 0; k < 5; k++) {
        const spc_vec3 n = spc_vec3_make((k == 1) - (k == 2), (k == 3) - (k == 4), k == 0);
        plane.shape.X_FP.p = spc_scale(k ? -BOX : 0, n);
        spc_status_keep(&status, spc_quat_from_two_vectors(up, n, &plane.shape.X_FP.q));
        spc_status_keep(&status, spc_sphere_on_plane_add(world, &plane, &contact));
    }
}

int main(void)
{
    spc_world_desc desc = spc_world_desc_default(BALLS, 12 * BALLS);
    spc_energy_momentum sum = { 0 };
    spc_world_report report = { 0 };
    double last = 1e9, rise = 0, residual = 0;
    desc.gravity.z = -9.81;
    status = spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world);
    plane = spc_sphere_on_plane_desc_default();
    pair = spc_sphere_on_sphere_desc_default();
    plane.shape.radius = pair.shape.radius_a = pair.shape.radius_b = R;
    plane.one_sided = pair.one_sided = true;
    plane.law.grip = false;
    plane.law.friction = 0.3;
    plane.law.restitution = 0.5;
    pair.law = plane.law;
    for (int i = 0; i < BALLS; i++)
        add_ball(i);
    for (int i = 0; i < 240 && !status; i++, last = sum.kinetic + sum.potential) {
        find_pairs();
        spc_status_keep(&status, spc_step(world, 1.0 / 240));
        spc_status_keep(&status, spc_world_get_energy_momentum(world, &sum));
        spc_status_keep(&status, spc_world_get_report(world, &report));
        rise = fmax(rise, (sum.kinetic + sum.potential) / last - 1);
        residual = fmax(residual, report.residual);
    }
    free(world);
    const bool ok = !status && rise < 1e-3 && residual < 1e-9 && overlap < R / 10;
    printf("many_balls: %s, energy +%.1e, residual %.1e\n", ok ? "ok" : "WRONG", rise, residual);
    return ok ? 0 : 1;
}
