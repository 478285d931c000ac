/* ballbot.c - a ballbot is pushed, and rolls under its body again */
#include "svg.h"

#define RADIUS 0.12 /* of the ball [m] */
#define HEIGHT 0.5  /* of the body's centre of mass above the ball's [m] */
#define PUSH 90.0   /* [N], for a tenth of a second */

typedef struct ballbot {
    spc_body ball, body;
} ballbot;

static ballbot bot;

/* A torque between ball and body that rolls the ball along f, which is made of tilt, place, and
   their rates; examples/ballbot.c tells how gains are found. */
static void control(svg *s, double time)
{
    const spc_vec3 z = spc_vec3_make(0, 0, 1);
    spc_vec3 up, f, torque;
    spc_state ball, body;
    check(spc_body_get_state(s->world, bot.ball, &ball));
    check(spc_body_get_state(s->world, bot.body, &body));
    up = spc_rotate(body.X_GB.q, z);
    f = spc_add(spc_scale(85, up), spc_scale(22, spc_cross(body.V_GB.angular, up)));
    f = spc_add(f, spc_scale(6, ball.X_GB.p));
    f = spc_add(f, spc_scale(9, ball.V_GB.linear));
    torque = spc_cross(z, f);
    check(spc_body_add_torque(s->world, bot.ball, torque, SPC_ONE_STEP));
    check(spc_body_add_torque(s->world, bot.body, spc_scale(-1, torque), SPC_ONE_STEP));
    if (time > 0.5 && time < 0.6)
        check(spc_body_add_force(s->world, bot.body, spc_vec3_make(PUSH, 0, 0),
                                 spc_vec3_make(0, 0, HEIGHT), SPC_ONE_STEP));
}

int main(void)
{
    svg *s = svg_begin("A ballbot is pushed", 400, 280, 175, 6);
    spc_body_desc ball = spc_body_desc_default(), body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_constraint c;
    s->world = svg_world(2, 2, 9.81);
    ball.mass = spc_mass_hollow_sphere(3, RADIUS);
    ball.state.X_GB.p = body.state.X_GB.p = spc_vec3_make(0, 0, RADIUS);
    check(spc_body_add(s->world, &ball, &bot.ball));
    body.mass = spc_mass_box(12, spc_vec3_make(0.13, 0.13, 0.38));
    body.mass.p_BBc = spc_vec3_make(0, 0, HEIGHT);
    check(spc_body_add(s->world, &body, &bot.body));
    roll.ball = joint.a = bot.ball;
    roll.shape.radius = RADIUS;
    check(spc_sphere_on_plane_add(s->world, &roll, &c));
    joint.b = bot.body;
    check(spc_attachment_add(s->world, &joint, &c));
    s->q_CG = svg_view(-20, 20);
    s->p_GC = spc_vec3_make(0.3, 0, 0.45);
    s->control = control;
    s->least = 0.25;
    s->still = 8;
    svg_play(s, SPC_PART_PLANE | SPC_PART_BALL | SPC_PART_MASS, 60);
    return 0;
}
