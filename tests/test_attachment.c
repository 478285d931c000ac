/* [4.3] Attachments in a world: joints against closed forms and against equations of motion of
   this file's own, what may be changed while they run, symmetries. (Rows are tested with the
   kernels.) */
#include "linkages.h"

/* --------------------------------------------------------------- mechanics of this file ------- */

static spc_vec3 centre_of(const scene *s, int i)
{
    return spc_add(pose_of(s, i).p, centre_arm(s, i));
}

/* Acceleration of a body's centre of mass. */
static spc_vec3 centre_acceleration(const scene *s, int i)
{
    const spc_spatial A = acceleration_of(s, i);
    const spc_vec3 c = centre_arm(s, i), w = state_of(s, i).V_GB.angular;
    return spc_add(spc_add(A.linear, spc_cross(A.angular, c)), spc_cross(w, spc_cross(w, c)));
}

/* Acceleration of a body's origin that turns with angular acceleration b, and whose point at `arm`
   from the origin accelerates by a. */
static spc_spatial acceleration_about(const scene *s, int i, spc_vec3 b, spc_vec3 arm, spc_vec3 a)
{
    const spc_vec3 w = state_of(s, i).V_GB.angular;
    return spc_spatial_make(
        b, spc_sub(spc_sub(a, spc_cross(b, arm)), spc_cross(w, spc_cross(w, arm))));
}

/* A body's acceleration. Where the state is a projected one, its joint may be off by 16 roundings
   of coordinates of up to 2 m, and each metre of that takes w^2. */
static void check_acceleration(const scene *s, int i, spc_spatial A)
{
    const spc_spatial got = acceleration_of(s, i);
    const spc_vec3 w = state_of(s, i).V_GB.angular;
    effort e[4];
    find_efforts(s, e);
    CHECK_NEAR(distance(got.angular, A.angular), 0, ROUNDED * e[i].angular);
    CHECK_NEAR(distance(got.linear, A.linear), 0, ROUNDED * (e[i].linear + dot(w, w)));
}

/* The same, and that joint j gives it as its body B the force which that takes. */
static void check_motion(const scene *s, int i, int j, spc_spatial A)
{
    const spc_spatial on_b = force_of(s, j).on_b, F = needed_force(s, i, A);
    const double m = (double)mass_of(s, i).mass;
    effort e[4];
    double off;
    find_efforts(s, e);
    off = ROUNDED * m * (e[i].linear + e[i].angular); /* arms and gyration are below 1 m */
    check_acceleration(s, i, A);
    CHECK_NEAR(distance(on_b.angular, F.angular), 0, off);
    CHECK_NEAR(distance(on_b.linear, F.linear), 0, off);
    CHECK_NEAR(force_of(s, j).power, 0, off * length(state_of(s, i).V_GB.linear));
}

/* --------------------------------------------------------------------------- one pendulum ----- */

/* A body that turns about an axis through a pivot. */
typedef struct pendulum {
    scene s;
    spc_vec3 pivot, axis;
    spc_vec3 down;    /* unit: where the centre of mass hangs from the axis, across it */
    double d;         /* its distance from the axis [m] */
    double moment;    /* about the axis [kg m^2] */
    double stiffness; /* -moment angle'' = stiffness sin angle [N m] */
} pendulum;

/* Starts at rest at an angle. A hinge's axis is tilted and the body any body; a ball joint leaves
   the swinging plane alone if the axis is a principal one and the plane has the centre of mass. */
static pendulum pendulum_make(unsigned locked, double angle)
{
    const bool hinge = locked == SPC_HINGE;
    const spc_mass m =
        hinge ? test_random_mass() : spc_mass_box(2, vec(0.3, 0.1, 0.2)); /* principal: y */
    const double along = hinge ? 0.3 : 0, d = 0.7;
    pendulum p;
    spc_vec3 g, c;
    spc_quat q;
    p.s = scene_make(1, 1);
    p.pivot = test_random_vec3(1);
    p.axis = hinge ? unit(vec(0.2, 1, 0.4)) : vec(0, 1, 0);
    g = spc_world_gravity(p.s.world);
    g = spc_sub(g, times(dot(g, p.axis), p.axis));
    p.down = unit(g);
    p.d = d;
    q = hinge ? test_random_quat() : turn(p.axis, 0.4);
    c = spc_add(p.pivot,
                spc_add(times(along, p.axis), times(d, spc_rotate(turn(p.axis, angle), p.down))));
    add_body(&p.s, m, spc_transform_make(q, spc_sub(c, spc_rotate(q, m.p_BBc))));
    p.moment = dot(p.axis, spc_inertia_mul(inertia_of(&p.s, 0), p.axis)) + (double)m.mass * d * d;
    p.stiffness = (double)m.mass * length(g) * d;
    join(&p.s, GROUND, 0, p.pivot, p.axis, locked);
    return p;
}

/* Towards the centre of mass, across the axis. */
static spc_vec3 pendulum_radius(const pendulum *p)
{
    const spc_vec3 r = spc_sub(centre_of(&p->s, 0), p->pivot);
    return unit(spc_sub(r, times(dot(r, p->axis), p->axis)));
}

static double pendulum_angle(const pendulum *p)
{
    const spc_vec3 r = pendulum_radius(p);
    return atan2(dot(p->axis, spc_cross(p->down, r)), dot(p->down, r));
}

/* Acceleration and joint force at the present angle, in closed form. */
static void check_pendulum(pendulum *p)
{
    const double rate = dot(state_of(&p->s, 0).V_GB.angular, p->axis);
    const double acceleration = -p->stiffness / p->moment * sin(pendulum_angle(p));
    const spc_vec3 r = pendulum_radius(p), t = spc_cross(p->axis, r);
    const spc_vec3 a = spc_sub(times(p->d * acceleration, t), times(p->d * rate * rate, r));
    const spc_spatial A =
        acceleration_about(&p->s, 0, times(acceleration, p->axis), centre_arm(&p->s, 0), a);
    forward_dynamics(&p->s);
    check_motion(&p->s, 0, 0, A);
}

