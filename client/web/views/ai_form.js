// The form for an AI on a seat.

import { showForm } from './dialogs.js';
import { field, select } from './dom.js';

/// Asks which AI plays for a side. If the player has that seat, the player watches then.
export function chooseAi(app, mark) {
  const { limits, room } = app.session;
  const isMine = room.mySeat === mark;
  const levels = limits.aiLevels ?? [];
  const level = select(levels.map((name) => [name, name]), levels[0]);
  showForm({
    title: isMine ? 'The AI takes over from you, and you watch' : `An AI plays ${mark}`,
    action: isMine ? 'Let it play' : 'Add it',
    body: [field('Level', level)],
    submit: () => app.session.request('addAi', { seat: `MARK_${mark}`, level: level.value }),
  });
}
