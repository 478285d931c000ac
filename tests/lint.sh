#!/bin/sh
# What a compiler does not see: contents against banners, documentation and tests of public functions, the
# names of the float build, versions, code in the README and on the front page, sizes of functions and
# lines. Prints a line for each failure and `N passed, N failed`.
set -u
cd "$(dirname "$0")/.."
CC=${CC:-cc}
CXX=${CXX:-c++}
h=spherecontact.h
out=build/lint
rm -rf "$out" && mkdir -p "$out"
passed=0
failed=0

same() { # what, file, file
    if diff "$2" "$3" > "$out/diff.txt"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
        head -n 20 "$out/diff.txt"
    fi
}

empty() { # what, file that must be empty
    : > "$out/nothing.txt"
    same "$1" "$2" "$out/nothing.txt"
}

# contents and banners agree, in order
awk '/^   TABLE OF CONTENTS/ { on = 1; next } /^\*\// { exit } on && /\[[0-9]/ {
         sub(/^ +/, ""); gsub(/ +/, " "); print }' $h > "$out/contents.txt"
awk '/^\/\* [=-]+ \[[0-9]/ { sub(/^\/\* [=-]+ /, ""); sub(/ [=-]+ \*\/$/, ""); gsub(/ +/, " ");
         print }' $h > "$out/banners.txt"
same 'table of contents and banners' "$out/contents.txt" "$out/banners.txt"

# the declarations of public functions
end=$(grep -n '^#endif /\* SPHERECONTACT_H' $h | cut -d: -f1)
head -n "$end" $h > "$out/declarations.h"
grep -oE '^SPC_API [^(]*spc_[a-z0-9_]+\(' "$out/declarations.h" | grep -oE 'spc_[a-z0-9_]+\($' |
    tr -d '(' | sort > "$out/functions.txt"

# a comment stands above each (or behind it, in a list), and a test calls each
awk '/^SPC_API/ { if (!commented && $0 !~ /\/\*/ && !listed) print; listed = 1 }
     !/^SPC_API/ { listed = listed && /^ / } { commented = /\*\/$/ }
     /^$/ { listed = 0 }' "$out/declarations.h" > "$out/uncommented.txt"
