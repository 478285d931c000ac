/* coin.c - a coin that leans and rolls in a circle, more or less */
#include "playground.h"

#define RADIUS 0.1 /* [m] */
#define MASS 0.2   /* [kg] */
#define TURN 3.0   /* of a steady circle [rad/s] */

/* In a steady circle (C + m r^2) w3 TURN sin - A TURN^2 sin cos + m g r cos = 0, with the angle of
   the coin's axis to the vertical; examples/coin.c derives it. */
static void make(playground *p)
{
    const spc_quat lean = turned(90 - p->slider[0], spc_vec3_make(0, 1, 0));
    const spc_vec3 w1 = spc_rotate(lean, spc_vec3_make(0, 0, 1));
    const double steady = (TURN * TURN * w1.x / 4 - 9.81 / RADIUS) * w1.z / (1.5 * TURN * w1.x);
    const double w3 = steady * (1 + p->slider[1] / 100);
    spc_body_desc coin = spc_body_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    const spc_color gold = { 0.85, 0.66, 0.22, 1 };
    make_world(p, 1, 1);
    coin.mass = spc_mass_disc(MASS, RADIUS);
    coin.state.X_GB.q = lean;
    coin.state.X_GB.p = spc_vec3_make(-RADIUS * steady / TURN, 0, RADIUS * w1.x);
    coin.state.V_GB.angular = spc_scale(w3 - TURN * w1.z, w1);
    coin.state.V_GB.angular.z += TURN;
    coin.state.V_GB.linear = spc_vec3_make(0, -RADIUS * w3, 0);
    check(spc_body_add(p->world, &coin, &roll.disc));
    p->body = roll.disc;
    roll.shape.axis_B = spc_vec3_make(0, 0, 1);
    roll.shape.radius = RADIUS;
    roll.shape.width = 0.012;
    roll.shape.color = gold;
    check(spc_rolling_disc_add(p->world, &roll, &p->trail[p->trails++]));
    check(spc_world_project_velocities(p->world));
}

const scene coin_scene = {
    .id = "coin",
    .title = "Coin",
    .text = "A coin rolls in a circle and leans into it. Start it off the steady speed, or pull at "
            "it: it nods, and its track becomes a rosette. Nothing is lost, so it never stops.",
    .sliders = { { "Lean", "deg", 15, 60, 1, 25, true },
                 { "Off the steady speed", "%", -30, 30, 1, 12, true } },
    .side = 20,
    .height = 32,
    .distance = 1.7,
    .centre = { 0, 0, 0.05 },
    .newton = 0.06,
    .push = 0.25,
    .pull = 4,
    .make = make,
};
