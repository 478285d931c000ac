/* Stabilization, assembly and attachments against RBDL's numbers, tests/oracle/rbdl_*.txt. */
#include "dense.h"
#include "oracle.h"

/* --------------------------------------------------------------------------- oracle files ----- */

static spc_vec3 vec_at(const reader *r, int i)
{
    return vec(number(r, i), number(r, i + 1), number(r, i + 2));
}

static spc_transform transform_at(const reader *r, int i)
{
    const spc_vec3 v = vec_at(r, i + 1);
    return spc_transform_make(spc_quat_make(real(number(r, i)), v.x, v.y, v.z), vec_at(r, i + 4));
}

static spc_spatial spatial_at(const reader *r, int i)
{
    return spc_spatial_make(vec_at(r, i), vec_at(r, i + 3));
}

/* ----------------------------------------------------------- stabilization against RBDL ------- */

/* A line `gamma`: a constraint of n rows from `row` on in a system of m. */
typedef struct gamma_line {
    int n, m, row;
    double T, e[MOST], s[MOST], before[MOST], after[MOST];
} gamma_line;

/* Rows with these errors and nothing else. */
static spc_rows rows_with_errors(int count, const double *e, const double *s)
{
    spc_rows rows;
    memset(&rows, 0, sizeof rows);
    rows.count = count;
    rows.enforced = rows.holonomic = (1u << count) - 1;
    to_real(e, count, rows.position_errors);
    to_real(s, count, rows.velocity_errors);
    return rows;
}

/* 1 / T of either error alone: of s it is half the term of s = 1, and of e its square. */
static void check_parameters(const reader *r)
{
    const spc_stabilization stab = stabilization_of(number(r, 1));
    const double e[2] = { 1, 0 }, s[2] = { 0, 1 }, p[2] = { number(r, 2), number(r, 3) };
    const spc_rows rows = rows_with_errors(2, e, s);
    spc_real terms[2];
    CHECK(r->count == 4);
    spc_stabilization_terms(&stab, &rows, 0, terms);
    CHECK_NEAR(terms[0], -p[1] * p[1], 4 * TEST_EPSILON * p[1] * p[1]);
    CHECK_NEAR(terms[1], -2 * p[0], 4 * TEST_EPSILON * p[0]);
}

/* What the roundings of -2/T s - 1/T^2 e can come to. */
static double term_size(double T, double e, double s)
{
    return 2 / T * fabs(s) + fabs(e) / (T * T);
}

static void check_terms(const reader *r)
{
    const int n = whole(r, 1);
    const spc_stabilization stab = stabilization_of(number(r, 2));
    double e[MOST], s[MOST];
    spc_real terms[SPC_MAX_ROWS];
    spc_rows rows;
    int i;
    CHECK(r->count == 6 + 3 * n && n <= SPC_MAX_ROWS);
    numbers(r, 4, n, e);
    numbers(r, 5 + n, n, s);
    rows = rows_with_errors(n, e, s);
    spc_stabilization_terms(&stab, &rows, 0, terms);
    for (i = 0; i < n; i++)
        CHECK_NEAR(terms[i], number(r, 6 + 2 * n + i),
                   8 * TEST_EPSILON * term_size(number(r, 2), e[i], s[i]));
}

static void read_gamma(const reader *r, gamma_line *g)
{
    memset(g, 0, sizeof *g);
    g->n = whole(r, 1);
    g->m = whole(r, 2);
    g->row = whole(r, 3);
    g->T = number(r, 4);
    CHECK(r->count == 9 + 4 * g->m && g->row + g->n <= g->m && g->n <= SPC_MAX_ROWS);
    numbers(r, 6, g->m, g->e);
    numbers(r, 7 + g->m, g->m, g->s);
    numbers(r, 8 + 2 * g->m, g->m, g->before);
    numbers(r, 9 + 3 * g->m, g->m, g->after);
}

/* After: to rounding in the constraint's rows, bit for bit in all others. */
static void check_gamma(const gamma_line *g, const spc_real *gamma)
{
    int i;
    for (i = 0; i < g->m; i++) {
        const bool own = i >= g->row && i < g->row + g->n;
        const double size = fabs(g->before[i]) + term_size(g->T, g->e[i], g->s[i]);
        CHECK_NEAR(gamma[i], own ? g->after[i] : (double)real(g->after[i]),
                   own ? 16 * TEST_EPSILON * size : 0);
    }
}

static void check_gamma_by_hand(const reader *r)
{
    spc_real gamma[MOST], terms[SPC_MAX_ROWS];
    spc_stabilization stab;
    spc_rows rows;
    gamma_line g;
    int i;
    read_gamma(r, &g);
    stab = stabilization_of(g.T);
    rows = rows_with_errors(g.n, g.e + g.row, g.s + g.row);
    to_real(g.before, g.m, gamma);
    spc_stabilization_terms(&stab, &rows, 0, terms);
    for (i = 0; i < g.n; i++)
        gamma[g.row + i] += terms[i];
    check_gamma(&g, gamma);
}

