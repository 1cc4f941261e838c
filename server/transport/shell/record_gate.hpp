// Records first, announces afterwards: holds messages until the records before them are durable.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "server/transport/shell/connection.hpp"
#include "server/transport/shell/surroundings.hpp"

namespace tictactoe::transport {

/// Hands records to a recorder, and knows the connections whose outboxes hold messages. Each call
/// costs O(1), except record() and fail().
class RecordGate {
 public:
  using Pointer = std::shared_ptr<Connection>;

  void record_with(Recorder recorder) { recorder_ = std::move(recorder); }
  /// Hands over the records among the effects of one call of the host, which stay together.
  void record(const server::Effects& effects);
  /// See Recorder::look_up.
  void look_up(const server::LookUp& question, std::function<void(server::LookUpAnswer)> answer) {
    recorder_.look_up(question, std::move(answer));
  }

  /// The record that a message must wait for; 0 if all are durable. A message may depend on any
  /// record so far, not only on those of its own event.
  std::uint64_t awaited() const { return recorded_ > durable_ ? recorded_ : 0; }
  /// This connection's outbox has begun to hold messages.
  void hold(Pointer connection) { held_.push_back(std::move(connection)); }
  /// All records up to this one are durable. Call release_next() while has_more_to_release().
  void durable(std::uint64_t record) {
    durable_ = record;
    to_release_ = held_.size();
  }
  bool has_more_to_release() const { return to_release_ > 0; }
  /// Releases the messages of the connection that has waited longest. Null if it is closed.
  Pointer release_next();

  /// Nothing can be recorded any more. Discards all held messages, and returns their connections.
  std::deque<Pointer> fail();
  bool has_failed() const { return has_failed_; }

 private:
  Recorder recorder_;
  std::vector<std::string_view> records_;  // reused
  std::uint64_t recorded_ = 0;             // the last record handed over
  std::uint64_t durable_ = 0;
  std::deque<Pointer> held_;
  std::size_t to_release_ = 0;  // how many of held_ to release for the last durable record
  bool has_failed_ = false;
};

}  // namespace tictactoe::transport
