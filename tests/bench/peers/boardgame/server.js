// Tic-tac-toe as in boardgame.io's tutorial, on its server. Listens on a port that the system
// chooses and prints it.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { INVALID_MOVE } = require('boardgame.io/core');
const { Server } = require('boardgame.io/server');

const lines = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
];

const is_victory = (cells) => lines.some(([first, ...others]) =>
  cells[first] !== null && others.every((at) => cells[at] === cells[first]));

const TicTacToe = {
  name: 'tic-tac-toe',
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, id) => {
      if (G.cells[id] !== null) return INVALID_MOVE;
      G.cells[id] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    if (is_victory(G.cells)) return { winner: ctx.currentPlayer };
    if (G.cells.every((cell) => cell !== null)) return { draw: true };
  },
};

const server = Server({ games: [TicTacToe], origins: [] });
// Its "port" goes to net.Server.listen() as it is, which takes an address too.
const { appServer } = await server.run({ port: { port: 0, host: '127.0.0.1' } });
console.log(appServer.address().port);
