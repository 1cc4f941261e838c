#!/usr/bin/env bash
# roundrobin 2.0.0 (npm): players have the same side up to half of the tournament in a row.
#
# Expected: the README: the order in a match denotes home and away, or white and black. In FIDE's Berger tables
# nobody has a colour three times in a row; tournament-pairings 2.0.1 makes those.
# Seen: with 10 players five times in a row, with 20 players ten times; the totals are balanced.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  roundrobin@2.0.0 tournament-pairings@2.0.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import roundrobin from 'roundrobin';
import { RoundRobin } from 'tournament-pairings';

function longest(n, matches) {
  let most = 0;
  for (let player = 1; player <= n; player++) {
    let run = 0, last;
    for (const match of matches.filter(match => match.includes(player))) {
      run = match.indexOf(player) === last ? run + 1 : 1;
      last = match.indexOf(player);
      most = Math.max(most, run);
    }
  }
  return most;
}
for (const n of [6, 10, 20]) {
  const berger = RoundRobin(n, 1, true).map(match => [match.player1, match.player2]);
  console.log(n, 'players: roundrobin', longest(n, roundrobin(n).flat()), 'Berger tables', longest(n, berger));
}
JS
)
expected=$(cat <<'TEXT'
6 players: roundrobin 3 Berger tables 2
10 players: roundrobin 5 Berger tables 2
20 players: roundrobin 10 Berger tables 2
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
