// Effects: what the host asks its caller to do. A host has no other output.
#pragma once

#include <google/protobuf/arena.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/base/counts.hpp"
#include "server/base/event_log.hpp"
#include "server/base/secrets.hpp"
#include "server/base/thought.hpp"
#include "server/base/time.hpp"
#include "tictactoe/journal/v1/journal.pb.h"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::server {

/// Identifies a connection. Never reused: the next connection in the slot has another generation.
struct ConnectionId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
  friend bool operator==(const ConnectionId&, const ConnectionId&) = default;
};

/// A message encoded in Effects: a ServerMessage without a request id, for all receivers, or a
/// Record.
struct Body {
  std::size_t begin = 0;
  std::size_t size = 0;
};

/// Whether a frame waits until all records before it are durable.
enum class Durability : std::uint8_t { after_records, immediate };

/// Send `body` to `to`, preceded by `request_id` unless that is 0.
struct Send {
  ConnectionId to;
  std::uint64_t request_id = 0;
  Body body;
  Durability durability = Durability::after_records;
};

/// Close the connection once everything sent to it is written. The host has already forgotten it.
struct Close {
  ConnectionId connection;
};

/// Make this journal::v1::Record durable. Later Sends, of this or a later call, must be written
/// after it. Exception: a Send with Durability::immediate if no earlier frame of its connection
/// waits.
struct Record {
  Body body;
};

/// Answer a ListGames or GetGame from the records, and pass the answer to Host::looked_up. For a
/// CreateRoom, answer like a GetGame of game_asked_for(), and pass the answer to
/// Host::position_found. Private games exist only for their players: `reader` is the
/// reader_number() of the player who asks.
struct LookUp {
  ConnectionId from;
  std::uint64_t request_id = 0;
  std::uint64_t reader = 0;
  v1::ClientMessage request;
};

/// Deliver the next frames of this connection: Host::is_waiting() is no longer true for it.
struct ResumeReading {
  ConnectionId connection;
};

/// Call derive_key() off the event loop, and pass the key to Host::key_derived. One at a time.
struct DeriveKey {
  std::uint64_t id = 0;
  std::shared_ptr<const KeyRequest> request;
};

using Effect = std::variant<Send, Close, Think, CancelThinking, ReleaseAi, Record, LookUp,
                            ResumeReading, DeriveKey>;

/// Effects, in the order in which the shell must carry them out. A call of the host fills it. The
/// shell reads and clears it before the next call.
class Effects {
 public:
  Effects() = default;
  Effects(const Effects&) = delete;  // the arena refers to first_block_
  Effects& operator=(const Effects&) = delete;

  /// An empty message to fill or to parse into. Valid until clear(). Allocates only if it is large.
  template <class Message>
  Message& draft() {
    return *google::protobuf::Arena::CreateMessage<Message>(&drafts_);
  }

  /// Encodes a ServerMessage whose request_id is not set, or a Record.
  Body encode(const google::protobuf::MessageLite& message);
  /// Adds an encoded message.
  Body copy(std::string_view encoded);
  void send(ConnectionId to, Body body, std::uint64_t request_id = 0,
            Durability durability = Durability::after_records);
  void close(ConnectionId connection);
  void think(Think think);
  void cancel_thinking(ThoughtId id);
  void release_ai(std::uint64_t room);
  void record(const journal::v1::Record& record);
  void look_up(ConnectionId from, std::uint64_t request_id, std::uint64_t reader,
               const v1::ClientMessage& request);
  void resume_reading(ConnectionId connection);
  void derive_key(std::uint64_t id, std::shared_ptr<const KeyRequest> request);
  /// Counts the receivers of an announcement, for which the player who caused it pays.
  void count_receivers(std::size_t receivers) { receivers_ += receivers; }
  /// Returns the receivers since the last call or clear().
  std::size_t take_receivers() { return std::exchange(receivers_, 0); }

  const std::vector<Effect>& list() const { return list_; }
  /// The encoded message. Valid until the next change.
  std::string_view bytes(Body body) const {
    return std::string_view(bytes_).substr(body.begin, body.size);
  }
  /// Removes all effects. Keeps the memory, unless a large message made it grow.
  void clear();

  /// Counters since the start. clear() keeps them.
  Counts counts;
  /// Events for the owner's log. The caller takes them out.
  EventLog log;

 private:
  std::vector<Effect> list_;
  std::string bytes_;
  int clears_ = 0;  // since the arena was reset
  std::size_t receivers_ = 0;
  alignas(std::max_align_t) std::array<char, std::size_t{16} * 1024> first_block_{};
  google::protobuf::Arena drafts_{first_block_.data(), first_block_.size()};
};

}  // namespace tictactoe::server
