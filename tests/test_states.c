/* [7.5] Small states: after one is loaded the world runs on as after it was saved, whatever it or
   another of the same structure has done before; what a state takes; what is refused. */
#include "test.h"
#include "world.h"
#include "random_worlds.h"
#include "states.h"

/* A past that leaves everything else: other states, forces, multipliers, decisions, sets of lanes.
   All that is enabled is so again. */
static void live_otherwise(scene *s)
{
    const int steps = random_int(0, 9);
    int i;
    for (i = 1; i < s->bodies; i++) {
        if (spc_body_set_velocity(s->world, s->body[i], test_random_spatial(1, 1)))
            continue; /* a callback moves it */
        CHECK(!spc_body_set_pose(s->world, s->body[i], test_random_transform(1)));
        if (s->dynamic[i] && random_int(0, 1)) {
            CHECK(!spc_body_add_force(s->world, s->body[i], vec(1, 2, 3), zero, SPC_ONE_STEP));
            CHECK(!spc_body_add_force(s->world, s->body[i], vec(3, 1, 2), zero, SPC_LASTING));
        } else if (!s->dynamic[i])
            CHECK(!spc_body_set_acceleration(s->world, s->body[i], test_random_spatial(1, 1)));
    }
    CHECK(!spc_world_set_time(s->world, real(test_random(-5, 5))));
    for (i = 0; i < steps; i++)
        (void)go_on(s->world, random_int(0, 7), STEP / 3);
    for (i = 0; i < s->constraints; i++) {
        if (!info_of(s, i).enabled)
            continue;
        CHECK(!spc_constraint_set_enabled(s->world, s->constraint[i], false));
        if (random_int(0, 1))
            (void)spc_step(s->world, STEP);
        CHECK(!spc_constraint_set_enabled(s->world, s->constraint[i], true));
    }
}

/* Forces of both durations, some of which sum up to nothing. */
static void push_some(scene *s)
{
    int i;
    for (i = 1; i < s->bodies; i++) {
        const spc_vec3 F = test_random_vec3(2);
        if (!s->dynamic[i])
            continue;
        if (i % 3 == 0)
            CHECK(!spc_body_clear_forces(s->world, s->body[i]));
        if (i % 3 == 1)
            CHECK(!spc_body_add_force(s->world, s->body[i], F, vec(0.1, 0, 0), SPC_ONE_STEP));
        if (i % 6 == 1)
            CHECK(!spc_body_add_force(s->world, s->body[i], spc_scale(-1, F), vec(0.1, 0, 0),
                                      SPC_ONE_STEP));
    }
}

/* Both worlds are made by the same calls; the state of one is loaded into the other, which has had
   a life of its own, and into itself later on. */
static void the_future_is_that_of_the_saved_moment(void)
{
    const int scenes = LONG_OR_SHORT(150, IN_DOUBLE_OR_FLOAT(150, 18));
    int i, done = 0;
    for (i = 0; i < scenes; i++) {
        const unsigned long long seed = test_seed;
        const int dynamic = 1 + i % 9;
        scene a, b;
        saved moment, end;
        random_scene(&a, dynamic);
        test_seed = seed;
        random_scene(&b, dynamic);
        CHECK(are_alike(a.world, b.world));
        done += go_on(a.world, i, STEP) == SPC_OK;
        push_some(&a);
        moment = save(a.world);
        live_otherwise(&b);
        CHECK(!are_alike(a.world, b.world));
        CHECK_STATUS(spc_world_load_state(b.world, moment.bytes, moment.size), SPC_OK);
        CHECK(are_alike(a.world, b.world));
        CHECK(go_on_alike(a.world, b.world, 24, STEP) >= 0);
        end = save(a.world);
        CHECK_STATUS(spc_world_load_state(a.world, moment.bytes, moment.size), SPC_OK);
        CHECK_STATUS(spc_world_load_state(b.world, moment.bytes, moment.size), SPC_OK);
        done += go_on_alike(a.world, b.world, 24, STEP);
        CHECK_STATUS(spc_world_load_state(b.world, end.bytes, end.size), SPC_OK);
        CHECK(are_alike(a.world, b.world));
        free(moment.bytes);
        free(end.bytes);
        free(a.world);
        free(b.world);
    }
    CHECK(done > scenes * 25 / 2); /* most calls have done their work, else little was tried */
}

