#!/usr/bin/env bash
# @indutny/protopiler 4.0.2: a negative int32 takes five bytes instead of ten, so a reader whose field is int64 sees
# 4294967295.
#
# Expected: int32 and int64 are compatible on the wire: a negative int32 is sign-extended to ten bytes (encoding
# guide and "Updating A Message Type" of Protocol Buffers).
# Seen: ffffffff0f. protobufjs 8.8.1 reads it as -1 with int32, and as 4294967295 with int64.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @indutny/protopiler@4.0.2 protobufjs@8.8.1
cd "$dir"

echo 'syntax = "proto3"; message M { int32 n = 1; }' >m.proto
node node_modules/@indutny/protopiler/bin/cli.mjs m.proto --output m.mjs

seen=$(node --input-type=module <<'JS'
import { M } from './m.mjs';
import protobuf from 'protobufjs';

const bytes = Buffer.from(M.encode({ n: -1 }));
const message = type => protobuf.parse(`syntax = "proto3"; message M { ${type} n = 1; }`).root.lookupType('M');
const usual = Buffer.from(message('int32').encode({ n: -1 }).finish());
console.log('protopiler', bytes.toString('hex'), 'protobufjs', usual.toString('hex'));
console.log('as int32', String(message('int32').decode(bytes).n), 'as int64', String(message('int64').decode(bytes).n));
JS
)
expected=$(cat <<'TEXT'
protopiler 08ffffffff0f protobufjs 08ffffffffffffffffff01
as int32 -1 as int64 4294967295
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
