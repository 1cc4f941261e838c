// Which move decided a game that is over: solves its last positions, from the end on. The only place of
// the page that knows the rules, and nothing but a comment on the game depends on it.

const mostCells = 16;
const mostPositions = 20000; // a tenth of a second, also on a phone

const directions = [[0, 1], [1, 0], [1, 1], [1, -1]];

/// {ply, before, after}: the last move after which best play leads to another side's win ('X', 'O', or ''
/// for a draw) than before it. `ply` is -1 if there is none. Null if that is too hard to work out.
export function decisionOf({ rows, cols, cells: shown, moves }, { k, exact }) {
  if (rows * cols > mostCells) return null;
  const cells = shown.slice();
  const known = new Map();

  const hasLine = (at) => directions.some(([down, across]) => {
    const reach = (sign) => {
      let [row, col, length] = [Math.floor(at / cols), at % cols, -1];
      for (; row >= 0 && row < rows && col >= 0 && col < cols &&
        cells[row * cols + col] === cells[at]; ++length) {
        row += sign * down;
        col += sign * across;
      }
      return length;
    };
    const length = reach(1) + reach(-1) + 1;
    return exact ? length === k : length >= k;
  });

  // For the side to move: 1 wins, 0 is a draw.
  const solve = (side, empty) => {
    if (empty === 0) return 0;
    const key = cells.reduce((sum, code) => 3 * sum + code, 0);
    if (known.has(key)) return known.get(key);
    if (known.size >= mostPositions) throw new RangeError();
    let best = -1;
    for (let at = 0; at < cells.length && best < 1; ++at) {
      if (cells[at] !== 0) continue;
      cells[at] = side;
      best = Math.max(best, hasLine(at) ? 1 : -solve(3 - side, empty - 1));
      cells[at] = 0;
    }
    known.set(key, best);
    return best;
  };

  const starter = shown[moves[0]];
  const winnerAfter = (ply) => {
    const side = ply % 2 === 0 ? starter : 3 - starter;
    const isWon = ply > 0 && hasLine(moves[ply - 1]);
    const value = isWon ? -1 : solve(side, cells.length - ply);
    return ['', 'X', 'O'][value === 0 ? 0 : value === 1 ? side : 3 - side];
  };

  try {
    if (moves.length === 0) return { ply: -1, after: '' };
    const after = winnerAfter(moves.length);
    for (let ply = moves.length - 1; ply >= 0; --ply) {
      cells[moves[ply]] = 0;
      const before = winnerAfter(ply);
      if (before !== after) return { ply, before, after };
    }
    return { ply: -1, after };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
