// Wakes an event loop from other threads.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <system_error>
#include <utility>

#include "common/posix/retried.hpp"

namespace tictactoe::worker {

/// A pipe through which threads wake an event loop.
class LoopWaker {
 public:
  explicit LoopWaker(boost::asio::io_context& io) : loop_end_(io) {}
  ~LoopWaker() {
    if (thread_end_ >= 0) ::close(thread_end_);
  }
  LoopWaker(const LoopWaker&) = delete;
  LoopWaker& operator=(const LoopWaker&) = delete;

  /// Opens the pipe if it is not open. Returns the system's error, if any.
  std::error_code open() {
    if (thread_end_ >= 0) return {};
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_NONBLOCK | O_CLOEXEC) != 0) return {errno, std::generic_category()};
    Error error;
    loop_end_.assign(ends[0], error);
    if (error) {
      for (const int end : ends) ::close(end);
      return error;
    }
    thread_end_ = ends[1];
    return {};
  }

  /// Wakes the loop. Thread-safe. Requires an open pipe.
  void wake() const {
    const char byte = 0;
    // If the pipe is full, the loop is already awake.
    static_cast<void>(posix::retried([&] { return ::write(thread_end_, &byte, 1); }));
  }

  /// Calls `on_wake` once, on the loop, after a wake(). Keeps the io_context busy until then, or
  /// until cancel(), which drops `on_wake`.
  template <class OnWake>
  void await(OnWake on_wake) {
    loop_end_.async_wait(
        boost::asio::posix::stream_descriptor::wait_read,
        [this, on_wake = std::move(on_wake)](const Error& cancelled) mutable {
          if (cancelled) return;
          std::array<char, 64> bytes{};
          const int pipe = loop_end_.native_handle();
          while (posix::retried([&] { return ::read(pipe, bytes.data(), bytes.size()); }) > 0) {
          }
          on_wake();
        });
  }
  void cancel() {
    Error ignored;  // nothing depends on it any more
    loop_end_.cancel(ignored);
  }

 private:
  using Error = boost::system::error_code;

  boost::asio::posix::stream_descriptor loop_end_;
  int thread_end_ = -1;
};

}  // namespace tictactoe::worker
