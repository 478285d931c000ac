/* The implementation without any library: a square root of our own, no assertions. Newton's method
   on the reciprocal from an estimate by halving exponents through multiplication alone. */
static double own_sqrt(double x);
#define SPC_SQRT(x) ((spc_real)own_sqrt((double)(x)))
#define SPHERECONTACT_IMPLEMENTATION
#include "../../spherecontact.h"

static double own_sqrt(double x)
{
    double scale = 1, y = 1;
    int i;
    if (!(x > 0))
        return 0;
    for (; x > 4; x *= 0.25)
        scale *= 2;
    for (; x < 1; x *= 4)
        scale *= 0.5;
    for (i = 0; i < 7; i++)
        y = 0.5 * (y + x / y);
    return scale * y;
}
