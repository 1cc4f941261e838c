#!/usr/bin/env bash
# python3-pyte 0.8.0-2 (Debian): NEL (ESC E) goes to the next line, but not to its first column.
#
# Expected: ECMA-48, section 8.3.86: the next line operation moves to the line home position of the following line.
# xterm and tmux 3.3a do so.
# Seen: the text goes on below where it stopped, as behind a line feed.
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


for text in ('ab\r\ncd', 'ab\x1bEcd'):
    print(ascii(text), '=>', screen(text))
PYTHON
)
expected=$(cat <<'TEXT'
'ab\r\ncd' => ab|cd|||
'ab\x1bEcd' => ab|  cd|||
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
