#!/usr/bin/env bash
# fast-toml 0.5.4: the float nan is read as false, and -inf, +inf, +nan and -nan as texts.
#
# Expected: TOML 0.5, which the package claims, has the floats inf and nan with an optional sign. smol-toml 1.9.1
# reads them as numbers.
# Seen: only inf without a sign is a number.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  fast-toml@0.5.4 smol-toml@1.9.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import fast from 'fast-toml';
import { parse } from 'smol-toml';

for (const value of ['inf', '-inf', '+inf', 'nan', '+nan', '-nan']) {
  const [seen, other] = [fast.parse, parse].map(read => read(`a = ${value}\n`).a).map(a => `${typeof a} ${a}`);
  console.log(`${value}: ${seen}, smol-toml ${other}`);
}
JS
)
expected=$(cat <<'TEXT'
inf: number Infinity, smol-toml number Infinity
-inf: string -inf, smol-toml number -Infinity
+inf: string +inf, smol-toml number Infinity
nan: boolean false, smol-toml number NaN
+nan: string +nan, smol-toml number NaN
-nan: string -nan, smol-toml number NaN
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
