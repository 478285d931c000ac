/* wagon.c - a wagon with four wheels that cannot slide follows a track, an eight of two circles */
#include "playground.h"
#include "driver.h"

#define RADIUS 0.18 /* of the wheels [m] */

static void make(playground *p)
{
    const spc_vec3 z = spc_vec3_make(0, 0, 1), left = spc_vec3_make(0, 1, 0);
    spc_body_desc body = spc_body_desc_default();
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    int i;
    make_world(p, 5, 8);
    body.mass = spc_mass_box(20, spc_vec3_make(0.6, 0.2, 0.07));
    body.mass.p_BBc.z = 0.05;
    body.state.X_GB.p = spc_vec3_make(BASE, 0, RADIUS);
    check(spc_body_add(p->world, &body, &p->body));
    body.mass = spc_mass_disc(1, RADIUS);
    check(spc_quat_from_two_vectors(z, left, &body.state.X_GB.q));
    hinge.a = p->body;
    hinge.keep_pose = true;
    hinge.shape.locked = SPC_HINGE;
    hinge.shape.X_AF.q = body.state.X_GB.q;
    roll.shape.axis_B = z;
    roll.shape.radius = RADIUS;
    roll.shape.width = 0.06;
    roll.shape.color.r = roll.shape.color.g = roll.shape.color.b = 0.3;
    for (i = 0; i < 4; i++) {
        hinge.shape.X_AF.p = spc_vec3_make(i < 2 ? BASE : -BASE, i % 2 ? -TRACK : TRACK, 0);
        body.state.X_GB.p = spc_add(hinge.shape.X_AF.p, spc_vec3_make(BASE, 0, RADIUS));
        check(spc_body_add(p->world, &body, &wheels[i]));
        hinge.b = roll.disc = wheels[i];
        check(spc_attachment_add(p->world, &hinge, &hinges[i]));
        check(spc_rolling_disc_add(p->world, &roll, &p->trail[p->trails++]));
    }
    p->number[0] = 1;
}

static void draw(const playground *p)
{
    const spc_quat turn = turned(7.5, spc_vec3_make(0, 0, 1));
    int side, i;
    (void)p;
    for (side = -1; side <= 1; side += 2) {
        const spc_vec3 centre = spc_vec3_make(0, side * CIRCLE, 0);
        spc_vec3 out = spc_vec3_make(CIRCLE, 0, 0);
        for (i = 0; i < 48; i++) {
            const spc_vec3 next = spc_rotate(turn, out);
            draw_bar(spc_add(centre, out), spc_add(centre, next), 0.012, 0x8a93a0);
            out = next;
        }
    }
}

const scene wagon_scene = {
    .id = "wagon",
    .title = "Wagon",
    .text = "Four wheels roll and none slides: the wagon goes where it is steered, along the track "
            "or by the arrow keys. Four legs stand where three would do: some rows are redundant, "
            "which needs no setting.",
    .sliders = { { "Speed", "m/s", 0, 4, 0.1, 2, false } },
    .side = 70,
    .height = 30,
    .distance = 11,
    .newton = 0.006,
    .pull = 60,
    .boxes = true,
    .make = make,
    .control = control,
    .draw = draw,
};
