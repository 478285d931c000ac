/* [7.4] What is drawn: calls of a scene against a list that is made by thought, lines in the place
   of circles and spheres, colors, masks, refusals, and that a picture moves with what it shows. */
#include "test.h"

#define MOST 2000 /* calls of the largest scene here */

/* Sums of a few products of numbers up to 20 in single precision. */
#define TOLERANCE (sizeof(spc_real) == sizeof(float) ? 1e-4 : 1e-12)

typedef enum color { GREY, ORANGE, BLUE, RED, GREEN, VIOLET, OTHER } color;

/* A call of a callback: l line, c circle, s sphere, t text. */
typedef struct drawn {
    char what;
    unsigned part, body, constraint; /* indices of handles */
    color color;
    spc_vec3 p, end; /* of a line; where the rest is, and x axis of its frame times the radius */
} drawn;

typedef struct record {
    drawn calls[MOST];
    int count;
    const char *text; /* the last one */
} record;

static record seen, other;

/* Parts of 255, opaque. */
static bool is_color(spc_color c, int r, int g, int b)
{
    const double e = 1e-4;
    return fabs(255 * (double)c.r - r) < e && fabs(255 * (double)c.g - g) < e &&
           fabs(255 * (double)c.b - b) < e && fabs((double)c.a - 1) < e;
}

static color color_of(spc_color c)
{
    if (is_color(c, 136, 136, 136))
        return GREY;
    if (is_color(c, 187, 119, 0))
        return ORANGE;
    if (is_color(c, 68, 136, 204))
        return BLUE;
    if (is_color(c, 221, 51, 51))
        return RED;
    if (is_color(c, 168, 108, 200))
        return VIOLET;
    return is_color(c, 34, 153, 68) ? GREEN : OTHER;
}

static void put(void *user, char kind, const spc_drawn *what, spc_vec3 p, spc_vec3 end)
{
    record *r = (record *)user;
    drawn *d = &r->calls[r->count < MOST ? r->count : MOST - 1];
    CHECK(r->count < MOST);
    d->what = kind;
    d->part = what->part;
    d->body = what->body.index;
    d->constraint = what->constraint.index;
    d->color = color_of(what->color);
    d->p = p;
    d->end = end;
    r->count++;
}

static void put_line(void *user, const spc_drawn *what, spc_vec3 a_G, spc_vec3 b_G)
{
    put(user, 'l', what, a_G, b_G);
}

static void put_circle(void *user, const spc_drawn *what, spc_transform X_G, spc_real radius)
{
    put(user, 'c', what, X_G.p, spc_rotate(X_G.q, spc_vec3_make(radius, 0, 0)));
}

static void put_sphere(void *user, const spc_drawn *what, spc_transform X_G, spc_real radius)
{
    put(user, 's', what, X_G.p, spc_rotate(X_G.q, spc_vec3_make(radius, 0, 0)));
}

static void put_text(void *user, const spc_drawn *what, spc_vec3 p_G, const char *text)
{
    put(user, 't', what, p_G, spc_vec3_make(0, 0, 0));
    ((record *)user)->text = text;
}

/* Everything, by all callbacks, into a record. */
static spc_drawing drawing_into(record *r)
{
    spc_drawing d = spc_drawing_default();
    d.parts = SPC_PART_ALL;
    d.user = r;
    d.line = put_line;
    d.circle = put_circle;
    d.sphere = put_sphere;
    d.text = put_text;
    r->count = 0;
    r->text = NULL;
    return d;
}

static void draw_all(const spc_world *w, record *r)
{
    const spc_drawing d = drawing_into(r);
    CHECK_STATUS(spc_world_draw(w, &d), SPC_OK);
}

static int count_part(const record *r, unsigned part)
{
    int i, n = 0;
    for (i = 0; i < r->count; i++)
        n += r->calls[i].part == part;
    return n;
}

static bool near_vec3(spc_vec3 a, spc_vec3 b, double tolerance)
{
    return (double)spc_norm(spc_sub(a, b)) <= tolerance;
}

static void check_call(int line, const drawn *got, const drawn *want)
{
    const bool same = got->what == want->what && got->part == want->part &&
                      got->body == want->body && got->constraint == want->constraint &&
                      got->color == want->color && near_vec3(got->p, want->p, TOLERANCE) &&
                      near_vec3(got->end, want->end, TOLERANCE);
    CHECK(same);
    if (!same)
        printf("  call %d of the list: %c part %u body %u constraint %u color %d, %g %g %g to %g "
               "%g %g\n",
               line, got->what, got->part, got->body, got->constraint, (int)got->color,
               (double)got->p.x, (double)got->p.y, (double)got->p.z, (double)got->end.x,
               (double)got->end.y, (double)got->end.z);
}

/* ----------------------------------------------------------------------------- a scene -------- */

#define GX SPC_R(3.5) /* gravity along the floor: a ball of 1 kg needs 2/7 of it, 1 N, to roll */
#define GZ 10
#define RIGHT_ANGLE SPC_R(1.57079632679489662)

typedef struct scene {
    spc_world *world;
    spc_constraint ball, disc, joint;
    spc_body bodies[3];
} scene;

static spc_body add_body(spc_world *w, spc_mass mass, double x, double z)
{
    spc_body_desc d = spc_body_desc_default();
    spc_body body;
    d.mass = mass;
    d.state.X_GB.p = spc_vec3_make((spc_real)x, 0, (spc_real)z);
    CHECK_STATUS(spc_body_add(w, &d, &body), SPC_OK);
    return body;
}

static void add_contacts(scene *s)
{
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_rolling_disc_desc wheel = spc_rolling_disc_desc_default();
    roll.ball = s->bodies[0];
    roll.shape.radius = SPC_R(0.5);
    roll.shape.half_width = 0;
    roll.name = "ball";
    CHECK_STATUS(spc_sphere_on_plane_add(s->world, &roll, &s->ball), SPC_OK);
    wheel.disc = s->bodies[1];
    wheel.shape.radius = 1;
    wheel.shape.axis_B = spc_vec3_make(0, 1, 0);
    wheel.shape.width = SPC_R(0.25);
    wheel.shape.half_width = 0;
    CHECK_STATUS(spc_rolling_disc_add(s->world, &wheel, &s->disc), SPC_OK);
}

