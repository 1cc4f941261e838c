// Options that are reloaded while the server runs.
#pragma once

#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "server/app/options.hpp"
#include "server/worker/worker.hpp"

namespace tictactoe::app {

/// Blocks SIGHUP in this thread and those that it starts, because it would end the process before
/// Reload::start() unblocks it.
void hold_hang_ups();
/// Unblocks SIGHUP, for programs that it ends.
void admit_hang_ups();

/// Options and their parser.
struct ParsedOptions {
  ParsedOptions();
  ParsedOptions(const ParsedOptions&) = delete;  // the parser refers to the options
  ParsedOptions& operator=(const ParsedOptions&) = delete;

  CLI::App app;
  ServerOptions options;
};

/// Reloads the file of options, and the files that the options name, on SIGHUP and when the owner
/// asks: on a thread, because a file system can hang. At a terminal without such files SIGHUP keeps
/// its usual meaning: the terminal was closed, and the process ends.
class Reload {
 public:
  struct Outcome {
    std::vector<std::string> problems;        ///< if there are any, nothing has changed
    std::vector<std::string> changed;         ///< options, as "--grace"
    std::vector<std::string> need_a_restart;  ///< options whose changes need a restart
    std::string sentence() const;
  };
  using Done = std::function<void(const Outcome&)>;
  /// Applies what was read. Called on the loop.
  using Apply = std::function<void()>;
  /// Reads the files that the options name, on a thread. Returns the problems with them, or how to
  /// apply them and the options. Of these, only those that can change at run time may differ from
  /// those at the start.
  using Read =
      std::function<std::variant<Apply, std::vector<std::string>>(const ServerOptions& options)>;

  /// `first`: the options at the start, which must outlive this. `arguments`: of the process.
  Reload(boost::asio::io_context& io, const ParsedOptions& first,
         std::vector<std::string> arguments, Read read);

  /// Blocks SIGHUP again.
  ~Reload() { hold_hang_ups(); }
  Reload(const Reload&) = delete;
  Reload& operator=(const Reload&) = delete;

  /// Handles SIGHUP from now on, including one that is pending.
  void start();
  void stop();
  /// Reloads. Calls `done` afterwards, or at once if too many reloads wait. Not after stop().
  void run(Done done);
  /// The options that are in effect: as at the start, except those that could be changed since.
  const ServerOptions& options() const { return in_effect_; }

 private:
  /// What a thread has read.
  struct Found {
    std::unique_ptr<ParsedOptions> options;
    ServerOptions in_effect;
    std::vector<std::string> problems;
    Apply apply;
  };

  void await_signal();
  Found read_files() const;
  Outcome put_into_effect(Found found);

  boost::asio::signal_set hang_up_;
  const ParsedOptions& first_;
  ServerOptions in_effect_;
  std::unique_ptr<ParsedOptions> latest_;  // null before the first reload
  const std::vector<std::string> arguments_;
  const Read read_;
  worker::Worker worker_;
};

}  // namespace tictactoe::app
