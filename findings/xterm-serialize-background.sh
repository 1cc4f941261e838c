#!/usr/bin/env bash
# @xterm/addon-serialize 0.14.0 with @xterm/headless 6.0.0: of a screen that was erased in a colour, only the first row
# has the colour after it is restored.
#
# Expected: the README: the buffer can be restored to the previous state.
# Seen: rows that hold colour but no text are left out behind the last row with text.
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
const background = ({ buffer: { active } }) =>
  [0, 1, 2, 3].map((row) => active.getLine(row).getCell(5).getBgColor()).join(' ');

async function copy(text) {
  const [terminal, restored, addon] = [open(), open(), new SerializeAddon()];
  terminal.loadAddon(addon);
  await write(terminal, text);
  await write(restored, addon.serialize());
  console.log(`${JSON.stringify(text)}: ${background(terminal)}, restored: ${background(restored)}`);
}

(async () => {
  await copy('\x1b[44m\x1b[2J');
  await copy('\x1b[44m\x1b[2J\x1b[2;1Htext');
  await copy('\x1b[44m\x1b[2J\x1b[4;1Htext');
})();
JS
)
expected=$(cat <<'TEXT'
"\u001b[44m\u001b[2J": 4 4 4 4, restored: 4 -1 -1 -1
"\u001b[44m\u001b[2J\u001b[2;1Htext": 4 4 4 4, restored: 4 4 -1 -1
"\u001b[44m\u001b[2J\u001b[4;1Htext": 4 4 4 4, restored: 4 4 4 4
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
