#!/usr/bin/env bash
# `abut solve` and `abut check` on problems with unions.
. "$(dirname "$0")/cli_case.sh"
[ "${ABUT_HAVE_JSON:-ON}" = ON ] || { finish; exit; }

# capsule VELOCITY MODEL SIDES...: a point mass at (1, 1), step 2; SIDES: "nx ny gap group".
capsule() {
    printf '{"abut": "capsule", "version": 1, "step": 2, "model": "%s", "bodies": [{"mass": 1,' "$2"
    printf '"inertia": [1, 1, 1], "com": [1, 1, 0], "velocity": [%s, 0, 0, 0, 0]}], "contacts": [' "$1"
    local separator= side
    for side in "${@:3}"; do
        # shellcheck disable=SC2086
        set -- $side
        printf '%s{"bodies": [0, -1], "point": [1, 1, 0], "normal": [%s, %s, 0], "gap": %s, ' "$separator" "$1" "$2" "$3"
        printf '"directions": 2, "group": %s}' "$4"
        separator=,
    done
    printf ']}\n'
}
answer() { printf '{"outcome": "solved", "model": "frictionless"%s, "impulses": [[%s, 0, 0], [%s, 0, 0]], "velocity": [%s, 0, 0, 0, 0], "joints": []}\n' "$@"; }

capsule '-2, -1' frictionless '1 0 1 7' '0 1 1 7' >corner.json

# ---- the paper's example (b): three answers, in the documented order ----
expect 0 "$ABUT" solve corner.json --all
says "3 answers in all"
says "1: normal impulses N s 1.5 0 " # 0.625 J after the step
says "2: normal impulses N s 0 0.5 " # 2.125 J
says "3: normal impulses N s 1.5 0.5 "
expect 0 "$ABUT" solve corner.json --all --json
says '"union": "max"'
says '"complete": true'
cp out all.answer
expect 0 "$ABUT" check corner.json all.answer
says "answers listed                         3"
# every answer listed is judged, and the one that fails is named
bent() { # bent FROM TO: all.answer with every FROM made TO
    sed "s/$1/$2/" all.answer >bent.answer
    ! cmp -s all.answer bent.answer || complain "nothing to bend: $1"
}
bent '\[-2, -0.5, 0,' '[-2, -0.6, 0,' # the second
expect 1 "$ABUT" check corner.json bent.answer
says "wrong: solutions[1]"
! grep -q 'solutions\[[02]\]' out || complain "says that a right answer is wrong"
expect 1 "$ABUT" check corner.json bent.answer --json
says '"failing": [1]'
says '"answer_fails": false'
bent '\[-0.5, -1, 0,' '[-0.4, -1, 0,' # the first, which is also the answer beside the list
expect 1 "$ABUT" check corner.json bent.answer
says "wrong: solutions[0]"
says "wrong: the answer beside them"
sed '/"solutions"/,$s/"velocity": \[-2, -0.5.*/"x": 0,/' all.answer >bent.answer
refused "solutions[1].velocity is missing" "$ABUT" check corner.json bent.answer
sed '/"solutions"/,$s/\[-2, -0.5, 0/[-2, -0.5, "a"/' all.answer >bent.answer
refused "solutions[1].velocity" "$ABUT" check corner.json bent.answer
sed 's/"solutions": \[/"solutions": 3, "x": [/' all.answer >bent.answer
refused "solutions: " "$ABUT" check corner.json bent.answer
expect 0 "$ABUT" solve corner.json --prefer energy
says "         -0.5        -0.5 "
expect 0 "$ABUT" solve corner.json
says "         -0.5          -1 "

# ---- the rule of an answer is the rule it is judged by ----
expect 0 "$ABUT" solve corner.json --union sum --epsilon 0.02 --json
says '"union": "sum"'
says '"epsilon": 0.02'
cp out sum.answer
expect 0 "$ABUT" check corner.json sum.answer
answer ', "union": "sum", "epsilon": 0.02' 1.495 0.495 '-0.505, -0.505' >cap.answer # on the cap x + y = -0.02
expect 0 "$ABUT" check corner.json cap.answer
says "right"
answer ', "union": "max"' 1.495 0.495 '-0.505, -0.505' >cap.answer
expect 1 "$ABUT" check corner.json cap.answer
answer '' 1.495 0.495 '-0.505, -0.505' >cap.answer # says nothing: the exact union
expect 1 "$ABUT" check corner.json cap.answer
answer ', "union": "sum", "epsilon": 0.01' 1.495 0.495 '-0.505, -0.505' >cap.answer
expect 1 "$ABUT" check corner.json cap.answer
answer ', "union": "max"' 1.5 0.5 '-0.5, -0.5' >edge.answer
expect 0 "$ABUT" check corner.json edge.answer
answer ', "union": "min"' 1.5 0.5 '-0.5, -0.5' >edge.answer
refused 'union: ' "$ABUT" check corner.json edge.answer
answer ', "union": "sum", "epsilon": 0' 1.5 0.5 '-0.5, -0.5' >edge.answer
refused 'epsilon: ' "$ABUT" check corner.json edge.answer
capsule '-2, 0' frictionless '1 0 1 7' '0 1 1 7' >over.json # passes above the corner: no side may push
answer '' 1 0 '-1, 0' >phantom.answer
expect 1 "$ABUT" check over.json phantom.answer
answer '' 0 0 '-2, 0' >free.answer
expect 0 "$ABUT" check over.json free.answer
answer '' 0 0 '-2, -1' >inside.answer # inside the obstacle: no side holds
expect 1 "$ABUT" check corner.json inside.answer

