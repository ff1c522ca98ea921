#!/usr/bin/env bash
# determinism.sh build DIR          build the hash programs in every way below
# determinism.sh compare DIR NAME   run NAME from each build and compare with the golden files
# determinism.sh update DIR NAME    write the golden files, if the builds agree
#
# Two groups of builds. `wide`: every compiler found, at -O0 and -O3, with the kernels this machine can run. `plain`: one
# build without the kernels for wider vectors. Each group must agree within itself. The groups may differ from each other in
# one way only: wide kernels fuse multiply and add (one rounding instead of two), so there are up to two golden
# files, golden/NAME.txt and golden/NAME-plain.txt, and a machine without fused kernels shows the second in both groups.
set -euo pipefail

verb=$1 dir=$2
source=$(cd "$(dirname "$0")/../.." && pwd)
cmake=${CMAKE:-cmake}

wide=() plain=()
for compiler in gcc clang; do
    if command -v "$compiler" >/dev/null; then
        wide+=("$compiler-O0" "$compiler-O3")
        [ ${#plain[@]} -gt 0 ] || plain=("$compiler-O0-plain")
    fi
done
[ ${#wide[@]} -gt 0 ] || { echo "neither gcc nor clang found" >&2; exit 1; }

# build NAME: as compiler-level[-plain]
build() {
    local compiler level kernels options=()
    IFS=- read -r compiler level kernels <<<"$1"
    if [ -n "$kernels" ]; then options=(-DABUT_COMPILER_HAS_AVX512=OFF -DABUT_COMPILER_HAS_AVX2=OFF); fi
    "$cmake" -S "$source" -B "$dir/$1" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_C_FLAGS="-$level" -DABUT_BUILD_TOOLS=OFF -DABUT_BUILD_HASHES=ON "${options[@]}"
    "$cmake" --build "$dir/$1" -j "$(nproc)"
}

# common NAME BUILD...: the one output of all builds, or which two differ.
common() {
    local name=$1 first=$2 expected build
    shift 2
    expected=$("$dir/$first/test/hashes/$name")
    for build in "$@"; do
        if ! diff <(printf '%s\n' "$expected") <("$dir/$build/test/hashes/$name") >&2; then
            echo "$name: $first and $build differ" >&2
            return 1
        fi
    done
    printf '%s\n' "$expected"
}

# outputs NAME: sets wide_output and plain_output.
outputs() {
    wide_output=$(common "$1" "${wide[@]}")
    plain_output=$(common "$1" "${plain[@]}")
}

# expect NAME GROUP OUTPUT: one of the golden files holds this output.
expect() {
    local golden
    for golden in "$source/test/golden/$1.txt" "$source/test/golden/$1-plain.txt"; do
        if [ -f "$golden" ] && [ "$(cat "$golden")" = "$3" ]; then return; fi
    done
    printf '%s\n' "$3" | diff "$source/test/golden/$1.txt" - || true
    echo "$1: the $2 builds agree, but not with a golden file; if results were meant to change:" >&2
    echo "  test/hashes/determinism.sh update $dir $1" >&2
    return 1
}

case $verb in
build)
    for name in "${wide[@]}" "${plain[@]}"; do build "$name"; done
    ;;
compare)
    outputs "$3"
    expect "$3" wide "$wide_output"
    expect "$3" plain "$plain_output"
    echo "$3: ${wide[*]} ${plain[*]} agree with the golden files"
    ;;
update)
    outputs "$3"
    printf '%s\n' "$wide_output" >"$source/test/golden/$3.txt"
    rm -f "$source/test/golden/$3-plain.txt"
    if [ "$plain_output" != "$wide_output" ]; then
        printf '%s\n' "$plain_output" >"$source/test/golden/$3-plain.txt"
    fi
    ;;
*)
    echo "determinism.sh: unknown verb '$verb'" >&2
    exit 2
    ;;
esac
