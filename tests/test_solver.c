/* [6] The sparse solver against a dense one: random systems of every shape, redundant or not. The
   reference forms A = G M^-1 G^T from the kernels' rows, takes its pseudo-inverse by Jacobi's
   eigenvalues, and so gives the accelerations and the multipliers of least norm without any of the
   header's solver. */
#include "test.h"

#define MOST_BODIES 60
#define MOST_CONSTRAINTS 90
#define MOST_ROWS (3 * MOST_CONSTRAINTS)

/* A system under test: the world and all handles. */
typedef struct scene {
    spc_world *world;
    spc_body body[MOST_BODIES];
    spc_constraint constraint[MOST_CONSTRAINTS];
    int bodies, constraints;
} scene;

static double A[MOST_ROWS][MOST_ROWS], Q[MOST_ROWS][MOST_ROWS], rhs[MOST_ROWS], lambda[MOST_ROWS];
static double left[MOST_ROWS];           /* of the rows, where they contradict each other */
static double all[MOST_ROWS][MOST_ROWS]; /* A, before it is taken apart */

static void scene_begin(scene *s)
{
    spc_world_desc desc = spc_world_desc_default(MOST_BODIES, MOST_CONSTRAINTS);
    memset(s, 0, sizeof *s);
    desc.solver_bytes *= 6;
    desc.gravity = spc_vec3_make(1, -2, SPC_R(-9.81));
    desc.stabilization.enabled = false;
    s->world = test_world(&desc);
}

static int scene_body(scene *s, spc_body_kind kind)
{
    spc_body_desc d = spc_body_desc_default();
    const int i = s->bodies++;
    spc_vec3 force;
    d.kind = kind;
    d.mass = test_random_mass();
    d.state = test_random_state();
    CHECK_STATUS(spc_body_add(s->world, &d, &s->body[i]), SPC_OK);
    if (kind == SPC_KINEMATIC) {
        CHECK_STATUS(spc_body_set_acceleration(s->world, s->body[i], d.state.V_GB), SPC_OK);
        return i;
    }
    force = test_random_vec3(5);
    CHECK_STATUS(spc_body_add_force(s->world, s->body[i], force, test_random_vec3(1), SPC_ONE_STEP),
                 SPC_OK);
    CHECK_STATUS(spc_body_add_torque(s->world, s->body[i], test_random_vec3(2), SPC_LASTING),
                 SPC_OK);
    return i;
}

static spc_body handle(const scene *s, int i)
{
    return i < 0 ? ground : s->body[i];
}

/* A sphere on a plane between bodies (ground is -1), in a random place. */
static void scene_contact(scene *s, int floor, int ball, bool rolling)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    d.floor = handle(s, floor);
    d.ball = handle(s, ball);
    d.shape.X_FP = test_random_transform(1);
    d.shape.p_BS = test_random_vec3(SPC_R(0.5));
    d.shape.radius = (spc_real)test_random(0.1, 1);
    d.shape.rolling = rolling;
    CHECK_STATUS(spc_sphere_on_plane_add(s->world, &d, &s->constraint[s->constraints]), SPC_OK);
    s->constraints++;
}

/* w . M^-1 w' for rows at Bo of one body: the rows are moved to Bc first. */
static double through_mass(const scene *s, spc_body body, spc_spatial x, spc_spatial y)
{
    spc_mass m;
    spc_state state;
    spc_vec3 c, xw, yw;
    spc_mat3 inverse;
    double det;
    spc_inertia I;
    if (spc_body_get_mass(s->world, body, &m))
        return 0; /* ground, kinematic */
    spc_body_get_state(s->world, body, &state);
    c = spc_rotate(state.X_GB.q, m.p_BBc);
    xw = spc_unrotate(state.X_GB.q, spc_sub(x.angular, spc_cross(c, x.linear)));
    yw = spc_unrotate(state.X_GB.q, spc_sub(y.angular, spc_cross(c, y.linear)));
    I = m.inertia; /* I^-1 by columns of cross products */
    inverse.x = spc_cross(spc_vec3_make(I.xy, I.yy, I.yz), spc_vec3_make(I.xz, I.yz, I.zz));
    inverse.y = spc_cross(spc_vec3_make(I.xz, I.yz, I.zz), spc_vec3_make(I.xx, I.xy, I.xz));
    inverse.z = spc_cross(spc_vec3_make(I.xx, I.xy, I.xz), spc_vec3_make(I.xy, I.yy, I.yz));
    det = (double)spc_dot(spc_vec3_make(I.xx, I.xy, I.xz), inverse.x);
    return (double)spc_dot(x.linear, y.linear) / (double)m.mass +
           (double)spc_dot(xw, spc_mat3_mul(inverse, yw)) / det;
}

