// Tic-tac-toe by hand over the common WebSocket library of Node: what somebody writes who wants this
// game to be fast and needs no framework. Binary messages, one update for both players, sent at
// once. Two connections to the same path share a room. Listens on a port that the system chooses and
// prints it.
import { WebSocketServer } from 'ws';

import { kinds, nobody, phases, requests } from './protocol.js';

const width = 3;
const directions = [[1, 0], [0, 1], [1, 1], [1, -1]];
const rooms = new Map();  // by path

class Room {
  constructor() {
    this.players = [];
    this.revision = 0;
    this.starter = 0;
    this.asked = nobody;  // who has asked for another game
    this.begin();
  }

  begin() {
    this.board = new Uint8Array(width * width).fill(nobody);
    this.ply = 0;
    this.turn = this.starter;
    this.winner = nobody;
    this.phase = phases.playing;
  }

  join(socket) {
    const seat = this.players.push(socket) - 1;
    socket.on('message', (bytes) => this.receive(seat, bytes));
    socket.on('close', () => this.players.forEach((player) => player.close()));
    if (this.players.length === 2) this.announce(kinds.started, this.starter, nobody);
  }

  receive(seat, bytes) {
    if (this.players.length !== 2) return;
    if (bytes[0] === requests.move && bytes.length === 2) this.move(seat, bytes[1]);
    else if (bytes[0] === requests.rematch) this.rematch(seat);
  }

  move(seat, cell) {
    if (this.phase !== phases.playing || seat !== this.turn) return;
    if (cell >= this.board.length || this.board[cell] !== nobody) return;
    this.board[cell] = seat;
    ++this.ply;
    if (this.wins(cell, seat)) this.winner = seat;
    if (this.winner !== nobody || this.ply === this.board.length) this.phase = phases.finished;
    else this.turn = 1 - seat;
    this.announce(kinds.moved, seat, cell);
  }

  // The next game begins once both want it, with the player who did not begin the last.
  rematch(seat) {
    if (this.phase !== phases.finished || this.asked === seat) return;
    if (this.asked === nobody) {
      this.asked = seat;
      return this.announce(kinds.asked, seat, nobody);
    }
    this.asked = nobody;
    this.starter = 1 - this.starter;
    this.begin();
    this.announce(kinds.started, this.starter, nobody);
  }

  announce(kind, seat, cell) {
    const update = Buffer.allocUnsafe(11);
    update[0] = kind;
    update.writeUInt32LE(++this.revision, 1);
    update[5] = this.phase;
    update[6] = this.turn;
    update[7] = seat;
    update[8] = cell;
    update[9] = this.ply;
    update[10] = this.winner;
    for (const player of this.players) player.send(update);
  }

  wins(cell, seat) {
    const { board } = this;
    const run = (dx, dy) => {
      let length = 0;
      for (let col = cell % width + dx, row = Math.floor(cell / width) + dy;
        col >= 0 && col < width && row >= 0 && row < width && board[col + width * row] === seat;
        col += dx, row += dy) {
        ++length;
      }
      return length;
    };
    return directions.some(([dx, dy]) => run(dx, dy) + 1 + run(-dx, -dy) >= width);
  }
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false,
                                     skipUTF8Validation: true });
server.on('connection', (socket, request) => {
  let room = rooms.get(request.url);
  if (room === undefined) rooms.set(request.url, room = new Room());
  if (room.players.length === 2) return socket.close();
  room.join(socket);
});
server.on('listening', () => console.log(server.address().port));
