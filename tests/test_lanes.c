/* Balls that are stepped side by side: none may know of the others, of what stands in the lanes
   beside it, or of what was there before. */
#include "test.h"
#include "contacts.h"
#include "states.h"
#include <fenv.h>

#define MOST 19 /* balls: more than two groups of eight */

typedef struct crowd {
    spc_world *world;
    spc_body table, ball[MOST], pair[2];
    spc_constraint contact[MOST], joint;
} crowd;

/* What a ball begins with. */
typedef struct ball {
    spc_body_desc body;
    spc_sphere_on_plane shape;
    spc_stabilization stabilization;
    spc_contact_law law;
    bool on_table, one_sided;
} ball;

static spc_world *make_world(int bodies, int constraints)
{
    spc_world_desc desc = spc_world_desc_default(bodies, constraints);
    desc.rows = 6 * constraints;
    desc.gravity = spc_vec3_make(SPC_R(0.5), SPC_R(-0.25), SPC_R(-9.81));
    return test_world(&desc);
}

/* Of all that a law may be, also one whose plane ends, or that resists rolling on what moves, for
   which there are no lanes. */
static spc_contact_law random_law(void)
{
    spc_contact_law law = spc_contact_law_default();
    law.grip = test_random(0, 1) < 0.2;
    law.friction = test_random(0, 1) < 0.2 ? 0 : (spc_real)test_random(0, 1.5);
    law.restitution = test_random(0, 1) < 0.3 ? 0 : (spc_real)test_random(0, 1);
    law.restitution_speed = test_random(0, 1) < 0.5 ? 0 : (spc_real)test_random(0, 0.5);
    law.passive = test_random(0, 1) < 0.3;
    law.propagates = test_random(0, 1) < 0.3;
    if (test_random(0, 1) < 0.3)
        law.surface_velocity[test_random(0, 1) < 0.5] = (spc_real)test_random(-1, 1);
    if (test_random(0, 1) < 0.3)
        law.rolling_resistance = (spc_real)test_random(0, 0.05);
    if (test_random(0, 1) < 0.3)
        law.spinning_resistance = (spc_real)test_random(0, 0.02);
    law.bounded = test_random(0, 1) < 0.1;
    law.half_length[0] = law.half_length[1] = 1;
    return law;
}

static ball random_ball(void)
{
    const spc_real radius = (spc_real)test_random(0.05, 2);
    ball b;
    b.body = spc_body_desc_default();
    b.body.mass = spc_mass_solid_sphere((spc_real)test_random(0.1, 10), radius);
    b.body.state = test_random_state();
    if (test_random(0, 1) < 0.3) /* a turn of more than a radian in a step */
        b.body.state.V_GB.angular = spc_scale(300, b.body.state.V_GB.angular);
    if (test_random(0, 1) < 0.2)
        b.body.state.V_GB = spc_spatial_make(spc_vec3_make(0, 0, 0), spc_vec3_make(0, 0, 0));
    b.shape = spc_sphere_on_plane_default();
    b.shape.radius = radius;
    b.shape.rolling = test_random(0, 1) < 0.7;
    if (test_random(0, 1) < 0.3)
        b.shape.X_FP = test_random_transform(1);
    b.stabilization = spc_stabilization_default();
    b.stabilization.time_constant = (spc_real)test_random(0.001, 1);
    b.stabilization.enabled = test_random(0, 1) < 0.8;
    b.stabilization.ignore_position = test_random(0, 1) < 0.2 ? 4u : 0u;
    b.stabilization.ignore_velocity = test_random(0, 1) < 0.3 ? (unsigned)test_random(0, 8) : 0u;
    b.on_table = test_random(0, 1) < 0.4;
    b.one_sided = test_random(0, 1) < 0.5;
    b.law = random_law();
    if (b.one_sided && test_random(0, 1) < 0.6) { /* on its plane, or near it */
        const double height = test_random(0, 1) < 0.4 ? 0 : test_random(-0.01, 0.3);
        b.shape.X_FP = spc_transform_identity();
        b.body.state.X_GB.p.z = radius + (spc_real)height;
        b.on_table = false;
    }
    return b;
}

static spc_transform table_pose(void)
{
    return spc_transform_make(spc_quat_make(SPC_R(0.8), SPC_R(0.6), 0, 0),
                              spc_vec3_make(SPC_R(0.5), 0, 1));
}

static void add_table(crowd *c)
{
    spc_body_desc table = spc_body_desc_default();
    table.kind = SPC_KINEMATIC;
    table.state.X_GB = table_pose();
    table.state.V_GB = spc_spatial_make(spc_vec3_make(SPC_R(0.25), 0, 3), spc_vec3_make(0, 1, 0));
    CHECK_STATUS(spc_body_add(c->world, &table, &c->table), SPC_OK);
}

static void add_ball(crowd *c, int i, const ball *b)
{
    spc_sphere_on_plane_desc desc = spc_sphere_on_plane_desc_default();
    CHECK_STATUS(spc_body_add(c->world, &b->body, &c->ball[i]), SPC_OK);
    desc.floor.index = b->on_table ? c->table.index : 0;
    desc.floor.generation = b->on_table ? c->table.generation : 0;
    desc.ball = c->ball[i];
    desc.shape = b->shape;
    desc.one_sided = b->one_sided;
    desc.law = b->law;
    CHECK_STATUS(spc_sphere_on_plane_add(c->world, &desc, &c->contact[i]), SPC_OK);
    CHECK_STATUS(spc_constraint_set_stabilization(c->world, c->contact[i], &b->stabilization),
                 SPC_OK);
}

