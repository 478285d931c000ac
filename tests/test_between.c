/* [7.3] Contacts that other things reach through: forces that joints or further contacts hand on,
   balls between spheres, floors that open contacts by how they move, blows that press on what
   slides, and mechanisms whose joints are at the origin. */
#include "contacts.h"

#include <math.h>

static spc_body put_body_at(spc_world *w, spc_mass mass, spc_vec3 p, spc_vec3 linear)
{
    return put_body(w, mass, p, zero, linear);
}

/* Locks rows of two bodies at a point of ground, along y and the other axes. */
static void put_joint(spc_world *w, spc_body a, spc_body b, spc_vec3 p, unsigned locked)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    const spc_transform X = plane_at(vec(0, 1, 0), p);
    spc_constraint c;
    d.a = a;
    d.b = b;
    d.keep_pose = true;
    d.shape.locked = locked;
    d.shape.X_AF = X;
    d.shape.X_AF.p = spc_sub(p, spc_body_position(w, a));
    CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
}

static spc_constraint put_wall(spc_world *w, spc_body ball)
{
    return put_on_plane(w, ground, plane_at(vec(-1, 0, 0), zero), ball, 0.1, law_of(0, 0));
}

/* ---------------------------------------------------------------------- forces handed on ---- */

/* A ball touches a wall; a force presses it there through a weld, through another ball, or both
   ways, also where a rounding's velocity leads away. */
static void forces_reach_a_contact_through_others(void)
{
    int way, i;
    for (way = 0; way < 3; way++) {
        for (i = 0; i < 3; i++) {
            const double away = i == 0 ? 0 : i == 1 ? 1e-19 : IN_DOUBLE_OR_FLOAT(1e-13, 1e-9);
            spc_world *w = contact_world(3, 4, zero);
            const spc_vec3 v = vec(-away, 0, 0);
            const spc_body ball =
                put_body_at(w, spc_mass_solid_sphere(1, real(0.1)), vec(-0.1, 0, 0), v);
            const spc_body other =
                put_body_at(w, spc_mass_solid_sphere(1, real(0.1)), vec(-0.3, 0, 0), v);
            const spc_constraint wall = put_wall(w, ball);
            if (way != 1)
                put_joint(w, ball, other, vec(-0.2, 0, 0), SPC_WELD);
            if (way != 0)
                (void)put_pair(w, ball, other, 0.1, 0.1, law_of(0, 0));
            CHECK_STATUS(spc_body_add_force(w, other, vec(1, 0, 0), zero, SPC_LASTING), SPC_OK);
            CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
            CHECK_NEAR(contact_of_world(w, wall).force[2], 1, IN_DOUBLE_OR_FLOAT(1e-9, 1e-4));
            CHECK_NEAR(acceleration_of(w, ball).linear.x, 0, IN_DOUBLE_OR_FLOAT(1e-9, 1e-4));
            free(w);
        }
    }
}

/* ---------------------------------------------------------------------- between spheres ----- */

/* A ball in the race of a bearing, without friction and without clearance but for rounding: it goes
   round with its speed, m v^2 / R its load, from all places where it begins. */
static void a_ball_goes_round_in_a_race(void)
{
    const double inner = 0.3, r = 0.1, speed = 0.75, way = inner + r;
    int rate, start, i;
    for (rate = 0; rate < RATES; rate++) {
        const double h = 1 / rates[rate];
        for (start = 0; start < LONG_OR_SHORT(100, 25); start++) {
            const double angle = 2 * 3.14159265358979 * start / LONG_OR_SHORT(100, 25);
            const spc_vec3 radial = vec(cos(angle), sin(angle), 0);
            spc_world *w = contact_world(1, 2, zero);
            const spc_body ball = put_body_at(w, spc_mass_solid_sphere(1, real(r)),
                                              spc_scale(real(way), radial),
                                              vec(-speed * sin(angle), speed * cos(angle), 0));
            spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
            spc_constraint c;
            spc_vec3 v;
            (void)put_pair(w, ground, ball, inner, r, law_of(0, 0));
            d.b = ball;
            d.shape.radius_a = real(inner + 2 * r);
            d.shape.radius_b = real(r);
            d.shape.hollow = true;
            d.one_sided = true;
            d.law = law_of(0, 0);
            CHECK_STATUS(spc_sphere_on_sphere_add(w, &d, &c), SPC_OK);
            for (i = 0; i < (int)rates[rate]; i++) {
                CHECK_STATUS(spc_step(w, real(h)), SPC_OK);
                CHECK(report_of(w).unsolved == 0);
            }
            v = state_of(w, ball).V_GB.linear;
            CHECK_NEAR(spc_norm(v), speed, IN_DOUBLE_OR_FLOAT(1e-9, 1e-4));
            CHECK((double)v.y * cos(angle + speed / way) >
                  (double)v.x * sin(angle + speed / way)); /* the same way round */
            free(w);
        }
    }
}

