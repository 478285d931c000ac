/* What section [7] refuses: each error code of each function, and that a refused call changes
   nothing. Calls refused at their arguments leave every byte of the world; calls refused late may
   use scratch memory, and leave everything that can be asked. Then discs that lie flat, what the
   setters keep, handles, names, and rows that are switched on and off. */
#include "test.h"

#include <limits.h>

#ifdef SPC_USE_FLOAT
#define LARGEST 3.4028234663852886e+38
#define SMALLEST 1.401298464324817e-45
#else
#define LARGEST 1.7976931348623157e+308
#define SMALLEST 4.9406564584124654e-324
#endif

/* What outputs hold before a call that must leave them alone. */
#define PATTERN 0xA5

/* Bytes in front of a world that tell of what build it is. */
#define HEAD 16

/* Powers of two, so that times of steps are exact. */
#define STEP SPC_R(0.0078125)

static double bad_number(int i)
{
    return i == 0 ? (double)NAN : i == 1 ? (double)INFINITY : -(double)INFINITY;
}

static spc_real real(double x)
{
    return (spc_real)x;
}

static spc_vec3 vec3(double x, double y, double z)
{
    return spc_vec3_make(real(x), real(y), real(z));
}

static spc_vec3 zero3(void)
{
    return vec3(0, 0, 0);
}

static bool untouched(const void *bytes, size_t count)
{
    const unsigned char *b = (const unsigned char *)bytes;
    size_t i;
    for (i = 0; i < count; i++)
        if (b[i] != PATTERN)
            return false;
    return true;
}

/* Enumerators that do not exist; through an int, since no constant of the type has the value. */
static spc_duration bad_duration(int i)
{
    return (spc_duration)i;
}

static spc_drift bad_drift(int i)
{
    return (spc_drift)i;
}

static spc_body_kind bad_kind(int i)
{
    return (spc_body_kind)i;
}

static bool is_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

#define SAME_BITS(a, b) is_bits(&(a), &(b), sizeof(a))

/* --------------------------------------------------------------------------- motions -------- */

/* What a motion does wrong, and from when on. */
typedef struct fault {
    int kind;
    spc_real from;
} fault;

enum {
    FAULT_NONE,
    FAULT_POSITION,
    FAULT_QUATERNION,
    FAULT_ZERO_QUATERNION,
    FAULT_ANGULAR,
    FAULT_LINEAR,
    FAULT_ACCELERATION,
    FAULT_KINDS
};

/* Goes up and down, x = t^2 / 2, until it fails. */
static void swing(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    const fault *f = (const fault *)user;
    *state = spc_state_identity();
    state->X_GB.p = spc_vec3_make(time * time / 2, 5, 5);
    state->V_GB.linear = spc_vec3_make(time, 0, 0);
    *acceleration = spc_spatial_make(zero3(), vec3(1, 0, 0));
    if (!f || time < f->from)
        return;
    if (f->kind == FAULT_POSITION)
        state->X_GB.p.y = real(bad_number(1));
    if (f->kind == FAULT_QUATERNION)
        state->X_GB.q.x = real(bad_number(0));
    if (f->kind == FAULT_ZERO_QUATERNION)
        state->X_GB.q = spc_quat_make(0, 0, 0, 0);
    if (f->kind == FAULT_ANGULAR)
        state->V_GB.angular.z = real(bad_number(0));
    if (f->kind == FAULT_LINEAR)
        state->V_GB.linear.x = real(bad_number(2));
    if (f->kind == FAULT_ACCELERATION)
        acceleration->linear.y = real(bad_number(0));
}

/* When a motion tips over: within [from, to). */
typedef struct tipping {
    spc_real from, to;
} tipping;

/* About x, by which y comes to be vertical. */
static spc_quat quarter_turn(void)
{
    const spc_real half = real(sqrt(0.5));
    return spc_quat_make(half, half, 0, 0);
}

static void tip(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    const tipping *t = (const tipping *)user;
    *state = spc_state_identity();
    *acceleration = spc_spatial_make(zero3(), zero3());
    if (time >= t->from && time < t->to)
        state->X_GB.q = quarter_turn();
}

/* ---------------------------------------------------------------------------- scenes -------- */

#define MOST 48
#define KINDS 3

static const spc_constraint_kind kinds[KINDS] = { SPC_SPHERE_ON_PLANE, SPC_ROLLING_DISC,
                                                  SPC_ATTACHMENT };

/* A world with something of each kind, and its bytes at the last mark. */
typedef struct scene {
    spc_world *world;
    void *marked;
    int bodies, constraints;
    spc_body body[MOST];
    spc_constraint constraint[MOST];
    fault wrong;
    tipping tips;
} scene;

static scene s;

static void mark(void)
{
    memcpy(s.marked, s.world, spc_world_bytes(s.world));
}

static bool unchanged(void)
{
    return memcmp(s.marked, s.world, spc_world_bytes(s.world)) == 0;
}

static spc_body add_body(const spc_body_desc *desc)
{
    CHECK(s.bodies < MOST);
    CHECK_STATUS(spc_body_add(s.world, desc, &s.body[s.bodies]), SPC_OK);
    return s.body[s.bodies++];
}

static spc_body add_ball(double x, double y)
{
    spc_body_desc d = spc_body_desc_default();
    d.mass = spc_mass_solid_sphere(2, SPC_R(0.5));
    d.state.X_GB.p = vec3(x, y, 0.5);
    return add_body(&d);
}

static spc_body add_kinematic(spc_motion motion, void *user)
{
    spc_body_desc d = spc_body_desc_default();
    d.kind = SPC_KINEMATIC;
    d.motion = motion;
    d.user = user;
    return add_body(&d);
}

static spc_sphere_on_plane_desc contact_of(spc_body floor, spc_body ball)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    d.floor = floor;
    d.ball = ball;
    d.shape.radius = SPC_R(0.5);
    return d;
}

static spc_constraint add_contact(spc_body floor, spc_body ball)
{
    const spc_sphere_on_plane_desc d = contact_of(floor, ball);
    CHECK(s.constraints < MOST);
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.constraint[s.constraints]), SPC_OK);
    return s.constraint[s.constraints++];
}

/* A wheel of the size of the ball, about y: upright at the identity. */
static spc_rolling_disc_desc disc_of(spc_body floor, spc_body disc)
{
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    d.floor = floor;
    d.disc = disc;
    d.shape.axis_B = vec3(0, 1, 0);
    d.shape.radius = SPC_R(0.5);
    return d;
}

static spc_constraint add_disc(spc_body floor, spc_body disc)
{
    const spc_rolling_disc_desc d = disc_of(floor, disc);
    CHECK(s.constraints < MOST);
    CHECK_STATUS(spc_rolling_disc_add(s.world, &d, &s.constraint[s.constraints]), SPC_OK);
    return s.constraint[s.constraints++];
}

/* What the calls that add a constraint have in common. */
static spc_status try_add(spc_constraint_kind kind, spc_body floor, spc_body body, const char *name,
                          spc_constraint *constraint)
{
    spc_sphere_on_plane_desc sphere = contact_of(floor, body);
    spc_rolling_disc_desc disc = disc_of(floor, body);
    spc_attachment_desc joint = spc_attachment_desc_default();
    joint.a = floor;
    joint.b = body;
    sphere.name = disc.name = joint.name = name;
    if (kind == SPC_ATTACHMENT)
        return spc_attachment_add(s.world, &joint, constraint);
    if (kind == SPC_ROLLING_DISC)
        return spc_rolling_disc_add(s.world, &disc, constraint);
    return spc_sphere_on_plane_add(s.world, &sphere, constraint);
}

static spc_body ground(void)
{
    spc_body b;
    b.index = b.generation = 0;
    return b;
}

static void open_empty(const spc_world_desc *desc)
{
    memset(&s, 0, sizeof s);
    s.world = test_world(desc);
    s.marked = malloc(spc_world_size(desc));
    CHECK(s.marked != NULL);
}

enum { BALL, RIDER, TRAY, SWING, SPARE, WHEEL };     /* bodies of the scene */
enum { ON_GROUND, ON_TRAY, SWITCHED_OFF, WHEELING }; /* its constraints */

/* A ball on the ground, one on a tray that is moved by setters, a body that a callback moves, a
   spare ball and a wheel; forces act, a step has been made, and accelerations are known. */
static void open_scene(void)
{
    spc_world_desc desc = spc_world_desc_default(8, 8);
    spc_sphere_on_plane_desc off;
    desc.gravity = vec3(1, 0, -10);
    open_empty(&desc);
    (void)add_ball(0, 0);
    (void)add_ball(3, 0);
    (void)add_kinematic(NULL, NULL);
    (void)add_kinematic(swing, NULL);
    (void)add_ball(6, 0);
    (void)add_contact(ground(), s.body[BALL]);
    (void)add_contact(s.body[TRAY], s.body[RIDER]);
    off = contact_of(ground(), s.body[RIDER]);
    off.disabled = true;
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &off, &s.constraint[s.constraints++]), SPC_OK);
    (void)add_ball(9, 0);
    (void)add_disc(ground(), s.body[WHEEL]);
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    CHECK_STATUS(spc_body_add_force(s.world, s.body[BALL], vec3(0, 1, 0), zero3(), SPC_ONE_STEP),
                 SPC_OK);
    CHECK_STATUS(spc_body_add_force(s.world, s.body[RIDER], vec3(0, 1, 0), zero3(), SPC_LASTING),
                 SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    mark();
}

static void close_scene(void)
{
    free(s.world);
    free(s.marked);
    memset(&s, 0, sizeof s);
}

/* Everything that can be asked of a world. */
typedef struct look {
    unsigned long long hash;
    spc_real time;
    spc_vec3 gravity;
    spc_state state[MOST];
    spc_spatial acceleration[MOST];
    spc_real multipliers[MOST][SPC_MAX_ROWS];
    spc_contact_force forces[MOST]; /* zeros where there is no contact point */
    spc_stabilization stabilization[MOST];
    spc_constraint_info info[MOST];
    spc_world_report report;
    int rows;
} look;

static void look_at(const spc_world *w, look *l)
{
    int i;
    memset(l, 0, sizeof *l);
    l->hash = spc_world_hash(w);
    l->time = spc_world_time(w);
    l->gravity = spc_world_gravity(w);
    l->rows = spc_world_row_count(w);
    (void)spc_world_get_report(w, &l->report);
    for (i = 0; i < s.bodies; i++) {
        (void)spc_body_get_state(w, s.body[i], &l->state[i]);
        (void)spc_body_get_acceleration(w, s.body[i], &l->acceleration[i]);
    }
    for (i = 0; i < s.constraints; i++) {
        (void)spc_constraint_get_multipliers(w, s.constraint[i], l->multipliers[i]);
        (void)spc_constraint_get_forces(w, s.constraint[i], &l->forces[i]);
        (void)spc_constraint_get_stabilization(w, s.constraint[i], &l->stabilization[i]);
        (void)spc_constraint_get_info(w, s.constraint[i], &l->info[i]);
    }
}

/* Field by field: copies of structs need not keep the padding. */
static bool same_stabilization(const spc_stabilization *a, const spc_stabilization *b)
{
    return SAME_BITS(a->time_constant, b->time_constant) && a->enabled == b->enabled &&
           a->ignore_position == b->ignore_position && a->ignore_velocity == b->ignore_velocity;
}

static bool same_info(const spc_constraint_info *a, const spc_constraint_info *b)
{
    return a->kind == b->kind && SAME_BITS(a->a, b->a) && SAME_BITS(a->b, b->b) &&
           a->enabled == b->enabled && a->conditional == b->conditional &&
           a->position_rows == b->position_rows && a->velocity_rows == b->velocity_rows &&
           a->acceleration_rows == b->acceleration_rows && a->row_index == b->row_index &&
           SAME_BITS(a->name, b->name) && a->id == b->id && a->redundant == b->redundant &&
           SAME_BITS(a->contradiction, b->contradiction);
}

static bool same_report(const spc_world_report *a, const spc_world_report *b)
{
    return a->factorizations == b->factorizations && a->substitutions == b->substitutions &&
           a->redundant_rows == b->redundant_rows && a->contradictory == b->contradictory &&
           SAME_BITS(a->worst, b->worst) && SAME_BITS(a->contradiction, b->contradiction);
}

static bool looks_alike(const look *a, const look *b)
{
    int i;
    for (i = 0; i < MOST; i++)
        if (!same_stabilization(&a->stabilization[i], &b->stabilization[i]) ||
            !same_info(&a->info[i], &b->info[i]))
            return false;
    return a->hash == b->hash && SAME_BITS(a->time, b->time) && SAME_BITS(a->gravity, b->gravity) &&
           SAME_BITS(a->state, b->state) && SAME_BITS(a->acceleration, b->acceleration) &&
           SAME_BITS(a->multipliers, b->multipliers) && SAME_BITS(a->forces, b->forces) &&
           a->rows == b->rows && same_report(&a->report, &b->report);
}

/* Refused at its arguments: no byte of the world differs. */
#define REFUSED(call, wanted)       \
    do {                            \
        CHECK_STATUS(call, wanted); \
        CHECK(unchanged());         \
    } while (0)

/* The same, and an output keeps its bytes. */
#define REFUSED_OUT(call, wanted, out)         \
    do {                                       \
        memset(&(out), PATTERN, sizeof(out));  \
        REFUSED(call, wanted);                 \
        CHECK(untouched(&(out), sizeof(out))); \
    } while (0)

/* Refused late: what can be asked is the same. */
#define REFUSED_LATE(call, wanted)           \
    do {                                     \
        look before, after;                  \
        look_at(s.world, &before);           \
        CHECK_STATUS(call, wanted);          \
        look_at(s.world, &after);            \
        CHECK(looks_alike(&before, &after)); \
    } while (0)

#define SOLVES 6 /* calls that solve something; the first three are steps */

static spc_status try_solve(spc_world *w, int i)
{
    if (i == 0)
        return spc_step(w, STEP);
    if (i <= 2)
        return spc_step_rk4(w, STEP, i == 1 ? SPC_DRIFT_STABILIZE : SPC_DRIFT_PROJECT);
    if (i == 3)
        return spc_world_forward_dynamics(w);
    return i == 4 ? spc_world_assemble(w, SPC_R(0.01), NULL) : spc_world_project_velocities(w);
}

static spc_status try_step(int i)
{
    return try_solve(s.world, i);
}

/* Every call that solves something is refused late, and leaves its outputs. */
static void check_nothing_is_solved(spc_status wanted)
{
    const int rows = spc_world_row_count(s.world);
    spc_real v[3 * MOST], impulses[3 * MOST], place[3 * MOST], residual;
    int i;
    memset(v, 0, sizeof v);
    memset(impulses, PATTERN, sizeof impulses);
    memset(place, PATTERN, sizeof place);
    memset(&residual, PATTERN, sizeof residual);
    for (i = 0; i < 2 * SOLVES; i++) /* the second time as the first */
        REFUSED_LATE(try_solve(s.world, i % SOLVES), wanted);
    REFUSED_LATE(spc_world_assemble(s.world, SPC_R(0.01), &residual), wanted);
    REFUSED_LATE(spc_world_apply_impulses(s.world, NULL, impulses, rows), wanted);
    REFUSED_LATE(spc_world_apply_impulses(s.world, v, impulses, rows), wanted);
    REFUSED_LATE(spc_world_apply_impulses(s.world, v, NULL, rows), wanted);
    REFUSED_LATE(spc_world_free_motion(s.world, STEP, impulses, place, rows), wanted);
    REFUSED_LATE(spc_world_free_motion(s.world, STEP, NULL, NULL, 0), wanted);
    REFUSED_LATE(spc_world_correct(s.world, STEP, v, rows), wanted);
    REFUSED_LATE(spc_world_displace(s.world, STEP, v, rows), wanted);
    CHECK(untouched(place, sizeof place));
    CHECK(untouched(&residual, sizeof residual));
    CHECK(untouched(impulses, sizeof impulses));
}

/* A copy of the world as it was at the last mark. */
static spc_world *marked_world(void)
{
    spc_world *w = NULL;
    CHECK_STATUS(spc_world_open(s.marked, spc_world_bytes(s.world), &w), SPC_OK);
    return w;
}

/* All that can be asked of the world and of another with the same handles is the same now, and
   stays so whatever is done to both. */
static void check_go_on_alike(spc_world *twin)
{
    look l, of_twin;
    int i;
    for (i = -1; i < 2 * SOLVES; i++) {
        if (i >= 0) {
            CHECK_STATUS(try_solve(s.world, i % SOLVES), SPC_OK);
            CHECK_STATUS(try_solve(twin, i % SOLVES), SPC_OK);
        }
        look_at(s.world, &l);
        look_at(twin, &of_twin);
        CHECK(looks_alike(&l, &of_twin));
    }
}

/* ---------------------------------------------------------------------- status texts -------- */

static void every_status_has_a_text_of_its_own(void)
{
    int i, k;
    for (i = (int)SPC_OK; i < (int)SPC_STATUS_COUNT; i++) {
        const char *text = spc_status_text((spc_status)i);
        CHECK(text != NULL && strlen(text) > 1);
        CHECK(strcmp(text, "unknown status") != 0);
        for (k = (int)SPC_OK; k < i; k++)
            CHECK(strcmp(text, spc_status_text((spc_status)k)) != 0);
    }
    CHECK(SPC_OK == 0);
    CHECK(strcmp(spc_status_text(SPC_OK), "ok") == 0);
}

static void codes_out_of_range_are_unknown(void)
{
    const int codes[4] = { (int)SPC_OK - 1, (int)SPC_STATUS_COUNT, (int)SPC_STATUS_COUNT + 1,
                           1 << 20 };
    int i;
    for (i = 0; i < 4; i++)
        CHECK(strcmp(spc_status_text((spc_status)codes[i]), "unknown status") == 0);
}

/* -------------------------------------------------------------- descriptions, memory -------- */

/* Refused by spc_world_size and spc_world_create; memory and result stay. */
static void check_bad_desc(int line, const spc_world_desc *d, spc_status wanted)
{
    static double memory[2000];
    spc_world *const none = (spc_world *)(void *)memory;
    spc_world *world = none;
    memset(memory, PATTERN, sizeof memory);
    test_status(__FILE__, line, "spc_world_create",
                spc_world_create(memory, sizeof memory, d, &world), wanted);
    CHECK(spc_world_size(d) == 0);
    CHECK(world == none);
    CHECK(untouched(memory, sizeof memory));
}

static void bad_world_descriptions_are_refused(void)
{
    const spc_world_desc good = spc_world_desc_default(2, 2);
    const int most = 16777216;
    spc_world_desc d;
    int i;
    CHECK(spc_world_size(&good) > 0);
    check_bad_desc(__LINE__, NULL, SPC_ERROR_NULL);
    d = good, d.bodies = -1, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = good, d.bodies = most + 1, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = good, d.bodies = INT_MAX, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = good, d.constraints = -1, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = good, d.constraints = INT_MAX, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = good, d.rows = -1, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = good, d.rows = INT_MAX, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = good, d.coupling = (size_t)-1, check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = spc_world_desc_default(-1, 2), check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = spc_world_desc_default(2, -1), check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    d = spc_world_desc_default(2, INT_MAX), check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_CAPACITY);
    for (i = 0; i < 3; i++) {
        const spc_real b = real(bad_number(i));
        d = good, d.gravity.x = b, check_bad_desc(__LINE__, &d, SPC_ERROR_NOT_FINITE);
        d = good, d.gravity.y = b, check_bad_desc(__LINE__, &d, SPC_ERROR_NOT_FINITE);
        d = good, d.gravity.z = b, check_bad_desc(__LINE__, &d, SPC_ERROR_NOT_FINITE);
        d = good, d.stabilization.time_constant = b,
        check_bad_desc(__LINE__, &d, SPC_ERROR_NOT_FINITE);
    }
    d = good, d.stabilization.time_constant = 0,
    check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_TIME_CONSTANT);
    d = good, d.stabilization.time_constant = -1,
    check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_TIME_CONSTANT);
    d = good, d.stabilization.ignore_position = 64,
    check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_OPTION);
    d = good, d.stabilization.ignore_velocity = 64,
    check_bad_desc(__LINE__, &d, SPC_ERROR_BAD_OPTION);
    d = good, d.stabilization.ignore_velocity = 63;
    CHECK(spc_world_size(&d) > 0);
}

