#!/usr/bin/env bash
# unicode-confusables 0.1.1 (npm): plain English with an m, a 0 or a 1 is called confusing, and made into other
# letters.
#
# Expected: the README: isConfusing finds confusing unicode in strings, and is false for "foo"; rectifyConfusion
# applies the similar parts. UTS 39, section 4: the skeleton is for comparing two texts, and is not for display.
# Seen: the letter m is "similar to" rn, and a per cent sign becomes three characters.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  unicode-confusables@0.1.1
cd "$dir"

seen=$(node - <<'JS'
const { isConfusing, rectifyConfusion } = require('unicode-confusables');
for (const text of ['foo', 'mark', 'player 1', '10', '50%', 'f\u043e\u043e']) {
  console.log(text, isConfusing(text), rectifyConfusion(text));
}
JS
)
expected=$(cat <<'TEXT'
foo false foo
mark true rnark
player 1 true player l
10 true lO
50% true 5Oº/₀
fоо true foo
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