/* Eigenvalues onto A's diagonal, eigenvectors into Q's columns: cyclic Jacobi. */
static void diagonalize(int n)
{
    int sweep, p, q, k;
    for (p = 0; p < n; p++)
        for (q = 0; q < n; q++)
            Q[p][q] = p == q;
    for (sweep = 0; sweep < 60; sweep++) {
        double off = 0, size = 0;
        for (p = 0; p < n; p++)
            for (q = 0; q < n; q++)
                *(p == q ? &size : &off) += A[p][q] * A[p][q];
        if (off <= 1e-34 * size)
            return;
        for (p = 0; p < n; p++)
            for (q = p + 1; q < n; q++) {
                const double theta = (A[q][q] - A[p][p]) / 2;
                const double r = A[p][q];
                const double t =
                    fabs(r) < 1e-300
                        ? 0
                        : r / (theta + (theta < 0 ? -1 : 1) * sqrt(theta * theta + r * r));
                const double c = 1 / sqrt(1 + t * t), s = t * c;
                for (k = 0; k < n; k++) {
                    const double x = A[k][p], y = A[k][q];
                    A[k][p] = c * x - s * y;
                    A[k][q] = s * x + c * y;
                }
                for (k = 0; k < n; k++) {
                    const double x = A[p][k], y = A[q][k];
                    A[p][k] = c * x - s * y;
                    A[q][k] = s * x + c * y;
                }
                for (k = 0; k < n; k++) {
                    const double x = Q[k][p], y = Q[k][q];
                    Q[k][p] = c * x - s * y;
                    Q[k][q] = s * x + c * y;
                }
            }
    }
}

/* One row of the system: its constraint, its place in the kernel's rows. */
static spc_rows rows[MOST_CONSTRAINTS];
static spc_constraint_info info[MOST_CONSTRAINTS];
static int row_of[MOST_ROWS], constraint_of[MOST_ROWS];

/* Without constraints: accelerations of free bodies. Disables, solves, enables. */
static void free_accelerations(scene *s, spc_spatial *free)
{
    int i;
    for (i = 0; i < s->constraints; i++)
        CHECK_STATUS(spc_constraint_set_enabled(s->world, s->constraint[i], false), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s->world), SPC_OK);
    for (i = 0; i < s->bodies; i++)
        spc_body_get_acceleration(s->world, s->body[i], &free[i]);
    for (i = 0; i < s->constraints; i++)
        CHECK_STATUS(spc_constraint_set_enabled(s->world, s->constraint[i], true), SPC_OK);
}

static spc_spatial of_handle(const scene *s, const spc_spatial *values, spc_body body)
{
    int i;
    for (i = 0; i < s->bodies; i++)
        if (s->body[i].index == body.index)
            return values[i];
    return spc_spatial_make(zero, zero);
}