/* A ball of radius 1/2 and a wheel of radius 1 that stand on the floor, and a box of 2 kg that is
   welded to ground by frames a quarter of a metre apart; solved for what acts. */
static scene make_scene(void)
{
    spc_world_desc desc = spc_world_desc_default(3, 3);
    spc_attachment_desc weld = spc_attachment_desc_default();
    spc_mass wheel = spc_mass_disc(1, 1); /* about z: 1/2; across: 1/4 */
    scene s;
    desc.gravity = spc_vec3_make(GX, 0, -GZ);
    desc.stabilization.enabled = false; /* the joint that is open is not pulled */
    s.world = test_world(&desc);
    wheel.inertia.yy = SPC_R(0.5);
    wheel.inertia.zz = SPC_R(0.25);
    s.bodies[0] = add_body(s.world, spc_mass_solid_sphere(1, SPC_R(0.5)), 0, 0.5);
    s.bodies[1] = add_body(s.world, wheel, 5, 1);
    s.bodies[2] = add_body(s.world, spc_mass_box(2, spc_vec3_make(1, 2, 3)), 10, 5);
    add_contacts(&s);
    weld.b = s.bodies[2];
    weld.shape.locked = SPC_WELD;
    weld.shape.X_AF.p = spc_vec3_make(10, 0, SPC_R(6.25));
    weld.shape.X_BM.p = spc_vec3_make(0, 0, 1);
    weld.name = "weld";
    CHECK_STATUS(spc_attachment_add(s.world, &weld, &s.joint), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
    return s;
}

/* ----------------------------------------------------------------------------- the list ------- */

/* sqrt(3/2 of the moment over the mass): of a cube with the inertia of the ball, 2/5 r^2, and of a
   box with that of the thin disc, which has no thickness. */
#define CUBE 0.38729833462074170
#define SLAB 0.86602540378443865
#define C SPC_PART_CONTACT
#define F SPC_PART_FORCE
#define J SPC_PART_JOINT
#define M SPC_PART_MASS
#define P(x, y, z)                                  \
    {                                               \
        (spc_real)(x), (spc_real)(y), (spc_real)(z) \
    }

/* Forces: 1 N is 0.01 m. The ball's normal force is 10 N, and 1 N keeps it from sliding; the wheel
   takes a third of 3.5 N; the weld carries 2 kg. */
static const drawn list[] = {
    { 'l', M, 1, 0, BLUE, P(-CUBE, 0, 0.5), P(CUBE, 0, 0.5) },
    { 'l', M, 1, 0, BLUE, P(0, -CUBE, 0.5), P(0, CUBE, 0.5) },
    { 'l', M, 1, 0, BLUE, P(0, 0, 0.5 - CUBE), P(0, 0, 0.5 + CUBE) },
    { 'l', M, 2, 0, BLUE, P(5 - SLAB, 0, 1), P(5 + SLAB, 0, 1) },
    { 'l', M, 2, 0, BLUE, P(5, 0, 1 - SLAB), P(5, 0, 1 + SLAB) },
    { 'l', M, 3, 0, BLUE, P(9, 0, 5), P(11, 0, 5) },
    { 'l', M, 3, 0, BLUE, P(10, -2, 5), P(10, 2, 5) },
    { 'l', M, 3, 0, BLUE, P(10, 0, 2), P(10, 0, 8) },
    { 's', SPC_PART_BALL, 1, 1, ORANGE, P(0, 0, 0.5), P(0.5, 0, 0) },
    { 't', SPC_PART_NAME, 1, 1, GREY, P(0, 0, 0.5), P(0, 0, 0) },
    { 'l', C, 1, 1, GREEN, P(-0.025, 0, 0), P(0.025, 0, 0) },
    { 'l', C, 1, 1, GREEN, P(0, -0.025, 0), P(0, 0.025, 0) },
    { 'l', C, 1, 1, GREEN, P(0, 0, 0), P(0, 0, 0.1) },
    { 'l', F, 1, 1, GREEN, P(0, 0, 0), P(0, 0, 0.1) },
    { 'l', F, 1, 1, ORANGE, P(0, 0, 0), P(-0.01, 0, 0) },
    { 'l', SPC_PART_DISC, 2, 2, BLUE, P(5, 0, 1), P(6, 0, 1) },
    { 'c', SPC_PART_DISC, 2, 2, BLUE, P(5, 0.125, 1), P(1, 0, 0) },
    { 'c', SPC_PART_DISC, 2, 2, BLUE, P(5, -0.125, 1), P(1, 0, 0) },
    { 'l', C, 2, 2, GREEN, P(5, 0.025, 0), P(5, -0.025, 0) }, /* w2 x n, with w2 along x */
    { 'l', C, 2, 2, GREEN, P(4.975, 0, 0), P(5.025, 0, 0) },
    { 'l', C, 2, 2, GREEN, P(5, 0, 0), P(5, 0, 0.1) },
    { 'l', F, 2, 2, GREEN, P(5, 0, 0), P(5, 0, 0.1) },
    { 'l', F, 2, 2, ORANGE, P(5, 0, 0), P(5 - 0.035 / 3, 0, 0) },
    { 'l', J, 0, 3, RED, P(10, 0, 6.25), P(10.1, 0, 6.25) },
    { 'l', J, 0, 3, GREEN, P(10, 0, 6.25), P(10, 0.1, 6.25) },
    { 'l', J, 0, 3, BLUE, P(10, 0, 6.25), P(10, 0, 6.35) },
    { 'l', J, 3, 3, GREY, P(10, 0, 5), P(10, 0, 6) },
    { 'l', J, 3, 3, RED, P(10, 0, 6), P(10.05, 0, 6) },
    { 'l', J, 3, 3, GREEN, P(10, 0, 6), P(10, 0.05, 6) },
    { 'l', J, 3, 3, BLUE, P(10, 0, 6), P(10, 0, 6.05) },
    { 'l', J, 3, 3, RED, P(10, 0, 6.25), P(10, 0, 6) },
    { 'l', F, 3, 3, ORANGE, P(10, 0, 6), P(9.93, 0, 6.2) },
    { 't', SPC_PART_NAME, 3, 3, GREY, P(10, 0, 6), P(0, 0, 0) },
};
#define LISTED ((int)(sizeof list / sizeof *list))

/* Lines shorter than rounding: forces that are 0 but for it. */
static void leave_out_noise(record *r)
{
    int i, n = 0;
    for (i = 0; i < r->count; i++)
        if (r->calls[i].what != 'l' || !near_vec3(r->calls[i].p, r->calls[i].end, TOLERANCE))
            r->calls[n++] = r->calls[i];
    r->count = n;
}

/* Directions of axes have no sign. */
static void straighten(record *r)
{
    int i;
    for (i = 0; i < r->count; i++) {
        drawn *d = &r->calls[i];
        const spc_vec3 way = spc_sub(d->end, d->p), p = d->p;
        if (d->part != M || way.x + way.y + way.z >= 0)
            continue;
        d->p = d->end;
        d->end = p;
    }
}

static void a_scene_is_drawn_as_the_list_says(void)
{
    scene s = make_scene();
    int i;
    draw_all(s.world, &seen);
    leave_out_noise(&seen);
    straighten(&seen);
    CHECK(seen.count == LISTED);
    for (i = 0; i < LISTED && i < seen.count; i++)
        check_call(i, &seen.calls[i], &list[i]);
    CHECK(seen.text && strcmp(seen.text, "weld") == 0);
    free(s.world);
}

/* All that a disabled constraint loses are its forces and its colors. */
static void what_is_disabled_is_grey(void)
{
    scene s = make_scene();
    int i, k;
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.ball, false), SPC_OK);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.disc, false), SPC_OK);
    CHECK_STATUS(spc_constraint_set_enabled(s.world, s.joint, false), SPC_OK);
    draw_all(s.world, &seen);
    straighten(&seen);
    for (i = k = 0; i < LISTED; i++) {
        drawn want = list[i];
        if (want.part == F)
            continue;
        want.color = want.part == M ? BLUE : GREY;
        CHECK(k < seen.count);
        check_call(i, &seen.calls[k], &want);
        k++;
    }
    CHECK(seen.count == k);
    free(s.world);
}

