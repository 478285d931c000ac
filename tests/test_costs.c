/* What calls cost, counted and not timed: every look at a slot, node, body or sum of the world is
   an assertion of the library's, and a private copy of it counts these. And what memory the
   defaults have room for. */
static unsigned long long cost;
static int broken;

#define SPC_ASSERT(x) (cost++, broken += !(x))
#define SPHERECONTACT_STATIC
#define SPHERECONTACT_IMPLEMENTATION
#include "test.h"

#define MOST 1600

typedef struct scene {
    spc_world *world;
    spc_body body[MOST];
    spc_constraint contact[MOST];
    int balls;
} scene;

static scene s;

/* A ball of 1 kg, 1 m from the one before. */
static void add_ball(void)
{
    spc_body_desc d = spc_body_desc_default();
    d.mass = spc_mass_solid_sphere(1, real(0.1));
    d.state.X_GB.p = spc_vec3_make((spc_real)s.balls, 0, real(0.1));
    d.state.V_GB.linear.x = 1;
    d.state.V_GB.angular.y = 10;
    CHECK_STATUS(spc_body_add(s.world, &d, &s.body[s.balls++]), SPC_OK);
}

static spc_sphere_on_plane_desc rolling(int i)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    d.ball = s.body[i];
    d.shape.radius = real(0.1);
    return d;
}

/* So many balls that roll on the ground, each for itself; and so many constraints besides. */
static void open_balls(int n, int more)
{
    spc_world_desc d = spc_world_desc_default(n + more, n + more);
    size_t bytes;
    int i;
    d.rows = 3 * (n + more);
    d.gravity.z = real(-9.81);
    bytes = spc_world_size(&d);
    s.balls = 0;
    CHECK_STATUS(spc_world_create(malloc(bytes), bytes, &d, &s.world), SPC_OK);
    for (i = 0; i < n; i++) {
        spc_sphere_on_plane_desc roll;
        add_ball();
        roll = rolling(i);
        CHECK_STATUS(spc_sphere_on_plane_add(s.world, &roll, &s.contact[i]), SPC_OK);
    }
    CHECK_STATUS(spc_step(s.world, real(1e-3)), SPC_OK);
}

static void close_balls(void)
{
    CHECK(broken == 0);
    free(s.world);
}

/* What a call costs in a world of n balls. */
typedef void (*call)(int n);

static double cost_of(call f, int n)
{
    open_balls(n, 1);
    cost = 0;
    f(n);
    close_balls();
    return (double)cost;
}

/* The power of n that the cost grows with: from 400 to 1,600, where terms of lower order are small;
   or of n up to 200 for what writes n^2 numbers. */
static double growth(call f, int n)
{
    const double few = cost_of(f, n), many = cost_of(f, 4 * n);
    CHECK(few > 0);
    return log(many / few) / log(4.0);
}

static void read_all(int n)
{
    spc_constraint_info info;
    int i;
    memset(&info, 0, sizeof info);
    for (i = 0; i < n; i++) {
        CHECK_STATUS(spc_constraint_get_info(s.world, s.contact[i], &info), SPC_OK);
        CHECK(info.row_index == 3 * i);
    }
}

static void read_rows(int n)
{
    CHECK(spc_world_row_count(s.world) == 3 * n);
}

static void ask_for_compliance(int n)
{
    const size_t rows = 3 * (size_t)n;
    spc_real *W = (spc_real *)malloc(rows * rows * sizeof *W);
    CHECK_STATUS(spc_world_get_compliance(s.world, real(1e-3), NULL, 0, W, (int)rows), SPC_OK);
    CHECK(W[0] > 0);
    free(W);
}

/* A look-up reads a sum for each bit of the slot's number: n log n for all, whose slope between 400
   and 1,600 is 1.2. Adding up the rows before each is n^2. */
static void reading_all_constraints_is_not_quadratic(void)
{
    CHECK(growth(read_all, 400) < 1.3);
    CHECK(cost_of(read_rows, 1600) < 20);
}

