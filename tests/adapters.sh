#!/bin/sh
# The code of examples/README.md: that which draws compiles where its library is installed, and what is not is said;
# SDL2 draws on a surface. The lines for an engine of one's own run. Prints `adapters: N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/.."
CC=${CC:-cc}
out=build/adapters
rm -rf "$out" && mkdir -p "$out"
passed=0
failed=0
skipped=0
flags='-std=c99 -Wall -Wextra -Wno-unused-parameter -I.'

verdict() { # name, status
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
        head -n 10 "$out/$1.txt"
    fi
}
skip() { # name, what is missing
    echo "skipped: drawing with $1, no $2"
    skipped=$((skipped + 1))
}
code() { # name, first line as a pattern, language
    awk -v first="$2" -v fence="^\`\`\`$3" '$0 ~ fence { getline; on = $0 ~ first } /^```$/ { on = 0 } on' examples/README.md \
        > "$out/$1"
    test -s "$out/$1" || echo 'not in examples/README.md' > "$out/$1"
}

code sdl2.h '^/. SDL2:' c
code raylib.h '^/. raylib:' c
code sokol_gl.h '^/. sokol_gl:' c
code canvas.h '^/. Canvas,' c
code canvas.js '^// Canvas,' js
code engine.h '^spc_sphere_on_plane_rows' c

if command -v sdl2-config > /dev/null; then
    $CC $flags $(sdl2-config --cflags) "-DADAPTER=\"$PWD/$out/sdl2.h\"" tests/adapters/sdl2.c build/implementation.o \
        $(sdl2-config --libs) -lm -o "$out/sdl2" > "$out/sdl2.txt" 2>&1 && "$out/sdl2" >> "$out/sdl2.txt" 2>&1
    verdict sdl2 $?
else
    skip SDL2 sdl2-config
fi
if pkg-config --exists raylib 2> /dev/null; then
    $CC $flags $(pkg-config --cflags raylib) '-DLIBRARY="raylib.h"' "-DADAPTER=\"$PWD/$out/raylib.h\"" \
        -c tests/adapters/other.c -o "$out/raylib.o" > "$out/raylib.txt" 2>&1
    verdict raylib $?
else
    skip raylib raylib
fi
printf '#include "sokol_gfx.h"\n#include "util/sokol_gl.h"\n' > "$out/sokol.h"
if $CC -I. -fsyntax-only -x c "$out/sokol.h" 2> /dev/null; then
    $CC $flags "-DLIBRARY=\"$PWD/$out/sokol.h\"" "-DADAPTER=\"$PWD/$out/sokol_gl.h\"" -c tests/adapters/other.c \
        -o "$out/sokol.o" > "$out/sokol.txt" 2>&1
    verdict sokol $?
else
    skip sokol_gl sokol_gl.h
fi
$CC $flags -DCANVAS "-DADAPTER=\"$PWD/$out/canvas.h\"" tests/adapters/other.c build/implementation.o -lm \
    -o "$out/canvas" > "$out/canvas.txt" 2>&1 && "$out/canvas" >> "$out/canvas.txt" 2>&1
verdict canvas $?
$CC $flags "-DADAPTER=\"$PWD/$out/engine.h\"" tests/adapters/engine.c build/implementation.o -lm \
    -o "$out/engine" > "$out/engine.txt" 2>&1 && "$out/engine" >> "$out/engine.txt" 2>&1
verdict engine $?
if command -v node > /dev/null; then
    cat > "$out/show.js" << 'END'
const calls = [];
const context = { beginPath() {}, stroke() { calls.push(this.strokeStyle); },
    moveTo(x, y) { calls.push(x, y); }, lineTo(x, y) { calls.push(x, y); } };
show(context, new Float32Array([1, 2, 3, 4, 5, 6, 0x4488cc]), 1, 10);
process.exit(String(calls) === '10,-20,40,-50,#4488cc' ? 0 : 1);
END
    cat "$out/canvas.js" "$out/show.js" > "$out/page.js" && node "$out/page.js" > "$out/page.txt" 2>&1
    verdict page $?
else
    skip 'a page' node
fi
echo "adapters: $passed passed, $failed failed, $skipped skipped"
test $failed -eq 0
