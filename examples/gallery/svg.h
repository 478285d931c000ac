/* svg.h - what the pictures of the gallery share: spc_world_draw into an animated SVG file

   The view is orthographic, so that the picture of a planar figure is an affine map of the figure,
   however it moves: a disc with its spokes, half a great circle, a line, a floor's grid is one
   element with matrices in CSS keyframes. Numbers are integers of a tenth of a pixel, rounded here,
   and nothing but the library and IEEE arithmetic makes them: the files are the same on every
   machine. Where animation is off, one frame that was chosen stands still.

   A scene fills what svg_begin returns, and calls svg_play.
*/
#include "../../spherecontact.h"
#include <stdio.h>
#include <stdlib.h>

#define FRAMES 100 /* at most: one for each per cent */
#define FIGURES 64
#define PI 3.14159265358979323846

typedef enum svg_shape { LINE, WHEEL, RING, HALF, GRID, TABLE } svg_shape;

typedef struct svg_figure {
    svg_shape shape;
    spc_drawn what;
    int order;                  /* among those of the same thing */
    int last;                   /* frame that it was drawn in */
    int radius;                 /* of a ball [0.1 pixels] */
    int m[FRAMES + 1][6];       /* matrices a b c d e f [0.1 pixels] */
    int degrees[FRAMES + 1][1]; /* by which a wheel has turned in its plane */
} svg_figure;

typedef struct svg {
    int width, height;    /* [pixels] */
    double scale;         /* [pixels/m] */
    double seconds;       /* of the whole */
    int frames;           /* of the whole: 100, 50 or 25 */
    int still;            /* the frame that stands still */
    bool back;            /* goes back the way that it came: motion without friction does */
    bool stopped;         /* time stands still until the end */
    bool plain;           /* balls are outlines, without circles that turn */
    bool game;            /* spc_step as in a game, else spc_step_rk4 */
    spc_quat q_CG;        /* to the camera's axes: x right, y up, z to the viewer */
    spc_vec3 p_GC;        /* what is in the middle of the picture */
    spc_body follow;      /* the camera goes with it over the ground; ground: stays */
    bool round;           /* floors that move are round tables */
    spc_constraint trail; /* its contact point leaves a trail; zeroed: none */
    bool on_floor;        /* the trail is on the floor, which moves; else in G */
    double least;         /* lines of masses from this length on are drawn [m] */
    void (*control)(struct svg *s, double time); /* before each step; NULL: nothing */
    spc_world *world;
    const char *title;
    int frame, count, trails;
    int lines;  /* of floors so far in this frame: 22 for each */
    int *floor; /* the matrix of the last one */
    svg_figure figures[FIGURES];
    int path[FRAMES + 1][2];
} svg;

static void check(spc_status status)
{
    if (status == SPC_OK)
        return;
    fprintf(stderr, "gallery: %s\n", spc_status_text(status));
    exit(1);
}

/* A world of so many bodies and constraints under gravity. */
static spc_world *svg_world(int bodies, int constraints, double gravity)
{
    spc_world_desc desc = spc_world_desc_default(bodies, constraints);
    spc_world *world;
    desc.gravity = spc_vec3_make(0, 0, -gravity);
    desc.solver_bytes = 2000000; /* for balls that are all near each other */
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    return world;
}

/* A view from a height over a side [degrees]: from (0, 90) one looks down, x to the right. */
static spc_quat svg_view(double side, double height)
{
    const spc_vec3 about_x = spc_vec3_make((height - 90) * PI / 180, 0, 0);
    const spc_vec3 about_z = spc_vec3_make(0, 0, -side * PI / 180);
    return spc_quat_mul(spc_quat_from_rotation_vector(about_x),
                        spc_quat_from_rotation_vector(about_z));
}

static svg *svg_begin(const char *title, int width, int height, double scale, double seconds)
{
    svg *s = (svg *)calloc(1, sizeof *s);
    if (!s)
        exit(1);
    s->title = title;
    s->width = width;
    s->height = height;
    s->scale = scale;
    s->seconds = seconds;
    s->frames = FRAMES;
    s->least = 1e9;
    s->q_CG = svg_view(-20, 30);
    return s;
}

/* ---------------------------------------------------------------------- from numbers to figures */

/* To the nearest integer. */
static int svg_round(double x)
{
    return (int)(x < 0 ? x - 0.5 : x + 0.5);
}

/* A vector in the camera's axes as a column of a matrix, times a length. */
static void svg_column(double length, spc_vec3 v, int *m)
{
    m[0] = svg_round(length * v.x);
    m[1] = svg_round(-length * v.y);
}

