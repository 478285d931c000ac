/* [6i.4] Random islands of 3 to 176 contacts, with joints between, and masses of 1 to 1e4: plates
   on feet with balls on them, columns, grooves, pyramids, grids, plates on rollers, trains, snakes.
   Impacts and first steps, from no impulses. What is left of the law is found here, from impulses,
   velocities and the geometry. -DTEST_LONG: 2,448 islands, and 306 on discs. */
#include "contacts.h"

#ifdef TEST_LONG
#define TRIALS 24
#else
#define TRIALS 1
#endif

#define RATE 240           /* [Hz] */
#define BOUNCES_ABOVE 0.05 /* [m/s] */

#define MOST 200 /* bodies, contacts or joints */
#define HEAP 16  /* more bodies without joints are a heap, (7.41) */

/* Solved, as spc_world_report has it. */
#define SOLVED IN_DOUBLE_OR_FLOAT(1e-9, 1e-4)
#define DRIFTED 1e-4 /* more, at most, where joints drift */
#define MOST_PUSHED IN_DOUBLE_OR_FLOAT(1e6, 1e2)

/* A contact as the generator has it; A is -1 for ground. */
typedef struct touching {
    spc_constraint c;
    int a, b;
    spc_vec3 C, n; /* n from A to B, in G */
    spc_contact_law law;
    spc_mat3 frame; /* before impulses, in G */
    double gap;     /* the same [m] */
} touching;

/* A ball joint, or a hinge about y. */
typedef struct jointed {
    spc_constraint c;
    int a, b;
    spc_vec3 at;
    bool hinge;
    spc_rows rows; /* before impulses */
} jointed;

typedef struct island {
    spc_world *world;
    spc_body body[MOST];
    spc_vec3 at[MOST];
    spc_mass mass[MOST];
    spc_spatial before[MOST], after[MOST]; /* before: with what gravity adds */
    spc_spatial pushed[MOST];              /* what impulses make of it */
    touching touch[MOST];
    jointed joint[MOST];
    int bodies, touches, joints;
    double ratio; /* of the largest mass to the smallest */
    spc_contact_law law;
} island;

/* ------------------------------------------------------------------------- generator --------- */

/* From 1 to the ratio, alike in each decade. */
static double any_mass(const island *s)
{
    return exp(log(s->ratio) * test_random(0, 1));
}

static int add_body(island *s, spc_mass mass, double x, double y, double z)
{
    const int i = s->bodies++;
    s->mass[i] = mass;
    s->at[i] = vec(x, y, z);
    s->body[i] = put_body(s->world, mass, s->at[i], zero, zero);
    return i;
}

static int add_ball(island *s, double radius, double x, double y, double z)
{
    return add_body(s, spc_mass_solid_sphere(real(any_mass(s)), real(radius)), x, y, z);
}

static int add_box(island *s, double mass, spc_vec3 half, double x, double y, double z)
{
    return add_body(s, spc_mass_box(real(mass), half), x, y, z);
}

static spc_body body_of(const island *s, int i)
{
    return i < 0 ? ground : s->body[i];
}

static touching *add_touching(island *s, int a, int b, spc_vec3 C, spc_vec3 n)
{
    touching *t = &s->touch[s->touches++];
    t->a = a;
    t->b = b;
    t->C = C;
    t->n = n;
    t->law = s->law;
    return t;
}

/* A sphere on a plane of A, with its normal. */
static void add_on_plane(island *s, int a, int b, double radius, spc_vec3 n)
{
    const spc_vec3 C = spc_sub(s->at[b], spc_scale(real(radius), n));
    const spc_vec3 C_A = a < 0 ? C : spc_sub(C, s->at[a]);
    touching *t = add_touching(s, a, b, C, n);
    t->c = put_on_plane(s->world, body_of(s, a), plane_at(n, C_A), s->body[b], radius, t->law);
}

static void add_pair(island *s, int a, int b, double radius)
{
    const spc_vec3 between = spc_sub(s->at[b], s->at[a]);
    const spc_vec3 n = spc_scale(real(1 / length(between)), between);
    touching *t = add_touching(s, a, b, spc_scale(SPC_R(0.5), spc_add(s->at[a], s->at[b])), n);
    t->c = put_pair(s->world, s->body[a], s->body[b], radius, radius, t->law);
}

static void add_foot(island *s, int b, spc_vec3 p_B)
{
    touching *t = add_touching(s, -1, b, spc_add(s->at[b], p_B), vec(0, 0, 1));
    t->law.restitution = 0;
    t->c = put_foot(s->world, s->body[b], p_B, t->law);
}

/* A wheel with its axis along y on the floor. */
static void add_disc(island *s, int b, double radius)
{
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    touching *t = add_touching(s, -1, b, spc_sub(s->at[b], vec(0, 0, radius)), vec(0, 0, 1));
    d.disc = s->body[b];
    d.shape.radius = real(radius);
    d.shape.axis_B = vec(0, 1, 0);
    d.one_sided = true;
    d.law = t->law;
    CHECK_STATUS(spc_rolling_disc_add(s->world, &d, &t->c), SPC_OK);
}