/* A body on ground whose first n motions are locked, where these are the errors: a rotation error e
   is 2 sin(angle / 2) along the axis, which makes the quaternion (c, v) = (sqrt(1 - e.e/4), e/2).
   Its derivative is s = c w + w x v of three locked; by w = c s + v x s + v (v . s) / c there is no
   twist about an axis that is free, so that this is the derivative of fewer, too. */
static spc_world *world_with_errors(int n, const double *e, const double *s, double T,
                                    spc_constraint *c)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_body_desc body = spc_body_desc_default();
    spc_attachment_desc d = spc_attachment_desc_default();
    double at[6], v[6];
    spc_vec3 half, rate;
    spc_real c_half;
    spc_world *w;
    int i;
    desc.rows = 6;
    desc.stabilization = stabilization_of(T);
    w = test_world(&desc);
    for (i = 0; i < 6; i++) {
        at[i] = i < n ? e[i] : 0;
        v[i] = i < n ? s[i] : 0;
    }
    body.mass = spc_mass_solid_sphere(1, 1);
    body.state.X_GB.p = vec(at[0], at[1], at[2]);
    half = vec(at[3] / 2, at[4] / 2, at[5] / 2);
    rate = vec(v[3], v[4], v[5]);
    c_half = real(sqrt(1 - (at[3] * at[3] + at[4] * at[4] + at[5] * at[5]) / 4));
    body.state.X_GB.q = spc_quat_make(c_half, half.x, half.y, half.z);
    body.state.V_GB.angular =
        spc_add(spc_scale(c_half, rate),
                spc_add(spc_cross(half, rate), spc_scale(spc_dot(half, rate) / c_half, half)));
    if (n == 4) /* the rate of a twist alone */
        body.state.V_GB.angular = rate;
    body.state.V_GB.linear = vec(v[0], v[1], v[2]);
    CHECK_STATUS(spc_body_add(w, &body, &d.b), SPC_OK);
    d.shape.locked = (1u << n) - 1;
    CHECK_STATUS(spc_attachment_add(w, &d, c), SPC_OK);
    return w;
}

static void check_gamma_in_a_world(const reader *r)
{
    spc_real gamma[MOST];
    spc_constraint c;
    spc_world *w;
    gamma_line g;
    read_gamma(r, &g);
    w = world_with_errors(g.n, g.e + g.row, g.s + g.row, g.T, &c);
    to_real(g.before, g.m, gamma);
    CHECK_STATUS(spc_constraint_add_baumgarte(w, c, g.row, g.m, gamma), SPC_OK);
    check_gamma(&g, gamma);
    free(w);
}

/* Applies a check to all lines of a kind. */
static void each_baumgarte_line(const char *key, void (*check)(const reader *r), int lines)
{
    reader r = open_oracle("rbdl_baumgarte.txt");
    int found = 0, others = 0;
    while (next_line(&r)) {
        if (line_is(&r, key)) {
            check(&r);
            found++;
        } else
            others++;
    }
    CHECK(found == lines && found + others == 56);
    close_oracle(&r);
}

static void time_constants_are_those_of_rbdl(void)
{
    each_baumgarte_line("parameters", check_parameters, 16);
}

static void stabilization_terms_are_those_of_rbdl(void)
{
    each_baumgarte_line("forces", check_terms, 24);
}

static void stabilization_terms_change_their_own_rows(void)
{
    each_baumgarte_line("gamma", check_gamma_by_hand, 16);
}

static void a_world_adds_stabilization_where_it_is_told(void)
{
    each_baumgarte_line("gamma", check_gamma_in_a_world, 16);
}

/* ------------------------------------------------------------- attachments against RBDL ------- */

enum { OWN_POINTS, EXACT, CONVENTIONS };

typedef struct file_body {
    char name[16];
    spc_body_desc desc;
    spc_body handle;
    spc_spatial force;
    double w_rot, w_trans; /* weights of assembly */
    double step[6];        /* first step of assembly: about axes of the body, along those of G */
    bool has_step;
    spc_transform assembled;
    double assembled_V[6];
    double acceleration[CONVENTIONS][6];
} file_body;

typedef struct file_joint {
    char name[16];
    int a, b; /* bodies; -1 is ground */
    spc_attachment shape;
    spc_constraint handle;
    double T; /* 0: no stabilization */
    double e[CONVENTIONS][6], s[CONVENTIONS][6];
} file_joint;

typedef struct file_scene {
    char name[64];
    spc_vec3 gravity;
    int bodies, joints;
    file_body body[3];
    file_joint joint[3];
    double tolerance, initial_error;
    int answers; /* lines of results */
} file_scene;