/* For each of the 256 masks the calls are those of all parts without the others. */
static void masks_leave_out_what_they_name(void)
{
    scene s = make_scene();
    unsigned mask;
    draw_all(s.world, &seen);
    for (mask = 0; mask <= SPC_PART_ALL; mask++) {
        spc_drawing d = drawing_into(&other);
        int i, k = 0;
        d.parts = mask;
        CHECK_STATUS(spc_world_draw(s.world, &d), SPC_OK);
        for (i = 0; i < seen.count; i++)
            if (seen.calls[i].part & mask && k < other.count)
                k += memcmp(&seen.calls[i], &other.calls[k], sizeof(drawn)) == 0;
        CHECK(k == other.count);
    }
    CHECK(other.count == seen.count);
    free(s.world);
}

/* Each callback but line may be NULL: texts go, circles and spheres become lines on them. */
static void lines_alone_give_every_part(void)
{
    scene s = make_scene();
    int which;
    draw_all(s.world, &seen);
    for (which = 0; which < 8; which++) {
        spc_drawing d = drawing_into(&other);
        const int circle = which & 1 ? 1 : 7; /* calls for one: segments */
        d.segments = 7;
        if (!(which & 1))
            d.circle = NULL;
        if (!(which & 2))
            d.sphere = NULL;
        if (!(which & 4))
            d.text = NULL;
        CHECK_STATUS(spc_world_draw(s.world, &d), SPC_OK);
        CHECK(count_part(&other, SPC_PART_BALL) == (which & 2 ? 1 : 3 * circle));
        CHECK(count_part(&other, SPC_PART_DISC) == 2 * circle + 1);
        CHECK(count_part(&other, SPC_PART_NAME) == (which & 4 ? 2 : 0));
        CHECK(count_part(&other, J) == count_part(&seen, J));
        CHECK(count_part(&other, F) == count_part(&seen, F));
        CHECK(count_part(&other, C) == count_part(&seen, C));
        CHECK(count_part(&other, M) == count_part(&seen, M));
    }
    free(s.world);
}

/* Lines that begin at `first` close a regular polygon about a centre and an axis. */
static void check_polygon(const record *r, int first, int n, spc_vec3 centre, spc_vec3 axis,
                          double radius)
{
    const double side = 2 * radius * sin(3.14159265358979324 / n);
    int i;
    for (i = 0; i < n; i++) {
        const drawn *d = &r->calls[first + i], *next = &r->calls[first + (i + 1) % n];
        const spc_vec3 arm = spc_sub(d->p, centre);
        CHECK_NEAR(spc_norm(arm), radius, TOLERANCE);
        CHECK_NEAR(spc_dot(arm, axis), 0, TOLERANCE);
        CHECK_NEAR(spc_norm(spc_sub(d->end, d->p)), side, TOLERANCE);
        CHECK(near_vec3(d->end, next->p, 0));
    }
}

static void circles_of_lines_are_closed_polygons(void)
{
    const spc_vec3 x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 };
    const spc_vec3 S = P(0, 0, 0.5), back = P(5, -0.125, 1), front = P(5, 0.125, 1);
    const int segments[3] = { 3, 32, 101 };
    scene s = make_scene();
    int i;
    for (i = 0; i < 3; i++) {
        const int n = segments[i];
        spc_drawing d = drawing_into(&seen);
        d.circle = NULL;
        d.sphere = NULL;
        d.segments = n;
        d.parts = SPC_PART_BALL | SPC_PART_DISC;
        CHECK_STATUS(spc_world_draw(s.world, &d), SPC_OK);
        CHECK(seen.count == 5 * n + 1);
        check_polygon(&seen, 0, n, S, z, 0.5);
        check_polygon(&seen, n, n, S, x, 0.5);
        check_polygon(&seen, 2 * n, n, S, y, 0.5);
        check_polygon(&seen, 3 * n + 1, n, front, y, 1); /* behind the spoke */
        check_polygon(&seen, 4 * n + 1, n, back, y, 1);
    }
    free(s.world);
}

/* ----------------------------------------------------------------------------- planes --------- */

