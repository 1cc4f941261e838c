#!/usr/bin/env bash
# tcllib 1.21+dfsg-1 (Debian): the WebSocket client never sends a close frame.
#
# Expected: RFC 6455, section 7.1.2: an endpoint that starts the closing handshake sends a Close frame, and section
# 5.5.1: one that receives a Close frame sends one in answer. The manual: the command close is graceful, and sends the
# code and the reason in the closing handshake.
# Seen: the client's own handler hears "close 4000 end", and the connection ends without a byte to the server. A ping
# is answered.
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
        received = b''
        while data := connection.recv(4096):
            received += data
    names = {0x81: 'text', 0x88: 'close', 0x89: 'ping', 0x8a: 'pong'}
    print('server received', [names[received[0]]] if received else 'nothing', flush=True)


talk('if {$event eq "ping"} { exit }', b'\x89\x02hi')
talk('if {$event eq "connect"} { ::websocket::close $socket 4000 end }')
talk('set answer expected', b'\x88\x02\x03\xe8')
PYTHON
)
expected=$(cat <<'TEXT'
client: connect 
client: ping hi
server received ['pong']
client: connect 
client: close 4000 end
client: disconnect Disconnected from remote end
server received nothing
client: connect 
client: close 1000 {Normal closure}
client: disconnect Disconnected from remote end
server received nothing
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
