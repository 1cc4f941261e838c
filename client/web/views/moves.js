// The moves of the running game, for stepping back through it. While a player waits for an opponent, it
// shows how to invite one instead.

import { cellName } from '../model/notation.js';
import { button, glyph, h } from './dom.js';
import { addressFields } from './invitation.js';

// Only part of a long game is listed. The part is rebuilt when it moves, so it moves in steps.
const maxListed = 300;
const partStep = 100;

const furtherMoves = (label) =>
  h('li', { hidden: true }, h('button', { type: 'button', tabindex: -1, 'aria-label': label }, '…'));

export class Moves {
  element = h('section', { class: 'card moves', 'aria-label': 'Moves' });
  #game = h('div', { class: 'moves-of-game' });
  #list = h('ol', { class: 'move-list', tabindex: 0, 'aria-label': 'Moves of this game' });
  #steps;
  #invitation = h('div', { class: 'waiting' });
  #earlier = furtherMoves('Earlier moves');
  #later = furtherMoves('Later moves');
  #invitedTo = null; // the room whose invitation is shown
  #board = null; // of the moves
  #listed = []; // all moves
  #begin = 0; // the first one in the list
  #end = 0; // the one after the last in the list
  #key = ''; // the room and the game of the list
  #past = null;
  #owner;

  /// Calls `owner.update()` after a step, and `owner.focus()` when a focused control is hidden.
  constructor(owner) {
    this.#owner = owner;
    const step = (text, label, to) => button(text, () => this.#step(to()), { 'aria-label': label });
    const count = () => this.#listed.length;
    const played = () => this.#past ?? count();
    this.#steps = {
      first: step('|◀', 'First position', () => 0),
      back: step('◀', 'Previous move', () => played() - 1),
      on: step('▶', 'Next move', () => played() + 1),
      present: step('Back to the game', 'Back to the game', count),
    };
    this.#list.addEventListener('click', (event) => {
      const move = event.target.closest('button');
      if (!move) return;
      this.#step(Number(move.dataset.played));
    });
    // The whole list is one tab stop.
    this.#list.addEventListener('keydown', (event) => {
      const places = { ArrowLeft: played() - 1, ArrowRight: played() + 1, Home: 0, End: count() };
      const to = places[event.key];
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.#step(to);
    });
    this.#list.append(this.#earlier, this.#later);
    this.#game.append(this.#list, h('div', { class: 'row' }, ...Object.values(this.#steps)));
    this.element.append(this.#invitation, this.#game);
  }

  /// The number of moves in the position that the player has stepped back to; null for the present one.
  get past() {
    return this.#past;
  }

  goToPresent() {
    this.#goTo(this.#listed.length);
  }

  /// Call it once the element is in the page.
  shown() {
    this.#mark(true);
  }

  update(room) {
    const isWaiting = room.phase === 'waiting' && room.mySeat !== '';
    const losesFocus = !isWaiting && this.#invitation.contains(document.activeElement);
    this.element.setAttribute('aria-label', isWaiting ? 'Invitation' : 'Moves');
    this.#invitation.hidden = !isWaiting;
    this.#game.hidden = room.phase === 'waiting';
    this.element.hidden = room.phase === 'waiting' && !isWaiting;
    this.#invite(isWaiting ? room : null);
    this.#follow(room);
    if (losesFocus) this.#owner.focus();
  }

  #invite(room) {
    const name = room?.wireName ?? null;
    if (this.#invitedTo === name) return;
    this.#invitedTo = name;
    const how = 'To invite someone, send them this address or let them scan the code.';
    this.#invitation.replaceChildren(...(room ? [h('p', {}, how), ...addressFields(room)] : []));
  }

  #follow({ board, game, wireName }) {
    const key = `${game} ${wireName}`;
    if (key !== this.#key) {
      this.#listed = [];
      this.#past = null;
    }
    this.#key = key;
    const { moves } = board;
    let same = 0;
    while (same < this.#listed.length && moves[same] === this.#listed[same]) ++same;
    if (this.#past !== null && this.#past > same) this.#past = null;
    const hasGrown = moves.length !== this.#listed.length;
    this.#board = board;
    this.#listed = [...moves];
    if (this.#past !== null && this.#past >= moves.length) this.#past = null;
    this.#fill(same);
    this.#mark(hasGrown);
  }

  // Lists the moves around the shown position. The first `same` moves have not changed.
  #fill(same) {
    const count = this.#listed.length;
    const begin = this.#firstListed();
    const kept = begin === this.#begin ? Math.max(begin, Math.min(same, this.#end)) : begin;
    const items = [...this.#list.children].slice(1, -1);
    for (const item of items.slice(kept - begin)) item.remove();
    this.#begin = begin;
    this.#end = Math.min(count, begin + maxListed);
    for (let ply = kept; ply < this.#end; ++ply) this.#later.before(this.#item(ply));
    this.#earlier.hidden = begin === 0;
    this.#earlier.firstChild.dataset.played = begin;
    this.#later.hidden = this.#end === count;
    this.#later.firstChild.dataset.played = this.#end + 1;
  }

  #firstListed() {
    const past = this.#past;
    const steps = (moves) => Math.max(0, Math.ceil(moves / partStep) * partStep);
    const latest = steps(this.#listed.length - maxListed);
    if (past === null) return latest;
    const isListed = past > this.#begin && past <= this.#begin + maxListed;
    return Math.min(latest, isListed ? this.#begin : steps(past - maxListed / 2 - partStep));
  }

  #item(ply) {
    const board = this.#board;
    const cell = board.cellOf(this.#listed[ply]);
    const mark = board.at(cell);
    return h('li', {}, h('button', { type: 'button', tabindex: -1, 'data-played': ply + 1,
      'aria-label': `Move ${ply + 1}: ${mark} plays ${cellName(cell)}` },
    h('small', {}, `${ply + 1}`), glyph(mark), cellName(cell)));
  }

  #step(played) {
    this.#goTo(played);
    this.#owner.update();
  }

  #goTo(played) {
    const count = this.#listed.length;
    this.#past = played >= count ? null : Math.max(0, played);
    this.#fill(count);
    this.#mark(true);
  }

  // Marks the shown position in the list.
  #mark(scrolls) {
    const count = this.#listed.length;
    const played = this.#past ?? count;
    this.#list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const shown = this.#list.querySelector(`[data-played="${played}"]`);
    shown?.setAttribute('aria-current', 'step');
    if (scrolls) {
      const item = shown ?? this.#list.firstElementChild?.firstElementChild;
      if (item) this.#list.scrollTop = item.offsetTop - this.#list.offsetTop - this.#list.clientHeight / 2;
    }
    const { first, back, on, present } = this.#steps;
    first.disabled = back.disabled = played === 0;
    on.disabled = present.disabled = this.#past === null;
    present.classList.toggle('primary', this.#past !== null);
  }
}
