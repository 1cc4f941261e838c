#!/usr/bin/env bash
# @apollo/protobufjs 1.2.8: a map entry without a key, without a value, or with the value first is refused or
# misread.
#
# Expected: the encoding guide of Protocol Buffers says that a map entry is a message with the fields key = 1 and
# value = 2. So fields may be missing (then they have their defaults) and come in any order. protobufjs 8.8.1 reads
# all four entries below.
# Seen: an error in three of them; in the fourth, an unknown field of the entry becomes field 3 of the message around
# it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @apollo/protobufjs@1.2.8 protobufjs@8.8.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import apollo from '@apollo/protobufjs';
import current from 'protobufjs';

const source = 'syntax = "proto3"; message M { map<string, int32> scores = 1; int32 round = 3; }';
const messages = {
  'no key': '0a021005',
  'no value': '0a030a016b',
  'value first': '0a0510070a016b',
  'unknown field': '0a070a016b10011809',
};
for (const [what, bytes] of Object.entries(messages)) {
  for (const [name, library] of Object.entries({ apollo, current })) {
    const type = library.parse(source).root.lookupType('M');
    let read;
    try {
      read = JSON.stringify(type.toObject(type.decode(Buffer.from(bytes, 'hex'))));
    } catch (error) {
      read = error.message;
    }
    console.log(`${what}, ${name}: ${read}`);
  }
}
JS
)
expected=$(cat <<'TEXT'
no key, apollo: index out of range: 4 + 10 > 4
no key, current: {"scores":{"":5}}
no value, apollo: index out of range: 5 + 10 > 5
no value, current: {"scores":{"k":0}}
value first, apollo: index out of range: 7 + 10 > 7
value first, current: {"scores":{"k":7}}
unknown field, apollo: {"scores":{"k":1},"round":9}
unknown field, current: {"scores":{"k":1}}
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
