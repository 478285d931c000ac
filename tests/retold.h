/* Tales: worlds of bodies and constraints of all kinds as plain numbers, drawn at random, from
   which worlds are made. */
#ifndef SPC_RETOLD_H
#define SPC_RETOLD_H

#include "contacts.h"

#define MOST_BODIES 16 /* ground is the first */
#define MOST_CONSTRAINTS 28

typedef struct told_body {
    bool moved; /* kinematic */
    spc_mass mass;
    spc_state state;
    spc_spatial acceleration, force; /* prescribed; at Bo, lasting */
    double place;                    /* in another order */
} told_body;

typedef struct told_constraint {
    spc_constraint_kind kind;
    int a, b;
    spc_sphere_on_plane ball;
    spc_rolling_disc disc;
    spc_attachment joint;
    spc_sphere_on_sphere pair;
    bool one_sided, enabled;
    spc_contact_law law;
    spc_stabilization stab;
    double place;
} told_constraint;

typedef struct tale {
    int bodies, constraints;
    told_body body[MOST_BODIES];
    told_constraint constraint[MOST_CONSTRAINTS];
    spc_vec3 gravity;
    bool reordered;
} tale;

typedef struct told_world {
    spc_world *world;
    spc_body body[MOST_BODIES];
    spc_constraint constraint[MOST_CONSTRAINTS];
} told_world;

/* ---------------------------------------------------------------------- worlds of tales ------- */

static inline spc_status make_body(const told_body *b, told_world *t, int i)
{
    spc_body_desc d = spc_body_desc_default();
    spc_status status;
    d.kind = b->moved ? SPC_KINEMATIC : SPC_DYNAMIC;
    d.mass = b->mass;
    d.state = b->state;
    status = spc_body_add(t->world, &d, &t->body[i]);
    if (b->moved)
        spc_status_keep(&status, spc_body_set_acceleration(t->world, t->body[i], b->acceleration));
    if (!b->moved && length(b->force.linear) > 0)
        spc_status_keep(
            &status, spc_body_add_force(t->world, t->body[i], b->force.linear, zero, SPC_LASTING));
    if (!b->moved && length(b->force.angular) > 0)
        spc_status_keep(&status,
                        spc_body_add_torque(t->world, t->body[i], b->force.angular, SPC_LASTING));
    return status;
}

/* What descriptions of all kinds have. */
#define DESCRIBE(d, c)                \
    do {                              \
        (d).one_sided = c->one_sided; \
        (d).enabled = c->enabled;     \
        (d).law = c->law;             \
    } while (0)

static inline spc_status make_constraint(const told_constraint *c, told_world *t, int i)
{
    spc_sphere_on_plane_desc ball = spc_sphere_on_plane_desc_default();
    spc_rolling_disc_desc disc = spc_rolling_disc_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
    spc_constraint *made = &t->constraint[i];
    spc_status status;
    ball.floor = disc.floor = joint.a = pair.a = t->body[c->a];
    ball.ball = disc.disc = joint.b = pair.b = t->body[c->b];
    ball.shape = c->ball;
    disc.shape = c->disc;
    joint.shape = c->joint;
    pair.shape = c->pair;
    DESCRIBE(ball, c);
    DESCRIBE(disc, c);
    DESCRIBE(joint, c);
    DESCRIBE(pair, c);
    status = c->kind == SPC_SPHERE_ON_PLANE ? spc_sphere_on_plane_add(t->world, &ball, made)
             : c->kind == SPC_ROLLING_DISC  ? spc_rolling_disc_add(t->world, &disc, made)
             : c->kind == SPC_ATTACHMENT    ? spc_attachment_add(t->world, &joint, made)
                                            : spc_sphere_on_sphere_add(t->world, &pair, made);
    spc_status_keep(&status, spc_constraint_set_stabilization(t->world, *made, &c->stab));
    return status;
}

/* The one that comes after another in the order of the tale, or in another order; 0: there is none.
   place: of the i-th. */
static inline int next_in(const double *place, int count, bool reordered, int after)
{
    int i, next = 0;
    if (!reordered)
        return after + 1 < count ? after + 1 : 0;
    for (i = 1; i < count; i++)
        if ((after == 0 || place[i] > place[after]) && (next == 0 || place[i] < place[next]))
            next = i;
    return next;
}

