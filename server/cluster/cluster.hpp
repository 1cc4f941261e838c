// A server's part in a lobby that several servers share.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "server/cluster/cluster_directory.hpp"
#include "server/cluster/question_queue.hpp"
#include "server/cluster/sharing.hpp"
#include "server/records/membership.hpp"
#include "server/records/shared_names.hpp"
#include "server/worker/worker.hpp"

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
  using Settings = SharingSettings;
  using Events = Sharing::Events;
  using Draining = Sharing::Draining;

  /// `self` has joined with that lease, and the names are those of its stream.
  Cluster(boost::asio::io_context& io, records::Member self, server::Config config,
          std::unique_ptr<records::Membership> membership,
          std::unique_ptr<records::SharedNames> names, Settings settings);
  /// Waits for what the threads are doing. The io_context must not run afterwards.
  ~Cluster() = default;
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// For server::Host: wraps the directory of a server alone. Lives as long as the host.
  std::unique_ptr<server::Directory> directory(std::unique_ptr<server::Directory> local);
  /// Begins. The directory has been made.
  void start(Events events);
  /// The fingerprint of this server's key, for clients that are sent here.
  void set_key(std::string key) { sharing_.set_key(std::move(key)); }
  /// Adopts nothing more.
  void drain() { sharing_.drain(); }
  /// Like drain(), then hands everything over to other servers if there are any.
  void drain(Draining draining);
  /// Leaves everything to the other servers, once. On any thread, after hand_over() was called or
  /// the io_context has stopped.
  void leave();
  bool is_lost() const { return sharing_.is_lost(); }

 private:
  bool ask(std::optional<server::Origin> from, ClusterDirectory::Question question);
  void ask_next();
  void look();
  void sweep();
  void stop();
  void call_after(boost::asio::steady_timer& timer, Sharing::Again again, void (Cluster::*next)());

  const server::Config config_;
  const std::unique_ptr<records::Membership> membership_;
  const std::unique_ptr<records::SharedNames> names_;
  const Settings settings_;
  bool left_ = false;
  Sharing sharing_;
  Lookout lookout_;  // on the thread that looks

  boost::asio::steady_timer look_timer_;
  boost::asio::steady_timer sweep_timer_;

  worker::Worker looking_;
  worker::Worker asking_;
  QuestionQueue<ClusterDirectory::Question> questions_;  // that wait for asking_
};

}  // namespace tictactoe::cluster
