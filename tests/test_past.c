/* [7.5] What a world has been through changes nothing: random crowds that touch, bounce and hang on
   each other go on as fresh worlds do that load their states, and what is built anew goes on as it
   does in a world that held nothing before. */
#include "test.h"
#include "contacts.h"
#include "states.h"

#define MOST 9

static spc_vec3 down(double x)
{
    return vec(x, 0, -9.81);
}

/* One of so many, by chance. */
static bool one_of(int count)
{
    return test_random(0, count) < 1;
}

static spc_contact_law random_law(void)
{
    spc_contact_law law = law_of(fmax(0, test_random(-0.5, 1)), 0);
    law.restitution = real(fmax(0, test_random(-1, 1)));
    law.restitution_speed = real(fmax(0, test_random(-1, 1)));
    law.grip = one_of(4);
    law.propagates = one_of(3);
    if (one_of(4))
        law.rolling_resistance = SPC_R(0.01);
    return law;
}

static spc_body random_body(spc_world *w, double r, double size)
{
    spc_vec3 p = test_random_vec3(size), angular = test_random_vec3(20), v = test_random_vec3(6);
    spc_mass mass = spc_mass_solid_sphere(1, real(r));
    if (one_of(3))
        mass = spc_mass_box(2, vec(r, 0.8 * r, 0.6 * r));
    if (one_of(6))
        mass.p_BBc = vec(0.01, 0, 0.005);
    p.y /= 2;
    p.z = real(r + fmax(0, test_random(-0.2, 0.4)));
    if (one_of(2))
        v = zero;
    return put_body(w, mass, p, one_of(2) ? angular : zero, v);
}

static void put_joint(spc_world *w, spc_body a, spc_body b)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_constraint c;
    d.a = a;
    d.b = b;
    d.keep_pose = true;
    d.shape.locked = one_of(2) ? SPC_BALL_JOINT : SPC_HINGE;
    CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
}

static void put_in_bowl(spc_world *w, spc_vec3 centre, double radius, spc_body ball, double r,
                        spc_contact_law law)
{
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    spc_constraint c;
    d.b = ball;
    d.shape.p_ASa = centre;
    d.shape.radius_a = real(radius);
    d.shape.radius_b = real(r);
    d.shape.hollow = true;
    d.one_sided = true;
    d.law = law;
    CHECK_STATUS(spc_sphere_on_sphere_add(w, &d, &c), SPC_OK);
}

/* Bodies on a floor, some on feet, at a wall, in a bowl, on joints; in most crowds they meet. */
static spc_world *random_crowd(unsigned long long seed)
{
    spc_world *w = contact_world(MOST, 100, vec(0, 0, seed % 4 ? -9.8 : 0));
    spc_contact_law law[3];
    spc_body body[MOST];
    double r[MOST], size;
    bool meet, bowl;
    int count, i, k;
    test_seed = seed;
    for (i = 0; i < 3; i++)
        law[i] = random_law();
    count = 2 + (int)test_random(0, MOST - 2);
    size = test_random(0.3, 2);
    meet = !one_of(3);
    bowl = one_of(3);
    for (i = 0; i < count; i++) {
        r[i] = test_random(0.05, 0.1);
        body[i] = random_body(w, r[i], size);
        if (i > 0 && one_of(5))
            put_joint(w, body[i - 1], body[i]);
        else
            (void)put_on_plane(w, ground, level(0), body[i], r[i], law[0]);
        if (one_of(3))
            (void)put_on_plane(w, ground, plane_at(vec(0.995, 0, 0.1), vec(-size - 0.2, 0, 0)),
                               body[i], r[i], law[0]);
        for (k = 0; k < 3 && i % 4 == 3; k++)
            (void)put_foot(w, body[i], vec(k ? -r[i] / 2 : r[i], r[i] * (1 - k), -r[i]), law[2]);
        for (k = 0; k < i && meet; k++)
            (void)put_pair(w, body[k], body[i], r[k], r[i], law[1]);
        if (bowl)
            put_in_bowl(w, vec(0, 0, 2.5), 3, body[i], r[i], law[2]);
    }
    return w;
}

