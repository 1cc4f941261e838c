// A room of two players and what each of them has yet to be told.
import { Failure } from './failure.js';
import { Game } from './game.js';

/// A peer's room has beside this
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
    this.game = new Game(this.first_of_next());
  }

  /// Who begins the next game; that player asks for it last, and goes on at once.
  first_of_next() {
    return 1 - this.game.starter;
  }

  /// Whether the one whose turn it is has seen everything before.
  may_act(seat) {
    return this.pending[seat].length === 0;
  }

  go_on_() {
    const { game } = this;
    let seat = game.turn;
    if (game.over) seat = this.asked === null ? 1 - this.first_of_next() : this.first_of_next();
    if (this.workload_.ending || !this.may_act(seat)) return;
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