static void the_size_grows_linearly_with_each_count(void)
{
    size_t size[4][3];
    int i, k;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 4; k++) {
            spc_world_desc d = spc_world_desc_default(2000, 2000);
            /* multiples of 2000 leave no rounding: every array is a whole number of words */
            d.bodies += k == 0 ? 2000 * i : 0;
            d.constraints += k == 1 ? 2000 * i : 0;
            d.rows += k == 2 ? 2000 * i : 0;
            d.coupling += k == 3 ? (size_t)(2000 * i) : 0;
            size[k][i] = spc_world_size(&d);
        }
    for (k = 0; k < 4; k++) {
        CHECK(size[k][1] > size[k][0]);
        CHECK(size[k][2] - size[k][1] == size[k][1] - size[k][0]);
    }
    CHECK(size[3][1] - size[3][0] == 2000);
}

static void memory_must_be_aligned_and_large_enough(void)
{
    const spc_world_desc desc = spc_world_desc_default(3, 3);
    const size_t size = spc_world_size(&desc);
    /* exactly as much as asked for, so that a sanitizer sees a byte too many */
    unsigned char *memory = (unsigned char *)malloc(size),
                  *roomy = (unsigned char *)malloc(size + 16);
    spc_world *world = NULL;
    size_t i;
    CHECK(memory != NULL && roomy != NULL);
    memset(memory, PATTERN, size);
    memset(roomy, PATTERN, size + 16);
    CHECK_STATUS(spc_world_create(NULL, size, &desc, &world), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_create(memory, size, &desc, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_create(memory, size - 1, &desc, &world), SPC_ERROR_MEMORY_TOO_SMALL);
    CHECK_STATUS(spc_world_create(memory, 0, &desc, &world), SPC_ERROR_MEMORY_TOO_SMALL);
    for (i = 1; i < SPC_WORLD_ALIGNMENT; i++)
        CHECK_STATUS(spc_world_create(roomy + i, size, &desc, &world), SPC_ERROR_MEMORY_MISALIGNED);
    CHECK(world == NULL);
    CHECK(untouched(memory, size));
    CHECK(untouched(roomy, size + 16));
    CHECK_STATUS(spc_world_create(memory, size, &desc, &world), SPC_OK);
    CHECK((void *)world == (void *)memory);
    CHECK(spc_world_bytes(world) == size);
    CHECK_STATUS(spc_step(world, STEP), SPC_OK);
    CHECK_STATUS(spc_world_create(roomy + SPC_WORLD_ALIGNMENT, size + 16 - SPC_WORLD_ALIGNMENT,
                                  &desc, &world),
                 SPC_OK);
    CHECK((void *)world == (void *)(roomy + SPC_WORLD_ALIGNMENT));
    CHECK(untouched(roomy, SPC_WORLD_ALIGNMENT));
    CHECK(untouched(roomy + SPC_WORLD_ALIGNMENT + size, 16 - SPC_WORLD_ALIGNMENT));
    free(memory);
    free(roomy);
}

static void a_copy_of_a_world_opens_and_goes_on_alike(void)
{
    size_t size;
    unsigned char *memory;
    spc_world *copy = NULL;
    int i;
    open_scene();
    size = spc_world_bytes(s.world);
    memory = (unsigned char *)malloc(size);
    memcpy(memory, s.world, size);
    CHECK_STATUS(spc_world_open(memory, size, &copy), SPC_OK);
    CHECK((void *)copy == (void *)memory);
    CHECK(spc_world_hash(copy) == spc_world_hash(s.world));
    for (i = 0; i < 20; i++) {
        CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
        CHECK_STATUS(spc_step(copy, STEP), SPC_OK);
        CHECK(spc_world_hash(copy) == spc_world_hash(s.world));
    }
    free(memory);
    close_scene();
}

static void what_is_no_world_does_not_open(void)
{
    const spc_world_desc desc = spc_world_desc_default(3, 3);
    const size_t size = spc_world_size(&desc);
    unsigned char *memory = (unsigned char *)malloc(size),
                  *roomy = (unsigned char *)malloc(size + 8);
    spc_world *made = NULL, *world = NULL;
    size_t i;
    CHECK(memory != NULL && roomy != NULL);
    memset(memory, 0, size);
    CHECK_STATUS(spc_world_open(memory, size, &world), SPC_ERROR_NOT_A_WORLD);
    memset(memory, 0xFF, size);
    CHECK_STATUS(spc_world_open(memory, size, &world), SPC_ERROR_NOT_A_WORLD);
    for (i = 0; i < size; i++)
        memory[i] = (unsigned char)(i * 37 + 11);
    CHECK_STATUS(spc_world_open(memory, size, &world), SPC_ERROR_NOT_A_WORLD);
    CHECK_STATUS(spc_world_create(memory, size, &desc, &made), SPC_OK);
    CHECK_STATUS(spc_world_open(NULL, size, &world), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_open(memory, size, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_open(memory, 0, &world), SPC_ERROR_MEMORY_TOO_SMALL);
    for (i = 8; i <= 64; i += 8) { /* less than what is looked at behind the head of 16 bytes */
        unsigned char *scrap = (unsigned char *)malloc(i);
        CHECK(scrap != NULL);
        memset(scrap, 0, i);
        CHECK_STATUS(spc_world_open(scrap, i, &world),
                     i < HEAD ? SPC_ERROR_MEMORY_TOO_SMALL : SPC_ERROR_NOT_A_WORLD);
        memcpy(scrap, memory, i);
        CHECK_STATUS(spc_world_open(scrap, i, &world), SPC_ERROR_MEMORY_TOO_SMALL);
        free(scrap);
    }
    CHECK_STATUS(spc_world_open(memory, size - 1, &world), SPC_ERROR_MEMORY_TOO_SMALL);
    for (i = 1; i < SPC_WORLD_ALIGNMENT; i++) {
        memcpy(roomy + i, memory, size);
        CHECK_STATUS(spc_world_open(roomy + i, size, &world), SPC_ERROR_MEMORY_MISALIGNED);
    }
    CHECK(world == NULL);
    CHECK_STATUS(spc_world_open(memory, size + 100, &world), SPC_OK);
    CHECK(world == made);
    free(memory);
    free(roomy);
}

/* A world's first bytes: mark, version, sizes of a real and of a pointer, byte order, layout. */
static void the_head_tells_what_build_a_world_is_of(void)
{
    const spc_world_desc desc = spc_world_desc_default(3, 3);
    const size_t size = spc_world_size(&desc);
    const unsigned one = 1;
    unsigned char *memory = (unsigned char *)malloc(size);
    spc_world *made = NULL, *world = NULL;
    int i, bit;
    CHECK_STATUS(spc_world_create(memory, size, &desc, &made), SPC_OK);
    CHECK(memcmp(memory, "SPCW", 4) == 0);
    CHECK(memory[4] == SPHERECONTACT_VERSION_MAJOR && memory[5] == SPHERECONTACT_VERSION_MINOR &&
          memory[6] == SPHERECONTACT_VERSION_PATCH);
    CHECK(memory[7] == sizeof(spc_real));
    CHECK(memory[8] == sizeof(void *));
    CHECK(memory[9] == *(const unsigned char *)&one);
    for (i = 0; i < HEAD; i++)
        for (bit = 0; bit < 8; bit++) {
            memory[i] = (unsigned char)(memory[i] ^ 1 << bit);
            CHECK_STATUS(spc_world_open(memory, size, &world), SPC_ERROR_NOT_A_WORLD);
            CHECK(world == NULL);
            memory[i] = (unsigned char)(memory[i] ^ 1 << bit);
        }
    CHECK_STATUS(spc_world_open(memory, size, &world), SPC_OK);
    CHECK(world == made);
    free(memory);
}

/* Behind the head come capacities, counts and offsets, all within 256 bytes. Whatever a byte there
   says: a world that opens lies within its memory, and so does what asking it reads. */
static void no_count_leads_out_of_the_memory(void)
{
    static const unsigned char values[] = { 0x00, 0x01, 0x7F, 0x80, 0xFF };
    size_t size, i, k;
    unsigned char *memory, *kept;
    spc_world *world = NULL;
    int refusals = 0;
    open_scene();
    CHECK_STATUS(spc_body_remove(s.world, s.body[SPARE]), SPC_OK); /* lists of what is free */
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[SWITCHED_OFF]), SPC_OK);
    size = spc_world_bytes(s.world);
    memory = (unsigned char *)malloc(size);
    kept = (unsigned char *)malloc(size);
    for (i = HEAD; i < 256; i++)
        for (k = 0; k < sizeof values; k++) {
            memcpy(memory, s.world, size);
            memory[i] = values[k];
            memcpy(kept, memory, size);
            world = NULL;
            if (spc_world_open(memory, size, &world)) {
                CHECK(world == NULL);
                refusals++;
            } else {
                spc_body body = { 8, 1 };
                CHECK(spc_world_bytes(world) == size);
                (void)spc_world_hash(world);
                (void)spc_body_exists(world, body);
            }
            CHECK(is_bits(kept, memory, size));
        }
    /* at least the high bytes of 9 counts, each of which is out of range as 0x7F and as 0x80 */
    CHECK(refusals >= 18);
    free(memory);
    free(kept);
    close_scene();
}

/* --------------------------------------------------------------------- NULL pointers -------- */

