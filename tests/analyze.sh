#!/bin/sh
# Static analysis of the implementation in both precisions: clang-tidy (.clang-tidy names what is left out
# and why), cppcheck, gcc -fanalyzer. A missing tool is named and skipped. Prints each finding and
# `N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/.."
out=build/analyze
rm -rf "$out" && mkdir -p "$out"
passed=0
failed=0
skipped=0

check() { # tool, what, command...
    if ! command -v "$1" > /dev/null; then
        echo "skipped: $1"
        skipped=$((skipped + 1))
        return
    fi
    what=$2
    shift 2
    if "$@" > "$out/log.txt" 2>&1 && ! grep -qE 'warning:|error:|: style|: portability' "$out/log.txt"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what"
        grep -E 'warning:|error:|style|portability' "$out/log.txt" | head -n 20
    fi
}

for real in SPC_USE_DOUBLE SPC_USE_FLOAT; do # the first is no macro of the header's: the default
    check clang-tidy "clang-tidy, $real" \
        clang-tidy --quiet tests/implementation.c -- -std=c99 -D$real -I.
    check cppcheck "cppcheck, $real" cppcheck -q --std=c99 --error-exitcode=1 --inline-suppr \
        --enable=warning,portability,performance -D$real -I. tests/implementation.c
    check gcc "gcc -fanalyzer, $real" gcc -std=c99 -O1 -fanalyzer -D$real -I. -c tests/implementation.c \
        -o "$out/i.o"
done
echo "analyze: $passed passed, $failed failed, $skipped skipped"
test $failed -eq 0