static spc_status take_call(spc_world *w, int k, bool mixed)
{
    return mixed ? go_on(w, k, SPC_R(1) / 240) : spc_step(w, SPC_R(1) / 60);
}

/* So many crowds through so many calls, mixed or not: every seventh a fresh world loads the state.
   How many calls were refused, of those of fresh worlds. */
static void check_crowds(unsigned long long first, int count, int calls, bool mixed)
{
    int refused = 0, done = 0, i, k;
    for (i = 0; i < count; i++) {
        spc_world *w = random_crowd(first + (unsigned long long)i), *fresh = NULL;
        for (k = 0; k < calls; k++) {
            const spc_status status = take_call(w, k, mixed);
            if (fresh) {
                CHECK_STATUS(take_call(fresh, k, mixed), status);
                CHECK(are_alike(w, fresh));
                done++;
                refused += status != SPC_OK;
            }
            if (k % 7 == 3) {
                const saved s = save(w);
                free(fresh);
                fresh = random_crowd(first + (unsigned long long)i);
                CHECK_STATUS(spc_world_load_state(fresh, s.bytes, s.size), SPC_OK);
                free(s.bytes);
            }
        }
        free(fresh);
        free(w);
    }
    CHECK(refused < done / 10); /* bodies on joints that turn too fast for h */
}

static void fresh_worlds_step_as_those_that_ran(void)
{
    check_crowds(10445, 1, 40, false); /* one is struck in it that earlier rounds left open */
    check_crowds(5000, LONG_OR_SHORT(5000, IN_DOUBLE_OR_FLOAT(100, 16)), 40, false);
}

static void fresh_worlds_do_what_those_that_ran_do(void)
{
    check_crowds(20000, LONG_OR_SHORT(1000, IN_DOUBLE_OR_FLOAT(40, 12)), 24, true);
}

/* A ball flies at others, of which some are far apart: from any moment it flies as before. */
static void what_is_far_apart_is_taken_again_with_the_same_bits(void)
{
    enum { STEPS = 40, BALLS = 6 };
    const double x[BALLS] = { 0, 1, 1.3, 6, 7, 8 };
    spc_world *w = contact_world(BALLS, 15, zero);
    unsigned long long hash[STEPS];
    spc_body ball[BALLS];
    saved start;
    int i, k;
    for (i = 0; i < BALLS; i++) {
        ball[i] = put_body(w, spc_mass_solid_sphere(1, SPC_R(0.05)), vec(x[i], i > 2 ? 1 : 0, 0),
                           zero, vec(i ? 0 : 10, 0, 0));
        for (k = 0; k < i; k++)
            (void)put_pair(w, ball[k], ball[i], 0.05, 0.05, law_of(0.2, 0.9));
    }
    start = save(w);
    for (i = 0; i < STEPS; i++) {
        take_steps(w, 1 / 60., 1);
        hash[i] = spc_world_hash(w);
    }
    for (i = 0; i < STEPS; i++) { /* i steps, then from the start */
        CHECK_STATUS(spc_world_load_state(w, start.bytes, start.size), SPC_OK);
        take_steps(w, 1 / 60., i);
        CHECK_STATUS(spc_world_load_state(w, start.bytes, start.size), SPC_OK);
        for (k = 0; k < STEPS; k++) {
            take_steps(w, 1 / 60., 1);
            CHECK(spc_world_hash(w) == hash[k]);
        }
    }
    free(start.bytes);
    free(w);
}

/* Links of 1 m on ball joints, the first on ground, along x, that turn about it. */
static void put_chain(spc_world *w, int links, double rate, spc_body *body, spc_constraint *joint)
{
    int i;
    for (i = 0; i < links; i++) {
        spc_attachment_desc d = spc_attachment_desc_default();
        body[i] = put_body(w, spc_mass_solid_sphere(1, SPC_R(0.15)), vec(i + 0.5, 0, 0),
                           vec(0, 0, rate), vec(0, (i + 0.5) * rate, 0));
        d.a = i ? body[i - 1] : ground;
        d.b = body[i];
        d.shape.locked = SPC_BALL_JOINT;
        d.shape.X_AF.p = vec(i ? 0.5 : 0, 0, 0);
        d.shape.X_BM.p = vec(-0.5, 0, 0);
        CHECK_STATUS(spc_attachment_add(w, &d, &joint[i]), SPC_OK);
    }
}

