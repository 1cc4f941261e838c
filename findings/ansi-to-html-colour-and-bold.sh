#!/usr/bin/env bash
# ansi-to-html 0.7.2 (npm): a colour of 256 with another attribute in the same sequence becomes blinking text, and an
# empty parameter leaves the letter m.
#
# Expected: ECMA-48, SGR: a sequence may have several attributes, and an empty parameter is 0. ansi_up 6.0.6 reads
# all.
# Seen: the 5 of 38;5;196 is taken for the attribute 5, blinking. Alone, the same colour is right.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  ansi-to-html@0.7.2 ansi_up@6.0.6
cd "$dir"

seen=$(node --input-type=module <<'JS'
import Convert from 'ansi-to-html';
import { AnsiUp } from 'ansi_up';

for (const parameters of ['38;5;196', '1;38;5;196', '38;5;196;1', ';1']) {
  const text = `\x1b[${parameters}mx\x1b[0m`;
  console.log(parameters, '=>', new Convert().toHtml(text), 'ansi_up', new AnsiUp().ansi_to_html(text));
}
JS
)
expected=$(cat <<'TEXT'
38;5;196 => <span style="color:#ff0000">x</span> ansi_up <span style="color:rgb(255,0,0)">x</span>
1;38;5;196 => <b><blink>x</blink></b> ansi_up <span style="font-weight:bold;color:rgb(255,0,0)">x</span>
38;5;196;1 => <blink><b>x</b></blink> ansi_up <span style="font-weight:bold;color:rgb(255,0,0)">x</span>
;1 => mx ansi_up <span style="font-weight:bold">x</span>
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
