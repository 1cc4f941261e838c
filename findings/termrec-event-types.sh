#!/usr/bin/env bash
# termrec 0.19-2 (Debian): what was typed, the markers and the sizes of an asciicast appear as output.
#
# Expected: the format asciicast v2: "o" is data written to the terminal, "i" data read from it, "m" a marker and "r" a
# new size; software ignores the types that it does not support.
# Seen: the type of an event is not looked at, so each typed command is there twice, and the size is text.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq termrec=0.19-2 libtty1=0.19-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(LD_LIBRARY_PATH=$(echo "$dir"/usr/lib/*-linux-gnu) bash -s <<'SHELL'
cat >session.cast <<'CAST'
{"version": 2, "width": 80, "height": 24}
[0.5, "o", "$ "]
[1.0, "i", "ls\r"]
[1.1, "o", "ls\r\n"]
[1.5, "m", "chapter one"]
[2.0, "r", "100x30"]
[2.5, "o", "file\r\n"]
CAST
usr/bin/termcat session.cast session.ansi
cat -v session.ansi
SHELL
)
expected=$(cat <<'TEXT'
^[%G^[[8;24;80t$ ls^Mls^M
chapter one100x30file^M
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
