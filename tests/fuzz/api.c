/* Fuzzing of the whole interface (libFuzzer; run.sh builds and runs it). The input is a tape: its
   first bytes describe a world, the others name calls, each followed by its arguments, which may
   be hostile: NaN, infinities, denormals, huge numbers, stale handles, wrong counts, enumerators
   that do not exist, NULL, memory that is too small or misaligned.

   There are two worlds. `world` gets every call. `twin` is a copy of its bytes that was opened
   elsewhere, and gets only the calls that were accepted. After each call:

       refused    outputs are untouched, and the world tells all that it told before
       accepted   all that it keeps is finite, and so is what queries answer, and what vector
                  math computes from numbers of a moderate size; the twin gives the same answer
       always     world and twin tell the same

   so a refused call that left a trace shows at last when both go on: at the end of the tape they
   are asked to. FUZZ_VERBOSE in the environment prints the calls.

   A new call is one function and one line in `calls`; run.sh names those that are missing. */
#include "../../spherecontact.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#endif
#endif

static const char *call_now = "";

/* Ends the run: libFuzzer keeps the input. */
static void fail(const char *what)
{
    fprintf(stderr, "FINDING: %s: %s\n", call_now, what);
    abort();
}

#define PATTERN 0xA5      /* what outputs hold before a call */
#define MOST_CALLS 48     /* calls on one tape */
#define MOST_HANDLES 24   /* handles that are remembered, of bodies and of constraints */
#define MOST_ASSEMBLIES 3 /* they may take some 100 ms where the constraints cannot be met */
#define MOST_BLOCKS 16    /* arrays that one call takes */
#define MOST_BODIES 9     /* capacities, so that no legitimate call takes long */
#define MOST_CONSTRAINTS 9
#define MOST_BYTES 65536 /* of a trace; and of a world beside the two */

/* Numbers up to this have products of five that are finite, divided by the square of the least sine
   of a disc. Beyond, what is computed from a state may overflow though the state does not. */
#ifdef SPC_USE_FLOAT
#define MODERATE 1e4
#define ROUNDING 1.1920929e-07
#define LARGEST SPC_R(3.4028234663852886e+38)
#define SMALLEST SPC_R(1.401298464324817e-45)
#else
#define MODERATE 1e40
#define ROUNDING 2.2204460492503131e-16
#define LARGEST SPC_R(1.7976931348623157e+308)
#define SMALLEST SPC_R(4.9406564584124654e-324)
#endif

/* What was told, without padding, to compare. */
typedef struct trace {
    size_t size;
    double largest; /* of the numbers that are kept, and of the inverses that count */
    unsigned char bytes[MOST_BYTES];
} trace;

/* The run of one input. */
static struct run {
    const unsigned char *tape;
    size_t size, at;
    unsigned wild;       /* how many in 256 numbers are hostile */
    bool share_refusals; /* the twin gets refused calls, too */
    spc_world *world, *twin;
    spc_body body[MOST_HANDLES];
    spc_constraint constraint[MOST_HANDLES];
    int bodies, constraints, assemblies;
    /* the present call */
    bool on_twin; /* it is being repeated there */
    spc_status status;
    bool must_refuse; /* an argument is wrong by itself */
    bool not_finite;  /* some number is NaN or infinite */
    double drawn;     /* largest number, or inverse of a size */
    trace *out;       /* what it answers */
    void *block[MOST_BLOCKS];
    int blocks;
} r;

/* ----------------------------------------------------------------------------- tape --------- */

/* The next byte; zeros behind the end. */
static unsigned take(void)
{
    return r.at < r.size ? r.tape[r.at++] : 0;
}

static bool one_in(unsigned n)
{
    return take() % n == n - 1;
}

/* Counts and sizes that nobody means. */
static int take_hostile_int(void)
{
    static const int hostile[] = { INT_MIN, -1,       0,        1,           2,      3,
                                   6,       16777216, 16777217, INT_MAX - 1, INT_MAX };
    return hostile[take() % (sizeof hostile / sizeof *hostile)];
}

static spc_real take_hostile_real(void)
{
    static const double hostile[] = { (double)NAN,
                                      (double)INFINITY,
                                      -(double)INFINITY,
                                      -0.0,
                                      (double)LARGEST,
                                      -(double)LARGEST,
                                      (double)SMALLEST,
                                      ROUNDING,
                                      1e5,
                                      1e10,
                                      1e20,
                                      1e-5,
                                      1e-10,
                                      1e-20 };
    static const double large[] = { 1e100, 1e154, 1e200, -1e300, 1e-100, 1e-154, 1e-200, 1e-300 };
    const unsigned i = take() % 24;
    spc_real x = 0;
    if (i < sizeof hostile / sizeof *hostile)
        return (spc_real)hostile[i];
    if (i < 22 && sizeof(spc_real) == sizeof(double))
        return (spc_real)large[i - 14];
    if (r.at + sizeof x <= r.size) { /* any bits */
        memcpy(&x, r.tape + r.at, sizeof x);
        r.at += sizeof x;
    }
    return x;
}

static spc_real take_real(void)
{
    const unsigned b = take();
    const spc_real x =
        b < 256 - r.wild ? (spc_real)(signed char)b / 32 : take_hostile_real(); /* -4 to 4 */
    if (!isfinite(x))
        r.not_finite = true;
    else
        r.drawn = fmax(r.drawn, fabs((double)x));
    return x;
}

/* Sizes and times: seldom a negative one. Some are divided by. */
static spc_real take_positive(void)
{
    const bool any = one_in(16);
    spc_real x = take_real();
    if (!any && x >= -4 && x <= 0)
        x = SPC_R(0.25) - x;
    if (x > 0)
        r.drawn = fmax(r.drawn, 1 / (double)x);
    return x;
}

static spc_vec3 take_vec3(void)
{
    const unsigned kind = take() % 8;
    spc_vec3 v = spc_vec3_make(kind == 1, kind == 2, kind == 3);
    if (kind > 3) {
        v.x = take_real();
        v.y = take_real();
        v.z = take_real();
    }
    return v;
}

static spc_quat take_quat(void)
{
    const unsigned kind = take() % 8;
    spc_quat q = spc_quat_make(kind != 2, kind == 1 || kind == 2, 0, 0);
    if (kind > 3) {
        q.w = take_real();
        q.x = take_real();
        q.y = take_real();
        q.z = take_real();
    }
    return q;
}

static spc_transform take_transform(void)
{
    const spc_quat q = take_quat();
    return spc_transform_make(q, take_vec3());
}

static spc_spatial take_spatial(void)
{
    const spc_vec3 angular = take_vec3();
    return spc_spatial_make(angular, take_vec3());
}

/* For kernels, which ask for unit quaternions. */
static spc_transform take_pose(void)
{
    spc_transform X = take_transform();
    if (spc_quat_normalize(X.q, &X.q))
        X.q = spc_quat_identity();
    return X;
}

static spc_state take_state(void)
{
    spc_state s;
    s.X_GB = take_pose();
    s.V_GB = take_spatial();
    return s;
}

/* A handle that was given once, ground's, or any. */
static spc_body take_body(void)
{
    const unsigned b = take();
    spc_body body = { 0, 0 };
    if (b % 16 == 15) {
        body.index = (unsigned)take_hostile_int();
        body.generation = (unsigned)take_hostile_int();
    } else if (b % 16 != 14 && r.bodies > 0) {
        body = r.body[b / 16 % (unsigned)r.bodies];
    }
    return body;
}

static spc_constraint take_constraint(void)
{
    const unsigned b = take();
    spc_constraint constraint = { 0, 0 };
    if (b % 16 == 15) {
        constraint.index = (unsigned)take_hostile_int();
        constraint.generation = (unsigned)take_hostile_int();
    } else if (b % 16 != 14 && r.constraints > 0) {
        constraint = r.constraint[b / 16 % (unsigned)r.constraints];
    }
    return constraint;
}

/* A pointer that must not be NULL, and is at times. */
static void *required(void *p)
{
    if (!one_in(32))
        return p;
    r.must_refuse = true;
    return NULL;
}

/* One that may be. */
static void *optional(void *p)
{
    return one_in(4) ? NULL : p;
}

/* A count that must be `right`, and is not at times. */
static int take_count(int right)
{
    const int count = one_in(8) ? take_hostile_int() : right;
    if (count != right)
        r.must_refuse = true;
    return count;
}

/* An enumerator below `count`, or one that does not exist. */
static int take_enum(int count)
{
    const int i = one_in(16) ? take_hostile_int() : (int)take() % count;
    if (i < 0 || i >= count)
        r.must_refuse = true;
    return i;
}

static void keep_block(void *p)
{
    if (!p || r.blocks == MOST_BLOCKS)
        fail("the target itself: too many blocks");
    r.block[r.blocks++] = p;
}

/* An array of exactly n numbers, which the sanitizer guards; freed behind the call. */
static spc_real *block(int n)
{
    const size_t bytes = (size_t)(n > 0 ? n : 0) * sizeof(spc_real);
    void *p = malloc(bytes > 0 ? bytes : 1);
    keep_block(p);
    memset(p, PATTERN, bytes);
    return (spc_real *)p;
}

static spc_real *take_block(int n)
{
    spc_real *p = block(n);
    int i;
    for (i = 0; i < n; i++)
        p[i] = take_real();
    return p;
}

/* NULL, or a string in memory of its own. */
static const char *take_name(void)
{
    static const int lengths[] = {
        0, 1, 1, 2, SPC_MAX_NAME - 1, SPC_MAX_NAME, SPC_MAX_NAME + 1, 200
    };
    const unsigned kind = take() % 16;
    const int length = kind < 8 ? 0 : lengths[kind - 8];
    char *name;
    if (kind < 8)
        return NULL;
    name = (char *)malloc((size_t)length + 1);
    keep_block(name);
    memset(name, 'a' + (int)take() % 2, (size_t)length);
    name[length] = '\0';
    if (length > SPC_MAX_NAME)
        r.must_refuse = true;
    return name;
}

/* --------------------------------------------------------------------------- traces --------- */

static void put_bytes(trace *t, const void *bytes, size_t size)
{
    if (t->size + size > sizeof t->bytes)
        fail("the target itself: a trace is too long");
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
}

static void put_int(trace *t, long long i)
{
    put_bytes(t, &i, sizeof i);
}

