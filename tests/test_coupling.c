/* [7] Coupling: what a world asks for suffices, guesses come to an end. */
#include "random_worlds.h"

/* --------------------------------------------------------------------- coupling asked for ----- */

typedef spc_world *(*builder)(size_t coupling, int size);

static spc_world *ring(size_t coupling, int size)
{
    spc_world *w = tight_world(size, size, 3 * size, coupling);
    spc_body b[64];
    int i;
    for (i = 0; i < size; i++)
        b[i] = ball_at(w, cos(6.28 * i / size), sin(6.28 * i / size), 0.1 * (i % 3));
    for (i = 0; i < size; i++)
        join_at(w, b[i], b[(i + 1) % size], vec(0, 0, 1), SPC_BALL_JOINT);
    return w;
}

/* Balls that roll on a plate and hold each other. */
static spc_world *hub(size_t coupling, int size)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_world *w = tight_world(size + 1, 2 * size, 4 * size, coupling);
    spc_constraint c;
    spc_body b[64];
    int i;
    d.floor = ball_at(w, 0, 0, 0);
    d.shape.radius = real(0.1);
    for (i = 0; i < size; i++) {
        d.ball = b[i] = ball_at(w, i, i % 2, 0.1);
        CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
    }
    for (i = 0; i < size; i++)
        join_at(w, b[i], b[(i + 1) % size], vec(1, i, 0), SPC_POINT_ON_PLANE);
    return w;
}

/* A square net. */
static spc_world *net(size_t coupling, int size)
{
    const int joints = 2 * size * (size - 1);
    spc_world *w = tight_world(size * size, joints, joints, coupling);
    spc_body b[256];
    int i;
    for (i = 0; i < size * size; i++)
        b[i] = ball_at(w, i % size, i / size, i % 3);
    for (i = 0; i < size * size; i++) {
        if (i % size)
            join_at(w, b[i], b[i - 1], vec(1, i % 5, i % 3), SPC_POINT_ON_PLANE);
        if (i >= size)
            join_at(w, b[i], b[i - size], vec(i % 4, 1, i % 3), SPC_POINT_ON_PLANE);
    }
    return w;
}

/* Bodies between two hubs. */
static spc_world *ladder(size_t coupling, int size)
{
    spc_world *w = tight_world(size + 2, 2 * size, 5 * size, coupling);
    spc_body b[64];
    int i;
    for (i = 0; i < size + 2; i++)
        b[i] = ball_at(w, i, i % 3, i * i % 7);
    for (i = 2; i < size + 2; i++) {
        join_at(w, b[0], b[i], vec(0, 0, 1), SPC_BALL_JOINT);
        join_at(w, b[1], b[i], vec(1, i, 0), SPC_POINT_ON_LINE);
    }
    return w;
}

/* Many joints between the same two bodies. */
static spc_world *bundle(size_t coupling, int size)
{
    spc_world *w = tight_world(2, size, size, coupling);
    const spc_body a = ball_at(w, 0, 0, 0), b = ball_at(w, 1, 0, 0);
    int i;
    for (i = 0; i < size; i++)
        join_at(w, a, b, vec(1, i, i * i % 3), SPC_POINT_ON_PLANE);
    return w;
}

/* Asks a world without room, makes one with what it says, and so on until it works. Gives what that
   one needs, and how often it was asked. */
static size_t ask_for_coupling(builder build, int size, int *turns)
{
    size_t coupling = 0, needed = 0;
    bool full = true;
    for (*turns = 0; full && *turns < 64; ++*turns) {
        spc_world *w = build(coupling, size);
        needed = spc_world_solver_bytes(w);
        full = spc_world_forward_dynamics(w) == SPC_ERROR_SOLVER_FULL;
        CHECK(full ? needed > coupling : needed <= coupling);
        coupling = needed;
        free(w);
    }
    CHECK(!full);
    return needed;
}

