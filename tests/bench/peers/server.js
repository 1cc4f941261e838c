// Tic-tac-toe as in Colyseus' own example (colyseus-tic-tac-toe), tuned: no patch interval, the
// state is sent right after each change. Listens on a port that the system chooses and prints it.
import { Room, Server } from '@colyseus/core';
import { schema, t } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';

const width = 3;
const directions = [[1, 0], [0, 1], [1, 1], [1, -1]];

const State = schema({
  currentTurn: t.string(),
  players: t.map('boolean'),
  board: t.array('number'),
  winner: t.string(),
  draw: t.boolean(),
  rematch: t.string(),  // who has asked for another game; the example has one game only
}, 'State');

class TicTacToe extends Room {
  maxClients = 2;
  patchRate = null;

  onCreate() {
    this.state = new State();
    this.state.board.push(...new Array(width * width).fill(0));
    this.onMessage('action', (client, { x, y }) => this.action(client, x, y));
    this.onMessage('rematch', (client) => this.rematch(client));
  }

  onJoin(client) {
    this.state.players.set(client.sessionId, true);
    if (this.state.players.size === 2) this.begin(client.sessionId);
    this.broadcastPatch();
  }

  onLeave() {
    this.disconnect();
  }

  action(client, x, y) {
    const { state } = this;
    if (state.winner || state.draw || client.sessionId !== state.currentTurn) return;
    const on_board = (at) => Number.isInteger(at) && at >= 0 && at < width;
    if (!on_board(x) || !on_board(y) || state.board[x + width * y] !== 0) return;
    const [first] = state.players.keys();
    const mark = client.sessionId === first ? 1 : 2;
    state.board[x + width * y] = mark;
    if (this.wins(x, y, mark)) state.winner = client.sessionId;
    else if (state.board.every((cell) => cell !== 0)) state.draw = true;
    else state.currentTurn = this.opponent(client.sessionId);
    this.broadcastPatch();
  }

  // The next game begins once both want it, with the one who did not begin the last.
  rematch(client) {
    const { state } = this;
    if (!(state.winner || state.draw) || state.rematch === client.sessionId) return;
    if (state.rematch) this.begin(this.opponent(this.starter));
    else state.rematch = client.sessionId;
    this.broadcastPatch();
  }

  begin(starter) {
    const { state } = this;
    this.starter = starter;
    state.board.forEach((mark, at) => {
      if (mark !== 0) state.board[at] = 0;
    });
    state.winner = '';
    state.draw = false;
    state.rematch = '';
    state.currentTurn = starter;
  }

  opponent(player) {
    const [first, second] = this.state.players.keys();
    return player === first ? second : first;
  }

  wins(x, y, mark) {
    const { board } = this.state;
    const run = (dx, dy) => {
      let length = 0;
      for (let col = x + dx, row = y + dy;
        col >= 0 && col < width && row >= 0 && row < width && board[col + width * row] === mark;
        col += dx, row += dy) {
        ++length;
      }
      return length;
    };
    return directions.some(([dx, dy]) => run(dx, dy) + 1 + run(-dx, -dy) >= width);
  }
}

const transport = new WebSocketTransport();
const server = new Server({ transport, greet: false, gracefullyShutdown: false });
server.define('tictactoe', TicTacToe);
await server.listen(0, '127.0.0.1');
console.log(transport.server.address().port);
