// The form for an AI on a seat.

import { opponent } from '../model/room.js';
import { nameOf } from '../text/words.js';
import { showForm } from './dialogs.js';
import { field, h, select } from './dom.js';

const byStrength = ['random', 'suggester', 'strong', 'perfect'];

/// The names of all AIs, the weakest first; programs that play, after them.
export function levelsOf({ aiLevels = [] }) {
  const rank = (name) => byStrength.indexOf(name) >>> 0;
  return [...aiLevels].sort((a, b) => rank(a) - rank(b));
}

/// Asks which AI plays for a side. If the player has that seat, the player watches then.
export function chooseAi(app, mark) {
  const { limits, room } = app.session;
  const isMine = room.mySeat === mark;
  const level = select(levelsOf(limits).map((name) => [name, name]), limits.aiLevels?.[0]);
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
