/* One of two files that share an implementation, or have one each. */
#include "use.h"
#include <stdlib.h>

spc_real use_fall(void)
{
    spc_world_desc desc = spc_world_desc_default(1, 0);
    spc_body_desc body = spc_body_desc_default();
    spc_world *world;
    spc_body ball;
    spc_state state = spc_state_identity();
    int i;
    desc.gravity = spc_vec3_make(0, 0, -2);
    if (spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world))
        return 0;
    body.mass = spc_mass_solid_sphere(1, 1);
    if (spc_body_add(world, &body, &ball))
        return 0;
    for (i = 0; i < 8; i++)
        if (spc_step_rk4(world, SPC_R(0.125), SPC_DRIFT_STABILIZE))
            return 0;
    if (spc_body_get_state(world, ball, &state))
        return 0;
    free(world);
    return state.X_GB.p.z;
}
