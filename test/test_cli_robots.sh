#!/usr/bin/env bash
# Bounds, compliance and second points at the command line: capsules of version 2, and the verbs on robots.
. "$(dirname "$0")/cli_case.sh"

gripper="$(cd "$(dirname "$0")/../examples/capsules" && pwd)/gripper.json"
if [ "${ABUT_HAVE_JSON:-ON}" = ON ]; then
    expect 0 "$ABUT" solve "$gripper" --json
    cp out gripper.answer
    expect 0 "$ABUT" check "$gripper" gripper.answer
    says "right"
    sed 's/"compliance": 0.01/"compliance": 0.02/' "$gripper" >softer.json
    expect 1 "$ABUT" check softer.json gripper.answer
    says "wrong"
    sed 's/, "compliance": 0.01//; s/, "bounds": \[-20, null\]//' "$gripper" >rigid.json
    expect 1 "$ABUT" solve rigid.json
    says "infeasible"
    sed 's/\[-20, null\]/[-2, 2]/' "$gripper" >weak.json
    expect 0 "$ABUT" solve weak.json
    expect 0 "$ABUT" convert "$gripper" -o again.json
    grep -q '"version": 2' again.json || complain "a capsule with bounds is not of version 2"
    grep -q '"bounds": \[-20, null\]' again.json || complain "bounds are lost"
    expect 0 "$ABUT" check again.json gripper.answer
    sed 's/"friction": 0.5, "compliance": 0.01}\]/"friction": 0.5, "gap": 0.1, "second_point": [0.6, 0, 0]}]/' "$gripper" >apart.json
    expect 0 "$ABUT" convert apart.json -o apart2.json
    grep -q '"second_point": \[0.6' apart2.json || grep -q '"second_point": \[0.59' apart2.json ||
        complain "the second point is lost"
    sed 's/\[-20, null\]/[3, -3]/' "$gripper" >crossed.json
    refused "joints[1]: bounds 3 .. -3; expected lower <= upper" "$ABUT" solve crossed.json
    sed 's/\[-20, null\]/7/' "$gripper" >wrong.json
    refused "joints[1].bounds" "$ABUT" solve wrong.json
    sed 's/"version": 2/"version": 3/' "$gripper" >later.json
    refused "version" "$ABUT" solve later.json
    if [ "${ABUT_HAVE_HDF5:-ON}" = ON ]; then
        refused "no bounds, no compliance" "$ABUT" convert "$gripper" -o local.hdf5
    fi
fi
expect 0 "$ABUT" stress robots --count 40
expect 0 "$ABUT" bench robots --count 2

finish
