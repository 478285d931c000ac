/* sweep.c - at what speed and trail does a bicycle ride by itself? A picture of 10,000 worlds

   The bicycle of bicycle.c with its steer axis moved: upwards the trail, 0 to 0.198 m, to the right
   the speed, 0.1 to 10 m/s. Each rides 6 s. Black: it fell; dark: its lean grew in the last second;
   bright: not. Theory has 4.292 to 6.024 m/s for 0.08 m, a row that rides alone without a picture.

   build: cc -O2 examples/sweep.c -lm -o sweep; ./sweep map.pgm
          (-fopenmp: all cores; mpicc -DUSE_MPI, mpirun: many machines; the picture is the same)
   last line: sweep: ok, with a trail of 0.08 m it rides by itself from 4.3 to 6.0 m/s
*/
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef USE_MPI
#include <mpi.h>
#endif

enum { SIZE = 100, THEORY = 59, RATE = 60, SECONDS = 6 }; /* THEORY: the row of 0.08 m */

/* Rear wheel and frame, front frame and wheel: mass, x, z; inertia xx, yy, zz, xz; radius. [SI] */
static const double parts[4][8] = {
    { 2, 0, 0.3, 0.0603, 0.12, 0.0603, 0, 0.3 },
    { 85, 0.3, 0.9, 9.2, 11, 2.8, -2.4, 0 },
    { 4, 0.9, 0.7, 0.05892, 0.06, 0.00708, 0.00756, 0 },
    { 3, 1.02, 0.35, 0.1405, 0.28, 0.1405, 0, 0.35 },
};

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

static spc_world *make_bicycle(double speed, double trail, spc_body *b)
{
    const spc_vec3 left = { 0, 1, 0 }, axis[3] = { left, left, { 0.309017, 0, -0.951057 } };
    const spc_vec3 at[3] = { { 0, 0, 0.3 }, { 1.02, 0, 0.35 }, { 1.02 + trail, 0, 0 } };
    const int ends[3][2] = { { 1, 0 }, { 2, 3 }, { 1, 2 } };
    const spc_world_desc desc = spc_world_desc_default(4, 5);
    spc_rolling_disc_desc roll = spc_rolling_disc_desc_default();
    spc_attachment_desc hinge = spc_attachment_desc_default();
    spc_body_desc body = spc_body_desc_default();
    spc_constraint c;
    spc_world *world;
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    check(spc_world_set_gravity(world, spc_vec3_make(0, 0, -9.81)));
    for (int i = 0; i < 4; i++) { /* all frames are where the rear wheel touches the ground */
        const double *p = parts[i], spin = p[7] > 0 ? speed / p[7] : 0;
        body.mass = (spc_mass){ p[0], { p[1], 0, p[2] }, { p[3], p[4], p[5], 0, p[6], 0 } };
        body.state.V_GB.angular = spc_vec3_make(0.1, spin, 0);
        body.state.V_GB.linear = spc_vec3_make(speed - spin * p[2], 0, spin * p[1]);
        check(spc_body_add(world, &body, &b[i]));
        roll.disc = b[i];
        roll.shape.axis_B = left;
        roll.shape.p_BS = body.mass.p_BBc;
        roll.shape.radius = p[7];
        check(p[7] > 0 ? spc_rolling_disc_add(world, &roll, &c) : SPC_OK);
    }
    for (int i = 0; i < 3; i++) {
        const spc_transform *X = &body.state.X_GB;
        hinge.a = b[ends[i][0]];
        hinge.b = b[ends[i][1]];
        check(spc_attachment_at(X, X, at[i], axis[i], SPC_HINGE, &hinge.shape));
        check(spc_attachment_add(world, &hinge, &c));
    }
    return world;
}

/* A grey: 0 if it falls, up to 90 if it leans ever further, from 128 on if it does not. */
static unsigned char ride(double speed, double trail)
{
    double most[SECONDS] = { 0 }, lean = 0;
    spc_body b[4];
    spc_world *world = make_bicycle(speed, trail, b);
    for (int i = 0; i < SECONDS * RATE && lean < 0.5; i++) {
        spc_state s;
        lean = spc_step(world, 1.0 / RATE) ? 1 : 0; /* it lies flat */
        check(spc_body_get_state(world, b[1], &s));
        lean = fmax(lean, fabs(spc_rotate(s.X_GB.q, spc_vec3_make(0, 1, 0)).z));
        most[i / RATE] = fmax(most[i / RATE], lean);
    }
    free(world);
    lean = lean < 0.5 ? most[SECONDS - 1] / most[SECONDS - 2] : 1000;
    return (unsigned char)(lean <= 1 ? 255 - 127 * lean : 90 / lean);
}

int main(int argc, char **argv)
{
    static unsigned char map[SIZE * SIZE];
    int rank = 0, ranks = 1, low = SIZE, high = 0, i, ok;
#ifdef USE_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#endif
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
    for (i = rank; i < SIZE * SIZE; i += ranks)
        if (argc > 1 || i / SIZE == THEORY)
            map[i] = ride(0.1 * (i % SIZE + 1), 0.002 * (SIZE - 1 - i / SIZE));
#ifdef USE_MPI
    MPI_Reduce(rank ? map : MPI_IN_PLACE, map, sizeof map, MPI_BYTE, MPI_BOR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank)
        return 0;
#endif
    for (i = 0; i < SIZE; i++)
        if (map[THEORY * SIZE + i] >= 128)
            low = (high = i + 1) < low ? high : low;
    FILE *file = argc > 1 ? fopen(argv[1], "wb") : NULL;
    ok = argc < 2 || (file && fprintf(file, "P5 %d %d 255\n", SIZE, SIZE) > 0 &&
                      fwrite(map, sizeof map, 1, file) == 1 && !fclose(file));
    ok = ok && low == 43 && high == 60;
    printf("sweep: %s, with a trail of 0.08 m it rides by itself from %.1f to %.1f m/s\n",
           ok ? "ok" : "WRONG", 0.1 * low, 0.1 * high);
    return !ok;
}
