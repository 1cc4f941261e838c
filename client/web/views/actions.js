// The actions in a room other than placing marks.

import { other } from '../model/marks.js';
import { chooseAi } from './ai_form.js';
import { ask } from './dialogs.js';
import { calmButton, h, setContent } from './dom.js';

// The player's actions in the game, as [text, act, style, isPossible]. Each keeps its place for as long as there
// is an opponent; an answer takes the place of its question.
function gameEntries(app, room) {
  const theirs = room.mySeat && other(room.mySeat);
  const isRunning = room.phase === 'playing';
  const { drawOfferedBy, takebackAskedBy } = room;
  const draw = () => app.act('offerDraw');
  const takeback = (grants) => app.act('askTakeback', { grants });
  const resign = async () => {
    const { game } = app.session.room;
    const agreed = await ask('Resign this game?', 'Resign', 'Keep playing');
    if (agreed && app.session.room?.game === game) app.act('resign');
  };
  const twoPeople = room.seats.X.kind === 'person' && room.seats.O.kind === 'person';
  const isAsked = theirs !== '' && (drawOfferedBy === theirs || takebackAskedBy === theirs);
  const hasHints = !twoPeople || room.options.hints;
  const hasMoved = room.board.moves.some((move) => room.board.at(room.board.cellOf(move)) === room.mySeat);
  const last = isAsked ? ['Decline', () => app.act('decline'), '', true]
    : hasHints ? ['Hint', () => app.hint(), '', true] : ['', null];
  if (!isRunning) return [];
  if (!room.mySeat) return hasHints ? [last] : [];
  return [
    drawOfferedBy === theirs ? ['Accept the draw', draw, 'primary', true]
      : ['Offer a draw', draw, '', !drawOfferedBy],
    takebackAskedBy === theirs ? ['Grant the takeback', () => takeback(true), 'primary', true]
      : ['Take back', () => takeback(false), '', !takebackAskedBy && hasMoved && !app.session.awaits('askTakeback')],
    ['Resign', resign, '', true],
    last,
  ];
}

function otherEntries(app, room) {
  const { alerts } = app;
  const invite = room.phase === 'waiting' ? 'primary' : 'plain';
  return [
    ['Invite …', () => app.showInvitation(app.session.room), invite, true],
    room.mySeat && room.phase === 'playing' && ['Let an AI play for me …',
      () => chooseAi(app, app.session.room.mySeat), 'plain', true],
    [alerts.isOn ? 'Turn sound off' : 'Turn sound on', () => alerts.toggle(), 'plain', true],
    alerts.mayAsk && ['Notify me', () => alerts.ask(), 'plain', true],
    ['Leave', () => app.leave(), 'plain', true],
  ].filter(Boolean);
}

const entryButton = (movedAt) => ([text, act, style, isPossible]) =>
  (text ? calmButton(text, act, { class: style, disabled: !isPossible }, movedAt) : h('span', {}));

export class Actions {
  #game = h('div', { class: 'of-game' });
  #others = h('div', { class: 'row' });
  element = h('div', { class: 'actions', role: 'group', 'aria-label': 'Actions', tabindex: -1 }, this.#game, this.#others);
  #app;
  #count = 0; // of the buttons
  #movedAt = 0;

  constructor(app) {
    this.#app = app;
  }

  update(room) {
    const { activeElement: focused } = document;
    const hasFocus = this.element.contains(focused);
    const [game, others] = [gameEntries, otherEntries].map((entries) =>
      entries(this.#app, room).map(entryButton(() => this.#movedAt)));
    if (game.length + others.length !== this.#count) this.#movedAt = performance.now();
    this.#count = game.length + others.length;
    setContent(this.#game, ...game);
    setContent(this.#others, ...others);
    if (hasFocus && !this.element.contains(focused)) this.#focus(focused.textContent);
  }

  // Keeps the focus when a button disappears. It must not move to a different action.
  #focus(text) {
    const buttons = [...this.element.querySelectorAll('button:enabled')];
    (buttons.find((one) => one.textContent === text) ?? this.element).focus({ preventScroll: true });
  }
}
