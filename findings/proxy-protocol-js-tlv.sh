#!/usr/bin/env bash
# proxy-protocol-js 4.0.6: the extensions (TLVs) of a version 2 header come out as the first bytes of the
# application's data.
#
# Expected: haproxy's proxy-protocol.txt, section 2.2: the length counts all bytes after it; what follows the
# addresses are TLVs, to be skipped by those who do not know them. The README claims version 2.
# Seen: the data are the four bytes of a PP2_TYPE_NOOP and then "hello".
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  proxy-protocol-js@4.0.6
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { V2ProxyProtocol } from 'proxy-protocol-js';

const signature = '0d0a0d0a000d0a515549540a';
const addresses = 'c0000201' + 'c0000202' + '3039' + '1de6';
for (const tlv of ['', '04000100']) {
  const length = (12 + tlv.length / 2).toString(16).padStart(4, '0');
  const header = Buffer.from(signature + '2111' + length + addresses + tlv, 'hex');
  const parsed = V2ProxyProtocol.parse(new Uint8Array(Buffer.concat([header, Buffer.from('hello')])));
  console.log(`TLVs '${tlv}', data`, Buffer.from(parsed.data).toString('hex'));
}
JS
)
expected=$(cat <<'TEXT'
TLVs '', data 68656c6c6f
TLVs '04000100', data 0400010068656c6c6f
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
