/* own_engine.c - the kernels alone: rolling in an engine that has its own bodies and solver

   No spc_world here: an engine with bodies, solver and integrator of its own takes only the rows of
   a ball on a plane. From M a = f - J^T lambda and J a + jdot_v = terms (those of stabilization)
   follows (J M^-1 J^T) lambda = J M^-1 f + jdot_v - terms and the contact force F = -J^T lambda.
   Down a slope of angle theta a ball accelerates with 5/7 g sin(theta); friction is the other 2/7.

   build: cc -O2 examples/own_engine.c -lm -o own_engine
   last line: own_engine: ok, 5/7 g sin(theta) to 1.0e-13
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>

#define STEP (1.0 / 240) /* [s] */
/* Velocities of 3 m/s are rounded by 2.2e-16, four times a step. Stabilization (T = 0.1 s) forgets
   that slip within T/2, 12 steps, and turns it into an acceleration of 2/T = 20 times as much. */
#define TOLERANCE 3e-13

typedef struct my_body {
    double mass, inertia;         /* [kg, kg m^2]; a ball: the same inertia about all axes */
    spc_mat3 axes;                /* R_GB: the body's axes in the world, as columns */
    spc_vec3 centre, speed, spin; /* of the centre of mass, in the world [m, m/s, rad/s] */
} my_body;

/* M^-1 F */
static spc_spatial over_mass(const my_body *b, spc_spatial F)
{
    return spc_spatial_make(spc_scale(1 / b->inertia, F.angular), spc_scale(1 / b->mass, F.linear));
}

/* A x = b: Gaussian elimination, no pivoting for A is positive definite; b becomes x. */
static void solve(int n, double A[SPC_MAX_ROWS][SPC_MAX_ROWS], double *b)
{
    int i, j, k;
    for (k = 0; k < n; k++)
        for (i = k + 1; i < n; i++) {
            const double m = A[i][k] / A[k][k];
            for (j = k; j < n; j++)
                A[i][j] -= m * A[k][j];
            b[i] -= m * b[k];
        }
    for (i = n - 1; i >= 0; b[i] /= A[i][i], i--)
        for (k = i + 1; k < n; k++)
            b[i] -= A[i][k] * b[k];
}

/* Force on a ball that rolls on a plane of the ground while the force f acts on it. */
static spc_spatial contact_force(const my_body *b, const spc_sphere_on_plane *shape, spc_spatial f)
{
    const spc_stabilization baumgarte = spc_stabilization_default();
    const spc_state ground = spc_state_identity();
    double A[SPC_MAX_ROWS][SPC_MAX_ROWS], lambda[SPC_MAX_ROWS], terms[SPC_MAX_ROWS];
    spc_spatial a_free = over_mass(b, f), a_row, F_ground, F_ball;
    spc_state ball;
    spc_rows rows;
    int i;
    ball.X_GB = spc_transform_make(spc_quat_from_mat3(b->axes), b->centre);
    ball.V_GB = spc_spatial_make(b->spin, b->speed);
    spc_sphere_on_plane_rows(shape, &ground, &ball, &rows);
    spc_stabilization_terms(&baumgarte, &rows, STEP, terms);
    spc_rows_mul(&rows, &ground.V_GB, &a_free, lambda);
    for (i = 0; i < rows.count; i++) {
        a_row = over_mass(b, rows.jacobian_b[i]);
        spc_rows_mul(&rows, &ground.V_GB, &a_row, A[i]); /* row or column: A is symmetric */
        if (!(rows.enforced >> i & 1u))
            A[i][i] = 1; /* J of a row that is off is 0, and so is its lambda */
        lambda[i] += rows.jdot_v[i] - terms[i];
    }
    solve(rows.count, A, lambda);
    spc_rows_forces(&rows, lambda, &F_ground, &F_ball);
    return F_ball;
}

/* Half a step of velocity, a step of pose, half a step of velocity: exact for constant a. */
static void integrate(my_body *b, spc_spatial a)
{
    b->spin = spc_add(b->spin, spc_scale(STEP / 2, a.angular));
    b->speed = spc_add(b->speed, spc_scale(STEP / 2, a.linear));
    b->axes = spc_mat3_from_quat(spc_quat_integrate(spc_quat_from_mat3(b->axes), b->spin, STEP));
    b->centre = spc_add(b->centre, spc_scale(STEP, b->speed));
    b->spin = spc_add(b->spin, spc_scale(STEP / 2, a.angular));
    b->speed = spc_add(b->speed, spc_scale(STEP / 2, a.linear));
}

int main(void)
{
    const double m = 2, r = 0.1, inertia = 0.4 * m * r * r, theta = 0.5, g_x = 9.81 * sin(theta);
    const spc_spatial weight = { { 0, 0, 0 }, { 0, 0, -m * 9.81 } };
    const spc_vec3 zero = spc_vec3_make(0, 0, 0);
    my_body ball = { m, inertia, spc_mat3_from_quat(spc_quat_identity()), zero, zero, zero };
    spc_sphere_on_plane shape = spc_sphere_on_plane_default();
    double error = 0;
    spc_mat3 R_GP;
    int i, ok = 1;

    shape.radius = r;
    shape.X_FP.q = spc_quat_from_rotation_vector(spc_vec3_make(0, theta, 0)); /* Px is downhill */
    if (spc_sphere_on_plane_check(&shape) != SPC_OK)
        return 1;
    R_GP = spc_mat3_from_quat(shape.X_FP.q);
    ball.centre = spc_scale(r, R_GP.z);
    printf("time [s]  downhill [m]  acceleration [m/s^2]  friction [N]\n");
    for (i = 0; i <= 240; i++) {
        const spc_spatial F = contact_force(&ball, &shape, weight);
        const spc_vec3 a = spc_scale(1 / m, spc_add(F.linear, weight.linear));
        const double t = i * STEP, x = spc_dot(R_GP.x, ball.centre);
        const double a_x = spc_dot(R_GP.x, a), F_x = spc_dot(R_GP.x, F.linear);
        const double x_off = fabs(x - 5 * g_x / 7 * t * t / 2), F_off = fabs(F_x + 2 * m * g_x / 7);
        const double off = fabs(a_x - 5 * g_x / 7) + F_off + x_off;
        error = fmax(error, off);
        ok = ok && off < TOLERANCE; /* false for NaN, which fmax would pass over */
        if (i % 48 == 0)
            printf("%8.3f %13.9f %21.15f %13.9f\n", t, x, a_x, -F_x);
        integrate(&ball, spc_spatial_make(over_mass(&ball, F).angular, a));
    }
    printf("own_engine: %s, 5/7 g sin(theta) to %.1e\n", ok ? "ok" : "WRONG", error);
    return ok ? 0 : 1;
}
