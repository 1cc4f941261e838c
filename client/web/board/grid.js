// The board for the keyboard and for screen readers: a grid of cells over the canvas. A small board
// has an element for each cell; a large one has only that of the cursor, a new one after each step:
// the focus moves to it, which is what makes a screen reader speak.

import { cellName, parseCellName } from '../model/notation.js';
import { h } from '../views/dom.js';

const mostCells = 400;

const steps = {
  ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
  PageUp: [-10, 0], PageDown: [10, 0], Home: [0, -Infinity], End: [0, Infinity],
};

// While the keyboard is switched to another alphabet, a key is the Latin letter or the digit that is also on it.
const keyOf = ({ key, code }) => (/^[^ -~]$/.test(key) && /^(?:Key|Digit|Numpad)(.)$/.exec(code)?.[1]) || key;

const clamp = (value, most) => Math.min(Math.max(value, 0), most - 1);

export class Grid {
  cursor;
  #owner;
  #board = null;
  #cells = new Map(); // by index
  #typed = '';
  #typedAt = 0;

  /// `owner` has choose(cell, by), keyPressed(), cursorMoved(cell), zoomKey(key), describe(cell).
  constructor(owner) {
    this.#owner = owner;
    this.element = h('div', { class: 'grid', role: 'grid', 'aria-label': 'Board' });
    this.element.addEventListener('keydown', (event) => this.#key(event));
    this.element.addEventListener('click', (event) => {
      const index = event.target.dataset?.index;
      if (index !== undefined) this.#owner.choose(this.#board.cellOf(Number(index)), 'grid');
    });
  }

  get hasFocus() {
    return this.element.contains(document.activeElement);
  }

  /// The browser would mark the focus: it came by the keyboard.
  get showsFocus() {
    return this.element.querySelector(':focus-visible') !== null;
  }

  /// Shows another board.
  reset(board) {
    const isSameSize = this.#board?.rows === board.rows && this.#board.cols === board.cols;
    this.#board = board;
    // The focus and the cursor stay, as after a lost connection.
    if (isSameSize) return this.update();
    this.cursor = { row: Math.floor((board.rows - 1) / 2), col: Math.floor((board.cols - 1) / 2) };
    this.element.setAttribute('aria-rowcount', board.rows);
    this.element.setAttribute('aria-colcount', board.cols);
    this.#cells.clear();
    const whole = board.rows * board.cols <= mostCells;
    const rows = whole ? Array.from({ length: board.rows }, (_, row) => this.#row(row))
      : [this.#rowOf(this.cursor)];
    this.element.classList.toggle('whole', whole);
    this.element.replaceChildren(...rows);
    this.update();
  }

  #row(row) {
    const cells = Array.from({ length: this.#board.cols }, (_, col) => this.#cell({ row, col }));
    return h('div', { role: 'row', 'aria-rowindex': row + 1 }, ...cells);
  }

  // The row of a board that has an element for one cell only.
  #rowOf(cell) {
    return h('div', { role: 'row', 'aria-rowindex': cell.row + 1 }, this.#cell(cell));
  }

  #cell({ row, col }) {
    const index = row * this.#board.cols + col;
    const cell = h('div', { role: 'gridcell', tabindex: -1, 'aria-colindex': col + 1,
      'data-index': index });
    this.#cells.set(index, cell);
    return cell;
  }

  #index({ row, col }) {
    return row * this.#board.cols + col;
  }

  /// Writes what the cells are.
  update() {
    const at = this.#index(this.cursor);
    for (const [index, element] of this.#cells) {
      const label = this.#owner.describe(this.#board.cellOf(index));
      if (element.getAttribute('aria-label') !== label) element.setAttribute('aria-label', label);
      element.tabIndex = index === at ? 0 : -1;
    }
  }

  /// Puts the grid's elements over their places on the canvas.
  follow(view) {
    const { style } = this.element;
    const whole = this.#cells.size > 1;
    const { row, col } = whole ? { row: 0, col: 0 } : this.cursor;
    style.left = `${view.x + col * view.cell}px`;
    style.top = `${view.y + row * view.cell}px`;
    style.width = `${view.cell * (whole ? this.#board.cols : 1)}px`;
    style.height = `${view.cell * (whole ? this.#board.rows : 1)}px`;
  }

  moveTo(cell, focus) {
    this.cursor = cell;
    this.#typed = '';
    const before = this.#cells.size === 1 ? this.element.firstElementChild : null;
    const takesFocus = focus || this.hasFocus;
    if (before) {
      this.#cells.clear();
      this.element.append(this.#rowOf(cell));
    }
    this.update();
    if (takesFocus) this.focus();
    before?.remove();
    this.#owner.cursorMoved(cell);
  }

  focus() {
    this.#cells.get(this.#index(this.cursor))?.focus({ preventScroll: true });
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = keyOf(event);
    this.#owner.keyPressed();
    const typed = performance.now() - this.#typedAt > 1500 ? '' : this.#typed;
    const step = steps[key];
    if (step) {
      const { row, col } = this.cursor;
      this.moveTo({ row: clamp(row + step[0], this.#board.rows),
        col: clamp(col + step[1], this.#board.cols) }, true);
    } else if (key === 'Enter' || key === ' ') {
      this.#typed = '';
      if (!event.repeat && (!typed || this.#cellOf(typed))) this.#owner.choose(this.cursor, 'keyboard');
    } else if (typed && ['Backspace', 'Escape'].includes(key)) {
      this.#typed = key === 'Escape' ? '' : typed.slice(0, -1);
    } else if (['+', '=', '-', '0'].includes(key) && !typed) {
      this.#owner.zoomKey(key);
    } else if (/^[a-z0-9]$/i.test(key)) {
      this.#type(typed, key);
    } else {
      return;
    }
    event.preventDefault();
  }

  #cellOf(text) {
    const cell = parseCellName(text);
    return cell && this.#board.contains(cell) ? cell : null;
  }

  // A cell's name that is typed (h8) moves the cursor there. A letter that can't go on with it begins another one.
  #type(typed, key) {
    const isBegun = (text) => /^[a-z]{1,3}[0-9]{0,5}$/i.test(text) && this.#cellOf(`${text.replace(/[0-9]/g, '')}1`);
    const text = [typed + key, key].find(isBegun) ?? '';
    const cell = this.#cellOf(text);
    if (cell) this.moveTo(cell, true);
    this.#typed = text;
    this.#typedAt = performance.now();
  }
}

export const describeCell = (board, cell) => `${cellName(cell)}, ${board.at(cell) || 'empty'}`;
