/* own_engine.c - the kernels alone: rolling in an engine that has its own bodies and solver

   There is no spc_world here. The engine keeps bodies its own way (three axes, six numbers of
   velocity) and takes from the library what it lacks: the rows of a ball on a plane. With velocity
   errors J V and forces -J^T lambda the accelerations a that keep the ball rolling follow from

       M a = f - J^T lambda,  J a + bias = terms   =>   (J M^-1 J^T) lambda = J M^-1 f + bias - terms

   Checked: down a slope of angle theta a solid ball accelerates with 5/7 g sin(theta), and friction
   is 2/7 m g sin(theta).

   build: cc -O2 examples/own_engine.c -lm -o own_engine
   last line: own_engine: ok, 5/7 g sin(theta) to 2.7e-15 m/s^2
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>

#define STEP (1.0 / 240) /* [s] */

/* Numbers below 7 (m/s^2, N, m), some ten roundings of 8.9e-16 each; stabilization turns roundings
   of the height (1 m: 2.2e-16 m) into 1/T^2 = 100 times as much acceleration. */
#define TOLERANCE 1e-13

typedef struct my_body {
    double axes[3][3];               /* the body's x, y, z axes in the world */
    double position[3], velocity[6]; /* of the centre of mass; angular, then linear, in the world */
    double mass, inertia;            /* a ball: the same inertia about all axes */
} my_body;

static spc_vec3 vec3(const double *a) { return spc_vec3_make(a[0], a[1], a[2]); }

static double dot(spc_spatial a, spc_spatial b)
{
    return spc_dot(a.angular, b.angular) + spc_dot(a.linear, b.linear);
}

/* M^-1 F */
static spc_spatial over_mass(const my_body *b, spc_spatial F)
{
    return spc_spatial_make(spc_scale(1 / b->inertia, F.angular), spc_scale(1 / b->mass, F.linear));
}

/* The body as a kernel wants it. */
static spc_state state_of(const my_body *b)
{
    const spc_mat3 R_GB = { vec3(b->axes[0]), vec3(b->axes[1]), vec3(b->axes[2]) }; /* columns */
    spc_state state;
    state.X_GB = spc_transform_make(spc_quat_from_mat3(R_GB), vec3(b->position));
    state.V_GB = spc_spatial_make(vec3(b->velocity), vec3(b->velocity + 3));
    return state;
}

