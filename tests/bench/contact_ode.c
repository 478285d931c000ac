/* The scenes of contact.h in the Open Dynamics Engine, with its own collision detection and its
   defaults, but for these: friction in proportion to the normal force (dContactApprox1), its first
   direction along the slip, as long as there is some, and bounces above 0.01 m/s. -DQUICK:
   dWorldQuickStep (20 iterations) in the place of dWorldStep. */
#include "contact.h"

#include <ode/ode.h>
#include <stdlib.h>

#define POINTS 8

typedef struct setup {
    contact_scene s;
    dWorldID world;
    dJointGroupID contacts;
    dBodyID body, floor; /* floor: 0 if it does not move */
    dGeomID shape, plane;
    double h, time;
} setup;

static void add_body(setup *w)
{
    const contact_scene *s = &w->s;
    const dReal a = 2 * s->radius;
    double I[3];
    dMass m;
    contact_moments(s, I);
    dMassSetParameters(&m, 1, 0, 0, 0, I[0], I[1], I[2], 0, 0, 0);
    w->body = dBodyCreate(w->world);
    dBodySetMass(w->body, &m);
    dBodySetPosition(w->body, s->p[0], s->p[1], s->p[2]);
    dBodySetQuaternion(w->body, s->q);
    dBodySetLinearVel(w->body, s->v[0], s->v[1], s->v[2]);
    dBodySetAngularVel(w->body, s->w[0], s->w[1], s->w[2]);
    dBodySetAutoDisableFlag(w->body, 0);
    w->shape = s->shape == CONTACT_BALL   ? dCreateSphere(0, s->radius)
               : s->shape == CONTACT_CUBE ? dCreateBox(0, a, a, a)
                                          : dCreateCylinder(0, s->radius, 2 * s->half_width);
    dGeomSetBody(w->shape, w->body);
}

static void *make(const contact_scene *s, double h)
{
    setup *w = (setup *)calloc(1, sizeof *w);
    dInitODE2(0);
    w->s = *s;
    w->h = h;
    w->world = dWorldCreate();
    w->contacts = dJointGroupCreate(0);
    dWorldSetGravity(w->world, s->gravity[0], s->gravity[1], s->gravity[2]);
    add_body(w);
    w->plane = dCreatePlane(0, 0, 0, 1, 0);
    if (s->floor == CONTACT_TABLE || s->floor == CONTACT_SHAKEN) {
        w->floor = dBodyCreate(w->world);
        dBodySetKinematic(w->floor);
        dBodySetAngularVel(w->floor, 0, 0, s->spin);
    }
    return w;
}

/* Where the floor is now, with its mean velocity in the step. */
static void move_floor(setup *w)
{
    double z, next, v, a;
    if (w->s.floor != CONTACT_SHAKEN)
        return;
    contact_floor_at(w->time, &z, &v, &a);
    contact_floor_at(w->time + w->h, &next, &v, &a);
    dBodySetPosition(w->floor, 0, 0, z);
    dBodySetLinearVel(w->floor, 0, 0, (next - z) / w->h);
    dGeomPlaneSetParams(w->plane, 0, 0, 1, z);
}

/* The velocity of the body's point against the floor's there, and its length. */
static double slip_at(const setup *w, const dReal *at, dReal *slip)
{
    dVector3 u = { 0, 0, 0, 0 };
    dBodyGetPointVel(w->body, at[0], at[1], at[2], slip);
    if (w->floor)
        dBodyGetPointVel(w->floor, at[0], at[1], at[2], u);
    slip[0] -= u[0] + w->s.belt[0];
    slip[1] -= u[1] + w->s.belt[1];
    slip[2] = 0;
    return hypot(slip[0], slip[1]);
}

static void add_contact(setup *w, const dContactGeom *geom)
{
    const contact_scene *s = &w->s;
    dContact c;
    dVector3 slip;
    const double speed = slip_at(w, geom->pos, slip);
    memset(&c, 0, sizeof c);
    c.geom = *geom;
    c.surface.mode = dContactApprox1;
    c.surface.mu = s->mu;
    if (s->e > 0) {
        c.surface.mode |= dContactBounce;
        c.surface.bounce = s->e;
        c.surface.bounce_vel = 0.01;
    }
    if (s->rho > 0) {
        c.surface.mode |= dContactRolling;
        c.surface.rho = s->rho;
        c.surface.rho2 = s->rho;
        c.surface.rhoN = 0;
    }
    if (speed > 1e-9) {
        c.surface.mode |= dContactFDir1;
        c.fdir1[0] = slip[0] / speed;
        c.fdir1[1] = slip[1] / speed;
    }
    if (s->floor == CONTACT_BELT && speed > 1e-9) { /* motion along the directions of friction */
        c.surface.mode |= dContactMotion1 | dContactMotion2;
        c.surface.motion1 = (s->belt[0] * c.fdir1[0] + s->belt[1] * c.fdir1[1]);
        c.surface.motion2 = (-s->belt[0] * c.fdir1[1] + s->belt[1] * c.fdir1[0]);
    }
    dJointAttach(dJointCreateContact(w->world, w->contacts, &c), w->body, w->floor);
}

static bool step(void *of)
{
    setup *w = (setup *)of;
    dContactGeom at[POINTS];
    int i, n;
    move_floor(w);
    n = dCollide(w->shape, w->plane, POINTS, at, sizeof *at);
    for (i = 0; i < n; i++)
        add_contact(w, &at[i]);
#ifdef QUICK
    dWorldQuickStep(w->world, w->h);
#else
    dWorldStep(w->world, w->h);
#endif
    dJointGroupEmpty(w->contacts);
    w->time += w->h;
    return true;
}

static void get(void *of, contact_motion *m)
{
    const setup *w = (const setup *)of;
    const dReal *p = dBodyGetPosition(w->body), *v = dBodyGetLinearVel(w->body);
    contact_set(m->p, p[0], p[1], p[2]);
    contact_set(m->v, v[0], v[1], v[2]);
}

static void drop(void *of)
{
    setup *w = (setup *)of;
    dGeomDestroy(w->shape);
    dGeomDestroy(w->plane);
    dJointGroupDestroy(w->contacts);
    dWorldDestroy(w->world);
    free(w);
    dCloseODE();
}

int main(void)
{
#ifdef QUICK
    static const contact_engine me = { "ode_quick", make, step, get, drop };
#else
    static const contact_engine me = { "ode", make, step, get, drop };
#endif
    return contact_main(&me, 1);
}
