/* Replays reference cases: build/conformance FILE...
   Reads files in the formats of tests/oracle/FORMAT*.md, computes every `expect` line with the
   library, prints those that fail, then the largest scaled error |got - want| / (1 + |want|) of
   each quantity. The last line is `N passed, N failed`; the exit code is 1 if anything failed.

   A new constraint type is one entry in `types`, one more quantity one entry in `quantities`. */
#include "../spherecontact.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 2000 /* bodies or constraints in a case */
#define MOST_FIELDS 40  /* fields in a line */
#define MOST_LINE 4096
#define MOST_NAME 256    /* characters of a name */
#define MOST_SECONDS 1e5 /* of a simulation */
#define TOLERANCE 1e-9   /* of FORMAT.md, where a file names none */
#ifdef SPC_USE_FLOAT
#define LEAST_TOLERANCE 2e-3 /* single precision: what the cases' conditioning leaves of 1e-7 */
#else
#define LEAST_TOLERANCE 0
#endif

typedef struct body_line {
    char name[MOST_NAME];
    spc_body_desc desc;
    spc_spatial force, acceleration, trial;
    spc_body handle;
} body_line;

typedef struct constraint_line constraint_line;

/* What the reader knows of a type: its defaults, its field lines, how it is added. */
typedef struct constraint_type {
    const char *name;
    void (*begin)(constraint_line *c);
    bool (*field)(constraint_line *c, char **field, int count);
    spc_status (*add)(spc_world *world, constraint_line *c);
} constraint_type;

struct constraint_line {
    char name[MOST_NAME];
    const constraint_type *type;
    int a, b; /* bodies; -1 is ground */
    union {
        spc_sphere_on_plane_desc sphere_on_plane;
        spc_rolling_disc_desc rolling_disc;
        spc_attachment_desc attachment;
        spc_sphere_on_sphere_desc sphere_on_sphere;
    } desc;
    double baumgarte; /* 0: none */
    bool one_sided;
    spc_contact_law law;
    spc_constraint handle;
};

typedef struct reference_case {
    char name[MOST_NAME];
    spc_vec3 gravity;
    int bodies, constraints;
    double tolerance, simulate, step; /* 0: no simulation, no step of its own */
    double time;                      /* so far [s] */
    bool built, solved;               /* the world has been asked for; forward dynamics are there */
    bool stepped;                     /* what is known of contacts is that of its own steps */
    spc_world *world;
} reference_case;

static body_line bodies[MOST_NAMES];
static constraint_line constraints[MOST_NAMES];
static reference_case current;
static const char *file_name;
static int line_number, passed, failed;

static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s:%d: %s: ", file_name, line_number, current.name);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    failed++;
}

/* ------------------------------------------------------------------------------ fields -------- */

/* Reads `want` numbers behind the key; false if there are not exactly that many. */
static bool numbers(char **field, int count, int want, spc_real *out)
{
    int i;
    if (count != want + 1)
        return false;
    for (i = 0; i < want; i++) {
        char *end;
        out[i] = (spc_real)strtod(field[i + 1], &end);
        if (end == field[i + 1] || *end)
            return false;
    }
    return true;
}

static spc_vec3 vec3(const spc_real *v)
{
    return spc_vec3_make(v[0], v[1], v[2]);
}

static spc_spatial spatial(const spc_real *v)
{
    return spc_spatial_make(vec3(v), vec3(v + 3));
}

static spc_transform transform(const spc_real *v)
{
    return spc_transform_make(spc_quat_make(v[0], v[1], v[2], v[3]), vec3(v + 4));
}

static int find_body(const char *name)
{
    int i;
    for (i = 0; i < current.bodies; i++)
        if (!strcmp(bodies[i].name, name))
            return i;
    return strcmp(name, "ground") ? -2 : -1;
}

static int find_constraint(const char *name)
{
    int i;
    for (i = 0; i < current.constraints; i++)
        if (!strcmp(constraints[i].name, name))
            return i;
    return -2;
}

static spc_body body_handle(int i)
{
    spc_body ground;
    ground.index = ground.generation = 0;
    return i < 0 ? ground : bodies[i].handle;
}

/* ------------------------------------------------------------------------------- types -------- */

static void sphere_begin(constraint_line *c)
{
    c->desc.sphere_on_plane = spc_sphere_on_plane_desc_default();
}

static bool sphere_field(constraint_line *c, char **field, int count)
{
    spc_sphere_on_plane *shape = &c->desc.sphere_on_plane.shape;
    spc_real v[7];
    if (!strcmp(field[0], "plane") && numbers(field, count, 7, v))
        shape->X_FP = transform(v);
    else if (!strcmp(field[0], "center") && numbers(field, count, 3, v))
        shape->p_BS = vec3(v);
    else if (!strcmp(field[0], "radius") && numbers(field, count, 1, v))
        shape->radius = v[0];
    else if (!strcmp(field[0], "rolling") && numbers(field, count, 1, v))
        shape->rolling = v[0] > 0;
    else
        return false;
    return true;
}

static spc_status sphere_add(spc_world *world, constraint_line *c)
{
    c->desc.sphere_on_plane.floor = body_handle(c->a);
    c->desc.sphere_on_plane.ball = body_handle(c->b);
    return spc_sphere_on_plane_add(world, &c->desc.sphere_on_plane, &c->handle);
}

