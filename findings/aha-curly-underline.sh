#!/usr/bin/env bash
# aha 0.5.1-3 (Debian): a curly underline makes the text italic, and a colour that is written with colons is lost.
#
# Expected: ECMA-48, section 5.4.2, and ITU-T T.416, section 13.1.8: a colon separates the parts of one parameter.
# 4:3 is a curly underline in xterm and VTE; 38:2::255:0:0 is red, with an empty colour space.
# Seen: the 3 of 4:3 is taken for italic, and the red text has no colour. With semicolons, it is red.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq aha=0.5.1-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(bash -s <<'SHELL'
for text in '\e[4munderline' '\e[4:3mcurly' '\e[38;2;255;0;0mred' '\e[38:2::255:0:0mred' '\e[38:5:196mred'; do
  printf '%s: %s\n' "$text" "$(printf "$text\e[0m\n" | usr/bin/aha -n)"
done
SHELL
)
expected=$(cat <<'TEXT'
\e[4munderline: <span style="text-decoration:underline;">underline</span>
\e[4:3mcurly: <span style="text-decoration:underline;font-style:italic;">curly</span>
\e[38;2;255;0;0mred: <span style="color:#ff0000;">red</span>
\e[38:2::255:0:0mred: red
\e[38:5:196mred: <span style="color:#ff0000;">red</span>
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