/* The complete elliptic integral K(k), by the arithmetic-geometric mean. */
static double elliptic_K(double k)
{
    double a = 1, b = sqrt(1 - k * k);
    int i;
    for (i = 0; i < 8; i++) { /* converges quadratically */
        const double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return PI / (2 * a);
}

/* T = 4 K(sin(angle / 2)) sqrt(moment / stiffness); after that it is back. The rate of its fastest
   turning is less than twice that of small swings, of which T has up to 9.5 radians. */
static void check_period(unsigned locked, double angle)
{
    pendulum p = pendulum_make(locked, angle);
    const double slow = sqrt(p.stiffness / p.moment);
    const double T = 4 * elliptic_K(sin(angle / 2)) / slow;
    const int steps = IN_DOUBLE_OR_FLOAT(4000, 600);
    const double error = rk4_error(2 * slow, T / steps, steps);
    const spc_transform start = pose_of(&p.s, 0);
    const double energy = energy_of(&p.s);
    int quarter;
    for (quarter = 1; quarter <= 4; quarter++) {
        run(&p.s, T / steps, steps / 4);
        CHECK_NEAR(energy_of(&p.s) / p.stiffness, energy / p.stiffness, error);
        CHECK_NEAR(pendulum_angle(&p), quarter % 2 ? 0 : quarter == 2 ? -angle : angle, error);
        check_pendulum(&p);
    }
    CHECK_NEAR(distance(pose_of(&p.s, 0).p, start.p), 0, 2 * error);
    CHECK_NEAR(angle_between(pose_of(&p.s, 0).q, start.q), 0, 2 * error);
    CHECK_NEAR(length(state_of(&p.s, 0).V_GB.angular), 0, 4 * slow * error);
    CHECK_NEAR(worst_error(&p.s), 0, PROJECTED);
    scene_free(&p.s);
}

static void a_pendulum_swings_with_the_period_of_the_elliptic_integral(void)
{
    int trial;
    for (trial = 0; trial < 5; trial++) {
        check_period(SPC_HINGE, 0.3 + 0.5 * trial); /* up to 132 degrees */
        check_period(SPC_BALL_JOINT, 0.3 + 0.5 * trial);
    }
}

/* ----------------------------------------------------------------- joints in closed form ------ */

/* Of a top on a ball joint: energy, momentum about the vertical through the pivot, and about the
   top's axis. */
typedef struct top_invariants {
    double energy, vertical, spin;
} top_invariants;

static top_invariants invariants_of(const scene *s, spc_vec3 pivot)
{
    const spc_state x = state_of(s, 0);
    const spc_vec3 P = spc_scale(mass_of(s, 0).mass, x.V_GB.linear); /* Bo is Bc */
    const spc_vec3 L = spc_inertia_mul(inertia_of(s, 0), x.V_GB.angular);
    top_invariants v;
    v.energy = energy_of(s);
    v.vertical = (double)spc_add(L, spc_cross(spc_sub(x.X_GB.p, pivot), P)).z;
    v.spin = dot(L, spc_rotate(x.X_GB.q, vec(0, 0, 1)));
    return v;
}

static void a_spherical_pendulum_keeps_its_three_invariants(void)
{
    const double h = 1e-3, d = 0.6;
    const int steps = IN_DOUBLE_OR_FLOAT(4000, 1000);
    int trial;
    for (trial = 0; trial < 4; trial++) {
        const spc_vec3 pivot = test_random_vec3(1), e = random_unit();
        const double error = rk4_error(10, h, steps); /* of rates up to 10 rad/s */
        scene s = scene_make(1, 1);
        top_invariants before, after;
        add_body(&s, top_mass(2, 0.2, 0.1),
                 spc_transform_make(turn_between(vec(0, 0, 1), e), spc_add(pivot, times(d, e))));
        set_turning(&s, 0, test_random_vec3(4), pivot);
        join(&s, GROUND, 0, pivot, e, SPC_BALL_JOINT);
        before = invariants_of(&s, pivot);
        run(&s, h, steps);
        after = invariants_of(&s, pivot);
        CHECK_NEAR(after.spin, before.spin, error);
        CHECK_NEAR(after.vertical, before.vertical, 10 * error); /* up to 10 kg m^2/s, 40 J */
        CHECK_NEAR(after.energy, before.energy, 40 * error);
        CHECK_NEAR(worst_error(&s), 0, PROJECTED);
        scene_free(&s);
    }
}

/* Along the axis g . t, nothing else; the joint carries the rest of the weight and its moment. */
static void a_slider_under_gravity_on_an_incline(void)
{
    int trial;
    for (trial = 0; trial < 10; trial++) {
        const spc_vec3 t = random_unit();
        const double along = -GRAVITY * (double)t.z, h = 0.01, time = 100 * h;
        scene s = scene_make(1, 1);
        spc_transform start;
        spc_spatial A;
        add_random_body(&s, 1);
        start = pose_of(&s, 0);
        join(&s, GROUND, 0, test_random_vec3(1), t, SPC_SLIDER);
        forward_dynamics(&s);
        A = spc_spatial_make(zero, times(along, t));
        check_motion(&s, 0, 0, A);
        run(&s, h, 100); /* exact for a parabola */
        CHECK_NEAR(distance(pose_of(&s, 0).p, spc_add(start.p, times(along * time * time / 2, t))),
                   0, 1000 * TEST_EPSILON);
        CHECK_NEAR(angle_between(pose_of(&s, 0).q, start.q), 0, 1000 * TEST_EPSILON);
        scene_free(&s);
    }
}

/* On a vertical axis a body falls freely and turns evenly; the joint keeps its centre on the
   cylinder and bears the moments of an uneven body. */
static void a_cylindrical_joint_slides_and_turns(void)
{
    const double w = 4, h = 1e-3;
    const int steps = IN_DOUBLE_OR_FLOAT(1000, 300);
    int trial;
    for (trial = 0; trial < 5; trial++) {
        const spc_vec3 z = vec(0, 0, 1), p = test_random_vec3(1);
        const double time = h * steps, error = rk4_error(w, h, steps);
        scene s = scene_make(1, 1);
        spc_transform start;
        spc_vec3 r, a;
        spc_spatial A;
        add_random_body(&s, 1);
        start = pose_of(&s, 0);
        set_turning(&s, 0, times(w, z), p);
        join(&s, GROUND, 0, p, z, SPC_CYLINDRICAL);
        r = spc_sub(centre_of(&s, 0), p);
        a = vec(-w * w * (double)r.x, -w * w * (double)r.y, -GRAVITY);
        A = acceleration_about(&s, 0, zero, centre_arm(&s, 0), a);
        forward_dynamics(&s);
        check_motion(&s, 0, 0, A);
        run(&s, h, steps);
        CHECK_NEAR(angle_between(pose_of(&s, 0).q, spc_quat_mul(turn(z, w * time), start.q)), 0,
                   error);
        r = spc_rotate(turn(z, w * time), spc_sub(start.p, p));
        CHECK_NEAR(distance(pose_of(&s, 0).p,
                            spc_add(spc_add(p, r), vec(0, 0, -GRAVITY * time * time / 2))),
                   0, 2 * error);
        scene_free(&s);
    }
}

/* Two masses in one frame; the second in the place X_AB. */
static spc_mass combined_mass(spc_mass a, spc_mass b, spc_transform X_AB)
{
    const spc_vec3 cb = spc_transform_point(X_AB, b.p_BBc);
    const spc_inertia Ib = spc_inertia_rotate(spc_mat3_from_quat(X_AB.q), b.inertia);
    spc_inertia Ia = a.inertia;
    spc_mass m;
    spc_inertia I;
    m.mass = a.mass + b.mass;
    m.p_BBc = spc_scale(1 / m.mass, spc_add(spc_scale(a.mass, a.p_BBc), spc_scale(b.mass, cb)));
    Ia = spc_inertia_shift(Ia, a.mass, spc_sub(a.p_BBc, m.p_BBc));
    I = spc_inertia_shift(Ib, b.mass, spc_sub(cb, m.p_BBc));
    I.xx += Ia.xx;
    I.yy += Ia.yy;
    I.zz += Ia.zz;
    I.xy += Ia.xy;
    I.xz += Ia.xz;
    I.yz += Ia.yz;
    m.inertia = I;
    return m;
}

/* Two welded bodies and the one that they make, thrown alike. The weld's force is what the second
   needs. */
static void welded_bodies_move_as_one(void)
{
    const double h = 1e-3;
    const int steps = IN_DOUBLE_OR_FLOAT(1000, 200);
    int trial;
    for (trial = 0; trial < 5; trial++) {
        scene two = scene_make(2, 1), one = scene_make(1, 1);
        const spc_transform X_GA = test_random_transform(1), X_AB = test_random_transform(1);
        const spc_vec3 w = test_random_vec3(3);
        const double error = rk4_error(6, h, steps); /* uneven bodies change twice as fast as w */
        spc_vec3 r;
        spc_spatial A;
        add_body(&two, test_random_mass(), X_GA);
        add_body(&two, test_random_mass(), spc_transform_mul(X_GA, X_AB));
        add_body(&one, combined_mass(mass_of(&two, 0), mass_of(&two, 1), X_AB), X_GA);
        join(&two, 0, 1, w, random_unit(), SPC_WELD); /* anywhere */
        set_turning(&two, 0, w, zero);
        set_turning(&two, 1, w, zero);
        set_turning(&one, 0, w, zero);
        forward_dynamics(&two);
        forward_dynamics(&one);
        r = spc_sub(pose_of(&two, 1).p, X_GA.p);
        A = acceleration_of(&one, 0);
        check_acceleration(&two, 0, A);
        A = spc_spatial_make(A.angular, spc_add(spc_add(A.linear, spc_cross(A.angular, r)),
                                                spc_cross(w, spc_cross(w, r))));
        check_motion(&two, 1, 0, A);
        run(&two, h, steps);
        run(&one, h, steps);
        CHECK_NEAR(distance(pose_of(&two, 0).p, pose_of(&one, 0).p), 0, error);
        CHECK_NEAR(angle_between(pose_of(&two, 0).q, pose_of(&one, 0).q), 0, error);
        CHECK_NEAR(distance(state_of(&two, 0).V_GB.angular, state_of(&one, 0).V_GB.angular), 0,
                   10 * error);
        /* the weld is up to 5 m from the bodies, and falls by as much */
        CHECK_NEAR(worst_error(&two), 0, 2 * PROJECTED);
        scene_free(&two);
        scene_free(&one);
    }
}

/* A bead on a straight wire and a puck on ice: gravity along what is free, and spin stays. */
static void a_point_on_a_line_and_on_a_plane(void)
{
    int trial;
    for (trial = 0; trial < 10; trial++) {
        const bool line = trial % 2 == 0;
        const spc_vec3 z = random_unit(), w = test_random_vec3(3), g = vec(0, 0, -GRAVITY);
        const spc_vec3 along = times(dot(g, z), z);
        const spc_vec3 a = line ? along : spc_sub(g, along);
        const double h = 0.01, time = 0.3;
        scene s = scene_make(1, 1);
        spc_vec3 start, v, end;
        add_body(&s, spc_mass_solid_sphere(2, SPC_R(0.5)), test_random_transform(1));
        start = pose_of(&s, 0).p;
        v = line ? times(2, z) : times(2, random_across(z));
        set_velocity(&s, 0, w, v);
        join(&s, GROUND, 0, start, z, line ? SPC_POINT_ON_LINE : SPC_POINT_ON_PLANE);
        forward_dynamics(&s);
        check_motion(&s, 0, 0, spc_spatial_make(zero, a));
        run(&s, h, 30);
        end = spc_add(start, spc_add(times(time, v), times(time * time / 2, a)));
        CHECK_NEAR(distance(pose_of(&s, 0).p, end), 0, 300 * TEST_EPSILON);
        CHECK_NEAR(distance(state_of(&s, 0).V_GB.angular, w), 0, 30 * TEST_EPSILON);
        scene_free(&s);
    }
}

/* -------------------------------------------------------------- the universal joint ----------- */

/* Two round shafts in bearings on ground whose axes meet at `bend`, joined there: A, B, and the
   joint as number 2. B is not twisted against A. */
static scene shafts_make(double bend)
{
    const spc_vec3 z = vec(0, 0, 1), to_b = vec(sin(bend), 0, cos(bend));
    const spc_quat swing = turn_between(z, to_b);
    spc_attachment shape = spc_attachment_default();
    scene s = scene_make(2, 3);
    add_body(&s, top_mass(1, 0.5, 0.3), at(times(-0.7, z)));
    add_body(&s, top_mass(2, 0.4, 0.2), spc_transform_make(swing, times(0.9, to_b)));
    join(&s, GROUND, 0, times(-0.7, z), z, SPC_HINGE);
    join(&s, GROUND, 1, times(0.9, to_b), to_b, SPC_HINGE);
    shape.X_AF = at(times(0.7, z));
    shape.X_BM = at(times(-0.9, z));
    shape.locked = SPC_UNIVERSAL;
    add_joint(&s, 0, 1, &shape);
    return s;
}

static void add_torque(scene *s, int i, spc_vec3 torque)
{
    CHECK_STATUS(spc_body_add_torque(s->world, s->body[i], torque, SPC_LASTING), SPC_OK);
}

/* Through any bend it turns both shafts alike, without the unevenness of a cross: torques t on A
   and -u on B make (I_A + I_B) w' = t - u, and B's share comes through the twist row. */
static void a_universal_joint_passes_torque_on_evenly(void)
{
    static const double bends[4] = { 0, 0.5, 1.2, 2.5 };
    const double t = 1.5, u = 0.4, total = 0.3 + 0.2, h = 4e-3;
    const int steps = 500; /* up to 4.4 rad/s, 4.4 rad: the joint's bend goes around */
    int k;
    for (k = 0; k < 4; k++) {
        const double angle = (t - u) / total * pow(h * steps, 2) / 2;
        const double error = rk4_error(5, h, steps);
        scene s = shafts_make(bends[k]);
        spc_vec3 axis;
        spc_transform start;
        spc_real lambda[SPC_MAX_ROWS];
        axis = spc_rotate(pose_of(&s, 1).q, vec(0, 0, 1));
        start = pose_of(&s, 1);
        add_torque(&s, 0, vec(0, 0, t));
        add_torque(&s, 1, times(-u, axis));
        forward_dynamics(&s);
        CHECK_NEAR(acceleration_of(&s, 0).angular.z, (t - u) / total, 100 * ROUNDED);
        CHECK_NEAR(dot(acceleration_of(&s, 1).angular, axis), (t - u) / total, 100 * ROUNDED);
        CHECK_STATUS(spc_constraint_get_multipliers(s.world, s.joint[2], lambda), SPC_OK);
        CHECK_NEAR(-lambda[5], 0.2 * (t - u) / total + u, 100 * ROUNDED);
        run(&s, h, steps);
        CHECK_NEAR(angle_between(pose_of(&s, 0).q, turn(vec(0, 0, 1), angle)), 0, error);
        CHECK_NEAR(angle_between(pose_of(&s, 1).q, spc_quat_mul(turn(axis, angle), start.q)), 0,
                   error);
        CHECK_NEAR(worst_error(&s), 0, PROJECTED);
        scene_free(&s);
    }
}

/* A pendulum on a universal joint goes around in a cone. Without twist its angular velocity is
   W (k - e), with k down and e along the pendulum, and then W^2 = m g d / (A cos + C (1 - cos)) at
   the pivot. After each round it is back as it was: w . k = 0 would have turned it by the solid
   angle of the cone, 2 pi (1 - cos). (Products of its vectors change at twice its rate.) */
static void coning_does_not_twist_a_universal_joint(void)
{
    const double d = 0.5, m = 2, A = 0.1 + m * d * d, C = 0.15, tilt = 0.8;
    const double rate = sqrt(m * GRAVITY * d / (A * cos(tilt) + C * (1 - cos(tilt))));
    const int rounds = IN_DOUBLE_OR_FLOAT(25, 5), steps = IN_DOUBLE_OR_FLOAT(500, 200);
    const spc_vec3 k = vec(0, 0, -1), e = vec(sin(tilt), 0, -cos(tilt));
    scene s = scene_make(1, 1);
    spc_attachment shape = spc_attachment_default();
    spc_transform start;
    int done;
    shape.X_AF.q = turn_between(vec(0, 0, 1), k);
    shape.X_BM.p = times(-d, vec(0, 0, 1));
    shape.locked = SPC_UNIVERSAL;
    add_body(&s, top_mass(m, 0.1, C),
             spc_transform_make(spc_quat_mul(turn_between(k, e), shape.X_AF.q), times(d, e)));
    set_turning(&s, 0, times(rate, spc_sub(k, e)), zero);
    add_joint(&s, GROUND, 0, &shape);
    start = pose_of(&s, 0);
    for (done = 1; done <= rounds; done++) {
        const double error = rk4_error(2 * rate, 2 * PI / rate / steps, done * steps);
        run(&s, 2 * PI / rate / steps, steps);
        CHECK_NEAR(error_of(&s, 0).angle, 0, PROJECTED); /* the twist, from its definition */
        CHECK_NEAR(angle_between(pose_of(&s, 0).q, start.q), 0, error);
        CHECK_NEAR(pose_of(&s, 0).p.z, start.p.z, error);
    }
    scene_free(&s);
}

/* Any motion, any body: whatever it does for 12 s, it has no twist. */
static void a_universal_joint_never_twists(void)
{
    const int steps = IN_DOUBLE_OR_FLOAT(6000, 3000);
    scene s = scene_make(2, 2);
    double worst = 0;
    int i;
    add_body(&s, test_random_mass(), at(vec(0, 0, -1)));
    add_body(&s, test_random_mass(), at(vec(0.3, 0, -2)));
    join(&s, GROUND, 0, zero, vec(0, 0, -1), SPC_UNIVERSAL);
    join(&s, 0, 1, vec(0, 0, -1.5), vec(0.1, 0.2, -1), SPC_UNIVERSAL);
    set_moving(&s, 2, 1);
    for (i = 0; i < steps / 100; i++) {
        run(&s, 2e-3, 100);
        note(&worst, worst_error(&s));
    }
    CHECK_NEAR(worst, 0, PROJECTED);
    scene_free(&s);
}

/* ---------------------------------------------------------------------- a hinge that turns ---- */

/* A flywheel under a torque, its centre and a principal axis on the hinge: w = t T / I however
   often it has turned, and nothing happens at 180 or 360 degrees. Stabilization is on; every step
   is looked at. */
static void a_hinge_turns_as_often_as_it_likes(void)
{
    const double h = 1.0 / 240, torque = 0.5, about = 0.2;
    const int steps = IN_DOUBLE_OR_FLOAT(10000, 2000);
    const spc_vec3 axis = random_unit();
    spc_stabilization on = spc_stabilization_default();
    scene s = scene_make(1, 1);
    spc_transform X;
    double worst = 0, worst_rate = 0, angle = 0;
    int i;
    X.q = spc_quat_mul(turn_between(vec(0, 0, 1), axis), turn(vec(0, 0, 1), 2));
    X.p = test_random_vec3(1);
    add_body(&s, top_mass(1, 0.15, about), X);
    join(&s, GROUND, 0, spc_add(X.p, times(0.3, axis)), axis, SPC_HINGE);
    CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.joint[0], &on), SPC_OK);
    add_torque(&s, 0, times(torque, axis));
    for (i = 1; i <= steps; i++) {
        CHECK_STATUS(spc_step(s.world, (spc_real)h), SPC_OK);
        note(&worst, error_of(&s, 0).angle);
        note(&worst, error_of(&s, 0).distance);
        note(&worst_rate,
             distance(state_of(&s, 0).V_GB.angular, times(i * h * torque / about, axis)) /
                 (i * h * torque / about));
        angle += h * length(state_of(&s, 0).V_GB.angular);
    }
    CHECK(angle > IN_DOUBLE_OR_FLOAT(300, 10) * 2 * PI);
    CHECK_NEAR(worst, 0, PROJECTED);
    CHECK_NEAR(worst_rate, 0, 4 * steps * TEST_EPSILON); /* a sum of so many */
    scene_free(&s);
}

