#!/usr/bin/env bash
# ndjson 2.0.0 (npm): a line that is null ends the stream, and the lines behind it are errors.
#
# Expected: the NDJSON specification: each line is a JSON text, and null is one (RFC 8259). it-ndjson 2.0.0 delivers
# it.
# Seen: null is pushed into Node's object stream, where it means the end.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  ndjson@2.0.0 it-ndjson@2.0.0
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { parse } from 'it-ndjson';
import ndjson from 'ndjson';

const lines = Buffer.from('{"cell":"h8"}\nnull\n{"cell":"h9"}\n');
const seen = [];
const stream = ndjson.parse();
stream.on('data', value => seen.push(value)).on('error', error => seen.push(error.message));
stream.end(lines);
await new Promise(resolve => setTimeout(resolve, 500));
console.log('ndjson', JSON.stringify(seen));
const others = [];
for await (const value of parse([lines])) others.push(value);
console.log('it-ndjson', JSON.stringify(others));
JS
)
expected=$(cat <<'TEXT'
ndjson [{"cell":"h8"},"stream.push() after EOF"]
it-ndjson [{"cell":"h8"},null,{"cell":"h9"}]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
