/* Scenes through time, for tests/test_step.c and tests/bench/step.c: bodies and constraints with a
   point that is watched. SI units; gravity is along -z unless said. A scene that cannot be made
   ends the program: its numbers are constants. */
#ifndef SPC_SCENES_H
#define SPC_SCENES_H

#include "../spherecontact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCENE_MOST 12 /* bodies, and constraints, of a scene */
#define SCENE_GRAVITY 9.81
#define SCENE_PI 3.14159265358979323846

typedef struct scene {
    spc_world *world;
    spc_body body[SCENE_MOST];
    spc_constraint constraint[SCENE_MOST];
    int bodies, constraints;
    int watched;    /* index of the body */
    spc_vec3 point; /* in it [m] */
} scene;

/* A scene by name, for tables of them. */
typedef struct scene_entry {
    const char *name;
    void (*make)(scene *s);
} scene_entry;

static inline void scene_must(spc_status status)
{
    if (status == SPC_OK)
        return;
    fprintf(stderr, "scene: %s\n", spc_status_text(status));
    exit(1);
}

static inline spc_vec3 scene_vec(double x, double y, double z)
{
    return spc_vec3_make((spc_real)x, (spc_real)y, (spc_real)z);
}

static inline spc_quat scene_turned(double x, double y, double z)
{
    return spc_quat_from_rotation_vector(scene_vec(x, y, z));
}

static inline void scene_begin(scene *s, int bodies, int constraints, double gravity)
{
    spc_world_desc desc = spc_world_desc_default(bodies, constraints);
    const spc_vec3 nowhere = { 0, 0, 0 };
    size_t size;
    memset(s, 0, sizeof *s);
    s->point = nowhere;
    desc.rows = SPC_MAX_ROWS * constraints;
    desc.solver_bytes = 100000; /* loops, too */
    desc.gravity = scene_vec(0, 0, -gravity);
    size = spc_world_size(&desc);
    scene_must(spc_world_create(malloc(size), size, &desc, &s->world));
}

static inline void scene_end(scene *s)
{
    free(s->world);
    s->world = NULL;
}

static inline spc_body scene_add(scene *s, spc_body_kind kind, spc_mass mass, spc_state state)
{
    spc_body_desc desc = spc_body_desc_default();
    desc.kind = kind;
    desc.mass = mass;
    desc.state = state;
    scene_must(spc_body_add(s->world, &desc, &s->body[s->bodies]));
    return s->body[s->bodies++];
}

/* A dynamic body whose axes are those of G, at rest. */
static inline spc_body scene_add_at(scene *s, spc_mass mass, spc_vec3 p)
{
    spc_state state = spc_state_identity();
    state.X_GB.p = p;
    return scene_add(s, SPC_DYNAMIC, mass, state);
}

/* An attachment with frames in the axes of the bodies. */
static inline void scene_join(scene *s, spc_body a, spc_body b, unsigned locked, spc_vec3 p_A,
                              spc_vec3 p_B)
{
    spc_attachment_desc desc = spc_attachment_desc_default();
    desc.a = a;
    desc.b = b;
    desc.shape.locked = locked;
    desc.shape.X_AF.p = p_A;
    desc.shape.X_BM.p = p_B;
    scene_must(spc_attachment_add(s->world, &desc, &s->constraint[s->constraints++]));
}

/* An attachment where its bodies are, with the axis z_G of its frame. */
static inline void scene_join_at(scene *s, spc_body a, spc_body b, unsigned locked, spc_vec3 p_G,
                                 spc_vec3 z_G)
{
    spc_attachment_desc desc = spc_attachment_desc_default();
    spc_state A, B;
    scene_must(spc_body_get_state(s->world, a, &A));
    scene_must(spc_body_get_state(s->world, b, &B));
    desc.a = a;
    desc.b = b;
    scene_must(spc_attachment_at(&A.X_GB, &B.X_GB, p_G, z_G, locked, &desc.shape));
    scene_must(spc_attachment_add(s->world, &desc, &s->constraint[s->constraints++]));
}