static int find_body(const file_scene *f, const reader *r, int field)
{
    int i;
    for (i = 0; i < f->bodies && field < r->count; i++)
        if (!strcmp(f->body[i].name, r->field[field]))
            return i;
    CHECK(field < r->count && !strcmp(r->field[field], "ground"));
    return -1;
}

static file_body *body_of(file_scene *f, const reader *r, int field)
{
    const int i = find_body(f, r, field);
    CHECK(i >= 0);
    return f->body + (i >= 0 ? i : 0);
}

static void begin_body(file_scene *f, const reader *r)
{
    file_body *b = f->body + f->bodies++;
    CHECK(f->bodies <= 3 && r->count == 3 && !strcmp(r->field[2], "dynamic"));
    keep_name(r, 1, b->name, sizeof b->name);
    b->desc = spc_body_desc_default();
}

static void begin_joint(file_scene *f, const reader *r)
{
    file_joint *j = f->joint + f->joints++;
    CHECK(f->joints <= 3 && r->count == 5 && !strcmp(r->field[2], "attachment"));
    keep_name(r, 1, j->name, sizeof j->name);
    j->a = find_body(f, r, 3);
    j->b = find_body(f, r, 4);
    j->shape = spc_attachment_default();
}

/* A line of a body's description; false if it is something else. */
static bool read_body_line(file_body *b, const reader *r)
{
    if (line_is(r, "mass"))
        b->desc.mass.mass = real(number(r, 1));
    else if (line_is(r, "com"))
        b->desc.mass.p_BBc = vec_at(r, 1);
    else if (line_is(r, "pose"))
        b->desc.state.X_GB = transform_at(r, 1);
    else if (line_is(r, "velocity"))
        b->desc.state.V_GB = spatial_at(r, 1);
    else if (line_is(r, "force"))
        b->force = spatial_at(r, 1);
    else if (line_is(r, "inertia")) {
        const spc_vec3 diagonal = vec_at(r, 1), rest = vec_at(r, 4); /* xy xz yz */
        spc_inertia *I = &b->desc.mass.inertia;
        I->xx = diagonal.x;
        I->yy = diagonal.y;
        I->zz = diagonal.z;
        I->xy = rest.x;
        I->xz = rest.y;
        I->yz = rest.z;
    } else
        return false;
    return true;
}

static bool read_joint_line(file_joint *j, const reader *r)
{
    int i;
    if (line_is(r, "frame_a"))
        j->shape.X_AF = transform_at(r, 1);
    else if (line_is(r, "frame_b"))
        j->shape.X_BM = transform_at(r, 1);
    else if (line_is(r, "baumgarte"))
        j->T = number(r, 1);
    else if (line_is(r, "locked"))
        for (j->shape.locked = 0, i = 0; i < 6; i++)
            j->shape.locked |= whole(r, 1 + i) ? 1u << i : 0u;
    else
        return false;
    return true;
}

/* Results of assembly. */
static bool read_assembly_line(file_scene *f, const reader *r)
{
    if (line_is(r, "tolerance"))
        f->tolerance = number(r, 1);
    else if (line_is(r, "initial_error"))
        f->initial_error = number(r, 1);
    else if (line_is(r, "weights")) {
        body_of(f, r, 1)->w_rot = number(r, 2);
        body_of(f, r, 1)->w_trans = number(r, 3);
    } else if (line_is(r, "step")) {
        body_of(f, r, 1)->has_step = true;
        numbers(r, 2, 6, body_of(f, r, 1)->step);
    } else if (line_is(r, "rbdl_pose"))
        body_of(f, r, 1)->assembled = transform_at(r, 2);
    else if (line_is(r, "assembled_velocity"))
        numbers(r, 2, 6, body_of(f, r, 1)->assembled_V);
    else if (!line_is(r, "assembled_error"))
        return false;
    f->answers++;
    return true;
}

/* Results in one of two conventions. */
static bool read_convention_line(file_scene *f, const reader *r)
{
    const int k = line_is(r, "exact") ? EXACT : OWN_POINTS;
    file_joint *j = f->joint;
    if ((k == OWN_POINTS && !line_is(r, "own_points")) || r->count != 9)
        return false;
    f->answers++;
    if (!strcmp(r->field[1], "acceleration"))
        numbers(r, 3, 6, body_of(f, r, 2)->acceleration[k]);
    else if (!strcmp(r->field[1], "position_error") && !strcmp(r->field[2], j->name))
        numbers(r, 3, 6, j->e[k]);
    else if (!strcmp(r->field[1], "velocity_errors") && !strcmp(r->field[2], j->name))
        numbers(r, 3, 6, j->s[k]);
    else
        return false;
    return true;
}

