/* bicycle.c - a bicycle that nobody steers rides by itself, between 4.3 and 6.0 m/s

   The benchmark bicycle: two wheels that roll, a rear frame with a stiff rider, a front frame; the
   axles and the steer axis are hinges. Only lean, steer and speed are free. Near the steady upright
   motion with speed v lean and steer q = (phi, delta), positive to the right, obey

       M q'' + v C1 q' + (g K0 + v^2 K2) q = 0

   with four eigenvalues: caster, which always decays; the weave pair, a swing from side to side,
   which grows below the weave speed; and capsize, a slow fall, which grows above the capsize speed.
   Nobody writes that equation down here: it is measured on the nonlinear model. Then the bicycle
   rides. (Meijaard, Papadopoulos, Ruina & Schwab, "Linearized dynamics equations for the balance
   and steer of a bicycle: a benchmark and review", Proc. R. Soc. A 463 (2007) 1955-1982. For the
   manoeuvres: "Uncontrolled bicycle", IFToMM library of computational benchmark problems; numbers
   of an independent program, tests/oracle/bicycle_iftomm.txt)

   build: cc -O2 examples/bicycle.c -lm -o bicycle
   run:   ./bicycle     or     ./bicycle ride.csv     which logs the manoeuvres
   last line: bicycle: ok, eigenvalues to 3.3e-12, weave 4.292383 m/s, capsize 6.024262 m/s
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NUDGE 0.02   /* where it is measured, beside steady: also half and a quarter [rad, rad/s] */
#define RATE 1000    /* steps of spc_step_rk4 in a second */
#define GAME 240     /* and of spc_step */
#define RIGHTED 1e-3 /* lean after 5 s, of 2.3e-3 before [rad] */
#define FALLEN 0.35  /* [rad] 20 degrees; wheels that never slip would swing on, up to 25 */

/* Bounds. Eigenvalues [1/s]: extrapolation leaves (NUDGE / 2)^6 = 1e-12 of the coefficients, which
   reach 170; rounding of accelerations, 1e-13, over NUDGE / 4 is 2e-11. Speeds [m/s]: eigenvalues
   that change sign do so by more than 0.1 / s for each m/s. Manoeuvres [rad, m/s]: Runge-Kutta's
   error is 2.6e-9 with 500 steps in a second, 1.6e-10 with 1000, 1e-11 with 2000: fourth order; the
   table has 5e-11. Energy, relative: rolling and hinges do no work; Runge-Kutta's error is 1.6e-11
   with 500 steps, 1e-12 with 1000, 9e-14 with 2000. */
#define EIGENVALUES 1e-9
#define SPEEDS (EIGENVALUES / 0.1)
#define MANOEUVRES 5e-10
#define ENERGY 1e-11

enum { REAR_WHEEL, REAR_FRAME, FRONT_FRAME, FRONT_WHEEL, BODIES };
enum { LEAN, LEAN_RATE, STEER_RATE, STEER, STATES }; /* an order that linearize_roughly needs */

/* Upright, with body frames at the centres of mass: x forward, y left, z up. (In the paper y is
   right and z down, so that xz has the other sign.) [kg, m, kg m^2] */
static const struct part {
    double mass, x, z, xx, yy, zz, xz, radius;
} parts[BODIES] = {
    { 2, 0, 0.3, 0.0603, 0.12, 0.0603, 0, 0.3 },
    { 85, 0.3, 0.9, 9.2, 11, 2.8, -2.4, 0 },
    { 4, 0.9, 0.7, 0.05892, 0.06, 0.00708, 0.00756, 0 },
    { 3, 1.02, 0.35, 0.1405, 0.28, 0.1405, 0, 0.35 },
};
static const spc_vec3 forward = { 1, 0, 0 }, left = { 0, 1, 0 };
/* Down the steer axis, which leans back by pi / 10 and has its foot on the ground, 0.08 m before
   the front contact. Steering to the right turns about it, leaning to the right about forward. */