static void disc_begin(constraint_line *c)
{
    c->desc.rolling_disc = spc_rolling_disc_desc_default();
}

static bool disc_field(constraint_line *c, char **field, int count)
{
    spc_rolling_disc *shape = &c->desc.rolling_disc.shape;
    spc_real v[7];
    if (!strcmp(field[0], "plane") && numbers(field, count, 7, v)) {
        shape->X_FP = transform(v);
    } else if (!strcmp(field[0], "center") && numbers(field, count, 3, v)) {
        shape->p_BS = vec3(v);
    } else if (!strcmp(field[0], "axis") && numbers(field, count, 3, v)) {
        shape->axis_B = vec3(v);
    } else if (!strcmp(field[0], "radius") && numbers(field, count, 1, v)) {
        shape->radius = v[0];
    } else if (!strcmp(field[0], "axes") && numbers(field, count, 3, v)) {
        shape->lateral = v[0] > 0;
        shape->longitudinal = v[1] > 0;
        shape->normal = v[2] > 0;
    } else {
        return false;
    }
    return true;
}

static spc_status disc_add(spc_world *world, constraint_line *c)
{
    c->desc.rolling_disc.floor = body_handle(c->a);
    c->desc.rolling_disc.disc = body_handle(c->b);
    return spc_rolling_disc_add(world, &c->desc.rolling_disc, &c->handle);
}

static void attachment_begin(constraint_line *c)
{
    c->desc.attachment = spc_attachment_desc_default();
}

static bool attachment_field(constraint_line *c, char **field, int count)
{
    spc_attachment *shape = &c->desc.attachment.shape;
    spc_real v[7];
    int i;
    if (!strcmp(field[0], "frame_a") && numbers(field, count, 7, v)) {
        shape->X_AF = transform(v);
    } else if (!strcmp(field[0], "frame_b") && numbers(field, count, 7, v)) {
        shape->X_BM = transform(v);
    } else if (!strcmp(field[0], "locked") && numbers(field, count, 6, v)) {
        for (shape->locked = 0, i = 0; i < 6; i++)
            shape->locked |= v[i] > 0 ? 1u << i : 0;
    } else {
        return false;
    }
    return true;
}

static spc_status attachment_add(spc_world *world, constraint_line *c)
{
    c->desc.attachment.a = body_handle(c->a);
    c->desc.attachment.b = body_handle(c->b);
    return spc_attachment_add(world, &c->desc.attachment, &c->handle);
}

static void spheres_begin(constraint_line *c)
{
    c->desc.sphere_on_sphere = spc_sphere_on_sphere_desc_default();
}

static bool spheres_field(constraint_line *c, char **field, int count)
{
    spc_sphere_on_sphere *shape = &c->desc.sphere_on_sphere.shape;
    spc_real v[3];
    if (!strcmp(field[0], "center_a") && numbers(field, count, 3, v))
        shape->p_ASa = vec3(v);
    else if (!strcmp(field[0], "radius_a") && numbers(field, count, 1, v))
        shape->radius_a = v[0];
    else if (!strcmp(field[0], "center_b") && numbers(field, count, 3, v))
        shape->p_BSb = vec3(v);
    else if (!strcmp(field[0], "radius_b") && numbers(field, count, 1, v))
        shape->radius_b = v[0];
    else if (!strcmp(field[0], "rolling") && numbers(field, count, 1, v))
        shape->rolling = v[0] > 0;
    else
        return false;
    return true;
}

static spc_status spheres_add(spc_world *world, constraint_line *c)
{
    c->desc.sphere_on_sphere.a = body_handle(c->a);
    c->desc.sphere_on_sphere.b = body_handle(c->b);
    return spc_sphere_on_sphere_add(world, &c->desc.sphere_on_sphere, &c->handle);
}

static const constraint_type types[] = {
    { "sphere_on_plane", sphere_begin, sphere_field, sphere_add },
    { "rolling_disc", disc_begin, disc_field, disc_add },
    { "attachment", attachment_begin, attachment_field, attachment_add },
    { "sphere_on_sphere", spheres_begin, spheres_field, spheres_add }
};

/* ------------------------------------------------------------------------------ reading ------- */

static void begin_case(const char *name)
{
    memset(&current, 0, sizeof current);
    snprintf(current.name, sizeof current.name, "%s", name);
    current.tolerance = TOLERANCE;
}

static bool begin_body(char **field, int count)
{
    body_line *b = &bodies[current.bodies];
    if (count != 3 || current.bodies == MOST_NAMES || find_body(field[1]) != -2)
        return false;
    memset(b, 0, sizeof *b);
    snprintf(b->name, sizeof b->name, "%s", field[1]);
    b->desc = spc_body_desc_default();
    b->desc.kind = strcmp(field[2], "kinematic") ? SPC_DYNAMIC : SPC_KINEMATIC;
    b->desc.mass.mass = 1;
    b->desc.mass.inertia.xx = b->desc.mass.inertia.yy = b->desc.mass.inertia.zz = 1;
    current.bodies++;
    return !strcmp(field[2], "kinematic") || !strcmp(field[2], "dynamic");
}