/* Balls on a floor: n of them, in lanes of 4 or 8 and beside them. */
static spc_world *balls_on_ground(int n, spc_body *ball, spc_constraint *contact)
{
    spc_world_desc desc = spc_world_desc_default(n, n);
    spc_world *w;
    int i;
    desc.gravity = vec(1, 0, -9.81);
    w = test_world(&desc);
    for (i = 0; i < n; i++) {
        spc_body_desc body = spc_body_desc_default();
        spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
        body.mass = spc_mass_solid_sphere(1, real(0.1));
        body.state.X_GB.p = vec(0.3 * i, 0, 0.1);
        body.state.V_GB.angular = vec(0, 0.01 * i, 1);
        d.shape.radius = real(0.1);
        CHECK_STATUS(spc_body_add(w, &body, &d.ball), SPC_OK);
        CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &contact[i]), SPC_OK);
        ball[i] = d.ball;
    }
    return w;
}

/* Multipliers of balls stand in lanes after a step, and not after other calls. */
static void multipliers_come_back_from_wherever_they_stood(void)
{
    spc_body ball[11];
    spc_constraint contact[11];
    spc_world *w = balls_on_ground(11, ball, contact);
    spc_real before[SPC_MAX_ROWS], after[SPC_MAX_ROWS];
    int i, saved_in, loaded_in;
    for (saved_in = 0; saved_in < 8; saved_in++)
        for (loaded_in = 0; loaded_in < 8; loaded_in++) {
            saved moment;
            CHECK_STATUS(go_on(w, saved_in, STEP), SPC_OK);
            moment = save(w);
            CHECK(!spc_constraint_get_multipliers(w, contact[9], before));
            CHECK(!spc_body_add_force(w, ball[9], vec(0, 0, -30), zero, SPC_ONE_STEP));
            CHECK_STATUS(spc_step(w, STEP), SPC_OK);
            CHECK_STATUS(go_on(w, loaded_in, STEP), SPC_OK);
            CHECK_STATUS(spc_world_load_state(w, moment.bytes, moment.size), SPC_OK);
            CHECK(!spc_constraint_get_multipliers(w, contact[9], after));
            CHECK(is_bits(before, after, sizeof before));
            free(moment.bytes);
        }
    for (i = 0; i < 3; i++)
        CHECK(spc_norm(spc_vec3_make(before[0], before[1], before[2])) > 1);
    free(w);
}

/* 13 numbers of a body, 3 multipliers, and a byte that tells whether forces act. */
static void a_ball_with_its_contact_takes_80_bytes(void)
{
    enum { REAL = sizeof(spc_real), BALL = 16 * REAL + 1, FORCE = 12 * REAL, LAW = REAL + 3 };
    const spc_contact_law law = spc_contact_law_default();
    spc_body ball[500];
    spc_constraint contact[500];
    spc_world *w = balls_on_ground(500, ball, contact);
    const size_t head = 32 + 2 * REAL + 1, size = spc_world_state_size(w);
    CHECK(size == head + 500 * BALL);
    CHECK(16 * sizeof(float) + 1 == 65 && 16 * sizeof(double) + 1 == 129);
    CHECK(60 * (head + 500 * (16 * sizeof(float) + 1)) < 2500000);
    CHECK(10 * size < spc_world_snapshot_size(w));
    CHECK(!spc_body_add_force(w, ball[7], vec(1, 0, 0), zero, SPC_ONE_STEP));
    CHECK(spc_world_state_size(w) == size + FORCE);
    CHECK_STATUS(spc_step(w, STEP), SPC_OK);
    CHECK(spc_world_state_size(w) == size);
    CHECK(!spc_constraint_set_enabled(w, contact[3], false));
    CHECK(spc_world_state_size(w) == size - 3 * REAL);
    CHECK(spc_world_state_size(NULL) == 0);
    CHECK_STATUS(spc_constraint_set_law(w, contact[5], true, &law), SPC_OK);
    CHECK(spc_world_state_size(w) == size - 3 * REAL + LAW);
    CHECK(16 * sizeof(float) + 1 + sizeof(float) + 3 == 72);
    CHECK(16 * sizeof(double) + 1 + sizeof(double) + 3 == 140);
    CHECK(60 * (head + 500 * (size_t)72) < 2500000);
    free(w);
}

