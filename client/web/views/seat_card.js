// One side of the room: its player, its clock, and the actions for its seat.

import { isFree } from '../model/read.js';
import { clockRuns, mayArrange, timeLeft } from '../model/room.js';
import { clockText } from '../text/time.js';
import { chooseAi } from './ai_form.js';
import { bdi, calmButton, glyph, h, setText } from './dom.js';

export class SeatCard {
  #app;
  #mark;
  #who = h('div', { class: 'who' });
  #clock = h('div', { class: 'clock', role: 'timer' });
  #actions = h('div', { class: 'row' });
  #shown = '';

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
    // Rebuilds only on a change, so that a button keeps the focus.
    const key = JSON.stringify([occupant, isMine, hasTurn, room.mySeat, room.phase,
      mayArrange(room), room.wireName, room.waitsForSeat]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#who.replaceChildren(...this.#name(occupant, isMine, hasTurn));
    this.#actions.replaceChildren(...this.#buttons(room, occupant));
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
    const seat = `MARK_${this.#mark}`;
    const buttons = [];
    if (!room.mySeat && occupant.kind === 'ai' && mayArrange(room)) {
      buttons.push(calmButton(app.gaveSeat === this.#mark ? 'Sit down again' : 'Sit here',
        () => app.replaceAi(this.#mark), { class: 'small primary' }));
    } else if (!room.mySeat && isFree(occupant, room.options.openAiSeats && !room.waitsForSeat)) {
      buttons.push(calmButton('Sit here', () => app.act('joinRoom', { name: room.wireName, seat }),
        { class: 'small primary' }));
    }
    if (occupant.kind === 'open' && mayArrange(room)) {
      buttons.push(calmButton('Add an AI …', () => chooseAi(app, this.#mark), { class: 'small' }));
    }
    if (occupant.kind === 'ai' && mayArrange(room)) {
      buttons.push(calmButton('Remove the AI', () => app.act('removeAi', { seat }),
        { class: 'small plain' }));
    }
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
