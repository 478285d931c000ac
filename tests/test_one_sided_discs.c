/* [7.3] One-sided discs: on their plane, above it, where they may lie flat and turn over, and in
   steps of several parts. A uniform disc has I = m r^2 / 2 about its axis. */
#include "contacts.h"

#define R 0.3

/* Rounding of a thousand steps, beside numbers of the size of 1. */
#define EXACT IN_DOUBLE_OR_FLOAT(1e-10, 5e-4)

/* A disc of 1 kg with its axis along its z, which counts as `turned` from that of the plane. */
typedef struct lone {
    spc_world *world;
    spc_body disc;
    spc_constraint contact;
} lone;

static lone put_disc(spc_vec3 n, double height, spc_vec3 turned, spc_contact_law law)
{
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    spc_body_desc body = spc_body_desc_default();
    lone s;
    s.world = contact_world(4, 8, vec(0, 0, -GRAVITY));
    d.shape.X_FP = plane_at(n, zero);
    body.mass = spc_mass_cylinder(1, real(R), real(0.01));
    body.state.X_GB.p = spc_scale(real(height), n);
    body.state.X_GB.q = spc_quat_mul(d.shape.X_FP.q, spc_quat_from_rotation_vector(turned));
    CHECK_STATUS(spc_body_add(s.world, &body, &s.disc), SPC_OK);
    d.disc = s.disc;
    d.shape.radius = real(R);
    d.shape.axis_B = vec(0, 0, 1);
    d.one_sided = true;
    d.law = law;
    CHECK_STATUS(spc_rolling_disc_add(s.world, &d, &s.contact), SPC_OK);
    return s;
}

/* From flat to upright: the axis goes from z to y. */
static spc_vec3 upright(double more)
{
    return vec(-PI / 2 + more, 0, 0);
}

/* ---------------------------------------------------------------------- on the plane -------- */

/* An upright disc falls from 1 m, and rises to e^2 of it: it is as a ball. */
static void an_upright_disc_bounces_as_high_as_a_ball(void)
{
    int i, kind;
    for (i = 0; i < RATES; i++)
        for (kind = 0; kind < 3; kind++) {
            const double h = 1 / rates[i], e = 0.8;
            lone s = put_disc(vec(0, 0, 1), R + 1, upright(0), law_of(0.3, e));
            spc_state x;
            int n;
            for (n = 0; n < 0.6 * rates[i]; n++)
                CHECK_STATUS(try_call(s.world, kind, h), SPC_OK);
            x = state_of(s.world, s.disc);
            CHECK(x.V_GB.linear.z > 0);
            CHECK_NEAR((double)x.X_GB.p.z - R +
                           (double)(x.V_GB.linear.z * x.V_GB.linear.z) / (2 * GRAVITY),
                       e * e, EXACT);
            free(s.world);
        }
}

/* Upright discs roll down slopes by 2/3 of what they would slide by, and stay on: whether rounding
   puts their centre a little more or less than a radius above the plane does not matter. */
static void upright_discs_roll_down_slopes(void)
{
    int i, kind, n;
    for (i = 1; i <= 20; i++)
        for (kind = 0; kind < 3; kind++) {
            const double slope = 0.04 * i, g = GRAVITY;
            const spc_vec3 normal = vec(sin(slope), 0, cos(slope));
            lone s = put_disc(normal, R, upright(0), law_of(0.9, 0));
            double worst = 0, speed;
            for (n = 0; n < 60; n++) {
                CHECK_STATUS(try_call(s.world, kind, 1 / 60.), SPC_OK);
                note(&worst, (double)contact_of_world(s.world, s.contact).separation);
            }
            CHECK(contact_of_world(s.world, s.contact).state == SPC_CONTACT_ROLLING);
            CHECK_NEAR(worst, 0, EXACT);
            speed = length(state_of(s.world, s.disc).V_GB.linear);
            CHECK_NEAR(speed, 2. / 3 * g * sin(slope), EXACT * 10);
            free(s.world);
        }
}

/* A coin and a wheel lean by 20 degrees and roll on a circle of 8 radii for a turn, as in
   tests/bench/contact.h: with the axis a = cos e + sin z, where e points outward, w = W z + s a has
   s = -W c / r, c the circle of the rim. Off by 1 mm at 240 Hz at most, and by h^2, on one side or
   on both; in single precision 7,000 steps may round by 2e-4 of the way. */
