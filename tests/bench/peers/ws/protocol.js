// The messages between server.js and its clients. A request has one byte, or two if it is a move (the
// cell follows). An update has 11: its kind, the revision (4, little end first), phase, turn, whose
// act it tells of, the cell, the number of marks, and the winner.
export const requests = { move: 1, rematch: 2 };
export const kinds = { started: 1, moved: 2, asked: 3 };
export const phases = { playing: 1, finished: 2 };
export const nobody = 255;