/* Fills A, rhs = -(G a0 + b) and solves for lambda; gives the number of rows. */
static int reference(scene *s, int *rank, double *condition)
{
    spc_spatial free[MOST_BODIES];
    int n = 0, i, j, k;
    double largest = 0;
    free_accelerations(s, free);
    for (i = 0; i < s->constraints; i++) {
        spc_constraint_get_rows(s->world, s->constraint[i], &rows[i]);
        spc_constraint_get_info(s->world, s->constraint[i], &info[i]);
        for (k = 0; k < rows[i].count; k++)
            if (rows[i].enforced >> k & 1u) {
                row_of[n] = k;
                constraint_of[n++] = i;
            }
    }
    for (i = 0; i < n; i++) {
        const spc_constraint_info *ci = &info[constraint_of[i]];
        const spc_rows *ri = &rows[constraint_of[i]];
        const spc_spatial Ja = ri->jacobian_a[row_of[i]], Jb = ri->jacobian_b[row_of[i]];
        const spc_spatial a = of_handle(s, free, ci->a), b = of_handle(s, free, ci->b);
        rhs[i] = (double)(ri->jdot_v[row_of[i]] + spc_dot(Ja.angular, a.angular) +
                          spc_dot(Ja.linear, a.linear) + spc_dot(Jb.angular, b.angular) +
                          spc_dot(Jb.linear, b.linear));
        for (j = 0; j < n; j++) {
            const spc_constraint_info *cj = &info[constraint_of[j]];
            const spc_rows *rj = &rows[constraint_of[j]];
            A[i][j] = 0;
            if (ci->a.index == cj->a.index)
                A[i][j] += through_mass(s, ci->a, Ja, rj->jacobian_a[row_of[j]]);
            if (ci->a.index == cj->b.index)
                A[i][j] += through_mass(s, ci->a, Ja, rj->jacobian_b[row_of[j]]);
            if (ci->b.index == cj->a.index)
                A[i][j] += through_mass(s, ci->b, Jb, rj->jacobian_a[row_of[j]]);
            if (ci->b.index == cj->b.index)
                A[i][j] += through_mass(s, ci->b, Jb, rj->jacobian_b[row_of[j]]);
        }
    }
    memcpy(all, A, sizeof all);
    diagonalize(n);
    for (i = 0; i < n; i++) {
        lambda[i] = 0;
        left[i] = rhs[i];
        largest = fmax(largest, A[i][i]);
    }
    *rank = 0;
    *condition = 1;
    for (k = 0; k < n; k++) {
        double y = 0;
        if (A[k][k] < 30 * TEST_EPSILON * largest)
            continue;
        ++*rank;
        *condition = fmax(*condition, largest / A[k][k]);
        for (i = 0; i < n; i++)
            y += Q[i][k] * rhs[i];
        for (i = 0; i < n; i++) {
            lambda[i] += Q[i][k] * y / A[k][k];
            left[i] -= Q[i][k] * y;
        }
    }
    return n;
}

/* The condition of the rows that the world kept. They are those that came first in its elimination,
   not those that stand apart most, so that it may be larger than the reference's. */
static double kept_condition(const scene *s, int n)
{
    double least = 1, most = 1;
    int kept[MOST_ROWS], count = 0, i, j;
    for (i = 0; i < n; i++) {
        spc_constraint_info now;
        spc_constraint_get_info(s->world, s->constraint[constraint_of[i]], &now);
        if (!(now.redundant >> row_of[i] & 1u))
            kept[count++] = i;
    }
    for (i = 0; i < count; i++)
        for (j = 0; j < count; j++)
            A[i][j] = all[kept[i]][kept[j]];
    diagonalize(count);
    for (i = 0; i < count; i++) {
        most = i ? fmax(most, A[i][i]) : A[i][i];
        least = i ? fmin(least, A[i][i]) : A[i][i];
    }
    return most / least;
}

/* Forward dynamics must give the reference's multipliers, and accelerations that satisfy the rows
   as well as can be. */
