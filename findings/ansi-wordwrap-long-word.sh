#!/usr/bin/env bash
# ansi-wordwrap 1.0.2 (npm): if the first word of a text is longer than the width, the result begins with an empty
# line.
#
# Expected: a word moves to the next line to get more room; on an empty line it already has all there is. wordwrapjs
# 5.1.1 adds nothing.
# Seen: a line break in front, which moves the whole text down by one row. In the middle of a text a long word costs
# no additional line.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  ansi-wordwrap@1.0.2 wordwrapjs@5.1.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import wrap from 'ansi-wordwrap';
import wordwrapjs from 'wordwrapjs';

for (const text of ['anna resigns', 'congratulations anna', 'anna congratulates bob']) {
  console.log(JSON.stringify(text), '=>', JSON.stringify(wrap(text, { width: 10 })), 'wordwrapjs',
    JSON.stringify(wordwrapjs.wrap(text, { width: 10 })));
}
JS
)
expected=$(cat <<'TEXT'
"anna resigns" => "anna\nresigns" wordwrapjs "anna\nresigns"
"congratulations anna" => "\ncongratulations\nanna" wordwrapjs "congratulations\nanna"
"anna congratulates bob" => "anna\ncongratulates\nbob" wordwrapjs "anna\ncongratulates\nbob"
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
