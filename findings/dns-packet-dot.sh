#!/usr/bin/env bash
# dns-packet 5.6.1: a service instance with a dot in its name is another name after it was decoded and encoded.
#
# Expected: an instance name is one label and may contain dots (RFC 6763, section 4.1.1); in text the dot is escaped
# with a backslash (section 4.3, RFC 1035 5.1).
# Seen: decode writes the label without the escape, and encode makes two labels of it. An escape is not understood
# either: it becomes part of a label.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  dns-packet@5.6.1
cd "$dir"

seen=$(node - <<'JS'
const { name } = require('dns-packet');
const show = bytes => Buffer.from(bytes).toString('latin1').replace(/[\0-\x1f]/g, c => `<${c.charCodeAt(0)}>`);
const instance = Buffer.from('\x08Den v1.2\x05local\0', 'latin1');
const decoded = name.decode(instance, 0);
console.log('one label', show(instance), '=>', decoded);
for (const text of [decoded, 'Den v1\\.2.local']) console.log(text, '=>', show(name.encode(text)));
JS
)
expected=$(cat <<'TEXT'
one label <8>Den v1.2<5>local<0> => Den v1.2.local
Den v1.2.local => <6>Den v1<1>2<5>local<0>
Den v1\.2.local => <7>Den v1\<1>2<5>local<0>
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
