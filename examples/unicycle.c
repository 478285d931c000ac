/* unicycle.c - a wheel and a rider above it: falls by itself, stands and drives under control

   The wheel rolls on the ground, the rider sits on its axle. Two controllers act on them: a motor
   turns the wheel forward with tau and the rider back with -tau; and a gyro in the rider's seat,
   which is not modelled, turns the rider alone, sideways and about the vertical. With the masses
   m_w and m, the rider's centre of mass at l above the axle, and the moments of inertia C of the
   wheel about the axle and J of the rider, small pitch and forward speed v obey

       M v' + P pitch'' = tau / r,    P v' + K pitch'' = P g pitch - tau
       M = m_w + m + C / r^2,    P = m l,    K = J + m l^2,    D = M K - P^2

   Without control pitch grows as exp(t sqrt(M P g / D)), here 7.4 / s; the gains of

       tau = k[0] pitch + k[1] pitch' + k[2] (v - v_wanted)

   place the three poles at -p, -2 p, -3 p: k follows from the characteristic polynomial.

   The wheel's bearing is an attachment that locks everything but the turn about the axle: a hinge.

   build: cc -O2 examples/unicycle.c -lm -o unicycle
   last line: unicycle: ok, upright to 1.7e-07 deg after 20 s
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define DEG (PI / 180) /* [rad] */
#define GRAVITY 9.81   /* [m/s^2] */
#define RADIUS 0.25    /* of the wheel [m] */
#define WHEEL 4.0      /* its mass [kg] */
#define RIDER 20.0     /* the rider's mass [kg] */
#define HEIGHT 0.6     /* of the rider's centre of mass above the axle [m] */
#define SIZE 0.25      /* the rider is a ball of this radius [m] */
#define POLE 2.0       /* p, twice that sideways [1/s] */
#define SPEED 1.5      /* wanted in the second half [m/s] */
#define RATE 1000      /* steps and decisions in a second */
#define SECONDS 20

/* t = 10 s after the change of speed the slowest pole has left exp(-p t) = 2.1e-9, and 1.5 times as
   much as sampling makes it 2 % slower: of a pitch of 3 p SPEED (M r + P) / (P g), which is 81 deg,
   and less than 3 times that of the speed. */
#define UPRIGHT 2.5e-7   /* [deg] */
#define SPEED_ERROR 1e-8 /* [-] */
/* In a step h = 1 / RATE a point l from the centre of mass, which turns about it with w, comes off
   its constraint by l (w h)^2 / 2; stabilization lets T h w^2 l of that stay, T = 0.1 s. Bearing:
   l = HEIGHT, w < 0.6 rad/s. Wheel: RADIUS, 0.04 rad/s; its e adds e / (2 T) to the velocities.
   Axle: the wheel turns about it with W against a rider who rolls with w, W w < 0.06 / s^2, which
   leaves T h W w, and as much again from the wheel's precession. */
#define GAP 2.2e-5     /* [m] */
#define CROOKED 1.2e-5 /* [rad] */
#define LIFTED 4e-8    /* [m] */
#define SLIP 2e-7      /* [m/s] */

static void check(spc_status status)
{
    if (status == SPC_OK)
        return;
    fprintf(stderr, "unicycle: %s\n", spc_status_text(status));
    exit(1);
}

typedef struct unicycle {
    spc_world *world;
    spc_body wheel, rider; /* both have their origin in the axle's centre */
    spc_constraint rolling, bearing;
} unicycle;

