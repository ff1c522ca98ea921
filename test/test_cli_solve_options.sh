#!/usr/bin/env bash
# The options of `abut solve` that steer the solve: --stage, --max-pivots, --max-seconds, --warm-from, --slide-threshold
# and --joint-rows. Each changes what it says, and is refused by name where it would change nothing.
. "$(dirname "$0")/cli_case.sh"
[ "${ABUT_HAVE_JSON:-ON}" = ON ] || exit 77

# box NAME KEYS [STATE]: four corners of a box that slides and lands, with these keys (or none), and joint rows.
box() {
    local keys=($2) corner=(-0.5,-0.5 0.5,-0.5 0.5,0.5 -0.5,0.5) i
    {
        printf '{"bodies": [{"mass": 1, "inertia": [0.2, 0.2, 0.2], "com": [0, 0, 0.5], "velocity": [%s, 0.5, -1, 0, 0, 0]}],\n' "${3:-1}"
        printf ' "contacts": ['
        for i in 0 1 2 3; do
            [ $i -eq 0 ] || printf ',\n  '
            printf '{"bodies": [0, -1], "point": [%s, 0], "normal": [0, 0, 1], "friction": 0.25' "${corner[i]}"
            [ ${#keys[@]} -eq 0 ] || printf ', "key": %s' "${keys[i]}"
            printf '}'
        done
        printf ']%s}\n' "${4-}"
    } >"$1"
}
# number NAME FILE: the value of "NAME" in JSON output.
number() { sed -n "s/^ *\"$1\": \\([^,]*\\),\\{0,1\\}\$/\\1/p" "$2"; }

box box.json ""
box keyed.json "11 12 13 9007199254740993"
box other.json "9007199254740993 12 11 99"
box jointed.json "" 1 ', "joints": [{"bodies": [0, -1], "jacobian": [[0, 1, 0, 0, 0, 0]]}]'

# ---- --stage ----
for stage in faces-greedy faces-path faces-cover reduced structural lemke; do
    expect 0 "$ABUT" solve box.json --stage $stage --json
    says "\"stage\": \"$stage\""
    cp out answer.json
    expect 0 "$ABUT" check box.json answer.json
done
expect 0 "$ABUT" solve box.json --model no-slip --stage ppm
says "solved by ppm"
refused "--stage 'faces-pth': no stage of model coulomb; did you mean faces-path? expected one of faces-check, sparse-hold, " "$ABUT" solve box.json --stage faces-pth
refused "--stage 'ppm': no stage of model coulomb" "$ABUT" solve box.json --stage ppm
refused "--solver: --stage runs one stage" "$ABUT" solve box.json --stage reduced --solver lemke
refused "--alone: --stage runs one stage" "$ABUT" solve box.json --stage reduced --alone
printf '2\n1\n0\n2\n2\n2 2\n2 1\n1 2\n-1 0.5\n0.3\n' >one.dat
refused "--stage structural: does not answer a problem in local form" "$ABUT" solve one.dat --stage structural
expect 1 "$ABUT" solve box.json --stage faces-check # which only looks at states that were given
says "without --stage others follow"

# ---- budgets ----
expect 0 "$ABUT" solve box.json --solver structural --json
pivots=$(number pivots out)
[ "$pivots" -gt 2 ] || complain "structural took $pivots pivots: too few to cut short"
# (The point that a spent budget leaves may be an answer by itself: of a box it is, of a stack it is not.)
expect 1 "$ABUT" solve "$(dirname "$0")/../examples/capsules/stack.json" --solver structural --alone --max-pivots 1 --json
says '"outcome": "limit"'
expect 0 "$ABUT" solve box.json --solver structural --alone --max-pivots 1000
expect 1 "$ABUT" solve box.json --max-seconds 1e-9
says "the budget is spent"
expect 0 "$ABUT" solve box.json --max-seconds 60
refused "--max-pivots '0': expected a whole number from 1 to 2147483647" "$ABUT" solve box.json --max-pivots 0
refused "--max-seconds '0': expected a number from 1e-09 to 1e+09" "$ABUT" solve box.json --max-seconds 0

# ---- --warm-from ----
expect 0 "$ABUT" solve keyed.json --json
cp out keyed.answer
says '"keys": [11, 12, 13, 9007199254740993]'
cold=$(number pivots out)
[ "$cold" -gt 0 ] || complain "the cold start took no pivots"
expect 0 "$ABUT" solve keyed.json --warm-from keyed.answer --json
says '"stage": "faces-check"'
[ "$(number pivots out)" -lt "$cold" ] || complain "a warm start took $(number pivots out) pivots, a cold one $cold"
cp out warm.answer
expect 0 "$ABUT" check keyed.json warm.answer
# By key, in another order and with a contact that the answer does not know; the last key needs all of its 64 bits.
expect 0 "$ABUT" solve other.json --warm-from keyed.answer --json
cp out other.answer
expect 0 "$ABUT" check other.json other.answer
# By index where one of the two has no keys.
expect 0 "$ABUT" solve box.json --warm-from keyed.answer --json
says '"stage": "faces-check"'
expect 0 "$ABUT" solve box.json --json
cp out unkeyed.answer
expect 0 "$ABUT" solve keyed.json --warm-from unkeyed.answer
# States and faces alone, as a script may write them: right ones are taken as they are, all open is not the answer.
expect 0 "$ABUT" solve box.json --json
{
    echo '{'
    grep -E '"(states|faces)":' out | sed '$s/,$//'
    echo '}'
} >bare.answer
expect 0 "$ABUT" solve box.json --stage faces-check --warm-from bare.answer
echo '{"states": ["open", "open", "open", "open"]}' >open.answer
expect 1 "$ABUT" solve box.json --stage faces-check --warm-from open.answer
expect 0 "$ABUT" solve box.json --warm-from open.answer
# On a circle the number of a state counts 256ths of a turn: an answer that slides far round its circle is read back.
box round.json "21 22 23 24" -1
expect 0 "$ABUT" solve round.json --cone circle --json
grep -oE 'slide:[0-9]+' out | cut -d: -f2 >turns
[ "$(sort -n turns | tail -1)" -ge 64 ] || complain "no contact slides beyond 64/256 of a turn: the case shows nothing"
cp out round.answer
expect 0 "$ABUT" solve round.json --cone circle --warm-from round.answer --json
cp out again.answer
expect 0 "$ABUT" check round.json again.answer
refused "--warm-from: nowhere.json: No such file" "$ABUT" solve box.json --warm-from nowhere.json
echo '{"states": ["stick"]}' >short.answer
refused "--warm-from: short.answer: states: expected a list with one state for each contact" "$ABUT" solve box.json --warm-from short.answer
echo '{"outcome": "failed", "states": null, "warm": null}' >none.answer
refused "--warm-from: none.answer: states: expected a list" "$ABUT" solve box.json --warm-from none.answer
echo '{"states": ["stick", "glued", "open", "open"]}' >odd.answer
refused 'odd.answer: states[1]: "glued"; expected open, slide, edge, stick or new' "$ABUT" solve box.json --warm-from odd.answer
box strange.json "1 2 3 4"
refused "warm.keys: none is that of a contact" "$ABUT" solve strange.json --warm-from keyed.answer
refused "--warm-from: solver lemke starts from no states" "$ABUT" solve box.json --solver lemke --warm-from open.answer
echo '{"bodies": [{"mass": 1, "inertia": [1, 1, 1], "com": [0, 0, 0]}]}' >free.json
refused "--warm-from: there are no contacts" "$ABUT" solve free.json --warm-from open.answer

# ---- --joint-rows: the same answer either way ----
expect 0 "$ABUT" solve jointed.json --joint-rows permanent --json
cp out permanent.answer
expect 0 "$ABUT" solve jointed.json --joint-rows projected --json
cp out projected.answer
expect 0 "$ABUT" check jointed.json projected.answer
for name in velocity joints; do
    diff <(grep "^  \"$name\":" permanent.answer | tr -d '[],' | xargs printf '%.6f ' 2>/dev/null) \
        <(grep "^  \"$name\":" projected.answer | tr -d '[],' | xargs printf '%.6f ' 2>/dev/null) >/dev/null ||
        complain "--joint-rows: $name differs"
done
refused "--joint-rows: there are no joint rows" "$ABUT" solve box.json --joint-rows projected
refused "--joint-rows 'both': expected one of permanent, projected" "$ABUT" solve jointed.json --joint-rows both

# ---- --slide-threshold: below it a slow contact sticks, above it slides ----
slow='{"bodies": [{"mass": 1, "inertia": [1, 1, 1], "com": [0, 0, 0], "velocity": [1e-4, 0, 0, 0, 0, 0], "force": [0, 0, -10, 0, 0, 0]}],
 "contacts": [{"bodies": [0, -1], "point": [0, 0, 0], "normal": [0, 0, 1], "tangent": [1, 0, 0], "directions": 2, "friction": 0.5}], "model": "coulomb-accel"}'
echo "$slow" >slow.json
expect 0 "$ABUT" solve slow.json --json
grep -A1 '"forces"' out | tail -n 1 | grep -q -- '-5' || complain "a sliding contact is braked by friction 0.5 times 10 N: $(grep -A1 '"forces"' out)"
expect 0 "$ABUT" solve slow.json --slide-threshold 1e-3 --json
grep -A1 '"forces"' out | tail -n 1 | grep -q -- '-5' && complain "--slide-threshold 1e-3: a contact at 1e-4 m/s slides"
says '"slide_threshold": 0.001'
cp out slow.answer
expect 0 "$ABUT" check slow.json slow.answer # by the threshold of the answer
sed '/slide_threshold/d' slow.answer >default.answer
expect 1 "$ABUT" check slow.json default.answer
sed 's/"slide_threshold": 0.001[0-9]*/"slide_threshold": "x"/' slow.answer >bad.answer
refused 'slide_threshold: "x"; expected a number >= 0' "$ABUT" check slow.json bad.answer
refused "--slide-threshold: model coulomb tells slip by its states; expected coulomb-accel" "$ABUT" solve box.json --slide-threshold 1e-3
refused "--slide-threshold: model viscous reads it with --impulse only" "$ABUT" solve box.json --model viscous --slide-threshold 1e-3
expect 0 "$ABUT" solve box.json --model viscous --impulse --slide-threshold 1e-3

# ---- --viscous: at the velocity after the step, or before it; `abut check` reads which ----
sed 's/"friction": 0.25/"friction": 0, "viscous": 1000/g' box.json >viscous.json
for rule in implicit explicit; do
    expect 0 "$ABUT" solve viscous.json --viscous $rule --json
    says "\"viscous\": \"$rule\""
    cp out $rule.answer
    expect 0 "$ABUT" check viscous.json $rule.answer
done
sed 's/"viscous": "explicit"/"viscous": "implicit"/' explicit.answer >claimed.answer
expect 1 "$ABUT" check viscous.json claimed.answer
refused "--viscous: no contact has a viscous coefficient > 0" "$ABUT" solve box.json --viscous explicit
refused "--viscous: forces of model viscous follow the velocity before" "$ABUT" solve viscous.json --model viscous --viscous explicit
# ---- --impact-seconds: viscous friction in the impact of a first touch ----
for seconds in 0 0.01; do
    expect 0 "$ABUT" solve viscous.json --model viscous --impulse --impact-seconds $seconds --json
    cp out impact$seconds.answer
    expect 0 "$ABUT" check viscous.json impact$seconds.answer
done
cmp -s impact0.answer impact0.01.answer && complain "--impact-seconds changes nothing"
grep -v impact_seconds impact0.01.answer >claimed.answer
expect 1 "$ABUT" check viscous.json claimed.answer
refused "--impact-seconds: model viscous without --impulse" "$ABUT" solve viscous.json --model viscous --impact-seconds 1

# ---- every option stands in the help, with an example ----
expect 0 "$ABUT" solve --help
for name in --stage --max-pivots --max-seconds --warm-from --slide-threshold --joint-rows --viscous --impact-seconds; do
    [ "$(grep -c -- "$name" out)" -ge 2 ] || complain "--help does not explain $name"
    sed -n '/^examples:/,$p' out | grep -q -- "$name" || complain "--help has no example of $name"
done

finish