static bool all_finite(const spc_real *x, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

/* Numbers that any arguments may have spoiled. Here and below: structs of nothing but numbers. */
static void put_any(trace *t, const void *numbers, size_t size)
{
    put_bytes(t, numbers, size);
}

/* Numbers that are finite, whatever the arguments were. */
static void put_finite(trace *t, const void *numbers, size_t size)
{
    if (!all_finite((const spc_real *)numbers, size / sizeof(spc_real)))
        fail("a number that is not finite");
    put_bytes(t, numbers, size);
}

/* An error times the longest arm, which may be huge though no number of the state is. */
static void put_contradiction(trace *t, spc_real size)
{
    if (!(size >= 0))
        fail("a contradiction of no size");
    put_any(t, &size, sizeof size);
}

/* Numbers that the world keeps: the same, and they tell how moderate it is. */
static void put_kept(trace *t, const void *numbers, size_t size)
{
    const spc_real *x = (const spc_real *)numbers;
    size_t i;
    put_finite(t, numbers, size);
    for (i = 0; i < size / sizeof *x; i++)
        t->largest = fmax(t->largest, fabs((double)x[i]));
}

/* Are all arguments of the call of a moderate size? */
static bool is_moderate(void)
{
    return r.drawn <= MODERATE && !r.not_finite;
}

/* Numbers that are computed from them. */
static void put_computed(trace *t, const void *numbers, size_t size)
{
    if (t->largest <= MODERATE && is_moderate())
        put_finite(t, numbers, size);
    else
        put_bytes(t, numbers, size);
}

/* As far as the count goes: the rest is nothing. Rows are refused where they are not finite. */
static void put_rows(trace *t, const spc_rows *rows)
{
    const size_t n = (size_t)rows->count;
    if (rows->count < 0 || rows->count > SPC_MAX_ROWS)
        fail("rows without a count");
    put_int(t, rows->count);
    put_int(t, rows->enforced);
    put_int(t, rows->holonomic);
    put_finite(t, &rows->p_GC, sizeof rows->p_GC);
    put_finite(t, &rows->arm_a, sizeof rows->arm_a);
    put_finite(t, &rows->arm_b, sizeof rows->arm_b);
    put_finite(t, &rows->R_GP, sizeof rows->R_GP);
    put_finite(t, &rows->separation, sizeof rows->separation);
    put_finite(t, rows->position_errors, n * sizeof(spc_real));
    put_finite(t, rows->velocity_errors, n * sizeof(spc_real));
    put_finite(t, rows->jdot_v, n * sizeof(spc_real));
    put_finite(t, rows->jacobian_a, n * sizeof(spc_spatial));
    put_finite(t, rows->jacobian_b, n * sizeof(spc_spatial));
}

static void put_stabilization(trace *t, const spc_stabilization *s)
{
    put_int(t, s->enabled);
    put_int(t, s->ignore_position);
    put_int(t, s->ignore_velocity);
    put_kept(t, &s->time_constant, sizeof s->time_constant);
    if (s->enabled)
        t->largest = fmax(t->largest, 1 / (double)s->time_constant);
}

static void put_mass(trace *t, const spc_mass *m)
{
    const spc_inertia I = m->inertia;
    put_kept(t, m, sizeof *m);
    t->largest = fmax(t->largest, 1 / (double)m->mass);
    t->largest = fmax(t->largest, 1 / ((double)I.xx + (double)I.yy + (double)I.zz));
}

static void put_sphere(trace *t, const spc_sphere_on_plane *s)
{
    put_kept(t, &s->X_FP, sizeof s->X_FP);
    put_kept(t, &s->p_BS, sizeof s->p_BS);
    put_kept(t, &s->radius, sizeof s->radius);
    put_int(t, s->rolling);
    put_kept(t, &s->half_width, sizeof s->half_width);
}

static void put_disc(trace *t, const spc_rolling_disc *s)
{
    put_kept(t, &s->X_FP, sizeof s->X_FP);
    put_kept(t, &s->p_BS, sizeof s->p_BS);
    put_kept(t, &s->axis_B, sizeof s->axis_B);
    put_kept(t, &s->radius, sizeof s->radius);
    put_int(t, s->lateral + 2 * s->longitudinal + 4 * s->normal + 8 * s->show);
    put_kept(t, &s->width, sizeof s->width);
    put_kept(t, &s->color, sizeof s->color);
    put_kept(t, &s->half_width, sizeof s->half_width);
}

static void put_attachment(trace *t, const spc_attachment *s)
{
    put_kept(t, &s->X_AF, sizeof s->X_AF);
    put_kept(t, &s->X_BM, sizeof s->X_BM);
    put_kept(t, &s->rest, sizeof s->rest);
    put_int(t, s->locked);
}

static void put_spheres(trace *t, const spc_sphere_on_sphere *s)
{
    put_kept(t, &s->p_ASa, sizeof s->p_ASa);
    put_kept(t, &s->p_BSb, sizeof s->p_BSb);
    put_kept(t, &s->radius_a, sizeof s->radius_a);
    put_kept(t, &s->radius_b, sizeof s->radius_b);
    put_int(t, s->hollow + 2 * s->rolling);
}

static void put_info(trace *t, const spc_constraint_info *info)
{
    put_int(t, info->kind);
    put_bytes(t, &info->a, sizeof info->a);
    put_bytes(t, &info->b, sizeof info->b);
    put_int(t, info->enabled + 2 * info->conditional);
    put_int(t, info->position_rows);
    put_int(t, info->velocity_rows);
    put_int(t, info->acceleration_rows);
    put_int(t, info->row_index);
    put_int(t, info->redundant);
    put_contradiction(t, info->contradiction);
    put_bytes(t, info->name, sizeof info->name);
    put_int(t, info->id);
}

/* ----------------------------------------------------------------------------- look --------- */

/* A body's or a frame's quaternion must be one. */
static void check_unit(spc_quat q)
{
    const double w = (double)q.w, x = (double)q.x, y = (double)q.y, z = (double)q.z;
    if (!(fabs(w * w + x * x + y * y + z * z - 1) <= 64 * ROUNDING))
        fail("a quaternion that is not unit");
}

/* The report of the last call that solved; what it counts cannot be negative. */
static void put_report(trace *t, const spc_world_report *report)
{
    if (report->factorizations < 0 || report->substitutions < 0 || report->redundant_rows < 0 ||
        report->contradictory < 0 || report->redundant_rows > 6 * MOST_CONSTRAINTS ||
        report->contradictory > MOST_CONSTRAINTS ||
        (report->contradiction > 0) != (report->contradictory > 0))
        fail("a report of what cannot be");
    put_int(t, report->factorizations);
    put_int(t, report->substitutions);
    put_int(t, report->redundant_rows);
    put_int(t, report->contradictory);
    put_int(t, report->worst.index);
    put_int(t, report->worst.generation);
    put_contradiction(t, report->contradiction);
}

static void look_at_body(const spc_world *w, spc_body body, trace *t)
{
    spc_state state;
    spc_spatial A;
    spc_mass mass;
    unsigned id;
    put_int(t, spc_body_exists(w, body));
    if (!spc_body_exists(w, body))
        return;
    if (spc_body_get_state(w, body, &state) || spc_body_get_acceleration(w, body, &A))
        fail("a body that exists has no state");
    check_unit(state.X_GB.q);
    put_kept(t, &state, sizeof state);
    put_kept(t, &A, sizeof A);
    if (!spc_body_get_mass(w, body, &mass))
        put_mass(t, &mass);
    if (spc_body_get_id(w, body, &id))
        fail("a body that exists has no number");
    put_int(t, id);
}

static void look_at_shape(const spc_world *w, spc_constraint c, trace *t)
{
    spc_sphere_on_plane sphere;
    spc_rolling_disc disc;
    spc_attachment attachment;
    spc_sphere_on_sphere spheres;
    if (!spc_sphere_on_plane_get(w, c, &sphere))
        put_sphere(t, &sphere);
    else if (!spc_rolling_disc_get(w, c, &disc))
        put_disc(t, &disc);
    else if (!spc_attachment_get(w, c, &attachment))
        put_attachment(t, &attachment);
    else if (!spc_sphere_on_sphere_get(w, c, &spheres))
        put_spheres(t, &spheres);
    else
        fail("a constraint without a shape");
}

/* What is kept of a constraint. */
static void look_at_constraint(const spc_world *w, spc_constraint c, trace *t)
{
    spc_constraint_info info;
    spc_stabilization stabilization;
    spc_real multipliers[SPC_MAX_ROWS];
    put_int(t, spc_constraint_exists(w, c));
    if (!spc_constraint_exists(w, c))
        return;
    if (spc_constraint_get_info(w, c, &info) ||
        spc_constraint_get_stabilization(w, c, &stabilization) ||
        spc_constraint_get_multipliers(w, c, multipliers))
        fail("a constraint that exists tells nothing");
    put_info(t, &info);
    put_stabilization(t, &stabilization);
    put_kept(t, multipliers, sizeof multipliers);
    look_at_shape(w, c, t);
}

/* What is computed of it; a refusal is an answer, too. */
static void look_at_rows(const spc_world *w, spc_constraint c, trace *t)
{
    spc_rows rows;
    spc_real errors[SPC_MAX_ROWS];
    spc_contact_force forces;
    spc_disc_contact contact;
    spc_status of_errors, of_forces;
    const spc_status status = spc_constraint_get_rows(w, c, &rows);
    put_int(t, status);
    if (status == SPC_ERROR_STALE_CONSTRAINT)
        return;
    of_errors = spc_constraint_get_acceleration_errors(w, c, errors);
    of_forces = spc_constraint_get_forces(w, c, &forces);
    put_int(t, of_errors);
    put_int(t, of_forces);
    if ((of_errors != status && of_errors != SPC_ERROR_NOT_FINITE) ||
        (of_forces != status && of_forces != SPC_ERROR_NOT_FINITE))
        fail("a constraint's queries disagree");
    if (!status)
        put_rows(t, &rows);
    if (!of_errors)
        put_finite(t, errors, sizeof errors);
    if (!of_forces)
        put_finite(t, &forces, sizeof forces);
    if (!spc_rolling_disc_get_contact(w, c, &contact))
        put_finite(t, &contact, sizeof contact);
}

/* Everything that a world tells without doing anything. */
static void look_at(const spc_world *w, trace *t)
{
    const spc_vec3 gravity = spc_world_gravity(w);
    const spc_real time = spc_world_time(w);
    const spc_body ground = { 0, 0 };
    spc_energy_momentum energy;
    spc_world_report report;
    int i;
    t->size = 0;
    t->largest = r.drawn = 0;
    r.not_finite = false;
    put_kept(t, &time, sizeof time);
    put_kept(t, &gravity, sizeof gravity);
    put_int(t, (long long)spc_world_hash(w));
    put_int(t, (long long)spc_world_snapshot_size(w));
    put_int(t, spc_world_row_count(w));
    put_int(t, spc_world_column_count(w));
    look_at_body(w, ground, t);
    for (i = 0; i < r.bodies; i++)
        look_at_body(w, r.body[i], t);
    for (i = 0; i < r.constraints; i++)
        look_at_constraint(w, r.constraint[i], t);
    for (i = 0; i < r.constraints; i++)
        look_at_rows(w, r.constraint[i], t);
    if (!spc_world_get_energy_momentum(w, &energy))
        put_finite(t, &energy, sizeof energy);
    else if (t->largest <= MODERATE)
        fail("no energy");
    if (spc_world_get_report(w, &report))
        fail("no report");
    put_report(t, &report);
}

static bool same(const trace *a, const trace *b)
{
    return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

/* -------------------------------------------------------------------------- answers --------- */

static void pattern(void *out, size_t size)
{
    memset(out, PATTERN, size);
}

static bool untouched(const void *out, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)out;
    size_t i;
    for (i = 0; i < size; i++)
        if (bytes[i] != PATTERN)
            return false;
    return true;
}

/* Was the call refused? Then it has left its output alone. */
static bool refused(const void *out, size_t size)
{
    if (r.status > 0 && !untouched(out, size))
        fail("a refused call wrote to its output");
    return r.status > 0;
}

static bool refused_block(const spc_real *out, int n)
{
    return refused(out, (size_t)(n > 0 ? n : 0) * sizeof *out);
}

/* Answers in an output that may have been NULL: the pattern is a finite number, too. */
static void answer_block(const spc_real *out, int n)
{
    put_finite(r.out, out, (size_t)n * sizeof *out);
}

static void remember_body(spc_body body)
{
    put_bytes(r.out, &body, sizeof body);
    if (!r.on_twin && r.bodies < MOST_HANDLES)
        r.body[r.bodies++] = body;
}

static void remember_constraint(spc_constraint constraint)
{
    put_bytes(r.out, &constraint, sizeof constraint);
    if (!r.on_twin && r.constraints < MOST_HANDLES)
        r.constraint[r.constraints++] = constraint;
}

/* ----------------------------------------------------------------------------- math --------- */

static void vectors(spc_world *w)
{
    const spc_vec3 a = take_vec3(), b = take_vec3();
    const spc_real s = take_real(), dot = spc_dot(a, b), norm = spc_norm(a);
    const spc_vec3 out[4] = { spc_add(a, b), spc_sub(a, b), spc_scale(s, a), spc_cross(a, b) };
    (void)w;
    put_any(r.out, out, sizeof out);
    put_any(r.out, &dot, sizeof dot);
    put_any(r.out, &norm, sizeof norm);
    if (r.drawn < (double)LARGEST / 2 && !r.not_finite)
        put_finite(r.out, &norm, sizeof norm); /* safe from overflow */
}

static void normalize(spc_world *w)
{
    const spc_vec3 a = take_vec3();
    spc_vec3 u;
    (void)w;
    pattern(&u, sizeof u);
    r.status = spc_normalize(a, (spc_vec3 *)required(&u));
    if (refused(&u, sizeof u))
        return;
    put_finite(r.out, &u, sizeof u);
    if (!(fabs((double)spc_norm(u) - 1) <= 8 * ROUNDING))
        fail("a vector that is not unit");
}

/* What all calls that give a quaternion promise. */
static void answer_quat(spc_quat q)
{
    put_finite(r.out, &q, sizeof q);
    check_unit(q);
}

static void quat_normalize(spc_world *w)
{
    const spc_quat q = take_quat();
    spc_quat unit;
    (void)w;
    pattern(&unit, sizeof unit);
    r.status = spc_quat_normalize(q, (spc_quat *)required(&unit));
    if (!refused(&unit, sizeof unit))
        answer_quat(unit);
}

static void quat_from_half_angle(spc_world *w)
{
    const spc_vec3 axis = take_vec3();
    const spc_real c = take_real(), s = take_real();
    spc_quat q;
    (void)w;
    pattern(&q, sizeof q);
    r.status = spc_quat_from_half_angle(axis, c, s, (spc_quat *)required(&q));
    if (!refused(&q, sizeof q))
        answer_quat(q);
}

static void quat_from_two_vectors(spc_world *w)
{
    const spc_vec3 a = take_vec3(), b = one_in(4) ? spc_scale(-1, a) : take_vec3();
    spc_quat q;
    (void)w;
    pattern(&q, sizeof q);
    r.status = spc_quat_from_two_vectors(a, b, (spc_quat *)required(&q));
    if (!refused(&q, sizeof q))
        answer_quat(q);
}

/* Turns by angles that have a square are rotations. */
static void quat_turns(spc_world *w)
{
    const spc_vec3 v = take_vec3();
    const spc_transform X = take_pose();
    const spc_real h = take_real();
    const spc_quat turn = spc_quat_from_rotation_vector(v);
    const spc_quat moved = spc_quat_integrate(X.q, v, h);
    (void)w;
    if (r.drawn <= 1e4 && !r.not_finite) { /* few turns: rounding grows with them */
        answer_quat(turn);
        put_finite(r.out, &moved, sizeof moved);
    } else {
        put_any(r.out, &turn, sizeof turn);
        put_any(r.out, &moved, sizeof moved);
    }
}

static void quat_algebra(spc_world *w)
{
    const spc_transform X = take_pose(), Y = take_pose();
    const spc_vec3 p = take_vec3();
    const spc_transform XY = spc_transform_mul(X, Y), back = spc_transform_inverse(X);
    const spc_mat3 R = spc_mat3_from_quat(X.q);
    const spc_vec3 out[5] = { spc_rotate(X.q, p), spc_unrotate(X.q, p), spc_mat3_mul(R, p),
                              spc_mat3_transpose_mul(R, p), spc_transform_point(X, p) };
    (void)w;
    answer_quat(spc_quat_mul(X.q, spc_quat_conjugate(Y.q)));
    answer_quat(spc_quat_from_mat3(R));
    put_any(r.out, &XY, sizeof XY);
    put_any(r.out, &back, sizeof back);
    put_any(r.out, out, sizeof out);
}

/* Any nine numbers: not promised to be anything, but to end. */
static void quat_from_any_matrix(spc_world *w)
{
    spc_mat3 R;
    spc_quat q;
    (void)w;
    R.x = take_vec3();
    R.y = take_vec3();
    R.z = take_vec3();
    q = spc_quat_from_mat3(R);
    put_any(r.out, &q, sizeof q);
}

static spc_inertia take_inertia(void)
{
    spc_inertia I;
    I.xx = take_positive();
    I.yy = take_positive();
    I.zz = take_positive();
    I.xy = take_real() / 8;
    I.xz = take_real() / 8;
    I.yz = take_real() / 8;
    return I;
}

static void inertias(spc_world *w)
{
    const spc_inertia I = take_inertia();
    const spc_mat3 R = spc_mat3_from_quat(take_pose().q);
    const spc_vec3 p = take_vec3(), Ip = spc_inertia_mul(I, p);
    const spc_inertia turned = spc_inertia_rotate(R, I);
    const spc_inertia shifted = spc_inertia_shift(I, take_real(), p);
    (void)w;
    put_any(r.out, &Ip, sizeof Ip);
    put_any(r.out, &turned, sizeof turned);
    put_any(r.out, &shifted, sizeof shifted);
}

/* ---------------------------------------------------------------------- mass, shape --------- */

static spc_mass take_mass(void)
{
    const unsigned kind = take() % 8;
    const spc_real m = take_positive(), a = take_positive(), b = take_positive();
    spc_mass mass = spc_mass_solid_sphere(m, a);
    if (kind == 1)
        mass = spc_mass_hollow_sphere(m, a);
    if (kind == 2)
        mass = spc_mass_disc(m, a);
    if (kind == 3)
        mass = spc_mass_ring(m, a);
    if (kind == 4)
        mass = spc_mass_cylinder(m, a, b);
    if (kind >= 5)
        mass = spc_mass_box(m, spc_vec3_make(a, b, SPC_R(0.5)));
    if (kind >= 6)
        mass.p_BBc = take_vec3();
    if (kind == 7)
        mass.inertia = take_inertia();
    return mass;
}

static void mass_check(spc_world *w)
{
    const spc_mass mass = take_mass();
    (void)w;
    r.status = spc_mass_check((const spc_mass *)required((void *)(uintptr_t)&mass));
    if (r.status == SPC_OK)
        put_finite(r.out, &mass, sizeof mass);
}

static spc_sphere_on_plane take_sphere(void)
{
    spc_sphere_on_plane s = spc_sphere_on_plane_default();
    const unsigned kind = take();
    s.radius = take_positive();
    s.rolling = kind & 1u;
    if (kind & 2u)
        s.X_FP = take_transform();
    if (kind & 4u)
        s.p_BS = take_vec3();
    if (kind & 8u)
        s.half_width = take_positive();
    return s;
}

static spc_rolling_disc take_disc(void)
{
    spc_rolling_disc s = spc_rolling_disc_default();
    const unsigned kind = take();
    s.radius = take_positive();
    s.lateral = !(kind & 1u);
    s.longitudinal = !(kind & 2u);
    s.normal = !(kind & 4u);
    s.show = kind & 8u;
    if (kind & 16u)
        s.X_FP = take_transform();
    if (kind & 32u)
        s.p_BS = take_vec3();
    if (kind & 64u)
        s.axis_B = take_vec3();
    if (kind & 128u) {
        s.width = take_positive();
        s.color.g = take_real();
    }
    return s;
}

static spc_attachment take_attachment(void)
{
    spc_attachment s = spc_attachment_default();
    const unsigned kind = take();
    s.locked = take() % 64;
    if (kind & 1u)
        s.X_AF = take_transform();
    if (kind & 2u)
        s.X_BM = take_transform();
    if (kind & 4u)
        s.rest = take_vec3();
    if (kind % 16 == 15)
        s.locked = (unsigned)take_hostile_int();
    if (s.locked > SPC_WELD)
        r.must_refuse = true;
    return s;
}

static spc_sphere_on_sphere take_spheres(void)
{
    spc_sphere_on_sphere s = spc_sphere_on_sphere_default();
    const unsigned kind = take();
    s.radius_a = take_positive();
    s.radius_b = take_positive();
    s.rolling = kind & 1u;
    s.hollow = kind & 2u;
    if (kind & 4u)
        s.p_ASa = take_vec3();
    if (kind & 8u)
        s.p_BSb = take_vec3();
    return s;
}

static void shape_checks(spc_world *w)
{
    const spc_sphere_on_plane sphere = take_sphere();
    const spc_rolling_disc disc = take_disc();
    (void)w;
    r.not_finite = false; /* two shapes: either may be refused */
    put_int(r.out, spc_sphere_on_plane_check(&sphere));
    put_int(r.out, spc_rolling_disc_check(&disc));
    put_int(r.out, spc_sphere_on_plane_check(NULL) + spc_rolling_disc_check(NULL));
}

static void attachment_check(spc_world *w)
{
    const spc_attachment shape = take_attachment();
    (void)w;
    r.status = spc_attachment_check((const spc_attachment *)required((void *)(uintptr_t)&shape));
}

static void attachment_at(spc_world *w)
{
    spc_transform X_GA = take_transform(), X_GB = take_transform();
    const spc_vec3 p = take_vec3(), z = take_vec3();
    const unsigned locked = one_in(16) ? (unsigned)take_hostile_int() : take() % 64;
    spc_attachment shape;
    (void)w;
    pattern(&shape, sizeof shape);
    if (locked > SPC_WELD)
        r.must_refuse = true;
    r.status = spc_attachment_at((spc_transform *)required(&X_GA), (spc_transform *)required(&X_GB),
                                 p, z, locked, (spc_attachment *)required(&shape));
    if (refused(&shape, sizeof shape))
        return;
    put_attachment(r.out, &shape);
    if (spc_attachment_check(&shape))
        fail("an attachment that does not pass its own check");
}

/* -------------------------------------------------------------------------- kernels --------- */

static int count_bits(unsigned bits)
{
    int count = 0;
    for (; bits; bits >>= 1)
        count += (int)(bits & 1u);
    return count;
}

/* What a caller with a solver of their own does with rows. */
static void use_rows(const spc_rows *rows)
{
    spc_spatial V_a = take_spatial(), V_b = take_spatial(), F_a, F_b;
    spc_stabilization stabilization = spc_stabilization_default();
    spc_real *lambda = take_block(rows->count), *out = block(rows->count), power;
    const int n = (int)take() % 4;
    spc_real *S_a = take_block(6 * n), *S_b = take_block(6 * n);
    spc_real *G = block(n * count_bits(rows->enforced)), *bias;
    bias = block(count_bits(rows->enforced));
    spc_rows_mul(rows, (spc_spatial *)optional(&V_a), (spc_spatial *)optional(&V_b), out);
    put_computed(r.out, out, (size_t)rows->count * sizeof *out);
    pattern(&F_a, sizeof F_a);
    pattern(&F_b, sizeof F_b);
    spc_rows_forces(rows, lambda, (spc_spatial *)optional(&F_a), (spc_spatial *)optional(&F_b));
    power = spc_rows_power(rows, lambda);
    put_computed(r.out, &F_a, sizeof F_a);
    put_computed(r.out, &F_b, sizeof F_b);
    put_computed(r.out, &power, sizeof power);
    put_int(r.out,
            spc_rows_to_generalized(rows, (spc_real *)optional(S_a), (spc_spatial *)optional(&V_a),
                                    (spc_real *)optional(S_b), (spc_spatial *)optional(&V_b),
                                    (spc_real *)optional(out), n, G, bias));
    stabilization.enabled = !one_in(4);
    stabilization.ignore_position = take() % 64;
    spc_stabilization_terms(&stabilization, rows, take_positive(), out);
    put_computed(r.out, out, (size_t)rows->count * sizeof *out);
}

static void sphere_kernel(spc_world *w)
{
    spc_sphere_on_plane shape = take_sphere();
    const spc_state a = take_state(), b = take_state();
    spc_rows rows;
    (void)w;
    pattern(&rows, sizeof rows);
    if (spc_sphere_on_plane_check(&shape) || spc_quat_normalize(shape.X_FP.q, &shape.X_FP.q))
        return;
    r.status = spc_sphere_on_plane_rows(&shape, &a, &b, &rows);
    if (r.status && (r.status != SPC_ERROR_NOT_FINITE || is_moderate()))
        fail("a sphere without a contact point");
    if (refused(&rows, sizeof rows))
        return;
    put_rows(r.out, &rows);
    use_rows(&rows);
}

static void disc_kernel(spc_world *w)
{
    spc_rolling_disc shape = take_disc();
    const spc_state a = take_state(), b = take_state();
    spc_disc_contact contact;
    spc_status status;
    spc_rows rows;
    (void)w;
    pattern(&rows, sizeof rows);
    pattern(&contact, sizeof contact);
    if (spc_rolling_disc_check(&shape) || spc_quat_normalize(shape.X_FP.q, &shape.X_FP.q) ||
        spc_normalize(shape.axis_B, &shape.axis_B))
        return;
    r.status = status = spc_rolling_disc_contact(&shape, &a, &b, &contact);
    if (!refused(&contact, sizeof contact))
        put_finite(r.out, &contact, sizeof contact);
    r.status = spc_rolling_disc_rows(&shape, &a, &b, &rows);
    if (status != r.status &&
        (is_moderate() || (status != SPC_ERROR_NOT_FINITE && r.status != SPC_ERROR_NOT_FINITE)))
        fail("rows and contact disagree");
    if (refused(&rows, sizeof rows))
        return;
    put_rows(r.out, &rows);
    use_rows(&rows);
}

static void attachment_kernel(spc_world *w)
{
    spc_attachment shape = take_attachment();
    const spc_state a = take_state(), b = take_state();
    spc_rows rows;
    (void)w;
    r.must_refuse = false;
    pattern(&rows, sizeof rows);
    if (spc_attachment_check(&shape) || spc_quat_normalize(shape.X_AF.q, &shape.X_AF.q) ||
        spc_quat_normalize(shape.X_BM.q, &shape.X_BM.q))
        return;
    r.status = spc_attachment_rows(&shape, &a, &b, &rows);
    if (refused(&rows, sizeof rows))
        return;
    put_rows(r.out, &rows);
    use_rows(&rows);
}

static void spheres_kernel(spc_world *w)
{
    spc_sphere_on_sphere shape = take_spheres();
    const spc_state a = take_state(), b = take_state();
    spc_rows rows;
    (void)w;
    pattern(&rows, sizeof rows);
    if (spc_sphere_on_sphere_check(&shape))
        return;
    r.status = spc_sphere_on_sphere_rows(&shape, &a, &b, &rows);
    if (r.status && r.status != SPC_ERROR_NOT_FINITE && r.status != SPC_ERROR_NO_CONTACT_POINT)
        fail("spheres that are refused, and why");
    if (refused(&rows, sizeof rows))
        return;
    put_rows(r.out, &rows);
    use_rows(&rows);
}

/* --------------------------------------------------------------------------- solver --------- */

/* n > 0 and m >= 0, or counts that must be refused. */
static void take_sizes(int *n, int *m)
{
    static const int bad[4] = { 0, -1, INT_MIN, INT_MIN / 2 };
    *n = 1 + (int)take() % 5;
    *m = (int)take() % 7;
    if (one_in(16))
        *n = bad[take() % 4];
    if (one_in(16))
        *m = bad[1 + take() % 3];
    if (*n < 1 || *m < 0)
        r.must_refuse = true;
    if ((spc_dense_work_count(*n, *m) == 0) != (*n < 1 || *m < 0))
        fail("a count of work that does not fit n and m");
}

/* Mostly definite: the lower triangle of A A^T + 1, or of any A. */
static spc_real *take_matrix(int n)
{
    const bool definite = !one_in(4);
    spc_real *A = take_block(n * n), *H = block(n * n);
    int i, j, k;
    for (i = 0; i < n; i++)
        for (j = 0; j <= i; j++) {
            H[i * n + j] = definite ? i == j : A[i * n + j];
            for (k = 0; definite && k < n; k++)
                H[i * n + j] += A[i * n + k] * A[j * n + k];
        }
    return H;
}

static void dense_calls(bool impulse)
{
    int n, m, N, M;
    spc_real *H, *C, *tau, *G, *gamma, *work, *x, *lambda;
    take_sizes(&n, &m);
    N = n > 0 ? n : 0;
    M = m > 0 ? m : 0;
    H = (spc_real *)required(take_matrix(N));
    C = (spc_real *)optional(take_block(N));
    tau = (spc_real *)optional(take_block(N));
    G = take_block(M * N);
    gamma = (spc_real *)optional(take_block(M));
    work = (spc_real *)required(block((int)spc_dense_work_count(n, m)));
    x = block(N);
    lambda = block(M);
    r.not_finite = false; /* not all of it was used */
    if (impulse)
        r.status = spc_dense_impulse(n, m, H, C, G, gamma, work, (spc_real *)required(x), lambda);
    else
        r.status = spc_dense_forward_dynamics(n, m, H, C, tau, G, gamma, work,
                                              (spc_real *)required(x), lambda);
    if (refused_block(x, N) || refused_block(lambda, M))
        return;
    put_finite(r.out, x, (size_t)N * sizeof *x);
    put_finite(r.out, lambda, (size_t)M * sizeof *lambda);
}

static void dense_dynamics(spc_world *w)
{
    (void)w;
    dense_calls(false);
}

static void dense_impulse(spc_world *w)
{
    (void)w;
    dense_calls(true);
}

static spc_contact_law take_law(void)
{
    spc_contact_law law = spc_contact_law_default();
    law.grip = one_in(4);
    law.passive = one_in(4);
    law.propagates = one_in(4);
    law.friction = take_positive();
    law.restitution = one_in(2) ? take_positive() / 4 : 0;
    law.restitution_speed = one_in(2) ? take_positive() : 0;
    law.rolling_resistance = one_in(2) ? take_positive() : 0;
    law.spinning_resistance = one_in(2) ? take_positive() : 0;
    law.surface_velocity[0] = take_real();
    law.surface_velocity[1] = take_real();
    if (spc_contact_law_check(&law))
        r.must_refuse = true;
    return law;
}

static void contact_impulse(spc_world *w)
{
    spc_contact_motion motion = spc_contact_motion_default();
    spc_contact_law law = take_law();
    spc_contact_solution s;
    spc_real *W;
    int i;
    (void)w;
    motion.enforced = one_in(2) ? 63u : take() % 128;
    motion.mean_slip = one_in(2);
    for (i = 0; i < 6; i++) {
        motion.u_before[i] = take_real();
        motion.u_free[i] = take_real();
        motion.u_start[i] = take_real();
    }
    if (r.not_finite)
        r.must_refuse = true;
    W = take_matrix(motion.enforced < 8 ? 3 : 6);
    r.not_finite = false; /* half of it is not used */
    memset(&s, PATTERN, sizeof s);
    r.status = spc_contact_impulse((spc_contact_law *)required(&law), (spc_real *)required(W),
                                   &motion, (spc_contact_solution *)required(&s));
    if (refused(&s, sizeof s))
        return;
    put_int(r.out, s.state);
    put_int(r.out, s.iterations);
    put_finite(r.out, s.impulse, sizeof s.impulse);
    put_finite(r.out, s.u_after, sizeof s.u_after);
    put_finite(r.out, &s.restitution, sizeof s.restitution);
    put_finite(r.out, &s.residual, sizeof s.residual);
    if (!(s.impulse[2] >= 0))
        fail("a contact that pulls");
}

/* ---------------------------------------------------------------------------- world --------- */

static spc_stabilization take_stabilization(void)
{
    spc_stabilization s = spc_stabilization_default();
    s.enabled = !one_in(4);
    s.time_constant = take_positive();
    s.ignore_position = one_in(4) ? take() % 64 : 0;
    s.ignore_velocity = one_in(4) ? take() % 64 : 0;
    if (one_in(16))
        s.ignore_velocity = (unsigned)take_hostile_int();
    if (s.ignore_velocity > 63)
        r.must_refuse = true;
    return s;
}

/* Any description. */
static spc_world_desc take_desc(void)
{
    spc_world_desc d;
    const bool hostile = one_in(2);
    d = hostile ? spc_world_desc_default(take_hostile_int(), take_hostile_int())
                : spc_world_desc_default((int)take() % 64, (int)take() % 64);
    if (one_in(4))
        d.rows = hostile ? take_hostile_int() : (int)take();
    if (one_in(4))
        d.solver_bytes = hostile ? (size_t)take_hostile_int() : take();
    if (one_in(4))
        d.gravity = take_vec3();
    if (one_in(4))
        d.stabilization = take_stabilization();
    return d;
}

/* A world beside the two, in memory that may be wrong; it is not used. */
static void world_create(spc_world *w)
{
    spc_world_desc desc = take_desc();
    const size_t size = spc_world_size(&desc);
    const size_t off = one_in(8) ? 1 + take() % 7 : 0, less = one_in(8) ? 1 + take() % 64 : 0;
    const size_t bytes = size > less ? size - less : 0;
    spc_world *made;
    unsigned char *memory;
    (void)w;
    put_int(r.out, (long long)size);
    if (size > MOST_BYTES)
        return;
    memory = (unsigned char *)malloc(bytes + off + 1);
    keep_block(memory);
    pattern(memory, bytes + off + 1);
    pattern(&made, sizeof made);
    r.must_refuse = size == 0 || off > 0 || bytes < size;
    r.status = spc_world_create(required(memory + off), bytes, (spc_world_desc *)required(&desc),
                                (spc_world **)required(&made));
    if (refused(&made, sizeof made) || refused(memory, bytes + off + 1))
        return;
    if ((unsigned char *)made != memory || spc_world_snapshot_size(made) != size)
        fail("a world in another place");
    put_int(r.out, (long long)spc_world_hash(made));
    put_int(r.out, (long long)spc_world_solver_bytes(made));
}

/* A copy of the world that is cut short, moved off its alignment, or spoiled; it is not used. */
static void world_open(spc_world *w)
{
    const size_t whole = spc_world_snapshot_size(w), off = one_in(4) ? 1 + take() % 7 : 0;
    const size_t less = one_in(2) ? 1 + take() * 64 : 0, bytes = whole > less ? whole - less : 0;
    const size_t spoiled = one_in(2) ? 1 + take() % 8 : 0;
    unsigned char *memory = (unsigned char *)malloc(bytes + off + 1), *before;
    spc_world *opened;
    size_t i;
    keep_block(memory);
    if (w)
        memcpy(memory + off, w, bytes);
    for (i = 0; i < spoiled && i < bytes; i++) /* the mark of a world stands in front */
        memory[off + i] = (unsigned char)take();
    before = (unsigned char *)malloc(bytes + 1);
    keep_block(before);
    memcpy(before, memory + off, bytes);
    pattern(&opened, sizeof opened);
    r.must_refuse = off > 0 || bytes < whole || !w;
    r.status = spc_world_open(required(memory + off), bytes, (spc_world **)required(&opened));
    if (memcmp(before, memory + off, bytes) != 0)
        fail("opening changed the bytes");
    (void)refused(&opened, sizeof opened);
}

/* Is there a byte that nobody wrote? */
static void check_initialized(const spc_world *w)
{
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
    __msan_check_mem_is_initialized(w, spc_world_snapshot_size(w));
#endif
#endif
    (void)w;
}

/* The world that a snapshot of w gives elsewhere. */
static spc_world *copy_of(const spc_world *w)
{
    const size_t bytes = spc_world_snapshot_size(w);
    void *memory = malloc(bytes);
    spc_world *copy = NULL;
    if (!memory)
        fail("the target itself: no memory");
    check_initialized(w);
    memcpy(memory, w, bytes);
    if (spc_world_open(memory, bytes, &copy) || (void *)copy != memory)
        fail("a snapshot does not open");
    return copy;
}

/* From now on the twin is a fresh copy, or the world itself lives elsewhere. */
static void snapshot(spc_world *w)
{
    spc_world **replaced = one_in(2) ? &r.world : &r.twin;
    spc_world *copy = copy_of(r.world);
    (void)w;
    memset(*replaced, PATTERN, spc_world_snapshot_size(*replaced));
    free(*replaced);
    *replaced = copy;
}

static void world_queries(spc_world *w)
{
    put_int(r.out, (long long)spc_world_snapshot_size(w));
    put_int(r.out, (long long)spc_world_hash(w));
    put_int(r.out, (long long)spc_world_solver_bytes(w));
    put_int(r.out, spc_world_row_count(w) + spc_world_column_count(w));
    put_int(r.out, (long long)strlen(spc_status_text((spc_status)take_hostile_int())));
    put_int(r.out, spc_arithmetic_is_ieee());
}

static void set_gravity(spc_world *w)
{
    r.status = spc_world_set_gravity(w, take_vec3());
}

static void set_time(spc_world *w)
{
    r.status = spc_world_set_time(w, take_real());
}

static void energy(spc_world *w)
{
    spc_energy_momentum e;
    pattern(&e, sizeof e);
    r.status = spc_world_get_energy_momentum(w, (spc_energy_momentum *)required(&e));
    if (!refused(&e, sizeof e))
        put_finite(r.out, &e, sizeof e);
}

static void world_set_stabilization(spc_world *w)
{
    spc_stabilization s = take_stabilization();
    r.status = spc_world_set_stabilization(w, (spc_stabilization *)required(&s));
}

static void world_get_stabilization(spc_world *w)
{
    spc_stabilization s;
    pattern(&s, sizeof s);
    r.status = spc_world_get_stabilization(w, (spc_stabilization *)required(&s));
    if (!refused(&s, sizeof s))
        put_stabilization(r.out, &s);
}

/* All bodies and constraints exist; from any handle on there are no more than from the first. */
static void enumerate(spc_world *w)
{
    spc_constraint c = { 0, 0 };
    spc_body body = { 0, 0 }, any = take_body();
    int count = 0, further = 0;
    while (spc_body_next(w, &body)) {
        if (!spc_body_exists(w, body))
            fail("a body is listed that does not exist");
        put_int(r.out, body.index);
        count++;
    }
    while (spc_body_next(w, &any))
        further++;
    if (further > count)
        fail("more bodies than there are");
    while (spc_constraint_next(w, &c)) {
        if (!spc_constraint_exists(w, c))
            fail("a constraint is listed that does not exist");
        put_int(r.out, c.index);
    }
}

/* --------------------------------------------------------------------------- bodies --------- */

/* Motions by a callback: what they do, and from when on. */
typedef struct plan {
    enum { STAY, SWING, SPIN, BREAK, COLLAPSE, EXPLODE, IDLE } kind;
    double from;
} plan;

static plan plans[] = { { STAY, 0 },  { SWING, 0 },    { SPIN, 0 },    { BREAK, 1 },
                        { BREAK, 8 }, { COLLAPSE, 2 }, { EXPLODE, 1 }, { IDLE, 0 } };

/* A pure function of time and plan, as it must be. */
static void move(spc_real time, void *user, spc_state *state, spc_spatial *A)
{
    const plan *p = (const plan *)user;
    if (!p || p->kind == IDLE)
        return;
    *state = spc_state_identity();
    *A = spc_spatial_make(spc_vec3_make(0, 0, 0), spc_vec3_make(0, 0, 0));
    if (p->kind == SWING) {
        state->X_GB.p.x = time * time / 2;
        state->V_GB.linear.x = time;
        A->linear.x = 1;
    }
    if (p->kind == SPIN) {
        state->X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(0, 0, time));
        state->V_GB.angular.z = 1;
    }
    if ((double)time < p->from)
        return;
    if (p->kind == BREAK)
        state->V_GB.linear.y = (spc_real)NAN;
    if (p->kind == COLLAPSE)
        state->X_GB.q = spc_quat_make(0, 0, 0, 0);
    if (p->kind == EXPLODE)
        A->linear.z = LARGEST;
}

