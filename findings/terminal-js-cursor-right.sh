#!/usr/bin/env bash
# terminal.js 1.0.11 (npm): a large move to the right goes to the next row.
#
# Expected: the VT100 and xterm: the cursor stops at the right margin, so CSI 999 C is the usual way to find the width.
# @xterm/headless 6.0.0 stops there. A large move to the left stops at the left margin here too.
# Seen: the letter appears in the second row.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  terminal.js@1.0.11 wcwidth@1.0.1 @xterm/headless@6.0.0
cd "$dir"

seen=$(node - <<'JS'
const TerminalJs = require('terminal.js');
const { Terminal } = require('@xterm/headless');

for (const text of ['\x1b[9CX', '\x1b[99CX', '\x1b[2;5H\x1b[99DX']) {
  const terminal = new TerminalJs({ columns: 10, rows: 3 });
  terminal.write(text);
  const rows = [0, 1, 2].map((row) => (terminal.state.getLine(row) || { str: '' }).str.trimEnd());
  const xterm = new Terminal({ cols: 10, rows: 3, allowProposedApi: true });
  xterm.write(text, () => {
    const expected = [0, 1, 2].map((row) => xterm.buffer.active.getLine(row).translateToString(true));
    console.log(`${JSON.stringify(text)}: ${JSON.stringify(rows)}, xterm ${JSON.stringify(expected)}`);
  });
}
JS
)
expected=$(cat <<'TEXT'
"\u001b[9CX": ["         X","",""], xterm ["         X","",""]
"\u001b[99CX": ["","X",""], xterm ["         X","",""]
"\u001b[2;5H\u001b[99DX": ["","X",""], xterm ["","X",""]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
