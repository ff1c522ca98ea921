#!/usr/bin/env bash
# Readers, writers and programs compile without a warning when every component (JSON, HDF5, LAPACK, XML, QHULL, Siconos, MuJoCo) is left out,
# as on a machine that has none of their libraries.
set -uo pipefail
failures=0 checks=0
flags=(-std=c17 -O0 -Wall -Wextra -Wpedantic -Werror -D_POSIX_C_SOURCE=200809L
    -I"$ABUT_SOURCE/include" -I"$ABUT_SOURCE/src" -I"$ABUT_SOURCE/bench" -I"$ABUT_SOURCE/cli")
for file in "$ABUT_SOURCE"/src/{io,scene}/*.c $(grep -l ABUT_HAVE_ "$ABUT_SOURCE"/{bench,cli}/*.c); do
    checks=$((checks + 1))
    "${CC:-cc}" "${flags[@]}" -c "$file" -o part.o || failures=$((failures + 1))
done
echo "$checks files, $failures failures"
[ "$failures" -eq 0 ] && [ "$checks" -gt 10 ]
