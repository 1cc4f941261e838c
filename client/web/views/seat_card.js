// One side of the room: its player, its clock, and the actions for its seat.

import { isFree } from '../model/read.js';
import { clockRuns, mayArrange, timeLeft } from '../model/room.js';
import { clockText } from '../text/time.js';
import { chooseAi } from './ai_form.js';
import { bdi, calmButton, glyph, h, setContent, setText } from './dom.js';

export class SeatCard {
  #app;
  #mark;
  #who = h('div', { class: 'who' });
  #clock = h('div', { class: 'clock', role: 'timer' });
  #actions = h('div', { class: 'row' });

  constructor(app, mark) {
    this.#app = app;
    this.#mark = mark;
    this.element = h('section', { class: 'seat-card card', 'aria-label': `Seat ${mark}` },
      glyph(mark), this.#who, this.#clock, this.#actions);
  }

  update(room) {
    const occupant = room.seats[this.#mark];
    const isMine = room.mySeat === this.#mark;
    const hasTurn = room.phase === 'playing' && room.turn === this.#mark;
    this.element.classList.toggle('turn', hasTurn);
    this.element.classList.toggle('winner', room.outcome?.winner === this.#mark);
    this.tick(room);
    setContent(this.#who, ...this.#name(occupant, isMine, hasTurn));
    setContent(this.#actions, ...this.#buttons(room, occupant));
  }

  #name(occupant, isMine, hasTurn) {
    const notes = [
      isMine ? 'you' : '',
      occupant.away ? (occupant.level ? 'away, an AI plays' : 'away') : '',
      hasTurn ? 'to move' : '',
    ].filter(Boolean).join(', ');
    const name = occupant.kind === 'open' ? h('i', {}, 'open') : bdi(occupant.name);
    return [h('strong', {}, name), h('small', {}, notes)];
  }

  #buttons(room, occupant) {
    const app = this.#app;
    const mark = this.#mark;
    const buttons = [];
    const add = (text, act, style) => buttons.push(calmButton(text, act, { class: `small ${style}` }));
    const mayReplace = occupant.kind === 'ai' && mayArrange(room);
    if (!room.mySeat && (mayReplace || isFree(occupant, room.options.openAiSeats && !room.waitsForSeat))) {
      const gaveIt = mayReplace && app.gaveSeat === mark;
      add(gaveIt ? 'Sit down again' : 'Sit here', () => app.sit(mark), 'primary');
    }
    if (occupant.kind === 'open' && mayArrange(room)) add('Add an AI …', () => chooseAi(app, mark), '');
    if (mayReplace) add('Change the AI …', () => chooseAi(app, mark), 'plain');
    return buttons;
  }

  /// Updates the clock.
  tick(room) {
    this.#clock.hidden = room.clocks === null;
    if (room.clocks === null) return;
    const now = performance.now();
    const left = timeLeft(room, this.#mark, now);
    const runs = clockRuns(room, this.#mark, now);
    setText(this.#clock, clockText(left));
    this.#clock.classList.toggle('running', runs);
    this.#clock.classList.toggle('short', runs && left < 10000);
  }
}
