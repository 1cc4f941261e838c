#!/usr/bin/env bash
# parse-prometheus-text-format 1.1.1: the histograms of two label sets become one, which has the numbers of the last
# and no labels.
#
# Expected: each label set apart from le is a histogram of its own (Prometheus' text format). The README says that
# the output is compatible with prom2json, which gives two.
# Seen: room a is gone, the label is gone, and so are sum and count.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  parse-prometheus-text-format@1.1.1
cd "$dir"

seen=$(node - <<'JS'
const parse = require('parse-prometheus-text-format');
const lines = ['# TYPE wait histogram'];
for (const [room, count] of [['a', 2], ['b', 6]]) {
  lines.push(`wait_bucket{room="${room}",le="1"} ${count - 1}`, `wait_bucket{room="${room}",le="+Inf"} ${count}`);
  lines.push(`wait_sum{room="${room}"} ${count}`, `wait_count{room="${room}"} ${count}`);
}
console.log(JSON.stringify(parse(lines.join('\n') + '\n')));
JS
)
expected=$(cat <<'TEXT'
[{"name":"wait","help":"","type":"HISTOGRAM","metrics":[{"buckets":{"1":"5","+Inf":"6"}}]}]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