static void add_joint(island *s, int a, int b, spc_vec3 at, bool hinge)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    jointed *j = &s->joint[s->joints++];
    j->a = a;
    j->b = b;
    j->at = at;
    j->hinge = hinge;
    d.a = s->body[a];
    d.b = s->body[b];
    d.shape.locked = hinge ? SPC_HINGE : SPC_BALL_JOINT;
    d.shape.X_AF.p = spc_sub(at, s->at[a]);
    d.shape.X_BM.p = spc_sub(at, s->at[b]);
    d.shape.X_AF.q = d.shape.X_BM.q =
        spc_quat_make(real(sqrt(0.5)), real(-sqrt(0.5)), 0, 0); /* z onto y */
    CHECK_STATUS(spc_attachment_add(s->world, &d, &j->c), SPC_OK);
}

static void make_plate_on_feet(island *s, int size)
{
    const int feet = 3 + size, plate = add_box(s, any_mass(s), vec(1, 1, 0.05), 0, 0, 0.15);
    int i;
    for (i = 0; i < feet; i++)
        add_foot(
            s, plate,
            vec(0.9 * cos(2 * PI * i / feet + 0.3), 0.9 * sin(2 * PI * i / feet + 0.3), -0.15));
    for (i = 0; i < size; i++) {
        const double x = test_random(-0.6, 0.6), y = test_random(-0.6, 0.6);
        add_on_plane(s, plate, add_ball(s, 0.1, x, y, 0.3), 0.1, vec(0, 0, 1));
    }
}

static void make_column(island *s, int size)
{
    int i;
    add_on_plane(s, -1, add_ball(s, 0.5, 0, 0, 0.5), 0.5, vec(0, 0, 1));
    for (i = 1; i <= size; i++) {
        const double x = test_random(-0.02, 0.02), y = test_random(-0.02, 0.02);
        const int b = add_ball(s, 0.5, x, y, 0.5 + 0.999 * i);
        add_pair(s, b - 1, b, 0.5);
    }
}

/* It goes down along -x. */
static void make_groove(island *s, int size)
{
    const double l = sqrt(0.15 * 0.15 + 0.6 * 0.6 + 0.8 * 0.8);
    int i;
    for (i = 0; i <= size; i++) {
        const int b = add_ball(s, 0.5, i, 0, 0);
        add_on_plane(s, -1, b, 0.5, vec(0.15 / l, -0.6 / l, 0.8 / l));
        add_on_plane(s, -1, b, 0.5, vec(0.15 / l, 0.6 / l, 0.8 / l));
        if (i)
            add_pair(s, b - 1, b, 0.5);
    }
}

/* The ball in row i, place j of a triangular layer of n rows that begins at `first`; row i has
   n - i balls. */
static int in_layer(int first, int n, int i, int j)
{
    return first + i * n - i * (i - 1) / 2 + j;
}

static void make_pyramid(island *s, int layers)
{
    int l, i, j, below = 0;
    for (l = 0; l < layers; l++) {
        const int first = s->bodies, n = layers - l;
        for (i = 0; i < n; i++)
            for (j = 0; j < n - i; j++) {
                const int b = add_ball(s, 0.5, i + 0.5 * j + 0.5 * l,
                                       j * sqrt(0.75) + l * sqrt(1 / 12.), 0.5 + l * sqrt(2 / 3.));
                if (l == 0)
                    add_on_plane(s, -1, b, 0.5, vec(0, 0, 1));
                if (i)
                    add_pair(s, in_layer(first, n, i - 1, j), b, 0.5);
                if (j)
                    add_pair(s, b - 1, b, 0.5);
                if (i)
                    add_pair(s, in_layer(first, n, i - 1, j + 1), b, 0.5);
                if (l == 0)
                    continue;
                add_pair(s, in_layer(below, n + 1, i, j), b, 0.5);
                add_pair(s, in_layer(below, n + 1, i + 1, j), b, 0.5);
                add_pair(s, in_layer(below, n + 1, i, j + 1), b, 0.5);
            }
        below = first;
    }
}

static void make_grid(island *s, int size)
{
    int i, j;
    for (i = 0; i <= size; i++)
        for (j = 0; j <= size; j++) {
            const int b = add_ball(s, 0.5, i, j, 0.5);
            add_on_plane(s, -1, b, 0.5, vec(0, 0, 1));
            if (i)
                add_pair(s, b - size - 1, b, 0.5);
            if (j)
                add_pair(s, b - 1, b, 0.5);
        }
}

