/* spun_coin.c - a coin spins down on a table, faster and faster, until it lies flat, and stays so

   A coin of radius r rolls with its centre S at rest, theta between its axis and the vertical. Its
   moment of inertia across the axis is m r^2 / 4, and the weight m g r cos(theta) about the contact
   point makes everything turn about the vertical with

       psi'^2 = 4 g / (r sin(theta)),    energy 3/2 m g r sin(theta)

   The table resists rolling with the moment rho m g, against the turn psi' sin(theta) cos(theta) of
   the coin about horizontal axes. So with s = sin(theta)

       s' = -4/3 (rho / r) sqrt(g s / r) cos(theta)

   and s reaches 0 after T = 3/2 (r / rho) sqrt(r s0 / g) (1 + s0^2 / 10 + ...), as (T - t)^2, while
   psi' grows without bound as 1 / (T - t). (Euler's disc; in H. K. Moffatt, Nature 404, 833 (2000),
   it is air that resists.) A step that can no longer follow psi' lays the coin down.

   build: cc -O2 examples/spun_coin.c -lm -o spun_coin
   last line: spun_coin: ok, flat after 4.446 s
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MASS 0.0075    /* [kg] */
#define RADIUS 0.01165 /* [m] */
#define GRAVITY 9.81   /* [m/s^2] */
#define RHO 6e-5       /* arm of the rolling resistance [m] */
#define START 0.2      /* s0 */
#define RATE 240       /* steps a second */

/* Of times: s0^2 and the next order of the series, and what psi' h > 1 leaves of them. */
#define TOLERANCE 0.02

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

/* The coin in its motion, with its contact, which may let go. */
static spc_world *make_world(spc_body *coin)
{
    const double turn = sqrt(4 * GRAVITY / (RADIUS * START)), theta = asin(START);
    spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_wheel_desc wheel = spc_wheel_desc_default();
    spc_world *world;
    desc.gravity = spc_vec3_make(0, 0, -GRAVITY);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    wheel.mass = spc_mass_disc(MASS, RADIUS);
    wheel.radius = RADIUS;
    wheel.lean = acos(-1) / 2 - theta;
    wheel.turn_rate = turn; /* the contact point circles below S, with radius r cos(theta) */
    wheel.speed = -turn * RADIUS * cos(theta);
    wheel.one_sided = true;
    wheel.law.grip = false;
    wheel.law.friction = 0.4;
    wheel.law.rolling_resistance = RHO;
    check(spc_wheel_add(world, &wheel, coin, NULL));
    return world;
}

/* The sine between the coin's axis and the vertical, and its energy. */
static double sine_of(const spc_world *world, spc_body coin)
{
    spc_state state;
    spc_vec3 axis;
    check(spc_body_get_state(world, coin, &state));
    axis = spc_rotate(state.X_GB.q, spc_vec3_make(0, 0, 1));
    return hypot(axis.x, axis.y);
}

static double energy_of(const spc_world *world)
{
    spc_energy_momentum e;
    check(spc_world_get_energy_momentum(world, &e));
    return e.kinetic + e.potential;
}

int main(void)
{
    const double T = 1.5 * RADIUS / RHO * sqrt(RADIUS * START / GRAVITY) * (1 + START * START / 10);
    const double weight = MASS * GRAVITY * RADIUS;
    double energy, worst = 0, rise = 0, flat = 0;
    spc_state lies, later;
    spc_body coin;
    spc_world *world = make_world(&coin);
    bool ok;
    int i;
    energy = energy_of(world);
    for (i = 0; i < 10 * RATE && !(flat > 0); i++) {
        const double t = (double)i / RATE, s = sine_of(world, coin), before = energy;
        const double left = 1 - t / T, wanted = left > 0 ? START * left * left : 0;
        if (i % (RATE / 4) == 0)
            printf("%.2f s: sine %.5f, theory %.5f, energy %.4f m g r\n", t, s, wanted,
                   energy / weight);
        worst = fmax(worst, fabs(s - wanted) / START);
        check(spc_step(world, 1.0 / RATE));
        energy = energy_of(world);
        rise = fmax(rise, (energy - before) / weight);
        flat = sine_of(world, coin) < 1e-12 ? (double)(i + 1) / RATE : 0;
    }
    for (i = 0; i < RATE; i++) /* it comes to rest within a second */
        check(spc_step(world, 1.0 / RATE));
    check(spc_body_get_state(world, coin, &lies));
    for (i = 0; i < 60 * RATE; i++)
        check(spc_step(world, 1.0 / RATE));
    check(spc_body_get_state(world, coin, &later));
    free(world);
    printf("flat after %.4f s, theory %.4f s\n", flat, T);
    ok = fabs(flat / T - 1) < TOLERANCE && worst < TOLERANCE && rise < 1e-12;
    ok = ok && memcmp(&lies, &later, sizeof lies) == 0;
    printf("spun_coin: %s, flat after %.3f s\n", ok ? "ok" : "WRONG", flat);
    return ok ? 0 : 1;
}
