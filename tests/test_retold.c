/* The same worlds told in other ways move in the same way: turned, mirrored, on floors that fly by,
   with bodies and constraints in another order, frames elsewhere, masses and units of another size,
   beside others. Steps and calls from states of random worlds of all kinds, which need no
   reference; and what lands on floors that turn and fly. */
#include "retold.h"

#define WORLDS LONG_OR_SHORT(600, 16)
#define STATES LONG_OR_SHORT(6, 3) /* of each */
#define TRIES 4                    /* of a state that is changed by rounding */

typedef enum way {
    TURNED,
    MIRRORED,
    FLYING,
    REORDERED,
    SWAPPED,
    OTHER_FRAMES,
    OTHER_PLANES,
    HEAVIER,
    OTHER_UNITS,
    DISABLED,
    BESIDE,
    WAYS
} way;

static const char *const names[WAYS] = { "turned",      "mirrored",     "flying",       "reordered",
                                         "swapped",     "other frames", "other planes", "heavier",
                                         "other units", "disabled",     "beside" };

/* How a tale is told. X, v: where and how fast everything is; frame: of a body in another. */
typedef struct telling {
    way way;
    spc_transform X, frame[MOST_BODIES];
    spc_vec3 v;
    double metre, kilogram, second, turn[MOST_CONSTRAINTS];
} telling;

static telling draw_telling(way kind, int seed)
{
    telling h;
    int i;
    memset(&h, 0, sizeof h);
    test_seed = 104729u * (unsigned long long)seed + 17u * (unsigned)kind + 3u;
    for (i = 0; i < 5; i++)
        (void)test_random(0, 1);
    h.way = kind;
    h.X = test_random_transform(1);
    h.v = test_random_vec3(2);
    h.metre = h.kilogram = h.second = 1;
    for (i = 0; i < MOST_BODIES; i++)
        h.frame[i] = test_random_transform(0.2);
    for (i = 0; i < MOST_CONSTRAINTS; i++)
        h.turn[i] = test_random(-3, 3);
    if (kind == OTHER_UNITS) {
        h.metre = ldexp(1, draw_int(-4, 4));
        h.kilogram = ldexp(1, draw_int(-4, 4));
        h.second = ldexp(1, draw_int(-4, 4));
    }
    if (kind == HEAVIER)
        h.kilogram = pow(10, test_random(-4, 4));
    return h;
}

/* Mirrored in y: places, axes of turns, and frames, whose own y is mirrored, too. */
static spc_vec3 mirrored(spc_vec3 v)
{
    return spc_vec3_make(v.x, -v.y, v.z);
}

static spc_vec3 mirrored_turn(spc_vec3 v)
{
    return spc_vec3_make(-v.x, v.y, -v.z);
}

static spc_spatial mirrored_motion(spc_spatial V)
{
    return spc_spatial_make(mirrored_turn(V.angular), mirrored(V.linear));
}

static spc_transform mirrored_frame(spc_transform X)
{
    return spc_transform_make(spc_quat_make(X.q.w, -X.q.x, X.q.y, -X.q.z), mirrored(X.p));
}

static spc_spatial turned(spc_quat q, spc_spatial V)
{
    return spc_spatial_make(spc_rotate(q, V.angular), spc_rotate(q, V.linear));
}

static spc_vec3 scaled(double s, spc_vec3 v)
{
    return spc_scale(real(s), v);
}

/* A state with the frame of its body elsewhere. */
static spc_state with_frame(spc_state s, spc_transform X_BN)
{
    const spc_vec3 arm = spc_rotate(s.X_GB.q, X_BN.p);
    s.V_GB.linear = spc_add(s.V_GB.linear, spc_cross(s.V_GB.angular, arm));
    s.X_GB = spc_transform_mul(s.X_GB, X_BN);
    return s;
}

static bool has_frame(const telling *h, const told_body *b)
{
    const spc_inertia *I = &b->mass.inertia;
    return h->way == OTHER_FRAMES && !b->moved && (I->xx < I->yy || I->xx > I->yy);
}

