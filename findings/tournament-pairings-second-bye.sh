#!/usr/bin/env bash
# tournament-pairings 2.0.1 (npm): in a Swiss round the last player gets a second bye although another has had none.
#
# Expected: the README: players with the lowest point total who have not previously received a bye are preferred to
# receive the bye.
# Seen: of three players only the first has had no bye, and the third gets it in each of 20 draws. A pair weighs the
# same whether one or both have had a bye.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  tournament-pairings@2.0.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { Swiss } from 'tournament-pairings';

const byes = {};
for (let draw = 0; draw < 20; draw++) {
  const players = [1, 2, 3].map(id => ({ id, score: 4 - id, avoid: [], receivedBye: id !== 1 }));
  const bye = Swiss(players, 3).find(match => match.player2 === null).player1;
  byes[bye] = (byes[bye] ?? 0) + 1;
}
console.log('player with the bye: draws', JSON.stringify(byes));
JS
)
expected=$(cat <<'TEXT'
player with the bye: draws {"3":20}
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
