/* picture.c - spc_world_draw into records of numbers, which the page paints */
#include "core.h"

#define RECORDS 1500 /* the rest is left out */
#define EACH 16      /* numbers of a record */

static float records[RECORDS * EACH];
static int count;
static int plane_lines; /* 22 of each plane, of which the first two span it */
static spc_vec3 focus;

float *picture_records(void)
{
    return records;
}

int next_record(void)
{
    return count;
}

static void put(float *to, spc_vec3 v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static void add(enum kind kind, const spc_drawn *what, spc_vec3 a_G, spc_vec3 b, spc_vec3 c)
{
    float *r = records + count * EACH;
    if (count == RECORDS)
        return;
    count++;
    r[0] = (float)kind;
    r[1] = (float)what->part;
    r[2] = (float)what->body.index;
    r[3] = (float)what->constraint.index;
    r[4] = (float)what->color.r;
    r[5] = (float)what->color.g;
    r[6] = (float)what->color.b;
    put(r + 7, spc_sub(a_G, focus));
    put(r + 10, b);
    put(r + 13, c);
}

void add_plane(const spc_drawn *what, spc_vec3 corner_G, spc_vec3 x, spc_vec3 y)
{
    add(PLANE, what, corner_G, x, y);
}

void add_line(enum kind kind, const spc_drawn *what, spc_vec3 a_G, spc_vec3 b_G, double radius)
{
    add(kind, what, a_G, spc_sub(b_G, focus), spc_vec3_make(radius, 0, 0));
}

void add_round(enum kind kind, const spc_drawn *what, spc_transform X_G, double radius)
{
    add(kind, what, X_G.p, spc_rotate(X_G.q, spc_vec3_make(radius, 0, 0)),
        spc_rotate(X_G.q, spc_vec3_make(0, radius, 0)));
}

/* One-sided contacts that do not touch are left out. */
static bool is_open(const spc_drawn *what)
{
    spc_contact_info info;
    return what->part & (SPC_PART_CONTACT | SPC_PART_FORCE) &&
           spc_constraint_get_contact(now.p.world, what->constraint, &info) == SPC_OK &&
           info.state == SPC_CONTACT_OPEN;
}

static void line(void *user, const spc_drawn *what, spc_vec3 a_G, spc_vec3 b_G)
{
    const spc_vec3 side = spc_sub(b_G, a_G);
    (void)user;
    if (is_open(what))
        return;
    if (what->part != SPC_PART_PLANE)
        add_line(LINE, what, a_G, b_G, 0);
    else if (plane_lines++ % 22 == 0)
        add(PLANE, what, a_G, side, side);
    else if (plane_lines % 22 == 2)
        put(records + (count - 1) * EACH + 13, side);
}

static void circle(void *user, const spc_drawn *what, spc_transform X_G, spc_real radius)
{
    (void)user;
    add_round(CIRCLE, what, X_G, radius);
}

static void sphere(void *user, const spc_drawn *what, spc_transform X_G, spc_real radius)
{
    (void)user;
    add_round(BALL, what, X_G, radius);
}

int draw_records(unsigned parts)
{
    spc_drawing d = spc_drawing_default();
    measures m;
    measure(&m);
    focus = spc_vec3_make(m.focus[0], m.focus[1], m.focus[2]);
    count = plane_lines = 0;
    d.parts = parts | (now.scene->boxes ? SPC_PART_MASS : 0);
    if (now.scene->crowded)
        d.parts &= ~SPC_PART_BALL;
    d.newton = now.scene->newton;
    d.frame = 0.03 * now.scene->distance;
    d.line = line;
    d.circle = circle;
    d.sphere = sphere;
    check(spc_world_draw(now.p.world, &d));
    if (now.scene->draw)
        now.scene->draw(&now.p);
    return count;
}
