/* The structure: what hangs together, and the order in which it is solved. What changes is found
   anew, and nothing else; what is found then is what there would be had all been found anew, to
   the last bit of every step. */
#include "inside.h"
#include "world.h"

/* A call on a random constraint of some balls: contacts, joints to ground or now and then between
   neighbours, of one to six rows, one on a ball or several. */
static void change_at_random(spc_world *w, const spc_body *ball, int balls, spc_constraint *c,
                             int count)
{
    static const unsigned locks[4] = { SPC_POINT_ON_PLANE, SPC_BALL_JOINT, SPC_HINGE, SPC_WELD };
    const int i = (int)test_random(0, count), k = (int)test_random(0, balls);
    const unsigned locked = locks[(int)test_random(0, 4)];
    const double choice = test_random(0, 1);
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_constraint_info info;
    memset(&info, 0, sizeof info);
    roll.ball = joint.b = ball[k];
    roll.shape.radius = SPC_R(0.1);
    if (choice > 0.8) { /* held from its other side, or by a neighbour */
        joint.a = ball[k];
        joint.b = choice > 0.97 ? ball[(k + 1) % balls] : ground;
    }
    joint.keep_pose = true;
    roll.enabled = choice >= 0.1;
    if (!spc_constraint_exists(w, c[i])) {
        joint.shape.locked = locked;
        CHECK_STATUS(choice < 0.6 ? spc_sphere_on_plane_add(w, &roll, &c[i])
                                  : spc_attachment_add(w, &joint, &c[i]),
                     SPC_OK);
        return;
    }
    CHECK_STATUS(spc_constraint_get_info(w, c[i], &info), SPC_OK);
    if (choice < 0.3) {
        CHECK_STATUS(spc_constraint_remove(w, c[i]), SPC_OK);
    } else if (choice < 0.8 || info.kind != SPC_ATTACHMENT) {
        CHECK_STATUS(spc_constraint_set_enabled(w, c[i], !info.enabled), SPC_OK);
    } else {
        CHECK_STATUS(spc_attachment_get(w, c[i], &joint.shape), SPC_OK);
        joint.shape.locked = locked;
        CHECK_STATUS(spc_attachment_set(w, c[i], &joint.shape), SPC_OK);
    }
}

/* The same step of both ends in the same bits, multipliers included; then all are put back, a
   little off and turning, so that there is drift to take out. */
static void check_twins(spc_world *w, spc_world *twin, const spc_body *ball, int balls,
                        const spc_constraint *c, int count)
{
    spc_real l[SPC_MAX_ROWS], m[SPC_MAX_ROWS];
    int i;
    CHECK_STATUS(spc_step(w, SPC_R(0.01)), SPC_OK);
    CHECK_STATUS(spc_step(twin, SPC_R(0.01)), SPC_OK);
    CHECK(spc_world_hash(w) == spc_world_hash(twin));
    CHECK(spc_world_solver_bytes(w) == spc_world_solver_bytes(twin));
    for (i = 0; i < count; i++) {
        if (!spc_constraint_exists(w, c[i]))
            continue;
        memset(l, 0, sizeof l);
        memset(m, 1, sizeof m);
        CHECK_STATUS(spc_constraint_get_multipliers(w, c[i], l), SPC_OK);
        CHECK_STATUS(spc_constraint_get_multipliers(twin, c[i], m), SPC_OK);
        CHECK(!memcmp(l, m, sizeof l));
    }
    for (i = 0; i < balls; i++) {
        const spc_spatial V = test_random_spatial(1, 0.1);
        spc_transform X = spc_transform_identity();
        X.q = spc_quat_from_rotation_vector(test_random_vec3(0.01));
        X.p = spc_vec3_make((spc_real)i, 0, SPC_R(0.1));
        X.p = spc_add(X.p, test_random_vec3(0.01));
        CHECK_STATUS(spc_body_set_pose(w, ball[i], X), SPC_OK);
        CHECK_STATUS(spc_body_set_pose(twin, ball[i], X), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(w, ball[i], V), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(twin, ball[i], V), SPC_OK);
    }
}

/* Constraints come and go, one for a ball or several. What a lone ball's change in place gives is
   what finding everything anew gives: worlds with little room and more. */