static const spc_vec3 steer_axis = { 0.30901699437494742, 0, -0.95105651629515357 };
static const spc_vec3 steer_foot = { 1.02 + 0.08, 0, 0 };

/* Published, for 0, 1, ..., 10 m/s: caster, capsize, real and imaginary part of the weave pair (at
   0 m/s: its two real eigenvalues) [1/s]. */
static const double eigenvalues[11][4] = {
    { -5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393 },
    { -7.11008014637441, -3.13423125066578, 3.52696170990069, 0.80774027519931 },
    { -8.67387984831737, -3.07158645641514, 2.68234517512745, 1.68066296590676 },
    { -10.3510146724592, -2.63366137253665, 1.70675605663974, 2.31582447384324 },
    { -12.1586142657644, -1.42944427361326, 0.413253315211241, 3.07910818603205 },
    { -14.0783896927982, -0.322866429004087, -0.775341882195842, 4.46486771378822 },
    { -16.0853712309803, -0.00406690076970336, -1.52644486584142, 5.87673060598708 },
    { -18.157884661252, 0.102681705747664, -2.13875644258363, 7.19525913329804 },
    { -20.2794089439457, 0.14327879765713, -2.69348683581095, 8.46037971396934 },
    { -22.4378855904086, 0.157901840309173, -3.21675402252491, 9.69377351531782 },
    { -24.624596350174, 0.161053386531716, -3.72016840437288, 10.9068113947629 },
};
#define WEAVE 4.29238253634110   /* [m/s] */
#define CAPSIZE 6.02426201538836 /* [m/s] */

/* The manoeuvres M1, M2, M3: lean [rad], steer [rad], speed [m/s] after 0.5 s, 1 s, ..., 5 s. */
static const double manoeuvres[3][30] = {
    { 0.0137482715,  0.0191508615,  4.0009163729, -0.0081241839, 0.0027221087,  3.9998895033,
      -0.0258681716, -0.0314361578, 4.0024147452, 0.0079521966,  -0.0078718320, 3.9993509277,
      0.0382714591,  0.0457977746,  4.0048253446, -0.0093356837, 0.0148793771,  3.9983320975,
      -0.0577414749, -0.0669101994, 4.0102570718, 0.0087054218,  -0.0269128452, 3.9964610640,
      0.0842672061,  0.0948286483,  4.0207496216, -0.0047144890, 0.0449609740,  3.9937590151 },
    { 0.1056094344,  0.1305512537,  4.6639985857, -0.0412938697, -0.0399884870, 4.6198236192,
      -0.0191087270, -0.0459016349, 4.6228136614, 0.0561808087,  0.0630973191,  4.6323960212,
      -0.0088048396, -0.0019421588, 4.6203361194, -0.0214271167, -0.0351038970, 4.6244984976,
      0.0266655657,  0.0266386436,  4.6240013654, 0.0036695619,  0.0099307385,  4.6220778566,
      -0.0157066120, -0.0216288519, 4.6234245668, 0.0103424406,  0.0081856710,  4.6224368701 },
    { 0.0025179074, -0.0007240722, 8.0001187259, 0.0038899894, 0.0011543165, 8.0001547400,
      0.0037256364, 0.0005498951,  8.0001441691, 0.0040314896, 0.0006264720, 8.0001475431,
      0.0043545360, 0.0007110623,  8.0001511124, 0.0046702772, 0.0007522757, 8.0001541815,
      0.0050173899, 0.0008083680,  8.0001580194, 0.0053904897, 0.0008691349, 8.0001624538,
      0.0057907144, 0.0009334927,  8.0001675468, 0.0062207915, 0.0010028179, 8.0001734305 },
};

typedef struct bicycle {
    spc_world *world;
    spc_body body[BODIES];
} bicycle;

