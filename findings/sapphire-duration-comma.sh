#!/usr/bin/env bash
# @sapphire/duration 1.2.0 (npm): "1,5h" is fifteen hours.
#
# Expected: ISO 8601 prefers the comma as the decimal sign, and so does half of the world; a group of thousands has
# three digits. A text that is not understood gives NaN.
# Seen: every comma is removed before the numbers are read.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @sapphire/duration@1.2.0
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { Duration } from '@sapphire/duration';

for (const text of ['1.5h', '1,5h', '0,5h', '1,000s', 'soon']) {
  console.log(`${text}: ${new Duration(text).offset / 3_600_000} hours`);
}
JS
)
expected=$(cat <<'TEXT'
1.5h: 1.5 hours
1,5h: 15 hours
0,5h: 5 hours
1,000s: 0.2777777777777778 hours
soon: NaN hours
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
