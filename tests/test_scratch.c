/* Results depend on the state of a world alone: not on what calls before have left in its memory or
   on the stack, nor on what was there before it was made. Scenes of all kinds take each call in a
   world as it is; in one that the state was loaded into and that has been elsewhere since; and in
   one whose scratch has been overwritten. */
#include "contacts.h"
#include "inside.h"
#include "shares.h"
#include "states.h"

/* What is told of memory that a memory sanitizer is to see as not set. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define SPOIL(memory, bytes) __msan_poison(memory, bytes)
#endif
#endif
#ifndef SPOIL
#define SPOIL(memory, bytes) ((void)0)
#endif

#define R 0.1 /* of balls and discs [m] */

/* ---------------------------------------------------------------------- dirt ---------------- */

/* Bytes that nobody has set: zeros, ones, or others. */
static void fill(void *memory, size_t bytes, int pattern)
{
    unsigned char *out = (unsigned char *)memory;
    unsigned state = 1 + (unsigned)pattern;
    size_t i;
    if (pattern % 3 < 2) {
        memset(out, pattern % 3 ? 0xFF : 0, bytes);
        return;
    }
    for (i = 0; i < bytes; i++) {
        state = state * 1664525u + 1013904223u;
        out[i] = (unsigned char)(state >> 24);
    }
}

/* Nobody knows that it does nothing, so that what is filled is filled. */
static void look_here(const void *bytes)
{
    (void)bytes;
}

static void (*volatile look)(const void *) = look_here;

/* The same of what the next calls have on the stack: they take less. */
static void fill_stack_here(int pattern)
{
    unsigned char bytes[60000];
    fill(bytes, sizeof bytes, pattern);
    look(bytes);
}

static void (*volatile fill_stack)(int) = fill_stack_here; /* it is called, and not built in */

/* And of all of a world that is no state of it: what its structure is found anew from, and the
   states of the other turn. The structure itself is as in a world that is new, and so is what is
   kept clear: which contacts are in lanes, and what islands and nodes have to report. */
static void fill_scratch(spc_world *w, int pattern)
{
    const spc_inside_scratch s = spc_inside_open(w);
    fill(s.states.memory, s.states.bytes, pattern);
    fill(s.work.memory, s.work.bytes, pattern);
    SPOIL(s.work.memory, s.work.bytes);
    fill(s.structure.memory, s.structure.bytes, 0);
    spc_inside_close(w);
}

/* ---------------------------------------------------------------------- scenes -------------- */

/* What the memory of worlds holds before they are made. */
static int before;

static spc_world *open_world(int bodies, int constraints, spc_vec3 gravity)
{
    spc_world_desc desc = spc_world_desc_default(bodies, constraints);
    spc_world *w = NULL;
    size_t bytes;
    void *memory;
    desc.gravity = gravity;
    desc.rows = 6 * constraints;
    desc.solver_bytes = (size_t)400 * (size_t)constraints * (size_t)constraints + 100000;
    bytes = spc_world_size(&desc);
    memory = malloc(bytes);
    fill(memory, bytes, before);
    CHECK_STATUS(spc_world_create(memory, bytes, &desc, &w), SPC_OK);
    return w;
}

static void send(spc_world *w, spc_body body, spc_vec3 angular, spc_vec3 linear)
{
    CHECK_STATUS(spc_body_set_velocity(w, body, spc_spatial_make(angular, linear)), SPC_OK);
}

static spc_contact_law full_law(double friction, double restitution)
{
    spc_contact_law law = law_of(friction, restitution);
    law.rolling_resistance = real(0.002);
    law.spinning_resistance = real(0.001);
    return law;
}