/* The world of a tale; its memory is freed by the caller, though it may be refused. */
static inline spc_status make_world(const tale *t, told_world *made)
{
    double bodies[MOST_BODIES], constraints[MOST_CONSTRAINTS + 1];
    spc_status status = SPC_OK;
    int i;
    memset(made, 0, sizeof *made);
    made->world = contact_world(MOST_BODIES, MOST_CONSTRAINTS, t->gravity);
    for (i = 0; i < t->bodies; i++)
        bodies[i] = t->body[i].place;
    for (i = 0; i < t->constraints; i++)
        constraints[i + 1] = t->constraint[i].place;
    for (i = 0; (i = next_in(bodies, t->bodies, t->reordered, i)) > 0;)
        spc_status_keep(&status, make_body(&t->body[i], made, i));
    for (i = 0; (i = next_in(constraints, t->constraints + 1, t->reordered, i)) > 0;)
        if (!status)
            status = make_constraint(&t->constraint[i - 1], made, i - 1);
    return status;
}

/* --------------------------------------------------------------------- tales at random -------- */

static inline bool chance(double part)
{
    return test_random(0, 1) < part;
}

static inline int draw_int(int low, int high)
{
    return low + (int)test_random(0, high - low + 1);
}

static inline spc_contact_law draw_law(double r)
{
    spc_contact_law law = spc_contact_law_default();
    const int kind = draw_int(0, 5);
    law.grip = kind == 0;
    law.friction = real(kind == 1 ? 0 : test_random(0, 1.2));
    if (chance(0.7)) {
        law.restitution = real(chance(0.3) ? 1 : test_random(0, 1));
        law.restitution_speed = real(chance(0.5) ? 0 : test_random(0, 0.3));
    }
    law.passive = chance(0.3);
    law.propagates = chance(0.35);
    if (chance(0.25))
        law.rolling_resistance = real(test_random(0, 0.1) * r);
    if (chance(0.25))
        law.spinning_resistance = real(test_random(0, 0.3) * r);
    if (chance(0.2)) {
        law.surface_velocity[0] = real(test_random(-1, 1));
        law.surface_velocity[1] = real(test_random(-1, 1));
    }
    return law;
}

/* A ball, or a box in turned axes, half of them off centre. Boxes whose moments are equal turn by
   another rule than what is turned by a rounding, and are none here. */
static inline spc_mass draw_mass(double r)
{
    const double m = chance(0.3) ? pow(10, test_random(-1.5, 1.5)) : test_random(0.5, 2);
    const double x = test_random(0.3, 1) * r, y = test_random(0.3, 1) * r;
    spc_mass mass = spc_mass_solid_sphere(real(m), real(r));
    if (chance(0.5)) {
        mass = spc_mass_box(real(m), vec(x, y, 1.1 * r));
        mass.inertia = spc_inertia_rotate(spc_mat3_from_quat(test_random_quat()), mass.inertia);
        if (chance(0.6))
            mass.p_BBc = test_random_vec3(0.4 * r);
    }
    return mass;
}

static inline int draw_body(tale *t, bool moved, spc_vec3 p, double speed)
{
    told_body *b = &t->body[t->bodies];
    memset(b, 0, sizeof *b);
    b->moved = moved;
    b->mass = draw_mass(0.2);
    b->state.X_GB = spc_transform_make(test_random_quat(), p);
    b->state.V_GB = test_random_spatial(3 * speed, speed);
    if (moved && chance(0.3))
        b->acceleration = test_random_spatial(0.5, 2);
    if (!moved && chance(0.1))
        b->force.angular = test_random_vec3(0.3);
    b->place = test_random(0, 1);
    return t->bodies++;
}

static inline told_constraint *draw_constraint(tale *t, spc_constraint_kind kind, int a, int b,
                                               double r, bool one_sided)
{
    told_constraint *c = &t->constraint[t->constraints++];
    memset(c, 0, sizeof *c);
    c->kind = kind;
    c->a = a;
    c->b = b;
    c->one_sided = one_sided;
    c->enabled = true;
    c->law = draw_law(r);
    c->stab = spc_stabilization_default();
    c->stab.enabled = !chance(0.1);
    if (chance(0.15))
        c->stab.time_constant = real(pow(10, test_random(-3, 0)));
    c->place = test_random(0, 1);
    return c;
}

static inline double draw_gap(void)
{
    const int kind = draw_int(0, 5);
    if (kind < 3)
        return 0;
    return kind == 3 ? -pow(10, test_random(-9, -3)) : pow(10, test_random(-8, -1.5));
}