/* A state as it is told, and what is told as it was, time after that. */
static spc_state tell_state(const telling *h, const tale *t, int i)
{
    spc_state s = t->body[i].state;
    if (h->way == TURNED)
        s.X_GB = spc_transform_mul(h->X, s.X_GB);
    if (h->way == TURNED)
        s.V_GB = turned(h->X.q, s.V_GB);
    if (h->way == MIRRORED) {
        s.X_GB = mirrored_frame(s.X_GB);
        s.V_GB = mirrored_motion(s.V_GB);
    }
    if (h->way == FLYING)
        s.V_GB.linear = spc_add(s.V_GB.linear, h->v);
    if (has_frame(h, &t->body[i]))
        s = with_frame(s, h->frame[i]);
    s.X_GB.p = scaled(h->metre, s.X_GB.p);
    s.V_GB.linear = scaled(h->metre / h->second, s.V_GB.linear);
    s.V_GB.angular = scaled(1 / h->second, s.V_GB.angular);
    return s;
}

static spc_state hear_state(const telling *h, const tale *t, int i, spc_state s, double time)
{
    const spc_transform back = spc_transform_inverse(h->X);
    s.X_GB.p = scaled(1 / h->metre, s.X_GB.p);
    s.V_GB.linear = scaled(h->second / h->metre, s.V_GB.linear);
    s.V_GB.angular = scaled(h->second, s.V_GB.angular);
    if (h->way == TURNED) {
        s.X_GB = spc_transform_mul(back, s.X_GB);
        s.V_GB = turned(back.q, s.V_GB);
    }
    if (h->way == MIRRORED) {
        s.X_GB = mirrored_frame(s.X_GB);
        s.V_GB = mirrored_motion(s.V_GB);
    }
    if (h->way == FLYING) {
        s.V_GB.linear = spc_sub(s.V_GB.linear, h->v);
        s.X_GB.p = spc_sub(s.X_GB.p, scaled(time, h->v));
    }
    if (has_frame(h, &t->body[i]))
        s = with_frame(s, spc_transform_inverse(h->frame[i]));
    return s;
}

/* Makes a tale one that may be told so: planes that are turned do not end. */
static void prepare(const telling *h, tale *t)
{
    int i;
    for (i = 0; i < t->constraints && h->way == OTHER_PLANES; i++)
        t->constraint[i].law.bounded = false;
}

static void tell_body(const telling *h, const tale *t, int i, told_body *b)
{
    const double L = h->metre, M = h->kilogram, T = h->second, moment = M * L * L;
    const spc_transform back = spc_transform_inverse(h->frame[i]);
    spc_inertia *I = &b->mass.inertia;
    b->state = tell_state(h, t, i);
    b->mass.mass *= real(M);
    b->mass.p_BBc = scaled(L, b->mass.p_BBc);
    I->xx *= real(moment);
    I->yy *= real(moment);
    I->zz *= real(moment);
    I->xy *= real(moment);
    I->xz *= real(moment);
    I->yz *= real(moment);
    b->acceleration.angular = scaled(1 / (T * T), b->acceleration.angular);
    b->acceleration.linear = scaled(L / (T * T), b->acceleration.linear);
    b->force.angular = scaled(moment / (T * T), b->force.angular);
    if (h->way == TURNED) {
        b->acceleration = turned(h->X.q, b->acceleration);
        b->force = turned(h->X.q, b->force);
    }
    if (h->way == MIRRORED) {
        b->acceleration = mirrored_motion(b->acceleration);
        b->force = mirrored_motion(b->force);
        b->mass.p_BBc = mirrored(b->mass.p_BBc);
        I->xy = -I->xy;
        I->yz = -I->yz;
    }
    if (has_frame(h, &t->body[i])) {
        b->mass.p_BBc = spc_transform_point(back, b->mass.p_BBc);
        *I = spc_inertia_rotate(spc_mat3_from_quat(back.q), *I);
    }
}

