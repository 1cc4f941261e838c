// The parameters of a simulation: the number of clients, and what goes wrong how often.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/core/config.hpp"
#include "server/core/planted.hpp"
#include "tests/simulation/random.hpp"

namespace tictactoe::simulation {

/// Kinds of faults. Each can be left out to narrow a failure down.
enum class Fault : std::uint8_t {
  splits,   ///< bytes arrive in pieces
  delays,   ///< bytes arrive late
  drops,    ///< connections end at any byte, noticed by both ends or by one
  stalls,   ///< clients that do not read
  garbage,  ///< bytes and messages that make no sense
  repeats,  ///< requests that are sent twice
  floods,   ///< far too many requests
  kills,    ///< the server is killed between two steps, with unwritten records
  stops,    ///< the server is stopped
  disk,     ///< a slow disk, and a full one
};
inline constexpr std::array<std::string_view, 10> fault_names{
    "splits",  "delays", "drops", "stalls", "garbage",
    "repeats", "floods", "kills", "stops",  "disk"};

/// What a hostile client does all the time.
enum class Malice : std::uint8_t {
  guesses,         ///< passwords of rooms
  never_reads,     ///< what it asks for
  reconnects,      ///< as the same player, for new tokens
  makes_players,   ///< one after the other
  abandons,        ///< rooms that are held for it
  chats,           ///< without a pause, in rooms of others
  connects,        ///< and says nothing
  asks_for_lists,  ///< of games, and for their records
  pesters,         ///< with invitations and lobby chat, and has an AI give hints
  ends_games,      ///< as soon as they begin: each leaves a record
  imitates,        ///< names of others
};
inline constexpr std::size_t malices = 11;

/// Mistakes made on purpose, to prove that the checkers find them: at the edges of the shell, and
/// in the core (see server/core/planted.hpp).
enum class Plant : std::uint8_t {
  none,
  early_announcement,  ///< frames leave before their records are durable
  late_record,         ///< the host's records are written down after what they tell was sent
  skipped_revision,    ///< one viewer's update has the next revision
  endless_outbox,      ///< what waits for a peer has no limit
  missed_win,          ///< a winning move has no outcome
  lost_record,         ///< the disk says that it has written a move, and has not
  forked_history,      ///< one viewer gets different content
  double_answer,       ///< an answer comes twice
  swallowed_answer,    ///< an answer never comes
  lost_deadline,       ///< the server's timer never fires
  shared_address,      ///< all connections seem to come from one address
  deaf_ear,            ///< a client that only stops sending gets nothing more
  // In the core, in the order of core::Mistake.
  shared_seat,
  double_charge,
  lasting_offer,
  double_score,
  silent_watcher,
  refilled_bucket,
};
inline constexpr std::array<std::string_view, 19> plant_names{
    "none",          "early-announcement", "late-record",    "skipped-revision", "endless-outbox",
    "missed-win",    "lost-record",        "forked-history", "double-answer",    "swallowed-answer",
    "lost-deadline", "shared-address",     "deaf-ear",       "shared-seat",      "double-charge",
    "lasting-offer", "double-score",       "silent-watcher", "refilled-bucket"};

/// The mistake that the core makes.
core::Mistake mistake_of(Plant plant);

/// How often things go wrong, drawn from the seed.
struct Plan {
  std::uint64_t seed = 1;
  std::uint64_t requests = 90'000;  ///< by all clients together; then the faults stop
  std::uint32_t clients = 200;
  std::uint32_t hostiles = 0;    ///< hostile clients: then nothing else goes wrong
  std::optional<Malice> malice;  ///< of all hostile clients; otherwise they take turns
  Plant plant = Plant::none;
  bool sql = false;  ///< the journal is a real SQLite database in memory

  core::Config server;
  std::size_t socket_bytes = 4096;  ///< what the network holds for one direction of a connection

  Time latency{5'000};               ///< mean, one way
  std::uint32_t split = 30;          ///< per mille of deliveries that are cut in two
  std::uint32_t late = 5;            ///< per mille of deliveries that are late, by up to 3 s
  Time drop_every{400'000};          ///< mean, over all connections
  Time stall_every{1'000'000};       ///< mean, over all clients
  std::uint32_t garbage = 2;         ///< per mille of what clients do
  std::uint32_t repeat = 40;         ///< per mille of moves
  std::uint32_t flood = 1;           ///< per mille of what clients do
  Time kill_every{8'000'000};        ///< mean
  Time stop_every{40'000'000};       ///< mean
  Time disk_full_every{30'000'000};  ///< mean
  Time commit{2'000};                ///< mean duration of a commit
  std::uint32_t slow_commit = 20;    ///< per mille of commits that take up to a second

  Time think{600'000};  ///< mean, of clients

  std::uint32_t faults = 0x3ff;  ///< bits by Fault

  bool has(Fault fault) const { return (faults >> static_cast<unsigned>(fault) & 1U) != 0; }
  void leave_out(Fault fault) { faults &= ~(1U << static_cast<unsigned>(fault)); }

  static Plan from_seed(std::uint64_t seed);
  /// Hostile clients among honest ones; the network, the disk and the machine are sound.
  static Plan siege_from_seed(std::uint64_t seed);
};

std::optional<Fault> parse_fault(std::string_view name);
std::optional<Plant> parse_plant(std::string_view name);
std::string_view name(Fault fault);
std::string_view name(Plant plant);

}  // namespace tictactoe::simulation