/* --------------------------------------------------------------- where joints are made -------- */

/* Made at the present poses, by spc_attachment_at or with keep_pose, there are no errors: 64 masks
   at random poses, on ground and on a body. The axes are where they were asked for. */
static void joints_made_where_the_bodies_are_have_no_errors(void)
{
    unsigned locked;
    for (locked = 0; locked <= SPC_WELD; locked++) {
        scene s = scene_make(2, 3);
        const spc_vec3 p = test_random_vec3(2), z = times(3, random_unit());
        spc_attachment_desc d = spc_attachment_desc_default();
        spc_transform X_GF;
        int k;
        add_random_body(&s, 2);
        add_random_body(&s, 2);
        join(&s, 0, 1, p, z, locked);
        join(&s, GROUND, 1, p, z, locked);
        X_GF = spc_transform_mul(pose_of(&s, 0), shape_of(&s, 0).X_AF);
        CHECK_NEAR(distance(X_GF.p, p), 0, ROUNDED);
        CHECK_NEAR(distance(spc_rotate(X_GF.q, vec(0, 0, 1)), unit(z)), 0, ROUNDED);
        d.a = handle_of(&s, 1);
        d.b = handle_of(&s, 0);
        d.keep_pose = true;
        d.shape.locked = locked;
        d.shape.X_AF = test_random_transform(1);
        d.shape.X_BM = test_random_transform(1); /* these two are to be ignored */
        d.shape.rest = test_random_vec3(1);
        CHECK_STATUS(spc_attachment_add(s.world, &d, &s.joint[s.joints]), SPC_OK);
        s.end_a[s.joints] = 1;
        s.end_b[s.joints++] = 0;
        CHECK_NEAR(worst_error(&s), 0, ROUNDED);
        for (k = 0; k < 18; k++)
            CHECK_NEAR(rows_of(&s, k / 6).position_errors[k % 6], 0, ROUNDED);
        scene_free(&s);
    }
}

