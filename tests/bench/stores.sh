#!/bin/sh
# Measures what the place of a server's records costs: its own disk, PostgreSQL, PostgreSQL with a standby
# that confirms each commit, and two servers over one database. Writes stores.md.
#   tests/bench/stores.sh BUILD_DIR [OUTPUT_DIR] [OPTIONS of stores.py]
# BUILD_DIR is a configured release build; the results go to tests/bench/results if no other
# directory is given.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: stores.sh BUILD_DIR [OUTPUT_DIR] [OPTIONS]}
shift
output=$here/results
case ${1-} in "" | -*) ;; *) output=$1 && shift ;; esac
cmake --build "$build" --target tictactoe-server tictactoe-load
mkdir -p "$output"
TICTACTOE_BIN=$build/bin /usr/bin/python3 -B "$here/stores.py" "$output" "$@"
