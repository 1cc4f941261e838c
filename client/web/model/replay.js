// A finished game, move by move.

import { Board, boardOf } from './board.js';
import { readMark, sideAt } from './marks.js';
import { plain } from './plain.js';
import { readOccupant, readOutcome, readPosition, readRules, readTime } from './read.js';

export class Replay {
  played = 0;

  /// `record` is a GameRecord; `isFaulty` if it makes no sense.
  constructor(record) {
    this.record = record;
    this.rules = readRules(record.rules);
    this.room = plain(record.room);
    this.time = readTime(record.time);
    this.seats = { X: readOccupant(record.x), O: readOccupant(record.o) };
    this.starter = readMark(record.starter);
    this.moves = record.moves ?? [];
    this.outcome = readOutcome(record.outcome);
    this.from = readPosition(record.from);
    this.isFaulty = boardOf(record.rules, this.moves, this.starter) === null;
    if (!this.isFaulty) this.board = new Board(this.rules.rows, this.rules.cols);
  }

  get isAtEnd() {
    return this.played === this.moves.length;
  }

  /// Whether nobody can move in the position that is shown.
  get isDecided() {
    const ends = ['REASON_LINE', 'REASON_BOARD_FULL', 'REASON_MOVE_LIMIT'];
    return this.isAtEnd && ends.includes(this.outcome?.reason);
  }

  sideAt(ply) {
    return sideAt(this.starter, ply);
  }

  /// How long a move took, in milliseconds, or null if it is not known.
  timeOf(ply) {
    const times = this.record.moveMs ?? [];
    return times.length === this.moves.length ? times[ply] : null;
  }

  goTo(played) {
    this.played = Math.min(Math.max(played, 0), this.moves.length);
    this.board.takeBack(this.played);
    for (let ply = this.board.moves.length; ply < this.played; ++ply) {
      this.board.place(this.board.cellOf(this.moves[ply]), this.sideAt(ply));
    }
  }
}