static bool body_field(body_line *b, char **field, int count)
{
    spc_real v[7];
    spc_inertia *I = &b->desc.mass.inertia;
    if (!strcmp(field[0], "mass") && numbers(field, count, 1, v)) {
        b->desc.mass.mass = v[0];
    } else if (!strcmp(field[0], "com") && numbers(field, count, 3, v)) {
        b->desc.mass.p_BBc = vec3(v);
    } else if (!strcmp(field[0], "inertia") && numbers(field, count, 6, v)) {
        I->xx = v[0];
        I->yy = v[1];
        I->zz = v[2];
        I->xy = v[3];
        I->xz = v[4];
        I->yz = v[5];
    } else if (!strcmp(field[0], "pose") && numbers(field, count, 7, v)) {
        b->desc.state.X_GB = transform(v);
    } else if (!strcmp(field[0], "velocity") && numbers(field, count, 6, v)) {
        b->desc.state.V_GB = spatial(v);
    } else if (!strcmp(field[0], "force") && numbers(field, count, 6, v)) {
        b->force = spatial(v);
    } else if (!strcmp(field[0], "acceleration") && numbers(field, count, 6, v)) {
        b->acceleration = b->trial = spatial(v); /* until a trial says else */
    } else {
        return false;
    }
    return true;
}

static bool begin_constraint(char **field, int count)
{
    constraint_line *c = &constraints[current.constraints];
    size_t i;
    if (count != 5 || current.constraints == MOST_NAMES || find_constraint(field[1]) != -2)
        return false;
    memset(c, 0, sizeof *c);
    snprintf(c->name, sizeof c->name, "%s", field[1]);
    c->a = find_body(field[3]);
    c->b = find_body(field[4]);
    for (i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i].name, field[2]))
            c->type = &types[i];
    current.constraints++;
    if (!c->type || c->a == -2 || c->b == -2)
        return false;
    c->type->begin(c);
    c->law = spc_contact_law_default();
    return true;
}

/* Lines of a contact's law. */
static bool law_field(constraint_line *c, char **field, int count)
{
    spc_real v[2];
    if (!strcmp(field[0], "unilateral") && numbers(field, count, 1, v)) {
        c->one_sided = v[0] > 0;
    } else if (!strcmp(field[0], "friction") && numbers(field, count, 1, v)) {
        c->law.grip = false;
        c->law.friction = v[0];
    } else if (!strcmp(field[0], "restitution") && numbers(field, count, 2, v)) {
        c->law.restitution = v[0];
        c->law.restitution_speed = v[1];
    } else if (!strcmp(field[0], "resistance") && numbers(field, count, 2, v)) {
        c->law.rolling_resistance = v[0];
        c->law.spinning_resistance = v[1];
    } else if (!strcmp(field[0], "belt") && numbers(field, count, 2, v)) {
        c->law.surface_velocity[0] = v[0];
        c->law.surface_velocity[1] = v[1];
    } else {
        return false;
    }
    return true;
}

static bool constraint_field(constraint_line *c, char **field, int count)
{
    spc_real T;
    if (law_field(c, field, count))
        return true;
    if (strcmp(field[0], "baumgarte") || !numbers(field, count, 1, &T))
        return c->type->field(c, field, count);
    c->baumgarte = (double)T;
    return true;
}

/* The law of a contact that has been added. A disc's belt is given along its contact frame, and
   goes along the axes of the plane. */
static spc_status set_law(constraint_line *c)
{
    spc_contact_law law = c->law;
    const spc_rolling_disc *shape = &c->desc.rolling_disc.shape;
    spc_vec3 belt = spc_vec3_make(law.surface_velocity[0], law.surface_velocity[1], 0);
    spc_status status = SPC_OK;
    spc_state floor = spc_state_identity();
    spc_rows rows;
    if (c->type->add == disc_add) {
        if (c->a >= 0)
            status = spc_body_get_state(current.world, bodies[c->a].handle, &floor);
        if (!status)
            status = spc_constraint_get_rows(current.world, c->handle, &rows);
        if (status)
            return status;
        belt = spc_mat3_mul(rows.R_GP, belt);
        belt = spc_unrotate(shape->X_FP.q, spc_unrotate(floor.X_GB.q, belt));
        law.surface_velocity[0] = belt.x;
        law.surface_velocity[1] = belt.y;
    }
    return spc_constraint_set_law(current.world, c->handle, true, &law);
}