static void discs_roll_in_circles(void)
{
    static const double radii[2] = { 0.0375, 0.3 }, half_widths[2] = { 0.0015, 0.012 };
    const double lean = PI / 9, sine = sin(lean), cosine = cos(lean);
    int i, which, n;
    for (i = 0; i < RATES; i++)
        for (which = 0; which < 4; which++) {
            const double r = radii[which % 2], b = half_widths[which % 2], rho = 8 * r;
            const double c = rho + r * sine - b * cosine, height = r * cosine + b * sine;
            const spc_mass mass = spc_mass_cylinder(1, real(r), real(b));
            const double about = mass.inertia.zz, across = mass.inertia.xx;
            const double turn =
                sqrt(GRAVITY * (r * sine - b * cosine) /
                     (across * sine * cosine + about * cosine * (c / r - sine) + rho * height));
            const double spin = -turn * c / r, most = 1e-3 * pow(240 / rates[i], 2);
            const int steps = (int)(2 * PI / turn * rates[i]);
            const double end = turn * steps / rates[i];
            spc_world *w = contact_world(1, 1, vec(0, 0, -GRAVITY));
            spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
            spc_body_desc body = spc_body_desc_default();
            spc_constraint contact;
            body.mass = mass;
            body.state.X_GB.q = spc_quat_from_rotation_vector(vec(0, PI / 2 - lean, 0));
            body.state.X_GB.p = vec(rho, 0, height);
            body.state.V_GB = spc_spatial_make(vec(spin * cosine, 0, turn + spin * sine),
                                               vec(0, turn * rho, 0));
            CHECK_STATUS(spc_body_add(w, &body, &d.disc), SPC_OK);
            d.shape.radius = real(r);
            d.shape.axis_B = vec(0, 0, 1);
            d.shape.p_BS = vec(0, 0, -b);
            d.one_sided = which > 1;
            CHECK_STATUS(spc_rolling_disc_add(w, &d, &contact), SPC_OK);
            for (n = 0; n < steps; n++)
                CHECK_STATUS(spc_step(w, real(1 / rates[i])), SPC_OK);
            CHECK_NEAR(distance(spc_body_position(w, d.disc),
                                vec(rho * cos(end), rho * sin(end), height)),
                       0, most + IN_DOUBLE_OR_FLOAT(0, 2e-4) * 2 * PI * rho);
            free(w);
        }
}

/* An upright disc rolls on a floor that is moved at its own speed: on the spot, seen from there. */
static void a_disc_rests_on_a_moved_floor(void)
{
    int kind, n;
    for (kind = 0; kind < 3; kind++) {
        lone s = put_disc(vec(0, 0, 1), R, upright(0), law_of(0.5, 0));
        spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
        spc_body_desc floor = spc_body_desc_default();
        floor.kind = SPC_KINEMATIC;
        floor.state.V_GB.linear = vec(2, 0, 0);
        CHECK_STATUS(spc_body_add(s.world, &floor, &d.floor), SPC_OK);
        CHECK_STATUS(spc_rolling_disc_get(s.world, s.contact, &d.shape), SPC_OK);
        CHECK_STATUS(spc_constraint_remove(s.world, s.contact), SPC_OK);
        d.disc = s.disc;
        d.one_sided = true;
        d.law = law_of(0.5, 0);
        CHECK_STATUS(spc_rolling_disc_add(s.world, &d, &s.contact), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(s.world, s.disc, floor.state.V_GB), SPC_OK);
        for (n = 0; n < 60; n++)
            CHECK_STATUS(try_call(s.world, kind, 1 / 60.), SPC_OK);
        CHECK(contact_of_world(s.world, s.contact).state == SPC_CONTACT_ROLLING);
        CHECK_NEAR(state_of(s.world, s.disc).X_GB.p.x, 2, EXACT);
        CHECK_NEAR(state_of(s.world, s.disc).X_GB.p.z, R, EXACT);
        CHECK_NEAR(length(state_of(s.world, s.disc).V_GB.angular), 0, EXACT);
        free(s.world);
    }
}

/* ---------------------------------------------------------------------- above it ------------ */

/* A disc that lies flat high above its plane, or tumbles there, falls as if there were none. Poses
   turn by halves of a right angle in a step, so that it is flat, to rounding, in each other one. */