static inline void scene_roll_ball(scene *s, spc_body floor, spc_body ball, double radius,
                                   spc_transform X_FP)
{
    spc_sphere_on_plane_desc desc = spc_sphere_on_plane_desc_default();
    desc.floor = floor;
    desc.ball = ball;
    desc.shape.radius = (spc_real)radius;
    desc.shape.X_FP = X_FP;
    scene_must(spc_sphere_on_plane_add(s->world, &desc, &s->constraint[s->constraints++]));
}

/* A disc with its axis along axis_B on the plane z = 0 of ground, turned by q. */
static inline void scene_roll_disc(scene *s, spc_body disc, double radius, spc_vec3 axis_B,
                                   spc_quat q)
{
    const spc_body ground = { 0, 0 };
    spc_rolling_disc_desc desc = spc_rolling_disc_desc_default();
    desc.floor = ground;
    desc.disc = disc;
    desc.shape.radius = (spc_real)radius;
    desc.shape.axis_B = axis_B;
    desc.shape.X_FP.q = q;
    scene_must(spc_rolling_disc_add(s->world, &desc, &s->constraint[s->constraints++]));
}

/* Sets a body that has one rolling contact, constraint c, onto its floor at rest, and makes it roll
   with its angular velocity. */
static inline void scene_start_rolling(scene *s, spc_body body, spc_constraint c)
{
    spc_rows rows;
    spc_state b;
    scene_must(spc_body_get_state(s->world, body, &b));
    scene_must(spc_constraint_get_rows(s->world, c, &rows));
    b.X_GB.p = spc_sub(b.X_GB.p, spc_scale(rows.separation, rows.R_GP.z));
    b.V_GB.linear = spc_cross(rows.arm_b, b.V_GB.angular);
    scene_must(spc_body_set_pose(s->world, body, b.X_GB));
    scene_must(spc_body_set_velocity(s->world, body, b.V_GB));
}

/* A bar of 1 m and 3 kg with three equal moments, on a ball joint at ground's origin, 10 rad/s
   across it, no gravity: 50.005 J. Ball joints' force is m w^2 r = 150 N. */
static inline void scene_bar(scene *s)
{
    const spc_body ground = { 0, 0 };
    spc_mass mass = spc_mass_box(3, scene_vec(0.5, 0.01, 0.01));
    spc_state state = spc_state_identity();
    scene_begin(s, 1, 1, 0);
    mass.inertia.xx = mass.inertia.yy;
    state.X_GB.p = scene_vec(0.5, 0, 0);
    state.V_GB = spc_spatial_make(scene_vec(0, 0, 10), scene_vec(0, 5, 0));
    scene_add(s, SPC_DYNAMIC, mass, state);
    scene_join(s, ground, s->body[0], SPC_BALL_JOINT, scene_vec(0, 0, 0), scene_vec(-0.5, 0, 0));
}

/* Cubes of 0.2 m and 1 kg, each on a ball joint in the middle of a face, at rest along x. */
static inline void scene_links(scene *s, int n)
{
    const spc_body ground = { 0, 0 };
    spc_body before = ground;
    int i;
    scene_begin(s, n, n, SCENE_GRAVITY);
    for (i = 0; i < n; i++) {
        const spc_body link = scene_add_at(s, spc_mass_box(1, scene_vec(0.1, 0.1, 0.1)),
                                           scene_vec(0.2 * i + 0.1, 0, 0));
        scene_join(s, before, link, SPC_BALL_JOINT, scene_vec(i ? 0.1 : 0, 0, 0),
                   scene_vec(-0.1, 0, 0));
        before = link;
    }
    s->watched = n - 1;
}

static inline void scene_box(scene *s)
{
    scene_links(s, 1);
}

static inline void scene_chain(scene *s)
{
    scene_links(s, 10);
}

/* A disc of 1 kg on the ground, its axis tilted from the vertical by an angle about x, that rolls
   with `spin` about the axis and w_G besides. */
