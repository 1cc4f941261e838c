#!/usr/bin/env bash
# node-dns-sd 1.0.1: a TXT key without a value is lost.
#
# Expected: RFC 6763, section 6.4: a key without "=" is a boolean attribute, simply identified as being present, and
# differs from a missing key.
# Seen: of "rated", "open=" and "k=5" the first is not in the result.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  node-dns-sd@1.0.1 dns-packet@5.6.1
cd "$dir"

seen=$(node - <<'JS'
const packet = require('dns-packet');
const parser = require('node-dns-sd/lib/dns-sd-parser.js');
const data = ['rated', 'open=', 'k=5'];
const answers = [{ type: 'TXT', name: 'den.local', ttl: 120, data: [...data] }];
const bytes = packet.encode({ type: 'response', id: 0, flags: 0, answers });
console.log(JSON.stringify(data), '=>', JSON.stringify(parser.parse(bytes).answers[0].rdata));
JS
)
expected=$(cat <<'TEXT'
["rated","open=","k=5"] => {"open":"","k":"5"}
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