/* The frame on A of a constraint, and the point on B; none of two spheres. */
static spc_transform *frame_on_a(told_constraint *c)
{
    return c->kind == SPC_SPHERE_ON_PLANE ? &c->ball.X_FP
           : c->kind == SPC_ROLLING_DISC  ? &c->disc.X_FP
           : c->kind == SPC_ATTACHMENT    ? &c->joint.X_AF
                                          : NULL;
}

static spc_vec3 *point_on_b(told_constraint *c)
{
    return c->kind == SPC_SPHERE_ON_PLANE ? &c->ball.p_BS
           : c->kind == SPC_ROLLING_DISC  ? &c->disc.p_BS
           : c->kind == SPC_ATTACHMENT    ? &c->joint.X_BM.p
                                          : &c->pair.p_BSb;
}

static void scale_constraint(const telling *h, told_constraint *c)
{
    const spc_real L = real(h->metre), speed = real(h->metre / h->second);
    spc_transform *X = frame_on_a(c);
    int i;
    if (X)
        X->p = spc_scale(L, X->p);
    *point_on_b(c) = spc_scale(L, *point_on_b(c));
    c->ball.radius *= L;
    c->disc.radius *= L;
    c->pair.radius_a *= L;
    c->pair.radius_b *= L;
    c->stab.time_constant *= real(h->second);
    c->law.restitution_speed *= speed;
    c->law.rolling_resistance *= L;
    c->law.spinning_resistance *= L;
    for (i = 0; i < 2; i++) {
        c->law.surface_velocity[i] *= speed;
        c->law.half_length[i] *= L;
    }
}

static void mirror_constraint(told_constraint *c)
{
    spc_transform *X = frame_on_a(c);
    if (X)
        *X = mirrored_frame(*X);
    c->joint.X_BM.q = mirrored_frame(c->joint.X_BM).q;
    *point_on_b(c) = mirrored(*point_on_b(c));
    c->disc.axis_B = mirrored(c->disc.axis_B);
    c->law.surface_velocity[1] = -c->law.surface_velocity[1];
}

/* Two spheres outside of each other are the same the other way round. */
static void swap_constraint(told_constraint *c)
{
    const told_constraint old = *c;
    if (c->kind != SPC_SPHERE_ON_SPHERE || c->pair.hollow)
        return;
    c->a = old.b;
    c->b = old.a;
    c->pair.radius_a = old.pair.radius_b;
    c->pair.radius_b = old.pair.radius_a;
    c->pair.p_ASa = old.pair.p_BSb;
    c->pair.p_BSb = old.pair.p_ASa;
}

/* With the frames of its bodies elsewhere. */
static void frame_constraint(const telling *h, const tale *t, told_constraint *c)
{
    const spc_transform a = spc_transform_inverse(h->frame[c->a]);
    const spc_transform b = spc_transform_inverse(h->frame[c->b]);
    spc_transform *X = frame_on_a(c);
    if (has_frame(h, &t->body[c->a])) {
        if (X)
            *X = spc_transform_mul(a, *X);
        c->pair.p_ASa = spc_transform_point(a, c->pair.p_ASa);
    }
    if (has_frame(h, &t->body[c->b])) {
        c->disc.axis_B = spc_rotate(b.q, c->disc.axis_B);
        c->joint.X_BM.q = spc_quat_mul(b.q, c->joint.X_BM.q);
        *point_on_b(c) = spc_transform_point(b, *point_on_b(c));
    }
}

/* The frame of a plane turned about its normal and moved along itself; belts run on. */
static void turn_plane(told_constraint *c, double angle, double way_x)
{
    const double x = (double)c->law.surface_velocity[0], y = (double)c->law.surface_velocity[1];
    const spc_vec3 turn = vec(0, 0, angle);
    spc_transform *X = frame_on_a(c);
    if (!X || (c->kind == SPC_ATTACHMENT && !c->one_sided))
        return;
    X->p = spc_add(X->p, spc_rotate(X->q, vec(way_x, 0, 0)));
    X->q = spc_quat_mul(X->q, spc_quat_from_rotation_vector(turn));
    c->law.surface_velocity[0] = real(cos(angle) * x + sin(angle) * y);
    c->law.surface_velocity[1] = real(cos(angle) * y - sin(angle) * x);
}

