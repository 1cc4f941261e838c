// Short messages at the edge of the page, and what screen readers are told beside the room's log.

import { button, calmButton, h } from './dom.js';

const lifetime = 7000;

// At once, or when the person looks at the page again.
function whenSeen(act) {
  if (!document.hidden) return act();
  document.addEventListener('visibilitychange', () => whenSeen(act), { once: true });
}

export class Toasts {
  element = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });

  /// Shows a text once; with `actions` ({text: act}) it stays until one is chosen. Returns a function
  /// that takes it away.
  show(text, actions = null) {
    const shown = [...this.element.children].find((one) => one.firstChild.textContent === text);
    if (shown && actions) return () => shown.remove();
    shown?.remove();
    const end = () => toast.remove();
    const buttons = Object.entries(actions ?? {}).map(([label, act]) =>
      calmButton(label, () => { end(); act(); }));
    const toast = h('div', { class: 'toast' }, h('span', {}, text),
      button('×', end, { class: 'plain', 'aria-label': 'Dismiss' }),
      actions && h('div', { class: 'row' }, ...buttons));
    this.element.append(toast);
    if (!actions) whenSeen(() => setTimeout(end, lifetime));
    while (this.element.childElementCount > 4) this.element.firstElementChild.remove();
    return end;
  }
}
