#include "server/app/import.hpp"

#include <cerrno>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <utility>

#include "common/posix/file.hpp"
#include "common/record/cell.hpp"
#include "common/record/notation.hpp"
#include "common/rules/game.hpp"
#include "common/wire/text.hpp"
#include "server/game/describe.hpp"
#include "server/journal/open.hpp"
#include "server/journal/owner.hpp"
#include "server/journal/unused.hpp"

namespace tictactoe::app {

namespace {

std::string fault_of_moves(const v1::GameRecord& record, int max_moves, rules::Game& game) {
  if (record.moves_size() > max_moves) {
    return "a game has at most " + std::to_string(max_moves) + " moves.";
  }
  const auto cols = static_cast<std::uint32_t>(game.rules().cols);
  for (int ply = 0; ply < record.moves_size(); ++ply) {
    const rules::Cell cell{static_cast<int>(record.moves(ply) / cols),
                           static_cast<int>(record.moves(ply) % cols)};
    const auto refusal = game.play(cell);
    if (!refusal) continue;
    const char* why = *refusal == rules::Refusal::occupied    ? "the cell is taken"
                      : *refusal == rules::Refusal::off_board ? "the cell is not on the board"
                                                              : "the game was already over";
    return "move " + std::to_string(ply + 1) + " is not legal: " + why + ".";
  }
  return {};
}

// Compares the result that a file claims with the result of the moves.
std::string fault_of_outcome(const v1::Outcome& claimed, const rules::Game& game, bool is_over) {
  using Outcome = v1::Outcome;
  const bool by_rules = claimed.reason() == Outcome::REASON_LINE ||
                        claimed.reason() == Outcome::REASON_BOARD_FULL ||
                        claimed.reason() == Outcome::REASON_MOVE_LIMIT;
  if (is_over) {
    v1::Outcome right;
    server::describe_outcome(game, right);
    if (claimed.winner() != right.winner()) return "the recorded result does not match the moves.";
    const bool fits =
        claimed.reason() == right.reason() || claimed.reason() == Outcome::REASON_UNSPECIFIED;
    return fits ? "" : "the recorded ending does not match the moves.";
  }
  if (by_rules) return "the last move did not end the game, although the record says so.";
  const bool drawn = claimed.winner() == v1::MARK_NONE;
  const bool must_be_drawn = claimed.reason() == Outcome::REASON_AGREED;
  if (claimed.reason() != Outcome::REASON_UNSPECIFIED && drawn != must_be_drawn) {
    return "the recorded result does not fit the way the game ended.";
  }
  return {};
}

// The line with the first tag of the game with this number.
std::size_t line_of(std::string_view file, std::size_t game) {
  std::istringstream lines{std::string(file)};
  bool in_tags = false;
  std::size_t number = 0;
  for (std::string whole; std::getline(lines, whole);) {
    ++number;
    const std::string_view line = wire::without_byte_order_mark(whole);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == ';') continue;
    const bool is_tag = line[first] == '[';
    if (is_tag && !in_tags && game-- == 0) return number;
    in_tags = is_tag;
  }
  return number;
}

// The games of a file, or a sentence.
boost::system::result<std::vector<v1::GameRecord>, std::string> read(const std::string& name) {
  const auto text = posix::read_file(name, record::max_file_bytes + 1);
  if (!text) return name + ": can't be read: " + posix::why_unreadable(name, errno) + ".";
  auto games = record::parse_games(*text);
  const auto at = [&](std::size_t line) {
    return line == 0 ? name + ": " : name + ":" + std::to_string(line) + ": ";
  };
  if (!games) return at(games.error().line) + games.error().sentence;
  for (std::size_t i = 0; i < games->size(); ++i) {
    if (const auto fault = check_import((*games)[i])) return at(line_of(*text, i)) + *fault;
  }
  return *std::move(games);
}

// The fields that all copies of a game share, without the moves: servers number a game differently,
// and files leave some fields out.
std::string head_of(const v1::GameRecord& game) {
  v1::GameRecord head;
  *head.mutable_rules() = game.rules();
  head.set_starter(game.starter() == v1::MARK_NONE ? v1::MARK_X : game.starter());
  for (const auto& [from, to] :
       {std::pair(&game.x(), head.mutable_x()), std::pair(&game.o(), head.mutable_o())}) {
    to->set_kind(from->kind());
    to->set_name(from->name());
  }
  head.mutable_outcome()->set_winner(game.outcome().winner());
  head.mutable_outcome()->set_reason(game.outcome().reason());
  head.set_ended_unix_ms(game.ended_unix_ms());
  return head.SerializeAsString();
}

std::string moves_of(const v1::GameRecord& game) {
  v1::GameRecord moves;
  *moves.mutable_moves() = game.moves();
  return moves.SerializeAsString();
}

/// The public games of a store, read once. Reads the moves only of possible duplicates.
class KnownGames {
 public:
  static records::Result<KnownGames> read(records::RecordStore& store) {
    auto reader = store.open_reader();
    if (!reader) return reader.error();
    KnownGames known;
    known.reader_ = *std::move(reader);
    constexpr std::size_t page = 1'000;
    for (std::uint64_t before = 0;;) {
      const auto list = known.reader_->list_games(before, "", page, 0);
      if (!list) return list.error();
      for (const v1::GameRecord& game : list->games()) {
        known.unread_[head_of(game)].push_back(game.id());
        before = game.id();
      }
      if (!list->more() || list->games().empty()) return known;
    }
  }