static void body_add(spc_world *w)
{
    spc_body_desc d = spc_body_desc_default();
    spc_body body;
    d.kind = (spc_body_kind)take_enum(2);
    if (d.kind == SPC_KINEMATIC && one_in(2)) {
        d.motion = move;
        d.user = &plans[take() % (sizeof plans / sizeof *plans)];
    } else {
        d.state.X_GB = take_transform();
        d.state.V_GB = take_spatial();
    }
    if (d.kind != SPC_KINEMATIC)
        d.mass = take_mass();
    if (d.kind != SPC_KINEMATIC && one_in(32)) {
        d.motion = move;
        r.must_refuse = true;
    }
    pattern(&body, sizeof body);
    r.status = spc_body_add(w, (spc_body_desc *)required(&d), (spc_body *)required(&body));
    if (!refused(&body, sizeof body))
        remember_body(body);
}

static void body_remove(spc_world *w)
{
    r.status = spc_body_remove(w, take_body());
}

static void body_get_state(spc_world *w)
{
    const spc_body body = take_body();
    spc_state state;
    pattern(&state, sizeof state);
    r.must_refuse = !spc_body_exists(w, body);
    r.status = spc_body_get_state(w, body, (spc_state *)required(&state));
    if (!refused(&state, sizeof state))
        put_finite(r.out, &state, sizeof state);
}

