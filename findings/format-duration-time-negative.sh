#!/usr/bin/env bash
# format-duration-time 1.5.4 (npm): a negative duration gets another size: minus one second is written as -1:59:59.
#
# Expected: a minus before the text of the positive duration, as format-duration 3.0.2 writes it.
# Seen: only the hours are rounded down below zero: the text means minus one hour plus 59 minutes plus 59 seconds.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  format-duration-time@1.5.4 format-duration@3.0.2
cd "$dir"

seen=$(node --input-type=module <<'JS'
import duration from 'format-duration-time';
import format from 'format-duration';

for (const milliseconds of [1000, 90_000, -1000, -90_000, -3_600_000]) {
  const text = (duration.default ?? duration)(milliseconds).format('h:mm:ss');
  console.log(milliseconds, '=>', text, 'format-duration:', format(milliseconds));
}
JS
)
expected=$(cat <<'TEXT'
1000 => 0:00:01 format-duration: 0:01
90000 => 0:01:30 format-duration: 1:30
-1000 => -1:59:59 format-duration: -0:01
-90000 => -1:58:30 format-duration: -1:30
-3600000 => -1:00:00 format-duration: -1:00:00
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
