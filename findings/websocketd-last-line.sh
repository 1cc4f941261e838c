#!/usr/bin/env bash
# websocketd 0.4.1-1+b11 (Debian): the last line of a program's output is lost if it has no line break.
#
# Expected: the documentation: the program writes lines to its output, and each becomes a message. A file without a
# line break at its end, or printf without one, still has a last line; a shell's $(...) and Python's readline keep it.
# Seen: the connection ends without that message.
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


for output in (r'one\ntwo\n', r'one\ntwo', 'one'):
    port = free_port()
    command = ['usr/bin/websocketd', '--loglevel=fatal', '--address=127.0.0.1', f'--port={port}', 'printf', output]
    server = subprocess.Popen(command)
    print(f'printf {output}: {talk(port)[1]}')
    server.terminate()
    server.wait()
PYTHON
)
expected=$(cat <<'TEXT'
printf one\ntwo\n: ["text 'one'", "text 'two'"]
printf one\ntwo: ["text 'one'"]
printf one: []
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