static void without_a_world_nothing_is_done(void)
{
    spc_world_report report;
    spc_body body, out_body;
    spc_constraint constraint, out_constraint;
    spc_state state;
    spc_spatial spatial = spc_spatial_make(zero3(), zero3());
    spc_mass mass = spc_mass_solid_sphere(1, 1);
    spc_body_desc body_desc = spc_body_desc_default();
    spc_sphere_on_plane_desc desc = spc_sphere_on_plane_desc_default();
    spc_sphere_on_plane shape = desc.shape;
    spc_stabilization stabilization = spc_stabilization_default();
    spc_constraint_info info;
    spc_rows rows;
    spc_real numbers[SPC_MAX_ROWS];
    spc_contact_force force;
    spc_energy_momentum momentum;
    open_scene();
    body = s.body[BALL];
    constraint = s.constraint[ON_GROUND];
    body_desc.mass = mass;
    CHECK(spc_world_bytes(NULL) == 0);
    CHECK(spc_world_hash(NULL) == 0);
    CHECK(spc_world_row_count(NULL) == 0);
    CHECK_NEAR(spc_world_time(NULL), 0, 0);
    CHECK_NEAR(spc_norm(spc_world_gravity(NULL)), 0, 0);
    CHECK(!spc_body_exists(NULL, body) && !spc_body_exists(NULL, ground()));
    CHECK(!spc_constraint_exists(NULL, constraint));
    CHECK_STATUS(spc_world_set_gravity(NULL, zero3()), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_set_time(NULL, 0), SPC_ERROR_NULL);
    REFUSED_OUT(spc_body_add(NULL, &body_desc, &out_body), SPC_ERROR_NULL, out_body);
    CHECK_STATUS(spc_body_remove(NULL, body), SPC_ERROR_NULL);
    REFUSED_OUT(spc_body_get_state(NULL, body, &state), SPC_ERROR_NULL, state);
    REFUSED_OUT(spc_body_get_acceleration(NULL, body, &spatial), SPC_ERROR_NULL, spatial);
    CHECK_STATUS(spc_body_set_pose(NULL, body, spc_transform_identity()), SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_set_velocity(NULL, body, spc_spatial_make(zero3(), zero3())),
                 SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_set_acceleration(NULL, body, spc_spatial_make(zero3(), zero3())),
                 SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_move_to(NULL, body, spc_transform_identity(), 1), SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_set_mass(NULL, body, &mass), SPC_ERROR_NULL);
    REFUSED_OUT(spc_body_get_mass(NULL, body, &mass), SPC_ERROR_NULL, mass);
    CHECK_STATUS(spc_body_add_force(NULL, body, zero3(), zero3(), SPC_LASTING), SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_add_torque(NULL, body, zero3(), SPC_LASTING), SPC_ERROR_NULL);
    CHECK_STATUS(spc_body_clear_forces(NULL, body), SPC_ERROR_NULL);
    REFUSED_OUT(spc_sphere_on_plane_add(NULL, &desc, &out_constraint), SPC_ERROR_NULL,
                out_constraint);
    REFUSED_OUT(spc_sphere_on_plane_get(NULL, constraint, &shape), SPC_ERROR_NULL, shape);
    CHECK_STATUS(spc_sphere_on_plane_set(NULL, constraint, &desc.shape), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_remove(NULL, constraint), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_set_enabled(NULL, constraint, false), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_set_conditional(NULL, constraint, true), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_set_name(NULL, constraint, "name"), SPC_ERROR_NULL);
    CHECK_STATUS(spc_constraint_set_stabilization(NULL, constraint, &stabilization),
                 SPC_ERROR_NULL);
    REFUSED_OUT(spc_constraint_get_stabilization(NULL, constraint, &stabilization), SPC_ERROR_NULL,
                stabilization);
    REFUSED_OUT(spc_constraint_get_info(NULL, constraint, &info), SPC_ERROR_NULL, info);
    REFUSED_OUT(spc_constraint_get_rows(NULL, constraint, &rows), SPC_ERROR_NULL, rows);
    REFUSED_OUT(spc_constraint_get_multipliers(NULL, constraint, numbers), SPC_ERROR_NULL, numbers);
    REFUSED_OUT(spc_constraint_get_acceleration_errors(NULL, constraint, numbers), SPC_ERROR_NULL,
                numbers);
    REFUSED_OUT(spc_constraint_get_forces(NULL, constraint, &force), SPC_ERROR_NULL, force);
    CHECK_STATUS(spc_world_forward_dynamics(NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_step(NULL, STEP), SPC_ERROR_NULL);
    CHECK_STATUS(spc_step_rk4(NULL, STEP, SPC_DRIFT_STABILIZE), SPC_ERROR_NULL);
    REFUSED_OUT(spc_world_assemble(NULL, STEP, numbers), SPC_ERROR_NULL, numbers);
    REFUSED_OUT(spc_world_apply_impulses(NULL, NULL, numbers, 0), SPC_ERROR_NULL, numbers);
    CHECK_STATUS(spc_world_project_velocities(NULL), SPC_ERROR_NULL);
    REFUSED_OUT(spc_world_get_report(NULL, &report), SPC_ERROR_NULL, report);
    REFUSED_OUT(spc_world_free_motion(NULL, STEP, numbers, numbers, 0), SPC_ERROR_NULL, numbers);
    REFUSED_OUT(spc_world_get_violation(NULL, STEP, NULL, numbers, 0), SPC_ERROR_NULL, numbers);
    REFUSED_OUT(spc_world_get_position_violation(NULL, NULL, numbers, 0), SPC_ERROR_NULL, numbers);
    REFUSED_OUT(spc_world_get_compliance(NULL, STEP, NULL, 0, numbers, 0), SPC_ERROR_NULL, numbers);
    CHECK_STATUS(spc_world_correct(NULL, STEP, numbers, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_displace(NULL, STEP, numbers, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_end_motion(NULL, STEP), SPC_ERROR_NULL);
    REFUSED_OUT(spc_world_get_energy_momentum(NULL, &momentum), SPC_ERROR_NULL, momentum);
    close_scene();
}

static void without_the_other_pointers_nothing_is_done(void)
{
    const spc_body_desc body_desc = spc_body_desc_default();
    spc_sphere_on_plane_desc desc;
    spc_body body;
    spc_constraint constraint;
    open_scene();
    desc = contact_of(ground(), s.body[SPARE]);
    REFUSED_OUT(spc_body_add(s.world, NULL, &body), SPC_ERROR_NULL, body);
    REFUSED(spc_body_add(s.world, &body_desc, NULL), SPC_ERROR_NULL);
    REFUSED(spc_body_get_state(s.world, s.body[BALL], NULL), SPC_ERROR_NULL);
    REFUSED(spc_body_get_acceleration(s.world, s.body[BALL], NULL), SPC_ERROR_NULL);
    REFUSED(spc_body_get_mass(s.world, s.body[BALL], NULL), SPC_ERROR_NULL);
    REFUSED(spc_body_set_mass(s.world, s.body[BALL], NULL), SPC_ERROR_NULL);
    REFUSED_OUT(spc_sphere_on_plane_add(s.world, NULL, &constraint), SPC_ERROR_NULL, constraint);
    REFUSED(spc_sphere_on_plane_add(s.world, &desc, NULL), SPC_ERROR_NULL);
    constraint = s.constraint[ON_GROUND];
    REFUSED(spc_sphere_on_plane_get(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_sphere_on_plane_set(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_constraint_get_stabilization(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_constraint_set_stabilization(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_constraint_get_info(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_constraint_get_rows(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_constraint_get_multipliers(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_constraint_get_acceleration_errors(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_constraint_get_forces(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_world_get_energy_momentum(s.world, NULL), SPC_ERROR_NULL);
    REFUSED(spc_world_get_report(s.world, NULL), SPC_ERROR_NULL);
    REFUSED(spc_world_get_violation(s.world, STEP, NULL, NULL, 9), SPC_ERROR_NULL);
    REFUSED(spc_world_get_position_violation(s.world, NULL, NULL, 9), SPC_ERROR_NULL);
    REFUSED(spc_world_get_compliance(s.world, STEP, NULL, 0, NULL, 9), SPC_ERROR_NULL);
    REFUSED(spc_world_correct(s.world, STEP, NULL, 9), SPC_ERROR_NULL);
    REFUSED(spc_world_displace(s.world, STEP, NULL, 9), SPC_ERROR_NULL);
    close_scene();
}

static void rolling_discs_need_all_pointers(void)
{
    spc_rolling_disc_desc desc;
    spc_rolling_disc shape;
    spc_disc_contact contact;
    spc_constraint constraint;
    open_scene();
    desc = disc_of(ground(), s.body[SPARE]);
    REFUSED_OUT(spc_rolling_disc_add(NULL, &desc, &constraint), SPC_ERROR_NULL, constraint);
    REFUSED_OUT(spc_rolling_disc_add(s.world, NULL, &constraint), SPC_ERROR_NULL, constraint);
    REFUSED(spc_rolling_disc_add(s.world, &desc, NULL), SPC_ERROR_NULL);
    constraint = s.constraint[WHEELING];
    REFUSED_OUT(spc_rolling_disc_get(NULL, constraint, &shape), SPC_ERROR_NULL, shape);
    REFUSED(spc_rolling_disc_get(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED(spc_rolling_disc_set(NULL, constraint, &desc.shape), SPC_ERROR_NULL);
    REFUSED(spc_rolling_disc_set(s.world, constraint, NULL), SPC_ERROR_NULL);
    REFUSED_OUT(spc_rolling_disc_get_contact(NULL, constraint, &contact), SPC_ERROR_NULL, contact);
    REFUSED(spc_rolling_disc_get_contact(s.world, constraint, NULL), SPC_ERROR_NULL);
    close_scene();
}

/* --------------------------------------------------------------------------- handles -------- */

/* Every call with a body's handle refuses one that is stale. */
static void check_stale_body(spc_body body)
{
    const spc_spatial rest = spc_spatial_make(zero3(), zero3());
    const spc_mass good = spc_mass_solid_sphere(1, 1);
    spc_constraint constraint;
    spc_state state;
    spc_spatial spatial;
    spc_mass mass;
    int k;
    mark();
    CHECK(!spc_body_exists(s.world, body));
    REFUSED(spc_body_remove(s.world, body), SPC_ERROR_STALE_BODY);
    REFUSED_OUT(spc_body_get_state(s.world, body, &state), SPC_ERROR_STALE_BODY, state);
    REFUSED_OUT(spc_body_get_acceleration(s.world, body, &spatial), SPC_ERROR_STALE_BODY, spatial);
    REFUSED(spc_body_set_pose(s.world, body, spc_transform_identity()), SPC_ERROR_STALE_BODY);
    REFUSED(spc_body_set_velocity(s.world, body, rest), SPC_ERROR_STALE_BODY);
    REFUSED(spc_body_set_acceleration(s.world, body, rest), SPC_ERROR_STALE_BODY);
    REFUSED(spc_body_move_to(s.world, body, spc_transform_identity(), 1), SPC_ERROR_STALE_BODY);
    REFUSED_OUT(spc_body_get_mass(s.world, body, &mass), SPC_ERROR_STALE_BODY, mass);
    REFUSED(spc_body_set_mass(s.world, body, &good), SPC_ERROR_STALE_BODY);
    REFUSED(spc_body_add_force(s.world, body, zero3(), zero3(), SPC_ONE_STEP),
            SPC_ERROR_STALE_BODY);
    REFUSED(spc_body_add_torque(s.world, body, zero3(), SPC_LASTING), SPC_ERROR_STALE_BODY);
    REFUSED(spc_body_clear_forces(s.world, body), SPC_ERROR_STALE_BODY);
    for (k = 0; k < KINDS; k++) { /* at either end */
        REFUSED_OUT(try_add(kinds[k], body, s.body[SPARE], NULL, &constraint), SPC_ERROR_STALE_BODY,
                    constraint);
        REFUSED_OUT(try_add(kinds[k], ground(), body, NULL, &constraint), SPC_ERROR_STALE_BODY,
                    constraint);
    }
}

static void check_stale_disc(spc_constraint c)
{
    const spc_rolling_disc good = disc_of(ground(), ground()).shape;
    spc_rolling_disc shape;
    spc_disc_contact contact;
    REFUSED_OUT(spc_rolling_disc_get(s.world, c, &shape), SPC_ERROR_STALE_CONSTRAINT, shape);
    REFUSED(spc_rolling_disc_set(s.world, c, &good), SPC_ERROR_STALE_CONSTRAINT);
    REFUSED_OUT(spc_rolling_disc_get_contact(s.world, c, &contact), SPC_ERROR_STALE_CONSTRAINT,
                contact);
}

static void check_stale_constraint(spc_constraint c)
{
    const spc_stabilization good = spc_stabilization_default();
    spc_sphere_on_plane round = spc_sphere_on_plane_default(), shape;
    spc_stabilization stabilization;
    spc_constraint_info info;
    spc_rows rows;
    spc_real numbers[SPC_MAX_ROWS];
    spc_contact_force force;
    round.radius = 1;
    mark();
    CHECK(!spc_constraint_exists(s.world, c));
    REFUSED_OUT(spc_sphere_on_plane_get(s.world, c, &shape), SPC_ERROR_STALE_CONSTRAINT, shape);
    REFUSED(spc_sphere_on_plane_set(s.world, c, &round), SPC_ERROR_STALE_CONSTRAINT);
    check_stale_disc(c);
    REFUSED(spc_constraint_remove(s.world, c), SPC_ERROR_STALE_CONSTRAINT);
    REFUSED(spc_constraint_set_enabled(s.world, c, true), SPC_ERROR_STALE_CONSTRAINT);
    REFUSED(spc_constraint_set_conditional(s.world, c, true), SPC_ERROR_STALE_CONSTRAINT);
    REFUSED(spc_constraint_set_name(s.world, c, "name"), SPC_ERROR_STALE_CONSTRAINT);
    REFUSED_OUT(spc_constraint_get_stabilization(s.world, c, &stabilization),
                SPC_ERROR_STALE_CONSTRAINT, stabilization);
    REFUSED(spc_constraint_set_stabilization(s.world, c, &good), SPC_ERROR_STALE_CONSTRAINT);
    REFUSED_OUT(spc_constraint_get_info(s.world, c, &info), SPC_ERROR_STALE_CONSTRAINT, info);
    REFUSED_OUT(spc_constraint_get_rows(s.world, c, &rows), SPC_ERROR_STALE_CONSTRAINT, rows);
    REFUSED_OUT(spc_constraint_get_multipliers(s.world, c, numbers), SPC_ERROR_STALE_CONSTRAINT,
                numbers);
    REFUSED_OUT(spc_constraint_get_acceleration_errors(s.world, c, numbers),
                SPC_ERROR_STALE_CONSTRAINT, numbers);
    REFUSED_OUT(spc_constraint_get_forces(s.world, c, &force), SPC_ERROR_STALE_CONSTRAINT, force);
}

static void handles_that_never_were_are_stale(void)
{
    const unsigned generations[4] = { 0, 1, 2, UINT_MAX };
    unsigned i;
    open_scene();
    for (i = 0; i < 4; i++) {
        spc_body body;
        spc_constraint constraint;
        constraint.generation = body.generation = generations[i];
        constraint.index = body.index = UINT_MAX;
        check_stale_body(body);
        check_stale_constraint(constraint);
        constraint.index = body.index = INT_MAX + 1u; /* is not the number of a slot less one */
        check_stale_body(body);
        check_stale_constraint(constraint);
        body.index = (unsigned)s.bodies + 1; /* a slot that is still unused */
        constraint.index = (unsigned)s.constraints + 1;
        check_stale_body(body);
        check_stale_constraint(constraint);
        constraint.index = 0; /* none */
        check_stale_constraint(constraint);
        body.index = 0; /* ground has one generation */
        if (generations[i] != 0)
            check_stale_body(body);
        body = s.body[BALL];
        constraint = s.constraint[ON_GROUND];
        body.generation += generations[i] + 1;
        constraint.generation += generations[i] + 1;
        if (generations[i] != UINT_MAX) {
            check_stale_body(body);
            check_stale_constraint(constraint);
        }
    }
    CHECK(spc_body_exists(s.world, ground()));
    close_scene();
}

/* With a constraint of a kind in the place of one of the other. */
static void check_handles_of_removed(int k)
{
    spc_body old_body, new_body, free_slot;
    spc_constraint old, fresh, free_constraint;
    spc_body_desc body_desc = spc_body_desc_default();
    open_scene();
    body_desc.mass = spc_mass_solid_sphere(1, 1);
    old_body = s.body[k ? BALL : WHEEL];
    old = s.constraint[k ? ON_GROUND : WHEELING];
    CHECK_STATUS(spc_constraint_remove(s.world, old), SPC_OK);
    CHECK_STATUS(spc_body_remove(s.world, old_body), SPC_OK);
    check_stale_body(old_body);
    check_stale_constraint(old);
    free_slot = old_body, free_slot.generation++; /* as the free slot counts */
    free_constraint = old, free_constraint.generation++;
    check_stale_body(free_slot);
    check_stale_constraint(free_constraint);
    CHECK_STATUS(spc_body_add(s.world, &body_desc, &new_body), SPC_OK);
    CHECK_STATUS(try_add(kinds[k], ground(), new_body, NULL, &fresh), SPC_OK);
    CHECK(new_body.index == old_body.index && new_body.generation != old_body.generation);
    CHECK(fresh.index == old.index && fresh.generation != old.generation);
    CHECK(spc_body_exists(s.world, new_body) && spc_constraint_exists(s.world, fresh));
    check_stale_body(old_body);
    check_stale_constraint(old);
    check_stale_body(free_slot);
    check_stale_constraint(free_constraint);
    close_scene();
}

static void handles_of_removed_objects_are_stale_for_ever(void)
{
    int k;
    for (k = 0; k < KINDS; k++)
        check_handles_of_removed(k);
}

/* A restored world knows nothing of what was made after the snapshot: handles from before name what
   they named, those from after nothing until something is made again, and that from then on. */
static void handles_from_after_a_snapshot_are_to_be_dropped(void)
{
    spc_body_desc kinematic = spc_body_desc_default();
    spc_constraint joined, again;
    spc_body after, next;
    spc_state state;
    size_t size;
    void *snapshot;
    kinematic.kind = SPC_KINEMATIC;
    open_scene();
    size = spc_world_bytes(s.world);
    snapshot = malloc(size);
    memcpy(snapshot, s.world, size);
    kinematic.state.X_GB.p = vec3(1, 0, 0);
    CHECK_STATUS(spc_body_add(s.world, &kinematic, &after), SPC_OK);
    CHECK_STATUS(try_add(SPC_SPHERE_ON_PLANE, after, s.body[SPARE], NULL, &joined), SPC_OK);
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[ON_GROUND]), SPC_OK);
    memcpy(s.world, snapshot, size);
    CHECK(spc_constraint_exists(s.world, s.constraint[ON_GROUND]));
    CHECK(!spc_body_exists(s.world, after));
    CHECK(!spc_constraint_exists(s.world, joined));
    CHECK_STATUS(spc_body_get_state(s.world, after, &state), SPC_ERROR_STALE_BODY);
    kinematic.state.X_GB.p = vec3(2, 0, 0);
    CHECK_STATUS(spc_body_add(s.world, &kinematic, &next), SPC_OK);
    CHECK_STATUS(try_add(SPC_ATTACHMENT, next, s.body[SPARE], NULL, &again), SPC_OK);
    CHECK(SAME_BITS(after, next) && SAME_BITS(joined, again));
    CHECK_STATUS(spc_body_get_state(s.world, after, &state), SPC_OK);
    CHECK_NEAR(state.X_GB.p.x, 2, 0);
    free(snapshot);
    close_scene();
}

static void constraints_of_the_wrong_kind_are_refused(void)
{
    const spc_rolling_disc disc = disc_of(ground(), ground()).shape;
    const spc_sphere_on_plane sphere = contact_of(ground(), ground()).shape;
    const spc_status wanted = SPC_ERROR_WRONG_CONSTRAINT_KIND;
    const spc_attachment joint = spc_attachment_default();
    spc_rolling_disc got_disc;
    spc_sphere_on_plane got_sphere;
    spc_attachment got_joint;
    spc_disc_contact contact;
    int i;
    open_scene();
    for (i = ON_GROUND; i <= WHEELING; i++) {
        REFUSED_OUT(spc_attachment_get(s.world, s.constraint[i], &got_joint), wanted, got_joint);
        REFUSED(spc_attachment_set(s.world, s.constraint[i], &joint), wanted);
    }
    for (i = ON_GROUND; i < WHEELING; i++) { /* enabled and disabled */
        REFUSED_OUT(spc_rolling_disc_get(s.world, s.constraint[i], &got_disc), wanted, got_disc);
        REFUSED(spc_rolling_disc_set(s.world, s.constraint[i], &disc), wanted);
        REFUSED_OUT(spc_rolling_disc_get_contact(s.world, s.constraint[i], &contact), wanted,
                    contact);
    }
    for (i = 0; i < 2; i++) {
        REFUSED_OUT(spc_sphere_on_plane_get(s.world, s.constraint[WHEELING], &got_sphere), wanted,
                    got_sphere);
        REFUSED(spc_sphere_on_plane_set(s.world, s.constraint[WHEELING], &sphere), wanted);
        CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[WHEELING], false), SPC_OK);
        mark();
    }
    close_scene();
}

static void a_body_that_is_gone_is_not_hashed(void)
{
    spc_body_desc heavy = spc_body_desc_default();
    spc_body body;
    unsigned long long hash;
    open_scene();
    heavy.mass = spc_mass_solid_sphere(1, 1);
    hash = spc_world_hash(s.world);
    CHECK_STATUS(spc_body_add(s.world, &heavy, &body), SPC_OK);
    CHECK(spc_world_hash(s.world) != hash);
    CHECK_STATUS(spc_body_remove(s.world, body), SPC_OK);
    CHECK(spc_world_hash(s.world) == hash);
    close_scene();
}

static void switching_to_what_is_already_so_changes_nothing(void)
{
    open_scene();
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[ON_GROUND], true), SPC_OK);
    CHECK(unchanged());
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[SWITCHED_OFF], false), SPC_OK);
    CHECK(unchanged());
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[WHEELING], true), SPC_OK);
    CHECK(unchanged());
    close_scene();
}

static void a_body_in_use_is_not_removed(void)
{
    open_scene();
    REFUSED(spc_body_remove(s.world, s.body[BALL]), SPC_ERROR_BODY_IN_USE);
    REFUSED(spc_body_remove(s.world, s.body[RIDER]), SPC_ERROR_BODY_IN_USE);
    REFUSED(spc_body_remove(s.world, s.body[TRAY]), SPC_ERROR_BODY_IN_USE); /* as a floor */
    REFUSED(spc_body_remove(s.world, s.body[WHEEL]), SPC_ERROR_BODY_IN_USE);
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[ON_TRAY]), SPC_OK);
    CHECK_STATUS(spc_body_remove(s.world, s.body[TRAY]), SPC_OK);
    mark();
    REFUSED(spc_body_remove(s.world, s.body[RIDER]),
            SPC_ERROR_BODY_IN_USE); /* by a disabled constraint */
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[SWITCHED_OFF]), SPC_OK);
    CHECK_STATUS(spc_body_remove(s.world, s.body[RIDER]), SPC_OK);
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    close_scene();
}

static void ground_cannot_be_moved_loaded_or_removed(void)
{
    const spc_spatial rest = spc_spatial_make(zero3(), zero3());
    const spc_mass good = spc_mass_solid_sphere(1, 1);
    const spc_state still = spc_state_identity();
    spc_mass mass;
    spc_state state;
    spc_spatial A;
    open_scene();
    REFUSED(spc_body_remove(s.world, ground()), SPC_ERROR_GROUND);
    REFUSED(spc_body_set_pose(s.world, ground(), spc_transform_identity()), SPC_ERROR_GROUND);
    REFUSED(spc_body_set_velocity(s.world, ground(), rest), SPC_ERROR_GROUND);
    REFUSED(spc_body_set_acceleration(s.world, ground(), rest), SPC_ERROR_GROUND);
    REFUSED(spc_body_move_to(s.world, ground(), spc_transform_identity(), 1), SPC_ERROR_GROUND);
    REFUSED_OUT(spc_body_get_mass(s.world, ground(), &mass), SPC_ERROR_GROUND, mass);
    REFUSED(spc_body_set_mass(s.world, ground(), &good), SPC_ERROR_GROUND);
    REFUSED(spc_body_add_force(s.world, ground(), zero3(), zero3(), SPC_ONE_STEP),
            SPC_ERROR_GROUND);
    REFUSED(spc_body_add_torque(s.world, ground(), zero3(), SPC_LASTING), SPC_ERROR_GROUND);
    REFUSED(spc_body_clear_forces(s.world, ground()), SPC_ERROR_GROUND);
    CHECK_STATUS(spc_body_get_state(s.world, ground(), &state), SPC_OK);
    CHECK(SAME_BITS(state, still));
    CHECK_STATUS(spc_body_get_acceleration(s.world, ground(), &A), SPC_OK);
    CHECK(SAME_BITS(A, rest));
    close_scene();
}

static void bodies_of_the_wrong_kind_are_refused(void)
{
    const spc_spatial rest = spc_spatial_make(zero3(), zero3());
    const spc_mass good = spc_mass_solid_sphere(1, 1);
    spc_mass mass;
    int i;
    open_scene();
    for (i = TRAY; i <= SWING; i++) { /* what is moved by others carries no forces */
        REFUSED_OUT(spc_body_get_mass(s.world, s.body[i], &mass), SPC_ERROR_WRONG_BODY_KIND, mass);
        REFUSED(spc_body_set_mass(s.world, s.body[i], &good), SPC_ERROR_WRONG_BODY_KIND);
        REFUSED(spc_body_add_force(s.world, s.body[i], zero3(), zero3(), SPC_LASTING),
                SPC_ERROR_WRONG_BODY_KIND);
        REFUSED(spc_body_add_torque(s.world, s.body[i], zero3(), SPC_LASTING),
                SPC_ERROR_WRONG_BODY_KIND);
        REFUSED(spc_body_clear_forces(s.world, s.body[i]), SPC_ERROR_WRONG_BODY_KIND);
    }
    REFUSED(spc_body_set_pose(s.world, s.body[SWING], spc_transform_identity()),
            SPC_ERROR_WRONG_BODY_KIND);
    REFUSED(spc_body_set_velocity(s.world, s.body[SWING], rest), SPC_ERROR_WRONG_BODY_KIND);
    REFUSED(spc_body_set_acceleration(s.world, s.body[SWING], rest), SPC_ERROR_WRONG_BODY_KIND);
    REFUSED(spc_body_set_acceleration(s.world, s.body[BALL], rest), SPC_ERROR_WRONG_BODY_KIND);
    REFUSED(spc_body_move_to(s.world, s.body[SWING], spc_transform_identity(), 1),
            SPC_ERROR_WRONG_BODY_KIND);
    REFUSED(spc_body_move_to(s.world, s.body[BALL], spc_transform_identity(), 1),
            SPC_ERROR_WRONG_BODY_KIND);
    close_scene();
}

/* ------------------------------------------------------------------------- arguments -------- */

static spc_body_desc good_body(void)
{
    spc_body_desc d = spc_body_desc_default();
    d.mass = spc_mass_solid_sphere(1, 1);
    return d;
}

static void check_bad_body(int line, const spc_body_desc *d, spc_status wanted)
{
    spc_body body;
    memset(&body, PATTERN, sizeof body);
    test_status(__FILE__, line, "spc_body_add", spc_body_add(s.world, d, &body), wanted);
    CHECK(untouched(&body, sizeof body));
    CHECK(unchanged());
}

static spc_real *number_of_pose(spc_transform *X, int i)
{
    spc_real *all[7];
    all[0] = &X->q.w, all[1] = &X->q.x, all[2] = &X->q.y, all[3] = &X->q.z;
    all[4] = &X->p.x, all[5] = &X->p.y, all[6] = &X->p.z;
    return all[i];
}

static spc_real *number_of_spatial(spc_spatial *V, int i)
{
    spc_vec3 *v = i < 3 ? &V->angular : &V->linear;
    return i % 3 == 0 ? &v->x : i % 3 == 1 ? &v->y : &v->z;
}

static void bad_bodies_are_not_added(void)
{
    spc_body_desc d;
    int i, k;
    open_scene();
    for (i = -1; i <= 2; i += 3) {
        d = good_body(), d.kind = bad_kind(i);
        check_bad_body(__LINE__, &d, SPC_ERROR_BAD_OPTION);
    }
    for (i = 0; i < 3; i++) {
        const spc_real b = real(bad_number(i));
        for (k = 0; k < 7; k++) {
            d = good_body(), *number_of_pose(&d.state.X_GB, k) = b;
            check_bad_body(__LINE__, &d, SPC_ERROR_NOT_FINITE);
            d.kind = SPC_KINEMATIC;
            check_bad_body(__LINE__, &d, SPC_ERROR_NOT_FINITE);
        }
        for (k = 0; k < 6; k++) {
            d = good_body(), *number_of_spatial(&d.state.V_GB, k) = b;
            check_bad_body(__LINE__, &d, SPC_ERROR_NOT_FINITE);
            d.kind = SPC_KINEMATIC;
            check_bad_body(__LINE__, &d, SPC_ERROR_NOT_FINITE);
        }
        d = good_body(), d.mass.mass = b, check_bad_body(__LINE__, &d, SPC_ERROR_NOT_FINITE);
        d = good_body(), d.mass.p_BBc.y = b, check_bad_body(__LINE__, &d, SPC_ERROR_NOT_FINITE);
        d = good_body(), d.mass.inertia.xz = b, check_bad_body(__LINE__, &d, SPC_ERROR_NOT_FINITE);
    }
    d = spc_body_desc_default(), check_bad_body(__LINE__, &d, SPC_ERROR_BAD_MASS);
    d = good_body(), d.mass.mass = -1, check_bad_body(__LINE__, &d, SPC_ERROR_BAD_MASS);
    d = good_body(), d.mass.inertia.zz = 0, check_bad_body(__LINE__, &d, SPC_ERROR_BAD_INERTIA);
    d = good_body(), d.mass.inertia.zz *= 3, check_bad_body(__LINE__, &d, SPC_ERROR_BAD_INERTIA);
    d = good_body(), d.state.X_GB.q.w = 0, check_bad_body(__LINE__, &d, SPC_ERROR_ZERO_QUATERNION);
    d.kind = SPC_KINEMATIC, check_bad_body(__LINE__, &d, SPC_ERROR_ZERO_QUATERNION);
    d = good_body(), d.motion = swing, check_bad_body(__LINE__, &d, SPC_ERROR_WRONG_BODY_KIND);
    for (i = FAULT_NONE + 1; i < FAULT_KINDS; i++) {
        fault f;
        f.kind = i;
        f.from = 0;
        d = spc_body_desc_default();
        d.kind = SPC_KINEMATIC;
        d.motion = swing;
        d.user = &f;
        check_bad_body(__LINE__, &d, SPC_ERROR_BAD_MOTION);
    }
    close_scene();
}

static void kinematic_bodies_need_no_mass_and_callbacks_no_state(void)
{
    spc_body_desc d = spc_body_desc_default();
    spc_body body;
    open_scene();
    d.kind = SPC_KINEMATIC;
    d.mass.mass = real(bad_number(0));
    CHECK_STATUS(spc_body_add(s.world, &d, &body), SPC_OK);
    d.motion = swing;
    d.state.X_GB.p.x = real(bad_number(0));
    d.state.X_GB.q.w = 0;
    CHECK_STATUS(spc_body_add(s.world, &d, &body), SPC_OK);
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    close_scene();
}

