# Sourced by the tests of the command line: expect, refused, says, and the closing line.
set -uo pipefail

failures=0 checks=0
complain() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

# expect STATUS COMMAND...: runs it, keeps out and err.
expect() {
    local wanted=$1 got
    shift
    "$@" >out 2>err
    got=$?
    checks=$((checks + 1))
    [ "$got" -eq "$wanted" ] || complain "$* ended with $got, expected $wanted: $(head -c 300 err)"
}

# refused PART COMMAND...: exit status 2, nothing on standard output, one line on standard error that contains PART.
refused() {
    local part=$1
    shift
    expect 2 "$@"
    [ ! -s out ] || complain "$*: wrote to standard output"
    [ "$(wc -l <err)" -eq 1 ] || complain "$*: $(wc -l <err) lines of error"
    grep -qF -- "$part" err || complain "$*: message <$(cat err)>, expected <$part>"
}

says() { grep -qF -- "$1" out || complain "output lacks <$1>: $(head -c 400 out)"; }

# limited COMMAND...: within little memory and time.
limited() { (
    grep -qa __asan_init "$ABUT" || ulimit -v 4000000 # a sanitizer reserves terabytes of addresses
    timeout 60 "$@"
); }

finish() {
    echo "$checks checks, $failures failures"
    [ "$failures" -eq 0 ]
}
