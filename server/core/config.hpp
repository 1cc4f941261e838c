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

  /// Tokens that one connection gets a second, and has at once, to pay for its requests; a rate of
  /// 0 for no limit.
  std::uint32_t requests_per_second = 100;
  std::uint32_t request_burst = 200;
  std::chrono::milliseconds hello_timeout{10'000};
  /// A peer from which nothing comes for so long is dropped; 0 for never.
  std::chrono::milliseconds silence_timeout{30'000};

  std::size_t connections = 10'000;
  /// Those among them that have not said hello.
  std::size_t pending_connections = 1'000;
  /// From one IPv4 address, or one IPv6 /64 network; 0 for no limit.
  std::size_t connections_per_address = 256;
  std::size_t rooms = 5'000;
  /// That one player has created and that are still there.
  std::size_t rooms_per_player = 8;
  std::size_t watchers_per_room = 1'000;
  /// Rooms in one answer to a list request, and games in one to a request for records.
  std::size_t rooms_per_list = 100;
  std::size_t games_per_list = 20;
  /// Names in one answer to a request for players, and watchers in one for a room's members.
  std::size_t names_per_list = 200;
  /// Least time between two messages to a connection that watches the lobby.
  std::chrono::milliseconds lobby_update{200};

  /// How long the seat of one who is away is held, where the room says nothing else, and at most.
  std::chrono::milliseconds default_grace{120'000};
  std::chrono::milliseconds longest_hold{std::chrono::hours(24 * 30)};
  /// How long everybody has to come back after a restart of the server: no seat is lost before, and
  /// no clock runs for somebody who is not there. Not told: it takes nothing from anybody.
  std::chrono::milliseconds restart_grace{120'000};
  /// How long the name of one who is away without a seat is kept for them.
  std::chrono::milliseconds name_hold{std::chrono::hours(24)};
  /// Players that are known, with a connection or away. Past it, those who have been away longest
  /// without a seat are forgotten first. Not told: nothing that a client could heed.
  std::size_t players = 100'000;

  /// Latest updates of a room that are kept for those who come back, and lines of its chat.
  std::size_t kept_updates = 64;
  std::size_t kept_chat = 20;
  /// Longest time that a clock can be set to.
  std::chrono::milliseconds longest_time{std::chrono::hours(24)};
  /// Questions about records that wait for their answers, of all connections together and of one.
  /// Not told: over it one is asked to wait, as with the rate.
  std::size_t look_ups = 64;
  std::size_t look_ups_per_connection = 2;
  /// Hints that one connection waits for. Not told: over it the client is asked to wait.
  std::size_t hints_per_connection = 2;
};

/// What the AIs of all rooms may take. The largest board (1,000 x 1,000) takes up to 64 MiB for one
/// AI player. A player that does not fit is not made: its AI then plays any free cell.
struct AiLimits {
  /// Memory of the AI players of one room, and of all together, in bytes. Players that are not in
  /// use are freed to make place for others and made again when they are needed.
  std::size_t room_bytes = std::size_t{128} * 1024 * 1024;
  std::size_t total_bytes = std::size_t{512} * 1024 * 1024;
  /// Thoughts that wait, and the bytes of the games that they bring with them. One more is refused
  /// and asked for again a second later.
  std::size_t queued_thoughts = 10'000;
  std::size_t queued_bytes = std::size_t{128} * 1024 * 1024;
};

/// What answering those who look for a server may cost. An answer is never longer than its query,
/// wire::max_discovery_bytes at the most, so this is 120 KB a second of all together.
struct DiscoveryLimits {
  /// Answers to one address and to all: a rate each, and a burst.
  std::uint32_t per_source_per_second = 10;
  std::uint32_t per_source_burst = 20;
  std::uint32_t per_second = 100;
  std::uint32_t burst = 200;
  /// Open rooms that are told of, where the datagram has space for them.
  int rooms = 16;
  /// Network interfaces that are listened at.
  std::size_t interfaces = 64;
};

struct Config {
  /// Names the server for clients, at every address and after every restart. The same number is in
  /// its discovery answers.
  std::uint64_t server_id = 0;
  /// What clients show as the server's name.
  std::string server_name = "tictactoe";
  /// Program and version, as in "tictactoe-server 1.2.3".
  std::string software = "tictactoe-server";
  /// How long an AI waits before it plays, so that people can follow.
  std::chrono::milliseconds ai_delay{600};
  /// Whether there is a journal: then what must last becomes an effect, and records can be asked
  /// for.
  bool keeps_records = false;
  Limits limits;
  AiLimits ai;
};

}  // namespace tictactoe::core
