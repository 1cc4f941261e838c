#!/usr/bin/env bash
# @sabaki/sgf 3.4.7: words before the first "(;" become an empty root node above the game, and punctuation there is
# an error.
#
# Expected: FF[4], "Basics of SGF": there may be text before the collection, as in a mail, and it is skipped up to
# the first "(;". The board's size is in the root node.
# Seen: behind "our game" the root has no properties, so a program that asks it for SZ gets nothing. A comma makes
# the file unreadable.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @sabaki/sgf@3.4.7
cd "$dir"

seen=$(node --input-type=module <<'JS'
import sgf from '@sabaki/sgf';

for (const before of ['', 'our game ', 'Ann, our game ']) {
  const text = before + '(;SZ[15];B[hh])';
  try {
    const [root] = sgf.parse(text);
    const children = root.children.map(child => child.data);
    console.log(text, '=> root', JSON.stringify(root.data), 'children', JSON.stringify(children));
  } catch (error) {
    console.log(text, '=>', error.message);
  }
}
JS
)
expected=$(cat <<'TEXT'
(;SZ[15];B[hh]) => root {"SZ":["15"]} children [{"B":["hh"]}]
our game (;SZ[15];B[hh]) => root {} children [{"SZ":["15"]}]
Ann, our game (;SZ[15];B[hh]) => Unexpected token at 1:4
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
