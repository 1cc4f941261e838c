// Control and monitoring of a running server by its owner and the service manager.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "server/admin/control_socket.hpp"
#include "server/admin/metrics.hpp"
#include "server/admin/metrics_server.hpp"
#include "server/admin/service_manager.hpp"
#include "server/app/journaling.hpp"
#include "server/app/options.hpp"
#include "server/app/reload.hpp"
#include "server/transport/server.hpp"
#include "server/transport/shell/slice_watch.hpp"

namespace tictactoe::app {

/// The control socket, metrics, the watchdog, and the measurement of slices of the event loop. All
/// references must outlive it, and it must outlive the last run of the io_context.
class Operation {
 public:
  /// Without a `journaling` the server keeps no records.
  Operation(boost::asio::io_context& io, transport::Server& server, const Journaling* journaling,
            const ServerOptions& options);

  /// The owner's commands that are not about players and rooms.
  struct Commands {
    /// Ends the server. Running games have this long.
    std::function<void(std::chrono::seconds)> end;
    std::function<void(Reload::Done)> reload;
    /// How long running games have by default.
    std::function<std::chrono::seconds()> usual_time;
    /// How others on the internet reach the server.
    std::function<void(admin::v1::Reach&)> describe_reach;
  };
  /// Accepts the owner's commands if there is a data directory. If there is no socket, the server
  /// works without it, and the log says so.
  void take_commands(Commands commands);
  /// Serves the metrics if the options say so. Returns the exit status, after a message,
  /// on failure.
  std::optional<int> start();
  /// Clients can connect.
  void tell_ready(const std::string& status);
  /// Called once the server has stopped; what it starts keeps the io_context busy.
  void when_stopped(std::function<void()> call) { when_stopped_ = std::move(call); }
  /// The server begins to end. Metrics and watchdog run until it has stopped.
  void tell_stopping();
  /// Replaces io.run().
  void run();

 private:
  static void log_command(const admin::v1::Request& request, const std::string& answer);
  void answer_owner(const admin::v1::Request& request,
                    const admin::ControlSocket::Respond& respond);
  void drain(const admin::v1::Drain& request, admin::v1::Response& response);
  bool advance();
  std::chrono::seconds uptime() const {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::steady_clock::now() - began_);
  }
  admin::Figures figures() const;
  std::string not_ready() const;

  boost::asio::io_context& io_;
  transport::Server& server_;
  const Journaling* journaling_;
  const ServerOptions& options_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  transport::SliceWatch slices_;
  admin::JournalPulse pulse_;
  admin::Watchdog watchdog_;
  std::optional<admin::MetricsServer> metrics_;
  Commands commands_;
  std::function<void()> when_stopped_;
  admin::ControlSocket control_;
  bool stopping_ = false;
};

}  // namespace tictactoe::app
