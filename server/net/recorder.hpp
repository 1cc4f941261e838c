// Where a server's records go.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "server/core/effects.hpp"

namespace tictactoe::net {

/// Makes records last. Whoever implements it tells the server how far it has come, with
/// Server::durable and Server::recording; all on the thread of the io_context, and never from
/// within one of these calls.
class Recorder {
 public:
  /// Takes encoded Records that must last together or not at all. Their sequence number, which
  /// counts up from 1.
  virtual std::uint64_t append(std::span<const std::string_view> records) = 0;
  /// Looks something up, and hands the answer over later; always exactly one.
  virtual void look_up(const core::LookUp& question,
                       std::function<void(v1::ServerMessage)> answer) = 0;

 protected:
  ~Recorder() = default;
};

}  // namespace tictactoe::net
