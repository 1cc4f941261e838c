#!/usr/bin/env bash
# timespan-parser 1.2.0 (npm): no time is written as an empty text, which it can not read.
#
# Expected: getString gives a time span string, and parse turns such a string into a number (README). systemd writes 0.
# Seen: 0, and each span that rounds to 0, is an empty text; parse says "Expected timespan". It reads "0" and "0s".
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  timespan-parser@1.2.0
cd "$dir"

seen=$(node - <<'JS'
const timespan = require('timespan-parser');

console.log(timespan.parse('0'), timespan.parse('0s'));
for (const seconds of [90, 0.25, 0.0001, 0]) {
  const text = timespan.getString(seconds);
  try {
    console.log(`${seconds}: "${text}" is read as ${timespan.parse(text)}`);
  } catch (error) {
    console.log(`${seconds}: "${text}" is refused: ${error.message}`);
  }
}
JS
)
expected=$(cat <<'TEXT'
0 0
90: "1m 30s" is read as 90
0.25: "250ms" is read as 0.25
0.0001: "" is refused: Expected timespan
0: "" is refused: Expected timespan
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