static inline void scene_disc(scene *s, double radius, double tilt, double spin, spc_vec3 w_G)
{
    const spc_vec3 axis = { 0, 0, 1 };
    spc_state state = spc_state_identity();
    scene_begin(s, 1, 1, SCENE_GRAVITY);
    state.X_GB.q = scene_turned(tilt, 0, 0);
    state.V_GB.angular = spc_add(spc_scale((spc_real)spin, spc_rotate(state.X_GB.q, axis)), w_G);
    scene_add(s, SPC_DYNAMIC, spc_mass_disc(1, (spc_real)radius), state);
    scene_roll_disc(s, s->body[0], radius, axis, spc_quat_identity());
    scene_start_rolling(s, s->body[0], s->constraint[0]);
}

/* A coin of 0.1 m that wobbles while it rolls with 20 rad/s: 4.2607 J. */
static inline void scene_coin(scene *s)
{
    scene_disc(s, 0.1, 1.2, 20, scene_vec(0.5, 0, 3));
}

/* A wheel of 0.3 m at 3 m/s that leans by 0.15 rad and steers into it. */
static inline void scene_wheel(scene *s)
{
    scene_disc(s, 0.3, SCENE_PI / 2 - 0.15, 10, scene_vec(0.1, 0, 0.3));
}

/* A ball from rest on a plane that falls towards x by 0.1 rad. */
#define SCENE_SLOPE 0.1
static inline void scene_slope(scene *s)
{
    const spc_body ground = { 0, 0 };
    const spc_quat q = scene_turned(0, SCENE_SLOPE, 0);
    scene_begin(s, 1, 1, SCENE_GRAVITY);
    scene_add_at(s, spc_mass_solid_sphere(1, SPC_R(0.1)), spc_rotate(q, scene_vec(0, 0, 0.1)));
    scene_roll_ball(s, ground, s->body[0], 0.1, spc_transform_make(q, scene_vec(0, 0, 0)));
}

/* A ball on a table that turns at 3.5 rad/s; both are tilted by 5 degrees against gravity: it
   circles with 1 rad/s, and the circle drifts across the slope. */
static inline void scene_turntable(scene *s)
{
    const double slope = 5 * SCENE_PI / 180, omega = 3.5, r = 0.1;
    spc_state table = spc_state_identity(), ball = spc_state_identity();
    scene_begin(s, 2, 1, 0);
    scene_must(spc_world_set_gravity(
        s->world, scene_vec(SCENE_GRAVITY * sin(slope), 0, -SCENE_GRAVITY * cos(slope))));
    table.V_GB.angular = scene_vec(0, 0, omega);
    scene_add(s, SPC_KINEMATIC, spc_mass_solid_sphere(1, 1), table);
    ball.X_GB.p = scene_vec(0.5, 0, r);
    ball.V_GB.linear = scene_vec(0, 0.3, 0);
    /* r w = Pz x (velocity over the table), which is 0.3 - 0.5 omega along y */
    ball.V_GB.angular = scene_vec(-(0.3 - 0.5 * omega) / r, 0, 0);
    scene_add(s, SPC_DYNAMIC, spc_mass_solid_sphere(1, (spc_real)r), ball);
    scene_roll_ball(s, s->body[0], s->body[1], r, spc_transform_identity());
    s->watched = 1;
}

/* A wheel of 0.25 m and 4 kg with a rider of 20 kg, whose centre of mass is 0.6 m above the axle:
   pitched forward and rolled to the right [rad], at a speed. */
