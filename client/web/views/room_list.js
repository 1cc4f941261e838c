// The list of rooms, kept up to date.

import { hasOpenSeat } from '../model/read.js';
import { timeControlText } from '../text/time.js';
import { seatText } from '../text/standing.js';
import { rulesText, stateText } from '../text/words.js';
import { bdi, button, glyph, h, miniBoard } from './dom.js';

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
  #items = new Map(); // by name: {room, element}

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
    let before = null;
    for (const room of shown) {
      const element = this.#itemFor(room);
      const place = before ? before.nextElementSibling : this.element.firstElementChild;
      if (place !== element) this.element.insertBefore(element, place);
      before = element;
    }
    return rooms.length - shown.length;
  }

  // Rebuilds an item only if its room has changed. A focused button keeps the focus.
  #itemFor(room) {
    const known = this.#items.get(room.wireName);
    if (known?.room === room) return known.element;
    const element = known?.element ?? h('li', { class: 'room card' });
    const focused = element.contains(document.activeElement)
      ? document.activeElement.dataset.kind : '';
    element.replaceChildren(...this.#content(room));
    if (focused) element.querySelector(`[data-kind="${focused}"]`)?.focus();
    this.#items.set(room.wireName, { room, element });
    return element;
  }

  #content(room) {
    const act = (text, kind, attributes = {}) => button(text, () => this.#enter(room, kind), {
      'data-kind': kind, 'aria-label': `${text} ${room.name}`, ...attributes,
    });
    return [
      miniBoard(room.rules, room.marks),
      h('div', { class: 'what' }, h('h3', {}, bdi(room.name)),
        h('span', {}, rulesText(room.rules))),
      h('div', { class: 'who' }, seat(room, 'X'), seat(room, 'O')),
      h('div', { class: 'state' }, notes(room)),
      h('div', { class: 'row' },
        hasOpenSeat(room) && act('Join', 'joinRoom', { class: 'primary' }) || '',
        act('Watch', 'watchRoom')),
    ];
  }
}
