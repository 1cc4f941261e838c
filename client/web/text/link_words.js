// The connection in words.

import { isolated, plain } from '../model/plain.js';
import { durationText } from './time.js';
import { quoted } from './words.js';

const states = {
  connecting: 'connecting …',
  greeting: 'connecting …',
  received: 'waiting for the server\'s disk …',
  'catching-up': 'connected',
  up: 'connected',
  waiting: 'connection lost',
  ended: 'disconnected',
};

export function linkText({ state, hasConnected }) {
  return state === 'waiting' && !hasConnected ? 'not connected' : states[state] ?? '';
}

/// For a browser that has loaded the page and does not connect.
export const refusedSocketText = 'This browser shows the page but refuses the encrypted connection ' +
  'for the game. Open this address in another browser, such as Chrome or Firefox. If this is your ' +
  'server: start it with --tls-cert and a certificate that browsers trust.';

/// For a page that has no connection for some time.
export const unknownKeyText = 'The server does not answer, or its certificate has changed since this ' +
  'page was loaded. Reload the page: the browser asks about a new certificate.';

/// For a browser that does not connect to the server to which it was sent.
export function unreachableText(page) {
  return `You were moved to another server of this lobby, ${page}, and this browser can't connect ` +
    'to it. The browser may not trust its certificate: open that address once and accept the ' +
    'certificate. This page then continues by itself.';
}

/// "Trying again in 3 s."
export function retryText(ms) {
  return `Trying again in ${Math.max(1, Math.ceil(ms / 1000))} s.`;
}

/// Why the server has not taken the player in, or has put it out.
export function refusalText(error, name) {
  const reason = plain(error.message, 500);
  switch (error.code) {
    case 'CODE_REPLACED':
      return 'You are playing in another tab or window of this browser. You can continue here instead.';
    case 'CODE_INVALID_NAME':
      return `The server does not accept the name ${quoted(name)}: ${reason}`;
    case 'CODE_SERVER_PASSWORD':
      return 'This server has a password. Ask its owner for it.';
    case 'CODE_ACCOUNT_PASSWORD':
      return `Wrong password for the account ${quoted(name)}.`;
    default:
      return reason || 'The server has closed the connection.';
  }
}

/// Why a new player is not called as it was wanted, or ''.
export function nameText(welcome, wanted) {
  const me = plain(welcome.playerName);
  if (welcome.resumed || me === wanted) return '';
  return plain(welcome.nameNote, 300) ||
    `Your name here is ${isolated(me)}: another player has the name ${quoted(wanted)}.`;
}

/// The other notices of a welcome. nameText() has the one about the player's name.
export function welcomeTexts({ welcome, back, lostRoom }, { hadToken }) {
  const texts = [];
  const me = plain(welcome.playerName);
  if (back) {
    texts.push(`Back on the server as ${isolated(me)}${welcome.resumed ? '.'
      : ', but the server no longer knows you: you are a new player.'}`);
  } else if (hadToken && !welcome.resumed) {
    texts.push('This server has not met you before: you are a new player.');
  }
  if (lostRoom) texts.push(`You lost your seat in the room ${quoted(lostRoom)}.`);
  return texts;
}

export function noticeText(notice) {
  if (notice.kind !== 'KIND_DRAINING') return `The server says: ${plain(notice.message, 500)}`;
  const within = notice.withinMs > 0
    ? `, and running games have ${durationText(notice.withinMs)} left` : '';
  return `The server will stop soon: no new games can start${within}.`;
}
