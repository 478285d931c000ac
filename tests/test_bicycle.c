/* The benchmark bicycle of Meijaard, Papadopoulos, Ruina and Schwab (Proc. R. Soc. A 463 (2007)
   1955-1982): near the steady upright motion with speed v lean and steer q = (phi, delta), positive
   to the right, obey

       M q'' + v C1 q' + (g K0 + v^2 K2) q = 0

   with four eigenvalues: caster, which always decays; the weave pair, a swing from side to side,
   which grows below the weave speed; and capsize, a slow fall, which grows above the capsize speed.
   Nobody writes that equation down here: it is measured on the nonlinear model, that of scenes.h.
   Then the bicycle rides. (The manoeuvres are "Uncontrolled bicycle" of the IFToMM library of
   computational benchmark problems; numbers of an independent program,
   tests/oracle/bicycle_iftomm.txt.) */
#include "scenes.h"

#include "test.h"

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
   with 500 steps, 1e-12 with 1000, 9e-14 with 2000. In single precision each of 5000 steps rounds
   poses by 3e-8 and the energy by 6e-8, all one way 1.5e-4 and 3e-4; three times that. */
#define EIGENVALUES 1e-9
#define SPEEDS (EIGENVALUES / 0.1)
#define MANOEUVRES IN_DOUBLE_OR_FLOAT(5e-10, 5e-4)
#define ENERGY IN_DOUBLE_OR_FLOAT(1e-11, 1e-3)

enum { REAR_WHEEL, REAR_FRAME, FRONT_FRAME, FRONT_WHEEL, BODIES };
enum { LEAN, LEAN_RATE, STEER_RATE, STEER, STATES }; /* an order that linearize_roughly needs */

static const spc_vec3 forward = { 1, 0, 0 }, left = { 0, 1, 0 };
/* Down the steer axis, which leans back by pi / 10 and has its foot on the ground, 0.08 m before
   the front contact. Steering to the right turns about it, leaning to the right about forward. */
static const spc_vec3 steer_axis = { SPC_R(0.30901699437494742), 0, SPC_R(-0.95105651629515357) };
static const spc_vec3 steer_foot = { SPC_R(1.1), 0, 0 };

#ifndef SPC_USE_FLOAT
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
#endif

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

typedef struct motion {
    double y[STATES];     /* [rad, rad/s]; lean's rate to first order */
    double lean_steer[2]; /* second derivatives, to first order [rad/s^2] */
    double speed;         /* of the rear axle along the rear frame [m/s] */
    double energy;        /* [J] */
} motion;

/* Upright, at rest. Runge-Kutta with projection needs no stabilization, and the equation should be
   that without. */
static scene make_bicycle(bool stabilized)
{
    spc_stabilization off = spc_stabilization_default();
    scene s;
    int i;
    off.enabled = false;
    scene_bicycle_at(&s, 0, 0);
    for (i = 0; i < s.constraints && !stabilized; i++)
        CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.constraint[i], &off), SPC_OK);
    return s;
}

/* A body of the bicycle that rides upright and straight. */
static spc_state upright(const scene *s, int i, double speed)
{
    spc_rolling_disc disc;
    spc_state state = spc_state_identity();
    state.X_GB.p = scene_bicycle_place(i);
    state.V_GB.linear.x = real(speed);
    if (i == REAR_WHEEL || i == FRONT_WHEEL) {
        CHECK_STATUS(spc_rolling_disc_get(s->world, s->constraint[i == FRONT_WHEEL], &disc),
                     SPC_OK);
        state.V_GB.angular.y = real(speed) / disc.radius;
    }
    return state;
}