/* Elastic balls in a box of ten radii, each of which meets all others. */
static spc_world *make_gas(void)
{
    enum { COUNT = 8 };
    const double half = 5 * R;
    spc_world *w = open_world(COUNT, COUNT * (COUNT - 1) / 2 + 6 * COUNT, zero);
    spc_body ball[COUNT];
    int i, j;
    for (i = 0; i < COUNT; i++) {
        ball[i] = put_ball(w, 0.17, R, vec((2.4 * (i % 4) - 3.6) * R, (2.4 * (i / 4) - 3) * R,
                                           (i % 2 ? 2 : -2) * R));
        send(w, ball[i], zero, vec(3 * sin(i), 2 * cos(2 * i), 2 * sin(3 * i + 1)));
        for (j = 0; j < i; j++)
            (void)put_pair(w, ball[j], ball[i], R, R, law_of(0, 1));
        for (j = 0; j < 6; j++) {
            const int sign = j < 3 ? 1 : -1;
            const spc_vec3 n = vec(sign * (j % 3 == 0), sign * (j % 3 == 1), sign * (j % 3 == 2));
            (void)put_on_plane(w, ground, plane_at(n, spc_scale(real(-half), n)), ball[i], R,
                               law_of(0, 1));
        }
    }
    return w;
}

/* Spheres that fly far in a step, with friction and half of their restitution: a step in parts. */
static spc_world *make_break(void)
{
    spc_body ball[7];
    spc_world *w = open_world(7, 28, vec(0, 0, -GRAVITY));
    int i, j, row, count = 1;
    ball[0] = put_ball(w, 0.17, R, vec(-4 * R, 0.02, R));
    for (row = 0; row < 3; row++)
        for (i = 0; i <= row; i++)
            ball[count++] = put_ball(w, 0.17, R, vec(row * R * 1.7325, (2 * i - row) * R, R));
    for (i = 0; i < count; i++) {
        (void)put_on_plane(w, ground, level(0), ball[i], R, law_of(0.2, 0.3));
        for (j = 0; j < i; j++)
            (void)put_pair(w, ball[j], ball[i], R, R, law_of(0.05, 0.9));
    }
    send(w, ball[0], zero, vec(30, 0, 0));
    return w;
}

/* Balls that fall on each other and come to lie in a bowl of another sphere. */
static spc_world *make_pile(void)
{
    enum { COUNT = 8 };
    spc_body ball[COUNT];
    spc_world *w = open_world(COUNT, COUNT * (COUNT + 1) / 2, vec(0, 0, -GRAVITY));
    int i, j;
    for (i = 0; i < COUNT; i++) {
        spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
        spc_constraint c;
        ball[i] = put_ball(w, 1 + i % 3, R, vec(0.21 * (i % 2), 0.21 * (i / 2 % 2) + 0.01 * i,
                                                0.25 * (i / 4) + 0.02 * i - 0.5));
        d.b = ball[i];
        d.shape.radius_a = 1;
        d.shape.radius_b = real(R);
        d.shape.hollow = d.one_sided = true;
        d.law = full_law(0.4, 0.2);
        CHECK_STATUS(spc_sphere_on_sphere_add(w, &d, &c), SPC_OK);
        for (j = 0; j < i; j++)
            (void)put_pair(w, ball[j], ball[i], R, R, law_of(0.4, 0.2));
    }
    return w;
}

/* Boxes on feet, the first of which begins in the floor, that fall, tumble and come to rest on a
   slope, with feet that bounce. */
static spc_world *make_boxes(void)
{
    spc_world *w = open_world(3, 26, vec(1, 0, -GRAVITY));
    int i;
    for (i = 0; i < 3; i++) {
        const spc_body box = put_box(w, vec(i, 0, 0.097 + 0.1 * i), 7 + (i < 2), 0.4);
        (void)put_foot(w, box, vec(0, 0, -0.11), law_of(0.3, 0.8 * i / 2));
        send(w, box, vec(0.5 * i, 2 * i, 0.3), vec(1, 0.2 * i, -0.5));
    }
    return w;
}

