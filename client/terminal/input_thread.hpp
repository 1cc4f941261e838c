// Standard input, whatever it is.
#pragma once

#include <boost/asio/io_context.hpp>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tictactoe::client {

/// Reads standard input in a thread of its own and posts the bytes to the io_context. It uses a
/// thread because a regular file can't be polled, and because making a terminal non-blocking, as
/// Asio would, affects every program that shares it. It reads only on request, so a long script
/// stays unread until its lines are due.
class InputThread {
 public:
  /// Receives the bytes read; none at the end of input.
  using OnBytes = std::function<void(std::string bytes)>;

  /// `context` must outlive this. `on_bytes` is called in the thread that runs it.
  InputThread(boost::asio::io_context& context, OnBytes on_bytes);
  /// Wakes the thread and joins it.
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
