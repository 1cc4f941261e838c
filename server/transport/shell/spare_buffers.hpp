// Memory for what is written, which connections lend each other.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace tictactoe::transport {

/// Buffers that outboxes gather frames in. An outbox has one only while it has something to send,
/// so that an idle connection has none, and usually gets one that another has given back, so that
/// it does not call the heap. Takes at most `most` times longest_kept bytes, but no more than were
/// needed at the same time.
class SpareBuffers {
 public:
  using Buffer = std::unique_ptr<std::string>;

  /// An empty one. It belongs to the caller.
  Buffer take() { return count_ > 0 ? std::move(spare_[--count_]) : make(); }
  /// `buffer` is not null, but is afterwards. Frees it if it has grown, or if there are enough.
  void give_back(Buffer& buffer) {
    if (count_ == most || buffer->capacity() > longest_kept) return buffer.reset();
    buffer->clear();
    spare_[count_++].swap(buffer);
  }

 private:
  static constexpr std::size_t most = 1024;
  static constexpr std::size_t usual_capacity = 128;  // for the updates of a game
  static constexpr std::size_t longest_kept = 512;    // after a welcome

  static Buffer make() {
    auto buffer = std::make_unique<std::string>();
    buffer->reserve(usual_capacity);
    return buffer;
  }

  std::size_t count_ = 0;
  std::array<Buffer, most> spare_;  // null from `count_` on
};

}  // namespace tictactoe::transport
