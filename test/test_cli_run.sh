#!/usr/bin/env bash
# abut run: what it prints, its exit status, what it refuses.
set -uo pipefail
[ "${ABUT_HAVE_XML:-}" = ON ] || exit 77
status=0
complain() {
    echo "$1" >&2
    status=1
}
# expect STATUS PATTERN ARGUMENTS...: the exit status, and a line on either output.
expect() {
    local wanted=$1 pattern=$2 output code
    shift 2
    output=$("$ABUT" run "$@" 2>&1)
    code=$?
    [ $code -eq "$wanted" ] || complain "abut run $*: status $code, expected $wanted: $output"
    grep -qE -- "$pattern" <<<"$output" || complain "abut run $*: no line matches '$pattern' in: $output"
}
scenes=$ABUT_SOURCE/scenes

expect 0 '^verified +20 of 20 steps' "$scenes/peg.xml" --seconds 0.1
expect 0 '^to see +The peg' "$scenes/peg.xml" --seconds 0.1
expect 0 '"unverified": 0' "$scenes/peg.xml" --seconds 0.1 --json
expect 0 '10 steps of 0.01 s' "$scenes/peg.xml" --seconds 0.1 --step 0.01
expect 0 '^model +no-slip' "$scenes/stack_2.xml" --seconds 0.1 --model no-slip
expect 0 '^verified' "$scenes/gripper.xml" --seconds 0.1 --keyframe closed
expect 2 "no keyframe 'jump'" "$scenes/gripper.xml" --keyframe jump
expect 0 '^verified +200 of 200 steps' "$scenes/gripper.xml" --seconds 1 --control "$scenes/gripper.csv"
expect 2 'not the name of a model' "$scenes/peg.xml" --model sticky
expect 2 'cannot open' nowhere.xml

printf '<mujoco>\n<worldbody><flexcomp name="f"/></worldbody></mujoco>\n' >flex.xml
expect 2 'flex.xml:2: <flexcomp>: not supported' flex.xml
expect 0 'warning: flex.xml:2: <flexcomp>: not supported' flex.xml --lenient --seconds 0.01

printf 'time, lift, left, right\n0, 0, 10, 10\n0.05, 0.1, 10, 10\n' >control.csv
expect 0 '^verified' "$scenes/gripper.xml" --seconds 0.1 --control control.csv
printf '0, 1\n' >short.csv
expect 2 'short.csv:1: 2 numbers; expected a time and 3 inputs' "$scenes/gripper.xml" --control short.csv

# Ctrl-C: what there is.
"$ABUT" run "$scenes/stack_10.xml" --seconds 100000 --json >interrupted.json &
child=$!
sleep 1
kill -INT $child
wait $child
[ $? -eq 0 ] || complain "an interrupted run whose steps are verified ends well"
grep -q '"interrupted": true' interrupted.json || complain "an interrupted run says so: $(cat interrupted.json)"
exit $status
