// Which part of the board is visible, and how large. All lengths are CSS pixels of the stage.

const gutterTop = 22;
const margin = 8;
const largestCell = 260;
const comfortable = 30; // the size of a cell in the first view of a large board

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

export class Viewport {
  width = 0;
  height = 0;
  cell = 40;
  x = 0; // of the board's left edge
  y = 0;
  #rows;
  #cols;
  #mapHeight;
  #fits = true; // follows the stage's size

  /// `mapHeight` is what the map takes from the lower edge while it is shown: no cell must be
  /// out of reach behind it.
  constructor(rows, cols, mapHeight = 0) {
    this.#rows = rows;
    this.#cols = cols;
    this.#mapHeight = mapHeight;
    // Room for the largest number of a row.
    this.gutterLeft = 12 + 8 * String(rows).length;
    this.gutterTop = gutterTop;
  }

  get #spaceX() { return this.width - this.gutterLeft - margin; }
  get #spaceY() { return this.height - this.gutterTop - margin; }

  get #behindMap() { return this.isWhole ? 0 : Math.min(this.#mapHeight, this.#spaceY / 2); }

  get #fitting() {
    return clamp(Math.min(this.#spaceX / this.#cols, this.#spaceY / this.#rows), 0.05, largestCell);
  }

  /// The stage has a new size.
  resize(width, height) {
    const first = this.width === 0;
    const middle = this.#middle();
    this.width = width;
    this.height = height;
    if (first) return this.#firstView();
    if (this.#fits) return this.fit();
    this.cell = Math.max(this.cell, this.#fitting);
    this.centre(middle);
  }

  #firstView() {
    if (this.#fitting >= 14) return this.fit();
    this.#fits = false;
    this.cell = comfortable;
    this.centre({ row: (this.#rows - 1) / 2, col: (this.#cols - 1) / 2 });
  }

  #middle() {
    return this.cellAt(this.gutterLeft + this.#spaceX / 2, this.gutterTop + this.#spaceY / 2, true);
  }

  /// Shows the whole board.
  fit() {
    this.#fits = true;
    this.cell = this.#fitting;
    this.#bound();
  }

  /// Whether the whole board is visible.
  get isWhole() {
    return this.cell <= this.#fitting * 1.001;
  }

  /// Makes the cells larger or smaller; the point (x, y) keeps its place.
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const cell = clamp(this.cell * factor, this.#fitting, largestCell);
    this.x = x - ((x - this.x) / this.cell) * cell;
    this.y = y - ((y - this.y) / this.cell) * cell;
    this.cell = cell;
    this.#fits = this.isWhole;
    this.#bound();
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.#bound();
  }

  /// Brings a cell to the middle.
  centre({ row, col }) {
    this.x = this.gutterLeft + this.#spaceX / 2 - (col + 0.5) * this.cell;
    this.y = this.gutterTop + this.#spaceY / 2 - (row + 0.5) * this.cell;
    this.#bound();
  }

  /// Moves as little as needed to have a cell in view.
  reveal(cell) {
    if (!this.isInView(cell)) this.centre(cell);
  }

  isInView({ row, col }) {
    const left = this.x + col * this.cell;
    const top = this.y + row * this.cell;
    return left >= this.gutterLeft - 1 && top >= this.gutterTop - 1 &&
      left + this.cell <= this.width + 1 &&
      top + this.cell <= this.height - this.#behindMap + 1;
  }

  // A board that does not fill an axis is in its middle; another one covers the stage.
  #bound() {
    const bound = (at, gutter, space, length) => (length <= space
      ? gutter + (space - length) / 2 : clamp(at, gutter + space - length, gutter));
    this.x = bound(this.x, this.gutterLeft, this.#spaceX, this.#cols * this.cell);
    this.y = bound(this.y, this.gutterTop, this.#spaceY - this.#behindMap, this.#rows * this.cell);
  }

  /// The cell at a point, or null; with `anywhere` it may be off the board, and is not rounded.
  cellAt(x, y, anywhere = false) {
    const row = (y - this.y) / this.cell;
    const col = (x - this.x) / this.cell;
    if (anywhere) return { row: row - 0.5, col: col - 0.5 };
    if (x < this.gutterLeft || y < this.gutterTop) return null;
    const at = { row: Math.floor(row), col: Math.floor(col) };
    const isOn = at.row >= 0 && at.col >= 0 && at.row < this.#rows && at.col < this.#cols;
    return isOn ? at : null;
  }

  /// The visible rows and columns, each from the first to behind the last.
  visible() {
    return {
      top: clamp(Math.floor((this.gutterTop - this.y) / this.cell), 0, this.#rows),
      bottom: clamp(Math.ceil((this.height - this.y) / this.cell), 0, this.#rows),
      left: clamp(Math.floor((this.gutterLeft - this.x) / this.cell), 0, this.#cols),
      right: clamp(Math.ceil((this.width - this.x) / this.cell), 0, this.#cols),
    };
  }
}