/* Balls on a kinematic table: planes as given. */
static spc_world *world_of_planes(const double *half_width, const double *height, int count)
{
    spc_world_desc desc = spc_world_desc_default(count + 1, count);
    spc_body_desc table = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_constraint c;
    spc_world *w = test_world(&desc);
    int i;
    table.kind = SPC_KINEMATIC;
    table.state.X_GB = test_random_transform(1);
    CHECK_STATUS(spc_body_add(w, &table, &roll.floor), SPC_OK);
    roll.shape.radius = 1;
    for (i = 0; i < count; i++) {
        roll.ball = add_body(w, spc_mass_solid_sphere(1, 1), i, 5);
        roll.shape.half_width = (spc_real)half_width[i];
        roll.shape.X_FP.p.z = (spc_real)height[i];
        CHECK_STATUS(spc_sphere_on_plane_add(w, &roll, &c), SPC_OK);
    }
    return w;
}

/* A square of 10 by 10 fields: 11 lines each way, as long as it is wide, in the plane. */
static void a_plane_is_a_square_with_a_grid(void)
{
    const double half_width = 2, height = 3;
    spc_world *w = world_of_planes(&half_width, &height, 1);
    spc_drawing d = drawing_into(&seen);
    spc_body table;
    spc_state state;
    double from_middle, sum = 0;
    int i, along_x = 0;
    table.index = table.generation = 0;
    CHECK(spc_body_next(w, &table));
    CHECK_STATUS(spc_body_get_state(w, table, &state), SPC_OK);
    d.parts = SPC_PART_PLANE;
    CHECK_STATUS(spc_world_draw(w, &d), SPC_OK);
    CHECK(seen.count == 22);
    for (i = 0; i < seen.count; i++) {
        const spc_transform X_FG = spc_transform_inverse(state.X_GB);
        const spc_vec3 a = spc_transform_point(X_FG, seen.calls[i].p);
        const spc_vec3 b = spc_transform_point(X_FG, seen.calls[i].end);
        const spc_vec3 way = spc_sub(b, a);
        CHECK(seen.calls[i].body == table.index && seen.calls[i].color == GREY);
        CHECK_NEAR(a.z, 3, TOLERANCE);
        CHECK_NEAR(b.z, 3, TOLERANCE);
        CHECK_NEAR(spc_norm(way), 4, TOLERANCE);
        from_middle = (double)spc_norm(spc_vec3_make(a.x + b.x, a.y + b.y, 0)) / 2 / 0.4;
        CHECK_NEAR(from_middle, floor(from_middle + 0.5), 10 * TOLERANCE);
        sum += from_middle;
        along_x += way.x > 3;
    }
    CHECK(along_x == 11);
    CHECK_NEAR(sum, 60, 100 * TOLERANCE); /* 0 to 5 fields to either side, both ways */
    free(w);
}

/* One that the constraint before has, too, is drawn once; half width 0 is none. */
static void a_plane_of_many_balls_is_drawn_once(void)
{
    const double width[6] = { 1, 1, 1, 2, 0, 1 }, height[6] = { 0, 0, 3, 3, 3, 0 };
    const int planes[7] = { 0, 1, 1, 2, 3, 3, 4 };
    int i;
    for (i = 1; i <= 6; i++) {
        spc_world *w = world_of_planes(width, height, i);
        draw_all(w, &seen);
        CHECK(count_part(&seen, SPC_PART_PLANE) == 22 * planes[i]);
        CHECK(count_part(&seen, SPC_PART_BALL) == i);
        free(w);
    }
}

/* Planes that differ in one number of their frame are two. */
static void planes_that_differ_in_anything_are_two(void)
{
    const double nothing[2] = { 0, 0 };
    const double width[2] = { 1, 1 };
    int i;
    for (i = 0; i <= 4; i++) {
        spc_world *w = world_of_planes(width, nothing, 2);
        spc_sphere_on_plane shape;
        spc_constraint c;
        int k;
        c.index = c.generation = 0;
        for (k = 0; k < 2; k++) {
            CHECK(spc_constraint_next(w, &c));
            CHECK_STATUS(spc_sphere_on_plane_get(w, c, &shape), SPC_OK);
            shape.X_FP.q = spc_quat_make(SPC_R(0.5), SPC_R(0.5), SPC_R(0.5), SPC_R(0.5));
            shape.X_FP.q.w *= k == 1 && i == 1 ? -1 : 1;
            shape.X_FP.q.x *= k == 1 && i == 2 ? -1 : 1;
            shape.X_FP.q.y *= k == 1 && i == 3 ? -1 : 1;
            shape.X_FP.q.z *= k == 1 && i == 4 ? -1 : 1;
            CHECK_STATUS(spc_sphere_on_plane_set(w, c, &shape), SPC_OK);
        }
        draw_all(w, &seen);
        CHECK(count_part(&seen, SPC_PART_PLANE) == (i == 0 ? 22 : 44));
        free(w);
    }
}

/* ----------------------------------------------------------------------------- discs ---------- */

static spc_world *world_of_a_disc(spc_rolling_disc shape, spc_constraint *c)
{
    const spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_rolling_disc_desc d = spc_rolling_disc_desc_default();
    spc_world *w = test_world(&desc);
    d.disc = add_body(w, spc_mass_solid_sphere(1, 1), 0, 1);
    d.shape = shape;
    CHECK_STATUS(spc_rolling_disc_add(w, &d, c), SPC_OK);
    return w;
}

