#!/usr/bin/env bash
# logfmt 1.4.0 and @jclem/logfmt2 2.4.3 (npm): an escaped line break in a quoted value is read as the letter n, and a
# tab as the letter t.
#
# Expected: Go's writers of logfmt (kr/logfmt, go-logfmt) quote a value as JSON does, so that an event stays on one
# line. Both packages do resolve the escapes of quotes and backslashes.
# Seen: "one\ntwo" is "onentwo", and nothing tells it from a text with an n.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  logfmt@1.4.0 @jclem/logfmt2@2.4.3
cd "$dir"

seen=$(node --input-type=module <<'JS'
import logfmt from 'logfmt';
import { decode } from '@jclem/logfmt2';

for (const line of ['text="say \\"hi\\""', 'text="one\\ntwo\\tthree"']) {
  console.log(line, '=>', JSON.stringify(logfmt.parse(line).text), 'logfmt2', JSON.stringify(decode(line).text));
}
JS
)
expected=$(cat <<'TEXT'
text="say \"hi\"" => "say \"hi\"" logfmt2 "say \"hi\""
text="one\ntwo\tthree" => "onentwotthree" logfmt2 "onentwotthree"
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