/* No constraint of any kind can be added. */
static void check_no_room(spc_status wanted)
{
    spc_constraint constraint;
    int k;
    for (k = 0; k < KINDS; k++)
        REFUSED_OUT(try_add(kinds[k], s.body[0], s.body[1], NULL, &constraint), wanted, constraint);
}

static void a_full_world_takes_nothing_more(void)
{
    spc_world_desc desc = spc_world_desc_default(2, 2);
    spc_body_desc d = good_body();
    spc_body body;
    spc_constraint constraint;
    int round;
    open_empty(&desc);
    (void)add_ball(0, 0);
    (void)add_ball(2, 0);
    (void)add_contact(ground(), s.body[0]);
    (void)add_contact(ground(), s.body[1]);
    for (round = 0; round < 4; round++) { /* but for the first time with slots that were free */
        const int i = round % 2, kind = round / 2;
        mark();
        check_bad_body(__LINE__, &d, SPC_ERROR_BODIES_FULL);
        check_no_room(SPC_ERROR_CONSTRAINTS_FULL);
        CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[i]), SPC_OK);
        CHECK_STATUS(spc_body_remove(s.world, s.body[i]), SPC_OK);
        CHECK_STATUS(spc_body_add(s.world, &d, &s.body[i]), SPC_OK);
        CHECK_STATUS(try_add(kinds[kind], s.body[0], s.body[1], NULL, &constraint), SPC_OK);
        CHECK_STATUS(spc_constraint_remove(s.world, constraint), SPC_OK);
        CHECK_STATUS(try_add(kinds[kind], ground(), s.body[i], NULL, &s.constraint[i]), SPC_OK);
    }
    close_scene();
    desc.rows = 5; /* two constraints have six */
    open_empty(&desc);
    (void)add_ball(0, 0);
    (void)add_ball(2, 0);
    for (round = 0; round < 4; round++) { /* either kind beside either kind */
        CHECK_STATUS(try_add(kinds[round / 2], ground(), s.body[0], NULL, &constraint), SPC_OK);
        mark();
        check_no_room(SPC_ERROR_ROWS_FULL);
        CHECK_STATUS(spc_constraint_remove(s.world, constraint), SPC_OK);
        CHECK_STATUS(try_add(kinds[round % 2], ground(), s.body[1], NULL, &constraint), SPC_OK);
        CHECK_STATUS(spc_constraint_remove(s.world, constraint), SPC_OK);
    }
    close_scene();
    desc = spc_world_desc_default(0, 0);
    open_empty(&desc);
    memset(&body, PATTERN, sizeof body);
    CHECK_STATUS(spc_body_add(s.world, &d, &body), SPC_ERROR_BODIES_FULL);
    CHECK(untouched(&body, sizeof body));
    close_scene();
}

static void bad_poses_and_velocities_are_not_set(void)
{
    int i, k, n;
    open_scene();
    for (n = 0; n < 2; n++) {
        const spc_body body = s.body[n ? TRAY : BALL];
        spc_transform X;
        spc_spatial V;
        for (i = 0; i < 3; i++) {
            for (k = 0; k < 7; k++) {
                X = spc_transform_identity(), *number_of_pose(&X, k) = real(bad_number(i));
                REFUSED(spc_body_set_pose(s.world, body, X), SPC_ERROR_NOT_FINITE);
            }
            for (k = 0; k < 6; k++) {
                V = spc_spatial_make(zero3(), zero3()),
                *number_of_spatial(&V, k) = real(bad_number(i));
                REFUSED(spc_body_set_velocity(s.world, body, V), SPC_ERROR_NOT_FINITE);
                REFUSED(spc_body_set_acceleration(s.world, s.body[TRAY], V), SPC_ERROR_NOT_FINITE);
            }
        }
        X = spc_transform_identity(), X.q.w = 0;
        REFUSED(spc_body_set_pose(s.world, body, X), SPC_ERROR_ZERO_QUATERNION);
    }
    close_scene();
}

static void bad_masses_are_not_set(void)
{
    spc_mass m;
    open_scene();
    m = spc_mass_solid_sphere(1, 1), m.inertia.yz = real(bad_number(0));
    REFUSED(spc_body_set_mass(s.world, s.body[BALL], &m), SPC_ERROR_NOT_FINITE);
    m = spc_mass_solid_sphere(0, 1);
    REFUSED(spc_body_set_mass(s.world, s.body[BALL], &m), SPC_ERROR_BAD_MASS);
    m = spc_mass_solid_sphere(1, 1), m.inertia.xx *= 3;
    REFUSED(spc_body_set_mass(s.world, s.body[BALL], &m), SPC_ERROR_BAD_INERTIA);
    close_scene();
}

static void bad_forces_are_not_added(void)
{
    spc_body body;
    int i, k;
    open_scene();
    body = s.body[BALL];
    for (k = 0; k < 2; k++) {
        const spc_duration duration = k ? SPC_LASTING : SPC_ONE_STEP;
        for (i = 0; i < 3; i++) {
            const double b = bad_number(i);
            REFUSED(spc_body_add_force(s.world, body, vec3(b, 0, 0), zero3(), duration),
                    SPC_ERROR_NOT_FINITE);
            REFUSED(spc_body_add_force(s.world, body, vec3(0, b, 0), zero3(), duration),
                    SPC_ERROR_NOT_FINITE);
            REFUSED(spc_body_add_force(s.world, body, vec3(0, 0, b), zero3(), duration),
                    SPC_ERROR_NOT_FINITE);
            REFUSED(spc_body_add_force(s.world, body, zero3(), vec3(b, 0, 0), duration),
                    SPC_ERROR_NOT_FINITE);
            REFUSED(spc_body_add_force(s.world, body, vec3(1, 0, 0), vec3(0, 0, b), duration),
                    SPC_ERROR_NOT_FINITE);
            REFUSED(spc_body_add_torque(s.world, body, vec3(b, 0, 0), duration),
                    SPC_ERROR_NOT_FINITE);
            REFUSED(spc_body_add_torque(s.world, body, vec3(0, b, 0), duration),
                    SPC_ERROR_NOT_FINITE);
            REFUSED(spc_body_add_torque(s.world, body, vec3(0, 0, b), duration),
                    SPC_ERROR_NOT_FINITE);
        }
        /* a torque, and a sum, that is too large */
        REFUSED(spc_body_add_force(s.world, body, vec3(LARGEST, 0, 0), vec3(0, 0, 4), duration),
                SPC_ERROR_NOT_FINITE);
        CHECK_STATUS(spc_body_add_torque(s.world, body, vec3(LARGEST, 0, 0), duration), SPC_OK);
        mark();
        REFUSED(spc_body_add_torque(s.world, body, vec3(LARGEST, 0, 0), duration),
                SPC_ERROR_NOT_FINITE);
    }
    for (i = -1; i <= 2; i += 3) {
        REFUSED(spc_body_add_force(s.world, body, zero3(), zero3(), bad_duration(i)),
                SPC_ERROR_BAD_OPTION);
        REFUSED(spc_body_add_torque(s.world, body, zero3(), bad_duration(i)), SPC_ERROR_BAD_OPTION);
    }
    close_scene();
}

/* Refused by add and by set. */
static void check_bad_shape(int line, const spc_sphere_on_plane *shape, spc_status wanted)
{
    spc_sphere_on_plane_desc d = contact_of(ground(), s.body[SPARE]);
    spc_constraint constraint;
    d.shape = *shape;
    memset(&constraint, PATTERN, sizeof constraint);
    test_status(__FILE__, line, "add", spc_sphere_on_plane_add(s.world, &d, &constraint), wanted);
    test_status(__FILE__, line, "set",
                spc_sphere_on_plane_set(s.world, s.constraint[ON_GROUND], shape), wanted);
    CHECK(untouched(&constraint, sizeof constraint));
    CHECK(unchanged());
}

static void bad_shapes_are_refused(void)
{
    spc_sphere_on_plane good = spc_sphere_on_plane_default(), shape;
    int i, k;
    open_scene();
    good.radius = 1;
    for (i = 0; i < 3; i++) {
        const spc_real b = real(bad_number(i));
        for (k = 0; k < 7; k++) {
            shape = good, *number_of_pose(&shape.X_FP, k) = b;
            check_bad_shape(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
        }
        shape = good, shape.p_BS.x = b, check_bad_shape(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
        shape = good, shape.p_BS.z = b, check_bad_shape(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
        shape = good, shape.radius = b, check_bad_shape(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
        shape = good, shape.half_width = b, check_bad_shape(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
    }
    shape = spc_sphere_on_plane_default(), check_bad_shape(__LINE__, &shape, SPC_ERROR_BAD_RADIUS);
    shape = good, shape.radius = -1, check_bad_shape(__LINE__, &shape, SPC_ERROR_BAD_RADIUS);
    shape = good, shape.half_width = -1, check_bad_shape(__LINE__, &shape, SPC_ERROR_BAD_WIDTH);
    shape = good, shape.X_FP.q.w = 0, check_bad_shape(__LINE__, &shape, SPC_ERROR_ZERO_QUATERNION);
    close_scene();
}

static void check_bad_disc(int line, const spc_rolling_disc *shape, spc_status wanted)
{
    spc_rolling_disc_desc d = disc_of(ground(), s.body[SPARE]);
    spc_constraint constraint;
    d.shape = *shape;
    memset(&constraint, PATTERN, sizeof constraint);
    test_status(__FILE__, line, "add", spc_rolling_disc_add(s.world, &d, &constraint), wanted);
    test_status(__FILE__, line, "set", spc_rolling_disc_set(s.world, s.constraint[WHEELING], shape),
                wanted);
    CHECK(untouched(&constraint, sizeof constraint));
    CHECK(unchanged());
}

#define DISC_NUMBERS 19

static spc_real *number_of_disc(spc_rolling_disc *d, int i)
{
    spc_real *all[DISC_NUMBERS - 7];
    all[0] = &d->p_BS.x, all[1] = &d->p_BS.y, all[2] = &d->p_BS.z;
    all[3] = &d->axis_B.x, all[4] = &d->axis_B.y, all[5] = &d->axis_B.z;
    all[6] = &d->radius, all[7] = &d->width;
    all[8] = &d->color.r, all[9] = &d->color.g, all[10] = &d->color.b, all[11] = &d->color.a;
    return i < 7 ? number_of_pose(&d->X_FP, i) : all[i - 7];
}

static void bad_discs_are_refused(void)
{
    spc_rolling_disc good, shape;
    int i, k;
    open_scene();
    good = disc_of(ground(), ground()).shape;
    for (i = 0; i < 3; i++)
        for (k = 0; k < DISC_NUMBERS; k++) {
            shape = good, *number_of_disc(&shape, k) = real(bad_number(i));
            check_bad_disc(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
        }
    shape = spc_rolling_disc_default(), check_bad_disc(__LINE__, &shape, SPC_ERROR_BAD_RADIUS);
    shape = good, shape.radius = -1, check_bad_disc(__LINE__, &shape, SPC_ERROR_BAD_RADIUS);
    shape = good, shape.width = -1, check_bad_disc(__LINE__, &shape, SPC_ERROR_BAD_WIDTH);
    shape = good, shape.axis_B = zero3(), check_bad_disc(__LINE__, &shape, SPC_ERROR_ZERO_VECTOR);
    shape = good, shape.X_FP.q.w = 0, check_bad_disc(__LINE__, &shape, SPC_ERROR_ZERO_QUATERNION);
    close_scene();
}

static void check_bad_joint(int line, const spc_attachment *shape, spc_status wanted)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_constraint constraint;
    d.b = s.body[SPARE];
    d.shape = *shape;
    memset(&constraint, PATTERN, sizeof constraint);
    test_status(__FILE__, line, "check", spc_attachment_check(shape), wanted);
    test_status(__FILE__, line, "add", spc_attachment_add(s.world, &d, &constraint), wanted);
    test_status(__FILE__, line, "set",
                spc_attachment_set(s.world, s.constraint[s.constraints - 1], shape), wanted);
    CHECK(untouched(&constraint, sizeof constraint));
    CHECK(unchanged());
}

static void bad_joints_are_refused(void)
{
    const spc_attachment good = spc_attachment_default();
    spc_attachment shape;
    int i, k;
    open_scene();
    CHECK_STATUS(
        try_add(SPC_ATTACHMENT, s.body[TRAY], s.body[SPARE], NULL, &s.constraint[s.constraints++]),
        SPC_OK);
    mark();
    for (i = 0; i < 3; i++) {
        const spc_real b = real(bad_number(i));
        for (k = 0; k < 7; k++) {
            shape = good, *number_of_pose(&shape.X_AF, k) = b;
            check_bad_joint(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
            shape = good, *number_of_pose(&shape.X_BM, k) = b;
            check_bad_joint(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
        }
        shape = good, shape.rest.x = b, check_bad_joint(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
        shape = good, shape.rest.z = b, check_bad_joint(__LINE__, &shape, SPC_ERROR_NOT_FINITE);
    }
    shape = good, shape.X_AF.q.w = 0, check_bad_joint(__LINE__, &shape, SPC_ERROR_ZERO_QUATERNION);
    shape = good, shape.X_BM.q.w = 0, check_bad_joint(__LINE__, &shape, SPC_ERROR_ZERO_QUATERNION);
    shape = good, shape.locked = 64, check_bad_joint(__LINE__, &shape, SPC_ERROR_BAD_OPTION);
    CHECK_STATUS(spc_attachment_check(NULL), SPC_ERROR_NULL);
    close_scene();
}

static void a_constraint_needs_two_bodies(void)
{
    spc_constraint constraint;
    int k;
    open_scene();
    for (k = 0; k < KINDS; k++) {
        REFUSED_OUT(try_add(kinds[k], ground(), ground(), NULL, &constraint), SPC_ERROR_SAME_BODY,
                    constraint);
        REFUSED_OUT(try_add(kinds[k], s.body[SPARE], s.body[SPARE], NULL, &constraint),
                    SPC_ERROR_SAME_BODY, constraint);
    }
    close_scene();
}

static void bad_stabilization_is_not_set(void)
{
    const spc_stabilization good = spc_stabilization_default();
    spc_stabilization b;
    spc_constraint c;
    int i;
    open_scene();
    c = s.constraint[ON_GROUND];
    for (i = 0; i < 3; i++) {
        b = good, b.time_constant = real(bad_number(i));
        REFUSED(spc_constraint_set_stabilization(s.world, c, &b), SPC_ERROR_NOT_FINITE);
    }
    b = good, b.time_constant = 0;
    REFUSED(spc_constraint_set_stabilization(s.world, c, &b), SPC_ERROR_BAD_TIME_CONSTANT);
    b.time_constant = -1;
    REFUSED(spc_constraint_set_stabilization(s.world, c, &b), SPC_ERROR_BAD_TIME_CONSTANT);
    b = good, b.enabled = false, b.time_constant = -1; /* kept for later: checked all the same */
    REFUSED(spc_constraint_set_stabilization(s.world, c, &b), SPC_ERROR_BAD_TIME_CONSTANT);

    b = good, b.ignore_position = 1u << SPC_MAX_ROWS;
    REFUSED(spc_constraint_set_stabilization(s.world, c, &b), SPC_ERROR_BAD_OPTION);
    b = good, b.ignore_velocity = UINT_MAX;
    REFUSED(spc_constraint_set_stabilization(s.world, c, &b), SPC_ERROR_BAD_OPTION);
    b = good, b.enabled = false, b.time_constant = 0; /* a zeroed struct is neutral */
    CHECK_STATUS(spc_constraint_set_stabilization(s.world, c, &b), SPC_OK);
    close_scene();
}

static void bad_gravity_and_times_are_not_set(void)
{
    int i;
    open_scene();
    for (i = 0; i < 3; i++) {
        const double b = bad_number(i);
        REFUSED(spc_world_set_gravity(s.world, vec3(b, 0, 0)), SPC_ERROR_NOT_FINITE);
        REFUSED(spc_world_set_gravity(s.world, vec3(0, b, 0)), SPC_ERROR_NOT_FINITE);
        REFUSED(spc_world_set_gravity(s.world, vec3(0, 0, b)), SPC_ERROR_NOT_FINITE);
        REFUSED(spc_world_set_time(s.world, real(b)), SPC_ERROR_NOT_FINITE);
    }
    close_scene();
}

/* Poses, times, and what of both gives a velocity that overflows: a way of twice the largest
   number, one of 16 in the shortest time that is a step, and half a turn in it. */
static void bad_ways_to_move_to_are_refused(void)
{
    const double no_times[5] = { 0, -0.01, (double)NAN, (double)INFINITY, SMALLEST };
    const spc_real shortest = real(2 / LARGEST);
    spc_transform X;
    int i, k;
    open_scene();
    for (i = 0; i < 3; i++)
        for (k = 0; k < 7; k++) {
            X = spc_transform_identity(), *number_of_pose(&X, k) = real(bad_number(i));
            REFUSED(spc_body_move_to(s.world, s.body[TRAY], X, STEP), SPC_ERROR_NOT_FINITE);
        }
    X = spc_transform_identity();
    for (i = 0; i < 5; i++)
        REFUSED(spc_body_move_to(s.world, s.body[TRAY], X, real(no_times[i])), SPC_ERROR_BAD_STEP);
    X.q.w = 0;
    REFUSED(spc_body_move_to(s.world, s.body[TRAY], X, STEP), SPC_ERROR_ZERO_QUATERNION);
    X = spc_transform_identity();
    X.p.y = -real(LARGEST);
    CHECK_STATUS(spc_body_set_pose(s.world, s.body[TRAY], X), SPC_OK);
    mark();
    X.p.y = real(LARGEST);
    REFUSED(spc_body_move_to(s.world, s.body[TRAY], X, 1), SPC_ERROR_NOT_FINITE);
    X = spc_transform_identity();
    CHECK_STATUS(spc_body_set_pose(s.world, s.body[TRAY], X), SPC_OK);
    mark();
    X.p.z = 16;
    REFUSED(spc_body_move_to(s.world, s.body[TRAY], X, shortest), SPC_ERROR_NOT_FINITE);
    X.p.z = 0;
    X.q = spc_quat_make(0, 0, 1, 0);
    REFUSED(spc_body_move_to(s.world, s.body[TRAY], X, shortest), SPC_ERROR_NOT_FINITE);
    X.q = spc_quat_identity();
    CHECK_STATUS(spc_body_move_to(s.world, s.body[TRAY], X, shortest), SPC_OK);
    close_scene();
}

/* The parts of a step refuse a length, a count or a number at their arguments. */
static void check_part_lengths(spc_real h)
{
    spc_real v[9], out[81];
    memset(v, 0, sizeof v);
    REFUSED_OUT(spc_world_free_motion(s.world, h, out, out + 9, 9), SPC_ERROR_BAD_STEP, out);
    REFUSED_OUT(spc_world_get_violation(s.world, h, NULL, out, 9), SPC_ERROR_BAD_STEP, out);
    REFUSED_OUT(spc_world_get_compliance(s.world, h, NULL, 0, out, 9), SPC_ERROR_BAD_STEP, out);
    REFUSED(spc_world_correct(s.world, h, v, 9), SPC_ERROR_BAD_STEP);
    REFUSED(spc_world_displace(s.world, h, v, 9), SPC_ERROR_BAD_STEP);
    REFUSED(spc_world_end_motion(s.world, h), SPC_ERROR_BAD_STEP);
}

static void check_part_counts(int count)
{
    spc_real v[9], out[81];
    memset(v, 0, sizeof v);
    REFUSED_OUT(spc_world_free_motion(s.world, STEP, out, NULL, count), SPC_ERROR_BAD_COUNT, out);
    REFUSED_OUT(spc_world_free_motion(s.world, STEP, NULL, out, count), SPC_ERROR_BAD_COUNT, out);
    REFUSED_OUT(spc_world_get_violation(s.world, STEP, v, out, count), SPC_ERROR_BAD_COUNT, out);
    REFUSED_OUT(spc_world_get_position_violation(s.world, v, out, count), SPC_ERROR_BAD_COUNT, out);
    REFUSED_OUT(spc_world_get_compliance(s.world, STEP, NULL, 0, out, count), SPC_ERROR_BAD_COUNT,
                out);
    REFUSED(spc_world_correct(s.world, STEP, v, count), SPC_ERROR_BAD_COUNT);
    REFUSED(spc_world_displace(s.world, STEP, v, count), SPC_ERROR_BAD_COUNT);
}

/* The ball, the rider and the wheel have three rows each. */
static void parts_of_a_step_refuse_bad_arguments(void)
{
    static const int counts[5] = { 0, -9, 8, 10, 1 << 30 };
    int i, k;
    open_scene();
    CHECK(spc_world_row_count(s.world) == 9);
    for (i = 0; i < 3; i++)
        check_part_lengths(real(bad_number(i)));
    check_part_lengths(0);
    check_part_lengths(-STEP);
    check_part_lengths(real(SMALLEST)); /* 1 / h overflows */
    for (i = 0; i < 5; i++)
        check_part_counts(counts[i]);
    for (i = 0; i < 9; i++)
        for (k = 0; k < 3; k++) {
            spc_real v[9];
            memset(v, 0, sizeof v);
            v[i] = real(bad_number(k));
            REFUSED(spc_world_correct(s.world, STEP, v, 9), SPC_ERROR_NOT_FINITE);
            REFUSED(spc_world_displace(s.world, STEP, v, 9), SPC_ERROR_NOT_FINITE);
        }
    close_scene();
}

static void bad_steps_are_refused(void)
{
    const double zero_or_less[2] = { 0, -0.01 };
    int i;
    open_scene();
    for (i = 0; i < 5; i++) {
        const spc_real h = real(i < 3 ? bad_number(i) : zero_or_less[i - 3]);
        REFUSED(spc_step(s.world, h), SPC_ERROR_BAD_STEP);
        REFUSED(spc_step_rk4(s.world, h, SPC_DRIFT_STABILIZE), SPC_ERROR_BAD_STEP);
        REFUSED(spc_step_rk4(s.world, h, SPC_DRIFT_PROJECT), SPC_ERROR_BAD_STEP);
    }
    REFUSED(spc_step(s.world, real(SMALLEST)), SPC_ERROR_BAD_STEP); /* 1 / h overflows */
    for (i = -1; i <= 2; i += 3)
        REFUSED(spc_step_rk4(s.world, STEP, bad_drift(i)), SPC_ERROR_BAD_OPTION);
    close_scene();
    {
        const spc_world_desc desc = spc_world_desc_default(1, 0);
        open_empty(&desc); /* a clock that would overflow */
        CHECK_STATUS(spc_world_set_time(s.world, real(LARGEST)), SPC_OK);
        mark();
        REFUSED(spc_step(s.world, real(LARGEST)), SPC_ERROR_BAD_STEP);
        REFUSED(spc_step_rk4(s.world, real(LARGEST), SPC_DRIFT_STABILIZE), SPC_ERROR_BAD_STEP);
        close_scene();
    }
}

static void bad_tolerances_are_refused(void)
{
    const double zero_or_less[2] = { 0, -1e-3 };
    spc_real residual;
    int i;
    open_scene();
    for (i = 0; i < 5; i++) {
        const spc_real t = real(i < 3 ? bad_number(i) : zero_or_less[i - 3]);
        REFUSED_OUT(spc_world_assemble(s.world, t, &residual), SPC_ERROR_BAD_TOLERANCE, residual);
    }
    close_scene();
}

static void impulses_of_a_wrong_length_are_refused(void)
{
    spc_real v[10] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, impulses[10];
    int i;
    open_scene();
    CHECK(spc_world_row_count(s.world) == 9); /* the constraint that is off has none */
    for (i = -2; i <= 10; i += 2) {           /* never nine */
        REFUSED_OUT(spc_world_apply_impulses(s.world, v, NULL, i), SPC_ERROR_BAD_COUNT, impulses);
        REFUSED_OUT(spc_world_apply_impulses(s.world, NULL, impulses, i), SPC_ERROR_BAD_COUNT,
                    impulses);
        REFUSED_OUT(spc_world_apply_impulses(s.world, v, impulses, i), SPC_ERROR_BAD_COUNT,
                    impulses);
    }
    for (i = 0; i < 3; i++) {
        v[5] = real(bad_number(i));
        REFUSED_OUT(spc_world_apply_impulses(s.world, v, impulses, 9), SPC_ERROR_NOT_FINITE,
                    impulses);
        v[5] = 0;
        v[8] = real(bad_number(i)); /* the last */
        REFUSED_OUT(spc_world_apply_impulses(s.world, v, impulses, 9), SPC_ERROR_NOT_FINITE,
                    impulses);
        v[8] = 0;
    }
    CHECK_STATUS(spc_world_apply_impulses(s.world, v, impulses, 9), SPC_OK);
    CHECK_STATUS(spc_world_apply_impulses(s.world, NULL, NULL, -7),
                 SPC_OK); /* no vector, no length */
    close_scene();
}

/* ---------------------------------------------------------------------- refused late -------- */

/* An uneven body with its centre off the origin, last in the world: quantities of its motion
 * overflow. */
static spc_body add_uneven(void)
{
    spc_body_desc d = spc_body_desc_default();
    d.mass = spc_mass_box(1, vec3(1, 2, 3));
    d.mass.p_BBc = vec3(0.1, 0.2, 0.3);
    d.state.X_GB.p = vec3(0, 20, 0);
    return add_body(&d);
}

static void states_that_would_overflow_are_refused(void)
{
    spc_body last;
    spc_spatial V;
    int i;
    for (i = 0; i < 3; i++) {
        open_scene();
        last = add_uneven();
        V = spc_spatial_make(vec3(LARGEST / 4, LARGEST / 4, -LARGEST / 4), zero3());
        CHECK_STATUS(spc_body_set_velocity(s.world, last, V), SPC_OK);
        REFUSED_LATE(try_step(i), SPC_ERROR_STATE_NOT_FINITE);
        REFUSED_LATE(spc_world_forward_dynamics(s.world), SPC_ERROR_STATE_NOT_FINITE);
        CHECK_STATUS(spc_body_set_velocity(s.world, last, spc_spatial_make(zero3(), zero3())),
                     SPC_OK);
        CHECK_STATUS(try_step(i), SPC_OK);
        close_scene();
    }
}

static void a_first_body_that_overflows_stops_the_rest(void)
{
    int i;
    for (i = 0; i < 3; i++) {
        const spc_world_desc desc = spc_world_desc_default(4, 4);
        open_empty(&desc);
        (void)add_uneven();
        (void)add_ball(0, 0);
        (void)add_contact(ground(), s.body[1]);
        CHECK_STATUS(spc_world_set_gravity(s.world, vec3(3, 0, -10)), SPC_OK);
        CHECK_STATUS(try_step(i), SPC_OK);
        /* the velocity is fine, the position after the step is not */
        CHECK_STATUS(
            spc_body_set_pose(s.world, s.body[0],
                              spc_transform_make(spc_quat_identity(), vec3(LARGEST, 0, 0))),
            SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(s.world, s.body[0],
                                           spc_spatial_make(zero3(), vec3(LARGEST, 0, 0))),
                     SPC_OK);
        REFUSED_LATE(try_step(i), SPC_ERROR_STATE_NOT_FINITE);
        close_scene();
    }
}

static void kinematic_bodies_that_would_overflow_are_refused(void)
{
    const spc_vec3 far = vec3(LARGEST, 0, 0);
    int i;
    for (i = 0; i < 3; i++) {
        spc_body last;
        open_scene();
        last = add_kinematic(NULL, NULL);
        CHECK_STATUS(spc_body_set_pose(s.world, last, spc_transform_make(spc_quat_identity(), far)),
                     SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(s.world, last, spc_spatial_make(zero3(), far)), SPC_OK);
        REFUSED_LATE(try_step(i), SPC_ERROR_STATE_NOT_FINITE);
        close_scene();
    }
}

static void bad_motions_are_refused_at_any_stage(void)
{
    int kind, i, part;
    for (kind = FAULT_NONE + 1; kind < FAULT_KINDS; kind++)
        for (i = 0; i < 3; i++)
            for (part = 1; part <= 2; part++) { /* from half the step on, or at its end */
                open_scene();
                s.wrong.from = STEP + STEP * (spc_real)part / 2;
                s.wrong.kind = FAULT_NONE;
                (void)add_kinematic(swing, &s.wrong);
                CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
                s.wrong.kind = kind;
                REFUSED_LATE(try_step(i), SPC_ERROR_BAD_MOTION);
                REFUSED_LATE(try_step(i), SPC_ERROR_BAD_MOTION);
                s.wrong.kind = FAULT_NONE;
                CHECK_STATUS(try_step(i), SPC_OK);
                close_scene();
            }
}

static void a_time_that_a_motion_does_not_have_is_refused(void)
{
    spc_state state;
    int kind;
    for (kind = FAULT_NONE + 1; kind < FAULT_KINDS; kind++) {
        open_scene();
        s.wrong.kind = kind;
        s.wrong.from = 10;
        (void)add_kinematic(swing, &s.wrong);
        REFUSED_LATE(spc_world_set_time(s.world, 10),
                     SPC_ERROR_BAD_MOTION); /* the others have moved then */
        CHECK_STATUS(spc_world_set_time(s.world, 4), SPC_OK);
        CHECK_NEAR(spc_world_time(s.world), 4, 0);
        CHECK_STATUS(spc_body_get_state(s.world, s.body[SWING], &state), SPC_OK);
        CHECK_NEAR(state.X_GB.p.x, 8, 0);
        CHECK_NEAR(state.V_GB.linear.x, 4, 0);
        close_scene();
    }
}

/* A body that is moved stands half a metre too low, and a ball a tenth too high: it stays there. */
static void what_cannot_be_assembled_stays(void)
{
    const spc_transform high = spc_transform_make(spc_quat_identity(), vec3(0, 0, 0.6));
    spc_sphere_on_plane_desc d;
    spc_real residual = -1;
    open_scene();
    CHECK_STATUS(spc_body_set_pose(s.world, s.body[BALL], high), SPC_OK);
    d = contact_of(ground(), s.body[TRAY]);
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.constraint[s.constraints++]), SPC_OK);
    REFUSED_LATE(spc_world_assemble(s.world, SPC_R(0.01), &residual), SPC_ERROR_NOT_ASSEMBLED);
    CHECK_NEAR(residual, 0.5, 0);
    REFUSED_LATE(spc_world_assemble(s.world, SPC_R(0.01), NULL), SPC_ERROR_NOT_ASSEMBLED);
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[--s.constraints]), SPC_OK);
    CHECK_STATUS(spc_world_assemble(s.world, SPC_R(0.01), &residual), SPC_OK);
    CHECK_NEAR(residual, 0, 0.01);
    close_scene();
}

/* A second plane one metre above the ground's, whose normal is the same: half a metre from either
   is the best that there is, to the step that counts as none. */
static void contradictions_are_assembled_in_the_middle(void)
{
    spc_sphere_on_plane_desc d;
    spc_constraint_info info;
    spc_world_report report;
    spc_real residual = -1;
    spc_state state;
    open_scene();
    d = contact_of(ground(), s.body[BALL]);
    d.shape.X_FP.p = vec3(0, 0, 1);
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.constraint[s.constraints++]), SPC_OK);
    CHECK_STATUS(spc_world_assemble(s.world, SPC_R(0.01), &residual), SPC_OK);
    CHECK_NEAR(residual, 0.5, sizeof(spc_real) == sizeof(double) ? 1e-8 : 1e-3);
    CHECK_STATUS(spc_body_get_state(s.world, s.body[BALL], &state), SPC_OK);
    CHECK_NEAR(state.X_GB.p.z, 1, sizeof(spc_real) == sizeof(double) ? 1e-8 : 1e-3);
    CHECK_STATUS(spc_world_get_report(s.world, &report), SPC_OK);
    CHECK(report.contradictory == 2);
    CHECK_NEAR(report.contradiction, 0.5, sizeof(spc_real) == sizeof(double) ? 1e-8 : 1e-3);
    CHECK(report.worst.index == s.constraint[ON_GROUND].index ||
          report.worst.index == s.constraint[s.constraints - 1].index);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[ON_TRAY], &info), SPC_OK);
    CHECK_NEAR(info.contradiction, 0, 0);
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[--s.constraints]), SPC_OK);
    CHECK_STATUS(spc_world_assemble(s.world, SPC_R(0.01), &residual), SPC_OK);
    CHECK_STATUS(spc_world_get_report(s.world, &report), SPC_OK);
    CHECK(report.contradictory == 0 && report.worst.index == 0);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[ON_GROUND], &info), SPC_OK);
    CHECK(info.redundant == 0 && info.contradiction <= 0);
    close_scene();
}

