#!/bin/sh
# examples/sdl2 and examples/raylib: builds them without a warning where their libraries are; SDL2's plays 600
# frames without a screen, and ends with the hashes that its first lines promise: of the world on any machine, of
# the picture with SDL 2.26. Says what is missing. Prints `games: N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/.."
CC=${CC:-cc}
out=build/games
rm -rf "$out" && mkdir -p "$out"
passed=0
failed=0
skipped=0
flags='-std=c99 -O2 -Wall -Wextra -pedantic'
# Each is read as the one file that it is; compiled, it shares the implementation of build/.
shared='-DSPHERECONTACT_IMPLEMENTED build/implementation.o'
check() { # what, command
    what=$1
    shift
    if "$@" > "$out/said.txt" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what"
        head -n 10 "$out/said.txt"
    fi
}
quietly() { # a compiler without a warning
    "$@" > "$out/warnings.txt" 2>&1 || { cat "$out/warnings.txt"; return 1; }
    cat "$out/warnings.txt"
    test ! -s "$out/warnings.txt"
}
same() { # what is promised, what is said
    cat "$1" "$2"
    test -s "$2" && cmp "$1" "$2"
}

if command -v sdl2-config > /dev/null; then
    check 'SDL2: one file' quietly $CC $flags -fsyntax-only examples/sdl2/marbles.c $(sdl2-config --cflags)
    check 'SDL2: builds' quietly $CC $flags examples/sdl2/marbles.c $shared $(sdl2-config --cflags --libs) -lm -o "$out/marbles"
    sed -n 's/^   last line: //p' examples/sdl2/marbles.c > "$out/promised.txt"
    SDL_VIDEODRIVER=dummy "$out/marbles" 600 2> /dev/null | tail -n 1 > "$out/played.txt"
    case $(sdl2-config --version) in
        2.26.*) ;;
        *)
            echo "skipped: the picture of SDL $(sdl2-config --version), which may draw its lines in another way"
            skipped=$((skipped + 1))
            sed -i 's/, picture .*//' "$out/promised.txt" "$out/played.txt" ;;
    esac
    check 'SDL2: ends as it promises' same "$out/promised.txt" "$out/played.txt"
    SDL_VIDEODRIVER=dummy "$out/marbles" 599 2> /dev/null | tail -n 1 > "$out/earlier.txt"
    check 'SDL2: another frame is another picture' sh -c "! cmp -s $out/earlier.txt $out/promised.txt"
else
    echo 'skipped: examples/sdl2, no sdl2-config'
    skipped=$((skipped + 1))
fi
if pkg-config --exists raylib 2> /dev/null; then
    check 'raylib: one file' quietly $CC $flags -fsyntax-only examples/raylib/marbles.c $(pkg-config --cflags raylib)
    check 'raylib: builds' quietly $CC $flags examples/raylib/marbles.c $shared $(pkg-config --cflags --libs raylib) -lm -o "$out/raylib"
else
    echo 'skipped: examples/raylib, no raylib'
    skipped=$((skipped + 1))
fi
echo "games: $passed passed, $failed failed, $skipped skipped"
test $failed -eq 0
