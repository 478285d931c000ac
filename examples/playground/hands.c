/* hands.c - what a hand does to a scene: it pulls, strikes with a cue, and lifts */
#include "core.h"

/* A spring with a damper, from a point of the body to the pointer, not longer than a metre. */
void pull(void)
{
    const double stiffness = now.scene->pull;
    spc_vec3 way, v;
    spc_state s;
    double far;
    if (now.pulled.index == 0 || now.p.aims)
        return;
    check(spc_body_get_state(now.p.world, now.pulled, &s));
    v = spc_rotate(s.X_GB.q, now.pulled_B);
    way = spc_sub(now.p.to_G, spc_add(s.X_GB.p, v));
    far = spc_norm(way);
    way = spc_scale(far > 1 ? stiffness / far : stiffness, way);
    v = spc_add(s.V_GB.linear, spc_cross(s.V_GB.angular, v));
    check(spc_body_add_force(now.p.world, now.pulled, spc_sub(way, spc_scale(0.1 * stiffness, v)),
                             now.pulled_B, SPC_ONE_STEP));
}

/* By the cue, as it is aimed. */
bool strike(void)
{
    return now.scene->strike && now.scene->strike(&now.p);
}

/* Lifts the body off what holds it: its constraints are open by a few centimetres. */
void knock(void)
{
    spc_state s;
    check(spc_body_get_state(now.p.world, now.p.body, &s));
    s.X_GB.p.z += 0.03 * now.scene->distance;
    check(spc_body_set_pose(now.p.world, now.p.body, s.X_GB));
}