static void prescribed_bodies_are_not_assembled(void)
{
    const spc_world_desc desc = spc_world_desc_default(2, 2);
    spc_sphere_on_plane_desc d;
    spc_real residual = -1;
    open_empty(&desc);
    (void)add_kinematic(NULL, NULL);
    d = contact_of(ground(), s.body[0]);
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.constraint[s.constraints++]), SPC_OK);
    REFUSED_LATE(spc_world_assemble(s.world, SPC_R(0.01), &residual), SPC_ERROR_NOT_ASSEMBLED);
    CHECK_NEAR(residual, 0.5, 0); /* half a metre too low */
    close_scene();
}

/* The ball's plane so far below it that the distance is no number. */
static void move_plane_out_of_reach(void)
{
    spc_sphere_on_plane_desc d = contact_of(ground(), s.body[SPARE]);
    d.shape.X_FP.p = vec3(0, 0, -0.9 * LARGEST);
    d.shape.rolling = false;
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.constraint[s.constraints++]), SPC_OK);
    CHECK_STATUS(
        spc_body_set_pose(s.world, s.body[SPARE],
                          spc_transform_make(spc_quat_identity(), vec3(0, 0, 0.9 * LARGEST))),
        SPC_OK);
}

static void assembling_what_is_out_of_reach_is_refused(void)
{
    open_scene();
    move_plane_out_of_reach();
    REFUSED_LATE(spc_world_assemble(s.world, SPC_R(0.01), NULL), SPC_ERROR_STATE_NOT_FINITE);
    close_scene();
}

static void projecting_what_is_out_of_reach_leaves_all_results(void)
{
    open_scene();
    move_plane_out_of_reach();
    /* other accelerations and multipliers than the last ones: those of the stages must not show */
    CHECK_STATUS(spc_world_set_gravity(s.world, vec3(-4, 2, -7)), SPC_OK);
    REFUSED_LATE(spc_step_rk4(s.world, STEP, SPC_DRIFT_PROJECT), SPC_ERROR_STATE_NOT_FINITE);
    close_scene();
}

static void impulses_that_would_overflow_are_refused(void)
{
    spc_real v[9] = { 0, 0, 0, 0, 0, 0, 0, 0, 0 }, impulses[9];
    open_scene();
    v[5] = real(LARGEST); /* of the rider: the ball on the ground has been served before */
    v[2] = 1;
    CHECK_STATUS(spc_body_set_velocity(s.world, s.body[RIDER],
                                       spc_spatial_make(zero3(), vec3(0, 0, -LARGEST))),
                 SPC_OK);
    memset(impulses, PATTERN, sizeof impulses);
    REFUSED_LATE(spc_world_apply_impulses(s.world, v, impulses, 9), SPC_ERROR_STATE_NOT_FINITE);
    CHECK(untouched(impulses, sizeof impulses));
    CHECK_STATUS(spc_body_set_velocity(s.world, s.body[RIDER],
                                       spc_spatial_make(vec3(0, LARGEST, 0), vec3(LARGEST, 0, 0))),
                 SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(s.world, s.body[TRAY],
                                       spc_spatial_make(zero3(), vec3(-LARGEST, 0, 0))),
                 SPC_OK);
    REFUSED_LATE(spc_world_project_velocities(s.world), SPC_ERROR_STATE_NOT_FINITE);
    close_scene();
}

/* Joints of one row each between the first two bodies: more loops than the room of bodies and rows
   takes in. */
static void add_bundle(int count)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    int i;
    d.a = s.body[0];
    d.b = s.body[1];
    d.shape.locked = SPC_POINT_ON_PLANE;
    for (i = 0; i < count; i++) {
        d.shape.X_BM.p = vec3(0.1 * i, 0.1 * (i * i % 5), 0);
        CHECK_STATUS(spc_attachment_add(s.world, &d, &s.constraint[s.constraints++]), SPC_OK);
    }
}

static void too_little_room_for_coupling_is_refused(void)
{
    spc_world_desc desc = spc_world_desc_default(3, 41);
    desc.coupling = 0;
    desc.rows = 43; /* forty rows between two bodies are more than the rows' own room is for */
    desc.gravity = vec3(1, 0, -10);
    open_empty(&desc);
    (void)add_ball(0, 0);
    (void)add_ball(0, 0);
    (void)add_kinematic(swing, NULL);
    (void)add_contact(ground(), s.body[0]);
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    add_bundle(40);
    CHECK(spc_world_row_count(s.world) == 43);
    CHECK(spc_world_coupling_needed(s.world) > 0);
    check_nothing_is_solved(SPC_ERROR_COUPLING_FULL);
    REFUSED_LATE(spc_world_end_motion(s.world, STEP), SPC_ERROR_COUPLING_FULL);
    while (s.constraints > 1)
        CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[--s.constraints]), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_STATUS(try_step(0), SPC_OK);
    close_scene();
}

/* Setting the clock needs no solver: constraints that do not fit must not stop it. */
static void the_clock_is_set_whatever_the_coupling(void)
{
    spc_world_desc desc = spc_world_desc_default(2, 40);
    desc.coupling = 0;
    desc.rows = 40;
    open_empty(&desc);
    (void)add_ball(0, 0);
    (void)add_ball(0, 0);
    add_bundle(40);
    CHECK(spc_world_coupling_needed(s.world) > 0);
    CHECK_STATUS(spc_world_set_time(s.world, 3), SPC_OK);
    CHECK_NEAR(spc_world_time(s.world), 3, 0);
    close_scene();
}

/* ------------------------------------------------------------------------ flat discs -------- */

/* Where the axis of a disc is parallel to the normal there is no contact point. */
enum { BY_POSE, BY_AXIS, BY_PLANE, WAYS };

/* Lays the wheel of the scene flat, or stands it up again, in one of the ways. */
static void turn_wheel(spc_world *w, int way, bool flat)
{
    spc_rolling_disc shape = disc_of(ground(), ground()).shape;
    spc_state state;
    CHECK_STATUS(spc_body_get_state(w, s.body[WHEEL], &state), SPC_OK);
    state.X_GB.q = way == BY_POSE && flat ? quarter_turn() : spc_quat_identity();
    if (way == BY_AXIS && flat)
        shape.axis_B = vec3(0, 0, -3);
    if (way == BY_PLANE && flat)
        shape.X_FP.q = quarter_turn();
    CHECK_STATUS(spc_body_set_pose(w, s.body[WHEEL], state.X_GB), SPC_OK);
    CHECK_STATUS(spc_rolling_disc_set(w, s.constraint[WHEELING], &shape), SPC_OK);
}

static void flat_discs_are_not_added(void)
{
    spc_rolling_disc_desc d;
    spc_constraint constraint;
    int i;
    open_scene();
    turn_wheel(s.world, BY_POSE, false); /* it has begun to roll */
    mark();
    for (i = 0; i < 2; i++) { /* not even disabled */
        d = disc_of(s.body[TRAY], s.body[WHEEL]);
        d.disabled = i == 1;
        d.shape.axis_B = vec3(0, 0, 1); /* on one side */
        REFUSED_OUT(spc_rolling_disc_add(s.world, &d, &constraint), SPC_ERROR_NO_CONTACT_POINT,
                    constraint);
        d.shape.axis_B = vec3(0, 0, -3); /* and on the other */
        REFUSED_OUT(spc_rolling_disc_add(s.world, &d, &constraint), SPC_ERROR_NO_CONTACT_POINT,
                    constraint);
        d.shape = disc_of(ground(), ground()).shape;
        d.shape.X_FP.q = quarter_turn();
        REFUSED_OUT(spc_rolling_disc_add(s.world, &d, &constraint), SPC_ERROR_NO_CONTACT_POINT,
                    constraint);
    }
    d.shape.X_FP.q = spc_quat_identity();
    turn_wheel(s.world, BY_POSE, true);
    mark();
    REFUSED_OUT(spc_rolling_disc_add(s.world, &d, &constraint), SPC_ERROR_NO_CONTACT_POINT,
                constraint);
    d.shape.axis_B = vec3(0, 1, 0.001); /* a little tilt is enough */
    CHECK_STATUS(spc_rolling_disc_add(s.world, &d, &constraint), SPC_OK);
    close_scene();
}

