#!/bin/sh
# Measures what it costs a server to be observed: logs, metrics, and a log that nobody reads. Writes
# operation.md.
#   tests/bench/operation.sh BUILD_DIR [OUTPUT_DIR] [OPTIONS of operation.py]
# BUILD_DIR is a configured release build; the results go to tests/bench/results if no other
# directory is given. Two cores are needed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: operation.sh BUILD_DIR [OUTPUT_DIR] [OPTIONS]}
shift
output=$here/results
case ${1-} in "" | -*) ;; *) output=$1 && shift ;; esac
cmake --build "$build" --target tictactoe-server tictactoe-load
mkdir -p "$output"
"$here/operation.py" "$build/bin" "$output" "$@"
