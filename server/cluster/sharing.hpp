// The decisions of a server about the lobby that it shares with others.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/cluster/cluster_directory.hpp"
#include "server/lobby/lobby_news.hpp"
#include "server/people/bans.hpp"
#include "server/records/membership.hpp"

namespace tictactoe::cluster {

struct SharingSettings {
  std::chrono::milliseconds lease{6000};
  std::chrono::milliseconds interval{1000};  ///< between two syncs
  /// Between two reads of the lists of players, which may be long.
  std::chrono::milliseconds players_interval{5000};
  /// Between two syncs while there is something to adopt, and between two pages of a sweep.
  std::chrono::milliseconds short_interval{5};
  /// Between two syncs while a server is leaving, and for a while afterwards.
  std::chrono::milliseconds handover_interval{20};
  std::chrono::milliseconds handover_time{3000};
  /// How long a leaving server announces its departure before it hands anything over: until they
  /// know, the others sync only once per interval.
  std::chrono::milliseconds announced{1500};
  /// How long it then announces that it accepts no more redirects.
  std::chrono::milliseconds leaving{150};
  /// Maximum time in which a leaving server hands its rooms over one after another. The others
  /// adopt the rest when it has left.
  std::chrono::milliseconds giving{120'000};
  std::size_t given_at_once = 8;      ///< rooms, after each sync
  std::size_t max_in_transit = 100;   ///< rooms handed over and not adopted yet: more wait
  std::size_t adopted_at_once = 100;  ///< rooms or players
  std::size_t questions = 2000;  ///< of the directory that may wait; at most half of one network
  std::uint64_t seed = 0;        ///< for the names that it tries
};

/// The result of one sync.
struct SyncResult {
  server::Time began;
  std::string fault;  ///< the last fault; empty: none
  bool is_renewed = false;
  bool is_draining = false;  ///< as the others know by now; likewise is_leaving
  bool is_leaving = false;
  bool is_member = true;
  std::vector<records::Member> members;
  server::LobbyNews news;
  std::shared_ptr<const server::PlayersElsewhere> players;  ///< null: as before
  journal::v1::Saved adopted;
  std::size_t in_transit = 0;  ///< rooms handed over and not adopted yet; if draining
  bool wants_more = false;
};

/// Exchanges state with the other servers through a membership that may block. Not thread-safe, but
/// may run on another thread than Sharing.
class LobbySync {
 public:
  /// The input of a sync.
  struct Request {
    records::Member self;
    std::vector<records::PublishedRoom> changed;
    std::optional<std::string> players = std::nullopt;  ///< the list of players, if it has changed
  };

  LobbySync(records::Membership& membership, const SharingSettings& settings)
      : membership_(membership), settings_(settings) {}

  /// Renews the lease, publishes what has changed, adopts, and reads what the others have
  /// published. Takes over lost servers, whose players and rooms can then be adopted. What could
  /// not be published, or may be lost with the database, is published by a later sync. `began`: a
  /// time before this call. O(what is taken over), and O(rooms of others) once per interval: faster
  /// syncs read only what is needed to take over.
  SyncResult run(const Request& request, server::Time began);

 private:
  void run_as_member(const records::Member& self, SyncResult& found);
  void renew(const Request& request, SyncResult& found);
  void publish(const records::Member& self, SyncResult& found);
  void publish_players(const records::Member& self, SyncResult& found);
  void read_players(const records::Member& self, SyncResult& found);
  /// Finds the lobby chat of the other servers since the last call.
  void hear(const records::Member& self, SyncResult& found);
  void adopt(const records::Member& self, SyncResult& found);
  void read_others(const records::Member& self, SyncResult& found);
  /// The result of a call. Notes a failure and returns nothing.
  template <class Value>
  static std::optional<Value> noted(records::Result<Value> result, SyncResult& found);
  static void add(const journal::v1::Saved& adopted, SyncResult& found);
  void forget_adopted(SyncResult& found);
  /// The changes since the last call.
  std::vector<server::RoomElsewhere> compare(std::vector<records::PublishedRoom> rooms);