/* Queries of the wheel that need its contact point, while there is none. */
static void check_no_contact(void)
{
    const spc_constraint c = s.constraint[WHEELING];
    const spc_status wanted = SPC_ERROR_NO_CONTACT_POINT;
    spc_real errors[SPC_MAX_ROWS];
    spc_contact_force forces;
    spc_disc_contact contact;
    spc_rows rows;
    mark();
    REFUSED_OUT(spc_constraint_get_rows(s.world, c, &rows), wanted, rows);
    REFUSED_OUT(spc_constraint_get_acceleration_errors(s.world, c, errors), wanted, errors);
    REFUSED_OUT(spc_constraint_get_forces(s.world, c, &forces), wanted, forces);
    REFUSED_OUT(spc_rolling_disc_get_contact(s.world, c, &contact), wanted, contact);
}

static void a_flat_disc_answers_what_needs_no_contact_point(void)
{
    spc_real before[SPC_MAX_ROWS], lambda[SPC_MAX_ROWS];
    spc_constraint_info info;
    spc_energy_momentum momentum;
    spc_rolling_disc shape;
    spc_constraint c;
    int i, k;
    open_scene();
    c = s.constraint[WHEELING];
    CHECK_STATUS(spc_constraint_get_multipliers(s.world, c, before), SPC_OK);
    turn_wheel(s.world, BY_POSE, true);
    for (i = 0; i < 3; i++) { /* on, off, on again */
        const bool on = i != 1;
        CHECK_STATUS(spc_constraint_set_enabled(s.world, c, on), SPC_OK);
        check_no_contact();
        CHECK_STATUS(spc_constraint_get_info(s.world, c, &info), SPC_OK);
        CHECK(info.kind == SPC_ROLLING_DISC && info.enabled == on);
        CHECK(info.row_index == (on ? 6 : -1) && info.position_rows == (on ? 1 : 0));
        CHECK_STATUS(spc_constraint_get_multipliers(s.world, c, lambda), SPC_OK);
        for (k = 0; k < SPC_MAX_ROWS; k++)
            CHECK_NEAR(lambda[k], i == 0 ? before[k] : 0, 0);
        CHECK_STATUS(spc_rolling_disc_get(s.world, c, &shape), SPC_OK);
        shape.radius += 1;
        CHECK_STATUS(spc_rolling_disc_set(s.world, c, &shape), SPC_OK);
        CHECK_STATUS(spc_constraint_set_name(s.world, c, "flat"), SPC_OK);
        CHECK_STATUS(spc_world_get_energy_momentum(s.world, &momentum), SPC_OK);
    }
    CHECK_STATUS(spc_rolling_disc_get(s.world, c, &shape), SPC_OK);
    CHECK_NEAR(shape.radius, 3.5, 0);
    close_scene();
}

/* Out of a flat pose: by the way back, or without the constraint. */
static void leave_flat_pose(spc_world *w, int way, int out)
{
    if (out == 0)
        turn_wheel(w, way, false);
    else if (out == 1)
        CHECK_STATUS(spc_constraint_set_enabled(w, s.constraint[WHEELING], false), SPC_OK);
    else
        CHECK_STATUS(spc_constraint_remove(w, s.constraint[WHEELING]), SPC_OK);
}

static void a_flat_disc_stops_everything_until_it_is_gone(void)
{
    int way, out;
    for (way = 0; way < WAYS; way++)
        for (out = 0; out < 3; out++) {
            spc_world *twin;
            open_scene();
            turn_wheel(s.world, way, true);
            mark();
            twin = marked_world(); /* sees nothing of the calls that are refused */
            check_nothing_is_solved(SPC_ERROR_NO_CONTACT_POINT);
            leave_flat_pose(s.world, way, out);
            leave_flat_pose(twin, way, out);
            check_go_on_alike(twin);
            close_scene();
        }
}

static void a_flat_disc_that_is_off_disturbs_nothing(void)
{
    spc_world *twin;
    open_scene();
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[WHEELING], false), SPC_OK);
    turn_wheel(s.world, BY_POSE, true);
    mark();
    twin = marked_world();
    CHECK_STATUS(spc_constraint_remove(twin, s.constraint[WHEELING]), SPC_OK);
    s.constraints = WHEELING; /* which is not looked at: there it is gone */
    check_go_on_alike(twin);
    close_scene();
}

enum { AS_FLOOR, AS_DISC, IN_A_STACK, ROLES };

/* The spare body and one that tips over, in balance: a wheel on a floor that tips; a wheel that
   tips on a loose floor; or the first with a ball in the wheel. */
static void add_tipping(int role)
{
    const spc_body loose = s.body[SPARE], tips = add_kinematic(tip, &s.tips);
    const spc_vec3 at = vec3(0, 0, role == AS_DISC ? -0.5 : 0.5);
    spc_sphere_on_plane_desc d;
    CHECK_STATUS(spc_body_set_pose(s.world, loose, spc_transform_make(spc_quat_identity(), at)),
                 SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(s.world, loose, spc_spatial_make(zero3(), zero3())), SPC_OK);
    if (role == AS_DISC)
        (void)add_disc(loose, tips);
    else
        (void)add_disc(tips, loose);
    if (role != IN_A_STACK)
        return;
    d = contact_of(loose, add_ball(0, 0));
    d.shape.X_FP.p = vec3(0, 0, -0.5);
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.constraint[s.constraints++]), SPC_OK);
}

/* Flat at the start of the step alone, at its middle or at its end: the islands before it have
   moved by then. */
static void check_tipping(int role, int part, int step)
{
    spc_world *twin;
    open_scene();
    add_tipping(role);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    /* other accelerations than the last ones: those of the stages must not show */
    CHECK_STATUS(spc_world_set_gravity(s.world, vec3(2, 0, -9)), SPC_OK);
    mark();
    twin = marked_world();
    s.tips.from = STEP + STEP * (spc_real)part / 2;
    s.tips.to = s.tips.from + STEP / 4;
    CHECK_STATUS(spc_world_set_time(s.world, STEP), SPC_OK);
    REFUSED_LATE(try_step(step), SPC_ERROR_NO_CONTACT_POINT);
    REFUSED_LATE(try_step(step), SPC_ERROR_NO_CONTACT_POINT);
    s.tips.to = 0; /* never */
    CHECK_STATUS(spc_world_set_time(s.world, STEP), SPC_OK);
    check_go_on_alike(twin);
    close_scene();
}

static void a_disc_that_is_tipped_over_within_a_step_stops_it(void)
{
    int role, part, i;
    for (role = 0; role < ROLES; role++)
        for (part = 0; part <= 2; part++)
            for (i = 0; i < 3; i++)
                if (part != 2 || i != 0) /* spc_step asks at its beginning and in its middle */
                    check_tipping(role, part, i);
}

static void the_clock_is_set_whatever_lies_flat(void)
{
    open_scene();
    add_tipping(AS_FLOOR);
    s.tips.from = 10;
    s.tips.to = 20;
    CHECK_STATUS(spc_world_set_time(s.world, 10), SPC_OK);
    check_nothing_is_solved(SPC_ERROR_NO_CONTACT_POINT);
    CHECK_STATUS(spc_world_set_time(s.world, 20), SPC_OK);
    CHECK_STATUS(try_step(0), SPC_OK);
    close_scene();
}

/* The wheel tumbles about x, along which its only row holds what stays at rest: it turns freely. */
static void tumble(spc_real spin)
{
    spc_rolling_disc shape = disc_of(ground(), ground()).shape;
    shape.lateral = shape.normal = false;
    CHECK_STATUS(spc_rolling_disc_set(s.world, s.constraint[WHEELING], &shape), SPC_OK);
    CHECK_STATUS(spc_world_set_gravity(s.world, vec3(0, 0, -10)), SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(s.world, s.body[WHEEL],
                                       spc_spatial_make(spc_vec3_make(spin, 0, 0), zero3())),
                 SPC_OK);
}

/* The spin about x with which a step ends flat, or spc_step is flat in its middle, to the last bit:
   by bisection without the constraint. Spins next to each other differ in their angles by less than
   two units of rounding, and the angles carry a few: within the eight that count as parallel. */
static spc_real flat_spin(int step)
{
    spc_real low = 0, high = 2 / STEP;
    int i;
    for (i = 0; i < 64; i++) {
        const spc_real spin = (low + high) / 2;
        spc_state state;
        open_scene();
        tumble(spin);
        CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[WHEELING], false), SPC_OK);
        CHECK_STATUS(step == 0 ? spc_world_free_motion(s.world, STEP, NULL, NULL, 0)
                               : try_step(step),
                     SPC_OK);
        CHECK_STATUS(spc_body_get_state(s.world, s.body[WHEEL], &state), SPC_OK);
        if (spc_rotate(state.X_GB.q, vec3(0, 1, 0)).y > 0)
            low = spin;
        else
            high = spin;
        close_scene();
    }
    return low;
}

static void check_tumbling(spc_real spin, int step)
{
    open_scene();
    tumble(spin);
    REFUSED_LATE(try_step(step), SPC_ERROR_NO_CONTACT_POINT);
    REFUSED_LATE(try_step(step), SPC_ERROR_NO_CONTACT_POINT);
    tumble(spin / 4); /* which does not turn it over by the end either */
    CHECK_STATUS(try_step(step), SPC_OK);
    close_scene();
}

static void a_disc_that_tumbles_flat_within_a_step_stops_it(void)
{
    check_tumbling(flat_spin(0), 0);
    check_tumbling(flat_spin(2), 2);
    check_tumbling(4 / STEP, 1); /* at the second stage: q0 + h/2 q' = (1, 1, 0, 0) */
    check_tumbling(4 / STEP, 2);
}

/* ---------------------------------------------------------------------- what is kept -------- */

static void setters_and_getters_agree(void)
{
    spc_state state, before;
    spc_mass mass, kept_mass;
    spc_spatial V = spc_spatial_make(vec3(1, 2, 3), vec3(4, 5, 6)), A;
    spc_stabilization stabilization = spc_stabilization_default(), kept;
    spc_sphere_on_plane shape = spc_sphere_on_plane_default(), kept_shape;
    spc_constraint_info info;
    const spc_vec3 g = vec3(1, 2, 3), p = vec3(7, 8, 9);
    spc_vec3 got;
    open_scene();
    CHECK_STATUS(spc_world_set_gravity(s.world, g), SPC_OK);
    got = spc_world_gravity(s.world);
    CHECK(SAME_BITS(got, g));
    CHECK_STATUS(spc_world_set_time(s.world, -2), SPC_OK);
    CHECK_NEAR(spc_world_time(s.world), -2, 0);
    /* the quaternion is made unit; the velocity stays */
    CHECK_STATUS(spc_body_get_state(s.world, s.body[BALL], &before), SPC_OK);
    CHECK_STATUS(
        spc_body_set_pose(s.world, s.body[BALL], spc_transform_make(spc_quat_make(0, 3, 0, 4), p)),
        SPC_OK);
    CHECK_STATUS(spc_body_get_state(s.world, s.body[BALL], &state), SPC_OK);
    CHECK(SAME_BITS(state.X_GB.p, p));
    CHECK(SAME_BITS(state.V_GB, before.V_GB));
    CHECK_NEAR(state.X_GB.q.x, 0.6, 2 * TEST_EPSILON); /* a division and a root */
    CHECK_NEAR(state.X_GB.q.z, 0.8, 2 * TEST_EPSILON);
    CHECK_STATUS(spc_body_set_velocity(s.world, s.body[BALL], V), SPC_OK);
    before = state;
    CHECK_STATUS(spc_body_get_state(s.world, s.body[BALL], &state), SPC_OK);
    CHECK(SAME_BITS(state.V_GB, V));
    CHECK(SAME_BITS(state.X_GB, before.X_GB));
    CHECK_STATUS(spc_body_set_acceleration(s.world, s.body[TRAY], V), SPC_OK);
    CHECK_STATUS(spc_body_get_acceleration(s.world, s.body[TRAY], &A), SPC_OK);
    CHECK(SAME_BITS(A, V));
    mass = test_random_mass();
    CHECK_STATUS(spc_body_set_mass(s.world, s.body[BALL], &mass), SPC_OK);
    CHECK_STATUS(spc_body_get_mass(s.world, s.body[BALL], &kept_mass), SPC_OK);
    CHECK(SAME_BITS(mass, kept_mass));
    stabilization.enabled = false;
    stabilization.time_constant = SPC_R(0.75);
    stabilization.ignore_position = 4;
    stabilization.ignore_velocity = 2;
    CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.constraint[ON_TRAY], &stabilization),
                 SPC_OK);
    CHECK_STATUS(spc_constraint_get_stabilization(s.world, s.constraint[ON_TRAY], &kept), SPC_OK);
    CHECK(!kept.enabled && kept.ignore_position == 4 && kept.ignore_velocity == 2);
    CHECK_NEAR(kept.time_constant, 0.75, 0);
    shape.radius = 2;
    shape.rolling = false;
    shape.half_width = 0;
    shape.p_BS = p;
    shape.X_FP = spc_transform_make(spc_quat_make(0, 0, -5, 0), g);
    CHECK_STATUS(spc_sphere_on_plane_set(s.world, s.constraint[ON_TRAY], &shape), SPC_OK);
    CHECK_STATUS(spc_sphere_on_plane_get(s.world, s.constraint[ON_TRAY], &kept_shape), SPC_OK);
    CHECK_NEAR(kept_shape.radius, 2, 0);
    CHECK_NEAR(kept_shape.half_width, 0, 0);
    CHECK(!kept_shape.rolling && SAME_BITS(kept_shape.p_BS, p) && SAME_BITS(kept_shape.X_FP.p, g));
    CHECK_NEAR(kept_shape.X_FP.q.y, -1, 0);
    CHECK_STATUS(spc_constraint_set_conditional(s.world, s.constraint[ON_TRAY], true), SPC_OK);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[ON_TRAY], &info), SPC_OK);
    CHECK(info.kind == SPC_SPHERE_ON_PLANE && info.enabled && info.conditional);
    CHECK(SAME_BITS(info.a, s.body[TRAY]) && SAME_BITS(info.b, s.body[RIDER]));
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[ON_TRAY], false), SPC_OK);
    CHECK_STATUS(spc_constraint_set_conditional(s.world, s.constraint[ON_TRAY], false), SPC_OK);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[ON_TRAY], &info), SPC_OK);
    CHECK(!info.enabled && !info.conditional && info.row_index == -1);
    CHECK(info.position_rows + info.velocity_rows + info.acceleration_rows == 0);
    CHECK(spc_world_row_count(s.world) == 6);
    close_scene();
}

/* Disabled and conditional, in a world with defaults of its own. */
static void check_starts_as_described(int k)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_stabilization kept;
    spc_constraint_info info;
    spc_sphere_on_plane_desc sphere;
    spc_rolling_disc_desc disc;
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_body none = ground();
    spc_status status;
    desc.stabilization.time_constant = SPC_R(0.25);
    desc.stabilization.ignore_position = 1;
    open_empty(&desc);
    (void)add_ball(0, 0);
    sphere = contact_of(ground(), s.body[0]);
    disc = disc_of(ground(), s.body[0]);
    sphere.disabled = sphere.conditional = disc.disabled = disc.conditional = true;
    joint.b = s.body[0];
    joint.disabled = joint.conditional = true;
    sphere.name = disc.name = joint.name = "first";
    if (kinds[k] == SPC_ATTACHMENT)
        status = spc_attachment_add(s.world, &joint, &s.constraint[0]);
    else if (kinds[k] == SPC_ROLLING_DISC)
        status = spc_rolling_disc_add(s.world, &disc, &s.constraint[0]);
    else
        status = spc_sphere_on_plane_add(s.world, &sphere, &s.constraint[0]);
    CHECK_STATUS(status, SPC_OK);
    CHECK_STATUS(spc_constraint_get_stabilization(s.world, s.constraint[0], &kept), SPC_OK);
    CHECK_NEAR(kept.time_constant, 0.25, 0);
    CHECK(kept.enabled && kept.ignore_position == 1 && kept.ignore_velocity == 0);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[0], &info), SPC_OK);
    CHECK(!info.enabled && info.conditional && info.kind == kinds[k]);
    CHECK(SAME_BITS(info.a, none) && SAME_BITS(info.b, s.body[0]));
    CHECK(strcmp(info.name, "first") == 0);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[0], true), SPC_OK);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[0], &info), SPC_OK);
    /* of a ball joint all rows have a position level, but the default ignores that of the first */
    CHECK(info.enabled && info.row_index == 0);
    CHECK(info.position_rows == (kinds[k] == SPC_ATTACHMENT ? 2 : 1));
    CHECK(info.position_rows + info.velocity_rows == 3);
    close_scene();
}

static void new_constraints_start_as_they_are_described(void)
{
    int k;
    for (k = 0; k < KINDS; k++)
        check_starts_as_described(k);
}

static bool has_name(spc_constraint c, const char *name)
{
    char wanted[SPC_MAX_NAME + 1];
    spc_constraint_info info;
    memset(wanted, 0, sizeof wanted); /* zeros behind its end, too */
    memcpy(wanted, name, strlen(name));
    memset(&info, PATTERN, sizeof info);
    CHECK_STATUS(spc_constraint_get_info(s.world, c, &info), SPC_OK);
    return SAME_BITS(info.name, wanted);
}

static void names_are_kept_replaced_and_taken_away(void)
{
    const char longest[] = "thirty-one letters, digits, ...";
    unsigned long long hash;
    int i;
    CHECK(strlen(longest) == SPC_MAX_NAME);
    open_scene();
    hash = spc_world_hash(s.world);
    for (i = ON_GROUND; i <= WHEELING; i++) {
        const spc_constraint c = s.constraint[i];
        CHECK(has_name(c, ""));
        CHECK_STATUS(spc_constraint_set_name(s.world, c, longest), SPC_OK);
        CHECK(has_name(c, longest));
        CHECK_STATUS(spc_constraint_set_name(s.world, c, "short"), SPC_OK);
        CHECK(has_name(c, "short"));
        CHECK_STATUS(spc_constraint_set_name(s.world, c, longest), SPC_OK);
        CHECK(!unchanged());
        CHECK_STATUS(spc_constraint_set_name(s.world, c, ""), SPC_OK);
        CHECK(has_name(c, "") && unchanged()); /* no byte tells of the names before */
        CHECK_STATUS(spc_constraint_set_name(s.world, c, longest), SPC_OK);
        CHECK_STATUS(spc_constraint_set_name(s.world, c, NULL), SPC_OK);
        CHECK(has_name(c, "") && unchanged());
    }
    CHECK_STATUS(spc_constraint_set_name(s.world, s.constraint[ON_TRAY], "one"), SPC_OK);
    CHECK_STATUS(spc_constraint_set_name(s.world, s.constraint[WHEELING], "one"), SPC_OK);
    CHECK(has_name(s.constraint[ON_TRAY], "one") && has_name(s.constraint[WHEELING], "one"));
    CHECK(spc_world_hash(s.world) == hash);
    close_scene();
}

static void names_that_are_too_long_are_refused(void)
{
    char name[SPC_MAX_NAME + 1];
    int k;
    for (k = 0; k < KINDS; k++) {
        spc_constraint c, again;
        open_scene();
        memset(name, 'x', sizeof name); /* has no end: nothing is read behind it */
        REFUSED_OUT(try_add(kinds[k], ground(), s.body[SPARE], name, &c), SPC_ERROR_BAD_NAME, c);
        REFUSED(spc_constraint_set_name(s.world, s.constraint[WHEELING], name), SPC_ERROR_BAD_NAME);
        name[SPC_MAX_NAME] = 0;
        CHECK_STATUS(try_add(kinds[k], ground(), s.body[SPARE], name, &c), SPC_OK);
        CHECK(has_name(c, name));
        memset(name, 'y', SPC_MAX_NAME); /* a copy is kept */
        CHECK(!has_name(c, name));
        CHECK_STATUS(spc_constraint_remove(s.world, c), SPC_OK);
        CHECK_STATUS(try_add(kinds[k], ground(), s.body[SPARE], NULL, &again), SPC_OK);
        CHECK(again.index == c.index && has_name(again, ""));
        close_scene();
    }
}

static void default_discs_are_as_described(void)
{
    const spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    const spc_transform identity = spc_transform_identity();
    const spc_vec3 zero = zero3(), x = vec3(1, 0, 0);
    const spc_body none = ground();
    CHECK(SAME_BITS(d.floor, none) && SAME_BITS(d.disc, none));
    CHECK(!d.disabled && !d.conditional && !d.name);
    CHECK(SAME_BITS(d.shape.X_FP, identity) && SAME_BITS(d.shape.p_BS, zero));
    CHECK(SAME_BITS(d.shape.axis_B, x));
    CHECK(d.shape.lateral && d.shape.longitudinal && d.shape.normal && d.shape.show);
    CHECK_NEAR(d.shape.radius, 0, 0);
    CHECK_NEAR(d.shape.width, SPC_R(0.1), 0);
    CHECK_NEAR(d.shape.color.r, -1, 0);
}

