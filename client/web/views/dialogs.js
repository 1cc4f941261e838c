// Dialogs: small questions, and the frame of larger forms.

import { button, field, h } from './dom.js';

/// Shows a form in a dialog. `submit` may throw or reject with a message for people; otherwise the
/// dialog is closed. `style` is that of the button that submits.
export function showForm({ title, body, action, submit, cancel = 'Cancel', style = 'primary' }) {
  const problem = h('p', { class: 'problem', role: 'alert' });
  const heading = h('h2', { id: `dialog-${title.replace(/\W/g, '-')}` }, title);
  const dialog = h('dialog', { 'aria-labelledby': heading.id });
  const close = () => dialog.close();
  const confirm = h('button', { type: 'submit', class: style }, action);
  const form = h('form', { method: 'dialog' }, heading, ...body.filter(Boolean), problem,
    h('div', { class: 'row end' }, cancel && button(cancel, close), confirm));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const focused = document.activeElement;
    confirm.disabled = true;
    try {
      await submit();
      close();
    } catch (error) {
      problem.textContent = error.message;
    } finally {
      confirm.disabled = false;
      // A button that is disabled loses the focus.
      if (dialog.open) focused.focus();
    }
  });
  dialog.append(form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/// Whether the person gives something up.
export function ask(question, action, cancel = 'Cancel') {
  return new Promise((resolve) => {
    let answer = false;
    const dialog = showForm({
      title: question, body: [], action, cancel, style: 'danger', submit: () => { answer = true; },
    });
    dialog.addEventListener('close', () => resolve(answer));
  });
}

/// Asks for the password of a room, until `enter(password)` succeeds.
export function askPassword(title, action, enter) {
  const input = h('input', { type: 'password', autocomplete: 'off', required: true });
  showForm({ title, action, body: [field('Password', input)], submit: () => enter(input.value) });
}
