#!/usr/bin/env bash
# @indutny/protopiler 4.0.2: a file with a negative enum value compiles to a module that no engine can parse.
#
# Expected: enum values are int32 and may be negative (language guide of Protocol Buffers). The README lists enums as
# supported; with the values 0 and 1 the module loads.
# Seen: the generated object has the key -1 without quotes.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @indutny/protopiler@4.0.2
cd "$dir"

for enum in 'plain:' 'negative:LOST = -1;'; do
  echo "syntax = \"proto3\"; enum Result { NONE = 0; WON = 1; ${enum#*:} } message M { Result result = 1; }" >m.proto
  node node_modules/@indutny/protopiler/bin/cli.mjs m.proto --output "${enum%%:*}.mjs"
done

seen=$(node --input-type=module <<'JS'
import { readFileSync } from 'node:fs';

for (const name of ['plain', 'negative']) {
  try {
    console.log(name, Object.keys(await import(`${process.cwd()}/${name}.mjs`)).join());
  } catch (error) {
    console.log(name, `${error.name}: ${error.message}`);
  }
}
console.log(readFileSync('negative.mjs', 'utf8').split('\n').find(line => /^\s*-1/.test(line)).trim());
JS
)
expected=$(cat <<'TEXT'
plain M,Result
negative SyntaxError: Unexpected token '-'
-1: 'LOST',
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
