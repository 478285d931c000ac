#!/bin/sh
# Other compilers and machines, as far as they are installed (a missing one is named and skipped): the whole
# test suite, conformance, the pictures of the gallery and the hashes of the playground with tcc, on aarch64,
# armhf, riscv64 and s390x (big endian) under qemu, on Windows under wine, and as WebAssembly under Node;
# without a library of C on a Cortex-M4F and on riscv64, with the size of the code and the depth of the stack;
# the syntax as clang-cl takes it.
# Prints how long each took, and `platforms: N passed, N failed, N skipped`. JOBS: how many run at a time;
# OUT: the folder, build/platforms; TESTS: which programs, and CASES: which files of cases, if not all; PLATFORMS: shell patterns of the names
# of those that run, all by default:
#     tcc-REAL  aarch64-linux-gnu-REAL  arm-linux-gnueabihf-REAL  riscv64-linux-gnu-REAL  s390x-linux-gnu-REAL
#     mingw-REAL  wasm32-REAL  wasm32-alone-REAL  cortex-m4f  riscv64-double  riscv64-float  clang-cl-REAL
# where REAL is double or float. For example
#     PLATFORMS='aarch64-*' TESTS='kernels determinism' sh tests/platforms.sh
set -u
cd "$(dirname "$0")/.."
. tests/select.sh
PLATFORMS=${PLATFORMS:-*}
export CASES="${CASES:-$(echo tests/oracle/*.cases)}"
out=${OUT:-build/platforms}
export out
rm -rf "$out" && mkdir -p "$out"
JOBS=${JOBS:-$(nproc 2> /dev/null || echo 2)}
all=${TESTS:-$(sed -n 's/^TESTS [:+]= //p' Makefile | tr '\n' ' ')}
: > "$out/list.txt"
: > "$out/results.txt"
skipped=0
few=${TESTS:-kernels solver world determinism} # in single precision, since emulation is slow

has() { command -v "$1" > /dev/null; }
skip() { # name, what is missing
    selected "$PLATFORMS" "$1" || return 0
    echo "skipped: $1, no $2"
    skipped=$((skipped + 1))
}
add() { # name, compiler with flags, suffix of programs, runner, tests
    selected "$PLATFORMS" "$1" || return 0
    printf '%s\0%s\0%s\0%s\0%s\0' "$1" "$2" "$3" "$4" "$5" >> "$out/list.txt"
}

cat > "$out/one.sh" << 'END'
dir=$out/$1
mkdir -p "$dir"
start=$(date +%s)
if (
    bad=0 # the others run after one that fails
    $2 -I. -c tests/implementation.c -o "$dir/implementation.o" || exit 1
    for t in $5; do
        $2 -I. "tests/test_$t.c" "$dir/implementation.o" -lm -o "$dir/test_$t$3" || exit 1
        $4 "$dir/test_$t$3" || bad=1
    done
    $2 -I. tests/conformance.c "$dir/implementation.o" -lm -o "$dir/conformance$3" || exit 1
    $4 "$dir/conformance$3" $CASES || bad=1
    case $1 in
        *-double)
            sh tests/gallery.sh "$dir" "$2 -I." "$3" "$4" && sh tests/gallery.sh "$dir" || bad=1
            sh tests/playground/hashes.sh "$dir" "$2 -I." "$3" "$4" || bad=1
            ;;
    esac
    exit $bad
) > "$dir/log.txt" 2>&1; then
    echo "passed $1, $(($(date +%s) - start)) s: $(tail -n 1 "$dir/log.txt")"
else
    echo "FAILED $1"
    grep -aE 'error:|ERROR|FAILED|\.(c|h|cases):[0-9]+:|[1-9][0-9]* failed' "$dir/log.txt" | head -n 15
fi
END

wine=
if selected "$PLATFORMS" mingw-double || selected "$PLATFORMS" mingw-float; then
    wine=$(command -v wine || command -v wine64 || ls /usr/lib/wine/wine64 2> /dev/null)
fi
if test -n "$wine"; then # its own folder, made before several programs want it at a time
    export WINEPREFIX="$PWD/$out/wine" WINEDEBUG=-all
    "$wine" wineboot -i > /dev/null 2>&1 || wine=
fi

