// A board on the page: the canvas, the grid over it, the map, and the buttons for the view.

import { cellName } from '../model/notation.js';
import { button, h, settlingMs } from '../views/dom.js';
import { readColours } from './colours.js';
import { attachGestures } from './gestures.js';
import { describeCell, Grid } from './grid.js';
import { BoardMap } from './map.js';
import { Overview } from './overview.js';
import { Painter } from './painter.js';
import { Viewport } from './viewport.js';

// A finger needs cells of this size; on smaller ones a second tap confirms.
const fingerCell = 34;
// From here on there are a map, and views in which marks are dots.
const smallBoard = 30 * 30;

export class BoardView {
  view = null;
  #board = null;
  #overview = null;
  #painter;
  #grid;
  #map;
  #colours = null;
  #hover = null;
  #isKeyboard = null; // the last cell was chosen by keys; not known before the first one
  #aim = null; // the cell that waits for a second tap
  #frame = 0;
  #standing = { last: null, lines: [], hint: null, ghost: null, mark: '' };
  #place;
  #observers = [];
  #spot = ''; // the stage's box on the screen
  #settling = 0;

  /// `place(cell)` is called when a person chooses a cell.
  constructor(place) {
    this.#place = place;
    const canvas = h('canvas', { class: 'board-canvas', 'aria-hidden': 'true' });
    this.#painter = new Painter(canvas);
    this.#grid = new Grid({
      choose: (cell, by) => this.choose(cell, by),
      cursorMoved: (cell) => { this.view.reveal(cell); this.changed(); },
      keyPressed: () => { this.#isKeyboard = true; },
      zoomKey: (key) => this.#zoomKey(key),
      describe: (cell) => this.#describe(cell),
    });
    this.#map = new BoardMap(this);
    this.stage = h('div', { class: 'stage' }, canvas, this.#grid.element, this.#map.element);
    this.confirm = button('', () => this.#placeAim(), { class: 'confirm primary', hidden: true });
    this.zoomButtons = h('div', { class: 'zoom', role: 'group', 'aria-label': 'View' },
      button('−', () => this.#zoomKey('-'), { 'aria-label': 'Zoom out', title: 'Zoom out' }),
      button('+', () => this.#zoomKey('+'), { 'aria-label': 'Zoom in', title: 'Zoom in' }),
      button('Whole board', () => this.#zoomKey('0')),
      button('Last move', () => this.#showLast()));
    this.element = h('div', { class: 'board' }, this.stage);
    attachGestures(canvas, this);
    this.#grid.element.addEventListener('focusin', () => this.changed());
    this.#grid.element.addEventListener('focusout', () => this.changed());
    this.#observe();
  }

  #observe() {
    const size = new ResizeObserver(() => this.#resize());
    size.observe(this.stage);
    const moved = () => this.#look(true);
    const scrolled = () => this.#look(false);
    const changes = new MutationObserver(moved);
    changes.observe(document.body, { childList: true, characterData: true, subtree: true,
      attributes: true, attributeFilter: ['hidden', 'open', 'class', 'data-state'] });
    window.addEventListener('resize', moved);
    document.addEventListener('scroll', scrolled, { capture: true, passive: true });
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const recolour = () => { this.#colours = null; this.changed(); };
    scheme.addEventListener('change', recolour);
    this.#observers = [() => size.disconnect(), () => changes.disconnect(),
      () => window.removeEventListener('resize', moved),
      () => document.removeEventListener('scroll', scrolled, { capture: true }),
      () => scheme.removeEventListener('change', recolour)];
  }

  // Notes where the stage is now. If it is elsewhere than before, and nobody has scrolled, taps have no
  // effect for a moment.
  #look(isByItself) {
    const { x, y, width, height } = this.stage.getBoundingClientRect();
    const spot = [x, y, width, height].join();
    if (spot === this.#spot) return;
    this.#spot = spot;
    if (!isByItself) return;
    this.stage.classList.add('moved');
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.stage.classList.remove('moved'), settlingMs);
  }

  /// A touch now is no tap.
  get hasJustMoved() {
    return this.stage.classList.contains('moved');
  }

  /// The view is no longer shown.
  close() {
    cancelAnimationFrame(this.#frame);
    for (const end of this.#observers) end();
  }

  /// Shows `board`. `standing` has last, lines, hint (cells), ghost {cell, mark}, and mark: the one
  /// that a click would place, or ''.
  show(board, standing) {
    const isOther = !this.#board || board.rows !== this.#board.rows ||
      board.cols !== this.#board.cols;
    const isNew = board !== this.#board;
    this.#board = board;
    this.#standing = standing;
    if (isOther) this.#begin(board);
    else if (isNew) this.#grid.reset(board);
    else this.#grid.update();
    if (this.#aim && (!standing.mark || board.at(this.#aim))) this.#setAim(null);
    if (this.#hover && (!standing.mark || board.at(this.#hover))) this.#hover = null;
    this.stage.classList.toggle('placing', standing.mark !== '');
    this.changed();
  }

  #begin(board) {
    const isLarge = board.rows * board.cols > smallBoard;
    this.view = new Viewport(board.rows, board.cols, isLarge ? BoardMap.heightOf(board) : 0);
    this.#overview = isLarge ? new Overview(board) : null;
    this.zoomButtons.hidden = board.rows <= 5 && board.cols <= 5;
    this.#grid.reset(board);
    this.#resize();
    const last = board.last();
    if (last && !this.view.isWhole) this.view.centre(last);
  }

  #describe(cell) {
    const { hint, last } = this.#standing;
    const isAt = (other) => other && other.row === cell.row && other.col === cell.col;
    return describeCell(this.#board, cell) + (isAt(last) ? ', last move' : '') +
      (isAt(hint) ? ', hint' : '');
  }

  focus() {
    this.#grid.focus();
  }

  usesWheel() {
    return this.#overview !== null || !this.view.isWhole;
  }

  #resize() {
    const { clientWidth, clientHeight } = this.stage;
    if (!this.view || clientWidth === 0 || clientHeight === 0) return;
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    this.#painter.canvas.width = Math.round(clientWidth * ratio);
    this.#painter.canvas.height = Math.round(clientHeight * ratio);
    this.view.resize(clientWidth, clientHeight);
    this.#look(true);
    this.#draw();
  }

  #zoomKey(key) {
    if (key === '0') this.view.fit();
    else this.view.zoom(key === '-' ? 1 / 1.4 : 1.4);
    this.changed();
  }

  #showLast() {
    const last = this.#board.last();
    if (last) this.view.centre(last);
    this.changed();
  }

  /// The pointer is over a cell, or over none.
  point(cell) {
    const { mark } = this.#standing;
    const hover = cell && mark && !this.#board.at(cell) ? cell : null;
    if (hover?.row === this.#hover?.row && hover?.col === this.#hover?.col) return;
    this.#hover = hover;
    this.changed();
  }

  /// Ignores choices for a moment: a second click was meant for the position before.
  rest() {
    this.stage.classList.add('resting');
    setTimeout(() => this.stage.classList.remove('resting'), settlingMs);
  }

  choose(cell, by) {
    if (this.stage.classList.contains('resting')) return;
    const { mark } = this.#standing;
    // A double tap, as a rule.
    if (['touch', 'pen', 'mouse'].includes(by) && this.#board.at(cell)) return;
    this.#isKeyboard = by === 'keyboard';
    this.#grid.moveTo(cell, by !== 'touch');
    const isSmall = by === 'touch' && this.view.cell < fingerCell;
    const isAim = this.#aim && this.#aim.row === cell.row && this.#aim.col === cell.col;
    if (isSmall && mark && !this.#board.at(cell) && !isAim) return this.#setAim(cell);
    this.#setAim(null);
    this.#place(cell);
  }

  #setAim(cell) {
    this.#aim = cell;
    this.confirm.hidden = cell === null;
    if (cell) this.confirm.textContent = `Place ${this.#standing.mark} at ${cellName(cell)}`;
    this.changed();
  }

  #placeAim() {
    const cell = this.#aim;
    this.#setAim(null);
    if (cell) this.#place(cell);
  }

  /// Draws in the next frame.
  changed() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw() {
    if (!this.#board || !this.view || this.view.width === 0) return;
    this.#colours ??= readColours(this.stage);
    const { mark, ghost } = this.#standing;
    const aimed = this.#aim ?? this.#hover;
    const scene = {
      ...this.#standing,
      board: this.#board,
      view: this.view,
      overview: this.#overview,
      colours: this.#colours,
      hover: aimed,
      ghost: ghost ?? (aimed && mark ? { cell: aimed, mark } : null),
      cursor: this.#grid.hasFocus && (this.#isKeyboard ?? this.#grid.showsFocus)
        ? this.#grid.cursor : this.#aim,
    };
    if (this.#overview === null && this.view.cell < 5) this.#overview = new Overview(this.#board);
    scene.overview = this.#overview;
    this.#painter.draw(scene);
    this.#map.draw(scene);
    this.#grid.follow(this.view);
    this.stage.dataset.whole = String(this.view.isWhole);
  }
}