/* Two plates that close on a ball go through it: no impulses bear that, which is told whether they
   have grip or not. */
static void plates_that_go_through_a_ball_are_told(void)
{
    int grip, side, i;
    for (grip = 0; grip < 2; grip++) {
        spc_world *w = contact_world(3, 2, zero);
        const spc_body ball = put_ball(w, 1, 0.1, zero);
        for (side = -1; side <= 1; side += 2) {
            const spc_body plate = put_moved(w, vec(0.1 * side, 0, 0), vec(-0.1 * side, 0, 0));
            spc_contact_law law = law_of(0.5, 0);
            law.grip = grip;
            (void)put_on_plane(w, plate, plane_at(vec(-side, 0, 0), zero), ball, 0.1, law);
        }
        for (i = 0; i < 24; i++) {
            CHECK_STATUS(spc_step(w, real(1 / 240.)), SPC_OK);
            CHECK(report_of(w).unsolved >= 1); /* in parts, as they land */
        }
        free(w);
    }
}

/* ---------------------------------------------------------------------- floors that leave --- */

/* z = A sin(w t): of a bowl, and of the centre of an eccentric disc. */
#define LIFT 0.03
#define PULSE 25

static void shaken(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    const double t = PULSE * (double)time;
    (void)user;
    *state = spc_state_identity();
    state->X_GB.p = vec(0, 0, LIFT * sin(t));
    state->V_GB.linear = vec(0, 0, LIFT * PULSE * cos(t));
    *acceleration = spc_spatial_make(zero, vec(0, 0, -LIFT * PULSE * PULSE * sin(t)));
}

static void turned(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    (void)user;
    *state = spc_state_identity();
    state->X_GB.q = spc_quat_from_rotation_vector(vec(0, -PULSE * (double)time, 0));
    state->V_GB.angular = vec(0, -PULSE, 0);
    *acceleration = spc_spatial_make(zero, zero);
}

/* The speed of what has been thrown, after 0.05 s, beside the closed form: it is left at the time t
   when A w^2 sin(w t) = g, with A w cos(w t). */
static double thrown(double h, bool bowl)
{
    const double leaves = asin(GRAVITY / (LIFT * PULSE * PULSE)) / PULSE;
    const double speed = LIFT * PULSE * cos(PULSE * leaves) - GRAVITY * (0.05 - leaves);
    spc_world *w = contact_world(2, 2, vec(0, 0, -GRAVITY));
    spc_body_desc d = spc_body_desc_default();
    spc_body drive, body;
    double z;
    int i;
    d.kind = SPC_KINEMATIC;
    d.motion = bowl ? shaken : turned;
    CHECK_STATUS(spc_body_add(w, &d, &drive), SPC_OK);
    body = put_body_at(w, spc_mass_solid_sphere(1, real(0.1)), vec(0, 0, 0.1),
                       vec(0, 0, LIFT * PULSE));
    if (bowl) {
        spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
        spc_constraint c;
        pair.a = drive;
        pair.b = body;
        pair.shape.p_ASa = vec(0, 0, 0.5);
        pair.shape.radius_a = real(0.5);
        pair.shape.radius_b = real(0.1);
        pair.shape.hollow = true;
        pair.one_sided = true;
        pair.law = law_of(0, 0);
        CHECK_STATUS(spc_sphere_on_sphere_add(w, &pair, &c), SPC_OK);
    } else {
        spc_sphere_on_plane_desc plane = spc_sphere_on_plane_desc_default();
        spc_constraint c;
        plane.floor = body;
        plane.ball = drive;
        plane.shape.X_FP = plane_at(vec(0, 0, -1), vec(0, 0, -0.05));
        plane.shape.p_BS = vec(LIFT, 0, 0);
        plane.shape.radius = real(0.05);
        plane.one_sided = true;
        plane.law = law_of(0, 0);
        CHECK_STATUS(spc_sphere_on_plane_add(w, &plane, &c), SPC_OK);
        put_joint(w, ground, body, vec(0, 0, 0.1), SPC_LOCK_RX | SPC_LOCK_RY | SPC_LOCK_RZ);
    }
    for (i = 0; i < (int)(0.05 / h + 0.5); i++)
        CHECK_STATUS(spc_step(w, real(h)), SPC_OK);
    z = (double)state_of(w, body).V_GB.linear.z;
    free(w);
    return z - speed;
}

