#!/bin/sh
# Fuzzing: sh tests/fuzz/run.sh [SECONDS]. Builds the targets (api.c: every public call; conformance.c: the
# reader of reference cases; open.c: bytes that are no world) in both precisions with clang's libFuzzer and
# the address and undefined behaviour sanitizers, replays the corpus, then fuzzes each for SECONDS (60; 0:
# only replays). The memory sanitizer replays it, too. Both precisions and the memory sanitizer run at the
# same time. Everything is put under build/fuzz; an input that fails is named, with the file to keep: copy
# it to tests/fuzz/corpus, named for what it found. JOBS=1: not at the same time.
# Prints `fuzz: N passed, N failed`; without clang or its fuzzer runtime it skips.
set -u
cd "$(dirname "$0")/../.."
seconds=${1:-60}
out=build/fuzz
here=tests/fuzz
mkdir -p "$out"

if ! command -v clang > /dev/null; then
    echo 'fuzz: skipped, no clang'
    exit 0
fi
printf '#include <stddef.h>\nint LLVMFuzzerTestOneInput(const char *d, size_t n) { return !d && n; }\n' \
    > "$out/probe.c"
if ! clang -fsanitize=fuzzer,address,undefined "$out/probe.c" -o "$out/probe" 2> "$out/probe.txt"; then
    echo 'fuzz: skipped, clang has no fuzzer runtime'
    exit 0
fi

# a line for each verdict; they are counted at the end
pass() { # what
    echo "passed $1"
}
fail() { # what, log
    echo "FAILED $1"
    grep -aE 'FINDING|runtime error|ERROR|WARNING: Mem|error:|Test unit written' "$2" | sort -u | head -n 6
}

# Short runs do not make up for the time that clang takes for an implementation with sanitizers: it takes two
# thirds of it with -O1, a tenth without optimization.
level=-O2
limit=60
# An input that a search for forces is in vain for takes 9 s without optimization on a core of its own, and
# several times as much where others run beside it at a higher priority; a hang is none of that.
if test "$seconds" -lt 30; then
    level=-O0
    limit=300
fi

# sanitizers, flags, and what else clang is told
compile() {
    sanitizers=$1
    flags=$2
    shift 2
    # comparisons are not traced: a world is cleared byte by byte, and nothing here looks for magic words
    clang -std=c99 -g $level -fsanitize="fuzzer,$sanitizers" -fno-sanitize-coverage=trace-cmp \
        -fno-sanitize-recover=all $flags "$@"
}

# name, sanitizers, flags: the implementation, which its targets share
share() {
    compile "$2" "$3" -c "$here/implementation.c" -o "$out/$1.o" > "$out/$1.txt" 2>&1 ||
        fail "to build the implementation, $1" "$out/$1.txt"
}

# target, name, sanitizers, flags; what spoils a world sees how it is made, and has its own
build() {
    shared=$out/$2.o
    test "$1" = open && shared=
    compile "$3" "$4" "$here/$1.c" $shared -o "$out/$1-$2" -lm > "$out/$1-$2.txt" 2>&1
}

# target, program: the corpus, and where that fails each of its files; false if something fails
replay() {
    if nice -n 10 "$out/$2" -timeout=$limit -artifact_prefix="$out/" "$here/corpus/$1"/* > "$out/$2.txt" 2>&1; then
        pass "replay $2"
        return 0
    fi
    single=0
    for f in "$here/corpus/$1"/*; do
        nice -n 10 "$out/$2" -timeout=$limit -artifact_prefix="$out/" "$f" > "$out/$2.one.txt" 2>&1 && continue
        single=1
        fail "$2 $f" "$out/$2.one.txt"
    done
    test $single -eq 1 || fail "$2, all files in a row" "$out/$2.txt"
    return 1
}

# target, program: new inputs are kept under build/ and used again
fuzz() {
    mkdir -p "$out/corpus/$2"
    dictionary=
    test -f "$here/$1.dict" && dictionary=-dict=$here/$1.dict
    if nice -n 10 "$out/$2" -max_total_time="$seconds" -max_len=2000 -len_control=20 -timeout=$limit -entropic=0 \
        $dictionary -artifact_prefix="$out/$2-" -print_final_stats=1 \
        "$out/corpus/$2" "$here/corpus/$1" > "$out/$2.fuzz.txt" 2>&1; then
        pass "fuzz $2"
        echo "$2: $(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$2.fuzz.txt") runs," \
            "$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$out/$2.fuzz.txt" | tail -n 1) edges"
    else
        fail "$2" "$out/$2.fuzz.txt"
    fi
}

# flags of a precision, its name
both() {
    share "$2" address,undefined "$1"
    for target in api conformance open; do
        if ! build $target "$2" address,undefined "$1"; then
            fail "to build $target-$2" "$out/$target-$2.txt"
        elif replay $target $target-$2 && test "$seconds" -gt 0; then
            fuzz $target $target-$2
        fi
    done
}

memory() {
    share memory memory ''
    for target in api conformance open; do
        if build $target memory memory ''; then
            replay $target $target-memory
        else
            echo "skipped: $target with the memory sanitizer"
        fi
    done
}

# Every public function is called: their names stand in the list of those that have two, with types.
names() {
    missing=
    for name in $(sed -n 's/^#define \(spc_[a-z0-9_]*\) spc_[a-z0-9_]*_f$/\1/p' spherecontact.h); do
        grep -q "\\b$name(" spherecontact.h || continue # a type
        grep -qw "$name" "$here/api.c" || missing="$missing $name"
    done
    echo "not called by api.c:$missing" > "$out/missing.txt"
    if test -z "$missing"; then
        pass names
    else
        fail "functions without fuzzing:$missing" "$out/missing.txt"
    fi
}

names > "$out/names.results"
turn() { test "${JOBS:-3}" -gt 1 || wait; } # one after the other where there is one core
both '' double > "$out/double.results" &
turn
both -DSPC_USE_FLOAT float > "$out/float.results" &
turn
memory > "$out/memory.results" &
wait
cat "$out/names.results" "$out/double.results" "$out/float.results" "$out/memory.results" > "$out/results.txt"
grep -v '^passed' "$out/results.txt"
failed=$(grep -c '^FAILED' "$out/results.txt")
echo "fuzz: $(grep -c '^passed' "$out/results.txt") passed, $failed failed"
test "$failed" -eq 0
