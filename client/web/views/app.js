// The page as a whole: which view is shown, and what the views ask for.

import { isMyTurn } from '../model/room.js';
import { isolated } from '../model/plain.js';
import { noticeText, refusalText, welcomeTexts } from '../text/link_words.js';
import { quoted, rulesText } from '../text/words.js';
import { hasOpenSeat } from '../model/read.js';
import { ask, askPassword } from './dialogs.js';
import { h } from './dom.js';
import { GamesView } from './games_view.js';
import { Header } from './header.js';
import { LobbyView } from './lobby_view.js';
import { showInvitation } from './invitation.js';
import { showPlayer } from './player_form.js';
import { ReplayView } from './replay_view.js';
import { RoomView } from './room_view.js';
import { StartView } from './start_view.js';
import { Toasts } from './toasts.js';

export class App {
  shownPlace = '#/'; // '#/', '#/room' or '#/games'

  #main = h('main', { tabindex: -1 });
  #toasts = new Toasts();
  #header;
  #view = null;
  #hadToken;
  #wantedRoom = ''; // of a link to a room

  constructor(session, identity) {
    this.session = session;
    this.identity = identity;
    this.#hadToken = session.hasToken;
    this.#header = new Header(this);
    document.body.replaceChildren(this.#header.element, this.#main, this.#toasts.element);
    this.#listen();
    if (identity.name) session.start();
    this.#show();
  }

  #listen() {
    const { session } = this;
    session.on('link', () => this.#linkChanged());
    session.on('welcomed', (event) => this.#welcomed(event));
    session.on('refused', (error) => this.#refused(error));
    session.on('room', (event) => this.#roomChanged(event));
    session.on('lobby', ({ said }) => {
      this.#view?.said?.(said);
      this.#view?.lobbyChanged?.();
    });
    session.on('invited', (event) => this.#invited(event));
    session.on('notice', (notice) => this.toast(noticeText(notice)));
    session.on('told', ({ text }) => this.toast(text));
    window.addEventListener('hashchange', () => this.#show());
    window.addEventListener('online', () => session.hurry());
    document.addEventListener('visibilitychange', () => !document.hidden && session.hurry());
  }

  toast(text, actions) {
    this.#toasts.show(text, actions);
  }

  // What views ask for --------------------------------------------------------------------------

  /// Sends a request; a refusal is shown, and goes on to the caller.
  async request(kind, body) {
    try {
      return await this.session.request(kind, body);
    } catch (error) {
      this.toast(error.message);
      throw error;
    }
  }

  /// Sends a request that nobody waits for.
  act(kind, body) {
    this.request(kind, body).catch(() => {});
  }

  /// Plays for the own seat.
  place(cell) {
    const done = () => this.#view?.update();
    this.session.place(cell).catch((error) => this.toast(error.message)).finally(done);
  }

  play() {
    this.act('play');
  }

  async playAi() {
    const name = await this.#freeName();
    const options = { openAiSeats: true };
    this.create({ name, options }, '').catch((error) => this.toast(error.message));
  }

  // The player's name, or the first with a number that no listed room has.
  async #freeName() {
    const { session } = this;
    for (let number = 1; ; ++number) {
      const name = number === 1 ? session.me : `${session.me} ${number}`;
      if (!session.lobby.rooms.has(name)) return name;
    }
  }

  /// Creates a room, with an AI of a level ('' is the default) on the other seat unless it is null.
  async create(room, level) {
    await this.#leaveFirst();
    await this.session.request('createRoom', room);
    if (level !== null) await this.request('addAi', { level });
  }

  /// Joins or watches a listed room; asks for its password if it has one.
  async enter(room, kind) {
    const enter = async (password = '') => {
      await this.#leaveFirst();
      await this.session.request(kind, { name: room.wireName, password });
    };
    if (this.session.room?.wireName === room.wireName) return this.go('#/room');
    try {
      await enter();
    } catch (error) {
      if (error.code !== 'CODE_WRONG_PASSWORD') return this.toast(error.message);
      askPassword(`Password of ${quoted(room.name)}`, 'Enter', enter);
    }
  }

  // The server takes a player into one room at a time.
  async #leaveFirst() {
    const { room } = this.session;
    if (!room) return;
    const question = `Leave the room ${quoted(room.name)} first?`;
    if (room.mySeat && room.phase === 'playing' && !(await ask(question, 'Leave'))) {
      throw new Error('You are still in your room.');
    }
    await this.session.request('leaveRoom');
  }

  async leave() {
    const { room } = this.session;
    if (!room) return;
    const seated = room.mySeat && room.phase === 'playing';
    const question = 'Leave the seat? The game waits for another player.';
    if (seated && !(await ask(question, 'Leave'))) return;
    this.act('leaveRoom');
  }

  hint() {
    this.act('hint');
  }

  async invite(player) {
    await this.request('invite', { player }).then(
      () => this.toast(`You have invited ${isolated(player)}.`), () => {});
  }

  mute(name, muted) {
    this.session.mute(name, muted);
    if (muted) this.#view?.muted?.(name);
    this.toast(muted ? `${isolated(name)} is muted: you see neither their chat nor their ` +
      'invitations. They are not told.' : `${isolated(name)} is no longer muted.`);
  }

  /// Into a room, or to the server.
  showInvitation(room = null) {
    showInvitation(this, room);
  }

  showPlayer() {
    showPlayer(this);
  }

  // Places --------------------------------------------------------------------------------------

  go(hash) {
    if (window.location.hash === hash) return this.#show();
    window.location.hash = hash;
  }

  #show() {
    const { session } = this;
    const [, path = '', rest = ''] = window.location.hash.split('/');
    if (path === 'join') return this.#follow(decoded(rest));
    const isIn = session.me !== '' && session.state !== 'idle';
    const known = path === 'room' && session.room ? 'room' : path === 'games' ? 'games' : '';
    this.shownPlace = known ? `#/${known}` : '#/';
    const key = isIn ? `${known}/${known === 'games' ? rest : ''}` : 'start';
    if (this.#view?.key !== key) this.#change(key, isIn, known, rest);
    this.#view.update();
    this.#update();
  }

  #change(key, isIn, known, rest) {
    this.#view?.close?.();
    const make = () => {
      if (!isIn) return new StartView(this);
      if (known === 'room') return new RoomView(this);
      if (known !== 'games') return new LobbyView(this);
      return /^[0-9]+$/.test(rest) ? new ReplayView(this, rest) : new GamesView(this);
    };
    this.#view = make();
    this.#view.key = key;
    this.#main.className = `${known || (isIn ? 'lobby' : 'start')}-page`;
    this.#main.replaceChildren(this.#view.element);
    this.#main.scrollTop = 0;
    this.#view.shown?.();
  }

  // A link to a room: it is entered when the server has taken the player in.
  #follow(name) {
    this.#wantedRoom = name;
    window.history.replaceState(null, '', '#/');
    this.#show();
    this.#enterWanted();
  }

  async #enterWanted() {
    const { session } = this;
    if (!this.#wantedRoom || !session.isUp) return;
    const wireName = this.#wantedRoom;
    this.#wantedRoom = '';
    const room = session.lobby.rooms.get(wireName);
    const full = room !== undefined && !hasOpenSeat(room);
    await this.enter({ name: wireName, wireName }, full ? 'watchRoom' : 'joinRoom');
  }

  // What the session tells ----------------------------------------------------------------------

  #linkChanged() {
    if (this.session.isUp) this.#enterWanted();
    this.#show();
  }

  #welcomed(event) {
    const { identity } = this;
    const before = { wanted: identity.name, hadToken: this.#hadToken };
    for (const text of welcomeTexts(event, before)) this.toast(text);
    this.#hadToken = true;
  }

  #refused(error) {
    const text = refusalText(error, this.identity.name);
    if (this.session.state !== 'ended') {
      this.#show();
      return this.#view.refused?.(error);
    }
    this.toast(text, { 'Continue here': () => this.session.start() });
  }

  #roomChanged(event) {
    if (event.kind === 'entered') {
      if (this.#view instanceof RoomView) this.#view.arrived();
      else this.go('#/room');
    } else if (event.kind === 'left') {
      this.go('#/');
    } else if (this.#view instanceof RoomView && this.session.room) {
      if (event.kind === 'changed') this.#view.changed(event);
      else if (event.kind === 'hinted') this.#view.hinted();
      else this.#view.update();
    }
    this.#update();
  }

  #invited({ from, room }) {
    const kind = hasOpenSeat(room) ? 'joinRoom' : 'watchRoom';
    const text = `${isolated(from)} invites you to the room ${quoted(room.name)} ` +
      `(${rulesText(room.rules)}).`;
    this.toast(text, {
      [kind === 'joinRoom' ? 'Join' : 'Watch']: () => this.enter(room, kind),
      Mute: () => this.mute(from, true),
    });
  }

  #update() {
    this.#header.update();
    const { room, serverName } = this.session;
    const turn = room && isMyTurn(room) ? '● Your turn · ' : '';
    const title = `${turn}${room ? `${room.name} · ` : ''}${serverName || 'Tic-tac-toe'}`;
    if (document.title !== title) document.title = title;
  }
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