/* What a bowl or an eccentric lets go of is not struck again: errors of second order, of steps of
   1 ms 1e-4 m/s. */
static void what_a_floor_leaves_is_free(void)
{
    int bowl;
    for (bowl = 0; bowl < 2; bowl++) {
        CHECK_NEAR(thrown(1 / 200., bowl), 0, 4e-3);
        CHECK_NEAR(thrown(1 / 1000., bowl), 0, IN_DOUBLE_OR_FLOAT(1.25e-4, 2e-4));
        CHECK_NEAR(thrown(1 / 4000., bowl), 0, IN_DOUBLE_OR_FLOAT(8e-6, 2e-4));
    }
}

/* ---------------------------------------------------------------------- blows --------------- */

/* A ball that slides on a floor strikes a larger one, whose centre is higher, so that the blow
   presses it on the floor. Friction there is opposite to the slip after it, in a step as in an
   impact. */
static void a_blow_presses_on_the_floor(void)
{
    const double a = 0.05, b = 0.1, apart = sqrt((a + b) * (a + b) - (b - a) * (b - a));
    spc_spatial after[2];
    int i, step;
    for (i = 0; i < 2; i++) {
        const double before = i ? 0.0005 : 0; /* it meets within the step */
        spc_world *w = contact_world(2, 3, zero);
        const spc_body small = put_body_at(w, spc_mass_solid_sphere(1, real(a)),
                                           vec(-apart - before, -0.5 * before, a), vec(1, 0.5, 0));
        const spc_body large =
            put_body_at(w, spc_mass_solid_sphere(3, real(b)), vec(0, 0, b), zero);
        (void)put_on_plane(w, ground, level(0), small, a, law_of(0.6, 0));
        (void)put_on_plane(w, ground, level(0), large, b, law_of(0.6, 0));
        (void)put_pair(w, small, large, a, b, law_of(0.6, 0));
        if (i == 0)
            CHECK_STATUS(spc_world_impact(w), SPC_OK);
        for (step = 0; i == 1 && step < 2; step++)
            CHECK_STATUS(spc_step(w, real(0.001)), SPC_OK);
        after[i] = state_of(w, small).V_GB;
        free(w);
    }
    for (i = 0; i < 3; i++) {
        const spc_vec3 v = spc_sub(after[1].linear, after[0].linear);
        const spc_vec3 spin = spc_sub(after[1].angular, after[0].angular);
        CHECK_NEAR(i == 0 ? v.x : i == 1 ? v.y : v.z, 0, IN_DOUBLE_OR_FLOAT(1e-9, 1e-4));
        CHECK_NEAR(i == 0 ? spin.x : i == 1 ? spin.y : spin.z, 0, IN_DOUBLE_OR_FLOAT(1e-7, 1e-3));
    }
}

/* A tall box slides and turns on two of its feet, of which one has friction 0.62, below a rod on a
   slanting hinge. With the foot that slips freely open the law has another solution: what presses
   goes on, with less in each step, until it is 0 after 10 of them. */