static void make_tower(island *s, int size)
{
    int i, k, below = -1;
    for (i = 0; i < size; i++) {
        const double z = 0.3 * i;
        int roller[4], plate;
        for (k = 0; k < 4; k++) {
            const double a = PI / 2 * k + 0.3 * i;
            roller[k] = add_ball(s, 0.1, 0.7 * cos(a), 0.7 * sin(a), z + 0.1);
            add_on_plane(s, below, roller[k], 0.1, vec(0, 0, 1));
        }
        plate = add_box(s, any_mass(s), vec(1, 1, 0.05), 0, 0, z + 0.25);
        for (k = 0; k < 4; k++)
            add_on_plane(s, plate, roller[k], 0.1, vec(0, 0, -1));
        below = plate;
    }
}

/* Wagons on hinged wheels, which are spheres or discs. */
static void make_wagons(island *s, int size, bool discs)
{
    int i, k, last = -1;
    for (i = 0; i < size; i++) {
        const double x = 1.5 * i;
        const int chassis = add_box(s, 3 * any_mass(s), vec(0.5, 0.3, 0.1), x, 0, 0.3);
        for (k = 0; k < 4; k++) {
            const int wheel = add_ball(s, 0.2, x + (k & 1 ? 0.4 : -0.4), k & 2 ? 0.35 : -0.35, 0.2);
            add_joint(s, chassis, wheel, s->at[wheel], true);
            if (discs)
                add_disc(s, wheel, 0.2);
            else
                add_on_plane(s, -1, wheel, 0.2, vec(0, 0, 1));
        }
        if (last >= 0)
            add_joint(s, last, chassis, vec(x - 0.75, 0, 0.3), false);
        last = chassis;
    }
}

static void make_train(island *s, int size)
{
    make_wagons(s, size, false);
}

static void make_train_on_discs(island *s, int size)
{
    make_wagons(s, size, true);
}

static void make_snake(island *s, int size)
{
    int i;
    for (i = 0; i < 3 * size; i++) {
        const int b = add_ball(s, 0.2, 0.5 * i, 0, 0.2);
        add_on_plane(s, -1, b, 0.2, vec(0, 0, 1));
        if (i)
            add_joint(s, b - 1, b, vec(0.5 * i - 0.25, 0, 0.2), false);
    }
}

#define SIZES 3
typedef struct sort {
    const char *name;
    void (*make)(island *s, int size);
    int size[SIZES];
} sort;

static const sort sorts[] = {
    { "plate on feet, balls on it", make_plate_on_feet, { 1, 4, 20 } },
    { "column of balls", make_column, { 2, 9, 29 } },
    { "groove on a slope", make_groove, { 1, 9, 39 } },
    { "pyramid of balls", make_pyramid, { 2, 3, 5 } },
    { "grid of balls", make_grid, { 1, 3, 7 } },
    { "plates on rollers", make_tower, { 1, 3, 8 } },
    { "train of wagons", make_train, { 1, 4, 12 } },
    { "snake of jointed balls", make_snake, { 1, 5, 20 } },
    { "train of wagons on discs", make_train_on_discs, { 1, 4, 12 } },
};
#define SORTS 8 /* of the mix; then come discs */

/* Velocities up to 1 m/s and 3 rad/s, and 1 m/s down; joints tear. */
static void stir(island *s)
{
    int i;
    for (i = 0; i < s->bodies; i++) {
        spc_spatial V = test_random_spatial(3, 1);
        V.linear.z -= 1;
        CHECK_STATUS(spc_body_set_velocity(s->world, s->body[i], V), SPC_OK);
    }
}

/* The nearest velocities that joints allow, contacts aside. */
static void hold_joints(island *s)
{
    int i, on;
    for (on = 0; on < 2; on++) {
        for (i = 0; i < s->touches; i++)
            CHECK_STATUS(spc_constraint_set_enabled(s->world, s->touch[i].c, on), SPC_OK);
        if (!on)
            CHECK_STATUS(spc_world_project_velocities(s->world), SPC_OK);
    }
}

/* One of so many of a sort, size and mass ratio, which is a power of 100. */
typedef struct choice {
    int kind, size, power, trial;
    bool moving;
} choice;

/* Bodies, and constraints, that islands of a size have at most. */
static const int room[SIZES] = { 16, 48, 200 };

/* Seeds that follow each other give numbers that are alike at first. */
static void make_island(island *s, const choice *of)
{
    int i;
    test_seed = (unsigned long long)of->trial;
    test_seed = test_seed * 16 + (unsigned long long)of->kind;
    test_seed = test_seed * 24 + (unsigned long long)(of->size * 8 + of->power * 2 + of->moving);
    for (i = 0; i < 8; i++)
        (void)test_random(0, 1);
    memset(s, 0, sizeof *s);
    s->ratio = pow(100, of->power);
    s->law = law_of(test_random(0.1, 0.8), 0);
    s->law.restitution = real(test_random(0, 1) < 0.5 ? 0 : 0.4);
    s->law.restitution_speed = real(BOUNCES_ABOVE);
    s->world = contact_world(room[of->size], room[of->size], vec(0, 0, -GRAVITY));
    sorts[of->kind].make(s, sorts[of->kind].size[of->size]);
    if (of->moving)
        stir(s);
}

/* --------------------------------------------------------------------------- the law --------- */

