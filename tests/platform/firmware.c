/* A program without a library of C: one ball rolls, and a disc. The functions that gcc asks a
   freestanding environment for are its own. */
#include "../compile/freestanding.c"

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int main(void);
void _start(void);

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    volatile unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    while (n--)
        *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    volatile unsigned char *t = (unsigned char *)to;
    const volatile unsigned char *f = (const unsigned char *)from;
    size_t i;
    for (i = 0; i < n; i++)
        t[t < f ? i : n - 1 - i] = f[t < f ? i : n - 1 - i];
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    volatile unsigned char *t = (unsigned char *)to;
    while (n--)
        *t++ = (unsigned char)byte;
    return to;
}

static union {
    double aligned; /* in single precision, too */
    unsigned char bytes[12800]; /* 12,392 where addresses have 64 bits */
} memory;

int main(void)
{
    spc_world_desc desc = spc_world_desc_default(2, 2);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_rolling_disc_desc wheel = spc_rolling_disc_desc_default();
    spc_constraint contact;
    spc_world *world;
    int i;
    desc.rows = 6; /* three each; and no loops */
    desc.solver_bytes = 0;
    body.mass = spc_mass_solid_sphere(1, 1);
    body.state.X_GB.p.z = roll.shape.radius = wheel.shape.radius = 1;
    if (spc_world_create(&memory, sizeof memory, &desc, &world) ||
        spc_body_add(world, &body, &roll.ball) || spc_body_add(world, &body, &wheel.disc) ||
        spc_sphere_on_plane_add(world, &roll, &contact) ||
        spc_rolling_disc_add(world, &wheel, &contact))
        return 1;
    for (i = 0; i < 100; i++)
        if (spc_step(world, SPC_R(0.01)))
            return 2;
    return 0;
}

void _start(void)
{
    volatile int status = main();
    (void)status;
}
