#!/usr/bin/env bash
# dvtm 0.15+40.g311a8c0-1: an empty first parameter is dropped, so the column is taken for the row.
#
# Expected: ECMA-48, section 5.4.2: an empty parameter has its default, here 1. So CSI ; 5 H is row 1, column 5, as
# in tmux 3.3a.
# Seen: the cursor is in row 5, column 1 (dvtm counts from 0 in its answer).
set -euo pipefail

version=$(dpkg-query -W -f '${Version}' dvtm 2>/dev/null || true)
if [ "$version" != "0.15+40.g311a8c0-1" ]; then
  echo "This needs dvtm 0.15+40.g311a8c0-1, and finds ${version:-none}." >&2
  exit 2
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

seen=$(/usr/bin/python3 - <<'PYTHON'
import fcntl
import os
import pty
import select
import struct
import termios
import time

ASK = """
import os, select, sys, termios, tty
terminal = os.open('/dev/tty', os.O_RDWR)
tty.setraw(terminal)
with open('answers', 'w') as answers:
    for question in sys.argv[1:]:
        os.write(terminal, bytes.fromhex(question))
        ready, _, _ = select.select([terminal], [], [], 5)
        answer = os.read(terminal, 100).decode() if ready else ''
        print(ascii(bytes.fromhex(question).decode()), '=>', ascii(answer), file=answers)
os.rename('answers', 'done')
"""


def ask_inside(command, *questions):
    with open('ask.py', 'w') as file:
        file.write(ASK)
    child, screen = pty.fork()
    if child == 0:
        time.sleep(0.2)
        os.environ.update(TERM='xterm', SHELL='/bin/sh')
        os.environ.pop('TMUX', None)
        questions = ' '.join(question.encode().hex() for question in questions)
        os.execvp(command[0], [*command, f'/usr/bin/python3 ask.py {questions}'])
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))
    end = time.monotonic() + 60
    while not os.path.exists('done') and time.monotonic() < end:
        if select.select([screen], [], [], 0.1)[0]:
            try:
                os.read(screen, 4096)
            except OSError:
                time.sleep(0.1)
    os.close(screen)
    os.waitpid(child, 0)
    print(open('done').read().strip())


ask_inside(['dvtm'], '\x1b[1;5H\x1b[6n', '\x1b[;5H\x1b[6n')
PYTHON
)
expected=$(cat <<'TEXT'
'\x1b[1;5H\x1b[6n' => '\x1b[0;4R'
'\x1b[;5H\x1b[6n' => '\x1b[4;0R'
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
