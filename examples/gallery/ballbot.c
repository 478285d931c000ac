/* ballbot.c - a ballbot is pushed, and rolls under its body again */
#include "svg.h"
#include "ballbot.h"

#define PUSH 90.0 /* [N], for a tenth of a second */

static void control(svg *s, double time)
{
    balance(s->world, spc_vec3_make(0, 0, 0));
    if (time > 0.5 && time < 0.6)
        check(spc_body_add_force(s->world, bot.body, spc_vec3_make(PUSH, 0, 0),
                                 spc_vec3_make(0, 0, HEIGHT), SPC_ONE_STEP));
}

int main(void)
{
    svg *s = svg_begin("A ballbot is pushed", 400, 280, 175, 6);
    s->world = svg_world(2, 2, 9.81);
    add_ballbot(s->world);
    s->q_CG = svg_view(-20, 20);
    s->p_GC = spc_vec3_make(0.3, 0, 0.45);
    s->control = control;
    s->least = 0.25;
    s->still = 8;
    svg_play(s, SPC_PART_PLANE | SPC_PART_BALL | SPC_PART_MASS, 60);
    return 0;
}
