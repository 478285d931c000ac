/* wagon.c - four wheels on a chassis: straight on, then round in a circle, with redundant rows

   Each wheel is a rolling disc on a hinge: 30 coordinates under 4 (3 + 5) = 32 rows, and yet the
   wagon goes, for 3 rows are redundant. Four legs stand where three would do, and of two wheels on
   an axle one would keep it from sliding sideways. Multipliers of least norm are loads of least
   norm: with the wheels at x_i = +-a, y_i = +-b, the mass m in all, its centre at (e_x, e_y)

       N_i = (m g / 4) (1 + x_i e_x / a^2 + y_i e_y / b^2)

   which balances and has nothing of (1, -1, -1, 1), the loads that balance among themselves. To
   steer, the front hinges get axes that meet the line of the rear axle in one point, the condition
   of Ackermann; all wheels roll about it. With the angle delta of a single wheel in the middle of
   the front the rear axle's centre is at R = 2 a / tan(delta) from it. (Jazar, Vehicle Dynamics)

   build: cc -O2 examples/wagon.c -lm -o wagon
   last line: wagon: ok, circle of 5.5 m to 9.3e-09 m, loads to 4.4e-15
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define GRAVITY 9.81  /* [m/s^2] */
#define RADIUS 0.3    /* of the wheels [m] */
#define WHEEL 8.0     /* mass of each [kg] */
#define CHASSIS 100.0 /* its mass [kg] */
#define SPEED 2.0     /* [m/s] */
#define DELTA 0.35    /* [rad] */
#define STEPS 1000    /* for 20 m straight on, and for half of the circle */

/* From the chassis' middle, in height of the axles, to wheels and chassis' mass centre [m]. */
#define BASE 1.0  /* a */
#define TRACK 0.6 /* b */
static const double x_of[4] = { BASE, BASE, -BASE, -BASE },
                    y_of[4] = { TRACK, -TRACK, TRACK, -TRACK };
static const spc_vec3 load = { -0.3, 0.1, 0.4 };

#define LOADS 3e-14    /* relative: eliminating 32 rows, 8 roundings of 1.1e-16 each */
#define STRAIGHT 2e-12 /* [m]: 1000 sums below 32 m, rounded by 1.8e-15 m, all of them one way */
/* Relative. Runge-Kutta turns a wheel by x = v h / r = 0.06 in a step with the error x^5 / 120; the
   part psi' r / v of that tilts its axle: 2 pi x^4 / 120 = 7e-7 rad in the circle. Projection sets
   it right and turns the wagon as much as the wheels' part in the moment of inertia about the
   vertical, 4 x 0.18 of 90 kg m^2. */
#define CIRCLE 6e-9

static void check(spc_status status)
{
    if (status == SPC_OK)
        return;
    fprintf(stderr, "wagon: %s\n", spc_status_text(status));
    exit(1);
}

typedef struct wagon {
    spc_world *world;
    spc_body chassis; /* its origin: between the wheels' centres */
    spc_constraint hinge[4], contact[4];
} wagon;

static wagon make_wagon(void)
{
    const spc_vec3 left = spc_vec3_make(0, 1, 0);
    spc_world_desc desc = spc_world_desc_default(5, 8);
    spc_body_desc body = spc_body_desc_default();
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    wagon w;
    int i;

    desc.gravity = spc_vec3_make(0, 0, -GRAVITY);
    desc.rows = 4 * (3 + 5);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &w.world));
    body.state.X_GB.p = spc_vec3_make(0, 0, RADIUS);
    body.state.V_GB.linear = spc_vec3_make(SPEED, 0, 0);
    body.mass = spc_mass_box(CHASSIS, spc_vec3_make(BASE, TRACK, 0.2));
    body.mass.p_BBc = load;
    check(spc_body_add(w.world, &body, &w.chassis));
    body.mass = spc_mass_disc(WHEEL, RADIUS); /* its axis is the body's z, turned to the left */
    check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), left, &body.state.X_GB.q));
    body.state.V_GB.angular = spc_scale(SPEED / RADIUS, left);
    roll.shape.axis_B = spc_vec3_make(0, 0, 1);
    roll.shape.radius = RADIUS;
    hinge.a = w.chassis;
    hinge.keep_pose = true; /* the frame M on the wheel follows from the one on the chassis, F */
    hinge.shape.locked = SPC_HINGE;
    hinge.shape.X_AF.q = body.state.X_GB.q;
    for (i = 0; i < 4; i++) {
        hinge.shape.X_AF.p = spc_vec3_make(x_of[i], y_of[i], 0);
        body.state.X_GB.p = spc_vec3_make(x_of[i], y_of[i], RADIUS);
        check(spc_body_add(w.world, &body, &hinge.b));
        check(spc_attachment_add(w.world, &hinge, &w.hinge[i]));
        roll.disc = hinge.b;
        check(spc_rolling_disc_add(w.world, &roll, &w.contact[i]));
    }
    return w;
}

