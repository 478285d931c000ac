/* Worlds of one-sided contacts: balls, boxes on feet, planes, pairs. */
#ifndef SPC_CONTACTS_H
#define SPC_CONTACTS_H

#include "world.h"

/* The rates that steps are tried at [Hz]. */
#define RATES 3
static const double rates[RATES] = { 60, 240, 1000 };

static inline spc_world *contact_world(int bodies, int constraints, spc_vec3 gravity)
{
    spc_world_desc desc = spc_world_desc_default(bodies, constraints);
    desc.gravity = gravity;
    desc.rows = 6 * constraints;
    desc.solver_bytes = (size_t)400 * (size_t)constraints * (size_t)constraints + 100000;
    return test_world(&desc);
}

/* Friction and restitution, no resistance. */
static inline spc_contact_law law_of(double friction, double restitution)
{
    spc_contact_law law = spc_contact_law_default();
    law.grip = false;
    law.friction = real(friction);
    law.restitution = real(restitution);
    return law;
}

static inline spc_body put_body(spc_world *w, spc_mass mass, spc_vec3 p, spc_vec3 angular,
                                spc_vec3 linear)
{
    spc_body_desc d = spc_body_desc_default();
    spc_body body = { 0, 0 };
    d.mass = mass;
    d.state.X_GB.p = p;
    d.state.V_GB = spc_spatial_make(angular, linear);
    CHECK_STATUS(spc_body_add(w, &d, &body), SPC_OK);
    return body;
}

static inline spc_body put_ball(spc_world *w, double mass, double radius, spc_vec3 p)
{
    return put_body(w, spc_mass_solid_sphere(real(mass), real(radius)), p, zero, zero);
}

/* A kinematic body with a velocity. */
static inline spc_body put_moved(spc_world *w, spc_vec3 p, spc_vec3 v)
{
    spc_body_desc d = spc_body_desc_default();
    spc_body body = { 0, 0 };
    d.kind = SPC_KINEMATIC;
    d.state.X_GB.p = p;
    d.state.V_GB.linear = v;
    CHECK_STATUS(spc_body_add(w, &d, &body), SPC_OK);
    return body;
}

/* A frame with the z axis n. */
static inline spc_transform plane_at(spc_vec3 n, spc_vec3 p)
{
    spc_transform X = spc_transform_make(spc_quat_identity(), p);
    CHECK_STATUS(spc_quat_from_two_vectors(vec(0, 0, 1), n, &X.q), SPC_OK);
    return X;
}

static inline spc_transform level(double z)
{
    return spc_transform_make(spc_quat_identity(), vec(0, 0, z));
}

static inline spc_constraint put_on_plane(spc_world *w, spc_body floor, spc_transform X,
                                          spc_body ball, double radius, spc_contact_law law)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_constraint c = { 0, 0 };
    d.floor = floor;
    d.ball = ball;
    d.shape.X_FP = X;
    d.shape.radius = real(radius);
    d.one_sided = true;
    d.law = law;
    CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
    return c;
}

static inline spc_constraint put_pair(spc_world *w, spc_body a, spc_body b, double radius_a,
                                      double radius_b, spc_contact_law law)
{
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    spc_constraint c = { 0, 0 };
    d.a = a;
    d.b = b;
    d.shape.radius_a = real(radius_a);
    d.shape.radius_b = real(radius_b);
    d.one_sided = true;
    d.law = law;
    CHECK_STATUS(spc_sphere_on_sphere_add(w, &d, &c), SPC_OK);
    return c;
}

/* A corner of one body at p_B on a plane of another one. */
static inline spc_constraint put_corner(spc_world *w, spc_body face, spc_transform X,
                                        spc_body body, spc_vec3 p_B, spc_contact_law law)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_constraint c = { 0, 0 };
    d.a = face;
    d.b = body;
    d.shape.locked = SPC_LOCK_TZ;
    d.shape.X_AF = X;
    d.shape.X_BM.p = p_B;
    d.one_sided = true;
    d.law = law;
    CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
    return c;
}