/* The next case; false if there is none. */
static bool read_scene(reader *r, file_scene *f)
{
    memset(f, 0, sizeof *f);
    while (next_line(r)) {
        if (line_is(r, "end"))
            return true;
        if (line_is(r, "case"))
            keep_name(r, 1, f->name, sizeof f->name);
        else if (line_is(r, "gravity"))
            f->gravity = vec_at(r, 1);
        else if (line_is(r, "body"))
            begin_body(f, r);
        else if (line_is(r, "constraint"))
            begin_joint(f, r);
        else
            CHECK((f->joints == 0 && f->bodies > 0 && read_body_line(&f->body[f->bodies - 1], r)) ||
                  (f->joints > 0 && read_joint_line(&f->joint[f->joints - 1], r)) ||
                  read_assembly_line(f, r) || read_convention_line(f, r));
    }
    return false;
}

static spc_body handle_of(const file_scene *f, int body)
{
    return body < 0 ? ground : f->body[body].handle;
}

/* Mass properties for which the mass-weighted norm is that of the weights. */
static spc_mass mass_of_weights(const file_body *b)
{
    spc_mass m = spc_mass_solid_sphere(real(b->w_trans), 1);
    m.inertia.xx = m.inertia.yy = m.inertia.zz = real(b->w_rot);
    return m;
}

static void add_joint(spc_world *w, const file_scene *f, file_joint *j)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_stabilization stab = spc_stabilization_default();
    d.a = handle_of(f, j->a);
    d.b = handle_of(f, j->b);
    d.shape = j->shape;
    CHECK_STATUS(spc_attachment_add(w, &d, &j->handle), SPC_OK);
    stab.enabled = j->T > 0;
    stab.time_constant = real(j->T);
    CHECK_STATUS(spc_constraint_set_stabilization(w, j->handle, &stab), SPC_OK);
}

static spc_world *make_scene(file_scene *f, bool weighted)
{
    spc_world_desc desc = spc_world_desc_default(f->bodies, f->joints);
    spc_world *w;
    int i;
    desc.rows = 6 * f->joints;
    desc.solver_bytes = 10000;
    desc.gravity = f->gravity;
    w = test_world(&desc);
    for (i = 0; i < f->bodies; i++) {
        file_body *b = f->body + i;
        spc_body_desc body = b->desc;
        if (weighted)
            body.mass = mass_of_weights(b);
        CHECK_STATUS(spc_body_add(w, &body, &b->handle), SPC_OK);
        CHECK(!spc_body_add_force(w, b->handle, b->force.linear, zero, SPC_LASTING));
        CHECK(!spc_body_add_torque(w, b->handle, b->force.angular, SPC_LASTING));
    }
    for (i = 0; i < f->joints; i++)
        add_joint(w, f, f->joint + i);
    return w;
}

/* Applies a check to all cases of a file. */
static void each_scene(const char *file, void (*check)(file_scene *f), int cases, int answers)
{
    reader r = open_oracle(file);
    file_scene *f = (file_scene *)malloc(sizeof *f);
    while (read_scene(&r, f)) {
        const int before = test_failures;
        check(f);
        name_failures(f->name, before);
        answers -= f->answers;
        cases--;
    }
    CHECK(cases == 0 && answers == 0);
    close_oracle(&r);
    free(f);
}

/* ------------------------------------------------------------------------------ assembly ------ */

/* Frames F and M of a joint in G. */
static void joint_frames(const spc_world *w, const file_scene *f, const file_joint *j,
                         spc_transform *X_GF, spc_transform *X_GM)
{
    *X_GF = spc_transform_mul(state_of(w, handle_of(f, j->a)).X_GB, j->shape.X_AF);
    *X_GM = spc_transform_mul(state_of(w, handle_of(f, j->b)).X_GB, j->shape.X_BM);
}

/* RBDL's position errors: F^T (p_M - p_F), and u sin(angle) of R_FM, which is half its skew part.
   Those that are not locked are 0. */
static void rbdl_errors(const spc_world *w, const file_scene *f, const file_joint *j, double *e)
{
    spc_transform X_GF, X_GM, X_FM;
    spc_mat3 R;
    int i;
    joint_frames(w, f, j, &X_GF, &X_GM);
    X_FM = spc_transform_mul(spc_transform_inverse(X_GF), X_GM);
    R = spc_mat3_from_quat(X_FM.q);
    put_vec3(X_FM.p, e);
    e[3] = (double)(R.y.z - R.z.y) / 2;
    e[4] = (double)(R.z.x - R.x.z) / 2;
    e[5] = (double)(R.x.y - R.y.x) / 2;
    for (i = 0; i < 6; i++)
        if (!(j->shape.locked >> i & 1u))
            e[i] = 0;
}

/* Their norm over all joints. */
static double rbdl_error(const spc_world *w, const file_scene *f)
{
    double sum = 0, e[6];
    int i, k;
    for (i = 0; i < f->joints; i++) {
        rbdl_errors(w, f, f->joint + i, e);
        for (k = 0; k < 6; k++)
            sum += e[k] * e[k];
    }
    return sqrt(sum);
}

