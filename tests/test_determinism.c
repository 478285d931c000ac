/* The same bits everywhere: seven scenes of 10,000 steps each end with a hash that is one constant
   for each precision, whatever compiler, level, standard or machine made the program, whatever ran
   before and wherever the world lies. Nothing here uses a function of math.h.

   A hash changes when the numbers of the library change on purpose; then run this program, which
   prints the new ones. */
#include "test.h"

#define STEPS 10000
#define STEP SPC_R(0.00390625) /* 1/256: a power of two */

/* A scene adds bodies and constraints to an empty world. */
typedef struct scene {
    const char *name;
    void (*build)(spc_world *w);
    bool fine; /* by spc_step_rk4 with projection, every eighth step with stabilization */
    unsigned long long hash_double, hash_float;
} scene;

static spc_quat turned(double x, double y, double z)
{
    return spc_quat_from_rotation_vector(spc_vec3_make((spc_real)x, (spc_real)y, (spc_real)z));
}

static spc_body add_body(spc_world *w, spc_body_kind kind, spc_mass mass, spc_vec3 p, spc_quat q,
                         spc_vec3 angular, spc_vec3 linear)
{
    spc_body_desc desc = spc_body_desc_default();
    spc_body body = { 0, 0 };
    desc.kind = kind;
    desc.mass = mass;
    desc.state.X_GB = spc_transform_make(q, p);
    desc.state.V_GB = spc_spatial_make(angular, linear);
    CHECK_STATUS(spc_body_add(w, &desc, &body), SPC_OK);
    return body;
}

static void join(spc_world *w, spc_body a, spc_body b, unsigned locked, spc_vec3 p_A, spc_vec3 p_B)
{
    spc_attachment_desc desc = spc_attachment_desc_default();
    spc_constraint c;
    desc.a = a;
    desc.b = b;
    desc.shape.locked = locked;
    desc.shape.X_AF.p = p_A;
    desc.shape.X_BM.p = p_B;
    CHECK_STATUS(spc_attachment_add(w, &desc, &c), SPC_OK);
}

static void roll_sphere(spc_world *w, spc_body floor, spc_body ball, double radius, spc_vec3 p_BS)
{
    spc_sphere_on_plane_desc desc = spc_sphere_on_plane_desc_default();
    spc_constraint c;
    desc.floor = floor;
    desc.ball = ball;
    desc.shape.radius = (spc_real)radius;
    desc.shape.p_BS = p_BS;
    CHECK_STATUS(spc_sphere_on_plane_add(w, &desc, &c), SPC_OK);
}

static void roll_disc(spc_world *w, spc_body floor, spc_body body, double radius, spc_vec3 centre)
{
    spc_rolling_disc_desc desc = spc_rolling_disc_desc_default();
    spc_constraint c;
    desc.floor = floor;
    desc.disc = body;
    desc.shape.radius = (spc_real)radius;
    desc.shape.axis_B = vec(0, 0, 1);
    desc.shape.p_BS = centre;
    CHECK_STATUS(spc_rolling_disc_add(w, &desc, &c), SPC_OK);
}

static void touch(spc_world *w, spc_body a, spc_body b, double radius_a, bool hollow)
{
    spc_sphere_on_sphere_desc desc = spc_sphere_on_sphere_desc_default();
    spc_constraint c;
    desc.a = a;
    desc.b = b;
    desc.shape.radius_a = (spc_real)radius_a;
    desc.shape.radius_b = SPC_R(0.25);
    desc.shape.hollow = hollow;
    CHECK_STATUS(spc_sphere_on_sphere_add(w, &desc, &c), SPC_OK);
}

/* Balls, centred and not, on a turntable. */
static void balls(spc_world *w)
{
    spc_mass mass = spc_mass_solid_sphere(1, SPC_R(0.125));
    const spc_body table = add_body(w, SPC_KINEMATIC, mass, zero, spc_quat_identity(),
                                    vec(0, 0, 1.5), vec(0.0625, 0, 0));
    int i;
    for (i = 0; i < 6; i++) {
        const spc_vec3 p = vec(0.25 * i, 0.125, 0.125);
        mass.p_BBc = i % 2 ? vec(0.01, 0.02, 0) : zero;
        mass.inertia.yy *= i % 3 ? 1 : SPC_R(1.125);
        roll_sphere(
            w, table,
            add_body(w, SPC_DYNAMIC, mass, p, turned(0.1 * i, 0.2, 0.3), vec(1, 0.5 * i, -2), zero),
            0.125, i % 2 ? vec(0, 0.01, 0) : zero);
    }
}

/* Balls that are stepped side by side: on ground and on a table, with a force, some of which do not
   roll or turn by more than a radian in a step. */
