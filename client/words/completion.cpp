#include "client/words/completion.hpp"

#include <algorithm>

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

std::vector<std::string> known_names(const Session& session) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (can_be_offered(name) && std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
  };
  if (session.rooms()) {
    for (const ListedRoom& room : *session.rooms()) add(room.wire_name);
  }
  std::ranges::for_each(session.limits().ai_levels(), add);
  std::ranges::for_each(known_players(session), add);
  return names;
}

Completion complete(std::string_view before, const std::vector<std::string>& names) {
  const Words typed = typed_words(before);
  const std::string start = unicode::folded(typed.back().text);
  Completion found{typed.back().begin, {}};
  const auto offer = [&](std::string_view word) {
    if (!unicode::folded(word).starts_with(start)) return;
    found.words.push_back((needs_quotes(word) ? quoted_word(word) : std::string(word)) + " ");
  };
  if (typed.size() == 1) {
    std::ranges::for_each(command_names(), offer);
  } else {
    std::ranges::for_each(names, offer);
  }
  return found;
}

}  // namespace tictactoe::client
