// The lobby: how to begin, the rooms, who is here, and what is said.

import { folded } from '../model/plain.js';
import { quoted, rulesText } from '../text/words.js';
import { showCreateForm } from './create_form.js';
import { button, h, setContent, setText } from './dom.js';
import { Feed } from './feed.js';
import { PeopleView } from './people_view.js';
import { RoomList } from './room_list.js';

export class LobbyView {
  #app;
  #list;
  #count = h('p', { class: 'count', role: 'status' });
  #filter;
  #back = h('div', { class: 'card back row', hidden: true });
  #people;
  #feed;

  constructor(app) {
    this.#app = app;
    this.#list = new RoomList((room, kind) => app.enter(room, kind));
    this.#people = new PeopleView(app);
    this.#feed = new Feed('Chat in the lobby', app.session.limits.chatLength,
      (text) => app.request('sayInLobby', { text }),
      'Everyone in the lobby sees what you say here.');
    this.#filter = h('input', { type: 'search', placeholder: 'Find a room',
      'aria-label': 'Find a room', on: { input: () => this.update() } });
    const begin = h('section', { class: 'begin', 'aria-label': 'Start playing' },
      this.#choice('Quick play', 'Take an open seat, or open a room and wait',
        () => app.play(), true),
      this.#choice('Play the computer',
        'A room of your own. A friend can take over from the AI', () => app.playAi()),
      this.#choice('Create a room …', 'Any size, clocks, a password',
        () => showCreateForm(app)));
    this.element = h('div', { class: 'lobby' }, h('h1', { class: 'sr-only' }, 'Lobby'),
      h('div', { class: 'main' }, this.#back, begin,
        h('div', { class: 'row heading' }, h('h2', {}, 'Rooms'), this.#filter), this.#count,
        this.#list.element),
      h('aside', { class: 'side' }, h('div', { class: 'card' }, this.#people.element,
        button('Invite others …', () => app.showInvitation(), { class: 'small' })),
        h('section', { class: 'card' }, h('h2', {}, 'Lobby chat'), this.#feed.element)));
    for (const line of app.session.lobby.chat) this.#feed.said(line);
  }

  #choice(title, text, act, primary = false) {
    return h('button', { type: 'button', class: primary ? 'choice primary' : 'choice',
      on: { click: act } }, h('strong', {}, title), h('span', {}, text));
  }

  said(lines) {
    for (const line of lines) this.#feed.said(line);
  }

  lobbyChanged() {
    this.update();
  }

  muted(name) {
    this.#feed.hide(name);
  }

  update() {
    const { session } = this.#app;
    const wanted = folded(this.#filter.value.trim().normalize());
    const all = session.lobby.sorted();
    const rooms = all.filter((room) => folded(room.name).includes(wanted));
    const left = this.#list.show(rooms);
    setText(this.#count, this.#countText(all.length, rooms.length, left));
    this.#showBack(session.room);
    this.#people.follow(session);
  }

  close() {
    this.#people.close();
  }

  #countText(all, found, left) {
    if (all === 0 && !this.#app.session.lobby.complete) return 'Loading rooms …';
    if (all === 0) return 'No rooms yet: "Quick play" or "Create a room" opens one.';
    if (found === 0) return 'No matching rooms.';
    return left > 0 ? `… and ${left} more: type a part of a name to find one.` : '';
  }

  #showBack(room) {
    this.#back.hidden = room === null;
    if (room === null) return;
    setContent(this.#back, h('span', {}, `You are in the room ${quoted(room.name)} (${rulesText(room.rules)}).`),
      button('Back to the room', () => this.#app.go('#/room'), { class: 'primary' }));
  }
}
