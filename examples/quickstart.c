/* quickstart.c - the program of the header's front page: a ball rolls, pulled along the floor

   build: cc -O2 examples/quickstart.c -lm -o quickstart
   last line: x = 0.357143 m after 1 s
*/
#define SPHERECONTACT_IMPLEMENTATION      // in exactly one source file
#include "../spherecontact.h"
#include <stdio.h>

int main(void)
{
    static double memory[640];                           // the world's: nothing is allocated
    spc_world_desc desc = spc_world_desc_default(1, 1);  // one body, one constraint
    spc_body_desc ball = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_constraint contact;
    spc_world *world;
    spc_state state;

    desc.gravity = spc_vec3_make(1, 0, -9.81);           // 1 m/s^2 of it along the floor
    ball.mass = spc_mass_solid_sphere(1, 0.1);           // 1 kg, 0.1 m
    ball.state.X_GB.p.z = roll.shape.radius = 0.1;       // the floor is the ground, z = 0
    if (spc_world_create(memory, sizeof memory, &desc, &world)) return 1;
    if (spc_body_add(world, &ball, &roll.ball)) return 1;
    if (spc_sphere_on_plane_add(world, &roll, &contact)) return 1;
    for (int i = 0; i < 60; i++)
        if (spc_step(world, 1.0 / 60)) return 1;
    if (spc_body_get_state(world, roll.ball, &state)) return 1;
    printf("x = %.6f m after 1 s\n", state.X_GB.p.x);    // x = 0.357143 m after 1 s
    /* 5/14 of 1 m: 60 sums below 1 m, each rounded by at most 1.1e-16 m, stay far below 1e-12 m. */
    return state.X_GB.p.x > 5.0 / 14 - 1e-12 && state.X_GB.p.x < 5.0 / 14 + 1e-12 ? 0 : 1;
}
