#!/bin/sh
# The picture of examples/sweep.c from one core, from OpenMP and from MPI: the same file, byte for byte. What
# is not installed is skipped, and named. Takes a minute for each on one core.
set -u
cd "$(dirname "$0")/.."
CC=${CC:-cc}
MPIRUN=${MPIRUN:-mpirun --allow-run-as-root --oversubscribe -n 2}
out=build/sweep
rm -rf "$out" && mkdir -p "$out"
passed=0
failed=0
one=0

draw() { # name, how to run it, compiler and flags
    name=$1
    run=$2
    shift 2
    start=$(date +%s)
    if "$@" -std=c99 -O2 examples/sweep.c -lm -o "$out/$name" && $run "$out/$name" "$out/$name.pgm" &&
        cmp "$out/one.pgm" "$out/$name.pgm"; then
        passed=$((passed + 1))
        took=$(($(date +%s) - start))
        [ "$name" = one ] && one=$took
        echo "$name: $took s, $(awk "BEGIN { printf \"%.1f\", $one / ($took + ($took == 0)) }") times as fast as one core"
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
    fi
}

draw one '' "$CC"
if echo '#include <omp.h>' | "$CC" -fopenmp -E - > /dev/null 2>&1; then
    draw openmp '' "$CC" -fopenmp
else
    echo "skipped: no OpenMP for $CC"
fi
if command -v mpicc > /dev/null && command -v "${MPIRUN%% *}" > /dev/null; then
    draw mpi "$MPIRUN" mpicc -DUSE_MPI
else
    echo 'skipped: no mpicc (Debian: openmpi-bin, libopenmpi-dev)'
fi
echo "pictures: $passed passed, $failed failed"
test $failed -eq 0
