// The room that the player is in: the board, both sides, the actions, and what happens.

import { BoardView } from '../board/board_view.js';
import { isMyTurn } from '../model/room.js';
import { hintText, narrate } from '../text/narration.js';
import { arrivalText, offersText, pastText, sendingText, statusText, waitingForSeatText } from '../text/standing.js';
import { originText, rulesText, scoreText } from '../text/words.js';
import { timeControlText } from '../text/time.js';
import { Actions } from './actions.js';
import { bdi, h, setContent, setText } from './dom.js';
import { Feed } from './feed.js';
import { Moves } from './moves.js';
import { PeopleView } from './people_view.js';
import { Result } from './result.js';
import { SeatCard } from './seat_card.js';

export class RoomView {
  #app;
  #title = h('h1', {});
  #rules = h('p', { class: 'rules' });
  #status = h('p', { class: 'status', role: 'status', 'aria-live': 'polite' });
  #offer = h('p', { class: 'offer', role: 'status' });
  #score = h('p', { class: 'score' });
  #board;
  #seats;
  #actions;
  #moves;
  #result;
  #feed;
  #people;
  #timer;
  #pastBoard = null; // the last position of the past, {key, board}

  constructor(app) {
    this.#app = app;
    this.#board = new BoardView((cell) => this.#place(cell));
    this.#seats = { X: new SeatCard(app, 'X'), O: new SeatCard(app, 'O') };
    this.#actions = new Actions(app);
    this.#moves = new Moves(this);
    this.#result = new Result(app);
    this.#feed = new Feed('Game messages', app.session.limits.chatLength,
      (text) => app.request('chat', { text }));
    this.#people = new PeopleView(app);
    const talk = h('section', { class: 'card talk-card' }, this.#feed.element);
    this.element = h('div', { class: 'room-view' },
      h('div', { class: 'title' }, this.#title, this.#rules),
      h('div', { class: 'play' }, h('div', { class: 'standing' }, this.#status, this.#offer,
        this.#feed.unreadButton, this.#board.zoomButtons, this.#board.confirm),
        this.#board.element),
      h('div', { class: 'seats' }, this.#seats.X.element, this.#seats.O.element, this.#score),
      h('aside', { class: 'side' }, this.#result.element, this.#actions.element, this.#moves.element,
        talk,
        h('details', { class: 'card' }, h('summary', {}, 'People'), this.#people.element)));
    this.#timer = setInterval(() => this.#tick(), 100);
    this.arrived();
  }

  close() {
    clearInterval(this.#timer);
    this.#people.close();
    this.#board.close();
  }

  shown() {
    this.#moves.shown();
    this.focus();
  }

  focus() {
    this.#board.focus();
  }

  #tick() {
    const { session } = this.#app;
    const { room, isUp } = session;
    if (session.sentMove()) this.update();
    if (room?.clocks && isUp) for (const card of Object.values(this.#seats)) card.tick(room);
  }

  /// The player has come into a room.
  arrived() {
    const { room } = this.#app.session;
    this.#feed.clear();
    this.#feed.happened(arrivalText(room));
    if (room.waitsForSeat) this.#feed.happened(waitingForSeatText(room));
    for (const line of room.chat) this.#feed.said(line);
    this.update();
    // The button that was pressed for it may be gone.
    if (document.activeElement === document.body) this.focus();
  }

  /// The rooms or the players of the server have changed.
  lobbyChanged() {
    this.#people.follow(this.#app.session);
  }

  /// The room has changed, by an update.
  changed(detail) {
    const { room } = this.#app.session;
    if (detail.change === 'chatSaid') this.#feed.said(room.chat.at(-1));
    for (const text of narrate(room, detail)) this.#feed.happened(text);
    this.update();
  }

  hinted() {
    const hint = this.#app.session.hint();
    this.tell(hint ? hintText(hint) : 'The hint came too late: the position has changed.');
    this.update();
  }

  tell(text) {
    this.#feed.happened(text);
  }

  muted(name) {
    this.#feed.hide(name);
  }

  update() {
    const { session } = this.#app;
    const { room } = session;
    if (!room) return;
    setContent(this.#title, bdi(room.name));
    setText(this.#rules, [
      rulesText(room.rules), timeControlText(room.options.time),
      room.options.from && room.game === 1 ? originText(room.options.from) : '',
      room.options.unlisted ? 'unlisted' : '',
    ].filter(Boolean).join(' · '));
    setText(this.#score, room.phase === 'finished' ? '' : scoreText(room));
    const sent = session.sentMove();
    this.#moves.update(room);
    const { past } = this.#moves;
    const status = sent ? sendingText(sent) : past === null ? statusText(room) : pastText(room, past);
    setText(this.#status, session.isUp ? status : `${status} (no connection)`);
    this.#status.classList.toggle('mine', isMyTurn(room) && !sent);
    const offer = offersText(room);
    setText(this.#offer, offer === status ? '' : offer);
    for (const card of Object.values(this.#seats)) card.update(room);
    this.#result.update(room);
    this.#actions.update(room);
    this.#showBoard(room);
    this.#people.follow(session);
  }

  #showBoard(room) {
    const { past } = this.#moves;
    if (past !== null) {
      const board = this.#boardAfter(room, past);
      this.#board.show(board, { last: board.last(), lines: [], hint: null, ghost: null, mark: '' });
      return;
    }
    const sent = this.#app.session.sentMove();
    this.#board.show(room.board, {
      last: room.board.last(),
      lines: room.outcome?.lines ?? [],
      hint: this.#app.session.hint()?.cell ?? null,
      ghost: sent ? { cell: sent.cell, mark: room.mySeat } : null,
      mark: isMyTurn(room) && !sent ? room.mySeat : '',
    });
  }

  #boardAfter({ board, game, takebacks }, played) {
    const key = `${game} ${takebacks} ${played}`;
    if (this.#pastBoard?.key !== key) this.#pastBoard = { key, board: board.after(played) };
    return this.#pastBoard.board;
  }

  #place(cell) {
    const { session } = this.#app;
    const { room } = session;
    if (this.#moves.past !== null) {
      this.#moves.goToPresent();
      this.#board.rest();
      return this.update();
    }
    if (!room.mySeat) return this.#app.toast('You are watching. Take a seat to play.');
    if (session.sentMove()) return;
    this.#app.place(cell);
    this.update();
  }
}
