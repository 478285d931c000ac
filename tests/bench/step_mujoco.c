/* The scenes of step.h that are chains on ball joints in MuJoCo, in its reduced coordinates: bodies
   inside of bodies. Its defaults (Euler's rule), then with its Runge-Kutta integrator, which its
   manual advises where energy is to be kept. */
#include "step.h"

#include <mujoco/mujoco.h>
#include <unistd.h>

typedef struct setup {
    mjModel *m;
    mjData *d;
} setup;

/* Body i on a ball joint with body i - 1, or the first with ground, each in the axes of ground. */
static bool can(const scene *s)
{
    spc_constraint_info info;
    spc_attachment joint;
    spc_state b;
    int i;
    if (s->bodies != s->constraints)
        return false;
    for (i = 0; i < s->bodies; i++) {
        scene_must(spc_constraint_get_info(s->world, s->constraint[i], &info));
        if (info.kind != SPC_ATTACHMENT || step_index(s, info.b) != i ||
            step_index(s, info.a) != i - 1)
            return false;
        scene_must(spc_attachment_get(s->world, s->constraint[i], &joint));
        scene_must(spc_body_get_state(s->world, s->body[i], &b));
        if (joint.locked != SPC_BALL_JOINT || b.X_GB.q.w != 1)
            return false;
    }
    return true;
}

static void write_body(FILE *f, const scene *s, int i)
{
    spc_attachment joint;
    spc_mass mass;
    spc_state b = step_centre(s, i, &mass);
    spc_vec3 p = b.X_GB.p;
    scene_must(spc_attachment_get(s->world, s->constraint[i], &joint));
    if (i > 0)
        p = spc_sub(p, step_centre(s, i - 1, &mass).X_GB.p);
    scene_must(spc_body_get_mass(s->world, s->body[i], &mass));
    fprintf(f, "<body pos='%.17g %.17g %.17g'><joint type='ball' pos='%.17g %.17g %.17g'/>\n", p.x,
            p.y, p.z, joint.X_BM.p.x, joint.X_BM.p.y, joint.X_BM.p.z);
    fprintf(f, "<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>\n", mass.mass,
            mass.inertia.xx, mass.inertia.yy, mass.inertia.zz);
}

static mjModel *model_of(const scene *s, bool rk4)
{
    const spc_vec3 g = spc_world_gravity(s->world);
    char name[] = "step-XXXXXX", error[400] = "";
    const int file = mkstemp(name);
    FILE *f = file >= 0 ? fdopen(file, "w") : NULL;
    mjModel *m;
    int i;
    if (!f)
        return NULL;
    fprintf(f,
            "<mujoco><compiler boundmass='0' boundinertia='0'/>"
            "<option gravity='%.17g %.17g %.17g' integrator='%s'/><worldbody>\n",
            g.x, g.y, g.z, rk4 ? "RK4" : "Euler");
    for (i = 0; i < s->bodies; i++)
        write_body(f, s, i);
    for (i = 0; i < s->bodies; i++)
        fprintf(f, "</body>");
    fprintf(f, "</worldbody></mujoco>\n");
    fclose(f);
    m = mj_loadXML(name, NULL, error, sizeof error);
    remove(name);
    if (!m)
        fprintf(stderr, "bench: %s\n", error);
    return m;
}

static void *make(scene *s, bool rk4)
{
    spc_vec3 before = { 0, 0, 0 };
    setup *w;
    int i;
    if (!can(s))
        return NULL;
    w = (setup *)malloc(sizeof *w);
    w->m = model_of(s, rk4);
    if (!w->m)
        exit(1);
    w->d = mj_makeData(w->m);
    for (i = 0; i < s->bodies; i++) { /* its joints have velocities in the axes of the body */
        spc_state b;
        scene_must(spc_body_get_state(s->world, s->body[i], &b));
        w->d->qvel[3 * i] = b.V_GB.angular.x - before.x;
        w->d->qvel[3 * i + 1] = b.V_GB.angular.y - before.y;
        w->d->qvel[3 * i + 2] = b.V_GB.angular.z - before.z;
        before = b.V_GB.angular;
    }
    return w;
}

static void *make_default(scene *s)
{
    return make(s, false);
}

static void *make_rk4(scene *s)
{
    return make(s, true);
}

static bool step(void *of, scene *s, double h)
{
    setup *w = (setup *)of;
    int i;
    w->m->opt.timestep = h;
    mj_step(w->m, w->d);
    mj_kinematics(w->m, w->d); /* where bodies are after the step, for who looks */
    mj_comPos(w->m, w->d);
    mj_comVel(w->m, w->d);
    for (i = 0; i < s->bodies; i++) {
        const mjtNum *p = w->d->xpos + 3 * (i + 1), *q = w->d->xquat + 4 * (i + 1);
        mjtNum v[6];
        spc_state b;
        mj_objectVelocity(w->m, w->d, mjOBJ_BODY, i + 1, v, 0);
        b.X_GB.p = scene_vec(p[0], p[1], p[2]);
        b.X_GB.q = spc_quat_make(q[0], q[1], q[2], q[3]);
        b.V_GB.angular = scene_vec(v[0], v[1], v[2]);
        b.V_GB.linear = scene_vec(v[3], v[4], v[5]);
        step_give(s, i, b);
    }
    return true;
}

static void drop(void *of)
{
    setup *w = (setup *)of;
    mj_deleteData(w->d);
    mj_deleteModel(w->m);
    free(w);
}

int main(void)
{
    static const step_engine me[] = { { "mujoco", make_default, step, drop },
                                      { "mujoco_rk4", make_rk4, step, drop } };
    return step_main(me, 2);
}
