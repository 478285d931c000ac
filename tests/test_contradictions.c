/* [6] Rows that contradict each other are met in the middle and reported; rows that are redundant
   are not called contradictory. */
#include "random_worlds.h"

/* -------------------------------------------------------------------------- contradictions ---- */

/* A body of any mass, welded where it is to ground and to `carriers` bodies that are moved. */
static void torn_scene(scene *s, int carriers, const spc_spatial *V, spc_spatial A)
{
    spc_body_desc d = spc_body_desc_default();
    spc_stabilization off_stab = spc_stabilization_default();
    int i;
    begin_scene(s, 60000);
    d.mass = random_mass();
    s->mass[s->bodies] = d.mass;
    s->dynamic[s->bodies] = true;
    CHECK_STATUS(spc_body_add(s->world, &d, &s->body[s->bodies++]), SPC_OK);
    d.kind = SPC_KINEMATIC;
    for (i = 0; i < carriers; i++) {
        d.state.V_GB = V[i];
        CHECK_STATUS(spc_body_add(s->world, &d, &s->body[s->bodies]), SPC_OK);
        CHECK_STATUS(spc_body_set_acceleration(s->world, s->body[s->bodies++], A), SPC_OK);
    }
    off_stab.enabled = false;
    for (i = 0; i <= carriers; i++) {
        spc_attachment_desc weld = spc_attachment_desc_default();
        weld.a = s->body[i == 0 ? 0 : i + 1];
        weld.b = s->body[1];
        weld.shape.locked = SPC_WELD;
        CHECK_STATUS(spc_attachment_add(s->world, &weld, &s->constraint[i]), SPC_OK);
        CHECK(!spc_constraint_set_stabilization(s->world, s->constraint[i], &off_stab));
    }
    s->constraints = carriers + 1;
}

/* Least squares of equal rows is the mean of what they ask for. The part that no motion meets is
   found by iteration with a nearly singular factor, to some thousand roundings. */
static void check_mean(spc_spatial got, spc_spatial sum, int count)
{
    double x[6], y[6];
    int i;
    put_spatial(got, x);
    put_spatial(sum, y);
    for (i = 0; i < 6; i++)
        y[i] /= count;
    CHECK_NEAR(off(x, y, 6, 1), 0, 8192 * TEST_EPSILON);
}

/* What is left of demands that met in the middle: the largest difference of a velocity or of an
   acceleration from it; of rotations times the longest arm where there is one. */
static double torn_by(const scene *s, spc_spatial middle, const spc_spatial *wanted, int count)
{
    double arm = 0, linear = 0, angular = 0, v[6];
    int i;
    for (i = 0; i < s->constraints; i++)
        arm = fmax(arm, reach_of(s, i));
    for (i = 0; i < count; i++) {
        put_vec3(spc_sub(middle.angular, wanted[i].angular), v);
        put_vec3(spc_sub(middle.linear, wanted[i].linear), v + 3);
        angular = fmax(angular, largest(v, 3));
        linear = fmax(linear, largest(v + 3, 3));
    }
    for (i = 1; i < s->bodies && !(arm > 1e-6); i++) /* without arms the size of the body */
        if (s->dynamic[i]) {
            const spc_inertia I = s->mass[i].inertia;
            arm = sqrt((double)((I.xx + I.yy + I.zz) / s->mass[i].mass));
        }
    return fmax(linear, arm * angular);
}

/* So many constraints contradict each other, the worst by so much: to the rounding of the mean. */
static void check_torn(const scene *s, int count, double most)
{
    check_report(s);
    CHECK(report_of(s).contradictory == count);
    CHECK_NEAR(report_of(s).contradiction, most, 8192 * TEST_EPSILON * fmax(1, most));
}

static void torn_apart_velocities_meet_in_the_middle(void)
{
    const spc_spatial rest = spc_spatial_make(zero, zero);
    spc_real impulses[18];
    spc_spatial V[3];
    scene s;
    int turn;
    for (turn = 0; turn < 10; turn++) {
        V[0] = test_random_spatial(2, 3);
        V[1] = test_random_spatial(2, 3);
        torn_scene(&s, 2, V, rest);
        V[2] = rest;
        CHECK_STATUS(spc_world_apply_impulses(s.world, NULL, impulses, 18), SPC_OK);
        check_torn(&s, 3, torn_by(&s, state_of(s.world, s.body[1]).V_GB, V, 3));
        check_mean(state_of(s.world, s.body[1]).V_GB,
                   spc_spatial_make(spc_add(V[0].angular, V[1].angular),
                                    spc_add(V[0].linear, V[1].linear)),
                   3);
        CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
        check_torn(&s, 3, torn_by(&s, state_of(s.world, s.body[1]).V_GB, V, 3));
        free(s.world);
    }
}

