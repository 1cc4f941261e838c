// The least that keeps bytes on a disk before they are announced: a file and a thread.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace tictactoe::relay {

/// Appends bytes to a file of a fixed size, from its beginning again once it is full, and waits for
/// the disk on a thread of its own. There is one batch on its way and one that gathers.
///
/// Calls come from one thread.
class Log {
 public:
  static constexpr std::size_t file_bytes = std::size_t{16} * 1024 * 1024;

  /// Creates the file and fills it, so that later writes change nothing but its content. Ends the
  /// program if it can't.
  explicit Log(const char* path);
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// Becomes readable when a batch is on the disk.
  int event() const { return event_; }
  /// Adds to the batch that gathers.
  void append(std::string_view bytes) { gathered_.append(bytes); }
  /// Sends the batch that gathers on its way, if it has anything and no other is.
  /// Returns whether it has.
  bool commit();
  /// To be called when event() is readable: returns whether the batch is on the disk.
  bool take_event();

 private:
  [[noreturn]] void run();

  int file_;
  int event_;
  std::string gathered_;
  bool is_committing_ = false;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::string batch_;       // guarded; the thread's own while it is on its way
  bool has_batch_ = false;  // guarded
  std::thread thread_;
};

}  // namespace tictactoe::relay