static spc_vec3 velocity_of(const island *s, int i, spc_vec3 C, const spc_spatial *V)
{
    return i < 0 ? zero : spc_add(V[i].linear, spc_cross(V[i].angular, spc_sub(C, s->at[i])));
}

/* Of B's point at C past A's. */
static spc_vec3 slip_of(const island *s, const touching *t, const spc_spatial *V)
{
    return spc_sub(velocity_of(s, t->b, t->C, V), velocity_of(s, t->a, t->C, V));
}

/* Velocities with what gravity adds in a time; frames and gaps. */
static void look_before(island *s, double time)
{
    int i;
    for (i = 0; i < s->bodies; i++) {
        s->before[i] = state_of(s->world, s->body[i]).V_GB;
        s->before[i].linear.z -= real(time * GRAVITY);
    }
    for (i = 0; i < s->touches; i++) {
        s->touch[i].frame = rows_of(s->world, s->touch[i].c).R_GP;
        s->touch[i].gap = (double)contact_of_world(s->world, s->touch[i].c).separation;
    }
    for (i = 0; i < s->joints; i++)
        s->joint[i].rows = rows_of(s->world, s->joint[i].c);
}

static void look_after(island *s)
{
    int i;
    for (i = 0; i < s->bodies; i++)
        s->after[i] = state_of(s->world, s->body[i]).V_GB;
}

/* An impulse at C as one at a body's centre. */
static spc_spatial impulse_about(const island *s, int i, spc_vec3 C, spc_vec3 p)
{
    return spc_spatial_make(i < 0 ? zero : spc_cross(spc_sub(C, s->at[i]), p), p);
}

/* What it changes of the body's velocity; bodies stand along their principal axes. */
static spc_spatial change_of(const island *s, int i, spc_spatial P)
{
    const spc_inertia I = s->mass[i].inertia;
    const spc_vec3 L = P.angular;
    return spc_spatial_make(spc_vec3_make(L.x / I.xx, L.y / I.yy, L.z / I.zz),
                            spc_scale(1 / s->mass[i].mass, P.linear));
}

/* d . W d of the two bodies alone, joints aside. */
static double compliance_along(const island *s, const touching *t, spc_vec3 d)
{
    double sum = 0;
    int end;
    for (end = 0; end < 2; end++) {
        const int i = end ? t->b : t->a;
        spc_spatial change;
        if (i < 0)
            continue;
        change = change_of(s, i, impulse_about(s, i, t->C, d));
        sum += dot(d, change.linear) + dot(d, spc_cross(change.angular, spc_sub(t->C, s->at[i])));
    }
    return sum;
}

/* What the law is missed by, or joints; the largest velocity that there was, and what impulses
   change along normals. [m/s] */
typedef struct missed {
    double residual, speed, pushed;
} missed;

/* By how much p changes when p - r u is projected on what the law allows, over r; u_n is against
   what it shall be. Friction is opposite to the slip after, as is a step's mean slip from rest. */
static void note_contact(missed *m, const island *s, const touching *t, spc_vec3 p, double wanted)
{
    const spc_vec3 before = slip_of(s, t, s->before), after = slip_of(s, t, s->pushed);
    const double all = compliance_along(s, t, vec(1, 0, 0)) + compliance_along(s, t, vec(0, 1, 0)) +
                       compliance_along(s, t, vec(0, 0, 1));
    const double Wn = compliance_along(s, t, t->n), Wt = (all - Wn) / 2;
    const double pn = dot(p, t->n), un = dot(after, t->n) - wanted;
    const spc_vec3 pt = spc_sub(p, spc_scale(real(pn), t->n));
    const spc_vec3 ut = spc_sub(after, spc_scale(real(dot(after, t->n)), t->n));
    const spc_vec3 zt = spc_sub(pt, spc_scale(real(1 / Wt), ut));
    const double limit = (double)t->law.friction * fmax(pn, 0), z = length(zt);
    const spc_vec3 allowed = spc_scale(real(z > limit ? limit / z : 1), zt);
    note(&m->residual, (pn - fmax(pn - un / Wn, 0)) * Wn);
    note(&m->residual, distance(pt, allowed) * Wt);
    note(&m->speed, length(before));
    note(&m->pushed, Wn * pn);
}

/* How far a joint's points and turns part. */
static double parting(const island *s, const jointed *j, const spc_spatial *V)
{
    const double arm = distance(s->at[j->b], j->at) + distance(s->at[j->a], j->at);
    spc_vec3 w = spc_sub(V[j->b].angular, V[j->a].angular);
    double apart = distance(velocity_of(s, j->b, j->at, V), velocity_of(s, j->a, j->at, V));
    w.y = 0;
    if (j->hinge)
        note(&apart, arm * length(w));
    return apart;
}

static void add_impulse(island *s, int i, spc_spatial P)
{
    if (i >= 0) {
        const spc_spatial V = s->pushed[i], d = change_of(s, i, P);
        s->pushed[i] = spc_spatial_make(spc_add(V.angular, d.angular), spc_add(V.linear, d.linear));
    }
}

