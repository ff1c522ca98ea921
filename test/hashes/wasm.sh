#!/usr/bin/env bash
# wasm.sh DIR: the bits on a machine that is none of ours. The hash programs are compiled for wasm32 (32-bit pointers,
# another C library, no wide kernels), run under node, and must print what the plain golden files hold. Ends with status
# 77 where clang, wasi-libc or node are missing.
set -euo pipefail

dir=$1
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
cmake=${CMAKE:-cmake}
run=(node --no-warnings "$here/wasi.mjs")
mkdir -p "$dir"

skip() {
    echo "skipped: $1"
    exit 77
}

# Whether the tools are there and fit together is seen by using them.
command -v clang >/dev/null || skip "there is no clang"
command -v node >/dev/null || skip "there is no node"
printf '#include <stdio.h>\nint main(void) { return puts("ready") < 0; }\n' >"$dir/probe.c"
clang --target=wasm32-wasi --sysroot=/usr "$dir/probe.c" -o "$dir/probe.wasm" 2>"$dir/probe.log" ||
    skip "clang makes no programs for wasm32-wasi here (Debian: wasi-libc lld libclang-rt-dev-wasm32)"
[ "$("${run[@]}" "$dir/probe.wasm" 2>>"$dir/probe.log")" = ready ] || skip "node does not run WASI programs"

"$cmake" -S "$source" -B "$dir" --log-level=WARNING -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_SYSTEM_PROCESSOR=wasm32 \
    -DCMAKE_C_COMPILER=clang -DCMAKE_C_COMPILER_TARGET=wasm32-wasi -DCMAKE_SYSROOT=/usr -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_C_FLAGS=-O1 -DCMAKE_EXE_LINKER_FLAGS="-Wl,--initial-memory=1073741824" -DABUT_BUILD_TOOLS=OFF -DABUT_BUILD_HASHES=ON >/dev/null
"$cmake" --build "$dir" -j "$(nproc)" >/dev/null

# Output of a program in $dir/NAME.txt. Node itself dies by a signal now and then (in its compiler threads, and where the memory of a
# program grows, which is why all of it is there from the beginning). Then it is asked again, without those threads.
print_hash() {
    local ended=0
    "${run[@]}" "$dir/test/hashes/$1" >"$dir/$1.txt" || ended=$?
    for again in 1 2 3; do
        [ $ended -ge 128 ] || break
        ended=0
        node --no-warnings --liftoff-only "$here/wasi.mjs" "$dir/test/hashes/$1" >"$dir/$1.txt" || ended=$?
    done
    return $ended
}

status=0
for program in "$source"/test/hash_*.c; do
    name=$(basename "$program" .c)
    golden=$source/test/golden/$name-plain.txt
    [ -f "$golden" ] || golden=$source/test/golden/$name.txt
    if print_hash "$name" && diff "$golden" "$dir/$name.txt"; then
        echo "$name: wasm32 agrees with $(basename "$golden")"
    else
        echo "$name: wasm32 differs from $(basename "$golden")" >&2
        status=1
    fi
done
exit $status
