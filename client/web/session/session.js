// The conversation with the server: requests and answers, the room and the lobby. Knows nothing about the
// page. Emits events:
//
//   link      the state of the connection has changed
//   welcomed  {welcome, back}: the server has accepted the player
//   refused   {code, message}: it has refused the player
//   room      {kind, detail}: the room has changed, or was entered or left. isBack: the player returned
//             to it without a request
//   lobby     {said}: the list of rooms has changed; new lines of chat
//   invited   {from, room}
//   notice    a message from the server to everybody
//   unreachable  {address}: the player is at another server, which can't be reached
//   told      {text}: a message about requests

import { readMark } from '../model/marks.js';
import { Lobby } from '../model/lobby.js';
import { folded, isolated, nameBefore, plain } from '../model/plain.js';
import { readCell, readOutcome, readRoomInfo } from '../model/read.js';
import { addRecord, applyUpdate, kindOfChange, readSnapshot } from '../model/room.js';
import { Emitter } from './emitter.js';
import { Link } from './link.js';
import { Pending, RequestFailed } from './pending.js';
import { entersRoom, isForGame, isForView, onlyAsks } from './requests.js';

const mostResyncs = 5;
const maxMuted = 1000;
// Milliseconds. After that the page says that there is no answer to a move.
const answerExpected = 3000;

export class Session extends Emitter {
  room = null;
  lobby = new Lobby();
  muted; // folded names, at most maxMuted

  #link;
  #identity;
  #pending = new Pending();
  #watchesLobby = false;
  #resyncing = false;
  #resyncs = 0;
  #hint = null;
  #password = ''; // of the room

