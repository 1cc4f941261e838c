#!/usr/bin/env bash
# smartgame 0.1.5 (npm): a blank between a property's name and its value becomes part of the name.
#
# Expected: FF[4], EBNF: white space is allowed between identifiers and values. smartgame itself allows it between
# two values.
# Seen: the property is "AB " with a blank.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  smartgame@0.1.5
cd "$dir"

seen=$(node - <<'JS'
const { parse } = require('smartgame');
for (const text of ['(;AB[aa] [bb])', '(;AB [aa])']) console.log(text, JSON.stringify(parse(text).gameTrees[0].nodes));
JS
)
expected=$(cat <<'TEXT'
(;AB[aa] [bb]) [{"AB":["aa","bb"]}]
(;AB [aa]) [{"AB ":"aa"}]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
