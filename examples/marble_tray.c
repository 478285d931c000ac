/* marble_tray.c - marbles on a tray that tilts, with walls and a hole

   The tray is a kinematic body: four planes with ends leave a square hole, four more are walls.
   First it stands tilted, and a marble rolls from rest down to the hole, with 5/7 of what gravity
   has along the tray, and falls freely. Then the tray is tilted to and fro: marbles bounce off its
   walls and each other until they drop into the hole.

   build: cc -O2 examples/marble_tray.c -lm -o marble_tray
   last line: marble_tray: ok, falls where it should to 6e-06 m, 5 of 5 drop
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MARBLES 5
#define RADIUS 0.01   /* [m] */
#define TRAY 0.2      /* half of its side [m] */
#define HOLE 0.03     /* half of the hole's side [m] */
#define TILT 0.06     /* [rad] */
#define H (1.0 / 240) /* [s] */

static spc_world *world;
static spc_body tray, marbles[MARBLES];

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

/* A plane of the tray for a marble: its middle, normal and half lengths; 0: without an end. */
static void add_plane(spc_body marble, spc_vec3 p, spc_vec3 n, double x, double y)
{
    spc_sphere_on_plane_desc desc = spc_sphere_on_plane_desc_default();
    spc_constraint contact;
    desc.floor = tray;
    desc.ball = marble;
    desc.shape.X_FP.p = p;
    check(spc_quat_from_two_vectors(spc_vec3_make(0, 0, 1), n, &desc.shape.X_FP.q));
    desc.shape.radius = RADIUS;
    desc.one_sided = true;
    desc.law.grip = false;
    desc.law.friction = 0.5;
    desc.law.restitution = x > 0 ? 0 : 0.6;
    desc.law.bounded = x > 0;
    desc.law.half_length[0] = x;
    desc.law.half_length[1] = y;
    check(spc_sphere_on_plane_add(world, &desc, &contact));
}

static spc_transform tilted(double about_x, double about_y)
{
    return spc_transform_make(spc_quat_from_rotation_vector(spc_vec3_make(about_x, about_y, 0)),
                              spc_vec3_make(0, 0, 0));
}

static void add_marble(int i, double x, double y)
{
    const double side = (TRAY + HOLE) / 2, half = (TRAY - HOLE) / 2;
    spc_sphere_on_sphere_desc pair = spc_sphere_on_sphere_desc_default();
    spc_body_desc body = spc_body_desc_default();
    spc_constraint contact;
    int k;
    body.mass = spc_mass_solid_sphere(0.01, RADIUS);
    body.state.X_GB.p = spc_transform_point(tilted(0, TILT), spc_vec3_make(x, y, RADIUS));
    check(spc_body_add(world, &body, &marbles[i]));
    for (k = -1; k <= 1; k += 2) {
        add_plane(marbles[i], spc_vec3_make(k * side, 0, 0), spc_vec3_make(0, 0, 1), half, TRAY);
        add_plane(marbles[i], spc_vec3_make(0, k * side, 0), spc_vec3_make(0, 0, 1), HOLE, half);
        add_plane(marbles[i], spc_vec3_make(k * TRAY, 0, 0), spc_vec3_make(-k, 0, 0), 0, 0);
        add_plane(marbles[i], spc_vec3_make(0, k * TRAY, 0), spc_vec3_make(0, -k, 0), 0, 0);
    }
    pair.b = marbles[i];
    pair.shape.radius_a = pair.shape.radius_b = RADIUS;
    pair.one_sided = true;
    pair.law.restitution = 0.6;
    for (k = 0; k < i; k++) {
        pair.a = marbles[k];
        check(spc_sphere_on_sphere_add(world, &pair, &contact));
    }
}

int main(void)
{
    const double a = 5.0 / 7 * 9.81 * sin(TILT), way = 0.1, rolls = sqrt(2 * way / a);
    spc_world_desc desc = spc_world_desc_default(MARBLES + 1, 60);
    spc_body_desc body = spc_body_desc_default();
    double off, falls, v = a * rolls;
    int i, k, dropped = 0, ok;
    spc_vec3 p;
    desc.gravity = spc_vec3_make(0, 0, -9.81);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    body.kind = SPC_KINEMATIC;
    body.state.X_GB = tilted(0, TILT); /* down along x */
    check(spc_body_add(world, &body, &tray));
    for (i = 0; i < MARBLES; i++)
        add_marble(i, i ? 0.1 * cos(i) : -HOLE - way, i ? 0.1 * sin(i) : 0);
    for (i = 0; i * H < rolls + 0.15; i++)
        check(spc_step(world, H));
    falls = spc_world_time(world) - rolls;
    p = spc_transform_point(spc_transform_inverse(tilted(0, TILT)),
                            spc_body_position(world, marbles[0]));
    off = hypot(p.x + HOLE - falls * (v + 0.5 * 9.81 * sin(TILT) * falls),
                p.z - RADIUS + 0.5 * 9.81 * cos(TILT) * falls * falls);
    for (i = 0; i < 15 / H; i++) {
        const double t = (i + 1) * H;
        check(spc_body_move_to(world, tray, tilted(TILT * sin(1.7 * t), TILT * cos(2.3 * t)), H));
        check(spc_step(world, H));
        for (k = dropped = 0; k < MARBLES; k++)
            dropped += spc_body_position(world, marbles[k]).z < -1;
        if (i % 240 == 239)
            printf("%4.1f s: %d marbles have dropped\n", t, dropped);
    }
    ok = off < 1e-5 && dropped == MARBLES; /* second order: some g h^2 / 20 */
    printf("marble_tray: %s, falls where it should to %.0e m, %d of %d drop\n", ok ? "ok" : "WRONG",
           off, dropped, MARBLES);
    return ok ? 0 : 1;
}
