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
expect 0 '^model +viscous' "$scenes/stack_2.xml" --seconds 0.1 --model viscous --threads 2
expect 0 '^verified +20 of 20' "$scenes/stack_2.xml" --seconds 0.1 --model coulomb-accel --integrator runge-kutta
expect 2 "--integrator 'heun': expected one of euler, runge-kutta" "$scenes/peg.xml" --model viscous --integrator heun
expect 0 '^verified' "$scenes/gripper.xml" --seconds 0.1 --keyframe closed
expect 2 "no keyframe 'jump'" "$scenes/gripper.xml" --keyframe jump
expect 0 '^verified +200 of 200 steps' "$scenes/gripper.xml" --seconds 1 --control "$scenes/gripper.csv"
expect 2 "--model 'no-slop': did you mean no-slip?" "$scenes/peg.xml" --model no-slop
expect 0 '^verified +20 of 20 steps' "$scenes/peg.xml" --seconds 0.1 --cone circle
expect 2 "--cone 'square': expected one of polygon, circle" "$scenes/peg.xml" --cone square
expect 2 'cannot open' nowhere.xml

printf '<mujoco>\n<worldbody><flexcomp name="f"/></worldbody></mujoco>\n' >flex.xml
expect 2 'flex.xml:2: <flexcomp>: not supported' flex.xml
expect 0 'warning: flex.xml:2: <flexcomp>: not supported' flex.xml --lenient --seconds 0.01

printf 'time, lift, left, right\n0, 0, 10, 10\n0.05, 0.1, 10, 10\n' >control.csv
expect 0 '^verified' "$scenes/gripper.xml" --seconds 0.1 --control control.csv
printf '0, 1\n' >short.csv
expect 2 'short.csv:1: 2 numbers; expected a time and 3 inputs' "$scenes/gripper.xml" --control short.csv

# A recording has every step and is whole; nothing else is left beside it.
expect 0 '^recording +peg.abr' "$scenes/peg.xml" --seconds 0.2 --out peg.abr
info=$("$ABUT" record info peg.abr) || complain "the recording is not complete: $info"
grep -q '^steps  *40 of 0.005 s, from 0.005 s to 0.2 s, complete' <<<"$info" || complain "not 40 steps: $info"
grep -q '^Peg in a hole' <<<"$info" || complain "no title: $info"
grep -q '^bodies  *1, with 6 shapes' <<<"$info" || complain "not one peg and six shapes: $info"
grep -q '^solved  *40 of 40' <<<"$info" || complain "not verified: $info"
expect 0 '^verified' "$scenes/gripper.xml" --seconds 0.1 --keyframe closed --out gripper.abr
"$ABUT" record info gripper.abr >/dev/null || complain "the recording of the gripper is not complete"
expect 0 '^verified' "$scenes/quadruped.xml" --seconds 0.05 --keyframe stand --out quadruped.abr
"$ABUT" record info quadruped.abr >/dev/null || complain "the recording of the quadruped is not complete"

# What the scene says about its run holds where the command line says nothing.
expect 0 '^verified +200 of 200 steps' "$scenes/peg.xml"
sed 's/data="gripper.csv"/data="nowhere.csv"/' "$scenes/gripper.xml" >asks.xml
expect 2 'nowhere.csv' asks.xml
expect 0 '^verified' asks.xml --seconds 0.1 --control "$scenes/gripper.csv"
sed 's/abut_seconds" data="1"/abut_seconds" data="-1"/' "$scenes/peg.xml" >asks.xml
expect 2 "custom 'abut_seconds': expected a number" asks.xml
expect 0 '^verified +20 of 20' "$scenes/peg.xml" --seconds 0.1 --seed 7
expect 2 'seed' "$scenes/peg.xml" --seed -1

