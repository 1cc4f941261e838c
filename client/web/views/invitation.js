// How others come into the room: its address, and the players who can be invited.

import { button, field, h } from './dom.js';
import { showForm } from './dialogs.js';

/// The address with which a browser comes into the room.
export function roomAddress(location, room) {
  return `${location.origin}/#/join/${encodeURIComponent(room.wireName)}`;
}

export function showInvitation(app) {
  const { room } = app.session;
  const address = h('input', { readonly: true, value: roomAddress(window.location, room) });
  const player = h('input', { autocomplete: 'off' });
  const copy = button('Copy', async () => {
    address.select();
    // Over plain HTTP there is no clipboard for scripts, but the selection can be copied by hand.
    await navigator.clipboard?.writeText(address.value).catch(() => {});
  });
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(window.location.hostname);
  showForm({
    title: 'Invite somebody',
    cancel: 'Close',
    action: 'Invite',
    body: [
      h('div', { class: 'row' }, field('Address of this room', address,
        isHere ? 'This works on this machine only: others need its address in your network.' : ''),
      copy),
      field('A player who is here', player, 'The exact name. The player needs no password.'),
    ],
    submit: async () => {
      if (player.value.trim()) await app.session.request('invite', { player: player.value.trim() });
    },
  });
}
