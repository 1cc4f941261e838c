#!/usr/bin/env bash
# libvterm-bin 0.1.4-1 (Debian): unterm leaves out the cells that were never written, so text moves to the left.
#
# Expected: unterm prints the screen that the sequences of a file draw: a tab ends in column 9, and CSI 6 G X puts the
# letter in column 6. With blanks instead of the moves, the columns are right.
# Seen: the letters stand behind each other, so a table without blanks is unreadable. An erased cell vanishes too.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libvterm-bin=0.1.4-1 libvterm0=0.1.4-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu) /usr/bin/python3 - <<'PYTHON'
import subprocess

for text in ('a    b', 'a\x1b[6Gb', 'a\tb', 'abc\x1b[1;2H\x1b[X', 'ab\x1b[2;2Hc'):
    with open('screen', 'w') as file:
        file.write(text)
    shown = subprocess.run(['usr/bin/unterm', '-l', '2', '-c', '12', 'screen'], capture_output=True, text=True)
    print(ascii(text), [row.rstrip() for row in shown.stdout.split('\n')[:2]])
PYTHON
)
expected=$(cat <<'TEXT'
'a    b' ['a    b', '']
'a\x1b[6Gb' ['ab', '']
'a\tb' ['ab', '']
'abc\x1b[1;2H\x1b[X' ['ac', '']
'ab\x1b[2;2Hc' ['ab', 'c']
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