/* A pendulum of two links, so fast that its steps are divided, where a long chain was before. */
static void what_a_world_held_is_forgotten(void)
{
    enum { LINKS = 100 };
    spc_world *w = contact_world(LINKS, LINKS, zero), *fresh = contact_world(LINKS, LINKS, zero);
    spc_constraint joint[LINKS];
    spc_body body[LINKS], other[2];
    int i;
    put_chain(w, LINKS, 0, body, joint);
    take_steps(w, 1e-3, 1);
    for (i = 0; i < LINKS; i++)
        CHECK_STATUS(spc_constraint_remove(w, joint[i]), SPC_OK);
    for (i = 0; i < LINKS; i++)
        CHECK_STATUS(spc_body_remove(w, body[i]), SPC_OK);
    put_chain(w, 2, 20, body, joint);
    put_chain(fresh, 2, 20, other, joint);
    for (i = 0; i < 60; i++) {
        spc_state a, b;
        take_steps(w, 1 / 60., 1);
        take_steps(fresh, 1 / 60., 1);
        a = state_of(w, body[1]);
        b = state_of(fresh, other[1]);
        CHECK(SAME_BITS(a, b));
    }
    free(w);
    free(fresh);
}

/* A disc of which no row is on, alone in a world where nets of joints were: nothing is read of
   what those left. */
static void a_disc_without_rows_falls_where_others_were(void)
{
    enum { MOST_LINKS = 10 };
    int links, i, k;
    for (links = 1; links <= MOST_LINKS; links++) {
        spc_world *w = contact_world(MOST_LINKS, 20, down(0));
        spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
        spc_constraint joint[2 * MOST_LINKS], disc;
        spc_body body[MOST_LINKS];
        int joints = 0;
        for (i = 0; i < links; i++) {
            body[i] = put_ball(w, 1, 0.1, vec(0.3 * i, 0, 0.1 * i));
            for (k = i < 2 ? 0 : i - 2; k < i; k++) {
                spc_attachment_desc a = spc_attachment_desc_default();
                a.a = body[k];
                a.b = body[i];
                a.keep_pose = true;
                a.shape.locked = SPC_BALL_JOINT;
                CHECK_STATUS(spc_attachment_add(w, &a, &joint[joints++]), SPC_OK);
            }
        }
        take_steps(w, 1 / 60., 1);
        while (joints > 0)
            CHECK_STATUS(spc_constraint_remove(w, joint[--joints]), SPC_OK);
        for (i = 0; i < links; i++)
            CHECK_STATUS(spc_body_remove(w, body[i]), SPC_OK);
        d.disc = put_ball(w, 1, 0.1, vec(0, 0, 1));
        d.shape.radius = SPC_R(0.1);
        d.shape.lateral = d.shape.longitudinal = d.shape.normal = false;
        CHECK_STATUS(spc_rolling_disc_add(w, &d, &disc), SPC_OK);
        take_steps(w, 1 / 60., 1);
        CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
        CHECK_NEAR(state_of(w, d.disc).V_GB.linear.z, -9.81 / 60, 1e-6);
        free(w);
    }
}

/* A ball strikes a bar that hangs on the same hinge twice, by a blow that propagates: what is
   redundant is told, whatever was asked before. */
