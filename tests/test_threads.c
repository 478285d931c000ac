/* Worlds in parallel threads share nothing: the same scene in several threads at once ends in the
   same bits as alone. Threads that share the steps of one world end in the bits of spc_step. Built
   with the thread sanitizer by check-all. */
#include "test.h"
#include "shares.h"

#include <pthread.h>

static void *run(void *hash)
{
    spc_world_desc desc = spc_world_desc_default(8, 8);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    const size_t bytes = spc_world_size(&desc);
    void *memory = malloc(bytes);
    spc_world *world;
    spc_constraint contact;
    int i, refused = 0;
    desc.gravity = spc_vec3_make(0, 0, SPC_R(-9.81));
    refused += spc_world_create(memory, bytes, &desc, &world) != SPC_OK;
    body.mass = spc_mass_box(1, spc_vec3_make(SPC_R(0.1), SPC_R(0.2), SPC_R(0.3)));
    roll.shape.radius = SPC_R(0.5);
    for (i = 0; i < 8; i++) {
        body.state.X_GB.p = spc_vec3_make((spc_real)i, 0, SPC_R(0.5));
        body.state.V_GB.angular = spc_vec3_make(1, (spc_real)i, 2);
        refused += spc_body_add(world, &body, &roll.ball) != SPC_OK;
        refused += spc_sphere_on_plane_add(world, &roll, &contact) != SPC_OK;
    }
    for (i = 0; i < 200; i++)
        refused += (i % 2 ? spc_step(world, SPC_R(0.01))
                          : spc_step_rk4(world, SPC_R(0.01), SPC_DRIFT_PROJECT)) != SPC_OK;
    *(unsigned long long *)hash = refused ? 0 : spc_world_hash(world);
    free(memory);
    return NULL;
}

static void worlds_in_threads_do_not_see_each_other(void)
{
    pthread_t thread[4];
    unsigned long long alone = 0, hash[4];
    int i;
    run(&alone);
    CHECK(alone != 0);
    for (i = 0; i < 4; i++)
        CHECK(pthread_create(&thread[i], NULL, run, &hash[i]) == 0);
    for (i = 0; i < 4; i++) {
        CHECK(pthread_join(thread[i], NULL) == 0);
        CHECK(hash[i] == alone);
    }
}

/* A thread of so many, and what it does in a step: every so manieth share. */
typedef struct worker {
    pthread_t thread;
    spc_world *world;
    int first, threads, shares, refused;
} worker;

static void *work(void *given)
{
    worker *me = (worker *)given;
    int i;
    for (i = me->first; i < me->shares; i += me->threads)
        me->refused += spc_step_share(me->world, i) != SPC_OK;
    return NULL;
}

static void step_in_threads(spc_world *w, spc_real h, int threads, int shares)
{
    worker crew[8];
    int i;
    CHECK_STATUS(spc_step_begin(w, h, shares), SPC_OK);
    for (i = 0; i < threads; i++) {
        crew[i].world = w;
        crew[i].first = i;
        crew[i].threads = threads;
        crew[i].shares = shares;
        crew[i].refused = 0;
        CHECK(pthread_create(&crew[i].thread, NULL, work, &crew[i]) == 0);
    }
    for (i = 0; i < threads; i++) {
        CHECK(pthread_join(crew[i].thread, NULL) == 0);
        CHECK(crew[i].refused == 0);
    }
    CHECK_STATUS(spc_step_end(w), SPC_OK);
}

static void threads_that_share_a_step_take_the_same(void)
{
    spc_world *alone = shares_world(), *shared[4];
    int i, k;
    for (i = 0; i < 4; i++)
        shared[i] = shares_world();
    for (k = 0; k < 60; k++) {
        CHECK_STATUS(spc_step(alone, SPC_R(1) / 120), SPC_OK);
        for (i = 0; i < 4; i++) {
            step_in_threads(shared[i], SPC_R(1) / 120, 1 << i, 3 << i);
            CHECK(spc_world_hash(shared[i]) == spc_world_hash(alone));
        }
    }
    for (i = 0; i < 4; i++)
        free(shared[i]);
    free(alone);
}

/* Balls on a floor, every fourth off its centre: of those in lanes some roll for good, some rest;
   the others, which bounce, stand between them. */
static spc_world *mixed_world(int balls)
{
    spc_world_desc desc = spc_world_desc_default(balls, balls);
    spc_world *w = NULL;
    int i;
    desc.gravity = spc_vec3_make(0, 0, SPC_R(-9.81));
    shares_must(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &w));
    for (i = 0; i < balls; i++) {
        const bool bounces = i % 4 == i / 40 % 4;
        spc_body_desc body = spc_body_desc_default();
        spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
        spc_constraint c;
        body.mass = spc_mass_solid_sphere(1, SPC_R(0.1));
        body.state.X_GB.p = shares_vec(i, 0, bounces ? 0.1 + 0.01 * (i % 13) : 0.1);
        body.state.V_GB.linear = shares_vec(0.1, 0, bounces ? -1 : 0);
        if (bounces)
            body.mass.p_BBc = shares_vec(0.03, 0.02, 0.01);
        shares_must(spc_body_add(w, &body, &d.ball));
        d.shape.radius = SPC_R(0.1);
        d.one_sided = bounces || i / 200 % 2;
        d.law.restitution = 1;
        shares_must(spc_sphere_on_plane_add(w, &d, &c));
    }
    return w;
}

/* What bounces in a share is solved for with lists of its own, and is put back to where its part of
   the step began: neither may another share read, or write. */
static void what_bounces_in_shares_does_as_alone(void)
{
    spc_world *alone = mixed_world(400), *shared = mixed_world(400);
    int k;
    for (k = 0; k < 300; k++) {
        CHECK_STATUS(spc_step(alone, SPC_R(1) / 60), SPC_OK);
        step_in_threads(shared, SPC_R(1) / 60, 2, 64);
        CHECK(spc_world_hash(shared) == spc_world_hash(alone));
    }
    free(alone);
    free(shared);
}

static const test_entry tests[] = {
    TEST(worlds_in_threads_do_not_see_each_other),
    TEST(threads_that_share_a_step_take_the_same),
    TEST(what_bounces_in_shares_does_as_alone),
};

TEST_MAIN