static void crowd(spc_world *w)
{
    const spc_mass mass = spc_mass_solid_sphere(1, SPC_R(0.125));
    const spc_body table = add_body(w, SPC_KINEMATIC, mass, zero, turned(0.25, 0, 0),
                                    vec(0, 0.125, 0.5), vec(0.0625, 0, 0));
    int i;
    for (i = 0; i < 7; i++) {
        spc_sphere_on_plane_desc desc = spc_sphere_on_plane_desc_default();
        spc_constraint c;
        desc.ball = add_body(w, SPC_DYNAMIC, mass, vec(0.25 * i, 0.125, 0.125),
                             turned(0.1 * i, 0.2, 0.3), vec(1, 0.5 * i, i == 3 ? 400 : -2), zero);
        if (i % 3 == 2)
            desc.floor = table;
        desc.shape.radius = SPC_R(0.125);
        desc.shape.rolling = i != 4;
        CHECK_STATUS(spc_sphere_on_plane_add(w, &desc, &c), SPC_OK);
        CHECK_STATUS(spc_body_add_force(w, desc.ball, vec(0.0625 * i, 0, 0), zero, SPC_LASTING),
                     SPC_OK);
    }
}

/* A coin that wobbles and one that falls around. */
static void coins(spc_world *w)
{
    const spc_mass mass = spc_mass_disc(SPC_R(0.5), SPC_R(0.25));
    int i;
    for (i = 0; i < 2; i++)
        roll_disc(w, ground,
                  add_body(w, SPC_DYNAMIC, mass, vec(i, 0, 0.2), turned(1.2, 0.1, 0.4 * i),
                           vec(0.5, 3, 4 - i), zero),
                  0.25, zero);
}

/* A chain on a moving hook, of ball joints and hinges. */
static void chain(spc_world *w)
{
    const spc_mass mass = spc_mass_box(1, vec(0.25, 0.0625, 0.03125));
    spc_body last = add_body(w, SPC_KINEMATIC, mass, zero, spc_quat_identity(), vec(0, 0, 0.5),
                             vec(0.125, 0, 0));
    int i;
    for (i = 0; i < 8; i++) {
        const spc_body link = add_body(w, SPC_DYNAMIC, mass, vec(0.5 * i + 0.25, 0, 0),
                                       spc_quat_identity(), vec(0, 0.1 * i, 0), zero);
        join(w, last, link, i % 2 ? SPC_HINGE : SPC_BALL_JOINT, i ? vec(0.25, 0, 0) : zero,
             vec(-0.25, 0, 0));
        last = link;
    }
}

/* A cart on four balls, which share its load redundantly, on ground, with a pendulum. */
static void cart(spc_world *w)
{
    const spc_mass mass = spc_mass_box(2, vec(0.5, 0.25, 0.0625));
    const spc_body box = add_body(w, SPC_DYNAMIC, mass, vec(0, 0, 0.25), spc_quat_identity(), zero,
                                  vec(0.5, 0.25, 0));
    const spc_body bob =
        add_body(w, SPC_DYNAMIC, mass, vec(0, 0, 1.25), spc_quat_identity(), vec(1, 0.5, 0), zero);
    spc_sphere_on_plane_desc foot = spc_sphere_on_plane_desc_default();
    int i;
    foot.ball = box;
    foot.shape.radius = SPC_R(0.25);
    foot.shape.rolling = false;
    for (i = 0; i < 4; i++) {
        spc_constraint c;
        foot.shape.p_BS = vec(i & 1 ? 0.5 : -0.5, i & 2 ? 0.25 : -0.25, 0);
        CHECK_STATUS(spc_sphere_on_plane_add(w, &foot, &c), SPC_OK);
    }
    join(w, box, bob, SPC_BALL_JOINT, zero, vec(0, 0, -1));
}

/* Two wheels on an axle, with a weight that hangs from it. */
static void wheels(spc_world *w)
{
    const spc_body axle = add_body(w, SPC_DYNAMIC, spc_mass_cylinder(1, SPC_R(0.25), SPC_R(0.5)),
                                   vec(0, 0, 0.25), turned(1.5707963267948966, 0, 0), zero, zero);
    const spc_body weight = add_body(w, SPC_DYNAMIC, spc_mass_solid_sphere(3, SPC_R(0.125)),
                                     vec(0.125, 0, -0.25), spc_quat_identity(), zero, zero);
    roll_disc(w, ground, axle, 0.25, vec(0, 0, 0.5));
    roll_disc(w, ground, axle, 0.25, vec(0, 0, -0.5));
    join(w, axle, weight, SPC_BALL_JOINT, vec(0, 0, 0.125), vec(0, 0, 0.5));
}