static void body_set_id(spc_world *w)
{
    const spc_body body = take_body();
    r.status = spc_body_set_id(w, body, take() % 4);
}

static void body_find_id(spc_world *w)
{
    const unsigned id = take() % 4;
    spc_body body;
    pattern(&body, sizeof body);
    r.must_refuse = id == 0;
    r.status = spc_body_find_id(w, id, (spc_body *)required(&body));
    if (!refused(&body, sizeof body))
        put_bytes(r.out, &body, sizeof body);
}

static void body_get_acceleration(spc_world *w)
{
    const spc_body body = take_body();
    spc_spatial A;
    pattern(&A, sizeof A);
    r.status = spc_body_get_acceleration(w, body, (spc_spatial *)required(&A));
    if (!refused(&A, sizeof A))
        put_finite(r.out, &A, sizeof A);
}

static void body_get_mass(spc_world *w)
{
    const spc_body body = take_body();
    spc_mass mass;
    pattern(&mass, sizeof mass);
    r.status = spc_body_get_mass(w, body, (spc_mass *)required(&mass));
    if (!refused(&mass, sizeof mass))
        put_finite(r.out, &mass, sizeof mass);
}

/* Steps of a reasonable length, mostly. */
static spc_real take_step(void)
{
    const bool any = one_in(4);
    return any ? take_positive() : SPC_R(1.0 / 64);
}