static void svg_vector(const svg *s, spc_vec3 v_G, int *m)
{
    svg_column(10 * s->scale, spc_rotate(s->q_CG, v_G), m);
}

static void svg_point(const svg *s, spc_vec3 p_G, int *m)
{
    svg_vector(s, spc_sub(p_G, s->p_GC), m);
    m[0] += 5 * s->width;
    m[1] += 5 * s->height;
}

/* The next figure of a thing in this frame; it is made in the first. */
static svg_figure *svg_next(svg *s, svg_shape shape, const spc_drawn *what)
{
    svg_figure *f;
    int i, order = 0;
    for (i = 0; i < s->count; i++) {
        f = &s->figures[i];
        if (f->shape != shape || f->what.part != what->part ||
            f->what.body.index != what->body.index ||
            f->what.constraint.index != what->constraint.index)
            continue;
        if (f->last < s->frame) {
            f->last = s->frame;
            return f;
        }
        order++;
    }
    if (s->count == FIGURES || s->frame > 0)
        check(SPC_ERROR_BAD_COUNT);
    f = &s->figures[s->count++];
    f->shape = shape;
    f->what = *what;
    f->order = order;
    return f;
}

/* The first line of a floor's grid and the second span it. Below a camera that moves it goes on by
   whole fields, so that it does not end. */
static void svg_floor(svg *s, const spc_drawn *what, spc_vec3 a_G, spc_vec3 b_G)
{
    const spc_vec3 side = spc_sub(b_G, a_G);
    const double field = spc_norm(side) / 10;
    if (s->lines % 22 == 0) {
        s->floor = svg_next(s, s->round && what->body.index ? TABLE : GRID, what)->m[s->frame];
        svg_vector(s, side, s->floor);
        if (s->follow.index) {
            a_G.x += field * svg_round(s->p_GC.x / field);
            a_G.y += field * svg_round(s->p_GC.y / field);
        }
        svg_point(s, a_G, s->floor + 4);
    } else if (s->lines % 22 == 1) {
        svg_vector(s, side, s->floor + 2);
    }
    s->lines++;
}

/* Wheels have spokes of their own; axes of joints and what is open are left out. */
static void svg_line(void *user, const spc_drawn *what, spc_vec3 a_G, spc_vec3 b_G)
{
    svg *s = (svg *)user;
    const bool rod = what->part == SPC_PART_JOINT && what->color.r <= what->color.b;
    const bool axis = what->part == SPC_PART_MASS && spc_norm(spc_sub(b_G, a_G)) >= s->least;
    int *m;
    if (what->part == SPC_PART_PLANE)
        svg_floor(s, what, a_G, b_G);
    if (!rod && !axis)
        return;
    m = svg_next(s, LINE, what)->m[s->frame];
    svg_vector(s, spc_sub(b_G, a_G), m);
    m[2] = -m[1];
    m[3] = m[0];
    svg_point(s, a_G, m + 4);
}

/* The angle of a direction, to half a degree; a turn goes on from where it was. */
static int svg_degrees(double c, double s, int before)
{
    const double x = c < 0 ? -c : c, y = s < 0 ? -s : s, t = x > y ? y / x : x / y;
    const double octant = t * (45 + 15.64 * (1 - t)), quarter = x > y ? octant : 90 - octant;
    const double half = c < 0 ? 180 - quarter : quarter;
    int degrees = svg_round(s < 0 ? -half : half);
    while (degrees - before > 180)
        degrees -= 360;
    while (degrees - before < -180)
        degrees += 360;
    return degrees;
}

/* A direction across an axis n, in the picture: there the picture of a circle is longest. */
static spc_vec3 svg_across(spc_vec3 n)
{
    spc_vec3 side = spc_vec3_make(1, 0, 0);
    (void)spc_normalize(spc_vec3_make(-n.y, n.x, 0), &side);
    return side;
}

/* The picture of a circle, in which the wheel turns. */
static void svg_circle(void *user, const spc_drawn *what, spc_transform X_G, spc_real radius)
{
    svg *s = (svg *)user;
    const spc_mat3 R = spc_mat3_from_quat(spc_quat_mul(s->q_CG, X_G.q));
    const spc_vec3 side = svg_across(R.z), up = spc_cross(R.z, side);
    const double r = 10 * s->scale * radius;
    svg_figure *f = svg_next(s, WHEEL, what);
    int *m = f->m[s->frame];
    svg_column(r, side, m);
    svg_column(r, up, m + 2);
    svg_point(s, X_G.p, m + 4);
    f->degrees[s->frame][0] = svg_degrees(spc_dot(R.x, side), spc_dot(R.x, up),
                                          s->frame ? f->degrees[s->frame - 1][0] : 0);
}

