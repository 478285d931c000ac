#!/bin/sh
# Makes the page: sh examples/playground/build.sh PAGE NATIVE, where NATIVE is native.c as a program. Without
# clang for WebAssembly it says so and ends with 2. What a page was made of is told by `... checksum`.
set -u
cd "$(dirname "$0")/../.."
here=examples/playground
export LC_ALL=C # the order of files does not depend on the place

sum256() { { sha256sum 2> /dev/null || shasum -a 256; } | cut -d' ' -f1; }
header=$(sum256 < spherecontact.h)
sources=$(cat $here/*.[ch] $here/*.js $here/*.css $here/*.html $here/*.sh examples/gallery/bicycle.h \
    examples/gallery/ballbot.h | sum256)
version=$(awk '/define SPHERECONTACT_VERSION_(MAJOR|MINOR|PATCH)/ { v = v s $3; s = "." } END { print v }' spherecontact.h)
if [ "$1" = checksum ]; then
    echo "$version $header $sources"
    exit 0
fi

page=$1
native=$2
out=$(dirname "$native")/wasm
if ! command -v clang > /dev/null || ! command -v wasm-ld > /dev/null; then
    echo 'the page needs clang and wasm-ld (lld)'
    exit 2
fi
rm -rf "$out" && mkdir -p "$out" || exit 1
for file in $here/*.c; do
    name=$(basename "$file" .c)
    [ "$name" = native ] && continue
    clang --target=wasm32 -std=c99 -Wall -Wextra -pedantic -Wshadow -Wconversion -Oz -flto -mbulk-memory -ffreestanding -nostdlib -ffunction-sections \
        -ffp-contract=off -DSPC_SQRT=__builtin_sqrt -I. -c "$file" -o "$out/$name.o" || exit 1
done
wasm-ld --no-entry --gc-sections --strip-all -z stack-size=262144 "$out"/*.o -o "$out/module.wasm" || exit 1
gzip -9n < "$out/module.wasm" | base64 | tr -d '\n' | fold -w 160 > "$out/module.txt" || exit 1
echo >> "$out/module.txt"
"$native" > "$out/hashes.txt" || exit 1
cat $here/view.js $here/page.js > "$out/page.js"

awk -v version="$version" -v header="$header" -v sources="$sources" -v machine="$(uname -m)" \
    -v css=$here/page.css -v js="$out/page.js" -v hashes="$out/hashes.txt" -v module="$out/module.txt" '
    function paste(file) { while ((getline line < file) > 0) { sub(/^ +/, "", line); print line } }
    $0 == "@CSS@" { paste(css); next }
    $0 == "@JS@" { paste(js); next }
    $0 == "@HASHES@" { paste(hashes); next }
    $0 == "@MODULE@" { paste(module); next }
    {
        gsub(/@VERSION@/, version)
        gsub(/@HEADER@/, header)
        gsub(/@SHORT@/, substr(header, 1, 12))
        gsub(/@SOURCES@/, sources)
        gsub(/@NATIVE@/, machine)
        print
    }' $here/page.html > "$page" || exit 1
echo "$page: $(wc -c < "$page") bytes, of them the module $(wc -c < "$out/module.txt")"
