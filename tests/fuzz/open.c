/* Fuzzing of spc_world_open (libFuzzer; run.sh builds and runs it): bytes that are no world, or one
   that was spoiled. The input's first byte says which:

       even   its other bytes are the memory
       odd    the memory is a world with bodies, constraints and free slots, of which the other
              bytes spoil the head, the counts and the offsets: pairs of a place and a value; bits
              cut it short

   Whatever it is: opening changes nothing, a refusal leaves the pointer alone, and a world that
   opens lies within its memory, which is as long as it is said to be, and so does what asking reads
   of it. */
#define SPHERECONTACT_IMPLEMENTATION
#include "../../spherecontact.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the run: libFuzzer keeps the input. */
static void fail(const char *what)
{
    fprintf(stderr, "FINDING: %s\n", what);
    abort();
}

/* Five slots of bodies and four of constraints, one of each free again. */
static spc_world *make_world(void)
{
    spc_world_desc desc = spc_world_desc_default(5, 4);
    spc_body_desc ball = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_body spare;
    spc_constraint c = { 0, 0 };
    spc_world *w = NULL;
    int i;
    if (spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &w))
        fail("the target itself: no world");
    ball.mass = spc_mass_solid_sphere(1, 1);
    ball.state.X_GB.p.z = 1;
    roll.shape.radius = 1;
    for (i = 0; i < 3; i++)
        if (spc_body_add(w, &ball, &roll.ball) || spc_sphere_on_plane_add(w, &roll, &c))
            fail("the target itself: no bodies");
    if (spc_constraint_remove(w, c) || spc_body_add(w, &ball, &spare) ||
        spc_body_remove(w, spare) || spc_step(w, SPC_R(0.0078125)))
        fail("the target itself: no step");
    return w;
}

/* What reads counts and capacities, and what they bound. */
static void ask(const spc_world *w)
{
    static const unsigned hostile[] = { 0, 1, 5, 6, 127, 16777216, INT_MAX, UINT_MAX };
    spc_energy_momentum energy;
    unsigned i;
    (void)spc_world_hash(w);
    (void)spc_world_time(w);
    (void)spc_world_column_count(w);
    (void)spc_world_get_energy_momentum(w, &energy);
    for (i = 0; i < 2 * sizeof hostile / sizeof *hostile; i++) {
        spc_body body;
        spc_constraint constraint;
        body.index = constraint.index = hostile[i / 2];
        body.generation = constraint.generation = 1 + i % 2;
        (void)spc_body_exists(w, body);
        (void)spc_constraint_exists(w, constraint);
    }
}

/* Opens memory of so many bytes. */
static void open_bytes(unsigned char *memory, size_t bytes)
{
    unsigned char *before = (unsigned char *)malloc(bytes + 1);
    spc_world *const none = (spc_world *)(void *)&before;
    spc_world *world = none;
    spc_status status;
    memcpy(before, memory, bytes);
    status = spc_world_open(memory, bytes, &world);
    if (memcmp(before, memory, bytes) != 0)
        fail("opening changed the bytes");
    if (status != SPC_OK && world != none)
        fail("a refused call wrote to its output");
    if (status == SPC_OK) {
        if ((void *)world != (void *)memory || spc_world_snapshot_size(world) > bytes)
            fail("a world that is not in its memory");
        ask(world);
    }
    free(before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t front = sizeof(struct spc_world);
    unsigned char *memory;
    spc_world *w;
    size_t bytes, i;
    if (size == 0)
        return 0;
    if (data[0] % 2 == 0) {
        memory = (unsigned char *)malloc(size); /* exactly so much, which the sanitizer guards */
        memcpy(memory, data + 1, size - 1);
        open_bytes(memory, size - 1);
        free(memory);
        return 0;
    }
    w = make_world();
    bytes = spc_world_snapshot_size(w);
    memory = (unsigned char *)malloc(bytes);
    memcpy(memory, w, bytes);
    free(w);
    for (i = 1; i + 1 < size; i += 2)
        memory[data[i] % front] = data[i + 1];
    open_bytes(memory, data[0] & 2u ? bytes - 1 - data[0] / 4 * 8u : bytes);
    free(memory);
    return 0;
}
