#!/usr/bin/env bash
# determinism.sh build DIR          build the hash programs at -O0 and -O3 with every compiler found
# determinism.sh compare DIR NAME   run hash_NAME from each build; all must print golden/hash_NAME.txt
# determinism.sh update DIR NAME    write that golden file, if all builds agree
set -euo pipefail

verb=$1 dir=$2
source=$(cd "$(dirname "$0")/../.." && pwd)
cmake=${CMAKE:-cmake}

compilers=()
for compiler in gcc clang; do
    if command -v "$compiler" >/dev/null; then compilers+=("$compiler"); fi
done
[ ${#compilers[@]} -gt 0 ] || { echo "neither gcc nor clang found" >&2; exit 1; }

build() {
    for compiler in "${compilers[@]}"; do
        for level in O0 O3; do
            local binary=$dir/$compiler-$level
            "$cmake" -S "$source" -B "$binary" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None \
                -DCMAKE_C_FLAGS="-$level" -DABUT_BUILD_TOOLS=OFF -DABUT_BUILD_HASHES=ON >"$dir/$compiler-$level.log"
            "$cmake" --build "$binary" -j "$(nproc)" >>"$dir/$compiler-$level.log"
        done
    done
}

# Prints the one output of all builds, or says which two differ.
common_output() {
    local name=$1 first='' first_from=''
    for compiler in "${compilers[@]}"; do
        for level in O0 O3; do
            local from=$compiler-$level output
            output=$("$dir/$from/test/hashes/$name")
            if [ -z "$first_from" ]; then
                first=$output first_from=$from
            elif [ "$output" != "$first" ]; then
                echo "$name: $first_from and $from differ" >&2
                diff <(printf '%s\n' "$first") <(printf '%s\n' "$output") >&2 || true
                return 1
            fi
        done
    done
    printf '%s\n' "$first"
}

case $verb in
build)
    mkdir -p "$dir"
    build
    ;;
compare)
    output=$(common_output "$3")
    if ! diff "$source/test/golden/$3.txt" <(printf '%s\n' "$output"); then
        echo "$3: all builds agree, but not with the golden hash; if results were meant to change:" >&2
        echo "  test/hashes/determinism.sh update $dir $3" >&2
        exit 1
    fi
    echo "$3: ${compilers[*]} at -O0 and -O3 agree with the golden hash"
    ;;
update)
    output=$(common_output "$3")
    printf '%s\n' "$output" >"$source/test/golden/$3.txt"
    ;;
*)
    echo "determinism.sh: unknown verb '$verb'" >&2
    exit 2
    ;;
esac
