#!/usr/bin/env bash
# fast-toml 0.5.4: blanks around the dot of a dotted key become part of the names.
#
# Expected: TOML 0.5: whitespace around dot-separated parts is ignored. smol-toml 1.9.1 reads both lines alike.
# Seen: clock . add is the key "clock " with the key " add"; the same setting with and without blanks is two
# settings.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  fast-toml@0.5.4 smol-toml@1.9.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import fast from 'fast-toml';
import { parse } from 'smol-toml';

for (const text of ['clock.add = 5', 'clock . add = 5', '[ clock . main ]']) {
  console.log(text, JSON.stringify(fast.parse(text)), 'smol-toml', JSON.stringify(parse(text)));
}
JS
)
expected=$(cat <<'TEXT'
clock.add = 5 {"clock":{"add":5}} smol-toml {"clock":{"add":5}}
clock . add = 5 {"clock ":{" add":5}} smol-toml {"clock":{"add":5}}
[ clock . main ] {" clock ":{" main ":{}}} smol-toml {"clock":{"main":{}}}
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