typedef struct motion {
    double y[STATES];     /* [rad, rad/s]; lean's rate to first order */
    double lean_steer[2]; /* second derivatives, to first order [rad/s^2] */
    double speed;         /* of the rear axle along the rear frame [m/s] */
    double energy;        /* [J] */
} motion;

static void check(spc_status status)
{
    if (status == SPC_OK)
        return;
    fprintf(stderr, "bicycle: %s\n", spc_status_text(status));
    exit(1);
}

/* Not fmax, which overlooks NaN. */
static double larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

/* A body of the bicycle that rides upright and straight. */
static spc_state upright(int i, double speed)
{
    spc_state s = spc_state_identity();
    s.X_GB.p = spc_vec3_make(parts[i].x, 0, parts[i].z);
    s.V_GB.linear.x = speed;
    if (parts[i].radius > 0)
        s.V_GB.angular.y = speed / parts[i].radius;
    return s;
}

static void add_hinge(bicycle *b, int i, int j, spc_vec3 p_G, spc_vec3 axis_G)
{
    const spc_transform X_GA = upright(i, 0).X_GB, X_GB = upright(j, 0).X_GB;
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_constraint constraint;
    hinge.a = b->body[i];
    hinge.b = b->body[j];
    check(spc_attachment_at(&X_GA, &X_GB, p_G, axis_G, SPC_HINGE, &hinge.shape));
    check(spc_attachment_add(b->world, &hinge, &constraint));
}

/* Runge-Kutta with projection needs no stabilization, and the equation should be that without. */
static bicycle make_bicycle(bool stabilized)
{
    spc_world_desc desc = spc_world_desc_default(BODIES, 5);
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default(); /* the floor is the ground */
    spc_constraint constraint;
    bicycle b;
    int i;

    desc.rows = 2 * 3 + 3 * 5; /* wheels and hinges */
    desc.gravity = spc_vec3_make(0, 0, -9.81);
    desc.stabilization.enabled = stabilized;
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &b.world));
    roll.shape.axis_B = left;
    for (i = 0; i < BODIES; i++) {
        const struct part *p = &parts[i];
        const spc_inertia inertia = { p->xx, p->yy, p->zz, 0, p->xz, 0 };
        body.mass.mass = p->mass;
        body.mass.inertia = inertia;
        body.state = upright(i, 0);
        check(spc_body_add(b.world, &body, &b.body[i]));
        roll.disc = b.body[i];
        roll.shape.radius = p->radius;
        if (p->radius > 0)
            check(spc_rolling_disc_add(b.world, &roll, &constraint));
    }
    add_hinge(&b, REAR_FRAME, REAR_WHEEL, upright(REAR_WHEEL, 0).X_GB.p, left);
    add_hinge(&b, FRONT_FRAME, FRONT_WHEEL, upright(FRONT_WHEEL, 0).X_GB.p, left);
    add_hinge(&b, REAR_FRAME, FRONT_FRAME, steer_foot, steer_axis);
    return b;
}

/* Turns a body about a line, by an angle and on with a rate. */
static void turn(spc_state *s, spc_vec3 axis, spc_vec3 foot, double angle, double rate)
{
    const spc_quat q = spc_quat_from_rotation_vector(spc_scale(angle, axis));
    const spc_vec3 w = spc_scale(rate, axis);
    const spc_vec3 arm = spc_rotate(q, spc_sub(s->X_GB.p, foot));
    s->X_GB = spc_transform_make(spc_quat_mul(q, s->X_GB.q), spc_add(foot, arm));
    s->V_GB.angular = spc_add(spc_rotate(q, s->V_GB.angular), w);
    s->V_GB.linear = spc_add(spc_rotate(q, s->V_GB.linear), spc_cross(w, arm));
}

/* A motion near the upright one. Leaning about the line through both contact points fits the
   constraints as it is. Steering does not: it lifts the front wheel and points it elsewhere than it
   goes. Poses and velocities are then made to fit, which changes y: measure tells what it is. */