/* At least two balls, with bodies between them that are none: on a joint, whose switching finds all
   anew. */
static crowd make_crowd(const ball *b, int n)
{
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_body_desc box = spc_body_desc_default();
    crowd c;
    int i;
    c.world = make_world(n + 3, n + 1);
    add_table(&c);
    box.mass = spc_mass_box(1, spc_vec3_make(1, 2, 3));
    for (i = 0; i < n; i++) {
        if (i == 0 || i == n - 1)
            CHECK_STATUS(spc_body_add(c.world, &box, &c.pair[i > 0]), SPC_OK);
        add_ball(&c, i, &b[i]);
    }
    joint.a = c.pair[0];
    joint.b = c.pair[1];
    CHECK_STATUS(spc_attachment_add(c.world, &joint, &c.joint), SPC_OK);
    return c;
}

/* Do a ball's state and multipliers have the same bits in two worlds? */
static bool is_same(const spc_world *v, spc_body a, spc_constraint c, const spc_world *w,
                    spc_body b, spc_constraint d)
{
    spc_real one[SPC_MAX_ROWS], other[SPC_MAX_ROWS];
    spc_contact_info x, y;
    spc_state s, t;
    int i;
    bool same;
    memset(&x, 0, sizeof x);
    memset(&y, 0, sizeof y);
    CHECK_STATUS(spc_constraint_get_contact(v, c, &x), SPC_OK);
    CHECK_STATUS(spc_constraint_get_contact(w, d, &y), SPC_OK);
    CHECK_STATUS(spc_body_get_state(v, a, &s), SPC_OK);
    CHECK_STATUS(spc_body_get_state(w, b, &t), SPC_OK);
    CHECK_STATUS(spc_constraint_get_multipliers(v, c, one), SPC_OK);
    CHECK_STATUS(spc_constraint_get_multipliers(w, d, other), SPC_OK);
    same = memcmp(&s, &t, sizeof s) == 0;
    for (i = 0; i < SPC_MAX_ROWS; i++)
        same = same && one[i] <= other[i] && one[i] >= other[i];
    return same && x.state == y.state && x.began == y.began && x.ended == y.ended &&
           x.hit_speed <= y.hit_speed && x.hit_speed >= y.hit_speed;
}

static void take_twenty(spc_world *w)
{
    int k;
    for (k = 0; k < 20; k++)
        CHECK_STATUS(spc_step(w, SPC_R(0.005)), SPC_OK);
}

/* A body that is alone is after twenty steps what it is among others as the one in place i. */
static void ends_as_in(crowd *alone, const crowd *all, int i)
{
    take_twenty(alone->world);
    CHECK(is_same(alone->world, alone->ball[0], alone->contact[0], all->world, all->ball[i],
                  all->contact[i]));
    free(alone->world);
}

/* The same bits alone and among any number of others, on floors that move or not, with whatever
   options. */
static void a_ball_moves_as_if_it_were_alone(void)
{
    ball b[MOST];
    int n, i;
    for (n = 2; n <= MOST; n++) {
        crowd all;
        for (i = 0; i < n; i++)
            b[i] = random_ball();
        all = make_crowd(b, n);
        take_twenty(all.world);
        for (i = 0; i < n; i++) {
            crowd alone;
            alone.world = make_world(2, 1);
            add_table(&alone);
            add_ball(&alone, 0, &b[i]);
            ends_as_in(&alone, &all, i);
        }
        free(all.world);
    }
}

/* Bodies with one contact that are no balls of lanes, of so many kinds. */
enum { OFF_CENTRE, TOP, THREE_MOMENTS, DISC, LOPSIDED_DISC, KINDS };

typedef struct lone {
    spc_body_desc body;
    spc_sphere_on_plane sphere;
    spc_rolling_disc disc;
    spc_stabilization stabilization;
    bool pushed;
} lone;

static spc_mass lone_mass(int kind)
{
    spc_mass mass = spc_mass_solid_sphere((spc_real)test_random(0.5, 2), 1);
    if (kind == DISC || kind == LOPSIDED_DISC)
        mass = spc_mass_cylinder((spc_real)test_random(0.5, 2), 1, SPC_R(0.1));
    if (kind == TOP)
        mass.inertia.yy *= (spc_real)test_random(0.5, 1.5);
    if (kind == THREE_MOMENTS || kind == LOPSIDED_DISC) {
        mass.inertia.xx *= SPC_R(1.75);
        mass.inertia.xy = SPC_R(0.0625) * mass.inertia.xx;
    }
    if (kind == OFF_CENTRE || kind == LOPSIDED_DISC || test_random(0, 1) < 0.3)
        mass.p_BBc = spc_scale(SPC_R(0.125), test_random_vec3(1));
    return mass;
}

/* One that may be off its plane, turn by more than lanes do, or have what they do not take. A disc
   stands nearly upright, and rolls along a line; if its mass is its centre's, also fast. */
