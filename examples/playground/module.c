/* module.c - the WebAssembly module: the header, and what the page calls. It imports nothing. */
#define SPHERECONTACT_IMPLEMENTATION
#include "core.h"

#define PAGE 65536u

extern unsigned char __heap_base;
static unsigned char *top; /* of the memory that is taken */
static measures shown;

/* Grows by pages; what a scene took is taken anew by the next one. */
void *take(size_t bytes)
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

int EXPORT(start)(int i)
{
    open_scene(i);
    if (now.status != SPC_OK)
        return (int)now.status;
    make_frames();
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
