#!/usr/bin/env bash
# duration-time-conversion 1.0.6 (npm): from a day on, the days are dropped: 24 hours are written as 00:00:00.000.
#
# Expected: the package converts a duration to a time and back; its reader takes 25:00:00 for 90000 seconds.
# Seen: the duration is written as the time of a day, so another number of seconds comes back, without an error.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  duration-time-conversion@1.0.6
cd "$dir"

seen=$(node --input-type=module <<'JS'
import convert from 'duration-time-conversion';

console.log('25:00:00.000 =>', convert.t2d('25:00:00.000'));
for (const seconds of [3661.5, 86399, 86400, 90000]) {
  const text = convert.d2t(seconds);
  console.log(seconds, '=>', text, '=>', convert.t2d(text));
}
JS
)
expected=$(cat <<'TEXT'
25:00:00.000 => 90000
3661.5 => 01:01:01.500 => 3661.5
86399 => 23:59:59.000 => 86399
86400 => 00:00:00.000 => 0
90000 => 01:00:00.000 => 3600
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
