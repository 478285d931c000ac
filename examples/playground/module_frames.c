/* module_frames.c - snapshots of a scene: its numbers, and the bytes of its world or their state */
#include "core.h"

#define FRAMES 600 /* 10 s of 60 each */

static unsigned char *frames;
static size_t each;

static void copy(void *to, const void *from, size_t bytes)
{
    unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    while (bytes--)
        *t++ = *f++;
}

static unsigned char *frame(int i)
{
    return frames + (size_t)i * (sizeof now.p.number + each);
}

int EXPORT(frame_count)(void)
{
    return FRAMES;
}

int EXPORT(save)(int i)
{
    unsigned char *world = frame(i) + sizeof now.p.number;
    copy(frame(i), now.p.number, sizeof now.p.number);
    if (now.scene->crowded)
        return (int)spc_world_save_state(now.p.world, world, each);
    copy(world, now.p.world, each);
    return 0;
}

int EXPORT(load)(int i)
{
    const unsigned char *world = frame(i) + sizeof now.p.number;
    copy(now.p.number, frame(i), sizeof now.p.number);
    if (now.scene->crowded)
        return (int)spc_world_load_state(now.p.world, world, each);
    copy(now.p.world, world, each);
    return 0;
}

/* A state has 96 bytes more for a body that is pulled. */
void make_frames(void)
{
    each = now.scene->crowded ? spc_world_state_size(now.p.world) + 96
                              : spc_world_snapshot_size(now.p.world);
    frames = (unsigned char *)take(FRAMES * (sizeof now.p.number + each));
}
