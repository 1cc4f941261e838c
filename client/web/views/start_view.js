// The first view: who are you? Also after a name or a password was refused.

import { plain } from '../model/plain.js';
import { refusalText } from '../text/link_words.js';
import { nameOf, quoted, rulesText } from '../text/words.js';
import { field, glyph, h, limited, setText } from './dom.js';

// What somebody who follows a link to a room finds there.
function invitationText({ serverName, room }, wireName) {
  if (!room) return `This server does not list a room called ${quoted(plain(wireName))}.`;
  const people = ['X', 'O'].map((mark) => room.seats[mark]).filter(({ kind }) => kind !== 'open')
    .map(nameOf).join(' and ');
  const where = `in the room ${quoted(room.name)} (${rulesText(room.rules)})` +
    (serverName && ` on ${serverName}`);
  if (!people) return `You are invited to play ${where}.`;
  return room.phase === 'waiting' ? `${people} is waiting for you ${where}.`
    : `${people} play ${where}.`;
}

const guestName = () => `Guest ${100 + Math.floor(900 * Math.random())}`;

export class StartView {
  #app;
  #name;
  #server = h('input', { type: 'password', autocomplete: 'off' });
  #account = h('input', { type: 'password', autocomplete: 'current-password' });
  #problem = h('p', { class: 'problem', role: 'alert' });
  #enter = h('button', { type: 'submit', class: 'primary large' });
  #invitation = h('p', { class: 'invitation', role: 'status' });
  #peeked = ''; // the room of #invitation

  constructor(app) {
    this.#app = app;
    this.#name = limited(h('input', {
      name: 'name', autocomplete: 'nickname', required: true,
      value: app.identity.name || (app.wantedRoom && guestName()), placeholder: 'for example Ann',
    }), 24);
    const more = h('details', { hidden: true }, h('summary', {}, 'Passwords'),
      field('Server password', this.#server, 'Only if it has one.'),
      field('Account password', this.#account, 'Only if your name has an account here.'));
    this.more = more;
    this.element = h('section', { class: 'start card' },
      h('div', { class: 'marks' }, glyph('X'), glyph('O'), glyph('X')),
      h('h1', {}, 'Tic-tac-toe'),
      this.#invitation,
      app.wantedRoom ? '' : h('p', {}, 'Play with everyone on this server, or against the computer. '
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
    if (error.code !== 'CODE_INVALID_NAME') Object.assign(this.more, { hidden: false, open: true });
  }

  update() {
    this.#peek(this.#app.wantedRoom);
    const isWaiting = !['idle', 'ended'].includes(this.#app.session.state);
    this.#enter.disabled = isWaiting;
    setText(this.#enter, isWaiting ? 'Waiting for the server …' : this.#app.wantedRoom ? 'Play' : 'Enter');
  }

  shown() {
    // With a proposed name there is nothing to type, and no keyboard that would cover the page.
    if (this.#app.wantedRoom) this.#enter.focus();
    else this.#name.focus();
  }

  // Says what the room of a link is. Another link may follow.
  async #peek(wireName) {
    if (this.#peeked === wireName) return;
    this.#peeked = wireName;
    setText(this.#invitation, `You are invited to the room ${quoted(plain(wireName))}.`);
    const found = await this.#app.session.peek(wireName, this.#name.value).catch(() => null);
    if (found && this.#peeked === wireName) setText(this.#invitation, invitationText(found, wireName));
  }
}
