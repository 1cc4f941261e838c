// The marks on a board, and the moves that put them there.

import { sideAt } from './marks.js';

const codes = { X: 1, O: 2 };
const letters = ['', 'X', 'O'];

export class Board {
  constructor(rows, cols) {
    this.rows = rows;
    this.cols = cols;
    this.cells = new Uint8Array(rows * cols);
    this.moves = []; // as row * cols + col, the first one first
  }

  contains({ row, col }) {
    return row >= 0 && col >= 0 && row < this.rows && col < this.cols;
  }

  at({ row, col }) {
    return letters[this.cells[row * this.cols + col]];
  }

  cellOf(move) {
    return { row: Math.floor(move / this.cols), col: move % this.cols };
  }

  /// The cell of the last move, or null.
  last() {
    return this.moves.length > 0 ? this.cellOf(this.moves[this.moves.length - 1]) : null;
  }

  /// False if the cell is taken or not on the board.
  place(cell, mark) {
    if (!this.contains(cell) || this.at(cell)) return false;
    const index = cell.row * this.cols + cell.col;
    this.cells[index] = codes[mark];
    this.moves.push(index);
    return true;
  }

  takeBack(ply) {
    while (this.moves.length > ply) this.cells[this.moves.pop()] = 0;
  }

  /// The board after its first `played` moves.
  after(played) {
    const board = new Board(this.rows, this.cols);
    for (const move of this.moves.slice(0, played)) board.place(this.cellOf(move), letters[this.cells[move]]);
    return board;
  }
}

/// The board after `moves`, which begin with `starter` and alternate; null if they make no sense.
export function boardOf(rules, moves, starter) {
  const rows = rules?.rows ?? 0;
  const cols = rules?.cols ?? 0;
  if (rows < 1 || cols < 1 || rows > 4096 || cols > 4096) return null;
  const board = new Board(rows, cols);
  for (let ply = 0; ply < moves.length; ++ply) {
    const mark = sideAt(starter, ply);
    if (!mark || !board.place(board.cellOf(moves[ply]), mark)) return null;
  }
  return board;
}
