#!/usr/bin/env bash
# tournament-organizer 4.1.1 (npm): in a double round robin the second game against an opponent is missing from the
# tie-breaks.
#
# Expected: FIDE C.07: Sonneborn-Berger adds the score of the opponent for each game won. Ann and Bob have won one
# game against each other and both against Cas and Dan, so each has 5 + 2 + 2 + 0 + 0 = 9.
# Seen: only the first game counts: Ann, who won it, has 7, and Bob has 2.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  tournament-organizer@4.1.1
cd "$dir"

seen=$(node --input-type=module <<'JS'
import Manager from 'tournament-organizer';

const cup = new Manager().createTournament('cup', {
  stageOne: { format: 'double-round-robin' },
  scoring: { tiebreaks: ['sonneborn berger'] },
});
for (const name of ['Ann', 'Bob', 'Cas', 'Dan']) cup.createPlayer(name);
cup.startTournament();
for (let ended = false, games = 0; !ended;) {
  for (const match of cup.getMatches().filter(match => match.isActive())) {
    const [first, second] = [match.getPlayer1(), match.getPlayer2()].map(({ id }) => cup.getPlayer(id).getName());
    const returned = [first, second].sort().join() === 'Ann,Bob' && games++ > 0;
    const wins = (first < second) !== returned;
    cup.enterResult(match.getId(), wins ? 1 : 0, wins ? 0 : 1);
  }
  try {
    cup.nextRound();
  } catch {
    ended = true;
  }
}
for (const { player, matchPoints, tiebreaks } of cup.getStandings()) {
  console.log(player.getName(), matchPoints, tiebreaks.sonnebornBerger);
}
JS
)
expected=$(cat <<'TEXT'
Ann 5 7
Bob 5 2
Cas 2 0
Dan 0 0
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
