/* The scenes of contact.h in this library: its two kinds of steps. Before them it prints a line
       row rate bar   that of spc_step, that of spc_step_rk4 or `none`, the row's name
   for each row and rate, and it checks the reference of the coin that slips. */
#define SPHERECONTACT_IMPLEMENTATION
#include "../../spherecontact.h"
#include "contact.h"
#include <stdlib.h>

typedef struct setup {
    spc_world *world;
    spc_body body;
    double h;
} setup;

static void must(spc_status status)
{
    if (status > 0) {
        fprintf(stderr, "bench: %s\n", spc_status_text(status));
        exit(1);
    }
}

static spc_vec3 vec(const double *v)
{
    return spc_vec3_make(v[0], v[1], v[2]);
}

static void shake(spc_real time, void *user, spc_state *state, spc_spatial *acceleration)
{
    (void)user;
    *state = spc_state_identity();
    memset(acceleration, 0, sizeof *acceleration);
    contact_floor_at(time, &state->X_GB.p.z, &state->V_GB.linear.z, &acceleration->linear.z);
}

static spc_body add_floor(spc_world *world, const contact_scene *s)
{
    spc_body_desc desc = spc_body_desc_default();
    spc_body floor = { 0, 0 };
    if (s->floor == CONTACT_FIXED || s->floor == CONTACT_BELT)
        return floor;
    desc.kind = SPC_KINEMATIC;
    desc.motion = s->floor == CONTACT_SHAKEN ? shake : NULL;
    desc.state.V_GB.angular.z = s->spin;
    must(spc_body_add(world, &desc, &floor));
    return floor;
}

static spc_body add_body(spc_world *world, const contact_scene *s)
{
    spc_body_desc desc = spc_body_desc_default();
    spc_body body = { 0, 0 };
    double I[3];
    contact_moments(s, I);
    desc.mass.mass = 1;
    desc.mass.inertia.xx = I[0];
    desc.mass.inertia.yy = I[1];
    desc.mass.inertia.zz = I[2];
    desc.state.X_GB.p = vec(s->p);
    desc.state.X_GB.q = spc_quat_make(s->q[0], s->q[1], s->q[2], s->q[3]);
    desc.state.V_GB = spc_spatial_make(vec(s->w), vec(s->v));
    must(spc_body_add(world, &desc, &body));
    return body;
}

static spc_contact_law law_of(const contact_scene *s)
{
    spc_contact_law law = spc_contact_law_default();
    law.grip = false;
    law.friction = s->mu;
    law.restitution = s->e;
    law.rolling_resistance = s->rho;
    law.surface_velocity[0] = s->belt[0];
    law.surface_velocity[1] = s->belt[1];
    return law;
}

/* Four feet of a cube: the corners below. */
static void add_feet(setup *w, const contact_scene *s)
{
    spc_attachment_desc foot = spc_attachment_desc_default();
    spc_constraint contact;
    int i;
    foot.b = w->body;
    foot.shape.locked = SPC_LOCK_TZ;
    foot.one_sided = true;
    foot.law = law_of(s);
    for (i = 0; i < 4; i++) {
        foot.shape.X_BM.p = spc_vec3_make(i & 1 ? s->radius : -s->radius,
                                          i & 2 ? s->radius : -s->radius, -s->radius);
        must(spc_attachment_add(w->world, &foot, &contact));
    }
}

/* A disc rolls on the edge that is lower at the start, an upright one in its middle. */
static void add_disc(setup *w, const contact_scene *s)
{
    const spc_vec3 z = spc_vec3_make(0, 0, 1);
    const spc_quat q = spc_quat_make(s->q[0], s->q[1], s->q[2], s->q[3]);
    const double upward = spc_rotate(q, z).z; /* of the axis */
    spc_rolling_disc_desc disc = spc_rolling_disc_desc_default();
    spc_constraint contact;
    disc.disc = w->body;
    disc.shape.radius = s->radius;
    disc.shape.axis_B = z;
    disc.shape.p_BS.z = fabs(upward) < 1e-9 ? 0 : upward > 0 ? -s->half_width : s->half_width;
    disc.one_sided = true;
    disc.law = law_of(s);
    must(spc_rolling_disc_add(w->world, &disc, &contact));
}

static void *make(const contact_scene *s, double h)
{
    spc_world_desc desc = spc_world_desc_default(2, 8);
    setup *w = (setup *)malloc(sizeof *w);
    spc_body floor;
    desc.gravity = vec(s->gravity);
    must(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &w->world));
    w->h = h;
    floor = add_floor(w->world, s);
    w->body = add_body(w->world, s);
    if (s->shape == CONTACT_CUBE) {
        add_feet(w, s);
    } else if (s->shape == CONTACT_DISC) {
        add_disc(w, s);
    } else {
        spc_sphere_on_plane_desc on = spc_sphere_on_plane_desc_default();
        spc_constraint contact;
        on.floor = floor;
        on.ball = w->body;
        on.shape.radius = s->radius;
        on.one_sided = true;
        on.law = law_of(s);
        must(spc_sphere_on_plane_add(w->world, &on, &contact));
    }
    return w;
}

static bool step(void *of)
{
    setup *w = (setup *)of;
    return spc_step(w->world, w->h) <= 0;
}

static bool step_rk4(void *of)
{
    setup *w = (setup *)of;
    return spc_step_rk4(w->world, w->h, SPC_DRIFT_PROJECT) <= 0;
}

static void get(void *of, contact_motion *m)
{
    const setup *w = (const setup *)of;
    spc_state x;
    must(spc_body_get_state(w->world, w->body, &x));
    contact_set(m->p, x.X_GB.p.x, x.X_GB.p.y, x.X_GB.p.z);
    contact_set(m->v, x.V_GB.linear.x, x.V_GB.linear.y, x.V_GB.linear.z);
}

static void drop(void *of)
{
    setup *w = (setup *)of;
    free(w->world);
    free(w);
}

/* The coin that slips has no closed form. */
static bool reference_stands(const contact_engine *rk4)
{
    const contact_scene coin = contact_slipping_coin();
    const double *want = contact_slipped;
    contact_motion m;
    /* of sums of 8,000 steps below 3 m/s: 1e-12; the method errs by as little, 2e-13 at 4 kHz */
    return contact_run(rk4, &coin, 16000, 8000, &m) && fabs(m.p[0] - want[0]) < 1e-11 &&
           fabs(m.p[1] - want[1]) < 1e-11 && fabs(m.p[2] - want[2]) < 1e-11;
}

int main(void)
{
    static const contact_engine me[] = { { "spc_step", make, step, get, drop },
                                         { "spc_step_rk4", make, step_rk4, get, drop } };
    int k, row;
    for (row = 0; row < CONTACT_ROWS; row++)
        for (k = 0; k < 3; k++) {
            const contact_row *r = &contact_rows[row];
            printf("%d %d bar %.2e ", row, contact_rates[k], r->bar[k]);
            printf(contact_rates[k] == 240 ? "%.0e " : "none ", r->bar_rk4);
            printf("%s\n", r->name);
        }
    if (!reference_stands(&me[1])) {
        fprintf(stderr, "bench: the coin that slips is elsewhere than contact.h says\n");
        return 1;
    }
    return contact_main(me, 2);
}
