/* [7.3] A step in shares: the bits of spc_step with any number of shares in any order, what refuses
   it, and what it leaves then. tests/test_threads.c does the shares in threads. */
#include "test.h"
#include "world.h"
#include "random_worlds.h"
#include "shares.h"
#include "states.h"

#define MOST_SHARES 300

/* A step in so many shares, done in an order of chance. */
static spc_status step_in_shares(spc_world *w, spc_real h, int shares)
{
    int order[MOST_SHARES] = { 0 }, i;
    const spc_status status = spc_step_begin(w, h, shares);
    if (status)
        return status;
    for (i = 0; i < shares; i++) {
        const int k = random_int(0, i);
        order[i] = order[k];
        order[k] = i;
    }
    for (i = 0; i < shares; i++)
        (void)spc_step_share(w, order[i]);
    return spc_step_end(w);
}

static bool same_reports(const spc_world *a, const spc_world *b)
{
    spc_world_report r, s;
    CHECK_STATUS(spc_world_get_report(a, &r), SPC_OK);
    CHECK_STATUS(spc_world_get_report(b, &s), SPC_OK);
    return r.factorizations == s.factorizations && r.substitutions == s.substitutions &&
           r.redundant_rows == s.redundant_rows && r.contradictory == s.contradictory &&
           SAME_BITS(r.contradiction, s.contradiction) && SAME_BITS(r.worst, s.worst);
}

static void any_shares_in_any_order_are_a_step(void)
{
    spc_world *a = shares_world(), *b = shares_world();
    spc_world_report r;
    int i, most = 0;
    for (i = 0; i < 60; i++) {
        const int shares = i < 20 ? i + 1 : random_int(1, MOST_SHARES);
        CHECK_STATUS(spc_step(a, SPC_R(1) / 120), SPC_OK);
        CHECK_STATUS(step_in_shares(b, SPC_R(1) / 120, shares), SPC_OK);
        CHECK(are_alike(a, b) && same_reports(a, b));
        CHECK_STATUS(spc_world_get_report(a, &r), SPC_OK);
        CHECK(r.redundant_rows == 5 * (SHARES_ISLANDS + SHARES_ISLANDS / 2));
        most = r.factorizations > most ? r.factorizations : most;
    }
    CHECK(most > 4 * SHARES_ISLANDS); /* three sorts of chains, some of which take it in parts */
    free(a);
    free(b);
}

/* A ball whose centre of mass is off its middle, which falls on a floor and bounces. */
static void put_lopsided(spc_world *w, spc_body floor, double x, double height)
{
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc on = spc_sphere_on_plane_desc_default();
    spc_constraint c;
    body.mass = spc_mass_solid_sphere(1, SPC_R(0.1));
    body.mass.p_BBc = spc_vec3_make(SPC_R(0.02), 0, SPC_R(0.01));
    body.state.X_GB.p = spc_vec3_make((spc_real)x, 0, (spc_real)height);
    CHECK_STATUS(spc_body_add(w, &body, &on.ball), SPC_OK);
    on.floor = floor;
    on.shape.radius = SPC_R(0.1);
    on.one_sided = true;
    on.law.grip = false;
    on.law.friction = SPC_R(0.3);
    on.law.restitution = SPC_R(0.8);
    CHECK_STATUS(spc_sphere_on_plane_add(w, &on, &c), SPC_OK);
}

/* Bounces that divide a step, of bodies with one contact: on a floor that moves meanwhile, and
   among balls whose lanes another share may write. */
static spc_world *bouncing_world(void)
{
    spc_world_desc desc = spc_world_desc_default(8, 8);
    spc_body_desc floor = spc_body_desc_default();
    spc_body lift;
    spc_world *w;
    int i;
    desc.gravity.z = SPC_R(-9.81);
    w = test_world(&desc);
    floor.kind = SPC_KINEMATIC;
    floor.state.V_GB.linear.z = SPC_R(0.3);
    CHECK_STATUS(spc_body_add(w, &floor, &lift), SPC_OK);
    put_lopsided(w, lift, 0, 0.4);
    for (i = 0; i < 5; i++)
        shares_ball(w, ground, i, 2);
    put_lopsided(w, ground, 1, 0.3);
    return w;
}

