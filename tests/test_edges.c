/* [7.2] One-sided contacts: planes that end, states saved in the middle of a bounce, and grip. */
#include "contacts.h"

/* A law with friction on a plane of 1 m to either side along x, 2 m along y. */
static spc_contact_law bounded_law(void)
{
    spc_contact_law law = law_of(0.5, 0);
    law.bounded = true;
    law.half_length[0] = 1;
    law.half_length[1] = 2;
    return law;
}

/* What presses falls freely from when its foot has passed the end, not from the step's end or
   beginning: exactly, at any rate, over a corner, too, where it passes both ends in a step. */
static void what_rolls_off_falls_from_the_end(void)
{
    int rate, i;
    for (rate = 0; rate < RATES; rate++)
        for (i = 0; i < 7; i++) {
            const double h = 1 / rates[rate], v = 1 + 0.37 * i, radius = 0.1;
            const double aside = i % 3 == 0 ? 0 : i % 3 == 1 ? 1.999 * v : 2.001 * v;
            const double leaves = fmin(1 / v, aside > 0 ? 2 / aside : 1 / v), to = i < 3 ? 1 : -1;
            spc_world *w = contact_world(1, 1, vec(0, 0, -9.81));
            const spc_body ball =
                put_body(w, spc_mass_solid_sphere(1, real(radius)), vec(0, 0, radius),
                         vec(-to * aside / radius, to * v / radius, 0), vec(to * v, to * aside, 0));
            spc_state state;
            double t;
            (void)put_on_plane(w, ground, level(0), ball, radius, bounded_law());
            take_steps(w, h, (int)(rates[rate] * 1.2));
            state = state_of(w, ball);
            t = (double)spc_world_time(w) - leaves;
            CHECK_NEAR(state.X_GB.p.z, radius - 0.5 * 9.81 * t * t,
                       20 * rates[rate] * TEST_EPSILON);
            CHECK_NEAR(state.V_GB.linear.z, -9.81 * t, 20 * rates[rate] * TEST_EPSILON);
            CHECK_NEAR(to * (double)state.X_GB.p.x, v * (t + leaves),
                       20 * rates[rate] * TEST_EPSILON);
            free(w);
        }
}

/* Rolls along a direction until the plane ends, and falls from there: where it left is where its
   foot passed the end, to a step's way. */
static void a_ball_rolls_over_the_edge(void)
{
    const double h = 1.0 / 240, v = 2, radius = 0.1;
    int side;
    for (side = 0; side < 4; side++) {
        const double s = side % 2 ? -1 : 1, end = side < 2 ? 1 : 2;
        const spc_vec3 along = side < 2 ? vec(s, 0, 0) : vec(0, s, 0);
        spc_world *w = contact_world(1, 1, vec(0, 0, -9.81));
        const spc_vec3 spin = spc_scale(real(v / radius), spc_cross(vec(0, 0, 1), along));
        spc_body ball = put_body(w, spc_mass_solid_sphere(1, real(radius)), vec(0, 0, radius), spin,
                                 spc_scale(real(v), along));
        spc_constraint c = put_on_plane(w, ground, level(0), ball, radius, bounded_law());
        double left = 0;
        while (!(left > 0) && (double)spc_world_time(w) < 3) {
            CHECK_STATUS(spc_step(w, real(h)), SPC_OK);
            if (contact_of_world(w, c).ended)
                left = (double)spc_dot(spc_body_position(w, ball), along);
        }
        CHECK_NEAR(left, end, 1.01 * v * h);
        take_steps(w, h, 240);
        CHECK(spc_body_position(w, ball).z < -4); /* g t^2 / 2 = 4.9 m below */
        free(w);
    }
}

/* A disc that rolls, and a point that slides, fall from the end of their plane, too; spheres have
   none. */
