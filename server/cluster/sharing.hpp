// What a server decides about the lobby that it shares with others.
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
  std::chrono::milliseconds interval{1000};  ///< between two looks at the others
  /// Between two looks while there is something to adopt, and between two pages of rooms that are
  /// shown to others.
  std::chrono::milliseconds short_interval{5};
  /// Between two looks while a server is leaving, and for a while afterwards.
  std::chrono::milliseconds handover_interval{20};
  std::chrono::milliseconds handover_time{3000};
  /// How long a server that leaves has told the others, which look once per interval until then.
  std::chrono::milliseconds announced{1500};
  /// For how long it then says that nobody may be sent to it any more.
  std::chrono::milliseconds leaving{150};
  /// The longest time in which a server that leaves gives its rooms away one after another. The
  /// others have the rest when it has left.
  std::chrono::milliseconds giving{120'000};
  std::size_t given_at_once = 8;      ///< rooms, after each look
  std::size_t most_arriving = 100;    ///< rooms that were given and not taken yet: more wait
  std::size_t adopted_at_once = 100;  ///< rooms, or players
  std::size_t questions = 2000;       ///< of the directory that may wait, half of them of a network
  std::uint64_t seed = 0;             ///< of the names that it tries
};

/// What one look at the others has found.
struct Look {
  server::Time began;
  std::string fault;  ///< the last one; empty: there was none
  bool is_renewed = false;
  bool is_draining = false;  ///< as the others can see now, as is the next one
  bool is_leaving = false;
  bool is_member = true;
  std::vector<records::Member> members;
  server::LobbyNews news;
  records::LoadedStream adopted;
  std::size_t arriving = 0;  ///< rooms that were given to others and not taken yet; if draining
  bool wants_more = false;
};

/// Looks at the others, by a membership that may take long. Not thread-safe, but may be used on
/// another thread than Sharing.
class Lookout {
 public:
  /// What a look begins with.
  struct Errand {
    records::Member self;
    std::vector<records::PublishedRoom> changed;
  };

  Lookout(records::Membership& membership, const SharingSettings& settings)
      : membership_(membership), settings_(settings) {}

  /// Prolongs the lease, shows what has changed, takes over, adopts, and reads what the others
  /// show. What could not be shown, or may be lost with the database, is shown by a later look.
  /// `began`: a time before this call. O(what is taken over), and O(rooms of others) once in an
  /// interval: looks that follow each other faster read what is needed to take over.
  Look look(const Errand& errand, server::Time began);

 private:
  void look_as_member(const records::Member& self, Look& found);
  void renew(const Errand& errand, Look& found);
  void publish(const records::Member& self, Look& found);
  void take(const records::Member& self, Look& found);
  void read_others(const records::Member& self, Look& found);
  /// The result of a call; nothing if it failed, which is noted.
  template <class Value>
  static std::optional<Value> noted(records::Result<Value> result, Look& found);
  static void add(const records::LoadedStream& adopted, Look& found);
  void forget_adopted(Look& found);
  /// What differs from what was seen before.
  std::vector<server::RoomElsewhere> compare(std::vector<records::PublishedRoom> rooms);

  records::Membership& membership_;
  const SharingSettings settings_;
  std::string bans_version_;
  std::optional<server::Time> bans_read_;               // whatever their version was
  std::map<std::string, records::PublishedRoom> seen_;  // rooms of others by name
  std::optional<server::Time> renewed_;
  records::Member told_;  // by the last renewal
  std::optional<server::Time> read_;
  std::map<std::string, records::PublishedRoom> unpublished_;  // by name
  // Published since the last renewal. If the database fails before the next one, it may be lost.
  std::map<std::string, records::PublishedRoom> unconfirmed_;
};

