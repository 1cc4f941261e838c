// The form for an AI on a seat.

import { opponent } from '../model/room.js';
import { levelChoices, nameOf } from '../text/words.js';
import { showForm } from './dialogs.js';
import { button, field, h, select } from './dom.js';

/// Asks which AI plays for a side; one that plays there can be removed, too. If the player has that seat, the
/// player watches then.
export function chooseAi(app, mark) {
  const { limits, room } = app.session;
  const isMine = room.mySeat === mark;
  const seat = `MARK_${mark}`;
  const { kind, level: present } = room.seats[mark];
  const isThere = kind === 'ai';
  const level = select(levelChoices(limits), isThere ? present : limits.aiLevels?.[0]);
  const remove = () => {
    dialog.close();
    app.act('removeAi', { seat });
  };
  const dialog = showForm({
    title: isMine ? 'Let the AI take over, and watch' : `An AI plays ${mark}`,
    action: isMine ? 'Let it play' : isThere ? 'Change' : 'Add it',
    body: [field('Level', level), isThere && h('p', { class: 'note' }, button('Remove the AI', remove)), isMine && opponent(room).kind === 'person'
      ? h('p', { class: 'note' }, `You can't take the seat back while ${nameOf(opponent(room))} plays.`) : ''],
    submit: async () => {
      if (isThere && level.value === present) return;
      await app.session.request('addAi', { seat, level: level.value });
      if (isMine) app.gaveSeat = mark;
    },
  });
}
