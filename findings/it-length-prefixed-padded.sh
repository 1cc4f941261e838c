#!/usr/bin/env bash
# it-length-prefixed 11.0.1: a length with a padding byte shifts the frame: the padding is taken for data.
#
# Expected: a varint may have more bytes than it needs, and a protobuf parser accepts that: writers reserve a fixed
# room for a length that they do not know yet. python3-protobuf, for one, reads 83 00 as 3.
# Seen: the body of 83 00 61 62 63 is 00 61 62. The library skips as many bytes as the shortest form of the length
# has.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  it-length-prefixed@11.0.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { decode } from 'it-length-prefixed';

for (const bytes of ['03616263', '8300616263']) {
  const seen = [];
  for await (const frame of decode([Buffer.from(bytes, 'hex')])) {
    seen.push(Buffer.from(frame.subarray()).toString('hex'));
  }
  console.log(bytes, seen.join());
}
JS
)
expected=$(cat <<'TEXT'
03616263 616263
8300616263 006162
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
