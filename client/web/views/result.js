// How the game has ended, and what can come next.

import { decisionOf } from '../model/decision.js';
import { mayArrange } from '../model/room.js';
import { decisionText } from '../text/standing.js';
import { nameOf, scoreText } from '../text/words.js';
import { calmButton, h } from './dom.js';

function headline({ outcome, played }) {
  const winner = outcome?.winner;
  if (!winner) return 'Draw';
  if (played.mine) return played.mine === winner ? 'You win!' : 'You lose';
  return `${played[winner].kind === 'open' ? winner : nameOf(played[winner])} wins`;
}

export class Result {
  element = h('section', { class: 'result card', 'aria-label': 'Result', hidden: true });
  #app;
  #shown = '';
  #decided = ''; // the game of #decision
  #decision = '';

  constructor(app) {
    this.#app = app;
  }

  update(room) {
    const isOver = room.phase === 'finished';
    this.element.hidden = !isOver;
    const entries = isOver ? this.#entries(room) : [];
    const texts = isOver ? [headline(room), scoreText(room), this.#decisionOf(room)] : [];
    const key = JSON.stringify([texts, entries.map(([text]) => text), room.record, room.wireName]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.element.replaceChildren(
      ...texts.map((text, i) => h('p', { class: ['headline', 'score', 'decision'][i] }, text)),
      h('div', { class: 'row' }, ...entries.map(([text, act, style]) =>
        calmButton(text, act, { class: style }))));
  }

  // Solving is done once.
  #decisionOf({ board, rules, game }) {
    const key = `${game} ${board.moves.join()}`;
    if (key !== this.#decided) {
      this.#decided = key;
      this.#decision = decisionText(board, decisionOf(board, rules));
    }
    return this.#decision;
  }

  #entries(room) {
    const app = this.#app;
    const entries = [];
    const both = room.seats.X.kind !== 'open' && room.seats.O.kind !== 'open';
    if (mayArrange(room) && both && !room.wantsRematch[room.mySeat]) {
      const wanted = room.wantsRematch.X || room.wantsRematch.O;
      entries.push([wanted ? 'Agree to a rematch' : 'Rematch', () => app.act('rematch'), 'primary']);
    }
    if (room.mySeat) entries.push(['New opponent', () => app.newOpponent()]);
    if (room.record) entries.push(['Review', () => app.go(`#/games/${room.record}`)]);
    return entries;
  }
}
