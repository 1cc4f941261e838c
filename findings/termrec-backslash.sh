#!/usr/bin/env bash
# termrec 0.19-2 (Debian): in an asciicast that it writes, a backslash makes the line unreadable.
#
# Expected: the format asciicast v2: each line is JSON, in which a backslash is written as two (RFC 8259, section 7).
# Seen: a quote and control characters are escaped, a backslash is not. A JSON parser refuses the line, and termcat
# itself reads another text.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq termrec=0.19-2 libtty1=0.19-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu) /usr/bin/python3 - <<'PYTHON'
import json
import struct
import subprocess

for number, text in enumerate(('say "hi"\t', r'C:\games', r'a\ b', 'end')):
    with open(f'{number}.ttyrec', 'wb') as file:
        file.write(struct.pack('<III', 1, 0, len(text)) + text.encode())
    subprocess.run(['usr/bin/termcat', f'{number}.ttyrec', f'{number}.cast'], check=True)
    with open(f'{number}.cast') as file:
        line = file.read().split('\n')[1]
    try:
        read = json.loads(line)[2] == text
    except json.JSONDecodeError as error:
        read = error.msg
    subprocess.run(['usr/bin/termcat', f'{number}.cast', f'{number}.ansi'], check=True)
    with open(f'{number}.ansi') as file:
        shown = file.read().split('t', 1)[1]
    print(f'{text!r}: {line}, read as JSON: {read}, read by termcat: {shown!r}')
PYTHON
)
expected=$(cat <<'TEXT'
'say "hi"\t': [0.000000, "o", "say \"hi\"\u0009"], read as JSON: True, read by termcat: 'say "hi"\t'
'C:\\games': [0.000000, "o", "C:\games"], read as JSON: Invalid \escape, read by termcat: 'C:games'
'a\\ b': [0.000000, "o", "a\ b"], read as JSON: Invalid \escape, read by termcat: 'a b'
'end': [0.000000, "o", "end"], read as JSON: True, read by termcat: 'end'
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