/* Of a contact, on B, in G [N s]; time: of a step, whose mean force is told, or 1. */
static spc_vec3 impulse_of(const island *s, const touching *t, double time)
{
    return spc_scale(real(time), spc_mat3_mul(t->frame, force_of(s->world, t->c).force_P));
}

static void push_all(island *s, double time)
{
    int i;
    memcpy(s->pushed, s->before, sizeof s->before);
    for (i = 0; i < s->touches; i++) {
        const touching *t = &s->touch[i];
        const spc_vec3 p = impulse_of(s, t, time);
        add_impulse(s, t->b, impulse_about(s, t->b, t->C, p));
        add_impulse(s, t->a, impulse_about(s, t->a, t->C, spc_scale(-1, p)));
    }
    for (i = 0; i < s->joints; i++) {
        const jointed *j = &s->joint[i];
        spc_real lambda[SPC_MAX_ROWS];
        spc_spatial on_a, on_b;
        int k;
        CHECK_STATUS(spc_constraint_get_multipliers(s->world, j->c, lambda), SPC_OK);
        for (k = 0; k < SPC_MAX_ROWS; k++)
            lambda[k] *= real(time);
        spc_rows_forces(&j->rows, lambda, &on_a, &on_b);
        add_impulse(s, j->a, on_a);
        add_impulse(s, j->b, on_b);
    }
}

/* Do impulses explain the velocities after? After a step, which goes on to turn bodies freely, only
   those of centres of mass. */
static void note_balance(missed *m, const island *s, bool step)
{
    int i;
    for (i = 0; i < s->bodies; i++)
        note(&m->residual, distance(s->pushed[i].linear, s->after[i].linear));
    for (i = 0; i < s->touches && !step; i++)
        note(&m->residual,
             distance(slip_of(s, &s->touch[i], s->pushed), slip_of(s, &s->touch[i], s->after)));
}

/* The largest of all that is missed, over the largest velocity, of which that of impulses counts up
   to MOST_PUSHED times the other, as it does in a call's verdict: what jams is not solved. h: of a
   step from rest, which ends its impulses in the poses that it begins with; 0: of an impact. */
static double island_missed(island *s, double h)
{
    const bool step = h > 0;
    missed m = { 0, 0, 0 };
    int i;
    push_all(s, step ? h : 1);
    note_balance(&m, s, step);
    for (i = 0; i < s->touches; i++) {
        const touching *t = &s->touch[i];
        const double un = dot(slip_of(s, t, s->before), t->n);
        double wanted = -un > BOUNCES_ABOVE ? -(double)t->law.restitution * un : 0;
        if (step) /* half of it moves, by u_n h / 2; bodies of a heap go on with u_n */
            wanted = (s->bodies > HEAP && s->joints == 0 ? -1 : -2) * fmax(t->gap, 0) / h;
        CHECK(distance(t->frame.z, t->n) <= 16 * TEST_EPSILON);
        note_contact(&m, s, t, impulse_of(s, t, step ? h : 1), wanted);
    }
    for (i = 0; i < s->joints; i++) {
        note(&m.residual, parting(s, &s->joint[i], s->pushed));
        note(&m.speed, parting(s, &s->joint[i], s->before));
    }
    return m.residual / fmax(m.speed, fmin(m.pushed, MOST_PUSHED * m.speed));
}

/* ----------------------------------------------------------------------- the mix ------------- */

/* What was seen of all islands. In some of those that are unsolved there are more bounces than a
   step may have: they obey the law. */
typedef struct tally {
    int islands, most_touches, most_substitutions, unsolved, bouncing, silent;
    double worst;
} tally;

/* How many islands of a choice there are: of the largest an eighth, in the short form of a sixth of
   the choices. */
static int trials_of(const choice *of)
{
    if (of->size < 2)
        return TRIALS;
    return TRIALS > 1 ? (TRIALS + 7) / 8 : (of->kind + of->power) % 6 == 0 && of->moving;
}

/* A call's verdict beside what is found here, where it is looked at. Both round, and velocities
   that they compare with are lengths or the largest component: by twice, or half. */
static void count_island(tally *t, const island *s, const choice *of, bool looked, double left)
{
    const spc_world_report r = report_of(s->world);
    const double most = SOLVED + (s->joints && !looked ? DRIFTED : 0);
    const bool silent = looked && r.unsolved == 0 && !(left <= 2 * SOLVED);
    t->islands++;
    t->most_touches = s->touches > t->most_touches ? s->touches : t->most_touches;
    t->unsolved += r.unsolved > 0;
    t->most_substitutions =
        r.substitutions > t->most_substitutions ? r.substitutions : t->most_substitutions;
    note(&t->worst, (double)r.residual);
    t->bouncing += r.unsolved > 0 && !((double)r.residual > SOLVED);
    CHECK(r.unsolved > 0 || (double)r.residual <= most);
    CHECK(energy_of(s->world) < LARGEST);
    t->silent += silent;
    if (silent)
        printf("%s, size %d, ratio 100^%d, moving %d, trial %d: %g, but %g is told\n",
               sorts[of->kind].name, of->size, of->power, of->moving, of->trial, left,
               (double)r.residual);
    CHECK(!looked || r.unsolved == 0 || left > SOLVED / 2);
}

