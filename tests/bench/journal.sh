#!/bin/sh
# What the journal costs: a server with and without it, in turn, at full load and at half; writes
# journal.md.
#   tests/bench/journal.sh BUILD_DIR [OUTPUT_DIR] [OPTIONS of journal.py]
# BUILD_DIR is a configured release build; the table goes to tests/bench/results if no other
# directory is given. Two cores are needed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: journal.sh BUILD_DIR [OUTPUT_DIR] [OPTIONS]}
shift
output=$here/results
case ${1-} in "" | -*) ;; *) output=$1 && shift ;; esac
cmake --build "$build" --target tictactoe-server tictactoe-load tictactoe-relay tictactoe-slow-disk
mkdir -p "$output"
/usr/bin/python3 -B "$here/journal.py" "$build/bin" "$output" "$@"