static void set_motion(const bicycle *b, double speed, const double *y)
{
    int i;
    for (i = 0; i < BODIES; i++) {
        spc_state s = upright(i, speed);
        if (i == FRONT_FRAME || i == FRONT_WHEEL)
            turn(&s, steer_axis, steer_foot, y[STEER], y[STEER_RATE]);
        turn(&s, forward, spc_vec3_make(0, 0, 0), y[LEAN], y[LEAN_RATE]);
        check(spc_body_set_pose(b->world, b->body[i], s.X_GB));
        check(spc_body_set_velocity(b->world, b->body[i], s.V_GB));
    }
    check(spc_world_assemble(b->world, 1e-13, NULL));
    check(spc_world_project_velocities(b->world));
    check(spc_world_forward_dynamics(b->world)); /* for the accelerations */
}

static motion measure(const bicycle *b)
{
    spc_state rear, front, wheel;
    spc_spatial A_rear, A_front;
    spc_energy_momentum e;
    spc_vec3 axis;
    spc_quat q;
    motion m;

    check(spc_body_get_state(b->world, b->body[REAR_WHEEL], &wheel));
    check(spc_body_get_state(b->world, b->body[REAR_FRAME], &rear));
    check(spc_body_get_state(b->world, b->body[FRONT_FRAME], &front));
    check(spc_body_get_acceleration(b->world, b->body[REAR_FRAME], &A_rear));
    check(spc_body_get_acceleration(b->world, b->body[FRONT_FRAME], &A_front));
    check(spc_world_get_energy_momentum(b->world, &e));
    m.energy = e.kinetic + e.potential;
    m.speed = spc_dot(wheel.V_GB.linear, spc_rotate(rear.X_GB.q, forward));
    m.y[LEAN] = asin(spc_rotate(rear.X_GB.q, left).z);
    m.y[LEAN_RATE] = rear.V_GB.angular.x;
    m.lean_steer[0] = A_rear.angular.x;
    /* The front frame moves against the rear frame about the axis alone. */
    axis = spc_rotate(rear.X_GB.q, steer_axis);
    q = spc_quat_mul(spc_quat_conjugate(rear.X_GB.q), front.X_GB.q);
    m.y[STEER] = 2 * atan(spc_dot(spc_vec3_make(q.x, q.y, q.z), steer_axis) / q.w);
    m.y[STEER_RATE] = spc_dot(spc_sub(front.V_GB.angular, rear.V_GB.angular), axis);
    m.lean_steer[1] = spc_dot(spc_sub(A_front.angular, A_rear.angular), axis);
    return m;
}

/* A of q'' = A y, from four motions. Each has nothing of those that come after it in y (rates do
   not move poses, a lean stays a lean), so that one column of A follows after the other. */
static void linearize_roughly(const bicycle *b, double speed, double nudge, double A[2][STATES])
{
    int i, j, k;
    for (k = 0; k < STATES; k++) {
        double y[STATES] = { 0, 0, 0, 0 };
        motion m;
        y[k] = nudge;
        set_motion(b, speed, y);
        m = measure(b);
        for (i = 0; i < 2; i++) {
            A[i][k] = m.lean_steer[i];
            for (j = 0; j < k; j++)
                A[i][k] -= A[i][j] * m.y[j];
            A[i][k] /= m.y[k];
        }
    }
}

/* Left and right are alike, so that the error has even powers of the nudge alone; three nudges
   cancel the second and the fourth (Richardson). */
static void linearize(const bicycle *b, double speed, double A[2][STATES])
{
    double A2[2][STATES], A4[2][STATES];
    int i, k;
    linearize_roughly(b, speed, NUDGE, A);
    linearize_roughly(b, speed, NUDGE / 2, A2);
    linearize_roughly(b, speed, NUDGE / 4, A4);
    for (i = 0; i < 2; i++)
        for (k = 0; k < STATES; k++)
            A[i][k] = (64 * A4[i][k] - 20 * A2[i][k] + A[i][k]) / 45;
}

