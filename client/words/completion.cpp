#include "client/words/completion.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "client/words/command.hpp"
#include "client/words/typed.hpp"
#include "common/unicode/letters.hpp"
#include "common/wire/text.hpp"

namespace tictactoe::client {
namespace {

// The words before the cursor; the last one is being typed, and may be empty.
Words typed_words(std::string_view before) {
  auto words = split(before);
  if (!words) {  // in quotes, and maybe behind a backslash there
    const auto quoted = split(std::string(before) + '"');
    return quoted ? *quoted : typed_words(before.substr(0, before.size() - 1));
  }
  const bool is_new = before.empty() || before.back() == ' ';
  if (is_new) words->push_back({.begin = before.size()});
  return *words;
}

bool needs_quotes(std::string_view name) {
  return name.find_first_of(" \"\\") != std::string_view::npos;
}

class Matches {
 public:
  explicit Matches(std::string_view start) : start_(unicode::folded(start)) {}

  void offer(const std::string& word, const std::string& written) {
    if (!unicode::folded(word).starts_with(start_)) return;
    if (std::find(found_.begin(), found_.end(), written) == found_.end()) found_.push_back(written);
  }
  void offer_words(std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) offer(std::string(word), std::string(word) + " ");
  }
  void offer_names(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      offer(name, (needs_quotes(name) ? quoted_word(name) : name) + " ");
    }
  }
  std::vector<std::string> take() { return std::move(found_); }

 private:
  std::string start_;
  std::vector<std::string> found_;
};

void find_arguments(const Words& typed, const KnownWords& known, Matches& matches) {
  const std::string command = lower(typed.front().text);
  const std::string previous = lower(typed[typed.size() - 2].text);
  const bool first = typed.size() == 2;
  if (previous == "password") return;
  if (command == "join" || command == "watch") {
    if (first) return matches.offer_names(known.rooms);
    if (command == "join") matches.offer_words({"x", "o"});
    return matches.offer_words({"password"});
  }
  if (command == "ai") {
    if (first) matches.offer_words({"x", "o"});
    return matches.offer_names(known.levels);
  }
  if ((command == "invite" || command == "mute" || command == "history") && first) {
    return matches.offer_names(known.players);
  }
  if (command == "unmute" && first) return matches.offer_names(known.muted);
  if (command == "noai" && first) return matches.offer_words({"x", "o"});
  if (command == "create" && !first) {
    if (previous == "away") return matches.offer_words({"forfeit", "hold", "ai"});
    matches.offer_words({"exact", "x", "o", "password", "unlisted", "open-seats", "hints", "clock",
                         "away", "from"});
  }
}

bool can_be_offered(std::string_view name) {
  return !name.empty() && !wire::check_text(name).fault;
}

}  // namespace

std::set<std::string> known_players(const Session& session) {
  std::set<std::string> players;
  const auto meet = [&](const std::string& name) {
    if (can_be_offered(name) && name != session.me()) players.insert(name);
  };
  if (session.players()) {
    for (const ListedPlayer& player : *session.players()) meet(player.wire_name);
  }
  const auto sit = [&](const Occupant& occupant) {
    if (occupant.kind == Occupant::Kind::person) meet(occupant.name);
  };
  if (session.rooms()) {
    for (const ListedRoom& listed : *session.rooms()) sit(listed.x), sit(listed.o);
  }
  if (session.members()) std::ranges::for_each(session.members()->watchers, meet);
  for (const ChatLine& line : session.lobby_chat()) meet(line.from);
  meet(session.last_inviter());
  const Room* const room = session.room();
  if (room == nullptr) return players;
  sit(room->x), sit(room->o);
  for (const ChatLine& line : room->chat) meet(line.from);
  return players;
}

KnownWords known_words(const Session& session) {
  KnownWords known;
  if (session.rooms()) {
    for (const ListedRoom& room : *session.rooms()) {
      if (can_be_offered(room.wire_name)) known.rooms.push_back(room.wire_name);
    }
  }
  if (session.is_welcomed()) {
    for (const std::string& level : session.limits().ai_levels()) {
      if (can_be_offered(level)) known.levels.push_back(level);
    }
  }
  const std::set<std::string> players = known_players(session);
  known.players.assign(players.begin(), players.end());
  for (const auto& [folded, name] : session.muted()) known.muted.push_back(name);
  return known;
}

Completion complete(std::string_view before, const KnownWords& known) {
  const Words typed = typed_words(before);
  Matches matches(typed.back().text);
  if (typed.size() == 1) {
    for (const std::string_view name : command_names()) matches.offer_words({name});
  } else {
    find_arguments(typed, known, matches);
  }
  return {typed.back().begin, matches.take()};
}

}  // namespace tictactoe::client
