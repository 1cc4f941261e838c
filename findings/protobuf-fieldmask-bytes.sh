#!/usr/bin/env bash
# protobuf-fieldmask 2.0.0: the mask of a bytes field has one path for each byte, and an empty sub-message has none.
#
# Expected: a path of a FieldMask names fields (field_mask.proto). A bytes field is one field, and a sub-message that
# is present but empty is a field with a value.
# Seen: the paths token.0 and token.1, which no receiver knows, and none for the clock. Applying the mask gives an
# object without the clock.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  protobuf-fieldmask@2.0.0
cd "$dir"

seen=$(node - <<'JS'
const { generateFieldMask, applyFieldMask } = require('protobuf-fieldmask');
const room = { name: 'duel', token: new Uint8Array([7, 9]), clock: {} };
const mask = generateFieldMask(room);
console.log(JSON.stringify(mask), JSON.stringify(applyFieldMask(room, mask)));
JS
)
expected=$(cat <<'TEXT'
["name","token.0","token.1"] {"name":"duel","token":[7,9]}
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
