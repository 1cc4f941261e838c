// Derives the keys of passwords on a thread of its own.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <string>

#include "server/core/effects.hpp"
#include "server/worker/lazy_worker.hpp"

namespace tictactoe::net {

/// One thread, which starts with the first password, and at most one password at a time. All calls
/// and all answers happen on the thread of the io_context. If the system has no thread to spare,
/// the loop does the work.
class KeyDeriver {
 public:
  using Answer = std::function<void(std::uint64_t id, const std::string& key)>;

  /// `on_answer` must stay callable as long as `io` runs. It is never called from within another
  /// call of this class.
  KeyDeriver(boost::asio::io_context& io, Answer on_answer);
  /// Waits until the thread is done with the password that it has.
  ~KeyDeriver() = default;
  KeyDeriver(const KeyDeriver&) = delete;
  KeyDeriver& operator=(const KeyDeriver&) = delete;

  /// Requires that the last one was answered.
  void derive(const core::DeriveKey& derive);
  /// No answer comes any more, and nothing here keeps the io_context running.
  void cancel() { worker_.cancel(); }

 private:
  /// The request, and the key once it is there.
  struct Task {
    void run();
    core::DeriveKey derive;
    std::string key;
  };

  worker::LazyWorker<Task> worker_;
};

}  // namespace tictactoe::net
