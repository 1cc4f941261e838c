#!/bin/sh
# Runs the benchmark of the engine and writes its table and plot.
#   tests/bench/engine.sh BUILD_DIR [OUTPUT_DIR]
# BUILD_DIR is a configured release build; the results go to tests/bench/results if no other
# directory is given.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: engine.sh BUILD_DIR [OUTPUT_DIR]}
output=${2:-$here/results}
cmake --build "$build" --target engine_bench
mkdir -p "$output"
json=$(mktemp)
trap 'rm -f "$json"' EXIT
"$build/bin/engine_bench" --benchmark_out="$json" --benchmark_out_format=json \
  --benchmark_min_time=0.2
"$here/engine_report.py" "$json" "$output"
