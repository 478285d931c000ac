/* marbles.h - what the tray's marbles do to each other and to its walls: blows, which are code of
   the scene and not of the library. Each is taken by itself, some times over all of them. */

#define MARBLES 12
#define HALF 0.26 /* of the tray [m] */
#define SLOW 0.15 /* a blow slower than this does not bounce [m/s] */
#define SWEEPS 6  /* over all blows, in each step */

typedef struct marble {
    spc_body body;
    double radius, mass;
    double x, y; /* place on the tray [m] */
    double u, v; /* velocity against it [m/s] */
} marble;

static marble marbles[MARBLES];

/* The speed after a blow with a speed of approach, where marbles overlap by some depth [m]. */
static double after(const playground *p, double speed, double depth)
{
    const double bounce = speed > SLOW ? p->slider[0] * speed : 0;
    const double apart = 0.2 * depth / p->h;
    return bounce > apart ? bounce : apart;
}

/* A rolling ball resists like one of 7/5 of its mass; of two, each takes its share. */
static void meet(const playground *p, marble *a, marble *b)
{
    const double x = b->x - a->x, y = b->y - a->y, r = a->radius + b->radius;
    const double far = spc_norm(spc_vec3_make(x, y, 0));
    double speed, dv;
    if (far >= r || far <= 0)
        return;
    speed = ((a->u - b->u) * x + (a->v - b->v) * y) / far;
    dv = speed + after(p, speed, r - far);
    if (dv <= 0)
        return;
    dv /= far * (a->mass + b->mass);
    a->u -= dv * b->mass * x;
    a->v -= dv * b->mass * y;
    b->u += dv * a->mass * x;
    b->v += dv * a->mass * y;
}

/* The wall on the side of `sign`: a place along the axis to it, and the velocity. */
static void meet_wall(const playground *p, const marble *m, double sign, double at, double *v)
{
    const double depth = sign * at + m->radius - HALF, speed = sign * *v;
    if (depth > 0 && speed + after(p, speed, depth) > 0)
        *v = -sign * after(p, speed, depth);
}

static void meet_all(const playground *p)
{
    int i, j, k;
    for (k = 0; k < SWEEPS; k++)
        for (i = 0; i < MARBLES; i++) {
            marble *m = &marbles[i];
            for (j = 0; j < i; j++)
                meet(p, &marbles[j], m);
            for (j = -1; j <= 1; j += 2) {
                meet_wall(p, m, j, m->x, &m->u);
                meet_wall(p, m, j, m->y, &m->v);
            }
        }
}
