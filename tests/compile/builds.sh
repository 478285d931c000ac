# Sourced by check.sh: beside what others define, under what options, in which configuration the header
# compiles, and what it refuses; that it leaves the file that includes it alone; installation.

refused() { # sentence, command...: fails with one error, which has the sentence
    sentence=$1
    shift
    if "$@" > "$out/refused.txt" 2>&1; then
        echo "not refused: $*"
        return 1
    fi
    cat "$out/refused.txt"
    test "$(grep -c 'error:' "$out/refused.txt")" = 1 && grep -q "error:.*$sentence" "$out/refused.txt"
}

# headers of the standard and of POSIX, and others where they are installed, before this one
for h in assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign \
    stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar \
    wctype aio arpa/inet cpio dirent dlfcn endian fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen \
    monetary mqueue net/if netdb netinet/in netinet/tcp nl_types poll pthread pwd regex sched search \
    semaphore spawn strings sys/ipc sys/mman sys/msg sys/param sys/resource sys/select sys/sem sys/shm \
    sys/socket sys/stat sys/statvfs sys/sysmacros sys/time sys/times sys/types sys/ucontext sys/uio sys/un \
    sys/utsname sys/wait syslog tar termios ulimit unistd utime utmpx wordexp windows curses term X11/Xlib \
    X11/Xutil X11/Xos; do
    printf '#if __has_include(<%s.h>)\n#include <%s.h>\n#endif\n' "$h" "$h"
done > "$out/all.h"
for real in '' -DSPC_USE_FLOAT; do
    printf '#include "all.h"\n#ifndef I\n#error no I\n#endif\n#include "tests/implementation.c"\n' > "$out/h.c"
    check "behind all headers $real" "$CC" -std=gnu17 -D_GNU_SOURCE $real -fsyntax-only -I. "$out/h.c"
    sed '/ifndef I/,/endif/d' "$out/h.c" > "$out/h.cpp"
    check "behind all headers, C++ $real" "$CXX" -std=gnu++17 -D_GNU_SOURCE $real -fsyntax-only -I. \
        "$out/h.cpp"
done

# macros of complex.h, of windows.h, of Arduino.h and its processors, of X11, of curses, of kernels: any use
# of such a name here would be an error
names='I _Complex_I complex imaginary real imag REAL Real
    near far small hyper interface pascal cdecl IN OUT FAR NEAR CONST VOID TRUE FALSE ERROR IGNORE OPTIONAL
    ctl1 edt1 frm1 grp1 ico1 lst1 psh1 rad1 rad2 rct1 scr1 stc1 THIS environ
    PI HALF_PI TWO_PI EULER HIGH LOW INPUT OUTPUT DEFAULT INTERNAL EXTERNAL CHANGE RISING FALLING SERIAL
    DISPLAY LSBFIRST MSBFIRST B0 B1 B00 B01 B10 B11 B000 A0 A1 A2 C0 C1 D0 D1 F0 M0 M1 PB0 PD1 SP SPL SPH XL
    XH YL YH ZL ZH DEC HEX OCT BIN CS SM SE KS KD ID
    None Bool Status True False Success Always Above Below Complex Convex Opposite Unsorted Expose
    OK ERR CUR TTY lines columns bell buttons newline pulse tab tone hangup user1 stdscr
    noinline always_inline unroll packed aligned unused weak pure hot cold current linux unix'
functions='min max abs round sq bit radians degrees constrain word F lowByte highByte interrupts
    index rindex Data clear move erase border box refresh scroll timeout instr echochar hline vline inch
    likely unlikely swap check verify require'
{
    printf '#include <math.h>\n#include <stdbool.h>\n#include <stddef.h>\n'
    for name in $names; do printf '#undef %s\n#define %s ) of_others (\n' "$name" "$name"; done
    for name in $functions; do printf '#undef %s\n#define %s(...) ) of_others (\n' "$name" "$name"; done
    echo '#include "tests/implementation.c"'
} > "$out/macros.c"
for real in '' -DSPC_USE_FLOAT; do
    check "macros of others $real" "$CC" -std=c99 $real -fsyntax-only -I. "$out/macros.c"
    check "macros of others, C++ $real" "$CXX" -x c++ -std=c++17 $real -fsyntax-only -I. "$out/macros.c"
done

# what cannot be compiled is refused by one sentence
echo '#include "spherecontact.h"' > "$out/header.c"
parse="$CC -fsyntax-only -I."
check 'C89 is refused' refused 'needs C99' $parse -std=c89 "$out/header.c"
check 'gnu89 is refused' refused 'needs C99' $parse -std=gnu89 "$out/header.c"
check 'C++98 is not' "$CXX" -x c++ -std=c++98 -fsyntax-only -I. "$out/header.c"
for flag in -ffast-math -Ofast -ffinite-math-only -D_M_FP_FAST; do
    check "$flag is refused" refused 'IEEE arithmetic' $parse $flag "$out/header.c"
