#!/bin/sh
# Compilers x standards x precisions x optimization levels, as far as this machine has them: compile tests,
# the whole suite and conformance; then sanitizers and valgrind. A missing tool is named and skipped.
# Prints how long each took, and `N passed, N failed, N skipped`. JOBS: how many configurations run at a
# time; CONFIGS: shell patterns of the names of those that run, all by default:
#     valgrind  threads  long-REAL  clang-memory  clang-memory-few
#     gcc-sanitized-REAL  gcc-sanitized-few-REAL  gcc-c99-REAL-LEVEL  gcc-c11-REAL
#     gcc-c17-REAL  gcc-c++11-REAL  gcc-c++14-REAL  gcc-c++17-REAL  gcc-c++20-REAL  compile-gcc
# and those of gcc with clang, too; long: the long forms of the tests that have one; REAL is double or float,
# LEVEL is O0, O2, O3 or Os. SKIP: programs that are left out of all. For example
#     CONFIGS='gcc-sanitized-double compile-*' SKIP='piles scratch' sh tests/check_all.sh
# OUT: the folder, build/all, so that two can run at a time.
set -u
cd "$(dirname "$0")/.."
. tests/select.sh
CONFIGS=${CONFIGS:-*}
out=${OUT:-build/all}
export out
rm -rf "$out" && mkdir -p "$out"
JOBS=${JOBS:-$(nproc 2> /dev/null || echo 2)}
SKIP=${SKIP:-}
tests=$(sed -n 's/^TESTS [:+]= //p' Makefile | tr '\n' ' ')
few='kernels world determinism' # for standards between the first and the last
edgy='scratch lanes piles heaps coins' # where most of the implementation's memory is used
# with TEST_LONG these run at full length
long=$(for t in $tests; do grep -lE 'TEST_LONG|LONG_OR_SHORT' "tests/test_$t.c"; done | sed 's|tests/test_||; s|\.c||' |
    tr '\n' ' ')

# one configuration: name, compiler command with flags, tests, what runs them; of compile-CC: name, CC, CXX
cat > "$out/one.sh" << 'END'
name=$1
command=$2
tests=$3
runner=${4:-}
dir=$out/$name
mkdir -p "$dir"
start=$(date +%s)
suite() {
    bad=0 # the others run after one that fails
    $command -I. -c tests/implementation.c -o "$dir/implementation.o" || return 1
    for t in $tests; do
        quick=$command # what a sanitized test does by itself need not be fast
        case $t:$command in
            solver:* | contact:*) ;;
            *-fsanitize*) quick=$(echo "$command" | sed 's/ -O1 / -O0 /') ;;
        esac
        $quick -I. "tests/test_$t.c" "$dir/implementation.o" -lm -o "$dir/test_$t" || return 1
        $runner "$dir/test_$t" || bad=1
    done
    $command -I. tests/conformance.c "$dir/implementation.o" -lm -o "$dir/conformance" || return 1
    $runner "$dir/conformance" tests/oracle/*.cases || bad=1
    return $bad
}
if case $name in
    compile-*) CC=$command CXX=$tests sh tests/compile/check.sh ;;
    *) suite ;;
esac > "$dir/log.txt" 2>&1; then
    echo "passed $name, $(($(date +%s) - start)) s"
else
    echo "FAILED $name"
    grep -aE 'error:|ERROR|FAILED|\.(c|h|cases):[0-9]+:|[1-9][0-9]* failed' "$dir/log.txt" | head -n 15
fi
rm -f "$dir"/test_* "$dir"/*.o
END

: > "$out/list.txt"
: > "$out/results.txt"
skipped=0
has() { command -v "$1" > /dev/null; }
skip() { # name, what is missing
    selected "$CONFIGS" "$1" || return 0
    echo "skipped: $1, no $2"
    skipped=$((skipped + 1))
}
add() { # name, command, tests, runner
    selected "$CONFIGS" "$1" || return 0
    for tool in "${2%% *}" "${4%% *}"; do
        test -z "$tool" || has "$tool" || { skip "$1" "$tool"; return 0; }
    done
    these=$3
    for t in $SKIP; do these=$(echo "$these" | sed "s/\b$t\b//"); done
    printf '%s\0%s\0%s\0%s\0' "$1" "$2" "$these" "$4" >> "$out/list.txt"
}

# first, because it takes longest
add valgrind 'gcc -std=c99 -g -O1' "$tests" 'valgrind -q --error-exitcode=9'
add long-double 'gcc -std=c99 -O2 -DTEST_LONG' "$long" ''
add long-float 'gcc -std=c99 -O2 -DTEST_LONG -DSPC_USE_FLOAT' "$long" ''
for pair in gcc:g++ clang:clang++; do
    c=${pair%:*}
    cxx=${pair#*:}
    for real in double float; do
        flag=
        test $real = float && flag=-DSPC_USE_FLOAT
        sanitized="$c -std=c99 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all $flag"
        add "$c-sanitized-$real" "$sanitized" "$tests" ''
        selected "$CONFIGS" "$c-sanitized-$real" || # which has these, too
            add "$c-sanitized-few-$real" "$sanitized" "$few $edgy" ''
        for level in O0 O2 O3 Os; do
            add "$c-c99-$real-$level" "$c -std=c99 -$level $flag" "$tests" ''
        done
        add "$c-c11-$real" "$c -std=c11 -O2 $flag" "$few" ''
        add "$c-c17-$real" "$c -std=c17 -O2 $flag" "$few" ''
        for std in 11 14 20; do
            add "$c-c++$std-$real" "$cxx -std=c++$std -O2 -Wno-deprecated $flag" "$few" ''
        done
        add "$c-c++17-$real" "$cxx -std=c++17 -O2 -Wno-deprecated $flag" "$tests" ''
    done
    if has "$c" && has "$cxx"; then
        add "compile-$c" "$c" "$cxx" ''
    else
        skip "compile-$c" "$c with $cxx"
    fi
done
if has clang && echo 'int main(void) { return 0; }' |
    clang -x c - -fsanitize=memory -o "$out/msan" 2> /dev/null; then
    add clang-memory 'clang -std=c99 -g -O1 -fsanitize=memory' "$tests" ''
    selected "$CONFIGS" clang-memory || # which has these, too
        add clang-memory-few 'clang -std=c99 -g -O1 -fsanitize=memory' "$edgy" ''
else
    skip clang-memory 'memory sanitizer'
fi
if has gcc && echo 'int main(void) { return 0; }' |
    gcc -x c - -fsanitize=thread -o "$out/tsan" 2> /dev/null && "$out/tsan"; then
    add threads 'gcc -std=c11 -g -O1 -fsanitize=thread -pthread' threads ''
else
    skip threads 'thread sanitizer'
fi

xargs -0 -r -n 4 -P "$JOBS" sh "$out/one.sh" < "$out/list.txt" | tee -a "$out/results.txt"
unmatched "$CONFIGS" | tee -a "$out/results.txt"
passed=$(grep -c '^passed' "$out/results.txt")
failed=$(grep -c '^FAILED' "$out/results.txt")
echo "check-all: $passed passed, $failed failed, $skipped skipped"
test "$failed" -eq 0
