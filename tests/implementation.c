/* The one file of the tests that compiles the implementation. */
#define SPHERECONTACT_IMPLEMENTATION
#include "../spherecontact.h"
