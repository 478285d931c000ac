/* module_input.c - what the page sets: steps, sliders, the pointer */
#include "core.h"

void EXPORT(set_step)(double h)
{
    now.p.h = h;
}

void EXPORT(set_method)(int method)
{
    now.method = method;
}

void EXPORT(set_time_constant_to)(double T)
{
    now.time_constant = T;
    if (now.scene)
        set_time_constant();
}

void EXPORT(set_slider)(int i, double value)
{
    now.p.slider[i] = value;
}

void EXPORT(point)(double x, double y)
{
    now.p.x = x;
    now.p.y = y;
}

static spc_vec3 from_focus(double x, double y, double z)
{
    measures m;
    measure(&m);
    return spc_vec3_make(x + m.focus[0], y + m.focus[1], z + m.focus[2]);
}

void EXPORT(let_go)(void)
{
    now.pulled.index = 0;
    now.p.aims = false;
}

/* Pulls a body, or the cue that strikes it, by a point of it in G, from the focus, that stands for
   where it was taken. */
void EXPORT(grab)(int index, double x, double y, double z)
{
    spc_body body = { 0, 0 };
    spc_state s;
    now.p.to_G = from_focus(x, y, z);
    let_go();
    while (spc_body_next(now.p.world, &body))
        if ((int)body.index == index && spc_body_get_state(now.p.world, body, &s) == SPC_OK) {
            now.pulled = body;
            now.p.aims = now.scene->strike && body.index == now.p.body.index;
            now.pulled_B = spc_transform_point(spc_transform_inverse(s.X_GB), now.p.to_G);
        }
}

/* Where the pointer is now; returns the body that it pulls, 0 for none. */
int EXPORT(pull_to)(double x, double y, double z)
{
    now.p.to_G = from_focus(x, y, z);
    return (int)now.pulled.index;
}

/* Is a body struck? */
int EXPORT(hit)(void)
{
    now.status = SPC_OK;
    return strike();
}

int EXPORT(lift)(void)
{
    now.status = SPC_OK;
    knock();
    return (int)now.status;
}
