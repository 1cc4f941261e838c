#!/usr/bin/env bash
# ansifilter 2.18+dfsg1-2 (Debian): the title that a program gives to the window appears in the text.
#
# Expected: ECMA-48, section 8.3.89, and xterm: OSC begins a string that ends with ST, or with BEL; nothing of it is
# shown. aha 0.5.1 drops it.
# Seen: the number and the title are text, and BEL is a line break. A prompt with a title is in most recorded sessions.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq ansifilter=2.18+dfsg1-2 aha=0.5.1-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(bash -s <<'SHELL'
for text in '\e]0;home\a$ ls' '\e]0;home\e\\$ ls'; do
  printf '%s\n' "$text"
  printf "  ansifilter $text\n" | usr/bin/ansifilter
  printf "  aha $text\n" | usr/bin/aha -n
done
SHELL
)
expected=$(cat <<'TEXT'
\e]0;home\a$ ls
  ansifilter 0;home
$ ls
  aha $ ls
\e]0;home\e\\$ ls
  ansifilter 0;home\$ ls
  aha $ ls
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
