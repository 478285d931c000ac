/* bars.c - what a step takes, by the clock, the least of several runs, in units of b: the loop of
   hand_loop.c beside it, which knows balls on one plane alone. The last part of `make bench`.

   PROGRAM [SCENE...] prints a line for each scene: ns a body, b, their ratio, and its bar;
   PROGRAM once: takes some steps of each without a clock, and ends with 1 where one is refused. */
#define SPHERECONTACT_IMPLEMENTATION
#include "../../spherecontact.h"

#include <string.h>

#define HAND_LOOP_ALONE 0
#include "hand_loop.c"

/* The bicycle is that of the example. */
int bicycle_main(void);
#define main bicycle_main
#include "../../examples/bicycle.c"
#undef main

#define G 9.81
#define BALL 0.1 /* radius of balls and discs of 1 kg [m] */
#define BALLS 1000
#define WAGONS 250

typedef struct bar_scene {
    spc_world *world;
    void (*change)(struct bar_scene *s); /* before each step; NULL: nothing */
    spc_body body, other;                /* the last one comes and goes, or has a contact */
    spc_constraint contact;              /* that is switched, or comes and goes */
    int bodies;                          /* among which the time is shared */
    double h;
} bar_scene;

static bar_scene make_scene(int bodies, int constraints)
{
    bar_scene s = { NULL, NULL, { 0, 0 }, { 0, 0 }, { 0, 0 }, bodies, 1.0 / 240 };
    spc_world_desc desc = spc_world_desc_default(bodies, constraints);
    size_t bytes;
    if (desc.rows < 6 * constraints) /* a wagon's joints have five each */
        desc.rows = 6 * constraints;
    desc.gravity.z = SPC_R(-G);
    bytes = spc_world_size(&desc);
    check(spc_world_create(malloc(bytes), bytes, &desc, &s.world));
    return s;
}

/* ---------------------------------------------------------------- balls and discs on a floor - */

/* What all bodies of a crowd are, but for what is said. */
typedef struct crowd {
    int count;
    spc_body floor;
    spc_vec3 first; /* of the places, in the floor's frame, and of those on a grid of 32 columns */
    double spacing;
    spc_body_desc body;
    spc_sphere_on_plane_desc on;
} crowd;

static crowd rolling(int balls)
{
    crowd c;
    c.count = balls;
    c.floor.index = c.floor.generation = 0;
    c.first = spc_vec3_make(0, 0, SPC_R(BALL));
    c.spacing = 1;
    c.body = spc_body_desc_default();
    c.body.mass = spc_mass_solid_sphere(1, SPC_R(BALL));
    c.body.state.V_GB.linear.x = 1;
    c.body.state.V_GB.angular.y = SPC_R(1 / BALL);
    c.on = spc_sphere_on_plane_desc_default();
    c.on.shape.radius = SPC_R(BALL);
    return c;
}

static crowd one_sided(void)
{
    crowd c = rolling(BALLS);
    c.on.one_sided = true;
    c.on.law.grip = false;
    c.on.law.friction = SPC_R(0.3);
    return c;
}

static void add_ball(bar_scene *s, const crowd *c, int i)
{
    spc_body_desc body = c->body;
    spc_sphere_on_plane_desc on = c->on;
    body.state.X_GB.p = spc_add(c->first, spc_vec3_make((spc_real)(c->spacing * (i % 32)),
                                                        (spc_real)(c->spacing * (i / 32)), 0));
    on.floor = c->floor;
    check(spc_body_add(s->world, &body, &s->body));
    on.ball = s->body;
    check(spc_sphere_on_plane_add(s->world, &on, &s->contact));
}

static bar_scene make_crowd(const crowd *c)
{
    bar_scene s = make_scene(c->count, c->count);
    int i;
    for (i = 0; i < c->count; i++)
        add_ball(&s, c, i);
    return s;
}

static bar_scene roll(void)
{
    const crowd c = rolling(BALLS);
    return make_crowd(&c);
}

static bar_scene frictionless(void)
{
    crowd c = rolling(BALLS);
    c.on.shape.rolling = false;
    return make_crowd(&c);
}

static spc_stabilization stabilization_of(int i)
{
    spc_stabilization own = spc_stabilization_default();
    own.time_constant = SPC_R(0.05) + SPC_R(1e-4) * (spc_real)i;
    return own;
}