/* The same for errors that are asked for: 1 and 3 of each row. */
static void contradictory_bounces_meet_in_the_middle(void)
{
    const spc_spatial rest = spc_spatial_make(zero, zero);
    const spc_spatial sum = spc_spatial_make(vec(4, 4, 4), vec(4, 4, 4));
    spc_real v_plus[12];
    scene s;
    int i;
    torn_scene(&s, 1, &rest, rest);
    for (i = 0; i < 12; i++)
        v_plus[i] = i < 6 ? 1 : 3;
    CHECK_STATUS(spc_world_apply_impulses(s.world, v_plus, NULL, 12), SPC_OK);
    check_torn(&s, 2, 1); /* 2 of 1 and 3 */
    check_mean(state_of(s.world, s.body[1]).V_GB, sum, 2);
    free(s.world);
}

static void torn_apart_accelerations_meet_in_the_middle(void)
{
    const spc_spatial rest = spc_spatial_make(zero, zero);
    int turn;
    for (turn = 0; turn < 10; turn++) {
        const spc_spatial A = test_random_spatial(2, 3);
        spc_spatial wanted[2];
        scene s;
        torn_scene(&s, 1, &rest, A);
        wanted[0] = A;
        wanted[1] = rest;
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        check_mean(acceleration_of(s.world, s.body[1]), A, 2);
        check_torn(&s, 2, torn_by(&s, acceleration_of(s.world, s.body[1]), wanted, 2));
        free(s.world);
    }
}

/* The carrier moves along z and does not turn: rows of locked rotations that are off by different
   angles are different ones, and their mean is not that of what they ask for. The step does its
   work: the body goes on with half of the velocity. */
static void a_step_goes_on_when_rows_contradict_each_other(void)
{
    const spc_spatial V = spc_spatial_make(zero, vec(0, 0, 3));
    const spc_spatial rest = spc_spatial_make(zero, zero);
    const spc_mass ball = spc_mass_solid_sphere(1, 1);
    scene s;
    int i;
    torn_scene(&s, 1, &V, rest);
    CHECK_STATUS(spc_body_set_mass(s.world, s.body[1], &ball), SPC_OK);
    for (i = 1; i <= 10; i++) {
        const spc_real before = state_of(s.world, s.body[1]).X_GB.p.z;
        CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
        CHECK_NEAR(spc_world_time(s.world), i * (double)STEP, 0);
        check_mean(state_of(s.world, s.body[1]).V_GB, V, 2);
        check_torn(&s, 2, 1.5);
        CHECK_NEAR(state_of(s.world, s.body[1]).X_GB.p.z,
                   (double)before + (i == 1 ? 0.75 : 1.5) * (double)STEP,
                   IN_DOUBLE_OR_FLOAT(1e-12, 1e-5));
        CHECK_NEAR(state_of(s.world, s.body[2]).X_GB.p.z, 3 * i * (double)STEP, 0);
    }
    free(s.world);
}

/* From rest and with a constant acceleration, of which the body takes half: a t^2 / 2. With
   projection it is in the middle by its pose, too. */
static void a_step_of_rk4_goes_on_when_rows_contradict_each_other(void)
{
    const spc_spatial A = spc_spatial_make(zero, vec(8, 4, -6));
    const spc_spatial rest = spc_spatial_make(zero, zero);
    int drift, i;
    for (drift = SPC_DRIFT_STABILIZE; drift <= SPC_DRIFT_PROJECT; drift++) {
        scene s;
        torn_scene(&s, 1, &rest, A);
        for (i = 1; i <= 5; i++) {
            const double t = i * (double)STEP, tolerance = IN_DOUBLE_OR_FLOAT(1e-12, 1e-4);
            spc_state state;
            CHECK_STATUS(spc_step_rk4(s.world, STEP, (spc_drift)drift), SPC_OK);
            check_report(&s);
            CHECK(report_of(&s).contradictory == 2);
            CHECK_NEAR(spc_world_time(s.world), t, 0);
            state = state_of(s.world, s.body[1]);
            check_mean(state.V_GB, spc_spatial_make(zero, spc_scale(real(t), A.linear)), 2);
            CHECK_NEAR(spc_norm(spc_sub(state.X_GB.p, spc_scale(real(t * t / 4), A.linear))), 0,
                       tolerance);
        }
        free(s.world);
    }
}

