#!/usr/bin/env bash
# @sabaki/sgf 3.4.7: an escaped colon loses its backslash when a file is read and written, and a composed value gets
# another meaning.
#
# Expected: FF[4]: in a Compose value a colon that does not separate is escaped. AP holds a program's name and its
# version, with a colon between.
# Seen: the name "a:b" with version 1 becomes the name "a" with version "b:1", and a reader of the tree can not tell
# them apart either.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @sabaki/sgf@3.4.7
cd "$dir"

seen=$(node --input-type=module <<'JS'
import sgf from '@sabaki/sgf';

const text = '(;FF[4]AP[a\\:b:1])';
const tree = sgf.parse(text);
console.log(text, '=>', JSON.stringify(tree[0].data.AP), '=>', sgf.stringify(tree, { linebreak: '', indent: '' }));
JS
)
expected=$(cat <<'TEXT'
(;FF[4]AP[a\:b:1]) => ["a:b:1"] => (;FF[4]AP[a:b:1])
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