/* `rest` is where M's origin is kept, in F: assembly takes it there along what is locked, and a
   step leaves it there. */
static void a_rest_vector_is_where_the_point_is_kept(void)
{
    static const unsigned masks[4] = { SPC_BALL_JOINT, SPC_SLIDER, SPC_POINT_ON_PLANE, SPC_WELD };
    int k, i;
    for (k = 0; k < 4; k++) {
        scene s = scene_make(2, 1);
        spc_attachment shape = spc_attachment_default();
        spc_vec3 p;
        add_random_body(&s, 2);
        add_random_body(&s, 2);
        shape.X_AF = test_random_transform(1);
        shape.X_BM = test_random_transform(1);
        shape.rest = test_random_vec3(1);
        shape.locked = masks[k];
        add_joint(&s, 0, 1, &shape);
        CHECK_STATUS(spc_world_assemble(s.world, SPC_R(100 * TEST_EPSILON), NULL), SPC_OK);
        set_moving(&s, 1, 1);
        run(&s, 1e-3, 10);
        p = spc_transform_point(
            spc_transform_inverse(spc_transform_mul(pose_of(&s, 0), shape.X_AF)),
            spc_transform_point(pose_of(&s, 1), shape.X_BM.p));
        for (i = 0; i < 3; i++)
            if (masks[k] >> i & 1u)
                CHECK_NEAR(component(p, i), component(shape.rest, i), PROJECTED);
        CHECK_NEAR(worst_error(&s), 0, PROJECTED);
        scene_free(&s);
    }
}

