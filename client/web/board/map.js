// The whole of a large board in a corner, with a frame around the part that is visible.

import { h } from '../views/dom.js';

const side = 112;

export class BoardMap {
  element = h('canvas', { class: 'map', 'aria-hidden': 'true' });
  #context = this.element.getContext('2d');
  #scale = 1;

  /// `owner` has view and changed().
  constructor(owner) {
    const go = (event) => {
      const box = this.element.getBoundingClientRect();
      owner.view.centre({ row: (event.clientY - box.top) / this.#scale,
        col: (event.clientX - box.left) / this.#scale });
      owner.changed();
    };
    this.element.addEventListener('pointerdown', (event) => {
      this.element.setPointerCapture(event.pointerId);
      go(event);
    });
    this.element.addEventListener('pointermove', (event) => event.buttons && go(event));
  }

  /// The pixels that the map of a board takes from the lower edge of the stage.
  static heightOf({ rows, cols }) {
    return Math.max(8, Math.round(rows * side / Math.max(rows, cols))) + 12;
  }

  draw({ board, view, overview, colours }) {
    const hidden = view.isWhole || !overview;
    this.element.hidden = hidden;
    if (hidden) return;
    overview.update(board, colours);
    this.#scale = side / Math.max(board.rows, board.cols);
    const width = Math.max(8, Math.round(board.cols * this.#scale));
    const height = Math.max(8, Math.round(board.rows * this.#scale));
    if (this.element.width !== width || this.element.height !== height) {
      this.element.width = width;
      this.element.height = height;
    }
    const context = this.#context;
    context.fillStyle = colours.board;
    context.fillRect(0, 0, width, height);
    context.drawImage(overview.canvas, 0, 0, width, height);
    const area = view.visible();
    context.strokeStyle = colours.cursor;
    context.lineWidth = 1.5;
    context.strokeRect(area.left * this.#scale, area.top * this.#scale,
      Math.max(3, (area.right - area.left) * this.#scale),
      Math.max(3, (area.bottom - area.top) * this.#scale));
  }
}
