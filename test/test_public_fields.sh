#!/usr/bin/env bash
# The public headers are the manual: above each field of a struct stands a comment, nothing stands beside it, and no line is
# longer than a reader's screen. Enumerators may have a short comment beside them.
set -euo pipefail
cd "$ABUT_SOURCE"
awk '
function complain(what) { print FILENAME ":" FNR ": " what; bad = 1 }
length > 120 { complain("more than 120 columns") }
/^typedef (struct|enum) [a-z_]+ \{$/ { inside = $2; told = 0; next }
/^}/ { inside = ""; next }
!inside { next }
comment { if (/\*\//) { comment = 0; told = 1 }; next }
/^ *\/\*/ { told = /\*\//; comment = !told; next }
/^ *$/ { told = 0; next }
inside == "struct" && /\/\*/ { complain("the comment stands above the field, not beside it") }
inside == "struct" && !/\/\*/ && !told { complain("a field without a comment above it") }
inside == "enum" && /\/\*/ && !/\*\// { complain("a comment of several lines stands above the enumerator") }
inside == "enum" && !/\/\*/ && !told && !/_(COUNT|KINDS|STATES|STAGES)$/ { complain("an enumerator without a comment") }
{ told = 0 }
END { exit bad }' include/abut/*.h >&2
