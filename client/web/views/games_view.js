// The finished games of the server.

import { plain } from '../model/plain.js';
import { readOccupant, readOutcome, readRules } from '../model/read.js';
import { dateText } from '../text/time.js';
import { nameOf, resultText, rulesText } from '../text/words.js';
import { bdi, button, h, setText } from './dom.js';

export class GamesView {
  #app;
  #player = h('input', { type: 'search', 'aria-label': 'Games of a player',
    placeholder: 'Games of a player' });
  #rows = h('tbody', {});
  #note = h('p', { class: 'count', role: 'status' });
  #more;
  #last = '0';
  #search = 0; // the answer to an older one is not shown

  constructor(app) {
    this.#app = app;
    this.#more = button('Show more', () => this.#load(), { hidden: true });
    const mine = button('My games', () => {
      this.#player.value = plain(app.session.me);
      this.#begin();
    });
    const form = h('form', { class: 'row heading' }, h('h1', {}, 'Finished games'), mine, this.#player,
      h('button', { type: 'submit' }, 'Search'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#begin();
    });
    this.#rows.addEventListener('click', ({ target }) => {
      if (!target.closest('a')) target.closest('tr').querySelector('a').click();
    });
    const heads = ['Game', 'Ended', 'Board', 'X', 'O', 'Result'].map((text) =>
      h('th', { scope: 'col' }, text));
    this.element = h('div', { class: 'games' }, form,
      h('div', { class: 'card table', tabindex: 0, role: 'region', 'aria-label': 'Finished games' },
        h('table', {}, h('thead', {}, h('tr', {}, ...heads)), this.#rows)),
      this.#note, this.#more);
  }

  shown() {
    this.#begin();
  }

  update() {}

  #begin() {
    this.#rows.replaceChildren();
    this.#more.hidden = true;
    this.#last = '0';
    ++this.#search;
    return this.#load();
  }

  async #load() {
    const search = this.#search;
    setText(this.#note, 'Loading games …');
    try {
      const { gameList } = await this.#app.ask('listGames',
        { before: this.#last, player: this.#player.value.trim() });
      if (search === this.#search) this.#show(gameList ?? {});
    } catch (error) {
      if (search === this.#search) setText(this.#note, error.message);
    }
  }

  #show({ games = [], more = false }) {
    this.#rows.append(...games.map((game) => this.#row(game)));
    this.#last = games.at(-1)?.id ?? '0';
    this.#more.hidden = !more;
    const isEmpty = this.#rows.childElementCount === 0;
    setText(this.#note, !isEmpty ? '' : this.#player.value.trim() ? 'No finished games of this player.'
      : 'No finished games yet. Each game that ends here can be replayed.');
  }

  #row(game) {
    const seat = (sent) => h('td', {}, bdi(nameOf(readOccupant(sent))));
    return h('tr', {},
      h('td', {}, h('a', { href: `#/games/${game.id}`, 'aria-label': `Replay game ${game.id}` },
        game.id)),
      h('td', {}, dateText(game.endedUnixMs)), h('td', {}, rulesText(readRules(game.rules))),
      seat(game.x), seat(game.o), h('td', {}, resultText(readOutcome(game.outcome ?? {}))));
  }
}
