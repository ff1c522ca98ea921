#!/usr/bin/env bash
# The README keeps its word: the C program with which it opens is examples/box_on_slope.c, which is compiled and run as a
# test; the capsule it shows is the one that is shipped; and every command under "At the shell" ends well.
set -euo pipefail

readme=$ABUT_SOURCE/README.md
# block LANGUAGE: the first block of that language.
block() { awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } /^```$/ { if (inside) exit } inside' "$readme"; }
for pair in c:examples/box_on_slope.c json:examples/capsules/box_on_slope.json; do
    if ! diff <(block "${pair%%:*}") "$ABUT_SOURCE/${pair#*:}"; then
        echo "README.md: its first ${pair%%:*} block is not ${pair#*:}" >&2
        exit 1
    fi
done

if [ "${ABUT_HAVE_JSON:-ON}" != ON ]; then exit 0; fi
rm -rf capsules
cp -r "$ABUT_SOURCE/examples/capsules" capsules
cd capsules
PATH=$(dirname "$ABUT"):$PATH
count=0
while read -r line; do
    case $line in *hdf5*) [ "${ABUT_HAVE_HDF5:-ON}" = ON ] || continue ;; esac
    if ! bash -euc "$line" >out 2>err; then
        echo "README.md: this command fails: $line" >&2
        cat out err >&2
        exit 1
    fi
    count=$((count + 1))
done < <(awk '/^## / { inside = $0 == "## At the shell" } inside && /^    / { sub(/^ +/, ""); print }' "$readme")
[ $count -ge 10 ] || { echo "README.md: only $count commands under \"At the shell\"" >&2; exit 1; }
for capsule in "$ABUT_SOURCE"/examples/capsules/*.json; do
    abut solve "$capsule" --json >answer.json && abut check "$capsule" answer.json >out ||
        { echo "${capsule##*/} is not solved" >&2; exit 1; }
done
echo "README.md opens with examples/box_on_slope.c, shows a capsule that is shipped, and its $count commands end well"
