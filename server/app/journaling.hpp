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

#include "server/journal/journal.hpp"
#include "server/journal/open.hpp"
#include "server/limits/config.hpp"
#include "server/transport/server.hpp"
#include "server/worker/worker.hpp"

namespace tictactoe::app {

/// All functions and callbacks run on the thread of the io_context.
class Journaling {
 public:
  struct Settings {
    /// How long finished games are kept; zero for ever.
    std::chrono::milliseconds keep_games{0};
    records::Journal::Settings writing = {};
  };

  /// Restores the server from its saved state, then records its events. Calls `warn` with sentences
  /// for the server's owner. If another server takes over the store, the io_context is stopped; if
  /// the disk fails, it is stopped after the players were told. Must be destroyed after the
  /// io_context has stopped running, and before the server.
  static records::Result<std::unique_ptr<Journaling>> start(
      boost::asio::io_context& io, transport::Server& server, const server::Limits& limits,
      records::OpenedStore opened, Settings settings,
      const std::function<void(const std::string&)>& warn);

  /// As last reported to the server.
  records::Health health() const { return health_; }
  records::JournalFigures figures() const { return journal_.figures(); }
  /// Makes everything durable. Returns the number of events for which that failed; these are lost.
  std::uint64_t close();
  /// Whether another server has taken over the store. This and has_failed() also cover close().
  bool is_fenced() const { return journal_.health() == records::Health::fenced; }
  /// Whether the disk has failed. See records::Fault::Kind::sync_failed.
  bool has_failed() const { return journal_.health() == records::Health::failed; }

 private:
  Journaling(boost::asio::io_context& io, transport::Server& server, const server::Limits& limits,
             records::OpenedStore opened, records::Journal::Settings settings);

  void look_up(const server::LookUp& question, std::function<void(server::LookUpAnswer)> answer);
  void report_health(transport::Server& server, records::Health health, const std::string& reason);

  boost::asio::io_context& io_;
  boost::asio::steady_timer end_timer_;
  std::size_t games_per_list_;
  std::size_t max_answer_bytes_;      // in bytes
  transport::LimitedLog unreadable_;  // used by the thread of reads_
  records::Health health_ = records::Health::good;
  std::shared_ptr<void> lock_;
  std::unique_ptr<records::RecordReader> reader_;  // used by the thread of reads_
  records::Journal journal_;
  worker::Worker reads_;  // separate, so that a long query delays no commit
};

}  // namespace tictactoe::app
