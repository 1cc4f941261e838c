#!/usr/bin/env bash
# python3-urwid 2.1.2-4+deb12u1 (Debian): the alignment pattern (ESC # 8) makes the canvas unreadable.
#
# Expected: the VT100: DECALN fills the screen with the letter E; the first screen of vttest begins with it. The class
# has a method for it. python3-pyte 0.8.0 fills the screen.
# Seen: its cells are str instead of bytes, so the canvas raises TypeError when its text is asked for.
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

for text in (b'EEEEE\r\nEEEEE', b'\x1b#8'):
    canvas = TermCanvas(5, 2, types.SimpleNamespace(term_modes=TermModes()))
    canvas.addstr(text)
    try:
        print(ascii(text.decode()), canvas.text)
    except TypeError as error:
        print(ascii(text.decode()), error)
screen = pyte.Screen(5, 2)
pyte.Stream(screen).feed('\x1b#8')
print('pyte', screen.display)
PYTHON
)
expected=$(cat <<'TEXT'
'EEEEE\r\nEEEEE' [b'EEEEE', b'EEEEE']
'\x1b#8' sequence item 0: expected a bytes-like object, str found
pyte ['EEEEE', 'EEEEE']
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
