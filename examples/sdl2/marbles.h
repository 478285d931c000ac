/* marbles.h - the game, whatever draws it: marbles roll on a tray that the player tilts

   The tray is a kinematic body, taken to its tilt by spc_body_move_to; the marbles roll on it, held
   by their contacts. What bounces is the game's: at walls and at each other it turns velocities
   round, in the tray's frame, and gives the spin that rolls. Steps are of one length, whatever the
   frames are; what is drawn is between the last two steps. Every step leaves a snapshot, so that
   the game can go back by SPAN of them. */
#include "../../spherecontact.h"
#include <stdlib.h>
#include <string.h>

#define MARBLES 8
#define STEP 0.01    /* [s] */
#define SPAN 200     /* steps to go back: 2 s */
#define RADIUS 0.08  /* [m] */
#define HALF 1.0     /* of the tray [m] */
#define STEEPEST 0.2 /* tilt [rad] */
#define SWING 0.01   /* change of tilt in a step, at most [rad] */
#define BOUNCE 0.7   /* restitution */

typedef struct game {
    spc_world *world, *shown; /* shown: a copy at poses between two steps */
    size_t bytes;
    char *past; /* snapshots of the last SPAN steps, a ring */
    int next, held; /* where the next snapshot goes, and how many there are */
    spc_body tray, marble[MARBLES];
    spc_state before[MARBLES + 1]; /* the last step; the tray is the last */
    double left;           /* time not yet stepped [s] */
    spc_vec3 aim, tilt;    /* about x and y: where the player wants it, and where it is [rad] */
} game;

static spc_body game_body(const game *g, int i)
{
    return i < MARBLES ? g->marble[i] : g->tray;
}

static spc_state game_state(const game *g, int i)
{
    spc_state s = spc_state_identity();
    (void)spc_body_get_state(g->world, game_body(g, i), &s);
    return s;
}

static spc_status game_begin(game *g)
{
    spc_world_desc desc = spc_world_desc_default(MARBLES + 1, MARBLES);
    spc_body_desc tray = spc_body_desc_default();
    spc_ball_desc ball = spc_ball_desc_default();
    spc_status status;
    int i;
    memset(g, 0, sizeof *g);
    desc.gravity = spc_vec3_make(0, 0, -9.81);
    g->bytes = spc_world_size(&desc);
    g->past = (char *)malloc(SPAN * g->bytes);
    g->shown = (spc_world *)malloc(g->bytes);
    if (!g->past || !g->shown)
        return SPC_ERROR_NULL;
    status = spc_world_create(malloc(g->bytes), g->bytes, &desc, &g->world);
    tray.kind = SPC_KINEMATIC;
    spc_status_keep(&status, spc_body_add(g->world, &tray, &g->tray));
    ball.floor = g->tray;
    ball.mass = spc_mass_solid_sphere(0.01, ball.radius = RADIUS);
    for (i = 0; i < MARBLES; i++) {
        spc_constraint contact = { 0, 0 };
        spc_sphere_on_plane shape;
        ball.x = 0.4 * (i % 4) - 0.6;
        ball.y = 0.5 * (i / 4) - 0.25;
        spc_status_keep(&status, spc_ball_add(g->world, &ball, &g->marble[i], &contact));
        spc_status_keep(&status, spc_sphere_on_plane_get(g->world, contact, &shape));
        shape.half_width = i == 0 ? HALF : 0; /* one picture of the tray is enough */
        spc_status_keep(&status, spc_sphere_on_plane_set(g->world, contact, &shape));
    }
    return status;
}

/* Place and velocity of a marble over the tray, in its frame, and back as one that rolls. */
static void game_take(const game *g, const spc_state *tray, int i, spc_vec3 *p, spc_vec3 *v)
{
    const spc_state s = game_state(g, i);
    const spc_vec3 r = spc_sub(s.X_GB.p, tray->X_GB.p);
    *p = spc_unrotate(tray->X_GB.q, r);
    *v = spc_sub(spc_sub(s.V_GB.linear, tray->V_GB.linear), spc_cross(tray->V_GB.angular, r));
    *v = spc_unrotate(tray->X_GB.q, *v);
}

static void game_give(game *g, const spc_state *tray, int i, spc_vec3 p, spc_vec3 v)
{
    const spc_vec3 r = spc_rotate(tray->X_GB.q, p), w = spc_vec3_make(-v.y, v.x, 0);
    spc_spatial V;
    V.angular = spc_add(tray->V_GB.angular, spc_rotate(tray->X_GB.q, spc_scale(1 / RADIUS, w)));
    V.linear = spc_add(spc_add(tray->V_GB.linear, spc_cross(tray->V_GB.angular, r)),
                       spc_rotate(tray->X_GB.q, v));
    (void)spc_body_set_velocity(g->world, g->marble[i], V);
}

