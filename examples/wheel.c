/* wheel.c - a wheel that leans runs in a curve; how much room it needs; many steps in one call

   A wheel is given by place, heading, lean and speed, and rolls from the start. At a lean x it runs
   in a steady circle if what gravity does about C is the turn of its angular momentum: with the
   turn rate W and the spin s = speed / r of a hoop, of moments m r^2 and m r^2 / 2,

       2 W s cos(x) - 3/2 W^2 sin(x) cos(x) = g sin(x) / r

   The first refusal is kept, and looked at once, at the end.

   build: cc -O2 examples/wheel.c -lm -o wheel
   last line: wheel: ok, back to 7.8e-06 m of 6.53 m, no refusal
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define GRAVITY 9.81
#define RADIUS 0.3
#define LEAN 0.2  /* to the right [rad] */
#define TURN -1.0 /* to the right [rad/s] */
#define STEPS 8000

int main(void)
{
    static double memory[10000];
    static spc_state states[STEPS];
    spc_world_desc desc = spc_world_desc_default(8, 8), fits; /* room enough */
    spc_wheel_desc wheel = spc_wheel_desc_default();
    spc_world *world = NULL;
    spc_body body = { 0, 0 };
    spc_status status;
    spc_vec3 from;
    double spin = GRAVITY * sin(LEAN) / RADIUS + 1.5 * TURN * TURN * sin(LEAN) * cos(LEAN), off;
    int steps, i;

    spin /= 2 * -TURN * cos(LEAN);
    wheel.mass = spc_mass_ring(1, wheel.radius = RADIUS);
    wheel.lean = LEAN;
    wheel.turn_rate = TURN;
    wheel.speed = RADIUS * spin;
    desc.gravity = spc_vec3_make(0, 0, -GRAVITY);
    status = spc_world_create(memory, sizeof memory, &desc, &world);
    spc_status_keep(&status, spc_wheel_add(world, &wheel, &body, NULL));
    spc_status_keep(&status, spc_world_fitting_desc(world, &fits));
    printf("room for 8: %lu bytes; this world needs %lu\n", (unsigned long)spc_world_size(&desc),
           (unsigned long)spc_world_size(&fits));

    from = spc_body_position(world, body);
    steps = spc_world_run(world, -2 * PI / TURN / STEPS, STEPS, states);
    if (steps < STEPS) /* the next one says why */
        spc_status_keep(&status, spc_step(world, -2 * PI / TURN / STEPS));
    for (i = 0; i < steps; i += STEPS / 8)
        printf("%6.3f s %8.4f %8.4f m\n", (i + 1) * -2 * PI / TURN / STEPS,
               states[i].X_GB.p.x, states[i].X_GB.p.y);
    off = spc_norm(spc_sub(spc_body_position(world, body), from));
    /* second order: some (s h)^2 = 7e-6 of the way */
    printf("wheel: %s, back to %.1e m of %.2f m, %s\n", off < 1e-4 && !status ? "ok" : "WRONG", off,
           2 * PI * RADIUS * spin / -TURN, status ? spc_status_text(status) : "no refusal");
    return off < 1e-4 && !status ? 0 : 1;
}
