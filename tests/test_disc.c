/* [4.2] Rolling discs: closed forms and an independent equation of motion, energy, stabilization,
   several contacts on one body, and what happens where a coin lies almost flat. */
#include "world.h"

/* ------------------------------------------------------------------- vectors and scenes ------- */

#define G 9.81 /* [m/s^2] */

static const spc_vec3 up = { 0, 0, 1 };

/* The first three of a kernel's row numbers. */
static spc_vec3 three(const spc_real *x)
{
    return spc_vec3_make(x[0], x[1], x[2]);
}

static spc_vec3 scaled(double s, spc_vec3 v)
{
    return spc_scale((spc_real)s, v);
}

/* Largest difference of two frames' columns. */
static double frame_distance(spc_mat3 a, spc_mat3 b)
{
    return fmax(distance(a.x, b.x), fmax(distance(a.y, b.y), distance(a.z, b.z)));
}

static spc_mat3 rotated_frame(spc_quat q, spc_mat3 R)
{
    spc_mat3 out;
    out.x = spc_rotate(q, R.x);
    out.y = spc_rotate(q, R.y);
    out.z = spc_rotate(q, R.z);
    return out;
}

/* One body on one disc, and what names them; the floor is ground where it is zero. */
typedef struct scene {
    spc_world *world;
    spc_body disc, floor;
    spc_constraint contact;
} scene;

/* A world with room for a disc, its floor and some contacts; gravity G down, no stabilization. */
static spc_world *make_world(void)
{
    spc_world_desc desc = spc_world_desc_default(2, 4);
    desc.gravity = vec(0, 0, -G);
    desc.stabilization.enabled = false;
    return test_world(&desc);
}

static scene make_scene(const spc_mass *mass, const spc_rolling_disc *shape, const spc_state *state)
{
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    scene s;
    memset(&s, 0, sizeof s);
    s.world = make_world();
    body.mass = *mass;
    body.state = *state;
    CHECK_STATUS(spc_body_add(s.world, &body, &s.disc), SPC_OK);
    d.disc = s.disc;
    d.shape = *shape;
    CHECK_STATUS(spc_rolling_disc_add(s.world, &d, &s.contact), SPC_OK);
    return s;
}

static void set_state(const scene *s, const spc_state *state)
{
    CHECK_STATUS(spc_body_set_pose(s->world, s->disc, state->X_GB), SPC_OK);
    CHECK_STATUS(spc_body_set_velocity(s->world, s->disc, state->V_GB), SPC_OK);
}

static void set_rows(const scene *s, bool lateral, bool longitudinal, bool normal)
{
    spc_rolling_disc shape = spc_rolling_disc_default();
    CHECK_STATUS(spc_rolling_disc_get(s->world, s->contact, &shape), SPC_OK);
    shape.lateral = lateral;
    shape.longitudinal = longitudinal;
    shape.normal = normal;
    CHECK_STATUS(spc_rolling_disc_set(s->world, s->contact, &shape), SPC_OK);
}

/* Accelerations of the disc's body now. */
static spc_spatial accelerate(const scene *s)
{
    spc_spatial A = spc_spatial_make(zero, zero);
    CHECK_STATUS(spc_world_forward_dynamics(s->world), SPC_OK);
    CHECK_STATUS(spc_body_get_acceleration(s->world, s->disc, &A), SPC_OK);
    return A;
}

static spc_disc_contact contact_of(const scene *s)
{
    spc_disc_contact contact;
    memset(&contact, 0, sizeof contact);
    CHECK_STATUS(spc_rolling_disc_get_contact(s->world, s->contact, &contact), SPC_OK);
    return contact;
}

static void step_rk4(const scene *s, double h, spc_drift drift)
{
    CHECK_STATUS(spc_step_rk4(s->world, (spc_real)h, drift), SPC_OK);
}

/* All enforced rows of a constraint have acceleration error 0, its other rows multiplier 0. */
static void check_rows_are_met(const spc_world *w, spc_constraint c, double tolerance)
{
    const unsigned enforced = rows_of(w, c).enforced;
    spc_real errors[SPC_MAX_ROWS], lambda[SPC_MAX_ROWS];
    int i;
    CHECK_STATUS(spc_constraint_get_acceleration_errors(w, c, errors), SPC_OK);
    CHECK_STATUS(spc_constraint_get_multipliers(w, c, lambda), SPC_OK);
    for (i = 0; i < SPC_MAX_ROWS; i++) {
        CHECK_NEAR(errors[i], 0, tolerance);
        if (!(enforced >> i & 1u))
            CHECK_NEAR(lambda[i], 0, 0);
    }
}

/* --------------------------------------------------------- a coin in reduced coordinates ------ */
/*
   A thin coin of moments C about its axis and A across it rolls on the plane z = 0. Its axis is at
   the angle `tilt` to the vertical and points to `heading` as seen from above:

       w_lat = (cos heading, sin heading, 0),  w2 = (sin heading, -cos heading, 0)
       w1 = sin tilt w_lat + cos tilt n,       w3 = cos tilt w_lat - sin tilt n

   Turning the tilt is a rotation about -w2, so that with spin = w . w1

       w = spin w1 - tilt' w2 - heading' sin tilt w3,    v_S = -w x r w3 = r (spin w2 + tilt' w1)

   and with the symbols t, h, s for tilt, heading and spin the equations of motion are (Routh 1905,
   section 244; McDonald & McDonald 2000)

       (A + m r^2) t'' = -(C + m r^2) s h' sin t + A h'^2 sin t cos t - m g r cos t
       (C + m r^2) s' = m r^2 t' h' sin t,    A h'' sin t = C s t' - 2 A h' t' cos t
   The coin turns against w_lat, w2, n by s - h' cos t, which is how fast the contact point goes.
*/
typedef struct coin {
    double m, r, C, A;
} coin;
typedef struct roll {
    double tilt, tilt_rate, heading, heading_rate, spin, x, y;
} roll;

/* C = k m r^2: 1/2 for a disc, 1 for a ring; A is half of that for anything flat. */
static coin thin_coin(double r, bool ring)
{
    coin c;
    c.m = 1;
    c.r = r;
    c.C = (ring ? 1 : 0.5) * c.m * r * r;
    c.A = c.C / 2;
    return c;
}

static roll roll_make(double tilt, double tilt_rate, double heading_rate, double spin)
{
    roll y;
    y.tilt = tilt;
    y.tilt_rate = tilt_rate;
    y.heading = y.x = y.y = 0;
    y.heading_rate = heading_rate;
    y.spin = spin;
    return y;
}

/* The equations of motion. */
static roll roll_rate(const coin *c, const roll *y)
{
    const double sine = sin(y->tilt), cosine = cos(y->tilt), mr2 = c->m * c->r * c->r;
    const double travel = c->r * (y->spin - y->heading_rate * cosine);
    roll d;
    d.tilt = y->tilt_rate;
    d.tilt_rate =
        (-(c->C + mr2) * y->spin * y->heading_rate * sine +
         c->A * y->heading_rate * y->heading_rate * sine * cosine - c->m * G * c->r * cosine) /
        (c->A + mr2);
    d.heading = y->heading_rate;
    d.heading_rate = (c->C * y->spin / c->A - 2 * y->heading_rate * cosine) * y->tilt_rate / sine;
    d.spin = mr2 * y->tilt_rate * y->heading_rate * sine / (c->C + mr2);
    d.x = travel * sin(y->heading);
    d.y = -travel * cos(y->heading);
    return d;
}

/* a + h b */
static roll roll_add(const roll *a, double h, const roll *b)
{
    roll y;
    y.tilt = a->tilt + h * b->tilt;
    y.tilt_rate = a->tilt_rate + h * b->tilt_rate;
    y.heading = a->heading + h * b->heading;
    y.heading_rate = a->heading_rate + h * b->heading_rate;
    y.spin = a->spin + h * b->spin;
    y.x = a->x + h * b->x;
    y.y = a->y + h * b->y;
    return y;
}

/* One step of the classical Runge-Kutta method. */
static roll roll_step(const coin *c, roll y, double h)
{
    static const double reach[4] = { 0, 0.5, 0.5, 1 }, weight[4] = { 1, 2, 2, 1 };
    roll end = y, k = y;
    int i;
    for (i = 0; i < 4; i++) {
        const roll place = roll_add(&y, i ? reach[i] * h : 0, &k);
        k = roll_rate(c, &place);
        end = roll_add(&end, weight[i] * h / 6, &k);
    }
    return end;
}

/* w_lat, w2, n and w1, w3 at such coordinates. */
typedef struct directions {
    spc_vec3 lateral, w1, w2, w3;
} directions;

static directions roll_directions(const roll *y)
{
    const double s = sin(y->tilt), c = cos(y->tilt), x = cos(y->heading), z = sin(y->heading);
    directions d;
    d.lateral = vec(x, z, 0);
    d.w2 = vec(z, -x, 0);
    d.w1 = vec(s * x, s * z, c);
    d.w3 = vec(c * x, c * z, -s);
    return d;
}

/* The coin's body has its axis along z. */
static spc_state roll_state(const coin *c, const roll *y)
{
    const directions d = roll_directions(y);
    spc_mat3 R;
    spc_state state;
    R.x = d.w2;
    R.y = d.w3;
    R.z = d.w1;
    state.X_GB.q = spc_quat_from_mat3(R);
    state.X_GB.p = spc_sub(vec(y->x, y->y, 0), scaled(c->r, d.w3));
    state.V_GB.angular = spc_sub(spc_sub(scaled(y->spin, d.w1), scaled(y->tilt_rate, d.w2)),
                                 scaled(y->heading_rate * sin(y->tilt), d.w3));
    state.V_GB.linear = spc_add(scaled(c->r * y->spin, d.w2), scaled(c->r * y->tilt_rate, d.w1));
    return state;
}

static scene put_coin(const coin *c, const roll *y)
{
    const spc_real m = (spc_real)c->m, r = (spc_real)c->r;
    const bool ring = c->C > 0.75 * c->m * c->r * c->r;
    const spc_mass mass = ring ? spc_mass_ring(m, r) : spc_mass_disc(m, r);
    const spc_state state = roll_state(c, y);
    spc_rolling_disc shape = spc_rolling_disc_default();
    shape.axis_B = up;
    shape.radius = r;
    return make_scene(&mass, &shape, &state);
}

/* The way back, from what the world says about the body and without its kernel. */
static roll roll_of(const scene *s, const coin *c)
{
    const spc_state state = state_of(s->world, s->disc);
    const spc_vec3 w1 = spc_rotate(state.X_GB.q, up), w = state.V_GB.angular;
    roll y = roll_make(0, 0, 0, 0);
    directions d;
    y.heading = atan2((double)w1.y, (double)w1.x);
    y.tilt = atan2(hypot((double)w1.x, (double)w1.y), (double)w1.z);
    d = roll_directions(&y);
    y.tilt_rate = -dot(w, d.w2);
    y.heading_rate = -dot(w, d.w3) / sin(y.tilt);
    y.spin = dot(w, w1);
    y.x = (double)state.X_GB.p.x + c->r * (double)d.w3.x;
    y.y = (double)state.X_GB.p.y + c->r * (double)d.w3.y;
    return y;
}

