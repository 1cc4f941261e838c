// The two sides. In the model a side is 'X', 'O', or '' for nobody.

export const marks = ['X', 'O'];

export const readMark = (name) => (name === 'MARK_X' ? 'X' : name === 'MARK_O' ? 'O' : '');
export const writeMark = (mark) => (mark ? `MARK_${mark}` : 'MARK_NONE');
export const other = (mark) => (mark === 'X' ? 'O' : mark === 'O' ? 'X' : '');
/// The side that plays the move after `ply` moves.
export const sideAt = (starter, ply) => (ply % 2 === 0 ? starter : other(starter));