static void what_is_redundant_in_a_blow_is_told(void)
{
    int asked, i;
    for (asked = 0; asked < 2; asked++) {
        spc_world *w = contact_world(2, 3, zero);
        spc_attachment_desc a = spc_attachment_desc_default();
        spc_contact_law law = law_of(0, 0.5);
        spc_constraint hinge[2];
        spc_body ball;
        int redundant = 0;
        a.b = put_ball(w, 1, 0.1, zero);
        ball = put_body(w, spc_mass_solid_sphere(1, SPC_R(0.1)), vec(0.2, 0, 0), zero,
                        vec(-1, 0, 0));
        a.shape.locked = SPC_HINGE;
        a.shape.X_AF.p = vec(0, 0.3, 0);
        a.keep_pose = true;
        for (i = 0; i < 2; i++)
            CHECK_STATUS(spc_attachment_add(w, &a, &hinge[i]), SPC_OK);
        law.propagates = true;
        (void)put_pair(w, a.b, ball, 0.1, 0.1, law);
        if (asked)
            CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
        CHECK_STATUS(spc_world_impact(w), SPC_OK);
        for (i = 0; i < 2; i++) {
            spc_constraint_info info;
            CHECK_STATUS(spc_constraint_get_info(w, hinge[i], &info), SPC_OK);
            for (; info.redundant; info.redundant &= info.redundant - 1)
                redundant++;
        }
        CHECK(redundant == 5 && report_of(w).redundant_rows == 5);
        free(w);
    }
}

/* A box that spins on a ball joint is thrown off a floor by an impact: a fresh world takes what
   comes with the same bits. */
static void what_an_impact_throws_off_spins_on(void)
{
    spc_world *w[2];
    int i, k;
    for (k = 0; k < 2; k++) {
        spc_attachment_desc a = spc_attachment_desc_default();
        spc_constraint c;
        w[k] = contact_world(1, 2, down(0));
        a.b = put_body(w[k], spc_mass_box(1, vec(0.2, 0.15, 0.05)), vec(0.3, 0, 0.05),
                       vec(4, 3, 9), vec(0, 2.7, -0.9));
        a.shape.locked = SPC_BALL_JOINT;
        a.shape.X_AF.p.z = SPC_R(0.05);
        a.shape.X_BM.p.x = SPC_R(-0.3);
        CHECK_STATUS(spc_attachment_add(w[k], &a, &c), SPC_OK);
        (void)put_foot(w[k], a.b, vec(0.2, 0, -0.05), law_of(0.3, 0.8));
    }
    CHECK_STATUS(spc_world_impact(w[0]), SPC_OK);
    for (i = 0; i < 4; i++) {
        const saved s = save(w[0]);
        CHECK_STATUS(spc_world_load_state(w[1], s.bytes, s.size), SPC_OK);
        free(s.bytes);
        for (k = 0; k < 2; k++)
            take_steps(w[k], 1 / 60., 1);
        CHECK(are_alike(w[0], w[1]));
    }
    free(w[0]);
    free(w[1]);
}

/* Balls land in a step: what the report tells of the next call has nothing of it. */
static void a_report_tells_of_its_own_call(void)
{
    spc_world *w[2];
    int i, k;
    for (k = 0; k < 2; k++) {
        test_seed = 7;
        w[k] = contact_world(40, 40, down(1));
        for (i = 0; i < 40; i++) {
            const spc_body ball = put_body(w[k], spc_mass_solid_sphere(1, SPC_R(0.1)),
                                           vec(i, 0, test_random(0.1, 0.12)), test_random_vec3(9),
                                           vec(test_random(-1, 1), 0, test_random(-2, 0)));
            (void)put_on_plane(w[k], ground, level(0), ball, 0.1, random_law());
        }
    }
    for (i = 0; i < 10; i++) {
        const saved s = save(w[0]);
        spc_world_report a, b;
        CHECK_STATUS(spc_world_load_state(w[1], s.bytes, s.size), SPC_OK);
        free(s.bytes);
        for (k = 0; k < 2; k++)
            CHECK_STATUS(spc_world_forward_dynamics(w[k]), SPC_OK);
        a = report_of(w[0]);
        b = report_of(w[1]);
        CHECK_NEAR(a.residual, b.residual, 0);
        CHECK(a.unsolved == b.unsolved);
        take_steps(w[0], 1 / 60., 1);
    }
    free(w[0]);
    free(w[1]);
}

