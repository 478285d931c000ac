/* ballbot.c - a ballbot to push; it goes where the sliders say */
#include "playground.h"
#include "../gallery/ballbot.h"

static spc_vec3 goal(const playground *p)
{
    return spc_vec3_make(p->slider[0], p->slider[1], 0);
}

static void make(playground *p)
{
    make_world(p, 2, 2);
    add_ballbot(p->world);
    p->body = bot.body;
}

/* From far away it leans no more than from half a metre. */
static void control(playground *p)
{
    spc_state ball;
    spc_vec3 way;
    double far;
    check(spc_body_get_state(p->world, bot.ball, &ball));
    way = spc_sub(goal(p), ball.X_GB.p);
    way.z = 0;
    far = spc_norm(way);
    balance(p->world, spc_add(ball.X_GB.p, spc_scale(far > 0.5 ? 0.5 / far : 1, way)));
}

static bool is_over(const playground *p)
{
    spc_state s;
    check(spc_body_get_state(p->world, bot.body, &s));
    return spc_rotate(s.X_GB.q, spc_vec3_make(0, 0, 1)).z < 0.5;
}

/* The goal, as a cross on the ground; a head with an eye. */
static void draw(const playground *p)
{
    const spc_vec3 x = spc_vec3_make(0.08, 0, 0), y = spc_vec3_make(0, 0.08, 0), at = goal(p);
    spc_transform X;
    spc_state s;
    draw_bar(spc_sub(at, x), spc_add(at, x), 0.008, 0xd1495b);
    draw_bar(spc_sub(at, y), spc_add(at, y), 0.008, 0xd1495b);
    check(spc_body_get_state(p->world, bot.body, &s));
    X = spc_transform_make(s.X_GB.q, spc_transform_point(s.X_GB, spc_vec3_make(0, 0, 1.0)));
    draw_ball(p->floor, X, 0.1, 0x33506e);
}

const scene ballbot_scene = {
    .id = "ballbot",
    .title = "Ballbot",
    .text =
        "A robot balances on a ball. Push it, or pull at it and let go: it rolls under its body "
        "again. Its motors turn the ball against the body, nothing else holds it.",
    .sliders = { { "Goal x", "m", -1.5, 1.5, 0.05, 0.7, false },
                 { "Goal y", "m", -1.5, 1.5, 0.05, 0, false } },
    .side = 20,
    .height = 18,
    .distance = 3.4,
    .centre = { 0.3, 0, 0.5 },
    .boxes = true,
    .newton = 0.002,
    .push = 30,
    .push_B = { 0, 0, HEIGHT },
    .pull = 120,
    .make = make,
    .control = control,
    .is_over = is_over,
    .draw = draw,
};
