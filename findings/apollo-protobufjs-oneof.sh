#!/usr/bin/env bash
# @apollo/protobufjs 1.2.8: if both members of a oneof arrive, both are kept, and both are written again.
#
# Expected: the language guide of Protocol Buffers says that the last member seen wins and all others are cleared.
# protobufjs 8.8.1 does that.
# Seen: the message has both members, and its copy on the wire has both again.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @apollo/protobufjs@1.2.8 protobufjs@8.8.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import apollo from '@apollo/protobufjs';
import current from 'protobufjs';

const source = 'syntax = "proto3"; message M { oneof move { int32 cell = 1; string name = 2; } }';
const bytes = Buffer.from('08051202' + Buffer.from('h8').toString('hex'), 'hex');
for (const [name, library] of Object.entries({ apollo, current })) {
  const type = library.parse(source).root.lookupType('M');
  const message = type.decode(bytes);
  console.log(`${name}: ${JSON.stringify(type.toObject(message))}, case ${message.move}, written again as`,
    Buffer.from(type.encode(message).finish()).toString('hex'));
}
JS
)
expected=$(cat <<'TEXT'
apollo: {"cell":5,"name":"h8"}, case name, written again as 080512026838
current: {"name":"h8"}, case name, written again as 12026838
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