static void discs_and_points_fall_from_the_end(void)
{
    const double radius = 0.1;
    spc_world *w = contact_world(4, 4, vec(0, 0, -9.81));
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    spc_mass mass = spc_mass_box(1, vec(0.02, 0.1, 0.1));
    spc_body disc, box, a, b;
    spc_constraint c;
    spc_contact_law law = law_of(0, 0);
    disc = put_body(w, mass, vec(0, 0, radius), vec(0, 2 / radius, 0), vec(2, 0, 0));
    roll.disc = disc;
    roll.shape.axis_B = vec(0, 1, 0);
    roll.shape.radius = real(radius);
    roll.one_sided = true;
    roll.law = bounded_law();
    CHECK_STATUS(spc_rolling_disc_add(w, &roll, &c), SPC_OK);
    box = put_body(w, spc_mass_solid_sphere(1, real(radius)), vec(0, 1, 0), zero, vec(3, 0, 0));
    law.bounded = true;
    law.half_length[0] = law.half_length[1] = 2;
    (void)put_foot(w, box, zero, law);
    a = put_ball(w, 1, radius, vec(0, 5, 0));
    b = put_ball(w, 1, radius, vec(0, 5, 2 * radius));
    law.half_length[0] = law.half_length[1] = 0;
    (void)put_pair(w, a, b, radius, radius, law);
    take_steps(w, 1.0 / 240, 480);
    CHECK(spc_body_position(w, disc).z < -1);
    CHECK(spc_body_position(w, box).z < -1);
    CHECK_NEAR(spc_body_position(w, b).z - spc_body_position(w, a).z, 2 * radius, 1e-6);
    CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
    free(w);
}

/* What is below a plane that ends is not lifted through it. */
static void below_a_plane_that_ends_nothing_is_lifted(void)
{
    spc_world *w = contact_world(1, 1, vec(0, 0, 0));
    spc_body ball = put_ball(w, 1, 0.1, vec(0, 0, -0.5));
    (void)put_on_plane(w, ground, level(0), ball, 0.1, bounded_law());
    take_steps(w, 0.01, 10);
    CHECK_NEAR(spc_body_position(w, ball).z, -0.5, 0);
    CHECK_STATUS(spc_world_assemble(w, real(1e-9), NULL), SPC_OK);
    CHECK_NEAR(spc_body_position(w, ball).z, -0.5, 0);
    free(w);
}

/* A foot that comes below past the end passes under the plane, at any depth; saved there, too. One
   that was put in from above is lifted. */
static void what_comes_under_past_the_end_stays_under(void)
{
    static const double depths[] = { 0.002, 0.03, 0.09 };
    unsigned char state[1000];
    int i, r;
    for (r = 0; r < RATES; r++)
        for (i = 0; i < 3; i++) {
            spc_world *w = contact_world(1, 1, zero);
            const spc_vec3 at = vec(1.1, 0, 0.1 - depths[i]);
            spc_body box = put_body(w, spc_mass_box(2, vec(0.1, 0.1, 0.1)), at, zero,
                                    vec(-2, 0, 0));
            (void)put_foot(w, box, vec(0, 0, -0.1), bounded_law());
            take_steps(w, 1 / rates[r], (int)(0.25 * rates[r]));
            CHECK_STATUS(spc_world_save_state(w, state, sizeof state), SPC_OK);
            take_steps(w, 1 / rates[r], 2);
            CHECK_STATUS(spc_world_load_state(w, state, spc_world_state_size(w)), SPC_OK);
            take_steps(w, 1 / rates[r], (int)(0.25 * rates[r]));
            CHECK_NEAR(spc_body_position(w, box).z, at.z, 0);
            CHECK((double)spc_body_position(w, box).x < 0.2);
            CHECK_STATUS(spc_body_set_pose(w, box, level(0.11)), SPC_OK);
            take_steps(w, 1 / rates[r], 1); /* it has been above since */
            CHECK_STATUS(spc_body_set_pose(w, box, level(0.1 - depths[i])), SPC_OK);
            take_steps(w, 1 / rates[r], 1);
            CHECK_NEAR(spc_body_position(w, box).z, 0.1, 1e-6);
            free(w);
        }
}