static void strike(island *s, const choice *of, tally *t)
{
    int i;
    for (i = 0; i < s->bodies && !of->moving; i++) /* as gravity does in a step */
        CHECK_STATUS(spc_body_set_velocity(s->world, s->body[i],
                                           spc_spatial_make(zero, vec(0, 0, -GRAVITY / RATE))),
                     SPC_OK);
    look_before(s, 0);
    CHECK_STATUS(spc_world_impact(s->world), SPC_OK);
    look_after(s);
    count_island(t, s, of, true, island_missed(s, 0));
}

/* From rest it is looked at; in single precision gaps that are rounding count too much, over h. */
static void begin(island *s, const choice *of, tally *t)
{
    const double h = 1. / RATE;
    const bool looked = !of->moving && IN_DOUBLE_OR_FLOAT(true, false);
    if (of->moving)
        hold_joints(s);
    look_before(s, h);
    CHECK_STATUS(spc_step(s->world, real(h)), SPC_OK);
    look_after(s);
    count_island(t, s, of, looked, looked ? island_missed(s, h) : 0);
}

/* All choices of sorts from first on, before end. */
static tally count_all(void (*call)(island *s, const choice *of, tally *t), int first, int end)
{
    static island s;
    const int sorts_there = end - first, choices = sorts_there * SIZES * 2 * 3;
    tally t;
    int n;
    memset(&t, 0, sizeof t);
    for (n = 0; n < choices; n++) {
        choice of;
        of.kind = first + n % sorts_there;
        of.size = n / sorts_there % SIZES;
        of.moving = n / (sorts_there * SIZES) % 2;
        of.power = n / (sorts_there * SIZES * 2);
        for (of.trial = 0; of.trial < trials_of(&of); of.trial++) {
            make_island(&s, &of);
            call(&s, &of, &t);
            free(s.world);
        }
    }
    return t;
}

/* Of one call, solved or not: 300 Newton steps of as many contacts as there are take some 150,000
   substitutions, searches after that far less. */
#define MOST_WORK 500000

/* None is wrong without a word. Columns of balls that fall at speeds of their own have more bounces
   in a step than the 256 that may be, which is told: up to one island of 50. Of all 99.8 % shall
   obey the law; share: of those that do not, in the long form. So many draws of it differ by three
   deviations at most, or by one island, which is more where few are drawn and hardly any is left.
   What is left of first steps are large piles, and trains of wagons that fall, where the speeds at
   which a wagon's four wheels shall leave differ by some 1e-6 from what a rigid wagon can do, so
   that one wheel has to lift by as little. */
static void check_tally(const char *what, tally t, double share)
{
    const double part = (double)(t.unsolved - t.bouncing) / t.islands;
    const double most = share + fmax(3 * sqrt(share * (1 - share) / t.islands), 1. / t.islands);
    printf("%s: %d of %d unsolved, of up to %d contacts, %d substitutions; ", what, t.unsolved,
           t.islands, t.most_touches, t.most_substitutions);
    print_seen("worst residual", t.worst);
    CHECK(t.silent == 0);
    CHECK(t.bouncing * 50 <= t.islands);
    CHECK(t.most_substitutions <= MOST_WORK);
    CHECK_OPEN(part, 0.002, most);
}

static void impacts_of_random_islands_obey_the_law(void)
{
    check_tally("impacts", count_all(strike, 0, SORTS), 0.0009);
}

static void first_steps_of_random_islands_obey_the_law(void)
{
    check_tally("first steps", count_all(begin, 0, SORTS), 0.0009);
}

static void wagons_on_discs_obey_the_law(void)
{
    check_tally("impacts on discs", count_all(strike, SORTS, SORTS + 1),
                IN_DOUBLE_OR_FLOAT(0, 0.002));
    check_tally("first steps on discs", count_all(begin, SORTS, SORTS + 1), 0.0033);
}

/* ------------------------------------------------------------------------- far off ---------- */

/* Contacts of balls that are far apart are left out of a step, but where spheres are not about the
   centres of their bodies: by so little here that all else is the same, bit by bit. */
#define FEW 7

typedef struct crowd {
    spc_world *world;
    spc_body ball[FEW];
    spc_constraint pair[FEW * FEW];
    int pairs;
} crowd;

/* A ball comes fast where others rest, which it strikes on. turns: and another swings about a point
   so fast that steps are taken in parts. */
