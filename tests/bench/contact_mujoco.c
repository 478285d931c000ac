/* The scenes of contact.h in MuJoCo, with its own collision detection: its defaults (a pyramid for
   a cone), then tuned (an elliptic cone, impratio 10). It has no coefficient of restitution; where
   something bounces the contact is a spring of half a radian in a step, with the damping that
   belongs to e. A floor that moves is a box of 1e6 kg, put in its place before each step. */
#include "contact.h"

#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <unistd.h>

#define FLOOR_MASS 1e6

typedef struct setup {
    contact_scene s;
    mjModel *m;
    mjData *d;
    double h;
} setup;

/* Of a spring that does not pull: with the ratio cos(t) it lets go after 2 t / sin(t) radians of
   the undamped one, with e = exp(-2 t / tan(t)) of the speed. */
static double damping_ratio(double e)
{
    double low = 0, high = 1;
    int i;
    for (i = 0; i < 60; i++) {
        const double ratio = (low + high) / 2, t = acos(ratio);
        if (exp(-2 * t / tan(t)) > e)
            low = ratio;
        else
            high = ratio;
    }
    return e < 1 ? low : 0;
}

static void write_solref(FILE *f, const contact_scene *s, double h)
{
    const double rate = 0.5 / h;
    if (s->e > 0)
        fprintf(f, " solref='%.17g %.17g' solimp='0.9999 0.9999 0.001 0.5 2'", -rate * rate,
                -2 * damping_ratio(s->e) * rate);
}

static void write_floor(FILE *f, const contact_scene *s)
{
    const double big = FLOOR_MASS * 1e3;
    if (s->floor == CONTACT_FIXED) {
        fprintf(f, "<geom type='plane' size='0 0 1'/>\n");
        return;
    }
    fprintf(f,
            "<body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
            "<joint type='slide' axis='0 0 1'/><joint type='hinge' axis='0 0 1'/>"
            "<inertial pos='0 0 0' mass='%g' diaginertia='%g %g %g'/>"
            "<geom type='box' size='10 10 1' pos='0 0 -1'/></body>\n",
            FLOOR_MASS, big, big, big);
}

static void write_body(FILE *f, const contact_scene *s)
{
    double I[3];
    contact_moments(s, I);
    fprintf(f, "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'><freejoint/>\n",
            s->p[0], s->p[1], s->p[2], s->q[0], s->q[1], s->q[2], s->q[3]);
    fprintf(f, "<inertial pos='0 0 0' mass='1' diaginertia='%.17g %.17g %.17g'/>\n", I[0], I[1],
            I[2]);
    if (s->shape == CONTACT_BALL)
        fprintf(f, "<geom type='sphere' size='%.17g'/>", s->radius);
    else if (s->shape == CONTACT_CUBE)
        fprintf(f, "<geom type='box' size='%.17g %.17g %.17g'/>", s->radius, s->radius, s->radius);
    else
        fprintf(f, "<geom type='cylinder' size='%.17g %.17g'/>", s->radius, s->half_width);
    fprintf(f, "</body>\n");
}

static void write_model(FILE *f, const contact_scene *s, double h, bool tuned)
{
    const double least = 1e-12; /* friction below it is refused */
    fprintf(f,
            "<mujoco><compiler boundmass='0' boundinertia='0'/>"
            "<option timestep='%.17g' gravity='%.17g %.17g %.17g' %s/>\n",
            h, s->gravity[0], s->gravity[1], s->gravity[2],
            tuned ? "cone='elliptic' impratio='10'" : "");
    fprintf(f, "<default><geom condim='%d' friction='%.17g 0 %.17g'", s->rho > 0 ? 6 : 3,
            fmax(s->mu, least), s->rho);
    write_solref(f, s, h);
    fprintf(f, "/></default><worldbody>\n");
    write_floor(f, s);
    write_body(f, s);
    fprintf(f, "</worldbody></mujoco>\n");
}

/* Of the degrees of freedom the body's are the last. */
static void start(setup *w)
{
    const contact_scene *s = &w->s;
    const mjtNum q[4] = { s->q[0], s->q[1], s->q[2], s->q[3] };
    mjtNum *v = w->d->qvel + w->m->nv - 6, turned[3], back[4];
    mju_negQuat(back, q);
    mju_rotVecQuat(turned, s->w, back); /* angular velocity in the body's axes */
    memcpy(v, s->v, sizeof s->v);
    memcpy(v + 3, turned, sizeof turned);
}

static void *make(const contact_scene *s, double h, bool tuned)
{
    char name[] = "contact-XXXXXX", error[400] = "";
    const int file = mkstemp(name);
    FILE *f = file >= 0 ? fdopen(file, "w") : NULL;
    setup *w;
    if (!f)
        return NULL;
    write_model(f, s, h, tuned);
    fclose(f);
    w = (setup *)malloc(sizeof *w);
    w->s = *s;
    w->h = h;
    w->m = mj_loadXML(name, NULL, error, sizeof error);
    remove(name);
    if (!w->m) {
        fprintf(stderr, "bench: %s\n", error);
        exit(1);
    }
    w->d = mj_makeData(w->m);
    start(w);
    return w;
}

static void *make_default(const contact_scene *s, double h)
{
    return make(s, h, false);
}

static void *make_tuned(const contact_scene *s, double h)
{
    return make(s, h, true);
}

/* Where the floor is now, with the velocity that it has, and the force that its weight and its
   acceleration want. A belt moves as a whole, on the spot. */
static void move_floor(setup *w)
{
    const contact_scene *s = &w->s;
    double z = 0, v = 0, a = 0;
    if (s->floor == CONTACT_FIXED)
        return;
    if (s->floor == CONTACT_SHAKEN)
        contact_floor_at(w->d->time, &z, &v, &a);
    mju_zero(w->d->qpos, 4);
    w->d->qpos[2] = z;
    w->d->qvel[0] = s->belt[0];
    w->d->qvel[1] = s->belt[1];
    w->d->qvel[2] = v;
    w->d->qvel[3] = s->spin;
    w->d->qfrc_applied[2] = FLOOR_MASS * (a - s->gravity[2]);
}

static bool step(void *of)
{
    setup *w = (setup *)of;
    move_floor(w);
    mj_step(w->m, w->d);
    return true;
}

static void get(void *of, contact_motion *m)
{
    const setup *w = (const setup *)of;
    const mjtNum *p = w->d->qpos + w->m->nq - 7, *v = w->d->qvel + w->m->nv - 6;
    contact_set(m->p, p[0], p[1], p[2]);
    contact_set(m->v, v[0], v[1], v[2]);
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
    static const contact_engine me[] = { { "mujoco", make_default, step, get, drop },
                                         { "mujoco_tuned", make_tuned, step, get, drop } };
    return contact_main(me, 2);
}
