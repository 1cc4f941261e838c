#include "client/terminal/signals.hpp"

#include <csignal>
#include <utility>

namespace tictactoe::client {
namespace {

SignalEvent event_of(int signal) {
  switch (signal) {
    case SIGINT:
      return SignalEvent::interrupt;
    case SIGTSTP:
      return SignalEvent::stop;
    case SIGCONT:
      return SignalEvent::go_on;
    case SIGWINCH:
      return SignalEvent::resize;
    default:
      return SignalEvent::hang_up;
  }
}

}  // namespace

Signals::Signals(boost::asio::io_context& context, bool raw_mode, OnSignal on_signal)
    : signals_(context), on_signal_(std::move(on_signal)) {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCONT, SIGWINCH}) signals_.add(signal);
  if (raw_mode) signals_.add(SIGTSTP);
  wait();
}

void Signals::wait() {
  signals_.async_wait([this](const boost::system::error_code& error, int signal) {
    if (error) return;
    wait();
    on_signal_(event_of(signal));
  });
}

}  // namespace tictactoe::client