/* Nothing as by default, and one of four flags set. */
static spc_rolling_disc odd_disc(int flag)
{
    spc_rolling_disc d = spc_rolling_disc_default();
    d.X_FP = spc_transform_make(spc_quat_make(0, 0, -5, 0), vec3(1, 2, 3));
    d.p_BS = vec3(4, 5, 6);
    d.axis_B = vec3(0, 3, -4);
    d.radius = 7;
    d.lateral = flag == 0;
    d.longitudinal = flag == 1;
    d.normal = flag == 2;
    d.show = flag == 3;
    d.width = SPC_R(0.75);
    d.color.r = SPC_R(0.125);
    d.color.g = SPC_R(0.25);
    d.color.b = SPC_R(0.5);
    d.color.a = 1;
    return d;
}

/* As given, but for the quaternion and the axis, which are unit. */
static void check_odd_disc(spc_constraint c, const spc_rolling_disc *given)
{
    spc_rolling_disc d;
    memset(&d, PATTERN, sizeof d);
    CHECK_STATUS(spc_rolling_disc_get(s.world, c, &d), SPC_OK);
    CHECK(SAME_BITS(d.X_FP.p, given->X_FP.p) && SAME_BITS(d.p_BS, given->p_BS));
    CHECK(SAME_BITS(d.radius, given->radius) && SAME_BITS(d.width, given->width));
    CHECK(SAME_BITS(d.color, given->color) && d.show == given->show);
    CHECK(d.lateral == given->lateral && d.longitudinal == given->longitudinal);
    CHECK(d.normal == given->normal);
    CHECK_NEAR(d.X_FP.q.y, -1, 0);
    CHECK_NEAR(fabs((double)d.X_FP.q.w) + fabs((double)d.X_FP.q.x) + fabs((double)d.X_FP.q.z), 0,
               0);
    CHECK_NEAR(d.axis_B.x, 0, 0);
    CHECK_NEAR(d.axis_B.y, 0.6, 2 * TEST_EPSILON); /* a division and a root */
    CHECK_NEAR(d.axis_B.z, -0.8, 2 * TEST_EPSILON);
}

static void discs_are_kept_as_they_are_given(void)
{
    int flag;
    open_scene();
    for (flag = 0; flag <= 4; flag++) { /* the last time none */
        spc_rolling_disc_desc d = disc_of(ground(), s.body[SPARE]);
        spc_constraint added;
        d.shape = odd_disc(flag);
        CHECK_STATUS(spc_rolling_disc_set(s.world, s.constraint[WHEELING], &d.shape), SPC_OK);
        check_odd_disc(s.constraint[WHEELING], &d.shape);
        CHECK_STATUS(spc_rolling_disc_add(s.world, &d, &added), SPC_OK);
        check_odd_disc(added, &d.shape);
        CHECK_STATUS(spc_constraint_remove(s.world, added), SPC_OK);
    }
    close_scene();
}

static spc_spatial acceleration_of(spc_body body)
{
    spc_spatial A;
    memset(&A, PATTERN, sizeof A);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_STATUS(spc_body_get_acceleration(s.world, body, &A), SPC_OK);
    return A;
}

/* A ball of 2 kg and 0.5 kg m^2 in space. */
static void open_space(void)
{
    const spc_world_desc desc = spc_world_desc_default(2, 1);
    spc_body_desc d = spc_body_desc_default();
    open_empty(&desc);
    d.mass = spc_mass_solid_sphere(2, 1);
    d.mass.inertia.xx = d.mass.inertia.yy = d.mass.inertia.zz = SPC_R(0.5);
    (void)add_body(&d);
}

static void near_spatial(int line, spc_spatial got, spc_vec3 angular, spc_vec3 linear)
{
    /* small integers divided by powers of two: exact */
    test_near(__FILE__, line, "angular", (double)spc_norm(spc_sub(got.angular, angular)), 0, 0);
    test_near(__FILE__, line, "linear", (double)spc_norm(spc_sub(got.linear, linear)), 0, 0);
}

static void forces_of_one_step_end_with_it_and_lasting_ones_last(void)
{
    const double quarter = sqrt(0.5);
    spc_state state;
    spc_body ball;
    int i;
    for (i = 0; i < 3; i++) {
        open_space();
        ball = s.body[0];
        CHECK_STATUS(spc_body_add_force(s.world, ball, vec3(4, 0, 0), zero3(), SPC_ONE_STEP),
                     SPC_OK);
        CHECK_STATUS(spc_body_add_force(s.world, ball, vec3(2, 0, 0), zero3(), SPC_ONE_STEP),
                     SPC_OK);
        CHECK_STATUS(spc_body_add_force(s.world, ball, vec3(0, 8, 0), zero3(), SPC_LASTING),
                     SPC_OK);
        CHECK_STATUS(spc_body_add_torque(s.world, ball, vec3(0, 0, 1), SPC_ONE_STEP), SPC_OK);
        CHECK_STATUS(spc_body_add_torque(s.world, ball, vec3(0, 0, 2), SPC_LASTING), SPC_OK);
        near_spatial(__LINE__, acceleration_of(ball), vec3(0, 0, 6), vec3(3, 4, 0));
        near_spatial(__LINE__, acceleration_of(ball), vec3(0, 0, 6),
                     vec3(3, 4, 0));                            /* asking ends nothing */
        CHECK_STATUS(spc_step(s.world, 0), SPC_ERROR_BAD_STEP); /* nor do refused steps */
        near_spatial(__LINE__, acceleration_of(ball), vec3(0, 0, 6), vec3(3, 4, 0));
        CHECK_STATUS(try_step(i), SPC_OK);
        CHECK_STATUS(spc_body_get_state(s.world, ball, &state), SPC_OK);
        /* h times the above; the Runge-Kutta sum of four rounds a little */
        CHECK_NEAR(state.V_GB.linear.x, 3 * (double)STEP, 8 * TEST_EPSILON * (double)STEP * 3);
        CHECK_NEAR(state.V_GB.linear.y, 4 * (double)STEP, 8 * TEST_EPSILON * (double)STEP * 4);
        CHECK_NEAR(state.V_GB.angular.z, 6 * (double)STEP, 8 * TEST_EPSILON * (double)STEP * 6);
        near_spatial(__LINE__, acceleration_of(ball), vec3(0, 0, 4), vec3(0, 4, 0));
        CHECK_STATUS(try_step(i), SPC_OK);
        near_spatial(__LINE__, acceleration_of(ball), vec3(0, 0, 4), vec3(0, 4, 0));
        CHECK_STATUS(spc_body_add_force(s.world, ball, vec3(4, 0, 0), zero3(), SPC_ONE_STEP),
                     SPC_OK);
        CHECK_STATUS(spc_body_clear_forces(s.world, ball), SPC_OK);
        near_spatial(__LINE__, acceleration_of(ball), zero3(), zero3());
        close_scene();
    }
    open_space(); /* a force at a point of the turned body: x of the body is y of the ground */
    CHECK_STATUS(spc_body_set_pose(s.world, s.body[0],
                                   spc_transform_make(
                                       spc_quat_make(real(quarter), 0, 0, real(quarter)), zero3())),
                 SPC_OK);
    CHECK_STATUS(spc_body_add_force(s.world, s.body[0], vec3(2, 0, 0), vec3(3, 0, 0), SPC_LASTING),
                 SPC_OK);
    {
        const spc_spatial A = acceleration_of(s.body[0]);
        CHECK_NEAR(A.linear.x, 1, 0);
        CHECK_NEAR(A.angular.z, -12,
                   12 * 8 * TEST_EPSILON); /* the turn's and the product's roundings */
        CHECK_NEAR(A.angular.x, 0, 0);
    }
    close_scene();
}

static void a_refused_step_keeps_the_forces_of_one_step(void)
{
    spc_body last;
    int i;
    for (i = 0; i < 3; i++) {
        open_space();
        last = add_uneven();
        CHECK_STATUS(spc_body_add_force(s.world, s.body[0], vec3(4, 0, 0), zero3(), SPC_ONE_STEP),
                     SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(s.world, last,
                                           spc_spatial_make(vec3(LARGEST, -LARGEST, 0), zero3())),
                     SPC_OK);
        REFUSED_LATE(try_step(i), SPC_ERROR_STATE_NOT_FINITE);
        CHECK_STATUS(spc_body_remove(s.world, last), SPC_OK);
        near_spatial(__LINE__, acceleration_of(s.body[0]), zero3(), vec3(2, 0, 0));
        close_scene();
    }
}

static void a_constraint_that_is_gone_no_longer_acts(void)
{
    const spc_vec3 g = vec3(1, 0, -10);
    spc_spatial A;
    open_scene();
    CHECK_STATUS(spc_body_clear_forces(s.world, s.body[BALL]), SPC_OK);
    A = acceleration_of(s.body[BALL]);
    CHECK(!SAME_BITS(A.linear, g));
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[ON_GROUND]), SPC_OK);
    near_spatial(__LINE__, acceleration_of(s.body[BALL]), zero3(), g);
    close_scene();
}

static void slots_are_used_again_and_come_clean(void)
{
    const spc_spatial rest = spc_spatial_make(zero3(), zero3());
    spc_world_desc desc = spc_world_desc_default(3, 3);
    spc_stabilization changed = spc_stabilization_default();
    spc_constraint_info info;
    char no_name[SPC_MAX_NAME + 1];
    spc_real lambda[SPC_MAX_ROWS];
    spc_spatial A;
    spc_state state, identity = spc_state_identity();
    const spc_body_desc d = good_body();
    int round, i, k;
    desc.gravity = vec3(1, 0, -10);
    changed.time_constant = 7;
    memset(no_name, 0, sizeof no_name);
    open_empty(&desc);
    for (i = 0; i < 3; i++)
        (void)add_ball(2 * i, 0);
    for (i = 0; i < 3; i++)
        (void)add_contact(ground(), s.body[i]);
    for (round = 0; round < 50; round++) {
        const int first = round % 3, second = (round / 3 + 1 + first) % 3; /* in many orders */
        const int which[2] = { first, second };
        const int count = first == second ? 1 : 2;
        for (k = 0; k < count; k++) {
            i = which[k];
            CHECK_STATUS(
                spc_body_add_force(s.world, s.body[i], vec3(1, 0, 0), zero3(), SPC_LASTING),
                SPC_OK);
            CHECK_STATUS(
                spc_body_add_force(s.world, s.body[i], vec3(1, 0, 0), zero3(), SPC_ONE_STEP),
                SPC_OK);
            CHECK_STATUS(spc_constraint_set_conditional(s.world, s.constraint[i], true), SPC_OK);
            CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.constraint[i], &changed),
                         SPC_OK);
            CHECK_STATUS(spc_constraint_set_name(s.world, s.constraint[i], "gone soon"), SPC_OK);
        }
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        for (k = 0; k < count; k++) {
            CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[which[k]]), SPC_OK);
            CHECK_STATUS(spc_body_remove(s.world, s.body[which[k]]), SPC_OK);
        }
        for (k = 0; k < count; k++) {
            spc_stabilization kept;
            const spc_body old = s.body[which[k]];
            const spc_constraint_kind kind = kinds[(round + k) % 2]; /* those that roll */
            i = which[k];
            CHECK_STATUS(spc_body_add(s.world, &d, &s.body[i]), SPC_OK);
            CHECK(!SAME_BITS(old, s.body[i]));
            CHECK(s.body[i].index >= 1 && s.body[i].index <= 3);
            CHECK_STATUS(spc_body_get_state(s.world, s.body[i], &state), SPC_OK);
            CHECK(SAME_BITS(state, identity));
            CHECK_STATUS(spc_body_get_acceleration(s.world, s.body[i], &A), SPC_OK);
            CHECK(SAME_BITS(A, rest));
            CHECK_STATUS(try_add(kind, ground(), s.body[i], NULL, &s.constraint[i]), SPC_OK);
            CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[i], &info), SPC_OK);
            CHECK(info.enabled && !info.conditional && SAME_BITS(info.b, s.body[i]));
            CHECK(info.kind == kind && SAME_BITS(info.name, no_name));
            CHECK_STATUS(spc_constraint_get_multipliers(s.world, s.constraint[i], lambda), SPC_OK);
            CHECK_NEAR(fabs((double)lambda[0]) + fabs((double)lambda[1]) + fabs((double)lambda[2]),
                       0, 0);
            CHECK_STATUS(spc_constraint_get_stabilization(s.world, s.constraint[i], &kept), SPC_OK);
            CHECK_NEAR(kept.time_constant, desc.stabilization.time_constant, 0);
        }
        for (i = 0; i < 3; i++)
            for (k = 0; k < i; k++) {
                CHECK(s.body[i].index != s.body[k].index);
                CHECK(s.constraint[i].index != s.constraint[k].index);
            }
        CHECK(spc_world_row_count(s.world) == 9);
        mark();
        check_bad_body(__LINE__, &d, SPC_ERROR_BODIES_FULL);
    }
    /* no force of a body that is gone pushes the one in its place: balls and wheels roll down the
       tilted gravity */
    for (i = 0; i < 3; i++) {
        const spc_spatial free_ball = acceleration_of(s.body[i]);
        if (i == 0)
            CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[i], false), SPC_OK);
        A = acceleration_of(s.body[i]);
        CHECK_NEAR(A.linear.y, 0, 0);
        /* rolling at 1 / (1 + I / m r^2) of gravity, with I = 0.4 and r = 0.5; the roundings of the
           solve are relative to the 50 m/s^2 that lift the ball, which is half a metre too low */
        CHECK_NEAR(A.linear.x, i == 0 ? 1 : 1 / 2.6, i == 0 ? 0 : 50 * 16 * TEST_EPSILON);
        CHECK(spc_norm(free_ball.linear) > 0);
    }
    close_scene();
}

static void a_world_of_nothing_lives(void)
{
    const spc_world_desc desc = spc_world_desc_default(0, 0);
    spc_energy_momentum m;
    spc_real residual = -1;
    unsigned long long hash;
    open_empty(&desc);
    hash = spc_world_hash(s.world);
    CHECK(spc_world_row_count(s.world) == 0);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_STATUS(try_step(0), SPC_OK);
    CHECK_STATUS(try_step(1), SPC_OK);
    CHECK_STATUS(try_step(2), SPC_OK);
    CHECK_NEAR(spc_world_time(s.world), 3 * (double)STEP, 0);
    CHECK(spc_world_hash(s.world) != hash);
    CHECK_STATUS(spc_world_set_time(s.world, 0), SPC_OK);
    CHECK(spc_world_hash(s.world) == hash);
    CHECK_STATUS(spc_world_assemble(s.world, SPC_R(0.01), &residual), SPC_OK);
    CHECK_NEAR(residual, 0, 0);
    CHECK_STATUS(spc_world_apply_impulses(s.world, &residual, &residual, 0), SPC_OK);
    CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
    CHECK_STATUS(spc_world_get_energy_momentum(s.world, &m), SPC_OK);
    CHECK_NEAR(m.kinetic, 0, 0);
    CHECK_NEAR(m.potential, 0, 0);
    CHECK_NEAR(spc_norm(m.linear), 0, 0);
    CHECK_NEAR(spc_norm(m.angular), 0, 0);
    close_scene();
}

/* ------------------------------------------------------------------ rows on and off --------- */

static void take_rows(unsigned mask, spc_rolling_disc *shape)
{
    shape->lateral = mask & 1u;
    shape->longitudinal = mask & 2u;
    shape->normal = mask & 4u;
}

static int count_rows(unsigned mask)
{
    return (int)((mask & 1u) + (mask >> 1 & 1u) + (mask >> 2 & 1u));
}

static void switch_rows(unsigned mask)
{
    spc_rolling_disc shape;
    CHECK_STATUS(spc_rolling_disc_get(s.world, s.constraint[WHEELING], &shape), SPC_OK);
    take_rows(mask, &shape);
    CHECK_STATUS(spc_rolling_disc_set(s.world, s.constraint[WHEELING], &shape), SPC_OK);
}

/* A wheel between other constraints, tilted and moving so that all its rows have work to do. */
static void open_wheeling(void)
{
    const spc_spatial V = spc_spatial_make(vec3(1, 2, 3), vec3(1, -1, 0.5));
    const spc_transform X = spc_transform_make(spc_quat_make(1, SPC_R(0.1), 0, 0), vec3(9, 0, 0.5));
    open_scene();
    CHECK_STATUS(spc_body_set_pose(s.world, s.body[WHEEL], X), SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(s.world, s.body[WHEEL], V), SPC_OK);
    (void)add_contact(ground(), s.body[SPARE]);
    CHECK_STATUS(spc_world_set_gravity(s.world, vec3(1, 2, -10)), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
}

/* Multipliers and forces of the wheel are zero where its rows are off, and there only. */
static void check_multipliers(unsigned mask)
{
    const spc_constraint c = s.constraint[WHEELING];
    spc_real lambda[SPC_MAX_ROWS];
    spc_contact_force f;
    int i;
    CHECK_STATUS(spc_constraint_get_multipliers(s.world, c, lambda), SPC_OK);
    CHECK_STATUS(spc_constraint_get_forces(s.world, c, &f), SPC_OK);
    for (i = 0; i < SPC_MAX_ROWS; i++)
        CHECK((fabs((double)lambda[i]) > 0) == (mask >> i & 1u));
    CHECK_NEAR(f.force_P.x, -lambda[0], 0);
    CHECK_NEAR(f.force_P.y, -lambda[1], 0);
    CHECK_NEAR(f.force_P.z, -lambda[2], 0);
    CHECK((spc_norm(f.force_G) > 0) == (mask != 0));
}

static void check_row_counts(unsigned mask)
{
    const int rows = count_rows(mask);
    spc_constraint_info info, after;
    spc_rows kernel;
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[WHEELING], &info), SPC_OK);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[WHEELING + 1], &after), SPC_OK);
    CHECK_STATUS(spc_constraint_get_rows(s.world, s.constraint[WHEELING], &kernel), SPC_OK);
    CHECK(info.position_rows == count_rows(mask & 4u));
    CHECK(info.velocity_rows == count_rows(mask & 3u) && info.acceleration_rows == 0);
    CHECK(info.enabled && info.row_index == 6 && after.row_index == 6 + rows);
    CHECK(spc_world_row_count(s.world) == 9 + rows);
    CHECK(kernel.count == 3 && kernel.enforced == mask && kernel.holonomic == (mask & 4u));
}

/* A step by Newton's law: the wheel of 2 kg is pushed along its rows that are on, as they are in
   the middle of the step, and by gravity, by nothing else. */
static void check_step_of_wheel(void)
{
    spc_state before, after;
    spc_contact_force f;
    spc_world *middle;
    spc_rows rows;
    spc_vec3 a, dv;
    mark();
    middle = marked_world();
    CHECK_STATUS(spc_world_free_motion(middle, STEP, NULL, NULL, 0), SPC_OK);
    CHECK_STATUS(spc_constraint_get_rows(middle, s.constraint[WHEELING], &rows), SPC_OK);
    CHECK_STATUS(spc_body_get_state(s.world, s.body[WHEEL], &before), SPC_OK);
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    CHECK_STATUS(spc_body_get_state(s.world, s.body[WHEEL], &after), SPC_OK);
    CHECK_STATUS(spc_constraint_get_forces(s.world, s.constraint[WHEELING], &f), SPC_OK);
    a = spc_mat3_mul(rows.R_GP, spc_scale(SPC_R(0.5), f.force_P));
    a = spc_add(spc_world_gravity(s.world), a);
    dv = spc_sub(after.V_GB.linear, before.V_GB.linear);
    /* some roundings of velocities up to two */
    CHECK_NEAR(spc_norm(spc_sub(dv, spc_scale(STEP, a))), 0, 16 * TEST_EPSILON);
}

static void rows_of_a_disc_are_switched_at_any_time(void)
{
    unsigned mask;
    int i;
    for (mask = 0; mask < 8; mask++) {
        open_wheeling();
        check_multipliers(7);
        switch_rows(mask);
        check_row_counts(mask);
        check_multipliers(mask); /* of the last solution, for rows that are still on */
        check_step_of_wheel();
        check_multipliers(mask);
        for (i = 1; i < 4; i++) {
            CHECK_STATUS(try_solve(s.world, i), SPC_OK);
            check_multipliers(mask);
        }
        switch_rows(7);
        check_row_counts(7);
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        check_multipliers(7);
        close_scene();
    }
}

