// The signals that concern a program at a terminal.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <cstdint>
#include <functional>

namespace tictactoe::client {

enum class SignalEvent : std::uint8_t {
  interrupt,  ///< SIGINT: Ctrl-C
  hang_up,    ///< SIGHUP or SIGTERM: the terminal is closed, or the system wants the end
  stop,       ///< SIGTSTP: Ctrl-Z; the receiver restores the terminal and calls stop_program()
  go_on,      ///< SIGCONT: the program was stopped, and the terminal may have another mode
  resize,     ///< SIGWINCH
};

/// Reports signals as events of an io_context for as long as it lives. SIGPIPE is ignored from then
/// on: a write reports that its reader is gone.
class Signals {
 public:
  using OnSignal = std::function<void(SignalEvent)>;

  /// `context` must outlive this. Without `raw_mode`, Ctrl-Z keeps its default action.
  Signals(boost::asio::io_context& context, bool raw_mode, OnSignal on_signal);

 private:
  void wait();

  boost::asio::signal_set signals_;
  OnSignal on_signal_;
};

}  // namespace tictactoe::client
