#!/usr/bin/env bash
# The manual page: every verb and every option that the program knows stands in it, with its text, and roff takes it
# without a word.
set -euo pipefail

"$ABUT_SOURCE/scripts/manpage" "$ABUT" >abut.1
plain() { sed -e 's/\\-/-/g' -e 's/\\e/\\/g' -e 's/^\\&//' abut.1; }
plain >plain
status=0
lack() {
    echo "abut.1 lacks $1" >&2
    status=1
}
for verb in $("$ABUT" --help | awk '/^verbs:/ { inside = 1; next } /^$/ { inside = 0 } inside { print $1 }'); do
    grep -qx "\.SS \"abut $verb\"" plain || lack "verb $verb"
    # The page of one verb: every option heads a paragraph, followed by its text.
    awk -v head=".SS \"abut $verb\"" '/^\.S[SH]/ { inside = $0 == head } inside' plain >page
    # A line an option; a text that goes on in further lines is joined.
    "$ABUT" "$verb" --help | awk 'NF == 0 { part++ } part == 2 && NF' |
        awk '/^    / { sub(/^ +/, " "); printf "%s", $0; next } { if (NR > 1) print ""; printf "%s", $0 } END { print "" }' >options
    [ -s options ] || lack "options of $verb"
    while read -r line; do
        name=${line%% *}
        grep -A1 "^\.B $name\( \|\$\)" page | tail -n 1 >text
        [ -s text ] && grep -qF -- "$(cat text)" <<<"$line" || lack "$verb $name, or says something else of it"
    done <options
    "$ABUT" "$verb" --help | sed -n '/^examples:/,$p' | tail -n +2 | while read -r line; do
        grep -qF -- "$line" page || { echo "abut.1 lacks the example: $line" >&2; exit 1; }
    done || status=1
done
if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww abut.1 2>&1 >/dev/null | tee complaints
    [ ! -s complaints ] || status=1
fi
[ $status -eq 0 ] && echo "abut.1 has every verb, option and example"
exit $status
