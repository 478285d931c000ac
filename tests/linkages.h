/* Scenes of bodies and joints of all kinds, and the mechanics of them that the tests share: errors,
   efforts, accelerations. */
#ifndef SPC_LINKAGES_H
#define SPC_LINKAGES_H

#include "jointed.h"

#include <float.h>

/* ------------------------------------------------------------------------------ vectors ------- */

static inline spc_vec3 times(double s, spc_vec3 v)
{
    return spc_scale((spc_real)s, v);
}

static inline spc_vec3 unit(spc_vec3 v)
{
    return times(1 / length(v), v);
}

/* A direction across another. */
static inline spc_vec3 random_across(spc_vec3 axis)
{
    return unit(spc_cross(axis, random_unit()));
}

static inline spc_quat turn(spc_vec3 axis, double angle)
{
    return spc_quat_from_rotation_vector(times(angle, axis));
}

static inline spc_quat turn_between(spc_vec3 from, spc_vec3 to)
{
    spc_quat q = spc_quat_identity();
    CHECK_STATUS(spc_quat_from_two_vectors(from, to, &q), SPC_OK);
    return q;
}

/* Angle of the rotation between two orientations, up to pi. */
static inline double angle_between(spc_quat a, spc_quat b)
{
    const spc_quat q = spc_quat_mul(spc_quat_conjugate(a), b);
    return 2 * atan2(length(spc_vec3_make(q.x, q.y, q.z)), fabs((double)q.w));
}

static inline spc_transform at(spc_vec3 p)
{
    return spc_transform_make(spc_quat_identity(), p);
}

/* -------------------------------------------------------------------------------- scenes ------ */

/* Gravity along -z, no stabilization; so many rows, so many bytes for coupling. */
static inline scene scene_with_room(int bodies, int joints, int rows, size_t coupling)
{
    spc_world_desc desc = spc_world_desc_default(bodies, joints);
    desc.rows = rows;
    desc.solver_bytes = coupling;
    desc.gravity = vec(0, 0, -GRAVITY);
    desc.stabilization.enabled = false;
    return scene_of(&desc);
}

static inline scene scene_with_coupling(int bodies, int joints, size_t coupling)
{
    return scene_with_room(bodies, joints, SPC_MAX_ROWS * joints, coupling);
}

static inline scene scene_make(int bodies, int joints)
{
    return scene_with_coupling(bodies, joints, spc_world_desc_default(bodies, joints).solver_bytes);
}

/* With room for loops, which the default does not promise. */
static inline scene scene_of_loops(int bodies, int joints)
{
    return scene_with_coupling(bodies, joints,
                               8 * spc_world_desc_default(bodies, joints).solver_bytes);
}

static inline int add_body(scene *s, spc_mass mass, spc_transform X_GB)
{
    spc_body_desc d = spc_body_desc_default();
    d.mass = mass;
    d.state.X_GB = X_GB;
    CHECK_STATUS(spc_body_add(s->world, &d, &s->body[s->bodies]), SPC_OK);
    return s->bodies++;
}

static inline int add_random_body(scene *s, double size)
{
    const spc_mass mass = test_random_mass(); /* before the pose: arguments have no order */
    return add_body(s, mass, test_random_transform(size));
}

static inline int add_kinematic(scene *s, spc_state state)
{
    spc_body_desc d = spc_body_desc_default();
    d.kind = SPC_KINEMATIC;
    d.state = state;
    CHECK_STATUS(spc_body_add(s->world, &d, &s->body[s->bodies]), SPC_OK);
    return s->bodies++;
}

/* A uniform rod between two points, its z axis along it; its moment about that is given, since a
   body cannot be without one. */