static lone random_lone(int kind)
{
    const double calm = test_random(0, 1);
    const spc_vec3 lean = spc_vec3_make(SPC_R(1.5) + SPC_R(0.1) * test_random_vec3(1).x, 0, 0);
    lone b;
    b.body = spc_body_desc_default();
    b.body.mass = lone_mass(kind);
    b.body.state = test_random_state();
    if (calm < 0.2)
        b.body.state.V_GB = spc_spatial_make(spc_vec3_make(0, 0, 0), spc_vec3_make(0, 0, 0));
    if (kind < DISC && calm > 0.9)
        b.body.state.V_GB.angular =
            spc_scale(SPC_R(calm > 0.95 ? 2000 : 200), b.body.state.V_GB.angular);
    b.sphere = spc_sphere_on_plane_default();
    b.sphere.radius = 1;
    b.sphere.rolling = test_random(0, 1) < 0.95;
    b.disc = spc_rolling_disc_default();
    b.disc.radius = 1;
    b.disc.axis_B = spc_vec3_make(0, 0, 1);
    if (kind >= DISC) {
        b.body.state.X_GB.q = spc_quat_from_rotation_vector(lean);
        b.body.state.V_GB.angular =
            spc_rotate(b.body.state.X_GB.q,
                       spc_vec3_make(0, 0, SPC_R(calm > 0.8 && kind == DISC ? 250 : calm)));
    }
    if (kind == DISC && calm > 0.8)
        b.body.mass.p_BBc = spc_vec3_make(0, 0, 0);
    else if (test_random(0, 1) < 0.3)
        b.sphere.p_BS = b.disc.p_BS = spc_scale(SPC_R(0.125), test_random_vec3(1));
    if (test_random(0, 1) < 0.3 && kind < DISC)
        b.sphere.X_FP = test_random_transform(1);
    if (test_random(0, 1) < 0.5) /* on its plane but for a little */
        b.body.state.X_GB.p.z = 1 + SPC_R(0.001) * test_random_vec3(1).z;
    b.stabilization = spc_stabilization_default();
    b.stabilization.enabled = test_random(0, 1) < 0.9;
    b.stabilization.time_constant = (spc_real)test_random(0.001, 1);
    b.stabilization.ignore_velocity = test_random(0, 1) < 0.05 ? 2u : 0u;
    b.stabilization.ignore_position = test_random(0, 1) < 0.1 ? 4u : 0u;
    b.pushed = test_random(0, 1) < 0.05;
    return b;
}

static void add_lone(crowd *c, int i, const lone *b, bool disc)
{
    const spc_vec3 push = spc_vec3_make(1, 0, SPC_R(0.5));
    spc_sphere_on_plane_desc sphere = spc_sphere_on_plane_desc_default();
    spc_rolling_disc_desc rim = spc_rolling_disc_desc_default();
    CHECK_STATUS(spc_body_add(c->world, &b->body, &c->ball[i]), SPC_OK);
    rim.disc = sphere.ball = c->ball[i];
    sphere.shape = b->sphere;
    rim.shape = b->disc;
    if (disc)
        CHECK_STATUS(spc_rolling_disc_add(c->world, &rim, &c->contact[i]), SPC_OK);
    else
        CHECK_STATUS(spc_sphere_on_plane_add(c->world, &sphere, &c->contact[i]), SPC_OK);
    CHECK_STATUS(spc_constraint_set_stabilization(c->world, c->contact[i], &b->stabilization),
                 SPC_OK);
    if (b->pushed)
        CHECK_STATUS(spc_body_add_force(c->world, c->ball[i], push, push, SPC_LASTING), SPC_OK);
}

/* The same for those whose mass or contact is another one's: as many as fill lanes, and some. */
static void a_lone_body_moves_as_if_it_were_alone(void)
{
    lone b[MOST];
    int kind, round, i;
    for (kind = 0; kind < KINDS; kind++)
        for (round = 0; round < 12; round++) {
            crowd all;
            all.world = make_world(MOST, MOST);
            for (i = 0; i < MOST; i++) {
                b[i] = random_lone(kind);
                add_lone(&all, i, &b[i], kind >= DISC);
            }
            take_twenty(all.world);
            for (i = 0; i < MOST; i++) {
                crowd alone;
                alone.world = make_world(1, 1);
                add_lone(&alone, 0, &b[i], kind >= DISC);
                ends_as_in(&alone, &all, i);
            }
            free(all.world);
        }
}

/* Any call that a lane must follow, on ball i. */
static spc_status change(crowd *c, int i, const ball *b, int what)
{
    spc_world *w = c->world;
    const spc_vec3 f = b->body.state.V_GB.linear;
    spc_constraint_info info;
    switch (what) {
    case 0: CHECK_STATUS(spc_sphere_on_plane_set(w, c->contact[i], &b->shape), SPC_OK); break;
    case 1:
        CHECK_STATUS(spc_constraint_set_stabilization(w, c->contact[i], &b->stabilization), SPC_OK);
        break;
    case 2: CHECK_STATUS(spc_body_set_mass(w, c->ball[i], &b->body.mass), SPC_OK); break;
    case 3: CHECK_STATUS(spc_body_set_pose(w, c->ball[i], b->body.state.X_GB), SPC_OK); break;
    case 4: CHECK_STATUS(spc_body_set_velocity(w, c->ball[i], b->body.state.V_GB), SPC_OK); break;
    case 5:
        memset(&info, 0, sizeof info);
        CHECK_STATUS(spc_constraint_get_info(w, c->contact[i], &info), SPC_OK);
        CHECK_STATUS(spc_constraint_set_enabled(w, c->contact[i], !info.enabled), SPC_OK);
        break;
    case 6: CHECK_STATUS(spc_body_add_force(w, c->ball[i], f, f, SPC_ONE_STEP), SPC_OK); break;
    case 7: CHECK_STATUS(spc_body_add_torque(w, c->ball[i], f, SPC_LASTING), SPC_OK); break;
    case 8: CHECK_STATUS(spc_body_clear_forces(w, c->ball[i]), SPC_OK); break;
    case 9:
        CHECK_STATUS(spc_constraint_remove(w, c->contact[i]), SPC_OK);
        CHECK_STATUS(spc_body_remove(w, c->ball[i]), SPC_OK);
        add_ball(c, i, b);
        break;
    case 10: CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK); break;
    case 11: return spc_step_rk4(w, SPC_R(0.001), SPC_DRIFT_STABILIZE);
    case 12: CHECK_STATUS(spc_world_project_velocities(w), SPC_OK); break;
    case 13:
        CHECK_STATUS(spc_constraint_set_law(w, c->contact[i], b->one_sided, &b->law), SPC_OK);
        break;
    case 14: CHECK_STATUS(spc_world_impact(w), SPC_OK); break;
    default: break;
    }
    return SPC_OK;
}

