#!/usr/bin/env bash
# scripts/dist: the tarball holds the sources and the built viewer, and a build from it has the viewer without npm.
set -euo pipefail
skip() { echo "skipped: $1"; exit 77; }
fail() { echo "$1" >&2; exit 1; }
[ -s "$ABUT_BUILD/viewer.html" ] || skip "the viewer was not built"
git -C "$ABUT_SOURCE" rev-parse HEAD >/dev/null 2>&1 || skip "not a checkout"

rm -rf release
mkdir -p release
"$ABUT_SOURCE/scripts/dist" "$ABUT_BUILD" "$PWD/release"
tar -C release -xzf release/abut-*.tar.gz
cd release/abut-*/
[ -s viewer/viewer.html ] && [ -s include/abut/contact.h ] || fail "the tarball lacks the viewer or the sources"
cmake -S . -B build/try -DBUILD_TESTING=OFF -DABUT_NPM=/nowhere/npm -DCMAKE_C_COMPILER="$CC" >log 2>&1 || { cat log >&2; exit 1; }
grep "component VIEWER: ON" log >/dev/null || fail "a build from the tarball has no viewer"
cmp build/try/viewer.html "$ABUT_BUILD/viewer.html" || fail "its viewer is another one"
cd ../.. && rm -rf release
