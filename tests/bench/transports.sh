#!/bin/sh
# Compares TLS and WebSockets with plain TCP; writes transports.md.
#   tests/bench/transports.sh BUILD_DIR [OUTPUT_DIR] [OPTIONS of transports.py]
# BUILD_DIR is a configured release build; the results go to tests/bench/results if no other
# directory is given. Two cores are needed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: transports.sh BUILD_DIR [OUTPUT_DIR] [OPTIONS]}
shift
output=$here/results
case ${1-} in "" | -*) ;; *) output=$1 && shift ;; esac
cmake --build "$build" --target tictactoe-server tictactoe-load
mkdir -p "$output"
"$here/transports.py" "$build/bin" "$output" "$@"
