#!/usr/bin/env bash
# protocol-buffers 5.0.0 (npm): of a packed list in a proto3 message only the last element is read.
#
# Expected: in proto3, lists of numbers are packed by default, and a reader must accept both forms (encoding guide of
# Protocol Buffers).
# Seen: the list 1, 2, 3 of protobufjs arrives as 3 alone, without an error. An empty list arrives as one zero. With
# [packed=true] in the file all is well.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  protocol-buffers@5.0.0 protobufjs@8.8.1
cd "$dir"

seen=$(node - <<'JS'
const source = 'syntax = "proto3"; message M { repeated int32 cells = 1; }';
const type = require('protobufjs').parse(source).root.lookupType('M');
const bytes = Buffer.from(type.encode({ cells: [1, 2, 3] }).finish());
const plain = require('protocol-buffers')(source).M;
const packed = require('protocol-buffers')(source.replace('= 1', '= 1 [packed=true]')).M;
console.log('wire', bytes.toString('hex'));
console.log('as it is', JSON.stringify(plain.decode(bytes).cells));
console.log('empty list', JSON.stringify(plain.decode(Buffer.from('0a00', 'hex')).cells));
console.log('[packed=true]', JSON.stringify(packed.decode(bytes).cells));
JS
)
expected=$(cat <<'TEXT'
wire 0a03010203
as it is [3]
empty list [0]
[packed=true] [1,2,3]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
