// The form for an AI on a seat.

import { opponent } from '../model/room.js';
import { levelText, nameOf } from '../text/words.js';
import { showForm } from './dialogs.js';
import { field, h, select } from './dom.js';

/// The names of all AIs: the graded ones by strength, then the others in the server's order.
export function levelsOf({ aiLevels = [] }) {
  const rank = (name) => (/^[1-8]$/.test(name) ? Number(name) : 9);
  return [...aiLevels].sort((a, b) => rank(a) - rank(b));
}

/// Asks which AI plays for a side. If the player has that seat, the player watches then.
export function chooseAi(app, mark) {
  const { limits, room } = app.session;
  const isMine = room.mySeat === mark;
  const level = select(levelsOf(limits).map((name) => [name, levelText(name)]), limits.aiLevels?.[0]);
  showForm({
    title: isMine ? 'Let the AI take over, and watch' : `An AI plays ${mark}`,
    action: isMine ? 'Let it play' : 'Add it',
    body: [field('Level', level), isMine && opponent(room).kind === 'person'
      ? h('p', { class: 'note' }, `You can't take the seat back while ${nameOf(opponent(room))} plays.`) : ''],
    submit: async () => {
      await app.session.request('addAi', { seat: `MARK_${mark}`, level: level.value });
      if (isMine) app.gaveSeat = mark;
    },
  });
}
