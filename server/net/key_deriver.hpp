// Derives the keys of passwords on a thread of its own.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "server/core/effects.hpp"

namespace tictactoe::net {

/// One thread, which starts with the first password, and at most one password at a time. All calls
/// and all answers happen on the thread of the io_context; a request and its key pass through one
/// atomic pointer each, so that neither thread ever waits for the other. A semaphore wakes the
/// thread, and a pipe wakes the loop. If the system has no thread to spare, the loop does the work.
class KeyDeriver {
 public:
  using Answer = std::function<void(std::uint64_t id, const std::string& key)>;

  /// `on_answer` must stay callable as long as `io` runs. It is never called from within another
  /// call of this class.
  KeyDeriver(boost::asio::io_context& io, Answer on_answer);
  /// Waits until the thread is done with the password that it has.
  ~KeyDeriver();
  KeyDeriver(const KeyDeriver&) = delete;
  KeyDeriver& operator=(const KeyDeriver&) = delete;

  /// The last one was answered.
  void derive(const core::DeriveKey& derive);
  /// No answer comes any more, and nothing here keeps the io_context running.
  void cancel();

 private:
  class Worker;
  struct Job;

  bool start_thread();
  void await_key();
  void deliver(std::unique_ptr<Job> job);

  boost::asio::io_context& io_;
  Answer on_answer_;
  boost::asio::posix::stream_descriptor wake_;  // the loop's end of the pipe
  int wake_loop_ = -1;                          // the thread's end
  std::unique_ptr<Worker> worker_;
  bool stopping_ = false;
};

}  // namespace tictactoe::net