/* show, width, color and half_width. */
static void discs_are_drawn_as_they_ask(void)
{
    spc_rolling_disc shape = spc_rolling_disc_default();
    spc_constraint c;
    spc_world *w;
    int i;
    shape.radius = 1;
    w = world_of_a_disc(shape, &c);
    draw_all(w, &seen);
    CHECK(count_part(&seen, SPC_PART_PLANE) == 22);
    CHECK(count_part(&seen, SPC_PART_DISC) == 3);
    shape.width = shape.half_width = 0;
    shape.color.r = shape.color.b = 0;
    shape.color.g = shape.color.a = 1;
    CHECK_STATUS(spc_rolling_disc_set(w, c, &shape), SPC_OK);
    draw_all(w, &seen);
    CHECK(count_part(&seen, SPC_PART_PLANE) == 0);
    CHECK(count_part(&seen, SPC_PART_DISC) == 2); /* one rim, and the spoke */
    for (i = 0; i < seen.count; i++)
        CHECK(seen.calls[i].color == (seen.calls[i].part == SPC_PART_DISC ? OTHER
                                      : seen.calls[i].part == M           ? BLUE
                                                                          : GREY));
    CHECK_STATUS(spc_constraint_set_enabled(w, c, false), SPC_OK);
    draw_all(w, &seen);
    for (i = 0; i < seen.count; i++)
        CHECK(seen.calls[i].color == (seen.calls[i].part == M ? BLUE : GREY));
    shape.show = false;
    CHECK_STATUS(spc_rolling_disc_set(w, c, &shape), SPC_OK);
    draw_all(w, &seen);
    CHECK(count_part(&seen, SPC_PART_DISC) == 0 && count_part(&seen, C) == 3);
    free(w);
}

/* A disc that lies flat has no contact point; it is drawn all the same. */
static void a_flat_disc_has_no_contact(void)
{
    const spc_quat flat = { SPC_R(0.5), SPC_R(0.5), SPC_R(0.5), SPC_R(0.5) };
    spc_rolling_disc shape = spc_rolling_disc_default();
    spc_body body;
    spc_constraint c;
    spc_world *w;
    shape.radius = 1;
    shape.axis_B = spc_vec3_make(0, 1, 0); /* y, which becomes z */
    w = world_of_a_disc(shape, &c);
    body.index = body.generation = 0;
    CHECK(spc_body_next(w, &body));
    CHECK_STATUS(spc_body_set_pose(w, body, spc_transform_make(flat, spc_vec3_make(0, 0, 1))),
                 SPC_OK);
    draw_all(w, &seen);
    CHECK(count_part(&seen, SPC_PART_DISC) == 3);
    CHECK(count_part(&seen, C) == 0 && count_part(&seen, F) == 0);
    free(w);
}

/* ----------------------------------------------------------------------------- contacts ------- */

/* Under a ceiling that holds the ball it pulls; without a solution, and in free fall of all, it
   does neither. A negative scale shows the force on the floor. */
static void contacts_tell_by_color_what_they_do(void)
{
    const double gravity[3] = { -10, 0, 10 };
    const color wanted[3] = { GREEN, GREY, RED };
    scene s = make_scene();
    int i, k;
    for (i = 0; i < 3; i++) {
        spc_drawing d = drawing_into(&seen);
        d.newton = -1;
        CHECK_STATUS(spc_world_set_gravity(s.world, spc_vec3_make(0, 0, (spc_real)gravity[i])),
                     SPC_OK);
        CHECK_STATUS(spc_world_forward_dynamics(s.world), SPC_OK);
        CHECK_STATUS(spc_world_draw(s.world, &d), SPC_OK);
        leave_out_noise(&seen);
        for (k = 0; k < seen.count; k++) {
            const drawn *c = &seen.calls[k];
            if (c->constraint != s.ball.index)
                continue;
            if (c->part == C)
                CHECK(c->color == wanted[i]);
            if (c->part == F)
                CHECK(c->color == wanted[i] && fabs((double)c->end.z - gravity[i]) < TOLERANCE);
        }
        CHECK(count_part(&seen, F) == (i == 1 ? 0 : 3));
    }
    free(s.world);
}

/* A ball on a slope whose friction is 0.3, one-sided: it rolls where 2/7 of the slope is below
   that, and slides where it is not; lifted, it is open. */
static void contacts_that_slide_have_a_color_of_their_own(void)
{
    static const double slope[3] = { 0.3, 1.5, 0.3 }, lift[3] = { 0, 0, 0.1 };
    static const color wanted[3] = { GREEN, VIOLET, GREY };
    int i, k;
    for (i = 0; i < 3; i++) {
        const spc_world_desc desc = spc_world_desc_default(1, 1);
        spc_ball_desc ball = spc_ball_desc_default();
        spc_transform X = spc_transform_identity();
        const size_t size = spc_world_size(&desc);
        spc_body body;
        spc_world *w;
        CHECK_STATUS(spc_world_create(malloc(size), size, &desc, &w), SPC_OK);
        CHECK_STATUS(spc_world_set_gravity(w, spc_vec3_make((spc_real)(10 * slope[i]), 0, -10)),
                     SPC_OK);
        ball.one_sided = true;
        ball.law.grip = false;
        ball.mass = spc_mass_solid_sphere(1, ball.radius = (spc_real)0.5);
        ball.law.friction = (spc_real)0.3;
        CHECK_STATUS(spc_ball_add(w, &ball, &body, NULL), SPC_OK);
        X.p.z = ball.radius + (spc_real)lift[i];
        CHECK_STATUS(spc_body_set_pose(w, body, X), SPC_OK);
        CHECK_STATUS(spc_step(w, (spc_real)0.01), SPC_OK);
        draw_all(w, &seen);
        CHECK(count_part(&seen, C) == 3);
        for (k = 0; k < seen.count; k++)
            CHECK(seen.calls[k].part != C || seen.calls[k].color == wanted[i]);
        free(w);
    }
}

/* A row that is switched off pushes no more, whatever was found before. */
static void a_contact_whose_normal_is_off_is_grey(void)
{
    scene s = make_scene();
    spc_rolling_disc shape;
    int i;
    CHECK_STATUS(spc_rolling_disc_get(s.world, s.disc, &shape), SPC_OK);
    shape.normal = false;
    CHECK_STATUS(spc_rolling_disc_set(s.world, s.disc, &shape), SPC_OK);
    draw_all(s.world, &seen);
    for (i = 0; i < seen.count; i++)
        if (seen.calls[i].constraint == s.disc.index && seen.calls[i].part == C)
            CHECK(seen.calls[i].color == GREY);
    free(s.world);
}

/* ----------------------------------------------------------------------------- joints --------- */

