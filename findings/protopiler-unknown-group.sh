#!/usr/bin/env bash
# @indutny/protopiler 4.0.2: a message with an unknown group is read, but can not be written again.
#
# Expected: unknown fields are kept and written again, says the README; the encoding guide of Protocol Buffers has
# groups (wire types 3 and 4).
# Seen: each tag of the group becomes an undefined entry of $unknown, and encode fails on it. An unknown varint
# works.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @indutny/protopiler@4.0.2
cd "$dir"

echo 'syntax = "proto3"; message M { int32 n = 1; }' >m.proto
node node_modules/@indutny/protopiler/bin/cli.mjs m.proto --output m.mjs

seen=$(node --input-type=module <<'JS'
import { M } from './m.mjs';

for (const [what, bytes] of Object.entries({ varint: '0805c00601', group: '0805c3060801c406' })) {
  const message = M.decode(Buffer.from(bytes, 'hex'));
  let again;
  try {
    again = Buffer.from(M.encode(message)).toString('hex');
  } catch (error) {
    again = `${error.name}: ${error.message}`;
  }
  console.log(`${what}: first of ${message.$unknown.length} is ${typeof message.$unknown[0]}, written again: ${again}`);
}
JS
)
expected=$(cat <<'TEXT'
varint: first of 1 is object, written again: 0805c00601
group: first of 2 is undefined, written again: TypeError: Cannot read properties of undefined (reading 'length')
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
