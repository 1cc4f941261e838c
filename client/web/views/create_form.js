// The form for a new room, with every option that the server knows.

import { parseClock, parseDuration } from '../model/durations.js';
import { levelChoices, originText } from '../text/words.js';
import { field, h, limited, select } from './dom.js';
import { showForm } from './dialogs.js';

const sizes = [
  ['3x3x3', '3 × 3, the classic'],
  ['5x5x4', '5 × 5, 4 in a row'],
  ['9x9x5', '9 × 9, 5 in a row'],
  ['15x15x5', '15 × 15, 5 in a row (gomoku)'],
  ['50x50x5', '50 × 50, 5 in a row'],
  ['other', 'Custom size …'],
];
const clocks = [
  ['', 'No clock'], ['1m+1s', '1 min + 1 s a move'], ['3m+2s', '3 min + 2 s a move'],
  ['10m', '10 min a side'], ['30s/move', '30 s a move'], ['other', 'Custom clock …'],
];
const policies = [
  ['AWAY_FORFEIT', 'they lose after this time'],
  ['AWAY_HOLD', 'their seat is held'],
  ['AWAY_AI', 'an AI takes over after this time'],
];

const check = (label) => {
  const input = h('input', { type: 'checkbox' });
  return { input, element: h('label', { class: 'check' }, input, h('span', {}, label)) };
};

/// A list of choices, the last of which shows `other`; `readOther` reads that.
function choice(label, options, value, other, readOther) {
  const list = select(options, value);
  other.hidden = true;
  list.addEventListener('change', () => {
    // The focus stays, because the name of a choice may still be typed.
    other.hidden = list.value !== 'other';
  });
  return {
    element: h('div', {}, field(label, list), other),
    read: () => (list.value === 'other' ? readOther() : list.value),
  };
}

function sizeChoice({ minSide, maxSide }) {
  const number = (value) => h('input', { type: 'number', min: minSide, max: maxSide, required: true,
    value });
  const numbers = [number(7), number(7), number(5)];
  const other = h('div', { class: 'columns three' },
    ...['Rows', 'Columns', 'In a row'].map((label, i) => field(label, numbers[i])));
  return choice('Board', sizes, '3x3x3', other, () => numbers.map(({ value }) => value).join('x'));
}

function clockChoice() {
  const other = h('input', { placeholder: '5m+3s or 30s/move', 'aria-label': 'Custom clock' });
  return choice('Clock', clocks, '', other, () => other.value);
}

function readRules(text) {
  const [rows, cols, k] = text.split('x').map(Number);
  return { rows, cols, k };
}

function fail(message) {
  throw new Error(message);
}

function readTime(text) {
  if (text === '') return undefined;
  return parseClock(text) ??
    fail('Write a clock as 5m or 5m+3s for the whole game, or as 30s/move. Units: s, m, h.');
}

function readGrace(text) {
  if (text.trim() === '') return undefined;
  return parseDuration(text) ?? fail('Write a time such as 30s, 2m or 1h.');
}

/// `app` has session, and create(room, ai). With a `position`, {from, seat}, the room goes on with a
/// finished game; that side is to move.
export function showCreateForm(app, position = null) {
  const { session } = app;
  const proposed = app.freeName();
  const name = limited(h('input', { required: true, autocomplete: 'off', value: proposed }), session.limits.nameLength);
  const size = sizeChoice(session.limits);
  const ais = levelChoices(session.limits).map(([level, text]) => [level, `AI, ${text}`]);
  const opponent = select([['', 'a person'], ...ais], '');
  const seat = position
    ? select([['MARK_X', 'X'], ['MARK_O', 'O']], `MARK_${position.seat}`)
    : select([['MARK_X', 'X (moves first)'], ['MARK_O', 'O']], 'MARK_X');
  const clock = clockChoice();
  const exact = check('Longer lines don\'t win');
  const unlisted = check('Unlisted: friends need its name to join');
  const openSeats = check('People who join can take an AI\'s seat');
  const hints = check('Allow hints between two people');
  const password = h('input', { type: 'password', autocomplete: 'new-password' });
  const away = select(policies, 'AWAY_FORFEIT');
  const grace = h('input', { placeholder: '2m', autocomplete: 'off' });

  const body = [
    field('Name', name), position ? '' : size.element,
    field('Against', opponent),
    h('div', { class: 'columns' }, field('You play', seat), clock.element),
    h('details', {}, h('summary', {}, 'More options'),
      position ? '' : exact.element, openSeats.element, hints.element,
      unlisted.element,
      field('Password', password, 'Leave it empty to let anyone join.'),
      field('If a player disconnects', away),
      field('Time', grace, 'For example 30s or 2m. Leave it empty for the server\'s default.')),
  ];
  showForm({
    title: position ? `A new room ${originText(position.from)}` : 'Create a room',
    action: 'Create',
    body,
    submit: async () => {
      const rules = position ? null : readRules(size.read());
      const options = {
        time: readTime(clock.read()),
        away: away.value,
        graceMs: readGrace(grace.value),
        unlisted: unlisted.input.checked,
        openAiSeats: openSeats.input.checked,
        hints: hints.input.checked,
        ...(position && { from: position.from }),
      };
      await app.create({
        ...(name.value !== proposed && { name: name.value.trim() }),
        ...(rules && { rules: { ...rules, exact: exact.input.checked } }),
        password: password.value,
        seat: seat.value,
        options,
      }, opponent.value || null);
    },
  });
  // What is typed replaces the name that is proposed.
  name.select();
}
