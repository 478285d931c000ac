/* [7.3] What the parts of a step give and take: targets, violations, compliance, corrections and
   displacements; and what they refuse. */
#include "random_worlds.h"

/* -------------------------------------------------------------------------- step by hand ------ */

/* Rows of a constraint before a step and in its middle, before forces act; its stabilization. */
typedef struct passage {
    spc_rows before, middle;
    spc_stabilization stab;
    double reach;
    spc_vec3 w_AB; /* angular velocity of B relative to A */
    spc_constraint_kind kind;
    spc_vec3 uneven[2]; /* by what the second half of prescribed motion changes B's velocity in A
                           more than the first: of the rows' point; angular */
} passage;

/* What a vector of one constraint should be. */
typedef double (*row_of)(const passage *p, int i);

/* h / T with T at least 2 h; 0 while off. */
static double step_ratio(const spc_stabilization *stab)
{
    const double h = (double)STEP;
    return stab->enabled ? h / fmax((double)stab->time_constant, 2 * h) : 0;
}

static bool ignores_velocity(const passage *p, int i)
{
    return (p->stab.ignore_velocity >> i & 1u) != 0;
}

static bool has_position(const passage *p, int i)
{
    return (p->before.holonomic >> i & 1u) && !(p->stab.ignore_position >> i & 1u) &&
           !ignores_velocity(p, i);
}

/* A velocity error before the step; the slip of two spheres along the axes of the middle. */
static double error_before(const passage *p, int i)
{
    const spc_real *s0 = p->before.velocity_errors;
    const spc_mat3 *R = &p->before.R_GP;
    const spc_vec3 slip = spc_add(spc_scale(s0[0], R->x), spc_scale(s0[1], R->y));
    if (p->kind != SPC_SPHERE_ON_SPHERE || i > 1)
        return (double)s0[i];
    return (double)spc_dot(slip, i == 0 ? p->middle.R_GP.x : p->middle.R_GP.y);
}

/* A row's share of what is uneven. */
static double uneven_row(const passage *p, int i)
{
    const spc_mat3 *R = &p->middle.R_GP;
    if (i > 2)
        return (double)spc_dot(p->middle.jacobian_b[i].angular, p->uneven[1]);
    return (double)spc_dot(i == 0 ? R->x : i == 1 ? R->y : R->z, p->uneven[0]);
}

/* What free motion changes a velocity error by in the second half of a step: as in the first, but
   for what is driven. */
static double curve(const passage *p, int i)
{
    return (double)p->middle.velocity_errors[i] - error_before(p, i) + uneven_row(p, i);
}

/* Adds what a driven body does, with its states before the step, in its middle, and at its end. The
   point is at an arm from it in the middle, and goes this way in half a step. */
static void add_uneven(passage *p, const spc_state x[3], spc_vec3 arm, spc_vec3 way, spc_real sign)
{
    static const int weight[3] = { 1, -2, 1 };
    int i;
    for (i = 0; i < 3; i++) {
        const spc_vec3 at = spc_add(spc_add(x[1].X_GB.p, arm), spc_scale((spc_real)(i - 1), way));
        const spc_vec3 r = spc_sub(at, x[i].X_GB.p), w = x[i].V_GB.angular;
        const spc_vec3 v = spc_add(x[i].V_GB.linear, spc_cross(w, r));
        p->uneven[0] = spc_add(p->uneven[0], spc_scale(sign * (spc_real)weight[i], v));
        p->uneven[1] = spc_add(p->uneven[1], spc_scale(sign * (spc_real)weight[i], w));
    }
}

/* The way of the centre of mass of a body that moves freely in half a step. */
static spc_vec3 way_of(const scene *s, spc_body body)
{
    const int i = place_of(s, body);
    const spc_state x = state_of(s->world, body);
    const spc_vec3 arm = i ? spc_rotate(x.X_GB.q, s->mass[i].p_BBc) : zero;
    return spc_scale(STEP / 2, spc_add(x.V_GB.linear, spc_cross(x.V_GB.angular, arm)));
}