static unsigned long long number_at(const saved *s, size_t at, size_t count)
{
    unsigned long long sum = 0;
    while (count-- > 0)
        sum = sum << 8 | s->bytes[at + count];
    return sum;
}

/* The hash of the state below, in double and in float. */
#define STATE_HASH 0xbc732bc132c59a24ull
#define STATE_HASH_F 0xe415b7ba709edf46ull

/* Byte by byte, so that a machine with the highest byte first writes the same. */
static void bytes_are_the_same_on_every_machine(void)
{
    enum { REAL = sizeof(spc_real) };
    const unsigned long long half = REAL == 4 ? 0x3f000000u : 0x3fe0000000000000ull;
    spc_body_desc body = spc_body_desc_default();
    spc_world_desc desc = spc_world_desc_default(1, 0);
    spc_world *w = test_world(&desc);
    spc_body b;
    saved s;
    body.mass = spc_mass_solid_sphere(1, 1);
    body.state.X_GB.p.x = SPC_R(0.5);
    CHECK_STATUS(spc_body_add(w, &body, &b), SPC_OK);
    CHECK_STATUS(spc_world_set_time(w, SPC_R(-0.5)), SPC_OK);
    s = save(w);
    CHECK(s.size == 32 + 15 * REAL + 2);
    CHECK(!memcmp(s.bytes, "SPCS", 4));
    CHECK(s.bytes[4] == SPHERECONTACT_VERSION_MAJOR && s.bytes[5] == SPHERECONTACT_VERSION_MINOR);
    CHECK(s.bytes[6] == SPHERECONTACT_VERSION_PATCH && s.bytes[7] == REAL);
    CHECK(number_at(&s, 24, 8) == s.size);
    CHECK(number_at(&s, 32, REAL) == (half | 1ull << (8 * REAL - 1)));
    CHECK(number_at(&s, 32 + 2 * REAL + 1 + 4 * REAL, REAL) == half);
    CHECK(number_at(&s, 16, 8) == (REAL == 4 ? STATE_HASH_F : STATE_HASH));
    free(s.bytes);
    free(w);
}

/* Less memory than a state has is left alone; more than that, behind it. */
static void states_keep_to_their_bytes(void)
{
    spc_body ball[2];
    spc_constraint contact[2];
    spc_world *w = balls_on_ground(2, ball, contact);
    const size_t size = spc_world_state_size(w);
    unsigned char *memory = (unsigned char *)malloc(size + 9);
    memset(memory, PATTERN, size + 9);
    CHECK_STATUS(spc_world_save_state(w, memory, size - 1), SPC_ERROR_MEMORY_TOO_SMALL);
    CHECK(untouched(memory, size + 9));
    CHECK_STATUS(spc_world_save_state(w, memory + 1, size + 8), SPC_OK); /* at any address */
    CHECK(untouched(memory, 1) && untouched(memory + 1 + size, 8));
    CHECK_STATUS(spc_world_load_state(w, memory + 1, size + 8), SPC_OK);
    free(memory);
    free(w);
}

