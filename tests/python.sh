#!/bin/sh
# examples/python: the module against C, in both precisions, and the script that plots. Says what is missing and
# skips it. Prints `python: N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/.."
CC=${CC:-cc}
out=build/python
rm -rf "$out" && mkdir -p "$out/float"
passed=0
failed=0
skipped=0
run() {
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $*"
    fi
}

# the first that has what plots, else the first
for p in "${PYTHON:-python3}" python3 /usr/bin/python3; do
    "$p" -c 'import numpy, matplotlib' 2> /dev/null && break
    p=${PYTHON:-python3}
done
if ! "$p" -c 'import ctypes' 2> /dev/null; then
    echo "skipped: examples/python, no python3"
    echo "python: 0 passed, 0 failed, 2 skipped"
    exit 0
fi
export PYTHONDONTWRITEBYTECODE=1
against_c() { # folder, flags of a precision
    flags="-std=c99 -O1 $2"
    $CC $flags -shared -fPIC -DSPHERECONTACT_IMPLEMENTATION -x c spherecontact.h -lm -o "$1/libspherecontact.so" &&
        SPHERECONTACT_LIBRARY=$1/libspherecontact.so "$p" tests/python/check.py "$CC" "$flags" "$1"
}
against_c "$out" '' > "$out/double.txt" 2>&1 &
first=$!
against_c "$out/float" -DSPC_USE_FLOAT > "$out/float.txt" 2>&1 &
second=$!
run wait $first
run wait $second
cat "$out/double.txt" "$out/float.txt"
if "$p" -c 'import numpy, matplotlib' 2> /dev/null; then
    SPHERECONTACT_LIBRARY=$out/libspherecontact.so MPLBACKEND=Agg run "$p" examples/python/coin.py "$out/coin.png"
else
    echo 'skipped: examples/python/coin.py, no numpy or no matplotlib'
    skipped=1
fi
echo "python: $passed passed, $failed failed, $skipped skipped"
test $failed -eq 0
