// Who you are on this server: another name, or an account.

import { plain } from '../model/plain.js';
import { refusalText } from '../text/link_words.js';
import { quoted } from '../text/words.js';
import { ask, showForm } from './dialogs.js';
import { field, h, limited } from './dom.js';

const secret = (autocomplete) => h('input', { type: 'password', autocomplete });

/// `ofAccount`: the name of an account to log in, or ''.
export function showPlayer(app, ofAccount) {
  const { session } = app;
  const name = limited(h('input', { required: true, value: ofAccount || plain(session.me), autocomplete: 'nickname' }),
    session.limits.nameLength);
  const account = secret('current-password');
  const server = secret('off');
  const serverField = field('Server password', server);
  serverField.hidden = true;

  // Nothing is given up before the server has taken in the new player.
  const become = async (wanted) => {
    const passwords = { account: account.value, ...(server.value && { server: server.value }) };
    try {
      app.tellName(await session.become(wanted, passwords), wanted);
    } catch (error) {
      if (error.code === 'CODE_SERVER_PASSWORD') serverField.hidden = false;
      throw new Error(refusalText(error, wanted));
    }
  };

  showForm({
    title: 'Your name and account',
    action: 'Change',
    body: [
      h('p', {}, 'With another name you are a new player, and leave your room.'),
      field('Name', name),
      field('Account password', account, 'Only if that name has an account here.'),
      serverField,
    ],
    submit: async () => {
      const wanted = name.value.trim();
      if (wanted === plain(session.me) && !account.value) return;
      const { room } = session;
      const question = room?.mySeat && `Give up your seat in the room ${quoted(room.name)}?`;
      if (question && session.isUp && !(await ask(question, 'Give it up'))) {
        throw new Error('You keep your seat.');
      }
      await become(wanted);
    },
  });
  if (ofAccount) account.focus();
}