done
case $("$CC" --version) in
    *clang*) ;;
    *) for flag in -funsafe-math-optimizations -freciprocal-math; do
        check "$flag is refused" refused 'IEEE arithmetic' $parse $flag "$out/header.c"
    done ;;
esac
if "$CC" -m32 -mno-sse -fsyntax-only -x c /dev/null 2> /dev/null; then
    check 'x87 is refused' refused 'excess digits' $parse -m32 -mno-sse "$out/header.c"
    check 'SSE2 on 32 bits is not' $parse -m32 -msse2 -mfpmath=sse -ffreestanding "$out/header.c"
fi
small='-U__SIZEOF_DOUBLE__ -D__SIZEOF_DOUBLE__=4'
check 'a double of 4 bytes is refused' refused 'double of 8 bytes' $parse $small "$out/header.c"
check 'unless in single precision' $parse $small -DSPC_USE_FLOAT "$out/header.c"
check 'an int of 2 bytes is refused' refused 'int of 4 bytes' $parse -U__SIZEOF_INT__ -D__SIZEOF_INT__=2 \
    "$out/header.c"
check 'old MSVC is refused' refused 'Visual Studio 2015' $parse -D_MSC_VER=1800 "$out/header.c"
check 'x87 of MSVC is refused' refused 'excess digits' $parse -D_M_IX86_FP=1 "$out/header.c"

# the configuration is that of the first inclusion
twice() { # between, flags...
    printf '%s\n' '#include "spherecontact.h"' "$1" '#define SPHERECONTACT_IMPLEMENTATION' \
        '#include "spherecontact.h"' > "$out/twice.c"
    shift
    $parse "$@" "$out/twice.c"
}
first='at the first inclusion'
check 'twice' twice ''
check 'twice, float' twice '' -DSPC_USE_FLOAT
check 'twice, static' twice '' -DSPHERECONTACT_STATIC
check 'late float is refused' refused "$first" twice '#define SPC_USE_FLOAT'
check 'late double is refused' refused "$first" twice '#undef SPC_USE_FLOAT' -DSPC_USE_FLOAT
check 'late static is refused' refused "$first" twice '#define SPHERECONTACT_STATIC'
check 'static no more is refused' refused "$first" twice '#undef SPHERECONTACT_STATIC' -DSPHERECONTACT_STATIC
check 'static with SPC_API is refused' refused 'define one of them' $parse -DSPHERECONTACT_STATIC \
    -DSPC_API=extern "$out/header.c"

# linkage of the user's own is that of C in C++, too
"$CXX" -x c++ -std=c++17 -O0 -fvisibility=hidden '-DSPC_API=__attribute__((visibility("default")))' -I. \
    -c tests/implementation.c -o "$out/api.o"
check 'SPC_API of the user, C++' "$CC" "$out/fall.o" "$out/roll.o" "$out/main.o" "$out/api.o" -lm \
    -o "$out/api"
check 'exports as it says' sh -c "readelf -sW '$out/api.o' | grep -q 'GLOBAL DEFAULT.* spc_world_create$'"

# double and float in one program of C++
for real in '' -DSPC_USE_FLOAT; do
    "$CXX" -std=c++11 -O0 $real -I. -c tests/compile/mixed.cpp -o "$out/mixed$real.o"
done
for order in "$out/mixed.o $out/mixed-DSPC_USE_FLOAT.o" "$out/mixed-DSPC_USE_FLOAT.o $out/mixed.o"; do
    check 'both precisions in one program' "$CXX" $order -o "$out/precisions"
    check 'and each is right' "$out/precisions"
done
case $("$CXX" --version) in
    *clang*) ;;
    *) # no name means two things to a linker that sees all of the program
        for real in '' -DSPC_USE_FLOAT; do
            "$CXX" -std=c++11 -O1 -flto $real -I. -c tests/compile/mixed.cpp -o "$out/whole$real.o"
        done
        check 'both precisions, link-time optimization' "$CXX" -flto -O1 -Wodr -Werror "$out/whole.o" \
            "$out/whole-DSPC_USE_FLOAT.o" -o "$out/precisions"
        check 'and each is right' "$out/precisions" ;;
esac

# the file that includes it keeps its bits: the same function with the header and without, with and without
# contraction; and the header's own code fuses nothing, or says so
case $("$CC" --version) in
    *clang*) fuses= ;;
    *) fuses=-fexpensive-optimizations ;;