static void compare(scene *s, int redundant, double tolerance)
{
    int rank, i;
    double condition;
    const int n = reference(s, &rank, &condition);
    double size = 1, largest_rhs = 1, most_left = 0;
    spc_world_report report;
    CHECK(n - rank == redundant || redundant < 0);
    /* Rows that are dependent to within the square root of rounding have no answer to compare with.
       */
    if (condition * sqrt(TEST_EPSILON) > 0.5) {
        free(s->world);
        return;
    }
    CHECK(spc_world_row_count(s->world) == n);
    CHECK_STATUS(spc_world_forward_dynamics(s->world), SPC_OK);
    CHECK_STATUS(spc_world_get_report(s->world, &report), SPC_OK);
    CHECK(report.redundant_rows == n - rank);
    if (rank < n)
        condition = fmax(condition, kept_condition(s, n));
    for (i = 0; i < n; i++) {
        size = fmax(size, fabs(lambda[i]));
        largest_rhs = fmax(largest_rhs, fabs(rhs[i]));
        most_left = fmax(most_left, fabs(left[i]));
    }
    /* what no acceleration meets is remarked upon, unless it is little */
    CHECK(report.contradictory > 0 || most_left < 0.1 * largest_rhs);
    CHECK(report.contradictory == 0 || most_left > 1e-4 * largest_rhs);
    if (report.contradictory >
        0) /* of contacts, whose rows are all lengths: the largest that is left */
        CHECK_NEAR((double)report.contradiction / largest_rhs, most_left / largest_rhs,
                   tolerance + 1000 * TEST_EPSILON * condition * most_left / largest_rhs);
    for (i = 0; i < n; i++) {
        spc_real got[SPC_MAX_ROWS], errors[SPC_MAX_ROWS];
        spc_constraint_get_multipliers(s->world, s->constraint[constraint_of[i]], got);
        spc_constraint_get_acceleration_errors(s->world, s->constraint[constraint_of[i]], errors);
        CHECK_NEAR((double)got[row_of[i]] / size, lambda[i] / size, 200 * TEST_EPSILON * condition);
        CHECK_NEAR((double)errors[row_of[i]] / largest_rhs, left[i] / largest_rhs,
                   tolerance + 1000 * TEST_EPSILON * condition * most_left / largest_rhs);
        CHECK(info[constraint_of[i]].row_index + row_of[i] >= 0);
    }
    free(s->world);
}

/* Of acceleration errors: they are sums of some hundred terms that may be a thousand times as large
   as the rows' right-hand sides. (Multipliers are compared to the condition of A, which both sides
   lose.) */
#define WELL (1e5 * TEST_EPSILON)

static void one_ball_on_ground(void)
{
    int turn;
    for (turn = 0; turn < 50; turn++) {
        scene s;
        scene_begin(&s);
        scene_body(&s, SPC_DYNAMIC);
        scene_contact(&s, -1, 0, turn % 2 == 0);
        compare(&s, 0, WELL);
    }
}

static void a_floor_that_moves_and_a_ball_that_is_fixed(void)
{
    int turn;
    for (turn = 0; turn < 50; turn++) {
        scene s;
        scene_begin(&s);
        scene_body(&s, SPC_DYNAMIC);
        scene_body(&s, turn % 3 == 0 ? SPC_KINEMATIC : SPC_DYNAMIC);
        scene_contact(&s, 0, 1, turn % 2 == 0);
        if (turn % 5 == 0)
            scene_contact(&s, 0, -1, true);
        compare(&s, turn % 30 == 0 ? 1 : 0, WELL); /* two fixed rolling points: rank 5 */
    }
}

/* Trees, double edges and loops at random: up to four constraints on a body. */
static void random_graphs_of_few_contacts(void)
{
    int turn, i;
    for (turn = 0; turn < 60; turn++) {
        const int n = 3 + turn % 8;
        scene s;
        scene_begin(&s);
        for (i = 0; i < n; i++)
            scene_body(&s, turn % 7 == 0 && i == 0 ? SPC_KINEMATIC : SPC_DYNAMIC);
        for (i = 0; i < n; i++) {
            const int a = (int)test_random(-1, n - 1e-9), b = (int)test_random(0, n - 1e-9);
            if (a != b)
                scene_contact(&s, a, b, test_random(0, 1) < 0.7);
        }
        compare(&s, -1, WELL);
    }
}