/* -------------------------------------------------------------- changed while it runs --------- */

static int bit_count(unsigned mask)
{
    int count = 0;
    for (; mask; mask >>= 1)
        count += (int)(mask & 1u);
    return count;
}

static spc_status set_locked(scene *s, int j, unsigned locked)
{
    spc_attachment shape = shape_of(s, j);
    shape.locked = locked;
    return spc_attachment_set(s->world, s->joint[j], &shape);
}

/* What is locked has no acceleration error; what is not has no error, no row and no multiplier, bit
   for bit. The mask is changed on the way, at poses and velocities that fit none. */
static void all_64_masks_lock_what_they_say(void)
{
    scene s = random_structure(3, 0, SPC_WELD, false);
    unsigned locked;
    int i, k;
    for (i = 0; i < 3; i++) {
        const spc_state state = test_random_state();
        set_pose(&s, i, state.X_GB);
        set_velocity(&s, i, state.V_GB.angular, state.V_GB.linear);
    }
    for (locked = 0; locked <= SPC_WELD; locked++) {
        const int count = bit_count(locked);
        spc_real lambda[SPC_MAX_ROWS], errors[SPC_MAX_ROWS];
        spc_rows rows;
        CHECK_STATUS(set_locked(&s, 0, locked), SPC_OK);
        CHECK(info_of(&s, 0).position_rows == count);
        CHECK(spc_world_row_count(s.world) == 6 + count);
        forward_dynamics(&s);
        check_kkt(&s);
        rows = rows_of(&s, 0);
        CHECK(rows.enforced == locked && rows.holonomic == locked && rows.count == 6);
        CHECK_STATUS(spc_constraint_get_multipliers(s.world, s.joint[0], lambda), SPC_OK);
        CHECK_STATUS(spc_constraint_get_acceleration_errors(s.world, s.joint[0], errors), SPC_OK);
        for (k = 0; k < 6; k++) {
            if (locked >> k & 1u)
                continue;
            CHECK_NEAR(lambda[k], 0, 0);
            CHECK_NEAR(errors[k], 0, 0);
            if (k < 3)
                continue; /* translations tell their errors all the same: see test_kernels.c */
            CHECK_NEAR(rows.position_errors[k], 0, 0);
            CHECK_NEAR(rows.velocity_errors[k], 0, 0);
        }
    }
    scene_free(&s);
}