for real in double float; do
    flag=
    tests=$all
    test $real = float && flag=-DSPC_USE_FLOAT && tests=$few
    if ! has tcc; then
        skip "tcc-$real" tcc
    elif test $real = double; then
        add tcc-double 'tcc -std=c99' '' '' "$all"
    elif ! selected "$PLATFORMS" tcc-float; then
        :
    elif ! tcc -std=c99 $flag -I. -c tests/implementation.c -o "$out/tcc.o" 2> "$out/tcc.txt" &&
        grep -q 'leave out SPC_USE_FLOAT' "$out/tcc.txt"; then
        echo 'passed tcc-float: refused by the header' >> "$out/results.txt"
    else # a tcc that the header does not know to be wrong
        add tcc-float "tcc -std=c99 $flag" '' '' "$tests"
    fi
    for machine in aarch64:aarch64-linux-gnu arm:arm-linux-gnueabihf riscv64:riscv64-linux-gnu \
        s390x:s390x-linux-gnu; do
        qemu=qemu-${machine%%:*}
        triple=${machine##*:}
        if has "$triple-gcc" && has "$qemu"; then
            add "$triple-$real" "$triple-gcc -std=c99 -O2 $flag" '' "$qemu -L /usr/$triple" "$tests"
        else
            skip "$triple-$real" "$triple-gcc with $qemu"
        fi
    done
    if ! has x86_64-w64-mingw32-gcc; then
        skip "mingw-$real" x86_64-w64-mingw32-gcc
    elif test -n "$wine"; then
        add "mingw-$real" "x86_64-w64-mingw32-gcc -std=c99 -O2 -D__USE_MINGW_ANSI_STDIO=1 $flag" .exe \
            "$wine" "$tests"
    else
        add "mingw-$real" "x86_64-w64-mingw32-gcc -std=c99 -O2 -D__USE_MINGW_ANSI_STDIO=1 $flag" .exe : "$tests"
    fi
    if has node && has wasm-ld && echo '#include <stdio.h>' |
        clang --target=wasm32-wasi -fsyntax-only -x c - 2> /dev/null; then
        # without marking beside the program: a memory that grows to 40 MB ends in a fault of Node 20 else,
        # whatever the program does with it
        add "wasm32-$real" "clang --target=wasm32-wasi -std=c99 -O2 -Wl,-z,stack-size=1000000 $flag" .wasm \
            'node --no-warnings --no-concurrent-marking tests/platform/wasi.mjs' "$tests"
    else
        skip "wasm32-$real" 'wasi-libc with clang, wasm-ld and node'
    fi
done
xargs -0 -r -n 5 -P "$JOBS" sh "$out/one.sh" < "$out/list.txt" | tee -a "$out/results.txt"

# Without a library of C: a program links, without drawing if it does not draw; the header takes 264 KiB of
# code beside drawing, and 9.75 KiB of stack at most. Nothing sets RISC-V's global pointer there, so nothing
# is to be linked relative to it.
firmware() { # name, compiler with flags, size
    selected "$PLATFORMS" "$1" || return 0
    if ! has "${2%% *}"; then
        skip "$1" "${2%% *}"
    elif $2 -std=c99 -Os -ffreestanding -ffunction-sections -fcallgraph-info=su -I. -c tests/compile/freestanding.c \
            -o "$out/$1.o" > "$out/$1.txt" 2>&1 &&
        $2 -std=c99 -Os -ffreestanding -ffunction-sections -DSPHERECONTACT_IMPLEMENTED -I. -c tests/platform/firmware.c \
            -o "$out/$1-main.o" >> "$out/$1.txt" 2>&1 && # which shares it
        $2 -nostdlib -nostartfiles -Wl,--gc-sections,--no-relax "$out/$1-main.o" "$out/$1.o" -lgcc -o "$out/$1.elf" \
            >> "$out/$1.txt" 2>&1 &&
        ! "${3%size}nm" "$out/$1.elf" | grep -E 'spci?_.*draw' >> "$out/$1.txt"; then
        text=$($3 -A "$out/$1.o" | awk '/^\.text/ { if (/draw/) drawing += $2; else sum += $2 }
            END { print sum, drawing }')
        stack=$(awk -f tests/platform/stack.awk "$out/$1.ci")
        if test "${text% *}" -le 270336 && test "${stack%% *}" -le 9984; then verdict=passed; else verdict=FAILED; fi
        echo "$verdict $1: .text ${text% *} bytes, drawing ${text#* }, stack $stack" | tee -a "$out/results.txt"
    else
        { echo "FAILED $1"; head -n 10 "$out/$1.txt"; } | tee -a "$out/results.txt"
    fi
}
firmware cortex-m4f 'arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -DSPC_USE_FLOAT' \
    arm-none-eabi-size
firmware riscv64-double riscv64-unknown-elf-gcc riscv64-unknown-elf-size
firmware riscv64-float 'riscv64-unknown-elf-gcc -DSPC_USE_FLOAT' riscv64-unknown-elf-size

# As clang-cl takes it, and WebAssembly that imports nothing and whose main gives 0.
syntax() { # flags
    clang --target=x86_64-pc-windows-msvc -fms-compatibility -fsyntax-only -ffreestanding -std=c11 -Wall \
        -Wextra -Wconversion -Wshadow -Wsign-conversion -Werror $1 -I. tests/compile/freestanding.c
}
alone() { # flags
    clang --target=wasm32 -O2 -ffreestanding -nostdlib $1 -I. -c tests/platform/firmware.c -o "$out/alone.o" &&
        wasm-ld --no-entry --export=main "$out/alone.o" -o "$out/alone.wasm" &&
        { ! has node || node -e 'WebAssembly.instantiate(require("fs").readFileSync(process.argv[1]))
            .then(m => m.instance.exports.main()).then(code => {
                if (code) console.log(`main gives ${code}`);
                process.exit(code ? 1 : 0);
            })' "$out/alone.wasm"; }
}
verdict() { # name, function, flags
    if ! selected "$PLATFORMS" "$1"; then
        :
    elif ! has clang; then
        skip "$1" clang
    elif $2 "$3"; then
        echo "passed $1" >> "$out/results.txt"
        echo "passed $1"
    else
        echo "FAILED $1" >> "$out/results.txt"
        echo "FAILED $1"
    fi
}
verdict clang-cl-double syntax ''
verdict clang-cl-float syntax -DSPC_USE_FLOAT
verdict wasm32-alone-double alone ''
verdict wasm32-alone-float alone -DSPC_USE_FLOAT
unmatched "$PLATFORMS" | tee -a "$out/results.txt"
passed=$(grep -c '^passed' "$out/results.txt")
failed=$(grep -c '^FAILED' "$out/results.txt")
echo "platforms: $passed passed, $failed failed, $skipped skipped"
test "$failed" -eq 0
