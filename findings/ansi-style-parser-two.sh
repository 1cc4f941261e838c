#!/usr/bin/env bash
# ansi-style-parser 3.0.2 (npm): of a sequence with two attributes, such as bold and red, none is seen.
#
# Expected: ECMA-48, section 8.3.117: SGR has any number of parameters, which are carried out one by one. grep
# and ls write 01;31.
# Seen: the text has no style. As two sequences, both are there.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  ansi-style-parser@3.0.2
cd "$dir"

seen=$(node - <<'JS'
const parse = require('ansi-style-parser');

for (const start of ['\x1b[31m', '\x1b[1m\x1b[31m', '\x1b[1;31m', '\x1b[0;31m', '\x1b[31;44m']) {
  console.log(JSON.stringify(start), JSON.stringify(parse(`${start}text\x1b[0m`)));
}
JS
)
expected=$(cat <<'TEXT'
"\u001b[31m" [{"styles":["red"],"text":"text"}]
"\u001b[1m\u001b[31m" [{"styles":["bold","red"],"text":"text"}]
"\u001b[1;31m" [{"styles":[],"text":"text"}]
"\u001b[0;31m" [{"styles":[],"text":"text"}]
"\u001b[31;44m" [{"styles":[],"text":"text"}]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
