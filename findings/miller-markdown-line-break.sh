#!/usr/bin/env bash
# miller 6.6.0-2+b3 (Debian): in a Markdown table a line break in a value ends the row.
#
# Expected: GitHub Flavored Markdown, tables (extension): each row is one line. A vertical bar in a value is
# escaped, and the TSV writer escapes the line break.
# Seen: the rest of the value is a row of its own, with other cells.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq miller=6.6.0-2+b3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(printf 'name,note\nanna,"one\ntwo"\nbob,a|b\n' | usr/bin/mlr --icsv --omd cat)
expected=$(cat <<'TEXT'
| name | note |
| --- | --- |
| anna | one
two |
| bob | a\|b |
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
