#!/usr/bin/env bash
# What `make install` leaves: the program with its manual page, documents and sample capsules, and the library; and that
# it builds no test for it.
set -euo pipefail

build=$(dirname "$ABUT")
fail() { echo "install: $1" >&2; exit 1; }
grep -q -- '--target abut_installed' "$ABUT_SOURCE/Makefile" || fail "make install builds more than abut_installed"
if [ -f "$build/Makefile" ]; then
    make -C "$build" -n abut_installed >plan 2>&1 || fail "no plan for abut_installed"
    if grep -E 'test_[a-z_]+\.c|hash_[a-z]+\.c|example_' plan; then fail "a test is built"; fi
fi
"${CMAKE:-cmake}" --build "$build" --target abut_installed >log 2>&1 || { cat log; fail "cannot be built"; }
rm -rf prefix
"${CMAKE:-cmake}" --install "$build" --prefix "$PWD/prefix" >log 2>&1 || { cat log; fail "cannot be installed"; }
for file in bin/abut include/abut/contact.h share/man/man1/abut.1 share/abut/capsules/box_on_slope.json \
    share/doc/abut/README.md share/doc/abut/docs/formats.md share/doc/abut/docs/figures/grasp.svg; do
    [ -s "prefix/$file" ] || fail "$file is missing"
done
find prefix -name 'libabut*' | grep -q . || fail "the library is missing"
prefix/bin/abut --version
[ "${ABUT_HAVE_JSON:-ON}" != ON ] || prefix/bin/abut solve prefix/share/abut/capsules/box_on_slope.json
