// Converts large messages to JSON on a thread of its own.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "server/core/origin.hpp"
#include "server/core/turns.hpp"
#include "server/net/worker_thread.hpp"

namespace tictactoe::net {

/// A record of a million moves takes half a second to convert, in which the event loop would do
/// nothing else. One thread, which starts with the first message; one message at a time. Networks
/// take turns, and in each of them its addresses. All calls and all answers happen on the thread of
/// the io_context. If the system has no thread to spare, the loop does the work.
///
/// There is no limit for what waits here: the caller has at most one message for each connection,
/// and counts its bytes as output that waits.
class JsonConverter {
 public:
  /// Gets the JSON form to move out; empty if there is none.
  using Done = std::function<void(std::string& json)>;

  explicit JsonConverter(boost::asio::io_context& io) : io_(io), waker_(io) {}
  /// Waits until the thread is done with the message that it has.
  ~JsonConverter() { stop(); }
  JsonConverter(const JsonConverter&) = delete;
  JsonConverter& operator=(const JsonConverter&) = delete;

  /// Converts `body`, an encoded ServerMessage for a peer at `origin`. `done` is called once, and
  /// not from within a call of this class. Returns a number for cancel().
  std::uint64_t convert(core::Origin origin, std::string body, Done done);
  /// Forgets a message whose `done` has not been called. A conversion that runs goes on to its end.
  void cancel(std::uint64_t id);
  /// No answer comes any more, and nothing here keeps the io_context running.
  void stop();

  /// Messages that wait or are being converted.
  std::size_t size() const { return jobs_.size(); }

 private:
  struct Job {
    core::Origin origin;
    std::string body;
    Done done;
  };
  /// For the thread.
  struct Task {
    void run();
    std::uint64_t id;
    std::string body;
    std::string json;
  };

  void start_next();
  bool start_thread();
  void await_task();
  void deliver(Task& task);

  boost::asio::io_context& io_;
  LoopWaker waker_;
  std::optional<WorkerThread<Task>> thread_;  // from the first message on
  std::unordered_map<std::uint64_t, Job> jobs_;
  core::TurnsOfNetworks<std::uint64_t> waiting_;
  std::uint64_t last_id_ = 0;
  bool is_running_ = false;
  bool is_stopped_ = false;
};

}  // namespace tictactoe::net
