// Players to choose from, and invitations.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "client/screen/dialogs.hpp"
#include "client/session/session.hpp"

namespace tictactoe::screen {

/// Players that a menu or a column shows; of more it says how many.
inline constexpr std::size_t max_shown_players = 500;
/// A screen at least as wide shows the players beside the list of rooms.
inline constexpr int width_with_players = 100;
inline constexpr int players_width = 30;

/// Gets a player who was chosen.
using ChoosePlayer = std::function<void(const client::ListedPlayer& player, client::Time now)>;
/// Gets the name of a player who is to be muted, or not any more.
using MutePlayer = std::function<void(const std::string& player, bool on)>;

/// The players of the last list.
Menu::Content player_menu(const client::Session& talk, const ChoosePlayer& choose);
/// What can be done with that player. The session must outlive the menu.
Menu::Content person_menu(client::Session& talk, const client::ListedPlayer& player,
                          const MutePlayer& mute);
/// Asks whether to follow an invitation. The session must outlive the menu.
Menu::Content invitation_menu(client::Session& talk, const client::InvitationCame& invitation,
                              const MutePlayer& mute);

/// The names of the players with their rooms.
void draw_players(const Canvas& canvas, const client::Session& talk);

}  // namespace tictactoe::screen
