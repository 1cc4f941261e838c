#!/usr/bin/env bash
# websockify 0.10.0+dfsg1-4+b1 (Debian): a close frame without a code is answered with the code 1005.
#
# Expected: RFC 6455, section 7.4.1: 1005 must not be set in a Close frame. python3-tornado 6.2.0 answers without a
# code. Other codes are answered with the same code here.
# Seen: a client that checks the code reports a protocol error at the end of each such connection.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq websockify=0.10.0+dfsg1-4+b1 python3-websockify=0.10.0+dfsg1-4+b1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
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


with socket.create_server(('127.0.0.1', 0)) as target:
    for data in (b'\x03\xe8', b'\x03\xe9', b''):
        port = free_port()
        command = ['/usr/bin/python3', '-m', 'websockify', f'127.0.0.1:{port}', f'127.0.0.1:{target.getsockname()[1]}']
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        print(f'close with {int.from_bytes(data) if data else "no code"}: {talk(port, frame(8, data))[1]}')
        server.terminate()
        server.wait()
PYTHON
)
expected=$(cat <<'TEXT'
close with 1000: ['close 1000']
close with 1001: ['close 1001']
close with no code: ['close 1005']
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
