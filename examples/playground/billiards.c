/* billiards.c - a table with six pockets, fifteen balls, and a cue that hits where sliders say */
#include "playground.h"
#include "table.h"
#include "cue.h"

#define BEGINS 0.7 /* the break comes by itself, if nobody aims [s] */

static void make(playground *p)
{
    int i, row = 0, place = 0;
    make_dense_world(p, BALLS, 7 * BALLS + BALLS * (BALLS - 1) / 2, 2200000);
    add_ball(p, 0, -LENGTH / 2, 0.04);
    for (i = 1; i < BALLS; i++) {
        add_ball(p, i, LENGTH / 2 + 1.7322 * R * row, (2 * place - row) * 1.0002 * R);
        place = place < row ? place + 1 : 0;
        row += place == 0;
    }
    p->body = balls[0];
    p->trail[p->trails++] = cloths[0];
    p->number[0] = 6;
    p->number[1] = -0.25;
}

static bool is_free(const playground *p, spc_vec3 place)
{
    int i;
    for (i = 1; i < BALLS; i++)
        if (spc_norm(spc_sub(spc_body_position(p->world, balls[i]), place)) < 2 * R)
            return false;
    return true;
}

/* A ball that is beyond the cushions goes to its place in the gutter; the cue ball to its spot, or
   to the next one across the table that is free. */
static void take_out(playground *p, int i)
{
    spc_vec3 place = spc_vec3_make(2.1 * R * (i - 8), -WIDTH - GUTTER, R);
    int k;
    spc_state s;
    check(spc_body_get_state(p->world, balls[i], &s));
    if (spc_norm(spc_vec3_make(limited(s.X_GB.p.x, LENGTH) - s.X_GB.p.x,
                               limited(s.X_GB.p.y, WIDTH) - s.X_GB.p.y, 0)) <= 0)
        return;
    if (i == 0)
        place = spc_vec3_make(-LENGTH / 2, 0, R);
    for (k = 1; i == 0 && k < BALLS && !is_free(p, place); k++)
        place.y = (k % 2 ? k + 1 : -k) * R;
    if (!(spc_norm(spc_sub(s.X_GB.p, place)) > 0.1 * R))
        return;
    s.X_GB.p = place;
    s.V_GB.linear = s.V_GB.angular = spc_vec3_make(0, 0, 0);
    check(spc_body_set_pose(p->world, balls[i], s.X_GB));
    check(spc_body_set_velocity(p->world, balls[i], s.V_GB));
}

static void set_cloth(playground *p, spc_constraint contact)
{
    spc_contact_law law;
    bool one_sided;
    check(spc_constraint_get_law(p->world, contact, &one_sided, &law));
    if (spc_norm(spc_vec3_make(law.friction - p->slider[2], 0, 0)) <= 0)
        return;
    law.friction = p->slider[2];
    check(spc_constraint_set_law(p->world, contact, one_sided, &law));
}

static void control(playground *p)
{
    int i;
    aim(p);
    if (!(p->number[2] > 0) && !p->aims && spc_world_time(p->world) > BEGINS)
        (void)strike(p);
    for (i = 0; i < BALLS; i++) {
        take_out(p, i);
        set_cloth(p, cloths[i]);
    }
}

static void draw(const playground *p)
{
    static const unsigned colors[] = { 0xb9bec6, 0xd9a514, 0x2456a8, 0xc4342c, 0x5b3a8c,
                                       0xdb6b1f, 0x12664a, 0x7d2430, 0x22242a };
    spc_state s;
    int i;
    draw_table();
    draw_cue(p);
    for (i = 0; i < BALLS; i++) {
        check(spc_body_get_state(p->world, balls[i], &s));
        draw_ball(balls[i], s.X_GB, R, colors[i > 8 ? i - 8 : i]);
    }
}

const scene billiards_scene = {
    .id = "billiards",
    .title = "Billiards",
    .text =
        "Pull the white ball back and let go: it is struck where the tip of the cue hits. High, "
        "it follows; low, it comes back; to a side, it leaves cushions at another angle. All "
        "pairs of balls, cloth and cushions are contacts of the library.",
    .sliders = { { "Tip, up", "R", -0.5, 0.5, 0.05, 0.1, false },
                 { "Tip, to the right", "R", -0.5, 0.5, 0.05, 0, false },
                 { "Friction of the cloth", "", 0.05, 0.5, 0.05, 0.2, false } },
    .height = 60,
    .distance = 3.2,
    .centre = { 0, -0.05, 0 },
    .crowded = true,
    .newton = 0.04,
    .pull = 4,
    .make = make,
    .strike = strike,
    .control = control,
    .draw = draw,
};
