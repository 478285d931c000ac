#!/bin/sh
# The accuracy table of tests/README.md against what the two conformance programs in build/ find: no error may be
# larger than the table has it, but for the rounding of its two digits, and the checks are as many. Prints a
# line for each failure and `accuracy: N passed, N failed`.
set -u
cd "$(dirname "$0")/.."

# column of the table (the first of two), file of cases
columns='3:simbody_sphere 5:disc 7:rbdl_attachment 9:simbody_sphere_sphere
    3:simbody_sphere_trajectories 5:disc_trajectories 9:simbody_sphere_sphere_trajectories'

{
    for c in $columns; do
        for real in '' float/; do
            build/${real}conformance "tests/oracle/${c#*:}.cases" | sed "s|^|${c%%:*} $real ${c#*:} |"
        done
    done
} | awk '
    BEGIN {
        FS = "|"
        split("position error, separation=position_error separation;" \
              "velocity errors=velocity_errors velocity_error_in_ground normal_velocity_error;" \
              "acceleration errors at trial accelerations=acceleration_errors_at_trial " \
              "acceleration_error_in_ground_at_trial normal_acceleration_error_at_trial;" \
              "bias=bias bias_in_ground normal_bias;multipliers=multipliers force_local normal_multiplier;" \
              "force on ball or disc, in G=force_on_ball_in_ground;" \
              "contact point and normal, in G=contact_point_in_ground contact_normal_in_ground;" \
              "power=power;Jacobian rows=jacobian_row normal_jacobian_row jacobian_row_in_ground;" \
              "its velocity, and that of the trail=contact_point_velocity trail_velocity;" \
              "joint frame J1=joint_rotation;accelerations of the bodies=acceleration;pose=pose;" \
              "velocity=velocity", names, ";")
        for (i in names) { split(names[i], part, "="); keys[part[1]] = part[2] }
        while ((getline line < "tests/README.md") > 0) {
            n = split(line, cell, "|")
            if (line ~ /checks\*/) { gsub(/,/, "", line); counts = counts " " line }
            name = cell[2]; gsub(/^ +| +$/, "", name)
            if (!(name in keys) || n < 11) continue
            m = split(keys[name], one, " ")
            for (i = 1; i <= m; i++) for (c = 3; c <= 10; c++) bound[one[i], c] = cell[c] + 0
        }
    }
    {
        split($0, word, " "); float = word[2] == "float/"; k = float ? 3 : 2
        column = word[1] + float; file = word[k]; key = word[k + 1]
        if (word[k + 2] == "passed,") {
            if (index(counts, " " key " ")) passed++
            else { failed++; print "FAILED: " file ": " key " checks, not those of tests/README.md" }
        } else if (file !~ /trajectories/ || key == "pose" || key == "velocity") {
            seen = word[k + 5] + 0
            if (bound[key, column] > 0 && word[k + 4] == "error" && seen <= 1.06 * bound[key, column]) passed++
            else { failed++; print "FAILED: " file ", " (float ? "float" : "double") ": " key " " seen \
                   ", tests/README.md has " bound[key, column] }
        }
    }
    END { print "accuracy: " passed + 0 " passed, " failed + 0 " failed"; exit failed > 0 || passed < 120 }'
