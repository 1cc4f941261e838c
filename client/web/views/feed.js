// What happened and what was said, with a line to say something.

import { bdi, button, h, limited, setText } from './dom.js';

const mostEntries = 300;

export class Feed {
  #list;
  #input;
  #isInSight = true;
  #unread = 0;

  /// Says how many lines were said while the feed was out of sight, and goes there. On a phone it is
  /// below the board. Hidden if there are none.
  unreadButton = button('', () => this.#goToList(), { class: 'unread', hidden: true });

  /// `say(text)` sends a line of at most `most` characters; the promise fails if it is refused. `empty` is shown
  /// while the feed is empty.
  constructor(title, most, say, empty = '') {
    this.#list = h('div', { class: 'feed', role: 'log', 'aria-label': title, tabindex: 0, 'data-empty': empty });
    this.#input = limited(h('input', { 'aria-label': 'Say something', placeholder: 'Say something …',
      autocomplete: 'off' }), most);
    const form = h('form', { class: 'say' }, this.#input, h('button', { type: 'submit' }, 'Send'));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const text = this.#input.value.trim();
      if (text === '') return;
      this.#input.value = '';
      // What was refused can be said again.
      await say(text).catch(() => { this.#input.value ||= text; });
    });
    this.element = h('div', { class: 'talk' }, this.#list, form);
    new IntersectionObserver((changes) => {
      this.#isInSight = changes.at(-1).intersectionRatio >= 0.5;
      if (this.#isInSight) this.#countUnread(0);
    }, { threshold: 0.5 }).observe(this.#list);
  }

  clear() {
    this.#list.replaceChildren();
    this.#countUnread(0);
  }

  happened(text) {
    this.#add(h('p', { class: 'event' }, text));
  }

  said(line) {
    const name = h('b', {}, bdi(line.from), line.seat ? ` (${line.seat})` : '');
    this.#add(h('p', { class: 'chat', 'data-from': line.from }, name, ': ', bdi(line.text)));
    if (!this.#isInSight) this.#countUnread(this.#unread + 1);
  }

  /// Leaves out what somebody has said.
  hide(name) {
    for (const entry of this.#list.querySelectorAll('[data-from]')) {
      if (entry.dataset.from === name) entry.remove();
    }
  }

  #goToList() {
    this.#list.scrollIntoView({ block: 'center' });
    this.#list.focus({ preventScroll: true });
  }

  #countUnread(count) {
    this.#unread = count;
    this.unreadButton.hidden = count === 0;
    setText(this.unreadButton, `Chat (${count})`);
  }

  #add(entry) {
    const atEnd = this.#list.scrollHeight - this.#list.scrollTop - this.#list.clientHeight < 40;
    this.#list.append(entry);
    while (this.#list.childElementCount > mostEntries) this.#list.firstElementChild.remove();
    if (atEnd) this.#list.scrollTop = this.#list.scrollHeight;
  }
}
