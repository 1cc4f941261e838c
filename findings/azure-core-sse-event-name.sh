#!/usr/bin/env bash
# @azure/core-sse 2.4.0: the name of an event without data is given to the next event, and a leading empty line is
# lost.
#
# Expected: HTML, server-sent events: at an empty line both buffers are cleared, even if there is no data; each data
# line adds its text and a line feed. eventsource-parser 4.1.3 reads all so.
# Seen: "y" has the event of the one before; an empty line at the start of a text disappears.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @azure/core-sse@2.4.0 eventsource-parser@4.1.3
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { createSseStream } from '@azure/core-sse';
import { createParser } from 'eventsource-parser';

for (const text of ['event: x\n\ndata: y\n\n', 'data: a\ndata:\ndata: b\n\n', 'data:\ndata: b\n\n', 'data\n\n']) {
  const [seen, reference] = [[], []];
  for await (const { event, data } of createSseStream(new Blob([text]).stream())) seen.push([event, data]);
  createParser({ onEvent: ({ event = '', data }) => reference.push([event, data]) }).feed(text);
  console.log(JSON.stringify(text), JSON.stringify(seen), 'eventsource-parser', JSON.stringify(reference));
}
JS
)
expected=$(cat <<'TEXT'
"event: x\n\ndata: y\n\n" [["x","y"]] eventsource-parser [["","y"]]
"data: a\ndata:\ndata: b\n\n" [["","a\n\nb"]] eventsource-parser [["","a\n\nb"]]
"data:\ndata: b\n\n" [["","b"]] eventsource-parser [["","\nb"]]
"data\n\n" [] eventsource-parser [["",""]]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
