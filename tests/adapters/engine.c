/* README's lines for an engine of one's own: they compile, and of a ball that rests on a floor the
   right side is its free acceleration along the rows x y z of the plane. */
#include "../../spherecontact.h"
#include <stdio.h>

int main(void)
{
    const double h = 0.01;
    const spc_stabilization baumgarte = spc_stabilization_default();
    spc_sphere_on_plane shape = spc_sphere_on_plane_default();
    const spc_spatial A_floor = { { 0, 0, 0 }, { 0, 0, 0 } };
    const spc_spatial A_ball = { { 0, 0, 0 }, { 1, 0, -9.81 } };
    const double lambda[SPC_MAX_ROWS] = { 1, 0, -9.81 };
    double terms[SPC_MAX_ROWS], rhs[SPC_MAX_ROWS];
    spc_state floor = spc_state_identity(), ball = spc_state_identity();
    spc_spatial F_floor, F_ball;
    spc_rows rows;
    int i, failed;
    ball.X_GB.p.z = shape.radius = 1;
#include ADAPTER
    failed = rows.count != 3 || rhs[0] != 1 || rhs[1] != 0 || rhs[2] != -9.81;
    failed += F_ball.linear.x != -1 || F_ball.linear.z != 9.81 || F_floor.linear.z != -9.81;
    printf("engine: %d failed\n", failed);
    return failed != 0;
}
