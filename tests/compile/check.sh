#!/bin/sh
# How the header compiles and links: alone in every standard, shared and private implementations, mixed
# precision (must not link), C with C++, freestanding, exported names, static data, fused multiply-add,
# snapshots of other builds; and what is in builds.sh: macros of others, refused options, late configuration, installation.
# Prints a line for each check that fails, and `N passed, N failed`. CC and CXX choose the compilers; LEVELS
# the optimization levels (-O0 -O1 -O2 -O3 -Os), for example LEVELS=-O3; with a single one each of C and C++ is
# tried in one standard for each precision, not in all in both, and optimized where that is linked or compared
# alone; and what needs one more implementation is tried in one precision, by clang in float and by others in
# double. What does not depend on the level (what links, what is exported, what a snapshot opens in) is not
# optimized.
set -u
cd "$(dirname "$0")/../.."
CC=${CC:-cc}
CXX=${CXX:-c++}
LEVELS=${LEVELS:--O0 -O1 -O2 -O3 -Os}
out=build/compile-$(basename "$CC")
rm -rf "$out" && mkdir -p "$out"
passed=0
failed=0

levels() { # those of the arguments that are asked for
    for level in "$@"; do
        case " $LEVELS " in *" ${level%%:*} "*) echo "$level" ;; esac
    done
}

check() { # name, command...
    name=$1
    shift
    if "$@" > "$out/log.txt" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED ($CC): $name"
        head -n 20 "$out/log.txt"
    fi
}

no() { ! "$@"; }

in_turn() { # precision, first, second: both, or with a single level one for each precision
    case "$LEVELS:$1" in
        *' '*) echo "$2 $3" ;;
        *:) echo "$2" ;;
        *) echo "$3" ;;
    esac
}

sole() { # precision: is it the one that is tried, with a single level?
    case "$LEVELS" in *' '*) return 0 ;; esac
    case $("$CC" --version) in
        *clang*) test -n "$1" ;;
        *) test -z "$1" ;;
    esac
}

strict='-Wall -Wextra -pedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion -Wcast-qual
        -Wundef -Wfloat-equal -Werror'
strict_c="$strict -Wmissing-prototypes -Wstrict-prototypes"
case $("$CC" --version) in
    *clang*) strict_c="$strict_c -Weverything -Wno-padded -Wno-declaration-after-statement" ;;
esac

c_levels=$(levels -O0 -Os -O3 -O2)
cxx_levels=$(levels -O0 -O2)
# with a single level the rest is optimized as far as the compiler's warnings ask for
case "$LEVELS:$("$CC" --version)" in
    *' '*:*) rest= ;;
    *clang*) rest=-O0 ;;
    *) rest=-O1 ;;
esac
test -n "$c_levels" || c_levels=$LEVELS
test -n "$cxx_levels" || cxx_levels=$LEVELS

