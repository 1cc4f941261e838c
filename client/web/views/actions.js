// The actions in a room other than placing marks.

import { other } from '../model/marks.js';
import { chooseAi } from './ai_form.js';
import { ask } from './dialogs.js';
import { calmButton, h, setContent } from './dom.js';

// The player's actions in the game, as [text, act, style, isPossible]. Each keeps its place in every state
// of the game; an answer takes the place of its question.
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
  const last = isAsked ? ['Decline', () => app.act('decline'), '', true]
    : hasHints ? ['Hint', () => app.hint(), '', isRunning] : ['', null];
  if (!room.mySeat) return hasHints && isRunning ? [last] : [];
  if (room.phase === 'finished') return [];
  return [
    drawOfferedBy === theirs ? ['Accept the draw', draw, 'primary', true]
      : ['Offer a draw', draw, '', isRunning && !drawOfferedBy],
    takebackAskedBy === theirs ? ['Grant the takeback', () => takeback(true), 'primary', true]
      : ['Take back', () => takeback(false), '', isRunning && !takebackAskedBy && room.board.moves.length > 0 &&
        !app.session.awaits('askTakeback')],
    ['Resign', resign, '', isRunning],
    last,
  ];
}

function otherEntries(app, room) {
  const { alerts } = app;
  const invite = room.phase === 'waiting' ? 'primary' : 'plain';
  return [
    ['Invite …', () => app.showInvitation(app.session.room), invite, true],
    room.mySeat && room.phase !== 'finished' && ['Let an AI play for me …',
      () => chooseAi(app, app.session.room.mySeat), 'plain', room.phase === 'playing'],
    [alerts.isOn ? 'Turn sound off' : 'Turn sound on', () => alerts.toggle(), 'plain', true],
    alerts.mayAsk && ['Notify me', () => alerts.ask(), 'plain', true],
    ['Leave', () => app.leave(), 'plain', true],
  ].filter(Boolean);
}

const entryButton = ([text, act, style, isPossible]) =>
  (text ? calmButton(text, act, { class: style, disabled: !isPossible }) : h('span', {}));

export class Actions {
  #game = h('div', { class: 'of-game' });
  #others = h('div', { class: 'row' });
  element = h('div', { class: 'actions', role: 'group', 'aria-label': 'Actions', tabindex: -1 }, this.#game, this.#others);
  #app;

  constructor(app) {
    this.#app = app;
  }

  update(room) {
    const { activeElement: focused } = document;
    const hasFocus = this.element.contains(focused);
    setContent(this.#game, ...gameEntries(this.#app, room).map(entryButton));
    setContent(this.#others, ...otherEntries(this.#app, room).map(entryButton));
    if (hasFocus && !this.element.contains(focused)) this.#focus(focused.textContent);
  }

  // Keeps the focus when a button disappears. It must not move to a different action.
  #focus(text) {
    const buttons = [...this.element.querySelectorAll('button:enabled')];
    (buttons.find((one) => one.textContent === text) ?? this.element).focus({ preventScroll: true });
  }
}