/* Is a ball drawn already, of another contact that it has? */
static bool svg_is_drawn(const svg *s, const spc_drawn *what)
{
    int i;
    for (i = 0; i < s->count; i++)
        if (s->figures[i].shape == RING && s->figures[i].what.body.index == what->body.index &&
            s->figures[i].what.constraint.index != what->constraint.index)
            return true;
    return false;
}

/* An outline, and of two great circles the half in front, whose highest point is where the axis
   leans away from. */
static void svg_sphere(void *user, const spc_drawn *what, spc_transform X_G, spc_real radius)
{
    svg *s = (svg *)user;
    const spc_mat3 R = spc_mat3_from_quat(spc_quat_mul(s->q_CG, X_G.q));
    const double r = 10 * s->scale * radius;
    svg_figure *f;
    int *m, i;
    if (svg_is_drawn(s, what))
        return;
    f = svg_next(s, RING, what);
    m = f->m[s->frame];
    f->radius = svg_round(r);
    m[0] = m[3] = 100; /* a group, in tenths of a pixel */
    svg_point(s, X_G.p, m + 4);
    for (i = 0; i < 2 && !s->plain; i++) {
        const spc_vec3 n = i ? R.y : R.x, side = svg_across(n);
        m = svg_next(s, HALF, what)->m[s->frame];
        svg_column(r, side, m);
        svg_column(r * n.z, spc_vec3_make(-side.y, side.x, 0), m + 2);
    }
}

/* The contact point now, in tenths of a pixel or in thousandths of the floor's square. */
static void svg_trail(svg *s)
{
    int *out = s->path[s->trails];
    spc_constraint_info info;
    spc_rolling_disc disc;
    spc_state floor;
    spc_rows rows;
    spc_vec3 p;
    if (!spc_constraint_exists(s->world, s->trail))
        return;
    check(spc_constraint_get_rows(s->world, s->trail, &rows));
    svg_point(s, rows.p_GC, out);
    s->trails++;
    if (!s->on_floor)
        return;
    check(spc_constraint_get_info(s->world, s->trail, &info));
    check(spc_rolling_disc_get(s->world, s->trail, &disc));
    check(spc_body_get_state(s->world, info.a, &floor));
    p = spc_transform_point(spc_transform_inverse(floor.X_GB), rows.p_GC);
    out[0] = svg_round(500 * (p.x / disc.half_width + 1));
    out[1] = svg_round(500 * (p.y / disc.half_width + 1));
}

static void svg_frame(svg *s, unsigned parts)
{
    spc_drawing d = spc_drawing_default();
    d.parts = parts;
    d.frame = 0;
    d.user = s;
    d.line = svg_line;
    d.circle = svg_circle;
    d.sphere = svg_sphere;
    s->lines = 0;
    check(spc_world_draw(s->world, &d));
    svg_trail(s);
    s->frame++;
}

/* -------------------------------------------------------------------------------- keyframes --- */

/* A number of a matrix, which is for 100 units of a figure: of one unit its lines would be as wide
   as itself where a program does not know vector-effect. */
static void svg_hundredths(int m)
{
    const int rest = abs(m) % 100;
    printf("%s%d", m < 0 ? "-" : "", abs(m) / 100);
    if (rest)
        printf(rest % 10 ? ".%02d" : ".%d", rest % 10 ? rest : rest / 10);
    printf(",");
}

/* A matrix, or an angle. */
static void svg_transform(const int *m, int numbers)
{
    int i;
    if (numbers < 6) {
        printf("rotate(%ddeg)", m[0]);
        return;
    }
    printf("matrix(");
    for (i = 0; i < 4; i++)
        svg_hundredths(m[i]);
    printf("%d,%d)", m[4], m[5]);
}

/* Does a figure turn its back from one matrix to the next? */
static bool svg_turns_over(const int *m, const int *n, int numbers)
{
    if (numbers < 6)
        return false;
    return ((double)m[0] * m[3] < (double)m[1] * m[2]) !=
           ((double)n[0] * n[3] < (double)n[1] * n[2]);
}

/* The grid below a camera that moves goes back by a field where it has gone on by one. */
static bool svg_leaps(const int *m, const int *n, bool grid)
{
    return grid && 20 * (abs(n[4] - m[4]) + abs(n[5] - m[5])) > abs(m[0]) + abs(m[1]);
}

