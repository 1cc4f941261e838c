#include "server/people/look_up_answer.hpp"

#include <chrono>

#include "server/limits/errors.hpp"

namespace tictactoe::server {

LookUpAnswer encode_answer(v1::ServerMessage message, std::size_t max_bytes) {
  constexpr std::size_t max_request_id_bytes = 11;
  if (message.ByteSizeLong() + max_request_id_bytes > max_bytes) {
    message.mutable_game_found()->mutable_game()->clear_move_ms();
  }
  return message.SerializeAsString();
}

LookUpAnswer no_space_for_answer() {
  v1::ServerMessage message;
  describe({v1::Error::CODE_RATE_LIMITED,
            "Too many bytes are waiting to be read on this connection. Read them, then ask again.",
            std::chrono::seconds(1)},
           *message.mutable_error());
  return message.SerializeAsString();
}

}  // namespace tictactoe::server