/* The matrix has n^2 blocks, each with its two nodes. Searching for them is n^3. */
static void a_compliance_matrix_costs_its_numbers(void)
{
    CHECK(growth(ask_for_compliance, 50) < 2.1);
}

/* Where the rows of each constraint begin is the sum of those in use before it, whatever has been
   added, removed, switched or changed. */
static void check_row_indices(void)
{
    spc_constraint_info info;
    int i, rows = 0;
    for (i = 0; i < s.world->constraint_slots; i++) {
        spc_constraint c;
        c.index = (unsigned)i + 1;
        c.generation = spci_constraint_at(s.world, i)->generation;
        if (!spc_constraint_exists(s.world, c))
            continue;
        CHECK_STATUS(spc_constraint_get_info(s.world, c, &info), SPC_OK);
        CHECK(info.row_index == (info.enabled ? rows : -1));
        rows += info.position_rows + info.velocity_rows + info.acceleration_rows;
    }
    CHECK(spc_world_row_count(s.world) == rows);
}

/* Any of the calls that change how many rows there are, on a random constraint. */
static void change_rows(spc_constraint *c, int balls)
{
    const int i = (int)test_random(0, balls);
    spc_sphere_on_plane_desc d = rolling(i);
    d.shape.rolling = test_random(0, 1) < 0.5;
    d.enabled = test_random(0, 1) >= 0.3;
    if (!spc_constraint_exists(s.world, c[i]))
        CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &c[i]), SPC_OK);
    else if (test_random(0, 1) < 0.3)
        CHECK_STATUS(spc_constraint_remove(s.world, c[i]), SPC_OK);
    else if (test_random(0, 1) < 0.5)
        CHECK_STATUS(spc_constraint_set_enabled(s.world, c[i], d.enabled), SPC_OK);
    else
        CHECK_STATUS(spc_sphere_on_plane_set(s.world, c[i], &d.shape), SPC_OK);
}

static void row_indices_follow_all_changes(void)
{
    int i;
    open_balls(13, 0); /* no power of two */
    for (i = 0; i < 500; i++) {
        change_rows(s.contact, 13);
        check_row_indices();
    }
    close_balls();
}

static void only_step(int n)
{
    (void)n;
    CHECK_STATUS(spc_step(s.world, real(1e-3)), SPC_OK);
}

/* Contacts of lone balls are switched off and on, taken away and put back; a hinge instead of one,
   whose rows change; one ball more. The balls between stay as they are. */
static void change_lone_contacts(int n)
{
    spc_sphere_on_plane_desc d = rolling(n / 2);
    spc_attachment_desc hinge = spc_attachment_desc_default();
    const spc_constraint first = s.contact[0];
    CHECK_STATUS(spc_constraint_set_enabled(s.world, first, false), SPC_OK);
    only_step(n);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, first, true), SPC_OK);
    only_step(n);
    CHECK_STATUS(spc_constraint_remove(s.world, s.contact[n / 2]), SPC_OK);
    only_step(n);
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.contact[n / 2]), SPC_OK);
    only_step(n);
    CHECK_STATUS(spc_constraint_remove(s.world, s.contact[n - 1]), SPC_OK);
    hinge.b = s.body[n - 1];
    hinge.shape.X_AF.p = spc_body_position(s.world, hinge.b); /* at its centre */
    hinge.shape.locked = SPC_BALL_JOINT;
    CHECK_STATUS(spc_attachment_add(s.world, &hinge, &s.contact[n - 1]), SPC_OK);
    only_step(n);
    CHECK_STATUS(spc_attachment_get(s.world, s.contact[n - 1], &hinge.shape), SPC_OK);
    hinge.shape.locked = SPC_POINT_ON_LINE;
    CHECK_STATUS(spc_attachment_set(s.world, s.contact[n - 1], &hinge.shape), SPC_OK);
    only_step(n);
    add_ball();
    only_step(n);
}

/* What the changes cost is the same for any number of balls: steps apart, each finds the island of
   its own body anew, which takes some 60 looks, looks at the bodies whose lanes stand beside, and
   at a sum of rows for each bit of its slot, and a ball that flies or hangs takes the general way
   through its step. That is less than 900 looks, beside 26,000 for finding the structure of as
   many balls once. */
