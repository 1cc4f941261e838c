#!/usr/bin/env bash
# multicast-dns-service-types 1.1.0: a subtype is read as a service of the protocol "sub", and written in an order
# that no browser asks for.
#
# Expected: RFC 6763, section 7.1: the name is _printer._sub._http._tcp, the subtype first, then the label _sub.
# Seen: the parse gives the name printer and the subtypes http and tcp; stringify puts the subtype behind the type,
# without _sub.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  multicast-dns-service-types@1.1.0
cd "$dir"

seen=$(node - <<'JS'
const { parse, stringify } = require('multicast-dns-service-types');
console.log('parse', JSON.stringify(parse('_printer._sub._http._tcp')));
console.log('stringify', stringify({ name: 'http', protocol: 'tcp', subtypes: ['printer'] }));
JS
)
expected=$(cat <<'TEXT'
parse {"name":"printer","protocol":"sub","subtypes":["http","tcp"]}
stringify _http._tcp._printer
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
