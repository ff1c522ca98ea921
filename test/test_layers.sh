#!/usr/bin/env bash
# Dependencies point one way (docs/architecture.md): which room may include from which, read from the #include lines.
set -euo pipefail
cd "$ABUT_SOURCE"
shopt -s nullglob globstar

# room: the rooms it may include from besides itself. A public header abut/NAME.h belongs to the room NAME.
declare -A may=(
    [base]=""
    [linalg]="base"
    [lcp]="base linalg"
    [contact]="base linalg lcp"
    [io]="base lcp contact"
    [collide]="base linalg"
    [world]="base linalg contact collide"
    [scene]="base io collide contact world"
    [threads]="base world"
    [record]="base"
    [bench]="base lcp contact collide world scene threads record io"
    [cli]="base lcp contact collide world scene threads record io bench"
    [examples]="base lcp contact collide world scene threads record"
)
# The rooms inside contact, likewise; `front` are the files of contact/ itself. The verifier reaches one header.
declare -A inner=(
    [system]=""
    [build]="system"
    [faces]="system"
    [lloyd]="system"
    [normal]="system"
    [dense]="system"
    [rest]="system sparse"
    [statics]="system"
    [sparse]="system faces"
    [cone]="system rest"
    [drive]="system dense faces"
    [verify]="system/island.h"
    [unions]="system build verify"
    [front]="system build cone faces sparse lloyd normal dense drive rest statics unions verify"
)
core="base linalg lcp contact collide world record"
folders="bench cli examples"  # not under src/
programs="cli examples" # these use public headers, io and bench; never the inside of another room (bench times parts)

status=0
complain() {
    echo "$1" >&2
    status=1
}
has() { [[ " $1 " == *" $2 "* ]]; }

# includes FILE...: a line "file line kind name" for each include; kind is < or ".
includes() {
    [ $# -gt 0 ] || return 0
    grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]' "$@" |
        sed -E 's/^([^:]*):([0-9]+):[^<"]*([<"])([^">]*).*/\1 \2 \3 \4/' || true
}

# check_project ROOM FILE LINE NAME: an include of one of our own headers.
check_project() {
    local room=$1 place=$2:$3 name=$4 target
    case $name in
    abut/union.h | abut/planar.h | abut/statics.h) target=contact ;;
    abut/shape.h) target=collide ;;
    abut/*.h) target=${name#abut/} target=${target%.h} ;;
    */*) target=${name%%/*} ;;
    *) return 0 ;; # a file of its own folder
    esac
    if [[ $room == contact && $name == contact/* ]]; then check_inner "$2" "$3" "$name"; fi
    has "$room ${may[$room]}" "$target" || complain "$place: $room must not include \"$name\" (may: ${may[$room]})"
    if has "$programs" "$room" && [[ $name != abut/* && $target != io && $target != bench ]]; then
        complain "$place: $room must use public headers, not \"$name\""
    fi
}

# check_inner FILE LINE NAME: an include of contact/NAME from inside contact.
check_inner() {
    local place=$1:$2 from=${1#src/contact/} to=${3#contact/}
    case $from in */*) from=${from%%/*} ;; *) from=front ;; esac
    local header=$to
    case $to in */*) to=${to%%/*} ;; *) to=front ;; esac
    [ -n "${inner[$from]+known}" ] || complain "$place: contact/$from is not a room that docs/architecture.md knows"
    has "$from ${inner[$from]-}" "$to" || has "${inner[$from]-}" "$header" ||
        complain "$place: contact/$from must not include \"$3\" (may: ${inner[$from]-})"
}

# check_system FILE LINE NAME: the core stands on the C library and libm, and neither prints nor reads files.
check_system() {
    local place=$1:$2
    case $3 in
    assert.h | errno.h | float.h | immintrin.h | inttypes.h | limits.h | math.h | stdalign.h | stdarg.h) ;;
    stdbool.h | stddef.h | stdint.h | stdlib.h | string.h) ;;
    stdio.h) grep -q 'snprintf' "$1" || complain "$place: <stdio.h> without snprintf in the core" ;;
    time.h) [ "$1" = src/base/clock.c ] || complain "$place: time is for src/base/clock.c alone" ;;
    *) complain "$place: the core must not include <$3>" ;;
    esac
}

declare -A headers=([contact]="contact union planar statics" [collide]="shape") # else abut/ROOM.h, if there is one
for room in src/*/; do
    room=$(basename "$room")
    [ -n "${may[$room]+known}" ] || complain "src/$room: which rooms may it include from?"
done
for header in include/abut/*.h; do
    name=$(basename "$header" .h)
    has "${!may[*]} ${headers[*]}" "$name" || complain "$header: which room does it belong to?"
done
for room in "${!may[@]}"; do
    if has "$folders" "$room"; then files=("$room"/*.[ch]); else files=(src/"$room"/**/*.[ch] src/"$room"/**/*.inl); fi
    for name in ${headers[$room]-$room}; do
        [ -f "include/abut/$name.h" ] && files+=("include/abut/$name.h")
    done
    while read -r file line kind name; do
        case $kind$name in
        '"'* | '<abut/'*) check_project "$room" "$file" "$line" "$name" ;;
        *) if has "$core" "$room"; then check_system "$file" "$line" "$name"; fi ;;
        esac
    done < <(includes "${files[@]}")
