#!/usr/bin/env bash
# What the command line says to someone who meets it for the first time: every mistake gets one line that names the
# place and what was expected, and nothing that is not a number is printed as one.
. "$(dirname "$0")/cli_case.sh"

# ---- a full device is noticed by every text ----
if [ -w /dev/full ]; then
    for words in --help --version help "solve --help" "lcp --help" demo; do
        # shellcheck disable=SC2086 # several words
        "$ABUT" $words >/dev/full 2>err
        [ $? -eq 2 ] || complain "abut $words: a full device was not noticed"
        grep -q "standard output could not be written" err || complain "abut $words: no word about the full device"
        checks=$((checks + 1))
    done
fi

# ---- mistakes at the command line ----
refused "-o FILE is missing" "$ABUT" convert any.json
refused "-o FILE is missing" "$ABUT" view any.abr
refused "unknown verb 'sovle'; did you mean 'abut solve'?" "$ABUT" sovle
refused "unknown option '--modle'; did you mean --model?" "$ABUT" solve x.json --modle coulomb
refused "unknown option '--versoin'; did you mean 'abut --version'?" "$ABUT" --versoin
refused "--model 'coloumb': did you mean coulomb? expected one of file, coulomb, " "$ABUT" solve x.json --model coloumb
refused "--model 'sticky': expected one of file, coulomb, " "$ABUT" solve x.json --model sticky
refused "unknown verb 'sovle'; did you mean 'abut solve'?" "$ABUT" help sovle
expect 0 "$ABUT" help solve
says "usage: abut solve FILE"
refused "FILE is missing" "$ABUT" solve
refused "nowhere.json: No such file" "$ABUT" solve nowhere.json

if [ "${ABUT_HAVE_JSON:-ON}" != ON ]; then
    finish
    exit
fi

# capsule BODY CONTACT [REST]: writes x.json; each argument is further fields.
capsule() {
    cat >x.json <<END
{"bodies": [{"inertia": [1, 1, 1], "com": [0, 0, 0.5] $1}],
 "contacts": [{"bodies": [0, -1], "point": [0, 0, 0], "normal": [0, 0, 1] $2}] ${3-}}
END
}
weight=', "mass": 1, "force": [0, 0, -9.81, 0, 0, 0]'

# ---- names that a capsule does not know ----
capsule "$weight" ', "friction": 0.5'
expect 0 "$ABUT" solve x.json
capsule "$weight" ', "mu": 0.5'
refused 'x.json: contacts[0].mu: unknown name; expected "friction"' "$ABUT" solve x.json
capsule "$weight" '' ', "gravity": [0, 0, -9.81]'
refused "x.json: gravity: unknown name; expected the weight within each body's \"force\"" "$ABUT" solve x.json
capsule "$weight" ', "frictoin": 0.5'
refused 'x.json: contacts[0].frictoin: unknown name; expected "friction"' "$ABUT" check x.json x.json
capsule "$weight"', "colour": "red"' ''
refused "x.json: bodies[0].colour: unknown name; expected one of mass, inertia, com, velocity, force, kind" "$ABUT" convert x.json -o y.json

# ---- numbers out of range: the whole range is named ----
for mass in 1e308 0 -1; do
    capsule ", \"mass\": $mass" ''
    refused "bodies[0].mass: $(printf %g $mass); expected a number from 1e-100 to 1e100" "$ABUT" solve x.json
done
capsule "$weight" '' ', "step": 1e200'
refused "step: 1e+200; expected a number from 1e-100 to 1e100" "$ABUT" solve x.json

# ---- too large is not failed ----
{
    printf '{"bodies": [{"mass": 1, "inertia": [1, 1, 1], "com": [0, 0, 0.5], "velocity": [1, 0, -1, 0, 0, 0]}], "contacts": ['
    for ((i = 0; i < 2001; i++)); do
        [ $i -eq 0 ] || printf ', '
        printf '{"bodies": [0, -1], "point": [0.%04d, 0.%d, 0], "normal": [0, 0, 1], "friction": 0.3}' $i $((i % 7))
    done
    printf ']}\n'
} >many.json
refused "more rows than solver lemke takes" "$ABUT" solve many.json --solver lemke --alone
refused "more rows than solver enumerate takes" "$ABUT" solve many.json --solver enumerate --alone
refused "more rows than solver dantzig takes" "$ABUT" solve many.json --model frictionless --solver dantzig --alone
expect 0 "$ABUT" solve many.json

# ---- check: what is no number is not printed as one ----
capsule "$weight" ', "friction": 0.5'
expect 0 "$ABUT" solve x.json --json
cp out answer.json
edited() { tr -d '\n' <answer.json | sed "$1" >huge.json; }
for edit in 's/"velocity": *\[[^]]*\]/"velocity": [1e308, 1e308, 1e308, 1e308, 1e308, 1e308]/' \
    's/"impulses": *\[ *\[[^]]*\]/"impulses": [[1e308, 1e308, 1e308]/'; do
    edited "$edit"
    expect 1 "$ABUT" check x.json huge.json
    says "wrong"
    says "not measurable"
    if grep -qiwE "nan|inf" out; then complain "check printed what is no number: $(cat out)"; fi
    expect 1 "$ABUT" check x.json huge.json --json
    says '"right": false'
    if grep -qiwE "nan|inf" out; then complain "check --json printed what is no number: $(cat out)"; fi
done

finish
