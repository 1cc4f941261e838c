// Plays on Colyseus in its own protocol: a seat by HTTP, then a WebSocket with state patches, which
// Colyseus' own decoder applies to the state of each player.
import { createRequire } from 'node:module';

import { Decoder, Reflection, decode } from '@colyseus/schema';

import { Room } from './room.js';
import { Failure, WebSocket, frame, opcodes } from './websocket.js';
import { run } from './workload.js';

const { version } = createRequire(import.meta.url)('@colyseus/core/package.json');
const codes = { join_room: 10, room_data: 13, room_state: 14, room_state_patch: 15 };

// A message to the room, in MessagePack: its type, then what it holds.
const fixstr = (text) => [0xa0 | text.length, ...Buffer.from(text)];
const message = (type, ...content) =>
  frame(opcodes.binary, [codes.room_data, ...fixstr(type), ...content]);

const actions = Array.from({ length: 9 }, (_, cell) =>
  message('action', 0x82, ...fixstr('x'), cell % 3, ...fixstr('y'), Math.floor(cell / 3)));
const rematch = message('rematch');
const joined = frame(opcodes.binary, [codes.join_room]);

async function seat_reservation(port, method, room) {
  const response = await fetch(`http://127.0.0.1:${port}/matchmake/${method}/${room}`,
    { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
  if (!response.ok) throw new Failure(`no seat: ${await response.text()}`);
  return response.json();
}

// Of the state, as the first player is told it: the same for all, who so share their machine code.
let definition = null;

/// One player: a connection, and the room's state as that player knows it.
class Player {
  constructor(port, seat, on_update) {
    this.id = seat.sessionId;
    this.on_update = on_update;
    const path = `/${seat.processId}/${seat.roomId}?sessionId=${seat.sessionId}`;
    this.socket = new WebSocket(port, path, (bytes) => this.take_(bytes));
  }

  take_(bytes) {
    const it = { offset: 1 };
    switch (bytes[0]) {
      case codes.join_room: {
        it.offset += 1 + bytes[it.offset];  // a token for coming back
        it.offset += 1 + bytes[it.offset];  // how the state is encoded: "schema"
        const length = decode.number(bytes, it);
        definition ??= Reflection.decode(bytes.subarray(0, it.offset + length), it);
        this.state = new definition.state.constructor();
        this.decoder_ = new Decoder(this.state, definition.context);
        return this.socket.send(joined);
      }
      case codes.room_state:
      case codes.room_state_patch:
        this.decoder_.decode(bytes, it);
        return this.on_update(this.state);
      default:
        throw new Failure(`an unforeseen message of kind ${bytes[0]}`);
    }
  }
}

class ColyseusRoom extends Room {
  static async open_room(port, number) {
    const first = await seat_reservation(port, 'create', 'tictactoe');
    const second = await seat_reservation(port, 'joinById', first.roomId);
    const players = [];
    await new Promise((resolve, reject) => {
      const look = () => {
        if (players.length === 2 && players.every(({ state }) => state?.currentTurn)) resolve();
      };
      const enter = async (seat) => {
        players.push(new Player(port, seat, look));
        await players.at(-1).socket.opened;
      };
      enter(first).then(() => enter(second)).catch(reject);
    });
    return new ColyseusRoom(number, players);
  }

  constructor(number, players) {
    // As in the example, the one who comes last begins.
    super(number, players[1].state.currentTurn === players[1].id ? 1 : 0);
    this.players = players;
    players.forEach((player, seat) => {
      player.on_update = (state) => this.receive(seat, state);
    });
    this.expected_ = { mover: null, cells: new Array(9).fill(0), turn: players[1].id, winner: '',
                       draw: false, rematch: '' };
  }

  send_move(seat, cell) {
    const { game, players } = this;
    const { id } = players[seat];
    const cells = [...this.expected_.cells];
    cells[cell] = seat + 1;
    this.expect_({ mover: seat, cells, winner: game.winner === null ? '' : id,
                   draw: game.over && game.winner === null,
                   turn: game.over ? id : players[game.turn].id });
    players[seat].socket.send(actions[cell]);
  }

  ask_for_next(seat) {
    const { id, socket } = this.players[seat];
    if (this.asked === null) {
      this.asked = seat;
      this.expect_({ mover: null, rematch: id });
    } else {
      this.next_game();
      this.expect_({ mover: null, cells: new Array(9).fill(0), turn: id, winner: '', draw: false,
                     rematch: '' });
    }
    socket.send(rematch);
  }

  expect_(changes) {
    this.expected_ = { ...this.expected_, ...changes };
    for (const pending of this.pending) pending.push(this.expected_);
  }

  check(seat, expected, state) {
    for (const key of ['turn', 'winner', 'draw', 'rematch']) {
      const is = state[key === 'turn' ? 'currentTurn' : key];
      if (is !== expected[key]) return `${key} is ${is} rather than ${expected[key]}`;
    }
    const cells = state.board.toArray();
    if (cells.length === 9 && cells.every((mark, at) => mark === expected.cells[at])) return null;
    return `the board is ${cells} rather than ${expected.cells}`;
  }
}

run({ name: 'Colyseus', version, open_room: ColyseusRoom.open_room });
