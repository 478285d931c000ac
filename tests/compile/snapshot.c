/* A snapshot on its way from one build to another: `snapshot write FILE` makes a world and saves
   it, `snapshot open FILE` opens one and steps it. 0: opened, and the step was taken; 2: refused,
   since it is no world of this build; 1: anything else. */
#define SPHERECONTACT_STATIC
#define SPHERECONTACT_IMPLEMENTATION
#include "../../spherecontact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int write_world(FILE *file)
{
    spc_world_desc desc = spc_world_desc_default(3, 3);
    const size_t size = spc_world_size(&desc);
    void *memory = malloc(size);
    spc_world *world;
    int i;
    if (spc_world_create(memory, size, &desc, &world))
        return 1;
    for (i = 0; i < 3; i++) {
        spc_body_desc body = spc_body_desc_default();
        spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
        spc_constraint contact;
        body.mass = spc_mass_solid_sphere(1, 1);
        body.state.X_GB.p.z = 1;
        roll.shape.radius = 1;
        if (spc_body_add(world, &body, &roll.ball) ||
            spc_sphere_on_plane_add(world, &roll, &contact))
            return 1;
    }
    if (spc_step(world, SPC_R(0.0078125)) || fwrite(memory, 1, size, file) != size)
        return 1;
    free(memory);
    return 0;
}

static int open_world(FILE *file)
{
    static char bytes[1 << 16];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    void *memory = malloc(size); /* exactly so much, for a sanitizer */
    spc_world *world = NULL;
    spc_status status;
    int code;
    if (!memory || size == 0)
        return 1;
    memcpy(memory, bytes, size);
    status = spc_world_open(memory, size, &world);
    code = status ? status == SPC_ERROR_NOT_A_WORLD && !world ? 2 : 1 : 0;
    if (world && spc_step(world, SPC_R(0.0078125)))
        code = 1;
    free(memory);
    return code;
}

int main(int argc, char **argv)
{
    const int writes = argc == 3 && strcmp(argv[1], "write") == 0;
    FILE *file = argc == 3 ? fopen(argv[2], writes ? "wb" : "rb") : NULL;
    int status;
    if (!file)
        return 1;
    status = writes ? write_world(file) : open_world(file);
    return fclose(file) ? 1 : status;
}
