// Plays on boardgame.io in its own protocol: events of socket.io, as JSON over a WebSocket.
import { readFileSync } from 'node:fs';

import { Failure } from '../common/failure.js';
import { Room } from '../common/room.js';
import { WebSocket, frame, opcodes } from '../common/websocket.js';
import { run } from '../common/workload.js';

const package_file = new URL('../node_modules/boardgame.io/package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(package_file, 'utf8'));

const game_name = '/tic-tac-toe,';  // of a socket.io namespace
// The first characters of what engine.io and socket.io send, see their protocol documents.
const open = '0';
const ping = '2';
const pong = frame(opcodes.text, '3');
const connect = `40${game_name}`;
const event = `42${game_name}`;

/// One player's connection, which outlives the matches.
class Player {
  constructor(port) {
    this.on_event = () => {};
    this.opened = new Promise((resolve) => {
      this.opened_ = resolve;
    });
    this.socket_ = new WebSocket(port, '/socket.io/?EIO=4&transport=websocket',
      (bytes) => this.take_(bytes.latin1Slice()));
  }

  emit(...args) {
    this.socket_.send(frame(opcodes.text, event + JSON.stringify(args)));
  }

  take_(text) {
    if (text.startsWith(event)) this.on_event(JSON.parse(text.slice(event.length)));
    else if (text === ping) this.socket_.send(pong);
    else if (text.startsWith(open)) this.socket_.send(frame(opcodes.text, connect));
    else if (text.startsWith(connect)) this.opened_();
    else throw new Failure(`an unforeseen packet: ${text}`);
  }
}

class BoardgameRoom extends Room {
  static async open_room(port, number) {
    const players = [new Player(port), new Player(port)];
    await Promise.all(players.map(({ opened }) => opened));
    return new BoardgameRoom(number, players);
  }

  constructor(number, players) {
    super(number, 0);
    this.game.over = true;  // so both ask for their first match at the start
    this.matches_ = 0;
    this.players_ = players;
    players.forEach((player, seat) => {
      player.on_event = (args) => this.receive(seat, args);
    });
  }

  // Player "0" begins each match of boardgame.io.
  first_of_next() {
    return 0;
  }

  // Two who create a match at the same moment would overwrite each other's.
  may_act(seat) {
    return this.game.over ? !this.waiting : super.may_act(seat);
  }

  send_move(seat, cell) {
    const { game, match_ } = this;
    const id = String(seat);
    const expected = {
      what: 'update', mover: seat, match: match_, cell,
      cells: game.cells.map((mark) => mark === null ? null : String(mark)),
      over: game.over, winner: game.winner === null ? undefined : String(game.winner),
      next: String(game.over ? seat : game.turn), ply: game.ply,
    };
    for (const pending of this.pending) pending.push(expected);
    const action = { type: 'clickCell', args: [cell], playerID: id, credentials: null };
    this.players_[seat].emit('update', { type: 'MAKE_MOVE', payload: action }, game.ply - 1, match_,
      id);
  }

  // The server creates a match for the first who wants to see it.
  ask_for_next(seat) {
    if (this.asked === null) this.match_ = `${this.number}-${++this.matches_}`;
    const present = [0, 1].filter((player) => player === seat || player === this.asked);
    const match_data = { what: 'matchData', match: this.match_, present };
    this.pending[seat].push({ what: 'sync', match: this.match_ });
    for (const player of present) this.pending[player].push(match_data);
    if (this.asked === null) this.asked = seat;
    else this.next_game();
    this.players_[seat].emit('sync', this.match_, String(seat), null, 2);
  }

  check(seat, expected, [what, match, ...content]) {
    if (what !== expected.what) return `got ${what} rather than ${expected.what}`;
    if (match !== expected.match) return `match ${match} rather than ${expected.match}`;
    switch (what) {
      case 'update':
        return problem_of_update(expected, ...content);
      case 'sync':
        return problem_of_beginning(content[0].state);
      default:
        return content[0].every(({ id, isConnected: here = false }) =>
          here === expected.present.includes(id)) ? null : 'wrong players present';
    }
  }
}

function problem_of_beginning({ G, ctx, _stateID: ply }) {
  if (ply !== 0 || ctx.currentPlayer !== '0' || ctx.gameover) return 'this is no beginning';
  return G.cells.length === 9 && G.cells.every((cell) => cell === null) ? null : 'no empty board';
}

function problem_of_update(expected, { G, ctx, _stateID: ply }, [entry]) {
  const move = entry?.action.payload;
  if (ply !== expected.ply) return `ply ${ply} rather than ${expected.ply}`;
  if (move?.type !== 'clickCell' || move.args[0] !== expected.cell ||
      move.playerID !== String(expected.mover)) {
    return 'another move, or none';
  }
  if (ctx.currentPlayer !== expected.next) return 'wrong turn';
  if ((ctx.gameover !== undefined) !== expected.over) return 'an end was missed, or made up';
  if (ctx.gameover?.winner !== expected.winner) return 'wrong winner';
  if (expected.over && !expected.winner && ctx.gameover.draw !== true) return 'no draw';
  if (G.cells.length === 9 && G.cells.every((mark, at) => mark === expected.cells[at])) return null;
  return `the board is ${G.cells} rather than ${expected.cells}`;
}

run({ name: 'boardgame.io', version, open_room: BoardgameRoom.open_room });
