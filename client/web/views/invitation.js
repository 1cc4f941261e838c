// Inviting others: links as text and as a QR code, and players who can be invited by name.

import { button, field, h, setText } from './dom.js';
import { showForm } from './dialogs.js';

// The router may give the server another address.
const askAgainMs = 10000;

function linkField(label) {
  const input = h('input', { readonly: true });
  const copied = h('small', { role: 'status' });
  const copy = button('Copy', () => {
    input.select();
    // Over plain HTTP scripts have no other clipboard.
    copied.textContent = document.execCommand('copy') ? 'Copied.'
      : 'The browser could not copy the address. It is selected, so you can copy it.';
    copy.focus();
  });
  // Phones offer the programs in which people write to each other.
  const share = navigator.share && button('Share …', () =>
    navigator.share({ title: document.title, url: input.value }).catch(() => {}));
  return { input, elements: [h('div', { class: 'row' }, field(label, input), copy, share), copied] };
}

// The server knows by which addresses others reach it, if the page was loaded from its machine. Of several
// networks it can't know which one is theirs.
function noteText([best, ...others]) {
  if (others.length > 0) return `On the server's other networks: ${others.join(', ')}`;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(best).hostname);
  return isLocal ? 'This address works only on this computer: others can\'t reach the server.' : '';
}

// The best link that the server names for a query, with its QR code. Follows its changes while it is on the
// page. Hidden if there is none; `first` is shown until the server has answered.
function linkOf(query, label, first = '') {
  const { input, elements } = linkField(label);
  const note = h('p', { class: 'note' });
  const code = h('img', { class: 'code', width: 200, height: 200,
    alt: 'QR code of this address, for the camera of a phone',
    // A long link has none.
    on: { error: () => { code.hidden = true; }, load: () => { code.hidden = false; } } });
  const element = h('div', {}, ...elements, note, code);
  const show = (link) => {
    element.hidden = link === '';
    if (link === '' || link === input.value) return;
    input.value = link;
    // The fragment is not sent; it makes the browser load the picture again.
    code.src = `/join.svg?${query}#${encodeURIComponent(link)}`;
  };
  const ask = async () => {
    const answer = await fetch(`/join.txt?${query}`).catch(() => null);
    if (!answer?.ok) return;
    const links = (await answer.text()).split('\n').filter(Boolean);
    show(links[0] ?? '');
    if (first) setText(note, noteText(links));
  };
  show(first);
  ask();
  const timer = setInterval(() => {
    if (!element.isConnected) clearInterval(timer);
    else if (!document.hidden) ask();
  }, askAgainMs);
  return element;
}

/// The addresses of a room, or without one of the server: for guests on its networks and elsewhere.
export function addressFields(room) {
  const name = room && encodeURIComponent(room.wireName);
  const query = [window.location.protocol === 'https:' && 'https', room && `room=${name}`].filter(Boolean);
  const address = `${window.location.origin}/${room ? `#/join/${name}` : ''}`;
  return [
    linkOf(query.join('&'), `Address of this ${room ? 'room' : 'server'}`, address),
    linkOf([...query, 'outside'].join('&'), 'For guests on other networks'),
  ];
}

/// Invites into the room that the player is in, or to the server without one.
export function showInvitation(app, room) {
  if (!room) {
    return showForm({
      title: 'Invite others', cancel: '', action: 'Close', body: addressFields(null), submit: () => {},
    });
  }
  const player = h('input', { autocomplete: 'off', required: true });
  return showForm({
    title: 'Invite someone',
    cancel: 'Close',
    action: 'Invite',
    body: [
      ...addressFields(room),
      field('Player on this server', player, 'The exact name. Invited players don\'t need the room\'s password.'),
    ],
    submit: () => app.invite(player.value.trim()),
  });
}
