#!/usr/bin/env bash
# faye-websocket 0.11.4 (npm): a close frame with a registered code above 1011 is treated as a protocol error.
#
# Expected: RFC 6455, section 7.4.2: IANA registers the codes from 1000 to 2999. 1012 (service restart) and 1014 (bad
# gateway) are registered; ws 8.18.3 echoes them. libwebsockets 4.1.6 refuses them, too.
# Seen: the answer is 1002, and the application is told 1002 instead of the code that the peer sent.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  faye-websocket@0.11.4 websocket-driver@0.7.4
cd "$dir"

seen=$(node - <<'JS'
const { createServer } = require('http');
const { connect } = require('net');
const WebSocket = require('faye-websocket');

const server = createServer().on('upgrade', (request, socket, body) => {
  const peer = new WebSocket(request, socket, body);
  peer.on('close', event => console.log(`sent ${request.url}, the application sees ${event.code}`));
});
server.listen(0, '127.0.0.1', async () => {
  for (const code of [1011, 1012, 1014]) {
    await new Promise(resolve => {
      const socket = connect(server.address().port, '127.0.0.1');
      socket.once('data', () => {
        socket.once('data', answer => console.log(`sent /${code}, the answer is ${answer.readUInt16BE(2)}`));
        socket.write(Buffer.from([0x88, 0x82, 0, 0, 0, 0, code >> 8, code & 255]));
      });
      socket.on('end', () => socket.end()).on('close', () => setTimeout(resolve, 100));
      socket.write(`GET /${code} HTTP/1.1\r\nHost: den\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n');
    });
  }
  server.close();
});
JS
)
expected=$(cat <<'TEXT'
sent /1011, the application sees 1011
sent /1011, the answer is 1011
sent /1012, the application sees 1002
sent /1012, the answer is 1002
sent /1014, the application sees 1002
sent /1014, the answer is 1002
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
