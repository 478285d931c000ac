/* A ball on a floor. */
#ifndef SPC_BALLS_H
#define SPC_BALLS_H

#include "world.h"

/* One ball on one plane and what names them. */
typedef struct ball_scene {
    spc_world *world;
    spc_body ball, floor;
    spc_constraint contact;
    spc_real radius;
} ball_scene;

static inline spc_stabilization no_stabilization(void)
{
    spc_stabilization s = spc_stabilization_default();
    s.enabled = false;
    return s;
}

/* A ball of a given mass that touches the plane z = 0 of frame X_GP at its origin, rolling with w
   and the velocity that goes with it. floor_kind: -1 for ground. */
static inline ball_scene make_ball(const spc_mass *mass, spc_vec3 p_BS, spc_real radius,
                                   spc_transform X_GP, spc_vec3 w)
{
    ball_scene s;
    spc_world_desc desc = spc_world_desc_default(2, 1);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    const spc_vec3 n = spc_rotate(X_GP.q, spc_vec3_make(0, 0, 1));
    desc.gravity = spc_vec3_make(0, 0, SPC_R(-9.81));
    desc.stabilization = no_stabilization();
    memset(&s, 0, sizeof s);
    s.world = test_world(&desc);
    s.radius = radius;
    body.mass = *mass;
    body.state.X_GB.p = spc_sub(spc_add(X_GP.p, spc_scale(radius, n)), p_BS);
    body.state.V_GB.angular = w;
    /* the material point at C is at rest: v = -w x (C - Bo) */
    body.state.V_GB.linear = spc_cross(spc_sub(p_BS, spc_scale(radius, n)), w);
    CHECK_STATUS(spc_body_add(s.world, &body, &s.ball), SPC_OK);
    d.ball = s.ball;
    d.shape.X_FP = X_GP;
    d.shape.p_BS = p_BS;
    d.shape.radius = radius;
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.contact), SPC_OK);
    return s;
}

static inline spc_transform level(void)
{
    return spc_transform_identity();
}

/* A kinematic floor under the ball of a scene, in the place of ground. */
static inline void put_on_floor(ball_scene *s, const spc_state *floor, spc_spatial A)
{
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    CHECK_STATUS(spc_sphere_on_plane_get(s->world, s->contact, &d.shape), SPC_OK);
    CHECK_STATUS(spc_constraint_remove(s->world, s->contact), SPC_OK);
    body.kind = SPC_KINEMATIC;
    body.state = *floor;
    CHECK_STATUS(spc_body_add(s->world, &body, &s->floor), SPC_OK);
    CHECK_STATUS(spc_body_set_acceleration(s->world, s->floor, A), SPC_OK);
    d.floor = s->floor;
    d.ball = s->ball;
    CHECK_STATUS(spc_sphere_on_plane_add(s->world, &d, &s->contact), SPC_OK);
}

/* -------------------------------------------------------------------------- invariants -------- */

static inline spc_mass uneven_mass(void)
{
    spc_mass m = spc_mass_box(1, spc_vec3_make(SPC_R(0.3), SPC_R(0.2), SPC_R(0.1)));
    m.inertia = spc_inertia_rotate(spc_mat3_from_quat(spc_quat_from_rotation_vector(
                                       spc_vec3_make(SPC_R(0.3), 1, SPC_R(-0.5)))),
                                   m.inertia);
    return m;
}

/* Free rotation with moments 1, 2, 3 close to the middle axis: period 39.1057341972877 (elliptic
   integral). */
static inline ball_scene free_body(spc_vec3 w)
{
    spc_mass m = spc_mass_solid_sphere(1, 1);
    ball_scene s;
    m.inertia.xx = 1;
    m.inertia.yy = 2;
    m.inertia.zz = 3;
    s = make_ball(&m, zero, 1, level(), w);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.contact, false), SPC_OK);
    CHECK_STATUS(spc_world_set_gravity(s.world, zero), SPC_OK);
    return s;
}

/* -------------------------------------------------------------------------- stabilization ----- */

/* How fast what a free drift changes the velocity errors by, F = ds/dt, may itself change for a
   body with w up to W and dw/dt up to A, whose centre of mass, sphere and contact are L apart at
   most. With v_S = v_c + w x p_cS, F is w x (w x p) + (free dw/dt) x q with p, q no longer than L,
   and the free dw/dt, I^-1 (I w x w), no more than w^2. Each of dw/dt and of the turn of p and q
   enters each factor once: 2 A W + W^3 for the first term, 2 A W + 2 W^3 for the second. */
static inline double change_of_drift(double W, double A, double L)
{
    return (4 * A * W + 3 * W * W * W) * L;
}

#endif
