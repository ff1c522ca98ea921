#!/usr/bin/env bash
# scripts/show, which `make run` ends with: the page, the browser where there is a desktop, and what is said where scenes or the viewer
# are missing.
set -euo pipefail
[ "${ABUT_HAVE_XML:-OFF}" = ON ] || exit 77
fail() { echo "$1" >&2; exit 1; }
show=$ABUT_SOURCE/scripts/show
unset DISPLAY WAYLAND_DISPLAY ABUT_VIEWER
rm -rf tools bare opened ./*.html
mkdir -p tools bare
printf '#!/bin/sh\necho "$1" >"%s/opened"\n' "$PWD" >tools/xdg-open
chmod +x tools/xdg-open
PATH=$PWD/tools:$PATH
printf 'A<!--recordings-->B' >stub.html

# With a viewer, without a desktop: the page and where it is.
said=$(ABUT_VIEWER=$PWD/stub.html "$show" "$ABUT" "$ABUT_SOURCE/scenes/stack_1.xml" page.html)
[ -s page.html ] || fail "no page: $said"
grep "Look at it in any browser: file://$PWD/page.html" <<<"$said" >/dev/null || fail "it does not say where: $said"
[ ! -e opened ] || fail "it opened a browser without a desktop"

# With a desktop it is opened.
ABUT_VIEWER=$PWD/stub.html WAYLAND_DISPLAY=wayland-0 "$show" "$ABUT" "$ABUT_SOURCE/scenes/stack_1.xml" page.html >/dev/null
for _ in $(seq 100); do [ -s opened ] && break || sleep 0.1; done
[ "$(cat opened)" = "$PWD/page.html" ] || fail "it did not open the page"

# Without a viewer the scene still runs.
ln -s "$ABUT" bare/abut
said=$("$show" bare/abut "$ABUT_SOURCE/scenes/stack_1.xml" other.html)
grep "^verified" <<<"$said" >/dev/null || fail "nothing was run: $said"
grep "scripts/setup viewer" <<<"$said" >/dev/null || fail "it does not say how to get the viewer: $said"
[ ! -e other.html ] || fail "there is a page without a viewer"

# Without scenes it says what is missing, and that is no failure.
printf '#!/bin/sh\necho "abut run: this build reads no scenes" >&2\nexit 2\n' >bare/none
chmod +x bare/none
said=$("$show" bare/none scene.xml other.html 2>/dev/null) || fail "a build without scenes makes it fail"
grep "scripts/setup build" <<<"$said" >/dev/null || fail "it does not say how to get scenes: $said"

# A run with steps that were not verified is a failure.
printf '#!/bin/sh\nexit 1\n' >bare/wrong
chmod +x bare/wrong
if "$show" bare/wrong scene.xml other.html >/dev/null; then fail "unverified steps are let pass"; fi

# The program alone, far from its viewer, says how to get one before it runs anything.
cp "$ABUT" bare/alone
if bare/alone run "$ABUT_SOURCE/scenes/stack_1.xml" --seconds 1000 --html other.html 2>said; then fail "a page without a viewer"; fi
grep "the viewer was not built.*scripts/setup viewer.*ABUT_VIEWER" said >/dev/null || fail "it does not say how to get the viewer: $(cat said)"
