// The page as a whole: which view is shown, and what the views ask for.

import { isMyTurn, mayArrange } from '../model/room.js';
import { cut, isolated, plain } from '../model/plain.js';
import { isForGame } from '../session/requests.js';
import { narrate } from '../text/narration.js';
import { nameText, noticeText, refusalText, refusedSocketText, unknownKeyText, unreachableText,
  welcomeTexts } from '../text/link_words.js';
import { arrivalText, statusText } from '../text/standing.js';
import { quoted, rulesText } from '../text/words.js';
import { hasOpenSeat, isDeserted } from '../model/read.js';
import { Alerts } from './alerts.js';
import { ask, askPassword } from './dialogs.js';
import { h } from './dom.js';
import { keepFocus } from './focus.js';
import { GamesView } from './games_view.js';
import { Header } from './header.js';
import { LobbyView } from './lobby_view.js';
import { showInvitation } from './invitation.js';
import { showPlayer } from './player_form.js';
import { ReplayView } from './replay_view.js';
import { RoomView } from './room_view.js';
import { StartView } from './start_view.js';
import { Toasts } from './toasts.js';

// After so many attempts without a connection there is something to explain: before the first one, and
// after it, when a server may just be starting again.
const mostFailures = 3;
const mostFailuresLater = 5;
const mostNames = 10; // that are tried for a new room

// Buttons that are pressed several times in a row, quickly or by a key that is held.
const steps = '.zoom, .replay [aria-label], .moves-of-game';

export class App {
  shownPlace = '#/'; // '#/', '#/room' or '#/games'
  gaveSeat = ''; // of the present room, that an AI got from this player

  alerts;
  wantedRoom = ''; // of a link to a room
  takenNames = new Set(); // of rooms that no list has

  #main = h('main', { tabindex: -1 });
  #toasts = new Toasts();
  #header;
  #view = null;
  #hadToken;
  #wasMyTurn = false;
  #hasExplained = false; // why there is no connection
  #ofLink = []; // what takes away the messages about it
  #ofView = []; // the same for the present view
  #goesTo = ''; // the last place that the page has gone to by itself
  #hasGoneOn = false; // the person, since a room was asked for