static void body_set_pose(spc_world *w)
{
    const spc_body body = take_body();
    r.status = spc_body_set_pose(w, body, take_transform());
}

static void body_set_velocity(spc_world *w)
{
    const spc_body body = take_body();
    r.status = spc_body_set_velocity(w, body, take_spatial());
}

static void body_set_acceleration(spc_world *w)
{
    const spc_body body = take_body();
    r.status = spc_body_set_acceleration(w, body, take_spatial());
}

static void body_move_to(spc_world *w)
{
    const spc_body body = take_body();
    const spc_transform X_GB = take_transform();
    r.status = spc_body_move_to(w, body, X_GB, take_step());
}

static void body_set_mass(spc_world *w)
{
    const spc_body body = take_body();
    spc_mass mass = take_mass();
    r.not_finite = r.not_finite && !isfinite(mass.mass + mass.inertia.xx); /* some go unused */
    r.status = spc_body_set_mass(w, body, (spc_mass *)required(&mass));
}

static void body_add_force(spc_world *w)
{
    const spc_body body = take_body();
    const spc_duration duration = (spc_duration)take_enum(2);
    const spc_vec3 force = take_vec3();
    r.status = spc_body_add_force(w, body, force, take_vec3(), duration);
}

static void body_add_torque(spc_world *w)
{
    const spc_body body = take_body();
    const spc_duration duration = (spc_duration)take_enum(2);
    r.status = spc_body_add_torque(w, body, take_vec3(), duration);
}

static void body_clear_forces(spc_world *w)
{
    r.status = spc_body_clear_forces(w, take_body());
}

/* ---------------------------------------------------------------------- constraints --------- */

static void sphere_add(spc_world *w)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    const unsigned kind = take();
    spc_constraint c;
    d.floor = take_body();
    d.ball = take_body();
    d.shape = take_sphere();
    d.enabled = kind % 8 != 7;
    d.conditional = kind & 8u;
    d.name = take_name();
    pattern(&c, sizeof c);
    r.must_refuse = r.must_refuse || d.floor.index == d.ball.index;
    r.status = spc_sphere_on_plane_add(w, (spc_sphere_on_plane_desc *)required(&d),
                                       (spc_constraint *)required(&c));
    if (!refused(&c, sizeof c))
        remember_constraint(c);
}

/* A body and its contact: both handles keep their bytes, or both are good. */
static void remember_start(spc_body body, spc_constraint contact)
{
    const bool asked = !untouched(&contact, sizeof contact);
    if (refused(&body, sizeof body) || refused(&contact, sizeof contact))
        return;
    remember_body(body);
    if (asked)
        remember_constraint(contact);
}

/* Ground, one of the first bodies, or none: a handle that does not depend on what this call makes,
   which the twin makes again. */
static spc_body take_floor(const spc_world *w)
{
    spc_body floor = { 0, 0 };
    unsigned n = take() % 5;
    if (n == 4)
        floor.generation = (unsigned)take_hostile_int();
    else
        while (n-- > 0 && spc_body_next(w, &floor))
            ;
    return floor;
}

static void ball_add(spc_world *w)
{
    spc_ball_desc d = spc_ball_desc_default();
    spc_body body;
    spc_constraint contact;
    d.mass = take_mass();
    d.radius = take_positive();
    d.floor = take_floor(w);
    d.X_FP = take_transform();
    d.x = take_real();
    d.y = take_real();
    d.v_x = take_real();
    d.v_y = take_real();
    d.spin = take_real();
    pattern(&body, sizeof body);
    pattern(&contact, sizeof contact);
    r.status = spc_ball_add(w, (spc_ball_desc *)required(&d), (spc_body *)required(&body),
                            (spc_constraint *)optional(&contact));
    remember_start(body, contact);
}

static void wheel_add(spc_world *w)
{
    spc_wheel_desc d = spc_wheel_desc_default();
    spc_body body;
    spc_constraint contact;
    d.mass = take_mass();
    d.radius = take_positive();
    d.floor = take_floor(w);
    d.X_FP = take_transform();
    d.x = take_real();
    d.y = take_real();
    d.heading = take_real();
    d.lean = take_real() / 4;
    d.speed = take_real();
    d.lean_rate = take_real();
    d.turn_rate = take_real();
    pattern(&body, sizeof body);
    pattern(&contact, sizeof contact);
    r.status = spc_wheel_add(w, (spc_wheel_desc *)required(&d), (spc_body *)required(&body),
                             (spc_constraint *)optional(&contact));
    remember_start(body, contact);
}

