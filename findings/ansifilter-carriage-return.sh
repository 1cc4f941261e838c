#!/usr/bin/env bash
# ansifilter 2.18+dfsg1-2 (Debian): in HTML a carriage return deletes the whole line.
#
# Expected: ECMA-48, section 8.3.15: CR moves to the beginning of the line, and new letters replace the old ones one by
# one. Its text output shows so: "new" replaces only "old".
# Seen: in HTML, LaTeX and BBCode only the letters behind the return are left, so 100 is missing.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq ansifilter=2.18+dfsg1-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(bash -s <<'SHELL'
for format in --text --html --latex --bbcode; do
  for text in 'old 100\rnew' '\e[32mold 100\rnew\e[0m'; do
    printf "%s: %s\n" "$format $text" "$(printf "$text\n" | usr/bin/ansifilter "$format" -f)"
  done
done
SHELL
)
expected=$(cat <<'TEXT'
--text old 100\rnew: new 100
--text \e[32mold 100\rnew\e[0m: new 100
--html old 100\rnew: <span style="color:#000000;">new
--html \e[32mold 100\rnew\e[0m: <span style="color:#00cd00;">new</span>
--latex old 100\rnew: {\color[rgb]{0,0,0}new\hspace*{\fill}\\
--latex \e[32mold 100\rnew\e[0m: {\color[rgb]{0,0.8,0}new}\hspace*{\fill}\\
--bbcode old 100\rnew: [color=#000000]new
--bbcode \e[32mold 100\rnew\e[0m: [color=#00cd00]new[/color]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
