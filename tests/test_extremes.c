/* Queries at extreme numbers: random worlds in which positions, velocities, masses, sizes, forces
   and steps may be as large or as small as numbers get. Whatever is asked, what is answered is
   finite, or the call is refused, leaves its output alone, and the world as it was. */
#include "test.h"

#define WORLDS 1500
#define BODIES 4
#define CONSTRAINTS 6
#define ROWS (6 * CONSTRAINTS)
#define COLUMNS (6 * (BODIES + 1))

/* What was asked: answers, and refusals because of numbers, of each query. What is kept is finite:
   asking for that is not refused. */
typedef struct tally {
    const char *what;
    bool may_refuse;
    int answers, refusals;
} tally;

static tally tallies[32];
static int tally_count;

static tally *tally_of(const char *what)
{
    int i = 0;
    while (i < tally_count && tallies[i].what != what)
        i++;
    CHECK(i < (int)(sizeof tallies / sizeof *tallies));
    tally_count += i == tally_count;
    tallies[i].what = what;
    tallies[i].may_refuse = strncmp(what, "kept", 4) != 0;
    return &tallies[i];
}

/* The largest decade; the smallest is its inverse. */
static double most_decade(void)
{
    return sizeof(spc_real) == sizeof(float) ? 37 : 307;
}

/* A number of about 1 or, one in four where they are wild, of any decade, often of the last. */
static spc_real number(int wild)
{
    const double x = test_random(0.1, 1), far = test_random(-1, 1), sign = test_random(-1, 1);
    double size = 1;
    if (test_random(0, 4) < wild)
        size = far > 0.75 ? LARGEST : pow(10, far / 0.75 * most_decade());
    return (spc_real)(sign < 0 ? -x * size : x * size);
}

static spc_real positive(int wild)
{
    return (spc_real)fabs((double)number(wild));
}

static spc_vec3 vector(int wild)
{
    const spc_real x = number(wild), y = number(wild);
    return spc_vec3_make(x, y, number(wild));
}

static spc_spatial spatial(int wild)
{
    const spc_vec3 angular = vector(wild);
    return spc_spatial_make(angular, vector(wild));
}

static spc_transform transform(int wild)
{
    const spc_quat q = test_random_quat();
    return spc_transform_make(q, vector(wild));
}

/* A world; what is refused while it is built is not there. */
typedef struct scene {
    spc_world *world;
    int bodies, constraints;
    spc_body body[BODIES + 1]; /* ground is the first */
    spc_constraint constraint[CONSTRAINTS];
    spc_world_desc desc;
} scene;

/* Which kinds of numbers are wild in a world: none, one, all. */
typedef struct wildness {
    int place, speed, mass, shape, force, time;
} wildness;

static wildness draw_wildness(void)
{
    const int which = (int)test_random(0, 8);
    wildness w;
    w.place = which == 0 || which == 7;
    w.speed = which == 1 || which == 7;
    w.mass = which == 2 || which == 7;
    w.shape = which == 3 || which == 7;
    w.force = which == 4 || which == 7;
    w.time = which == 5 || which == 7;
    return w;
}

static void add_body(scene *s, const wildness *wild)
{
    spc_body_desc d = spc_body_desc_default();
    const spc_real m = positive(wild->mass), x = positive(wild->mass), y = positive(wild->mass);
    d.kind = s->bodies == 1 ? SPC_KINEMATIC : SPC_DYNAMIC;
    d.mass = spc_mass_box(m, spc_vec3_make(x, y, positive(wild->mass)));
    d.mass.p_BBc = vector(wild->mass);
    d.state.X_GB = transform(wild->place);
    d.state.V_GB = spatial(wild->speed);
    if (!spc_body_add(s->world, &d, &s->body[s->bodies]))
        s->bodies++;
}

/* Ends of a constraint: two bodies that differ. */
static void draw_ends(const scene *s, spc_body *a, spc_body *b)
{
    const int i = (int)test_random(0, s->bodies - 0.001);
    *a = s->body[i];
    *b = s->body[(i + 1) % s->bodies];
}

static spc_rolling_disc draw_disc(int wild)
{
    spc_rolling_disc shape = spc_rolling_disc_default();
    const int off = (int)test_random(0, 4);
    shape.X_FP = transform(wild);
    shape.p_BS = vector(wild);
    shape.axis_B = vector(wild);
    (void)spc_normalize(shape.axis_B, &shape.axis_B);
    shape.radius = positive(wild);
    shape.lateral = off != 1;
    shape.longitudinal = off != 2;
    shape.normal = off != 3;
    return shape;
}

static spc_sphere_on_plane draw_sphere(int wild)
{
    spc_sphere_on_plane shape = spc_sphere_on_plane_default();
    shape.X_FP = transform(wild);
    shape.p_BS = vector(wild);
    shape.radius = positive(wild);
    shape.rolling = test_random(-1, 1) < 0;
    return shape;
}

