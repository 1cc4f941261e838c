#!/usr/bin/env bash
# @platformatic/promotel 0.2.2: of the buckets of a histogram only the last one is sent to OpenTelemetry.
#
# Expected: metrics.proto of OpenTelemetry: a histogram has all its bounds, and one bucket count more than bounds. Of
# nine waits two are up to 1, three up to 2, four above.
# Seen: no bound and one count. If the last line of the buckets is the bound 2, one bound and one count.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @platformatic/promotel@0.2.2
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { convert, parse } from '@platformatic/promotel';

const buckets = ['wait_bucket{le="1"} 2 1000', 'wait_bucket{le="2"} 5 1000', 'wait_bucket{le="+Inf"} 9 1000'];
for (const order of [[0, 1, 2], [2, 0, 1]]) {
  const lines = ['# TYPE wait histogram', ...order.map(i => buckets[i]), 'wait_sum 15 1000', 'wait_count 9 1000', ''];
  const [metric] = convert(parse(lines.join('\n'))).resource_metrics[0].scope_metrics[0].metrics;
  const { count, explicit_bounds, bucket_counts } = metric.histogram.data_points[0];
  console.log(JSON.stringify({ count, explicit_bounds, bucket_counts }));
}
JS
)
expected=$(cat <<'TEXT'
{"count":9,"explicit_bounds":[],"bucket_counts":[9]}
{"count":9,"explicit_bounds":[2],"bucket_counts":[5]}
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