/// Judges the lease, passes on what a Lookout has found, and finds out what others have to be
/// shown. It has no thread, clock or I/O: its owner carries out looks, calls it after the times
/// that it returns, and says what time it is. Cluster does so in the server, and
/// simulation::LobbyMachine in the simulation.
///
/// If the lease could not be prolonged for as long as it lasts, or another server has taken this
/// one over, the event `lost` happens once, and nothing after it. Not thread-safe.
class Sharing {
 public:
  struct Events {
    /// Players and rooms that belong to this server from now on.
    std::function<void(const records::LoadedStream& adopted)> adopted;
    /// The servers that there are, when that has changed.
    std::function<void(const std::vector<server::Directory::Server>& servers)> servers;
    /// What the others have changed.
    std::function<void(const server::LobbyNews& news)> news;
    /// A question of the host to its directory may have been answered.
    std::function<void()> answered;
    std::function<void(const std::string& why)> lost;
    std::function<std::size_t()> count_rooms;
    std::function<std::size_t()> count_players;  ///< who are connected
    /// Whether the server has ended: nothing more is to be done.
    std::function<bool()> has_ended;
    /// A problem that may pass, for the log.
    std::function<void(const std::string& problem)> problem;
  };

  /// What happens to a server that is to end.
  struct Draining {
    /// Gives at most so many rooms to that server. Returns how many. Called after each look, until
    /// no rooms are left.
    std::function<std::size_t(const server::Directory::Server& to, std::size_t most)> give;
    /// These others know that this server is leaving, and will take over what it has as soon as it
    /// has left. Called once; nothing else happens here from then on.
    std::function<void(const std::vector<server::Directory::Server>& others)> hand_over;
    /// There is no other server that stays. Called once; others can still come.
    std::function<void()> alone;
  };
  /// When to go on; nothing: never, it has ended.
  using Again = std::optional<std::chrono::milliseconds>;

  /// `self` has joined with that lease before `now`.
  Sharing(records::Member self, const SharingSettings& settings, server::Time now)
      : self_(std::move(self)), settings_(settings), renewed_(now) {}

  /// The directory of this server, which must outlive all calls of the following functions.
  void set_directory(ClusterDirectory& directory);
  void set_events(Events events) { events_ = std::move(events); }
  void set_key(std::string key) { self_.key = std::move(key); }
  /// Adopts nothing more.
  void drain() { self_.is_draining = true; }
  /// Like drain(), then hands everything over to other servers if there are any. Returns whether to
  /// look at once, so that they know.
  bool drain(Draining draining);
  records::StreamId stream() const { return self_.stream; }
  bool is_lost() const { return lost_; }

  /// Goes on with the answer to a question of the directory, unless this has ended.
  void answer(const ClusterDirectory::Continuation& go_on, server::Time now);
  /// One look is under way at a time.
  Lookout::Errand begin_look();
  /// When the next look is due.
  Again looked(const Look& found, server::Time now);
  /// Looks through one page of the rooms of this server: what differs from what the others see
  /// waits for the next look. Ends if the lease is over, whatever the look waits for. Returns when
  /// the next page is due, or the end of the lease.
  Again sweep(server::Time now);
  /// Nothing happens any more.
  void stop() { stopped_ = true; }
  bool has_ended() const { return stopped_; }

 private:
  void lose(const std::string& why);
  bool is_overdue(server::Time now);
  void met(const std::vector<records::Member>& members, server::Time now);
  /// True if this server is done here.
  bool has_handed_over(const Look& found, server::Time now);
  /// Gives some rooms to one of these. True if some are left.
  bool gives_rooms(const Look& found);

  records::Member self_;
  const SharingSettings settings_;
  Events events_;
  ClusterDirectory* directory_ = nullptr;
  server::Time renewed_;  // when the last renewal that worked began
  std::vector<server::Directory::Server> servers_;
  bool lost_ = false;
  bool stopped_ = false;
  bool is_looking_ = false;
  std::optional<Draining> draining_;
  std::optional<server::Time> announced_;
  std::optional<server::Time> leaving_since_;
  std::map<records::StreamId, std::uint64_t> expected_;  // rooms that others have, with those given
  server::Time handover_until_;                          // others may be leaving until then

  struct Shown {
    std::uint64_t serial = 0;  // the next room of a name has nothing of what this one showed
    std::string info;          // without what changes often
    friend bool operator==(const Shown&, const Shown&) = default;
  };

  std::string swept_to_;                    // the last name of the own rooms so far
  std::map<std::string, Shown> published_;  // by name
  std::map<std::string, Shown> in_sweep_;
  std::map<std::string, records::PublishedRoom> changed_;  // to be published, by name
};

}  // namespace tictactoe::cluster
