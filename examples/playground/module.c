/* module.c - the WebAssembly module: the header, and what the page calls. It imports nothing. */
#define SPHERECONTACT_IMPLEMENTATION
#include "core.h"

#define PAGE 65536u
#define FRAMES 600 /* snapshots: 10 s of 60 each */

extern unsigned char __heap_base;
static unsigned char *top; /* of the memory that is taken */
static measures shown;

/* Grows by pages; what a scene took is taken anew by the next one. */
static void *take(size_t bytes)
{
    unsigned char *memory = top;
    const size_t there = __builtin_wasm_memory_size(0) * PAGE;
    top += (bytes + 15) / 16 * 16;
    if ((size_t)top > there)
        (void)__builtin_wasm_memory_grow(0, ((size_t)top - there + PAGE - 1) / PAGE);
    return memory;
}

void *scene_memory(size_t bytes)
{
    const size_t base = ((size_t)&__heap_base + 15) / 16 * 16;
    top = (unsigned char *)base;
    return take(bytes);
}

/* Snapshots: the world's bytes, and the scene's numbers. */
static unsigned char *frames;

static void copy(void *to, const void *from, size_t bytes)
{
    unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    while (bytes--)
        *t++ = *f++;
}

static unsigned char *frame(int i)
{
    return frames + (size_t)i * (spc_world_snapshot_size(now.p.world) + sizeof now.p.number);
}

int EXPORT(frame_count)(void)
{
    return FRAMES;
}

void EXPORT(save)(int i)
{
    copy(frame(i), now.p.number, sizeof now.p.number);
    copy(frame(i) + sizeof now.p.number, now.p.world, spc_world_snapshot_size(now.p.world));
}

void EXPORT(load)(int i)
{
    const size_t bytes = spc_world_snapshot_size(now.p.world);
    copy(now.p.number, frame(i), sizeof now.p.number);
    copy(now.p.world, frame(i) + sizeof now.p.number, bytes);
}

int EXPORT(start)(int i)
{
    open_scene(i);
    if (now.status == SPC_OK)
        frames = (unsigned char *)take((size_t)(frame(FRAMES) - frame(0)));
    return (int)now.status;
}

int EXPORT(step)(int steps)
{
    spc_status status = SPC_OK;
    for (; steps > 0 && status == SPC_OK; steps--)
        status = take_step();
    return (int)status;
}

int EXPORT(is_over)(void)
{
    return now.scene->is_over && now.scene->is_over(&now.p);
}

int EXPORT(run)(int i)
{
    return (int)default_run(i);
}

int EXPORT(run_steps)(void)
{
    return RUN_STEPS;
}

unsigned long long EXPORT(hash)(void)
{
    return spc_world_hash(now.p.world);
}

const char *EXPORT(status_text)(int status)
{
    return spc_status_text((spc_status)status);
}

/* What the page reads. */
const double *EXPORT(measured)(void)
{
    measure(&shown);
    return &shown.time;
}

int EXPORT(draw)(unsigned parts)
{
    return draw_records(parts);
}

const float *EXPORT(records)(void)
{
    return picture_records();
}