  /// Whether the game is there already. Adds it.
  records::Result<bool> note(const v1::GameRecord& game) {
    const std::string head = head_of(game);
    if (const auto found = unread_.find(head); found != unread_.end()) {
      for (const std::uint64_t id : found->second) {
        const auto there = reader_->game(id, 0);
        if (!there) return there.error();
        if (*there) games_.emplace(head, moves_of(**there));
      }
      unread_.erase(found);
    }
    return !games_.emplace(head, moves_of(game)).second;
  }

 private:
  KnownGames() = default;

  std::unique_ptr<records::RecordReader> reader_;
  std::map<std::string, std::vector<std::uint64_t>> unread_;  // ids by head
  std::set<std::pair<std::string, std::string>> games_;       // heads and moves
};

}  // namespace

std::optional<std::string> check_import(v1::GameRecord& record) {
  server::Limits limits;
  limits.min_side = 1;
  const auto rules = server::parse_rules(record.rules(), limits);
  if (!rules) return rules.error().message;
  const rules::Mark starter = server::parse_mark(record.starter());
  rules::Game game(*rules, starter == rules::Mark::none ? rules::Mark::x : starter);
  std::string fault = fault_of_moves(record, limits.moves_per_game, game);
  const bool is_over =
      game.status() != rules::Status::ongoing || game.ply() >= limits.moves_per_game;
  if (fault.empty()) fault = fault_of_outcome(record.outcome(), game, is_over);
  if (!fault.empty()) return "invalid game: " + fault;
  if (is_over) server::describe_outcome(game, *record.mutable_outcome());
  record.set_imported(true);
  return std::nullopt;
}

boost::system::result<Imported, records::Fault> import_games(const std::vector<std::string>& files,
                                                             const std::string& place) {
  // Files of root are read as root.
  const auto as_owner = [&](const auto& act) {
    std::optional<records::AsOwner> owner;
    if (!records::is_postgres_url(place)) owner.emplace(place);
    if (owner && !owner->has_usual_path()) owner.reset();  // see records::prepare_for_sqlite()
    return act();
  };
  const auto opened = as_owner([&] { return records::open_for_import(place); });
  if (!opened) return opened.error();
  const auto sentence = [&](const char* what, const records::Fault& fault) {
    return records::Fault{fault.kind, what + opened->name + ": " + fault.reason + "."};
  };
  auto known = as_owner([&] { return KnownGames::read(*opened->store); });
  if (!known) return sentence("Can't read ", known.error());
  Imported imported;
  for (const std::string& file : files) {
    const auto games = read(file);
    if (!games) {
      imported.faults.push_back(games.error());
      continue;
    }
    std::vector<v1::GameRecord> added;
    for (const v1::GameRecord& game : *games) {
      const auto is_known = known->note(game);
      if (!is_known) return sentence("Can't read ", is_known.error());
      if (*is_known) {
        ++imported.known;
      } else {
        added.push_back(game);
      }
    }
    if (added.empty()) continue;
    if (const auto fault = as_owner([&] { return opened->store->add_games(added); })) {
      return sentence("Can't write ", *fault);
    }
    imported.games += added.size();
  }
  return imported;
}

}  // namespace tictactoe::app
