// The signals that end a server between two of its lives, while it waits for its database.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <chrono>
#include <csignal>

namespace tictactoe {

/// Does nothing until begin(). Not thread-safe, and no more than one signal counts.
class Waiting {
 public:
  /// From now on SIGINT and SIGTERM end the wait, and not the process.
  void begin() {
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    signals_.async_wait([this](const boost::system::error_code& error, int) { ended_ = !error; });
    began_ = true;
  }
  bool has_begun() const { return began_; }
  /// Waits so long, or until a signal. Returns whether one has come since begin().
  bool pass(std::chrono::milliseconds time) {
    if (!ended_) context_.run_for(time);
    return ended_;
  }

 private:
  boost::asio::io_context context_;
  boost::asio::signal_set signals_{context_};
  bool began_ = false;
  bool ended_ = false;
};

}  // namespace tictactoe
