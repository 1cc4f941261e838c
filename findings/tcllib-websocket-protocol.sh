#!/usr/bin/env bash
# tcllib 1.21+dfsg-1 (Debian): the WebSocket client does not see the subprotocol if the server spells the name of the
# header with other capitals.
#
# Expected: RFC 9110, section 5.1: field names are case-insensitive. Every server in Go, and Caddy in front of another
# one, writes Sec-Websocket-Protocol; the other headers of the handshake are found in any case here.
# Seen: the connection opens, and its event "connect" names no protocol.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq tcllib=1.21+dfsg-1 tcl8.6=8.6.13+dfsg-2 libtcl8.6=8.6.13+dfsg-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(dir="$dir" LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu) /usr/bin/python3 - <<'PYTHON'
import base64
import hashlib
import os
import socket
import subprocess

CLIENT = """
set auto_path [linsert $auto_path 0 $env(LIBRARIES)]
package require websocket
::websocket::loglevel critical
proc handler {{socket event message}} {{
  puts "  client: $event '$message'"
  exit
}}
::websocket::open ws://127.0.0.1:{port}/ handler -protocol {{chat game}}
after 20000 exit
vwait forever
"""
folder = os.environ['dir']
os.environ.update(LIBRARIES=folder + '/usr/share/tcltk/tcllib1.21', TCL_LIBRARY=folder + '/usr/share/tcltk/tcl8.6')


def talk(header):
    print(header, flush=True)
    listener = socket.create_server(('127.0.0.1', 0))
    program = CLIENT.format(port=listener.getsockname()[1])
    with subprocess.Popen([folder + '/usr/bin/tclsh8.6'], stdin=subprocess.PIPE, text=True) as client:
        client.stdin.write(program)
        client.stdin.close()
        connection, _ = listener.accept()
        request = b''
        while b'\r\n\r\n' not in request:
            request += connection.recv(4096)
        key = request.split(b'Sec-WebSocket-Key: ')[1].split(b'\r\n')[0]
        accept = base64.b64encode(hashlib.sha1(key + b'258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest())
        connection.sendall(b'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
                           b'Sec-WebSocket-Accept: ' + accept + b'\r\n' + header.encode() + b'\r\n\r\n')


for name in ('Sec-WebSocket-Protocol', 'Sec-Websocket-Protocol', 'sec-websocket-protocol'):
    talk(name + ': game')
PYTHON
)
expected=$(cat <<'TEXT'
Sec-WebSocket-Protocol: game
  client: connect 'game'
Sec-Websocket-Protocol: game
  client: connect ''
sec-websocket-protocol: game
  client: connect ''
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