/* The largest difference of two quaternions, or of two vectors. */
static double off_quat(spc_quat a, spc_quat b)
{
    return fmax(fmax(fabs((double)(a.w - b.w)), fabs((double)(a.x - b.x))),
                fmax(fabs((double)(a.y - b.y)), fabs((double)(a.z - b.z))));
}

static double off(spc_vec3 a, spc_vec3 b)
{
    return (double)spc_norm(spc_sub(a, b));
}

static spc_vec3 of_three(const spc_real *x)
{
    return spc_vec3_make(x[0], x[1], x[2]);
}

/* A one-sided ball in a lane moves as the law has it everywhere: as one on a plane whose end is far
   away, for which there are no lanes. Only that both halves of a step turn it at once is another
   way, whose error is of the third order of the angle. Beside, others keep impulses that obey the
   law to 64 units of rounding, in 40 steps at up to 4 m/s. */
static void a_lane_obeys_the_law_of_contacts(void)
{
    const spc_real h = SPC_R(0.004);
    int round, i, k;
    for (round = 0; round < 200; round++) {
        /* a bounce off what turns is looked for to some 1e-9 of a step */
        const double rounding = 64.0 * 40 * 4 * TEST_EPSILON + (round % 4 == 0 ? 1e-8 : 0);
        int bounces = 0;
        ball b = random_ball();
        spc_contact_info x[2];
        spc_state s[2];
        crowd c[2];
        double turned = 0, spin = 4;
        b.one_sided = true;
        b.on_table = round % 4 == 0;
        b.shape.X_FP = spc_transform_identity();
        b.body.state.X_GB.p = vec(0.1, 0.2, (double)b.shape.radius + test_random(-0.01, 0.1));
        if (round % 3 == 0)
            b.body.state.X_GB.p.z = b.shape.radius;
        if (b.on_table)
            b.body.state.X_GB.p = spc_transform_point(table_pose(), b.body.state.X_GB.p);
        b.body.state.V_GB.angular = vec(test_random(-3, 3), test_random(-3, 3), 1);
        b.body.state.V_GB.linear = vec(test_random(-1, 1), 1, round % 3 ? -1 : 0);
        for (i = 0; i < 2; i++) {
            b.law.bounded = i;
            b.law.half_length[0] = b.law.half_length[1] = 1000;
            c[i].world = make_world(2, 1);
            add_table(&c[i]);
            add_ball(&c[i], 0, &b);
        }
        for (k = 0; k < 40 && !(b.on_table && bounces > 1); k++) { /* which the next one enlarges */
            for (i = 0; i < 2; i++) {
                CHECK_STATUS(spc_step(c[i].world, h), SPC_OK);
                CHECK_STATUS(spc_body_get_state(c[i].world, c[i].ball[0], &s[i]), SPC_OK);
                CHECK_STATUS(spc_constraint_get_contact(c[i].world, c[i].contact[0], &x[i]),
                             SPC_OK);
            }
            CHECK(x[0].state == x[1].state && x[0].began == x[1].began &&
                  x[0].ended == x[1].ended);
            bounces += x[0].began && x[0].ended;
            /* what lies within rounding of the plane is put there, and meets nothing */
            CHECK(fabs((double)(x[0].hit_speed - x[1].hit_speed)) <= rounding ||
                  (x[0].hit_speed < 10 * h && x[1].hit_speed < 10 * h));
            CHECK(off(s[0].X_GB.p, s[1].X_GB.p) <= rounding);
            CHECK(off(s[0].V_GB.linear, s[1].V_GB.linear) <= rounding);
            CHECK((double)b.shape.radius * off(s[0].V_GB.angular, s[1].V_GB.angular) <= rounding);
            CHECK(off(of_three(x[0].moment), of_three(x[1].moment)) * (double)h <=
                  (double)(b.body.mass.mass * b.shape.radius) * rounding);
            spin = fmax(spin, (double)spc_norm(s[0].V_GB.angular));
            turned += pow((double)h * spin, 3);
            CHECK(off_quat(s[0].X_GB.q, s[1].X_GB.q) <= turned + rounding);
        }
        for (i = 0; i < 2; i++)
            free(c[i].world);
    }
}

/* The balls of two worlds, of which the second's are on planes whose end is far away, for which
   there are no lanes: resisted ones that roll up a slope and back, that a torque turns round about
   any axis, that spin the other way than they slide, and whose law changes to grip as they slide.
   */
