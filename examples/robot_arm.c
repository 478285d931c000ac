/* robot_arm.c - a robot with joint coordinates of its own, whose wheel rolls on a moving plane

   Two links in the x-y plane and a wheel at their end turn by q1, q2, q3, each against the body
   before. With masses m_i, lengths l_i, centres of mass at c_i from the joints, moments of inertia
   I_i, c = cos q2, s = sin q2, the equations M q'' + h = tau + contact have

           [ A + B + 2 C c + I3   .        .  ]        [ -C s (2 q1' + q2') q2' + G1 + G2 ]
       M = [ B + C c + I3         B + I3   .  ],   h = [ C s q1'^2              + G2      ]
           [ I3                   I3       I3 ]        [ 0                                ]
       A = I1 + m1 c1^2 + (m2 + m3) l1^2,    G1 = (m1 c1 + (m2 + m3) l1) g cos q1
       B = I2 + m2 c2^2 + m3 l2^2,           G2 = (m2 c2 + m3 l2) g cos(q1 + q2)
       C = (m2 c2 + m3 l2) l1

   (Siciliano et al., Robotics, 7.3). The kernel gives the rows of the wheel on the plane,
   spc_rows_project makes them rows for q'', spc_dense_forward_dynamics solves. The same robot as
   bodies of a world, on hinges, must accelerate and push alike.

   build: cc -O2 examples/robot_arm.c -lm -o robot_arm
   last line: robot_arm: ok, robot and world agree to 5.3e-13
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GRAVITY 9.81 /* along -y [m/s^2] */
#define WHEEL 0.06   /* radius [m] */
#define STEP 1e-3    /* [s] */
#define STEPS 1000

/* Of accelerations [rad/s^2] and multipliers [N], all below 64: 7.1e-15 of rounding, times a
   condition of M and of the world's matrix below 1e4. */
#define TOLERANCE 7.1e-11

static const double mass[3] = { 4, 2.5, 1.2 }, inertia[3] = { 0.09, 0.04, 0.002 };
static const double length[3] = { 0.5, 0.4, 0 }, centre[3] = { 0.22, 0.18, 0 };
static const double torque[3] = { 12, -2, -0.5 }; /* of the motors in the joints [N m] */

static void check(spc_status status)
{
    if (status == SPC_OK)
        return;
    fprintf(stderr, "robot_arm: %s\n", spc_status_text(status));
    exit(1);
}

/* The plane's body speeds up along x while it turns about z. */
static const spc_spatial A_floor = { { 0, 0, 0.4 }, { 0.3, 0, 0 } };

static spc_state floor_at(double t)
{
    spc_state s = spc_state_identity();
    s.X_GB.q = spc_quat_from_rotation_vector(spc_scale(t * t / 2, A_floor.angular));
    s.X_GB.p = spc_scale(t * t / 2, A_floor.linear);
    s.V_GB = spc_spatial_make(spc_scale(t, A_floor.angular), spc_scale(t, A_floor.linear));
    return s;
}

typedef struct arm {
    double q[3], v[3], a[3]; /* angles [rad] and derivatives */
    double lambda[2];        /* multipliers of contact, longitudinal and normal [N] */
} arm;

/* A body in its centre of mass: V = S q' with S by rows, and A = S' q'. */
typedef struct kinematics {
    spc_state state;
    double S[18];
    spc_spatial A;
} kinematics;

static kinematics move_body(const arm *r, int body)
{
    static const kinematics zero;
    kinematics k = zero;
    double angle = 0, w = 0;
    spc_vec3 along;
    int i, j;
    for (i = 0; i <= body; i++) {
        const double reach = i < body ? length[i] : centre[i];
        angle += r->q[i];
        w += r->v[i];
        k.state.X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(0, 0, angle));
        along = spc_rotate(k.state.X_GB.q, spc_vec3_make(reach, 0, 0));
        k.state.X_GB.p = spc_add(k.state.X_GB.p, along);
        k.A.linear = spc_sub(k.A.linear, spc_scale(w * w, along));
        for (j = 0; j <= i; j++) {
            k.S[6 + j] = 1;        /* angular velocity about z */
            k.S[9 + j] -= along.y; /* velocity along x */
            k.S[12 + j] += along.x;
        }
    }
    k.state.V_GB.angular.z = w;
    for (j = 0; j < 3; j++) {
        k.state.V_GB.linear.x += k.S[9 + j] * r->v[j];
        k.state.V_GB.linear.y += k.S[12 + j] * r->v[j];
    }
    return k;
}