static spc_attachment draw_attachment(int wild)
{
    spc_attachment shape = spc_attachment_default();
    shape.X_AF = transform(wild);
    shape.X_BM = transform(wild);
    shape.rest = vector(wild);
    shape.locked = (unsigned)test_random(0, 64);
    return shape;
}

static spc_sphere_on_sphere draw_spheres(int wild)
{
    spc_sphere_on_sphere shape = spc_sphere_on_sphere_default();
    shape.p_ASa = vector(wild);
    shape.p_BSb = vector(wild);
    shape.radius_b = positive(wild);
    shape.radius_a = positive(wild);
    shape.hollow = shape.radius_a > shape.radius_b && test_random(-1, 1) < 0;
    shape.rolling = test_random(-1, 1) < 0;
    return shape;
}

static void add_constraint(scene *s, const wildness *wild)
{
    const int kind = (int)test_random(0, 4), on = test_random(0, 8) >= 1;
    spc_sphere_on_plane_desc sphere = spc_sphere_on_plane_desc_default();
    spc_rolling_disc_desc disc = spc_rolling_disc_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_sphere_on_sphere_desc spheres = spc_sphere_on_sphere_desc_default();
    spc_constraint *c = &s->constraint[s->constraints];
    spc_body a, b;
    spc_status status;
    draw_ends(s, &a, &b);
    sphere.floor = disc.floor = joint.a = spheres.a = a;
    sphere.ball = disc.disc = joint.b = spheres.b = b;
    sphere.shape = draw_sphere(wild->shape);
    disc.shape = draw_disc(wild->shape);
    joint.shape = draw_attachment(wild->shape);
    joint.keep_pose = test_random(0, 4) < 1;
    spheres.shape = draw_spheres(wild->shape);
    sphere.enabled = disc.enabled = joint.enabled = spheres.enabled = on;
    if (kind == 0)
        status = spc_sphere_on_plane_add(s->world, &sphere, c);
    else if (kind == 1)
        status = spc_rolling_disc_add(s->world, &disc, c);
    else if (kind == 2)
        status = spc_sphere_on_sphere_add(s->world, &spheres, c);
    else
        status = spc_attachment_add(s->world, &joint, c);
    if (!status)
        s->constraints++;
}

static scene make_scene(const wildness *wild)
{
    scene s;
    int i;
    memset(&s, 0, sizeof s);
    s.desc = spc_world_desc_default(BODIES, CONSTRAINTS);
    s.desc.rows = ROWS;
    s.desc.solver_bytes *= 4;
    s.desc.gravity = vector(wild->force);
    s.desc.stabilization.time_constant = SPC_R(0.1) * positive(wild->time);
    if (spc_world_size(&s.desc) == 0) /* 1 / T^2 overflows */
        s.desc.stabilization.time_constant = 1;
    s.world = test_world(&s.desc);
    s.bodies = 1;
    for (i = 0; i < BODIES; i++)
        add_body(&s, wild);
    for (i = 0; i < CONSTRAINTS && s.bodies > 1; i++)
        add_constraint(&s, wild);
    for (i = 1; i < s.bodies; i++)
        (void)spc_body_add_force(s.world, s.body[i], vector(wild->force), vector(wild->place),
                                 SPC_LASTING);
    return s;
}

/* -------------------------------------------------------------------------- answers --------- */

static bool all_finite(const void *numbers, size_t bytes)
{
    const spc_real *x = (const spc_real *)numbers;
    size_t i;
    for (i = 0; i < bytes / sizeof *x; i++)
        if (!isfinite((double)x[i]))
            return false;
    return true;
}

/* `numbers` of the output of so many bytes are finite, or none of it was written. */
static void check_answer(const char *what, spc_status status, const void *out, size_t bytes,
                         const void *numbers, size_t size)
{
    tally *t = tally_of(what);
    char text[200];
    t->answers += status == SPC_OK;
    t->refusals += status == SPC_ERROR_NOT_FINITE || status == SPC_ERROR_STATE_NOT_FINITE;
    test_checks++;
    if (status ? untouched(out, bytes) : all_finite(numbers, size))
        return;
    snprintf(text, sizeof text, "%.60s: %.60s", what,
             status ? "refused, and wrote" : "answered what is not finite");
    test_report(__FILE__, __LINE__, text);
}

#define PUT_PATTERN(out) memset(&(out), PATTERN, sizeof(out))
#define CHECK_ANSWER(what, call, out) \
    check_answer(what, (call), &(out), sizeof(out), &(out), sizeof(out))

