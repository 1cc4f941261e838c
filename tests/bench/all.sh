#!/bin/sh
# Runs a short form of every benchmark and compares the figures with the recorded ones in
# tests/bench/results. Prints one table and records nothing. Takes less than 5 minutes.
#   tests/bench/all.sh BUILD_DIR
# BUILD_DIR is a configured release build. Two cores are needed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: all.sh BUILD_DIR}
exec "$here/all.py" "$build"
