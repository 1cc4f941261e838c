#!/usr/bin/env bash
# websocket 1.0.35 (npm): a clean close without a code is reported as 1006, a dropped connection.
#
# Expected: RFC 6455, section 7.1.5: if the close frame has no code, the code of the connection is 1005; 1006 means
# that no close frame came. ws 8.18.3 reports 1005.
# Seen: the server answers the close frame with 1000, and tells the application 1006, "Connection dropped by remote
# peer."
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  websocket@1.0.35
cd "$dir"

seen=$(node - <<'JS'
const { createServer } = require('http');
const { connect } = require('net');
const { server: Server } = require('websocket');

const http = createServer();
new Server({ httpServer: http }).on('request', request => {
  const peer = request.accept();
  peer.on('close', (code, reason) => console.log(`${request.resource}: the application sees ${code} ${reason}`));
});
http.listen(0, '127.0.0.1', async () => {
  const closes = { '/with-code': [0x88, 0x82, 0, 0, 0, 0, 3, 232], '/without-code': [0x88, 0x80, 0, 0, 0, 0] };
  for (const [path, frame] of Object.entries(closes)) {
    await new Promise(resolve => {
      const socket = connect(http.address().port, '127.0.0.1');
      socket.once('data', () => {
        socket.once('data', answer => console.log(`${path}: answered with ${answer.readUInt16BE(2)}`));
        socket.write(Buffer.from(frame));
      });
      socket.on('end', () => socket.end()).on('close', () => setTimeout(resolve, 100));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: den\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n');
    });
  }
  process.exit();
});
JS
)
expected=$(cat <<'TEXT'
/with-code: answered with 1000
/with-code: the application sees 1000 Normal connection closure
/without-code: answered with 1000
/without-code: the application sees 1006 Connection dropped by remote peer.
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
