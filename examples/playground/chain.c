/* chain.c - a chain to pull, with a load at its end that may be a thousand times as heavy */
#include "playground.h"

#define LINKS 10
#define LENGTH 0.16 /* of a link [m] */
#define RADIUS 0.12 /* of the load [m] */
#define HOOK 2.0    /* height [m] */

static spc_body load;

/* It begins straight and level, and falls. */
static void make(playground *p)
{
    spc_body_desc link = spc_body_desc_default();
    spc_attachment_desc joint = spc_attachment_desc_default();
    spc_constraint c;
    int i;
    make_world(p, LINKS + 1, LINKS + 1);
    link.mass = spc_mass_box(0.2, spc_vec3_make(LENGTH / 2, 0.018, 0.018));
    joint.shape.X_AF.p = spc_vec3_make(0, 0, HOOK);
    for (i = 0; i <= LINKS; i++) {
        const double half = i < LINKS ? LENGTH / 2 : RADIUS;
        link.state.X_GB.p = spc_vec3_make(LENGTH * i + half, 0, HOOK);
        if (i == LINKS)
            link.mass = spc_mass_solid_sphere(p->slider[0], RADIUS);
        check(spc_body_add(p->world, &link, &joint.b));
        joint.shape.X_BM.p = spc_vec3_make(-half, 0, 0);
        check(spc_attachment_add(p->world, &joint, &c));
        if (i == LINKS / 2)
            p->body = joint.b;
        joint.a = load = joint.b;
        joint.shape.X_AF.p = spc_vec3_make(half, 0, 0);
    }
}

/* The load weighs what the slider says. */
static void control(playground *p)
{
    spc_mass mass;
    check(spc_body_get_mass(p->world, load, &mass));
    if (mass.mass > p->slider[0] || mass.mass < p->slider[0]) {
        mass = spc_mass_solid_sphere(p->slider[0], RADIUS);
        check(spc_body_set_mass(p->world, load, &mass));
    }
}

static void draw(const playground *p)
{
    spc_state s;
    check(spc_body_get_state(p->world, load, &s));
    draw_ball(load, s.X_GB, RADIUS, 0x4a7fb5);
    draw_bar(spc_vec3_make(-0.25, 0, HOOK), spc_vec3_make(0.25, 0, HOOK), 0.02, 0x8a93a0);
}

const scene chain_scene = {
    .id = "chain",
    .title = "Chain",
    .text = "Ten links of 0.2 kg and a load. Pull at any link. Make the load a thousand times as "
            "heavy as a link: the chain neither stretches nor shakes.",
    .sliders = { { "Load", "kg", 0.2, 200, 0.2, 4, false } },
    .side = 15,
    .height = 12,
    .distance = 5.2,
    .centre = { 0, 0, 1.05 },
    .boxes = true,
    .newton = 0.002,
    .push = 4,
    .pull = 40,
    .make = make,
    .control = control,
    .draw = draw,
};
