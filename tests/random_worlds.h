/* Worlds of random bodies and constraints of all kinds, what can be asked of them, and the same as
   dense systems. */
#ifndef SPC_RANDOM_WORLDS_H
#define SPC_RANDOM_WORLDS_H

#include "dense.h"

/* ------------------------------------------------------------------------ random worlds ------- */

#define MOST_BODIES 14
#define MOST_CONSTRAINTS 20
#define STEP SPC_R(0.0078125) /* a power of two: sums of steps are exact */

/* A world, and what it was made of. The first body is ground. */
typedef struct scene {
    spc_world *world;
    int bodies, constraints;
    spc_body body[MOST_BODIES];
    bool dynamic[MOST_BODIES];
    spc_mass mass[MOST_BODIES];
    spc_spatial force[MOST_BODIES]; /* at Bo, in G, lasting */
    spc_constraint constraint[MOST_CONSTRAINTS];
} scene;

static inline void begin_scene(scene *s, size_t coupling)
{
    spc_world_desc desc = spc_world_desc_default(MOST_BODIES, MOST_CONSTRAINTS);
    memset(s, 0, sizeof *s);
    desc.rows = 6 * MOST_CONSTRAINTS;
    desc.solver_bytes = coupling;
    desc.gravity = vec(1, 2, -9);
    s->world = test_world(&desc);
    s->bodies = 1;
}

/* Moves on a parabola, turning at a constant rate. */
static inline void ride(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    const spc_vec3 w = vec(0.3, -0.2, 0.5), v = vec(0.4, 0.1, -0.3), a = vec(-1, 2, 0.5);
    (void)user;
    state->X_GB.q = spc_quat_from_rotation_vector(spc_scale(time, w));
    state->X_GB.p = spc_add(spc_scale(time, v), spc_scale(time * time / 2, a));
    state->V_GB = spc_spatial_make(w, spc_add(v, spc_scale(time, a)));
    *acceleration = spc_spatial_make(zero, a);
}

/* A ball, a top or a body without symmetry, half of them off centre. */
static inline spc_mass random_mass(void)
{
    spc_mass m = test_random_mass();
    const int kind = random_int(0, 2);
    const bool off_centre = random_int(0, 1) == 1;
    const spc_vec3 p = m.p_BBc;
    if (kind == 0)
        m = spc_mass_solid_sphere(m.mass, real(0.4));
    if (kind == 1)
        m = spc_mass_cylinder(m.mass, real(0.3), real(0.2));
    m.p_BBc = off_centre ? p : zero;
    return m;
}

/* A dynamic body under a force, or a kinematic one that a callback moves or not. */
static inline void add_body(scene *s, bool dynamic)
{
    spc_body_desc d = spc_body_desc_default();
    const bool called = !dynamic && random_int(0, 1) == 1;
    const int i = s->bodies++;
    d.kind = dynamic ? SPC_DYNAMIC : SPC_KINEMATIC;
    d.mass = random_mass();
    d.state = test_random_state();
    d.motion = called ? ride : NULL;
    CHECK_STATUS(spc_body_add(s->world, &d, &s->body[i]), SPC_OK);
    s->dynamic[i] = dynamic;
    s->mass[i] = d.mass;
    if (dynamic) {
        s->force[i] = test_random_spatial(2, 5);
        CHECK(!spc_body_add_force(s->world, s->body[i], s->force[i].linear, zero, SPC_LASTING));
        CHECK(!spc_body_add_torque(s->world, s->body[i], s->force[i].angular, SPC_LASTING));
    } else if (!called)
        CHECK(!spc_body_set_acceleration(s->world, s->body[i], test_random_spatial(1, 2)));
}

static inline spc_status add_sphere(scene *s, int a, int b, spc_constraint *c)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    d.floor = s->body[a];
    d.ball = s->body[b];
    d.shape.X_FP = test_random_transform(0.5);
    d.shape.p_BS = test_random_vec3(0.3);
    d.shape.radius = real(test_random(0.1, 0.5));
    d.shape.rolling = random_int(0, 1) == 1;
    return spc_sphere_on_plane_add(s->world, &d, c);
}