static void resisted_balls_turn_round_as_the_law_has_it(void)
{
    const double alike = 64.0 * 500 * 4 * TEST_EPSILON; /* as above, in 500 steps */
    const spc_real h = SPC_R(0.004);
    int round, i, k;
    for (round = 0; round < 120; round++) {
        const int kind = round % 6;
        const double steep = kind == 0 ? 0.1 : kind == 1 ? 0.6 : 0;
        const double back = kind == 1 || kind == 4 ? -test_random(0, 8) : test_random(0, 12);
        const spc_vec3 torque = kind == 2 || kind == 5 ? test_random_vec3(0.02) : zero;
        const spc_vec3 spin = vec(0, kind == 0 || kind == 2 ? 10 : back, test_random(-1, 1));
        spc_contact_law law = law_of(kind == 0 ? 1 : kind == 5 ? 0 : 0.2, 0);
        spc_body spun[2];
        spc_constraint c[2];
        spc_world *w[2];
        law.rolling_resistance = real(test_random(0, 0.004));
        law.spinning_resistance = real(test_random(0, 0.001));
        for (i = 0; i < 2; i++) {
            w[i] = contact_world(1, 1, vec(-9.81 * sin(steep), 0, -9.81 * cos(steep)));
            spun[i] = put_body(w[i], spc_mass_solid_sphere(1, SPC_R(0.1)), vec(0, 0, 0.1), spin,
                               vec(1, 0, 0));
            law.bounded = i;
            law.half_length[0] = law.half_length[1] = 1000;
            c[i] = put_on_plane(w[i], ground, level(0), spun[i], 0.1, law);
            CHECK_STATUS(spc_body_add_torque(w[i], spun[i], torque, SPC_LASTING), SPC_OK);
        }
        for (k = 0; k < 500; k++) {
            spc_real moments[2][6];
            for (i = 0; i < 2; i++) {
                CHECK_STATUS(spc_step(w[i], h), SPC_OK);
                CHECK_STATUS(spc_constraint_get_multipliers(w[i], c[i], moments[i]), SPC_OK);
            }
            CHECK(off(state_of(w[0], spun[0]).X_GB.p, state_of(w[1], spun[1]).X_GB.p) <= alike);
            CHECK(off(state_of(w[0], spun[0]).V_GB.linear, state_of(w[1], spun[1]).V_GB.linear) <=
                  alike);
            CHECK(0.1 * off(state_of(w[0], spun[0]).V_GB.angular,
                            state_of(w[1], spun[1]).V_GB.angular) <=
                  alike);
            CHECK((double)h * off(of_three(moments[0] + 3), of_three(moments[1] + 3)) <= alike);
            if (kind == 3 && k == 5)
                for (i = 0; i < 2; i++) {
                    law.grip = true;
                    law.bounded = i;
                    CHECK_STATUS(spc_constraint_set_law(w[i], c[i], true, &law), SPC_OK);
                }
        }
        for (i = 0; i < 2; i++)
            free(w[i]);
    }
}

/* The same bits as if all had been found anew before each step, with changes of all kinds between
   the steps. */
static void lanes_follow_every_change(void)
{
    int round, k, i;
    for (round = 0; round < 10; round++) {
        crowd c, anew;
        ball b[MOST];
        for (i = 0; i < MOST; i++)
            b[i] = random_ball();
        c = make_crowd(b, MOST);
        anew = make_crowd(b, MOST);
        for (k = 0; k < 100; k++) {
            const ball now = random_ball();
            const int at = (int)test_random(0, MOST), what = (int)test_random(0, 16);
            const spc_status status = change(&c, at, &now, what);
            CHECK_STATUS(change(&anew, at, &now, what), status);
            CHECK_STATUS(spc_constraint_set_enabled(anew.world, anew.joint, false), SPC_OK);
            CHECK_STATUS(spc_constraint_set_enabled(anew.world, anew.joint, true), SPC_OK);
            for (i = 0; i < MOST; i++)
                CHECK(is_same(c.world, c.ball[i], c.contact[i], anew.world, anew.ball[i],
                              anew.contact[i]));
            CHECK_STATUS(spc_step(c.world, SPC_R(0.005)), SPC_OK);
            CHECK_STATUS(spc_step(anew.world, SPC_R(0.005)), SPC_OK);
            CHECK(spc_world_hash(c.world) == spc_world_hash(anew.world));
        }
        free(c.world);
        free(anew.world);
    }
}

/* One of many contacts alone becomes another, and what else calls do to it. */
static void change_lone(crowd *c, int i, const lone *to, bool disc, int what)
{
    ball b;
    memset(&b, 0, sizeof b);
    b.body = to->body;
    b.stabilization = to->stabilization;
    if (what == 9) {
        CHECK_STATUS(spc_constraint_remove(c->world, c->contact[i]), SPC_OK);
        CHECK_STATUS(spc_body_remove(c->world, c->ball[i]), SPC_OK);
        add_lone(c, i, to, disc);
    } else if (what == 0 && disc) {
        CHECK_STATUS(spc_rolling_disc_set(c->world, c->contact[i], &to->disc), SPC_OK);
    } else if (what == 0) {
        CHECK_STATUS(spc_sphere_on_plane_set(c->world, c->contact[i], &to->sphere), SPC_OK);
    } else {
        CHECK_STATUS(change(c, i, &b, what), SPC_OK);
    }
}

static void are_same(const crowd *c, const crowd *d)
{
    int i;
    for (i = 0; i < MOST; i++)
        CHECK(is_same(c->world, c->ball[i], c->contact[i], d->world, d->ball[i], d->contact[i]));
}

/* Whether all lanes of a group are contacts alone of a kind (in the last rounds some are not),
   or a free body stands beside each of them, so that none is: the same bits, with changes of all
   kinds between the steps, and after steps that are refused. */
