#!/usr/bin/env bash
# ansi-truncate 1.4.0 (npm): if an attribute changes exactly where the text is cut, nothing of the text is left.
#
# Expected: the README: it truncates a string that may contain ANSI escape sequences to a width. Sequences have no
# width; so the result is the same as without them, as in the other lines.
# Seen: a lone ellipsis instead of "ab" and an ellipsis.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  ansi-truncate@1.4.0
cd "$dir"

seen=$(node --input-type=module <<'JS'
import truncate from 'ansi-truncate';

for (const text of ['abcdef', 'ab\x1b[1mcdef\x1b[22m', 'abc\x1b[1mdef\x1b[22m', 'abcd\x1b[1mef\x1b[22m']) {
  console.log(JSON.stringify(text), '=>', JSON.stringify(truncate(text, 3)));
}
JS
)
expected=$(cat <<'TEXT'
"abcdef" => "ab…"
"ab\u001b[1mcdef\u001b[22m" => "ab\u001b[1m…\u001b[0m"
"abc\u001b[1mdef\u001b[22m" => "…"
"abcd\u001b[1mef\u001b[22m" => "ab…"
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