done
# docs/architecture.md has a line for every room and fits on two screens.
page=docs/architecture.md
for room in src/*/ src/contact/*/; do
    room=$(basename "$room")
    grep -qE "^ +$room/ +[^ ]" "$page" || complain "$page: no line for the room $room/"
done
[ "$(wc -l <"$page")" -le 100 ] || complain "$page: more than 100 lines; details belong into docs/rooms.md"
awk -v page="$page" 'length > 120 { print page ":" NR ": more than 120 columns"; bad = 1 } END { exit bad }' "$page" >&2 || status=1
# docs/rooms.md names every file under src/ in its tables, and none that is not there. In a line of a table the first name has
# its folder, and names without one are of the same folder; a header, a source and its variants share one name.
page=docs/rooms.md
declare -A named=()
while read -r name; do
    found=
    for path in "src/$name" "src/contact/$name" "$name"; do
        if [ -f "$path" ]; then found=$path; fi
    done
    if [ -n "$found" ]; then named[${found%.*}]=1; else complain "$page: $name is not there"; fi
done < <(awk '/^    / {
    gsub(/\.h\/\.c/, ".c")
    while (match($0, /[A-Za-z0-9_\/]+\.(c|h|inl|js|mjs)/)) {
        name = substr($0, RSTART, RLENGTH)
        after = substr($0, RSTART + RLENGTH, 1)
        $0 = substr($0, RSTART + RLENGTH)
        if (after ~ /[A-Za-z0-9_]/) continue
        if (name ~ /\//) { print name; if (name ~ /^(contact\/[a-z]+|[a-z]+)\//) { folder = name; sub(/[^\/]*$/, "", folder) } }
        else print folder name
    }
}' "$page")
for file in src/**/*.[ch] src/**/*.inl; do
    stem=${file%.*}
    [ -n "${named[$stem]-}${named[${stem%_avx2}]-}${named[${stem%_avx512}]-}${named[${stem%_plain}]-}" ] ||
        complain "$page: no line names $file"
done
# Code that is compiled several times is .inl; its first line names the files that include it.
for inl in src/**/*.inl; do
    for user in $(grep -rl "#include \"${inl#src/}\"" src); do
        user=${user#src/}
        head -n 1 "$inl" | grep -qF "${user#contact/}" || complain "$inl: its first line does not say that $user includes it"
    done
done
# What a model asks is asked of the table of models (contact/system/models.h; the verifier's is verify/models.c): no code compares a
# model with a name. (A file format that holds one model alone may: there the name is meant.)
named=$(grep -rnE '[!=]= *ABUT_(COULOMB|FRICTIONLESS|COULOMB_ACCEL|VISCOUS|NO_SLIP)\b|case ABUT_(COULOMB|FRICTIONLESS|COULOMB_ACCEL|VISCOUS|NO_SLIP)\b|<< *ABUT_(COULOMB|FRICTIONLESS|COULOMB_ACCEL|VISCOUS|NO_SLIP)\b' \
    src cli --include='*.c' --include='*.h' --include='*.inl' | grep -v '^src/io/' || true)
[ -z "$named" ] || complain "these compare a model with a name; the table of models tells what to ask:
$named"
exit $status
