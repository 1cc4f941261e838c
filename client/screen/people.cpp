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

namespace prompts = client::prompts;

Action mutes(const MutePlayer& mute, const std::string& player, bool on) {
  return [mute, player, on](client::Time /*now*/) { mute(player, on); };
}

}  // namespace

Menu::Content player_menu(const client::Session& talk, const ChoosePlayer& choose) {
  std::vector<Menu::Choice> choices;
  for (const client::ListedPlayer& player : *talk.players()) {
    if (choices.size() == max_shown_players) break;
    if (player.name == talk.me()) continue;
    choices.push_back({client::player_text(player, talk),
                       [choose, player](client::Time now) { choose(player, now); }});
  }
  if (choices.empty()) choices.push_back({std::string(prompts::nobody_else)});
  return {"Players", std::move(choices)};
}

Menu::Content person_menu(client::Session& talk, const client::ListedPlayer& player,
                          const MutePlayer& mute) {
  const std::string& name = player.wire_name;
  std::vector<Menu::Choice> choices;
  const client::Room* const room = talk.room();
  if (room && room->name != player.room) {
    choices.push_back({std::string(prompts::invite_here), requests(talk, client::invite(name))});
  }
  if (!room && !player.room.empty()) {
    choices.push_back(
        {"Watch " + client::quoted(player.room), requests(talk, client::watch_room(player.room))});
  }
  const bool muted = talk.is_muted(name);
  choices.push_back(
      {std::string(muted ? prompts::unmute : prompts::mute), mutes(mute, name, !muted)});
  return {name, std::move(choices)};
}

Menu::Content invitation_menu(client::Session& talk, const client::InvitationCame& invitation,
                              const MutePlayer& mute) {
  const client::ListedRoom& room = invitation.room;
  return {client::person_name(invitation.from) + " invites you",
          {{client::room_choice_text(room),
            requests(talk, room.has_open_seat() ? client::join_room(room.wire_name)
                                                : client::watch_room(room.wire_name))},
           {"Not now"},
           {"Mute " + invitation.from, mutes(mute, invitation.from, true)}}};
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
