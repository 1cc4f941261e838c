// The load's own tic-tac-toe, by which it knows every update before it comes. It shares nothing
// with the servers' games.

const lines = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
];

export class Game {
  /// starter: the player, 0 or 1, who moves first.
  constructor(starter) {
    this.starter = starter;
    this.turn = starter;
    this.cells = new Array(9).fill(null);  // null, or whose mark it is
    this.ply = 0;
    this.winner = null;
    this.over = false;
  }

  play(cell) {
    this.cells[cell] = this.turn;
    ++this.ply;
    if (lines.some((line) => line.every((at) => this.cells[at] === this.turn))) {
      this.winner = this.turn;
    }
    this.over = this.winner !== null || this.ply === 9;
    this.turn = 1 - this.turn;
  }

  random_free_cell() {
    for (;;) {
      const cell = Math.floor(Math.random() * 9);
      if (this.cells[cell] === null) return cell;
    }
  }
}
