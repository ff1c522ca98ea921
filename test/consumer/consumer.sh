#!/usr/bin/env bash
# consumer.sh DIR: installs the core into DIR, static and shared, and builds and runs main.c against both installed
# trees, by find_package and by pkg-config.
set -euo pipefail

dir=$1
here=$(cd "$(dirname "$0")" && pwd)
cmake=${CMAKE:-cmake}
cc=${CC:-cc}

# The test asks what is installed now, not what an earlier run left.
rm -rf "$dir"/*-prefix "$dir"/*-consumer
mkdir -p "$dir"

fail() { echo "consumer: $1" >&2; exit 1; }

# expect_linkage PROGRAM static|shared
expect_linkage() {
    local found=static
    case $(ldd "$1") in *libabut*) found=shared ;; esac
    [ $found = "$2" ] || fail "$1 links the $found library, expected the $2 one"
}

for kind in static shared; do
    shared=OFF
    [ $kind = static ] || shared=ON
    prefix=$dir/$kind-prefix
    # Both kinds are linked from the same objects, so one folder serves both.
    "$cmake" -S "$here/../.." -B "$dir/build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Debug \
        -DBUILD_SHARED_LIBS=$shared -DABUT_BUILD_TOOLS=OFF
    "$cmake" --build "$dir/build" -j "$(nproc)"
    "$cmake" --install "$dir/build" --prefix "$prefix"

    # find_package
    consumer=$dir/$kind-consumer
    "$cmake" -S "$here" -B "$consumer" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix"
    "$cmake" --build "$consumer"
    expect_linkage "$consumer/consumer" $kind
    "$consumer/consumer"

    # pkg-config: from wherever the .pc file was installed
    pc=$(find "$prefix" -name abut.pc)
    [ -n "$pc" ] || fail "abut.pc was not installed"
    export PKG_CONFIG_PATH=${pc%/*}
    program=$consumer/consumer-pkg-config
    # shellcheck disable=SC2046 # words are what pkg-config means
    "$cc" -std=c17 "$here/main.c" -o "$program" $(pkg-config --cflags --libs abut) \
        -Wl,-rpath,"$(pkg-config --variable=libdir abut)"
    expect_linkage "$program" $kind
    "$program"
    # The same with the macro that base.h invites to define.
    # shellcheck disable=SC2046
    "$cc" -std=c17 -DABUT_NO_EXPORT "$here/main.c" -o "$program-no-export" $(pkg-config --cflags --libs abut) \
        -Wl,-rpath,"$(pkg-config --variable=libdir abut)"
    "$program-no-export"
    case " $(pkg-config --static --libs abut) " in *" -lm "*) ;; *) fail "pkg-config --static does not name libm" ;; esac
done
echo "consumer: find_package and pkg-config, static and shared: all four build and run"