static void bounces_of_single_contacts_are_alike_in_shares(void)
{
    spc_world *a = bouncing_world(), *b = bouncing_world();
    int i;
    for (i = 0; i < 200; i++) {
        CHECK_STATUS(spc_step(a, SPC_R(1) / 120), SPC_OK);
        CHECK_STATUS(step_in_shares(b, SPC_R(1) / 120, random_int(1, 8)), SPC_OK);
        CHECK(are_alike(a, b) && same_reports(a, b));
    }
    free(a);
    free(b);
}

/* A disc on ground that spins and bounces, so that it takes a step in parts and waits for the end
   of the step in the middle of one, with balls beside it whose lanes another share may write. */
static spc_world *spinning_world(void)
{
    spc_world_desc desc = spc_world_desc_default(7, 7);
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc on = spc_rolling_disc_desc_default();
    spc_constraint c;
    spc_world *w;
    int i;
    desc.gravity.z = SPC_R(-9.81);
    w = test_world(&desc);
    body.mass = spc_mass_disc(1, SPC_R(0.1));
    body.state.X_GB.p.z = (spc_real)test_random(0.1, 0.2);
    body.state.X_GB.q = spc_quat_from_rotation_vector(vec(test_random(-0.8, 0.8), 0, 0));
    body.state.V_GB.angular =
        vec(test_random(-20, 20), test_random(-20, 20), test_random(-80, 80));
    CHECK_STATUS(spc_body_add(w, &body, &on.disc), SPC_OK);
    on.shape.radius = SPC_R(0.1);
    on.one_sided = true;
    on.law.grip = false;
    on.law.friction = (spc_real)test_random(0, 0.5);
    on.law.restitution = (spc_real)test_random(0, 1);
    CHECK_STATUS(spc_rolling_disc_add(w, &on, &c), SPC_OK);
    for (i = 0; i < 6; i++)
        shares_ball(w, ground, i, 2);
    return w;
}

/* What waits begins anew, and what it did before does not count. */
static void parts_that_wait_count_once(void)
{
    int i, k, unlike = 0, counted = 0;
    for (i = 0; i < 150; i++) {
        const unsigned long long seed = test_seed;
        spc_world *a = spinning_world(), *b;
        spc_status status = SPC_OK;
        test_seed = seed;
        b = spinning_world();
        for (k = 0; k < 60 && !status; k++) {
            spc_world_report r, s;
            status = spc_step(a, SPC_R(1) / 60);
            CHECK_STATUS(step_in_shares(b, SPC_R(1) / 60, 3), status);
            CHECK(are_alike(a, b));
            CHECK_STATUS(spc_world_get_report(a, &r), SPC_OK);
            CHECK_STATUS(spc_world_get_report(b, &s), SPC_OK);
            unlike += !same_reports(a, b) || r.unsolved != s.unsolved;
            counted += r.factorizations > 3;
        }
        free(a);
        free(b);
    }
    CHECK(unlike == 0);
    CHECK(counted > 1000);
}

/* The same while bodies and constraints come and go, in place and not. */
static void shares_follow_what_is_added_and_removed(void)
{
    spc_world *a = shares_world(), *b = shares_world();
    const spc_body none = { 0, 0 };
    int i, k;
    for (i = 0; i < 40; i++) {
        spc_constraint c = { 0, 0 };
        const int skip = random_int(0, 60);
        for (k = 0; k < skip; k++)
            (void)spc_constraint_next(a, &c);
        if (i % 2)
            shares_ball(a, none, i, -1);
        else
            CHECK(!spc_constraint_set_enabled(a, c, false));
        CHECK_STATUS(spc_step(a, STEP), SPC_OK);
        if (i % 2)
            shares_ball(b, none, i, -1);
        else
            CHECK(!spc_constraint_set_enabled(b, c, false));
        CHECK_STATUS(step_in_shares(b, STEP, random_int(1, 20)), SPC_OK);
        CHECK(are_alike(a, b) && same_reports(a, b));
    }
    free(a);
    free(b);
}

static void random_worlds_step_alike_in_shares(void)
{
    int i, k, done = 0;
    for (i = 0; i < 150; i++) {
        const unsigned long long seed = test_seed;
        scene a, b;
        random_scene(&a, 1 + i % 11);
        test_seed = seed;
        random_scene(&b, 1 + i % 11);
        for (k = 0; k < 12; k++) {
            const spc_status status = spc_step(a.world, STEP);
            CHECK_STATUS(step_in_shares(b.world, STEP, random_int(1, 8)), status);
            CHECK(are_alike(a.world, b.world) && same_reports(a.world, b.world));
            done += status == SPC_OK;
        }
        free(a.world);
        free(b.world);
    }
    CHECK(done > 150 * 12 / 2);
}

