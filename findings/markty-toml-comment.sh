#!/usr/bin/env bash
# markty-toml 0.1.1 (npm): a comment behind a number or a boolean becomes part of the value, which is then a text.
#
# Expected: TOML: a hash symbol marks the rest of the line as a comment, except inside a string. Behind a string the
# package does that.
# Seen: port = 8080 with a comment is the text "8080 # ...".
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  markty-toml@0.1.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import parse from 'markty-toml';

for (const text of ['port = 8080', 'port = 8080 # TCP', 'tls = true # always', 'name = "anna" # player']) {
  console.log(text, '=>', JSON.stringify(parse(text)));
}
JS
)
expected=$(cat <<'TEXT'
port = 8080 => {"port":8080}
port = 8080 # TCP => {"port":"8080 # TCP"}
tls = true # always => {"tls":"true # always"}
name = "anna" # player => {"name":"anna"}
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
