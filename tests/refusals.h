/* One small world of each test, with bodies and constraints of all kinds, and calls that must leave
   it as it was: each byte, or all that can be asked. */
#ifndef SPC_REFUSALS_H
#define SPC_REFUSALS_H

#include "test.h"

/* Powers of two, so that times of steps are exact. */
#define STEP SPC_R(0.0078125)

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
static inline void swing(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    const fault *f = (const fault *)user;
    *state = spc_state_identity();
    state->X_GB.p = spc_vec3_make(time * time / 2, 5, 5);
    state->V_GB.linear = spc_vec3_make(time, 0, 0);
    *acceleration = spc_spatial_make(zero, vec(1, 0, 0));
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

/* ---------------------------------------------------------------------------- scenes -------- */

#define MOST 48
#define KINDS 4

static const spc_constraint_kind kinds[KINDS] = { SPC_SPHERE_ON_PLANE, SPC_ROLLING_DISC,
                                                  SPC_ATTACHMENT, SPC_SPHERE_ON_SPHERE };

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

static inline void mark(void)
{
    memcpy(s.marked, s.world, spc_world_snapshot_size(s.world));
}

static inline bool unchanged(void)
{
    return memcmp(s.marked, s.world, spc_world_snapshot_size(s.world)) == 0;
}

static inline spc_body add_body(const spc_body_desc *desc)
{
    CHECK(s.bodies < MOST);
    CHECK_STATUS(spc_body_add(s.world, desc, &s.body[s.bodies]), SPC_OK);
    return s.body[s.bodies++];
}

static inline spc_body add_ball(double x, double y)
{
    spc_body_desc d = spc_body_desc_default();
    d.mass = spc_mass_solid_sphere(2, SPC_R(0.5));
    d.state.X_GB.p = vec(x, y, 0.5);
    return add_body(&d);
}

static inline spc_body add_kinematic(spc_motion motion, void *user)
{
    spc_body_desc d = spc_body_desc_default();
    d.kind = SPC_KINEMATIC;
    d.motion = motion;
    d.user = user;
    return add_body(&d);
}

static inline spc_sphere_on_plane_desc contact_of(spc_body floor, spc_body ball)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    d.floor = floor;
    d.ball = ball;
    d.shape.radius = SPC_R(0.5);
    return d;
}

static inline spc_constraint add_contact(spc_body floor, spc_body ball)
{
    const spc_sphere_on_plane_desc d = contact_of(floor, ball);
    CHECK(s.constraints < MOST);
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.constraint[s.constraints]), SPC_OK);
    return s.constraint[s.constraints++];
}

/* A wheel of the size of the ball, about y: upright at the identity. */
static inline spc_rolling_disc_desc disc_of(spc_body floor, spc_body disc)
{
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    d.floor = floor;
    d.disc = disc;
    d.shape.axis_B = vec(0, 1, 0);
    d.shape.radius = SPC_R(0.5);
    return d;
}

static inline spc_constraint add_disc(spc_body floor, spc_body disc)
{
    const spc_rolling_disc_desc d = disc_of(floor, disc);
    CHECK(s.constraints < MOST);
    CHECK_STATUS(spc_rolling_disc_add(s.world, &d, &s.constraint[s.constraints]), SPC_OK);
    return s.constraint[s.constraints++];
}

/* A ball of the same size on one that reaches up to the plane z = 0 of its body. */
static spc_sphere_on_sphere_desc spheres_of(spc_body a, spc_body b)
{
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    d.a = a;
    d.b = b;
    d.shape.p_ASa = vec(0, 0, -1);
    d.shape.radius_a = 1;
    d.shape.radius_b = SPC_R(0.5);
    return d;
}

/* What the calls that add a constraint have in common. */
static inline spc_status try_add(spc_constraint_kind kind, spc_body floor, spc_body body,
                                 const char *name, spc_constraint *constraint)
{
    spc_sphere_on_plane_desc sphere = contact_of(floor, body);
    spc_rolling_disc_desc disc = disc_of(floor, body);
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_sphere_on_sphere_desc spheres = spheres_of(floor, body);
    joint.a = floor;
    joint.b = body;
    sphere.name = disc.name = joint.name = spheres.name = name;
    if (kind == SPC_ATTACHMENT)
        return spc_attachment_add(s.world, &joint, constraint);
    if (kind == SPC_SPHERE_ON_SPHERE)
        return spc_sphere_on_sphere_add(s.world, &spheres, constraint);
    if (kind == SPC_ROLLING_DISC)
        return spc_rolling_disc_add(s.world, &disc, constraint);
    return spc_sphere_on_plane_add(s.world, &sphere, constraint);
}

