// A server's membership in a lobby that several servers share.
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

/// Renews the lease, takes over the rooms and players of lost servers, publishes the rooms of this
/// server, and answers the questions of its directory. All functions and handlers run on the thread
/// of the io_context. Slow work is done on two other threads: one for the lease and everything that
/// depends on time, one for the directory.
///
/// If the lease could not be renewed before it ended, or another server has taken this one over,
/// the handler `lost` is called once, and no handler after it.
class Cluster {
 public:
  using Settings = SharingSettings;
  using Handlers = Sharing::Handlers;
  using Draining = Sharing::Draining;

  /// `self` has joined with this lease, and the names belong to its stream.
  Cluster(boost::asio::io_context& io, records::Member self, server::Config config,
          std::unique_ptr<records::Membership> membership,
          std::unique_ptr<records::SharedNames> names, Settings settings);
  /// Waits for the threads. The io_context must not run afterwards.
  ~Cluster() = default;
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// Wraps the directory of a standalone server, for server::Host. Lives as long as the host.
  std::unique_ptr<server::Directory> directory(std::unique_ptr<server::Directory> local);
  /// Starts. Requires an earlier call of directory().
  void start(Handlers handlers);
  /// Sets the fingerprint of this server's key, for clients that are redirected here.
  void set_key(std::string key) { sharing_.set_key(std::move(key)); }
  /// Stops adopting players and rooms.
  void drain() { sharing_.drain(); }
  /// Like drain(), then hands everything over to other servers if there are any.
  void drain(Draining draining);
  /// Leaves everything to the other servers, once. Thread-safe; call it after hand_over() was
  /// called or the io_context has stopped.
  void leave();
  bool is_lost() const { return sharing_.is_lost(); }

 private:
  bool ask(std::optional<server::Origin> from, ClusterDirectory::Question question);
  void ask_next();
  void sync();
  void sweep();
  void stop();
  void call_after(boost::asio::steady_timer& timer, Sharing::Again again, void (Cluster::*next)());

  const server::Config config_;
  const std::unique_ptr<records::Membership> membership_;
  const std::unique_ptr<records::SharedNames> names_;
  const Settings settings_;
  bool left_ = false;
  Sharing sharing_;
  LobbySync sync_;  // on the thread of syncing_

  boost::asio::steady_timer sync_timer_;
  boost::asio::steady_timer sweep_timer_;

  worker::Worker syncing_;
  worker::Worker asking_;
  QuestionQueue<ClusterDirectory::Question> questions_;  // waiting for asking_
};

}  // namespace tictactoe::cluster
