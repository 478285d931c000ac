/* many_balls.c - 100 balls fall into a box: a uniform grid finds which are near each other

   The library has no collision detection; for balls this is what it takes. The floor is cut into
   cells as wide as the centres of balls that could meet in the next step are apart. A ball looks at
   those in the nine cells around it. Pairs that came near get a one-sided contact, open until they
   meet; those that went apart lose it. What overlaps is taken apart, which lifts a little.

   build: cc -O2 examples/many_balls.c -lm -o many_balls
   last line: many_balls: ok, energy +4.1e-04, residual 1.4e-14
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BALLS 100
#define R 0.05         /* of a ball [m] */
#define BOX 0.8        /* half the box's width [m] */
#define NEAR (2.5 * R) /* balls come nearer by 0.025 m in a step at 6 m/s */
#define CELLS 13       /* along each axis, and one more to either side */

static spc_world *world;
static spc_body balls[BALLS];
static spc_state now[BALLS];
static double overlap; /* the largest [m] */
static spc_sphere_on_plane_desc plane;
static spc_sphere_on_sphere_desc pair;
static spc_constraint contact, pairs[BALLS][BALLS]; /* of balls i and j < i */

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

/* Balls that are near have a contact, others have none. */
static void look(int i, int j)
{
    const double apart = spc_norm(spc_sub(now[i].X_GB.p, now[j].X_GB.p));
    const bool there = spc_constraint_exists(world, pairs[i][j]);
    overlap = fmax(overlap, 2 * R - apart);
    pair.a = balls[i];
    pair.b = balls[j];
    if (apart > NEAR && there)
        check(spc_constraint_remove(world, pairs[i][j]));
    if (apart <= NEAR && !there)
        check(spc_sphere_on_sphere_add(world, &pair, &pairs[i][j]));
}

static void find_pairs(void)
{
    int first[CELLS + 2][CELLS + 2] = { { 0 } }, next[BALLS]; /* lists of balls + 1; 0: the end */
    for (int i = 0, j, x, y; i < BALLS; i++) {
        check(spc_body_get_state(world, balls[i], &now[i]));
        for (j = 0; j < i; j++)
            if (spc_constraint_exists(world, pairs[i][j]))
                look(i, j);
        x = (int)((now[i].X_GB.p.x + BOX) / NEAR);
        y = (int)((now[i].X_GB.p.y + BOX) / NEAR);
        for (int k = 0; k < 9; k++)
            for (j = first[x + k / 3][y + k % 3]; j > 0; j = next[j - 1])
                look(i, j - 1);
        next[i] = first[x + 1][y + 1];
        first[x + 1][y + 1] = i + 1;
    }
}

/* Balls in layers of 5 x 5, each with floor and walls. */
static void add_ball(int i)
{
    static const spc_vec3 normals[5] = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 },
                                         { -1, 0, 0 }, { 0, -1, 0 } };
    const double x = i % 5 - 2 + 0.005 * (i % 7), y = i / 5 % 5 - 2 + 0.005 * (i % 3);
    spc_body_desc body = spc_body_desc_default();
    body.mass = spc_mass_solid_sphere(1, R);
    body.state.X_GB.p = spc_vec3_make(4.4 * R * x, 4.4 * R * y, (1.5 + 2.2 * (i / 25)) * R);
    check(spc_body_add(world, &body, &balls[i]));
    plane.ball = balls[i];
    for (int k = 0; k < 5; k++) {
        plane.shape.X_FP.p = spc_scale(k ? -BOX : 0, normals[k]);
        check(spc_quat_from_two_vectors(normals[0], normals[k], &plane.shape.X_FP.q));
        check(spc_sphere_on_plane_add(world, &plane, &contact));
    }
}

int main(void)
{
    spc_world_desc desc = spc_world_desc_default(BALLS, 12 * BALLS);
    spc_energy_momentum sum;
    spc_world_report report;
    double energy = 1e9, rise = 0, residual = 0;
    int i;
    desc.gravity.z = -9.81;
    desc.solver_bytes = 10000000; /* for heaps; spc_world_solver_bytes tells it */
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    plane = spc_sphere_on_plane_desc_default();
    pair = spc_sphere_on_sphere_desc_default();
    plane.shape.radius = pair.shape.radius_a = pair.shape.radius_b = R;
    plane.one_sided = pair.one_sided = true;
    plane.law.grip = false;
    plane.law.friction = 0.3;
    plane.law.restitution = 0.5;
    pair.law = plane.law;
    for (i = 0; i < BALLS; i++)
        add_ball(i);
    for (i = 0; i < 240; i++) {
        find_pairs();
        check(spc_step(world, 1.0 / 240));
        check(spc_world_get_energy_momentum(world, &sum));
        check(spc_world_get_report(world, &report));
        rise = fmax(rise, (sum.kinetic + sum.potential) / energy - 1);
        energy = sum.kinetic + sum.potential;
        residual = fmax(residual, report.residual);
    }
    free(world);
    i = rise < 1e-3 && residual < 1e-9 && overlap < R / 10;
    printf("many_balls: %s, energy +%.1e, residual %.1e\n", i ? "ok" : "WRONG", rise, residual);
    return i ? 0 : 1;
}