/* Are all between frames k and end on a straight line, but for 0.2 pixels, or a degree? */
static bool svg_is_straight(const int *m, int numbers, int k, int end)
{
    const int *a = m + k * numbers, *b = m + end * numbers;
    const int near = numbers == 6 ? 2 : 1;
    int i, j;
    for (i = k + 1; i < end; i++)
        for (j = 0; j < numbers; j++) {
            const double line = a[j] + (double)(b[j] - a[j]) * (i - k) / (end - k);
            const double off = m[i * numbers + j] - line;
            if (off > near || off < -near || svg_turns_over(a, m + i * numbers, numbers))
                return false;
        }
    return true;
}

/* The next keyframe after frame k: as far as one may go in a straight line. */
static int svg_reach(const svg *s, const int *m, int numbers, int k, bool grid)
{
    int end = k + 1;
    while (end + 1 < s->frame &&
           !svg_turns_over(m + k * numbers, m + (end + 1) * numbers, numbers) &&
           !svg_leaps(m + (end - 1) * numbers, m + end * numbers, grid) &&
           !svg_leaps(m + end * numbers, m + (end + 1) * numbers, grid) &&
           svg_is_straight(m, numbers, k, end + 1))
        end++;
    return end;
}

/* All keyframes of a figure; nothing if it stands. Where it turns its back it waits, and where it
   leaps it first goes on. */
static void svg_keyframes(const svg *s, int name, const int *m, int numbers, bool grid)
{
    const char kind = numbers == 6 ? 'k' : 'r';
    const int percent = 100 / s->frames;
    int k, end, j, moves = 0;
    for (j = 0; j < s->frame * numbers; j++)
        moves += m[j] != m[j % numbers];
    if (moves == 0)
        return;
    printf("@keyframes %c%d{", kind, name);
    for (k = 0; k < s->frame; k = end) {
        const int *now = m + k * numbers, *next = now;
        end = k + 1 < s->frame ? svg_reach(s, m, numbers, k, grid) : s->frame;
        next = end < s->frame ? m + end * numbers : now;
        printf("%d%%{transform:", percent * k);
        svg_transform(now, numbers);
        printf(svg_turns_over(now, next, numbers) ? ";animation-timing-function:step-end}" : "}");
        if (k > 0 && svg_leaps(now, next, grid)) {
            int on[6];
            for (j = 0; j < 6; j++)
                on[j] = 2 * now[j] - now[j - 6];
            printf("%d.99%%{transform:", percent * end - 1);
            svg_transform(on, 6);
            printf("}");
        }
    }
    printf("}\n#%c%d{animation-name:%c%d}\n", kind, name, kind, name);
}

/* -------------------------------------------------------------------------------- the file ---- */

static void svg_style(const svg *s)
{
    int i;
    printf("<style>\npath,circle{stroke-width:2;stroke-linecap:round;"
           "vector-effect:non-scaling-stroke}\npath,g{animation:%dms linear infinite%s}\n"
           ".w,.b{fill-opacity:.2}.h,.l,.g,.p{fill:none}.h{stroke-width:1.5}.l{stroke-width:4}\n"
           ".g,.t,.t path{stroke-width:.6;fill-opacity:.1}\n"
           "path.p{stroke:#888;stroke-width:1.5;stroke-dasharray:1 4;stroke-opacity:1}\n",
           svg_round(1000 * s->seconds), s->back ? " alternate" : "");
    for (i = 0; i < s->count; i++) {
        const svg_figure *f = &s->figures[i];
        svg_keyframes(s, i, f->m[0], 6, f->shape == GRID && s->follow.index);
        if (f->shape == WHEEL && f->order == 0)
            svg_keyframes(s, i, f->degrees[0], 1, false);
    }
    printf("@media(prefers-reduced-motion:reduce){path,g{animation:none!important}}\n</style>\n");
}

/* A color of one byte for each of red, green and blue. */
static void svg_color(const char *name, spc_color c)
{
    printf("%s=\"#%02x%02x%02x\" ", name, svg_round(255 * c.r), svg_round(255 * c.g),
           svg_round(255 * c.b));
}

static void svg_attributes(const svg *s, int i)
{
    static const char *const classes[] = { "l", "w", "b", "h", "g", "t" };
    const svg_figure *f = &s->figures[i];
    const int *m = f->m[s->still];
    printf(" id=\"k%d\" class=\"%s\" ", i, classes[f->shape]);
    svg_color("stroke", f->what.color);
    svg_color("fill", f->what.color);
    printf("transform=\"");
    svg_transform(m, 6);
    printf("\"");
}