/* Turns a body about a line, by an angle and on with a rate. */
static void turn(spc_state *s, spc_vec3 axis, spc_vec3 foot, double angle, double rate)
{
    const spc_quat q = spc_quat_from_rotation_vector(spc_scale(real(angle), axis));
    const spc_vec3 w = spc_scale(real(rate), axis);
    const spc_vec3 arm = spc_rotate(q, spc_sub(s->X_GB.p, foot));
    s->X_GB = spc_transform_make(spc_quat_mul(q, s->X_GB.q), spc_add(foot, arm));
    s->V_GB.angular = spc_add(spc_rotate(q, s->V_GB.angular), w);
    s->V_GB.linear = spc_add(spc_rotate(q, s->V_GB.linear), spc_cross(w, arm));
}

/* A motion near the upright one. Leaning about the line through both contact points fits the
   constraints as it is. Steering does not: it lifts the front wheel and points it elsewhere than it
   goes. Poses and velocities are then made to fit, which changes y: measure tells what it is. */
static void set_motion(const scene *s, double speed, const double *y)
{
    int i;
    for (i = 0; i < BODIES; i++) {
        spc_state body = upright(s, i, speed);
        if (i == FRONT_FRAME || i == FRONT_WHEEL)
            turn(&body, steer_axis, steer_foot, y[STEER], y[STEER_RATE]);
        turn(&body, forward, zero, y[LEAN], y[LEAN_RATE]);
        CHECK_STATUS(spc_body_set_pose(s->world, s->body[i], body.X_GB), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(s->world, s->body[i], body.V_GB), SPC_OK);
    }
    CHECK_STATUS(spc_world_assemble(s->world, real(200 * TEST_EPSILON), NULL), SPC_OK);
    CHECK_STATUS(spc_world_project_velocities(s->world), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s->world), SPC_OK); /* for the accelerations */
}

static motion measure(const scene *s)
{
    spc_state rear, front, wheel;
    spc_spatial A_rear, A_front;
    spc_energy_momentum e;
    spc_vec3 axis;
    spc_quat q;
    motion m;

    CHECK_STATUS(spc_body_get_state(s->world, s->body[REAR_WHEEL], &wheel), SPC_OK);
    CHECK_STATUS(spc_body_get_state(s->world, s->body[REAR_FRAME], &rear), SPC_OK);
    CHECK_STATUS(spc_body_get_state(s->world, s->body[FRONT_FRAME], &front), SPC_OK);
    CHECK_STATUS(spc_body_get_acceleration(s->world, s->body[REAR_FRAME], &A_rear), SPC_OK);
    CHECK_STATUS(spc_body_get_acceleration(s->world, s->body[FRONT_FRAME], &A_front), SPC_OK);
    CHECK_STATUS(spc_world_get_energy_momentum(s->world, &e), SPC_OK);
    m.energy = (double)e.kinetic + (double)e.potential;
    m.speed = dot(wheel.V_GB.linear, spc_rotate(rear.X_GB.q, forward));
    m.y[LEAN] = asin((double)spc_rotate(rear.X_GB.q, left).z);
    m.y[LEAN_RATE] = (double)rear.V_GB.angular.x;
    m.lean_steer[0] = (double)A_rear.angular.x;
    /* The front frame moves against the rear frame about the axis alone. */
    axis = spc_rotate(rear.X_GB.q, steer_axis);
    q = spc_quat_mul(spc_quat_conjugate(rear.X_GB.q), front.X_GB.q);
    m.y[STEER] = 2 * atan(dot(spc_vec3_make(q.x, q.y, q.z), steer_axis) / (double)q.w);
    m.y[STEER_RATE] = dot(spc_sub(front.V_GB.angular, rear.V_GB.angular), axis);
    m.lean_steer[1] = dot(spc_sub(A_front.angular, A_rear.angular), axis);
    return m;
}

#ifndef SPC_USE_FLOAT /* differences of single numbers tell nothing */

/* A of q'' = A y, from four motions. Each has nothing of those that come after it in y (rates do
   not move poses, a lean stays a lean), so that one column of A follows after the other. */
