#!/usr/bin/env bash
# prom2javascript 0.2.0 (npm): a label that ends with a backslash is an error.
#
# Expected: the text format of Prometheus: in a label value a backslash is written as two, and a quote as \".
# Seen: the second backslash and the closing quote are taken for an escaped quote. A quote and a line break are read.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  prom2javascript@0.2.0
cd "$dir"

seen=$(node --input-type=module - <<'JS'
import { getMetricsFromIterator } from 'prom2javascript';

for (const line of ['disk{path="/"} 1', 'disk{path="a\\"b"} 1', 'disk{path="a\\nb"} 1', 'disk{path="a\\\\b"} 1',
  'disk{path="C:\\\\"} 1']) {
  try {
    const metrics = await getMetricsFromIterator([line].values());
    console.log(`${line}: ${JSON.stringify(metrics.disk.data[0].labels)}`);
  } catch (error) {
    console.log(`${line}: ${error.message}`);
  }
}
JS
)
expected=$(cat <<'TEXT'
disk{path="/"} 1: {"path":"/"}
disk{path="a\"b"} 1: {"path":"a\"b"}
disk{path="a\nb"} 1: {"path":"a\nb"}
disk{path="a\\b"} 1: {"path":"a\\b"}
disk{path="C:\\"} 1: Cannot parse Prometheus label {path="C:\\"}
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
