// The scenes of bench.h in Bullet, in double precision: contacts are unilateral and found by its
// collision detection, friction is 1, the solver makes its 10 iterations.
#include "bench.h"

#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

namespace {

struct setup {
    std::unique_ptr<btDefaultCollisionConfiguration> configuration;
    std::unique_ptr<btCollisionDispatcher> dispatcher;
    std::unique_ptr<btDbvtBroadphase> broadphase;
    std::unique_ptr<btSequentialImpulseConstraintSolver> solver;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    btRigidBody *watched = nullptr;

    ~setup()
    {
        for (auto &joint : joints)
            world->removeConstraint(joint.get());
        for (auto &body : bodies)
            world->removeRigidBody(body.get());
    }

    btRigidBody *add(double mass, const btVector3 &inertia, btCollisionShape *shape,
                     const double *p)
    {
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(btVector3(p[0], p[1], p[2]));
        info.m_friction = 1;
        bodies.push_back(std::make_unique<btRigidBody>(info));
        btRigidBody *body = bodies.back().get();
        body->setActivationState(DISABLE_DEACTIVATION);
        if (shape->getShapeType() == EMPTY_SHAPE_PROXYTYPE)
            world->addRigidBody(body, 0, 0);
        else
            world->addRigidBody(body);
        return body;
    }
};

void make_chain(setup *w, const scene *s)
{
    const double half = BENCH_LINK / 2 * std::sqrt(0.5);
    const double inertia = 0.1 * BENCH_LINK * BENCH_LINK / 12;
    const btVector3 back(-half, 0, half), front(half, 0, -half);
    w->shapes.push_back(std::make_unique<btEmptyShape>());
    for (int i = 0; i < s->n; i++) {
        double p[3], v[3];
        bench_link(i, p, v);
        btRigidBody *before = w->watched;
        w->watched =
            w->add(0.1, btVector3(inertia, inertia, inertia), w->shapes.back().get(), p);
        w->watched->setLinearVelocity(btVector3(v[0], v[1], v[2]));
        w->watched->setAngularVelocity(btVector3(0, 0, BENCH_SPIN));
        if (before)
            w->joints.push_back(
                std::make_unique<btPoint2PointConstraint>(*before, *w->watched, front, back));
        else
            w->joints.push_back(std::make_unique<btPoint2PointConstraint>(*w->watched, back));
        w->world->addConstraint(w->joints.back().get());
    }
}

void make_balls(setup *w, const scene *s)
{
    const double origin[3] = { 0, 0, 0 };
    btRigidBody *floor;
    if (s->kind == PLATE) {
        const btVector3 half(BENCH_PLATE_X / 2, BENCH_PLATE_Y / 2, BENCH_PLATE_Z / 2);
        btVector3 inertia;
        w->shapes.push_back(std::make_unique<btBoxShape>(half));
        w->shapes.back()->calculateLocalInertia(BENCH_PLATE_MASS, inertia);
        floor = w->add(BENCH_PLATE_MASS, inertia, w->shapes.back().get(), origin);
    } else {
        const btVector3 normal(std::sin(BENCH_SLOPE), 0, std::cos(BENCH_SLOPE));
        w->shapes.push_back(std::make_unique<btStaticPlaneShape>(normal, 0));
        floor = w->add(0, btVector3(0, 0, 0), w->shapes.back().get(), origin);
    }
    w->shapes.push_back(std::make_unique<btSphereShape>(BENCH_RADIUS));
    const double i = 0.4 * BENCH_RADIUS * BENCH_RADIUS;
    for (int k = 0; k < (s->kind == PLATE ? s->n - 1 : s->n); k++) {
        double p[3];
        bench_ball(s, k, p);
        btRigidBody *ball = w->add(1, btVector3(i, i, i), w->shapes.back().get(), p);
        if (k == 0)
            w->watched = s->kind == PLATE ? floor : ball;
    }
}

void *make(const scene *s)
{
    // to add 100,000 balls beside a plane without end takes its broadphase minutes
    if ((s->kind != BALLS && s->kind != CHAIN && s->kind != PLATE) || s->n > 20000)
        return nullptr;
    setup *w = new setup;
    btDefaultCollisionConstructionInfo info;
    info.m_defaultMaxPersistentManifoldPoolSize = s->n + 16;
    info.m_defaultMaxCollisionAlgorithmPoolSize = s->n + 16;
    w->configuration = std::make_unique<btDefaultCollisionConfiguration>(info);
    w->dispatcher = std::make_unique<btCollisionDispatcher>(w->configuration.get());
    w->broadphase = std::make_unique<btDbvtBroadphase>();
    w->solver = std::make_unique<btSequentialImpulseConstraintSolver>();
    w->world = std::make_unique<btDiscreteDynamicsWorld>(w->dispatcher.get(), w->broadphase.get(),
                                                         w->solver.get(), w->configuration.get());
    w->world->setGravity(btVector3(0, 0, -BENCH_GRAVITY));
    if (s->kind == CHAIN)
        make_chain(w, s);
    else
        make_balls(w, s);
    return w;
}

void run(void *world, const scene *s, int steps)
{
    setup *w = static_cast<setup *>(world);
    double f[3];
    bench_push(s, f);
    for (int i = 0; i < steps; i++) {
        if (s->kind == PLATE)
            w->watched->applyCentralForce(btVector3(f[0], f[1], f[2]));
        w->world->stepSimulation(s->step, 1, s->step);
    }
}

void watch(void *world, const scene *, double *out)
{
    const btVector3 &p = static_cast<setup *>(world)->watched->getWorldTransform().getOrigin();
    for (int k = 0; k < 3; k++)
        out[k] = p[k];
}

void drop(void *world)
{
    delete static_cast<setup *>(world);
}

} // namespace

int main(int argc, char **argv)
{
    static const engine me = { "bullet", make, run, watch, drop, 0 };
    return bench_main(&me, argc, argv);
}
