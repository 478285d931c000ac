#!/bin/sh
# Branch coverage of the implementation by the tests: compiles it with gcov's counters, runs all test
# programs and the reference cases in double precision, and prints what was taken. What `make test` has
# compiled of them is linked; what calls cost is counted in another implementation, and left out. Every line
# with a branch that was not must stand in tests/coverage.txt, with the reason; a line there that is not
# missed any more is named, too. Fails if something is missed without a reason, or if a program fails.
# JOBS: how many programs run at a time.
set -eu
cd "$(dirname "$0")/.."
out=build/coverage
rm -rf "$out" && mkdir -p "$out"
JOBS=${JOBS:-$(nproc 2> /dev/null || echo 2)}
# Optimized a little, or the programs take twice as long; but nothing built in, and no branches made one, so that
# each line's are its own.
gcc -std=c99 -O1 -U__OPTIMIZE__ -fno-early-inlining -fno-ssa-phiopt -fno-if-conversion -fno-thread-jumps \
    --coverage -I. -c tests/implementation.c -o "$out/implementation.o"
# one program (the counters of those that run at a time are added up in one file, which gcc's library locks)
cat > "$out/one.sh" << 'END'
program=build/coverage/$1
gcc "build/$1.o" build/coverage/implementation.o --coverage -lm -o "$program" || exit 1
test "$1" = conformance && set -- "$1" tests/oracle/*.cases
shift
"$program" "$@" > "$program.txt" || { tail -n 5 "$program.txt"; exit 1; }
END
make -s -j "$JOBS" objects
sed -n 's/^SLOW := //p; s/^TESTS [:+]= //p' Makefile | tr ' ' '\n' | awk '!seen[$0]++ && !/^costs$/ {
    print ($0 == "conformance" ? "" : "test_") $0 }' |
    xargs -n 1 -P "$JOBS" sh "$out/one.sh" && programs=0 || programs=1
gcov -b -c -o "$out" "$out/implementation.o" > "$out/gcov.txt" 2>&1
mv ./*.gcov "$out/"
cd "$out"
awk '/^File .*spherecontact.h/ { on = 1 } on && /executed|Taken/ { print } /^Creating|^$/ { on = 0 }' gcov.txt
# lines with a branch that was never taken (a line's number stands before its branches)
awk -F: '/^ *[0-9#=-]+[*]?: *[0-9]+:/ { line = $2 + 0 }
         /^branch .*never executed|^branch .*taken 0/ { missed[line] = 1 }
         END { for (l in missed) print l }' spherecontact.h.gcov | sort -n > missed.txt
cd ../..
awk -v header=spherecontact.h '
    BEGIN { # each line with the function that it stands in
        while ((getline text < header) > 0) {
            if (text ~ /^[a-zA-Z].*spci?_[a-z0-9_]*\(/) {
                match(text, /spci?_[a-z0-9_]*\(/)
                f = substr(text, RSTART, RLENGTH - 1)
            }
            sub(/^ +/, "", text)
            source[++n] = f ": " text
        }
    }
    FILENAME == ARGV[1] {
        if (/^    /) { sub(/^ +/, ""); reason[$0] = why; used[$0] = 0 }
        else if (NF) why = $0
        next
    }
    source[$1] in reason { used[source[$1]]++; excused++; next }
    { print "not taken, and no reason given: " $1 ": " source[$1]; bad++ }
    END {
        for (t in used) if (!used[t]) print "is taken: " t
        print excused + 0 " lines with a branch that is not taken, with a reason; " bad + 0 " without"
        exit bad > 0
    }' tests/coverage.txt "$out/missed.txt" && status=$programs || status=1
awk '/^File .*spherecontact.h/ { on = 1 } on && /Taken at least once/ {
     sub(/.*once:/, ""); sub(/%.*/, ""); print "branches taken: " $0 " %"; exit }' "$out/gcov.txt"
exit $status
