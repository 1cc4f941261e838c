#!/usr/bin/env bash
# jssgf 0.3.8 (npm): a comment that ends with an escaped backslash swallows the following moves.
#
# Expected: FF[4]: a backslash escapes the next character, so \\ is a backslash and the bracket behind it ends the
# value.
# Seen: fastParse takes the bracket for an escaped one: the comment holds the next move, which is not in the tree.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  jssgf@0.3.8
cd "$dir"

seen=$(node - <<'JS'
const { fastParse } = require('jssgf');
for (const text of ['(;C[a\\\\b];B[aa];C[c])', '(;C[ab\\\\];B[aa];C[c])']) {
  const [root] = fastParse(text);
  console.log(text, '=> comment', JSON.stringify(root.C), 'next', JSON.stringify(root._children[0]));
}
JS
)
expected=$(cat <<'TEXT'
(;C[a\\b];B[aa];C[c]) => comment "a\\b" next {"B":"aa","_children":[{"C":"c","_children":[]}]}
(;C[ab\\];B[aa];C[c]) => comment "ab\\];B[aa" next {"C":"c","_children":[]}
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