/* Fills a and lambda. The lateral row is off: the arm cannot move across its plane anyway. */
static void solve(arm *r, double time, const spc_rolling_disc *shape)
{
    const double *m = mass, *I = inertia, *l = length, *c = centre, *q = r->q, *v = r->v;
    const double A = I[0] + m[0] * c[0] * c[0] + (m[1] + m[2]) * l[0] * l[0];
    const double B = I[1] + m[1] * c[1] * c[1] + m[2] * l[1] * l[1], k = m[1] * c[1] + m[2] * l[1];
    const double Cc = k * l[0] * cos(q[1]), Cs = k * l[0] * sin(q[1]), M21 = B + Cc + I[2];
    const double M[9] = { A + Cc + M21, M21, I[2], M21, B + I[2], I[2], I[2], I[2], I[2] };
    const double G1 = (m[0] * c[0] + (m[1] + m[2]) * l[0]) * GRAVITY * cos(q[0]);
    const double G2 = k * GRAVITY * cos(q[0] + q[1]);
    const double h[3] = { G1 + G2 - Cs * (2 * v[0] + v[1]) * v[1], G2 + Cs * v[0] * v[0], 0 };
    const spc_stabilization baumgarte = spc_stabilization_default();
    const kinematics wheel = move_body(r, 2);
    const spc_state floor = floor_at(time);
    double G[6], gamma[2], terms[SPC_MAX_ROWS], force[2];
    double work[40]; /* spc_dense_size(3, 2) is 37 */
    spc_rows rows;
    int i;
    check(spc_rolling_disc_rows(shape, &floor, &wheel.state, &rows));
    spc_stabilization_terms(&baumgarte, &rows, 0, terms);
    spc_rows_project(&rows, NULL, &A_floor, wheel.S, &wheel.A, terms, 3, G, gamma);
    check(spc_dense_forward_dynamics(3, 2, M, h, torque, G, gamma, work, r->a, force));
    for (i = 0; i < 2; i++)
        r->lambda[i] = -force[i];
}

/* Makes the same robot of a world's bodies; returns by how much a and lambda differ. */
static double compare(const arm *own, double time, const spc_rolling_disc *shape)
{
    spc_world_desc desc = spc_world_desc_default(4, 4);
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    spc_attachment_desc hinge = spc_attachment_desc_default(); /* about z, the first to ground */
    double multipliers[SPC_MAX_ROWS], sum = 0, error;
    spc_constraint joint, contact;
    spc_body part[3];
    spc_world *world;
    spc_spatial A;
    int i;
    desc.gravity = spc_vec3_make(0, -GRAVITY, 0);
    desc.rows = 3 * 5 + 3;
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    body.kind = SPC_KINEMATIC;
    body.state = floor_at(time);
    check(spc_body_add(world, &body, &roll.floor));
    check(spc_body_set_acceleration(world, roll.floor, A_floor));
    body.kind = SPC_DYNAMIC;
    hinge.shape.locked = SPC_HINGE;
    for (i = 0; i < 3; i++) {
        const double motors = torque[i] - (i < 2 ? torque[i + 1] : 0);
        body.mass.mass = mass[i];
        body.mass.inertia.xx = body.mass.inertia.yy = body.mass.inertia.zz = inertia[i];
        body.state = move_body(own, i).state;
        check(spc_body_add(world, &body, &part[i]));
        check(spc_body_add_torque(world, part[i], spc_vec3_make(0, 0, motors), SPC_LASTING));
        hinge.b = part[i];
        hinge.shape.X_BM.p.x = -centre[i];
        check(spc_attachment_add(world, &hinge, &joint));
        hinge.a = part[i];
        hinge.shape.X_AF.p.x = length[i] - centre[i];
    }
    roll.disc = part[2];
    roll.shape = *shape;
    check(spc_rolling_disc_add(world, &roll, &contact));
    check(spc_world_forward_dynamics(world));
    check(spc_constraint_get_multipliers(world, contact, multipliers));
    error = fmax(fabs(multipliers[1] - own->lambda[0]), fabs(multipliers[2] - own->lambda[1]));
    for (i = 0; i < 3; i++) {
        check(spc_body_get_acceleration(world, part[i], &A));
        sum += own->a[i];
        error = fmax(error, fabs(A.angular.z - sum));
    }
    free(world);
    return error;
}

int main(void)
{
    arm own = { { 0.4, -1.5, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0 } };
    spc_rolling_disc shape = spc_rolling_disc_default();
    double error = 0;
    int i, j, ok;
    shape.axis_B = spc_vec3_make(0, 0, 1);
    shape.radius = WHEEL;
    shape.lateral = false;
    shape.X_FP.p.y = move_body(&own, 2).state.X_GB.p.y - WHEEL;
    check(spc_quat_from_two_vectors(shape.axis_B, spc_vec3_make(0, 1, 0), &shape.X_FP.q));
    printf("time [s]         q1         q2         q3 [rad]   longitudinal, normal force [N]\n");
    for (i = 0; i <= STEPS && error < TOLERANCE; i++) {
        solve(&own, i * STEP, &shape);
        error = fmax(error, compare(&own, i * STEP, &shape));
        if (i % (STEPS / 10) == 0)
            printf("%8.3f %10.6f %10.6f %10.6f %16.8f %14.8f\n", i * STEP, own.q[0], own.q[1],
                   own.q[2], -own.lambda[0], -own.lambda[1]);
        for (j = 0; j < 3; j++) {
            own.v[j] += STEP * own.a[j];
            own.q[j] += STEP * own.v[j];
        }
    }
    ok = error < TOLERANCE;
    printf("robot_arm: %s, robot and world agree to %.1e\n", ok ? "ok" : "WRONG", error);
    return ok ? 0 : 1;
}