/* One that is level past the end, and falls under the plane within a step, is where it fell. */
static void what_falls_under_in_a_step_stays_under(void)
{
    int r;
    for (r = 0; r < RATES; r++) {
        spc_world *w = contact_world(1, 1, zero);
        const double way = 0.03 * rates[r]; /* of a step: 3 cm along, 2 cm down */
        spc_body box = put_body(w, spc_mass_box(2, vec(0.1, 0.1, 0.1)), vec(1.01, 0, 0.1), zero,
                                vec(-way, 0, -way / 1.5));
        (void)put_foot(w, box, vec(0, 0, -0.1), bounded_law());
        take_steps(w, 1 / rates[r], 3);
        CHECK_NEAR(spc_body_position(w, box).z, 0.1 - 0.06, 1e-6);
        free(w);
    }
}

/* A ball that rolls fast onto a ramp whose end is level with its floor goes up on it, wherever
   steps begin: also where one has its middle before the end, and its second half leads through. */
static void fast_balls_come_up_a_ramp(void)
{
    const double radius = 0.1, slope = 0.2, v = 10, h = 1.0 / 60;
    int k;
    for (k = 0; k < 40; k++) {
        spc_world *w = contact_world(1, 2, vec(0, 0, -GRAVITY));
        spc_transform X = plane_at(vec(-sin(slope), 0, cos(slope)), zero);
        spc_body ball = put_body(w, spc_mass_solid_sphere(1, real(radius)),
                                 vec(-0.4 - v * h * k / 40, 0, radius), vec(0, v / radius, 0),
                                 vec(v, 0, 0));
        X.p = spc_transform_point(X, vec(1, 0, 0)); /* it begins at x = 0 */
        (void)put_on_plane(w, ground, level(0), ball, radius, law_of(0.8, 0));
        (void)put_on_plane(w, ground, X, ball, radius, bounded_law());
        take_steps(w, h, 8);
        /* C has come from the floor to x = 0.5 or farther, some of its speed is lost there */
        CHECK((double)spc_body_position(w, ball).x > 0.5);
        CHECK((double)spc_body_position(w, ball).z >
              radius + 0.9 * slope * (double)spc_body_position(w, ball).x);
        free(w);
    }
}

/* A box that comes down flat with its front feet over the end of a platform is struck there,
   wherever a step begins; one that comes down just before it is not, and falls past. */
static void fast_feet_come_down_inside_the_end(void)
{
    const double half = 0.1, v = 12, down = 2, h = 1.0 / 60;
    int k, i;
    for (k = 0; k < 80; k++) {
        const double t = 4 * h + h * (k / 2) / 40;
        const bool past = k % 2 > 0;
        spc_world *w = contact_world(1, 4, zero);
        spc_constraint foot[4];
        bool struck = false;
        spc_body box;
        /* at t the front feet are level with the platform, 4 cm behind its end at -1, or before */
        box = put_body(w, spc_mass_box(1, vec(half, half, half)),
                       vec(-1 + (past ? -0.04 : 0.04) - half - v * t, 0, half + down * t), zero,
                       vec(v, 0, -down));
        for (i = 0; i < 4; i++)
            foot[i] = put_foot(w, box, vec(i & 1 ? half : -half, i & 2 ? half : -half, -half),
                               bounded_law());
        for (i = 0; i < 8; i++) {
            take_steps(w, h, 1);
            struck = struck || contact_of_world(w, foot[1]).hit_speed > 0;
        }
        CHECK(struck != past);
        free(w);
    }
}

/* What starts deep below past the end, and comes in with its first step, by a foot, as a ball or a
   wheel, goes on as it falls: no step lifts it, or gives it energy. */