/* A one-sided ball off its centre, with a joint to another body, whose place reads as no bool. */
static void a_shape_is_read_as_its_own_kind(void)
{
    spc_world *w = contact_world(2, 2, down(0));
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_attachment_desc a = spc_attachment_desc_default();
    spc_constraint c;
    d.ball = a.a = put_ball(w, 1, 0.1, vec(0, 0, 0.1));
    a.b = put_ball(w, 1, 0.1, vec(0, 0, 0.5));
    a.keep_pose = true;
    a.shape.locked = SPC_BALL_JOINT;
    d.shape.radius = SPC_R(0.1);
    d.shape.p_BS = vec(0, 0.013, 0);
    d.one_sided = true;
    d.law = law_of(0, 0);
    CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
    CHECK_STATUS(spc_attachment_add(w, &a, &c), SPC_OK);
    take_steps(w, 1 / 240., 24);
    free(w);
}

/* Balls glide along the inside of a bowl and meet it slowly, alone and in an island where another
   contact waits for its turn: a look for what meets ends, and they stay in the bowl. */
static void slow_meetings_in_a_bowl_end(void)
{
    spc_contact_law slow = law_of(0, 0.5), waits = law_of(0, 0.6);
    int many, i;
    slow.restitution_speed = waits.restitution_speed = 1;
    waits.propagates = true;
    for (many = 0; many < 2; many++) {
        spc_world *w = contact_world(2, 3, down(0));
        const spc_body low = put_body(w, spc_mass_solid_sphere(1, SPC_R(0.1)), vec(0, 0, -0.896),
                                      zero, vec(3, 0, -0.5));
        put_in_bowl(w, zero, 1, low, 0.1, slow);
        if (many) {
            const spc_body high = put_body(w, spc_mass_solid_sphere(1, SPC_R(0.1)),
                                           vec(0.895, 0, 0), zero, vec(3, 0, 0));
            put_in_bowl(w, zero, 1, high, 0.1, waits);
            (void)put_pair(w, low, high, 0.1, 0.1, slow);
        }
        for (i = 0; i < 30; i++) {
            take_steps(w, 1 / 60., 1);
            CHECK((double)spc_norm(state_of(w, low).X_GB.p) < 0.9 + 2e-4);
        }
        free(w);
    }
}

/* A ball on ground among three walls far off, beside which it may be pressed. */
static spc_world *ball_among_walls(spc_body *ball)
{
    spc_world *w = contact_world(1, 4, vec(0, 0, -9.81));
    spc_contact_law law = law_of(0.3, 0.8);
    int i;
    law.rolling_resistance = SPC_R(0.001);
    *ball = put_ball(w, 1, 0.1, vec(0, 0, 0.1));
    (void)put_on_plane(w, ground, level(0), *ball, 0.1, law);
    for (i = 0; i < 3; i++) {
        const spc_vec3 n = vec(i == 1 ? -1 : 1, 0, 0);
        (void)put_on_plane(w, ground, plane_at(n, vec(i == 1 ? 5 : -5 - i, 0, 0)), *ball, 0.1,
                           law_of(0.3, 0));
    }
    return w;
}

static void put_at(spc_world *w, spc_body body, spc_vec3 p, spc_vec3 turn, spc_vec3 v)
{
    spc_transform X;
    X.q = spc_quat_make(1, 0, 0, 0);
    X.p = p;
    CHECK_STATUS(spc_body_set_pose(w, body, X), SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(w, body, spc_spatial_make(turn, v)), SPC_OK);
}

/* A wall that pressed in the steps before a state was loaded, in which it is far, divides no bounce
   behind it. */
static void a_wall_that_pressed_is_forgotten(void)
{
    spc_body ball;
    spc_world *w = ball_among_walls(&ball), *other = ball_among_walls(&ball);
    int i, k, pressed = 0;
    for (i = 0; i < 20; i++) {
        spc_constraint wall = { 0, 0 };
        spc_contact_info info;
        saved s;
        put_at(other, ball, vec(0, 0, 0.1 + 0.002 * i), zero, vec(1, 0, -1));
        s = save(other);
        put_at(w, ball, vec(-4.9, 0, 1), zero, zero);
        CHECK_STATUS(spc_body_add_force(w, ball, vec(-5, 0, 0), zero, SPC_LASTING), SPC_OK);
        for (k = 0; k < 5; k++)
            CHECK_STATUS(spc_step(w, SPC_R(1) / 240), SPC_OK);
        for (k = 0; k < 2; k++)
            CHECK(spc_constraint_next(w, &wall));
        CHECK_STATUS(spc_constraint_get_contact(w, wall, &info), SPC_OK);
        pressed += info.state != SPC_CONTACT_OPEN;
        CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size), SPC_OK);
        for (k = 0; k < 10; k++) {
            CHECK_STATUS(spc_step(w, SPC_R(1) / 60), SPC_OK);
            CHECK_STATUS(spc_step(other, SPC_R(1) / 60), SPC_OK);
            CHECK(are_alike(w, other));
        }
        free(s.bytes);
    }
    CHECK(pressed == 20);
    free(w);
    free(other);
}

