#!/usr/bin/env bash
# `abut lcp` and `abut check` as people and scripts meet them: answers, exit status, and one line for every mistake.
. "$(dirname "$0")/cli_case.sh"

# ---- the program itself ----
expect 0 "$ABUT" --version
says "abut "
expect 0 "$ABUT" --help
says "lcp"
expect 0 "$ABUT" demo
says "verifier"
for verb in demo lcp solve check convert bench stress; do
    expect 0 "$ABUT" $verb --help
    says "usage: abut $verb"
    says "examples:"
done
refused "unknown verb 'lpc'" "$ABUT" lpc
expect 2 "$ABUT"
refused "did you mean --method?" "$ABUT" lcp x --metod lemke
refused "FILE is missing" "$ABUT" lcp
refused "unexpected argument 'b'" "$ABUT" lcp a b
refused "--method 'newton': expected one of auto, lemke" "$ABUT" lcp x --method newton
refused "--tolerance '1': expected a number from 1e-15 to 0.001" "$ABUT" lcp x --tolerance=1
refused "--method needs a value" "$ABUT" lcp x --method
refused "--json takes no value" "$ABUT" lcp x --json=yes

# ---- files that are none, and files that lie ----
refused "missing.dat: No such file" "$ABUT" lcp missing.dat
mkdir -p folder.json
refused "folder.json: is a directory; expected a file" "$ABUT" lcp folder.json
: >empty.dat
refused "empty.dat: the file is empty" "$ABUT" lcp empty.dat
printf '2\n0\n2\n2\n2 2\n1 0\n0 ' >cut.dat
refused "cut.dat:" "$ABUT" lcp cut.dat
printf '2\n0\n2\n2\n2 2\n1 0\n0 nan\n1 1\n' >nan.dat
refused "nan.dat:7:3: M[1][1]: 'nan'; expected a finite number" "$ABUT" lcp nan.dat
printf '2\n0\n2\n2\n2 2\n1 0\n0 1\n1 inf\n' >inf.dat
refused "inf.dat:8:3: q[1]: 'inf'; expected a finite number" "$ABUT" lcp inf.dat
printf '2\n0\n2\n2\n2 2\n1 0\n0 one\n1 1\n' >word.dat
refused "word.dat:7:3: M[1][1]: 'one'; expected a finite number" "$ABUT" lcp word.dat
printf '0\n0\n0\n0\n0 0\n' >zero.dat
refused "zero.dat:1:1: n: '0'; expected a whole number from 1" "$ABUT" lcp zero.dat
printf '123456789123\n0\n' >absurd.dat
refused "absurd.dat:1:1: n: '123456789123'" "$ABUT" lcp absurd.dat
printf '9000\n0\n9000\n9000\n9000 9000\n1 2 3\n' >large.dat
refused "81000000 numbers of M are due" "$ABUT" lcp large.dat
printf 'what is this' >unknown
refused "not an LCP file; expected JSON (.json), Matrix Market (.mtx) or Siconos (.dat)" "$ABUT" lcp unknown
printf '%%%%MatrixMarket matrix array real general\n1 1\n2\n' >one.mtx
refused "expected q in a second file (--q FILE)" "$ABUT" lcp one.mtx
refused "q.txt: No such file" "$ABUT" lcp one.mtx --q q.txt

# A gigabyte of nothing and of something, within little memory and time.
for kind in dat json mtx; do
    rm -f "giga.$kind"
    truncate -s 1G "giga.$kind"
    printf '1\n' >q1.txt
    if [ $kind = mtx ]; then extra=(--q q1.txt); else extra=(); fi
    if [ $kind = json ] && [ "${ABUT_HAVE_JSON:-ON}" != ON ]; then continue; fi
    refused "giga.$kind:1:1:" limited "$ABUT" lcp "giga.$kind" "${extra[@]}"
    for word in 1 '[' '{"M":' ' ' abc; do
        yes "$word" 2>/dev/null | head -c 20000000 >"giga.$kind"
        refused "giga.$kind" limited "$ABUT" lcp "giga.$kind" "${extra[@]}"
    done
    head -c 3000000 /dev/urandom >"giga.$kind"
    refused "giga.$kind" limited "$ABUT" lcp "giga.$kind" "${extra[@]}"
    rm -f "giga.$kind"
done

# ---- answers ----
printf '2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\n' >two.dat
expect 0 "$ABUT" lcp two.dat
says "solved by"
says "1.33333333"
expect 0 "$ABUT" lcp - <two.dat
expect 0 "$ABUT" lcp two.dat --method lemke --trace
says "entering"
expect 0 "$ABUT" lcp two.dat --all
says "1 solution at complementary bases"
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 1\n2 2 2\n' >two.mtx
printf -- '-5 -6\n' >two.q
expect 0 "$ABUT" lcp two.mtx --q two.q
says "2.33333333"
refused "a q file goes with a Matrix Market file only" "$ABUT" lcp two.dat --q two.q
printf '1\n0\n1\n1\n1 1\n-1\n-1\n' >none.dat
expect 1 "$ABUT" lcp none.dat
says "infeasible by"
says "no solution exists"
printf '20\n0\n20\n20\n20 20\n' >twenty.dat
for i in $(seq 420); do printf '%d ' $((i % 21 == 1 || i > 400 ? 1 : 0)); done >>twenty.dat
refused "n = 20; --all takes at most 16 variables" "$ABUT" lcp twenty.dat --all
refused "method enumerate takes at most 16 variables" "$ABUT" lcp twenty.dat --method enumerate

