// Options that are read again while the server runs.
#pragma once

#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "server/options.hpp"

namespace tictactoe {

/// Keeps SIGHUP waiting from now on, for this thread and those that it starts: until something
/// reacts to the signal, it would end the process. Reload::start() lets it in again.
void hold_hang_ups();
/// Lets it in again, for programs that end by it.
void admit_hang_ups();

/// Options and what has parsed them.
struct ParsedOptions {
  ParsedOptions();
  ParsedOptions(const ParsedOptions&) = delete;  // the parser refers to the options
  ParsedOptions& operator=(const ParsedOptions&) = delete;

  CLI::App app;
  ServerOptions options;
};

/// Reads the file of options again, and the files that the options name, at SIGHUP and when the
/// owner asks. At a terminal without such files SIGHUP keeps its usual meaning: the terminal is
/// gone, and the process ends. On the event loop: it reads some small files.
class Reload {
 public:
  struct Outcome {
    std::vector<std::string> problems;        ///< if there are any, nothing has changed
    std::vector<std::string> changed;         ///< options, as "--grace"
    std::vector<std::string> need_a_restart;  ///< options that have changed without effect
    std::string sentence() const;
  };
  /// Puts the new options into effect, as far as is possible at run time. Returns the problems with
  /// the files that they name; then nothing must have changed.
  using Apply = std::function<std::vector<std::string>(const ServerOptions&)>;

  /// `first`: the options of the start, which must outlive this. `arguments`: of the process.
  Reload(boost::asio::io_context& io, const ParsedOptions& first,
         std::vector<std::string> arguments, Apply apply);

  /// SIGHUP waits again.
  ~Reload() { hold_hang_ups(); }
  Reload(const Reload&) = delete;
  Reload& operator=(const Reload&) = delete;

  /// Reacts to SIGHUP from now on, and to one that waits.
  void start();
  void stop();
  Outcome run();
  /// The latest options. Those that only a restart can change may differ from what is in effect.
  const ServerOptions& options() const;

 private:
  void await_signal();

  boost::asio::signal_set hang_up_;
  const ParsedOptions& first_;
  std::unique_ptr<ParsedOptions> latest_;  // null before the first reload
  const std::vector<std::string> arguments_;
  const Apply apply_;
};

}  // namespace tictactoe
