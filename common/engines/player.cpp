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

constexpr int most_faults = 3;
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

  ai::Choice choose(const ai::Budget& budget) override {
    if (budget.nodes <= 1) {
      fault_ = "was not asked: the move could not wait";
    } else if (faults_ < most_faults) {
      begun_ = std::chrono::steady_clock::now();
      until_ = begun_ + limits_.patience;
      stop_ = budget.stop;
      if (const auto cell = ask()) return {*cell, false};
      process_.reset();
      // A thought that is cancelled, or comes late, is not the engine's fault.
      if (!stop_.stop_requested() || std::chrono::steady_clock::now() - begun_ > limits_.turn) {
        ++faults_;
      }
    } else {
      fault_ = "has failed too often";
    }
    ai::Choice choice =
        stand_in_->choose({.nodes = std::min(budget.nodes, stand_in_nodes), .stop = budget.stop});
    // The engine may lose what our own AI cannot lose.
    choice.cannot_lose = false;
    choice.engine_fault = "The engine " + command_.name + " " + fault_ +
                          ": the AI level strong has moved in its place.";
    return choice;
  }

  std::size_t memory() const override {
    return sizeof(*this) + stand_in_->memory() + (process_ ? limits_.memory : 0);
  }

 private:
  /// The engine's move; nothing if it gives none that is legal.
  std::optional<Cell> ask() {
    const bool goes_on = process_ && follows_last_answer();
    if (!goes_on && !start()) return std::nullopt;
    process_->resume();
    process_->quiet();
    if (!send(goes_on ? "TURN " + place(game_.moves().back()) + "\n" : position())) {
      return std::nullopt;
    }
    const auto answer = receive();
    if (!answer) return std::nullopt;
    const auto cell = parse_move(*answer);
    if (!cell || !game_.rules().contains(*cell) || game_.at(*cell) != Mark::none) {
      tell_answer(*answer);
      fault_ = "gave an answer that is no legal move";
      return std::nullopt;
    }
    process_->pause();
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

  /// A new process that knows the board's size and the rules.
  bool start() {
    process_.reset();
    try {
      process_ = std::make_unique<Process>(command_, limits_);
    } catch (const std::system_error& error) {
      fault_ = "could not be started (" + error.code().message() + ")";
      return false;
    }
    if (!send("START " + std::to_string(game_.rules().rows) + "\n")) return false;
    const auto answer = receive();
    if (!answer) return false;
    if (*answer != "OK") {
      tell_answer(*answer);
      fault_ = "refused to start";
      return false;
    }
    constexpr auto ever = "2147483647";
    return send("INFO timeout_turn " + std::to_string(limits_.turn.count()) +
                "\nINFO timeout_match 0\nINFO time_left " + ever + "\nINFO max_memory " +
                std::to_string(limits_.memory / 4 * 3) + "\nINFO game_type 1\nINFO rule " +
                (game_.rules().overline_wins ? "0" : "1") + "\n");
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
  std::optional<std::string> receive() {
    while (true) {
      auto line = process_->receive(until_, stop_);
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
    constexpr std::size_t most = 40;
    std::string text = answer.substr(0, most);
    std::ranges::replace_if(text, [](char letter) { return letter < ' ' || letter > '~'; }, '?');
    report_("the engine " + command_.name + " answered '" + text + "'");
  }

  Command command_;
  Limits limits_;
  Report report_;
  Game game_;
  std::unique_ptr<ai::Player> stand_in_;
  std::unique_ptr<Process> process_;
  int answered_at_ = 0;  // the ply of answer_
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
