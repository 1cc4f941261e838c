#!/usr/bin/env bash
# ansifilter 2.18+dfsg1-2 (Debian): bold text loses the colour that was set before, and the text behind it stays grey.
#
# Expected: ECMA-48, section 8.3.117: bold is an attribute beside the colour, and 22 ends it. aha 0.5.1 keeps the
# colour.
# Seen: red text that becomes bold is grey (#7f7f7f), and after 22 the grey stays, although no sequence has named it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq ansifilter=2.18+dfsg1-2 aha=0.5.1-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(bash -s <<'SHELL'
for text in '\e[31mred\e[0m plain' '\e[31mred\e[1mbold\e[22mred\e[0m plain' '\e[1mbold\e[22m plain'; do
  printf '%s\n' "$text"
  printf "  ansifilter $text\n" | usr/bin/ansifilter -H -f
  printf "  aha $text\n" | usr/bin/aha -n
done
SHELL
)
expected=$(cat <<'TEXT'
\e[31mred\e[0m plain
  ansifilter <span style="color:#cd0000;">red</span> plain
  aha <span style="color:red;">red</span> plain
\e[31mred\e[1mbold\e[22mred\e[0m plain
  ansifilter <span style="color:#cd0000;">red</span><span style="font-weight:bold;color:#7f7f7f;">bold</span><span style="color:#7f7f7f;">red</span> plain
  aha <span style="color:red;">red</span><span style="font-weight:bold;color:red;">bold</span><span style="color:red;">red</span> plain
\e[1mbold\e[22m plain
  ansifilter <span style="font-weight:bold;color:#7f7f7f;">bold</span><span style="color:#7f7f7f;"> plain
</span>  aha <span style="font-weight:bold;">bold</span> plain
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
