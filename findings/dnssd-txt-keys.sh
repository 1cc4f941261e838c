#!/usr/bin/env bash
# dnssd 0.4.1 (npm): TXT keys that differ only in case are two keys, and a string without a key gets the empty one.
#
# Expected: RFC 6763, section 6.4: case is ignored when a key is interpreted; of a key that comes twice only the first
# counts; a string that begins with an equals sign must be silently ignored.
# Seen: all of them are in the object, so a program that asks for "room" gets nothing when "Room" was sent.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  dnssd@0.4.1 dns-packet@5.6.1
cd "$dir"

seen=$(node - <<'JS'
const Packet = require('dnssd/lib/Packet');
const { encode } = require('dns-packet');

for (const data of [['room=7', 'free'], ['Room=7', 'ROOM=8'], ['room=7', '=hidden']]) {
  const answers = [{ type: 'TXT', name: 'Den._game._tcp.local', ttl: 120, data: [...data] }];
  const packet = new Packet(encode({ type: 'response', flags: 0x400, answers }));
  console.log(JSON.stringify(data), JSON.stringify(packet.answers[0].txt));
}
JS
)
expected=$(cat <<'TEXT'
["room=7","free"] {"room":"7","free":true}
["Room=7","ROOM=8"] {"Room":"7","ROOM":"8"}
["room=7","=hidden"] {"room":"7","":"hidden"}
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
