#!/usr/bin/env bash
# `abut solve --others`: a block between two fingers that slide and press, held with room to spare. It rests, and it has
# answers in which it turns about a corner.
. "$ABUT_SOURCE/test/cli_case.sh"
[ "${ABUT_HAVE_JSON:-ON}" = ON ] || exit 77
command -v python3 >/dev/null || exit 77

finger() { # X PUSH
    echo "{\"mass\": 0.5, \"inertia\": [0.002, 0.002, 0.002, 0, 0, 0], \"com\": [$1, 0, 0], \"force\": [$2, 0, 0, 0, 0, 0]}"
}
corners() { # A B X
    for y in -0.05 0.05; do
        for z in -0.05 0.05; do
            echo "{\"bodies\": [$1, $2], \"point\": [$3, $y, $z], \"normal\": [1, 0, 0], \"friction\": 0.5}"
        done
    done
}
slide() { # BODY: all but x is held
    for k in 1 2 3 4 5; do
        row=(0 0 0 0 0 0)
        row[k]=1
        echo "{\"bodies\": [$1, -1], \"jacobian\": [[$(IFS=,; echo "${row[*]}")], [0, 0, 0, 0, 0, 0]]}"
    done
}
list() { paste -sd, -; }
{
    echo '{"abut": "capsule", "version": 1, "step": 0.004, "model": "coulomb", "bodies": ['
    { finger -0.1 10; finger 0.1 -10; echo '{"mass": 0.4, "inertia": [0.0007, 0.0007, 0.0007, 0, 0, 0], "com": [0, 0, 0], "force": [0, 0, -3.924, 0, 0, 0]}'; } | list
    echo '], "contacts": ['
    { corners 2 0 -0.05; corners 1 2 0.05; } | list
    echo '], "joints": ['
    { slide 0; slide 1; } | list
    echo ']}'
} >grasp.json

expect 0 "$ABUT" solve grasp.json --json
says '"others":'
expect 0 "$ABUT" solve grasp.json --others 3
says 'kinetic energy after the step'
says '(the answer above)'
expect 0 "$ABUT" solve grasp.json --others 3 --json
cp out answer.json
says '"other_answers": ['
says '"energy":'
python3 - answer.json <<'P' 2>err || complain "answer.json: $(cat err)"
import json, sys
a = json.load(open(sys.argv[1]))
assert a["outcome"] == "solved" and max(map(abs, a["velocity"])) < 1e-12, a["velocity"]
assert len(a["other_answers"]) >= 1, "no other answer"
for o in a["other_answers"]:
    assert o["residual"] <= 1e-9 and o["energy"] > 1e-12 and max(map(abs, o["velocity"])) > 1e-6, o
assert len({round(o["velocity"][14], 9) for o in a["other_answers"]} | {0}) > 1
P
expect 0 "$ABUT" check grasp.json answer.json
expect 0 "$ABUT" solve grasp.json --stage faces-greedy --json
refused '--others: model frictionless; expected coulomb' "$ABUT" solve grasp.json --model frictionless --others 2
refused '--others' "$ABUT" solve grasp.json --others -1
finish