/* Largest relative error of the wheels' loads. */
static double compare_loads(const wagon *w)
{
    const double m = CHASSIS + 4 * WHEEL, k = CHASSIS * GRAVITY / 4;
    spc_contact_force f;
    double error = 0, N;
    int i;
    check(spc_world_forward_dynamics(w->world));
    for (i = 0; i < 4; i++) {
        check(spc_constraint_get_forces(w->world, w->contact[i], &f));
        N = m * GRAVITY / 4 + k * load.x / x_of[i] + k * load.y / y_of[i]; /* x_i / a^2 = 1 / x_i */
        printf("wheel at %4.1f, %4.1f m: %9.4f N, expected %9.4f N\n", x_of[i], y_of[i],
               f.force_P.z, N);
        error = fmax(error, fabs(f.force_P.z / N - 1));
    }
    return error;
}

/* Turns the front hinges in the chassis, so that the wheels follow, then everything's velocity. */
static void steer(const wagon *w, double R)
{
    spc_attachment shape;
    int i;
    for (i = 0; i < 2; i++) {
        const spc_vec3 to_centre = spc_vec3_make(-2 * BASE, R - y_of[i], 0);
        check(spc_attachment_get(w->world, w->hinge[i], &shape));
        check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), to_centre, &shape.X_AF.q));
        check(spc_attachment_set(w->world, w->hinge[i], &shape));
    }
    check(spc_world_assemble(w->world, 1e-13, NULL));
    check(spc_world_project_velocities(w->world));
}

/* Drives for a time; returns where the middle of the rear axle is then. */
static spc_vec3 drive(const wagon *w, double time)
{
    spc_state s;
    int i;
    for (i = 0; i < STEPS; i++)
        check(spc_step_rk4(w->world, time / STEPS, SPC_DRIFT_PROJECT));
    check(spc_body_get_state(w->world, w->chassis, &s));
    printf("at %9.6f, %9.6f m, heading %9.6f, %9.6f\n", s.X_GB.p.x, s.X_GB.p.y,
           spc_mat3_from_quat(s.X_GB.q).x.x, spc_mat3_from_quat(s.X_GB.q).x.y);
    return spc_transform_point(s.X_GB, spc_vec3_make(-BASE, 0, 0));
}

int main(void)
{
    const double R = 2 * BASE / tan(DELTA);
    const wagon w = make_wagon();
    const double loads = compare_loads(&w);
    spc_vec3 p = drive(&w, 20 / SPEED), start, half;
    const double off = hypot(p.x - (20 - BASE), p.y);
    spc_energy_momentum before, after;
    double wide, back, energy;
    spc_state s;
    int ok;
    steer(&w, R);
    check(spc_world_get_energy_momentum(w.world, &before));
    check(spc_body_get_state(w.world, w.chassis, &s));
    start = spc_transform_point(s.X_GB, spc_vec3_make(-BASE, 0, 0));
    half = drive(&w, PI / s.V_GB.angular.z);
    p = drive(&w, PI / s.V_GB.angular.z);
    wide = fabs(spc_norm(spc_sub(half, start)) - 2 * R);
    back = spc_norm(spc_sub(p, start));
    check(spc_world_get_energy_momentum(w.world, &after));
    energy = fabs(after.kinetic / before.kinetic - 1);
    ok = loads < LOADS && off < STRAIGHT && fmax(wide, back) < CIRCLE * 2 * R && energy < CIRCLE;
    printf("straight to %.1e m, diameter to %.1e m, energy to %.1e\n", off, wide, energy);
    printf("wagon: %s, circle of %.1f m to %.1e m, loads to %.1e\n", ok ? "ok" : "WRONG", R, back,
           loads);
    free(w.world);
    return ok ? 0 : 1;
}