static inline void scene_unicycle_at(scene *s, double pitch, double roll, double speed)
{
    const double r = 0.25;
    const spc_quat lean = scene_turned(roll, 0, 0);
    spc_state wheel = spc_state_identity(), rider = wheel;
    spc_mass mass = spc_mass_solid_sphere(20, (spc_real)r);
    scene_begin(s, 2, 2, SCENE_GRAVITY);
    wheel.X_GB.q = spc_quat_mul(lean, scene_turned(-SCENE_PI / 2, 0, 0));
    wheel.X_GB.p = rider.X_GB.p = spc_rotate(lean, scene_vec(0, 0, r));
    wheel.V_GB.angular = spc_rotate(lean, scene_vec(0, speed / r, 0));
    wheel.V_GB.linear = rider.V_GB.linear = scene_vec(speed, 0, 0);
    rider.X_GB.q = spc_quat_mul(lean, scene_turned(0, pitch, 0));
    mass.p_BBc = scene_vec(0, 0, 0.6);
    scene_add(s, SPC_DYNAMIC, spc_mass_disc(4, (spc_real)r), wheel);
    scene_add(s, SPC_DYNAMIC, mass, rider);
    scene_roll_disc(s, s->body[0], r, scene_vec(0, 0, 1), spc_quat_identity());
    scene_join_at(s, s->body[1], s->body[0], SPC_HINGE, wheel.X_GB.p,
                  spc_rotate(lean, scene_vec(0, 1, 0)));
    s->watched = 1;
    s->point = mass.p_BBc;
}

/* Not balanced: errors grow as exp(7.4 t). */
static inline void scene_unicycle(scene *s)
{
    scene_unicycle_at(s, 0.03, 0.02, 1.5);
}

/* The benchmark bicycle of Meijaard, Papadopoulos, Ruina and Schwab (2007) with body frames at the
   centres of mass: x forward, y left, z up (in the paper y is right and z down, so that xz has the
   other sign). Rear wheel and frame, front frame and wheel. [kg, m, kg m^2] */
static const double scene_bicycle_part[4][8] = {
    /* mass, x, z, xx, yy, zz, xz, radius */
    { 2, 0, 0.3, 0.0603, 0.12, 0.0603, 0, 0.3 },
    { 85, 0.3, 0.9, 9.2, 11, 2.8, -2.4, 0 },
    { 4, 0.9, 0.7, 0.05892, 0.06, 0.00708, 0.00756, 0 },
    { 3, 1.02, 0.35, 0.1405, 0.28, 0.1405, 0, 0.35 },
};

/* Where a part is while it stands upright [m]. */
static inline spc_vec3 scene_bicycle_place(int part)
{
    return scene_vec(scene_bicycle_part[part][1], 0, scene_bicycle_part[part][2]);
}

/* It leans to the right by an angle, and rides straight on. */
static inline void scene_bicycle_at(scene *s, double angle, double speed)
{
    const spc_quat lean = scene_turned(angle, 0, 0);
    const spc_vec3 left = spc_rotate(lean, scene_vec(0, 1, 0));
    const spc_vec3 steer =
        spc_rotate(lean, scene_vec(0.30901699437494742, 0, -0.95105651629515357));
    int i;
    scene_begin(s, 4, 5, SCENE_GRAVITY);
    for (i = 0; i < 4; i++) {
        const double *p = scene_bicycle_part[i];
        spc_state state = spc_state_identity();
        spc_mass mass = spc_mass_solid_sphere((spc_real)p[0], 1);
        mass.inertia.xx = (spc_real)p[3];
        mass.inertia.yy = (spc_real)p[4];
        mass.inertia.zz = (spc_real)p[5];
        mass.inertia.xz = (spc_real)p[6];
        state.X_GB = spc_transform_make(lean, spc_rotate(lean, scene_bicycle_place(i)));
        state.V_GB.linear = scene_vec(speed, 0, 0);
        if (p[7] > 0)
            state.V_GB.angular = spc_scale((spc_real)(speed / p[7]), left);
        scene_add(s, SPC_DYNAMIC, mass, state);
        if (p[7] > 0)
            scene_roll_disc(s, s->body[i], p[7], scene_vec(0, 1, 0), spc_quat_identity());
    }
    scene_join_at(s, s->body[1], s->body[0], SPC_HINGE, spc_rotate(lean, scene_vec(0, 0, 0.3)),
                  left);
    scene_join_at(s, s->body[2], s->body[3], SPC_HINGE, spc_rotate(lean, scene_vec(1.02, 0, 0.35)),
                  left);
    scene_join_at(s, s->body[1], s->body[2], SPC_HINGE, scene_vec(1.02 + 0.08, 0, 0), steer);
    s->watched = 1;
}

