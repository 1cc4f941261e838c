// The list of rooms, kept up to date by LobbyUpdates.

import { compareNames } from './plain.js';
import { hasOpenSeat, isDeserted, keptChat, readChat, readRoomInfo } from './read.js';

export class Lobby {
  constructor() {
    this.rooms = new Map(); // by the name that the server wrote
    this.players = 0;
    this.chat = [];
    this.complete = false;
    this.arrivals = 0; // how often somebody has come into a room or left one
  }

  /// Applies an update. Returns the new lines of chat.
  apply(update, isMuted) {
    if (update.reset) {
      this.rooms.clear();
      this.complete = false;
    }
    for (const name of update.closed ?? []) this.arrivals += this.rooms.delete(name);
    for (const sent of update.rooms ?? []) {
      const room = readRoomInfo(sent);
      this.arrivals += peopleIn(room) !== peopleIn(this.rooms.get(room.wireName));
      this.rooms.set(room.wireName, room);
    }
    this.players = update.players ?? 0;
    if (update.complete) this.complete = true;
    const said = (update.chat ?? []).map(readChat).filter((line) => !isMuted(line.from));
    // After a reset the server sends the latest lines again. Drops those that are known.
    const known = update.reset ? linesKnown(this.chat, said) : 0;
    const fresh = said.slice(known);
    this.chat.push(...fresh);
    this.chat.splice(0, Math.max(0, this.chat.length - keptChat));
    return fresh;
  }

  /// Open rooms first, then those that need a password, then the others.
  sorted() {
    const rank = (room) => (hasOpenSeat(room) && !isDeserted(room) ? (room.needsPassword ? 1 : 0) : 2);
    const compare = (a, b) => rank(a) - rank(b) || compareNames(a.wireName, b.wireName);
    return [...this.rooms.values()].sort(compare);
  }
}

const peopleIn = (room) =>
  room && [room.seats.X.wireName, room.seats.O.wireName, room.watchers].join('\n');

/// The number of lines at the front of `now` that are at the end of `before`.
function linesKnown(before, now) {
  const same = (a, b) => a.from === b.from && a.text === b.text && a.seat === b.seat;
  for (let known = Math.min(before.length, now.length); known > 0; --known) {
    const end = before.slice(before.length - known);
    if (end.every((line, i) => same(line, now[i]))) return known;
  }
  return 0;
}
