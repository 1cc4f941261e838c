// A finished game, step by step.

import { BoardView } from '../board/board_view.js';
import { cellName } from '../model/notation.js';
import { decisionOf } from '../model/decision.js';
import { Replay } from '../model/replay.js';
import { decisionText, outcomeText } from '../text/standing.js';
import { dateText, durationText, timeControlText } from '../text/time.js';
import { nameOf, originText, quoted, rulesText } from '../text/words.js';
import { showCreateForm } from './create_form.js';
import { button, glyph, h, setText } from './dom.js';

const stepMs = 800;

export class ReplayView {
  #app;
  #id;
  #replay = null;
  #board = new BoardView(() => {});
  #title = h('h1', {});
  #summary = h('p', { class: 'rules' });
  #status = h('p', { class: 'status', role: 'status', 'aria-live': 'polite' });
  #slider = h('input', { type: 'range', min: 0, value: 0, 'aria-label': 'Move' });
  #auto;
  #playOn = button('Continue from here …', () => this.#create());
  #seats = h('p', { class: 'versus' });
  #outcome = h('p', { class: 'outcome' });
  #decision = h('p', { class: 'rules' });
  #timer = 0;
  #controls; // disabled until there is a game

  constructor(app, id) {
    this.#app = app;
    this.#id = id;
    this.#slider.addEventListener('input', () => this.#show(Number(this.#slider.value)));
    this.#auto = button('Play', () => this.#toggle());
    const step = (text, label, to) => button(text, () => this.#show(to()), { 'aria-label': label });
    this.element = h('div', { class: 'room-view replay' },
      h('div', { class: 'title' }, this.#title, this.#summary, this.#seats, this.#outcome,
        this.#decision),
      h('div', { class: 'play' }, h('div', { class: 'standing' }, this.#status,
        this.#board.zoomButtons), this.#board.element,
        h('div', { class: 'row' },
          step('|◀', 'First position', () => 0),
          step('◀', 'Previous move', () => this.#replay.played - 1),
          this.#auto,
          step('▶', 'Next move', () => this.#replay.played + 1),
          step('▶|', 'Last position', () => this.#replay.moves.length),
          this.#slider, this.#playOn,
          h('a', { href: '#/games' }, 'All games'))));
    this.#controls = this.element.querySelectorAll('button, input');
    this.#enable(false);
  }

  #enable(enabled) {
    for (const control of this.#controls) control.disabled = !enabled;
  }

  async shown() {
    document.addEventListener('keydown', this.#pressed);
    setText(this.#title, `Game ${this.#id}`);
    setText(this.#status, 'Loading the game …');
    let answer = null;
    try {
      answer = await this.#app.ask('getGame', { id: this.#id });
    } catch (error) {
      return setText(this.#status, error.message);
    }
    const replay = new Replay(answer.gameFound?.game ?? {});
    if (replay.isFaulty) return setText(this.#status, 'This game can\'t be shown.');
    this.#replay = replay;
    setText(this.#summary, this.#summaryText());
    this.#seats.replaceChildren(glyph('X'), ` ${nameOf(replay.seats.X)}   `, glyph('O'),
      ` ${nameOf(replay.seats.O)}`);
    setText(this.#outcome, replay.outcome ? outcomeText(replay.board, replay.outcome, replay.seats) : '');
    this.#slider.max = replay.moves.length;
    this.#enable(true);
    this.#show(replay.moves.length);
    setText(this.#decision, decisionText(replay.board, decisionOf(replay.board, replay.rules)));
  }

  #summaryText() {
    const { room, rules, time, record } = this.#replay;
    return [
      room && `Room ${quoted(room)}`, rulesText(rules), timeControlText(time),
      this.#replay.from && originText(this.#replay.from),
      record.endedUnixMs && `ended ${dateText(record.endedUnixMs)}`,
    ].filter(Boolean).join(' · ');
  }

  close() {
    document.removeEventListener('keydown', this.#pressed);
    clearInterval(this.#timer);
    this.#board.close();
  }

  update() {}

  // The same keys as in the console client, while the focus is on no control.
  #pressed = (event) => {
    if (!this.#replay || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!event.target.matches('body, main')) return;
    const { played, moves } = this.#replay;
    const places = {
      ArrowLeft: played - 1, ArrowRight: played + 1, Home: 0, End: moves.length,
    };
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#show(to);
  };

  #toggle() {
    if (this.#timer) return this.#pause();
    if (this.#replay.isAtEnd) this.#show(0);
    this.#auto.textContent = 'Pause';
    this.#timer = setInterval(() => {
      this.#show(this.#replay.played + 1);
      if (this.#replay.isAtEnd) this.#pause();
    }, stepMs);
  }

  #pause() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#auto.textContent = 'Play';
  }

  #show(played) {
    const replay = this.#replay;
    if (!replay) return;
    replay.goTo(played);
    this.#slider.value = replay.played;
    this.#playOn.hidden = !this.#canPlayOn();
    setText(this.#status, this.#statusText());
    this.#board.show(replay.board, {
      last: replay.board.last(),
      lines: replay.isAtEnd ? replay.outcome?.lines ?? [] : [],
      hint: null, ghost: null, mark: '',
    });
  }

  // The server says whether it is possible.
  #canPlayOn() {
    const most = this.#app.session.limits.movesOfNewRoom ?? 0;
    return most > 0 && this.#replay.played <= most && !this.#replay.isDecided;
  }

  #create() {
    this.#pause();
    const { played } = this.#replay;
    showCreateForm(this.#app,
      { from: { game: this.#id, moves: played }, seat: this.#replay.sideAt(played) });
  }

  #statusText() {
    const replay = this.#replay;
    if (replay.played === 0) return 'Before the first move.';
    const ply = replay.played - 1;
    const mark = replay.sideAt(ply);
    const time = replay.timeOf(ply);
    return `${replay.played}. ${mark} plays ${cellName(replay.board.last())}` +
      `${time === null ? '' : ` after ${durationText(time)}`}.`;
  }
}