/* A world of what it says has room for what it counts. */
static void fitting_desc(spc_world *w)
{
    spc_world_desc d;
    spc_body body = { 0, 0 };
    pattern(&d, sizeof d);
    r.status = spc_world_fitting_desc(w, (spc_world_desc *)required(&d));
    if (refused(&d, sizeof d))
        return;
    put_int(r.out, d.bodies);
    put_int(r.out, d.constraints);
    put_int(r.out, d.rows);
    put_int(r.out, (long long)d.solver_bytes);
    if (spc_world_size(&d) == 0)
        fail("a description that fits is none");
    if (spc_body_next(w, &body)) {
        const spc_vec3 p = spc_body_position(w, body);
        put_finite(r.out, (const spc_real *)&p, sizeof p);
    }
}

/* As many steps as are taken, and the states of those alone. */
static void run_steps(spc_world *w)
{
    const spc_real h = take_step();
    spc_real *out;
    spc_body body = { 0, 0 };
    int bodies = 0, taken, steps = (int)(take() % 4);
    const int numbers = (int)(sizeof(spc_state) / sizeof(spc_real));
    while (spc_body_next(w, &body))
        bodies++;
    out = block(steps * bodies * numbers);
    taken = spc_world_run(w, h, steps, (spc_state *)(void *)out);
    if (taken < 0 || taken > steps || (!w && taken))
        fail("more steps than were asked for");
    put_finite(r.out, out, (size_t)(taken * bodies * numbers) * sizeof *out);
    if (!untouched(out + taken * bodies * numbers,
                   (size_t)((steps - taken) * bodies * numbers) * sizeof *out))
        fail("states of steps that were not taken");
}

static void disc_add(spc_world *w)
{
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    const unsigned kind = take();
    spc_constraint c;
    d.floor = take_body();
    d.disc = take_body();
    d.shape = take_disc();
    d.enabled = kind % 8 != 7;
    d.conditional = kind & 8u;
    d.name = take_name();
    pattern(&c, sizeof c);
    r.must_refuse = r.must_refuse || d.floor.index == d.disc.index;
    r.status = spc_rolling_disc_add(w, (spc_rolling_disc_desc *)required(&d),
                                    (spc_constraint *)required(&c));
    if (!refused(&c, sizeof c))
        remember_constraint(c);
}

static void attachment_add(spc_world *w)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    const unsigned kind = take();
    spc_constraint c;
    d.a = take_body();
    d.b = take_body();
    d.shape = take_attachment();
    d.keep_pose = kind & 16u;
    d.enabled = kind % 8 != 7;
    d.conditional = kind & 8u;
    d.name = take_name();
    pattern(&c, sizeof c);
    if (d.keep_pose)
        r.not_finite = false; /* two of its fields are ignored */
    r.must_refuse = r.must_refuse || d.a.index == d.b.index;
    r.status =
        spc_attachment_add(w, (spc_attachment_desc *)required(&d), (spc_constraint *)required(&c));
    if (!refused(&c, sizeof c))
        remember_constraint(c);
}

static void spheres_add(spc_world *w)
{
    spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
    const unsigned kind = take();
    spc_constraint c;
    d.a = take_body();
    d.b = take_body();
    d.shape = take_spheres();
    d.enabled = kind % 8 != 7;
    d.conditional = kind & 8u;
    d.name = take_name();
    pattern(&c, sizeof c);
    r.must_refuse = r.must_refuse || d.a.index == d.b.index ||
                    (d.shape.hollow && !(d.shape.radius_a > d.shape.radius_b));
    r.status = spc_sphere_on_sphere_add(w, (spc_sphere_on_sphere_desc *)required(&d),
                                        (spc_constraint *)required(&c));
    if (!refused(&c, sizeof c))
        remember_constraint(c);
}

static void sphere_get(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_sphere_on_plane shape;
    pattern(&shape, sizeof shape);
    r.status = spc_sphere_on_plane_get(w, c, (spc_sphere_on_plane *)required(&shape));
    if (!refused(&shape, sizeof shape))
        put_sphere(r.out, &shape);
}

static void disc_get(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_rolling_disc shape;
    pattern(&shape, sizeof shape);
    r.status = spc_rolling_disc_get(w, c, (spc_rolling_disc *)required(&shape));
    if (!refused(&shape, sizeof shape))
        put_disc(r.out, &shape);
}

static void attachment_get(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_attachment shape;
    pattern(&shape, sizeof shape);
    r.status = spc_attachment_get(w, c, (spc_attachment *)required(&shape));
    if (!refused(&shape, sizeof shape))
        put_attachment(r.out, &shape);
}

static void sphere_set(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_sphere_on_plane shape = take_sphere();
    r.status = spc_sphere_on_plane_set(w, c, (spc_sphere_on_plane *)required(&shape));
}

static void disc_set(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_rolling_disc shape = take_disc();
    r.status = spc_rolling_disc_set(w, c, (spc_rolling_disc *)required(&shape));
}

static void attachment_set(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_attachment shape = take_attachment();
    r.status = spc_attachment_set(w, c, (spc_attachment *)required(&shape));
}

static void spheres_get(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_sphere_on_sphere shape;
    pattern(&shape, sizeof shape);
    r.status = spc_sphere_on_sphere_get(w, c, (spc_sphere_on_sphere *)required(&shape));
    if (!refused(&shape, sizeof shape))
        put_spheres(r.out, &shape);
}

static void spheres_set(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_sphere_on_sphere shape = take_spheres();
    r.status = spc_sphere_on_sphere_set(w, c, (spc_sphere_on_sphere *)required(&shape));
}

static void disc_get_contact(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_disc_contact contact;
    pattern(&contact, sizeof contact);
    r.status = spc_rolling_disc_get_contact(w, c, (spc_disc_contact *)required(&contact));
    (void)refused(&contact, sizeof contact); /* the look tells it */
}

static void constraint_remove(spc_world *w)
{
    r.status = spc_constraint_remove(w, take_constraint());
}

static void set_enabled(spc_world *w)
{
    const spc_constraint c = take_constraint();
    r.status = spc_constraint_set_enabled(w, c, take() & 1u);
}

static void set_conditional(spc_world *w)
{
    const spc_constraint c = take_constraint();
    r.status = spc_constraint_set_conditional(w, c, take() & 1u);
}

static void set_name(spc_world *w)
{
    const spc_constraint c = take_constraint();
    r.status = spc_constraint_set_name(w, c, take_name());
}

static void set_id(spc_world *w)
{
    const spc_constraint c = take_constraint();
    r.status = spc_constraint_set_id(w, c, take() % 4);
}

static void find_name(spc_world *w)
{
    const char *name = take_name();
    spc_constraint c;
    pattern(&c, sizeof c);
    r.must_refuse = r.must_refuse || !name || !*name;
    r.status = spc_constraint_find_name(w, name, (spc_constraint *)required(&c));
    if (!refused(&c, sizeof c))
        put_bytes(r.out, &c, sizeof c);
}

static void find_id(spc_world *w)
{
    const unsigned id = take() % 4;
    spc_constraint c;
    pattern(&c, sizeof c);
    r.must_refuse = id == 0;
    r.status = spc_constraint_find_id(w, id, (spc_constraint *)required(&c));
    if (!refused(&c, sizeof c))
        put_bytes(r.out, &c, sizeof c);
}

static void set_stabilization(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_stabilization s = take_stabilization();
    r.status = spc_constraint_set_stabilization(w, c, (spc_stabilization *)required(&s));
}

static void get_stabilization(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_stabilization s;
    pattern(&s, sizeof s);
    r.status = spc_constraint_get_stabilization(w, c, (spc_stabilization *)required(&s));
    if (!refused(&s, sizeof s))
        put_stabilization(r.out, &s);
}

static void get_info(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_constraint_info info;
    pattern(&info, sizeof info);
    r.status = spc_constraint_get_info(w, c, (spc_constraint_info *)required(&info));
    if (!refused(&info, sizeof info))
        put_info(r.out, &info);
}

static void get_rows(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_rows rows;
    pattern(&rows, sizeof rows);
    r.status = spc_constraint_get_rows(w, c, (spc_rows *)required(&rows));
    if (!refused(&rows, sizeof rows))
        use_rows(&rows);
}

/* Numbers per row; the two queries have the same shape. */
static void get_row_numbers(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_real *out = block(SPC_MAX_ROWS);
    if (one_in(2))
        r.status = spc_constraint_get_multipliers(w, c, (spc_real *)required(out));
    else
        r.status = spc_constraint_get_acceleration_errors(w, c, (spc_real *)required(out));
    (void)refused_block(out, SPC_MAX_ROWS); /* the look tells them */
}

static void get_forces(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_contact_force forces;
    pattern(&forces, sizeof forces);
    r.status = spc_constraint_get_forces(w, c, (spc_contact_force *)required(&forces));
    (void)refused(&forces, sizeof forces);
}

/* A constraint's place in a system: how many rows it takes, and where they go. */
typedef struct place {
    spc_constraint c;
    int used, row, rows;
} place;

static place take_place(const spc_world *w)
{
    spc_rows found;
    place p;
    p.c = take_constraint();
    p.used = spc_constraint_get_rows(w, p.c, &found) ? 0 : count_bits(found.enforced);
    p.row = (int)take() % 4;
    p.rows = p.row + p.used + (int)take() % 2;
    return p;
}

/* Have only the rows of its own been written, of `width` numbers each? */
static void answer_rows(const spc_real *out, int width, const place *p)
{
    const size_t bytes = (size_t)width * sizeof *out;
    const int end = p->row + p->used;
    if (!untouched(out, (size_t)p->row * bytes) ||
        !untouched(out + end * width, (size_t)(p->rows - end) * bytes))
        fail("rows of others were written");
    put_finite(r.out, out + p->row * width, (size_t)p->used * bytes);
}

static void get_system(spc_world *w)
{
    const int columns = spc_world_column_count(w);
    const place p = take_place(w);
    spc_real *G = block(p.rows * columns), *gamma = block(p.rows), *e = block(p.rows);
    spc_real *s = block(p.rows);
    r.status = spc_constraint_get_system(w, p.c, p.row, p.rows, (spc_real *)optional(G),
                                         (spc_real *)optional(gamma), (spc_real *)optional(e),
                                         (spc_real *)optional(s));
    if (refused_block(G, p.rows * columns) || refused_block(gamma, p.rows) ||
        refused_block(e, p.rows) || refused_block(s, p.rows))
        return;
    answer_rows(G, columns, &p);
    answer_rows(gamma, 1, &p);
    answer_rows(e, 1, &p);
    answer_rows(s, 1, &p);
}

/* Rows that are not there: nothing may be written, and nothing computed with them overflow. */
static void get_system_out_of_range(spc_world *w)
{
    const spc_constraint c = take_constraint();
    const int row = take_hostile_int(), rows = take_hostile_int();
    spc_real gamma[1] = { 0 };
    if (row >= 0 && rows >= row && rows - row <= SPC_MAX_ROWS)
        r.status = spc_constraint_get_system(w, c, row, rows, NULL, NULL, NULL, NULL);
    else if (row < 0 || rows < row)
        r.status = spc_constraint_add_baumgarte(w, c, row, rows, gamma);
}

static void add_stabilization(spc_world *w)
{
    const place p = take_place(w);
    spc_real *gamma = block(p.rows);
    r.status = spc_constraint_add_baumgarte(w, p.c, p.row, p.rows, (spc_real *)required(gamma));
    if (!refused_block(gamma, p.rows))
        answer_rows(gamma, 1, &p);
}