/* The red line is what is open along locked axes: of 1 2 3 m the parts that count. */
static void joints_show_how_far_they_are_open(void)
{
    const spc_vec3 at[8] = { P(0, 0, 0), P(1, 0, 0), P(0, 2, 0), P(1, 2, 0),
                             P(0, 0, 3), P(1, 0, 3), P(0, 2, 3), P(1, 2, 3) };
    const spc_world_desc desc = spc_world_desc_default(2, 1);
    unsigned locked;
    for (locked = 0; locked < 8; locked++) {
        spc_attachment_desc d = spc_attachment_desc_default();
        spc_world *w = test_world(&desc);
        const drawn *last;
        spc_constraint c;
        d.a = add_body(w, spc_mass_solid_sphere(1, 1), 0, 5);
        d.b = add_body(w, spc_mass_solid_sphere(1, 1), 3, 5);
        d.shape.rest = spc_vec3_make(1, -1, -2);
        d.shape.X_BM.p = spc_vec3_make(-1, 1, 1);
        d.shape.locked = locked;
        CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
        draw_all(w, &seen);
        CHECK(count_part(&seen, J) ==
              (locked ? 8 : 7)); /* two frames, and a line to B: F is in A */
        last = &seen.calls[seen.count - 1];
        if (locked) {
            CHECK(near_vec3(last->end, spc_vec3_make(2, 1, 6), TOLERANCE) && last->color == RED);
            CHECK(near_vec3(spc_sub(last->end, last->p), at[locked], TOLERANCE));
        }
        free(w);
    }
}

/* A joint whose twist has no direction has no force; its frames are there. */
static void a_joint_of_opposed_axes_has_no_force(void)
{
    const spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_attachment_desc d = spc_attachment_desc_default();
    spc_world *w = test_world(&desc);
    spc_constraint c;
    d.b = add_body(w, spc_mass_solid_sphere(1, 1), 0, 0);
    d.shape.locked = SPC_UNIVERSAL;
    CHECK_STATUS(spc_attachment_add(w, &d, &c), SPC_OK);
    CHECK_STATUS(spc_body_set_pose(
                     w, d.b, spc_transform_make(spc_quat_make(0, 1, 0, 0), spc_vec3_make(0, 0, 0))),
                 SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(w), SPC_ERROR_OPPOSED_AXES);
    draw_all(w, &seen);
    CHECK(count_part(&seen, J) == 6 && count_part(&seen, F) == 0);
    free(w);
}

/* ----------------------------------------------------------------------------- masses --------- */

/* A box of any place and direction in its body: the lines are the box's axes. */
static void a_mass_is_drawn_as_the_box_that_it_is(void)
{
    const spc_world_desc desc = spc_world_desc_default(1, 0);
    int i, k, j;
    for (i = 0; i < 200; i++) {
        const spc_real thin = (spc_real)test_random(0.2, 0.4);
        const spc_vec3 half = spc_vec3_make(thin, (spc_real)test_random(0.6, 0.8), 1);
        const spc_mat3 R = spc_mat3_from_quat(test_random_quat());
        spc_body_desc d = spc_body_desc_default();
        spc_world *w = test_world(&desc);
        spc_vec3 sides[3], centre;
        spc_body body;
        int found = 0;
        d.mass = spc_mass_box((spc_real)test_random(0.5, 3), half);
        d.mass.inertia = spc_inertia_rotate(R, d.mass.inertia);
        d.mass.p_BBc = test_random_vec3(1);
        d.state.X_GB = test_random_transform(2);
        CHECK_STATUS(spc_body_add(w, &d, &body), SPC_OK);
        draw_all(w, &seen);
        CHECK(seen.count == 3);
        centre = spc_transform_point(d.state.X_GB, d.mass.p_BBc);
        sides[0] = spc_rotate(d.state.X_GB.q, spc_scale(half.x, R.x));
        sides[1] = spc_rotate(d.state.X_GB.q, spc_scale(half.y, R.y));
        sides[2] = spc_rotate(d.state.X_GB.q, spc_scale(half.z, R.z));
        for (k = 0; k < seen.count; k++)
            for (j = 0; j < 3; j++) {
                const spc_vec3 to = spc_sub(seen.calls[k].end, centre);
                const spc_vec3 from = spc_sub(seen.calls[k].p, centre);
                const double e = 100 * TOLERANCE; /* of an angle: over a difference of moments */
                found +=
                    (near_vec3(to, sides[j], e) && near_vec3(from, spc_scale(-1, sides[j]), e)) ||
                    (near_vec3(from, sides[j], e) && near_vec3(to, spc_scale(-1, sides[j]), e));
            }
        CHECK(found == 3);
        free(w);
    }
}

/* Moments that are the same but for rounding have no axes: those of the body are drawn. */
static void rounding_turns_no_axes(void)
{
    const spc_world_desc desc = spc_world_desc_default(1, 0);
    const double epsilon = sizeof(spc_real) == sizeof(float) ? 1.2e-7 : 2.3e-16;
    spc_body_desc d = spc_body_desc_default();
    spc_world *w = test_world(&desc);
    spc_body body;
    d.mass = spc_mass_solid_sphere(1, 1);
    d.mass.inertia.xy = d.mass.inertia.xz = (spc_real)epsilon;
    CHECK_STATUS(spc_body_add(w, &d, &body), SPC_OK);
    draw_all(w, &seen);
    straighten(&seen);
    CHECK(seen.count == 3);
    CHECK_NEAR(seen.calls[0].end.x, 2 * CUBE, TOLERANCE);
    CHECK_NEAR(seen.calls[1].end.y, 2 * CUBE, TOLERANCE);
    CHECK_NEAR(seen.calls[2].end.z, 2 * CUBE, TOLERANCE);
    free(w);
}

/* ----------------------------------------------------------------------------- motion --------- */

