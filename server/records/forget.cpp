#include "server/records/forget.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "common/wire/text.hpp"
#include "server/records/rows.hpp"
#include "server/records/state.hpp"

namespace tictactoe::records {

namespace {

// Whether the character that begins with `lead` is part of a word in scripts with spaces between
// words: ASCII, and all characters of two bytes, which are the letters of Europe and the Near East.
bool is_word(unsigned char lead) {
  return (lead >= '0' && lead <= '9') || (lead >= 'A' && lead <= 'Z') ||
         (lead >= 'a' && lead <= 'z') || (lead >= 0xC3 && lead < 0xE0);
}

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// The first byte of the character that contains text[at].
unsigned char lead_at(std::string_view text, std::size_t at) {
  while (at > 0 && is_continuation(text[at])) --at;
  return static_cast<unsigned char>(text[at]);
}

// Whether text[begin, end) is not part of a longer word.
bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  const auto joined = [&](std::size_t before, std::size_t after) {
    return is_word(lead_at(text, before)) && is_word(lead_at(text, after));
  };
  if (begin > 0 && joined(begin - 1, begin)) return false;
  return end == text.size() || !joined(end - 1, end);
}

}  // namespace

std::string without_name(std::string_view text, std::string_view name, std::string_view neutral) {
  std::string changed;
  std::size_t done = 0;
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string_view::npos;) {
    if (!stands_alone(text, at, at + name.size())) {
      ++at;
      continue;
    }
    changed.append(text.substr(done, at - done)).append(neutral);
    done = at += name.size();
  }
  return changed.append(text.substr(done));
}

namespace {

// How neutral names begin. A number follows.
constexpr std::string_view neutral_prefix = "forgotten-";

// The number of a neutral name; 0 if it is none.
std::uint64_t neutral_number(std::string_view name) {
  if (!name.starts_with(neutral_prefix)) return 0;
  name.remove_prefix(neutral_prefix.size());
  std::uint64_t number = 0;
  const auto end = std::from_chars(name.data(), name.data() + name.size(), number);
  return end.ec == std::errc() ? number : 0;
}

// As without_name(), for the name of a room, which has a limit.
std::string room_without_name(std::string_view room, std::string_view name,
                              std::string_view neutral) {
  constexpr std::size_t longest = 24;
  std::string changed = without_name(room, name, neutral);
  if (changed == room || wire::check_text(changed).code_points <= longest) return changed;
  return std::string(neutral);
}

// Collects what changes before it changes anything: a word that is only in names of rooms and in
// chat may be nobody's name.
class Forgetting {
 public:
  Forgetting(Backend& backend, std::string_view name) : backend_(backend), name_(name) {}

  Forgotten run() {
    choose_neutral_name();
    in_players();
    in_games();
    in_rooms();
    if (!knows_person_) return {};
    backend_.put(Table::players, players_);
    backend_.drop_names(Table::players, players_);
    backend_.put(Table::rooms, rooms_);
    backend_.drop_names(Table::rooms, rooms_);
    backend_.put_games(games_);
    backend_.erase(Table::games, unreadable_games_);
    in_bans();
    // Damaged content can't be changed.
    done_.deleted = unreadable_games_.size() + backend_.erase_asides_with(name_);
    done_.name = neutral_;
    return std::move(done_);
  }

 private:
  // One that nobody has had: the number counts up.
  void choose_neutral_name() {
    std::uint64_t last = 0;
    const auto note = [&](const std::string& name) { last = std::max(last, neutral_number(name)); };
    for (const Row& row : backend_.rows_with(Table::players, neutral_prefix)) {
      journal::v1::Player player;
      if (player.ParseFromString(row.content)) note(player.name());
    }
    for (const StoredGame& game : backend_.games_with(neutral_prefix)) {
      note(game.x_name.value_or(""));
      note(game.o_name.value_or(""));
    }
    neutral_ = std::string(neutral_prefix) + std::to_string(last + 1);
  }

  void in_players() {
    for (Row& row : backend_.rows_with(Table::players, name_)) {
      journal::v1::Player player;
      if (!player.ParseFromString(row.content) || player.name() != name_) continue;
      knows_person_ = true;
      player.set_name(neutral_);
      row.content = player.SerializeAsString();
      players_.push_back(std::move(row));
      ++done_.players;
    }
  }

  void in_games() {
    for (StoredGame& row : backend_.games_with(name_)) {
      bool is_changed = row.x_name == name_ || row.o_name == name_;
      if (is_changed) knows_person_ = true;
      v1::GameRecord game;
      if (!row.is_sound || !game.ParseFromString(row.head)) {
        unreadable_games_.push_back(row.id);
        continue;
      }
      if (change_room(*game.mutable_room())) is_changed = true;
      for (v1::Occupant* occupant : {game.mutable_x(), game.mutable_o()}) {
        if (occupant->kind() != v1::Occupant::KIND_PERSON || occupant->name() != name_) continue;
        occupant->set_name(neutral_);
        is_changed = knows_person_ = true;
      }
      if (!is_changed) continue;
      put_head(row, game);
      games_.push_back(std::move(row));
      ++done_.games;
    }
  }

  void in_rooms() {
    for (Row& row : backend_.rows_with(Table::rooms, name_)) {
      journal::v1::SavedRoom saved;
      if (!saved.ParseFromString(row.content)) continue;
      const std::size_t before = done_.rooms + done_.lines;
      if (std::string& name = *saved.mutable_room()->mutable_name(); change_room(name)) {
        // Several rooms can get the neutral name, but the names of rooms are unique.
        if (name == neutral_) name += "-" + std::to_string(row.key);
        ++done_.rooms;
      }
      for (journal::v1::Chat& line : *saved.mutable_chat()) {
        if (change_line(line)) ++done_.lines;
      }
      if (done_.rooms + done_.lines == before) continue;
      row.content = saved.SerializeAsString();
      rooms_.push_back(std::move(row));
    }
  }

  // These return whether they have changed anything.
  bool change_room(std::string& room) const {
    const std::string changed = room_without_name(room, name_, neutral_);
    return changed != std::exchange(room, changed);
  }
  bool change_line(journal::v1::Chat& line) {
    const std::string before =
        std::exchange(*line.mutable_text(), without_name(line.text(), name_, neutral_));
    if (line.from() != name_) return line.text() != before;
    knows_person_ = true;
    line.set_from(neutral_);
    return true;
  }

  void in_bans() {
    for (const BanRow& row : backend_.bans()) {
      auto ban = decode_ban(row);
      if (!ban || ban->subject().player() == name_) {
        backend_.put_ban(row.subject, std::nullopt);
      } else if (const std::string reason = without_name(ban->reason(), name_, neutral_);
                 reason != ban->reason()) {
        ban->set_reason(reason);
        backend_.put_ban(row.subject, ban);
      }
    }
  }

  Backend& backend_;
  const std::string_view name_;
  std::string neutral_;
  bool knows_person_ = false;
  std::vector<Row> players_;  // changed
  std::vector<Row> rooms_;
  std::vector<StoredGame> games_;
  std::vector<std::uint64_t> unreadable_games_;
  Forgotten done_;
};

}  // namespace

Forgotten forget_name(Backend& backend, std::string_view name) {
  return Forgetting(backend, name).run();
}

}  // namespace tictactoe::records
