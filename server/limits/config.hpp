// The configuration of a host: its name, its pace, and the limits that it enforces.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/rules/types.hpp"
#include "server/base/secrets.hpp"
#include "server/limits/attempts.hpp"

namespace tictactoe::server {

/// Bounds on everything that a peer can make grow. All are inclusive. The welcome lists them,
/// unless a comment says otherwise.
struct Limits {
  /// Longest frame body from a client, in bytes. The longest chat line fits in any script.
  std::size_t client_frame_bytes = std::size_t{4} * 1024;
  /// Longest frame body from the server, in bytes. A snapshot needs up to 3 bytes per move of the
  /// longest game and 27,000 for the chat.
  std::size_t server_frame_bytes = std::size_t{64} * 1024;
  /// Bytes that may wait for one peer. More than the longest frame.
  std::size_t outbox_bytes = std::size_t{512} * 1024;

  /// Bytes that may wait for all peers together, and for the peers of one address. Beyond it, the
  /// server closes the peer with the most bytes at the address with the most. The first 4 KiB of
  /// each peer don't count. Not in the welcome.
  std::size_t all_outboxes_bytes = std::size_t{256} * 1024 * 1024;
  std::size_t outbox_bytes_per_address = std::size_t{64} * 1024 * 1024;

  int min_side = 3;
  int max_side = 1000;
  /// A game with this many moves on the board and no winner is a draw.
  int moves_per_game = 10'000;

  /// Lengths of texts in Unicode code points.
  std::size_t name_length = 24;
  std::size_t password_length = 64;
  std::size_t chat_length = 300;

