/* spun_coin.c - a coin spins down on a table until it lies flat: one-sided, with resistances */
#include "svg.h"

#define RADIUS 0.1 /* [m] */

int main(void)
{
    svg *s = svg_begin("A coin spins down and lies flat", 400, 240, 620, 5);
    spc_wheel_desc wheel = spc_wheel_desc_default();
    spc_rolling_disc shape;
    spc_constraint contact;
    spc_body coin;
    s->world = svg_world(1, 1, 9.81);
    wheel.mass = spc_mass_disc(0.005, RADIUS);
    wheel.radius = RADIUS;
    wheel.lean = 0.1;
    wheel.turn_rate = 16;
    wheel.one_sided = true;
    wheel.law.grip = false;
    wheel.law.friction = 0.4;
    wheel.law.rolling_resistance = 0.03 * RADIUS;
    wheel.law.spinning_resistance = 0.01 * RADIUS;
    check(spc_wheel_add(s->world, &wheel, &coin, &contact));
    check(spc_rolling_disc_get(s->world, contact, &shape));
    shape.width = 0.004;
    shape.half_width = 0.2;
    check(spc_rolling_disc_set(s->world, contact, &shape));
    s->q_CG = svg_view(-20, 30);
    s->p_GC.z = 0.06;
    s->still = 60;
    svg_play(s, SPC_PART_PLANE | SPC_PART_DISC, 20);
    return 0;
}
