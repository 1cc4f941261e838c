#include "server/core/look_up_answer.hpp"

#include <utility>

namespace tictactoe::core {

LookUpAnswer encode_answer(v1::ServerMessage message, const Limits& limits) {
  const int moves = message.game_found().game().moves_size();
  if (message.ByteSizeLong() > limits.server_frame_bytes) {
    message.mutable_game_found()->mutable_game()->clear_move_ms();
  }
  return {std::make_shared<const std::string>(message.SerializeAsString()), moves};
}

LookUpAnswer no_space_for_answer() {
  v1::ServerMessage message;
  v1::Error& error = *message.mutable_error();
  error.set_code(v1::Error::CODE_RATE_LIMITED);
  error.set_message("Too much waits for you already: read it, then ask again.");
  error.set_retry_after_ms(1'000);
  return {std::make_shared<const std::string>(message.SerializeAsString()), 0};
}

}  // namespace tictactoe::core
