#!/usr/bin/env bash
# python3-websockets 10.4-1: a handshake that offers a window of 8 bits fails instead of going on without
# compression.
#
# Expected: RFC 7692, section 7.1.2.1: server_max_window_bits is 8 to 15, and a server that does not support the
# value declines the offer.
# Seen: zlib's wrapper raises ValueError, and the server answers with status 500. With 9 bits the handshake succeeds.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq python3-websockets=10.4-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
import asyncio
import logging
import websockets

logging.disable(logging.CRITICAL)


async def status(port, bits):
    reader, writer = await asyncio.open_connection('127.0.0.1', port)
    writer.write(('GET / HTTP/1.1\r\nHost: den\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
                  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
                  f'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits={bits}\r\n\r\n').encode())
    line = (await reader.readline()).decode().strip()
    writer.close()
    return line


async def main():
    async def play(socket):
        await socket.wait_closed()
    async with websockets.serve(play, '127.0.0.1', 0) as server:
        port = server.sockets[0].getsockname()[1]
        for bits in (9, 8):
            print(bits, 'bits:', await status(port, bits))


asyncio.run(main())
PYTHON
)
expected=$(cat <<'TEXT'
9 bits: HTTP/1.1 101 Switching Protocols
8 bits: HTTP/1.1 500 Internal Server Error
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
