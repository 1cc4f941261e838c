// Plays on the server written by hand, in its own protocol.
import { readFileSync } from 'node:fs';

import { Failure } from '../common/failure.js';
import { Room } from '../common/room.js';
import { WebSocket, frame, opcodes } from '../common/websocket.js';
import { run } from '../common/workload.js';
import { kinds, nobody, phases, requests } from './protocol.js';

const package_file = new URL('../node_modules/ws/package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(package_file, 'utf8'));

const moves = Array.from({ length: 9 }, (_, cell) =>
  frame(opcodes.binary, [requests.move, cell]));
const rematch = frame(opcodes.binary, [requests.rematch]);

const names = ['kind', 'revision', 'phase', 'turn', 'seat', 'cell', 'ply', 'winner'];
const read = (bytes) =>
  [bytes[0], bytes.readUInt32LE(1), ...bytes.subarray(5, 11)];

class HandWrittenRoom extends Room {
  static async open_room(port, number) {
    const room = new HandWrittenRoom(number, 0);
    room.expect_(kinds.started, 0, nobody);
    room.sockets_ = [];
    await new Promise((resolve, reject) => {
      const begin = (seat) => {
        const started = [];
        return new WebSocket(port, `/${number}`, (bytes) => {
          if (room.is_open_) return room.receive(seat, bytes);
          started.push(Buffer.from(bytes));
          room.told_ = (room.told_ ?? 0) + 1;
          const problem = room.check(seat, room.pending[seat].shift(), started[0]);
          if (problem) return reject(new Failure(problem));
          if (room.told_ === 2) {
            room.is_open_ = true;
            resolve();
          }
        });
      };
      room.sockets_.push(begin(0));
      // The first connection has the first seat.
      room.sockets_[0].opened.then(() => room.sockets_.push(begin(1))).catch(reject);
    });
    return room;
  }

  constructor(number, starter) {
    super(number, starter);
    this.revision_ = 0;
  }

  send_move(seat, cell) {
    this.expect_(kinds.moved, seat, cell, seat);
    this.sockets_[seat].send(moves[cell]);
  }

  ask_for_next(seat) {
    if (this.asked === null) {
      this.asked = seat;
      this.expect_(kinds.asked, seat, nobody);
    } else {
      this.next_game();
      this.expect_(kinds.started, this.game.starter, nobody);
    }
    this.sockets_[seat].send(rematch);
  }

  expect_(kind, seat, cell, mover = null) {
    const { game } = this;
    // The turn stays with the player who made the last move of a game.
    const turn = game.over ? 1 - game.turn : game.turn;
    const values = [kind, ++this.revision_, game.over ? phases.finished : phases.playing, turn, seat,
                    cell, game.ply, game.winner ?? nobody];
    for (const pending of this.pending) pending.push({ mover, values });
  }

  check(_seat, expected, bytes) {
    if (bytes.length !== 11) return `an update of ${bytes.length} bytes`;
    const values = read(bytes);
    const wrong = values.findIndex((value, at) => value !== expected.values[at]);
    if (wrong < 0) return null;
    return `${names[wrong]} is ${values[wrong]} rather than ${expected.values[wrong]}`;
  }
}

run({ name: 'ws', version, open_room: HandWrittenRoom.open_room });
