#!/usr/bin/env bash
# timestring 7.0.0 (npm): the minus of a duration is dropped without an error.
#
# Expected: a text that it can not parse is an error, as for "1:30" and an unknown unit.
# Seen: "-1h" is an hour, and "2h -30m" is two hours and a half.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  timestring@7.0.0
cd "$dir"

seen=$(node - <<'JS'
const timestring = require('timestring');
for (const text of ['1h', '-1h', '2h -30m', '1:30', '1 fortnight']) {
  let read;
  try {
    read = timestring(text);
  } catch (error) {
    read = error.message;
  }
  console.log(text, '=>', read);
}
JS
)
expected=$(cat <<'TEXT'
1h => 3600
-1h => 3600
2h -30m => 9000
1:30 => The value [1:30] could not be parsed by timestring
1 fortnight => The unit [fortnight] is not supported by timestring
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