/* A plate that is free, with a ball, a wheel and a hinge, in a random pose that X moves. */
static spc_world *moved_scene(spc_transform X, unsigned long long seed)
{
    spc_world_desc desc = spc_world_desc_default(4, 3);
    spc_body_desc d = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_rolling_disc_desc wheel = spc_rolling_disc_desc_default();
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_constraint c;
    spc_body body[4];
    spc_world *w;
    int i;
    test_seed = seed;
    desc.gravity = spc_rotate(X.q, test_random_vec3(10));
    w = test_world(&desc);
    for (i = 0; i < 4; i++) {
        d.mass = test_random_mass();
        d.state.X_GB = spc_transform_mul(X, test_random_transform(1));
        CHECK_STATUS(spc_body_add(w, &d, &body[i]), SPC_OK);
    }
    roll.floor = wheel.floor = hinge.a = body[0];
    roll.ball = body[1], wheel.disc = body[2], hinge.b = body[3];
    roll.shape.X_FP = wheel.shape.X_FP = test_random_transform(1);
    roll.shape.radius = wheel.shape.radius = SPC_R(0.25);
    roll.shape.p_BS = test_random_vec3(1);
    wheel.shape.axis_B = test_random_vec3(1);
    hinge.shape.X_AF = test_random_transform(1);
    hinge.shape.X_BM = test_random_transform(1);
    hinge.shape.locked = SPC_HINGE;
    CHECK_STATUS(spc_sphere_on_plane_add(w, &roll, &c), SPC_OK);
    CHECK_STATUS(spc_rolling_disc_add(w, &wheel, &c), SPC_OK);
    CHECK_STATUS(spc_attachment_add(w, &hinge, &c), SPC_OK);
    CHECK_STATUS(spc_world_forward_dynamics(w), SPC_OK);
    return w;
}

/* Nothing in a picture hangs on ground's axes: a scene that is moved as a whole has the picture
   moved. */
static void the_picture_moves_with_the_scene(void)
{
    /* forces of 1,000 N at 0.01 m each, from frames and errors of 1 m under stabilization */
    const double tolerance = sizeof(spc_real) == sizeof(float) ? 2e-2 : 1e-10;
    unsigned long long seed;
    for (seed = 1; seed <= 50; seed++) {
        spc_transform X;
        spc_world *w, *moved;
        int i;
        test_seed = seed + 1000;
        X = test_random_transform(2);
        w = moved_scene(spc_transform_identity(), seed);
        moved = moved_scene(X, seed);
        draw_all(w, &seen);
        draw_all(moved, &other);
        CHECK(seen.count == other.count && seen.count > 40);
        for (i = 0; i < seen.count && i < other.count; i++) {
            const drawn *a = &seen.calls[i], *b = &other.calls[i];
            const spc_vec3 end =
                a->what == 'l' ? spc_transform_point(X, a->end) : spc_rotate(X.q, a->end);
            CHECK(a->what == b->what && a->part == b->part && a->body == b->body);
            CHECK(a->constraint == b->constraint && a->color == b->color);
            CHECK(near_vec3(spc_transform_point(X, a->p), b->p, tolerance));
            CHECK(near_vec3(end, b->end, tolerance));
        }
        free(w);
        free(moved);
    }
}

/* A ball that has rolled a quarter of a turn: its axes have turned with it. */
static void a_ball_that_rolls_is_seen_to_roll(void)
{
    scene s = make_scene();
    spc_transform X = spc_transform_identity();
    X.q = spc_quat_from_rotation_vector(spc_vec3_make(0, RIGHT_ANGLE, 0));
    X.p.z = SPC_R(0.5);
    CHECK_STATUS(spc_body_set_pose(s.world, s.bodies[0], X), SPC_OK);
    draw_all(s.world, &seen);
    CHECK(seen.calls[8].what == 's');
    CHECK(near_vec3(seen.calls[8].end, spc_vec3_make(0, 0, SPC_R(-0.5)), TOLERANCE));
    free(s.world);
}

/* ----------------------------------------------------------------------------- the rest ------- */

static void check_refused(const spc_world *w, const spc_drawing *d, spc_status wanted)
{
    seen.count = 0;
    CHECK_STATUS(spc_world_draw(w, d), wanted);
    CHECK(seen.count == 0);
}

static void bad_drawings_are_refused(void)
{
    const double bad[3] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    scene s = make_scene();
    const spc_drawing good = drawing_into(&seen);
    spc_drawing d;
    int i;
    check_refused(NULL, &good, SPC_ERROR_NULL);
    check_refused(s.world, NULL, SPC_ERROR_NULL);
    d = good, d.line = NULL, check_refused(s.world, &d, SPC_ERROR_NULL);
    d = good, d.parts = SPC_PART_ALL + 1, check_refused(s.world, &d, SPC_ERROR_BAD_OPTION);
    for (i = -1; i < 3; i++)
        d = good, d.segments = i, check_refused(s.world, &d, SPC_ERROR_BAD_OPTION);
    for (i = 0; i < 3; i++) {
        d = good, d.newton = (spc_real)bad[i], check_refused(s.world, &d, SPC_ERROR_NOT_FINITE);
        d = good, d.frame = (spc_real)bad[i], check_refused(s.world, &d, SPC_ERROR_NOT_FINITE);
    }
    free(s.world);
}

static void the_default_drawing_is_as_described(void)
{
    const spc_drawing d = spc_drawing_default();
    CHECK((d.parts | SPC_PART_MASS | SPC_PART_NAME) == SPC_PART_ALL);
    CHECK(!(d.parts & (SPC_PART_MASS | SPC_PART_NAME)));
    CHECK_NEAR(d.newton, SPC_R(0.01), 0);
    CHECK_NEAR(d.frame, SPC_R(0.1), 0);
    CHECK(d.segments == 32 && !d.user);
    CHECK(!d.line && !d.circle && !d.sphere && !d.text);
}

static void drawing_leaves_the_world_as_it_is(void)
{
    scene s = make_scene();
    const size_t bytes = spc_world_snapshot_size(s.world);
    void *before = malloc(bytes);
    memcpy(before, s.world, bytes);
    draw_all(s.world, &seen);
    CHECK(memcmp(before, s.world, bytes) == 0);
    free(before);
    free(s.world);
}

/* Of any decade, often of the last. */
static spc_real any_size(void)
{
    const double most = sizeof(spc_real) == sizeof(float) ? 37 : 307;
    return (spc_real)pow(10, fmin(test_random(-most, 2 * most), most));
}

static spc_vec3 any_vec3(void)
{
    const spc_real size = any_size();
    return spc_scale(size, test_random_vec3(test_random(0, 1) < 0.5 ? 1 : 15));
}