static inline spc_status add_disc(scene *s, int a, int b, spc_constraint *c)
{
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    const int rows = random_int(1, 7);
    d.floor = s->body[a];
    d.disc = s->body[b];
    d.shape.X_FP = test_random_transform(0.5);
    d.shape.p_BS = test_random_vec3(0.3);
    d.shape.axis_B = spc_rotate(test_random_quat(), vec(1, 0, 0));
    d.shape.radius = real(test_random(0.1, 0.5));
    d.shape.lateral = (rows & 1) != 0;
    d.shape.longitudinal = (rows & 2) != 0;
    d.shape.normal = (rows & 4) != 0;
    return spc_rolling_disc_add(s->world, &d, c);
}

static inline spc_status add_attachment(scene *s, int a, int b, unsigned locked, spc_constraint *c)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    d.a = s->body[a];
    d.b = s->body[b];
    d.shape.X_AF = test_random_transform(0.5);
    d.shape.X_BM = test_random_transform(0.5);
    d.shape.rest = test_random_vec3(0.2);
    d.shape.locked = locked;
    return spc_attachment_add(s->world, &d, c);
}

/* Off by more than what counts as drift. */
static spc_status add_spheres(scene *s, int a, int b, spc_constraint *c)
{
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    spc_vec3 Sa, Sb;
    spc_real r;
    d.a = s->body[a];
    d.b = s->body[b];
    d.shape.p_ASa = test_random_vec3(0.3);
    d.shape.p_BSb = test_random_vec3(0.3);
    Sa = spc_transform_point(state_of(s->world, d.a).X_GB, d.shape.p_ASa);
    Sb = spc_transform_point(state_of(s->world, d.b).X_GB, d.shape.p_BSb);
    r = spc_norm(spc_sub(Sb, Sa)) + real(test_random(0.2, 0.5));
    d.shape.hollow = random_int(0, 1) == 1;
    d.shape.radius_b = r * real(test_random(0.1, 0.5));
    d.shape.radius_a = d.shape.hollow ? r + d.shape.radius_b : r - d.shape.radius_b;
    d.shape.rolling = random_int(0, 1) == 1;
    return spc_sphere_on_sphere_add(s->world, &d, c);
}

/* Off, on, faster than steps can follow (T < 2 h), or with some of the rows that do not count. */
static inline spc_stabilization random_stabilization(unsigned rows)
{
    spc_stabilization stab = stabilization_of(0.1);
    const int kind = random_int(0, 3);
    stab.enabled = kind != 0;
    if (kind == 2)
        stab.time_constant = STEP / 2;
    if (kind == 3) {
        stab.ignore_position = (unsigned)random_int(0, 63) & rows;
        stab.ignore_velocity = (unsigned)random_int(0, 63) & rows;
    }
    return stab;
}

/* A constraint of any kind; its largest number of rows is 5. */
static inline void add_constraint(scene *s, int a, int b)
{
    spc_constraint *c = s->constraint + s->constraints++;
    spc_stabilization stab = random_stabilization(63u);
    const int kind = random_int(0, 3);
    unsigned locked = (unsigned)random_int(1, 62);
    CHECK_STATUS(kind == 0   ? add_sphere(s, a, b, c)
                 : kind == 1 ? add_disc(s, a, b, c)
                 : kind == 2 ? add_spheres(s, a, b, c)
                             : add_attachment(s, a, b, locked, c),
                 SPC_OK);
    if (kind < 3) { /* three rows */
        stab.ignore_position &= 7u;
        stab.ignore_velocity &= 7u;
    }
    CHECK_STATUS(spc_constraint_set_stabilization(s->world, *c, &stab), SPC_OK);
}

/* Which way round a constraint is does not matter to it. */
static inline void join(scene *s, int a, int b)
{
    if (random_int(0, 1))
        add_constraint(s, a, b);
    else
        add_constraint(s, b, a);
}

/* Trees on ground, on two moving floors and in the air, a loop or two, a constraint that is
   disabled and one that has no dynamic body. */
static inline void random_scene(scene *s, int dynamic)
{
    int i, first;
    begin_scene(s, 60000);
    add_body(s, false);
    add_body(s, false);
    first = s->bodies;
    for (i = 0; i < dynamic; i++)
        add_body(s, true);
    join(s, 0, 1);
    for (i = first; i < s->bodies; i++) {
        const int other = random_int(0, i); /* i: none */
        if (other < i)
            join(s, other, i);
    }
    for (i = 0; i < 3; i++) {
        const int other = random_int(0, first - 1);
        join(s, other, random_int(first, s->bodies - 1));
    }
    CHECK(!spc_constraint_set_enabled(s->world, s->constraint[s->constraints - 1], false));
}