static void find_uneven(passage *p, const scene *const s[3], int k)
{
    const spc_constraint_info info = info_of(s[0], k);
    spc_state x[3];
    int end, i;
    p->uneven[0] = p->uneven[1] = zero;
    for (end = 0; end < 2; end++) {
        const spc_body body = end ? info.b : info.a, other = end ? info.a : info.b;
        bool driven = false;
        for (i = 1; i < s[0]->bodies; i++)
            driven = driven || (s[0]->body[i].index == body.index && !s[0]->dynamic[i]);
        for (i = 0; i < 3; i++)
            x[i] = state_of(s[i]->world, body);
        if (driven)
            add_uneven(p, x, end ? p->middle.arm_b : p->middle.arm_a, way_of(s[1], other),
                       end ? 1 : -1);
    }
}

/* (7.8) for a row of a joint that may turn about one axis, k of its frame. */
static double spin_row(const passage *p, int i)
{
    const unsigned locked = p->middle.enforced >> 3;
    const int k = locked == 6u ? 0 : locked == 5u ? 1 : locked == 3u ? 2 : -1;
    const spc_mat3 *R = &p->middle.R_GP;
    double e[3];
    int j;
    if (k < 0 || i < 3)
        return 0;
    for (j = 0; j < 3; j++)
        e[j] = (double)p->middle.position_errors[3 + j] - (double)p->before.position_errors[3 + j];
    return 2 *
           (double)spc_dot(k == 0   ? R->x
                           : k == 1 ? R->y
                                    : R->z,
                           p->w_AB) *
           (i - 3 == (k + 1) % 3   ? -e[(k + 2) % 3]
            : i - 3 == (k + 2) % 3 ? e[(k + 1) % 3]
                                   : 0);
}

/* (7.3): minus the change, which the other half of the step takes off again; rows at acceleration
   level keep what they had. */
static double target_row(const passage *p, int i)
{
    return (ignores_velocity(p, i) ? error_before(p, i) : 0) - curve(p, i) + spin_row(p, i);
}

/* (7.4): h/T e and, as far as it is drift, the rest of e go; h/4 of the change by which a curve is
   off in its middle. */
static double place_row(const passage *p, int i)
{
    const double e0 = (double)p->before.position_errors[i], least = step_ratio(&p->stab);
    double shift = 0, far = 0, part;
    int k;
    if (!has_position(p, i) || !p->stab.enabled)
        return (double)p->middle.position_errors[i];
    for (k = 0; k < p->before.count; k++) {
        double *most = k < 3 ? &shift : &far;
        if (p->before.enforced >> k & 1u)
            *most = fmax(*most, fabs((double)p->before.position_errors[k]));
    }
    far = fmax(far, shift > 0 ? shift / p->reach : 0);
    part = least + (1 - least) / (1 + pow(far / 0.01, 4));
    return e0 - part * e0 + (double)STEP / 4 * (curve(p, i) + uneven_row(p, i) / 6);
}

static double velocity_row(const passage *p, int i)
{
    return (double)p->middle.velocity_errors[i];
}

static double position_row(const passage *p, int i)
{
    return has_position(p, i) ? (double)p->middle.position_errors[i] : 0;
}

static double counts_row(const passage *p, int i)
{
    return has_position(p, i) ? 1 : 0;
}

/* s + e/h; rows at acceleration level have no s. */
static double deadbeat_row(const passage *p, int i)
{
    return (ignores_velocity(p, i) ? 0 : velocity_row(p, i)) + position_row(p, i) / (double)STEP;
}

/* The rows in use of all enabled constraints as a constraint-space vector. */
static int put_vector(const scene *before, const scene *middle, row_of row, double *out)
{
    scene end = copy_of(middle);
    const scene *times[3];
    int k, i, count = 0;
    CHECK_STATUS(spc_world_end_motion(end.world, STEP), SPC_OK);
    times[0] = before;
    times[1] = middle;
    times[2] = &end;
    for (k = 0; k < before->constraints; k++) {
        passage p;
        p.before = rows_in_step(before, k);
        p.middle = rows_in_step(middle, k);
        p.stab = stab_of(before, k);
        p.kind = info_of(before, k).kind;
        p.reach = reach_of(middle, k);
        p.w_AB = spc_sub(state_of(middle->world, info_of(middle, k).b).V_GB.angular,
                         state_of(middle->world, info_of(middle, k).a).V_GB.angular);
        find_uneven(&p, times, k);
        for (i = 0; i < p.before.count && info_of(before, k).enabled; i++)
            if (p.before.enforced >> i & 1u)
                out[count++] = row(&p, i);
    }
    free(end.world);
    return count;
}

