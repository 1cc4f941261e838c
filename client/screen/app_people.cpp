// What the App does about people: lists of them, invitations, and who is muted.
#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

#include "client/model/sanitized.hpp"
#include "client/screen/app.hpp"
#include "client/words/lists.hpp"

namespace tictactoe::screen {

// Players beside the list of rooms, or the people in a room.
bool App::shows_people() const {
  if (!talk_ || talk_->link() != Session::Link::up) return false;
  return talk_->room() || (stage() == Stage::lobby && size_.width >= width_with_players);
}

// Asks who is here after somebody has come or gone.
void App::ask_for_people(Time now) {
  if (!people_changed_ || now < people_at_ || !shows_people()) return;
  people_changed_ = false;
  people_at_ = now + lobby_pace;
  const Room* const room = talk_->room();
  if (stage() == Stage::lobby && size_.width >= width_with_players) talk_->list_players(now);
  if (room && room->watchers > 0) talk_->list_members(now);
}

void App::choose_player(Time now) {
  wants_players_ = true;
  talk_->list_players(now);
}

void App::note_people(const client::SessionEvent& event) {
  if (std::holds_alternative<client::RoomShown>(event) ||
      std::holds_alternative<client::LobbyChanged>(event)) {
    people_changed_ = true;
  }
  if (const auto* const changed = std::get_if<client::RoomChanged>(&event)) {
    const auto what = changed->update.change_case();
    people_changed_ = people_changed_ || what == v1::RoomUpdate::kWatchersChanged ||
                      what == v1::RoomUpdate::kSeatChanged;
  }
  if (std::holds_alternative<client::PlayersListed>(event) &&
      std::exchange(wants_players_, false) && !has_dialog()) {
    open<Menu>(talk_->now(),
               player_menu(*talk_, [this](const client::ListedPlayer& player, Time now) {
                 choose_action_for(player, now);
               }));
  }
  if (std::holds_alternative<client::PlayersListed>(event) && options_.hosting) {
    if (auto* const menu = dialog<QuitMenu>()) menu->tell(*talk_);
  }
  if (std::holds_alternative<client::MembersListed>(event) &&
      std::exchange(wants_members_, false)) {
    std::istringstream lines(client::members_text(*talk_->members()));
    for (std::string line; std::getline(lines, line);) note(line);
  }
  const auto* const invitation = std::get_if<client::InvitationCame>(&event);
  if (!invitation) return;
  if (options_.alert == Alert::bell || options_.alert == Alert::bell_and_title) bell_ = true;
  // A game is not interrupted, and neither is a line that is being typed.
  if (!talk_->room() && !has_dialog() && entry_ == Entry::none) {
    open<Menu>(talk_->now(),
               invitation_menu(*talk_, *invitation,
                               [this](const auto& player, bool on) { mute(player, on); }));
  }
}

void App::ask_for_account(const client::Welcomed& event) {
  if (!talk_->needs_account_password(event.welcome)) return;
  const std::string name = client::sanitized(talk_->wanted_name());
  open<PasswordBox>(
      talk_->now(),
      PasswordBox::Words{client::account_password_wanted_text(name), "Log in", "Not mine"}, false,
      [this](const std::string& password, Time) { account_password_ = password; });
}

void App::choose_action_for(const client::ListedPlayer& player, Time now) {
  open<Menu>(now,
             person_menu(*talk_, player, [this](const auto& name, bool on) { mute(name, on); }));
}

void App::mute(const std::string& player, bool on) {
  note(player.empty() ? client::muted_text(*talk_)
       : on           ? client::mute(*talk_, player)
                      : client::unmute(*talk_, player));
}

}  // namespace tictactoe::screen