static void set_law(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_contact_law law = take_law();
    const bool one_sided = !one_in(3);
    r.status = spc_constraint_set_law(w, c, one_sided, (spc_contact_law *)required(&law));
}

static void get_law(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_contact_law law;
    bool one_sided = false;
    pattern(&law, sizeof law);
    r.status = spc_constraint_get_law(w, c, &one_sided, (spc_contact_law *)required(&law));
    if (refused(&law, sizeof law))
        return;
    put_int(r.out, one_sided);
    put_finite(r.out, &law.friction, sizeof law.friction);
    if (spc_contact_law_check(&law))
        fail("a law that is none");
}

static void get_contact(spc_world *w)
{
    const spc_constraint c = take_constraint();
    spc_contact_info info;
    pattern(&info, sizeof info);
    r.status = spc_constraint_get_contact(w, c, (spc_contact_info *)required(&info));
    if (refused(&info, sizeof info))
        return;
    put_int(r.out, (int)info.state);
    put_finite(r.out, &info.separation, sizeof info.separation);
    put_finite(r.out, info.slip, sizeof info.slip);
    put_finite(r.out, info.force, sizeof info.force);
}

/* Each contact that has changed is listed once. */
static void list_events(spc_world *w)
{
    spc_constraint c = { 0, 0 };
    int count = 0;
    while (spc_contact_event_next(w, &c) && count < 10000)
        count++;
    put_int(r.out, count);
}

/* --------------------------------------------------------------------------- motion --------- */

static void impact(spc_world *w)
{
    r.status = spc_world_impact(w);
}

/* The shares of a step, in turn; one may be left out. */
static void shared_step(spc_world *w)
{
    const int shares = (int)(take() % 6), left_out = (int)(take() % 24);
    int i;
    r.status = spc_step_begin(w, take_step(), shares);
    if (r.status)
        return;
    for (i = 0; i < shares; i++)
        if (i != left_out)
            (void)spc_step_share(w, i);
    r.status = spc_step_end(w);
}

/* What is saved is loaded again, and is what was there. */
static void states(spc_world *w)
{
    const size_t size = spc_world_state_size(w);
    const unsigned long long hash = w ? spc_world_hash(w) : 0;
    unsigned char *memory = (unsigned char *)malloc(size + 1);
    const size_t given = one_in(4) ? take() % (size + 1) : size;
    r.status = spc_world_save_state(w, memory, given);
    if (!r.status && given < size)
        fail("a state in too little memory");
    if (!r.status && one_in(2))
        memory[take() % size] ^= (unsigned char)(1 + take() % 255);
    else if (!r.status && spc_world_load_state(w, memory, given))
        fail("a state that was saved is refused");
    if (!r.status)
        (void)spc_world_load_state(w, memory, given);
    if (w && spc_world_hash(w) != hash)
        fail("another state than was saved");
    free(memory);
}

static void forward_dynamics(spc_world *w)
{
    r.status = spc_world_forward_dynamics(w);
}

static void step(spc_world *w)
{
    r.status = spc_step(w, take_step());
}

static void step_rk4(spc_world *w)
{
    const spc_drift drift = (spc_drift)take_enum(2);
    r.status = spc_step_rk4(w, take_step(), drift);
}

/* The residual tells of a failure, too: that is not an output that stays. */
static void assemble(spc_world *w)
{
    const spc_real tolerance = one_in(4) ? take_positive() : (spc_real)(1e4 * ROUNDING);
    spc_real residual = 0;
    r.assemblies += !r.on_twin;
    if (r.assemblies > MOST_ASSEMBLIES)
        w = NULL;
    r.status = spc_world_assemble(w, tolerance, (spc_real *)optional(&residual));
    if (r.status == SPC_OK)
        put_finite(r.out, &residual, sizeof residual);
}

static void apply_impulses(spc_world *w)
{
    const int rows = spc_world_row_count(w);
    spc_real *v_plus = (spc_real *)optional(take_block(rows)), *impulses = block(rows);
    spc_real *out = (spc_real *)optional(impulses);
    const int count = v_plus || out ? take_count(rows) : take_hostile_int();
    if (!v_plus)
        r.not_finite = false;
    r.status = spc_world_apply_impulses(w, v_plus, out, count);
    if (!refused_block(impulses, rows))
        answer_block(impulses, rows);
}

static void project_velocities(spc_world *w)
{
    r.status = spc_world_project_velocities(w);
}

static void free_motion(spc_world *w)
{
    const int rows = spc_world_row_count(w);
    const spc_real h = take_step();
    spc_real *target = block(rows), *place = block(rows);
    spc_real *out = (spc_real *)optional(target), *out_place = (spc_real *)optional(place);
    const int count = out || out_place ? take_count(rows) : take_hostile_int();
    r.status = spc_world_free_motion(w, h, out, out_place, count);
    if (!refused_block(target, rows))
        answer_block(target, rows);
    if (!refused_block(place, rows))
        answer_block(place, rows);
}

static void get_violation(spc_world *w)
{
    const int rows = spc_world_row_count(w);
    const spc_real h = take_step();
    spc_real *target = take_block(rows), *violation = block(rows);
    if (one_in(2))
        target = NULL;
    r.status =
        spc_world_get_violation(w, h, target, (spc_real *)required(violation), take_count(rows));
    if (!refused_block(violation, rows))
        answer_block(violation, rows);
}

static void get_position_violation(spc_world *w)
{
    const int rows = spc_world_row_count(w);
    spc_real *target = take_block(rows), *violation = block(rows);
    if (one_in(2))
        target = NULL;
    r.status = spc_world_get_position_violation(w, target, (spc_real *)required(violation),
                                                take_count(rows));
    if (!refused_block(violation, rows))
        answer_block(violation, rows);
}

static int rows_in_use(const spc_world *w, spc_constraint c)
{
    spc_constraint_info info;
    if (spc_constraint_get_info(w, c, &info))
        return 0;
    return info.position_rows + info.velocity_rows + info.acceleration_rows;
}

static void get_compliance(spc_world *w)
{
    const int n = (int)take() % 4;
    const spc_real h = take_step();
    const bool all = one_in(4);
    spc_constraint chosen[4];
    spc_real *W;
    int i, rows = all ? spc_world_row_count(w) : 0;
    for (i = 0; i < n && !all; i++) {
        chosen[i] = take_constraint();
        rows += rows_in_use(w, chosen[i]);
    }
    W = block(rows * rows);
    r.status = spc_world_get_compliance(w, h, all ? NULL : chosen, all ? take_hostile_int() : n,
                                        (spc_real *)required(W), take_count(rows));
    if (!refused_block(W, rows * rows))
        answer_block(W, rows * rows);
}

static void correct(spc_world *w)
{
    const int rows = spc_world_row_count(w);
    const spc_real h = take_step();
    const spc_real *lambda = (const spc_real *)required(take_block(rows));
    r.status = spc_world_correct(w, h, lambda, take_count(rows));
}

static void displace(spc_world *w)
{
    const int rows = spc_world_row_count(w);
    const spc_real h = take_step();
    const spc_real *mu = (const spc_real *)required(take_block(rows));
    r.status = spc_world_displace(w, h, mu, take_count(rows));
}

static void end_motion(spc_world *w)
{
    r.status = spc_world_end_motion(w, take_step());
}

static void get_report(spc_world *w)
{
    spc_world_report report;
    pattern(&report, sizeof report);
    r.status = spc_world_get_report(w, (spc_world_report *)required(&report));
    if (!refused(&report, sizeof report))
        put_report(r.out, &report);
}

/* ---------------------------------------------------------------------------- calls --------- */

/* What is known of a call. */
#define HAS_STATUS 1u  /* takes a world, and refuses NULL for it */
#define REFUSES_NAN 2u /* and numbers that are not finite */
#define ONCE 4u        /* is not repeated on the twin */
#define CHANGES 8u     /* changes the world when it is accepted */

typedef struct call {
    const char *name;
    void (*run)(spc_world *w);
    unsigned flags;
} call;

/* A callback of a drawing: numbers are finite, and what is told exists. */
static void draw_at(void *user, const spc_drawn *what, spc_vec3 a, spc_vec3 b)
{
    const spc_world *w = (const spc_world *)user;
    const unsigned part = what->part;
    if (part == 0 || (part & (part - 1)) != 0 || part > SPC_PART_ALL)
        fail("a part that does not exist");
    if (!spc_body_exists(w, what->body) ||
        spc_constraint_exists(w, what->constraint) != (part != SPC_PART_MASS))
        fail("drawn is what does not exist");
    put_int(r.out, part);
    put_finite(r.out, &a, sizeof a);
    put_finite(r.out, &b, sizeof b);
}

static void draw_round(void *user, const spc_drawn *what, spc_transform X_G, spc_real radius)
{
    check_unit(X_G.q);
    draw_at(user, what, X_G.p, spc_vec3_make(radius, 0, 0));
}

static void draw_text(void *user, const spc_drawn *what, spc_vec3 p, const char *text)
{
    put_int(r.out, (long long)strlen(text));
    draw_at(user, what, p, p);
}

static void draw(spc_world *w)
{
    const unsigned kind = take();
    spc_drawing d = spc_drawing_default();
    d.parts = take() % 264; /* beyond all, sometimes */
    d.segments = 1 + (int)(take() % 8);
    d.newton = take_real();
    d.frame = take_real();
    d.user = w;
    d.line = kind & 1u ? NULL : draw_at;
    d.circle = kind & 2u ? NULL : draw_round;
    d.sphere = kind & 4u ? NULL : draw_round;
    d.text = kind & 8u ? NULL : draw_text;
    r.must_refuse = r.must_refuse || !d.line || d.segments < 3 || d.parts > SPC_PART_ALL;
    r.status = spc_world_draw(w, (spc_drawing *)required(&d));
}

