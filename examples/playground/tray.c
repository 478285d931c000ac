/* tray.c - marbles on a tray that is tilted */
#include "playground.h"
#include "marbles.h"

#define WALL 0.02 /* its thickness [m] */
#define TILT 0.2  /* at most [rad] */
#define QUICK 9.0 /* with which the tray follows [1/s] */

static void make(playground *p)
{
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    int i;
    make_world(p, MARBLES + 1, MARBLES);
    body.kind = SPC_KINEMATIC;
    check(spc_body_add(p->world, &body, &p->floor));
    roll.floor = p->floor;
    roll.shape.half_width = HALF;
    for (i = 0; i < MARBLES; i++) {
        marble *m = &marbles[i];
        m->radius = 0.02 + 0.004 * (i % 3);
        m->mass = 2500 * 4.18879 * m->radius * m->radius * m->radius; /* glass */
        body = spc_body_desc_default();
        body.mass = spc_mass_solid_sphere(m->mass, m->radius);
        body.state.X_GB.p = spc_vec3_make(0.12 * (i % 4) - 0.18, 0.13 * (i / 4) - 0.13, m->radius);
        check(spc_body_add(p->world, &body, &m->body));
        roll.ball = m->body;
        roll.shape.radius = m->radius;
        check(spc_sphere_on_plane_add(p->world, &roll, &p->trail[0]));
    }
    p->body = marbles[0].body;
}

/* The tray turns a part of the way to where it is to be; marbles meet in its axes, and what changes
   their velocity makes them roll by as much more. */
static void control(playground *p)
{
    spc_vec3 v[MARBLES];
    spc_state tray, s;
    spc_transform X;
    int i;
    check(spc_body_get_state(p->world, p->floor, &tray));
    for (i = 0; i < MARBLES; i++) {
        marble *m = &marbles[i];
        spc_vec3 at;
        check(spc_body_get_state(p->world, m->body, &s));
        v[i] = spc_sub(s.V_GB.linear, spc_cross(tray.V_GB.angular, s.X_GB.p));
        v[i] = spc_unrotate(tray.X_GB.q, v[i]);
        at = spc_unrotate(tray.X_GB.q, s.X_GB.p);
        m->x = at.x;
        m->y = at.y;
        m->u = v[i].x;
        m->v = v[i].y;
    }
    meet_all(p);
    for (i = 0; i < MARBLES; i++) {
        marble *m = &marbles[i];
        const spc_vec3 dv = spc_vec3_make(m->u - v[i].x, m->v - v[i].y, 0);
        const spc_vec3 dw = spc_vec3_make(-dv.y / m->radius, dv.x / m->radius, 0);
        if (!(spc_norm(dv) > 0))
            continue;
        check(spc_body_get_state(p->world, m->body, &s));
        s.V_GB.linear = spc_add(s.V_GB.linear, spc_rotate(tray.X_GB.q, dv));
        s.V_GB.angular = spc_add(s.V_GB.angular, spc_rotate(tray.X_GB.q, dw));
        check(spc_body_set_velocity(p->world, m->body, s.V_GB));
    }
    for (i = 0; i < 2; i++)
        p->number[i] += QUICK * p->h / (1 + QUICK * p->h) * ((i ? p->y : p->x) - p->number[i]);
    X.p = spc_vec3_make(0, 0, 0);
    X.q =
        spc_quat_from_rotation_vector(spc_vec3_make(-TILT * p->number[1], TILT * p->number[0], 0));
    check(spc_body_move_to(p->world, p->floor, X, p->h));
}

/* Four walls, each from one corner to before the next. */
static void draw(const playground *p)
{
    const spc_vec3 half = spc_vec3_make(HALF + WALL / 2, WALL / 2, 0.013);
    const spc_vec3 at = spc_vec3_make(-WALL / 2, HALF + WALL / 2, 0.008);
    spc_state tray;
    int i;
    check(spc_body_get_state(p->world, p->floor, &tray));
    for (i = 0; i < 4; i++) {
        const spc_quat side = turned(90 * i, spc_vec3_make(0, 0, 1));
        draw_box(spc_transform_mul(tray.X_GB, spc_transform_make(side, spc_rotate(side, at))), half,
                 0xb9854f);
    }
}

const scene tray_scene = {
    .id = "tray",
    .title = "Marbles",
    .text =
        "Tilt the tray: with the pointer, the arrow keys, or the phone itself. The marbles roll "
        "without slip on a floor that moves; blows between them are sixty lines of this scene.",
    .sliders = { { "Bounce", "", 0, 0.9, 0.05, 0.5, false } },
    .height = 52,
    .distance = 1.08,
    .tilts = true,
    .newton = 0.08,
    .pull = 5,
    .make = make,
    .control = control,
    .draw = draw,
};
