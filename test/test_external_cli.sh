#!/usr/bin/env bash
# The command line on the problem collections in ABUT_EXTERNAL_DATA: whatever is called solved or infeasible, `abut check`
# believes too. Skipped without them.
. "$(dirname "$0")/cli_case.sh"
if [ -z "${ABUT_EXTERNAL_DATA:-}" ] || [ "${ABUT_HAVE_JSON:-ON}" != ON ]; then
    echo "skipped: ABUT_EXTERNAL_DATA names no folder of problems, or JSON was left out"
    exit 77
fi

for file in "$ABUT_EXTERNAL_DATA"/contact/*.txt; do
    for index in 0 7; do
        expect 0 "$ABUT" solve "$file" --index $index --json
        cp out answer.json
        expect 0 "$ABUT" check "$file" answer.json --index $index --tolerance 1e-10
    done
done

# answered VERB FILE: a clear outcome, and one that is claimed to be right is.
answered() {
    "$ABUT" "$1" "$2" --json >out 2>err
    local status=$?
    checks=$((checks + 1))
    [ $status -le 1 ] || complain "$2: $(cat err)"
    if [ $status -le 1 ] && grep -qE '"outcome": "(solved|infeasible)"' out; then
        cp out answer.json
        expect 0 "$ABUT" check "$2" answer.json
    fi
}
for file in "$ABUT_EXTERNAL_DATA"/fc2d/*.dat "$ABUT_EXTERNAL_DATA"/fc3d/*; do
    if [ "${file##*.}" = hdf5 ] && [ "${ABUT_HAVE_HDF5:-ON}" != ON ]; then continue; fi
    answered solve "$file"
done
for file in "$ABUT_EXTERNAL_DATA"/lcp/*.dat; do answered lcp "$file"; done

finish