static inline int add_rod(scene *s, spc_vec3 from, spc_vec3 to, double mass, double axial)
{
    const double l = distance(from, to);
    spc_mass m = spc_mass_solid_sphere((spc_real)mass, 1);
    m.inertia.xx = m.inertia.yy = (spc_real)(mass * l * l / 12);
    m.inertia.zz = (spc_real)axial;
    return add_body(s, m,
                    spc_transform_make(turn_between(vec(0, 0, 1), spc_sub(to, from)),
                                       times(0.5, spc_add(from, to))));
}

static inline spc_transform pose_of(const scene *s, int i)
{
    return state_of(s, i).X_GB;
}

static inline spc_attachment shape_of(const scene *s, int j)
{
    spc_attachment shape = spc_attachment_default();
    CHECK_STATUS(spc_attachment_get(s->world, s->joint[j], &shape), SPC_OK);
    return shape;
}

static inline spc_constraint_info info_of(const scene *s, int j)
{
    spc_constraint_info info;
    memset(&info, 0, sizeof info);
    CHECK_STATUS(spc_constraint_get_info(s->world, s->joint[j], &info), SPC_OK);
    return info;
}

static inline spc_rows rows_of(const scene *s, int j)
{
    spc_rows rows;
    memset(&rows, 0, sizeof rows);
    CHECK_STATUS(spc_constraint_get_rows(s->world, s->joint[j], &rows), SPC_OK);
    return rows;
}

static inline spc_mass mass_of(const scene *s, int i)
{
    spc_mass m;
    memset(&m, 0, sizeof m);
    CHECK_STATUS(spc_body_get_mass(s->world, s->body[i], &m), SPC_OK);
    return m;
}

static inline spc_energy_momentum momenta_of(const scene *s)
{
    spc_energy_momentum m;
    memset(&m, 0, sizeof m);
    CHECK_STATUS(spc_world_get_energy_momentum(s->world, &m), SPC_OK);
    return m;
}

static inline double energy_of(const scene *s)
{
    const spc_energy_momentum m = momenta_of(s);
    return (double)m.kinetic + (double)m.potential;
}

static inline void set_pose(scene *s, int i, spc_transform X_GB)
{
    CHECK_STATUS(spc_body_set_pose(s->world, s->body[i], X_GB), SPC_OK);
}

static inline void set_velocity(scene *s, int i, spc_vec3 angular, spc_vec3 linear)
{
    CHECK_STATUS(spc_body_set_velocity(s->world, s->body[i], spc_spatial_make(angular, linear)),
                 SPC_OK);
}

/* The velocity of turning with an angular velocity about a fixed point. */
static inline void set_turning(scene *s, int i, spc_vec3 w, spc_vec3 pivot)
{
    set_velocity(s, i, w, spc_cross(w, spc_sub(pose_of(s, i).p, pivot)));
}

/* Random velocities, as near as the joints allow. */
static inline void set_moving(scene *s, double angular, double linear)
{
    int i;
    for (i = 0; i < s->bodies; i++) {
        const spc_spatial V = test_random_spatial(angular, linear);
        set_velocity(s, i, V.angular, V.linear);
    }
    CHECK_STATUS(spc_world_project_velocities(s->world), SPC_OK);
}

static inline void forward_dynamics(scene *s)
{
    CHECK_STATUS(spc_world_forward_dynamics(s->world), SPC_OK);
}

/* RK4 with projection; stops at a failure. */
static inline void run(scene *s, double h, int steps)
{
    spc_status status = SPC_OK;
    int i;
    for (i = 0; i < steps && !status; i++)
        status = spc_step_rk4(s->world, (spc_real)h, SPC_DRIFT_PROJECT);
    CHECK_STATUS(status, SPC_OK);
}

/* What such a run may be off, as an angle: a step of a motion of at most this rate is off by less
   than (rate h)^5 / 120, and by some units of rounding. */
static inline double rk4_error(double rate, double h, int steps)
{
    return steps * (pow(rate * h, 5) / 120 + 4 * TEST_EPSILON);
}

/* What projection leaves of position errors: 16 units of rounding of the coordinates, of up to some
   5 m, and the errors found here are as rounded themselves. */
