#!/usr/bin/env bash
# rawproto 0.7.15 (npm): Node can load the package neither with import nor with require.
#
# Expected: the README shows both forms.
# Seen: package.json exports dist/rawproto.cjs alone, which Node reads as CommonJS; the file has import statements.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  rawproto@0.7.15
cd "$dir"

seen=$(NODE_NO_WARNINGS=1 node - <<'JS'
const first = error => `${error.name}: ${error.message}`;
try {
  require('rawproto');
} catch (error) {
  console.log('require', first(error));
}
import('rawproto').catch(error => console.log('import', first(error)));
JS
)
expected=$(cat <<'TEXT'
require SyntaxError: Cannot use import statement outside a module
import SyntaxError: Cannot use import statement outside a module
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
