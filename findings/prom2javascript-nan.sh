#!/usr/bin/env bash
# prom2javascript 0.2.0 (npm): a metric that is NaN or -Inf ends the reading of the whole page.
#
# Expected: the text format of Prometheus: a value is a float as Go's ParseFloat() reads it, and NaN, +Inf and -Inf are
# valid. A summary without observations has NaN for its quantiles.
# Seen: +Inf is read; for NaN and -Inf the promise is rejected, so the other metrics are lost too.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  prom2javascript@0.2.0
cd "$dir"

seen=$(node --input-type=module - <<'JS'
import { getMetricsFromIterator } from 'prom2javascript';

for (const value of ['1', '1e3', '+Inf', '-1', 'NaN', '-Inf']) {
  try {
    const metrics = await getMetricsFromIterator(['games 7', `delay ${value}`].values());
    console.log(`${value}: games ${metrics.games.data[0].value}, delay ${metrics.delay.data[0].value}`);
  } catch (error) {
    console.log(`${value}: ${error.message}`);
  }
}
JS
)
expected=$(cat <<'TEXT'
1: games 7, delay 1
1e3: games 7, delay 1000
+Inf: games 7, delay Infinity
-1: games 7, delay -1
NaN: Unable to parse metric [delay NaN]
-Inf: Unable to parse metric [delay -Inf]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