  constructor(session, identity) {
    this.session = session;
    this.identity = identity;
    this.#hadToken = session.hasToken;
    this.#header = new Header(this);
    this.alerts = new Alerts(identity, () => this.#view?.update());
    document.body.replaceChildren(this.#header.element, this.#main, this.#toasts.element);
    keepFocus(document.body, () => this.#focusView());
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
    session.on('notice', (notice) => this.#tell(noticeText(notice)));
    session.on('unreachable', ({ address }) => this.#unreachable(address));
    session.on('told', ({ text }) => this.#tell(text));
    // The second click of a double click, which people make from habit, would fall on what the first one
    // has done.
    document.addEventListener('click', (event) => {
      const isSecond = event.detail > 1 && event.target.closest('button');
      if (!isSecond || event.target.closest(`${steps}, .toast > button`)) return;
      event.preventDefault();
      event.stopPropagation();
    }, true);
    // So would the repeats of a key that is held a moment too long: on the button that takes the place of the
    // pressed one, or on the one that dismisses a question.
    document.addEventListener('keydown', (event) => {
      if (event.repeat && event.key === 'Enter' && !event.target.closest(steps)) event.preventDefault();
    }, true);
    window.addEventListener('hashchange', () => {
      if (window.location.hash !== this.#goesTo) this.#hasGoneOn = true;
      this.#show();
    });
    window.addEventListener('online', () => session.hurry());
    window.addEventListener('offline', () => session.offline());
    document.addEventListener('visibilitychange', () => !document.hidden && session.hurry());
  }

  /// A message about what the person does in the present view. It goes with the view.
  toast(text) {
    this.#ofView.push(this.#tell(text));
  }

  // A message for every view. Returns a function that takes it away.
  #tell(text, actions) {
    return this.#toasts.show(text, actions);
  }

  // A message that is of no use any more when there is a connection.
  #tellOfLink(text, actions) {
    this.#ofLink.push(this.#tell(text, actions));
  }

  /// Connects again: at once if an attempt is awaited, or after the connection was ended.
  goOn() {
    const { session } = this;
    if (session.state === 'ended') session.start();
    else session.hurry();
  }

  // What views ask for --------------------------------------------------------------------------

  /// `promise`, for as long as the present view is shown: what comes later has no effect.
  whileShown(promise) {
    const view = this.#view;
    return new Promise((resolve, reject) => {
      const settle = (act) => (value) => view === this.#view && act(value);
      promise.then(settle(resolve), settle(reject));
    });
  }

  /// Asks for what the present view shows.
  ask(kind, body) {
    return this.whileShown(this.session.request(kind, body));
  }

  /// Sends a request; a refusal is shown, and goes on to the caller.
  async request(kind, body) {
    const { session } = this;
    const played = () => session.room?.phase === 'playing' && session.room.wireName;
    const before = (isForGame(kind) || kind === 'hint') && played();
    try {
      return await session.request(kind, body);
    } catch (error) {
      // For a request in a game, its end is answer enough.
      if (!before || before === played()) this.toast(error.message);
      throw error;
    }
  }

  /// Sends a request that nobody waits for.
  act(kind, body) {
    const update = () => this.#view?.update?.();
    this.request(kind, body).catch(() => {}).finally(update);
    update();
  }

  /// Plays for the own seat.
  place(cell) {
    const done = () => this.#view?.update();
    this.session.place(cell).catch((error) => this.toast(error.message)).finally(done);
  }

  play() {
    this.#enterRoom('play', {}).catch((error) => this.toast(error.message));
  }

  playAi() {
    this.create({ options: { openAiSeats: true } }, '').catch((error) => this.toast(error.message));
  }

  /// Plays somebody else by the same rules: in a room where a person waits, or in a new one.
  newOpponent() {
    const { lobby, room } = this.session;
    const waits = (each) => each.wireName !== room.wireName && !each.needsPassword &&
      each.phase === 'waiting' && ['X', 'O'].some((mark) => each.seats[mark].kind === 'person') && !isDeserted(each) &&
      ['X', 'O'].some((mark) => each.seats[mark].kind === 'open');
    const next = lobby.sorted().find((each) => waits(each) && rulesText(each.rules) === rulesText(room.rules));
    if (next) return this.enter(next, 'joinRoom');
    const { rules, options: { time } } = room;
    this.create({ rules, options: { time } }, null).catch((error) => this.toast(error.message));
  }

  /// A name for a new room: the player's, or the first with a number that is not known to be taken.
  freeName() {
    const { me, lobby, limits } = this.session;
    for (let number = 1; ; ++number) {
      const end = number === 1 ? '' : ` ${number}`;
      const name = cut(me, limits.nameLength - end.length) + end;
      if (!lobby.rooms.has(name) && !this.takenNames.has(name)) return name;
    }
  }

  /// Creates a room, with an AI of a level ('' is the default) on the other seat unless it is null. Without a
  /// name, it gets a free one.
  async create(room, level) {
    await this.#requestNew(room);
    // The room is there, so a refusal is no reason to stay in the form.
    if (level !== null) this.act('addAi', { level });
  }

  // The name of an unlisted room is taken, and so is what looks like the name of a room.
  async #requestNew(room) {
    for (let tries = 1; ; ++tries) {
      const name = room.name ?? this.freeName();
      try {
        return await this.#enterRoom('createRoom', { ...room, name });
      } catch (error) {
        if (room.name || error.code !== 'CODE_ROOM_EXISTS' || tries === mostNames) throw error;
        this.takenNames.add(name);
      }
    }
  }

  /// Joins or watches a room; asks for its password if it has one. 'enterRoom' joins, or watches if
  /// both seats are taken.
  async enter(room, kind) {
    const { session } = this;
    if (session.room?.wireName === room.wireName) return this.go('#/room');
    const enter = (password = '') => this.#requestRoom(kind, { name: room.wireName, password });
    try {
      await enter();
    } catch (error) {
      if (error.code !== 'CODE_WRONG_PASSWORD') return this.toast(error.message);
      askPassword(`Password for ${quoted(room.name)}`, 'Enter', enter);
    }
  }

  async #requestRoom(kind, body) {
    if (kind !== 'enterRoom') return this.#enterRoom(kind, body);
    try {
      return await this.#enterRoom('joinRoom', body);
    } catch (error) {
      if (error.code !== 'CODE_ROOM_FULL') throw error;
      return this.#enterRoom('watchRoom', body);
    }
  }

  // The present room is left only for one that takes the player.
  #enterRoom(kind, body) {
    this.#hasGoneOn = false;
    return this.session.enterRoom(kind, body, () => this.#mayLeave());
  }

  // Asks before a seat in a game is given up for another room. Resolves to whether it did.
  async #mayLeave() {
    const { room } = this.session;
    if (!room?.mySeat || room.phase !== 'playing') return false;
    if (!(await ask(`Leave the room ${quoted(room.name)} first?`, 'Leave'))) {
      throw new Error('You are still in your room.');
    }
    return true;
  }

  async leave() {
    const { room } = this.session;
    if (!room) return;
    const seated = room.mySeat && room.phase === 'playing';
    const question = 'Leave the room? Someone else can then take your seat and continue the game.';
    if (seated && !(await ask(question, 'Leave'))) return;
    this.act('leaveRoom');
  }

  /// Takes a seat of the room: at once from an AI, if no person has a seat.
  async sit(mark) {
    const { room } = this.session;
    const seat = `MARK_${mark}`;
    try {
      if (room.seats[mark].kind === 'ai' && mayArrange(room)) await this.request('removeAi', { seat });
      await this.request('joinRoom', { name: room.wireName, seat });
    } catch {
      // It was shown.
    }
  }

  hint() {
    this.act('hint');
  }

  /// Fails if the server refuses it.
  async invite(player) {
    await this.session.request('invite', { player });
    this.toast(`You invited ${isolated(plain(player))}.`);
  }

  /// Opens a room and invites a player to it.
  async challenge(player) {
    try {
      await this.create({}, null);
      await this.invite(player);
    } catch (error) {
      this.toast(error.message);
    }
  }

  mute(name, muted) {
    if (!this.session.mute(name, muted)) {
      this.toast('You have muted too many players. Unmute some first.');
      return;
    }
    if (muted) this.#view?.muted?.(name);
    this.toast(muted ? `${isolated(name)} is muted. You won't see their chat or ` +
      'invitations, and they won\'t know.' : `${isolated(name)} is no longer muted.`);
  }

  /// Into a room, or to the server.
  showInvitation(room = null) {
    showInvitation(this, room);
  }

  /// The form for another name; filled in with the name of an account to log in.
  showPlayer(account = '') {
    showPlayer(this, account);
  }

  // Places --------------------------------------------------------------------------------------

  go(hash) {
    this.#goesTo = hash;
    if (window.location.hash === hash) return this.#show();
    window.location.hash = hash;
  }

  #show() {
    const { session } = this;
    // A link names the server's key for other programs. A browser has its own way to trust a server.
    const [, path = '', rest = ''] = window.location.hash.split('?')[0].split('/');
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
    for (const end of this.#ofView.splice(0)) end();
    const make = () => {
      if (!isIn) return new StartView(this);
      if (known === 'room') return new RoomView(this);
      if (known !== 'games') return new LobbyView(this);
      return /^[0-9]{1,19}$/.test(rest) ? new ReplayView(this, rest) : new GamesView(this);
    };
    this.#view = make();
    this.#view.key = key;
    this.#main.className = `${known || (isIn ? 'lobby' : 'start')}-page`;
    this.#main.replaceChildren(this.#view.element);
    this.#main.scrollTop = 0;
    this.#view.shown?.();
    this.#keepFocus();
  }

  // The element that had the focus may have gone with its view. While a dialog is open, nothing
  // beside it can have the focus.
  #keepFocus() {
    const dialog = document.querySelector('dialog[open]');
    if (dialog) return dialog.addEventListener('close', () => this.#keepFocus(), { once: true });
    if (document.activeElement === document.body) this.#focusView();
  }

  #focusView() {
    if (this.#view.focus) this.#view.focus();
    else this.#main.focus({ preventScroll: true });
  }

  // A link to a room: it is entered when the server has taken the player in.
  #follow(name) {
    this.wantedRoom = name;
    window.history.replaceState(null, '', '#/');
    this.#show();
    this.#enterWanted();
  }

  async #enterWanted() {
    const { session } = this;
    if (!this.wantedRoom || !session.isUp) return;
    const wireName = this.wantedRoom;
    this.wantedRoom = '';
    await this.enter({ name: wireName, wireName }, 'enterRoom');
  }

