// Bytes that several messages have in common.
#pragma once

#include <memory>
#include <string>

namespace tictactoe::core {

/// A part of an encoded message that is not copied for each receiver. Never null.
struct SharedBytes {
  std::shared_ptr<const std::string> bytes;
  /// Whether their memory is accounted to a room: an outbox that waits to send them takes no more.
  bool is_of_room = false;
};

}  // namespace tictactoe::core
