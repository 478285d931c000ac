/* What calls cost, counted and not timed: every look at a slot, node, body or sum of the world is an
   assertion of the library's, and a private copy of it counts these. */
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

static spc_real real(double x)
{
    return (spc_real)x;
}

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
    spc_world_desc d = spc_world_desc_default(n, n + more);
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
    CHECK(cost > 0);
    close_balls();
    return (double)cost;
}

/* The power of n that the cost grows with: from 400 to 1,600, where terms of lower order are small;
   or of n up to 200 for what writes n^2 numbers. */
static double growth(call f, int n)
{
    const double few = cost_of(f, n), many = cost_of(f, 4 * n);
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
    d.disabled = test_random(0, 1) < 0.3;
    if (!spc_constraint_exists(s.world, c[i]))
        CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &c[i]), SPC_OK);
    else if (test_random(0, 1) < 0.3)
        CHECK_STATUS(spc_constraint_remove(s.world, c[i]), SPC_OK);
    else if (test_random(0, 1) < 0.5)
        CHECK_STATUS(spc_constraint_set_enabled(s.world, c[i], d.disabled), SPC_OK);
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
   whose rows change. The balls between stay as they are. */
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
    hinge.keep_pose = true;
    hinge.shape.locked = SPC_BALL_JOINT;
    CHECK_STATUS(spc_attachment_add(s.world, &hinge, &s.contact[n - 1]), SPC_OK);
    only_step(n);
    CHECK_STATUS(spc_attachment_get(s.world, s.contact[n - 1], &hinge.shape), SPC_OK);
    hinge.shape.locked = SPC_POINT_ON_LINE;
    CHECK_STATUS(spc_attachment_set(s.world, s.contact[n - 1], &hinge.shape), SPC_OK);
    only_step(n);
}

/* What the changes cost is the same for any number of balls: steps apart, each looks at its own
   body, node and island, and at a sum of rows for each bit of its slot, and a ball that flies or
   hangs takes the general way through its step. That is less than 700 looks, beside 26,000 for
   finding the structure of 1,600 balls once. */
static void a_change_of_a_lone_ball_costs_what_it_touches(void)
{
    const double few = cost_of(change_lone_contacts, 100) - 6 * cost_of(only_step, 100);
    const double many = cost_of(change_lone_contacts, 1600) - 6 * cost_of(only_step, 1600);
    CHECK(few < 700);
    CHECK(many < 700);
}

static const test_entry tests[] = {
    TEST(a_change_of_a_lone_ball_costs_what_it_touches),
    TEST(row_indices_follow_all_changes),
    TEST(reading_all_constraints_is_not_quadratic),
    TEST(a_compliance_matrix_costs_its_numbers),
};

int main(int argc, char **argv)
{
    return test_run(tests, sizeof tests / sizeof tests[0], argc, argv);
}
