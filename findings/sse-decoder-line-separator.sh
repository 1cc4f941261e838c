#!/usr/bin/env bash
# sse-decoder 1.0.0 (npm): the line separator U+2028 in a text cuts it, and the rest is lost.
#
# Expected: HTML, server-sent events: only CR, LF and CRLF end a line. JSON.stringify leaves U+2028 as it is.
# eventsource-parser 4.1.3 returns the whole text.
# Seen: the rest of the line is taken for another field, which is unknown. The same happens at a form feed and at
# U+0085.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  sse-decoder@1.0.0 eventsource-parser@4.1.3
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { LineDecoder, SSEDecoder } from 'sse-decoder';
import { createParser } from 'eventsource-parser';

for (const mark of ['-', '\u2028', '\f', '\u0085']) {
  const text = `data: one${mark}two\n\n`;
  const [lines, events, reference] = [new LineDecoder(), new SSEDecoder(), []];
  const seen = [...lines.decode(text), ...lines.flush()].map(line => events.decode(line)?.data).filter(data => data);
  createParser({ onEvent: ({ data }) => reference.push(data) }).feed(text);
  console.log(JSON.stringify(seen), 'eventsource-parser', JSON.stringify(reference));
}
JS
)
expected=$(cat <<'TEXT'
["one-two"] eventsource-parser ["one-two"]
["one"] eventsource-parser ["one two"]
["one"] eventsource-parser ["one\ftwo"]
["one"] eventsource-parser ["onetwo"]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
