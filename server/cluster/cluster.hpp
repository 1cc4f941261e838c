// A server's part in a lobby that several servers share.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/cluster/cluster_directory.hpp"
#include "server/store/membership.hpp"
#include "server/store/shared_names.hpp"

namespace tictactoe::cluster {

/// Keeps the lease, takes over what lost servers had, shows others the rooms of this server, and
/// answers the questions of its directory. All functions and events are on the thread of the
/// io_context; what takes long is done on two threads of its own, one for the lease and what
/// depends on time, and one for the directory.
///
/// If the lease could not be prolonged for as long as it lasts, or another server has taken this
/// one over, the event `lost` happens once, and nothing after it.
class Cluster {
 public:
  struct Settings {
    std::chrono::milliseconds lease{6000};
    std::chrono::milliseconds interval{1000};  ///< between two looks at the others
    /// Between two looks while there is something to adopt, and between two pages of rooms that are
    /// shown to others.
    std::chrono::milliseconds short_interval{20};
    /// Between two looks while a server is leaving, and for a while afterwards.
    std::chrono::milliseconds handover_interval{50};
    std::chrono::milliseconds handover_time{3000};
    /// How long a server that leaves has told the others, which look once per interval.
    std::chrono::milliseconds announced{1500};
    std::size_t adopted_at_once = 20;  ///< rooms, or players
    std::size_t questions = 1000;      ///< of the directory that may wait
    std::uint64_t seed = 0;            ///< of the names that it tries
  };
  struct Events {
    /// Players and rooms that belong to this server from now on.
    std::function<void(const store::LoadedStream& adopted)> adopted;
    /// The servers that there are, when that has changed.
    std::function<void(const std::vector<core::Directory::Server>& servers)> servers;
    /// What the others have changed.
    std::function<void(const core::LobbyNews& news)> news;
    /// A continuation of the directory has run.
    std::function<void()> answered;
    std::function<void(const std::string& why)> lost;
    std::function<std::size_t()> count_rooms;
    /// Whether the server has ended: the timers end too, so that the io_context can run out of
    /// work.
    std::function<bool()> has_ended;
    /// A problem that may pass, for the log.
    std::function<void(const std::string& problem)> problem;
  };

  /// `self` has joined with that lease, and the names are those of its stream.
  Cluster(boost::asio::io_context& io, store::Member self, core::Config config,
          std::unique_ptr<store::Membership> membership, std::unique_ptr<store::SharedNames> names,
          Settings settings);
  /// Waits for what the threads are doing. The io_context must not run afterwards.
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// For core::Host: wraps the directory of a server alone. Lives as long as the host.
  std::unique_ptr<core::Directory> directory(std::unique_ptr<core::Directory> local);
  /// Begins. The directory has been made.
  void start(Events events);
  /// The fingerprint of this server's key, for clients that are sent here.
  void set_key(std::string key) { self_.key = std::move(key); }
  /// What happens to a server that is to end. Calls at most one function in an event.
  struct Draining {
    /// These others know that this server is leaving, and will take over what it has as soon as it
    /// has left. Called once; nothing else happens here from then on.
    std::function<void(const std::vector<core::Directory::Server>& others)> hand_over;
    /// There is no other server that stays. Called once; others can still come.
    std::function<void()> alone;
  };
  /// Adopts nothing more.
  void drain() { self_.is_draining = true; }
  /// The same, and leaves to the others if there are any.
  void drain(Draining draining);
  /// Leaves everything to the other servers, once. On any thread, after hand_over() was called or
  /// the io_context has stopped.
  void leave();
  bool is_lost() const { return lost_; }

 private:
  /// What one look has found, on the thread for that.
  struct Look {
    std::chrono::steady_clock::time_point began;
    std::string fault;
    bool is_renewed = false;
    bool is_draining = false;  // as the others can see now
    bool is_member = true;
    std::vector<store::Member> members;
    core::LobbyNews news;
    store::LoadedStream adopted;
    bool wants_more = false;
  };

  bool ask(ClusterDirectory::Question question);
  void look();
  Look look_at(const store::Member& self, std::vector<store::PublishedRoom> changed);
  /// What differs from what was seen before.
  std::vector<core::RoomElsewhere> compare(std::vector<store::PublishedRoom> rooms);
  void looked(Look found);
  void met(const std::vector<store::Member>& members);
  /// True if this server is done here.
  bool has_handed_over(const std::vector<store::Member>& members);
  void lose(const std::string& why);
  void stop();
  void next_look(std::chrono::milliseconds after);
  void sweep();
  /// Ends if the lease is over, whatever the thread that prolongs it waits for.
  bool is_overdue();

  boost::asio::io_context& io_;
  store::Member self_;
  const core::Config config_;
  const std::unique_ptr<store::Membership> membership_;
  const std::unique_ptr<store::SharedNames> names_;
  const Settings settings_;
  Events events_;
  ClusterDirectory* directory_ = nullptr;
  std::size_t waiting_questions_ = 0;
  std::chrono::steady_clock::time_point renewed_;  // when the last renewal that worked began
  std::vector<core::Directory::Server> servers_;
  bool lost_ = false;
  bool stopped_ = false;
  bool left_ = false;
  bool is_looking_ = false;
  std::optional<Draining> draining_;
  std::optional<std::chrono::steady_clock::time_point> announced_;
  std::chrono::steady_clock::time_point handover_until_;  // others may be leaving until then

  boost::asio::steady_timer look_timer_;
  boost::asio::steady_timer sweep_timer_;
  std::string swept_to_;                          // the last name of the own rooms so far
  std::map<std::string, std::string> published_;  // by name, without what changes often
  std::map<std::string, std::string> in_sweep_;
  std::map<std::string, store::PublishedRoom> changed_;  // to be published, by name

  // Only on the thread that looks.
  std::string bans_version_;
  std::map<std::string, store::PublishedRoom> seen_;  // rooms of others by name

  boost::asio::thread_pool looking_{1};
  boost::asio::thread_pool asking_{1};
};

}  // namespace tictactoe::cluster
