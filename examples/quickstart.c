/* quickstart.c - the program of the header's front page: a ball rolls, pulled along the floor

   build: cc -O2 examples/quickstart.c -lm -o quickstart
   last line: x = 0.357143 m after 1 s
*/
#define SPHERECONTACT_IMPLEMENTATION      // in exactly one source file
#include "../spherecontact.h"
#include <stdio.h>

int main(void)
{
    static double memory[900];                           // the world's: nothing is allocated
    spc_world_desc desc = spc_world_desc_default(1, 1);  // one body, one constraint
    spc_ball_desc ball = spc_ball_desc_default();        // on the ground, z = 0
    spc_world *world = NULL;
    spc_body body = { 0, 0 };

    desc.gravity = spc_vec3_make(1, 0, -9.81);           // a slope: 1 m/s^2 of it along x
    ball.mass = spc_mass_solid_sphere(1, ball.radius = 0.1);
    spc_status status = spc_world_create(memory, sizeof memory, &desc, &world);
    spc_status_keep(&status, spc_ball_add(world, &ball, &body, NULL));
    for (int i = 0; i < 60; i++) spc_status_keep(&status, spc_step(world, 1.0 / 60));
    printf("x = %.6f m after 1 s\n", spc_body_position(world, body).x);
    /* 60 sums below 1 m, each rounded by at most 1.1e-16 m, stay far below 1e-12 m. */
    if (!(spc_norm(spc_sub(spc_body_position(world, body), spc_vec3_make(5. / 14, 0, .1))) < 1e-12))
        return 1; /* not 5/14 m */
    return status ? (puts(spc_status_text(status)), 1) : 0;  // x = 0.357143 m after 1 s
}
