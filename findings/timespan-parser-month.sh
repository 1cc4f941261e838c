#!/usr/bin/env bash
# timespan-parser 1.2.0 (npm): M for months is refused, and so is every fraction.
#
# Expected: the README: it parses time spans like systemd.time(7), and its table of units has M, defined as 30.44 days.
# systemd-analyze 252 reads 1M as a month, and 1.5h as 90 minutes.
# Seen: "Invalid format", although "1 month" is read.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  timespan-parser@1.2.0
cd "$dir"

seen=$(node - <<'JS'
const timespan = require('timespan-parser');

for (const text of ['1month', '1M', '1y 1M', '90m', '1.5h', '0.5s']) {
  try {
    console.log(`${text}: ${timespan.parse(text)}`);
  } catch (error) {
    console.log(`${text}: ${error.message}`);
  }
}
JS
)
expected=$(cat <<'TEXT'
1month: 2630016
1M: Invalid format for timespan 1M
1y 1M: Invalid format for timespan 1y 1M
90m: 5400
1.5h: Invalid format for timespan 1.5h
0.5s: Invalid format for timespan 0.5s
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
