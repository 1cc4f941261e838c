#!/usr/bin/env bash
# markty-toml 0.1.1 (npm): an empty text is read as two quotes, and an escaped quote ends the text.
#
# Expected: TOML: a basic string may be empty, and a quotation mark in it is written with a backslash.
# Seen: the quotes are removed only from texts with something inside. What follows an escaped quote is lost without
# an error.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  markty-toml@0.1.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import parse from 'markty-toml';

for (const text of ['name = "a"', 'name = ""', 'name = "say \\"hi\\" to anna"']) {
  console.log(text, '=>', JSON.stringify(parse(text)));
}
JS
)
expected=$(cat <<'TEXT'
name = "a" => {"name":"a"}
name = "" => {"name":"\"\""}
name = "say \"hi\" to anna" => {"name":"say \\"}
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