static void a_plate_with_many_balls_is_a_hub(void)
{
    int turn, i;
    for (turn = 0; turn < 12; turn++) {
        const int n = 5 + 2 * turn;
        scene s;
        scene_begin(&s);
        scene_body(&s, SPC_DYNAMIC);
        for (i = 1; i <= n; i++) {
            scene_body(&s, SPC_DYNAMIC);
            scene_contact(&s, 0, i, i % 4 != 0);
        }
        if (turn % 3 == 1)
            scene_contact(&s, -1, 0, true); /* the plate itself on ground */
        if (turn % 3 == 2)
            scene_contact(&s, 1, 2, true); /* a loop through the hub */
        compare(&s, 0, WELL);
    }
}

/* Every contact rolls and has a body of its own beside the plate: a star, which is solved in closed
   form. The plate is the floor, or stands on the others; leaves are of any mass, or balls. */
static void stars_of_contacts(void)
{
    int turn, i;
    for (turn = 0; turn < 40; turn++) {
        const int n = 1 + turn % 14;
        scene s;
        scene_begin(&s);
        scene_body(&s, SPC_DYNAMIC);
        for (i = 1; i <= n; i++) {
            const spc_mass ball = spc_mass_solid_sphere((spc_real)test_random(0.5, 2), 1);
            scene_body(&s, SPC_DYNAMIC);
            if (i % 2)
                CHECK_STATUS(spc_body_set_mass(s.world, s.body[i], &ball), SPC_OK);
            scene_contact(&s, i % 3 ? 0 : i, i % 3 ? i : 0, true);
        }
        compare(&s, 0, WELL);
    }
}

/* Fixes a body to ground in none of its directions: the island is no star any more. */
static void hold_loosely(scene *s, int body)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    d.b = s->body[body];
    d.shape.locked = 0;
    CHECK_STATUS(spc_attachment_add(s->world, &d, &s->constraint[s->constraints]), SPC_OK);
}

/* Steps of both kinds take a star where they take it as an island like any other; with a joint
   among the contacts, and errors that are pulled in. */
static void stars_step_like_other_islands(void)
{
    int turn, i, k;
    for (turn = 0; turn < 24; turn++) {
        const int n = 1 + turn % 8;
        scene s[2];
        for (k = 0; k < 2; k++) {
            spc_attachment_desc joint = spc_attachment_desc_default();
            spc_stabilization pull = spc_stabilization_default();
            test_seed = 1000u + (unsigned)turn;
            scene_begin(&s[k]);
            scene_body(&s[k], SPC_DYNAMIC);
            for (i = 1; i <= n; i++) {
                scene_body(&s[k], SPC_DYNAMIC);
                scene_contact(&s[k], 0, i, true);
                pull.enabled = i % 2 == 0;
                CHECK_STATUS(
                    spc_constraint_set_stabilization(s[k].world, s[k].constraint[i - 1], &pull),
                    SPC_OK);
            }
            joint.a = s[k].body[0];
            joint.b = s[k].body[scene_body(&s[k], SPC_DYNAMIC)];
            joint.shape.X_BM.p = test_random_vec3(1);
            CHECK_STATUS(spc_attachment_add(s[k].world, &joint, &s[k].constraint[n]), SPC_OK);
            s[k].constraints++;
            if (k == 1)
                hold_loosely(&s[k], 0);
            for (i = 0; i < 4; i++)
                CHECK_STATUS(turn % 2 ? spc_step(s[k].world, SPC_R(1e-3))
                                      : spc_step_rk4(s[k].world, SPC_R(1e-3), SPC_DRIFT_STABILIZE),
                             SPC_OK);
        }
        for (i = 0; i < s[0].bodies; i++) {
            spc_state a, b;
            spc_body_get_state(s[0].world, s[0].body[i], &a);
            spc_body_get_state(s[1].world, s[1].body[i], &b);
            CHECK_NEAR(spc_norm(spc_sub(a.X_GB.p, b.X_GB.p)), 0, 1e4 * TEST_EPSILON);
            CHECK_NEAR(spc_norm(spc_sub(a.V_GB.linear, b.V_GB.linear)), 0, 1e6 * TEST_EPSILON);
            CHECK_NEAR(spc_norm(spc_sub(a.V_GB.angular, b.V_GB.angular)), 0, 1e6 * TEST_EPSILON);
        }
        for (i = 0; i <= n; i++) {
            spc_real a[SPC_MAX_ROWS], b[SPC_MAX_ROWS];
            spc_constraint_get_multipliers(s[0].world, s[0].constraint[i], a);
            spc_constraint_get_multipliers(s[1].world, s[1].constraint[i], b);
            for (k = 0; k < 3; k++)
                CHECK_NEAR(a[k], b[k], 1e6 * TEST_EPSILON * (1 + fabs((double)b[k])));
        }
        free(s[0].world);
        free(s[1].world);
    }
}

