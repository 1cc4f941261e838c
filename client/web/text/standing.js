// How things stand in a room: whose turn it is, who has won, what is offered.

import { marks, other } from '../model/marks.js';
import { cellName, columnName } from '../model/notation.js';
import { isMyTurn, opponent } from '../model/room.js';
import { nameOf, quoted, side } from './words.js';

function lineText(board, line) {
  const ends = `${cellName(line.first)}-${cellName(line.last)}`;
  if (line.kind === 'KIND_ROW') {
    const row = `row ${line.first.row + 1}`;
    return line.last.col - line.first.col + 1 === board.cols ? row : `${row}, ${ends}`;
  }
  if (line.kind === 'KIND_COLUMN') {
    const column = `column ${columnName(line.first.col)}`;
    return line.last.row - line.first.row + 1 === board.rows ? column : `${column}, ${ends}`;
  }
  return `diagonal ${ends}`;
}

function reasonText(reason, loser) {
  if (reason === 'REASON_RESIGNED') return `: ${loser} resigned`;
  if (reason === 'REASON_TIME') return `: ${loser} ran out of time`;
  return reason === 'REASON_FORFEIT' ? `: ${loser} was away for too long` : '';
}

const draws = {
  REASON_AGREED: 'Draw by agreement.',
  REASON_MOVE_LIMIT: 'Draw: the game reached the move limit.',
};

/// "alice (X) wins: row 2." An open seat stands for a player who is not known.
export function outcomeText(board, outcome, players) {
  const { winner, reason } = outcome;
  if (!winner) return draws[reason] ?? 'Draw.';
  const lines = outcome.lines.map((line) => lineText(board, line)).join(' and ');
  const loser = other(winner);
  const who = players[winner].kind === 'open' ? winner : `${nameOf(players[winner])} (${winner})`;
  return `${who} wins${lines && `: ${lines}`}` +
    `${reasonText(reason, players[loser].kind === 'open' ? loser : nameOf(players[loser]))}.`;
}

function verdictText(room) {
  if (!room.outcome) return 'The game is over.';
  const text = outcomeText(room.board, room.outcome, room.played);
  if (!room.outcome.winner || !room.played.mine) return text;
  return `${text}${room.played.mine === room.outcome.winner ? ' You win!' : ' You lose.'}`;
}

function rematchHint(room) {
  if (!room.mySeat) return '';
  const isOpen = opponent(room).kind === 'open';
  if (isOpen) return ` The next game begins when someone takes ${other(room.mySeat)}.`;
  return room.wantsRematch[room.mySeat] ? ` ${readyText(room, room.mySeat)}` : '';
}

/// A side wants the next game. A newcomer who was given the seat of an AI has not asked for it.
export const readyText = (room, mark) =>
  (mark === room.mySeat ? `The next game begins when ${side(room, other(mark))} agrees.`
    : `${side(room, mark)} is ready for the next game.`);

/// One sentence: what everybody waits for.
export function statusText(room) {
  if (room.phase === 'finished') return verdictText(room) + rematchHint(room);
  if (room.phase === 'playing') {
    if (!room.turn) return 'The game is in progress.';
    return isMyTurn(room) ? `Your turn: place your ${room.turn}.`
      : `${nameOf(room.seats[room.turn])}'s turn (${room.turn}).`;
  }
  const open = marks.filter((mark) => room.seats[mark].kind === 'open');
  if (open.length === 0) return 'Waiting for the game to begin.';
  if (room.mySeat) return `Waiting for an opponent (${open[0]}).`;
  return open.length > 1 ? 'Waiting for two players.' : `Waiting for a player (${open[0]}).`;
}

const leadsTo = (winner) => (winner ? `a win for ${winner}` : 'a draw');

/// Where a game was decided; '' if that is not known. `decision` is that of decisionOf().
export function decisionText(board, decision) {
  if (!decision) return '';
  const { ply, before, after } = decision;
  if (ply < 0) return `No move changed the result: with best play it was ${leadsTo(after)} from the start.`;
  const cell = board.cellOf(board.moves[ply]);
  return `Move ${ply + 1} decided the game: ${cellName(cell)} by ${board.at(cell)} was the last ` +
    `mistake. With best play it turned ${leadsTo(before)} into ${leadsTo(after)}.`;
}

/// For a position that the player has stepped back to, after `played` moves.
export function pastText(room, played) {
  if (played === 0) return 'Before the first move.';
  const cell = room.board.cellOf(room.board.moves[played - 1]);
  return `Move ${played} of ${room.board.moves.length}: ${room.board.at(cell)} at ${cellName(cell)}.`;
}

/// For a move that was sent, {cell, isLate}.
export const sendingText = ({ cell, isLate }) =>
  `Sending ${cellName(cell)} …${isLate ? ` ${noAnswer}` : ''}`;

export const noAnswer = 'no answer from the server';

/// What is offered or asked and not answered, or ''.
export function offersText(room) {
  const { drawOfferedBy, takebackAskedBy, mySeat } = room;
  if (drawOfferedBy) {
    return drawOfferedBy === mySeat ? 'You offered a draw.'
      : `${side(room, drawOfferedBy)} offers a draw.`;
  }
  if (takebackAskedBy) {
    return takebackAskedBy === mySeat ? 'You asked to take your last move back.'
      : `${side(room, takebackAskedBy)} asks to take the last move back.`;
  }
  const asking = marks.find((mark) => room.wantsRematch[mark] && mark !== mySeat);
  return room.phase === 'finished' && asking ? readyText(room, asking) : '';
}

export const seatText = (occupant) =>
  (occupant.kind === 'open' ? 'open' : nameOf(occupant)) + (occupant.away ? ' (away)' : '');

export const arrivalText = (room) =>
  (room.mySeat ? `You play ${room.mySeat} in the room ${quoted(room.name)}.`
    : `You are watching the room ${quoted(room.name)}.`);

/// For a watcher who waits for the seat of an AI. Others may have come before.
export const waitingForSeatText = ({ watchers }) =>
  (watchers > 1 ? 'You are in line for the AI\'s seat: whoever came first gets it when this game is over.'
    : 'You get the AI\'s seat when this game is over.');
