// Converts parts of messages for the model: every field is present, and texts are harmless.

import { readMark } from './marks.js';
import { longestText, plain } from './plain.js';

const kinds = { KIND_PERSON: 'person', KIND_AI: 'ai' };
const phases = { PHASE_PLAYING: 'playing', PHASE_FINISHED: 'finished' };

export const readPhase = (name) => phases[name] ?? 'waiting';

export const readCell = (cell) => ({ row: cell?.row ?? 0, col: cell?.col ?? 0 });

export function readOccupant(sent = {}) {
  return {
    kind: kinds[sent.kind] ?? 'open',
    name: plain(sent.name),
    wireName: sent.name ?? '',
    level: plain(sent.aiLevel),
    away: sent.away ?? false,
    awayMs: sent.awayMsLeft ?? 0,
  };
}

export function readRules(sent = {}) {
  return { rows: sent.rows ?? 0, cols: sent.cols ?? 0, k: sent.k ?? 0, exact: sent.exact ?? false };
}

export function readTime(sent = {}) {
  return {
    moveMs: sent.moveMs ?? 0,
    gameMs: sent.gameMs ?? 0,
    incrementMs: sent.incrementMs ?? 0,
  };
}

export const readPosition = (sent) =>
  (sent ? { game: String(sent.game ?? 0), moves: sent.moves ?? 0 } : null);

export function readOutcome(sent) {
  if (!sent) return null;
  const lines = (sent.lines ?? []).slice(0, 4).map((line) => ({
    kind: line.kind ?? '',
    first: readCell(line.first),
    last: readCell(line.last),
  }));
  return { winner: readMark(sent.winner), reason: sent.reason ?? '', lines };
}

/// The number of chat lines that are kept, the latest.
export const keptChat = 100;

export function readChat(sent) {
  return { from: plain(sent.from), seat: readMark(sent.seat), text: plain(sent.text, longestText) };
}

// Reads RoomInfo.marks: 'X', 'O' or '' for each cell; empty if the server sent no board.
function readMarks(sent = '') {
  const marks = [];
  for (const byte of atob(sent)) {
    for (let bits = 0; bits < 8; bits += 2) marks.push(['', 'X', 'O'][byte.charCodeAt(0) >> bits & 3]);
  }
  return marks;
}

export function readRoomInfo(sent) {
  const options = sent.options ?? {};
  return {
    name: plain(sent.name),
    wireName: sent.name ?? '',
    rules: readRules(sent.rules),
    needsPassword: sent.needsPassword ?? false,
    phase: readPhase(sent.phase),
    seats: { X: readOccupant(sent.x), O: readOccupant(sent.o) },
    watchers: sent.watchers ?? 0,
    ply: sent.ply ?? 0,
    marks: readMarks(sent.marks),
    time: readTime(options.time),
    openAiSeats: options.openAiSeats ?? false,
  };
}

/// Whether a person can get the seat, perhaps after this game.
export const isFree = ({ kind }, openAiSeats) =>
  kind === 'open' || (openAiSeats && kind === 'ai');

/// Whether a person who joins finds nobody: all players are away.
export function isDeserted({ seats: { X, O } }) {
  const people = [X, O].filter(({ kind }) => kind === 'person');
  return people.length > 0 && people.every(({ away }) => away);
}

/// Whether a person who joins gets a seat.
export const hasOpenSeat = ({ seats, openAiSeats }) =>
  isFree(seats.X, openAiSeats) || isFree(seats.O, openAiSeats);
