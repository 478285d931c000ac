#!/bin/sh
# The benchmark: sh tests/bench/run.sh [ROUNDS [SCENE...]]. Builds the program of each engine that is
# installed (the others are named), runs them by turns, ROUNDS times each (7), and prints
#     scene engine bodies ns_per_body_step ratio_to_ours error
# with the medians. Without a scene it also prints how the cost of some calls grows with the world,
# and what a step takes in units of a loop by hand.
# Everything is put under build/bench; nothing is installed.
set -u
cd "$(dirname "$0")/../.."
rounds=${1:-7}
test $# -gt 0 && shift
scenes=$#
. tests/bench/engines.sh
rm -f "$out"/lines "$out"/run_*

build() { # engine, compiler with its flags, source, the engine's flags
    built "$@" && engines="$engines $1"
}

echo "compilers: $($CC --version | head -n 1); $($CXX --version | head -n 1)"
echo "flags: $CFLAGS; double precision; $(uname -m), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2> /dev/null | head -n 1)"
engines=
build spherecontact "$CC -std=c11" spherecontact.c ''
build limit "$CC -std=c11" limit.c ''
build bullet "$CXX -std=c++14" bullet.cpp "$(flags_of bullet-float64)"
build ode_full "$CC -std=c11" ode.c "$(flags_of ode || echo -lode)"
build ode_quick "$CC -std=c11 -DQUICK" ode.c "$(flags_of ode || echo -lode)"
build mujoco "$CC -std=gnu11" mujoco.c -lmujoco
build simbody "$CXX" simbody.cpp "$(flags_of simbody)"

round=0
errors=-e # are the same every time
while test $round -lt "$rounds"; do
    for e in $engines; do
        (cd "$out" && "./run_$e" $errors "$@") >> "$out/lines" # some leave a log where they run
    done
    errors=
    round=$((round + 1))
done

# scene engine bodies ns error: medians, in the order of the scenes and engines of the first round
awk '
    { key = $1 " " $2; if (!(key in count)) { order[keys++] = key; error[key] = $5; n[key] = $3 }
      time[key, count[key]++] = $4 }
    END {
        for (k = 0; k < keys; k++) {
            key = order[k]; c = count[key]
            for (i = 0; i < c; i++) v[i] = time[key, i]
            for (i = 1; i < c; i++)
                for (j = i; j > 0 && v[j - 1] > v[j]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
            median[key] = v[int(c / 2)]
            split(key, part, " ")
            if (part[2] == "spherecontact") { scene[scenes++] = part[1] }
        }
        for (s = 0; s < scenes; s++)
            for (k = 0; k < keys; k++) {
                split(order[k], part, " ")
                if (part[1] == scene[s])
                    printf "%-16s %-14s %7d %11.1f %9.2f %9s\n", part[1], part[2], n[order[k]],
                        median[order[k]], median[order[k]] / median[scene[s] " spherecontact"],
                        part[2] == "memory" ? "-" : error[order[k]]
            }
    }' "$out/lines"

if test "$scenes" -eq 0; then
    $CC -std=c11 $CFLAGS "$here/growth.c" -lm -o "$out/growth" && "$out/growth"
    $CC -std=gnu11 $CFLAGS "$here/bars.c" -lm -o "$out/bars" && "$out/bars"
    echo 'with SPC_USE_AVX2:'
    $CC -std=gnu11 $CFLAGS -DSPC_USE_AVX2 "$here/bars.c" -lm -o "$out/bars_avx2" &&
        "$out/bars_avx2" balls friction 'each with' stabilized kinematic centre moments discs one-sided bounce fly each
fi
