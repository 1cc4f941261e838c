// The room that the player is in, as the server's messages describe it. The server alone decides
// what is legal and who has won; nothing here knows the rules.

import { boardOf } from './board.js';
import { other, readMark } from './marks.js';
import { plain } from './plain.js';
import {
  keptChat, readCell, readChat, readOccupant, readOutcome, readPhase, readPosition, readRules,
  readTime,
} from './read.js';

/// Reads a RoomSnapshot; null if it makes no sense. `now` is the time of its clocks. `before` is what was
/// known about this room, or null.
export function readSnapshot(sent, now, before) {
  const board = boardOf(sent.rules, sent.moves ?? [], readMark(sent.starter));
  if (!board) return null;
  const options = sent.options ?? {};
  const room = {
    name: plain(sent.name),
    wireName: sent.name ?? '',
    rules: readRules(sent.rules),
    options: {
      time: readTime(options.time),
      away: options.away ?? 'AWAY_FORFEIT',
      graceMs: options.graceMs,
      unlisted: options.unlisted ?? false,
      openAiSeats: options.openAiSeats ?? false,
      hints: options.hints ?? false,
      from: readPosition(options.from),
    },
    board,
    revision: BigInt(sent.revision ?? 0),
    mySeat: readMark(sent.yourSeat),
    seats: { X: readOccupant(sent.x), O: readOccupant(sent.o) },
    watchers: sent.watchers ?? 0,
    phase: readPhase(sent.phase),
    game: sent.game ?? 0,
    takebacks: sent.takebacks ?? 0,
    turn: readMark(sent.turn),
    outcome: readOutcome(sent.outcome),
    wantsRematch: { X: sent.xWantsRematch ?? false, O: sent.oWantsRematch ?? false },
    drawOfferedBy: readMark(sent.drawOfferedBy),
    takebackAskedBy: readMark(sent.takebackAskedBy),
    score: readScore(sent.score),
    clocks: readClocks(sent.clocks, now),
    chat: (sent.chat ?? []).map(readChat),
    waitsForSeat: sent.waitsForSeat ?? false,
    record: '', // the number of the game's record, once it is over and known
  };
  room.played = playersOf(room, before);
  return room;
}

// The players of the finished game, {X, O, mine}. Others may have the seats by now. An open seat stands
// for an unknown player.
function playersOf(room, before) {
  const unknown = { X: readOccupant(), O: readOccupant(), mine: '' };
  if (room.phase !== 'finished') return unknown;
  if (before?.game !== room.game) return hasItsPlayers(room) ? seated(room) : unknown;
  if (before.phase === 'finished') return before.played;
  // A seat may have changed hands meanwhile, before or after the end of the game.
  const same = (mark) => isSame(room.seats[mark], before.seats[mark]);
  return {
    X: same('X') ? room.seats.X : unknown.X,
    O: same('O') ? room.seats.O : unknown.O,
    mine: room.mySeat === before.mySeat ? room.mySeat : '',
  };
}

const seated = (room) => ({ ...room.seats, mine: room.mySeat });

const isSame = (one, other) => one.kind === other.kind && one.wireName === other.wireName;

// Whether the occupants of the seats played the finished game. A player who takes an open seat begins the
// next game at once, but one who takes an AI's seat does not.
const hasItsPlayers = ({ seats, options }) =>
  seats.X.kind !== 'open' && seats.O.kind !== 'open' && !options.openAiSeats;

function readScore(sent = {}) {
  return { X: sent.x ?? 0, O: sent.o ?? 0, draws: sent.draws ?? 0 };
}

function readClocks(sent, now) {
  if (!sent) return null;
  return { X: sent.xMs ?? 0, O: sent.oMs ?? 0, since: now + (sent.startsInMs ?? 0) };
}

function settleOffers(room) {
  room.drawOfferedBy = '';
  room.takebackAskedBy = '';
}

