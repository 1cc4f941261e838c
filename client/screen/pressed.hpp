// The result of a key in a dialog.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "tictactoe/v1/client.pb.h"

namespace tictactoe::screen {

/// What the person has chosen in a dialog: a request, maybe with the level of an AI for the free
/// seat of the room that the request creates; a player; or the end of the program.
struct Answer {
  enum class Quit : unsigned char { no, keep_seat, leave_seat };

  /// A player who was chosen, and what for.
  struct Person {
    enum class What : unsigned char { choose, mute, unmute };
    std::string name;  ///< as the server wrote it
    std::string room;  ///< where the player is; empty for none
    What what = What::choose;
  };

  explicit Answer(v1::ClientMessage message) : request(std::move(message)) {}
  explicit Answer(Quit how) : quit(how) {}
  struct TrustKey {};  ///< the new one of the server

  explicit Answer(TrustKey /*trust*/) : trusts_key(true) {}
  explicit Answer(Person who) : person(std::move(who)) {}

  v1::ClientMessage request;
  std::string opponent;
  Quit quit = Quit::no;
  std::optional<Person> person;
  bool trusts_key = false;
};

/// A dialog stays open or is closed, and may have an answer either way. One that stays open with an
/// answer waits until the server has carried the request out or refused it.
struct Pressed {
  bool closed = false;
  std::optional<Answer> answer;
};

}  // namespace tictactoe::screen