/* T is far below 2 h, and counts as 2 h: against that, 3 m/s at welds a metre from the origin are
   much, however much an error of a metre would be corrected with T itself. */
static void fast_stabilization_does_not_hide_contradictions(void)
{
    const spc_spatial V = spc_spatial_make(zero, vec(0, 0, 3)), rest = spc_spatial_make(zero, zero);
    const spc_stabilization fast = stabilization_of((double)STEP / 100);
    scene s;
    int i;
    torn_scene(&s, 1, &V, rest);
    for (i = 0; i < 2; i++) {
        spc_attachment weld = spc_attachment_default();
        weld.locked = SPC_WELD;
        weld.X_AF.p = weld.X_BM.p = vec(1, 0, 0);
        CHECK_STATUS(spc_attachment_set(s.world, s.constraint[i], &weld), SPC_OK);
        CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.constraint[i], &fast), SPC_OK);
    }
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    check_report(&s);
    CHECK(report_of(&s).contradictory == 2);
    CHECK_STATUS(spc_step_rk4(s.world, STEP, SPC_DRIFT_STABILIZE), SPC_OK);
    check_report(&s);
    CHECK(report_of(&s).contradictory == 2);
    free(s.world);
}

/* What is torn is told in metres beside joints that hold, whose errors a step closes at once: a
   body is to be at two places of a pendulum, 0.4 m apart, and is between them after a while. */
static void torn_joints_are_told_beside_joints_that_hold(void)
{
    scene s;
    spc_body_desc d = spc_body_desc_default();
    int i;
    begin_scene(&s, 0);
    d.mass = spc_mass_solid_sphere(1, real(0.2));
    for (i = 0; i < 2; i++) {
        d.state.X_GB.p = vec(0, 0, -1);
        CHECK_STATUS(spc_body_add(s.world, &d, &s.body[s.bodies++]), SPC_OK);
    }
    for (i = 0; i < 3; i++) {
        spc_attachment_desc a = spc_attachment_desc_default();
        a.a = s.body[i > 0];
        a.b = s.body[i > 0 ? 2 : 1];
        a.shape.locked = i > 0 ? SPC_WELD : SPC_BALL_JOINT;
        a.shape.X_BM.p = vec(0, 0, i > 0 ? 0 : 1);
        a.shape.rest = vec(i > 1 ? 0.4 : 0, 0, 0);
        CHECK_STATUS(spc_attachment_add(s.world, &a, &s.constraint[s.constraints++]), SPC_OK);
    }
    for (i = 0; i < 240; i++)
        CHECK_STATUS(spc_step(s.world, SPC_R(1.0 / 240)), SPC_OK);
    CHECK(report_of(&s).contradictory == 2);
    CHECK(report_of(&s).worst.index != s.constraint[0].index);
    CHECK_NEAR(report_of(&s).contradiction, 0.2, 0.01);
    free(s.world);
}

/* Contradictions in one island are remarked upon though another is in order, before it and behind
   it. */
static void one_torn_island_is_enough(void)
{
    const spc_spatial V = spc_spatial_make(zero, vec(1, 0, 0)), rest = spc_spatial_make(zero, zero);
    scene s;
    torn_scene(&s, 1, &V, rest);
    add_body(&s, true);
    CHECK_STATUS(add_attachment(&s, 0, 3, SPC_HINGE, &s.constraint[s.constraints++]), SPC_OK);
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    check_torn(&s, 2, 0.5);
    CHECK(report_of(&s).redundant_rows == 6);
    CHECK_NEAR(info_of(&s, 2).contradiction, 0, 0);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[0], false), SPC_OK);
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    check_no_contradiction(&s);
    CHECK(report_of(&s).redundant_rows == 0);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[0], true), SPC_OK);
    CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
    check_torn(&s, 2, 0.5);
    CHECK_STATUS(spc_constraint_remove(s.world, s.constraint[0]), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    CHECK(report_of(&s).contradictory == 0 && report_of(&s).redundant_rows == 0);
    free(s.world);
}