/* Builds the world of the current case. */
static spc_status build(void)
{
    spc_world_desc desc = spc_world_desc_default(current.bodies, current.constraints);
    spc_status status = SPC_OK;
    void *memory;
    size_t bytes;
    int i;
    desc.gravity = current.gravity;
    desc.rows = SPC_MAX_ROWS * current.constraints;
    desc.solver_bytes *= 16; /* cases may have loops of attachments */
    bytes = spc_world_size(&desc);
    memory = malloc(bytes);
    status = spc_world_create(memory, bytes, &desc, &current.world);
    if (status)
        free(memory);
    for (i = 0; i < current.bodies && !status; i++) {
        body_line *b = &bodies[i];
        status = spc_body_add(current.world, &b->desc, &b->handle);
        if (!status && b->desc.kind == SPC_KINEMATIC)
            status = spc_body_set_acceleration(current.world, b->handle, b->acceleration);
        if (!status && b->desc.kind == SPC_DYNAMIC)
            status = spc_body_add_torque(current.world, b->handle, b->force.angular, SPC_LASTING);
        if (!status && b->desc.kind == SPC_DYNAMIC)
            status = spc_body_add_force(current.world, b->handle, b->force.linear,
                                        spc_vec3_make(0, 0, 0), SPC_LASTING);
    }
    for (i = 0; i < current.constraints && !status; i++) {
        constraint_line *c = &constraints[i];
        spc_stabilization stabilization = spc_stabilization_default();
        if (!c->type || c->a == -2 || c->b == -2)
            return SPC_ERROR_WRONG_CONSTRAINT_KIND;
        status = c->type->add(current.world, c);
        stabilization.enabled = c->baumgarte > 0;
        if (c->baumgarte > 0)
            stabilization.time_constant = (spc_real)c->baumgarte;
        if (!status)
            status = spc_constraint_set_stabilization(current.world, c->handle, &stabilization);
        if (!status && c->one_sided)
            status = set_law(c);
    }
    return status;
}

/* Largest scaled difference between the states of the bodies of two worlds. */
static double difference(const spc_world *one, const spc_world *two)
{
    double most = 0;
    int i, k;
    for (i = 0; i < current.bodies; i++) {
        spc_state s, t;
        spc_real a[13], b[13];
        spc_body_get_state(one, bodies[i].handle, &s);
        spc_body_get_state(two, bodies[i].handle, &t);
        memcpy(a, &s, sizeof a);
        memcpy(b, &t, sizeof b);
        for (k = 0; k < 13; k++)
            most = fmax(most, fabs((double)a[k] - (double)b[k]) / (1 + fabs((double)b[k])));
    }
    return most;
}

static spc_rows rows_of(int i)
{
    spc_rows rows;
    memset(&rows, 0, sizeof rows);
    spc_constraint_get_rows(current.world, constraints[i].handle, &rows);
    return rows;
}

/* What forward dynamics does about drift, where the reference's does it, too: where a constraint is
   stabilized, or is off as the motion begins. What starts on its constraints is kept there. */
static spc_drift drift_of(void)
{
    const double off = sizeof(spc_real) == sizeof(double) ? 1e-7 : 1e-3;
    int i, k;
    for (i = 0; i < current.constraints; i++) {
        const spc_rows rows = rows_of(i);
        if (constraints[i].baumgarte > 0)
            return SPC_DRIFT_STABILIZE;
        for (k = 0; k < rows.count && !constraints[i].one_sided; k++)
            if (rows.enforced >> k & 1u && (fabs((double)rows.position_errors[k]) > off ||
                                            fabs((double)rows.velocity_errors[k]) > off))
                return SPC_DRIFT_STABILIZE;
    }
    return SPC_DRIFT_PROJECT;
}

static spc_status advance(double end, int steps, spc_drift drift)
{
    spc_status status = SPC_OK;
    int i;
    for (i = 0; i < steps && !status; i++)
        status = spc_step_rk4(current.world, (spc_real)(end / steps), drift);
    return status;
}

/* Advances to the time of `simulate` with Runge-Kutta steps that are halved until they no longer
   matter: the method is of fourth order, so the finer of two runs is off by a fifteenth of their
   difference. */
static spc_status simulate(double end)
{
    const size_t bytes = spc_world_snapshot_size(current.world);
    const spc_drift drift = drift_of();
    spc_world *start, *coarse;
    const double enough = 30 * (sizeof(spc_real) == sizeof(double) ? 1e-12 : 1e-6);
    double change = 1e300, before;
    spc_status status;
    int steps, turn;
    if (!(end > 0 && end <= MOST_SECONDS))
        return SPC_ERROR_BAD_STEP;
    steps = 1 + (int)(end / 2e-3);
    start = (spc_world *)malloc(bytes);
    coarse = (spc_world *)malloc(bytes);
    memcpy(start, current.world, bytes);
    status = advance(end, steps, drift);
    for (turn = 0; turn < 6 && !status; turn++) {
        memcpy(coarse, current.world, bytes);
        memcpy(current.world, start, bytes);
        steps *= 2;
        status = advance(end, steps, drift);
        before = change;
        change = difference(current.world, coarse);
        if (change <= enough || change > before / 2)
            break;
    }
    free(start);
    free(coarse);
    return status;
}

/* The same with steps of the case's own. */
static spc_status simulate_in_steps(double end, double step)
{
    const int steps = (int)(end / step + 0.5);
    spc_status status = SPC_OK;
    int i;
    if (!(end > 0 && end <= MOST_SECONDS && step > 0) || steps < 1)
        return SPC_ERROR_BAD_STEP;
    for (i = 0; i < steps && !status; i++)
        status = spc_step(current.world, (spc_real)(end / steps));
    return status;
}

/* The case's motion up to the time that expectations are about. */
static void run_simulation(void)
{
    const double time = current.simulate - current.time;
    spc_status status = SPC_ERROR_NULL;
    if (current.world && current.step > 0)
        status = simulate_in_steps(time, current.step);
    else if (current.world)
        status = simulate(time);
    current.time = current.simulate;
    current.stepped = current.step > 0;
    current.solved = false;
    current.simulate = 0;
    if (status)
        fail("simulation stopped: %s", spc_status_text(status));
}

