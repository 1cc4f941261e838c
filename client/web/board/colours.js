// The colours of the board, from the style sheet, so that they follow light and dark.

const names = {
  board: '--board', line: '--board-line', label: '--muted', ink: '--ink', x: '--x', o: '--o',
  xDot: '--x-dot', oDot: '--o-dot',
  last: '--last', hover: '--hover', cursor: '--cursor', win: '--win', frame: '--line',
};

export function readColours(element) {
  const style = getComputedStyle(element);
  const read = ([key, variable]) => [key, style.getPropertyValue(variable).trim()];
  return Object.fromEntries(Object.entries(names).map(read));
}