# strict warnings, header alone and implementation
printf '#include "spherecontact.h"\nspc_vec3 (*f)(spc_vec3, spc_vec3) = spc_add;\n' > "$out/alone.c"
sed 's/^spc_vec3/extern spc_vec3 (*f)(spc_vec3, spc_vec3);\nspc_vec3/' "$out/alone.c" > "$out/a.c"
for real in '' -DSPC_USE_FLOAT; do
    for std in c99 c11 c17; do
        check "header, $std $real" "$CC" -std=$std $strict_c $real -I. -c "$out/a.c" -o "$out/a.o"
    done
    for std in c++11 c++14 c++17 c++20; do
        check "header, $std $real" "$CXX" -x c++ -std=$std $strict $real -I. -c "$out/a.c" -o "$out/a.o"
    done
    # those between the first and the last standard say no more when they optimize
    check "implementation, c11 $real" "$CC" -std=c11 $strict_c $real -I. -fsyntax-only tests/implementation.c
    for std in c++14 c++17; do
        check "implementation, $std $real" "$CXX" -x c++ -std=$std $strict $real -I. -fsyntax-only \
            tests/implementation.c
    done
    for std in $(in_turn "$real" c99 c17); do
        for level in $c_levels; do # the last one is linked
            check "implementation, $std $real $level" "$CC" -std=$std $strict_c $real $level -I. \
                -c tests/implementation.c -o "$out/i$real.o"
        done
    done
    cxx_here=$cxx_levels # what is linked below is double
    test -n "$real" && cxx_here=${rest:-$cxx_levels}
    for std in $(in_turn "$real" c++11 c++20); do
        for level in $cxx_here; do
            check "implementation, $std $real $level" "$CXX" -x c++ -std=$std $strict $real $level \
                -I. -c tests/implementation.c -o "$out/i$real.cpp.o"
        done
    done
    # flags that game and firmware projects build with
    foreign="${rest:--O2} -Wcast-align -Wswitch-enum -Wstrict-overflow -fno-math-errno -funsigned-char -fshort-enums"
    for std in $(sole "$real" && in_turn "$real" c99 c++17); do
        case $std in
            c++*) check "foreign flags, C++ $real" "$CXX" -x c++ -std=$std $strict $real $foreign \
                -fno-exceptions -fno-rtti -I. -c tests/implementation.c -o "$out/w.o" ;;
            *) check "foreign flags $real" "$CC" -std=$std $strict_c $real $foreign -I. \
                -c tests/implementation.c -o "$out/w.o" ;;
        esac
    done
    # private copies: no warning about what a file does not use
    check "static $real" "$CC" -std=c99 $strict_c $real -O0 -DSPHERECONTACT_STATIC -I. \
        -c tests/implementation.c -o "$out/s.o"
    check "static exports nothing $real" no sh -c "nm '$out/s.o' | grep ' [TDBC] '"
done

# linking
for f in fall roll main; do
    "$CC" -std=c99 -O2 -c tests/compile/$f.c -o "$out/$f.o"
    "$CXX" -x c++ -std=c++17 -O2 -c tests/compile/$f.c -o "$out/$f.cpp.o"
    "$CC" -std=c99 -O2 -DSPC_USE_FLOAT -c tests/compile/$f.c -o "$out/$f.float.o"
done
for f in fall roll; do
    "$CC" -std=c99 -O0 -DSPHERECONTACT_STATIC -DSPHERECONTACT_IMPLEMENTATION -c tests/compile/$f.c \
        -o "$out/$f.own.o"
done
check 'two files share one implementation' \
    "$CC" "$out/fall.o" "$out/roll.o" "$out/main.o" "$out/i.o" -lm -o "$out/shared"
check 'and run' "$out/shared"
check 'two private copies link' "$CC" "$out/fall.own.o" "$out/roll.own.o" "$out/main.o" -lm -o "$out/own"
check 'and run' "$out/own"
check 'a shared and a private copy link' \
    "$CC" "$out/fall.own.o" "$out/roll.o" "$out/main.o" "$out/i.o" -lm -o "$out/both"
check 'C calls C++' "$CXX" "$out/fall.o" "$out/roll.o" "$out/main.o" "$out/i.cpp.o" -lm -o "$out/ccpp"
check 'and runs' "$out/ccpp"
check 'C++ calls C' "$CXX" "$out/fall.cpp.o" "$out/roll.cpp.o" "$out/main.cpp.o" "$out/i.o" -lm \
    -o "$out/cppc"
check 'and runs' "$out/cppc"
check 'float links with float' \
    "$CC" "$out/fall.float.o" "$out/roll.float.o" "$out/main.float.o" "$out/i-DSPC_USE_FLOAT.o" -lm -o "$out/f"
check 'and runs' "$out/f"
check 'double calls do not link with a float implementation' no \
    "$CC" "$out/fall.o" "$out/roll.o" "$out/main.o" "$out/i-DSPC_USE_FLOAT.o" -lm -o "$out/mixed"
check 'float calls do not link with a double implementation' no \
    "$CC" "$out/fall.float.o" "$out/roll.float.o" "$out/main.float.o" "$out/i.o" -lm -o "$out/mixed"

