#!/bin/sh
# One body in contact through time, here and in other engines: sh tests/bench/contact.sh. Builds the
# program of each engine that is installed (the others are named), and prints the errors of all for
# each scene and rate. The bar is that of spc_step; spc_step_rk4 has one at 240 Hz, see contact.h;
# `*` marks what is above it. `inf`: it does not happen; `-`: there is none. Then it says where
# another engine is nearer to the truth. It fails where a bar is missed that is not known
# to be. Everything is put under build/bench; nothing is installed.
set -u
cd "$(dirname "$0")/../.."
. tests/bench/engines.sh
rm -f "$out"/contact_lines "$out"/run_contact_*

build() { # engine, compiler with its flags, source, the engine's flags
    built "contact_$1" "$2" "$3" "$4" &&
        (cd "$out" && "./run_contact_$1" 2> "contact_$1.log") >> "$out/contact_lines"
}

build spherecontact "$CC -std=c99" contact.c '' || { cat "$out/contact_spherecontact.log"; exit 1; }
build bullet "$CXX -std=c++14" contact_bullet.cpp "$(flags_of bullet-float64)"
build ode "$CC -std=c99" contact_ode.c "$(flags_of ode || echo -lode)"
build ode_quick "$CC -std=c99 -DQUICK" contact_ode.c "$(flags_of ode || echo -lode)"
build mujoco "$CC -std=gnu11" contact_mujoco.c -lmujoco

# Bars known to be missed, with what is reached. Below 1e-12 an error is rounding, and counts as 0.
awk -v zero=1e-12 '
    BEGIN {
        known["coin in a circle, a turn [m], 240 Hz, spc_step"] = 1.13e-3
        known["wheel in a circle, a turn [m], 240 Hz, spc_step"] = 1.13e-3
    }
    function number(x) { return x == "" || x ~ /inf|nan/ ? 1e300 : x + 0 }
    function judge(at, e,    what) { # is the bar met? else it is noted
        if (!((at, e) in bar) || bar[at, e] == "none") return " "
        if (number(error[at, e]) <= bar[at, e] + 0) return " "
        what = name[at] ", " hz[at] " Hz, " e
        missed = missed sprintf("\n    %s: %.3g, not %.3g", what, error[at, e], bar[at, e])
        if (what in known) missed = missed " (known)"
        misses++
        if (!(number(error[at, e]) <= known[what] + 0)) failed = 1
        return "*"
    }
    function compare(at, e,    k, o, mine, best, those) { # with the other engines
        mine = number(error[at, e]); best = 1e300; those = ""
        for (k = 2; k < engines; k++) {
            o = number(error[at, engine[k]])
            if (!((at, engine[k]) in error)) continue
            if (o < best) best = o
            if (mine > zero && mine > o) those = those " " engine[k]
        }
        if (those) { behind[e]++; where[e] = where[e] "\n    " name[at] ", " hz[at] " Hz:" those }
        else if (mine <= zero && best <= zero) equal[e]++
        else ahead[e]++
    }
    $3 == "bar" {
        at = $1 " " $2; line[lines++] = at; hz[at] = $2
        bar[at, "spc_step"] = $4; bar[at, "spc_step_rk4"] = $5
        for (i = 6; i <= NF; i++) name[at] = name[at] (i > 6 ? " " : "") $i
        next
    }
    !($3 in seen) { seen[$3] = 1; engine[engines++] = $3 }
    { error[$1 " " $2, $3] = $4 }
    END {
        printf "%-35s %4s %8s", "error of", "Hz", "bar"
        for (k = 0; k < engines; k++) printf " %12s ", engine[k]
        print ""
        for (l = 0; l < lines; l++) {
            at = line[l]
            printf "%-35s %4d %8.1e", name[at], hz[at], bar[at, "spc_step"]
            for (k = 0; k < engines; k++) {
                e = error[at, engine[k]]
                if (e == "") e = "-"
                else if (e !~ /inf|nan/) e = sprintf("%.1e", e)
                printf " %12s%s", e, judge(at, engine[k])
            }
            print ""
            for (k = 0; engines > 2 && k < 2; k++) compare(at, engine[k])
        }
        print "bars missed: " misses + 0 missed
        for (k = 0; engines > 2 && k < 2; k++) {
            e = engine[k]
            printf "%s: ahead of all others in %d cells, at 0 like others in %d, behind in %d%s\n",
                e, ahead[e], equal[e], behind[e], where[e]
        }
        exit failed
    }' "$out/contact_lines"
