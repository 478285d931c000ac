/* The scenes of bench.h in this library. -c prints the converged numbers of bench.h anew. */
#include "bench.h"

/* The bicycle is that of the example, which brings the implementation, too. */
int bicycle_main(void);
#define main bicycle_main
#include "../../examples/bicycle.c"
#undef main

/* start: a copy that timing goes back to, or NULL. A ball or disc alone that rolls down a slope for
   minutes turns by more in a step than any step is for. */
typedef struct world_of {
    spc_world *world;
    spc_body watched;
    void *start;
} world_of;

static void must(spc_status status)
{
    if (status) {
        fprintf(stderr, "bench: %s\n", spc_status_text(status));
        exit(1);
    }
}

static spc_vec3 vec3_of(const double *p)
{
    return spc_vec3_make((spc_real)p[0], (spc_real)p[1], (spc_real)p[2]);
}

static spc_quat about_y(double angle)
{
    return spc_quat_from_rotation_vector(spc_vec3_make(0, (spc_real)angle, 0));
}

static spc_world *empty(int bodies, int constraints)
{
    spc_world_desc desc = spc_world_desc_default(bodies, constraints);
    spc_world *world;
    desc.gravity.z = -(spc_real)BENCH_GRAVITY;
    must(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    return world;
}

static void add_balls(world_of *w, const scene *s, spc_body floor, spc_transform X_FP, int balls)
{
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_constraint contact;
    double p[3];
    int i;
    body.mass = spc_mass_solid_sphere(1, (spc_real)BENCH_RADIUS);
    roll.floor = floor;
    roll.shape.radius = (spc_real)BENCH_RADIUS;
    roll.shape.X_FP = X_FP;
    for (i = 0; i < balls; i++) {
        bench_ball(s, i, p);
        body.state.X_GB.p = vec3_of(p);
        must(spc_body_add(w->world, &body, &roll.ball));
        must(spc_sphere_on_plane_add(w->world, &roll, &contact));
        if (i == 0 && s->kind != PLATE)
            w->watched = roll.ball;
    }
}

static void keep_start(world_of *w)
{
    w->start = malloc(spc_world_snapshot_size(w->world));
    memcpy(w->start, w->world, spc_world_snapshot_size(w->world));
}

static void make_balls(world_of *w, const scene *s)
{
    const spc_body ground = { 0, 0 };
    w->world = empty(s->n, s->n);
    add_balls(w, s, ground, spc_transform_make(about_y(BENCH_SLOPE), spc_vec3_make(0, 0, 0)), s->n);
    if (s->kind == BALLS && s->n == 1)
        keep_start(w);
}

static void make_disc(world_of *w, const scene *s)
{
    spc_body_desc body = spc_body_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    spc_constraint contact;
    double p[3];
    w->world = empty(1, 1);
    bench_ball(s, 0, p);
    body.mass = spc_mass_disc(1, (spc_real)BENCH_RADIUS);
    body.state.X_GB.q =
        spc_quat_from_rotation_vector(spc_vec3_make((spc_real)1.5707963267948966, 0, 0));
    body.state.X_GB.p = vec3_of(p);
    roll.shape.radius = (spc_real)BENCH_RADIUS;
    roll.shape.axis_B = spc_vec3_make(0, 0, 1);
    roll.shape.X_FP.q = about_y(BENCH_SLOPE);
    must(spc_body_add(w->world, &body, &roll.disc));
    must(spc_rolling_disc_add(w->world, &roll, &contact));
    w->watched = roll.disc;
    keep_start(w);
}

static void make_chain(world_of *w, const scene *s)
{
    const double half = BENCH_LINK / 2 * sqrt(0.5), i_link = 0.1 * BENCH_LINK * BENCH_LINK / 12;
    spc_body_desc body = spc_body_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_constraint constraint;
    double p[3], v[3];
    int i;
    w->world = empty(s->n, s->n);
    body.mass.mass = SPC_R(0.1);
    body.mass.inertia.xx = body.mass.inertia.yy = body.mass.inertia.zz = (spc_real)i_link;
    body.state.V_GB.angular.z = (spc_real)BENCH_SPIN;
    joint.shape.X_BM.p = spc_vec3_make(-(spc_real)half, 0, (spc_real)half);
    for (i = 0; i < s->n; i++) {
        bench_link(i, p, v);
        body.state.X_GB.p = vec3_of(p);
        body.state.V_GB.linear = vec3_of(v);
        must(spc_body_add(w->world, &body, &joint.b));
        must(spc_attachment_add(w->world, &joint, &constraint));
        joint.a = joint.b;
        joint.shape.X_AF.p = spc_vec3_make((spc_real)half, 0, -(spc_real)half);
    }
    w->watched = joint.b;
}

static void make_plate(world_of *w, const scene *s)
{
    const spc_vec3 top = spc_vec3_make(0, 0, (spc_real)(BENCH_PLATE_Z / 2));
    const spc_vec3 size =
        spc_vec3_make((spc_real)BENCH_PLATE_X, (spc_real)BENCH_PLATE_Y, (spc_real)BENCH_PLATE_Z);
    spc_body_desc body = spc_body_desc_default();
    double f[3];
    w->world = empty(s->n, s->n - 1);
    body.mass = spc_mass_box((spc_real)BENCH_PLATE_MASS, size);
    bench_push(s, f);
    must(spc_body_add(w->world, &body, &w->watched));
    must(spc_body_add_force(w->world, w->watched, vec3_of(f), spc_vec3_make(0, 0, 0), SPC_LASTING));
    add_balls(w, s, w->watched, spc_transform_make(spc_quat_identity(), top), s->n - 1);
}

/* 4.6 m/s and leaning a little: the bicycle rights itself. */
static void make_bike(world_of *w, const scene *s)
{
    spc_body part[BODIES];
    (void)s;
    w->world = make_bicycle(4.6, 0.05, part);
    w->watched = part[REAR_FRAME];
}

static void *make(const scene *s)
{
    static void (*const makers[])(world_of *,
                                  const scene *) = { make_balls, make_balls, make_disc,
                                                     make_chain, make_plate, make_bike };
    world_of *w = (world_of *)calloc(1, sizeof *w);
    makers[s->kind](w, s);
    return w;
}

static void run_steps(void *world, const scene *s, int steps)
{
    world_of *w = (world_of *)world;
    int i;
    for (i = 0; i < steps; i++) {
        if (w->start && i > 0 && i % s->steps == 0)
            memcpy(w->world, w->start, spc_world_snapshot_size(w->world));
        must(s->kind == ACCELERATIONS ? spc_world_forward_dynamics(w->world)
                                      : spc_step(w->world, (spc_real)s->step));
    }
}

static void watch(void *world, const scene *s, double *out)
{
    const world_of *w = (const world_of *)world;
    spc_spatial A;
    spc_state state;
    spc_vec3 p;
    must(spc_body_get_state(w->world, w->watched, &state));
    must(spc_body_get_acceleration(w->world, w->watched, &A));
    p = s->kind == ACCELERATIONS ? A.linear : state.X_GB.p;
    out[0] = (double)p.x;
    out[1] = (double)p.y;
    out[2] = (double)p.z;
}

static void drop(void *world)
{
    free(((world_of *)world)->world);
    free(((world_of *)world)->start);
    free(world);
}

/* Runge-Kutta steps, halved until nothing moves by more than 1e-10. */
static void converge(const scene *s)
{
    double p[3], before[3] = { 1e9, 1e9, 1e9 }, change = 1;
    int parts, i;
    for (parts = 1; change > 1e-10 && parts <= 64; parts *= 2) {
        world_of *w = (world_of *)make(s);
        must(spc_world_project_velocities(w->world));
        for (i = 0; i < parts * s->steps; i++)
            must(spc_step_rk4(w->world, (spc_real)(s->step / parts), SPC_DRIFT_PROJECT));
        watch(w, s, p);
        for (change = 0, i = 0; i < 3; i++) {
            change = fmax(change, fabs(p[i] - before[i]));
            before[i] = p[i];
        }
        drop(w);
    }
    printf("%s { %.12g, %.12g, %.12g } changed by %.1e\n", s->name, p[0], p[1], p[2], change);
}

int main(int argc, char **argv)
{
    static const engine me = { "spherecontact", make, run_steps, watch, drop, 0 };
    int i;
    if (argc < 2 || strcmp(argv[1], "-c"))
        return bench_main(&me, argc, argv);
    for (i = 0; i < BENCH_SCENES; i++)
        if (bench_scenes[i].kind >= CHAIN)
            converge(&bench_scenes[i]);
    converge(&bench_chain_90);
    return 0;
}
