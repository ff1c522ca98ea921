#!/usr/bin/env bash
# The viewer in a real browser (test/viewer/browser.mjs), on recordings of scenes. Skipped where the viewer
# was not built, or there is no chromium.
set -euo pipefail

skip() { echo "skipped: $1"; exit 77; }
[ "${ABUT_HAVE_VIEWER:-OFF}" = ON ] || skip "the viewer was left out of the build"
[ "${ABUT_HAVE_XML:-OFF}" = ON ] || skip "scenes were left out of the build"
[ -s "$ABUT_BUILD/viewer.html" ] || skip "the viewer could not be built"
[ -d "$ABUT_BUILD/viewer/node_modules/playwright-core" ] || skip "no playwright-core: the viewer came with a release"
node=$(command -v node || command -v nodejs) || skip "no node"
chromium=$(command -v chromium || command -v chromium-browser) || skip "no chromium"

"$ABUT" run "$ABUT_SOURCE/scenes/insertion.xml" --html peg.html >/dev/null
"$ABUT" run "$ABUT_SOURCE/scenes/gripper.xml" --html gripper.html >/dev/null
"$ABUT" run "$ABUT_SOURCE/scenes/release.xml" --out coulomb.abr >/dev/null
"$ABUT" run "$ABUT_SOURCE/scenes/release.xml" --out no-slip.abr --model no-slip >/dev/null
ABUT_RECORD_OUT=$PWD/large.abr "$ABUT_BUILD/test/test_record_large" >/dev/null
"$ABUT" view coulomb.abr no-slip.abr -o compare.html
"$ABUT" view large.abr -o large.html

# The page without its recordings stays below 1.5 MB.
[ "$(wc -c <"$ABUT_BUILD/viewer.html")" -lt 1500000 ] || { echo "viewer.html is too large" >&2; exit 1; }
"$node" "$ABUT_SOURCE/test/viewer/browser.mjs" "$chromium" "$ABUT_BUILD/viewer" "$PWD"