esac
own() { # flags...: the instructions of f, in $out/own.txt (what gcc fuses with is part of its -O2)
    "$CC" -std=gnu17 -O1 $fuses -mfma "$@" -I. -S "$out/own.c" -o "$out/own.s" || return 1
    awk '/^f:/ { on = 1 } on && /^\t[a-z]/ { print } on && /ret/ { exit }' "$out/own.s" > "$out/own.txt"
    test -s "$out/own.txt"
}
same() { # flags...
    own "$@" && mv "$out/own.txt" "$out/alone.txt" && own -DWITH "$@" && cmp "$out/alone.txt" "$out/own.txt" &&
        own -DWITH -DSPHERECONTACT_STATIC -DSPHERECONTACT_IMPLEMENTATION "$@" && cmp "$out/alone.txt" "$out/own.txt"
}
if "$CC" -mfma -fsyntax-only -x c /dev/null 2> /dev/null; then
    for pragma in '' '#pragma STDC FP_CONTRACT OFF' '#pragma STDC FP_CONTRACT ON'; do
        printf '%s\n' "$pragma" '#ifdef WITH' '#include "spherecontact.h"' '#endif' \
            'double f(double a, double b, double c)' '{' '    return a * b + c;' '}' > "$out/own.c"
        for flag in -O1 -ffp-contract=off -ffp-contract=fast; do
            check "the including file keeps its bits, $pragma $flag" same $flag
        done
    done
    case $("$CC" --version) in
        *clang*) most=on ;; # fast wins over its pragmas
        *) most=fast ;;
    esac
    contractions="-ffp-contract=$most"
    test $most = fast || contractions=$(in_turn '' "$contractions" -ffp-contract=fast)
    {
        printf '#include "spherecontact.h"\nvoid (*const all[])(void) = {\n'
        sed -n 's/^static inline [^(]*\(spc_[a-z0-9_]*\)(.*/    (void (*)(void))\1,/p' spherecontact.h
        echo '};'
    } > "$out/inline.c"
    for real in '' -DSPC_USE_FLOAT; do
        "$CC" -std=gnu17 -O2 -mfma -ffp-contract=$most $real -I. -S "$out/inline.c" -o "$out/inline.s"
        check "inline functions are there $real" grep -q '^spc_quat_mul:' "$out/inline.s"
        check "and fuse nothing $real" no grep -q 'vfn\?m\(add\|sub\)' "$out/inline.s"
        printf '#include <stdio.h>\n#include "tests/implementation.c"\n%s\n' \
            'int main(void) { puts(spc_arithmetic_is_ieee() ? "IEEE" : "fused"); return 0; }' > "$out/ieee.c"
        for flag in $(sole "$real" && echo $contractions); do
            "$CC" -std=gnu17 -O1 $fuses -mfma $flag $real -I. -S "$out/ieee.c" -o "$out/ieee.s"
            "$CC" "$out/ieee.s" -lm -o "$out/ieee"
            said=IEEE
            grep -q 'vfn\?m\(add\|sub\)' "$out/ieee.s" && said=fused
            test $flag = -ffp-contract=$most && check "fuses nothing, $flag $real" test $said = IEEE
            grep -q '\bfma\b' /proc/cpuinfo 2> /dev/null &&
                check "knows that it is $said, $flag $real" sh -c "test \"\$('$out/ieee')\" = $said"
        done
    done
fi

# installation, into folders with a space in their names
place="$PWD/$out/to here"
root="$place/opt/sphere contact"
make_install() { make -s "$1" DESTDIR="$place" PREFIX='/opt/sphere contact'; }
check 'install' make_install install
check 'the header is installed' cmp spherecontact.h "$root/include/spherecontact.h"
check 'to be read by all' sh -c "test \"\$(stat -c %a '$root/include/spherecontact.h' \
    '$root/share/pkgconfig/spherecontact.pc' | sort -u)\" = 644"
if command -v pkg-config > /dev/null; then
    printf '#include <spherecontact.h>\nint main(void) { return SPHERECONTACT_VERSION_MAJOR; }\n' > "$out/user.c"
    check 'pkg-config finds it' sh -c "cd / && eval '$CC' '\"$PWD/$out/user.c\"' -fsyntax-only \
        \"\$(PKG_CONFIG_PATH='$root/share/pkgconfig' pkg-config --define-variable=prefix='$root' --cflags \
        spherecontact)\""
fi
check 'uninstall' make_install uninstall
check 'leaves no file' sh -c "test -z \"\$(find '$place' -type f)\""