static void changes_in_place_leave_no_trace(void)
{
    static const int sizes[3][2] = { { 8, 10 }, { 6, 2 }, { 4, 1 } };
    spc_body ball[8];
    spc_constraint c[10], d[10];
    int k, i, round;
    for (k = 0; k < 3; k++) {
        const int balls = sizes[k][0], count = sizes[k][1];
        spc_world_desc desc = spc_world_desc_default(balls + 1, count);
        spc_body_desc body = spc_body_desc_default();
        spc_world *w, *twin;
        desc.rows = 6 * count;
        desc.solver_bytes = k == 0 ? 10000 : 0; /* for several on one ball */
        desc.gravity.z = SPC_R(-9.81);
        w = test_world(&desc);
        memset(c, 0, sizeof c);
        for (i = 0; i < balls; i++) {
            body.mass = test_random_mass();
            body.state.X_GB.p = spc_vec3_make((spc_real)i, 0, SPC_R(0.1));
            CHECK_STATUS(spc_body_add(w, &body, &ball[i]), SPC_OK);
        }
        spc_inside_find_all_anew(w);
        twin = (spc_world *)malloc(spc_world_snapshot_size(w));
        memcpy(twin, w, spc_world_snapshot_size(w));
        for (round = 0; round < 1500; round++) {
            const unsigned long long seed = test_seed;
            memcpy(d, c, sizeof c);
            change_at_random(w, ball, balls, c, count);
            test_seed = seed;
            change_at_random(twin, ball, balls, d, count);
            CHECK(!memcmp(c, d, sizeof c));
            spc_inside_find_all_anew(twin);
            if (round % 3 == 0)
                check_twins(w, twin, ball, balls, c, count);
        }
        free(w);
        free(twin);
    }
}

/* Bodies come one by one between steps: free and kinematic ones, with and without contacts. */
static void bodies_added_in_place_leave_no_trace(void)
{
    spc_world_desc desc = spc_world_desc_default(21, 10);
    spc_world *w, *twin;
    int i;
    desc.gravity.z = SPC_R(-9.81);
    w = test_world(&desc);
    spc_inside_find_all_anew(w);
    twin = (spc_world *)malloc(spc_world_snapshot_size(w));
    memcpy(twin, w, spc_world_snapshot_size(w));
    for (i = 0; i < 20; i++) {
        spc_body_desc d = spc_body_desc_default();
        spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
        spc_body body;
        spc_constraint c;
        spc_world *both[2];
        int k;
        both[0] = w;
        both[1] = twin;
        d.kind = i % 3 == 1 ? SPC_KINEMATIC : SPC_DYNAMIC;
        d.mass = test_random_mass();
        d.state = test_random_state();
        roll.shape.radius = SPC_R(0.1);
        for (k = 0; k < 2; k++) {
            CHECK_STATUS(spc_body_add(both[k], &d, &body), SPC_OK);
            roll.ball = body;
            if (i % 3 == 2)
                CHECK_STATUS(spc_sphere_on_plane_add(both[k], &roll, &c), SPC_OK);
        }
        spc_inside_find_all_anew(twin);
        CHECK_STATUS(spc_step(w, SPC_R(0.01)), SPC_OK);
        CHECK_STATUS(spc_step(twin, SPC_R(0.01)), SPC_OK);
        CHECK(spc_world_hash(w) == spc_world_hash(twin));
        CHECK(spc_step(w, SPC_R(1e30)) == spc_step(twin, SPC_R(1e30)));
        CHECK(spc_world_hash(w) == spc_world_hash(twin));
    }
    free(w);
    free(twin);
}

/* ------------------------------------------------------------------- crowds ---------------- */

#define CROWD 60 /* balls in a row, on ground */
#define PAIRS 90
#define R 0.1 /* their radii [m] */

typedef struct crowd {
    spc_world *w;
    spc_body ball[CROWD];
    spc_constraint floor[CROWD];
    spc_constraint pair[PAIRS];
} crowd;

static void add_ball(crowd *c, int i)
{
    spc_ball_desc ball = spc_ball_desc_default();
    ball.mass = spc_mass_solid_sphere(SPC_R(1 + i % 3), SPC_R(R));
    ball.radius = SPC_R(R);
    ball.x = SPC_R(2.01 * R * i);
    ball.v_x = SPC_R(0.3 - 0.2 * (i % 4));
    ball.one_sided = i % 5 != 0;
    CHECK_STATUS(spc_ball_add(c->w, &ball, &c->ball[i], &c->floor[i]), SPC_OK);
}