static crowd make_crowd(const spc_vec3 *at, bool turns, double off)
{
    crowd s;
    int i, k;
    s.world = contact_world(FEW, FEW * FEW, zero);
    s.pairs = 0;
    for (i = 0; i < FEW; i++) {
        const bool swings = turns && i == FEW - 1;
        const spc_vec3 v = i ? zero : vec(31, 0.3, -0.2);
        spc_sphere_on_sphere_desc d = spc_sphere_on_sphere_desc_default();
        s.ball[i] = put_body(s.world, spc_mass_solid_sphere(1, SPC_R(0.1)), at[i],
                             swings ? vec(0, 90, 0) : zero, swings ? vec(27, 0, 0) : v);
        if (swings) {
            spc_attachment_desc a = spc_attachment_desc_default();
            a.b = s.ball[i];
            a.shape.X_AF.p = spc_sub(at[i], vec(0, 0, 0.3));
            a.keep_pose = true;
            CHECK_STATUS(spc_attachment_add(s.world, &a, &s.pair[FEW * FEW - 1]), SPC_OK);
        }
        d.b = s.ball[i];
        d.shape.radius_a = d.shape.radius_b = SPC_R(0.1);
        d.shape.p_BSb = d.shape.p_ASa = vec(off, off, off);
        d.one_sided = true;
        d.law = law_of(0.2, 0.9);
        for (k = 0; k < i; k++) {
            d.a = s.ball[k];
            CHECK_STATUS(spc_sphere_on_sphere_add(s.world, &d, &s.pair[s.pairs++]), SPC_OK);
        }
    }
    return s;
}

static void what_is_far_off_changes_nothing(void)
{
    const double off = IN_DOUBLE_OR_FLOAT(1e-290, 1e-30);
    int trial, i, k, met = 0;
    for (trial = 0; trial < 60; trial++) {
        spc_vec3 at[FEW];
        crowd s, full;
        for (i = 0; i < FEW; i++)
            at[i] = vec(i * test_random(0.22, 0.5), test_random(0.01, 0.12), test_random(0.5, 0.6));
        s = make_crowd(at, trial % 3 == 2, 0);
        full = make_crowd(at, trial % 3 == 2, off);
        for (k = 0; k < 12; k++) {
            const spc_status status = spc_step(s.world, SPC_R(1 / 60.));
            CHECK_STATUS(spc_step(full.world, SPC_R(1 / 60.)), status);
            for (i = 0; i < FEW; i++) {
                const spc_state a = state_of(s.world, s.ball[i]);
                const spc_state b = state_of(full.world, full.ball[i]);
                CHECK(SAME_BITS(a, b));
            }
            for (i = 0; i < s.pairs; i++) {
                const spc_contact_info a = contact_of_world(s.world, s.pair[i]);
                const spc_contact_info b = contact_of_world(full.world, full.pair[i]);
                CHECK(a.state == b.state && a.began == b.began && a.ended == b.ended);
                CHECK(SAME_BITS(a.force, b.force) && SAME_BITS(a.hit_speed, b.hit_speed));
                met += a.began;
            }
        }
        free(s.world);
        free(full.world);
    }
    CHECK(met > 100);
}

/* Whose speed is not all that counts is not left out: of balls 2 m apart a force throws the first
   through what is between in a step, or it turns about a centre of mass beside its own; and those
   over a plane that ends, or about whose spheres nothing turns, go on as they do. */
static void what_a_speed_does_not_tell_is_not_left_out(void)
{
    int kind, i, k;
    for (kind = 0; kind < 3; kind++) {
        const spc_real h = SPC_R(1 / 60.);
        spc_vec3 at[FEW];
        crowd s;
        for (i = 0; i < FEW; i++)
            at[i] = vec(2 * i, 0, 0.5);
        s = make_crowd(at, false, 0);
        CHECK_STATUS(spc_body_set_velocity(s.world, s.ball[0], spc_spatial_make(zero, zero)),
                     SPC_OK);
        if (kind == 0) {
            CHECK_STATUS(
                spc_body_add_force(s.world, s.ball[0], vec(20e3, 0, 0), zero, SPC_ONE_STEP),
                SPC_OK);
        } else if (kind == 1) {
            spc_mass mass = spc_mass_solid_sphere(1, SPC_R(0.1));
            mass.p_BBc = vec(0.01, 0, 0);
            CHECK_STATUS(spc_body_set_mass(s.world, s.ball[0], &mass), SPC_OK);
            CHECK_STATUS(spc_body_set_velocity(s.world, s.ball[0],
                                               spc_spatial_make(vec(0, 0, 1), vec(100, 0, 0))),
                         SPC_OK);
        } else {
            spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
            spc_constraint c;
            d.ball = s.ball[1];
            d.shape.radius = SPC_R(0.1);
            d.one_sided = true;
            d.law = law_of(0.2, 0);
            d.shape.p_BS = vec(0, 0, 0.01);
            CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &c), SPC_OK);
            d.shape.p_BS = zero;
            d.law.bounded = true;
            d.law.half_length[0] = d.law.half_length[1] = 1;
            CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &c), SPC_OK);
        }
        for (k = 0; k < 3; k++)
            CHECK_STATUS(spc_step(s.world, h), SPC_OK);
        CHECK((state_of(s.world, s.ball[1]).X_GB.p.x > 2) == (kind < 2));
        for (i = 1; i < FEW; i++)
            CHECK(state_of(s.world, s.ball[i]).X_GB.p.x >
                  state_of(s.world, s.ball[i - 1]).X_GB.p.x + SPC_R(0.19));
        free(s.world);
    }
}

