# Sourced by the scripts of this folder: compilers, and how a program of an engine is built.
here=tests/bench
out=build/bench
mkdir -p "$out"
CC=${CC:-cc}
CXX=${CXX:-c++}
CFLAGS=${CFLAGS:--O2}

flags_of() { # package: its flags, if it is there
    pkg-config --cflags --libs "$1" 2> /dev/null
}

built() { # program, compiler with its flags, source, the engine's flags; else it says so
    $2 $CFLAGS "$here/$3" $4 -lm -o "$out/run_$1" > "$out/$1.txt" 2>&1 && return 0
    echo "skipped: $1 is not installed (or see $out/$1.txt)"
    return 1
}
