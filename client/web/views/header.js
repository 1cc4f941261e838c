// The bar at the top: the server, where you can go, the connection, and who you are.

import { plain } from '../model/plain.js';
import { linkText, retryText } from '../text/link_words.js';
import { noAnswer } from '../text/standing.js';
import { bdi, button, glyph, h, setContent, setText } from './dom.js';

// The button beside the state of the connection.
const retryLabels = { waiting: 'Try now', ended: 'Continue here' };

export class Header {
  #app;
  #server = h('span', { class: 'server' });
  #links = {
    '#/': h('a', { href: '#/' }, 'Lobby'),
    '#/room': h('a', { href: '#/room', hidden: true }, 'Room'),
    '#/games': h('a', { href: '#/games' }, 'Games'),
  };
  #nav;
  #link = h('span', { class: 'link', role: 'status' });
  #retry;
  #me;

  constructor(app) {
    this.#app = app;
    this.#retry = button('', () => app.goOn(), { class: 'small', hidden: true });
    this.#me = button('', () => app.showPlayer(), { class: 'me plain', title: 'Name and account' });
    this.#nav = h('nav', { 'aria-label': 'Pages' }, ...Object.values(this.#links));
    this.element = h('header', {},
      h('a', { class: 'brand', href: '#/', 'aria-label': 'Lobby' }, glyph('X'), glyph('O')),
      this.#server, this.#nav, h('span', { class: 'space' }), this.#link, this.#retry, this.#me);
    setInterval(() => this.#showLink(), 500);
  }

  #showLink() {
    const { session } = this.#app;
    const { state } = session;
    const isLate = session.isUp && session.sentMove()?.isLate;
    const wait = session.nextTry - performance.now();
    const text = linkText(session) + (state === 'waiting' ? `. ${retryText(wait)}` : '');
    this.#link.dataset.state = isLate ? 'late' : state;
    setText(this.#link, isLate ? noAnswer : text);
    this.#link.hidden = state === 'idle';
    this.#retry.hidden = !Object.hasOwn(retryLabels, state);
    if (!this.#retry.hidden) setText(this.#retry, retryLabels[state]);
  }

  update() {
    const { session, shownPlace } = this.#app;
    const isIn = session.limits.maxSide !== undefined && session.state !== 'idle';
    setText(this.#server, session.serverName || 'tic-tac-toe');
    this.#nav.hidden = !isIn;
    this.#links['#/room'].hidden = session.room === null;
    for (const [target, link] of Object.entries(this.#links)) {
      if (shownPlace === target) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    this.#showLink();
    const me = plain(session.me);
    this.#me.hidden = !isIn;
    setContent(this.#me, bdi(me));
    this.#me.setAttribute('aria-label', `You are ${me}: name and account`);
  }
}
