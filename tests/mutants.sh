#!/bin/sh
# Mutation test: sh tests/mutants.sh [COUNT]. Changes one place at a time in the kernels, stabilization, solver
# and motion of the implementation (a sign, an axis, an index, a term dropped), and runs the test programs until
# one fails. COUNT (240) mutants are taken evenly from all. Prints those that live, with their number, and
# `mutants: N killed, N alive`; tests/mutants.txt says which may live and why, by the changed line.
# What it says of lines that are no mutants is told first; with a COUNT of 0 that alone is. JOBS: how many at a time.
set -u
cd "$(dirname "$0")/.."
count=${1:-240}
out=build/mutants
rm -rf "$out" && mkdir -p "$out"
JOBS=${JOBS:-$(nproc 2> /dev/null || echo 2)}
CC=${CC:-cc}

# line number, occurrence, what, by what, the line then
awk '
    function all(from, to,   rest, at, n, behind) {
        rest = $0
        behind = 0
        for (n = 1; (at = index(rest, from)) > 0; n++) {
            behind += at + length(from) - 1
            changed = substr(whole, 1, behind - length(from)) to substr(whole, behind + 1)
            sub(/^ */, "", changed)
            print FNR "\t" n "\t" from "\t" to "\t" changed
            rest = substr(rest, at + length(from))
        }
    }
    /^\/\* =+ \[/ { on = /\[4i\]|\[5i\]|\[6i\]/ }
    /\[7i.3\] WORLD: MOTION/ { on = 1 }
    /^\/\*/ { comment = 1 }
    {
        code = on && !comment && !/^ *\/\*/ && !/for \(|SPC_API|static|#/
        if (code) {
            whole = $0
            sub(/ *\/\*.*/, "") # a comment behind the code
            all(" + ", " - "); all(" - ", " + "); all(" += ", " -= "); all(" -= ", " += ")
            all("spc_add(", "spc_sub("); all("spc_sub(", "spc_add(")
            all("spc_add(", "MUTANT_FIRST("); all("spc_sub(", "MUTANT_FIRST(")
            all("spc_scale(-1, ", "spc_scale(1, "); all("-spc_dot", "spc_dot")
            all(".x", ".y"); all(".y", ".z"); all(".z", ".x"); all("[0]", "[1]"); all("[1]", "[2]")
            all("[2]", "[0]"); all("_a)", "_b)"); all("->a,", "->b,")
        }
    }
    /\*\// { comment = 0 }
' spherecontact.h > "$out/all.txt"
total=$(wc -l < "$out/all.txt")
cut -f 5 "$out/all.txt" > "$out/changed.txt"
sed -n 's/^    //p' tests/mutants.txt | grep -vxF -f "$out/changed.txt" | sed 's/^/no mutant is /'
test "$count" -gt 0 || exit 0
awk -v n="$count" -v total="$total" 'int(NR * n / total) != int((NR - 1) * n / total)' "$out/all.txt" \
    > "$out/list.txt"
echo "$total mutants, $(wc -l < "$out/list.txt") of them taken"

order='kernels contact conformance one_sided edges piles spheres disc solver world start lanes invariants assembly changes bodies determinism refusals refused_late flat_discs settings handles extremes math systems dense by_hand step_parts contradictions rbdl coupling trees redundancy step events attachment
    linkages chains joint_assembly joint_energy bicycle vehicles heaps'
for t in $order; do
    src=tests/test_$t.c
    test $t = conformance && src=tests/conformance.c
    $CC -std=c99 -O2 -I. -c "$src" -o "$out/$t.o" || exit 1
done

cat > "$out/one.sh" << 'END'
out=$1
order=$2
number=$3
dir=$out/$number
mkdir -p "$dir/tests"
row=$(sed -n "${number}p" "$out/list.txt")
line=$(printf '%s' "$row" | cut -f 1)
export nth from to
nth=$(printf '%s' "$row" | cut -f 2)
from=$(printf '%s' "$row" | cut -f 3)
to=$(printf '%s' "$row" | cut -f 4)
awk -v line="$line" '
    FNR == line {
        done = ""
        rest = $0
        for (n = 1; n < ENVIRON["nth"]; n++) {
            at = index(rest, ENVIRON["from"]) + length(ENVIRON["from"])
            done = done substr(rest, 1, at - 1)
            rest = substr(rest, at)
        }
        at = index(rest, ENVIRON["from"])
        $0 = done substr(rest, 1, at - 1) ENVIRON["to"] substr(rest, at + length(ENVIRON["from"]))
    }
    { print }' spherecontact.h > "$dir/spherecontact.h"
cp tests/implementation.c "$dir/tests/"
verdict=alive
if ! ${CC:-cc} -std=c99 -O1 -w '-DMUTANT_FIRST(a,b)=(a)' -I"$dir" -c "$dir/tests/implementation.c" -o "$dir/i.o" \
    2> /dev/null; then
    verdict=uncompiled
fi
test $verdict = alive && for t in $order; do
    ${CC:-cc} "$out/$t.o" "$dir/i.o" -lm -o "$dir/t" || exit 1
    arguments=
    test $t = conformance && arguments=$(ls tests/oracle/*.cases)
    if ! timeout 120 "$dir/t" $arguments > "$dir/log.txt" 2>&1; then
        verdict="killed by $t"
        break
    fi
done
if test $verdict = alive 2> /dev/null; then
    text=$(sed -n "${line}p" "$dir/spherecontact.h" | sed 's/^ *//')
    if grep -qF "$text" tests/mutants.txt; then verdict=excused; fi
    echo "$number $verdict $line: $text"
else
    echo "$number $verdict"
fi
rm -rf "$dir"
END
seq "$(wc -l < "$out/list.txt")" | xargs -n 1 -P "$JOBS" sh "$out/one.sh" "$out" "$order" > "$out/results.txt"
grep -E '^[0-9]+ alive' "$out/results.txt" | sort -n
alive=$(grep -cE '^[0-9]+ alive' "$out/results.txt")
echo "mutants: $(grep -c killed "$out/results.txt") killed, $alive alive," \
    "$(grep -c excused "$out/results.txt") excused, $(grep -c uncompiled "$out/results.txt") do not compile"
test "$alive" -eq 0
