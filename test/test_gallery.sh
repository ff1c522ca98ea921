#!/usr/bin/env bash
# scripts/gallery: pages, pictures and both indexes of two scenes; one of them is interrupted and still shown.
set -euo pipefail

skip() { echo "skipped: $1"; exit 77; }
fail() { echo "$1" >&2; exit 1; }
[ "${ABUT_HAVE_XML:-OFF}" = ON ] || skip "scenes were left out of the build"
[ -s "$ABUT_BUILD/viewer.html" ] || skip "the viewer was not built"
[ -d "$ABUT_BUILD/viewer/node_modules/playwright-core" ] || skip "no playwright-core: the viewer came with a release"
command -v node >/dev/null || command -v nodejs >/dev/null || skip "no node"
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip "no chromium"

rm -rf gallery
sed 's/\(abut_seconds" data=\)"[^"]*"/\1"100000"/; s/A hundred blocks/Blocks \&lt;\&amp;/' "$ABUT_SOURCE/scenes/pile.xml" >endless.xml
ABUT_GALLERY_SECONDS=2 "$ABUT_SOURCE/scripts/gallery" "$ABUT" "$ABUT_BUILD" gallery "$ABUT_SOURCE/scenes/peg.xml" "$PWD/endless.xml"
for name in peg endless; do
    [ "$(wc -c <"gallery/$name.html")" -gt 500000 ] || fail "no page of $name"
    [ "$(wc -c <"gallery/$name.jpg")" -gt 4000 ] || fail "the picture of $name is empty"
    grep "href=\"$name.html\"" gallery/index.html >/dev/null || fail "the index has no link to $name"
    grep "src=\"$name.jpg\"" gallery/index.html >/dev/null || fail "the index has no picture of $name"
    grep "]($name.jpg)" gallery/README.md >/dev/null || fail "README.md has no picture of $name"
done
grep 'interrupted at' gallery/index.html >/dev/null || fail "the index does not say that a run was interrupted"
grep 'Blocks &lt;&amp;' gallery/index.html >/dev/null || fail "a caption is not escaped"
if "$ABUT_SOURCE/scripts/gallery" "$ABUT" "$ABUT_BUILD" gallery nowhere.xml 2>said; then fail "a missing scene is let pass"; fi
grep 'nowhere.xml' said >/dev/null || fail "it does not say which scene is missing: $(cat said)"
