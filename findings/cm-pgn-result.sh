#!/usr/bin/env bash
# cm-pgn 5.0.0 (npm): the result of a game without the tag Result is not written.
#
# Expected: the PGN standard, section 8.2.6: each movetext section has exactly one game termination marker, always the
# last element. chess.js 1.4.0 writes it.
# Seen: if only the moves end with it, it is lost, and pgn-parser 2.2.1 refuses the text.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  cm-pgn@5.0.0 chess.js@1.4.0 pgn-parser@2.2.1
cd "$dir"

seen=$(node --input-type=module - <<'JS'
import { Chess } from 'chess.js';
import { Pgn } from 'cm-pgn/src/Pgn.js';
import parser from 'pgn-parser';

const moves = (text) => text.split('\n').filter((line) => !line.startsWith('[')).join(' ').trim();
const refusal = (text) => {
  try {
    return parser.parse(text)[0].result;
  } catch (error) {
    return error.name;
  }
};

for (const game of ['1. f3 e5 2. g4 Qh4# 0-1\n', '[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n']) {
  const written = new Pgn(game).render();
  console.log(`cm-pgn: ${moves(written)}, for pgn-parser: ${refusal(written)}`);
  const chess = new Chess();
  chess.loadPgn(game);
  console.log(`chess.js: ${moves(chess.pgn())}, for pgn-parser: ${refusal(chess.pgn())}`);
}
JS
)
expected=$(cat <<'TEXT'
cm-pgn: 1. f3 e5 2. g4 Qh4#, for pgn-parser: SyntaxError
chess.js: 1. f3 e5 2. g4 Qh4# 0-1, for pgn-parser: 0-1
cm-pgn: 1. f3 e5 2. g4 Qh4# 0-1, for pgn-parser: 0-1
chess.js: 1. f3 e5 2. g4 Qh4# 0-1, for pgn-parser: 0-1
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
