#!/usr/bin/env bash
# jo 1.9-1 (Debian): a number is written with 16 digits, so a time in nanoseconds and many a double become another
# number.
#
# Expected: the manual: a value is made a number with strtod(3). RFC 8259: a reader has the precision of a double,
# which takes up to 17 digits.
# Seen: what strtod(3) gave is rounded once more, so the text that comes out is another double.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq jo=1.9-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(
  for value in 1700000000123 0.30000000000000004 1512.3456789012345 1732967400123456789; do
    echo "$value => $(usr/bin/jo value=$value)"
  done
)
expected=$(cat <<'TEXT'
1700000000123 => {"value":1700000000123}
0.30000000000000004 => {"value":0.3}
1512.3456789012345 => {"value":1512.345678901235}
1732967400123456789 => {"value":1.732967400123457e+18}
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
