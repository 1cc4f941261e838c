// How the game has ended, and what can come next.

import { decisionOf } from '../model/decision.js';
import { mayArrange } from '../model/room.js';
import { decisionText } from '../text/standing.js';
import { nameOf, scoreText } from '../text/words.js';
import { calmButton, h, setContent, setText } from './dom.js';

function headline({ outcome, played }) {
  const winner = outcome?.winner;
  if (!winner) return 'Draw';
  if (played.mine) return played.mine === winner ? 'You win!' : 'You lose';
  return `${played[winner].kind === 'open' ? winner : nameOf(played[winner])} wins`;
}

export class Result {
  #texts = ['headline', 'score', 'decision'].map((style) => h('p', { class: style }));
  #buttons = h('div', { class: 'row' });
  element = h('section', { class: 'result card', 'aria-label': 'Result', hidden: true },
    ...this.#texts, this.#buttons);
  #app;
  #decided = ''; // the game of #decision
  #decision = '';

  constructor(app) {
    this.#app = app;
  }

  update(room) {
    const isOver = room.phase === 'finished';
    this.element.hidden = !isOver;
    const texts = isOver ? [headline(room), scoreText(room), this.#decisionOf(room)] : ['', '', ''];
    texts.forEach((text, i) => setText(this.#texts[i], text));
    setContent(this.#buttons, ...(isOver ? this.#entries(room) : []));
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
    const add = (text, act, style) => entries.push(calmButton(text, act, { class: style }));
    const both = room.seats.X.kind !== 'open' && room.seats.O.kind !== 'open';
    if (mayArrange(room) && both && !room.wantsRematch[room.mySeat]) {
      add('Rematch', () => app.act('rematch'), 'primary');
    }
    if (room.mySeat) add('New opponent', () => app.newOpponent());
    if (room.record) add('Review', () => app.go(`#/games/${app.session.room.record}`));
    return entries;
  }
}
