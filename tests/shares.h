/* A world with islands of all sorts for steps in shares: balls in lanes, discs, chains, chains of
   which each joint is there twice, and on a turntable balls and chains of which some take a step in
   parts. */
#ifndef SPC_SHARES_H
#define SPC_SHARES_H

#include "../spherecontact.h"

#include <stdio.h>
#include <stdlib.h>

#define SHARES_ISLANDS 24 /* of each sort */

static inline void shares_must(spc_status status)
{
    if (status == SPC_OK)
        return;
    fprintf(stderr, "shares: %s\n", spc_status_text(status));
    exit(1);
}

static inline spc_vec3 shares_vec(double x, double y, double z)
{
    return spc_vec3_make((spc_real)x, (spc_real)y, (spc_real)z);
}

/* A turntable that a callback turns, by a radian a second and ever faster. */
static inline void shares_turn(spc_real time, void *user, spc_state *state,
                               spc_spatial *acceleration)
{
    const spc_real angle = time + time * time * time / 6;
    (void)user;
    state->X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(0, 0, angle));
    state->V_GB.angular.z = 1 + time * time / 2;
    acceleration->angular.z = time;
}

static inline void shares_ball(spc_world *w, spc_body floor, double x, double y)
{
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_constraint c;
    body.mass = spc_mass_solid_sphere(1, (spc_real)0.1);
    body.state.X_GB.p = shares_vec(x, y, 0.1);
    body.state.V_GB.angular = shares_vec(0.1 * x, 1, 0.2 * y);
    shares_must(spc_body_add(w, &body, &d.ball));
    d.floor = floor;
    d.shape.radius = (spc_real)0.1;
    shares_must(spc_sphere_on_plane_add(w, &d, &c));
}

static inline void shares_disc(spc_world *w, double x, double y)
{
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    spc_constraint c;
    body.mass = spc_mass_box(1, shares_vec(0.17, 0.02, 0.17));
    body.state.X_GB.p = shares_vec(x, y, 0.1);
    body.state.X_GB.q = spc_quat_from_rotation_vector(shares_vec(0.1 + 0.01 * x, 0, 0));
    body.state.V_GB.angular = shares_vec(0, 8, 0.1 * y);
    shares_must(spc_body_add(w, &body, &d.disc));
    d.shape.axis_B = shares_vec(0, 1, 0);
    d.shape.radius = (spc_real)0.1;
    shares_must(spc_rolling_disc_add(w, &d, &c));
}

/* A chain of rods from a floor, of ball joints, or of two hinges for each, one of which is
   redundant; the first rod spins so fast that a step may need parts. */
static inline void shares_chain(spc_world *w, spc_body floor, spc_vec3 at, int rods, bool doubled,
                                double spin)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_constraint c;
    int i;
    d.a = floor;
    for (i = 0; i < rods; i++) {
        spc_body_desc body = spc_body_desc_default();
        body.mass = spc_mass_box(1, shares_vec(0.4, 0.1, 0.05));
        body.state.X_GB.p = spc_add(at, shares_vec(0.2 + 0.4 * i, 0, 0));
        body.state.V_GB.angular.y = (spc_real)(i ? 0 : spin);
        shares_must(spc_body_add(w, &body, &d.b));
        d.shape = spc_attachment_default();
        d.shape.locked = doubled ? 47u : 7u;
        d.shape.X_AF.p = i ? shares_vec(0.2, 0, 0) : at;
        d.shape.X_BM.p = shares_vec(-0.2, 0, 0);
        shares_must(spc_attachment_add(w, &d, &c));
        if (doubled)
            shares_must(spc_attachment_add(w, &d, &c));
        d.a = d.b;
    }
}

/* Makes it on the heap; free() it. */
static inline spc_world *shares_world(void)
{
    enum { N = SHARES_ISLANDS };
    spc_world_desc desc = spc_world_desc_default(12 * N, 16 * N);
    spc_body_desc table = spc_body_desc_default();
    const spc_body ground_body = { 0, 0 };
    spc_world *w = NULL;
    spc_body floor;
    int i;
    desc.rows = 6 * desc.constraints;
    desc.solver_bytes = 400000;
    desc.gravity = shares_vec(0.1, 0, -9.81);
    shares_must(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &w));
    table.kind = SPC_KINEMATIC;
    table.motion = shares_turn;
    shares_must(spc_body_add(w, &table, &floor));
    for (i = 0; i < N; i++) {
        shares_ball(w, ground_body, i, 1);
        shares_ball(w, floor, 0.1 * i, 0.5);
        shares_disc(w, i, 2);
        shares_chain(w, ground_body, shares_vec(i, 3, 1), 1 + i % 3, false, 6 * i);
        shares_chain(w, floor, shares_vec(0.1 * i, 1, 1), 1 + i % 2, false, 8 * i);
        shares_chain(w, ground_body, shares_vec(i, 5, 1), 1 + i % 2, true, 0);
    }
    return w;
}

#endif
