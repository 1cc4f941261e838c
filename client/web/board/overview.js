// A large board as a picture with one pixel for each cell: for views in which a cell is too small
// for a mark, and for the map in the corner.

export class Overview {
  #context;
  #shown = []; // the moves that are in the picture
  #colours = null;

  constructor(board) {
    this.canvas = document.createElement('canvas');
    this.canvas.width = board.cols;
    this.canvas.height = board.rows;
    this.#context = this.canvas.getContext('2d');
  }

  /// Draws what has changed since the last time.
  update(board, colours) {
    if (this.#colours !== colours) {
      this.#colours = colours;
      this.#shown = [];
      this.#context.clearRect(0, 0, board.cols, board.rows);
    }
    let same = Math.min(this.#shown.length, board.moves.length);
    while (same > 0 && this.#shown[same - 1] !== board.moves[same - 1]) --same;
    for (const move of this.#shown.splice(same)) {
      const { row, col } = board.cellOf(move);
      this.#context.clearRect(col, row, 1, 1);
    }
    for (let ply = same; ply < board.moves.length; ++ply) {
      const move = board.moves[ply];
      const cell = board.cellOf(move);
      this.#context.fillStyle = board.at(cell) === 'X' ? colours.x : colours.o;
      this.#context.fillRect(cell.col, cell.row, 1, 1);
      this.#shown.push(move);
    }
  }
}
