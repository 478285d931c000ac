/* A ball of radius 1 that stands on the ground in x = 0, as each adapter draws it. */
#include "../../spherecontact.h"
#include <stdio.h>
#include <stdlib.h>

static spc_world *make_world(void)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_body_desc ball = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_constraint contact;
    spc_world *world = NULL;
    void *memory = malloc(spc_world_size(&desc));
    desc.gravity = spc_vec3_make(0, 0, -10);
    ball.mass = spc_mass_solid_sphere(1, 1);
    ball.state.X_GB.p.z = roll.shape.radius = 1;
    roll.shape.half_width = 2;
    if (spc_world_create(memory, spc_world_size(&desc), &desc, &world) ||
        spc_body_add(world, &ball, &roll.ball) || spc_sphere_on_plane_add(world, &roll, &contact) ||
        spc_world_forward_dynamics(world))
        exit(1);
    return world;
}
