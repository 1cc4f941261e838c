// Draws the visible part of a board on a canvas.

import { columnName } from '../model/notation.js';

// Below this size a cell has no room for a mark, and is drawn as a dot of an Overview.
const smallestMark = 5;
const smallestGrid = 4;

export class Painter {
  #context;
  #sprites = null;

  constructor(canvas) {
    this.canvas = canvas;
    this.#context = canvas.getContext('2d');
  }

  /// `scene` has board, view, overview, colours, last, lines, hint, cursor, hover and ghost.
  draw(scene) {
    const { view, colours } = scene;
    const context = this.#context;
    const ratio = this.canvas.width / Math.max(1, view.width);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    context.save();
    this.#clip(scene);
    context.fillStyle = colours.board;
    context.fillRect(0, 0, view.width, view.height);
    const area = view.visible();
    if (view.cell >= smallestMark) {
      this.#highlights(scene);
      this.#grid(scene, area);
      this.#marks(scene, area, ratio);
    } else {
      if (view.cell >= smallestGrid) this.#grid(scene, area);
      this.#dots(scene, area);
    }
    if (scene.last) this.#corners(scene, scene.last);
    this.#lines(scene);
    this.#cursor(scene);
    context.restore();
    this.#labels(scene, area);
  }

  #rect({ view }, { row, col }) {
    return [view.x + col * view.cell, view.y + row * view.cell, view.cell, view.cell];
  }

  // Nothing of the board covers the labels at its edges.
  #clip({ view, board }) {
    const left = Math.max(view.x, view.gutterLeft);
    const top = Math.max(view.y, view.gutterTop);
    const right = Math.min(view.x + board.cols * view.cell, view.width);
    const bottom = Math.min(view.y + board.rows * view.cell, view.height);
    this.#context.beginPath();
    // A clip with straight edges on whole pixels costs nothing.
    this.#context.rect(Math.floor(left), Math.floor(top), Math.ceil(right - Math.floor(left)),
      Math.ceil(bottom - Math.floor(top)));
    this.#context.clip();
  }

  #highlights(scene) {
    const { colours, last, hover } = scene;
    const fill = (cell, colour) => {
      this.#context.fillStyle = colour;
      this.#context.fillRect(...this.#rect(scene, cell));
    };
    if (last) fill(last, colours.last);
    if (hover) fill(hover, colours.hover);
  }

  // The last move is told by its corners, and not by the colour alone.
  #corners(scene, cell) {
    const context = this.#context;
    const [left, top, length] = this.#rect(scene, cell);
    const size = Math.max(length * 0.84, smallestMark); // of the frame that has the corners
    const tick = size * 0.26;
    const [x, y] = [left + length / 2, top + length / 2];
    context.strokeStyle = scene.colours.ink;
    context.lineWidth = Math.min(3, Math.max(1, length * 0.04));
    context.lineCap = 'butt';
    context.beginPath();
    for (const [across, down] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
      const [cornerX, cornerY] = [x + (across * size) / 2, y + (down * size) / 2];
      context.moveTo(cornerX - across * tick, cornerY);
      context.lineTo(cornerX, cornerY);
      context.lineTo(cornerX, cornerY - down * tick);
    }
    context.stroke();
  }

  #grid({ view, colours }, area) {
    const context = this.#context;
    const { cell, x, y } = view;
    context.fillStyle = colours.line;
    const width = cell >= 60 ? 2 : 1;
    const top = y + area.top * cell;
    const left = x + area.left * cell;
    const height = (area.bottom - area.top) * cell;
    const length = (area.right - area.left) * cell;
    for (let col = area.left + 1; col < area.right; ++col) {
      context.fillRect(Math.round(x + col * cell) - width / 2, top, width, height);
    }
    for (let row = area.top + 1; row < area.bottom; ++row) {
      context.fillRect(left, Math.round(y + row * cell) - width / 2, length, width);
    }
  }

  #marks(scene, area, ratio) {
    const { board, view, ghost, hint } = scene;
    const sprites = this.#spritesFor(view.cell * ratio, scene.colours);
    // Whole pixels need no smoothing.
    const size = sprites.X.width / ratio;
    const put = (mark, { row, col }) => this.#context.drawImage(sprites[mark],
      Math.round((view.x + col * view.cell) * ratio) / ratio,
      Math.round((view.y + row * view.cell) * ratio) / ratio, size, size);
    const { cells, cols } = board;
    for (let row = area.top; row < area.bottom; ++row) {
      for (let col = area.left; col < area.right; ++col) {
        const code = cells[row * cols + col];
        if (code !== 0) put(code === 1 ? 'X' : 'O', { row, col });
      }
    }
    if (hint) this.#hint(scene, hint);
    if (!ghost) return;
    this.#context.globalAlpha = 0.45;
    put(ghost.mark, ghost.cell);
    this.#context.globalAlpha = 1;
  }

  // X is a cross and O a ring: they differ by their shape.
  #spritesFor(size, colours) {
    const key = `${size} ${colours.x} ${colours.o}`;
    if (this.#sprites?.key === key) return this.#sprites;
    const draw = (mark) => {
      const sprite = document.createElement('canvas');
      sprite.width = Math.max(1, Math.ceil(size));
      sprite.height = sprite.width;
      const context = sprite.getContext('2d');
      const scale = sprite.width;
      context.lineWidth = Math.max(1, scale * 0.115);
      context.lineCap = 'round';
      context.strokeStyle = mark === 'X' ? colours.x : colours.o;
      context.beginPath();
      if (mark === 'X') {
        const [low, high] = [scale * 0.26, scale * 0.74];
        context.moveTo(low, low);
        context.lineTo(high, high);
        context.moveTo(high, low);
        context.lineTo(low, high);
      } else {
        context.arc(scale / 2, scale / 2, scale * 0.27, 0, 2 * Math.PI);
      }
      context.stroke();
      return sprite;
    };
    this.#sprites = { key, X: draw('X'), O: draw('O') };
    return this.#sprites;
  }

  #dots({ view, overview, colours, board }, area) {
    overview.update(board, colours);
    const context = this.#context;
    const width = area.right - area.left;
    const height = area.bottom - area.top;
    context.imageSmoothingEnabled = view.cell < 1;
    context.drawImage(overview.canvas, area.left, area.top, width, height,
      view.x + area.left * view.cell, view.y + area.top * view.cell,
      width * view.cell, height * view.cell);
    context.imageSmoothingEnabled = true;
  }

  #hint(scene, cell) {
    const context = this.#context;
    const { view, colours } = scene;
    const [x, y] = this.#rect(scene, cell);
    context.strokeStyle = colours.cursor;
    context.lineWidth = Math.max(1.5, view.cell * 0.05);
    context.setLineDash([view.cell * 0.12, view.cell * 0.1]);
    context.beginPath();
    context.arc(x + view.cell / 2, y + view.cell / 2, view.cell * 0.38, 0, 2 * Math.PI);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = colours.cursor;
    context.font = `600 ${Math.max(8, view.cell * 0.4)}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText('?', x + view.cell / 2, y + view.cell / 2);
  }

  #lines({ view, lines, colours }) {
    const context = this.#context;
    const middle = ({ row, col }) =>
      [view.x + (col + 0.5) * view.cell, view.y + (row + 0.5) * view.cell];
    context.strokeStyle = colours.win;
    context.lineCap = 'round';
    context.lineWidth = Math.max(3, view.cell * 0.09);
    for (const line of lines) {
      context.beginPath();
      context.moveTo(...middle(line.first));
      context.lineTo(...middle(line.last));
      context.stroke();
    }
  }

  #cursor(scene) {
    if (!scene.cursor) return;
    const [x, y, size] = this.#rect(scene, scene.cursor);
    const width = Math.min(3, Math.max(1.5, size * 0.08));
    this.#context.strokeStyle = scene.colours.cursor;
    this.#context.lineWidth = width;
    this.#context.strokeRect(x + width / 2, y + width / 2, size - width, size - width);
  }

  #labels({ view, colours }, area) {
    const context = this.#context;
    const size = Math.max(9, Math.min(13, view.cell * 0.5));
    context.font = `${size}px system-ui, sans-serif`;
    context.fillStyle = colours.label;
    context.textBaseline = 'middle';
    context.textAlign = 'center';
    const each = (width) => {
      const least = Math.ceil(width / view.cell);
      return [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((step) => step >= least) ?? 5000;
    };
    const across = each(16 + 8 * (columnName(area.right).length - 1));
    for (let col = Math.ceil(area.left / across) * across; col < area.right; col += across) {
      const x = view.x + (col + 0.5) * view.cell;
      const isIn = x > view.gutterLeft && x < view.width - 8;
      if (isIn) context.fillText(columnName(col), x, view.gutterTop / 2 + this.#top(view));
    }
    context.textAlign = 'right';
    const down = each(16);
    for (let row = Math.ceil(area.top / down) * down; row < area.bottom; row += down) {
      const y = view.y + (row + 0.5) * view.cell;
      const left = Math.max(view.x, view.gutterLeft);
      if (y > view.gutterTop) context.fillText(String(row + 1), left - 8, y);
    }
  }

  // The labels of the columns stay beside a board that is smaller than the stage.
  #top(view) {
    return Math.max(0, view.y - view.gutterTop);
  }
}
