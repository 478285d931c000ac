/* Steps through time in this library: its two kinds of steps, and a reference. */
#include "step.h"

#define REFERENCE_RATE 16000

static void *make(scene *s)
{
    return s;
}

static bool step(void *setup, scene *s, double h)
{
    (void)setup;
    return spc_step(s->world, (spc_real)h) <= 0;
}

static bool step_rk4(void *setup, scene *s, double h)
{
    (void)setup;
    return spc_step_rk4(s->world, (spc_real)h, SPC_DRIFT_PROJECT) <= 0;
}

static void drop(void *setup)
{
    (void)setup;
}

/* Where the watched points are after 1 s: Runge-Kutta. */
static void print_references(void)
{
    scene s;
    int i, k;
    for (k = 0; k < STEP_SCENES; k++) {
        step_scenes[k].make(&s);
        for (i = 0; i < REFERENCE_RATE; i++)
            scene_must(spc_step_rk4(s.world, 1.0 / REFERENCE_RATE, SPC_DRIFT_PROJECT));
        step_print(step_scenes[k].name, "reference", 0, scene_place(&s), 0, 0);
        scene_end(&s);
    }
}

int main(void)
{
    static const step_engine me[] = { { "spc_step", make, step, drop },
                                      { "spc_step_rk4", make, step_rk4, drop } };
    print_references();
    return step_main(me, 2);
}
