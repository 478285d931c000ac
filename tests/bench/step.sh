#!/bin/sh
# Steps through time beside other engines: sh tests/bench/step.sh. Builds the program of each engine that
# is installed (the others are named), and prints for each scene, rate and engine
#     scene rate engine   error of place after 1 s [m]   change of energy in 5 s [J]   largest position error
# The error is against Runge-Kutta's method at 16 kHz with projection; `nan`: there is none. Everything is
# put under build/bench; nothing is installed.
set -u
cd "$(dirname "$0")/../.."
. tests/bench/engines.sh
rm -f "$out"/step_lines "$out"/run_step_*

build() { # engine, compiler with its flags, source, the engine's flags
    built "step_$1" "$2" "$3" "$4" && (cd "$out" && "./run_step_$1") >> "$out/step_lines"
}

build spherecontact "$CC -std=c99" step.c ''
build bullet "$CXX -std=c++14" step_bullet.cpp "$(flags_of bullet-float64)"
build mujoco "$CC -std=gnu11" step_mujoco.c -lmujoco
build ode_full "$CC -std=c99" step_ode.c "$(flags_of ode || echo -lode)"
build ode_quick "$CC -std=c99 -DQUICK" step_ode.c "$(flags_of ode || echo -lode)"

awk '
    $2 == "reference" { scene[scenes++] = $1; x[$1] = $4; y[$1] = $5; z[$1] = $6; next }
    { line[$1, $3, count[$1, $3]++] = $0 }
    END {
        split("60 240 1000", rate, " ")
        printf "%-10s %5s  %-13s %12s %12s %12s\n", "scene", "Hz", "engine", "error [m]", "energy [J]", "drift"
        for (s = 0; s < scenes; s++)
            for (r = 1; r <= 3; r++)
                for (k = 0; k < count[scene[s], rate[r]]; k++) {
                    split(line[scene[s], rate[r], k], f, " "); n = f[1]
                    off = f[4] ~ /nan/ ? "nan" : sprintf("%.2e", sqrt((f[4] - x[n]) ^ 2 + (f[5] - y[n]) ^ 2 + (f[6] - z[n]) ^ 2))
                    printf "%-10s %5d  %-13s %12s %12s %12s\n", n, f[3], f[2], off,
                        f[7] ~ /nan/ ? "nan" : sprintf("%+.2e", f[7]), f[8] ~ /nan/ ? "nan" : sprintf("%.1e", f[8])
                }
    }' "$out/step_lines"
