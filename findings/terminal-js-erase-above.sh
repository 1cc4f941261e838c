#!/usr/bin/env bash
# terminal.js 1.0.11 (npm): "erase above" leaves the rows above as they are.
#
# Expected: ECMA-48, section 8.3.39: CSI 1 J erases from the beginning of the page up to the cursor, as
# @xterm/headless 6.0.0 does.
# Seen: only the cursor's own row is erased. Its "erase below" does erase the rows below.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  terminal.js@1.0.11 wcwidth@1.0.1 @xterm/headless@6.0.0
cd "$dir"

seen=$(node - <<'JS'
const TerminalJs = require('terminal.js');
const { Terminal } = require('@xterm/headless');

for (const text of ['one\r\ntwo\r\nten\x1b[2;2H\x1b[J', 'one\r\ntwo\r\nten\x1b[2;2H\x1b[1J']) {
  const terminal = new TerminalJs({ columns: 10, rows: 3 });
  terminal.write(text);
  const rows = [0, 1, 2].map((row) => terminal.state.getLine(row).str.trimEnd());
  const xterm = new Terminal({ cols: 10, rows: 3, allowProposedApi: true });
  xterm.write(text, () => {
    const expected = [0, 1, 2].map((row) => xterm.buffer.active.getLine(row).translateToString(true));
    console.log(`${JSON.stringify(text)}: ${JSON.stringify(rows)}, xterm ${JSON.stringify(expected)}`);
  });
}
JS
)
expected=$(cat <<'TEXT'
"one\r\ntwo\r\nten\u001b[2;2H\u001b[J": ["one","t",""], xterm ["one","t",""]
"one\r\ntwo\r\nten\u001b[2;2H\u001b[1J": ["one"," wo","ten"], xterm ["","  o","ten"]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
