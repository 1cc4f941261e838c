// Long work of many connections, a few steps in each turn of the event loop.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "server/limits/fair_queue.hpp"

namespace tictactoe::transport {

/// Runs a few steps in each turn of the event loop, for the networks in turn, so that long work of
/// many connections delays nothing else. The caller limits the number of steps that wait. Must
/// outlive the handlers of its io_context, or be destroyed after it has stopped running.
class TurnQueue {
 public:
  /// `at_once`: steps in one turn, at least 1.
  TurnQueue(boost::asio::io_context& io, std::size_t at_once) : io_(io), at_once_(at_once) {}

  /// From the next turn on.
  void set_at_once(std::size_t at_once) { at_once_ = at_once; }

  /// Calls `step` in a later turn.
  void push(std::uint64_t network, std::function<void()> step) {
    steps_.push({network, network}, std::move(step));
    if (steps_.size() == 1 && !is_in_turn_) ask_for_turn();
  }

 private:
  void ask_for_turn() {
    boost::asio::post(io_, [this] { turn(); });
  }
  void turn() {
    is_in_turn_ = true;
    for (std::size_t i = 0; i < at_once_; ++i) {
      const std::optional<std::function<void()>> step = steps_.pop();
      if (!step) break;
      (*step)();
    }
    is_in_turn_ = false;
    if (!steps_.empty()) ask_for_turn();
  }

  boost::asio::io_context& io_;
  std::size_t at_once_;
  server::FairQueue<std::function<void()>> steps_;
  bool is_in_turn_ = false;
};

}  // namespace tictactoe::transport
