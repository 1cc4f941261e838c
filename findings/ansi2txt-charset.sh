#!/usr/bin/env bash
# colorized-logs 2.6-1 (Debian): the sequence with which tput ends a colour leaves the letter B.
#
# Expected: ansi2txt drops the control codes (manual). ECMA-35, section 14.3.2: ESC ( B selects ASCII; tput sgr0 writes
# it for TERM=xterm. aha 0.5.1 drops it. ESC 7, ESC = and the cursor's sequences are dropped here too.
# Seen: each such end of a colour adds a B to the text, in ansi2txt and in ansi2html.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq colorized-logs=2.6-1 aha=0.5.1-3 \
  ncurses-bin=6.4-4 libtinfo6=6.4-4 ncurses-base=6.4-4 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(bash -s <<'SHELL'
export TERMINFO="$PWD/lib/terminfo" LD_LIBRARY_PATH=$(echo "$PWD"/lib/*-linux-gnu)
text=$(TERM=xterm usr/bin/tput setaf 1; printf red; TERM=xterm usr/bin/tput sgr0; printf ' plain')
unset LD_LIBRARY_PATH
printf '%q\n' "$text"
echo "ansi2txt: $(usr/bin/ansi2txt <<<"$text")"
echo "ansi2html: $(usr/bin/ansi2html <<<"$text" | sed -n 's/.*<pre>//p')"
echo "aha: $(usr/bin/aha -n <<<"$text")"
SHELL
)
expected=$(cat <<'TEXT'
$'\E[31mred\E(B\E[m plain'
ansi2txt: redB plain
ansi2html: <b class=RED>redB</b> plain
aha: <span style="color:red;">red</span> plain
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
