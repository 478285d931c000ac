/* tippe_top.c - a ball that is heavy on one side, spun fast, turns its heavy side to the top by
   friction; the picture goes around with the way that it leans to, a hundred times */
#include "svg.h"

#define RADIUS 0.02 /* [m] */
#define BELOW 0.006 /* of the centre of mass under the middle [m] */
#define SPIN 130.0  /* [rad/s] */

static spc_body top, table;

/* Camera and table turn to where the axis leans. The table is set, and has no velocity: as a plane
   it stands still. */
static void go_around(svg *s, double time)
{
    spc_transform X = spc_transform_identity();
    spc_vec3 axis;
    spc_state state;
    (void)time;
    check(spc_body_get_state(s->world, top, &state));
    axis = spc_rotate(state.X_GB.q, spc_vec3_make(0, 0, 1));
    axis.z = 0;
    if (spc_normalize(axis, &axis) == SPC_OK)
        (void)spc_quat_from_two_vectors(spc_vec3_make(1, 0, 0), axis, &X.q);
    X.p = spc_vec3_make(state.X_GB.p.x, state.X_GB.p.y, 0);
    check(spc_body_set_pose(s->world, table, X));
    s->p_GC = spc_vec3_make(X.p.x, X.p.y, 0.75 * RADIUS);
    s->q_CG = spc_quat_mul(svg_view(-25, 25), spc_quat_conjugate(X.q));
}

int main(void)
{
    svg *s = svg_begin("A tippe top turns over", 400, 260, 3300, 8);
    spc_sphere_on_plane_desc plane = spc_sphere_on_plane_desc_default();
    spc_attachment_desc rod = spc_attachment_desc_default();
    spc_body_desc body = spc_body_desc_default();
    spc_constraint c;
    s->world = svg_world(2, 2, 9.81);
    body.mass = spc_mass_solid_sphere(0.015, RADIUS);
    body.mass.p_BBc.z = -BELOW;
    body.state.X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(0.3, 0, 0));
    body.state.X_GB.p.z = RADIUS;
    body.state.V_GB.angular = spc_rotate(body.state.X_GB.q, spc_vec3_make(0, 0, SPIN));
    check(spc_body_add(s->world, &body, &top));
    body = spc_body_desc_default();
    body.kind = SPC_KINEMATIC;
    check(spc_body_add(s->world, &body, &table));
    plane.floor = table;
    plane.ball = rod.b = top;
    plane.shape.radius = RADIUS;
    plane.shape.half_width = 2.7 * RADIUS;
    plane.one_sided = true;
    plane.law.grip = false;
    plane.law.friction = 0.05;
    check(spc_sphere_on_plane_add(s->world, &plane, &c));
    rod.shape.X_BM.p.z = -RADIUS; /* it is drawn, to the heavy side, and holds nothing */
    rod.shape.locked = 0;
    check(spc_attachment_add(s->world, &rod, &c));
    go_around(s, 0);
    s->control = go_around;
    s->round = s->plain = s->game = true;
    s->still = 68;
    svg_play(s, SPC_PART_PLANE | SPC_PART_BALL | SPC_PART_JOINT, 200);
    return 0;
}
