#!/usr/bin/env bash
# abut record and abut view: what they tell, what they refuse, what is left of recordings that were cut off or damaged.
. "$ABUT_SOURCE/test/cli_case.sh"

"$ABUT_BUILD/examples/example_record_world" slope.abr >/dev/null
printf 'A<script>B<!--recordings-->C' >stub.html
export ABUT_VIEWER=$PWD/stub.html

expect 0 "$ABUT" record info slope.abr
says "Five boxes on a slope"
says "800 of 0.005 s"
says "complete"
expect 0 "$ABUT" record info slope.abr --json
says '"steps": 800'
says '"ending": "complete"'

# Cut off: what is whole is told, status 1.
size=$(wc -c <slope.abr)
head -c $((size / 2)) slope.abr >half.abr
expect 1 "$ABUT" record info half.abr
says "the recording is cut off. What comes before is whole."
expect 1 "$ABUT" record info half.abr --json
says '"ending": "interrupted"'

# One byte changed in the middle.
{ head -c $((size / 2)) slope.abr; printf '\377'; tail -c +$((size / 2 + 2)) slope.abr; } >damaged.abr
expect 1 "$ABUT" record info damaged.abr
says "after"

refused "no recording of abut begins like this" "$ABUT" record info "$0"
refused "the recording ends within its" "$ABUT" record info <(head -c 100 slope.abr)
refused "No such file" "$ABUT" record info missing.abr
refused "expected info" "$ABUT" record show slope.abr
refused "FILE is missing" "$ABUT" record info

# The page: what the viewer says before and after the mark, the recording between, and nothing that ends the script.
expect 0 "$ABUT" view slope.abr -o page.html
says "page.html: open it"
grep -q '^A<script>B<script type="text/plain" class="recording" data-name="slope.abr" data-problem="">iWFidXQNCh' page.html || complain "no recording in the page"
tail -c 1 page.html | grep -q C || complain "the page does not end as the viewer does"
sed 's/.*data-problem="">//; s/<.*//' page.html | head -n 1 | base64 -d | cmp - slope.abr || complain "the recording in the page is another one"
expect 0 "$ABUT" view slope.abr half.abr -o both.html
grep -q "half.abr: byte .* the recording is cut off; shown up to there" err || complain "no word about the half"
[ "$(grep -c 'class="recording"' both.html)" -eq 2 ] || complain "not two recordings"

rm -f none.html
refused "no recording of abut" "$ABUT" view "$0" -o none.html
[ ! -e none.html ] || complain "a page of nothing was left"
refused "-o FILE is missing" "$ABUT" view slope.abr
refused "would replace the recording" "$ABUT" view slope.abr -o ./slope.abr
: >linked.html
ln -sf linked.html link.html
expect 0 "$ABUT" view slope.abr -o link.html
[ -L link.html ] && [ -s linked.html ] || complain "a link to a page was replaced"
refused "unexpected argument" "$ABUT" view a b c -o none.html
refused "cannot/none.html" "$ABUT" view slope.abr -o cannot/none.html
ABUT_VIEWER=slope.abr refused "not a viewer of abut" "$ABUT" view slope.abr -o none.html
ABUT_VIEWER=missing refused "ABUT_VIEWER=missing" "$ABUT" view slope.abr -o none.html

# A program that has no viewer beside it says how to get one.
unset ABUT_VIEWER
mkdir -p alone
cp "$ABUT" alone/abut
refused "scripts/setup viewer" alone/abut view slope.abr -o none.html
finish