static void what_starts_under_past_the_end_stays_under(void)
{
    static const double depths[] = { 0.002, 0.03, 0.095 };
    int i, r, kind;
    for (r = 0; r < RATES; r++)
        for (i = 0; i < 9; i++) {
            const double h = 1 / rates[r], radius = 0.1, top = radius - depths[i / 3];
            const double rise = 0.05 * GRAVITY * h;
            spc_world *w = contact_world(1, 1, vec(0, 0, -GRAVITY));
            const spc_vec3 at = vec(1 + 0.5 * h, 0, top);
            spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
            spc_body body = put_body(w, spc_mass_box(2, vec(0.1, 0.1, 0.1)), at, zero,
                                     vec(-2, 0, rise));
            double first = energy_of(w);
            spc_constraint c;
            kind = i % 3;
            d.disc = body;
            d.shape.axis_B = vec(0, 1, 0);
            d.shape.radius = real(radius);
            d.one_sided = true;
            d.law = bounded_law();
            if (kind == 0)
                (void)put_foot(w, body, vec(0, 0, -radius), bounded_law());
            else if (kind == 1)
                (void)put_on_plane(w, ground, level(0), body, radius, bounded_law());
            else
                CHECK_STATUS(spc_rolling_disc_add(w, &d, &c), SPC_OK);
            take_steps(w, h, 3);
            CHECK_NEAR(spc_body_position(w, body).z,
                       top + rise * 3 * h - GRAVITY * 9 * h * h / 2, 1e-6);
            CHECK_NEAR(energy_of(w), first, 1e-5 * fabs(first) + 1e-5);
            free(w);
        }
}

/* A force along an end, or a torque, takes no foot past it: a ball without friction that is spun up
   on the spot stays there, one with friction rolls away from an end that its lowest point is pushed
   to, and a disc is driven along an end that it does not cross. All stay on the plane. */
static void what_pushes_no_foot_past_an_end_leaves_it_there(void)
{
    const double radius = 0.1, end = 1;
    int i;
    for (i = 0; i < 3 * RATES; i++) {
        const int kind = i % 3;
        const double h = 1 / rates[i / 3];
        spc_world *w = contact_world(1, 1, vec(0, 0, -GRAVITY));
        spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
        const spc_body body = put_body(w, spc_mass_solid_sphere(1, real(radius)),
                                       vec(end - h * h, 0, radius), zero, zero);
        spc_constraint c;
        int step;
        d.disc = body;
        d.shape.axis_B = vec(1, 0, 0);
        d.shape.radius = real(radius);
        d.one_sided = true;
        d.law = bounded_law();
        d.law.friction = kind == 0 ? 0 : d.law.friction;
        if (kind == 2)
            CHECK_STATUS(spc_rolling_disc_add(w, &d, &c), SPC_OK);
        else
            c = put_on_plane(w, ground, level(0), body, radius, d.law);
        if (kind == 2) /* half of what friction may do */
            CHECK_STATUS(spc_body_add_force(w, body, vec(0, 2.4, 0), zero, SPC_LASTING), SPC_OK);
        else /* which pushes its lowest point by h^2 r / 2 T / I, of 5 h^2 */
            CHECK_STATUS(spc_body_add_torque(w, body, vec(0, -0.4, 0), SPC_LASTING), SPC_OK);
        for (step = 0; step < 20; step++) {
            take_steps(w, h, 1);
            CHECK_NEAR(spc_body_position(w, body).z, radius, 10 * TEST_EPSILON);
            CHECK(contact_of_world(w, c).state != SPC_CONTACT_OPEN);
        }
        free(w);
    }
}

/* A trough of planes that share edges, through the points of half a circle, and a marble in it. */
typedef struct valley {
    int facets;
    double radius, marble;
} valley;

static double slope_of_facet(const valley *v, int i)
{
    return acos(-1.0) * ((i + 0.5) / v->facets - 0.5);
}

static double half_of_facet(const valley *v)
{
    return v->radius * sin(acos(-1.0) / (2 * v->facets));
}

static double distance_of_facets(const valley *v)
{
    return v->radius * cos(acos(-1.0) / (2 * v->facets));
}