  records::Membership& membership_;
  const SharingSettings settings_;
  std::string bans_version_;
  std::optional<server::Time> bans_read_;               // all bans, whatever their version
  std::map<std::string, records::PublishedRoom> seen_;  // rooms of others, by name
  std::optional<server::Time> renewed_;
  records::Member renewed_as_;  // as of the last renewal
  std::optional<server::Time> read_;
  std::optional<server::Time> players_read_;
  std::optional<std::string> unpublished_players_;
  std::map<records::StreamId, std::uint64_t> heard_;  // lines said in the lobby of each server
  std::map<std::string, records::PublishedRoom> unpublished_;  // by name
  // Published since the last renewal. If the database fails before the next one, this may be lost.
  std::map<std::string, records::PublishedRoom> unconfirmed_;
};

/// Judges the lease, passes on what a LobbySync has found, and finds out what to publish. It has no
/// thread, clock or I/O: its owner runs the syncs, calls it back after the delays that it returns,
/// and tells it the time. Cluster is the owner in the server, simulation::LobbyMachine in the
/// simulation.
///
/// If the lease could not be renewed before it ended, or another server has taken this one over,
/// the handler `lost` is called once, and no handler after it. Not thread-safe.
class Sharing {
 public:
  struct Handlers {
    /// Players and rooms that belong to this server from now on.
    std::function<void(const journal::v1::Saved& adopted)> adopted;
    /// The servers of the lobby, after every change.
    std::function<void(const std::vector<server::Directory::LobbyServer>& servers)> servers;
    /// Changes by other servers.
    std::function<void(const server::LobbyNews& news)> news;
    /// A question of the host to its directory may have been answered.
    std::function<void()> answered;
    std::function<void(const std::string& why)> lost;
    std::function<std::size_t()> count_rooms;
    std::function<std::size_t()> count_players;        ///< connected ones
    std::function<const server::SaidInLobby&()> said;  ///< null: nothing is said
    /// Whether the server has ended, so that nothing is left to do.
    std::function<bool()> has_ended;
    /// A temporary problem, for the log.
    std::function<void(const std::string& problem)> problem;
  };

  /// What to do while the server drains.
  struct Draining {
    /// Hands at most `max` rooms over and returns how many. Called after each sync until none are
    /// left.
    std::function<std::size_t(const server::Directory::LobbyServer& to, std::size_t max)> give;
    /// These other servers know that this one is leaving, and will take over the rest as soon as it
    /// has left. Called once; no handler is called after it.
    std::function<void(const std::vector<server::Directory::LobbyServer>& others)> hand_over;
    /// No other server stays. Called once; others can still join.
    std::function<void()> alone;
  };
  /// When to call again; nothing if it has ended.
  using Again = std::optional<std::chrono::milliseconds>;

  /// `self` has joined with this lease before `now`.
  Sharing(records::Member self, const SharingSettings& settings, server::Time now)
      : self_(std::move(self)), settings_(settings), renewed_(now) {}

  /// Sets the directory of this server. It must outlive all calls of the functions below.
  void set_directory(ClusterDirectory& directory);
  void set_handlers(Handlers handlers) { handlers_ = std::move(handlers); }
  void set_key(std::string key) { self_.key = std::move(key); }
  /// Stops adopting players and rooms.
  void drain() { self_.is_draining = true; }
  /// Like drain(), then hands everything over to other servers if there are any. Returns whether to
  /// sync at once, so that they know.
  bool drain(Draining draining);
  records::StreamId stream() const { return self_.stream; }
  bool is_lost() const { return lost_; }

  /// Processes the answer to a question of the directory, unless this has ended.
  void answer(const ClusterDirectory::Continuation& go_on, server::Time now);
  /// Begins a sync. One runs at a time.
  LobbySync::Request begin_sync();
  /// Ends a sync. Returns when to begin the next one.
  Again end_sync(const SyncResult& found, server::Time now);
  /// Compares one page of this server's rooms with what was published. Differences are published by
  /// the next sync. Ends if the lease is over, even during a sync. Returns when to compare the next
  /// page, or the end of the lease.
  Again sweep(server::Time now);
  /// Ends everything.
  void stop() { stopped_ = true; }
  bool has_ended() const { return stopped_; }

 private:
  /// Adds a page to the list of players. Returns whether there are more.
  bool sweep_players(server::Time now);
  void lose(const std::string& why);
  bool lose_if_overdue(server::Time now);
  void update_members(const std::vector<records::Member>& members, server::Time now);
  /// Continues the handover. Returns whether this server is done.
  bool advance_handover(const SyncResult& found, server::Time now);
  /// Hands some rooms over to one of the others. Returns whether any are left.
  bool give_some_rooms(const SyncResult& found);

  records::Member self_;
  const SharingSettings settings_;
  Handlers handlers_;
  ClusterDirectory* directory_ = nullptr;
  server::Time renewed_;  // when the last successful renewal began
  std::vector<server::Directory::LobbyServer> servers_;
  bool lost_ = false;
  bool stopped_ = false;
  bool is_syncing_ = false;
  std::optional<Draining> draining_;
  std::optional<server::Time> announced_;
  std::optional<server::Time> leaving_since_;
  std::map<records::StreamId, std::uint64_t>
      expected_;                 // rooms of others, including those handed over
  server::Time handover_until_;  // others may be leaving until then

  struct Shown {
    std::uint64_t serial = 0;  // tells rooms of the same name apart
    std::string info;          // without what changes often
    friend bool operator==(const Shown&, const Shown&) = default;
  };

  std::string swept_to_player_;  // the last name listed so far
  v1::PlayerList players_in_sweep_;
  server::Time next_players_;  // of the next list
  std::string published_players_;
  std::optional<std::string> changed_players_;  // to be published
  std::string swept_to_;                        // the last name compared so far
  std::map<std::string, Shown> published_;      // by name
  std::map<std::string, Shown> in_sweep_;
  std::map<std::string, records::PublishedRoom> changed_;  // to be published, by name
};

}  // namespace tictactoe::cluster
