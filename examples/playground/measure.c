/* measure.c - what the page shows of a state */
#include "core.h"

/* A one-sided contact that does not touch has no errors. */
static bool is_open(spc_constraint c)
{
    spc_contact_info info;
    return spc_constraint_get_contact(now.p.world, c, &info) == SPC_OK &&
           info.state == SPC_CONTACT_OPEN;
}

/* The largest errors of the rows in use: velocities of contacts, positions of joints, too. */
static void measure_rows(measures *m)
{
    spc_constraint c = { 0, 0 };
    spc_constraint_info info;
    spc_rows rows;
    int i;
    while (spc_constraint_next(now.p.world, &c)) {
        if (is_open(c) || spc_constraint_get_info(now.p.world, c, &info) != SPC_OK ||
            spc_constraint_get_rows(now.p.world, c, &rows) != SPC_OK)
            continue;
        for (i = 0; i < rows.count; i++) {
            const double s = rows.velocity_errors[i], e = rows.position_errors[i];
            if (info.kind != SPC_ATTACHMENT && rows.enforced >> i & 1u &&
                (s > m->slip || -s > m->slip))
                m->slip = s < 0 ? -s : s;
            if (rows.holonomic >> i & 1u && (e > m->gap || -e > m->gap))
                m->gap = e < 0 ? -e : e;
        }
    }
}

void measure(measures *m)
{
    const playground *p = &now.p;
    spc_vec3 focus = now.scene->centre;
    spc_body body = { 0, 0 };
    spc_energy_momentum e;
    spc_world_report report;
    spc_state s;
    spc_rows rows;
    int i;
    m->gap = m->bodies = 0;
    m->slip = -1;
    measure_rows(m);
    check(spc_world_get_energy_momentum(p->world, &e));
    check(spc_world_get_report(p->world, &report));
    m->time = spc_world_time(p->world);
    m->kinetic = e.kinetic;
    m->potential = e.potential;
    m->rows = spc_world_row_count(p->world);
    m->redundant = report.redundant_rows;
    m->bytes = (double)(now.scene->crowded ? spc_world_state_size(p->world)
                                           : spc_world_snapshot_size(p->world));
    while (spc_body_next(p->world, &body))
        m->bodies++;
    check(spc_body_get_state(p->world, p->body, &s));
    if (now.scene->follows)
        focus = spc_add(focus, spc_vec3_make(s.X_GB.p.x, s.X_GB.p.y, 0));
    m->focus[0] = focus.x;
    m->focus[1] = focus.y;
    m->focus[2] = focus.z;
    m->trails = p->trails;
    for (i = 0; i < p->trails; i++) {
        if (spc_constraint_get_rows(p->world, p->trail[i], &rows) != SPC_OK)
            continue; /* a coin that lies flat: where it was */
        m->trail[i][0] = rows.p_GC.x;
        m->trail[i][1] = rows.p_GC.y;
        m->trail[i][2] = rows.p_GC.z;
    }
}
