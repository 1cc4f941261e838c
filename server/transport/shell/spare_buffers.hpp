// Buffers for output, shared by all connections.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace tictactoe::transport {

/// A pool of the buffers in which outboxes gather frames. An outbox has a buffer only while it has
/// something to send, so an idle connection has none. A buffer is usually reused, without an
/// allocation. Keeps at most `max_spare` buffers of at most max_kept_bytes, and no more than were
/// needed at the same time.
class SpareBuffers {
 public:
  using Buffer = std::unique_ptr<std::string>;

  /// Returns an empty buffer, which belongs to the caller.
  Buffer take() { return count_ > 0 ? std::move(spare_[--count_]) : make(); }
  /// Takes a buffer back and sets `buffer` to null. Frees it if it has grown or there are enough.
  void give_back(Buffer& buffer) {
    if (count_ == max_spare || buffer->capacity() > max_kept_bytes) return buffer.reset();
    buffer->clear();
    spare_[count_++].swap(buffer);
  }

 private:
  static constexpr std::size_t max_spare = 1024;
  static constexpr std::size_t usual_capacity = 128;  // for the updates of a game
  static constexpr std::size_t max_kept_bytes = 512;  // after a welcome

  static Buffer make() {
    auto buffer = std::make_unique<std::string>();
    buffer->reserve(usual_capacity);
    return buffer;
  }

  std::size_t count_ = 0;
  std::array<Buffer, max_spare> spare_;  // null from `count_` on
};

}  // namespace tictactoe::transport