/* What has nothing to do with the others: a ball that slides, far away on ground. */
static void add_other(tale *t)
{
    const int b = t->bodies++;
    told_constraint *c = &t->constraint[t->constraints++];
    memset(&t->body[b], 0, sizeof t->body[b]);
    memset(c, 0, sizeof *c);
    t->body[b].mass = spc_mass_solid_sphere(1, real(0.125));
    t->body[b].state = spc_state_identity();
    t->body[b].state.X_GB.p = vec(40, 30, 0.125);
    t->body[b].state.V_GB.linear = vec(1, 2, 0);
    c->b = b;
    c->ball = spc_sphere_on_plane_default();
    c->ball.radius = real(0.125);
    c->one_sided = c->enabled = true;
    c->law = law_of(0.3, 0.5);
    c->stab = spc_stabilization_default();
}

static void tell_tale(const telling *h, const tale *t, tale *told)
{
    const int count = t->constraints;
    int i;
    *told = *t;
    told->reordered = h->way == REORDERED;
    told->gravity = scaled(h->metre / (h->second * h->second), t->gravity);
    if (h->way == TURNED)
        told->gravity = spc_rotate(h->X.q, t->gravity);
    for (i = 1; i < t->bodies; i++)
        tell_body(h, t, i, &told->body[i]);
    for (i = 0; i < count; i++) {
        told_constraint *c = &told->constraint[i];
        scale_constraint(h, c);
        frame_constraint(h, t, c);
        if (h->way == MIRRORED)
            mirror_constraint(c);
        if (h->way == SWAPPED)
            swap_constraint(c);
        if (h->way == OTHER_PLANES)
            turn_plane(c, h->turn[i], h->turn[0]);
        if (h->way == DISABLED && i < 3) {
            told->constraint[told->constraints] = t->constraint[i];
            told->constraint[told->constraints++].enabled = false;
        }
    }
    if (h->way == BESIDE)
        add_other(told);
}

/* ------------------------------------------------------------------ calls and results --------- */

typedef struct result {
    spc_status status;
    spc_state state[MOST_BODIES];
    spc_spatial acceleration[MOST_BODIES];
    spc_world_report report;
} result;

/* What a tale comes to by a call of try_call. */
static void call_tale(const tale *t, int call, double h, result *r)
{
    told_world made;
    int i;
    memset(r, 0, sizeof *r);
    r->status = make_world(t, &made);
    spc_status_keep(&r->status, try_call(made.world, call, h));
    for (i = 1; i < t->bodies && !r->status; i++)
        r->state[i] = state_of(made.world, made.body[i]);
    r->report = report_of(made.world);
    free(made.world);
}

/* How far two states are apart beside a speed, through h. */
static double apart(spc_state a, spc_state b, double speed, double h)
{
    const spc_quat q = a.X_GB.q, r = b.X_GB.q;
    const double same = (double)(q.w * r.w + q.x * r.x + q.y * r.y + q.z * r.z) < 0 ? -1 : 1;
    const double w = (double)q.w - same * (double)r.w;
    const spc_vec3 turn =
        spc_sub(spc_vec3_make(q.x, q.y, q.z), scaled(same, spc_vec3_make(r.x, r.y, r.z)));
    const double moved = distance(a.X_GB.p, b.X_GB.p) + 0.6 * hypot(length(turn), w);
    return (moved / h + distance(a.V_GB.linear, b.V_GB.linear) +
            0.3 * distance(a.V_GB.angular, b.V_GB.angular)) /
           speed;
}

