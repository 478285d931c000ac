/* The other one. */
#include "use.h"
#include <stdlib.h>

unsigned long long use_roll(void)
{
    spc_world_desc desc = spc_world_desc_default(2, 2);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_world *world;
    spc_constraint contact;
    unsigned long long hash;
    int i;
    desc.gravity = spc_vec3_make(1, 0, SPC_R(-9.81));
    if (spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world))
        return 0;
    body.mass = spc_mass_box(1, spc_vec3_make(SPC_R(0.1), SPC_R(0.2), SPC_R(0.3)));
    body.mass.p_BBc.x = SPC_R(0.05);
    body.state.X_GB.p.z = SPC_R(0.5);
    body.state.V_GB.angular = spc_vec3_make(1, 2, 3);
    roll.shape.radius = SPC_R(0.5);
    for (i = 0; i < 2; i++) {
        if (spc_body_add(world, &body, &roll.ball) ||
            spc_sphere_on_plane_add(world, &roll, &contact))
            return 0;
        body.state.X_GB.p.z = SPC_R(1.5);
        roll.floor = roll.ball;
        roll.shape.X_FP.p.z = SPC_R(0.5);
    }
    for (i = 0; i < 100; i++)
        if (i % 2 ? spc_step(world, SPC_R(0.01))
                  : spc_step_rk4(world, SPC_R(0.01), SPC_DRIFT_PROJECT))
            return 0;
    hash = spc_world_hash(world);
    free(world);
    return hash;
}
