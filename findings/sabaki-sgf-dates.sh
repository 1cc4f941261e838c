#!/usr/bin/env bash
# @sabaki/sgf 3.4.7: a month and a day in it are written as two months.
#
# Expected: FF[4], DT: behind a date of year and month, a number alone is another month. What stringifyDates writes,
# parseDates should read.
# Seen: November 2026 and 28 November 2026 become "2026-11,28", which is read as month 28.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @sabaki/sgf@3.4.7
cd "$dir"

seen=$(node - <<'JS'
const { stringifyDates, parseDates } = require('@sabaki/sgf');

for (const dates of [[[2026, 11, 27], [2026, 11, 28]], [[2026, 5], [2026, 5, 6]], [[2026, 11], [2026, 11, 28]]]) {
  const text = stringifyDates(dates);
  console.log(JSON.stringify(dates), '=>', text, '=>', JSON.stringify(parseDates(text)));
}
JS
)
expected=$(cat <<'TEXT'
[[2026,11,27],[2026,11,28]] => 2026-11-27,28 => [[2026,11,27],[2026,11,28]]
[[2026,5],[2026,5,6]] => 2026-05,06 => [[2026,5],[2026,6]]
[[2026,11],[2026,11,28]] => 2026-11,28 => [[2026,11],[2026,28]]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