/* The state after some steps; a world that is refused does not move. */
static unsigned long long run(spc_world *w, bool full)
{
    int i;
    for (i = 0; i < 5; i++) {
        const spc_status status = spc_step(w, STEP);
        CHECK_STATUS(status, full ? SPC_ERROR_SOLVER_FULL : SPC_OK);
    }
    return spc_world_hash(w);
}

/* What is asked for suffices to the byte, and eight less do not; more changes nothing. Gives how
   much that is: few loops need none. */
static size_t check_coupling(builder build, int size)
{
    int turns;
    const size_t needed = ask_for_coupling(build, size, &turns);
    spc_world *exact, *less, *more;
    unsigned long long before;
    test_seed = 1;
    exact = build(needed, size);
    test_seed = 1;
    more = build(3 * needed, size);
    test_seed = 1;
    less = build(needed > 8 ? needed - 8 : 0, size);
    before = spc_world_hash(less);
    CHECK(spc_world_solver_bytes(more) == needed);
    CHECK(run(exact, false) == run(more, false));
    if (needed > 0)
        CHECK(run(less, true) == before);
    CHECK(spc_world_solver_bytes(exact) == needed);
    CHECK(spc_world_solver_bytes(more) == needed);
    CHECK(spc_world_solver_bytes(less) >= needed);
    free(exact);
    free(more);
    free(less);
    return needed;
}

static void coupling_that_is_asked_for_suffices(void)
{
    static const int sizes[4] = { 9, 24, 40, 60 };
    const int shown = LONG_OR_SHORT(4, 2);
    int i, some = 0;
    for (i = 0; i < shown; i++) {
        CHECK(check_coupling(ring, sizes[i]) == 0);
        some += check_coupling(hub, sizes[i]) > 0;
        some += check_coupling(ladder, sizes[i]) > 0;
        some += check_coupling(bundle, sizes[i]) > 0;
    }
    for (i = 8; i <= LONG_OR_SHORT(14, 12); i += 2)
        some += check_coupling(cluster, i) > 0;
    for (i = 6; i <= LONG_OR_SHORT(11, 9); i++)
        some += check_coupling(net, i) > 0;
    CHECK(some >= LONG_OR_SHORT(13, 6)); /* of 22, or 13: others fit by default */
}

/* Where there is not even room to find out, guesses double until there is. */
static void guesses_of_coupling_come_to_an_end(void)
{
    int turns;
    (void)ask_for_coupling(cluster, 20, &turns);
    CHECK(turns >= 3 && turns < 16);
    (void)ask_for_coupling(cluster, 16, &turns);
    CHECK(turns >= 3 && turns < 16);
    CHECK(check_coupling(cluster, 13) > 0);
}

/* It follows what is there: constraints that are disabled or removed need nothing. */
static void coupling_follows_the_constraints(void)
{
    spc_constraint c[40];
    spc_world *w = world_of_names(c, 40);
    const size_t needed = spc_world_solver_bytes(w);
    int i;
    CHECK(needed > 0 && spc_world_solver_bytes(NULL) == 0);
    for (i = 0; i < 40; i++)
        CHECK_STATUS(spc_constraint_set_enabled(w, c[i], false), SPC_OK);
    CHECK(spc_world_solver_bytes(w) == 0);
    for (i = 0; i < 40; i++)
        CHECK_STATUS(spc_constraint_set_enabled(w, c[i], true), SPC_OK);
    CHECK(spc_world_solver_bytes(w) == needed);
    for (i = 0; i < 39; i++)
        CHECK_STATUS(spc_constraint_remove(w, c[i]), SPC_OK);
    CHECK(spc_world_solver_bytes(w) == 0);
    free(w);
}

static const test_entry tests[] = {
    TEST(coupling_that_is_asked_for_suffices),
    TEST(guesses_of_coupling_come_to_an_end),
    TEST(coupling_follows_the_constraints),
};

TEST_MAIN