static void groups_of_contacts_alone_follow_every_change(void)
{
    static const int changes[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14 };
    const spc_real endless = (spc_real)ldexp(1, sizeof(spc_real) == sizeof(float) ? 120 : 1000);
    int round, k, i, kind[MOST];
    for (round = 0; round < 5 * KINDS; round++) {
        crowd c, apart;
        c.world = make_world(MOST, MOST);
        apart.world = make_world(2 * MOST, MOST);
        for (i = 0; i < MOST; i++) {
            spc_body_desc free_body = spc_body_desc_default();
            const bool another = round >= 4 * KINDS && test_random(0, 1) < 0.1;
            const lone b = random_lone(kind[i] = (round + (another ? 1 : 0)) % KINDS);
            spc_body other;
            free_body.mass = spc_mass_box(1, spc_vec3_make(1, 2, 3));
            add_lone(&c, i, &b, kind[i] >= DISC);
            add_lone(&apart, i, &b, kind[i] >= DISC);
            CHECK_STATUS(spc_body_add(apart.world, &free_body, &other), SPC_OK);
        }
        for (k = 0; k < 60; k++) {
            const int n = (int)(sizeof changes / sizeof *changes);
            const int at = (int)test_random(0, MOST), what = changes[(int)test_random(0, n)];
            const lone now = random_lone(kind[at]);
            change_lone(&c, at, &now, kind[at] >= DISC, what);
            change_lone(&apart, at, &now, kind[at] >= DISC, what);
            CHECK(spc_step(c.world, endless) && spc_step(apart.world, endless));
            are_same(&c, &apart);
            CHECK_STATUS(spc_step(c.world, SPC_R(0.005)), SPC_OK);
            CHECK_STATUS(spc_step(apart.world, SPC_R(0.005)), SPC_OK);
            are_same(&c, &apart);
        }
        free(c.world);
        free(apart.world);
    }
}

/* Rows that have been switched off have no multipliers, before a refused step and after it, which
   finds lanes anew. */
static void rows_that_are_off_stay_without_multipliers(void)
{
    int kind;
    for (kind = -1; kind < KINDS; kind++) {
        const spc_real endless = (spc_real)ldexp(1, sizeof(spc_real) == sizeof(float) ? 120 : 1000);
        spc_world *w = make_world(8, 8);
        spc_constraint c[8];
        spc_body b[8];
        int i, k;
        for (i = 0; i < 8; i++) {
            lone one = random_lone(kind < 0 ? OFF_CENTRE : kind);
            spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
            if (kind < 0)
                one.body.mass = spc_mass_solid_sphere(1, one.sphere.radius);
            CHECK_STATUS(spc_body_add(w, &one.body, &b[i]), SPC_OK);
            d.ball = b[i];
            d.shape = one.sphere;
            CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c[i]), SPC_OK);
        }
        CHECK_STATUS(spc_step(w, SPC_R(0.005)), SPC_OK);
        for (i = 0; i < 8; i += 3) {
            spc_sphere_on_plane shape;
            CHECK_STATUS(spc_sphere_on_plane_get(w, c[i], &shape), SPC_OK);
            shape.rolling = false;
            CHECK_STATUS(spc_sphere_on_plane_set(w, c[i], &shape), SPC_OK);
        }
        for (k = 0; k < 2; k++) {
            for (i = 0; i < 8; i++) {
                spc_real lambda[SPC_MAX_ROWS];
                CHECK_STATUS(spc_constraint_get_multipliers(w, c[i], lambda), SPC_OK);
                CHECK((fabs((double)lambda[0]) > 0) == (i % 3 > 0));
                CHECK((fabs((double)lambda[1]) > 0) == (i % 3 > 0));
                CHECK(fabs((double)lambda[2]) > 0);
            }
            CHECK(spc_step(w, endless));
        }
        free(w);
    }
}

/* One ball whose state would overflow, or the joint's: nobody has moved, and no multiplier is
   another. */
static void a_refused_step_leaves_every_lane(void)
{
    const bool wide = sizeof(spc_real) == sizeof(double);
    spc_real most = wide ? SPC_R(1e25) : SPC_R(1e19);
    spc_real before[MOST][SPC_MAX_ROWS], after[SPC_MAX_ROWS];
    unsigned long long hash;
    spc_spatial fast;
    ball b[MOST];
    crowd c;
    int at, i, k;
    for (i = 0; i < (wide ? 3 : 1); i++)
        most *= most; /* 1e200, or 1e38: its square is not finite */
    for (i = 0; i < MOST; i++)
        b[i] = random_ball();
    c = make_crowd(b, MOST);
    CHECK_STATUS(spc_step(c.world, SPC_R(0.005)), SPC_OK);
    for (at = -1; at < MOST; at++) {
        const spc_body which = at < 0 ? c.pair[0] : c.ball[at];
        spc_state state;
        CHECK_STATUS(spc_body_get_state(c.world, which, &state), SPC_OK);
        fast = spc_spatial_make(spc_vec3_make(0, 0, 0), spc_vec3_make(most, most, most));
        CHECK_STATUS(spc_body_set_velocity(c.world, which, fast), SPC_OK);
        for (i = 0; i < MOST; i++)
            CHECK_STATUS(spc_constraint_get_multipliers(c.world, c.contact[i], before[i]), SPC_OK);
        hash = spc_world_hash(c.world);
        CHECK(spc_step(c.world, most) > SPC_OK);
        CHECK(spc_world_hash(c.world) == hash);
        for (i = 0; i < MOST; i++) {
            CHECK_STATUS(spc_constraint_get_multipliers(c.world, c.contact[i], after), SPC_OK);
            for (k = 0; k < 3; k++)
                CHECK(after[k] <= before[i][k] && after[k] >= before[i][k]);
        }
        CHECK_STATUS(spc_body_set_velocity(c.world, which, state.V_GB), SPC_OK);
    }
    CHECK_STATUS(spc_step(c.world, SPC_R(0.005)), SPC_OK);
    free(c.world);
}

