#!/usr/bin/env bash
# sgf-parser 0.2.3 (npm): a text that consists of digits becomes a number, so a player loses the zeros of the name.
#
# Expected: FF[4]: PB is SimpleText, and the digits of a text stay. The types of properties are given by the
# standard, not by their values.
# Seen: the player 007 is 7.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  sgf-parser@0.2.3
cd "$dir"

seen=$(node - <<'JS'
const { parse } = require('sgf-parser');
for (const text of ['(;PB[ann])', '(;PB[007])', '(;C[1])']) console.log(text, JSON.stringify(parse(text)[0]));
JS
)
expected=$(cat <<'TEXT'
(;PB[ann]) {"PB":"ann"}
(;PB[007]) {"PB":7}
(;C[1]) {"C":1}
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