static void put_coin(spc_world *w, spc_vec3 p, spc_vec3 turned, int rims, spc_contact_law law)
{
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    spc_body_desc body = spc_body_desc_default();
    int i;
    body.mass = spc_mass_cylinder(real(0.05), real(R), real(0.02));
    body.state.X_GB.p = p;
    body.state.X_GB.q = spc_quat_from_rotation_vector(turned);
    body.state.V_GB = spc_spatial_make(vec(1, 2, 20 * p.x), vec(0.3, 0.1, 0));
    CHECK_STATUS(spc_body_add(w, &body, &d.disc), SPC_OK);
    for (i = 0; i < rims; i++) {
        spc_constraint c;
        d.shape.axis_B = vec(0, 0, 1);
        d.shape.radius = real(R);
        d.shape.p_BS = vec(0, 0, rims == 2 ? 0.02 - 0.04 * i : 0);
        d.one_sided = true;
        d.law = law;
        CHECK_STATUS(spc_rolling_disc_add(w, &d, &c), SPC_OK);
    }
}

/* Coins, without a width and with one, that roll, tumble, spin down and lie. */
static spc_world *make_coins(void)
{
    spc_world *w = open_world(5, 8, vec(0.2, 0, -GRAVITY));
    put_coin(w, vec(0, 0, R), vec(PI / 2, 0, 0), 1, law_of(0.4, 0));
    put_coin(w, vec(1, 0, 0.15), vec(1, 0.3, 0), 1, full_law(0.3, 0.5));
    put_coin(w, vec(2, 0, 0.001), zero, 1, law_of(0.3, 0));
    put_coin(w, vec(0.1, 1, 0.12), vec(PI / 2, 0.1, 0), 2, law_of(0.4, 0.3));
    put_coin(w, vec(0.5, 1, 0.11), vec(0.3, 0, 0), 2, full_law(0.4, 0));
    return w;
}

/* Two chassis, each on four wheels that only press, with a joint between them. */
static spc_world *make_wagons(void)
{
    spc_world *w = open_world(10, 17, vec(1, 0, -GRAVITY));
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_constraint c;
    int i, k;
    for (i = 0; i < 2; i++) {
        const spc_body chassis = put_body(w, spc_mass_box(3, vec(0.4, 0.3, 0.05)),
                                          vec(1.2 * i, 0, 0.2), zero, vec(1, 0, 0));
        for (k = 0; k < 4; k++) {
            const spc_vec3 at = vec(k & 1 ? 0.3 : -0.3, k & 2 ? 0.3 : -0.3, 0.02 - 0.1 * (k == 3));
            d.a = chassis;
            d.b = put_ball(w, 0.5, R, spc_add(at, vec(1.2 * i, 0, 0.2)));
            d.shape = spc_attachment_default();
            d.shape.locked = k % 2 ? SPC_HINGE : SPC_BALL_JOINT;
            d.shape.X_AF.p = at;
            CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
            (void)put_on_plane(w, ground, level(0), d.b, R, law_of(0.5, 0.2));
        }
        d.b = chassis;
        d.shape.locked = SPC_BALL_JOINT;
        d.shape.X_AF.p = vec(0.6, 0, 0);
        d.shape.X_BM.p = vec(-0.6, 0, 0);
        if (i == 0)
            d.a = chassis;
    }
    d.a.index = 1;
    d.a.generation = 1;
    CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
    return w;
}

/* Chains of balls that fall on a floor, one from a hook that swings. */
static spc_world *make_chains(void)
{
    spc_world *w = open_world(9, 20, vec(0, 0.5, -GRAVITY));
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_constraint c;
    int i, k;
    for (k = 0; k < 2; k++) {
        d.a = ground;
        for (i = 0; i < 4; i++) {
            d.b = put_ball(w, 1, R, vec(0.3 * (i + 1), k, 0.5));
            d.shape.locked = i % 2 ? SPC_HINGE : SPC_BALL_JOINT;
            d.shape.X_AF.p = i ? vec(0.15, 0, 0) : vec(0.15, k, 0.5);
            d.shape.X_BM.p = vec(-0.15, 0, 0);
            if (i || k)
                CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
            (void)put_on_plane(w, ground, level(0), d.b, R, law_of(0.3, 0.5));
            d.a = d.b;
        }
    }
    return w;
}

