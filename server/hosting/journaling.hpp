// A running server's journal: the store, and the threads that write and read it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "server/core/config.hpp"
#include "server/net/server.hpp"
#include "server/store/journal.hpp"
#include "server/store/open.hpp"
#include "server/worker/worker.hpp"

namespace tictactoe::hosting {

/// Everything happens on the thread of the io_context.
class Journaling {
 public:
  struct Settings {
    /// How long finished games are kept; zero: for ever.
    std::chrono::milliseconds keep_games{0};
    store::Journal::Settings writing = {};
  };

  /// Restores the server from what was saved, and records its events from then on. `warn` is given
  /// sentences for the server's owner. If another server takes over the store, the io_context is
  /// stopped; if the disk has failed, after the players were told. Must be destroyed after the
  /// io_context has stopped running, and before the server.
  static store::Result<std::unique_ptr<Journaling>> start(
      boost::asio::io_context& io, net::Server& server, const core::Limits& limits,
      store::OpenedStore opened, Settings settings,
      const std::function<void(const std::string&)>& warn);

  /// As the server knows it.
  store::Health health() const { return health_; }
  store::JournalFigures figures() const { return journal_.figures(); }
  /// Makes everything durable. Returns the number of events for which that failed; they are lost.
  std::uint64_t close();
  /// Whether another server has taken over the store. This and has_failed() count what close() has
  /// met, too.
  bool is_fenced() const { return journal_.health() == store::Health::fenced; }
  /// Whether the disk has failed. See store::Fault::Kind::sync_failed.
  bool has_failed() const { return journal_.health() == store::Health::failed; }

 private:
  Journaling(boost::asio::io_context& io, net::Server& server, const core::Limits& limits,
             store::OpenedStore opened, store::Journal::Settings settings);

  void look_up(const core::LookUp& question, std::function<void(core::LookUpAnswer)> answer);
  void maintain();
  void report_damaged(std::size_t games);
  void report_health(net::Server& server, store::Health health, const std::string& reason);

  boost::asio::io_context& io_;
  boost::asio::steady_timer end_timer_;
  std::size_t games_per_list_;
  std::size_t longest_answer_;  // in bytes
  net::LimitedLog unreadable_;  // of the thread of reads_
  store::Health health_ = store::Health::good;
  std::shared_ptr<void> lock_;
  std::unique_ptr<store::RecordReader> reader_;  // of the thread of reads_
  std::size_t damaged_games_ = 0;                // as reported
  bool is_maintaining_ = false;
  store::Journal journal_;
  worker::Worker reads_;  // so that a long query delays no commit
};

}  // namespace tictactoe::hosting
