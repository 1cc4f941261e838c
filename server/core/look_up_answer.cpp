#include "server/core/look_up_answer.hpp"

#include <chrono>
#include <utility>

#include "server/core/errors.hpp"

namespace tictactoe::core {

LookUpAnswer encode_answer(v1::ServerMessage message, std::size_t longest) {
  const int moves = message.game_found().game().moves_size();
  if (message.ByteSizeLong() > longest) {
    message.mutable_game_found()->mutable_game()->clear_move_ms();
  }
  return {std::make_shared<const std::string>(message.SerializeAsString()), moves};
}

LookUpAnswer no_space_for_answer() {
  v1::ServerMessage message;
  describe({v1::Error::CODE_RATE_LIMITED,
            "Too many bytes wait to be read on this connection. Read them, then ask again.",
            std::chrono::seconds(1)},
           *message.mutable_error());
  return {std::make_shared<const std::string>(message.SerializeAsString()), 0};
}

}  // namespace tictactoe::core