static void what_a_joint_holds_down_goes_on(void)
{
    spc_world *w = contact_world(2, 4, vec(1.3, 0.6, -GRAVITY));
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_body_desc d = spc_body_desc_default();
    spc_constraint foot, c;
    double last = 26.5; /* as much more than after the first step as that is over the second */
    int i;
    d.state.X_GB.q = spc_quat_from_rotation_vector(vec(0, 0, -0.53));
    d.mass = spc_mass_box(real(13.9), vec(0.44, 0.1, 0.39));
    d.state.X_GB.p = vec(0, 0, 0.39);
    d.state.V_GB = spc_spatial_make(vec(0.0811, 0.1388, 2.0916), vec(-0.4177, -1.5765, 0.0709));
    CHECK_STATUS(spc_body_add(w, &d, &hinge.a), SPC_OK);
    d.mass = spc_mass_box(real(12.6), vec(0.1, 0.1, 0.3));
    d.state.X_GB.p = vec(0, 0, 1.08);
    d.state.V_GB = spc_spatial_make(vec(0.1316, 0.1613, 2.0642), vec(-0.3148, -1.6478, 0.0709));
    CHECK_STATUS(spc_body_add(w, &d, &hinge.b), SPC_OK);
    (void)put_foot(w, hinge.a, vec(0.44, -0.1, -0.39), law_of(0.62, 0));
    foot = put_foot(w, hinge.a, vec(0.44, 0.1, -0.39), law_of(0, 0));
    (void)put_foot(w, hinge.a, vec(-0.44, 0.01, -0.39), law_of(0, 0));
    hinge.shape.locked = SPC_HINGE;
    hinge.shape.X_AF = plane_at(vec(0.5234, 0.7273, -0.4439), vec(0, 0, 0.39));
    hinge.shape.X_BM = plane_at(vec(0.5234, 0.7273, -0.4439), vec(0, 0, -0.3));
    CHECK_STATUS(spc_attachment_add(w, &hinge, &c), SPC_OK);
    CHECK_STATUS(spc_world_project_velocities(w), SPC_OK);
    for (i = 0; i < 10; i++) {
        spc_contact_info info;
        CHECK_STATUS(spc_step_rk4(w, SPC_R(0.001), SPC_DRIFT_PROJECT), SPC_OK);
        CHECK_STATUS(spc_constraint_get_contact(w, foot, &info), SPC_OK);
        CHECK(info.state == SPC_CONTACT_SLIDING && !info.ended);
        CHECK_NEAR((double)info.force[2] - last, -2.3, 1);
        last = (double)info.force[2];
    }
    free(w);
}

/* A ball of 2 kg and 0.2 m is put on one of 3 kg and 0.3 m that rolls at 1 m/s, which it moves with
   but does not turn: it slides, with friction 0.5, until it rolls at 0.038020 s. Where both are
   after 0.2 s, and their energy, are from both equations of motion, in steps of 1e-3 s of fourth
   order. Both fall together: what motion errs by is no more than a touch beside what forces do,
   though these have no push against each other, and nothing meets again. */
static void a_ball_rides_on_one_that_rolls(void)
{
    int rate, i;
    for (rate = 0; rate < RATES; rate++) {
        const double h = 1 / rates[rate], part = 3600 * h * h;
        const double least = IN_DOUBLE_OR_FLOAT(1e-7, 2e-6);
        spc_world *w = contact_world(2, 2, vec(0, 0, -GRAVITY));
        const spc_body lower = put_body(w, spc_mass_solid_sphere(3, real(0.3)), vec(0, 0, 0.3),
                                        vec(0, 1 / 0.3, 0), vec(1, 0, 0));
        const spc_body upper = put_body_at(w, spc_mass_solid_sphere(2, real(0.2)),
                                           vec(0, 0, 0.8), vec(1, 0, 0));
        spc_constraint c;
        (void)put_on_plane(w, ground, level(0), lower, 0.3, law_of(1, 0));
        c = put_pair(w, lower, upper, 0.3, 0.2, law_of(0.5, 0));
        for (i = 1; i <= (int)(0.2 / h + 0.5); i++) {
            spc_contact_info info;
            CHECK_STATUS(spc_step(w, real(h)), SPC_OK);
            CHECK_STATUS(spc_constraint_get_contact(w, c, &info), SPC_OK);
            CHECK(info.began == (i == 1) && !info.ended);
            CHECK((double)info.hit_speed < IN_DOUBLE_OR_FLOAT(1e-15, 1e-7));
            CHECK(info.state == SPC_CONTACT_ROLLING || (i - 2) * h < 0.038);
        }
        CHECK_NEAR(spc_body_position(w, lower).x, 0.1672081, 3e-4 * part + least);
        CHECK_NEAR(spc_body_position(w, upper).x, 0.2379429, 5e-4 * part + least);
        CHECK_NEAR(spc_body_position(w, upper).z, 0.7949713, 3e-4 * part + least);
        CHECK_NEAR(energy_of(w), 27.4402837, 5e-4 * part + 50 * least);
        free(w);
    }
}

