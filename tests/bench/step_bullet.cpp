// The scenes of step.h that have balls on fixed planes and ball joints alone, in Bullet, in double
// precision: contacts are unilateral and found by its collision detection, friction is 1, the solver
// makes its 10 iterations.
#include "step.h"

#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

namespace
{

struct setup {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{ &dispatcher, &broadphase, &solver, &configuration };
    btEmptyShape nothing;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies; // those of the scene, then ground
    std::vector<std::unique_ptr<btTypedConstraint>> joints;

    ~setup()
    {
        for (auto &joint : joints)
            world.removeConstraint(joint.get());
        for (auto &body : bodies)
            world.removeRigidBody(body.get());
    }
};

btVector3 vector_of(spc_vec3 v)
{
    return btVector3(v.x, v.y, v.z);
}

spc_vec3 vec3_of(const btVector3 &v)
{
    return spc_vec3_make(v.x(), v.y(), v.z());
}

void add_body(setup *w, const scene *s, int i, btCollisionShape *shape)
{
    spc_mass mass;
    const spc_state b = step_centre(s, i, &mass);
    const spc_inertia I = mass.inertia;
    btRigidBody::btRigidBodyConstructionInfo info(mass.mass, nullptr, shape,
                                                  btVector3(I.xx, I.yy, I.zz));
    info.m_startWorldTransform.setOrigin(vector_of(b.X_GB.p));
    info.m_startWorldTransform.setRotation(
        btQuaternion(b.X_GB.q.x, b.X_GB.q.y, b.X_GB.q.z, b.X_GB.q.w));
    info.m_friction = 1;
    w->bodies.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody *body = w->bodies.back().get();
    body->setLinearVelocity(vector_of(b.V_GB.linear));
    body->setAngularVelocity(vector_of(b.V_GB.angular));
    body->setActivationState(DISABLE_DEACTIVATION);
    if (shape == &w->nothing)
        w->world.addRigidBody(body, 0, 0);
    else
        w->world.addRigidBody(body);
}

// The shape of a body: a ball or a plane, where it is one of a contact.
btCollisionShape *shape_of(setup *w, const scene *s, int i)
{
    for (int k = 0; k < s->constraints; k++) {
        spc_constraint_info info;
        spc_sphere_on_plane contact;
        scene_must(spc_constraint_get_info(s->world, s->constraint[k], &info));
        if (info.kind != SPC_SPHERE_ON_PLANE)
            continue;
        scene_must(spc_sphere_on_plane_get(s->world, s->constraint[k], &contact));
        const spc_vec3 n = spc_rotate(contact.X_FP.q, scene_vec(0, 0, 1));
        if (step_index(s, info.b) == i)
            w->shapes.push_back(std::make_unique<btSphereShape>(contact.radius));
        else if (step_index(s, info.a) == i)
            w->shapes.push_back(std::make_unique<btStaticPlaneShape>(vector_of(n), 0));
        else
            continue;
        return w->shapes.back().get();
    }
    return &w->nothing;
}

// Bodies with their moments on their axes, balls on fixed planes through the origin, ball joints. (A
// floor that turns needs a motion state for its velocity to count.)
bool can(const scene *s)
{
    spc_constraint_info info;
    spc_attachment joint;
    spc_mass mass;
    for (int i = 0; i < s->bodies; i++)
        if (spc_body_get_mass(s->world, s->body[i], &mass))
            return false;
    for (int k = 0; k < s->constraints; k++) {
        scene_must(spc_constraint_get_info(s->world, s->constraint[k], &info));
        if (info.kind == SPC_ROLLING_DISC)
            return false;
        if (info.kind == SPC_ATTACHMENT) {
            scene_must(spc_attachment_get(s->world, s->constraint[k], &joint));
            if (joint.locked != SPC_BALL_JOINT)
                return false;
        }
    }
    return true;
}

void add_joint(setup *w, const scene *s, spc_constraint c)
{
    spc_constraint_info info;
    spc_attachment shape;
    scene_must(spc_constraint_get_info(s->world, c, &info));
    if (info.kind != SPC_ATTACHMENT)
        return;
    scene_must(spc_attachment_get(s->world, c, &shape));
    const int a = step_index(s, info.a), b = step_index(s, info.b);
    const btVector3 p_A = vector_of(shape.X_AF.p), p_B = vector_of(shape.X_BM.p);
    if (a < 0)
        w->joints.push_back(std::make_unique<btPoint2PointConstraint>(*w->bodies[b], p_B));
    else
        w->joints.push_back(
            std::make_unique<btPoint2PointConstraint>(*w->bodies[a], *w->bodies[b], p_A, p_B));
    w->world.addConstraint(w->joints.back().get());
}

void *make(scene *s)
{
    if (!can(s))
        return nullptr;
    setup *w = new setup;
    w->world.setGravity(vector_of(spc_world_gravity(s->world)));
    for (int i = 0; i < s->bodies; i++)
        add_body(w, s, i, shape_of(w, s, i));
    btCollisionShape *floor = shape_of(w, s, -1); // of ground
    if (floor != &w->nothing) {
        btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, floor);
        info.m_startWorldTransform.setIdentity();
        info.m_friction = 1;
        w->bodies.push_back(std::make_unique<btRigidBody>(info));
        w->world.addRigidBody(w->bodies.back().get());
    }
    for (int i = 0; i < s->constraints; i++)
        add_joint(w, s, s->constraint[i]);
    return w;
}

bool step(void *of, scene *s, double h)
{
    setup *w = static_cast<setup *>(of);
    w->world.stepSimulation(h, 1, h);
    for (int i = 0; i < s->bodies; i++) {
        const btRigidBody *body = w->bodies[i].get();
        const btQuaternion q = body->getOrientation();
        spc_state b;
        b.X_GB.p = vec3_of(body->getWorldTransform().getOrigin());
        b.X_GB.q = spc_quat_make(q.w(), q.x(), q.y(), q.z());
        b.V_GB.linear = vec3_of(body->getLinearVelocity());
        b.V_GB.angular = vec3_of(body->getAngularVelocity());
        step_give(s, i, b);
    }
    return true;
}

void drop(void *of)
{
    delete static_cast<setup *>(of);
}

} // namespace

int main()
{
    static const step_engine me = { "bullet", make, step, drop };
    return step_main(&me, 1);
}