  /// Tokens that a player gains each second, and the maximum. Requests cost tokens. 0: no limit.
  std::uint32_t requests_per_second = 100;
  std::uint32_t request_burst = 200;
  /// All players of one address together have this many times the rate and the burst of one player.
  /// At a party of 50, all can spend their bursts at once, and 20 can play at the full rate.
  std::uint32_t address_rates = 20;
  std::uint32_t address_bursts = 50;
  /// New players of one address: at once, and each minute.
  std::uint32_t newcomer_burst = 100;
  std::uint32_t newcomers_per_minute = 10;
  /// TLS handshakes of one address: at once, and each second. A further one is refused before
  /// anything is computed. A party of 60 can reconnect at once, each with the seven connections of
  /// a browser. No limit if the rate is 0. Not in the welcome.
  std::uint32_t handshake_burst = 450;
  std::uint32_t handshakes_per_second = 20;
  /// Receivers of all chat in one room: each second, and at once. With 1,000 watchers that is 5
  /// lines a second. No limit if the rate of requests is 0.
  std::uint32_t chat_receivers_per_second = 5'000;
  std::uint32_t chat_receivers_burst = 5'000;
  /// Games that one player may begin: at once, and each minute. All players of one address together
  /// may begin `address_bursts` and `address_rates` times as many. No limit if the rate of requests
  /// is 0 or no records are kept. Not in the welcome.
  std::uint32_t game_burst = 100;
  std::uint32_t games_per_minute = 15;
  std::chrono::milliseconds hello_timeout{10'000};
  /// Closes a peer that sends nothing for this time; 0: never.
  std::chrono::milliseconds silence_timeout{30'000};

  std::size_t connections = 10'000;
  /// Closed connections whose peers have a few more seconds to read everything. They don't count as
  /// connections. Beyond the limit, the oldest is cut off. Not in the welcome.
  std::size_t lingering_connections = 1'000;
  /// Connections without a hello.
  std::size_t pending_connections = 1'000;
  /// Connections from one IPv4 address or one IPv6 /64 network. 60 browsers behind one address can
  /// load the page at once, each over six connections. 0: no limits by address and network.
  std::size_t connections_per_address = 512;
  bool limits_addresses() const { return connections_per_address > 0; }
  /// Connections of one address without a hello. See Host::served for browsers.
  std::size_t pending_per_address = 400;
  /// A network (IPv4 /24 or IPv6 /48) may have this many times as much as one address.
  std::uint32_t network_factor = 4;
  /// Addresses, networks, players and rooms that hold nothing but are remembered. Not in the
  /// welcome.
  std::size_t idle_payers = 100'000;
  std::size_t rooms = 5'000;
  /// Open rooms that one player has created.
  std::size_t rooms_per_player = 8;
  /// Open rooms that players of one address have created.
  std::size_t rooms_per_address = 200;
  /// Seats held for absent players of one address. Beyond it, the oldest hold ends.
  std::size_t absences_per_address = 100;
  /// Rooms with more than `small_board_cells` cells: in total, and created from one address. A game
  /// on such a board takes up to 10 MB if its moves are far apart, and briefly 14 MB; on a smaller
  /// board it takes up to 90 KB. Not in the welcome.
  std::size_t large_boards = 100;
  std::size_t large_boards_per_address = 16;
  int small_board_cells = 4'096;
  bool is_large(const rules::Rules& board) const { return board.cells() > small_board_cells; }
  /// One address or network gets a share of these places (see shares.hpp), but at least 50.
  std::size_t watchers_per_room = 1'000;
  /// Rooms in one list, and games in one list of records. With the longest names and lines, a page
  /// of the lobby with all its chat just fits in a frame.
  std::size_t rooms_per_list = 80;
  std::size_t games_per_list = 20;
  /// Names in one list of players, and watchers in one list of a room's members.
  std::size_t names_per_list = 200;
  /// Shortest time between two messages to a connection that watches the lobby.
  std::chrono::milliseconds lobby_update{200};

  /// How long the seat of an absent player is held: the default for rooms, and the maximum.
  std::chrono::milliseconds default_grace{120'000};
  std::chrono::milliseconds max_hold{std::chrono::hours(24 * 30)};
  /// Longest hold of a seat in a game against an AI, where nobody waits for the player.
  std::chrono::milliseconds max_hold_against_ai{std::chrono::minutes(10)};
  /// How long players have to return after a restart of the server. Meanwhile no seat is lost, and
  /// the clocks of absent players stand still. Not in the welcome.
  std::chrono::milliseconds restart_grace{120'000};
  /// How long the name of an absent player without a seat is kept.
  std::chrono::milliseconds name_hold{std::chrono::hours(24)};
  /// Players that the server knows, connected or absent. To add one more, it forgets an absent
  /// player without a seat: players who never made a move first, and among them the one absent
  /// longest. Not in the welcome.
  std::size_t players = 100'000;
  /// Names of players who have played and were forgotten to make room for others. They stay taken
  /// for `name_hold`. Not in the welcome.
  std::size_t evicted_names = 100'000;

  /// Latest updates of a room that are kept for returning players, and latest lines of its chat.
  std::size_t kept_updates = 64;
  std::size_t kept_chat = 20;
  /// How long the clock of a game's first move waits for that move. Not in the welcome.
  std::chrono::milliseconds first_move_grace{20'000};
  /// Longest time to which a clock can be set.
  std::chrono::milliseconds max_time{std::chrono::hours(24)};
  /// Questions about records in progress: in total, of one connection, of one address and of one
  /// network. Further ones wait. One thread answers them in order, so a higher limit would only
  /// make everybody wait longer. Not in the welcome.
  std::size_t look_ups = 2;
  std::size_t look_ups_per_connection = 1;
  std::size_t look_ups_per_address = 1;
  std::size_t look_ups_per_network = 1;
  /// Passwords that wait for their keys, 50 ms each: in total, and of one network. Not in the
  /// welcome.
  std::size_t derivations = 128;
  std::size_t derivations_per_network = 32;
  /// Attempts at one password, and at those of all listed rooms together. Not in the welcome.
  AttemptLimits attempts;
  AttemptLimits room_attempts{
      .free_per_address = 50, .free_per_network = 200, .remembered = 50'000};
  /// Attempts to enter a room by a name that is not in the list. After a restart, watchers return
  /// to rooms that no longer exist: a party of 50 can do so four times without a wait. One address
  /// can try 498 such names a day. Not in the welcome.
  AttemptLimits name_attempts{
      .free_per_address = 200, .free_per_network = 800, .remembered = 50'000};
  /// Invitations that one player may send and receive: at once, and each minute. One sender,
  /// address or network may send only a share of those that a player receives, see shares.hpp. No
  /// limit if the rate of requests is 0.
  std::uint32_t invitation_burst = 12;
  std::uint32_t invitations_per_minute = 12;
  /// Invited players that a room admits without its password. Only the latest count.
  std::size_t invitations_per_room = 16;
  /// Moves with which a room can begin, see v1::CreateRoom. Recording 2,500 moves again takes the
  /// event loop about half a millisecond.
  std::uint32_t moves_of_new_room = 2'500;
  /// Hints that one connection can wait for. A further one is refused and costs no tokens.
  std::size_t hints_per_connection = 2;
};

/// Limits on the AIs of all rooms. An AI player reserves an upper bound of its memory, which grows
/// with the game. The longest game on the largest board fits in `room_bytes` at every level.
struct AiLimits {
  /// Memory of the AI players of one room and of all rooms, in bytes. To make room for others, idle
  /// players are freed; they are created again when needed.
  std::size_t room_bytes = std::size_t{128} * 1024 * 1024;
  std::size_t total_bytes = std::size_t{512} * 1024 * 1024;
  /// The share of both that an engine's process reserves.
  std::size_t engine_bytes = 0;
  /// Thoughts that wait, and the bytes of their games, up to 80 KB each. A further one is refused;
  /// its room asks again a second later.
  std::size_t queued_thoughts = 10'000;
  std::size_t queued_bytes = std::size_t{128} * 1024 * 1024;
  /// The same limits for the rooms created from one network.
  std::size_t queued_thoughts_per_network = 1'000;
  std::size_t queued_bytes_per_network = std::size_t{32} * 1024 * 1024;
};

/// Limits on answers to discovery queries. An answer is never longer than its query, which has at
/// most wire::max_discovery_bytes, so all answers together take at most 1.2 MB a second. The total
/// covers 100 addresses at their full rates: addresses on a local network can be forged, and forged
/// queries must not use up the answers for everybody else.
struct DiscoveryLimits {
  /// Answers to one address, and in total: rate and burst.
  std::uint32_t per_source_per_second = 10;
  std::uint32_t per_source_burst = 20;
  std::uint32_t per_second = 1'000;
  std::uint32_t burst = 2'000;
  /// Open rooms in an answer, if they fit into the datagram.
  int rooms = 16;
  /// Network interfaces on which the server listens.
  std::size_t interfaces = 64;
};

struct Config {
  /// Identifies the server to clients, at every address and after every restart. Also in discovery.
  std::uint64_t server_id = 0;
  /// The server's name for people.
  std::string server_name = "tictactoe";
  /// Program and version, as in "tictactoe-server 1.2.3".
  std::string software = "tictactoe-server";
  /// How long an AI waits before it plays, so that people can follow the game.
  std::chrono::milliseconds ai_delay{600};
  /// Whether the wait is longer, up to twice `ai_delay`, before moves that a person would have to
  /// think about.
  bool ai_pace = true;
  /// An engine that has not moved after this time is late: its room is told.
  std::chrono::milliseconds engine_late{2'000};
  /// The Unix time at which Time is zero. The journal contains Unix times, because a Time means
  /// nothing after the machine restarts.
  std::chrono::milliseconds unix_time_of_zero{0};
  /// Whether there is a journal. If so, lasting changes are recorded, and clients can ask for
  /// games.
  bool keeps_records = false;
  /// Whether players who watch the lobby can talk there.
  bool lobby_chat = true;
  /// SHA-256 of the server's password; empty: none. A slow key would only make every newcomer wait:
  /// an attacker who can read the server's memory can also read the file with the password.
  std::string server_password_hash;
  /// The cost of keys for passwords that are set from now on.
  KeyCost key_cost;
  Limits limits;
  AiLimits ai;
  /// Names of the engines that players can seat, see engine_name_problem(). At most 16.
  std::vector<std::string> engines;
};

}  // namespace tictactoe::server
