// gomocup: the engine as a program that speaks the Gomocup protocol.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/engine/commands.hpp"
#include "client/engine/deadline.hpp"
#include "common/rules/game.hpp"
#include "common/wire/text.hpp"

namespace tictactoe::engine {

using rules::Cell;
using rules::Game;
using rules::Mark;
using rules::Rules;
using std::chrono::milliseconds;

namespace {

constexpr int least_side = 5;
constexpr int largest_side = 100;
/// Of a longer line the rest is read and thrown away, and it is refused. The longest that the
/// protocol has is a folder's name.
constexpr std::size_t longest_line = 4096;
/// Bits of `INFO rule`.
constexpr int exactly_five = 1;

/// The numbers of a text like `7,8`; empty if it is anything else.
std::vector<int> numbers(std::string_view text) {
  std::vector<int> found;
  while (true) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return {};
    found.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    while (text.starts_with(' ')) text.remove_prefix(1);
    if (text.empty()) return found;
    if (!text.starts_with(',')) return {};
    text.remove_prefix(1);
  }
}

/// Removes the first word and returns it in upper case.
std::string take_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  std::string word(line.substr(0, end));
  for (char& letter : word) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  line.remove_prefix(end);
  while (line.starts_with(' ')) line.remove_prefix(1);
  return word;
}

/// One side of one game at a time. Coordinates are column, row, from 0.
class Brain {
 public:
  Brain(const Streams& streams, const GomocupOptions& options)
      : in_(streams.in), out_(streams.out), options_(options) {}

  void run() {
    std::string line;
    for (bool is_first = true; read(line); is_first = false) {
      std::string_view rest = is_first ? wire::without_byte_order_mark(line) : line;
      const std::string command = take_word(rest);
      if (command == "END") return;
      if (!command.empty()) handle(command, rest);
    }
  }

 private:
  struct Ply {
    Cell cell;
    Mark side = Mark::none;
  };
  /// X is this engine, even if the opponent begins.
  static constexpr Mark own = Mark::x;
  static constexpr Mark other = Mark::o;

  bool read(std::string& line) {
    line.clear();
    bool too_long = false;
    std::streambuf& from = *in_.rdbuf();
    constexpr int end = std::streambuf::traits_type::eof();
    int letter = from.sbumpc();
    if (letter == end) return false;
    for (; letter != end && letter != '\n'; letter = from.sbumpc()) {
      too_long = too_long || line.size() == longest_line;
      if (!too_long) line += static_cast<char>(letter);
    }
    while (line.ends_with('\r') || line.ends_with(' ')) line.pop_back();
    if (too_long) line = "TOO LONG";
    return true;
  }

  void handle(const std::string& command, std::string_view rest) {
    if (command == "START") return start(numbers(rest));
    if (command == "RECTSTART") return start_rectangle(numbers(rest));
    if (command == "RESTART") return restart();
    if (command == "INFO") return inform(rest);
    if (command == "ABOUT") {
      return say("name=\"tictactoe\", version=\"" + options_.version +
                 "\", author=\"the tictactoe project\", country=\"\"");
    }
    if (command == "BEGIN") return begin();
    if (command == "TURN") return turn(numbers(rest));
    if (command == "TAKEBACK") return take_back(numbers(rest));
    if (command == "BOARD") return read_board();
    say("UNKNOWN command");
  }

  // Settings.

  void start(const std::vector<int>& sizes) {
    if (sizes.size() != 1) return fail("START takes the size of the board");
    start_rectangle({sizes[0], sizes[0]});
  }

  void start_rectangle(const std::vector<int>& sizes) {
    if (sizes.size() != 2) return fail("RECTSTART takes columns,rows");
    if (std::ranges::min(sizes) < least_side || std::ranges::max(sizes) > largest_side) {
      return fail("the sides of a board are 5 to 100");
    }
    rules_.cols = sizes[0];
    rules_.rows = sizes[1];
    started_ = true;
    restart();
  }

  void restart() {
    if (!started_) return fail("send START first");
    plies_.clear();
    say("OK");
  }

  /// Tells nothing back, as the protocol wants it.
  void inform(std::string_view rest) {
    const std::string key = take_word(rest);
    const std::vector<int> values = numbers(rest);
    if (values.size() != 1) return;
    if (key == "TIMEOUT_TURN") turn_time_ = milliseconds(values[0]);
    if (key == "TIMEOUT_MATCH") match_time_ = milliseconds(values[0]);
    if (key == "TIME_LEFT") time_left_ = milliseconds(values[0]);
    if (key == "RULE") rule_ = values[0];
    // MAX_MEMORY needs no attention: a choice takes less than 20 MB.
  }

  // Moves.

  void begin() {
    if (!plies_.empty()) return fail("the board is not empty");
    choose();
  }

