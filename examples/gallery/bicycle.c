/* bicycle.c - the benchmark bicycle, which nobody steers, at the speed of the argument: it falls at
   3 m/s, rides by itself at 5, and slowly falls at 7; the camera rides along */
#include "svg.h"
#include "bicycle.h"

/* Where it has fallen it stays. */
static void watch(svg *s, double time)
{
    (void)time;
    s->stopped = has_fallen(s->world);
}

int main(int argc, char **argv)
{
    const double speed = argc > 1 ? argv[1][0] - '0' : 5;
    svg *s = svg_begin("A bicycle that nobody steers", 260, 240, 110, 4);
    s->world = svg_world(BODIES, 5, 9.81);
    add_bicycle(s->world, speed, 0.25);
    s->q_CG = svg_view(-55, 20);
    s->p_GC = spc_vec3_make(0, 0, 0.55);
    s->follow = bodies[REAR_FRAME];
    s->control = watch;
    s->still = 10;
    svg_play(s, SPC_PART_PLANE | SPC_PART_DISC | SPC_PART_JOINT, 40);
    return 0;
}
