#!/bin/sh
# Static analysis of the implementation in both precisions: clang-tidy (.clang-tidy names what is left out
# and why), cppcheck, gcc -fanalyzer. A missing tool is named and skipped. Prints each finding and
# `N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/.."
out=build/analyze
rm -rf "$out" && mkdir -p "$out"

check() { # tool, what, command...: a line for the verdict, and the findings
    if ! command -v "$1" > /dev/null; then
        echo "skipped: $2"
        return
    fi
    what=$2
    log=$out/$1-$real.txt
    shift 2
    if "$@" > "$log" 2>&1 && ! grep -qE 'warning:|error:|: style|: portability' "$log"; then
        echo "passed: $what"
    else
        echo "FAILED: $what"
        grep -E 'warning:|error:|style|portability' "$log" | head -n 20
    fi
}

# gcc goes through calls path by path, and would take hours for all of them
bounds='--param=analyzer-bb-explosion-factor=1 --param=analyzer-max-enodes-per-program-point=2'
# cppcheck takes a struct for uninitialized in a call when one of its members is, though that one is not read;
# the memory sanitizer and gcc know better
unlike='--suppress=ctuuninitvar'
for real in SPC_USE_DOUBLE SPC_USE_FLOAT; do # the first is no macro of the header's: the default
    {
        check clang-tidy "clang-tidy, $real" \
            clang-tidy --quiet tests/implementation.c -- -std=c99 -D$real -I.
        check cppcheck "cppcheck, $real" cppcheck -q --std=c99 --error-exitcode=1 --inline-suppr $unlike \
            --enable=warning,portability,performance -D$real -I. tests/implementation.c
        check gcc "gcc -fanalyzer, $real" gcc -std=c99 -O1 -fanalyzer $bounds -D$real -I. \
            -c tests/implementation.c -o "$out/$real.o"
    } > "$out/$real.txt" &
    test "${JOBS:-2}" -gt 1 || wait # JOBS=1: one after the other
done
wait
cat "$out/SPC_USE_DOUBLE.txt" "$out/SPC_USE_FLOAT.txt" > "$out/results.txt"
grep -v '^passed' "$out/results.txt"
failed=$(grep -c '^FAILED' "$out/results.txt")
echo "analyze: $(grep -c '^passed' "$out/results.txt") passed, $failed failed," \
    "$(grep -c '^skipped' "$out/results.txt") skipped"
test "$failed" -eq 0