/* A box on four feet. */
static spc_world *box_on_feet(spc_body *box)
{
    spc_world *w = contact_world(1, 4, vec(0, 0, -9.81));
    spc_contact_law law = law_of(0.5, 0);
    int i;
    law.rolling_resistance = SPC_R(0.002);
    *box = put_body(w, spc_mass_box(1, vec(0.2, 0.15, 0.1)), zero, zero, zero);
    for (i = 0; i < 4; i++)
        (void)put_foot(w, *box, vec(i & 1 ? 0.2 : -0.2, i & 2 ? 0.15 : -0.15, -0.1), law);
    return w;
}

/* Nor does it count for impulses what the last step took for rounding. */
static void impulses_do_not_ask_for_the_last_step(void)
{
    spc_body box;
    spc_world *w = box_on_feet(&box);
    int i;
    for (i = 0; i < 400; i++) {
        const spc_vec3 v = vec(test_random(-1, 1), test_random(-1, 1), test_random(-1, 0));
        spc_world *other = box_on_feet(&box);
        saved s;
        put_at(w, box, vec(0, 0, 0.1), zero, vec(1, 0, 0));
        CHECK_STATUS(spc_step(w, SPC_R(1) / (i % 2 ? 30 : 1000)), SPC_OK);
        CHECK_STATUS(spc_step(w, SPC_R(1) / (i % 2 ? 30 : 1000)), SPC_OK);
        put_at(other, box, vec(0, 0, 0.1), test_random_vec3(2), v);
        s = save(other);
        CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size), SPC_OK);
        CHECK_STATUS(spc_world_project_velocities(w), SPC_OK);
        CHECK_STATUS(spc_world_project_velocities(other), SPC_OK);
        CHECK(are_alike(w, other));
        free(s.bytes);
        free(other);
    }
    free(w);
}

/* Two boxes on a ball joint that turn about each other, each on a ball below it on ice; there: as
   they are in another world. */
static spc_world *put_turning_pair(spc_body *box, const spc_world *there)
{
    spc_world *w = contact_world(2, 3, down(0));
    spc_attachment_desc a = spc_attachment_desc_default();
    spc_constraint c;
    int i;
    for (i = 0; i < 2; i++) {
        box[i] = put_body(w, spc_mass_box(SPC_R(0.5), vec(0.1, 0.04, 0.05)), vec(0.2 * i, 0, 0.05),
                          zero, vec(i ? 0.04 : -0.6, i ? 0.85 : -0.64, 0));
        (void)put_on_plane(w, ground, level(0), box[i], 0.05, law_of(0, 0));
    }
    a.a = box[0];
    a.b = box[1];
    a.shape.X_AF.p.x = SPC_R(0.1);
    a.shape.X_BM.p.x = -a.shape.X_AF.p.x;
    a.shape.locked = SPC_BALL_JOINT;
    CHECK_STATUS(spc_attachment_add(w, &a, &c), SPC_OK);
    for (i = 0; i < 2 && there; i++) {
        const spc_state s = state_of(there, box[i]);
        CHECK_STATUS(spc_body_set_pose(w, box[i], s.X_GB), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(w, box[i], s.V_GB), SPC_OK);
    }
    return w;
}

