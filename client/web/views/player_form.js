// Who you are on this server: another name, or an account.

import { plain } from '../model/plain.js';
import { field, h } from './dom.js';
import { showForm } from './dialogs.js';

export function showPlayer(app) {
  const { session, identity } = app;
  const name = h('input', { required: true, maxlength: 64, value: plain(session.me),
    autocomplete: 'nickname' });
  const password = h('input', { type: 'password', autocomplete: 'current-password' });
  showForm({
    title: 'You on this server',
    action: 'Change',
    body: [
      h('p', {}, 'With another name you are a new player: you leave your room.'),
      field('Name', name),
      field('Password of the account', password, 'Only if that name has an account here.'),
    ],
    submit: async () => {
      identity.name = name.value.trim();
      await session.goodbye();
      session.start({ account: password.value });
    },
  });
}