/* Some roundings of the largest numbers that a difference is taken of, times rates in (7.8). */
static void check_vector(const spc_real *got, const double *want, int n)
{
    double v[MOST];
    to_double(got, n, v);
    CHECK_NEAR(relative(v, want, n), 0, 64 * TEST_EPSILON);
}

/* The same scene in the middle of the step, before forces have acted: nothing pushes. */
static scene drifted(const scene *s)
{
    scene free_scene = copy_of(s);
    int i;
    CHECK_STATUS(spc_world_set_gravity(free_scene.world, zero), SPC_OK);
    for (i = 1; i < s->bodies; i++)
        if (s->dynamic[i])
            CHECK_STATUS(spc_body_clear_forces(free_scene.world, s->body[i]), SPC_OK);
    CHECK_STATUS(spc_world_free_motion(free_scene.world, STEP, NULL, NULL, 0), SPC_OK);
    return free_scene;
}

/* Targets come from before the step and from its middle; they are not there for constraints that
   act on nothing that can be moved. */
static void targets_are_those_of_the_derivation(void)
{
    int turn, i;
    for (turn = 0; turn < 20; turn++) {
        spc_real target[MOST], place[MOST];
        double want[MOST];
        scene s, before, middle;
        int n, idle;
        random_scene(&s, random_int(2, 8));
        n = spc_world_row_count(s.world);
        CHECK_STATUS(spc_world_free_motion(s.world, STEP, NULL, NULL, -n), SPC_OK);
        idle = count_bits(rows_of(s.world, s.constraint[0]).enforced);
        CHECK_STATUS(spc_world_free_motion(s.world, STEP, target, place, n), SPC_OK);
        for (i = 0; i < idle; i++)
            CHECK(is_bits(&target[i], &place[i], sizeof *place) && target[i] + place[i] <= 0);
        CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[0], false), SPC_OK);
        before = copy_of(&s);
        middle = drifted(&s);
        n -= idle;
        CHECK(n == put_vector(&before, &middle, target_row, want));
        CHECK_STATUS(spc_world_free_motion(s.world, STEP, target, place, n), SPC_OK);
        check_vector(target, want, n);
        put_vector(&before, &middle, place_row, want);
        check_vector(place, want, n);
        CHECK_STATUS(spc_world_free_motion(before.world, STEP, NULL, target, n), SPC_OK);
        CHECK(is_bits(place, target, (size_t)n * sizeof *place));
        CHECK_STATUS(spc_world_free_motion(middle.world, STEP, target, NULL, n), SPC_OK);
        free(s.world);
        free(before.world);
        free(middle.world);
    }
}

/* s - target, e - target, and without a target s + e/h and e: to a few roundings of the largest
   terms. */
static void violations_are_what_states_lack(void)
{
    int turn, i;
    for (turn = 0; turn < 20; turn++) {
        double want[MOST], counts[MOST];
        spc_real target[MOST], violation[MOST];
        scene s;
        int n;
        random_scene(&s, random_int(2, 8));
        n = put_vector(&s, &s, velocity_row, want);
        CHECK(n == spc_world_row_count(s.world));
        for (i = 0; i < n; i++) {
            target[i] = real(test_random(-2, 2));
            want[i] -= (double)target[i];
        }
        CHECK_STATUS(spc_world_get_violation(s.world, STEP, target, violation, n), SPC_OK);
        check_vector(violation, want, n);
        CHECK_STATUS(spc_world_get_violation(s.world, STEP, NULL, violation, n), SPC_OK);
        put_vector(&s, &s, deadbeat_row, want);
        check_vector(violation, want, n);
        CHECK_STATUS(spc_world_get_position_violation(s.world, NULL, violation, n), SPC_OK);
        put_vector(&s, &s, position_row, want);
        check_vector(violation, want, n);
        CHECK_STATUS(spc_world_get_position_violation(s.world, target, violation, n), SPC_OK);
        put_vector(&s, &s, counts_row, counts);
        for (i = 0; i < n; i++)
            want[i] -= counts[i] * (double)target[i];
        check_vector(violation, want, n);
        free(s.world);
    }
}

/* Without a target the step is deadbeat: rows that are enforced from the position on have v = -e/h
   in its middle, and e goes to 0 in the middle of the next step as far as it is linear. Here it is:
   a ball that falls through a level floor. */
