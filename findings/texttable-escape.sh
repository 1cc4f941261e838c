#!/usr/bin/env bash
# python3-texttable 1.6.7-1 (Debian): a column of one coloured word is too narrow for it, so the sequence behind it
# is cut in two.
#
# Expected: a column is as wide as its widest cell, unless widths are set.
# Seen: the escape character counts as -1 when the width is measured and as a column when the text is wrapped, so
# "0m" appears in a row of its own.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq python3-texttable=1.6.7-1 python3-wcwidth=0.2.5+dfsg1-1.1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
from texttable import Texttable

for name in ('blue', '\033[31mred\033[0m'):
    table = Texttable()
    table.add_row([name])
    print(table.draw().replace('\033', '<ESC>'))
PYTHON
)
expected=$(cat <<'TEXT'
+------+
| blue |
+------+
+------------+
| <ESC>[31mred<ESC>[   |
| 0m         |
+------------+
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
