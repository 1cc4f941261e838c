#!/usr/bin/env bash
# proxy-protocol-js 4.0.6: the short UNKNOWN line of the PROXY protocol is refused.
#
# Expected: haproxy's proxy-protocol.txt, section 2.1: with UNKNOWN the sender may omit the addresses, so "PROXY
# UNKNOWN" and CR LF is a complete header.
# Seen: a parse error; only the long form, whose addresses mean nothing, is accepted.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  proxy-protocol-js@4.0.6
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { V1ProxyProtocol } from 'proxy-protocol-js';

for (const line of ['PROXY UNKNOWN', 'PROXY UNKNOWN ::1 ::1 65535 65535']) {
  try {
    console.log(line, '=>', V1ProxyProtocol.parse(line + '\r\nhello').inetProtocol);
  } catch (error) {
    console.log(line, '=>', error.message);
  }
}
JS
)
expected=$(cat <<'TEXT'
PROXY UNKNOWN => given data isn't suitable for V1 PROXY protocols definition
PROXY UNKNOWN ::1 ::1 65535 65535 => UNKNOWN
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
