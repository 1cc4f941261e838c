#!/usr/bin/env bash
# python3-pyte 0.8.0-2 (Debian): HPA (CSI Ps `) is ignored, because it is bound to another final byte.
#
# Expected: ECMA-48, section 8.3.57: the final byte of HPA is 06/00, the grave accent. The documentation lists HPA as
# supported.
# Seen: CSI 5 ` does nothing. CSI 5 ' moves the cursor: its final byte is the apostrophe.
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


for text in ('a\x1b[5Gb', 'a\x1b[5`b', "a\x1b[5'b"):
    print(ascii(text), '=>', screen(text))
PYTHON
)
expected=$(cat <<'TEXT'
'a\x1b[5Gb' => a   b||||
'a\x1b[5`b' => ab||||
"a\x1b[5'b" => a   b||||
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