/* The file's 1e-10 [m]; in single precision what the rounding of coordinates up to 3 leaves. */
static spc_real assembly_tolerance(const file_scene *f)
{
    return real(fmax(f->tolerance, 32 * TEST_EPSILON));
}

/* RBDL starts from the same errors. The largest of ours, which is within the tolerance, bounds the
   norm of up to 11 of RBDL's, which are not larger: sin(angle) < 2 sin(angle / 2). */
static void check_assembly(file_scene *f)
{
    spc_world *w = make_scene(f, true);
    spc_real residual = -1;
    const spc_real tolerance = assembly_tolerance(f);
    CHECK_NEAR(rbdl_error(w, f), f->initial_error, 16 * TEST_EPSILON);
    CHECK_STATUS(spc_world_assemble(w, tolerance, &residual), SPC_OK);
    CHECK(residual >= 0 && residual <= tolerance);
    CHECK_NEAR(rbdl_error(w, f), 0, sqrt(11.0) * (double)tolerance + 16 * TEST_EPSILON);
    free(w);
}

static void what_rbdl_assembles_is_assembled(void)
{
    each_scene("rbdl_assembly.txt", check_assembly, 5, 54);
}

/* Where RBDL ended, with its initial velocities: angular ones that the bodies took along. */
static void put_where_rbdl_ended(spc_world *w, const file_scene *f)
{
    int i;
    for (i = 0; i < f->bodies; i++) {
        const file_body *b = f->body + i;
        const spc_state *start = &b->desc.state;
        const spc_vec3 w_B = spc_unrotate(start->X_GB.q, start->V_GB.angular);
        const spc_vec3 turned = spc_rotate(b->assembled.q, w_B);
        CHECK_STATUS(spc_body_set_pose(w, b->handle, b->assembled), SPC_OK);
        CHECK_STATUS(
            spc_body_set_velocity(w, b->handle, spc_spatial_make(turned, start->V_GB.linear)),
            SPC_OK);
    }
}

/* RBDL's poses have errors of 1e-10 times the condition of its Newton steps, which the velocities
   feel; in single precision, those of rounding. */
static void check_assembled_velocities(file_scene *f)
{
    spc_world *w = make_scene(f, true);
    int i;
    put_where_rbdl_ended(w, f);
    CHECK_STATUS(spc_world_project_velocities(w), SPC_OK);
    for (i = 0; i < f->bodies; i++) {
        double V[6];
        put_spatial(state_of(w, f->body[i].handle).V_GB, V);
        CHECK_NEAR(off(V, f->body[i].assembled_V, 6, 1), 0, IN_DOUBLE_OR_FLOAT(1e-9, 1e-5));
    }
    free(w);
}

static void assembled_velocities_are_those_of_rbdl(void)
{
    each_scene("rbdl_assembly.txt", check_assembled_velocities, 5, 54);
}

/* Puts the columns of a body's row into a system of all bodies' velocities. */
static void put_columns(const spc_world *w, const file_scene *f, int body, spc_vec3 e, spc_vec3 p_G,
                        double sign, double *row)
{
    spc_spatial J;
    if (body < 0)
        return;
    J.linear = spc_scale(real(sign), e);
    J.angular = spc_cross(spc_sub(p_G, state_of(w, f->body[body].handle).X_GB.p), J.linear);
    put_spatial(J, row + 6 * body);
}

/* RBDL's linearized translations of ball joints: e_i . (v_M - v_F), each at its own point, and what
   they ask for, -e; with the weights for masses. */
static void system_of_step(const spc_world *w, const file_scene *f, dense *d)
{
    int k, i;
    memset(d, 0, sizeof *d);
    d->n = 6 * f->bodies;
    for (i = 0; i < d->n; i++)
        d->H[i * d->n + i] = i % 6 < 3 ? f->body[i / 6].w_rot : f->body[i / 6].w_trans;
    for (k = 0; k < f->joints; k++) {
        const file_joint *j = f->joint + k;
        spc_transform X_GF, X_GM;
        double e[6];
        CHECK(j->shape.locked == SPC_BALL_JOINT);
        joint_frames(w, f, j, &X_GF, &X_GM);
        rbdl_errors(w, f, j, e);
        for (i = 0; i < 3; i++, d->m++) {
            const spc_vec3 axis = spc_rotate(X_GF.q, vec(i == 0, i == 1, i == 2));
            put_columns(w, f, j->a, axis, X_GF.p, -1, d->G + d->m * d->n);
            put_columns(w, f, j->b, axis, X_GM.p, 1, d->G + d->m * d->n);
            d->v_plus[d->m] = -e[i];
        }
    }
}