/* At rest, heading along x; positive pitch is forward, positive roll to the right. */
static unicycle make_unicycle(double pitch, double roll)
{
    const spc_quat lean = spc_quat_from_rotation_vector(spc_vec3_make(roll, 0, 0));
    const spc_quat bow = spc_quat_from_rotation_vector(spc_vec3_make(0, pitch, 0));
    const spc_quat z_to_y = spc_quat_from_rotation_vector(spc_vec3_make(-PI / 2, 0, 0));
    spc_world_desc desc = spc_world_desc_default(2, 2);
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc disc = spc_rolling_disc_desc_default();
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_state wheel;
    unicycle u;

    desc.gravity = spc_vec3_make(0, 0, -GRAVITY);
    desc.rows = 3 + 5; /* of the wheel on the ground and of the hinge */
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &u.world));
    body.state.X_GB.p = spc_rotate(lean, spc_vec3_make(0, 0, RADIUS));
    body.state.X_GB.q = spc_quat_mul(lean, z_to_y);
    body.mass = spc_mass_disc(WHEEL, RADIUS); /* its axis is the body's z */
    wheel = body.state;
    check(spc_body_add(u.world, &body, &u.wheel));
    body.state.X_GB.q = spc_quat_mul(lean, bow);
    body.mass = spc_mass_solid_sphere(RIDER, SIZE);
    body.mass.p_BBc = spc_vec3_make(0, 0, HEIGHT);
    check(spc_body_add(u.world, &body, &u.rider));
    disc.disc = u.wheel;
    disc.shape.axis_B = spc_vec3_make(0, 0, 1);
    disc.shape.radius = RADIUS;
    check(spc_rolling_disc_add(u.world, &disc, &u.rolling));
    hinge.a = u.rider;
    hinge.b = u.wheel; /* where both are now, about the wheel's z axis, which is the rider's y */
    check(spc_attachment_at(&body.state.X_GB, &wheel.X_GB, wheel.X_GB.p,
                            spc_rotate(wheel.X_GB.q, spc_vec3_make(0, 0, 1)), SPC_HINGE,
                            &hinge.shape));
    check(spc_attachment_add(u.world, &hinge, &u.bearing));
    return u;
}

typedef struct attitude {
    spc_vec3 axle, forward; /* unit, in G */
    double pitch, roll;     /* [rad] */
    spc_vec3 rates;         /* of roll and pitch, and about the vertical [rad/s] */
    double speed;           /* of the axle [m/s] */
} attitude;

static attitude measure(const unicycle *u)
{
    spc_disc_contact c;
    spc_state rider;
    spc_vec3 up, w;
    attitude a;

    check(spc_rolling_disc_get_contact(u->world, u->rolling, &c));
    check(spc_body_get_state(u->world, u->rider, &rider));
    up = spc_rotate(rider.X_GB.q, spc_vec3_make(0, 0, 1));
    w = rider.V_GB.angular;
    a.axle = c.R_GD1.x;
    a.forward = c.R_GD1.y;
    a.pitch = atan2(spc_dot(up, c.R_GD1.y), -spc_dot(up, c.R_GD1.z));
    a.roll = asin(a.axle.z);
    a.rates = spc_vec3_make(spc_dot(w, a.forward), spc_dot(w, a.axle), w.z);
    a.speed = spc_dot(rider.V_GB.linear, a.forward);
    return a;
}

/* Applies the torques for the next step; returns the motor's [N m]. */
static double control(unicycle *u, const attitude *a, double wanted)
{
    const spc_mass wheel = spc_mass_disc(WHEEL, RADIUS), rider = spc_mass_solid_sphere(RIDER, SIZE);
    const double M = WHEEL + RIDER + wheel.inertia.zz / (RADIUS * RADIUS), P = RIDER * HEIGHT;
    const double K = rider.inertia.yy + P * HEIGHT, D = M * K - P * P, p = POLE;
    const double b = (M + P / RADIUS) / D, d = (K / RADIUS + P) / D;
    const double k2 = 6 * p * p * p * RADIUS * D / (P * GRAVITY), k1 = (6 * p + d * k2) / b;
    const double k0 = (11 * p * p + M * P * GRAVITY / D) / b;
    const double motor = k0 * a->pitch + k1 * a->rates.y + k2 * (a->speed - wanted);

    /* Sideways the weight tips all with G a->roll about the track; the gyro replaces that by two
       poles at -2 p, and stops turning about the vertical with one. */
    const double top = RADIUS + HEIGHT, q = 2 * p;
    const double G = (WHEEL * RADIUS + RIDER * top) * GRAVITY,
                 I_z = wheel.inertia.xx + rider.inertia.zz;
    const double I_x = I_z + WHEEL * RADIUS * RADIUS + RIDER * top * top;
    const double sideways = -(G + I_x * q * q) * a->roll - 2 * I_x * q * a->rates.x;
    const spc_vec3 yaw = spc_vec3_make(0, 0, -I_z * q * a->rates.z);

    check(spc_body_add_torque(u->world, u->wheel, spc_scale(motor, a->axle), SPC_ONE_STEP));
    check(spc_body_add_torque(u->world, u->rider, spc_scale(-motor, a->axle), SPC_ONE_STEP));
    check(spc_body_add_torque(u->world, u->rider, spc_scale(sideways, a->forward), SPC_ONE_STEP));
    check(spc_body_add_torque(u->world, u->rider, yaw, SPC_ONE_STEP));
    return motor;
}