/* The k-th of 11 that fall into it. */
static spc_world *world_of_valley(const valley *v, int k, spc_contact_law law, spc_body *marble)
{
    spc_world *w = contact_world(1, v->facets, vec(0, 0, -GRAVITY));
    const double x = 0.16 * (k - 5) * v->radius, far = distance_of_facets(v);
    int i;
    *marble = put_body(w, spc_mass_solid_sphere(real(0.03), real(v->marble)),
                       vec(x, 0, -0.3 * v->radius), zero, vec(0.3 * (k % 3 - 1), 0.1, 0));
    law.half_length[0] = real(half_of_facet(v));
    law.half_length[1] = 10;
    for (i = 0; i < v->facets; i++) {
        const double slope = slope_of_facet(v, i);
        const spc_vec3 n = vec(-sin(slope), 0, cos(slope));
        (void)put_on_plane(w, ground, plane_at(n, spc_scale(real(-far), n)), *marble, v->marble,
                           law);
    }
    return w;
}

/* How far a marble is above the facet that it is nearest to, or below. */
static double height_in_valley(const valley *v, spc_vec3 p)
{
    double least = v->radius;
    int i;
    for (i = 0; i < v->facets; i++) {
        const double slope = slope_of_facet(v, i);
        const double height = distance_of_facets(v) - v->marble -
                              ((double)p.x * sin(slope) - (double)p.z * cos(slope));
        least = height < least ? height : least;
    }
    return least;
}

/* A marble that runs from facet to facet stays in its valley, with friction and restitution or
   without: it never is below the next one by a tenth of its radius, from where it would be let
   through, and gains no energy. */
static void a_marble_stays_in_a_valley_of_planes(void)
{
    static const valley valleys[] = { { 16, 1, 0.02 }, { 36, 1, 0.02 }, { 36, 0.3, 0.008 } };
    int i;
    for (i = 0; i < 3 * 4 * 11; i++) {
        const valley *v = &valleys[i % 3];
        const int kind = i / 3 % 4, k = i / 12;
        spc_contact_law law = law_of(kind % 2 ? 0.5 : 0, kind / 2 ? 0.4 : 0);
        double first, deepest = 0;
        spc_world *w;
        spc_body marble;
        int step;
        law.bounded = true;
        w = world_of_valley(v, k, law, &marble);
        first = energy_of(w);
        for (step = 0; step < 120; step++) {
            double height;
            take_steps(w, 1.0 / 60, 1);
            height = height_in_valley(v, spc_body_position(w, marble));
            deepest = height < deepest ? height : deepest;
        }
        CHECK(deepest > -0.1 * v->marble);
        CHECK(energy_of(w) < first + 1e-4 * fabs(first));
        CHECK(report_of(w).unsolved == 0);
        free(w);
    }
}

/* Two spheres of a sledge, each on both planes of a valley; and what is none: tiles of one floor,
   over whose seam a ball rolls, which may drop by g h^2 / 8 there; and a plate whose own plane, and
   its end, lies on a ball that stands still. */
