/* driver.h - who drives the wagon: the track, the steering, the motors */

#define BASE 0.45  /* from the chassis' middle to the axles [m] */
#define TRACK 0.3  /* and to the wheels [m] */
#define CIRCLE 1.9 /* of the track [m] */
#define SHARP 0.8  /* most that the path is bent [1/m] */
#define HAND 4.0   /* with which that changes, at most [1/(m s)] */
#define EARLY 0.25 /* before the middle the other circle begins [m] */

static spc_body wheels[4];
static spc_constraint hinges[4];

/* How the path is to be bent [1/m]: like the track, and back to it where it is off; keys steer by
   hand. number[0] is the circle's side, 1 to the left: it changes in the middle. */
static double bend(playground *p, spc_vec3 at, spc_vec3 ahead)
{
    spc_vec3 out = spc_vec3_make(at.x, at.y - p->number[0] * CIRCLE, 0);
    const double far = spc_norm(out);
    double k;
    if (p->number[2] < -EARLY && at.x >= -EARLY && at.y * at.y < 0.25)
        p->number[0] = -p->number[0];
    p->number[2] = at.x;
    out = spc_scale(far > 0 ? 1 / far : 0, out);
    k = limited(far - CIRCLE, 0.8) + 1.8 * spc_dot(out, ahead);
    k = p->number[0] * (1 / CIRCLE + k);
    k += 1.5 * (p->x * ahead.y - p->y * ahead.x);
    return limited(k, SHARP);
}

/* Turns a front hinge in the chassis so that it points to the path's centre, and the wheel with it:
   so it is not drift that has to go. */
static void turn_wheel(playground *p, const spc_state *chassis, int i, double k)
{
    const spc_vec3 axle = spc_vec3_make(-2 * BASE * k, 1 - (i ? -TRACK : TRACK) * k, 0);
    spc_attachment shape;
    spc_quat turn;
    spc_state s;
    check(spc_attachment_get(p->world, hinges[i], &shape));
    turn = spc_quat_conjugate(shape.X_AF.q);
    check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), axle, &shape.X_AF.q));
    check(spc_attachment_set(p->world, hinges[i], &shape));
    turn = spc_quat_mul(chassis->X_GB.q, spc_quat_mul(shape.X_AF.q, turn));
    turn = spc_quat_mul(turn, spc_quat_conjugate(chassis->X_GB.q));
    check(spc_body_get_state(p->world, wheels[i], &s));
    s.X_GB.q = spc_quat_mul(turn, s.X_GB.q);
    s.V_GB.angular = spc_rotate(turn, s.V_GB.angular);
    check(spc_body_set_pose(p->world, wheels[i], s.X_GB));
    check(spc_body_set_velocity(p->world, wheels[i], s.V_GB));
}

/* The axes of the front wheels meet that of the rear axle where the path's centre is (Ackermann).
   The motors are in the rear wheels. */
static void control(playground *p)
{
    spc_vec3 ahead, left;
    spc_state s;
    double k, torque;
    int i;
    check(spc_body_get_state(p->world, p->body, &s));
    ahead = spc_rotate(s.X_GB.q, spc_vec3_make(1, 0, 0));
    left = spc_rotate(s.X_GB.q, spc_vec3_make(0, 1, 0));
    k = bend(p, spc_sub(s.X_GB.p, spc_scale(BASE, ahead)), ahead);
    p->number[1] += limited(k - p->number[1], HAND * p->h);
    for (i = 0; i < 2; i++)
        turn_wheel(p, &s, i, p->number[1]);
    torque = 8 * (p->slider[0] - spc_dot(ahead, s.V_GB.linear));
    for (i = 2; i < 4; i++)
        check(spc_body_add_torque(p->world, wheels[i], spc_scale(torque, left), SPC_ONE_STEP));
    check(spc_body_add_torque(p->world, p->body, spc_scale(-2 * torque, left), SPC_ONE_STEP));
}
