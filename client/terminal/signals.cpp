#include "client/terminal/signals.hpp"

#include <unistd.h>

#include <boost/asio/post.hpp>
#include <csignal>
#include <utility>

#include "client/terminal/raw_mode.hpp"

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
    : context_(context), work_(context.get_executor()), on_signal_(std::move(on_signal)) {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCONT, SIGWINCH}) signals_.add(signal);
  if (raw_mode) signals_.add(SIGTSTP);
  wait();
  thread_ = std::thread([this] { own_context_.run(); });
}

Signals::~Signals() {
  own_context_.stop();
  thread_.join();
}

void Signals::wait() {
  signals_.async_wait([this](const boost::system::error_code& error, int signal) {
    if (error) return;
    wait();
    report(event_of(signal));
  });
}

void Signals::report(SignalEvent event) {
  const bool interrupts = event == SignalEvent::interrupt;
  if (interrupts) ++unhandled_;
  boost::asio::post(context_, [this, event, interrupts] {
    on_signal_(event);
    if (interrupts) --unhandled_;
  });
  if (event == SignalEvent::hang_up) must_end_ = true;
  if (interrupts || event == SignalEvent::hang_up) expect_end();
}

void Signals::expect_end() {
  patience_.expires_after(signal_patience);
  patience_.async_wait([this](const boost::system::error_code& error) {
    if (error || (!must_end_ && unhandled_ == 0)) return;
    rescue_terminal();
    _exit(0);
  });
}

}  // namespace tictactoe::client
