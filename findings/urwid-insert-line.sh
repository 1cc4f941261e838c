#!/usr/bin/env bash
# python3-urwid 2.1.2-4+deb12u1 (Debian): inserting a line removes the last line but one, and the last line stays.
#
# Expected: ECMA-48, section 8.3.67: the lines below move down, and the last one is lost. python3-pyte 0.8.0 does so.
# Seen: in the widget Terminal, whose canvas this is, the last line never moves.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq python3-urwid=2.1.2-4+deb12u1 python3-pyte=0.8.0-2 python3-wcwidth=0.2.5+dfsg1-1.1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
import types

import pyte
from urwid.vterm import TermCanvas, TermModes

for text in ('1\r\n2\r\n3\r\n4\r\n5\x1b[2;1H\x1b[L', '1\r\n2\r\n3\r\n4\r\n5\x1b[2;1H\x1b[M'):
    canvas = TermCanvas(10, 5, types.SimpleNamespace(term_modes=TermModes()))
    canvas.addstr(text.encode())
    rows = [b''.join(cell[2] for cell in row).decode().strip() for row in canvas.term]
    screen = pyte.Screen(10, 5)
    pyte.Stream(screen).feed(text)
    print(ascii(text), rows, 'pyte', [row.strip() for row in screen.display])
PYTHON
)
expected=$(cat <<'TEXT'
'1\r\n2\r\n3\r\n4\r\n5\x1b[2;1H\x1b[L' ['1', '', '2', '3', '5'] pyte ['1', '', '2', '3', '4']
'1\r\n2\r\n3\r\n4\r\n5\x1b[2;1H\x1b[M' ['1', '3', '4', '5', ''] pyte ['1', '3', '4', '5', '']
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