/* A fresh world without impulses goes on with them as the one that ran: what touches holds them. */
static void what_is_put_to_touch_holds_from_the_first_step_on(void)
{
    spc_body box[2];
    spc_world *w = put_turning_pair(box, NULL);
    int i;
    for (i = 0; i < 10; i++) {
        spc_world *fresh = put_turning_pair(box, w);
        spc_spatial one, other;
        take_steps(w, 1 / 240., 1);
        take_steps(fresh, 1 / 240., 1);
        one = state_of(w, box[0]).V_GB;
        other = state_of(fresh, box[0]).V_GB;
        CHECK_NEAR(distance(one.angular, other.angular), 0, IN_DOUBLE_OR_FLOAT(1e-14, 1e-5));
        CHECK_NEAR(distance(one.linear, other.linear), 0, IN_DOUBLE_OR_FLOAT(1e-15, 1e-6));
        free(fresh);
    }
    free(w);
}

/* A ball off its centre that rolls by itself, or one that rolls off a ball of ground's. */
static spc_world *put_roller(bool off_ball, const spc_state *at, spc_body *ball)
{
    spc_mass mass = spc_mass_solid_sphere(1, SPC_R(0.1));
    spc_world *w = contact_world(1, 1, vec(0, 0, -GRAVITY));
    mass.p_BBc = vec(off_ball ? 0 : 0.025, 0, 0);
    *ball = put_body(w, mass, at->X_GB.p, at->V_GB.angular, at->V_GB.linear);
    CHECK_STATUS(spc_body_set_pose(w, *ball, at->X_GB), SPC_OK);
    if (off_ball)
        (void)put_pair(w, ground, *ball, 0.3, 0.1, law_of(1, 0));
    else
        (void)put_on_plane(w, ground, level(0), *ball, 0.1, law_of(1, 0));
    return w;
}

/* A step leaves what turns as it rolls off its floor by some 1e-4 m, and with a normal speed, both
   of its order. Who puts a body there, with no more than pose and velocity, does not make it land:
   it goes on as in the world that it comes from, to the rounding of coordinates and speeds. */
static void what_is_put_where_a_step_has_left_it_rolls_on(void)
{
    const double spin[2] = { 18, 8 };
    for (int k = 0; k < 2; k++) {
        spc_state s = spc_state_identity();
        spc_body ball, again;
        s.X_GB.p = k ? vec(0.04, 0, sqrt(0.16 - 0.0016)) : vec(0, 0, 0.1);
        s.V_GB = spc_spatial_make(vec(0, spin[k], 0), vec(0.1 * spin[k], 0, 0));
        if (k)
            s.V_GB.linear = spc_scale(real(spin[k]), vec(0.0995, 0, -0.01));
        spc_world *w = put_roller(k == 1, &s, &ball);
        for (int i = 0; i < 7; i++) {
            s = state_of(w, ball);
            spc_world *fresh = put_roller(k == 1, &s, &again);
            take_steps(w, 1.0 / 60, 1);
            take_steps(fresh, 1.0 / 60, 1);
            s = state_of(w, ball);
            const spc_state t = state_of(fresh, again);
            CHECK_NEAR(spc_norm(spc_sub(t.X_GB.p, s.X_GB.p)), 0, TEST_EPSILON);
            CHECK_NEAR(spc_norm(spc_sub(t.V_GB.linear, s.V_GB.linear)), 0, 4 * TEST_EPSILON);
            free(fresh);
        }
        free(w);
    }
}

static const test_entry tests[] = {
    TEST(fresh_worlds_step_as_those_that_ran),
    TEST(fresh_worlds_do_what_those_that_ran_do),
    TEST(what_is_far_apart_is_taken_again_with_the_same_bits),
    TEST(what_a_world_held_is_forgotten),
    TEST(a_disc_without_rows_falls_where_others_were),
    TEST(what_is_redundant_in_a_blow_is_told),
    TEST(what_an_impact_throws_off_spins_on),
    TEST(a_report_tells_of_its_own_call),
    TEST(a_shape_is_read_as_its_own_kind),
    TEST(slow_meetings_in_a_bowl_end),
    TEST(a_wall_that_pressed_is_forgotten),
    TEST(impulses_do_not_ask_for_the_last_step),
    TEST(what_is_put_to_touch_holds_from_the_first_step_on),
    TEST(what_is_put_where_a_step_has_left_it_rolls_on),
};

TEST_MAIN
