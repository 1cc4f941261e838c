#!/usr/bin/env bash
# tmux 3.3a-3 and screen 4.9.0-4: in origin mode the report of the cursor's position counts from the top of the
# screen, although the cursor is set from the top of the region.
#
# Expected: VT100 user guide, CPR: the numbering of lines depends on the state of the origin mode, so a program gets
# back the numbers that it set. xterm does so.
# Seen: with the region 3 to 10, the cursor is set to 2;5, and the answer is 4;5.
set -euo pipefail

version=$(dpkg-query -W -f '${Version}' tmux 2>/dev/null || true)
if [ "$version" != "3.3a-3" ]; then
  echo "This needs tmux 3.3a-3, and finds ${version:-none}." >&2
  exit 2
fi
version=$(dpkg-query -W -f '${Version}' screen 2>/dev/null || true)
if [ "$version" != "4.9.0-4" ]; then
  echo "This needs screen 4.9.0-4, and finds ${version:-none}." >&2
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


region = '\x1b[3;10r\x1b[?6h\x1b[2;5H\x1b[6n'
os.mkdir('sessions', 0o700)
os.environ['SCREENDIR'] = os.path.abspath('sessions')
for command in (['tmux', '-S', 'socket', '-f', '/dev/null', 'new-session'], ['screen', '-c', '/dev/null', 'sh', '-c']):
    print(command[0], end=': ', flush=True)
    ask_inside(command, region)
    os.remove('done')
PYTHON
)
expected=$(cat <<'TEXT'
tmux: '\x1b[3;10r\x1b[?6h\x1b[2;5H\x1b[6n' => '\x1b[4;5R'
screen: '\x1b[3;10r\x1b[?6h\x1b[2;5H\x1b[6n' => '\x1b[4;5R'
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
