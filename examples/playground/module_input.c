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

/* Pulls a body, by a point of it in G that stands for where it was taken; both from the focus. */
void EXPORT(grab)(int index, double x, double y, double z)
{
    spc_body body = { 0, 0 };
    spc_state s;
    now.to_G = from_focus(x, y, z);
    now.pulled.index = 0;
    while (spc_body_next(now.p.world, &body))
        if ((int)body.index == index && spc_body_get_state(now.p.world, body, &s) == SPC_OK) {
            now.pulled = body;
            now.pulled_B = spc_transform_point(spc_transform_inverse(s.X_GB), now.to_G);
        }
}

/* Where the pointer is now; returns the body that it pulls, 0 for none. */
int EXPORT(pull_to)(double x, double y, double z)
{
    now.to_G = from_focus(x, y, z);
    return (int)now.pulled.index;
}

void EXPORT(let_go)(void)
{
    now.pulled.index = 0;
}

int EXPORT(lift)(void)
{
    now.status = SPC_OK;
    knock();
    return (int)now.status;
}