#define PROJECTED (200 * TEST_EPSILON)

/* --------------------------------------------------------------- mechanics of this file ------- */

/* Errors of a joint from its definition, all that is locked: distance [m] and angle [rad]. */
typedef struct joint_error {
    double distance, angle;
} joint_error;

static inline double component(spc_vec3 v, int k)
{
    return (double)(k == 0 ? v.x : k == 1 ? v.y : v.z);
}

static inline spc_vec3 basis(int k)
{
    return vec(k == 0, k == 1, k == 2);
}

static inline double rotation_error(spc_quat q_FM, unsigned turns)
{
    const spc_vec3 v = spc_vec3_make(q_FM.x, q_FM.y, q_FM.z);
    int k;
    for (k = 0; k < 3; k++) {
        const spc_vec3 m = spc_rotate(q_FM, basis(k));
        if (turns == 1u << k) /* the twist: what q is about the axis */
            return 2 * atan2(fabs(component(v, k)), fabs((double)q_FM.w));
        if (turns == (7u ^ 1u << k)) /* the angle between the axes */
            return atan2(length(spc_cross(basis(k), m)), component(m, k));
    }
    return turns ? 2 * atan2(length(v), fabs((double)q_FM.w)) : 0;
}

static inline joint_error error_of(const scene *s, int j)
{
    const spc_attachment shape = shape_of(s, j);
    const spc_transform X_GA = pose_of(s, s->end_a[j]), X_GB = pose_of(s, s->end_b[j]);
    const spc_transform X_GF = spc_transform_mul(X_GA, shape.X_AF);
    const spc_transform X_FM =
        spc_transform_mul(spc_transform_inverse(X_GF), spc_transform_mul(X_GB, shape.X_BM));
    joint_error e = { 0, 0 };
    int k;
    for (k = 0; k < 3; k++)
        if (shape.locked >> k & 1u)
            note(&e.distance, component(spc_sub(X_FM.p, shape.rest), k));
    e.angle = rotation_error(X_FM.q, shape.locked >> 3);
    return e;
}

static inline double worst_error(const scene *s)
{
    double worst = 0;
    int j;
    for (j = 0; j < s->joints; j++) {
        const joint_error e = error_of(s, j);
        note(&worst, e.distance);
        note(&worst, e.angle);
    }
    return worst;
}

/* A body's centre of mass from its origin, in G. */
static inline spc_vec3 centre_arm(const scene *s, int i)
{
    return spc_rotate(pose_of(s, i).q, mass_of(s, i).p_BBc);
}

static inline spc_inertia inertia_of(const scene *s, int i)
{
    return spc_inertia_rotate(spc_mat3_from_quat(pose_of(s, i).q), mass_of(s, i).inertia);
}

/* Newton and Euler: the force about Bo, beside gravity, that gives a body this acceleration. */
static inline spc_spatial needed_force(const scene *s, int i, spc_spatial A)
{
    const spc_vec3 c = centre_arm(s, i), w = state_of(s, i).V_GB.angular;
    const spc_inertia I = inertia_of(s, i);
    const spc_vec3 a = spc_add(spc_add(A.linear, spc_cross(A.angular, c)),
                               spc_sub(spc_cross(w, spc_cross(w, c)), spc_world_gravity(s->world)));
    const spc_vec3 force = spc_scale(mass_of(s, i).mass, a);
    const spc_vec3 torque =
        spc_add(spc_inertia_mul(I, A.angular), spc_cross(w, spc_inertia_mul(I, w)));
    return spc_spatial_make(spc_add(torque, spc_cross(c, force)), force);
}

/* A body's least moment of inertia: that of an axis is 1 / (e . I^-1 e), and the trace of I^-1 is
   no less than its largest. */