static void a_step_without_a_target_is_deadbeat(void)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    const spc_spatial rest = spc_spatial_make(zero, zero);
    spc_real violation[3], W[9], lambda[3] = { 0, 0, 0 };
    spc_constraint c;
    scene s;
    int i;
    begin_scene(&s, 0);
    s.body[1] = ball_at(s.world, 1, 2, 3.25);
    CHECK_STATUS(spc_body_set_velocity(s.world, s.body[1], rest), SPC_OK);
    d.ball = s.body[1];
    d.shape.radius = 3;
    d.shape.rolling = false;
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &c), SPC_OK);
    for (i = 0; i < 3; i++) {
        CHECK_STATUS(spc_world_free_motion(s.world, STEP, NULL, NULL, 0), SPC_OK);
        CHECK_NEAR(rows_of(s.world, c).position_errors[2], i == 0 ? 0.25 : 0, 32 * TEST_EPSILON);
        CHECK_STATUS(spc_world_get_violation(s.world, STEP, NULL, violation, 1), SPC_OK);
        CHECK_STATUS(spc_world_get_compliance(s.world, STEP, &c, 1, W, 1), SPC_OK);
        CHECK_NEAR(W[0], STEP, 4 * TEST_EPSILON); /* the ball has 1 kg */
        lambda[0] = violation[0] / W[0];
        CHECK_STATUS(spc_world_correct(s.world, STEP, lambda, 1), SPC_OK);
        CHECK_STATUS(spc_world_end_motion(s.world, STEP), SPC_OK);
    }
    CHECK_NEAR(rows_of(s.world, c).position_errors[2], 0, 32 * TEST_EPSILON);
    CHECK_NEAR(rows_of(s.world, c).velocity_errors[2], 0, 32 * TEST_EPSILON / (double)STEP);
    free(s.world);
}

/* Rows of the system as a step has them. */
static void put_rows_in_step(const scene *s, int n, double *G)
{
    int k, i, j;
    for (k = 0; k < s->constraints; k++) {
        const spc_constraint_info info = info_of(s, k);
        const spc_rows rows = rows_in_step(s, k);
        double *row = G + info.row_index * n;
        for (i = 0; i < rows.count && info.row_index >= 0; i++) {
            if (!(rows.enforced >> i & 1u))
                continue;
            for (j = 0; j < 2; j++) {
                const int body = (int)(j ? info.b.index : info.a.index);
                if (body > 0)
                    put_spatial(j ? rows.jacobian_b[i] : rows.jacobian_a[i], row + 6 * (body - 1));
            }
            row += n;
        }
    }
}

/* h G M^-1 G^T from rows of the system and mass matrices of this file's own. */
static void compliance_by_hand(const scene *s, double *W)
{
    dense *d = (dense *)malloc(sizeof *d);
    double gamma[MOST];
    int i, k;
    memset(d, 0, sizeof *d);
    d->n = spc_world_column_count(s->world);
    d->m = spc_world_row_count(s->world);
    put_system(s, d->m, d->n, d->G, gamma);
    put_rows_in_step(s, d->n, d->G);
    for (i = 1; i < s->bodies; i++) {
        const int at = 6 * ((int)s->body[i].index - 1);
        const spc_state state = state_of(s->world, s->body[i]);
        put_body(d, at, &s->mass[i], &state, zero, spc_spatial_make(zero, zero));
        for (k = 0; k < d->m * 6 && !s->dynamic[i]; k++) /* of infinite mass */
            d->G[k / 6 * d->n + at + k % 6] = 0;
    }
    gram(d, true, W);
    for (i = 0; i < d->m * d->m; i++)
        W[i] *= (double)STEP;
    free(d);
}

/* The rounding of a solve with each body's inertia: a mass matrix at Bo may have a condition of
   some hundred where Bc is far. */
static void compliances_are_those_of_the_rows(void)
{
    double want[MOST * MOST], got[MOST * MOST], turned[MOST * MOST];
    spc_real *W = (spc_real *)malloc(MOST * MOST * sizeof *W);
    int turn, i;
    for (turn = 0; turn < 20; turn++) {
        scene s;
        int n;
        random_scene(&s, random_int(2, 8));
        n = spc_world_row_count(s.world);
        CHECK_STATUS(spc_world_get_compliance(s.world, STEP, NULL, -7, W, n), SPC_OK);
        to_double(W, n * n, got);
        for (i = 0; i < n * n; i++)
            turned[i] = got[i % n * n + i / n];
        CHECK_NEAR(relative(got, turned, n * n), 0, 8 * TEST_EPSILON);
        compliance_by_hand(&s, want);
        CHECK_NEAR(relative(got, want, n * n), 0, 1000 * TEST_EPSILON);
        free(s.world);
    }
    free(W);
}

