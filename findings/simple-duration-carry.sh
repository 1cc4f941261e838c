#!/usr/bin/env bash
# simple-duration 1.1.1 (npm): 59.9999 seconds are written as "59s 1000ms", and rounding can leave a lone minus.
#
# Expected: the Simple Duration Format: a unit holds what is less than the next one, and the writer rounds to the
# unit that is asked for. What it writes, it reads.
# Seen: the rounded part does not carry; -5 seconds, rounded to minutes, are "-", which parse() refuses.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  simple-duration@1.1.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { parse, stringify } from 'simple-duration';

for (const [seconds, unit] of [[60, 'ms'], [59.9999, 'ms'], [59.9, 's'], [3599, 'm'], [5, 'm'], [-5, 'm']]) {
  const text = stringify(seconds, unit);
  let read;
  try {
    read = parse(text);
  } catch (error) {
    read = error.message;
  }
  console.log(seconds, unit, '=>', JSON.stringify(text), 'read as', read);
}
JS
)
expected=$(cat <<'TEXT'
60 ms => "1m" read as 60
59.9999 ms => "59s 1000ms" read as 60
59.9 s => "60s" read as 60
3599 m => "60m" read as 3600
5 m => "0m" read as 0
-5 m => "-" read as - is not valid Simple Duration Format
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
