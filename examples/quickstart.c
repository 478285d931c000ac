/* quickstart.c - the program of the header's front page: a ball rolls over the ground for a second

   build: cc -O2 examples/quickstart.c -lm -o quickstart
   last line: x = 1.000000 m after 1 s
*/
#define SPHERECONTACT_IMPLEMENTATION      // in exactly one source file
#include "../spherecontact.h"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);   // one body, one constraint
    spc_world *world;
    spc_body ball;
    spc_constraint contact;
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_state state;
    size_t bytes;
    int i;

    desc.gravity = spc_vec3_make(0, 0, -9.81);
    bytes = spc_world_size(&desc);
    if (spc_world_create(malloc(bytes), bytes, &desc, &world)) return 1;
    body.mass = spc_mass_solid_sphere(1.0, 0.1);          // 1 kg, 0.1 m
    body.state.X_GB.p = spc_vec3_make(0, 0, 0.1);
    body.state.V_GB.linear = spc_vec3_make(1, 0, 0);      // rolling along x
    body.state.V_GB.angular = spc_vec3_make(0, 10, 0);
    if (spc_body_add(world, &body, &ball)) return 1;
    roll.ball = ball;                                     // the floor is the ground
    roll.shape.radius = 0.1;
    if (spc_sphere_on_plane_add(world, &roll, &contact)) return 1;
    for (i = 0; i < 240; i++)
        if (spc_step(world, 1.0 / 240.0)) return 1;
    if (spc_body_get_state(world, ball, &state)) return 1;
    printf("x = %.6f m after 1 s\n", state.X_GB.p.x);     // x = 1.000000 m after 1 s
    free(world);
    /* 240 sums below 1 m, each rounded by at most 1.1e-16 m, stay far below this bound. */
    return state.X_GB.p.x > 1 - 1e-12 && state.X_GB.p.x < 1 + 1e-12 ? 0 : 1;
}