/* Eigenvalues at a speed, as in the table: the roots of det(s^2 - s P - Q) = s^4 + c[3] s^3 + ...,
   where A's columns for the rates are in P and the others in Q. */
static void find_eigenvalues(const bicycle *b, double speed, double *e)
{
    double A[2][STATES], c[4], s = -100, low = -100, high = 100, half, rest;
    const double *p = A[0], *r = A[1];
    int i;

    linearize(b, speed, A);
    c[3] = -(p[LEAN_RATE] + r[STEER_RATE]);
    c[2] = (p[LEAN_RATE] * r[STEER_RATE] - p[STEER_RATE] * r[LEAN_RATE]) - (p[LEAN] + r[STEER]);
    c[1] = (p[LEAN_RATE] * r[STEER] + r[STEER_RATE] * p[LEAN]) -
           (p[STEER_RATE] * r[LEAN] + r[LEAN_RATE] * p[STEER]);
    c[0] = p[LEAN] * r[STEER] - p[STEER] * r[LEAN];
    /* Caster is the leftmost root: from the left of all roots Newton's method cannot miss it. */
    for (i = 0; i < 60; i++)
        s -= ((((s + c[3]) * s + c[2]) * s + c[1]) * s + c[0]) /
             (((4 * s + 3 * c[3]) * s + 2 * c[2]) * s + c[1]);
    e[0] = s;
    c[3] += s; /* divided by s - caster: a cubic, which changes sign at capsize */
    c[2] += s * c[3];
    c[1] += s * c[2];
    for (i = 0; i < 60; i++) {
        s = (low + high) / 2;
        if (((s + c[3]) * s + c[2]) * s + c[1] > 0)
            high = s;
        else
            low = s;
    }
    e[1] = s;
    half = -(c[3] + s) / 2; /* divided by s - capsize: (s - half)^2 = rest */
    rest = half * half - (c[2] + s * (c[3] + s));
    e[2] = rest < 0 ? half : half - sqrt(rest);
    e[3] = rest < 0 ? sqrt(-rest) : half + sqrt(rest);
}

/* The speed between two others at which the real part of an eigenvalue changes sign. */
static double critical_speed(const bicycle *b, int which, double stable, double unstable)
{
    double e[4];
    int i;
    for (i = 0; i < 40; i++) {
        const double middle = (stable + unstable) / 2;
        find_eigenvalues(b, middle, e);
        if (e[which] < 0)
            stable = middle;
        else
            unstable = middle;
    }
    return stable;
}

/* Prints the eigenvalues beside the published ones; returns the largest difference. */
static double compare_eigenvalues(const bicycle *b)
{
    const double zero[STATES] = { 0, 0, 0, 0 };
    double worst = 0, unsteady = 0, e[4];
    spc_spatial A;
    int v, i;

    printf("eigenvalues [1/s], each beside the published one\n"
           "m/s        caster               capsize           weave, real             imaginary\n");
    for (v = 0; v <= 10; v++) {
        find_eigenvalues(b, v, e);
        printf("%2d", v);
        for (i = 0; i < 4; i++) {
            printf(" %10.5f %10.5f", e[i], eigenvalues[v][i]);
            worst = larger(worst, fabs(e[i] - eigenvalues[v][i]));
        }
        set_motion(b, v, zero); /* steady? */
        for (i = 0; i < BODIES; i++) {
            check(spc_body_get_acceleration(b->world, b->body[i], &A));
            unsteady = larger(unsteady, larger(spc_norm(A.angular), spc_norm(A.linear)));
        }
        printf("\n");
    }
    printf("to %.1e; accelerations of the steady motion below %.1e\n", worst, unsteady);
    return worst;
}

typedef struct ride {
    double speed, lean_rate; /* at the start, upright [m/s, rad/s] */
    int rate;                /* steps in a second */
    const double *table;     /* for 5 s; NULL: 10 s, or until it falls */
    double least, most;      /* lean after 5 s, or after the fall [rad] */
} ride;

