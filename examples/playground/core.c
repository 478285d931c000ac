/* core.c - runs a scene: its world, its steps */
#include "core.h"

/* To add a scene: a file, and its name here and in playground.h. */
static const scene *const scenes[] = {
    &tray_scene,    &billiards_scene, &turntable_scene, &coin_scene,
    &bicycle_scene, &ballbot_scene,   &wagon_scene,     &chain_scene,
};

core now;

const scene *scene_at(int i)
{
    return i >= 0 && i < (int)(sizeof scenes / sizeof *scenes) ? scenes[i] : NULL;
}

void check(spc_status status)
{
    if (now.status == SPC_OK)
        now.status = status;
}

void make_world(playground *p, int bodies, int constraints)
{
    make_dense_world(p, bodies, constraints, 0);
}

void make_dense_world(playground *p, int bodies, int constraints, size_t solver_bytes)
{
    spc_world_desc desc = spc_world_desc_default(bodies, constraints);
    if (solver_bytes > desc.solver_bytes)
        desc.solver_bytes = solver_bytes;
    desc.gravity = spc_vec3_make(0, 0, -9.81);
    check(spc_world_create(scene_memory(spc_world_size(&desc)), spc_world_size(&desc), &desc,
                           &p->world));
}

spc_quat turned(double degrees, spc_vec3 axis)
{
    return spc_quat_from_rotation_vector(spc_scale(degrees * 0.017453292519943295, axis));
}

double limited(double x, double most)
{
    return x > most ? most : x < -most ? -most : x;
}

/* Sliders stay where they are. */
void open_scene(int i)
{
    const spc_body none = { 0, 0 };
    int k;
    now.scene = scene_at(i);
    now.status = SPC_OK;
    now.pulled = now.p.body = now.p.floor = none;
    now.p.trails = 0;
    now.p.aims = false;
    now.p.x = now.p.y = 0;
    for (k = 0; k < NUMBERS; k++)
        now.p.number[k] = 0;
    now.scene->make(&now.p);
    set_time_constant();
}

/* Of all constraints that there are. */
void set_time_constant(void)
{
    spc_constraint c = { 0, 0 };
    spc_stabilization s = spc_stabilization_default();
    s.enabled = now.time_constant > 0;
    s.time_constant = now.time_constant;
    while (spc_constraint_next(now.p.world, &c))
        check(spc_constraint_set_stabilization(now.p.world, c, &s));
}

/* A step that is refused leaves the world as it was. */
spc_status take_step(void)
{
    playground *p = &now.p;
    const double push = now.scene->push;
    now.status = SPC_OK;
    if (now.scene->control)
        now.scene->control(p);
    if (push > 0)
        check(spc_body_add_force(p->world, p->body, spc_vec3_make(push * p->x, push * p->y, 0),
                                 now.scene->push_B, SPC_ONE_STEP));
    pull();
    if (now.status == SPC_OK)
        check(now.method == 0 || now.scene->crowded
                  ? spc_step(p->world, p->h)
                  : spc_step_rk4(p->world, p->h,
                                 now.method == 1 ? SPC_DRIFT_STABILIZE : SPC_DRIFT_PROJECT));
    return now.status;
}