/* Accelerations of tilt, heading and spin from that of the body, with w_i' from (4.13), (4.14). */
static roll roll_accelerations(const scene *s, const roll *y)
{
    const directions d = roll_directions(y);
    const double sine = sin(y->tilt), cosine = cos(y->tilt);
    const spc_spatial A = accelerate(s);
    roll a = roll_make(0, 0, 0, 0);
    a.tilt_rate =
        -dot(A.angular, d.w2) - y->heading_rate * (y->spin - y->heading_rate * cosine) * sine;
    a.heading_rate = (-dot(A.angular, d.w3) + y->tilt_rate * y->spin -
                      2 * cosine * y->heading_rate * y->tilt_rate) /
                     sine;
    a.spin = dot(A.angular, d.w1);
    return a;
}

static void check_rolls(const roll *got, const roll *want, double tolerance)
{
    CHECK_NEAR(got->tilt, want->tilt, tolerance);
    CHECK_NEAR(got->tilt_rate, want->tilt_rate, tolerance);
    CHECK_NEAR(remainder(got->heading - want->heading, 2 * PI), 0, tolerance);
    CHECK_NEAR(got->heading_rate, want->heading_rate, tolerance);
    CHECK_NEAR(got->spin, want->spin, tolerance);
    CHECK_NEAR(got->x, want->x, tolerance);
    CHECK_NEAR(got->y, want->y, tolerance);
}

/* ----------------------------------------------------------- closed forms of a rolling coin --- */

/* A flat coin has no contact point. */
static void a_flat_coin_has_no_rows(void)
{
    spc_rolling_disc shape = spc_rolling_disc_default();
    const spc_state level = spc_state_identity();
    spc_rows rows;
    shape.axis_B = up;
    shape.radius = 1;
    CHECK_STATUS(spc_rolling_disc_rows(&shape, &level, &level, &rows), SPC_ERROR_NO_CONTACT_POINT);
}

/* Pointwise, at random tilts and rates: some 30 roundings of terms up to 200/s^2 (products of
   rates, g/r), over the smallest sine, 0.2, of the heading's equation. */
static void accelerations_are_those_of_the_reduced_equations(void)
{
    int turn;
    for (turn = 0; turn < 1000; turn++) {
        const coin c = thin_coin(0.2, turn % 2 == 1);
        const double tolerance = 30 * TEST_EPSILON * 200 / 0.2;
        roll y, want, got;
        scene s;
        y.tilt = test_random(0.2, PI - 0.2);
        y.heading = test_random(-PI, PI);
        y.tilt_rate = test_random(-5, 5);
        y.heading_rate = test_random(-8, 8);
        y.spin = test_random(-15, 15);
        y.x = y.y = 0;
        s = put_coin(&c, &y);
        y = roll_of(&s, &c); /* as the world keeps it: in float that differs */
        want = roll_rate(&c, &y);
        got = roll_accelerations(&s, &y);
        CHECK_NEAR(got.tilt_rate, want.tilt_rate, tolerance);
        CHECK_NEAR(got.heading_rate, want.heading_rate, tolerance);
        CHECK_NEAR(got.spin, want.spin, tolerance);
        check_rows_are_met(s.world, s.contact, tolerance);
        free(s.world);
    }
}

/* The spin of a coin that rolls in a circle with its tilt kept: t'' = 0. */
static double steady_spin(const coin *c, double tilt, double heading_rate)
{
    const double mr2 = c->m * c->r * c->r;
    return (c->A * heading_rate * heading_rate * sin(tilt) * cos(tilt) -
            c->m * G * c->r * cos(tilt)) /
           ((c->C + mr2) * heading_rate * sin(tilt));
}

/* Three seconds of wobbling of a wheel of 1 m, at rates w up to 10/s: the error of the method is
   about 3 w (h w)^4 / 120 = 1e-11 rad with h = 2.5e-4, and w times that for rates; the reference
   has steps a fourth of that. In float, 3000 steps' rounding, which the wobbling amplifies. */
static void a_wobbling_coin_follows_the_reduced_equations(void)
{
    const double h = IN_DOUBLE_OR_FLOAT(2.5e-4, 1e-3);
    const int steps = (int)(3 / h + 0.5);
    int ring, i, k;
    for (ring = 0; ring < 2; ring++) {
        const coin c = thin_coin(1, ring == 1);
        roll want = roll_make(PI / 3, 0.4, 3, steady_spin(&c, PI / 3, 3)), got;
        scene s = put_coin(&c, &want);
        for (i = 1; i <= steps; i++) {
            step_rk4(&s, h, SPC_DRIFT_STABILIZE);
            for (k = 0; k < 4; k++)
                want = roll_step(&c, want, h / 4);
            got = roll_of(&s, &c);
            if (i % 100 == 0)
                check_rolls(&got, &want, IN_DOUBLE_OR_FLOAT(1e-10, 1e4 * TEST_EPSILON));
        }
        free(s.world);
    }
}

/* Steady motion turns about the vertical: w' = heading' n x w, v' = heading' n x v, and the floor
   bears the weight and what the circle needs. Sums of terms up to heading'^2 and m g. */
static void check_steady(const scene *s, const coin *c, const roll *y)
{
    const spc_spatial V = state_of(s->world, s->disc).V_GB, A = accelerate(s);
    const spc_vec3 turn = vec(0, 0, y->heading_rate),
                   force = force_of(s->world, s->contact).force_P;
    const double rounding = 10 * TEST_EPSILON, rate2 = y->heading_rate * y->heading_rate;
    CHECK_NEAR(distance(A.angular, spc_cross(turn, V.angular)), 0, rounding * (rate2 + G / c->r));
    CHECK_NEAR(distance(A.linear, spc_cross(turn, V.linear)), 0, rounding * (rate2 * c->r + G));
    CHECK_NEAR(force.x, c->m * y->heading_rate * c->r * y->spin, rounding * c->m * G);
    CHECK_NEAR(force.y, 0, rounding * c->m * G);
    CHECK_NEAR(force.z, c->m * G, rounding * c->m * G);
}

/* After a turn about the vertical the coin is where it was and moves as it did, but for its own
   angle. The error of n steps of a turn at rates w is n (2 pi w / n)^5 / 120, with w up to 2. */
static void check_turn(const scene *s, const coin *c, const roll *y)
{
    const int steps = IN_DOUBLE_OR_FLOAT(4000, 500);
    const double h = 2 * PI / y->heading_rate / steps;
    roll end;
    int i;
    for (i = 0; i < steps; i++)
        step_rk4(s, h, SPC_DRIFT_STABILIZE);
    end = roll_of(s, c);
    check_rolls(&end, y, IN_DOUBLE_OR_FLOAT(1e-11, 1e4 * TEST_EPSILON));
}

/* Tilt of 60 degrees, 7 rad/s, r = 0.2 m: the numbers were found by another program. */
static void a_coin_rolls_in_a_circle(void)
{
    static const double spin[2] = { -2.11371720988106, -1.14778790741080 };
    static const double radius[2] = { 0.0603919202823160, 0.0327939402117370 };
    static const double lateral[2] = { 2.95920409383349, 1.60690307037511 };
    int ring;
    for (ring = 0; ring < 2; ring++) {
        const coin c = thin_coin(0.2, ring == 1);
        roll y = roll_make(PI / 3, 0, 7, steady_spin(&c, PI / 3, 7));
        scene s = put_coin(&c, &y);
        const spc_vec3 v = state_of(s.world, s.disc).V_GB.linear;
        CHECK_NEAR(y.spin, spin[ring], 1e-14); /* as printed */
        CHECK_NEAR(length(v) / y.heading_rate, radius[ring], 1e-15 + TEST_EPSILON);
        check_steady(&s, &c, &y);
        CHECK_NEAR(-force_of(s.world, s.contact).force_P.x, lateral[ring],
                   1e-14 + 10 * TEST_EPSILON * G);
        check_turn(&s, &c, &y);
        free(s.world);
    }
}

/* Euler's disk: spin 0, the centre at rest, heading'^2 = m g r / (A sin tilt), and an energy of
   3/2 m g r sin tilt whatever the inertia. */
static void eulers_disk_keeps_its_centre_at_rest(void)
{
    static const double rate[2] = { 15.0516525880054, 10.6431256130427 };
    int ring;
    for (ring = 0; ring < 2; ring++) {
        const coin c = thin_coin(0.2, ring == 1);
        const double sine = sin(PI / 3);
        roll y = roll_make(PI / 3, 0, sqrt(c.m * G * c.r / (c.A * sine)), 0);
        scene s = put_coin(&c, &y);
        CHECK_NEAR(y.heading_rate, rate[ring], 1e-13); /* as printed */
        CHECK_NEAR(energy_of(s.world), 1.5 * c.m * G * c.r * sine, 20 * TEST_EPSILON);
        check_steady(&s, &c, &y);
        check_turn(&s, &c, &y);
        free(s.world);
    }
}

/* ------------------------------------------------------------------ small motions about ------- */

/* A motion of an upright coin with a small tilt x from the vertical, and the heading rate and spin
   that go with x: x'' = -square x. */
typedef struct small_motion {
    coin c;
    double heading_rate, spin;                   /* upright */
    double heading_rate_per_tilt, spin_per_tilt; /* small parts */
    double square;                               /* of the frequency, or minus that of growth */
} small_motion;

/* Rolling straight: A h' = C s x, and W^2 = (C (C + m r^2) s^2 / A - m g r) / (A + m r^2). */
static small_motion straight_rolling(const coin *c, double spin)
{
    const double mr2 = c->m * c->r * c->r;
    small_motion m;
    m.c = *c;
    m.heading_rate = 0;
    m.spin = spin;
    m.heading_rate_per_tilt = c->C * spin / c->A;
    m.spin_per_tilt = 0;
    m.square = (c->C * (c->C + mr2) * spin * spin / c->A - c->m * G * c->r) / (c->A + mr2);
    return m;
}

/* Spinning on the edge: (C + m r^2) s = m r^2 h' x, and W^2 = h'^2 - m g r / (A + m r^2). */
static small_motion spinning_on_edge(const coin *c, double rate)
{
    const double mr2 = c->m * c->r * c->r;
    small_motion m;
    m.c = *c;
    m.heading_rate = rate;
    m.spin = 0;
    m.heading_rate_per_tilt = 0;
    m.spin_per_tilt = mr2 * rate / (c->C + mr2);
    m.square = rate * rate - c->m * G * c->r / (c->A + mr2);
    return m;
}

static roll small_roll(const small_motion *m, double x)
{
    return roll_make(PI / 2 + x, 0, m->heading_rate + m->heading_rate_per_tilt * x,
                     m->spin + m->spin_per_tilt * x);
}

/* Central differences over d have errors of d^2 and epsilon / d, each times some 10 to 100: best at
   the cube root of epsilon, 6e-6 (float: 5e-3). */
#define DIFFERENCE IN_DOUBLE_OR_FLOAT(6e-6, 5e-3)
#define DIFFERENCE_ERROR (100 * DIFFERENCE * DIFFERENCE)

/* -x'' / x as the library has it. */
static double measured_square(const small_motion *m)
{
    double difference = 0;
    int side;
    for (side = -1; side <= 1; side += 2) {
        roll y = small_roll(m, side * DIFFERENCE);
        scene s = put_coin(&m->c, &y);
        difference += side * roll_accelerations(&s, &y).tilt_rate;
        free(s.world);
    }
    return -difference / (2 * DIFFERENCE);
}

/* The speed at which the measured square changes sign. */
static double critical_speed(const coin *c, small_motion (*motion)(const coin *, double))
{
    double low = 0.1 * sqrt(G / c->r), high = 2 * sqrt(G / c->r);
    while (high - low > DIFFERENCE_ERROR * low) {
        const double middle = (low + high) / 2;
        const small_motion m = motion(c, middle);
        if (measured_square(&m) > 0)
            high = middle;
        else
            low = middle;
    }
    return (low + high) / 2;
}