/* ---------------------------------------------------------------------- at the origin ------- */

/* A hinge through a body's centre at ground's origin has no coordinates and no arms to round. Steps
   of fourth order with projection take two links there, and a plank that a ball rolls on. */
static void hinges_at_the_origin_are_projected(void)
{
    int ball, i;
    for (ball = 0; ball < 2; ball++) {
        spc_world *w = contact_world(2, 2, vec(0, 0, -GRAVITY));
        const spc_body plank = put_body_at(w, spc_mass_box(5, vec(1, 0.3, 0.05)), zero, zero);
        spc_body other;
        put_joint(w, ground, plank, zero, SPC_HINGE);
        other = put_body_at(w, spc_mass_solid_sphere(1, real(0.1)),
                            ball ? vec(0.2, 0, 0.15) : vec(1, 0, 0), zero);
        if (ball)
            (void)put_on_plane(w, plank, level(0.05), other, 0.1, law_of(2, 0));
        else
            put_joint(w, plank, other, vec(1, 0, 0), SPC_HINGE);
        for (i = 0; i < 120; i++)
            CHECK_STATUS(spc_step_rk4(w, real(1 / 240.), SPC_DRIFT_PROJECT), SPC_OK);
        free(w);
    }
}

/* Two balls of 1 and 3 kg on one centre, welded there, or on a hinge across a torque of 1 N m,
   above a plane or on it. Rows of rotations have no arm, or one of rounding, and hold all the
   same: the torque on one turns both, and where one spins at 4 rad/s both go on with a quarter. */
static void joints_at_both_centres_hold_beside_contacts(void)
{
    const double h = 1 / 240., I = 0.4 * 4 * 0.04, most = IN_DOUBLE_OR_FLOAT(1e-12, 1e-5);
    int k, call;
    for (k = 0; k < 8; k++)
        for (call = 0; call <= 5; call += call == 3 ? 2 : 1) {
            spc_world *w = contact_world(2, 2, vec(0, 0, -GRAVITY));
            const spc_vec3 p = vec(0.1, 0.7, k & 1 ? 0.2 : 1), x = vec(1, 0, 0);
            const spc_quat turn = spc_quat_from_rotation_vector(vec(0, 0.7, 0));
            const spc_body a = put_body(w, spc_mass_solid_sphere(1, SPC_R(0.2)), p,
                                        call == 5 ? vec(4, 0, 0) : zero, zero);
            const spc_body b = put_body_at(w, spc_mass_solid_sphere(3, SPC_R(0.2)), p, zero);
            spc_spatial A = spc_spatial_make(zero, zero);
            const double rate = call == 5 ? 1 : call == 3 ? 1 / I : h / I;
            if (k & 2)
                CHECK_STATUS(spc_body_set_pose(w, a, spc_transform_make(turn, p)), SPC_OK);
            put_joint(w, a, b, p, k & 4 ? SPC_HINGE : SPC_WELD); /* about y */
            (void)put_on_plane(w, ground, level(0), b, 0.2, law_of(0, 0));
            CHECK_STATUS(spc_body_add_torque(w, a, x, SPC_LASTING), SPC_OK);
            CHECK_STATUS(try_call(w, call, h), SPC_OK);
            CHECK_STATUS(spc_body_get_acceleration(w, b, &A), SPC_OK);
            CHECK_NEAR(dot(call == 3 ? A.angular : state_of(w, b).V_GB.angular, x), rate,
                       most * rate);
            CHECK_NEAR(distance(state_of(w, a).V_GB.angular, state_of(w, b).V_GB.angular), 0, most);
            free(w);
        }
}

/* A bar on two ball joints, whose floors move apart at v or not. contact: 0: there is none; 1: a
   sphere of it is above a plane; 2: it is on it. */