static void linearize_roughly(const scene *s, double speed, double nudge, double A[2][STATES])
{
    int i, j, k;
    for (k = 0; k < STATES; k++) {
        double y[STATES] = { 0, 0, 0, 0 };
        motion m;
        y[k] = nudge;
        set_motion(s, speed, y);
        m = measure(s);
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
static void linearize(const scene *s, double speed, double A[2][STATES])
{
    double A2[2][STATES], A4[2][STATES];
    int i, k;
    linearize_roughly(s, speed, NUDGE, A);
    linearize_roughly(s, speed, NUDGE / 2, A2);
    linearize_roughly(s, speed, NUDGE / 4, A4);
    for (i = 0; i < 2; i++)
        for (k = 0; k < STATES; k++)
            A[i][k] = (64 * A4[i][k] - 20 * A2[i][k] + A[i][k]) / 45;
}

/* Eigenvalues at a speed, as in the table: the roots of det(s^2 - s P - Q) = s^4 + c[3] s^3 + ...,
   where A's columns for the rates are in P and the others in Q. */
static void find_eigenvalues(const scene *s, double speed, double *e)
{
    double A[2][STATES], c[4], root = -100, low = -100, high = 100, half, rest;
    const double *p = A[0], *r = A[1];
    int i;

    linearize(s, speed, A);
    c[3] = -(p[LEAN_RATE] + r[STEER_RATE]);
    c[2] = (p[LEAN_RATE] * r[STEER_RATE] - p[STEER_RATE] * r[LEAN_RATE]) - (p[LEAN] + r[STEER]);
    c[1] = (p[LEAN_RATE] * r[STEER] + r[STEER_RATE] * p[LEAN]) -
           (p[STEER_RATE] * r[LEAN] + r[LEAN_RATE] * p[STEER]);
    c[0] = p[LEAN] * r[STEER] - p[STEER] * r[LEAN];
    /* Caster is the leftmost root: from the left of all roots Newton'root method cannot miss it. */
    for (i = 0; i < 60; i++)
        root -= ((((root + c[3]) * root + c[2]) * root + c[1]) * root + c[0]) /
                (((4 * root + 3 * c[3]) * root + 2 * c[2]) * root + c[1]);
    e[0] = root;
    c[3] += root; /* divided by s - caster: a cubic, which changes sign at capsize */
    c[2] += root * c[3];
    c[1] += root * c[2];
    for (i = 0; i < 60; i++) {
        root = (low + high) / 2;
        if (((root + c[3]) * root + c[2]) * root + c[1] > 0)
            high = root;
        else
            low = root;
    }
    e[1] = root;
    half = -(c[3] + root) / 2; /* divided by s - capsize: (s - half)^2 = rest */
    rest = half * half - (c[2] + root * (c[3] + root));
    e[2] = rest < 0 ? half : half - sqrt(rest);
    e[3] = rest < 0 ? sqrt(-rest) : half + sqrt(rest);
}

/* The speed between two others at which the real part of an eigenvalue changes sign. */
static double critical_speed(const scene *s, int which, double stable, double unstable)
{
    double e[4];
    int i;
    for (i = 0; i < 40; i++) {
        const double middle = (stable + unstable) / 2;
        find_eigenvalues(s, middle, e);
        if (e[which] < 0)
            stable = middle;
        else
            unstable = middle;
    }
    return stable;
}

static void eigenvalues_are_the_published_ones(void)
{
    const double still[STATES] = { 0, 0, 0, 0 };
    scene s = make_bicycle(false);
    double e[4];
    int v, i;
    for (v = 0; v <= 10; v++) {
        find_eigenvalues(&s, v, e);
        for (i = 0; i < 4; i++)
            CHECK_NEAR(e[i], eigenvalues[v][i], EIGENVALUES);
        set_motion(&s, v, still);
        for (i = 0; i < BODIES; i++) { /* steady, but for the rounding of accelerations */
            spc_spatial A;
            CHECK_STATUS(spc_body_get_acceleration(s.world, s.body[i], &A), SPC_OK);
            CHECK_NEAR(length(A.angular) + length(A.linear), 0, 1e-11);
        }
    }
    scene_end(&s);
}

static void weave_and_capsize_speeds_are_the_published_ones(void)
{
    scene s = make_bicycle(false);
    CHECK_NEAR(critical_speed(&s, 2, 5, 4), WEAVE, SPEEDS);
    CHECK_NEAR(critical_speed(&s, 1, 5, 7), CAPSIZE, SPEEDS);
    scene_end(&s);
}

#endif

typedef struct ride {
    double speed, lean_rate; /* at the start, upright [m/s, rad/s] */
    int rate;                /* steps in a second */
    const double *table;     /* for 5 s; NULL: 10 s, or until it falls */
    double least, most;      /* lean after 5 s, or after the fall [rad] */
} ride;

/* Lean, steer and speed at a row of a manoeuvre. */
static void check_row(const motion *m, const double *row)
{
    CHECK_NEAR(m->y[LEAN], row[0], MANOEUVRES);
    CHECK_NEAR(m->y[STEER], row[1], MANOEUVRES);
    CHECK_NEAR(m->speed, row[2], MANOEUVRES);
}

static void check_ride(const ride *r)
{
    scene s = make_bicycle(r->rate == GAME);
    const spc_real h = real(1.0 / r->rate);
    double y[STATES] = { 0, 0, 0, 0 }, late = 0, change = 0, start;
    int i;
    y[LEAN_RATE] = r->lean_rate;
    set_motion(&s, r->speed, y);
    start = measure(&s).energy;
    for (i = 0; i <= (r->table ? 5 : 10) * r->rate && late < FALLEN; i++) {
        const motion m = measure(&s);
        note(&change, m.energy / start - 1);
        if (i >= 5 * r->rate || fabs(m.y[LEAN]) > FALLEN)
            note(&late, m.y[LEAN]);
        if (r->table && i > 0 && 2 * i % r->rate == 0)
            check_row(&m, &r->table[3 * (2 * i / r->rate - 1)]);
        CHECK_STATUS(r->rate == GAME ? spc_step(s.world, h)
                                     : spc_step_rk4(s.world, h, SPC_DRIFT_PROJECT),
                     SPC_OK);
    }
    CHECK(late >= r->least && late <= r->most);
    if (r->rate != GAME)
        CHECK_NEAR(change, 0, ENERGY);
    scene_end(&s);
}

/* Between the weave and the capsize speed it rights itself, also with spc_step; slower it falls. */
static void a_bicycle_rights_itself_or_falls(void)
{
    static const ride rides[] = {
        { 4.6, 0.01, RATE, NULL, 0, RIGHTED },
        { 4.6, 0.01, GAME, NULL, 0, RIGHTED },
        { 3.5, 0.01, RATE, NULL, FALLEN, 2 * FALLEN },
    };
    int i;
    for (i = 0; i < 3; i++)
        check_ride(&rides[i]);
}

static void manoeuvres_are_those_of_an_independent_program(void)
{
    static const ride rides[] = {
        { 4, 0.05, RATE, manoeuvres[0], 0, FALLEN },
        { 4.6, 0.5, RATE, manoeuvres[1], 0, FALLEN },
        { 8, 0.05, RATE, manoeuvres[2], 0, FALLEN },
    };
    int i;
    for (i = 0; i < 3; i++)
        check_ride(&rides[i]);
}

static const test_entry tests[] = {
#ifndef SPC_USE_FLOAT
    TEST(eigenvalues_are_the_published_ones),
    TEST(weave_and_capsize_speeds_are_the_published_ones),
#endif
    TEST(a_bicycle_rights_itself_or_falls),
    TEST(manoeuvres_are_those_of_an_independent_program),
};

TEST_MAIN
