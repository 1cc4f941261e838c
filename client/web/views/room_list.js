// The list of rooms, kept up to date.

import { hasOpenSeat, isDeserted } from '../model/read.js';
import { timeControlText } from '../text/time.js';
import { seatText } from '../text/standing.js';
import { rulesText, stateText } from '../text/words.js';
import { bdi, calmButton, glyph, h, miniBoard, setContent } from './dom.js';

const mostShown = 200;

function seat(room, mark) {
  const occupant = room.seats[mark];
  return h('span', { class: occupant.kind === 'open' ? 'seat open' : 'seat' },
    glyph(mark), h('span', { class: 'sr-only' }, `${mark}: `), bdi(seatText(occupant)));
}

function notes(room) {
  return [
    stateText(room),
    room.needsPassword ? 'password' : '',
    room.watchers > 0 ? `${room.watchers} watching` : '',
    timeControlText(room.time),
  ].filter(Boolean).join(' · ');
}

export class RoomList {
  element = h('ul', { class: 'rooms', 'aria-label': 'Rooms' });
  #enter;
  #items = new Map(); // by name: {room, element, place, movedAt}

  /// `enter(room, kind)` joins ('joinRoom') or watches ('watchRoom').
  constructor(enter) {
    this.#enter = enter;
  }

  /// Shows `rooms` in this order. Returns how many were left out.
  show(rooms) {
    const shown = rooms.slice(0, mostShown);
    const names = new Set(shown.map((room) => room.wireName));
    for (const [name, item] of this.#items) {
      if (names.has(name)) continue;
      item.element.remove();
      this.#items.delete(name);
    }
    shown.forEach((room, i) => {
      const item = this.#itemFor(room);
      if (item.place !== i) Object.assign(item, { place: i, movedAt: performance.now() });
      const present = this.element.children[i] ?? null;
      if (present !== item.element) this.element.insertBefore(item.element, present);
    });
    return rooms.length - shown.length;
  }

  #itemFor(room) {
    const item = this.#items.get(room.wireName) ?? { element: h('li', { class: 'room card' }) };
    if (item.room !== room) setContent(item.element, ...this.#content(room, item));
    item.room = room;
    this.#items.set(room.wireName, item);
    return item;
  }

  #content(room, item) {
    const act = (text, kind, attributes = {}) => calmButton(text, () => this.#enter(room, kind),
      { 'aria-label': `${text} ${room.name}`, ...attributes }, () => item.movedAt);
    return [
      miniBoard(room.rules, room.marks),
      h('div', { class: 'what' }, h('h3', {}, bdi(room.name)),
        h('span', {}, rulesText(room.rules))),
      h('div', { class: 'who' }, seat(room, 'X'), seat(room, 'O')),
      h('div', { class: 'state' }, notes(room)),
      h('div', { class: 'row' },
        hasOpenSeat(room) && !isDeserted(room) && act('Join', 'joinRoom', { class: 'primary' }) || '',
        act('Watch', 'watchRoom')),
    ];
  }
}