/* From w^2 = A m g r / (C (C + m r^2)), which is g/(3 r) for a disc and g/(4 r) for a ring, an
   upright coin rolls on; from h'^2 = 4 g/(5 r), 2 g/(3 r) it stands spinning. */
static void upright_coins_have_critical_speeds(void)
{
    static const double rolling[2] = { 1.0 / 3, 1.0 / 4 }, spinning[2] = { 4.0 / 5, 2.0 / 3 };
    int ring;
    for (ring = 0; ring < 2; ring++) {
        const coin c = thin_coin(0.2, ring == 1);
        const double unit = sqrt(G / c.r);
        CHECK_NEAR(critical_speed(&c, straight_rolling) / unit, sqrt(rolling[ring]),
                   2 * DIFFERENCE_ERROR);
        CHECK_NEAR(critical_speed(&c, spinning_on_edge) / unit, sqrt(spinning[ring]),
                   2 * DIFFERENCE_ERROR);
    }
}

/* x0 cos W t, or x0 cosh of the growth rate. */
static double small_tilt(const small_motion *m, double x0, double t)
{
    const double rate = sqrt(fabs(m->square));
    return x0 * (m->square > 0 ? cos(rate * t) : cosh(rate * t));
}

/* Two periods, or growth to five times the start. With an amplitude a, terms of third order change
   the phase by some 2 a^2 a radian, 3e-9 in all for a = 1e-5, and rounding is some two epsilon
   sqrt(steps) / a = 2e-9; in float 3e-3 and 6e-4 for a = 1e-2. */
static void check_small_motion(const small_motion *m)
{
    const double tolerance = IN_DOUBLE_OR_FLOAT(1e-8, 1e-2);
    const double peak = IN_DOUBLE_OR_FLOAT(1e-5, 1e-2), x0 = m->square > 0 ? peak : peak / 5;
    const double end = (m->square > 0 ? 4 * PI : 2.3) / sqrt(fabs(m->square));
    const int steps = IN_DOUBLE_OR_FLOAT(4000, 400);
    roll y = small_roll(m, x0);
    scene s = put_coin(&m->c, &y);
    int i;
    CHECK_NEAR(measured_square(m), m->square, DIFFERENCE_ERROR * G / m->c.r);
    for (i = 1; i <= steps; i++) {
        step_rk4(&s, end / steps, SPC_DRIFT_STABILIZE);
        if (i % 100 == 0)
            CHECK_NEAR((roll_of(&s, &m->c).tilt - PI / 2) / peak,
                       small_tilt(m, x0, end / steps * i) / peak, tolerance);
    }
    free(s.world);
}

static void an_upright_coin_wobbles_or_falls_as_it_should(void)
{
    static const double speeds[4] = { 0.2, 0.45, 1.5, 3 }; /* in sqrt(g/r); the first two fall */
    int ring, i;
    for (ring = 0; ring < 2; ring++)
        for (i = 0; i < 4; i++) {
            const coin c = thin_coin(0.2, ring == 1);
            const double speed = speeds[i] * sqrt(G / c.r);
            const small_motion rolling = straight_rolling(&c, speed),
                               spinning = spinning_on_edge(&c, speed);
            CHECK((rolling.square > 0) == (i > 1) && (spinning.square > 0) == (i > 1));
            check_small_motion(&rolling);
            check_small_motion(&spinning);
        }
}

/* Exudyn's rollingCoinTest, converged with another program: contact point and force (lateral,
   longitudinal, normal) at 0.5 s. Rates of the wobble are 60/s: with h = 2.5e-5 the error of the
   method is below rounding of what was printed. */
static void exudyns_rolling_coin(void)
{
    const coin c = thin_coin(0.01, false);
    const double tilt = PI / 2 + PI / 180, h = IN_DOUBLE_OR_FLOAT(2.5e-5, 5e-4);
    const int steps = (int)(0.5 / h + 0.5);
    const double tolerance = IN_DOUBLE_OR_FLOAT(1e-9, 2e-2); /* float: wobbles amplify rounding */
    roll y = roll_make(tilt, 0, 10 * PI, 10 * PI * cos(tilt));
    scene s = put_coin(&c, &y);
    spc_contact_force force;
    int i;
    for (i = 0; i < steps; i++)
        step_rk4(&s, h, SPC_DRIFT_STABILIZE);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    force = force_of(s.world, s.contact);
    CHECK_NEAR(force.p_GC.x, 0.00200494702075, IN_DOUBLE_OR_FLOAT(1e-12, 1e-5));
    CHECK_NEAR(force.p_GC.y, 0.00259692310361, IN_DOUBLE_OR_FLOAT(1e-12, 1e-5));
    CHECK_NEAR(force.force_P.x, 1.010818148, tolerance);
    CHECK_NEAR(force.force_P.y, -0.184186913, tolerance);
    CHECK_NEAR(force.force_P.z, 9.835519807, tolerance);
    free(s.world);
}

/* ------------------------------------------------------------------------------- a skate ------ */

/* Chaplygin's sleigh: a body on a blade, which is a disc with the lateral row alone, whose centre
   of mass is a ahead of the blade. With k^2 = (I + m a^2) / m it goes with

       v = c tanh(a c t / k^2),    w = c / k sech(a c t / k^2)      (Neimark & Fufaev 1972)

   from backwards to forwards. It stays level either on three frictionless feet or, without gravity,
   because the centre of mass is as low as the contact point. */
typedef struct sleigh {
    double m, I, a, k, c, r;
} sleigh;

static sleigh sleigh_make(const spc_mass *mass)
{
    sleigh b;
    b.m = (double)mass->mass;
    b.I = (double)mass->inertia.zz;
    b.a = (double)mass->p_BBc.x;
    b.k = sqrt(b.I / b.m + b.a * b.a);
    b.c = 0.8;
    b.r = 0.3;
    return b;
}

static void put_on_feet(const scene *s, double height)
{
    spc_sphere_on_plane_desc foot = spc_sphere_on_plane_desc_default();
    int i;
    foot.ball = s->disc;
    foot.shape.radius = SPC_R(0.1);
    foot.shape.rolling = false;
    for (i = 0; i < 3; i++) {
        spc_constraint c;
        foot.shape.p_BS = vec(0.3 * (i - 1), i == 1 ? 0.3 : -0.2, 0.1 - height);
        CHECK_STATUS(spc_sphere_on_plane_add(s->world, &foot, &c), SPC_OK);
    }
}

static double sech(double x)
{
    return 1 / cosh(x);
}

static scene make_sleigh(bool on_feet, double start, sleigh *b)
{
    spc_mass mass = spc_mass_box(2, vec(0.3, 0.2, 0.1));
    spc_rolling_disc blade = spc_rolling_disc_default();
    spc_state state = spc_state_identity();
    scene s;
    mass.p_BBc = vec(0.25, 0, on_feet ? 0.2 : -0.3);
    *b = sleigh_make(&mass);
    blade.axis_B = vec(0, 1, 0); /* so that w2 = y x z is the body's x */
    blade.radius = (spc_real)b->r;
    blade.longitudinal = blade.normal = false;
    state.X_GB.p.z = (spc_real)b->r;
    state.V_GB.angular.z = (spc_real)(b->c / b->k * sech(b->a * b->c / (b->k * b->k) * start));
    state.V_GB.linear.x = (spc_real)(b->c * tanh(b->a * b->c / (b->k * b->k) * start));
    s = make_scene(&mass, &blade, &state);
    if (on_feet)
        put_on_feet(&s, b->r);
    else
        CHECK_STATUS(spc_world_set_gravity(s.world, zero), SPC_OK);
    return s;
}

/* At w up to 2.5/s, 3.3 s in steps of 5e-4 have an error of 3.3 w (h w)^4 / 120 = 2e-13; rounding
   grows while the sleigh goes backwards, tenfold. */
static void chaplygins_sleigh_turns_round(void)
{
    const double start = -1.2, h = IN_DOUBLE_OR_FLOAT(5e-4, 2e-3);
    int on_feet, i;
    for (on_feet = 0; on_feet < 2; on_feet++) {
        sleigh b;
        const scene s = make_sleigh(on_feet == 1, start, &b);
        for (i = 1; start + i * h < 2.1; i++) {
            const double x = b.a * b.c / (b.k * b.k) * (start + i * h);
            spc_state state;
            step_rk4(&s, h, SPC_DRIFT_STABILIZE);
            state = state_of(s.world, s.disc);
            CHECK_NEAR(dot(state.V_GB.linear, contact_of(&s).R_GJ1.y), b.c * tanh(x),
                       1e-12 + 1e4 * TEST_EPSILON);
            CHECK_NEAR(state.V_GB.angular.z, b.c / b.k * sech(x), 1e-12 + 1e4 * TEST_EPSILON);
            CHECK_NEAR(state.X_GB.p.z, b.r, 1e-12 + 1e4 * TEST_EPSILON);
        }
        free(s.world);
    }
}

/* ------------------------------------------------------------------ energy, stabilization ----- */

/* Lets a body on ground roll with an angular velocity: the material point at C stays at rest. */
static void start_rolling(const scene *s, spc_vec3 w)
{
    const spc_vec3 arm = rows_of(s->world, s->contact).arm_b;
    CHECK_STATUS(spc_body_set_velocity(s->world, s->disc, spc_spatial_make(w, spc_cross(arm, w))),
                 SPC_OK);
}

/* A disc of full inertia, with everything off centre, that rolls on tilted by some angle. */
static scene make_uneven_disc(void)
{
    const spc_quat turn = spc_quat_from_rotation_vector(vec(0.05, 0.1, -0.05));
    spc_mass mass = spc_mass_box(1, vec(0.05, 0.46, 0.5));
    spc_rolling_disc shape = spc_rolling_disc_default();
    spc_state state = spc_state_identity();
    scene s;
    mass.inertia = spc_inertia_rotate(spc_mat3_from_quat(turn), mass.inertia);
    mass.p_BBc = vec(0.01, -0.02, 0.015);
    shape.p_BS = vec(-0.01, 0.02, 0.01);
    CHECK_STATUS(spc_normalize(vec(0.98, 0.05, -0.05), &shape.axis_B), SPC_OK);
    shape.radius = SPC_R(0.6);
    state.X_GB.p.z = SPC_R(0.6);
    s = make_scene(&mass, &shape, &state);
    CHECK_STATUS(spc_world_assemble(s.world, (spc_real)(10 * TEST_EPSILON), NULL), SPC_OK);
    start_rolling(&s, scaled(6, shape.axis_B));
    return s;
}

/* Rates w stay below 8/s: the method changes the energy by (h w)^5 w / 72 of it a second, 4e-10 in
   100 s with h = 1e-3; projection corrects what is of that size, and rounding is less. In float,
   2000 steps' rounding. */
static void check_energy(const scene *s)
{
    const double h = IN_DOUBLE_OR_FLOAT(1e-3, 5e-3), before = energy_of(s->world);
    const int steps = (int)(IN_DOUBLE_OR_FLOAT(100, 10) / h + 0.5);
    int i;
    for (i = 1; i <= steps; i++) {
        step_rk4(s, h, SPC_DRIFT_PROJECT);
        if (i % 100 == 0) {
            CHECK_NEAR(energy_of(s->world) / before, 1,
                       IN_DOUBLE_OR_FLOAT(1e-9, 2000 * TEST_EPSILON));
            /* ten roundings of coordinates of up to 400 m */
            CHECK_NEAR(rows_of(s->world, s->contact).separation, 0, 4000 * TEST_EPSILON);
        }
    }
}

