// The scenes of bench.h in Simbody: the same bilateral constraints, in the package's build (with
// assertions; built without them it is 1.6 to 2.5 times faster). The chain is in reduced
// coordinates. Steps are those of its semi-explicit Euler integrator.
#include "bench.h"

#include <Simbody.h>
#include <memory>
#include <vector>

using namespace SimTK;

namespace {

struct setup {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{ system };
    GeneralForceSubsystem forces{ system };
    std::vector<MobilizedBody> bodies;
    std::unique_ptr<SemiExplicitEulerIntegrator> integrator;
    State state;
};

void make_chain(setup *w, const scene *s)
{
    const double half = BENCH_LINK / 2 * std::sqrt(0.5);
    const double inertia = 0.1 * BENCH_LINK * BENCH_LINK / 12;
    const Body::Rigid link(MassProperties(0.1, Vec3(0), Inertia(inertia)));
    for (int i = 0; i < s->n; i++) {
        MobilizedBody &before = i ? w->bodies.back() : w->matter.updGround();
        const Vec3 at = i ? Vec3(half, 0, -half) : Vec3(0);
        w->bodies.push_back(
            MobilizedBody::Ball(before, Transform(at), link, Transform(Vec3(-half, 0, half))));
    }
}

void make_balls(setup *w, const scene *s)
{
    const Body::Rigid ball(
        MassProperties(1, Vec3(0), Inertia(0.4 * BENCH_RADIUS * BENCH_RADIUS)));
    const Rotation slope(BENCH_SLOPE, YAxis);
    for (int i = 0; i < s->n; i++) {
        MobilizedBody::Free body(w->matter.updGround(), Transform(), ball, Transform());
        Constraint::SphereOnPlaneContact(w->matter.updGround(), Transform(slope), body, Vec3(0),
                                         BENCH_RADIUS, true);
        w->bodies.push_back(body);
    }
}

void *make(const scene *s)
{
    // its multipliers are solved for densely: with 3,000 rows a step takes minutes
    if (s->kind != CHAIN && ((s->kind != BALLS && s->kind != ACCELERATIONS) || s->n > 200))
        return nullptr;
    setup *w = new setup;
    Force::UniformGravity(w->forces, w->matter, Vec3(0, 0, -BENCH_GRAVITY));
    if (s->kind == CHAIN)
        make_chain(w, s);
    else
        make_balls(w, s);
    w->system.realizeTopology();
    w->state = w->system.getDefaultState();
    w->system.realizeModel(w->state);
    if (s->kind == CHAIN)
        w->bodies[0].setOneU(w->state, 2, BENCH_SPIN);
    for (int i = 0; i < s->n && s->kind != CHAIN; i++) {
        double p[3];
        bench_ball(s, i, p);
        w->bodies[i].setQToFitTranslation(w->state, Vec3(p[0], p[1], p[2]));
    }
    if (s->kind != ACCELERATIONS) {
        w->integrator.reset(new SemiExplicitEulerIntegrator(w->system, s->step));
        w->integrator->initialize(w->state);
    }
    return w;
}

void run(void *world, const scene *s, int steps)
{
    setup *w = static_cast<setup *>(world);
    if (s->kind == ACCELERATIONS) {
        for (int i = 0; i < steps; i++) {
            w->state.updQ();
            w->system.realize(w->state, Stage::Acceleration);
        }
        return;
    }
    const double end = w->integrator->getTime() + steps * s->step;
    while (w->integrator->getTime() < end - 0.5 * s->step)
        w->integrator->stepTo(end);
}

void watch(void *world, const scene *s, double *out)
{
    setup *w = static_cast<setup *>(world);
    const MobilizedBody &body = s->kind == CHAIN ? w->bodies.back() : w->bodies.front();
    const State &state = w->integrator ? w->integrator->getState() : w->state;
    w->system.realize(state, s->kind == ACCELERATIONS ? Stage::Acceleration : Stage::Position);
    const Vec3 v = s->kind == ACCELERATIONS ? body.getBodyOriginAcceleration(state)
                                            : body.getBodyOriginLocation(state);
    for (int k = 0; k < 3; k++)
        out[k] = v[k];
}

void drop(void *world)
{
    delete static_cast<setup *>(world);
}

} // namespace

int main(int argc, char **argv)
{
    static const engine me = { "simbody", make, run, watch, drop, 0 };
    return bench_main(&me, argc, argv);
}