static spc_world_report torn_apart(int call, double v, int contact)
{
    spc_world *w = contact_world(3, 3, vec(0, 0, contact == 2 ? -GRAVITY : 0));
    const spc_body left = put_moved(w, vec(-0.3, 0, 0.5), zero);
    const spc_body right = put_moved(w, vec(0.3, 0, 0.5), vec(v, 0, 0));
    const spc_body bar = put_body_at(w, spc_mass_box(1, vec(0.3, 0.1, 0.05)), vec(0, 0, 0.5), zero);
    spc_world_report report;
    put_joint(w, left, bar, vec(-0.3, 0, 0.5), SPC_BALL_JOINT);
    put_joint(w, right, bar, vec(0.3, 0, 0.5), SPC_BALL_JOINT);
    if (contact > 0)
        (void)put_on_plane(w, ground, level(contact == 1 ? 0 : 0.4), bar, 0.1, law_of(0.3, 0));
    CHECK_STATUS(try_call(w, call, 1 / 240.), SPC_OK);
    report = report_of(w);
    free(w);
    return report;
}

/* Joints that contradict each other do so whatever contacts their island has, and are told: by how
   much, too, since the contacts bear on no row that contradicts. Those that agree are not. */
static void contradictions_are_told_beside_contacts(void)
{
    int call, contact;
    for (call = 0; call <= 5; call++)
        for (contact = 1; contact <= 2; contact++) {
            const spc_world_report one = torn_apart(call, 1, 0);
            const spc_world_report other = torn_apart(call, 1, contact);
            CHECK(one.contradictory == 2 && other.contradictory == 2);
            CHECK_NEAR(other.contradiction, one.contradiction,
                       IN_DOUBLE_OR_FLOAT(1e-6, 1e-4) * (double)one.contradiction);
            CHECK(torn_apart(call, 0, contact).contradictory == 0);
        }
}

/* A ball without friction that comes down onto a sphere that is moved, or into one: the sphere is
   off its body's origin by x, and its body spins by w. */
static spc_state ball_on_a_spinning_sphere(bool hollow, double x, spc_vec3 w, double rate,
                                           bool fourth)
{
    const int count = (int)(0.7 * rate + 0.5);
    spc_world *world = contact_world(2, 1, vec(0, 0, -9.81));
    const spc_body sphere = put_moved(world, zero, zero);
    const spc_body ball =
        put_body_at(world, spc_mass_solid_sphere(1, SPC_R(0.1)),
                    hollow ? vec(0.5, 0.2, 0) : vec(0.3, 0.1, 1.2), vec(0.3, 0.5, 0));
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    spc_constraint c;
    spc_state end;
    int i;
    CHECK_STATUS(spc_body_set_velocity(world, sphere, spc_spatial_make(w, zero)), SPC_OK);
    d.a = sphere;
    d.b = ball;
    d.shape.p_ASa = vec(x, 0, 0);
    d.shape.radius_a = 1;
    d.shape.radius_b = SPC_R(0.1);
    d.shape.hollow = hollow;
    d.one_sided = true;
    d.law = law_of(0, 0);
    CHECK_STATUS(spc_sphere_on_sphere_add(world, &d, &c), SPC_OK);
    for (i = 0; i < count && fourth; i++)
        CHECK_STATUS(spc_step_rk4(world, real(1 / rate), SPC_DRIFT_PROJECT), SPC_OK);
    if (!fourth)
        take_steps(world, 1 / rate, count);
    end = state_of(world, ball);
    free(world);
    return end;
}

/* The spin of a smooth sphere about its centre moves nothing: a ball lands on it, slides along it,
   and lets go as it does of one at rest, with errors of second order at any rate. So it is where
   the spin carries the centre around. */
