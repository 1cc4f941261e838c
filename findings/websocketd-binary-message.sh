#!/usr/bin/env bash
# websocketd 0.4.1-1+b11 (Debian): a binary message and the text message behind it become one line.
#
# Expected: each message that arrives is one line for the program, so two messages are two lines. With two texts it is
# so.
# Seen: a text gets a line break, and a binary message none.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq websocketd=0.4.1-1+b11 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(/usr/bin/python3 - <<'PYTHON'
import socket
import subprocess
import time


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
        messages.append(f'{ {0x81: "text", 0x82: "binary", 0x8a: "pong"}[head[0]]} {ascii(data.decode())}')
    return answer, messages


def free_port():
    with socket.create_server(('127.0.0.1', 0)) as listener:
        return listener.getsockname()[1]


for kind in (1, 2):
    port = free_port()
    command = ['usr/bin/websocketd', '--loglevel=fatal', '--address=127.0.0.1', f'--port={port}', 'head', '-n', '2']
    server = subprocess.Popen(command)
    name = {1: 'text', 2: 'binary'}[kind]
    lines = talk(port, frame(kind, b'one'), frame(1, b'two'), frame(1, b'three'))[1]
    print(f'{name} one, text two, text three: {lines}')
    server.terminate()
    server.wait()
PYTHON
)
expected=$(cat <<'TEXT'
text one, text two, text three: ["text 'one'", "text 'two'"]
binary one, text two, text three: ["text 'onetwo'", "text 'three'"]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