/* A x = b for a symmetric positive definite A: Cholesky in place, b becomes x. */
static void solve(int n, double A[SPC_MAX_ROWS][SPC_MAX_ROWS], double *b)
{
    int i, j, k;
    for (i = 0; i < n; i++)
        for (j = 0; j <= i; j++) {
            for (k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
            A[i][j] = i == j ? sqrt(A[i][i]) : A[i][j] / A[j][j];
        }
    for (i = 0; i < n; b[i] /= A[i][i], i++)
        for (k = 0; k < i; k++)
            b[i] -= A[i][k] * b[k];
    for (i = n - 1; i >= 0; b[i] /= A[i][i], i--)
        for (k = i + 1; k < n; k++)
            b[i] -= A[k][i] * b[k];
}

/* Force of a plane of the ground on a ball that rolls on it, while the forces f act on the ball. */
static spc_spatial contact_force(const my_body *b, const spc_sphere_on_plane *shape, spc_spatial f)
{
    const spc_stabilization baumgarte = spc_stabilization_default();
    const spc_state ground = spc_state_identity(), ball = state_of(b);
    double A[SPC_MAX_ROWS][SPC_MAX_ROWS], lambda[SPC_MAX_ROWS], terms[SPC_MAX_ROWS];
    spc_spatial F_ground, F_ball;
    spc_rows rows;
    int i, j;
    spc_sphere_on_plane_rows(shape, &ground, &ball, &rows);
    spc_stabilization_terms(&baumgarte, &rows, STEP, terms);
    for (i = 0; i < rows.count; i++) {
        for (j = 0; j < rows.count; j++)
            A[i][j] = dot(rows.jacobian_b[i], over_mass(b, rows.jacobian_b[j]));
        if (!(rows.enforced >> i & 1u))
            A[i][i] = 1; /* a row that is off reads 0 everywhere: so will its lambda */
        lambda[i] = dot(rows.jacobian_b[i], over_mass(b, f)) + rows.bias[i] - terms[i];
    }
    solve(rows.count, A, lambda);
    spc_rows_forces(&rows, lambda, &F_ground, &F_ball);
    return F_ball;
}

/* Position and orientation move with the mean velocity: exact for constant accelerations. */
static void integrate(my_body *b, spc_spatial a)
{
    const double rate[6] = { a.angular.x, a.angular.y, a.angular.z, a.linear.x, a.linear.y, a.linear.z };
    double mean[6], angle;
    spc_vec3 w;
    int i;
    for (i = 0; i < 6; i++) {
        mean[i] = b->velocity[i] + STEP / 2 * rate[i];
        b->velocity[i] += STEP * rate[i];
    }
    for (i = 0; i < 3; i++)
        b->position[i] += STEP * mean[3 + i];
    w = vec3(mean);
    angle = STEP * spc_norm(w);
    for (i = 0; i < 3 && angle > 0; i++) { /* Rodrigues' formula on each axis */
        const spc_vec3 n = spc_scale(STEP / angle, w), e = vec3(b->axes[i]);
        const spc_vec3 across = spc_scale(sin(angle), spc_cross(n, e));
        const spc_vec3 along = spc_scale((1 - cos(angle)) * spc_dot(n, e), n);
        const spc_vec3 turned = spc_add(spc_add(spc_scale(cos(angle), e), across), along);
        b->axes[i][0] = turned.x;
        b->axes[i][1] = turned.y;
        b->axes[i][2] = turned.z;
    }
}

int main(void)
{
    const double theta = 0.5, r = 0.1, g = 9.81;
    my_body ball = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 0, 0, 0 }, { 0, 0, 0, 0, 0, 0 }, 2, 0 };
    spc_sphere_on_plane shape = spc_sphere_on_plane_default();
    const double wanted = 5.0 / 7 * g * sin(theta), friction = 2.0 / 7 * ball.mass * g * sin(theta);
    spc_vec3 Px, Pz;
    double error = 0;
    int i;

    ball.inertia = 0.4 * ball.mass * r * r;
    shape.radius = r;
    shape.X_FP.q = spc_quat_from_rotation_vector(spc_vec3_make(0, theta, 0)); /* Px points downhill */
    if (spc_sphere_on_plane_check(&shape) != SPC_OK)
        return 1;
    Px = spc_rotate(shape.X_FP.q, spc_vec3_make(1, 0, 0));
    Pz = spc_rotate(shape.X_FP.q, spc_vec3_make(0, 0, 1));
    ball.position[0] = r * Pz.x;
    ball.position[2] = r * Pz.z;
    printf("time [s]  downhill [m]  acceleration [m/s^2]  friction [N]  height error [m]\n");
    for (i = 0; i <= 240; i++) {
        const spc_vec3 weight = spc_vec3_make(0, 0, -ball.mass * g), none = spc_vec3_make(0, 0, 0);
        const spc_spatial f = spc_spatial_make(none, weight), F = contact_force(&ball, &shape, f);
        const spc_spatial a = over_mass(&ball, spc_spatial_make(F.angular, spc_add(weight, F.linear)));
        const double t = i * STEP, x = spc_dot(vec3(ball.position), Px);
        error = fmax(error, fabs(spc_dot(a.linear, Px) - wanted));
        error = fmax(error, fabs(-spc_dot(F.linear, Px) - friction));
        error = fmax(error, fabs(x - wanted / 2 * t * t));
        if (i % 48 == 0)
            printf("%8.3f %13.9f %21.15f %13.9f %17.1e\n", t, x, spc_dot(a.linear, Px),
                   -spc_dot(F.linear, Px), spc_dot(vec3(ball.position), Pz) - r);
        integrate(&ball, a);
    }
    printf("own_engine: %s, 5/7 g sin(theta) to %.1e m/s^2\n", error < TOLERANCE ? "ok" : "WRONG", error);
    return error < TOLERANCE ? 0 : 1;
}
