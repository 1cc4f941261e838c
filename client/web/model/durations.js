// Times as people type them, the same as in the console client.

const units = { d: 86400000, h: 3600000, m: 60000, s: 1000 };

/// Milliseconds of 30s, 5m or 1h30m, or null.
export function parseDuration(text) {
  const match = /^\s*(?:(\d+)d)?\s*(?:(\d+)h)?\s*(?:(\d+)m)?\s*(?:(\d+)s)?\s*$/i
    .exec(text.normalize('NFKC'));
  if (!match || !match.slice(1).some(Boolean)) return null;
  const ms = ['d', 'h', 'm', 's']
    .map((unit, i) => Number(match[i + 1] ?? 0) * units[unit])
    .reduce((sum, part) => sum + part, 0);
  return ms <= 0xffffffff ? ms : null;
}

/// The TimeControl of 5m, 5m+3s or 30s/move, or null.
export function parseClock(typed) {
  const text = typed.normalize('NFKC');
  const perMove = /^(.*)\/\s*move\s*$/i.exec(text);
  if (perMove) {
    const moveMs = parseDuration(perMove[1]);
    return moveMs === null ? null : { moveMs };
  }
  const [game, increment, rest] = text.split('+');
  const gameMs = parseDuration(game);
  const incrementMs = increment === undefined ? 0 : parseDuration(increment);
  if (rest !== undefined || gameMs === null || incrementMs === null) return null;
  return { gameMs, incrementMs };
}
