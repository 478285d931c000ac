#!/bin/sh
# README's section "Use from": installs into a folder of build/, and builds and runs a program that uses the header
# by each way that the tools here allow. What is written here is what README writes. For PlatformIO, Arduino and
# ESP-IDF, which take their boards from the network, it does what their manuals say they do. Says what is missing. Prints
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
check 'make shared' make -s shared CFLAGS=-O0

# What Arduino and PlatformIO take for a library: headers at the top, no src/, and no manifest that says otherwise.
# Their tools and boards are not here: an archive of what is committed is put where they unpack it, its top is in the
# path of includes, sources at the top are compiled (there are none), and a sketch is C++.
check 'the layout that Arduino knows as 1.0' sh -c 'test -e spherecontact.h && test ! -e src && test ! -e library.properties &&
    test -z "$(git ls-files "*.c" "*.cpp" 2> /dev/null | grep -v /)"'
library=$out/libraries/spherecontact
mkdir -p "$library"
if git archive HEAD 2> /dev/null > "$out/archive.tar"; then
    tar -xf "$out/archive.tar" -C "$library"
    cp spherecontact.h "$library/" # as it is now
    told 'lib_deps = '
    check 'PlatformIO: builds' "$CC" -std=gnu11 -I"$library" "$out/a.c" -lm -o "$out/pio"
    check 'PlatformIO: runs' runs "$out/pio"
    if command -v "${CXX:-c++}" > /dev/null; then
        sed 's/"spherecontact.h"/<spherecontact.h>/' "$out/a.c" > "$out/sketch.cpp"
        check 'Arduino: builds' "${CXX:-c++}" -std=gnu++11 -fpermissive -fno-exceptions -I"$library" "$out/sketch.cpp" -lm \
            -o "$out/sketch"
        check 'Arduino: runs' runs "$out/sketch"
    else
        skip 'Arduino, no C++'
    fi
else
    skip 'PlatformIO and Arduino, no git'
fi

# ESP-IDF: its function, for a component without sources, and for one with
if command -v cmake > /dev/null; then
    component='idf_component_register(INCLUDE_DIRS ".")'
    told "$component"
    mkdir -p "$out/esp/components/spherecontact" "$out/esp/main"
    cp spherecontact.h "$out/esp/components/spherecontact/"
    cp "$out/a.c" "$out/esp/main/"
    echo "$component" > "$out/esp/components/spherecontact/CMakeLists.txt"
    echo 'idf_component_register(SRCS a.c REQUIRES spherecontact)' > "$out/esp/main/CMakeLists.txt"
    cat > "$out/esp/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.16)
project(a C)
function(idf_component_register)
    cmake_parse_arguments(own "" "" "SRCS;INCLUDE_DIRS;REQUIRES" ${ARGN})
    get_filename_component(name ${CMAKE_CURRENT_SOURCE_DIR} NAME)
    if(own_SRCS)
        add_executable(${name} ${own_SRCS})
        target_link_libraries(${name} ${own_REQUIRES} m)
    else()
        add_library(${name} INTERFACE)
        target_include_directories(${name} INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/${own_INCLUDE_DIRS})
    endif()
endfunction()
add_subdirectory(components/spherecontact)
add_subdirectory(main)
END
    check 'ESP-IDF: builds' sh -c "cd '$out/esp' && cmake -S . -B b && cmake --build b"
    check 'ESP-IDF: runs' runs "$out/esp/b/main/main"
fi

check 'make uninstall' make -s uninstall DESTDIR= PREFIX="$prefix"
check 'leaves no file' sh -c "test -z \"\$(find '$prefix' -type f)\""
echo "install: $passed passed, $failed failed, $skipped skipped"
test $failed -eq 0
