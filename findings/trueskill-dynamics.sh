#!/usr/bin/env bash
# trueskill 0.0.2 (npm): before each game the doubt about a rating grows too much: gamma is added to sigma instead of
# to its square.
#
# Expected: TrueSkill adds gamma^2 to sigma^2. A first win between two new players gives 29.396 and 7.171
# (ts-trueskill 5.1.0, and the calculator that the README refers to).
# Seen: 29.447 and 7.238.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  trueskill@0.0.2 ts-trueskill@5.1.0
cd "$dir"

seen=$(node --input-type=module <<'JS'
import { Rating, rate_1vs1 } from 'ts-trueskill';
import trueskill from 'trueskill';

const players = [1, 2].map(rank => ({ skill: [25, 25 / 3], rank }));
trueskill.AdjustPlayers(players);
console.log('trueskill', players.map(player => player.skill.map(n => n.toFixed(3)).join(' ')).join(', '));
const others = rate_1vs1(new Rating(), new Rating());
console.log('ts-trueskill', others.map(({ mu, sigma }) => `${mu.toFixed(3)} ${sigma.toFixed(3)}`).join(', '));
JS
)
expected=$(cat <<'TEXT'
trueskill 29.447 7.238, 20.553 7.238
ts-trueskill 29.396 7.171, 20.604 7.171
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
