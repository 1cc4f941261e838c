// Bytes on their way to one peer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "common/wire/frame.hpp"

namespace tictactoe::net {

/// What all outboxes of a server may hold together. Must outlive them.
struct OutboxBudget {
  std::size_t limit = 0;  // bytes
  std::size_t used = 0;
};

/// Frames that wait to be written, gathered so that one write takes all of them. Never holds more
/// than its limit: a peer that does not read costs no more than that.
class Outbox {
 public:
  /// `limit` in bytes.
  Outbox(std::size_t limit, OutboxBudget& budget) : limit_(limit), budget_(budget) {}
  ~Outbox() { budget_.used -= waiting().size(); }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Adds a frame of `prefix` and `body`. False, with nothing added, where that goes over the
  /// limit, or where all outboxes together are over theirs and this one is among those that wait.
  bool push(std::string_view prefix, std::string_view body) {
    const std::size_t before = waiting().size();
    const std::size_t frame = wire::max_length_bytes + prefix.size() + body.size();
    if (before + frame > limit_) return false;
    if (before > 0 && budget_.used + frame > budget_.limit) return false;
    wire::append_frame(bytes_, prefix, body);
    budget_.used += waiting().size() - before;
    return true;
  }

  bool is_half_full() const { return waiting().size() > limit_ / 2; }
  bool empty() const { return sent_ == bytes_.size(); }
  /// What has not been written yet. Valid until the next call that changes the outbox.
  std::string_view waiting() const { return std::string_view(bytes_).substr(sent_); }

  /// The first `count` bytes of waiting() were written.
  void sent(std::size_t count) {
    budget_.used -= count;
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
  static constexpr std::size_t worth_keeping = std::size_t{4} * 1024;

  std::size_t limit_;
  OutboxBudget& budget_;
  std::string bytes_;
  std::size_t sent_ = 0;
};

}  // namespace tictactoe::net