static inline double least_moment(spc_inertia I)
{
    const spc_vec3 x = spc_vec3_make(I.xx, I.xy, I.xz), y = spc_vec3_make(I.xy, I.yy, I.yz);
    const spc_vec3 z = spc_vec3_make(I.xz, I.yz, I.zz), yz = spc_cross(y, z);
    return dot(x, yz) / (double)(yz.x + spc_cross(z, x).y + spc_cross(x, y).z);
}

/* What gravity, gyroscopic moments and each multiplier by itself do to a body's accelerations,
   added up without regard to signs and directions. Accelerations are what is left when these
   cancel: they, and all that follows from them, are good to some rounding units of the sums, and
   cannot be better. */
typedef struct effort {
    double angular, linear; /* [rad/s^2, m/s^2] */
} effort;

static inline void effort_begin(const scene *s, int i, effort *e)
{
    const spc_vec3 w = state_of(s, i).V_GB.angular;
    const double c = length(centre_arm(s, i));
    e->angular = GRAVITY + dot(w, w); /* gravity at an arm of a metre */
    e->linear = GRAVITY + c * 2 * e->angular;
}

/* A row of the Jacobian, of a joint in the place `arm` from the body's origin, with its
   multiplier. */
static inline void effort_add(const scene *s, int i, spc_spatial row, spc_vec3 arm, double lambda,
                              effort *e)
{
    const spc_mass m = mass_of(s, i);
    const double c = length(m.p_BBc), force = fabs(lambda) * length(row.linear);
    const double torque = fabs(lambda) * length(row.angular) + force * (length(arm) + c);
    e->angular += torque / least_moment(m.inertia);
    e->linear += force / (double)m.mass + c * torque / least_moment(m.inertia);
}

/* Is it neither ground nor kinematic? */
static inline bool is_dynamic(const scene *s, int i)
{
    spc_mass m;
    return i != GROUND && spc_body_get_mass(s->world, s->body[i], &m) == SPC_OK;
}

/* Of all bodies, at the present multipliers. */
static inline void find_efforts(const scene *s, effort *e)
{
    int i, j, k;
    for (i = 0; i < s->bodies; i++) {
        e[i].angular = e[i].linear = 0;
        if (is_dynamic(s, i))
            effort_begin(s, i, &e[i]);
    }
    for (j = 0; j < s->joints; j++) {
        const spc_rows rows = rows_of(s, j);
        const int a = s->end_a[j], b = s->end_b[j];
        spc_real lambda[SPC_MAX_ROWS];
        CHECK_STATUS(spc_constraint_get_multipliers(s->world, s->joint[j], lambda), SPC_OK);
        for (k = 0; k < rows.count; k++) {
            if (is_dynamic(s, a))
                effort_add(s, a, rows.jacobian_a[k], rows.arm_a, (double)lambda[k], &e[a]);
            if (is_dynamic(s, b))
                effort_add(s, b, rows.jacobian_b[k], rows.arm_b, (double)lambda[k], &e[b]);
        }
    }
}

/* Rotations, cross products and sums between a state and what is compared: some 32 operations. */
#define ROUNDED (32 * TEST_EPSILON)

/* ------------------------------------------------------------------ a chain in a plane -------- */

#define MOST_LINKS 50

/* Uniform rods hung from the origin one below the other, in the plane y = 0: angles from straight
   down, positive towards x. In absolute angles its mass matrix is c_ij cos(angle_i - angle_j). In
   long double, since where heavy rods hang on light ones, what matters of the light is a small
   difference of the entries. */
typedef long double wide;

typedef struct planar {
    int n;
    wide mass[MOST_LINKS], length[MOST_LINKS], angle[MOST_LINKS], rate[MOST_LINKS];
} planar;

/* Hangs another rod on. */
static inline void planar_add(planar *p, double mass, double l, double angle, double rate)
{
    p->mass[p->n] = (wide)mass;
    p->length[p->n] = (wide)l;
    p->angle[p->n] = (wide)angle;
    p->rate[p->n++] = (wide)rate;
}