static inline void open_empty(const spc_world_desc *desc)
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
static inline void open_scene(void)
{
    spc_world_desc desc = spc_world_desc_default(8, 8);
    spc_sphere_on_plane_desc off;
    desc.gravity = vec(1, 0, -10);
    open_empty(&desc);
    (void)add_ball(0, 0);
    (void)add_ball(3, 0);
    (void)add_kinematic(NULL, NULL);
    (void)add_kinematic(swing, NULL);
    (void)add_ball(6, 0);
    (void)add_contact(ground, s.body[BALL]);
    (void)add_contact(s.body[TRAY], s.body[RIDER]);
    off = contact_of(ground, s.body[RIDER]);
    off.enabled = false;
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &off, &s.constraint[s.constraints++]), SPC_OK);
    (void)add_ball(9, 0);
    (void)add_disc(ground, s.body[WHEEL]);
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    CHECK_STATUS(spc_body_add_force(s.world, s.body[BALL], vec(0, 1, 0), zero, SPC_ONE_STEP),
                 SPC_OK);
    CHECK_STATUS(spc_body_add_force(s.world, s.body[RIDER], vec(0, 1, 0), zero, SPC_LASTING),
                 SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    mark();
}

static inline void close_scene(void)
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

static inline void look_at(const spc_world *w, look *l)
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
static inline bool same_stabilization(const spc_stabilization *a, const spc_stabilization *b)
{
    return SAME_BITS(a->time_constant, b->time_constant) && a->enabled == b->enabled &&
           a->ignore_position == b->ignore_position && a->ignore_velocity == b->ignore_velocity;
}

static inline bool same_info(const spc_constraint_info *a, const spc_constraint_info *b)
{
    return a->kind == b->kind && SAME_BITS(a->a, b->a) && SAME_BITS(a->b, b->b) &&
           a->enabled == b->enabled && a->conditional == b->conditional &&
           a->position_rows == b->position_rows && a->velocity_rows == b->velocity_rows &&
           a->acceleration_rows == b->acceleration_rows && a->row_index == b->row_index &&
           SAME_BITS(a->name, b->name) && a->id == b->id && a->redundant == b->redundant &&
           SAME_BITS(a->contradiction, b->contradiction);
}

static inline bool same_report(const spc_world_report *a, const spc_world_report *b)
{
    return a->factorizations == b->factorizations && a->substitutions == b->substitutions &&
           a->redundant_rows == b->redundant_rows && a->contradictory == b->contradictory &&
           SAME_BITS(a->worst, b->worst) && SAME_BITS(a->contradiction, b->contradiction);
}

static inline bool looks_alike(const look *a, const look *b)
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

static inline spc_status try_solve(spc_world *w, int i)
{
    if (i == 0)
        return spc_step(w, STEP);
    if (i <= 2)
        return spc_step_rk4(w, STEP, i == 1 ? SPC_DRIFT_STABILIZE : SPC_DRIFT_PROJECT);
    if (i == 3)
        return spc_world_forward_dynamics(w);
    return i == 4 ? spc_world_assemble(w, SPC_R(0.01), NULL) : spc_world_project_velocities(w);
}

static inline spc_status try_step(int i)
{
    return try_solve(s.world, i);
}

/* Every call that solves something is refused late, and leaves its outputs. */
static inline void check_nothing_is_solved(spc_status wanted)
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
static inline spc_world *marked_world(void)
{
    spc_world *w = NULL;
    CHECK_STATUS(spc_world_open(s.marked, spc_world_snapshot_size(s.world), &w), SPC_OK);
    return w;
}

/* All that can be asked of the world and of another with the same handles is the same now, and
   stays so whatever is done to both. */
static inline void check_go_on_alike(spc_world *twin)
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

/* ------------------------------------------------------------------------- arguments -------- */

static inline spc_body_desc good_body(void)
{
    spc_body_desc d = spc_body_desc_default();
    d.mass = spc_mass_solid_sphere(1, 1);
    return d;
}

static inline void check_bad_body(int line, const spc_body_desc *d, spc_status wanted)
{
    spc_body body;
    memset(&body, PATTERN, sizeof body);
    test_status(__FILE__, line, "spc_body_add", spc_body_add(s.world, d, &body), wanted);
    CHECK(untouched(&body, sizeof body));
    CHECK(unchanged());
}

/* ---------------------------------------------------------------------- refused late -------- */

/* An uneven body with its centre off the origin, last in the world: quantities of its motion
 * overflow. */
static inline spc_body add_uneven(void)
{
    spc_body_desc d = spc_body_desc_default();
    d.mass = spc_mass_box(1, vec(1, 2, 3));
    d.mass.p_BBc = vec(0.1, 0.2, 0.3);
    d.state.X_GB.p = vec(0, 20, 0);
    return add_body(&d);
}

#endif