/* Balls and discs in lanes, chains, and a turntable whose islands take a step in parts; and balls
   that fall and roll on ground and on a floor that is shaken, one-sided, some from within it. */
static void shake(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    (void)user;
    state->X_GB.p.z = SPC_R(0.05) * time * time * (1 - time);
    state->V_GB.linear.z = SPC_R(0.05) * (2 * time - 3 * time * time);
    acceleration->linear.z = SPC_R(0.05) * (2 - 6 * time);
}

static spc_world *make_crowd(void)
{
    spc_world *w = open_world(80, 80, vec(0.1, 0, -GRAVITY));
    spc_body_desc table = spc_body_desc_default();
    spc_body floor[2] = { { 0, 0 }, { 0, 0 } };
    int i;
    table.kind = SPC_KINEMATIC;
    table.motion = shares_turn;
    CHECK_STATUS(spc_body_add(w, &table, &floor[0]), SPC_OK);
    table.motion = shake;
    CHECK_STATUS(spc_body_add(w, &table, &floor[1]), SPC_OK);
    for (i = 0; i < 9; i++) {
        shares_ball(w, ground, i, 1);
        shares_ball(w, floor[0], 0.1 * i, 0.5);
    }
    for (i = 0; i < 9; i++)
        shares_disc(w, i, 2);
    for (i = 0; i < 3; i++) {
        shares_chain(w, ground, vec(i, 3, 1), 1 + i, false, 6 * i);
        shares_chain(w, floor[0], vec(0.1 * i, 1, 1), 1 + i % 2, false, 8 * i);
    }
    for (i = 0; i < 21; i++) {
        const spc_body ball = put_ball(w, 1, R, vec(i, 4, R + 0.01 * (i % 5) - 0.004));
        send(w, ball, vec(i, 0, 1), vec(1, 0, i % 3 ? 0 : -1));
        (void)put_on_plane(w, i % 7 == 6 ? floor[1] : ground, level(0), ball, R,
                           law_of(0.1 * (i % 4), 0.4 * (i % 3)));
    }
    return w;
}

/* Lone bodies of all kinds of lanes: moments that differ, centres that are not the origin, discs
   of which some turn far in a step. */
static spc_world *make_lones(void)
{
    spc_world *w = open_world(50, 50, vec(0.1, 0, -GRAVITY));
    int i;
    for (i = 0; i < 50; i++) {
        const bool disc = i % 5 > 2;
        spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
        spc_rolling_disc_desc rim = spc_rolling_disc_desc_default();
        spc_mass mass = disc ? spc_mass_cylinder(1, real(R), real(0.01))
                             : spc_mass_solid_sphere(1, real(R));
        spc_constraint c;
        if (i % 5 == 0 || i % 5 == 4)
            mass.p_BBc = vec(0.01, 0.005, 0.01);
        if (i % 5 == 1)
            mass.inertia.yy *= real(1.2);
        if (i % 5 == 2 || i % 5 == 4)
            mass.inertia.xx *= real(1.3);
        rim.disc = d.ball = put_body(w, mass, vec(i, 0, R + 0.001 * (i % 2)), zero, zero);
        d.shape.radius = rim.shape.radius = real(R);
        rim.shape.axis_B = vec(0, 0, 1);
        if (disc)
            CHECK_STATUS(spc_body_set_pose(w, d.ball,
                                           spc_transform_make(spc_quat_from_rotation_vector(
                                                                  vec(1.5 + 0.01 * (i % 7), 0, 0)),
                                                              vec(i, 0, R))),
                         SPC_OK);
        send(w, d.ball,
             disc ? vec(0, i % 15 == 3 ? 300 : 5, 0.2 * (i % 3)) : vec(i % 4, 3, 1), zero);
        if (disc)
            CHECK_STATUS(spc_rolling_disc_add(w, &rim, &c), SPC_OK);
        else
            CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
    }
    return w;
}

