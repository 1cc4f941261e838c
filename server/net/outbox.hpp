// Bytes on their way to one peer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "common/wire/frame.hpp"

namespace tictactoe::net {

/// Frames that wait to be written, gathered so that one write takes all of them. Never holds more
/// than its limit: a peer that does not read costs no more than that.
class Outbox {
 public:
  /// `limit` in bytes.
  explicit Outbox(std::size_t limit) : limit_(limit) {}

  /// Adds a frame of `prefix` and `body`. False, with nothing added, where that goes over the
  /// limit.
  bool push(std::string_view prefix, std::string_view body) {
    const std::size_t frame = wire::max_length_bytes + prefix.size() + body.size();
    if (waiting().size() + frame > limit_) return false;
    wire::append_frame(bytes_, prefix, body);
    return true;
  }

  bool empty() const { return sent_ == bytes_.size(); }
  /// What has not been written yet. Valid until the next call that changes the outbox.
  std::string_view waiting() const { return std::string_view(bytes_).substr(sent_); }

  /// The first `count` bytes of waiting() were written.
  void sent(std::size_t count) {
    sent_ += count;
    if (sent_ == bytes_.size()) {
      // A peer that once got a huge board need not keep that much memory for ever.
      if (bytes_.capacity() > worth_keeping) std::string().swap(bytes_);
      bytes_.clear();
      sent_ = 0;
    } else if (sent_ > bytes_.size() / 2) {
      // At least as many bytes were written as are moved, so this is O(1) a byte.
      bytes_.erase(0, sent_);
      sent_ = 0;
    }
  }

 private:
  static constexpr std::size_t worth_keeping = 4 * 1024;

  std::size_t limit_;
  std::string bytes_;
  std::size_t sent_ = 0;
};

}  // namespace tictactoe::net
