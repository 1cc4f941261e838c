// Bytes on their way to one peer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/wire/frame.hpp"

namespace tictactoe::net {

/// A limit for all outboxes of a server together. Must outlive those that are not empty.
struct OutboxBudget {
  std::size_t limit = 0;  // bytes
  std::size_t used = 0;
};

/// Frames that wait to be written, gathered so that one write takes all of them. Never holds more
/// than its limit: a peer that does not read costs no more than that.
///
/// A frame about a record that is not durable yet is held, with all frames after it, until the
/// record is durable. Holding and releasing cost O(1) a frame.
class Outbox {
 public:
  /// `limit` in bytes.
  Outbox(std::size_t limit, OutboxBudget& budget) : limit_(limit), budget_(budget) {}
  ~Outbox() {
    // The budget of an empty outbox may be gone.
    if (!empty()) budget_.used -= waiting().size();
  }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Adds a frame of `prefix` and `body`. It is held until release() has been called with `record`
  /// or a later one; 0: not held. `record` is never lower than before. Returns false and adds
  /// nothing if the frame goes over the limit, or if it goes over the budget and other frames wait
  /// here.
  bool push(std::string_view prefix, std::string_view body, std::uint64_t record = 0) {
    const std::size_t before = waiting().size();
    const std::size_t frame = wire::max_length_bytes + prefix.size() + body.size();
    if (before + frame > limit_) return false;
    if (before > 0 && budget_.used + frame > budget_.limit) return false;
    wire::append_frame(bytes_, prefix, body);
    const std::size_t added = waiting().size() - before;
    budget_.used += added;
    if (record > 0 || held_ > 0) hold(added, record);
    return true;
  }

  /// Every record up to this one is durable.
  void release(std::uint64_t record) {
    while (held_ > 0 && holds_[first_hold_].record <= record) {
      held_ -= holds_[first_hold_++].bytes;
    }
    // At least as many were released as are moved, so this is O(1) a frame.
    if (held_ > 0 && first_hold_ <= holds_.size() / 2) return;
    holds_.erase(holds_.begin(), holds_.begin() + static_cast<std::ptrdiff_t>(first_hold_));
    first_hold_ = 0;
  }
  bool is_held() const { return held_ > 0; }

  /// Discards everything.
  void clear() {
    budget_.used -= waiting().size();
    std::string().swap(bytes_);
    sent_ = 0;
    holds_.clear();
    first_hold_ = 0;
    held_ = 0;
  }

  bool is_half_full() const { return waiting().size() > limit_ / 2; }
  bool empty() const { return sent_ == bytes_.size(); }
  /// The bytes that have not been written yet. Valid until the next call that changes the outbox.
  std::string_view waiting() const { return std::string_view(bytes_).substr(sent_); }

  /// The part of waiting() that is not held.
  std::string_view ready() const {
    const std::string_view all = waiting();
    return all.substr(0, all.size() - held_);
  }

  /// The first `count` bytes of ready() were written.
  void sent(std::size_t count) {
    budget_.used -= count;
    sent_ += count;
    if (sent_ == bytes_.size()) {
      // The memory of a huge board is given back.
      if (bytes_.capacity() > kept_capacity) std::string().swap(bytes_);
      bytes_.clear();
      sent_ = 0;
    } else if (sent_ > bytes_.size() / 2) {
      // At least as many bytes were written as are moved, so this is O(1) a byte.
      bytes_.erase(0, sent_);
      sent_ = 0;
    }
  }

 private:
  static constexpr std::size_t kept_capacity = std::size_t{4} * 1024;

  /// So many bytes are held for that record.
  struct Hold {
    std::uint64_t record;
    std::size_t bytes;
  };

  void hold(std::size_t bytes, std::uint64_t record) {
    if (held_ > 0 && holds_.back().record >= record) {
      holds_.back().bytes += bytes;
    } else {
      holds_.push_back({record, bytes});
    }
    held_ += bytes;
  }

  // The members that every frame uses come first.
  std::size_t limit_;
  OutboxBudget& budget_;
  std::string bytes_;
  std::size_t sent_ = 0;
  std::size_t held_ = 0;     // bytes of all holds
  std::vector<Hold> holds_;  // in the order of bytes_, of which they are the end
  std::size_t first_hold_ = 0;
};

}  // namespace tictactoe::net
