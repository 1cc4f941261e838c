// Standard input, whatever it is.
#pragma once

#include <boost/asio/io_context.hpp>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tictactoe::client {

/// Reads standard input in a thread of its own and posts what it read to the io_context. A thread,
/// since a regular file can't be polled, and since making a terminal non-blocking, as Asio would,
/// makes it so for every program that shares it. It reads only when asked to, so that a long script
/// stays where it is until its lines are due.
class InputThread {
 public:
  /// Handed the bytes that were read; none means the end of input.
  using OnBytes = std::function<void(std::string bytes)>;

  /// `context` must outlive this. `on_bytes` is called in the thread that runs it.
  InputThread(boost::asio::io_context& context, OnBytes on_bytes);
  /// Wakes the thread and waits for its end.
  ~InputThread();
  InputThread(const InputThread&) = delete;
  InputThread& operator=(const InputThread&) = delete;

  /// Reads once more. Has no effect while a read is under way or after the end of input.
  void read();

 private:
  void run();
  bool wait_until_asked();
  std::string read_some() const;

  boost::asio::io_context& context_;
  OnBytes on_bytes_;
  int wake_read_ = -1;  // a pipe whose end of file wakes a read under way
  int wake_write_ = -1;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool asked_ = false;
  bool stopping_ = false;
  std::thread thread_;  // last: starts when all else is there
};

}  // namespace tictactoe::client
