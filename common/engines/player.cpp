#include "common/engines/player.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace tictactoe::engines {

using rules::Cell;
using rules::Game;
using rules::Mark;

namespace {

constexpr int max_faults = 3;
constexpr std::uint64_t stand_in_nodes = 20'000;

/// `7,8` as column and row.
std::optional<Cell> parse_move(std::string_view text) {
  Cell cell;
  const char* const begin = std::to_address(text.begin());
  const char* const end = begin + text.size();
  const auto [comma, no_column] = std::from_chars(begin, end, cell.col);
  if (no_column != std::errc() || comma == end || *comma != ',') return std::nullopt;
  const auto [rest, no_row] = std::from_chars(comma + 1, end, cell.row);
  if (no_row != std::errc() || rest != end) return std::nullopt;
  return cell;
}

std::string place(Cell cell) {
  return std::to_string(cell.col) + "," + std::to_string(cell.row);
}

class EnginePlayer final : public ai::Player {
 public:
  EnginePlayer(const Command& command, const Limits& limits, const Game& so_far, Report report)
      : command_(command),
        limits_(limits),
        report_(std::move(report)),
        game_(so_far),
        stand_in_(ai::make_player(ai::Level::strong, so_far, 1)) {}

  void played(Cell cell) override {
    game_.play(cell);
    stand_in_->played(cell);
  }
  void undone() override {
    game_.undo();
    stand_in_->undone();
  }
  bool quick() const override { return false; }

  bool is_ready() override {
    // Others wait for the thread.
    constexpr std::chrono::milliseconds step{20};
    if (faults_ >= max_faults || state_ == State::failed) return true;
    if (load(std::chrono::steady_clock::now() + step, {})) return true;
    loaded_in_steps_ = true;
    return false;
  }

  ai::Choice choose(const ai::Budget& budget) override {
    if (budget.nodes <= 1) {
      fault_ = "was skipped: there was no time to wait for it";
    } else if (faults_ < max_faults) {
      stop_ = std::exchange(loaded_in_steps_, false) ? std::stop_token() : budget.stop;
      if (const auto cell = ask()) return {*cell, false};
    } else {
      fault_ = "has failed too often";
    }
    ai::Choice choice =
        stand_in_->choose({.nodes = std::min(budget.nodes, stand_in_nodes), .stop = budget.stop});
    // The engine may lose what our own AI cannot lose.
    choice.cannot_lose = false;
    choice.effort = ai::Effort::none;
    choice.engine_fault = "The engine " + command_.name + " " + fault_ +
                          ": the AI level strong has moved in its place.";
    return choice;
  }

  std::size_t memory() const override {
    return sizeof(*this) + stand_in_->memory() + (process_ ? limits_.memory : 0);
  }

 private:
  enum class State : std::uint8_t {
    none,     // no process, or one that knows another position
    loading,  // it has yet to answer START
    loaded,   // it knows no position
    playing,
    failed,  // to load, which the next choice reports
  };

  /// The engine's move; nothing if it gives none that is legal.
  std::optional<Cell> ask() {
    if (state_ != State::failed && !load(Process::Time::max(), stop_)) return std::nullopt;
    begun_ = std::chrono::steady_clock::now();
    until_ = begun_ + limits_.patience;
    const auto cell = state_ == State::failed ? std::nullopt : answered();
    if (cell) return cell;
    process_.reset();
    // A thought that is cancelled, or comes late, is not the engine's fault.
    if (state_ == State::failed || !stop_.stop_requested() ||
        std::chrono::steady_clock::now() - begun_ > limits_.move_time) {
      ++faults_;
    }
    state_ = State::none;
    return std::nullopt;
  }

  /// The answer of an engine that has loaded.
  std::optional<Cell> answered() {
    process_->resume();
    process_->quiet();
    if (!send(state_ == State::playing ? "TURN " + place(game_.moves().back()) + "\n"
                                       : position())) {
      return std::nullopt;
    }
    const auto answer = receive(until_, stop_);
    if (!answer) return std::nullopt;
    const auto cell = parse_move(*answer);
    if (!cell || !game_.rules().contains(*cell) || game_.at(*cell) != Mark::none) {
      tell_answer(*answer);
      fault_ = "answered with an illegal move";
      return std::nullopt;
    }
    process_->pause();
    state_ = State::playing;
    answered_at_ = game_.ply();
    answer_ = *cell;
    return cell;
  }

