#!/bin/sh
# README's section "Use from": installs into a folder of build/, and builds and runs a program that uses the header
# by each way that the tools here allow. What is written here is what README writes. Says what is missing. Prints
# `install: N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/.."
CC=${CC:-cc}
here=$PWD
out=$here/build/install
rm -rf "$out" && mkdir -p "$out"
passed=0
failed=0
skipped=0
check() { # what, command
    what=$1
    shift
    if "$@" > "$out/said.txt" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what"
        tail -n 10 "$out/said.txt"
    fi
}
skip() {
    echo "skipped: $1"
    skipped=$((skipped + 1))
}
told() { # README has this, in this spelling
    check "README tells: $1" grep -qF -- "\`$1\`" README.md
}
runs() { # a program that says where the ball is
    test "$("$@")" = 'x = 0.357143 m after 1 s'
}

# the quick start as README has it, in a folder of its own, with a copy of the header where a user puts it
awk '/^```c/ { on = 1; next } /^```/ { if (on) exit } on' README.md > "$out/a.c"
mkdir -p "$out/copy/third_party/spherecontact" "$out/cmake" "$out/meson"
cp spherecontact.h "$out/copy/third_party/spherecontact/"
for folder in copy cmake meson; do cp "$out/a.c" "$out/$folder/"; done
prefix=$out/usr
check 'make install' make -s install DESTDIR= PREFIX="$prefix"
PKG_CONFIG_PATH=$prefix/share/pkgconfig
export PKG_CONFIG_PATH

if command -v pkg-config > /dev/null; then
    told 'cc $(pkg-config --cflags spherecontact) a.c -lm'
    check 'pkg-config: builds' sh -c "cd '$out' && '$CC' \$(pkg-config --cflags spherecontact) a.c -lm -o pkg"
    check 'pkg-config: runs' runs "$out/pkg"
else
    skip 'pkg-config'
fi

if command -v cmake > /dev/null; then
    told 'add_library(spherecontact INTERFACE)'
    told 'target_include_directories(spherecontact INTERFACE third_party/spherecontact)'
    cat > "$out/copy/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.10)
project(a C)
add_library(spherecontact INTERFACE)
target_include_directories(spherecontact INTERFACE third_party/spherecontact)
add_executable(a a.c)
target_link_libraries(a spherecontact m)
END
    check 'CMake, a folder: builds' sh -c "cd '$out/copy' && cmake -S . -B b && cmake --build b"
    check 'CMake, a folder: runs' runs "$out/copy/b/a"
    if command -v pkg-config > /dev/null; then
        told 'find_package(PkgConfig REQUIRED)'
        told 'pkg_check_modules(spherecontact REQUIRED IMPORTED_TARGET spherecontact)'
        told 'PkgConfig::spherecontact'
        cat > "$out/cmake/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.10)
project(a C)
find_package(PkgConfig REQUIRED)
pkg_check_modules(spherecontact REQUIRED IMPORTED_TARGET spherecontact)
add_executable(a a.c)
target_link_libraries(a PkgConfig::spherecontact)
END
        check 'CMake, installed: builds' sh -c "cd '$out/cmake' && cmake -S . -B b && cmake --build b"
        check 'CMake, installed: runs' runs "$out/cmake/b/a"
    fi
else
    skip 'CMake'
fi

if command -v meson > /dev/null && command -v ninja > /dev/null; then
    told "dependency('spherecontact')"
    told "declare_dependency(include_directories: include_directories('third_party/spherecontact'))"
    printf '%s\n' "project('a', 'c')" "sc = dependency('spherecontact')" \
        "executable('a', 'a.c', dependencies: sc)" > "$out/meson/meson.build"
    printf '%s\n' "project('a', 'c')" "m = meson.get_compiler('c').find_library('m')" \
        "sc = declare_dependency(include_directories: include_directories('third_party/spherecontact'))" \
        "executable('a', 'a.c', dependencies: [sc, m])" > "$out/copy/meson.build"
    for folder in meson copy; do
        check "Meson, $folder: builds" sh -c "cd '$out/$folder' && meson setup m && ninja -C m"
        check "Meson, $folder: runs" runs "$out/$folder/m/a"
    done
else
    skip 'Meson'
fi

# the shared library: one command of README's, and a program that has the declarations alone
library='cc -O2 -shared -fPIC -DSPHERECONTACT_IMPLEMENTATION -x c spherecontact.h -lm -o libspherecontact.so'
told "$library"
check 'shared library: builds' sh -c "cd '$out/copy/third_party/spherecontact' && $library"
sed '/SPHERECONTACT_IMPLEMENTATION/d' "$out/a.c" > "$out/declared.c"
lib=$out/copy/third_party/spherecontact
check 'shared library: links' "$CC" -I"$lib" "$out/declared.c" "$lib/libspherecontact.so" -o "$out/declared"
check 'shared library: runs' runs env LD_LIBRARY_PATH="$lib" "$out/declared"
check 'make shared' make -s shared

# what Arduino and PlatformIO take for a library: headers at the top, no src/, and no manifest that says otherwise
check 'the layout that Arduino knows as 1.0' sh -c 'test -e spherecontact.h && test ! -e src && test ! -e library.properties &&
    test -z "$(git ls-files "*.c" "*.cpp" 2> /dev/null | grep -v /)"'

check 'make uninstall' make -s uninstall DESTDIR= PREFIX="$prefix"
check 'leaves no file' sh -c "test -z \"\$(find '$prefix' -type f)\""
echo "install: $passed passed, $failed failed, $skipped skipped"
test $failed -eq 0
