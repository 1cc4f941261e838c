#include "client/screen/people.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "client/text/narration.hpp"

namespace tictactoe::screen {
namespace {

using Person = Answer::Person;

std::string text_of(const client::Session& talk, const client::ListedPlayer& player) {
  std::string text = player.name;
  if (player.name == talk.me()) text.append(" (you)");
  if (talk.muted().contains(player.name)) text.append(" (muted)");
  return player.room.empty() ? text : text + ", in " + player.room;
}

Menu::Choice join_or_watch(const client::ListedRoom& room) {
  v1::ClientMessage request;
  const bool joins = room.has_open_seat();
  if (joins) {
    request.mutable_join_room()->set_name(room.wire_name);
  } else {
    request.mutable_watch_room()->set_name(room.wire_name);
  }
  const std::string what = joins ? "Join " : "Watch ";
  return {what + "\"" + room.name + "\": " + client::rules_text(room.rules),
          Answer(std::move(request))};
}

}  // namespace

Menu player_menu(const client::Session& talk) {
  std::vector<Menu::Choice> choices;
  for (const client::ListedPlayer& player : *talk.players()) {
    if (choices.size() == max_shown_players) break;
    if (player.name == talk.me()) continue;
    choices.push_back({text_of(talk, player), Answer(Person{player.wire_name, player.room, {}})});
  }
  if (choices.empty()) choices.push_back({"Nobody else is here.", {}});
  return {"Players", std::move(choices)};
}

Menu person_menu(const client::Session& talk, const Person& person) {
  std::vector<Menu::Choice> choices;
  const client::Room* const room = talk.room();
  if (room && room->name != person.room) {
    v1::ClientMessage invite;
    invite.mutable_invite()->set_player(person.name);
    choices.push_back({"Invite to this room", Answer(std::move(invite))});
  }
  if (!room && !person.room.empty()) {
    v1::ClientMessage watch;
    watch.mutable_watch_room()->set_name(person.room);
    choices.push_back({"Watch the room \"" + person.room + "\"", Answer(std::move(watch))});
  }
  if (talk.muted().contains(person.name)) {
    choices.push_back(
        {"Show chat and invitations again", Answer(Person{person.name, {}, Person::What::unmute})});
  } else {
    choices.push_back(
        {"Mute: hide chat and invitations", Answer(Person{person.name, {}, Person::What::mute})});
  }
  return {person.name, std::move(choices)};
}

Menu invitation_menu(const client::InvitationCame& invitation) {
  return {client::person_name(invitation.from) + " invites you",
          {join_or_watch(invitation.room),
           {"Not now", {}},
           {"Mute " + invitation.from, Answer(Person{invitation.from, {}, Person::What::mute})}}};
}

void draw_players(const Canvas& canvas, const client::Session& talk) {
  canvas.write(0, 0, "PLAYERS", Style::faint);
  if (!talk.players()) return;
  const std::vector<client::ListedPlayer>& players = *talk.players();
  const auto rows = static_cast<std::size_t>(std::max(canvas.height() - 1, 0));
  const bool all = players.size() <= rows;
  const std::size_t shown = all || rows == 0 ? std::min(players.size(), rows) : rows - 1;
  for (std::size_t i = 0; i < shown; ++i) {
    canvas.write(0, static_cast<int>(i) + 1, fitted(text_of(talk, players[i]), canvas.width()));
  }
  if (!all && rows > 0) {
    canvas.write(0, static_cast<int>(rows),
                 "and " + std::to_string(players.size() - shown) + " more", Style::faint);
  }
}

std::string watchers_text(const client::Session& talk) {
  const std::uint32_t count = talk.room()->watchers;
  std::string text = std::to_string(count) + " watching";
  if (!talk.members()) return text;
  std::string_view before = ": ";
  for (const std::string& name : talk.members()->watchers) {
    text.append(before).append(client::person_name(name));
    before = ", ";
  }
  return text;
}

}  // namespace tictactoe::screen
