/* The one file of the tests that compiles the implementation, and what looks inside of it. */
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"

#ifndef SPHERECONTACT_STATIC
#include "inside.h"

spc_inside_scratch spc_inside_open(spc_world *w)
{
    spc_inside_scratch s;
    int i;
    for (i = 1; i <= w->body_slots; i++)
        spci_forget_multipliers(w, i); /* they leave the lanes */
    w->lanes_tell = false;
    s.states.memory = spci_states_at(w, !w->now);
    s.states.bytes = (size_t)spci_groups(w->body_capacity) * sizeof(spci_states);
    s.work.memory = spci_at(w, w->work_at);
    s.work.bytes = w->bytes - w->work_at;
    s.structure.memory = spci_structure_of(w);
    s.structure.bytes = sizeof(spci_structure);
    return s;
}

void spc_inside_close(spc_world *w)
{
    const int groups = spci_groups(w->body_capacity);
    int i, l;
    spci_forget_notes(w);
    for (i = 0; i < groups; i++)
        for (l = 0; l < SPCI_LANES; l++)
            spci_balls_at(w, i)->constraint[l] = 0;
}

void spc_inside_find_all_anew(spc_world *w)
{
    spci_structure_of(w)->found = false;
}

int spc_inside_bodies(spc_world *w)
{
    return spci_structure_of(w)->bodies;
}

int spc_inside_bodies_end(spc_world *w)
{
    return spci_structure_of(w)->bodies_end;
}
#endif
