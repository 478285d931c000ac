/* billiards.c - a break of ten balls, of which the cue ball has side spin: one-sided contacts with
   the cloth, with four cushions, which are vertical planes, and of all pairs */
#include "svg.h"
#include <math.h>

#define BALLS 10
#define R 0.05 /* of a ball [m] */

static void add_plane(svg *s, spc_body ball, double distance, spc_vec3 normal, double friction)
{
    spc_sphere_on_plane_desc plane = spc_sphere_on_plane_desc_default();
    spc_constraint contact;
    plane.ball = ball;
    plane.shape.radius = R;
    plane.shape.half_width = friction > 0 && ball.index == 1 ? 1 : 0;
    plane.shape.X_FP.p = spc_scale(-distance, normal);
    check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), normal, &plane.shape.X_FP.q));
    plane.one_sided = true;
    plane.law.grip = false;
    plane.law.friction = friction;
    plane.law.restitution = friction > 0 ? 0 : 0.8;
    check(spc_sphere_on_plane_add(s->world, &plane, &contact));
}

/* The cue ball, and a triangle. */
static void add_ball(svg *s, int i)
{
    static const int row[BALLS] = { 0, 0, 1, 1, 2, 2, 2, 3, 3, 3 };
    static const int at[BALLS] = { 0, 0, -1, 1, -2, 0, 2, -3, -1, 1 };
    static spc_body balls[BALLS];
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
    spc_constraint contact;
    int side;
    body.mass = spc_mass_solid_sphere(0.17, R);
    body.state.X_GB.p = spc_vec3_make(i ? 0.3 + sqrt(3) * R * row[i] : -0.6, R * at[i], R);
    if (i == 0)
        body.state.V_GB = spc_spatial_make(spc_vec3_make(0, 0, 30), spc_vec3_make(3.5, 0.05, 0));
    check(spc_body_add(s->world, &body, &balls[i]));
    add_plane(s, balls[i], 0, spc_vec3_make(0, 0, 1), 0.2);
    for (side = -1; side <= 1; side += 2) {
        add_plane(s, balls[i], 1, spc_vec3_make(side, 0, 0), 0);
        add_plane(s, balls[i], 1, spc_vec3_make(0, side, 0), 0);
    }
    pair.shape.radius_a = pair.shape.radius_b = R;
    pair.one_sided = true;
    pair.law.grip = false;
    pair.law.friction = 0.06;
    pair.law.restitution = 0.95;
    for (pair.b = balls[i]; i-- > 0;) {
        pair.a = balls[i];
        check(spc_sphere_on_sphere_add(s->world, &pair, &contact));
    }
}

int main(void)
{
    svg *s = svg_begin("A break", 420, 330, 165, 2.5);
    int i;
    s->world = svg_world(BALLS, BALLS * (5 + BALLS / 2), 9.81);
    for (i = 0; i < BALLS; i++)
        add_ball(s, i);
    s->q_CG = svg_view(-8, 50);
    s->still = 44;
    s->plain = s->game = true;
    svg_play(s, SPC_PART_PLANE | SPC_PART_BALL, 10);
    return 0;
}