# ---- what a newcomer may ask ----
sed 's/"contacts": \[/"joints": [{"bodies": [0, -1], "jacobian": [[0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0]]}], &/' \
    corner.json >held.json # a joint row: each answer listed has its force
expect 0 "$ABUT" solve held.json --all --json
cp out held.answer
expect 0 "$ABUT" check held.json held.answer
sed '/"solutions"/,$s/"joints": \[.*\]/"joints": [1]/' held.answer >bent.answer
expect 1 "$ABUT" check held.json bent.answer
says "wrong: solutions[2]"
capsule '-2, -1' frictionless '1 0 1 7' >one.json # a group of one is an ordinary contact
expect 0 "$ABUT" solve one.json
says "          1.5 "
expect 0 "$ABUT" solve one.json --all
says "1 answer in all"
expect 0 "$ABUT" solve one.json --model coulomb --all
says "1 answer in all"
sed 's/"directions"/"friction": 0.5, "directions"/' one.json >rubs.json
expect 0 "$ABUT" solve rubs.json --model coulomb --all # friction may have several, which only unions go through
says "there may be more"
capsule '-2, -1' no-slip '1 0 -1 7' '0 1 1 7' >glued.json
expect 0 "$ABUT" solve glued.json
expect 0 "$ABUT" solve corner.json --union sum --epsilon 1e6 # the cap is larger than the world
expect 0 "$ABUT" solve corner.json --union sum --epsilon 1e-9
refused "--epsilon" "$ABUT" solve corner.json --epsilon -1
refused "--union" "$ABUT" solve corner.json --union min

# ---- options that would change nothing ----
sed 's/, "group": 7//g' corner.json >plain.json
for option in '--union sum' '--union max' '--prefer energy' '--epsilon 0.1'; do
    # shellcheck disable=SC2086
    refused "${option%% *}: no contact has a group; expected a problem with unions" "$ABUT" solve plain.json $option
done
refused "expected --union sum beside it" "$ABUT" solve corner.json --epsilon 0.1
refused "expected --union sum beside it" "$ABUT" solve corner.json --union max --epsilon 0.1
refused "--directions: model frictionless has no friction" "$ABUT" solve corner.json --directions 16
refused "--directions 2: changes nothing" "$ABUT" solve corner.json --model no-slip --directions 2
refused "--accel-directions: model frictionless; expected coulomb-accel" "$ABUT" solve corner.json --accel-directions 8
refused "--impulse: model frictionless" "$ABUT" solve corner.json --impulse
refused "--report statics: model frictionless" "$ABUT" solve corner.json --report statics
expect 0 "$ABUT" solve corner.json --union max --prefer first

# ---- what else a newcomer may ask ----
capsule '-2, -1' frictionless '1 0 NaN 7' '0 1 1 7' >nan.json
refused "nan.json" "$ABUT" solve nan.json
capsule '-2, -1' frictionless '1 0 1e400 7' '0 1 1 7' >nan.json
refused "nan.json" "$ABUT" solve nan.json
for group in -1 1.5 '"a"' true 3000000000; do
    capsule '-2, -1' frictionless "1 0 1 $group" '0 1 1 7' >bad.json
    refused "contacts[0].group" "$ABUT" solve bad.json
done
capsule '-2, -1' viscous '1 0 1 7' '0 1 1 7' >viscous.json
refused "contacts[0].group: a union; model viscous has none" "$ABUT" solve viscous.json
capsule '-2, -1' coulomb-accel '1 0 1 7' '0 1 1 7' >accel.json
refused "model coulomb-accel has none" "$ABUT" solve accel.json

# ---- --all refuses before it writes ----
sides=()
for i in $(seq 17); do sides+=("0 1 1 $((i / 2 + 1))"); done
capsule '-2, -1' frictionless "${sides[@]}" >many.json
refused "17 sides of unions; expected at most 16" "$ABUT" solve many.json --all --json
expect 0 "$ABUT" solve many.json
sed 's/"bodies": \[{\(.*\)}\], "contacts"/"bodies": [{\1}, {\1}], "contacts"/; s/\]}$/, {"bodies": [1, -1], "point": [1, 1, 0], "normal": [1, 0, 0], "gap": 1, "group": 8}, {"bodies": [1, -1], "point": [1, 1, 0], "normal": [0, 1, 0], "gap": 1, "group": 8}]}/' corner.json >two.json
expect 0 "$ABUT" solve two.json
refused "one island with unions" "$ABUT" solve two.json --all --json
sed 's/, "group": 7//g' corner.json >plain.json # an ordinary problem: its answers are not gone through
expect 0 "$ABUT" solve plain.json
refused "no contact has a group; expected a problem with unions, or model coulomb-accel" "$ABUT" solve plain.json --all

finish
