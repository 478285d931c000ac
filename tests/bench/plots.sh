#!/bin/sh
# Plots of scenes over time, here and in other engines: sh tests/bench/plots.sh. Builds the programs of
# contact.sh and step.sh with -DPLOT for each engine that is installed (the others are named), writes a table
# of each scene to build/plots/*.csv (engine,rate,time,value; see plot.h and step.h), and draws them with
# matplotlib to build/plots/*.svg. Those in examples/gallery/plots were made from Debian 12's packages. Fails
# where a curve of this library is beyond what plots.py expects, or a picture is larger than 30 kB.
set -u
cd "$(dirname "$0")/../.."
. tests/bench/engines.sh
plots=build/plots
rm -rf "$plots" && mkdir -p "$plots"
: > "$out/plot_lines"

build() { # program, compiler with its flags, source, the engine's flags
    rm -f "$out/run_plot_$1"
    built "plot_$1" "$2 -DPLOT" "$3" "$4" &&
        (cd "$out" && "./run_plot_$1" 2> "plot_$1.log") | grep -E '^[a-z]+(,[^,]*){4}$' >> "$out/plot_lines"
}
version() { # name, a word; nothing if it is not known
    if [ -n "$2" ]; then echo "version,$1,,,$2" >> "$out/plot_lines"; fi
}

bullet=$(flags_of bullet-float64)
ode=$(flags_of ode || echo -lode)
build contact_spherecontact "$CC -std=c99" contact.c '' || { cat "$out/plot_contact_spherecontact.txt"; exit 1; }
build step_spherecontact "$CC -std=c99" step.c '' || { cat "$out/plot_step_spherecontact.txt"; exit 1; }
build contact_bullet "$CXX -std=c++14" contact_bullet.cpp "$bullet" &&
    build step_bullet "$CXX -std=c++14" step_bullet.cpp "$bullet" &&
    version bullet "$(pkg-config --modversion bullet-float64 2> /dev/null)"
build contact_ode "$CC -std=c99" contact_ode.c "$ode" &&
    build contact_ode_quick "$CC -std=c99 -DQUICK" contact_ode.c "$ode" &&
    build step_ode "$CC -std=c99" step_ode.c "$ode" &&
    build step_ode_quick "$CC -std=c99 -DQUICK" step_ode.c "$ode" &&
    version ode "$(pkg-config --modversion ode 2> /dev/null)"
if build contact_mujoco "$CC -std=gnu11" contact_mujoco.c -lmujoco; then
    build step_mujoco "$CC -std=gnu11" step_mujoco.c -lmujoco
    printf '#include <mujoco/mujoco.h>\n#include <stdio.h>\nint main(void) { return puts(mj_versionString()) < 0; }\n' \
        > "$out/version.c"
    $CC "$out/version.c" -lmujoco -o "$out/version" && version mujoco "$("$out/version")"
fi

for plot in $(grep -v '^version,' "$out/plot_lines" | cut -d, -f1 | sort -u); do
    { echo 'engine,rate,time,value'; grep "^$plot," "$out/plot_lines" | cut -d, -f2-; } > "$plots/$plot.csv"
done
{ echo 'engine,version'; grep '^version,' "$out/plot_lines" | cut -d, -f2,5; } > "$plots/versions.csv"
echo "tables: $(ls "$plots"/*.csv | tr '\n' ' ')"

# the first that has what plots
for p in "${PYTHON:-python3}" python3 /usr/bin/python3; do
    "$p" -c 'import matplotlib' 2> /dev/null && break
    p=
done
if [ -z "$p" ]; then
    echo 'skipped: the pictures, no matplotlib (Debian: python3-matplotlib)'
    exit 0
fi
MPLBACKEND=Agg PYTHONDONTWRITEBYTECODE=1 exec "$p" tests/bench/plots.py "$plots"
