#!/usr/bin/env bash
# python3-prompt-toolkit 3.0.36-2 (Debian): Ctrl+Shift+Up and Ctrl+Shift+Down are exchanged.
#
# Expected: xterm sends CSI 1 ; 6 A for Ctrl+Shift+Up and CSI 1 ; 6 B for Ctrl+Shift+Down (its control sequences).
# The library has a name for each.
# Seen: the first is named c-s-down and the second c-s-up. With Ctrl alone the names are right.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq python3-prompt-toolkit=3.0.36-2 python3-wcwidth=0.2.5+dfsg1-1.1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
from prompt_toolkit.input.vt100_parser import Vt100Parser

for sequence in ('\x1b[1;5A', '\x1b[1;6A', '\x1b[1;6B'):
    keys = []
    parser = Vt100Parser(keys.append)
    parser.feed(sequence)
    parser.flush()
    print(ascii(sequence), '=>', ', '.join(key.key.value for key in keys))
PYTHON
)
expected=$(cat <<'TEXT'
'\x1b[1;5A' => c-up
'\x1b[1;6A' => c-s-down
'\x1b[1;6B' => c-s-up
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
