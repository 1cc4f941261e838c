// What the host wants done: the only way anything leaves it.
#pragma once

#include <google/protobuf/arena.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/core/thinking.hpp"
#include "tictactoe/journal/v1/journal.pb.h"
#include "tictactoe/v1/client.pb.h"
#include "tictactoe/v1/server.pb.h"

namespace tictactoe::core {

/// A point in time as the shell measures it. The host compares and adds; it never asks a clock.
using Time = std::chrono::steady_clock::time_point;

/// Names a connection for as long as it lives; a later one on the same slot has another generation.
struct ConnectionId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
  friend bool operator==(const ConnectionId&, const ConnectionId&) = default;
};

/// An encoded message that is kept in Effects: a ServerMessage without its request id, encoded once
/// for all who get it, or a Record.
struct Body {
  std::size_t begin = 0;
  std::size_t size = 0;
};

/// Whether what is sent tells of anything that has to be recorded first.
enum class Durability : std::uint8_t { after_records, immediate };

/// Send `body` to `to`, with `request_id` put before it where that is not 0.
struct Send {
  ConnectionId to;
  std::uint64_t request_id = 0;
  Body body;
  Durability durability = Durability::after_records;
};

/// Close the connection after what was sent to it. The host has forgotten it already.
struct Close {
  ConnectionId connection;
};

/// Write this down: a journal::v1::Record. No Send that comes later, in these effects or in those
/// of later calls, may leave the machine before it is safe; but for those that wait for nothing, as
/// long as nothing that was sent to the same connection before waits.
struct Record {
  Body body;
};

/// Look a ListGames or GetGame up among the records, and hand the answer to Host::looked_up.
struct LookUp {
  ConnectionId from;
  std::uint64_t request_id = 0;
  v1::ClientMessage request;
};

/// Host::is_waiting was true for this connection and is no longer: deliver its next frames.
struct ResumeReading {
  ConnectionId connection;
};

using Effect =
    std::variant<Send, Close, Think, CancelThinking, ReleaseAi, Record, LookUp, ResumeReading>;

/// Effects in the order in which they must be carried out. Filled by one call to the host, read and
/// cleared by the shell before the next.
class Effects {
 public:
  Effects() = default;
  Effects(const Effects&) = delete;  // the arena knows where its first block is
  Effects& operator=(const Effects&) = delete;

  /// An empty message to write, or to parse into: there until clear(), and without a call of the
  /// heap unless it is large.
  template <class Message>
  Message& draft() {
    return *google::protobuf::Arena::CreateMessage<Message>(&drafts_);
  }

  /// Encodes a message whose request_id is not set.
  Body encode(const v1::ServerMessage& message);
  /// One that was encoded before.
  Body copy(std::string_view encoded);
  void send(ConnectionId to, Body body, std::uint64_t request_id = 0,
            Durability durability = Durability::after_records);
  void close(ConnectionId connection);
  void think(Think think);
  void cancel_thinking(ThoughtId id);
  void release_ai(std::uint64_t room);
  void record(const journal::v1::Record& record);
  void look_up(ConnectionId from, std::uint64_t request_id, const v1::ClientMessage& request);

  void resume_reading(ConnectionId connection);

  const std::vector<Effect>& list() const { return list_; }
  std::string_view bytes(Body body) const {
    return std::string_view(bytes_).substr(body.begin, body.size);
  }
  /// Forgets all, and keeps the memory unless a huge message had blown it up.
  void clear();

 private:
  Body encode_any(const google::protobuf::MessageLite& message);

  std::vector<Effect> list_;
  std::string bytes_;
  int clears_ = 0;  // since the drafts were forgotten
  alignas(std::max_align_t) std::array<char, std::size_t{16} * 1024> first_block_{};
  google::protobuf::Arena drafts_{first_block_.data(), first_block_.size()};
};

}  // namespace tictactoe::core