/* A ball on the body that is torn, on ground's plane or so far above it. */
static void put_ball_under(scene *s, double gap)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    d.ball = s->body[1];
    d.shape.radius = real(0.5);
    d.shape.X_FP.p = vec(0, 0, -0.5 - gap);
    d.one_sided = true;
    d.law.grip = false;
    d.law.friction = real(0.3);
    CHECK_STATUS(spc_sphere_on_plane_add(s->world, &d, &s->constraint[s->constraints++]), SPC_OK);
}

/* A one-sided contact of the island hides no contradiction of its joints, by whatever call, be it
   open, or pressing on ground under gravity. It has no part in it. */
static void torn_joints_are_told_beside_one_sided_contacts(void)
{
    const spc_spatial V = spc_spatial_make(zero, vec(1, 0, 0)), A = spc_spatial_make(zero, zero);
    const spc_spatial pull = spc_spatial_make(zero, vec(4, 0, 0));
    int open, call;
    for (open = 0; open < 2; open++)
        for (call = 0; call < 4; call++) {
            scene s;
            torn_scene(&s, 1, &V, call == 3 ? pull : A);
            put_ball_under(&s, open);
            if (call == 0)
                CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
            if (call == 1)
                CHECK_STATUS(spc_world_impact(s.world), SPC_OK);
            if (call == 2)
                CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
            if (call == 3)
                CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
            check_torn(&s, 2, call == 3 ? 2 : 0.5); /* each has half of what is asked for */
            CHECK_NEAR(info_of(&s, 2).contradiction, 0, 0);
            CHECK_STATUS(spc_constraint_set_enabled(s.world, s.constraint[0], false), SPC_OK);
            CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
            check_no_contradiction(&s);
            free(s.world);
        }
}

/* Nor does it in a step of fourth order. What welds 3 m beside the origins are off by after a first
   one, 4 mm, is too little to be told: velocities tell alone. */
static void torn_velocities_are_told_by_rk4_beside_one_sided_contacts(void)
{
    const spc_spatial V = spc_spatial_make(zero, vec(1, 0, 0)), rest = spc_spatial_make(zero, zero);
    const spc_mass ball = spc_mass_solid_sphere(1, real(0.5));
    double told = 0;
    int k, i;
    for (k = 0; k < 3; k++) {
        scene s;
        torn_scene(&s, 1, &V, rest);
        CHECK_STATUS(spc_body_set_mass(s.world, s.body[1], &ball), SPC_OK);
        for (i = 0; i < 2; i++) {
            spc_attachment weld;
            CHECK_STATUS(spc_attachment_get(s.world, s.constraint[i], &weld), SPC_OK);
            weld.X_AF.p = weld.X_BM.p = vec(0, 3, 0);
            CHECK_STATUS(spc_attachment_set(s.world, s.constraint[i], &weld), SPC_OK);
        }
        if (k > 0)
            put_ball_under(&s, k - 1);
        CHECK_STATUS(spc_step_rk4(s.world, STEP, SPC_DRIFT_PROJECT), SPC_OK);
        check_report(&s);
        CHECK(report_of(&s).contradictory == 2);
        if (k == 0)
            told = (double)report_of(&s).contradiction;
        CHECK(told > 0.1);
        CHECK_NEAR(report_of(&s).contradiction, told, 8192 * TEST_EPSILON);
        free(s.world);
    }
}

/* What is added where a constraint was torn, or redundant, knows nothing of it. */
static void a_new_constraint_has_no_remarks(void)
{
    const spc_spatial V = spc_spatial_make(zero, vec(1, 0, 0)), rest = spc_spatial_make(zero, zero);
    unsigned redundant = 0;
    scene s;
    int i;
    torn_scene(&s, 1, &V, rest);
    CHECK_STATUS(spc_step(s.world, STEP), SPC_OK);
    for (i = 0; i < 2; i++) {
        const spc_constraint old = s.constraint[i];
        CHECK(info_of(&s, i).contradiction > 0);
        redundant |= info_of(&s, i).redundant;
        CHECK_STATUS(spc_constraint_remove(s.world, old), SPC_OK);
        CHECK_STATUS(add_attachment(&s, 0, 1, SPC_HINGE, &s.constraint[i]), SPC_OK);
        CHECK(s.constraint[i].index == old.index);
        CHECK(info_of(&s, i).redundant == 0);
        CHECK_NEAR(info_of(&s, i).contradiction, 0, 0);
    }
    CHECK(redundant != 0);
    free(s.world);
}

