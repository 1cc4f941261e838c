// The membership of a running server in a lobby that it shares with others.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "server/cluster/cluster.hpp"
#include "server/host/host.hpp"
#include "server/journal/open.hpp"
#include "server/limits/config.hpp"
#include "server/transport/server.hpp"
#include "server/worker/worker.hpp"

namespace tictactoe::app {

/// Connects a Cluster with a Server. Must outlive the server, and must be destroyed after the
/// io_context has stopped running.
class Clustering {
 public:
  ~Clustering() = default;
  Clustering(const Clustering&) = delete;
  Clustering& operator=(const Clustering&) = delete;

  /// Joins the servers that share the database with this URL. A fault's reason is a sentence.
  static records::Result<std::unique_ptr<Clustering>> join(boost::asio::io_context& io,
                                                           const std::string& url,
                                                           const std::string& public_address,
                                                           const server::Config& config);

  /// Returns the store for the journal of this server. Call it once.
  records::OpenedStore take_journal() { return std::move(journal_); }
  /// For the constructor of the server.
  server::Host::ChooseDirectory choose_directory();
  /// Starts. `key`: the server's fingerprint. Stops the io_context if the server loses its lease.
  void start(transport::Server& server, std::string key);
  /// Replaces the key, after start().
  void set_key(std::string key) { cluster_.set_key(std::move(key)); }
  /// Stops adopting players and rooms.
  void drain() { cluster_.drain(); }
  /// Stops adopting. If other servers stay, this one stops soon, redirects its clients to
  /// them, and leaves everything to them when `close_journal`, which another thread calls, has
  /// returned. Otherwise calls `alone`.
  void drain(transport::Server& server, std::function<void()> close_journal,
             std::function<void()> alone);
  /// Waits for that thread, if there is one. Call it after the io_context has stopped.
  void wait() { leaving_.join(); }
  /// Leaves everything to the others. Call it after the journal is closed.
  void leave() { cluster_.leave(); }
  bool is_lost() const { return cluster_.is_lost(); }

 private:
  Clustering(boost::asio::io_context& io, records::SharedStore shared,
             const server::Config& config);

  boost::asio::io_context& io_;
  records::OpenedStore journal_;
  cluster::Cluster cluster_;
  worker::Worker leaving_;
};

}  // namespace tictactoe::app