/* ---------------------------------------------------------------------------- quantities ------ */

/* Numbers of a quantity of constraint c (or body c); false if there is no such thing. extra: the
   other target fields. */
typedef int quantity_of(int i, char **extra, spc_real *out);

static int put(const spc_vec3 v, spc_real *out)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
    return 3;
}

static int put_spatial(spc_spatial s, spc_real *out)
{
    put(s.angular, out);
    put(s.linear, out + 3);
    return 6;
}

static spc_contact_force forces_of(int i)
{
    spc_contact_force forces;
    memset(&forces, 0, sizeof forces);
    spc_constraint_get_forces(current.world, constraints[i].handle, &forces);
    return forces;
}

static int position_error(int i, char **extra, spc_real *out)
{
    const spc_rows rows = rows_of(i);
    int k, n = 0;
    (void)extra;
    for (k = 0; k < rows.count; k++)
        if (rows.holonomic >> k & 1u || constraints[i].type->add == attachment_add)
            out[n++] = rows.enforced >> k & 1u ? rows.position_errors[k] : 0;
    if (n == 0) /* a disc without its normal has none */
        out[n++] = 0;
    return n;
}

static int velocity_errors(int i, char **extra, spc_real *out)
{
    const spc_rows rows = rows_of(i);
    int k;
    (void)extra;
    for (k = 0; k < rows.count; k++) /* the format has 0 for rows that are off */
        out[k] = rows.enforced >> k & 1u ? rows.velocity_errors[k] : 0;
    return rows.count;
}

static int bias(int i, char **extra, spc_real *out)
{
    const spc_rows rows = rows_of(i);
    (void)extra;
    memcpy(out, rows.jdot_v, (size_t)rows.count * sizeof *out);
    return rows.count;
}

static int acceleration_errors_at_trial(int i, char **extra, spc_real *out)
{
    const spc_rows rows = rows_of(i);
    spc_spatial ground, *a = &ground, *b = &ground;
    int k;
    (void)extra;
    memset(&ground, 0, sizeof ground);
    if (constraints[i].a >= 0)
        a = &bodies[constraints[i].a].trial;
    if (constraints[i].b >= 0)
        b = &bodies[constraints[i].b].trial;
    spc_rows_mul(&rows, a, b, out);
    for (k = 0; k < rows.count; k++)
        out[k] += rows.jdot_v[k];
    return rows.count;
}

static int multipliers(int i, char **extra, spc_real *out)
{
    (void)extra;
    spc_constraint_get_multipliers(current.world, constraints[i].handle, out);
    return rows_of(i).count;
}

/* The numbers of the rows in use, along their axes. */
static int put_sum(const spc_rows *rows, const spc_real *numbers_of, spc_real *out)
{
    spc_real on[3];
    int k;
    for (k = 0; k < 3; k++)
        on[k] = rows->enforced >> k & 1u ? numbers_of[k] : 0;
    return put(spc_mat3_mul(rows->R_GP, vec3(on)), out);
}

static int velocity_error_in_ground(int i, char **extra, spc_real *out)
{
    const spc_rows rows = rows_of(i);
    (void)extra;
    return put_sum(&rows, rows.velocity_errors, out);
}

static int acceleration_error_in_ground_at_trial(int i, char **extra, spc_real *out)
{
    const spc_rows rows = rows_of(i);
    spc_real errors[SPC_MAX_ROWS];
    acceleration_errors_at_trial(i, extra, errors);
    return put_sum(&rows, errors, out);
}

static int bias_in_ground(int i, char **extra, spc_real *out)
{
    const spc_rows rows = rows_of(i);
    (void)extra;
    return put_sum(&rows, rows.jdot_v, out);
}

static int contact_normal_in_ground(int i, char **extra, spc_real *out)
{
    (void)extra;
    return put(rows_of(i).R_GP.z, out);
}

/* The last of a contact's three numbers. */
static int normal_of(quantity_of *all, int i, char **extra, spc_real *out)
{
    spc_real three[SPC_MAX_ROWS] = { 0 };
    all(i, extra, three);
    out[0] = three[2];
    return 1;
}

static int normal_velocity_error(int i, char **extra, spc_real *out)
{
    return normal_of(velocity_errors, i, extra, out);
}

static int normal_acceleration_error_at_trial(int i, char **extra, spc_real *out)
{
    return normal_of(acceleration_errors_at_trial, i, extra, out);
}

static int normal_bias(int i, char **extra, spc_real *out)
{
    return normal_of(bias, i, extra, out);
}

static int normal_multiplier(int i, char **extra, spc_real *out)
{
    return normal_of(multipliers, i, extra, out);
}

static int force_on_ball_in_ground(int i, char **extra, spc_real *out)
{
    (void)extra;
    return put(forces_of(i).force_G, out);
}

static int contact_point_in_ground(int i, char **extra, spc_real *out)
{
    (void)extra;
    return put(rows_of(i).p_GC, out);
}

static int separation(int i, char **extra, spc_real *out)
{
    (void)extra;
    out[0] = rows_of(i).separation;
    return 1;
}

static int power(int i, char **extra, spc_real *out)
{
    (void)extra;
    out[0] = forces_of(i).power;
    return 1;
}

