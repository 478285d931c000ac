/* log_csv.c - single precision, and a log for a spreadsheet: a wobbling ball whose energy stays

   The ball's centre of mass Bc lies below its centre S, like that of a tippe top or a roly-poly
   toy; it leans, spins and rolls over level ground. Rolling contacts do no work, so the energy
   keeps its value, here to what float can resolve. The body's origin is Bc, hence p_BS is not zero.

   build: cc -O2 examples/log_csv.c -lm -o log_csv
   run:   ./log_csv > ball.csv     or     ./log_csv ball.csv
   last line (on stderr, so that it is not in the log): log_csv: ok, energy within 7.8e-07
*/
#define SPC_USE_FLOAT 1 /* before the include, the same in every file that includes the header */
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STEPS 2000
#define STEP SPC_R(0.001)   /* [s] */
#define RADIUS SPC_R(0.02)  /* [m] */
#define OFFSET SPC_R(0.004) /* from Bc to S [m] */

/* Relative. A step rounds poses and velocities, hence the energy by about 2 epsilon; as roundings
   go both ways, 2000 of them make 2 epsilon sqrt(2000) = 1.1e-5. Runge-Kutta's own error is less:
   at 40 rad/s (0.04)^5 / 120 = 9e-10 a step, 2e-6 in all. */
#define BOUND 1.3e-5

static void check(spc_status status)
{
    if (status)
        exit((puts(spc_status_text(status)), 1));
}

static spc_world *make_world(spc_body *ball)
{
    spc_world_desc desc = spc_world_desc_default(1, 1);
    spc_body_desc body = spc_body_desc_default();
    spc_sphere_on_plane_desc roll = spc_sphere_on_plane_desc_default();
    spc_state *state = &body.state;
    spc_vec3 p_BS_G, p_BC_G;
    spc_constraint contact;
    spc_world *world;

    desc.gravity = spc_vec3_make(0, 0, SPC_R(-9.81));
    check(spc_world_create(malloc(spc_world_size(&desc)), spc_world_size(&desc), &desc, &world));
    roll.shape.p_BS = spc_vec3_make(0, 0, OFFSET);
    roll.shape.radius = RADIUS;
    body.mass = spc_mass_solid_sphere(SPC_R(0.03), RADIUS);
    state->X_GB.q = spc_quat_from_rotation_vector(spc_vec3_make(SPC_R(0.5), 0, 0)); /* leans */
    state->V_GB.angular = spc_vec3_make(5, 0, 40); /* rolls and spins */
    /* S is RADIUS above the ground, and the ball's point at C = S - RADIUS z is at rest. */
    p_BS_G = spc_rotate(state->X_GB.q, roll.shape.p_BS);
    p_BC_G = spc_sub(p_BS_G, spc_vec3_make(0, 0, RADIUS));
    state->X_GB.p = spc_vec3_make(0, 0, -p_BC_G.z);
    state->V_GB.linear = spc_cross(p_BC_G, state->V_GB.angular);
    check(spc_body_add(world, &body, ball));
    roll.ball = *ball;
    check(spc_sphere_on_plane_add(world, &roll, &contact));
    return world;
}

int main(int argc, char **argv)
{
    FILE *log = argc > 1 ? fopen(argv[1], "w") : stdout;
    double first = 0, error = 0;
    spc_energy_momentum m;
    spc_state state;
    spc_world *world;
    spc_body ball;
    int i, ok;

    if (!log) {
        fprintf(stderr, "log_csv: cannot write %s\n", argv[1]);
        return 1;
    }
    world = make_world(&ball);
    fprintf(log, "time,x,y,z,energy\n");
    for (i = 0; i <= STEPS; i++) {
        double energy;
        check(spc_world_get_energy_momentum(world, &m));
        check(spc_body_get_state(world, ball, &state));
        energy = (double)m.kinetic + (double)m.potential;
        if (i == 0)
            first = energy;
        error = fmax(error, fabs(energy - first) / first);
        if (i % 20 == 0)
            fprintf(log, "%.3f,%.7f,%.7f,%.7f,%.9f\n", (double)spc_world_time(world),
                    (double)state.X_GB.p.x, (double)state.X_GB.p.y, (double)state.X_GB.p.z, energy);
        check(spc_step_rk4(world, STEP, SPC_DRIFT_STABILIZE));
    }
    free(world);
    ok = error < BOUND && !ferror(log);
    if (fclose(log) != 0)
        ok = 0;
    fprintf(stderr, "log_csv: %s, energy within %.1e\n", ok ? "ok" : "WRONG", error);
    return ok ? 0 : 1;
}
