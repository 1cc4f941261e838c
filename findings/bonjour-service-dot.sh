#!/usr/bin/env bash
# bonjour-service 1.4.4: a dot in a service's name is replaced by a dash without a word.
#
# Expected: the instance name is for people and may contain any character, dots included (RFC 6763, section 4.1.1). A
# blank and an ampersand stay.
# Seen: the server "Den v1.2" is announced as "Den v1-2".
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  bonjour-service@1.4.4
cd "$dir"

seen=$(node - <<'JS'
const Service = require('bonjour-service/dist/lib/service').default;
for (const name of ['Ann & Bob', 'Den v1.2']) {
  console.log(name, '=>', new Service({ name, type: 'tictactoe', port: 7654 }).fqdn);
}
JS
)
expected=$(cat <<'TEXT'
Ann & Bob => Ann & Bob._tictactoe._tcp.local
Den v1.2 => Den v1-2._tictactoe._tcp.local
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