// Each applies one kind of change. Returns false if it does not fit the room.
const changes = {
  movePlayed(room, move) {
    const mark = readMark(move.mark);
    if (!mark || move.ply !== room.board.moves.length + 1) return false;
    if (!room.board.place(readCell(move.cell), mark)) return false;
    if (move.outcome) room.outcome = readOutcome(move.outcome);
    settleOffers(room);
    return true;
  },
  seatChanged(room, change, me) {
    const seat = readMark(change.seat);
    if (!seat) return false;
    const before = room.seats[seat];
    const now = readOccupant(change.occupant);
    room.seats[seat] = now;
    if (!isSame(before, now)) {
      room.wantsRematch[seat] = false;
      if (room.drawOfferedBy === seat) room.drawOfferedBy = '';
      if (room.takebackAskedBy === seat) room.takebackAskedBy = '';
    }
    room.watchers = change.watchers ?? 0;
    if (now.kind === 'person' && now.wireName === me) Object.assign(room, { mySeat: seat, waitsForSeat: false });
    else if (room.mySeat === seat) room.mySeat = '';
    return true;
  },
  gameStarted(room, started) {
    room.board.takeBack(0);
    room.outcome = null;
    room.record = '';
    room.game = started.game ?? 0;
    room.takebacks = 0;
    room.wantsRematch = { X: false, O: false };
    settleOffers(room);
    return true;
  },
  gameEnded(room, ended) {
    room.outcome = readOutcome(ended.outcome ?? {});
    settleOffers(room);
    return true;
  },
  rematchWanted(room, wish) {
    const seat = readMark(wish.seat);
    if (seat) room.wantsRematch[seat] = true;
    return seat !== '';
  },
  drawOffered(room, offer) {
    room.drawOfferedBy = readMark(offer.by);
    return room.drawOfferedBy !== '';
  },
  takebackAsked(room, wish) {
    room.takebackAskedBy = readMark(wish.by);
    return room.takebackAskedBy !== '';
  },
  hintUsed() {
    return true;
  },
  engineNote() {
    return true;
  },
  declined(room) {
    settleOffers(room);
    return true;
  },
  takenBack(room, taken) {
    if ((taken.ply ?? 0) > room.board.moves.length) return false;
    room.board.takeBack(taken.ply ?? 0);
    room.takebacks = taken.takebacks ?? 0;
    settleOffers(room);
    return true;
  },
  watchersChanged(room, change) {
    room.watchers = change.watchers ?? 0;
    return true;
  },
  chatSaid(room, said) {
    room.chat.push(readChat(said));
    if (room.chat.length > keptChat) room.chat.shift();
    return true;
  },
};

/// Adds the GameRecord of the finished game, which names its players. `me` is the player's own name.
export function addRecord(room, record, me) {
  room.record = record.id;
  const seats = { X: readOccupant(record.x), O: readOccupant(record.o) };
  const isMine = (mark) => seats[mark].kind === 'person' && seats[mark].wireName === me;
  room.played = { ...seats, mine: ['X', 'O'].find(isMine) ?? '' };
}

/// The kind of change in a RoomUpdate; '' if this program does not know it.
export function kindOfChange(update) {
  return Object.keys(changes).find((kind) => kind in update) ?? '';
}

/// Applies a RoomUpdate. Returns 'applied', 'old' if it was known, or 'gap' if a snapshot is needed.
export function applyUpdate(room, update, me, now) {
  const revision = BigInt(update.revision ?? 0);
  if (revision <= room.revision) return 'old';
  if (revision > room.revision + 1n) return 'gap';
  const kind = kindOfChange(update);
  const phase = readPhase(update.phase);
  if (room.phase !== 'finished' && phase === 'finished') room.played = seated(room);
  if (kind && !changes[kind](room, update[kind], me)) return 'gap';
  room.revision = revision;
  room.phase = phase;
  room.turn = readMark(update.turn);
  if (update.clocks) room.clocks = readClocks(update.clocks, now);
  if (update.score) room.score = readScore(update.score);
  return 'applied';
}

/// Whether a side's clock runs. An AI uses no time, and the clock of a first move waits.
export function clockRuns(room, mark, now) {
  return room.clocks !== null && room.phase === 'playing' && room.turn === mark &&
    room.seats[mark].kind !== 'ai' && now >= room.clocks.since;
}

/// Milliseconds that a side has left.
export function timeLeft(room, mark, now) {
  const sent = room.clocks[mark];
  return Math.max(0, clockRuns(room, mark, now) ? sent - (now - room.clocks.since) : sent);
}

export const isMyTurn = (room) =>
  room.phase === 'playing' && room.mySeat !== '' && room.turn === room.mySeat;

/// Whether the player may decide about AIs, rematches and invitations: with a seat, or if no person has one.
export function mayArrange(room) {
  const isPerson = (mark) => room.seats[mark].kind === 'person';
  return room.mySeat !== '' || (!isPerson('X') && !isPerson('O'));
}

export const opponent = (room) => (room.mySeat ? room.seats[other(room.mySeat)] : null);
