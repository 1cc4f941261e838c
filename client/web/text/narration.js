// What happens in a room, as sentences.

import { cellName } from '../model/notation.js';
import { isolated, longestText, plain } from '../model/plain.js';
import { readMark } from '../model/marks.js';
import { readCell, readOccupant } from '../model/read.js';
import { offersText, outcomeText, readyText } from './standing.js';
import { durationText } from './time.js';
import { levelText, nameOf, side } from './words.js';

// What becomes of the seat of an absent player.
function awayText(room, away) {
  const who = nameOf(away);
  if (away.level) return `${who} is away: the AI (${levelText(away.level)}) plays until they are back.`;
  const text = `${who} is away.`;
  if (away.awayMs === 0) return text;
  const left = durationText(away.awayMs);
  if (room.options.away === 'AWAY_AI') return `${text} An AI takes over in ${left}.`;
  return room.phase === 'playing' ? `${text} They lose the game if they are not back in ${left}.`
    : `${text} The seat is held for ${left}.`;
}

function seatText(room, change, seatBefore) {
  const now = readOccupant(change.occupant);
  const before = readOccupant(change.previous);
  const mark = readMark(change.seat);
  if (now.kind === 'person' && before.kind === 'person' && now.wireName === before.wireName) {
    if (now.away) return awayText(room, now);
    return room.mySeat === mark ? 'You are back.' : `${nameOf(now)} is back.`;
  }
  const watches = seatBefore === mark && room.mySeat !== mark ? ' You are now watching.' : '';
  if (room.mySeat === mark) return `You have the seat ${mark} now.`;
  if (now.kind === 'person') return `${nameOf(now)} takes seat ${mark}.${watches}`;
  if (now.kind === 'ai') return `${nameOf(now)} plays ${mark} now.${watches}`;
  const left = before.kind === 'ai' ? `${nameOf(before)} no longer plays ${mark}: the seat is open.`
    : `${nameOf(before)} left seat ${mark}.`;
  return left + watches;
}

function moveText(room, move) {
  const mark = readMark(move.mark);
  const cell = cellName(readCell(move.cell));
  const who = room.seats[mark];
  const standsIn = who.kind === 'person' && who.away;
  if (room.mySeat === mark && !standsIn) return `You play ${cell}.`;
  const text = standsIn ? `The AI plays ${cell} for ${nameOf(who)}`
    : `${nameOf(who)} plays ${cell}`;
  const fault = move.engineFault ? ` ${plain(move.engineFault, longestText)}` : '';
  return `${text}${move.cannotLose ? ' and can no longer lose.' : '.'}${fault}`;
}

function takenBackText(room, taken) {
  const by = readMark(taken.by);
  const what = !by ? 'The last moves were taken back.'
    : room.mySeat === by ? 'You took your last move back.'
      : `${side(room, by)} took the last move back.`;
  return `${what} Marks on the board: ${room.board.moves.length}.`;
}

const sentences = {
  movePlayed: moveText,
  seatChanged: seatText,
  gameStarted: (room, started) => {
    const starter = readMark(started.starter);
    return `Game ${room.game} begins${starter ? `: ${side(room, starter)} starts` : ''}.`;
  },
  rematchWanted: (room, wish) => readyText(room, readMark(wish.seat)),
  drawOffered: offersText,
  takebackAsked: offersText,
  declined: (room, { by }) => {
    const mark = readMark(by);
    if (mark === room.mySeat && mark) return 'You declined.';
    return `${mark ? side(room, mark) : 'Someone'} declines.`;
  },
  takenBack: takenBackText,
  hintUsed: (room, { name, by }) => {
    const mark = readMark(by);
    if (mark && mark === room.mySeat) return 'Everyone here can see that you used a hint.';
    return `${isolated(plain(name))} used a hint.`;
  },
  engineNote: (_, { text }) => plain(text, longestText),
  watchersChanged: (_, { name, joined, watchers = 0, waitsForSeat }) =>
    `${isolated(plain(name))} ${joined ? 'is now watching' : 'stopped watching'}` +
    (!waitsForSeat ? ` (${watchers} watching).`
      : `${watchers > 1 ? ', in line for' : ' and gets'} the AI's seat after this game.`),
};

/// The sentences of a change of a room; chat is not among them.
export function narrate(room, { change, update, seatBefore, phaseBefore }) {
  const text = sentences[change]?.(room, update[change], seatBefore);
  const ends = room.phase === 'finished' && phaseBefore !== 'finished' && room.outcome;
  return [text, ends && outcomeText(room.board, room.outcome, room.played)].filter(Boolean);
}

/// What the answer to a request for a hint says.
export function hintText(hint) {
  return hint.cannotLose ? `Hint: ${cellName(hint.cell)}. ${hint.mark} can't lose after it.`
    : `Hint: ${cellName(hint.cell)} is a good move for ${hint.mark}.`;
}
