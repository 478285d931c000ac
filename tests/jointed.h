/* Scenes of bodies and joints by index, -1 for ground, for linkages.h and reference.h. */
#ifndef SPC_JOINTED_H
#define SPC_JOINTED_H

#include "test.h"

#define GROUND (-1)

/* A world and the handles of what is in it, in the order in which it was added. */
typedef struct scene {
    spc_world *world;
    spc_body *body;
    spc_constraint *joint;
    int *end_a, *end_b; /* of the joints: bodies, or GROUND */
    int bodies, joints;
} scene;

static inline scene scene_of(const spc_world_desc *desc)
{
    const size_t bodies = (size_t)desc->bodies + 1, joints = (size_t)desc->constraints + 1;
    scene s;
    s.world = test_world(desc);
    s.body = (spc_body *)malloc(bodies * sizeof *s.body);
    s.joint = (spc_constraint *)malloc(joints * sizeof *s.joint);
    s.end_a = (int *)malloc(joints * sizeof *s.end_a);
    s.end_b = (int *)malloc(joints * sizeof *s.end_b);
    s.bodies = s.joints = 0;
    return s;
}

static inline void scene_free(scene *s)
{
    free(s->world);
    free(s->body);
    free(s->joint);
    free(s->end_a);
    free(s->end_b);
}

static inline spc_body handle_of(const scene *s, int i)
{
    return i == GROUND ? ground : s->body[i];
}

static inline spc_state state_of(const scene *s, int i)
{
    spc_state state = spc_state_identity();
    CHECK_STATUS(spc_body_get_state(s->world, handle_of(s, i), &state), SPC_OK);
    return state;
}

static inline spc_spatial acceleration_of(const scene *s, int i)
{
    spc_spatial A = spc_spatial_make(zero, zero);
    CHECK_STATUS(spc_body_get_acceleration(s->world, handle_of(s, i), &A), SPC_OK);
    return A;
}

static inline spc_contact_force force_of(const scene *s, int j)
{
    spc_contact_force f;
    memset(&f, 0, sizeof f);
    CHECK_STATUS(spc_constraint_get_forces(s->world, s->joint[j], &f), SPC_OK);
    return f;
}

static inline int add_joint(scene *s, int a, int b, const spc_attachment *shape)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    d.a = handle_of(s, a);
    d.b = handle_of(s, b);
    d.shape = *shape;
    CHECK_STATUS(spc_attachment_add(s->world, &d, &s->joint[s->joints]), SPC_OK);
    s->end_a[s->joints] = a;
    s->end_b[s->joints] = b;
    return s->joints++;
}

/* A joint at a point and about an axis, without errors where the bodies are. */
static inline int join(scene *s, int a, int b, spc_vec3 p_G, spc_vec3 z_G, unsigned locked)
{
    const spc_state A = state_of(s, a), B = state_of(s, b);
    spc_attachment shape = spc_attachment_default();
    CHECK_STATUS(spc_attachment_at(&A.X_GB, &B.X_GB, p_G, z_G, locked, &shape), SPC_OK);
    return add_joint(s, a, b, &shape);
}

#endif
