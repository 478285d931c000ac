#!/bin/sh
# The page of examples/playground.html: sh tests/playground.sh NATIVE, where NATIVE is examples/playground/native.c
# as a program. The page must be of this header and these sources; its module must give the native hashes in
# node; where clang makes WebAssembly, so must a page that is made anew; a headless Chromium uses it as one
# would, and leaves pictures of all scenes in the folder of NATIVE. What is missing is named and skipped.
# Prints `playground: N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/.."
page=examples/playground.html
native=$1
out=$(dirname "$native")
passed=0
failed=0
skipped=0

has() { command -v "$1" > /dev/null; }
verdict() { # what, whether
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
    fi
}
skip() {
    skipped=$((skipped + 1))
    echo "skipped: $1"
}
told() { sed -n "s/.*<meta name=\"$1\" content=\"\([^\"]*\)\">.*/\1/p" "$page"; }

made="$(told spherecontact-version) $(told spherecontact-header) $(told playground-sources)"
test "$made" = "$(sh examples/playground/build.sh checksum)"
verdict 'the page is not of this header and these sources: run make playground' $?
test "$(wc -c < "$page")" -lt 275000
verdict 'the page is larger than 275 kB' $?
! grep -E 'https?://' "$page" | grep -qv 'www.w3.org/2000/svg'
verdict 'the page has an address of the network in it' $?
"$native" > "$out/hashes.txt"
verdict 'a default run is refused' $?

if has node; then
    node tests/playground/module.mjs "$page" "$out/hashes.txt"
    verdict 'the module of the page' $?
else
    skip 'the module, no node'
fi
sh examples/playground/build.sh "$out/page.html" "$native"
case $? in
    0)
        if has node; then
            node tests/playground/module.mjs "$out/page.html" "$out/hashes.txt"
            verdict 'the module of a page that is made now' $?
        fi
        ;;
    2) skip 'a page that is made now, no clang with wasm-ld' ;;
    *) verdict 'a page that is made now' 1 ;;
esac
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if has node && [ -n "$chromium" ]; then
    node tests/playground/browser.mjs "$chromium" "$page" "$out"
    verdict 'the page in a browser' $?
else
    skip 'the page in a browser, no chromium with node'
fi
echo "playground: $passed passed, $failed failed, $skipped skipped"
test $failed -eq 0