/* Inputs name them by number: new ones stand at the end. */
static const call calls[] = {
    { "vectors", vectors, 0 },
    { "normalize", normalize, REFUSES_NAN },
    { "quat_normalize", quat_normalize, REFUSES_NAN },
    { "quat_from_half_angle", quat_from_half_angle, REFUSES_NAN },
    { "quat_from_two_vectors", quat_from_two_vectors, REFUSES_NAN },
    { "quat_turns", quat_turns, 0 },
    { "quat_algebra", quat_algebra, 0 },
    { "quat_from_any_matrix", quat_from_any_matrix, 0 },
    { "inertias", inertias, 0 },
    { "mass_check", mass_check, 0 },
    { "shape_checks", shape_checks, 0 },
    { "attachment_check", attachment_check, REFUSES_NAN },
    { "attachment_at", attachment_at, REFUSES_NAN },
    { "sphere_kernel", sphere_kernel, 0 },
    { "disc_kernel", disc_kernel, 0 },
    { "attachment_kernel", attachment_kernel, 0 },
    { "dense_dynamics", dense_dynamics, 0 },
    { "dense_impulse", dense_impulse, 0 },
    { "world_create", world_create, 0 },
    { "world_open", world_open, ONCE | HAS_STATUS },
    { "snapshot", snapshot, ONCE | CHANGES },
    { "world_queries", world_queries, 0 },
    { "set_gravity", set_gravity, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "set_time", set_time, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "energy", energy, HAS_STATUS },
    { "body_add", body_add, HAS_STATUS | CHANGES },
    { "body_add", body_add, HAS_STATUS | CHANGES },
    { "body_remove", body_remove, HAS_STATUS | CHANGES },
    { "body_get_state", body_get_state, HAS_STATUS },
    { "body_get_acceleration", body_get_acceleration, HAS_STATUS },
    { "body_get_mass", body_get_mass, HAS_STATUS },
    { "body_set_pose", body_set_pose, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "body_set_velocity", body_set_velocity, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "body_set_acceleration", body_set_acceleration, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "body_move_to", body_move_to, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "body_set_mass", body_set_mass, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "body_add_force", body_add_force, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "body_add_torque", body_add_torque, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "body_clear_forces", body_clear_forces, HAS_STATUS | CHANGES },
    { "sphere_add", sphere_add, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "disc_add", disc_add, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "attachment_add", attachment_add, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "attachment_add", attachment_add, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "sphere_get", sphere_get, HAS_STATUS },
    { "disc_get", disc_get, HAS_STATUS },
    { "attachment_get", attachment_get, HAS_STATUS },
    { "sphere_set", sphere_set, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "disc_set", disc_set, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "attachment_set", attachment_set, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "disc_get_contact", disc_get_contact, HAS_STATUS },
    { "constraint_remove", constraint_remove, HAS_STATUS | CHANGES },
    { "set_enabled", set_enabled, HAS_STATUS | CHANGES },
    { "set_conditional", set_conditional, HAS_STATUS | CHANGES },
    { "set_name", set_name, HAS_STATUS | CHANGES },
    { "set_id", set_id, HAS_STATUS | CHANGES },
    { "find_name", find_name, HAS_STATUS },
    { "find_id", find_id, HAS_STATUS },
    { "set_stabilization", set_stabilization, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "get_stabilization", get_stabilization, HAS_STATUS },
    { "get_info", get_info, HAS_STATUS },
    { "get_rows", get_rows, HAS_STATUS },
    { "get_row_numbers", get_row_numbers, HAS_STATUS },
    { "get_forces", get_forces, HAS_STATUS },
    { "get_system", get_system, HAS_STATUS },
    { "get_system_out_of_range", get_system_out_of_range, 0 },
    { "add_stabilization", add_stabilization, HAS_STATUS },
    { "forward_dynamics", forward_dynamics, HAS_STATUS | CHANGES },
    { "step", step, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "step", step, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "step_rk4", step_rk4, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "assemble", assemble, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "apply_impulses", apply_impulses, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "project_velocities", project_velocities, HAS_STATUS | CHANGES },
    { "free_motion", free_motion, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "get_violation", get_violation, HAS_STATUS },
    { "get_compliance", get_compliance, HAS_STATUS | REFUSES_NAN },
    { "correct", correct, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "get_position_violation", get_position_violation, HAS_STATUS },
    { "displace", displace, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "end_motion", end_motion, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "get_report", get_report, HAS_STATUS },
    { "spheres_kernel", spheres_kernel, 0 },
    { "spheres_add", spheres_add, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "spheres_add", spheres_add, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "spheres_get", spheres_get, HAS_STATUS },
    { "spheres_set", spheres_set, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "contact_impulse", contact_impulse, 0 },
    { "world_set_stabilization", world_set_stabilization, HAS_STATUS | REFUSES_NAN | CHANGES },
    { "world_get_stabilization", world_get_stabilization, HAS_STATUS },
    { "enumerate", enumerate, 0 },
    { "body_set_id", body_set_id, HAS_STATUS | CHANGES },
    { "body_find_id", body_find_id, HAS_STATUS },
    { "draw", draw, HAS_STATUS | REFUSES_NAN },
    { "ball_add", ball_add, HAS_STATUS | CHANGES },
    { "wheel_add", wheel_add, HAS_STATUS | CHANGES },
    { "fitting_desc", fitting_desc, HAS_STATUS },
    { "run_steps", run_steps, CHANGES },
    { "set_law", set_law, HAS_STATUS | CHANGES },
    { "get_law", get_law, HAS_STATUS },
    { "get_contact", get_contact, HAS_STATUS },
    { "list_events", list_events, 0 },
    { "impact", impact, HAS_STATUS | CHANGES },
    { "shared_step", shared_step, HAS_STATUS | CHANGES },
    { "states", states, HAS_STATUS }
};

/* --------------------------------------------------------------------------- driver --------- */

static trace before, now, beside, answer, answer_of_twin;
static bool verbose;

/* Makes the call; what it answers is in out. */
static void make_call(const call *c, spc_world *w, trace *out)
{
    r.status = SPC_OK;
    r.must_refuse = (c->flags & HAS_STATUS) && !w;
    r.not_finite = false;
    r.drawn = 0;
    r.out = out;
    out->size = 0;
    out->largest = before.largest;
    c->run(w);
    if (r.status < SPC_OK || r.status >= SPC_STATUS_COUNT)
        fail("a status that does not exist");
    if (r.must_refuse && r.status == SPC_OK)
        fail("a wrong argument was accepted");
    if ((c->flags & REFUSES_NAN) && r.not_finite && r.status == SPC_OK)
        fail("a number that is not finite was accepted");
    put_int(out, r.status);
    while (r.blocks > 0)
        free(r.block[--r.blocks]);
    if (verbose && !r.on_twin)
        fprintf(stderr, "%s: %s\n", c->name, spc_status_text(r.status));
}

/* The same call, with the same arguments, on the twin. */
static void repeat_call(const call *c, bool with_world, size_t from)
{
    const size_t end = r.at;
    r.at = from;
    r.on_twin = true;
    make_call(c, with_world ? r.twin : NULL, &answer_of_twin);
    r.on_twin = false;
    if (r.at != end || !same(&answer, &answer_of_twin))
        fail("a copy of the world answers differently");
}

/* Both worlds tell the same. */
static void compare_worlds(void)
{
    look_at(r.world, &before);
    look_at(r.twin, &beside);
    if (!same(&before, &beside))
        fail("a copy of the world, or one without the refused calls, goes another way");
}

/* The world tells what it told before. */
static void check_unchanged(void)
{
    look_at(r.world, &now);
    if (!same(&before, &now))
        fail("a call that was refused, or only asked, changed the world");
}

static void next_call(void)
{
    const call *c = &calls[take() % (sizeof calls / sizeof *calls)];
    const bool with_world = !one_in(64);
    const size_t from = r.at;
    bool accepted;
    call_now = c->name;
    make_call(c, with_world ? r.world : NULL, &answer);
    accepted = r.status == SPC_OK;
    if (!(c->flags & ONCE) && (accepted || r.share_refusals))
        repeat_call(c, with_world, from);
    if (accepted && (c->flags & CHANGES))
        compare_worlds();
    else if (c->flags & HAS_STATUS)
        check_unchanged();
}

/* At the end: whatever a refused call may have left behind shows when the worlds go on. */
static void go_on(void)
{
    static const call last[] = { { "forward dynamics at the end", forward_dynamics, 0 },
                                 { "step at the end", step, 0 },
                                 { "projected step at the end", step_rk4, 0 } };
    size_t i;
    r.size = r.at; /* the arguments are zeros */
    for (i = 0; i < sizeof last / sizeof *last; i++) {
        call_now = last[i].name;
        make_call(&last[i], r.world, &answer);
        repeat_call(&last[i], true, r.at);
        compare_worlds();
    }
}

/* --------------------------------------------------------------------------- scenes --------- */

/* A ball of half a metre, dynamic; the ground if there is no room. */
static spc_body scene_ball(spc_world *w, double x, double z)
{
    spc_body_desc d = spc_body_desc_default();
    spc_body body = { 0, 0 };
    d.mass = spc_mass_box(1, spc_vec3_make(SPC_R(0.5), SPC_R(0.5), SPC_R(0.25)));
    d.state.X_GB.p = spc_vec3_make((spc_real)x, 0, (spc_real)z);
    if (spc_body_add(w, &d, &body) == SPC_OK)
        r.body[r.bodies++] = body;
    return body;
}

static void scene_sphere(spc_world *w, spc_body floor, spc_body ball, double x)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_constraint c;
    d.floor = floor;
    d.ball = ball;
    d.shape.radius = SPC_R(0.5);
    d.shape.p_BS.x = (spc_real)x;
    if (spc_sphere_on_plane_add(w, &d, &c) == SPC_OK)
        r.constraint[r.constraints++] = c;
}

static void scene_disc(spc_world *w, spc_body floor, spc_body disc)
{
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    spc_constraint c;
    d.floor = floor;
    d.disc = disc;
    d.shape.radius = SPC_R(0.5);
    if (spc_rolling_disc_add(w, &d, &c) == SPC_OK)
        r.constraint[r.constraints++] = c;
}

static void scene_joint(spc_world *w, spc_body a, spc_body b, unsigned locked)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_constraint c;
    d.a = a;
    d.b = b;
    d.shape.locked = locked;
    d.keep_pose = true;
    if (spc_attachment_add(w, &d, &c) == SPC_OK)
        r.constraint[r.constraints++] = c;
}

/* Chain of n bodies; closed to the ground at its end or not. */
static void scene_chain(spc_world *w, int n, unsigned locked, bool closed)
{
    const spc_body ground = { 0, 0 };
    spc_body last = ground;
    int i;
    for (i = 0; i < n; i++) {
        const spc_body next = scene_ball(w, i, 0.5);
        scene_joint(w, last, next, locked);
        last = next;
    }
    if (closed)
        scene_joint(w, last, ground, locked);
}

/* Something to start from: the fast path of one contact, hubs, loops, redundant rows. */
static void open_scene(spc_world *w, unsigned kind)
{
    const spc_body ground = { 0, 0 };
    spc_body first;
    int i;
    if (kind == 0)
        return;
    if (kind == 1)
        scene_sphere(w, ground, scene_ball(w, 0, 0.5), 0);
    if (kind == 2)
        scene_disc(w, ground, scene_ball(w, 0, 0.5));
    if (kind == 3)
        scene_chain(w, 5, take() % 64, true);
    if (kind == 4)
        scene_chain(w, 3, SPC_HINGE, true);
    if (kind < 5)
        return;
    first = scene_ball(w, 0, 0.5); /* a hub with balls, or a table with legs */
    for (i = 0; i < 6; i++)
        if (kind == 5)
            scene_sphere(w, first, scene_ball(w, i, 1), 0);
        else
            scene_sphere(w, ground, first, kind == 6 ? i : 0);
    if (kind == 7)
        scene_joint(w, ground, first, SPC_WELD);
}

/* The world that the first bytes describe; none if they describe none. */
static spc_world *open_world(void)
{
    spc_world_desc d = spc_world_desc_default(MOST_BODIES, MOST_CONSTRAINTS);
    const unsigned limits = take(), kind = take();
    spc_world *w = NULL;
    void *memory;
    r.wild = (kind >> 3) % 4 * 20;
    r.share_refusals = kind & 32u;
    d.rows = 6 * MOST_CONSTRAINTS;
    d.solver_bytes *= 4;
    if (limits & 128u) { /* a narrow one */
        d.bodies = (int)(limits & 3u);
        d.constraints = (int)(limits >> 2 & 3u);
        d.rows = (int)(limits >> 4 & 1u) * 7;
    }
    if (limits & 64u) {
        d.rows = (int)take() % 32;
        d.solver_bytes = 8 * (size_t)take();
    }
    if (!(limits & 32u))
        d.gravity.z = -10;
    memory = malloc(spc_world_size(&d));
    if (spc_world_create(memory, spc_world_size(&d), &d, &w)) {
        free(memory);
        return NULL;
    }
    open_scene(w, kind % 8);
    return w;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    verbose = getenv("FUZZ_VERBOSE") != NULL;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int i;
    memset(&r, 0, sizeof r);
    r.tape = data;
    r.size = size;
    call_now = "scene";
    r.world = open_world();
    if (!r.world)
        fail("a world that is described properly is refused");
    r.twin = copy_of(r.world);
    compare_worlds();
    for (i = 0; i < MOST_CALLS && r.at < r.size; i++)
        next_call();
    go_on();
    free(r.world);
    free(r.twin);
    return 0;
}