/* A ball that would spin beyond all numbers: its impulse is finite, its spin is not. */
static void a_spin_that_overflows_is_refused(void)
{
    const bool wide = sizeof(spc_real) == sizeof(double);
    const spc_real tiny = wide ? SPC_R(1e-38) : SPC_R(1e-18), fast = 1 / tiny;
    const spc_real speed = wide ? fast * fast * fast * fast * 1000000 : 1000 * fast;
    int n, i;
    for (n = 2; n <= MOST; n++) {
        unsigned long long hash;
        ball b[MOST];
        crowd c;
        for (i = 0; i < n; i++) {
            b[i] = random_ball();
            b[i].shape.X_FP = spc_transform_identity();
            b[i].one_sided = false;
            b[i].on_table = false;
        }
        b[n - 1].shape.rolling = true;
        b[n - 1].shape.radius = wide ? tiny * tiny * tiny * tiny : tiny; /* 1e-152 or 1e-18 */
        b[n - 1].body.mass = spc_mass_solid_sphere(1, b[n - 1].shape.radius);
        b[n - 1].body.state = spc_state_identity();
        b[n - 1].body.state.V_GB.linear.x = speed;
        b[n - 1].stabilization.ignore_velocity = 0;
        c = make_crowd(b, n);
        hash = spc_world_hash(c.world);
        CHECK_STATUS(spc_step(c.world, SPC_R(0.005)), SPC_ERROR_STATE_NOT_FINITE);
        CHECK(spc_world_hash(c.world) == hash);
        free(c.world);
    }
}

/* Slots that balls leave are taken by whatever comes: a ball, which gets the place that was left,
   or a body that is moved, for which all is found anew. */
static void a_slot_that_is_left_is_anybodys(void)
{
    ball b[MOST];
    crowd c;
    int i, k;
    for (i = 0; i < MOST; i++)
        b[i] = random_ball();
    c = make_crowd(b, MOST);
    for (k = 0; k < 40; k++) {
        const int at = (int)test_random(0, MOST);
        spc_body_desc table = spc_body_desc_default();
        spc_body moved;
        CHECK_STATUS(spc_constraint_remove(c.world, c.contact[at]), SPC_OK);
        if (k % 2)
            CHECK_STATUS(spc_step(c.world, SPC_R(0.005)), SPC_OK);
        CHECK_STATUS(spc_body_remove(c.world, c.ball[at]), SPC_OK);
        if (k % 3)
            CHECK_STATUS(spc_step(c.world, SPC_R(0.005)), SPC_OK);
        table.kind = SPC_KINEMATIC;
        if (k % 4 == 0) {
            CHECK_STATUS(spc_body_add(c.world, &table, &moved), SPC_OK);
            CHECK(moved.index == c.ball[at].index);
            CHECK_STATUS(spc_step(c.world, SPC_R(0.005)), SPC_OK);
            CHECK_STATUS(spc_body_remove(c.world, moved), SPC_OK);
        }
        b[at] = random_ball();
        add_ball(&c, at, &b[at]);
        CHECK_STATUS(spc_step(c.world, SPC_R(0.005)), SPC_OK);
    }
    CHECK_STATUS(spc_constraint_remove(c.world, c.joint), SPC_OK);
    CHECK_STATUS(spc_body_remove(c.world, c.pair[0]), SPC_OK);
    CHECK_STATUS(spc_step(c.world, SPC_R(0.005)), SPC_OK);
    free(c.world);
}

/* A body without a contact is removed from between balls: what is left of it in its lane, which
   they do not see, must not be asked for by calls that work on all bodies. */
static void a_removed_body_leaves_nothing_behind(void)
{
    const spc_real most = sizeof(spc_real) == sizeof(double) ? SPC_R(1e38) : SPC_R(1e19);
    ball b[MOST];
    int at, i;
    for (at = 0; at < MOST; at++) {
        spc_spatial fast;
        crowd c;
        for (i = 0; i < MOST; i++) {
            b[i] = random_ball();
            b[i].one_sided = false; /* which spc_step_rk4 may refuse: they begin anywhere */
        }
        c = make_crowd(b, MOST);
        CHECK_STATUS(spc_constraint_remove(c.world, c.contact[at]), SPC_OK);
        fast = spc_spatial_make(vec(0, 0, 0), vec(0, 0, 1));
        fast.linear.z = most * (at % 2 ? most / 2 : 1); /* what its next moves would overflow by */
        CHECK_STATUS(spc_body_set_velocity(c.world, c.ball[at], fast), SPC_OK);
        if (at % 3 == 0)
            (void)spc_step(c.world, SPC_R(1e-6));
        CHECK_STATUS(spc_body_remove(c.world, c.ball[at]), SPC_OK);
        for (i = 0; i < 3; i++)
            CHECK_STATUS(spc_step(c.world, SPC_R(0.005)), SPC_OK);
        CHECK_STATUS(spc_world_forward_dynamics(c.world), SPC_OK);
        CHECK_STATUS(spc_step_rk4(c.world, SPC_R(0.001), SPC_DRIFT_STABILIZE), SPC_OK);
        CHECK_STATUS(spc_world_project_velocities(c.world), SPC_OK);
        free(c.world);
    }
}

