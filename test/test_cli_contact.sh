#!/usr/bin/env bash
# `abut solve`, `abut check` and `abut convert` on contact problems.
. "$(dirname "$0")/cli_case.sh"

cat >pair.txt <<'END'
contactset 1 pair 2
problem 0 bodies 1 contacts 1 dirs 8
b 1 0.4 0.4 0.4 0 0 0 0 0 0.5 0.1 0 -1 0 0 0
c 0 -1 0.25 0 0 0 0 0 1 1 0 0
problem 1 bodies 1 contacts 4 dirs 8
b 1 0.2 0.2 0.2 0 0 0 0 0 0.5 1 0.5 -1 0 0 0
c 0 -1 0.25 -0.5 -0.5 0 0 0 1 1 0 0
c 0 -1 0.25 0.5 -0.5 0 0 0 1 1 0 0
c 0 -1 0.25 0.5 0.5 0 0 0 1 1 0 0
c 0 -1 0.25 -0.5 0.5 0 0 0 1 1 0 0
END
printf '2\n1\n0\n2\n2\n2 2\n2 1\n1 2\n-1 0.5\n0.3\n' >one.dat

# ---- answers ----
expect 0 "$ABUT" solve pair.txt
says "1 body, 1 contact, model coulomb"
says "solved by"
says "0 - world"
expect 0 "$ABUT" solve pair.txt --index 1 --json
for name in outcome model solver bodies contacts islands pivots residual time_us impulses tangents states velocity joints; do
    says "\"$name\":"
done
cp out four.answer
for solver in auto lemke structural reduced; do expect 0 "$ABUT" solve pair.txt --index 1 --solver $solver --alone; done
expect 0 "$ABUT" solve pair.txt --model frictionless
says "model frictionless"
expect 0 "$ABUT" solve one.dat --json
says '"bodies": 0'
says '"velocity": null'
says '"local_velocity":'
says '"cone_residual":'
cp out one.answer
if [ "${ABUT_HAVE_JSON:-ON}" = ON ]; then
    expect 0 "$ABUT" check pair.txt four.answer --index 1
    says "right"
    expect 0 "$ABUT" check one.dat one.answer
    sed '/"velocity"/s/\[0\.[0-9]*/[0.123/' four.answer >wrong.answer
    expect 1 "$ABUT" check pair.txt wrong.answer --index 1
    says "wrong"
    expect 0 "$ABUT" solve pair.txt --index 1 --directions 16 --json
    cp out sixteen.answer
    expect 0 "$ABUT" check pair.txt sixteen.answer --index 1
    refused "impulses: expected a list of 1 impulses" "$ABUT" check pair.txt four.answer
fi

