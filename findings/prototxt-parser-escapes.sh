#!/usr/bin/env bash
# prototxt-parser 0.1.5 (npm): an escaped quote keeps its backslash, and the octal and hexadecimal escapes stay as they
# are.
#
# Expected: the text format of Protocol Buffers: \" is a quote, \\ a backslash, \101 and \x41 the letter A. protoc and
# python3-protobuf read all of them, and write every byte outside ASCII as an octal escape.
# Seen: \n is a line break, but the other escapes are left, so a text with a quote is another text.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  prototxt-parser@0.1.5
cd "$dir"

seen=$(node - <<'JS'
const { parse } = require('prototxt-parser');

for (const text of ['a\\nb', 'a\\"b', 'a\\\\b', '\\101', '\\x41']) {
  console.log(`"${text}" is read as ${JSON.stringify(parse(`name: "${text}"`).name)}`);
}
JS
)
expected=$(cat <<'TEXT'
"a\nb" is read as "a\nb"
"a\"b" is read as "a\\\"b"
"a\\b" is read as "a\\\\b"
"\101" is read as "\\101"
"\x41" is read as "\\x41"
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
