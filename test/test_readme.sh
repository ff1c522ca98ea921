#!/usr/bin/env bash
# The C example with which the README opens is examples/box_on_slope.c, which is compiled and run as a test.
set -euo pipefail

example=$ABUT_SOURCE/examples/box_on_slope.c
block=$(awk '/^```c$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' "$ABUT_SOURCE/README.md")
if ! diff <(printf '%s\n' "$block") "$example"; then
    echo "README.md: its first C block is not examples/box_on_slope.c" >&2
    exit 1
fi
echo "README.md opens with examples/box_on_slope.c"
