// The bytes that wait for one peer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/transport/shell/backlogs.hpp"
#include "server/transport/shell/spare_buffers.hpp"

namespace tictactoe::transport {

/// Messages that wait to be written, as the transport sends them. Never holds more than its limit,
/// so that a peer that does not read costs no more than that. One write takes many messages.
///
/// A message about a record that is not durable yet is held, with all messages after it, until the
/// record is durable. Holding and releasing cost O(1) a message.
class Outbox {
 public:
  /// Output up to this size is not counted in Backlogs. More is counted in multiples of this size,
  /// so that a small message seldom changes the count.
  static constexpr std::size_t uncounted_bytes = std::size_t{4} * 1024;

  /// `limit` is in bytes. `backlogs` and `buffers` must outlive the outbox unless it is empty.
  Outbox(std::size_t limit, Backlogs& backlogs, SpareBuffers& buffers)
      : limit_(limit), backlogs_(backlogs), buffers_(buffers) {}
  ~Outbox() {
    if (backlog_.bytes > 0) backlogs_.count(backlog_, 0);
  }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Sets whose backlog this is. Call before the first message.
  void set_owner(Connection& connection, std::uint64_t address) {
    backlog_.connection = &connection;
    backlog_.address = address;
  }

  /// Adds a message: `append` appends it to the std::string& that it gets. Holds it until release()
  /// is called with `record` or a later one; 0: not held. `record` never decreases. Returns false,
  /// and adds nothing, if the message exceeds the limit.
  template <class Append>
  bool push(std::uint64_t record, const Append& append) {
    if (!bytes_) bytes_ = buffers_.take();
    const std::size_t before = bytes_->size();
    append(*bytes_);
    const std::size_t added = bytes_->size() - before;
    if (!fits(added)) {
      bytes_->resize(before);
      if (size_ == 0) buffers_.give_back(bytes_);
      return false;
    }
    size_ += added;
    if (record > 0 || held_ > 0) hold(added, record);
    count_backlog();
    return true;
  }
  /// Adds bytes before those that are held. Ignores the limit.
  void push_first(std::string_view bytes) {
    if (!bytes_) bytes_ = buffers_.take();
    bytes_->insert(bytes_->size() - held_, bytes);
    size_ += bytes.size();
    count_backlog();
  }
  /// Whether a message of this many bytes fits.
  bool fits(std::size_t bytes) const { return size_ + bytes <= limit_; }

  /// Every record up to this one is durable.
  void release(std::uint64_t record) {
    while (held_ > 0 && holds_[first_hold_].record <= record) {
      held_ -= holds_[first_hold_++].bytes;
    }
    // At least as many were released as are moved, so this is O(1) a message.
    if (held_ > 0 && first_hold_ <= holds_.size() / 2) return;
    holds_.erase(holds_.begin(), holds_.begin() + static_cast<std::ptrdiff_t>(first_hold_));
    first_hold_ = 0;
  }
  bool is_held() const { return held_ > 0; }
  /// Discards what is held.
  void discard_held();

  /// Discards everything.
  void clear();

  bool is_half_full() const { return size_ > limit_ / 2; }
  bool empty() const { return size_ == 0; }
  /// Bytes that have not been written yet.
  std::size_t size() const { return size_; }

  /// All bytes that are not held. Valid until the next change of the outbox.
  std::string_view ready() const {
    if (!bytes_) return {};
    return std::string_view(*bytes_).substr(sent_, size_ - held_);
  }

  /// The first `count` bytes of ready() were written.
  void sent(std::size_t count) {
    size_ -= count;
    sent_ += count;
    if (size_ == 0) {
      if (bytes_) buffers_.give_back(bytes_);
      sent_ = 0;
    } else if (sent_ > bytes_->size() / 2) {
      // At least as many bytes were written as are moved, so this is O(1) a byte.
      bytes_->erase(0, sent_);
      sent_ = 0;
    }
    count_backlog();
  }

 private:
  /// The bytes held for one record.
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
  /// Counts the allocated memory, which is more than what waits.
  void count_backlog() {
    const std::size_t bytes = bytes_ ? bytes_->capacity() : 0;
    if (bytes <= uncounted_bytes && backlog_.bytes == 0) return;
    constexpr std::size_t step = uncounted_bytes;
    backlogs_.count(backlog_, bytes > uncounted_bytes ? (bytes + step - 1) / step * step : 0);
  }

  // The members that every message uses come first.
  std::size_t limit_;
  Backlogs& backlogs_;
  SpareBuffers& buffers_;
  std::size_t size_ = 0;
  SpareBuffers::Buffer bytes_;  // null if empty
  std::size_t sent_ = 0;        // of bytes_
  std::size_t held_ = 0;        // bytes of all holds
  std::vector<Hold> holds_;     // in the order of the bytes, at whose end they are
  std::size_t first_hold_ = 0;
  Backlog backlog_;
};

}  // namespace tictactoe::transport