/* A foot of a body at p_B on ground's plane z = 0. */
static inline spc_constraint put_foot(spc_world *w, spc_body body, spc_vec3 p_B,
                                      spc_contact_law law)
{
    return put_corner(w, ground, level(0), body, p_B, law);
}

/* A box of 2 kg and 0.2 m on feet in its corners: 4 below, 8 in all. */
static inline spc_body put_box(spc_world *w, spc_vec3 p, int feet, double friction)
{
    const spc_body box =
        put_body(w, spc_mass_box(2, vec(0.1, 0.1, 0.1)), p, zero, zero);
    int i;
    for (i = 0; i < feet; i++)
        (void)put_foot(w, box, vec(i & 1 ? 0.1 : -0.1, i & 2 ? 0.1 : -0.1, i & 4 ? 0.1 : -0.1),
                       law_of(friction, 0));
    return box;
}

static inline spc_contact_info contact_of_world(const spc_world *w, spc_constraint c)
{
    spc_contact_info info;
    memset(&info, 0, sizeof info);
    CHECK_STATUS(spc_constraint_get_contact(w, c, &info), SPC_OK);
    CHECK_NEAR(info.separation, rows_of(w, c).separation, 0); /* it has one name, and one value */
    return info;
}

static inline spc_world_report report_of(const spc_world *w)
{
    spc_world_report report;
    memset(&report, 0, sizeof report);
    CHECK_STATUS(spc_world_get_report(w, &report), SPC_OK);
    return report;
}

/* What can be asked of a world whose first bodies and contacts are in their slots' first use; zeros
   where that is refused. */
#define TOLD 12
typedef struct answers {
    unsigned long long hash;
    spc_real time;
    spc_state state[TOLD];
    spc_spatial acceleration[TOLD];
    spc_real multipliers[TOLD][SPC_MAX_ROWS];
    spc_contact_info contact[TOLD];
    spc_world_report report;
} answers;

static inline void ask_all(const spc_world *w, answers *t)
{
    unsigned i;
    memset(t, 0, sizeof *t);
    t->hash = spc_world_hash(w);
    t->time = spc_world_time(w);
    (void)spc_world_get_report(w, &t->report);
    for (i = 0; i < TOLD; i++) {
        const spc_body body = { i + 1, 1 };
        const spc_constraint c = { i + 1, 1 };
        (void)spc_body_get_state(w, body, &t->state[i]);
        (void)spc_body_get_acceleration(w, body, &t->acceleration[i]);
        (void)spc_constraint_get_multipliers(w, c, t->multipliers[i]);
        (void)spc_constraint_get_contact(w, c, &t->contact[i]);
    }
}

/* A call that is refused in its midst, and leaves all that can be asked. */
#define REFUSED_WITHIN(w, call, wanted)    \
    do {                                   \
        answers before, after;                \
        ask_all(w, &before);               \
        CHECK_STATUS(call, wanted);        \
        ask_all(w, &after);                \
        CHECK(SAME_BITS(before, after));   \
    } while (0)

/* Calls that solve for one-sided contacts; the first three are steps. */
#define CALLS 7

static inline spc_status try_call(spc_world *w, int i, double h)
{
    if (i == 0)
        return spc_step(w, real(h));
    if (i <= 2)
        return spc_step_rk4(w, real(h), i == 1 ? SPC_DRIFT_STABILIZE : SPC_DRIFT_PROJECT);
    if (i == 3)
        return spc_world_forward_dynamics(w);
    if (i == 4)
        return spc_world_impact(w);
    return i == 5 ? spc_world_project_velocities(w) : spc_world_assemble(w, SPC_R(1e-3), NULL);
}

static inline void take_steps(spc_world *w, double h, int count)
{
    int i;
    for (i = 0; i < count; i++)
        CHECK_STATUS(spc_step(w, real(h)), SPC_OK);
}

#endif
