#include "server/records/forget.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "common/wire/text.hpp"

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

// Nothing if the row is damaged.
template <class Message>
std::optional<Message> decoded(const BackendRow& row) {
  Message message;
  if (!row.is_sound || !message.ParseFromString(row.content)) return std::nullopt;
  return message;
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
    in_chat();
    in_rooms();
    if (!knows_person_) return {};
    for (const auto& [table, row] : changed_) backend_.replace(table, row);
    for (const auto& [table, row] : unreadable_) backend_.erase(table, row);
    in_bans();
    // Damaged content can't be changed.
    done_.deleted = unreadable_.size() + backend_.erase_asides_with(name_);
    done_.name = neutral_;
    return std::move(done_);
  }

 private:
  // One that nobody has had: the number counts up.
  void choose_neutral_name() {
    std::uint64_t last = 0;
    const auto note = [&](const std::string& name) { last = std::max(last, neutral_number(name)); };
    for (const BackendRow& row : backend_.rows_with(Table::players, neutral_prefix)) {
      if (const auto player = decoded<journal::v1::Player>(row)) note(player->name());
    }
    for (const BackendRow& row : backend_.rows_with(Table::games, neutral_prefix)) {
      note(row.x_name);
      note(row.o_name);
    }
    neutral_ = std::string(neutral_prefix) + std::to_string(last + 1);
  }

  void in_players() {
    for (BackendRow& row : backend_.rows_with(Table::players, name_)) {
      auto player = decoded<journal::v1::Player>(row);
      if (!player || player->name() != name_) continue;
      knows_person_ = true;
      player->set_name(neutral_);
      change(Table::players, std::move(row), *player, done_.players);
    }
  }

  void in_games() {
    for (BackendRow& row : backend_.rows_with(Table::games, name_)) {
      bool is_changed = row.x_name == name_ || row.o_name == name_;
      if (is_changed) knows_person_ = true;
      auto game = decoded<v1::GameRecord>(row);
      if (!game) {
        unreadable_.emplace_back(Table::games, std::move(row));
        continue;
      }
      const std::string room = room_without_name(game->room(), name_, neutral_);
      is_changed = is_changed || room != game->room();
      game->set_room(room);
      for (v1::Occupant* occupant : {game->mutable_x(), game->mutable_o()}) {
        if (occupant->kind() != v1::Occupant::KIND_PERSON || occupant->name() != name_) continue;
        occupant->set_name(neutral_);
        is_changed = knows_person_ = true;
      }
      if (is_changed) change(Table::games, std::move(row), *game, done_.games);
    }
  }

  void in_chat() {
    for (BackendRow& row : backend_.rows_with(Table::chat, name_)) {
      auto line = decoded<journal::v1::Chat>(row);
      if (!line || line->room() != row.key) {
        unreadable_.emplace_back(Table::chat, std::move(row));
        continue;
      }
      if (line->from() == name_) {
        knows_person_ = true;
        line->set_from(neutral_);
      }
      line->set_text(without_name(line->text(), name_, neutral_));
      change(Table::chat, std::move(row), *line, done_.lines);
    }
  }

  void in_rooms() {
    for (BackendRow& row : backend_.rows_with(Table::rooms, name_)) {
      auto room = decoded<journal::v1::Room>(row);
      if (!room) continue;
      std::string name = room_without_name(room->name(), name_, neutral_);
      if (name == room->name()) continue;
      // Several rooms can get the neutral name, but the names of rooms are unique.
      if (name == neutral_) name += "-" + std::to_string(row.key);
      room->set_name(name);
      change(Table::rooms, std::move(row), *room, done_.rooms);
    }
  }

  void in_bans() {
    journal::v1::Saved saved;
    read_bans(backend_, saved);
    for (journal::v1::Ban& ban : *saved.mutable_bans()) {
      const std::string subject = ban.subject().SerializeAsString();
      if (ban.subject().player() == name_) {
        backend_.write_ban(subject, std::nullopt);
        continue;
      }
      const std::string reason = without_name(ban.reason(), name_, neutral_);
      if (reason == ban.reason()) continue;
      ban.set_reason(reason);
      backend_.write_ban(subject, ban);
    }
  }

  template <class Message>
  void change(Table table, BackendRow row, const Message& message, std::size_t& count) {
    row.content = message.SerializeAsString();
    changed_.emplace_back(table, std::move(row));
    ++count;
  }

  using Rows = std::vector<std::pair<Table, BackendRow>>;

  Backend& backend_;
  const std::string_view name_;
  std::string neutral_;
  bool knows_person_ = false;
  Rows changed_;
  Rows unreadable_;
  Forgotten done_;
};

}  // namespace

Forgotten forget_name(Backend& backend, std::string_view name) {
  return Forgetting(backend, name).run();
}

}  // namespace tictactoe::records