# An answer that gets lost is an error.
if [ -w /dev/full ]; then
    "$ABUT" lcp two.dat --json >/dev/full 2>err
    [ $? -eq 2 ] || complain "a full disk was not noticed"
fi

# ---- JSON: names that are a promise, and check ----
expect 0 "$ABUT" lcp two.dat --json
for name in outcome method n pivots residual time_us z w ray witness; do says "\"$name\":"; done
says '"ray": null'
expect 1 "$ABUT" lcp none.dat --json
says '"z": null'
says '"outcome": "infeasible"'

if [ "${ABUT_HAVE_JSON:-ON}" = ON ]; then
    echo '{"M": [[2, 1], [1, 2]], "q": [-5, -6]}' >two.json
    expect 0 "$ABUT" lcp two.json --json
    cp out answer.json
    python3 -c 'import json; json.load(open("answer.json"))' || complain "the output is no JSON"
    expect 0 "$ABUT" check two.json answer.json
    says "right"
    expect 0 "$ABUT" check two.dat - --json <answer.json
    says '"right": true'
    expect 0 "$ABUT" lcp two.json --json --trace # the trace goes to standard error
    python3 -c 'import json; json.load(open("out"))' || complain "the output with --trace is no JSON"
    sed 's/1\.333333/1.333334/' answer.json >wrong.json
    expect 1 "$ABUT" check two.json wrong.json
    says "wrong"
    "$ABUT" lcp none.dat --json >none.json
    expect 0 "$ABUT" check none.dat none.json
    says "right"
    refused "witness: expected a list of 2 numbers, found one of 1" "$ABUT" check two.json none.json
    "$ABUT" lcp two.json --all --json >all.json
    expect 0 "$ABUT" check two.json all.json
    refused "z: expected a list of 1 numbers, found one of 2" "$ABUT" check none.dat answer.json
    refused "answer.txt: No such file" "$ABUT" check two.json answer.txt
    echo '{"M": [[1, 2], [3]], "q": [1, 2]}' >ragged.json
    refused "ragged.json: M[1]: expected a list of 2 numbers, found one of 1" "$ABUT" lcp ragged.json
    printf '{"M": [[1]],\n "q": [1}\n' >syntax.json
    refused "syntax.json:2:9: not JSON" "$ABUT" lcp syntax.json
    # Sharaf's examples print the paper's own numbers.
    echo '{"M": [[1, 0, 0], [2, 1, 0], [2, 2, 1]], "q": [-8, -12, -14]}' >example1.json
    expect 0 "$ABUT" lcp example1.json --method active-set --alone --radius 10 --trace
    says "(8.8708, 1.2167, 0.60833)"
    says "9.5174       3.1725"
    says "2 cuts and 1 working-set step"
    echo '{"M": [[5, 1, 1, 1, 2], [1, 3, 1, 2, 1], [1, 1, 3, 0, 2], [1, 2, 0, 4, 0], [2, 1, 2, 0, 5]],
           "q": [-10, -15, -5, 10, -5], "start": [1.0805, 3.5788, 0.6758, 0.8959, 0.7153]}' >example2.json
    expect 0 "$ABUT" lcp example2.json --method active-set --alone --trace
    says "27.854       5.5707       0.7087  {0, 1, 2}"
    says "1.3293            1  {0, 1}"
    # The cut the paper's text speaks of, and a limit for cuts; a ball that is too small grows, but not alone.
    expect 0 "$ABUT" lcp example1.json --method active-set --alone --radius 10 --cut depth --trace
    says "(8.5, 0, 0)"
    expect 1 "$ABUT" lcp example1.json --method active-set --alone --radius 10 --max-cuts 1
    says "not-feasible"
    expect 1 "$ABUT" lcp example1.json --method active-set --alone --radius 1
    says "not-feasible"
    expect 0 "$ABUT" lcp example1.json --method active-set --radius 1
    says "ended in phase threshold"
    refused "--max-cuts: method lemke; expected --method active-set" "$ABUT" lcp example1.json --method lemke --max-cuts 3
    refused "--max-cuts '0'" "$ABUT" lcp example1.json --method active-set --max-cuts 0
    # The answer of a problem with a slightly different q, and units that differ by powers of ten.
    echo '{"M": [[5]], "q": [-2.000002], "start": [0.4]}' >near.json
    expect 0 "$ABUT" lcp near.json --method active-set
    echo '{"M": [[1e8, 10], [10, 1e-4]], "q": [-1e4, -1e-2]}' >units.json
    expect 0 "$ABUT" lcp units.json --method active-set
    says "solved by active-set"
    echo '{"M": [[14, 5], [5, 14]], "q": [-7, -6]}' >stall.json
    expect 1 "$ABUT" lcp stall.json --method active-set --alone --radius 10
    says "zero-step"
    expect 0 "$ABUT" lcp stall.json --method active-set --radius 10 --json
    says '"phase": "fallback"'
    refused "start: expected a list of 2 numbers" "$ABUT" lcp - <<<'{"M": [[1, 0], [0, 1]], "q": [1, 1], "start": [1]}'
    echo '{"M": [[1, 0], [0, 0]], "q": [-1, 0], "free": [0]}' >mixed.json
    expect 0 "$ABUT" lcp mixed.json
    says "free"
fi

finish