static void a_wobbling_coin_keeps_its_energy(void)
{
    const coin c = thin_coin(1, false);
    const roll y = roll_make(PI / 3, 0.4, 3, steady_spin(&c, PI / 3, 3));
    const scene even = put_coin(&c, &y), uneven = make_uneven_disc();
    check_energy(&even);
    check_energy(&uneven);
    free(even.world);
    free(uneven.world);
}

/* A coin in motion, lifted by e0 and pushed so that it slips, stabilized with time constant T. */
#define LIFT 0.01
#define SLIP_LATERAL 0.2
#define SLIP_LONGITUDINAL (-0.1)

static scene make_disturbed_coin(double T)
{
    const coin c = thin_coin(0.3, false);
    const roll y = roll_make(1.2, 0.3, 2, 6);
    const scene s = put_coin(&c, &y);
    const spc_mat3 J1 = contact_of(&s).R_GJ1;
    spc_stabilization on = spc_stabilization_default();
    spc_state state = state_of(s.world, s.disc);
    state.X_GB.p.z += SPC_R(LIFT);
    state.V_GB.linear = spc_add(state.V_GB.linear, scaled(SLIP_LATERAL, J1.x));
    state.V_GB.linear = spc_add(state.V_GB.linear, scaled(SLIP_LONGITUDINAL, J1.y));
    set_state(&s, &state);
    on.time_constant = (spc_real)T;
    CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.contact, &on), SPC_OK);
    return s;
}

/* e = e0 (1 + t/T) exp(-t/T) and s = s0 exp(-2 t/T), also while the contact frame turns. The error
   of the method is some (t / T) (2 h / T)^4 / 120 = 3e-11 of what decays for h = 2.5e-4, and what
   the motion (w = 10/s) adds is less. */
static void errors_of_a_disc_decay(void)
{
    const double T = 0.1, h = IN_DOUBLE_OR_FLOAT(2.5e-4, 1e-3);
    const double tolerance = IN_DOUBLE_OR_FLOAT(2e-11, 200 * TEST_EPSILON);
    const scene s = make_disturbed_coin(T);
    int i;
    for (i = 0; i * h < 0.5; i++) {
        const double t = i * h;
        const spc_rows rows = rows_of(s.world, s.contact);
        CHECK_NEAR(rows.position_errors[2], LIFT * (1 + t / T) * exp(-t / T), tolerance);
        CHECK_NEAR(rows.velocity_errors[0], SLIP_LATERAL * exp(-2 * t / T), tolerance);
        CHECK_NEAR(rows.velocity_errors[1], SLIP_LONGITUDINAL * exp(-2 * t / T), tolerance);
        step_rk4(&s, h, SPC_DRIFT_STABILIZE);
    }
    free(s.world);
}

/* What a step may leave of a coin's errors, where they were e and s before and h/T of e goes. */
typedef struct left_over {
    double velocity, position;
} left_over;

/* With u the direction in the disc from S to C, v_c as the free drift keeps it and R the contact
   frame, s = R^T (v_c + w x r u). Nothing turns faster than O = W / sin(axis, n), with W the
   largest w of the step. Where there is no slip, s changes by F = R^T (dw/dt x r u + w x r du/dt),
   and the free dw/dt of a thin disc is no more than w^2. With A the largest dw/dt each factor of F
   changes such that dF/dt is no more than (4 A O + 5 O^2 W) r. Velocity errors are h/2 F of the
   second half less that of the first: h^2/4 dF/dt; besides, a slip of before turned with the frame
   in the first half alone, h/2 O s, and the displacement d turns the disc by up to d/r (A = m
   r^2/4) and u by 1 / sin of that: O d. Position errors are those of velocity through h, and a
   displacement meets curved rows: with a second derivative of r / sin at a turn of d / r, d^2 / (r
   sin). */
static left_over left_by_a_step(const scene *s, const spc_state *before, const spc_rows *rows,
                                double h, double part)
{
    const double r = 0.3;
    const spc_state after = state_of(s->world, s->disc);
    const spc_vec3 n = rows->R_GP.z;
    const double sine = fmin((double)spc_norm(spc_cross(spc_rotate(after.X_GB.q, up), n)),
                             (double)spc_norm(spc_cross(spc_rotate(before->X_GB.q, up), n)));
    const double W =
        fmax((double)spc_norm(before->V_GB.angular), (double)spc_norm(after.V_GB.angular));
    const double A = distance(before->V_GB.angular, after.V_GB.angular) / h, O = W / sine;
    const double change = (4 * A * O + 5 * O * O * W) * r;
    const spc_vec3 slip = vec((double)rows->velocity_errors[0], (double)rows->velocity_errors[1],
                              (double)rows->velocity_errors[2]);
    const double d = part * fabs((double)rows->position_errors[2]) +
                     h / 2 * (double)spc_norm(slip) + h * h * h / 48 * change;
    left_over left;
    left.velocity = h * h / 4 * change + h / 2 * O * (double)spc_norm(slip) + O * d;
    left.position = h * left.velocity + d * d / (r * sine);
    left.velocity += 200 * TEST_EPSILON; /* of speeds of some 10 m/s */
    left.position += 20 * TEST_EPSILON;
    return left;
}

/* spc_step: velocity errors are gone but for what is of second order; of e the part

       h/T + (1 - h/T) / (1 + (e / 0.01 arm)^4)

   goes, with a T below 2 h taken as 2 h; and a projection brings velocity errors to rounding. */
static void steps_of_a_disc_take_errors_out(void)
{
    static const double constants[3] = { 0.1, 0.05, 1e-4 };
    const double h = 1.0 / 60;
    int k, i, n;
    for (k = 0; k < 3; k++) {
        const double least = fmin(h / constants[k], 0.5);
        const scene s = make_disturbed_coin(constants[k]);
        for (n = 0; n < 30; n++) {
            const spc_rows before = rows_of(s.world, s.contact);
            const spc_state start = state_of(s.world, s.disc);
            const double far = pow((double)before.position_errors[2] / 0.01, 2) /
                               (double)spc_dot(before.arm_b, before.arm_b);
            const double part = least + (1 - least) / (1 + far * far);
            left_over left;
            spc_rows after;
            CHECK_STATUS(spc_step(s.world, (spc_real)h), SPC_OK);
            after = rows_of(s.world, s.contact);
            left = left_by_a_step(&s, &start, &before, h, part);
            CHECK_NEAR(after.position_errors[2], (1 - part) * (double)before.position_errors[2],
                       left.position);
            for (i = 0; i < 3; i++)
                CHECK_NEAR(after.velocity_errors[i], 0, left.velocity);
        }
        CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
        for (i = 0; i < 3; i++)
            CHECK_NEAR(rows_of(s.world, s.contact).velocity_errors[i], 0, 200 * TEST_EPSILON);
        free(s.world);
    }
}

/* The largest errors in 0.2 s of a coin that starts without any, in so many steps. */
static left_over largest_errors(int steps)
{
    const coin c = thin_coin(0.3, false);
    const roll y = roll_make(1.2, 0.3, 2, 6);
    const scene s = put_coin(&c, &y);
    spc_stabilization on = spc_stabilization_default();
    left_over worst = { 0, 0 };
    int i, n;
    CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.contact, &on), SPC_OK);
    for (n = 0; n < steps; n++) {
        spc_rows rows;
        CHECK_STATUS(spc_step(s.world, (spc_real)(0.2 / steps)), SPC_OK);
        rows = rows_of(s.world, s.contact);
        for (i = 0; i < 3; i++)
            worst.velocity = fmax(worst.velocity, fabs((double)rows.velocity_errors[i]));
        worst.position = fmax(worst.position, fabs((double)rows.position_errors[2]));
    }
    free(s.world);
    return worst;
}

/* Half the step leaves a quarter of the velocity errors. A step's own error of position goes within
   the step, but for what the end of the drift adds, which is of third order a step and decays
   within T: second order at most. */
static void half_the_step_leaves_a_quarter_of_a_discs_errors(void)
{
    const int steps = IN_DOUBLE_OR_FLOAT(80, 20);
    const left_over whole = largest_errors(steps), half = largest_errors(2 * steps);
    CHECK_NEAR(whole.velocity / half.velocity, 4, 0.3);
    if (IN_DOUBLE_OR_FLOAT(true, false)) /* float: displacements of 16 roundings are left out */
        CHECK(whole.position / half.position > 3.7);
}

/* With its position errors ignored the normal row acts at velocity level: a disc that hovers goes
   on hovering. At w = 8/s and h = 5e-4 the method drifts by 1 s w (h w)^4 / 120 = 2e-11 m. */
static void a_disc_without_position_errors_hovers_on(void)
{
    const double h = IN_DOUBLE_OR_FLOAT(5e-4, 2e-3);
    int drift, i;
    for (drift = 0; drift < 2; drift++) {
        const coin c = thin_coin(0.3, true);
        const roll y = roll_make(1.2, 0.3, 2, 6);
        const scene s = put_coin(&c, &y);
        spc_stabilization st = spc_stabilization_default();
        spc_state state = state_of(s.world, s.disc);
        state.X_GB.p.z += SPC_R(LIFT);
        set_state(&s, &state);
        st.ignore_position = 4u;
        CHECK_STATUS(spc_constraint_set_stabilization(s.world, s.contact, &st), SPC_OK);
        for (i = 0; i * h < 1; i++) {
            step_rk4(&s, h, drift ? SPC_DRIFT_PROJECT : SPC_DRIFT_STABILIZE);
            CHECK_NEAR(rows_of(s.world, s.contact).position_errors[2], LIFT,
                       IN_DOUBLE_OR_FLOAT(2e-11, 200 * TEST_EPSILON));
        }
        free(s.world);
    }
}

/* ------------------------------------------------------------- against a dense solution ------- */

#define MOST_UNKNOWNS 12 /* six accelerations and as many multipliers */

/* Linear equations, sum of a x = b in each row. */
typedef struct equation {
    double a[MOST_UNKNOWNS], b;
} equation;
typedef struct dense {
    int n;
    equation row[MOST_UNKNOWNS];
} dense;

/* Takes factor times the equation e from d. */
static void equation_subtract(equation *d, double factor, const equation *e)
{
    int j;
    for (j = 0; j < MOST_UNKNOWNS; j++)
        d->a[j] -= factor * e->a[j];
    d->b -= factor * e->b;
}

/* Gauss and Jordan's elimination with the largest pivot of each column; b becomes the solution. */
static void dense_solve(dense *d)
{
    int col, i;
    for (col = 0; col < d->n; col++) {
        equation *pivot = &d->row[col], kept = *pivot;
        int best = col;
        for (i = col + 1; i < d->n; i++)
            if (fabs(d->row[i].a[col]) > fabs(d->row[best].a[col]))
                best = i;
        *pivot = d->row[best];
        d->row[best] = kept;
        CHECK(fabs(pivot->a[col]) > 1e-6); /* the case has no redundant rows */
        equation_subtract(pivot, 1 - 1 / pivot->a[col], pivot);
        for (i = 0; i < d->n; i++)
            if (i != col)
                equation_subtract(&d->row[i], d->row[i].a[col], pivot);
    }
}