/* The rows in use of a constraint in constraint-space vectors; those of disabled ones are none. */
static int rows_in_use(const scene *s, int constraint, int *first)
{
    const spc_constraint_info info = info_of(s, constraint);
    *first = info.row_index;
    return info.position_rows + info.velocity_rows + info.acceleration_rows;
}

/* Any constraints in any order, some twice or not enabled. */
static void compliances_of_chosen_constraints_are_parts_of_the_whole(void)
{
    spc_real *W = (spc_real *)malloc(MOST * MOST * sizeof *W);
    spc_real *part = (spc_real *)malloc(MOST * MOST * sizeof *part);
    int turn, k, i, j;
    for (turn = 0; turn < 30; turn++) {
        const int n = random_int(0, 8);
        spc_constraint chosen[8];
        int at[MOST], count = 0, all, first;
        scene s;
        random_scene(&s, random_int(2, 6));
        all = spc_world_row_count(s.world);
        for (k = 0; k < n; k++) {
            const int c = random_int(0, s.constraints - 1), used = rows_in_use(&s, c, &first);
            chosen[k] = s.constraint[c];
            for (i = 0; i < used; i++)
                at[count++] = first + i;
        }
        CHECK_STATUS(spc_world_get_compliance(s.world, STEP, NULL, 0, W, all), SPC_OK);
        CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, n, part, count), SPC_OK);
        for (i = 0; i < count; i++)
            for (j = 0; j < count; j++)
                CHECK_NEAR(part[i * count + j], W[at[i] * all + at[j]],
                           8 * TEST_EPSILON * (double)W[at[i] * all + at[i]]);
        free(s.world);
    }
    free(W);
    free(part);
}

/* ---------------------------------------------------------- what the parts of a step refuse --- */

typedef enum part {
    FREE_MOTION,
    VIOLATION,
    POSITION_VIOLATION,
    COMPLIANCE,
    CORRECTION,
    DISPLACEMENT,
    END_MOTION,
    PARTS
} part;

typedef struct outputs {
    spc_real target[MOST], place[MOST], violation[MOST], W[MOST];
} outputs;

static spc_status call_part(const scene *s, part p, spc_real h, int count, outputs *o)
{
    spc_real lambda[MOST];
    memset(lambda, 0, sizeof lambda);
    switch (p) {
    case FREE_MOTION:
        return spc_world_free_motion(s->world, h, o->target, o->place, count);
    case VIOLATION:
        return spc_world_get_violation(s->world, h, NULL, o->violation, count);
    case POSITION_VIOLATION:
        return spc_world_get_position_violation(s->world, NULL, o->violation, count);
    case COMPLIANCE:
        return spc_world_get_compliance(s->world, h, NULL, 0, o->W, count);
    case CORRECTION:
        return spc_world_correct(s->world, h, lambda, count);
    case DISPLACEMENT:
        return spc_world_displace(s->world, h, lambda, count);
    default:
        return spc_world_end_motion(s->world, h);
    }
}

/* It tells why, and changes neither its outputs nor anything that can be asked. */
static void check_part_refused(const scene *s, part p, spc_real h, int count, spc_status status)
{
    motion before, after;
    outputs o;
    memset(&o, PATTERN, sizeof o);
    motion_of(s, &before);
    CHECK_STATUS(call_part(s, p, h, count, &o), status);
    motion_of(s, &after);
    CHECK(is_bits(&before, &after, sizeof after));
    CHECK(untouched(&o, sizeof o));
}

/* The same of all parts that take a step, a count, or look at rows. */
static void check_parts_refused(const scene *s, spc_real h, int count, spc_status status)
{
    int p;
    for (p = 0; p < PARTS; p++) {
        if (p == POSITION_VIOLATION && status == SPC_ERROR_BAD_STEP)
            continue;
        if (p == END_MOTION && status != SPC_ERROR_BAD_STEP)
            continue;
        check_part_refused(s, (part)p, h, count, status);
    }
}