static inline spc_constraint_info info_of(const scene *s, int constraint)
{
    spc_constraint_info info;
    memset(&info, 0, sizeof info);
    CHECK_STATUS(spc_constraint_get_info(s->world, s->constraint[constraint], &info), SPC_OK);
    return info;
}

static inline spc_stabilization stab_of(const scene *s, int constraint)
{
    spc_stabilization stab = spc_stabilization_default();
    CHECK(!spc_constraint_get_stabilization(s->world, s->constraint[constraint], &stab));
    return stab;
}

static inline int count_bits(unsigned bits)
{
    return bits ? (int)(bits & 1u) + count_bits(bits >> 1) : 0;
}

/* The place of a body in a scene. */
static inline int place_of(const scene *s, spc_body body)
{
    int i;
    for (i = 1; i < s->bodies; i++)
        if (is_bits(&s->body[i], &body, sizeof body))
            return i;
    CHECK(body.index == 0 && body.generation == 0);
    return 0;
}

static inline spc_world_report report_of(const scene *s)
{
    spc_world_report r;
    memset(&r, PATTERN, sizeof r);
    CHECK_STATUS(spc_world_get_report(s->world, &r), SPC_OK);
    return r;
}

/* The report is the sum of what the constraints tell, and names the worst of them. */
static inline void check_report(const scene *s)
{
    const spc_world_report r = report_of(s);
    spc_real most = 0;
    int k, redundant = 0, contradictory = 0;
    for (k = 0; k < s->constraints; k++) {
        const spc_constraint_info info = info_of(s, k);
        redundant += count_bits(info.redundant);
        contradictory += info.contradiction > 0;
        if (info.contradiction > most)
            most = info.contradiction;
        if (r.worst.index == s->constraint[k].index)
            CHECK_NEAR(info.contradiction, r.contradiction, 0);
    }
    CHECK(r.redundant_rows == redundant);
    CHECK(r.contradictory == contradictory);
    CHECK_NEAR(r.contradiction, most, 0);
    CHECK((r.contradictory > 0) == spc_constraint_exists(s->world, r.worst));
    CHECK(r.contradictory > 0 || (r.worst.index == 0 && r.worst.generation == 0));
}

/* The last call that solved found no contradiction. */
static inline void check_no_contradiction(const scene *s)
{
    check_report(s);
    CHECK(report_of(s).contradictory == 0);
    CHECK_NEAR(report_of(s).contradiction, 0, 0);
}

/* --------------------------------------------------------- rows in coordinates of a caller ---- */

/* Is a constraint enabled, and does it act on a dynamic body? */
static inline bool acts(const scene *s, int constraint)
{
    const spc_constraint_info info = info_of(s, constraint);
    return info.enabled && (s->dynamic[place_of(s, info.a)] || s->dynamic[place_of(s, info.b)]);
}

/* The condition of the rows that are kept, of a symmetric matrix of all. They are those that came
   first, not those that stand apart most, so that it may be larger than that of the whole. */
static inline double kept_condition(const double *A, int n, const bool *dropped)
{
    double kept[MOST * MOST];
    int i, j, at = 0, count = 0;
    for (i = 0; i < n; i++)
        count += !dropped[i];
    for (i = 0; i < n * n; i++) {
        j = i % n;
        if (!dropped[i / n] && !dropped[j])
            kept[at++] = A[i];
    }
    return condition(kept, count);
}

/* ---------------------------------------------------------------- rows of a whole system ------ */

/* What a constraint writes at `row` of a system of `rows`; everything else keeps a pattern. */
typedef struct system_part {
    spc_real G[MOST * MOST], gamma[MOST], e[MOST], s[MOST];
} system_part;

/* The rows of all enabled constraints at their row_index, with stabilization. */
static inline void put_system(const scene *s, int m, int n, double *G, double *gamma)
{
    system_part *p = (system_part *)malloc(sizeof *p);
    int k;
    memset(p, PATTERN, sizeof *p);
    for (k = 0; k < s->constraints; k++) {
        const int row = info_of(s, k).row_index;
        if (row < 0)
            continue;
        CHECK(!spc_constraint_get_system(s->world, s->constraint[k], row, m, p->G, p->gamma, NULL,
                                         NULL));
        CHECK(!spc_constraint_add_baumgarte(s->world, s->constraint[k], row, m, p->gamma));
    }
    to_double(p->G, m * n, G);
    to_double(p->gamma, m, gamma);
    free(p);
}