/* Shapes of any size: points of bodies that are beyond all numbers. */
static void make_wild(spc_world *w)
{
    spc_constraint c;
    c.index = c.generation = 0;
    while (spc_constraint_next(w, &c)) {
        spc_sphere_on_plane ball;
        spc_rolling_disc disc;
        spc_attachment joint;
        CHECK_STATUS(spc_constraint_set_name(w, c, "wild"), SPC_OK);
        if (!spc_sphere_on_plane_get(w, c, &ball)) {
            ball.p_BS = any_vec3();
            ball.radius = any_size();
            CHECK_STATUS(spc_sphere_on_plane_set(w, c, &ball), SPC_OK);
        } else if (!spc_rolling_disc_get(w, c, &disc)) {
            disc.p_BS = any_vec3();
            disc.width = any_size();
            CHECK_STATUS(spc_rolling_disc_set(w, c, &disc), SPC_OK);
        } else if (!spc_attachment_get(w, c, &joint)) {
            joint.X_BM.p = any_vec3();
            CHECK_STATUS(spc_attachment_set(w, c, &joint), SPC_OK);
        }
    }
}

/* Numbers of any decade: whatever is called has finite numbers. */
static void lines_are_finite_or_not_drawn(void)
{
    int i, k, drawn_parts = 0;
    for (i = 0; i < 2000; i++) {
        spc_world *w = moved_scene(spc_transform_identity(), 7);
        spc_drawing d = drawing_into(&seen);
        spc_body body;
        d.newton = any_vec3().x;
        d.frame = any_vec3().x;
        body.index = body.generation = 0;
        test_seed = (unsigned long long)i + 1;
        d.circle = i % 2 ? put_circle : NULL;
        d.sphere = i % 3 ? put_sphere : NULL;
        d.text = i % 5 ? put_text : NULL;
        make_wild(w);
        while (spc_body_next(w, &body)) {
            const spc_quat q = test_random_quat();
            CHECK_STATUS(spc_body_set_pose(w, body, spc_transform_make(q, any_vec3())), SPC_OK);
        }
        CHECK_STATUS(spc_world_draw(w, &d), SPC_OK);
        for (k = 0; k < seen.count; k++) {
            const spc_vec3 p = seen.calls[k].p, end = seen.calls[k].end;
            CHECK(isfinite(p.x) && isfinite(p.y) && isfinite(p.z));
            CHECK(isfinite(end.x) && isfinite(end.y) && isfinite(end.z));
        }
        drawn_parts += seen.count;
        free(w);
    }
    CHECK(drawn_parts > 2000);
}

/* Both spheres, with the point between them. */
static void spheres_on_spheres_are_drawn(void)
{
    const spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_sphere_on_sphere_desc touch = spc_sphere_on_sphere_desc_default();
    spc_body_desc ball = spc_body_desc_default();
    spc_world *w = test_world(&desc);
    spc_constraint c;
    spc_drawing d;
    record r;
    int i;
    ball.mass = spc_mass_solid_sphere(1, SPC_R(0.5));
    ball.state.X_GB.p.z = SPC_R(1.5);
    CHECK_STATUS(spc_body_add(w, &ball, &touch.b), SPC_OK);
    touch.shape.radius_a = 1;
    touch.shape.radius_b = SPC_R(0.5);
    CHECK_STATUS(spc_sphere_on_sphere_add(w, &touch, &c), SPC_OK);
    d = drawing_into(&r);
    d.parts &= ~(unsigned)SPC_PART_MASS;
    CHECK_STATUS(spc_world_draw(w, &d), SPC_OK);
    CHECK(count_part(&r, SPC_PART_BALL) == 2);
    for (i = 0; i < 2; i++) {
        CHECK(r.calls[i].what == 's' && r.calls[i].body == (unsigned)i);
        CHECK_NEAR(r.calls[i].p.z, i ? 1.5 : 0, TOLERANCE);
        CHECK_NEAR(spc_norm(r.calls[i].end), i ? 0.5 : 1, TOLERANCE);
    }
    CHECK(r.calls[2].part == SPC_PART_CONTACT && count_part(&r, SPC_PART_CONTACT) == 3);
    CHECK_NEAR(spc_norm(spc_sub(r.calls[4].p, spc_vec3_make(0, 0, 1))), 0, TOLERANCE);
    d = drawing_into(&r);
    d.parts &= ~(unsigned)SPC_PART_BALL;
    CHECK_STATUS(spc_world_draw(w, &d), SPC_OK);
    CHECK(count_part(&r, SPC_PART_BALL) == 0 && count_part(&r, SPC_PART_CONTACT) == 3);
    free(w);
}

static const test_entry tests[] = { TEST(a_scene_is_drawn_as_the_list_says),
                                    TEST(spheres_on_spheres_are_drawn),
                                    TEST(what_is_disabled_is_grey),
                                    TEST(masks_leave_out_what_they_name),
                                    TEST(lines_alone_give_every_part),
                                    TEST(circles_of_lines_are_closed_polygons),
                                    TEST(a_plane_is_a_square_with_a_grid),
                                    TEST(a_plane_of_many_balls_is_drawn_once),
                                    TEST(planes_that_differ_in_anything_are_two),
                                    TEST(discs_are_drawn_as_they_ask),
                                    TEST(a_flat_disc_has_no_contact),
                                    TEST(contacts_tell_by_color_what_they_do),
                                    TEST(contacts_that_slide_have_a_color_of_their_own),
                                    TEST(a_contact_whose_normal_is_off_is_grey),
                                    TEST(joints_show_how_far_they_are_open),
                                    TEST(a_joint_of_opposed_axes_has_no_force),
                                    TEST(a_mass_is_drawn_as_the_box_that_it_is),
                                    TEST(rounding_turns_no_axes),
                                    TEST(the_picture_moves_with_the_scene),
                                    TEST(a_ball_that_rolls_is_seen_to_roll),
                                    TEST(bad_drawings_are_refused),
                                    TEST(the_default_drawing_is_as_described),
                                    TEST(drawing_leaves_the_world_as_it_is),
                                    TEST(lines_are_finite_or_not_drawn) };

int main(int argc, char **argv)
{
    return test_run(tests, sizeof tests / sizeof *tests, argc, argv);
}
