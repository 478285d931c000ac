/* cue.h - the billiards' cue: how it is aimed, what it does to the ball, and its picture */

#define FASTEST 7.0 /* that a ball is shot [m/s] */
#define STRONG 9.0  /* its speed for each metre that the cue is pulled back [1/s] */
#define TURNS 0.5   /* so fast keys turn the cue [rad/s] */
#define GROWS 1.0   /* and so fast they change its speed [1/s] */

/* The velocity that the cue would give, level: as the pointer pulls it back, or, kept in number[0]
   and [1], as keys aim it or as it was last. */
static spc_vec3 shot(const playground *p)
{
    spc_vec3 v = spc_vec3_make(p->number[0], p->number[1], 0);
    double speed;
    if (p->aims)
        v = spc_scale(STRONG, spc_sub(spc_body_position(p->world, p->body), p->to_G));
    v.z = 0;
    speed = spc_norm(v);
    return speed > FASTEST ? spc_scale(FASTEST / speed, v) : v;
}

/* Keys turn it to the right and to the left, and make it stronger and weaker. */
static void aim(playground *p)
{
    const spc_quat turn = spc_quat_from_rotation_vector(spc_vec3_make(0, 0, -TURNS * p->x * p->h));
    const spc_vec3 v = spc_scale(1 + GROWS * p->y * p->h, spc_rotate(turn, shot(p)));
    const double speed = spc_norm(v);
    if (p->aims || !(speed > 0.3) || !(speed < FASTEST))
        return;
    p->number[0] = v.x;
    p->number[1] = v.y;
}

/* Where the tip hits, across the way that the cue goes, from the middle of the ball [m]. */
static spc_vec3 tip(const playground *p, spc_vec3 ahead)
{
    const double side = p->slider[1] * R;
    return spc_vec3_make(side * ahead.y, -side * ahead.x, p->slider[0] * R);
}

/* The impulse m v at the tip; its moment turns the ball, of which I = 2/5 m R R. A cue that is not
   pulled back does nothing. */
static bool strike(playground *p)
{
    const spc_vec3 v = shot(p);
    const double speed = spc_norm(v);
    spc_vec3 w;
    spc_state s;
    if (!(speed > 0.2))
        return false;
    w = spc_cross(tip(p, spc_scale(1 / speed, v)), spc_scale(2.5 / (R * R), v));
    check(spc_body_get_state(p->world, p->body, &s));
    s.V_GB.linear = spc_add(s.V_GB.linear, v);
    s.V_GB.angular = spc_add(s.V_GB.angular, w);
    check(spc_body_set_velocity(p->world, p->body, s.V_GB));
    p->number[0] = v.x;
    p->number[1] = v.y;
    p->number[2] = 1;
    return true;
}

/* The square root, by Newton. */
static double root(double x)
{
    double r = x > 1 ? x : 1;
    int i;
    for (i = 0; i < 40; i++)
        r = (r + x / r) / 2;
    return x > 0 ? r : 0;
}

/* How far it is to a cushion, along one axis [m]. */
static double to_cushion(double at, double ahead, double half)
{
    const double room = ahead < 0 ? half - R + at : half - R - at,
                 part = ahead < 0 ? -ahead : ahead;
    return part > 0.01 ? room / part : 9;
}

/* How far the ball goes, to a cushion or to the ball that it hits, number `hit`; 0: none [m]. */
static double way(const playground *p, spc_vec3 from, spc_vec3 ahead, int *hit)
{
    const double x = to_cushion(from.x, ahead.x, LENGTH), y = to_cushion(from.y, ahead.y, WIDTH);
    double least = x < y ? x : y;
    int i;
    *hit = 0;
    for (i = 1; i < BALLS; i++) {
        const spc_vec3 to = spc_sub(spc_body_position(p->world, balls[i]), from);
        const double along = spc_dot(to, ahead);
        const double inside = 4 * R * R - (spc_dot(to, to) - along * along);
        if (along > 0 && inside > 0 && along - root(inside) < least) {
            least = along - root(inside);
            *hit = i;
        }
    }
    return least;
}

/* While somebody aims, or the ball is at rest: the cue, and where the ball would go. */
static void draw_cue(const playground *p)
{
    const spc_vec3 v = shot(p), level = spc_vec3_make(0, 0, -R);
    const double speed = spc_norm(v);
    spc_vec3 ahead, end, back;
    spc_state s;
    int hit;
    check(spc_body_get_state(p->world, p->body, &s));
    if (!(speed > 0) || (!p->aims && spc_norm(s.V_GB.linear) > 0.02))
        return;
    ahead = spc_scale(1 / speed, v);
    end = spc_add(s.X_GB.p, spc_scale(way(p, s.X_GB.p, ahead, &hit), ahead));
    draw_line(spc_add(s.X_GB.p, level), spc_add(end, level), 0xf4f1e6);
    draw_disc(spc_add(end, level), R, 0x8fb9a3);
    if (hit) {
        const spc_vec3 at = spc_body_position(p->world, balls[hit]);
        draw_line(at, spc_add(at, spc_scale(3, spc_sub(at, end))), 0xffd37a);
    }
    s.X_GB.p = spc_add(s.X_GB.p, tip(p, ahead));
    end = spc_sub(s.X_GB.p, spc_scale(R + 0.005 + speed / STRONG, ahead));
    back = spc_add(spc_scale(-1, ahead), spc_vec3_make(0, 0, 0.08));
    draw_bar(spc_add(end, spc_scale(0.02, back)), spc_add(end, spc_scale(0.9, back)), 0.007,
             0xd9b27c);
    draw_bar(end, spc_add(end, spc_scale(0.02, back)), 0.007, 0x3f7fb5);
}
