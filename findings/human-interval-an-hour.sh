#!/usr/bin/env bash
# human-interval 2.0.1 (npm): "an hour" is no time at all, "two and a half hours" are two, and "1,000 seconds" one
# second.
#
# Expected: the README: a human-readable parser that understands "minute", "one minute" and "3 days, 4 hours".
# Seen: what is not understood counts as 0, without an error, although "1h" gives NaN.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  human-interval@2.0.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import humanInterval from 'human-interval';

for (const text of ['hour', 'one hour', 'an hour', 'half an hour', '2.5 hours', 'two and a half hours', '1000 seconds',
  '1,000 seconds', '1h']) {
  console.log(`${text}: ${humanInterval(text)}`);
}
JS
)
expected=$(cat <<'TEXT'
hour: 3600000
one hour: 3600000
an hour: 0
half an hour: 0
2.5 hours: 9000000
two and a half hours: 7200000
1000 seconds: 1000000
1,000 seconds: 1000
1h: NaN
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
