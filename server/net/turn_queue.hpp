// Work of many connections that takes turns.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "server/core/turns.hpp"
#include "server/net/stored_handler.hpp"

namespace tictactoe::net {

/// Steps that wait until they are computed: a few in each turn of the event loop, so that
/// everything else goes on between them, and of one network after another. The caller limits the
/// number of those that wait. Must outlive the handlers of its io_context, or be destroyed after it
/// has stopped running.
class TurnQueue {
 public:
  /// Computes at most `at_once` steps in one turn, which is at least 1.
  TurnQueue(boost::asio::io_context& io, std::size_t at_once) : io_(io), at_once_(at_once) {}

  /// From the next turn on.
  void set_at_once(std::size_t at_once) { at_once_ = at_once; }

  /// Calls `step` when it is the turn of that network, not within this function.
  void push(std::uint64_t network, StoredHandler step) {
    steps_.push(network, std::move(step));
    if (steps_.size() == 1 && !is_in_turn_) ask_for_turn();
  }

 private:
  void ask_for_turn() {
    boost::asio::post(io_, [this] { turn(); });
  }
  void turn() {
    is_in_turn_ = true;
    for (std::size_t i = 0; i < at_once_ && !steps_.empty(); ++i) {
      StoredHandler step = steps_.pop(steps_.take_turn());
      step({}, 0);
    }
    is_in_turn_ = false;
    if (!steps_.empty()) ask_for_turn();
  }

  boost::asio::io_context& io_;
  std::size_t at_once_;
  core::Turns<StoredHandler> steps_;  // by network
  bool is_in_turn_ = false;
};

}  // namespace tictactoe::net
