#!/usr/bin/env bash
# python3-terminaltables 3.1.10-2 and python3-prettytable 3.6.0-1 (Debian): in a Markdown table a cell with a
# vertical bar becomes two cells.
#
# Expected: GitHub Flavored Markdown, tables (extension): a pipe in a cell must be escaped, and the excess cells of
# a row are ignored.
# Seen: the bar is written as it is, so a reader sees "a" and "b" in two columns, and drops the last cell.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq python3-terminaltables=3.1.10-2 python3-prettytable=3.6.0-1 \
  python3-wcwidth=0.2.5+dfsg1-1.1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
from prettytable import MARKDOWN, PrettyTable
from terminaltables import GithubFlavoredMarkdownTable

print(GithubFlavoredMarkdownTable([['name', 'wins'], ['a|b', '3']]).table)
table = PrettyTable(['name', 'wins'])
table.set_style(MARKDOWN)
table.add_row(['a|b', 3])
print(table)
PYTHON
)
expected=$(cat <<'TEXT'
| name | wins |
|------|------|
| a|b  | 3    |
| name | wins |
|:----:|:----:|
| a|b  |  3   |
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