static double entry(spc_spatial v, int k)
{
    const spc_real x[6] = { v.angular.x, v.angular.y, v.angular.z,
                            v.linear.x,  v.linear.y,  v.linear.z };
    return (double)x[k];
}

static spc_spatial unit(int k)
{
    spc_real x[6] = { 0, 0, 0, 0, 0, 0 };
    x[k] = 1;
    return spc_spatial_make(spc_vec3_make(x[0], x[1], x[2]), spc_vec3_make(x[3], x[4], x[5]));
}

/* Newton and Euler about Bo: the force and torque that a body with angular velocity w needs for an
   acceleration A. */
static spc_spatial needed_force(const spc_mass *mass, spc_quat q, spc_vec3 w, spc_spatial A)
{
    const spc_vec3 c = spc_rotate(q, mass->p_BBc);
    const spc_vec3 Ia = spc_rotate(q, spc_inertia_mul(mass->inertia, spc_unrotate(q, A.angular)));
    const spc_vec3 Iw = spc_rotate(q, spc_inertia_mul(mass->inertia, spc_unrotate(q, w)));
    const spc_vec3 a_c =
        spc_add(spc_add(A.linear, spc_cross(A.angular, c)), spc_cross(w, spc_cross(w, c)));
    const spc_vec3 force = spc_scale(mass->mass, a_c);
    return spc_spatial_make(spc_add(spc_add(Ia, spc_cross(w, Iw)), spc_cross(c, force)), force);
}

/* M A = f less the velocity terms, for the body of a scene under gravity. */
static dense dense_body(const scene *s)
{
    const spc_spatial rest = spc_spatial_make(zero, zero);
    const spc_state state = state_of(s->world, s->disc);
    spc_spatial needed, gravity = rest;
    spc_mass mass;
    dense d;
    int i, k;
    memset(&d, 0, sizeof d);
    CHECK_STATUS(spc_body_get_mass(s->world, s->disc, &mass), SPC_OK);
    gravity.linear = spc_world_gravity(s->world);
    gravity = needed_force(&mass, state.X_GB.q, zero, gravity);
    needed = needed_force(&mass, state.X_GB.q, state.V_GB.angular, rest);
    d.n = 6;
    for (k = 0; k < 6; k++) {
        const spc_spatial column = needed_force(&mass, state.X_GB.q, zero, unit(k));
        for (i = 0; i < 6; i++)
            d.row[i].a[k] = entry(column, i);
    }
    for (i = 0; i < 6; i++)
        d.row[i].b = entry(gravity, i) - entry(needed, i);
    return d;
}

/* Adds M A + J^T l and J A = -bias for a constraint's rows. */
static void dense_add(dense *d, const spc_rows *rows)
{
    int i, k;
    for (i = 0; i < rows->count; i++) {
        if (!(rows->enforced >> i & 1u))
            continue;
        for (k = 0; k < 6; k++)
            d->row[k].a[d->n] = d->row[d->n].a[k] = entry(rows->jacobian_b[i], k);
        d->row[d->n++].b = -(double)rows->jdot_v[i];
    }
}

/* Accelerations and multipliers of a body on ground under some constraints are those of the dense
   equations. */
static void check_dense(const scene *s, const spc_constraint *c, int count, double tolerance)
{
    const spc_spatial A = accelerate(s);
    dense d = dense_body(s);
    int i, k, next = 6;
    for (k = 0; k < count; k++) {
        const spc_rows rows = rows_of(s->world, c[k]);
        dense_add(&d, &rows);
    }
    dense_solve(&d);
    for (i = 0; i < 6; i++)
        CHECK_NEAR(entry(A, i), d.row[i].b, tolerance);
    for (k = 0; k < count; k++) {
        spc_real lambda[SPC_MAX_ROWS];
        CHECK_STATUS(spc_constraint_get_multipliers(s->world, c[k], lambda), SPC_OK);
        for (i = 0; i < 3; i++)
            if (rows_of(s->world, c[k]).enforced >> i & 1u)
                CHECK_NEAR(lambda[i], d.row[next++].b, tolerance);
        check_rows_are_met(s->world, c[k], tolerance);
    }
}

/* Random bodies in random motion: forces of some 100 N and accelerations of some 1000/s^2, from
   equations whose solution carries some hundred roundings. */
#define DENSE_TOLERANCE (1e4 * TEST_EPSILON)

/* A random disc of any inertia in a random motion; its axis is at least 0.3 from the normal. */
static scene make_random_disc(void)
{
    const spc_mass mass = test_random_mass();
    spc_rolling_disc shape = spc_rolling_disc_default();
    spc_state state;
    shape.radius = (spc_real)test_random(0.3, 0.8);
    shape.p_BS = test_random_vec3(0.2);
    shape.X_FP = test_random_transform(0.5);
    shape.axis_B = random_unit();
    do
        state = test_random_state();
    while (length(spc_cross(spc_rotate(state.X_GB.q, shape.axis_B), spc_rotate(shape.X_FP.q, up))) <
           0.3);
    return make_scene(&mass, &shape, &state);
}

/* Each of the 8 masks of rows: multipliers of rows that are off are 0, rows that are on are met,
   the rest is as the dense equations have it, and the counts say what is on. */
static void each_row_of_a_disc_can_be_off(void)
{
    int turn;
    for (turn = 0; turn < 200; turn++) {
        const bool lateral = turn & 1, longitudinal = turn & 2, normal = turn & 4;
        const scene s = make_random_disc();
        spc_constraint_info info;
        set_rows(&s, lateral, longitudinal, normal);
        check_dense(&s, &s.contact, 1, DENSE_TOLERANCE);
        CHECK_STATUS(spc_constraint_get_info(s.world, s.contact, &info), SPC_OK);
        CHECK(info.position_rows == normal && info.velocity_rows == lateral + longitudinal);
        CHECK(info.acceleration_rows == 0);
        CHECK(spc_world_row_count(s.world) == lateral + longitudinal + normal);
        free(s.world);
    }
}

/* ------------------------------------------------------------- several contacts, one body ----- */

/* A sphere of a scene's body, on the plane z = 0 of ground. */
static spc_constraint add_sphere(const scene *s, spc_vec3 p_BS, double radius, bool rolling)
{
    spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
    spc_constraint c = { 0, 0 };
    d.ball = s->disc;
    d.shape.p_BS = p_BS;
    d.shape.radius = (spc_real)radius;
    d.shape.rolling = rolling;
    CHECK_STATUS(spc_sphere_on_plane_add(s->world, &d, &c), SPC_OK);
    return c;
}

/* Another disc of a scene's body, like its first one but at another place. */
static spc_constraint add_disc(const scene *s, spc_vec3 p_BS)
{
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    spc_constraint c = { 0, 0 };
    d.disc = s->disc;
    CHECK_STATUS(spc_rolling_disc_get(s->world, s->contact, &d.shape), SPC_OK);
    d.shape.p_BS = p_BS;
    CHECK_STATUS(spc_rolling_disc_add(s->world, &d, &c), SPC_OK);
    return c;
}

/* A disc that drags a frictionless sphere along: four rows, in states that satisfy them. */
static void a_disc_and_a_sphere_on_one_body(void)
{
    int turn;
    for (turn = 0; turn < 50; turn++) {
        spc_rolling_disc shape = spc_rolling_disc_default();
        const spc_mass mass = test_random_mass();
        spc_state state = test_random_state();
        spc_constraint both[2];
        scene s;
        shape.axis_B = vec(0, 0, 1);
        shape.radius = SPC_R(0.5);
        state.X_GB.q = spc_quat_from_rotation_vector(vec(1.2, 0, 0));
        state.X_GB.p.z = SPC_R(0.5);
        s = make_scene(&mass, &shape, &state);
        both[0] = s.contact;
        both[1] = add_sphere(&s, vec(test_random(-0.3, 0.3), 0, 0.8), 0.3, false);
        CHECK_STATUS(spc_world_assemble(s.world, (spc_real)(10 * TEST_EPSILON), NULL), SPC_OK);
        CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
        check_dense(&s, both, 2, DENSE_TOLERANCE);
        free(s.world);
    }
}

/* A disc and a sphere on one axis roll like a cone: about the line between their contact points,
   and round the point where that line and the axis meet, at a constant rate. Rows along that line
   are redundant; they are alike, so that multipliers of least norm are alike, too, and the disc's
   lateral row can be left out. */
#define CONE_TILT 1.2
#define CONE_LENGTH 0.4

static scene make_cone(double rate, spc_constraint *sphere)
{
    const coin c = thin_coin(0.5, false);
    roll y = roll_make(CONE_TILT, 0, 0, 0);
    scene s = put_coin(&c, &y);
    const spc_state state = roll_state(&c, &y);
    const double radius = (double)state.X_GB.p.z + CONE_LENGTH * cos(CONE_TILT);
    *sphere = add_sphere(&s, vec(0, 0, CONE_LENGTH), radius, true);
    start_rolling(&s, scaled(rate, roll_directions(&y).lateral));
    return s;
}

/* w = rate w_lat turns the axis about the vertical with -w . w3 / sine. */
#define CONE_RATE 5
#define CONE_TURN (-CONE_RATE * cos(CONE_TILT) / sin(CONE_TILT))

static void a_disc_and_a_sphere_on_one_axis_are_a_cone_at_an_instant(void)
{
    spc_constraint sphere;
    const scene s = make_cone(CONE_RATE, &sphere);
    const spc_state start = state_of(s.world, s.disc);
    const spc_spatial A = accelerate(&s);
    const spc_vec3 w_lat = contact_of(&s).R_GJ1.x, n = vec(0, 0, CONE_TURN);
    CHECK_NEAR(distance(A.angular, spc_cross(n, start.V_GB.angular)), 0, 1e3 * TEST_EPSILON);
    CHECK_NEAR(distance(A.linear, spc_cross(n, start.V_GB.linear)), 0, 1e3 * TEST_EPSILON);
    check_rows_are_met(s.world, s.contact, 1e3 * TEST_EPSILON);
    check_rows_are_met(s.world, sphere, 1e3 * TEST_EPSILON);
    CHECK_NEAR(dot(force_of(s.world, s.contact).force_G, w_lat),
               dot(force_of(s.world, sphere).force_G, w_lat), 1e3 * TEST_EPSILON);
    free(s.world);
}

/* Off the cone by the method's error the redundant rows are almost so, in directions that are not
   those of the rows: the worst for finding a rank. */
static void a_cone_rolls_around_with_and_without_the_redundant_row(void)
{
    const int steps = IN_DOUBLE_OR_FLOAT(4000, 500);
    /* 3.2 s at w = 5/s, h = 8e-4: 3.2 w (h w)^4 / 120 */
    const double tolerance = IN_DOUBLE_OR_FLOAT(3e-11, 1e4 * TEST_EPSILON);
    int lateral, i;
    for (lateral = 0; lateral < 2; lateral++) {
        spc_constraint sphere;
        const scene s = make_cone(CONE_RATE, &sphere);
        const spc_state start = state_of(s.world, s.disc);
        spc_state end;
        set_rows(&s, lateral != 0, true, true);
        for (i = 0; i < steps; i++)
            step_rk4(&s, fabs(2 * PI / CONE_TURN) / steps, SPC_DRIFT_PROJECT);
        end = state_of(s.world, s.disc);
        CHECK_NEAR(distance(end.X_GB.p, start.X_GB.p), 0, tolerance);
        CHECK_NEAR(distance(end.V_GB.linear, start.V_GB.linear), 0, tolerance);
        CHECK(spc_norm(force_of(s.world, sphere).force_G) < 30); /* 12 N; never spikes */
        free(s.world);
    }
}