  constructor(address, identity) {
    super();
    this.#identity = identity;
    this.muted = identity.muted;
    this.#link = new Link(address, identity, {
      sayHello: (hello) => this.#sayHello(hello),
      welcomed: (welcome, back) => this.#welcomed(welcome, back),
      received: (message) => this.#received(message),
      ping: () => this.#ask('ping', {}),
      lost: () => this.#lost(),
      refused: (error) => this.emit('refused', error),
      unreachable: (address) => this.emit('unreachable', { address }),
      stateChanged: () => this.emit('link'),
    });
  }

  get state() { return this.#link.state; }
  get isUp() { return this.#link.state === 'up'; }
  get limits() { return this.#link.limits ?? {}; }
  get me() { return this.#link.me; }
  get serverName() { return plain(this.#link.serverName); }
  get nextTry() { return this.#link.nextTry; }
  get hasConnected() { return this.#link.hasConnected; }
  get failures() { return this.#link.failures; }
  get another() { return this.#link.another; }
  get hasToken() { return this.#link.hasToken; }

  start(passwords) { this.#link.start(passwords); }
  hurry() { this.#link.hurry(); }
  /// The browser has gone offline.
  offline() { if (this.isUp) this.#link.lose(); }

  /// Sends a request. Resolves to the answer; rejects with a RequestFailed if it is refused. If the
  /// connection is lost meanwhile, an unfinished request is sent again once it is back. Without a connection,
  /// a request that `waits` waits for one, as what a view asks does; anything else is refused.
  request(kind, body = {}, waits = isForView(kind)) {
    const { promise, settle } = deferred();
    if (this.isUp) {
      if (this.room && isForGame(kind)) body.game = this.room.game;
      this.#send(this.#pending.add(kind, body, settle));
    } else if (waits) {
      this.#pending.keep({ kind, body, ...settle });
    } else {
      settle.reject(new RequestFailed('', 'Not sent: you are not connected.'));
    }
    return promise;
  }

  /// Plays a move in the position that the player sees.
  place(cell) {
    const { board, takebacks } = this.room;
    return this.request('move', { cell, ply: board.moves.length, takebacks });
  }

  /// The move that still waits for its answer, {cell, isLate}, or null.
  sentMove() {
    const { body: move, sentAt } = this.#pending.move() ?? {};
    const fits = move && this.room && move.game === this.room.game &&
      move.ply === this.room.board.moves.length;
    return fits ? { cell: move.cell, isLate: performance.now() - sentAt >= answerExpected } : null;
  }

  /// Whether a request of this kind still waits for its answer.
  awaits(kind) {
    return this.#pending.awaits(kind);
  }

  /// The hint for the present position, or null.
  hint() {
    const { room } = this;
    const fits = this.#hint && room && room.phase === 'playing' && this.#hint.game === room.game &&
      this.#hint.ply === room.board.moves.length && this.#hint.takebacks === room.takebacks;
    return fits ? this.#hint : null;
  }

  /// Enters a room. From another room, the server first says whether it would take the player; if not,
  /// nothing changes. Otherwise `mayLeave()` is called before the present room is left, and may reject. It
  /// resolves to whether time has passed: then the server is asked once more.
  async enterRoom(kind, body, mayLeave) {
    try {
      return await this.request(kind, body);
    } catch (error) {
      if (error.code !== 'CODE_ALREADY_IN_ROOM') throw error;
    }
    if (await mayLeave()) return this.enterRoom(kind, body, async () => false);
    return this.#moveTo(kind, body);
  }

  // Only within the time of the two requests can somebody else take the seat or the name.
  async #moveTo(kind, body) {
    const left = this.room ? ` You have left the room "${isolated(this.room.name)}".` : '';
    await this.request('leaveRoom').catch((error) => {
      if (error.code !== 'CODE_NOT_IN_ROOM') throw error;
    });
    try {
      return await this.request(kind, body, true);
    } catch (error) {
      error.message += left;
      throw error;
    }
  }

  /// Becomes another player. The present one gives up its seat once the server has accepted the new
  /// one. Resolves to the Welcome; if the server refuses, rejects with a RequestFailed and changes nothing.
  async become(name, passwords) {
    if (!this.isUp) {
      throw new RequestFailed('', 'You are offline. Try again when you are connected.');
    }
    const welcome = await this.#link.introduce(name, passwords);
    await this.request('goodbye').catch(() => {});
    this.#pending.failAll('The player has left.');
    this.#forgetRoom();
    this.#link.become(name, welcome);
    return welcome;
  }

  /// For a guest who has not entered yet: the server's name and one of its rooms, {serverName, room}. The
  /// room is undefined if it is not listed. Rejects if the server reveals nothing to strangers.
  async peek(wireName, guest) {
    const wanted = wireName.trim().normalize();
    const { welcome, answer } = await this.#link.ask(guest, { listRooms: { after: nameBefore(wanted) } });
    const found = answer.roomList?.rooms?.find(({ name }) => name === wanted);
    return { serverName: plain(welcome.serverName), room: found && readRoomInfo(found) };
  }

  isMuted(name) { return this.muted.has(folded(name)); }

  /// Returns false and changes nothing if too many players are muted.
  mute(name, muted) {
    if (muted && this.muted.size >= maxMuted) return false;
    if (muted) this.muted.add(folded(name));
    else this.muted.delete(folded(name));
    this.#identity.muted = this.muted;
    const keep = (line) => !this.isMuted(line.from);
    if (this.room) this.room.chat = this.room.chat.filter(keep);
    this.lobby.chat = this.lobby.chat.filter(keep);
    this.emit('lobby', { said: [] });
    return true;
  }

  // The link ------------------------------------------------------------------------------------

  #send(message) {
    this.#link.send(message);
  }

  // Sends a request of the session's own.
  #ask(kind, body) {
    const { promise, settle } = deferred();
    promise.catch(() => {});
    this.#send(this.#pending.add(kind, body, { ...settle, isOwn: true }));
    return promise;
  }

  #sayHello(hello) {
    if (this.room?.mySeat) {
      hello.room = this.room.wireName;
      hello.revision = String(this.room.revision);
    }
    this.#ask('hello', hello);
  }

  #welcomed(welcome, back) {
    this.muted = this.#identity.muted; // of this server
    this.#watchesLobby = false;
    this.#resyncing = false;
    const lastDone = welcome.resumed ? Number(welcome.lastRequestDone ?? 0) : 0;
    if (!welcome.resumed) this.#pending.failAll('The server no longer knows you.');
    this.#pending.resume(lastDone);
    const lostSeat = this.room?.mySeat &&
      (!welcome.resumed || (welcome.room ?? '') !== this.room.wireName);
    this.emit('welcomed', { welcome, back, lostRoom: lostSeat ? this.room.name : '' });
    if (lostSeat) this.#forgetRoom();
    // Everything that was missed arrives before the answer, also if that is a refusal, which has a code.
    const settle = () => this.#settle();
    this.#ask('ping', {}).then(settle, (error) => error.code && settle());
    this.#followLobby();
    if (this.room && !this.room.mySeat) this.#watchAgain();
    if (!this.room && !welcome.room) this.#watchAsBefore();
  }

  // Watches again after a reload. A seat comes back by itself.
  #watchAsBefore() {
    const wireName = this.#identity.watched;
    if (!wireName) return;
    this.#ask('watchRoom', { name: wireName }).catch((error) => {
      this.emit('told', { text: `You are no longer watching the room "${plain(wireName)}": ${error.message}` });
      this.#identity.watched = '';
    });
  }

  #watchAgain() {
    const { name, wireName } = this.room;
    this.#ask('watchRoom', { name: wireName, password: this.#password }).catch((error) => {
      this.emit('told', { text: `You are no longer watching the room "${name}": ${error.message}` });
      this.#forgetRoom();
    });
  }

  #settle() {
    this.#pending.takeLost().forEach((message) => this.#send(message));
    this.#link.caughtUp();
    this.emit('room', { kind: 'caughtUp' });
  }

  #followLobby() {
    if (this.#watchesLobby) return;
    this.#watchesLobby = true;
    this.#ask('watchLobby', { boards: true }).catch(() => { this.#watchesLobby = false; });
  }

  #lost() {
    this.emit('room', { kind: 'lost' });
  }

  // Messages ------------------------------------------------------------------------------------

  #received(message) {
    if (message.redirect) {
      this.#pending.redirected(message.requestId);
      return this.#link.redirected(message.redirect);
    }
    const asked = this.#pending.take(message.requestId);
    if (message.error) return this.#refused(message.error, asked);
    if (message.snapshot) this.#snapshot(message.snapshot, asked);
    else if (message.update) this.#update(message.update);
    else if (message.left) this.#left(asked);
    else if (message.lobbyUpdate) this.#lobbyUpdate(message.lobbyUpdate);
    else if (message.invited) this.#invited(message.invited);
    else if (message.hinted) this.#hinted(message.hinted);
    else if (message.notice) this.emit('notice', message.notice);
    asked?.resolve(message);
  }

  #refused(error, asked) {
    if (error.state) this.#snapshot(error.state, null);
    if (error.closing || error.code === 'CODE_SERVER_STOPPING') {
      this.#link.closed(error);
      if (this.state === 'ended') this.emit('refused', error);
      asked?.reject(new RequestFailed(error.code ?? '', plain(error.message, 500)));
      return;
    }
    if (!asked) return;
    const later = error.code === 'CODE_RATE_LIMITED' || error.code === 'CODE_CANNOT_RECORD';
    if (later && onlyAsks(asked.kind)) {
      const send = () => (this.isUp ? this.#send(this.#pending.again(asked)) : this.#pending.keep(asked));
      setTimeout(send, Math.max(error.retryAfterMs ?? 0, 50));
      return;
    }
    if (asked.kind === 'getSnapshot') this.#forgetRoom();
    asked.reject(new RequestFailed(error.code ?? '', plain(error.message, 500) ||
      `The server gave no reason (${error.code}).`));
  }

  #snapshot(sent, asked) {
    const entered = asked !== null && entersRoom(asked.kind);
    const same = this.room?.wireName === (sent.name ?? '') ? this.room : null;
    const known = same !== null && !entered;
    const room = readSnapshot(sent, performance.now(), same);
    if (!room) return this.emit('told', { text: 'The server sent a room that can\'t be shown.' });
    if (entered) this.#password = asked.body.password ?? '';
    room.chat = room.chat.filter((line) => !this.isMuted(line.from));
    const before = this.room;
    this.room = room;
    this.#identity.watched = room.mySeat ? '' : room.wireName;
    this.#resyncing = false;
    const isBack = asked === null || asked.isOwn === true;
    this.emit('room', { kind: known ? 'shown' : 'entered', before, isBack });
    this.#findRecord();
  }

  #update(update) {
    // The requested snapshot contains earlier updates.
    if (!this.room || this.#resyncing) return;
    const seatBefore = this.room.mySeat;
    const phaseBefore = this.room.phase;
    const applied = applyUpdate(this.room, update, this.me, performance.now());
    if (applied === 'old') return;
    if (applied === 'gap') return this.#resync();
    this.#resyncs = 0;
    const kind = kindOfChange(update);
    if (kind === 'chatSaid' && this.isMuted(this.room.chat.at(-1).from)) {
      this.room.chat.pop();
      return;
    }
    this.emit('room', { kind: 'changed', change: kind, update, seatBefore, phaseBefore });
    if (phaseBefore !== 'finished') this.#findRecord();
  }

  // Finds the record of the finished game: the room's newest. A watcher of a room with a password may find
  // none, or one of an older room with the same name.
  async #findRecord() {
    const { room } = this;
    if (room.phase !== 'finished' || !this.limits.gamesPerList) return;
    const answer = await this.#ask('listGames', { before: '0' }).catch(() => null);
    const record = answer?.gameList?.games?.find((game) => game.room === room.wireName);
    if (this.room !== room || room.phase !== 'finished') return;
    const { winner, reason } = readOutcome(record?.outcome) ?? {};
    if (winner !== room.outcome.winner || reason !== room.outcome.reason) return;
    addRecord(room, record, this.me);
    this.emit('room', { kind: 'found' });
  }

  #resync() {
    if (++this.#resyncs > mostResyncs) return this.#link.lose();
    this.#resyncing = true;
    this.#ask('getSnapshot', {}).catch(() => {});
  }

  #left(asked) {
    // Without a request, the server's owner has closed the room.
    if ((!asked || asked.kind === 'leaveRoom') && this.room) this.#forgetRoom();
  }

  #forgetRoom() {
    const before = this.room;
    this.room = null;
    this.#identity.watched = '';
    this.#hint = null;
    this.#resyncing = false;
    this.#password = '';
    if (before) this.emit('room', { kind: 'left', before });
  }

  #lobbyUpdate(update) {
    if (update.stopped) return;
    this.emit('lobby', { said: this.lobby.apply(update, (name) => this.isMuted(name)) });
  }

  #invited(invited) {
    const from = plain(invited.from);
    if (!this.isMuted(from)) this.emit('invited', { from, room: readRoomInfo(invited.room ?? {}) });
  }

  #hinted(hinted) {
    this.#hint = {
      cell: readCell(hinted.cell),
      mark: readMark(hinted.mark),
      game: hinted.game ?? 0,
      ply: hinted.ply ?? 0,
      takebacks: hinted.takebacks ?? 0,
      cannotLose: hinted.cannotLose ?? false,
    };
    this.emit('room', { kind: 'hinted' });
  }
}

function deferred() {
  const settle = {};
  const promise = new Promise((resolve, reject) => Object.assign(settle, { resolve, reject }));
  return { promise, settle };
}