/* A step in RBDL's coordinates: rotations about the axes of the bodies. */
static void check_step(const spc_world *w, const file_scene *f, const double *V)
{
    int i;
    for (i = 0; i < f->bodies; i++) {
        const file_body *b = f->body + i;
        const spc_vec3 turn = vec(V[6 * i], V[6 * i + 1], V[6 * i + 2]);
        double step[6];
        memcpy(step, V + 6 * i, sizeof step);
        put_vec3(spc_unrotate(state_of(w, b->handle).X_GB.q, turn), step);
        CHECK_NEAR(off(step, b->step, 6, 1), 0, IN_DOUBLE_OR_FLOAT(1e-12, 3e-6));
    }
}

/* On ground RBDL's rows are ours: impulses from rest that ask for -e are our first Newton step, and
   they are those of the dense solver, sign included. */
static void check_step_of_world(spc_world *w, const file_scene *f, const double *dense_impulses)
{
    const spc_rows rows = rows_of(w, f->joint[0].handle);
    spc_real wanted[3], impulses[3];
    double V[6], got[3];
    int i;
    for (i = 0; i < 3; i++)
        wanted[i] = -rows.position_errors[i];
    CHECK_STATUS(spc_body_set_velocity(w, f->body[0].handle, spc_spatial_make(zero, zero)), SPC_OK);
    CHECK_STATUS(spc_world_apply_impulses(w, wanted, impulses, 3), SPC_OK);
    to_double(impulses, 3, got);
    CHECK_NEAR(relative(got, dense_impulses, 3), 0, IN_DOUBLE_OR_FLOAT(1e-12, 3e-6)); /* as steps */
    put_spatial(state_of(w, f->body[0].handle).V_GB, V);
    check_step(w, f, V);
}

static int scenes_with_steps;

/* Between two bodies RBDL's rows are not ours, but the dense solver takes any rows. */
static void check_first_step(file_scene *f)
{
    spc_world *w = make_scene(f, true);
    dense *d = (dense *)malloc(sizeof *d);
    if (f->body[0].has_step) {
        answer a;
        system_of_step(w, f, d);
        a = ask(d);
        CHECK_STATUS(a.impact, SPC_OK);
        check_step(w, f, a.qdot_plus);
        if (f->joints == 1 && f->joint[0].a < 0)
            check_step_of_world(w, f, a.impulse);
        scenes_with_steps++;
    }
    free(d);
    free(w);
}

static void the_first_step_of_assembly_is_that_of_rbdl(void)
{
    scenes_with_steps = 0;
    each_scene("rbdl_assembly.txt", check_first_step, 5, 54);
    CHECK(scenes_with_steps == 3);
}

/* --------------------------------------------------------------- conventions of RBDL ---------- */

static bool has_rotations(const file_joint *j)
{
    return (j->shape.locked & 56u) != 0;
}

/* Ours of rotations from RBDL's, which are w along the axes of F: all locked, c w + w x v with the
   quaternion (c, v) of R_FM; z free, the derivative of g k x m with k = z, M's z axis m, and g =
   sqrt(2 / (1 + k . m)), by m' = w x m. The third of w is not among RBDL's numbers then. */
static void turn_rates(const file_joint *j, spc_quat q_FM, spc_vec3 w, double *s)
{
    const spc_real sign = real(q_FM.w < 0 ? -1 : 1);
    const spc_vec3 v = vec((double)q_FM.x, (double)q_FM.y, (double)q_FM.z), k = vec(0, 0, 1);
    const spc_vec3 m = spc_rotate(q_FM, k), rate = spc_cross(w, m);
    const double d = 1 + (double)m.z, g = sqrt(2 / d);
    spc_vec3 ours = spc_scale(sign, spc_add(spc_scale(q_FM.w, w), spc_cross(w, v)));
    if (!(j->shape.locked & SPC_LOCK_RZ))
        ours = spc_add(spc_scale(real(g), spc_cross(k, rate)),
                       spc_scale(real(-g / (2 * d) * (double)rate.z), spc_cross(k, m)));
    put_vec3(ours, s);
}

/* Errors of translations, and velocity errors of all rows, to rounding. Where a body turns, RBDL's
   own points differ by w_A x (p_M - p_F), along the axes of F. Where locked rotations are off, its
   rates of turning are not derivatives of errors; ours come of them. */