/* ------------------------------------------------------------- redundant, not contradictory --- */

/* How a redundant mechanism is tried. */
typedef struct trial {
    bool gravity, moving;
    double drift; /* how far bodies are off [m, rad] */
} trial;

static void begin_trial(scene *s, const trial *t)
{
    begin_scene(s, 60000);
    CHECK_STATUS(spc_world_set_gravity(s->world, vec(0, 0, t->gravity ? -9.81 : 0)), SPC_OK);
}

/* A body at a place, turning about an axis through another. */
static int put_at(scene *s, const trial *t, spc_mass mass, spc_vec3 p, spc_spatial V_at_origin)
{
    spc_body_desc d = spc_body_desc_default();
    const int i = s->bodies++;
    d.mass = mass;
    d.state.X_GB.p = p;
    d.state.V_GB = V_at_origin;
    d.state.V_GB.linear = spc_add(V_at_origin.linear, spc_cross(V_at_origin.angular, p));
    if (!t->moving)
        d.state.V_GB = spc_spatial_make(zero, zero);
    CHECK_STATUS(spc_body_add(s->world, &d, &s->body[i]), SPC_OK);
    s->dynamic[i] = true;
    s->mass[i] = mass;
    return i;
}

static void hinge_at(scene *s, int a, int b, spc_vec3 p, spc_vec3 axis)
{
    spc_attachment_desc d = spc_attachment_desc_default();
    const spc_transform X_a = state_of(s->world, s->body[a]).X_GB;
    const spc_transform X_b = state_of(s->world, s->body[b]).X_GB;
    d.a = s->body[a];
    d.b = s->body[b];
    CHECK_STATUS(spc_attachment_at(&X_a, &X_b, p, axis, SPC_HINGE, &d.shape), SPC_OK);
    CHECK_STATUS(spc_attachment_add(s->world, &d, &s->constraint[s->constraints++]), SPC_OK);
}

/* A car on four wheels, 32 rows for 30 motions of which one is free. */
static void car(scene *s, const trial *t)
{
    const spc_spatial drive = spc_spatial_make(zero, vec(2, 0, 0));
    const spc_vec3 half = vec(1.2, 0.5, 0.2);
    int i, body, wheel;
    begin_trial(s, t);
    body = put_at(s, t, spc_mass_box(20, half), vec(0, 0, 0.6), drive);
    for (i = 0; i < 4; i++) {
        spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
        const spc_vec3 p = vec(i % 2 ? 1 : -1, i / 2 ? 0.7 : -0.7, 0.25);
        spc_state state;
        wheel = put_at(s, t, spc_mass_solid_sphere(1, real(0.25)), p, drive);
        state = state_of(s->world, s->body[wheel]);
        if (t->moving)
            state.V_GB.angular = vec(0, 2 / 0.25, 0);
        CHECK(!spc_body_set_velocity(s->world, s->body[wheel], state.V_GB));
        hinge_at(s, body, wheel, p, vec(0, 1, 0));
        d.disc = s->body[wheel];
        d.shape.axis_B = vec(0, 1, 0);
        d.shape.radius = real(0.25);
        CHECK(!spc_rolling_disc_add(s->world, &d, &s->constraint[s->constraints++]));
    }
}

/* A door on ground by three hinges, 15 rows for 5. */
static void door(scene *s, const trial *t)
{
    int i, leaf;
    begin_trial(s, t);
    leaf = put_at(s, t, spc_mass_box(10, vec(0.4, 0.02, 1)), vec(0.4, 0, 1),
                  spc_spatial_make(vec(0, 0, 1.5), zero));
    for (i = 0; i < 3; i++)
        hinge_at(s, 0, leaf, vec(0, 0, 0.2 + 0.8 * i), vec(0, 0, 1));
}