static void make_crowd(crowd *c)
{
    spc_world_desc desc = spc_world_desc_default(CROWD, CROWD + PAIRS);
    int i;
    desc.gravity.z = SPC_R(-9.81);
    desc.rows = 3 * (CROWD + PAIRS);
    desc.solver_bytes = 400000; /* for whatever hangs together */
    memset(c, 0, sizeof *c);
    c->w = test_world(&desc);
    for (i = 0; i < CROWD; i++)
        add_ball(c, i);
}

/* Balls beside each other, or with one between them, may touch from now on, or no more. */
static void change_pair(crowd *c, int k)
{
    spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
    const int i = (int)test_random(0, CROWD - 2), far = 1 + (int)test_random(0, 2);
    const int enable = (int)test_random(0, 2);
    if (spc_constraint_exists(c->w, c->pair[k])) {
        if (enable)
            CHECK_STATUS(spc_constraint_set_enabled(c->w, c->pair[k], i % 2), SPC_OK);
        else
            CHECK_STATUS(spc_constraint_remove(c->w, c->pair[k]), SPC_OK);
        return;
    }
    pair.a = c->ball[i];
    pair.b = c->ball[i + far];
    pair.shape.radius_a = pair.shape.radius_b = SPC_R(R);
    pair.one_sided = true;
    CHECK_STATUS(spc_sphere_on_sphere_add(c->w, &pair, &c->pair[k]), SPC_OK);
}

/* A ball that touches no other goes, and another one comes in its place. */
static void renew_ball(crowd *c, int i)
{
    if (spc_body_remove(c->w, c->ball[i]) != SPC_ERROR_BODY_IN_USE)
        CHECK(false); /* its floor at least */
    CHECK_STATUS(spc_constraint_remove(c->w, c->floor[i]), SPC_OK);
    if (spc_body_remove(c->w, c->ball[i]) == SPC_OK) {
        add_ball(c, i);
    } else {
        spc_sphere_on_plane_desc floor = spc_sphere_on_plane_desc_default();
        floor.ball = c->ball[i];
        floor.shape.radius = SPC_R(R);
        floor.one_sided = true;
        CHECK_STATUS(spc_sphere_on_plane_add(c->w, &floor, &c->floor[i]), SPC_OK);
    }
}

/* Pairs come and go, up to half of the crowd hangs together, and bodies are renewed. */
static void crowds_that_change_leave_no_trace(void)
{
    crowd c, twin;
    int round, n;
    make_crowd(&c);
    twin = c;
    twin.w = (spc_world *)malloc(spc_world_snapshot_size(c.w));
    memcpy(twin.w, c.w, spc_world_snapshot_size(c.w));
    for (round = 0; round < 600; round++) {
        const unsigned long long seed = test_seed;
        crowd *both[2];
        int k;
        both[0] = &c;
        both[1] = &twin;
        for (k = 0; k < 2; k++) {
            test_seed = seed;
            for (n = (int)test_random(0, 4); n > 0; n--)
                change_pair(both[k], (int)test_random(0, 10 + round % 3 * 40));
            if (round % 7 == 0)
                renew_ball(both[k], (int)test_random(0, CROWD));
        }
        spc_inside_find_all_anew(twin.w);
        CHECK_STATUS(spc_step(c.w, SPC_R(1 / 240.0)), SPC_OK);
        CHECK_STATUS(spc_step(twin.w, SPC_R(1 / 240.0)), SPC_OK);
        CHECK(spc_world_hash(c.w) == spc_world_hash(twin.w));
        CHECK(spc_world_solver_bytes(c.w) == spc_world_solver_bytes(twin.w));
    }
    free(c.w);
    free(twin.w);
}

/* Seven balls, any two of which may touch, and one of whose contacts goes and comes; in a world of
   more room than they need, and in one of just that, where what is found anew has none behind the
   others. A lone ball comes and goes, too. */
