#!/usr/bin/env bash
# Dependencies point one way (docs/architecture.md): which room may include from which, read from the #include lines.
set -euo pipefail
cd "$ABUT_SOURCE"

# room: the rooms it may include from besides itself. A public header abut/NAME.h belongs to the room NAME.
declare -A may=(
    [base]=""
    [linalg]="base"
    [lcp]="base linalg"
    [contact]="base linalg lcp"
    [io]="base lcp contact"
    [collide]="base linalg"
    [sim]="base linalg lcp contact collide"
    [scene]="base collide sim"
    [record]="base sim"
    [world]="base contact sim"
)
# The project's own programs use public headers, io and bench; never the inside of a core room.
may[bench]="base lcp contact world scene record io"
may[cli]="base lcp contact world scene record io bench"
may[examples]="base lcp contact world scene record"
core="base linalg lcp contact collide sim"

status=0
complain() {
    echo "$1" >&2
    status=1
}

# check ROOM FILE...
check() {
    local room=$1 allowed=" $1 ${may[$1]} " file line included target
    shift
    for file in "$@"; do
        while IFS=: read -r line included; do
            case $included in
            abut/*.h) target=${included#abut/} target=${target%.h} ;;
            */*) target=${included%%/*} ;;
            *) continue ;; # a file of its own folder
            esac
            case $allowed in
            *" $target "*) ;;
            *) complain "$file:$line: $room must not include \"$included\" (may: ${may[$room]})" ;;
            esac
            # Programs may use the public face of a core room only.
            case $room:$included in
            bench:abut/* | cli:abut/* | examples:abut/*) ;;
            bench:io/* | cli:io/* | cli:bench/* | bench:bench/*) ;;
            bench:* | cli:* | examples:*) complain "$file:$line: $room must use public headers, not \"$included\"" ;;
            esac
        done < <(sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]([^">]*)[">].*/\1/;T;=;p' "$file" |
            paste -d: - - | grep -vE '^[0-9]+:(sys|arpa|netinet)/' || true)
    done
}

shopt -s nullglob globstar
for room in base linalg lcp contact io collide sim scene record; do
    files=(src/"$room"/**/*.[ch])
    check "$room" "${files[@]}"
    if [ -f include/abut/"$room".h ]; then check "$room" include/abut/"$room".h; fi
done
if [ -f include/abut/world.h ]; then check world include/abut/world.h; fi
for room in bench cli examples; do
    files=("$room"/*.[ch])
    check "$room" "${files[@]}"
done

# The core stands on the C library and libm: no other system header, and none that prints or reads files.
for room in $core; do
    for file in src/"$room"/**/*.[ch]; do
        while IFS=: read -r line header; do
            case $header in
            assert.h | float.h | immintrin.h | inttypes.h | limits.h | math.h | stdalign.h | stdarg.h | stdbool.h) ;;
            stddef.h | stdint.h | stdlib.h | string.h | errno.h) ;;
            stdio.h) grep -q 'snprintf' "$file" || complain "$file:$line: <stdio.h> without snprintf in the core" ;;
            time.h) [ "$file" = src/base/clock.c ] || complain "$file:$line: time is for src/base/clock.c alone" ;;
            *) complain "$file:$line: the core must not include <$header>" ;;
            esac
        done < <(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*<' "$file" |
            sed -E 's/^([0-9]+):.*<([^>]*)>.*/\1:\2/')
    done
done
exit $status
