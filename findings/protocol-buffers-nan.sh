#!/usr/bin/env bash
# protocol-buffers 5.0.0 (npm): a double that is not a number is not written at all.
#
# Expected: a double is written as its eight bytes (encoding guide of Protocol Buffers). An infinity and 0 are.
# Seen: the message with NaN is empty, and its reader sees 0.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  protocol-buffers@5.0.0
cd "$dir"

seen=$(node - <<'JS'
const { M } = require('protocol-buffers')('syntax = "proto3"; message M { double score = 1; }');
for (const score of [Infinity, 0, NaN]) {
  const bytes = M.encode({ score });
  console.log(`${score}: '${bytes.toString('hex')}' is read as ${M.decode(bytes).score}`);
}
JS
)
expected=$(cat <<'TEXT'
Infinity: '09000000000000f07f' is read as Infinity
0: '090000000000000000' is read as 0
NaN: '' is read as 0
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
