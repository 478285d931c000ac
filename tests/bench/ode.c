/* The scenes of bench.h in the Open Dynamics Engine. Contacts are contact joints, unilateral, made
   by hand in every step where geometry says, without collision detection; friction does not slip.
   -DQUICK: dWorldQuickStep (20 iterations) in the place of dWorldStep. */
#include "bench.h"

#include <ode/ode.h>
#include <stdlib.h>

typedef struct setup {
    dWorldID world;
    dJointGroupID contacts;
    dBodyID plate, *body;
    int n;
} setup;

static dBodyID add_body(setup *w, double mass, double xx, double yy, double zz, const double *p)
{
    dBodyID body = dBodyCreate(w->world);
    dMass m;
    dMassSetParameters(&m, mass, 0, 0, 0, xx, yy, zz, 0, 0, 0);
    dBodySetMass(body, &m);
    dBodySetPosition(body, p[0], p[1], p[2]);
    dBodySetAutoDisableFlag(body, 0);
    return body;
}

static void make_chain(setup *w, const scene *s)
{
    const double half = BENCH_LINK / 2 * sqrt(0.5), I = 0.1 * BENCH_LINK * BENCH_LINK / 12;
    double p[3], v[3];
    int i;
    for (i = 0; i < s->n; i++) {
        dJointID joint = dJointCreateBall(w->world, 0);
        bench_link(i, p, v);
        w->body[i] = add_body(w, 0.1, I, I, I, p);
        dBodySetLinearVel(w->body[i], v[0], v[1], v[2]);
        dBodySetAngularVel(w->body[i], 0, 0, BENCH_SPIN);
        dJointAttach(joint, w->body[i], i ? w->body[i - 1] : 0);
        dJointSetBallAnchor(joint, p[0] - half, p[1], p[2] + half);
    }
}

static void make_balls(setup *w, const scene *s)
{
    const double I = 0.4 * BENCH_RADIUS * BENCH_RADIUS, m = BENCH_PLATE_MASS / 12;
    const double x = BENCH_PLATE_X * BENCH_PLATE_X, y = BENCH_PLATE_Y * BENCH_PLATE_Y;
    const double z = BENCH_PLATE_Z * BENCH_PLATE_Z, origin[3] = { 0, 0, 0 };
    double p[3];
    int i;
    if (s->kind == PLATE)
        w->plate = add_body(w, BENCH_PLATE_MASS, m * (y + z), m * (x + z), m * (x + y), origin);
    for (i = 0; i < w->n; i++) {
        bench_ball(s, i, p);
        w->body[i] = add_body(w, 1, I, I, I, p);
    }
}

static void *make(const scene *s)
{
    setup *w;
    if (s->kind != BALLS && s->kind != CHAIN && s->kind != PLATE)
        return NULL;
#ifndef QUICK
    if (s->kind == PLATE) /* its dense system of 3,000 rows takes minutes */
        return NULL;
#endif
    dInitODE2(0);
    w = (setup *)calloc(1, sizeof *w);
    w->n = s->kind == PLATE ? s->n - 1 : s->n;
    w->body = (dBodyID *)calloc((size_t)w->n, sizeof *w->body);
    w->world = dWorldCreate();
    w->contacts = dJointGroupCreate(0);
    dWorldSetGravity(w->world, 0, 0, -BENCH_GRAVITY);
    if (s->kind == CHAIN)
        make_chain(w, s);
    else
        make_balls(w, s);
    return w;
}

/* A ball's contact with the slope, or with the plate. */
static void add_contact(setup *w, dBodyID ball)
{
    const dReal *p = dBodyGetPosition(ball);
    dContact c;
    dVector3 n = { sin(BENCH_SLOPE), 0, cos(BENCH_SLOPE) };
    double height = n[0] * p[0] + n[2] * p[2];
    int k;
    memset(&c, 0, sizeof c);
    if (w->plate) {
        dVector3 local;
        dBodyGetPosRelPoint(w->plate, p[0], p[1], p[2], local);
        dBodyVectorToWorld(w->plate, 0, 0, 1, n);
        height = local[2] - BENCH_PLATE_Z / 2;
    }
    c.surface.mu = dInfinity;
    for (k = 0; k < 3; k++) {
        c.geom.normal[k] = n[k];
        c.geom.pos[k] = p[k] - BENCH_RADIUS * n[k];
    }
    c.geom.depth = BENCH_RADIUS - height;
    if (c.geom.depth >= -1e-6)
        dJointAttach(dJointCreateContact(w->world, w->contacts, &c), ball, w->plate);
}

static void run(void *world, const scene *s, int steps)
{
    setup *w = (setup *)world;
    double f[3];
    int i, k;
    for (i = 0; i < steps; i++) {
        for (k = 0; k < w->n && s->kind != CHAIN; k++)
            add_contact(w, w->body[k]);
        if (s->kind == PLATE) {
            bench_push(s, f);
            dBodyAddForce(w->plate, f[0], f[1], f[2]);
        }
#ifdef QUICK
        dWorldQuickStep(w->world, s->step);
#else
        dWorldStep(w->world, s->step);
#endif
        dJointGroupEmpty(w->contacts);
    }
}

static void watch(void *world, const scene *s, double *out)
{
    const setup *w = (const setup *)world;
    dBodyID body = s->kind == CHAIN ? w->body[w->n - 1] : w->plate ? w->plate : w->body[0];
    memcpy(out, dBodyGetPosition(body), 3 * sizeof *out);
}

static void drop(void *world)
{
    setup *w = (setup *)world;
    dJointGroupDestroy(w->contacts);
    dWorldDestroy(w->world);
    free(w->body);
    free(w);
    dCloseODE();
}

int main(int argc, char **argv)
{
#ifdef QUICK
    static const engine me = { "ode_quick", make, run, watch, drop, 0 };
#else
    static const engine me = { "ode_full", make, run, watch, drop, 0 };
#endif
    return bench_main(&me, argc, argv);
}