static bar_scene own_times(void)
{
    const crowd c = rolling(BALLS);
    bar_scene s = make_scene(BALLS, BALLS);
    int i;
    for (i = 0; i < BALLS; i++) {
        const spc_stabilization own = stabilization_of(i);
        add_ball(&s, &c, i);
        check(spc_constraint_set_stabilization(s.world, s.contact, &own));
    }
    return s;
}

static bar_scene masked(void)
{
    const crowd c = rolling(BALLS);
    spc_stabilization own = spc_stabilization_default();
    bar_scene s = make_scene(BALLS, BALLS);
    int i;
    own.ignore_position = 4;
    for (i = 0; i < BALLS; i++) {
        add_ball(&s, &c, i);
        check(spc_constraint_set_stabilization(s.world, s.contact, &own));
    }
    return s;
}

static bar_scene on_kinematic_floor(void)
{
    crowd c = rolling(BALLS);
    bar_scene s = make_scene(BALLS + 1, BALLS);
    spc_body_desc floor = spc_body_desc_default();
    int i;
    floor.kind = SPC_KINEMATIC;
    floor.state.V_GB.linear.x = SPC_R(0.5);
    check(spc_body_add(s.world, &floor, &c.floor));
    for (i = 0; i < BALLS; i++)
        add_ball(&s, &c, i);
    s.bodies = BALLS;
    return s;
}

static bar_scene off_centre(void)
{
    crowd c = rolling(BALLS);
    c.body.mass.p_BBc = spc_vec3_make(SPC_R(0.01), SPC_R(0.005), SPC_R(-0.008));
    return make_crowd(&c);
}

static bar_scene three_moments(void)
{
    crowd c = rolling(BALLS);
    c.body.mass.inertia.xx = SPC_R(0.003);
    c.body.mass.inertia.zz = SPC_R(0.005);
    return make_crowd(&c);
}

static bar_scene many(void)
{
    const crowd c = rolling(100 * BALLS);
    return make_crowd(&c);
}

static bar_scene one_ball(void)
{
    const crowd c = rolling(1);
    return make_crowd(&c);
}

static void switch_contact(bar_scene *s)
{
    spc_constraint_info info;
    check(spc_constraint_get_info(s->world, s->contact, &info));
    check(spc_constraint_set_enabled(s->world, s->contact, !info.enabled));
}

static bar_scene switched(void)
{
    bar_scene s = roll();
    s.change = switch_contact;
    return s;
}

static void renew_ball(bar_scene *s)
{
    const crowd c = rolling(1);
    check(spc_constraint_remove(s->world, s->contact));
    check(spc_body_remove(s->world, s->body));
    add_ball(s, &c, BALLS - 1);
}

static bar_scene renewed(void)
{
    bar_scene s = roll();
    s.change = renew_ball;
    return s;
}

/* The last two balls, which do not touch, have a contact in every other step. */
static void change_pair(bar_scene *s)
{
    spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
    if (spc_constraint_exists(s->world, s->contact)) {
        check(spc_constraint_remove(s->world, s->contact));
        return;
    }
    pair.a = s->other;
    pair.b = s->body;
    pair.shape.radius_a = pair.shape.radius_b = SPC_R(BALL);
    pair.one_sided = true;
    check(spc_sphere_on_sphere_add(s->world, &pair, &s->contact));
}

static bar_scene paired(void)
{
    const crowd c = one_sided();
    bar_scene s = make_scene(BALLS, BALLS + 1);
    int i;
    for (i = 0; i < BALLS; i++) {
        s.other = s.body;
        add_ball(&s, &c, i);
    }
    s.contact.index = 0;
    s.change = change_pair;
    return s;
}

static bar_scene discs(void)
{
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc on = spc_rolling_disc_desc_default();
    bar_scene s = make_scene(BALLS, BALLS);
    int i;
    body.mass = spc_mass_disc(1, SPC_R(BALL)); /* its axis is the body's z, turned to the left */
    check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), spc_vec3_make(0, 1, 0),
                                    &body.state.X_GB.q));
    body.state.V_GB.linear.x = 1;
    body.state.V_GB.angular.y = SPC_R(1 / BALL);
    on.shape.axis_B = spc_vec3_make(0, 0, 1);
    on.shape.radius = SPC_R(BALL);
    for (i = 0; i < BALLS; i++) {
        body.state.X_GB.p = spc_vec3_make((spc_real)(i % 32), (spc_real)(i / 32), SPC_R(BALL));
        check(spc_body_add(s.world, &body, &on.disc));
        check(spc_rolling_disc_add(s.world, &on, &s.contact));
    }
    return s;
}