static int jacobian_row(int i, char **extra, spc_real *out)
{
    const spc_rows rows = rows_of(i);
    const int row = atoi(extra[0]), body = find_body(extra[1]);
    if (row < 0 || row >= rows.count || body == -2)
        return 0;
    if (body == constraints[i].a)
        return put_spatial(rows.jacobian_a[row], out);
    if (body == constraints[i].b)
        return put_spatial(rows.jacobian_b[row], out);
    return put_spatial(spc_spatial_make(spc_vec3_make(0, 0, 0), spc_vec3_make(0, 0, 0)), out);
}

static int normal_jacobian_row(int i, char **extra, spc_real *out)
{
    char row[] = "2", *target[2];
    target[0] = row;
    target[1] = extra[0];
    return jacobian_row(i, target, out);
}

/* Columns of a component of the velocity in G: the rows along their axes. */
static int jacobian_row_in_ground(int i, char **extra, spc_real *out)
{
    const spc_rows rows = rows_of(i);
    const int component = atoi(extra[0]);
    char row[] = "0", *target[2];
    spc_real columns[3][6];
    int k;
    target[0] = row;
    target[1] = extra[1];
    for (k = 0; k < 3; k++, row[0]++)
        if (!jacobian_row(i, target, columns[k]))
            return 0;
    for (k = 0; k < 6; k++) {
        spc_real column[3] = { columns[0][k], columns[1][k], columns[2][k] }, sum[3];
        put_sum(&rows, column, sum);
        if (component < 0 || component > 2)
            return 0;
        out[k] = sum[component];
    }
    return 6;
}

static spc_disc_contact disc_contact_of(int i)
{
    spc_disc_contact contact;
    memset(&contact, 0, sizeof contact);
    spc_rolling_disc_get_contact(current.world, constraints[i].handle, &contact);
    return contact;
}

/* Row-major. */
static int joint_rotation(int i, char **extra, spc_real *out)
{
    const spc_mat3 R = disc_contact_of(i).R_GJ1;
    (void)extra;
    put(spc_vec3_make(R.x.x, R.y.x, R.z.x), out);
    put(spc_vec3_make(R.x.y, R.y.y, R.z.y), out + 3);
    put(spc_vec3_make(R.x.z, R.y.z, R.z.z), out + 6);
    return 9;
}

static int force_local(int i, char **extra, spc_real *out)
{
    (void)extra;
    return put(forces_of(i).force_P, out);
}

static int contact_point_velocity(int i, char **extra, spc_real *out)
{
    (void)extra;
    return put(disc_contact_of(i).v_GC, out);
}

static int trail_velocity(int i, char **extra, spc_real *out)
{
    (void)extra;
    return put(disc_contact_of(i).trail_velocity, out);
}

static int acceleration(int i, char **extra, spc_real *out)
{
    spc_spatial A;
    (void)extra;
    if (spc_body_get_acceleration(current.world, body_handle(i), &A))
        return 0;
    return put_spatial(A, out);
}

static int pose(int i, char **extra, spc_real *out)
{
    spc_state s;
    (void)extra;
    if (spc_body_get_state(current.world, body_handle(i), &s))
        return 0;
    out[0] = s.X_GB.q.w;
    out[1] = s.X_GB.q.x;
    out[2] = s.X_GB.q.y;
    out[3] = s.X_GB.q.z;
    return 4 + put(s.X_GB.p, out + 4);
}

static int velocity(int i, char **extra, spc_real *out)
{
    spc_state s;
    (void)extra;
    if (spc_body_get_state(current.world, body_handle(i), &s))
        return 0;
    return put_spatial(s.V_GB, out);
}

static spc_contact_info contact_of(int i)
{
    spc_contact_info info;
    memset(&info, 0, sizeof info);
    spc_constraint_get_contact(current.world, constraints[i].handle, &info);
    return info;
}

static int impulse_on_ball_in_ground(int i, char **extra, spc_real *out)
{
    (void)extra;
    if (!constraints[i].one_sided) {
        spc_real lambda[SPC_MAX_ROWS];
        spc_rows rows = rows_of(i);
        int k;
        spc_constraint_get_multipliers(current.world, constraints[i].handle, lambda);
        for (k = 0; k < 3; k++)
            lambda[k] = -lambda[k];
        return put_sum(&rows, lambda, out);
    }
    return put(spc_mat3_mul(rows_of(i).R_GP, vec3(contact_of(i).force)), out);
}

static int angular_impulse_on_ball_in_ground(int i, char **extra, spc_real *out)
{
    (void)extra;
    return put(spc_mat3_mul(rows_of(i).R_GP, vec3(contact_of(i).moment)), out);
}

/* As a number; its word stands in the place of that. */
static int contact_state(int i, char **extra, spc_real *out)
{
    (void)extra;
    out[0] = (spc_real)contact_of(i).state;
    return 1;
}