/* Another mask of as many rows: what is off reads 0 at once, not only after the next solve. */
static void a_multiplier_of_what_was_unlocked_is_gone(void)
{
    scene s = scene_make(1, 1);
    spc_real lambda[SPC_MAX_ROWS];
    add_body(&s, test_random_mass(), at(zero));
    join(&s, GROUND, 0, zero, vec(0, 0, 1), SPC_LOCK_TZ);
    forward_dynamics(&s);
    CHECK(force_of(&s, 0).force_P.z > 0); /* it bears the weight */
    CHECK_STATUS(set_locked(&s, 0, SPC_LOCK_TX), SPC_OK);
    CHECK_STATUS(spc_constraint_get_multipliers(s.world, s.joint[0], lambda), SPC_OK);
    CHECK_NEAR(lambda[2], 0, 0);
    scene_free(&s);
}

/* What forward dynamics finds of a body and of a joint. */
typedef struct result {
    spc_spatial A;
    spc_real lambda[SPC_MAX_ROWS];
} result;

static result result_of(scene *s, int body, int joint)
{
    result r;
    memset(&r, 0, sizeof r);
    forward_dynamics(s);
    r.A = acceleration_of(s, body);
    CHECK_STATUS(spc_constraint_get_multipliers(s->world, s->joint[joint], r.lambda), SPC_OK);
    return r;
}

/* Seven rows, for a ball joint and a universal joint. */
static scene seven_rows(void)
{
    spc_world_desc desc = spc_world_desc_default(2, 2);
    scene s = scene_make(2, 2);
    free(s.world);
    desc.rows = 7;
    desc.gravity = vec(0, 0, -GRAVITY);
    s.world = test_world(&desc);
    add_random_body(&s, 1);
    add_random_body(&s, 1);
    join(&s, GROUND, 0, zero, vec(1, 0, 0), SPC_BALL_JOINT);
    join(&s, 0, 1, vec(1, 0, 0), vec(1, 0, 0), SPC_UNIVERSAL);
    return s;
}

/* More than there is room for is refused, and nothing has changed; joints that are off keep their
   rows, removed ones do not. */
