// The moves of the running game, and the way back through them. While a player waits for somebody to
// play with, the way to invite somebody is in their place.

import { cellName } from '../model/notation.js';
import { button, glyph, h } from './dom.js';
import { invitationFields } from './invitation.js';

const mostListed = 300;

export class Moves {
  element = h('section', { class: 'card moves', 'aria-label': 'Moves' });
  #game = h('div', { class: 'moves-of-game' });
  #list = h('ol', { class: 'move-list', tabindex: 0, 'aria-label': 'Moves of this game' });
  #steps;
  #invitation = h('div', { class: 'waiting' });
  #invitedTo = ''; // the room whose invitation is shown
  #listed = []; // the moves in the list
  #key = ''; // the room and the game of the list
  #past = null;
  #owner;

  /// `owner` has update(), called after a step, and focus(), called when a focused control is hidden.
  constructor(owner) {
    this.#owner = owner;
    const step = (text, label, to) => button(text, () => {
      this.#step(to());
    }, { 'aria-label': label });
    const count = () => this.#listed.length;
    const played = () => this.#past ?? count();
    this.#steps = {
      first: step('|◀', 'First position', () => 0),
      back: step('◀', 'One move back', () => played() - 1),
      on: step('▶', 'One move on', () => played() + 1),
      present: step('Back to the game', 'Back to the game', count),
    };
    this.#list.addEventListener('click', (event) => {
      const move = event.target.closest('button');
      if (!move) return;
      this.#step(Number(move.dataset.played));
    });
    // The list is one stop for the Tab key.
    this.#list.addEventListener('keydown', (event) => {
      const places = { ArrowLeft: played() - 1, ArrowRight: played() + 1, Home: 0, End: count() };
      const to = places[event.key];
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.#step(to);
    });
    this.#game.append(this.#list, h('div', { class: 'row' }, ...Object.values(this.#steps)));
    this.element.append(this.#invitation, this.#game);
  }

  /// How many moves the position has that the player has stepped back to; null for the present one.
  get past() {
    return this.#past;
  }

  goToPresent() {
    this.#goTo(this.#listed.length);
  }

  /// It is on the screen now.
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
    if (isWaiting) this.#invite(room);
    this.#follow(room);
    if (losesFocus) this.#owner.focus();
  }

  #invite(room) {
    if (this.#invitedTo === room.wireName) return;
    this.#invitedTo = room.wireName;
    this.#invitation.replaceChildren(h('p', {}, 'To invite somebody, send them this address or let them scan the code.'),
      ...invitationFields(room));
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
    if (same < this.#listed.length || same === 0) this.#list.replaceChildren();
    const begin = Math.max(0, moves.length - mostListed);
    const from = Math.max(begin, this.#list.childElementCount > 0 ? same : 0);
    for (let ply = from; ply < moves.length; ++ply) this.#list.append(this.#item(board, ply));
    while (this.#list.childElementCount > mostListed) this.#list.firstElementChild.remove();
    const hasGrown = moves.length !== this.#listed.length;
    this.#listed = [...moves];
    if (this.#past !== null && this.#past >= moves.length) this.#past = null;
    this.#mark(hasGrown);
  }

  #item(board, ply) {
    const cell = board.cellOf(board.moves[ply]);
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
    this.#mark(true);
  }

  // Which position is shown.
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
