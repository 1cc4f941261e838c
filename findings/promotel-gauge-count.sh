#!/usr/bin/env bash
# @platformatic/promotel 0.2.2: a gauge whose name ends in _count is sent to OpenTelemetry as a histogram with
# another name.
#
# Expected: the TYPE line says gauge, and the name of a gauge is free (Prometheus' text format).
# Seen: the metric seats_count arrives as the histogram seats without buckets.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @platformatic/promotel@0.2.2
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { convert, parse } from '@platformatic/promotel';

for (const name of ['seats', 'seats_count']) {
  const { resource_metrics } = convert(parse(`# TYPE ${name} gauge\n${name} 3 1000\n`));
  const [metric] = resource_metrics[0].scope_metrics[0].metrics;
  console.log(name, '=>', metric.name, Object.keys(metric).filter(key => key !== 'name').join());
}
JS
)
expected=$(cat <<'TEXT'
seats => seats gauge
seats_count => seats histogram
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
