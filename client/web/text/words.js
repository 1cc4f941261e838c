// Names, rules and seats in words.

import { isolated } from '../model/plain.js';

export function rulesText({ rows, cols, k, exact }) {
  const size = `${rows} × ${cols}`;
  // Everybody knows the classic; on any other board people would guess.
  if (rows === 3 && cols === 3 && k === 3 && !exact) return size;
  return `${size}, ${exact ? 'exactly ' : ''}${k} in a row`;
}

/// "from game 12 after 7 moves": where a game goes on.
export const originText = ({ game, moves }) =>
  `from game ${game} after ${moves}${moves === 1 ? ' move' : ' moves'}`;

export const quoted = (name) => `"${isolated(name)}"`;

export function nameOf(occupant) {
  if (occupant.kind !== 'ai') return occupant.name ? isolated(occupant.name) : 'nobody';
  if (!occupant.name) return 'the computer';
  // Servers may give an AI any name, but the person must see that it is one.
  return occupant.name.includes('AI') ? occupant.name : `${isolated(occupant.name)} (AI)`;
}

const meanings = ['beginner', 'novice', 'casual', 'practised', 'seasoned', 'advanced', 'expert', 'master'];

/// "3, casual" for the level 3 of an AI; other levels are shown by their names.
export const levelText = (level) =>
  (/^[1-8]$/.test(level) ? `${level}, ${meanings[level - 1]}` : level);

/// "alice (X)".
export const side = (room, mark) => `${nameOf(room.seats[mark])} (${mark})`;

/// "alice 1 – 0 bob"; empty before the first result.
export function scoreText({ score: { X, O, draws }, seats }) {
  if (X + O + draws === 0) return '';
  const drawn = draws === 0 ? '' : draws === 1 ? ', 1 draw' : `, ${draws} draws`;
  return `${nameOf(seats.X)} ${X} – ${O} ${nameOf(seats.O)}${drawn}`;
}

const results = {
  REASON_RESIGNED: ', resigned',
  REASON_AGREED: ', agreed',
  REASON_TIME: ', on time',
  REASON_FORFEIT: ', forfeit',
  REASON_MOVE_LIMIT: ', move limit',
};

/// "X wins, resigned", for a table.
export function resultText({ winner, reason }) {
  return (winner ? `${winner} wins` : 'draw') + (results[reason] ?? '');
}

export function stateText(room) {
  if (room.phase === 'waiting') return 'waiting';
  return room.phase === 'playing' ? `move ${room.ply + 1}` : 'over';
}