/* ---------------------------------------------------------------------------- chains --------- */

/* Two to five bodies on joints of all sorts, each with one or two contacts in any direction, which
   they come to at up to 3 m/s. Joints come first. */
static spc_world *draw_chain(int *joints, int *touches)
{
    static const unsigned kinds[] = { SPC_BALL_JOINT, SPC_HINGE, SPC_WELD, SPC_SLIDER,
                                      SPC_UNIVERSAL };
    spc_world *w = contact_world(5, 14, vec(0, 0, -GRAVITY));
    const int bodies = 2 + (int)test_random(0, 3.99);
    spc_body body[5];
    int i, k;
    *joints = bodies - 1;
    *touches = 0;
    for (i = 0; i < bodies; i++) {
        spc_body_desc d = spc_body_desc_default();
        d.mass = test_random_mass();
        d.state.X_GB = spc_transform_make(test_random_quat(), vec(0.5 * i, 0, 0));
        d.state.V_GB = test_random_spatial(4, 3);
        CHECK_STATUS(spc_body_add(w, &d, &body[i]), SPC_OK);
    }
    for (i = 1; i < bodies; i++) {
        const spc_state a = state_of(w, body[i - 1]), b = state_of(w, body[i]);
        spc_attachment_desc d = spc_attachment_desc_default();
        spc_constraint c;
        const spc_vec3 at = spc_add(vec(0.5 * i - 0.25, 0, 0), test_random_vec3(0.2));
        const spc_vec3 axis = spc_rotate(test_random_quat(), vec(0, 0, 1));
        d.a = body[i - 1];
        d.b = body[i];
        CHECK_STATUS(spc_attachment_at(&a.X_GB, &b.X_GB, at, axis, kinds[(int)test_random(0, 4.99)],
                                       &d.shape),
                     SPC_OK);
        CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
    }
    for (i = 0; i < bodies; i++)
        for (k = test_random(0, 1) < 0.5; k >= 0; k--, ++*touches) {
            const spc_quat q = test_random_quat();
            const spc_vec3 p_B = test_random_vec3(0.2);
            const spc_vec3 S = spc_transform_point(state_of(w, body[i]).X_GB, p_B);
            const double friction = test_random(0, 1), restitution = test_random(-1, 1);
            spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
            spc_constraint c;
            d.ball = body[i];
            d.shape.p_BS = p_B;
            d.shape.radius = SPC_R(0.1);
            d.shape.X_FP = spc_transform_make(q, spc_add(S, spc_rotate(q, vec(0, 0, -0.1))));
            d.one_sided = true;
            d.law = law_of(friction, fmax(restitution, 0));
            CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
        }
    return w;
}

/* What is solved holds its joints and goes nowhere into its planes, but for a part of 4 m/s that is
   84 roundings in float. Left out are those few in which impulses balance each other, beside whose
   velocities, up to 100 times the others, a residual counts: one in 40. */
static void chains_hold_after_an_impact_that_is_solved(void)
{
    const double most = 4 * IN_DOUBLE_OR_FLOAT(1e-8, 1e-5);
    const int trials = LONG_OR_SHORT(1500, IN_DOUBLE_OR_FLOAT(120, 400));
    int trial, solved = 0, off = 0;
    for (trial = 0; trial < trials; trial++) {
        int joints, touches, i, k;
        spc_world *w = draw_chain(&joints, &touches);
        double left = 0;
        CHECK_STATUS(spc_world_impact(w), SPC_OK);
        for (i = 0; i < joints + touches; i++) {
            const spc_constraint c = { (unsigned)i + 1, 1 };
            const spc_rows rows = rows_of(w, c);
            for (k = 0; k < rows.count && i < joints; k++)
                if (rows.enforced >> k & 1u)
                    left = fmax(left, fabs((double)rows.velocity_errors[k]));
            if (i >= joints)
                left = fmax(left, -(double)rows.velocity_errors[2]);
        }
        if (report_of(w).unsolved == 0) {
            solved++;
            off += left > most;
        }
        free(w);
    }
    printf("chains: %d of %d solved, %d of them off\n", solved, trials, off);
    CHECK(solved * 10 > trials * 9);
    CHECK(off * 40 <= solved);
}

static const test_entry tests[] = {
    TEST(impacts_of_random_islands_obey_the_law),
    TEST(first_steps_of_random_islands_obey_the_law),
    TEST(wagons_on_discs_obey_the_law),
    TEST(what_is_far_off_changes_nothing),
    TEST(what_a_speed_does_not_tell_is_not_left_out),
    TEST(chains_hold_after_an_impact_that_is_solved),
};

TEST_MAIN