# what the object exports, needs and keeps
check 'exports have the prefix' no sh -c "nm '$out/i.o' | grep ' [TDBC] ' | grep -v ' spc_'"
needs() { # what, object file, level
    copies=none
    test "$3" = -O0 && copies='mem\(cpy\|set\)$' # clang's, of structs
    test "$(nm -u "$2" | awk '{print $2}' | grep -v "$copies")" = "$1"
}
check 'needs sqrt alone' needs sqrt "$out/i.o" "$LEVELS"
check 'float needs sqrtf alone' needs sqrtf "$out/i-DSPC_USE_FLOAT.o" "$LEVELS"
check 'no static data' sh -c "size '$out/i.o' | awk 'NR == 2 { exit !(\$2 + \$3 == 0) }'"
for real in '' -DSPC_USE_FLOAT; do
    sole "$real" || continue
    for level in ${rest:-$(levels -O0 -O1 -O2 -O3 -Os)}; do
        for where in $(in_turn "$real" -fhosted -ffreestanding); do
            "$CC" -std=c99 $level $real $where -c tests/compile/freestanding.c -o "$out/free.o"
            check "needs nothing with a root of its own, $level $real $where" \
                needs '' "$out/free.o" $level
        done
    done
done

# the same bits from every level and standard, and with fused multiply-add where the machine has it
want=$("$out/shared")
want_float=$("$out/f")
flags='-O0 -O1 -O3 -Os'
if grep -q '\bfma\b' /proc/cpuinfo 2> /dev/null; then
    flags="$flags -O2:-mfma -O3:-mfma:-mavx2 -O3:-march=native"
fi
for flag in $(levels $flags); do
    options=$(echo "$flag" | tr : ' ')
    for std in $(in_turn '' gnu17 c99); do
        sole '' && "$CC" -std=$std $options tests/compile/main.c tests/compile/fall.c tests/compile/roll.c \
            tests/implementation.c -lm -o "$out/bits" && check "bits, $std $options" \
            sh -c "test \"\$('$out/bits')\" = $want"
        sole -DSPC_USE_FLOAT && "$CC" -std=$std $options -DSPC_USE_FLOAT tests/compile/main.c tests/compile/fall.c \
            tests/compile/roll.c tests/implementation.c -lm -o "$out/bits" && \
            check "bits, float, $std $options" sh -c "test \"\$('$out/bits')\" = $want_float"
    done
done
check 'bits, C++' sh -c "test \"\$('$out/cppc')\" = $want && test \"\$('$out/ccpp')\" = $want"

# SPC_USE_AVX2: loops for it beside the others, of the same bits, that the processor's flags choose
beside() { # what, object file: and what a choice of loops by the processor takes
    test "$(nm -u "$2" | awk '{print $2}' | grep -v '^__cpu_\|^_GLOBAL_OFFSET_TABLE_$')" = "$1"
}
for real in '' -DSPC_USE_FLOAT; do
    sole "$real" && "$CC" -std=c99 -O2 $real -DSPC_USE_AVX2 -c tests/implementation.c -o "$out/avx2.o" || continue
    check "AVX2 $real needs a root, and what tells of the processor" \
        beside "sqrt${real:+f}" "$out/avx2.o"
    for test in determinism lanes; do
        "$CC" -std=gnu99 -O0 $real tests/test_$test.c "$out/avx2.o" -lm -o "$out/avx2"
        check "AVX2 $real, test_$test" "$out/avx2"
    done
done

# a snapshot opens in the build that wrote it, and in no other: two precisions, layouts as other machines
# have them, and 32 bits where there is a library for them
builds='double float enums packed'
build() { # name, flags
    "$CC" -std=c99 -O0 $2 tests/compile/snapshot.c -lm -o "$out/snapshot-$1" > "$out/log.txt" 2>&1 &&
        "$out/snapshot-$1" write "$out/$1.world"
}
check 'snapshot, double' build double ''
check 'snapshot, float' build float -DSPC_USE_FLOAT
check 'snapshot, short enumerations' build enums -fshort-enums
check 'snapshot, numbers aligned to 4 bytes' build packed -fpack-struct=4
build 32-bit '-m32 -msse2 -mfpmath=sse' && builds="$builds 32-bit"
opens() { # what is expected, program, world
    "$out/snapshot-$2" open "$out/$3.world"
    test $? -eq "$1"
}
for from in $builds; do
    for to in $builds; do
        expected=2
        test "$from" = "$to" && expected=0
        check "a snapshot, $from, opened by $to" opens $expected "$to" "$from"
    done
done

. tests/compile/builds.sh

echo "compile tests ($CC): $passed passed, $failed failed"
test $failed -eq 0
