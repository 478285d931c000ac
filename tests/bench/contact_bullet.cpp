// The scenes of contact.h in Bullet, in double precision, with its own collision detection: on a
// plane, a cube on a box. First its defaults, but for bounces above 0.01 m/s; then tuned for
// bounces, without the correction of penetrations by velocity (erp2) and with contacts that act
// from distance 0 on (contact processing threshold).
#include "contact.h"

#include <btBulletDynamicsCommon.h>
#include <memory>

namespace
{

struct setup {
    contact_scene s;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{ &dispatcher, &broadphase, &solver, &configuration };
    std::unique_ptr<btCollisionShape> shape, ground;
    std::unique_ptr<btRigidBody> body, floor;
    double h, time = 0;

    ~setup()
    {
        world.removeRigidBody(body.get());
        world.removeRigidBody(floor.get());
    }
};

btVector3 vector_of(const double *v)
{
    return btVector3(v[0], v[1], v[2]);
}

// Where the floor is now, with its mean velocity in the step. A belt moves as a whole, on the spot.
void move_floor(btDynamicsWorld *world, btScalar h)
{
    setup *w = static_cast<setup *>(world->getWorldUserInfo());
    double z = 0, next = 0, v, a;
    if (w->s.floor == CONTACT_SHAKEN) {
        contact_floor_at(w->time, &z, &v, &a);
        contact_floor_at(w->time + h, &next, &v, &a);
    }
    btTransform X = btTransform::getIdentity();
    X.setOrigin(btVector3(0, 0, w->ground->getShapeType() == BOX_SHAPE_PROXYTYPE ? -1 : z));
    w->floor->setWorldTransform(X);
    w->floor->setInterpolationWorldTransform(X);
    w->floor->setLinearVelocity(btVector3(w->s.belt[0], w->s.belt[1], (next - z) / h));
    w->floor->setAngularVelocity(btVector3(0, 0, w->s.spin));
}

btCollisionShape *shape_of(const contact_scene *s)
{
    const double r = s->radius;
    if (s->shape == CONTACT_BALL)
        return new btSphereShape(r);
    if (s->shape == CONTACT_CUBE)
        return new btBoxShape(btVector3(r, r, r));
    return new btCylinderShapeZ(btVector3(r, r, s->half_width));
}

std::unique_ptr<btRigidBody> add(setup *w, double mass, const double *I, btCollisionShape *shape)
{
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, vector_of(I));
    const contact_scene *s = &w->s;
    info.m_startWorldTransform.setIdentity();
    if (mass > 0) {
        info.m_startWorldTransform.setOrigin(vector_of(s->p));
        info.m_startWorldTransform.setRotation(btQuaternion(s->q[1], s->q[2], s->q[3], s->q[0]));
    }
    // products of both bodies' friction and restitution; rolling friction times the other's one
    info.m_friction = mass > 0 ? s->mu : 1;
    info.m_restitution = mass > 0 ? s->e : 1;
    info.m_rollingFriction = mass > 0 ? s->rho : 0;
    auto body = std::make_unique<btRigidBody>(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    return body;
}

void *make(const contact_scene *s, double h, bool tuned)
{
    const double none[3] = { 0, 0, 0 };
    double I[3];
    setup *w = new setup;
    w->s = *s;
    w->h = h;
    w->world.setGravity(vector_of(s->gravity));
    w->world.setInternalTickCallback(move_floor, w, true);
    contact_moments(s, I);
    w->shape.reset(shape_of(s));
    if (s->shape == CONTACT_CUBE)
        w->ground = std::make_unique<btBoxShape>(btVector3(5, 5, 1));
    else
        w->ground = std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0);
    w->body = add(w, 1, I, w->shape.get());
    w->floor = add(w, 0, none, w->ground.get());
    w->body->setLinearVelocity(vector_of(s->v));
    w->body->setAngularVelocity(vector_of(s->w));
    if (s->floor != CONTACT_FIXED)
        w->floor->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
    move_floor(&w->world, h);
    w->world.addRigidBody(w->body.get());
    w->world.addRigidBody(w->floor.get());
    w->world.getSolverInfo().m_restitutionVelocityThreshold = 0.01;
    if (tuned) {
        w->body->setContactProcessingThreshold(0);
        w->floor->setContactProcessingThreshold(0);
        w->world.getSolverInfo().m_erp2 = 0;
    }
    return w;
}

void *make_default(const contact_scene *s, double h)
{
    return make(s, h, false);
}

void *make_tuned(const contact_scene *s, double h)
{
    return make(s, h, true);
}

bool step(void *of)
{
    setup *w = static_cast<setup *>(of);
    w->world.stepSimulation(w->h, 1, w->h);
    w->time += w->h;
    return true;
}

void get(void *of, contact_motion *m)
{
    const btRigidBody *body = static_cast<setup *>(of)->body.get();
    const btVector3 &p = body->getWorldTransform().getOrigin(), &v = body->getLinearVelocity();
    contact_set(m->p, p.x(), p.y(), p.z());
    contact_set(m->v, v.x(), v.y(), v.z());
}

void drop(void *of)
{
    delete static_cast<setup *>(of);
}

} // namespace

int main()
{
    static const contact_engine me[] = { { "bullet", make_default, step, get, drop },
                                         { "bullet_tuned", make_tuned, step, get, drop } };
    return contact_main(me, 2);
}