static void high_discs_may_lie_flat_and_tumble(void)
{
    int kind, spins;
    for (kind = 0; kind < 3; kind++)
        for (spins = 0; spins < 2; spins++) {
            const double h = 1 / 64., w = spins ? PI / 4 / h : 0;
            lone s = put_disc(vec(0, 0, 1), 5, upright(0), law_of(0.3, 0.5));
            const spc_transform flat = spc_transform_make(spc_quat_identity(), vec(0, 0, 5));
            spc_state x;
            int n;
            CHECK_STATUS(spc_body_set_pose(s.world, s.disc, flat), SPC_OK);
            CHECK_STATUS(spc_body_set_velocity(s.world, s.disc,
                                               spc_spatial_make(vec(w, 0, 0), vec(1, 0, 0))),
                         SPC_OK);
            CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
            CHECK_NEAR(acceleration_of(s.world, s.disc).linear.z, -GRAVITY, EXACT);
            CHECK_STATUS(spc_world_project_velocities(s.world), SPC_OK);
            for (n = 1; n <= 32; n++)
                CHECK_STATUS(try_call(s.world, kind, h), SPC_OK);
            x = state_of(s.world, s.disc);
            CHECK_NEAR(x.X_GB.p.x, 0.5, EXACT);
            CHECK_NEAR(x.X_GB.p.z, 5 - GRAVITY / 8, EXACT);
            CHECK_NEAR(x.V_GB.linear.z, -GRAVITY / 2, EXACT);
            CHECK_NEAR(x.V_GB.angular.x, w, EXACT * (1 + w));
            free(s.world);
        }
}

/* An impact takes each contact in, wherever it is: a flat disc has its side. */
static void an_impact_takes_flat_discs_in(void)
{
    lone s = put_disc(vec(0, 0, 1), 5, upright(0), law_of(0.3, 0.5));
    const spc_transform flat = spc_transform_make(spc_quat_identity(), vec(0, 0, 5));
    CHECK_STATUS(spc_world_impact(s.world), SPC_OK);
    CHECK_STATUS(spc_body_set_pose(s.world, s.disc, flat), SPC_OK);
    CHECK_STATUS(spc_world_impact(s.world), SPC_OK);
    CHECK_STATUS(spc_step(s.world, SPC_R(0.01)), SPC_OK);
    free(s.world);
}

/* One that is flat below its radius has its side for a contact. */
static void a_flat_disc_near_its_plane_falls_on(void)
{
    lone s = put_disc(vec(0, 0, 1), R, upright(0), law_of(0.3, 0.5));
    const spc_transform flat = spc_transform_make(spc_quat_identity(), vec(0, 0, R / 2));
    int i;
    CHECK_STATUS(spc_body_set_pose(s.world, s.disc, flat), SPC_OK);
    for (i = 0; i < CALLS; i++)
        CHECK_STATUS(try_call(s.world, i, 1 / 60.), SPC_OK);
    free(s.world);
}

/* What falls flat on its plane is not refused, wherever the step finds it. */
static void a_disc_comes_down_flat(void)
{
    int i;
    for (i = 0; i < 3; i++) {
        lone s = put_disc(vec(0, 0, 1), 2 * R, upright(0), law_of(0.3, 0.5));
        const spc_transform flat = spc_transform_make(spc_quat_identity(), vec(0, 0, 2 * R));
        CHECK_STATUS(spc_body_set_pose(s.world, s.disc, flat), SPC_OK);
        CHECK_STATUS(spc_body_set_velocity(s.world, s.disc,
                                           spc_spatial_make(zero, vec(0, 0, -1.8 * 60 * R))),
                     SPC_OK);
        if (i == 0) { /* it does not ask where it comes from, and begins to in the next one */
            CHECK_STATUS(spc_step(s.world, real(1 / 60.)), SPC_OK);
            CHECK(state_of(s.world, s.disc).X_GB.p.z < real(R));
        }
        CHECK_STATUS(try_call(s.world, i, 1 / 60.), SPC_OK);
        free(s.world);
    }
}

/* A rolling disc that is spun about its heading turns over within a step. */
static void a_disc_turns_over_in_a_step(void)
{
    int i;
    for (i = 0; i < 3; i++) {
        lone s = put_disc(vec(0, 0, 1), R * cos(0.9), upright(0.9), law_of(0.3, 0));
        take_steps(s.world, 1e-3, 1);
        CHECK(contact_of_world(s.world, s.contact).state != SPC_CONTACT_OPEN);
        CHECK_STATUS(spc_body_set_velocity(s.world, s.disc, spc_spatial_make(vec(400, 0, 0), zero)),
                     SPC_OK);
        CHECK_STATUS(try_call(s.world, i, 1 / 60.), SPC_OK);
        free(s.world);
    }
}

static const test_entry tests[] = {
    TEST(an_upright_disc_bounces_as_high_as_a_ball),
    TEST(upright_discs_roll_down_slopes),
    TEST(discs_roll_in_circles),
    TEST(a_disc_rests_on_a_moved_floor),
    TEST(high_discs_may_lie_flat_and_tumble),
    TEST(an_impact_takes_flat_discs_in),
    TEST(a_flat_disc_near_its_plane_falls_on),
    TEST(a_disc_comes_down_flat),
    TEST(a_disc_turns_over_in_a_step),
};

TEST_MAIN