/* The largest difference of what moves freely, beside what is fastest. */
static double differ(const telling *h, const tale *t, const result *one, const result *other,
                     double step, bool moves)
{
    double speed = length(t->gravity) * step + 1e-3, most = 0;
    int i;
    if (one->status != other->status)
        return 1e9;
    for (i = 1; i < t->bodies && !one->status; i++) {
        const spc_spatial V = one->state[i].V_GB, before = t->body[i].state.V_GB;
        speed = fmax(speed, length(V.linear) + 0.3 * length(V.angular));
        speed = fmax(speed, length(before.linear) + 0.3 * length(before.angular));
    }
    for (i = 1; i < t->bodies && !one->status; i++) {
        const spc_state heard =
            h ? hear_state(h, t, i, other->state[i], moves ? step : 0) : other->state[i];
        if (!t->body[i].moved)
            note(&most, apart(heard, one->state[i], speed, moves ? step : 1));
    }
    return most;
}

/* The same tale but for rounding of what moves freely. */
static void shake(const tale *t, tale *shaken)
{
    int i;
    *shaken = *t;
    for (i = 1; i < t->bodies; i++) {
        spc_state *s = &shaken->body[i].state;
        if (t->body[i].moved)
            continue;
        s->X_GB.p = spc_add(s->X_GB.p, test_random_vec3(2 * TEST_EPSILON));
        s->X_GB.q.x += real(test_random(-TEST_EPSILON, TEST_EPSILON));
        s->V_GB.linear = spc_add(s->V_GB.linear, test_random_vec3(4 * TEST_EPSILON));
        s->V_GB.angular = spc_add(s->V_GB.angular, test_random_vec3(4 * TEST_EPSILON));
    }
}

/* What rounding of a state comes to in a call. */
static double noise_of(const tale *t, int call, double h, bool moves, const result *r)
{
    static tale shaken;
    static result other;
    double most = 0;
    int i;
    for (i = 0; i < TRIES; i++) {
        shake(t, &shaken);
        call_tale(&shaken, call, h, &other);
        note(&most, differ(NULL, t, r, &other, h, moves));
    }
    return most;
}

/* What is told apart by rounding may be told so. What is not solved is told, and may be anything;
   which of redundant rows are left to the others, and so which errors decay, is chosen by order,
   direction and unit. */
#define ALIKE IN_DOUBLE_OR_FLOAT(1e-9, 1e-2)
#define OVER_NOISE IN_DOUBLE_OR_FLOAT(1e4, 1e2)

static bool is_chosen(const result *r)
{
    return r->report.unsolved > 0 || r->report.redundant_rows > 0;
}

/* Is a call the same told in another way? */
static bool is_alike(const tale *given, way kind, int seed, int call, double step, double *most)
{
    static tale t, told;
    static result one, other;
    const bool moves = call <= 2;
    telling h = draw_telling(kind, seed);
    double d;
    t = *given;
    prepare(&h, &t);
    tell_tale(&h, &t, &told);
    call_tale(&t, call, step, &one);
    call_tale(&told, call, step * h.second, &other);
    d = differ(&h, &t, &one, &other, step, moves);
    if (is_chosen(&one) || is_chosen(&other))
        return true;
    if (kind == OTHER_UNITS || (kind == BESIDE && moves))
        return d <= 0;
    if (d <= ALIKE || d <= OVER_NOISE * noise_of(&t, call, step, moves, &one)) {
        if (d <= ALIKE)
            note(most, d);
        return true;
    }
    printf("%s: world %d, call %d: %.3g\n", names[kind], seed, call, d);
    return false;
}

/* A later state of a tale; false: there is none. */
static bool go_on(tale *t, double h, bool project)
{
    told_world made;
    spc_status status = make_world(t, &made);
    int i;
    if (project)
        spc_status_keep(&status, spc_world_project_velocities(made.world));
    for (i = 0; i < 3 && !project; i++)
        spc_status_keep(&status, spc_step(made.world, real(h)));
    for (i = 1; i < t->bodies && !status; i++)
        t->body[i].state = state_of(made.world, made.body[i]);
    free(made.world);
    return !status;
}

/* All ways of telling, by steps and, at times, by impacts and projection of velocities: of some
   43,000 all but 16 agree in double, or are told apart by rounding. In these the search for
   impulses ends elsewhere, or contacts that nearly touch are struck in another order. */
#define OTHERS LONG_OR_SHORT(IN_DOUBLE_OR_FLOAT(16, 15), IN_DOUBLE_OR_FLOAT(0, 1))

