// A large board as a picture with one pixel for each cell: for views in which a cell is too small
// for a mark, and for the map in the corner.

export class Overview {
  #context;
  #shown = []; // what is in the picture: a cell and its mark for each move
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
    // Another game may have the same moves by the other side.
    const dot = (move) => 2 * move + (board.cells[move] === 1 ? 1 : 0);
    // From the start: moves that were taken back may have been followed by others.
    let same = 0;
    while (same < this.#shown.length && this.#shown[same] === dot(board.moves[same])) ++same;
    for (const shown of this.#shown.splice(same)) {
      const { row, col } = board.cellOf(Math.floor(shown / 2));
      this.#context.clearRect(col, row, 1, 1);
    }
    for (let ply = same; ply < board.moves.length; ++ply) {
      const move = board.moves[ply];
      const cell = board.cellOf(move);
      this.#context.fillStyle = board.at(cell) === 'X' ? colours.xDot : colours.oDot;
      this.#context.fillRect(cell.col, cell.row, 1, 1);
      this.#shown.push(dot(move));
    }
  }
}