static void rows_switched_on_count_by_the_level_they_have(void)
{
    spc_stabilization levels = spc_stabilization_default();
    spc_constraint_info info;
    open_scene();
    levels.ignore_position = 4;
    levels.ignore_velocity = 2;
    CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.constraint[WHEELING], &levels),
                 SPC_OK);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[WHEELING], &info), SPC_OK);
    CHECK(info.position_rows == 0 && info.velocity_rows == 2 && info.acceleration_rows == 1);
    switch_rows(5);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[WHEELING], &info), SPC_OK);
    CHECK(info.position_rows == 0 && info.velocity_rows == 2 && info.acceleration_rows == 0);
    switch_rows(2);
    CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[WHEELING], &info), SPC_OK);
    CHECK(info.position_rows == 0 && info.velocity_rows == 0 && info.acceleration_rows == 1);
    close_scene();
}

static void impulses_leave_out_rows_that_are_off(void)
{
    unsigned mask;
    for (mask = 0; mask < 8; mask++) {
        spc_real v[12], impulses[12];
        const int rows = count_rows(mask);
        spc_rows kernel;
        int i, n = 0;
        open_wheeling();
        switch_rows(mask);
        memset(v, 0, sizeof v);
        for (i = 0; i < rows; i++)
            v[6 + i] = (spc_real)(i + 1);
        memset(impulses, PATTERN, sizeof impulses);
        CHECK_STATUS(spc_world_apply_impulses(s.world, v, impulses, 9 + rows), SPC_OK);
        CHECK(untouched(impulses + 9 + rows, (size_t)(3 - rows) * sizeof(spc_real)));
        CHECK_STATUS(spc_constraint_get_rows(s.world, s.constraint[WHEELING], &kernel), SPC_OK);
        for (i = 0; i < 3; i++) /* roundings of a solve of three rows, of numbers up to ten */
            if (mask >> i & 1u)
                CHECK_NEAR(kernel.velocity_errors[i], ++n, 100 * TEST_EPSILON);
        close_scene();
    }
}

/* The wheel's constraint anew, with these rows. */
static void add_wheel_again(spc_world *w, unsigned mask)
{
    spc_rolling_disc_desc d = disc_of(ground(), s.body[WHEEL]);
    take_rows(mask, &d.shape);
    CHECK_STATUS(spc_constraint_remove(w, s.constraint[WHEELING]), SPC_OK);
    CHECK_STATUS(spc_rolling_disc_add(w, &d, &s.constraint[WHEELING]), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
}

static void rows_switched_off_are_as_if_they_had_never_been_on(void)
{
    unsigned mask;
    for (mask = 0; mask < 8; mask++) {
        spc_world *twin;
        spc_constraint old;
        open_wheeling();
        mark();
        twin = marked_world();
        old = s.constraint[WHEELING];
        add_wheel_again(twin, mask);
        s.constraint[WHEELING] = old;
        add_wheel_again(s.world, 7);
        switch_rows(mask);
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        check_go_on_alike(twin);
        close_scene();
    }
}

static void a_disc_that_is_off_pushes_nothing(void)
{
    const spc_spatial zero = spc_spatial_make(zero3(), zero3());
    spc_constraint_info info;
    spc_disc_contact contact;
    spc_contact_force f;
    int i;
    open_wheeling();
    for (i = -1; i < SOLVES; i++) {
        if (i < 0)
            CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[WHEELING], false),
                         SPC_OK);
        else
            CHECK_STATUS(try_solve(s.world, i), SPC_OK);
        check_multipliers(0);
        CHECK_STATUS(spc_constraint_get_forces(s.world, s.constraint[WHEELING], &f), SPC_OK);
        CHECK_NEAR(spc_norm(f.on_a.angular) + spc_norm(f.on_a.linear), 0, 0);
        near_spatial(__LINE__, f.on_b, zero.angular, zero.linear);
        CHECK_NEAR(f.power, 0, 0);
        CHECK_STATUS(spc_rolling_disc_get_contact(s.world, s.constraint[WHEELING], &contact),
                     SPC_OK);
        CHECK(SAME_BITS(f.p_GC, contact.p_GC)); /* the rest is told all the same */
        CHECK_STATUS(spc_constraint_get_info(s.world, s.constraint[WHEELING], &info), SPC_OK);
        CHECK(info.row_index == -1 && spc_world_row_count(s.world) == 9);
        CHECK(info.position_rows + info.velocity_rows + info.acceleration_rows == 0);
    }
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[WHEELING], true), SPC_OK);
    check_multipliers(0); /* until the next solution */
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    check_row_counts(7);
    check_multipliers(7);
    close_scene();
}

/* Frames of an attachment are not made of nothing, nor of a direction that is none. */
static void attachments_are_not_placed_at_nothing(void)
{
    const spc_transform X = spc_transform_identity();
    const spc_vec3 p = vec3(0, 0, 0), z = vec3(0, 0, 1);
    spc_attachment made;
    memset(&made, PATTERN, sizeof made);
    CHECK_STATUS(spc_attachment_at(NULL, &X, p, z, SPC_HINGE, &made), SPC_ERROR_NULL);
    CHECK_STATUS(spc_attachment_at(&X, NULL, p, z, SPC_HINGE, &made), SPC_ERROR_NULL);
    CHECK_STATUS(spc_attachment_at(&X, &X, p, z, SPC_HINGE, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_attachment_at(&X, &X, p, p, SPC_HINGE, &made), SPC_ERROR_ZERO_VECTOR);
    CHECK_STATUS(spc_attachment_at(&X, &X, p, vec3(NAN, 0, 1), SPC_HINGE, &made),
                 SPC_ERROR_NOT_FINITE);
    CHECK(untouched(&made, sizeof made));
}

/* keep_pose makes X_BM and rest itself: what the description says there is ignored. */
static void what_keep_pose_ignores_is_not_looked_at(void)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_attachment shape, plain;
    spc_constraint c;
    int i;
    open_scene();
    d.b = s.body[SPARE];
    d.keep_pose = true;
    CHECK_STATUS(spc_attachment_add(s.world, &d, &c), SPC_OK);
    CHECK_STATUS(spc_attachment_get(s.world, c, &plain), SPC_OK);
    for (i = 0; i < 4; i++) {
        d.shape.X_BM.q = spc_quat_make(0, 0, 0, 0);
        if (i > 0)
            d.shape.X_BM.q.x = real(bad_number(i - 1));
        if (i > 0)
            d.shape.X_BM.p.y = d.shape.rest.z = real(bad_number(i - 1));
        CHECK_STATUS(spc_attachment_add(s.world, &d, &c), SPC_OK);
        CHECK_STATUS(spc_attachment_get(s.world, c, &shape), SPC_OK);
        CHECK(SAME_BITS(shape.X_BM, plain.X_BM) && SAME_BITS(shape.rest, plain.rest));
        CHECK_STATUS(spc_constraint_remove(s.world, c), SPC_OK);
    }
    mark();
    d.shape.X_AF.q = spc_quat_make(0, 0, 0, 0); /* is not ignored */
    REFUSED_OUT(spc_attachment_add(s.world, &d, &c), SPC_ERROR_ZERO_QUATERNION, c);
    close_scene();
}

/* Masks name rows that a constraint's kind has: three of a contact, six of an attachment. Of those
   that a world gives to its new constraints it takes the bits that it has. */
static void masks_name_rows_that_there_are(void)
{
    spc_world_desc desc = spc_world_desc_default(1, KINDS);
    spc_body_desc ball = spc_body_desc_default();
    spc_stabilization got;
    spc_body body;
    int k, i, bit;
    desc.rows = 12;
    desc.stabilization.ignore_position = 0x2A; /* every other of the six rows */
    desc.stabilization.ignore_velocity = 0x15;
    open_empty(&desc);
    ball.mass = spc_mass_solid_sphere(1, SPC_R(0.5));
    CHECK_STATUS(spc_body_add(s.world, &ball, &body), SPC_OK);
    for (k = 0; k < KINDS; k++) {
        const int rows = kinds[k] == SPC_ATTACHMENT ? 6 : 3;
        const unsigned all = (1u << rows) - 1;
        spc_constraint c;
        CHECK_STATUS(try_add(kinds[k], ground(), body, NULL, &c), SPC_OK);
        CHECK_STATUS(spc_constraint_get_stabilization(s.world, c, &got), SPC_OK);
        CHECK(got.ignore_position == (0x2A & all) && got.ignore_velocity == (0x15 & all));
        CHECK_STATUS(spc_constraint_set_stabilization(s.world, c, &got), SPC_OK);
        mark();
        for (i = 0; i < 2; i++)
            for (bit = rows; bit < 32; bit++) {
                spc_stabilization beyond = got;
                *(i ? &beyond.ignore_position : &beyond.ignore_velocity) |= 1u << bit;
                REFUSED(spc_constraint_set_stabilization(s.world, c, &beyond),
                        SPC_ERROR_BAD_OPTION);
            }
    }
    close_scene();
}

/* Poses too far apart for their difference to be a number are not kept. */
static void attachments_do_not_keep_poses_out_of_reach(void)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_body_desc far_away = spc_body_desc_default();
    spc_constraint constraint;
    open_scene();
    far_away.mass = spc_mass_solid_sphere(1, 1);
    far_away.state.X_GB.p.x = -(spc_real)LARGEST;
    d.a = add_body(&far_away);
    far_away.state.X_GB.p.x = (spc_real)LARGEST;
    d.b = add_body(&far_away);
    d.keep_pose = true;
    mark();
    REFUSED_OUT(spc_attachment_add(s.world, &d, &constraint), SPC_ERROR_NOT_FINITE, constraint);
    REFUSED_OUT(spc_attachment_add(NULL, &d, &constraint), SPC_ERROR_NULL, constraint);
    REFUSED_OUT(spc_attachment_add(s.world, NULL, &constraint), SPC_ERROR_NULL, constraint);
    CHECK_STATUS(spc_attachment_add(s.world, &d, NULL), SPC_ERROR_NULL);
    close_scene();
}

/* 1 / T^2 must be a number. */
static void time_constants_must_not_be_too_short(void)
{
    spc_stabilization pull = spc_stabilization_default();
    open_scene();
    pull.time_constant = (spc_real)(sizeof(spc_real) == 8 ? 1e-160 : 1e-25);
    REFUSED(spc_constraint_set_stabilization(s.world, s.constraint[0], &pull),
            SPC_ERROR_BAD_TIME_CONSTANT);
    close_scene();
}

/* A side that is not wanted is left out. */
static void forces_are_given_to_those_who_ask(void)
{
    spc_state floor = spc_state_identity(), ball = spc_state_identity();
    spc_sphere_on_plane shape = spc_sphere_on_plane_default();
    const spc_real lambda[3] = { 1, 2, 3 };
    spc_spatial both[2], one[2];
    spc_rows rows;
    shape.radius = 1;
    CHECK_STATUS(spc_sphere_on_plane_rows(&shape, &floor, &ball, &rows), SPC_OK);
    spc_rows_forces(&rows, lambda, &both[0], &both[1]);
    spc_rows_forces(&rows, lambda, &one[0], NULL);
    spc_rows_forces(&rows, lambda, NULL, &one[1]);
    CHECK(SAME_BITS(both, one));
}

/* A row whose velocity does not count is not projected either. */
static void rows_at_acceleration_level_are_not_projected(void)
{
    spc_stabilization loose = spc_stabilization_default();
    spc_rows rows, after;
    open_scene();
    loose.ignore_velocity = 2;
    CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.constraint[0], &loose), SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(s.world, s.body[BALL],
                                       spc_spatial_make(vec3(1, 2, 3), vec3(4, 5, 6))),
                 SPC_OK);
    CHECK_STATUS(spc_constraint_get_rows(s.world, s.constraint[0], &rows), SPC_OK);
    CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
    CHECK_STATUS(spc_constraint_get_rows(s.world, s.constraint[0], &after), SPC_OK);
    CHECK_NEAR(after.velocity_errors[0], 0, 100 * TEST_EPSILON);
    CHECK_NEAR(after.velocity_errors[1], rows.velocity_errors[1], 100 * TEST_EPSILON);
    CHECK_NEAR(after.velocity_errors[2], 0, 100 * TEST_EPSILON);
    close_scene();
}

/* Ten bodies, each with each by a constraint without rows: they meet each other all the same. */
static void open_pairs_without_rows(size_t coupling)
{
    spc_world_desc desc = spc_world_desc_default(10, 45);
    int i, j;
    desc.rows = 0;
    desc.coupling = coupling;
    open_empty(&desc);
    for (i = 0; i < 10; i++)
        add_ball(i, 0);
    for (i = 0; i < 10; i++)
        for (j = 0; j < i; j++) {
            spc_attachment_desc d = spc_attachment_desc_default();
            spc_constraint constraint;
            d.a = s.body[i];
            d.b = s.body[j];
            d.shape.locked = 0;
            CHECK_STATUS(spc_attachment_add(s.world, &d, &constraint), SPC_OK);
        }
}

/* Wherever the room for edges ends, the call is refused, and what it says it needs is enough. */
static void edges_without_room_are_refused(void)
{
    size_t coupling, needed = 1;
    for (coupling = 0; coupling < needed; coupling += 80) {
        open_pairs_without_rows(coupling);
        needed = spc_world_coupling_needed(s.world);
        if (coupling < needed) {
            REFUSED_LATE(spc_world_forward_dynamics(s.world), SPC_ERROR_COUPLING_FULL);
            REFUSED_LATE(spc_step(s.world, SPC_R(0.01)), SPC_ERROR_COUPLING_FULL);
        }
        close_scene();
    }
    CHECK(needed > 100);
    open_pairs_without_rows(needed);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_STATUS(spc_step(s.world, SPC_R(0.01)), SPC_OK);
    close_scene();
}

/* A free body that only one of its numbers carries off. */
static void one_number_that_overflows_is_enough(void)
{
    int k;
    for (k = 0; k < 6; k++) {
        spc_body_desc d = spc_body_desc_default();
        const spc_real along = (spc_real)LARGEST;
        const spc_vec3 push =
            vec3(k % 3 == 0 ? along : 0, k % 3 == 1 ? along : 0, k % 3 == 2 ? along : 0);
        open_scene();
        d.mass = spc_mass_solid_sphere(SPC_R(0.25), SPC_R(0.5));
        if (k < 3)
            CHECK_STATUS(
                spc_body_add_force(s.world, add_body(&d), push, vec3(0, 0, 0), SPC_LASTING),
                SPC_OK);
        else
            CHECK_STATUS(spc_body_add_torque(s.world, add_body(&d), push, SPC_LASTING), SPC_OK);
        REFUSED_LATE(spc_step(s.world, 1), SPC_ERROR_STATE_NOT_FINITE);
        REFUSED_LATE(spc_world_forward_dynamics(s.world), SPC_ERROR_STATE_NOT_FINITE);
        close_scene();
    }
}

static const test_entry tests[] = { TEST(every_status_has_a_text_of_its_own),
                                    TEST(codes_out_of_range_are_unknown),
                                    TEST(bad_world_descriptions_are_refused),
                                    TEST(the_size_grows_linearly_with_each_count),
                                    TEST(memory_must_be_aligned_and_large_enough),
                                    TEST(a_copy_of_a_world_opens_and_goes_on_alike),
                                    TEST(what_is_no_world_does_not_open),
                                    TEST(the_head_tells_what_build_a_world_is_of),
                                    TEST(no_count_leads_out_of_the_memory),
                                    TEST(without_a_world_nothing_is_done),
                                    TEST(without_the_other_pointers_nothing_is_done),
                                    TEST(rolling_discs_need_all_pointers),
                                    TEST(handles_that_never_were_are_stale),
                                    TEST(handles_of_removed_objects_are_stale_for_ever),
                                    TEST(handles_from_after_a_snapshot_are_to_be_dropped),
                                    TEST(constraints_of_the_wrong_kind_are_refused),
                                    TEST(a_body_that_is_gone_is_not_hashed),
                                    TEST(switching_to_what_is_already_so_changes_nothing),
                                    TEST(a_body_in_use_is_not_removed),
                                    TEST(ground_cannot_be_moved_loaded_or_removed),
                                    TEST(bodies_of_the_wrong_kind_are_refused),
                                    TEST(bad_bodies_are_not_added),
                                    TEST(kinematic_bodies_need_no_mass_and_callbacks_no_state),
                                    TEST(a_full_world_takes_nothing_more),
                                    TEST(bad_poses_and_velocities_are_not_set),
                                    TEST(bad_masses_are_not_set),
                                    TEST(bad_forces_are_not_added),
                                    TEST(bad_shapes_are_refused),
                                    TEST(bad_discs_are_refused),
                                    TEST(bad_joints_are_refused),
                                    TEST(a_constraint_needs_two_bodies),
                                    TEST(bad_stabilization_is_not_set),
                                    TEST(bad_gravity_and_times_are_not_set),
                                    TEST(bad_ways_to_move_to_are_refused),
                                    TEST(bad_steps_are_refused),
                                    TEST(parts_of_a_step_refuse_bad_arguments),
                                    TEST(bad_tolerances_are_refused),
                                    TEST(impulses_of_a_wrong_length_are_refused),
                                    TEST(states_that_would_overflow_are_refused),
                                    TEST(a_first_body_that_overflows_stops_the_rest),
                                    TEST(kinematic_bodies_that_would_overflow_are_refused),
                                    TEST(bad_motions_are_refused_at_any_stage),
                                    TEST(a_time_that_a_motion_does_not_have_is_refused),
                                    TEST(what_cannot_be_assembled_stays),
                                    TEST(contradictions_are_assembled_in_the_middle),
                                    TEST(prescribed_bodies_are_not_assembled),
                                    TEST(assembling_what_is_out_of_reach_is_refused),
                                    TEST(projecting_what_is_out_of_reach_leaves_all_results),
                                    TEST(impulses_that_would_overflow_are_refused),
                                    TEST(too_little_room_for_coupling_is_refused),
                                    TEST(the_clock_is_set_whatever_the_coupling),
                                    TEST(flat_discs_are_not_added),
                                    TEST(a_flat_disc_answers_what_needs_no_contact_point),
                                    TEST(a_flat_disc_stops_everything_until_it_is_gone),
                                    TEST(a_flat_disc_that_is_off_disturbs_nothing),
                                    TEST(a_disc_that_is_tipped_over_within_a_step_stops_it),
                                    TEST(the_clock_is_set_whatever_lies_flat),
                                    TEST(a_disc_that_tumbles_flat_within_a_step_stops_it),
                                    TEST(setters_and_getters_agree),
                                    TEST(new_constraints_start_as_they_are_described),
                                    TEST(names_are_kept_replaced_and_taken_away),
                                    TEST(names_that_are_too_long_are_refused),
                                    TEST(default_discs_are_as_described),
                                    TEST(discs_are_kept_as_they_are_given),
                                    TEST(forces_of_one_step_end_with_it_and_lasting_ones_last),
                                    TEST(a_refused_step_keeps_the_forces_of_one_step),
                                    TEST(a_constraint_that_is_gone_no_longer_acts),
                                    TEST(slots_are_used_again_and_come_clean),
                                    TEST(a_world_of_nothing_lives),
                                    TEST(rows_of_a_disc_are_switched_at_any_time),
                                    TEST(rows_switched_on_count_by_the_level_they_have),
                                    TEST(impulses_leave_out_rows_that_are_off),
                                    TEST(rows_switched_off_are_as_if_they_had_never_been_on),
                                    TEST(a_disc_that_is_off_pushes_nothing),
                                    TEST(attachments_are_not_placed_at_nothing),
                                    TEST(attachments_do_not_keep_poses_out_of_reach),
                                    TEST(what_keep_pose_ignores_is_not_looked_at),
                                    TEST(masks_name_rows_that_there_are),
                                    TEST(time_constants_must_not_be_too_short),
                                    TEST(forces_are_given_to_those_who_ask),
                                    TEST(rows_at_acceleration_level_are_not_projected),
                                    TEST(edges_without_room_are_refused),
                                    TEST(one_number_that_overflows_is_enough) };

int main(int argc, char **argv)
{
    return test_run(tests, sizeof tests / sizeof *tests, argc, argv);
}