static void a_world_told_in_another_way_is_the_same(void)
{
    static tale t;
    double most[WAYS] = { 0 };
    int seed, n, k, other = 0;
    for (seed = 0; seed < WORLDS; seed++) {
        const double h = 1 / rates[seed % RATES];
        draw_tale(&t, seed);
        for (n = 0; n < STATES && go_on(&t, h, n == 0); n++)
            for (k = 0; k < WAYS; k++) {
                const int call = (n + k) % 5 == 0 ? 4 : (n + k) % 5 == 1 ? 5 : 0;
                other += !is_alike(&t, (way)k, 10 * seed + n, 0, h, &most[k]);
                if (call)
                    other += !is_alike(&t, (way)k, 10 * seed + n, call, h, &most[k]);
            }
    }
    for (k = 0; k < WAYS; k++)
        print_seen(names[k], most[k]);
    CHECK(other <= (int)OTHERS);
}

/* -------------------------------------------------------------- floors that turn and fly ------ */

/* A ball without friction, or a body that touches twice, that lands on a floor that turns, and
   slides there: 1/15 s later, as seen from the floor, which flies. */
static spc_state landed(double hz, int contacts, spc_vec3 flies)
{
    const double r = 0.25, time = 1.0 / 15;
    const spc_vec3 spin = vec(0.4, -0.3, 0.2), p = vec(0.6, 0.8, r + 0.003);
    const spc_vec3 beside = spc_cross(spin, vec(0.6, 0.8, 0));
    spc_world *w = contact_world(2, 2, vec(0, 0, -GRAVITY));
    const spc_body floor = put_moved(w, zero, flies);
    const spc_body ball = put_body(w, spc_mass_solid_sphere(1, real(r)), p, zero,
                                   spc_add(spc_add(flies, beside), vec(0.7, -1.3, -0.2)));
    spc_state s;
    int i;
    CHECK_STATUS(spc_body_set_velocity(w, floor, spc_spatial_make(spin, flies)), SPC_OK);
    for (i = 0; i < contacts; i++)
        (void)put_on_plane(w, floor, level(0), ball, r, law_of(contacts > 1 ? 0.3 : 0, 0));
    take_steps(w, 1 / hz, (int)(time * hz + 0.5));
    s = state_of(w, ball);
    s.X_GB.p = spc_sub(s.X_GB.p, scaled(time, flies));
    s.V_GB.linear = spc_sub(s.V_GB.linear, flies);
    free(w);
    return s;
}

/* 4 times as many steps leave a 16th of the error, wherever the floor flies. */
static void what_lands_on_a_floor_that_turns_is_of_second_order(void)
{
    int contacts;
    for (contacts = 1; contacts <= 2; contacts++) {
        const spc_vec3 exact = landed(15360, contacts, zero).X_GB.p;
        const double coarse = distance(landed(60, contacts, zero).X_GB.p, exact);
        const double fine = distance(landed(240, contacts, zero).X_GB.p, exact);
        CHECK(coarse < 2e-5);
        CHECK(fine < coarse / 10 + IN_DOUBLE_OR_FLOAT(0, 1e-5));
    }
}

static void a_floor_that_flies_by_changes_nothing(void)
{
    int contacts, hz;
    for (contacts = 1; contacts <= 2; contacts++)
        for (hz = 15; hz <= 240; hz *= 4) {
            const spc_state rests = landed(hz, contacts, zero);
            const spc_state flies = landed(hz, contacts, vec(8, 4, -8));
            const double few = IN_DOUBLE_OR_FLOAT(1e-12, 1e-4);
            CHECK_NEAR(distance(rests.X_GB.p, flies.X_GB.p), 0, few);
            CHECK_NEAR(distance(rests.V_GB.linear, flies.V_GB.linear), 0, few);
        }
}

static const test_entry tests[] = { TEST(a_world_told_in_another_way_is_the_same),
                                    TEST(what_lands_on_a_floor_that_turns_is_of_second_order),
                                    TEST(a_floor_that_flies_by_changes_nothing) };

TEST_MAIN