/* What a figure is made of, in its own coordinates. */
static const char *svg_path(const svg_figure *f)
{
    static const char *const paths[] = {
        "M0 0H100",
        "M100 0A100 100 0 1 1-100 0A100 100 0 1 1 100 0",
        "",
        "M-100 0A100 100 0 0 0 100 0",
        "M0 0H100V100H0ZM0 10H100M0 20H100M0 30H100M0 40H100M0 50H100M0 60H100M0 70H100M0 80H100"
        "M0 90H100M10 0V100M20 0V100M30 0V100M40 0V100M50 0V100M60 0V100M70 0V100M80 0V100"
        "M90 0V100",
        "M100 50A50 50 0 1 1 0 50A50 50 0 1 1 100 50M0 50H100M50 0V100M15 15L85 85M15 85L85 15",
    };
    return paths[f->shape];
}

static void svg_polyline(const svg *s)
{
    int k;
    printf("<path class=\"p\" fill=\"none\"%s d=\"",
           s->on_floor ? " transform=\"scale(.1)\"" : "");
    for (k = 0; k < s->trails; k++)
        printf("%s%d %d", k == 0 ? "M" : k == 1 ? "L" : " ", s->path[k][0], s->path[k][1]);
    printf("\"/>\n");
}

/* Of a ball the outline and the circles, which are figures that follow; of a wheel the outline and
   the spokes, which turn; of a floor itself and the trail on it. Returns how many were written. */
static int svg_group(const svg *s, int i)
{
    const svg_figure *f = &s->figures[i];
    int k;
    if (f->shape == RING) {
        printf("<circle r=\"%d\"/>\n", f->radius);
        for (k = 1; k <= 2 && !s->plain; k++) {
            printf("<path");
            svg_attributes(s, i + k);
            printf(" d=\"%s\"/>\n", svg_path(&s->figures[i + k]));
        }
        return s->plain ? 1 : 3;
    }
    printf("<path d=\"%s\"/>\n", svg_path(f));
    if (f->shape != WHEEL)
        svg_polyline(s);
    else if (f->order == 0)
        printf("<path id=\"r%d\" transform=\"rotate(%d)\" "
               "d=\"M-100 0H100M0-100V100M-71-71L71 71M-71 71L71-71\"/>\n",
               i, f->degrees[s->still][0]);
    return 1;
}

static int svg_element(const svg *s, int i)
{
    const svg_figure *f = &s->figures[i];
    const bool below = s->on_floor && f->what.part == SPC_PART_PLANE && f->what.body.index;
    int figures = 1;
    if (f->shape == RING || f->shape == WHEEL || below) {
        printf("<g");
        svg_attributes(s, i);
        printf(">");
        figures = svg_group(s, i);
        printf("</g>\n");
    } else {
        printf("<path");
        svg_attributes(s, i);
        printf(" d=\"%s\"/>\n", svg_path(f));
    }
    return figures;
}

static void svg_end(svg *s)
{
    bool trail = s->trails > 0 && !s->on_floor;
    int i = 0;
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
           "viewBox=\"0 0 %d0 %d0\">\n<title>%s</title>\n",
           s->width, s->height, s->width, s->height, s->title);
    svg_style(s);
    while (i < s->count) {
        if (trail && s->figures[i].what.part != SPC_PART_PLANE) {
            svg_polyline(s);
            trail = false;
        }
        i += svg_element(s, i);
    }
    printf("</svg>\n");
    free(s->world);
    free(s);
}

/* Plays a scene through its time, with so many steps for each frame, and writes the file. */
static void svg_play(svg *s, unsigned parts, int steps)
{
    const double h = s->seconds / (s->frames * steps);
    spc_state followed;
    int i;
    for (i = 0; i <= s->frames * steps; i++) {
        check(spc_body_get_state(s->world, s->follow, &followed));
        if (s->follow.index) {
            s->p_GC.x = followed.X_GB.p.x;
            s->p_GC.y = followed.X_GB.p.y;
        }
        if (i % steps == 0)
            svg_frame(s, parts);
        if (s->control)
            s->control(s, i * h);
        if (!s->stopped)
            check(s->game ? spc_step(s->world, h)
                          : spc_step_rk4(s->world, h, SPC_DRIFT_PROJECT));
    }
    svg_end(s);
}