# Killed in the middle of a step: what was taken before is whole.
rm -f killed.abr
"$ABUT" run "$scenes/stack_10.xml" --seconds 100000 --out killed.abr >/dev/null 2>&1 &
victim=$!
for _ in $(seq 200); do [ "$(wc -c <killed.abr 2>/dev/null || echo 0)" -gt 20000 ] && break || sleep 0.05; done
kill -KILL $victim
wait $victim 2>/dev/null
info=$("$ABUT" record info killed.abr)
[ $? -eq 1 ] || complain "a killed run is not told from a complete one: $info"
grep -q '^steps  *[0-9]* of 0.005 s, from 0.005 s to .*, interrupted' <<<"$info" || complain "the killed run cannot be read: $info"

# What cannot be written is refused before the run.
mkdir -p folder
expect 2 'folder: Is a directory' "$scenes/peg.xml" --seconds 1000 --out folder
expect 2 'nowhere/peg.abr: No such file' "$scenes/peg.xml" --seconds 1000 --out nowhere/peg.abr
[ ! -e /dev/full ] || expect 2 '/dev/full: No space' "$scenes/peg.xml" --seconds 1000 --out /dev/full
cp "$scenes/peg.xml" copy.xml
expect 2 'would replace the scene' copy.xml --seconds 1000 --out ./copy.xml
cmp -s "$scenes/peg.xml" copy.xml || complain "the scene was replaced"
printf '0\n1\n' >times.csv
cp times.csv kept.csv
expect 2 'would replace the control file' copy.xml --control times.csv --out ./times.csv
cmp -s times.csv kept.csv || complain "the control file was replaced"
expect 2 'peg.abr: Not a directory' "$scenes/peg.xml" --seconds 1000 --capsules peg.abr

# The page, with a viewer that is only a mark, then the built one.
printf 'A<!--recordings-->C' >stub.html
export ABUT_VIEWER=$PWD/stub.html
mkdir -p temporary
TMPDIR=$PWD/temporary expect 0 '^page +peg.html' "$scenes/peg.xml" --seconds 0.2 --html peg.html
grep -q 'class="recording" data-name="peg.abr" data-problem="">iWFidXQNCh' peg.html || complain "no recording in the page"
rmdir temporary || complain "a temporary recording was left"
expect 2 'folder: Is a directory' "$scenes/peg.xml" --seconds 1000 --html folder
expect 2 'the same file' "$scenes/peg.xml" --seconds 1000 --html same --out same
ABUT_VIEWER=missing expect 2 'ABUT_VIEWER=missing' "$scenes/peg.xml" --seconds 1000 --html none.html
[ ! -e none.html ] || complain "a page without a viewer was left"
unset ABUT_VIEWER
if [ "${ABUT_HAVE_VIEWER:-}" = ON ]; then
    expect 0 '^page' "$scenes/peg.xml" --seconds 0.2 --out peg.abr --html built.html
    grep -q 'class="recording"' built.html || complain "no recording in the built page"
    # The name of the XHTML namespace looks like an address and is none.
    addresses=$(grep -oiE '(https?|wss?)://[a-z0-9./-]*|(src|href)="?//[^ >]*' built.html | grep -vx 'http://www.w3.org/1999/xhtml')
    [ -z "$addresses" ] || complain "the page names a network address: $addresses"
fi

# With the inputs that come with it the gripper lifts its block: potential energy of all four bodies, 12 cm higher.
"$ABUT" run "$scenes/gripper.xml" --json | awk -F'[:,]' '/"energy_last"/ { e = $2 } END { exit !(e > 1.88 && e < 1.96) }' || complain "the gripper does not hold its block"

