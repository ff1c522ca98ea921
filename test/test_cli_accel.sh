# abut solve at the acceleration level: statics, every answer, an impulse; abut check judges what it printed.
set -u
[ "$ABUT_HAVE_JSON" = "OFF" ] && exit 77
[ "$ABUT_HAVE_JSON" = "0" ] && exit 77
failed=0

expect() { # what, pattern, text
    if ! grep -q "$2" <<<"$3"; then
        echo "$1: no '$2' in: $3"
        failed=1
    fi
}

cat >rod.json <<'END'
{"abut": "capsule", "version": 1, "model": "coulomb-accel",
 "bodies": [{"mass": 1, "inertia": [0.3333333333333333, 0.3333333333333333, 0.3333333333333333, 0, 0, 0],
             "com": [0, 0, 0.8944271909999159], "velocity": [1, 0, 0, 0, 0, 0], "force": [0, 0, -9.81, 0, 0, 0]}],
 "contacts": [{"bodies": [0, -1], "point": [0.4472135954999579, 0, 0], "normal": [0, 0, 1], "tangent": [1, 0, 0],
               "friction": 2, "directions": 2}]}
END

# A cube at rest that is pushed beyond friction, at an angle that no polygon has: circles, judged as such; ellipses are refused.
cat >cube.json <<'END'
{"abut": "capsule", "version": 1, "model": "coulomb-accel",
 "bodies": [{"mass": 1, "inertia": [0.1666, 0.1666, 0.1666, 0, 0, 0], "com": [0, 0, 0.5],
             "velocity": [0, 0, 0, 0, 0, 0], "force": [5, 2, -9.81, 0, 0, 0.3]}],
 "contacts": [{"bodies": [0, -1], "point": [0.5, 0.5, 0], "normal": [0, 0, 1], "tangent": [1, 0, 0], "friction": 0.4},
              {"bodies": [0, -1], "point": [-0.5, 0.5, 0], "normal": [0, 0, 1], "tangent": [1, 0, 0], "friction": 0.4},
              {"bodies": [0, -1], "point": [0, -0.5, 0], "normal": [0, 0, 1], "tangent": [1, 0, 0], "friction": 0.4}]}
END
"$ABUT" solve cube.json --cone circle --json >circle.json || { echo "cube --cone circle: not solved"; failed=1; }
expect "circles" '"stage": "cone-newton"' "$(cat circle.json)"
expect "check of circles" "^right" "$("$ABUT" check cube.json circle.json)"
sed 's/"friction": 0.4/"friction": 0.4, "cone": "ellipse", "friction_across": 0.2/' cube.json >ellipse.json
expect "ellipses" "cone: ellipse; expected polygon or circle" "$("$ABUT" solve ellipse.json 2>&1)"

# Painleve's rod: no forces; an impulse first, then forces, and both are judged.
out=$("$ABUT" solve rod.json)
[ $? -eq 1 ] || { echo "rod: expected exit status 1"; failed=1; }
expect "rod" "^ray by drive:" "$out"
"$ABUT" solve rod.json --impulse --json >answer.json || { echo "rod --impulse: not solved"; failed=1; }
expect "impact" '"impact": \[' "$(cat answer.json)"
expect "check" "^right" "$("$ABUT" check rod.json answer.json)"
sed 's/"directions": 2/"cone": "circle"/' rod.json >round.json
"$ABUT" solve round.json --impulse --json >answer_round.json || { echo "round rod --impulse: not solved"; failed=1; }
expect "check of a round rod" "^right" "$("$ABUT" check round.json answer_round.json)"
sed 's/"impact_velocity": \[0.[0-9]*/"impact_velocity": [0.7/' answer.json >wrong.json
expect "check of a wrong impact" "^wrong\|^not right" "$("$ABUT" check rod.json wrong.json)"
expect "all" '"solutions": \[\]' "$("$ABUT" solve rod.json --all --json)"

# Four blocks that slide on nine contacts: driving and Lemke end on rays, yet forces exist, and no impulse is needed.
out=$("$ABUT" solve "$ABUT_TEST_GOLDEN/accel_false_ray_9.json" --impulse)
expect "nine contacts" "^solved by drive-modes" "$out"
! grep -q "an impact came first" <<<"$out" || { echo "nine contacts: an impulse that nobody needs"; failed=1; }

