/* coin.c - a coin in a steady circle: it leans, and comes back to where it began */
#include "svg.h"

#define RADIUS 0.1 /* [m] */
#define TURN 3.2   /* [rad/s] */
#define SINE 0.9   /* of the angle between the coin's axis and the vertical */
#define COSINE 0.43588989435406736

/* Steady: (C + m r^2) w3 TURN sin - A TURN^2 sin cos + m g r cos = 0, see examples/coin.c. */
int main(void)
{
    const double w3 = (TURN * TURN * SINE / 4 - 9.81 / RADIUS) * COSINE / (1.5 * TURN * SINE);
    svg *s = svg_begin("A coin rolls in a circle", 400, 240, 380, 2 * PI / TURN);
    spc_body_desc coin = spc_body_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    const spc_vec3 w1 = spc_vec3_make(SINE, 0, COSINE);
    s->world = svg_world(1, 1, 9.81);
    coin.mass = spc_mass_disc(0.005, RADIUS);
    check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), w1, &coin.state.X_GB.q));
    coin.state.X_GB.p = spc_vec3_make(-RADIUS * w3 / TURN, 0, RADIUS * SINE);
    coin.state.V_GB.angular = spc_scale(w3 - TURN * COSINE, w1);
    coin.state.V_GB.angular.z += TURN;
    coin.state.V_GB.linear = spc_vec3_make(0, -RADIUS * w3, 0);
    check(spc_body_add(s->world, &coin, &roll.disc));
    roll.shape.axis_B = spc_vec3_make(0, 0, 1);
    roll.shape.radius = RADIUS;
    roll.shape.width = 0.014;
    roll.shape.half_width = 0.4;
    check(spc_rolling_disc_add(s->world, &roll, &s->trail));
    s->q_CG = svg_view(-20, 30);
    s->still = 60;
    svg_play(s, SPC_PART_PLANE | SPC_PART_DISC, 20);
    return 0;
}