/* Rides as `ride` does, unless told to lose its way. */
static void stray(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    ride(time, NULL, state, acceleration);
    if (*(const bool *)user)
        state->X_GB.p.x = real(bad_number(0));
}

/* A body on a hinge and a ball on a floor that may lose its way, with multipliers in store; 8
   rows. */
static void small_scene(scene *s, bool *lost)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_body_desc floor = spc_body_desc_default();
    begin_scene(s, 60000);
    add_body(s, true);
    add_body(s, true);
    floor.kind = SPC_KINEMATIC;
    floor.motion = stray;
    floor.user = lost;
    *lost = false;
    CHECK_STATUS(spc_body_add(s->world, &floor, &s->body[s->bodies++]), SPC_OK);
    CHECK_STATUS(add_attachment(s, 0, 1, SPC_HINGE, &s->constraint[0]), SPC_OK);
    d.floor = s->body[3];
    d.ball = s->body[2];
    d.shape.radius = real(0.5);
    CHECK_STATUS(spc_sphere_on_plane_add(s->world, &d, &s->constraint[1]), SPC_OK);
    s->constraints = 2;
    CHECK_STATUS(spc_step(s->world, STEP), SPC_OK);
}

/* A sphere with I = 0.4 on a ball joint to ground, 0.5 m from its centre along y. A multiplier
   along x displaces it by -h mu / m along x, and turns it by 0.5 h mu / I about z: by 5 rad, and so
   a tenth of both is taken; by 0.25 rad, and so all. */
static void displacements_turn_nobody_by_more_than_half_a_radian(void)
{
    static const double hmu[2] = { 4, 0.2 }, taken[2] = { 0.1, 1 };
    int k;
    for (k = 0; k < 2; k++) {
        spc_world_desc desc = spc_world_desc_default(1, 1);
        spc_body_desc body = spc_body_desc_default();
        spc_attachment_desc joint = spc_attachment_desc_default();
        spc_world *w = test_world(&desc);
        spc_real mu[3] = { 0, 0, 0 };
        spc_constraint c;
        spc_state x;
        body.mass = spc_mass_solid_sphere(1, 1);
        CHECK_STATUS(spc_body_add(w, &body, &joint.b), SPC_OK);
        joint.shape.X_AF.p = joint.shape.X_BM.p = vec(0, 0.5, 0);
        CHECK_STATUS(spc_attachment_add(w, &joint, &c), SPC_OK);
        mu[0] = real(hmu[k] / 0.125);
        CHECK_STATUS(spc_world_displace(w, real(0.125), mu, 3), SPC_OK);
        x = state_of(w, joint.b);
        CHECK_NEAR(x.X_GB.p.x, -hmu[k] * taken[k], 8 * TEST_EPSILON);
        CHECK_NEAR(x.X_GB.q.z, sin(0.5 * 1.25 * hmu[k] * taken[k]), 8 * TEST_EPSILON);
        free(w);
    }
}

