/* ballbot.h - a ballbot, for the gallery and for the page: what includes it has check() */

#define RADIUS 0.12 /* of the ball [m] */
#define HEIGHT 0.5  /* of the body's centre of mass above the ball's [m] */

typedef struct ballbot {
    spc_body ball, body;
} ballbot;

static ballbot bot;

/* A torque between ball and body that rolls the ball along f, which is made of tilt, place, and
   their rates; examples/ballbot.c tells how gains are found. */
static void balance(spc_world *world, spc_vec3 wanted)
{
    const spc_vec3 z = spc_vec3_make(0, 0, 1);
    spc_vec3 up, f, torque;
    spc_state ball, body;
    check(spc_body_get_state(world, bot.ball, &ball));
    check(spc_body_get_state(world, bot.body, &body));
    up = spc_rotate(body.X_GB.q, z);
    f = spc_add(spc_scale(85, up), spc_scale(22, spc_cross(body.V_GB.angular, up)));
    f = spc_add(f, spc_scale(6, spc_sub(ball.X_GB.p, wanted)));
    f = spc_add(f, spc_scale(9, ball.V_GB.linear));
    torque = spc_cross(z, f);
    check(spc_body_add_torque(world, bot.ball, torque, SPC_ONE_STEP));
    check(spc_body_add_torque(world, bot.body, spc_scale(-1, torque), SPC_ONE_STEP));
}

/* Upright, over the origin: two bodies, of which a joint and a contact hold the ball's centre. */
static void add_ballbot(spc_world *world)
{
    spc_body_desc ball = spc_body_desc_default(), body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_constraint c;
    ball.mass = spc_mass_hollow_sphere(3, RADIUS);
    ball.state.X_GB.p = body.state.X_GB.p = spc_vec3_make(0, 0, RADIUS);
    check(spc_body_add(world, &ball, &bot.ball));
    body.mass = spc_mass_box(12, spc_vec3_make(0.13, 0.13, 0.38));
    body.mass.p_BBc = spc_vec3_make(0, 0, HEIGHT);
    check(spc_body_add(world, &body, &bot.body));
    roll.ball = joint.a = bot.ball;
    roll.shape.radius = RADIUS;
    check(spc_sphere_on_plane_add(world, &roll, &c));
    joint.b = bot.body;
    check(spc_attachment_add(world, &joint, &c));
}
