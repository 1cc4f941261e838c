// The interface through which a server records its events.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "server/core/effects.hpp"
#include "server/core/look_up_answer.hpp"

namespace tictactoe::net {

/// Makes events durable. The implementation reports its progress to the server with durable() and
/// recording(), on the thread of the event loop, and never from within a call of its own.
class Recorder {
 public:
  /// Takes the encoded Records of one event, which become durable together or not at all. Returns
  /// the event's sequence number, which counts up by one with every call.
  virtual std::uint64_t append(std::span<const std::string_view> records) = 0;
  /// Answers a question about records: calls `answer` later, once, unless the recorder ends
  /// before.
  virtual void look_up(const core::LookUp& question,
                       std::function<void(core::LookUpAnswer)> answer) = 0;

 protected:
  ~Recorder() = default;
};

}  // namespace tictactoe::net
