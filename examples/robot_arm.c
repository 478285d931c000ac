/* robot_arm.c - a robot with joint coordinates of its own, whose wheel rolls on a slope

   An arm turns by q1 about the origin, in the x-y plane, and reaches out by q2; at its end, which
   carries the mass m, a wheel turns by q3 against it. The turret has the moment of inertia J and is
   balanced, the wheel has I and the radius r. M q'' + h = tau + contact with

           [ J + m q2^2 + I   0   I ]        [ 2 m q2 q2' q1' + m g q2 cos q1 ]
       M = [ 0                m   0 ],   h = [ -m q2 q1'^2    + m g sin q1    ]
           [ I                0   I ]        [ 0                              ]

   The kernel gives the rows of the wheel on the plane, spc_rows_to_generalized makes them rows for
   q'', spc_dense_forward_dynamics solves. Rolling does no work, so that the energy grows by
   tau . dq alone; and the wheel turns by its way over its radius.

   build: cc -O2 examples/robot_arm.c -lm -o robot_arm
   last line: robot_arm: ok, energy to 1.5e-10 J, rolls to 1.7e-12 m
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GRAVITY 9.81 /* along -y [m/s^2] */
#define MASS 1.2     /* [kg] */
#define TURRET 0.5   /* J [kg m^2] */
#define WHEEL 0.002  /* I [kg m^2] */
#define RADIUS 0.06  /* r [m] */
#define SLOPE 0.1    /* [rad] */
#define STEP 1e-3    /* of Runge-Kutta's method [s] */
/* [J, m] Seen: 3.5e-9 with steps of 2 ms, 1.5e-10 with 1 ms; the method is of fourth order. */
#define TOLERANCE 1e-9

static const double tau[3] = { 5, 4, 0 }; /* of the motors [N m, N, N m] */

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

/* x holds q and q'; dx gets q' and q''. Returns the energy [J]. */
static double move(const double *x, const spc_rolling_disc *shape, double *dx)
{
    const double c = cos(x[0]), s = sin(x[0]), reach = x[1], w = x[3], out = x[4];
    const double M11 = TURRET + MASS * reach * reach + WHEEL;
    const double M[9] = { M11, 0, WHEEL, 0, MASS, 0, WHEEL, 0, WHEEL };
    const double h[3] = { MASS * reach * (2 * out * w + GRAVITY * c),
                          MASS * (GRAVITY * s - reach * w * w), 0 };
    /* of the wheel: V = S q' with S by rows, and A = S' q' */
    const double S[18] = { 0, 0, 0, 0, 0, 0, 1, 0, 1, -reach * s, c, 0, reach * c, s, 0, 0, 0, 0 };
    const spc_spatial A = { { 0, 0, 0 },
                            { -reach * w * w * c - 2 * out * w * s,
                              2 * out * w * c - reach * w * w * s, 0 } };
    const spc_stabilization baumgarte = spc_stabilization_default();
    const spc_state floor = spc_state_identity();
    spc_state wheel = floor;
    double G[6], gamma[2], terms[SPC_MAX_ROWS], lambda[2];
    double work[40]; /* spc_dense_work_count(3, 2) is 37 */
    spc_rows rows;
    wheel.X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(0, 0, x[0] + x[2]));
    wheel.X_GB.p = spc_vec3_make(reach * c, reach * s, 0);
    wheel.V_GB.angular.z = w + x[5];
    wheel.V_GB.linear = spc_vec3_make(out * c - reach * w * s, out * s + reach * w * c, 0);
    check(spc_rolling_disc_rows(shape, &floor, &wheel, &rows));
    spc_stabilization_terms(&baumgarte, &rows, 0, terms);
    spc_rows_to_generalized(&rows, NULL, &floor.V_GB, S, &A, terms, 3, G, gamma);
    dx[0] = x[3];
    dx[1] = x[4];
    dx[2] = x[5];
    check(spc_dense_forward_dynamics(3, 2, M, h, tau, G, gamma, work, dx + 3, lambda));
    return (TURRET + MASS * reach * reach) * w * w / 2 +
           MASS * (out * out / 2 + GRAVITY * reach * s) + WHEEL * (w + x[5]) * (w + x[5]) / 2;
}

int main(void)
{
    static const double part[4] = { 0, 0.5, 0.5, 1 }, weight[4] = { 1, 2, 2, 1 };
    const double start[6] = { 0.9, 0.7, 0, 0, 0, 0 };
    const spc_vec3 along = spc_vec3_make(cos(SLOPE), sin(SLOPE), 0);
    const spc_vec3 normal = spc_vec3_make(-sin(SLOPE), cos(SLOPE), 0);
    const spc_vec3 from = spc_vec3_make(0.7 * cos(0.9), 0.7 * sin(0.9), 0);
    spc_rolling_disc shape = spc_rolling_disc_default();
    double x[6], y[6], dx[4][6], energy = 0, before = 0, work, way, rolls, off[2] = { 0, 0 };
    int i, j, n;
    shape.axis_B = spc_vec3_make(0, 0, 1);
    shape.radius = RADIUS;
    shape.lateral = false; /* the arm cannot move across its plane anyway */
    shape.X_FP.p = spc_sub(from, spc_scale(RADIUS, normal));
    check(spc_quat_from_two_vectors(shape.axis_B, normal, &shape.X_FP.q));
    for (j = 0; j < 6; j++)
        x[j] = start[j];
    for (i = 0; i <= 1000; i++) {
        energy = move(x, &shape, dx[0]);
        before = i ? before : energy;
        work = tau[0] * (x[0] - start[0]) + tau[1] * (x[1] - start[1]);
        way = spc_dot(along, spc_sub(spc_vec3_make(x[1] * cos(x[0]), x[1] * sin(x[0]), 0), from));
        rolls = -RADIUS * (x[0] + x[2] - start[0]);
        off[0] = fmax(off[0], fabs(energy - before - work));
        off[1] = fmax(off[1], fabs(way - rolls));
        if (i % 100 == 0)
            printf("%.1f s: q %9.6f %9.6f %9.6f, way %9.6f m\n", i * STEP, x[0], x[1], x[2], way);
        for (n = 1; n < 4; n++) {
            for (j = 0; j < 6; j++)
                y[j] = x[j] + part[n] * STEP * dx[n - 1][j];
            move(y, &shape, dx[n]);
        }
        for (n = 0; n < 4; n++)
            for (j = 0; j < 6; j++)
                x[j] += weight[n] * STEP / 6 * dx[n][j];
    }
    i = off[0] < TOLERANCE && off[1] < TOLERANCE;
    printf("robot_arm: %s, energy to %.1e J, rolls to %.1e m\n", i ? "ok" : "WRONG", off[0],
           off[1]);
    return i ? 0 : 1;
}
