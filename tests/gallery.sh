#!/bin/sh
# The pictures of examples/gallery. sh tests/gallery.sh DIR COMPILER [SUFFIX [RUNNER]] builds each scene with
# the implementation.o of DIR, in double precision, and writes DIR/gallery/*.svg; sh tests/gallery.sh DIR
# compares them with those that are committed, byte for byte, and prints `gallery: N passed, N failed`.
set -u
cd "$(dirname "$0")/.."
here=examples/gallery
out=$1/gallery
if [ $# -gt 1 ]; then
    rm -rf "$out" && mkdir -p "$out" || exit 1
    draw() { # scene, picture, arguments
        ${runner:-} "$out/$1${suffix:-}" $3 > "$out/$2.txt" || exit 1
        tr -d '\r' < "$out/$2.txt" > "$out/$2.svg" # which Windows adds
    }
    compiler=$2 suffix=${3:-} runner=${4:-}
    for scene in "$here"/*.c; do
        scene=$(basename "$scene" .c)
        $compiler "$here/$scene.c" "$1/implementation.o" -lm -o "$out/$scene$suffix" || exit 1
        if [ "$scene" = bicycle ]; then
            for speed in 3 5 7; do draw bicycle bicycle_$speed $speed; done
        else
            draw "$scene" "$scene" ''
        fi
    done
    exit 0
fi
passed=0
failed=0
for name in $(ls "$out" "$here" | grep "\.svg$" | sort -u); do
    if cmp "$out/$name" "$here/$name"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
    fi
done
echo "gallery: $passed passed, $failed failed"
test $failed -eq 0 && test $passed -gt 0
