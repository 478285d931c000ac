/* shapes.c - what scenes add to the picture */
#include "core.h"

#define NO_BODY 100000u /* and above: what is drawn belongs to none */

/* Of no part and no constraint. */
static spc_drawn own(unsigned color)
{
    spc_drawn what = { 0, { 0, 0, 0, 1 }, { 0, 0 }, { 0, 0 } };
    what.color.r = (double)(color >> 16 & 255) / 255;
    what.color.g = (double)(color >> 8 & 255) / 255;
    what.color.b = (double)(color & 255) / 255;
    return what;
}

void draw_bar(spc_vec3 a_G, spc_vec3 b_G, double radius, unsigned color)
{
    const spc_drawn what = own(color);
    add_line(BAR, &what, a_G, b_G, radius);
}

void draw_line(spc_vec3 a_G, spc_vec3 b_G, unsigned color)
{
    const spc_drawn what = own(color);
    add_line(LINE, &what, a_G, b_G, 0);
}

/* Three lines of a mass that no body has. */
void draw_box(spc_transform X_G, spc_vec3 half, unsigned color)
{
    const spc_vec3 sides[3] = { { half.x, 0, 0 }, { 0, half.y, 0 }, { 0, 0, half.z } };
    spc_drawn what = own(color);
    int i;
    what.part = SPC_PART_MASS;
    what.body.index = NO_BODY + (unsigned)next_record();
    for (i = 0; i < 3; i++)
        add_line(LINE, &what, spc_transform_point(X_G, spc_scale(-1, sides[i])),
                 spc_transform_point(X_G, sides[i]), 0);
}

void draw_ball(spc_body body, spc_transform X_G, double radius, unsigned color)
{
    spc_drawn what = own(color);
    what.body = body;
    add_round(BALL, &what, X_G, radius);
}

void draw_rectangle(spc_vec3 at, double half_x, double half_y, unsigned color)
{
    spc_drawn what = own(color);
    what.body.index = NO_BODY + (unsigned)next_record();
    add_plane(&what, spc_sub(at, spc_vec3_make(half_x, half_y, 0)), spc_vec3_make(2 * half_x, 0, 0),
              spc_vec3_make(0, 2 * half_y, 0));
}

void draw_disc(spc_vec3 at, double radius, unsigned color)
{
    const spc_drawn what = own(color);
    add_round(DISC, &what, spc_transform_make(spc_quat_identity(), at), radius);
}