static void more_rows_than_there_are_are_refused(void)
{
    scene s = seven_rows();
    const result before = result_of(&s, 1, 1);
    const unsigned long long hash = hash_of(&s);
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_constraint c;
    result after;
    CHECK_STATUS(set_locked(&s, 0, SPC_HINGE), SPC_ERROR_ROWS_FULL);
    CHECK(shape_of(&s, 0).locked == SPC_BALL_JOINT);
    CHECK(spc_world_row_count(s.world) == 7 && hash_of(&s) == hash);
    after = result_of(&s, 1, 1);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.joint[1], false), SPC_OK);
    CHECK(spc_world_row_count(s.world) == 3);
    CHECK_STATUS(set_locked(&s, 0, SPC_HINGE), SPC_ERROR_ROWS_FULL);
    d.b = handle_of(&s, 1);
    d.shape.locked = SPC_LOCK_TX;
    CHECK_STATUS(spc_constraint_remove(s.world, s.joint[1]), SPC_OK);
    CHECK_STATUS(set_locked(&s, 0, SPC_WELD), SPC_OK);
    CHECK_STATUS(spc_attachment_add(s.world, &d, &c), SPC_OK);
    d.shape.locked = SPC_UNIVERSAL;
    CHECK_STATUS(spc_constraint_remove(s.world, c), SPC_OK);
    CHECK_STATUS(spc_attachment_add(s.world, &d, &c), SPC_ERROR_ROWS_FULL);
    CHECK_STATUS(set_locked(&s, 0, SPC_BALL_JOINT), SPC_OK);
    CHECK_STATUS(spc_attachment_add(s.world, &d, &c), SPC_OK);
    scene_free(&s);
}

static scene copy_of(const scene *s)
{
    const size_t bytes = spc_world_snapshot_size(s->world);
    scene copy = scene_make(s->bodies, s->joints);
    void *memory = malloc(bytes);
    free(copy.world);
    memcpy(memory, s->world, bytes);
    CHECK_STATUS(spc_world_open(memory, bytes, &copy.world), SPC_OK);
    memcpy(copy.body, s->body, sizeof(spc_body) * (size_t)s->bodies);
    memcpy(copy.joint, s->joint, sizeof(spc_constraint) * (size_t)s->joints);
    memcpy(copy.end_a, s->end_a, sizeof(int) * (size_t)s->joints);
    memcpy(copy.end_b, s->end_b, sizeof(int) * (size_t)s->joints);
    copy.bodies = s->bodies;
    copy.joints = s->joints;
    return copy;
}

static void step_often(scene *s, int steps)
{
    int i;
    for (i = 0; i < steps; i++)
        CHECK_STATUS(spc_step(s->world, SPC_R(1.0 / 240)), SPC_OK);
}

/* A joint switched off lets its body fall; switched on again, or removed and made again with the
   same parameters, it goes on to the same bits. */
static void a_joint_made_again_is_the_same_joint(void)
{
    scene s = seven_rows(), t;
    spc_attachment shape;
    step_often(&s, 20);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.joint[1], false), SPC_OK);
    forward_dynamics(&s);
    CHECK_NEAR(distance(centre_acceleration(&s, 1), vec(0, 0, -GRAVITY)), 0, ROUNDED * 100);
    step_often(&s, 20);
    t = copy_of(&s);
    shape = shape_of(&s, 1);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.joint[1], true), SPC_OK);
    CHECK_STATUS(spc_constraint_remove(t.world, t.joint[1]), SPC_OK);
    t.joints = 1;
    add_joint(&t, 0, 1, &shape);
    step_often(&s, 20);
    CHECK(hash_of(&s) != hash_of(&t));
    step_often(&t, 20);
    CHECK(hash_of(&s) == hash_of(&t));
    scene_free(&s);
    scene_free(&t);
}

/* ------------------------------------------------------------------------- symmetries --------- */

/* A rotation that leaves what is locked alone: any, a swing of a twist's axis, a turn about the
   free axis, none. */
static spc_quat free_rotation(unsigned turns)
{
    const double angle = test_random(0.3, 1.5);
    int k;
    for (k = 0; k < 3; k++) {
        if (turns == 1u << k)
            return turn(random_across(basis(k)), angle);
        if (turns == (7u ^ 1u << k))
            return turn(basis(k), angle);
    }
    return turns ? spc_quat_identity() : test_random_quat();
}

/* Two bodies with a joint without errors, in a general position; once more with A and B, and F and
   M, exchanged. */
static void make_both_ways(unsigned locked, scene *s, scene *t)
{
    const spc_mass a = test_random_mass(), b = test_random_mass();
    const spc_transform X_GA = test_random_transform(1), X_GB = test_random_transform(1);
    spc_attachment shape = spc_attachment_default();
    spc_transform X_FM, X_AF;
    int k;
    shape.X_AF = test_random_transform(1);
    shape.locked = locked;
    X_FM.q = free_rotation(locked >> 3);
    X_FM.p = test_random_vec3(1);
    X_FM.p = vec(locked & 1u ? 0 : (double)X_FM.p.x, locked & 2u ? 0 : (double)X_FM.p.y,
                 locked & 4u ? 0 : (double)X_FM.p.z);
    shape.X_BM = spc_transform_mul(spc_transform_inverse(X_GB),
                                   spc_transform_mul(spc_transform_mul(X_GA, shape.X_AF), X_FM));
    *s = scene_make(2, 1);
    *t = scene_make(2, 1);
    for (k = 0; k < 2; k++) {
        add_body(k ? t : s, a, X_GA);
        add_body(k ? t : s, b, X_GB);
    }
    add_joint(s, 0, 1, &shape);
    X_AF = shape.X_AF;
    shape.X_AF = shape.X_BM;
    shape.X_BM = X_AF;
    add_joint(t, 1, 0, &shape);
    set_moving(s, 2, 1);
    for (k = 0; k < 2; k++) {
        const spc_spatial V = state_of(s, k).V_GB;
        set_velocity(t, k, V.angular, V.linear);
    }
}

