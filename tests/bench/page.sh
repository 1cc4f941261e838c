#!/bin/sh
# Prints what the page costs in Chromium, each beside what is wanted: its size as it is sent, the time to
# the first paint on the loopback, and the work for a frame of a board of 1,000 x 1,000 with 100,000 marks.
#   tests/bench/page.sh BUILD_DIR
# BUILD_DIR is a configured build. The tests of browsers measure the same, and judge frames less strictly.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: page.sh BUILD_DIR}
cmake --build "$build" --target tictactoe-server >/dev/null
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
for test in site board; do
  TICTACTOE_JUDGE_FRAMES=1 TICTACTOE_BIN=$build/bin /usr/bin/python3 -B "$here/../browser/${test}_test.py" 2>"$errors" ||
    { cat "$errors" >&2; exit 1; }
done
