// What a host is told when it is made: its name, its pace and every limit it holds its peers to.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tictactoe::core {

/// Bounds on everything a peer can make grow; told to every client in its welcome. All inclusive.
struct Limits {
  /// Longest frame body from a client, in bytes: room for the longest chat in any script.
  std::size_t client_frame_bytes = std::size_t{4} * 1024;
  /// Longest frame body from the server, in bytes: a snapshot of a full board of max_side squared
  /// takes 3 bytes a move.
  std::size_t server_frame_bytes = std::size_t{4} * 1024 * 1024;
  /// Bytes that may wait for a peer that does not read. More than the longest frame.
  std::size_t outbox_bytes = std::size_t{8} * 1024 * 1024;

  /// The same of all peers together: past it, whoever has anything waiting is closed. The one limit
  /// that clients are not told, as it is nothing that one of them could heed.
  std::size_t all_outboxes_bytes = std::size_t{1024} * 1024 * 1024;

  int min_side = 3;
  int max_side = 1000;

  /// Lengths of texts in Unicode code points.
  std::size_t name_length = 24;
  std::size_t password_length = 64;
  std::size_t chat_length = 300;

  /// Requests that one connection may make in the long run, and at once; 0 for no limit.
  std::uint32_t requests_per_second = 100;
  std::uint32_t request_burst = 200;
  std::chrono::milliseconds hello_timeout{10'000};

  std::size_t connections = 10'000;
  std::size_t rooms = 5'000;
  std::size_t watchers_per_room = 1'000;
  /// Rooms in one answer to a list request.
  std::size_t rooms_per_list = 100;
};

struct Config {
  /// What clients show as the server's name.
  std::string server_name = "tictactoe";
  /// Program and version, as in "tictactoe-server 1.2.3".
  std::string software = "tictactoe-server";
  /// How long an AI waits before it plays, so that people can follow.
  std::chrono::milliseconds ai_delay{600};
  Limits limits;
};

}  // namespace tictactoe::core