/* Bytes that do not change: what a refused step may write into is derived from the others. */
static bool is_still(const spc_world *w, const saved *before)
{
    const saved now = save(w);
    const bool same = now.size == before->size && !memcmp(now.bytes, before->bytes, now.size);
    free(now.bytes);
    return same;
}

static void steps_that_have_not_begun_are_refused(void)
{
    spc_world *w = shares_world();
    const saved before = save(w);
    CHECK_STATUS(spc_step_begin(NULL, STEP, 1), SPC_ERROR_NULL);
    CHECK_STATUS(spc_step_share(NULL, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_step_end(NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_step_share(w, 0), SPC_ERROR_NO_STEP);
    CHECK_STATUS(spc_step_end(w), SPC_ERROR_NO_STEP);
    CHECK_STATUS(spc_step_begin(w, STEP, 0), SPC_ERROR_BAD_COUNT);
    CHECK_STATUS(spc_step_begin(w, 0, 2), SPC_ERROR_BAD_STEP);
    CHECK_STATUS(spc_step_end(w), SPC_ERROR_NO_STEP);
    CHECK_STATUS(spc_step_begin(w, STEP, 2), SPC_OK);
    CHECK_STATUS(spc_step_share(w, -1), SPC_ERROR_BAD_COUNT);
    CHECK_STATUS(spc_step_share(w, 2), SPC_ERROR_BAD_COUNT);
    CHECK_STATUS(spc_step_share(w, 1), SPC_OK);
    CHECK_STATUS(spc_step_end(w), SPC_ERROR_NO_STEP); /* share 0 was left out */
    CHECK_STATUS(spc_step_end(w), SPC_ERROR_NO_STEP); /* and the step was given up */
    CHECK(is_still(w, &before));
    free(before.bytes);
    free(w);
}

/* Whatever gives a step up, the next one is what it would have been. */
static void steps_that_are_given_up_leave_no_trace(void)
{
    spc_world *w = shares_world(), *twin = shares_world();
    const saved before = save(w);
    spc_body_desc body = spc_body_desc_default();
    spc_body b;
    int way;
    body.mass = spc_mass_solid_sphere(1, 1);
    for (way = 0; way < 4; way++) {
        CHECK_STATUS(spc_step_begin(w, 2 * STEP, 3), SPC_OK);
        CHECK_STATUS(spc_step_share(w, 2), SPC_OK);
        CHECK(is_still(w, &before));
        if (way == 1)
            CHECK_STATUS(spc_step_begin(w, STEP, 0), SPC_ERROR_BAD_COUNT);
        else if (way == 2) {
            CHECK_STATUS(spc_step_share(w, 0), SPC_OK);
            CHECK_STATUS(spc_step_share(w, 1), SPC_OK);
            CHECK_STATUS(spc_world_load_state(w, before.bytes, before.size), SPC_OK);
        } else if (way == 3) {
            CHECK_STATUS(spc_body_add(w, &body, &b), SPC_OK);
            CHECK_STATUS(spc_step_share(w, 0), SPC_ERROR_NO_STEP);
            CHECK_STATUS(spc_body_remove(w, b), SPC_OK);
            CHECK_STATUS(spc_step_end(w), SPC_ERROR_NO_STEP);
        }
        if (way != 3)
            CHECK_STATUS(spc_step_end(w), SPC_ERROR_NO_STEP);
        CHECK(is_still(w, &before));
        CHECK_STATUS(spc_step_begin(w, 2 * STEP, 5), SPC_OK);
        CHECK_STATUS(spc_step_begin(w, 3 * STEP, 5), SPC_OK); /* twice: the second counts */
        CHECK_STATUS(spc_step_end(w), SPC_ERROR_NO_STEP);
        CHECK(is_still(w, &before));
        CHECK_STATUS(spc_step_begin(w, 3 * STEP, 5), SPC_OK);
        CHECK_STATUS(step_in_shares(w, STEP, 4), SPC_OK);
        CHECK_STATUS(spc_step(twin, STEP), SPC_OK);
        CHECK(are_alike(w, twin) && same_reports(w, twin));
        CHECK_STATUS(spc_world_load_state(w, before.bytes, before.size), SPC_OK);
        CHECK_STATUS(spc_world_load_state(twin, before.bytes, before.size), SPC_OK);
    }
    free(before.bytes);
    free(w);
    free(twin);
}

/* A prescribed body is removed: there is no step to end. */
static void steps_of_other_bodies_are_refused(void)
{
    const spc_world_desc desc = spc_world_desc_default(2, 0);
    spc_world *w = test_world(&desc);
    spc_body_desc body = spc_body_desc_default();
    spc_body ball, table;
    body.mass = spc_mass_solid_sphere(1, 1);
    CHECK_STATUS(spc_body_add(w, &body, &ball), SPC_OK);
    body.kind = SPC_KINEMATIC;
    CHECK_STATUS(spc_body_add(w, &body, &table), SPC_OK);
    CHECK_STATUS(spc_step_begin(w, STEP, 1), SPC_OK);
    CHECK_STATUS(spc_step_share(w, 0), SPC_OK);
    CHECK_STATUS(spc_body_remove(w, table), SPC_OK);
    CHECK_STATUS(spc_step_end(w), SPC_ERROR_NO_STEP);
    CHECK_NEAR(spc_world_time(w), 0, 0);
    free(w);
}

/* A chain on ground, or on a prescribed body that rests there: the latter waits where it takes the
   step in parts, and moves as the former to the last bit. */
static void islands_that_wait_move_as_others(void)
{
    spc_world *w[2];
    spc_world_report r[2];
    int i, k, parts = 0;
    for (i = 0; i < 2; i++) {
        const spc_world_desc desc = spc_world_desc_default(4, 4);
        spc_body_desc table = spc_body_desc_default();
        spc_body floor = { 0, 0 }, unused;
        w[i] = test_world(&desc);
        CHECK(!spc_world_set_gravity(w[i], vec(0, 0, -9.81)));
        table.kind = SPC_KINEMATIC;
        CHECK_STATUS(spc_body_add(w[i], &table, i ? &floor : &unused), SPC_OK);
        shares_chain(w[i], floor, shares_vec(0, 0, 1), 3, false, 100);
    }
    for (k = 0; k < 100; k++) {
        for (i = 0; i < 2; i++) {
            CHECK_STATUS(step_in_shares(w[i], 2 * STEP, 2), SPC_OK);
            CHECK_STATUS(spc_world_get_report(w[i], &r[i]), SPC_OK);
        }
        CHECK(spc_world_hash(w[0]) == spc_world_hash(w[1]));
        CHECK(r[0].factorizations == r[1].factorizations);
        parts += r[0].factorizations;
    }
    CHECK(parts > 150); /* else few steps were taken in parts */
    for (i = 0; i < 2; i++)
        free(w[i]);
}

/* Two rods on a turntable, that spin. */
static spc_world *rods_on_table(double spin, double other)
{
    const spc_world_desc desc = spc_world_desc_default(3, 2);
    spc_world *w = test_world(&desc);
    spc_body_desc table = spc_body_desc_default();
    spc_body floor;
    table.kind = SPC_KINEMATIC;
    table.motion = shares_turn;
    CHECK_STATUS(spc_body_add(w, &table, &floor), SPC_OK);
    shares_chain(w, floor, shares_vec(1, 0, 1), 1, false, spin);
    shares_chain(w, floor, shares_vec(3, 0, 1), 1, false, other);
    return w;
}

/* Whether an island took the last step, or one that was refused, in parts is nothing to who asks
   for the motion of a step next. */
static void parts_of_a_step_are_forgotten(void)
{
    int refused;
    for (refused = 0; refused < 2; refused++) {
        spc_world *w = rods_on_table(refused ? 30000 : 0, 200), *other = rods_on_table(0, 0);
        spc_real target[2][6];
        spc_world_report r;
        saved s;
        int k;
        for (k = 0; k < 2; k++)
            CHECK_STATUS(step_in_shares(w, 2 * STEP, 2), refused ? SPC_ERROR_BAD_STEP : SPC_OK);
        CHECK_STATUS(spc_world_get_report(w, &r), SPC_OK);
        CHECK(refused || r.factorizations > 2);
        s = save(w);
        CHECK_STATUS(spc_world_load_state(other, s.bytes, s.size), SPC_OK);
        CHECK_STATUS(spc_world_free_motion(w, STEP, target[0], NULL, 6), SPC_OK);
        CHECK_STATUS(spc_world_free_motion(other, STEP, target[1], NULL, 6), SPC_OK);
        CHECK(SAME_BITS(target[0], target[1]));
        free(s.bytes);
        free(w);
        free(other);
    }
}

/* A chain that turns too fast for a step, a ball that flies off to infinity: the share says so, the
   end says what spc_step says, and the world stays. */
static void refused_shares_refuse_the_step(void)
{
    const double spins[3] = { 1e5, 1e30, 1e38 };
    int i, on_table;
    for (i = 0; i < 3; i++)
        for (on_table = 0; on_table < 2; on_table++) {
            spc_world *w = shares_world(), *twin;
            spc_body floor = { 0, 0 };
            saved before;
            spc_status status, worst = SPC_OK;
            int k;
            if (on_table)
                CHECK(spc_body_next(w, &floor));
            shares_chain(w, floor, shares_vec(0, -3, 1), 2, false, spins[i]);
            twin = (spc_world *)malloc(spc_world_snapshot_size(w));
            memcpy(twin, w, spc_world_snapshot_size(w));
            before = save(w);
            status = spc_step(twin, STEP);
            CHECK(status != SPC_OK && is_still(twin, &before));
            CHECK_STATUS(spc_step_begin(w, STEP, 16), SPC_OK);
            for (k = 0; k < 16; k++) {
                const spc_status one = spc_step_share(w, k);
                worst = one ? one : worst;
            }
            CHECK(worst == status || on_table);
            CHECK_STATUS(spc_step_end(w), status);
            CHECK(is_still(w, &before));
            CHECK(same_reports(w, twin));
            free(before.bytes);
            free(w);
            free(twin);
        }
}

/* Who asks the callbacks: shares must not, since they may be in other threads. */
static bool in_a_share;
static int asked, asked_in_shares;

static void watched(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    shares_turn(time, user, state, acceleration);
    asked++;
    asked_in_shares += in_a_share;
}

static void callbacks_are_asked_outside_of_shares(void)
{
    spc_world *w = shares_world();
    spc_body_desc table = spc_body_desc_default();
    spc_body floor;
    int i;
    table.kind = SPC_KINEMATIC;
    table.motion = watched;
    CHECK_STATUS(spc_body_add(w, &table, &floor), SPC_OK);
    shares_chain(w, floor, shares_vec(0, -3, 1), 2, false, 100); /* in parts */
    asked = 0;
    CHECK_STATUS(spc_step_begin(w, STEP, 7), SPC_OK);
    for (i = 0; i < 7; i++) {
        in_a_share = true;
        CHECK_STATUS(spc_step_share(w, i), SPC_OK);
        in_a_share = false;
    }
    CHECK_STATUS(spc_step_end(w), SPC_OK);
    CHECK(asked > 2 && asked_in_shares == 0);
    free(w);
}

/* Without bodies, or with prescribed ones alone, there is nothing to share but the clock. */
static void empty_worlds_step_in_shares(void)
{
    int i;
    for (i = 0; i < 3; i++) {
        const spc_world_desc desc = spc_world_desc_default(i, 0);
        spc_world *w = test_world(&desc);
        spc_body_desc body = spc_body_desc_default();
        spc_body b;
        body.kind = SPC_KINEMATIC;
        body.state.V_GB.linear.x = 1;
        if (i)
            CHECK_STATUS(spc_body_add(w, &body, &b), SPC_OK);
        CHECK_STATUS(step_in_shares(w, STEP, 3), SPC_OK);
        CHECK_NEAR(spc_world_time(w), STEP, 0);
        if (i)
            CHECK_NEAR(state_of(w, b).X_GB.p.x, STEP, 0);
        free(w);
    }
}

static const test_entry tests[] = {
    TEST(any_shares_in_any_order_are_a_step),
    TEST(bounces_of_single_contacts_are_alike_in_shares),
    TEST(parts_that_wait_count_once),
    TEST(shares_follow_what_is_added_and_removed),
    TEST(random_worlds_step_alike_in_shares),
    TEST(steps_that_have_not_begun_are_refused),
    TEST(steps_that_are_given_up_leave_no_trace),
    TEST(steps_of_other_bodies_are_refused),
    TEST(islands_that_wait_move_as_others),
    TEST(parts_of_a_step_are_forgotten),
    TEST(refused_shares_refuse_the_step),
    TEST(callbacks_are_asked_outside_of_shares),
    TEST(empty_worlds_step_in_shares),
};

TEST_MAIN
