#!/usr/bin/env bash
# ruby-rubame 0.0.3~git20131224.f3c78ba-3 (Debian): a ping and a pong are given to the program as messages, and no pong
# is sent.
#
# Expected: RFC 6455, section 5.5.2: an endpoint that receives a Ping must send a Pong with the same data, and control
# frames are no messages. ruby-em-websocket 0.5.1 answers by itself.
# Seen: a chat server made with it shows the keep-alive of its clients to everyone.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq ruby3.1=3.1.7+really3.1.2-0+deb12u1 libruby3.1=3.1.7+really3.1.2-0+deb12u1 \
  ruby-rubame=0.0.3~git20131224.f3c78ba-3 ruby-websocket=1.2.9-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

libraries=$(echo "$dir"/usr/lib/*-linux-gnu)
gems=$(printf '%s:' "$dir"/usr/share/rubygems-integration/all/gems/*/lib)
export LD_LIBRARY_PATH="$libraries"
export RUBYLIB="$gems$dir/usr/lib/ruby/vendor_ruby:$dir/usr/lib/ruby/3.1.0:$libraries/ruby/3.1.0"

seen=$(/usr/bin/python3 - <<'PYTHON'
import socket
import subprocess
import time
SERVER = """
require 'rubame'
server = Rubame::Server.new('127.0.0.1', {port})
loop {{ server.run {{ |client| client.onmessage {{ |message| client.send("got #{{message}}") }} }} }}
"""


def frame(opcode, data=b''):
    return bytes([0x80 | opcode, 0x80 | len(data), 0, 0, 0, 0]) + data


def talk(port, *frames, headers=''):
    end = time.monotonic() + 30
    while True:
        try:
            connection = socket.create_connection(('127.0.0.1', port), 10)
            break
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
    request = (f'GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
               f'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{headers}\r\n')
    connection.sendall(request.encode())
    stream = connection.makefile('rb')
    answer = []
    while line := stream.readline().strip():
        answer.append(line.decode())
    connection.sendall(b''.join(frames))
    messages = []
    while head := stream.read(2):
        data = stream.read(head[1])
        if head[0] == 0x88:
            messages.append(f'close {int.from_bytes(data[:2]) if data else "without a code"}')
            break
        if data == b'got end':
            break
        messages.append(f'{ {0x81: "text", 0x82: "binary", 0x8a: "pong"}[head[0]]} {ascii(data.decode())}')
    return answer, messages


def free_port():
    with socket.create_server(('127.0.0.1', 0)) as listener:
        return listener.getsockname()[1]


for name, control in (('ping', frame(9, b'hello')), ('pong', frame(10, b'hello'))):
    port = free_port()
    command = ['usr/bin/ruby3.1', '-W0', '--disable=gems', '-e', SERVER.format(port=port)]
    server = subprocess.Popen(command)
    print(f'{name} hello, text end: {talk(port, control, frame(1, b"end"))[1]}')
    server.terminate()
    server.wait()
PYTHON
)
expected=$(cat <<'TEXT'
ping hello, text end: ["text 'got hello'"]
pong hello, text end: ["text 'got hello'"]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