static void a_change_of_a_lone_ball_costs_what_it_touches(void)
{
    const double few = cost_of(change_lone_contacts, 100) - 7 * cost_of(only_step, 100);
    const double many = cost_of(change_lone_contacts, 1596) - 7 * cost_of(only_step, 1596);
    CHECK(few < 900);
    CHECK(many < 900);
}

/* ------------------------------------------------------------------------------ memory -------- */

/* What a world is made of, before it is: bodies, and constraints with their ends (0 is ground). */
typedef struct plan {
    int bodies, constraints, rows;
    struct {
        int a, b;
        unsigned locked; /* 0: a contact */
    } joint[2000];
} plan;

static plan the_plan;
static size_t plan_needed; /* bytes of coupling of the last one that was made */

static void plan_joint(int a, int b, unsigned locked)
{
    plan *p = &the_plan;
    p->joint[p->constraints].a = a;
    p->joint[p->constraints].b = b;
    p->joint[p->constraints++].locked = locked;
    p->rows += locked ? spci_count_bits(locked) : 3;
}

static int plan_body(void)
{
    return ++the_plan.bodies;
}

static void plan_nothing(void)
{
    the_plan.bodies = the_plan.constraints = the_plan.rows = 0;
}

/* A kind of joint, or a contact where a is ground. */
static unsigned any_kind(int a)
{
    static const unsigned kinds[7] = { SPC_BALL_JOINT,     SPC_UNIVERSAL,     SPC_HINGE, SPC_WELD,
                                       SPC_POINT_ON_PLANE, SPC_POINT_ON_LINE, 0 };
    return kinds[(int)test_random(0, a ? 6 : 7)];
}

/* Makes it with what the defaults give for so many bodies and constraints. Rows are raised where
   there are more, as the header says; tight: they are as many as there are. Do all calls that solve
   find room, and does the question before them say so? */
static bool plan_fits(bool tight)
{
    const plan *p = &the_plan;
    spc_world_desc d = spc_world_desc_default(p->bodies, p->constraints);
    spc_body_desc body = spc_body_desc_default();
    spc_world *w;
    spc_status status;
    int i;
    d.rows = tight || d.rows < p->rows ? p->rows : d.rows;
    w = test_world(&d);
    for (i = 0; i < p->bodies; i++) {
        body.mass = test_random_mass();
        body.state.X_GB = test_random_transform(1);
        CHECK_STATUS(spc_body_add(w, &body, &s.body[i]), SPC_OK);
    }
    for (i = 0; i < p->constraints; i++) {
        const int a = p->joint[i].a, b = p->joint[i].b;
        spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
        spc_attachment_desc joint = spc_attachment_desc_default();
        spc_constraint c;
        roll.floor = joint.a = a ? s.body[a - 1] : ground;
        roll.ball = joint.b = b ? s.body[b - 1] : ground;
        roll.shape.radius = real(0.1);
        joint.keep_pose = true;
        joint.shape.locked = p->joint[i].locked;
        CHECK_STATUS(p->joint[i].locked ? spc_attachment_add(w, &joint, &c)
                                        : spc_sphere_on_plane_add(w, &roll, &c),
                     SPC_OK);
    }
    plan_needed = spc_world_solver_bytes(w);
    status = spc_world_forward_dynamics(w);
    CHECK((status == SPC_ERROR_SOLVER_FULL) == (plan_needed > d.solver_bytes));
    if (status != SPC_ERROR_SOLVER_FULL)
        CHECK_STATUS(status, SPC_OK);
    free(w);
    return status == SPC_OK;
}

/* Body i hangs on another one before it: on the last (a chain), the first (a star), or any. */
static void plan_tree(int bodies, int shape, bool grounded, unsigned locked)
{
    const int first = plan_body();
    int i;
    if (grounded)
        plan_joint(0, first, locked ? locked : any_kind(0));
    for (i = 1; i < bodies; i++) {
        const int parent = first + (shape == 0 ? i - 1 : shape == 1 ? 0 : (int)test_random(0, i));
        const int body = plan_body();
        plan_joint(parent, body, locked ? locked : any_kind(parent));
    }
}

