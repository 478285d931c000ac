#!/bin/sh
# Branch coverage of the implementation by the tests: compiles it with gcov's counters, runs all test
# programs and the reference cases in double precision, and prints lines, branches, and what was missed.
# Fails below the bar of 95 % of the branches.
set -eu
cd "$(dirname "$0")/.."
out=build/coverage
rm -rf "$out" && mkdir -p "$out"
gcc -std=c99 -O0 --coverage -I. -c tests/implementation.c -o "$out/implementation.o"
for t in $(sed -n 's/^TESTS := //p' Makefile); do
    gcc -std=c99 -O1 -I. "tests/test_$t.c" "$out/implementation.o" --coverage -lm -o "$out/test_$t"
    "$out/test_$t" > "$out/test_$t.txt" || { tail -n 5 "$out/test_$t.txt"; exit 1; }
done
gcc -std=c99 -O1 -I. tests/conformance.c "$out/implementation.o" --coverage -lm -o "$out/conformance"
"$out/conformance" tests/oracle/*.cases > "$out/conformance.txt"
gcov -b -c -o "$out" "$out/implementation.o" > "$out/gcov.txt" 2>&1
mv ./*.gcov "$out/"
cd "$out"
awk '/^File .*spherecontact.h/ { on = 1 } on && /executed|Taken/ { print } /^Creating|^$/ { on = 0 }' gcov.txt
# branches that were never taken, with their lines (a line's number stands before its branches)
awk -F: '/^ *[0-9#=-]+[*]?: *[0-9]+:/ { line = $2 + 0; text = $0 }
         /^branch .*never executed|^branch .*taken 0/ { missed[line] = text }
         END { for (l in missed) print l }' spherecontact.h.gcov | sort -n > missed.txt
taken=$(awk '/^File .*spherecontact.h/ { on = 1 } on && /Taken at least once/ {
             sub(/.*once:/, ""); sub(/%.*/, ""); print; exit }' gcov.txt)
echo "lines with a branch that was not taken: $(tr '\n' ' ' < missed.txt)"
echo "branches taken: $taken %"
awk -v t="$taken" 'BEGIN { exit !(t >= 95) }'
