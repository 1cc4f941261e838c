#!/usr/bin/env bash
# length-prefixed-stream 2.0.0: a frame of length 0 disappears.
#
# Expected: a delimited protobuf message whose fields all have their defaults has the length 0 (parseDelimitedFrom in
# Java and protodelim in Go return it). it-length-prefixed 11.0.1 delivers it.
# Seen: three frames go in, two come out, and the requests after it are answered one place too early.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  length-prefixed-stream@2.0.0 it-length-prefixed@11.0.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import lengthPrefixed from 'length-prefixed-stream';
import { decode } from 'it-length-prefixed';

const frames = Buffer.from([1, 97, 0, 1, 98]);
const stream = lengthPrefixed.decode();
const seen = [];
stream.on('data', frame => seen.push(frame.toString()));
stream.end(frames);
await new Promise(resolve => stream.on('end', resolve));
console.log('length-prefixed-stream', JSON.stringify(seen));
const others = [];
for await (const frame of decode([frames])) others.push(Buffer.from(frame.subarray()).toString());
console.log('it-length-prefixed', JSON.stringify(others));
JS
)
expected=$(cat <<'TEXT'
length-prefixed-stream ["a","b"]
it-length-prefixed ["a","","b"]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