/* Rows begin with three integers; what stands behind the count of rows is not written. */
static void check_rows(const char *what, spc_status status, const spc_rows *rows)
{
    const size_t head = offsetof(spc_rows, p_GC), errors = offsetof(spc_rows, position_errors);
    spc_rows copy = *rows;
    int i;
    for (i = 0; i < SPC_MAX_ROWS && !status; i++)
        if (i >= rows->count)
            memset(&copy.jacobian_a[i], 0, sizeof copy.jacobian_a[i]),
                memset(&copy.jacobian_b[i], 0, sizeof copy.jacobian_b[i]);
    CHECK(errors > head);
    check_answer(what, status, rows, sizeof *rows, (const char *)&copy + head, sizeof copy - head);
}

/* --------------------------------------------------------------------------- asking --------- */

/* Kernels, from a caller's own states. */
static void ask_kernels(const wildness *wild)
{
    const spc_sphere_on_plane sphere = draw_sphere(wild->shape);
    const spc_rolling_disc disc = draw_disc(wild->shape);
    const spc_attachment joint = draw_attachment(wild->shape);
    const spc_sphere_on_sphere spheres = draw_spheres(wild->shape);
    spc_disc_contact contact;
    spc_state a, b;
    spc_rows rows;
    a.X_GB = transform(wild->place);
    a.V_GB = spatial(wild->speed);
    b.X_GB = transform(wild->place);
    b.V_GB = spatial(wild->speed);
    PUT_PATTERN(rows);
    check_rows("sphere", spc_sphere_on_plane_rows(&sphere, &a, &b, &rows), &rows);
    PUT_PATTERN(rows);
    check_rows("disc", spc_rolling_disc_rows(&disc, &a, &b, &rows), &rows);
    PUT_PATTERN(rows);
    check_rows("attachment", spc_attachment_rows(&joint, &a, &b, &rows), &rows);
    PUT_PATTERN(rows);
    check_rows("spheres", spc_sphere_on_sphere_rows(&spheres, &a, &b, &rows), &rows);
    PUT_PATTERN(contact);
    CHECK_ANSWER("contact", spc_rolling_disc_contact(&disc, &a, &b, &contact), contact);
}

static void ask_constraint(const scene *s, spc_constraint c)
{
    spc_real errors[SPC_MAX_ROWS], multipliers[SPC_MAX_ROWS], gamma[SPC_MAX_ROWS];
    spc_real G[SPC_MAX_ROWS * COLUMNS], e[SPC_MAX_ROWS], v[SPC_MAX_ROWS];
    spc_contact_force forces;
    spc_disc_contact contact;
    spc_constraint_info info;
    spc_status status;
    spc_rows rows;
    size_t used;
    int i;
    PUT_PATTERN(rows);
    check_rows("get_rows", spc_constraint_get_rows(s->world, c, &rows), &rows);
    PUT_PATTERN(errors);
    CHECK_ANSWER("acceleration_errors", spc_constraint_get_acceleration_errors(s->world, c, errors),
                 errors);
    PUT_PATTERN(multipliers);
    CHECK_ANSWER("kept multipliers", spc_constraint_get_multipliers(s->world, c, multipliers),
                 multipliers);
    PUT_PATTERN(forces);
    CHECK_ANSWER("forces", spc_constraint_get_forces(s->world, c, &forces), forces);
    PUT_PATTERN(contact);
    CHECK_ANSWER("get_contact", spc_rolling_disc_get_contact(s->world, c, &contact), contact);
    CHECK_STATUS(spc_constraint_get_info(s->world, c, &info), SPC_OK);
    CHECK(isfinite((double)info.contradiction));
    used = (size_t)(spc_world_column_count(s->world));
    PUT_PATTERN(G);
    PUT_PATTERN(gamma);
    PUT_PATTERN(e);
    PUT_PATTERN(v);
    status = spc_constraint_get_system(s->world, c, 0, SPC_MAX_ROWS, G, gamma, e, v);
    for (i = 0; i < SPC_MAX_ROWS && !status; i++) /* rows that it does not have are not written */
        if (!untouched(&gamma[i], sizeof *gamma))
            CHECK(all_finite(G + (size_t)i * used, used * sizeof *G) &&
                  all_finite(&gamma[i], sizeof *gamma) && all_finite(&e[i], sizeof *e) &&
                  all_finite(&v[i], sizeof *v));
    check_answer("system", status, G, sizeof G, NULL, 0);
    for (i = 0; i < SPC_MAX_ROWS; i++)
        e[i] = gamma[i] = number(1);
    status = spc_constraint_add_baumgarte(s->world, c, 0, SPC_MAX_ROWS, gamma);
    if (status)
        CHECK(memcmp(gamma, e, sizeof e) == 0);
    else
        CHECK(all_finite(gamma, sizeof gamma));
}

