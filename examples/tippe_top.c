/* tippe_top.c - a ball whose centre of mass is below its middle, spun fast, turns it to the top

   Where the top slides friction takes energy, and yet lifts it. Friction acts at C, whatever it is:
   with the vector a from the centre of mass to C and the spin L about the centre of mass, dL/dt =
   a x F. On a body that is symmetric about the line through both centres L . da/dt is 0, too, so
   that L . a stays as it is (Jellett's invariant). To lose energy at a given L . a the arm has to
   get longer: the centre of mass rises, until the top rolls and friction takes no more. Seen from
   above the spin keeps its sense; for the top itself it turns around.
   (Cohen, The tippe top revisited, Am. J. Phys. 45)

   build: cc -O2 examples/tippe_top.c -lm -o tippe_top
   last line: tippe_top: ok, turned by 146 degrees
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define R 0.02     /* [m] */
#define D 0.006    /* of the centre of mass below the middle [m] */
#define MASS 0.015 /* [kg] */
#define SPIN 100.0 /* about its axis, which leans by 0.3 rad [rad/s] */

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

static spc_world *make_top(spc_body *top)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc table = spc_sphere_on_plane_desc_default();
    spc_constraint contact;
    spc_world *world;
    desc.gravity = spc_vec3_make(0, 0, -9.81);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    body.mass = spc_mass_solid_sphere(MASS, R);
    body.mass.p_BBc.z = -D;
    body.state.X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(0.3, 0, 0));
    body.state.X_GB.p.z = table.shape.radius = R;
    body.state.V_GB.angular = spc_rotate(body.state.X_GB.q, spc_vec3_make(0, 0, SPIN));
    check(spc_body_add(world, &body, top));
    table.ball = *top;
    table.one_sided = true;
    table.law.grip = false;
    table.law.friction = 0.05;
    check(spc_sphere_on_plane_add(world, &table, &contact));
    return world;
}

/* Runs for 6 s; returns the largest change of Jellett's invariant, of 1, and the tilt [deg]. */
static double run(int rate, double *tilt)
{
    const spc_vec3 z = spc_vec3_make(0, 0, 1);
    double jellett = 0, worst = 0, energy = 0;
    spc_energy_momentum now;
    spc_state state;
    spc_body top;
    spc_world *world = make_top(&top);
    int i;
    printf("   time [s]   tilt [deg]   spin about its axis [rad/s]   energy [J]   (%d Hz)\n", rate);
    for (i = 0; i <= 6 * rate; i++) {
        spc_vec3 axis, a, L;
        check(spc_body_get_state(world, top, &state));
        check(spc_world_get_energy_momentum(world, &now));
        axis = spc_rotate(state.X_GB.q, z);
        a = spc_sub(spc_scale(D, axis), spc_scale(R, z));
        L = spc_scale(0.4 * MASS * R * R, state.V_GB.angular);
        jellett = i == 0 ? spc_dot(L, a) : jellett;
        worst = fmax(worst, fabs(spc_dot(L, a) / jellett - 1));
        if (i > 0 && now.kinetic + now.potential > energy * (1 + 1e-8))
            exit((puts("tippe_top: WRONG, energy rises"), 1));
        energy = now.kinetic + now.potential;
        *tilt = acos(axis.z) * 180 / PI;
        if (i % rate == 0)
            printf("%11.3f %12.3f %29.3f %12.6f\n", spc_world_time(world), *tilt,
                   spc_dot(state.V_GB.angular, axis), energy);
        check(spc_step(world, 1.0 / rate));
    }
    free(world);
    return worst;
}

int main(void)
{
    double coarse, tilt;
    const double at_1000 = run(1000, &coarse), at_4000 = run(4000, &tilt);
    /* The step is of second order, and turns by w h = 0.1 rad in 1 ms: (w h)^2 / 12 at most. */
    const int ok = at_1000 < 8e-4 && at_4000 < at_1000 / 10 && tilt > 130 && coarse > 130;
    printf("Jellett's invariant: to %.1e at 1000 Hz, %.1e at 4000 Hz\n", at_1000, at_4000);
    printf("tippe_top: %s, turned by %.0f degrees\n", ok ? "ok" : "WRONG", tilt);
    return ok ? 0 : 1;
}
