/* The scenes of step.h in the Open Dynamics Engine, with its default error reduction. Contacts are
   contact joints, unilateral, made in every step where the library's kernel says; friction does not
   slip, or is not there. -DQUICK: dWorldQuickStep (20 iterations) in the place of dWorldStep. */
#include "step.h"

#include <ode/ode.h>

typedef struct setup {
    dWorldID world;
    dJointGroupID contacts;
    dBodyID body[SCENE_MOST];
} setup;

static void add_body(setup *w, const scene *s, int i)
{
    spc_mass mass;
    const spc_state b = step_centre(s, i, &mass);
    const spc_quat q = b.X_GB.q;
    const dQuaternion turned = { q.w, q.x, q.y, q.z };
    const spc_inertia I = mass.inertia;
    dMass m;
    w->body[i] = dBodyCreate(w->world);
    dMassSetParameters(&m, mass.mass, 0, 0, 0, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz);
    dBodySetMass(w->body[i], &m);
    dBodySetPosition(w->body[i], b.X_GB.p.x, b.X_GB.p.y, b.X_GB.p.z);
    dBodySetQuaternion(w->body[i], turned);
    dBodySetLinearVel(w->body[i], b.V_GB.linear.x, b.V_GB.linear.y, b.V_GB.linear.z);
    dBodySetAngularVel(w->body[i], b.V_GB.angular.x, b.V_GB.angular.y, b.V_GB.angular.z);
    dBodySetAutoDisableFlag(w->body[i], 0);
    if (spc_body_get_mass(s->world, s->body[i], &mass))
        dBodySetKinematic(w->body[i]);
}

static dBodyID body_of(const setup *w, const scene *s, spc_body body)
{
    const int i = step_index(s, body);
    return i < 0 ? 0 : w->body[i];
}

static void add_joint(setup *w, const scene *s, spc_constraint c)
{
    spc_constraint_info info;
    spc_attachment shape;
    dJointID joint;
    spc_rows rows;
    scene_must(spc_constraint_get_info(s->world, c, &info));
    if (info.kind != SPC_ATTACHMENT)
        return;
    scene_must(spc_attachment_get(s->world, c, &shape));
    scene_must(spc_constraint_get_rows(s->world, c, &rows));
    joint =
        shape.locked == SPC_HINGE ? dJointCreateHinge(w->world, 0) : dJointCreateBall(w->world, 0);
    dJointAttach(joint, body_of(w, s, info.b), body_of(w, s, info.a));
    if (shape.locked == SPC_HINGE) {
        dJointSetHingeAnchor(joint, rows.p_GC.x, rows.p_GC.y, rows.p_GC.z);
        dJointSetHingeAxis(joint, rows.R_GP.z.x, rows.R_GP.z.y, rows.R_GP.z.z);
    } else {
        dJointSetBallAnchor(joint, rows.p_GC.x, rows.p_GC.y, rows.p_GC.z);
    }
}

static void *make(scene *s)
{
    const spc_vec3 g = spc_world_gravity(s->world);
    setup *w = (setup *)calloc(1, sizeof *w);
    int i;
    dInitODE2(0);
    w->world = dWorldCreate();
    w->contacts = dJointGroupCreate(0);
    dWorldSetGravity(w->world, g.x, g.y, g.z);
    for (i = 0; i < s->bodies; i++)
        add_body(w, s, i);
    for (i = 0; i < s->constraints; i++)
        add_joint(w, s, s->constraint[i]);
    return w;
}

/* The contact of a constraint that is one. */
static void add_contact(setup *w, const scene *s, spc_constraint constraint)
{
    spc_constraint_info info;
    spc_rows rows;
    dContact c;
    scene_must(spc_constraint_get_info(s->world, constraint, &info));
    if (info.kind == SPC_ATTACHMENT || spc_constraint_get_rows(s->world, constraint, &rows))
        return;
    memset(&c, 0, sizeof c);
    c.surface.mu = rows.enforced & 1u ? dInfinity : 0;
    c.geom.normal[0] = rows.R_GP.z.x;
    c.geom.normal[1] = rows.R_GP.z.y;
    c.geom.normal[2] = rows.R_GP.z.z;
    c.geom.pos[0] = rows.p_GC.x;
    c.geom.pos[1] = rows.p_GC.y;
    c.geom.pos[2] = rows.p_GC.z;
    c.geom.depth = -rows.separation;
    if (c.geom.depth >= -1e-6)
        dJointAttach(dJointCreateContact(w->world, w->contacts, &c), body_of(w, s, info.b),
                     body_of(w, s, info.a));
}

static bool step(void *of, scene *s, double h)
{
    setup *w = (setup *)of;
    int i;
    for (i = 0; i < s->constraints; i++)
        add_contact(w, s, s->constraint[i]);
#ifdef QUICK
    dWorldQuickStep(w->world, h);
#else
    dWorldStep(w->world, h);
#endif
    dJointGroupEmpty(w->contacts);
    for (i = 0; i < s->bodies; i++) {
        const dReal *p = dBodyGetPosition(w->body[i]), *q = dBodyGetQuaternion(w->body[i]);
        const dReal *v = dBodyGetLinearVel(w->body[i]), *a = dBodyGetAngularVel(w->body[i]);
        spc_state b;
        b.X_GB.p = scene_vec(p[0], p[1], p[2]);
        b.X_GB.q = spc_quat_make(q[0], q[1], q[2], q[3]);
        b.V_GB.linear = scene_vec(v[0], v[1], v[2]);
        b.V_GB.angular = scene_vec(a[0], a[1], a[2]);
        step_give(s, i, b);
    }
    return true;
}

static void drop(void *of)
{
    setup *w = (setup *)of;
    dJointGroupDestroy(w->contacts);
    dWorldDestroy(w->world);
    free(w);
    dCloseODE();
}

int main(void)
{
#ifdef QUICK
    static const step_engine me = { "ode_quick", make, step, drop };
#else
    static const step_engine me = { "ode_full", make, step, drop };
#endif
    return step_main(&me, 1);
}
