// Converts large messages to JSON on a thread of its own.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/core/origin.hpp"
#include "server/core/turns.hpp"
#include "server/net/json_form.hpp"
#include "server/net/limited_log.hpp"
#include "server/worker/lazy_worker.hpp"

namespace tictactoe::net {

/// A record of a million moves takes half a second to convert, in which the event loop would do
/// nothing else. One thread, which starts with the first message; one message at a time. Networks
/// take turns, and in each of them its addresses. All calls and all answers happen on the thread of
/// the io_context. If the system has no thread to spare, the loop does the work.
///
/// Messages with the same bytes are converted once for all their receivers, also for one that asks
/// when the conversion has ended, as long as the message is among those that are remembered. The
/// caller has at most one message for each connection, and counts its bytes as output that waits.
class JsonConverter {
 public:
  /// Different messages that wait, charged to the address and the network of their first receivers.
  static constexpr std::size_t most_of_address = 128;
  static constexpr std::size_t most_of_network = 512;
  /// What is remembered for further receivers, in bytes of messages and of their JSON forms.
  static constexpr std::size_t most_kept_bytes = std::size_t{16} * 1024 * 1024;

  using Done = std::function<void(LongJson json)>;

  explicit JsonConverter(boost::asio::io_context& io);
  /// Waits until the thread is done with the message that it has.
  ~JsonConverter() { stop(); }
  JsonConverter(const JsonConverter&) = delete;
  JsonConverter& operator=(const JsonConverter&) = delete;

  /// Converts `body`, an encoded ServerMessage for a peer at `origin`. `done` is called once, and
  /// not from within a call of this class. Returns a number for cancel(), or 0 if too many messages
  /// for that address or network wait: then `done` is not called.
  std::uint64_t convert(core::Origin origin, std::string body, Done done);
  /// Forgets a receiver whose `done` has not been called. A conversion that runs goes on to its
  /// end.
  void cancel(std::uint64_t id);
  /// No answer comes any more, and nothing here keeps the io_context running.
  void stop();

  /// Receivers that wait.
  std::size_t size() const { return receivers_.size(); }
  /// Conversions that have begun.
  std::uint64_t conversions() const { return conversions_; }

 private:
  /// Of one message without its request id.
  struct Conversion {
    std::string body;
    std::shared_ptr<const std::string> json;  // null until it is done
    bool has_begun = false;
    core::Origin origin;                // of the first receiver, to whom it is charged
    std::set<std::uint64_t> receivers;  // that wait
  };
  struct Receiver {
    core::Origin origin;
    std::uint64_t request_id;
    std::shared_ptr<Conversion> conversion;
    Done done;
  };
  /// For the thread.
  struct Task {
    void run();
    std::shared_ptr<Conversion> conversion;
    std::string json;
  };
  /// Large messages differ at their ends: in revisions, names and moves.
  struct HashOfEnds {
    std::size_t operator()(std::string_view body) const;
  };

  /// The conversion of such a message, which may be a new one; null if too many wait.
  std::shared_ptr<Conversion> conversion_of(std::string_view body, core::Origin origin);
  bool has_place(core::Origin origin) const;
  void charge(core::Origin origin);
  void release(core::Origin origin);
  void start_next();
  void converted(Task& task);
  void keep(std::shared_ptr<Conversion> conversion);
  void answer_later(std::uint64_t receiver);
  void answer_some();

  boost::asio::io_context& io_;
  worker::LazyWorker<Task> worker_;
  std::unordered_map<std::uint64_t, Receiver> receivers_;
  std::unordered_map<std::string_view, std::shared_ptr<Conversion>, HashOfEnds> by_body_;
  std::deque<std::shared_ptr<Conversion>> kept_;  // done, the oldest first
  std::size_t kept_bytes_ = 0;
  core::TurnsOfNetworks<std::uint64_t> waiting_;  // receivers, in part answered ones
  std::deque<std::uint64_t> answers_;             // receivers whose conversions are done
  bool answers_are_due_ = false;
  std::unordered_map<std::uint64_t, std::size_t> of_address_;  // conversions that are not done
  std::unordered_map<std::uint64_t, std::size_t> of_network_;
  std::uint64_t last_id_ = 0;
  std::uint64_t conversions_ = 0;
  bool is_running_ = false;
  LimitedLog refused_;
};

}  // namespace tictactoe::net