/* Two wheels on a rigid axle along y, whose middle is at the origin of its body, on a plane tilted
   by an angle about y; the wheels head by another angle away from the line of fall. */
#define SLOPE 0.2
#define WHEELS_HEADING 0.7
#define TRACK 0.6

static scene make_wheels(spc_constraint *right)
{
    spc_mass mass = spc_mass_cylinder(3, SPC_R(0.2), SPC_R(0.5)); /* its axis is z */
    const spc_quat fall = spc_quat_from_rotation_vector(vec(0, SLOPE, 0));
    spc_rolling_disc shape = spc_rolling_disc_default();
    spc_state state = spc_state_identity();
    scene s;
    shape.X_FP.q = fall;
    shape.axis_B = up;
    shape.radius = SPC_R(0.25);
    shape.p_BS = vec(0, 0, TRACK);
    mass.p_BBc = vec(0, 0, 0.1);
    state.X_GB.q = spc_quat_from_rotation_vector(vec(0, 0, WHEELS_HEADING));
    state.X_GB.q = spc_quat_mul(
        fall, spc_quat_mul(state.X_GB.q, spc_quat_from_rotation_vector(vec(-PI / 2, 0, 0))));
    state.X_GB.p = scaled(0.25, spc_rotate(fall, up));
    s = make_scene(&mass, &shape, &state);
    *right = add_disc(&s, vec(0, 0, -TRACK));
    return s;
}

/* With k = C / (m r^2) the wheels go with g sin(slope) cos(heading) / (1 + k), straight on. The two
   lateral rows are alike: they share the load, and one of them does as well. */
static void two_wheels_on_an_axle_go_straight(void)
{
    spc_constraint right;
    const scene s = make_wheels(&right);
    const double k = 0.5 * 0.2 * 0.2 / (0.25 * 0.25), rounding = 1e3 * TEST_EPSILON;
    const double a = G * sin(SLOPE) * cos(WHEELS_HEADING) / (1 + k);
    const spc_vec3 ahead = contact_of(&s).R_GJ1.y, axis = contact_of(&s).R_GD1.x;
    const spc_spatial A = accelerate(&s);
    const double load = (double)force_of(s.world, s.contact).force_P.x;
    spc_spatial alone;
    int i;
    CHECK_NEAR(distance(A.linear, scaled(a, ahead)), 0, rounding);
    CHECK_NEAR(distance(A.angular, scaled(a / 0.25, axis)), 0, rounding / 0.25);
    CHECK_NEAR(fabs(load), 3 * G * sin(SLOPE) * sin(WHEELS_HEADING) / 2, rounding);
    CHECK_NEAR(force_of(s.world, right).force_P.x, load, rounding);
    check_rows_are_met(s.world, s.contact, rounding);
    check_rows_are_met(s.world, right, rounding);
    for (i = 0; i < 2000; i++)
        if (i % 2)
            CHECK_STATUS(spc_step(s.world, SPC_R(1e-3)), SPC_OK);
        else
            step_rk4(&s, 1e-3, SPC_DRIFT_PROJECT);
    CHECK_NEAR(distance(contact_of(&s).R_GJ1.y, ahead), 0, rounding);
    CHECK_NEAR(force_of(s.world, s.contact).power, 0, rounding);
    CHECK_NEAR(force_of(s.world, right).power, 0, rounding);
    /* 2 s; steps of either kind are exact where nothing but the speed changes */
    CHECK_NEAR(dot(state_of(s.world, s.disc).X_GB.p, ahead), a * 2, rounding);
    set_rows(&s, false, true, true);
    alone = accelerate(&s);
    CHECK_NEAR(distance(alone.linear, A.linear), 0, rounding);
    CHECK_NEAR(distance(alone.angular, A.angular), 0, rounding / 0.25);
    CHECK_NEAR(force_of(s.world, right).force_P.x, 2 * load, rounding);
    free(s.world);
}

/* --------------------------------------------------------------- a disc next to a sphere ------ */

/* A sphere and an upright disc of one centre and radius, in motion on a moving floor. */
typedef struct twins {
    spc_state floor, body;
    spc_sphere_on_plane sphere;
    spc_rolling_disc disc;
    spc_rows of_sphere, of_disc;
} twins;

static twins make_twins(void)
{
    twins t;
    spc_vec3 n, axis_G;
    t.floor = test_random_state();
    t.body = test_random_state();
    t.sphere = spc_sphere_on_plane_default();
    t.disc = spc_rolling_disc_default();
    t.sphere.X_FP = t.disc.X_FP = test_random_transform(1);
    t.sphere.p_BS = t.disc.p_BS = test_random_vec3(0.3);
    t.sphere.radius = t.disc.radius = (spc_real)test_random(0.2, 1);
    n = spc_rotate(t.floor.X_GB.q, spc_rotate(t.disc.X_FP.q, up));
    while (spc_normalize(spc_cross(n, random_unit()), &axis_G))
        ;
    t.disc.axis_B = spc_unrotate(t.body.X_GB.q, axis_G);
    CHECK_STATUS(spc_sphere_on_plane_rows(&t.sphere, &t.floor, &t.body, &t.of_sphere), SPC_OK);
    CHECK_STATUS(spc_rolling_disc_rows(&t.disc, &t.floor, &t.body, &t.of_disc), SPC_OK);
    return t;
}

/* Row numbers of the sphere along the axes of the disc's contact frame. */
static spc_vec3 as_disc(const twins *t, const spc_real *x)
{
    return spc_mat3_transpose_mul(t->of_disc.R_GP, spc_mat3_mul(t->of_sphere.R_GP, three(x)));
}

/* What (4.15) adds for an upright disc, c = 0 and a = 1, so that w3 = -n and y = -w_n:
   w x r (w . w2) w_lat = r w_2 (w_2 n - w_n w2), and the turn y (s_longitudinal, -s_lateral, 0). */
static spc_vec3 bias_of_travel(const twins *t)
{
    const spc_vec3 w_G = spc_sub(t->body.V_GB.angular, t->floor.V_GB.angular);
    const spc_vec3 w = spc_mat3_transpose_mul(t->of_disc.R_GP, w_G);
    const spc_real *s = t->of_disc.velocity_errors, r = t->disc.radius;
    return spc_vec3_make(-w.z * s[1], w.z * s[0] - r * w.y * w.z, r * w.y * w.y);
}

/* Ten roundings of terms of up to w s = 300 m/s^2, with w = 10/s and slips s of 30 m/s. */
#define TWINS_ROUNDING (3e3 * TEST_EPSILON)

/* Rows times velocities of the floor and of the body; NULL for one at rest. */
static void check_twin_jacobians(const twins *t, const spc_spatial *V_F, const spc_spatial *V_B)
{
    spc_real of_sphere[SPC_MAX_ROWS], of_disc[SPC_MAX_ROWS];
    spc_rows_mul(&t->of_sphere, V_F, V_B, of_sphere);
    spc_rows_mul(&t->of_disc, V_F, V_B, of_disc);
    CHECK_NEAR(distance(as_disc(t, of_sphere), three(of_disc)), 0, TWINS_ROUNDING);
}

static void check_twins(const twins *t)
{
    const spc_rows *sphere = &t->of_sphere, *disc = &t->of_disc;
    int k;
    CHECK_NEAR(distance(disc->p_GC, sphere->p_GC), 0, TWINS_ROUNDING);
    CHECK_NEAR(disc->separation, sphere->separation, TWINS_ROUNDING);
    CHECK_NEAR(distance(as_disc(t, sphere->velocity_errors), three(disc->velocity_errors)), 0,
               TWINS_ROUNDING);
    CHECK_NEAR(
        distance(spc_add(as_disc(t, sphere->jdot_v), bias_of_travel(t)), three(disc->jdot_v)), 0,
        TWINS_ROUNDING);
    for (k = 0; k < 6; k++) {
        const spc_spatial V = unit(k);
        check_twin_jacobians(t, &V, NULL);
        check_twin_jacobians(t, NULL, &V);
    }
}

static void an_upright_disc_has_the_rows_of_a_sphere(void)
{
    int turn;
    for (turn = 0; turn < 500; turn++) {
        const twins t = make_twins();
        check_twins(&t);
    }
}

/* A body with a ball's mass that rolls straight down a plane in an oblique frame, X_GP.q = q, as an
   upright disc or as a sphere. */
#define RUNNER_RADIUS 0.3

static scene make_runner(bool as_sphere, spc_quat q)
{
    const spc_mass mass = spc_mass_solid_sphere(1, SPC_R(RUNNER_RADIUS));
    spc_rolling_disc shape = spc_rolling_disc_default();
    spc_state state = spc_state_identity();
    scene s;
    shape.axis_B = vec(0, 1, 0);
    shape.radius = SPC_R(RUNNER_RADIUS);
    shape.X_FP.q = q;
    state.X_GB = spc_transform_make(q, scaled(RUNNER_RADIUS, spc_rotate(q, up)));
    s = make_scene(&mass, &shape, &state);
    start_rolling(&s, spc_rotate(q, vec(0, 12, 0)));
    CHECK_STATUS(spc_world_set_gravity(
                     s.world, spc_rotate(q, vec(G * sin(SLOPE / 4), 0, -G * cos(SLOPE / 4)))),
                 SPC_OK);
    if (as_sphere) {
        spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
        CHECK_STATUS(spc_constraint_remove(s.world, s.contact), SPC_OK);
        d.ball = s.disc;
        d.shape.X_FP = shape.X_FP;
        d.shape.radius = shape.radius;
        CHECK_STATUS(spc_sphere_on_plane_add(s.world, &d, &s.contact), SPC_OK);
    }
    return s;
}

static spc_state run_for_ten_seconds(scene s, bool rk4)
{
    const double h = IN_DOUBLE_OR_FLOAT(1e-3, 1e-2);
    spc_state end;
    int i;
    for (i = 0; i * h < 10; i++)
        if (rk4)
            step_rk4(&s, h, SPC_DRIFT_STABILIZE);
        else
            CHECK_STATUS(spc_step(s.world, (spc_real)h), SPC_OK);
    end = state_of(s.world, s.disc);
    free(s.world);
    return end;
}

/* Straight ahead they move alike. A disc that fast is stable (w^2 > 5 g/(7 r) with a ball's
   inertia), but its heading is free: 10,000 steps' rounding of w = 16/s adds up at random to a
   heading rate of 100 epsilon w, for ten seconds, on a path of 50 m. */
static void a_disc_rolls_ahead_like_a_sphere(void)
{
    const double w = 16, heading = 100 * TEST_EPSILON * w * 10;
    int method;
    for (method = 0; method < 2; method++) {
        const spc_quat q = test_random_quat();
        const spc_state disc = run_for_ten_seconds(make_runner(false, q), method == 1);
        const spc_state sphere = run_for_ten_seconds(make_runner(true, q), method == 1);
        CHECK(length(sphere.X_GB.p) > 40);
        CHECK_NEAR(distance(disc.X_GB.p, sphere.X_GB.p), 0, heading * 50 / 2);
        CHECK_NEAR(distance(disc.V_GB.angular, sphere.V_GB.angular), 0, heading * w);
    }
}

/* ----------------------------------------------------------------------------- assembly ------- */

