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

// The weakest first: name, meaning, and how they play.
const levels = [
  ['random', '', 'any free cell'],
  ['1', 'beginner', 'overlooks a lot'],
  ['2', 'novice', 'overlooks some'],
  ['3', 'casual', 'overlooks little'],
  ['suggester', '', 'falls for double threats'],
  ['4', 'practised', 'calculates a little'],
  ['5', 'seasoned', 'calculates some moves'],
  ['6', 'advanced', 'calculates well'],
  ['7', 'expert', 'calculates far'],
  ['8', 'master', 'calculates farthest'],
  ['strong', '', 'plays like the hints'],
  ['perfect', '', 'never loses'],
];
const placeOf = (level) => levels.findIndex(([name]) => name === level);

/// "3, casual" for the level 3 of an AI; other levels are shown by their names.
export function levelText(level) {
  const meaning = levels[placeOf(level)]?.[1];
  return meaning ? `${level}, ${meaning}` : level;
}

/// A level in a list: "casual (3): overlooks little".
function levelChoice(level) {
  const [, meaning, how] = levels[placeOf(level)] ?? [level, '', 'an engine of this server'];
  return `${meaning ? `${meaning} (${level})` : level}: ${how}`;
}

/// The levels that a server offers, as [level, text], the weakest first. Its engines come last, in their order.
export function levelChoices({ aiLevels = [] }) {
  const rank = (level) => (placeOf(level) + levels.length + 1) % (levels.length + 1);
  return [...aiLevels].sort((a, b) => rank(a) - rank(b)).map((level) => [level, levelChoice(level)]);
}

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
