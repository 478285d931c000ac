/* native.c - runs all scenes as the page does by default, and prints the hash at the end of each

   One line for each: its id, the number of steps, the hash. Ends with 1 where a call was refused.
*/
#include "core.h"
#include <stdio.h>

static double memory[1 << 19]; /* one scene at a time */

void *scene_memory(size_t bytes)
{
    return bytes <= sizeof memory ? memory : NULL;
}

int main(void)
{
    int i, bad = 0;
    for (i = 0; scene_at(i); i++) {
        const spc_status status = default_run(i);
        if (status != SPC_OK) {
            fprintf(stderr, "%s: %s\n", scene_at(i)->id, spc_status_text(status));
            bad = 1;
            continue;
        }
        printf("%s %d %016llx\n", scene_at(i)->id, RUN_STEPS, spc_world_hash(now.p.world));
    }
    return bad;
}
