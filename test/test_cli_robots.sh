#!/usr/bin/env bash
# Bounds, compliance, second points and blocks at the command line: capsules of versions 2 and 3, and the verbs on robots.
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
    sed 's/"version": 2/"version": 4/' "$gripper" >later.json
    refused "version" "$ABUT" solve later.json
    if [ "${ABUT_HAVE_HDF5:-ON}" = ON ]; then
        refused "no bounds, no compliance" "$ABUT" convert "$gripper" -o local.hdf5
    fi

    # Blocks: version 3.
    arm="$(dirname "$gripper")/arm.json"
    expect 0 "$ABUT" solve "$arm"
    says "2 blocks of 5 numbers, 2 contacts, 1 joint rows"
    says "velocities after the step"
    expect 0 "$ABUT" solve "$arm" --json
    cp out arm.answer
    expect 0 "$ABUT" check "$arm" arm.answer
    says "right"
    sed 's/-0.02, 0.02/-0.01, 0.01/' "$arm" >weaker.json
    expect 1 "$ABUT" check weaker.json arm.answer
    says "wrong"
    sed 's/-12.0/-13.0/' "$arm" >heavier.json
    expect 1 "$ABUT" check heavier.json arm.answer
    expect 0 "$ABUT" convert "$arm" -o arm2.json
    grep -q '"version": 3' arm2.json || complain "a capsule with blocks is not of version 3"
    expect 0 "$ABUT" check arm2.json arm.answer
    expect 0 "$ABUT" convert arm2.json -o arm3.json
    cmp arm2.json arm3.json || complain "a capsule with blocks changes when it is written again"
    sed 's/\[0.5, 1.0\]/[0.5]/' "$arm" >short.json
    refused "blocks[0].mass_matrix[1]" "$ABUT" solve short.json
    sed 's/"bodies": \[0, 1\]/"bodies": [0, 2]/' "$arm" >far.json
    refused "contacts[0].bodies[1]" "$ABUT" solve far.json
    sed 's/\[0.3, 0.5, 0, 0, -1\]/[0.3, 0.5]/' "$arm" >narrow.json
    refused "contacts[0].rows[0]" "$ABUT" solve narrow.json
    sed 's/"row": \[0, 1\]/"jacobian": [[0, 1]]/' "$arm" >named.json
    refused "joints[0].jacobian: unknown name" "$ABUT" solve named.json
    sed 's/"parents": \[-1, 0\]/"parents": [-1, 1]/' "$arm" >hanging.json
    refused "blocks[0].parents[1]" "$ABUT" solve hanging.json
    sed 's/"contacts":/"bodies": [{"mass": 1, "inertia": [1, 1, 1], "com": [0, 0, 0]}], "contacts":/' "$arm" >both.json
    refused "bodies or blocks, found both" "$ABUT" solve both.json
    refused "blocks" "$ABUT" convert "$arm" -o arm.txt
    refused "blocks" "$ABUT" solve "$arm" --others 3
fi
expect 0 "$ABUT" stress robots --count 40
# A tree of 40 freedoms in maximal coordinates, 40 bodies and 200 joint rows, that sparse factors leave to the path.
expect 0 "$ABUT" stress robots/trees --first 3072 --count 1
expect 0 "$ABUT" bench robots --count 2

finish