/* Balls in a bowl that turns, one of them off its centre, the first two one on the other. */
static void bowl(spc_world *w)
{
    spc_mass mass = spc_mass_solid_sphere(1, SPC_R(0.25));
    const spc_body hollow =
        add_body(w, SPC_KINEMATIC, mass, zero, turned(0.5, 0.25, 0), vec(0.25, 0, 0.5), zero);
    spc_body ball[3];
    int i;
    for (i = 0; i < 3; i++) {
        mass.p_BBc = i == 2 ? vec(0.01, 0.02, 0) : zero;
        ball[i] = add_body(w, SPC_DYNAMIC, mass, vec(0.3 * i - 0.5, 0.25, -0.5),
                           turned(0.1 * i, 0.2, 0.3), vec(1, 0.5 * i, -2), zero);
        touch(w, hollow, ball[i], 1, true);
    }
    touch(w, ball[0], ball[1], 0.25, false);
}

static const scene scenes[] = {
    { "balls on a turntable", balls, false, 0xdc8414ce3cbee97cull, 0xa4c4b5df2613fb4full },
    { "a crowd of balls", crowd, false, 0xf1b3d9e25ea063d1ull, 0xe5193670055c428bull },
    { "coins", coins, true, 0xb9a54321c9639a13ull, 0x7314b575dea0673cull },
    { "a chain on a moving hook", chain, false, 0xd39edf96746608f5ull, 0xb0a2bafe35ed7820ull },
    { "a cart on four feet", cart, false, 0x95447c8b04e79af6ull, 0x07a8ff49bb50139eull },
    { "balls in a bowl", bowl, false, 0xd6ccf6d170043f1dull, 0x8d1474bf614f047dull },
    { "wheels on an axle", wheels, true, 0xae0ca58103fadcb4ull, 0xdacaebc6f464a1e5ull },
};
#define SCENES (sizeof scenes / sizeof *scenes)

static size_t size_of_worlds(spc_world_desc *desc)
{
    *desc = spc_world_desc_default(10, 10);
    desc->rows = 60;
    desc->solver_bytes *= 2;
    desc->gravity = vec(0.5, 0.25, -9.81);
    return spc_world_size(desc);
}

/* Makes a scene's world in memory and steps it. */
static unsigned long long run(const scene *s, void *memory)
{
    spc_world_desc desc;
    const size_t bytes = size_of_worlds(&desc);
    spc_world *w = NULL;
    int i, refused = 0;
    CHECK_STATUS(spc_world_create(memory, bytes, &desc, &w), SPC_OK);
    s->build(w);
    CHECK_STATUS(spc_world_assemble(w, SPC_R(1e-5), NULL), SPC_OK);
    CHECK_STATUS(spc_world_project_velocities(w), SPC_OK);
    for (i = 0; i < STEPS; i++)
        refused += (s->fine ? spc_step_rk4(w, STEP, i % 8 ? SPC_DRIFT_PROJECT : SPC_DRIFT_STABILIZE)
                            : spc_step(w, STEP)) != SPC_OK;
    CHECK(refused == 0);
    return spc_world_hash(w);
}

static void every_scene_ends_with_its_hash(void)
{
    spc_world_desc desc;
    char *memory = (char *)malloc(size_of_worlds(&desc));
    size_t k;
    for (k = 0; k < SCENES; k++) {
        const unsigned long long hash = run(&scenes[k], memory);
        const bool fine = sizeof(spc_real) == sizeof(double);
        const unsigned long long want = fine ? scenes[k].hash_double : scenes[k].hash_float;
        if (hash != want)
            printf("%s: 0x%016llx\n", scenes[k].name, hash);
        CHECK(hash == want);
    }
    free(memory);
}

/* The worlds one after the other at odd places of memory that is not clear. */
static void neither_what_ran_before_nor_the_place_matters(void)
{
    spc_world_desc desc;
    const size_t bytes = size_of_worlds(&desc);
    char *memory = (char *)malloc(SCENES * (bytes + 40));
    size_t k;
    memset(memory, 0xA5, SCENES * (bytes + 40));
    for (k = SCENES; k-- > 0;) {
        const unsigned long long hash = run(&scenes[k], memory + (bytes + 40) / 8 * 8 * k);
        const bool fine = sizeof(spc_real) == sizeof(double);
        CHECK(hash == (fine ? scenes[k].hash_double : scenes[k].hash_float));
    }
    free(memory);
}

static const test_entry tests[] = { TEST(every_scene_ends_with_its_hash),
                                    TEST(neither_what_ran_before_nor_the_place_matters) };

TEST_MAIN