/* ------------------------------------------------------------------ balls that can let go --- */

static bar_scene roll_by_law(void)
{
    const crowd c = one_sided();
    return make_crowd(&c);
}

/* They roll between walls that are far from them. */
static bar_scene roll_between(int walls)
{
    const crowd c = one_sided();
    bar_scene s = make_scene(BALLS, BALLS * (1 + walls));
    int i, k;
    for (i = 0; i < BALLS; i++) {
        add_ball(&s, &c, i);
        for (k = 0; k < walls; k++) {
            const spc_real angle = SPC_R(1.5707963267948966) * (spc_real)k;
            const spc_vec3 n = spc_vec3_make((spc_real)cos(angle), (spc_real)sin(angle), 0);
            spc_sphere_on_plane_desc on = c.on;
            on.ball = s.body;
            on.shape.X_FP.p = spc_scale(-1000, n);
            check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), n, &on.shape.X_FP.q));
            check(spc_sphere_on_plane_add(s.world, &on, &s.contact));
        }
    }
    return s;
}

static bar_scene roll_by_a_wall(void)
{
    return roll_between(1);
}

static bar_scene roll_between_four(void)
{
    return roll_between(4);
}

static crowd sliding(void)
{
    crowd c = one_sided();
    c.body.state.V_GB.linear.x = 30;
    c.body.state.V_GB.angular.y = 0;
    c.on.law.friction = SPC_R(0.01);
    return c;
}

static bar_scene slide(void)
{
    const crowd c = sliding();
    return make_crowd(&c);
}

static bar_scene roll_against(void)
{
    crowd c = one_sided();
    c.on.law.rolling_resistance = SPC_R(1e-6);
    c.on.law.spinning_resistance = SPC_R(1e-6);
    return make_crowd(&c);
}

static crowd bouncing(int i)
{
    crowd c = one_sided();
    c.first.z += SPC_R(0.02) + SPC_R(1e-4) * (spc_real)i;
    c.body.state.V_GB.angular.y = 0;
    c.on.law.restitution = 1;
    return c;
}

static bar_scene bounce(void)
{
    bar_scene s = make_scene(BALLS, BALLS);
    int i;
    for (i = 0; i < BALLS; i++) {
        const crowd c = bouncing(i);
        add_ball(&s, &c, i);
    }
    return s;
}

static crowd above(void)
{
    crowd c = one_sided();
    c.first.z += 50;
    return c;
}

static bar_scene open(void)
{
    const crowd c = above();
    return make_crowd(&c);
}

static bar_scene mixed(void)
{
    bar_scene s = make_scene(BALLS, BALLS);
    int i;
    for (i = 0; i < BALLS; i++) {
        const crowd c = i % 4 == 0   ? one_sided()
                        : i % 4 == 1 ? sliding()
                        : i % 4 == 2 ? bouncing(i)
                                     : above();
        add_ball(&s, &c, i);
    }
    return s;
}

/* ----------------------------------------------------------------------- balls on plates ---- */

/* A plate of 1,000 kg with 1,000 balls, held by joints along z, or by a force. */
static bar_scene make_plate(const spc_vec3 *feet, int count, unsigned locked)
{
    const spc_vec3 half = spc_vec3_make(17, 17, SPC_R(0.1));
    const spc_real weight = SPC_R(G * (1000 + BALLS));
    bar_scene s = make_scene(BALLS + 1, BALLS + count);
    crowd c = rolling(BALLS);
    spc_attachment_desc foot = spc_attachment_desc_default();
    spc_body_desc plate = spc_body_desc_default();
    spc_constraint joint;
    int i;
    plate.mass = spc_mass_box(1000, half);
    check(spc_body_add(s.world, &plate, &c.floor));
    if (count == 0)
        check(spc_body_add_force(s.world, c.floor, spc_vec3_make(0, 0, weight),
                                 spc_vec3_make(0, 0, 0), SPC_LASTING));
    foot.b = c.floor;
    foot.keep_pose = true;
    foot.shape.locked = locked;
    for (i = 0; i < count; i++) {
        foot.shape.X_AF.p = feet[i];
        check(spc_attachment_add(s.world, &foot, &joint));
    }
    c.on.shape.X_FP.p.z = half.z;
    c.first = spc_vec3_make(SPC_R(-15.5), SPC_R(-15.5), c.on.shape.X_FP.p.z + SPC_R(BALL));
    for (i = 0; i < BALLS; i++)
        add_ball(&s, &c, i);
    s.bodies = BALLS + 1;
    return s;
}