static void sledges_tiles_and_plates_are_borne(void)
{
    spc_contact_law law = bounded_law();
    spc_world *sledge = contact_world(1, 4, vec(0, 0, -GRAVITY));
    spc_world *tiles = contact_world(1, 2, vec(0, 0, -GRAVITY));
    spc_world *plate = contact_world(2, 1, vec(0, 0, -GRAVITY));
    const spc_body on_tiles =
        put_body(tiles, spc_mass_solid_sphere(1, SPC_R(0.1)), vec(-0.05, 0, 0.1), vec(0, 10, 0),
                 vec(1, 0, 0));
    const spc_body box = put_body(sledge, spc_mass_box(1, vec(0.02, 0.1, 0.02)), vec(0.3, 0, 0.5),
                                  zero, vec(0.2, 0, 0));
    const spc_body board =
        put_body(plate, spc_mass_box(1, vec(1, 1, 0.1)), vec(0, 0, 0.2), zero, zero);
    spc_body_desc still = spc_body_desc_default();
    spc_transform below = plane_at(vec(0, 0, -1), vec(0, 0, -0.1));
    spc_body ball;
    int i;
    for (i = 0; i < 4; i++) {
        const spc_vec3 n = vec(i & 1 ? 0.6 : -0.6, 0, 0.8);
        spc_sphere_on_plane_desc d = spc_sphere_on_plane_desc_default();
        spc_constraint c;
        d.ball = box;
        d.shape.p_BS = vec(0, i & 2 ? 0.08 : -0.08, -0.01);
        d.shape.radius = SPC_R(0.02);
        d.shape.X_FP = plane_at(n, vec(i & 1 ? -0.8 : 0.8, 0, 0.6));
        d.one_sided = true;
        d.law = law;
        CHECK_STATUS(spc_sphere_on_plane_add(sledge, &d, &c), SPC_OK);
    }
    for (i = 0; i < 2; i++) {
        const spc_transform X = plane_at(vec(0, 0, 1), vec(i ? 1 : -1, 0, 0));
        (void)put_on_plane(tiles, ground, X, on_tiles, 0.1, law);
    }
    still.kind = SPC_KINEMATIC;
    CHECK_STATUS(spc_body_add(plate, &still, &ball), SPC_OK);
    (void)put_on_plane(plate, board, below, ball, 0.1, law);
    for (i = 0; i < 240; i++) {
        spc_vec3 p;
        double z;
        take_steps(sledge, 1.0 / 120, 1);
        take_steps(tiles, 1.0 / 120, 1);
        take_steps(plate, 1.0 / 120, 1);
        /* where a sphere touches both planes: at 0.02 / 0.8 above their edge */
        p = spc_transform_point(state_of(sledge, box).X_GB, vec(0, 0.08, -0.01));
        CHECK((double)p.z - fabs(0.75 * (double)p.x) > 0.025 - 0.002);
        z = spc_body_position(tiles, on_tiles).z;
        CHECK(i > 110 || fabs(z - 0.1) <= 1.01 * GRAVITY / 8 / 120 / 120 + 1e-6);
    }
    CHECK_NEAR(spc_body_position(plate, board).z, 0.2, IN_DOUBLE_OR_FLOAT(1e-14, 1e-6));
    CHECK(report_of(sledge).unsolved == 0);
    free(sledge);
    free(tiles);
    free(plate);
}

/* One that bounces off two planes at once, with nothing that rubs, does not turn: no moment acts on
   it, wherever impulses displace it to. */
static void a_marble_without_friction_does_not_turn(void)
{
    static const valley v = { 24, 1, 0.02 };
    int k;
    for (k = 0; k < 11; k++) {
        spc_body marble;
        spc_world *w = world_of_valley(&v, k, law_of(0, 0), &marble);
        take_steps(w, 1.0 / 60, 240);
        CHECK_NEAR(spc_norm(state_of(w, marble).V_GB.angular), 0, 0);
        free(w);
    }
}

/* A box that tumbles from a table onto the floor, on eight feet for each. */
static spc_world *tumbling_box(int k)
{
    const spc_vec3 half = vec(0.1, 0.07, 0.05);
    spc_contact_law law = law_of(k % 3 == 0 ? 0.5 : 0, k % 4 == 0 ? 0 : 0.5);
    spc_world *w = contact_world(1, 16, vec(0, 0, -9.81));
    const spc_vec3 spin = test_random_vec3(8), v = test_random_vec3(1.5);
    const spc_body box = put_body(w, spc_mass_box(1, half), vec(0, 0, 0.4), spin, v);
    int i;
    for (i = 0; i < 16; i++) {
        spc_attachment_desc d = spc_attachment_desc_default();
        spc_constraint c;
        law.bounded = i < 8;
        law.half_length[0] = law.half_length[1] = real(0.3);
        d.b = box;
        d.shape.locked = SPC_LOCK_TZ;
        d.shape.X_AF = level(i < 8 ? 0 : -0.5);
        d.shape.X_BM.p = vec((i & 1 ? 1 : -1) * half.x, (i & 2 ? 1 : -1) * half.y,
                             (i & 4 ? 1 : -1) * half.z);
        d.one_sided = true;
        d.law = law;
        CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
    }
    return w;
}