static void a_spin_does_not_hold_what_lets_go(void)
{
    const double hertz[] = { 60, 120, 240, 500, 1000, 2000 };
    const double spins[] = { 5, 40 };
    const spc_vec3 round = vec(0, 2, 0);
    const spc_state on = ball_on_a_spinning_sphere(false, 0, zero, 1000, true);
    const spc_state in = ball_on_a_spinning_sphere(true, 0.15, round, 1000, true);
    int i, j;
    for (i = 0; i < 6; i++) {
        const double h = 1 / hertz[i], most = 4 * h * h + IN_DOUBLE_OR_FLOAT(0, 3e-4);
        spc_state end;
        for (j = 0; j < 2; j++) {
            end = ball_on_a_spinning_sphere(false, 0, vec(0.6 * spins[j], 0, 0.8 * spins[j]),
                                            hertz[i], false);
            CHECK(distance(end.X_GB.p, on.X_GB.p) < most);
            CHECK(distance(end.V_GB.linear, on.V_GB.linear) < 10 * most);
        }
        end = ball_on_a_spinning_sphere(true, 0.15, round, hertz[i], false);
        CHECK(distance(end.X_GB.p, in.X_GB.p) < most);
        CHECK(distance(end.V_GB.linear, in.V_GB.linear) < 10 * most);
    }
}

/* Balls on ground, joined to a ring by welds, or by hinges between them. */
static spc_world *ring_on_ground(unsigned seed, int count, bool hinges)
{
    spc_world *w;
    spc_body ball[5];
    spc_vec3 p[5], v;
    int i;
    test_seed = seed;
    w = contact_world(6, 30, vec(test_random(-2, 2), test_random(-2, 2), -9.81));
    v = vec(test_random(-2, 2), test_random(-1, 1), 0);
    for (i = 0; i < count; i++) {
        const double angle = 2 * PI * i / count;
        p[i] = vec(0.4 * cos(angle), 0.4 * sin(angle), 0.1);
        ball[i] = put_body(w, spc_mass_solid_sphere(real(test_random(0.3, 3)), real(0.1)), p[i],
                           zero, v);
    }
    for (i = 0; i < count; i++) {
        const int next = (i + 1) % count;
        const spc_vec3 middle = spc_scale(real(0.5), spc_add(p[i], p[next]));
        spc_attachment_desc d = spc_attachment_desc_default();
        spc_constraint c;
        d.a = ball[i];
        d.b = ball[next];
        d.shape.X_AF.p = spc_sub(middle, p[i]);
        d.shape.X_BM.p = spc_sub(middle, p[next]);
        d.shape.locked = hinges && i % 2 ? SPC_HINGE : SPC_WELD;
        CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
    }
    for (i = 0; i < count; i++)
        (void)put_on_plane(w, ground, level(0), ball[i], 0.1, law_of(test_random(0, 1), 0));
    return w;
}

/* The last weld of a ring is redundant and contradicts none. Held forces of contacts that yield are
   solved for in turns, of which later ones ask for what is left, beside which rounding of the
   redundant rows is much: in single precision it was told. */
static void a_ring_that_is_held_on_ground_contradicts_nothing(void)
{
    spc_world *w = ring_on_ground(228618, 3, true);
    int k;
    for (k = 0; k < 25; k++) {
        const int call = (int)test_random(0, 5);
        if (call == 0)
            CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
        else if (call == 1)
            CHECK_STATUS(spc_world_project_velocities(w), SPC_OK);
        else if (call == 2)
            CHECK_STATUS(spc_world_impact(w), SPC_OK);
        else if (call == 3)
            CHECK_STATUS(spc_step_rk4(w, real(1.0 / 60), SPC_DRIFT_PROJECT), SPC_OK);
        else
            CHECK_STATUS(spc_step(w, real(1.0 / 60)), SPC_OK);
        CHECK(report_of(w).contradictory == 0);
    }
    free(w);
}

/* Fourteen balls on ground, welded to a ladder of six loops, slide on it as one body, whose 36
   redundant rows are more than have a place beside so many contacts. In float the judgement of rows
   that rounding alone tells apart is not the same in all steps. */