# What joints carry is in the recording: a pendulum of 2 kg at rest hangs by its weight, a motor lifts 3 kg with 50 N.
cat >hanging.xml <<'END'
<mujoco><option timestep="0.01" gravity="0 0 -10"/><worldbody>
<body pos="0 0 1"><joint name="pivot" type="hinge" axis="0 1 0"/><geom type="sphere" size="0.1" pos="0 0 -0.5" mass="2"/></body>
</worldbody></mujoco>
END
cat >lifted.xml <<'END'
<mujoco><option timestep="0.01" gravity="0 0 -10"/><worldbody>
<body><joint name="lift" type="slide" axis="0 0 1"/><geom type="sphere" size="0.1" mass="3"/></body>
</worldbody><actuator><motor joint="lift"/></actuator></mujoco>
END
printf '0, 50\n' >lifted.csv
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b * (1 - 1e-4) && a < b * (1 + 1e-4)) }' || complain "joints carry $1 N s, not $2"; }
carried() { "$ABUT" record info "$1" --json | sed -n 's/.*"joint_impulse": \([-0-9.e]*\).*/\1/p'; }
"$ABUT" run hanging.xml --seconds 0.5 --out hanging.abr >/dev/null
near "$(carried hanging.abr)" 0.2
"$ABUT" run lifted.xml --seconds 0.5 --control lifted.csv --out lifted.abr >/dev/null
near "$(carried lifted.abr)" 0.5
"$ABUT" record info lifted.abr | grep -q '^joints  *carry at most 0.5 N s a step' || complain "record info does not tell what joints carry"

# Capsules, ten at most: of blocks (belts that pinch a box have no answer) and of bodies.
cat >pinch.xml <<'END'
<mujoco><worldbody>
<geom type="plane" size="1 1 1" surfacevel="0 0 0.01 0 0 0"/>
<geom type="box" pos="0 0 0.3" size="0.1 0.1 0.1" surfacevel="0 0 -0.01 0 0 0"/>
<body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
</worldbody></mujoco>
END
expect 1 '^capsules +10 of 10' pinch.xml --seconds 0.02 --capsules pinched --out pinch.abr
if [ "${ABUT_HAVE_JSON:-}" = ON ]; then
    for file in pinched/*.json; do
        output=$("$ABUT" solve "$file") && complain "$file is solved"
        grep -q infeasible <<<"$output" || complain "$file is not proven to have no answer: $output"
    done
fi
"$ABUT" record info pinch.abr | grep -q '^solved  *0 of 10' || complain "the recording calls safe steps solved"
cat >masses.xml <<'END'
<mujoco><option timestep="0.005"/><worldbody>
<geom type="plane" size="1 1 1"/>
<body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="1e-3"/></body>
<body pos="0.01 0.02 0.3"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="1e8"/></body>
<body pos="0.02 0.01 0.5"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="1e-3"/></body>
<body pos="0.01 0.02 0.7"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="1e8"/></body>
</worldbody></mujoco>
END
rm -rf capsules
output=$("$ABUT" run masses.xml --seconds 0.2 --capsules capsules)
read -r written of <<<"$(sed -n 's/^capsules  *\([0-9]*\) of \([0-9]*\) .*/\1 \2/p' <<<"$output")"
[ "$written" = $((of < 10 ? of : 10)) ] || complain "not a capsule for each of the first ten steps: $output"
[ "$(find capsules -name "masses-*.json" | wc -l)" = "$written" ] || complain "other capsules than told: $(ls capsules)"
if [ "${ABUT_HAVE_JSON:-}" = ON ]; then
    for file in capsules/*.json; do
        [ -e "$file" ] || continue
        "$ABUT" solve "$file" >/dev/null 2>capsule.err
        [ $? -le 1 ] || complain "$file: $(cat capsule.err)"
        ! grep -q compliance "$file" || complain "$file: the problem is the safe step's"
    done
fi

# Ctrl-C: what there is.
rm -f killed.abr
"$ABUT" run "$scenes/stack_10.xml" --seconds 100000 --json --out interrupted.abr >interrupted.json 2>interrupted.err &
child=$!
sleep 1
kill -INT $child
wait $child
[ $? -eq 0 ] || complain "an interrupted run whose steps are verified ends well"
grep -q '"interrupted": true' interrupted.json || complain "an interrupted run says so: $(cat interrupted.json)"
steps=$(sed -n 's/.*"steps": \([0-9]*\).*/\1/p' interrupted.json)
info=$("$ABUT" record info interrupted.abr)
[ $? -eq 1 ] || complain "the recording of an interrupted run looks whole"
grep -q "^steps  *$steps of .*, interrupted" <<<"$info" || complain "not the $steps steps of the run: $info"
exit $status
