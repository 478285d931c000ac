/* conveyor.c - a ball that is set down on a conveyor belt is left behind, and rolls with 2/7 of it

   The belt is the surface_velocity of a contact's law: the floor stands, its surface moves. A ball
   that is set down on it at rest slides, is pulled along with mu g and turned backwards, until its
   lowest point moves with the belt. That is after 2 vb / (7 mu g), with 2/7 of the belt's speed vb;
   from then on nothing pushes any more. Thrown across the belt it slides in a curve, a parabola as
   a billiard ball's, since the slip keeps its direction, and ends with 5/7 of its own velocity and
   2/7 of the belt's.
   When the belt stops the ball that rolls is slowed to 2/7 - 2/7 = 0 and stands: it forgets.

   build: cc -O2 examples/conveyor.c -lm -o conveyor
   last line: conveyor: ok, 2/7 of the belt, and stands when it stops
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RADIUS 0.1    /* of the ball [m] */
#define MU 0.3
#define G 9.81        /* [m/s^2] */
#define BELT 2.1      /* [m/s]: the ball rolls with 0.6 m/s of it */
#define ACROSS 1.4    /* its own, across the belt [m/s]: it keeps 1 m/s */
#define H (1.0 / 240) /* [s] */

typedef struct scene {
    spc_world *world;
    spc_constraint contact;
    spc_body ball;
    double error; /* of the place, the largest so far [m] */
} scene;

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

static scene make_scene(double across)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc belt = spc_sphere_on_plane_desc_default();
    scene s;
    s.error = 0;
    desc.gravity = spc_vec3_make(0, 0, -G);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &s.world));
    body.mass = spc_mass_solid_sphere(1, RADIUS);
    body.state.X_GB.p.z = belt.shape.radius = RADIUS;
    body.state.V_GB.linear.y = across;
    check(spc_body_add(s.world, &body, &belt.ball));
    belt.one_sided = true;
    belt.law.grip = false;
    belt.law.friction = MU;
    belt.law.surface_velocity[0] = BELT;
    check(spc_sphere_on_plane_add(s.world, &belt, &s.contact));
    s.ball = belt.ball;
    return s;
}

/* The belt's speed, at any time. */
static void set_belt(scene *s, double speed)
{
    spc_contact_law law;
    bool one_sided;
    check(spc_constraint_get_law(s->world, s->contact, &one_sided, &law));
    law.surface_velocity[0] = speed;
    check(spc_constraint_set_law(s->world, s->contact, one_sided, &law));
}

/* Steps for a second from a state with the slip (ball less belt); compares with the parabola that
   becomes a straight line where the slip ends. Returns the velocity then. */
static spc_vec3 run(scene *s, spc_vec3 slip)
{
    const double rolls = 2 * spc_norm(slip) / (7 * MU * G); /* [s] */
    const spc_vec3 pull = spc_scale(-MU * G / spc_norm(slip), slip);
    spc_state start, now;
    int i;
    check(spc_body_get_state(s->world, s->ball, &start));
    printf("   time [s]       x [m]       y [m]    vx [m/s]    vy [m/s]\n");
    for (i = 1; i <= 240; i++) {
        const double t = i * H, slides = t < rolls ? t : rolls;
        const spc_vec3 v = spc_add(start.V_GB.linear, spc_scale(slides, pull));
        spc_vec3 p = spc_add(start.X_GB.p, spc_scale(slides, start.V_GB.linear));
        p = spc_add(p, spc_add(spc_scale(slides * slides / 2, pull), spc_scale(t - slides, v)));
        check(spc_step(s->world, H));
        check(spc_body_get_state(s->world, s->ball, &now));
        s->error = fmax(s->error, spc_norm(spc_sub(now.X_GB.p, p)));
        if (i % 48 == 0)
            printf("%11.3f %11.6f %11.6f %11.6f %11.6f\n", spc_world_time(s->world), now.X_GB.p.x,
                   now.X_GB.p.y, now.V_GB.linear.x, now.V_GB.linear.y);
    }
    return now.V_GB.linear;
}

int main(void)
{
    scene set_down = make_scene(0), thrown = make_scene(ACROSS);
    spc_vec3 a = run(&set_down, spc_vec3_make(-BELT, 0, 0)), still;
    spc_vec3 b = run(&thrown, spc_vec3_make(-BELT, ACROSS, 0));
    double worst;
    int ok;
    a.x -= BELT * 2 / 7;
    b.x -= BELT * 2 / 7;
    b.y -= ACROSS * 5 / 7;
    set_belt(&set_down, 0);
    still = run(&set_down, spc_vec3_make(BELT, 0, 0));
    worst = fmax(fmax(spc_norm(a), spc_norm(b)), spc_norm(still));
    /* Velocities do not depend on the time of the change, which lies within a step. The place does,
       by mu g h^2 / 2 at most, and by as much again when the belt has stopped. */
    ok = worst < 1e-13 && fmax(set_down.error, thrown.error) < MU * G * H * H;
    printf("errors: velocity %.1e m/s, place %.1e m, %.1e m\n", worst, set_down.error,
           thrown.error);
    printf("conveyor: %s, 2/7 of the belt, and stands when it stops\n", ok ? "ok" : "WRONG");
    free(set_down.world);
    free(thrown.world);
    return ok ? 0 : 1;
}
