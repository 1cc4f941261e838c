// The conversion of a long message that one WebSocket waits for.
#pragma once

#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>
#include <cstdint>
#include <string>
#include <utility>

#include "server/core/origin.hpp"
#include "server/net/json_converter.hpp"
#include "server/net/stored_handler.hpp"

namespace tictactoe::net {

/// At most one conversion, and at most one handler that waits for its end.
class PendingConversion {
 public:
  /// `converter` must outlive it while a conversion is pending.
  explicit PendingConversion(JsonConverter& converter) : converter_(converter) {}
  ~PendingConversion() { drop(); }
  PendingConversion(const PendingConversion&) = delete;
  PendingConversion& operator=(const PendingConversion&) = delete;

  bool is_pending() const { return id_ != 0; }
  /// Requires that none is pending. Returns false if too many wait. See JsonConverter::convert.
  bool begin(core::Origin origin, std::string body, JsonConverter::Done done) {
    id_ =
        converter_.convert(origin, std::move(body), [this, done = std::move(done)](LongJson json) {
          id_ = 0;
          done(std::move(json));
        });
    return is_pending();
  }
  void drop() {
    if (id_ != 0) converter_.cancel(std::exchange(id_, 0));
  }

  /// Calls `handler` with an error code when finish_wait() has been called.
  template <class Handler>
  void wait(Handler handler) {
    on_end_ = StoredHandler(
        [handler = std::move(handler)](const boost::system::error_code& error,
                                       std::size_t /*none*/) mutable { handler(error); });
  }
  template <class Executor>
  void finish_wait(const Executor& executor, const boost::system::error_code& error) {
    if (!on_end_) return;
    boost::asio::post(executor,
                      [handler = std::move(on_end_), error]() mutable { handler(error, 0); });
  }

 private:
  JsonConverter& converter_;
  std::uint64_t id_ = 0;
  StoredHandler on_end_;
};

}  // namespace tictactoe::net
