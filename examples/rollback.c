/* rollback.c - two players far apart: each guesses what the other does, and goes back where wrong

   Each pushes a ball of their own; a rod ties the balls together. Two machines run the same world.
   What the other player does arrives 3 to 9 frames late; till then it is taken for what it was
   last. Where that was wrong, the machine loads the state of the frame and steps again to the
   present, within one frame. In the end both have the bits of one that has guessed nothing.

   build: cc -O2 examples/rollback.c -lm -o rollback
   last line: rollback: ok, both ends have the same bits as without a guess
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 1200, KEPT = 60, MOST_BYTES = 512 };

/* A machine: player `me` sits here, `heard` is how many frames of the other are known. */
typedef struct machine {
    spc_world *world;
    spc_body ball[2];
    int me, frame, heard, rollbacks, again;
    int push[2][FRAMES]; /* known, or guessed [N] */
    unsigned char saved[KEPT][MOST_BYTES];
} machine;

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

/* What a player does: changes its mind every quarter of a second. */
static int hand(int player, int frame)
{
    const unsigned mood = (unsigned)(frame / 15 * 2 + player) * 2654435761u;
    return (int)((mood >> 16) % 5) - 2;
}

/* Two balls of 0.1 m on the ground, 1 m apart, and a rod between their centres. */
static void make_world(machine *m)
{
    spc_world_desc desc = spc_world_desc_default(3, 4);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_attachment_desc tie = spc_attachment_desc_default();
    spc_constraint c;
    desc.gravity = spc_vec3_make(0, 0, -9.81);
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &m->world));
    body.mass = spc_mass_box(0.5, spc_vec3_make(1, 0.05, 0.05));
    body.state.X_GB.p = spc_vec3_make(0, 0, 0.1);
    check(spc_body_add(m->world, &body, &tie.a));
    for (int i = 0; i < 2; i++) {
        body.mass = spc_mass_solid_sphere(1, 0.1);
        body.state.X_GB.p.x = tie.shape.X_AF.p.x = i - 0.5;
        check(spc_body_add(m->world, &body, &m->ball[i]));
        roll.ball = tie.b = m->ball[i];
        roll.shape.radius = 0.1;
        check(spc_sphere_on_plane_add(m->world, &roll, &c));
        check(spc_attachment_add(m->world, &tie, &c));
    }
}

/* Saves the state of the present frame and steps, with what is known or guessed. */
static void advance(machine *m)
{
    check(spc_world_save_state(m->world, m->saved[m->frame % KEPT], MOST_BYTES));
    for (int i = 0; i < 2; i++)
        check(spc_body_add_force(m->world, m->ball[i], spc_vec3_make(0, m->push[i][m->frame], 0),
                                 spc_vec3_make(0, 0, 0), SPC_ONE_STEP));
    check(spc_step(m->world, 1.0 / 60));
    m->frame++;
}

/* The other's frames up to one arrive. Those that were guessed wrong are lived again. */
static void hear(machine *m, int until)
{
    const int other = 1 - m->me, present = m->frame;
    int f, wrong = present;
    for (f = m->heard; f < until; f++) {
        wrong = f < wrong && m->push[other][f] != hand(other, f) ? f : wrong;
        m->push[other][f] = hand(other, f);
    }
    m->heard = until > m->heard ? until : m->heard;
    for (f = m->heard; f < FRAMES; f++) /* the guess */
        m->push[other][f] = m->heard ? m->push[other][m->heard - 1] : 0;
    if (wrong == present)
        return;
    check(spc_world_load_state(m->world, m->saved[wrong % KEPT], MOST_BYTES));
    for (m->rollbacks++, m->frame = wrong; m->frame < present; m->again++)
        advance(m);
}

int main(void)
{
    static machine m[3]; /* both ends, and one that hears all at once */
    int f, ok;
    for (int i = 0; i < 3; i++) {
        make_world(&m[i]);
        m[i].me = i % 2;
        for (f = 0; f < FRAMES; f++)
            m[i].push[i % 2][f] = hand(i % 2, f);
    }
    for (f = 0; f < FRAMES; f++)
        for (int i = 0; i < 3; i++) {
            hear(&m[i], i < 2 ? f - 3 - f * (5 + i) % 7 : FRAMES);
            advance(&m[i]);
        }
    for (int i = 0; i < 3; i++) {
        hear(&m[i], FRAMES);
        printf("machine %d: %d rollbacks, %d of %d frames again, ends with %016llx\n", i,
               m[i].rollbacks, m[i].again, FRAMES, spc_world_hash(m[i].world));
    }
    printf("a state has %d bytes, a snapshot %d\n", (int)spc_world_state_size(m[0].world),
           (int)spc_world_snapshot_size(m[0].world));
    ok = m[0].rollbacks > 50 && spc_world_hash(m[0].world) == spc_world_hash(m[1].world) &&
         spc_world_hash(m[0].world) == spc_world_hash(m[2].world);
    printf("rollback: %s, both ends have the same bits as without a guess\n", ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
