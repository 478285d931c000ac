/* run.c - the default run of a scene, whose hash is compared */
#include "core.h"

/* From -1 to 1 and back, in so many steps. */
static double wave(int i, int period)
{
    const double part = (double)(i % period) / period;
    return part < 0.5 ? 4 * part - 1 : 3 - 4 * part;
}

/* The run that everybody's machine ends with the same bits: sliders as they come, and for the
   middle part of it a pointer that goes around; a cue strikes in it. */
spc_status default_run(int i)
{
    spc_status status = SPC_OK;
    int k;
    now.p.h = RUN_STEP;
    now.method = 0;
    now.time_constant = 0.1;
    for (k = 0; k < SLIDERS; k++)
        now.p.slider[k] = scene_at(i)->sliders[k].value;
    open_scene(i);
    for (k = 0; k < RUN_STEPS && status == SPC_OK && now.status == SPC_OK; k++) {
        const bool moved = k >= RUN_STEPS / 5 && k < 4 * RUN_STEPS / 5;
        now.p.x = moved ? wave(k, 500) : 0;
        now.p.y = moved ? wave(k, 350) : 0;
        if (k == 3 * RUN_STEPS / 5)
            (void)strike();
        status = take_step();
    }
    return now.status;
}