/* A hub's constraints are assembled and projected as others are. */
static void a_plate_with_many_balls_is_assembled(void)
{
    int turn, i;
    for (turn = 0; turn < 6; turn++) {
        const int n = 6 + turn;
        scene s;
        spc_rows r;
        scene_begin(&s);
        scene_body(&s, SPC_DYNAMIC);
        for (i = 1; i <= n; i++) {
            scene_body(&s, SPC_DYNAMIC);
            scene_contact(&s, 0, i, true);
        }
        CHECK_STATUS(spc_world_assemble(s.world, 1000 * SPC_R(TEST_EPSILON), NULL), SPC_OK);
        CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
        for (i = 0; i < n; i++) {
            CHECK_STATUS(spc_constraint_get_rows(s.world, s.constraint[i], &r), SPC_OK);
            CHECK_NEAR(r.separation, 0, 1000 * TEST_EPSILON);
            CHECK_NEAR(r.velocity_errors[0], 0, WELL);
            CHECK_NEAR(r.velocity_errors[2], 0, WELL);
        }
        free(s.world);
    }
}

/* Ground may be either end; what is taken away counts no more. */
static void joints_to_ground_from_either_end(void)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_spatial found;
    scene s;
    scene_begin(&s);
    scene_body(&s, SPC_DYNAMIC);
    d.a = s.body[0]; /* and b is ground */
    d.shape.locked = SPC_WELD;
    CHECK_STATUS(spc_attachment_add(s.world, &d, &s.constraint[0]), SPC_OK);
    CHECK_STATUS(
        spc_body_set_velocity(s.world, s.body[0],
                              spc_spatial_make(spc_vec3_make(0, 0, 0), spc_vec3_make(0, 0, 0))),
        SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_STATUS(spc_body_get_acceleration(s.world, s.body[0], &found), SPC_OK);
    CHECK_NEAR(spc_norm(found.linear) + spc_norm(found.angular), 0, WELL);
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[0]), SPC_OK);
    CHECK_STATUS(spc_body_remove(s.world, s.body[0]), SPC_OK);
    free(s.world);
}

/* Eight contacts among three bodies and ground: each of the three has five, the least of a hub. */
static void as_many_hubs_as_the_contacts_allow(void)
{
    static const int pair[8][2] = { { 0, 1 }, { 0, 1 }, { 0, 1 }, { 0, 2 },
                                    { 0, 2 }, { 1, 2 }, { 1, 2 }, { -1, 2 } };
    spc_world_desc desc = spc_world_desc_default(3, 8);
    scene s;
    int i;
    memset(&s, 0, sizeof s);
    desc.solver_bytes *= 6;
    desc.stabilization.enabled = false;
    s.world = test_world(&desc); /* no room to spare */
    for (i = 0; i < 3; i++)
        scene_body(&s, SPC_DYNAMIC);
    for (i = 0; i < 8; i++)
        scene_contact(&s, pair[i][0], pair[i][1], false);
    compare(&s, 0, WELL);
}