static void check_errors(file_scene *f)
{
    spc_world *w = make_scene(f, false);
    const file_joint *j = f->joint;
    const spc_rows rows = rows_of(w, j->handle);
    spc_transform X_GF, X_GM;
    spc_vec3 arm, turn;
    double s[6], e[3], turned[3], wanted[6];
    int i;
    joint_frames(w, f, j, &X_GF, &X_GM);
    turn = spc_unrotate(X_GF.q, spc_sub(state_of(w, handle_of(f, j->b)).V_GB.angular,
                                        state_of(w, handle_of(f, j->a)).V_GB.angular));
    CHECK(rows.enforced == j->shape.locked && rows.holonomic == j->shape.locked);
    to_double(rows.position_errors, 3, e);
    CHECK_NEAR(off(e, j->e[EXACT], 3, 1), 0, 16 * TEST_EPSILON);
    CHECK_NEAR(off(e, j->e[OWN_POINTS], 3, 1), 0, 16 * TEST_EPSILON);
    to_double(rows.velocity_errors, 6, s);
    for (i = 0; i < 6; i++)
        wanted[i] = j->s[EXACT][i];
    if (has_rotations(j)) {
        put_vec3(turn, turned);
        for (i = 0; i < 3 && j->shape.locked >> (3 + i) & 1u; i++)
            CHECK_NEAR(turned[i], wanted[3 + i], 64 * TEST_EPSILON);
        turn_rates(j, spc_quat_mul(spc_quat_conjugate(X_GF.q), X_GM.q), turn, wanted + 3);
    }
    CHECK_NEAR(off(s, wanted, 6, 1), 0, 64 * TEST_EPSILON); /* of velocities up to 8 */
    arm = spc_sub(X_GM.p, X_GF.p);
    put_vec3(spc_unrotate(X_GF.q, spc_cross(state_of(w, handle_of(f, j->a)).V_GB.angular, arm)),
             turned);
    for (i = 0; i < 3; i++)
        s[i] += turned[i];
    CHECK_NEAR(off(s, j->s[OWN_POINTS], has_rotations(j) ? 3 : 6, 1), 0, 64 * TEST_EPSILON);
    free(w);
}

static void attachment_errors_are_the_exact_ones_of_rbdl(void)
{
    each_scene("rbdl_attachment_conventions.txt", check_errors, 10, 80);
}

/* Our rotation error from the rotation matrix R_FM: three locked, 2 sin of half its angle along its
   axis u, which is along the skew part u sin(angle) and has the trace 1 + 2 cos(angle); z free, 2
   sin of half the angle between both z axes along z_F x z_M. */
static spc_vec3 rotation_error(spc_mat3 R, unsigned locked)
{
    const bool all = (locked & 56u) == 56u;
    const spc_vec3 skew =
        vec((double)(R.y.z - R.z.y) / 2, (double)(R.z.x - R.x.z) / 2, (double)(R.x.y - R.y.x) / 2);
    const spc_vec3 along = all ? skew : vec(-(double)R.z.y, (double)R.z.x, 0);
    const double cosine = all ? ((double)(R.x.x + R.y.y + R.z.z) - 1) / 2 : (double)R.z.z;
    const double sine = sqrt((double)spc_dot(along, along));
    return spc_scale(real(2 * sin(atan2(sine, cosine) / 2) / sine), along);
}

/* It is not RBDL's, but at alignment and along the same axis for three locked. */
static void check_rotation_error(file_scene *f)
{
    spc_world *w = make_scene(f, false);
    const file_joint *j = f->joint;
    const spc_rows rows = rows_of(w, j->handle);
    double got[3], want[3], of_rbdl[6], size;
    spc_transform X_GF, X_GM;
    spc_quat q;
    int i;
    joint_frames(w, f, j, &X_GF, &X_GM);
    q = spc_quat_mul(spc_quat_conjugate(X_GF.q), X_GM.q);
    if (j->shape.locked & 56u) {
        rbdl_errors(w, f, j, of_rbdl);
        CHECK_NEAR(off(of_rbdl, j->e[EXACT], 6, 1), 0, 16 * TEST_EPSILON);
        put_vec3(rotation_error(spc_mat3_from_quat(q), j->shape.locked), want);
        to_double(rows.position_errors + 3, 3, got);
        CHECK_NEAR(off(got, want, 3, 1), 0, 16 * TEST_EPSILON);
    }
    if (j->shape.locked == SPC_WELD) { /* from RBDL's number: 2 sin(asin(size) / 2) */
        size = sqrt(j->e[EXACT][3] * j->e[EXACT][3] + j->e[EXACT][4] * j->e[EXACT][4] +
                    j->e[EXACT][5] * j->e[EXACT][5]);
        for (i = 0; i < 3; i++)
            want[i] = 2 * sin(asin(size) / 2) / size * j->e[EXACT][3 + i];
        CHECK_NEAR(off(got, want, 3, 1), 0, 16 * TEST_EPSILON);
    }
    free(w);
}

static void rotation_errors_are_those_of_the_documentation(void)
{
    each_scene("rbdl_attachment_conventions.txt", check_rotation_error, 10, 80);
}

/* Against the largest acceleration, about 50; the condition of the equations is some 100. */
static double acceleration_tolerance(void)
{
    return IN_DOUBLE_OR_FLOAT(1e-11, 1e-4);
}

