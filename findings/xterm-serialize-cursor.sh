#!/usr/bin/env bash
# @xterm/addon-serialize 0.14.0 with @xterm/headless 6.0.0: if the last row of the screen is full, the cursor of the
# restored terminal is one column too far to the left.
#
# Expected: the README: the buffer can be restored to the previous state, with the position of the cursor.
# Seen: a terminal of ten columns whose cursor is in column 4 comes back with column 3. With nine letters in the last
# row, the column is right.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @xterm/headless@6.0.0 @xterm/addon-serialize@0.14.0
cd "$dir"

seen=$(node - <<'JS'
const { Terminal } = require('@xterm/headless');
const { SerializeAddon } = require('@xterm/addon-serialize');

const open = () => new Terminal({ cols: 10, rows: 4, allowProposedApi: true });
const write = (terminal, text) => new Promise((done) => terminal.write(text, done));
const cursor = ({ buffer: { active } }) => `row ${active.cursorY}, column ${active.cursorX}`;

async function copy(text) {
  const [terminal, restored, addon] = [open(), open(), new SerializeAddon()];
  terminal.loadAddon(addon);
  await write(terminal, text);
  await write(restored, addon.serialize());
  console.log(`${JSON.stringify(text)}: ${cursor(terminal)}, restored: ${cursor(restored)}`);
}

(async () => {
  await copy('\x1b[4;1H123456789\x1b[2;5H');
  await copy('\x1b[4;1H1234567890\x1b[2;5H');
})();
JS
)
expected=$(cat <<'TEXT'
"\u001b[4;1H123456789\u001b[2;5H": row 1, column 4, restored: row 1, column 4
"\u001b[4;1H1234567890\u001b[2;5H": row 1, column 4, restored: row 1, column 3
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