/* A ring of so many bodies, ground among them or not. */
static void plan_ring(int bodies, bool grounded, unsigned locked)
{
    const int first = plan_body();
    int i;
    if (grounded)
        plan_joint(0, first, locked);
    for (i = 1; i < bodies; i++) {
        const int body = plan_body();
        plan_joint(body - 1, body, locked);
    }
    plan_joint(first + bodies - 1, grounded ? 0 : first, locked);
}

/* Wheels on one chassis and on ground. */
static void plan_wagon(int wheels)
{
    const int chassis = plan_body();
    int i;
    for (i = 0; i < wheels; i++) {
        const int wheel = plan_body();
        plan_joint(chassis, wheel, SPC_HINGE);
        plan_joint(0, wheel, 0);
    }
}

/* Any constraints between any bodies, as long as there are eight of them at most. */
static void worlds_of_eight_constraints_always_solve(void)
{
    int round, i;
    for (round = 0; round < LONG_OR_SHORT(20000, 4000); round++) {
        const int bodies = 1 + (int)test_random(0, 9), n = 1 + (int)test_random(0, 8);
        const unsigned same = round % 2 ? SPC_WELD : 0;
        plan_nothing();
        for (i = 0; i < bodies; i++)
            (void)plan_body();
        for (i = 0; i < n; i++) {
            const int a = (int)test_random(0, bodies + 1), b = (int)test_random(0, bodies + 1);
            if (a != b)
                plan_joint(a, b, same && a ? same : any_kind(a));
        }
        CHECK(plan_fits(round % 4 < 2));
    }
}

/* Several trees at a time, up to 300 bodies, each of one kind of joint or of all. They need no
   coupling, and no more rows than they have. */
static void trees_of_the_defaults_always_solve(void)
{
    static const unsigned kinds[5] = { 0, SPC_BALL_JOINT, SPC_UNIVERSAL, SPC_HINGE, SPC_WELD };
    int round, i;
    for (round = 0; round < 600; round++) {
        const int trees = 1 + (int)test_random(0, 4), most = round % 20 ? 12 : 100;
        plan_nothing();
        for (i = 0; i < trees; i++) {
            const int bodies = 1 + (int)test_random(0, most), shape = (int)test_random(0, 3);
            const bool grounded = test_random(0, 1) < 0.5;
            plan_tree(bodies, shape, grounded, kinds[(int)test_random(0, 5)]);
        }
        CHECK(plan_fits(round % 2 == 0));
        CHECK(plan_needed == 0);
    }
}

/* Rings of one kind of joint, of any length and number; they need none either. */
static void rings_of_the_defaults_always_solve(void)
{
    static const unsigned kinds[5] = { SPC_POINT_ON_PLANE, SPC_BALL_JOINT, SPC_UNIVERSAL, SPC_HINGE,
                                       SPC_WELD };
    int k, n, grounded, i;
    for (k = 0; k < 5; k++)
        for (n = 3; n <= 200; n += 1 + n / 4)
            for (grounded = 0; grounded < 2; grounded++) {
                plan_nothing();
                for (i = 0; i < 1 + 50 / n; i++)
                    plan_ring(n, grounded, kinds[k]);
                CHECK(plan_fits(false));
                CHECK(plan_fits(true));
                CHECK(plan_needed == 0);
            }
}

/* What the header promises: four-bars and wagons of up to six wheels, one or many, alone and among
   trees, rings and lone balls; one of twelve; twelve hinges of one door. */
