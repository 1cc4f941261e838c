#!/usr/bin/env bash
# python3-texttable 1.6.7-1 (Debian): a name of digits can be shown as another number, and a number with an
# underscore loses it.
#
# Expected: a table of texts shows the texts. The default data type of a column is documented as automatic, "the
# most appropriate".
# Seen: a text that Python reads as a number is written as a number, a large one with four digits, so an identifier
# is lost. Only a list of types switches it off.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq python3-texttable=1.6.7-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
from texttable import Texttable

for name in ('anna', '007', '12345678', '1234567890123', '1_0', '0.00004', 'infinity'):
    table = Texttable()
    table.set_deco(0)
    table.add_row([name])
    print(name, '=>', table.draw())
PYTHON
)
expected=$(cat <<'TEXT'
anna => anna
007 => 7
12345678 => 12345678
1234567890123 => 1.235e+12
1_0 => 10
0.00004 => 0.000
infinity => inf
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