  void turn(const std::vector<int>& place) {
    Cell cell;
    if (!parse(place, cell)) return;
    plies_.push_back({cell, other});
    if (!choose()) plies_.pop_back();
  }

  void take_back(const std::vector<int>& place) {
    Cell cell;
    if (place.size() != 2) return fail("a cell is column,row");
    cell = {place[1], place[0]};
    const auto found = std::ranges::find(plies_, cell, &Ply::cell);
    if (found == plies_.end()) return fail("there is no mark to take back");
    plies_.erase(found);
    say("OK");
  }

  void read_board() {
    plies_.clear();
    bool sound = started_;
    std::string line;
    while (true) {
      // Nobody waits for the answer to a board that has no end.
      if (!read(line)) return plies_.clear();
      std::string_view rest = line;
      if (take_word(rest) == "DONE") break;
      const std::vector<int> place = numbers(line);
      if (place.size() != 3 || place[2] < 1 || place[2] > 2) {
        sound = false;
        continue;
      }
      const Cell cell{place[1], place[0]};
      sound = sound && is_free(cell);
      if (sound) plies_.push_back({cell, place[2] == 1 ? own : other});
    }
    if (sound) return static_cast<void>(choose());
    plies_.clear();
    fail("BOARD takes lines of column,row,side with free cells and side 1 or 2");
  }

  bool parse(const std::vector<int>& place, Cell& cell) {
    if (place.size() == 2) cell = {place[1], place[0]};
    const bool sound = started_ && place.size() == 2 && is_free(cell);
    if (!sound) fail(started_ ? "that cell is not free" : "send START first");
    return sound;
  }

  bool is_free(Cell cell) const {
    return rules_.contains(cell) && std::ranges::find(plies_, cell, &Ply::cell) == plies_.end();
  }

  /// Plays a move and says it; false if there is none to play.
  bool choose() {
    if (!started_) return fail("send START first"), false;
    if ((rule_ & ~exactly_five) != 0) return fail("only rules 0 and 1 are supported"), false;
    rules_.overline_wins = (rule_ & exactly_five) == 0;
    const auto game = so_far();
    if (!game) return fail("no game can lead to this board"), false;
    const auto player = make_player(ai::Level::strong, *game, 1);
    const Deadline deadline(time());
    const Cell cell = player->choose({.nodes = nodes(), .stop = deadline.token()}).cell;
    plies_.push_back({cell, own});
    say(std::to_string(cell.col) + "," + std::to_string(cell.row));
    return true;
  }

  /// The game with this engine to move; nothing if it is over, or not its turn. Each side's marks
  /// are played in their order, by turns.
  std::unique_ptr<Game> so_far() const {
    const auto owned = std::ranges::count(plies_, own, &Ply::side);
    const auto others = std::ssize(plies_) - owned;
    if (others != owned && others != owned + 1) return nullptr;
    auto game = std::make_unique<Game>(rules_, others == owned ? own : other);
    std::vector<Ply> left = plies_;
    while (!left.empty()) {
      const auto next = std::ranges::find(left, game->to_move(), &Ply::side);
      if (next == left.end() || game->play(next->cell)) return nullptr;
      left.erase(next);
    }
    if (game->status() != rules::Status::ongoing) return nullptr;
    return game;
  }

  /// What this choice may take: a tenth is kept back, because the manager measures from outside.
  std::chrono::duration<double> time() const {
    // Without any time the number of nodes is the limit.
    if (turn_time_.count() == 0) return std::chrono::seconds(1);
    std::chrono::duration<double> time = turn_time_;
    if (match_time_.count() > 0) {
      constexpr int moves_to_come = 20;
      time = std::min<std::chrono::duration<double>>(
          time, std::max(time_left_, milliseconds(0)) / double{moves_to_come});
    }
    return time * 0.9;
  }

  /// Without time the search is as short as it can be and see threats.
  std::uint64_t nodes() const {
    constexpr std::uint64_t hurried = 5'000;
    if (turn_time_.count() == 0) return hurried;
    return options_.nodes == 0 ? std::numeric_limits<std::uint64_t>::max() : options_.nodes;
  }

  void say(const std::string& line) { out_ << line << '\n' << std::flush; }
  void fail(const std::string& why) { say("ERROR " + why); }

  std::istream& in_;
  std::ostream& out_;
  GomocupOptions options_;
  Rules rules_{15, 15, 5, true};
  std::vector<Ply> plies_;
  bool started_ = false;
  int rule_ = 0;
  // Without a word from the manager: the protocol's defaults.
  milliseconds turn_time_{30'000};
  milliseconds match_time_{0};
  milliseconds time_left_{std::numeric_limits<int>::max()};
};

}  // namespace

int gomocup(const Streams& streams, const GomocupOptions& options) {
  Brain(streams, options).run();
  return 0;
}

}  // namespace tictactoe::engine
