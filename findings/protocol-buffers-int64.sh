#!/usr/bin/env bash
# protocol-buffers 5.0.0 (npm): an int64 of -1 is written as -127, and -127 as -1.
#
# Expected: a negative int64 is its two's complement in a varint of ten bytes (encoding guide of Protocol Buffers).
# protobufjs 8.8.1 writes -1 as ffffffffffffffffff01.
# Seen: the wire holds the wrong one of the two numbers, and the -1 of others is read as -2^63.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  protocol-buffers@5.0.0 protobufjs@8.8.1
cd "$dir"

seen=$(node - <<'JS'
const ours = require('protocol-buffers')('syntax = "proto3"; message M { int64 n = 1; }').M;
const theirs = require('protobufjs').parse('syntax = "proto3"; message M { int64 n = 1; }').root.lookupType('M');
for (const n of [-1, -127]) {
  const bytes = ours.encode({ n });
  const right = Buffer.from(theirs.encode({ n }).finish());
  console.log(`${n}: wrote ${bytes.toString('hex')}, which protobufjs reads as ${theirs.decode(bytes).n}`);
  console.log(`${n}: protobufjs wrote ${right.toString('hex')}, which is read as ${ours.decode(right).n}`);
}
JS
)
expected=$(cat <<'TEXT'
-1: wrote 0881ffffffffffffffff01, which protobufjs reads as -127
-1: protobufjs wrote 08ffffffffffffffffff01, which is read as -9223372036854776000
-127: wrote 08ffffffffffffffffff01, which protobufjs reads as -1
-127: protobufjs wrote 0881ffffffffffffffff01, which is read as -1
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