  /// Whether its own last move and one more were played since.
  bool follows_last_answer() const {
    const auto moves = game_.moves();
    return game_.ply() == answered_at_ + 2 &&
           moves[static_cast<std::size_t>(answered_at_)] == answer_;
  }

  /// Waits until there is a process that knows the board's size and the rules, or has failed. False
  /// after `until` or the stop.
  bool load(Process::Time until, const std::stop_token& stop) {
    if (state_ == State::playing && !follows_last_answer()) state_ = State::none;
    if (state_ == State::none) start();
    if (state_ != State::loading) return true;
    const auto answer = receive(std::min(until, loads_until_), stop);
    if (!answer) {
      if (!process_->is_late()) {
        state_ = State::failed;
      } else if (std::chrono::steady_clock::now() < loads_until_) {
        fault_ = "is still loading";
      } else {
        state_ = State::failed;
        fault_ = "did not start in time";
      }
      return state_ == State::failed;
    }
    // Others follow it, as in "OK - everything is good".
    if (answer->substr(0, answer->find_first_of(" \t")) != "OK") {
      tell_answer(*answer);
      fault_ = "refused to start";
      state_ = State::failed;
      return true;
    }
    constexpr auto ever = "2147483647";
    until_ = std::chrono::steady_clock::now() + limits_.patience;
    const bool told =
        send("INFO timeout_turn " + std::to_string(limits_.move_time.count()) +
             "\nINFO timeout_match 0\nINFO time_left " + ever + "\nINFO max_memory " +
             std::to_string(limits_.memory / 4 * 3) + "\nINFO game_type 1\nINFO rule " +
             (game_.rules().overline_wins ? "0" : "1") + "\n");
    state_ = told ? State::loaded : State::failed;
    return true;
  }

  void start() {
    process_.reset();
    loads_until_ = until_ = std::chrono::steady_clock::now() + limits_.start;
    try {
      process_ = std::make_unique<Process>(command_, limits_);
      const bool sent = send("START " + std::to_string(game_.rules().rows) + "\n");
      state_ = sent ? State::loading : State::failed;
    } catch (const std::system_error& error) {
      fault_ = "could not be started (" + error.code().message() + ")";
      state_ = State::failed;
    }
  }

  /// The command that asks for a move in this position, of an engine that knows none.
  std::string position() const {
    if (game_.ply() == 0) return "BEGIN\n";
    std::string text = "BOARD\n";
    for (const Cell cell : game_.moves()) {
      text += place(cell) + (game_.at(cell) == game_.to_move() ? ",1\n" : ",2\n");
    }
    return text + "DONE\n";
  }

  bool send(const std::string& lines) {
    if (process_->send(lines, until_, stop_)) return true;
    fault_ = process_->fault();
    return false;
  }

  /// The next line that is an answer.
  std::optional<std::string> receive(Process::Time until, const std::stop_token& stop) {
    while (true) {
      auto line = process_->receive(until, stop);
      if (!line) {
        fault_ = process_->fault();
        return std::nullopt;
      }
      if (!line->empty() && !line->starts_with("MESSAGE") && !line->starts_with("DEBUG")) {
        return line;
      }
    }
  }

  /// Not for people in the room: the engine may have learned what is not for them.
  void tell_answer(const std::string& answer) const {
    if (!report_) return;
    constexpr std::size_t max = 40;
    std::string text = answer.substr(0, max);
    std::ranges::replace_if(text, [](char letter) { return letter < ' ' || letter > '~'; }, '?');
    report_("the engine " + command_.name + " answered '" + text + "'");
  }

  Command command_;
  Limits limits_;
  Report report_;
  Game game_;
  std::unique_ptr<ai::Player> stand_in_;
  std::unique_ptr<Process> process_;
  State state_ = State::none;
  Process::Time loads_until_;
  bool loaded_in_steps_ = false;  // since the last choice
  int answered_at_ = 0;           // the ply of answer_
  Cell answer_;
  int faults_ = 0;
  std::string fault_;
  // Of the choice in progress.
  Process::Time begun_;
  Process::Time until_;
  std::stop_token stop_;
};

}  // namespace

std::unique_ptr<ai::Player> make_engine_player(const Command& command, const Limits& limits,
                                               const Game& so_far, Report report) {
  return std::make_unique<EnginePlayer>(command, limits, so_far, std::move(report));
}

}  // namespace tictactoe::engines
