#!/usr/bin/env bash
# markty-toml 0.1.1 (npm): a table that is defined behind one of its sub-tables deletes it.
#
# Expected: TOML: [x] may be defined after [x.y]; the specification has this example.
# Seen: only in the other order do both remain.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  markty-toml@0.1.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import parse from 'markty-toml';

for (const text of ['[log]\nlevel = 1\n[log.file]\nsize = 2', '[log.file]\nsize = 2\n[log]\nlevel = 1']) {
  console.log(JSON.stringify(text), '=>', JSON.stringify(parse(text)));
}
JS
)
expected=$(cat <<'TEXT'
"[log]\nlevel = 1\n[log.file]\nsize = 2" => {"log":{"level":1,"file":{"size":2}}}
"[log.file]\nsize = 2\n[log]\nlevel = 1" => {"log":{"level":1}}
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