# The rod turning: two answers, and both are judged.
sed 's/"directions": 2/"directions": 2, "drift": [22.360679774997894, 0, 0]/' rod.json >turning.json
"$ABUT" solve turning.json --all --json >answer.json || { echo "turning rod: not solved"; failed=1; }
expect "complete" '"complete": true' "$(cat answer.json)"
expect "two answers" "^right" "$("$ABUT" check turning.json answer.json)"
sed 's/\[15\.[0-9]*,/[15.5,/' answer.json >wrong.json
out=$("$ABUT" check turning.json wrong.json)
[ $? -eq 1 ] || { echo "a wrong answer in the list: expected exit status 1"; failed=1; }
expect "which is wrong" "^  wrong: solutions\[[01]\]" "$out"

# The same rod at rest stands by friction: statics.
sed 's/"velocity": \[1,/"velocity": [0,/' rod.json >still.json
out=$("$ABUT" solve still.json --report statics)
expect "statics" "not in equilibrium" "$out"
expect "statics" "margin N" "$out"
expect "statics in JSON" '"net_wrench"' "$("$ABUT" solve still.json --report statics --json)"

# Normals are unit to 1e-6 only: equilibrium is judged with the exact ones.
cat >slope.json <<'END'
{"abut": "capsule", "version": 1, "model": "coulomb-accel",
 "bodies": [{"mass": 2, "inertia": [0.1, 0.1, 0.1], "com": [0, 0, 0], "force": [0, 0, -19.62, 0, 0, 0]}],
 "contacts": [{"bodies": [0, -1], "point": [0, 0, -1], "normal": [-0.3162278, 0, 0.9486834], "friction": 0.5}]}
END
expect "typed normal" ": in equilibrium" "$("$ABUT" solve slope.json --report statics)"

# A box on a slope of 20 degrees: tan 20 / 0.5 of the friction would do, whatever the answer says.
{
    printf '{"abut": "capsule", "version": 1, "model": "coulomb-accel", "bodies": [{"mass": 2, "inertia": [0.1, 0.1, 0.1],'
    printf '"com": [0, 0, 0.2], "force": [6.840402866513375, 0, -18.793852415718167, 0, 0, 0]}], "contacts": ['
    for at in '-0.5, -0.5' '0.5, -0.5' '-0.5, 0.5' '0.5, 0.5'; do
        printf '{"bodies": [0, -1], "point": [%s, 0], "normal": [0, 0, 1], "friction": 0.5}%s' "$at" "${at/0.5, 0.5/},"
    done | sed 's/}[^}]*$/}/; s/}[-0-9., ]*,{/},{/g'
    printf ']}\n'
} >box.json
out=$("$ABUT" solve box.json --report statics)
expect "best margin" "the best use 72.8 %" "$out"
expect "ranges" "least, most" "$out"
out=$("$ABUT" solve box.json --report statics --json)
expect "best margin in JSON" '"best_used": 0.7279404' "$out"
expect "ranges in JSON" '"normal_ranges": \[' "$out"

# What belongs to the acceleration level is refused elsewhere, in one line.
out=$("$ABUT" solve rod.json --model coulomb --report statics 2>&1)
[ $? -eq 2 ] || { echo "--report statics with coulomb: expected exit status 2"; failed=1; }
expect "refusal" "expected coulomb-accel or viscous" "$out"

# Large islands at rest are answered; sliding ones are refused, and told why.
many() { # velocity
    printf '{"abut": "capsule", "version": 1, "model": "coulomb-accel", "bodies": [{"mass": 1, "inertia": [1, 1, 1],'
    printf '"com": [2, 1, 0.1], "velocity": [%s, 0, 0, 0, 0, 0], "force": [0, 0, -9.81, 0, 0, 0]}], "contacts": [' "$1"
    awk 'BEGIN { for (i = 0; i < 700; i++)
        printf "%s{\"bodies\": [0, -1], \"point\": [%g, %g, 0], \"normal\": [0, 0, 1], \"friction\": 0.3}",
               i ? "," : "", i % 40 * 0.1, int(i / 40) * 0.1 }'
    printf ']}\n'
}
many 0 >many.json
"$ABUT" solve many.json >/dev/null || { echo "700 contacts at rest: not solved"; failed=1; }
many 1 >many.json
out=$("$ABUT" solve many.json 2>&1)
[ $? -eq 2 ] || { echo "700 sliding contacts: expected exit status 2"; failed=1; }
expect "a large island" "slide have more than 2000 rows" "$out"
exit $failed