/* A door and its frame in the air: they fall freely, and tumble. */
static void door_in_the_air(scene *s, const trial *t)
{
    const spc_spatial tumble = spc_spatial_make(vec(0.5, -0.3, 0.8), vec(1, 0, 2));
    int i, leaf, frame;
    begin_trial(s, t);
    frame = put_at(s, t, spc_mass_box(30, vec(0.1, 0.1, 1)), vec(-0.1, 0, 1), tumble);
    leaf = put_at(s, t, spc_mass_box(10, vec(0.4, 0.02, 1)), vec(0.4, 0, 1), tumble);
    for (i = 0; i < 3; i++)
        hinge_at(s, frame, leaf, vec(0, 0, 0.2 + 0.8 * i), vec(0, 0, 1));
}

/* A table on four smooth feet, 4 rows for 3; it slides and turns. */
static void table(scene *s, const trial *t)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    int i, top;
    begin_trial(s, t);
    top = put_at(s, t, spc_mass_box(10, vec(1, 0.5, 0.1)), vec(0, 0, 1),
                 spc_spatial_make(vec(0, 0, 0.5), vec(1, 2, 0)));
    d.ball = s->body[top];
    d.shape.radius = real(0.125);
    d.shape.rolling = false;
    for (i = 0; i < 4; i++) {
        d.shape.p_BS = vec(i % 2 ? 0.9 : -0.9, i / 2 ? 0.4 : -0.4, -0.875);
        CHECK(!spc_sphere_on_plane_add(s->world, &d, &s->constraint[s->constraints++]));
    }
}

/* Moves bodies a little off their places. */
static void let_drift(scene *s, double drift)
{
    int i;
    for (i = 1; i < s->bodies && drift > 0; i++) {
        spc_transform X = state_of(s->world, s->body[i]).X_GB;
        const spc_quat q = spc_quat_from_rotation_vector(test_random_vec3(drift));
        X.q = spc_quat_mul(q, X.q);
        X.p = spc_add(X.p, test_random_vec3(drift));
        CHECK_STATUS(spc_body_set_pose(s->world, s->body[i], X), SPC_OK);
    }
}

/* A call has been taken: nothing contradicts, and as many rows as are too many are left out. */
static void check_taken(const scene *s, spc_status status, int redundant)
{
    CHECK_STATUS(status, SPC_OK);
    check_no_contradiction(s);
    CHECK(report_of(s).redundant_rows == redundant);
    CHECK(report_of(s).factorizations > 0 && report_of(s).substitutions > 0);
}

static void check_no_remark(const scene *s, int redundant)
{
    int i;
    check_taken(s, spc_world_forward_dynamics(s->world), redundant);
    for (i = 0; i < 10; i++)
        check_taken(s, spc_step(s->world, STEP), redundant);
    for (i = 0; i < 10; i++)
        check_taken(s,
                    spc_step_rk4(s->world, STEP, i < 5 ? SPC_DRIFT_STABILIZE : SPC_DRIFT_PROJECT),
                    redundant);
    check_taken(s, spc_world_project_velocities(s->world), redundant);
    check_taken(s, spc_world_forward_dynamics(s->world), redundant);
}

static void check_redundant(void (*make)(scene *s, const trial *t), int redundant, double drift)
{
    int k;
    for (k = 0; k < 4; k++) {
        const int before = test_failures;
        char name[40];
        trial t;
        scene s;
        t.gravity = k % 2 == 1;
        t.moving = k / 2 == 1;
        t.drift = drift;
        make(&s, &t);
        let_drift(&s, drift);
        check_no_remark(&s, redundant);
        snprintf(name, sizeof name, "%s, %s, drift %g", t.gravity ? "gravity" : "no gravity",
                 t.moving ? "moving" : "at rest", drift);
        name_failures(name, before);
        free(s.world);
    }
}

static void four_wheels_do_not_contradict_each_other(void)
{
    check_redundant(car, 3, 0);
    check_redundant(car, 3, IN_DOUBLE_OR_FLOAT(1e-8, 1e-6));
    check_redundant(car, 3, IN_DOUBLE_OR_FLOAT(1e-6, 1e-6));
}

static void three_hinges_do_not_contradict_each_other(void)
{
    check_redundant(door, 10, 0);
    check_redundant(door, 10, IN_DOUBLE_OR_FLOAT(1e-8, 1e-6));
    check_redundant(door, 10, IN_DOUBLE_OR_FLOAT(1e-6, 1e-6));
}

