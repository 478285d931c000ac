/* bicycle.c - the benchmark bicycle with a motor and without a rider who steers */
#include "playground.h"
#include "../gallery/bicycle.h"

#define PAINT 0xc8452f
#define METAL 0x7d8794

static void make(playground *p)
{
    make_world(p, BODIES, 5);
    add_bicycle(p->world, p->slider[0], 0.25);
    p->body = bodies[REAR_FRAME];
    p->trail[p->trails++] = contacts[REAR_WHEEL];
    p->trail[p->trails++] = contacts[FRONT_WHEEL];
}

/* The motor between frame and rear wheel keeps the speed. */
static void control(playground *p)
{
    spc_state frame, wheel;
    spc_vec3 torque;
    double speed;
    check(spc_body_get_state(p->world, bodies[REAR_FRAME], &frame));
    check(spc_body_get_state(p->world, bodies[REAR_WHEEL], &wheel));
    torque = spc_rotate(frame.X_GB.q, spc_vec3_make(0, 1, 0));
    speed = parts[REAR_WHEEL].radius * spc_dot(torque, wheel.V_GB.angular);
    torque = spc_scale(40 * (p->slider[0] - speed), torque);
    check(spc_body_add_torque(p->world, bodies[REAR_WHEEL], torque, SPC_ONE_STEP));
    check(spc_body_add_torque(p->world, bodies[REAR_FRAME], spc_scale(-1, torque), SPC_ONE_STEP));
}

static bool is_over(const playground *p)
{
    return has_fallen(p->world);
}

/* A bar between points of a part, given by where they are when the bicycle stands at the origin. */
static void bar(const playground *p, int part, spc_vec3 a, spc_vec3 b, double radius,
                unsigned color)
{
    spc_state s;
    check(spc_body_get_state(p->world, bodies[part], &s));
    draw_bar(spc_transform_point(s.X_GB, spc_sub(a, place(part))),
             spc_transform_point(s.X_GB, spc_sub(b, place(part))), radius, color);
}

static void draw(const playground *p)
{
    static const spc_vec3 rear = { 0, 0, 0.3 }, front = { 1.02, 0, 0.35 };
    static const spc_vec3 crank = { 0.42, 0, 0.29 }, seat = { 0.26, 0, 0.82 };
    static const spc_vec3 low = { 0.855, 0, 0.62 }, head = { 0.80, 0, 0.80 };
    static const spc_vec3 post = { 0.24, 0, 0.92 }, stem = { 0.765, 0, 0.98 };
    int i;
    bar(p, REAR_FRAME, rear, crank, 0.012, PAINT);
    bar(p, REAR_FRAME, rear, seat, 0.012, PAINT);
    bar(p, REAR_FRAME, crank, seat, 0.018, PAINT);
    bar(p, REAR_FRAME, crank, low, 0.018, PAINT);
    bar(p, REAR_FRAME, seat, head, 0.018, PAINT);
    bar(p, REAR_FRAME, low, head, 0.022, PAINT);
    bar(p, REAR_FRAME, seat, post, 0.012, METAL);
    bar(p, REAR_FRAME, spc_vec3_make(0.12, 0, 0.94), spc_vec3_make(0.34, 0, 0.92), 0.03, 0x3b4048);
    bar(p, FRONT_FRAME, front, low, 0.016, METAL);
    bar(p, FRONT_FRAME, head, stem, 0.016, METAL);
    for (i = -1; i <= 1; i += 2) {
        const spc_vec3 end = spc_vec3_make(stem.x - 0.02, 0.24 * i, stem.z + 0.01);
        bar(p, FRONT_FRAME, stem, end, 0.014, METAL);
        bar(p, FRONT_FRAME, end, spc_vec3_make(end.x - 0.12, end.y, end.z), 0.018, 0x3b4048);
    }
}

const scene bicycle_scene = {
    .id = "bicycle",
    .title = "Bicycle",
    .text = "Nobody steers. Between 4.3 and 6.0 m/s it rights itself when it is pushed, as theory "
            "says; slower it weaves and falls, faster it leans ever more. Push it.",
    .sliders = { { "Speed", "m/s", 1, 9, 0.1, 5, false } },
    .side = 35,
    .height = 16,
    .distance = 4.2,
    .centre = { 0.2, 0, 0.5 },
    .follows = true,
    .newton = 0.0006,
    .push = 60,
    .pull = 300,
    .make = make,
    .control = control,
    .is_over = is_over,
    .draw = draw,
};
