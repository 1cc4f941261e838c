#!/bin/sh
# Measures how long single turns of a server's event loop take; writes turns.md.
#   tests/bench/turns.sh BUILD_DIR [OUTPUT_DIR] [OPTIONS of turns.py]
# BUILD_DIR is a configured release build; the results go to tests/bench/results if no other
# directory is given. Two cores are needed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: turns.sh BUILD_DIR [OUTPUT_DIR] [OPTIONS]}
shift
output=$here/results
case ${1-} in "" | -*) ;; *) output=$1 && shift ;; esac
cmake --build "$build" --target tictactoe-server tictactoe-load
mkdir -p "$output"
"$here/turns.py" "$build/bin" "$output" "$@"