static void mechanisms_of_the_defaults_always_solve(void)
{
    int round, i, n;
    for (n = 1; n <= 100; n += 1 + n / 2) {
        plan_nothing();
        for (i = 0; i < n; i++)
            plan_ring(3, true, SPC_HINGE);
        CHECK(plan_fits(false));
        plan_nothing();
        for (i = 0; i < n; i++)
            plan_wagon(3 + i % 4);
        CHECK(plan_fits(false));
    }
    plan_nothing();
    plan_wagon(12);
    CHECK(plan_fits(false));
    plan_nothing();
    for (i = 0; i < 2; i++)
        (void)plan_body();
    for (i = 0; i < 12; i++)
        plan_joint(1, 2, SPC_HINGE);
    CHECK(plan_fits(false));
    for (round = 0; round < 300; round++) {
        plan_nothing();
        n = 1 + (int)test_random(0, round % 20 ? 10 : 60);
        for (i = 0; i < n; i++) {
            const int what = (int)test_random(0, 5);
            const int bodies = 3 + (int)test_random(0, 6);
            if (what == 0)
                plan_tree(bodies, 2, test_random(0, 1) < 0.5, 0);
            else if (what == 1)
                plan_ring(bodies, test_random(0, 1) < 0.5, SPC_BALL_JOINT);
            else if (what == 2)
                plan_ring(3, true, SPC_HINGE);
            else if (what == 3)
                plan_wagon(3 + (int)test_random(0, 2));
            else
                plan_joint(0, plan_body(), 0);
        }
        CHECK(plan_fits(false));
    }
}

/* 100 balls on a floor, scattered by a generator whose numbers are not quite random, with contacts
   to those near them, 6 on the average: in the order that they are found in, blocks between these
   took 1.2 MB more than trees of as many constraints do; in a better one 52 KB (float: 214). */