/* A ball of another mass on a ball on ground rests, whatever the ratio, to 1e10 (float: 1e4). */
static void heavy_on_light_rests(void)
{
    const int most = sizeof(spc_real) == sizeof(double) ? 10 : 4;
    int power;
    for (power = -most; power <= most; power++) {
        spc_world_desc desc = spc_world_desc_default(2, 2);
        spc_body_desc body = spc_body_desc_default();
        spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
        spc_world *w;
        spc_body low, high;
        spc_constraint c;
        spc_spatial found;
        desc.gravity.z = -10;
        w = test_world(&desc);
        body.mass = spc_mass_solid_sphere(1, 1);
        body.state.X_GB.p.z = 1;
        CHECK_STATUS(spc_body_add(w, &body, &low), SPC_OK);
        body.mass = spc_mass_solid_sphere((spc_real)pow(10, power), 1);
        body.state.X_GB.p.z = 3;
        CHECK_STATUS(spc_body_add(w, &body, &high), SPC_OK);
        d.ball = low;
        d.shape.radius = 1;
        CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
        d.floor = high; /* the plane under the upper body looks down on the lower ball */
        d.shape.X_FP = spc_transform_make(spc_quat_make(0, 1, 0, 0), spc_vec3_make(0, 0, -1));
        CHECK_STATUS(spc_sphere_on_plane_add(w, &d, &c), SPC_OK);
        CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
        CHECK_STATUS(spc_body_get_acceleration(w, low, &found), SPC_OK);
        CHECK_NEAR(found.linear.z, 0, 1e4 * TEST_EPSILON * pow(10, abs(power) / 2.0));
        CHECK_STATUS(spc_body_get_acceleration(w, high, &found), SPC_OK);
        CHECK_NEAR(found.linear.z, 0, 1e4 * TEST_EPSILON * pow(10, abs(power) / 2.0));
        free(w);
    }
}

static void two_hubs_that_touch(void)
{
    int turn, i;
    for (turn = 0; turn < 8; turn++) {
        scene s;
        scene_begin(&s);
        scene_body(&s, SPC_DYNAMIC);
        scene_body(&s, SPC_DYNAMIC);
        for (i = 2; i < 14; i++) {
            scene_body(&s, SPC_DYNAMIC);
            scene_contact(&s, i % 2, i, true);
        }
        scene_contact(&s, 0, 1, turn % 2 == 0);
        compare(&s, 0, WELL);
    }
}

/* More rows than a body has freedoms: 3 k rows of rolling on one body have rank 6. */
static void many_contacts_of_one_body_are_redundant(void)
{
    int k, i;
    for (k = 3; k <= 12; k++) {
        scene s;
        /* consistent rows: from rest, without bias, on a body that cannot move, forces are least in
           norm */
        scene_begin(&s);
        scene_body(&s, SPC_DYNAMIC);
        spc_body_set_velocity(s.world, s.body[0],
                              spc_spatial_make(spc_vec3_make(0, 0, 0), spc_vec3_make(0, 0, 0)));
        for (i = 0; i < k; i++)
            scene_contact(&s, -1, 0, true);
        compare(&s, 3 * k - 6, WELL);
    }
}

/* A plate on grounded balls: elimination from the leaves meets blocks that are singular on their
   own. */
static void a_plate_on_balls_on_ground(void)
{
    int k, i;
    for (k = 1; k <= 9; k++) {
        scene s;
        scene_begin(&s);
        scene_body(&s, SPC_DYNAMIC);
        for (i = 1; i <= k; i++) {
            scene_body(&s, SPC_DYNAMIC);
            scene_contact(&s, -1, i, true);
            scene_contact(&s, 0, i, true);
        }
        compare(&s, -1, WELL);
    }
}

static void a_chain_of_bodies(void)
{
    int turn, i;
    for (turn = 0; turn < LONG_OR_SHORT(6, 4); turn++) {
        const int n = 5 + 9 * turn;
        scene s;
        scene_begin(&s);
        for (i = 0; i < n; i++) {
            scene_body(&s, SPC_DYNAMIC);
            scene_contact(&s, i - 1, i, true);
        }
        if (turn % 2)
            scene_contact(&s, -1, n - 1, true); /* both ends on ground */
        compare(&s, 0, WELL);
    }
}

