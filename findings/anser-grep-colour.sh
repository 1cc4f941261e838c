#!/usr/bin/env bash
# anser 2.3.5 (npm): the coloured matches of grep have no colour.
#
# Expected: grep --color writes a colour, CSI K (erase to the end of the line), the match, CSI m and CSI K. Erasing
# changes no attribute: ECMA-48, section 8.3.41. ansi-to-html 0.7.2 keeps the colour.
# Seen: a sequence that is no colour takes the colour before it along. Without CSI K, the match is red.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  anser@2.3.5 ansi-to-html@0.7.2
cd "$dir"

seen=$(node - <<'JS'
const Anser = require('anser');
const AnsiToHtml = require('ansi-to-html');

for (const text of ['\x1b[31mden\x1b[m', '\x1b[31m\x1b[Kden\x1b[m\x1b[K', '\x1b[31mthe \x1b[?25lden\x1b[m']) {
  console.log(JSON.stringify(text));
  console.log(`  anser ${Anser.ansiToHtml(text)}`);
  console.log(`  ansi-to-html ${new AnsiToHtml().toHtml(text)}`);
}
JS
)
expected=$(cat <<'TEXT'
"\u001b[31mden\u001b[m"
  anser <span style="color:rgb(187, 0, 0)">den</span>
  ansi-to-html <span style="color:#A00">den</span>
"\u001b[31m\u001b[Kden\u001b[m\u001b[K"
  anser den
  ansi-to-html <span style="color:#A00">den</span>
"\u001b[31mthe \u001b[?25lden\u001b[m"
  anser <span style="color:rgb(187, 0, 0)">the </span>den
  ansi-to-html <span style="color:#A00">the ?25lden</span>
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
