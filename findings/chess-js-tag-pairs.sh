#!/usr/bin/env bash
# chess.js 1.4.0: a game is refused for a quote in a tag's value, or an underscore in a tag's name.
#
# Expected: PGN standard, sections 7 and 8.1: a quote inside a string is escaped by a backslash, and a tag's name may
# have letters, digits and underscores. chessops 0.15.1 reads both.
# Seen: a syntax error.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  chess.js@1.4.0 chessops@0.15.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { Chess } from 'chess.js';
import { parsePgn } from 'chessops/pgn';

for (const tag of ['[Event "den"]', '[Event "the \\"den\\""]', '[Time_Control "300"]']) {
  const text = `${tag}\n\n1. e4 *`;
  let read;
  try {
    const chess = new Chess();
    chess.loadPgn(text);
    read = chess.history().join();
  } catch (error) {
    read = error.name;
  }
  console.log(tag, '=>', read, 'chessops', [...parsePgn(text)[0].moves.mainline()].map(move => move.san).join());
}
JS
)
expected=$(cat <<'TEXT'
[Event "den"] => e4 chessops e4
[Event "the \"den\""] => SyntaxError chessops e4
[Time_Control "300"] => SyntaxError chessops e4
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