/* Feet that sweep under the table do not throw the box up: what is lifted gains less than a
   hundredth of an arm of 0.13 m, of the 0.9 m that it may fall from. */
static void boxes_over_the_edge_gain_no_energy(void)
{
    int k, r, i;
    for (r = 0; r < RATES; r++)
        for (k = 0; k < LONG_OR_SHORT(40, 12); k++) {
            spc_world *w = tumbling_box(k);
            const double floor_energy = -9.81 * 0.5, start = energy_of(w) - floor_energy;
            double last = start, gain = 0;
            for (i = 0; i < (int)(2 * rates[r]); i++) {
                double now;
                CHECK_STATUS(spc_step(w, real(1 / rates[r])), SPC_OK);
                now = energy_of(w) - floor_energy;
                gain = now - last > gain ? now - last : gain;
                last = now;
            }
            CHECK(gain < 1.4e-3 * start);
            free(w);
        }
}

/* Balls that bounce, roll against a resistance and lie on each other: a state saved at any time
   leads to the same bits. */
static void states_are_saved_in_the_middle_of_a_bounce(void)
{
    spc_contact_law law = law_of(0.3, 0.7);
    spc_world *w = contact_world(3, 5, vec(0.5, 0, -9.81));
    unsigned char state[4000];
    spc_body ball[3];
    int i, k;
    law.rolling_resistance = law.spinning_resistance = real(0.001);
    for (i = 0; i < 3; i++) {
        ball[i] = put_ball(w, 1, 0.1, vec(0, 0, 0.1 + 0.3 * i));
        (void)put_on_plane(w, ground, level(0), ball[i], 0.1, law);
    }
    (void)put_pair(w, ball[0], ball[1], 0.1, 0.1, law);
    for (k = 0; k < 40; k++) {
        const size_t size = spc_world_state_size(w);
        unsigned long long hash;
        CHECK(size <= sizeof state);
        CHECK_STATUS(spc_world_save_state(w, state, sizeof state), SPC_OK);
        take_steps(w, 1.0 / 100, 25);
        hash = spc_world_hash(w);
        CHECK_STATUS(spc_world_load_state(w, state, size), SPC_OK);
        take_steps(w, 1.0 / 100, 25);
        CHECK(spc_world_hash(w) == hash);
        CHECK_STATUS(spc_world_load_state(w, state, size), SPC_OK);
        take_steps(w, 1.0 / 100, 5);
    }
    CHECK_STATUS(spc_world_save_state(w, state, sizeof state), SPC_OK);
    CHECK_STATUS(
        spc_constraint_set_law(w, put_pair(w, ball[1], ball[2], 0.1, 0.1, law), true, &law),
        SPC_OK);
    CHECK_STATUS(spc_world_load_state(w, state, sizeof state), SPC_ERROR_OTHER_STRUCTURE);
    free(w);
}

/* Balls that grip each other in a groove rest at once. */
static void what_grips_rests(void)
{
    spc_world *w = contact_world(3, 8, vec(0, 0, -9.81));
    const spc_contact_law grip = spc_contact_law_default();
    spc_body ball[3];
    spc_vec3 before;
    int i;
    for (i = 0; i < 3; i++)
        ball[i] = put_ball(w, 1, 0.1,
                           vec(i == 2 ? 0.1 : 0.2 * i, 0, i == 2 ? 0.1 + 0.1 * sqrt(3.0) : 0.1));
    for (i = 0; i < 2; i++) {
        (void)put_on_plane(w, ground, level(0), ball[i], 0.1, grip);
        (void)put_pair(w, ball[i], ball[2], 0.1, 0.1, grip);
    }
    take_steps(w, 1.0 / 60, 60);
    before = spc_body_position(w, ball[2]);
    take_steps(w, 1.0 / 60, 240);
    CHECK_NEAR(spc_body_position(w, ball[2]).z, before.z, 0);
    CHECK(report_of(w).unsolved == 0);
    free(w);
}