static const spc_vec3 corners[] = { { -16, -16, 0 }, { 16, -16, 0 }, { 0, 16, 0 } };
static const spc_vec3 square[] = {
    { -16, -16, 0 }, { 16, -16, 0 }, { 16, 16, 0 }, { -16, 16, 0 }
};

static bar_scene plate_floats(void)
{
    return make_plate(NULL, 0, 0);
}

static bar_scene plate_on_three(void)
{
    return make_plate(corners, 3, SPC_POINT_ON_PLANE);
}

static bar_scene plate_on_four(void)
{
    return make_plate(square, 4, SPC_POINT_ON_PLANE);
}

static bar_scene plate_on_hinge(void)
{
    const spc_vec3 middle = spc_vec3_make(0, 0, 0);
    return make_plate(&middle, 1, SPC_HINGE);
}

/* -------------------------------------------------------------------------- with joints ----- */

/* 100 links on ball joints, straight along (1, 0, -1), that swing round the vertical. */
static bar_scene chain(void)
{
    const double half = 0.05 * sqrt(0.5);
    bar_scene s = make_scene(100, 100);
    spc_body_desc link = spc_body_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_constraint constraint;
    int i;
    link.mass.mass = SPC_R(0.1);
    link.mass.inertia.xx = link.mass.inertia.yy = link.mass.inertia.zz = SPC_R(1e-4 / 12);
    link.state.V_GB.angular.z = 1;
    joint.shape.X_BM.p = spc_vec3_make((spc_real)-half, 0, (spc_real)half);
    for (i = 0; i < 100; i++) {
        const double along = half * (2 * i + 1);
        link.state.X_GB.p = spc_vec3_make((spc_real)along, 0, (spc_real)-along);
        link.state.V_GB.linear.y = (spc_real)along;
        check(spc_body_add(s.world, &link, &joint.b));
        check(spc_attachment_add(s.world, &joint, &constraint));
        joint.a = joint.b;
        joint.shape.X_AF.p = spc_vec3_make((spc_real)half, 0, (spc_real)-half);
    }
    s.h = 1e-3;
    return s;
}

static bar_scene bicycle(void)
{
    bar_scene s = { .bodies = BODIES, .h = 1e-3 };
    spc_body part[BODIES];
    s.world = make_bicycle(4.6, 0.05, part);
    return s;
}

/* A chassis and four wheels on hinges, that goes straight on at 2 m/s. */
static void add_wagon(spc_world *world, spc_real y)
{
    const spc_real radius = SPC_R(0.3);
    spc_body_desc body = spc_body_desc_default();
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_rolling_disc_desc on = spc_rolling_disc_desc_default();
    spc_constraint constraint;
    int i;
    body.mass = spc_mass_box(100, spc_vec3_make(1, SPC_R(0.5), SPC_R(0.1)));
    body.state.X_GB.p = spc_vec3_make(0, y, radius);
    body.state.V_GB.linear.x = 2;
    check(spc_body_add(world, &body, &hinge.a));
    body.mass = spc_mass_disc(8, radius);
    check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), spc_vec3_make(0, 1, 0),
                                    &body.state.X_GB.q));
    body.state.V_GB.angular.y = 2 / radius;
    hinge.keep_pose = true;
    hinge.shape.locked = SPC_HINGE;
    hinge.shape.X_AF.q = body.state.X_GB.q;
    on.shape.axis_B = spc_vec3_make(0, 0, 1);
    on.shape.radius = radius;
    for (i = 0; i < 4; i++) {
        hinge.shape.X_AF.p = spc_vec3_make(i < 2 ? 1 : -1, i % 2 ? SPC_R(-0.6) : SPC_R(0.6), 0);
        body.state.X_GB.p = spc_add(hinge.shape.X_AF.p, spc_vec3_make(0, y, radius));
        check(spc_body_add(world, &body, &hinge.b));
        check(spc_attachment_add(world, &hinge, &constraint));
        on.disc = hinge.b;
        check(spc_rolling_disc_add(world, &on, &constraint));
    }
}