/* Which masks mean the same from both sides: translations all locked or all free, since points are
   no one's axes; all rotations locked, since the axes of F and M are the same then; and with two
   rotations locked, whose axis both frames share, what is along it or across it. */
static bool is_symmetric(unsigned locked)
{
    const unsigned moves = locked & 7u, turns = locked >> 3;
    int k;
    for (k = 0; k < 3; k++)
        if (turns == (7u ^ 1u << k) && (moves == 1u << k || moves == (7u ^ 1u << k)))
            return true;
    return moves == 0 || moves == 7 || turns == 7;
}

static void exchanging_the_bodies_changes_nothing_where_it_should(void)
{
    unsigned locked;
    int symmetric = 0;
    for (locked = 0; locked <= SPC_WELD; locked++) {
        scene s, t;
        effort e[2];
        double off;
        make_both_ways(locked, &s, &t);
        forward_dynamics(&s);
        forward_dynamics(&t);
        find_efforts(&s, e);
        off = distance(acceleration_of(&s, 1).linear, acceleration_of(&t, 1).linear) / e[1].linear;
        note(&off, distance(acceleration_of(&s, 0).angular, acceleration_of(&t, 0).angular) /
                       e[0].angular);
        if (is_symmetric(locked)) {
            const spc_contact_force f = force_of(&s, 0), g = force_of(&t, 0);
            const double m = (double)mass_of(&s, 1).mass;
            CHECK_NEAR(off, 0, ROUNDED);
            CHECK_NEAR(distance(f.on_b.linear, g.on_a.linear), 0, ROUNDED * m * e[1].linear);
            symmetric++;
        } else {
            CHECK(off > 1e-4);
        }
        scene_free(&s);
        scene_free(&t);
    }
    CHECK(symmetric == 28);
}

/* The whole scene somewhere else, ground's joints and gravity too: accelerations turn with it, and
   multipliers are what they were. */
static void moving_the_whole_scene_changes_nothing(void)
{
    int trial, i, k;
    for (trial = 0; trial < 10; trial++) {
        scene s = random_structure(IN_DOUBLE_OR_FLOAT(10, 4), trial / 3, 0, true), t = copy_of(&s);
        const spc_transform X = test_random_transform(3);
        effort e[10];
        double error = 0, most = 1;
        CHECK_STATUS(spc_world_set_gravity(t.world, spc_rotate(X.q, spc_world_gravity(s.world))),
                     SPC_OK);
        for (i = 0; i < s.bodies; i++) {
            const spc_state x = state_of(&s, i);
            set_pose(&t, i, spc_transform_mul(X, x.X_GB));
            set_velocity(&t, i, spc_rotate(X.q, x.V_GB.angular), spc_rotate(X.q, x.V_GB.linear));
        }
        for (i = 0; i < s.joints; i++) {
            spc_attachment shape = shape_of(&s, i);
            shape.X_AF = spc_transform_mul(X, shape.X_AF);
            if (s.end_a[i] == GROUND)
                CHECK_STATUS(spc_attachment_set(t.world, t.joint[i], &shape), SPC_OK);
        }
        forward_dynamics(&s);
        forward_dynamics(&t);
        find_efforts(&s, e);
        for (i = 0; i < s.bodies; i++)
            error += 10 * ROUNDED * (e[i].linear + e[i].angular); /* ten metres away */
        for (i = 0; i < s.bodies; i++) {
            const spc_spatial A = acceleration_of(&s, i), B = acceleration_of(&t, i);
            CHECK_NEAR(distance(spc_rotate(X.q, A.angular), B.angular), 0, error);
            CHECK_NEAR(distance(spc_rotate(X.q, A.linear), B.linear), 0, error);
        }
        for (i = 0; i < s.joints; i++) {
            spc_real a[SPC_MAX_ROWS], b[SPC_MAX_ROWS];
            CHECK_STATUS(spc_constraint_get_multipliers(s.world, s.joint[i], a), SPC_OK);
            CHECK_STATUS(spc_constraint_get_multipliers(t.world, t.joint[i], b), SPC_OK);
            most = fmax(most, largest(a, SPC_MAX_ROWS));
            for (k = 0; k < SPC_MAX_ROWS; k++)
                CHECK_NEAR((double)(a[k] - b[k]) / most, 0, DENSE);
        }
        scene_free(&s);
        scene_free(&t);
    }
}

static const test_entry tests[] = {
    TEST(a_pendulum_swings_with_the_period_of_the_elliptic_integral),
    TEST(a_spherical_pendulum_keeps_its_three_invariants),
    TEST(a_slider_under_gravity_on_an_incline),
    TEST(a_cylindrical_joint_slides_and_turns),
    TEST(welded_bodies_move_as_one),
    TEST(a_point_on_a_line_and_on_a_plane),
    TEST(a_universal_joint_passes_torque_on_evenly),
    TEST(coning_does_not_twist_a_universal_joint),
    TEST(a_universal_joint_never_twists),
    TEST(a_hinge_turns_as_often_as_it_likes),
    TEST(joints_made_where_the_bodies_are_have_no_errors),
    TEST(a_rest_vector_is_where_the_point_is_kept),
    TEST(all_64_masks_lock_what_they_say),
    TEST(a_multiplier_of_what_was_unlocked_is_gone),
    TEST(more_rows_than_there_are_are_refused),
    TEST(a_joint_made_again_is_the_same_joint),
    TEST(exchanging_the_bodies_changes_nothing_where_it_should),
    TEST(moving_the_whole_scene_changes_nothing),
};

TEST_MAIN