empty 'every public function has a comment' "$out/uncommented.txt"
while read -r f; do
    grep -qw "$f" tests/*.c || echo "$f"
done < "$out/functions.txt" > "$out/untested.txt"
empty 'every public function is tested' "$out/untested.txt"

# every status code is tested, and every configuration macro
grep -oE '^    SPC_ERROR_[A-Z_]+' $h | tr -d ' ' | sort -u | while read -r code; do
    grep -qw "$code" tests/*.c || echo "$code"
done > "$out/codes.txt"
empty 'every status code is tested' "$out/codes.txt"

# the float build renames exactly the exported functions and the structs
grep -oE '^typedef (struct|union) spci?_[a-z0-9_]+' $h | cut -d' ' -f3 |
    sort - "$out/functions.txt" > "$out/names.txt"
grep -oE '^#define spci?_[a-z0-9_]+ spci?_[a-z0-9_]+_f$' $h | awk '$2 "_f" == $3 { print $2 }' |
    sort > "$out/renamed.txt"
same 'float names' "$out/names.txt" "$out/renamed.txt"

# versions
version=$(awk '/define SPHERECONTACT_VERSION_(MAJOR|MINOR|PATCH)/ { v = v s $3; s = "." } END { print v }' $h)
{ echo "$version"; echo "$version"; echo "$version"; } > "$out/version.txt"
{ head -n 1 $h | grep -oE '[0-9]+\.[0-9]+\.[0-9]+'; grep -oE 'version [0-9.]+[0-9]' README.md | head -n 1 |
    cut -d' ' -f2; awk '/^   Changes:/ { on = 1 } on && /^   [0-9]+\./ { print $1; exit }' $h
} > "$out/versions.txt"
same 'version in title, README and history' "$out/version.txt" "$out/versions.txt"

# the quick start: front page, README and example are one text of at most 25 lines, which compiles as pasted,
# in C and C++, double and float, and says what it promises
awk '/^   QUICK START/ { on = 1; next } on && /^   [^ ]/ { exit } on' $h | sed 's/^       //' |
    sed '/./,$!d' | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' > "$out/front.c"
awk '/^```c/ { on = 1; next } /^```/ { if (on) exit } on' README.md > "$out/readme.c"
same 'quick start of front page and README' "$out/front.c" "$out/readme.c"
sed 's/"\.\.\/spherecontact.h"/"spherecontact.h"/' examples/quickstart.c |
    awk '/^#define SPHERECONTACT/ { on = 1 } on' | sed '/60 sums below/d; /^    if (!(spc_norm/d; /not 5.14 m/d' \
    > "$out/example.c"
same 'quick start of front page and example' "$out/front.c" "$out/example.c"
awk 'NR == 26' "$out/front.c" > "$out/long_start.txt"
empty 'quick start in 25 lines' "$out/long_start.txt"
grep -oE 'x = [0-9.]+ m after 1 s$' "$out/front.c" > "$out/promised.txt"
awk '/^\$ cc ball/ { getline; print }' README.md > "$out/readme_promised.txt"
same 'quick start promises the same in README' "$out/promised.txt" "$out/readme_promised.txt"
for real in '' -DSPC_USE_FLOAT; do
    for compiler in "$CC -std=c99" "$CXX -x c++ -std=c++11"; do
        command -v "${compiler%% *}" > /dev/null || { echo "skipped: no ${compiler%% *}"; continue; }
        rm -f "$out/front"
        $compiler -Wall -Wextra -pedantic $real -I. "$out/front.c" -lm -o "$out/front" 2> "$out/warnings.txt"
        empty "quick start compiles without a warning, $compiler $real" "$out/warnings.txt"
        "$out/front" > "$out/said.txt"
        same "quick start says what it promises, $compiler $real" "$out/promised.txt" "$out/said.txt"
    done
done

# names in the READMEs exist, every public function stands in the table of functions, and links lead somewhere
readmes='README.md examples/README.md tests/README.md'
grep -ohE '\b(spc|SPC)_[A-Za-z0-9_]+\b' $readmes | grep -v '_$' | sort -u | while read -r name; do
    grep -qw "$name" $h || echo "$name"
done > "$out/unknown.txt"
empty 'READMEs name what exists' "$out/unknown.txt"
sed -n '/^## Functions by task/,/^## /p' README.md | grep -oE '\bspc_[a-z0-9_]+\b' | sort -u > "$out/listed.txt"
comm -23 "$out/functions.txt" "$out/listed.txt" > "$out/unlisted.txt"
empty 'README lists every function' "$out/unlisted.txt"
for f in $readmes; do
    grep -oE '\]\([^)]+\)|src="[^"]+"' $f | sed 's/^](//; s/)$//; s/^src="//; s/"$//' | grep -v '^https\?:' | sort -u |
        while read -r link; do
            to=${link%%#*}
            to=${to:+$(dirname $f)/$to}
            to=${to:-$f}
            test "$link" = examples/playground.html && ! grep -q '^playground:' Makefile && continue
            test -e "$to" || { echo "$f: $link"; continue; }
            case $link in
                *#*) sed -n 's/^##* //p' "$to" | tr 'A-Z' 'a-z' | tr -d '.,:`' | tr ' ' '-' |
                    grep -qx -- "${link#*#}" || echo "$f: $link" ;;
            esac
        done
done > "$out/links.txt"
empty 'links in READMEs lead somewhere' "$out/links.txt"
awk 'NR == 351' README.md > "$out/long_readme.txt"
empty 'README in 350 lines' "$out/long_readme.txt"

# claims: what tests/README.md quotes still stands in a README or the header, and what shows it exists
plain() { tr -d '`*\\' | tr -s ' \n' '  '; }
{ cat README.md examples/README.md "$out/declarations.h"; sed '/^## Claims/,$d' tests/README.md; } | plain \
    > "$out/text.txt"
sed -n '/^## Claims/,$s/^| \(.*\) | \(`.*`\) |$/\1@\2/p' tests/README.md > "$out/claims.txt"
test -s "$out/claims.txt" || echo 'no claims' > "$out/unclaimed.txt"
cut -d@ -f1 "$out/claims.txt" | tr -d '`*\\' | while IFS= read -r claim; do
    grep -qF -- "$claim" "$out/text.txt" || echo "$claim"
done >> "$out/unclaimed.txt"
empty 'what tests/README.md quotes is said' "$out/unclaimed.txt"
cut -d@ -f2 "$out/claims.txt" | grep -oE '`[^`]+`' | tr -d '`' | sort -u | while read -r shown; do
    case $shown in
        make\ *) grep -qE "^${shown#make }:" Makefile ;;
        */*) test -e "$shown" ;;
        *) grep -qE "TEST\($shown\)" tests/test_*.c || grep -qw "$shown" tests/test_determinism.c tests/test_threads.c ;;
    esac || echo "$shown"
done > "$out/unshown.txt"
empty 'what shows a claim exists' "$out/unshown.txt"

