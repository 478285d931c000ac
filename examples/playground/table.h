/* table.h - the table of the billiards: its cloth, its cushions, sixteen balls, and its picture */

#define BALLS 16     /* the cue ball is the first one */
#define R 0.0286     /* of a ball [m] */
#define LENGTH 0.84  /* from the middle to the cushions' noses [m] */
#define WIDTH 0.42   /* and across */
#define CORNER 0.08  /* from a corner to where its cushions end [m] */
#define MIDDLE 0.06  /* from the middle to where they end there [m] */
#define NOSE 0.27    /* a cushion meets a ball so far above its middle, of R */
#define RESISTS 3e-4 /* arms of the cloth's resistance to rolling and spinning [m] */
#define GUTTER 0.16  /* from the front cushion to the balls that are out [m] */

static spc_body balls[BALLS];
static spc_constraint cloths[BALLS];

/* A plane that leans over the ball: from a point, along its edge and up from it so far. */
static void add_cushion(playground *p, int i, spc_vec3 at, spc_vec3 normal, double half)
{
    spc_sphere_on_plane_desc plane = spc_sphere_on_plane_desc_default();
    spc_constraint contact;
    const bool end = normal.x > 0.5 || normal.x < -0.5; /* the table's: its edge is along y */
    plane.ball = balls[i];
    plane.shape.radius = R;
    plane.shape.half_width = 0;
    plane.shape.X_FP.p = at;
    check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), normal, &plane.shape.X_FP.q));
    plane.one_sided = plane.law.passive = plane.law.bounded = true;
    plane.law.half_length[end] = half;
    plane.law.half_length[!end] = 1;
    plane.law.grip = false;
    plane.law.friction = 0.2;
    plane.law.restitution = 0.8;
    check(spc_sphere_on_plane_add(p->world, &plane, &contact));
}

/* Two cushions are across the table; four are along it, between a corner and the middle. */
static void add_cushions(playground *p, int i)
{
    const double half = (LENGTH - CORNER - MIDDLE) / 2, x = (LENGTH - CORNER + MIDDLE) / 2;
    const double level = 0.9629; /* sqrt(1 - NOSE NOSE) */
    int side, end;
    for (side = -1; side <= 1; side += 2) {
        add_cushion(p, i, spc_vec3_make(-side * LENGTH, 0, (1 + NOSE) * R),
                    spc_vec3_make(side * level, 0, -NOSE), WIDTH - CORNER);
        for (end = -1; end <= 1; end += 2)
            add_cushion(p, i, spc_vec3_make(end * x, -side * WIDTH, (1 + NOSE) * R),
                        spc_vec3_make(0, side * level, -NOSE), half);
    }
}

/* A ball on the cloth, among those that there are. */
static void add_ball(playground *p, int i, double x, double y)
{
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc cloth = spc_sphere_on_plane_desc_default();
    spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
    spc_constraint contact;
    body.mass = spc_mass_solid_sphere(0.17, R);
    body.state.X_GB.p = spc_vec3_make(x, y, R);
    body.state.X_GB.q = turned(40 * i, spc_vec3_make(0.6, 0, 0.8));
    check(spc_body_add(p->world, &body, &balls[i]));
    cloth.ball = pair.b = balls[i];
    cloth.shape.radius = pair.shape.radius_a = pair.shape.radius_b = R;
    cloth.shape.half_width = 0;
    cloth.one_sided = pair.one_sided = true;
    cloth.law.grip = pair.law.grip = false;
    cloth.law.friction = p->slider[2];
    cloth.law.restitution = 0.3;
    cloth.law.restitution_speed = 0.1;
    cloth.law.rolling_resistance = cloth.law.spinning_resistance = RESISTS;
    check(spc_sphere_on_plane_add(p->world, &cloth, &cloths[i]));
    add_cushions(p, i);
    pair.law.friction = 0.05;
    pair.law.restitution = 0.95;
    while (i-- > 0) {
        pair.a = balls[i];
        check(spc_sphere_on_sphere_add(p->world, &pair, &contact));
    }
}

/* A frame with a gutter in front, the cloth on it, six holes, six cushions. */
static void draw_table(void)
{
    const double half = (LENGTH - CORNER - MIDDLE) / 2, deep = 0.03, out = 0.013;
    const spc_vec3 z = spc_vec3_make(0, 0, 1);
    int i, k;
    draw_rectangle(spc_vec3_make(0, -GUTTER / 2 + 0.03, 0), LENGTH + 0.1, WIDTH + GUTTER / 2 + 0.07,
                   0x6b4a30);
    draw_rectangle(spc_vec3_make(0, 0, 0), LENGTH + deep, WIDTH + deep, 0x2e7d57);
    draw_rectangle(spc_vec3_make(0, -WIDTH - GUTTER, 0), 16.5 * R, 1.3 * R, 0x4a3220);
    for (i = -1; i <= 1; i++)
        for (k = -1; k <= 1; k += 2)
            draw_disc(spc_vec3_make(i * (LENGTH + out), k * (WIDTH + (i ? out : 2 * out)), 0),
                      i ? 0.06 : 0.052, 0x14110f);
    for (i = 0; i < 6; i++) {
        const bool end = i % 3 == 2;
        const spc_quat side = turned(90 * (i / 3 * 2 + end), z);
        const double x = end ? 0 : (i % 3 ? -1 : 1) * (MIDDLE + half);
        const spc_vec3 at = spc_vec3_make(x, (end ? LENGTH : WIDTH) + deep, NOSE * R);
        draw_box(spc_transform_make(side, spc_rotate(side, at)),
                 spc_vec3_make(end ? WIDTH - CORNER : half, deep, R), 0x14492f);
    }
}