  // What the session tells ----------------------------------------------------------------------

  #linkChanged() {
    if (this.session.isUp) this.#enterWanted();
    this.#explainFailures();
    this.#show();
  }

  // If something can be loaded, it is the browser that does not connect. If not, the server may be
  // gone, or have a certificate that is not the one for which the person has gone on: a page can't tell.
  async #explainFailures() {
    const { failures, hasConnected } = this.session;
    if (failures < (hasConnected ? mostFailuresLater : mostFailures) || this.#hasExplained ||
        window.location.protocol !== 'https:') return;
    this.#hasExplained = true;
    const answer = await fetch('/join.txt').catch(() => null);
    if (this.session.failures === 0) return;
    const again = { 'Try again': () => this.goOn() };
    if (answer) return hasConnected || this.#tellOfLink(refusedSocketText, again);
    if (this.session.another) return this.#unreachable(this.session.another);
    this.#tellOfLink(unknownKeyText, { Reload: () => window.location.reload() });
  }

  // A browser connects only to a server whose certificate it knows or has been told to take.
  #unreachable(address) {
    if (!address.startsWith('wss:')) return;
    const page = address.replace(/^ws/, 'http').replace(/ws$/, '');
    this.#tellOfLink(unreachableText(page), { 'Open it': () => window.open(page, '_blank', 'noopener') });
  }

  #welcomed(event) {
    const { identity } = this;
    this.#hasExplained = false;
    for (const end of this.#ofLink.splice(0)) end();
    const before = { hadToken: this.#hadToken };
    for (const text of welcomeTexts(event, before)) this.#tell(text);
    this.tellName(event.welcome, identity.name);
    this.#hadToken = true;
  }

  /// Says why the player has another name than the wanted one. An account's name can be had by logging in.
  tellName(welcome, wanted) {
    const text = nameText(welcome, wanted);
    const logIn = { 'Log in': () => this.showPlayer(wanted) };
    if (text) this.#tell(text, welcome.nameNote ? logIn : undefined);
  }

  #refused(error) {
    const text = refusalText(error, this.identity.name);
    if (this.session.state !== 'ended') {
      this.#show();
      return this.#view.refused?.(error);
    }
    this.#tellOfLink(text, { 'Continue here': () => this.goOn() });
  }

  #roomChanged(event) {
    if (event.kind === 'entered') {
      // Who reads about finished games goes on with that, also after a reload.
      const stays = event.isBack && (event.before || this.shownPlace === '#/games');
      if (this.#view instanceof RoomView) this.#view.arrived();
      else if (!event.isBack && this.#hasGoneOn) this.#tellOfRoom();
      else if (!stays) this.go('#/room');
    } else if (event.kind === 'left') {
      this.gaveSeat = '';
      if (this.shownPlace === '#/room') this.go('#/');
      else this.#view.update();
    } else if (this.#view instanceof RoomView && this.session.room) {
      if (event.kind === 'changed') this.#view.changed(event);
      else if (event.kind === 'hinted') this.#view.hinted();
      else this.#view.update();
    }
    if (event.kind === 'changed') this.#ringFor(event);
    this.#update();
  }

  // The person has gone on before the server took the player into the room.
  #tellOfRoom() {
    const text = arrivalText(this.session.room);
    this.#ofView.push(this.#tell(text, { 'Go to the room': () => this.go('#/room') }));
    this.#view.update();
  }

  // Somebody has come to play.
  #ringFor(event) {
    const { room } = this.session;
    const { occupant, previous } = event.update.seatChanged ?? {};
    const hasCome = room.mySeat && occupant?.kind === 'KIND_PERSON' && previous?.kind !== 'KIND_PERSON' &&
      occupant.name !== this.session.me;
    if (hasCome) this.alerts.ring(narrate(room, event)[0]);
  }

  #invited({ from, room }) {
    const kind = hasOpenSeat(room) ? 'joinRoom' : 'watchRoom';
    const text = `${isolated(from)} invites you to the room ${quoted(room.name)} ` +
      `(${rulesText(room.rules)}).`;
    this.alerts.ring(text);
    this.#tell(text, {
      [kind === 'joinRoom' ? 'Join' : 'Watch']: () => this.enter(room, kind),
      Mute: () => this.mute(from, true),
    });
  }

  #update() {
    this.#header.update();
    const { room, serverName } = this.session;
    const mine = room !== null && isMyTurn(room);
    if (mine && !this.#wasMyTurn) this.alerts.ring(statusText(room));
    this.#wasMyTurn = mine;
    const turn = mine ? '● Your turn · ' : '';
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