/* Moves the body along the normal until its contact point is at a height. */
static void put_at_height(const scene *s, double height)
{
    const spc_rows rows = rows_of(s->world, s->contact);
    spc_state state = state_of(s->world, s->disc);
    state.X_GB.p = spc_add(state.X_GB.p, scaled(height - (double)rows.separation, rows.R_GP.z));
    set_state(s, &state);
}

/* Tilted discs above and below the plane are brought into contact; without the normal row they have
   no position error, and are left alone to the bit. */
static void assembly_brings_a_disc_into_contact(void)
{
    const spc_real tolerance = (spc_real)(20 * TEST_EPSILON);
    int turn;
    for (turn = 0; turn < 200; turn++) {
        const bool normal = turn % 4 != 0;
        const scene s = make_random_disc();
        spc_real residual = 1;
        spc_state before, after;
        double height;
        put_at_height(&s, turn % 2 ? 0.1 : -0.1);
        before = state_of(s.world, s.disc);
        height = (double)rows_of(s.world, s.contact).separation;
        set_rows(&s, true, true, normal);
        CHECK_STATUS(spc_world_assemble(s.world, tolerance, &residual), SPC_OK);
        after = state_of(s.world, s.disc);
        CHECK(residual <= tolerance);
        CHECK(memcmp(&after.V_GB, &before.V_GB, sizeof after.V_GB) == 0);
        CHECK((memcmp(&after, &before, sizeof after) != 0) == normal);
        CHECK_NEAR(rows_of(s.world, s.contact).separation, normal ? 0 : height, tolerance);
        free(s.world);
    }
}

/* --------------------------------------------------------------------- an almost flat disc ---- */

/* A disc on a floor, both moving. */
typedef struct tilted {
    spc_rolling_disc shape;
    spc_state floor, disc;
    spc_mass mass;
    spc_vec3 gravity;
} tilted;

/* What the library says of it. */
typedef struct report {
    spc_rows rows;
    spc_disc_contact contact;
    spc_spatial A;
    spc_real lambda[SPC_MAX_ROWS];
} report;

/* Random motion of a body whose inertia is much like that of a ball, at a given sine between axis
   and normal. The frames are aligned, so that axis and normal come to the kernel without rounding:
   along = (sine b, -sine a, 0) and the cosine are as exact as they can be. */
static tilted make_tilted(double sine, double azimuth)
{
    tilted t;
    t.shape = spc_rolling_disc_default();
    t.shape.axis_B = vec(sine * cos(azimuth), sine * sin(azimuth), sqrt(1 - sine * sine));
    t.shape.radius = SPC_R(0.5);
    t.shape.p_BS = test_random_vec3(0.2);
    t.floor = spc_state_identity();
    t.floor.V_GB = test_random_spatial(2, 2);
    t.disc = spc_state_identity();
    t.disc.X_GB.p = test_random_vec3(1);
    t.disc.V_GB = test_random_spatial(2, 2);
    t.mass = spc_mass_solid_sphere(1, SPC_R(0.7));
    t.mass.inertia.xy = SPC_R(0.03);
    t.mass.inertia.zz *= SPC_R(1.2);
    t.mass.p_BBc = test_random_vec3(0.1);
    t.gravity = test_random_vec3(G);
    return t;
}

static spc_spatial rotated_spatial(spc_quat q, spc_spatial v)
{
    return spc_spatial_make(spc_rotate(q, v.angular), spc_rotate(q, v.linear));
}

/* The product of two rotations, made unit: kernels want that. */
static spc_quat turned(spc_quat a, spc_quat b)
{
    spc_quat q = spc_quat_identity();
    CHECK_STATUS(spc_quat_normalize(spc_quat_mul(a, b), &q), SPC_OK);
    return q;
}

/* The same scene elsewhere, X, described in other axes of both bodies, q_FF' and q_BB'. */
static tilted moved(const tilted *t, spc_transform X, spc_quat q_FF, spc_quat q_BB)
{
    const spc_mat3 R_BB = spc_mat3_from_quat(spc_quat_conjugate(q_BB));
    tilted out = *t;
    out.floor.X_GB = spc_transform_make(turned(X.q, q_FF), spc_transform_point(X, t->floor.X_GB.p));
    out.floor.V_GB = rotated_spatial(X.q, t->floor.V_GB);
    out.disc.X_GB = spc_transform_make(turned(X.q, q_BB), spc_transform_point(X, t->disc.X_GB.p));
    out.disc.V_GB = rotated_spatial(X.q, t->disc.V_GB);
    out.shape.X_FP.q = spc_quat_conjugate(q_FF);
    out.shape.axis_B = spc_unrotate(q_BB, t->shape.axis_B);
    out.shape.p_BS = spc_unrotate(q_BB, t->shape.p_BS);
    out.mass.p_BBc = spc_unrotate(q_BB, t->mass.p_BBc);
    out.mass.inertia = spc_inertia_rotate(R_BB, t->mass.inertia);
    out.gravity = spc_rotate(X.q, t->gravity);
    return out;
}

/* Of a kinematic floor without acceleration. */
static scene make_tilted_scene(const tilted *t)
{
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    scene s;
    s.world = make_world();
    CHECK_STATUS(spc_world_set_gravity(s.world, t->gravity), SPC_OK);
    body.mass = t->mass;
    body.state = t->disc;
    CHECK_STATUS(spc_body_add(s.world, &body, &s.disc), SPC_OK);
    body.kind = SPC_KINEMATIC;
    body.state = t->floor;
    CHECK_STATUS(spc_body_add(s.world, &body, &s.floor), SPC_OK);
    d.disc = s.disc;
    d.floor = s.floor;
    d.shape = t->shape;
    CHECK_STATUS(spc_rolling_disc_add(s.world, &d, &s.contact), SPC_OK);
    return s;
}

static report report_of(const tilted *t)
{
    const scene s = make_tilted_scene(t);
    report r;
    CHECK_STATUS(spc_rolling_disc_rows(&t->shape, &t->floor, &t->disc, &r.rows), SPC_OK);
    CHECK_STATUS(spc_rolling_disc_contact(&t->shape, &t->floor, &t->disc, &r.contact), SPC_OK);
    r.A = accelerate(&s);
    CHECK_STATUS(spc_constraint_get_multipliers(s.world, s.contact, r.lambda), SPC_OK);
    free(s.world);
    return r;
}

/* Sizes that errors are measured by. */
typedef struct sizes {
    double w, v, r;
} sizes; /* of angular velocities, speeds, radius */

static sizes sizes_of(const tilted *t)
{
    sizes z;
    z.r = (double)t->shape.radius;
    z.w = length(t->floor.V_GB.angular) + length(t->disc.V_GB.angular);
    z.v = length(t->floor.V_GB.linear) + length(t->disc.V_GB.linear) + 3 * z.w;
    return z;
}

/* In aligned axes J1 = [(a b 0) (b -a 0) (0 0 1)] and C = S + r (c w_lat - sine n) hold to rounding
   at any sine, and with y = w . w3 / sine the contact point travels with r (w . w1 + c y). */
static void check_aligned(const tilted *t, const report *got, double sine, double azimuth)
{
    const double a = cos(azimuth), b = sin(azimuth), c = sqrt(1 - sine * sine);
    const double r = (double)t->shape.radius;
    const spc_vec3 q = vec(r * c * a, r * c * b, -r * sine);
    const spc_vec3 w = spc_sub(t->disc.V_GB.angular, t->floor.V_GB.angular);
    const double y = dot(w, q) / (r * sine), travel = r * (dot(w, t->shape.axis_B) + c * y);
    const spc_vec3 C = spc_add(spc_add(t->disc.X_GB.p, t->shape.p_BS), q);
    const spc_vec3 body =
        spc_add(t->disc.V_GB.linear, spc_cross(t->disc.V_GB.angular, spc_add(t->shape.p_BS, q)));
    const spc_vec3 slip =
        spc_sub(body, spc_add(t->floor.V_GB.linear, spc_cross(t->floor.V_GB.angular, C)));
    const sizes z = sizes_of(t);
    spc_mat3 J1;
    J1.x = vec(a, b, 0);
    J1.y = vec(b, -a, 0);
    J1.z = up;
    CHECK_NEAR(frame_distance(got->rows.R_GP, J1), 0, 4 * TEST_EPSILON);
    CHECK_NEAR(distance(got->rows.p_GC, C), 0, 8 * TEST_EPSILON);
    CHECK_NEAR(distance(three(got->rows.velocity_errors), spc_mat3_transpose_mul(J1, slip)), 0,
               8 * TEST_EPSILON * z.v);
    CHECK_NEAR(distance(got->contact.trail_velocity, spc_add(slip, scaled(travel, J1.y))), 0,
               8 * TEST_EPSILON * (z.v + r * z.w / sine));
}

/* The error of w1 and n themselves, in epsilon, when a scene is moved: that of the pose's and the
   plane frame's quaternions (each a product made unit, with components off by epsilon / 2 or so,
   which turns by up to 2 epsilon), and three rotations of a vector. */
#define MOVING 8

/* What a moved scene gives, against the aligned one. J1 turns by MOVING epsilon / sine; p_GC and
   velocity errors follow at the ends of r and w: k = 1. y = w . w3 / sine has both the direction's
   error and the sine's, relative to a size of w / sine: k = 2 for all that has y in it, which are
   travel, bias, multipliers, accelerations. Heights have no direction in them: k = 0. */
static void check_moved(const tilted *t, const report *got, const report *want, spc_transform X,
                        double sine)
{
    const sizes z = sizes_of(t);
    const double e0 = MOVING * TEST_EPSILON, e1 = e0 / sine, e2 = e1 / sine;
    const double coordinate = 3;           /* [m], at most */
    const double acceleration = z.w * z.v; /* with v > w r; gravity is less, and has k = 1 */
    const spc_quat back = spc_quat_conjugate(X.q);
    const spc_spatial A = rotated_spatial(back, got->A);
    CHECK_NEAR(frame_distance(got->rows.R_GP, rotated_frame(X.q, want->rows.R_GP)), 0, e1);
    CHECK_NEAR(distance(got->rows.p_GC, spc_transform_point(X, want->rows.p_GC)), 0,
               coordinate * e0 + z.r * e1);
    CHECK_NEAR(got->rows.separation, want->rows.separation, coordinate * e0);
    CHECK_NEAR(distance(three(got->rows.velocity_errors), three(want->rows.velocity_errors)), 0,
               z.v * e1);
    CHECK_NEAR(distance(got->contact.trail_velocity, spc_rotate(X.q, want->contact.trail_velocity)),
               0, z.v * e1 + z.r * z.w * e2);
    CHECK_NEAR(distance(three(got->rows.jdot_v), three(want->rows.jdot_v)), 0, acceleration * e2);
    CHECK_NEAR(distance(three(got->lambda), three(want->lambda)), 0,
               (double)t->mass.mass * acceleration * e2);
    CHECK_NEAR(distance(A.linear, want->A.linear), 0, acceleration * e2);
    CHECK_NEAR(distance(A.angular, want->A.angular), 0, acceleration / z.r * e2);
}

/* Sines from 0.1 down to 1e-6; in single precision an axis this close to the normal would be
   parallel to it, and 1e-5 is the last. */