/* The disc of a scene whose axis a pose makes parallel to the normal, which leaves no contact. */
static inline void lay_flat(scene *s)
{
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    spc_transform X = spc_transform_identity();
    d.disc = s->body[1];
    d.shape.axis_B = vec(0, 0, 1);
    d.shape.radius = 1;
    CHECK_STATUS(spc_rolling_disc_add(s->world, &d, &s->constraint[s->constraints++]), SPC_OK);
    CHECK_STATUS(spc_body_set_pose(s->world, s->body[1], X), SPC_OK);
}

/* ---------------------------------------------------------------------- names and numbers ----- */

static inline spc_world *world_of_names(spc_constraint *c, int count)
{
    spc_world_desc desc = spc_world_desc_default(1, count);
    spc_body_desc body = spc_body_desc_default();
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_world *w = test_world(&desc);
    int i;
    body.mass = spc_mass_solid_sphere(1, 1);
    CHECK_STATUS(spc_body_add(w, &body, &d.b), SPC_OK);
    for (i = 0; i < count; i++)
        CHECK_STATUS(spc_attachment_add(w, &d, &c[i]), SPC_OK);
    return w;
}

/* --------------------------------------------------------------------- coupling asked for ----- */

static inline spc_world *tight_world(int bodies, int constraints, int rows, size_t coupling)
{
    spc_world_desc desc = spc_world_desc_default(bodies, constraints);
    desc.rows = rows;
    desc.solver_bytes = coupling;
    desc.gravity = vec(0, 0, -9.81);
    return test_world(&desc);
}

static inline spc_body ball_at(spc_world *w, double x, double y, double z)
{
    spc_body_desc d = spc_body_desc_default();
    spc_body b;
    memset(&b, 0, sizeof b);
    d.mass = spc_mass_solid_sphere(1, real(0.1));
    d.state.X_GB.p = vec(x, y, z);
    d.state.V_GB = test_random_spatial(1, 1);
    CHECK_STATUS(spc_body_add(w, &d, &b), SPC_OK);
    return b;
}

/* A joint half way between two bodies, about or across an axis. */
static inline void join_at(spc_world *w, spc_body a, spc_body b, spc_vec3 axis, unsigned locked)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    const spc_transform X_a = state_of(w, a).X_GB, X_b = state_of(w, b).X_GB;
    const spc_vec3 middle = spc_scale(real(0.5), spc_add(X_a.p, X_b.p));
    spc_constraint c;
    d.a = a;
    d.b = b;
    CHECK_STATUS(spc_attachment_at(&X_a, &X_b, middle, axis, locked, &d.shape), SPC_OK);
    CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
}

/* Each body to each other. */
static inline spc_world *cluster(size_t coupling, int size)
{
    const int pairs = size * (size - 1) / 2;
    spc_world *w = tight_world(size, pairs, pairs, coupling);
    spc_body b[64];
    int i, j;
    for (i = 0; i < size; i++)
        b[i] = ball_at(w, i % 3, i / 3, i * i % 5);
    for (i = 0; i < size; i++)
        for (j = 0; j < i; j++)
            join_at(w, b[i], b[j], vec(1 + i, j, i - j), SPC_POINT_ON_PLANE);
    return w;
}

/* -------------------------------------------------------------------------- step by hand ------ */

/* A scene of its own memory in the same state. */
static inline scene copy_of(const scene *s)
{
    const size_t bytes = spc_world_snapshot_size(s->world);
    void *memory = malloc(bytes);
    scene copy = *s;
    memcpy(memory, s->world, bytes);
    CHECK_STATUS(spc_world_open(memory, bytes, &copy.world), SPC_OK);
    return copy;
}

/* What a step changes and tells. */
typedef struct motion {
    double X[7 * MOST_BODIES], V[6 * MOST_BODIES], lambda[6 * MOST_CONSTRAINTS];
    spc_real time;
} motion;