/* Impacts that propagate: balls in a row, of which two hang together, against a wall. */
static spc_world *make_cradle(void)
{
    spc_world *w = open_world(7, 20, vec(0.3, 0, 0));
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_constraint c;
    spc_body ball[7];
    int i;
    for (i = 0; i < 7; i++) {
        ball[i] = put_ball(w, i == 3 ? 3 : 1, R, vec((2 * i + (i > 0) + (i > 4)) * R, 0, 0));
        if (i)
            (void)put_pair(w, ball[i - 1], ball[i], R, R, law_of(0.1, i % 3 ? 1 : 0.6));
        (void)put_on_plane(w, ground, plane_at(vec(-1, 0, 0), vec(17 * R, 0, 0)), ball[i], R,
                           law_of(0.2, 0.9));
    }
    d.a = ball[1];
    d.b = ball[2];
    d.shape.locked = SPC_WELD;
    d.shape.X_AF.p = vec(2 * R, 0, 0);
    CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
    send(w, ball[0], vec(0, 3, 0), vec(4, 0, 0));
    return w;
}

typedef struct entry {
    const char *name;
    spc_world *(*make)(void);
    double rate; /* of steps [Hz] */
} entry;

static const entry scenes[] = {
    { "gas", make_gas, 60 },       { "break", make_break, 60 },   { "pile", make_pile, 120 },
    { "boxes", make_boxes, 120 },  { "coins", make_coins, 240 },  { "wagons", make_wagons, 240 },
    { "chains", make_chains, 240 }, { "crowd", make_crowd, 100 }, { "lones", make_lones, 100 },
    { "cradle", make_cradle, 100 },
};
#define SCENES (sizeof scenes / sizeof *scenes)

/* ---------------------------------------------------------------------- tests --------------- */

/* Sorts of calls: steps, steps in shares, those of fourth order, and all. */
enum { STEPS, SHARES, FINE, MIXED, SORTS };

static spc_status take_call(spc_world *w, int sort, int k, spc_real h, bool in_shares)
{
    spc_status status;
    int i;
    if (sort == FINE || (sort == MIXED && k % 9 == 4))
        return spc_step_rk4(w, h, k % 4 ? SPC_DRIFT_PROJECT : SPC_DRIFT_STABILIZE);
    if (sort == MIXED && k % 3 == 0)
        return try_call(w, k / 3 % CALLS, (double)h);
    if (sort != SHARES || !in_shares)
        return spc_step(w, h);
    status = spc_step_begin(w, h, 3);
    for (i = 2; i >= 0 && !status; i--)
        (void)spc_step_share(w, i);
    return status ? status : spc_step_end(w);
}

/* A call of one world and of others whose state is the same: all do the same. */
static bool agree(const spc_world *a, spc_status done, const spc_world *b, spc_status also,
                  const char *scene, int sort, int k, const char *what)
{
    const bool alike = done == also && are_alike(a, b);
    CHECK(alike);
    if (!alike)
        printf("  %s, calls of sort %d, the %dth: %s: %s and %s\n", scene, sort, k, what,
               spc_status_text(done), spc_status_text(also));
    return alike;
}

/* From the state before each call a world that has been elsewhere goes where the first one does;
   and so does one whose scratch has been overwritten. */
