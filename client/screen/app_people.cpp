// What the App does about people: lists of them, invitations, and who is muted.
#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

#include "client/model/sanitized.hpp"
#include "client/screen/app.hpp"
#include "client/screen/people.hpp"
#include "client/text/people.hpp"

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
    open(player_menu(*talk_), talk_->now());
  }
  if (std::holds_alternative<client::PlayersListed>(event) && options_.hosting) {
    if (auto* const menu = std::get_if<QuitMenu>(&dialog_)) menu->tell(*talk_);
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
    open(invitation_menu(*invitation), talk_->now());
  }
}

void App::ask_for_account(const client::Welcomed& event) {
  if (!talk_->needs_account_password(event.welcome)) return;
  v1::ClientMessage hello;
  hello.mutable_hello();
  open(PasswordBox(client::sanitized(talk_->wanted_name()), std::move(hello)), talk_->now());
}

void App::answer_about(const Answer::Person& person, Time now) {
  switch (person.what) {
    case Answer::Person::What::choose:
      return open(person_menu(*talk_, person), now);
    case Answer::Person::What::mute:
      return note(client::mute(*talk_, person.name));
    case Answer::Person::What::unmute:
      return note(client::unmute(*talk_, person.name));
  }
}

void App::carry_out(const client::Mute& mute) {
  note(mute.player.empty() ? client::muted_text(*talk_)
       : mute.on           ? client::mute(*talk_, mute.player)
                           : client::unmute(*talk_, mute.player));
}

}  // namespace tictactoe::screen