static struct quantity {
    const char *name;
    quantity_of *compute;
    bool of_body;
    int targets;  /* fields between the quantity's name and the numbers */
    double worst; /* largest scaled error; negative: never asked for */
} quantities[] = {
    { "position_error", position_error, false, 1, -1 },
    { "velocity_errors", velocity_errors, false, 1, -1 },
    { "acceleration_errors_at_trial", acceleration_errors_at_trial, false, 1, -1 },
    { "bias", bias, false, 1, -1 },
    { "multipliers", multipliers, false, 1, -1 },
    { "force_on_ball_in_ground", force_on_ball_in_ground, false, 1, -1 },
    { "contact_point_in_ground", contact_point_in_ground, false, 1, -1 },
    { "separation", separation, false, 1, -1 },
    { "power", power, false, 1, -1 },
    { "jacobian_row", jacobian_row, false, 3, -1 },
    { "contact_normal_in_ground", contact_normal_in_ground, false, 1, -1 },
    { "normal_velocity_error", normal_velocity_error, false, 1, -1 },
    { "velocity_error_in_ground", velocity_error_in_ground, false, 1, -1 },
    { "normal_acceleration_error_at_trial", normal_acceleration_error_at_trial, false, 1, -1 },
    { "acceleration_error_in_ground_at_trial", acceleration_error_in_ground_at_trial, false, 1,
      -1 },
    { "normal_bias", normal_bias, false, 1, -1 },
    { "bias_in_ground", bias_in_ground, false, 1, -1 },
    { "normal_multiplier", normal_multiplier, false, 1, -1 },
    { "normal_jacobian_row", normal_jacobian_row, false, 2, -1 },
    { "jacobian_row_in_ground", jacobian_row_in_ground, false, 3, -1 },
    { "joint_rotation", joint_rotation, false, 1, -1 },
    { "force_local", force_local, false, 1, -1 },
    { "contact_point_velocity", contact_point_velocity, false, 1, -1 },
    { "trail_velocity", trail_velocity, false, 1, -1 },
    { "acceleration", acceleration, true, 1, -1 },
    { "pose", pose, true, 1, -1 },
    { "velocity", velocity, true, 1, -1 },
    { "velocity_after", velocity, true, 1, -1 },
    { "impulse_on_ball_in_ground", impulse_on_ball_in_ground, false, 1, -1 },
    { "angular_impulse_on_ball_in_ground", angular_impulse_on_ball_in_ground, false, 1, -1 },
    { "contact_state", contact_state, false, 1, -1 }
};

/* Words of contact_state become numbers. */
static void spell_state(char *word)
{
    static const char *const words[] = { "open", "sliding", "rolling" };
    int i;
    for (i = 0; i < 3; i++)
        if (!strcmp(word, words[i]))
            snprintf(word, 2, "%d", i);
}

/* q and -q are the same rotation: take the sign that is closer to what is wanted. */
static void match_sign(spc_real *got, const spc_real *want)
{
    double dot = 0;
    int i;
    for (i = 0; i < 4; i++)
        dot += (double)got[i] * (double)want[i];
    for (i = 0; i < 4 && dot < 0; i++)
        got[i] = -got[i];
}

static bool compare(struct quantity *q, const spc_real *got, const spc_real *want, int count)
{
    const double tolerance = fmax(current.tolerance, LEAST_TOLERANCE);
    bool good = true;
    int i;
    for (i = 0; i < count; i++) {
        const double scaled = fabs((double)got[i] - (double)want[i]) / (1 + fabs((double)want[i]));
        if (!(scaled <= q->worst))
            q->worst = scaled;
        if (!(scaled <= tolerance))
            good = false;
    }
    return good;
}

static void print_failure(char **field, int targets, const spc_real *got, const spc_real *want,
                          int count)
{
    double worst = 0;
    int i;
    printf("%s:%d: %s: %s", file_name, line_number, current.name, field[1]);
    for (i = 0; i < targets; i++)
        printf(" %s", field[2 + i]);
    printf(": expected");
    for (i = 0; i < count; i++)
        printf(" %.17g", (double)want[i]);
    printf(", computed");
    for (i = 0; i < count; i++) {
        const double scaled = fabs((double)got[i] - (double)want[i]) / (1 + fabs((double)want[i]));
        printf(" %.17g", (double)got[i]);
        if (!(scaled <= worst))
            worst = scaled;
    }
    printf(", error %.3g\n", worst);
    failed++;
}

/* Computes one `expect` line. */
/* The numbers of a quantity: those of forward dynamics, of an impact, or of the last step, which
   tells what contacts do. How many; 0: there are none. */
static int compute(const struct quantity *q, int target, char **extra, spc_real *out)
{
    const size_t bytes = spc_world_snapshot_size(current.world);
    const bool aside = current.stepped && q->compute != contact_state;
    void *kept = aside ? malloc(bytes) : NULL;
    int n = 0;
    if (aside)
        memcpy(kept, current.world, bytes);
    if (!current.solved && !(current.stepped && !aside) &&
        spc_world_forward_dynamics(current.world))
        fail("forward dynamics refused");
    else
        n = q->compute(target, extra, out);
    if (aside)
        memcpy(current.world, kept, bytes);
    else
        current.solved = !current.stepped;
    free(kept);
    return n;
}

