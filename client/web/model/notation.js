// Places on the board as people write them: columns are letters, rows are numbers from 1 (c2).

export function columnName(col) {
  let name = '';
  for (let rest = col + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(97 + ((rest - 1) % 26)) + name;
  }
  return name;
}

export const cellName = ({ row, col }) => `${columnName(col)}${row + 1}`;

/// The cell of a name such as c2, or null.
export function parseCellName(text) {
  const match = /^([a-z]{1,3})([1-9][0-9]{0,5})$/i.exec(text.trim());
  if (!match) return null;
  let col = 0;
  for (const letter of match[1].toLowerCase()) col = col * 26 + letter.charCodeAt(0) - 96;
  return { row: Number(match[2]) - 1, col: col - 1 };
}
