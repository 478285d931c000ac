/* [7.5] States of scenes that run through time: joints, wheels, redundant loops, a turntable. */
#include "scenes.h"
#include "test.h"
#include "states.h"

static const scene_entry scenes[] = {
    { "bar", scene_bar },           { "box", scene_box },         { "chain", scene_chain },
    { "coin", scene_coin },         { "wheel", scene_wheel },     { "slope", scene_slope },
    { "turntable", scene_turntable }, { "unicycle", scene_unicycle }, { "bicycle", scene_bicycle },
    { "robot", scene_robot },
};

#define FRAMES 60

/* Steps that are taken again from any of the last 60 states end as they did: in the world itself,
   and in a second one that has run far ahead. */
static void steps_are_taken_again_with_the_same_bits(void)
{
    const spc_real h = SPC_R(1) / 240;
    saved frame[FRAMES];
    size_t i;
    int k;
    for (i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        scene s, ahead;
        unsigned long long end;
        scenes[i].make(&s);
        scenes[i].make(&ahead);
        for (k = 0; k < 2 * FRAMES; k++)
            CHECK_STATUS(spc_step(ahead.world, h), SPC_OK);
        for (k = 0; k < FRAMES; k++) {
            frame[k] = save(s.world);
            CHECK_STATUS(spc_step(s.world, h), SPC_OK);
        }
        end = spc_world_hash(s.world);
        for (k = FRAMES - 1; k >= 0; k -= 7) {
            int n;
            CHECK_STATUS(spc_world_load_state(s.world, frame[k].bytes, frame[k].size), SPC_OK);
            CHECK_STATUS(spc_world_load_state(ahead.world, frame[k].bytes, frame[k].size), SPC_OK);
            for (n = k; n < FRAMES; n++) {
                CHECK_STATUS(spc_step(s.world, h), SPC_OK);
                CHECK_STATUS(spc_step(ahead.world, h), SPC_OK);
            }
            CHECK(spc_world_hash(s.world) == end && are_alike(s.world, ahead.world));
        }
        CHECK(go_on_alike(s.world, ahead.world, 16, h) > 8);
        for (k = 0; k < FRAMES; k++)
            free(frame[k].bytes);
        scene_end(&s);
        scene_end(&ahead);
    }
}

static const test_entry tests[] = { TEST(steps_are_taken_again_with_the_same_bits) };

TEST_MAIN
