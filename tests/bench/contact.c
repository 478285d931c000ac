/* contact.c - one body in time against closed forms: `make bench-contact`

   Errors of spc_step at 60, 240 and 1,000 Hz. Where an event falls within a step, the place after
   it is off by up to K h^2, and K [m/s^2] is what is told. Then what a step of 1,000 balls takes,
   each alone on its floor: by the clock, the least of several runs. */
#define SPHERECONTACT_IMPLEMENTATION
#include "../../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define G 9.81
#define RADIUS 0.1
#define BALLS 1000
#define STEPS 50

typedef struct scene {
    spc_world *world;
    spc_body body;
    spc_constraint contact;
} scene;

static void must(spc_status status)
{
    if (!status)
        return;
    fprintf(stderr, "%s\n", spc_status_text(status));
    exit(1);
}

static spc_world *make_world(double gx, double gz)
{
    spc_world_desc desc = spc_world_desc_default(2, 8);
    spc_world *world;
    desc.gravity = spc_vec3_make((spc_real)gx, 0, (spc_real)gz);
    must(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    return world;
}

/* A ball of 0.1 m at a height over a floor that is tilted about y. */
static scene make_ball(double tilt, double height, double mu, double e, double rho)
{
    spc_body_desc ball = spc_body_desc_default();
    spc_sphere_on_plane_desc on = spc_sphere_on_plane_desc_default();
    scene s;
    s.world = make_world(G * sin(tilt), -G * cos(tilt));
    ball.mass = spc_mass_solid_sphere(1, RADIUS);
    ball.state.X_GB.p.z = (spc_real)(RADIUS + height);
    must(spc_body_add(s.world, &ball, &on.ball));
    on.shape.radius = RADIUS;
    on.one_sided = true;
    on.law.grip = false;
    on.law.friction = (spc_real)mu;
    on.law.restitution = (spc_real)e;
    on.law.rolling_resistance = (spc_real)rho;
    must(spc_sphere_on_plane_add(s.world, &on, &s.contact));
    s.body = on.ball;
    return s;
}

static spc_state state_of(const scene *s)
{
    spc_state state;
    must(spc_body_get_state(s->world, s->body, &state));
    return state;
}

static void push(scene *s, double vx, double vy, double wy)
{
    spc_spatial V = spc_spatial_make(spc_vec3_make(0, (spc_real)wy, 0),
                                     spc_vec3_make((spc_real)vx, (spc_real)vy, 0));
    must(spc_body_set_velocity(s->world, s->body, V));
}

static spc_state run(scene *s, double hz, double seconds)
{
    const int steps = (int)(hz * seconds + 0.5);
    spc_state state;
    int i;
    for (i = 0; i < steps; i++)
        must(spc_step(s->world, (spc_real)(1 / hz)));
    state = state_of(s);
    free(s->world);
    return state;
}

/* Apexes 1 to 10 of a ball that falls 1 m: the largest relative error. */
static double bounce(double hz)
{
    scene s = make_ball(0, 1, 0.3, 0.8, 0);
    double before = 0, worst = 0;
    int apex = 0;
    while (apex < 10) {
        spc_state state;
        double v, top;
        must(spc_step(s.world, (spc_real)(1 / hz)));
        state = state_of(&s);
        v = (double)state.V_GB.linear.z;
        top = (double)state.X_GB.p.z - RADIUS + v * v / (2 * G);
        if (before > 0 && v <= 0)
            worst = fmax(worst, fabs(top / pow(0.8, 2 * ++apex) - 1));
        before = v;
    }
    free(s.world);
    return worst;
}

/* Energy after 20 s of e = 1, relative. */
static double elastic(double hz)
{
    scene s = make_ball(0, 1, 0, 1, 0);
    const spc_state end = run(&s, hz, 20);
    const double v = (double)end.V_GB.linear.z, z = (double)end.X_GB.p.z - RADIUS;
    return fabs((v * v / 2 + G * z) / G - 1);
}

static double slope(double hz, double mu)
{
    const double tilt = 0.3, limit = 2.0 / 7 * tan(tilt);
    scene s = make_ball(tilt, 0, mu, 0, 0);
    const double a = mu < limit ? G * (sin(tilt) - mu * cos(tilt)) : 5.0 / 7 * G * sin(tilt);
    return fabs((double)run(&s, hz, 2).X_GB.p.x / (2 * a) - 1);
}

static double slides_down(double hz)
{
    return slope(hz, 0.05);
}

static double rolls_down(double hz)
{
    return slope(hz, 0.5);
}

/* Thrown without spin: slides until 2/7 v0 / (mu g), then rolls. In m/s^2 of h^2. */
static double thrown(double hz, double turn)
{
    const double v = 2, mu = 0.2, t = 2.0 / 7 * v / (mu * G);
    const double way = v * t - mu * G * t * t / 2 + (2 - t) * 5.0 / 7 * v;
    scene s = make_ball(0, 0, mu, 0, 0);
    spc_state end;
    push(&s, v * cos(turn), v * sin(turn), 0);
    end = run(&s, hz, 2);
    return hypot((double)end.X_GB.p.x - way * cos(turn), (double)end.X_GB.p.y - way * sin(turn)) *
           hz * hz;
}

static double thrown_along(double hz)
{
    return thrown(hz, 0);
}

static double thrown_across(double hz)
{
    return thrown(hz, 0.5235987755982988);
}

/* Rolls with 2 m/s until rolling resistance stops it: 7/5 v^2 / (2 a), a = g rho / r. */
static double resisted(double hz)
{
    const double v = 2, rho = 0.01, a = G * rho / RADIUS * 5.0 / 7;
    scene s = make_ball(0, 0, 0.5, 0, rho);
    push(&s, v, 0, v / RADIUS);
    return fabs((double)run(&s, hz, 5).X_GB.p.x - v * v / (2 * a)) * hz * hz;
}

/* Back spin: after v + r w = 0 slip the other way; ends with 5/7 (v + 2/5 r w). */
static double back_spin(double hz)
{
    scene s = make_ball(0, 0, 0.3, 0, 0);
    const double v = 2, w = -30, last = 5.0 / 7 * (v + 0.4 * RADIUS * w);
    push(&s, v, 0, w);
    return fabs((double)run(&s, hz, 3).V_GB.linear.x - last);
}

/* A cube on four point feet on a slope of tan 0.49 or 0.51, mu 0.5. */
static double cube(double hz, double slope_of)
{
    const double tilt = atan(slope_of), a = fmax(0, G * (sin(tilt) - 0.5 * cos(tilt)));
    spc_body_desc body = spc_body_desc_default();
    spc_attachment_desc foot = spc_attachment_desc_default();
    scene s;
    int i;
    s.world = make_world(G * sin(tilt), -G * cos(tilt));
    body.mass = spc_mass_box(2, spc_vec3_make(SPC_R(0.2), SPC_R(0.2), SPC_R(0.2)));
    body.state.X_GB.p.z = RADIUS;
    must(spc_body_add(s.world, &body, &foot.b));
    s.body = foot.b;
    foot.shape.locked = SPC_LOCK_TZ;
    foot.one_sided = true;
    foot.law.grip = false;
    foot.law.friction = SPC_R(0.5);
    for (i = 0; i < 4; i++) {
        foot.shape.X_BM.p =
            spc_vec3_make(SPC_R(i & 1 ? 0.1 : -0.1), SPC_R(i & 2 ? 0.1 : -0.1), SPC_R(-0.1));
        must(spc_attachment_add(s.world, &foot, &s.contact));
    }
    return fabs((double)run(&s, hz, 2).X_GB.p.x - 2 * a);
}

static double cube_rests(double hz)
{
    return cube(hz, 0.49);
}

static double cube_slides(double hz)
{
    return cube(hz, 0.51);
}

static const struct row {
    const char *name, *bar;
    double (*error)(double hz);
} rows[] = { { "bounces of e = 0.8, apexes 1 to 10, relative", "1e-10", bounce },
             { "bounces of e = 1, energy after 20 s, relative", "1e-10", elastic },
             { "slope that slides, place, relative", "1e-12", slides_down },
             { "slope that rolls, place, relative", "1e-12", rolls_down },
             { "slide to roll, along x, K [m/s^2]", "0.4", thrown_along },
             { "slide to roll, at 30 degrees, K [m/s^2]", "0.4", thrown_across },
             { "rolling resistance until it stops, K [m/s^2]", "0.1", resisted },
             { "back spin, velocity at the end [m/s]", "1e-12", back_spin },
             { "cube on feet, tan 0.49, mu 0.5, place [m]", "0", cube_rests },
             { "cube on feet, tan 0.51, mu 0.5, place [m]", "1e-4", cube_slides } };

/* What 1,000 balls do: a row of its own for each, or one after the other. */
enum { HOLDS, ROLLS, SLIDES, BOUNCES, OPEN, MIXED, DEEDS };

static spc_world *make_crowd(int deed)
{
    spc_world_desc desc = spc_world_desc_default(BALLS, BALLS);
    spc_world *world;
    int i;
    desc.gravity.z = SPC_R(-G);
    must(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    for (i = 0; i < BALLS; i++) {
        spc_body_desc ball = spc_body_desc_default();
        spc_sphere_on_plane_desc on = spc_sphere_on_plane_desc_default();
        const int does = deed == MIXED ? ROLLS + i % 4 : deed;
        spc_vec3 *p = &ball.state.X_GB.p;
        spc_constraint contact;
        *p = spc_vec3_make((spc_real)(i % 32), (spc_real)(i / 32), RADIUS);
        if (does == BOUNCES)
            p->z += SPC_R(0.02) + SPC_R(1e-4) * (spc_real)i;
        if (does == OPEN)
            p->z += 50;
        ball.mass = spc_mass_solid_sphere(1, RADIUS);
        ball.state.V_GB.linear.x = does == SLIDES ? 30 : 1;
        ball.state.V_GB.angular.y = does == HOLDS || does == ROLLS ? SPC_R(1 / RADIUS) : 0;
        must(spc_body_add(world, &ball, &on.ball));
        on.shape.radius = RADIUS;
        on.one_sided = does != HOLDS;
        on.law.grip = false;
        on.law.friction = does == SLIDES ? SPC_R(0.01) : SPC_R(0.3);
        on.law.restitution = does == BOUNCES ? 1 : 0;
        must(spc_sphere_on_plane_add(world, &on, &contact));
    }
    return world;
}

/* Nanoseconds a ball and step. */
static double time_crowd(int deed)
{
    spc_world *world = make_crowd(deed);
    double least = 1e9;
    int run_of, i;
    for (run_of = 0; run_of < 10; run_of++) {
        const clock_t start = clock();
        for (i = 0; i < STEPS; i++)
            must(spc_step(world, SPC_R(1.0 / 240)));
        least = fmin(least, (double)(clock() - start) / CLOCKS_PER_SEC * 1e9 / STEPS / BALLS);
    }
    free(world);
    return least;
}

static void time_crowds(void)
{
    static const char *const names[DEEDS] = {
        "two-sided, roll", "roll", "slide", "bounce", "are above it", "one of each of the four"
    };
    int i;
    printf("\n%-50s %10s\n", "1,000 balls that", "ns a ball");
    for (i = 0; i < DEEDS; i++)
        printf("%-50s %10.0f\n", names[i], time_crowd(i));
}

int main(void)
{
    size_t i;
    printf("%-50s %8s %10s %10s %10s\n", "", "bar", "60 Hz", "240 Hz", "1000 Hz");
    for (i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("%-50s %8s %10.2g %10.2g %10.2g\n", rows[i].name, rows[i].bar, rows[i].error(60),
               rows[i].error(240), rows[i].error(1000));
    time_crowds();
    return 0;
}
