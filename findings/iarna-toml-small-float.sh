#!/usr/bin/env bash
# @iarna/toml 3.0.0: a small number is written with ".undefined" behind it.
#
# Expected: TOML's floats have a digit sequence behind the dot. The package's own parser should read what its writer
# wrote.
# Seen: 1e-7 becomes 1e-7.undefined, which its parser refuses; 1.5e-7 becomes a valid float.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @iarna/toml@3.0.0
cd "$dir"

seen=$(node - <<'JS'
const { parse, stringify } = require('@iarna/toml');
for (const rate of [0.5, 1.5e-7, 1e-7]) {
  const text = stringify({ rate }).trim();
  let back;
  try {
    back = parse(text).rate;
  } catch (error) {
    back = error.name;
  }
  console.log(rate, '=>', text, '=>', back);
}
JS
)
expected=$(cat <<'TEXT'
0.5 => rate = 0.5 => 0.5
1.5e-7 => rate = 1.5e-7 => 1.5e-7
1e-7 => rate = 1e-7.undefined => TomlError
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