static inline spc_vec3 draw_normal(bool up)
{
    spc_vec3 n = vec(0, 0, 1);
    if (!up)
        return random_unit();
    if (chance(0.6))
        CHECK_STATUS(spc_normalize(spc_add(n, test_random_vec3(0.4)), &n), SPC_OK);
    return n;
}

/* A frame of body a, turned about its normal n, whose plane is so far below a place in G. */
static inline spc_transform plane_under(const tale *t, int a, spc_vec3 n, spc_vec3 p, double gap)
{
    spc_transform X = plane_at(n, spc_sub(p, spc_scale(real(gap), n)));
    X.q = spc_quat_mul(X.q, spc_quat_from_rotation_vector(vec(0, 0, test_random(-3, 3))));
    return spc_transform_mul(spc_transform_inverse(t->body[a].state.X_GB), X);
}

static inline void draw_ball(tale *t, int a, int b, spc_vec3 n, bool one_sided)
{
    const double r = test_random(0.08, 0.3);
    told_constraint *c = draw_constraint(t, SPC_SPHERE_ON_PLANE, a, b, r, one_sided);
    spc_vec3 low;
    c->ball = spc_sphere_on_plane_default();
    c->ball.radius = real(r);
    c->ball.rolling = chance(0.85);
    if (chance(0.3))
        c->ball.p_BS = test_random_vec3(0.1);
    low = spc_transform_point(t->body[b].state.X_GB, c->ball.p_BS);
    c->ball.X_FP = plane_under(t, a, n, spc_sub(low, spc_scale(real(r), n)), draw_gap());
    if (chance(0.15)) {
        c->law.bounded = true;
        c->law.half_length[0] = real(test_random(0.2, 0.6));
        c->law.half_length[1] = real(test_random(0.2, 0.6));
    }
}

/* A disc, or a coin of two rims, whose lowest point is in the plane or beside it. */
static inline void draw_disc(tale *t, int a, int b, spc_vec3 n, bool one_sided, bool coin)
{
    const double r = test_random(0.1, 0.3), half = coin ? test_random(0.005, 0.08) : 0;
    const spc_vec3 axis = random_unit();
    const spc_transform X_GB = t->body[b].state.X_GB;
    const spc_vec3 w1 = spc_rotate(X_GB.q, axis);
    const double down = dot(w1, n) > 0 ? -half : half;
    const int first = t->constraints;
    spc_vec3 w2 = vec(1, 0, 0), low;
    spc_transform X_FP;
    int k;
    (void)spc_normalize(spc_cross(w1, n), &w2);
    low =
        spc_add(X_GB.p, spc_add(spc_scale(real(down), w1), spc_scale(real(r), spc_cross(w1, w2))));
    X_FP = plane_under(t, a, n, low, draw_gap());
    for (k = 0; k < (coin ? 2 : 1); k++) {
        told_constraint *c = draw_constraint(t, SPC_ROLLING_DISC, a, b, r, one_sided);
        c->disc = spc_rolling_disc_default();
        c->disc.radius = real(r);
        c->disc.axis_B = axis;
        c->disc.p_BS = spc_scale(real(k ? half : -half), axis);
        c->disc.X_FP = X_FP;
        c->law = t->constraint[first].law;
        if (!coin && chance(0.15))
            c->disc.lateral = c->disc.longitudinal = false;
    }
}

static inline void draw_feet(tale *t, int a, int b, spc_vec3 n, int count, double r)
{
    const int first = t->constraints;
    spc_vec3 lowest = zero;
    double least = 0;
    int k;
    for (k = 0; k < count; k++) {
        told_constraint *c = draw_constraint(t, SPC_ATTACHMENT, a, b, r, true);
        spc_vec3 p;
        c->joint = spc_attachment_default();
        c->joint.locked = SPC_LOCK_TZ;
        c->joint.X_BM.p = vec(k & 1 ? r : -r, k & 2 ? r : -r, -0.7 * r);
        c->law = t->constraint[first].law;
        c->law.rolling_resistance = 0;
        p = spc_transform_point(t->body[b].state.X_GB, c->joint.X_BM.p);
        if (k == 0 || dot(p, n) < least) {
            lowest = p;
            least = dot(p, n);
        }
    }
    t->constraint[first].joint.X_AF = plane_under(t, a, n, lowest, draw_gap());
    for (k = first + 1; k < t->constraints; k++)
        t->constraint[k].joint.X_AF = t->constraint[first].joint.X_AF;
}