static void islands_do_not_touch_each_other(void)
{
    scene s;
    spc_state before, after;
    spc_spatial A_before, A_after;
    int i;
    scene_begin(&s);
    for (i = 0; i < 6; i++)
        scene_body(&s, SPC_DYNAMIC);
    for (i = 0; i < 6; i += 2)
        scene_contact(&s, i, i + 1, true);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    spc_body_get_acceleration(s.world, s.body[4], &A_before);
    spc_body_get_state(s.world, s.body[0], &before);
    after = before;
    after.V_GB.angular.x += 1;
    spc_body_set_velocity(s.world, s.body[0], after.V_GB);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    spc_body_get_acceleration(s.world, s.body[4], &A_after);
    CHECK(!memcmp(&A_before, &A_after, sizeof A_before));
    free(s.world);
}

/* Two coincident balls' worth of contradictory normals: least squares, and nothing blows up. */
static void contradictory_rows_give_the_least_squares_motion(void)
{
    scene s;
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_stabilization stab = spc_stabilization_default();
    spc_spatial acceleration;
    spc_real l0[SPC_MAX_ROWS], l1[SPC_MAX_ROWS];
    spc_world_report report;
    spc_body_desc ball = spc_body_desc_default();
    scene_begin(&s);
    ball.mass = spc_mass_solid_sphere(2, 1);
    CHECK_STATUS(spc_world_set_gravity(s.world, spc_vec3_make(0, 0, 0)), SPC_OK);
    CHECK_STATUS(spc_body_add(s.world, &ball, &d.ball), SPC_OK);
    d.shape.radius = 1;
    d.shape.rolling = false;
    d.shape.X_FP.p.z = SPC_R(-1.25); /* the ball hangs 0.25 above this plane */
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.constraint[0]), SPC_OK);
    d.shape.X_FP.p.z = SPC_R(-0.5); /* and 0.5 in this one */
    CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.constraint[1]), SPC_OK);
    stab.time_constant = 1;
    spc_constraint_set_stabilization(s.world, s.constraint[0], &stab);
    spc_constraint_set_stabilization(s.world, s.constraint[1], &stab);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK_STATUS(spc_world_get_report(s.world, &report), SPC_OK);
    spc_body_get_acceleration(s.world, d.ball, &acceleration);
    spc_constraint_get_multipliers(s.world, s.constraint[0], l0);
    spc_constraint_get_multipliers(s.world, s.constraint[1], l1);
    /* the rows ask for -0.25 and +0.5: the mean, shared equally */
    CHECK_NEAR(acceleration.linear.z, 0.125, 100 * TEST_EPSILON);
    CHECK(report.contradictory == 2 && report.redundant_rows == 1);
    CHECK_NEAR(report.contradiction, 0.375, 100 * TEST_EPSILON);
    CHECK_NEAR(l0[2], -0.125, 100 * TEST_EPSILON);
    CHECK_NEAR(l1[2], -0.125, 100 * TEST_EPSILON);
    free(s.world);
}

static const test_entry tests[] = { TEST(one_ball_on_ground),
                                    TEST(a_floor_that_moves_and_a_ball_that_is_fixed),
                                    TEST(random_graphs_of_few_contacts),
                                    TEST(a_plate_with_many_balls_is_a_hub),
                                    TEST(stars_of_contacts),
                                    TEST(a_plate_with_many_balls_is_assembled),
                                    TEST(joints_to_ground_from_either_end),
                                    TEST(stars_step_like_other_islands),
                                    TEST(as_many_hubs_as_the_contacts_allow),
                                    TEST(heavy_on_light_rests),
                                    TEST(two_hubs_that_touch),
                                    TEST(many_contacts_of_one_body_are_redundant),
                                    TEST(a_plate_on_balls_on_ground),
                                    TEST(a_chain_of_bodies),
                                    TEST(islands_do_not_touch_each_other),
                                    TEST(contradictory_rows_give_the_least_squares_motion) };

TEST_MAIN