/* A dynamic body that never had a contact, whose lane has never been filled. */
static void a_removed_body_that_never_rolled_leaves_nothing(void)
{
    spc_body_desc box = spc_body_desc_default();
    int at, i, k;
    box.mass = spc_mass_box(1, vec(1, 2, 3));
    for (at = 0; at < 8; at++) {
        spc_body gone = { 0, 0 };
        crowd c;
        c.world = make_world(8, 7);
        for (i = k = 0; i < 8; i++) {
            ball b = random_ball();
            b.on_table = false;
            if (i == at)
                CHECK_STATUS(spc_body_add(c.world, &box, &gone), SPC_OK);
            else
                add_ball(&c, k++, &b);
        }
        CHECK_STATUS(spc_step(c.world, SPC_R(0.005)), SPC_OK);
        CHECK_STATUS(spc_body_remove(c.world, gone), SPC_OK);
        for (i = 0; i < 3; i++)
            CHECK_STATUS(spc_step(c.world, SPC_R(0.005)), SPC_OK);
        CHECK_STATUS(spc_step_rk4(c.world, SPC_R(0.001), SPC_DRIFT_STABILIZE), SPC_OK);
        free(c.world);
    }
}

#if defined(FE_OVERFLOW) && defined(FE_INVALID)
#define TRAPS (FE_OVERFLOW | FE_INVALID)
#else
#define TRAPS 0 /* of a machine that does not tell */
#endif

/* Heavy balls that grip or slip on the ground, all of a group or one alone: what lanes compute for
   nobody, or choose against, traps in no program that has overflow and invalid operations trap. */
static void lanes_raise_no_exceptions(void)
{
    int k, i, raised = 0;
    for (k = 0; k < 16; k++) {
        spc_world *w = make_world(9, 9);
        for (i = 0; i < (k & 4 ? 1 : 7); i++) {
            spc_ball_desc d = spc_ball_desc_default();
            spc_body added;
            d.radius = SPC_R(0.1);
            d.mass = spc_mass_solid_sphere(1000, d.radius);
            d.x = (spc_real)i;
            d.v_x = 1;
            d.one_sided = true;
            d.law.grip = k & 1;
            d.law.friction = k & 1 ? 0 : SPC_R(0.1);
            d.law.restitution = k & 2 ? SPC_R(0.8) : 0;
            d.law.rolling_resistance = d.law.spinning_resistance = k & 8 ? SPC_R(0.001) : 0;
            CHECK_STATUS(spc_ball_add(w, &d, &added, NULL), SPC_OK);
        }
        feclearexcept(TRAPS);
        for (i = 0; i < 100; i++)
            CHECK_STATUS(spc_step(w, SPC_R(0.005)), SPC_OK);
        raised += fetestexcept(TRAPS) != 0;
        free(w);
    }
    CHECK(raised == 0);
}

/* A ball on the ground, or above it, that rolls, slides, or is about to bounce. */
static void put_one_of_many(spc_world *w, int i)
{
    spc_contact_law law = law_of(i % 4 == 1 ? 0.05 : 0.6, i % 4 == 2 ? 0.7 : 0);
    const spc_body body =
        put_ball(w, 1 + 0.1 * i, 0.1, vec(i, 0, i % 4 > 1 ? 0.11 + 0.02 * i : 0.1));
    const spc_vec3 v = vec(1, 0.2 * i, 0);
    CHECK_STATUS(spc_body_set_velocity(
                     w, body, spc_spatial_make(i % 4 == 0 ? vec(-2 * i, 10, 0) : vec(0, 0, i), v)),
                 SPC_OK);
    law.rolling_resistance = real(i % 3 ? 0 : 0.002);
    law.spinning_resistance = real(i % 5 ? 0 : 0.001);
    (void)put_on_plane(w, ground, level(0), body, 0.1, law);
}

/* Other calls than steps change what contacts are without their lanes: the step after them is that
   of a world that has loaded the state, and knows it from there. */
static void lanes_know_what_other_calls_make_of_contacts(void)
{
    spc_world *w = contact_world(TOLD, TOLD, vec(0, 0, -9.81));
    spc_world *fresh = contact_world(TOLD, TOLD, vec(0, 0, -9.81));
    int i, k;
    for (i = 0; i < TOLD; i++) {
        put_one_of_many(w, i);
        put_one_of_many(fresh, i);
    }
    for (k = 0; k < 200; k++) {
        answers one, other;
        saved state;
        (void)try_call(w, k % 3 ? 0 : k / 3 % CALLS, 1 / 120.);
        state = save(w);
        CHECK_STATUS(spc_world_load_state(fresh, state.bytes, state.size), SPC_OK);
        CHECK_STATUS(spc_step(w, SPC_R(1) / 120), SPC_OK);
        CHECK_STATUS(spc_step(fresh, SPC_R(1) / 120), SPC_OK);
        ask_all(w, &one);
        ask_all(fresh, &other);
        CHECK(SAME_BITS(one.state, other.state) && SAME_BITS(one.contact, other.contact) &&
              SAME_BITS(one.multipliers, other.multipliers));
        free(state.bytes);
    }
    free(w);
    free(fresh);
}

static const test_entry tests[] = { TEST(a_ball_moves_as_if_it_were_alone),
                                    TEST(a_lone_body_moves_as_if_it_were_alone),
                                    TEST(groups_of_contacts_alone_follow_every_change),
                                    TEST(rows_that_are_off_stay_without_multipliers),
                                    TEST(a_lane_obeys_the_law_of_contacts),
                                    TEST(resisted_balls_turn_round_as_the_law_has_it),
                                    TEST(lanes_raise_no_exceptions),
                                    TEST(lanes_know_what_other_calls_make_of_contacts),
                                    TEST(lanes_follow_every_change),
                                    TEST(a_refused_step_leaves_every_lane),
                                    TEST(a_spin_that_overflows_is_refused),
                                    TEST(a_slot_that_is_left_is_anybodys),
                                    TEST(a_removed_body_leaves_nothing_behind),
                                    TEST(a_removed_body_that_never_rolled_leaves_nothing) };

TEST_MAIN
