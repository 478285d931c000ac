/* snapshot.c - save and restore: the same bits again, here and at another address

   A world is one block of memory without a pointer into itself. Copying its
   spc_world_snapshot_size() bytes saves everything; copying them back rewinds (rollback netcode,
   undo, trying an action). Bytes at another address become a world by spc_world_open. Handles stay
   good in every copy. The future is the same to the last bit, which spc_world_hash tells.

   build: cc -O2 examples/snapshot.c -lm -o snapshot
   last line: snapshot: ok, three runs end in the same bits
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BALLS 3

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

/* Balls with centres of mass beside their centres wobble over the ground. */
static spc_world *make_world(spc_body *ball)
{
    spc_world_desc desc = spc_world_desc_default(BALLS, BALLS);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_constraint contact;
    spc_world *world;
    int i;

    desc.gravity = spc_vec3_make(0, 0, -9.81);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    roll.shape.radius = 0.1;
    for (i = 0; i < BALLS; i++) {
        body.mass = spc_mass_solid_sphere(1, 0.1);
        body.mass.p_BBc = spc_vec3_make(0.02, 0, 0.01 * i);
        body.state.X_GB.p = spc_vec3_make(0, 0.4 * i, 0.1);
        body.state.V_GB.angular = spc_vec3_make(1, 10, 3);
        check(spc_body_add(world, &body, &roll.ball));
        check(spc_sphere_on_plane_add(world, &roll, &contact));
    }
    check(spc_world_project_velocities(world)); /* the spins bring the speeds of rolling along */
    *ball = roll.ball;
    return world;
}

/* 1000 steps; the hash of where they lead. */
static unsigned long long run(spc_world *world, spc_body ball, const char *name)
{
    unsigned long long hash;
    spc_state state;
    int i;
    for (i = 0; i < 1000; i++)
        check(spc_step(world, 1.0 / 240));
    hash = spc_world_hash(world);
    check(spc_body_get_state(world, ball, &state));
    printf("%-20s %8.4f %20.16f %20.16f   %016llx\n", name, spc_world_time(world), state.X_GB.p.x,
           state.X_GB.p.y, hash);
    return hash;
}

int main(void)
{
    spc_body ball;
    spc_world *world = make_world(&ball), *other;
    size_t bytes;
    void *saved, *elsewhere;
    unsigned long long begin, first, again, there;
    int ok;

    printf("run                  time [s]      last ball x [m]                y [m]   hash\n");
    begin = run(world, ball, "before the snapshot");

    bytes = spc_world_snapshot_size(world);
    saved = malloc(bytes);
    elsewhere = malloc(bytes);
    if (!saved || !elsewhere)
        return 1;
    memcpy(saved, world, bytes); /* save */
    first = run(world, ball, "on from there");

    memcpy(world, saved, bytes); /* restore */
    again = run(world, ball, "restored");

    memcpy(elsewhere, saved, bytes); /* or restore at another address; `saved` itself would do */
    check(spc_world_open(elsewhere, bytes, &other));
    there = run(other, ball, "at another address");

    free(world);
    free(elsewhere);
    free(saved);
    ok = first == again && first == there && first != begin;
    printf("snapshot: %s\n", ok ? "ok, three runs end in the same bits" : "WRONG, the runs differ");
    return ok ? 0 : 1;
}