/* At 4.6 m/s, leaning by 0.05 rad, it rides by itself and rights itself. */
static inline void scene_bicycle(scene *s)
{
    scene_bicycle_at(s, 0.05, 4.6);
}

/* A robot of 2 kg on two wheels of 0.05 m, with a knob that slides, turns on the spot; a wheel's
   centre is watched. */
static inline void scene_robot_at(scene *s, double yaw_rate)
{
    const double r = 0.05;
    const spc_vec3 left = { 0, 1, 0 };
    spc_sphere_on_plane_desc knob = spc_sphere_on_plane_desc_default();
    spc_state state = spc_state_identity();
    spc_mass mass = spc_mass_box(2, scene_vec(0.15, 0.1, 0.03));
    int i;
    scene_begin(s, 3, 5, SCENE_GRAVITY);
    mass.p_BBc = scene_vec(-0.03, 0, 0);
    state.X_GB.p = scene_vec(0, 0, r);
    state.V_GB.angular = scene_vec(0, 0, yaw_rate);
    knob.ball = scene_add(s, SPC_DYNAMIC, mass, state);
    state.X_GB.q = scene_turned(-SCENE_PI / 2, 0, 0);
    for (i = 0; i < 2; i++) {
        const double y = i ? -0.12 : 0.12;
        spc_body wheel;
        state.X_GB.p = scene_vec(0, y, r);
        state.V_GB = spc_spatial_make(scene_vec(0, -yaw_rate * y / r, yaw_rate),
                                      scene_vec(-yaw_rate * y, 0, 0));
        mass = spc_mass_cylinder(SPC_R(0.2), (spc_real)r, SPC_R(0.01));
        wheel = scene_add(s, SPC_DYNAMIC, mass, state);
        scene_join_at(s, s->body[0], wheel, SPC_HINGE, state.X_GB.p, left);
        scene_roll_disc(s, wheel, r, scene_vec(0, 0, 1), spc_quat_identity());
    }
    knob.shape.p_BS = scene_vec(-0.12, 0, 0.02 - r);
    knob.shape.rolling = false;
    knob.shape.radius = SPC_R(0.02);
    scene_must(spc_sphere_on_plane_add(s->world, &knob, &s->constraint[s->constraints++]));
    s->watched = 1;
}

static inline void scene_robot(scene *s)
{
    scene_robot_at(s, 2);
}

/* Where the watched point is [m]. */
static inline spc_vec3 scene_place(const scene *s)
{
    spc_state state;
    scene_must(spc_body_get_state(s->world, s->body[s->watched], &state));
    return spc_transform_point(state.X_GB, s->point);
}

/* Kinetic and potential energy [J]. */
static inline double scene_energy(const scene *s)
{
    spc_energy_momentum e;
    scene_must(spc_world_get_energy_momentum(s->world, &e));
    return (double)e.kinetic + (double)e.potential;
}

/* The largest position error of a constraint [m, rad]; infinite where there are no rows. */
static inline double scene_drift(const scene *s)
{
    double most = 0;
    spc_rows rows;
    int c, i;
    for (c = 0; c < s->constraints; c++) {
        if (spc_constraint_get_rows(s->world, s->constraint[c], &rows))
            return HUGE_VAL;
        for (i = 0; i < rows.count; i++)
            if (rows.holonomic >> i & 1u)
                most = fmax(most, fabs((double)rows.position_errors[i]));
    }
    return most;
}

/* The largest force of a constraint in the last step [N]. */
static inline double scene_force(const scene *s)
{
    spc_contact_force f;
    double most = 0;
    int c;
    for (c = 0; c < s->constraints; c++)
        if (!spc_constraint_get_forces(s->world, s->constraint[c], &f))
            most = fmax(most, (double)spc_norm(f.force_G));
    return most;
}

#endif