static void follow(const entry *e, int sort, int calls)
{
    const spc_real h = real(1 / e->rate);
    spc_world *w[3];
    bool alike = true;
    int i, k, done = 0;
    for (i = 0; i < 3; i++) {
        before = i;
        w[i] = e->make();
    }
    for (k = 0; k < calls && alike; k++) {
        const saved s = save(w[0]);
        spc_status status[3];
        fill_scratch(w[2], k);
        CHECK_STATUS(spc_world_load_state(w[1], s.bytes, s.size), SPC_OK);
        for (i = 0; i < 3; i++) {
            fill_stack(k + i);
            status[i] = take_call(w[i], sort, k, h, i > 0);
        }
        done += status[0] == SPC_OK;
        alike = agree(w[0], status[0], w[1], status[1], e->name, sort, k, "a state") &&
                agree(w[0], status[0], w[2], status[2], e->name, sort, k, "scratch");
        (void)take_call(w[1], MIXED, 2 * k, h * real(0.3 + 0.1 * (k % 13)), false);
        free(s.bytes);
    }
    CHECK(done > calls / 2);
    for (i = 0; i < 3; i++)
        free(w[i]);
}

static void steps_follow_from_the_state_alone(void)
{
    size_t i;
    for (i = 0; i < SCENES; i++)
        follow(&scenes[i], STEPS, LONG_OR_SHORT(60, 10));
}

static void steps_in_shares_follow_from_the_state_alone(void)
{
    size_t i;
    for (i = 0; i < SCENES; i++)
        follow(&scenes[i], SHARES, LONG_OR_SHORT(20, 8));
}

static void steps_of_fourth_order_follow_from_the_state_alone(void)
{
    size_t i;
    for (i = 0; i < SCENES; i++)
        follow(&scenes[i], FINE, LONG_OR_SHORT(12, 4));
}

static void all_calls_follow_from_the_state_alone(void)
{
    size_t i;
    for (i = 0; i < SCENES; i += LONG_OR_SHORT(1, IN_DOUBLE_OR_FLOAT(4, 8)))
        follow(&scenes[i], MIXED, 57);
}

/* A copy at a place that other bytes were in; memory: what is to be freed. */
static spc_world *copy_of(const spc_world *w, int pattern, unsigned char **memory)
{
    const size_t bytes = spc_world_snapshot_size(w), place = 24;
    spc_world *copy = NULL;
    *memory = (unsigned char *)malloc(bytes + place);
    fill(*memory, bytes + place, pattern);
    memcpy(*memory + place, w, bytes);
    CHECK_STATUS(spc_world_open(*memory + place, bytes, &copy), SPC_OK);
    return copy;
}

/* The bytes that memory has before a world is made in it do not matter, nor where it lies: worlds
   that are made in zeros, in ones and in others go through the same steps, and so does a copy that
   is opened elsewhere in the midst of them. */
static void neither_the_memory_nor_its_place_matters(void)
{
    size_t i;
    int k, m;
    for (i = 0; i < SCENES; i++) {
        const spc_real h = real(1 / scenes[i].rate);
        unsigned char *memory = NULL;
        spc_world *w[4];
        int count = 3;
        for (m = 0; m < 3; m++) {
            before = m;
            w[m] = scenes[i].make();
        }
        for (k = 0; k < 40; k++) {
            if (k == 15) {
                w[3] = copy_of(w[0], k, &memory);
                count = 4;
            }
            for (m = 0; m < count; m++) {
                fill_stack(k + m);
                CHECK_STATUS(spc_step(w[m], h), SPC_OK);
                if (m > 0 && !agree(w[0], SPC_OK, w[m], SPC_OK, scenes[i].name, STEPS, k, "memory"))
                    k = 40;
            }
        }
        free(memory);
        for (m = 0; m < 3; m++)
            free(w[m]);
    }
}

static const test_entry tests[] = {
    TEST(steps_follow_from_the_state_alone),
    TEST(steps_in_shares_follow_from_the_state_alone),
    TEST(steps_of_fourth_order_follow_from_the_state_alone),
    TEST(all_calls_follow_from_the_state_alone),
    TEST(neither_the_memory_nor_its_place_matters),
};

TEST_MAIN