static inline void draw_joint(tale *t, int a, int b)
{
    static const unsigned named[8] = { SPC_BALL_JOINT,    SPC_HINGE,         SPC_SLIDER,
                                       SPC_CYLINDRICAL,   SPC_UNIVERSAL,     SPC_WELD,
                                       SPC_POINT_ON_LINE, SPC_POINT_ON_PLANE };
    told_constraint *c = draw_constraint(t, SPC_ATTACHMENT, a, b, 0.2, false);
    const spc_transform *X_GB = &t->body[b].state.X_GB;
    const spc_vec3 p = spc_add(X_GB->p, test_random_vec3(0.2)), axis = random_unit();
    const unsigned locked = chance(0.7) ? named[draw_int(0, 7)] : (unsigned)draw_int(1, 63);
    CHECK_STATUS(spc_attachment_at(&t->body[a].state.X_GB, X_GB, p, axis, locked, &c->joint),
                 SPC_OK);
    if (chance(0.25))
        c->joint.X_BM.p = spc_add(c->joint.X_BM.p, test_random_vec3(pow(10, test_random(-8, -2))));
}

static inline void draw_pair(tale *t, int a, int b, bool one_sided, bool hollow)
{
    const spc_vec3 at = t->body[b].state.X_GB.p;
    const double d = distance(t->body[a].state.X_GB.p, at), r = test_random(0.2, 0.6) * d;
    told_constraint *c = draw_constraint(t, SPC_SPHERE_ON_SPHERE, a, b, r, one_sided);
    c->pair = spc_sphere_on_sphere_default();
    c->pair.hollow = hollow;
    c->pair.rolling = chance(0.85);
    c->pair.radius_b = real(r);
    c->pair.radius_a = real(hollow ? d + r : d - r - draw_gap());
    c->law.surface_velocity[0] = c->law.surface_velocity[1] = 0; /* the axes are those of A */
    if (!(c->pair.radius_a > 0))
        t->constraints--;
}

/* One of what there is, on a body that moves as it is told. */
static inline void draw_piece(tale *t, int base, double speed)
{
    const double x = test_random(-2, 2), y = test_random(-2, 2);
    const spc_vec3 p = vec(x, y, test_random(0.2, 1));
    const int b = draw_body(t, false, p, speed), kind = draw_int(0, 8);
    const spc_vec3 n = draw_normal(kind < 8),
                   beside = spc_add(vec(0, 0, 0.4), test_random_vec3(0.2));
    int c, k;
    if (kind == 0 || kind == 8)
        draw_ball(t, base, b, n, kind == 0);
    if (kind == 1 || kind == 2)
        draw_disc(t, base, b, n, kind == 2 || chance(0.7), kind == 2);
    if (kind == 3 || kind == 7)
        draw_feet(t, base, b, n, draw_int(1, 4), test_random(0.1, 0.3));
    if (kind == 4)
        draw_joint(t, base, b);
    if (kind == 5)
        draw_pair(t, base, b, chance(0.8), chance(0.6));
    for (k = 0; kind == 6 && k < 3; k++)
        draw_ball(t, base, b, draw_normal(k < 2), true);
    if (kind < 3 || chance(0.6))
        return;
    c = draw_body(t, false, spc_add(p, beside), speed); /* and another one on it */
    k = draw_int(0, 4);
    if (k == 0)
        draw_ball(t, b, c, draw_normal(true), chance(0.8));
    if (k == 1)
        draw_disc(t, b, c, draw_normal(true), chance(0.8), false);
    if (k == 2)
        draw_joint(t, b, c);
    if (k > 2)
        draw_pair(t, b, c, chance(0.85), false);
    if (chance(0.4))
        draw_ball(t, base, c, draw_normal(true), true);
}

/* A floor that rests or moves, often one that moves and turns, and pieces on them. */
static inline void draw_tale(tale *t, int seed)
{
    double speed;
    int i, floors, pieces;
    test_seed = 7919u * (unsigned long long)seed + 12345u;
    for (i = 0; i < 5; i++)
        (void)test_random(0, 1);
    memset(t, 0, sizeof *t);
    t->bodies = 1;
    t->body[0].state = spc_state_identity();
    t->gravity = chance(0.9) ? vec(0, 0, -GRAVITY) : zero;
    speed = chance(0.2) ? 0 : pow(10, test_random(-1, 0.7));
    floors = draw_int(1, 2);
    for (i = 0; i < floors; i++)
        (void)draw_body(t, true, test_random_vec3(0.5), i == 0 ? 0 : 0.3);
    pieces = draw_int(1, 4);
    for (i = 0; i < pieces; i++)
        draw_piece(t, draw_int(1, floors), speed);
}

#endif
