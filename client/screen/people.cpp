#include "client/screen/people.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "client/session/requests.hpp"
#include "client/text/narration.hpp"
#include "client/text/people.hpp"
#include "client/text/prompts.hpp"

namespace tictactoe::screen {
namespace {

using Person = Answer::Person;
namespace prompts = client::prompts;

Menu::Choice join_or_watch(const client::ListedRoom& room) {
  return {client::room_choice_text(room),
          Answer(room.has_open_seat() ? client::join_room(room.wire_name)
                                      : client::watch_room(room.wire_name))};
}

}  // namespace

Menu player_menu(const client::Session& talk) {
  std::vector<Menu::Choice> choices;
  for (const client::ListedPlayer& player : *talk.players()) {
    if (choices.size() == max_shown_players) break;
    if (player.name == talk.me()) continue;
    choices.push_back(
        {client::player_text(player, talk), Answer(Person{player.wire_name, player.room, {}})});
  }
  if (choices.empty()) choices.push_back({std::string(prompts::nobody_else), {}});
  return {"Players", std::move(choices)};
}

Menu person_menu(const client::Session& talk, const Person& person) {
  std::vector<Menu::Choice> choices;
  const client::Room* const room = talk.room();
  if (room && room->name != person.room) {
    choices.push_back({std::string(prompts::invite_here), Answer(client::invite(person.name))});
  }
  if (!room && !person.room.empty()) {
    choices.push_back(
        {"Watch " + client::quoted(person.room), Answer(client::watch_room(person.room))});
  }
  if (talk.is_muted(person.name)) {
    choices.push_back(
        {std::string(prompts::unmute), Answer(Person{person.name, {}, Person::What::unmute})});
  } else {
    choices.push_back(
        {std::string(prompts::mute), Answer(Person{person.name, {}, Person::What::mute})});
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
    canvas.write(0, static_cast<int>(i) + 1,
                 fitted(client::player_text(players[i], talk), canvas.width()));
  }
  if (!all && rows > 0) {
    canvas.write(0, static_cast<int>(rows),
                 "and " + std::to_string(players.size() - shown) + " more", Style::faint);
  }
}

}  // namespace tictactoe::screen