static void worlds_without_room_to_spare_change(void)
{
    enum { BALLS = 7, LINKS = BALLS * (BALLS - 1) / 2 };
    spc_world_desc desc = spc_world_desc_default(4 * BALLS, LINKS);
    spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
    spc_world *w[2];
    spc_constraint link[LINKS];
    int k, i, j, n, round;
    desc.gravity.z = SPC_R(-9.81);
    desc.solver_bytes = 400000;
    for (k = 0; k < 2; k++) {
        spc_body ball[BALLS], lone = { 0, 0 };
        spc_body_desc body = spc_body_desc_default();
        w[k] = test_world(&desc);
        body.mass = spc_mass_solid_sphere(2, SPC_R(R));
        for (i = 0; i < BALLS; i++) {
            body.state.X_GB.p = spc_vec3_make(SPC_R(2 * R * i), 0, SPC_R(0.01 * i * i));
            CHECK_STATUS(spc_body_add(w[k], &body, &ball[i]), SPC_OK);
            if (i == 4)
                CHECK_STATUS(spc_body_add(w[k], &body, &lone), SPC_OK);
        }
        pair.shape.radius_a = pair.shape.radius_b = SPC_R(R);
        pair.one_sided = true;
        for (i = n = 0; i < BALLS; i++)
            for (j = 0; j < i; j++) {
                pair.a = ball[j];
                pair.b = ball[i];
                CHECK_STATUS(spc_sphere_on_sphere_add(w[k], &pair, &link[n++]), SPC_OK);
            }
        if (k == 0)
            CHECK_STATUS(spc_world_fitting_desc(w[0], &desc), SPC_OK);
        desc.bodies = 4 * BALLS; /* it has places, but no numbers */
    }
    for (round = 0; round < 20; round++) {
        for (k = 0; k < 2; k++) {
            spc_body lone = { 6, 0 };
            spc_body_desc body = spc_body_desc_default();
            CHECK_STATUS(spc_constraint_set_enabled(w[k], link[4], round % 2 == 0), SPC_OK);
            body.mass = spc_mass_solid_sphere(2, SPC_R(R));
            lone.generation = (unsigned)(1 + round / 4 * 2);
            if (round % 4 == 1)
                CHECK_STATUS(spc_body_remove(w[k], lone), SPC_OK);
            if (round % 4 == 3)
                CHECK_STATUS(spc_body_add(w[k], &body, &lone), SPC_OK);
            CHECK_STATUS(spc_step(w[k], SPC_R(1 / 240.0)), SPC_OK);
        }
        CHECK(spc_world_hash(w[0]) == spc_world_hash(w[1]));
    }
    free(w[0]);
    free(w[1]);
}

/* What a pair costs that comes and goes among 60 lone balls, in places that are used: as many as
   it binds. Where these are at an end, which is after half of the bodies, all begin anew. */
static void a_change_costs_what_it_changes(void)
{
    crowd c;
    int i;
    make_crowd(&c);
    CHECK_STATUS(spc_step(c.w, SPC_R(1 / 240.0)), SPC_OK);
    CHECK(spc_inside_bodies_end(c.w) == CROWD);
    for (i = 0; i < 40; i++) {
        const int before = spc_inside_bodies_end(c.w);
        spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
        pair.a = c.ball[i];
        pair.b = c.ball[i + 1];
        pair.shape.radius_a = pair.shape.radius_b = SPC_R(R);
        pair.one_sided = true;
        if (i % 2 == 0)
            CHECK_STATUS(spc_sphere_on_sphere_add(c.w, &pair, &c.pair[0]), SPC_OK);
        else
            CHECK_STATUS(spc_constraint_remove(c.w, c.pair[0]), SPC_OK);
        CHECK_STATUS(spc_step(c.w, SPC_R(1 / 240.0)), SPC_OK);
        CHECK(spc_inside_bodies_end(c.w) ==
              (before + 2 > CROWD + CROWD / 2 ? CROWD : before + 2));
    }
    CHECK(spc_inside_bodies(c.w) == CROWD);
    free(c.w);
}

static const test_entry tests[] = {
    TEST(changes_in_place_leave_no_trace),
    TEST(bodies_added_in_place_leave_no_trace),
    TEST(crowds_that_change_leave_no_trace),
    TEST(worlds_without_room_to_spare_change),
    TEST(a_change_costs_what_it_changes),
};

TEST_MAIN
