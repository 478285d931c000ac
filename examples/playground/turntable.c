/* turntable.c - balls on a spinning turntable circle, and drift sideways where it is tilted */
#include "playground.h"

#define BALLS 3
#define RADIUS 0.07 /* of a ball [m] */
#define EDGE 1.0    /* of the table [m] */
#define TURNING 0.6 /* with which the table is tilted [rad/s] */

static spc_body balls[BALLS];

/* On a ring, at a fifth of the speed of the table below, and rolling. */
static spc_state start(const playground *p, int i)
{
    const spc_vec3 z = spc_vec3_make(0, 0, 1);
    spc_state table, s;
    spc_vec3 at, n, slip;
    check(spc_body_get_state(p->world, p->floor, &table));
    n = spc_rotate(table.X_GB.q, z);
    at = spc_rotate(turned(120 * i, z), spc_vec3_make(0.3 + 0.12 * i, 0, RADIUS));
    s.X_GB = spc_transform_make(spc_quat_identity(), spc_rotate(table.X_GB.q, at));
    slip = spc_cross(table.V_GB.angular, s.X_GB.p);
    s.V_GB.linear = spc_scale(0.2, slip);
    s.V_GB.angular = spc_scale(1 / RADIUS, spc_cross(n, spc_sub(s.V_GB.linear, slip)));
    return s;
}

static void make(playground *p)
{
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    int i;
    make_world(p, BALLS + 1, BALLS);
    body.kind = SPC_KINEMATIC;
    body.state.V_GB.angular.z = p->slider[0];
    check(spc_body_add(p->world, &body, &p->floor));
    roll.floor = p->floor;
    roll.shape.radius = RADIUS;
    roll.shape.half_width = EDGE;
    body = spc_body_desc_default();
    body.mass = spc_mass_solid_sphere(1, RADIUS);
    for (i = 0; i < BALLS; i++) {
        body.state = start(p, i);
        check(spc_body_add(p->world, &body, &balls[i]));
        roll.ball = balls[i];
        check(spc_sphere_on_plane_add(p->world, &roll, &p->trail[p->trails++]));
    }
    p->body = balls[0];
}

/* The table spins, and turns its normal to where it is to be; what leaves it starts again. */
static void control(playground *p)
{
    const spc_vec3 z = spc_vec3_make(0, 0, 1);
    const spc_vec3 wanted = spc_rotate(turned(p->slider[1], spc_vec3_make(0, 1, 0)), z);
    spc_vec3 n, turn;
    spc_state s;
    double angle, most = TURNING * p->h;
    int i;
    check(spc_body_get_state(p->world, p->floor, &s));
    n = spc_rotate(s.X_GB.q, z);
    turn = spc_cross(n, wanted);
    angle = spc_norm(turn);
    turn = spc_scale(angle > most ? TURNING / angle : 1 / p->h, turn);
    s.V_GB.angular = spc_add(spc_scale(p->slider[0], n), turn);
    check(spc_body_set_velocity(p->world, p->floor, s.V_GB));
    for (i = 0; i < BALLS; i++) {
        check(spc_body_get_state(p->world, balls[i], &s));
        if (spc_norm(spc_cross(n, s.X_GB.p)) < EDGE)
            continue;
        s = start(p, i);
        check(spc_body_set_pose(p->world, balls[i], s.X_GB));
        check(spc_body_set_velocity(p->world, balls[i], s.V_GB));
    }
}

const scene turntable_scene = {
    .id = "turntable",
    .title = "Turntable",
    .text = "Balls that roll on a spinning table do not fly off: they circle, with 2/7 of its "
            "angular velocity. Tilt it, and they drift sideways, not downhill.",
    .sliders = { { "Speed", "rad/s", -8, 8, 0.1, 3.5, false },
                 { "Tilt", "deg", 0, 6, 0.1, 0, false } },
    .side = 20,
    .height = 42,
    .distance = 3.4,
    .round = true,
    .newton = 0.03,
    .push = 2,
    .pull = 25,
    .make = make,
    .control = control,
};
