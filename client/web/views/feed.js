// What happened and what was said, with a line to say something.

import { bdi, h } from './dom.js';

const mostEntries = 300;

export class Feed {
  #list;
  #input;

  /// `say(text)` sends a line; the promise fails if it is refused.
  constructor(title, say) {
    this.#list = h('div', { class: 'feed', role: 'log', 'aria-label': title, tabindex: 0 });
    this.#input = h('input', { 'aria-label': 'Say something', placeholder: 'Say something …',
      autocomplete: 'off', maxlength: 1000 });
    const form = h('form', { class: 'say' }, this.#input, h('button', { type: 'submit' }, 'Say'));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const text = this.#input.value.trim();
      if (text === '') return;
      this.#input.value = '';
      // What was refused can be said again.
      await say(text).catch(() => { this.#input.value ||= text; });
    });
    this.element = h('div', { class: 'talk' }, this.#list, form);
  }

  clear() {
    this.#list.replaceChildren();
  }

  happened(text) {
    this.#add(h('p', { class: 'event' }, text));
  }

  said(line) {
    const name = h('b', {}, bdi(line.from), line.seat ? ` (${line.seat})` : '');
    this.#add(h('p', { class: 'chat', 'data-from': line.from }, name, ': ', bdi(line.text)));
  }

  /// Leaves out what somebody has said.
  hide(name) {
    for (const entry of this.#list.querySelectorAll('[data-from]')) {
      if (entry.dataset.from === name) entry.remove();
    }
  }

  #add(entry) {
    const atEnd = this.#list.scrollHeight - this.#list.scrollTop - this.#list.clientHeight < 40;
    this.#list.append(entry);
    while (this.#list.childElementCount > mostEntries) this.#list.firstElementChild.remove();
    if (atEnd) this.#list.scrollTop = this.#list.scrollHeight;
  }
}