/* Turns velocities round: of what goes out at a wall, and of two that go at each other. */
static void game_bounce(game *g)
{
    const spc_state tray = game_state(g, MARBLES);
    spc_vec3 p[MARBLES], v[MARBLES];
    int changed[MARBLES] = { 0 }, i, k;
    for (i = 0; i < MARBLES; i++) {
        game_take(g, &tray, i, &p[i], &v[i]);
        if (p[i].x * v[i].x > 0 && p[i].x * p[i].x > (HALF - RADIUS) * (HALF - RADIUS))
            v[i].x *= -BOUNCE, changed[i] = 1;
        if (p[i].y * v[i].y > 0 && p[i].y * p[i].y > (HALF - RADIUS) * (HALF - RADIUS))
            v[i].y *= -BOUNCE, changed[i] = 1;
        for (k = 0; k < i; k++) {
            const spc_vec3 d = spc_sub(p[i], p[k]);
            const spc_real near2 = spc_dot(d, d), closing = spc_dot(d, spc_sub(v[i], v[k]));
            if (!(near2 < 4 * RADIUS * RADIUS) || !(closing < 0))
                continue;
            v[i] = spc_sub(v[i], spc_scale((1 + BOUNCE) / 2 * closing / near2, d));
            v[k] = spc_add(v[k], spc_scale((1 + BOUNCE) / 2 * closing / near2, d));
            changed[i] = changed[k] = 1;
        }
    }
    for (i = 0; i < MARBLES; i++)
        if (changed[i])
            game_give(g, &tray, i, p[i], v[i]);
}

static spc_real game_limit(double x, double most)
{
    return x > most ? most : x < -most ? -most : x;
}

static spc_status game_step(game *g)
{
    spc_transform X = game_state(g, MARBLES).X_GB;
    spc_status status;
    int i;
    memcpy(g->past + (size_t)g->next * g->bytes, g->world, g->bytes);
    g->next = (g->next + 1) % SPAN;
    g->held += g->held < SPAN;
    for (i = 0; i <= MARBLES; i++)
        g->before[i] = game_state(g, i);
    g->tilt.x += game_limit(game_limit(g->aim.x, STEEPEST) - g->tilt.x, SWING);
    g->tilt.y += game_limit(game_limit(g->aim.y, STEEPEST) - g->tilt.y, SWING);
    X.q = spc_quat_from_rotation_vector(g->tilt);
    status = spc_body_move_to(g->world, g->tray, X, STEP);
    spc_status_keep(&status, spc_step(g->world, STEP));
    game_bounce(g);
    return status;
}

/* As many steps as a frame of so many seconds has. */
static spc_status game_frame(game *g, double seconds)
{
    spc_status status = SPC_OK;
    for (g->left += game_limit(seconds, 0.1); g->left >= STEP; g->left -= STEP)
        spc_status_keep(&status, game_step(g));
    return status;
}

/* Back by SPAN steps, or as far as there are snapshots. */
static void game_rewind(game *g)
{
    const int at = (g->next + SPAN - g->held) % SPAN;
    int i;
    if (g->held > 0)
        memcpy(g->world, g->past + (size_t)at * g->bytes, g->bytes);
    g->next = at;
    g->held = 0;
    g->left = 0;
    g->tilt = g->aim = spc_vec3_make(0, 0, 0);
    for (i = 0; i <= MARBLES; i++)
        g->before[i] = game_state(g, i);
}

/* The world between the last two steps, to be drawn. */
static const spc_world *game_show(game *g)
{
    const spc_real t = g->left / STEP;
    int i;
    memcpy(g->shown, g->world, g->bytes);
    for (i = 0; i <= MARBLES && g->held > 0; i++) {
        const spc_transform a = g->before[i].X_GB, b = game_state(g, i).X_GB;
        const spc_vec3 turn = spc_vec3_make(b.q.x - a.q.x, b.q.y - a.q.y, b.q.z - a.q.z);
        const spc_real same = a.q.w * b.q.w + a.q.x * b.q.x + a.q.y * b.q.y + a.q.z * b.q.z;
        spc_transform X = b;
        if (same > 0) /* else it is the other quaternion of nearly the same turn: no blend */
            X.q = spc_quat_make(a.q.w + t * (b.q.w - a.q.w), a.q.x + t * turn.x, a.q.y + t * turn.y,
                                a.q.z + t * turn.z);
        X.p = spc_add(a.p, spc_scale(t, spc_sub(b.p, a.p)));
        (void)spc_body_set_pose(g->shown, game_body(g, i), X);
    }
    return g->shown;
}

/* The library's colors, but for the marbles: the tray came first, as body 1. */
static spc_color game_color(const spc_drawn *what)
{
    static const spc_real own[MARBLES][3] = {
        { 0.90, 0.35, 0.31 }, { 0.94, 0.63, 0.24 }, { 0.90, 0.82, 0.31 }, { 0.43, 0.78, 0.39 },
        { 0.35, 0.75, 0.82 }, { 0.39, 0.51, 0.90 }, { 0.67, 0.43, 0.86 }, { 0.86, 0.47, 0.71 }
    };
    spc_color c = what->color;
    if (what->part == SPC_PART_BALL && what->body.index >= 2) {
        c.r = own[what->body.index - 2][0];
        c.g = own[what->body.index - 2][1];
        c.b = own[what->body.index - 2][2];
    }
    return c;
}

/* A player without hands, for tests: tilts to and fro along straight lines, shows the forces, goes
   back once. */
static inline int game_play(game *g, int frame, spc_drawing *drawing)
{
    const int x = frame % 200, y = (frame + 70) % 260;
    g->aim = spc_vec3_make(0.002 * (x < 100 ? x - 50 : 150 - x),
                           0.0015 * (y < 130 ? y - 65 : 195 - y), 0);
    if (frame == 300)
        drawing->parts ^= SPC_PART_FORCE;
    if (frame == 400)
        game_rewind(g);
    return 0;
}

static void game_end(game *g)
{
    free(g->world);
    free(g->shown);
    free(g->past);
}