# ---- landing and bouncing: 2 m/s down, 1 cm to go in a step of 10 ms ----
ball() { # ball FIELDS OF THE CONTACT [FIELDS OF THE CAPSULE]
    printf '{"abut": "capsule"%s, "step": 0.01, "bodies": [{"mass": 1, "inertia": [1, 1, 1], "com": [0, 0, 1],' "${2:-}"
    printf '"velocity": [0, 0, -2, 0, 0, 0]}], "contacts": [{"bodies": [0, -1], "point": [0, 0, 0], "normal": [0, 0, 1],'
    printf '"gap": 0.01%s}]}\n' "$1"
}
# velocity V COMMAND...: the answer, whose new vertical velocity must be V, is judged; it is kept as `answer`.
velocity() {
    local wanted=$1 file=$4 # velocity V ABUT solve FILE ...
    shift
    expect 0 "$@" --json
    grep -q "\"velocity\": \[0, 0, $wanted, 0, 0, 0\]" out || complain "$*: velocity is not $wanted: $(grep velocity out)"
    cp out answer
    expect 0 "$ABUT" check "$file" answer
}
if [ "${ABUT_HAVE_JSON:-ON}" = ON ]; then
    ball '' >lands.json
    ball ', "restitution": 0.5' >bounces.json
    ball ', "restitution": 0.5' ', "restitution_threshold": 3' >slow.json
    velocity -1 "$ABUT" solve lands.json
    velocity 1 "$ABUT" solve bounces.json
    grep -q '"restitution_threshold": 0.01' answer || complain "the answer does not name the threshold"
    expect 1 "$ABUT" check bounces.json answer --restitution-threshold 3
    velocity -1 "$ABUT" solve slow.json
    expect 1 "$ABUT" check slow.json answer --restitution-threshold 0
    velocity 1 "$ABUT" solve slow.json --restitution-threshold 1.5
    velocity -1 "$ABUT" solve bounces.json --restitution-threshold 2
    expect 0 "$ABUT" convert slow.json -o again.json
    velocity -1 "$ABUT" solve again.json
    expect 0 "$ABUT" convert slow.json -o slow.dat # W + q: q = -2 + 0.01 / 0.01 on the normal
    expect 0 "$ABUT" solve slow.dat --json
    says '[1, 0, 0]'
    refused "restitution_threshold: -1; expected a number >= 0" "$ABUT" solve <(ball '' ', "restitution_threshold": -1')
    refused "no contact has a restitution > 0" "$ABUT" solve lands.json --restitution-threshold 1
    refused "nothing bounces in model coulomb-accel" "$ABUT" solve bounces.json --model coulomb-accel --restitution-threshold 1
    refused "expected a contact problem" "$ABUT" check <(echo '{"M": [[1]], "q": [1]}') answer --restitution-threshold 1
fi

# ---- refusals ----
refused "pair.txt: no problem 2; the file holds problems 0 to 1" "$ABUT" solve pair.txt --index 2
refused "holds one problem; --index chooses among those of a contactset" "$ABUT" solve one.dat --index 1
refused "solver structural does not answer model coulomb in local form (W + q); these do:" "$ABUT" solve one.dat --solver structural
refused "a 2-D problem has 2 directions" "$ABUT" solve one.dat --directions 8
refused "--directions '65': expected a whole number from 2 to 64" "$ABUT" solve pair.txt --directions 65
refused "--model 'sticky': expected one of" "$ABUT" solve pair.txt --model sticky
refused "--accel-directions: model coulomb; expected coulomb-accel, or --directions" "$ABUT" solve pair.txt --accel-directions 16
refused "expected coulomb, or --accel-directions" "$ABUT" solve pair.txt --model coulomb-accel --directions 16
expect 0 "$ABUT" solve pair.txt --model coulomb-accel --directions 2 # in the plane
refused "--q: pair.txt is a contact problem" "$ABUT" check pair.txt one.answer --q q.mtx
printf '2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\n' >lcp.dat
refused "(an LCP? 'abut lcp' reads those)" "$ABUT" solve lcp.dat
refused "--index: lcp.dat is an LCP" "$ABUT" check lcp.dat one.answer --index 0
refused "(a contact problem? 'abut solve' reads those)" "$ABUT" lcp pair.txt
refused "missing.json: No such file" "$ABUT" solve missing.json
sed 's/^b 1 0.4/b -1 0.4/' pair.txt >negative.txt
refused "negative.txt: bodies[0].mass" "$ABUT" solve negative.txt
sed 's/0 0 1 1 0 0$/0 0 2 1 0 0/' pair.txt >long.txt
refused "long.txt: contacts[0].normal" "$ABUT" solve long.txt
for kind in txt dat json hdf5; do
    if [ $kind = json ] && [ "${ABUT_HAVE_JSON:-ON}" != ON ]; then continue; fi
    rm -f "giga.$kind"
    truncate -s 1G "giga.$kind"
    refused "giga.$kind" limited "$ABUT" solve "giga.$kind"
    head -c 1000000 /dev/urandom >"giga.$kind"
    refused "giga.$kind" limited "$ABUT" solve "giga.$kind"
    rm -f "giga.$kind"