/* Whatever byte is damaged, the state is refused, and nothing is changed. */
static void damaged_states_are_refused(void)
{
    spc_body ball[3];
    spc_constraint contact[3];
    spc_world *w = balls_on_ground(3, ball, contact), *copy;
    const size_t bytes = spc_world_snapshot_size(w);
    saved s;
    size_t i;
    CHECK(!spc_body_add_force(w, ball[1], vec(1, 0, 0), zero, SPC_LASTING));
    s = save(w);
    CHECK_STATUS(spc_step(w, STEP), SPC_OK);
    copy = (spc_world *)malloc(bytes);
    memcpy(copy, w, bytes);
    for (i = 0; i < s.size; i++) {
        const unsigned char was = s.bytes[i];
        const spc_status wanted = i >= 8 && i < 16    ? SPC_ERROR_OTHER_STRUCTURE
                                  : i >= 26 && i < 32 ? SPC_ERROR_MEMORY_TOO_SMALL
                                                      : SPC_ERROR_NOT_A_STATE;
        s.bytes[i] = (unsigned char)(was ^ 1u << i % 8);
        if (i != 24 && i != 25) /* a length may become larger or smaller */
            CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size), wanted);
        else
            CHECK(spc_world_load_state(w, s.bytes, s.size) != SPC_OK);
        s.bytes[i] = was;
    }
    for (i = 0; i < s.size; i++)
        CHECK_STATUS(spc_world_load_state(w, s.bytes, i), SPC_ERROR_MEMORY_TOO_SMALL);
    CHECK_STATUS(spc_world_load_state(NULL, s.bytes, s.size), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_load_state(w, NULL, s.size), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_save_state(NULL, s.bytes, s.size), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_save_state(w, NULL, s.size), SPC_ERROR_NULL);
    CHECK(!memcmp(w, copy, bytes));
    CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size), SPC_OK);
    CHECK(memcmp(w, copy, bytes) != 0);
    free(s.bytes);
    free(copy);
    free(w);
}

/* The numbers of a state of one ball and its contact: where each begins, and how many bytes it has.
   Behind the clock and in front of multipliers stands a byte. */
#define NUMBERS 20

static size_t number_of_ball(int i, size_t *count)
{
    const size_t real = sizeof(spc_real);
    *count = i == 2 || i == 16 ? 1 : real;
    return 32 + (size_t)i * real - (i > 2 ? real - 1 : 0) - (i > 16 ? real - 1 : 0);
}

/* Makes its hash fit: FNV-1a by numbers; of a state without, and with what a one-sided contact has
   behind. */
static unsigned long long hashed(unsigned long long hash, const saved *s, size_t at, size_t count)
{
    hash = (hash ^ number_at(s, at, count)) * 1099511628211ull;
    return hash ^ hash >> 29;
}

static void put_hash_of(saved *s, bool one_sided)
{
    unsigned long long hash = 14695981039346656037ull;
    size_t count, k;
    int i;
    for (i = 0; i < NUMBERS; i++) {
        const size_t at = number_of_ball(i, &count);
        hash = hashed(hash, s, at, count);
    }
    if (one_sided)
        hash = hashed(hash, s, s->size - 3 - sizeof(spc_real), sizeof(spc_real));
    for (k = 3; k > 0 && one_sided; k--)
        hash = hashed(hash, s, s->size - k, 1);
    for (k = 0; k < 8; k++)
        s->bytes[16 + k] = (unsigned char)(hash >> 8 * k & 255u);
}

static void put_hash(saved *s)
{
    put_hash_of(s, false);
}

static void put_hash_behind(saved *s)
{
    put_hash_of(s, true);
}