typedef struct results {
    double time, tilt;   /* when it had fallen, or the end [s]; its tilt then [deg] */
    double speed_error;  /* at that time, relative to SPEED */
    double gap, crooked; /* largest: of the bearing [m], [rad] */
    double lifted, slip; /* of the wheel [m], [m/s] */
} results;

/* Errors of the constraints. */
static void inspect(const unicycle *u, results *r)
{
    spc_rows rows;
    int i;

    check(spc_constraint_get_rows(u->world, u->bearing, &rows));
    for (i = 0; i < 3; i++) {
        r->gap = fmax(r->gap, fabs(rows.position_errors[i]));
        r->crooked = fmax(r->crooked, fabs(rows.position_errors[3 + i]));
    }
    check(spc_constraint_get_rows(u->world, u->rolling, &rows));
    r->lifted = fmax(r->lifted, fabs(rows.position_errors[2]));
    for (i = 0; i < 3; i++)
        r->slip = fmax(r->slip, fabs(rows.velocity_errors[i]));
}

/* From a lean of 3 deg forward and 2 deg to the right; stops where it has fallen. */
static results run(bool controlled)
{
    const int every = controlled ? 2 * RATE : RATE / 10, steps = SECONDS * RATE;
    unicycle u = make_unicycle(3 * DEG, 2 * DEG);
    results r = { 0, 0, 0, 0, 0, 0, 0 };
    attitude a;
    double wanted, motor;
    int i;

    printf("%s\n time [s]   pitch [deg]    roll [deg]   speed [m/s]   motor [N m]\n",
           controlled ? "controlled" : "free");
    for (i = 0;; i++) {
        a = measure(&u);
        inspect(&u, &r);
        wanted = 2 * i < steps ? 0 : SPEED;
        motor = controlled ? control(&u, &a, wanted) : 0;
        r.time = (double)i / RATE;
        r.tilt = fmax(fabs(a.pitch), fabs(a.roll)) / DEG;
        r.speed_error = fabs(a.speed - wanted) / SPEED;
        if (i % every == 0)
            printf("%9.3f %13.8f %13.8f %13.8f %13.8f\n", r.time, a.pitch / DEG, a.roll / DEG,
                   a.speed, motor);
        if (i == steps || r.tilt > 45)
            break;
        check(spc_step(u.world, 1.0 / RATE));
    }
    free(u.world);
    return r;
}

int main(void)
{
    const results loose = run(false), r = run(true);
    const int falls = loose.tilt > 45 && loose.time < 1;
    const int stands = r.time >= SECONDS && r.tilt < UPRIGHT && r.speed_error < SPEED_ERROR;
    const int holds = r.gap < GAP && r.crooked < CROOKED && r.lifted < LIFTED && r.slip < SLIP;

    printf("free: 45 deg after %.3f s\n", loose.time);
    printf("controlled: speed to %.1e; bearing to %.1e m, %.1e rad; wheel to %.1e m, %.1e m/s\n",
           r.speed_error, r.gap, r.crooked, r.lifted, r.slip);
    printf("unicycle: %s, upright to %.1e deg after %d s\n",
           falls && stands && holds ? "ok" : "WRONG", r.tilt, SECONDS);
    return falls && stands && holds ? 0 : 1;
}
