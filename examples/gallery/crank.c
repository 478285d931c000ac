/* crank.c - a crank rolls a wheel to and fro: rods on hinges, with rows that say the same twice */
#include "svg.h"

#define ARM 0.25    /* of the crank [m] */
#define HEIGHT 0.55 /* of its axle [m] */
#define RADIUS 0.25 /* of the wheel [m] */
#define WAY 1.0     /* from the crank's pin to the wheel, along the ground [m] */
#define PERIOD 3.0  /* [s] */

static const spc_vec3 y = { 0, 1, 0 };

static void add_hinge(svg *s, spc_body a, spc_body b, spc_vec3 p_G)
{
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_constraint c;
    spc_state A, B;
    check(spc_body_get_state(s->world, a, &A));
    check(spc_body_get_state(s->world, b, &B));
    hinge.a = a;
    hinge.b = b;
    check(spc_attachment_at(&A.X_GB, &B.X_GB, p_G, y, SPC_HINGE, &hinge.shape));
    check(spc_attachment_add(s->world, &hinge, &c));
}

int main(void)
{
    svg *s = svg_begin("A crank rolls a wheel", 400, 240, 175, PERIOD);
    const spc_vec3 axle = spc_vec3_make(0, 0, HEIGHT), pin = spc_vec3_make(ARM, 0, HEIGHT);
    const spc_vec3 hub = spc_vec3_make(ARM + WAY, 0, RADIUS);
    spc_body_desc crank = spc_body_desc_default(), rod = crank, wheel = crank;
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    spc_body turning, between, ground = { 0, 0 };
    spc_constraint c;
    s->world = svg_world(3, 3, 9.81);
    crank.kind = SPC_KINEMATIC;
    crank.state.X_GB.p = axle;
    crank.state.V_GB.angular.y = 2 * PI / PERIOD;
    check(spc_body_add(s->world, &crank, &turning));
    rod.mass = spc_mass_solid_sphere(1, 0.2);
    rod.state.X_GB.p = spc_scale(0.5, spc_add(pin, hub));
    check(spc_body_add(s->world, &rod, &between));
    wheel.mass = spc_mass_solid_sphere(2, RADIUS);
    wheel.state.X_GB.p = hub;
    check(spc_body_add(s->world, &wheel, &roll.disc));
    add_hinge(s, turning, between, pin);
    add_hinge(s, between, roll.disc, hub);
    roll.floor = ground;
    roll.shape.axis_B = y;
    roll.shape.radius = RADIUS;
    roll.shape.width = 0;
    roll.shape.X_FP.p.x = 0.75;
    check(spc_rolling_disc_add(s->world, &roll, &c));
    check(spc_world_project_velocities(s->world));
    s->q_CG = svg_view(-15, 15);
    s->p_GC = spc_vec3_make(0.75, 0, 0.4);
    s->still = 12;
    svg_play(s, SPC_PART_PLANE | SPC_PART_DISC | SPC_PART_JOINT, 20);
    return 0;
}
