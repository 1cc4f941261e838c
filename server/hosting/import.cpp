#include "server/hosting/import.hpp"

#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include "common/record/cell.hpp"
#include "common/record/notation.hpp"
#include "common/rules/game.hpp"
#include "server/core/describe.hpp"
#include "server/store/open.hpp"

namespace tictactoe::hosting {

namespace {

std::string fault_of_moves(const v1::GameRecord& record, rules::Game& game) {
  const auto cols = static_cast<std::uint32_t>(game.rules().cols);
  for (int ply = 0; ply < record.moves_size(); ++ply) {
    const rules::Cell cell{static_cast<int>(record.moves(ply) / cols),
                           static_cast<int>(record.moves(ply) % cols)};
    const auto refusal = game.play(cell);
    if (!refusal) continue;
    const char* why = *refusal == rules::Refusal::occupied    ? "that cell is taken"
                      : *refusal == rules::Refusal::off_board ? "that is off the board"
                                                              : "the game was over before it";
    return "move " + std::to_string(ply + 1) + " is not legal: " + why + ".";
  }
  return {};
}

// What a game ended by the rules, and one that did not, can claim.
std::string fault_of_outcome(const v1::Outcome& claimed, const rules::Game& game) {
  using Outcome = v1::Outcome;
  const bool by_rules =
      claimed.reason() == Outcome::REASON_LINE || claimed.reason() == Outcome::REASON_BOARD_FULL;
  if (game.status() != rules::Status::ongoing) {
    v1::Outcome right;
    core::describe_outcome(game, right);
    if (claimed.winner() != right.winner()) return "the result is not what its moves led to.";
    const bool fits =
        claimed.reason() == right.reason() || claimed.reason() == Outcome::REASON_UNSPECIFIED;
    return fits ? "" : "it did not end in the way that it says.";
  }
  if (by_rules) return "it says that its last move ended it, which it did not.";
  const bool drawn = claimed.winner() == v1::MARK_NONE;
  const bool must_be_drawn = claimed.reason() == Outcome::REASON_AGREED;
  if (claimed.reason() != Outcome::REASON_UNSPECIFIED && drawn != must_be_drawn) {
    return "its result does not go with the way it ended.";
  }
  return {};
}

// The line on which the game of that number begins, by the first of its tags.
std::size_t line_of(std::string_view file, std::size_t game) {
  std::istringstream lines{std::string(file)};
  bool in_tags = false;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == ';') continue;
    const bool is_tag = line[first] == '[';
    if (is_tag && !in_tags && game-- == 0) return number;
    in_tags = is_tag;
  }
  return number;
}

// The games of a file, or a sentence.
boost::system::result<std::vector<v1::GameRecord>, std::string> read(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file.is_open() || file.bad()) return name + ": can't be read.";
  auto games = record::parse_games(text);
  const auto at = [&](std::size_t line) {
    return line == 0 ? name + ": " : name + ":" + std::to_string(line) + ": ";
  };
  if (!games) return at(games.error().line) + games.error().sentence;
  for (std::size_t i = 0; i < games->size(); ++i) {
    if (const auto fault = check_import((*games)[i])) return at(line_of(text, i)) + *fault;
  }
  return *std::move(games);
}

}  // namespace

std::optional<std::string> check_import(v1::GameRecord& record) {
  core::Limits limits;
  limits.min_side = 1;
  const auto rules = core::parse_rules(record.rules(), limits);
  if (!rules) return rules.error().message;
  const rules::Mark starter = core::parse_mark(record.starter());
  rules::Game game(*rules, starter == rules::Mark::none ? rules::Mark::x : starter);
  std::string fault = fault_of_moves(record, game);
  if (fault.empty()) fault = fault_of_outcome(record.outcome(), game);
  if (!fault.empty()) return "this game can't be right: " + fault;
  if (game.status() != rules::Status::ongoing) {
    core::describe_outcome(game, *record.mutable_outcome());
  }
  record.set_imported(true);
  return std::nullopt;
}

boost::system::result<Imported, store::Fault> import_games(const std::vector<std::string>& files,
                                                           const std::string& place) {
  const auto opened = store::open_for_import(place);
  if (!opened) return opened.error();
  Imported imported;
  for (const std::string& file : files) {
    const auto games = read(file);
    if (!games) {
      imported.faults.push_back(games.error());
    } else if (const auto fault = opened->store->add_games(*games)) {
      return store::Fault{fault->kind, "Can't write " + opened->name + ": " + fault->reason + "."};
    } else {
      imported.games += games->size();
    }
  }
  return imported;
}

}  // namespace tictactoe::hosting