static void expect(char **field, int count)
{
    spc_real got[MOST_FIELDS], want[MOST_FIELDS];
    struct quantity *q = NULL;
    size_t k;
    int target, n;
    for (k = 0; count > 1 && k < sizeof quantities / sizeof *quantities; k++)
        if (!strcmp(quantities[k].name, field[1]))
            q = &quantities[k];
    if (!q || count < 2 + q->targets) {
        fail("unknown quantity %s", count > 1 ? field[1] : "");
        return;
    }
    target = q->of_body ? find_body(field[2]) : find_constraint(field[2]);
    if (q->compute == contact_state && count > 3)
        spell_state(field[3]);
    if (current.simulate > 0)
        run_simulation();
    if (!current.world || target == -2 || (target < 0 && !q->of_body)) {
        fail("no system, or no target %s", field[2]);
        return;
    }
    n = compute(q, target, field + 3, got);
    if (n == 0 || !numbers(field + 1 + q->targets, count - 1 - q->targets, n, want)) {
        fail("%s: cannot be computed, or not %d numbers", field[1], n);
        return;
    }
    if (q->compute == pose)
        match_sign(got, want);
    if (compare(q, got, want, n))
        passed++;
    else
        print_failure(field, q->targets, got, want, n);
}

static void end_case(void)
{
    free(current.world);
    begin_case("outside a case");
}

/* Lines that stand on their own in a case. */
static void case_line(char **field, int count)
{
    spc_real v[6];
    int i;
    if (!strcmp(field[0], "gravity") && numbers(field, count, 3, v)) {
        current.gravity = vec3(v);
    } else if (!strcmp(field[0], "tolerance") && numbers(field, count, 1, v)) {
        current.tolerance = (double)v[0];
    } else if (!strcmp(field[0], "trial") && count == 8) {
        i = find_body(field[1]);
        if (i < 0 || !numbers(field + 1, count - 1, 6, v))
            fail("bad trial line");
        else
            bodies[i].trial = spatial(v);
    } else if (!strcmp(field[0], "simulate") && numbers(field, count, 1, v)) {
        current.simulate = (double)v[0];
        if (!(v[0] > 0))
            fail("bad time %s", field[1]);
    } else if (!strcmp(field[0], "step") && numbers(field, count, 1, v)) {
        current.step = (double)v[0];
    } else if (!strcmp(field[0], "impact") && count == 1) {
        const spc_status status = current.world ? spc_world_impact(current.world) : SPC_ERROR_NULL;
        current.solved = true;
        if (status)
            fail("impact refused: %s", spc_status_text(status));
    } else if (!strcmp(field[0], "expect")) {
        expect(field, count);
    } else {
        fail("unknown line %s", field[0]);
    }
}

/* Which lines an indented one belongs to. */
typedef enum block { NOTHING, IN_BODY, IN_CONSTRAINT } block;

static block read_line(char **field, int count, bool indented, block inside)
{
    bool good = true;
    spc_status status;
    if (indented && inside == IN_BODY) {
        if (!body_field(&bodies[current.bodies - 1], field, count))
            fail("bad body line %s", field[0]);
        return inside;
    }
    if (indented && inside == IN_CONSTRAINT) {
        if (!constraint_field(&constraints[current.constraints - 1], field, count))
            fail("bad constraint line %s", field[0]);
        return inside;
    }
    if (!strcmp(field[0], "case")) {
        end_case();
        begin_case(count > 1 ? field[1] : "");
    } else if (!strcmp(field[0], "end")) {
        end_case();
    } else if (!strcmp(field[0], "body")) {
        good = begin_body(field, count);
        inside = good ? IN_BODY : NOTHING;
    } else if (!strcmp(field[0], "constraint")) {
        good = begin_constraint(field, count);
        inside = good ? IN_CONSTRAINT : NOTHING;
    } else {
        if (!current.built && (!strcmp(field[0], "expect") || !strcmp(field[0], "simulate") ||
                               !strcmp(field[0], "impact"))) {
            current.built = true;
            status = build();
            if (status) {
                free(current.world);
                current.world = NULL;
                fail("cannot be built: %s", spc_status_text(status));
            }
        }
        case_line(field, count);
    }
    if (!good)
        fail("bad or unknown %s line", field[0]);
    return inside;
}

static void read_file(FILE *file)
{
    static char line[MOST_LINE];
    block inside = NOTHING;
    line_number = 0;
    begin_case("outside a case");
    while (fgets(line, sizeof line, file)) {
        char *field[MOST_FIELDS];
        const bool indented = line[0] == ' ';
        int count = 0;
        char *token = strtok(line, " \t\r\n");
        line_number++;
        while (token && count < MOST_FIELDS) {
            if (*token == '#')
                break;
            field[count++] = token;
            token = strtok(NULL, " \t\r\n");
        }
        if (count > 0 && field[0][0] != '#')
            inside = read_line(field, count, indented, inside);
        if (!indented && count > 0 && field[0][0] != '#' && strcmp(field[0], "body") &&
            strcmp(field[0], "constraint"))
            inside = NOTHING;
    }
    end_case();
}

int main(int argc, char **argv)
{
    size_t k;
    int i;
    for (i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        file_name = argv[i];
        if (!file) {
            line_number = 0;
            fail("cannot be opened");
            continue;
        }
        read_file(file);
        fclose(file);
    }
    for (k = 0; k < sizeof quantities / sizeof *quantities; k++)
        if (quantities[k].worst >= 0)
            printf("%-30s largest scaled error %.3g\n", quantities[k].name, quantities[k].worst);
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 || passed == 0;
}
