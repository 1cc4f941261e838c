#!/usr/bin/env bash
# elo-rating 1.0.1 (npm): a change of rating is cut towards zero, so the favourite's win can change nothing.
#
# Expected: the Elo formula gives k * (1 - expected); ratings are rounded to the nearest integer. The README refers
# to the formula and says nothing of rounding.
# Seen: a gain of 10.75 is 10, and a win against a player 400 points lower with k = 10 (0.91) is 0.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  elo-rating@1.0.1
cd "$dir"

seen=$(node - <<'JS'
const elo = require('elo-rating');
for (const [player, opponent, k] of [[1507, 1533, 20], [1600, 1200, 10]]) {
  const formula = k * (1 - elo.expected(player, opponent));
  const gain = elo.calculate(player, opponent, true, k).playerRating - player;
  console.log(`${player} beats ${opponent}, k ${k}: formula ${formula.toFixed(2)}, got ${gain}`);
}
JS
)
expected=$(cat <<'TEXT'
1507 beats 1533, k 20: formula 10.75, got 10
1600 beats 1200, k 10: formula 0.91, got 0
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