static bar_scene wagons(void)
{
    bar_scene s = make_scene(5 * WAGONS, 8 * WAGONS);
    int i;
    for (i = 0; i < WAGONS; i++)
        add_wagon(s.world, (spc_real)(2 * i));
    return s;
}

/* ------------------------------------------------------------------------------ the table --- */

static void run(bar_scene *s, int steps)
{
    for (; steps > 0; steps--) {
        if (s->change)
            s->change(s);
        check(spc_step(s->world, (spc_real)s->h));
    }
}

/* Nanoseconds of a step for each body. */
static double time_scene(bar_scene (*make)(void))
{
    bar_scene s = make();
    const int steps = 1 + 40000 / s.bodies;
    double best = 1e9;
    int round;
    run(&s, 3);
    for (round = 0; round < 10; round++) {
        const double start = now();
        run(&s, steps);
        best = fmin(best, (now() - start) * 1e9 / steps / s.bodies);
    }
    free(s.world);
    return best;
}

/* That it runs, and each step does its work. */
static void try_scene(bar_scene (*make)(void))
{
    bar_scene s = make();
    run(&s, 3);
    free(s.world);
}

int main(int argc, char **argv)
{
    const bool once = argc == 2 && !strcmp(argv[1], "once");
    static const struct {
        const char *name;
        bar_scene (*make)(void);
        double bar; /* in b; 0: none */
    } scenes[] = {
        { "1,000 balls roll", roll, 1.8 },
        { "without friction", frictionless, 1.8 },
        { "each with its T", own_times, 1.8 },
        { "a row is not stabilized", masked, 1.8 },
        { "on a kinematic floor", on_kinematic_floor, 2.2 },
        { "off-centre", off_centre, 5.5 },
        { "with three moments", three_moments, 5.5 },
        { "100,000 balls roll", many, 2.4 },
        { "one ball rolls", one_ball, 4.5 },
        { "one of 1,000 is switched", switched, 0 },
        { "one of 1,000 is renewed", renewed, 0 },
        { "1,000 discs roll", discs, 4.5 },
        { "roll, one-sided", roll_by_law, 2.5 },
        { "the same, a pair changes", paired, 2.9 }, /* 1.15 times as much */
        { "the same, and an open wall", roll_by_a_wall, 2.9 }, /* 0.4 for each */
        { "the same, and four", roll_between_four, 4.1 },
        { "slide, one-sided", slide, 2.5 },
        { "roll against resistance", roll_against, 0 },
        { "bounce", bounce, 3.5 },
        { "fly", open, 0 },
        { "one of each of the four", mixed, 3.5 },
        { "plate that floats", plate_floats, 12 },
        { "plate on 3 feet", plate_on_three, 12 },
        { "plate on 4 feet", plate_on_four, 12 },
        { "plate on a hinge", plate_on_hinge, 12 },
        { "chain of 100", chain, 20 },
        { "bicycle", bicycle, 35 },
        { "250 wagons", wagons, 35 },
    };
    size_t i;
    int k;
    for (i = 0; once && i < sizeof scenes / sizeof *scenes; i++)
        try_scene(scenes[i].make);
    if (once) {
        printf("bars: %d passed, 0 failed\n", (int)i);
        return 0;
    }
    printf("%-26s %8s %6s %7s %6s\n", "scene", "ns", "b", "ratio", "bar");
    for (i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        double b, ns;
        bool wanted = argc < 2;
        for (k = 1; k < argc; k++)
            wanted |= strstr(scenes[i].name, argv[k]) != NULL;
        if (!wanted)
            continue;
        b = hand_loop();
        ns = time_scene(scenes[i].make);
        b = fmin(b, hand_loop());
        printf("%-26s %8.1f %6.1f %7.2f", scenes[i].name, ns, b, ns / b);
        if (scenes[i].bar > 0)
            printf(" %6.1f%s", scenes[i].bar, ns / b > scenes[i].bar ? " missed" : "");
        printf("\n");
    }
    return 0;
}
