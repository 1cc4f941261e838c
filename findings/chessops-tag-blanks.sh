#!/usr/bin/env bash
# chessops 0.15.1: a tag with blanks inside its brackets is dropped without an error.
#
# Expected: PGN standard, section 7: brackets, names and strings are tokens of their own, and white space may stand
# between them on import. @mliebelt/pgn-parser 1.4.19 reads the tag.
# Seen: the player's name is "?".
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @mliebelt/pgn-parser@1.4.19 chessops@0.15.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { parse } from '@mliebelt/pgn-parser';
import { parsePgn } from 'chessops/pgn';

for (const tag of ['[White "Ann"]', '[ White "Ann" ]']) {
  const text = `${tag}\n\n1. e4 *`;
  const others = parse(text, { startRule: 'game' }).tags.White;
  console.log(tag, '=>', parsePgn(text)[0].headers.get('White'), 'pgn-parser', others);
}
JS
)
expected=$(cat <<'TEXT'
[White "Ann"] => Ann pgn-parser Ann
[ White "Ann" ] => ? pgn-parser Ann
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