static void hinges_in_the_air_do_not_contradict_each_other(void)
{
    check_redundant(door_in_the_air, 10, 0);
    check_redundant(door_in_the_air, 10, IN_DOUBLE_OR_FLOAT(1e-8, 1e-6));
    check_redundant(door_in_the_air, 10, IN_DOUBLE_OR_FLOAT(1e-6, 1e-6));
}

static void four_feet_do_not_contradict_each_other(void)
{
    check_redundant(table, 1, 0);
    check_redundant(table, 1, IN_DOUBLE_OR_FLOAT(1e-8, 1e-6));
    check_redundant(table, 1, IN_DOUBLE_OR_FLOAT(1e-6, 1e-6));
}

/* A rod on a hinge, whose end is asked to be out of reach along x: it points there, and opens both
   joints by half of that, wherever it began. Newton's steps alone are thrown about near there. */
static void a_rod_is_assembled_towards_what_is_out_of_reach(void)
{
    static const double angles[6] = { 0, 1e-4, 0.01, 0.1, 0.3, 1 },
                        beyond[4] = { 0.001, 0.01, 0.1, 0.5 };
    int i, j;
    for (i = 0; i < 6; i++)
        for (j = 0; j < 4; j++) {
            const double tolerance = IN_DOUBLE_OR_FLOAT(1e-9, 1e-5);
            /* (1 - cos) of an angle so near to there that it is left */
            const double singular = IN_DOUBLE_OR_FLOAT(4e-5, 0.03);
            spc_world_desc desc = spc_world_desc_default(1, 2);
            spc_attachment_desc d = spc_attachment_desc_default();
            spc_body_desc rod = spc_body_desc_default();
            spc_constraint c[2];
            spc_world_report report;
            spc_world *w;
            spc_state state;
            spc_real left = 0;
            int k;
            desc.rows = 12;
            w = test_world(&desc);
            rod.mass = spc_mass_box(1, vec(1, 0.1, 0.1));
            rod.state.X_GB.q = spc_quat_from_rotation_vector(vec(0, 0, angles[i]));
            CHECK_STATUS(spc_body_add(w, &rod, &d.b), SPC_OK);
            d.shape.locked = SPC_HINGE;
            CHECK_STATUS(spc_attachment_add(w, &d, &c[0]), SPC_OK);
            d.shape.locked = SPC_LOCK_TX;
            d.shape.X_BM.p.x = 1;
            d.shape.rest.x = real(1 + beyond[j]);
            CHECK_STATUS(spc_attachment_add(w, &d, &c[1]), SPC_OK);
            CHECK_STATUS(spc_world_assemble(w, real(tolerance), &left), SPC_OK);
            CHECK_STATUS(spc_body_get_state(w, d.b, &state), SPC_OK);
            CHECK_STATUS(spc_world_get_report(w, &report), SPC_OK);
            CHECK_NEAR(state.X_GB.p.x, beyond[j] / 2, singular);
            CHECK_NEAR(left, beyond[j] / 2, singular);
            CHECK(report.contradictory == 2);
            CHECK_NEAR(report.contradiction, (double)left, 0);
            for (k = 0; k < 2; k++) {
                spc_constraint_info info;
                CHECK_STATUS(spc_constraint_get_info(w, c[k], &info), SPC_OK);
                CHECK_NEAR(info.contradiction, beyond[j] / 2, singular);
            }
            free(w);
        }
}

static const test_entry tests[] = {
    TEST(torn_apart_velocities_meet_in_the_middle),
    TEST(contradictory_bounces_meet_in_the_middle),
    TEST(torn_apart_accelerations_meet_in_the_middle),
    TEST(a_step_goes_on_when_rows_contradict_each_other),
    TEST(a_step_of_rk4_goes_on_when_rows_contradict_each_other),
    TEST(fast_stabilization_does_not_hide_contradictions),
    TEST(torn_joints_are_told_beside_joints_that_hold),
    TEST(one_torn_island_is_enough),
    TEST(torn_joints_are_told_beside_one_sided_contacts),
    TEST(torn_velocities_are_told_by_rk4_beside_one_sided_contacts),
    TEST(a_new_constraint_has_no_remarks),
    TEST(four_wheels_do_not_contradict_each_other),
    TEST(three_hinges_do_not_contradict_each_other),
    TEST(hinges_in_the_air_do_not_contradict_each_other),
    TEST(four_feet_do_not_contradict_each_other),
    TEST(a_rod_is_assembled_towards_what_is_out_of_reach),
};

TEST_MAIN
