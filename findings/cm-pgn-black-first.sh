#!/usr/bin/env bash
# cm-pgn 5.0.0 (npm): if Black moves first, Black's move is written as White's.
#
# Expected: the PGN standard, sections 8.2.2 and 9.7: a game may begin with a position of the tag FEN; Black's move at
# the beginning has its number and three dots. chess.js 1.4.0 reads such a game, and keeps the dots.
# Seen: "1... e5 2. Nf3" is read, and written as "1. e5 Nf3". That is another game, in which White has two moves.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  cm-pgn@5.0.0 chess.js@1.4.0
cd "$dir"

seen=$(node --input-type=module - <<'JS'
import { Chess } from 'chess.js';
import { Pgn } from 'cm-pgn/src/Pgn.js';

const position = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
const game = `[SetUp "1"]\n[FEN "${position}"]\n\n1... e5 2. Nf3 Nc6 *\n`;
const moves = (text) => text.split('\n').filter((line) => !line.startsWith('[')).join(' ').trim();
const written = new Pgn(game).render();
console.log('cm-pgn:', moves(written));
const chess = new Chess();
chess.loadPgn(game);
console.log('chess.js:', moves(chess.pgn()));
JS
)
expected=$(cat <<'TEXT'
cm-pgn: 1. e5 Nf3 2. Nc6
chess.js: 1. ... e5 2. Nf3 Nc6 *
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