/* Lengths of a plane that are none. */
static void lengths_of_planes_are_checked(void)
{
    spc_contact_law law = bounded_law();
    int i;
    CHECK_STATUS(spc_contact_law_check(&law), SPC_OK);
    for (i = 0; i < 2; i++) {
        law = bounded_law();
        law.half_length[i] = -1;
        CHECK_STATUS(spc_contact_law_check(&law), SPC_ERROR_BAD_WIDTH);
        law.half_length[i] = real(NAN);
        CHECK_STATUS(spc_contact_law_check(&law), SPC_ERROR_NOT_FINITE);
    }
}

/* A law that needs more rows is set while its contact is disabled, and where there is no room. */
static void rows_of_laws_are_counted(void)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_contact_law law = law_of(0.5, 0);
    spc_world *w;
    spc_constraint c;
    spc_rolling_disc shape;
    desc.rows = 6;
    w = test_world(&desc);
    c = put_on_plane(w, ground, level(0), put_ball(w, 1, 0.1, vec(0, 0, 0.1)), 0.1, law);
    CHECK_STATUS(spc_constraint_set_enabled(w, c, false), SPC_OK);
    law.rolling_resistance = real(0.01);
    CHECK_STATUS(spc_constraint_set_law(w, c, true, &law), SPC_OK);
    CHECK_STATUS(spc_constraint_set_enabled(w, c, true), SPC_OK);
    take_steps(w, 0.01, 3);
    law.rolling_resistance = 0;
    CHECK_STATUS(spc_constraint_set_law(w, c, true, &law), SPC_OK);
    take_steps(w, 0.01, 3);
    free(w);
    desc.rows = 3;
    w = test_world(&desc);
    c = put_on_plane(w, ground, level(0), put_ball(w, 1, 0.1, vec(0, 0, 0.1)), 0.1, law);
    law.spinning_resistance = real(0.01);
    CHECK_STATUS(spc_constraint_set_law(w, c, true, &law), SPC_ERROR_ROWS_FULL);
    free(w);
    desc.rows = 6;
    w = test_world(&desc);
    {
        spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
        d.disc = put_ball(w, 1, 0.1, vec(0, 0, 0.1));
        d.shape.radius = real(0.1);
        d.one_sided = true;
        CHECK_STATUS(spc_rolling_disc_add(w, &d, &c), SPC_OK);
        shape = d.shape;
        shape.normal = false;
        CHECK_STATUS(spc_rolling_disc_set(w, c, &shape), SPC_ERROR_BAD_OPTION);
    }
    free(w);
}

static const test_entry tests[] = { TEST(a_ball_rolls_over_the_edge),
                                    TEST(what_rolls_off_falls_from_the_end),
                                    TEST(discs_and_points_fall_from_the_end),
                                    TEST(below_a_plane_that_ends_nothing_is_lifted),
                                    TEST(what_comes_under_past_the_end_stays_under),
                                    TEST(what_falls_under_in_a_step_stays_under),
                                    TEST(fast_balls_come_up_a_ramp),
                                    TEST(fast_feet_come_down_inside_the_end),
                                    TEST(what_starts_under_past_the_end_stays_under),
                                    TEST(what_pushes_no_foot_past_an_end_leaves_it_there),
                                    TEST(a_marble_stays_in_a_valley_of_planes),
                                    TEST(a_marble_without_friction_does_not_turn),
                                    TEST(sledges_tiles_and_plates_are_borne),
                                    TEST(boxes_over_the_edge_gain_no_energy),
                                    TEST(states_are_saved_in_the_middle_of_a_bounce),
                                    TEST(what_grips_rests),
                                    TEST(lengths_of_planes_are_checked),
                                    TEST(rows_of_laws_are_counted) };

TEST_MAIN
