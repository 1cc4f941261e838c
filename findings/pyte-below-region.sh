#!/usr/bin/env bash
# python3-pyte 0.8.0-2 (Debian): a line feed below the scrolling region moves the cursor up into the region.
#
# Expected: VT220 manual: outside the margins a line feed moves down one line, and on the last line it does nothing.
# tmux 3.3a does so.
# Seen: with the region 2 to 3, the b behind a line feed on line 4 is on line 3 instead of 5.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq python3-pyte=0.8.0-2 python3-wcwidth=0.2.5+dfsg1-1.1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
import pyte


def screen(text):
    screen = pyte.Screen(10, 5)
    pyte.Stream(screen).feed(text)
    return '|'.join(line.rstrip() for line in screen.display)


for text in ('\x1b[4;1Ha\nb', '\x1b[2;3r\x1b[4;1Ha\nb'):
    print(ascii(text), '=>', screen(text))
PYTHON
)
expected=$(cat <<'TEXT'
'\x1b[4;1Ha\nb' => |||a| b
'\x1b[2;3r\x1b[4;1Ha\nb' => || b|a|
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
