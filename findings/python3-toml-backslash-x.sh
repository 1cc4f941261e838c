#!/usr/bin/env bash
# python3-toml 0.10.2-1 (Debian): a text with a backslash and an x comes back as another text, and a control
# character as its number.
#
# Expected: TOML's basic strings escape a backslash as two. The package's reader gets the text back that its writer
# was given.
# Seen: the four characters \x41 come back as A; the control character 1 comes back as the letters x01.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq python3-toml=0.10.2-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
import toml

for text in ('a\\b', '\\x41', 'a\x01b'):
    written = toml.dumps({'pattern': text}).strip()
    print(ascii(text), '=>', written, '=>', ascii(toml.loads(written)['pattern']))
PYTHON
)
expected=$(cat <<'TEXT'
'a\\b' => pattern = "a\\b" => 'a\\b'
'\\x41' => pattern = "\u0041" => 'A'
'a\x01b' => pattern = "ax01b" => 'ax01b'
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
