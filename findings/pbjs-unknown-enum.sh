#!/usr/bin/env bash
# pbjs 0.0.14 (npm): an enum value that the schema does not have is read as nothing, and its copy is the first value.
#
# Expected: proto3 enums are open: an unknown value is kept as its number and written again (enum guide of Protocol
# Buffers).
# Seen: a single field vanishes, an element of a list becomes undefined, and writing the number sends 0.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  pbjs@0.0.14
cd "$dir"

cat >m.proto <<'PROTO'
syntax = "proto3";
enum Rule { FREE = 0; SWAP = 1; }
message M { Rule rule = 1; repeated Rule rules = 2; }
PROTO
node node_modules/pbjs/cli.js m.proto --es5 m.js

seen=$(node - <<'JS'
const { decodeM, encodeM } = require('./m.js');
const show = bytes => JSON.stringify(decodeM(new Uint8Array(Buffer.from(bytes, 'hex'))));
console.log('known', show('0801'), 'unknown', show('0807'));
console.log('list of known and unknown', show('12020107'));
for (const rule of ['SWAP', 'LATER', 7]) console.log('written', rule, Buffer.from(encodeM({ rule })).toString('hex'));
JS
)
expected=$(cat <<'TEXT'
known {"rule":"SWAP"} unknown {}
list of known and unknown {"rules":["SWAP",null]}
written SWAP 0801
written LATER 0800
written 7 0800
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