/* Accelerations where the position errors are RBDL's: translations. */
static void check_accelerations(file_scene *f)
{
    spc_world *w = make_scene(f, false);
    int i;
    CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
    for (i = 0; i < f->bodies && !(f->joint[0].shape.locked & 56u); i++) {
        spc_spatial A;
        double got[6];
        CHECK_STATUS(spc_body_get_acceleration(w, f->body[i].handle, &A), SPC_OK);
        put_spatial(A, got);
        CHECK_NEAR(relative(got, f->body[i].acceleration[EXACT], 6), 0, acceleration_tolerance());
    }
    free(w);
}

static void accelerations_under_attachments_are_those_of_rbdl(void)
{
    each_scene("rbdl_attachment_conventions.txt", check_accelerations, 10, 80);
}

/* The joint's rows as rows of a system, with RBDL's position errors in the terms. */
static void put_joint(const spc_world *w, const file_joint *j, dense *d)
{
    const double rate = j->T > 0 ? 1 / j->T : 0;
    spc_real G[6 * MOST], gamma[6], s[6];
    int i;
    d->m = 0;
    while (j->shape.locked >> d->m & 1u)
        d->m++;
    CHECK(j->shape.locked >> d->m == 0); /* what is locked comes first */
    CHECK_STATUS(spc_constraint_get_system(w, j->handle, 0, d->m, G, gamma, NULL, s), SPC_OK);
    to_double(G, d->m * d->n, d->G);
    to_double(gamma, d->m, d->gamma);
    for (i = 0; i < d->m; i++)
        d->gamma[i] -= 2 * rate * (double)s[i] + rate * rate * j->e[EXACT][i];
}

/* Where locked rotations are off, RBDL's rows take the place of ours: along the axes of F, with
   their bias f . (w x w_A) and the same terms. */
static void put_turns_of_rbdl(const spc_world *w, const file_scene *f, dense *d)
{
    const file_joint *j = f->joint;
    const double rate = j->T > 0 ? 1 / j->T : 0;
    const spc_vec3 w_A = state_of(w, handle_of(f, j->a)).V_GB.angular;
    const spc_vec3 turn = spc_sub(state_of(w, handle_of(f, j->b)).V_GB.angular, w_A);
    spc_transform X_GF, X_GM;
    int i, k, end;
    joint_frames(w, f, j, &X_GF, &X_GM);
    for (i = 3; i < d->m; i++) {
        const spc_vec3 axis = spc_rotate(X_GF.q, vec(i == 3, i == 4, i == 5));
        double *row = d->G + i * d->n, a[3];
        put_vec3(axis, a);
        for (k = 0; k < d->n; k++)
            row[k] = 0;
        for (end = 0; end < 2; end++) {
            const int body = end ? j->b : j->a;
            for (k = 0; k < 3 && body >= 0; k++)
                row[6 * body + k] = end ? a[k] : -a[k];
        }
        d->gamma[i] = -(double)spc_dot(axis, spc_cross(turn, w_A)) -
                      2 * rate * (double)spc_dot(axis, turn) - rate * rate * j->e[EXACT][i];
    }
}

/* All accelerations, by a caller's own equations. */
static void check_accelerations_by_hand(file_scene *f)
{
    spc_world *w = make_scene(f, false);
    dense *d = (dense *)malloc(sizeof *d);
    answer a;
    int i;
    memset(d, 0, sizeof *d);
    d->n = spc_world_column_count(w);
    CHECK(d->n == 6 * f->bodies);
    for (i = 0; i < f->bodies; i++) {
        const spc_state s = state_of(w, f->body[i].handle);
        put_body(d, 6 * i, &f->body[i].desc.mass, &s, f->gravity, f->body[i].force);
    }
    put_joint(w, f->joint, d);
    if (has_rotations(f->joint))
        put_turns_of_rbdl(w, f, d);
    a = ask(d);
    CHECK_STATUS(a.forces, SPC_OK);
    for (i = 0; i < f->bodies; i++)
        CHECK_NEAR(relative(a.qddot + 6 * i, f->body[i].acceleration[EXACT], 6), 0,
                   acceleration_tolerance());
    free(d);
    free(w);
}

static void rows_of_a_system_give_the_accelerations_of_rbdl(void)
{
    each_scene("rbdl_attachment_conventions.txt", check_accelerations_by_hand, 10, 80);
}

static const test_entry tests[] = {
    TEST(time_constants_are_those_of_rbdl),
    TEST(stabilization_terms_are_those_of_rbdl),
    TEST(stabilization_terms_change_their_own_rows),
    TEST(a_world_adds_stabilization_where_it_is_told),
    TEST(what_rbdl_assembles_is_assembled),
    TEST(assembled_velocities_are_those_of_rbdl),
    TEST(the_first_step_of_assembly_is_that_of_rbdl),
    TEST(attachment_errors_are_the_exact_ones_of_rbdl),
    TEST(rotation_errors_are_those_of_the_documentation),
    TEST(accelerations_under_attachments_are_those_of_rbdl),
    TEST(rows_of_a_system_give_the_accelerations_of_rbdl),
};

TEST_MAIN