done

# ---- convert: the same problem in every format has the same answer ----
refused "-o FILE is missing" "$ABUT" convert pair.txt
refused "--q: pair.txt is a contact problem" "$ABUT" convert pair.txt --q q.mtx -o never.dat
refused "--q-out: never.dat holds all there is" "$ABUT" convert pair.txt -o never.dat --q-out never.mtx
refused "--lcp: lcp.dat is an LCP already" "$ABUT" convert lcp.dat --lcp -o never.json
refused "--index: lcp.dat is an LCP" "$ABUT" convert lcp.dat --index 0 -o never.json
refused "--q-out: never.dat holds all there is" "$ABUT" convert lcp.dat -o never.dat --q-out never.mtx
for option in '--alone' '--radius 2' '--cut depth'; do
    # shellcheck disable=SC2086
    refused "expected --method active-set" "$ABUT" lcp lcp.dat $option
done
refused "a contact problem is written as .json, .txt, .dat or .hdf5" "$ABUT" convert pair.txt -o pair.xml
refused "no/such/folder.json: No such file or directory" "$ABUT" convert pair.txt -o no/such/folder.json
expect 0 "$ABUT" convert pair.txt --index 1 -o four.dat
expect 0 "$ABUT" solve four.dat
refused "contactset text holds bodies" "$ABUT" convert four.dat -o back.txt
[ ! -e back.txt ] || complain "a refused conversion left a file"
[ -z "$(find . -name 'back.txt.*')" ] || complain "a refused conversion left a draft"
expect 0 "$ABUT" convert pair.txt --index 1 --lcp -o four.mtx --q-out four.q.mtx
expect 0 "$ABUT" lcp four.mtx --q four.q.mtx
says "40 variables"
if [ "${ABUT_HAVE_JSON:-ON}" = ON ]; then
    expect 0 "$ABUT" convert pair.txt --index 1 -o four.json
    expect 0 "$ABUT" solve four.json
    expect 0 "$ABUT" convert four.json -o four.txt
    expect 0 "$ABUT" convert four.txt -o again.json
    cmp -s four.json again.json || complain "json -> txt -> json changed the problem"
    expect 0 "$ABUT" check four.json four.answer
    sed 's/"friction": 0.25/"friction": "x"/' four.json >bad.json
    refused 'bad.json: contacts[0].friction: "x"; expected a finite number' "$ABUT" solve bad.json
    refused "four.json: neither outcome nor answer" "$ABUT" check four.json four.json
    sed 's/"friction": 0.25/"friction": 0.25, "viscous": 1/' four.json >viscous.json
    refused "holds no viscous coefficients" "$ABUT" convert viscous.json -o never.dat
    refused "holds no viscous coefficients" "$ABUT" convert viscous.json -o never.txt
    refused "bad.json: contacts[0].friction" "$ABUT" convert bad.json -o never.dat
    echo '{"M": [[2, 1], [1, 2]], "q": [-5, -6]}' >two.json
    expect 0 "$ABUT" convert two.json -o two.dat
    expect 0 "$ABUT" convert two.dat -o two.mtx --q-out two.q.mtx
    expect 0 "$ABUT" convert two.mtx --q two.q.mtx -o back.json
    expect 0 "$ABUT" lcp back.json
    says "2.33333333"
    refused "say where q goes (--q-out FILE)" "$ABUT" convert two.json -o three.mtx
fi
if [ "${ABUT_HAVE_HDF5:-ON}" = ON ]; then
    expect 0 "$ABUT" convert four.dat -o four.hdf5
    expect 0 "$ABUT" solve four.hdf5
    expect 0 "$ABUT" convert four.hdf5 -o again.dat
    cmp -s four.dat again.dat || complain "dat -> hdf5 -> dat changed the problem"
fi

finish
