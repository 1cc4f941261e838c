#!/usr/bin/env bash
# tomlkit 0.11.7-1 (Debian): the first element of an array that is written without blanks can not be removed.
#
# Expected: tomlkit's arrays behave like Python's lists (its documentation). With a blank behind the comma, or for
# another element, it works.
# Seen: AttributeError.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq python3-tomlkit=0.11.7-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
import tomlkit

for text in ('sizes = [3, 15]', 'sizes = [3,15]'):
    for place in (1, 0):
        document = tomlkit.parse(text)
        try:
            document['sizes'].pop(place)
            print(text, 'without element', place, '=>', tomlkit.dumps(document))
        except AttributeError as error:
            print(text, 'without element', place, '=> AttributeError:', error)
PYTHON
)
expected=$(cat <<'TEXT'
sizes = [3, 15] without element 1 => sizes = [3]
sizes = [3, 15] without element 0 => sizes = [15]
sizes = [3,15] without element 1 => sizes = [3]
sizes = [3,15] without element 0 => AttributeError: 'NoneType' object has no attribute 's'
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
