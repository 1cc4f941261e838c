// Who is on the server, and who is in the room. Players are invited and muted here.

import { mayArrange } from '../model/room.js';
import { plain } from '../model/plain.js';
import { bdi, calmButton, h, setContent } from './dom.js';

const pagesAtMost = 20;
const leastWait = 2000;

/// Asks for the pages of a list; `next` tells where the following page begins, or ''.
async function pages(ask, next) {
  const answers = [];
  let after = '';
  do {
    answers.push(await ask(after));
    after = next(answers.at(-1));
  } while (after && answers.length < pagesAtMost);
  return answers;
}

export class PeopleView {
  #app;
  #players = h('ul', { class: 'people', 'aria-label': 'Players on this server' });
  #members = h('ul', { class: 'people', 'aria-label': 'Watching this room' });
  #heading = h('h2', {}, 'Who is here');
  #watching = h('h2', { hidden: true }, 'Watching');
  #busy = false;
  #again = false;
  #known = '';
  #asked = -Infinity;
  #timer = 0;

  constructor(app) {
    this.#app = app;
    this.element = h('section', { class: 'who-is-here' }, this.#heading, this.#players,
      this.#watching, this.#members);
  }

  /// Asks the server again if somebody has come or gone, here or in a room, at most every two seconds.
  follow({ isUp, me, lobby, room }) {
    const known = `${me} ${lobby.players} ${lobby.arrivals} ${room?.watchers ?? 0}`;
    if (!isUp || known === this.#known) return;
    this.#known = known;
    if (this.#timer) return;
    const wait = Math.max(0, this.#asked + leastWait - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#asked = performance.now();
      this.refresh();
    }, wait);
  }

  /// The list is no longer shown.
  close() {
    clearTimeout(this.#timer);
  }

  /// Asks the server again.
  async refresh() {
    const { session } = this.#app;
    if (this.#busy || !session.isUp) {
      this.#again = this.#busy;
      return;
    }
    this.#busy = true;
    try {
      await this.#refreshPlayers();
      await this.#refreshMembers();
    } catch {
      // The connection is lost, or the room: the list comes with the next change.
    }
    this.#busy = false;
    if (this.#again) this.refresh();
    this.#again = false;
  }

  async #refreshPlayers() {
    const answers = await pages(
      (after) => this.#app.ask('listPlayers', { after }),
      ({ playerList }) => (playerList?.more ? playerList.players.at(-1).name : ''));
    const players = answers.flatMap(({ playerList }) => playerList?.players ?? []);
    this.#heading.textContent = `Who is here (${players.length})`;
    setContent(this.#players, ...players.map((player) => this.#player(player)));
  }

  async #refreshMembers() {
    const { room } = this.#app.session;
    const watched = room !== null && room.watchers > 0;
    this.#watching.hidden = !watched;
    if (!watched) return this.#members.replaceChildren();
    const answers = await pages(
      (after) => this.#app.ask('listMembers', { after }),
      ({ memberList }) => (memberList?.more ? memberList.watchers.at(-1) : ''));
    const names = answers.flatMap(({ memberList }) => memberList?.watchers ?? []);
    setContent(this.#members, ...names.map((name) => h('li', {}, bdi(plain(name)))));
  }

  #player({ name, room = '' }) {
    const { session } = this.#app;
    const shown = plain(name);
    const isMe = name === session.me;
    const item = h('li', {}, h('span', { class: 'name' }, bdi(shown), isMe ? ' (you)' : ''),
      room && h('small', {}, bdi(plain(room))));
    if (isMe) return item;
    const here = session.room;
    if (here && mayArrange(here) && room !== here.wireName) {
      item.append(calmButton('Invite', () => this.#invite(name),
        { class: 'small', 'aria-label': `Invite ${shown}` }));
    }
    if (!here) {
      item.append(calmButton('Challenge', () => this.#app.challenge(name),
        { class: 'small', 'aria-label': `Challenge ${shown}`,
          title: 'Open a room and invite this player to it' }));
    }
    const muted = session.isMuted(shown);
    item.append(calmButton(muted ? 'Unmute' : 'Mute', () => this.#mute(shown, !muted),
      { class: 'small plain', 'aria-label': `${muted ? 'Unmute' : 'Mute'} ${shown}`,
        'data-key': `mute ${shown}`, title: 'Hide or show this player\'s chat and invitations' }));
    return item;
  }

  #invite(name) {
    this.#app.invite(name).catch((error) => this.#app.toast(error.message));
  }

  #mute(name, muted) {
    this.#app.mute(name, muted);
    this.refresh();
  }
}