static void a_ladder_slides_as_one_body(void)
{
    const double mu = 0.3, h = 1.0 / 240;
    spc_world *w = contact_world(14, 33, vec(0, 0, -9.81));
    spc_body ball[14];
    int i, k;
    for (i = 0; i < 14; i++) {
        ball[i] = put_body(w, spc_mass_solid_sphere(1, real(0.1)),
                           vec(0.3 * (i / 2), 0.3 * (i % 2), 0.1), zero, vec(2, 1, 0));
        (void)put_on_plane(w, ground, level(0), ball[i], 0.1, law_of(mu, 0));
    }
    for (i = 0; i < 14; i++)
        for (k = 1; k <= 2; k++) {
            spc_attachment_desc d = spc_attachment_desc_default();
            spc_constraint c;
            if (i + k > 13 || (k == 1 && i % 2))
                continue;
            d.a = ball[i];
            d.b = ball[i + k];
            d.shape.X_AF.p = k == 2 ? vec(0.15, 0, 0) : vec(0, 0.15, 0);
            d.shape.X_BM.p = k == 2 ? vec(-0.15, 0, 0) : vec(0, -0.15, 0);
            d.shape.locked = SPC_WELD;
            CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
        }
    for (k = 0; k < 5; k++) {
        CHECK_STATUS(spc_step_rk4(w, real(h), SPC_DRIFT_PROJECT), SPC_OK);
        CHECK(report_of(w).unsolved == 0 && report_of(w).contradictory == 0);
        CHECK(report_of(w).redundant_rows == 36 || sizeof(spc_real) == 4);
    }
    for (i = 0; i < 14; i++) {
        const spc_spatial V = state_of(w, ball[i]).V_GB;
        CHECK_NEAR(spc_norm(V.linear), sqrt(5.0) - 9.81 * mu * 5 * h,
                   IN_DOUBLE_OR_FLOAT(1e-9, 1e-4));
        CHECK_NEAR(V.linear.x - 2 * V.linear.y, 0, IN_DOUBLE_OR_FLOAT(1e-9, 1e-4));
    }
    free(w);
}

/* As such rings come to rest, what slides yields less and less across its slip, and at last not at
   all. Which rows a step of fourth order takes for redundant it decides in its first stage; in
   single precision later ones let go of others, which were doubtful there alone. What was left did
   not hold the ring, and contradicted itself: of 300 rings in 56 of 7,500 steps. Where slip turns
   around in a trial it yields again, and what was redundant beside it is to hold: else 5 steps of
   the last six rings told contradictions, and one in double precision. A factorization came with 90
   substitutions where each solution looked for the least norm of redundant rows anew; parts that
   errors end were projected, and their modes were looked for, which took two fifths more. Bounds
   are a fifth and two fifths more than is seen. */
static void a_ring_that_slides_to_rest_contradicts_nothing(void)
{
    static const unsigned seeds[12] = { 14, 28, 40, 103, 105, 118, 12, 32, 39, 70, 39, 90 };
    static const int counts[12] = { 5, 4, 4, 4, 3, 4, 5, 5, 4, 5, 4, 5 };
    long factorizations = 0, substitutions = 0;
    int i, k;
    for (i = 0; i < 12; i++) {
        spc_world *w = ring_on_ground(seeds[i], counts[i], i == 0 || i == 3 || i == 10);
        for (k = 0; k < 25; k++) {
            CHECK_STATUS(spc_step_rk4(w, real(1.0 / 60), SPC_DRIFT_PROJECT), SPC_OK);
            CHECK(report_of(w).contradictory == 0);
            factorizations += report_of(w).factorizations;
            substitutions += report_of(w).substitutions;
        }
        free(w);
    }
    printf("seen: rings that slide, order 4: %ld factorizations, %ld substitutions\n",
           factorizations, substitutions);
    CHECK(factorizations <= IN_DOUBLE_OR_FLOAT(30000, 10000));
    CHECK(substitutions <= IN_DOUBLE_OR_FLOAT(970000, 400000));
}

static const test_entry tests[] = {
    TEST(forces_reach_a_contact_through_others),
    TEST(a_ball_goes_round_in_a_race),
    TEST(plates_that_go_through_a_ball_are_told),
    TEST(what_a_floor_leaves_is_free),
    TEST(a_blow_presses_on_the_floor),
    TEST(a_ball_rides_on_one_that_rolls),
    TEST(what_a_joint_holds_down_goes_on),
    TEST(hinges_at_the_origin_are_projected),
    TEST(joints_at_both_centres_hold_beside_contacts),
    TEST(contradictions_are_told_beside_contacts),
    TEST(a_spin_does_not_hold_what_lets_go),
    TEST(a_ring_that_is_held_on_ground_contradicts_nothing),
    TEST(a_ladder_slides_as_one_body),
    TEST(a_ring_that_slides_to_rest_contradicts_nothing),
};

TEST_MAIN
