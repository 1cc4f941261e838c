#!/usr/bin/env bash
# terminal.js 1.0.11 (npm): text of the alternate screen stays on the normal one.
#
# Expected: xterm's control sequences: CSI ? 1049 h saves the cursor and uses the alternate screen, which it clears;
# CSI ? 1049 l returns. CSI ? 47 h and l switch as well. In @xterm/headless 6.0.0 the first text is back.
# Seen: with 1049, the sequence in the terminal descriptions of xterm, the text of the alternate screen has replaced it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  terminal.js@1.0.11 wcwidth@1.0.1 @xterm/headless@6.0.0
cd "$dir"

seen=$(node - <<'JS'
const TerminalJs = require('terminal.js');
const { Terminal } = require('@xterm/headless');

for (const mode of ['47', '1047', '1049']) {
  const text = `shell\x1b[?${mode}h\x1b[1;1HEDITOR\x1b[?${mode}l`;
  const terminal = new TerminalJs({ columns: 10, rows: 3 });
  terminal.write(text);
  const seen = terminal.state.getLine(0).str.trimEnd();
  const xterm = new Terminal({ cols: 10, rows: 3, allowProposedApi: true });
  xterm.write(text, () => {
    console.log(`${mode}: "${seen}", xterm "${xterm.buffer.active.getLine(0).translateToString(true)}"`);
  });
}
JS
)
expected=$(cat <<'TEXT'
47: "shell", xterm "shell"
1047: "shell", xterm "shell"
1049: "EDITOR", xterm "shell"
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
