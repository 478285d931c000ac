/* What two worlds that are to run on alike are compared by, for tests of states. */
#ifndef SPC_STATES_H
#define SPC_STATES_H

#include "../spherecontact.h"

#include <stdlib.h>
#include <string.h>

/* A state on the heap; free() it. */
typedef struct saved {
    unsigned char *bytes;
    size_t size;
} saved;

static inline saved save(const spc_world *w)
{
    saved s;
    s.size = spc_world_state_size(w);
    s.bytes = (unsigned char *)malloc(s.size);
    if (spc_world_save_state(w, s.bytes, s.size))
        s.size = 0;
    return s;
}

/* Are all bodies, forces and multipliers the same to the last bit? */
static inline bool are_alike(const spc_world *a, const spc_world *b)
{
    const saved x = save(a), y = save(b);
    const bool alike = x.size > 0 && x.size == y.size && !memcmp(x.bytes, y.bytes, x.size) &&
                       spc_world_hash(a) == spc_world_hash(b);
    free(x.bytes);
    free(y.bytes);
    return alike;
}

/* Something that reads the past of a world; k: what. */
static inline spc_status go_on(spc_world *w, int k, spc_real h)
{
    spc_real residual;
    switch (k % 8) {
    case 1: return spc_step_rk4(w, h, SPC_DRIFT_STABILIZE);
    case 3: return spc_world_forward_dynamics(w);
    case 4: return spc_step_rk4(w, h, SPC_DRIFT_PROJECT);
    case 5: return spc_world_assemble(w, (spc_real)1e-3, &residual);
    case 6: return spc_world_project_velocities(w);
    default: return spc_step(w, h);
    }
}

/* Two worlds through the same calls: how many of these did their work, or -1 if they part. */
static inline int go_on_alike(spc_world *a, spc_world *b, int calls, spc_real h)
{
    int k, done = 0;
    for (k = 0; k < calls; k++) {
        const spc_status status = go_on(a, k, h);
        if (go_on(b, k, h) != status || !are_alike(a, b))
            return -1;
        done += status == SPC_OK;
    }
    return done;
}

#endif
