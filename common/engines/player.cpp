#include "common/engines/player.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "common/engines/file_access.hpp"

namespace tictactoe::engines {

using rules::Cell;
using rules::Game;
using rules::Mark;

namespace {

constexpr int max_faults = 3;
constexpr std::uint64_t stand_in_nodes = 20'000;

std::string_view trimmed(std::string_view text) {
  constexpr auto blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::optional<int> parse_number(std::string_view text) {
  text = trimmed(text);
  int number = 0;
  const char* const end = std::to_address(text.end());
  const auto [rest, error] = std::from_chars(std::to_address(text.begin()), end, number);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

/// `7,8` as column and row, with blanks around either.
std::optional<Cell> parse_move(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto col = parse_number(text.substr(0, comma));
  const auto row = parse_number(text.substr(comma + 1));
  if (!col || !row) return std::nullopt;
  return Cell{*row, *col};
}

/// Whether a line begins with this word, which is in capitals, in any case.
bool begins_with(std::string_view line, std::string_view word) {
  const auto is_same = [](char letter, char capital) {
    return std::toupper(static_cast<unsigned char>(letter)) == capital;
  };
  return line.size() >= word.size() &&
         std::equal(word.begin(), word.end(), line.begin(),
                    [&](char capital, char letter) { return is_same(letter, capital); }) &&
         (line.size() == word.size() ||
          std::isalnum(static_cast<unsigned char>(line[word.size()])) == 0);
}

/// Quotes an engine's output for people.
std::string quoted(std::string_view text, std::size_t max) {
  std::string quote(trimmed(text).substr(0, max));
  std::ranges::replace_if(quote, [](char letter) { return letter < ' ' || letter > '~'; }, '?');
  return "'" + quote + "'";
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
      fail("was skipped: there was no time to wait for it");
    } else if (faults_ < max_faults) {
      stop_ = std::exchange(loaded_in_steps_, false) ? std::stop_token() : budget.stop;
      if (const auto cell = ask()) return {*cell, false};
    } else {
      fail("has failed too often");
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

  std::string problem() const override {
    if (state_ != State::failed) return {};
    return "The engine " + command_.name + " " + fault_ +
           ": the AI level strong will move in its place.";
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
    failed,  // to load, which the next choice counts
  };

  /// The engine's move; nothing if it gives none that is legal.
  std::optional<Cell> ask() {
    if (state_ != State::failed && !load(Process::Time::max(), stop_)) return std::nullopt;
    begun_ = std::chrono::steady_clock::now();
    until_ = begun_ + limits_.patience;
    if (state_ != State::failed) {
      if (const auto cell = answered()) return cell;
    }
    // A thought that is cancelled, or comes late, is not the engine's fault.
    if (state_ == State::failed) {
      ++faults_;  // fail_to_load() has told it
    } else if (!stop_.stop_requested() ||
               std::chrono::steady_clock::now() - begun_ > limits_.move_time) {
      ++faults_;
      tell_fault();
    }
    process_.reset();
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
    auto answer = receive(until_, stop_);
    while (answer && begins_with(*answer, "SUGGEST")) {
      const auto cell = legal(answer->substr(std::string_view("SUGGEST").size()), *answer);
      if (!cell || !send("PLAY " + place(*cell) + "\n")) return std::nullopt;
      answer = receive(until_, stop_);
    }
    if (!answer || complains(*answer, "answered ", "")) return std::nullopt;
    const auto cell = legal(*answer, *answer);
    if (!cell) return std::nullopt;
    process_->pause();
    state_ = State::playing;
    answered_at_ = game_.ply();
    answer_ = *cell;
    return cell;
  }

  /// The move of this text in an answer.
  std::optional<Cell> legal(std::string_view text, std::string_view answer) {
    const auto cell = parse_move(text);
    if (cell && game_.rules().contains(*cell) && game_.at(*cell) == Mark::none) return cell;
    fail(cell ? "answered with an illegal move" : "gave an answer that is no move");
    for_operator_ = ": " + quoted(answer, max_quote);
    return std::nullopt;
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
    if (state_ == State::loading && !is_greeted(std::min(until, loads_until_), stop)) {
      if (process_->is_late() && std::chrono::steady_clock::now() < loads_until_) {
        fault_ = "is still loading";
        return false;
      }
      if (process_->is_late()) {
        fail("did not start in time");
        if (!banner_.empty()) for_operator_ = ": it answered " + quoted(banner_, max_quote);
      }
      fail_to_load();
    }
    if (state_ != State::loading) return true;
    constexpr auto ever = "2147483647";
    until_ = std::chrono::steady_clock::now() + limits_.patience;
    const bool told =
        send("INFO timeout_turn " + std::to_string(limits_.move_time.count()) +
             "\nINFO timeout_match 0\nINFO time_left " + ever + "\nINFO max_memory " +
             std::to_string(limits_.memory / 4 * 3) + "\nINFO game_type 1\nINFO rule " +
             (game_.rules().overline_wins ? "0" : "1") + "\n");
    if (!told) return fail_to_load();
    process_->pause();
    state_ = State::loaded;
    return true;
  }

  /// Receives its OK, which more may follow, as in "OK." or "OK - everything is good". Its name or
  /// a banner may come before it.
  bool is_greeted(Process::Time until, const std::stop_token& stop) {
    while (true) {
      const auto answer = receive(until, stop);
      if (!answer || complains(*answer, "refused to start (", ")")) return false;
      if (begins_with(*answer, "OK")) return true;
      banner_ = *answer;
    }
  }

  void start() {
    process_.reset();
    banner_.clear();
    loads_until_ = until_ = std::chrono::steady_clock::now() + limits_.start;
    state_ = State::loading;
    try {
      process_ = std::make_unique<Process>(command_, limits_);
      if (!send("START " + std::to_string(game_.rules().rows) + "\n")) fail_to_load();
    } catch (const std::system_error& error) {
      fail("could not be started (" + error.code().message() + ")");
      const std::string why = why_not_executable(command_.words[0]);
      if (!why.empty()) for_operator_ = ": " + why;
      fail_to_load();
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
    fail(process_->fault());
    return false;
  }

  /// The next line that is an answer.
  std::optional<std::string> receive(Process::Time until, const std::stop_token& stop) {
    while (true) {
      const auto line = process_->receive(until, stop);
      if (!line) {
        fail(process_->fault());
        return std::nullopt;
      }
      std::string_view text = *line;
      // Some libraries begin their output with it.
      constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
      if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
      text = trimmed(text);
      if (!text.empty() && !begins_with(text, "MESSAGE") && !begins_with(text, "DEBUG")) {
        return std::string(text);
      }
    }
  }

  // Faults.

  void fail(std::string fault) {
    fault_ = std::move(fault);
    for_operator_.clear();
  }

  bool fail_to_load() {
    tell_fault();
    process_.reset();
    state_ = State::failed;
    return true;
  }

  /// Whether the engine answers that something is wrong. Only these words are for people: elsewhere
  /// it may say what it has learned and is not for them.
  bool complains(const std::string& answer, const std::string& before, const std::string& after) {
    if (!begins_with(answer, "ERROR") && !begins_with(answer, "UNKNOWN")) return false;
    fail(before + quoted(answer, max_quote) + after);
    return true;
  }

  void tell_fault() const {
    if (!report_) return;
    constexpr std::size_t max = 200;
    std::string text = "the engine " + command_.name + " " + fault_ + for_operator_;
    const std::string error = process_ ? process_->last_error() : "";
    if (!error.empty()) text += "; its standard error ends with " + quoted(error, max);
    if (limits_.confined && (!process_ || process_->has_ended())) {
      text +=
          ". It can't start other programs (but a script can exec one), write files or use a "
          "network, and " +
          what_is_readable(command_.words, limits_.hidden);
    }
    report_(text);
  }

  static constexpr std::size_t max_quote = 60;

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
  std::string for_operator_;  // more about it
  std::string banner_;        // the last line before its OK
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