/* Rides; returns whether lean, energy and the table are as they should be. */
static bool run(const ride *r, FILE *log)
{
    const bicycle b = make_bicycle(r->rate == GAME);
    double y[STATES] = { 0, 0, 0, 0 }, off[3] = { 0, 0, 0 }, late = 0, change = 0, start, t = 0;
    int i, k;

    y[LEAN_RATE] = r->lean_rate;
    set_motion(&b, r->speed, y);
    start = measure(&b).energy;
    for (i = 0; i <= (r->table ? 5 : 10) * r->rate && late < FALLEN; i++) {
        const motion m = measure(&b);
        const double now[3] = { m.y[LEAN], m.y[STEER], m.speed };
        t = (double)i / r->rate;
        change = larger(change, fabs(m.energy / start - 1));
        if (t >= 5 || fabs(now[0]) > FALLEN)
            late = larger(late, fabs(now[0]));
        for (k = 0; k < 3 && r->table && i > 0 && 2 * i % r->rate == 0; k++)
            off[k] = larger(off[k], fabs(now[k] - r->table[3 * (2 * i / r->rate - 1) + k]));
        if (log && r->table && i % 10 == 0)
            fprintf(log, "%g,%g,%.12f,%.12f,%.12f\n", r->speed, t, now[0], now[1], now[2]);
        check(r->rate == GAME ? spc_step(b.world, 1.0 / r->rate)
                              : spc_step_rk4(b.world, 1.0 / r->rate, SPC_DRIFT_PROJECT));
    }
    free(b.world);
    printf("%5.1f %9.2f %8d %7.1f %10.5f %9.1e", r->speed, r->lean_rate, r->rate, t, late, change);
    if (r->table)
        printf(" %8.1e %8.1e %8.1e", off[0], off[1], off[2]);
    printf("\n");
    return late >= r->least && late <= r->most && (r->rate == GAME || change < ENERGY) &&
           larger(larger(off[0], off[1]), off[2]) < MANOEUVRES;
}

int main(int argc, char **argv)
{
    const ride rides[] = {
        { 4.6, 0.01, RATE, NULL, 0, RIGHTED },         { 4.6, 0.01, GAME, NULL, 0, RIGHTED },
        { 3.5, 0.01, RATE, NULL, FALLEN, 2 * FALLEN }, { 4, 0.05, RATE, manoeuvres[0], 0, FALLEN },
        { 4.6, 0.5, RATE, manoeuvres[1], 0, FALLEN },  { 8, 0.05, RATE, manoeuvres[2], 0, FALLEN },
    };
    const bicycle b = make_bicycle(false);
    const double eigen = compare_eigenvalues(&b);
    const double weave = critical_speed(&b, 2, 5, 4), capsize = critical_speed(&b, 1, 5, 7);
    const double off = larger(fabs(weave - WEAVE), fabs(capsize - CAPSIZE));
    FILE *log = argc > 1 ? fopen(argv[1], "w") : NULL;
    bool ok = eigen < EIGENVALUES && off < SPEEDS && (log || argc < 2);
    int i;

    free(b.world);
    if (log)
        fprintf(log, "manoeuvre [m/s],time [s],lean [rad],steer [rad],speed [m/s]\n");
    printf("weave and capsize speed to %.1e m/s\n\n"
           "rides: first it rights itself, also with spc_step; slower it falls; M1, M2, M3\n"
           "  m/s  lean rate steps/s  end [s] lean [rad]  energy   off by: lean, steer, speed\n",
           off);
    for (i = 0; i < 6; i++)
        ok = run(&rides[i], log) && ok;
    ok = (!log || fclose(log) == 0) && ok;
    printf("bicycle: %s, eigenvalues to %.1e, weave %.6f m/s, capsize %.6f m/s\n",
           ok ? "ok" : "WRONG", eigen, weave, capsize);
    return ok ? 0 : 1;
}