/* Along a link, and the way it turns. */
static inline spc_vec3 planar_along(const planar *p, int i)
{
    return vec((double)sinl(p->angle[i]), 0, -(double)cosl(p->angle[i]));
}

static inline spc_vec3 planar_across(const planar *p, int i)
{
    return vec((double)cosl(p->angle[i]), 0, (double)sinl(p->angle[i]));
}

/* The same in a world. */
static inline scene planar_scene(const planar *p, unsigned locked)
{
    scene s = scene_make(p->n, p->n);
    spc_vec3 top = zero, v = zero;
    int i;
    for (i = 0; i < p->n; i++) {
        const double l = (double)p->length[i], m = (double)p->mass[i], rate = (double)p->rate[i];
        const spc_vec3 end = spc_add(top, times(l, planar_along(p, i)));
        const spc_vec3 dv = times(l * rate, planar_across(p, i));
        add_rod(&s, top, end, m, m * l * l / 100);
        set_velocity(&s, i, vec(0, -rate, 0), spc_add(v, times(0.5, dv)));
        join(&s, i - 1, i, top, vec(0, 1, 0), locked); /* the one before the first is GROUND */
        top = end;
        v = spc_add(v, dv);
    }
    return s;
}

/* ----------------------------------------------------------------- joints in closed form ------ */

static inline spc_mass top_mass(double mass, double across, double about)
{
    spc_mass m = spc_mass_solid_sphere((spc_real)mass, 1);
    m.inertia.xx = m.inertia.yy = (spc_real)across;
    m.inertia.zz = (spc_real)about;
    return m;
}

/* -------------------------------------------------------------------------------- assembly ---- */

/* Who is what in a joint. */
typedef enum ends {
    GROUND_FIRST,
    GROUND_SECOND,
    KINEMATIC_FIRST,
    KINEMATIC_SECOND,
    BOTH_FREE
} ends;

/* A joint between two bodies at random places, a metre off, and turned by `angle` about z, if only
   the twist is locked, else about an axis across z. */
static inline scene apart(ends which, unsigned locked, double angle)
{
    const bool first = which == GROUND_FIRST || which == KINEMATIC_FIRST;
    const bool on_ground = which == GROUND_FIRST || which == GROUND_SECOND;
    const spc_vec3 z = vec(0, 0, 1);
    scene s = scene_make(2, 1);
    spc_state other = spc_state_identity();
    spc_attachment shape = spc_attachment_default();
    spc_transform X_FM = spc_transform_identity();
    int free_body, fixed;
    X_FM.p = test_random_vec3(1);
    X_FM.q = turn(locked == SPC_UNIVERSAL ? z : random_across(z), angle);
    free_body = add_random_body(&s, 1);
    if (!on_ground)
        other.X_GB = test_random_transform(1);
    fixed = on_ground            ? GROUND
            : which == BOTH_FREE ? add_body(&s, test_random_mass(), other.X_GB)
                                 : add_kinematic(&s, other);
    shape.X_AF = test_random_transform(1);
    shape.X_BM = spc_transform_mul(
        spc_transform_inverse(first ? pose_of(&s, free_body) : other.X_GB),
        spc_transform_mul(
            spc_transform_mul(first ? other.X_GB : pose_of(&s, free_body), shape.X_AF), X_FM));
    shape.locked = locked;
    add_joint(&s, first ? fixed : free_body, first ? free_body : fixed, &shape);
    CHECK_NEAR(error_of(&s, 0).angle, angle, ROUNDED);
    return s;
}

#define CHAIN 20