static void a_net_in_no_order_needs_little_room(void)
{
    spc_world_desc d = spc_world_desc_default(100, 800);
    spc_sphere_on_plane_desc floor = spc_sphere_on_plane_desc_default();
    spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
    double x[100], y[100];
    unsigned seed = 1;
    spc_constraint c;
    int i, k;
    d.solver_bytes = 4000000;
    s.world = test_world(&d);
    floor.shape.radius = pair.shape.radius_a = pair.shape.radius_b = real(0.1);
    floor.one_sided = pair.one_sided = true;
    for (i = 0; i < 100; i++) {
        spc_body_desc ball = spc_body_desc_default();
        ball.mass = spc_mass_solid_sphere(1, real(0.1));
        x[i] = (double)((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216;
        y[i] = (double)((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216;
        seed = seed * 1664525u + 1013904223u;
        ball.state.X_GB.p = spc_vec3_make(real(x[i]), real(y[i]), 0);
        CHECK_STATUS(spc_body_add(s.world, &ball, &s.body[i]), SPC_OK);
        floor.ball = pair.b = s.body[i];
        CHECK_STATUS(spc_sphere_on_plane_add(s.world, &floor, &c), SPC_OK);
        for (k = 0; k < i; k++) {
            pair.a = s.body[k];
            if (hypot(x[k] - x[i], y[k] - y[i]) < 0.15)
                CHECK_STATUS(spc_sphere_on_sphere_add(s.world, &pair, &c), SPC_OK);
        }
    }
    CHECK(spc_world_solver_bytes(s.world) < 300000);
    close_balls();
}

/* A ball comes with 1 m/s to a row of 39 at rest, which touch: the blow goes on from one to the
   next in as many rounds. Each looks at all contacts for what meets, but solves for what does:
   434,000 looks in all. It were 554,000 if it solved for all. */
static void a_round_solves_for_what_is_struck(void)
{
    spc_world_desc d = spc_world_desc_default(40, 80);
    spc_sphere_on_plane_desc floor = spc_sphere_on_plane_desc_default();
    spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
    spc_constraint c;
    int i;
    d.gravity.z = real(-9.81);
    s.world = test_world(&d);
    floor.shape.radius = pair.shape.radius_a = pair.shape.radius_b = real(0.1);
    floor.one_sided = pair.one_sided = pair.law.propagates = true;
    floor.law.grip = pair.law.grip = false;
    pair.law.restitution = 1;
    for (i = 0; i < 40; i++) {
        spc_body_desc ball = spc_body_desc_default();
        ball.mass = spc_mass_solid_sphere(1, real(0.1));
        ball.state.X_GB.p = spc_vec3_make(real(0.2 * i + (i ? 1e-3 : 0)), 0, real(0.1));
        ball.state.V_GB.linear.x = i ? 0 : 1;
        CHECK_STATUS(spc_body_add(s.world, &ball, &s.body[i]), SPC_OK);
        floor.ball = pair.b = s.body[i];
        CHECK_STATUS(spc_sphere_on_plane_add(s.world, &floor, &c), SPC_OK);
        if (i > 0)
            CHECK_STATUS(spc_sphere_on_sphere_add(s.world, &pair, &c), SPC_OK);
        pair.a = pair.b;
    }
    cost = 0;
    CHECK_STATUS(spc_step(s.world, real(0.01)), SPC_OK);
    CHECK(cost < 490000);
    close_balls();
}

/* Twelve balls bounce on the floor, in a grid whose rows are 0.4 m apart, and each may touch each
   other. Contacts that are far from closing are only asked how far, and islands are without them:
   108 looks for each of 78 contacts in a step. They are 246 if islands have them, and 355 if all
   are asked for their rows; the bound is between. */
static void contacts_that_are_apart_cost_a_look(void)
{
    const int n = 12;
    spc_world_desc d = spc_world_desc_default(n, n * (n + 1) / 2);
    spc_sphere_on_plane_desc floor = spc_sphere_on_plane_desc_default();
    spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
    spc_constraint c;
    int i, k;
    d.gravity.z = real(-9.81);
    d.solver_bytes = 1000000;
    s.world = test_world(&d);
    floor.shape.radius = pair.shape.radius_a = pair.shape.radius_b = real(0.1);
    floor.one_sided = pair.one_sided = true;
    floor.law.restitution = pair.law.restitution = real(0.5);
    for (i = 0; i < n; i++) {
        spc_body_desc ball = spc_body_desc_default();
        ball.mass = spc_mass_solid_sphere(1, real(0.1));
        ball.state.X_GB.p =
            spc_vec3_make(real(0.4 * (i % 4)), real(0.4 * (i / 4)), real(0.2 + 0.05 * i));
        CHECK_STATUS(spc_body_add(s.world, &ball, &s.body[i]), SPC_OK);
        floor.ball = pair.b = s.body[i];
        CHECK_STATUS(spc_sphere_on_plane_add(s.world, &floor, &c), SPC_OK);
        for (k = 0; k < i; k++) {
            pair.a = s.body[k];
            CHECK_STATUS(spc_sphere_on_sphere_add(s.world, &pair, &c), SPC_OK);
        }
    }
    CHECK_STATUS(spc_step(s.world, real(0.01)), SPC_OK);
    cost = 0;
    for (i = 0; i < 100; i++)
        CHECK_STATUS(spc_step(s.world, real(0.01)), SPC_OK);
    CHECK((double)cost < 170.0 * 7800);
    close_balls();
}

/* A box of 2 kg on a belt of 1 m/s that presses it against a wall, on 4 feet to each. */
static void open_box(void)
{
    spc_world_desc desc = spc_world_desc_default(1, 8);
    spc_body_desc box = spc_body_desc_default();
    spc_attachment_desc foot = spc_attachment_desc_default();
    spc_constraint c;
    int i;
    desc.gravity.z = real(-9.81);
    desc.solver_bytes = 60000;
    s.world = test_world(&desc);
    box.mass = spc_mass_box(2, spc_vec3_make(real(0.1), real(0.1), real(0.05)));
    box.state.X_GB.p = spc_vec3_make(real(0.85), 0, real(0.05));
    CHECK_STATUS(spc_body_add(s.world, &box, &s.body[0]), SPC_OK);
    foot.b = s.body[0];
    foot.shape.locked = SPC_LOCK_TZ;
    foot.one_sided = true;
    foot.law.grip = false;
    for (i = 0; i < 8; i++) {
        const bool wall = i >= 4;
        foot.law.friction = real(wall ? 0.3 : 0.4);
        foot.law.surface_velocity[0] = wall ? 0 : 1;
        foot.shape.X_AF.p.x = wall ? 1 : 0;
        if (wall)
            CHECK_STATUS(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), spc_vec3_make(-1, 0, 0),
                                                   &foot.shape.X_AF.q),
                         SPC_OK);
        foot.shape.X_BM.p =
            spc_vec3_make(real(wall || i & 2 ? 0.1 : -0.1), real(i & 1 ? 0.1 : -0.1),
                          real(wall && i & 2 ? 0.05 : -0.05));
        CHECK_STATUS(spc_attachment_add(s.world, &foot, &c), SPC_OK);
    }
}

/* Forces of 8 feet balance each other on the limits of friction: what rounding makes of them is no
   event, which would be looked for in every step, and end in 16 steps of second order. The law
   takes a few Newton steps, and what keeps its mode 5 solutions. */
static void a_box_at_rest_has_no_events(void)
{
    static const double rates[] = { 60, 240, 1000 };
    int i, k;
    for (k = 0; k < LONG_OR_SHORT(6, 4); k++) {
        const double rate = rates[k / 2];
        spc_world_report report;
        spc_state state;
        memset(&report, 0, sizeof report);
        open_box();
        for (i = 0; i < 2 * rate && i < 600; i++) {
            CHECK_STATUS(spc_step_rk4(s.world, real(1 / rate),
                                      k & 1 ? SPC_DRIFT_PROJECT : SPC_DRIFT_STABILIZE),
                         SPC_OK);
            CHECK_STATUS(spc_world_get_report(s.world, &report), SPC_OK);
            CHECK(!(i > 0.5 * rate) || report.factorizations <= 24);
        }
        CHECK_STATUS(spc_body_get_state(s.world, s.body[0], &state), SPC_OK);
        CHECK_NEAR(state.X_GB.p.x, 0.9, sizeof(spc_real) < 8 ? 1e-5 : 1e-12);
        free(s.world);
    }
}

/* What a joint has stands where a one-sided contact has its side: none looks for the other's. The
   hinge is off by 0.01 m, so that there is something to assemble. */
static void sides_are_those_of_one_sided_contacts(void)
{
    spc_world_desc desc = spc_world_desc_default(2, 3);
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_sphere_on_plane_desc contact;
    spc_real residual = 1;
    s.balls = 0;
    s.world = test_world(&desc);
    add_ball();
    add_ball();
    contact = rolling(0);
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &contact, &s.contact[0]), SPC_OK);
    contact = rolling(1);
    contact.one_sided = true;
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &contact, &s.contact[1]), SPC_OK);
    hinge.a = s.body[0];
    hinge.b = s.body[1];
    hinge.shape.X_AF.p.x = real(1.01);
    hinge.shape.locked = SPC_LOCK_TX;
    CHECK_STATUS(spc_attachment_add(s.world, &hinge, &s.contact[2]), SPC_OK);
    broken = 0;
    CHECK_STATUS(spc_world_assemble(s.world, real(1e-6), &residual), SPC_OK);
    CHECK(residual <= real(1e-6));
    CHECK_STATUS(spc_step(s.world, real(0.01)), SPC_OK);
    CHECK_STATUS(spc_step_rk4(s.world, real(0.01), SPC_DRIFT_PROJECT), SPC_OK);
    CHECK(broken == 0);
    free(s.world);
}

static const test_entry tests[] = {
    TEST(a_net_in_no_order_needs_little_room),
    TEST(a_round_solves_for_what_is_struck),
    TEST(contacts_that_are_apart_cost_a_look),
    TEST(worlds_of_eight_constraints_always_solve),
    TEST(trees_of_the_defaults_always_solve),
    TEST(rings_of_the_defaults_always_solve),
    TEST(mechanisms_of_the_defaults_always_solve),
    TEST(a_change_of_a_lone_ball_costs_what_it_touches),
    TEST(row_indices_follow_all_changes),
    TEST(reading_all_constraints_is_not_quadratic),
    TEST(a_compliance_matrix_costs_its_numbers),
    TEST(a_box_at_rest_has_no_events),
    TEST(sides_are_those_of_one_sided_contacts),
};

TEST_MAIN
