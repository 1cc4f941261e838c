#!/bin/sh
# Measures where the memory of a server goes; writes memory.md.
#   tests/bench/memory.sh BUILD_DIR [OUTPUT_DIR] [OPTIONS of memory.py]
# BUILD_DIR is a configured release build; the results go to tests/bench/results if no other
# directory is given.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: memory.sh BUILD_DIR [OUTPUT_DIR] [OPTIONS]}
shift
output=$here/results
case ${1-} in "" | -*) ;; *) output=$1 && shift ;; esac
cmake --build "$build" --target tictactoe-server tictactoe-load
mkdir -p "$output"
"$here/memory.py" "$build/bin" "$output" "$@"
