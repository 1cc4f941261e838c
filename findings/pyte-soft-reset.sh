#!/usr/bin/env bash
# python3-pyte 0.8.0-2 (Debian): a control sequence with an intermediate byte puts its final byte on the screen.
#
# Expected: ECMA-48, section 5.4: a control sequence ends with its final byte, whatever its intermediate bytes are.
# An unknown one is ignored as a whole.
# Seen: the soft reset CSI ! p, with which xterm's terminfo entry starts its initialisation, prints a p, and the
# question CSI ? 2026 $ p prints one, too.
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


for text in ('a\x1b[?2026hb', 'a\x1b[!pb', 'a\x1b[?2026$pb'):
    print(ascii(text), '=>', screen(text))
PYTHON
)
expected=$(cat <<'TEXT'
'a\x1b[?2026hb' => ab||||
'a\x1b[!pb' => apb||||
'a\x1b[?2026$pb' => apb||||
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
