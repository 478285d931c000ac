#!/bin/sh
# The default runs of the page's scenes on another machine: sh tests/playground/hashes.sh DIR
# COMPILER [SUFFIX [RUNNER]] builds them with the implementation.o of DIR, in double precision, and
# compares the hashes with those in examples/playground.html. Prints `hashes: N of N`.
set -u
cd "$(dirname "$0")/../.."
program=$1/playground${3:-}
$2 $(ls examples/playground/*.c | grep -v /module) "$1/implementation.o" -lm -o "$program" || exit 1
sed -n '/^<script id="native"/,/^<\/script>/p' examples/playground.html | grep -v '<' \
    > "$1/wanted.txt"
${4:-} "$program" > "$1/hashes.out" || exit 1
tr -d '\r' < "$1/hashes.out" > "$1/hashes.txt" # which Windows adds
echo "hashes: $(grep -cxFf "$1/wanted.txt" "$1/hashes.txt") of $(grep -c . "$1/wanted.txt")"
cmp "$1/wanted.txt" "$1/hashes.txt" && test -s "$1/wanted.txt"
