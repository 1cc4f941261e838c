// Spreads long work of many connections over slices of the event loop.
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

/// Runs a few steps in each slice of the event loop, serving the networks round robin, so that long
/// work of many connections delays nothing else. The caller limits the number of waiting steps.
/// Must outlive the handlers of its io_context, or be destroyed after it has stopped running.
class SliceQueue {
 public:
  /// `at_once`: steps in one slice, at least 1.
  SliceQueue(boost::asio::io_context& io, std::size_t at_once) : io_(io), at_once_(at_once) {}

  /// Takes effect with the next slice.
  void set_at_once(std::size_t at_once) { at_once_ = at_once; }

  /// Calls `step` in a later slice.
  void push(std::uint64_t network, std::function<void()> step) {
    steps_.push({network, network}, std::move(step));
    if (steps_.size() == 1 && !is_in_slice_) ask_for_slice();
  }

 private:
  void ask_for_slice() {
    boost::asio::post(io_, [this] { run_slice(); });
  }
  void run_slice() {
    is_in_slice_ = true;
    for (std::size_t i = 0; i < at_once_; ++i) {
      const std::optional<std::function<void()>> step = steps_.pop();
      if (!step) break;
      (*step)();
    }
    is_in_slice_ = false;
    if (!steps_.empty()) ask_for_slice();
  }

  boost::asio::io_context& io_;
  std::size_t at_once_;
  server::FairQueue<std::function<void()>> steps_;
  bool is_in_slice_ = false;
};

}  // namespace tictactoe::transport
