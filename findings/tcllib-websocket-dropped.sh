#!/usr/bin/env bash
# tcllib 1.21+dfsg-1 (Debian): a WebSocket connection that ends without a close frame is reported as one that the peer
# closed with code 1001.
#
# Expected: RFC 6455, section 7.1.5: without a Close frame the code is 1006, and section 7.4.1: 1001 means that the
# peer has said that it goes away. The library has a text for 1006.
# Seen: an abrupt end and a close frame with the code 1001 can not be told apart.
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
  puts "client: $event $message"
  {action}
  if {{$event eq "disconnect"}} {{ exit }}
}}
::websocket::open ws://127.0.0.1:{port}/ handler
after 20000 exit
vwait forever
"""
folder = os.environ['dir']
os.environ.update(LIBRARIES=folder + '/usr/share/tcltk/tcllib1.21', TCL_LIBRARY=folder + '/usr/share/tcltk/tcl8.6')


def talk(action, *frames):
    listener = socket.create_server(('127.0.0.1', 0))
    program = CLIENT.format(port=listener.getsockname()[1], action=action)
    with subprocess.Popen([folder + '/usr/bin/tclsh8.6'], stdin=subprocess.PIPE, text=True) as client:
        client.stdin.write(program)
        client.stdin.close()
        connection, _ = listener.accept()
        connection.settimeout(10)
        request = b''
        while b'\r\n\r\n' not in request:
            request += connection.recv(4096)
        key = request.split(b'Sec-WebSocket-Key: ')[1].split(b'\r\n')[0]
        accept = base64.b64encode(hashlib.sha1(key + b'258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest())
        connection.sendall(b'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
                           b'Sec-WebSocket-Accept: ' + accept + b'\r\n\r\n')
        for frame in frames:
            connection.sendall(frame)
        if not action:
            connection.shutdown(socket.SHUT_WR)
        connection.recv(4096)
    print(flush=True)


talk('')
talk('', b'\x88\x02\x03\xe9')
PYTHON
)
expected=$(cat <<'TEXT'
client: connect 
client: close 1001 {Endpoint going away}
client: disconnect Disconnected from remote end

client: connect 
client: close 1001 {Endpoint going away}
client: disconnect Disconnected from remote end
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
