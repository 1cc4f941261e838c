#!/usr/bin/env bash
# sgfjs 0.9.0 (npm): of a file with several games only the first is returned, without an error.
#
# Expected: FF[4]: a file is a collection of one or more game trees. @sabaki/sgf 3.4.7 returns all.
# Seen: one tree.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  sgfjs@0.9.0 @sabaki/sgf@3.4.7
cd "$dir"

seen=$(node - <<'JS'
const text = '(;SZ[15];B[hh])\n(;SZ[19];B[aa])\n';
console.log('sgfjs', JSON.stringify(require('sgfjs').parse(text)));
console.log('@sabaki/sgf', require('@sabaki/sgf').parse(text).length, 'games');
JS
)
expected=$(cat <<'TEXT'
sgfjs {"props":{"SZ":"15"},"childs":[{"props":{"B":"hh"},"childs":[]}]}
@sabaki/sgf 2 games
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
