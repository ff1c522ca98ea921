#!/usr/bin/env bash
# scripts/setup on machines that lack things: a folder of stand-ins is the whole PATH, so nothing is truly installed.
set -euo pipefail

status=0
expect() { # expect "what" "text" "pattern"
    if ! grep -qE -- "$3" <<<"$2"; then
        printf '%s: no line matches %s in:\n%s\n' "$1" "$3" "$2" >&2
        status=1
    fi
}

# machine UID: an empty machine with a shell, the small tools of any Debian, apt, and this user.
machine() {
    rm -rf bin tree log
    mkdir -p bin tree/scripts
    cp "$ABUT_SOURCE/scripts/setup" tree/scripts/
    for tool in sh sed sort head paste grep dirname env cat mkdir chmod; do ln -s "$(command -v $tool)" bin/$tool; done
    stand_in id "echo $1"
    stand_in apt-cache 'echo "  Candidate: ${CMAKE_CANDIDATE:-3.25.1-1}"'
    stand_in apt-get "echo apt-get \"\$@\" >>$PWD/log"
}
stand_in() { # stand_in NAME BODY
    printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
    chmod +x "bin/$1"
}
setup() { env -i PATH="$PWD/bin" CMAKE_CANDIDATE="${candidate:-}" sh tree/scripts/setup "$@" 2>&1; }

# Neither root nor sudo: the exact command, and an error.
machine 1000
if output=$(setup run); then
    echo "setup without root or sudo must fail" >&2
    status=1
fi
expect "no root" "$output" '^  gcc libc6-dev: C compiler$'
expect "no root" "$output" '^  apt-get update && apt-get install -y --no-install-recommends .*cmake gcc libc6-dev libjansson-dev'
if [ -e log ]; then
    echo "setup without root or sudo must not call apt-get" >&2
    status=1
fi

# By sudo.
machine 1000
stand_in sudo "echo sudo >>$PWD/log; exec \"\$@\""
expect "sudo" "$(setup test)" '^sudo apt-get install .*libhdf5-dev'
expect "sudo" "$(cat log)" '^sudo$'
expect "sudo" "$(cat log)" '^apt-get -q install -y --no-install-recommends .*libhdf5-dev'

# As root; only what the goal needs.
machine 0
expect "root" "$(setup format)" '^  clang-format: formats the sources$'
expect "root" "$(cat log)" '^apt-get -q install -y --no-install-recommends clang-format$'

# What can be done without is left out where no package has it, and the rest is installed.
machine 0
stand_in apt-cache 'case $2 in wasi-libc) ;; *) echo "  Candidate: 3.25.1-1" ;; esac'
output=$(setup ci)
expect "optional" "$output" '^wasi-libc: not in this distribution, left out$'
expect "optional" "$(cat log)" ' install .*lld .*nodejs'
if grep -q wasi-libc log; then
    echo "what no list has must not be asked for" >&2
    status=1
fi

# A distribution whose CMake is too old: one of its own, by Python.
machine 0
stand_in python3 'mkdir -p .tools/bin; printf "#!/bin/sh\necho pip \"\$@\"\n" >.tools/bin/pip; chmod +x .tools/bin/pip'
output=$(candidate=3.22.1-1ubuntu1 setup run)
expect "old cmake" "$output" '^cmake 3.22.1-1ubuntu1 is too old here'
expect "old cmake" "$output" '^pip install .*cmake>=3.25'
expect "old cmake" "$(cat log)" '--no-install-recommends python3-venv '
if grep -qE ' cmake( |$)' log; then
    echo "the old cmake must not be installed" >&2
    status=1
fi

# An unknown goal is an error.
machine 0
if output=$(setup dance); then
    echo "an unknown goal must fail" >&2
    status=1
fi
expect "unknown goal" "$output" "unknown goal 'dance'"

exit $status
