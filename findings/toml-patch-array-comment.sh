#!/usr/bin/env bash
# @decimalturn/toml-patch 3.3.0: adding an element to an array with a comment inside moves an older element behind
# the comment, where it is lost.
#
# Expected: the README promises that patch() keeps comments and formatting. The result must still mean the changed
# object.
# Seen: of 1, 2, 3 and the new 4, the result has 1, 3 and 4.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @decimalturn/toml-patch@3.3.0
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { parse, patch } from '@decimalturn/toml-patch';

const text = 'sizes = [1, 2, # two\n3]\n';
const wanted = parse(text);
wanted.sizes.push(4);
const result = patch(text, wanted);
console.log(result.trim());
console.log('wanted', JSON.stringify(wanted.sizes), 'got', JSON.stringify(parse(result).sizes));
JS
)
expected=$(cat <<'TEXT'
sizes = [1,    # two 2,
3, 4]
wanted [1,2,3,4] got [1,3,4]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