static inline void motion_of(const scene *s, motion *m)
{
    int i;
    memset(m, 0, sizeof *m);
    m->time = spc_world_time(s->world);
    for (i = 1; i < s->bodies; i++) {
        const spc_state state = state_of(s->world, s->body[i]);
        put_vec3(state.X_GB.p, m->X + 7 * i);
        put_vec3(spc_vec3_make(state.X_GB.q.x, state.X_GB.q.y, state.X_GB.q.z), m->X + 7 * i + 3);
        m->X[7 * i + 6] = (double)state.X_GB.q.w;
        put_spatial(state.V_GB, m->V + 6 * i);
    }
    for (i = 0; i < s->constraints; i++) {
        spc_real l[SPC_MAX_ROWS];
        CHECK(!spc_constraint_get_multipliers(s->world, s->constraint[i], l));
        to_double(l, SPC_MAX_ROWS, m->lambda + SPC_MAX_ROWS * i);
    }
}

/* How easily a body turns: the sum of its 1/I; 0 of one that does not move freely. */
static inline double turns_easily(const scene *s, int i)
{
    const spc_inertia I = s->mass[i].inertia;
    const double xx = (double)I.xx, yy = (double)I.yy, zz = (double)I.zz;
    const double xy = (double)I.xy, xz = (double)I.xz, yz = (double)I.yz;
    const double x = yy * zz - yz * yz, y = xx * zz - xz * xz, z = xx * yy - xy * xy;
    const double det = xx * x - xy * (xy * zz - xz * yz) + xz * (xy * yz - xz * yy);
    return s->dynamic[i] ? (x + y + z) / det : 0;
}

/* Does a constraint act at the own point of its body A in a step, (7.35)? That is a joint of which
   B does not move freely, or A hangs on it alone and turns more than twice as easily. */
static inline bool acts_on_a(const scene *s, int k)
{
    const spc_constraint_info info = info_of(s, k);
    const int a = place_of(s, info.a), b = place_of(s, info.b);
    int i, holds = 0;
    for (i = 0; i < s->constraints; i++) {
        const spc_constraint_info other = info_of(s, i);
        holds += other.enabled && (place_of(s, other.a) == a || place_of(s, other.b) == a);
    }
    return info.kind == SPC_ATTACHMENT && turns_easily(s, a) > 2 * turns_easily(s, b) &&
           (holds == 1 || !s->dynamic[b]);
}

/* The rows of a constraint as a step has them. */
static inline spc_rows rows_in_step(const scene *s, int k)
{
    const spc_constraint_info info = info_of(s, k);
    const spc_state a = state_of(s->world, info.a), b = state_of(s->world, info.b);
    spc_rows rows = rows_of(s->world, s->constraint[k]);
    const spc_vec3 axis[3] = { rows.R_GP.x, rows.R_GP.y, rows.R_GP.z };
    spc_real slip[SPC_MAX_ROWS];
    spc_vec3 off = zero;
    int i;
    if (!acts_on_a(s, k))
        return rows;
    for (i = 0; i < 3; i++)
        if (rows.enforced >> i & 1u)
            off = spc_add(off, spc_scale(rows.position_errors[i], axis[i]));
    rows.arm_a = spc_sub(rows.arm_a, off);
    rows.arm_b = spc_sub(rows.arm_b, off);
    for (i = 0; i < 3; i++)
        if (rows.enforced >> i & 1u) {
            rows.jacobian_a[i].angular = spc_cross(axis[i], rows.arm_a);
            rows.jacobian_b[i].angular = spc_cross(rows.arm_b, axis[i]);
        }
    spc_rows_mul(&rows, &a.V_GB, &b.V_GB, slip);
    for (i = 0; i < 3; i++)
        rows.velocity_errors[i] = rows.enforced >> i & 1u ? slip[i] : 0;
    return rows;
}

/* The longest arm of a constraint, from the centres of mass of its dynamic bodies. */
static inline double reach_of(const scene *s, int k)
{
    const spc_rows rows = rows_in_step(s, k);
    const spc_constraint_info info = info_of(s, k);
    double most = 0;
    int i;
    for (i = 1; i < s->bodies; i++) {
        const bool is_a = s->body[i].index == info.a.index;
        spc_vec3 c;
        if (!s->dynamic[i] || (!is_a && s->body[i].index != info.b.index))
            continue;
        c = spc_rotate(state_of(s->world, s->body[i]).X_GB.q, s->mass[i].p_BBc);
        most = fmax(most, (double)spc_norm(spc_sub(is_a ? rows.arm_a : rows.arm_b, c)));
    }
    return most;
}

#endif
