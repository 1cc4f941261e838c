// The parameters of a simulation: the numbers of servers and clients, and how often things go
// wrong.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "server/base/planted.hpp"
#include "server/limits/config.hpp"
#include "tests/simulation/random.hpp"
#include "tests/simulation/shared_store.hpp"

namespace tictactoe::simulation {

/// Kinds of faults. Each can be left out to narrow a failure down.
enum class Fault : std::uint8_t {
  // Per mille.
  splits,    ///< of deliveries: bytes arrive in pieces
  delays,    ///< of deliveries: bytes arrive up to 3 s late
  garbage,   ///< of a client's actions: bytes and messages that make no sense
  repeats,   ///< of moves: sent twice
  floods,    ///< of a client's actions: far too many requests
  commits,   ///< of commits: lost, or done unknown to the server, or late
  slowness,  ///< of commits and calls of the store: take up to a second
  // Mean time between two, in milliseconds.
  drops,      ///< connections end at any byte, noticed by both ends or by one; programs restart
  stalls,     ///< clients do not read
  kills,      ///< a server is killed between two steps, with unwritten records
  stops,      ///< a server is stopped
  disk,       ///< the disk is full, or nearly
  pauses,     ///< a server stands still, often for longer than its lease
  cuts,       ///< a server does not reach the store
  isolation,  ///< no client reaches a server
  answers,    ///< a call of the store is done, and the server does not know
  upgrades,   ///< a server gives its rooms away and stops
};
inline constexpr std::array<std::string_view, 17> fault_names{
    "splits",   "delays", "garbage",   "repeats", "floods",  "commits",
    "slowness", "drops",  "stalls",    "kills",   "stops",   "disk",
    "pauses",   "cuts",   "isolation", "answers", "upgrades"};

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

/// Mistakes made on purpose, to prove that the checkers find them.
enum class Plant : std::uint8_t {
  none,
  // At the edges of the shell.
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
  // In the core, in the order of server::Mistake.
  shared_seat,
  double_charge,
  lasting_offer,
  double_score,
  silent_watcher,
  refilled_bucket,
  // In the shared store, in the order of SharedStore::Mistake.
  commit_without_epoch,
  blind_retry,
  read_before_epoch,
};
inline constexpr std::array<std::string_view, 22> plant_names{
    "none",           "early-announcement", "late-record",     "skipped-revision",
    "endless-outbox", "missed-win",         "lost-record",     "forked-history",
    "double-answer",  "swallowed-answer",   "lost-deadline",   "shared-address",
    "deaf-ear",       "shared-seat",        "double-charge",   "lasting-offer",
    "double-score",   "silent-watcher",     "refilled-bucket", "commit-without-epoch",
    "blind-retry",    "read-before-epoch"};

/// The mistakes that the core and the store make.
server::Mistake core_mistake(Plant plant);
SharedStore::Mistake store_mistake(Plant plant);

/// One server has its store to itself, several share one. Their faults differ: a server without
/// others has a disk, the others have a store that is far away.
struct Plan {
  std::uint64_t seed = 1;
  std::uint32_t servers = 1;
  std::uint64_t requests = 90'000;  ///< by all clients together; then the faults stop
  std::uint32_t clients = 200;
  std::uint32_t hostiles = 0;    ///< hostile clients: then nothing else goes wrong
  std::optional<Malice> malice;  ///< of all hostile clients; otherwise they take turns
  Plant plant = Plant::none;
  bool sql = false;  ///< the store of the one server is a real SQLite database in memory

  server::Config server;
  std::size_t socket_bytes = 4096;  ///< what the network holds for one direction of a connection
  Time latency{5'000};              ///< mean, one way
  Time commit{2'000};               ///< mean duration of a commit or of another call of the store
  Time lease{6'000'000};            ///< of a server among others
  Time think{600'000};              ///< mean, of clients
  Time patience{8'000'000};         ///< time without an answer before a client hangs up
  /// How much longer than it has heard nothing a client may have been away, as the server sees it.
  Time unheard{14'000'000};
  std::array<std::uint32_t, fault_names.size()> rates{};  ///< by Fault; 0: never

  bool is_shared() const { return servers > 1; }
  std::uint32_t& rate(Fault fault) { return rates[static_cast<std::size_t>(fault)]; }
  std::uint32_t rate(Fault fault) const { return rates[static_cast<std::size_t>(fault)]; }
  bool happens(Fault fault, Random& random) const {
    return rate(fault) != 0 && random.per_mille(rate(fault));
  }

  /// Mistakes at the edges need the watch of the only server; those of the shared store need
  /// others.
  static bool can_plant(Plant plant, std::uint32_t servers) {
    return servers > 1 ? plant <= Plant::early_announcement || plant >= Plant::shared_seat
                       : plant < Plant::commit_without_epoch;
  }
  static Plan from_seed(std::uint64_t seed, std::uint32_t servers = 1);
  /// Hostile clients among honest ones; the network, the disk and the machine are sound.
  static Plan siege_from_seed(std::uint64_t seed);
};

std::optional<Fault> parse_fault(std::string_view name);
std::optional<Plant> parse_plant(std::string_view name);
inline std::string_view name(Plant plant) {
  return plant_names[static_cast<std::size_t>(plant)];
}

}  // namespace tictactoe::simulation
