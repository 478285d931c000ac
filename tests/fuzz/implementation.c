/* The implementation that the targets share, with assertions that end the run. */
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *what)
{
    fprintf(stderr, "FINDING: assertion %s\n", what);
    abort();
}

#define SPC_ASSERT(x) ((x) ? (void)0 : fail(#x))
#define SPHERECONTACT_IMPLEMENTATION
#include "../../spherecontact.h"
