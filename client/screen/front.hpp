// The state shared by all parts of the full screen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/paint/picture.hpp"
#include "client/screen/dialogs.hpp"
#include "client/screen/typing.hpp"

namespace tictactoe::screen {

/// How the player is alerted at their turn.
enum class Alert : std::uint8_t { bell_and_title, title, bell, none };

struct Front {
  struct Options {
    std::string name;    ///< the wanted name
    bool ascii = false;  ///< the terminal can show nothing else
    Alert alert = Alert::bell_and_title;
    std::vector<std::string> commands;  ///< lines that are typed at the first welcome
    bool hosting = false;               ///< the server ends with the program
    bool choose = true;                 ///< begins with the choice of a server, and returns to it
  };

  /// Actions for the owner of the App.
  struct Wishes {
    /// The password of the account that has the person's name.
    std::optional<std::string> account_password;
    bool bell = false;
  };

  Options options;
  Size size{80, 24};
  Wishes wishes;
  Typing typing;
  std::string notice;  ///< until the next key or event
  OpenDialog dialog;   ///< above every screen
};

}  // namespace tictactoe::screen