static void parts_of_a_step_refuse_steps_and_counts(void)
{
    spc_real lambda[8];
    scene s;
    bool lost;
    int k;
    small_scene(&s, &lost);
    for (k = 0; k < 3; k++)
        check_parts_refused(&s, real(bad_number(k)), 8, SPC_ERROR_BAD_STEP);
    check_parts_refused(&s, 0, 8, SPC_ERROR_BAD_STEP);
    check_parts_refused(&s, -STEP, 8, SPC_ERROR_BAD_STEP);
    check_part_refused(&s, FREE_MOTION, real(SMALLEST), 8, SPC_ERROR_BAD_STEP);
    check_part_refused(&s, VIOLATION, real(SMALLEST), 8, SPC_ERROR_BAD_STEP);
    check_part_refused(&s, DISPLACEMENT, real(SMALLEST), 8, SPC_ERROR_BAD_STEP);
    check_part_refused(&s, END_MOTION, real(SMALLEST), 8, SPC_ERROR_BAD_STEP);
    check_parts_refused(&s, STEP, 7, SPC_ERROR_BAD_COUNT);
    check_parts_refused(&s, STEP, 9, SPC_ERROR_BAD_COUNT);
    check_parts_refused(&s, STEP, 0, SPC_ERROR_BAD_COUNT);
    check_parts_refused(&s, STEP, -8, SPC_ERROR_BAD_COUNT);
    CHECK_STATUS(spc_world_free_motion(NULL, STEP, NULL, NULL, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_violation(NULL, STEP, NULL, NULL, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_violation(s.world, STEP, NULL, NULL, 8), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_position_violation(NULL, NULL, NULL, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_position_violation(s.world, NULL, NULL, 8), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_compliance(NULL, STEP, NULL, 0, NULL, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, NULL, 0, NULL, 8), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_correct(NULL, STEP, NULL, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_correct(s.world, STEP, NULL, 8), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_displace(NULL, STEP, NULL, 0), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_displace(s.world, STEP, NULL, 8), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_end_motion(NULL, STEP), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_report(NULL, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_get_report(s.world, NULL), SPC_ERROR_NULL);
    CHECK_STATUS(spc_world_free_motion(s.world, STEP, NULL, NULL, -8), SPC_OK); /* no vectors */
    CHECK_STATUS(spc_world_free_motion(s.world, STEP, NULL, lambda, 7), SPC_ERROR_BAD_COUNT);
    CHECK_STATUS(spc_world_free_motion(s.world, STEP, lambda, NULL, 7), SPC_ERROR_BAD_COUNT);
    free(s.world);
}

static void parts_of_a_step_refuse_a_time_that_overflows(void)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);
    scene s;
    memset(&s, 0, sizeof s);
    s.world = test_world(&desc);
    s.bodies = 1;
    CHECK_STATUS(spc_world_set_time(s.world, real(LARGEST)), SPC_OK);
    check_part_refused(&s, FREE_MOTION, real(LARGEST / 2), 0, SPC_ERROR_BAD_STEP);
    check_part_refused(&s, END_MOTION, real(LARGEST / 2), 0, SPC_ERROR_BAD_STEP);
    free(s.world);
}

/* A disc that lies flat when the step begins, behind a hinge that is in order: nothing of that is
   told either. The end of a step looks at no rows. */
static void parts_of_a_step_refuse_a_disc_without_contact(void)
{
    scene s;
    begin_scene(&s, 60000);
    add_body(&s, true);
    CHECK_STATUS(add_attachment(&s, 0, 1, SPC_HINGE, &s.constraint[s.constraints++]), SPC_OK);
    lay_flat(&s);
    check_parts_refused(&s, STEP, 8, SPC_ERROR_NO_CONTACT_POINT);
    CHECK_STATUS(spc_world_end_motion(s.world, STEP), SPC_OK);
    free(s.world);
}

/* Violations alone need no room. */
static void parts_of_a_step_refuse_too_little_coupling(void)
{
    spc_real violation[MOST];
    scene s;
    int n;
    memset(&s, 0, sizeof s);
    s.world = cluster(0, 10);
    s.bodies = 1;
    n = spc_world_row_count(s.world);
    check_part_refused(&s, FREE_MOTION, STEP, n, SPC_ERROR_SOLVER_FULL);
    check_part_refused(&s, COMPLIANCE, STEP, n, SPC_ERROR_SOLVER_FULL);
    check_part_refused(&s, CORRECTION, STEP, n, SPC_ERROR_SOLVER_FULL);
    check_part_refused(&s, DISPLACEMENT, STEP, n, SPC_ERROR_SOLVER_FULL);
    check_part_refused(&s, END_MOTION, STEP, n, SPC_ERROR_SOLVER_FULL);
    CHECK_STATUS(spc_world_get_position_violation(s.world, NULL, violation, n), SPC_OK);
    CHECK_STATUS(spc_world_get_violation(s.world, STEP, NULL, violation, n), SPC_OK);
    free(s.world);
}

/* And forces of one step are still there for the next. */
static void parts_of_a_step_refuse_a_motion_that_is_none(void)
{
    scene s, other;
    bool lost;
    small_scene(&s, &lost);
    CHECK_STATUS(spc_body_add_force(s.world, s.body[1], vec(1, 2, 3), zero, SPC_ONE_STEP), SPC_OK);
    other = copy_of(&s);
    lost = true;
    check_part_refused(&s, FREE_MOTION, STEP, 8, SPC_ERROR_BAD_MOTION);
    check_part_refused(&s, END_MOTION, STEP, 8, SPC_ERROR_BAD_MOTION);
    lost = false;
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    CHECK_STATUS(spc_step(other.world, STEP), SPC_OK);
    CHECK(spc_world_hash(s.world) == spc_world_hash(other.world));
    free(s.world);
    free(other.world);
}

/* The last body is the one that does it: all others are put back. */
static void parts_of_a_step_refuse_states_that_overflow(void)
{
    const spc_real h = 64; /* more than the mass: impulses over it overflow */
    spc_real lambda[8] = { 0, 0, 0, 0, 0, 0, 0, 0 };
    motion before, after;
    scene s;
    bool lost;
    small_scene(&s, &lost);
    motion_of(&s, &before);
    lambda[7] = real(LARGEST);
    CHECK_STATUS(spc_world_correct(s.world, h, lambda, 8), SPC_ERROR_STATE_NOT_FINITE);
    CHECK_STATUS(spc_world_displace(s.world, h, lambda, 8), SPC_ERROR_STATE_NOT_FINITE);
    motion_of(&s, &after);
    CHECK(is_bits(&before, &after, sizeof after));
    CHECK_STATUS(
        spc_body_set_velocity(s.world, s.body[2], spc_spatial_make(zero, vec(0, 0, LARGEST / 2))),
        SPC_OK);
    check_part_refused(&s, FREE_MOTION, h, 8, SPC_ERROR_STATE_NOT_FINITE);
    check_part_refused(&s, END_MOTION, h, 8, SPC_ERROR_STATE_NOT_FINITE);
    free(s.world);
}

static void corrections_refuse_multipliers_that_are_not_finite(void)
{
    motion before, after;
    scene s;
    bool lost;
    int i, k;
    small_scene(&s, &lost);
    motion_of(&s, &before);
    for (i = 0; i < 8; i++)
        for (k = 0; k < 3; k++) {
            spc_real lambda[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
            lambda[i] = real(bad_number(k));
            CHECK_STATUS(spc_world_correct(s.world, STEP, lambda, 8), SPC_ERROR_NOT_FINITE);
            CHECK_STATUS(spc_world_displace(s.world, STEP, lambda, 8), SPC_ERROR_NOT_FINITE);
            motion_of(&s, &after);
            CHECK(is_bits(&before, &after, sizeof after));
        }
    free(s.world);
}

/* Handles of nothing, of what was removed, and counts that are not those of what is chosen. */
static void compliances_refuse_stale_handles_and_counts(void)
{
    spc_constraint chosen[3];
    spc_real W[81];
    scene s;
    bool lost;
    small_scene(&s, &lost);
    memset(W, PATTERN, sizeof W);
    memset(chosen, 0, sizeof chosen);
    chosen[0] = s.constraint[0];
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, 2, W, 5),
                 SPC_ERROR_STALE_CONSTRAINT);
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, 1, W, 4), SPC_ERROR_BAD_COUNT);
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, 1, W, 8), SPC_ERROR_BAD_COUNT);
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, 0, W, 5), SPC_ERROR_BAD_COUNT);
    chosen[1] = s.constraint[1];
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[1]), SPC_OK);
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, 2, W, 8),
                 SPC_ERROR_STALE_CONSTRAINT);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[0], false), SPC_OK);
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, 1, W, 5), SPC_ERROR_BAD_COUNT);
    CHECK_STATUS(spc_world_get_compliance(s.world, STEP, chosen, 1, W, 0), SPC_OK);
    CHECK(untouched(W, sizeof W));
    free(s.world);
}

static const test_entry tests[] = {
    TEST(targets_are_those_of_the_derivation),
    TEST(violations_are_what_states_lack),
    TEST(a_step_without_a_target_is_deadbeat),
    TEST(compliances_are_those_of_the_rows),
    TEST(compliances_of_chosen_constraints_are_parts_of_the_whole),
    TEST(displacements_turn_nobody_by_more_than_half_a_radian),
    TEST(parts_of_a_step_refuse_steps_and_counts),
    TEST(parts_of_a_step_refuse_a_time_that_overflows),
    TEST(parts_of_a_step_refuse_a_disc_without_contact),
    TEST(parts_of_a_step_refuse_too_little_coupling),
    TEST(parts_of_a_step_refuse_a_motion_that_is_none),
    TEST(parts_of_a_step_refuse_states_that_overflow),
    TEST(corrections_refuse_multipliers_that_are_not_finite),
    TEST(compliances_refuse_stale_handles_and_counts),
};

TEST_MAIN
