/* Piles of balls, for the programs about many bodies that rest on each other. */
#ifndef SPC_PILES_H
#define SPC_PILES_H

#include "contacts.h"

#define PILE_MOST 64

/* A pile and its balls. */
typedef struct pile {
    spc_world *world;
    spc_body body[PILE_MOST];
    int bodies;
} pile;

static inline pile make_pile(int bodies, int constraints, spc_vec3 gravity)
{
    pile p;
    memset(&p, 0, sizeof p);
    p.world = contact_world(bodies, constraints, gravity);
    return p;
}

static inline spc_body add_ball(pile *p, double mass, double radius, double x, double y, double z)
{
    p->body[p->bodies] = put_ball(p->world, mass, radius, vec(x, y, z));
    return p->body[p->bodies++];
}

static inline const spc_vec3 *down(void)
{
    static spc_vec3 g;
    g = vec(0, 0, -GRAVITY);
    return &g;
}

#endif