static void ask_world(const scene *s, const wildness *wild)
{
    const int rows = spc_world_row_count(s->world);
    const size_t bytes = (size_t)rows * sizeof(spc_real), square = (size_t)rows * bytes;
    const spc_real h = SPC_R(0.01) * positive(wild->time);
    spc_real v[ROWS], target[ROWS], W[ROWS * ROWS], *wanted = wild->force ? target : NULL;
    spc_energy_momentum energy;
    spc_world_report report;
    int i;
    for (i = 0; i < rows; i++)
        target[i] = number(wild->speed);
    PUT_PATTERN(energy);
    CHECK_ANSWER("energy", spc_world_get_energy_momentum(s->world, &energy), energy);
    PUT_PATTERN(v);
    check_answer("violation", spc_world_get_violation(s->world, h, NULL, v, rows), v, sizeof v, v,
                 bytes);
    PUT_PATTERN(v);
    check_answer("violation of a target", spc_world_get_violation(s->world, h, target, v, rows), v,
                 sizeof v, v, bytes);
    PUT_PATTERN(v);
    check_answer("position violation", spc_world_get_position_violation(s->world, wanted, v, rows),
                 v, sizeof v, v, bytes);
    PUT_PATTERN(W);
    check_answer("compliance", spc_world_get_compliance(s->world, h, NULL, 0, W, rows), W, sizeof W,
                 W, square);
    CHECK_STATUS(spc_world_get_report(s->world, &report), SPC_OK);
    CHECK(isfinite((double)report.contradiction));
}

static void ask_bodies(const scene *s)
{
    spc_state state;
    spc_spatial A;
    spc_mass mass;
    int i;
    for (i = 0; i < s->bodies; i++) {
        PUT_PATTERN(state);
        CHECK_ANSWER("kept state", spc_body_get_state(s->world, s->body[i], &state), state);
        PUT_PATTERN(A);
        CHECK_ANSWER("kept acceleration", spc_body_get_acceleration(s->world, s->body[i], &A), A);
        PUT_PATTERN(mass);
        CHECK_ANSWER("kept mass", spc_body_get_mass(s->world, s->body[i], &mass), mass);
    }
}

/* All queries; none of them changes what the next one sees. */
static void ask(const scene *s, const wildness *wild)
{
    const unsigned long long hash = spc_world_hash(s->world);
    int i;
    ask_bodies(s);
    for (i = 0; i < s->constraints; i++)
        ask_constraint(s, s->constraint[i]);
    ask_world(s, wild);
    CHECK(spc_world_hash(s->world) == hash);
}

/* Calls that move, and give vectors. A refused one leaves the state. */
static void move(const scene *s, const wildness *wild, int how)
{
    const unsigned long long hash = spc_world_hash(s->world);
    const int rows = spc_world_row_count(s->world);
    const size_t bytes = (size_t)rows * sizeof(spc_real);
    const spc_real h = SPC_R(0.01) * positive(wild->time);
    spc_real v[ROWS], p[ROWS];
    spc_status status;
    PUT_PATTERN(v);
    PUT_PATTERN(p);
    if (how == 0) {
        status = spc_world_forward_dynamics(s->world);
    } else if (how == 1) {
        status = spc_step(s->world, h);
    } else if (how == 2) {
        status = spc_step_rk4(s->world, h, SPC_DRIFT_STABILIZE);
    } else if (how == 3) {
        status = spc_world_free_motion(s->world, h, v, p, rows);
        check_answer("velocity targets", status, v, sizeof v, v, bytes);
        check_answer("position targets", status, p, sizeof p, p, bytes);
    } else {
        status = spc_world_apply_impulses(s->world, NULL, v, rows);
        check_answer("impulses", status, v, sizeof v, v, bytes);
    }
    if (status)
        CHECK(spc_world_hash(s->world) == hash);
}

static void whatever_is_asked_the_answer_is_finite_or_refused(void)
{
    int i, k, how;
    for (i = 0; i < WORLDS; i++) {
        const wildness wild = draw_wildness();
        scene s = make_scene(&wild);
        ask(&s, &wild);
        for (k = 0; k < 2; k++) {
            how = (int)test_random(0, 5);
            move(&s, &wild, how);
            ask(&s, &wild);
        }
        for (k = 0; k < 5; k++)
            ask_kernels(&wild);
        free(s.world);
    }
    for (i = 0; i < tally_count; i++) { /* each was seen to do both, as far as it may */
        const tally *t = &tallies[i];
        CHECK(t->answers > 0);
        CHECK((t->refusals > 0) == t->may_refuse);
        if ((t->refusals > 0) != t->may_refuse)
            printf("%s: %d answers, %d refusals\n", t->what, t->answers, t->refusals);
    }
}

static const test_entry tests[] = { TEST(whatever_is_asked_the_answer_is_finite_or_refused) };

TEST_MAIN
