// The state shared by all parts of the full screen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/paint/picture.hpp"
#include "client/screen/dialogs.hpp"
#include "common/tls/fingerprint.hpp"
#include "tictactoe/v1/types.pb.h"

namespace tictactoe::screen {

/// How the player is alerted at their turn.
enum class Alert : std::uint8_t { bell_and_title, title, bell, none };

struct Front {
  struct Options {
    std::string name;    ///< the wanted name
    bool ascii = false;  ///< the terminal has nothing else
    Alert alert = Alert::bell_and_title;
    std::vector<std::string> commands;  ///< lines that are typed at the first welcome
    bool hosting = false;               ///< the server ends with the program
    bool choose = true;  ///< begins with the choice of a server, and comes back to it
  };

  /// A finished game to continue after `moves` of its moves, without a server.
  struct PlayOn {
    v1::GameRecord game;
    std::size_t moves = 0;
  };

  /// Actions for the owner of the App.
  struct Wishes {
    /// The person trusts this new key of the last server.
    std::optional<tls::Fingerprint> trusted_key;
    /// The password of the account that has the person's name.
    std::optional<std::string> account_password;
    std::optional<PlayOn> play_on;
    bool bell = false;
  };

  Options options;
  Size size{80, 24};
  Wishes wishes;
  std::string notice;  ///< until the next key or event
  OpenDialog dialog;   ///< above every screen
};

}  // namespace tictactoe::screen
