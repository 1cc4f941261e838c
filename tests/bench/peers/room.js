// A room of two players and what each of them has yet to be told.
import { Failure } from './websocket.js';

// The load's own tic-tac-toe, by which it knows every update before it comes. It shares nothing
// with the server's game.
const lines = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
];

class Game {
  /// starter: the player, 0 or 1, who moves first.
  constructor(starter) {
    this.starter = starter;
    this.turn = starter;
    this.cells = new Array(9).fill(null);  // null, or whose mark it is
    this.ply = 0;
    this.winner = null;
    this.over = false;
  }

  play(cell) {
    this.cells[cell] = this.turn;
    ++this.ply;
    if (lines.some((line) => line.every((at) => this.cells[at] === this.turn))) {
      this.winner = this.turn;
    }
    this.over = this.winner !== null || this.ply === 9;
    this.turn = 1 - this.turn;
  }

  random_free_cell() {
    for (;;) {
      const cell = Math.floor(Math.random() * 9);
      if (this.cells[cell] === null) return cell;
    }
  }
}

/// A subclass has beside this
///   send_move(seat, cell)   sends it, and expects its updates; the game has played it already
///   ask_for_next(seat)      the same for the next game; calls next_game() once both have asked
///   check(seat, expected, message)   what is wrong with a message, or nothing
export class Room {
  constructor(number, starter) {
    this.number = number;
    this.game = new Game(starter);
    this.asked = null;  // who has asked for the next game already
    this.pending = [[], []];
    this.acted_at = 0;
    this.sent_at_ = [0, 0];  // each player's latest, as the other may act before its answer is read
    this.moves = 0;  // answered
  }

  /// Has the workload told of each answered move, and plays on until it is ending.
  start(workload) {
    this.workload_ = workload;
    this.go_on_();
  }

  get waiting() {
    return this.pending[0].length > 0 || this.pending[1].length > 0;
  }

  /// Everything that reaches this player after the start goes through here, in its order.
  receive(seat, message) {
    this.workload_.active = true;
    const expected = this.pending[seat].shift();
    if (expected === undefined) throw this.wrong_(seat, 'nobody has caused this');
    const problem = this.check(seat, expected, message);
    if (problem) throw this.wrong_(seat, problem);
    if (expected.mover === seat) {
      ++this.moves;
      this.workload_.answered(performance.now() - this.sent_at_[seat]);
    }
    this.go_on_();
  }

  next_game() {
    this.asked = null;
    this.game = new Game(1 - this.game.starter);
  }

  go_on_() {
    const { game } = this;
    // Whoever begins the next game asks for it last, and moves at once.
    let seat = game.turn;
    if (game.over) seat = this.asked === null ? game.starter : 1 - game.starter;
    if (this.workload_.ending || this.pending[seat].length > 0) return;
    this.sent_at_[seat] = this.acted_at = performance.now();
    if (game.over) {
      this.ask_for_next(seat);
    } else {
      const cell = game.random_free_cell();
      game.play(cell);
      this.send_move(seat, cell);
    }
  }

  wrong_(seat, problem) {
    return new Failure(`room ${this.number}, player ${seat}: ${problem}`);
  }
}
