#!/usr/bin/env bash
# ansi-diff 1.2.0 (npm): behind a tab, and behind a wide letter that goes to the next row, the new text is drawn in
# another place than the old one.
#
# Expected: the README: with the terminal's width, writing the difference updates the output on the terminal, also if it
# is wrapped. In @xterm/headless 6.0.0 the same text, written at once, is the expected screen.
# Seen: a tab counts as one column, and the column that a wide letter leaves free at the margin does not count.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  ansi-diff@1.2.0 @xterm/headless@6.0.0
cd "$dir"

seen=$(node - <<'JS'
const ansiDiff = require('ansi-diff');
const { Terminal } = require('@xterm/headless');

const open = () => new Terminal({ cols: 10, rows: 3, allowProposedApi: true });
const write = (terminal, text) => new Promise((done) => terminal.write(text, done));
const screen = ({ buffer: { active } }) =>
  JSON.stringify([0, 1].map((row) => active.getLine(row).translateToString(true)));

(async () => {
  for (const [old, next] of [['a b', 'a c'], ['a\tb', 'a\tc'], ['12345678\u4e2dx', '12345678\u4e2dy'],
    ['123456789\u4e2dx', '123456789\u4e2dy']]) {
    const [updated, whole, diff] = [open(), open(), ansiDiff({ width: 10, height: 3 })];
    await write(updated, diff.update(old));
    await write(updated, diff.update(next));
    await write(whole, next);
    console.log(`${JSON.stringify(next)}: ${screen(updated)}, expected ${screen(whole)}`);
  }
})();
JS
)
expected=$(cat <<'TEXT'
"a c": ["a c",""], expected ["a c",""]
"a\tc": ["a      abc",""], expected ["a       c",""]
"12345678中y": ["12345678中","y"], expected ["12345678中","y"]
"123456789中y": ["1123456789","中y"], expected ["123456789","中y"]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
