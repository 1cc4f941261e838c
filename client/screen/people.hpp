// Players to choose from, and invitations.
#pragma once

#include <cstddef>
#include <string>

#include "client/screen/dialogs.hpp"
#include "client/screen/pressed.hpp"
#include "client/session/session.hpp"

namespace tictactoe::screen {

/// Players that a menu or a column shows; of more it says how many.
inline constexpr std::size_t max_shown_players = 500;
/// A screen at least as wide shows the players beside the list of rooms.
inline constexpr int width_with_players = 100;
inline constexpr int players_width = 30;

/// The players of the last list. Choosing one is answered by Answer::Person.
Menu player_menu(const client::Session& talk);
/// What can be done with that player.
Menu person_menu(const client::Session& talk, const Answer::Person& person);
/// Asks whether to follow an invitation.
Menu invitation_menu(const client::InvitationCame& invitation);

/// The names of the players with their rooms.
void draw_players(const Canvas& canvas, const client::Session& talk);

}  // namespace tictactoe::screen
