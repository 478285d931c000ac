/* Fuzzing of the reader of tests/conformance.c (libFuzzer; run.sh builds and runs it): the input is
   a file of cases. It may be anything; whatever it says is read, computed or refused, without
   touching memory that is not there. `simulate` is legitimate work, of any length: a file gets so
   many steps in all, then they are refused. */
#define _POSIX_C_SOURCE 200809L /* fmemopen */
#include "../../spherecontact.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_STEPS 60

static int steps_left;

static spc_status bounded_step(spc_world *world, spc_real h, spc_drift drift)
{
    if (steps_left == 0)
        return SPC_ERROR_BAD_STEP;
    steps_left--;
    return spc_step_rk4(world, h, drift);
}

#undef spc_step_rk4
#define spc_step_rk4 bounded_step
#define main conformance_main
int conformance_main(int argc, char **argv);
#include "../conformance.c"
#undef main

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The reader prints; libFuzzer's own messages go to stderr. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return freopen("/dev/null", "w", stdout) == NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *file = size > 0 ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
    if (!file)
        return 0;
    steps_left = MOST_STEPS;
    file_name = "input";
    read_file(file);
    fclose(file);
    return 0;
}
