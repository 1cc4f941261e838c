// How others come in: the address as text and for a camera, and the players who can be invited.

import { button, field, h } from './dom.js';
import { showForm } from './dialogs.js';

/// What `/join.txt` and `/join.svg` are asked for: the address of a room, or of the page.
export function joinQuery(location, room) {
  return [
    location.protocol === 'https:' && 'https',
    room && `room=${encodeURIComponent(room.wireName)}`,
  ].filter(Boolean).join('&');
}

async function linksOf(query) {
  const answer = await fetch(`/join.txt?${query}`).catch(() => null);
  return answer?.ok ? (await answer.text()).trim().split('\n') : [];
}

function copyField(value, label) {
  const input = h('input', { readonly: true, value });
  const copied = h('small', { role: 'status' });
  const copy = button('Copy', () => {
    input.select();
    // Over plain HTTP scripts have no other clipboard.
    copied.textContent = document.execCommand('copy') ? 'Copied.'
      : 'The browser did not copy it. The address is selected: copy it yourself.';
    copy.focus();
  });
  return [h('div', { class: 'row' }, field(label, input), copy), copied];
}

function codeOf(query) {
  const code = h('img', { class: 'code', src: `/join.svg?${query}`, width: 200, height: 200,
    alt: 'QR code of this address, for the camera of a phone',
    // A long name has none.
    on: { error: () => code.remove() } });
  return code;
}

// For guests in other places, if the server can be reached from there.
async function showOutside(query, place) {
  const outside = `${query}${query && '&'}outside`;
  const [best] = await linksOf(outside);
  if (!best) return;
  place.append(...copyField(best, 'For guests in other places'), codeOf(outside));
}

// The server knows by which addresses others reach it, if the page was loaded from this machine. Of
// several networks it can't know which one is theirs.
async function showAddress(query, input, note) {
  const [best, ...others] = await linksOf(query);
  if (!best) return;
  input.value = best;
  const { hostname } = new URL(best);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (others.length > 0) note.textContent = `On the server's other networks: ${others.join(', ')}`;
  note.hidden = !isLocal && others.length === 0;
}

/// The address as text and as a picture for a camera.
function addressFields(room, label) {
  const query = joinQuery(window.location, room);
  // Until the server has named a better one.
  const address = `${window.location.origin}/${room ? `#/join/${encodeURIComponent(room.wireName)}` : ''}`;
  const [row, copied] = copyField(address, label);
  const input = row.querySelector('input');
  const outside = h('div', { class: 'outside' });
  const note = h('p', { class: 'note', hidden: true }, 'This address works only on this ' +
    'computer: others can\'t reach the server.');
  showAddress(query, input, note);
  showOutside(query, outside);
  // Phones offer the programs in which people write to each other.
  const share = navigator.share && button('Share …', () =>
    navigator.share({ title: document.title, url: input.value }).catch(() => {}));
  if (share) row.append(share);
  return [row, copied, note, codeOf(query), outside];
}

export const invitationFields = (room) =>
  addressFields(room, 'Address of this room');

/// Invites into the room that the player is in, or to the server without one.
export function showInvitation(app, room) {
  if (!room) {
    return showForm({
      title: 'Invite others', cancel: '', action: 'Close',
      body: addressFields(null, 'Address of this server'),
      submit: () => {},
    });
  }
  const player = h('input', { autocomplete: 'off', required: true });
  return showForm({
    title: 'Invite somebody',
    cancel: 'Close',
    action: 'Invite',
    body: [
      ...invitationFields(room),
      field('Player on this server', player, 'The exact name. Invited players don\'t need the password of the room.'),
    ],
    submit: () => app.invite(player.value.trim()),
  });
}
