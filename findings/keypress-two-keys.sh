#!/usr/bin/env bash
# keypress 0.2.1 (npm): of two arrow keys that arrive together only the first is reported.
#
# Expected: a terminal's input has no borders between keys: a quick typist or a slow line delivers several at once.
# Two letters in one chunk give two events.
# Seen: one event for two sequences; the second key is lost.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  keypress@0.2.1
cd "$dir"

seen=$(node - <<'JS'
const { PassThrough } = require('stream');
const keypress = require('keypress');
for (const text of ['ab', '\x1b[A', '\x1b[A\x1b[B', '\x1b[Ab']) {
  const input = new PassThrough();
  keypress(input);
  const keys = [];
  input.on('keypress', (character, key) => keys.push(key?.name));
  input.emit('data', Buffer.from(text));
  console.log(JSON.stringify(text), '=>', keys.join());
}
JS
)
expected=$(cat <<'TEXT'
"ab" => a,b
"\u001b[A" => up
"\u001b[A\u001b[B" => up
"\u001b[Ab" => up
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