/* Joints in a random walk of a metre each; bodies at random places near the middle between two. */
static inline scene random_chain(unsigned locked, bool on_ground, bool closed)
{
    scene s = scene_of_loops(CHAIN, CHAIN + 1);
    spc_vec3 p[CHAIN + 1];
    int i;
    p[0] = test_random_vec3(1);
    for (i = 1; i <= CHAIN; i++)
        p[i] = spc_add(p[i - 1], random_unit());
    if (closed)
        p[CHAIN] = p[0];
    for (i = 0; i < CHAIN; i++) {
        const spc_vec3 middle = times(0.5, spc_add(p[i], p[i + 1]));
        const int link = add_random_body(&s, 0.2);
        set_pose(&s, link,
                 spc_transform_make(pose_of(&s, link).q, spc_add(middle, pose_of(&s, link).p)));
    }
    for (i = on_ground ? 0 : 1; i < CHAIN; i++)
        join(&s, i - 1, i, p[i], random_unit(), locked); /* the one before the first is GROUND */
    if (closed)
        join(&s, CHAIN - 1, 0, p[0], random_unit(), locked);
    return s;
}

static inline unsigned long long hash_of(const scene *s)
{
    return spc_world_hash(s->world);
}

/* --------------------------------------------------------- long chains, and their residuals --- */

/* All forces on a body, and the sizes of torques about Bo and of forces without regard to
   directions. */
typedef struct load {
    spc_spatial sum;
    double torque, force;
} load;

static inline void load_add(load *l, spc_spatial F, spc_vec3 arm)
{
    l->sum.angular = spc_add(l->sum.angular, F.angular);
    l->sum.linear = spc_add(l->sum.linear, F.linear);
    l->force += length(F.linear);
    l->torque += length(F.angular) + length(arm) * length(F.linear);
}

/* How far forces and accelerations are from Newton's law, against the sizes of the forces, of which
   the weight is one (at an arm of a metre). */
static inline double law_residual(const scene *s)
{
    load *l = (load *)calloc((size_t)s->bodies, sizeof(load));
    double worst = 0;
    int i, j;
    for (j = 0; j < s->joints; j++) {
        const spc_contact_force f = force_of(s, j);
        const spc_rows rows = rows_of(s, j);
        if (s->end_a[j] != GROUND)
            load_add(&l[s->end_a[j]], f.on_a, rows.arm_a);
        if (s->end_b[j] != GROUND)
            load_add(&l[s->end_b[j]], f.on_b, rows.arm_b);
    }
    for (i = 0; i < s->bodies; i++) {
        const spc_spatial F = needed_force(s, i, acceleration_of(s, i));
        const double weight = GRAVITY * (double)mass_of(s, i).mass;
        note(&worst, distance(l[i].sum.linear, F.linear) / (weight + l[i].force));
        note(&worst, distance(l[i].sum.angular, F.angular) / (weight + l[i].torque));
    }
    free(l);
    return worst;
}

static inline double row_size(spc_spatial J, const effort *e)
{
    return e ? length(J.angular) * e->angular + length(J.linear) * e->linear : 0;
}

/* How far accelerations are from satisfying the rows, against the efforts. */
static inline double rows_residual(const scene *s)
{
    effort *e = (effort *)calloc((size_t)s->bodies, sizeof(effort));
    double worst = 0;
    int j, k;
    find_efforts(s, e);
    for (j = 0; j < s->joints; j++) {
        const spc_rows rows = rows_of(s, j);
        const effort *a = s->end_a[j] == GROUND ? NULL : &e[s->end_a[j]];
        const effort *b = s->end_b[j] == GROUND ? NULL : &e[s->end_b[j]];
        spc_real errors[SPC_MAX_ROWS];
        CHECK_STATUS(spc_constraint_get_acceleration_errors(s->world, s->joint[j], errors), SPC_OK);
        for (k = 0; k < rows.count; k++)
            if (rows.enforced >> k & 1u)
                note(&worst, (double)errors[k] /
                                 (fabs((double)rows.jdot_v[k]) + row_size(rows.jacobian_a[k], a) +
                                  row_size(rows.jacobian_b[k], b)));
    }
    free(e);
    return worst;
}

static double worst_kkt; /* seen */

/* The equations of forward dynamics are met: a stable solver leaves a few roundings of the sums,
   though more digits may be lost of what is left of the sums. It refines down to 16 roundings of
   the largest load of the island, which are more of a smaller one's. */
