// Times in words and on clocks.

const units = [[86400000, ' days'], [3600000, ' h'], [60000, ' min'], [1000, ' s']];

const amount = (count, word) => (count === 1 && word === ' days' ? '1 day' : `${count}${word}`);

/// "2 min 5 s", "1.5 s".
export function durationText(ms) {
  if (ms < 10000 && ms % 1000 !== 0) return `${(Math.round(ms / 100) / 10).toFixed(1)} s`;
  for (let i = 0; i + 1 < units.length; ++i) {
    const [size, word] = units[i];
    if (ms < size) continue;
    const rest = Math.floor((ms % size) / units[i + 1][0]);
    const text = amount(Math.floor(ms / size), word);
    return rest === 0 ? text : `${text} ${amount(rest, units[i + 1][1])}`;
  }
  return amount(Math.floor(ms / 1000), ' s');
}

/// "5:03", "1:00:00", and in the last ten seconds "0:09.4".
export function clockText(ms) {
  if (ms < 10000) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(ms / 1000);
  const two = (number) => String(number).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const tail = `:${two(seconds % 60)}`;
  return minutes < 60 ? minutes + tail : `${Math.floor(minutes / 60)}:${two(minutes % 60)}${tail}`;
}

/// "5 min + 3 s a move"; empty if there is no clock.
export function timeControlText({ moveMs, gameMs, incrementMs }) {
  if (moveMs > 0) return `${durationText(moveMs)} a move`;
  if (gameMs === 0) return '';
  return durationText(gameMs) + (incrementMs > 0 ? ` + ${durationText(incrementMs)} a move` : '');
}

/// "2026-11-21 03:51", in the reader's time zone.
export function dateText(unixMs) {
  const date = new Date(Number(unixMs ?? 0));
  if (!(date.getTime() > 0)) return '';
  const two = (number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
    `${two(date.getHours())}:${two(date.getMinutes())}`;
}
