#!/bin/sh
# Measures a server against its floor, the bare relay, and against peers; writes server.md and
# server.svg.
#   tests/bench/server.sh BUILD_DIR [OUTPUT_DIR] [OPTIONS of server_bench.py]
# BUILD_DIR is a configured release build; the results go to tests/bench/results if no other
# directory is given. Two cores are needed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: server.sh BUILD_DIR [OUTPUT_DIR] [OPTIONS]}
shift
output=$here/results
case ${1-} in "" | -*) ;; *) output=$1 && shift ;; esac
cmake --build "$build" --target tictactoe-server tictactoe-load tictactoe-relay tictactoe
mkdir -p "$output"
figures=$(mktemp)
trap 'rm -f "$figures"' EXIT
"$here/server_bench.py" "$build/bin" "$figures" "$@"
"$here/server_report.py" "$figures" "$output"
