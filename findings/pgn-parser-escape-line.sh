#!/usr/bin/env bash
# @mliebelt/pgn-parser 1.4.19: a line that starts with a percent sign makes a game unreadable.
#
# Expected: PGN standard, section 6: a percent sign in the first column is an escape, and the rest of the line is
# ignored. chessops 0.15.1 does so.
# Seen: a syntax error.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @mliebelt/pgn-parser@1.4.19 chessops@0.15.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { parse } from '@mliebelt/pgn-parser';
import { parsePgn } from 'chessops/pgn';

for (const text of ['1. e4\n1... c5 *', '1. e4\n% written by a program\n1... c5 *']) {
  let moves;
  try {
    moves = parse(text, { startRule: 'game' }).moves.map(move => move.notation.notation).join(' ');
  } catch (error) {
    moves = error.name;
  }
  const others = [...parsePgn(text)[0].moves.mainline()].map(move => move.san).join(' ');
  console.log(`${JSON.stringify(text)} => ${moves}, chessops ${others}`);
}
JS
)
expected=$(cat <<'TEXT'
"1. e4\n1... c5 *" => e4 c5, chessops e4 c5
"1. e4\n% written by a program\n1... c5 *" => SyntaxError, chessops e4 c5
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