static void an_almost_flat_disc_is_as_exact_as_its_directions(void)
{
    const int most = IN_DOUBLE_OR_FLOAT(6, 5);
    int k, turn;
    for (k = 1; k <= most; k++)
        for (turn = 0; turn < 300; turn++) {
            const double sine = pow(10, -k), azimuth = test_random(-PI, PI);
            const tilted t = make_tilted(sine, azimuth);
            const report want = report_of(&t);
            const spc_transform X = test_random_transform(1);
            const spc_quat q_FF = test_random_quat(), q_BB = test_random_quat();
            const tilted there = moved(&t, X, q_FF, q_BB);
            const report got = report_of(&there);
            check_aligned(&t, &want, sine, azimuth);
            check_moved(&t, &got, &want, X, sine);
        }
}

/* An axis along the normal, or against it, up to rounding: refused wherever the scene is. With an
   angle of 1e-6 (float: 1e-5) between them it never is. */
static void parallel_axes_are_always_seen(void)
{
    const spc_real angle = SPC_R(IN_DOUBLE_OR_FLOAT(1e-6, 1e-5));
    int turn;
    for (turn = 0; turn < 10000; turn++) {
        spc_rolling_disc shape = spc_rolling_disc_default();
        spc_state floor = spc_state_identity(), disc = floor;
        spc_vec3 n, across;
        spc_rows rows;
        floor.X_GB = test_random_transform(1);
        disc.X_GB = test_random_transform(1);
        shape.X_FP = test_random_transform(1);
        shape.radius = 1;
        n = spc_rotate(floor.X_GB.q, spc_rotate(shape.X_FP.q, up));
        shape.axis_B = spc_unrotate(disc.X_GB.q, turn % 2 ? n : spc_scale(-1, n));
        CHECK_STATUS(spc_rolling_disc_rows(&shape, &floor, &disc, &rows),
                     SPC_ERROR_NO_CONTACT_POINT);
        while (spc_normalize(spc_cross(n, random_unit()), &across))
            ;
        across = spc_scale(angle, spc_unrotate(disc.X_GB.q, across));
        shape.axis_B = spc_add(shape.axis_B, across);
        CHECK_STATUS(spc_rolling_disc_rows(&shape, &floor, &disc, &rows), SPC_OK);
    }
}

/* Euler's disk, almost flat: the weight is borne to rounding whatever the sine. */
static void the_force_on_an_almost_flat_coin_is_its_weight(void)
{
    int k;
    for (k = 1; k <= IN_DOUBLE_OR_FLOAT(6, 5); k++) {
        const double sine = pow(10, -k);
        const coin c = thin_coin(0.2, false);
        roll y = roll_make(asin(sine), 0, sqrt(4 * G / (c.r * sine)), 0);
        const scene s = put_coin(&c, &y);
        (void)accelerate(&s);
        CHECK_NEAR(force_of(s.world, s.contact).force_P.z, c.m * G, 20 * TEST_EPSILON * c.m * G);
        free(s.world);
    }
}

/* ------------------------------------------------------------------------------ the trail ----- */

/* A body after t with its velocities kept: what the contact point's velocity depends on. */
static spc_state later(const spc_state *s, double t)
{
    spc_state out = *s;
    out.X_GB.q = spc_quat_integrate(s->X_GB.q, s->V_GB.angular, (spc_real)t);
    out.X_GB.p = spc_add(s->X_GB.p, scaled(t, s->V_GB.linear));
    return out;
}

/* Differences over five points at distances of H: the rule's error is H^4 w^5 / 30 of positions of
   1 m at rates w up to 20/s (7/s of the bodies, and y of (4.13) at sines from 0.5), and rounding
   enters as epsilon / H, some 100 times. */
#define H IN_DOUBLE_OR_FLOAT(2.5e-4, 1e-2)
#define DIFFERENCES (H * H * H * H * 3.2e6 / 30 + 100 * TEST_EPSILON / H)

static spc_vec3 difference_of_contact(const tilted *t)
{
    static const double weight[4] = { 1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12 };
    static const double place[4] = { -2, -1, 1, 2 };
    spc_vec3 sum = zero;
    int k;
    for (k = 0; k < 4; k++) {
        const spc_state floor = later(&t->floor, place[k] * H),
                        disc = later(&t->disc, place[k] * H);
        spc_disc_contact contact;
        CHECK_STATUS(spc_rolling_disc_contact(&t->shape, &floor, &disc, &contact), SPC_OK);
        sum = spc_add(sum, scaled(weight[k] / H, contact.p_GC));
    }
    return sum;
}

/* On a floor that moves and turns about an origin elsewhere: v_GC is the derivative of p_GC, the
   trail leaves out the velocity of the floor's material there, and a world says what the pure
   function says, to the bit. Ten roundings of speeds of up to 20 m/s. */
static void the_trail_is_how_the_contact_point_travels(void)
{
    int turn;
    for (turn = 0; turn < 300; turn++) {
        const double sine = test_random(0.5, 1), azimuth = test_random(-PI, PI);
        tilted t = make_tilted(sine, azimuth);
        const spc_transform X = test_random_transform(1);
        const spc_quat q_FF = test_random_quat(), q_BB = test_random_quat();
        spc_disc_contact contact, of_world;
        spc_vec3 floor;
        scene s;
        t = moved(&t, X, q_FF, q_BB);
        s = make_tilted_scene(&t);
        CHECK_STATUS(spc_body_get_state(s.world, s.floor, &t.floor), SPC_OK);
        CHECK_STATUS(spc_rolling_disc_get(s.world, s.contact, &t.shape), SPC_OK);
        t.disc = state_of(s.world, s.disc);
        CHECK_STATUS(spc_rolling_disc_contact(&t.shape, &t.floor, &t.disc, &contact), SPC_OK);
        of_world = contact_of(&s);
        CHECK(memcmp(&contact, &of_world, sizeof contact) == 0);
        CHECK_NEAR(distance(contact.v_GC, difference_of_contact(&t)), 0, DIFFERENCES);
        floor = spc_add(t.floor.V_GB.linear,
                        spc_cross(t.floor.V_GB.angular, spc_sub(contact.p_GC, t.floor.X_GB.p)));
        CHECK_NEAR(distance(contact.trail_velocity, spc_sub(contact.v_GC, floor)), 0,
                   200 * TEST_EPSILON);
        CHECK_NEAR(dot(contact.trail_velocity, contact.R_GJ1.z),
                   rows_of(s.world, s.contact).velocity_errors[2], 200 * TEST_EPSILON);
        free(s.world);
    }
}

/* --------------------------------------------------------------------------------- tops ------- */

/* A top with moments A across and C about one of the axes x y z. */
static spc_mass make_top(int axis, double A, double C)
{
    spc_mass mass = spc_mass_solid_sphere(2, 1);
    mass.inertia.xx = (spc_real)(axis == 0 ? C : A);
    mass.inertia.yy = (spc_real)(axis == 1 ? C : A);
    mass.inertia.zz = (spc_real)(axis == 2 ? C : A);
    mass.p_BBc = test_random_vec3(0.3);
    return mass;
}

/* A free body alone, without gravity. */
static scene make_free(const spc_mass *mass, const spc_state *state)
{
    spc_body_desc body = spc_body_desc_default();
    scene s;
    memset(&s, 0, sizeof s);
    s.world = make_world();
    CHECK_STATUS(spc_world_set_gravity(s.world, zero), SPC_OK);
    body.mass = *mass;
    body.state = *state;
    CHECK_STATUS(spc_body_add(s.world, &body, &s.disc), SPC_OK);
    return s;
}

/* The same top in its own axes and in axes B' turned by q_BB', where its inertia is a full tensor:
   the closed form and Newton's method solve one equation. Each of n steps loses some roundings of
   w, of one sign for a long time, which add up to n^2 / 2 of the angle h w; four of them. */
static void check_top(const spc_mass *mass, double turn)
{
    const int steps = IN_DOUBLE_OR_FLOAT(1000, 200);
    const double h = 0.01, tolerance = 2 * TEST_EPSILON * steps * steps * fmax(1, turn);
    const spc_quat q_BB = test_random_quat();
    spc_mass full = *mass;
    spc_state own = test_random_state(), other, end;
    scene a, b;
    int i;
    own.V_GB.angular = scaled(turn / h, random_unit());
    other = own;
    other.X_GB.q = spc_quat_mul(own.X_GB.q, q_BB);
    full.p_BBc = spc_unrotate(q_BB, mass->p_BBc);
    full.inertia = spc_inertia_rotate(spc_mat3_from_quat(spc_quat_conjugate(q_BB)), mass->inertia);
    a = make_free(mass, &own);
    b = make_free(&full, &other);
    for (i = 0; i < steps; i++) {
        CHECK_STATUS(spc_step(a.world, (spc_real)h), SPC_OK);
        CHECK_STATUS(spc_step(b.world, (spc_real)h), SPC_OK);
    }
    own = state_of(a.world, a.disc);
    end = state_of(b.world, b.disc);
    CHECK_NEAR(frame_distance(spc_mat3_from_quat(spc_quat_mul(own.X_GB.q, q_BB)),
                              spc_mat3_from_quat(end.X_GB.q)),
               0, tolerance);
    CHECK_NEAR(distance(own.V_GB.angular, end.V_GB.angular) * h, 0, turn * tolerance);
    CHECK_NEAR(distance(own.X_GB.p, end.X_GB.p), 0, tolerance * 20); /* it goes some 20 m */
    free(a.world);
    free(b.world);
}

/* Flat, thick and long tops about each axis, turning by up to 2 rad a step. */
static void tops_turn_as_general_bodies_do(void)
{
    static const double about[3] = { 2, 1.2, 0.3 }, turns[3] = { 0.05, 0.6, 2 };
    int axis, i, k;
    for (axis = 0; axis < 3; axis++)
        for (i = 0; i < 3; i++)
            for (k = 0; k < 3; k++) {
                const spc_mass mass = make_top(axis, 1, about[i] * 0.99); /* C < 2 A */
                check_top(&mass, turns[k]);
            }
}

static const test_entry tests[] = {
    TEST(a_flat_coin_has_no_rows),
    TEST(accelerations_are_those_of_the_reduced_equations),
    TEST(a_wobbling_coin_follows_the_reduced_equations),
    TEST(a_coin_rolls_in_a_circle),
    TEST(eulers_disk_keeps_its_centre_at_rest),
    TEST(upright_coins_have_critical_speeds),
    TEST(an_upright_coin_wobbles_or_falls_as_it_should),
    TEST(exudyns_rolling_coin),
    TEST(chaplygins_sleigh_turns_round),
    TEST(a_wobbling_coin_keeps_its_energy),
    TEST(errors_of_a_disc_decay),
    TEST(steps_of_a_disc_take_errors_out),
    TEST(half_the_step_leaves_a_quarter_of_a_discs_errors),
    TEST(a_disc_without_position_errors_hovers_on),
    TEST(each_row_of_a_disc_can_be_off),
    TEST(a_disc_and_a_sphere_on_one_body),
    TEST(a_disc_and_a_sphere_on_one_axis_are_a_cone_at_an_instant),
    TEST(a_cone_rolls_around_with_and_without_the_redundant_row),
    TEST(two_wheels_on_an_axle_go_straight),
    TEST(an_upright_disc_has_the_rows_of_a_sphere),
    TEST(a_disc_rolls_ahead_like_a_sphere),
    TEST(assembly_brings_a_disc_into_contact),
    TEST(an_almost_flat_disc_is_as_exact_as_its_directions),
    TEST(parallel_axes_are_always_seen),
    TEST(the_force_on_an_almost_flat_coin_is_its_weight),
    TEST(the_trail_is_how_the_contact_point_travels),
    TEST(tops_turn_as_general_bodies_do),
};

TEST_MAIN