/* Even where the hash fits: what is not finite, no rotation, too long or too short. */
static void numbers_that_no_state_has_are_refused(void)
{
    const unsigned long long infinity = sizeof(spc_real) == 4 ? 0x7f800000u : 0x7ff0000000000000ull;
    spc_body ball[1];
    spc_constraint contact[1];
    spc_world *w = balls_on_ground(1, ball, contact);
    saved s = save(w);
    unsigned char *good = (unsigned char *)malloc(s.size);
    size_t at, count, k;
    int i;
    memcpy(good, s.bytes, s.size);
    put_hash(&s);
    CHECK(!memcmp(good, s.bytes, s.size));
    for (i = 0; i < NUMBERS; i++) {
        at = number_of_ball(i, &count);
        for (k = 0; k < count && count > 1; k++)
            s.bytes[at + k] = (unsigned char)(infinity >> 8 * k & 255u);
        s.bytes[at] |= i % 2 && count > 1; /* NaN */
        put_hash(&s);
        CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size),
                     count > 1 ? SPC_ERROR_NOT_A_STATE : SPC_OK);
        memcpy(s.bytes, good, s.size);
    }
    at = number_of_ball(3, &count); /* q.w, which is 1 */
    for (k = 0; k < count; k++)
        s.bytes[at + k] = 0;
    put_hash(&s);
    CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size), SPC_ERROR_NOT_A_STATE);
    memcpy(s.bytes, good, s.size);
    s.bytes[number_of_ball(16, &count)] = 1; /* forces, which are not there */
    put_hash(&s);
    CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size), SPC_ERROR_NOT_A_STATE);
    free(s.bytes);
    s.size += sizeof(spc_real); /* more than there is to read */
    s.bytes = (unsigned char *)calloc(s.size, 1);
    memcpy(s.bytes, good, s.size - sizeof(spc_real));
    s.bytes[24] = (unsigned char)s.size;
    CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size), SPC_ERROR_NOT_A_STATE);
    free(good);
    free(s.bytes);
    free(w);
}

/* Behind the multipliers of a one-sided contact stand the speed of its last hit and three bytes:
   its state, which is one of three, how long it waits, any number, and tries, up to 6. */
static void contacts_that_no_state_has_are_refused(void)
{
    const unsigned char most[3] = { SPC_CONTACT_ROLLING, 255, 6 };
    const spc_contact_law law = spc_contact_law_default();
    spc_body ball[1];
    spc_constraint contact[1];
    spc_world *w = balls_on_ground(1, ball, contact);
    saved s;
    int i, more;
    CHECK_STATUS(spc_constraint_set_law(w, contact[0], true, &law), SPC_OK);
    s = save(w);
    for (i = 0; i < 3; i++)
        for (more = 0; more < 2; more++) {
            const unsigned char was = s.bytes[s.size - 3 + (size_t)i];
            s.bytes[s.size - 3 + (size_t)i] = (unsigned char)(most[i] + more);
            put_hash_behind(&s);
            CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size),
                         more && i != 1 ? SPC_ERROR_NOT_A_STATE : SPC_OK);
            s.bytes[s.size - 3 + (size_t)i] = was;
        }
    free(s.bytes);
    free(w);
}

/* What tells a structure from another; taking the change back makes the state fit again. */
static void states_of_another_structure_are_refused(void)
{
    spc_world_desc desc = spc_world_desc_default(3, 2);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_sphere_on_plane shape;
    spc_world *w = test_world(&desc);
    spc_constraint c, other;
    spc_body third;
    saved s;
    body.mass = spc_mass_solid_sphere(1, 1);
    d.shape.radius = 1;
    CHECK_STATUS(spc_body_add(w, &body, &d.floor), SPC_OK);
    body.state.X_GB.p.z = 1;
    CHECK_STATUS(spc_body_add(w, &body, &d.ball), SPC_OK);
    CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
    s = save(w);
    CHECK_STATUS(spc_body_add(w, &body, &third), SPC_OK);
    CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size), SPC_ERROR_OTHER_STRUCTURE);
    CHECK_STATUS(spc_body_remove(w, third), SPC_OK);
    CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size), SPC_OK);
    CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &other), SPC_OK);
    CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size), SPC_ERROR_OTHER_STRUCTURE);
    CHECK_STATUS(spc_constraint_remove(w, other), SPC_OK);
    CHECK_STATUS(spc_constraint_set_enabled(w, c, false), SPC_OK);
    CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size), SPC_ERROR_OTHER_STRUCTURE);
    CHECK_STATUS(spc_constraint_set_enabled(w, c, true), SPC_OK);
    CHECK_STATUS(spc_sphere_on_plane_get(w, c, &shape), SPC_OK);
    shape.rolling = false;
    CHECK_STATUS(spc_sphere_on_plane_set(w, c, &shape), SPC_OK);
    CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size), SPC_ERROR_OTHER_STRUCTURE);
    shape.rolling = true;
    CHECK_STATUS(spc_sphere_on_plane_set(w, c, &shape), SPC_OK);
    CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size), SPC_OK);
    CHECK_STATUS(spc_constraint_remove(w, c), SPC_OK);
    d.floor = d.ball;
    d.ball.index = d.ball.generation = 0; /* the ball carries the plane, under another handle */
    CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
    CHECK_STATUS(spc_world_load_state(w, s.bytes, s.size), SPC_ERROR_OTHER_STRUCTURE);
    free(s.bytes);
    free(w);
}

