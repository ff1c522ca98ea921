#!/usr/bin/env bash
# check_symbols.sh LIBRARY: what the compiled core defines and asks for. It defines abut_* and abuti_* only, holds no
# writable data, and asks for nothing that prints, exits or reads files; memory comes
# from the arena's file alone, time from the clock's.
set -euo pipefail
library=$1
status=0

complain() {
    echo "$library: $1" >&2
    status=1
}

symbols=$(nm -A "$library") # library:member: address type name

foreign=$(awk '$(NF-1) ~ /^[TRDBCGSVWu]$/ && $NF !~ /^abuti?_/ {print $NF}' <<<"$symbols")
[ -z "$foreign" ] || complain "defines names without the prefix: $(paste -s -d ' ' <<<"$foreign")"

# Tables of pointers stand in .data.rel.ro (the loader writes them, nobody after), so sections tell, not nm's letters.
writable=$(objdump -t "$library" | awk '
    /: +file format/ {member = $1}
    / (\.data|\.bss|\*COM\*|\.tdata|\.tbss)[ \t]/ && $NF !~ /^\./ {print member, $NF}')
[ -z "$writable" ] || complain "has writable data: $(paste -s -d ';' <<<"$writable")"

asked=$(awk '$(NF-1) == "U" {print $0}' <<<"$symbols")

# only_in MEMBER NAMES: these are asked for by that one file.
only_in() {
    local outside
    outside=$(grep -E " ($2)\$" <<<"$asked" | grep -v ":$1\.o:" || true)
    [ -z "$outside" ] || complain "only $1 may do this: $outside"
}
memory='malloc|calloc|realloc|free|aligned_alloc|posix_memalign'
clock='clock_gettime|timespec_get'
only_in 'arena\.c' "$memory"
only_in 'clock\.c' "$clock"
only_in 'planar\.c' atan2 # which compares angles with bounds that are not sharp

# What the core may ask of the C library and libm: of the latter only functions whose every bit is defined, so that
# results do not depend on whose library it is (no hypot, exp, pow, sin).
allowed='^(abuti?_.*|mem(cpy|move|set|cmp)|str(len|cmp|ncmp|chr)|(__)?v?snprintf(_chk)?|__mem(cpy|move|set)_chk'
allowed+='|__assert_fail|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__cpu_model|__cpu_indicator_init|qsort'
allowed+='|(fabs|sqrt|fma|fmax|fmin|floor|ceil|rint|nearbyint|round|trunc|copysign|frexp|ldexp|scalbn|ilogb|logb'
allowed+='|nextafter|nan)f?|atan2)$'
strangers=$(awk '{print $NF}' <<<"$asked" | sort -u | grep -vE "$allowed" | grep -vE "^($memory|$clock)\$" || true)
[ -z "$strangers" ] || complain "asks for: $(paste -s -d ' ' <<<"$strangers")"

exit $status
