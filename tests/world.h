/* What a world tells of its bodies and constraints, with the status checked. */
#ifndef SPC_WORLD_H
#define SPC_WORLD_H

#include "test.h"

static inline spc_state state_of(const spc_world *w, spc_body body)
{
    spc_state state = spc_state_identity();
    CHECK_STATUS(spc_body_get_state(w, body, &state), SPC_OK);
    return state;
}

static inline spc_spatial acceleration_of(const spc_world *w, spc_body body)
{
    spc_spatial A = spc_spatial_make(zero, zero);
    CHECK_STATUS(spc_body_get_acceleration(w, body, &A), SPC_OK);
    return A;
}

static inline spc_rows rows_of(const spc_world *w, spc_constraint c)
{
    spc_rows rows;
    memset(&rows, 0, sizeof rows);
    CHECK_STATUS(spc_constraint_get_rows(w, c, &rows), SPC_OK);
    return rows;
}

static inline spc_contact_force force_of(const spc_world *w, spc_constraint c)
{
    spc_contact_force force;
    memset(&force, 0, sizeof force);
    CHECK_STATUS(spc_constraint_get_forces(w, c, &force), SPC_OK);
    return force;
}

static inline spc_energy_momentum momentum_of(const spc_world *w)
{
    spc_energy_momentum m;
    memset(&m, 0, sizeof m);
    CHECK_STATUS(spc_world_get_energy_momentum(w, &m), SPC_OK);
    return m;
}

static inline double energy_of(const spc_world *w)
{
    const spc_energy_momentum m = momentum_of(w);
    return (double)m.kinetic + (double)m.potential;
}

#endif