/* One of two worlds that were made alike but for one thing. variant: which. */
static spc_world *almost_alike(int variant)
{
    spc_world_desc desc = spc_world_desc_default(4 + variant, 2); /* room is no structure */
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    spc_sphere_on_plane_desc plane = spc_sphere_on_plane_desc_default();
    spc_world *w = test_world(&desc);
    spc_body first, second, third;
    spc_constraint c;
    body.mass = spc_mass_solid_sphere(1, 1);
    CHECK_STATUS(spc_body_add(w, &body, &first), SPC_OK);
    body.state.X_GB.p.x = 2;
    CHECK_STATUS(spc_body_add(w, &body, &second), SPC_OK);
    body.state.X_GB.p.x = 4;
    body.kind = variant == 1 ? SPC_DYNAMIC : SPC_KINEMATIC;
    body.motion = variant == 2 ? ride : NULL;
    CHECK_STATUS(spc_body_add(w, &body, &third), SPC_OK);
    d.a = variant == 3 ? second : first;
    d.b = variant == 3 ? first : second;
    d.shape.radius_a = d.shape.radius_b = 1;
    plane.floor = first;
    plane.ball = second;
    plane.shape.radius = 1;
    if (variant == 4)
        CHECK_STATUS(spc_sphere_on_plane_add(w, &plane, &c), SPC_OK);
    else
        CHECK_STATUS(spc_sphere_on_sphere_add(w, &d, &c), SPC_OK);
    return w;
}

static void worlds_of_other_kinds_refuse_a_state(void)
{
    spc_world *w = almost_alike(0);
    const saved s = save(w);
    int variant;
    for (variant = 0; variant < 6; variant++) {
        spc_world *other = almost_alike(variant);
        CHECK_STATUS(spc_world_load_state(other, s.bytes, s.size),
                     variant % 5 ? SPC_ERROR_OTHER_STRUCTURE : SPC_OK);
        free(other);
    }
    free(s.bytes);
    free(w);
}

/* Kinematic bodies go on with what was prescribed when the state was saved, and callbacks are not
   asked: their bodies stand where they stood, be the clock as it may. */
static void prescribed_motion_is_part_of_a_state(void)
{
    scene s;
    saved moment;
    spc_state before, after;
    int i;
    test_seed = 3;
    random_scene(&s, 3);
    for (i = 1; i < 3; i++) {
        CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
        moment = save(s.world);
        before = state_of(s.world, s.body[i]);
        CHECK_STATUS(spc_world_set_time(s.world, 7), SPC_OK);
        (void)spc_body_set_acceleration(s.world, s.body[i], test_random_spatial(1, 1));
        CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
        CHECK_STATUS(spc_world_load_state(s.world, moment.bytes, moment.size), SPC_OK);
        after = state_of(s.world, s.body[i]);
        CHECK(SAME_BITS(before, after));
        free(moment.bytes);
    }
    free(s.world);
}

static const test_entry tests[] = {
    TEST(the_future_is_that_of_the_saved_moment),
    TEST(multipliers_come_back_from_wherever_they_stood),
    TEST(a_ball_with_its_contact_takes_80_bytes),
    TEST(bytes_are_the_same_on_every_machine),
    TEST(states_keep_to_their_bytes),
    TEST(damaged_states_are_refused),
    TEST(numbers_that_no_state_has_are_refused),
    TEST(contacts_that_no_state_has_are_refused),
    TEST(states_of_another_structure_are_refused),
    TEST(worlds_of_other_kinds_refuse_a_state),
    TEST(prescribed_motion_is_part_of_a_state),
};

TEST_MAIN
