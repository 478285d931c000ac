/* Steps through time, for C and C++: each engine's program moves the bodies of the scenes of
   tests/scenes.h by itself, gives their states back to the scene's world, which is measured, and
   ends with

       int main(void) { return step_main(&me, 1); }

   It prints a line `scene engine rate x y z energy drift` for each scene that the engine can
   express: where the watched point is after 1 s [m], the change of energy in 5 s [J], the largest
   position error in that time [m, rad]; `nan` for what there is not, because a step was refused or
   a motor works. step.sh collects the lines. */
#ifndef STEP_H
#define STEP_H

#define SPHERECONTACT_STATIC
#define SPHERECONTACT_IMPLEMENTATION
#include "../scenes.h"

typedef struct step_engine {
    const char *name;
    void *(*make)(scene *s);                       /* NULL: it cannot */
    bool (*step)(void *setup, scene *s, double h); /* false: refused */
    void (*drop)(void *setup);
} step_engine;

static const scene_entry step_scenes[] = {
    { "bar", scene_bar },           { "box", scene_box },         { "chain", scene_chain },
    { "coin", scene_coin },         { "slope", scene_slope },     { "wheel", scene_wheel },
    { "unicycle", scene_unicycle }, { "bicycle", scene_bicycle }, { "turntable", scene_turntable },
    { "robot", scene_robot },
};
#define STEP_SCENES ((int)(sizeof step_scenes / sizeof *step_scenes))

static const int step_rates[] = { 60, 240, 1000 };

static inline void step_print(const char *scene_name, const char *name, int rate, spc_vec3 p,
                              double energy, double drift)
{
    printf("%s %s %d %.15g %.15g %.15g %.3e %.3e\n", scene_name, name, rate, (double)p.x,
           (double)p.y, (double)p.z, energy, drift);
    fflush(stdout);
}

/* One scene at one rate. */
static inline void step_run(const step_engine *e, const scene_entry *entry, int rate)
{
    spc_vec3 place = scene_vec(NAN, NAN, NAN);
    double start, drift = 0;
    bool went = true;
    void *setup;
    scene s;
    int i;
    entry->make(&s);
    setup = e->make(&s);
    start = scene_energy(&s);
    for (i = 1; setup && went && i <= 5 * rate; i++) {
        went = e->step(setup, &s, 1.0 / rate);
        drift = fmax(drift, scene_drift(&s));
        if (went && i == rate)
            place = scene_place(&s);
    }
    if (setup) {
        const bool motor = !strcmp(entry->name, "turntable");
        step_print(entry->name, e->name, rate, place,
                   went && !motor ? scene_energy(&s) - start : (double)NAN,
                   went ? drift : (double)NAN);
        e->drop(setup);
    }
    scene_end(&s);
}

/* The energy of the chain over 10 s at 240 Hz, less that of the start, over m g L (whole mass, whole
   length): lines `chain,engine,rate,time,value` for plots.sh. */
static inline void step_plot(const step_engine *e)
{
    const double most = 10 * SCENE_GRAVITY * 10 * 0.2;
    bool went = true;
    double start;
    void *setup;
    scene s;
    int i;
    scene_chain(&s);
    setup = e->make(&s);
    start = scene_energy(&s);
    for (i = 0; setup && i <= 2400; i++) {
        if (i > 0 && went)
            went = e->step(setup, &s, 1.0 / 240);
        if (i % 24 == 0)
            printf("chain,%s,240,%.12g,%.12g\n", e->name, i / 240.0,
                   went ? (scene_energy(&s) - start) / most : (double)NAN);
    }
    if (setup)
        e->drop(setup);
    scene_end(&s);
}

static inline int step_main(const step_engine *engines, int count)
{
    int i, k, j;
#ifdef PLOT
    for (k = 0; k < count; k++)
        step_plot(&engines[k]);
    return 0;
#endif
    for (i = 0; i < STEP_SCENES; i++)
        for (j = 0; j < 3; j++)
            for (k = 0; k < count; k++)
                step_run(&engines[k], &step_scenes[i], step_rates[j]);
    return 0;
}

/* For other engines, whose bodies have their origin at the centre of mass: where that is, and how
   it moves. */
static inline spc_state step_centre(const scene *s, int i, spc_mass *mass)
{
    spc_state b;
    spc_vec3 c;
    scene_must(spc_body_get_state(s->world, s->body[i], &b));
    if (spc_body_get_mass(s->world, s->body[i], mass)) /* kinematic */
        *mass = spc_mass_solid_sphere(1, 1);
    c = spc_rotate(b.X_GB.q, mass->p_BBc);
    b.X_GB.p = spc_add(b.X_GB.p, c);
    b.V_GB.linear = spc_add(b.V_GB.linear, spc_cross(b.V_GB.angular, c));
    return b;
}

/* The other way. */
static inline void step_give(scene *s, int i, spc_state b)
{
    spc_mass mass;
    spc_vec3 c;
    if (spc_body_get_mass(s->world, s->body[i], &mass))
        mass = spc_mass_solid_sphere(1, 1);
    c = spc_rotate(b.X_GB.q, mass.p_BBc);
    b.X_GB.p = spc_sub(b.X_GB.p, c);
    b.V_GB.linear = spc_sub(b.V_GB.linear, spc_cross(b.V_GB.angular, c));
    (void)spc_body_set_pose(s->world, s->body[i], b.X_GB); /* what is not finite is refused */
    (void)spc_body_set_velocity(s->world, s->body[i], b.V_GB);
}

/* The index of a body in the scene; -1 for ground. */
static inline int step_index(const scene *s, spc_body body)
{
    int i;
    for (i = 0; i < s->bodies; i++)
        if (s->body[i].index == body.index)
            return i;
    return -1;
}

#endif
