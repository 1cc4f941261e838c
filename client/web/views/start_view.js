// The first view: who are you? Also after a name or a password was refused.

import { refusalText } from '../text/link_words.js';
import { field, glyph, h, setText } from './dom.js';

export class StartView {
  #app;
  #name;
  #server = h('input', { type: 'password', autocomplete: 'off' });
  #account = h('input', { type: 'password', autocomplete: 'current-password' });
  #problem = h('p', { class: 'problem', role: 'alert' });
  #enter = h('button', { type: 'submit', class: 'primary large' });

  constructor(app) {
    this.#app = app;
    this.#name = h('input', {
      name: 'name', autocomplete: 'nickname', required: true, maxlength: 64,
      value: app.identity.name, placeholder: 'for example Ann',
    });
    const more = h('details', {}, h('summary', {}, 'Passwords'),
      field('Password of the server', this.#server, 'Only if it has one.'),
      field('Password of your account', this.#account, 'Only if your name has an account here.'));
    this.more = more;
    this.element = h('section', { class: 'start card' },
      h('div', { class: 'marks' }, glyph('X'), glyph('O'), glyph('X')),
      h('h1', {}, 'Tic-tac-toe'),
      h('p', {}, 'Play with everybody on this server, or against the computer. '
        + 'From 3 × 3 to 1,000 × 1,000.'),
      h('form', { on: { submit: (event) => this.#submit(event) } },
        field('Your name', this.#name), more, this.#problem,
        this.#enter));
  }

  #submit(event) {
    event.preventDefault();
    this.#problem.textContent = '';
    this.#app.identity.name = this.#name.value.trim();
    this.#app.session.start({ server: this.#server.value, account: this.#account.value });
  }

  refused(error) {
    this.#problem.textContent = refusalText(error, this.#app.identity.name);
    if (error.code !== 'CODE_INVALID_NAME') this.more.open = true;
  }

  update() {
    const isWaiting = !['idle', 'ended'].includes(this.#app.session.state);
    this.#enter.disabled = isWaiting;
    setText(this.#enter, isWaiting ? 'Waiting for the server …' : 'Come in');
  }

  shown() {
    this.#name.focus();
  }
}