# pictures: at most 30 kB each, CSS alone (hosts strip SMIL and scripts), nothing from elsewhere, still where
# motion is not wanted, and colors of 3:1 on white and on near black, #0d1117 (WCAG's contrast)
for f in examples/gallery/*.svg examples/gallery/plots/*.svg; do
    test "$(wc -c < $f)" -le 30000 || echo "$f: more than 30 kB"
    grep -qE '<(animate|set|script|image|foreignObject)|@import|url\([^#]' $f && echo "$f: SMIL, a script, or a file"
    grep -q '@keyframes' $f && ! grep -q 'prefers-reduced-motion:reduce' $f && echo "$f: moves always"
    grep -oE '#[0-9a-fA-F]{3}([0-9a-fA-F]{3})?\b' $f | sort -u | awk -v f=$f '
        function part(s) { s = (16 * (index(d, substr(s, 1, 1)) - 1) + index(d, substr(s, 2, 1)) - 1) / 255
            return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ^ 2.4 }
        function light(c) { c = tolower(substr(c, 2)); if (length(c) == 3) gsub(/./, "&&", c)
            return 0.2126 * part(substr(c, 1, 2)) + 0.7152 * part(substr(c, 3, 2)) + 0.0722 * part(substr(c, 5, 2)) }
        BEGIN { d = "0123456789abcdef"; black = light("#0d1117") + 0.05 }
        { l = light($1) + 0.05
          if (1.05 / l < 3 || l / black < 3) printf "%s: %s has %.2f on white, %.2f on black\n", f, $1, 1.05 / l, l / black }'
done > "$out/pictures.txt"
empty 'pictures are small, still where asked, and seen on any ground' "$out/pictures.txt"

# sizes: lines of 100 columns, examples of 120 lines, functions of 60 lines
awk 'length > 100 { print FILENAME ":" FNR }' $h tests/*.c tests/*.h tests/adapters/*.[ch] tests/bench/*.c tests/compile/*.[ch] \
    tests/playground/* examples/*.c examples/*/*.[ch] examples/playground/*.js > "$out/long_lines.txt"
empty 'no line over 100 columns' "$out/long_lines.txt"
awk 'FNR == 121 { print FILENAME }' examples/*.c examples/*/*.c > "$out/long_examples.txt"
empty 'no example over 120 lines' "$out/long_examples.txt"
awk '/^[a-z].*\)$|^[a-zA-Z].*\)$|^ +[^ ].*\)$/ { head = $0 } /^\{/ { start = FNR; name = head }
     /^\}/ && start { n = FNR - start + 1; print n, name; start = 0 }' $h | sort -n > "$out/lengths.txt"
awk '$1 > 60' "$out/lengths.txt" > "$out/long.txt"
empty 'no function over 60 lines' "$out/long.txt"
awk '{ n[NR] = $1 } END { print "functions:", NR, "median", n[int((NR + 1) / 2)], "90 %:",
     n[int(NR * 0.9)], "longest", n[NR] }' "$out/lengths.txt"

# what coverage excuses stands in the header as it is told there
sed 's/^ *//' $h > "$out/trimmed.txt"
sed -n 's/^    [a-z0-9_]*: //p' tests/coverage.txt | grep -vxF -f "$out/trimmed.txt" > "$out/excuses.txt"
empty 'reasons in tests/coverage.txt are for lines of the header' "$out/excuses.txt"

# nothing beside what the project consists of, and nothing that editing leaves behind
{ git ls-files 2> /dev/null || ls -A; } | sed 's|/.*||' | sort -u |
    grep -vxE '\.[a-z-]+|LICENSE|Makefile|README\.md|build|examples|spherecontact\.h|tests' > "$out/others.txt"
git ls-files 2> /dev/null | grep -E '\.(orig|rej|bak|swp)$|~$' >> "$out/others.txt"
empty 'nothing beside the project' "$out/others.txt"

# nothing unfinished
grep -nE 'TODO|FIXME|XXX' $h tests/*.c tests/*.h tests/playground/* examples/*.c examples/*/*.[ch] \
    examples/playground/* examples/python/*.py $readmes > "$out/unfinished.txt"
empty 'nothing unfinished' "$out/unfinished.txt"

# strict warnings as errors; compile-tests does it for all compilers and standards
"$CC" -std=c99 -Wall -Wextra -pedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion \
    -Wcast-qual -Wundef -Wfloat-equal -Wmissing-prototypes -Wstrict-prototypes -I. -Os \
    -c tests/implementation.c -o "$out/i.o" 2> "$out/strict.txt"
empty 'strict warnings' "$out/strict.txt"

# the size of the code is what README tells, but for 5 %; of gcc for x86-64 alone
if "$CC" -dM -E - < /dev/null | grep -q __x86_64__ && ! "$CC" --version | grep -q clang; then
    told=$(tr '\n' ' ' < README.md | grep -oE 'the code takes [0-9]+ kB' | grep -oE '[0-9]+')
    size "$out/i.o" | awk -v told="${told:-0}" 'NR == 2 && ($1 > 1050 * told || $1 < 950 * told) {
        print $1 " bytes, not " told " kB" }' > "$out/small.txt"
    empty 'README tells the size of the code' "$out/small.txt"
fi
nm "$out/i.o" | awk '$2 ~ /[TDBC]/ && $3 !~ /^spc_/' > "$out/exports.txt"
empty 'exports have the prefix' "$out/exports.txt"
size "$out/i.o" | awk 'NR == 2 && $2 + $3 > 0' > "$out/data.txt"
empty 'no static data' "$out/data.txt"

echo "lint: $passed passed, $failed failed"
test $failed -eq 0