#define BALANCED (128 * TEST_EPSILON)

/* balanced: of the forces on a body, that part may be left */
static inline void check_kkt_to(scene *s, double balanced)
{
    const double law = law_residual(s), in_rows = rows_residual(s);
    CHECK_NEAR(law, 0, balanced);
    CHECK_NEAR(in_rows, 0, ROUNDED);
    note(&worst_kkt, law);
    note(&worst_kkt, in_rows);
}

static inline void check_kkt(scene *s)
{
    check_kkt_to(s, BALANCED);
}

/* ------------------------------------------------------------------- the dense solver --------- */

static inline double largest(const spc_real *x, int count)
{
    double most = 0;
    int i;
    for (i = 0; i < count; i++)
        note(&most, (double)x[i]);
    return most;
}

/* Both solvers lose what the condition of the system takes, 1e5 or so in these scenes. */
#define DENSE IN_DOUBLE_OR_FLOAT(1e-9, 1e-2)

/* ------------------------------------------------------------------------------- loops -------- */

/* Runs RK4 with projection; gives the largest change of energy against the largest kinetic one. */
static inline double energy_change(scene *s, double h, int steps)
{
    const double before = energy_of(s);
    double worst = 0, kinetic = 0;
    int i;
    for (i = 0; i < steps; i += 10) {
        run(s, h, 10);
        note(&worst, energy_of(s) - before);
        kinetic = fmax(kinetic, (double)momenta_of(s).kinetic);
    }
    return worst / kinetic;
}

/* ---------------------------------------------------------------------- structures ------------ */

/* Named joints to draw from. */
static inline unsigned random_joint(void)
{
    static const unsigned masks[8] = { SPC_BALL_JOINT,    SPC_HINGE,         SPC_SLIDER,
                                       SPC_WELD,          SPC_UNIVERSAL,     SPC_CYLINDRICAL,
                                       SPC_POINT_ON_LINE, SPC_POINT_ON_PLANE };
    return masks[(int)test_random(0, 7.999)];
}

/* Near the middle between two bodies. */
static inline spc_vec3 random_between(const scene *s, int a, int b)
{
    const spc_vec3 middle = times(0.5, spc_add(pose_of(s, a).p, pose_of(s, b).p));
    return spc_add(middle, test_random_vec3(0.3));
}

/* A body somewhere, joined to another by `locked`; 0: by any joint. */
static inline void grow(scene *s, int other, double size, unsigned locked)
{
    const int i = add_random_body(s, size);
    const spc_vec3 p = random_between(s, other, i), axis = random_unit();
    join(s, other, i, p, axis, locked ? locked : random_joint());
}

/* Bodies, each joined to an earlier one or, if on ground, now and then to that; and so many loops,
   of ball joints and points on planes if any joint will do. */
static inline scene random_structure(int bodies, int loops, unsigned locked, bool on_ground)
{
    const double size = pow(bodies, 1.0 / 3);
    const spc_mass m = test_random_mass();
    scene s = scene_of_loops(bodies, bodies + loops);
    int i;
    if (on_ground)
        grow(&s, GROUND, size, locked);
    else
        add_body(&s, m, test_random_transform(size));
    for (i = 1; i < bodies; i++)
        grow(&s, (int)test_random(on_ground ? -2 : 0, i - 1e-9), size, locked);
    for (i = 0; i < loops; i++) {
        const int a = (int)test_random(0, bodies - 1e-9);
        const int b = (a + 1 + (int)test_random(0, bodies - 1 - 1e-9)) % bodies;
        const unsigned any = i % 2 ? SPC_BALL_JOINT : SPC_POINT_ON_PLANE;
        const spc_vec3 p = random_between(&s, a, b);
        join(&s, a, b, p, random_unit(), locked ? locked : any);
    }
    set_moving(&s, 2, 1);
    return s;
}

#endif
