#!/usr/bin/env bash
# wgo 3.0.0-alpha.10 and sgfjs 0.9.0 (npm): an escaped line break stays in the comment.
#
# Expected: FF[4], Text: a line break preceded by a backslash is a soft one and is removed. @sabaki/sgf 3.4.7 removes
# it.
# Seen: a comment that was wrapped at a fixed width has breaks within its words.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  wgo@3.0.0-alpha.10 sgfjs@0.9.0 @sabaki/sgf@3.4.7
cd "$dir"

seen=$(node - <<'JS'
const text = '(;C[to\\\nmorrow])';
console.log('wgo', JSON.stringify(new (require('wgo').SGFParser)(text).parseCollection()[0].sequence[0].C[0]));
console.log('sgfjs', JSON.stringify(require('sgfjs').parse(text).props.C));
console.log('@sabaki/sgf', JSON.stringify(require('@sabaki/sgf').parse(text)[0].data.C[0]));
JS
)
expected=$(cat <<'TEXT'
wgo "to\nmorrow"
sgfjs "to\nmorrow"
@sabaki/sgf "tomorrow"
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
