#!/usr/bin/env bash
# python3-autobahn 22.7.1+dfsg1-2 (Debian): setting any option of a server, such as a timeout, refuses pages that send
# "Origin: null".
#
# Expected: the class allows the null origin, and setProtocolOptions changes the options that are given; the other ones,
# here the length of a message, stay as they are.
# Seen: allowNullOrigin becomes False, and a page from a file, which was accepted before, gets an error.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq python3-autobahn=22.7.1+dfsg1-2 python3-txaio=21.2.1-2 \
  python3-hyperlink=21.0.0-5 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
import asyncio

from autobahn.asyncio.websocket import WebSocketServerFactory

asyncio.set_event_loop(asyncio.new_event_loop())
factory = WebSocketServerFactory('ws://127.0.0.1:9000')
for options in ({}, {'maxMessagePayloadSize': 1000}, {'allowNullOrigin': True}, {'openHandshakeTimeout': 3}):
    if options:
        factory.setProtocolOptions(**options)
    print(options, 'null origin', factory.allowNullOrigin, 'message size', factory.maxMessagePayloadSize)
PYTHON
)
expected=$(cat <<'TEXT'
{} null origin True message size 0
{'maxMessagePayloadSize': 1000} null origin False message size 1000
{'allowNullOrigin': True} null origin True message size 1000
{'openHandshakeTimeout': 3} null origin False message size 1000
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
