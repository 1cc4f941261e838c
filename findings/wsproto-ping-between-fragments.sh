#!/usr/bin/env bash
# python3-wsproto 1.2.0-1: a ping between the fragments of a compressed message ends the connection.
#
# Expected: RFC 6455, section 5.4: control frames may be injected in the middle of a fragmented message; RFC 7692
# does not change that. Without compression, and without the ping, it works.
# Seen: the fragment after the ping is taken for uncompressed data: close code 1007.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq python3-wsproto=1.2.0-1 python3-h11=0.14.0-1.1~deb12u1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
from wsproto.connection import Connection, ConnectionType
from wsproto.extensions import PerMessageDeflate


def frame(first, payload):
    return bytes([first, 0x80 | len(payload)]) + bytes(4) + payload


def received(compressed, frames):
    extension = PerMessageDeflate()
    extension.accept('permessage-deflate')
    connection = Connection(ConnectionType.SERVER, extensions=[extension] if compressed else [])
    events = []
    for data in frames:
        connection.receive_data(data)
        for event in connection.events():
            detail = getattr(event, 'data', None) or int(getattr(event, 'code', 0)) or ''
            events.append(f'{type(event).__name__} {detail}'.strip())
    return ', '.join(events)


hello = bytes.fromhex('f248cdc9c90700')
ping = frame(0x89, b'')
print('plain, ping:', received(False, [frame(0x01, b'Hel'), ping, frame(0x80, b'lo')]))
print('compressed:', received(True, [frame(0x41, hello[:3]), frame(0x80, hello[3:])]))
print('compressed, ping:', received(True, [frame(0x41, hello[:3]), ping, frame(0x80, hello[3:])]))
PYTHON
)
expected=$(cat <<'TEXT'
plain, ping: TextMessage Hel, Ping, TextMessage lo
compressed: TextMessage He, TextMessage llo
compressed, ping: TextMessage He, Ping, CloseConnection 1007
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
