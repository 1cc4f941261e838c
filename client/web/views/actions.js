// What a player can do in the room beside placing marks.

import { other } from '../model/marks.js';
import { chooseAi } from './ai_form.js';
import { ask } from './dialogs.js';
import { calmButton, h } from './dom.js';

/// The actions that fit the room, as [text, act, style].
function playing(app, room) {
  const theirs = other(room.mySeat);
  const entries = [];
  const answers = room.drawOfferedBy === theirs || room.takebackAskedBy === theirs;
  if (room.drawOfferedBy === theirs) {
    entries.push(['Accept the draw', () => app.act('offerDraw'), 'primary']);
  }
  if (room.takebackAskedBy === theirs) {
    entries.push(['Grant the takeback', () => app.act('askTakeback'), 'primary']);
  }
  if (answers) entries.push(['Decline', () => app.act('decline')]);
  if (!room.drawOfferedBy) entries.push(['Offer a draw', () => app.act('offerDraw')]);
  if (!room.takebackAskedBy && room.board.moves.length > 0) {
    entries.push(['Take back', () => app.act('askTakeback')]);
  }
  entries.push(['Resign', async () => {
    const { game } = room;
    if (await ask('Give the game up?', 'Resign', 'Go on')) {
      if (app.session.room?.game === game) app.act('resign');
    }
  }]);
  return entries;
}

function entriesFor(app, room) {
  const entries = [];
  const twoPeople = room.seats.X.kind === 'person' && room.seats.O.kind === 'person';
  if (room.phase === 'playing' && (!twoPeople || room.options.hints)) {
    entries.push(['Hint', () => app.hint()]);
  }
  if (room.phase === 'playing' && room.mySeat) entries.push(...playing(app, room));
  if (room.mySeat && room.phase === 'playing') {
    entries.push(['Let an AI play for me …', () => chooseAi(app, room.mySeat), 'plain']);
  }
  entries.push(['Invite …', () => app.showInvitation(room), 'plain']);
  const { alerts } = app;
  entries.push([alerts.isOn ? 'Turn sound off' : 'Turn sound on', () => alerts.toggle(), 'plain']);
  if (alerts.mayAsk) entries.push(['Notify me', () => alerts.ask(), 'plain']);
  entries.push(['Leave', () => app.leave(), 'plain']);
  return entries;
}

export class Actions {
  element = h('div', { class: 'actions row', role: 'group', 'aria-label': 'Actions' });
  #app;
  #shown = '';

  constructor(app) {
    this.#app = app;
  }

  update(room) {
    const entries = entriesFor(this.#app, room);
    const key = entries.map(([text]) => text).join('|') + room.game;
    if (key === this.#shown) return;
    this.#shown = key;
    const focused = this.element.contains(document.activeElement)
      ? document.activeElement.textContent : '';
    this.element.replaceChildren(...entries.map(([text, act, style]) =>
      calmButton(text, act, { class: style })));
    if (focused) this.#focus(focused);
  }

  // The focus does not get lost with a button that is gone.
  #focus(text) {
    const buttons = [...this.element.children];
    (buttons.find((one) => one.textContent === text) ?? buttons[0])?.focus();
  }
}
