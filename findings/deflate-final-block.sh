#!/usr/bin/env bash
# permessage-deflate 0.1.7 (npm) and python3-websockets 10.4-1: the message after one that ends with a final DEFLATE
# block is read as empty.
#
# Expected: RFC 7692, section 7.2.3.4: a message may use a block with BFINAL set to 1; the bytes below are its
# example. ws 8.18.3 reads both messages.
# Seen: the first "Hello" arrives, and the second is an empty message, without an error.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  permessage-deflate@0.1.7
cd "$dir"
apt-get download -qq python3-websockets=10.4-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" node - <<'JS'
const { execFileSync } = require('child_process');
const [final, usual] = ['f348cdc9c9070000', 'f248cdc9c90700'];
const session = require('permessage-deflate').createServerSession([{}]);
session.generateResponse();
const read = [];
function next(data) {
  const message = { rsv1: true, opcode: 1, data: Buffer.from(data, 'hex') };
  session.processIncomingMessage(message, (error, inflated) => {
    read.push(error ? error.message : inflated.data.toString());
    if (read.length === 1) return next(usual);
    console.log('permessage-deflate', JSON.stringify(read));
    session.close();
  });
}
next(final);
console.log('websockets', execFileSync('/usr/bin/python3', ['-c', `
import json
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode
extension = PerMessageDeflate(False, False, 15, 15)
frames = [Frame(Opcode.TEXT, bytes.fromhex(data), rsv1=True) for data in ('${final}', '${usual}')]
print(json.dumps([extension.decode(frame).data.decode() for frame in frames]))
`]).toString().trim());
JS
)
expected=$(cat <<'TEXT'
websockets ["Hello", ""]
permessage-deflate ["Hello",""]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
