#!/usr/bin/env bash
# parse-prometheus-text-format 1.1.1: blanks between a metric's name and its labels are an error.
#
# Expected: Prometheus' text format: "tokens on a line can be separated by any number of blanks and/or tabs".
# promtool accepts the line.
# Seen: the whole document is refused because of one such line.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  parse-prometheus-text-format@1.1.1
cd "$dir"

seen=$(node - <<'JS'
const parse = require('parse-prometheus-text-format');
for (const line of ['moves{room="a",side="x"} 1', 'moves {room = "a", side = "x"} 1']) {
  try {
    console.log(line, JSON.stringify(parse(line + '\n')[0].metrics));
  } catch (error) {
    console.log(line, error.message);
  }
}
JS
)
expected=$(cat <<'TEXT'
moves{room="a",side="x"} 1 [{"value":"1","labels":{"room":"a","side":"x"}}]
moves {room = "a", side = "x"} 1 Encountered invalid line: moves {room = "a", side = "x"} 1
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
